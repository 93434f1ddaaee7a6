#include "rigs/toy_unit.h"

static const uint64_t slow_hertz = UINT64_C(700000000); /* period 1428571 fs; fast: 1000000 fs */

/* A sender, which is first stepped at its cycle 1, and a receiver. */
typedef struct {
    Harness *harness;
    Toy *sender, *receiver;
} Pair;

typedef enum { SAME_CLOCK, SLOW_SENDER, SLOW_RECEIVER } Clocks;

static Pair pair_new(Clocks clocks, Path path)
{
    Pair pair = {.harness = harness_new()};
    const Clock *fast = pair.harness->clock;
    const Clock *slow = harness_clock(pair.harness, "slow", slow_hertz);
    pair.harness->clock = clocks == SLOW_SENDER ? slow : fast;
    pair.sender = toy_new(pair.harness, "sender", 0, 1);
    pair.harness->clock = clocks == SLOW_RECEIVER ? slow : fast;
    pair.receiver = toy_new(pair.harness, "receiver", 1, 0);
    pair.sender->first = 1;
    toy_connect(pair.harness, pair.sender, pair.receiver, path);
    return pair;
}

static void send_when_ready_each_cycle(Toy *toy, Time now)
{
    if (channel_ready(&toy->out.at[0], now)) {
        toy_send(toy, 0, now);
        toy->note++;
    }
    if (toy_cycle(toy, now) < 60) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

/* --- room --- */

static void fill_and_look(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    for (uint32_t room = 3; room; room--) {
        ck_assert_uint_eq(channel_room(out, now), room);
        ck_assert(channel_ready(out, now));
        toy_send(toy, 0, now);
    }
    ck_assert_uint_eq(channel_room(out, now), 0);
    ck_assert(!channel_ready(out, now));
    ck_assert_uint_eq(out->sequence, 3);
}

START_TEST(a_channel_is_full_when_its_capacity_is_sent)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 3, .delay = 2});
    pair.sender->act = fill_and_look;
    ck_assert_int_eq(harness_run(pair.harness), RUN_DEADLOCK);
    ck_assert_uint_eq(pair.receiver->in.at[0].count, 3);
    harness_free(pair.harness);
}
END_TEST

static void send_a_thousand(Toy *toy, Time now)
{
    for (unsigned i = 0; i < 1000; i++) {
        ck_assert(channel_ready(&toy->out.at[0], now));
        toy_send(toy, 0, now);
    }
    ck_assert_uint_eq(channel_room(&toy->out.at[0], now), UINT32_MAX);
}

START_TEST(a_channel_without_capacity_always_has_room)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.delay = 2});
    pair.sender->act = send_a_thousand;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.receiver->note, 1000);
    TOY_EXPECT_STEPS(pair.receiver, 3);
    harness_free(pair.harness);
}
END_TEST

/* --- credits --- */

static void note_return_of_room(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    if (toy_cycle(toy, now) == 1)
        toy_send(toy, 0, now);
    else if (!toy->note && channel_ready(out, now))
        toy->note = now;
    if (toy_cycle(toy, now) < 60) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

/* Sent at cycle 1, taken at 1 + 4, free again at 5 + 7 */
START_TEST(a_place_is_free_a_credit_delay_after_the_message_is_taken)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = note_return_of_room;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.sender->note, 12 * pair.sender->unit.clock->period);
    harness_free(pair.harness);
}
END_TEST

static void take_with_reason(Toy *toy, Time now)
{
    if (!toy->in.at[0].count) return;
    toy_drain_at_once(toy, now);
    port_give_reason(&toy->in.at[0], 3);
}

/* As above, free again at 12: later it says nothing. */
static void note_reason(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    note_return_of_room(toy, now);
    if (toy->note != now) return;
    ck_assert_uint_eq(channel_reason(out, now - 1), 3);
    ck_assert_uint_eq(channel_reason(out, now), 0);
}

START_TEST(a_receiver_may_say_why_a_place_was_not_free_before)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = note_reason;
    pair.receiver->act = take_with_reason;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.sender->note, 12 * pair.sender->unit.clock->period);
    harness_free(pair.harness);
}
END_TEST

static void take_then_release(Toy *toy, Time now)
{
    Port *port = &toy->in.at[0];
    if (!port->count && !toy->note) return;
    if (!toy->note) {
        Message *message = port_withdraw(port);
        ck_assert_ptr_null(port_withdraw(port));
        unit_free_message(&toy->unit, message);
        toy->note = now;
        unit_wake_at(&toy->unit, now + 9 * toy->unit.clock->period);
        return;
    }
    port_vacate(port, now);
}

/* Sent at cycle 1, taken at 1 + 4, released at 5 + 9, free again at 14 + 7 */
START_TEST(a_place_that_is_held_is_free_a_credit_delay_after_its_release)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = note_return_of_room;
    pair.receiver->act = take_then_release;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.sender->note, 21 * pair.sender->unit.clock->period);
    harness_free(pair.harness);
}
END_TEST

/* Fast to slow: sent at 1.000 ns, due at ceil(5.000 / 1.428571) = 4th edge, 5.714284; + 7 x
 * 1.428571 is 15.714281: 16. Slow to fast: sent at 1.428571, due at ceil(7.142855) = 8.000; + 7
 * is 15.000, at the 11th slow edge 15.714281. */
START_TEST(a_credit_counts_from_the_next_edge_of_the_senders_clock)
{
    const Clocks clocks = _i ? SLOW_SENDER : SLOW_RECEIVER;
    Pair pair = pair_new(clocks, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = note_return_of_room;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.sender->note, _i ? 15714281 : 16000000);
    harness_free(pair.harness);
}
END_TEST

/* With 3 places, a round trip of 4 + 7 cycles and a receiver that takes at once, 3 messages go
 * in 11 cycles: at 1, 2, 3, 12 ... 14, 23 ... 25, 34 ... 36, 45 ... 47, 56 ... 58 */
START_TEST(credits_limit_a_sender_to_its_capacity_in_a_round_trip)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 3, .delay = 4, .credit_delay = 7});
    pair.sender->act = send_when_ready_each_cycle;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.sender->note, 18);
    ck_assert_uint_eq(pair.receiver->note, 18);
    /* each holds its place for 11 cycles; all are held from 3 to 67, when nobody wants the next */
    Channel *channel = &pair.sender->out.at[0];
    ck_assert_uint_eq(channel_count(channel, 60000000).inside, 3);
    const ResourceCount count = channel_count(channel, 100000000);
    ck_assert_uint_eq(count.work, 18 * 11 * 1000000);
    ck_assert_uint_eq(count.full, 64 * 1000000);
    harness_free(pair.harness);
}
END_TEST

/* --- waiting for credits --- */

/* Blocked at 1; taken at 20; free, and woken, at 27; due at 31 and taken at once. */
START_TEST(a_blocked_sender_is_woken_exactly_when_the_credit_comes)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = toy_send_two_and_await;
    pair.receiver->act = toy_drain_at_twenty;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(pair.sender, 1, 27);
    TOY_EXPECT_STEPS(pair.receiver, 5, 20, 31);
    ck_assert_uint_eq(pair.sender->out.at[0].refused, 1);
    ck_assert_uint_eq(pair.sender->unit.events, 2);
    harness_free(pair.harness);
}
END_TEST

/* The times of a_credit_counts_from_the_next_edge_of_the_senders_clock: the 16th fast, the 11th
 * slow edge. */
START_TEST(a_blocked_sender_of_another_clock_is_woken_at_an_edge_of_its_own)
{
    const Path path = {.capacity = 1, .delay = 4, .credit_delay = 7};
    Pair pair = pair_new(_i ? SLOW_SENDER : SLOW_RECEIVER, path);
    pair.sender->act = toy_send_two_and_await;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(pair.sender, 1, _i ? 11 : 16);
    harness_free(pair.harness);
}
END_TEST

static void send_one_then_await_at(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    const uint64_t cycle = toy_cycle(toy, now);
    if (cycle == 1) {
        toy_send(toy, 0, now);
        unit_wake_at(&toy->unit, clock_cycles(toy->unit.clock, 9));
    } else if (!channel_ready(out, now)) {
        channel_await(out, now);
    } else {
        toy->note = cycle;
    }
}

/* Taken at 5, so at 9 the credit for 12 is already under way. */
START_TEST(a_sender_that_awaits_a_credit_under_way_is_woken_when_it_comes)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = send_one_then_await_at;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(pair.sender, 1, 9, 12);
    ck_assert_uint_eq(pair.sender->note, 12);
    harness_free(pair.harness);
}
END_TEST

/* Awaits at every cycle from 1 to 10. */
static void send_one_then_await_often(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    if (toy_cycle(toy, now) == 1) toy_send(toy, 0, now);
    if (channel_ready(out, now)) {
        toy->note++;
        return;
    }
    channel_await(out, now);
    ck_assert_uint_le(toy->unit.inbox.arrivals, 1);
    if (toy_cycle(toy, now) < 10) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

START_TEST(awaiting_again_and_again_asks_for_one_wake_up)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 1, .delay = 4, .credit_delay = 7});
    pair.sender->act = send_one_then_await_often;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(pair.sender, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12);
    ck_assert_uint_eq(pair.sender->note, 1);
    ck_assert_uint_eq(pair.sender->unit.events, 11);
    ck_assert_uint_eq(pair.sender->out.at[0].refused, 10);
    harness_free(pair.harness);
}
END_TEST

/* Wants two places where one is free: it is stepped when the other comes. */
static void await_two_places(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    if (toy_cycle(toy, now) == 1) toy_send(toy, 0, now);
    if (channel_room(out, now) == 2)
        toy->note = toy_cycle(toy, now);
    else
        channel_await(out, now);
}

START_TEST(a_sender_that_wants_more_places_is_stepped_when_they_come)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.capacity = 2, .delay = 1, .credit_delay = 3});
    pair.sender->act = await_two_places;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(pair.sender, 1, 5);
    ck_assert_uint_eq(pair.sender->note, 5);
    harness_free(pair.harness);
}
END_TEST

/* --- when messages are due --- */

static void send_out_of_order(Toy *toy, Time now)
{
    const Time cycle = toy->unit.clock->period;
    toy_send(toy, 0, now + 20 * cycle);
    toy_send(toy, 0, now + 5 * cycle);
    toy_send(toy, 0, now + 21 * cycle);
}

static void note_ids(Toy *toy, Time now)
{
    for (Message *message; (message = port_take(&toy->in.at[0], now));) {
        ck_assert_uint_eq(message->id, toy->note++);
        unit_free_message(&toy->unit, message);
    }
}

START_TEST(a_message_never_overtakes_another_of_its_channel)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.delay = 4});
    pair.sender->act = send_out_of_order;
    pair.receiver->act = note_ids;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    TOY_EXPECT_STEPS(pair.receiver, 25, 26);
    ck_assert_uint_eq(pair.receiver->note, 3);
    harness_free(pair.harness);
}
END_TEST

/* To the slow clock, after 3 cycles: 4 ns -> 4.286 (3), 5 -> 5.714 (4), 6 -> 7.143 (5), 7 ->
 * 7.143 (5), 8 -> 8.571 (6). To the fast clock, after 3 x 1.428571: 5.714 -> 6, 7.143 -> 8,
 * 8.571 -> 9, 10.000 (9.999997) -> 10, 11.43 -> 12. */
static void send_five(Toy *toy, Time now)
{
    toy_send(toy, 0, now);
    if (toy_cycle(toy, now) < 5) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

START_TEST(a_message_between_clocks_is_due_at_the_next_edge_of_the_receivers)
{
    Pair pair = pair_new(_i ? SLOW_SENDER : SLOW_RECEIVER, (Path){.delay = 3});
    pair.sender->act = send_five;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    if (_i == 0)
        TOY_EXPECT_STEPS(pair.receiver, 3, 4, 5, 6);
    else
        TOY_EXPECT_STEPS(pair.receiver, 6, 8, 9, 10, 12);
    ck_assert_uint_eq(pair.receiver->note, 5);
    harness_free(pair.harness);
}
END_TEST

/* --- the queue of a port --- */

static void send_three_a_cycle(Toy *toy, Time now)
{
    for (unsigned i = 0; i < 3; i++) toy_send(toy, 0, now);
    if (toy_cycle(toy, now) < 100) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

static void take_two_a_cycle(Toy *toy, Time now)
{
    Port *in = &toy->in.at[0];
    for (uint32_t i = 0; i < in->count; i++)
        ck_assert_uint_eq(port_peek_at(in, i)->id, toy->note + i);
    for (unsigned i = 0; i < 2 && in->count; i++) {
        Message *head = port_peek(in);
        ck_assert_ptr_eq(port_take(in, now), head);
        ck_assert_uint_eq(head->id, toy->note++);
        unit_free_message(&toy->unit, head);
    }
    if (in->count) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

START_TEST(a_port_keeps_any_number_of_messages_in_order)
{
    Pair pair = pair_new(SAME_CLOCK, (Path){.delay = 1});
    pair.sender->act = send_three_a_cycle;
    pair.receiver->act = take_two_a_cycle;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    ck_assert_uint_eq(pair.receiver->note, 300);
    ck_assert_uint_eq(pair.receiver->in.at[0].mask, 127); /* 102 at once: 300 - 2 x 99 */
    ck_assert_ptr_null(port_peek(&pair.receiver->in.at[0]));
    ck_assert_ptr_null(port_take(&pair.receiver->in.at[0], 1000 * TIME_NS));
    harness_free(pair.harness);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("port");
    tcase_add_test(cases, a_channel_is_full_when_its_capacity_is_sent);
    tcase_add_test(cases, a_channel_without_capacity_always_has_room);
    tcase_add_test(cases, a_place_is_free_a_credit_delay_after_the_message_is_taken);
    tcase_add_test(cases, a_place_that_is_held_is_free_a_credit_delay_after_its_release);
    tcase_add_test(cases, a_receiver_may_say_why_a_place_was_not_free_before);
    tcase_add_loop_test(cases, a_credit_counts_from_the_next_edge_of_the_senders_clock, 0, 2);
    tcase_add_test(cases, credits_limit_a_sender_to_its_capacity_in_a_round_trip);
    tcase_add_test(cases, a_blocked_sender_is_woken_exactly_when_the_credit_comes);
    tcase_add_loop_test(cases, a_blocked_sender_of_another_clock_is_woken_at_an_edge_of_its_own, 0,
                        2);
    tcase_add_test(cases, a_sender_that_awaits_a_credit_under_way_is_woken_when_it_comes);
    tcase_add_test(cases, awaiting_again_and_again_asks_for_one_wake_up);
    tcase_add_test(cases, a_sender_that_wants_more_places_is_stepped_when_they_come);
    tcase_add_test(cases, a_message_never_overtakes_another_of_its_channel);
    tcase_add_loop_test(cases, a_message_between_clocks_is_due_at_the_next_edge_of_the_receivers, 0,
                        2);
    tcase_add_test(cases, a_port_keeps_any_number_of_messages_in_order);
    Suite *suite = suite_create("port");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
