#include <stdio.h>

#include "scenarios/program/command.h"
#include "scenarios/program/compare/choose.h"
#include "scenarios/program/compare/compare.h"
#include "scenarios/program/compare/complete.h"
#include "scenarios/program/compare/conclusion.h"
#include "scenarios/program/compare/fail_over.h"
#include "scenarios/program/compare/json.h"
#include "scenarios/program/compare/kernel_changes.h"
#include "scenarios/program/compare/list.h"
#include "scenarios/program/result/kernels.h"
#include "scenarios/program/say/json_text.h"

typedef struct {
    gboolean json, details;
    char **fail_over; /* NULL: none */
    KernelChoice choice;
} Options;

static void print_shown(const Comparison *comparison)
{
    const char *shown = result_text(comparison->results[0], "shown");
    if (!shown || !result_array(comparison->results[0], "kernels")) return;
    printf("  %s: these are compared kernel by kernel below, all else is of the whole runs\n\n",
           shown);
}

static void print(const Comparison *comparison, const char *legend, const Options *options)
{
    if (!options->json) {
        if (legend) printf("%s\n", legend);
        print_shown(comparison);
        compare_print(comparison, options->details, stdout);
        kernel_changes_print(comparison, stdout);
        conclusion_print(comparison, stdout);
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

/* --- what may not move ------------------------------------------------------------------------ */

/* Of --fail-over. */
typedef struct {
    const GArray *limits;
    const KernelChoice *choice;
    const Comparison *all;
    GPtrArray *lines; /* what is wrong */
} Judgement;

static void note_partial(const Judgement *judgement)
{
    const Comparison *all = judgement->all;
    for (guint i = 0; i < all->count; i++)
        if (result_is_partial(all->results[i]))
            g_ptr_array_add(judgement->lines,
                            g_strdup_printf("%s: its run was interrupted, so that --fail-over "
                                            "cannot judge it",
                                            compare_label(all, i)));
}

/* Of the whole, or of each kernel that is asked for where there are several. */
static bool find_moved(const Judgement *judgement, const Comparison *comparison, GError **error)
{
    const KernelChoice *choice = judgement->choice;
    const bool each =
        (choice->kernels || choice->name) && result_array(comparison->results[0], "kernels");
    return (each ? kernel_changes_fail_over : fail_over_find)(judgement->limits, comparison,
                                                              judgement->lines, error);
}

/* Those that ran to their ends. */
static bool judge_group(const Judgement *judgement, const GArray *group, GError **error)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new(), labels = g_ptr_array_new();
    for (guint i = 0; i < group->len; i++) {
        const guint index = g_array_index(group, guint, i);
        JsonNode *result = judgement->all->results[index];
        if (result_is_partial(result) && !i) return true;
        if (result_is_partial(result)) continue;
        g_ptr_array_add(results, result);
        g_ptr_array_add(labels, (char *)compare_label(judgement->all, index));
    }
    const Comparison comparison = {(JsonNode *const *)results->pdata,
                                   (const char *const *)labels->pdata, results->len};
    return find_moved(judgement, &comparison, error);
}

/* An error is one if it is of all groups. */
static bool judge_groups(const Judgement *judgement, const GPtrArray *groups, GError **error)
{
    g_autoptr(GError) missing = NULL;
    bool any = false;
    for (guint i = 0; i < groups->len; i++) {
        g_clear_error(&missing);
        any |= judge_group(judgement, groups->pdata[i], &missing);
    }
    if (!any) g_propagate_error(error, g_steal_pointer(&missing));
    return any;
}

static bool judge(const Judgement *judgement, const GPtrArray *results, char **paths,
                  GError **error)
{
    g_autoptr(GPtrArray) groups = result_list_groups(results);
    if (!judgement->limits->len) return true;
    note_partial(judgement);
    result_list_find_lacking(results, paths, judgement->lines);
    return judge_groups(judgement, groups, error);
}

static Status compare(char **paths, int count, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) limits = fail_over_read(options->fail_over, &error);
    if (!limits) return command_reject("%s", error->message);
    g_autoptr(GPtrArray) results = result_list_read(paths, count, &error);
    if (!results) return command_reject("%s", error->message);
    if (results->len < 2)
        return command_reject("%s: a single result; there is nothing to compare it with", paths[0]);
    kernels_complete(results, options->choice.kernels);
    if (!kernels_choose(results, &options->choice, &error))
        return command_reject("%s", error->message);
    g_autoptr(GPtrArray) labels = result_list_labels(results);
    const Comparison comparison = {(JsonNode *const *)results->pdata,
                                   (const char *const *)labels->pdata, results->len};
    g_autoptr(GPtrArray) wrong = g_ptr_array_new_with_free_func(g_free);
    const Judgement judgement = {limits, &options->choice, &comparison, wrong};
    if (!judge(&judgement, results, paths, &error)) return command_reject("%s", error->message);
    g_autofree char *legend = result_list_legend(results, paths);
    if (!limits->len) warn_of_partial(&comparison);
    print(&comparison, legend, options);
    for (guint i = 0; i < wrong->len; i++) command_reject("%s", (char *)wrong->pdata[i]);
    return wrong->len ? STATUS_FAILED : STATUS_DONE;
}

Status command_compare(int argc, char **argv)
{
    Options options = {0};
    const GOptionEntry entries[] = {
        {"details", 'd', 0, G_OPTION_ARG_NONE, &options.details,
         "print every parameter that differs, and where the latency went", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json,
         "print the comparison as JSON, exact to the femtosecond", NULL},
        {"fail-over", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.fail_over,
         "exit with status 1 when the measured time, or RESULT, moved by more than this, up or "
         "down; may be repeated",
         "[RESULT=]PERCENT"},
        KERNEL_OPTIONS_OF_RESULTS(options.choice),
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "compare A [B]... [-d] [--json] [--fail-over [RESULT=]PERCENT]... [--kernel NAME] "
                 "[--kernels LIST]",
        .summary =
            "Compares results with the first one: parameters that differ, numbers side by side, and last\n"
            "which is fastest and why. With --details where the latency went, per request class and\n"
            "stage; the parts sum to the whole exactly. With --kernel '*' --fail-over holds for each kernel.\n"
            "Where A is a folder of several variants and not alone, --fail-over holds each result of the\n"
            "others against A's variant of its name.",
        .description =
            "A and B are result.json files, folders with one, or folders of variants as 'run -o' leaves them.\n"
            "'list results' says which results --fail-over can name: --fail-over 2% --fail-over dram_gbps=5%.",
        .entries = entries,
        .least = 1,
        .most = 1000,
    };
    Status status;
    const bool good = command_parse(&line, &argc, &argv, &status);
    if (good) status = compare(argv + 1, argc - 1, &options);
    g_strfreev(options.fail_over);
    kernel_choice_finish(&options.choice);
    return status;
}
