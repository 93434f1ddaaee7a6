/* Traffic into memory alone: stands where the L2 slices stand, in front of all memory access
 * schedulers, and is there in place of everything else of the machine.
 *
 *   list or pattern ─> source i ──to_schedulers[i]──> access scheduler i ─> DRAM channel i
 *                                                                               │
 *                      <──────────────────from_dram[i]──────────────────────────┘
 *
 * A source is one channel's: a request that finds no room in front of its scheduler holds up those
 * behind it, and nobody of another channel. Of a list each has what the address map gives to its
 * channel, in the list's order; a pattern walks through each channel on its own.
 *
 * Not modelled: the caches and queues of an L2 slice. Written data is there when it is sent. */
#include "kit/traffic/injector.h"
#include "parts/address/address_map.h"
#include "parts/dram/timing.h"
#include "parts/sm/coalescer.h"

typedef struct {
    size_t first, end; /* of `order` */
    uint64_t line;     /* of a walk: the next one's number in the channel */
} Part;

typedef struct {
    Injector injector;
    ChannelArray to_schedulers;
    PortArray from_dram;
    const AddressMap *address_map;
    const DramTiming *dram;
    const LineShape *line;

    Part *part;
    size_t *order;  /* the list's requests, by channel and then in its order */
    uint64_t lines; /* of a walk, in each channel */

    uint64_t bytes_read, bytes_written, carried_over;
} MemoryTraffic;

static const Param params[] = {PARAM_END};

static const Stat stats[] = {
    INJECTOR_STATS("requests"),
    STAT_NUMBER(MemoryTraffic, bytes_read, STAT_BYTES, NULL, "bytes of reads that arrived",
                RULES(TAKES("bytes from DRAM to L2"))),
    STAT_NUMBER(MemoryTraffic, bytes_written, STAT_BYTES, NULL, "bytes of writes that were sent",
                RULES(GIVES("bytes from L2 to DRAM"))),
    STAT_NUMBER(MemoryTraffic, carried_over, STAT_COUNT, NULL,
                "of the delivered, requests that were under way when the measured time began",
                RULES(EXCUSES("bytes from DRAM to L2"), EXCUSES("bytes from L2 to DRAM"))),
    STAT_END};

static const PortRow ports[] = {
    PORT_INPUTS(MemoryTraffic, from_dram, "requests whose data has passed"),
    PORT_OUTPUTS(MemoryTraffic, to_schedulers, "requests"), PORT_END};

static const SharedRow shared[] = {INJECTOR_SHARED(MemoryTraffic),
                                   SHARED(MemoryTraffic, address_map), SHARED(MemoryTraffic, dram),
                                   SHARED(MemoryTraffic, line), SHARED_END};

static const Traffic *traffic_of(const MemoryTraffic *self)
{
    return injector_traffic(&self->injector);
}

/* --- a list ----------------------------------------------------------------------------------- */

/* The DRAM channel of an address, and where it lies there. */
static AddressPlace place_of(const MemoryTraffic *self, uint64_t address)
{
    return address_map_channel(self->address_map, address_map_place(self->address_map, address));
}

static uint32_t channel_of(const MemoryTraffic *self, size_t request)
{
    return place_of(self, traffic_of(self)->requests[request].address).slice;
}

static void divide_list(MemoryTraffic *self)
{
    const Traffic *traffic = traffic_of(self);
    self->order = g_new(size_t, traffic->request_count);
    for (size_t k = 0; k < traffic->request_count; k++) self->part[channel_of(self, k)].end++;
    for (size_t i = 0, first = 0; i < self->injector.sources; i++) {
        const size_t count = self->part[i].end;
        self->part[i].first = self->part[i].end = first;
        first += count;
    }
    for (size_t k = 0; k < traffic->request_count; k++)
        self->order[self->part[channel_of(self, k)].end++] = k;
}

static const TrafficRequest *request_at(const MemoryTraffic *self, size_t place)
{
    return &traffic_of(self)->requests[self->order[place]];
}

static uint64_t next_of_list(Injector *injector, uint32_t source)
{
    const MemoryTraffic *self = (const MemoryTraffic *)injector;
    const Part *part = &self->part[source];
    if (part->first == part->end) return UINT64_MAX;
    return injector->from_cycle + request_at(self, part->first)->cycle;
}

static void fill_from_list(MemoryTraffic *self, uint32_t source, Transaction *packet)
{
    const TrafficRequest *request = request_at(self, self->part[source].first++);
    const uint32_t line = self->line->line_bytes, sector = self->line->sector_bytes;
    const uint32_t offset = (uint32_t)(request->address & (line - 1)) / sector;
    packet->type = request->write ? TRANSACTION_WRITE : TRANSACTION_READ;
    packet->line = request->address & ~(uint64_t)(line - 1);
    packet->local = place_of(self, packet->line).local;
    packet->sectors = (uint16_t)(packet->sectors << offset);
}

/* --- a pattern -------------------------------------------------------------------------------- */

/* Of a line the part that is wanted may be any, so that its banks all have something to do. */
static uint32_t any_part(const MemoryTraffic *self, uint64_t *random)
{
    const uint64_t bytes = traffic_of(self)->bytes, parts = self->line->line_bytes / bytes;
    if (parts < 2) return 0;
    return (uint32_t)(scale64(random_next(random), parts) * bytes / self->line->sector_bytes);
}

static void fill_from_walk(MemoryTraffic *self, uint32_t source, Transaction *packet)
{
    uint64_t *random = &self->injector.source[source].random, *next = &self->part[source].line;
    uint64_t line = *next;
    if (traffic_of(self)->walk == WALK_RANDOM) {
        line = scale64(random_next(random), self->lines);
        packet->sectors = (uint16_t)(packet->sectors << any_part(self, random));
    } else {
        *next = line + 1 < self->lines ? line + 1 : 0;
    }
    packet->local = line * self->line->line_bytes;
    const AddressPlace place =
        address_map_slice(self->address_map, (AddressPlace){source, packet->local});
    packet->line = address_map_global(self->address_map, place.slice, place.local);
}

/* Requests a cycle of one channel. */
static double rate_of(const MemoryTraffic *self)
{
    const DramTiming *dram = self->dram;
    const Traffic *traffic = traffic_of(self);
    const double peak = (double)dram->channel_width * (double)dram->data_rate;
    return MIN(traffic->load * peak / (double)traffic->bytes, 1);
}

/* --- */

static uint64_t bytes_of(const MemoryTraffic *self, const Transaction *packet)
{
    return (uint64_t)__builtin_popcount(packet->sectors) * self->line->sector_bytes;
}

static void fill(Injector *injector, uint32_t source, Transaction *packet)
{
    MemoryTraffic *self = (MemoryTraffic *)injector;
    packet->source = packet->slice = packet->home = (uint16_t)source;
    if (self->order)
        fill_from_list(self, source, packet);
    else
        fill_from_walk(self, source, packet);
    packet->virtual_line = packet->line;
    packet->served_by = SERVED_DRAM;
    if (packet->type == TRANSACTION_WRITE) self->bytes_written += bytes_of(self, packet);
}

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    MemoryTraffic *self = (MemoryTraffic *)unit;
    Injector *injector = &self->injector;
    const Traffic *traffic = traffic_of(self);
    const uint32_t sectors = (uint32_t)traffic->bytes / self->line->sector_bytes;
    injector->sources = self->to_schedulers.count;
    injector->outputs = &self->to_schedulers;
    injector->waits = STAGE_L2_MISS_QUEUE;
    injector->leaves = STAGE_MEMORY_WIRE;
    injector->sectors = (uint16_t)((2u << (sectors - 1)) - 1);
    injector->fill = fill;
    self->part = g_new0(Part, injector->sources);
    self->lines = traffic->array_bytes / injector->sources / self->line->line_bytes;
    if (traffic->requests) {
        injector->next = next_of_list;
        divide_list(self);
    }
    const double rate = rate_of(self);
    injector_setup(injector, &rate, false);
    return true;
}

static void teardown(Unit *unit)
{
    MemoryTraffic *self = (MemoryTraffic *)unit;
    injector_teardown(&self->injector);
    g_free(self->part);
    g_free(self->order);
}

static void complete(MemoryTraffic *self, Transaction *packet, Time now)
{
    if (packet->type == TRANSACTION_READ) self->bytes_read += bytes_of(self, packet);
    self->carried_over += packet->left < self->injector.record->start;
    injector_complete(&self->injector, packet, now);
}

static void step(Unit *unit, Time now)
{
    MemoryTraffic *self = (MemoryTraffic *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        Message *message;
        while ((message = port_take(unit->ports[unit->fresh[k]], now)))
            complete(self, (Transaction *)message, now);
    }
    injector_work(&self->injector, now);
}

static bool unfinished(Unit *unit, GString *what)
{
    MemoryTraffic *self = (MemoryTraffic *)unit;
    if (!injector_unfinished(&self->injector, what)) return false;
    for (uint32_t i = 0; i < self->to_schedulers.count; i++)
        unit_waits_for(unit, channel_receiver(&self->to_schedulers.at[i]));
    return true;
}

const UnitClass memory_traffic_class = {
    .name = "memory_traffic",
    .summary = "traffic into memory alone: requests for all schedulers, from a list or a pattern",
    .per = PER_MACHINE,
    .runs = IN_MEMORY_ALONE,
    .clock = CLOCK_DRAM,
    .place = PLACE_DISPATCHER,
    .path = "memory_traffic",
    .size = sizeof(MemoryTraffic),
    .params = params,
    .stats = stats,
    .ports = ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .unfinished = unfinished};
