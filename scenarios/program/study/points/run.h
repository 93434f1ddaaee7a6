/* Runs the points of a study that are not recorded yet. */
#pragma once

#include <signal.h>

#include "scenarios/program/study/points/pool.h"
#include "scenarios/program/study/points/queue.h"

typedef struct {
    const char *directory;
    Shard shard;
    PoolSettings pool;
    guint retries;     /* at once, of a point that ends with a status that is not final */
    bool fail_fast;    /* stop at the first point that fails */
    bool retry_failed; /* run what is recorded and not done, too */
    bool progress;     /* a line on stderr while it runs */
} StudyRunSettings;

typedef struct {
    guint simulated; /* points that this process recorded */
    guint processes; /* points at a time */
    double wall_s;
    bool interrupted, stopped; /* by a signal; by fail_fast */
    char *segment;             /* what it wrote; NULL: nothing */
} StudyRunReport;
void study_run_report_clear(StudyRunReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StudyRunReport, study_run_report_clear)

/* `records` is brought up to date. Signals are watched from here on. False with
 * error when records cannot be read or written; what was recorded before stays. */
bool study_run(const StudyRunSettings *settings, RecordSet *records, StudyRunReport *report,
               GError **error);

/* The signals of `study run`: SIGINT, SIGTERM and SIGHUP end it, SIGUSR1 asks how far it is. They
 * are delivered only while the process waits; processes that it forks have them blocked. A signal
 * that was ignored when the program started stays ignored. */
void interrupts_watch(void);
/* The signals' mask while waiting, for ppoll. */
const sigset_t *interrupts_mask(void);

bool interrupts_came(void);
/* Whether a line was asked for since the last call. */
bool interrupts_take_request(void);
