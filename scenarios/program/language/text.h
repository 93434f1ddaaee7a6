/* The text of a scenario file: GKeyFile syntax, with what GKeyFile does not tell: the line of
 * every key, and duplicates. A line that begins with white space goes on with the value above it;
 * the value then has as many lines as the file. */
#pragma once

#include <glib.h>

#define SCENARIO_ERROR (g_quark_from_static_string("warpmem-scenario"))

typedef struct {
    char *group;
    char *key; /* NULL: the group's own line */
    char *value;
    int line;
} ScenarioEntry;

/* All groups and keys in the order of the text, of ScenarioEntry. The error begins with file:line
 * where there is one. */
GPtrArray *scenario_text_read(const char *file, GError **error);
