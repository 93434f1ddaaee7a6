/* One variant, simulated in a process of its own: SimGrid can be started once a process. */
#pragma once

#include "scenarios/command.h"
#include "scenarios/scenario.h"

typedef struct {
    const Scenario *scenario;
    const Variant *variant;
    bool progress;          /* a line on stderr while it runs */
    unsigned number, count; /* "2 of 4" */
} RunRequest;

typedef struct {
    char *result, *brief, *host; /* texts of result.json, its brief form, and host.json */
} RunAnswer;

/* Prints what went wrong on stderr. An interrupted run has a (partial) result; where there is none,
 * the texts are NULL. */
Status run_variant(const RunRequest *request, RunAnswer *answer);
