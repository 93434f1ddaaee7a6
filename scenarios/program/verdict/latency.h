/* Where the latency of what warps wait for goes, if nothing on its way is full. */
#pragma once

#include <json-glib/json-glib.h>

#include "scenarios/program/verdict/pressure.h"

/* What it is, newly allocated; `few`: the resident warps, if they are too few to hide it. */
char *latency_words(JsonNode *result, const Pressure *few);

/* The perfect component that gains most; NULL: nothing was waited for. `share` (0..1) of the
 * latency, of which the longest stage has `stage`. */
typedef struct {
    const char *component;
    double share, stage;
    const char *words; /* what the stage is called */
} LatencyPart;

/* `list`: of pressure.h. */
LatencyPart latency_part(JsonNode *result, const GPtrArray *list);

/* A chain of loads, or one CTA: that the rest of the machine had nothing to do is no news. */
gboolean latency_is_of_a_chain(JsonNode *result);
gboolean latency_is_of_one_cta(JsonNode *result); /* or of a chain */
