/* What happens next in a tile: a 4-ary heap of units, each with the time of its next step.
 * Messages wait in heaps of their receivers, so the calendar has one 16-byte entry a busy unit
 * however many messages are under way. */
#pragma once

#include "kit/engine/unit.h"

typedef struct {
    Time next;
    Unit *unit;
} CalendarEntry;

typedef struct {
    CalendarEntry *at;
    uint32_t count, room;
} Calendar;

enum { CALENDAR_ABSENT = UINT32_MAX };

void calendar_finish(Calendar *calendar);

/* Puts the unit where its `next` belongs; TIME_NEVER takes it out. */
void calendar_update(Calendar *calendar, Unit *unit);

static inline Time calendar_next(const Calendar *calendar)
{
    return calendar->count ? calendar->at[0].next : TIME_NEVER;
}
