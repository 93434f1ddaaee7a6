#include <stdio.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/command.h"
#include "scenarios/program/run/status_line.h"
#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/study/points/run.h"
#include "scenarios/program/validate/validation.h"

enum { UNSET = G_MININT, POINTS = 6 };

typedef struct {
    char **sets;
    char *curve, *limit;
    gint points, processes;
    gboolean all, json, details, quiet;
} Options;

static void options_finish(Options *options)
{
    g_strfreev(options->sets);
    g_free(options->curve);
    g_free(options->limit);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_finish)

/* Of each curve; 0: all. */
static bool read_points(const Options *options, guint *points, GError **error)
{
    const bool unset = options->points == UNSET;
    if (options->all && !unset) {
        g_set_error_literal(error, STUDY_ERROR, 0, "--all and --points: one of them");
        return false;
    }
    *points = options->all ? 0 : unset ? POINTS : (guint)options->points;
    return true;
}

static bool check_presets(char *const *presets, GError **error)
{
    g_auto(GStrv) known = published_presets();
    for (char *const *preset = presets; *preset; preset++) {
        if (g_strv_contains((const char *const *)known, *preset)) continue;
        const char *near = nearest_name(*preset, (const char *const *)known);
        g_autofree char *all = g_strjoinv(", ", known);
        g_set_error(error, STUDY_ERROR, 0, "%s: nothing published; %s %s", *preset,
                    near ? "did you mean" : "there are", near ? near : all);
        return false;
    }
    return true;
}

static bool read_options(const Options *options, TrialSettings *settings, GError **error)
{
    *settings = (TrialSettings){.processes = (guint)options->processes,
                                .most = G_MAXUINT,
                                .progress = !options->quiet && status_line_fits()};
    return !options->limit
           || limits_parse_time("--limit", options->limit, &settings->time_s, error);
}

static Status find_status(const Validation *validation)
{
    if (trials_end(validation->trials) == TRIALS_INTERRUPTED) return STATUS_INTERRUPTED;
    return validation->failed ? STATUS_FAILED : STATUS_DONE;
}

static Status validate(char *const *presets, const Options *options)
{
    TrialSettings settings;
    g_autoptr(GError) error = NULL;
    g_auto(Validation) validation = {0};
    ValidationChoice choice = {.presets = presets, .curve = options->curve, .sets = options->sets};
    interrupts_watch();
    if (!read_options(options, &settings, &error) || !read_points(options, &choice.most, &error)
        || !check_presets(presets, &error) || !validation_prepare(&validation, &choice, &error)
        || !validation_run(&validation, &settings, &error))
        return command_reject("%s", error->message);
    if (options->json)
        validation_print_json(&validation, stdout);
    else if (!options->quiet)
        validation_print(&validation, options->details, stdout);
    return find_status(&validation);
}

Status command_validate(int argc, char **argv)
{
    g_auto(Options) options = {.processes = (gint)limits_processes(), .points = UNSET};
    const GOptionEntry entries[] = {
        {"curve", 'c', 0, G_OPTION_ARG_STRING, &options.curve,
         "only curves whose name begins so: latency, stream, 'stream read'", "NAME"},
        {"points", 'p', 0, G_OPTION_ARG_INT, &options.points,
         "so many points of each curve, spread evenly, both ends among them; 6", "N"},
        {"all", 'a', 0, G_OPTION_ARG_NONE, &options.all, "all points", NULL},
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.processes,
         "runs at a time; by default as many as there are CPUs", "N"},
        {"limit", 0, 0, G_OPTION_ARG_STRING, &options.limit,
         "answer with what is known after so long, as 90s or 10min", "TIME"},
        {"details", 'd', 0, G_OPTION_ARG_NONE, &options.details, "print every point", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print the answer as JSON", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "print errors only", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "validate [GPU]... [--curve NAME] [--points N | --all] "
                 "[--set GROUP.KEY=VALUE]... [-j N] [OPTION]...",
        .summary = "Runs published benchmarks on the presets and says how far off the model is.",
        .description =
            "GPUs are presets with published measurements; without one, all of them. The\n"
            "figures with their sources, and the scenarios that do the same, stand in\n"
            "scenarios/measured/published. Runs are kept in the user's cache folder: what was\n"
            "interrupted goes on.",
        .entries = entries,
        .ranges = (const OptionRange[]){{"points", 1, 100000},
                                        {"jobs", 1, LIMITS_PROCESSES_MAX},
                                        {NULL, 0, 0}},
        .least = 0,
        .most = 100,
    };
    Status status;
    return command_parse(&line, &argc, &argv, &status) ? validate(argv + 1, &options) : status;
}
