#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <stdio.h>

#include "scenarios/program/command.h"
#include "scenarios/program/compare/compare.h"
#include "scenarios/program/compare/conclusion.h"
#include "scenarios/program/compare/json.h"
#include "scenarios/program/compare/kernel_changes.h"
#include "scenarios/program/language/scenario.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/run/side_by_side.h"
#include "scenarios/program/run/signals.h"
#include "scenarios/program/run/status_line.h"
#include "scenarios/program/say/again.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/summary.h"
#include "scenarios/program/say/unread.h"
#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/timeline/timeline.h"

typedef struct {
    char **sets, **variants;
    KernelChoice choice;
    char *output;
    gint jobs;
    gboolean json, quiet, details;
} Options;

static void options_finish(Options *options)
{
    g_strfreev(options->sets);
    kernel_choice_finish(&options->choice);
    g_strfreev(options->variants);
    g_free(options->output);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_finish)

/* The variants to run, in the scenario's order; NULL with error. */
static GPtrArray *choose_variants(const Scenario *scenario, const Options *options, GError **error)
{
    g_autoptr(GPtrArray) chosen = g_ptr_array_new();
    for (char **name = options->variants; name && *name; name++)
        if (!scenario_find_variant(scenario, *name, error)) return NULL;
    for (guint i = 0; i < scenario->variants->len; i++) {
        Variant *variant = scenario->variants->pdata[i];
        const bool wanted =
            options->variants
                ? g_strv_contains((const char *const *)options->variants, variant->name)
                : i > 0 || !scenario->template_only;
        if (wanted) g_ptr_array_add(chosen, variant);
    }
    return g_steal_pointer(&chosen);
}

static bool check_variant(const Variant *variant, Unread *unread, GError **error)
{
    g_autoptr(Machine) machine = variant_try_launches(variant, error);
    if (machine) unread_note(unread, variant->configuration, machine);
    return machine != NULL;
}

/* Everything that can be said without simulating is said before the first variant runs. Of the
 * scenario's own settings some may mean something to variants that do not. */
static bool check_variants(const Scenario *scenario, const GPtrArray *variants,
                           const Options *options, GError **error)
{
    g_autoptr(Unread) unread = unread_new(options->variants ? NULL : scenario->file);
    for (guint i = 0; i < variants->len; i++)
        if (!check_variant(variants->pdata[i], unread, error)) return false;
    if (!options->quiet) unread_warn(unread);
    return true;
}

static char *variant_directory(const Options *options, const Variant *variant)
{
    return g_build_filename(options->output, variant->name, NULL);
}

static bool prepare_directories(const GPtrArray *variants, const Options *options, GError **error)
{
    for (guint i = 0; options->output && i < variants->len; i++) {
        g_autofree char *directory = variant_directory(options, variants->pdata[i]);
        if (!result_prepare_directory(directory, error)) return false;
    }
    return true;
}

/* Folders that received nothing; rmdir leaves the others alone. */
static void remove_empty_directories(const GPtrArray *variants, const Options *options)
{
    for (guint i = 0; options->output && i < variants->len; i++) {
        g_autofree char *directory = variant_directory(options, variants->pdata[i]);
        g_rmdir(directory);
    }
    if (options->output) g_rmdir(options->output);
}

static Status write_answer(const Options *options, const Variant *variant, const RunAnswer *answer)
{
    g_autoptr(GError) error = NULL;
    if (!options->output) return STATUS_DONE;
    g_autofree char *directory = variant_directory(options, variant);
    if (result_write(directory, answer->result, answer->host, &error)) return STATUS_DONE;
    return command_reject("%s", error->message);
}

/* Of several a line each: they are compared at the end. */
static void print_result(const Options *options, JsonNode *result, bool first, bool alone)
{
    if (options->json || options->quiet) return;
    if (alone || (first && options->details))
        summary_print(result, options->details, stdout);
    else
        summary_print_brief(result, stdout);
    timeline_print(result, stdout);
    if (alone || options->details) printf("\n");
    fflush(stdout);
}

/* What there is of the run, and where it goes. */
typedef struct {
    const Options *options;
    GPtrArray *results;
    guint ended; /* variants */
} Output;

/* Takes the result of one variant. */
static Status take_result(const RunRequest *request, const RunAnswer *answer, Status status,
                          const GError *error, void *user)
{
    Output *output = user;
    output->ended++;
    if (error) command_reject("%s", error->message);
    if (!answer->host || (request->whole && !answer->result)) return status;
    const Status written = write_answer(output->options, request->variant, answer);
    const char *shown = output->options->json ? answer->result : answer->brief;
    JsonNode *node = shown ? json_from_string(shown, NULL) : NULL;
    if (node) {
        print_result(output->options, node, !output->results->len, request->count == 1);
        g_ptr_array_add(output->results, node);
    }
    return written == STATUS_DONE ? status : written;
}

static void tell_not_run(const GPtrArray *variants, guint ended)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = ended; i < variants->len; i++)
        g_string_append_printf(names, "%s%s", i > ended ? ", " : "",
                               ((const Variant *)variants->pdata[i])->name);
    if (names->len) fprintf(stderr, "warpmem: interrupted; not run: %s\n", names->str);
}

static Status run_all(const Options *options, const Scenario *scenario, const GPtrArray *variants,
                      GPtrArray *results)
{
    const bool progress = !options->quiet && status_line_fits();
    g_autofree RunRequest *requests = g_new0(RunRequest, variants->len);
    for (guint i = 0; i < variants->len; i++)
        requests[i] = (RunRequest){.scenario = scenario,
                                   .variant = variants->pdata[i],
                                   .whole = options->output || options->json,
                                   .brief = !options->quiet && !options->json,
                                   .progress = progress,
                                   .number = i + 1,
                                   .count = variants->len};
    Output output = {.options = options, .results = results};
    const Status status =
        run_side_by_side(requests, variants->len, (guint)options->jobs, take_result, &output);
    if (status == STATUS_INTERRUPTED) tell_not_run(variants, output.ended);
    return status;
}

static void print_json(const GPtrArray *results, const Comparison *comparison)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_builder_set_member_name(json, "results");
    json_builder_begin_array(json);
    for (guint i = 0; i < results->len; i++)
        json_builder_add_value(json, json_node_copy(results->pdata[i]));
    json_builder_end_array(json);
    json_put_node(json, "comparison", compare_json(comparison));
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    g_autofree char *text = json_text(root);
    fputs(text, stdout);
}

/* What it comes to stands last. */
static void print_end(const Options *options, const GPtrArray *results)
{
    const Comparison comparison = {(JsonNode *const *)results->pdata, NULL, results->len};
    if (!results->len) return;
    if (options->json) print_json(results, &comparison);
    if (options->json || options->quiet) return;
    if (results->len > 1 && !options->details) printf("\n");
    if (results->len > 1) compare_print(&comparison, options->details, stdout);
    if (results->len == 2 || options->details) kernel_changes_print(&comparison, stdout);
    if (options->output) printf("  results: %s\n\n", options->output);
    if (results->len > 1)
        conclusion_print(&comparison, stdout);
    else
        summary_conclude(results->pdata[0], stdout);
}

/* The scenario's variants to run, NULL when the command is to end with *status. */
static GPtrArray *prepare(const char *path, const Options *options, Scenario **scenario,
                          Status *status)
{
    g_autoptr(GError) error = NULL;
    *scenario = scenario_load(path, (const char *const *)options->sets, &error);
    g_autoptr(GPtrArray) variants = *scenario ? choose_variants(*scenario, options, &error) : NULL;
    const bool good = variants && check_variants(*scenario, variants, options, &error);
    if (good && signals_interrupted()) {
        command_reject("interrupted before the simulation began; nothing was written");
        *status = STATUS_INTERRUPTED;
        return NULL;
    }
    if (good && prepare_directories(variants, options, &error)) return g_steal_pointer(&variants);
    if (good) remove_empty_directories(variants, options);
    kernel_choice_name_error(&options->choice, error);
    *status = command_reject("%s", error->message);
    return NULL;
}

/* `run` ignores [study]; who wrote one may have meant its points. */
static void mention_study(const char *path, const Scenario *scenario, const Options *options)
{
    if (options->json || options->quiet || !configuration_size(scenario->study)) return;
    g_autofree char *words = again_words_of(path, NULL, options->sets);
    printf("  its [study] was not run; to run it: warpmem study run %s -o DIR\n", words);
}

static Status run_scenario(const char *path, const Options *options)
{
    Status status = STATUS_DONE;
    g_autoptr(Scenario) scenario = NULL;
    if (options->output && !*options->output)
        return command_reject("-o '': an empty name; it names the folder for the results");
    if (options->output && manifest_exists(options->output))
        return command_reject("-o %s: a study; results of 'run' have a folder of their own",
                              options->output);
    g_autoptr(GPtrArray) variants = prepare(path, options, &scenario, &status);
    if (!variants) return status;
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    status = run_all(options, scenario, variants, results);
    if (status == STATUS_DONE) mention_study(path, scenario, options);
    print_end(options, results);
    remove_empty_directories(variants, options);
    return status;
}

Status command_run(int argc, char **argv)
{
    g_auto(Options) options = {.jobs = (gint)MIN(limits_processes(), SIGNALS_CHILDREN_MAX)};
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        KERNEL_OPTIONS(options.choice),
        {"variant", 'v', 0, G_OPTION_ARG_STRING_ARRAY, &options.variants,
         "run only this variant; may be repeated", "NAME"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "write DIR/VARIANT/result.json and host.json", "DIR"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.jobs,
         "variants at a time; by default as many as there are CPUs", "N"},
        {"details", 'd', 0, G_OPTION_ARG_NONE, &options.details,
         "print where requests spent their time, and every parameter that differs", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print the results as JSON", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "print errors only", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage =
            "run SCENARIO [--set GROUP.KEY=VALUE]... [--kernels LIST] [--variant NAME]... [-o DIR] [-j N] "
            "[-d] [--json] [-q]",
        .summary =
            "Simulates a scenario's baseline and variants, compares them and says last what it comes to.",
        .description =
            "SCENARIO is a file, or the name of one that comes with the program ('list scenarios').\n"
            "Interrupt (SIGINT, SIGTERM) stops at the next window and leaves a result marked\n"
            "partial; SIGUSR1 prints a status line.",
        .entries = entries,
        .ranges = (const OptionRange[]){{"jobs", 1, SIGNALS_CHILDREN_MAX}, {NULL, 0, 0}},
        .least = 1,
        .most = 1,
    };
    Status status;
    signals_watch();
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    kernel_choice_apply(&options.choice, &options.sets);
    return run_scenario(argv[1], &options);
}
