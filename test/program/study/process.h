/* A study of a tiny machine, and the program that runs it. */
#pragma once

#include "rigs/program.h"

/* A chase on one SM and one L2 slice: some 2 ms of host time a point, and a microsecond and more a
 * load. A [study] follows. */
static const char study_process_scenario[] =
    "[scenario]\ntitle = Small chases\nextends = v100\n"
    "[machine]\nsms = 1\npartitions = 1\nslices_per_partition = 1\npeak_bandwidth_gbps = 0\n"
    "[mmu]\nenabled = no\n"
    "[workload]\npattern = pointer_chase\nworking_set = 4 KiB\nloads = 10\n"
    "[study]\n";

/* Plans FOLDER/study. */
static inline void study_process_plan(const char *folder, const char *study)
{
    g_autofree char *text = g_strconcat(study_process_scenario, study, NULL);
    g_free(temporary_file(folder, "small.ini", text));
    const Outcome planned = warpmem(folder, "study plan small.ini -o study");
    ck_assert_msg(!planned.status, "%s", planned.errors);
}

/* "warpmem study run study ARGUMENTS" in the folder, in the background. SIGINT may be ignored where
 * the tests run; what they start must not inherit that. */
static inline pid_t study_process_start(const char *folder, const char *arguments)
{
    GPid pid = 0;
    g_autofree char *line = g_strdup_printf("%s study run study -q %s", program(), arguments);
    g_auto(GStrv) words = NULL;
    ck_assert(g_shell_parse_argv(line, NULL, &words, NULL));
    signal(SIGINT, SIG_DFL);
    ck_assert(
        g_spawn_async(folder, words, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
    return pid;
}

static inline void study_process_finish(pid_t pid)
{
    int state = 0;
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    ck_assert_msg(WIFEXITED(state) && !WEXITSTATUS(state), "ended with %x", (unsigned)state);
}

/* Returns whether it had not ended before. */
static inline bool study_process_kill(pid_t pid)
{
    int state = 0;
    ck_assert_int_eq(kill(pid, SIGKILL), 0);
    ck_assert_int_eq(waitpid(pid, &state, 0), pid);
    return WIFSIGNALED(state);
}
