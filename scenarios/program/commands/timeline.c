#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "platform/machine/machine.h"
#include "scenarios/program/command.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/run/signals.h"
#include "scenarios/program/run/status_line.h"
#include "scenarios/program/run/variant.h"
#include "scenarios/program/say/output_option.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/say/unread.h"
#include "scenarios/program/timeline/trace.h"

#define STANDARD_FILE "timeline.json"

/* Without an option or setting: some 11 MB, which a viewer has open at once. */
enum { TIMELINE_USUAL = 2000 };

/* Options that are settings of `[simulation]`, in the order of `chosen`. */
enum { CHOICE_FROM, CHOICE_UNTIL, CHOICE_ONE_IN, CHOICE_SLOWEST, CHOICE_LIMIT, CHOICES };

static const struct {
    const char *option, *key;
} choices[CHOICES] = {
    {"from", "timeline_from"}, {"until", "timeline_until"}, {"one-in", "timeline_one_in"},
    {"slowest", "timeline"},   {"limit", "timeline"},
};

typedef struct {
    char **sets;
    KernelChoice choice;
    char *variant, *output;
    char *chosen[CHOICES];
    gboolean quiet;
} Options;

static void options_finish(Options *options)
{
    g_strfreev(options->sets);
    kernel_choice_finish(&options->choice);
    g_free(options->variant);
    g_free(options->output);
    for (guint i = 0; i < CHOICES; i++) g_free(options->chosen[i]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_finish)

static const char *output_of(const Options *options)
{
    return options->output ? options->output : STANDARD_FILE;
}

/* --- which requests --------------------------------------------------------------------------- */

static const Param *find_param(const char *key)
{
    const Param *param = simulation_group.params;
    while (strcmp(param->name, key) != 0) param++;
    return param;
}

/* As the setting says it, but of the option that was typed; and nothing is no choice. */
static bool check_choice(guint choice, const char *value, GError **error)
{
    SimulationParams scratch = {0};
    const bool counts = !strcmp(choices[choice].key, "timeline");
    const bool good = param_parse(find_param(choices[choice].key), value, &scratch, error);
    if (good && (!counts || scratch.timeline)) return true;
    if (counts) {
        g_clear_error(error);
        g_set_error(error, TIMELINE_TRACE_ERROR, 0,
                    "%s: not so many requests; allowed: whole number from 1 to %d", value,
                    TIMELINE_MAX);
    }
    g_prefix_error(error, "--%s ", choices[choice].option);
    return false;
}

static bool check_choices(const Options *options, GError **error)
{
    for (guint i = 0; i < CHOICES; i++)
        if (options->chosen[i] && !check_choice(i, options->chosen[i], error)) return false;
    if (!options->chosen[CHOICE_SLOWEST] || !options->chosen[CHOICE_LIMIT]) return true;
    g_set_error(error, TIMELINE_TRACE_ERROR, 0,
                "--limit %s: --slowest %s says already how many; allowed: one of them",
                options->chosen[CHOICE_LIMIT], options->chosen[CHOICE_SLOWEST]);
    return false;
}

static void add_setting(GPtrArray *sets, const char *key, const char *value)
{
    g_ptr_array_add(sets, g_strdup_printf("simulation.%s=%s", key, value));
}

/* What --set says goes over the usual number, and options go over both. */
static GPtrArray *list_settings(const Options *options)
{
    GPtrArray *sets = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *usual = g_strdup_printf("%d", TIMELINE_USUAL);
    add_setting(sets, "timeline", usual);
    for (char **set = options->sets; set && *set; set++) g_ptr_array_add(sets, g_strdup(*set));
    for (guint i = 0; i < CHOICES; i++)
        if (options->chosen[i]) add_setting(sets, choices[i].key, options->chosen[i]);
    if (options->chosen[CHOICE_SLOWEST]) add_setting(sets, "timeline_keep", "slowest");
    g_ptr_array_add(sets, NULL);
    return sets;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void print_hint(const Options *options, JsonNode *result, guint requests, gsize bytes)
{
    const char *path = output_of(options);
    if (options->quiet || !strcmp(path, "-")) return;
    const double qualified = result_number(result, "timeline_selection.qualified");
    const char *keep = result_text(result, "timeline_selection.keep");
    g_autofree char *kept = text_grouped(requests, 0), *size = text_bytes((double)bytes);
    printf("%s: %s request%s", path, kept, requests == 1 ? "" : "s");
    if (qualified > requests) {
        g_autofree char *all = text_grouped(qualified, 0);
        printf(", the %s of %s", keep ? keep : "first", all);
    }
    printf(" of %s, %s\n", result_text(result, "variant"), size);
    if (!requests) printf("  the region of interest has no such request\n");
    printf("  to look at it: https://ui.perfetto.dev or chrome://tracing, 'Open trace file'\n");
}

static Status write_trace(const char *name, JsonNode *result, const Options *options)
{
    g_autoptr(GError) error = NULL;
    JsonArray *rows = timeline_trace_rows(result, &error);
    if (!rows) return command_reject("%s: %s", name, error->message);
    g_autoptr(GString) text = g_string_new(NULL);
    timeline_trace(result, rows, text);
    if (!output_option_write(output_of(options), text, &error))
        return command_reject("%s", error->message);
    print_hint(options, result, json_array_get_length(rows), text->len);
    return STATUS_DONE;
}

/* --- of a result ------------------------------------------------------------------------------ */

static bool is_result(const char *path)
{
    return g_str_has_suffix(path, ".json") || g_file_test(path, G_FILE_TEST_IS_DIR);
}

static Status reject_choice(const char *path, const char *option)
{
    return command_reject("--%s: chooses while a scenario is simulated, and %s is a result", option,
                          path);
}

/* Of a folder of variants the first. */
static JsonNode *read_first(const char *path, GError **error)
{
    g_autoptr(GPtrArray) results = result_read_all(path, error);
    return results ? json_node_ref(results->pdata[0]) : NULL;
}

static Status convert_result(const char *path, const Options *options)
{
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < CHOICES; i++)
        if (options->chosen[i]) return reject_choice(path, choices[i].option);
    if (options->sets) return reject_choice(path, "set");
    if (options->choice.kernels) return reject_choice(path, "kernels");
    if (options->choice.name) return reject_choice(path, "kernel");
    g_autofree char *file =
        options->variant ? g_build_filename(path, options->variant, NULL) : g_strdup(path);
    g_autoptr(JsonNode) result = read_first(file, &error);
    if (result && output_option_check(output_of(options), &error))
        return write_trace(file, result, options);
    return command_reject("%s", error->message);
}

/* --- of a scenario ---------------------------------------------------------------------------- */

/* Everything that can be said without simulating; NULL with error. */
static const Variant *prepare(const Scenario *scenario, const Options *options, GError **error)
{
    const Variant *variant = scenario_choose_variant(scenario, options->variant, error);
    g_autoptr(Machine) machine = variant ? variant_try_launches(variant, error) : NULL;
    if (!machine || !output_option_check(output_of(options), error)) return NULL;
    if (!options->quiet) unread_warn_of_one(scenario, variant, machine);
    return variant;
}

static Status simulate(const Scenario *scenario, const Variant *variant, const Options *options)
{
    g_auto(RunAnswer) answer = {.result = NULL};
    const bool progress = !options->quiet && status_line_fits();
    const RunRequest request = {.scenario = scenario,
                                .variant = variant,
                                .whole = true,
                                .progress = progress,
                                .number = 1,
                                .count = 1};
    g_autoptr(GError) error = NULL;
    const Status status = run_variant(&request, &answer, &error);
    if (error) command_reject("%s", error->message);
    g_autoptr(JsonNode) result = answer.result ? json_from_string(answer.result, NULL) : NULL;
    if (!result) return status;
    if (status == STATUS_INTERRUPTED)
        fprintf(stderr, "warpmem: interrupted; the trace ends with what was simulated\n");
    const Status written = write_trace(variant->name, result, options);
    return written == STATUS_DONE ? status : written;
}

static Status reject_setting(const Options *options, GError *error)
{
    kernel_choice_name_error(&options->choice, error);
    for (guint i = 0; i < CHOICES; i++) {
        g_autofree char *setting = g_strdup_printf("simulation.%s = ", choices[i].key),
                        *option = g_strdup_printf("--%s ", choices[i].option);
        if (options->chosen[i]) setting_name_error(setting, option, error);
    }
    return command_reject("%s", error->message);
}

static Status run_scenario(const char *path, const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check_choices(options, &error)) return command_reject("%s", error->message);
    g_autoptr(GPtrArray) sets = list_settings(options);
    g_autoptr(Scenario) scenario = scenario_load(path, (const char *const *)sets->pdata, &error);
    const Variant *variant = scenario ? prepare(scenario, options, &error) : NULL;
    if (!variant) return reject_setting(options, error);
    if (!signals_interrupted()) return simulate(scenario, variant, options);
    command_reject("interrupted before the simulation began; nothing was written");
    return STATUS_INTERRUPTED;
}

Status command_timeline(int argc, char **argv)
{
    g_auto(Options) options = {0};
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        KERNEL_OPTIONS(options.choice),
        {"variant", 'v', 0, G_OPTION_ARG_STRING, &options.variant,
         "run this variant, not the first", "NAME"},
        {"from", 0, 0, G_OPTION_ARG_STRING, &options.chosen[CHOICE_FROM],
         "requests that begin at this simulated time or later: '5 us'", "TIME"},
        {"until", 0, 0, G_OPTION_ARG_STRING, &options.chosen[CHOICE_UNTIL],
         "requests that begin before this simulated time", "TIME"},
        {"one-in", 0, 0, G_OPTION_ARG_STRING, &options.chosen[CHOICE_ONE_IN],
         "one request in N, spread over the whole run", "N"},
        {"slowest", 0, 0, G_OPTION_ARG_STRING, &options.chosen[CHOICE_SLOWEST],
         "the K that took longest, not the first", "K"},
        {"limit", 0, 0, G_OPTION_ARG_STRING, &options.chosen[CHOICE_LIMIT],
         "at most N requests, up to 10000, the first ones; 2000 without it", "N"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "where the trace goes, timeline.json without it; - is standard output", "FILE"},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "print errors only", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage =
            "timeline SCENARIO|RESULT [--set GROUP.KEY=VALUE]... [--kernels LIST] [--variant NAME] "
            "[--from TIME] [--until TIME] [--one-in N] [--slowest K] [--limit N] [-o FILE]",
        .summary = "Writes single requests with all their stages as a trace that ui.perfetto.dev "
                   "and\nchrome://tracing open, and statistics over time as counters.",
        .description =
            "SCENARIO is simulated, one variant of it, and the requests are chosen on the way.\n"
            "RESULT is a result.json, or a folder with one, of a run with simulation.timeline;\n"
            "or a folder of variants, of which --variant NAME is taken, or the first.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (is_result(argv[1])) return convert_result(argv[1], &options);
    signals_watch();
    kernel_choice_apply(&options.choice, &options.sets);
    return run_scenario(argv[1], &options);
}
