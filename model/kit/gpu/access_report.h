/* What the coherence monitor hears of. */
#pragma once

#include "kit/gpu/message.h"
#include "kit/gpu/transaction.h"

typedef enum { REPORT_HIT, REPORT_KEPT, REPORT_WRITE, REPORT_ATOMIC } ReportKind;

/* To the coherence monitor: a line that hit in a cache of an SM, a store that an L1 keeps in a
 * line, or a write as L2 did it. */
typedef struct {
    Message message;
    uint64_t line;    /* physical address of the line */
    Time at;          /* of the hit or the store, or of the write at its slice */
    Time left;        /* WRITE: when it left its SM's L1 */
    uint16_t source;  /* SM */
    uint16_t sectors; /* hit or written */
    uint16_t partial; /* WRITE: of these, the sectors that were not written whole */
    uint8_t kind;
    bool in_texture_unit; /* HIT: in its own cache, or read for it; WRITE: passed it */
    bool behind_l1;       /* HIT: in a request coalescer's cache */
    /* HIT: when each sector was read at its slice */
    Time read_at[SECTORS_MAX];
} AccessReport;

typedef struct {
    uint64_t line; /* physical address */
    Time at;
} AccessPlace;

/* Of a store or atomic, as L2 did it; reads that L2 serves are none of the monitor's business. */
AccessReport *access_report_of_write(MessageSource *messages, const Transaction *write,
                                     const AccessPlace *place);

typedef struct {
    AccessPlace place;
    uint16_t source, sectors;
} AccessedSectors;

/* Of a load; `read_at` as transaction_read_at says, for each sector of the line. */
AccessReport *access_report_of_hit(MessageSource *messages, const AccessedSectors *hit,
                                   const Time *read_at);

/* Of a store that an L1 keeps. */
AccessReport *access_report_of_kept(MessageSource *messages, const AccessedSectors *kept);
