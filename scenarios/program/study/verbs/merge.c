#include <stdio.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/table/database.h"
#include "scenarios/program/study/verbs/verbs.h"

static void print_json(const char *path, const MergeReport *report)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "database", path);
    json_put_number(json, "points", report->points);
    json_put_number(json, "done", report->done);
    json_put_number(json, "failed", report->failed);
    json_put_number(json, "missing", report->missing);
    json_put_number(json, "torn_lines", report->torn);
    json_put_number(json, "damaged_lines", report->damaged);
    json_builder_end_object(json);
    json_print(json, stdout);
}

static void print_text(const char *path, const MergeReport *report)
{
    printf("%s: %u points: %u done, %u failed, %u missing\n", path, report->points, report->done,
           report->failed, report->missing);
    if (report->torn)
        printf("%u torn %s left out: written in part when a process ended, or being written now\n",
               report->torn, report->torn == 1 ? "line" : "lines");
    if (report->damaged)
        printf("%u damaged %s left out: the checksum is wrong; 'study run' runs %s again\n",
               report->damaged, report->damaged == 1 ? "line" : "lines",
               report->damaged == 1 ? "the point" : "the points");
}

Status verb_merge(int argc, char **argv)
{
    gboolean json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print what was merged as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study merge DIR [--json]",
        .summary = "Makes DIR/study.sqlite, the study's database, of what has been run so far.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    g_autoptr(GError) error = NULL;
    MergeReport report;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (!database_merge(argv[1], &report, &error)) return command_reject("%s", error->message);
    g_autofree char *path = database_path(argv[1]);
    if (json)
        print_json(path, &report);
    else
        print_text(path, &report);
    return STATUS_DONE;
}
