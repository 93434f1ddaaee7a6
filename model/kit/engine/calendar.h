/* What happens next in a tile: a 4-ary heap of turns, one a busy unit, each with the time of its
 * next step. Messages wait in heaps of their receivers, so an entry has 16 bytes, and there is one
 * a unit, however many messages are under way: what an event costs is the memory it touches. */
#pragma once

#include "kit/describe/time.h"

/* A unit's, first in its struct. */
typedef struct {
    Time next;      /* TIME_NEVER: nothing */
    uint32_t order; /* of building: who comes first of those at one time */
    uint32_t slot;  /* in the heap */
} Turn;

typedef struct {
    Time next;
    Turn *turn;
} CalendarEntry;

typedef struct {
    CalendarEntry *at;
    uint32_t count, room;
} Calendar;

enum { CALENDAR_ABSENT = UINT32_MAX };

void calendar_finish(Calendar *calendar);

/* Puts the turn where its `next` belongs; TIME_NEVER takes it out. */
void calendar_update(Calendar *calendar, Turn *turn);

static inline Time calendar_next(const Calendar *calendar)
{
    return calendar->count ? calendar->at[0].next : TIME_NEVER;
}
