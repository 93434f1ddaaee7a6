/* A memory switch: between the L2 slices of a partition and its DRAM channels, where they are not
 * equally many. Slices share a channel, or each feeds several of its own.
 *
 *   L2 slice 0 ──from_slices[0]──┐                           ┌─to_schedulers[0]──> scheduler 0
 *   L2 slice 1 ──from_slices[1]──┴─> [a queue an output] ────┴─to_schedulers[1]──> scheduler 1
 *   L2 slices <──to_slices──────────────────────────────────────from_dram─────────< DRAM channels
 *
 * Requests keep their places in the port that they came by until they go on, in queues for each
 * output: one that finds its scheduler full holds up nobody of another channel. An output takes so
 * many requests a cycle, of the slices in turns. What comes back goes on at once: a channel's bus
 * carries less than a slice takes.
 *
 * On its way a request has the address in its channel; the slice finds its own again.
 *
 * Not modelled: widths of the paths. Sources: that slices and channels are apart follows from their
 * numbers (JESD238: two pseudo-channels of 32 bits in each of HBM3's channels; JESD250: two
 * channels of 16 bits in a GDDR6 device); how they are joined is not published. */
#include "kit/engine/unit.h"
#include "kit/gpu/message_list.h"
#include "kit/gpu/transaction.h"
#include "parts/address/address_map.h"

typedef struct {
    MessageList *from; /* by slice: what waits */
    uint32_t waiting;
    uint32_t turn; /* the slice that comes first in the next choice */
    Time free_at;  /* of several requests a cycle, on average */
    bool refused;  /* since its last request the scheduler was found full */
} Output;

typedef struct {
    Unit unit;
    PortArray from_slices, from_dram;
    ChannelArray to_schedulers, to_slices;
    const AddressMap *address_map;

    uint64_t requests_per_cycle;

    uint64_t requests, replies, waited, refused_scheduler;
    Level queued;
    ServerArray outputs;

    Output *output;
    MessageList *lists; /* of all outputs */
} MemorySwitch;

static const Param params[] = {
    PARAM_NUMBER(MemorySwitch, requests_per_cycle, PARAM_COUNT, "1", 1, 64,
                 "requests that go to each scheduler in a cycle of L2's clock",
                 .perfect = PERFECT(IN("dram_bandwidth", "64"), IN("dram", "64")),
                 .doubling = TWICE),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(MemorySwitch, requests, STAT_COUNT, NULL, "requests that went to a scheduler"),
    STAT_NUMBER(MemorySwitch, replies, STAT_COUNT, NULL, "requests that came back"),
    STAT_NUMBER(MemorySwitch, waited, STAT_COUNT, NULL,
                "requests that did not go on in the cycle in which they came"),
    STAT_NUMBER(MemorySwitch, refused_scheduler, STAT_COUNT, NULL,
                "requests that found their scheduler full", .refusal = "scheduler"),
    STAT_OCCUPANCY(MemorySwitch, queued, NULL, "requests that wait in the switch"),
    STAT_END};

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1,
                         .bits = storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes)
                                 + storage_sectors(&machine->l2) + STORAGE_ASKER
                                 + machine->written_bits};
}

static const StorageRow storage[] = {
    STORAGE("input_bits", size_input, "requests in a memory switch", .input = "from_slices"),
    STORAGE_END};

static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(MemorySwitch, outputs, "outputs to schedulers: so many requests a cycle",
                          RESOURCE_CAPACITY(MemorySwitch, requests_per_cycle), .unit = "requests",
                          .feeds = "to_schedulers", .refuses = "from_slices", .work = "requests"),
    RESOURCE_END};

static const PortRow ports[] = {
    PORT_INPUTS(MemorySwitch, from_dram, "requests whose data has passed"),
    PORT_INPUTS(MemorySwitch, from_slices, "fetches and write-backs"),
    PORT_OUTPUTS(MemorySwitch, to_schedulers, "fetches and write-backs"),
    PORT_OUTPUTS(MemorySwitch, to_slices, "fills, and write-backs that are done"), PORT_END};

static const SharedRow shared[] = {SHARED(MemorySwitch, address_map), SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    MemorySwitch *self = (MemorySwitch *)unit;
    const uint32_t slices = self->from_slices.count, channels = self->to_schedulers.count;
    self->output = g_new0(Output, channels);
    self->lists = g_new0(MessageList, (gsize)slices * channels);
    for (uint32_t i = 0; i < channels; i++) self->output[i].from = self->lists + (gsize)i * slices;
    self->outputs = server_array_new(channels);
    return true;
}

static void teardown(Unit *unit)
{
    MemorySwitch *self = (MemorySwitch *)unit;
    for (uint32_t i = 0; self->output && i < self->to_schedulers.count; i++)
        for (uint32_t k = 0; k < self->from_slices.count; k++)
            while (self->output[i].from[k].first)
                unit_free_message(unit, message_list_take(&self->output[i].from[k]));
    g_free(self->output);
    g_free(self->lists);
    g_free(self->outputs.at);
}

/* --- to the slices ---------------------------------------------------------------------------- */

static void take_replies(MemorySwitch *self, Time now)
{
    for (uint32_t i = 0; i < self->from_dram.count; i++) {
        Transaction *done;
        while ((done = (Transaction *)port_take(&self->from_dram.at[i], now))) {
            const uint32_t channel = self->unit.number * self->from_dram.count + i;
            const AddressPlace place =
                address_map_slice(self->address_map, (AddressPlace){channel, done->local});
            done->local = place.local;
            self->replies++;
            channel_send(&self->to_slices.at[place.slice % self->to_slices.count], &done->message,
                         now);
        }
    }
}

/* --- to the schedulers ------------------------------------------------------------------------ */

static void take_requests(MemorySwitch *self, Time now)
{
    for (uint32_t i = 0; i < self->from_slices.count; i++) {
        Transaction *request;
        while ((request = (Transaction *)port_withdraw(&self->from_slices.at[i]))) {
            const uint32_t slice = self->unit.number * self->from_slices.count + i;
            const AddressPlace place =
                address_map_channel(self->address_map, (AddressPlace){slice, request->local});
            Output *output = &self->output[place.slice % self->to_schedulers.count];
            request->local = place.local;
            request->entered = now;
            message_list_append(&output->from[i], &request->message);
            output->waiting++;
            level_enter(&self->queued, now);
        }
    }
}

/* Of the slices in turns, the next one that has a request for it. */
static uint32_t choose(const MemorySwitch *self, const Output *output)
{
    const uint32_t slices = self->from_slices.count;
    uint32_t slice = output->turn;
    while (!output->from[slice].first) slice = (slice + 1) % slices;
    return slice;
}

static void forward(MemorySwitch *self, uint32_t index, Time now)
{
    Output *output = &self->output[index];
    const uint32_t slice = choose(self, output);
    Transaction *request = (Transaction *)message_list_take(&output->from[slice]);
    const Time cycle = self->unit.clock->period;
    const uint64_t at_once = self->requests_per_cycle;
    output->waiting--;
    output->turn = (slice + 1) % self->from_slices.count;
    output->refused = false;
    output->free_at = MAX(output->free_at, now) + time_share(cycle, at_once);
    port_vacate(&self->from_slices.at[slice], now);
    level_leave(&self->queued, now, request->entered);
    server_book_share(&self->outputs.at[index], now, cycle, at_once);
    self->requests++;
    if (request->entered < now) {
        self->waited++;
        transaction_enter(request, STAGE_L2_MISS_QUEUE, request->entered);
        transaction_enter(request, STAGE_MEMORY_WIRE, now);
    }
    channel_send(&self->to_schedulers.at[index], &request->message, now);
}

static bool may_forward(MemorySwitch *self, uint32_t index, Time now)
{
    Output *output = &self->output[index];
    Channel *channel = &self->to_schedulers.at[index];
    if (!output->waiting) return false;
    const Time turn = clock_floor(self->unit.clock, output->free_at);
    if (turn > now) {
        unit_wake_at(&self->unit, turn);
        return false;
    }
    if (channel_ready(channel, now)) return true;
    self->refused_scheduler += !output->refused;
    output->refused = true;
    channel_await(channel, now);
    return false;
}

static void step(Unit *unit, Time now)
{
    MemorySwitch *self = (MemorySwitch *)unit;
    take_replies(self, now);
    take_requests(self, now);
    for (uint32_t i = 0; i < self->to_schedulers.count; i++)
        while (may_forward(self, i, now)) forward(self, i, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    MemorySwitch *self = (MemorySwitch *)unit;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < self->to_schedulers.count; i++) {
        if (!self->output[i].waiting) continue;
        waiting += self->output[i].waiting;
        unit_waits_for(unit, channel_receiver(&self->to_schedulers.at[i]));
    }
    if (!waiting) return false;
    g_string_append_printf(what, "%u requests wait for a scheduler", waiting);
    return true;
}

const UnitClass memory_switch_class = {
    .name = "memory_switch",
    .summary = "between L2 slices and DRAM channels, where they are not equally many",
    .per = PER_SWITCH,
    .clock = CLOCK_L2,
    .place = PLACE_MEMORY,
    .path = "partition[%u].memory_switch",
    .size = sizeof(MemorySwitch),
    .params = params,
    .stats = stats,
    .resources = resources,
    .storage = storage,
    .ports = ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .unfinished = unfinished};
