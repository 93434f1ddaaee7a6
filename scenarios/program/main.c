/* warpmem: the command line. */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kit/describe/nearest.h"
#include "kit/describe/output_file.h"
#include "scenarios/program/command.h"
#include "scenarios/program/language/catalogue.h"

static void print_help(FILE *out)
{
    fprintf(out,
            "Usage: warpmem COMMAND ...\n\n"
            "A discrete-event, transaction-level model of a GPU's memory system.\n\nCommands:\n");
    for (const Command *command = command_table(); command->name; command++)
        fprintf(out, "  %-10s %-15s %s\n", command->name, command->usage, command->summary);
    fprintf(out, "\n  warpmem COMMAND --help     options of a command\n"
                 "  warpmem --version          version of the program\n\n"
                 "Exit status:\n" EXIT_STATUS("  ", "  "));
}

static const Command *find_command(const char *name)
{
    for (const Command *command = command_table(); command->name; command++)
        if (!strcmp(command->name, name)) return command;
    return NULL;
}

static Status reject_command(const char *name)
{
    g_autofree char *scenarios = catalogue_scenario_directory(),
                    *scenario = catalogue_find(scenarios, name);
    if (scenario)
        return command_reject("%s: no such command; to run that scenario: warpmem run %s", name,
                              name);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Command *command = command_table(); command->name; command++)
        g_ptr_array_add(names, (gpointer)command->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    if (near) return command_reject("%s: no such command; did you mean '%s'?", name, near);
    return command_reject("%s: no such command; there are %s", name, all);
}

static bool asks_for_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help");
}

static Status help(char *word)
{
    if (!word) {
        print_help(stdout);
        return STATUS_DONE;
    }
    const Command *command = find_command(word);
    return command ? command->run(2, (char *[]){word, (char *)"--help", NULL})
                   : reject_command(word);
}

static Status print_version(const char *word)
{
    if (word) return command_reject("%s: one argument too many; usage: warpmem --version", word);
    printf("warpmem %s\n", WARPMEM_VERSION);
    return STATUS_DONE;
}

static Status dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return STATUS_BAD_INPUT;
    }
    const char *word = argv[1];
    const Command *command = find_command(word);
    if (command) return command->run(argc - 1, argv + 1);
    if (asks_for_help(word)) return help(argv[2]);
    if (!strcmp(word, "--version")) return print_version(argv[2]);
    return g_str_has_suffix(word, ".ini") ? command_run(argc, argv) : reject_command(word);
}

/* Of output that was lost before the end nobody knows any more why: so one more line is tried. */
static bool has_lost_output(void)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout)) return false;
    if (!errno && putchar('\n') != EOF) fflush(stdout);
    return true;
}

/* Output that was lost, on a full disk, must not look like success; bad input never does. */
static Status finish_output(Status status)
{
    if (status == STATUS_BAD_INPUT || !has_lost_output()) return status;
    command_reject("standard output cannot be written%s%s", errno ? ": " : "",
                   errno ? g_strerror(errno) : "");
    return status == STATUS_DONE ? STATUS_BAD_INPUT : status;
}

/* All of it is written. Libraries that SimGrid brings take themselves to pieces for as long as a
 * small run simulates; who looks for leaks waits for that. */
static int end(Status status)
{
#ifndef __SANITIZE_ADDRESS__
    fflush(NULL);
    _exit((int)status);
#endif
    return (int)status;
}

/* In place of a standard file that is closed the next one opened would have what is printed. Reads
 * and writes of it fail as before. */
static void keep_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0) open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_standard_files();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not be so large is an error, as a full disk is */
    signal(SIGCHLD, SIG_DFL); /* how children end is not told where a parent left it ignored */
    output_file_clean_up_on_signals();
    setlocale(LC_CTYPE, ""); /* numbers stay as in C */
    return end(finish_output(dispatch(argc, argv)));
}
