/* The sections of a run's report; each takes what it shows from the result. */
#pragma once

#include "kit/engine/unit.h"
#include "scenarios/program/report/document/document.h"

void run_lead(Document *document, JsonNode *result);
void run_why(Document *document, JsonNode *result);
void run_latency(Document *document, JsonNode *result);
void run_warps(Document *document, JsonNode *result);
void run_distribution(Document *document, JsonNode *result);
void run_slowest(Document *document, JsonNode *result);
void run_code(Document *document, JsonNode *result);
void run_hot(Document *document, JsonNode *result);
void run_kernels(Document *document, JsonNode *result);
void run_between(Document *document, JsonNode *result);
void run_links(Document *document, JsonNode *result); /* report/network/links.c */
void run_caches(Document *document, JsonNode *result);

/* Of the units of these classes, NULL-terminated: all statistics that have the role. */
void run_time(Document *document, JsonNode *result, const UnitClass *const *classes);
void run_heat(Document *document, JsonNode *result, const UnitClass *const *classes);
Figure *run_hit_rates(JsonNode *result, const UnitClass *const *classes);
Figure *run_refusals(JsonNode *result, const UnitClass *const *classes);
Figure *run_conservation(JsonNode *result, const UnitClass *const *classes);
Figure *run_counters(JsonNode *result, const UnitClass *const *classes);

/* Figures of the section about bounds, and the tables at the end. */
Figure *run_time_spent(JsonNode *result);
Figure *run_utilisation(JsonNode *result);
Figure *run_resources(JsonNode *result);
Figure *run_resource_map(JsonNode *result);
Figure *run_busiest_map(JsonNode *result);
Figure *run_unloaded(JsonNode *result);
Figure *run_littles_law(JsonNode *result);
Figure *run_parameters(JsonNode *result);

Figure *run_energy_stages(JsonNode *result); /* report/cost/energy.c */
Figure *run_energy(JsonNode *result);        /* likewise */
Figure *run_storage(JsonNode *result);       /* report/cost/storage.c */
