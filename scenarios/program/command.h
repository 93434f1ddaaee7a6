/* The table of commands, a file each. Results go to stdout, diagnostics to stderr. */
#pragma once

#include "scenarios/program/complain.h"

typedef struct {
    const char *name;
    const char *usage;   /* after the name */
    const char *summary; /* one line */
    /* argv[0] is the command's name. */
    Status (*run)(int argc, char **argv);
} Command;

Status command_run(int argc, char **argv);
Status command_compare(int argc, char **argv);
Status command_why(int argc, char **argv);
Status command_validate(int argc, char **argv);
Status command_report(int argc, char **argv);
Status command_study(int argc, char **argv);
Status command_check(int argc, char **argv);
Status command_show(int argc, char **argv);
Status command_list(int argc, char **argv);
Status command_explain(int argc, char **argv);
Status command_timeline(int argc, char **argv);
Status command_trace(int argc, char **argv);
Status command_reference(int argc, char **argv);
Status command_completion(int argc, char **argv);

/* Ends with a row without name. */
const Command *command_table(void);

/* What a script for a shell is made of: `--completion SHELL` in place of all else. command_parse
 * answers it of a command line, this of one that has verbs, for it and for each of them. False:
 * something else was asked. */
bool completion_answer_verbs(const char *path, const Command *verbs, int argc, char **argv);
