/* Random traffic through the crossbar of rig.h: sources that always have a packet or send
 * one in a cycle with a given probability, to destinations drawn at random. */
#pragma once

#include "rig.h"

#include <math.h>

/* TO_TWO: to its own and to the next one's, in turns. */
typedef enum { TO_ANY, TO_ITS_OWN, TO_TWO } Destinations;

/* A packet's way through the crossbar. */
typedef struct {
    uint32_t input, output;
    Time at;
    uint32_t cycles; /* that it occupies a link */
} Move;

typedef struct {
    /* packets a cycle and source; 0: whenever there is room. With a bound on the room only, as a
     * source without bound would never stop. */
    double rate;
    uint32_t hot; /* this many packets for sink 0 against one for each other; 0: 1 */
    Destinations destinations;
    bool mixed_sizes; /* headers, and packets of four sectors */
    uint16_t sectors;
    uint64_t from_cycle, until_cycle; /* measured */
    GArray *moves;                    /* of Move, all of them; or NULL */

    const Rig *rig;
    uint64_t next_at[ENDS_MAX];
    uint64_t arrived, from[ENDS_MAX], to[ENDS_MAX];
    Time waited; /* sum over what arrived: latency without that of an idle crossbar */
} Load;

static inline uint64_t load_draw(Unit *source, uint64_t below)
{
    return (uint64_t)(((unsigned __int128)unit_random(source) * below) >> 64);
}

static inline uint32_t load_destination(const Load *load, Unit *source, uint64_t number)
{
    const uint32_t i = unit_index(source) - unit_index(load->rig->source[0]);
    const uint32_t sinks = load->rig->sinks, hot = load->hot ? load->hot : 1;
    switch (load->destinations) {
    case TO_ITS_OWN: return (i + 3) % sinks;
    case TO_TWO: return (i + (uint32_t)number % 2) % sinks;
    case TO_ANY: break;
    }
    const uint64_t draw = load_draw(source, sinks - 1 + hot);
    return draw < hot ? 0 : (uint32_t)(draw - hot + 1);
}

/* Cycles from one packet of a Bernoulli source to the next. */
static inline uint64_t load_gap(const Load *load, Unit *source)
{
    const double u = ((double)(unit_random(source) >> 11) + 0.5) * 0x1p-53;
    return 1 + (uint64_t)(log(u) / log1p(-load->rate));
}

static inline Message *load_make(Unit *source, uint64_t number, Time *at, void *user)
{
    Load *load = user;
    const uint32_t i = unit_index(source) - unit_index(load->rig->source[0]);
    if (load->rate > 0)
        load->next_at[i] += load_gap(load, source);
    else
        load->next_at[i] = source->inbox.now / source->clock->period;
    if (load->next_at[i] > load->until_cycle) return NULL;
    *at = load->next_at[i] * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    const bool large = load->mixed_sizes && load_draw(source, 2);
    transaction->type = large ? TRANSACTION_WRITE : TRANSACTION_READ;
    transaction->sectors = large ? 15 : load->sectors ? load->sectors : 1;
    transaction->source = (uint16_t)i;
    transaction->slice = (uint16_t)load_destination(load, source, number);
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

static inline void load_note_move(Load *load, const Transaction *packet)
{
    for (StageWalk walk = stage_walk(packet); stage_walk_next(&walk);) {
        if (walk.stage != STAGE_REQUEST_TRANSFER) continue;
        const Move move = {rig_source_of(load->rig, &packet->message), packet->slice, walk.at,
                           packet->type == TRANSACTION_WRITE ? 4 : 1};
        g_array_append_val(load->moves, move);
        return;
    }
    ck_abort_msg("a packet has not been transferred");
}

static inline bool load_count(Unit *sink, Message *message, Time now, void *user)
{
    Load *load = user;
    const Transaction *packet = (Transaction *)message;
    const uint64_t cycle = now / sink->clock->period;
    if (load->moves) load_note_move(load, packet);
    if (cycle < load->from_cycle || cycle >= load->until_cycle) return false;
    load->arrived++;
    load->from[rig_source_of(load->rig, message)]++;
    load->to[packet->slice]++;
    load->waited += now - transaction_began(packet) - SHORT * sink->clock->period;
    return false;
}

static inline void load_run(Load *load, Rig *rig)
{
    load->rig = rig;
    for (uint32_t i = 0; i < rig->sources; i++) harness_generate(rig->source[i], load_make, load);
    for (uint32_t j = 0; j < rig->sinks; j++) {
        harness_forget(rig->sink[j]);
        harness_watch(rig->sink[j], load_count, load);
    }
    rig_run(rig);
}

/* Packets a cycle and port. */
static inline double load_throughput(const Load *load)
{
    return (double)load->arrived / (double)(load->until_cycle - load->from_cycle)
           / load->rig->sources;
}

/* Cycles a packet. */
static inline double load_mean_wait(const Load *load)
{
    return time_to_cycles(load->rig->crossbar->clock, load->waited) / (double)load->arrived;
}
