/* Results side by side, and where the time went between them. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdbool.h>
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

/* Whether they are of machines with other names. */
gboolean compare_machines_differ(const Comparison *comparison);

/* A number of results side by side. */
typedef struct {
    const char *name; /* with its unit */
    const char *path;
    double scale; /* what is shown is the number times this */
    int decimals;
    gboolean relative; /* the change in percent is worth printing */
    const char *of;    /* of a row that is indented below another: what that is of */
    /* of a latency in cycles, a time and how many of them it is */
    const char *ns, *cycles;
} CompareRow;

const CompareRow *compare_rows(void); /* ends with a row without name */

/* Whether the row is a latency, and cycles of the results are not as long: it is in ns then. */
bool compare_is_in_ns(const Comparison *comparison, const CompareRow *row);
/* What is shown of a result. */
double compare_number(JsonNode *result, const CompareRow *row, bool in_ns);
/* The row's name with the unit of that, newly allocated. */
char *compare_row_name(const CompareRow *row, bool in_ns);

/* With details: every parameter that differs, and where the latency went. */
void compare_print(const Comparison *comparison, bool details, FILE *out);
