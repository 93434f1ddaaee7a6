/* The results that are named on a command line. */
#pragma once

#include "scenarios/program/result/result.h"

/* All results of all paths, in their order; of JsonNode. */
GPtrArray *result_list_read(char **paths, int count, GError **error);

/* What each is called: its variant, or where several share a name "A:VARIANT", by its path. */
GPtrArray *result_list_labels(const GPtrArray *results);

/* "  A: PATH\n  B: PATH\n", newly allocated; NULL: no label has a letter. */
char *result_list_legend(const GPtrArray *results, char **paths);

/* Those that are judged together, of GArray of guint, in each of which the first one is what the
 * others are held against: where the first path is a folder of several, one for each of these, with
 * those of its name from other paths; else one with all. */
GPtrArray *result_list_groups(const GPtrArray *results);

/* Appends a line (newly allocated) for each that has nobody of its name where it should. */
void result_list_find_lacking(const GPtrArray *results, char **paths, GPtrArray *lines);
