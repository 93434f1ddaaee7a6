#include "kit/engine/inbox.h"

void inbox_init(Inbox *inbox, uint32_t order)
{
    *inbox = (Inbox){.turn = {.next = TIME_NEVER, .order = order}, .wake = TIME_NEVER};
}

void inbox_finish(Inbox *inbox)
{
    g_free(inbox->arrival);
}

static inline bool arrives_before(const Arrival *a, const Arrival *b)
{
    return a->due != b->due ? a->due < b->due : a->key < b->key;
}

/* A heap, although a channel's messages come in order: they are of several channels, and what other
 * tiles send comes a window late. */
static void push(Inbox *inbox, Arrival arrival)
{
    if (inbox->arrivals == inbox->room) {
        inbox->room = inbox->room ? 2 * inbox->room : 16;
        inbox->arrival = g_renew(Arrival, inbox->arrival, inbox->room);
    }
    uint32_t i = inbox->arrivals++;
    for (; i && arrives_before(&arrival, &inbox->arrival[(i - 1) / 2]); i = (i - 1) / 2)
        inbox->arrival[i] = inbox->arrival[(i - 1) / 2];
    inbox->arrival[i] = arrival;
}

Arrival inbox_take(Inbox *inbox)
{
    const Arrival top = inbox->arrival[0], last = inbox->arrival[--inbox->arrivals];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < inbox->arrivals; i = child) {
        if (child + 1 < inbox->arrivals
            && arrives_before(&inbox->arrival[child + 1], &inbox->arrival[child]))
            child++;
        if (!arrives_before(&inbox->arrival[child], &last)) break;
        inbox->arrival[i] = inbox->arrival[child];
    }
    inbox->arrival[i] = last;
    return top;
}

/* Setup may ask for wake-ups, and a unit has no tile then. */
void inbox_settle(Inbox *inbox, Group *group, uint32_t tile)
{
    inbox->group = group;
    inbox->tile = tile;
    calendar_add(&group->calendar, &inbox->turn);
}

/* What is later than the turn that the unit has already is found when that turn is over. */
static inline void schedule(Inbox *inbox, Time at)
{
    if (at >= inbox->turn.next) return;
    inbox->turn.next = at;
    if (inbox->group && !inbox->open) calendar_update(&inbox->group->calendar, &inbox->turn);
}

void inbox_close(Inbox *inbox)
{
    inbox->open = false;
    inbox->turn.next = inbox->arrivals ? MIN(inbox->arrival[0].due, inbox->wake) : inbox->wake;
    calendar_update(&inbox->group->calendar, &inbox->turn);
}

void inbox_receive(Inbox *inbox, Time due, uint64_t key, Message *message)
{
    push(inbox, (Arrival){due, key, message});
    schedule(inbox, due);
}

void inbox_wake(Inbox *inbox, Time at)
{
    if (at < inbox->wake) inbox->wake = at;
    schedule(inbox, at);
}

void inbox_receive_credit(Inbox *inbox, Time at)
{
    inbox_receive(inbox, at, UINT64_MAX, NULL);
}
