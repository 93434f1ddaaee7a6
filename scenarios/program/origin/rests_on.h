/* What the bound of a run rests on: the parameters that make the rate, or the room, of the resource
 * that bounds it, and whether anybody has stated them. */
#pragma once

#include "scenarios/program/verdict/pressure.h"
#include "scenarios/program/verdict/verdict.h"

/* Names of the parameters, "mmu.lookups_per_cycle", of a server its clock last; of char *, newly
 * allocated. */
GPtrArray *rests_on_names(const Pressure *pressure);

/* A parameter that nobody has stated. */
typedef struct {
    char *value;      /* "mmu.lookups_per_cycle = 4" */
    const char *what; /* "a default" or "assumed" */
    char *whose;      /* "v100": the file that could have stated it, or that calls it assumed */
} Unknown;

/* Of Unknown: of those that the bound rests on. Empty where all are stated, nothing is full, or the
 * result does not say where its values come from. */
GArray *rests_on_unknown(JsonNode *result, const Verdict *verdict);

/* "rests on mmu.lookups_per_cycle = 4, a default that v100 does not state" in a line, newly
 * allocated; NULL: there is nothing to say. */
char *rests_on_sentence(JsonNode *result, const Verdict *verdict);
