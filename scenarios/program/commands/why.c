#include <glib/gstdio.h>
#include <stdio.h>

#include "scenarios/program/command.h"
#include "scenarios/program/language/sets.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/run/signals.h"
#include "scenarios/program/run/status_line.h"
#include "scenarios/program/run/variant.h"
#include "scenarios/program/say/again.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/say/unread.h"
#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/study/points/run.h"
#include "scenarios/program/why/why.h"

typedef struct {
    char **sets;
    KernelChoice choice;
    char *variant, *output, *limit;
    gint processes, runs, layers;
    gboolean alone, json, details, quiet;
} Options;

static void options_finish(Options *options)
{
    g_strfreev(options->sets);
    kernel_choice_finish(&options->choice);
    g_free(options->variant);
    g_free(options->output);
    g_free(options->limit);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_finish)

/* --- what is asked ---------------------------------------------------------------------------- */

static bool read_options(const Options *options, TrialSettings *settings, GError **error)
{
    *settings = (TrialSettings){.processes = (guint)options->processes,
                                .most = (guint)options->runs,
                                .progress = !options->quiet && status_line_fits()};
    if (options->output && !*options->output) {
        g_set_error(error, STUDY_ERROR, 0,
                    "-o '': an empty name; it names the folder for the result");
        return false;
    }
    if (options->alone && !options->choice.kernels && !options->choice.name) {
        g_set_error(error, STUDY_ERROR, 0,
                    "--alone: of which kernels? --kernels or --kernel says it");
        return false;
    }
    return !options->limit
           || limits_parse_time("--limit", options->limit, &settings->time_s, error);
}

/* Everything that can be said without simulating; NULL with error. */
static const Variant *prepare(const Scenario *scenario, const Options *options, GError **error)
{
    const Variant *variant = scenario_choose_variant(scenario, options->variant, error);
    g_autoptr(Machine) machine = variant ? variant_try_launches(variant, error) : NULL;
    if (machine && !options->quiet) unread_warn_of_one(scenario, variant, machine);
    return machine ? variant : NULL;
}

/* --- with -o ---------------------------------------------------------------------------------- */

/* The whole result of the machine as it is; *directory is where it goes. */
static Status run_whole(const Scenario *scenario, const Variant *variant, const Options *options,
                        char **directory, RunAnswer *answer)
{
    g_autoptr(GError) error = NULL;
    const RunRequest request = {.scenario = scenario,
                                .variant = variant,
                                .whole = true,
                                .progress = !options->quiet && status_line_fits(),
                                .number = 1,
                                .count = 1};
    *directory = g_build_filename(options->output, variant->name, NULL);
    if (!result_prepare_directory(*directory, &error)) return command_reject("%s", error->message);
    const Status status = run_variant(&request, answer, &error);
    if (status == STATUS_DONE) return status;
    if (error)
        command_reject("%s", error->message);
    else
        command_reject("interrupted: nothing was written");
    g_rmdir(*directory);
    g_rmdir(options->output);
    return status;
}

static Status write_result(const char *directory, const RunAnswer *answer, JsonNode *why)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) result = json_from_string(answer->result, NULL);
    json_object_set_member(json_node_get_object(result), "why", json_node_copy(why));
    g_autofree char *text = json_text(result);
    if (result_write(directory, text, answer->host, &error)) return STATUS_DONE;
    return command_reject("%s", error->message);
}

/* --- the answer ------------------------------------------------------------------------------- */

enum { LAYERS = 3, RUNS = 160 }; /* if not said otherwise */

/* What asks the same again; newly allocated. */
static char *again(const char *path, const Options *options)
{
    g_autofree char *words = again_words_of(path, options->variant, options->sets),
                    *limit = options->limit ? text_shell_word(options->limit) : NULL;
    g_autoptr(GString) text = g_string_new(words);
    if (options->layers != LAYERS) g_string_append_printf(text, " --layers %d", options->layers);
    if (options->runs != RUNS) g_string_append_printf(text, " --runs %d", options->runs);
    if (limit) g_string_append_printf(text, " --limit %s", limit);
    return g_strdup(text->str);
}

static void print_answer(const char *path, const Options *options, JsonNode *why)
{
    g_autofree char *words = again(path, options), *json = options->json ? json_text(why) : NULL;
    const WhyPrint print = {words, options->details};
    if (json)
        fputs(json, stdout);
    else if (!options->quiet)
        why_print(why, &print, stdout);
    if (!json && !options->quiet && options->output) printf("  results: %s\n", options->output);
}

static Status ask(const char *path, const Scenario *scenario, const Variant *variant,
                  const TrialSettings *settings, const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_auto(Layers) layers = {NULL, NULL, NULL};
    g_auto(RunAnswer) whole = {.result = NULL};
    g_autofree char *directory = NULL;
    Status status =
        options->output ? run_whole(scenario, variant, options, &directory, &whole) : STATUS_DONE;
    if (options->output) interrupts_watch();
    if (status != STATUS_DONE) return status;
    if (!layers_ask(&layers, scenario, variant, settings, (guint)options->layers, &error)) {
        command_reject("%s", error->message);
        return error->code == STATUS_FAILED ? STATUS_FAILED : STATUS_BAD_INPUT;
    }
    g_autoptr(LaunchList) launches = variant_build_launches(variant, NULL); /* as it has been */
    g_autoptr(JsonNode) why = why_json(&layers, scenario, variant, launches);
    if (options->output) status = write_result(directory, &whole, why);
    print_answer(path, options, why);
    if (status != STATUS_DONE) return status;
    return trials_end(layers.trials) == TRIALS_INTERRUPTED ? STATUS_INTERRUPTED : STATUS_DONE;
}

static Status why(const char *path, const Options *options)
{
    TrialSettings settings;
    g_autoptr(GError) error = NULL;
    if (!read_options(options, &settings, &error)) return command_reject("%s", error->message);
    if (options->output)
        signals_watch(); /* of a run, which comes first */
    else
        interrupts_watch();
    g_autoptr(Scenario) scenario = scenario_load(path, (const char *const *)options->sets, &error);
    const Variant *variant = scenario ? prepare(scenario, options, &error) : NULL;
    if (variant) return ask(path, scenario, variant, &settings, options);
    kernel_choice_name_error(&options->choice, error);
    return command_reject("%s", error->message);
}

Status command_why(int argc, char **argv)
{
    g_auto(Options)
        options = {.processes = (gint)limits_processes(), .runs = RUNS, .layers = LAYERS};
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        {"kernels", 0, 0, G_OPTION_ARG_STRING, &options.choice.kernels,
         "ask of these kernels, as 'check' numbers them: '3-7,9'; those before run, too", "LIST"},
        {"kernel", 0, 0, G_OPTION_ARG_STRING, &options.choice.name,
         "ask of kernels of this name, in which * stands for anything", "NAME"},
        {"alone", 0, 0, G_OPTION_ARG_NONE, &options.alone,
         "leave out what comes before these kernels; caches are cold at the first", NULL},
        {"variant", 'v', 0, G_OPTION_ARG_STRING, &options.variant,
         "ask of this variant instead of the first", "NAME"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.processes,
         "runs at a time; by default as many as there are CPUs", "N"},
        {"layers", 0, 0, G_OPTION_ARG_INT, &options.layers,
         "remove the bound and ask again until there are so many; 3", "N"},
        {"runs", 0, 0, G_OPTION_ARG_INT, &options.runs,
         "try no more than so many machines, known ones too; 160", "N"},
        {"limit", 0, 0, G_OPTION_ARG_STRING, &options.limit,
         "answer with what is known after so long, as 90s or 10min", "TIME"},
        {"details", 'd', 0, G_OPTION_ARG_NONE, &options.details, "print everything that was tried",
         NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "write DIR/VARIANT/result.json with the answer in it, and host.json", "DIR"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print the answer as JSON", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "print errors only", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage =
            "why SCENARIO [--set GROUP.KEY=VALUE]... [--kernels LIST] [--variant NAME] [-j N] [-o DIR] "
            "[OPTION]...",
        .summary = "Says what bounds a run, by trying: each component perfect, and its parts\n"
                   "twice as large or fast; then with the first bound removed what comes next.",
        .description =
            "Runs are kept in the user's cache folder: what was asked before is answered at once,\n"
            "and what was interrupted goes on. The same scenario has the same answer, however many\n"
            "runs there are at a time, unless --limit ends it.",
        .entries = entries,
        .ranges = (const OptionRange[]){{"jobs", 1, LIMITS_PROCESSES_MAX},
                                        {"runs", 1, 100000},
                                        {"layers", 1, 100},
                                        {NULL, 0, 0}},
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    options.choice.in_place = !options.alone;
    kernel_choice_apply(&options.choice, &options.sets);
    return why(argv[1], &options);
}
