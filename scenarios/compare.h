/* Results side by side, and where the time went between them. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

/* Columns are named by variant, or by `labels` (may be NULL). The first result is what the others
 * are compared with. */
typedef struct {
    JsonNode *const *results;
    const char *const *labels;
    guint count;
} Comparison;

/* What a result is called in the comparison. */
const char *compare_label(const Comparison *comparison, guint index);

void compare_print(const Comparison *comparison, FILE *out);

/* The same as JSON, with the attribution in exact femtoseconds. */
JsonNode *compare_json(const Comparison *comparison);
