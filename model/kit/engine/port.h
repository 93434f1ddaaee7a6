/* Ports and channels: how units meet. A channel leads from an output of one unit to an input of
 * another and has a fixed positive delay. Nothing has none: what is done at a time can then be seen
 * nowhere else at that time, so the order in which units of one time are stepped changes nothing,
 * and a tile may run ahead of the others by as much as its channels take.
 *
 * Back-pressure is credits: the sender knows how many places its receiver has free, and what the
 * receiver takes comes back `credit_delay` later. Such a credit is no message, but a time in a ring
 * of the sender: it costs an event only where the sender has found none left and sleeps on it. */
#pragma once

#include "kit/describe/resource.h"
#include "kit/engine/inbox.h"
#include "kit/engine/outbox.h"

typedef struct Channel Channel;

/* An input: a bounded queue of messages that have arrived. */
typedef struct {
    _Alignas(HOST_LINE) Message **slot; /* ring, a power of two */
    uint32_t mask, head, count;
    uint32_t inside;  /* that hold a place: they wait, or have been withdrawn */
    Channel *channel; /* who sends into it */
    uint32_t highest; /* most that ever waited: the bound that tests hold */
    bool answers;     /* what comes here are answers to another group (group.h) */
    Time stayed;      /* where it is bounded: when credits come, less when messages came */
} Port;

/* What a channel's messages are to each other. Whoever is asked answers each question once, on one
 * channel, and says nothing else on it. */
typedef enum { CHANNEL_TELLS, CHANNEL_ASKS, CHANNEL_ANSWERS } ChannelTalk;

/* An output: the path to one port of another unit. */
/* What every message touches comes first. */
struct Channel {
    _Alignas(HOST_LINE) Inbox *from, *to; /* of the two units */
    Outbox *outbox; /* of the sender's tile; NULL: the receiver is on the same one */
    Time delay;
    uint32_t port_index; /* of `port` in the receiver's port order */
    uint32_t capacity;   /* 0: the receiver has reserved room by its own protocol */
    uint32_t credits;    /* free places known to be free */
    uint32_t credit_head, credit_count, credit_mask;
    Time *credit_at;        /* ring: when further places become free */
    uint8_t *credit_reason; /* ring: what its receiver says why not before; 0: nothing */
    uint64_t sequence;      /* messages sent */
    Time last_due;
    /* Of its places, from a message's sending until its credit has come: the sum of the times at
     * which they were given back, less of those at which they were taken. */
    uint64_t held;
    Time flight; /* sum of the times from sending to arrival: a part of the places' second count */
    Time full, full_since; /* none was free */
    /* all its times are edges of both clocks, without rounding */
    bool same_clock;
    bool blocked; /* the sender sleeps until a credit comes */
    bool asks;    /* what is sent are questions to another group (group.h) */
    Time credit_delay;
    Time awaited;     /* the sender has asked to be woken when this credit comes */
    uint64_t refused; /* times the sender found it full */
    ChannelTalk talk;
    const Clock *from_clock, *to_clock;
    Outbox *credit_outbox; /* of the receiver's tile */
    Port *port;
    const char *name;
};

/* Several ports or channels of one kind (a crossbar's inputs), sized by the machine before setup.
 */
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
    return channel->to != NULL;
}

static inline Message *port_peek(const Port *port)
{
    return port->count ? port->slot[port->head & port->mask] : NULL;
}

static inline Message *port_peek_at(const Port *port, uint32_t index)
{
    return port->slot[(port->head + index) & port->mask];
}

/* Which of the array the port of this order is (as in Unit.fresh); `count` or more: none of it. */
static inline uint32_t port_array_index(const PortArray *array, uint32_t order)
{
    return order - array->first;
}

/* Takes the first message, or NULL, and returns its place to the sender after the channel's
 * credit delay. */
Message *port_take(Port *port, Time now);

/* The same in two steps, for units that sort what waits: the first message leaves the port and
 * still holds its place, which port_vacate returns. */
Message *port_withdraw(Port *port);
void port_vacate(Port *port, Time now);

/* Why the place that was returned last has not been before, a number above 0 that sender and
 * receiver understand. */
void port_give_reason(Port *port, uint8_t reason);

/* A message has arrived. */
void port_push(Port *port, Message *message, Time now);

/* A place is free at `now`. */
bool channel_ready(Channel *channel, Time now);

/* Places free at `now`; UINT32_MAX for a channel without bound. */
uint32_t channel_room(Channel *channel, Time now);

/* The reason why the place that became free last did not do so before, if it became so after
 * `since`; 0: none was given. The caller has just seen channel_ready. */
uint8_t channel_reason(const Channel *channel, Time since);

/* Sends at `when` >= now; the caller has seen channel_ready. Due at ceil(when + delay) on the
 * receiver's clock, never before an earlier message of the channel. */
void channel_send(Channel *channel, Message *message, Time when);

/* Its places by `at`, which is not before the sender's last step. Of their second count it has what
 * messages take on their way; the receiver's port has how long they stay there and how long their
 * credits take. */
ResourceCount channel_count(const Channel *channel, Time at);
ResourceCount port_count(const Port *port, Time at);

/* The sender found too few places: it is stepped again when a further one becomes free. */
void channel_await(Channel *channel, Time now);
