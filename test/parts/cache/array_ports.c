#include "parts/cache/array_ports.h"

#include "rigs/harness.h"

START_TEST(one_port_serves_reads_and_writes_one_after_the_other)
{
    ArrayPorts ports = {.count = ARRAY_PORTS_1RW};
    ck_assert_uint_eq(array_ports_write(&ports, 10, 4), 10);
    ck_assert_uint_eq(array_ports_read(&ports, 11, 4), 14);
    ck_assert_uint_eq(array_ports_write_free(&ports), 18);
    ck_assert_uint_eq(array_ports_write(&ports, 30, 4), 30);
}
END_TEST

START_TEST(a_write_port_leaves_the_read_port_alone)
{
    ArrayPorts ports = {.count = ARRAY_PORTS_1R1W};
    ck_assert_uint_eq(array_ports_write(&ports, 10, 4), 10);
    ck_assert_uint_eq(array_ports_read(&ports, 11, 4), 11);
    ck_assert_uint_eq(array_ports_read(&ports, 11, 4), 15);
    ck_assert_uint_eq(array_ports_write(&ports, 10, 4), 14);
    ck_assert_uint_eq(array_ports_write_free(&ports), 18);
}
END_TEST

START_TEST(of_two_read_ports_the_one_that_is_free_first_is_taken)
{
    ArrayPorts ports = {.count = ARRAY_PORTS_2R1W};
    ck_assert_uint_eq(array_ports_read(&ports, 10, 4), 10);
    ck_assert_uint_eq(array_ports_read(&ports, 10, 8), 10);
    ck_assert_uint_eq(array_ports_read(&ports, 10, 4), 14);
    ck_assert_uint_eq(array_ports_read(&ports, 10, 4), 18);
    ck_assert_uint_eq(array_ports_write(&ports, 10, 4), 10);
}
END_TEST

HARNESS_MAIN("array_ports", one_port_serves_reads_and_writes_one_after_the_other,
             a_write_port_leaves_the_read_port_alone,
             of_two_read_ports_the_one_that_is_free_first_is_taken)
