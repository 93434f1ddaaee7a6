/* The commands of the program, a file each. Results go to stdout, diagnostics to stderr. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_BAD_INPUT = 2,
    STATUS_INTERRUPTED = 130
} Status;

typedef struct {
    const char *name;
    const char *usage;   /* after the name */
    const char *summary; /* one line */
    /* argv[0] is the command's name. */
    Status (*run)(int argc, char **argv);
} Command;

Status command_run(int argc, char **argv);
Status command_compare(int argc, char **argv);
Status command_report(int argc, char **argv);
Status command_study(int argc, char **argv);
Status command_check(int argc, char **argv);
Status command_show(int argc, char **argv);
Status command_list(int argc, char **argv);
Status command_explain(int argc, char **argv);
Status command_timeline(int argc, char **argv);
Status command_trace(int argc, char **argv);
Status command_reference(int argc, char **argv);

/* NULL-terminated by name. */
const Command *command_table(void);

/* "warpmem: MESSAGE" on stderr. Returns STATUS_BAD_INPUT. */
Status command_reject(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* What was probably meant: the first name that begins with the word, or the nearest one; NULL
 * when none is near. `names` is NULL-terminated. */
const char *command_suggest(const char *word, const char *const *names);

/* Takes the options out of argv; handles --help. False when the command is to end with *status.
 * `least` and `most` bound the arguments that are left after argv[0]. */
typedef struct {
    const char *usage;
    const char *summary;
    const char *description; /* after the options; may be NULL */
    const GOptionEntry *entries;
    int least, most;
} CommandLine;
bool command_parse(const CommandLine *line, int *argc, char ***argv, Status *status);
