/* Where the machine's time went: a scheduler's time, on average over all of them, divided by what
 * it went to. The parts sum to the time of the measured kernels exactly. */
#pragma once

#include "scenarios/program/result/result.h"

/* Strings are the result's. */
typedef struct {
    const char *name, *title, *kind;
    gint64 fs;
} TimePart;

/* `time` of result.json; NULL: no unit counts where its time went, or nothing was measured. */
JsonNode *result_time(const Aggregate *aggregate);

/* Whether it is of a scheduler's time in which its core has CTAs. */
bool time_is_with_ctas(const Stat *stat);
/* Schedulers of one of the class's units; 0: they do not count their time, or nothing was
 * measured. */
double time_schedulers(const ClassSum *sum);
/* fs in which cores had CTAs, of all cores together. */
double time_of_cores(const Aggregate *aggregate);

/* Of TimePart, the longest first, without what passed between kernels; NULL: the result does not
 * have them. */
GArray *time_stack_new(JsonNode *result);

/* The sum of the parts. */
gint64 time_stack_sum(const GArray *parts);
