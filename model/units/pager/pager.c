/* The pager: memory that may be with the host, where DRAM has not room for all of it
 * (paging.mode = demand). It stands for the fault buffer, the driver that handles faults on the
 * host, the copy engines and the host's link, which has two directions.
 *
 *   slices ──from_l2[i]──> [faults, merged] ──> [handler, a batch at a time] ──> [moves]
 *     ^                                                                            │
 *     └──to_l2[i]── pages come or leave <── [frames] <── link_in ──────────────────┘
 *                                               └──── link_out ──> the host
 *
 * A page comes when it is first wanted, alone or with its neighbours. Where no frame is free the
 * block goes whose pages came longest ago: all slices are told, answer what they have written of
 * it, and that crosses the link before its frames are free.
 *
 * Not modelled: TLB entries that go with a page, the time that DRAM takes to write and read the
 * pages that move, requests over the link to pages that stay with the host, the host's own use of
 * pages, copies of a list (no page moves for them).
 * Sources: pages of 64 KiB in blocks of 2 MiB, the tree and eviction of the block that was migrated
 * to longest ago (this not checked) are NVIDIA's driver's (Ganguly, Zhang, Yang, Melhem, ISCA 2019;
 * batches of 256 are its uvm_perf_fault_batch_count). 45 us a fault: their simulator's default.
 * 2 us a move: assumed, so that 64 KiB cross PCIe 3 x16 at 8.8 GB/s, and 2 MiB at 11.9. */
#include "units/pager/private.h"

static const char *const prefetches[] = {"none", "tree", "block", NULL};
static const char *const write_backs[] = {"written", "all", NULL};

static const Param params[] = {
    PARAM_NUMBER(Pager, fault_latency, PARAM_TIME, "45 us", 0, 1e12,
                 "the driver's, for a batch of faults, until its pages may cross the link",
                 .doubling = HALF, .relieves = "paging"),
    PARAM_NUMBER(Pager, batch_faults, PARAM_COUNT, "256", 1, 65536, "faults in a batch at most",
                 .doubling = TWICE, .relieves = "paging"),
    PARAM_NUMBER(Pager, move_latency, PARAM_TIME, "2 us", 0, 1e12,
                 "of the link for each move, besides its bytes (host_link.gbps)", .doubling = HALF,
                 .relieves = "paging"),
    PARAM_ONE_OF(Pager, prefetch, prefetches, "tree",
                 "what comes with a page: nothing, the largest part of its block of which more "
                 "than half is there or wanted, or all of the block",
                 .relieves = "paging"),
    PARAM_ONE_OF(Pager, write_back, write_backs, "written",
                 "what of an evicted block crosses the link: its written pages, or all",
                 .relieves = "paging"),
    PARAM_END};

static const Stat stats[] = {
    STAT_NUMBER(Pager, faults, STAT_COUNT, NULL, "faults: absent pages that slices told of",
                RULES(TAKES("faults reach the pager"))),
    STAT_NUMBER(Pager, merged, STAT_COUNT, NULL, "of these, pages that were coming already"),
    STAT_NUMBER(Pager, batches, STAT_COUNT, NULL, "batches that the driver handled"),
    STAT_NUMBER(Pager, moves_in, STAT_COUNT, NULL, "transfers from the host"),
    STAT_NUMBER(Pager, moves_out, STAT_COUNT, NULL, "transfers to the host"),
    STAT_NUMBER(Pager, pages_in, STAT_COUNT, NULL, "pages that came"),
    STAT_NUMBER(Pager, pages_out, STAT_COUNT, NULL, "pages that were written back to the host"),
    STAT_NUMBER(Pager, pages_dropped, STAT_COUNT, NULL, "pages that went without"),
    STAT_NUMBER(Pager, prefetched, STAT_COUNT, NULL, "pages that came unasked"),
    STAT_NUMBER(Pager, prefetched_used, STAT_COUNT, NULL, "of these, pages used while there"),
    STAT_NUMBER(Pager, evictions, STAT_COUNT, NULL, "blocks that had to go"),
    STAT_NUMBER_OVER_TIME(Pager, bytes_in, STAT_BYTES, NULL, "bytes from the host",
                          CURVES(CURVE("link from host"))),
    STAT_NUMBER_OVER_TIME(Pager, bytes_out, STAT_BYTES, NULL, "bytes to the host",
                          CURVES(CURVE("link to host"))),
    STAT_OCCUPANCY(Pager, faults_waiting, NULL, "faults that wait for the driver or are handled"),
    STAT_OCCUPANCY_OVER_TIME(Pager, frames, NULL, "pages that have a frame in DRAM",
                             CURVES(CURVE("pages in DRAM"))),
    STAT_DISTRIBUTION(Pager, latency_seen, NULL,
                      "from the first fault for a move until its pages are there"),
    STAT_END};

#define PAGING .component = "paging"

static const ResourceRow resources[] = {
    RESOURCE_ONE_SERVER(Pager, handler, "handler of page faults: the host's driver",
                        .unit = "batches", .headline = "page fault handler", .feeds = "link_in",
                        .refuses = "from_l2", .rests_on = "fault_latency batch_faults",
                        .work = "batches", PAGING),
    RESOURCE_ONE_SERVER(Pager, link_in, "link from the host", .unit = "moves",
                        .headline = "link from host", .feeds = "frames to_l2",
                        .refuses = "from_l2 handler", .rests_on = "host_link.gbps move_latency",
                        .work = "bytes_in", PAGING),
    RESOURCE_ONE_SERVER(Pager, link_out, "link to the host", .unit = "moves",
                        .headline = "link to host", .refuses = "frames",
                        .rests_on = "host_link.gbps move_latency", .work = "bytes_out", PAGING),
    RESOURCE_ONE_PLACE(Pager, frames, "frames of DRAM: pages there, coming or leaving",
                       .capacity = offsetof(Pager, frame_count), .unit = "pages",
                       .feeds = "link_out to_l2", .refuses = "link_in",
                       .rests_on = "paging.memory_bytes paging.page_bytes", .keeps = true,
                       .bitless = "DRAM itself", PAGING),
    RESOURCE_END};

static const PortRow ports[] = {
    PORT_INPUTS(Pager, from_l2, "faults, uses of what came unasked, answers about what goes"),
    PORT_OUTPUTS(Pager, to_l2, "pages that have come, or are about to go"), PORT_END};

static const SharedRow shared[] = {{"paging", offsetof(Pager, shape)},
                                   {"host_link_gbps", offsetof(Pager, link_gbps)},
                                   SHARED(Pager, launches),
                                   SHARED_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    Pager *self = (Pager *)unit;
    self->room = 64;
    self->fault = g_new(Fault, self->room);
    self->move = g_new(Move, self->room);
    word_table_init(&self->place, 10);
    self->blocks = g_array_new(FALSE, FALSE, sizeof(Block));
    self->frame_count = self->free_frames = self->shape->pages;
    self->batch_done = self->in_done = self->out_done = TIME_NEVER;
    self->oldest = self->newest = self->first_out = self->last_out = NO_BLOCK;
    return true;
}

static void teardown(Unit *unit)
{
    Pager *self = (Pager *)unit;
    g_free(self->fault);
    g_free(self->move);
    word_table_finish(&self->place);
    if (self->blocks) g_array_unref(self->blocks);
}

Time pager_cross(Pager *self, Server *link, uint64_t pages, Time now)
{
    __extension__ typedef unsigned __int128 Wide;
    const Wide fs = (Wide)(pages * self->shape->page_bytes) * 1000000 / *self->link_gbps;
    const Time done = clock_ceil(self->unit.clock, now + self->move_latency + (Time)fs);
    server_book(link, now, done - now);
    return done;
}

void pager_tell(Pager *self, PageNews news, const Block *block, uint64_t pages, uint64_t marked,
                Time now)
{
    for (uint32_t i = 0; i < self->to_l2.count; i++) {
        PageNotice *notice = unit_new(&self->unit, MESSAGE_PAGE_NOTICE);
        notice->news = news;
        notice->block = block->number;
        notice->pages = pages;
        notice->marked = marked;
        channel_send(&self->to_l2.at[i], &notice->message, now);
    }
}

static void step(Unit *unit, Time now)
{
    Pager *self = (Pager *)unit;
    for (uint32_t k = 0; k < unit->fresh_count; k++) {
        Message *message;
        while ((message = port_take(unit->ports[unit->fresh[k]], now)))
            pager_take(self, (PageNotice *)message, now);
    }
    pager_end_batch(self, now);
    pager_end_move(self, now);
    pager_end_write(self, now);
    pager_start_batch(self, now);
    pager_make_room(self, now);
    pager_start_write(self, now);
    pager_start_move(self, now);
    const Time next = MIN(self->batch_done, MIN(self->in_done, self->out_done));
    if (next != TIME_NEVER) unit_wake_at(unit, next);
}

static bool unfinished(Unit *unit, GString *what)
{
    Pager *self = (Pager *)unit;
    const uint64_t moves = self->end_move - self->first_move;
    if (!self->fault_count && !moves && !self->leaving_pages) return false;
    g_string_append_printf(what,
                           "%" G_GUINT64_FORMAT " faults, %" G_GUINT64_FORMAT
                           " moves and %" G_GUINT64_FORMAT " leaving pages outstanding",
                           self->fault_count, moves, self->leaving_pages);
    for (uint32_t i = 0; self->leaving_pages && i < self->from_l2.count; i++)
        unit_waits_for(unit, port_sender(&self->from_l2.at[i]));
    return true;
}

const UnitClass pager_class = {
    .name = "pager",
    .summary = "pages that come from the host and go back: faults, moves, evictions",
    .per = PER_MACHINE,
    .paged = true,
    .clock = CLOCK_L2,
    .place = PLACE_SHARED,
    .path = "pager",
    .size = sizeof(Pager),
    .params = params,
    .stats = stats,
    .ports = ports,
    .shared = shared,
    .resources = resources,
    .setup = setup,
    .step = step,
    .teardown = teardown,
    .unfinished = unfinished};
