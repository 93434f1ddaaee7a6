/* L1 as a cache of global memory: hits, misses, sectors, what is cached, kernels. See rig.h for
 * the times. */
#include "rig.h"

START_TEST(second_read_of_a_line_hits)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "accesses"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "line_transactions"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "requests"), 1);
    ck_assert_uint_eq(rig->l2->seen->len, 1);
    ck_assert_uint_eq(far_side_seen(rig->l2, 0)->cycle, 10 + 1 + 4 + 1);
}
END_TEST

START_TEST(hit_and_miss_take_the_latencies_that_are_set)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + 1 + 9 + 1 + 100 + 1 + 30 + 1},
        {.at = 200, .line = 5, .back = 200 + 1 + 30 + 1}};
    g_autoptr(Rig) rig = rig_new("hit_latency = 30 cycles; miss_latency = 9 cycles", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(far_side_seen(rig->l2, 0)->cycle, 10 + 1 + 9 + 1);
}
END_TEST

START_TEST(stages_of_a_hit_and_of_a_miss_add_up)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    static const struct {
        const char *class;
        Stage stage;
        uint64_t cycles;
    } expected[] = {
        {"stages_load_l1_hit", STAGE_COALESCE, 1},  {"stages_load_l1_hit", STAGE_L1_TAG, 16},
        {"stages_load_l1_hit", STAGE_WRITEBACK, 1}, {"stages_load_l2_hit", STAGE_COALESCE, 1},
        {"stages_load_l2_hit", STAGE_L1_TAG, 4},    {"stages_load_l2_hit", STAGE_REQUEST_WIRE, 102},
        {"stages_load_l2_hit", STAGE_FILL, 16},     {"stages_load_l2_hit", STAGE_WRITEBACK, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        ck_assert_uint_eq(stage_cycles(rig, expected[i].class, expected[i].stage),
                          expected[i].cycles);
}
END_TEST

/* Line 3 is bytes 384 to 511: the second half of the second granule of 256 bytes, the first one of
 * slice 1. Line 4 is slice 0's next. */
START_TEST(a_request_knows_its_slice_and_its_place_there)
{
    static const Lookup lookups[] = {{.at = 10, .line = 3, .back = 10 + MISS},
                                     {.at = 20, .line = 4, .back = 20 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->line, 384);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->slice, 1);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->local, 128);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 0)->source, 0);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 1)->slice, 0);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 1)->local, 256);
}
END_TEST

START_TEST(one_wavefront_is_looked_up_in_an_interval)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 11, .line = 1, .back = 13 + MISS},
                                     {.at = 11, .line = 2, .back = 16 + MISS}};
    g_autoptr(Rig) rig = rig_new("lookup_interval = 3 cycles", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->stay, (2 + 5) * TIME_NS);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 3);
}
END_TEST

START_TEST(misses_leave_an_interval_apart)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 11, .line = 1, .back = 15 + MISS},
                                     {.at = 12, .line = 2, .back = 20 + MISS}};
    g_autoptr(Rig) rig = rig_new("miss_interval = 5 cycles", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l2_hit", STAGE_L1_TAG), 4 + 8 + 12);
}
END_TEST

START_TEST(several_misses_leave_in_an_interval)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 10, .stride = 8, .back = 200 + MISS},
                                     {.at = 201, .line = 5, .back = 201 + HIT},
                                     {.at = 202, .line = 20, .stride = 16, .back = 203 + MISS}};
    g_autoptr(Rig) rig = rig_new("misses_per_interval = 2; data_ports = 2", 0);
    RUN(rig, lookups);
}
END_TEST

/* Two misses are looked up together at 201; the tags are free again two intervals later. */
START_TEST(misses_of_one_look_up_hold_the_tags_for_an_interval_each)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 10, .stride = 8, .back = ANY},
                                     {.at = 201, .line = 5, .back = 210 + HIT}};
    g_autoptr(Rig) rig = rig_new("miss_interval = 5 cycles", 0);
    RUN(rig, lookups);
}
END_TEST

START_TEST(only_sectors_that_are_missing_are_requested)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xff, .back = 10 + MISS},
        {.at = 200, .line = 5, .mask = 0xffffff, .back = 200 + MISS},
        {.at = 400, .line = 5, .mask = 0xffffff, .back = 400 + HIT},
        {.at = 500, .line = 5, .back = 500 + MISS},
    };
    static const uint16_t requested[] = {1, 6, 8};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 3);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(far_side_transaction(rig->l2, i)->sectors, requested[i]);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), 4 * 32);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_requested"), 32 + 96 + 96 + 128);
}
END_TEST

/* A line that is there in part is fetched without that part. */
START_TEST(a_miss_may_fetch_the_whole_line)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xff, .back = 10 + MISS},
        {.at = 200, .line = 5, .mask = 0xff000000, .back = 200 + HIT},
        {.at = 300, .line = 6, .operation = STORES, .mask = 0xff, .back = 300 + STORE},
        {.at = 450, .line = 6, .mask = 0xff00, .back = 450 + MISS},
        {.at = 600, .line = 7, .hint = CACHE_L2_ONLY, .mask = 0xff, .back = 600 + MISS},
    };
    static const uint16_t requested[] = {15, 1, 14, 1};
    g_autoptr(Rig) rig = rig_new("fetch = line; global_allocate = yes", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 4);
    for (guint i = 0; i < 4; i++)
        ck_assert_uint_eq(far_side_transaction(rig->l2, i)->sectors, requested[i]);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), (4 + 3 + 1) * 32);
}
END_TEST

/* Sector 0 is there and sector 1 under way since 200: nothing more to ask for at 210. At 220,
 * sector 3 is neither. */
START_TEST(a_read_waits_for_the_sectors_under_way_and_takes_the_others_from_here)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xff, .back = 10 + MISS},
        {.at = 200, .line = 5, .mask = 0xff00, .back = 200 + MISS},
        {.at = 210, .line = 5, .mask = 0xffff, .back = 201 + MISS}, /* the pass after */
        {.at = 220, .line = 5, .mask = 0xff0000ff, .back = 220 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 3);
    ck_assert_uint_eq(far_side_transaction(rig->l2, 2)->sectors, 8);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
}
END_TEST

static uint64_t sector_0_is_slow(const Transaction *transaction)
{
    return transaction->sectors & 1 ? 200 : 100;
}

/* Sector 0 is under way since 10, and here at 217. At 20 only sector 1 is asked for, at 40 only
 * sector 2; at 30 and 50 nothing, as all is under way. Whoever wants sector 0 has its line with it,
 * each a pass later, and who wants sector 2 alone as soon as that is here. */
static const struct {
    uint64_t (*latency_of)(const Transaction *);
    uint64_t first, second, third, waits;
} partly[] = {
    {NULL, 10 + MISS, 20 + MISS, 21 + MISS, 0},
    {sector_0_is_slow, 110 + MISS, 111 + MISS, 112 + MISS, 217 - 127},
};

START_TEST(a_read_asks_for_what_nobody_has_asked_for_and_waits_for_the_rest)
{
    const Lookup lookups[] = {{.at = 10, .line = 5, .mask = 0xff, .back = partly[_i].first},
                              {.at = 20, .line = 5, .mask = 0xffff, .back = partly[_i].second},
                              {.at = 30, .line = 5, .mask = 0xffff, .back = partly[_i].third},
                              {.at = 40, .line = 5, .mask = 0xff0000, .back = 40 + MISS},
                              {.at = 50, .line = 5, .mask = 0xff0000, .back = 41 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->l2->latency_of = partly[_i].latency_of;
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 3);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(far_side_transaction(rig->l2, i)->sectors, 1 << i);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 2);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), 3 * 32);
    ck_assert_uint_eq(stage_cycles(rig, "stages_load_l2_hit", STAGE_PRT_WAIT), partly[_i].waits);
}
END_TEST

/* The atomic's value is here at 307, behind a hit that is written to the registers at 317. */
START_TEST(atomics_go_to_L2_and_their_values_come_back_in_order)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + MISS},
        {.at = 150, .line = 5, .operation = ATOMIC, .back = 150 + STORE},
        {.at = 200, .line = 5, .operation = ATOMIC, .mask = 0xff, .back = 300 + HIT},
        {.at = 300, .line = 5, .back = 300 + HIT},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "atomics"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "writes"), 0);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_int_eq(far_side_transaction(rig->l2, 1)->type, TRANSACTION_ATOMIC);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_atomic")->count, 2);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_to_network"), 5 * 32);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), (4 + 5) * 32);
}
END_TEST

/* Lanes 12 bytes apart: lines 1, 2 and 3 in one wavefront; the misses leave in successive cycles.
 * A store's lines are taken one a cycle. */
START_TEST(an_instruction_returns_with_its_last_line)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .back = 10 + MISS},
        {.at = 200, .line = 1, .stride = 12, .back = 201 + MISS},
        {.at = 400, .line = 4, .width = 8, .operation = STORES, .back = 401 + STORE},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 3);
    ck_assert_uint_eq(harness_arrivals(rig->notices), 1);
    ck_assert_uint_eq(heard_of(rig, 2, true), 401 + LEFT);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "line_transactions"), 1 + 3 + 2);
}
END_TEST

/* What is cached in L1, by generation: Fermi all, Kepler local and what is read only, Maxwell what
 * is read only. */
static const struct {
    const char *cached;
    bool global, read_only, local;
} modes[] = {{"cached = all", true, true, true},
             {"cached = local_only", false, false, true},
             {"cached = local_and_read_only", false, true, true},
             {"cached = read_only", false, true, false},
             {"cached = none", false, false, false}};

START_TEST(what_is_not_cached_misses_again)
{
    const uint64_t global = modes[_i].global ? HIT : MISS,
                   read_only = modes[_i].read_only ? HIT : MISS,
                   local = modes[_i].local ? HIT : MISS;
    const Lookup lookups[] = {
        {.at = 10, .line = 1, .back = 10 + MISS},
        {.at = 20, .line = 2, .hint = CACHE_READ_ONLY, .back = 20 + MISS},
        {.at = 30, .line = 3, .space = LOCAL, .back = 30 + MISS},
        {.at = 40, .line = 4, .hint = CACHE_L2_ONLY, .back = 40 + MISS},
        {.at = 50, .line = 5, .hint = CACHE_STREAMING, .back = 50 + MISS},
        {.at = 210, .line = 1, .back = 210 + global},
        {.at = 220, .line = 2, .hint = CACHE_READ_ONLY, .back = 220 + read_only},
        {.at = 230, .line = 3, .space = LOCAL, .back = 230 + local},
        {.at = 240, .line = 4, .hint = CACHE_L2_ONLY, .back = 240 + MISS},
        {.at = 250, .line = 4, .back = 241 + MISS}, /* joins, a pass later; fills nothing */
        {.at = 260, .line = 5, .hint = CACHE_STREAMING, .back = 260 + global},
        {.at = 410, .line = 4, .back = 410 + MISS}};
    g_autoptr(Rig) rig = rig_new(modes[_i].cached, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "hits"),
                      2 * modes[_i].global + modes[_i].read_only + modes[_i].local);
}
END_TEST

/* 8 KiB in 4 sets: 16 ways. A miss and a hit; the missing load reads its row when it is there. */
static const struct {
    const char *settings;
    uint64_t more, reads;
} orders[] = {{"", 0, 16 + 1 + 16},
              {"access_order = serial", 2, 1 + 1},
              {"access_order = serial; serial_latency = 4 cycles", 4, 1 + 1},
              {"access_order = serial; way_select = encoded", 3, 1 + 1},
              {"way_select = encoded", 0, 16 + 1 + 16}};

START_TEST(serial_access_takes_longer_and_reads_one_way)
{
    const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS + orders[_i].more},
                              {.at = 200, .line = 5, .back = 200 + HIT + orders[_i].more}};
    g_autofree char *settings = g_strconcat("capacity = 8 KiB; ", orders[_i].settings, NULL);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "array_reads"), orders[_i].reads);
    ck_assert_uint_eq(unit_count(rig->l1, "array_writes"), 1);
}
END_TEST

/* Who joins it comes with it where the array has no part in that, else a pass later. */
START_TEST(a_load_that_passes_L1_by_reads_no_way)
{
    for (uint32_t beside = 0; beside < 2; beside++) {
        const Lookup lookups[] = {
            {.at = 10, .line = 5, .hint = CACHE_L2_ONLY, .back = 10 + MISS},
            {.at = 20, .line = 5, .hint = CACHE_L2_ONLY, .back = 10 + MISS + !beside}};
        g_autoptr(Rig) rig = rig_new(beside ? "passing_data = beside" : "", 0);
        RUN(rig, lookups);
        ck_assert_uint_eq(unit_count(rig->l1, "array_reads"), 0);
        ck_assert_uint_eq(unit_count(rig->l1, "array_writes"), 0);
        ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), beside ? 0 : 2);
    }
}
END_TEST

/* Two ways for lines 0, 4 and 8. */
START_TEST(the_line_that_was_used_last_stays)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .back = 10 + MISS},    {.at = 200, .line = 4, .back = 200 + MISS},
        {.at = 400, .line = 0, .back = 400 + HIT},   {.at = 500, .line = 8, .back = 500 + MISS},
        {.at = 700, .line = 0, .back = 700 + HIT},   {.at = 800, .line = 4, .back = 800 + MISS},
        {.at = 1000, .line = 8, .back = 1000 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
}
END_TEST

/* The second load of line 0 joins the first, which comes later than line 4. */
START_TEST(a_load_that_joins_a_miss_uses_its_line)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .back = 10 + MISS},  {.at = 30, .line = 4, .back = 30 + MISS},
        {.at = 50, .line = 0, .back = ANY},        {.at = 400, .line = 8, .back = 400 + MISS},
        {.at = 600, .line = 0, .back = 600 + HIT}, {.at = 700, .line = 4, .back = 700 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
}
END_TEST

/* Data for eight lines, and then line 4 takes that of set 0, whose turn it is, and line 8 that of
 * set 3. */
START_TEST(a_set_with_a_free_tag_takes_the_data_of_another)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .back = 10 + MISS},     {.at = 200, .line = 1, .back = 200 + MISS},
        {.at = 400, .line = 2, .back = 400 + MISS},   {.at = 600, .line = 3, .back = 600 + MISS},
        {.at = 800, .line = 5, .back = 800 + MISS},   {.at = 1000, .line = 6, .back = 1000 + MISS},
        {.at = 1200, .line = 7, .back = 1200 + MISS}, {.at = 1400, .line = 9, .back = 1400 + MISS},
        {.at = 1600, .line = 4, .back = 1600 + MISS}, {.at = 1800, .line = 8, .back = 1800 + MISS},
        {.at = 2000, .line = 1, .back = 2000 + HIT},  {.at = 2200, .line = 4, .back = 2200 + HIT},
        {.at = 2400, .line = 7, .back = 2400 + HIT},  {.at = 2600, .line = 3, .back = 2600 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB; ways = 4", 0);
    RUN(rig, lookups);
}
END_TEST

START_TEST(a_kernel_finds_the_cache_empty_unless_it_keeps_it)
{
    static const KernelStart starts[] = {
        {.at = 150, .launch = {.keep_l1 = true, .caches = CACHES_WARM}},
        {.at = 300, .launch = {.keep_l1 = false, .caches = CACHES_WARM}},
        {.at = 600, .launch = {.keep_l1 = true, .caches = CACHES_COLD}},
    };
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .line = 5, .back = 200 + HIT},
                                     {.at = 400, .line = 5, .back = 400 + MISS},
                                     {.at = 700, .line = 5, .back = 700 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "invalidations"), 2);
}
END_TEST

/* Lines 0, 4, 8 are of one of four sets: 1 KiB has two ways, 2 KiB four. A kernel that asks for
 * another capacity finds the cache empty even if it would keep it. */
START_TEST(a_kernel_has_the_capacity_that_its_launch_says)
{
    static const KernelStart starts[] = {
        {.at = 5, .launch = {.l1_capacity = 1024, .keep_l1 = true, .caches = CACHES_WARM}},
        {.at = 900, .launch = {.l1_capacity = 2048, .keep_l1 = true, .caches = CACHES_WARM}}};
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .back = 10 + MISS},     {.at = 200, .line = 4, .back = 200 + MISS},
        {.at = 400, .line = 8, .back = 400 + MISS},   {.at = 600, .line = 0, .back = 600 + MISS},
        {.at = 800, .line = 8, .back = 800 + HIT},    {.at = 1000, .line = 8, .back = 1000 + MISS},
        {.at = 1200, .line = 4, .back = 1200 + MISS}, {.at = 1400, .line = 0, .back = 1400 + MISS},
        {.at = 1600, .line = 8, .back = 1600 + HIT}};
    g_autoptr(Rig) rig = rig_new("capacity = 4 KiB", 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, lookups);
}
END_TEST

START_TEST(settings_that_cannot_be_are_refused)
{
    static const struct {
        const char *settings, *message;
    } rows[] = {{"capacity = 1 KiB; sets = 16",
                 "l1.capacity = 1024 B: not a whole number of 16 sets of lines of 128 B "
                 "(machine.line_bytes)"},
                {"capacity = 1100 B; ways = 1",
                 "l1.capacity = 1100 B: not a whole number of lines of 128 B (machine.line_bytes)"},
                {"tag_banks = 6", "l1.tag_banks = 6: not a power of two"},
                {"data_bank_bytes = 6 B", "l1.data_bank_bytes = 6: not a power of two"},
                {"shared_bank_bytes = 6 B", "l1.shared_bank_bytes = 6: not a power of two"}};
    g_autoptr(Rig) rig = rig_new(rows[_i].settings, 0);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message, rows[_i].message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1");
    tcase_add_test(cases, second_read_of_a_line_hits);
    tcase_add_test(cases, hit_and_miss_take_the_latencies_that_are_set);
    tcase_add_test(cases, stages_of_a_hit_and_of_a_miss_add_up);
    tcase_add_test(cases, a_request_knows_its_slice_and_its_place_there);
    tcase_add_test(cases, one_wavefront_is_looked_up_in_an_interval);
    tcase_add_test(cases, misses_leave_an_interval_apart);
    tcase_add_test(cases, several_misses_leave_in_an_interval);
    tcase_add_test(cases, misses_of_one_look_up_hold_the_tags_for_an_interval_each);
    tcase_add_test(cases, only_sectors_that_are_missing_are_requested);
    tcase_add_test(cases, a_miss_may_fetch_the_whole_line);
    tcase_add_test(cases, a_read_waits_for_the_sectors_under_way_and_takes_the_others_from_here);
    tcase_add_loop_test(cases, a_read_asks_for_what_nobody_has_asked_for_and_waits_for_the_rest, 0,
                        G_N_ELEMENTS(partly));
    tcase_add_test(cases, atomics_go_to_L2_and_their_values_come_back_in_order);
    tcase_add_test(cases, an_instruction_returns_with_its_last_line);
    tcase_add_loop_test(cases, what_is_not_cached_misses_again, 0, G_N_ELEMENTS(modes));
    tcase_add_loop_test(cases, serial_access_takes_longer_and_reads_one_way, 0,
                        G_N_ELEMENTS(orders));
    tcase_add_test(cases, a_load_that_passes_L1_by_reads_no_way);
    tcase_add_test(cases, the_line_that_was_used_last_stays);
    tcase_add_test(cases, a_load_that_joins_a_miss_uses_its_line);
    tcase_add_test(cases, a_set_with_a_free_tag_takes_the_data_of_another);
    tcase_add_test(cases, a_kernel_finds_the_cache_empty_unless_it_keeps_it);
    tcase_add_test(cases, a_kernel_has_the_capacity_that_its_launch_says);
    tcase_add_loop_test(cases, settings_that_cannot_be_are_refused, 0, 5);
    return harness_run_cases("l1", cases);
}
