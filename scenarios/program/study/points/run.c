#include "scenarios/program/study/points/run.h"

#include <unistd.h>

#include "kit/describe/output_file.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/points/progress.h"
#include "scenarios/program/study/records/outcome.h"

enum { SECOND = G_USEC_PER_SEC, LOOK = SECOND / 20 };

typedef struct {
    const StudyRunSettings *settings;
    RecordSet *records;
    StudyRunReport *report;
    PointQueue *queue;
    Pool *pool;
    SegmentWriter *segment;
    RunProgress *progress;
    GArray *ends;     /* of PoolEnd */
    guint8 *attempts; /* of each point */
    gint64 began, next_sync, next_update;
    bool unsynced;
} Runner;

void study_run_report_clear(StudyRunReport *report)
{
    g_clear_pointer(&report->segment, g_free);
}

/* --- signals ---------------------------------------------------------------------------------- */

static const int end_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* What the handler sees; one of each in a process. */
static struct {
    volatile sig_atomic_t ended, requested;
    sigset_t before; /* the mask */
} signals;

static void handle(int number)
{
    if (number == SIGUSR1)
        signals.requested = 1;
    else
        signals.ended = 1;
}

static void watch(int number, sigset_t *blocked)
{
    const struct sigaction action = {.sa_handler = handle};
    struct sigaction before;
    sigaddset(blocked, number);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void interrupts_watch(void)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    for (unsigned i = 0; i < G_N_ELEMENTS(end_signals); i++) watch(end_signals[i], &blocked);
    watch(SIGUSR1, &blocked);
    sigprocmask(SIG_BLOCK, &blocked, &signals.before);
}

const sigset_t *interrupts_mask(void)
{
    return &signals.before;
}

bool interrupts_came(void)
{
    return signals.ended;
}

bool interrupts_take_request(void)
{
    const bool requested = signals.requested;
    signals.requested = 0;
    return requested;
}

/* --- setting up ------------------------------------------------------------------------------- */

/* "shard-0-of-4" is a part of the segment's name. */
static SegmentWriter *create_segment(const StudyRunSettings *settings, GError **error)
{
    const Shard shard = settings->shard;
    g_autofree char *label = shard.count > 1
                                 ? g_strdup_printf("shard-%u-of-%u", shard.index, shard.count)
                                 : g_strdup("all");
    return segment_create(settings->directory, settings->pool.manifest, label, error);
}

/* Whether a segment could be written, before anything is simulated for it. */
static bool probe_folder(const char *directory, GError **error)
{
    g_autofree char *folder = segment_folder(directory);
    g_autofree char *path = g_build_filename(folder, ".probe", NULL);
    const int code = output_file_check(path);
    if (!code) return true;
    g_set_error(error, STUDY_ERROR, 0, "%s: records cannot be written there: %s", folder,
                g_strerror(code));
    return false;
}

/* Differs between processes that run at the same time, on one host or several. */
static guint32 find_seed(void)
{
    g_autofree char *text = g_strdup_printf("%s %d %" G_GINT64_FORMAT, g_get_host_name(),
                                            (int)getpid(), g_get_real_time());
    return g_str_hash(text);
}

static void runner_clear(Runner *runner)
{
    for (guint i = 0; runner->ends && i < runner->ends->len; i++)
        worker_end_clear(&g_array_index(runner->ends, PoolEnd, i).end);
    g_clear_pointer(&runner->ends, g_array_unref);
    g_clear_pointer(&runner->pool, pool_free);
    g_clear_pointer(&runner->queue, point_queue_free);
    g_clear_pointer(&runner->segment, segment_close);
    g_clear_pointer(&runner->progress, run_progress_free);
    g_free(runner->attempts);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Runner, runner_clear)

static bool runner_setup(Runner *runner, GError **error)
{
    const StudyRunSettings *settings = runner->settings;
    const Manifest *manifest = settings->pool.manifest;
    runner->segment = create_segment(settings, error);
    if (!runner->segment || !probe_folder(settings->directory, error)) return false;
    if (!record_set_update(runner->records, error)) return false;
    runner->queue = point_queue_new(manifest, settings->shard, find_seed());
    point_queue_drop(runner->queue, runner->records, settings->retry_failed);
    PoolSettings pool = settings->pool;
    pool.processes = CLAMP(point_queue_size(runner->queue), 1, pool.processes);
    runner->report->processes = pool.processes;
    result_columns(); /* here, and not in the process of each point */
    runner->pool = pool_new(&pool, error);
    if (!runner->pool) return false;
    runner->attempts = g_new0(guint8, manifest->points->len + 1);
    runner->ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    runner->began = g_get_monotonic_time();
    runner->next_update = runner->began + LOOK;
    runner->progress = run_progress_new(manifest, runner->records, settings->shard);
    return true;
}

/* --- starting points -------------------------------------------------------------------------- */

/* What others have recorded meanwhile: a point may take no more than some milliseconds. On a slow
 * file system it is looked at less often, so that it takes a twentieth of the time at most. */
static bool look_at_others(Runner *runner, GError **error)
{
    const gint64 begin = g_get_monotonic_time();
    if (begin < runner->next_update) return true;
    if (!record_set_update(runner->records, error)) return false;
    point_queue_drop(runner->queue, runner->records, runner->settings->retry_failed);
    const gint64 end = g_get_monotonic_time();
    runner->next_update = end + MAX(LOOK, 20 * (end - begin));
    return true;
}

static bool start_points(Runner *runner, GError **error)
{
    guint point;
    while (!pool_is_full(runner->pool)) {
        if (!look_at_others(runner, error)) return false;
        if (!point_queue_take(runner->queue, &point)) return true;
        if (!pool_start(runner->pool, point, error)) return false;
    }
    return true;
}

/* --- ends of points --------------------------------------------------------------------------- */

static bool keep_result(const Runner *runner, const char *key, const WorkerEnd *end, GError **error)
{
    if (!end->result || !end->host) return true;
    g_autofree char *folder = g_build_filename(runner->settings->directory, "results", key, NULL);
    return result_prepare_directory(folder, error)
           && result_write(folder, end->result, end->host, error);
}

/* A point that is tried again is not recorded yet. */
static bool retry(Runner *runner, const PoolEnd *ended, bool *again, GError **error)
{
    const bool final = point_status_is_final(ended->end.status);
    *again = !final && runner->attempts[ended->point] < runner->settings->retries;
    if (!*again) return true;
    runner->attempts[ended->point]++;
    return pool_start(runner->pool, ended->point, error);
}

/* The payload, newly allocated; of a point that was tried in vain it says how often. */
static char *describe_attempts(const Runner *runner, const PoolEnd *ended)
{
    const guint attempts = runner->attempts[ended->point] + 1u;
    if (attempts == 1 || point_status_is_final(ended->end.status))
        return g_strdup(ended->end.payload);
    return g_strdup_printf("%s, the last of %u attempts", ended->end.payload, attempts);
}

static bool record_end(Runner *runner, const PoolEnd *ended, GError **error)
{
    const Point *point = runner->settings->pool.manifest->points->pdata[ended->point];
    g_autofree char *payload = describe_attempts(runner, ended);
    Record record = {.status = ended->end.status, .payload = payload, .host = ended->end.cost};
    g_strlcpy(record.key, point->key, sizeof record.key);
    if (!keep_result(runner, point->key, &ended->end, error)) return false;
    if (!segment_append(runner->segment, &record, error)) return false;
    record_set_add(runner->records, &record);
    runner->unsynced = true;
    runner->report->simulated++;
    if (record.status != POINT_DONE && runner->settings->fail_fast) runner->report->stopped = true;
    return true;
}

static bool take_ends(Runner *runner, GError **error)
{
    bool good = true, again;
    for (guint i = 0; good && i < runner->ends->len; i++) {
        const PoolEnd *ended = &g_array_index(runner->ends, PoolEnd, i);
        good = retry(runner, ended, &again, error);
        if (good && !again) good = record_end(runner, ended, error);
    }
    for (guint i = 0; i < runner->ends->len; i++)
        worker_end_clear(&g_array_index(runner->ends, PoolEnd, i).end);
    g_array_set_size(runner->ends, 0);
    return good;
}

static bool sync_segment(Runner *runner, bool last, GError **error)
{
    const gint64 now = g_get_monotonic_time();
    if (!runner->unsynced || (!last && now < runner->next_sync)) return true;
    runner->unsynced = false;
    runner->next_sync = now + SECOND;
    return segment_sync(runner->segment, error);
}

/* --- the loop --------------------------------------------------------------------------------- */

static void report_progress(Runner *runner)
{
    if (interrupts_take_request()) run_progress_print(runner->progress);
    if (runner->settings->progress) run_progress_show(runner->progress);
}

static gint64 next_duty(const Runner *runner)
{
    const gint64 sync = runner->unsynced ? runner->next_sync : G_MAXINT64;
    return runner->settings->progress ? MIN(sync, g_get_monotonic_time() + SECOND / 2) : sync;
}

static bool run_points(Runner *runner, GError **error)
{
    const StudyRunReport *report = runner->report;
    while (!report->stopped && !interrupts_came()) {
        if (!start_points(runner, error)) return false;
        if (!pool_running(runner->pool)) return true;
        pool_wait(runner->pool, next_duty(runner), interrupts_mask(), runner->ends);
        if (!take_ends(runner, error) || !sync_segment(runner, false, error)) return false;
        report_progress(runner);
    }
    runner->report->interrupted = interrupts_came();
    return true;
}

bool study_run(const StudyRunSettings *settings, RecordSet *records, StudyRunReport *report,
               GError **error)
{
    g_auto(Runner) runner = {.settings = settings, .records = records, .report = report};
    *report = (StudyRunReport){0};
    if (!runner_setup(&runner, error)) return false;
    interrupts_watch();
    bool good = run_points(&runner, error);
    g_clear_pointer(&runner.pool, pool_free);
    run_progress_hide(runner.progress);
    good = sync_segment(&runner, true, good ? error : NULL) && good;
    report->wall_s = (double)(g_get_monotonic_time() - runner.began) * 1e-6;
    report->segment = g_strdup(segment_name(runner.segment));
    return good && record_set_update(records, error);
}
