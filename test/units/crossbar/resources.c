/* How long links, inputs and outputs of a crossbar are occupied, and how full queues at outputs
 * are. A read is 8 B, a write of four sectors 136 B: 1 and 4 cycles of a link of 40 B a cycle. */
#include "script.h"

static void expect(const Rig *rig, const char *name, uint64_t first, uint64_t second)
{
    ck_assert_msg(unit_booked_at(rig->crossbar, name, 0) == first
                      && unit_booked_at(rig->crossbar, name, 1) == second,
                  "%s: %u and %u cycles", name, (guint)unit_booked_at(rig->crossbar, name, 0),
                  (guint)unit_booked_at(rig->crossbar, name, 1));
}

static const Packet first[] = {{10, TRANSACTION_WRITE, 15, 0, 26},
                               {30, TRANSACTION_READ, 15, 1, 33}},
                    second[] = {{50, TRANSACTION_READ, 15, 0, 53}};

/* On links of 10 B a cycle the write comes in for 14 cycles, in which nobody else passes. */
START_TEST(a_packet_takes_its_links_its_input_and_its_output)
{
    static const char *const kinds[] = {NULL, "queueing = virtual_output"};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 2, .sinks = 2, .up_bandwidth = 10, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    expect(rig, "source_links", 14 + 1, 1);
    expect(rig, "passing", 14 + 1, 1);
    expect(rig, "taking", 14 + 1, 1);
    expect(rig, "destination_links", 14 + 1, 1);
    ck_assert_uint_eq(unit_work(rig->crossbar, "output_queues"), 0);
}
END_TEST

/* Both writes are here at 11. The first is passed on until 13 and on its link until 15; the other
 * one's head waits for that, and is in the queue from 13 on. */
START_TEST(with_speedup_links_are_busy_for_longer_than_outputs)
{
    static const Packet one[] = {{10, TRANSACTION_WRITE, 15, 0, 16}},
                        other[] = {{10, TRANSACTION_WRITE, 15, 0, 20}};
    Script scripts[] = {SCRIPT(one), SCRIPT(other)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 2, .sinks = 2, .settings = "speedup = 2; output_buffer = 1"});
    run_scripts(rig, scripts);
    expect(rig, "source_links", 4, 4);
    expect(rig, "passing", 2, 2 + 2);
    expect(rig, "taking", 4, 0);
    expect(rig, "destination_links", 8, 0);
    ck_assert_uint_eq(unit_work(rig->crossbar, "output_queues"), 2);
    ck_assert_uint_eq(unit_full(rig->crossbar, "output_queues"), 2);
    ck_assert_uint_eq(unit_refused(rig->crossbar, "taking"),
                      unit_count(rig->crossbar, "blocked_head"));
    assert_places_are_empty(rig->crossbar);
}
END_TEST

/* The write passes from 11 to 15. Behind the read's head, which is here at 13, nobody passes until
 * then; in a queue of its own it keeps nobody. */
START_TEST(a_head_that_waits_for_another_packet_keeps_its_input)
{
    static const Packet write[] = {{10, TRANSACTION_WRITE, 15, 0, 16}},
                        read[] = {{12, TRANSACTION_READ, 15, 0, 17}};
    for (int apart = 0; apart < 2; apart++) {
        Script scripts[] = {SCRIPT(write), SCRIPT(read)};
        g_autoptr(Rig) rig = rig_new((Shape){
            .sources = 2, .sinks = 2, .settings = apart ? "queueing = virtual_output" : NULL});
        run_scripts(rig, scripts);
        expect(rig, "passing", 4, apart ? 1 : 2 + 1);
        expect(rig, "taking", 4 + 1, 0);
    }
}
END_TEST

START_TEST(an_ideal_network_is_never_busy)
{
    static const Packet one[] = {{10, TRANSACTION_WRITE, 15, 0, 12}};
    Script scripts[] = {SCRIPT(one)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 1, .sinks = 2, .ideal = true});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_booked(rig->crossbar, "source_links"), 0);
    expect(rig, "destination_links", 0, 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("crossbar_resources");
    tcase_add_loop_test(cases, a_packet_takes_its_links_its_input_and_its_output, 0, 2);
    tcase_add_test(cases, with_speedup_links_are_busy_for_longer_than_outputs);
    tcase_add_test(cases, a_head_that_waits_for_another_packet_keeps_its_input);
    tcase_add_test(cases, an_ideal_network_is_never_busy);
    return harness_run_cases("crossbar_resources", cases);
}
