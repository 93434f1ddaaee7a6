/* What an event begins with: all that has come to a unit by now is in its ports before it is
 * stepped. Of the tile alone, whose loop it is a part of. */
#pragma once

#include "kit/engine/unit.h"
#include "parts/bits.h"

static inline uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * GOLDEN_STEP;
    return hash ^ hash >> 29;
}

/* Of what came to a unit, when and in which order, not of what it then did: two runs that differ
 * anywhere differ in what some unit receives. When a unit looks again by itself is its own affair:
 * a step less, with the same messages, is the same run. */
static inline uint64_t note(uint64_t hash, uint64_t key, Time now, const Message *message)
{
    return mix(mix(hash, now), key ^ message->id);
}

static inline void deliver_carried(Unit *unit, Time now)
{
    const Arrival arrival = inbox_take(&unit->inbox);
    const uint16_t port = (uint16_t)(arrival.key >> 48);
    unit->hash = note(unit->hash, arrival.key, now, arrival.message);
    unit->events++;
    port_push(unit->ports[port], arrival.message, now);
    if (!unit->fresh_count || unit->fresh[unit->fresh_count - 1] != port)
        unit->fresh[unit->fresh_count++] = port;
}

/* The port's next message comes at `now`. Returns when the one behind it is due. */
static inline Time deliver_next(Unit *unit, uint32_t index, Time now)
{
    Port *port = unit->ports[index];
    const uint32_t number = port->arrived;
    const Message *message = port_slot(port, number)->message;
    unit->hash = note(unit->hash, (uint64_t)index << 48 | number, now, message);
    unit->events++;
    port_arrive(port, now);
    if (port->answers) group_hear(unit->inbox.group);
    return port_next_due(port);
}

/* Apart, so that the usual message needs few registers. */
G_GNUC_NO_INLINE static Time deliver_further(Unit *unit, uint32_t index, Time now)
{
    Time next;
    do next = deliver_next(unit, index, now);
    while (next == now);
    return next;
}

/* All that comes to the port at `now`: mostly one. Returns when the next is due. */
static inline Time deliver_to(Unit *unit, uint32_t index, Time now)
{
    unit->fresh[unit->fresh_count++] = (uint16_t)index;
    const Time next = deliver_next(unit, index, now);
    return next == now ? deliver_further(unit, index, now) : next;
}

/* Of few ports, in one look at those that something is on its way to. */
static inline void deliver_to_few(Unit *unit, Time now)
{
    Inbox *inbox = &unit->inbox;
    Time soonest = TIME_NEVER;
    for (uint32_t rest = inbox->coming; rest; rest &= rest - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(rest);
        Time due = inbox->due[i];
        if (due == now) {
            inbox->due[i] = due = deliver_to(unit, i, now);
            if (due == TIME_NEVER) inbox->coming &= (uint16_t) ~(1u << i);
        }
        soonest = MIN(soonest, due);
    }
    inbox->due[-1] = soonest;
}

static inline void deliver_to_many(Unit *unit, Time now)
{
    Agenda *agenda = inbox_agenda(&unit->inbox);
    do {
        const uint32_t port = agenda_port(agenda);
        agenda_go_on(agenda, port, deliver_to(unit, port, now));
    } while (agenda->next == now);
}

/* Before each port's, up to the last of them that was carried. */
G_GNUC_NO_INLINE static void deliver_in_order(Unit *unit, Time now)
{
    do {
        const uint32_t port = inbox_port_due(&unit->inbox, now);
        if (inbox_has_due(&unit->inbox, now, port))
            deliver_carried(unit, now);
        else
            inbox_go_on(&unit->inbox, port, deliver_to(unit, port, now));
    } while (inbox_has_due(&unit->inbox, now, INBOX_CREDITS));
}

/* Everything due is in the ports before the unit is stepped, so that an arbiter sees all who
 * compete. */
static inline void deliver(Unit *unit, Time now)
{
    unit->fresh_count = 0;
    if (inbox_has_due(&unit->inbox, now, INBOX_CREDITS)) deliver_in_order(unit, now);
    if (inbox_has_due(&unit->inbox, now, INBOX_NO_PORT)) inbox_take_credits(&unit->inbox, now);
    if (inbox_next_due(&unit->inbox) == now)
        inbox_has_few(&unit->inbox) ? deliver_to_few(unit, now) : deliver_to_many(unit, now);
    else if (!unit->fresh_count)
        unit->events++; /* woken */
}
