/* A memory-side cache between a scripted source in place of L2, a DRAM that answers after 100
 * cycles, and a sink in place of L2. All paths take a cycle. Of latencies 20 (hit) and 5 (miss):
 *     a hit   1 in + 20 + 1 out                       = 22
 *     a miss  1 in + 5 + 1 out + 100 + 1 back + 1 out = 109
 * Four sets of two ways, lines of 128 B: lines 0, 4, 8 and 12 have one set. */
#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"
#include "parts/sm/coalescer.h"

extern const UnitClass memory_cache_class;

enum { HIT = 22, MISS = 109, LINE = 128, ALL = 15 };

#define READ TRANSACTION_READ
#define WRITE TRANSACTION_WRITE

typedef struct {
    Harness *harness;
    AddressMap map;
    LineShape line;
    Unit *source, *cache, *sink;
    FarSide *dram;
    const Step *steps;
    guint count;
    const KernelStart *starts;
    guint start_count;
} Rig;

static Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (!number) announce_kernels(source, rig->starts, rig->start_count);
    if (number >= rig->count) return NULL;
    const Step *step = &rig->steps[number];
    *at = step->at * source->clock->period;
    Transaction *request = unit_new(source, MESSAGE_TRANSACTION);
    request->type = (uint8_t)step->type;
    request->line = request->local = step->address * LINE;
    request->sectors = step->sectors;
    request->partial = step->partial;
    request->message.entry = 70 + (uint32_t)number;
    transaction_enter(request, STAGE_MEMORY_WIRE, *at);
    return &request->message;
}

/* `room` in front of the scheduler; the first of so many channels of one slice. */
static Rig *rig_new_of(const char *settings, uint32_t room, uint64_t channels)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->map = (AddressMap){.granularity = 256, .slices_here = 1, .channels_here = channels};
    rig->line = (LineShape){.line_bytes = LINE, .sector_bytes = 32};
    ck_assert(address_map_setup(&rig->map, 1, NULL));
    simulation_share(h->simulation, "address_map", &rig->map);
    simulation_share(h->simulation, "line", &rig->line);
    g_autofree char *all =
        g_strconcat("capacity = 1 KiB; ways = 2; hit_latency = 20 cycles; miss_latency = 5 cycles;",
                    "data_bandwidth = 64 B/cycle;", settings, NULL);
    rig->source = harness_source(h, "source");
    rig->cache = harness_add(h, &memory_cache_class, "cache", all);
    rig->sink = harness_sink(h, "sink");
    rig->dram = far_side_add(h, rig->cache, "to_scheduler", "from_dram", room);
    harness_connect(h, rig->source, "out", rig->cache, "from_l2", (Path){.capacity = 16});
    harness_connect(h, rig->cache, "to_l2", rig->sink, "in", (Path){.capacity = 0});
    return rig;
}

static Rig *rig_new(const char *settings, uint32_t room)
{
    return rig_new_of(settings, room, 1);
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig, const Step *steps, guint count)
{
    rig->steps = steps;
    rig->count = count;
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
}

static uint64_t cycle_of(const Rig *rig, uint64_t reply)
{
    return harness_arrival(rig->sink, reply)->cycle;
}

static uint64_t count(const Rig *rig, const char *name)
{
    return unit_count(rig->cache, name);
}

/* What came n-th to DRAM. */
static void expect_at_dram(const Rig *rig, guint n, TransactionType type, uint64_t line,
                           uint16_t sectors)
{
    const Transaction *request = far_side_transaction(rig->dram, n);
    ck_assert_int_eq(request->type, type);
    ck_assert_uint_eq(request->local, line * LINE);
    ck_assert_uint_eq(request->sectors, sectors);
}

START_TEST(a_line_that_was_read_is_there)
{
    static const Step steps[] = {{10, READ, 0, 3, 0}, {200, READ, 0, 3, 0}, {300, READ, 0, 4, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 3);
    ck_assert_uint_eq(cycle_of(rig, 0), 10 + MISS);
    ck_assert_uint_eq(cycle_of(rig, 1), 200 + HIT);
    ck_assert_uint_eq(cycle_of(rig, 2), 300 + MISS); /* a sector that nobody has read */
    ck_assert_uint_eq(rig->dram->seen->len, 2);
    expect_at_dram(rig, 0, READ, 0, 3);
    expect_at_dram(rig, 1, READ, 0, 4);
    ck_assert_int_eq(harness_transaction(rig->sink, 0)->served_by, SERVED_DRAM);
    ck_assert_int_eq(harness_transaction(rig->sink, 1)->served_by, SERVED_MEMORY_CACHE);
    ck_assert_uint_eq(harness_transaction(rig->sink, 1)->message.entry, 71);
    ck_assert_uint_eq(count(rig, "accesses"), 3);
    ck_assert_uint_eq(count(rig, "read_hits"), 1);
    ck_assert_uint_eq(count(rig, "misses"), 2);
    ck_assert_uint_eq(unit_bytes(rig->cache, "bytes_filled"), 96);
    ck_assert_uint_eq(unit_bytes(rig->cache, "bytes_read"), 64);
    ck_assert_uint_eq(unit_bytes(rig->cache, "bytes_forwarded"), 96);
}
END_TEST

START_TEST(stages_say_where_hit_and_miss_spent_their_time)
{
    static const Step steps[] = {{10, READ, 0, 1, 0}, {200, READ, 0, 1, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 2);
    const Clock *clock = rig->harness->clock;
    for (guint i = 0; i < 2; i++) {
        const Arrived *reply = harness_arrival(rig->sink, i);
        g_autofree char *stages =
            harness_stages((const Transaction *)reply->message, reply->at, clock);
        ck_assert_str_eq(stages, i ? "memory_wire 1 memory_cache 20 memory_wire 1"
                                   : "memory_wire 1 memory_cache 5 memory_wire 103");
    }
}
END_TEST

/* The second wants no more than is under way, the third a sector more, the fourth of both. */
START_TEST(reads_of_what_is_under_way_wait_for_it)
{
    static const Step steps[] = {
        {10, READ, 0, 3, 0}, {20, READ, 0, 1, 0}, {30, READ, 0, 6, 0}, {40, READ, 0, 5, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 4);
    ck_assert_uint_eq(rig->dram->seen->len, 2);
    expect_at_dram(rig, 1, READ, 0, 4);
    ck_assert_uint_eq(cycle_of(rig, 0), 10 + MISS);
    ck_assert_uint_eq(cycle_of(rig, 1), 10 + MISS);
    ck_assert_uint_eq(cycle_of(rig, 2), 30 + MISS);
    ck_assert_uint_eq(cycle_of(rig, 3), 30 + MISS);
    ck_assert_uint_eq(count(rig, "merged"), 2);
    ck_assert_uint_eq(count(rig, "fetches"), 2);
}
END_TEST

/* Three lines of one set of two: the least recently used goes, and its written sectors to DRAM. */
START_TEST(what_l2_wrote_stays_until_its_line_goes)
{
    static const Step steps[] = {{10, WRITE, 0, 3, 0},    {100, READ, 4, ALL, 0},
                                 {300, READ, 0, 3, 0},    {400, READ, 8, ALL, 0},
                                 {600, READ, 12, ALL, 0}, {800, READ, 0, 3, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 6);
    ck_assert_uint_eq(cycle_of(rig, 0), 10 + HIT); /* the acknowledgement */
    ck_assert_uint_eq(cycle_of(rig, 2), 300 + HIT);
    ck_assert_uint_eq(rig->dram->seen->len, 5);
    expect_at_dram(rig, 0, READ, 4, ALL);
    expect_at_dram(rig, 1, READ, 8, ALL); /* in place of line 4 */
    expect_at_dram(rig, 2, WRITE, 0, 3);  /* ... 0 */
    expect_at_dram(rig, 3, READ, 12, ALL);
    expect_at_dram(rig, 4, READ, 0, 3);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 6);
    ck_assert_uint_eq(count(rig, "write_backs"), 1);
    ck_assert_uint_eq(unit_bytes(rig->cache, "bytes_written"), 64);
    ck_assert_uint_eq(unit_bytes(rig->cache, "bytes_written_back"), 64);
}
END_TEST

/* Sector 0 is written in part: if it is there the line takes it, else all goes on to DRAM. */
START_TEST(a_part_of_a_sector_that_is_not_here_goes_on)
{
    static const Step steps[] = {{10, WRITE, 0, 3, 1},
                                 {200, READ, 0, 2, 0},
                                 {400, READ, 0, 1, 0},
                                 {600, WRITE, 0, 3, 1},
                                 {700, READ, 0, 3, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 5);
    ck_assert_uint_eq(cycle_of(rig, 0), 10 + MISS);
    ck_assert_uint_eq(harness_transaction(rig->sink, 0)->message.entry, 70);
    ck_assert_uint_eq(cycle_of(rig, 3), 600 + HIT);
    ck_assert_uint_eq(cycle_of(rig, 4), 700 + HIT);
    ck_assert_uint_eq(rig->dram->seen->len, 3);
    expect_at_dram(rig, 0, WRITE, 0, 3);
    expect_at_dram(rig, 1, READ, 0, 2); /* the line was not there */
    expect_at_dram(rig, 2, READ, 0, 1);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 0)->partial, 1);
    ck_assert_uint_eq(count(rig, "passed"), 1);
}
END_TEST

/* With `reads` a write does not bring a line, with `writes` a read does not. */
START_TEST(only_some_requests_bring_lines)
{
    static const Step steps[] = {
        {10, WRITE, 0, ALL, 0}, {200, READ, 0, 1, 0}, {400, READ, 1, 1, 0}, {600, READ, 1, 1, 0}};
    g_autoptr(Rig) reads = rig_new("allocate = reads", 16);
    run(reads, steps, 4);
    ck_assert_uint_eq(cycle_of(reads, 0), 10 + MISS);
    ck_assert_uint_eq(cycle_of(reads, 1), 200 + MISS);
    ck_assert_uint_eq(cycle_of(reads, 3), 600 + HIT);
    g_autoptr(Rig) writes = rig_new("allocate = writes", 16);
    run(writes, steps, 4);
    ck_assert_uint_eq(cycle_of(writes, 0), 10 + HIT);
    ck_assert_uint_eq(cycle_of(writes, 1), 200 + HIT);
    ck_assert_uint_eq(cycle_of(writes, 3), 600 + MISS);
}
END_TEST

/* A port reads 64 B a cycle, the tags are looked up each cycle: of lines of 128 B every second one
 * leaves; writes have a port of their own. */
START_TEST(hits_leave_as_fast_as_the_port_reads)
{
    static const Step steps[] = {{10, READ, 0, ALL, 0},   {300, READ, 0, ALL, 0},
                                 {300, READ, 0, ALL, 0},  {300, READ, 0, ALL, 0},
                                 {300, WRITE, 1, ALL, 0}, {300, READ, 0, ALL, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 6);
    ck_assert_uint_eq(cycle_of(rig, 1), 300 + HIT);
    ck_assert_uint_eq(cycle_of(rig, 2), 300 + HIT + 2);
    ck_assert_uint_eq(cycle_of(rig, 3), 300 + HIT + 3); /* the write's acknowledgement */
    ck_assert_uint_eq(cycle_of(rig, 4), 300 + HIT + 4);
    ck_assert_uint_eq(cycle_of(rig, 5), 300 + HIT + 6);
}
END_TEST

/* The first one's reply, so long behind it those of others that come together: look-ups have their
 * share of the interval, reads of the ports' time. */
static const struct {
    const char *settings;
    uint16_t sectors;
    uint64_t after[4];
} side_by_side[] = {
    {"lookups_per_interval = 2; data_ports = 2", 1, {0, 0, 1, 1}},
    {"lookups_per_interval = 2; lookup_interval = 3 cycles", 1, {0, 1, 3, 4}},
    {"lookups_per_interval = 3; data_ports = 2", ALL, {0, 1, 2, 3}},
    {"lookups_per_interval = 64; data_ports = 64", ALL, {0, 0, 0, 0}},
};

START_TEST(several_requests_are_looked_up_and_read_side_by_side)
{
    enum { READS = G_N_ELEMENTS(side_by_side[0].after) };
    for (guint i = 0; i < G_N_ELEMENTS(side_by_side); i++) {
        Step steps[1 + READS] = {{10, WRITE, 0, ALL, 0}};
        for (guint k = 1; k <= READS; k++)
            steps[k] = (Step){100, READ, 0, side_by_side[i].sectors, 0};
        g_autoptr(Rig) rig = rig_new(side_by_side[i].settings, 16);
        run(rig, steps, 1 + READS);
        for (guint k = 0; k < READS; k++)
            ck_assert_uint_eq(cycle_of(rig, 1 + k), 100 + HIT + side_by_side[i].after[k]);
        ck_assert_uint_eq(unit_booked(rig->cache, "look_ups"),
                          (1 + READS) * unit_number(rig->cache, "lookup_interval", PARAM_CYCLES));
        ck_assert_uint_eq(unit_booked(rig->cache, "read_port"), unit_busy(rig->cache, "read_busy"));
    }
}
END_TEST

/* Two fetches at most; the third begins when the first is back, at 10 + 1 + 5 + 1 + 100 + 1. */
START_TEST(a_full_table_holds_up_the_next_miss)
{
    static const Step steps[] = {
        {10, READ, 0, 1, 0}, {10, READ, 1, 1, 0}, {10, READ, 2, 1, 0}, {10, READ, 0, 1, 0}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 2", 16);
    run(rig, steps, 4);
    ck_assert_uint_eq(far_side_seen(rig->dram, 2)->cycle, 118 + 5 + 1);
    ck_assert_uint_eq(count(rig, "refused_pending"), 1);
    ck_assert_uint_eq(cycle_of(rig, 2), 119 + 20 + 1); /* a hit behind it, a look-up later */
}
END_TEST

/* Both ways of the first set are being filled. */
START_TEST(a_set_that_is_being_filled_has_no_room)
{
    static const Step steps[] = {{10, READ, 0, 1, 0}, {11, READ, 4, 1, 0}, {12, READ, 8, 1, 0}};
    g_autoptr(Rig) rig = rig_new("", 16);
    run(rig, steps, 3);
    ck_assert_uint_eq(far_side_seen(rig->dram, 2)->cycle, 118 + 5 + 1);
    ck_assert_uint_eq(count(rig, "refused_set"), 1);
}
END_TEST

/* One place in front of the scheduler, whose credit takes a cycle: a line's victim goes first. */
START_TEST(a_full_scheduler_holds_up_what_needs_it)
{
    static const Step steps[] = {
        {10, WRITE, 0, 1, 0}, {11, WRITE, 4, 1, 0}, {100, READ, 8, 1, 0}, {300, READ, 8, 1, 0}};
    g_autoptr(Rig) rig = rig_new("", 1);
    run(rig, steps, 4);
    expect_at_dram(rig, 0, WRITE, 0, 1);
    expect_at_dram(rig, 1, READ, 8, 1);
    ck_assert_uint_eq(far_side_seen(rig->dram, 0)->cycle, 107);
    ck_assert_uint_gt(far_side_seen(rig->dram, 1)->cycle, 108);
    ck_assert_uint_eq(count(rig, "refused_scheduler"), 1);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 4);
}
END_TEST

/* Warm: nothing is dirty any more; cold: nothing is there, and what is under way fills nothing. */
START_TEST(kernels_find_it_as_they_find_l2)
{
    static const Step steps[] = {
        {10, WRITE, 0, 1, 0}, {150, READ, 4, 1, 0}, {400, READ, 4, 1, 0}, {600, READ, 0, 1, 0}};
    const KernelStart cold[] = {{.at = 200, .launch = {.caches = CACHES_COLD}}};
    g_autoptr(Rig) emptied = rig_new("", 16);
    emptied->starts = cold;
    emptied->start_count = 1;
    run(emptied, steps, 4);
    ck_assert_uint_eq(cycle_of(emptied, 1), 150 + MISS);
    ck_assert_uint_eq(cycle_of(emptied, 2), 400 + MISS);
    ck_assert_uint_eq(cycle_of(emptied, 3), 600 + MISS);
    static const Step further[] = {
        {10, WRITE, 0, 1, 0}, {400, READ, 4, 1, 0}, {600, READ, 8, 1, 0}, {800, READ, 0, 1, 0}};
    const KernelStart warm[] = {{.at = 200, .launch = {.caches = CACHES_WARM}}};
    g_autoptr(Rig) cleaned = rig_new("", 16);
    cleaned->starts = warm;
    cleaned->start_count = 1;
    run(cleaned, further, 4);
    ck_assert_uint_eq(count(cleaned, "write_backs"), 0);
    ck_assert_uint_eq(cycle_of(cleaned, 3), 800 + MISS);
}
END_TEST

/* Of two channels each has every second chunk of 256 B: of the first 512 B lines 0 and 1. What is
 * evicted is known by its own address. */
START_TEST(a_copy_of_the_list_is_there_where_its_channel_has_it)
{
    static const MemoryCopy copy = {0, 512};
    static const Step steps[] = {{10, READ, 8, 1, 0},  {200, READ, 0, 1, 0},  {300, READ, 1, 1, 0},
                                 {400, READ, 2, 1, 0}, {600, WRITE, 3, 1, 0}, {700, READ, 7, 1, 0},
                                 {900, READ, 11, 1, 0}};
    const KernelStart start[] = {
        {.at = 150, .launch = {.caches = CACHES_DIRTY, .copies = &copy, .copy_count = 1}}};
    g_autoptr(Rig) rig = rig_new_of("", 16, 2);
    rig->starts = start;
    rig->start_count = 1;
    run(rig, steps, 7);
    ck_assert_uint_eq(cycle_of(rig, 1), 200 + HIT);
    ck_assert_uint_eq(cycle_of(rig, 2), 300 + HIT);
    ck_assert_uint_eq(cycle_of(rig, 3), 400 + MISS);
    expect_at_dram(rig, 3, WRITE, 3, 1);
    ck_assert_uint_eq(far_side_transaction(rig->dram, 3)->line, 512 + 128);
}
END_TEST

/* It takes 128 cycles a line, or two lines side by side. Lines come at 118, 119 and 120; each that
 * finds more than 20 cycles' work in front of it waits until it is that. */
START_TEST(what_comes_waits_for_the_write_port)
{
    static const Step steps[] = {
        {10, READ, 0, ALL, 0}, {10, READ, 1, ALL, 0}, {10, READ, 2, ALL, 0}};
    static const char *const settings[] = {"data_bandwidth = 1 B/cycle",
                                           "data_bandwidth = 1 B/cycle; data_ports = 2"};
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++) {
        g_autoptr(Rig) rig = rig_new(settings[i], 16);
        const uint64_t line = 128 / (i + 1);
        run(rig, steps, 3);
        ck_assert_uint_eq(cycle_of(rig, 0), 10 + MISS);
        ck_assert_uint_eq(cycle_of(rig, 1), 118 + line - 20 + 1);
        ck_assert_uint_eq(cycle_of(rig, 2), 118 + 2 * line - 20 + 1);
        ck_assert_uint_eq(unit_busy(rig->cache, "write_busy"), 3 * 128);
    }
}
END_TEST

/* Lines that were only read. */
START_TEST(what_is_not_kept_waits_for_no_port)
{
    static const Step steps[] = {{10, READ, 0, ALL, 0}, {10, READ, 1, ALL, 0}};
    g_autoptr(Rig) rig = rig_new("data_bandwidth = 1 B/cycle; allocate = writes", 16);
    run(rig, steps, 2);
    ck_assert_uint_eq(cycle_of(rig, 0), 10 + MISS);
    ck_assert_uint_eq(cycle_of(rig, 1), 11 + MISS);
}
END_TEST

/* 2 KiB take all eight places: two written sectors of line 0 and one of line 4. */
START_TEST(a_copy_drops_what_was_written)
{
    static const MemoryCopy copy = {2048, 2048};
    static const Step steps[] = {{10, WRITE, 0, 3, 0}, {11, WRITE, 4, 1, 0}, {200, READ, 31, 1, 0}};
    const KernelStart start[] = {
        {.at = 100, .launch = {.caches = CACHES_DIRTY, .copies = &copy, .copy_count = 1}}};
    g_autoptr(Rig) rig = rig_new("", 16);
    rig->starts = start;
    rig->start_count = 1;
    run(rig, steps, 3);
    ck_assert_uint_eq(cycle_of(rig, 2), 200 + HIT);
    ck_assert_uint_eq(unit_bytes(rig->cache, "bytes_replaced"), 96);
    ck_assert_uint_eq(rig->dram->seen->len, 0);
}
END_TEST

HARNESS_MAIN("memory_cache", a_copy_drops_what_was_written, what_comes_waits_for_the_write_port,
             what_is_not_kept_waits_for_no_port, a_line_that_was_read_is_there,
             stages_say_where_hit_and_miss_spent_their_time, reads_of_what_is_under_way_wait_for_it,
             what_l2_wrote_stays_until_its_line_goes, a_part_of_a_sector_that_is_not_here_goes_on,
             only_some_requests_bring_lines, hits_leave_as_fast_as_the_port_reads,
             several_requests_are_looked_up_and_read_side_by_side,
             a_full_table_holds_up_the_next_miss, a_set_that_is_being_filled_has_no_room,
             a_full_scheduler_holds_up_what_needs_it, kernels_find_it_as_they_find_l2,
             a_copy_of_the_list_is_there_where_its_channel_has_it)
