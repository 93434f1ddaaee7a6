/* What is on its way to a unit: messages that have been sent and are not due yet, and when the unit
 * wants to be woken. Each unit has its own heap of them, so that a message that is sent costs the
 * receiver's memory only, which it touches anyway when the message is due. */
#pragma once

#include "kit/engine/group.h"
#include "kit/gpu/message.h"

typedef struct {
    Time due;
    uint64_t key;     /* port order << 48 | channel sequence */
    Message *message; /* NULL: a credit that the unit sleeps on */
} Arrival;

typedef struct {
    Turn turn; /* first: the calendar leads to the inbox */
    Time wake; /* TIME_NEVER: no wake-up asked for */
    Time now;  /* of the step in progress */
    Arrival *arrival;
    uint32_t arrivals, room;
    Group *group;  /* the unit's; NULL: not laid out yet */
    uint32_t tile; /* its number */
    bool open;     /* the unit is being stepped */
} Inbox;

void inbox_init(Inbox *inbox, uint32_t order);
void inbox_finish(Inbox *inbox);

/* In this group, on this tile from now on. */
void inbox_settle(Inbox *inbox, Group *group, uint32_t tile);

/* A message is due at `due`. Of several at one time the lowest key comes first: the first port, and
 * of a port what was sent first. Nothing else decides, least of all who was here first: a message
 * from another tile comes with its bundle, later than one from the same tile. */
void inbox_receive(Inbox *inbox, Time due, uint64_t key, Message *message);

/* The unit's own wake-up; the earliest it has asked for since the last one counts. */
void inbox_wake(Inbox *inbox, Time at);

/* A credit that the unit sleeps on can be used at `at`. Unlike the unit's own wake-up it is not
 * replaced by an earlier one: what the unit asks for it asks anew in every step, this it does
 * not. */
void inbox_receive_credit(Inbox *inbox, Time at);

/* The unit's step begins, at the time of its turn: until inbox_close its turn is not kept in order,
 * since whatever the step asks for it comes once and at the end. */
static inline Time inbox_open(Inbox *inbox)
{
    const Time now = inbox->turn.next;
    inbox->open = true;
    inbox->now = now;
    inbox->turn.next = TIME_NEVER;
    if (inbox->wake == now) inbox->wake = TIME_NEVER;
    return now;
}

void inbox_close(Inbox *inbox);

static inline bool inbox_has_due(const Inbox *inbox, Time now)
{
    return inbox->arrivals && inbox->arrival[0].due == now;
}

/* The next arrival; there is one. */
Arrival inbox_take(Inbox *inbox);
