#include "parts/sm/register_ports.h"

#include <check.h>

#include "rigs/harness.h"

enum { CYCLE = 10 };

static RegisterPorts ports_of(uint32_t parts, uint32_t banks, uint32_t reads, uint32_t writes)
{
    RegisterPorts ports;
    register_ports_init(&ports, &(RegisterPortsShape){parts, banks, reads, writes, CYCLE, false});
    return ports;
}

static uint32_t read_at(RegisterPorts *ports, uint32_t base, const uint8_t *numbers, uint64_t cycle)
{
    const RegisterSpan span = {.base = base, .number = numbers, .count = 3};
    return register_ports_read(ports, &span, cycle * CYCLE);
}

/* Of four banks. */
START_TEST(operands_in_one_bank_are_read_one_after_the_other)
{
    static const uint8_t apart[] = {0, 1, 2}, pair[] = {0, 3, 4}, all[] = {3, 7, 11};
    RegisterPorts one = ports_of(1, 4, 1, 0), two = ports_of(1, 4, 2, 0);
    ck_assert_uint_eq(read_at(&one, 5, apart, 10), 0);
    ck_assert_uint_eq(read_at(&one, 5, pair, 20), 1);
    ck_assert_uint_eq(read_at(&one, 5, all, 30), 2);
    ck_assert_uint_eq(read_at(&two, 5, pair, 20), 0);
    ck_assert_uint_eq(read_at(&two, 5, all, 30), 1);
}
END_TEST

/* Two warps read R0, R1 and R4 in the same cycle: the banks 0, 1 and 0, and those of the other's
 * base. At 32 they are the same, at 34 they are 2, 3 and 2. */
START_TEST(blocks_that_begin_in_other_banks_do_not_meet)
{
    static const uint8_t numbers[] = {0, 1, 4};
    static const struct {
        uint32_t base, second;
    } rows[] = {{32, 3}, {33, 2}, {34, 1}, {35, 2}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        RegisterPorts ports = ports_of(1, 4, 1, 0);
        ck_assert_uint_eq(read_at(&ports, 0, numbers, 10), 1);
        ck_assert_uint_eq(read_at(&ports, rows[i].base, numbers, 10), rows[i].second);
    }
}
END_TEST

/* What the bank has not read yet delays who comes a cycle later. */
START_TEST(a_bank_is_behind_until_it_has_read_what_came_before)
{
    static const uint8_t all[] = {0, 4, 8}, apart[] = {0, 1, 2};
    RegisterPorts ports = ports_of(1, 4, 1, 0);
    ck_assert_uint_eq(read_at(&ports, 0, all, 10), 2);
    ck_assert_uint_eq(read_at(&ports, 0, apart, 11), 2);
    ck_assert_uint_eq(read_at(&ports, 0, apart, 14), 0);
}
END_TEST

START_TEST(parts_have_banks_of_their_own)
{
    static const uint8_t numbers[] = {0, 1, 2};
    RegisterPorts ports = ports_of(2, 4, 1, 0);
    for (uint32_t part = 0; part < 2; part++) {
        const RegisterSpan span = {.part = part, .number = numbers, .count = 3};
        ck_assert_uint_eq(register_ports_read(&ports, &span, 100), 0);
    }
}
END_TEST

/* One to six of 16 registers, in most cycles. */
START_TEST(what_is_read_at_once_would_not_have_waited)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    RegisterPorts booked = ports_of(1, 4, 2, 0), once;
    register_ports_init(&once, &(RegisterPortsShape){1, 4, 2, 0, CYCLE, true});
    uint32_t skipped = 0;
    for (uint64_t now = 100; now < 40000; now += CYCLE * (uint64_t)g_rand_int_range(random, 1, 3)) {
        uint8_t numbers[6];
        for (guint i = 0; i < 6; i++) numbers[i] = (uint8_t)g_rand_int_range(random, 0, 16);
        const RegisterSpan span = {.number = numbers,
                                   .count = (uint32_t)g_rand_int_range(random, 1, 7)};
        const bool at_once = register_ports_read_at_once(&once, 0, span.count, now);
        const uint32_t cycles = register_ports_read(&booked, &span, now);
        ck_assert(!register_ports_read_at_once(&booked, 0, span.count, now));
        ck_assert_uint_eq(at_once ? 0 : register_ports_read(&once, &span, now), cycles);
        skipped += at_once;
    }
    ck_assert_uint_gt(skipped, 500);
}
END_TEST

static uint32_t write_at(RegisterPorts *ports, uint32_t first, uint32_t count, uint64_t at)
{
    const RegisterSpan span = {.first = first, .count = count};
    return register_ports_write(ports, &span, at, MIN(at, 90));
}

/* In the order in which they are booked; one that is earlier finds its slot free. */
START_TEST(results_that_come_to_one_bank_in_a_cycle_wait_for_each_other)
{
    RegisterPorts ports = ports_of(1, 4, 1, 1);
    ck_assert_uint_eq(write_at(&ports, 0, 1, 100), 0);
    ck_assert_uint_eq(write_at(&ports, 4, 1, 100), 1);
    ck_assert_uint_eq(write_at(&ports, 1, 1, 100), 0);
    ck_assert_uint_eq(write_at(&ports, 0, 1, 90), 0);
    ck_assert_uint_eq(write_at(&ports, 3, 2, 95), 2);
    register_ports_finish(&ports);
}
END_TEST

START_TEST(a_bank_takes_as_many_results_as_it_has_write_ports)
{
    RegisterPorts ports = ports_of(1, 4, 1, 2), any = ports_of(1, 4, 1, 0);
    static const uint32_t expected[] = {0, 0, 1, 1, 2};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        ck_assert_uint_eq(write_at(&ports, 4 * i, 1, 100), expected[i]);
        ck_assert_uint_eq(write_at(&any, 4 * i, 1, 100), 0);
    }
    register_ports_finish(&ports);
}
END_TEST

HARNESS_MAIN("register_ports", operands_in_one_bank_are_read_one_after_the_other,
             blocks_that_begin_in_other_banks_do_not_meet,
             a_bank_is_behind_until_it_has_read_what_came_before, parts_have_banks_of_their_own,
             what_is_read_at_once_would_not_have_waited,
             results_that_come_to_one_bank_in_a_cycle_wait_for_each_other,
             a_bank_takes_as_many_results_as_it_has_write_ports)
