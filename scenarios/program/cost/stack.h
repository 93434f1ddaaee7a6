/* Where a run's energy went: by the stage of requests' way at which events took it. The parts sum
 * to the whole: what was taken at no stage, and power of active SMs and of all that is idle, are
 * parts as well. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

typedef struct {
    const char *name;     /* "dram_bus", "no stage", "active SMs", "idle" */
    const char *summary;  /* one line */
    double before, after; /* uJ; of one result `after`, and `before` is 0 */
} EnergyPart;

/* Of EnergyPart: what took something, the largest first. */
GArray *energy_stack_new(JsonNode *result);

/* Every part with a bar. */
void energy_stack_print(JsonNode *result, FILE *out);

/* Of EnergyPart: every part that either result has, what changed most first. */
GArray *energy_changes_new(JsonNode *before, JsonNode *after);

/* ... with a bar. */
void energy_changes_print(JsonNode *before, JsonNode *after, FILE *out);
