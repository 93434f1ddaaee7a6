#include "parts/scoreboard.h"

#include <check.h>

#include "harness.h"

START_TEST(a_load_holds_its_registers_until_it_ends)
{
    Scoreboard board = {.results = 0};
    ck_assert(!scoreboard_is_loading(&board, 0, SCOREBOARD_REGISTERS));
    scoreboard_start_load(&board, 10, 4);
    ck_assert(!scoreboard_is_loading(&board, 9, 1));
    for (uint32_t r = 10; r < 14; r++) ck_assert(scoreboard_is_loading(&board, r, 1));
    ck_assert(!scoreboard_is_loading(&board, 14, 1));
    ck_assert(scoreboard_is_loading(&board, 8, 3));
    ck_assert(scoreboard_is_loading(&board, 13, 8));
    scoreboard_end_load(&board, 10, 2);
    ck_assert(!scoreboard_is_loading(&board, 10, 2));
    ck_assert(scoreboard_is_loading(&board, 10, 3));
    scoreboard_end_load(&board, 12, 2);
    ck_assert(!scoreboard_is_loading(&board, 0, SCOREBOARD_REGISTERS));
}
END_TEST

START_TEST(every_register_has_a_bit_of_its_own)
{
    for (uint32_t loaded = 0; loaded < SCOREBOARD_REGISTERS; loaded++) {
        Scoreboard board = {.results = 0};
        scoreboard_start_load(&board, loaded, 1);
        for (uint32_t r = 0; r < SCOREBOARD_REGISTERS; r++)
            ck_assert_int_eq(scoreboard_is_loading(&board, r, 1), r == loaded);
    }
}
END_TEST

START_TEST(register_none_is_never_held)
{
    Scoreboard board = {.results = 0};
    scoreboard_start_load(&board, 255, 1);
    scoreboard_start_load(&board, 254, 2);
    ck_assert(!scoreboard_is_loading(&board, 255, 1));
    ck_assert(scoreboard_is_loading(&board, 254, 1));
    ck_assert_uint_eq(scoreboard_note_result(&board, 255, 1, 100, 3), 3);
    ck_assert_uint_eq(scoreboard_note_result(&board, 7, 0, 100, 3), 3);
    ck_assert_uint_eq(board.results, 0);
}
END_TEST

START_TEST(a_reader_waits_for_the_latest_result_among_its_registers)
{
    Scoreboard board = {.results = 0};
    ck_assert_uint_eq(scoreboard_note_result(&board, 4, 1, 20, 10), 10);
    ck_assert_uint_eq(scoreboard_note_result(&board, 5, 2, 30, 11), 11);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 3, 1, 12), 12);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 4, 1, 12), 20);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 6, 1, 12), 30);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 7, 1, 12), 12);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 3, 2, 12), 20);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 4, 2, 12), 30);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 4, 1, 25), 25);
}
END_TEST

START_TEST(a_second_result_of_a_register_does_not_hide_a_later_first_one)
{
    Scoreboard board = {.results = 0};
    scoreboard_note_result(&board, 4, 1, 40, 10);
    scoreboard_note_result(&board, 4, 1, 15, 11);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 4, 1, 12), 40);
}
END_TEST

START_TEST(results_that_are_there_make_room_for_others)
{
    Scoreboard board = {.results = 0};
    for (uint64_t i = 0; i < SCOREBOARD_RESULTS; i++)
        ck_assert_uint_eq(scoreboard_note_result(&board, 10 + (uint32_t)i, 1, 20 + i, 10), 10);
    ck_assert_uint_eq(board.results, SCOREBOARD_RESULTS);
    ck_assert_uint_eq(scoreboard_note_result(&board, 30, 1, 50, 20), 20);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 10, 1, 20), 20);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 15, 1, 20), 25);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 30, 1, 20), 50);
}
END_TEST

START_TEST(too_many_results_hold_up_issue_until_the_first_of_them_is_there)
{
    Scoreboard board = {.results = 0};
    for (uint64_t i = 0; i < SCOREBOARD_RESULTS; i++)
        scoreboard_note_result(&board, 10 + (uint32_t)i, 1, 100 + i, 10);
    ck_assert_uint_eq(scoreboard_note_result(&board, 30, 1, 120, 11), 100);
    ck_assert_uint_eq(board.results, SCOREBOARD_RESULTS);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 11, 1, 100), 101);
    ck_assert_uint_eq(scoreboard_ready_at(&board, 30, 1, 100), 120);
    ck_assert_uint_eq(scoreboard_note_result(&board, 31, 1, 130, 100), 101);
}
END_TEST

HARNESS_MAIN("scoreboard", a_load_holds_its_registers_until_it_ends,
             every_register_has_a_bit_of_its_own, register_none_is_never_held,
             a_reader_waits_for_the_latest_result_among_its_registers,
             a_second_result_of_a_register_does_not_hide_a_later_first_one,
             results_that_are_there_make_room_for_others,
             too_many_results_hold_up_issue_until_the_first_of_them_is_there)
