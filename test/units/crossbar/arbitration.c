/* Who goes first: virtual output queues, orders of arbitration, speed-up. */
#include "script.h"

/* --- queues and orders --- */

/* The other source's long packet keeps output 0 from 11 to 15. The packet for output 1 goes as soon
 * as the link has brought it, at 13. */
START_TEST(a_blocked_head_of_a_virtual_queue_blocks_nobody_else)
{
    static const char *const kinds[] = {VIRTUAL("round_robin"), VIRTUAL("oldest_first"),
                                        VIRTUAL("islip")};
    static const Packet blocker[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    static const Packet blocked[] = {{11, TRANSACTION_READ, 1, 0, 17},
                                     {11, TRANSACTION_READ, 1, 1, 15}};
    Script scripts[] = {SCRIPT(blocker), SCRIPT(blocked)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 2, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "blocked_head"), 1);
    ck_assert_uint_eq(unit_busy(rig->crossbar, "head_wait"), 15 - 12);
}
END_TEST

/* Input 2 holds the output from 11 to 15. Input 1's packet came before input 0's, whose turn it
 * would be; of two that come together the lower input's goes first. */
START_TEST(the_oldest_packet_goes_first)
{
    static const char *const kinds[] = {"arbitration = oldest_first", VIRTUAL("oldest_first")};
    static const Packet younger[] = {{13, TRANSACTION_READ, 1, 0, 18},
                                     {30, TRANSACTION_READ, 1, 0, 33}};
    static const Packet older[] = {{12, TRANSACTION_READ, 1, 0, 17},
                                   {30, TRANSACTION_READ, 1, 0, 34}};
    static const Packet blocker[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    Script scripts[] = {SCRIPT(younger), SCRIPT(older), SCRIPT(blocker)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 3, .sinks = 1, .settings = kinds[_i]});
    run_scripts(rig, scripts);
}
END_TEST

/* Inputs 2 and 3 hold the outputs until 15; then inputs 0 and 1 have two packets for each, input 2
 * one for output 1.
 *     15   both outputs grant input 0, which accepts output 0; only output 0's turn moves on.
 *          A second round gives output 1 to input 1, and its turn still stays
 *     16   output 0 grants input 1 and output 1 still input 0: two go in each turn from now on */
START_TEST(turns_move_on_when_a_grant_is_accepted)
{
    static const char *const kinds[] = {VIRTUAL("islip; islip_iterations = 1"),
                                        VIRTUAL("islip; islip_iterations = 2")};
    static const Packet first[] = {{11, TRANSACTION_READ, 1, 0, 17},
                                   {11, TRANSACTION_READ, 1, 1, 18},
                                   {11, TRANSACTION_READ, 1, 0, 19},
                                   {11, TRANSACTION_READ, 1, 1, 21}};
    static const Packet second[][4] = {{{11, TRANSACTION_READ, 1, 0, 18},
                                        {11, TRANSACTION_READ, 1, 1, 19},
                                        {11, TRANSACTION_READ, 1, 0, 20},
                                        {11, TRANSACTION_READ, 1, 1, 22}},
                                       {{11, TRANSACTION_READ, 1, 0, 18},
                                        {11, TRANSACTION_READ, 1, 1, 17},
                                        {11, TRANSACTION_READ, 1, 0, 20},
                                        {11, TRANSACTION_READ, 1, 1, 19}}};
    static const Packet third[] = {{10, TRANSACTION_WRITE, 15, 0, 16},
                                   {11, TRANSACTION_READ, 1, 1, 20}};
    static const Packet fourth[] = {{10, TRANSACTION_WRITE, 15, 1, 16}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second[_i]), SCRIPT(third), SCRIPT(fourth)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 4, .sinks = 2, .settings = kinds[_i]});
    run_scripts(rig, scripts);
}
END_TEST

/* The same until 15, when input 0 accepts output 0 again, for four cycles. Output 1, which it
 * refused, finds input 1 a cycle later. */
START_TEST(an_output_that_is_refused_grants_again_in_the_next_cycle)
{
    static const Packet first[] = {{11, TRANSACTION_READ, 1, 1, 21},
                                   {11, TRANSACTION_WRITE, 15, 0, 20}};
    static const Packet second[] = {{11, TRANSACTION_READ, 1, 1, 18}};
    static const Packet third[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    static const Packet fourth[] = {{10, TRANSACTION_WRITE, 15, 1, 16}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second), SCRIPT(third), SCRIPT(fourth)};
    g_autoptr(Rig) rig = rig_new(
        (Shape){.sources = 4, .sinks = 2, .settings = VIRTUAL("islip; islip_iterations = 1")});
    run_scripts(rig, scripts);
}
END_TEST

/* Inputs 1 and 2 hold the outputs until 15; then input 0 has two packets for each. */
static void run_one_input_of_two_outputs(const Packet packets[4], const char *settings)
{
    static const Packet to_0[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    static const Packet to_1[] = {{10, TRANSACTION_WRITE, 15, 1, 16}};
    Script scripts[] = {{packets, 4, 0, NETWORK_REQUEST}, SCRIPT(to_0), SCRIPT(to_1)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 3, .sinks = 2, .settings = settings});
    run_scripts(rig, scripts);
}

START_TEST(an_input_sends_its_oldest_packet)
{
    static const Packet packets[] = {{11, TRANSACTION_READ, 1, 1, 17},
                                     {12, TRANSACTION_READ, 1, 0, 18},
                                     {13, TRANSACTION_READ, 1, 0, 19},
                                     {14, TRANSACTION_READ, 1, 1, 20}};
    run_one_input_of_two_outputs(packets, VIRTUAL("oldest_first"));
}
END_TEST

/* The matching at 11 began with output 0. */
START_TEST(the_output_that_chooses_first_goes_round)
{
    static const Packet packets[] = {{11, TRANSACTION_READ, 1, 0, 18},
                                     {12, TRANSACTION_READ, 1, 0, 20},
                                     {13, TRANSACTION_READ, 1, 1, 17},
                                     {14, TRANSACTION_READ, 1, 1, 19}};
    run_one_input_of_two_outputs(packets, VIRTUAL("round_robin"));
}
END_TEST

/* --- speed-up --- */

/* At 11 and 11.5 one packet of each input goes to output 0, whose link carries them one after the
 * other; so input 1 is free for its next packet when that is there, at 12. */
START_TEST(with_speedup_an_output_takes_two_packets_a_cycle)
{
    static const char *const kinds[] = {"speedup = 2", VIRTUAL("islip; speedup = 2")};
    static const Packet first[] = {{10, TRANSACTION_READ, 1, 0, 13}};
    static const Packet second[] = {{10, TRANSACTION_READ, 1, 0, 14},
                                    {10, TRANSACTION_READ, 1, 1, 14}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 2, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    g_autofree char *stages =
        harness_stages(harness_transaction(rig->sink[0], 1), 14 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 request_queue 0.5 request_transfer 1.5 request_wire 1");
}
END_TEST

/* Moved at 11, 11.5, 12 and, since one waits in the queue until 13, then. A packet of four flits
 * passes the crossbar in two cycles and its link in four. */
START_TEST(a_full_output_queue_holds_inputs_back)
{
    static const char *const kinds[] = {"speedup = 2; output_buffer = 1",
                                        VIRTUAL("round_robin; speedup = 2; output_buffer = 1")};
    static const Packet packets[][2] = {
        {{10, TRANSACTION_READ, 1, 0, 13}, {50, TRANSACTION_WRITE, 15, 0, 56}},
        {{10, TRANSACTION_READ, 1, 0, 14}, {50, TRANSACTION_READ, 1, 0, 57}},
        {{10, TRANSACTION_READ, 1, 0, 15}, {80, TRANSACTION_READ, 1, 0, 83}},
        {{10, TRANSACTION_READ, 1, 0, 16}, {90, TRANSACTION_READ, 1, 0, 93}}};
    Script scripts[] = {SCRIPT(packets[0]), SCRIPT(packets[1]), SCRIPT(packets[2]),
                        SCRIPT(packets[3])};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 4, .sinks = 1, .settings = kinds[_i]});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(unit_count(rig->crossbar, "full_output"), 1);
    ck_assert_uint_eq(unit_level(rig->crossbar, "output_queued")->maximum, 1);
    const Transaction *waited = harness_transaction(rig->sink[0], 5);
    g_autofree char *stages = harness_stages(waited, 57 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 request_queue 2 request_transfer 0.5 request_queue 1.5 "
                             "request_transfer 1 request_wire 1");
}
END_TEST

/* Input 0's four flits pass the crossbar from 11 to 13. Then input 1's packets do, at 13 and 13.5;
 * the second one finds its link idle, which begins at 14. */
START_TEST(links_begin_at_their_clocks_edges)
{
    static const Packet first[] = {{10, TRANSACTION_WRITE, 15, 0, 16}};
    static const Packet second[] = {{11, TRANSACTION_READ, 1, 0, 17},
                                    {11, TRANSACTION_READ, 1, 1, 16}};
    Script scripts[] = {SCRIPT(first), SCRIPT(second)};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 2, .sinks = 2, .settings = "speedup = 2"});
    run_scripts(rig, scripts);
    ck_assert_uint_eq(harness_arrival(rig->sink[1], 0)->at, 16 * TIME_NS);
}
END_TEST

/* A third of a cycle is no whole number of femtoseconds. */
START_TEST(three_turns_are_exactly_a_cycle)
{
    static const Packet packets[][1] = {{{10, TRANSACTION_READ, 1, 0, 13}},
                                        {{10, TRANSACTION_READ, 1, 0, 14}},
                                        {{10, TRANSACTION_READ, 1, 0, 15}},
                                        {{10, TRANSACTION_READ, 1, 0, 16}}};
    Script scripts[] = {SCRIPT(packets[0]), SCRIPT(packets[1]), SCRIPT(packets[2]),
                        SCRIPT(packets[3])};
    g_autoptr(Rig) rig = rig_new((Shape){.sources = 4, .sinks = 1, .settings = "speedup = 3"});
    run_scripts(rig, scripts);
    const Transaction *last = harness_transaction(rig->sink[0], 3);
    g_autofree char *stages = harness_stages(last, 16 * TIME_NS, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 request_queue 1 request_transfer 0.333333 "
                             "request_queue 1.66667 request_transfer 1 request_wire 1");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("crossbar_arbitration");
    tcase_add_loop_test(cases, a_blocked_head_of_a_virtual_queue_blocks_nobody_else, 0, 3);
    tcase_add_loop_test(cases, the_oldest_packet_goes_first, 0, 2);
    tcase_add_loop_test(cases, turns_move_on_when_a_grant_is_accepted, 0, 2);
    tcase_add_loop_test(cases, with_speedup_an_output_takes_two_packets_a_cycle, 0, 2);
    tcase_add_loop_test(cases, a_full_output_queue_holds_inputs_back, 0, 2);
    tcase_add_test(cases, an_output_that_is_refused_grants_again_in_the_next_cycle);
    tcase_add_test(cases, an_input_sends_its_oldest_packet);
    tcase_add_test(cases, the_output_that_chooses_first_goes_round);
    tcase_add_test(cases, links_begin_at_their_clocks_edges);
    tcase_add_test(cases, three_turns_are_exactly_a_cycle);
    return harness_run_cases("crossbar_arbitration", cases);
}
