#include "scenarios/program/study/points/progress.h"

#include "scenarios/program/run/status_line.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/points/status.h"

struct RunProgress {
    const Manifest *manifest;
    const RecordSet *records;
    Shard shard;
    guint recorded; /* at the beginning */
    gint64 began, next;
    bool shown;
};

enum { PERIOD_US = G_USEC_PER_SEC / 2 };

RunProgress *run_progress_new(const Manifest *manifest, const RecordSet *records, Shard shard)
{
    RunProgress *progress = g_new0(RunProgress, 1);
    g_auto(StudyStatus) status = study_status(manifest, records, shard);
    *progress = (RunProgress){.manifest = manifest,
                              .records = records,
                              .shard = shard,
                              .recorded = status.points - status.missing,
                              .began = g_get_monotonic_time()};
    return progress;
}

void run_progress_free(RunProgress *progress)
{
    g_free(progress);
}

char *run_progress_describe(const RunProgress *progress, double seconds)
{
    g_auto(StudyStatus) status =
        study_status(progress->manifest, progress->records, progress->shard);
    const guint recorded = status.points - status.missing;
    const double rate = seconds > 0 ? (recorded - progress->recorded) / seconds : 0;
    g_autofree char *now = text_grouped(recorded, 0);
    g_autofree char *all = text_grouped(status.points, 0);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s of %s points", now, all);
    if (status.failed) {
        g_autofree char *failed = text_grouped(status.failed, 0);
        g_string_append_printf(text, ", %s failed", failed);
    }
    if (rate > 0) {
        g_autofree char *left = study_describe_time(status.missing / rate);
        g_autofree char *speed = text_grouped(rate, rate < 100 ? 1 : 0);
        g_string_append_printf(text, ", %s points/s, %s left", speed, left);
    }
    return g_string_free(text, FALSE);
}

static char *describe_now(const RunProgress *progress)
{
    return run_progress_describe(progress,
                                 (double)(g_get_monotonic_time() - progress->began) * 1e-6);
}

void run_progress_show(RunProgress *progress)
{
    const gint64 now = g_get_monotonic_time();
    if (now < progress->next) return;
    progress->next = now + PERIOD_US;
    g_autofree char *line = describe_now(progress);
    status_line_show(line);
    progress->shown = true;
}

void run_progress_print(RunProgress *progress)
{
    run_progress_hide(progress);
    g_autofree char *line = describe_now(progress);
    fprintf(stderr, "%s\n", line);
    fflush(stderr);
}

void run_progress_hide(RunProgress *progress)
{
    if (progress->shown) status_line_hide();
    progress->shown = false;
}
