#include "scenarios/program/run/side_by_side.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "scenarios/program/run/signals.h"

typedef struct {
    RunRequest *requests;
    VariantRun **runs;
    guint count, begun, running, visited;
    volatile unsigned *shown; /* NULL: there is no memory to share, so that all show their lines */
} Jobs;

static void *share_memory(gsize size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void jobs_clear(Jobs *jobs)
{
    for (guint i = 0; i < jobs->begun; i++) variant_run_free(jobs->runs[i]);
    g_free(jobs->runs);
    if (jobs->shown) munmap((void *)(uintptr_t)jobs->shown, sizeof *jobs->shown);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Jobs, jobs_clear)

static void begin(Jobs *jobs)
{
    RunRequest *request = &jobs->requests[jobs->begun];
    request->shown = jobs->shown;
    VariantRun *run = variant_run_start(request);
    jobs->runs[jobs->begun++] = run;
    if (variant_run_process(run)) jobs->running++;
}

/* Until the next one that runs has ended. */
static void wait_for_one(Jobs *jobs)
{
    int state = 0;
    pid_t ended;
    do ended = waitpid(-1, &state, 0);
    while (ended < 0 && errno == EINTR);
    for (guint i = jobs->visited; i < jobs->begun; i++) {
        if (variant_run_process(jobs->runs[i]) != ended) continue;
        variant_run_ended(jobs->runs[i], state);
        jobs->running--;
    }
}

static Status visit_next(Jobs *jobs, VariantVisit visit, void *user)
{
    const guint index = jobs->visited++;
    g_autoptr(GError) error = NULL;
    g_auto(RunAnswer) answer = {.result = NULL};
    const Status status = variant_run_finish(jobs->runs[index], &answer, &error);
    return visit(&jobs->requests[index], &answer, status, error, user);
}

/* After an interrupt one is begun only to say that it could not be. */
static bool may_begin(const Jobs *jobs, guint most)
{
    const bool outstanding = jobs->begun > jobs->visited;
    return jobs->begun < jobs->count && jobs->running < most
           && !(signals_interrupted() && outstanding);
}

/* The line of the first that is not done. */
static void show_first(Jobs *jobs)
{
    if (jobs->shown) *jobs->shown = jobs->visited + 1;
}

Status run_side_by_side(RunRequest *requests, guint count, guint most, VariantVisit visit,
                        void *user)
{
    g_auto(Jobs) jobs = {.requests = requests,
                         .runs = g_new0(VariantRun *, count),
                         .count = count,
                         .shown = share_memory(sizeof *jobs.shown)};
    Status status = STATUS_DONE;
    while (jobs.visited < count) {
        show_first(&jobs);
        while (status == STATUS_DONE && may_begin(&jobs, most)) begin(&jobs);
        if (jobs.visited == jobs.begun) break;
        if (variant_run_process(jobs.runs[jobs.visited])) {
            wait_for_one(&jobs);
            continue;
        }
        const Status own = visit_next(&jobs, visit, user);
        if (status == STATUS_DONE) status = own;
        if (own != STATUS_DONE && own != STATUS_INTERRUPTED) break;
    }
    return status;
}
