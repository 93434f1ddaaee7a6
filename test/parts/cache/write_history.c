#include "parts/cache/write_history.h"

#include "rigs/harness.h"

START_TEST(a_line_is_found_once_it_was_added)
{
    WriteHistory history;
    write_history_init(&history, 4);
    ck_assert_uint_eq(write_history_find(&history, 0), WRITE_HISTORY_NONE);
    const uint32_t index = write_history_find_or_add(&history, 0);
    ck_assert_uint_eq(write_history_find(&history, 0), index);
    ck_assert_uint_eq(write_history_find_or_add(&history, 0), index);
    ck_assert_uint_eq(write_history_find(&history, 128), WRITE_HISTORY_NONE);
    for (uint32_t s = 0; s < 4; s++) ck_assert(!write_history_sector(&history, index, s)->written);
    write_history_finish(&history);
}
END_TEST

START_TEST(a_history_grows_and_forgets_nothing)
{
    enum { LINES = 20000 };
    WriteHistory history;
    write_history_init(&history, 2);
    for (uint64_t i = 0; i < LINES; i++) {
        const uint32_t index = write_history_find_or_add(&history, i * 4096);
        write_history_sector(&history, index, 1)->at = i;
        ck_assert_uint_eq(write_history_sector(&history, index, 0)->at, 0);
    }
    for (uint64_t i = 0; i < LINES; i++) {
        const uint32_t index = write_history_find(&history, i * 4096);
        ck_assert_uint_ne(index, WRITE_HISTORY_NONE);
        ck_assert_uint_eq(write_history_sector(&history, index, 1)->at, i);
    }
    ck_assert_uint_eq(history.count, LINES);
    write_history_finish(&history);
}
END_TEST

HARNESS_MAIN("write_history", a_line_is_found_once_it_was_added,
             a_history_grows_and_forgets_nothing)
