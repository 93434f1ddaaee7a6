#include "parts/sm/scoreboard.h"

#include <string.h>

/* Results that are not there are not read. */
void scoreboard_clear(Scoreboard *board)
{
    memset(board, 0, offsetof(Scoreboard, result));
}

void scoreboard_start_load(Scoreboard *board, uint32_t first, uint32_t count)
{
    board->loads++;
    for (uint32_t r = first; r < first + count && r < SCOREBOARD_REGISTERS; r++)
        board->loading[r / 64] |= UINT64_C(1) << (r % 64);
}

void scoreboard_end_load(Scoreboard *board, uint32_t first, uint32_t count)
{
    board->loads--;
    for (uint32_t r = first; r < first + count && r < SCOREBOARD_REGISTERS; r++)
        board->loading[r / 64] &= ~(UINT64_C(1) << (r % 64));
}

void scoreboard_start_store(Scoreboard *board)
{
    board->stores++;
    board->unacknowledged++;
}

void scoreboard_release_store(Scoreboard *board, uint64_t released_at)
{
    if (board->stores) board->stores--; /* else its acknowledgement has overtaken this */
    board->released_at = MAX(board->released_at, released_at);
}

void scoreboard_acknowledge_store(Scoreboard *board)
{
    board->unacknowledged--;
    board->stores = MIN(board->stores, board->unacknowledged); /* it has left, too */
}

static void forget_old(Scoreboard *board, uint64_t now)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < board->results; k++)
        if (board->result[k].ready > now) board->result[kept++] = board->result[k];
    board->results = kept;
}

uint64_t scoreboard_note_result(Scoreboard *board, uint32_t first, uint32_t count, uint64_t ready,
                                uint64_t now)
{
    if (!count || first >= SCOREBOARD_REGISTERS) return now;
    forget_old(board, now);
    uint64_t room_at = now;
    if (board->results == SCOREBOARD_RESULTS) {
        room_at = board->result[0].ready;
        memmove(board->result, board->result + 1,
                sizeof(ScoreboardResult) * (SCOREBOARD_RESULTS - 1));
        board->results--;
    }
    board->result[board->results++] = (ScoreboardResult){ready, (uint8_t)first, (uint8_t)count};
    return room_at;
}
