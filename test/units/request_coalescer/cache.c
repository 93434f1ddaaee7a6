/* The request coalescer's cache. */
#include "kit/gpu/access_report.h"
#include "parts/cache/evicted_tags.h"
#include "rig.h"

#define CACHE "capacity = 16 KiB; hit_latency = 20 cycles; "

static void check_served(const Rig *rig, guint hits, guint misses)
{
    ck_assert_uint_eq(unit_count(rig->unit, "hits"), hits);
    ck_assert_uint_eq(unit_count(rig->unit, "misses"), misses);
    ck_assert_uint_eq(unit_count(rig->unit, "accesses"),
                      hits + misses + unit_count(rig->unit, "merged"));
}

/* In front at 201, 20 until its data leaves, two on its path, one there. */
START_TEST(a_read_of_what_is_there_is_in_neither_network)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL}},
                         second[] = {{200, TRANSACTION_READ, 0x80, ALL}};
    g_autoptr(Rig) rig = rig_new(CACHE);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(harness_arrival(rig->sink[0], 0)->cycle, 114);
    ck_assert_uint_eq(rig->far[1]->seen->len, 0);
    const Arrived *hit = harness_arrival(rig->sink[1], 0);
    ck_assert_uint_eq(hit->cycle, 224);
    const Transaction *read = (const Transaction *)hit->message;
    ck_assert_uint_eq(read->served_by, SERVED_SHARED_L1);
    g_autofree char *stages = harness_stages(read, hit->at, rig->harness->clock);
    ck_assert_str_eq(stages, "request_wire 1 l1_tag 20 reply_transfer 2 reply_wire 1");
    check_served(rig, 1, 1);
    ck_assert_uint_eq(unit_bytes(rig->unit, "fill_bytes"), LINE);
    ck_assert_uint_eq(unit_bytes(rig->unit, "hit_bytes"), LINE);
    assert_little(rig->unit, "leaving");
}
END_TEST

/* The second read wants a sector more, and is asked for with all of its sectors. */
START_TEST(a_line_that_is_there_in_part_goes_on)
{
    static const Request reads[] = {{10, TRANSACTION_READ, 0x80, 3},
                                    {200, TRANSACTION_READ, 0x80, 7},
                                    {400, TRANSACTION_READ, 0x80, 7}};
    g_autoptr(Rig) rig = rig_new(CACHE);
    SCRIPT(rig, 0, reads);
    run(rig);
    ck_assert_uint_eq(((const Transaction *)far_side_seen(rig->far[0], 1)->message)->sectors, 7);
    check_served(rig, 1, 2);
}
END_TEST

/* Of line 0x80, which is there, the first sector is written; of line 0x100 while it is under way.
 * Both of an atomic and a store nothing is left but the other sectors. */
START_TEST(what_is_written_on_the_way_to_l2_is_no_longer_there)
{
    const TransactionType type = _i ? TRANSACTION_ATOMIC : TRANSACTION_WRITE;
    static const Request first[] = {
        {10, TRANSACTION_READ, 0x80, ALL}, {200, TRANSACTION_READ, 0x100, ALL},
        {400, TRANSACTION_READ, 0x80, 1},  {402, TRANSACTION_READ, 0x100, 1},
        {404, TRANSACTION_READ, 0x80, 14}, {406, TRANSACTION_READ, 0x100, 14}};
    const Request second[] = {{210, type, 0x80, 1}, {212, type, 0x100, 1}};
    g_autoptr(Rig) rig = rig_new(CACHE);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    check_served(rig, 2, 4);
    ck_assert_uint_eq(unit_count(rig->unit, "written_over"), 1);
    ck_assert_uint_eq(unit_bytes(rig->unit, "fill_bytes"), LINE + LINE * 3 / 4 + 2 * LINE / 4);
    ck_assert_uint_eq(unit_count(rig->unit, "tag_lookups"), 8);
}
END_TEST

/* What it brings is not kept, and what is there is not taken. */
START_TEST(a_load_that_is_to_go_to_l2_passes_the_cache)
{
    static const Request reads[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {200, TRANSACTION_READ, 0x80, ALL},
                                    {400, TRANSACTION_READ, 0x80, ALL},
                                    {600, TRANSACTION_READ, 0x80, ALL}};
    static const CacheHint hints[] = {CACHE_L2_ONLY, CACHE_STREAMING, CACHE_L2_ONLY,
                                      CACHE_READ_ONLY};
    g_autoptr(Rig) rig = rig_new(CACHE);
    rig->hints = hints;
    SCRIPT(rig, 0, reads);
    run(rig);
    ck_assert_uint_eq(rig->far[0]->seen->len, 3);
    check_served(rig, 1, 1);
    ck_assert_uint_eq(unit_count(rig->unit, "tag_lookups"), 2);
}
END_TEST

/* One set of two ways: the third line takes the place of the one that was not used since, line 0.
 * That comes back; it is one of a sample, and stands for sixteen. */
START_TEST(a_line_makes_room_for_another)
{
    static const Request reads[] = {
        {10, TRANSACTION_READ, 0x80, ALL},  {200, TRANSACTION_READ, 0, ALL},
        {400, TRANSACTION_READ, 0x80, ALL}, {600, TRANSACTION_READ, 0x180, ALL},
        {800, TRANSACTION_READ, 0x80, ALL}, {1000, TRANSACTION_READ, 0, ALL}};
    g_autoptr(Rig) rig = rig_new("capacity = 256 B; ways = 2");
    SCRIPT(rig, 0, reads);
    run(rig);
    check_served(rig, 2, 4);
    ck_assert_uint_eq(unit_count(rig->unit, "evictions"), 2);
    ck_assert_uint_eq(unit_count(rig->unit, "brought"), 4);
    ck_assert_uint_eq(unit_count(rig->unit, "brought_back"), EVICTED_SAMPLE);
}
END_TEST

/* Nobody has an entry for what comes back, so that nobody knows whether it was written since. */
START_TEST(what_nobody_could_join_is_not_kept)
{
    static const Request reads[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {11, TRANSACTION_READ, 0x100, ALL},
                                    {200, TRANSACTION_READ, 0x100, ALL}};
    g_autoptr(Rig) rig = rig_new(CACHE "entries = 1");
    SCRIPT(rig, 0, reads);
    run(rig);
    check_served(rig, 0, 3);
    ck_assert_uint_eq(unit_count(rig->unit, "overlooked"), 1);
}
END_TEST

static const struct {
    Launch launch;
    guint hits;
} starts[] = {
    {{.keep_l1 = false}, 0}, {{.keep_l1 = true}, 1}, {{.keep_l1 = true, .caches = CACHES_COLD}, 0}};

static bool start_kernel(G_GNUC_UNUSED Unit *sink, G_GNUC_UNUSED Message *message, Time now,
                         void *user)
{
    const Rig *rig = user;
    if (harness_arrivals(rig->sink[0]) > 1) return false;
    const Boundary boundary = {.at = now, .kind = BOUNDARY_KERNEL_START, .launch = rig->starts};
    rig->unit->class->boundary(rig->unit, &boundary);
    return false;
}

START_TEST(a_kernels_start_empties_it_as_it_does_l1)
{
    static const Request reads[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {200, TRANSACTION_READ, 0x80, ALL}};
    g_autoptr(Rig) rig = rig_new(CACHE);
    SCRIPT(rig, 0, reads);
    rig->starts = &starts[_i].launch;
    harness_watch(rig->sink[0], start_kernel, rig);
    run(rig);
    check_served(rig, starts[_i].hits, 2 - starts[_i].hits);
    ck_assert_uint_eq(unit_count(rig->unit, "invalidations"), 1 - starts[_i].hits);
}
END_TEST

/* Each SM has four hits in front at 301, of so many sectors; data leaves 20 later, and a cycle or
 * less on its path, and a cycle there. */
static const struct {
    const char *settings;
    uint16_t sectors;
    uint64_t cycles[8]; /* at which they are there, one SM after the other */
    guint refused;
} rates[] = {
    {CACHE "lookups = 4", 1, {323, 323, 324, 324, 324, 324, 325, 325}, 1},
    {CACHE "lookups = 1", 1, {323, 325, 327, 329, 324, 326, 328, 330}, 7},
    {CACHE "lookups = 8; data_bandwidth = 128 B/cycle",
     3,
     {323, 324, 325, 326, 324, 325, 326, 327},
     3},
};

START_TEST(so_many_are_looked_up_and_read_in_a_cycle)
{
    Request first[5] = {{10, TRANSACTION_READ, 0x80, ALL}}, second[4];
    for (guint i = 0; i < 4; i++)
        first[1 + i] = second[i] = (Request){300, TRANSACTION_READ, 0x80, rates[_i].sectors};
    g_autoptr(Rig) rig = rig_new(rates[_i].settings);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    for (guint i = 0; i < 8; i++)
        ck_assert_uint_eq(harness_arrival(rig->sink[i / 4], i % 4 + (i < 4))->cycle,
                          rates[_i].cycles[i]);
    ck_assert_uint_eq(unit_count(rig->unit, "refused_lookup"), rates[_i].refused);
    ck_assert_uint_eq(unit_booked(rig->unit, "tag_ports"), 9);
}
END_TEST

/* As old as the oldest of it: sector 0 was read at its slice at 12, sector 1 at 202. */
START_TEST(a_hit_is_reported_with_the_age_of_its_data)
{
    static const Request reads[] = {{10, TRANSACTION_READ, 0x80, 1},
                                    {200, TRANSACTION_READ, 0x80, 2},
                                    {400, TRANSACTION_READ, 0x80, 3}};
    g_autoptr(Rig) rig = rig_new(CACHE);
    Unit *monitor = harness_sink(rig->harness, "monitor");
    harness_connect(rig->harness, rig->unit, "to_monitor", monitor, "in", (Path){.delay = 1});
    SCRIPT(rig, 0, reads);
    run(rig);
    ck_assert_uint_eq(harness_arrivals(monitor), 1);
    const AccessReport *report = (const AccessReport *)harness_arrival(monitor, 0)->message;
    ck_assert_int_eq(report->kind, REPORT_HIT);
    ck_assert(report->behind_l1);
    ck_assert_uint_eq(report->line, 0x80);
    ck_assert_uint_eq(report->source, FIRST_SM);
    const Time cycle = rig->harness->clock->period;
    ck_assert_uint_eq(report->at, 401 * cycle);
    ck_assert_uint_eq(report->read_at[0], 12 * cycle);
    ck_assert_uint_eq(report->read_at[1], 202 * cycle);
    ck_assert_uint_eq(transaction_read_at(harness_transaction(rig->sink[0], 2)), 12 * cycle);
}
END_TEST

START_TEST(its_capacity_is_a_whole_number_of_sets)
{
    g_autoptr(Rig) rig = rig_new("capacity = 3 KiB");
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message,
                     "request_coalescer.capacity = 3072 B: not a whole number of sets of 16 ways "
                     "of lines of 128 B (machine.l2_line_bytes or machine.line_bytes)");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("cache");
    tcase_add_test(cases, a_read_of_what_is_there_is_in_neither_network);
    tcase_add_test(cases, a_line_that_is_there_in_part_goes_on);
    tcase_add_loop_test(cases, what_is_written_on_the_way_to_l2_is_no_longer_there, 0, 2);
    tcase_add_test(cases, a_load_that_is_to_go_to_l2_passes_the_cache);
    tcase_add_test(cases, a_line_makes_room_for_another);
    tcase_add_test(cases, what_nobody_could_join_is_not_kept);
    tcase_add_loop_test(cases, a_kernels_start_empties_it_as_it_does_l1, 0, G_N_ELEMENTS(starts));
    tcase_add_loop_test(cases, so_many_are_looked_up_and_read_in_a_cycle, 0, G_N_ELEMENTS(rates));
    tcase_add_test(cases, a_hit_is_reported_with_the_age_of_its_data);
    tcase_add_test(cases, its_capacity_is_a_whole_number_of_sets);
    return harness_run_cases("request_coalescer cache", cases);
}
