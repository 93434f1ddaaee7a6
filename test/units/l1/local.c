/* Local memory in L1: written back, with allocation. See rig.h for the times; a store that ends
 * here takes as long as a hit. */
#include "rig.h"

#define LOCAL_STORE .space = LOCAL, .operation = STORES

static void assert_request(const Rig *rig, guint index, TransactionType type, uint64_t line,
                           uint16_t sectors)
{
    const Transaction *seen = far_side_transaction(rig->l2, index);
    ck_assert_int_eq(seen->type, type);
    ck_assert_uint_eq(seen->line, line * 128);
    ck_assert_uint_eq(seen->sectors, sectors);
}

/* Lines 0, 4 and 8 are of one set of two ways. Line 0 is dirty when it goes, at 401, for line 8. */
START_TEST(a_dirty_line_is_written_back_when_it_is_evicted)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xff, .back = 10 + HIT},
        {.at = 50, .line = 0, .space = LOCAL, .mask = 0xff, .back = 50 + HIT},
        {.at = 60, .line = 0, LOCAL_STORE, .mask = 0xff00, .back = 60 + HIT},
        {.at = 200, .line = 4, .back = 200 + MISS},
        {.at = 400, .line = 8, .back = 400 + MISS},
        {.at = 600, .line = 0, .space = LOCAL, .mask = 0xff, .back = 600 + MISS},
        {.at = 800, .line = 4, .back = 800 + MISS}}; /* clean ones went without a word */
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "local_writes"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "writes"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "write_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "array_writes"), 2 + 4);
    ck_assert_uint_eq(unit_count(rig->l1, "write_backs"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "dropped_dirty"), 0);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_to_network"), 2 * 32);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_local"), 4 * 32);
    ck_assert_uint_eq(heard_of(rig, 0, true), 10 + LEFT);
    ck_assert_uint_eq(rig->l2->seen->len, 5);
    assert_request(rig, 1, TRANSACTION_READ, 8, 15);
    assert_request(rig, 2, TRANSACTION_WRITE, 0, 3);
    /* the miss at 401; its victim waits in the write data buffer until the next cycle */
    ck_assert_uint_eq(far_side_seen(rig->l2, 1)->cycle, 406);
    ck_assert_uint_eq(far_side_seen(rig->l2, 2)->cycle, 407);
    /* ... and what the stores write until it is in the array */
    ck_assert_uint_eq(unit_level(rig->l1, "write_buffer")->stay, (1 + 2 * 16) * TIME_NS);
    ck_assert_uint_eq(unit_level(rig->l1, "stores_outstanding")->stay, 107 * TIME_NS);
}
END_TEST

/* With one place in the network, the miss takes it and its victim has the next, at 407. So does the
 * fetch of a partial store at 601, which evicts line 16 and leaves it until 607. */
START_TEST(a_miss_goes_before_its_victim)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xff, .back = 10 + HIT},
        {.at = 200, .line = 4, .back = 200 + MISS},
        {.at = 400, .line = 8, .back = 400 + MISS},
        {.at = 560, .line = 8, LOCAL_STORE, .mask = 0xff, .back = 560 + HIT},
        {.at = 580, .line = 16, LOCAL_STORE, .mask = 0xff, .back = 580 + HIT},
        {.at = 600, .line = 20, LOCAL_STORE, .mask = 0xf, .back = 707 + 1}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 5);
    assert_request(rig, 1, TRANSACTION_READ, 8, 15);
    assert_request(rig, 2, TRANSACTION_WRITE, 0, 1);
    ck_assert_uint_eq(far_side_seen(rig->l2, 2)->cycle, 412);
    assert_request(rig, 3, TRANSACTION_READ, 20, 1);
    assert_request(rig, 4, TRANSACTION_WRITE, 8, 1);
    ck_assert_uint_eq(far_side_seen(rig->l2, 4)->cycle, 612);
    ck_assert_uint_eq(unit_count(rig->l1, "write_backs"), 2);
}
END_TEST

/* The only place of the write data buffer is taken from 201 to 311, so that the dirty line 0 cannot
 * go; it is tried at 307, too. */
START_TEST(a_miss_whose_victim_finds_no_place_in_the_write_data_buffer_is_refused)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xff, .back = 10 + HIT},
        {.at = 20, .line = 4, .back = 20 + MISS},
        {.at = 200, .line = 1, .mask = 0xf, .operation = STORES, .back = 307 - 1 + STORE},
        {.at = 250, .line = 8, .back = 311 - 1 + MISS}};
    g_autoptr(Rig) rig =
        rig_new("capacity = 1 KiB; global_partial = fetch_first; write_buffer_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_write_buffer"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "write_backs"), 1);
}
END_TEST

/* Every way of the set is being filled until 117 and 118. */
START_TEST(a_local_store_needs_a_way)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .back = 10 + MISS},
        {.at = 11, .line = 4, .back = 11 + MISS},
        {.at = 12, .line = 8, LOCAL_STORE, .mask = 0xff, .back = 119 - 1 + HIT}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_set"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "local_writes"), 1);
}
END_TEST

/* --- whole lines ------------------------------------------------------------------------------ */

START_TEST(a_whole_absent_line_goes_straight_to_L2)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, LOCAL_STORE, .back = 10 + STORE},
        {.at = 200, .line = 5, .space = LOCAL, .back = 200 + MISS},
        {.at = 400, .line = 5, LOCAL_STORE, .back = 400 + HIT}}; /* it is there now */
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_hits"), 1);
    assert_request(rig, 0, TRANSACTION_WRITE, 5, 15);
}
END_TEST

START_TEST(a_whole_absent_line_may_be_allocated)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, LOCAL_STORE, .back = 10 + HIT},
                                     {.at = 200, .line = 5, .space = LOCAL, .back = 200 + HIT}};
    g_autoptr(Rig) rig = rig_new("local_full_line = allocate", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(rig->l2->seen->len, 0);
}
END_TEST

/* A sector written whole needs none of L2; of whole lines the others are fetched, and loads of them
 * hit. The second store joins the fetch of the first; a line that is here needs none. */
static const struct {
    const char *settings;
    uint64_t stores[2], load, fetches, sectors;
} of_parts[] = {{"fetch = sectors", {10 + HIT, 20 + HIT}, 300 + MISS, 0, 12},
                {"fetch = line", {117 + 1, 117 + 1}, 300 + HIT, 1, 15}};

START_TEST(a_store_of_part_of_a_line_may_fetch_the_whole_line)
{
    const Lookup lookups[] = {
        {.at = 10, .line = 5, LOCAL_STORE, .mask = 0xff, .back = of_parts[_i].stores[0]},
        {.at = 20, .line = 5, LOCAL_STORE, .mask = 0xff00, .back = of_parts[_i].stores[1]},
        {.at = 300, .line = 5, .space = LOCAL, .back = of_parts[_i].load},
        {.at = 500, .line = 5, LOCAL_STORE, .mask = 0xff, .back = 500 + HIT}};
    g_autoptr(Rig) rig = rig_new(of_parts[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "store_fetches"), of_parts[_i].fetches);
    ck_assert_uint_eq(rig->l2->seen->len, 1);
    assert_request(rig, 0, TRANSACTION_READ, 5, (uint16_t)of_parts[_i].sectors);
}
END_TEST

/* Not a whole line: 128 bytes that touch each sector, but none of them whole. */
START_TEST(a_line_of_parts_is_not_whole)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, LOCAL_STORE, .mask = 0xefefefef, .back = 117 + 1}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    assert_request(rig, 0, TRANSACTION_READ, 5, 15);
}
END_TEST

/* --- parts of sectors ------------------------------------------------------------------------- */

/* Fetched, merged when it comes at 117, dirty. A store and a load join the fetch; the load reads
 * the array. Later the sector is there. The eviction at 601 writes back what was written only. */
START_TEST(part_of_an_absent_sector_is_fetched_and_merged)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xf, .back = 117 + 1},
        {.at = 20, .line = 0, LOCAL_STORE, .mask = 0xf0, .back = 117 + 1},
        {.at = 30, .line = 0, .space = LOCAL, .mask = 0xff, .back = 117 - 1 + HIT},
        {.at = 200, .line = 0, LOCAL_STORE, .mask = 0x1, .back = 200 + HIT},
        {.at = 210, .line = 0, .space = LOCAL, .mask = 0xff, .back = 210 + HIT},
        {.at = 400, .line = 4, .back = 400 + MISS},
        {.at = 600, .line = 8, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "store_fetches"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "array_writes"), 1 + 2 + 1 + 2);
    assert_request(rig, 0, TRANSACTION_READ, 0, 1);
    assert_request(rig, 3, TRANSACTION_WRITE, 0, 1);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_from_network"), (1 + 4 + 4) * 32);
}
END_TEST

/* A sector and a half: the half one is fetched; both are there and dirty afterwards. */
START_TEST(only_the_sectors_that_are_written_in_part_are_fetched)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xfff, .back = 117 + 1},
        {.at = 200, .line = 0, .space = LOCAL, .mask = 0xffff, .back = 200 + HIT},
        {.at = 400, .line = 4, .back = 400 + MISS},
        {.at = 600, .line = 8, .back = 600 + MISS}};
    g_autoptr(Rig) rig = rig_new("capacity = 1 KiB", 0);
    RUN(rig, lookups);
    assert_request(rig, 0, TRANSACTION_READ, 0, 2);
    assert_request(rig, 3, TRANSACTION_WRITE, 0, 3);
}
END_TEST

/* What passes L1 by brings nothing that a local store could be merged into. */
START_TEST(a_local_store_does_not_join_a_fetch_that_fills_nothing)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .hint = CACHE_L2_ONLY, .mask = 0xff, .back = 10 + MISS},
        {.at = 20, .line = 0, LOCAL_STORE, .mask = 0xf, .back = 118 + 106 + 1}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 1);
}
END_TEST

/* The one place among those who wait is left to the load, which comes a pass later; then the store
 * has a fetch of its own. */
START_TEST(a_store_that_is_refused_does_not_count_as_waiting)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .hint = CACHE_L2_ONLY, .mask = 0xff, .back = 10 + MISS},
        {.at = 20, .line = 0, LOCAL_STORE, .mask = 0xf, .back = 119 + 106 + 1},
        {.at = 30, .line = 0, .hint = CACHE_L2_ONLY, .mask = 0xff, .back = 11 + MISS}};
    g_autoptr(Rig) rig = rig_new("prt_merges = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "merged"), 1);
}
END_TEST

/* Where local memory is not cached, its stores are as global ones. */
START_TEST(local_stores_that_are_not_cached_are_written_through)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xff, .back = 10 + STORE},
        {.at = 200, .line = 0, LOCAL_STORE, .mask = 0xf, .back = 307 - 1 + STORE},
        {.at = 500, .line = 0, LOCAL_STORE, .mask = 0xff, .hint = CACHE_L2_ONLY, .back = 608}};
    g_autoptr(Rig) rig = rig_new("cached = none; global_partial = fetch_first", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "array_writes"), 0);
    ck_assert_uint_eq(unit_count(rig->l1, "local_writes"), 3);
    ck_assert_uint_eq(rig->l2->seen->len, 4);
}
END_TEST

/* --- kernels ---------------------------------------------------------------------------------- */

/* The local memory of a kernel that has ended is nobody's: its dirty lines are dropped, once. */
START_TEST(dirty_lines_are_dropped_when_a_kernel_starts)
{
    static const KernelStart starts[] = {
        {.at = 200, .launch = {.keep_l1 = true, .caches = CACHES_WARM}},
        {.at = 250, .launch = {.caches = CACHES_WARM}},
        {.at = 300, .launch = {.caches = CACHES_WARM}}};
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, LOCAL_STORE, .mask = 0xff, .back = 10 + HIT},
        {.at = 20, .line = 1, LOCAL_STORE, .mask = 0xff, .back = 20 + HIT},
        {.at = 30, .line = 2, .back = 30 + MISS},
        {.at = 400, .line = 0, .space = LOCAL, .mask = 0xff, .back = 400 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "dropped_dirty"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "write_backs"), 0);
}
END_TEST

static void assert_broken(const KernelStart starts[2], const Lookup *lookup)
{
    g_autoptr(Rig) rig = rig_new("", 0);
    rig->starts = starts;
    rig->start_count = 2;
    rig->lookups = lookup;
    rig->count = 1;
    harness_generate(rig->source, make_lookup, rig);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(strstr(error->message, "not all of their memory operations"));
}

START_TEST(a_kernel_that_ends_before_its_stores_is_a_broken_invariant)
{
    assert_broken((const KernelStart[]){{.at = 5}, {.at = 50, .ends = true}},
                  &(const Lookup){.at = 10, LOCAL_STORE, .mask = 0xf});
}
END_TEST

/* Its start would take the tags from under the fetch, with another division of the array even the
 * place. Kernels that run side by side start together. */
START_TEST(a_kernel_that_starts_before_others_have_ended_is_a_broken_invariant)
{
    assert_broken(
        (const KernelStart[]){{.at = 5, .launch = {.l1_capacity = 2048}},
                              {.at = 50, .launch = {.l1_capacity = 1024, .concurrent = true}}},
        &(const Lookup){.at = 10, .line = 3});
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_local");
    tcase_add_test(cases, a_dirty_line_is_written_back_when_it_is_evicted);
    tcase_add_test(cases, a_miss_goes_before_its_victim);
    tcase_add_test(cases, a_miss_whose_victim_finds_no_place_in_the_write_data_buffer_is_refused);
    tcase_add_test(cases, a_local_store_needs_a_way);
    tcase_add_test(cases, a_whole_absent_line_goes_straight_to_L2);
    tcase_add_test(cases, a_whole_absent_line_may_be_allocated);
    tcase_add_loop_test(cases, a_store_of_part_of_a_line_may_fetch_the_whole_line, 0, 2);
    tcase_add_test(cases, a_line_of_parts_is_not_whole);
    tcase_add_test(cases, part_of_an_absent_sector_is_fetched_and_merged);
    tcase_add_test(cases, only_the_sectors_that_are_written_in_part_are_fetched);
    tcase_add_test(cases, a_local_store_does_not_join_a_fetch_that_fills_nothing);
    tcase_add_test(cases, a_store_that_is_refused_does_not_count_as_waiting);
    tcase_add_test(cases, local_stores_that_are_not_cached_are_written_through);
    tcase_add_test(cases, dirty_lines_are_dropped_when_a_kernel_starts);
    tcase_add_test(cases, a_kernel_that_ends_before_its_stores_is_a_broken_invariant);
    tcase_add_test(cases, a_kernel_that_starts_before_others_have_ended_is_a_broken_invariant);
    return harness_run_cases("l1_local", cases);
}
