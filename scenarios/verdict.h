/* Which resource bound a run, from how busy each was. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
    const char *name;    /* "DRAM bus" */
    double utilisation;  /* 0..1; NaN: the result does not say */
    const char *measure; /* what the utilisation is a share of */
} Resource;

/* Of Resource, in the order of a request's way. */
GArray *verdict_resources(JsonNode *result);

/* One line: "DRAM bandwidth: the data bus was busy 91 % of the time"; newly allocated. */
char *verdict_sentence(JsonNode *result);
