/* Shards of a study elsewhere: command lists, and Slurm's scripts with a stand-in for sbatch and
 * squeue. A real Slurm is in test/cluster. */
#include "rigs/harness.h"

#include "rigs/program.h"

static const char scenario[] = "[scenario]\nextends = v100\n"
                               "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
                               "[workload]\npattern = pointer_chase\nworking_set = 16 KiB\n"
                               "loads = 20\n"
                               "[study]\nworkload.loads = 20 .. 24 step 1\n";

/* Notes its words and answers with job numbers 41, 42 ... */
static const char sbatch[] = "#!/bin/sh\n"
                             "here=$(dirname \"$0\")\n"
                             "echo \"$@\" >>\"$here/said\"\n"
                             "[ ! -e \"$here/refuse-$(basename \"$2\")\" ] || "
                             "{ echo 'sbatch: error: invalid partition' >&2; exit 1; }\n"
                             "echo \"$((40 + $(wc -l <\"$here/said\")));loopback\"\n";
static const char squeue[] =
    "#!/bin/sh\n"
    "case $* in *41*) printf 'RUNNING\\nPENDING\\nRUNNING\\n' ;;\n"
    "*) echo 'slurm_load_jobs error: Invalid job id' >&2; exit 1 ;; esac\n";

typedef struct {
    char *folder, *path;
} Cluster;

static void add_command(const Cluster *cluster, const char *name, const char *text)
{
    g_autofree char *file = temporary_file(cluster->folder, name, text);
    ck_assert_int_eq(g_chmod(file, 0755), 0);
}

static void cluster_finish(Cluster *cluster)
{
    g_setenv("PATH", cluster->path, TRUE);
    g_free(cluster->path);
    temporary_remove(cluster->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cluster, cluster_finish)

/* With a planned study in the folder "a study". */
static Cluster cluster_new(bool with_slurm)
{
    Cluster cluster = {temporary_folder(), g_strdup(g_getenv("PATH"))};
    g_autofree char *file = temporary_file(cluster.folder, "small.ini", scenario);
    const Outcome planned = warpmem(cluster.folder, "study plan small.ini -o 'a study'");
    ck_assert_msg(planned.status == 0, "%s", planned.errors);
    if (with_slurm) add_command(&cluster, "sbatch", sbatch);
    if (with_slurm) add_command(&cluster, "squeue", squeue);
    g_autofree char *path =
        with_slurm ? g_strconcat(cluster.folder, ":", cluster.path, NULL) : g_strdup("/nowhere");
    g_setenv("PATH", path, TRUE);
    return cluster;
}

/* The text with the study's folder as DIR and the program as PROGRAM. */
static char *neutral(const Cluster *cluster, const char *text)
{
    g_autofree char *folder = g_canonicalize_filename(cluster->folder, NULL);
    g_autoptr(GString) neutral = g_string_new(text);
    g_string_replace(neutral, folder, "DIR", 0);
    g_string_replace(neutral, program(), "PROGRAM", 0);
    return g_string_free(g_steal_pointer(&neutral), FALSE);
}

static void expect_script(const Cluster *cluster, const char *name, const char *expected)
{
    g_autofree char *file = g_build_filename("a study", "slurm", name, NULL);
    g_autofree char *text = contents(cluster->folder, file);
    g_autofree char *script = neutral(cluster, text);
    ck_assert_str_eq(script, expected);
}

static void run_points(const Cluster *cluster, const char *options)
{
    g_autofree char *line = g_strdup_printf("study run 'a study' --quiet %s", options);
    const Outcome run = warpmem(cluster->folder, line);
    ck_assert_msg(run.status == 0, "%s", run.errors);
}

/* --- other schedulers --- */

START_TEST(a_command_list_has_a_command_for_each_shard)
{
    g_auto(Cluster) cluster = cluster_new(false);
    const Outcome outcome = warpmem(cluster.folder, "study run 'a study' --command-list "
                                                    "--shards 2 -j 3 --time-limit 60s");
    ck_assert_int_eq(outcome.status, 0);
    g_autofree char *list = neutral(&cluster, outcome.out);
    ck_assert_str_eq(list,
                     "PROGRAM study run 'DIR/a study' --shard 0/2 -j 3 --time-limit=60s --quiet\n"
                     "PROGRAM study run 'DIR/a study' --shard 1/2 -j 3 --time-limit=60s --quiet\n");
}
END_TEST

START_TEST(the_commands_of_a_list_run_the_whole_study)
{
    g_auto(Cluster) cluster = cluster_new(false);
    const Outcome list = warpmem(cluster.folder, "study run 'a study' --command-list --shards 9");
    g_autofree char *lines = g_strchomp(g_strdup(list.out));
    g_auto(GStrv) commands = g_strsplit(lines, "\n", -1);
    ck_assert_uint_eq(g_strv_length(commands), 5); /* not more than points */
    for (char **command = commands; *command; command++) {
        g_auto(GStrv) words = NULL;
        ck_assert(g_shell_parse_argv(*command, NULL, &words, NULL));
        const Outcome run = run_words(words, "/");
        ck_assert_msg(run.status == 0, "%s: %s", *command, run.errors);
    }
    const Outcome status = warpmem(cluster.folder, "study status 'a study' --json");
    ck_assert_ptr_nonnull(strstr(status.out, "\"done\": 5"));
}
END_TEST

START_TEST(shards_without_points_left_are_left_out)
{
    g_auto(Cluster) cluster = cluster_new(false);
    run_points(&cluster, "--shard 1/3");
    const Outcome list = warpmem(cluster.folder, "study run 'a study' --command-list --shards 3");
    ck_assert_ptr_nonnull(strstr(list.out, "--shard 0/3"));
    ck_assert_ptr_null(strstr(list.out, "--shard 1/3"));
    ck_assert_ptr_nonnull(strstr(list.out, "--shard 2/3"));
}
END_TEST

/* --- Slurm --- */

START_TEST(an_array_job_of_the_shards_and_a_merge_behind_it_are_submitted)
{
    g_auto(Cluster) cluster = cluster_new(true);
    run_points(&cluster, "--shard 3/5");
    const Outcome outcome =
        warpmem(cluster.folder, "study run 'a study' --slurm --shards 5 -j 2 --partition gpu "
                                "--time 01:00:00 --account physics '--sbatch=--comment=two words' "
                                "--retries 2");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ck_assert_str_eq(outcome.out, "Slurm job 41: 4 shards, 2 points at a time each; job 42 merges "
                                  "them\n  warpmem study status 'a study'\n");
    expect_script(&cluster, "shards.sh",
                  "#!/bin/sh\n"
                  "#SBATCH --job-name=warpmem-study\n"
                  "#SBATCH '--output=DIR/a study/slurm/shard-%a.log'\n"
                  "#SBATCH --open-mode=append\n"
                  "#SBATCH --partition=gpu\n"
                  "#SBATCH --time=01:00:00\n"
                  "#SBATCH --account=physics\n"
                  "#SBATCH '--comment=two words'\n"
                  "#SBATCH --array=0-2,4\n"
                  "#SBATCH --cpus-per-task=2\n"
                  "#SBATCH --requeue\n"
                  "exec PROGRAM study run 'DIR/a study' --shard \"$SLURM_ARRAY_TASK_ID\"/5 -j 2 "
                  "--retries=2 --quiet\n");
    expect_script(&cluster, "merge.sh",
                  "#!/bin/sh\n"
                  "#SBATCH --job-name=warpmem-merge\n"
                  "#SBATCH '--output=DIR/a study/slurm/merge.log'\n"
                  "#SBATCH --open-mode=append\n"
                  "#SBATCH --partition=gpu\n"
                  "#SBATCH --time=01:00:00\n"
                  "#SBATCH --account=physics\n"
                  "#SBATCH '--comment=two words'\n"
                  "#SBATCH --requeue\n"
                  "exec PROGRAM study merge 'DIR/a study'\n");
    g_autofree char *said = contents(cluster.folder, "said");
    ck_assert_str_eq(said, "--parsable a study/slurm/shards.sh\n"
                           "--parsable --dependency=afterany:41 a study/slurm/merge.sh\n");
}
END_TEST

START_TEST(status_says_what_the_queue_knows_of_the_jobs)
{
    g_auto(Cluster) cluster = cluster_new(true);
    const Outcome before = warpmem(cluster.folder, "study status 'a study'");
    ck_assert_ptr_null(strstr(before.out, "Slurm"));
    const Outcome submitted = warpmem(cluster.folder, "study run 'a study' --slurm");
    ck_assert_int_eq(submitted.status, 0);
    const Outcome status = warpmem(cluster.folder, "study status 'a study'");
    ck_assert_ptr_nonnull(strstr(status.out, "Slurm job 41 (shards): 2 RUNNING, 1 PENDING; job 42 "
                                             "(merge): no longer in the queue\n"));
}
END_TEST

START_TEST(nothing_is_submitted_when_every_point_has_a_record)
{
    g_auto(Cluster) cluster = cluster_new(true);
    run_points(&cluster, "");
    const Outcome outcome = warpmem(cluster.folder, "study run 'a study' --slurm");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_str_eq(outcome.out, "every point has a record; nothing to submit\n");
    ck_assert(!exists(cluster.folder, "said"));
}
END_TEST

START_TEST(scripts_can_be_written_without_submitting_them)
{
    g_auto(Cluster) cluster = cluster_new(true);
    const Outcome outcome = warpmem(cluster.folder, "study run 'a study' --slurm --no-submit");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert(exists(cluster.folder, "a study/slurm/shards.sh"));
    ck_assert(exists(cluster.folder, "a study/slurm/merge.sh"));
    ck_assert(!exists(cluster.folder, "said"));
}
END_TEST

START_TEST(what_slurm_says_against_a_job_is_told)
{
    g_auto(Cluster) cluster = cluster_new(true);
    g_autofree char *refuse = temporary_file(cluster.folder, "refuse-shards.sh", "");
    const Outcome outcome = warpmem(cluster.folder, "study run 'a study' --slurm");
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_str_eq(outcome.errors, "warpmem: sbatch failed: sbatch: error: invalid partition\n");
    ck_assert(!exists(cluster.folder, "a study/slurm/jobs"));
}
END_TEST

START_TEST(without_slurm_the_other_way_is_named)
{
    g_auto(Cluster) cluster = cluster_new(false);
    const Outcome outcome = warpmem(cluster.folder, "study run 'a study' --slurm");
    ck_assert_int_eq(outcome.status, 1);
    ck_assert_ptr_nonnull(strstr(outcome.errors, "sbatch: no such command here"));
    ck_assert_ptr_nonnull(strstr(outcome.errors, "--command-list"));
}
END_TEST

START_TEST(a_folder_with_a_line_break_is_refused)
{
    g_auto(Cluster) cluster = cluster_new(true);
    g_autofree char *study = g_build_filename(cluster.folder, "a study", NULL);
    g_autofree char *other = g_build_filename(cluster.folder, "a\nb", NULL);
    ck_assert_int_eq(g_rename(study, other), 0);
    const Outcome outcome = warpmem(cluster.folder, "study run 'a\nb' --command-list");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, "line break") != NULL, "%s", outcome.errors);
}
END_TEST

START_TEST(options_out_of_range_are_rejected)
{
    static const char *const options[][2] = {
        {"--slurm --command-list", "--slurm and --command-list exclude each other"},
        {"--slurm --shards 0", "--shards 0: allowed: whole number from 1 to 100000"},
        {"--command-list -j 0", "--jobs 0: allowed: whole number from 1 to 1024"},
        {"--command-list --retries=-1", "--retries -1: allowed: whole number from 0 to 100"},
        {"--slurm --partition", "Missing argument for --partition"},
    };
    g_auto(Cluster) cluster = cluster_new(true);
    for (unsigned i = 0; i < G_N_ELEMENTS(options); i++) {
        g_autofree char *line = g_strdup_printf("study run 'a study' %s", options[i][0]);
        const Outcome outcome = warpmem(cluster.folder, line);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_msg(strstr(outcome.errors, options[i][1]) != NULL, "%s", outcome.errors);
    }
    ck_assert(!exists(cluster.folder, "said"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {a_command_list_has_a_command_for_each_shard,
                                  the_commands_of_a_list_run_the_whole_study,
                                  shards_without_points_left_are_left_out,
                                  an_array_job_of_the_shards_and_a_merge_behind_it_are_submitted,
                                  status_says_what_the_queue_knows_of_the_jobs,
                                  nothing_is_submitted_when_every_point_has_a_record,
                                  scripts_can_be_written_without_submitting_them,
                                  what_slurm_says_against_a_job_is_told,
                                  without_slurm_the_other_way_is_named,
                                  a_folder_with_a_line_break_is_refused,
                                  options_out_of_range_are_rejected};
    TCase *cases = tcase_create("cluster");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    return harness_run_cases("cluster", cases);
}
