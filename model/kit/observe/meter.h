/* Meters: what is read of a unit's resources. A unit has one for each resource of its class, of
 * arrays one for each element, and one for each of its channels that is bounded. Counts are never
 * reset: of the region of interest they are what was read at its end less what was read at its
 * beginning. */
#pragma once

#include "kit/describe/resource.h"

#include <stdbool.h>

/* What can be read without asking the meter. */
typedef enum { METER_ELSE, METER_SERVER, METER_PLACE } MeterKind;

typedef ResourceCount (*MeterRead)(void *field, Time at);

typedef struct Meter {
    const char *name;       /* of the resource, or of the channel's output; interned */
    const ResourceRow *row; /* NULL: a channel */
    uint32_t index;         /* in the array; 0 where there is none */
    const char *label;      /* the user's name of it; NULL: none */
    bool many;              /* it is one of an array */
    uint64_t capacity;      /* 0: without bound */
    MeterKind kind;
    MeterRead read; /* METER_ELSE */
    void *field;
    const uint64_t *refused;       /* NULL: not counted */
    const uint64_t *done;          /* what was at rest does nothing that this does not rise with */
    ResourceCount opened, counted; /* when the region began; in it, when it ended */
} Meter;

typedef struct MeterList {
    Meter *at;
    uint32_t count;
    Time opened, length; /* of the region of interest */
} MeterList;

/* Of a row over a unit's struct, element by element. The unit's setup has been done. */
void meter_list_add_resource(MeterList *list, const ResourceRow *row, const uint64_t *refused,
                             void *unit);
void meter_list_add(MeterList *list, const Meter *meter);
void meter_list_finish(MeterList *list);

/* The region begins, or a measured kernel has ended and it may be the last. */
void meter_list_open(MeterList *list, Time at);
void meter_list_keep(MeterList *list, Time at);

/* By `at`, which is not before the last change. */
ResourceCount meter_read_known(const Meter *meter, Time at); /* a server or a place */
static inline ResourceCount meter_read(const Meter *meter, Time at)
{
    return meter->kind == METER_ELSE ? meter->read(meter->field, at) : meter_read_known(meter, at);
}

/* Of a longer array, as of a cache's sets, only the sums and the busiest element are told: each of
 * them, and over time, would cost more than they say. */
enum { METERS_EACH = 32 };
