/* The line that says how far a study is: "412 of 1,000 points, 3 failed, 2.1 points/s, 4 min 40 s
 * left". It counts what other processes record too. */
#pragma once

#include "scenarios/program/study/points/queue.h"

typedef struct RunProgress RunProgress;

/* From now on; both must outlive it. */
RunProgress *run_progress_new(const Manifest *manifest, const RecordSet *records, Shard shard);
void run_progress_free(RunProgress *progress);

/* On stderr, over the line from before; not more often than people can read. */
void run_progress_show(RunProgress *progress);
/* A line of its own. */
void run_progress_print(RunProgress *progress);
/* Takes the line away. */
void run_progress_hide(RunProgress *progress);

/* Newly allocated; `seconds` after its beginning. */
char *run_progress_describe(const RunProgress *progress, double seconds);
