/* The verbs of `warpmem study`, a file each (verb_*.c). argv[0] is the verb. */
#pragma once

#include "scenarios/program/command.h"

Status verb_plan(int argc, char **argv);
Status verb_run(int argc, char **argv);
Status verb_status(int argc, char **argv);
Status verb_define(int argc, char **argv);
Status verb_merge(int argc, char **argv);
Status verb_export(int argc, char **argv);

/* `study run` with --slurm or --command-list. */
bool verb_is_for_cluster(int argc, char **argv);
Status verb_cluster(int argc, char **argv);
Status verb_perfect(int argc, char **argv);
Status verb_sensitivity(int argc, char **argv);
Status verb_knees(int argc, char **argv);
Status verb_inert(int argc, char **argv);
Status verb_pareto(int argc, char **argv);
Status verb_curve(int argc, char **argv);
