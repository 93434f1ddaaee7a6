/* The registers' ports: values are booked for when their access is accepted. See rig.h for the
 * times. Of a hit that comes at 203 and an access to shared memory at 210 the values would be
 * written at 221. */
#include "rig.h"

static const struct {
    const char *settings;
    uint64_t shared, refused;
} ports[] = {{"", 221, 0}, {"register_ports = 1", 222, 1}, {"register_ports = 2", 221, 0}};

START_TEST(a_value_waits_for_a_port_that_is_booked)
{
    const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                              {.at = 203, .line = 5, .back = 221},
                              {.at = 210, .space = IN_SHARED, .back = ports[_i].shared}};
    g_autoptr(Rig) rig = rig_new(ports[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_registers"), ports[_i].refused);
    ck_assert_uint_eq(unit_count(rig->l1, "register_writes"), _i ? 3 : 0);
    ck_assert_uint_eq(unit_count(rig->l1, "register_lanes"), 3 * 32);
    if (!_i) return; /* what has no bound is not counted */
    ck_assert_uint_eq(unit_booked(rig->l1, "result_bus"), 3);
    ck_assert_uint_eq(unit_refused(rig->l1, "result_bus"), ports[_i].refused);
}
END_TEST

/* The value of shared memory, 20 cycles slower than usual, will be written at 231. */
START_TEST(a_hit_waits_for_a_port_that_shared_memory_has_booked)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS},
                                     {.at = 200, .space = IN_SHARED, .back = 231},
                                     {.at = 213, .line = 5, .back = 232}};
    g_autoptr(Rig) rig = rig_new("register_ports = 1; shared_latency = 29 cycles", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_registers"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "register_writes"), 3);
}
END_TEST

/* At 203 line 6 is not there; or there is no room in the table. */
static const struct {
    const char *settings;
    uint64_t at, line, shared;
} cancels[] = {{"register_ports = 1", 203, 6, 221},
               {"register_ports = 1; resource_check = first; prt_entries = 1", 20, 5, 38}};

START_TEST(what_misses_or_is_refused_cancels_its_booking)
{
    const Lookup lookups[] = {
        {.at = 10, .line = 5, .back = ANY},
        {.at = cancels[_i].at, .line = cancels[_i].line, .back = ANY},
        {.at = cancels[_i].shared - SHARED_HIT, .space = IN_SHARED, .back = cancels[_i].shared}};
    g_autoptr(Rig) rig = rig_new(cancels[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "cancelled_writes"), 2);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_registers"), 0);
    ck_assert_uint_eq(unit_count(rig->l1, "register_writes"), 3);
    ck_assert_uint_eq(unit_booked(rig->l1, "result_bus"), 3);
}
END_TEST

/* The fill is read at 117, its value would be written at 134, for which shared memory, 20 cycles
 * slower than usual, has the port. Where misses are replayed, the load comes again. */
static const char *const fills[] = {"miss_replay = no", "miss_replay = yes"};

START_TEST(a_line_that_L2_brings_takes_the_first_free_cycle)
{
    static const Lookup lookups[] = {{.at = 10, .line = 5, .back = 10 + MISS + 1},
                                     {.at = 103, .space = IN_SHARED, .back = 134}};
    g_autofree char *settings =
        g_strconcat("register_ports = 1; shared_latency = 29 cycles; ", fills[_i], NULL);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_registers"), _i);
    ck_assert_uint_eq(unit_count(rig->l1, "register_writes"), 2);
}
END_TEST

/* Four passes of shared memory two cycles apart, from 211 on, and hits whose two passes are read
 * from 204 on: written at 221, 223, 225, 227, and at 221 and 222. */
START_TEST(each_pass_takes_a_port)
{
    static const Lookup lookups[] = {{.at = 10, .line = 4, .width = 8, .back = ANY},
                                     {.at = 203, .line = 4, .width = 8, .back = 222},
                                     {.at = 210, .space = IN_SHARED, .stride = 16, .back = 229}};
    g_autoptr(Rig) rig = rig_new("register_ports = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_registers"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "register_writes"), 2 + 2 + 4);
}
END_TEST

/* Line 8 takes the place of line 0, which is read first: line 1 is read at 205, and the port is
 * booked for 222 instead of 221. */
START_TEST(a_hit_beside_a_miss_that_evicts_comes_later)
{
    static const Lookup lookups[] = {
        {.at = 10, .line = 0, .space = LOCAL, .operation = STORES, .mask = 0xff, .back = ANY},
        {.at = 20, .line = 4, .back = ANY},
        {.at = 30, .line = 1, .back = ANY},
        {.at = 203, .line = 1, .stride = 7 * 128 + 4, .mask = 0x3, .back = 203 + MISS},
        {.at = 211, .space = IN_SHARED, .back = 223}};
    g_autoptr(Rig) rig =
        rig_new("miss_replay = yes; capacity = 1 KiB; array_ports = 1R1W; register_ports = 1", 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "write_backs"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "refused_registers"), 1);
    ck_assert_uint_eq(unit_count(rig->l1, "register_writes"), 2 + 2 + 1);
}
END_TEST

static const struct {
    Lookup lookup;
    uint64_t lanes;
} written[] = {
    {{.at = 10, .line = 5, .back = ANY}, 32},
    {{.at = 10, .line = 5, .mask = 0x41, .back = ANY}, 2},
    {{.at = 10, .line = 5, .mask = 0x41, .width = 8, .back = ANY}, 4},
    {{.at = 10, .line = 5, .mask = 0x7, .width = 1, .stride = 1, .back = ANY}, 3},
    {{.at = 10, .line = 5, .mask = 0x7, .operation = ATOMIC, .back = ANY}, 3},
    {{.at = 10, .line = 5, .mask = 0x7, .operation = STORES, .back = ANY}, 0},
    {{.at = 10, .space = IN_SHARED, .mask = 0x41, .back = ANY}, 2},
    {{.at = 10, .space = IN_SHARED, .mask = 0x41, .stride = 128, .back = ANY}, 2},
    {{.at = 10, .space = IN_SHARED, .mask = 0x7, .operation = STORES, .back = ANY}, 0},
    {{.at = 10, .space = IN_SHARED, .mask = 0x7, .operation = ATOMIC, .back = ANY}, 3},
};

START_TEST(only_active_lanes_are_written)
{
    g_autoptr(Rig) rig = rig_new("", 0);
    run(rig, &written[_i].lookup, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "register_lanes"), written[_i].lanes);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_registers");
    tcase_add_loop_test(cases, a_value_waits_for_a_port_that_is_booked, 0, G_N_ELEMENTS(ports));
    tcase_add_test(cases, a_hit_waits_for_a_port_that_shared_memory_has_booked);
    tcase_add_loop_test(cases, what_misses_or_is_refused_cancels_its_booking, 0,
                        G_N_ELEMENTS(cancels));
    tcase_add_loop_test(cases, a_line_that_L2_brings_takes_the_first_free_cycle, 0,
                        G_N_ELEMENTS(fills));
    tcase_add_test(cases, each_pass_takes_a_port);
    tcase_add_test(cases, a_hit_beside_a_miss_that_evicts_comes_later);
    tcase_add_loop_test(cases, only_active_lanes_are_written, 0, G_N_ELEMENTS(written));
    return harness_run_cases("l1_registers", cases);
}
