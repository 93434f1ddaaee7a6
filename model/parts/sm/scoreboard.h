/* A warp's scoreboard: which registers loads will still write, when arithmetic results are
 * there, and which stores still need the warp. Registers are 0..254; 255 is none. Times are
 * plain integers of the caller's unit. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCOREBOARD_RESULTS = 12, SCOREBOARD_REGISTERS = 255 };

typedef struct {
    uint64_t ready;
    uint8_t first, count; /* registers */
} ScoreboardResult;

typedef struct {
    uint64_t loading[4];     /* a bit a register */
    uint32_t loads;          /* outstanding */
    uint32_t stores;         /* have not left the SM */
    uint32_t unacknowledged; /* stores that others may not see yet */
    uint32_t results;
    uint64_t released_at; /* the registers of the stores that have left are free */
    ScoreboardResult result[SCOREBOARD_RESULTS];
} Scoreboard;

/* Of all of the warp's. */
enum { NEEDS_LOADS_DONE = 1, NEEDS_STORES_LEFT = 2, NEEDS_STORES_ACKNOWLEDGED = 4 };

/* What must have happened before an instruction issues. */
typedef struct {
    const uint8_t *sources; /* registers read */
    uint32_t source_count, destination, destination_count;
    uint32_t all; /* of these */
} ScoreboardNeeds;

/* Nothing is outstanding. */
void scoreboard_clear(Scoreboard *board);

void scoreboard_start_load(Scoreboard *board, uint32_t first, uint32_t count);
void scoreboard_end_load(Scoreboard *board, uint32_t first, uint32_t count);

/* A store or reduction is heard of when it has left, its registers being free at `released_at`, and
 * when it is acknowledged; of what nobody told before, the acknowledgement tells both. */
void scoreboard_start_store(Scoreboard *board);
void scoreboard_release_store(Scoreboard *board, uint64_t released_at);
void scoreboard_acknowledge_store(Scoreboard *board);

static inline bool scoreboard_is_loading(const Scoreboard *board, uint32_t first, uint32_t count)
{
    for (uint32_t r = first; r < first + count && r < SCOREBOARD_REGISTERS; r++)
        if (board->loading[r / 64] >> (r % 64) & 1) return true;
    return false;
}

/* Registers that are written at `ready`. Returns when the next instruction may issue: `now`, or
 * later when too many results are under way to be remembered. */
uint64_t scoreboard_note_result(Scoreboard *board, uint32_t first, uint32_t count, uint64_t ready,
                                uint64_t now);

/* Loads or stores are outstanding that the instruction needs: nobody knows yet until when. */
static inline bool scoreboard_must_wait(const Scoreboard *board, const ScoreboardNeeds *needs)
{
    if (board->unacknowledged) {
        if (needs->all & NEEDS_STORES_LEFT && board->stores) return true;
        if (needs->all & NEEDS_STORES_ACKNOWLEDGED) return true;
    }
    if (!board->loads) return false;
    if (needs->all & NEEDS_LOADS_DONE) return true;
    for (uint32_t i = 0; i < needs->source_count; i++) {
        const uint32_t r = needs->sources[i];
        if (board->loading[r / 64] >> (r % 64) & 1) return true;
    }
    return scoreboard_is_loading(board, needs->destination, needs->destination_count);
}

static inline bool scoreboard_touches(const ScoreboardResult *result, uint32_t first,
                                      uint32_t count)
{
    return first < (uint32_t)result->first + result->count && result->first < first + count;
}

static inline bool scoreboard_is_needed(const ScoreboardResult *result,
                                        const ScoreboardNeeds *needs)
{
    if (scoreboard_touches(result, needs->destination, needs->destination_count)) return true;
    for (uint32_t i = 0; i < needs->source_count; i++)
        if (scoreboard_touches(result, needs->sources[i], 1)) return true;
    return false;
}

/* When nothing outstanding is needed any more: from when on the instruction may issue, the later of
 * `earliest` and the time when none of its registers waits for an arithmetic result. */
static inline uint64_t scoreboard_may_issue_at(const Scoreboard *board,
                                               const ScoreboardNeeds *needs, uint64_t earliest)
{
    for (uint32_t k = 0; k < board->results; k++) {
        const ScoreboardResult *result = &board->result[k];
        if (result->ready > earliest && scoreboard_is_needed(result, needs))
            earliest = result->ready;
    }
    return needs->all & NEEDS_STORES_LEFT ? MAX(earliest, board->released_at) : earliest;
}
