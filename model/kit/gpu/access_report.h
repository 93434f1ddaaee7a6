/* What the coherence monitor hears of. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/transaction.h"

typedef enum { REPORT_HIT, REPORT_WRITE, REPORT_ATOMIC } ReportKind;

/* To the coherence monitor: a load that hit L1, or a write as L2 did it. */
typedef struct {
    Message message;
    uint64_t line;    /* physical address of the line */
    Time at;          /* of the hit, or of the write at its slice */
    uint16_t source;  /* SM */
    uint16_t sectors; /* hit or written */
    uint16_t partial; /* WRITE: of these, the sectors that were not written whole */
    uint8_t kind;
    /* HIT: when each sector was read at its slice */
    Time read_at[SECTORS_MAX];
} AccessReport;

/* To the coherence monitor, over a channel that is connected; reads that L2 serves are none of its
 * business. `line` is the physical address of the line. */
void unit_report_write(Unit *unit, Channel *to_monitor, const Transaction *write, uint64_t line);
/* `read_at` as transaction_read_at says, for each sector of the line. */
void unit_report_hit(Unit *unit, Channel *to_monitor, const Transaction *hit, uint64_t line,
                     const Time *read_at);
