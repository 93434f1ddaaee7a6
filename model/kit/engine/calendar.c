#include "kit/engine/calendar.h"

void calendar_finish(Calendar *calendar)
{
    g_clear_pointer(&calendar->at, g_free);
    calendar->count = calendar->room = 0;
}

/* Ties are broken by build order, which no grouping changes. The order among units of one time does
 * not matter to what they receive, since nothing has a zero delay; it matters to what they share:
 * the order in which pools give out messages, and so the speed of a run from one to the next. */
static inline bool before(const CalendarEntry *a, const CalendarEntry *b)
{
    return a->next != b->next ? a->next < b->next : a->turn->order < b->turn->order;
}

static inline void place(Calendar *calendar, uint32_t slot, CalendarEntry entry)
{
    calendar->at[slot] = entry;
    entry.turn->slot = slot;
}

/* Four children a place: half the levels of a binary heap, and the children of one place are 64
 * bytes side by side, mostly one miss of the cache. */
static void sift_up(Calendar *calendar, uint32_t slot, CalendarEntry entry)
{
    while (slot) {
        const uint32_t parent = (slot - 1) / 4;
        if (!before(&entry, &calendar->at[parent])) break;
        place(calendar, slot, calendar->at[parent]);
        slot = parent;
    }
    place(calendar, slot, entry);
}

static void sift_down(Calendar *calendar, uint32_t slot, CalendarEntry entry)
{
    for (;;) {
        const uint32_t first = 4 * slot + 1;
        if (first >= calendar->count) break;
        const uint32_t end = MIN(first + 4, calendar->count);
        uint32_t best = first;
        for (uint32_t child = first + 1; child < end; child++)
            if (before(&calendar->at[child], &calendar->at[best])) best = child;
        if (!before(&calendar->at[best], &entry)) break;
        place(calendar, slot, calendar->at[best]);
        slot = best;
    }
    place(calendar, slot, entry);
}

static void settle(Calendar *calendar, uint32_t slot, CalendarEntry entry)
{
    if (slot && before(&entry, &calendar->at[(slot - 1) / 4]))
        sift_up(calendar, slot, entry);
    else
        sift_down(calendar, slot, entry);
}

static void remove_slot(Calendar *calendar, uint32_t slot)
{
    const CalendarEntry last = calendar->at[--calendar->count];
    if (slot < calendar->count) settle(calendar, slot, last);
}

void calendar_update(Calendar *calendar, Turn *turn)
{
    const uint32_t slot = turn->slot;
    const CalendarEntry entry = {turn->next, turn};
    if (slot != CALENDAR_ABSENT) {
        if (turn->next != TIME_NEVER) {
            settle(calendar, slot, entry);
        } else {
            turn->slot = CALENDAR_ABSENT;
            remove_slot(calendar, slot);
        }
    } else if (turn->next != TIME_NEVER) {
        if (calendar->count == calendar->room) {
            calendar->room = calendar->room ? 2 * calendar->room : 64;
            calendar->at = g_renew(CalendarEntry, calendar->at, calendar->room);
        }
        sift_up(calendar, calendar->count++, entry);
    }
}
