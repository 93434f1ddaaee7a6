#include "scenarios/run_variant.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/json_text.h"
#include "scenarios/progress.h"
#include "scenarios/result.h"
#include "scenarios/signals.h"

/* --- the child -------------------------------------------------------------------------------- */

static void write_text(FILE *file, JsonNode *node)
{
    g_autofree char *text = json_text(node);
    fputs(text, file);
    fflush(file);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static HostCost measure_cost(gint64 began)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (HostCost){
        .wall_s = (double)(g_get_monotonic_time() - began) / 1e6,
        .cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime),
        .peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024,
    };
}

static Status report_outcome(const RunRequest *request, Machine *machine, RunOutcome outcome,
                             const GError *error)
{
    const char *variant = request->variant->name;
    switch (outcome) {
    case RUN_FINISHED: return STATUS_DONE;
    case RUN_INTERRUPTED: return STATUS_INTERRUPTED;
    case RUN_BAD_INPUT:
        return command_reject("%s: %s", variant, error ? error->message : "the input is broken");
    case RUN_FAILED:
        command_reject("%s: the run failed: %s", variant, error ? error->message : "?");
        break;
    case RUN_DEADLOCK: {
        g_autofree char *cycle = simulation_describe_deadlock(machine_simulation(machine));
        command_reject("%s: deadlock: %s", variant, cycle);
        break;
    }
    }
    return STATUS_FAILED;
}

typedef struct {
    const RunRequest *request;
    FILE *const *files; /* result, host */
    gint64 began;
    const LaunchList *launches; /* the machine's */
} Child;

/* Nothing is known of a run that ends before its first event. */
static Status report_early_end(const RunRequest *request)
{
    command_reject("%s: interrupted before its simulation began; it has no result",
                   request->variant->name);
    return STATUS_INTERRUPTED;
}

static Status finish(const Child *child, Machine *machine, const RunReport *report)
{
    const RunRequest *request = child->request;
    const Run run = {request->scenario->title,
                     request->variant->name,
                     request->variant->configuration,
                     machine,
                     report,
                     child->launches};
    if (report->outcome == RUN_INTERRUPTED && !report->end) return report_early_end(request);
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) result = result_new(&run, &error);
    if (!result) return command_reject("%s", error->message);
    write_text(child->files[0], result);
    const HostCost cost = measure_cost(child->began);
    g_autoptr(JsonNode) host = result_host(&run, &cost);
    write_text(child->files[1], host);
    return report->outcome == RUN_INTERRUPTED ? STATUS_INTERRUPTED : STATUS_DONE;
}

static Status simulate(const Child *child, Machine *machine)
{
    RunReport report = {0};
    g_autoptr(GError) error = NULL;
    g_autoptr(Progress) progress = progress_new(child->request, machine, child->launches);
    signals_attach(machine_simulation(machine), progress);
    const bool good = machine_run(machine, &report, &error);
    signals_attach(NULL, NULL);
    progress_end(progress);
    if (!good && report.outcome != RUN_BAD_INPUT) report.outcome = RUN_FAILED;
    const Status status = report_outcome(child->request, machine, report.outcome, error);
    return status == STATUS_DONE || status == STATUS_INTERRUPTED ? finish(child, machine, &report)
                                                                 : status;
}

static Status build_and_simulate(const RunRequest *request, FILE *const files[2])
{
    Child child = {request, files, g_get_monotonic_time(), NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = variant_machine_configuration(request->variant);
    LaunchList *launches = variant_build_launches(request->variant, &error);
    g_autoptr(Machine) machine = launches ? machine_new(configuration, launches, &error) : NULL;
    if (!machine) return command_reject("%s", error->message);
    child.launches = launches;
    return simulate(&child, machine);
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

static Status run_in_child(const RunRequest *request, FILE *const files[2])
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
    *answer = (RunAnswer){NULL, NULL};
    FILE *const files[2] = {tmpfile(), tmpfile()};
    Status status = STATUS_FAILED;
    if (files[0] && files[1])
        status = signals_interrupted() ? report_early_end(request) : run_in_child(request, files);
    else
        command_reject("no temporary file: %s", g_strerror(errno));
    if (status == STATUS_DONE || status == STATUS_INTERRUPTED) {
        answer->result = files[0] ? read_back(files[0]) : NULL;
        answer->host = files[1] ? read_back(files[1]) : NULL;
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(files); i++)
        if (files[i]) fclose(files[i]);
    return status;
}
