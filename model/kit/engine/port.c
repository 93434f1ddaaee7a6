#include "kit/engine/internal.h"

static void port_grow(Port *port)
{
    const uint32_t room = port->slot ? 2 * (port->mask + 1) : 8;
    Message **slot = g_new(Message *, room);
    for (uint32_t i = 0; i < port->count; i++) slot[i] = port_peek_at(port, i);
    g_free(port->slot);
    port->slot = slot;
    port->mask = room - 1;
    port->head = 0;
}

void port_push(Port *port, Message *message)
{
    if (!port->slot || port->count > port->mask) port_grow(port);
    port->slot[(port->head + port->count++) & port->mask] = message;
    if (port->count > port->highest) port->highest = port->count;
}

Message *port_withdraw(Port *port)
{
    if (!port->count) return NULL;
    port->count--;
    return port->slot[port->head++ & port->mask];
}

void port_vacate(Port *port, Time now)
{
    if (port->channel->capacity) channel_return_credit(port->channel, now);
}

Message *port_take(Port *port, Time now)
{
    Message *message = port_withdraw(port);
    if (message) port_vacate(port, now);
    return message;
}

/* The time lies at least one lookahead ahead, so a sender on another tile cannot see it in the
 * window it is running: the credit needs no message of its own unless the sender sleeps on it. */
void channel_return_credit(Channel *channel, Time now)
{
    Time at = now + channel->credit_delay;
    if (!channel->same_clock) at = clock_ceil(channel->from->clock, at);
    channel->credit_at[(channel->credit_head + channel->credit_count++) & channel->credit_mask] =
        at;
    if (!channel->blocked) return;
    channel->blocked = false;
    channel->awaited = at;
    if (channel->crosses)
        tile_post(channel->to->tile, &(Parcel){.due = at, .to = channel->from});
    else
        unit_receive_credit(channel->from, at);
}

static void absorb_credits(Channel *channel, Time now)
{
    while (channel->credit_count
           && channel->credit_at[channel->credit_head & channel->credit_mask] <= now) {
        channel->credit_head++;
        channel->credit_count--;
        channel->credits++;
    }
}

bool channel_ready(Channel *channel, Time now)
{
    if (!channel->capacity) return true;
    if (channel->credit_count) absorb_credits(channel, now);
    return channel->credits > 0;
}

uint32_t channel_room(Channel *channel, Time now)
{
    if (!channel->capacity) return UINT32_MAX;
    absorb_credits(channel, now);
    return channel->credits;
}

void channel_send(Channel *channel, Message *message, Time when)
{
    Time due = when + channel->delay;
    if (!channel->same_clock) due = clock_ceil(channel->to->clock, due);
    if (due < channel->last_due) due = channel->last_due;
    channel->last_due = due;
    const uint64_t key = (uint64_t)channel->port_index << 48 | channel->sequence++;
    if (channel->capacity) {
        g_assert(channel->credits > 0);
        channel->credits--;
    }
    if (channel->crosses)
        tile_post(channel->from->tile, &(Parcel){due, key, channel->to, message});
    else
        unit_receive(channel->to, due, key, message);
}

void channel_await(Channel *channel, Time now)
{
    channel->refused++;
    absorb_credits(channel, now);
    if (channel->credit_count) {
        const Time at = channel->credit_at[channel->credit_head & channel->credit_mask];
        if (at != channel->awaited) unit_receive_credit(channel->from, at);
        channel->awaited = at;
    } else {
        channel->blocked = true;
    }
}
