#include "scenarios/program/study/points/pool.h"

#include <poll.h>
#include <sys/resource.h>
#include <time.h>

#include "kit/engine/simgrid/start.h"

enum { MEMORY_PERIOD_US = 100 * 1000, LONGEST_SLEEP_US = 500 * 1000, SUSPENDED_US = 1000 * 1000 };

typedef struct {
    Worker *worker;
    guint point;
    char *platform; /* of its process's points */
} Slot;

struct Pool {
    PoolSettings settings;
    Slot *slots;
    struct pollfd *polled;
    guint running;
    gint64 next_look;   /* at the resident memory */
    char *late, *large; /* messages of points over a limit */
};

/* Each process has three descriptors here; the soft limit is often 1,024. */
static void raise_limit_of_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

Pool *pool_new(const PoolSettings *settings, GError **error)
{
    Pool *pool = g_new0(Pool, 1);
    raise_limit_of_files();
    engine_prepare();
    pool->settings = *settings;
    pool->slots = g_new0(Slot, settings->processes);
    pool->polled = g_new0(struct pollfd, settings->processes);
    g_autofree char *time = limits_format_time(settings->limits.time_s);
    g_autofree char *memory = limits_format_memory(settings->limits.memory_bytes);
    pool->late = g_strdup_printf("over the time limit of %s", time);
    pool->large = g_strdup_printf("over the memory limit of %s", memory);
    for (guint i = 0; i < settings->processes; i++) {
        pool->slots[i].worker = worker_new(error);
        if (pool->slots[i].worker) continue;
        pool_free(pool);
        return NULL;
    }
    return pool;
}

static void slot_clear(Slot *slot)
{
    worker_free(slot->worker);
    g_free(slot->platform);
}

void pool_free(Pool *pool)
{
    if (!pool) return;
    for (guint i = 0; i < pool->settings.processes; i++) slot_clear(&pool->slots[i]);
    g_free(pool->slots);
    g_free(pool->polled);
    g_free(pool->late);
    g_free(pool->large);
    g_free(pool);
}

guint pool_running(const Pool *pool)
{
    return pool->running;
}

bool pool_is_full(const Pool *pool)
{
    return pool->running == pool->settings.processes;
}

/* A free one: where the point can follow another, else the first. */
static Slot *choose_slot(const Pool *pool, const char *platform)
{
    Slot *chosen = NULL;
    for (guint i = 0; i < pool->settings.processes; i++) {
        Slot *slot = &pool->slots[i];
        if (worker_runs(slot->worker)) continue;
        if (!g_strcmp0(slot->platform, platform)) return slot;
        if (!chosen) chosen = slot;
    }
    return chosen;
}

/* A process with another platform ends. */
static Slot *prepare_slot(Pool *pool, const Point *point)
{
    char *platform = point_platform(pool->settings.manifest, point);
    Slot *slot = choose_slot(pool, platform);
    if (g_strcmp0(slot->platform, platform)) worker_dismiss(slot->worker);
    g_free(slot->platform);
    slot->platform = platform;
    return slot;
}

bool pool_start(Pool *pool, guint point, GError **error)
{
    const PoolSettings *settings = &pool->settings;
    const PointRequest request = {.manifest = settings->manifest,
                                  .point = settings->manifest->points->pdata[point],
                                  .keep_result = settings->keep_results};
    Slot *slot = prepare_slot(pool, request.point);
    slot->point = point;
    if (!worker_start(slot->worker, settings->simulate, &request, error)) return false;
    pool->running++;
    return true;
}

/* --- waiting ---------------------------------------------------------------------------------- */

static gint64 deadline(const Pool *pool, const Slot *slot)
{
    return worker_began(slot->worker) + (gint64)(pool->settings.limits.time_s * 1e6);
}

/* When a limit must be looked at next; often, to see when nothing runs (forgive_suspension). */
static gint64 next_check(const Pool *pool)
{
    const PointLimits *limits = &pool->settings.limits;
    gint64 next = limits->memory_bytes > 0 ? pool->next_look : G_MAXINT64;
    if (limits->time_s > 0) next = MIN(next, g_get_monotonic_time() + LONGEST_SLEEP_US);
    for (guint i = 0; limits->time_s > 0 && i < pool->settings.processes; i++) {
        const Worker *worker = pool->slots[i].worker;
        if (worker_runs(worker) && !worker_is_killed(worker))
            next = MIN(next, deadline(pool, pool->slots + i));
    }
    return next;
}

/* Who wakes much too late was stopped, and the points with it, as by Ctrl-Z: not their time. */
static void forgive_suspension(Pool *pool, gint64 wanted)
{
    const gint64 late = g_get_monotonic_time() - wanted;
    if (late < SUSPENDED_US) return;
    for (guint i = 0; i < pool->settings.processes; i++)
        worker_forgive(pool->slots[i].worker, late);
}

/* As ppoll; a descriptor of -1 is passed over. */
static int sleep_until(Pool *pool, gint64 until, const sigset_t *mask)
{
    const gint64 now = g_get_monotonic_time();
    const gint64 left = MAX(0, until - now);
    const struct timespec time = {.tv_sec = left / 1000000, .tv_nsec = left % 1000000 * 1000};
    for (guint i = 0; i < pool->settings.processes; i++)
        pool->polled[i] =
            (struct pollfd){.fd = worker_descriptor(pool->slots[i].worker), .events = POLLIN};
    const int woken =
        ppoll(pool->polled, pool->settings.processes, until == G_MAXINT64 ? NULL : &time, mask);
    forgive_suspension(pool, MAX(until, now));
    return woken;
}

static void collect(Pool *pool, GArray *ends)
{
    for (guint i = 0; i < pool->settings.processes; i++) {
        if (!pool->polled[i].revents) continue;
        PoolEnd end = {.point = pool->slots[i].point};
        if (!worker_finish(pool->slots[i].worker, &end.end)) continue;
        pool->running--;
        g_array_append_val(ends, end);
    }
}

static void check_limits(Pool *pool)
{
    const PointLimits *limits = &pool->settings.limits;
    const gint64 now = g_get_monotonic_time();
    const bool look = limits->memory_bytes > 0 && now >= pool->next_look;
    if (look) pool->next_look = now + MEMORY_PERIOD_US;
    for (guint i = 0; i < pool->settings.processes; i++) {
        const Slot *slot = pool->slots + i;
        if (!worker_runs(slot->worker)) continue;
        if (limits->time_s > 0 && now >= deadline(pool, slot))
            worker_kill(slot->worker, POINT_TIMEOUT, pool->late);
        if (look && worker_memory(slot->worker) > limits->memory_bytes)
            worker_kill(slot->worker, POINT_MEMORY, pool->large);
    }
}

void pool_wait(Pool *pool, gint64 until, const sigset_t *mask, GArray *ends)
{
    while (pool->running) {
        const gint64 wake = MIN(until, next_check(pool));
        const int woken = sleep_until(pool, wake, mask);
        if (woken > 0) collect(pool, ends);
        check_limits(pool);
        if (woken || wake == until) return;
    }
}
