#include "scenarios/program/run/variant.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/program/result/kernels.h"
#include "scenarios/program/run/brief.h"
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

/* With the string's end, so that it is a string where the parent maps it. */
static void write_text(FILE *file, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, file);
    fflush(file);
}

/* The process ends with its run: taking these to pieces would take time for nothing. */
static struct {
    Execution *execution;
    JsonNode *kernels;
    char *text;
} held;

static bool write_whole(const Run *run, FILE *file, GError **error)
{
    held.text = result_text_new(run, RESULT_WHOLE, held.kernels, error);
    if (held.text) write_text(file, held.text);
    return held.text;
}

/* Where variants are compared the reason may be one kernel's, which all of it tells. */
static JsonNode *kernels_to_print(const RunRequest *request)
{
    if (request->count < 2 || !held.kernels) return brief_kernels_new(held.kernels);
    return json_node_ref(held.kernels);
}

static bool write_brief(const RunRequest *request, const Run *run, FILE *file, GError **error)
{
    g_autoptr(JsonNode) kernels = kernels_to_print(request);
    g_autofree char *text = result_text_new(run, RESULT_BRIEF, kernels, error);
    if (text) write_text(file, text);
    return text;
}

static Status simulate(const RunRequest *request, Execution *execution, GError **error)
{
    const Run *run = execution_outcome(execution);
    Simulation *simulation = machine_simulation(run->machine);
    if (!request->whole && simulation_collects(simulation) == COLLECT_ALL)
        simulation_set_profile(simulation, COLLECT_SUMS);
    g_autoptr(Progress) progress = progress_new(request, run->machine, run->launches);
    signals_attach(simulation, progress);
    const Status status = execution_run(execution, error);
    signals_attach(NULL, NULL);
    progress_end(progress);
    return status;
}

static guint place_of(const RunRequest *request)
{
    guint place = 0;
    g_ptr_array_find(request->scenario->variants, request->variant, &place);
    return place;
}

static Status build_and_simulate(const RunRequest *request, FILE *const files[FILES],
                                 GError **error)
{
    const RunName name = {request->scenario->title, request->scenario->file, place_of(request)};
    g_autoptr(GError) reason = NULL;
    held.execution = execution_new(&name, request->variant, error);
    if (!held.execution) return STATUS_BAD_INPUT;
    const Status status = simulate(request, held.execution, &reason);
    const Run *run = execution_outcome(held.execution);
    if (reason) return end_with(request, status, reason->message, error);
    if (status == STATUS_INTERRUPTED && !run->report->end) return end_early(request, error);
    held.kernels = result_kernels(run, request->whole ? RESULT_WHOLE : RESULT_BRIEF);
    if ((request->brief && !write_brief(request, run, files[FILE_BRIEF], error))
        || (request->whole && !write_whole(run, files[FILE_RESULT], error)))
        return STATUS_BAD_INPUT;
    g_autofree char *host = execution_host_text(held.execution);
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

struct VariantRun {
    const RunRequest *request;
    FILE *files[FILES];
    pid_t process;
    Status status;
    GError *error;
};

/* NULL: nothing was written, or not all of it. */
static const char *text_of(FILE *file, GMappedFile **mapped)
{
    *mapped = g_mapped_file_new_from_fd(fileno(file), FALSE, NULL);
    const gsize length = *mapped ? g_mapped_file_get_length(*mapped) : 0;
    const char *text = length ? g_mapped_file_get_contents(*mapped) : NULL;
    return text && !text[length - 1] ? text : NULL;
}

void run_answer_clear(RunAnswer *answer)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(answer->mapped); i++)
        g_clear_pointer(&answer->mapped[i], g_mapped_file_unref);
}

static Status start_child(VariantRun *run)
{
    fflush(NULL);
    const pid_t child = signals_fork();
    if (child < 0) {
        g_set_error(&run->error, RUN_ERROR, 0, "cannot start a process: %s", g_strerror(errno));
        return STATUS_FAILED;
    }
    if (!child) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        /* the parent's exit handlers are not the child's */
        _exit((int)run_here(run->request, run->files));
    }
    run->process = child;
    return STATUS_DONE;
}

static bool open_files(VariantRun *run)
{
    for (unsigned i = 0; i < FILES; i++) {
        run->files[i] = tmpfile();
        if (run->files[i]) continue;
        g_set_error(&run->error, RUN_ERROR, 0, "no temporary file: %s", g_strerror(errno));
        return false;
    }
    return true;
}

VariantRun *variant_run_start(const RunRequest *request)
{
    VariantRun *run = g_new0(VariantRun, 1);
    run->request = request;
    run->status = STATUS_FAILED;
    if (open_files(run))
        run->status = signals_interrupted() ? end_early(request, &run->error) : start_child(run);
    return run;
}

void variant_run_free(VariantRun *run)
{
    if (!run) return;
    if (run->process) {
        kill(run->process, SIGKILL);
        while (waitpid(run->process, NULL, 0) < 0 && errno == EINTR) continue;
        signals_child_ended(run->process);
    }
    for (unsigned i = 0; i < FILES; i++)
        if (run->files[i]) fclose(run->files[i]);
    g_clear_error(&run->error);
    g_free(run);
}

pid_t variant_run_process(const VariantRun *run)
{
    return run->process;
}

void variant_run_ended(VariantRun *run, int state)
{
    signals_child_ended(run->process);
    run->process = 0;
    if (WIFEXITED(state)) {
        g_autoptr(GMappedFile) mapped = NULL;
        const char *said = text_of(run->files[FILE_ERROR], &mapped);
        if (said) g_set_error_literal(&run->error, RUN_ERROR, 0, said);
        run->status = (Status)WEXITSTATUS(state);
        return;
    }
    g_autofree char *why = g_strdup_printf("the run was ended by signal %d", WTERMSIG(state));
    run->status = end_with(run->request, STATUS_FAILED, why, &run->error);
}

static bool is_complete(const RunRequest *request, const RunAnswer *answer)
{
    return answer->host && (answer->result || !request->whole)
           && (answer->brief || !request->brief);
}

Status variant_run_finish(VariantRun *run, RunAnswer *answer, GError **error)
{
    *answer = (RunAnswer){.result = NULL};
    if (run->status == STATUS_DONE || run->status == STATUS_INTERRUPTED) {
        answer->result = text_of(run->files[FILE_RESULT], &answer->mapped[FILE_RESULT]);
        answer->brief = text_of(run->files[FILE_BRIEF], &answer->mapped[FILE_BRIEF]);
        answer->host = text_of(run->files[FILE_HOST], &answer->mapped[FILE_HOST]);
        if (!run->error && !is_complete(run->request, answer))
            run->status =
                end_with(run->request, STATUS_FAILED,
                         "there is no room for its result among temporary files", &run->error);
    }
    if (run->error) g_propagate_error(error, g_steal_pointer(&run->error));
    return run->status;
}

Status run_variant(const RunRequest *request, RunAnswer *answer, GError **error)
{
    VariantRun *run = variant_run_start(request);
    int state = 0;
    while (run->process && waitpid(run->process, &state, 0) < 0 && errno == EINTR) continue;
    if (run->process) variant_run_ended(run, state);
    const Status status = variant_run_finish(run, answer, error);
    variant_run_free(run);
    return status;
}
