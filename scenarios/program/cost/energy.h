/* What a run cost in energy, said: the member `consumption` of a result. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "scenarios/program/result/aggregate.h"
#include "scenarios/program/result/result.h"

/* { total_uj, events_uj, active_uj, idle_uj, power_w, pj_a_byte, dram_pj_a_bit, stages: { STAGE:
 * uj }, no_stage_uj, figures: { PARAMETER: uj that rest on it }, units: { CLASS: { uj, events:
 * { STATISTIC: { count, pj, uj } } } } }: of the aggregate's launches; in brief without events, in
 * columns without figures, too. */
JsonNode *energy_json(const Aggregate *aggregate, ResultExtent extent);

/* A unit's share: CLASS, and of it a statistic or, "", all. */
typedef struct {
    const char *unit, *event;
    double count, pj, uj;
} EnergyEntry;

/* Of such a member, of units or of events; of EnergyEntry. Empty where it is NULL. */
GArray *energy_units(JsonNode *energy);
GArray *energy_events(JsonNode *energy);
/* What took most first. */
void energy_sort(GArray *entries);

/* "DRAM 41 %, ...": of the units that took most, newly allocated. */
char *energy_line(JsonNode *energy);
