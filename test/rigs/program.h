/* The program as a process, run to its end or in the background. */
#pragma once

#include <json-glib/json-glib.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary.h"

/* What a program that has ended wrote. The texts belong to the rig: a case cannot drop them. */
typedef struct {
    int status;
    const char *out, *errors;
} Outcome;

/* Until the case's process ends, found from a static: no leak, whatever is left on the stack. */
static inline const char *keep_text(char *text)
{
    static GSList *kept;
    kept = g_slist_prepend(kept, text);
    return text;
}

static inline const char *program(void)
{
    const char *path = g_getenv("WARPMEM_PROGRAM");
    ck_assert_msg(path != NULL, "WARPMEM_PROGRAM says where the program is");
    return path;
}

G_GNUC_WARN_UNUSED_RESULT
static inline Outcome run_words(char **words, const char *folder)
{
    g_autoptr(GError) error = NULL;
    char *out = NULL, *errors = NULL;
    int status = 0;
    ck_assert_msg(g_spawn_sync(folder, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &errors,
                               &status, &error),
                  "%s", error ? error->message : "");
    return (Outcome){WIFEXITED(status) ? WEXITSTATUS(status) : -1, keep_text(out),
                     keep_text(errors)};
}

/* Runs "warpmem ARGUMENTS" in `folder`; arguments are divided as a shell would. */
G_GNUC_WARN_UNUSED_RESULT
static inline Outcome warpmem(const char *folder, const char *arguments)
{
    g_autofree char *line = g_strdup_printf("%s %s", program(), arguments);
    g_auto(GStrv) words = NULL;
    ck_assert(g_shell_parse_argv(line, NULL, &words, NULL));
    return run_words(words, folder);
}

static inline void succeed(const char *folder, const char *arguments)
{
    const Outcome outcome = warpmem(folder, arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", arguments, outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
}

/* Runs of the program keep what they remember in the folder. */
static inline char *temporary_folder_with_cache(void)
{
    char *folder = temporary_folder();
    g_autofree char *cache = g_build_filename(folder, "cache", NULL);
    g_setenv("XDG_CACHE_HOME", cache, TRUE);
    return folder;
}

static inline char *contents(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "no %s", path);
    return text;
}

static inline bool exists(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static inline JsonNode *json_file(const char *folder, const char *name)
{
    g_autofree char *text = contents(folder, name);
    JsonNode *node = json_from_string(text, NULL);
    ck_assert_msg(node != NULL, "%s is not JSON", name);
    return node;
}

/* A run in the background, with a pipe from its stderr. */
typedef struct {
    char *folder;
    GPid pid;
    int errors;
} Started;

/* In a new folder with the scenario as small.ini, and with a pipe called pipe.ini. SIGINT may be
 * ignored where the tests run; what they start must not inherit that. */
static inline Started start_command(const char *scenario, const char *arguments)
{
    Started run = {.folder = temporary_folder(), .errors = -1};
    g_autofree char *file = temporary_file(run.folder, "small.ini", scenario);
    g_autofree char *pipe = g_build_filename(run.folder, "pipe.ini", NULL);
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    g_autofree char *line = g_strdup_printf("%s %s", program(), arguments);
    g_auto(GStrv) words = NULL;
    ck_assert(g_shell_parse_argv(line, NULL, &words, NULL));
    signal(SIGINT, SIG_DFL);
    ck_assert(g_spawn_async_with_pipes(run.folder, words, NULL,
                                       G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                                       NULL, &run.pid, NULL, NULL, &run.errors, NULL));
    return run;
}

static inline Started start(const char *scenario, const char *arguments)
{
    g_autofree char *command = g_strdup_printf("run %s -q -o out", arguments);
    return start_command(scenario, command);
}

/* Reads stderr until it has a whole line. */
static inline void wait_for_line(const Started *run)
{
    char c = 0;
    while (c != '\n' && read(run->errors, &c, 1) == 1) continue;
    ck_assert_int_eq(c, '\n');
}

static inline int wait_for_end(const Started *run)
{
    int state = 0;
    ck_assert_int_eq(waitpid(run->pid, &state, 0), run->pid);
    ck_assert(WIFEXITED(state));
    close(run->errors);
    return WEXITSTATUS(state);
}

/* Before the program has its handler, SIGUSR1 would end it. */
static inline void wait_until_it_listens(GPid pid)
{
    g_autofree char *name = g_strdup_printf("/proc/%d/status", (int)pid);
    for (;; g_usleep(10000)) {
        g_autofree char *text = NULL;
        ck_assert(g_file_get_contents(name, &text, NULL, NULL));
        const char *caught = strstr(text, "SigCgt:");
        ck_assert_ptr_nonnull(caught);
        if (g_ascii_strtoull(caught + strlen("SigCgt:"), NULL, 16) >> (SIGUSR1 - 1) & 1) return;
    }
}

/* Once it has answered SIGUSR1, so that it simulates. */
static inline void interrupt_run(const Started *run)
{
    wait_until_it_listens(run->pid);
    kill(run->pid, SIGUSR1);
    wait_for_line(run);
    kill(run->pid, SIGINT);
    ck_assert_int_eq(wait_for_end(run), 130);
}
