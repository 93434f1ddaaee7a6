#include "kit/engine/calendar.h"

#include <check.h>
#include <stdlib.h>

#include "rigs/harness.h"

enum { TURNS = 300, ROUNDS = 30000, PORTS = 150, SPAN = 40 };

typedef struct {
    Calendar calendar;
    uint32_t turns;
    Turn turn[TURNS];
} Fixture;

static Fixture *fixture_new(uint32_t turns)
{
    Fixture *fixture = g_new0(Fixture, 1);
    fixture->turns = turns;
    for (uint32_t i = 0; i < turns; i++) {
        fixture->turn[i] = (Turn){.order = i, .next = TIME_NEVER};
        calendar_add(&fixture->calendar, &fixture->turn[i]);
    }
    return fixture;
}

static void fixture_free(Fixture *fixture)
{
    calendar_finish(&fixture->calendar);
    g_free(fixture);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fixture, fixture_free)

static void put(Fixture *fixture, uint32_t index, Time next)
{
    fixture->turn[index].next = next;
    calendar_update(&fixture->calendar, &fixture->turn[index]);
}

/* Takes the first one out and returns its number. */
static uint32_t take_first(Fixture *fixture)
{
    ck_assert_uint_ne(calendar_next(&fixture->calendar), TIME_NEVER);
    const Turn *first = calendar_first(&fixture->calendar);
    ck_assert_uint_eq(calendar_next(&fixture->calendar), first->next);
    put(fixture, first->order, TIME_NEVER);
    return first->order;
}

static void expect_order(Fixture *fixture, const uint32_t *expected, guint count)
{
    for (guint i = 0; i < count; i++) ck_assert_uint_eq(take_first(fixture), expected[i]);
    ck_assert_uint_eq(calendar_next(&fixture->calendar), TIME_NEVER);
}

START_TEST(the_earliest_unit_comes_first)
{
    static const uint32_t expected[] = {3, 0, 4, 1, 2};
    g_autoptr(Fixture) fixture = fixture_new(TURNS);
    ck_assert_uint_eq(calendar_next(&fixture->calendar), TIME_NEVER);
    put(fixture, 0, 20);
    put(fixture, 1, 40);
    put(fixture, 2, 50);
    put(fixture, 3, 10);
    put(fixture, 4, 30);
    expect_order(fixture, expected, G_N_ELEMENTS(expected));
}
END_TEST

START_TEST(units_of_one_time_come_in_build_order)
{
    static const uint32_t added[] = {5, 2, 7, 0, 6, 1, 4, 3};
    static const uint32_t expected[] = {8, 0, 1, 2, 3, 4, 5, 6, 7};
    g_autoptr(Fixture) fixture = fixture_new(TURNS);
    for (guint i = 0; i < G_N_ELEMENTS(added); i++) put(fixture, added[i], 100);
    put(fixture, 8, 99);
    expect_order(fixture, expected, G_N_ELEMENTS(expected));
}
END_TEST

START_TEST(a_unit_that_becomes_earlier_or_later_moves)
{
    static const uint32_t expected[] = {6, 1, 2, 3, 4, 5, 0};
    g_autoptr(Fixture) fixture = fixture_new(TURNS);
    for (uint32_t i = 0; i < 7; i++) put(fixture, i, 10 * (i + 1));
    put(fixture, 6, 5);
    put(fixture, 0, 1000);
    expect_order(fixture, expected, G_N_ELEMENTS(expected));
}
END_TEST

START_TEST(a_unit_without_next_time_leaves_and_may_come_back)
{
    static const uint32_t expected[] = {0, 4, 1, 3};
    g_autoptr(Fixture) fixture = fixture_new(TURNS);
    for (uint32_t i = 0; i < 5; i++) put(fixture, i, 10 * (i + 1));
    put(fixture, 2, TIME_NEVER);
    put(fixture, 2, TIME_NEVER);
    put(fixture, 4, TIME_NEVER);
    put(fixture, 4, 15);
    expect_order(fixture, expected, G_N_ELEMENTS(expected));
}
END_TEST

/* The one that a linear search finds. */
static const Turn *first_of(const Fixture *fixture)
{
    const Turn *first = NULL;
    for (uint32_t i = 0; i < fixture->turns; i++) {
        const Turn *turn = &fixture->turn[i];
        if (turn->next != TIME_NEVER && (!first || turn->next < first->next)) first = turn;
    }
    return first;
}

/* Times are few, so that many share one. */
static void change_at_random(uint32_t turns)
{
    g_autoptr(Fixture) fixture = fixture_new(turns);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint32_t index = (uint32_t)g_rand_int_range(random, 0, (gint32)turns);
        const bool remove = g_rand_int_range(random, 0, 4) == 0;
        put(fixture, index, remove ? TIME_NEVER : (Time)g_rand_int_range(random, 1, 100));
        if (round % 8 == 0 && calendar_next(&fixture->calendar) != TIME_NEVER) {
            const Turn *expected = first_of(fixture);
            ck_assert_uint_eq(take_first(fixture), expected->order);
        }
    }
    for (const Turn *expected; (expected = first_of(fixture));)
        ck_assert_uint_eq(take_first(fixture), expected->order);
    ck_assert_uint_eq(calendar_next(&fixture->calendar), TIME_NEVER);
}

START_TEST(any_mixture_of_changes_keeps_the_order_of_a_linear_search)
{
    change_at_random(TURNS);
}
END_TEST

/* These are compared with the first one, and not with each other. */
START_TEST(few_units_keep_that_order_as_many_do)
{
    for (uint32_t turns = 1; turns <= TOURNAMENT_FEW + 2; turns++) change_at_random(turns);
}
END_TEST

static void take_port(Agenda *agenda, uint32_t port, Time then)
{
    ck_assert_uint_eq(agenda_port(agenda), port);
    agenda_go_on(agenda, port, then);
}

START_TEST(ports_of_one_time_come_in_order)
{
    Agenda *agenda = agenda_new(PORTS);
    ck_assert_uint_eq(agenda->next, TIME_NEVER);
    agenda_expect(agenda, 130, 20);
    agenda_expect(agenda, 64, 20);
    agenda_expect(agenda, 3, 20);
    agenda_expect(agenda, 149, 10);
    ck_assert_uint_eq(agenda->next, 10);
    take_port(agenda, 149, 20);
    ck_assert_uint_eq(agenda->next, 20);
    take_port(agenda, 3, TIME_NEVER);
    take_port(agenda, 64, 30);
    take_port(agenda, 130, 25);
    take_port(agenda, 149, TIME_NEVER);
    ck_assert_uint_eq(agenda->next, 25);
    take_port(agenda, 130, TIME_NEVER);
    take_port(agenda, 64, TIME_NEVER);
    ck_assert_uint_eq(agenda->next, TIME_NEVER);
    agenda_free(agenda);
}
END_TEST

static uint32_t first_port(const Time *due)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < PORTS; i++)
        if (due[i] < due[first]) first = i;
    return first;
}

/* What is due at `now` is taken, and sometimes something else follows it; then what had nothing is
 * sent something. */
static void go_through(Agenda *agenda, GRand *random, Time *due, Time now)
{
    for (uint32_t port; agenda->next == now; agenda_go_on(agenda, port, due[port])) {
        port = agenda_port(agenda);
        ck_assert_uint_eq(port, first_port(due));
        const Time then = now + (Time)g_rand_int_range(random, 1, SPAN);
        due[port] = g_rand_boolean(random) ? then : TIME_NEVER;
    }
    const uint32_t port = (uint32_t)g_rand_int_range(random, 0, PORTS);
    if (due[port] != TIME_NEVER) return;
    due[port] = now + (Time)g_rand_int_range(random, 1, SPAN);
    agenda_expect(agenda, port, due[port]);
}

START_TEST(any_mixture_of_ports_comes_in_the_order_of_a_linear_search)
{
    Agenda *agenda = agenda_new(PORTS);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    Time due[PORTS];
    for (uint32_t i = 0; i < PORTS; i++) due[i] = TIME_NEVER;
    for (Time now = 1; now < ROUNDS; now++) {
        go_through(agenda, random, due, now);
        ck_assert_uint_eq(agenda->next, due[first_port(due)]);
    }
    agenda_free(agenda);
}
END_TEST

HARNESS_MAIN("calendar", the_earliest_unit_comes_first, units_of_one_time_come_in_build_order,
             a_unit_that_becomes_earlier_or_later_moves,
             a_unit_without_next_time_leaves_and_may_come_back,
             any_mixture_of_changes_keeps_the_order_of_a_linear_search,
             few_units_keep_that_order_as_many_do, ports_of_one_time_come_in_order,
             any_mixture_of_ports_comes_in_the_order_of_a_linear_search)
