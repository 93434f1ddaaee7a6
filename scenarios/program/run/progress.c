#include "scenarios/program/run/progress.h"

#include <signal.h>
#include <stdio.h>

#include "kit/traffic/traffic.h"
#include "scenarios/program/run/status_line.h"
#include "scenarios/program/say/table.h"

/* What counts as done: of traffic what has left its sources, instructions of chases, whose only CTA
 * says nothing, otherwise CTAs. */
typedef struct {
    StatMeaning kind;
    uint64_t total, done, last;
} Work;

struct Progress {
    const RunRequest *request;
    Machine *machine;
    Work work;
    gint64 began;
    bool shown;
    volatile sig_atomic_t line_requested;
};

static void count_work(Work *work, const GArray *launches)
{
    uint64_t ctas = 0, loads = 0;
    bool chases = true;
    for (guint i = 0; i < launches->len; i++) {
        const Kernel *kernel = g_array_index(launches, Launch, i).kernel;
        ctas += kernel->ctas;
        loads += kernel->dependent_loads * kernel_warps(kernel) * kernel->ctas;
        chases = chases && kernel->dependent_loads;
    }
    const Kernel *first = g_array_index(launches, Launch, 0).kernel;
    if (first->traffic) {
        *work = (Work){.kind = MEANS_TRAFFIC_MADE, .total = first->traffic->expected};
        return;
    }
    *work = chases ? (Work){.kind = MEANS_LOAD_INSTRUCTIONS, .total = loads}
                   : (Work){.kind = MEANS_CTAS, .total = ctas};
}

static uint64_t work_of(const Unit *unit, StatMeaning kind)
{
    uint64_t sum = 0;
    for (const Stat *stat = unit->class->stats; stat && stat->name; stat++)
        if (stat->means == kind)
            sum += *(const uint64_t *)(const void *)((const char *)unit + stat->offset);
    return sum;
}

/* Statistics begin anew with the region of interest, so that only their growth is counted. */
double progress_share(Progress *progress)
{
    Work *work = &progress->work;
    const Simulation *simulation = machine_simulation(progress->machine);
    uint64_t sum = 0;
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        sum += work_of(simulation_unit(simulation, i), work->kind);
    work->done += sum >= work->last ? sum - work->last : sum;
    work->last = sum;
    return work->total ? MIN(1, (double)work->done / (double)work->total) : 0;
}

static char *describe(Progress *progress, Time now)
{
    const double share = progress_share(progress);
    const double spent = (double)(g_get_monotonic_time() - progress->began) * 1e-6;
    g_autofree char *time = text_time(time_to_ns(now));
    g_autofree char *left =
        share > 0.01 ? g_strdup_printf(", %.0f s left", spent / share - spent) : g_strdup("");
    return g_strdup_printf("%s (%u of %u): %.0f %%, %s simulated%s",
                           progress->request->variant->name, progress->request->number,
                           progress->request->count, share * 100, time, left);
}

static bool shows_line(const RunRequest *request)
{
    return request->progress && (!request->shown || *request->shown == request->number);
}

static void look(void *user, Time now)
{
    Progress *progress = user;
    const bool shows = shows_line(progress->request);
    if (!shows && !progress->line_requested) return;
    g_autofree char *line = describe(progress, now);
    if (shows) status_line_show(line);
    if (progress->line_requested) fprintf(stderr, "%s%s\n", shows ? "\n" : "", line);
    progress->shown = shows;
    progress->line_requested = 0;
    fflush(stderr);
}

Progress *progress_new(const RunRequest *request, Machine *machine, const LaunchList *launches)
{
    Progress *progress = g_new0(Progress, 1);
    progress->request = request;
    progress->machine = machine;
    progress->began = g_get_monotonic_time();
    count_work(&progress->work, launches->launches);
    simulation_on_progress(machine_simulation(machine), look, progress);
    return progress;
}

void progress_free(Progress *progress)
{
    g_free(progress);
}

void progress_request_line(Progress *progress)
{
    progress->line_requested = 1;
}

void progress_end(Progress *progress)
{
    if (progress->shown) status_line_hide();
    progress->shown = false;
}
