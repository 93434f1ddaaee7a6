/* One run, from a variant to its result, in the calling process. SimGrid can be started once a
 * process, so a process has one, or several one after the other on the same platform. */
#pragma once

#include "scenarios/program/complain.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/result/result.h"

#define EXECUTION_ERROR (g_quark_from_static_string("warpmem-execution"))

typedef struct Execution Execution;

/* Builds the machine and the launches; the name's texts and the variant must outlive the execution.
 * NULL with an error that is the user's. */
Execution *execution_new(const RunName *name, const Variant *variant, GError **error);
void execution_free(Execution *execution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Execution, execution_free)

/* STATUS_DONE or STATUS_INTERRUPTED; else with an error: STATUS_BAD_INPUT, or STATUS_FAILED for a
 * deadlock or a broken invariant. */
Status execution_run(Execution *execution, GError **error);

/* Whether SimGrid is as the run has found it: another one on the same platform can follow. */
bool execution_leaves_engine(const Execution *execution);

/* Processor time of the host that execution_run took. */
double execution_seconds(const Execution *execution);

/* Complete after execution_run. */
const Run *execution_outcome(const Execution *execution);

/* The text of host.json: what has been spent since execution_new. */
char *execution_host_text(const Execution *execution);
