#include <string.h>

#include "rigs/toy_unit.h"

/* Takes a message only after one has been sent: two of these wait for each other. */
static void send_before_taking(Toy *toy, Time now)
{
    if (toy->note == 0) {
        toy_send(toy, 0, now);
        toy->note = 1;
    }
    if (!channel_ready(&toy->out.at[0], now)) {
        channel_await(&toy->out.at[0], now);
        return;
    }
    for (uint32_t i = 0; i < toy->in.count; i++) toy_drain(toy, i, now);
}

static void expect_text(Harness *harness, const char *wanted)
{
    g_autofree char *text = simulation_describe_deadlock(harness->simulation);
    ck_assert_msg(strstr(text, wanted), "no '%s' in: %s", wanted, text);
}

static Harness *run_ring(uint32_t length)
{
    static const char *const names[] = {"apple", "pear", "plum", "quince"};
    Harness *harness = harness_new();
    Toy *toys[G_N_ELEMENTS(names)];
    for (uint32_t i = 0; i < length; i++) {
        toys[i] = toy_new(harness, names[i], 1, 1);
        toys[i]->first = 1 + i;
        toys[i]->act = send_before_taking;
    }
    for (uint32_t i = 0; i < length; i++)
        toy_connect(harness, toys[i], toys[(i + 1) % length], (Path){.capacity = 1, .delay = 3});
    ck_assert_int_eq(harness_run(harness), RUN_DEADLOCK);
    return harness;
}

/* The last event is the arrival at 2 + 3. */
START_TEST(two_units_that_wait_for_each_others_places_are_a_deadlock)
{
    Harness *harness = run_ring(2);
    expect_text(harness, "nothing can move any more at 5.000 ns, and work is left\n");
    expect_text(harness, "units that wait for each other: apple -> pear -> apple\n");
    expect_text(harness, "  apple: messages it has not taken; waits for pear\n");
    expect_text(harness, "  pear: messages it has not taken; waits for apple\n");
    harness_free(harness);
}
END_TEST

START_TEST(a_longer_cycle_is_named_in_the_order_of_waiting)
{
    Harness *harness = run_ring(4);
    expect_text(harness, "apple -> pear -> plum -> quince -> apple\n");
    harness_free(harness);
}
END_TEST

/* A unit that waits for the cycle is not part of it. */
START_TEST(only_the_units_of_the_cycle_are_named_as_one)
{
    Harness *harness = harness_new();
    Toy *outside = toy_new(harness, "outside", 0, 1);
    Toy *left = toy_new(harness, "left", 2, 1), *right = toy_new(harness, "right", 1, 1);
    toy_connect(harness, outside, left, (Path){.capacity = 1, .delay = 1, .input_index = 1});
    toy_connect(harness, left, right, (Path){.capacity = 1, .delay = 3});
    toy_connect(harness, right, left, (Path){.capacity = 1, .delay = 3});
    outside->act = left->act = right->act = send_before_taking;
    outside->first = left->first = right->first = 1;
    ck_assert_int_eq(harness_run(harness), RUN_DEADLOCK);
    expect_text(harness, "units that wait for each other: left -> right -> left\n");
    harness_free(harness);
}
END_TEST

static bool wait_for_godot(Unit *unit, GString *what)
{
    (void)unit;
    g_string_append(what, "two friends at a tree");
    return true;
}

START_TEST(work_that_nobody_can_finish_is_a_deadlock_without_a_cycle)
{
    UnitClass patient = toy_class;
    patient.unfinished = wait_for_godot;
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "road", 0, 0);
    toy->unit.class = &patient;
    toy->first = 7;
    ck_assert_int_eq(harness_run(harness), RUN_DEADLOCK);
    expect_text(harness, "nothing can move any more at 7.000 ns, and work is left\n");
    expect_text(harness, "no cycle of waiting units: something was never delivered\n");
    expect_text(harness, "  road: two friends at a tree\n");
    harness_free(harness);
}
END_TEST

static void drain_input(Toy *toy, Time now)
{
    toy_drain(toy, 0, now);
}

START_TEST(a_run_that_leaves_nothing_is_finished)
{
    Harness *harness = harness_new();
    Toy *sender = toy_new(harness, "sender", 0, 1), *receiver = toy_new(harness, "receiver", 1, 0);
    toy_connect(harness, sender, receiver, (Path){.capacity = 1, .delay = 3});
    sender->first = 1;
    sender->act = send_before_taking;
    receiver->act = drain_input;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    harness_free(harness);
}
END_TEST

HARNESS_MAIN("deadlock", two_units_that_wait_for_each_others_places_are_a_deadlock,
             a_longer_cycle_is_named_in_the_order_of_waiting,
             only_the_units_of_the_cycle_are_named_as_one,
             work_that_nobody_can_finish_is_a_deadlock_without_a_cycle,
             a_run_that_leaves_nothing_is_finished)
