/* Packets that a test sends one by one through a network, and when each has to arrive. */
#pragma once

#include "rigs/unit_rig.h"

#include "kit/gpu/network.h"

/* Of one source. */
typedef struct {
    uint64_t at;
    TransactionType type;
    uint16_t sectors;
    uint16_t to;
    uint64_t there; /* cycle at which the destination has it */
} Packet;

typedef struct {
    const Packet *packets;
    uint64_t count;
    uint16_t from; /* number of the source */
    NetworkRole role;
} Script;

static inline Message *make_packet(Unit *source, uint64_t number, Time *at, void *user)
{
    const Script *script = user;
    if (number >= script->count) return NULL;
    const Packet *packet = &script->packets[number];
    *at = packet->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = (uint8_t)packet->type;
    transaction->sectors = packet->sectors;
    const bool request = script->role == NETWORK_REQUEST;
    transaction->source = request ? script->from : packet->to;
    transaction->slice = request ? packet->to : script->from;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

/* Arrivals of one source's packets, in its order, each at its cycle. */
static inline void check_arrivals(Unit *const *sinks, const Unit *source, const Script *script)
{
    for (uint64_t n = 0; n < script->count; n++) {
        const Packet *packet = &script->packets[n];
        const Unit *sink = sinks[packet->to];
        const uint64_t id = (uint64_t)unit_index(source) << 40 | n;
        uint64_t i = 0;
        while (i < harness_arrivals(sink) && harness_transaction(sink, i)->message.id != id) i++;
        ck_assert_uint_lt(i, harness_arrivals(sink));
        ck_assert_msg(harness_arrival(sink, i)->cycle == packet->there,
                      "packet %" G_GUINT64_FORMAT " of source %u at %" G_GUINT64_FORMAT
                      ", not %" G_GUINT64_FORMAT,
                      n, script->from, harness_arrival(sink, i)->cycle, packet->there);
    }
}

#define SCRIPT(packets)                                                                            \
    {                                                                                              \
        packets, G_N_ELEMENTS(packets), 0, NETWORK_REQUEST                                         \
    }
