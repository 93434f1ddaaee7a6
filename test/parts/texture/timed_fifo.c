/* The FIFO whose entries come and go at computed times. */
#include "parts/texture/timed_fifo.h"
#include "rigs/harness.h"

/* With two places the third entry comes when the first has left, and nobody knows when that is
 * until it has been told. */
START_TEST(an_entry_comes_when_its_place_has_been_left)
{
    TimedFifo fifo;
    timed_fifo_init(&fifo, 2);
    ck_assert_uint_eq(timed_fifo_free_at(&fifo), 0);
    timed_fifo_enter(&fifo, 10);
    ck_assert_uint_eq(timed_fifo_free_at(&fifo), 0);
    timed_fifo_enter(&fifo, 11);
    ck_assert_uint_eq(timed_fifo_free_at(&fifo), TIMED_FIFO_UNKNOWN);
    ck_assert_uint_eq(fifo.in - fifo.out, 2);
    timed_fifo_leave(&fifo, 30);
    ck_assert_uint_eq(timed_fifo_free_at(&fifo), 30);
    timed_fifo_enter(&fifo, 30);
    ck_assert_uint_eq(timed_fifo_free_at(&fifo), TIMED_FIFO_UNKNOWN);
    ck_assert_uint_eq(timed_fifo_last_left(&fifo), 30);
    timed_fifo_finish(&fifo);
}
END_TEST

/* Comings at 10, 20, 20; leavings at 15, 20: of one time the leaving first, but nobody leaves
 * before coming. */
START_TEST(changes_are_read_back_in_order_of_time)
{
    static const TimedChange expected[] = {
        {10, 10, false}, {15, 10, true}, {20, 20, false}, {20, 20, true}, {20, 20, false}};
    TimedFifo fifo;
    TimedChange change;
    timed_fifo_init(&fifo, 4);
    timed_fifo_enter(&fifo, 10);
    timed_fifo_enter(&fifo, 20);
    timed_fifo_enter(&fifo, 20);
    timed_fifo_leave(&fifo, 15);
    timed_fifo_leave(&fifo, 20);
    ck_assert(!timed_fifo_read(&fifo, 9, &change));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        ck_assert(timed_fifo_read(&fifo, i < 2 ? 19 : 20, &change));
        ck_assert_uint_eq(change.at, expected[i].at);
        ck_assert_uint_eq(change.came, expected[i].came);
        ck_assert_int_eq(change.leaves, expected[i].leaves);
        if (i == 1) ck_assert(!timed_fifo_read(&fifo, 19, &change));
    }
    ck_assert(!timed_fifo_read(&fifo, UINT64_MAX - 1, &change));
    timed_fifo_finish(&fifo);
}
END_TEST

/* As where a unit has no use for it; checked with the sanitizer that knows null pointers. */
START_TEST(a_fifo_that_was_never_initialised_has_nothing_to_be_read)
{
    TimedFifo fifo = {.entry = NULL};
    TimedChange change;
    ck_assert(!timed_fifo_read(&fifo, UINT64_MAX - 1, &change));
    ck_assert_uint_eq(timed_fifo_last_left(&fifo), 0);
    timed_fifo_finish(&fifo);
}
END_TEST

/* Nothing is read back until 1000 entries have passed through two places. */
START_TEST(what_is_not_read_back_is_kept)
{
    TimedFifo fifo;
    TimedChange change;
    timed_fifo_init(&fifo, 2);
    for (uint64_t i = 0; i < 1000; i++) {
        ck_assert_uint_eq(timed_fifo_free_at(&fifo), i < 2 ? 0 : 10 * (i - 2) + 5);
        timed_fifo_enter(&fifo, 10 * i);
        timed_fifo_leave(&fifo, 10 * i + 5);
    }
    for (uint64_t i = 0; i < 2000; i++) {
        ck_assert(timed_fifo_read(&fifo, 100000, &change));
        ck_assert_uint_eq(change.at, 5 * i);
        ck_assert_uint_eq(change.came, i / 2 * 10);
        ck_assert_int_eq(change.leaves, i % 2);
    }
    timed_fifo_finish(&fifo);
}
END_TEST

HARNESS_MAIN("timed_fifo", an_entry_comes_when_its_place_has_been_left,
             changes_are_read_back_in_order_of_time, what_is_not_read_back_is_kept,
             a_fifo_that_was_never_initialised_has_nothing_to_be_read)
