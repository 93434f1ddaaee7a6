#include "rigs/toy_unit.h"

static Time cycles(const Toy *toy, uint64_t count)
{
    return clock_cycles(toy->unit.clock, count);
}

static void send_to_all(Toy *toy, Time now)
{
    for (uint32_t i = 0; i < toy->out.count; i++) toy_send(toy, i, now);
}

static void send_twice(Toy *toy, Time now)
{
    send_to_all(toy, now);
    send_to_all(toy, now);
}

static void drain_all(Toy *toy, Time now)
{
    for (uint32_t i = 0; i < toy->in.count; i++) toy->note += toy_drain(toy, i, now);
}

/* --- activation --- */

static void expect_three_ports_at_once(Toy *toy, Time now)
{
    ck_assert_uint_eq(toy->unit.fresh_count, 3);
    ck_assert_uint_eq(now, cycles(toy, 10));
    for (uint16_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(toy->unit.fresh[i], i);
        ck_assert_uint_eq(toy->in.at[i].count, i == 1 ? 2 : 1);
    }
    drain_all(toy, now);
}

/* Port 0 is fed by the unit that is built last; port 1 gets two messages of one sender. */
START_TEST(a_unit_is_stepped_once_a_time_and_sees_all_that_is_due)
{
    Harness *harness = harness_new();
    Toy *receiver = toy_new(harness, "receiver", 3, 0);
    Toy *early = toy_new(harness, "early", 0, 1), *late = toy_new(harness, "late", 0, 1);
    Toy *third = toy_new(harness, "third", 0, 1);
    toy_connect(harness, early, receiver, (Path){.delay = 9, .input_index = 1});
    toy_connect(harness, late, receiver, (Path){.delay = 5, .input_index = 2});
    toy_connect(harness, third, receiver, (Path){.delay = 2, .input_index = 0});
    receiver->act = expect_three_ports_at_once;
    early->act = send_twice;
    late->act = third->act = send_to_all;
    early->first = 1;
    late->first = 5;
    third->first = 8;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(receiver, 10);
    ck_assert_uint_eq(receiver->unit.events, 4);
    harness_free(harness);
}
END_TEST

/* As SimGrid's, between the ports that channels feed. */
static void be_carried_one(Toy *toy, Time now)
{
    if (toy_cycle(toy, now) == 1) {
        Message *carried = unit_new(&toy->unit, MESSAGE_TRANSACTION);
        inbox_receive(&toy->unit.inbox, cycles(toy, 10), UINT64_C(1) << 48, carried);
        inbox_receive_credit(&toy->unit.inbox, cycles(toy, 10));
        inbox_receive_credit(&toy->unit.inbox, cycles(toy, 12));
        inbox_receive_credit(&toy->unit.inbox, cycles(toy, 15));
    }
    if (toy_cycle(toy, now) == 10)
        for (uint16_t i = 0; i < 3; i++) ck_assert_uint_eq(toy->unit.fresh[i], i);
    drain_all(toy, now);
}

/* At 10 with a credit and what channels bring; at 12 and 15 a credit alone. */
START_TEST(what_is_carried_comes_in_the_order_of_ports_and_credits_besides)
{
    Harness *harness = harness_new();
    Toy *receiver = toy_new(harness, "receiver", 3, 0);
    Toy *first = toy_new(harness, "first", 0, 1), *last = toy_new(harness, "last", 0, 1);
    toy_connect(harness, first, receiver, (Path){.delay = 8, .input_index = 0});
    toy_connect(harness, last, receiver, (Path){.delay = 5, .input_index = 2});
    first->first = 2;
    last->first = 5;
    receiver->first = 1;
    receiver->act = be_carried_one;
    first->act = last->act = send_to_all;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(receiver, 1, 10, 12, 15);
    ck_assert_uint_eq(receiver->note, 3);
    ck_assert_uint_eq(receiver->unit.events, 6);
    harness_free(harness);
}
END_TEST

static void ask_for_ten(Toy *toy, Time now)
{
    drain_all(toy, now);
    if (toy_cycle(toy, now) < 10) unit_wake_at(&toy->unit, cycles(toy, 10));
}

START_TEST(a_wake_up_merges_with_a_message_of_its_time)
{
    Harness *harness = harness_new();
    Toy *sender = toy_new(harness, "sender", 0, 1), *receiver = toy_new(harness, "receiver", 1, 0);
    toy_connect(harness, sender, receiver, (Path){.delay = 6});
    sender->first = 4;
    sender->act = send_to_all;
    receiver->first = 2;
    receiver->act = ask_for_ten;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(receiver, 2, 10);
    ck_assert_uint_eq(receiver->unit.events, 2);
    harness_free(harness);
}
END_TEST

static void ask_once_for_ten(Toy *toy, Time now)
{
    drain_all(toy, now);
    if (toy_cycle(toy, now) == 2) unit_wake_at(&toy->unit, cycles(toy, 10));
}

START_TEST(a_wake_up_stays_when_a_message_comes_before_it)
{
    Harness *harness = harness_new();
    Toy *sender = toy_new(harness, "sender", 0, 1), *receiver = toy_new(harness, "receiver", 1, 0);
    toy_connect(harness, sender, receiver, (Path){.delay = 3});
    sender->first = 4;
    sender->act = send_to_all;
    receiver->first = 2;
    receiver->act = ask_once_for_ten;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(receiver, 2, 7, 10);
    harness_free(harness);
}
END_TEST

static void ask_for_twenty_and_ten(Toy *toy, Time now)
{
    if (now > cycles(toy, 1)) return;
    unit_wake_at(&toy->unit, cycles(toy, 20));
    unit_wake_at(&toy->unit, cycles(toy, 10));
    unit_wake_at(&toy->unit, cycles(toy, 15));
}

START_TEST(the_earliest_wake_up_replaces_the_others)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "toy", 0, 0);
    toy->first = 1;
    toy->act = ask_for_twenty_and_ten;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(toy, 1, 10);
    ck_assert_uint_eq(harness->report.end, cycles(toy, 10));
    ck_assert_uint_eq(harness->report.events, 2);
    harness_free(harness);
}
END_TEST

/* Awaits the place of its first message, and asks for a wake-up at 9 besides. */
static void await_and_ask_for_nine(Toy *toy, Time now)
{
    if (toy_cycle(toy, now) == 1) {
        toy_send(toy, 0, now);
        channel_await(&toy->out.at[0], now);
        unit_wake_at(&toy->unit, cycles(toy, 9));
    }
    if (channel_ready(&toy->out.at[0], now)) toy->note = toy_cycle(toy, now);
}

/* Taken at 5, free at 12. */
START_TEST(a_credit_is_not_lost_behind_an_earlier_wake_up)
{
    Harness *harness = harness_new();
    Toy *sender = toy_new(harness, "sender", 0, 1), *receiver = toy_new(harness, "receiver", 1, 0);
    toy_connect(harness, sender, receiver, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    sender->first = 1;
    sender->act = await_and_ask_for_nine;
    receiver->act = drain_all;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(sender, 1, 9, 12);
    ck_assert_uint_eq(sender->note, 12);
    harness_free(harness);
}
END_TEST

static void ask_for_now(Toy *toy, Time now)
{
    unit_wake_at(&toy->unit, now);
}

START_TEST(a_wake_up_that_is_not_later_is_our_mistake)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "toy", 0, 0);
    toy->first = 1;
    toy->act = ask_for_now;
    harness_run(harness);
}
END_TEST

/* --- boundaries --- */

enum { BOUNDARY_DELAY = 10 };

static const Launch measured = {.measured = true}, warm_up = {.measured = false};

/* At cycle 3: a warm-up kernel from 13 to 15, a measured one from 20 to 30. */
static void announce_two_kernels(Toy *toy, Time now)
{
    const Boundary boundaries[] = {
        {.at = cycles(toy, 13), .kind = BOUNDARY_KERNEL_START, .launch = &warm_up},
        {.at = cycles(toy, 15), .kind = BOUNDARY_KERNEL_END, .launch = &warm_up},
        {.at = cycles(toy, 20), .kind = BOUNDARY_KERNEL_START, .launch = &measured},
        {.at = cycles(toy, 30), .kind = BOUNDARY_KERNEL_END, .launch = &measured}};
    ck_assert_uint_eq(now, cycles(toy, 3));
    for (guint i = 0; i < G_N_ELEMENTS(boundaries); i++) unit_announce(&toy->unit, &boundaries[i]);
}

static void step_each_cycle(Toy *toy, Time now)
{
    toy->note++;
    if (toy_cycle(toy, now) < 40) unit_wake_at(&toy->unit, now + cycles(toy, 1));
}

static void expect_all_before_stepped(Toy *toy, const Boundary *boundary)
{
    const uint64_t cycle = toy_cycle(toy, boundary->at);
    ck_assert_uint_eq(toy->steps->len, cycle - 1); /* 1 ... cycle - 1 */
    ck_assert_uint_eq(toy->unit.inbox.now, boundary->at);
}

static void count_crossings(Toy *toy, const Boundary *boundary)
{
    (void)boundary;
    toy->unit.random++;
}

typedef struct {
    Harness *harness;
    Toy *announcer, *busy, *idle;
} Kernels;

static Kernels run_boundaries(uint32_t tiles)
{
    Kernels run = {.harness = harness_new()};
    run.announcer = toy_new(run.harness, "announcer", 0, 0);
    run.busy = toy_new(run.harness, "busy", 0, 0);
    run.idle = toy_new(run.harness, "idle", 0, 0);
    run.announcer->first = 3;
    run.announcer->act = announce_two_kernels;
    run.busy->first = 1;
    run.busy->act = step_each_cycle;
    run.busy->cross = expect_all_before_stepped;
    run.idle->cross = count_crossings;
    run.idle->unit.random = 0;
    simulation_set_boundary_delay(run.harness->simulation, cycles(run.busy, BOUNDARY_DELAY));
    const Seat seat[] = {{.tile = 0}, {.tile = 1 % tiles}, {.tile = 2 % tiles}};
    const RunPlan plan = {.seat = seat, .tiles = tiles};
    g_autoptr(GError) error = toy_run_on_tiles(run.harness, &plan);
    ck_assert_ptr_null(error);
    return run;
}

START_TEST(a_boundary_is_crossed_before_any_event_of_its_time)
{
    Kernels run = run_boundaries((uint32_t)_i);
    ck_assert_int_eq(run.harness->report.outcome, RUN_FINISHED);
    ck_assert_uint_eq(run.busy->steps->len, 40);
    ck_assert_uint_eq(run.idle->unit.random, 4);
    if (_i > 1) ck_assert_uint_eq(run.harness->report.lookahead, cycles(run.busy, BOUNDARY_DELAY));
    harness_free(run.harness);
}
END_TEST

/* Steps 20 ... 29 lie in the measured kernel; at its end what was counted is copied. */
START_TEST(statistics_begin_with_the_first_measured_kernel_and_are_kept_at_its_end)
{
    Kernels run = run_boundaries((uint32_t)_i);
    const Toy *kept = unit_measured(&run.busy->unit);
    ck_assert_ptr_ne(kept, run.busy);
    ck_assert_uint_eq(kept->note, 10);
    ck_assert_uint_eq(run.busy->note, 21); /* 20 ... 40 */
    harness_free(run.harness);
}
END_TEST

/* --- the end of a run --- */

static StageSums kept;

static void account_for_one_stage_too_many(Toy *toy, Time now)
{
    Transaction *transaction = unit_new(&toy->unit, MESSAGE_TRANSACTION);
    for (Time i = 0; i < 2 * STAGE_COUNT; i++)
        transaction_enter_slowly(transaction, (Stage)(i % STAGE_COUNT), now + i * STAGE_LONG);
    unit_account(&toy->unit, transaction, TIME_NEVER, &kept);
}

START_TEST(a_request_that_was_in_more_stages_than_it_can_note_ends_the_run)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "sm[1].l1", 0, 0);
    toy->first = 3;
    toy->act = account_for_one_stage_too_many;
    g_autoptr(GError) error = harness_run_for_error(harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message,
                     "sm[1].l1 at 3.000 ns: a request was in more stages than it can note "
                     "(this is a defect of the model, not of the scenario)");
    harness_free(harness);
}
END_TEST

static void fail_at_five(Toy *toy, Time now)
{
    if (toy_cycle(toy, now) == 5) unit_fail(&toy->unit, "%d apples are missing", 3);
    unit_wake_at(&toy->unit, now + cycles(toy, 1));
}

START_TEST(a_broken_invariant_ends_the_run_with_unit_time_and_text)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "orchard[2].tree", 0, 0);
    toy->first = 1;
    toy->act = fail_at_five;
    g_autoptr(GError) error = harness_run_for_error(harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message, "orchard[2].tree at 5.000 ns: 3 apples are missing (this is a "
                                     "defect of the model, not of the scenario)");
    ck_assert_int_eq(harness->report.outcome, RUN_FAILED);
    TOY_EXPECT_STEPS(toy, 1, 2, 3, 4, 5);
    harness_free(harness);
}
END_TEST

static void reject_at_five(Toy *toy, Time now)
{
    if (toy_cycle(toy, now) == 5)
        unit_reject_input(&toy->unit, g_error_new(PARAM_ERROR, 0, "trace.txt:7: no such thing"));
    unit_wake_at(&toy->unit, now + cycles(toy, 1));
}

START_TEST(broken_input_ends_the_run_with_the_users_error)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "toy", 0, 0);
    toy->first = 1;
    toy->act = reject_at_five;
    g_autoptr(GError) error = harness_run_for_error(harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message, "trace.txt:7: no such thing");
    ck_assert_int_eq(harness->report.outcome, RUN_BAD_INPUT);
    harness_free(harness);
}
END_TEST

static Simulation *interrupted;

static void interrupt_at_five(Toy *toy, Time now)
{
    if (toy_cycle(toy, now) == 5) simulation_interrupt(interrupted);
    unit_wake_at(&toy->unit, now + cycles(toy, 1));
}

/* A single tile has windows of 1 us. */
START_TEST(an_interrupted_run_ends_with_its_window)
{
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "toy", 0, 0);
    toy->first = 1;
    toy->act = interrupt_at_five;
    interrupted = harness->simulation;
    ck_assert_int_eq(harness_run(harness), RUN_INTERRUPTED);
    ck_assert_uint_eq(harness->report.end, cycles(toy, 999));
    harness_free(harness);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("tile");
    tcase_add_test(cases, a_unit_is_stepped_once_a_time_and_sees_all_that_is_due);
    tcase_add_test(cases, what_is_carried_comes_in_the_order_of_ports_and_credits_besides);
    tcase_add_test(cases, a_wake_up_merges_with_a_message_of_its_time);
    tcase_add_test(cases, a_wake_up_stays_when_a_message_comes_before_it);
    tcase_add_test(cases, the_earliest_wake_up_replaces_the_others);
    tcase_add_test(cases, a_credit_is_not_lost_behind_an_earlier_wake_up);
    tcase_add_test_raise_signal(cases, a_wake_up_that_is_not_later_is_our_mistake, SIGABRT);
    tcase_add_loop_test(cases, a_boundary_is_crossed_before_any_event_of_its_time, 1, 4);
    tcase_add_loop_test(
        cases, statistics_begin_with_the_first_measured_kernel_and_are_kept_at_its_end, 1, 4);
    tcase_add_test(cases, a_broken_invariant_ends_the_run_with_unit_time_and_text);
    tcase_add_test(cases, a_request_that_was_in_more_stages_than_it_can_note_ends_the_run);
    tcase_add_test(cases, broken_input_ends_the_run_with_the_users_error);
    tcase_add_test(cases, an_interrupted_run_ends_with_its_window);
    Suite *suite = suite_create("tile");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
