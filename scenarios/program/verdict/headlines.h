/* The resources that summaries and tables of studies show. */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
    char *name;         /* "DRAM bus" */
    char *column;       /* what a study calls its utilisation: "busy_dram_bus" */
    double utilisation; /* 0..1 */
    char *measure;      /* what is utilised */
} Headline;

/* Of Headline, in the order of a request's way. */
GArray *headlines_read(JsonNode *result);
/* ... with `bounds`, as the ends of a verdict, whether or not they are shown otherwise. */
GArray *headlines_with(JsonNode *result, const char *const *bounds);
/* Of what pressure.h has listed. */
GArray *headlines_of(const GPtrArray *list);

/* The columns that a study has of them, whatever machine: each once, with what is utilised. */
void headlines_visit_columns(void (*visit)(const char *column, const char *measure, void *user),
                             void *user);
