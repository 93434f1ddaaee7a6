/* An L2 request coalescer: in front of the networks, for the SMs of a part of the chip. Reads of
 * the same sectors that are under way together go to L2 once.
 *
 *   L1 0 ──from_l1[0]──┐                ┌──to_request_network[0]──> request network
 *   L1 1 ──from_l1[1]──┼─> [outputs] ───┼──to_request_network[1]──>
 *                      └> [reads under way] who asks for sectors of one waits for it
 *   L1s <──to_l1[i]── [paths to SMs] <──from_reply_network[i]── reply network
 *
 * An SM has ports of its own into and out of the networks: so many requests a cycle. A read all
 * of whose sectors one under way brings waits for that one, whose data goes to both; it takes the
 * path to its SM, but neither network. When all entries are taken, reads go on and nobody joins
 * them. A store or an atomic that passes is joined by nobody who comes later. What comes back
 * passes as it comes in; only copies are in its way.
 *
 * With a `capacity` it has a cache (cache.c), which is only read: AMD's graphics L1. A read all of
 * whose sectors are there is in neither network; what else comes back is kept, and a store or an
 * atomic that passes takes its sectors out.
 *
 *   L1 i ──from_l1[i]──> [tag_ports] ──hit──> [data_array] ──> [paths to SMs]
 *                             └──> [outputs]
 *
 * request_coalescer/private.h has the struct, tables.c parameters, statistics and resources,
 * storage.c what it keeps.
 * Not modelled: that a read may be joined, or kept, although an SM elsewhere has written the line
 * since L2 was read, or one of these SMs' stores is behind it on the way; a bound on copies that
 * leave at once, and on what is written into the cache; multicast for clusters; compression;
 * energy of the table.
 * Sources: NVIDIA Nsight Compute, Kernel Profiling Guide: "lrc" (reads are coalesced before they go
 * to L2); counters of an H100 SXM, docs/inside/validation.md. How it is built is not published. Of
 * the cache: Linux, amdkfd/kfd_crat.c (128 KB for the CUs of a shader array); LLVM, review D89596
 * (vector L0s have an L1 of the shader array behind them). */
#include "units/request_coalescer/private.h"

enum { WORD = 64 };

static const PortRow ports[] = {
    PORT_INPUTS(RequestCoalescer, from_reply_network, "replies, by SM"),
    PORT_INPUTS(RequestCoalescer, from_l1, "misses and stores, by SM"),
    PORT_OUTPUTS(RequestCoalescer, to_request_network, "misses and stores"),
    PORT_OUTPUTS(RequestCoalescer, to_l1, "replies, and copies of them"),
    PORT_OUTPUT(RequestCoalescer, to_monitor, "hits, for the coherence monitor"),
    PORT_END};

static const SharedRow shared[] = {SHARED(RequestCoalescer, line), SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    RequestCoalescer *self = (RequestCoalescer *)unit;
    const uint32_t sms = self->from_l1.count;
    self->words = (sms + WORD - 1) / WORD;
    self->asking = g_new0(uint64_t, self->words);
    self->way = g_new0(Ways, sms);
    self->outputs = server_array_new(sms);
    self->paths = server_array_new(sms);
    self->under_way.full_at = self->entries;
    pending_request_table_init(&self->table, (uint32_t)self->entries);
    return coalescer_cache_init(self, error);
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
    coalescer_cache_finish(self);
    pending_request_table_finish(&self->table);
    g_free(self->asking);
    g_free(self->way);
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
    Time *free = &self->way[i].path_free;
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

/* What nobody has written since it was asked for. */
static void keep(RequestCoalescer *self, const Transaction *reply)
{
    coalescer_cache_fill(self, reply, self->table.entries[reply->coalesced - 1u].sectors);
}

/* Its data took as long to come in as it takes to go on. The SMs of the ports follow each other. */
static void pass_reply(RequestCoalescer *self, uint32_t i, Transaction *reply, Time now)
{
    const uint32_t first = reply->source - i;
    Transaction *waiting = NULL;
    self->replies++;
    if (reply->type == TRANSACTION_READ && reply->coalesced) {
        if (self->arrays) keep(self, reply);
        waiting = take_waiting(self, reply, now);
    }
    deliver(self, i, reply, now - MIN(now, time_on_path(self, reply)), now);
    for (Transaction *next; waiting; waiting = next) {
        next = waiting->merged;
        deliver(self, waiting->source - first, waiting, now, now);
    }
}

static void leave(RequestCoalescer *self, Time now)
{
    const Time latency = clock_cycles(self->unit.clock, self->hit_latency);
    while (self->hits_ahead.first) {
        Transaction *hit = (Transaction *)self->hits_ahead.first;
        if (hit->entered > now) {
            unit_wake_at(&self->unit, hit->entered);
            return;
        }
        message_list_take(&self->hits_ahead);
        level_leave(&self->leaving, now, hit->entered - latency);
        deliver(self, hit->source - self->first_sm, hit, now, now);
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
    if (self->arrays) coalescer_cache_write(self, request);
}

static void forward(RequestCoalescer *self, Transaction *request, uint32_t i, Time now)
{
    const Time cycle = self->unit.clock->period;
    const uint64_t at_once = self->requests_per_cycle;
    Time *free = &self->way[i].output_free;
    if (request->type == TRANSACTION_READ)
        note_read(self, request, now);
    else
        note_write(self, request);
    note_wait(request, now);
    self->requests++;
    *free = MAX(*free, now) + time_share(cycle, at_once);
    self->way[i].refused = false;
    server_book_share(&self->outputs.at[i], now, cycle, at_once);
    channel_send(&self->to_request_network.at[i], &request->message, now);
}

static bool may_forward(RequestCoalescer *self, uint32_t i, Time now)
{
    Channel *channel = &self->to_request_network.at[i];
    const Time turn = clock_floor(self->unit.clock, self->way[i].output_free);
    if (turn > now) {
        unit_wake_at(&self->unit, turn);
        return false;
    }
    if (channel_ready(channel, now)) return true;
    self->refused_network += !self->way[i].refused;
    self->way[i].refused = true;
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
        self->way[i].seen--;
    }
    return true;
}

/* --- to the cache, and past it ---------------------------------------------------------------- */

static bool may_look_up(RequestCoalescer *self, Ways *way, Time now)
{
    if (coalescer_cache_ready(self, now)) return true;
    self->refused_lookup += !way->no_look_up;
    way->no_look_up = true;
    return false;
}

/* Its look-up found less than all of it. False: the network has no room. */
static bool pass_cache(RequestCoalescer *self, Transaction *request, uint32_t i, Time now)
{
    const bool looked_up = coalescer_cache_concerns(request),
               read = looked_up && request->type == TRANSACTION_READ;
    const bool joined = joins(self, request, now);
    if (!joined) {
        if (!may_forward(self, i, now)) return false;
        forward(self, request, i, now);
    }
    if (looked_up) coalescer_cache_look_up(self, now);
    self->accesses += read;
    self->merged += read && joined;
    self->misses += read && !joined;
    return true;
}

static bool serve(RequestCoalescer *self, Transaction *request, uint32_t i, Time now)
{
    Ways *way = &self->way[i];
    if (!coalescer_cache_concerns(request)) return pass_cache(self, request, i, now);
    if (!may_look_up(self, way, now)) return false;
    const uint32_t place = request->type == TRANSACTION_READ ? coalescer_cache_find(self, request)
                                                             : (uint32_t)TAG_NONE;
    if (place == TAG_NONE) return pass_cache(self, request, i, now);
    note_wait(request, now);
    self->first_sm = request->source - i;
    coalescer_cache_hit(self, request, place, now);
    return true;
}

/* Of SM `i`, as many as can go; returns whether all have. */
static bool serve_all(RequestCoalescer *self, uint32_t i, Time now)
{
    Port *port = &self->from_l1.at[i];
    Ways *way = &self->way[i];
    for (Transaction *request; (request = (Transaction *)port_peek(port));) {
        if (!serve(self, request, i, now)) return false;
        port_take(port, now);
        way->seen--;
        way->no_look_up = false;
    }
    return true;
}

/* Who finds the tags or the array taken, and was not served, is the first one next time. */
static void serve_in_turn(RequestCoalescer *self, Time now)
{
    const uint32_t sms = self->from_l1.count, first = self->turn;
    bool turned = false;
    self->looked_up = 0;
    for (uint32_t k = 0; k < sms; k++) {
        const uint32_t i = first + k < sms ? first + k : first + k - sms, before = self->looked_up;
        uint64_t *asking = &self->asking[i / WORD], bit = UINT64_C(1) << i % WORD;
        if (!(*asking & bit)) continue;
        if (serve_all(self, i, now)) *asking &= ~bit;
        if (turned || !self->way[i].no_look_up) continue;
        self->turn = self->looked_up > before ? (i + 1) % sms : i;
        turned = true;
    }
}

/* ---------------------------------------------------------------------------------------------- */

static void see_arrivals(RequestCoalescer *self, uint32_t i, Time now)
{
    const Port *port = &self->from_l1.at[i];
    uint32_t *seen = &self->way[i].seen;
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
    if (self->arrays) {
        leave(self, now);
        serve_in_turn(self, now);
        return;
    }
    for (uint32_t w = 0; w < self->words; w++)
        for (uint64_t rest = self->asking[w]; rest; rest &= rest - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(rest);
            if (take_requests(self, w * WORD + bit, now)) self->asking[w] &= ~(UINT64_C(1) << bit);
        }
}

/* As L1s are, which do not know what they have here. */
static Counted boundary(Unit *unit, const Boundary *boundary)
{
    RequestCoalescer *self = (RequestCoalescer *)unit;
    const Launch *launch = boundary->launch;
    if (!self->arrays || boundary->kind != BOUNDARY_KERNEL_START) return COUNTED_NOTHING;
    if (launch->keep_l1 && launch->caches != CACHES_COLD) return COUNTED_NOTHING;
    coalescer_cache_empty(self);
    return COUNTED_AT_REST;
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
    .params = request_coalescer_params,
    .stats = request_coalescer_stats,
    .resources = request_coalescer_resources,
    .storage = request_coalescer_storage,
    .ports = ports,
    .shared = shared,
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .boundary = boundary,
    .unfinished = unfinished};
