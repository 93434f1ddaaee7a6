/* warpmem study status */
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/cluster/cluster.h"
#include "scenarios/program/study/points/summary.h"
#include "scenarios/program/study/verbs/verbs.h"

enum { SHOWN_FAILURES = 20, MOST_SHARDS = 100000 };

typedef struct {
    gint shards;
    gboolean json;
} Options;

typedef struct {
    const char *directory;
    const Manifest *manifest;
    const RecordSet *records;
    const StudyStatus *status;
    RecordTotals totals;
    gint64 now; /* s of the epoch */
    guint shards;
} Report;

/* Of one process; < 0: nothing is recorded to tell from. */
static double work_left(const Report *report)
{
    const RecordTotals *totals = &report->totals;
    return totals->records ? report->status->missing * totals->wall_s / totals->records : -1;
}

/* --- text ------------------------------------------------------------------------------------- */

static void print_counts(const Report *report)
{
    const StudyStatus *status = report->status;
    g_autoptr(Table) table = table_new();
    const struct {
        const char *name;
        guint count;
    } rows[] = {{"points", status->points},
                {"done", status->by_status[POINT_DONE]},
                {"failed", status->failed},
                {"missing", status->missing}};
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *count = text_grouped(rows[i].count, 0);
        table_row(table);
        table_cell(table, "%s", rows[i].name);
        table_cell(table, "%s", count);
    }
    table_print(table, stdout);
}

static void print_shards(const Report *report)
{
    g_autoptr(Table) table = table_new();
    static const char *const heads[] = {"shard", "points", "done", "failed", "missing"};
    table_row(table);
    for (unsigned i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
    for (guint k = 0; k < report->shards; k++) {
        const Shard shard = {k, report->shards};
        g_auto(StudyStatus) status = study_status(report->manifest, report->records, shard);
        table_row(table);
        table_cell(table, "%u/%u", k, report->shards);
        table_cell(table, "%u", status.points);
        table_cell(table, "%u", status.by_status[POINT_DONE]);
        table_cell(table, "%u", status.failed);
        table_cell(table, "%u", status.missing);
    }
    printf("\n");
    table_print(table, stdout);
    printf("\n");
}

static void print_activity(const Report *report)
{
    const RecordTotals *totals = &report->totals;
    if (!totals->last_write) {
        printf("  nothing is recorded yet\n");
        return;
    }
    g_autofree char *age = study_describe_time((double)(report->now - totals->last_write));
    printf("  last written %s ago, in %u segment%s\n", age, totals->segments,
           totals->segments == 1 ? "" : "s");
    const double work = work_left(report);
    if (!report->status->missing || work < 0) return;
    if (totals->rate > 0) {
        g_autofree char *left = study_describe_time(report->status->missing / totals->rate);
        g_autofree char *rate = text_grouped(totals->rate, totals->rate < 100 ? 2 : 0);
        printf("  running: %s points/s, %s left\n", rate, left);
        return;
    }
    g_autofree char *left = study_describe_time(work);
    printf("  not running; what is missing takes one process %s\n", left);
}

static void print_damage(const RecordTotals *totals)
{
    if (totals->torn)
        printf("  %u segment%s with an incomplete last line: being written, or its writer was "
               "killed; the line does not count\n",
               totals->torn, totals->torn == 1 ? " ends" : "s end");
    if (totals->damaged)
        printf("  %u damaged line%s in segments, left out; the points are run again\n",
               totals->damaged, totals->damaged == 1 ? "" : "s");
}

static void print_text(const Report *report)
{
    const char *title = report->manifest->title;
    const StudyRunSettings all = {.directory = report->directory, .shard = {0, 1}};
    printf("%s\n", title && *title ? title : report->directory);
    print_counts(report);
    study_print_failures(report->manifest, report->status, SHOWN_FAILURES, stdout);
    if (report->shards > 1) print_shards(report);
    print_activity(report);
    print_damage(&report->totals);
    g_autofree char *jobs = slurm_describe_jobs(report->directory);
    if (jobs) printf("  %s\n", jobs);
    g_autofree char *next = study_next_command(&all, report->status);
    printf("  next: %s\n", next);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_shards(JsonBuilder *json, const Report *report)
{
    json_builder_set_member_name(json, "shards");
    json_builder_begin_array(json);
    for (guint k = 0; k < report->shards; k++) {
        const Shard shard = {k, report->shards};
        g_auto(StudyStatus) status = study_status(report->manifest, report->records, shard);
        json_builder_begin_object(json);
        json_put_number(json, "shard", k);
        json_put_number(json, "points", status.points);
        json_put_number(json, "done", status.by_status[POINT_DONE]);
        json_put_number(json, "failed", status.failed);
        json_put_number(json, "missing", status.missing);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void print_json(const Report *report)
{
    const RecordTotals *totals = &report->totals;
    const StudyRunSettings all = {.directory = report->directory, .shard = {0, 1}};
    g_autoptr(JsonBuilder) json = json_builder_new();
    g_autofree char *next = study_next_command(&all, report->status);
    json_builder_begin_object(json);
    json_put_text(json, "study", report->directory);
    study_put_status(json, report->manifest, report->status);
    if (report->shards > 1) put_shards(json, report);
    json_put_number(json, "segments", totals->segments);
    json_put_number(json, "records", totals->records);
    json_put_number(json, "torn_lines", totals->torn);
    json_put_number(json, "damaged_lines", totals->damaged);
    json_put_number(json, "last_write_s", (guint64)totals->last_write);
    json_put_real(json, "points_per_s", totals->rate);
    if (work_left(report) >= 0) json_put_real(json, "work_left_s", work_left(report));
    if (totals->rate > 0)
        json_put_real(json, "time_left_s", report->status->missing / totals->rate);
    g_autofree char *jobs = slurm_describe_jobs(report->directory);
    if (jobs) json_put_text(json, "slurm", jobs);
    json_put_text(json, "next", next);
    json_builder_end_object(json);
    json_print(json, stdout);
}

static Status report_study(const char *directory, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = manifest_read(directory, &error);
    g_autoptr(RecordSet) records = manifest ? record_set_new(directory, manifest) : NULL;
    if (!records || !record_set_update(records, &error))
        return command_reject("%s", error->message);
    g_auto(StudyStatus) status = study_status(manifest, records, (Shard){0, 1});
    const gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    const Report report = {.directory = directory,
                           .manifest = manifest,
                           .records = records,
                           .status = &status,
                           .totals = record_set_totals(records, now),
                           .now = now,
                           .shards = (guint)options->shards};
    if (options->json)
        print_json(&report);
    else
        print_text(&report);
    return STATUS_DONE;
}

Status verb_status(int argc, char **argv)
{
    Options options = {.shards = 1};
    const GOptionEntry entries[] = {
        {"shards", 0, 0, G_OPTION_ARG_INT, &options.shards, "also count each of T shards", "T"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print it as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study status DIR [--shards T] [--json]",
        .summary = "Says how far a study is, what failed and why; also while it runs.",
        .entries = entries,
        .ranges = (const OptionRange[]){{"shards", 1, MOST_SHARDS}, {NULL, 0, 0}},
        .least = 1,
        .most = 1,
    };
    Status status;
    return command_parse(&line, &argc, &argv, &status) ? report_study(argv[1], &options) : status;
}
