/* What happens next: a tournament of units, each of which has the time of its next step. Messages
 * wait in heaps of their receivers, so there is one time a unit, however many messages are under
 * way. Times and winners lie side by side: a change touches nothing of any unit, since what an
 * event costs is the memory it touches. Calendars may be turns of another, as units are. */
#pragma once

#include "kit/describe/time.h"

#include <stdbool.h>

/* A unit's or a calendar's, first in its struct. */
typedef struct {
    Time next;      /* TIME_NEVER: nothing */
    uint32_t order; /* of building: who comes first of those at one time */
    uint32_t place; /* in the calendar */
} Turn;

typedef struct Calendar {
    Turn turn;              /* when its first is due, in the calendar above it */
    struct Calendar *above; /* of calendars; NULL: none */
    bool open;              /* it is gone through: the one above is not told until that is over */
    Turn **turns;           /* by place */
    Time *next;             /* the same */
    uint32_t *won; /* place 1 is the final, i is between 2 i and 2 i + 1; behind them the places */
    uint32_t count, room; /* a power of two */
} Calendar;

void calendar_finish(Calendar *calendar);

/* Takes part from now on. Turns come in the order of building. */
void calendar_add(Calendar *calendar, Turn *turn);

/* The turn's `next` has changed. */
void calendar_update(Calendar *calendar, const Turn *turn);

/* The calendar above hears when its first is due now. */
void calendar_tell(Calendar *calendar);

/* TIME_NEVER: nothing is left. */
static inline Time calendar_next(const Calendar *calendar)
{
    return calendar->count ? calendar->next[calendar->won[1]] : TIME_NEVER;
}

/* Whose turn it is; there is one. */
static inline Turn *calendar_first(const Calendar *calendar)
{
    return calendar->turns[calendar->won[1]];
}
