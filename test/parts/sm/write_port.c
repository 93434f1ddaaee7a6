#include "parts/sm/write_port.h"

#include <check.h>

#include "rigs/harness.h"

static WritePort port;

static void begin_with(uint32_t ports)
{
    write_port_init(&port, ports);
}

static void end(void)
{
    write_port_finish(&port);
}

START_TEST(a_cycle_takes_as_many_as_there_are_ports)
{
    begin_with(2);
    ck_assert_uint_eq(write_port_next(&port, 10), 10);
    write_port_book(&port, 10, 0);
    ck_assert_uint_eq(write_port_next(&port, 10), 10);
    write_port_book(&port, 10, 0);
    ck_assert_uint_eq(write_port_next(&port, 10), 11);
    ck_assert_uint_eq(write_port_next(&port, 9), 9);
}
END_TEST

START_TEST(what_is_cancelled_is_free)
{
    begin_with(1);
    write_port_book(&port, 10, 0);
    write_port_book(&port, 11, 0);
    ck_assert_uint_eq(write_port_next(&port, 10), 12);
    write_port_cancel(&port, 11);
    ck_assert_uint_eq(write_port_next(&port, 10), 11);
}
END_TEST

START_TEST(no_booking_is_forgotten_however_far_ahead_another_is)
{
    begin_with(1);
    for (uint64_t cycle = 3; cycle < 100000; cycle += 317) write_port_book(&port, cycle, 0);
    for (uint64_t cycle = 3; cycle < 100000; cycle += 317)
        ck_assert_uint_eq(write_port_next(&port, cycle), cycle + 1);
}
END_TEST

START_TEST(what_is_over_makes_room)
{
    begin_with(1);
    for (uint64_t cycle = 0; cycle < 100000; cycle++) write_port_book(&port, cycle + 200, cycle);
    ck_assert_uint_eq(port.slots, 256);
    ck_assert_uint_eq(write_port_next(&port, 100000), 100200);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("write_port");
    tcase_add_checked_fixture(cases, NULL, end);
    tcase_add_test(cases, a_cycle_takes_as_many_as_there_are_ports);
    tcase_add_test(cases, what_is_cancelled_is_free);
    tcase_add_test(cases, no_booking_is_forgotten_however_far_ahead_another_is);
    tcase_add_test(cases, what_is_over_makes_room);
    return harness_run_cases("write_port", cases);
}
