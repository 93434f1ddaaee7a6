/* What is on its way to a unit: messages that have been sent and are not due yet, and when the unit
 * wants to be woken.
 *
 * A channel's messages are due in the order in which they were sent. They wait in the port that
 * they are sent to, and the inbox knows of each port when the first of them is due: one that
 * follows another changes nothing here. What comes in another order has a heap: credits that the
 * unit sleeps on, and what SimGrid carries. */
#pragma once

#include "kit/engine/grouping/group.h"
#include "kit/gpu/message.h"

typedef struct {
    Time due;
    uint64_t key;     /* port order << 48 | number */
    Message *message; /* NULL: a credit that the unit sleeps on */
} Arrival;

/* A line of the host's cache. */
typedef struct {
    Turn turn; /* first: the calendar leads to the inbox */
    Time wake; /* TIME_NEVER: no wake-up asked for */
    Time now;  /* of the step in progress */
    /* The first of all dues is in front of it. Few ports: by port, of its next message. Many: of
     * the Agenda's `next` it is the end. */
    Time *due;
    uint16_t ports;    /* that there is room for */
    uint16_t coming;   /* of few ports, a bit each: something is on its way */
    uint32_t arrivals; /* in the heap */
    Arrival *arrival;
    Group *group; /* the unit's; NULL: not laid out yet */
} Inbox;

/* No port; behind all ports, where credits come. */
#define INBOX_NO_PORT UINT32_MAX
enum { INBOX_CREDITS = UINT16_MAX };

void inbox_init(Inbox *inbox, uint32_t order);
void inbox_finish(Inbox *inbox);

/* The unit has so many ports; nothing is on its way to one. */
void inbox_make_room(Inbox *inbox, uint32_t ports);

/* Times of few ports are a line of the host's cache: which of them have something coming is known,
 * and of these the first time. */
enum { INBOX_FEW = 7 };

static inline bool inbox_has_few(const Inbox *inbox)
{
    return inbox->ports <= INBOX_FEW;
}

static inline Agenda *inbox_agenda(const Inbox *inbox)
{
    G_STATIC_ASSERT(offsetof(Agenda, next) == 0);
    return (Agenda *)(void *)(inbox->due - 1);
}

/* When the next message is due; TIME_NEVER: none is on its way. */
static inline Time inbox_next_due(const Inbox *inbox)
{
    return inbox->due[-1];
}

/* When the next message is due, or the next credit that the unit sleeps on. */
static inline Time inbox_next_arrival(const Inbox *inbox)
{
    const Time due = inbox_next_due(inbox);
    return inbox->arrivals && inbox->arrival[0].due < due ? inbox->arrival[0].due : due;
}

/* In this group from now on. */
void inbox_settle(Inbox *inbox, Group *group);

/* The port's next message is due at `due`. Of several at one time the first port comes first, and
 * of a port what was sent first. Nothing else decides, least of all who was here first: a message
 * from another tile comes with its bundle, later than one from the same tile. */
void inbox_expect(Inbox *inbox, uint32_t port, Time due);

/* Something that comes in no order is due at `due`. Of several at one time the lowest key comes
 * first. */
void inbox_receive(Inbox *inbox, Time due, uint64_t key, Message *message);

/* Its turn becomes sooner. */
void inbox_hasten(Inbox *inbox, Time at);

/* What is later than the turn that the unit has already is found when that turn is over; in a step
 * everything is. */
static inline void inbox_schedule(Inbox *inbox, Time at)
{
    if (at < inbox->turn.next) inbox_hasten(inbox, at);
}

/* The unit's own wake-up; the earliest it has asked for since the last one counts. */
static inline void inbox_wake(Inbox *inbox, Time at)
{
    if (at < inbox->wake) inbox->wake = at;
    inbox_schedule(inbox, at);
}

/* A credit that the unit sleeps on can be used at `at`. Unlike the unit's own wake-up it is not
 * replaced by an earlier one: what the unit asks for it asks anew in every step, this it does
 * not. */
void inbox_receive_credit(Inbox *inbox, Time at);

/* The unit's step begins, at the time of its turn: until inbox_close its turn is not kept in order,
 * since whatever the step asks for it comes once and at the end. */
static inline Time inbox_open(Inbox *inbox)
{
    const Time now = inbox->turn.next;
    inbox->now = now;
    inbox->turn.next = 0; /* nothing is earlier */
    if (inbox->wake == now) inbox->wake = TIME_NEVER;
    return now;
}

/* `turns` are the group's. */
static inline void inbox_close(Inbox *inbox, const Tournament *turns)
{
    const Time due = inbox_next_arrival(inbox), next = inbox->wake < due ? inbox->wake : due;
    inbox->turn.next = next;
    tournament_set(turns, inbox->turn.place, next);
}

/* Of few ports the first one whose message is due at `now`, which is when the next one is. */
static inline uint32_t inbox_find_due(const Inbox *inbox, Time now)
{
    uint32_t rest = inbox->coming;
    while (inbox->due[__builtin_ctz(rest)] != now) rest &= rest - 1;
    return (uint32_t)__builtin_ctz(rest);
}

/* The first port that a message comes to at `now`, in order. */
static inline uint32_t inbox_port_due(const Inbox *inbox, Time now)
{
    if (inbox_next_due(inbox) != now) return INBOX_NO_PORT;
    return inbox_has_few(inbox) ? inbox_find_due(inbox, now) : agenda_port(inbox_agenda(inbox));
}

/* In the unit's step: what has come to the port is taken, the next is due then. */
void inbox_go_on(Inbox *inbox, uint32_t port, Time due);

/* Something in the heap is due that comes before what comes to the port. */
static inline bool inbox_has_due(const Inbox *inbox, Time now, uint32_t before_port)
{
    return inbox->arrivals && inbox->arrival[0].due == now
           && inbox->arrival[0].key >> 48 < before_port;
}

/* The next one of the heap; there is one. */
Arrival inbox_take(Inbox *inbox);

/* The credits that are due at `now`, of which there is one; nothing else of the heap is. */
static inline void inbox_take_credits(Inbox *inbox, Time now)
{
    if (inbox->arrivals == 1) {
        inbox->arrivals = 0;
        return;
    }
    do inbox_take(inbox);
    while (inbox_has_due(inbox, now, INBOX_NO_PORT));
}

/* Messages are on their way, or it will be woken by a credit. */
static inline bool inbox_expects(const Inbox *inbox)
{
    return inbox->arrivals || inbox_next_due(inbox) != TIME_NEVER;
}
