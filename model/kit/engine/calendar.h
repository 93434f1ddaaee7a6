/* What happens next: a tournament of units, each of which has the time of its next step. Messages
 * wait with their receivers, so there is one time a unit, however many messages are under way. A
 * change touches nothing of any unit, since what an event costs is the memory it touches.
 * Calendars may be turns of another, as units are. */
#pragma once

#include "kit/describe/time.h"

#include <stdbool.h>

/* The earliest of so many times, and whose it is. Few times are a line of the host's cache, and are
 * looked through when the first is wanted: setting one is no more than that. Of many, matches are
 * kept, so that when the winner goes the next one need not be looked for among all. */
typedef struct {
    Time *next;    /* by place; TIME_NEVER: nothing, and of few also where there is no place */
    uint32_t room; /* places, of many a power of two; 0: none takes part */
} Tournament;

enum { TOURNAMENT_FEW = 7, TOURNAMENT_FEWER = 4 };

/* Of many, behind the times: match 1 is the final, i is between 2 i and 2 i + 1, and then come the
 * places. */
static inline uint32_t *tournament_won(const Tournament *tournament)
{
    return (uint32_t *)(void *)(tournament->next + tournament->room);
}

/* A number of places that is known here needs no loop. */
static inline uint32_t tournament_find(const Tournament *tournament)
{
    uint32_t first = 0;
    Time soonest = tournament->next[0];
    for (uint32_t i = 1; i < TOURNAMENT_FEWER; i++) {
        first = tournament->next[i] < soonest ? i : first;
        soonest = MIN(soonest, tournament->next[i]);
    }
    if (tournament->room <= TOURNAMENT_FEWER) return first;
    for (uint32_t i = TOURNAMENT_FEWER; i < TOURNAMENT_FEW; i++) {
        first = tournament->next[i] < soonest ? i : first;
        soonest = MIN(soonest, tournament->next[i]);
    }
    return first;
}

/* There is room. Of those at one time the first place comes first. */
static inline uint32_t tournament_first(const Tournament *tournament)
{
    return tournament->room <= TOURNAMENT_FEW ? tournament_find(tournament)
                                              : tournament_won(tournament)[1];
}

static inline Time tournament_next(const Tournament *tournament)
{
    return tournament->room ? tournament->next[tournament_first(tournament)] : TIME_NEVER;
}

/* As one number: branches on times would be guessed wrong every other time. */
static inline bool tournament_precedes(Time time, uint64_t place, Time others, uint64_t other)
{
    const unsigned __int128 first = (unsigned __int128)time << 64 | place;
    const unsigned __int128 second = (unsigned __int128)others << 64 | other;
    return first < second;
}

/* The winner so far is at hand: what a match loads is its opponent, which no match before it
 * changes, so that the loads of all of them go on at once. Nothing changes from there on where
 * somebody else had won and wins again. */
static inline void tournament_play(const Tournament *tournament, uint32_t place, Time time)
{
    uint32_t *won = tournament_won(tournament), winner = place;
    for (uint32_t at = tournament->room + place; at > 1; at /= 2) {
        const uint32_t other = won[at ^ 1];
        const Time others = tournament->next[other];
        const bool loses = tournament_precedes(others, other, time, winner);
        winner = loses ? other : winner;
        time = loses ? others : time;
        if (winner != place && winner == won[at / 2]) return;
        won[at / 2] = winner;
    }
}

static inline void tournament_set(const Tournament *tournament, uint32_t place, Time time)
{
    tournament->next[place] = time;
    if (tournament->room > TOURNAMENT_FEW) tournament_play(tournament, place, time);
}

/* A unit's or a calendar's, first in its struct. */
typedef struct {
    Time next;      /* TIME_NEVER: nothing */
    uint32_t order; /* of building: who comes first of those at one time */
    uint32_t place; /* in the calendar */
} Turn;

typedef struct Calendar {
    Turn turn;              /* when its first is due, also to the calendar above it */
    struct Calendar *above; /* of calendars; NULL: none */
    bool open;              /* it is gone through: the one above is not told until that is over */
    Tournament tournament;
    Turn **turns; /* by place */
    uint32_t count;
} Calendar;

void calendar_finish(Calendar *calendar);

/* Takes part from now on. Turns come in the order of building. */
void calendar_add(Calendar *calendar, Turn *turn);

/* The turn's `next` has changed. */
void calendar_update(Calendar *calendar, const Turn *turn);

/* The calendar above hears when its first is due now. */
void calendar_tell(Calendar *calendar);

/* ... which has become `next`, sooner than it was. */
void calendar_hasten(Calendar *calendar, Time next);

/* The same of a turn that has become sooner, which is all that those who are not in it do to it. */
static inline void calendar_advance(Calendar *calendar, const Turn *turn)
{
    tournament_set(&calendar->tournament, turn->place, turn->next);
    if (calendar->open || turn->next >= calendar->turn.next) return;
    calendar_hasten(calendar, turn->next);
}

/* Of one that is not gone through. TIME_NEVER: nothing is left. */
static inline Time calendar_next(const Calendar *calendar)
{
    return calendar->turn.next;
}

/* Whether it is somebody's turn before `until`, and whose, of one that is gone through: it has
 * turns. */
static inline bool calendar_due(const Calendar *calendar, Time until, Turn **turn)
{
    const uint32_t first = tournament_first(&calendar->tournament);
    *turn = calendar->turns[first];
    return calendar->tournament.next[first] < until;
}

/* Whose turn it is; there is one. */
static inline Turn *calendar_first(const Calendar *calendar)
{
    return calendar->turns[tournament_first(&calendar->tournament)];
}

/* --- of ports --------------------------------------------------------------------------------- */

/* Channels bring something to a unit of many ports at few times, and at each of them to several
 * ports: those of one time are together, a bit each; there is one. */
typedef struct PortMoment {
    Time at;
    struct PortMoment *before, *next; /* NULL: there is none; `next` also of those that are free */
    uint32_t count;                   /* of ports */
    uint64_t ports[];
} PortMoment;

/* Moments in order. */
typedef struct {
    Time next; /* of the first one; TIME_NEVER: nothing comes */
    PortMoment *first, *last;
    PortMoment *free;
    uint32_t words; /* of a moment's ports */
} Agenda;

enum { AGENDA_WORD = 64 };

Agenda *agenda_new(uint32_t ports);
void agenda_free(Agenda *agenda);

/* The port's next message is due at `due`; it had none. */
void agenda_expect(Agenda *agenda, uint32_t port, Time due);

/* A moment between `before`, or NULL, and the one behind it. */
PortMoment *agenda_insert(Agenda *agenda, PortMoment *before, Time at);

/* The first moment is over. */
void agenda_pass(Agenda *agenda);

/* The first port of the first moment; there is one. */
static inline uint32_t agenda_port(const Agenda *agenda)
{
    const uint64_t *word = agenda->first->ports;
    while (!*word) word++;
    return (uint32_t)(word - agenda->first->ports) * AGENDA_WORD + (uint32_t)__builtin_ctzll(*word);
}

static inline void port_moment_add(PortMoment *moment, uint32_t port)
{
    moment->ports[port / AGENDA_WORD] |= UINT64_C(1) << port % AGENDA_WORD;
    moment->count++;
}

/* What came to the first port is taken. Its next message, which is due at `due`, mostly follows
 * close behind; TIME_NEVER: there is none. */
static inline void agenda_go_on(Agenda *agenda, uint32_t port, Time due)
{
    PortMoment *first = agenda->first, *moment = first;
    first->ports[port / AGENDA_WORD] &= ~(UINT64_C(1) << port % AGENDA_WORD);
    if (due != TIME_NEVER) {
        while (moment->next && moment->next->at <= due) moment = moment->next;
        if (moment->at != due) moment = agenda_insert(agenda, moment, due);
        port_moment_add(moment, port);
    }
    if (!--first->count) agenda_pass(agenda);
}
