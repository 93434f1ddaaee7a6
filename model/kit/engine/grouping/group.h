/* Groups of a tile. What belongs together, as an SM and its caches, is a group, with a calendar of
 * its own: it is visited for a stretch of time, and what its units touch stays in the host's cache
 * from one event to the next. That is exact for the reason for which windows of tiles are: whatever
 * other groups do meanwhile takes longer on its way than the stretch is long.
 *
 * A section is groups that stand alike to all others: all SMs, all slices, a network. How far one
 * may go is what others have next, and the smallest delays and credit delays on the way from there.
 *
 * One kind of message would make all stretches short: an SM's to its MMU and back takes a few
 * cycles. But nothing comes from there unasked. So questions and answers bound nobody who has not
 * asked: a group that asks ends its visit, and is kept close to who answers until it has its
 * answer. */
#pragma once

#include "kit/engine/calendar.h"

/* Nothing limits: behind all times, and its sum with one of them is no overflow. */
#define LOOKAHEAD_NONE (TIME_NEVER / 2)

typedef struct {
    Calendar calendar; /* first: of its units; the section's calendars lead to it */
    struct Section *section;
    Time until;         /* the end of the visit */
    uint32_t questions; /* that have no answer yet */
    uint32_t tile;      /* its number */
    uint32_t strand;    /* the tile's thread that runs it */
    bool answers;       /* questions of others: always close */
    uint64_t *stirred;  /* of the section's */
    uint64_t foresees;  /* the bits of units whose class does (unit.h) */
} Group;

/* Its units have a bit each, by place; those behind share them. */
enum { GROUP_BITS = 64 };
static inline uint64_t group_bit(uint32_t place)
{
    return UINT64_C(1) << place % GROUP_BITS;
}

typedef struct Section {
    Calendar apart, close; /* of its groups: each is in both, and has turns in one */
    Group *group;
    uint32_t groups;
    Time nearest; /* the smallest delay of a question or an answer, and of their credits */
    /* Of each group the bits of units that may have something for the phase that they are in. Side
     * by side, because most have nothing in most phases. */
    uint64_t *stirred;
} Section;

void section_init(Section *section, uint32_t groups, uint32_t tile);
void section_finish(Section *section);

/* TIME_NEVER: nothing is left. */
static inline Time section_next(const Section *section)
{
    const Time apart = calendar_next(&section->apart), close = calendar_next(&section->close);
    return apart < close ? apart : close;
}

/* A visit begins; what comes to the group meanwhile is no affair of others'. */
static inline void group_open(Group *group, Time until)
{
    group->until = until;
    group->calendar.open = true;
}

/* The visit is over: its next turn is in order again, among those that it belongs to. */
void group_close(Group *group);

/* It answers questions of other groups. */
void group_will_answer(Group *group);

/* It asks, or is asked. */
static inline bool group_is_close(const Group *group)
{
    return group->questions || group->answers;
}

/* In a visit: a unit of the group has asked. */
static inline void group_ask(Group *group)
{
    if (!group->questions++) group->until = 0;
}

static inline void group_hear(Group *group)
{
    group->questions--;
}
