#include "kit/engine/port.h"

/* The bound of a port is its channel's capacity. Where there is none, another protocol of the two
 * units bounds it, which the port does not know: so it grows. */
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

void port_push(Port *port, Message *message, Time now)
{
    if (!port->slot || port->count > port->mask) port_grow(port);
    port->inside++;
    port->stayed -= now;
    port->slot[(port->head + port->count++) & port->mask] = message;
    if (port->count > port->highest) port->highest = port->count;
}

Message *port_withdraw(Port *port)
{
    if (!port->count) return NULL;
    port->count--;
    return port->slot[port->head++ & port->mask];
}

/* Written into the sender's memory at once, even where the sender is on another tile, or in another
 * group, and has run more or less of the present window or stretch. That is exact: no credit delay
 * is shorter than these, so the credit's time lies behind them, and before its time nobody uses
 * it; whom a credit of the MMU's could reach within a stretch has asked, and waits. */
static Time return_credit(Channel *channel, Time now)
{
    Time at = now + channel->credit_delay;
    if (!channel->same_clock) at = clock_ceil(channel->from_clock, at);
    const uint32_t place = (channel->credit_head + channel->credit_count++) & channel->credit_mask;
    channel->credit_at[place] = at;
    channel->credit_reason[place] = 0;
    if (!channel->blocked) return at;
    channel->blocked = false;
    channel->awaited = at;
    if (channel->credit_outbox)
        outbox_post(channel->credit_outbox, &(Parcel){.due = at, .to = channel->from});
    else
        inbox_receive_credit(channel->from, at);
    return at;
}

void port_vacate(Port *port, Time now)
{
    if (!port->channel->capacity) return;
    port->inside--;
    port->stayed += return_credit(port->channel, now);
}

Message *port_take(Port *port, Time now)
{
    Message *message = port_withdraw(port);
    if (message) port_vacate(port, now);
    return message;
}

void port_give_reason(Port *port, uint8_t reason)
{
    const Channel *channel = port->channel;
    if (!channel->capacity) return;
    const uint32_t place = channel->credit_head + channel->credit_count - 1;
    channel->credit_reason[place & channel->credit_mask] = reason;
}

/* A credit may have come long before, unasked for, and was not counted while others were free. */
static void absorb_credits(Channel *channel, Time now)
{
    while (channel->credit_count
           && channel->credit_at[channel->credit_head & channel->credit_mask] <= now) {
        const Time at = channel->credit_at[channel->credit_head++ & channel->credit_mask];
        channel->credit_count--;
        channel->held += at;
        if (!channel->credits++ && at > channel->full_since)
            channel->full += at - channel->full_since;
    }
}

/* Credits that have become due are counted here, when they are wanted, and not when they are
 * due. */
bool channel_ready(Channel *channel, Time now)
{
    if (!channel->capacity) return true;
    if (channel->credit_count) absorb_credits(channel, now);
    return channel->credits > 0;
}

uint8_t channel_reason(const Channel *channel, Time since)
{
    const uint32_t place = (channel->credit_head - 1) & channel->credit_mask;
    if (!channel->capacity || channel->credit_at[place] <= since) return 0;
    return channel->credit_reason[place];
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
    if (!channel->same_clock) due = clock_ceil(channel->to_clock, due);
    /* a sender may say a `when` that is before an earlier one's: messages do not overtake */
    if (due < channel->last_due) due = channel->last_due;
    channel->last_due = due;
    if (channel->asks) group_ask(channel->from->group);
    /* orders what is due at one time by what the model says, never by who was faster */
    const uint64_t key = (uint64_t)channel->port_index << 48 | channel->sequence++;
    if (channel->capacity) {
        g_assert(channel->credits > 0);
        const Time now = channel->from->now;
        channel->flight += due - now;
        channel->held -= now;
        if (!--channel->credits) channel->full_since = now;
    }
    if (channel->outbox)
        outbox_post(channel->outbox, &(Parcel){due, key, channel->to, message});
    else
        inbox_receive(channel->to, due, key, message);
}

/* The channel stays as it is: it may be asked about an earlier time afterwards. */
ResourceCount channel_count(const Channel *channel, Time at)
{
    Channel then = *channel;
    absorb_credits(&then, at);
    const uint32_t taken = then.capacity - then.credits;
    return (ResourceCount){.work = then.held + taken * at,
                           .full = then.full + (then.credits ? 0 : at - then.full_since),
                           .refused = then.refused,
                           .came = then.sequence,
                           .stayed = then.flight,
                           .inside = taken};
}

ResourceCount port_count(const Port *port, Time at)
{
    return (ResourceCount){.stayed = port->stayed + port->inside * at};
}

/* Either a credit is on its way, then the sender knows when and wakes itself; or none is, then the
 * first place that the receiver vacates wakes it. Of two tiles it depends on who was first in the
 * window which of the two it is. The wake-up is the same: the time of that credit. */
void channel_await(Channel *channel, Time now)
{
    channel->refused++;
    absorb_credits(channel, now);
    if (channel->credit_count) {
        const Time at = channel->credit_at[channel->credit_head & channel->credit_mask];
        if (at != channel->awaited) inbox_receive_credit(channel->from, at);
        channel->awaited = at;
    } else {
        channel->blocked = true;
    }
}
