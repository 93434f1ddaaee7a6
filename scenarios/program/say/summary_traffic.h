/* What became of traffic without a GPU, in the summary of a run. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>

#include "scenarios/program/say/table.h"

/* The run had traffic and no kernel. */
bool summary_has_traffic(JsonNode *result);

/* ... which DRAM has served. */
bool summary_has_dram_traffic(JsonNode *result);

/* Rows of what was offered and accepted, and how long it took. */
void summary_add_traffic(Table *table, JsonNode *result);

/* "DRAM 59.0 GB/s of 80.2", or without a peak where there is none; newly allocated. */
char *summary_dram_words(JsonNode *result);

/* "0.601 packets a cycle and source, mean latency 12.3 cycles", of a run that was interrupted only
 * the latter; newly allocated. */
char *summary_traffic_words(JsonNode *result);
