#include "kit/engine/calendar.h"

#include "kit/gpu/message.h"

#include <glib.h>

void tournament_finish(Tournament *tournament)
{
    if (tournament->room) g_aligned_free(tournament->next - 1);
    *tournament = (Tournament){NULL, 0};
}

static Tournament tournament_new(uint32_t places)
{
    const bool few = places <= TOURNAMENT_FEW;
    uint32_t room = few ? places : TOURNAMENT_FEW + 1;
    while (room < places) room *= 2;
    const size_t times = few ? TOURNAMENT_FEW : 2 * room; /* two winners are as long as one time */
    Time *first = g_aligned_alloc(1 + times, sizeof(Time), HOST_LINE);
    Tournament tournament = {.next = first + 1, .room = room};
    for (uint32_t i = 0; i < 1 + (few ? TOURNAMENT_FEW : room); i++) first[i] = TIME_NEVER;
    return tournament;
}

static uint32_t play(const Tournament *tournament, uint32_t match)
{
    const uint32_t *won = tournament_won(tournament);
    const uint32_t first = won[2 * match], second = won[2 * match + 1];
    return tournament->next[second] < tournament->next[first] ? second : first;
}

static void play_all(const Tournament *tournament)
{
    const uint32_t room = tournament->room;
    uint32_t *won = tournament_won(tournament);
    for (uint32_t i = 0; i < room; i++) won[room + i] = i;
    for (uint32_t match = room - 1; match; match--) won[match] = play(tournament, match);
    tournament->next[-1] = tournament->next[won[1]];
}

void tournament_make_room(Tournament *tournament, uint32_t places)
{
    if (places <= tournament->room) return;
    Tournament larger = tournament_new(places);
    for (uint32_t i = 0; i < tournament->room; i++) larger.next[i] = tournament->next[i];
    if (larger.room > TOURNAMENT_FEW) play_all(&larger);
    tournament_finish(tournament);
    *tournament = larger;
}

void calendar_finish(Calendar *calendar)
{
    tournament_finish(&calendar->tournament);
    g_free(calendar->turns);
    *calendar = (Calendar){.turn.next = TIME_NEVER};
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
    const Time next = tournament_next(&calendar->tournament);
    if (next == calendar->turn.next) return;
    calendar->turn.next = next;
    if (calendar->above) calendar_update(calendar->above, &calendar->turn);
}

void calendar_hasten(Calendar *calendar, Time next)
{
    calendar->turn.next = next;
    if (calendar->above) calendar_advance(calendar->above, &calendar->turn);
}

void calendar_update(Calendar *calendar, const Turn *turn)
{
    tournament_set(&calendar->tournament, turn->place, turn->next);
    if (!calendar->open) calendar_tell(calendar);
}
