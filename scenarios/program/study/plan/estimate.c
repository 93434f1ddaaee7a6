#include "scenarios/program/study/plan/estimate.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/program/study/answers/spread.h"
#include "scenarios/program/study/points/point.h"

enum { PROBES_MAX = 32, POLL_US = 500 };

static G_NORETURN void simulate(const Manifest *manifest, const Point *point)
{
    const PointRequest request = {.manifest = manifest, .point = point};
    PointAnswer answer;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit((int)point_simulate(&request, &answer));
}

typedef enum { PROBE_DONE, PROBE_FAILED, PROBE_CUT_SHORT } Probe;

/* `end` is when the child is ended. */
static Probe wait_until(pid_t child, gint64 end)
{
    int state = 0;
    pid_t ended;
    while ((ended = waitpid(child, &state, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (g_get_monotonic_time() > end) {
            kill(child, SIGKILL);
            waitpid(child, &state, 0);
            return PROBE_CUT_SHORT;
        }
        g_usleep(POLL_US);
    }
    return WIFEXITED(state) && WEXITSTATUS(state) == STATUS_DONE ? PROBE_DONE : PROBE_FAILED;
}

static Probe probe(const Manifest *manifest, guint index, gint64 end)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) return PROBE_FAILED;
    if (child == 0) simulate(manifest, manifest->points->pdata[index]);
    return wait_until(child, end);
}

static void note(Estimate *estimate, double seconds)
{
    const guint before = estimate->probed++;
    estimate->least_s = before ? MIN(estimate->least_s, seconds) : seconds;
    estimate->most_s = MAX(estimate->most_s, seconds);
    estimate->mean_s = (estimate->mean_s * before + seconds) / (before + 1);
}

Estimate estimate_points(const Manifest *manifest, double seconds)
{
    const gint64 end = g_get_monotonic_time() + (gint64)(seconds * 1e6);
    const guint points = manifest->points->len, size = spread_size(points);
    Estimate estimate = {0};
    for (guint i = 0; i < MIN(size, PROBES_MAX) && g_get_monotonic_time() < end; i++) {
        const guint index = spread_index(i, size);
        if (index >= points) continue;
        const gint64 began = g_get_monotonic_time();
        const Probe outcome = probe(manifest, index, end);
        estimate.failed += outcome == PROBE_FAILED;
        estimate.cut_short |= outcome == PROBE_CUT_SHORT;
        if (outcome == PROBE_DONE) note(&estimate, (double)(g_get_monotonic_time() - began) / 1e6);
    }
    return estimate;
}
