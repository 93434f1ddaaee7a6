/* The memory-side cache: what a request of L2 finds, and what it starts. */
#include "units/memory_cache/private.h"

static uint64_t line_of(const MemoryCache *self, const Transaction *request)
{
    return request->local >> self->line_shift;
}

/* The head is taken, after it has waited since it came. */
static void enter_cache(const MemoryCache *self, Transaction *head, Time now)
{
    const Time came = port_came(&self->from_l2);
    if (came < now) transaction_enter(head, STAGE_L2_MISS_QUEUE, came);
    transaction_enter(head, STAGE_MEMORY_CACHE, now);
}

/* The stage has no room in a word of the request's log. */
static void leave_cache(Transaction *request, Time when)
{
    transaction_enter_slowly(request, STAGE_MEMORY_WIRE, when);
}

/* --- refusals: the head waits, and is counted once -------------------------------------------- */

static bool refuse(MemoryCache *self, uint64_t *counter)
{
    *counter += !self->counted;
    self->counted = true;
    return false;
}

/* Nothing but what comes from DRAM changes that. */
static bool refuse_until_fill(MemoryCache *self, uint64_t *counter)
{
    self->refused = true;
    return refuse(self, counter);
}

static bool scheduler_ready(MemoryCache *self, Time now)
{
    if (channel_ready(&self->to_scheduler, now)) return true;
    channel_await(&self->to_scheduler, now);
    return refuse(self, &self->refused_scheduler);
}

bool memory_cache_write_port_ready(MemoryCache *self, Time now)
{
    const Time reach = clock_cycles(self->unit.clock, self->hit_latency);
    if (self->write_free <= now + reach) return true;
    unit_wake_at(&self->unit, clock_ceil(self->unit.clock, self->write_free - reach));
    return false;
}

/* --- the array's ports ------------------------------------------------------------------------ */

/* Whole cycles where the width is a whole number of sectors; else on average. */
static Time port_time(const MemoryCache *self, uint16_t sectors)
{
    const uint64_t bytes = slice_cache_bytes(&self->cache, sectors), width = self->data_bandwidth;
    const Clock *clock = self->unit.clock;
    return width % self->line->sector_bytes ? clock_cycles(clock, bytes) / width
                                            : clock_cycles(clock, (bytes + width - 1) / width);
}

/* Returns when it begins: with an edge of the clock, also where a port is free between two. */
static Time use_port(MemoryCache *self, Time *free, Server *port, Time ready, Time duration)
{
    const Clock *clock = self->unit.clock;
    const Time start = MAX(ready, *free);
    *free = start + time_share(duration, self->data_ports);
    server_book_share(port, start, duration, self->data_ports);
    return self->data_ports > 1 ? clock_floor(clock, start) : clock_ceil(clock, start);
}

void memory_cache_use_write_port(MemoryCache *self, Time ready, uint16_t sectors)
{
    const Time duration = port_time(self, sectors);
    self->write_busy += duration;
    use_port(self, &self->write_free, &self->write_port, ready, duration);
}

/* Returns when its data leaves. */
static Time use_read_port(MemoryCache *self, Time ready, uint16_t sectors)
{
    const Time duration = port_time(self, sectors);
    self->read_busy += duration;
    return use_port(self, &self->read_free, &self->read_port, ready, duration);
}

/* --- back to L2 ------------------------------------------------------------------------------- */

void memory_cache_reply(MemoryCache *self, Transaction *done, Time now)
{
    leave_cache(done, now);
    channel_send(&self->to_l2, &done->message, now);
}

static void hold(MemoryCache *self, MessageList *list, Transaction *done, Time until)
{
    done->entered = until;
    message_list_append(list, &done->message);
    unit_wake_at(&self->unit, until);
}

static void release(MemoryCache *self, MessageList *list, Time now)
{
    while (list->first && ((Transaction *)list->first)->entered <= now)
        memory_cache_reply(self, (Transaction *)message_list_take(list), now);
    if (list->first) unit_wake_at(&self->unit, ((Transaction *)list->first)->entered);
}

void memory_cache_release(MemoryCache *self, Time now)
{
    release(self, &self->data, now);
    release(self, &self->acknowledged, now);
}

static Time after_hit(const MemoryCache *self, Time now)
{
    return now + clock_cycles(self->unit.clock, self->hit_latency);
}

static bool serve_hit(MemoryCache *self, Transaction *read, uint32_t place, Time now)
{
    enter_cache(self, read, now);
    slice_cache_use(&self->cache, place, 0);
    self->hits++;
    self->read_hits++;
    read->served_by = SERVED_MEMORY_CACHE;
    self->bytes_read += slice_cache_bytes(&self->cache, read->sectors);
    hold(self, &self->data, read, use_read_port(self, after_hit(self, now), read->sectors));
    return true;
}

/* --- to the scheduler ------------------------------------------------------------------------- */

static void send(MemoryCache *self, Transaction *request, Time now)
{
    const Time leaves = now + clock_cycles(self->unit.clock, self->miss_latency);
    leave_cache(request, leaves);
    channel_send(&self->to_scheduler, &request->message, leaves);
}

static Transaction *new_request(MemoryCache *self, TransactionType type, uint64_t line,
                                uint16_t sectors, Time now)
{
    Transaction *request = unit_new(&self->unit, MESSAGE_TRANSACTION);
    request->type = (uint8_t)type;
    request->local = line << self->line_shift;
    request->line = slice_cache_address(&self->cache, request->local);
    request->sectors = sectors;
    request->partial = 0;
    request->slice = request->home = (uint16_t)self->unit.number;
    request->for_memory_cache = true;
    transaction_enter(request, STAGE_MEMORY_CACHE, now);
    return request;
}

static void write_back(MemoryCache *self, TagLine *victim, Time now)
{
    Transaction *request = new_request(self, TRANSACTION_WRITE, victim->line, victim->dirty, now);
    self->write_backs++;
    self->bytes_written_back += slice_cache_bytes(&self->cache, victim->dirty);
    level_enter(&self->writes_outstanding, now);
    use_read_port(self, after_hit(self, now), victim->dirty);
    send(self, request, now);
    victim->dirty = 0;
}

/* A place for the line, whose victim has been written back; TAG_NONE: not now. */
static uint32_t allocate(MemoryCache *self, uint64_t line, bool fetches, Time now)
{
    const uint32_t place = tag_array_victim(&self->cache.tags, line);
    if (place == TAG_NONE) {
        level_refuse(&self->set_fills, now);
        refuse_until_fill(self, &self->refused_set);
        return TAG_NONE;
    }
    level_relent(&self->set_fills, now);
    TagLine *victim = &self->cache.tags.lines[place];
    if (victim->dirty) {
        if (!scheduler_ready(self, now)) return TAG_NONE;
        write_back(self, victim, now);
    }
    if (fetches && !scheduler_ready(self, now)) return TAG_NONE;
    self->brought++;
    self->brought_back += evicted_tags_replace(&self->evicted, line, victim->used, victim->line);
    slice_cache_replace(&self->cache, place, line, 0);
    return place;
}

/* --- reads ------------------------------------------------------------------------------------ */

void memory_cache_wait_for(MemoryCache *self, Transaction *read, uint32_t fetch, Time now)
{
    read->entered = now;
    message_list_append(&self->fetch[fetch].waiting, &read->message);
    level_enter(&self->waiting, now);
}

static void miss(MemoryCache *self, Transaction *read, uint32_t fetch, Time now)
{
    enter_cache(self, read, now);
    read->served_by = SERVED_DRAM;
    memory_cache_wait_for(self, read, fetch, now);
}

static uint32_t begin_fetch(MemoryCache *self, uint64_t line, uint32_t place, uint16_t wanted,
                            Time now)
{
    uint32_t index;
    if (place == TAG_NONE) {
        index = pending_request_table_allocate(&self->cache.table, line, wanted);
        self->cache.table.entries[index].place = TAG_NONE;
    } else {
        index = slice_cache_begin_fetch(&self->cache, line, place, wanted);
    }
    self->fetch[index] = (CacheFetch){.began = now, .filled_since = 0};
    level_enter(&self->pending, now);
    if (place != TAG_NONE && self->cache.tags.lines[place].fetching == 1) {
        self->fetch[index].filled_since = now;
        level_enter(&self->set_fills, now);
    }
    return index;
}

static bool fetch(MemoryCache *self, Transaction *read, uint32_t place, uint16_t wanted, Time now)
{
    const uint64_t line = line_of(self, read);
    if (self->cache.table.used == self->cache.table.capacity)
        return refuse_until_fill(self, &self->refused_pending);
    if (place == TAG_NONE && self->allocate != ALLOCATE_WRITES) {
        place = allocate(self, line, true, now);
        if (place == TAG_NONE) return false;
    } else if (!scheduler_ready(self, now)) {
        return false;
    }
    const uint32_t index = begin_fetch(self, line, place, wanted, now);
    Transaction *request = new_request(self, TRANSACTION_READ, line, wanted, now);
    request->message.entry = index;
    self->misses++;
    self->fetches++;
    miss(self, read, index, now);
    send(self, request, now);
    return true;
}

static bool read_line(MemoryCache *self, Transaction *read, uint32_t place, Time now)
{
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, read->sectors);
    if (!lacking) return serve_hit(self, read, place, now);
    const PendingRequestTable *table = &self->cache.table;
    const uint16_t under_way = pending_request_table_sectors(table, line_of(self, read)),
                   wanted = lacking & (uint16_t)~under_way;
    if (wanted) return fetch(self, read, place, wanted, now);
    self->merged++;
    miss(self, read, pending_request_table_find_any(table, line_of(self, read), lacking), now);
    return true;
}

/* --- writes ----------------------------------------------------------------------------------- */

/* On to DRAM, which acknowledges it: sectors that it covers whole are not here any more. */
static bool pass(MemoryCache *self, Transaction *write, uint32_t place, Time now)
{
    if (!scheduler_ready(self, now)) return false;
    if (place != TAG_NONE) {
        TagLine *line = &self->cache.tags.lines[place];
        const uint16_t left = (uint16_t)~write->sectors | write->partial;
        line->valid &= left;
        line->dirty &= left;
    }
    enter_cache(self, write, now);
    self->misses++;
    self->passed++;
    self->bytes_passed += slice_cache_bytes(&self->cache, write->sectors);
    send(self, write, now);
    return true;
}

static bool write_line(MemoryCache *self, Transaction *write, uint32_t place, Time now)
{
    const uint16_t lacking = slice_cache_lacks(&self->cache, place, write->partial);
    if (!memory_cache_write_port_ready(self, now)) return refuse(self, &self->refused_port);
    if (lacking || (place == TAG_NONE && self->allocate == ALLOCATE_READS))
        return pass(self, write, place, now);
    if (place == TAG_NONE) place = allocate(self, line_of(self, write), false, now);
    if (place == TAG_NONE) return false;
    enter_cache(self, write, now);
    slice_cache_use(&self->cache, place, write->sectors);
    memory_cache_use_write_port(self, after_hit(self, now), write->sectors);
    self->bytes_written += slice_cache_bytes(&self->cache, write->sectors);
    self->hits++;
    hold(self, &self->acknowledged, write, after_hit(self, now));
    return true;
}

/* --- the head of the queue -------------------------------------------------------------------- */

static bool handle(MemoryCache *self, Transaction *request, Time now)
{
    const uint32_t place = tag_array_find(&self->cache.tags, line_of(self, request));
    const bool reads = request->type == TRANSACTION_READ; /* it may be gone when it was handled */
    if (reads ? !read_line(self, request, place, now) : !write_line(self, request, place, now))
        return false;
    self->accesses++;
    *(reads ? &self->reads : &self->writes) += 1;
    return true;
}

static bool serve_head(MemoryCache *self, Time now)
{
    Transaction *head = (Transaction *)port_peek(&self->from_l2);
    if (!head || self->refused) return false;
    const Time turn = clock_floor(self->unit.clock, self->free_at);
    if (turn > now) {
        unit_wake_at(&self->unit, turn);
        return false;
    }
    if (!handle(self, head, now)) return false;
    const Time duration = clock_cycles(self->unit.clock, self->lookup_interval);
    const uint64_t at_once = self->lookups_per_interval;
    port_take(&self->from_l2, now);
    self->counted = false;
    self->free_at = MAX(self->free_at, now) + time_share(duration, at_once);
    server_book_share(&self->look_ups, now, duration, at_once);
    return true;
}

void memory_cache_serve_heads(MemoryCache *self, Time now)
{
    while (serve_head(self, now)) continue;
}
