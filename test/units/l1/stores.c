/* Stores to global memory, and the write data buffer. See rig.h for the times. */
#include "rig.h"

/* What L2 saw. */
typedef struct {
    TransactionType type;
    uint64_t line, cycle;
    uint16_t sectors, partial;
} Request;

static void assert_requests(const Rig *rig, const Request *requests, guint count)
{
    ck_assert_uint_eq(rig->l2->seen->len, count);
    for (guint i = 0; i < count; i++) {
        const Transaction *seen = far_side_transaction(rig->l2, i);
        ck_assert_int_eq(seen->type, requests[i].type);
        ck_assert_uint_eq(seen->line, requests[i].line * 128);
        ck_assert_uint_eq(seen->sectors, requests[i].sectors);
        if (seen->type == TRANSACTION_WRITE) ck_assert_uint_eq(seen->partial, requests[i].partial);
        ck_assert_uint_eq(far_side_seen(rig->l2, i)->cycle, requests[i].cycle);
    }
}

#define ASSERT_REQUESTS(rig, ...)                                                                  \
    do {                                                                                           \
        const Request requests_[] = {__VA_ARGS__};                                                 \
        assert_requests(rig, requests_, G_N_ELEMENTS(requests_));                                  \
    } while (0)

/* --- write through ---------------------------------------------------------------------------- */

START_TEST(stores_write_through_and_do_not_allocate)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xffff, .operation = STORES, .back = 10 + STORE},
        {.at = 200, .line = 5, .back = 200 + MISS},
        {.at = 400, .line = 5, .operation = STORES, .back = 400 + STORE},
        {.at = 599, .line = 6, .operation = STORES, .back = 599 + STORE},
        {.at = 600, .line = 5, .back = 600 + HIT}, /* still there, held up by nobody */
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "writes"), 3);
    ck_assert_uint_eq(unit_count(rig->l1, "write_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "array_writes"), 1 + 1); /* a fill */
    ck_assert_uint_eq(unit_count(rig->l1, "misses"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "local_writes"), 0);
    ck_assert_uint_eq(unit_bytes(rig->l1, "bytes_to_network"), 10 * 32);
    ck_assert_uint_eq(unit_stages(rig->l1, "stages_store")->count, 3);
    ASSERT_REQUESTS(rig, {TRANSACTION_WRITE, 5, 16, 3, 0}, {TRANSACTION_READ, 5, 206, 15, 0},
                    {TRANSACTION_WRITE, 5, 406, 15, 0}, {TRANSACTION_WRITE, 6, 605, 15, 0});
}
END_TEST

/* A line of which other sectors are there is not written. */
START_TEST(a_store_writes_a_present_line_where_its_sectors_are_there)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xff, .back = 10 + MISS},
        {.at = 200, .line = 5, .mask = 0xff00, .operation = STORES, .back = 200 + STORE},
        {.at = 400, .line = 5, .mask = 0xffff, .operation = STORES, .back = 400 + STORE},
        {.at = 600, .line = 5, .mask = 0xff, .operation = ATOMIC, .back = 600 + STORE},
        {.at = 800, .line = 5, .mask = 0xff00, .back = 800 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_hits"), 1);
}
END_TEST

START_TEST(acknowledgements_complete_stores_and_fills_complete_loads)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = 10 + STORE},
        {.at = 20, .line = 2, .operation = STORES, .back = 20 + STORE},
        {.at = 30, .line = 3, .back = 30 + MISS},
    };
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_level(rig->l1, "stores_outstanding")->maximum, 2);
    ck_assert_uint_eq(unit_level(rig->l1, "stores_outstanding")->stay, 2 * 106 * TIME_NS);
    ck_assert_uint_eq(unit_count(rig->l1, "replies"), 3);
    ck_assert_uint_eq(heard_of(rig, 0, true), 10 + LEFT);
    ck_assert_uint_eq(heard_of(rig, 1, true), 20 + LEFT);
    ck_assert_uint_eq(unit_histogram(rig->l1, "miss_latency_seen")->sum, 106 * TIME_NS);
}
END_TEST

/* --- parts of sectors ------------------------------------------------------------------------- */

/* 16 of the 32 bytes of sector 0: at L2 with its mask. */
START_TEST(a_store_of_part_of_a_sector_is_written_through_with_a_mask)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xf, .operation = STORES, .back = 10 + STORE}};
    g_autoptr(Rig) rig = rig_new("", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "store_fetches"), 0);
    ASSERT_REQUESTS(rig, {TRANSACTION_WRITE, 5, 16, 1, 1});
}
END_TEST

/* The fetch is here at 117; then the store goes, as at its look-up: 117 + 4 + 1 + 100 + 1, and 1 to
 * the SM. The next store and the load join the fetch; the stores leave one a cycle. Later the
 * sector is there, so that nothing is fetched. A store of 1 1/2 sectors fetches the half one. */
START_TEST(a_store_of_part_of_a_sector_may_fetch_it_first)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xf, .operation = STORES, .back = 117 - 1 + STORE},
        {.at = 20, .line = 5, .mask = 0x1, .operation = STORES, .back = 118 - 1 + STORE},
        {.at = 30, .line = 5, .mask = 0xff, .back = 117 - 1 + HIT},
        {.at = 300, .line = 5, .mask = 0xff, .back = 300 + MISS},
        {.at = 500, .line = 5, .mask = 0xf, .operation = STORES, .back = 500 + STORE},
        {.at = 700, .line = 6, .mask = 0xfff, .operation = STORES, .back = 807 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(heard_of(rig, 0, true), 10 + LEFT);
    ck_assert_uint_eq(unit_count(rig->l1, "store_fetches"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "writes"), 4);
    ck_assert_uint_eq(unit_count(rig->l1, "write_hits"), 1);
    ck_assert_uint_eq(unit_level(rig->l1, "prt")->stay, 3 * 106 * TIME_NS);
    ASSERT_REQUESTS(rig, {TRANSACTION_READ, 5, 16, 1, 0}, {TRANSACTION_WRITE, 5, 122, 1, 1},
                    {TRANSACTION_WRITE, 5, 123, 1, 1}, {TRANSACTION_READ, 5, 306, 1, 0},
                    {TRANSACTION_WRITE, 5, 506, 1, 1}, {TRANSACTION_READ, 6, 706, 2, 0},
                    {TRANSACTION_WRITE, 6, 812, 3, 2});
}
END_TEST

/* Nobody may join the fetch, so that the second store has one of its own at 117: after the first
 * store has left, a cycle later. */
START_TEST(stores_that_join_a_fetch_count_as_merged)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xf, .operation = STORES, .back = 117 - 1 + STORE},
        {.at = 20, .line = 5, .mask = 0x1, .operation = STORES, .back = 224 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first; prt_merges = 0", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_merge"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "store_fetches"), 2);
}
END_TEST

START_TEST(a_stores_fetch_needs_an_entry_and_room_in_the_network)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 4, .back = 10 + MISS},
        {.at = 11, .line = 5, .mask = 0xf, .operation = STORES, .back = 224 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first; prt_entries = 1", 0);
    RUN(rig, lookups); /* fetched at 118, after the load's pass, and here at 224 */
    ck_assert_uint_eq(unit_count(rig->l1, "refused_prt"), 1);
}
END_TEST

/* The store has its place in the buffer while it waits for its fetch, and until it leaves at 121:
 * then the next one is looked up, leaves at 125, and the last one fetches, until 231. */
START_TEST(a_store_that_waits_for_its_fetch_keeps_a_place_in_the_write_data_buffer)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 5, .mask = 0xf, .operation = STORES, .back = 117 - 1 + STORE},
        {.at = 20, .line = 6, .operation = STORES, .back = 121 - 1 + STORE},
        {.at = 21, .line = 7, .mask = 0xf, .operation = STORES, .back = 231 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first; write_buffer_entries = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_full(rig->l1, "write_room"), 235 - 11);
    ck_assert_uint_eq(heard_of(rig, 1, true), 121 + 20 + 1);
}
END_TEST

/* --- the write data buffer -------------------------------------------------------------------- */

/* One place into the network, free every six cycles (4 + 1 + 1 back): the first store goes at 11
 * and has its place until 15, when the third finds room; the fourth does at 17, the fifth at 23. */
START_TEST(stores_wait_for_the_network_and_are_refused_when_the_buffer_is_full)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = 11 - 1 + STORE},
        {.at = 11, .line = 2, .operation = STORES, .back = 17 - 1 + STORE},
        {.at = 12, .line = 3, .operation = STORES, .back = 23 - 1 + STORE},
        {.at = 13, .line = 4, .operation = STORES, .back = 29 - 1 + STORE},
        {.at = 14, .line = 5, .operation = STORES, .back = 35 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("write_buffer_entries = 2", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_write_buffer"), 5);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 0);
    ck_assert_uint_eq(unit_level(rig->l1, "write_buffer")->maximum, 2);
    ck_assert_uint_eq(unit_level(rig->l1, "write_buffer")->stay,
                      (15 - 11 + 17 - 12 + 23 - 15 + 29 - 17 + 35 - 23) * TIME_NS);
    ck_assert_uint_eq(stage_cycles(rig, "stages_store", STAGE_REPLAY),
                      17 - 12 + 23 - 13 + 29 - 14 + 35 - 16);
    static const uint64_t left[] = {11, 12, 15, 17, 23};
    for (guint i = 0; i < 5; i++) ck_assert_uint_eq(heard_of(rig, i, true), left[i] + 21);
}
END_TEST

/* The store of line 2 leaves at 17; the load that is refused then goes at 23, behind it. */
START_TEST(a_load_of_a_line_in_the_write_data_buffer_waits)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = 10 + STORE},
        {.at = 11, .line = 2, .operation = STORES, .back = 17 - 1 + STORE},
        {.at = 12, .line = 2, .back = 23 - 1 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_write_buffer"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_network"), 1);
    ASSERT_REQUESTS(rig, {TRANSACTION_WRITE, 1, 16, 15, 0}, {TRANSACTION_WRITE, 2, 22, 15, 0},
                    {TRANSACTION_READ, 2, 28, 15, 0});
}
END_TEST

/* The same for what a store fetches. Both are refused at 13 and 14; the store of line 2 leaves at
 * 17, the fetch at 23 (here at 129, its store leaves then), the load at 29. */
START_TEST(a_fetch_of_a_line_in_the_write_data_buffer_waits)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .operation = STORES, .back = 10 + STORE},
        {.at = 11, .line = 2, .operation = STORES, .back = 17 - 1 + STORE},
        {.at = 12, .line = 2, .mask = 0xf, .operation = STORES, .back = 129 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first", 1);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_write_buffer"), 1);
}
END_TEST

/* Six stores and six loads, and a place every six cycles. While both wait they take turns. */
START_TEST(loads_and_stores_take_turns_in_the_network)
{
    Lookup lookups[12];
    static const char order[] = "SSLSLSLSLSLL";
    guint stores = 0, loads = 0;
    for (guint i = 0; i < 12; i++) {
        const bool is_store = order[i] == 'S';
        const guint number = is_store ? stores++ : 6 + loads++;
        lookups[number] = (Lookup){.at = 10 + number,
                                   .line = number,
                                   .operation = is_store ? STORES : LOAD,
                                   .back = is_store ? ANY : 10 + 6 * i + MISS};
    }
    g_autoptr(Rig) rig = rig_new("replay_entries = 0", 1);
    RUN(rig, lookups);
    for (guint i = 0; i < 12; i++) {
        ck_assert_int_eq(far_side_transaction(rig->l2, i)->type,
                         order[i] == 'S' ? TRANSACTION_WRITE : TRANSACTION_READ);
        ck_assert_uint_eq(far_side_seen(rig->l2, i)->cycle, 16 + 6 * i);
    }
}
END_TEST

/* Two places, free again at 17 and 18. The first is left to the load that was refused at 14. */
START_TEST(a_store_leaves_a_place_to_a_load_that_was_refused)
{
    static const Lookup lookups[] = {{.at = 10, .line = 1, .operation = STORES, .back = 10 + STORE},
                                     {.at = 10, .line = 2, .operation = STORES, .back = 11 + STORE},
                                     {.at = 10, .line = 3, .operation = STORES, .back = ANY},
                                     {.at = 10, .line = 4, .back = 17 - 1 + MISS},
                                     {.at = 10, .line = 5, .operation = STORES, .back = ANY}};
    g_autoptr(Rig) rig = rig_new("", 2);
    RUN(rig, lookups);
    ASSERT_REQUESTS(rig, {TRANSACTION_WRITE, 1, 16, 15, 0}, {TRANSACTION_WRITE, 2, 17, 15, 0},
                    {TRANSACTION_READ, 4, 22, 15, 0}, {TRANSACTION_WRITE, 3, 23, 15, 0},
                    {TRANSACTION_WRITE, 5, 28, 15, 0});
}
END_TEST

/* One place, free at 111, 117 and 123. The store of line 1 has its sector at 117, when those of
 * lines 3 and 4 have waited. */
START_TEST(a_store_that_is_ready_does_not_overtake_those_in_the_buffer)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 1, .mask = 0xf, .operation = STORES, .back = 123 - 1 + STORE},
        {.at = 104, .line = 2, .operation = STORES, .back = 105 - 1 + STORE},
        {.at = 105, .line = 3, .operation = STORES, .back = 111 - 1 + STORE},
        {.at = 106, .line = 4, .operation = STORES, .back = 117 - 1 + STORE}};
    g_autoptr(Rig) rig = rig_new("global_partial = fetch_first", 1);
    RUN(rig, lookups);
}
END_TEST

HARNESS_MAIN("l1_stores", stores_write_through_and_do_not_allocate,
             a_store_writes_a_present_line_where_its_sectors_are_there,
             acknowledgements_complete_stores_and_fills_complete_loads,
             a_store_of_part_of_a_sector_is_written_through_with_a_mask,
             a_store_of_part_of_a_sector_may_fetch_it_first,
             stores_that_join_a_fetch_count_as_merged,
             a_stores_fetch_needs_an_entry_and_room_in_the_network,
             a_store_that_waits_for_its_fetch_keeps_a_place_in_the_write_data_buffer,
             stores_wait_for_the_network_and_are_refused_when_the_buffer_is_full,
             a_load_of_a_line_in_the_write_data_buffer_waits,
             a_fetch_of_a_line_in_the_write_data_buffer_waits,
             loads_and_stores_take_turns_in_the_network,
             a_store_leaves_a_place_to_a_load_that_was_refused,
             a_store_that_is_ready_does_not_overtake_those_in_the_buffer)
