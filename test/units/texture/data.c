/* Loads of memory instructions in the texture unit: how many turns their lanes take, in which order
 * they return, what they share with texels. */
#include "data_rig.h"
#include "parts/cache/evicted_tags.h"

enum { LOADS = 20, WARM = 400 };

/* --- rates ------------------------------------------------------------------------------------ */

typedef struct {
    const char *what;
    const char *settings;
    Lookup load;
    uint64_t turns; /* cycles from one such load to the next, all of them hits */
} Rate;

#define ALL .mask = UINT32_MAX
#define WAVE .mask = UINT64_MAX

static const Rate rates[] = {
    {"16 neighbours: a cycle, 64 B", "", {.line = 0}, 1},
    {"32 neighbours", "", {ALL}, 2},
    {"not on a line's first byte: two lines a cycle", "", {.offset = 16, ALL}, 2},
    {"doubles: 4 lanes a cycle, 32 B", "", {.width = 8, ALL}, 8},
    {"16 B a lane: 4 lanes a cycle, 64 B", "", {.width = 16, ALL}, 8},
    {"a line a lane", "", {.stride = 64, ALL}, 8},
    {"one address: as neighbours", "", {.stride = SAME, ALL}, 2},
    {"one address of a wave's doubles: four lanes", "", {.width = 8, .stride = SAME, WAVE}, 16},
    {"active lanes far apart, in blocks of four", "", {.stride = 64, .mask = 0x8021}, 3},
    {"fewer lanes that are coalesced", "coalesced_lanes = 8", {ALL}, 4},
    {"fewer lanes that are not", "scattered_lanes = 2", {.width = 8, ALL}, 16},
    {"128 B over 32 B a cycle to the registers", "return_bytes = 32 B/cycle", {ALL}, 4},
    {"a look-up a cycle", "tag_lines = 1", {.stride = 64, ALL}, 32},
    {"a line read in a cycle", "data_lines = 1", {.stride = 64, ALL}, 32},
    {"two turns a cycle", "quads = 2; return_bytes = 128 B/cycle", {ALL}, 1},
    /* a wave of 64 lanes on GCN: 64 B a cycle of floats and of 16-byte values, 32 B of doubles; one
     * MI100 CU reads 47, 57 and 31 (te42kyfo/gpu-benches, gpu-cache, 16 kB at 1502 MHz) */
    {"a wave's floats: 256 B", "", {WAVE}, 4},
    {"a wave's doubles: 512 B", "", {.width = 8, WAVE}, 16},
    {"a wave's 16-byte values: 1 KiB", "", {.width = 16, WAVE}, 16},
    {"a wave's scattered floats", "", {.stride = 64, WAVE}, 16},
    {"local memory: 16 words a cycle", "", {.space = SPACE_LOCAL, ALL}, 2},
    {"local memory: 4 lines a cycle",
     "tag_lines = 16; data_lines = 16",
     {.space = SPACE_LOCAL, .stride = 64, ALL},
     8},
    {"local memory: a line's words in several cycles",
     "coalesced_lanes = 8",
     {.space = SPACE_LOCAL, ALL},
     4},
};

START_TEST(lanes_take_as_many_turns_as_their_addresses_say)
{
    const Rate *rate = &rates[_i];
    Lookup loads[1 + LOADS];
    for (guint i = 0; i <= LOADS; i++) {
        loads[i] = rate->load;
        loads[i].at = i ? WARM : 10;
    }
    g_autoptr(Rig) rig = rig_new(rate->settings, 0);
    RUN(rig, loads);
    const uint64_t took = came_back(rig, LOADS) - came_back(rig, 1);
    ck_assert_msg(took == (LOADS - 1) * rate->turns, "%s: %d loads in %" G_GUINT64_FORMAT " cycles",
                  rate->what, LOADS - 1, took);
    ck_assert_uint_eq(unit_booked(rig->texture, "return_port"),
                      unit_bytes(rig->texture, "bytes_data")
                          / unit_number(rig->texture, "return_bytes", PARAM_BANDWIDTH));
}
END_TEST

/* --- latency and order ------------------------------------------------------------------------ */

/* The second group of 32 lanes is a cycle behind the first, as is its fill: 2 cycles a line. */
START_TEST(a_load_is_back_when_its_last_group_is)
{
    static const Lookup loads[] = {{.at = 10, .back = 10 + MISS},
                                   {.at = 200, .back = 200 + HIT},
                                   {.at = 300, ALL, .line = 8, .back = 300 + MISS + 2},
                                   {.at = 500, ALL, .line = 8, .back = 500 + HIT + 1}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, loads);
    ck_assert_uint_eq(unit_count(rig->texture, "data_instructions"), 4);
    ck_assert_uint_eq(unit_count(rig->texture, "data_groups"), 6);
    ck_assert_uint_eq(unit_count(rig->texture, "data_misses"), 3);
    ck_assert_uint_eq(unit_count(rig->texture, "data_hits"), 3);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_data"), 2 * 64 + 2 * 128);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_from_network"), 3 * 64);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_data_hit")->count, 3);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_data_l2_hit")->count, 3);
}
END_TEST

static uint64_t slow_line_0(const Transaction *transaction)
{
    return transaction->virtual_line ? 50 : 300;
}

/* The second has its data at 74 and the third hits; they wait for the first, and then for the fill
 * of the second, two cycles each, and for the way to the registers, a cycle. */
START_TEST(loads_return_in_order)
{
    static const Lookup loads[] = {{.at = 10, .line = 0, .back = 10 + MISS + 200},
                                   {.at = 11, .line = 1, .back = 10 + MISS + 200 + 2},
                                   {.at = 12, .line = 0, .back = 10 + MISS + 200 + 3}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    rig->memory->latency_of = slow_line_0;
    RUN(rig, loads);
    ck_assert_uint_eq(unit_count(rig->texture, "held_out_of_order"), 1);
    ck_assert_uint_eq(rig->memory->seen->len, 2);
}
END_TEST

START_TEST(a_request_says_whose_load_it_is)
{
    static const Lookup loads[] = {
        {.at = 10, .line = 4, .mask = 0xff, .hint = CACHE_STREAMING},
        {.at = 20, .line = 6, .space = SPACE_LOCAL, .hint = CACHE_READ_ONLY}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, loads);
    const Transaction *global = far_side_transaction(rig->memory, 0),
                      *local = far_side_transaction(rig->memory, 1);
    ck_assert_uint_eq(global->virtual_line, 4 * 64);
    ck_assert_uint_eq(global->sectors, 1);
    ck_assert_uint_eq(global->space, SPACE_GLOBAL);
    ck_assert_uint_eq(global->hint, CACHE_STREAMING);
    ck_assert_uint_eq(local->space, SPACE_LOCAL);
    ck_assert_uint_eq(local->hint, CACHE_READ_ONLY);
}
END_TEST

/* Its stages: 1 to the unit, 10 addresses, 2 + 100 at L2 and on the way, 2 filled, 20 to the
 * registers. */
START_TEST(stages_add_up_to_the_latency_of_a_group)
{
    static const Lookup loads[] = {{.at = 10, .back = 10 + MISS}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, loads);
    const StageSums *sums = unit_stages(rig->texture, "stages_data_l2_hit");
    ck_assert_uint_eq(sums->latency, (MISS - 1) * TIME_NS);
    ck_assert_uint_eq(sums->stage[STAGE_TEXTURE_TAG], 10 * TIME_NS);
    ck_assert_uint_eq(sums->stage[STAGE_REORDER], 2 * TIME_NS);
    ck_assert_uint_eq(sums->stage[STAGE_FILTER], 20 * TIME_NS);
}
END_TEST

/* Four ways for five lines: each is evicted and comes back; line 0 is of the sample. */
START_TEST(a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for)
{
    Lookup loads[10];
    for (guint i = 0; i < G_N_ELEMENTS(loads); i++)
        loads[i] = (Lookup){.at = 10 + 200 * i, .line = i % 5, .back = 10 + 200 * i + MISS};
    g_autoptr(Rig) rig = rig_new("sets = 1; capacity = 256 B", 0);
    RUN(rig, loads);
    ck_assert_uint_eq(unit_count(rig->texture, "brought"), 10);
    ck_assert_uint_eq(unit_count(rig->texture, "brought_back"), EVICTED_SAMPLE);
}
END_TEST

/* --- past the cache --------------------------------------------------------------------------- */

/* The third does not find what the first has brought, and takes it away. */
START_TEST(a_load_past_the_cache_goes_to_L2_and_leaves_nothing)
{
    static const Lookup loads[] = {{.at = 10, .back = 10 + MISS},
                                   {.at = 200, .back = 200 + HIT},
                                   {.at = 300, .hint = CACHE_L2_ONLY, .back = 300 + MISS},
                                   {.at = 500, .back = 500 + MISS},
                                   {.at = 700, .hint = CACHE_L2_ONLY, .line = 3},
                                   {.at = 900, .line = 3, .back = 900 + MISS}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, loads);
    ck_assert_uint_eq(unit_count(rig->texture, "past_cache"), 2);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_dropped"), 1);
}
END_TEST

/* --- texels and data -------------------------------------------------------------------------- */

START_TEST(texels_and_data_hit_what_the_other_has_brought)
{
    static const Lookup lookups[] = {{.at = 10, .operation = TEXEL, .line = 2},
                                     {.at = 200, .line = 2, .mask = 0xff, .back = 200 + HIT},
                                     {.at = 300, .line = 5},
                                     {.at = 500, .operation = TEXEL, .line = 5, .back = 532}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), 2);
    ck_assert_uint_eq(unit_count(rig->texture, "data_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_level_0"), 2);
}
END_TEST

/* One set of four lines, the least recently used goes: 4 takes the place of 0, 0 that of 1, and 1
 * that of 3. */
START_TEST(texels_and_data_evict_each_other)
{
    static const Lookup lookups[] = {
        {.at = 10, .operation = TEXEL, .line = 0},   {.at = 200, .operation = TEXEL, .line = 1},
        {.at = 400, .line = 2, .back = 400 + MISS},  {.at = 600, .line = 3, .back = 600 + MISS},
        {.at = 800, .line = 4, .back = 800 + MISS},  {.at = 1000, .operation = TEXEL, .line = 0},
        {.at = 1200, .line = 2, .back = 1200 + HIT}, {.at = 1300, .operation = TEXEL, .line = 1},
        {.at = 1500, .line = 3, .back = 1500 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 256 B; sets = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "data_misses"), 4);
    ck_assert_uint_eq(unit_count(rig->texture, "misses"), 8);
}
END_TEST

/* All wait at 11; in turns an instruction each, a texture instruction first. */
START_TEST(texture_and_memory_instructions_take_turns)
{
    static Lookup lookups[9];
    for (guint i = 0; i < G_N_ELEMENTS(lookups); i++)
        lookups[i] =
            (Lookup){.at = i ? 300 : 10, .operation = i && i % 2 ? TEXEL : LOAD, .mask = 0xff};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, lookups);
    for (guint i = 1; i < G_N_ELEMENTS(lookups); i++)
        ck_assert_uint_eq(came_back(rig, i), 300 + HIT + i - 1);
}
END_TEST

/* --- L1 as the cache -------------------------------------------------------------------------- */

START_TEST(where_L1_is_the_cache_memory_instructions_go_on_to_it)
{
    static const Lookup lookups[] = {{.at = 10, .space = SPACE_TEXTURE},
                                     {.at = 20, .space = SPACE_TEXTURE, .operation = STORES}};
    g_autoptr(Rig) rig = rig_new("cache = l1", 0);
    RUN(rig, lookups);
    for (uint64_t i = 0; i < 2; i++) {
        const Arrived *arrived = harness_arrival(rig->l1, i);
        ck_assert_uint_eq(arrived->cycle, 12 + 10 * i);
        ck_assert_uint_eq(((const WarpAccess *)arrived->message)->lines, 1);
    }
    ck_assert_uint_eq(rig->memory->seen->len, 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_data");
    tcase_add_loop_test(cases, lanes_take_as_many_turns_as_their_addresses_say, 0,
                        G_N_ELEMENTS(rates));
    tcase_add_test(cases, a_load_is_back_when_its_last_group_is);
    tcase_add_test(cases, loads_return_in_order);
    tcase_add_test(cases, a_request_says_whose_load_it_is);
    tcase_add_test(cases, stages_add_up_to_the_latency_of_a_group);
    tcase_add_test(cases,
                   a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for);
    tcase_add_test(cases, a_load_past_the_cache_goes_to_L2_and_leaves_nothing);
    tcase_add_test(cases, texels_and_data_hit_what_the_other_has_brought);
    tcase_add_test(cases, texels_and_data_evict_each_other);
    tcase_add_test(cases, texture_and_memory_instructions_take_turns);
    tcase_add_test(cases, where_L1_is_the_cache_memory_instructions_go_on_to_it);
    return harness_run_cases("texture_data", cases);
}
