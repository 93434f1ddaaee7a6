/* A network that SimGrid times, beside the crossbar. */
#include "rig.h"

#include <math.h>
#include <string.h>

/* --- when packets arrive: sent + 1 up + carried + 1 down --- */

enum { SCRIPTS = 3, PACKETS = 6 };

static const struct {
    const char *name;
    Shape shape;
    Packet packets[SCRIPTS][PACKETS];
} scripts[] = {
    {"alone: 1 cycle for a header or one sector, 4 for four",
     {.flow = true, .concurrency = 1},
     {{{5, 0, 0, 8}, {20, 1, 1, 23}, {40, 0, 4, 46}}}},
    {"alone through the crossbar",
     {.flow = false},
     {{{5, 0, 0, 8}, {20, 1, 1, 23}, {40, 0, 4, 46}}}},
    {"one at a time: 10 to 14 after 6 to 10",
     {.flow = true, .concurrency = 1},
     {{{5, 0, 4, 11}}, {{5, 0, 4, 15}}}},
    {"both at half the bandwidth: 6 to 14",
     {.flow = true, .concurrency = 0},
     {{{5, 0, 4, 15}}, {{5, 0, 4, 15}}}},
    {"two share, the third has the link alone from 14 on",
     {.flow = true, .concurrency = 2},
     {{{5, 0, 4, 15}}, {{5, 0, 4, 15}}, {{5, 0, 4, 19}}}},
    {"half at first, all when the short one is through: it takes 2, the long one 1 + 3 after it",
     {.flow = true, .concurrency = 0},
     {{{5, 0, 4, 12}}, {{5, 0, 1, 9}}}},
    {"a head that waits holds up what is behind it: 10 to 14, then 14 to 15",
     {.flow = true, .concurrency = 1, .settings = "in_flight = 1"},
     {{{6, 0, 4, 15}, {7, 1, 0, 16}}, {{5, 0, 4, 11}}}},
    {"all at once: what waits is overtaken, 8 to 9",
     {.flow = true, .concurrency = 1, .settings = "in_flight = 0"},
     {{{6, 0, 4, 15}, {7, 1, 0, 10}}, {{5, 0, 4, 11}}}},
    {"136 B in whole cycles: 4 each",
     {.flow = true, .concurrency = 1},
     {{{5, 0, 4, 11}, {5, 0, 4, 15}, {5, 0, 4, 19}, {5, 0, 4, 23}, {5, 0, 4, 27}}}},
    {"136 B as they are: 3.4 each, so 9.4, 12.8, 16.2, 19.6, 23 and then the next edge",
     {.flow = true, .concurrency = 1, .settings = "whole_cycles = no"},
     {{{5, 0, 4, 11}, {5, 0, 4, 14}, {5, 0, 4, 18}, {5, 0, 4, 21}, {5, 0, 4, 24}}}},
    {"flits of 64 B: a header takes 2 cycles, 136 B take 5",
     {.flow = true, .concurrency = 1, .flit_bytes = 64},
     {{{5, 0, 0, 9}, {20, 1, 4, 27}}}},
    {"the same through the crossbar",
     {.flow = false, .flit_bytes = 64},
     {{{5, 0, 0, 9}, {20, 1, 4, 27}}}},
    {"a quarter of a picosecond after 7 counts as 7",
     {.flow = true, .concurrency = 1, .bandwidth = 39.99, .settings = "whole_cycles = no"},
     {{{5, 0, 1, 8}}}},
    {"... unless 7 is over, as another packet came then",
     {.flow = true, .concurrency = 1, .bandwidth = 39.99, .settings = "whole_cycles = no"},
     {{{5, 0, 1, 9}}, {{6, 1, 0, 9}}}},
};

START_TEST(packets_arrive_when_SimGrid_says)
{
    Shape shape = scripts[_i].shape;
    shape.sources = SCRIPTS;
    shape.sinks = 2;
    g_autoptr(Rig) rig = rig_new(shape);
    Script script[SCRIPTS];
    for (uint32_t i = 0; i < SCRIPTS; i++) {
        script[i] = (Script){rig, scripts[_i].packets[i]};
        harness_generate(rig->source[i], rig_make_scripted, &script[i]);
    }
    ck_assert_int_eq(rig_run(rig), RUN_FINISHED);
    for (uint32_t i = 0; i < SCRIPTS; i++)
        for (const Packet *packet = script[i].packets; packet->there; packet++) {
            const uint64_t number = (uint64_t)(packet - script[i].packets);
            const uint64_t there = rig_arrival(rig, i, number, packet->to)->cycle;
            ck_assert_msg(there == packet->there,
                          "%s: packet %u of source %u came at %u instead of %u", scripts[_i].name,
                          (unsigned)number, i, (unsigned)there, (unsigned)packet->there);
        }
}
END_TEST

/* What a packet needs alone is transfer, the rest is queueing. */
START_TEST(the_stages_of_a_packet_add_up_to_its_latency)
{
    static const Packet first[] = {{5, 0, 4, 11}, {0}}, second[] = {{5, 0, 4, 15}, {0}};
    g_autoptr(Rig) rig = rig_new((Shape){.flow = true, .sources = 2, .sinks = 1, .concurrency = 1});
    Script script[] = {{rig, first}, {rig, second}};
    for (uint32_t i = 0; i < 2; i++)
        harness_generate(rig->source[i], rig_make_scripted, &script[i]);
    ck_assert_int_eq(rig_run(rig), RUN_FINISHED);
    const Arrived *late = rig_arrival(rig, 1, 0, 0);
    g_autofree char *text =
        harness_stages((const Transaction *)late->message, late->at, rig->harness->clock);
    ck_assert_str_eq(text, "issue 1 request_queue 4 request_transfer 4 request_wire 1");
    ck_assert_uint_eq(unit_count(rig->network, "packets"), 2);
    ck_assert_uint_eq(unit_bytes(rig->network, "bytes"), 2 * (8 + 4 * 32));
    ck_assert_uint_eq(unit_busy(rig->network, "busy"), 8);
    assert_little(rig->network, "carried");
    ck_assert_uint_eq(unit_level(rig->network, "carried")->stay,
                      (4 + 8) * rig->harness->clock->period);
}
END_TEST

/* Two packets of 8 + 128 B from source 0 to 0 and 1, one of 8 + 32 B from source 1 to 1, over links
 * of 40 B a cycle, the sources' of 20. One packet at a time holds its links for what the narrowest
 * takes, whole cycles: 7 + 7 and 2. Where links are shared it is 3.4 cycles of a wide link. */
static const struct {
    uint32_t concurrency;
    const char *settings;
    uint64_t source[2], destination[2]; /* tenths of a cycle */
} carried[] = {
    {1, NULL, {140, 20}, {70, 90}},
    {1, "whole_cycles = no", {136, 20}, {68, 88}},
    {0, "whole_cycles = no", {136, 20}, {34, 44}},
};

static uint64_t tenths_of(const Rig *rig, const char *links, uint32_t index)
{
    const Server *server = unit_meter_at(rig->network, links, index)->field;
    return (server->busy * 10 + rig->harness->clock->period / 2) / rig->harness->clock->period;
}

START_TEST(a_link_counts_what_it_carried)
{
    static const Packet first[] = {{5, 0, 4, 1}, {30, 1, 4, 1}, {0}},
                        second[] = {{60, 1, 1, 1}, {0}};
    g_autoptr(Rig) rig = rig_new((Shape){.flow = true,
                                         .sources = 2,
                                         .sinks = 2,
                                         .bandwidth = LINK_BYTES / 2.0,
                                         .concurrency = carried[_i].concurrency,
                                         .settings = carried[_i].settings});
    Script script[] = {{rig, first}, {rig, second}};
    for (uint32_t i = 0; i < 2; i++)
        harness_generate(rig->source[i], rig_make_scripted, &script[i]);
    ck_assert_int_eq(rig_run(rig), RUN_FINISHED);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(tenths_of(rig, "source_links", i), carried[_i].source[i]);
        ck_assert_uint_eq(tenths_of(rig, "destination_links", i), carried[_i].destination[i]);
    }
    ck_assert_str_eq(unit_meter_at(rig->network, "source_links", 1)->label,
                     "request-source-link-1");
}
END_TEST

/* --- back-pressure --- */

/* Two sources of 10 packets, 3 places each; the sink has 2 places and takes nothing before 200. */
static Rig *run_blocked(bool stuck, const char *settings)
{
    static const Packet packets[] = {{1, 0, 1, 9}, {1, 0, 1, 9}, {1, 0, 1, 9}, {1, 0, 1, 9},
                                     {1, 0, 1, 9}, {1, 0, 1, 9}, {1, 0, 1, 9}, {1, 0, 1, 9},
                                     {1, 0, 1, 9}, {1, 0, 1, 9}, {0}};
    static Script script;
    Rig *rig = rig_new((Shape){.flow = true,
                               .sources = 2,
                               .sinks = 1,
                               .input_room = 3,
                               .output_room = 2,
                               .concurrency = 1,
                               .settings = settings,
                               .stuck = stuck});
    script = (Script){rig, packets};
    for (uint32_t i = 0; i < 2; i++) harness_generate(rig->source[i], rig_make_scripted, &script);
    if (!stuck) harness_withhold(rig->sink[0], 200);
    ck_assert_int_eq(rig_run(rig), stuck ? RUN_DEADLOCK : RUN_FINISHED);
    return rig;
}

START_TEST(packets_wait_at_the_door_of_a_full_destination_and_keep_their_places)
{
    g_autoptr(Rig) rig = run_blocked(false, _i ? "in_flight = 0" : NULL);
    ck_assert_uint_gt(rig->sink[0]->ports[0]->channel->refused, 0);
    ck_assert_uint_eq(unit_level(rig->network, "at_door")->maximum, 2 * 3);
    ck_assert_uint_le(unit_level(rig->network, "carried")->maximum, 2 * 3);
    ck_assert_uint_ge(unit_count(rig->network, "blocked_output"), 2 * 3);
    ck_assert_uint_eq(harness_arrivals(rig->sink[0]), 2 * 10);
    assert_little(rig->network, "carried");
    assert_little(rig->network, "at_door");
}
END_TEST

START_TEST(packets_that_never_get_in_are_a_deadlock_that_names_the_network)
{
    g_autoptr(Rig) rig = run_blocked(true, NULL);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(
        strstr(text, "network: packets wait for room at 1 destinations; waits for stuck\n"), "%s",
        text);
}
END_TEST

/* --- interruption --- */

static void interrupt(void *user, Time now)
{
    (void)now;
    simulation_interrupt(user);
}

START_TEST(an_interrupted_run_ends_with_packets_under_way)
{
    const Traffic traffic = {4, 1, 10000};
    g_autoptr(Rig) rig =
        rig_new((Shape){.flow = true, .sources = 4, .sinks = 4, .input_room = 8, .concurrency = 0});
    Generator generator = {rig, &traffic};
    for (uint32_t i = 0; i < 4; i++) harness_generate(rig->source[i], rig_make_random, &generator);
    simulation_on_progress(rig->harness->simulation, interrupt, rig->harness->simulation);
    ck_assert_int_eq(rig_run(rig), RUN_INTERRUPTED);
    ck_assert_uint_gt(unit_level(rig->network, "carried")->now, 0);
    ck_assert_uint_lt(rig->harness->report.end, 1000 * TIME_NS);
}
END_TEST

/* --- throughput, beside the crossbar's --- */

static const struct {
    const char *name;
    uint32_t ends, sinks, hot;
    unsigned sectors;
    double difference; /* at most */
} loads[] = {
    {"one link, short packets", 1, 1, 1, 1, 0.01},
    {"one link, long packets", 1, 1, 1, 4, 0.01},
    {"four sources, one sink", 4, 1, 1, 4, 0.01},
    {"hotspot, 6 : 1 x 15", 16, 16, 6, 1, 0.01},
    {"hotspot, 6 : 1 x 15, long packets", 16, 16, 6, 4, 0.01},
    {"4 x 4 at random", 4, 4, 1, 1, 0.03},
    {"4 x 4 at random, long packets", 4, 4, 1, 4, 0.03},
    {"16 x 16 at random", 16, 16, 1, 1, 0.03},
};

START_TEST(a_source_with_one_packet_under_way_is_as_fast_as_through_the_crossbar)
{
    const Traffic traffic = {loads[_i].sectors, loads[_i].hot, 4000};
    Shape shape = {
        .sources = loads[_i].ends, .sinks = loads[_i].sinks, .input_room = 16, .concurrency = 1};
    const double packet = rig_measure(shape, &traffic);
    shape.flow = true;
    const double flow = rig_measure(shape, &traffic);
    if (g_getenv("SHOW")) g_printerr("%s: %.4f, flow %.4f\n", loads[_i].name, packet, flow);
    ck_assert_msg(fabs(flow / packet - 1) <= loads[_i].difference, "%s: packet %.4f, flow %.4f",
                  loads[_i].name, packet, flow);
}
END_TEST

/* SimGrid starts whichever packet finds its links idle, as if each source had a queue for every
 * destination. */
START_TEST(packets_that_overtake_carry_more_than_a_crossbar_with_one_queue)
{
    const Traffic traffic = {1, 1, 1000};
    Shape shape = {.flow = true, .sources = 4, .sinks = 4, .input_room = 16, .concurrency = 1};
    const double in_order = rig_measure(shape, &traffic);
    shape.settings = "in_flight = 0";
    const double overtaking = rig_measure(shape, &traffic);
    shape.concurrency = 0;
    const double shared = rig_measure(shape, &traffic);
    if (g_getenv("SHOW"))
        g_printerr("in order %.4f, overtaking %.4f, shared %.4f\n", in_order, overtaking, shared);
    ck_assert_double_gt(overtaking, 1.3 * in_order);
    ck_assert_double_gt(shared, 1.3 * in_order);
    ck_assert_double_le(overtaking, 1);
    ck_assert_double_le(shared, 1);
}
END_TEST

/* Carried from 6 to 10, 10 to 14 and 14 to 18: one after the other, or all of them at once under
 * way, 3 then 2 then 1. */
START_TEST(packets_are_under_way_as_many_at_once_as_may_be)
{
    static const Packet packets[] = {{5, 0, 4, 11}, {5, 0, 4, 15}, {5, 0, 4, 19}, {0, 0, 0, 0}};
    g_autoptr(Rig) rig = rig_new((Shape){.flow = true,
                                         .sources = 1,
                                         .sinks = 1,
                                         .concurrency = 1,
                                         .settings = _i ? "in_flight = 0" : "in_flight = 1"});
    Script script = {rig, packets};
    harness_generate(rig->source[0], rig_make_scripted, &script);
    ck_assert_int_eq(rig_run(rig), RUN_FINISHED);
    ck_assert_uint_eq(unit_work(rig->network, "under_way"), _i ? 3 * 4 + 2 * 4 + 4 : 12);
    if (!_i) ck_assert_uint_eq(unit_full(rig->network, "under_way"), 12);
    assert_places_are_empty(rig->network);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("flow_network"), *repeating = tcase_create("other loads");
    tcase_add_loop_test(cases, packets_arrive_when_SimGrid_says, 0, G_N_ELEMENTS(scripts));
    tcase_add_test(cases, the_stages_of_a_packet_add_up_to_its_latency);
    tcase_add_loop_test(cases, a_link_counts_what_it_carried, 0, G_N_ELEMENTS(carried));
    tcase_add_loop_test(cases, packets_wait_at_the_door_of_a_full_destination_and_keep_their_places,
                        0, 2);
    tcase_add_test(cases, packets_that_never_get_in_are_a_deadlock_that_names_the_network);
    tcase_add_test(cases, an_interrupted_run_ends_with_packets_under_way);
    tcase_add_loop_test(
        cases, a_source_with_one_packet_under_way_is_as_fast_as_through_the_crossbar, 0, 1);
    tcase_add_loop_test(repeating,
                        a_source_with_one_packet_under_way_is_as_fast_as_through_the_crossbar, 1,
                        G_N_ELEMENTS(loads));
    tcase_add_loop_test(cases, packets_are_under_way_as_many_at_once_as_may_be, 0, 2);
    tcase_add_test(cases, packets_that_overtake_carry_more_than_a_crossbar_with_one_queue);
    return harness_run_repeating("flow_network", cases, repeating);
}
