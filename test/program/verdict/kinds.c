/* What bound a run, from where the time of schedulers' slots went. */
#include <string.h>

#include "platform/machine/machine.h"
#include "program/verdict/slots_result.h"
#include "scenarios/program/report/run/advice.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

#define PIPES(core, issue)                                                                         \
    "\"sm\": {" SERVER("issue_slots", issue) ", " SERVER("core_pipe", core) "}"
#define KERNELS(ctas)                                                                              \
    ", \"kernels\": [{\"measured\": false, \"ctas\": 9}, {\"measured\": true, \"ctas\": " ctas "}]"
#define BUS(use) "\"dram_channel\": {" SERVER("data_bus", use) "}"

static const struct {
    const char *slots, *bound, *component, *words;
} cases[] = {
    {"\"slot_tail\": 40, \"slot_at_dram\": 60", "tail of CTAs", NULL,
     "no CTA is left for them in 40 % of their time"},
    {"\"slot_barrier\": 40, \"slot_core\": 60", "barriers", NULL, "in 40 % of their time"},
    {"\"slot_launch\": 90, \"slot_core\": 10", "CTA launch", "cta_launch",
     "schedulers wait for the warps of the next CTA in 90 %"},
    {"\"slot_result\": 70, \"slot_core\": 30", "latency of arithmetic", "arithmetic_latency",
     "in 70 %"},
    {"\"slot_core\": 50, \"slot_pipe\": 50", "FP32 cores", "issue",
     "FP32 cores (sm.core_pipe): busy 85 % of the time"},
    {"\"slot_core\": 90, \"slot_pipe\": 10", "SM issue", "issue", "80 % of the slots used"},
};

START_TEST(the_largest_share_of_the_slots_is_the_bound)
{
    g_autoptr(JsonNode) result = result_of(cases[_i].slots, PIPES("0.85", "0.8"), "");
    /* pipes that are full leave nothing to others: only where they are asked for */
    const gboolean pipes = cases[_i].component && !strcmp(cases[_i].component, "issue");
    g_autoptr(JsonNode) idle = result_of(cases[_i].slots, PIPES("0.05", "0.05"), "");
    expect_bound(pipes ? result : idle, cases[_i].bound, cases[_i].component, cases[_i].words);
    ck_assert_ptr_nonnull(advice_find(cases[_i].component ? cases[_i].component : cases[_i].bound));
}
END_TEST

/* Launches have most of the time; the bus has work for all but 5 % of it. */
START_TEST(no_more_can_be_gained_than_a_full_server_leaves)
{
    g_autoptr(JsonNode) full =
        result_of("\"slot_launch\": 60, \"slot_at_dram\": 40", BUS("0.95"), "");
    expect_bound(full, "DRAM bus", "dram_bandwidth", "busy 95 % of the time");
    g_autoptr(JsonNode) idle =
        result_of("\"slot_launch\": 60, \"slot_at_dram\": 40", BUS("0.4"), "");
    expect_bound(idle, "CTA launch", "cta_launch", "in 60 %");
}
END_TEST

#define PLACE(name, full)                                                                          \
    "\"" name                                                                                      \
    "\": {\"kind\": \"place\", \"capacity\": 5, \"mean\": 4, \"use\": 0.8, \"full\": " full        \
    ", \"refused\": 7}"

/* Addresses and L1's data are as busy, one behind the other. Cores would gain from faster issue,
 * too, of which address generation is part. */
START_TEST(of_two_that_are_as_busy_the_one_that_gains_elsewhere_comes_first)
{
    static const char resources[] = "\"load_store\": {" SERVER("addresses", "0.82") ", " PLACE(
        "to_l1", "0.8") "}, "
                        "\"l1\": {" PLACE("replay_room", "0.7") ", " SERVER("data_array",
                                                                            "0.84") "}";
    g_autofree char *with_issue = g_strconcat(PIPES("0.2", "0.3"), ", ", resources, NULL);
    g_autoptr(JsonNode) waits = result_of("\"slot_memory_way\": 100", resources, "");
    expect_bound(waits, "L1 data", "l1_bandwidth", "; and address generation");
    g_autoptr(JsonNode) issues =
        result_of("\"slot_memory_way\": 70, \"slot_core\": 30", with_issue, "");
    expect_bound(issues, "address generation", "issue", "; and L1 data (l1.data_array)");
}
END_TEST

START_TEST(two_shares_that_are_close_are_both_named)
{
    g_autoptr(JsonNode) result =
        result_of("\"slot_tail\": 45, \"slot_barrier\": 40, \"slot_core\": 15", "", "");
    expect_bound(result, "tail of CTAs", NULL, "; and barriers: ");
}
END_TEST

/* More warps would hide more, but do not make that one sooner done which the others wait for, for
 * half of 16 % of its time. */
START_TEST(who_waits_for_others_waits_for_what_they_wait_for)
{
    static const char warps[] =
        "\"sm\": {\"resident_warps\": {\"kind\": \"place\", \"capacity\": 64, \"mean\": 8, "
        "\"use\": 0.125, \"full\": 0, \"refused\": 0}, \"registers_allocated\": {\"kind\": "
        "\"place\", \"capacity\": 64, \"mean\": 64, \"use\": 1, \"full\": 1, \"refused\": 0}}";
    static const char *const waits[] = {"tail", "barrier"};
    for (guint i = 0; i < G_N_ELEMENTS(waits); i++) {
        g_autofree char *slots = g_strdup_printf("\"slot_%s\": 50, \"slot_at_dram\": 50", waits[i]);
        g_autoptr(JsonNode) result = result_of(slots, warps, "");
        set_stages(result, "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 16}}");
        expect_bound(result, i ? "barriers" : "tail of CTAs", "dram_latency",
                     "in 50 % of their time; the others are bound by latency: 8.0 warps");
    }
}
END_TEST

static JsonObject *cores_of(JsonNode *result)
{
    return json_node_get_object(result_member(result, "units.sm"));
}

START_TEST(of_a_chain_or_a_cta_alone_idle_schedulers_are_no_news)
{
    static const char slots[] = "\"slot_tail\": 95, \"slot_at_l2\": 5";
    g_autoptr(JsonNode) chain = result_of(slots, "", ", \"cycles_per_load\": 200");
    expect_bound(chain, "latency", NULL, "one chain of dependent loads");
    g_autoptr(JsonNode) alone = result_of(slots, "", KERNELS("1"));
    expect_bound(alone, "latency", NULL, "one CTA alone");
    g_autoptr(JsonNode) others = result_of(slots, "", KERNELS("2"));
    expect_bound(others, "tail of CTAs", NULL, "in 95 %");
    /* of 16 SMs one has it for 80 % of the time, of 4 SMs for 20 % */
    json_object_set_int_member(cores_of(alone), "count", 16);
    expect_bound(alone, "latency", NULL, "one CTA alone");
    json_object_set_int_member(cores_of(alone), "count", 4);
    expect_bound(alone, "tail of CTAs", NULL, "in 80 %");
}
END_TEST

#define HOLDS(name, capacity, mean, full)                                                          \
    "\"" name "\": {\"kind\": \"place\", \"capacity\": " capacity ", \"mean\": " mean              \
    ", \"use\": 0.1, \"full\": " full ", \"refused\": 0}"

/* Each of ten SMs has room for two CTAs. */
START_TEST(more_room_is_missing_where_ctas_are_to_come)
{
    static const char cores[] = "\"sm\": {" HOLDS("resident_ctas", "32", "1.6", "0") ", " HOLDS(
        "resident_warps", "64", "12.8", "0") ", " HOLDS("shared_allocated", "65536", "52429",
                                                        "0.8") "}";
    g_autoptr(JsonNode) all = result_of("\"slot_at_dram\": 100", cores, KERNELS("20"));
    g_autoptr(JsonNode) more = result_of("\"slot_at_dram\": 100", cores, KERNELS("21"));
    for (guint i = 0; i < 2; i++) {
        JsonNode *result = i ? more : all;
        json_object_set_int_member(cores_of(result), "count", 10);
        set_stages(result, "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 60}}");
        expect_bound(result, "latency", i ? "occupancy" : "dram_latency", "12.8 warps an SM");
    }
}
END_TEST

/* Requests that are long on their way into a queue with room, which a shorter one makes better than
 * more room on it; or they wait in front of it. */
START_TEST(a_channel_into_places_with_room_waits_for_nobody)
{
    static const char *const full[] = {"0", "0.3"};
    for (guint i = 0; i < G_N_ELEMENTS(full); i++) {
        g_autofree char *resources = g_strdup_printf(
            "\"l2_slice\": {" PLACE(
                "to_scheduler",
                "0.98") "}, \"access_scheduler\": "
                        "{\"reads_waiting\": {\"kind\": \"place\", \"capacity\": 64, \"mean\": 12, \"use\": 0.2, "
                        "\"full\": %s, \"refused\": 0}}, \"dram_channel\": {" SERVER("row_cycles",
                                                                                     "0.8") "}",
            full[i]);
        g_autoptr(JsonNode) result = result_of("\"slot_at_dram\": 100", resources, "");
        expect_bound(result, i ? "row cycles of banks" : "way from l2_slice to access_scheduler",
                     i ? "dram_timing" : "dram_latency", i ? "80 %" : "full 98 %");
    }
}
END_TEST

/* Four of its five places are under way, there or back: that is as busy as it can be said to be. */
START_TEST(a_channel_too_short_for_its_way_is_as_busy_as_it_is_taken)
{
    static const char *const bus[] = {"0.76", "0.9"};
    for (guint i = 0; i < G_N_ELEMENTS(bus); i++) {
        g_autofree char *resources =
            g_strdup_printf("\"l2_slice\": {" PLACE("to_reply_network", "0.69") "}, " BUS("%s"),
                            bus[i], bus[i], bus[i]);
        g_autoptr(JsonNode) result = result_of("\"slot_at_dram\": 100", resources, "");
        expect_bound(result, i ? "DRAM bus" : "way from l2_slice to crossbar",
                     i ? "dram_bandwidth" : "reply_network", i ? "90 %" : "full 69 %");
    }
}
END_TEST

/* A core may have 64 warps. */
START_TEST(a_core_full_of_few_warps_has_too_few)
{
    static const char *const room[] = {"16", "64"}, *const there[] = {"14.1", "56.4"};
    for (guint i = 0; i < G_N_ELEMENTS(room); i++) {
        g_autofree char *cores = g_strdup_printf(
            "\"sm\": {" HOLDS(
                "resident_ctas", "32", "1.8",
                "0") ", \"resident_warps\": {\"kind\": "
                     "\"place\", \"capacity\": %s, \"mean\": %s, \"use\": 0.88, \"full\": 0.9, "
                     "\"refused\": 0}}",
            room[i], there[i]);
        g_autoptr(JsonNode) result = result_of("\"slot_at_dram\": 100", cores, KERNELS("160"));
        json_object_set_int_member(cores_of(result), "count", 10);
        set_stages(result, "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 60}}");
        expect_bound(result, "latency", i ? "dram_latency" : "occupancy",
                     i ? "no resource is near its limit" : "14.1 warps an SM of 16 possible");
    }
}
END_TEST

/* Six of eight SMs have no CTA, 75 of 100; the two wait for L2 in 20 of 25. */
START_TEST(cores_for_which_the_grid_has_no_cta_are_no_tail)
{
    static const char slots[] = "\"slot_tail\": 80, \"slot_at_l2\": 20";
    g_autoptr(JsonNode) few = result_of(slots, "", KERNELS("2"));
    json_object_set_int_member(cores_of(few), "count", 8);
    expect_bound(few, "latency", NULL, "latency: ");
    g_autoptr(JsonNode) many = result_of(slots, "", KERNELS("8"));
    json_object_set_int_member(cores_of(many), "count", 8);
    expect_bound(many, "tail of CTAs", NULL, "in 80 %");
}
END_TEST

/* Each of two grids of 4 CTAs may have SMs of its own. */
START_TEST(launches_side_by_side_share_out_the_cores)
{
    static const char slots[] = "\"slot_tail\": 80, \"slot_at_l2\": 20";
    static const char kernels[] =
        ", \"kernels\": [{\"ctas\": 4, \"begin_ns\": 0.0, \"memory_end_ns\": 9.0}, "
        "{\"ctas\": 4, \"begin_ns\": %s, \"memory_end_ns\": 18.0}]";
    g_autofree char *beside = g_strdup_printf(kernels, "5.0"),
                    *behind = g_strdup_printf(kernels, "9.0");
    g_autoptr(JsonNode) together = result_of(slots, "", beside);
    json_object_set_int_member(cores_of(together), "count", 8);
    expect_bound(together, "tail of CTAs", NULL, "in 80 %");
    g_autoptr(JsonNode) apart = result_of(slots, "", behind);
    json_object_set_int_member(cores_of(apart), "count", 8);
    expect_bound(apart, "tail of CTAs", NULL, "in 60 %");
}
END_TEST

/* A wave of 64 lanes is as long in a unit of 16 as its result takes. */
START_TEST(results_that_a_full_unit_works_on_are_its_own)
{
    static const char slots[] = "\"slot_result\": 70, \"slot_core\": 30";
    g_autoptr(JsonNode) full = result_of(slots, PIPES("0.9", "0.2"), "");
    expect_bound(full, "FP32 cores", "issue", "busy 90 % of the time");
    g_autoptr(JsonNode) free = result_of(slots, PIPES("0.6", "0.2"), "");
    expect_bound(free, "latency of arithmetic", "arithmetic_latency", "in 70 %");
    /* for half of the time there are no warps to work for */
    static const char rarely[] =
        "\"slot_result\": 35, \"slot_core\": 15, \"slot_launch\": 25, \"slot_tail\": 25";
    g_autoptr(JsonNode) warps = result_of(rarely, PIPES("0.45", "0.1"), "");
    expect_bound(warps, "FP32 cores", "issue", "busy 45 % of the time");
}
END_TEST

/* The last CTA's has work all the time; of a CTA more or less none would be above half of it. */
START_TEST(a_core_that_is_busy_while_the_others_wait_for_it_leaves_them_that_time)
{
    static const char pipe[] =
        "\"sm\": {\"core_pipe\": {\"kind\": \"server\", \"capacity\": 1, \"mean\": 0.48, \"use\": "
        "0.48, \"full\": 0.48, \"refused\": 0, \"busiest\": {\"path\": \"sm[0].core_pipe\", "
        "\"use\": 0.95, \"full\": 0.95}}}";
    g_autoptr(JsonNode) result =
        result_of("\"slot_tail\": 50, \"slot_core\": 25, \"slot_result\": 25", pipe, "");
    expect_bound(result, "tail of CTAs", "issue", "in 50 % of their time; and FP32 cores");
}
END_TEST

/* Of 2,000 ns of 20 warps 15 % are waits for results: without them data is waited for in 85 % of
 * that time. Of one that all others wait for at a barrier they are half. */
START_TEST(other_waits_of_warps_take_the_place_of_those_for_results)
{
    static const char slots[] = "\"slot_result\": 60, \"slot_at_dram\": 40, "
                                "\"stalled_results\": %s, \"stalled_other\": %s";
    static const char warps[] = "\"sm\": {\"resident_warps\": {\"kind\": \"place\", "
                                "\"capacity\": 64, \"mean\": 10, \"use\": 0.2, \"full\": 0}}";
    g_autofree char *many = g_strdup_printf(slots, "300000000", "0"),
                    *one = g_strdup_printf(slots, "100000000", "1800000000");
    g_autoptr(JsonNode) hidden = result_of(many, warps, ", \"time_ns\": 100");
    json_object_set_int_member(cores_of(hidden), "count", 2);
    set_stages(hidden, "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 60}}");
    expect_bound(hidden, "latency", "dram_latency", "latency: ");
    g_autoptr(JsonNode) awaited = result_of(one, warps, ", \"time_ns\": 100");
    json_object_set_int_member(cores_of(awaited), "count", 2);
    expect_bound(awaited, "latency of arithmetic", "arithmetic_latency", "in 60 %");
}
END_TEST

/* A core is at work where others of it have warps, and in the tail for 30 of 900. What is of no
 * kernel counts for nothing. */
START_TEST(schedulers_without_a_warp_of_their_own_wait_as_the_others_do)
{
    g_autoptr(JsonNode) result = result_of("\"slot_few\": 800, \"slot_between\": 100, "
                                           "\"slot_tail\": 30, \"slot_barrier\": 70",
                                           "", "");
    expect_bound(result, "barriers", NULL, "in 97 % of their time");
}
END_TEST

static gboolean has_resource(const UnitClass *class, const char *title)
{
    const size_t length = strlen(title);
    for (const ResourceRow *row = class->resources; row && row->name; row++)
        if (!strncmp(row->summary, title, length) && strchr(",:", row->summary[length]))
            return TRUE;
    return FALSE;
}

/* Issue to a full unit is found by the unit's words. Barriers and ends are issued to none. */
START_TEST(units_that_are_issued_to_are_resources_of_the_same_words)
{
    guint units = 0;
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const Stat *stat = (*class)->stats; stat && stat->name; stat++) {
            if (stat->slots != SLOTS_ISSUE || !strcmp(stat->slot.of, "control")) continue;
            ck_assert_msg(has_resource(*class, stat->slot.of), "%s", stat->slot.of);
            units++;
        }
    ck_assert_uint_gt(units, 1);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("kinds");
    tcase_add_loop_test(tests, the_largest_share_of_the_slots_is_the_bound, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tests, no_more_can_be_gained_than_a_full_server_leaves);
    tcase_add_test(tests, of_two_that_are_as_busy_the_one_that_gains_elsewhere_comes_first);
    tcase_add_test(tests, two_shares_that_are_close_are_both_named);
    tcase_add_test(tests, who_waits_for_others_waits_for_what_they_wait_for);
    tcase_add_test(tests, of_a_chain_or_a_cta_alone_idle_schedulers_are_no_news);
    tcase_add_test(tests, more_room_is_missing_where_ctas_are_to_come);
    tcase_add_test(tests, a_core_full_of_few_warps_has_too_few);
    tcase_add_test(tests, a_channel_into_places_with_room_waits_for_nobody);
    tcase_add_test(tests, a_channel_too_short_for_its_way_is_as_busy_as_it_is_taken);
    tcase_add_test(tests, cores_for_which_the_grid_has_no_cta_are_no_tail);
    tcase_add_test(tests, launches_side_by_side_share_out_the_cores);
    tcase_add_test(tests, results_that_a_full_unit_works_on_are_its_own);
    tcase_add_test(tests, a_core_that_is_busy_while_the_others_wait_for_it_leaves_them_that_time);
    tcase_add_test(tests, other_waits_of_warps_take_the_place_of_those_for_results);
    tcase_add_test(tests, schedulers_without_a_warp_of_their_own_wait_as_the_others_do);
    tcase_add_test(tests, units_that_are_issued_to_are_resources_of_the_same_words);
    return harness_run_cases("kinds", tests);
}
