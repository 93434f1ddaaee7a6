/* What of an L2 slice can be full. */
#include "parts/sparse.h"
#include "units/l2_slice/private.h"

#define INPUTS "from_network from_far_requests from_rop"
#define BANDWIDTH .component = "l2_bandwidth"
#define PENDING .component = "l2_pending"
#define HALVES .component = "l2_halves"
#define CROSS_LINK                                                                                 \
    RESOURCE_CAPACITY(L2Slice, cross_links), .rests_on = "cross_bandwidth cross_links", HALVES

/* Reads take the read port as long as need be: the places that their replies hold in front of the
 * reply network are what a request finds missing. */
const ResourceRow l2_slice_resources[] = {
    RESOURCE_ONE_SERVER(L2Slice, look_ups, "look-ups in the tags",
                        RESOURCE_CAPACITY(L2Slice, lookups_per_interval), .unit = "look-ups",
                        .feeds = "read_ports write_port set_fills pending merge_room far_fetches "
                                 "far_forwards far_recalls to_rop",
                        .refuses = INPUTS, .rests_on = "lookup_interval lookups_per_interval",
                        .work = "accesses", BANDWIDTH),
    RESOURCE_ONE_SERVER(L2Slice, read_ports, "read ports of the data array, or its only port",
                        RESOURCE_CAPACITY(L2Slice, read_port_count), .unit = "reads",
                        .headline = "L2 data", .feeds = "to_reply_network to_rop_data reply_link",
                        .refuses = INPUTS, .rests_on = "data_bandwidth data_ports array_ports",
                        .work = "bytes_read", BANDWIDTH),
    RESOURCE_ONE_SERVER(L2Slice, write_port, "write port of the data array, where it has one",
                        RESOURCE_CAPACITY(L2Slice, data_ports), .unit = "writes", .refuses = INPUTS,
                        .refusals = "refused_ports", .rests_on = "data_bandwidth data_ports",
                        BANDWIDTH),
    RESOURCE_ONE_PLACE(
        L2Slice, set_fills, "ways of sets that are being filled", RESOURCE_CAPACITY(L2Slice, lines),
        .unit = "ways", .feeds = "load_queue to_scheduler", .refuses = INPUTS,
        .refusals = "refused_set", .rests_on = "capacity ways", .in_parts = true, PENDING),
    RESOURCE_ONE_PLACE(L2Slice, set_writes, "ways of sets whose data is being written",
                       RESOURCE_CAPACITY(L2Slice, lines), .unit = "ways", .feeds = "to_scheduler",
                       .refuses = INPUTS, .refusals = "refused_written",
                       .rests_on = "capacity ways clean_ways", .in_parts = true, PENDING),
    RESOURCE_ONE_PLACE(
        L2Slice, pending, "pending request table", RESOURCE_CAPACITY(L2Slice, fetches_most),
        .unit = "fetches", .feeds = "load_queue to_scheduler", .refuses = INPUTS,
        .refusals = "refused_pending", .rests_on = "pending_entries completion", PENDING),
    RESOURCE_ONE_PLACE(
        L2Slice, merge_room, "requests that joined a fetch, as many for each as pending_merges",
        RESOURCE_CAPACITY(L2Slice, merges_most), .unit = "requests", .feeds = "pending far_fetches",
        .refuses = INPUTS, .refusals = "refused_merge",
        .rests_on = "pending_entries pending_merges", .in_parts = true, PENDING),
    RESOURCE_ONE_PLACE(L2Slice, load_queue, "load queue",
                       RESOURCE_CAPACITY(L2Slice, load_queue_entries), .unit = "misses",
                       .feeds = "to_scheduler", .refuses = INPUTS, .refusals = "refused_load_queue",
                       PENDING),
    RESOURCE_ONE_PLACE(L2Slice, store_queue, "store queue",
                       RESOURCE_CAPACITY(L2Slice, store_queue_entries), .unit = "lines",
                       .feeds = "to_scheduler", .refuses = INPUTS,
                       .refusals = "refused_store_queue"),
    RESOURCE_ONE_PLACE(L2Slice, store_data, "store data queue",
                       RESOURCE_CAPACITY(L2Slice, store_data_most), .unit = "sectors",
                       .feeds = "to_scheduler", .refuses = INPUTS, .refusals = "refused_store_data",
                       .rests_on = "store_data_sectors store_queue_entries"),
    RESOURCE_ONE_PLACE(L2Slice, reply_queue, "reply queue, where replies leave in order",
                       RESOURCE_CAPACITY(L2Slice, reply_entries), .unit = "requests",
                       .feeds = "to_reply_network", .refuses = INPUTS, .refusals = "refused_order",
                       PENDING),
    RESOURCE_ONE_PLACE(L2Slice, far_fetches, "fetches from other halves",
                       RESOURCE_CAPACITY(L2Slice, pending_entries), .unit = "fetches",
                       .feeds = "request_link", .refuses = "from_network"),
    RESOURCE_ONE_PLACE(L2Slice, far_forwards, "stores and atomics at other halves",
                       RESOURCE_CAPACITY(L2Slice, cross_entries), .unit = "requests",
                       .feeds = "request_link", .refuses = "from_network",
                       .refusals = "refused_cross", HALVES),
    RESOURCE_ONE_PLACE(L2Slice, far_recalls, "invalidations at other halves",
                       RESOURCE_CAPACITY(L2Slice, cross_entries), .unit = "requests",
                       .feeds = "reply_link", .refuses = INPUTS, HALVES),
    RESOURCE_ONE_SERVER(L2Slice, request_link, "link of requests to other halves", CROSS_LINK,
                        .unit = "packets", .feeds = "to_far_requests", .refuses = "from_network"),
    RESOURCE_ONE_SERVER(L2Slice, reply_link, "link of replies to other halves", CROSS_LINK,
                        .unit = "packets", .feeds = "to_far_replies",
                        .refuses = "from_far_requests"),
    RESOURCE_ONE_PLACE(L2Slice, absent_pages, "absent pages that requests of a slice wait for",
                       RESOURCE_CAPACITY(L2Slice, page_entries), .unit = "pages",
                       .feeds = "to_pager", .refuses = "from_network", .refusals = "refused_page",
                       .bitless = "the buffer of faults lies in memory", .component = "paging"),
    RESOURCE_ONE_PLACE(L2Slice, waiting_for_pages, "requests of a slice that wait for absent pages",
                       RESOURCE_CAPACITY(L2Slice, page_requests), .unit = "requests",
                       .feeds = "to_pager", .refuses = "from_network",
                       .bitless = "SMs keep what they replay", .component = "paging"),
    RESOURCE_END};

const BatchRow l2_slice_batches[] = {{"written_data", "store_queue", "store_queue_entries",
                                      "to_scheduler", "drain_high", "drain_idle"},
                                     BATCH_END};

/* A blocking cache fetches one thing at a time. */
void l2_slice_set_up_resources(L2Slice *self)
{
    self->read_port_count = self->data_ports * (self->array_ports == ARRAY_PORTS_2R1W ? 2 : 1);
    self->fetches_most = self->completion == COMPLETION_BLOCKING ? 1 : self->pending_entries;
    self->merges_most = self->pending_entries * self->pending_merges;
    self->lines = self->cache.tags.sets * self->cache.tags.ways;
    self->fetches = SPARSE_ARRAY(FetchTimes, self->pending_entries);
    self->written_since = SPARSE_ARRAY(Time, self->lines);
}

/* --- ports ------------------------------------------------------------------------------------ */

/* Of several at once each takes its share of the time, and begins with an edge of the clock. */
G_GNUC_NO_INLINE static void take_share_of_interval(L2Slice *self, Time duration, Time now)
{
    const uint64_t at_once = self->lookups_per_interval;
    self->turns_end = MAX(self->turns_end, now) + time_share(duration, at_once);
    self->free_at = clock_floor(self->unit.clock, self->turns_end);
    server_book_share(&self->look_ups, now, duration, at_once);
}

void l2_slice_look_up_takes(L2Slice *self, Time now)
{
    const Time duration = clock_cycles(self->unit.clock, self->lookup_interval);
    if (self->lookups_per_interval > 1) {
        take_share_of_interval(self, duration, now);
        return;
    }
    self->free_at = now + duration;
    server_book(&self->look_ups, now, duration);
}

/* A width that is no whole number of sectors is kept exactly; nothing takes less than a cycle. */
static Time port_time_of(const L2Slice *self, uint64_t sectors)
{
    const uint64_t bytes = sectors * self->line->sector_bytes, width = self->data_bandwidth;
    const Clock *clock = self->unit.clock;
    if (width % self->line->sector_bytes == 0)
        return clock_cycles(clock, (bytes + width - 1) / width);
    return MAX(clock_cycles(clock, bytes) / width, clock_cycles(clock, sectors ? 1 : 0));
}

void l2_slice_set_up_ports(L2Slice *self)
{
    for (uint32_t sectors = 0; sectors <= SECTORS_MAX; sectors++)
        self->port_time[sectors] = port_time_of(self, sectors);
}

static Server *server_for_writes(L2Slice *self)
{
    return self->array_ports == ARRAY_PORTS_1RW ? &self->read_ports : &self->write_port;
}

G_GNUC_NO_INLINE static Time read_side_by_side(L2Slice *self, Time ready, Time duration)
{
    const Time share = time_share(duration, self->data_ports);
    return clock_floor(self->unit.clock, array_ports_read(&self->ports, ready, share));
}

G_GNUC_NO_INLINE static Time write_side_by_side(L2Slice *self, Time ready, Time duration)
{
    const Time share = time_share(duration, self->data_ports);
    server_book_share(server_for_writes(self), ready, duration, self->data_ports);
    return clock_floor(self->unit.clock, array_ports_write(&self->ports, ready, share));
}

/* Data goes on with an edge of the clock, also where a port is free between two. */
Time l2_slice_read_port(L2Slice *self, Time ready, uint16_t sectors)
{
    const Time duration = l2_slice_port_time(self, sectors);
    self->bytes_array_read += slice_cache_bytes(&self->cache, sectors);
    self->data_busy += duration;
    server_book_share(&self->read_ports, ready, duration, self->read_port_count);
    if (self->data_ports > 1) return read_side_by_side(self, ready, duration);
    return clock_ceil(self->unit.clock, array_ports_read(&self->ports, ready, duration));
}

Time l2_slice_write_port(L2Slice *self, Time ready, uint16_t sectors)
{
    const Time duration = l2_slice_port_time(self, sectors);
    self->bytes_array_written += slice_cache_bytes(&self->cache, sectors);
    self->write_busy += duration;
    if (self->data_ports > 1) return write_side_by_side(self, ready, duration);
    server_book(server_for_writes(self), ready, duration);
    return clock_ceil(self->unit.clock, array_ports_write(&self->ports, ready, duration));
}

/* --- ways of sets ----------------------------------------------------------------------------- */

static void take_way(Level *ways, Time *since, Time now)
{
    level_enter(ways, now);
    *since = now;
}

static void leave_way(Level *ways, Time *since, Time now)
{
    level_relent(ways, now);
    level_leave(ways, now, *since);
    *since = 0;
}

/* A kernel has begun, and some that were taken may be no longer. */
void l2_slice_count_lines(L2Slice *self, Time now)
{
    const PendingRequestTable *table = &self->cache.table;
    for (uint32_t i = 0; i < table->fresh; i++)
        if (self->fetches[i].filled_since && table->entries[i].place == TAG_NONE)
            leave_way(&self->set_fills, &self->fetches[i].filled_since, now);
    for (uint64_t place = 0; place < self->lines; place++)
        if (self->written_since[place] && !self->cache.tags.lines[place].writing)
            leave_way(&self->set_writes, &self->written_since[place], now);
}

void l2_slice_fill_begins(L2Slice *self, uint32_t fetch, Time now)
{
    const uint32_t place = self->cache.table.entries[fetch].place;
    if (self->cache.tags.lines[place].fetching == 1)
        take_way(&self->set_fills, &self->fetches[fetch].filled_since, now);
}

/* Where other fetches still fill the place, one of them goes on with its time. */
void l2_slice_fill_ends(L2Slice *self, uint32_t fetch, Time now)
{
    Time *since = &self->fetches[fetch].filled_since;
    const uint32_t place = self->cache.table.entries[fetch].place;
    if (!*since) return;
    if (self->cache.tags.lines[place].fetching == 1) {
        leave_way(&self->set_fills, since, now);
        return;
    }
    const uint32_t other = pending_request_table_find_other(&self->cache.table, fetch);
    self->fetches[other].filled_since = *since;
    *since = 0;
}

void l2_slice_write_begins(L2Slice *self, uint32_t place, Time now)
{
    self->cache.tags.lines[place].writing = true;
    take_way(&self->set_writes, &self->written_since[place], now);
}

void l2_slice_write_ends(L2Slice *self, uint32_t place, Time now)
{
    if (!self->cache.tags.lines[place].writing) return;
    self->cache.tags.lines[place].writing = false;
    leave_way(&self->set_writes, &self->written_since[place], now);
}

/* --- requests that wait together -------------------------------------------------------------- */

void l2_slice_join(L2Slice *self, PendingRequest *entry, Time now)
{
    entry->merged++;
    entry->joined += now;
    self->merged++;
    level_enter(&self->merge_room, now);
}

void l2_slice_part(L2Slice *self, const PendingRequest *entry, Time now)
{
    if (entry->merged >= self->pending_merges) level_relent(&self->merge_room, now);
    if (entry->merged) level_leave_together(&self->merge_room, now, entry->merged, entry->joined);
}
