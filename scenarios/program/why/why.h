/* What `why` says, as JSON, from which every view of it is made: text, and a section of a
 * report. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "scenarios/program/why/layers.h"

/* Layers of a variant that have been asked, and its launches. */
JsonNode *why_json(const Layers *layers, const Scenario *scenario, const Variant *variant,
                   const LaunchList *launches);

/* How to ask or try again: "gather.ini --variant a100 --set l1.ways=8", without what a layer adds. */
typedef struct {
    const char *words; /* of a shell, after the command */
    gboolean details;  /* everything that was tried */
} WhyPrint;
void why_print(JsonNode *why, const WhyPrint *print, FILE *out);

/* The layers of `why` in a line: "issue 3.6 % (issue and l1_bandwidth together 82.9 %), then
 * l1_bandwidth 82.2 %"; NULL: nothing bounds it. Newly allocated, as all texts are. */
char *why_sentence(JsonNode *why);
/* Of a layer what was strained: "ports of the L2 TLB (mmu.ports), 100 % busy"; NULL: nothing. */
char *why_part(JsonNode *layer);
/* What gains more together: "l1_bandwidth and issue together 65.2 %"; NULL: nothing. */
char *why_together(JsonNode *layer);
/* Of a layer the step that gains most, borrowed; NULL: none gains enough. */
JsonNode *why_best_step(JsonNode *layer);
/* "l1.ways 4 -> 8" */
char *why_step_words(JsonNode *step);
/* " --set a=1 --set b=2" of a member that is an array of settings. */
char *why_sets(JsonNode *node, const char *member);
