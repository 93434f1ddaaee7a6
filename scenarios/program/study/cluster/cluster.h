/* The shards of a study on a cluster: scripts for Slurm, and a list of commands for any other
 * scheduler. Slurm's commands are called; there is no library of it. */
#pragma once

#include <stdio.h>

#include "scenarios/program/study/plan/manifest.h"

typedef struct {
    const char *directory; /* of the study */
    const GArray *shards;  /* of guint, those with something left to run; ascending */
    guint shard_count;     /* T of k/T */
    guint processes;       /* points at a time of each shard */
    char **run_options;    /* of `study run`, as words */
    char **sbatch_options; /* "--partition=gpu", as words */
} ClusterRequest;

/* One command a shard, quoted for a shell. */
void cluster_print_commands(const ClusterRequest *request, FILE *out);

/* Writes DIRECTORY/slurm/shards.sh, an array job with a task a shard, and merge.sh; both can be
 * submitted by hand, too. */
bool slurm_write_scripts(const ClusterRequest *request, GError **error);

typedef struct {
    char *shards, *merge; /* job numbers */
} SlurmJobs;

void slurm_jobs_clear(SlurmJobs *jobs);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SlurmJobs, slurm_jobs_clear)

/* Submits both scripts, the merge behind the array however that ends, and notes their numbers in
 * DIRECTORY/slurm/jobs. After an error, `jobs` holds what was submitted before it. */
bool slurm_submit(const ClusterRequest *request, SlurmJobs *jobs, GError **error);

/* What the queue says of the jobs submitted last: "Slurm job 12: 3 RUNNING, 5 PENDING; ...", newly
 * allocated; NULL when none was submitted. Needs no accounting: jobs that have left the queue are
 * said to have. */
char *slurm_describe_jobs(const char *directory);
