/* `study run DIR --slurm` and `--command-list`: the shards of a study elsewhere. */
#include <stdio.h>
#include <string.h>

#include "scenarios/program/say/table.h"
#include "scenarios/program/study/cluster/cluster.h"
#include "scenarios/program/study/points/limits.h"
#include "scenarios/program/study/records/record_set.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef struct {
    gboolean slurm, command_list, no_submit;
    char *partition, *time, *account;
    char **sbatch;
    gint shards, processes;
    /* of each `study run`, handed on */
    char *time_limit, *memory_limit;
    gint retries;
    gboolean retry_failed, keep_results, fail_fast;
} Options;

static void options_finish(Options *options)
{
    g_free(options->partition);
    g_free(options->time);
    g_free(options->account);
    g_free(options->time_limit);
    g_free(options->memory_limit);
    g_strfreev(options->sbatch);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_finish)

static void add_option(GPtrArray *words, const char *name, const char *value)
{
    if (value) g_ptr_array_add(words, g_strdup_printf("--%s=%s", name, value));
}

static char **list_sbatch_options(const Options *options)
{
    GPtrArray *words = g_ptr_array_new();
    add_option(words, "partition", options->partition);
    add_option(words, "time", options->time);
    add_option(words, "account", options->account);
    for (char **option = options->sbatch; option && *option; option++)
        g_ptr_array_add(words, g_strdup(*option));
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

static char **list_run_options(const Options *options)
{
    GPtrArray *words = g_ptr_array_new();
    add_option(words, "time-limit", options->time_limit);
    add_option(words, "memory-limit", options->memory_limit);
    if (options->retries) {
        g_autofree char *count = g_strdup_printf("%d", options->retries);
        add_option(words, "retries", count);
    }
    if (options->retry_failed) g_ptr_array_add(words, g_strdup("--retry-failed"));
    if (options->keep_results) g_ptr_array_add(words, g_strdup("--keep-results"));
    if (options->fail_fast) g_ptr_array_add(words, g_strdup("--fail-fast"));
    g_ptr_array_add(words, g_strdup("--quiet"));
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

/* Shards with points that `study run` would run; of guint, NULL with error. */
static GArray *list_open_shards(const char *directory, const Manifest *manifest,
                                const Options *options, GError **error)
{
    g_autoptr(RecordSet) recorded = record_set_new(directory, manifest);
    if (!record_set_update(recorded, error)) return NULL;
    const guint count = MIN((guint)options->shards, manifest->points->len);
    g_autofree bool *open = g_new0(bool, count + 1);
    for (guint i = 0; i < manifest->points->len; i++) {
        const Point *point = manifest->points->pdata[i];
        const Recorded *found = record_set_find(recorded, point->key);
        open[i % count] |= !found || (options->retry_failed && found->status != POINT_DONE);
    }
    GArray *shards = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint k = 0; k < count; k++)
        if (open[k]) g_array_append_val(shards, k);
    return shards;
}

/* The job is where the study is going on; from here on there is nothing to wait for. */
static Status submit(const ClusterRequest *request)
{
    g_autoptr(GError) error = NULL;
    g_auto(SlurmJobs) jobs = {NULL, NULL};
    g_autofree char *folder = text_shell_word(request->directory);
    if (slurm_submit(request, &jobs, &error)) {
        printf("Slurm job %s: %u shards, %u points at a time each; job %s merges them\n",
               jobs.shards, request->shards->len, request->processes, jobs.merge);
        printf("  warpmem study status %s\n", folder);
        return STATUS_DONE;
    }
    command_reject("%s", error->message);
    if (jobs.shards) {
        command_reject("job %s was submitted; when it has ended: warpmem study merge %s",
                       jobs.shards, folder);
    }
    return STATUS_FAILED;
}

static Status run_slurm(const ClusterRequest *request, bool no_submit)
{
    g_autoptr(GError) error = NULL;
    if (!request->shards->len) {
        printf("every point has a record; nothing to submit\n");
        return STATUS_DONE;
    }
    if (!slurm_write_scripts(request, &error)) return command_reject("%s", error->message);
    if (!no_submit) return submit(request);
    printf("%s/slurm/shards.sh and merge.sh: written, not submitted\n", request->directory);
    return STATUS_DONE;
}

static Status run_elsewhere(const char *directory, const Options *options)
{
    if (options->slurm && options->command_list)
        return command_reject("--slurm and --command-list exclude each other");
    g_autofree char *absolute = g_canonicalize_filename(directory, NULL);
    if (strpbrk(absolute, "\n\r"))
        return command_reject("%s: its name has a line break, which no script can hold", directory);
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = manifest_read(directory, &error);
    g_autoptr(GArray) shards =
        manifest ? list_open_shards(directory, manifest, options, &error) : NULL;
    if (!shards) return command_reject("%s", error->message);
    const guint count = MIN((guint)options->shards, manifest->points->len);
    g_auto(GStrv) run_options = list_run_options(options);
    g_auto(GStrv) sbatch_options = list_sbatch_options(options);
    const ClusterRequest request = {directory,   shards,        count, (guint)options->processes,
                                    run_options, sbatch_options};
    if (options->slurm) return run_slurm(&request, options->no_submit);
    cluster_print_commands(&request, stdout);
    return STATUS_DONE;
}

bool verb_is_for_cluster(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--slurm") || !strcmp(argv[i], "--command-list")) return true;
    return false;
}

Status verb_cluster(int argc, char **argv)
{
    g_auto(Options) options = {.shards = 16, .processes = 1};
    const GOptionEntry entries[] = {
        {"slurm", 0, 0, G_OPTION_ARG_NONE, &options.slurm,
         "submit an array job of the shards and a merge behind it", NULL},
        {"command-list", 0, 0, G_OPTION_ARG_NONE, &options.command_list,
         "print a command for each shard, for another scheduler", NULL},
        {"shards", 0, 0, G_OPTION_ARG_INT, &options.shards, "how many shards (16)", "T"},
        {"jobs", 'j', 0, G_OPTION_ARG_INT, &options.processes,
         "points at a time of each shard, its CPUs (1)", "N"},
        {"partition", 0, 0, G_OPTION_ARG_STRING, &options.partition, "of Slurm", "NAME"},
        {"time", 0, 0, G_OPTION_ARG_STRING, &options.time, "a shard's limit, as sbatch has it",
         "TIME"},
        {"account", 0, 0, G_OPTION_ARG_STRING, &options.account, "of Slurm", "NAME"},
        {"sbatch", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.sbatch,
         "any other option of sbatch, as --sbatch=--mem=4G; may be repeated", "OPTION"},
        {"no-submit", 0, 0, G_OPTION_ARG_NONE, &options.no_submit,
         "write the scripts, do not submit them", NULL},
        {"time-limit", 0, 0, G_OPTION_ARG_STRING, &options.time_limit,
         "a point's, handed on to the shards; so are the following", "TIME"},
        {"memory-limit", 0, 0, G_OPTION_ARG_STRING, &options.memory_limit, "a point's", "SIZE"},
        {"retries", 0, 0, G_OPTION_ARG_INT, &options.retries,
         "try again points that were killed or hit a limit", "N"},
        {"retry-failed", 0, 0, G_OPTION_ARG_NONE, &options.retry_failed,
         "run points that failed before again", NULL},
        {"keep-results", 0, 0, G_OPTION_ARG_NONE, &options.keep_results,
         "keep each point's result.json", NULL},
        {"fail-fast", 0, 0, G_OPTION_ARG_NONE, &options.fail_fast,
         "a shard ends at its first failure", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study run DIR --slurm|--command-list [--shards T] [-j N] [--partition NAME] "
                 "[--time TIME] [--account NAME] [--sbatch OPTION]... [--no-submit]",
        .summary = "Runs the shards of a study on a cluster.",
        .description =
            "DIR must be on a file system that all nodes share, and the program at the same path.\n"
            "Only shards with points left to run are submitted, so submitting again goes on.",
        .entries = entries,
        .ranges = (const OptionRange[]){{"shards", 1, 100000},
                                        {"jobs", 1, 1024},
                                        {"retries", 0, LIMITS_RETRIES_MAX},
                                        {NULL, 0, 0}},
        .least = 1,
        .most = 1,
    };
    Status status;
    return command_parse(&line, &argc, &argv, &status) ? run_elsewhere(argv[1], &options) : status;
}
