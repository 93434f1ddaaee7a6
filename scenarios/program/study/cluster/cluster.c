#include "scenarios/program/study/cluster/cluster.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "scenarios/program/say/table.h"

static char *cluster_folder(const char *directory)
{
    return g_build_filename(directory, "slurm", NULL);
}

static char *cluster_file(const char *directory, const char *name)
{
    return g_build_filename(directory, "slurm", name, NULL);
}

/* --- commands --------------------------------------------------------------------------------- */

static void append_word(GString *text, const char *word)
{
    g_autofree char *quoted = text_shell_word(word);
    g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
}

/* "PROGRAM study VERB DIRECTORY", all paths absolute: a job starts anywhere. */
static GString *begin_command(const ClusterRequest *request, const char *verb)
{
    GString *text = g_string_new(NULL);
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *directory = g_canonicalize_filename(request->directory, NULL);
    append_word(text, program ? program : "warpmem");
    append_word(text, "study");
    append_word(text, verb);
    append_word(text, directory);
    return text;
}

/* `shard` is a number, or the shell variable that holds it. */
static char *shard_command(const ClusterRequest *request, const char *shard)
{
    GString *text = begin_command(request, "run");
    g_string_append_printf(text, " --shard %s/%u -j %u", shard, request->shard_count,
                           request->processes);
    for (char **option = request->run_options; option && *option; option++)
        append_word(text, *option);
    return g_string_free(text, FALSE);
}

void cluster_print_commands(const ClusterRequest *request, FILE *out)
{
    for (guint i = 0; i < request->shards->len; i++) {
        g_autofree char *number = g_strdup_printf("%u", g_array_index(request->shards, guint, i));
        g_autofree char *command = shard_command(request, number);
        fprintf(out, "%s\n", command);
    }
}

/* --- scripts ---------------------------------------------------------------------------------- */

/* "0-3,7" */
static char *describe_shards(const GArray *shards)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < shards->len;) {
        const guint first = g_array_index(shards, guint, i);
        guint last = first;
        for (i++; i < shards->len && g_array_index(shards, guint, i) == last + 1; i++) last++;
        g_string_append_printf(text, "%s%u", text->len ? "," : "", first);
        if (last > first) g_string_append_printf(text, "-%u", last);
    }
    return g_string_free(text, FALSE);
}

/* sbatch reads these lines as a shell reads words. In file names, "%" has a meaning. */
static void append_directive(GString *text, const char *option)
{
    g_autofree char *quoted = text_shell_word(option);
    g_string_append_printf(text, "#SBATCH %s\n", quoted);
}

static void append_log(GString *text, const char *directory, const char *name)
{
    g_autofree char *folder = cluster_folder(directory);
    g_autofree char *absolute = g_canonicalize_filename(folder, NULL);
    g_auto(GStrv) parts = g_strsplit(absolute, "%", -1);
    g_autofree char *escaped = g_strjoinv("%%", parts);
    g_autofree char *option = g_strdup_printf("--output=%s/%s", escaped, name);
    append_directive(text, option);
}

static GString *begin_script(const ClusterRequest *request, const char *name, const char *log)
{
    GString *text = g_string_new("#!/bin/sh\n");
    g_string_append_printf(text, "#SBATCH --job-name=%s\n", name);
    append_log(text, request->directory, log);
    g_string_append(text, "#SBATCH --open-mode=append\n");
    for (char **option = request->sbatch_options; option && *option; option++)
        append_directive(text, *option);
    return text;
}

static bool write_script(const char *directory, const char *name, GString *text, GError **error)
{
    g_autofree char *path = cluster_file(directory, name);
    GError *cause = NULL;
    const bool good = g_file_set_contents_full(path, text->str, (gssize)text->len,
                                               G_FILE_SET_CONTENTS_CONSISTENT, 0777, &cause);
    g_string_free(text, TRUE);
    if (good) return true;
    g_set_error(error, STUDY_ERROR, 0, "%s: cannot be written: %s", path, cause->message);
    g_error_free(cause);
    return false;
}

/* Of the exit status of a shard, 1 says that some points failed: the merge runs all the same. */
bool slurm_write_scripts(const ClusterRequest *request, GError **error)
{
    g_autofree char *folder = cluster_folder(request->directory);
    if (g_mkdir_with_parents(folder, 0777)) {
        g_set_error(error, STUDY_ERROR, 0, "%s: cannot be made: %s", folder, g_strerror(errno));
        return false;
    }
    g_autofree char *list = describe_shards(request->shards);
    g_autofree char *run = shard_command(request, "\"$SLURM_ARRAY_TASK_ID\"");
    GString *shards = begin_script(request, "warpmem-study", "shard-%a.log");
    g_string_append_printf(shards, "#SBATCH --array=%s\n#SBATCH --cpus-per-task=%u\n", list,
                           request->processes);
    g_string_append_printf(shards, "#SBATCH --requeue\nexec %s\n", run);
    if (!write_script(request->directory, "shards.sh", shards, error)) return false;
    GString *merge = begin_script(request, "warpmem-merge", "merge.log");
    GString *command = begin_command(request, "merge");
    g_string_append_printf(merge, "#SBATCH --requeue\nexec %s\n", command->str);
    g_string_free(command, TRUE);
    return write_script(request->directory, "merge.sh", merge, error);
}

/* --- Slurm's commands ------------------------------------------------------------------------- */

/* What the command prints, newly allocated, without white space around it; NULL with error. */
static char *call(char **words, GError **error)
{
    g_autofree char *output = NULL;
    g_autofree char *complaint = NULL;
    int state = 0;
    if (!g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &complaint,
                      &state, NULL)) {
        g_set_error(error, STUDY_ERROR, 0,
                    "%s: no such command here, so this is no Slurm cluster; --command-list prints "
                    "the commands for another scheduler",
                    words[0]);
        return NULL;
    }
    if (g_spawn_check_wait_status(state, NULL)) return g_strstrip(g_steal_pointer(&output));
    g_set_error(error, STUDY_ERROR, 0, "%s failed: %s", words[0], g_strstrip(complaint));
    return NULL;
}

/* The job's number; "12;cluster" where there are several. NULL with error. */
static char *submit(const char *directory, const char *script, const char *dependency,
                    GError **error)
{
    g_autofree char *path = cluster_file(directory, script);
    g_autofree char *behind =
        dependency ? g_strdup_printf("--dependency=afterany:%s", dependency) : NULL;
    char *words[] = {(char *)"sbatch", (char *)"--parsable", behind ? behind : path,
                     behind ? path : NULL, NULL};
    char *answer = call(words, error);
    if (answer) answer[strcspn(answer, ";")] = '\0';
    return answer;
}

void slurm_jobs_clear(SlurmJobs *jobs)
{
    g_clear_pointer(&jobs->shards, g_free);
    g_clear_pointer(&jobs->merge, g_free);
}

bool slurm_submit(const ClusterRequest *request, SlurmJobs *jobs, GError **error)
{
    *jobs = (SlurmJobs){NULL, NULL};
    jobs->shards = submit(request->directory, "shards.sh", NULL, error);
    if (!jobs->shards) return false;
    jobs->merge = submit(request->directory, "merge.sh", jobs->shards, error);
    g_autofree char *path = cluster_file(request->directory, "jobs");
    g_autofree char *text =
        g_strdup_printf("%s %s\n", jobs->shards, jobs->merge ? jobs->merge : "");
    return jobs->merge && g_file_set_contents(path, text, -1, error);
}

/* "3 RUNNING, 5 PENDING" of one job; the queue gives a line a task. */
static char *count_states(const char *job)
{
    char *words[] = {(char *)"squeue",
                     (char *)"--noheader",
                     (char *)"--array",
                     (char *)"--jobs",
                     (char *)job,
                     (char *)"--format=%T",
                     NULL};
    g_autofree char *answer = call(words, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    g_auto(GStrv) states = g_strsplit(answer ? answer : "", "\n", -1);
    for (char **state = states; *state; state++) {
        guint count = 0;
        bool first = true;
        for (char **other = states; *other; other++) {
            if (strcmp(*other, *state) != 0) continue;
            if (other < state) first = false;
            count++;
        }
        if (**state && first)
            g_string_append_printf(text, "%s%u %s", text->len ? ", " : "", count, *state);
    }
    if (!text->len) g_string_append(text, "no longer in the queue");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char *slurm_describe_jobs(const char *directory)
{
    g_autofree char *path = cluster_file(directory, "jobs");
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) return NULL;
    g_auto(GStrv) jobs = g_strsplit(g_strstrip(text), " ", 2);
    if (!jobs[0]) return NULL;
    g_autofree char *shards = count_states(jobs[0]);
    if (!jobs[1]) return g_strdup_printf("Slurm job %s: %s", jobs[0], shards);
    g_autofree char *merge = count_states(jobs[1]);
    return g_strdup_printf("Slurm job %s (shards): %s; job %s (merge): %s", jobs[0], shards,
                           jobs[1], merge);
}
