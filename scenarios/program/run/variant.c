#include "scenarios/program/run/variant.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/program/run/execution.h"
#include "scenarios/program/run/progress.h"
#include "scenarios/program/run/signals.h"
#include "scenarios/program/say/json_text.h"

/* Says why of the variant, and returns the status. */
static Status end_with(const RunRequest *request, Status status, const char *why, GError **error)
{
    g_set_error(error, RUN_ERROR, 0, "%s: %s", request->variant->name, why);
    return status;
}

/* Nothing is known of a run that ends before its first event. */
static Status end_early(const RunRequest *request, GError **error)
{
    return end_with(request, STATUS_INTERRUPTED,
                    "interrupted before its simulation began; it has no result", error);
}

/* --- the child -------------------------------------------------------------------------------- */

/* In the order of RunAnswer, and the message of an error. */
enum { FILE_RESULT, FILE_BRIEF, FILE_HOST, FILE_ERROR, FILES };

static void write_text(FILE *file, const char *text)
{
    fputs(text, file);
    fflush(file);
}

/* The last one: the process ends with its run, and taking a whole result to pieces would take time
 * for nothing. */
static JsonNode *held;

static bool write_result(const Run *run, ResultExtent extent, FILE *file, GError **error)
{
    g_clear_pointer(&held, json_node_unref);
    held = result_new(run, extent, error);
    if (!held) return false;
    g_autofree char *text = json_text(held);
    write_text(file, text);
    return true;
}

static Status simulate(const RunRequest *request, Execution *execution, GError **error)
{
    const Run *run = execution_outcome(execution);
    if (!request->whole) simulation_set_profile(machine_simulation(run->machine), false);
    g_autoptr(Progress) progress = progress_new(request, run->machine, run->launches);
    signals_attach(machine_simulation(run->machine), progress);
    const Status status = execution_run(execution, error);
    signals_attach(NULL, NULL);
    progress_end(progress);
    return status;
}

static Status build_and_simulate(const RunRequest *request, FILE *const files[FILES],
                                 GError **error)
{
    g_autoptr(Execution) execution =
        execution_new(request->scenario->title, request->variant, error);
    g_autoptr(GError) reason = NULL;
    if (!execution) return STATUS_BAD_INPUT;
    const Status status = simulate(request, execution, &reason);
    const Run *run = execution_outcome(execution);
    if (reason) return end_with(request, status, reason->message, error);
    if (status == STATUS_INTERRUPTED && !run->report->end) return end_early(request, error);
    if (!write_result(run, RESULT_BRIEF, files[FILE_BRIEF], error)
        || (request->whole && !write_result(run, RESULT_WHOLE, files[FILE_RESULT], error)))
        return STATUS_BAD_INPUT;
    g_autofree char *host = execution_host_text(execution);
    write_text(files[FILE_HOST], host);
    return status;
}

static Status run_here(const RunRequest *request, FILE *const files[FILES])
{
    g_autoptr(GError) error = NULL;
    const Status status = build_and_simulate(request, files, &error);
    if (error) write_text(files[FILE_ERROR], error->message);
    fflush(NULL);
    return status;
}

/* --- the parent ------------------------------------------------------------------------------- */

static char *read_back(FILE *file)
{
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    if (length <= 0) return NULL;
    rewind(file);
    char *text = g_malloc((gsize)length + 1);
    text[fread(text, 1, (size_t)length, file)] = '\0';
    return text;
}

static Status wait_for_child(const RunRequest *request, pid_t child, FILE *message, GError **error)
{
    int state = 0;
    pid_t ended;
    do ended = waitpid(child, &state, 0);
    while (ended < 0 && errno == EINTR);
    signals_child_ended();
    g_autofree char *said = read_back(message);
    if (said) g_set_error_literal(error, RUN_ERROR, 0, said);
    if (WIFEXITED(state)) return (Status)WEXITSTATUS(state);
    g_autofree char *why = g_strdup_printf("the run was ended by signal %d", WTERMSIG(state));
    g_clear_error(error);
    return end_with(request, STATUS_FAILED, why, error);
}

static Status run_in_child(const RunRequest *request, FILE *const files[FILES], GError **error)
{
    fflush(NULL);
    const pid_t child = signals_fork();
    if (child < 0) {
        g_set_error(error, RUN_ERROR, 0, "cannot start a process: %s", g_strerror(errno));
        return STATUS_FAILED;
    }
    if (child > 0) return wait_for_child(request, child, files[FILE_ERROR], error);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit((int)run_here(request, files)); /* the parent's exit handlers are not the child's */
}

static bool open_files(FILE *files[FILES], GError **error)
{
    for (unsigned i = 0; i < FILES; i++) {
        files[i] = tmpfile();
        if (files[i]) continue;
        g_set_error(error, RUN_ERROR, 0, "no temporary file: %s", g_strerror(errno));
        return false;
    }
    return true;
}

Status run_variant(const RunRequest *request, RunAnswer *answer, GError **error)
{
    FILE *files[FILES] = {NULL};
    Status status = STATUS_FAILED;
    *answer = (RunAnswer){NULL, NULL, NULL};
    if (open_files(files, error))
        status =
            signals_interrupted() ? end_early(request, error) : run_in_child(request, files, error);
    if (status == STATUS_DONE || status == STATUS_INTERRUPTED) {
        answer->result = read_back(files[FILE_RESULT]);
        answer->brief = read_back(files[FILE_BRIEF]);
        answer->host = read_back(files[FILE_HOST]);
    }
    for (unsigned i = 0; i < FILES; i++)
        if (files[i]) fclose(files[i]);
    return status;
}
