/* `warpmem study plan`: what the points are, and a folder for them. */
#include <errno.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/answers/spread.h"
#include "scenarios/program/study/plan/plan.h"
#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/study/points/point.h"
#include "scenarios/program/study/verbs/verbs.h"

static const double PROBING_S = 4;

/* --- estimating ------------------------------------------------------------------------------- */

typedef struct {
    guint probed;
    double least_s, mean_s, most_s; /* of host time, a point */
    guint failed;                   /* of the probed ones: they are no measure */
    bool cut_short;                 /* a point was not done when the time was over */
} Estimate;

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

static Estimate estimate_points(const Manifest *manifest, double seconds)
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

/* --- the verb --------------------------------------------------------------------------------- */

typedef struct {
    char **sets;
    char *output, *design;
    gboolean dry_run, json;
} Options;

typedef struct {
    const Manifest *manifest;
    const PlanReport *report;
    const Options *options;
    const Estimate *estimate; /* NULL: none */
} Printed;

static double total_seconds(const Printed *printed)
{
    return printed->estimate->mean_s * printed->report->distinct / limits_processes();
}

/* --- text ------------------------------------------------------------------------------------- */

/* "105 s", "3.2 h" */
static char *duration(double seconds)
{
    if (seconds < 10) return g_strdup_printf("%.2g s", seconds);
    if (seconds < 600) return g_strdup_printf("%.0f s", seconds);
    if (seconds < 36000) return g_strdup_printf("%.0f min", seconds / 60);
    return g_strdup_printf("%.1f h", seconds / 3600);
}

static void print_dimensions(const Printed *printed)
{
    g_autoptr(Table) table = table_new();
    const GPtrArray *dimensions = printed->manifest->dimensions;
    if (!dimensions->len) return;
    table_row(table);
    table_cell(table, "dimension");
    table_note(table, "own value");
    table_note(table, "values");
    for (guint i = 0; i < dimensions->len; i++) {
        const Dimension *dimension = dimensions->pdata[i];
        table_row(table);
        table_cell(table, "%s", dimension->name);
        table_note(table, "%s",
                   dimension->baseline && *dimension->baseline ? dimension->baseline : "-");
        table_note(table, "%s", (char *)printed->report->axes->pdata[i]);
    }
    printf("\n");
    table_print(table, stdout);
    printf("\n");
}

static void print_counts(const Printed *printed)
{
    const PlanReport *report = printed->report;
    const guint points = printed->manifest->points->len;
    g_autofree char *count = text_grouped(points, 0);
    printf("  points       %s", count);
    if (printed->manifest->replications > 1)
        printf(", %u replications of %u", printed->manifest->replications,
               points / printed->manifest->replications);
    if (report->excluded) printf("; %u more do not satisfy where", report->excluded);
    if (report->skipped)
        printf("; %u perfect components left out, for which there is nothing to do",
               report->skipped);
    if (report->distinct < points) {
        g_autofree char *distinct = text_grouped(report->distinct, 0);
        printf("; %s distinct runs", distinct);
    }
    printf("\n");
    if (report->rejected)
        printf("  rejected     %u of %u that were checked; they stay in the table with their "
               "message.\n               Point %u: %s\n",
               report->rejected, report->checked, report->first_rejected, report->reason);
}

static void print_estimate(const Printed *printed)
{
    const Estimate *estimate = printed->estimate;
    if (!estimate->probed) {
        printf("  time         not known: of those that were tried %u failed, and none was done in "
               "%g s\n",
               estimate->failed, PROBING_S);
        return;
    }
    const int decimals = estimate->most_s < 0.1 ? 3 : estimate->most_s < 10 ? 2 : 0;
    g_autofree char *total = duration(total_seconds(printed)),
                    *runs = text_grouped(printed->report->distinct, 0);
    const guint processes = limits_processes();
    printf(
        "  time         %s points x %.*f s (%.*f..%.*f s in %u probed%s) = about %s on %u process%s\n",
        runs, decimals, estimate->mean_s, decimals, estimate->least_s, decimals, estimate->most_s,
        estimate->probed, estimate->cut_short ? "; another was not done in time" : "", total,
        processes, processes == 1 ? "" : "es");
    if (estimate->failed)
        printf("               %u of those that were tried failed; 'study run' will say why\n",
               estimate->failed);
}

static void print_text(const Printed *printed)
{
    const Manifest *manifest = printed->manifest;
    printf("%s\n\n  scenario     %s\n  design       %s\n", manifest->title, manifest->scenario,
           manifest->design);
    print_dimensions(printed);
    print_counts(printed);
    if (printed->estimate) print_estimate(printed);
    if (printed->options->dry_run) {
        printf("\n  Nothing was written.\n");
        return;
    }
    g_autofree char *word = text_shell_word(printed->options->output);
    printf("  folder       %s\n\n  next: warpmem study run %s\n", printed->options->output, word);
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_dimensions(JsonBuilder *json, const Printed *printed)
{
    json_builder_set_member_name(json, "dimensions");
    json_builder_begin_array(json);
    for (guint i = 0; i < printed->manifest->dimensions->len; i++) {
        const Dimension *dimension = printed->manifest->dimensions->pdata[i];
        json_builder_begin_object(json);
        json_put_text(json, "name", dimension->name);
        json_put_text(json, "values", printed->report->axes->pdata[i]);
        if (dimension->baseline) json_put_text(json, "baseline", dimension->baseline);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_estimate(JsonBuilder *json, const Printed *printed)
{
    const Estimate *estimate = printed->estimate;
    json_builder_set_member_name(json, "estimate");
    json_builder_begin_object(json);
    json_put_number(json, "probed", estimate->probed);
    json_put_number(json, "failed", estimate->failed);
    json_put_number(json, "processes", limits_processes());
    if (estimate->probed) {
        json_put_real(json, "point_s", estimate->mean_s);
        json_put_real(json, "least_s", estimate->least_s);
        json_put_real(json, "most_s", estimate->most_s);
        json_put_real(json, "total_s", total_seconds(printed));
    }
    json_builder_end_object(json);
}

static void print_json(const Printed *printed)
{
    const Manifest *manifest = printed->manifest;
    const PlanReport *report = printed->report;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "title", manifest->title);
    json_put_text(json, "scenario", manifest->scenario);
    json_put_text(json, "design", manifest->design);
    put_dimensions(json, printed);
    json_put_number(json, "points", manifest->points->len);
    json_put_number(json, "replications", manifest->replications);
    json_put_number(json, "distinct", report->distinct);
    json_put_number(json, "excluded", report->excluded);
    json_put_number(json, "skipped", report->skipped);
    json_put_number(json, "checked", report->checked);
    json_put_number(json, "rejected", report->rejected);
    if (report->reason) json_put_text(json, "first_rejection", report->reason);
    if (printed->estimate) put_estimate(json, printed);
    if (!printed->options->dry_run) json_put_text(json, "folder", printed->options->output);
    json_builder_end_object(json);
    json_print(json, stdout);
}

/* ---------------------------------------------------------------------------------------------- */

static Status plan(const char *path, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Unread) unread = unread_new(NULL);
    g_auto(PlanReport) report = {.unread = unread};
    if (!options->dry_run && (!options->output || !*options->output))
        return command_reject("study plan: -o DIR is missing, the study's folder; --dry-run does "
                              "without");
    g_autoptr(Manifest) manifest =
        plan_new(path, (const char *const *)options->sets, &report, &error);
    if (!manifest || (!options->dry_run && !manifest_write(manifest, options->output, &error)))
        return command_reject("%s", error->message);
    unread_warn(unread);
    const Estimate estimate =
        options->dry_run ? estimate_points(manifest, PROBING_S) : (Estimate){0};
    const Printed printed = {manifest, &report, options, options->dry_run ? &estimate : NULL};
    if (options->json)
        print_json(&printed);
    else
        print_text(&printed);
    return STATUS_DONE;
}

static void set_design(Options *options)
{
    if (!options->design) return;
    const guint count = options->sets ? g_strv_length(options->sets) : 0;
    options->sets = g_renew(char *, options->sets, count + 2);
    options->sets[count] = g_strconcat("study.design=", options->design, NULL);
    options->sets[count + 1] = NULL;
}

Status verb_plan(int argc, char **argv)
{
    Options options = {0};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "the study's folder; it is made, and gets manifest.jsonl", "DIR"},
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "a setting over all others (study.samples=20); may be repeated", "GROUP.KEY=VALUE"},
        {"design", 0, 0, G_OPTION_ARG_STRING, &options.design,
         "what study.design says, for scenarios without [study] as well (perfect)", "DESIGN"},
        {"dry-run", 'n', 0, G_OPTION_ARG_NONE, &options.dry_run,
         "write nothing; count the points and estimate the time", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study plan SCENARIO -o DIR [--set GROUP.KEY=VALUE]... [--design DESIGN] "
                 "[--dry-run] [--json]",
        .summary = "Lays out the points of a scenario with a [study] group, to be run later.",
        .description =
            "The plan is not changed again: what becomes of the scenario later does not\n"
            "reach it. The same plan may be written twice; another one needs a folder\n"
            "of its own.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    if (command_parse(&line, &argc, &argv, &status)) {
        set_design(&options);
        status = plan(argv[1], &options);
    }
    g_strfreev(options.sets);
    g_free(options.output);
    g_free(options.design);
    return status;
}
