/* Shared memory in L1's array: passes, replays, what goes in between. See rig.h for the times.
 * The first pass is served at 11; without another setting the second 2 cycles later, and from then
 * on one every 2. */
#include "rig.h"

/* --- bank conflicts --------------------------------------------------------------------------- */

/* Lanes `ways` words apart share a bank `ways` at a time: base + replay_latency +
 * (ways - 2) x replay_interval. */
static const struct {
    const char *settings;
    uint32_t ways;
    uint64_t more;
} conflicts[] = {
    {"", 1, 0},
    {"", 2, 2},
    {"", 4, 2 + 2 * 2},
    {"", 8, 2 + 6 * 2},
    {"", 16, 2 + 14 * 2},
    {"", 32, 2 + 30 * 2},
    {"replay_latency = 28 cycles; replay_interval = 14 cycles", 1, 0},
    {"replay_latency = 28 cycles; replay_interval = 14 cycles", 2, 28},
    {"replay_latency = 28 cycles; replay_interval = 14 cycles", 4, 28 + 2 * 14},
    {"replay_latency = 28 cycles; replay_interval = 14 cycles", 32, 28 + 30 * 14},
    {"replay_latency = 1 cycle; replay_interval = 1 cycle", 32, 31},
};

START_TEST(an_N_way_conflict_takes_N_passes)
{
    const uint32_t ways = conflicts[_i].ways;
    const Lookup lookups[] = {{.at = 10,
                               .space = IN_SHARED,
                               .stride = 4 * (int64_t)ways,
                               .back = 10 + SHARED_HIT + conflicts[_i].more}};
    g_autoptr(Rig) rig = rig_new(conflicts[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_accesses"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_passes"), ways);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), ways);
    ck_assert_uint_eq(unit_count(rig->l1, "conflict_cycles"), ways - 1);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_reads"), ways);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_writes"), 0);
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), ways - 1);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->stay, conflicts[_i].more * TIME_NS);
    ck_assert_uint_eq(stage_cycles(rig, "stages_shared", STAGE_REPLAY), conflicts[_i].more);
    ck_assert_uint_eq(stage_cycles(rig, "stages_shared", STAGE_L1_TAG), 9);
    ck_assert_uint_eq(rig->l2->seen->len, 0);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 0);
}
END_TEST

/* What lanes want, and the passes that it takes; 2 cycles for each beyond the first. */
static uint64_t two_of_a_bank[32];
/* Of 16 B: lanes 2n and 2n + 1; 4n and 4n + 2, 4n + 1 and 4n + 3; the first, but for one. */
static uint64_t pairs[32], pairs_apart[32], pairs_but_one[32];

static const struct {
    const char *settings;
    Lookup lookup;
    uint32_t passes;
} patterns[] = {
    {"", {.stride = SAME}, 1},              /* a broadcast */
    {"", {.stride = 12}, 1},                /* odd in words: every bank once */
    {"", {.stride = 128, .mask = 1}, 1},    /* one lane: nobody to conflict with */
    {"", {.stride = 128, .mask = 0x41}, 2}, /* two lanes of one bank */
    {"", {.stride = 128, .mask = 0xfe00}, 7},
    {"", {.addresses = two_of_a_bank}, 2},
    {"", {.width = 8}, 2}, /* 16 lanes a pass */
    {"", {.width = 8, .mask = 0xffff}, 1},
    {"", {.width = 16}, 4},
    {"", {.width = 8, .stride = 16}, 4},
    {"", {.width = 1, .stride = 1}, 1},
    {"shared_bank_bytes = 8 B", {.stride = 8}, 1}, /* Kepler: two words a bank */
    {"shared_bank_bytes = 8 B", {.width = 8}, 1},
    {"shared_bank_bytes = 8 B", {.stride = 16}, 2},
    {"shared_banks = 16", {.stride = 4}, 2}, /* a half-warp a pass, as before Fermi */
    {"shared_banks = 16", {.stride = 8}, 4},
    {"shared_pairs = yes", {.width = 16, .stride = SAME}, 2}, /* a broadcast of 16 B */
    {"shared_pairs = yes", {.width = 8, .stride = SAME}, 1},
    {"shared_pairs = yes", {.width = 4, .stride = SAME}, 1},
    {"shared_pairs = yes", {.width = 16}, 4}, /* nobody wants the same */
    {"shared_pairs = yes", {.width = 16, .addresses = pairs}, 2},
    {"shared_pairs = yes", {.width = 16, .addresses = pairs_apart}, 2},
    {"shared_pairs = yes", {.width = 16, .addresses = pairs_but_one}, 4},
    {"shared_pairs = yes", {.width = 4, .stride = 8}, 2},
    {"shared_pairs = yes; ideal_banks = yes", {.width = 16, .stride = SAME}, 2},
    {"", {.width = 16, .stride = SAME}, 4},
    {"ideal_banks = yes", {.stride = 128}, 1},
    {"ideal_banks = yes", {.width = 8, .stride = 16}, 2}, /* as many bytes as before */
    {"data_banks = 8", {.stride = 4}, 1}, /* the cache's path is not that of shared memory */
};

START_TEST(passes_follow_from_the_lanes_and_the_banks)
{
    for (uint64_t i = 0; i < 32; i++) /* lane 31 the bank of lane 0, 30 lane 0's word */
        two_of_a_bank[i] = i == 31 ? 128 : i == 30 ? 0 : 4 * i;
    for (uint64_t i = 0; i < 32; i++) {
        pairs[i] = pairs_but_one[i] = i / 2 * 16;
        pairs_apart[i] = (i / 4 * 2 + i % 2) * 16;
    }
    pairs_but_one[31] = 16 * 16;
    Lookup lookup = patterns[_i].lookup;
    lookup.at = 10;
    lookup.space = IN_SHARED;
    lookup.back = 10 + SHARED_HIT + 2 * (patterns[_i].passes - 1);
    g_autoptr(Rig) rig = rig_new(patterns[_i].settings, 0);
    run(rig, &lookup, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_passes"), patterns[_i].passes);
}
END_TEST

/* --- in between ------------------------------------------------------------------------------- */

/* Passes of the first at 11, 15, 19 and 23, in between those of the others: the second, without
 * conflict, at 12; a hit at 13; a two-way conflict at 14 and 18. Values return in order of their
 * kind. */
START_TEST(other_accesses_go_in_between_passes)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = 10 + MISS},
        {.at = 200, .space = IN_SHARED, .stride = 16, .back = 213 + 10},
        {.at = 201, .space = IN_SHARED, .back = 202 + 10},
        {.at = 202, .line = 5, .back = 202 + HIT},
        {.at = 203, .space = IN_SHARED, .stride = 8, .back = 208 + 10}};
    g_autoptr(Rig) rig = rig_new(
        "replay_latency = 4 cycles; replay_interval = 4 cycles; hit_latency = 16 cycles", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_accesses"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_passes"), 4 + 1 + 2);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->maximum, 2);
}
END_TEST

/* A conflicting access holds the only place of the buffer, so that the next must wait for it. */
START_TEST(passes_that_are_left_hold_a_place_in_the_instruction_buffer)
{
    static const Lookup lookups[] = {{.at = 10, .space = IN_SHARED, .stride = 16, .back = 17 + 10},
                                     {.at = 11, .space = IN_SHARED, .back = 18 + 10}};
    g_autoptr(Rig) rig = rig_new("replay_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_gt(unit_count(rig->l1, "refused_room"), 0);
    /* it follows into the buffer as soon as the first leaves */
    ck_assert_uint_eq(unit_level(rig->l1, "queue")->stay, (17 - 12) * TIME_NS);
}
END_TEST

/* Two accesses without conflict a cycle apart take the array one after the other. */
START_TEST(a_pass_takes_the_array_for_a_cycle)
{
    static const Lookup lookups[] = {{.at = 10, .space = IN_SHARED, .back = 11 + 10},
                                     {.at = 10, .space = IN_SHARED, .back = 12 + 10},
                                     {.at = 10, .space = IN_SHARED, .back = 13 + 10}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    /* two wait for a cycle, then one: the buffer writes one a cycle */
    ck_assert_uint_eq(unit_count(rig->l1, "replays"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "wasted_replays"), 2);
    ck_assert_uint_eq(unit_level(rig->l1, "replay_room")->stay, (1 + 2) * TIME_NS);
}
END_TEST

/* --- stores and atomics ----------------------------------------------------------------------- */

/* The SM hears when the last pass is accepted: at 11, and at 11 + 2 + 2 x 2. */
START_TEST(a_shared_store_is_heard_of_when_its_last_pass_is_accepted)
{
    static const Lookup lookups[] = {
        {.at = 10, .space = IN_SHARED, .operation = STORES, .back = 11 + 1},
        {.at = 20, .space = IN_SHARED, .operation = STORES, .stride = 16, .back = 27 + 1}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(harness_arrivals(rig->notices), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_writes"), 1 + 4);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_reads"), 0);
    ck_assert_uint_eq(unit_count(rig->l1, "writes"), 0);
    /* in the array 9 cycles later: 1 + 9 and, with a cycle to the SM, 1 + 6 + 9 */
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_shared")->latency, (11 + 17) * TIME_NS);
    ck_assert_uint_eq(rig->l2->seen->len, 0);
}
END_TEST

/* A store takes no part in the order of values. */
START_TEST(a_load_behind_a_shared_store_is_not_held_up)
{
    static const Lookup lookups[] = {
        {.at = 10, .space = IN_SHARED, .back = 10 + SHARED_HIT},
        {.at = 11, .space = IN_SHARED, .operation = STORES, .back = 12 + 1},
        {.at = 12, .space = IN_SHARED, .back = 12 + SHARED_HIT}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
}
END_TEST

/* The write data buffer's only place is a global store's until 121, when that leaves; at 117 the
 * shared one is tried, too. */
START_TEST(a_shared_store_is_refused_when_the_write_data_buffer_is_full)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xf, .operation = STORES, .back = 117 - 1 + STORE},
        {.at = 20, .space = IN_SHARED, .operation = STORES, .stride = 8, .back = 123 + 1},
        {.at = 21, .space = IN_SHARED, .back = 21 + SHARED_HIT}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first; write_buffer_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_write_buffer"), 2);
    ck_assert_uint_eq(stage_cycles(rig, "stages_shared", STAGE_REPLAY), 123 - 21);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_accesses"), 2);
}
END_TEST

/* Passes of an atomic: lanes of a bank one after the other, at the interval that the load/store
 * unit gives. */
static const struct {
    Lookup lookup;
    uint32_t passes;
    uint64_t last; /* pass */
    const char *settings;
} atomics[] = {
    /* of lanes that want different words, ideal banks do all at once; not of one word */
    {{.operation = ATOMIC, .stride = 16, .interval = 3}, 1, 11, "ideal_banks = yes"},
    {{.operation = ATOMIC, .stride = SAME, .interval = 2}, 32, 11 + 31 * 2, "ideal_banks = yes"},
    {{.operation = ATOMIC, .stride = 4, .interval = 2}, 1, 11, ""},
    {{.operation = ATOMIC, .stride = SAME, .interval = 2}, 32, 11 + 31 * 2, ""},
    {{.operation = ATOMIC, .stride = SAME, .interval = 5, .mask = 0xf}, 4, 11 + 3 * 5, ""},
    {{.operation = ATOMIC, .stride = 16, .interval = 3}, 4, 11 + 3 * 3, ""},
    /* a lock loop: a load and a store for each lane that wants the address or the bank */
    {{.operation = ATOMIC, .stride = SAME, .interval = 3, .turns = 2}, 64, 11 + 63 * 3, ""},
    {{.operation = ATOMIC, .stride = 16, .interval = 3, .turns = 2}, 8, 11 + 7 * 3, ""},
    {{.operation = REDUCTION, .stride = SAME, .interval = 2}, 32, 11 + 31 * 2, ""},
};

START_TEST(shared_atomics_take_a_pass_for_each_lane_of_a_bank)
{
    Lookup lookup = atomics[_i].lookup;
    lookup.at = 10;
    lookup.space = IN_SHARED;
    const bool returns = lookup.operation == ATOMIC;
    lookup.back = atomics[_i].last + (returns ? 10 : 1);
    g_autoptr(Rig) rig = rig_new(atomics[_i].settings, 0);
    run(rig, &lookup, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_passes"), atomics[_i].passes);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_reads"), atomics[_i].passes);
    ck_assert_uint_eq(unit_count(rig->l1, "shared_writes"), atomics[_i].passes);
    ck_assert_uint_eq(unit_count(rig->l1, "atomics"), 0);
    ck_assert_uint_eq(harness_arrivals(rig->shared_sink), returns);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_shared")->count, 1);
}
END_TEST

/* 4 passes 2 1/2 cycles apart: at 11, 14 (13.5), 16 and 19 (18.5). */
START_TEST(parts_of_a_cycle_between_passes_add_up)
{
    static const Lookup lookups[] = {{.at = 10,
                                      .space = IN_SHARED,
                                      .operation = ATOMIC,
                                      .stride = SAME,
                                      .mask = 0xf,
                                      .interval = 2,
                                      .half = true,
                                      .back = 19 + 10}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_shared");
    tcase_add_loop_test(cases, an_N_way_conflict_takes_N_passes, 0, G_N_ELEMENTS(conflicts));
    tcase_add_loop_test(cases, passes_follow_from_the_lanes_and_the_banks, 0,
                        G_N_ELEMENTS(patterns));
    tcase_add_test(cases, other_accesses_go_in_between_passes);
    tcase_add_test(cases, passes_that_are_left_hold_a_place_in_the_instruction_buffer);
    tcase_add_test(cases, a_pass_takes_the_array_for_a_cycle);
    tcase_add_test(cases, a_shared_store_is_heard_of_when_its_last_pass_is_accepted);
    tcase_add_test(cases, a_load_behind_a_shared_store_is_not_held_up);
    tcase_add_test(cases, a_shared_store_is_refused_when_the_write_data_buffer_is_full);
    tcase_add_loop_test(cases, shared_atomics_take_a_pass_for_each_lane_of_a_bank, 0,
                        G_N_ELEMENTS(atomics));
    tcase_add_test(cases, parts_of_a_cycle_between_passes_add_up);
    return harness_run_cases("l1_shared", cases);
}
