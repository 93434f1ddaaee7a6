/* warpmem study run */
#include "scenarios/program/run/status_line.h"
#include "scenarios/program/study/plan/build_id.h"
#include "scenarios/program/study/plan/plan.h"
#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/study/points/summary.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef struct {
    char **sets;
    char *output, *shard, *time_limit, *memory_limit;
    gint processes, retries;
    gboolean fail_fast, retry_failed, keep_results, json, quiet;
} Options;

static void options_finish(Options *options)
{
    g_strfreev(options->sets);
    g_free(options->output);
    g_free(options->shard);
    g_free(options->time_limit);
    g_free(options->memory_limit);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_finish)

/* --- settings --------------------------------------------------------------------------------- */

static bool read_options(const Options *options, StudyRunSettings *settings, GError **error)
{
    PoolSettings *pool = &settings->pool;
    settings->shard = (Shard){0, 1};
    if (options->shard && !shard_parse(options->shard, &settings->shard, error)) return false;
    if (options->time_limit
        && !limits_parse_time("--time-limit", options->time_limit, &pool->limits.time_s, error))
        return false;
    if (options->memory_limit
        && !limits_parse_memory("--memory-limit", options->memory_limit, &pool->limits.memory_bytes,
                                error))
        return false;
    pool->simulate = point_simulate;
    pool->processes = (guint)options->processes;
    pool->keep_results = options->keep_results;
    settings->retries = (guint)options->retries;
    settings->fail_fast = options->fail_fast;
    settings->retry_failed = options->retry_failed;
    settings->progress = !options->quiet && status_line_fits();
    return true;
}

/* --- the plan --------------------------------------------------------------------------------- */

/* Of a scenario that is to be run at once. The same plan may be written again. */
static bool plan_first(const char *scenario, const Options *options, GError **error)
{
    if (manifest_exists(scenario)) {
        g_set_error(error, STUDY_ERROR, 0,
                    "-o %s: %s is a study, and its points are recorded there; -o is for a "
                    "scenario, which is planned first",
                    options->output, scenario);
        return false;
    }
    g_autoptr(Unread) unread = unread_new(NULL);
    g_auto(PlanReport) report = {.unread = unread};
    g_autoptr(Manifest) manifest =
        plan_new(scenario, (const char *const *)options->sets, &report, error);
    if (!manifest || !manifest_write(manifest, options->output, error)) return false;
    if (!options->quiet) unread_warn(unread);
    return true;
}

static bool check_usage(const Options *options, GError **error)
{
    if (options->output && !*options->output)
        g_set_error(error, STUDY_ERROR, 0, "-o '': an empty name; it names the study's folder");
    else if (options->sets && !options->output)
        g_set_error(error, STUDY_ERROR, 0,
                    "--set %s: a plan is not changed; --set is for 'study run SCENARIO -o DIR', "
                    "which plans first",
                    options->sets[0]);
    return !*error;
}

/* What would make every point fail is said once, before the first. */
static bool check_plan(const Manifest *manifest, const char *directory, GError **error)
{
    if (!build_check(manifest, directory, error)) return false;
    for (guint i = 0; i < manifest->bases->len; i++)
        if (!base_check_files(manifest->bases->pdata[i], error)) return false;
    return true;
}

/* The manifest in the study's folder; NULL with error. */
static Manifest *prepare_plan(const char *word, const char *directory, const Options *options,
                              GError **error)
{
    if (!check_usage(options, error)) return NULL;
    if (options->output && !plan_first(word, options, error)) return NULL;
    g_autoptr(Manifest) manifest = manifest_read(directory, error);
    if (!manifest || !check_plan(manifest, directory, error)) return NULL;
    return g_steal_pointer(&manifest);
}

/* --- running ---------------------------------------------------------------------------------- */

static Status find_status(const RunSummary *summary)
{
    if (summary->report->interrupted) return STATUS_INTERRUPTED;
    return summary->status->failed || summary->status->missing ? STATUS_FAILED : STATUS_DONE;
}

static void complain_of_failures(const RunSummary *summary)
{
    const StudyStatus *status = summary->status;
    if (!status->failed) return;
    command_reject("%s: %u of %u points failed", summary->settings->directory, status->failed,
                   status->points);
    run_summary_print_failures(summary, stderr);
}

static Status report_end(const RunSummary *summary, const Options *options)
{
    const StudyRunSettings *settings = summary->settings;
    const StudyStatus *status = summary->status;
    if (options->json)
        run_summary_print_json(summary, stdout);
    else if (!options->quiet)
        run_summary_print(summary, stdout);
    else
        complain_of_failures(summary);
    if (summary->report->interrupted) {
        g_autofree char *next = study_next_command(settings, status);
        command_reject("interrupted: %u of %u points are recorded; to go on: %s",
                       status->points - status->missing, status->points, next);
    }
    return find_status(summary);
}

/* `word` is the study's folder, or with -o a scenario. */
static Status run_study(const char *word, const Options *options)
{
    const char *directory = options->output ? options->output : word;
    g_autoptr(GError) error = NULL;
    StudyRunSettings settings = {.directory = directory};
    g_auto(StudyRunReport) report = {0};
    if (!read_options(options, &settings, &error)) return command_reject("%s", error->message);
    g_autoptr(Manifest) manifest = prepare_plan(word, directory, options, &error);
    if (!manifest) return command_reject("%s", error->message);
    settings.pool.manifest = manifest;
    g_autoptr(RecordSet) records = record_set_new(directory, manifest);
    if (!study_run(&settings, records, &report, &error))
        return command_reject("%s", error->message);
    g_auto(StudyStatus) status = study_status(manifest, records, settings.shard);
    const RunSummary summary = {manifest, &settings, &report, &status};
    return report_end(&summary, options);
}

Status verb_run(int argc, char **argv)
{
    g_auto(Options) options = {.processes = (gint)limits_processes()};
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         "plan the scenario's study in this folder first", "DIR"},
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.sets,
         "with -o: a setting over all others; may be repeated", "GROUP.KEY=VALUE"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.processes,
         "points at a time; by default as many as there are CPUs", "N"},
        {"shard", 0, 0, G_OPTION_ARG_STRING, &options.shard,
         "only points k, k + T, k + 2 T ... of the plan; k is from 0 to T - 1", "k/T"},
        {"time-limit", 0, 0, G_OPTION_ARG_STRING, &options.time_limit,
         "end a point that takes longer, as 60s or 10min", "TIME"},
        {"memory-limit", 0, 0, G_OPTION_ARG_STRING, &options.memory_limit,
         "end a point whose resident memory is larger, as 2GiB", "SIZE"},
        {"retries", 0, 0, G_OPTION_ARG_INT, &options.retries,
         "try a point again, at once, that is killed or over a limit", "N"},
        {"retry-failed", 0, 0, G_OPTION_ARG_NONE, &options.retry_failed,
         "run recorded points again that are not done", NULL},
        {"fail-fast", 0, 0, G_OPTION_ARG_NONE, &options.fail_fast, "stop at the first failure",
         NULL},
        {"keep-results", 0, 0, G_OPTION_ARG_NONE, &options.keep_results,
         "write DIR/results/KEY/result.json and host.json too", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.json, "print the summary as JSON", NULL},
        {"quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "print errors only", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study run {DIR | SCENARIO -o DIR} [-j N] [--shard k/T] [OPTION]...",
        .summary = "Runs the points of a study that are not recorded yet.",
        .description =
            "It may be killed at any time and run again; several may run at once, also on several\n"
            "machines that share the folder. Interrupt (SIGINT, SIGTERM) ends it, and points that\n"
            "were not finished are run next time; SIGUSR1 prints a status line.\n"
            "With --slurm, or --command-list for other schedulers, its shards run elsewhere;\n"
            "'study run --slurm --help' has the options of that.\n"
            "Exit status: 0 all points are done, 1 some failed, 130 interrupted.",
        .entries = entries,
        .ranges = (const OptionRange[]){{"jobs", 1, LIMITS_PROCESSES_MAX},
                                        {"retries", 0, LIMITS_RETRIES_MAX},
                                        {NULL, 0, 0}},
        .least = 1,
        .most = 1,
    };
    Status status;
    if (verb_is_for_cluster(argc, argv)) return verb_cluster(argc, argv);
    return command_parse(&line, &argc, &argv, &status) ? run_study(argv[1], &options) : status;
}
