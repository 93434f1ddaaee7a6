#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/command.h"
#include "scenarios/compare.h"
#include "scenarios/json_text.h"
#include "scenarios/result_list.h"

static void print(const Comparison *comparison, bool json)
{
    if (!json) {
        compare_print(comparison, stdout);
        return;
    }
    g_autoptr(JsonNode) node = compare_json(comparison);
    g_autofree char *text = json_text(node);
    fputs(text, stdout);
}

static void warn_of_partial(const Comparison *comparison)
{
    for (guint i = 0; i < comparison->count; i++)
        if (result_is_partial(comparison->results[i]))
            command_reject("warning: %s is partial: its run was interrupted",
                           compare_label(comparison, i));
}

typedef struct {
    gboolean json;
    double bound; /* percent; infinite: none */
} Options;

static Status compare(char **paths, int count, const Options *options)
{
    if (!(options->bound >= 0))
        return command_reject("--bound %g: allowed: a number of percent from 0 on", options->bound);
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) results = result_list_read(paths, count, &error);
    if (!results) return command_reject("%s", error->message);
    if (results->len < 2)
        return command_reject("%s: a single result; there is nothing to compare it with", paths[0]);
    g_autoptr(GPtrArray) labels = result_list_labels(results);
    const Comparison comparison = {(JsonNode *const *)results->pdata,
                                   (const char *const *)labels->pdata, results->len};
    warn_of_partial(&comparison);
    print(&comparison, options->json);
    const double change = compare_largest_change(&comparison) * 100;
    if (!isfinite(options->bound) || change <= options->bound) return STATUS_DONE;
    command_reject("times differ by up to %.2f %%, more than the bound of %g %%", change,
                   options->bound);
    return STATUS_FAILED;
}

Status command_compare(int argc, char **argv)
{
    Options options = {.bound = INFINITY};
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json,
         "print the comparison as JSON, exact to the femtosecond", NULL},
        {"bound", 0, 0, G_OPTION_ARG_DOUBLE, &options.bound,
         "exit with status 1 when a time differs by more", "PERCENT"},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "compare A [B]... [--json] [--bound PERCENT]",
        .summary =
            "Compares results with the first one: numbers side by side, parameters that differ, and where\n"
            "the latency went, per request class and stage; the parts sum to the whole exactly.",
        .description =
            "A and B are result.json files, folders with one, or folders of variants as 'run -o' leaves them.",
        .entries = entries,
        .least = 1,
        .most = 1000,
    };
    Status status;
    return command_parse(&line, &argc, &argv, &status) ? compare(argv + 1, argc - 1, &options)
                                                       : status;
}
