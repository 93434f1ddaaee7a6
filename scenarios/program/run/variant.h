/* One variant, simulated in a process of its own: SimGrid can be started once a process. */
#pragma once

#include <glib.h>
#include <sys/types.h>

#include "scenarios/program/complain.h"
#include "scenarios/program/language/scenario.h"

typedef struct {
    const Scenario *scenario;
    const Variant *variant;
    bool whole, brief;      /* result.json is wanted, or its brief form, which is printed */
    bool progress;          /* a line on stderr while it runs */
    unsigned number, count; /* "2 of 4" */
    /* Of several that run at once the number of the one whose line is shown, in memory that they
     * share; NULL: it runs alone. */
    const volatile unsigned *shown;
} RunRequest;

typedef struct {
    /* texts of result.json, its brief form, both NULL where it is not wanted, and host.json */
    const char *result, *brief, *host;
    GMappedFile *mapped[3]; /* where they are */
} RunAnswer;

void run_answer_clear(RunAnswer *answer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunAnswer, run_answer_clear)

#define RUN_ERROR (g_quark_from_static_string("warpmem-run"))

/* A variant that is being simulated. */
typedef struct VariantRun VariantRun;

/* The request must outlive it. One that cannot be started has ended; finishing it says why. */
VariantRun *variant_run_start(const RunRequest *request);
/* What runs is killed. */
void variant_run_free(VariantRun *run);

pid_t variant_run_process(const VariantRun *run);   /* 0: it has ended */
void variant_run_ended(VariantRun *run, int state); /* as waitpid says it */

/* When it has ended. The error, if any, says what the status is about. An interrupted run has a
 * (partial) result; where there is none, the texts are NULL and the error says so. */
Status variant_run_finish(VariantRun *run, RunAnswer *answer, GError **error);

/* All of it, for one alone. */
Status run_variant(const RunRequest *request, RunAnswer *answer, GError **error);
