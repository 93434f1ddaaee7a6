/* One packet after the other: when each of them arrives. */
#include "script.h"

/* Bytes: 8, 8 + 32, 8 + 64, 8 + 128; cycles: 1, 1, 2, 4. */
START_TEST(without_load_a_packet_takes_its_links_and_its_service)
{
    static const Packet packets[] = {{100, TRANSACTION_READ, 15, 0, 100 + 50 + 1 + 24},
                                     {200, TRANSACTION_WRITE, 1, 0, 200 + 50 + 1 + 24},
                                     {300, TRANSACTION_WRITE, 3, 0, 300 + 50 + 2 + 24},
                                     {400, TRANSACTION_WRITE, 15, 0, 400 + 50 + 4 + 24},
                                     {500, TRANSACTION_ATOMIC, 1, 0, 500 + 50 + 1 + 24}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 1, .sinks = 1, .up = 50, .down = 24});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_bytes(rig->crossbar, "bytes"), 8 + 40 + 72 + 136 + 40);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "busy"), 9);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 0);
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->sink[0], 3), 478 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 50 request_transfer 4 request_wire 24");
}
END_TEST

/* At the output 1 up after 10; then one a cycle, the inputs in turn. */
START_TEST(two_inputs_of_one_output_take_turns)
{
    static const Packet first[] = {{10, TRANSACTION_READ, 1, 0, 13},
                                   {10, TRANSACTION_READ, 1, 0, 15},
                                   {10, TRANSACTION_READ, 1, 0, 17}};
    static const Packet second[] = {{10, TRANSACTION_READ, 1, 0, 14},
                                    {10, TRANSACTION_READ, 1, 0, 16},
                                    {10, TRANSACTION_READ, 1, 0, 18}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 1});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 5); /* all but the first */
}
END_TEST

/* The other source's long packet keeps output 0 from 11 to 15. Behind the head that waits for it
 * stands a packet for output 1, which is idle all the time. */
START_TEST(a_blocked_head_blocks_what_is_behind_it)
{
    static const Packet blocker[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    static const Packet blocked[] = {{11, TRANSACTION_READ, 1, 0, 17},
                                     {11, TRANSACTION_READ, 1, 1, 18}};
    Script scripts[] = {SCRIPT(blocker), SCRIPT(blocked)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 2});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 1);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "head_wait"), 15 - 12);
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->sink[1], 0), 18 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 request_queue 4 request_transfer 1 request_wire 1");
}
END_TEST

/* A packet of four sectors keeps the link up and the link down for four cycles each, cut-through:
 * the next one's head comes four cycles later. Acknowledgements carry no data. */
START_TEST(replies_with_data_hold_the_link_acknowledgements_do_not)
{
    static const Packet replies[] = {{10, TRANSACTION_READ, 15, 0, 16},
                                     {10, TRANSACTION_READ, 15, 0, 20},
                                     {10, TRANSACTION_WRITE, 15, 0, 21},
                                     {10, TRANSACTION_READ, 15, 1, 25}};
    Script scripts[] = {SCRIPT(replies)};
    g_autoptr(Rig) rig = rig_new((Shape){.role = NETWORK_REPLY, .sources = 1, .sinks = 2});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_bytes(rig->crossbar, "bytes"), 3 * 136 + 8);
}
END_TEST

/* Links up of 10 B a cycle: 40 B every four cycles, although the link down takes them in one. The
 * last byte comes when the link up has brought it, however fast the crossbar is. */
START_TEST(packets_of_one_source_are_as_far_apart_as_its_link_makes_them)
{
    static const char *const kinds[] = {NULL, VIRTUAL("round_robin"), VIRTUAL("islip; speedup = 2"),
                                        "speedup = 2"};
    static const Packet packets[] = {{10, TRANSACTION_WRITE, 1, 0, 16},
                                     {10, TRANSACTION_WRITE, 1, 1, 20},
                                     {10, TRANSACTION_WRITE, 1, 0, 24}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 1, .sinks = 2, .up_bandwidth = 10, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "busy"), 3 * 4);
}
END_TEST

/* Source 0 brings 136 B in 14 cycles, from 11 to 25, and the output is held as long: source 1's 8 B
 * wait. Its 136 B begin to come at 14 and are there at 28; from 26 on they take four cycles. */
START_TEST(a_packet_whose_last_byte_is_on_its_way_holds_the_output)
{
    static const char *const kinds[] = {NULL, VIRTUAL("round_robin")};
    static const Packet slow[] = {{10, TRANSACTION_WRITE, 15, 0, 26},
                                  {12, TRANSACTION_WRITE, 15, 1, 40}},
                        other[] = {{12, TRANSACTION_READ, 1, 0, 27},
                                   {13, TRANSACTION_WRITE, 15, 0, 31}};
    Script scripts[] = {SCRIPT(slow), SCRIPT(other)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 2, .sinks = 2, .up_bandwidth = 10, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "busy"), 14 + 14 + 1 + 4);
}
END_TEST

/* The sink's two places are taken by what leaves at 11 and 12, until 100; it is known at 101. A
 * place that is taken at 103 is free again at 104. Source 1 is not concerned. */
START_TEST(a_full_destination_holds_packets_back_and_loses_none)
{
    static const Packet held[] = {{10, TRANSACTION_READ, 1, 0, 100},
                                  {10, TRANSACTION_READ, 1, 0, 100},
                                  {10, TRANSACTION_READ, 1, 0, 103},
                                  {10, TRANSACTION_READ, 1, 0, 104},
                                  {10, TRANSACTION_READ, 1, 0, 106}};
    static const Packet free_to_go[] = {{50, TRANSACTION_READ, 1, 1, 53}};
    Script scripts[] = {SCRIPT(held), SCRIPT(free_to_go)};
    static const char *const kinds[] = {NULL, "queueing = virtual_output", "speedup = 2"};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 2, .sinks = 2, .output_room = 2, .settings = kinds[_i]});
    harness_withhold(rig->sink[0], 100);
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_output"), 2);
}
END_TEST

/* Only wires count, however many bytes go to one output, whatever the queues are. */
START_TEST(packets_of_an_ideal_network_do_not_wait_for_each_other)
{
    static const Packet first[] = {{10, TRANSACTION_WRITE, 15, 0, 10 + 50 + 24},
                                   {10, TRANSACTION_WRITE, 15, 0, 10 + 50 + 24},
                                   {11, TRANSACTION_READ, 1, 1, 11 + 50 + 24}};
    static const Packet second[] = {{10, TRANSACTION_WRITE, 15, 0, 10 + 50 + 24}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    static const char *const kinds[] = {NULL, "queueing = virtual_output", "speedup = 2"};
    g_autoptr(Rig) rig = rig_new((Shape){
        .sources = 2, .sinks = 2, .up = 50, .down = 24, .ideal = true, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_bytes(rig->crossbar, "bytes"), 3 * 136 + 8);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "busy"), 0);
    ck_assert_uint_eq(unit_count(rig->crossbar, "packets"), 4);
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->sink[0], 2), 84 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 50 request_wire 24");
}
END_TEST

/* The sink's two places are taken at 11, until 100; it is known at 101, and two packets go at once,
 * which are taken at 102; the last goes at 103. Who stands behind them goes past. */
START_TEST(packets_of_an_ideal_network_wait_for_room)
{
    static const Packet held[] = {
        {10, TRANSACTION_READ, 1, 0, 100}, {10, TRANSACTION_READ, 1, 0, 100},
        {10, TRANSACTION_READ, 1, 0, 102}, {10, TRANSACTION_READ, 1, 0, 102},
        {10, TRANSACTION_READ, 1, 0, 104}, {10, TRANSACTION_READ, 1, 1, 12}};
    Script scripts[] = {SCRIPT(held)};
    static const char *const kinds[] = {NULL, "queueing = virtual_output", "speedup = 2"};
    g_autoptr(Rig) rig = rig_new(
        (Shape){.sources = 1, .sinks = 2, .output_room = 2, .ideal = true, .settings = kinds[_i]});
    harness_withhold(rig->sink[0], 100);
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_output"), 2);
    ck_assert_uint_eq(unit_level(rig->crossbar, "output_queued")->maximum, 0);
}
END_TEST

/* --- places --- */

/* Four places, five cycles there and five back: what is moved at 15 makes room that is known at
 * 20, so four packets go in ten cycles. */
START_TEST(a_place_is_free_when_its_packet_has_gone)
{
    static const char *const kinds[] = {NULL, VIRTUAL("islip")};
    static const Packet packets[] = {
        {10, TRANSACTION_READ, 1, 0, 17}, {10, TRANSACTION_READ, 1, 0, 18},
        {10, TRANSACTION_READ, 1, 0, 19}, {10, TRANSACTION_READ, 1, 0, 20},
        {10, TRANSACTION_READ, 1, 0, 27}, {10, TRANSACTION_READ, 1, 0, 28},
        {10, TRANSACTION_READ, 1, 0, 29}, {10, TRANSACTION_READ, 1, 0, 30},
        {10, TRANSACTION_READ, 1, 0, 37}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 1, .sinks = 1, .input_room = 4, .up = 5, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_level(rig->crossbar, "queued")->maximum, 4);
    ck_assert_uint_eq(unit_count(rig->crossbar, "full_input"), 1);
}
END_TEST

/* The same; they go all at once, and so do those that get their places. */
START_TEST(a_place_of_an_ideal_network_is_free_when_its_packet_has_gone)
{
    static const Packet packets[] = {
        {10, TRANSACTION_READ, 1, 0, 16}, {10, TRANSACTION_READ, 1, 0, 16},
        {10, TRANSACTION_READ, 1, 0, 16}, {10, TRANSACTION_READ, 1, 0, 16},
        {10, TRANSACTION_READ, 1, 0, 26}, {10, TRANSACTION_READ, 1, 0, 26},
        {10, TRANSACTION_READ, 1, 0, 26}, {10, TRANSACTION_READ, 1, 0, 26},
        {10, TRANSACTION_READ, 1, 0, 36}};
    Script scripts[] = {SCRIPT(packets)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 1, .sinks = 1, .input_room = 4, .up = 5, .ideal = true});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_level(rig->crossbar, "queued")->maximum, 4);
}
END_TEST

static void ignore(Unit *unit, Time now)
{
    (void)unit, (void)now;
}

/* One packet fills the sink, which never takes it; the others stay in the crossbar, where they fill
 * the input unless there is a queue at the output. */
START_TEST(packets_that_cannot_leave_are_work_left)
{
    static const char *const kinds[] = {VIRTUAL("islip"), "speedup = 2", NULL};
    static const Packet packets[] = {{10, TRANSACTION_READ, 1, 0, 0},
                                     {20, TRANSACTION_READ, 1, 0, 0},
                                     {30, TRANSACTION_READ, 1, 0, 0}};
    Script script = SCRIPT(packets);
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 1,
                                         .sinks = 1,
                                         .input_room = 2,
                                         .output_room = 1,
                                         .ideal = !kinds[_i],
                                         .settings = kinds[_i]});
    UnitClass deaf = *rig->sink[0]->class;
    deaf.step = ignore;
    rig->sink[0]->class = &deaf;
    harness_generate(rig->source[0], make_packet, &script);
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    ck_assert_uint_eq(unit_count(rig->crossbar, "full_input"), _i == 1 ? 0 : 1);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "crossbar: 2 packets in its queues; waits for sink"), "%s", text);
}
END_TEST

/* --- ports compared --- */

static void assert_ports(Unit *crossbar, const uint64_t expected[4])
{
    static const char *const names[] = {"least_from_input", "most_from_input", "least_to_output",
                                        "most_to_output"};
    const Launch launch = {.measured = true};
    crossbar->class->boundary(crossbar,
                              &(Boundary){.kind = BOUNDARY_KERNEL_END, .launch = &launch});
    for (int k = 0; k < 4; k++) ck_assert_uint_eq(unit_count(crossbar, names[k]), expected[k]);
}

/* Source 1 is five cycles from output 0, source 0 seven from output 1. At output 0 the second
 * packet comes a cycle after the first and would be there at 14: it stays behind it. */
START_TEST(a_packet_takes_the_wire_from_its_place_to_the_other_in_order)
{
    static const char *const kinds[] = {NULL, VIRTUAL("round_robin"),
                                        VIRTUAL("islip; speedup = 2")};
    uint32_t places[] = {0, 1};
    NetworkLink wire[] = {{.latency = 0}, {.latency = 7}, {.latency = 5}, {.latency = 0}};
    const NetworkWires wires = {places, places, 2, 2, wire};
    static const Packet first[] = {{11, TRANSACTION_READ, 1, 0, 10 + 3 + 5},
                                   {30, TRANSACTION_READ, 1, 0, 30 + 3},
                                   {50, TRANSACTION_READ, 1, 1, 50 + 3 + 7}};
    static const Packet second[] = {{10, TRANSACTION_READ, 1, 0, 10 + 3 + 5},
                                    {50, TRANSACTION_READ, 1, 0, 50 + 3 + 5},
                                    {70, TRANSACTION_READ, 1, 1, 70 + 3}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig =
        rig_new((Shape){.sources = 2, .sinks = 2, .wires = &wires, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "wire_time"), 5 + 4 + 7 + 5);
}
END_TEST

/* The counts begin with the first kernel that is measured. */
START_TEST(the_least_and_the_most_of_inputs_and_outputs_are_told)
{
    static const char *const kinds[] = {NULL, VIRTUAL("islip; speedup = 2")};
    static const Packet first[] = {{10, TRANSACTION_READ, 1, 0, 13},
                                   {20, TRANSACTION_READ, 1, 1, 23},
                                   {30, TRANSACTION_READ, 1, 0, 33}};
    static const Packet second[] = {{15, TRANSACTION_READ, 1, 0, 18}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 3, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    assert_ports(rig->crossbar, (const uint64_t[]){1, 3, 0, 3});
    const Launch warm_up = {.measured = false}, timed = {.measured = true};
    Boundary start = {.kind = BOUNDARY_KERNEL_START, .launch = &warm_up};
    rig->crossbar->class->boundary(rig->crossbar, &start);
    assert_ports(rig->crossbar, (const uint64_t[]){1, 3, 0, 3});
    start.launch = &timed;
    rig->crossbar->class->boundary(rig->crossbar, &start);
    assert_ports(rig->crossbar, (const uint64_t[]){0, 0, 0, 0});
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("crossbar");
    tcase_add_test(cases, without_load_a_packet_takes_its_links_and_its_service);
    tcase_add_test(cases, two_inputs_of_one_output_take_turns);
    tcase_add_test(cases, a_blocked_head_blocks_what_is_behind_it);
    tcase_add_test(cases, replies_with_data_hold_the_link_acknowledgements_do_not);
    tcase_add_loop_test(cases, packets_of_one_source_are_as_far_apart_as_its_link_makes_them, 0, 4);
    tcase_add_loop_test(cases, a_packet_whose_last_byte_is_on_its_way_holds_the_output, 0, 2);
    tcase_add_loop_test(cases, a_full_destination_holds_packets_back_and_loses_none, 0, 3);
    tcase_add_loop_test(cases, packets_of_an_ideal_network_do_not_wait_for_each_other, 0, 3);
    tcase_add_loop_test(cases, packets_of_an_ideal_network_wait_for_room, 0, 3);
    tcase_add_loop_test(cases, a_place_is_free_when_its_packet_has_gone, 0, 2);
    tcase_add_test(cases, a_place_of_an_ideal_network_is_free_when_its_packet_has_gone);
    tcase_add_loop_test(cases, packets_that_cannot_leave_are_work_left, 0, 3);
    tcase_add_loop_test(cases, a_packet_takes_the_wire_from_its_place_to_the_other_in_order, 0, 3);
    tcase_add_loop_test(cases, the_least_and_the_most_of_inputs_and_outputs_are_told, 0, 2);
    return harness_run_cases("crossbar", cases);
}
