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

/* --- the child -------------------------------------------------------------------------------- */

/* In the order of RunAnswer. */
enum { FILE_RESULT, FILE_BRIEF, FILE_HOST, FILES };

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

/* Nothing is known of a run that ends before its first event. */
static Status report_early_end(const RunRequest *request)
{
    command_reject("%s: interrupted before its simulation began; it has no result",
                   request->variant->name);
    return STATUS_INTERRUPTED;
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

static Status build_and_simulate(const RunRequest *request, FILE *const files[FILES])
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Execution) execution =
        execution_new(request->scenario->title, request->variant, &error);
    if (!execution) return command_reject("%s", error->message);
    const Status status = simulate(request, execution, &error);
    const Run *run = execution_outcome(execution);
    if (error) {
        command_reject("%s: %s", request->variant->name, error->message);
        return status;
    }
    if (status == STATUS_INTERRUPTED && !run->report->end) return report_early_end(request);
    if (!write_result(run, RESULT_BRIEF, files[FILE_BRIEF], &error)
        || (request->whole && !write_result(run, RESULT_WHOLE, files[FILE_RESULT], &error)))
        return command_reject("%s", error->message);
    g_autofree char *host = execution_host_text(execution);
    write_text(files[FILE_HOST], host);
    return status;
}

/* --- the parent ------------------------------------------------------------------------------- */

static Status wait_for_child(const RunRequest *request, pid_t child)
{
    int state = 0;
    pid_t ended;
    do ended = waitpid(child, &state, 0);
    while (ended < 0 && errno == EINTR);
    signals_child_ended();
    if (WIFEXITED(state)) return (Status)WEXITSTATUS(state);
    command_reject("%s: the run was ended by signal %d", request->variant->name, WTERMSIG(state));
    return STATUS_FAILED;
}

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

static Status run_in_child(const RunRequest *request, FILE *const files[FILES])
{
    fflush(NULL);
    const pid_t child = signals_fork();
    if (child < 0) {
        command_reject("cannot start a process: %s", g_strerror(errno));
        return STATUS_FAILED;
    }
    if (child > 0) return wait_for_child(request, child);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const Status status = build_and_simulate(request, files);
    fflush(NULL);
    _exit((int)status); /* the parent's exit handlers are not the child's */
}

Status run_variant(const RunRequest *request, RunAnswer *answer)
{
    FILE *const files[FILES] = {tmpfile(), tmpfile(), tmpfile()};
    Status status = STATUS_FAILED;
    *answer = (RunAnswer){NULL, NULL, NULL};
    if (files[FILE_RESULT] && files[FILE_BRIEF] && files[FILE_HOST])
        status = signals_interrupted() ? report_early_end(request) : run_in_child(request, files);
    else
        command_reject("no temporary file: %s", g_strerror(errno));
    if (status == STATUS_DONE || status == STATUS_INTERRUPTED) {
        answer->result = read_back(files[FILE_RESULT]);
        answer->brief = read_back(files[FILE_BRIEF]);
        answer->host = read_back(files[FILE_HOST]);
    }
    for (unsigned i = 0; i < FILES; i++)
        if (files[i]) fclose(files[i]);
    return status;
}
