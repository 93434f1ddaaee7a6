/* What a channel counts of its places. */
#include "rigs/toy_unit.h"

/* A sender, which is first stepped at its cycle 1, and a receiver; 4 cycles there, 7 back. */
typedef struct {
    Harness *harness;
    Toy *sender, *receiver;
} Pair;

static Pair pair_new(uint32_t places)
{
    Pair pair = {.harness = harness_new()};
    pair.sender = toy_new(pair.harness, "sender", 0, 1);
    pair.receiver = toy_new(pair.harness, "receiver", 1, 0);
    pair.sender->first = 1;
    const Path path = {.capacity = places, .delay = 4, .credit_delay = 7};
    toy_connect(pair.harness, pair.sender, pair.receiver, path);
    return pair;
}

/* The place is taken at 1 and free at 27; taken again at once, until the credit of 31 + 7. By the
 * end, at 31, it has been full all the time but the first cycle. */
START_TEST(places_of_a_channel_are_held_until_their_credit_comes)
{
    Pair pair = pair_new(1);
    pair.sender->act = toy_send_two_and_await;
    pair.receiver->act = toy_drain_at_twenty;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    const MeterList *meters = unit_meters(&pair.sender->unit);
    const Time cycle = pair.harness->clock->period;
    ck_assert_uint_eq(meters->count, 1);
    ck_assert_str_eq(meters->at[0].name, "out");
    ck_assert(meters->at[0].many && meters->at[0].index == 0);
    ck_assert_uint_eq(meters->at[0].capacity, 1);
    ck_assert_uint_eq(meters->length, 31 * cycle);
    ck_assert_uint_eq(meters->at[0].counted.work, 30 * cycle);
    ck_assert_uint_eq(meters->at[0].counted.full, 30 * cycle);
    ck_assert_uint_eq(meters->at[0].counted.refused, 1);
    /* the second count: 26 cycles and 11, up to a credit that is still on its way */
    ck_assert_uint_eq(unit_stayed(&meters->at[0]), 37 * cycle);
    ck_assert_uint_eq(meters->at[0].counted.came, 2);
    ck_assert_uint_eq(meters->at[0].counted.inside, 1);
    /* by 38 both are back */
    const ResourceCount count = channel_count(&pair.sender->out.at[0], 50 * cycle);
    ck_assert_uint_eq(count.work, 37 * cycle);
    ck_assert_uint_eq(count.full, 37 * cycle);
    harness_free(pair.harness);
}
END_TEST

/* Its first place is free again at 12, which it does not ask before it takes the other one at
 * 20. */
static void send_at_one_and_twenty(Toy *toy, Time now)
{
    toy_send(toy, 0, now);
    if (!toy->note++) unit_wake_at(&toy->unit, clock_cycles(toy->unit.clock, 20));
}

START_TEST(a_place_that_is_free_and_not_yet_counted_is_not_full)
{
    Pair pair = pair_new(2);
    pair.sender->act = send_at_one_and_twenty;
    pair.receiver->act = toy_drain_at_once;
    ck_assert_int_eq(harness_run(pair.harness), RUN_FINISHED);
    const Time cycle = pair.harness->clock->period;
    const ResourceCount count = channel_count(&pair.sender->out.at[0], 50 * cycle);
    ck_assert_uint_eq(count.work, 22 * cycle);
    ck_assert_uint_eq(count.full, 0);
    harness_free(pair.harness);
}
END_TEST

HARNESS_MAIN("places", places_of_a_channel_are_held_until_their_credit_comes,
             a_place_that_is_free_and_not_yet_counted_is_not_full)
