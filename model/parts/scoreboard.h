/* A warp's scoreboard: which registers loads will still write, and when arithmetic results are
 * there. Registers are 0..254; 255 is none. Times are plain integers of the caller's unit. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCOREBOARD_RESULTS = 6, SCOREBOARD_REGISTERS = 255 };

typedef struct {
    uint64_t ready;
    uint8_t first, count; /* registers */
} ScoreboardResult;

typedef struct {
    uint64_t loading[4]; /* a bit a register */
    ScoreboardResult result[SCOREBOARD_RESULTS];
    uint32_t results;
} Scoreboard;

void scoreboard_start_load(Scoreboard *board, uint32_t first, uint32_t count);
void scoreboard_end_load(Scoreboard *board, uint32_t first, uint32_t count);
bool scoreboard_is_loading(const Scoreboard *board, uint32_t first, uint32_t count);

/* Registers that are written at `ready`. Returns when the next instruction may issue: `now`, or
 * later when too many results are under way to be remembered. */
uint64_t scoreboard_note_result(Scoreboard *board, uint32_t first, uint32_t count, uint64_t ready,
                                uint64_t now);

/* The later of `earliest` and the time when none of the registers waits for an arithmetic result.
 */
uint64_t scoreboard_ready_at(const Scoreboard *board, uint32_t first, uint32_t count,
                             uint64_t earliest);
