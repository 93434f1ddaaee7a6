/* An L2 request coalescer: in front of the networks, for the SMs of a part of the chip. Reads of
 * the same sectors that are under way together go to L2 once.
 *
 *   L1 0 ──from_l1[0]──┐                ┌──to_request_network[0]──> request network
 *   L1 1 ──from_l1[1]──┼─> [outputs] ───┼──to_request_network[1]──>
 *                      └> [reads under way] who asks for sectors of one waits for it
 *   L1s <──to_l1[i]── [paths to SMs] <──from_reply_network[i]── reply network
 *
 * An SM has ports of its own into and out of the networks: it passes a request a cycle. A read all
 * of whose sectors one under way brings waits for that one, whose data goes to both; it takes the
 * path to its SM, but neither network. When all entries are taken, reads go on and nobody joins
 * them. A store or an atomic that passes is joined by nobody who comes later. What comes back
 * passes as it comes in; only copies are in its way.
 * Not modelled: that a read may be joined although an SM elsewhere has written the line since L2
 * was read, or one of these SMs' stores is behind it on the way; a bound on copies that leave at
 * once; multicast for clusters; compression; energy.
 * Sources: NVIDIA Nsight Compute, Kernel Profiling Guide: "lrc" (reads are coalesced before they go
 * to L2); counters of an H100 SXM, docs/inside/validation.md. How it is built is not published. */
#include "kit/engine/unit.h"
#include "kit/gpu/transaction.h"
#include "parts/cache/pending_request_table.h"
#include "parts/sm/coalescer.h"

enum { WORD = 64 };

/* An SM's ways. */
typedef struct {
    Time output_free, path_free;
    uint32_t seen; /* requests in its port whose arrival has been noted */
    bool refused;  /* the first of them has found the network full */
} Ways;

typedef struct {
    Unit unit;
    PortArray from_l1, from_reply_network;
    ChannelArray to_request_network, to_l1;
    const LineShape *line;

    uint64_t entries, path_bandwidth;

    uint64_t requests, reads, joined, overlooked, replies, refused_network, path_busy;
    Level under_way, waiting;
    ServerArray outputs, paths;

    PendingRequestTable table;
    Ways *ways;       /* by SM */
    uint64_t *asking; /* SMs with a request in the port, a bit each */
    uint32_t words;
} RequestCoalescer;

#define COALESCED(component, value)                                                                \
    IN(component, value, .only_if = "machine.request_coalescers != 0")

static const Param params[] = {
    PARAM_NUMBER(RequestCoalescer, entries, PARAM_COUNT, "1024", 1, 65535,
                 "reads under way that others can join",
                 .perfect = PERFECT(COALESCED("request_network", ">= 4096"),
                                    COALESCED("reply_network", ">= 4096"),
                                    COALESCED("network", ">= 4096")),
                 .doubling = TWICE),
    PARAM_NUMBER(RequestCoalescer, path_bandwidth, PARAM_BANDWIDTH, "64 B/cycle", 1, 1048576,
                 "bytes of data to an SM a cycle of the network's clock",
                 .perfect = PERFECT(COALESCED("reply_network", ">= 1048576 B/cycle"),
                                    COALESCED("network", ">= 1048576 B/cycle")),
                 .doubling = TWICE),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(RequestCoalescer, requests, STAT_COUNT, NULL,
                "requests that went on to the request network"),
    STAT_NUMBER(RequestCoalescer, reads, STAT_COUNT, NULL, "reads among them"),
    STAT_NUMBER(RequestCoalescer, joined, STAT_COUNT, NULL,
                "reads that did not, but waited for one under way"),
    STAT_NUMBER(RequestCoalescer, overlooked, STAT_COUNT, NULL,
                "reads that went on while all entries were taken, and that nobody could join"),
    STAT_NUMBER(RequestCoalescer, replies, STAT_COUNT, NULL, "replies that came back"),
    STAT_NUMBER(RequestCoalescer, path_busy, STAT_TIME, NULL,
                "time the paths to SMs were occupied, all together"),
    STAT_NUMBER(RequestCoalescer, refused_network, STAT_COUNT, NULL,
                "requests that found no room in the request network", .refusal = "request network"),
    STAT_OCCUPANCY(RequestCoalescer, under_way, "entries", "reads under way that others can join"),
    STAT_OCCUPANCY(RequestCoalescer, waiting, NULL, "reads that wait for one under way"),
    STAT_END};

static StorageSize size_table(const Unit *unit, const StorageMachine *machine)
{
    const RequestCoalescer *self = (const RequestCoalescer *)unit;
    const uint32_t line = storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes);
    return (StorageSize){.entries = self->entries,
                         .bits = 1 + line + storage_sectors(&machine->l2) + STORAGE_ASKER,
                         .compared = self->entries * line};
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1,
                         .bits = storage_address_bits(STORAGE_PHYSICAL, machine->l2.line_bytes)
                                 + storage_line_bits(&machine->l2) + STORAGE_ASKER};
}

static const StorageRow storage[] = {
    STORAGE("table_bits", size_table, "reads under way: line, sectors, and who waits"),
    STORAGE("input_bits", size_input, "requests of SMs in front of it", .input = "from_l1"),
    STORAGE_END};

static const ResourceRow resources[] = {
    RESOURCE_MANY_SERVERS(RequestCoalescer, outputs, "outputs of SMs: a request a cycle",
                          .unit = "requests", .feeds = "to_request_network", .refuses = "from_l1",
                          .refusals = "refused_network", .component = "request_network",
                          .work = "requests"),
    RESOURCE_MANY_SERVERS(RequestCoalescer, paths, "paths to SMs", .unit = "packets",
                          .feeds = "to_l1", .component = "reply_network",
                          .rests_on = "path_bandwidth", .work = "replies joined"),
    RESOURCE_END};

static const PortRow ports[] = {
    PORT_INPUTS(RequestCoalescer, from_reply_network, "replies, by SM"),
    PORT_INPUTS(RequestCoalescer, from_l1, "misses and stores, by SM"),
    PORT_OUTPUTS(RequestCoalescer, to_request_network, "misses and stores"),
    PORT_OUTPUTS(RequestCoalescer, to_l1, "replies, and copies of them"), PORT_END};

static const SharedRow shared[] = {SHARED(RequestCoalescer, line), SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    RequestCoalescer *self = (RequestCoalescer *)unit;
    const uint32_t sms = self->from_l1.count;
    self->words = (sms + WORD - 1) / WORD;
    self->asking = g_new0(uint64_t, self->words);
    self->ways = g_new0(Ways, sms);
    self->outputs = server_array_new(sms);
    self->paths = server_array_new(sms);
    self->under_way.full_at = self->entries;
    pending_request_table_init(&self->table, (uint32_t)self->entries);
    return true;
}

static void free_waiting(RequestCoalescer *self)
{
    for (uint32_t i = 0; i < self->table.capacity; i++) {
        const PendingRequest *entry = &self->table.entries[i];
        Transaction *waiting = entry->used ? entry->first : NULL;
        for (Transaction *next; waiting; waiting = next) {
            next = waiting->merged;
            unit_free_message(&self->unit, &waiting->message);
        }
    }
}

static void teardown(Unit *unit)
{
    RequestCoalescer *self = (RequestCoalescer *)unit;
    if (self->waiting.now) free_waiting(self);
    pending_request_table_finish(&self->table);
    g_free(self->asking);
    g_free(self->ways);
    g_free(self->outputs.at);
    g_free(self->paths.at);
}

/* --- to the SMs ------------------------------------------------------------------------------- */

static Time time_on_path(const RequestCoalescer *self, const Transaction *reply)
{
    if (!transaction_reply_has_data(reply)) return 0;
    const uint64_t bytes = (uint64_t)__builtin_popcount(reply->sectors) * self->line->sector_bytes;
    return bytes * self->unit.clock->period / self->path_bandwidth;
}

/* To SM `i`, from `start` on, if the path is free; its last byte is there at `now` or later. */
static void deliver(RequestCoalescer *self, uint32_t i, Transaction *reply, Time start, Time now)
{
    const Time took = time_on_path(self, reply);
    Time *free = &self->ways[i].path_free;
    if (*free > start) {
        if (*free > now) transaction_enter(reply, STAGE_REPLY_QUEUE, now);
        start = *free;
    }
    *free = start + took;
    self->path_busy += took;
    if (took) server_book(&self->paths.at[i], start, took);
    const Time end = clock_ceil(self->unit.clock, MAX(*free, now));
    if (end > now) {
        transaction_enter(reply, STAGE_REPLY_TRANSFER, MAX(start, now));
        transaction_enter(reply, STAGE_REPLY_WIRE, end);
    }
    channel_send(&self->to_l1.at[i], &reply->message, end);
}

/* Those that waited have been where it was. */
static Transaction *take_waiting(RequestCoalescer *self, const Transaction *reply, Time now)
{
    const uint32_t index = reply->coalesced - 1u;
    const PendingRequest *entry = &self->table.entries[index];
    Transaction *const first = entry->first;
    for (Transaction *waiting = first; waiting; waiting = waiting->merged) {
        transaction_inherit(waiting, reply, waiting->entered);
        waiting->served_by = reply->served_by;
        level_leave(&self->waiting, now, waiting->entered);
    }
    level_leave(&self->under_way, now, entry->joined);
    pending_request_table_release(&self->table, index);
    return first;
}

/* Its data took as long to come in as it takes to go on. The SMs of the ports follow each other. */
static void pass_reply(RequestCoalescer *self, uint32_t i, Transaction *reply, Time now)
{
    const uint32_t first = reply->source - i;
    Transaction *waiting = NULL;
    self->replies++;
    if (reply->type == TRANSACTION_READ && reply->coalesced)
        waiting = take_waiting(self, reply, now);
    deliver(self, i, reply, now - MIN(now, time_on_path(self, reply)), now);
    for (Transaction *next; waiting; waiting = next) {
        next = waiting->merged;
        deliver(self, waiting->source - first, waiting, now, now);
    }
}

/* --- to the network --------------------------------------------------------------------------- */

/* In the port, since it came. */
static void note_wait(Transaction *request, Time now)
{
    if (request->entered == now) return;
    transaction_enter(request, STAGE_REQUEST_QUEUE, request->entered);
    transaction_enter(request, STAGE_REQUEST_WIRE, now);
}

static bool joins(RequestCoalescer *self, Transaction *request, Time now)
{
    if (request->type != TRANSACTION_READ) return false;
    const uint32_t index =
        pending_request_table_find(&self->table, request->line, request->sectors);
    if (index == PRT_NONE) return false;
    PendingRequest *entry = &self->table.entries[index];
    note_wait(request, now);
    transaction_join(request, &entry->first, &entry->last, now);
    level_enter(&self->waiting, now);
    self->joined++;
    return true;
}

static void note_read(RequestCoalescer *self, Transaction *request, Time now)
{
    self->reads++;
    request->coalesced = 0;
    const uint32_t index =
        pending_request_table_allocate(&self->table, request->line, request->sectors);
    if (index == PRT_NONE) {
        self->overlooked++;
        return;
    }
    self->table.entries[index].joined = now;
    request->coalesced = (uint16_t)(index + 1);
    level_enter(&self->under_way, now);
}

/* What is under way may be older: it serves who waits for it already. */
static void note_write(RequestCoalescer *self, const Transaction *request)
{
    const uint16_t written = request->sectors;
    for (uint32_t i;
         (i = pending_request_table_find_any(&self->table, request->line, written)) != PRT_NONE;)
        self->table.entries[i].sectors &= (uint16_t)~written;
}

static void forward(RequestCoalescer *self, Transaction *request, uint32_t i, Time now)
{
    const Time cycle = self->unit.clock->period;
    if (request->type == TRANSACTION_READ)
        note_read(self, request, now);
    else
        note_write(self, request);
    note_wait(request, now);
    self->requests++;
    self->ways[i].output_free = now + cycle;
    self->ways[i].refused = false;
    server_book(&self->outputs.at[i], now, cycle);
    channel_send(&self->to_request_network.at[i], &request->message, now);
}

static bool may_forward(RequestCoalescer *self, uint32_t i, Time now)
{
    Channel *channel = &self->to_request_network.at[i];
    if (self->ways[i].output_free > now) {
        unit_wake_at(&self->unit, self->ways[i].output_free);
        return false;
    }
    if (channel_ready(channel, now)) return true;
    self->refused_network += !self->ways[i].refused;
    self->ways[i].refused = true;
    channel_await(channel, now);
    return false;
}

/* Of SM `i`, as many as can leave; returns whether all have. */
static bool take_requests(RequestCoalescer *self, uint32_t i, Time now)
{
    Port *port = &self->from_l1.at[i];
    for (Transaction *request; (request = (Transaction *)port_peek(port));) {
        if (!joins(self, request, now)) {
            if (!may_forward(self, i, now)) return false;
            forward(self, request, i, now);
        }
        port_take(port, now);
        self->ways[i].seen--;
    }
    return true;
}

static void see_arrivals(RequestCoalescer *self, uint32_t i, Time now)
{
    const Port *port = &self->from_l1.at[i];
    uint32_t *seen = &self->ways[i].seen;
    for (; *seen < port->count; ++*seen) ((Transaction *)port_peek_at(port, *seen))->entered = now;
    self->asking[i / WORD] |= UINT64_C(1) << i % WORD;
}

static void take_replies(RequestCoalescer *self, uint32_t i, Time now)
{
    Transaction *reply;
    while ((reply = (Transaction *)port_take(&self->from_reply_network.at[i], now)))
        pass_reply(self, i, reply, now);
}

static void step(Unit *unit, Time now)
{
    RequestCoalescer *self = (RequestCoalescer *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        const uint32_t reply = port_array_index(&self->from_reply_network, unit->fresh[k]);
        if (reply < self->from_reply_network.count)
            take_replies(self, reply, now);
        else
            see_arrivals(self, port_array_index(&self->from_l1, unit->fresh[k]), now);
    }
    for (uint32_t w = 0; w < self->words; w++)
        for (uint64_t rest = self->asking[w]; rest; rest &= rest - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(rest);
            if (take_requests(self, w * WORD + bit, now)) self->asking[w] &= ~(UINT64_C(1) << bit);
        }
}

/* What is in the ports the kit sees. */
static bool unfinished(Unit *unit, GString *what)
{
    const RequestCoalescer *self = (const RequestCoalescer *)unit;
    if (!self->waiting.now) return false;
    g_string_append_printf(what, "%" G_GUINT64_FORMAT " reads wait for others under way",
                           self->waiting.now);
    for (uint32_t i = 0; i < self->from_reply_network.count; i++)
        unit_waits_for(unit, port_sender(&self->from_reply_network.at[i]));
    return true;
}

const UnitClass request_coalescer_class = {
    .name = "request_coalescer",
    .summary = "between SMs and networks: reads under way together go to L2 once",
    .per = PER_COALESCER,
    .clock = CLOCK_NETWORK,
    .place = PLACE_SHARED,
    .path = "request_coalescer[%u]",
    .size = sizeof(RequestCoalescer),
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
