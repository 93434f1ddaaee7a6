/* Which resource bound a run, from how busy each was. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
    const char *name;    /* "DRAM bus" */
    const char *column;  /* what a study calls its utilisation: "busy_dram_bus" */
    double utilisation;  /* 0..1; NaN: the result does not say */
    const char *measure; /* what the utilisation is a share of */
} Resource;

/* The groups of parameters that are read, NULL at the end. */
const char *const *verdict_groups(void);

/* Of Resource, in the order of a request's way. */
GArray *verdict_resources(JsonNode *result);

/* What bound the run, in a word or two: a resource's name, "outstanding misses", "latency" ...
 * `sentence` (may be NULL) says so in a line, newly allocated: "DRAM bus: 91 % of peak bandwidth
 * was used". */
const char *verdict_bound(JsonNode *result, char **sentence);
char *verdict_sentence(JsonNode *result);
