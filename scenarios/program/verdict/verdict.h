/* What bound a run: the resource at which its back-pressure begins. */
#pragma once

#include <json-glib/json-glib.h>

/* A resource that summaries and tables of studies show. */
typedef struct {
    char *name;         /* "DRAM bus" */
    char *column;       /* what a study calls its utilisation: "busy_dram_bus" */
    double utilisation; /* 0..1 */
    char *measure;      /* what is utilised */
} Resource;

/* The columns that a study has of them, whatever machine: each once, with what is utilised. */
void verdict_visit_columns(void (*visit)(const char *column, const char *measure, void *user),
                           void *user);

/* Of Resource, in the order of a request's way. */
GArray *verdict_resources(JsonNode *result);

/* What bound the run, in a word or two, newly allocated: a resource's name, or "latency".
 * `sentence` (may be NULL) says so in a line, newly allocated: "DRAM bus (dram_channel.bus): busy
 * 91 % of the time". */
char *verdict_bound(JsonNode *result, char **sentence);
char *verdict_sentence(JsonNode *result);

/* The resources that the sentence names as bounds, "mmu.tlb_ports": none, one or two close together. */
GStrv verdict_ends(JsonNode *result);

/* The perfect component that removes the bound; NULL: none is known. */
const char *verdict_component(JsonNode *result);

/* The way along which the pressure comes back, newly allocated: "sm.to_load_store 98 % > ... >
 * dram_channel.bus 91 %"; NULL: there is none. */
char *verdict_chain(JsonNode *result);
