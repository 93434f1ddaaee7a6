#include "scenarios/program/study/points/summary.h"

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

enum { SHOWN_FAILURES = 5 };

/* Whether running failed points again may help. */
static bool may_end_otherwise(const StudyStatus *status)
{
    return status->by_status[POINT_TIMEOUT] || status->by_status[POINT_MEMORY]
           || status->by_status[POINT_KILLED];
}

static bool keeps_results(const StudyRunSettings *settings)
{
    g_autofree char *folder = g_build_filename(settings->directory, "results", NULL);
    return settings->pool.keep_results || g_file_test(folder, G_FILE_TEST_IS_DIR);
}

char *study_next_command(const StudyRunSettings *settings, const StudyStatus *status)
{
    const Shard shard = settings->shard;
    g_autofree char *folder = text_shell_word(settings->directory);
    g_autofree char *part = shard.count > 1
                                ? g_strdup_printf(" --shard %u/%u", shard.index, shard.count)
                                : g_strdup("");
    if (status->missing || may_end_otherwise(status))
        return g_strdup_printf("warpmem study run %s%s%s%s", folder, part,
                               status->missing ? "" : " --retry-failed",
                               keeps_results(settings) ? " --keep-results" : "");
    if (shard.count > 1) return g_strdup_printf("warpmem study status %s", folder);
    return g_strdup_printf("warpmem report %s", folder);
}

static void print_row(FILE *out, const char *name, const char *text)
{
    fprintf(out, "  %-9s%s\n", name, text);
}

static void print_count(FILE *out, const char *name, guint count)
{
    g_autofree char *text = text_grouped(count, 0);
    print_row(out, name, text);
}

static void print_time(const RunSummary *summary, FILE *out)
{
    const StudyRunReport *report = summary->report;
    g_autofree char *time = study_describe_time(report->wall_s);
    g_autofree char *count = text_grouped(report->simulated, 0);
    g_autofree char *rate =
        text_grouped(report->simulated / MAX(report->wall_s, 1e-6), report->simulated < 100);
    g_autofree char *text =
        report->simulated
            ? g_strdup_printf("%s for %s point%s, %s points/s, %u at a time", time, count,
                              report->simulated == 1 ? "" : "s", rate, report->processes)
            : g_strdup(summary->status->missing ? "no point was done"
                                                : "nothing was left to simulate");
    print_row(out, "time", text);
}

void run_summary_print_failures(const RunSummary *summary, FILE *out)
{
    study_print_failures(summary->manifest, summary->status, SHOWN_FAILURES, out);
}

void run_summary_print(const RunSummary *summary, FILE *out)
{
    const StudyRunSettings *settings = summary->settings;
    const StudyStatus *status = summary->status;
    const char *title = summary->manifest->title;
    fprintf(out, "%s\n", title && *title ? title : settings->directory);
    if (settings->shard.count > 1)
        fprintf(out, "  %-9s%u/%u\n", "shard", settings->shard.index, settings->shard.count);
    print_count(out, "points", status->points);
    print_count(out, "done", status->by_status[POINT_DONE]);
    print_count(out, "failed", status->failed);
    run_summary_print_failures(summary, out);
    if (status->missing) print_count(out, "missing", status->missing);
    print_time(summary, out);
    g_autofree char *next = study_next_command(settings, status);
    print_row(out, "next", next);
}

void run_summary_print_json(const RunSummary *summary, FILE *out)
{
    const StudyRunSettings *settings = summary->settings;
    g_autoptr(JsonBuilder) json = json_builder_new();
    g_autofree char *shard = g_strdup_printf("%u/%u", settings->shard.index, settings->shard.count);
    g_autofree char *next = study_next_command(settings, summary->status);
    json_builder_begin_object(json);
    json_put_text(json, "study", settings->directory);
    json_put_text(json, "shard", shard);
    study_put_status(json, summary->manifest, summary->status);
    json_put_number(json, "simulated", summary->report->simulated);
    json_put_real(json, "wall_s", summary->report->wall_s);
    json_put_bool(json, "interrupted", summary->report->interrupted);
    json_put_text(json, "next", next);
    json_builder_end_object(json);
    json_print(json, out);
}
