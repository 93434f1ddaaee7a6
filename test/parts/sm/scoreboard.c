#include "parts/sm/scoreboard.h"

#include <check.h>

#include "rigs/harness.h"

/* When an instruction that writes these registers may issue. */
static uint64_t ready_at(const Scoreboard *board, uint32_t first, uint32_t count, uint64_t earliest)
{
    const ScoreboardNeeds needs = {.destination = first, .destination_count = count};
    return scoreboard_may_issue_at(board, &needs, earliest);
}

START_TEST(a_load_holds_its_registers_until_it_ends)
{
    Scoreboard board;
    memset(&board, 0xa5, sizeof board);
    scoreboard_clear(&board);
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
    ck_assert_uint_eq(ready_at(&board, 3, 1, 12), 12);
    ck_assert_uint_eq(ready_at(&board, 4, 1, 12), 20);
    ck_assert_uint_eq(ready_at(&board, 6, 1, 12), 30);
    ck_assert_uint_eq(ready_at(&board, 7, 1, 12), 12);
    ck_assert_uint_eq(ready_at(&board, 3, 2, 12), 20);
    ck_assert_uint_eq(ready_at(&board, 4, 2, 12), 30);
    ck_assert_uint_eq(ready_at(&board, 4, 1, 25), 25);
}
END_TEST

START_TEST(a_second_result_of_a_register_does_not_hide_a_later_first_one)
{
    Scoreboard board = {.results = 0};
    scoreboard_note_result(&board, 4, 1, 40, 10);
    scoreboard_note_result(&board, 4, 1, 15, 11);
    ck_assert_uint_eq(ready_at(&board, 4, 1, 12), 40);
}
END_TEST

START_TEST(results_that_are_there_make_room_for_others)
{
    Scoreboard board = {.results = 0};
    for (uint64_t i = 0; i < SCOREBOARD_RESULTS; i++)
        ck_assert_uint_eq(scoreboard_note_result(&board, 10 + (uint32_t)i, 1, 20 + i, 10), 10);
    ck_assert_uint_eq(board.results, SCOREBOARD_RESULTS);
    ck_assert_uint_eq(scoreboard_note_result(&board, 30, 1, 50, 20), 20);
    ck_assert_uint_eq(ready_at(&board, 10, 1, 20), 20);
    ck_assert_uint_eq(ready_at(&board, 15, 1, 20), 25);
    ck_assert_uint_eq(ready_at(&board, 30, 1, 20), 50);
}
END_TEST

START_TEST(too_many_results_hold_up_issue_until_the_first_of_them_is_there)
{
    Scoreboard board = {.results = 0};
    for (uint64_t i = 0; i < SCOREBOARD_RESULTS; i++)
        scoreboard_note_result(&board, 10 + (uint32_t)i, 1, 100 + i, 10);
    ck_assert_uint_eq(scoreboard_note_result(&board, 30, 1, 120, 11), 100);
    ck_assert_uint_eq(board.results, SCOREBOARD_RESULTS);
    ck_assert_uint_eq(ready_at(&board, 11, 1, 100), 101);
    ck_assert_uint_eq(ready_at(&board, 30, 1, 100), 120);
    ck_assert_uint_eq(scoreboard_note_result(&board, 31, 1, 130, 100), 101);
}
END_TEST

static const uint8_t two_and_three[] = {2, 3};

START_TEST(an_instruction_waits_for_loads_of_what_it_reads_and_writes)
{
    Scoreboard board = {.results = 0};
    const ScoreboardNeeds needs = {two_and_three, 2, 8, 4, 0};
    ck_assert(!scoreboard_must_wait(&board, &needs));
    const uint32_t touched[] = {2, 3, 8, 11}, others[] = {1, 4, 7, 12};
    for (unsigned i = 0; i < 4; i++) {
        scoreboard_start_load(&board, touched[i], 1);
        ck_assert(scoreboard_must_wait(&board, &needs));
        scoreboard_end_load(&board, touched[i], 1);
        scoreboard_start_load(&board, others[i], 1);
        ck_assert(!scoreboard_must_wait(&board, &needs));
        scoreboard_end_load(&board, others[i], 1);
    }
}
END_TEST

START_TEST(an_instruction_may_need_all_loads)
{
    Scoreboard board = {.results = 0};
    const ScoreboardNeeds none = {.destination_count = 0}, all = {.all = NEEDS_LOADS_DONE};
    scoreboard_start_load(&board, 255, 1);
    scoreboard_start_load(&board, 4, 1);
    ck_assert(!scoreboard_must_wait(&board, &none));
    scoreboard_end_load(&board, 4, 1);
    ck_assert(scoreboard_must_wait(&board, &all));
    scoreboard_end_load(&board, 255, 1);
    ck_assert(!scoreboard_must_wait(&board, &all));
}
END_TEST

START_TEST(a_store_leaves_before_it_is_acknowledged)
{
    Scoreboard board = {.results = 0};
    const ScoreboardNeeds left = {.all = NEEDS_STORES_LEFT},
                          seen = {.all = NEEDS_STORES_ACKNOWLEDGED},
                          all_loads = {.all = NEEDS_LOADS_DONE};
    scoreboard_start_store(&board);
    ck_assert(scoreboard_must_wait(&board, &left) && scoreboard_must_wait(&board, &seen));
    ck_assert(!scoreboard_must_wait(&board, &all_loads));
    scoreboard_release_store(&board, 40);
    ck_assert(!scoreboard_must_wait(&board, &left) && scoreboard_must_wait(&board, &seen));
    scoreboard_acknowledge_store(&board);
    ck_assert(!scoreboard_must_wait(&board, &seen));
}
END_TEST

START_TEST(an_acknowledgement_may_come_before_the_operands_are_said_to_have_been_read)
{
    Scoreboard board = {.results = 0};
    const ScoreboardNeeds left = {.all = NEEDS_STORES_LEFT},
                          seen = {.all = NEEDS_STORES_ACKNOWLEDGED};
    scoreboard_start_store(&board);
    scoreboard_acknowledge_store(&board);
    scoreboard_release_store(&board, 40);
    ck_assert(!scoreboard_must_wait(&board, &left) && !scoreboard_must_wait(&board, &seen));
    scoreboard_start_store(&board);
    ck_assert(scoreboard_must_wait(&board, &left) && scoreboard_must_wait(&board, &seen));
}
END_TEST

/* Only who needs the stores to have left waits for the registers of the latest of them. */
START_TEST(issue_waits_for_results_and_for_the_registers_of_stores)
{
    Scoreboard board = {.results = 0};
    const ScoreboardNeeds reads = {two_and_three, 2, 8, 1, 0};
    const ScoreboardNeeds exits = {.all = NEEDS_STORES_LEFT};
    scoreboard_start_store(&board);
    scoreboard_start_store(&board);
    scoreboard_release_store(&board, 40);
    scoreboard_release_store(&board, 35);
    scoreboard_note_result(&board, 8, 1, 20, 10);
    ck_assert_uint_eq(scoreboard_may_issue_at(&board, &reads, 12), 20);
    scoreboard_note_result(&board, 3, 1, 30, 10);
    ck_assert_uint_eq(scoreboard_may_issue_at(&board, &reads, 12), 30);
    ck_assert_uint_eq(scoreboard_may_issue_at(&board, &reads, 33), 33);
    ck_assert_uint_eq(scoreboard_may_issue_at(&board, &exits, 12), 40);
    ck_assert_uint_eq(scoreboard_may_issue_at(&board, &exits, 41), 41);
}
END_TEST

HARNESS_MAIN("scoreboard", a_load_holds_its_registers_until_it_ends,
             every_register_has_a_bit_of_its_own, register_none_is_never_held,
             a_reader_waits_for_the_latest_result_among_its_registers,
             a_second_result_of_a_register_does_not_hide_a_later_first_one,
             results_that_are_there_make_room_for_others,
             too_many_results_hold_up_issue_until_the_first_of_them_is_there,
             an_instruction_waits_for_loads_of_what_it_reads_and_writes,
             an_instruction_may_need_all_loads, a_store_leaves_before_it_is_acknowledged,
             an_acknowledgement_may_come_before_the_operands_are_said_to_have_been_read,
             issue_waits_for_results_and_for_the_registers_of_stores)
