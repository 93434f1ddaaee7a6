/* Stores and atomics in the texture unit: what the cache keeps of them, what L2 gets, when the SM
 * hears of them. */
#include "data_rig.h"

#include "kit/gpu/atomic.h"

#include <string.h>

#define ALL .mask = UINT32_MAX
#define HALF .mask = 0xff
#define OTHER_HALF .mask = 0xff00

/* --- what the cache keeps --------------------------------------------------------------------- */

typedef struct {
    const char *stored_line;
    Lookup before, store, after; /* `before` of line 9: the store's line 0 is absent */
    uint64_t latency, kept, dropped;
} Keeping;

static const Keeping keepings[] = {
    /* written whole, present and absent; written in part */
    {"whole", {.line = 0}, {.line = 0}, {.line = 0}, HIT, 1, 0},
    {"whole", {.line = 9}, {.line = 0}, {.line = 0}, HIT, 1, 0},
    {"whole", {.line = 0}, {.line = 0, HALF}, {.line = 0, HALF}, MISS - 1, 0, 1},
    {"whole", {.line = 0}, {.line = 0, HALF}, {.line = 0, OTHER_HALF}, MISS - 1, 0, 1},
    {"whole", {.line = 9}, {.line = 0, HALF}, {.line = 0, HALF}, MISS - 1, 0, 0},
    {"whole", {.line = 0}, {.line = 0, .mask = 0x7fff}, {.line = 0}, MISS, 0, 1},
    {"present", {.line = 0}, {.line = 0}, {.line = 0}, HIT, 1, 0},
    {"present", {.line = 9}, {.line = 0}, {.line = 0}, MISS, 0, 0},
    {"present", {.line = 0}, {.line = 0, .mask = 1}, {.line = 0}, HIT, 1, 0},
    /* of one sector that is there the other one's store takes nothing away, nor does it bring it */
    {"present", {.line = 0, HALF}, {.line = 0, OTHER_HALF}, {.line = 0, HALF}, HIT, 0, 0},
    {"present", {.line = 0, HALF}, {.line = 0}, {.line = 0, HALF}, HIT, 1, 0},
    {"present", {.line = 0, HALF}, {.line = 0}, {.line = 0, OTHER_HALF}, MISS - 1, 1, 0},
    {"none", {.line = 0}, {.line = 0}, {.line = 0}, MISS, 0, 1},
    {"none", {.line = 9}, {.line = 0}, {.line = 0}, MISS, 0, 0},
    /* past the cache */
    {"whole", {.line = 0}, {.line = 0, .hint = CACHE_L2_ONLY}, {.line = 0}, MISS, 0, 1},
    {"present", {.line = 0}, {.line = 0, .hint = CACHE_L2_ONLY}, {.line = 0}, MISS, 0, 1},
};

START_TEST(a_store_is_written_through_and_the_cache_keeps_what_the_policy_says)
{
    const Keeping *keeping = &keepings[_i];
    Lookup lookups[] = {keeping->before, keeping->store, keeping->after};
    lookups[0].at = 10;
    lookups[1] = keeping->store;
    lookups[1].at = 300;
    lookups[1].operation = STORES;
    lookups[1].back = 300 + STORED;
    lookups[1].released = 300 + RELEASED;
    lookups[2].at = 600;
    lookups[2].back = 600 + keeping->latency;
    g_autofree char *policy = g_strdup_printf("stored_line = %s", keeping->stored_line);
    g_autoptr(Rig) rig = rig_new(policy, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "stores"), 1);
    ck_assert_uint_eq(unit_count(rig->texture, "stores_kept"), keeping->kept);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_dropped"), keeping->dropped);
    ck_assert_uint_eq(far_side_transaction(rig->memory, 1)->type, TRANSACTION_WRITE);
}
END_TEST

static uint64_t slow_loads(const Transaction *transaction)
{
    return transaction->type == TRANSACTION_READ ? 300 : 100;
}

/* Warps 0 and 2 load line 0 from part 0 of the cache; warp 1 writes it, and keeps it, in part 1. */
START_TEST(a_store_in_one_part_of_the_cache_leaves_nothing_in_the_others)
{
    static const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                                     {.at = 300,
                                      .line = 0,
                                      .operation = STORES,
                                      .back = 300 + STORED,
                                      .released = 300 + RELEASED},
                                     {.at = 600, .line = 0, .back = 600 + MISS},
                                     {.at = 900, .line = 0, .back = 900 + HIT}};
    g_autoptr(Rig) rig = rig_new("caches = 2; capacity = 1 KiB; stored_line = whole", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "stores_kept"), 1);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_dropped"), 1);
}
END_TEST

/* Lines 0 to 3 fill the only set. Line 4 is stored and takes the place of line 0 before that is
 * there; it goes into the array behind it, or the first load would not find its line. */
START_TEST(a_line_kept_of_a_store_takes_its_turn_among_the_reads)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .back = 10 + MISS + 200},
        {.at = 11, .line = 1},
        {.at = 12, .line = 2},
        {.at = 13, .line = 3},
        {.at = 14, .line = 4, .operation = STORES, .back = 14 + STORED, .released = 14 + RELEASED},
        {.at = 15, .line = 4},
        {.at = 16, .line = 0}};
    g_autoptr(Rig) rig = rig_new("capacity = 256 B; sets = 1", 0);
    rig->memory->latency_of = slow_loads;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->texture, "misses"), 5);
}
END_TEST

/* --- what L2 gets ----------------------------------------------------------------------------- */

/* 4 lanes a cycle, 8 of them in a line: the first line is complete with the second group, at
 * 21 + 1, the second with the fourth; a cycle to the memory. */
START_TEST(a_line_of_a_store_is_sent_once_when_all_of_it_has_been_addressed)
{
    static const Lookup lookups[] = {{.at = 10,
                                      .operation = STORES,
                                      .width = 8,
                                      .back = 10 + STORED + 3,
                                      .released = 10 + RELEASED + 3}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->memory->seen->len, 2);
    ck_assert_uint_eq(far_side_seen(rig->memory, 0)->cycle, 23);
    ck_assert_uint_eq(far_side_seen(rig->memory, 1)->cycle, 25);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_to_network"), 128);
    ck_assert_uint_eq(unit_bytes(rig->texture, "bytes_data"), 128);
    ck_assert_uint_eq(unit_count(rig->texture, "data_groups"), 4);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_data_store")->count, 2);
    /* from the SM until L2 has acknowledged the line: 1 + 10 + 1 + 102, and 3 */
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_data_store")->latency,
                      (2 * (STORED - 1) + 1 + 3) * TIME_NS);
}
END_TEST

START_TEST(a_store_says_which_bytes_it_writes)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 3, .operation = STORES, .mask = 0xfe, .released = ANY},
        {.at = 20,
         .line = 4,
         .operation = STORES,
         .mask = 0xfe,
         .space = SPACE_LOCAL,
         .released = ANY}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, lookups);
    const Transaction *global = far_side_transaction(rig->memory, 0),
                      *local = far_side_transaction(rig->memory, 1);
    ck_assert_uint_eq(global->virtual_line, 3 * 64);
    ck_assert_uint_eq(global->sectors, 1);
    ck_assert_uint_eq(global->partial, 1);
    ck_assert_uint_eq(global->written[0], 0xfffffff0);
    ck_assert_uint_eq(global->requested_bytes, 28);
    ck_assert_uint_eq(local->space, SPACE_LOCAL);
    ck_assert_uint_eq(local->written[0], 0); /* its layout is the load/store unit's */
}
END_TEST

START_TEST(loads_stores_and_atomics_of_a_line_reach_L2_in_order)
{
    static const Lookup lookups[] = {
        {.at = 10}, {.at = 11, .operation = STORES, .mask = 1, .released = ANY},
        {.at = 12}, {.at = 13, .operation = ATOMIC},
        {.at = 14}, {.at = 15, .operation = REDUCTION},
        {.at = 16}};
    static const TransactionType expected[] = {
        TRANSACTION_READ, TRANSACTION_WRITE,  TRANSACTION_READ, TRANSACTION_ATOMIC,
        TRANSACTION_READ, TRANSACTION_ATOMIC, TRANSACTION_READ};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->memory->seen->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        ck_assert_uint_eq(far_side_transaction(rig->memory, i)->type, expected[i]);
    ck_assert_uint_eq(unit_count(rig->texture, "hits"), 0);
}
END_TEST

/* A place in the miss request FIFO is all that stores need, and they wait for it. */
START_TEST(stores_wait_for_the_miss_request_FIFO)
{
    static Lookup lookups[8];
    for (guint i = 0; i < G_N_ELEMENTS(lookups); i++)
        lookups[i] = (Lookup){.at = 10, .line = i, .operation = STORES, .released = ANY};
    g_autoptr(Rig) rig = rig_new("miss_fifo = 2; reorder_entries = 1; fragment_fifo = 1", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->memory->seen->len, 8);
    ck_assert_uint_gt(unit_count(rig->texture, "stalls_miss_fifo"), 0);
    ck_assert_uint_eq(unit_count(rig->texture, "stalls_reorder"), 0);
    for (guint i = 1; i < G_N_ELEMENTS(lookups); i++)
        ck_assert_uint_ge(came_back(rig, i), came_back(rig, i - 1));
}
END_TEST

START_TEST(stores_that_nobody_acknowledges_are_named)
{
    static const Lookup lookups[] = {{.at = 10, .operation = STORES}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    rig->memory->silent = true;
    rig->lookups = lookups;
    rig->count = 1;
    harness_generate(rig->source, make_access, rig);
    harness_generate(rig->sm, make_texel, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "0 misses outstanding, 1 stores not acknowledged; waits for "
                               "far_side"),
                  "%s", text);
}
END_TEST

/* --- atomics ---------------------------------------------------------------------------------- */

static uint64_t count_up(const Transaction *transaction)
{
    if (!transaction->operands) return 100;
    for (uint32_t lane = 0; lane < LANES_MAX; lane++)
        transaction->operands->value[lane] = 1000 * lane;
    return transaction->virtual_line ? 50 : 100;
}

/* 16 lanes, 4 a line, 4 lines: all of a line's words are in one request. The second line is back
 * before the first and waits for it. */
START_TEST(an_atomic_is_done_at_L2_and_its_values_come_back)
{
    static const Lookup lookups[] = {
        {.at = 10},
        {.at = 300, .operation = ATOMIC, .stride = 16, .mask = 0xff, .back = 300 + MISS + 2},
        {.at = 600, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    rig->memory->latency_of = count_up;
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "atomics"), 2);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_dropped"), 1);
    ck_assert_uint_eq(far_side_transaction(rig->memory, 1)->type, TRANSACTION_ATOMIC);
    uint64_t cycle;
    const WarpAccess *atomic = find_in(rig->sink, 1, &cycle);
    for (uint32_t lane = 0; lane < 8; lane++)
        ck_assert_uint_eq(atomic->lanes->value[lane], 1000 * lane);
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_data_atomic")->count, 2);
}
END_TEST

/* The load/store unit has told the SM that the operands have been read. */
START_TEST(a_reduction_drops_the_line_and_is_acknowledged)
{
    static const Lookup lookups[] = {
        {.at = 10},
        {.at = 300, .operation = REDUCTION, .back = 300 + STORED, .released = 0},
        {.at = 600, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->texture, "lines_dropped"), 1);
    ck_assert_uint_eq(3 * unit_bytes(rig->texture, "bytes_returned"), /* of two loads */
                      2 * unit_bytes(rig->texture, "bytes_data"));
    ck_assert_uint_eq(unit_stages(rig->texture, "stages_data_atomic")->latency,
                      (STORED - 1) * TIME_NS);
}
END_TEST

static uint64_t slow_line_0(const Transaction *transaction)
{
    return transaction->virtual_line ? 50 : 300;
}

START_TEST(an_atomic_returns_in_order_with_loads)
{
    static const Lookup lookups[] = {
        {.at = 10, .back = 10 + MISS + 200},
        {.at = 11, .line = 1, .operation = ATOMIC, .back = 10 + MISS + 200 + 2}};
    g_autoptr(Rig) rig = rig_new(NULL, 0);
    rig->memory->latency_of = slow_line_0;
    RUN(rig, lookups);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_write");
    tcase_add_loop_test(cases, a_store_is_written_through_and_the_cache_keeps_what_the_policy_says,
                        0, G_N_ELEMENTS(keepings));
    tcase_add_test(cases, a_store_in_one_part_of_the_cache_leaves_nothing_in_the_others);
    tcase_add_test(cases, a_line_kept_of_a_store_takes_its_turn_among_the_reads);
    tcase_add_test(cases, a_line_of_a_store_is_sent_once_when_all_of_it_has_been_addressed);
    tcase_add_test(cases, a_store_says_which_bytes_it_writes);
    tcase_add_test(cases, loads_stores_and_atomics_of_a_line_reach_L2_in_order);
    tcase_add_test(cases, stores_wait_for_the_miss_request_FIFO);
    tcase_add_test(cases, stores_that_nobody_acknowledges_are_named);
    tcase_add_test(cases, an_atomic_is_done_at_L2_and_its_values_come_back);
    tcase_add_test(cases, a_reduction_drops_the_line_and_is_acknowledged);
    tcase_add_test(cases, an_atomic_returns_in_order_with_loads);
    return harness_run_cases("texture_write", cases);
}
