/* What a verdict says of a resource. */

#include "program/verdict/slots_result.h"

static void expect_words(const char *resources, const char *words)
{
    g_autofree char *text = g_strdup_printf("{\"resources\": {%s}}", resources);
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) result = json_from_string(text, &error);
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_str_eq(verdict->sentence, words);
}

#define FULL                                                                                       \
    "{\"kind\": \"place\", \"capacity\": 768, \"mean\": 7, \"use\": 0.01, \"full\": 0.66, \"refused\": 9}"

START_TEST(a_place_that_lacks_room_in_a_part_is_waited_for)
{
    expect_words("\"l2_slice\": {\"set_writes\": " FULL "}",
                 "ways of sets whose data is being written (l2_slice.set_writes): "
                 "waited for 66 % of the time, 7 of 768 ways taken");
    expect_words("\"l2_slice\": {\"pending\": " FULL "}",
                 "pending request table (l2_slice.pending): "
                 "full 66 % of the time, 7 of 768 fetches taken");
}
END_TEST

/* Of one of its sets all ways are being written, which are fewer than others write. */
START_TEST(a_place_that_is_full_among_others_is_told_apart)
{
    expect_words(
        "\"l2_slice\": {\"set_writes\": {\"kind\": \"place\", \"capacity\": 768, \"mean\": 7, "
        "\"use\": 0.01, \"full\": 0.2, \"refused\": 9, "
        "\"busiest\": {\"path\": \"a slice\", \"use\": 0.005, \"full\": 0.7}}}",
        "ways of sets whose data is being written (l2_slice.set_writes): "
        "waited for 20 % of the time, 7 of 768 ways taken; a slice is the busiest of "
        "uneven ones: 70 %");
}
END_TEST

START_TEST(a_cache_behind_l2_is_told_from_l2)
{
    expect_words("\"memory_cache\": {\"pending\": " FULL "}",
                 "memory-side cache's pending request table (memory_cache.pending): "
                 "full 66 % of the time, 7 of 768 fetches taken");
    expect_words("\"memory_cache\": {\"write_port\": {\"kind\": \"server\", \"capacity\": 1, "
                 "\"mean\": 0.8, \"use\": 0.8, \"full\": 0.8, \"refused\": 0}}",
                 "memory-side cache's write port (memory_cache.write_port): busy 80 % of the time");
}
END_TEST

#define BUSES(use, most)                                                                           \
    "\"dram_channel\": {\"command_buses\": {\"kind\": \"server\", \"capacity\": 1, \"mean\": " use \
    ", \"use\": " use ", \"full\": " use                                                           \
    ", \"refused\": 0, \"busiest\": {\"path\": \"a bus\", \"use\": " most ", \"full\": " most      \
    "}}}"

START_TEST(the_fullest_one_is_told_where_all_are_not_full)
{
    expect_words(BUSES("0.66", "0.98"),
                 "command buses (dram_channel.command_buses): busy 66 % of the time; of them a bus "
                 "the most: 98 %");
    expect_words(BUSES("0.8", "0.98"),
                 "command buses (dram_channel.command_buses): busy 80 % of the time");
    expect_words(BUSES("0.74", "0.76"),
                 "command buses (dram_channel.command_buses): busy 74 % of the time");
}
END_TEST

/* Who makes it waits for its clock, and its probe is on one SM. */
START_TEST(traffic_at_a_set_rate_is_not_bound_by_its_own_clock)
{
    static const char slots[] = "\"slot_result\": 70, \"slot_tail\": 20, \"slot_at_dram\": 10";
    static const char offered[] =
        ", \"offered_gbps\": 100.0, \"probe_latency\": {\"mean\": 500.0, \"mean_ns\": 400.0}";
    g_autoptr(JsonNode) kernel = result_of(slots, "", "");
    expect_bound(kernel, "latency of arithmetic", "arithmetic_latency", "in 70 %");
    g_autoptr(JsonNode) traffic = result_of(slots, "", offered);
    g_autoptr(Verdict) verdict = verdict_new(traffic);
    ck_assert_str_eq(verdict->bound, "latency");
}
END_TEST

HARNESS_MAIN("verdict_words", a_place_that_lacks_room_in_a_part_is_waited_for,
             a_place_that_is_full_among_others_is_told_apart, a_cache_behind_l2_is_told_from_l2,
             the_fullest_one_is_told_where_all_are_not_full,
             traffic_at_a_set_rate_is_not_bound_by_its_own_clock)
