/* Ports and channels: how units meet. A channel leads from an output of one unit to an input of
 * another and has a fixed positive delay. Nothing has none: what is done at a time can then be seen
 * nowhere else at that time, so the order in which units of one time are stepped changes nothing,
 * and a tile may run ahead of the others by as much as its channels take.
 *
 * Back-pressure is credits: the sender knows how many places its receiver has free, and what the
 * receiver takes comes back `credit_delay` later. Such a credit is no message, but a time in a ring
 * of the port's: it costs an event only where the sender has found none left and sleeps on it. */
#pragma once

#include "kit/describe/resource.h"
#include "kit/engine/inbox.h"
#include "kit/engine/outbox.h"

typedef struct Channel Channel;

typedef struct {
    Message *message;
    Time at; /* a message on its way is due; of a place that was given back: its credit is there */
} PortSlot;

/* An input: a bounded queue of messages that have arrived, and of those on their way behind them.
 * The n-th message and the n-th credit have the same slot: a message that takes it anew has been
 * sent with that credit. All of it is a line of the host's cache. */
typedef struct {
    _Alignas(HOST_LINE) PortSlot *slot; /* ring, a power of two */
    uint32_t mask;
    uint32_t head;     /* messages that have left; */
    uint32_t count;    /* ... that wait here */
    uint32_t arrived;  /* all these; */
    uint32_t sent;     /* ... and those on their way */
    uint32_t returned; /* places that were given back */
    Channel *channel;  /* who sends into it; NULL: SimGrid brings what comes */
    Time credit_delay;
    Time stayed;     /* where it is bounded: when credits come, less when messages came */
    bool bounded;    /* the channel has a capacity */
    bool same_clock; /* all its times are edges of both clocks, without rounding */
    bool reasons;    /* it has said why places were not given back before */
    bool awaited;    /* the sender sleeps until a credit comes */
    bool answers;    /* what comes here are answers to another group (grouping/group.h) */
} Port;

/* What a channel's messages are to each other. Whoever is asked answers each question once, on one
 * channel, and says nothing else on it. */
typedef enum { CHANNEL_TELLS, CHANNEL_ASKS, CHANNEL_ANSWERS } ChannelTalk;

/* An output: the path to one port of another unit. What every message touches comes first, and is a
 * line of the host's cache. */
struct Channel {
    _Alignas(HOST_LINE) Inbox *from; /* of the sender */
    Port *port;
    Time delay;
    uint64_t sequence; /* messages sent */
    Time last_due;
    /* Of its places, from a message's sending until its credit has come: the sum of the times at
     * which they were given back, less of those at which they were taken. */
    uint64_t held;
    Time flight;         /* sum of the times from sending to arrival: a part of the second count */
    uint32_t credits;    /* free places known to be free */
    uint16_t port_index; /* of `port` in the receiver's port order */
    bool bounded : 1;    /* it has a capacity */
    bool same_clock : 1; /* as the port's */
    bool asks : 1;       /* what is sent are questions to another group (grouping/group.h) */
    bool crosses : 1;    /* to another tile, or thread: what is sent waits in an outbox */
    uint32_t capacity;   /* 0: the receiver has reserved room by its own protocol */
    uint32_t absorbed;   /* credits that are among those known */
    bool explains;       /* the receiver says why places were not free before */
    Inbox *to;           /* of the receiver */
    Outbox *outbox, *credit_outbox; /* of the sender's tile, of the receiver's: */
    uint32_t box, credit_box;       /* ... which of its boxes */
    Time full, full_since;          /* none was free */
    Time awaited;                   /* the sender has asked to be woken when this credit comes */
    uint64_t refused;               /* times the sender found it full */
    uint8_t *reason;  /* ring: what the receiver says why a place was not free before; 0: nothing */
    Time last_credit; /* of those known */
    Time credit_delay;
    ChannelTalk talk;
    const Clock *from_clock, *to_clock;
    const char *name;
};

/* Several ports or channels of one kind (a crossbar's inputs); sized before setup. */
typedef struct {
    Port *at;
    uint32_t count;
    uint32_t first; /* the port order of at[0] */
} PortArray;

typedef struct {
    Channel *at;
    uint32_t count;
} ChannelArray;

typedef enum { PORT_IN, PORT_OUT, PORT_IN_ARRAY, PORT_OUT_ARRAY } PortKind;

typedef struct {
    const char *name;
    PortKind kind;
    size_t offset;
    const char *summary;
} PortRow;

/* clang-format off */
#define PORT_INPUT(Type, field, text) {#field, PORT_IN, STAT_FIELD(Type, field, Port), text}
#define PORT_OUTPUT(Type, field, text) {#field, PORT_OUT, STAT_FIELD(Type, field, Channel), text}
#define PORT_INPUTS(Type, field, text)                                                             \
    {#field, PORT_IN_ARRAY, STAT_FIELD(Type, field, PortArray), text}
#define PORT_OUTPUTS(Type, field, text)                                                            \
    {#field, PORT_OUT_ARRAY, STAT_FIELD(Type, field, ChannelArray), text}
#define PORT_END {.name = NULL}
/* clang-format on */

/* The machine may leave a channel out: what it leads to is switched off. */
static inline bool channel_connected(const Channel *channel)
{
    return channel->port != NULL;
}

/* Of the n-th message, or credit. */
static inline PortSlot *port_slot(const Port *port, uint32_t number)
{
    return &port->slot[number & port->mask];
}

static inline Message *port_peek_at(const Port *port, uint32_t index)
{
    return port_slot(port, port->head + index)->message;
}

static inline Message *port_peek(const Port *port)
{
    return port->count ? port_peek_at(port, 0) : NULL;
}

/* When the first message came, of which there is one. */
static inline Time port_came(const Port *port)
{
    return port_slot(port, port->head)->at;
}

/* Which of the array the port of this order is (as in Unit.fresh); `count` or more: none of it. */
static inline uint32_t port_array_index(const PortArray *array, uint32_t order)
{
    return order - array->first;
}

/* The first message, or NULL, leaves the port and still holds its place, which port_vacate returns
 * to the sender after the channel's credit delay: for units that sort what waits. */
static inline Message *port_withdraw(Port *port)
{
    if (!port->count) return NULL;
    port->count--;
    return port_slot(port, port->head++)->message;
}

void port_vacate(Port *port, Time now);

/* Both in one. */
static inline Message *port_take(Port *port, Time now)
{
    Message *message = port_withdraw(port);
    if (message && port->bounded) port_vacate(port, now);
    return message;
}

/* Why the place that was returned last has not been before, a number above 0 that sender and
 * receiver understand. */
void port_give_any_reason(Port *port, uint8_t reason);

/* Mostly there is none, and a port that has given any says so of each place anyway. */
static inline void port_give_reason(Port *port, uint8_t reason)
{
    if (reason || !port->reasons) port_give_any_reason(port, reason);
}

/* The first message goes on before the port is done with it: another one stands for it. */
static inline void port_replace(Port *port, Message *message)
{
    port_slot(port, port->head)->message = message;
}

/* Of a ring that has not said how much it needs. */
enum { PORT_ROOM = 8 };

/* For so many messages, a power of two. */
void port_make_room(Port *port, uint32_t room);

/* The next message on its way has arrived. */
static inline void port_arrive(Port *port, Time now)
{
    port->arrived++;
    port->stayed -= now;
    port->count++;
}

/* When the next one does; TIME_NEVER: none is on its way. */
static inline Time port_next_due(const Port *port)
{
    return port->arrived != port->sent ? port_slot(port, port->arrived)->at : TIME_NEVER;
}

/* A message has arrived that no channel has brought. */
void port_push(Port *port, Message *message, Time now);

/* Credits that have come by `now` are places known to be free. The sender looks for them only when
 * it knows of none, or when they have reasons: they are in the receiver's memory, and as many as
 * wait are read at once. */
void channel_absorb(Channel *channel, Time now);

/* The sender sleeps on it: no further place is free before that credit comes. */
static inline bool channel_sleeps(const Channel *channel, Time now)
{
    return channel->awaited > now || channel->port->awaited;
}

/* A place is free at `now`. */
static inline bool channel_ready(Channel *channel, Time now)
{
    if (!channel->bounded || (channel->credits && !channel->explains)) return true;
    if (channel->absorbed != channel->port->returned && !channel_sleeps(channel, now))
        channel_absorb(channel, now);
    return channel->credits;
}

/* Places free at `now`; UINT32_MAX for a channel without bound. */
uint32_t channel_room(Channel *channel, Time now);

/* The reason why the place that became free last did not do so before, if it became so after
 * `since`; 0: none was given. The caller has just seen channel_ready. */
uint8_t channel_reason(const Channel *channel, Time since);

/* Sends at `when` >= now; the caller has seen channel_ready. Due at ceil(when + delay) on the
 * receiver's clock, never before an earlier message of the channel. */
void channel_send(Channel *channel, Message *message, Time when);

/* What waited in an outbox is on its way where it goes to: a message, or a wake-up of the sender by
 * a credit. */
void channel_deliver(const Parcel *parcel);

/* Its places by `at`, which is neither before the sender's last step nor, if there was something in
 * it, before it was asked last: the credits that have come by then are known. Of their second count
 * it has what messages take on their way; the receiver's port has how long they stay there and how
 * long their credits take. */
ResourceCount channel_count(Channel *channel, Time at);
ResourceCount port_count(const Port *port, Time at);

/* The sender found too few places: it is stepped again when a further one becomes free. */
void channel_await(Channel *channel, Time now);

/* One that waits for that would have found it full so often. */
static inline void channel_refuse(Channel *channel, uint64_t times)
{
    channel->refused += times;
}
