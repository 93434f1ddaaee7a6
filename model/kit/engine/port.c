#include "kit/engine/port.h"

void port_make_room(Port *port, uint32_t room)
{
    PortSlot *slot = g_aligned_alloc(room, sizeof(PortSlot), HOST_LINE);
    for (uint32_t i = port->head; i != port->sent; i++) slot[i & (room - 1)] = *port_slot(port, i);
    g_aligned_free(port->slot);
    port->slot = slot;
    port->mask = room - 1;
}

/* The bound of a port is its channel's capacity. Where there is none, another protocol of the two
 * units bounds it, which the port does not know: so it grows. */
static inline bool port_is_full(const Port *port)
{
    return port->sent - port->head > port->mask;
}

/* Returns whether it is the only one on its way. */
static inline bool port_append(Port *port, Message *message, Time due)
{
    if (port_is_full(port)) port_make_room(port, 2 * (port->mask + 1));
    *port_slot(port, port->sent) = (PortSlot){message, due};
    return port->sent++ == port->arrived;
}

void port_push(Port *port, Message *message, Time now)
{
    if (!port->slot) port_make_room(port, PORT_ROOM);
    port_append(port, message, now);
    port_arrive(port, now);
}

G_GNUC_NO_INLINE static void wake_sender(Port *port, Time at)
{
    Channel *channel = port->channel;
    port->awaited = false;
    channel->awaited = at;
    if (channel->crosses)
        outbox_post(channel->credit_outbox, channel->credit_box,
                    &(Parcel){.due = at, .channel = channel});
    else
        inbox_receive_credit(channel->from, at);
}

/* Where the sender sees it at once, even if that is on another tile, or in another group, and has
 * run more or less of the present window or stretch. That is exact: no credit delay is shorter than
 * these, so the credit's time lies behind them, and before its time nobody uses it; whom a credit
 * of the MMU's could reach within a stretch has asked, and waits. */
void port_vacate(Port *port, Time now)
{
    if (!port->bounded) return;
    Time at = now + port->credit_delay;
    if (!port->same_clock) at = clock_ceil(port->channel->from_clock, at);
    const uint32_t place = port->returned++ & port->mask;
    port->slot[place].at = at;
    port->stayed += at;
    if (port->reasons) port->channel->reason[place] = 0;
    if (port->awaited) wake_sender(port, at);
}

void port_give_any_reason(Port *port, uint8_t reason)
{
    if (!port->bounded) return;
    Channel *channel = port->channel;
    if (!port->reasons) channel->reason = g_new0(uint8_t, port->mask + 1);
    port->reasons = channel->explains = true;
    channel->reason[(port->returned - 1) & port->mask] = reason;
}

void channel_absorb(Channel *channel, Time now)
{
    const Port *port = channel->port;
    for (; channel->absorbed != port->returned; channel->absorbed++) {
        const Time at = port->slot[channel->absorbed & port->mask].at;
        if (at > now) return;
        channel->held += at;
        channel->last_credit = at;
        if (!channel->credits++ && at > channel->full_since)
            channel->full += at - channel->full_since;
    }
}

uint8_t channel_reason(const Channel *channel, Time since)
{
    if (!channel->explains || channel->last_credit <= since) return 0;
    return channel->reason[(channel->absorbed - 1) & channel->port->mask];
}

uint32_t channel_room(Channel *channel, Time now)
{
    if (!channel->bounded) return UINT32_MAX;
    channel_absorb(channel, now);
    return channel->credits;
}

/* The last place known: only now does it matter which credits have come, since it was full only if
 * none had. */
G_GNUC_NO_INLINE static void take_last_place(Channel *channel)
{
    g_assert(!channel->credits);
    channel->full_since = channel->from->now;
    channel_absorb(channel, channel->from->now);
}

/* It is the last one that is known, or there was none. */
static inline bool take_place(Channel *channel, Time due)
{
    const Time now = channel->from->now;
    channel->flight += due - now;
    channel->held -= now;
    return (int32_t)--channel->credits <= 0;
}

static inline void bring(const Channel *channel, Message *message, Time due)
{
    if (port_append(channel->port, message, due))
        inbox_expect(channel->to, channel->port_index, due);
}

void channel_deliver(const Parcel *parcel)
{
    if (parcel->message)
        bring(parcel->channel, parcel->message, parcel->due);
    else
        inbox_receive_credit(parcel->channel->from, parcel->due);
}

/* When it is due. A sender may say a `when` that is before an earlier one's: messages do not
 * overtake. */
static inline Time note_sent(Channel *channel, Time when)
{
    Time due = when + channel->delay;
    if (!channel->same_clock) due = clock_ceil(channel->to_clock, due);
    if (due < channel->last_due) due = channel->last_due;
    channel->last_due = due;
    channel->sequence++;
    return due;
}

/* Any message of any channel. */
G_GNUC_NO_INLINE static void send_any(Channel *channel, Message *message, Time due)
{
    if (channel->asks) group_ask(channel->from->group);
    if (channel->bounded && take_place(channel, due)) take_last_place(channel);
    if (channel->crosses)
        outbox_post(channel->outbox, channel->box, &(Parcel){due, channel, message});
    else
        bring(channel, message, due);
}

G_GNUC_NO_INLINE static void end_with_last_place(Channel *channel, bool first, Time due)
{
    take_last_place(channel);
    if (first) inbox_expect(channel->to, channel->port_index, due);
}

/* Most are no questions, stay on the tile, and there is room where they wait: then nothing is
 * called but at the end. */
void channel_send(Channel *channel, Message *message, Time when)
{
    const Time due = note_sent(channel, when);
    if (channel->asks || channel->crosses || port_is_full(channel->port)) {
        send_any(channel, message, due);
        return;
    }
    const bool first = port_append(channel->port, message, due);
    if (channel->bounded && take_place(channel, due))
        end_with_last_place(channel, first, due);
    else if (first)
        inbox_expect(channel->to, channel->port_index, due);
}

ResourceCount channel_count(Channel *channel, Time at)
{
    channel_absorb(channel, at);
    const uint32_t taken = channel->capacity - channel->credits;
    return (ResourceCount){.work = channel->held + taken * at,
                           .full =
                               channel->full + (channel->credits ? 0 : at - channel->full_since),
                           .refused = channel->refused,
                           .came = channel->sequence,
                           .stayed = channel->flight,
                           .inside = taken};
}

ResourceCount port_count(const Port *port, Time at)
{
    const uint32_t inside = port->arrived - port->returned;
    return (ResourceCount){.stayed = port->stayed + inside * at};
}

/* Either a credit is on its way, then the sender knows when and wakes itself; or none is, then the
 * first place that the receiver vacates wakes it. Of two tiles it depends on who was first in the
 * window which of the two it is. The wake-up is the same: the time of that credit. */
void channel_await(Channel *channel, Time now)
{
    Port *port = channel->port;
    channel->refused++;
    if (channel_sleeps(channel, now)) return;
    channel_absorb(channel, now);
    if (channel->absorbed == port->returned) {
        port->awaited = true;
        return;
    }
    const Time at = port->slot[channel->absorbed & port->mask].at;
    if (at != channel->awaited) inbox_receive_credit(channel->from, at);
    channel->awaited = at;
}
