#include "kit/engine/calendar.h"

#include "kit/gpu/message.h"

#include <glib.h>

void tournament_finish(Tournament *tournament)
{
    g_aligned_free(tournament->next);
    *tournament = (Tournament){NULL, 0};
}

static uint32_t play(const Tournament *tournament, uint32_t match)
{
    const uint32_t *won = tournament_won(tournament);
    const uint32_t first = won[2 * match], second = won[2 * match + 1];
    return tournament->next[second] < tournament->next[first] ? second : first;
}

static Tournament tournament_new(uint32_t places)
{
    Tournament tournament = {.room = 1};
    while (tournament.room < places) tournament.room *= 2;
    const size_t bytes = sizeof(Time) + 2 * sizeof(uint32_t);
    tournament.next = g_aligned_alloc(tournament.room, bytes, HOST_LINE);
    return tournament;
}

void tournament_make_room(Tournament *tournament, uint32_t places)
{
    if (places <= tournament->room) return;
    Tournament larger = tournament_new(places);
    const uint32_t room = larger.room;
    uint32_t *won = tournament_won(&larger);
    for (uint32_t i = 0; i < room; i++) {
        larger.next[i] = i < tournament->room ? tournament->next[i] : TIME_NEVER;
        won[room + i] = i;
    }
    for (uint32_t match = room - 1; match; match--) won[match] = play(&larger, match);
    tournament_finish(tournament);
    *tournament = larger;
}

void calendar_finish(Calendar *calendar)
{
    tournament_finish(&calendar->tournament);
    g_free(calendar->turns);
    *calendar = (Calendar){.count = 0};
}

/* Ties within a calendar are broken by build order: the first of two wins, and places are in that
 * order. The order among units of one time does not matter to what they receive, since nothing has
 * a zero delay; it matters to what they share: the order in which pools give out messages, and so
 * the speed of a run from one to the next. */
void calendar_add(Calendar *calendar, Turn *turn)
{
    g_assert(!calendar->count || turn->order > calendar->turns[calendar->count - 1]->order);
    turn->place = calendar->count++;
    tournament_make_room(&calendar->tournament, calendar->count);
    calendar->turns = g_renew(Turn *, calendar->turns, calendar->count);
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

void calendar_update(Calendar *calendar, const Turn *turn)
{
    tournament_set(&calendar->tournament, turn->place, turn->next);
    if (calendar->above && !calendar->open) calendar_tell(calendar);
}
