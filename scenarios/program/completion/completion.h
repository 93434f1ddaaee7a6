/* Scripts that complete the command line in a shell. They are made of the tables that help is made
 * of: each command and verb adds what it takes as it would print its help. */
#pragma once

#include <stdio.h>

#include "scenarios/program/command.h"

/* What an argument takes has a name that all scripts know: "scenarios", "files"; behind '=' stand
 * the words themselves, "= csv json"; "results=": a '=' follows; "": nobody knows. */
typedef struct {
    const char *name;
    void (*words)(const char *kind, const char *const *words, FILE *out);
    void (*verbs)(const char *path, const Command *verbs, FILE *out);
    /* `path` is "run" or "study plan", `takes` what stands behind it. */
    void (*line)(const char *path, const CommandLine *line, const char *takes, FILE *out);
    const char *end; /* of the script, which begins with core.NAME */
} Shell;

extern const Shell shell_bash, shell_zsh, shell_fish;
extern const Shell shell_man; /* the manual page, which is made in the same way */

/* Ends with NULL. */
const Shell *const *completion_shells(void);
/* NULL: there is none of this name. */
const Shell *completion_shell(const char *name);

/* All of the script. */
void completion_print(const Shell *shell, FILE *out);

/* What it knows of names: scenarios, presets, keys, results; "KEY=VALUE" of choices;
 * "SCENARIO/VARIANT" and "SCENARIO/KERNEL" of the shipped ones. */
void completion_add_words(const Shell *shell, FILE *out);

/* What an option takes, newly allocated; "" of one without argument. */
char *completion_option_takes(const CommandLine *line, const GOptionEntry *entry);
