#include "kit/engine/grouping/group.h"

#include <glib.h>

static void group_init(Section *section, Group *group, uint32_t number, uint32_t tile)
{
    *group = (Group){.calendar = {.turn = {.next = TIME_NEVER, .order = number}},
                     .section = section,
                     .tile = tile,
                     .stirred = &section->stirred[number]};
    calendar_add(&section->apart, &group->calendar.turn);
    calendar_add(&section->close, &group->calendar.turn); /* the place is the same */
    group->calendar.above = &section->apart;
}

void section_init(Section *section, uint32_t groups, uint32_t tile)
{
    const Calendar none = {.turn.next = TIME_NEVER};
    *section = (Section){.apart = none,
                         .close = none,
                         .group = g_new(Group, groups),
                         .groups = groups,
                         .nearest = LOOKAHEAD_NONE};
    section->stirred = g_new0(uint64_t, groups);
    for (uint32_t i = 0; i < groups; i++) group_init(section, &section->group[i], i, tile);
}

void section_finish(Section *section)
{
    for (uint32_t i = 0; i < section->groups; i++) calendar_finish(&section->group[i].calendar);
    calendar_finish(&section->apart);
    calendar_finish(&section->close);
    g_free(section->group);
    g_free(section->stirred);
}

static void move_to(Group *group, Calendar *groups)
{
    Turn none = group->calendar.turn;
    none.next = TIME_NEVER;
    calendar_update(group->calendar.above, &none);
    group->calendar.above = groups;
    calendar_update(groups, &group->calendar.turn);
}

void group_will_answer(Group *group)
{
    if (group->answers) return;
    group->answers = true;
    move_to(group, &group->section->close);
}

void group_close(Group *group)
{
    Section *section = group->section;
    Calendar *groups = group_is_close(group) ? &section->close : &section->apart;
    group->calendar.open = false;
    calendar_tell(&group->calendar);
    if (group->calendar.above != groups) move_to(group, groups);
}
