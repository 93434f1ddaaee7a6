/* What `study run` prints at its end. */
#pragma once

#include <stdio.h>

#include "scenarios/program/study/points/run.h"
#include "scenarios/program/study/points/status.h"

typedef struct {
    const Manifest *manifest;
    const StudyRunSettings *settings;
    const StudyRunReport *report;
    const StudyStatus *status; /* of the shard */
} RunSummary;

void run_summary_print(const RunSummary *summary, FILE *out);
/* One point of each kind. */
void run_summary_print_failures(const RunSummary *summary, FILE *out);
void run_summary_print_json(const RunSummary *summary, FILE *out);

/* The command to type next; newly allocated. `status` is of the shard. Results are kept where they
 * are to be, or where some are. */
char *study_next_command(const StudyRunSettings *settings, const StudyStatus *status);
