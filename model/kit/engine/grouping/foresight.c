#include "kit/engine/grouping/foresight.h"

#include "kit/engine/unit.h"
#include "kit/observe/series.h"

/* More are fetched when it is their turn: those of a visit that has so many have room in the host's
 * nearest cache, and more would not. */
enum { FORESEEN_MOST = 48 };

typedef struct {
    const Unit *unit;
    const Message *message;
    uint32_t port;
} Coming;

typedef struct {
    Time until;
    uint32_t count;
    Coming at[FORESEEN_MOST];
} Foresight;

/* A port's messages are due in order. */
static void note_port(Foresight *foresight, const Unit *unit, uint32_t index)
{
    const Port *port = unit->ports[index];
    for (uint32_t i = port->arrived; i != port->sent && foresight->count < FORESEEN_MOST; i++) {
        const PortSlot *slot = port_slot(port, i);
        if (slot->at >= foresight->until) return;
        message_foresee(slot->message);
        foresight->at[foresight->count++] = (Coming){unit, slot->message, index};
    }
}

/* An interval of its series ends: long after the one before it. */
static void foresee_closing(const Unit *unit)
{
    fetch_ahead(unit->observation);
    if (unit->series) series_foresee(unit->series);
}

static void note_unit(Foresight *foresight, const Unit *unit)
{
    const Inbox *inbox = &unit->inbox;
    if (unit->observe_due < foresight->until) foresee_closing(unit);
    if (unit->class->foresee_own) unit->class->foresee_own(unit);
    if (inbox_next_due(inbox) >= foresight->until || !unit->class->foresee) return;
    if (!inbox_has_few(inbox)) {
        for (uint32_t i = 0; i < unit->port_count; i++) note_port(foresight, unit, i);
        return;
    }
    for (uint32_t rest = inbox->coming; rest; rest &= rest - 1)
        note_port(foresight, unit, (uint32_t)__builtin_ctz(rest));
}

static void ask_units(const Foresight *foresight, Foresee round)
{
    for (const Coming *coming = foresight->at; coming < foresight->at + foresight->count; coming++)
        coming->unit->class->foresee(coming->unit, coming->message, coming->port, round);
}

void group_foresee(const Group *group)
{
    Foresight foresight; /* not all of it is used */
    foresight.until = group->until;
    foresight.count = 0;
    const Calendar *calendar = &group->calendar;
    for (uint64_t some = group->foresees; some; some &= some - 1)
        for (uint32_t place = (uint32_t)__builtin_ctzll(some); place < calendar->count;
             place += GROUP_BITS)
            if (calendar->tournament.next[place] < group->until)
                note_unit(&foresight, inbox_unit((Inbox *)(void *)calendar->turns[place]));
    ask_units(&foresight, FORESEE_FIRST);
    ask_units(&foresight, FORESEE_BEHIND);
}
