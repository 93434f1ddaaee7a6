/* When the commands of an access can go: tables of earliest times per bank, and slot rings for what
 * all banks share. Nothing is ticked; refreshes that have come due are worked out when their bank
 * is next used.
 *
 * Commands may be booked ahead of time and in any order: a later access may use a gap between
 * earlier ones. */
#pragma once

#include "parts/dram/map.h"
#include "parts/dram/slots.h"

typedef enum {
    DRAM_STEP_PRECHARGE,
    DRAM_STEP_ACTIVATE,
    DRAM_STEP_READ,
    DRAM_STEP_WRITE,
    /* They close the bank, or all, as well: tRP + tRFC. `row`: refreshes since the last command. */
    DRAM_STEP_REFRESH_BANK,
    DRAM_STEP_REFRESH_ALL,   /* bank: DRAM_ALL_BANKS */
    DRAM_STEP_AUTO_PRECHARGE /* the bank's last column brought it along; not on the row bus */
} DramStepKind;

typedef struct {
    uint64_t cycle;
    uint32_t row;
    uint16_t column;
    uint8_t kind, bank;
} DramStep;

enum { DRAM_NO_ROW = UINT32_MAX, DRAM_STEPS_MAX = 48, DRAM_ACTIVATES_KEPT = 128 };

typedef struct {
    _Alignas(64) uint32_t row; /* DRAM_NO_ROW: closed */
    uint32_t refreshes;        /* not yet reported */
    uint64_t column_ready[2];  /* of the open row: read, write */
    uint64_t precharge_ready, activate_ready;
    uint64_t refresh_due, refreshed_at; /* of its own: UINT64_MAX where it has none */
} DramBank;                             /* a line of the host's cache */

/* How a bank gets its row. */
typedef struct {
    uint64_t precharge, activate; /* UINT64_MAX: not needed */
    uint64_t column_ready;
} DramRowPlan;

/* The last one of a bank that is in this place of an access. */
typedef struct {
    DramRowPlan plan;
    uint64_t changes; /* that it was made after */
    uint32_t row;
    uint8_t bank;
    bool write;
} DramPlanned;

/* Columns of one direction, so close together that none of the other fits between them. */
typedef struct {
    uint64_t first, last;
    uint32_t first_groups, last_groups; /* bit g: of those at its ends */
} DramRun;

enum { DRAM_RUNS_KEPT = 32 };

typedef struct {
    const DramTiming *timing;
    uint64_t now;
    uint64_t changes;  /* of banks and slots, from 1 on: who has seen so many has seen them all */
    SlotRing slots;    /* dram/slots.h */
    uint64_t some_due; /* the next refresh of any bank of its own; UINT64_MAX: there are none */

    uint64_t all_due, all_refreshed_at; /* of all at once: UINT64_MAX where there is none */
    uint32_t all_refreshes;
    /* what the slots of the other direction do not know yet: a bus that does not turn never asks */
    uint32_t runs;
    bool runs_write;
    uint64_t holds; /* dram_state_earliest */
    uint64_t activates;
    DramRun run[DRAM_RUNS_KEPT];
    DramBank bank[DRAM_BANKS_MAX];
    uint64_t activated[DRAM_ACTIVATES_KEPT]; /* ring, ascending */
    DramPlanned planned[DRAM_SPAN_MAX];
} DramState;

/* What the whole channel could do next in one direction, worked out once for several candidates, as
 * soon as one of them needs to know, and again only where something has changed. */
typedef struct {
    uint64_t changes, from;   /* that it was worked out after, and for */
    uint64_t first_column;    /* of any group */
    uint32_t activates_known; /* bit g: of this group */
    bool precharge_known;
    /* the last estimate: no row had to be opened for it; it will not be less than `not_before`
     * until this cycle, or until another access has been booked in its banks; and as long as
     * nothing changes, it is the same until the present is behind `holds` */
    bool certain;
    uint64_t not_before, until, holds;
    uint64_t column[DRAM_GROUPS_MAX];
    DramRowSlot precharge, activate[DRAM_GROUPS_MAX];
} DramOutlook;

/* Commands, in order for each bank. */
typedef struct {
    uint32_t count;
    /* how the columns of `access` lie, where of them there is the first step only; NULL: all steps
     * are there */
    const DramPattern *pattern;
    DramAccess access;
    DramStep step[DRAM_STEPS_MAX];
} DramSteps;

/* From now on all steps are there. */
void dram_steps_spell_out(DramSteps *steps);

static inline bool dram_step_is_column(const DramStep *step)
{
    return step->kind == DRAM_STEP_READ || step->kind == DRAM_STEP_WRITE;
}

/* What was booked. The times of the bank that delivers the last burst lead to the end of the
 * data. */
typedef struct {
    DramSteps *steps;               /* where its commands go: the caller's */
    const DramOutlook *outlook;     /* the caller's, looked at for the same columns; NULL: none */
    bool goes_first;                /* DRAM_GOES_FIRST by it, and nothing has come in between */
    uint32_t precharges, activates; /* for this access */
    uint8_t latest;                 /* of its banks, the one that delivers the last burst */
    uint64_t precharge, activate;   /* of that bank; UINT64_MAX: was not needed */
    uint64_t column;                /* its first */
    uint64_t last_column;           /* of all banks */
    uint64_t data_end;              /* of all banks: first cycle after the data */
} DramBooking;

enum { DRAM_HORIZON_MAX = 8192 };

/* How many cycles ahead commands may be booked when columns are at most `horizon` ahead. */
uint64_t dram_state_reach(const DramTiming *timing, uint64_t horizon);

/* Accesses are booked at most `horizon` cycles ahead of the present. */
void dram_state_init(DramState *state, const DramTiming *timing, uint64_t horizon);

/* Moves the refreshes of all banks to a time of the channel's own within the interval: channels
 * that refresh together would all be deaf at once. Before anything is booked. */
void dram_state_stagger(DramState *state, uint32_t channel);
void dram_state_finish(DramState *state);

/* A word of the slots has passed, or a refresh has come due. */
void dram_state_pass(DramState *state);

/* The present, in cycles; never goes back. */
static inline void dram_state_advance(DramState *state, uint64_t now)
{
    state->now = now;
    if (now / 64 > state->slots.base || state->some_due <= now || state->all_due <= now)
        dram_state_pass(state);
}

/* Columns of this direction are about to be looked for: its slots learn of those of the other. */
void dram_settle_runs(DramState *state);

static inline void dram_settle(DramState *state, bool write)
{
    if (state->runs && state->runs_write != write) dram_settle_runs(state);
}

/* For columns of one direction, none before `from`, which is not in the past. */
void dram_state_look_anew(DramState *state, bool write, uint64_t from, DramOutlook *outlook);

/* The same, where something has changed. A new outlook is all zero. */
static inline void dram_state_look(DramState *state, bool write, uint64_t from,
                                   DramOutlook *outlook)
{
    dram_settle(state, write);
    from = MAX(from, state->now);
    if (outlook->changes != state->changes || outlook->from > from || outlook->first_column < from)
        dram_state_look_anew(state, write, from, outlook);
}

typedef enum { DRAM_GOES_FIRST, DRAM_GOES_LATER, DRAM_TURN_UNKNOWN } DramTurn;

/* Whether the columns of the access go in the first cycle of any: rows that are open only wait for
 * their columns. */
static inline DramTurn dram_state_turn(const DramState *state, const DramAccess *access,
                                       const DramOutlook *outlook)
{
    const DramTiming *timing = state->timing;
    for (uint8_t i = 0; i < access->banks; i++)
        if (outlook->column[dram_group_of(timing, access->bank[i])] > outlook->first_column)
            return DRAM_GOES_LATER;
    DramTurn turn = DRAM_GOES_FIRST;
    for (uint8_t i = 0; i < access->banks; i++) {
        const DramBank *bank = &state->bank[access->bank[i]];
        if ((bank->row != access->row && timing->ideal == DRAM_IDEAL_NO)
            || bank->refresh_due <= state->now)
            turn = DRAM_TURN_UNKNOWN;
        else if (bank->column_ready[access->write] > outlook->first_column)
            return DRAM_GOES_LATER;
    }
    return turn;
}

/* A lower bound of dram_state_earliest that is cheap and mostly exact, and says when it is; one
 * behind `latest` may be any that is. */
uint64_t dram_state_estimate(DramState *state, const DramAccess *access, DramOutlook *outlook,
                             uint64_t latest);

/* The cycle at which every bank of the access could have its first column command, not before
 * `from`. As long as nothing changes, it is the same until the present is behind `holds`. */
uint64_t dram_state_earliest(DramState *state, const DramAccess *access, uint64_t from);

/* Books everything the access needs, from its first step on; dram_state_earliest was within the
 * horizon. */
void dram_state_book(DramState *state, const DramAccess *access, uint64_t from,
                     DramBooking *booking);

/* Closes the bank at the earliest cycle after what is booked for its row; nothing when no row is
 * open. `automatic`: its last column is of this booking and says so itself; otherwise a precharge
 * takes its place on the row bus. */
void dram_state_close(DramState *state, uint8_t bank, bool automatic, DramBooking *booking);
