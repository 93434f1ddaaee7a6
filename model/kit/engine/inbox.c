#include "kit/engine/inbox.h"

void inbox_init(Inbox *inbox, uint32_t order)
{
    *inbox = (Inbox){.turn = {.next = TIME_NEVER, .order = order}, .wake = TIME_NEVER};
}

void inbox_finish(Inbox *inbox)
{
    if (inbox->due && inbox_has_few(inbox))
        g_aligned_free(inbox->due - 1);
    else if (inbox->due)
        agenda_free(inbox_agenda(inbox));
    g_free(inbox->arrival);
}

void inbox_make_room(Inbox *inbox, uint32_t ports)
{
    inbox->ports = (uint16_t)ports;
    if (inbox_has_few(inbox)) {
        Time *times = g_aligned_alloc(1 + INBOX_FEW, sizeof(Time), HOST_LINE);
        for (uint32_t i = 0; i <= INBOX_FEW; i++) times[i] = TIME_NEVER;
        inbox->due = times + 1;
    } else {
        inbox->due = &agenda_new(ports)->next + 1;
    }
}

static inline bool arrives_before(const Arrival *a, const Arrival *b)
{
    return tournament_precedes(a->due, a->key, b->due, b->key);
}

enum { FIRST_ROOM = 16 }; /* of the heap: a power of two */

/* From a free place at `i` up to where it belongs. */
static inline void rise(Inbox *inbox, uint32_t i, Arrival arrival)
{
    for (; i && arrives_before(&arrival, &inbox->arrival[(i - 1) / 2]); i = (i - 1) / 2)
        inbox->arrival[i] = inbox->arrival[(i - 1) / 2];
    inbox->arrival[i] = arrival;
}

/* The heap has room for a power of two, which it may find again where it had it before. */
static void push(Inbox *inbox, Arrival arrival)
{
    const uint32_t count = inbox->arrivals;
    if (!inbox->arrival || (count >= FIRST_ROOM && !(count & (count - 1))))
        inbox->arrival = g_renew(Arrival, inbox->arrival, count ? 2 * count : FIRST_ROOM);
    rise(inbox, inbox->arrivals++, arrival);
}

/* The free place goes down to the end without a look at the last arrival, which nearly always
 * belongs there. */
Arrival inbox_take(Inbox *inbox)
{
    Arrival *arrival = inbox->arrival;
    const Arrival top = arrival[0];
    const uint32_t left = --inbox->arrivals;
    uint32_t free = 0;
    for (uint32_t child; (child = 2 * free + 2) < left; free = child) {
        child -= arrives_before(&arrival[child - 1], &arrival[child]);
        arrival[free] = arrival[child];
    }
    if (2 * free + 1 < left) {
        arrival[free] = arrival[2 * free + 1];
        free = 2 * free + 1;
    }
    rise(inbox, free, arrival[left]);
    return top;
}

/* Setup may ask for wake-ups, and a unit has no tile then. */
void inbox_settle(Inbox *inbox, Group *group)
{
    inbox->group = group;
    calendar_add(&group->calendar, &inbox->turn);
}

void inbox_hasten(Inbox *inbox, Time at)
{
    inbox->turn.next = at;
    if (inbox->group) calendar_advance(&inbox->group->calendar, &inbox->turn);
}

/* Of few. */
static void find_next_due(Inbox *inbox)
{
    Time next = TIME_NEVER;
    for (uint32_t rest = inbox->coming; rest; rest &= rest - 1)
        next = MIN(next, inbox->due[__builtin_ctz(rest)]);
    inbox->due[-1] = next;
}

void inbox_go_on(Inbox *inbox, uint32_t port, Time due)
{
    if (inbox_has_few(inbox)) {
        inbox->due[port] = due;
        if (due == TIME_NEVER) inbox->coming &= (uint16_t) ~(1u << port);
        find_next_due(inbox);
    } else {
        agenda_go_on(inbox_agenda(inbox), port, due);
    }
}

static inline void note_due(Inbox *inbox, uint32_t port, Time due)
{
    if (inbox_has_few(inbox)) {
        inbox->due[port] = due;
        inbox->due[-1] = MIN(inbox_next_due(inbox), due);
        inbox->coming |= (uint16_t)(1u << port);
    } else {
        agenda_expect(inbox_agenda(inbox), port, due);
    }
}

void inbox_expect(Inbox *inbox, uint32_t port, Time due)
{
    note_due(inbox, port, due);
    inbox_schedule(inbox, due);
}

void inbox_receive(Inbox *inbox, Time due, uint64_t key, Message *message)
{
    push(inbox, (Arrival){due, key, message});
    inbox_schedule(inbox, due);
}

void inbox_receive_credit(Inbox *inbox, Time at)
{
    inbox_receive(inbox, at, UINT64_MAX, NULL);
}
