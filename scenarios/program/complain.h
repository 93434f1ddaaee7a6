/* How a command reads its words, complains and ends. Knows no command, so that all may use it. */
#pragma once

#include <glib.h>
#include <stdbool.h>

typedef enum {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_BAD_INPUT = 2,
    STATUS_INTERRUPTED = 130
} Status;

/* clang-format off */
/* What help and the manual page say: of each a line, `before`, the number, `between` and words. */
#define EXIT_STATUS(before, between)                                                               \
    before "0  " between "done\n"                                                                  \
    before "1  " between                                                                           \
    "the run failed, or a result moved further than compare --fail-over allows\n"                  \
    before "2  " between "bad usage or bad input, or output that could not be written\n"           \
    before "130" between "interrupted\n"
/* clang-format on */

/* "warpmem: MESSAGE" on stderr. Returns STATUS_BAD_INPUT. */
Status command_reject(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Takes the options out of argv; handles --help. False when the command is to end with *status.
 * `least` and `most` bound the arguments that are left after argv[0]. */
typedef struct {
    const char *option; /* of G_OPTION_ARG_INT */
    gint least, most;
} OptionRange;

typedef struct {
    const char *usage;
    const char *summary;
    const char *description; /* after the options; may be NULL */
    const GOptionEntry *entries;
    const OptionRange *ranges; /* ends with a row without option; NULL: no option is a number */
    int least, most;
} CommandLine;

/* Behind it the name of a shell: the command is asked for its part of a script that completes. */
#define COMPLETION_OPTION "--completion"
/* Whether that is asked; then it is printed. */
bool completion_answer(const CommandLine *line, int argc, char **argv);

bool command_parse(const CommandLine *line, int *argc, char ***argv, Status *status);
