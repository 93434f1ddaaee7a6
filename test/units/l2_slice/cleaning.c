/* What an L2 slice writes back ahead of evictions, by row of DRAM. Sets of two ways: in 1 KiB lines
 * 0, 4, 8 and 12 share a set, in 4 KiB lines 0 and 16. */
#include "rig.h"

/* Lines 0 to 7 are a row of DRAM. With line 4 the set of line 0 is full, and line 0 is next: it
 * is written, and the row's other written lines behind it, one a look-up: four lines became dirty
 * before. All stay: line 1 hits, and lines 8 and 12 find lines 0 and 4 clean. Line 11 is of
 * another row. */
START_TEST(the_row_of_the_line_that_would_go_next_is_written_ahead)
{
    static const Request requests[] = {
        {10, WRITE, 0, 15, 0, 10 + HIT},  {20, WRITE, 1, 3, 0, 20 + HIT},
        {30, WRITE, 11, 15, 0, 30 + HIT}, {40, WRITE, 2, 15, 0, 40 + HIT},
        {50, WRITE, 4, 15, 0, 50 + HIT},  {200, READ, 8, 1, 0, 200 + MISS},
        {400, READ, 1, 3, 0, 400 + HIT},  {500, READ, 12, 1, 0, 500 + MISS}};
    static const uint64_t row[] = {0, 1, 2, 4};
    g_autoptr(Rig) rig = rig_new(SMALL "clean_ahead = row", (Surroundings){0});
    RUN(rig, requests);
    for (guint i = 0; i < G_N_ELEMENTS(row); i++) {
        assert_sent(rig, i, WRITE, row[i], 63 + i);
        ck_assert_int_eq(far_side_transaction(rig->dram, i)->row_goes_on, i < 3);
    }
    assert_sent(rig, 4, READ, 8, 212);
    assert_sent(rig, 5, READ, 12, 512);
    ck_assert_uint_eq(unit_count(rig->slice, "cleaned_ahead"), 4);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 4);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_written_back"), (4 + 2 + 4 + 4) * 32);
}
END_TEST

/* Line 0 with the store of line 4, two more a cycle behind it, and then the last. */
START_TEST(a_row_takes_as_many_look_ups_as_there_are)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {20, WRITE, 1, 15, 0, 20 + HIT},
                                       {40, WRITE, 2, 15, 0, 40 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT}};
    static const uint64_t row[] = {0, 1, 2, 4}, sent[] = {62, 63, 63, 64};
    g_autoptr(Rig) rig =
        rig_new(SMALL "clean_ahead = row; lookups_per_interval = 2", (Surroundings){0});
    RUN(rig, requests);
    for (guint i = 0; i < G_N_ELEMENTS(row); i++) assert_sent(rig, i, WRITE, row[i], sent[i]);
}
END_TEST

/* The look-ups of the row go before that of line 8's store, which comes a cycle behind line 4's. */
START_TEST(a_request_waits_for_the_look_ups_of_the_row)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {20, WRITE, 1, 15, 0, 20 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {51, WRITE, 8, 15, 0, 54 + HIT}};
    g_autoptr(Rig) rig = rig_new(SMALL "clean_ahead = row", (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "cleaned_ahead"), 3);
}
END_TEST

static void assert_writes(const Rig *rig, guint index, const uint64_t *lines, guint count)
{
    for (guint i = 0; i < count; i++) {
        const Transaction *sent = far_side_transaction(rig->dram, index + i);
        ck_assert_int_eq(sent->type, WRITE);
        ck_assert_uint_eq(sent->local / 128, lines[i]);
    }
}

/* Of 16 lines in two rows the first row goes at once, when line 16 makes line 0 the next; behind it
 * goes of the second one, whose turn line 24 brings, a line for each that becomes dirty, lines 24
 * and 17, or is evicted dirty, line 10 for line 42. */
START_TEST(no_more_lines_are_cleaned_ahead_than_become_dirty)
{
    enum { DIRTY = 16 };
    static const Request later[] = {{200, WRITE, 16, 15, 0, 200 + HIT},
                                    {300, WRITE, 24, 15, 0, 300 + HIT},
                                    {400, WRITE, 17, 15, 0, 400 + HIT},
                                    {500, READ, 26, 1, 0, 500 + MISS},
                                    {700, READ, 42, 1, 0, 700 + MISS}};
    static const uint64_t first[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, evicted[] = {10}, last[] = {11};
    Request requests[DIRTY + G_N_ELEMENTS(later)];
    for (uint64_t i = 0; i < DIRTY; i++)
        requests[i] = (Request){10 + 10 * i, WRITE, i, 15, 0, 10 + 10 * i + HIT};
    memcpy(requests + DIRTY, later, sizeof later);
    g_autoptr(Rig) rig = rig_new("capacity = 4 KiB; ways = 2; fill_bytes = 32 B; "
                                 "clean_ahead = row",
                                 (Surroundings){0});
    RUN(rig, requests);
    assert_writes(rig, 0, first, G_N_ELEMENTS(first));
    assert_sent(rig, 7, WRITE, 7, 220);
    assert_sent(rig, 8, WRITE, 8, 313);
    assert_sent(rig, 9, WRITE, 9, 413);
    assert_sent(rig, 10, READ, 26, 512);
    assert_writes(rig, 11, evicted, 1);
    assert_sent(rig, 12, READ, 42, 712);
    assert_writes(rig, 13, last, 1);
    ck_assert_uint_eq(unit_count(rig->slice, "cleaned_ahead"), 11);
}
END_TEST

START_TEST(rows_are_cleaned_only_where_written_data_goes_at_once)
{
    expect_refusal("written_data = line; clean_ahead = row",
                   "l2_slice.clean_ahead = row: only with written_data = scheduler");
    expect_refusal("completion = blocking; clean_ahead = row", "'blocking'");
}
END_TEST

START_TEST(without_cleaning_ahead_only_the_evicted_line_is_written)
{
    static const Request requests[] = {{10, WRITE, 0, 15, 0, 10 + HIT},
                                       {20, WRITE, 1, 15, 0, 20 + HIT},
                                       {50, WRITE, 4, 15, 0, 50 + HIT},
                                       {200, READ, 8, 1, 0, 200 + MISS}};
    g_autoptr(Rig) rig = rig_new(SMALL, (Surroundings){0});
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "cleaned_ahead"), 0);
    ck_assert_uint_eq(unit_count(rig->slice, "write_backs"), 1);
}
END_TEST

HARNESS_MAIN("l2_cleaning", the_row_of_the_line_that_would_go_next_is_written_ahead,
             a_row_takes_as_many_look_ups_as_there_are, a_request_waits_for_the_look_ups_of_the_row,
             no_more_lines_are_cleaned_ahead_than_become_dirty,
             rows_are_cleaned_only_where_written_data_goes_at_once,
             without_cleaning_ahead_only_the_evicted_line_is_written)
