/* Who joins whom, and the ways of each SM. */
#include "rig.h"

/* The first goes on at 11, is in L2 from 12 to 112 and back at 113. The other came at 16; its copy
 * takes two cycles of its SM's path. */
START_TEST(a_read_of_what_is_under_way_waits_for_it)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL}},
                         second[] = {{15, TRANSACTION_READ, 0x80, 6}};
    g_autoptr(Rig) rig = rig_new("path_bandwidth = 32 B/cycle");
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(rig->far[0]->seen->len, 1);
    ck_assert_uint_eq(rig->far[1]->seen->len, 0);
    ck_assert_uint_eq(harness_arrival(rig->sink[0], 0)->cycle, 114);
    const Arrived *copy = harness_arrival(rig->sink[1], 0);
    ck_assert_uint_eq(copy->cycle, 116);
    const Transaction *read = (const Transaction *)copy->message;
    ck_assert_uint_eq(read->source, FIRST_SM + 1);
    ck_assert_uint_eq(read->served_by, SERVED_L2);
    g_autofree char *stages = harness_stages(read, copy->at, rig->harness->clock);
    ck_assert_str_eq(stages, "request_wire 1 l2_tag 97 reply_transfer 2 reply_wire 1");
    ck_assert_uint_eq(unit_count(rig->unit, "joined"), 1);
    assert_little(rig->unit, "waiting");
    assert_little(rig->unit, "under_way");
}
END_TEST

/* The second wants a sector that the first does not bring; the third comes after the first. */
START_TEST(a_read_goes_on_if_nothing_under_way_brings_all_of_it)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, 7}},
                         second[] = {{12, TRANSACTION_READ, 0x80, ALL},
                                     {113, TRANSACTION_READ, 0x80, 7}};
    g_autoptr(Rig) rig = rig_new(NULL);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    rig->far[1]->latency = 50;
    run(rig);
    ck_assert_uint_eq(rig->far[1]->seen->len, 2);
    ck_assert_uint_eq(unit_count(rig->unit, "joined"), 0);
}
END_TEST

/* An SM's read that follows its store does not get what was read before; who waits already does. */
START_TEST(a_store_is_joined_by_nobody_who_comes_later)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {20, TRANSACTION_READ, 0x80, 1}},
                         second[] = {{14, TRANSACTION_READ, 0x80, 1},
                                     {16, TRANSACTION_WRITE, 0x80, 1},
                                     {20, TRANSACTION_READ, 0x80, 2}};
    g_autoptr(Rig) rig = rig_new(NULL);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(rig->far[0]->seen->len, 2);
    ck_assert_uint_eq(rig->far[1]->seen->len, 1);
    ck_assert_uint_eq(unit_count(rig->unit, "joined"), 2);
}
END_TEST

START_TEST(who_comes_when_all_entries_are_taken_goes_on_alone)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {11, TRANSACTION_READ, 0x100, ALL}},
                         second[] = {{20, TRANSACTION_READ, 0x80, ALL},
                                     {21, TRANSACTION_READ, 0x100, ALL}};
    g_autoptr(Rig) rig = rig_new("entries = 1");
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(rig->far[1]->seen->len, 1);
    ck_assert_uint_eq(unit_count(rig->unit, "joined"), 1);
    ck_assert_uint_eq(unit_count(rig->unit, "overlooked"), 2);
    ck_assert_uint_eq(unit_level(rig->unit, "under_way")->maximum, 1);
}
END_TEST

/* Two copies for the second SM are ready at 113 and 114, and a reply of its own at 115: four cycles
 * each, one behind the other, and the first SM waits for none of them. */
START_TEST(copies_and_replies_share_an_sms_path)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {11, TRANSACTION_READ, 0x100, ALL}},
                         second[] = {{12, TRANSACTION_READ, 0x180, ALL},
                                     {20, TRANSACTION_READ, 0x80, ALL},
                                     {21, TRANSACTION_READ, 0x100, ALL}};
    static const uint64_t cycles[] = {118, 122, 126};
    g_autoptr(Rig) rig = rig_new("path_bandwidth = 32 B/cycle");
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(harness_arrival(rig->sink[0], 0)->cycle, 114);
    ck_assert_uint_eq(harness_arrival(rig->sink[0], 1)->cycle, 118);
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++)
        ck_assert_uint_eq(harness_arrival(rig->sink[1], i)->cycle, cycles[i]);
    ck_assert_uint_eq(unit_busy(rig->unit, "path_busy"), 5 * 4);
    ck_assert_uint_eq(unit_booked(rig->unit, "paths"), 5 * 4);
}
END_TEST

/* The network has one place, which is known to be free again three cycles after it was taken; the
 * first SM's second request waits for it. */
START_TEST(a_request_waits_for_room_in_the_network)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL},
                                    {10, TRANSACTION_WRITE, 0x100, ALL}},
                         second[] = {{10, TRANSACTION_READ, 0x180, ALL}};
    g_autoptr(Rig) rig = rig_new_with_room(NULL, 1);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(far_side_seen(rig->far[0], 0)->cycle, 12);
    ck_assert_uint_eq(far_side_seen(rig->far[0], 1)->cycle, 14);
    ck_assert_uint_eq(far_side_seen(rig->far[1], 0)->cycle, 12);
    ck_assert_uint_eq(unit_count(rig->unit, "refused_network"), 1);
    const Arrived *held = harness_arrival(rig->sink[0], 1);
    g_autofree char *stages =
        harness_stages((const Transaction *)held->message, held->at, rig->harness->clock);
    ck_assert_msg(g_str_has_prefix(stages, "request_wire 1 request_queue 2 request_wire 1 "), "%s",
                  stages);
}
END_TEST

/* The second SM's read came at 11, behind a store; the same of the first SM goes on at 12, a cycle
 * before the second SM's network has room. */
START_TEST(a_read_that_waits_for_room_joins_one_that_has_it)
{
    static const Request first[] = {{11, TRANSACTION_READ, 0x80, ALL}},
                         second[] = {{10, TRANSACTION_WRITE, 0x100, ALL},
                                     {10, TRANSACTION_READ, 0x80, ALL}};
    g_autoptr(Rig) rig = rig_new_with_room(NULL, 1);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    run(rig);
    ck_assert_uint_eq(unit_count(rig->unit, "joined"), 1);
    const Arrived *copy = harness_arrival(rig->sink[1], 1);
    g_autofree char *stages =
        harness_stages((const Transaction *)copy->message, copy->at, rig->harness->clock);
    ck_assert_msg(
        g_str_has_prefix(stages, "request_wire 1 request_queue 1 request_wire 1 l2_tag 101 "), "%s",
        stages);
}
END_TEST

START_TEST(a_deadlock_report_says_that_reads_wait_for_others)
{
    static const Request first[] = {{10, TRANSACTION_READ, 0x80, ALL}},
                         second[] = {{12, TRANSACTION_READ, 0x80, ALL}};
    g_autoptr(Rig) rig = rig_new(NULL);
    SCRIPT(rig, 0, first);
    SCRIPT(rig, 1, second);
    rig->far[0]->silent = true;
    ck_assert_int_eq(harness_run(rig->harness), RUN_DEADLOCK);
    g_autofree char *text = simulation_describe_deadlock(rig->harness->simulation);
    ck_assert_msg(strstr(text, "coalescer: 1 reads wait for others under way; waits for far_side"),
                  "%s", text);
}
END_TEST

/* Acknowledgements take no time of a path. */
START_TEST(so_many_requests_of_each_sm_go_on_a_cycle)
{
    static const Request stores[] = {{10, TRANSACTION_WRITE, 0x80, ALL},
                                     {10, TRANSACTION_WRITE, 0x100, ALL},
                                     {10, TRANSACTION_WRITE, 0x180, ALL}};
    static const char *const settings[] = {NULL, "requests_per_cycle = 2"};
    for (guint k = 0; k < G_N_ELEMENTS(settings); k++) {
        g_autoptr(Rig) rig = rig_new(settings[k]);
        for (guint sm = 0; sm < SMS; sm++) SCRIPT(rig, sm, stores);
        run(rig);
        for (guint sm = 0; sm < SMS; sm++)
            for (guint i = 0; i < G_N_ELEMENTS(stores); i++) {
                const guint after = i / (k + 1);
                ck_assert_uint_eq(far_side_seen(rig->far[sm], i)->cycle, 12 + after);
                ck_assert_uint_eq(harness_arrival(rig->sink[sm], i)->cycle, 114 + after);
            }
        ck_assert_uint_eq(unit_booked(rig->unit, "outputs"), 6);
        ck_assert_uint_eq(unit_busy(rig->unit, "path_busy"), 0);
    }
}
END_TEST

HARNESS_MAIN("request_coalescer", a_read_of_what_is_under_way_waits_for_it,
             a_read_goes_on_if_nothing_under_way_brings_all_of_it,
             a_store_is_joined_by_nobody_who_comes_later,
             who_comes_when_all_entries_are_taken_goes_on_alone,
             copies_and_replies_share_an_sms_path, a_request_waits_for_room_in_the_network,
             a_read_that_waits_for_room_joins_one_that_has_it,
             a_deadlock_report_says_that_reads_wait_for_others,
             so_many_requests_of_each_sm_go_on_a_cycle)
