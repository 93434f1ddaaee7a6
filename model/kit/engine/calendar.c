#include "kit/engine/calendar.h"

#include "kit/gpu/message.h"

#include <glib.h>

static Tournament tournament_new(uint32_t places)
{
    const bool few = places <= TOURNAMENT_FEW;
    uint32_t room = few ? places : TOURNAMENT_FEW + 1;
    while (room < places) room *= 2;
    const size_t times = few ? TOURNAMENT_FEW : 2 * room; /* two winners are as long as one time */
    Tournament tournament = {.next = g_aligned_alloc(times, sizeof(Time), HOST_LINE), .room = room};
    for (uint32_t i = 0; i < (few ? TOURNAMENT_FEW : room); i++) tournament.next[i] = TIME_NEVER;
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
}

/* At least so many places; those that there were keep their times. */
static void make_room(Tournament *tournament, uint32_t places)
{
    if (places <= tournament->room) return;
    Tournament larger = tournament_new(places);
    for (uint32_t i = 0; i < tournament->room; i++) larger.next[i] = tournament->next[i];
    if (larger.room > TOURNAMENT_FEW) play_all(&larger);
    g_aligned_free(tournament->next);
    *tournament = larger;
}

void calendar_finish(Calendar *calendar)
{
    g_aligned_free(calendar->tournament.next);
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
    make_room(&calendar->tournament, calendar->count);
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

/* --- of ports --------------------------------------------------------------------------------- */

Agenda *agenda_new(uint32_t ports)
{
    Agenda *agenda = g_new0(Agenda, 1);
    agenda->next = TIME_NEVER;
    agenda->words = (ports + AGENDA_WORD - 1) / AGENDA_WORD;
    return agenda;
}

static void free_all(PortMoment *moment)
{
    while (moment) {
        PortMoment *next = moment->next;
        g_free(moment);
        moment = next;
    }
}

void agenda_free(Agenda *agenda)
{
    free_all(agenda->first);
    free_all(agenda->free);
    g_free(agenda);
}

/* Of one that is free, no port's bit is set. */
static PortMoment *take_free(Agenda *agenda)
{
    PortMoment *moment = agenda->free;
    if (!moment) return g_malloc0(sizeof(PortMoment) + agenda->words * sizeof(uint64_t));
    agenda->free = moment->next;
    return moment;
}

PortMoment *agenda_insert(Agenda *agenda, PortMoment *before, Time at)
{
    PortMoment *moment = take_free(agenda), *next = before ? before->next : agenda->first;
    moment->at = at;
    moment->before = before;
    moment->next = next;
    *(before ? &before->next : &agenda->first) = moment;
    *(next ? &next->before : &agenda->last) = moment;
    agenda->next = agenda->first->at;
    return moment;
}

void agenda_pass(Agenda *agenda)
{
    PortMoment *passed = agenda->first, *first = passed->next;
    agenda->first = first;
    *(first ? &first->before : &agenda->last) = NULL;
    agenda->next = first ? first->at : TIME_NEVER;
    passed->next = agenda->free;
    agenda->free = passed;
}

/* It is one of the last, as a rule. */
void agenda_expect(Agenda *agenda, uint32_t port, Time due)
{
    PortMoment *moment = agenda->last;
    while (moment && moment->at > due) moment = moment->before;
    if (!moment || moment->at != due) moment = agenda_insert(agenda, moment, due);
    port_moment_add(moment, port);
}
