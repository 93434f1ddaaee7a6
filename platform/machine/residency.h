/* How a launch fits on the machine's SMs: what limits its CTAs there, and in how many waves they
 * come. Follows from parameters alone. */
#pragma once

#include "platform/machine/machine.h"

typedef enum {
    LIMIT_REGISTERS,
    LIMIT_SHARED_MEMORY,
    LIMIT_WARPS, /* or threads */
    LIMIT_CTAS,
    LIMIT_GRID,
    RESIDENCY_LIMITS
} ResidencyLimit;

typedef struct {
    const char *key, *words; /* "shared_memory", "shared memory" */
} ResidencyLimitName;

extern const ResidencyLimitName residency_limit_names[RESIDENCY_LIMITS];

typedef struct {
    /* CTAs an SM that each lets in; of the grid its part, rounded up; OCCUPANCY_ANY: any number */
    uint64_t by[RESIDENCY_LIMITS];
    uint64_t ctas;      /* an SM has at once: the least of these */
    uint64_t next;      /* if those that limit them did not; OCCUPANCY_ANY: any number */
    uint64_t grid, sms; /* CTAs of the launch */
    uint64_t places;    /* for CTAs of this kernel, on all SMs: more than the grid, perhaps */
    double waves;       /* grid / places */
} Residency;

/* Of the launch alone, even if it runs beside others; one of the machine's. */
Residency machine_residency(const Machine *machine, const Launch *launch);

/* Fails when a CTA of one of the machine's launches has no room on an empty SM. */
bool machine_check_residency(const Machine *machine, GError **error);

/* Whether it is one of those that let in the fewest. */
bool residency_limited_by(const Residency *residency, ResidencyLimit limit);

/* The share of its time that each CTA would save if all waves were full, of as many CTAs as the SMs
 * have at once, and none took longer for that: arithmetic, and too much where a fuller machine is a
 * slower one. */
double residency_full_wave_gain(const Residency *residency);
