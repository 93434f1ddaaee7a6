/* Where the change of time between two results went: by what the time of a scheduler went to, on
 * average over all of a machine, in integer femtoseconds. The parts sum to the change of time
 * exactly, whatever the machines have of SMs, schedulers and clocks. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "scenarios/program/compare/compare.h"

typedef struct {
    const char *name, *title; /* the results' strings */
    gint64 before, after;     /* fs */
} TimeChange;

/* Of TimeChange: every part that either result has, what changed most first; NULL: one of them does
 * not say where its time went. */
GArray *time_changes_new(JsonNode *before, JsonNode *after);

static inline gint64 time_change(const TimeChange *change)
{
    return change->after - change->before;
}

/* Sums of a change of all. */
TimeChange time_changes_sum(const GArray *changes);

/* The longest steps from the first result to the one with this index in one line. */
void time_changes_print_brief(const Comparison *comparison, guint index, FILE *out);

/* All steps, as a waterfall. */
void time_changes_print(const Comparison *comparison, guint index, FILE *out);
