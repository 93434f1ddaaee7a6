/* The unit between wires: what SM i asks slice i for is there after so many cycles, and so is the
 * reply. A boundary's notice is 64 cycles: the measured time begins at cycle 65. */
#include "rigs/unit_rig.h"

#include "kit/traffic/traffic.h"
#include "parts/sm/coalescer.h"

extern const UnitClass network_traffic_class;

enum { ENDS = 4, FIRST = 65, THERE = 7, BACK = 9, CYCLES = 2000 };

typedef struct {
    Harness *harness;
    Unit *unit;
    LineShape line;
    LaunchList *launches;
    LaunchRecord record[2];
    Kernel kernel;
    Traffic what;
} Rig;

static void free_nothing(G_GNUC_UNUSED Kernel *kernel)
{
}

static const KernelClass no_kernel = {.free = free_nothing};

static void connect_ends(Rig *rig, uint32_t room, uint32_t reply_room)
{
    static const char *const names[] = {"to_request_network", "from_request_network",
                                        "to_reply_network", "from_reply_network"};
    for (guint k = 0; k < G_N_ELEMENTS(names); k++) unit_size_ports(rig->unit, names[k], ENDS);
    for (uint32_t i = 0; i < ENDS; i++) {
        harness_connect(rig->harness, rig->unit, names[0], rig->unit, names[1],
                        (Path){room, THERE, 1, i, i});
        harness_connect(rig->harness, rig->unit, names[2], rig->unit, names[3],
                        (Path){reply_room, BACK, 1, i, i});
    }
}

static Rig *rig_new(Traffic what, uint32_t room, uint32_t reply_room)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->what = what;
    rig->what.bytes = 32;
    rig->kernel = (Kernel){.class = &no_kernel, .traffic = &rig->what};
    rig->launches = launch_list_new();
    const Launch launch = {.kernel = &rig->kernel, .measured = true};
    g_array_append_val(rig->launches->launches, launch);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "launches", rig->launches);
    simulation_share(rig->harness->simulation, "record", rig->record);
    rig->unit = harness_add(rig->harness, &network_traffic_class, "network_traffic", NULL);
    connect_ends(rig, room, reply_room);
    simulation_set_boundary_delay(rig->harness->simulation, 64 * TIME_NS);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    if (what.load > 0 && !what.warm_up) assert_little(rig->unit, "under_way");
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    launch_list_free(rig->launches);
    g_free(rig);
}

/* In cycles, all the same. */
static void assert_latency(const Rig *rig, uint64_t cycles)
{
    const Histogram *latency = unit_histogram(rig->unit, "latency");
    ck_assert_uint_eq(latency->minimum, cycles * TIME_NS);
    ck_assert_uint_eq(latency->maximum, cycles * TIME_NS);
    ck_assert_uint_eq(latency->count, unit_count(rig->unit, "generated"));
}

static const struct {
    TrafficWay way;
    uint64_t cycles;
} ways[] = {{WAY_REQUESTS, THERE}, {WAY_REPLIES, BACK}, {WAY_ROUND_TRIP, THERE + BACK}};

START_TEST(a_packet_takes_what_its_way_takes)
{
    Rig *rig = rig_new((Traffic){.way = ways[_i].way, .load = 0.3, .duration = CYCLES}, 0, 0);
    assert_latency(rig, ways[_i].cycles);
    const double made = (double)unit_count(rig->unit, "generated") / (ENDS * CYCLES);
    ck_assert_double_eq_tol(made, 0.3, 0.02);
    ck_assert_uint_eq(unit_count(rig->unit, "source_cycles"), ENDS * CYCLES);
    rig_free(rig);
}
END_TEST

START_TEST(a_source_sends_one_a_cycle_at_most)
{
    Rig *rig = rig_new((Traffic){.load = 1, .warm_up = 100, .duration = CYCLES}, 0, 0);
    assert_latency(rig, THERE);
    ck_assert_uint_eq(unit_count(rig->unit, "generated"), ENDS * CYCLES);
    ck_assert_uint_eq(unit_count(rig->unit, "accepted"), ENDS * CYCLES);
    ck_assert_uint_eq(rig->record->start, (1 + 100) * TIME_NS);
    rig_free(rig);
}
END_TEST

/* Two places for a round trip of 8 cycles are a packet in 4. Packets are made all the same, and
 * what waits is sent when the measured time is over: the n-th leaves in cycle 4 n. */
START_TEST(what_finds_no_room_waits_at_its_source)
{
    Rig *rig = rig_new((Traffic){.load = 1, .duration = CYCLES}, 2, 0);
    const double accepted = (double)unit_count(rig->unit, "accepted") / (ENDS * CYCLES);
    ck_assert_double_eq_tol(accepted, 0.25, 0.005);
    ck_assert_uint_eq(unit_count(rig->unit, "generated"), ENDS * CYCLES);
    const Histogram *latency = unit_histogram(rig->unit, "latency");
    ck_assert_uint_eq(latency->count, ENDS * CYCLES);
    const double mean = time_to_ns(latency->sum) / (double)latency->count;
    ck_assert_double_eq_tol(mean, 3 * CYCLES / 2 + THERE, 5);
    ck_assert_double_eq_tol(time_to_ns(rig->record->end), FIRST + 4 * CYCLES + THERE, 8);
    const StageSums *stages = unit_stages(rig->unit, "stages_traffic");
    ck_assert_uint_eq(stages->stage[STAGE_REQUEST_WIRE], ENDS * CYCLES * THERE * TIME_NS);
    ck_assert_uint_eq(stages->stage[STAGE_REQUEST_QUEUE] + stages->stage[STAGE_REQUEST_WIRE],
                      latency->sum);
    ck_assert_uint_eq(stages->stage[STAGE_REQUEST_QUEUE],
                      unit_busy(rig->unit, "source_wait") * TIME_NS);
    rig_free(rig);
}
END_TEST

/* Two answers leave in ten cycles, together; until the requests after them are there it takes nine:
 * of 5 CYCLES a tenth all four places are taken. */
static void assert_answers_wait(const Unit *unit)
{
    const Level *first = unit_meter_at(unit, "answers", 0)->field;
    ck_assert_uint_ge(unit_full(unit, "answers"), CYCLES / 2 - 10);
    ck_assert_uint_le(unit_full(unit, "answers"), CYCLES / 2 + 10);
    ck_assert_uint_eq(first->maximum, 4);
    ck_assert_uint_eq(first->stay, first->integral);
    assert_places_are_empty(unit);
}

/* An answer that finds no room leaves the requests behind it in the network. */
START_TEST(answers_wait_for_the_reply_network)
{
    Rig *rig = rig_new((Traffic){.way = WAY_ROUND_TRIP, .load = 1, .duration = CYCLES}, 4, 2);
    const double accepted = (double)unit_count(rig->unit, "accepted") / (ENDS * CYCLES);
    ck_assert_double_eq_tol(accepted, 2.0 / (BACK + 1), 0.01);
    ck_assert_uint_gt(unit_count(rig->unit, "blocked_answers"), CYCLES);
    assert_answers_wait(rig->unit);
    rig_free(rig);
}
END_TEST

START_TEST(outstanding_packets_are_a_closed_loop)
{
    Rig *rig = rig_new(
        (Traffic){.way = WAY_ROUND_TRIP, .load = 1, .outstanding = 3, .duration = CYCLES}, 0, 0);
    const double accepted = (double)unit_count(rig->unit, "accepted") / (ENDS * CYCLES);
    ck_assert_double_eq_tol(accepted, 3.0 / (THERE + BACK), 0.003);
    ck_assert_uint_eq(unit_level(rig->unit, "under_way")->maximum, 3 * ENDS);
    assert_latency(rig, THERE + BACK); /* nothing is made that would have to wait */
    rig_free(rig);
}
END_TEST

/* No packet is made: the measured time passes all the same. */
START_TEST(no_load_is_a_run_of_nothing)
{
    Rig *rig = rig_new((Traffic){.load = 0, .duration = CYCLES}, 0, 0);
    ck_assert_uint_eq(unit_count(rig->unit, "delivered"), 0);
    ck_assert_uint_eq(rig->record->end - rig->record->start, CYCLES * TIME_NS);
    rig_free(rig);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("network_traffic");
    tcase_add_loop_test(cases, a_packet_takes_what_its_way_takes, 0, (int)G_N_ELEMENTS(ways));
    tcase_add_test(cases, a_source_sends_one_a_cycle_at_most);
    tcase_add_test(cases, what_finds_no_room_waits_at_its_source);
    tcase_add_test(cases, answers_wait_for_the_reply_network);
    tcase_add_test(cases, outstanding_packets_are_a_closed_loop);
    tcase_add_test(cases, no_load_is_a_run_of_nothing);
    return harness_run_cases("network_traffic", cases);
}
