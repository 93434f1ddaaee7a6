/* One variant, simulated in a process of its own: SimGrid can be started once a process. */
#pragma once

#include "scenarios/program/complain.h"
#include "scenarios/program/language/scenario.h"

typedef struct {
    const Scenario *scenario;
    const Variant *variant;
    bool whole;             /* result.json is wanted, and not only its brief form */
    bool progress;          /* a line on stderr while it runs */
    unsigned number, count; /* "2 of 4" */
} RunRequest;

typedef struct {
    /* texts of result.json (NULL where it is not wanted), its brief form, and host.json */
    char *result, *brief, *host;
} RunAnswer;

#define RUN_ERROR (g_quark_from_static_string("warpmem-run"))

/* The error, if any, says what the status is about. An interrupted run has a (partial) result;
 * where there is none, the texts are NULL and the error says so. */
Status run_variant(const RunRequest *request, RunAnswer *answer, GError **error);
