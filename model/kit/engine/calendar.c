#include "kit/engine/calendar.h"

#include <glib.h>

void calendar_finish(Calendar *calendar)
{
    g_free(calendar->turns);
    g_free(calendar->next);
    g_free(calendar->won);
    *calendar = (Calendar){.count = 0};
}

/* Ties within a calendar are broken by build order: the first of two wins, and places are in that
 * order. The order among units of one time does not matter to what they receive, since
 * nothing has a zero delay; it matters to what they share: the order in which pools give out
 * messages, and so the speed of a run from one to the next. */
static inline uint32_t play(const Calendar *calendar, uint32_t match)
{
    const uint32_t first = calendar->won[2 * match], second = calendar->won[2 * match + 1];
    return calendar->next[second] < calendar->next[first] ? second : first;
}

static void grow(Calendar *calendar)
{
    const uint32_t room = calendar->room ? 2 * calendar->room : 2;
    calendar->turns = g_renew(Turn *, calendar->turns, room);
    calendar->next = g_renew(Time, calendar->next, room);
    calendar->won = g_renew(uint32_t, calendar->won, 2 * room);
    for (uint32_t i = calendar->room; i < room; i++) calendar->next[i] = TIME_NEVER;
    for (uint32_t i = 0; i < room; i++) calendar->won[room + i] = i;
    calendar->room = room;
    for (uint32_t match = room - 1; match; match--) calendar->won[match] = play(calendar, match);
}

void calendar_add(Calendar *calendar, Turn *turn)
{
    g_assert(!calendar->count || turn->order > calendar->turns[calendar->count - 1]->order);
    if (calendar->count == calendar->room) grow(calendar);
    turn->place = calendar->count++;
    calendar->turns[turn->place] = turn;
    calendar_update(calendar, turn);
}

void calendar_tell(Calendar *calendar)
{
    const Time next = calendar_next(calendar);
    if (next == calendar->turn.next) return;
    calendar->turn.next = next;
    calendar_update(calendar->above, &calendar->turn);
}

/* The winner so far is at hand: what a match loads is its opponent, which no match before it
 * changes, so that the loads of all of them go on at once. Where somebody else had won and wins
 * again, nothing changes from there on. */
void calendar_update(Calendar *calendar, const Turn *turn)
{
    const uint32_t place = turn->place;
    uint32_t winner = place;
    Time time = turn->next;
    calendar->next[place] = time;
    for (uint32_t at = calendar->room + place; at > 1; at /= 2) {
        const uint32_t other = calendar->won[at ^ 1];
        const Time others = calendar->next[other];
        const bool loses = (others < time) | ((others == time) & (other < winner));
        winner = loses ? other : winner;
        time = loses ? others : time;
        if (winner != place && winner == calendar->won[at / 2]) break;
        calendar->won[at / 2] = winner;
    }
    if (calendar->above && !calendar->open) calendar_tell(calendar);
}
