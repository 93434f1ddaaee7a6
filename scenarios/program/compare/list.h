/* The results that are named on a command line. */
#pragma once

#include "scenarios/program/result/result.h"

/* All results of all paths, in their order; of JsonNode. */
GPtrArray *result_list_read(char **paths, int count, GError **error);

/* What each is called: its variant, or "A:VARIANT" by its place where several share a name. */
GPtrArray *result_list_labels(const GPtrArray *results);
