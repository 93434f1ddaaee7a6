/* The link from one half of L2 to another, which all slices of the one share: the wires from die to
 * die, or across the middle of one.
 *
 *   slice 0 of the half ──inputs[0]──┐                          ┌──outputs[0]──> its twin there
 *   slice 1             ──inputs[1]──┼── [arbiter] ══ link ══ ──┼──outputs[1]──>
 *   ...                              ┘                          └
 *
 * One for each half and each other half, and each of requests and what comes back. A packet is its
 * header and the data of its sectors; it passes while its slice's own link brings it (cut-through),
 * so that a link at least as wide that is free takes no time. Slices are served in turn, those
 * whose twin has room; others wait in front. Requests are bounded by credits, what comes back
 * always finds room.
 * Not modelled: flits of several packets interleaved; energy of its buffers.
 * Sources: that the halves are joined is known (NVIDIA A100 white paper, 2020), how is not. */
#include "kit/cost/energy.h"
#include "kit/engine/unit.h"
#include "kit/gpu/network.h"
#include "kit/gpu/transaction.h"
#include "parts/sm/coalescer.h"

enum { WORD = 64, NONE = UINT32_MAX };

typedef struct {
    Unit unit;
    PortArray inputs;
    ChannelArray outputs;
    const HalvesLinks *halves;
    const LineShape *line;

    uint64_t bandwidth, header_bytes;

    uint64_t packets, bytes, blocked;
    uint64_t busy;
    Level queued;
    ServerArray link;

    Time free_at;                /* all that was let on it has passed */
    double fs_a_byte;            /* of the link; */
    const NetworkLink *own;      /* of the slices, by place in the half */
    uint64_t *asking, *blocking; /* inputs with a packet: that may go; whose twin has no room */
    uint32_t *seen;              /* packets in each port whose arrival has been noted */
    uint32_t words, turn;
    NetworkRole way;
} HalfLink;

static const Param params[] = {
    PARAM_NUMBER(HalfLink, bandwidth, PARAM_BANDWIDTH, "1024 B/cycle", 1, 1048576,
                 "bytes that it carries a cycle of L2's clock, of all slices of the half together",
                 .perfect = PERFECT(IN("l2_halves", ">= 1048576 B/cycle")), .doubling = TWICE),
    PARAM_NUMBER(HalfLink, header_bytes, PARAM_BYTES, "8 B", 1, 256,
                 "bytes of a packet besides its data"),
    PARAM_END};

/* A byte of a packet, over the wires: places that are the same of two halves are half of the die's
 * side apart, as far as SMs are from slices. */
static double energy_of_wires(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_wire(figures, 8, figures->crossbar_mm);
}

static const Stat stats[] = {
    STAT_NUMBER(HalfLink, packets, STAT_COUNT, NULL, "packets that it has carried"),
    STAT_NUMBER_OVER_TIME(HalfLink, bytes, STAT_BYTES, NULL, "their bytes, with headers",
                          CURVES(PART_CURVE("request", "L2 links: requests"),
                                 PART_CURVE("reply", "L2 links: replies")),
                          ENERGY(IN_STAGE(L2_CROSS, energy_of_wires))),
    STAT_NUMBER(HalfLink, busy, STAT_TIME, NULL, "time it was occupied"),
    STAT_NUMBER(HalfLink, blocked, STAT_COUNT, NULL,
                "packets that stood still because their slice's twin had no room",
                .refusal = "slice of another half"),
    STAT_OCCUPANCY(HalfLink, queued, NULL, "packets in front of it"),
    STAT_END};

static StorageSize size_packet(const Unit *unit, const StorageMachine *machine)
{
    const HalfLink *self = (const HalfLink *)unit;
    return (StorageSize){.entries = 1,
                         .bits = 8 * self->header_bytes + storage_line_bits(&machine->l2)};
}

static const StorageRow storage[] = {
    STORAGE("input_bits", size_packet, "requests in front of the link", .input = "inputs"),
    STORAGE_END};

static const PortRow ports[] = {
    PORT_INPUTS(HalfLink, inputs, "from the slices of a half, in their order"),
    PORT_OUTPUTS(HalfLink, outputs, "to the slices at the same places of another half"), PORT_END};

static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(HalfLink, link, "link to another half of L2", .unit = "packets",
                          .headline = "L2 halves", .feeds = "outputs", .refuses = "inputs",
                          .rests_on = "bandwidth", .work = "packets", .links = LINKS_BETWEEN,
                          .component = "l2_halves"),
    RESOURCE_END};

static const SharedRow shared[] = {SHARED(HalfLink, halves), SHARED(HalfLink, line), SHARED_END};

/* As SimGrid says; one that is no part of a machine goes by its parameter. */
static void set_up_link(HalfLink *self)
{
    const HalvesLinks *halves = self->halves;
    const double ns = time_to_ns(self->unit.clock->period);
    double bandwidth = (double)self->bandwidth / ns;
    self->link = server_array_new(1);
    self->link.names = g_new0(const char *, 1);
    if (halves->slices) {
        const HalvesLink *said = &halves->between[self->way][self->unit.number / NETWORKS];
        bandwidth = said->link.bandwidth;
        self->own = &halves->own[self->way][said->from * (halves->slices / halves->halves)];
        self->link.names[0] = said->name;
    }
    self->fs_a_byte = (double)self->unit.clock->period / (bandwidth * ns);
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    HalfLink *self = (HalfLink *)unit;
    self->way = unit->number % NETWORKS;
    self->words = (self->inputs.count + WORD - 1) / WORD;
    self->asking = g_new0(uint64_t, self->words);
    self->blocking = g_new0(uint64_t, self->words);
    self->seen = g_new0(uint32_t, self->inputs.count);
    set_up_link(self);
    return true;
}

static void teardown(Unit *unit)
{
    HalfLink *self = (HalfLink *)unit;
    g_free(self->asking);
    g_free(self->blocking);
    g_free(self->seen);
    g_free(self->link.at);
    g_free(self->link.names);
}

/* --- who goes --------------------------------------------------------------------------------- */

static inline uint64_t bit_of(uint32_t input)
{
    return UINT64_C(1) << input % WORD;
}

/* The first that asks from `turn` on, or else from the beginning; NONE. */
static uint32_t next_asking(const HalfLink *self)
{
    const uint32_t first = self->turn / WORD;
    for (uint32_t k = 0; k <= self->words; k++) {
        const uint32_t w = (first + k) % self->words;
        uint64_t asking = self->asking[w];
        if (!k) asking &= ~(bit_of(self->turn) - 1);
        if (asking) return w * WORD + (uint32_t)__builtin_ctzll(asking);
    }
    return NONE;
}

static void see_arrivals(HalfLink *self, Time now)
{
    for (uint32_t k = 0; k < self->unit.fresh_count; k++) {
        const uint32_t i = port_array_index(&self->inputs, self->unit.fresh[k]);
        const Port *port = &self->inputs.at[i];
        for (; self->seen[i] < port->count; self->seen[i]++) {
            ((Transaction *)port_peek_at(port, self->seen[i]))->entered = now;
            level_enter(&self->queued, now);
        }
        self->asking[i / WORD] |= bit_of(i) & ~self->blocking[i / WORD];
    }
}

/* Those whose twin has room again. */
static void look_at_blocked(HalfLink *self, Time now)
{
    for (uint32_t w = 0; w < self->words; w++) {
        for (uint64_t rest = self->blocking[w]; rest; rest &= rest - 1) {
            const uint32_t i = w * WORD + (uint32_t)__builtin_ctzll(rest);
            if (!channel_ready(&self->outputs.at[i], now)) continue;
            self->blocking[w] &= ~bit_of(i);
            self->asking[w] |= bit_of(i);
        }
    }
}

static void block(HalfLink *self, uint32_t i, Time now)
{
    self->blocked++;
    self->asking[i / WORD] &= ~bit_of(i);
    self->blocking[i / WORD] |= bit_of(i);
    channel_await(&self->outputs.at[i], now);
}

/* --- what passes ------------------------------------------------------------------------------ */

/* What the slice's own link took to bring it; one that is not known is as wide as this one. */
static Time time_on_own(const HalfLink *self, uint32_t i, uint32_t bytes, Time took)
{
    if (!self->own) return took;
    const double per_cycle = self->own[i].bandwidth * time_to_ns(self->unit.clock->period);
    return clock_cycles(self->unit.clock, network_link_cycles(bytes, per_cycle));
}

/* It has come whole, but began to pass as its first byte came, if the link was free then. */
static void pass(HalfLink *self, uint32_t i, Time now)
{
    Port *port = &self->inputs.at[i];
    Transaction *packet = (Transaction *)port_take(port, now);
    const uint32_t sectors = packet->bears_data ? (uint32_t)__builtin_popcount(packet->sectors) : 0;
    const uint32_t data = sectors * self->line->sector_bytes;
    const uint32_t bytes = data + (uint32_t)self->header_bytes;
    const Time took = (Time)(self->fs_a_byte * bytes), before = time_on_own(self, i, data, took);
    const Time start = MAX(self->free_at, now - MIN(now, before));
    self->packets++;
    self->bytes += bytes;
    self->busy += took;
    server_book(&self->link.at[0], start, took);
    level_leave(&self->queued, now, packet->entered);
    self->free_at = start + took;
    channel_send(&self->outputs.at[i], &packet->message,
                 clock_ceil(self->unit.clock, MAX(self->free_at, now)));
    self->turn = (i + 1) % self->inputs.count;
    self->seen[i]--;
    if (!port->count) self->asking[i / WORD] &= ~bit_of(i);
}

/* What can begin before the next cycle does. */
static void step(Unit *unit, Time now)
{
    HalfLink *self = (HalfLink *)unit;
    const Time period = unit->clock->period;
    see_arrivals(self, now);
    look_at_blocked(self, now);
    for (uint32_t i; (i = next_asking(self)) != NONE;) {
        if (self->free_at >= now + period) {
            unit_wake_at(unit, clock_ceil(unit->clock, self->free_at - period + 1));
            return;
        }
        if (channel_ready(&self->outputs.at[i], now))
            pass(self, i, now);
        else
            block(self, i, now);
    }
}

const UnitClass half_link_class = {.name = "half_link",
                                   .summary = "link from a half of L2 to another",
                                   .per = PER_HALVES_LINK,
                                   .clock = CLOCK_L2,
                                   .place = PLACE_NETWORK,
                                   .path = "half_link[%s][%u]",
                                   .size = sizeof(HalfLink),
                                   .params = params,
                                   .stats = stats,
                                   .resources = resources,
                                   .storage = storage,
                                   .ports = ports,
                                   .shared = shared,
                                   .setup = setup,
                                   .step = step,
                                   .teardown = teardown};
