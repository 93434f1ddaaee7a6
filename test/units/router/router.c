/* Routers in small rings and meshes: exact times without load, fairness, order, back-pressure. */
#include "rig.h"
#include "rigs/packet_script.h"

/* Scripts of sources 0, 1, ... */
static void run_scripts(RouterRig *rig, Script *scripts, uint32_t count)
{
    for (uint32_t s = 0; s < count; s++) {
        scripts[s].from = (uint16_t)s;
        harness_generate(rig->source[s], make_packet, &scripts[s]);
    }
    rig_run(rig);
    for (uint32_t s = 0; s < count; s++) check_arrivals(rig->sink, rig->source[s], &scripts[s]);
}

static char *stages_of(const RouterRig *rig, uint32_t stop, uint64_t number)
{
    const Arrived *arrived = harness_arrival(rig->sink[stop], number);
    return harness_stages((const Transaction *)arrived->message, arrived->at, rig->harness->clock);
}

/* --- without load --- */

/* 1 up + hops x (3 router + 5 wire) + bytes / 40 + 1 down. Bytes: 8, 8 + 32, 8 + 64, 8 + 128. Seven
 * stops to the east are one to the west. */
START_TEST(without_load_a_packet_takes_its_hops_and_its_bytes)
{
    static const Packet packets[] = {{100, TRANSACTION_READ, 15, 0, 100 + 1 + 0 + 1 + 1},
                                     {200, TRANSACTION_READ, 15, 1, 200 + 1 + 8 + 1 + 1},
                                     {300, TRANSACTION_WRITE, 1, 3, 300 + 1 + 24 + 1 + 1},
                                     {400, TRANSACTION_WRITE, 3, 4, 400 + 1 + 32 + 2 + 1},
                                     {500, TRANSACTION_WRITE, 15, 5, 500 + 1 + 24 + 4 + 1},
                                     {600, TRANSACTION_WRITE, 15, 7, 600 + 1 + 8 + 4 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){.topology = TOPOLOGY_RING, .link_latency = 5, .router_delay = 3}, 8, NULL);
    run_scripts(rig, scripts, 1);
    ck_assert_uint_eq(rig_sum(rig, "link_packets", STAT_COUNT), 0 + 1 + 3 + 4 + 3 + 1);
    ck_assert_uint_eq(rig_sum(rig, "link_bytes", STAT_BYTES),
                      8 + 3 * 40 + 4 * 72 + 3 * 136 + 1 * 136);
    ck_assert_uint_eq(rig_busy(rig, "x+"), 1 + 3 + 4 * 2);
    ck_assert_uint_eq(rig_busy(rig, "x-"), 3 * 4 + 4);
    ck_assert_uint_eq(rig_sum(rig, "busy_links", STAT_TIME), 1 + 3 + 4 * 2 + 3 * 4 + 4);
    ck_assert_uint_eq(rig_sum(rig, "busy_exits", STAT_TIME), 1 + 1 + 1 + 2 + 4 + 4);
    ck_assert_uint_eq(rig_sum(rig, "waited", STAT_COUNT), 0);
    g_autofree char *stages = stages_of(rig, 5, 0);
    ck_assert_str_eq(stages, "issue 1 request_wire 24 request_transfer 4 request_wire 1");
}
END_TEST

/* From the corner of 2 x 2 to the east and on to the south: two links at each router, of which the
 * first one's leads to the east. Four sectors take 4 cycles of each link. */
START_TEST(a_packet_takes_a_link_of_its_source_one_a_hop_and_one_of_its_exit)
{
    static const Packet packets[] = {{100, TRANSACTION_WRITE, 15, 3, 100 + 1 + 2 * 8 + 4 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){.topology = TOPOLOGY_MESH, .link_latency = 5, .router_delay = 3}, 4, NULL);
    run_scripts(rig, scripts, 1);
    const Unit *first = rig->routers->pdata[0], *second = rig->routers->pdata[1],
               *last = rig->routers->pdata[3];
    ck_assert_uint_eq(unit_booked(first, "source_links"), 4);
    ck_assert_uint_eq(unit_booked_at(first, "links", 0), 4);
    ck_assert_uint_eq(unit_booked_at(first, "links", 1), 0);
    ck_assert_uint_eq(unit_booked(first, "exits"), 0);
    ck_assert_uint_eq(unit_booked_at(second, "links", 0) + unit_booked_at(second, "links", 1), 4);
    ck_assert_uint_eq(unit_booked(last, "exits"), 4);
    uint32_t links = 0;
    for (uint32_t i = 0; i < unit_meters(first)->count; i++)
        links += g_str_equal(unit_meters(first)->at[i].name, "links");
    ck_assert_uint_eq(links, 2);
}
END_TEST

START_TEST(a_ring_that_goes_one_way_round_takes_the_long_way)
{
    static const Packet packets[] = {{100, TRANSACTION_READ, 1, 7, 100 + 1 + 7 * 8 + 1 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){
            .topology = TOPOLOGY_RING, .ring_directions = 1, .link_latency = 5, .router_delay = 3},
        8, NULL);
    run_scripts(rig, scripts, 1);
}
END_TEST

/* From stop 0 in the corner of 4 x 4: 3 along the row and 3 down; the row first. */
START_TEST(a_mesh_is_crossed_along_the_row_and_then_the_column)
{
    static const Packet packets[] = {{100, TRANSACTION_READ, 1, 15, 100 + 1 + 6 * 8 + 1 + 1},
                                     {200, TRANSACTION_READ, 1, 9, 200 + 1 + 3 * 8 + 1 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){.topology = TOPOLOGY_MESH, .link_latency = 5, .router_delay = 3}, 16, NULL);
    run_scripts(rig, scripts, 1);
    ck_assert_uint_eq(rig_busy(rig, "x+"), 3 + 1);
    ck_assert_uint_eq(rig_busy(rig, "y-"), 3 + 2);
    ck_assert_uint_eq(unit_count(rig->routers->pdata[3], "link_packets"), 1);
    ck_assert_uint_eq(unit_count(rig->routers->pdata[1], "link_packets"), 2);
}
END_TEST

/* 1 up + hops x (3 router + 5 wire) + 1 down, however many bytes go the same way. */
START_TEST(packets_of_an_ideal_network_do_not_wait_for_each_other)
{
    static const Packet packets[] = {{100, TRANSACTION_WRITE, 15, 2, 100 + 1 + 16 + 1},
                                     {100, TRANSACTION_WRITE, 15, 2, 100 + 1 + 16 + 1},
                                     {101, TRANSACTION_READ, 15, 0, 101 + 1 + 1}};
    static const Packet others[] = {{108, TRANSACTION_WRITE, 15, 2, 108 + 1 + 8 + 1}};
    Script scripts[] = {SCRIPT(packets), SCRIPT(others)};
    g_autoptr(RouterRig) rig = router_rig_new((NetworkParams){.topology = TOPOLOGY_RING,
                                                              .link_latency = 5,
                                                              .router_delay = 3,
                                                              .ideal = IDEAL_REQUESTS},
                                              8, NULL);
    run_scripts(rig, scripts, 2);
    ck_assert_uint_eq(rig_sum(rig, "link_bytes", STAT_BYTES), (2 * 2 + 1) * 136);
    ck_assert_uint_eq(rig_sum(rig, "busy_links", STAT_TIME), 0);
    ck_assert_uint_eq(rig_sum(rig, "waited", STAT_COUNT), 0);
}
END_TEST

/* 136 B take 4 cycles on the ends' links and 7 on those of 20 B between stops; the destination has
 * all of it when the slowest has carried it. The second is 7 cycles behind the first. */
START_TEST(a_slow_link_holds_the_packet_and_those_behind_it)
{
    static const Packet packets[] = {{100, TRANSACTION_WRITE, 15, 2, 100 + 1 + 2 + 7 + 1},
                                     {100, TRANSACTION_WRITE, 15, 2, 107 + 1 + 2 + 7 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){.topology = TOPOLOGY_RING, .request_link_bandwidth = 20}, 8, NULL);
    run_scripts(rig, scripts, 1);
    ck_assert_uint_eq(rig_sum(rig, "busy_links", STAT_TIME), 2 * 2 * 7);
    g_autofree char *stages = stages_of(rig, 2, 1);
    ck_assert_str_eq(stages,
                     "issue 1 request_queue 7 request_wire 2 request_transfer 7 request_wire 1");
}
END_TEST

/* Of 32 B: 8 B are one and 136 B five, which take a cycle and four. */
START_TEST(packets_are_whole_flits)
{
    static const Packet packets[] = {{100, TRANSACTION_READ, 15, 1, 100 + 1 + 1 + 1 + 1},
                                     {200, TRANSACTION_WRITE, 15, 1, 200 + 1 + 1 + 4 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig =
        router_rig_new((NetworkParams){.topology = TOPOLOGY_RING, .flit_bytes = 32}, 8, NULL);
    run_scripts(rig, scripts, 1);
    ck_assert_uint_eq(rig_sum(rig, "link_bytes", STAT_BYTES), 32 + 5 * 32);
}
END_TEST

/* 136 B take 4 cycles on the source's link, so the second leaves 4 cycles later, another way. */
START_TEST(packets_of_one_source_are_as_far_apart_as_its_link_makes_them)
{
    static const Packet packets[] = {{100, TRANSACTION_WRITE, 15, 1, 100 + 1 + 1 + 4 + 1},
                                     {100, TRANSACTION_WRITE, 15, 7, 104 + 1 + 1 + 4 + 1}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new((NetworkParams){.topology = TOPOLOGY_RING}, 8, NULL);
    run_scripts(rig, scripts, 1);
    g_autofree char *stages = stages_of(rig, 7, 0);
    ck_assert_str_eq(stages,
                     "issue 1 request_queue 4 request_wire 1 request_transfer 4 request_wire 1");
}
END_TEST

/* --- who waits for whom --- */

/* Source 1's long packet holds the link 1-2 from 101 to 105. Source 0's first is there at 102 and
 * waits 3 cycles; its second wants stop 1, which is free. */
START_TEST(a_packet_that_waits_holds_up_none_that_go_elsewhere)
{
    static const Packet passing[] = {{100, TRANSACTION_READ, 1, 2, 105 + 1 + 1 + 1},
                                     {100, TRANSACTION_READ, 1, 1, 102 + 1 + 1 + 1}};
    static const Packet blocking[] = {{100, TRANSACTION_WRITE, 15, 2, 101 + 1 + 4 + 1}};
    Script scripts[] = {SCRIPT(passing), SCRIPT(blocking)};
    g_autoptr(RouterRig) rig = router_rig_new((NetworkParams){.topology = TOPOLOGY_RING}, 8, NULL);
    run_scripts(rig, scripts, 2);
    ck_assert_uint_eq(rig_sum(rig, "waited", STAT_COUNT), 2);
}
END_TEST

static uint32_t to_the_last(const RouterRig *rig, uint32_t from, uint64_t random)
{
    (void)random;
    return from + 1 < rig->stops ? rig->stops - 1 : UINT32_MAX;
}

static void saturate_a_row(RouterRig *rig)
{
    rig->pattern = to_the_last;
    rig->rate = 1;
    rig->warm_up = 2000;
    rig->end = 12000;
    rig_run(rig);
    ck_assert_uint_eq(rig->arrived, rig->end - rig->warm_up);
}

/* Three sources in a row, whose packets all leave it at its end. */
START_TEST(oldest_first_gives_near_and_far_sources_the_same_share)
{
    g_autoptr(RouterRig) rig =
        router_rig_new((NetworkParams){.topology = TOPOLOGY_MESH, .mesh_columns = 4}, 4, NULL);
    saturate_a_row(rig);
    for (uint32_t s = 0; s < 3; s++) {
        ck_assert_uint_gt(rig->from[s], 0.97 * 10000 / 3);
        ck_assert_uint_lt(rig->from[s], 1.03 * 10000 / 3);
    }
}
END_TEST

/* The router before the end gives its own source a half and what comes a half; of that the one
 * before gives its own source a half. */
START_TEST(inputs_in_turn_halve_the_share_at_each_router)
{
    g_autoptr(RouterRig) rig =
        router_rig_new((NetworkParams){.topology = TOPOLOGY_MESH, .mesh_columns = 4}, 4,
                       "arbitration = round_robin");
    saturate_a_row(rig);
    static const uint64_t shares[] = {2500, 2500, 5000};
    for (uint32_t s = 0; s < 3; s++) {
        ck_assert_uint_gt(rig->from[s], 0.98 * shares[s]);
        ck_assert_uint_lt(rig->from[s], 1.02 * shares[s]);
    }
}
END_TEST

/* The sink has 8 places, until 200; what it takes then is known at 201 and replaced at 203. */
START_TEST(a_full_destination_holds_packets_back_and_loses_none)
{
    static Packet packets[10];
    for (uint16_t n = 0; n < 10; n++)
        packets[n] = (Packet){10, TRANSACTION_READ, 1, 1, n < 8 ? 200 : n < 9 ? 203 : 204};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(RouterRig) rig = router_rig_new((NetworkParams){.topology = TOPOLOGY_RING}, 4, NULL);
    harness_withhold(rig->sink[1], 200);
    run_scripts(rig, scripts, 1);
    ck_assert_uint_eq(rig_sum(rig, "blocked", STAT_COUNT), 1);
}
END_TEST

static uint32_t to_the_first(const RouterRig *rig, uint32_t from, uint64_t random)
{
    (void)rig, (void)random;
    return from ? 0 : UINT32_MAX;
}

/* All but one of 16 stops of a ring, both ways round, at full speed to that one; those beside it
 * see nothing but full buffers go by. Even shares would be 667 of 10000; those who share the
 * ring's buffers besides their own get more, and none less than two fifths. */
START_TEST(nobody_starves_beside_a_stop_that_everybody_wants)
{
    static const uint64_t buffers[] = {2, 4, 16};
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){.topology = TOPOLOGY_RING, .link_buffer = buffers[_i], .input_buffer = 16},
        16, NULL);
    rig->pattern = to_the_first;
    rig->rate = 1;
    rig->warm_up = 2000;
    rig->end = 12000;
    rig_run(rig);
    ck_assert_uint_eq(rig->arrived, 10000);
    for (uint32_t s = 1; s < 16; s++) ck_assert_uint_gt(rig->from[s], 2 * 667 / 5);
}
END_TEST

/* --- deadlock --- */

static uint32_t to_the_opposite(const RouterRig *rig, uint32_t from, uint64_t random)
{
    (void)random;
    return (from + rig->stops / 2) % rig->stops;
}

/* Every source at full speed, two places a buffer. Without the place that is kept free each of
 * these rings stops. */
static const struct {
    uint64_t directions;
    const char *settings;
    Pattern pattern;
} tight[] = {
    {2, "arbitration = oldest_first", to_anybody},
    {2, "arbitration = round_robin", to_anybody},
    {1, "arbitration = oldest_first", to_anybody},
    {1, "arbitration = round_robin", to_anybody},
    {2, "arbitration = oldest_first", to_the_opposite},
    {1, "arbitration = round_robin", to_the_opposite},
};

START_TEST(a_saturated_ring_with_two_places_a_buffer_goes_on)
{
    g_autoptr(RouterRig) rig =
        router_rig_new((NetworkParams){.topology = TOPOLOGY_RING,
                                       .ring_directions = tight[_i].directions,
                                       .link_buffer = 2,
                                       .input_buffer = 2},
                       16, tight[_i].settings);
    rig->pattern = tight[_i].pattern;
    rig->rate = 1;
    rig->packets = 500;
    rig_run(rig);
    ck_assert_uint_eq(rig->arrived, 16 * 500);
    ck_assert_uint_gt(rig_sum(rig, "bubbles_kept", STAT_COUNT), 0);
}
END_TEST

START_TEST(a_saturated_mesh_with_one_place_a_buffer_goes_on)
{
    g_autoptr(RouterRig) rig = router_rig_new(
        (NetworkParams){.topology = TOPOLOGY_MESH, .link_buffer = 1, .input_buffer = 1}, 16, NULL);
    rig->pattern = to_anybody;
    rig->rate = 1;
    rig->packets = 500;
    rig_run(rig);
    ck_assert_uint_eq(rig->arrived, 16 * 500);
    ck_assert_uint_gt(rig_sum(rig, "blocked", STAT_COUNT), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("router");
    tcase_add_test(cases, without_load_a_packet_takes_its_hops_and_its_bytes);
    tcase_add_test(cases, a_packet_takes_a_link_of_its_source_one_a_hop_and_one_of_its_exit);
    tcase_add_test(cases, a_ring_that_goes_one_way_round_takes_the_long_way);
    tcase_add_test(cases, a_mesh_is_crossed_along_the_row_and_then_the_column);
    tcase_add_test(cases, packets_of_an_ideal_network_do_not_wait_for_each_other);
    tcase_add_test(cases, a_slow_link_holds_the_packet_and_those_behind_it);
    tcase_add_test(cases, packets_are_whole_flits);
    tcase_add_test(cases, packets_of_one_source_are_as_far_apart_as_its_link_makes_them);
    tcase_add_test(cases, a_packet_that_waits_holds_up_none_that_go_elsewhere);
    tcase_add_test(cases, oldest_first_gives_near_and_far_sources_the_same_share);
    tcase_add_test(cases, inputs_in_turn_halve_the_share_at_each_router);
    tcase_add_loop_test(cases, nobody_starves_beside_a_stop_that_everybody_wants, 0, 3);
    tcase_add_test(cases, a_full_destination_holds_packets_back_and_loses_none);
    tcase_add_loop_test(cases, a_saturated_ring_with_two_places_a_buffer_goes_on, 0,
                        G_N_ELEMENTS(tight));
    tcase_add_test(cases, a_saturated_mesh_with_one_place_a_buffer_goes_on);
    return harness_run_cases("router", cases);
}
