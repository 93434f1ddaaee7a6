/* How far the way along the pressure goes on. */
#include "program/verdict/slots_result.h"

/* clang-format off */
#define PLACE(name, capacity, taken, use, full)                                                    \
    "\"" name "\": {\"kind\": \"place\", \"capacity\": " capacity ", \"mean\": " taken             \
    ", \"use\": " use ", \"full\": " full ", \"refused\": 7}"
#define REPLIES(ports, way, links)                                                                 \
    "\"l2_slice\": {" SERVER("read_ports", ports) ", "                                             \
    PLACE("to_reply_network", "8", "7", "0.88", way) "}, "                                         \
    "\"crossbar[reply]\": {" SERVER("source_links", links) "}"
#define READS(full, channel)                                                                       \
    "\"access_scheduler\": {" PLACE("reads_waiting", "64", "50", "0.78", full) "}, "               \
    "\"dram_channel\": {" channel "}"
#define TEXTURE(ports)                                                                             \
    "\"texture\": {" SERVER("address_stage", "0.8") ", " SERVER("tag_ports", ports) "}"
static const char texture_in_l1[] =
    "\"sm\": {" PLACE("to_texture", "4", "3.9", "0.98", "0.97") "}, "
    "\"texture\": {" SERVER("address_stage", "0.7") ", "
    PLACE("to_l1", "4", "2", "0.5", "0.45") "}, "
    "\"l1\": {" PLACE("replay_room", "6", "4.5", "0.74", "0.62") ", "
    SERVER("data_array", "0.6") "}";
/* clang-format on */

static void expect_bound_of(const char *resources, const char *bound, const char *component,
                            const char *words)
{
    g_autoptr(JsonNode) result = result_of("\"slot_at_reply_network\": 100", resources, "");
    expect_bound(result, bound, component, words);
}

/* Ports leave 6 % of the time in which links could hold them up; what is full for longer than they
 * work does. */
START_TEST(behind_a_full_server_and_a_place_comes_what_is_nearly_as_busy)
{
    expect_bound_of(REPLIES("0.94", "0.88", "0.58"), "L2 data", "l2_bandwidth",
                    "(l2_slice.read_ports): busy 94 %");
    expect_bound_of(REPLIES("0.94", "0.88", "0.86"), "reply network's links from sources",
                    "reply_network", "busy 86 %");
    expect_bound_of(REPLIES("0.94", "0.96", "0.58"), "reply network's links from sources",
                    "reply_network", "busy 58 %");
}
END_TEST

/* Links that something always waited for would be as busy as the way to them is full. */
START_TEST(a_channel_that_is_full_for_longer_than_full_links_work_is_long_for_its_room)
{
    expect_bound_of(REPLIES("0.8", "0.98", "0.8"), "way from l2_slice to crossbar", "reply_network",
                    "(l2_slice.to_reply_network): full 98 % of the time, 7 of 8 places taken");
    expect_bound_of(REPLIES("0.8", "0.98", "0.9"), "reply network's links from sources",
                    "reply_network", "busy 90 %");
}
END_TEST

/* Four fifths of its places are taken, and yet it nearly always has room for another one. */
START_TEST(a_place_is_full_when_it_takes_no_more)
{
    expect_bound_of(READS("0.01", SERVER("data_bus", "0.6")), "latency", NULL, "no resource");
    expect_bound_of(READS("0.6", SERVER("data_bus", "0.6")), "DRAM bus", "dram_bandwidth",
                    "(dram_channel.data_bus): busy 60 % of the time");
}
END_TEST

START_TEST(a_server_with_time_left_waits_for_none_that_has_less_work)
{
    expect_bound_of(READS("0.6", SERVER("activates_of_4", "0.7") ", " SERVER("row_cycles", "0.4")),
                    "windows of four activates (tFAW)", "dram_timing", "busy 70 %");
    expect_bound_of(READS("0.6", SERVER("activates_of_4", "0.7") ", " SERVER("row_cycles", "0.68")),
                    "row cycles of banks", "dram_timing", "busy 68 %");
}
END_TEST

START_TEST(a_server_with_time_left_waits_for_a_place_that_takes_no_more)
{
    expect_bound_of(texture_in_l1, "L1 data", "l1_bandwidth", "busy 60 %");
}
END_TEST

/* Tags are looked up while addresses are made. */
START_TEST(what_has_little_of_a_servers_time_does_not_account_for_it)
{
    expect_bound_of(TEXTURE("0.38"), "addresses", "texture_bandwidth", "busy 80 %");
    expect_bound_of(TEXTURE("0.6"), "look-ups in the texture unit's tags", "texture_bandwidth",
                    "busy 60 %");
}
END_TEST

/* Reads that are taken in their order wait for the bus, and leave it idle. */
START_TEST(what_is_full_for_longer_in_front_of_a_server_with_time_left_is_told)
{
    expect_bound_of(READS("0.8", SERVER("data_bus", "0.4")), "DRAM bus", "dram_bandwidth",
                    "busy 40 % of the time; in front of it read request store "
                    "(access_scheduler.reads_waiting): full 80 % of the time");
}
END_TEST

HARNESS_MAIN("flow", behind_a_full_server_and_a_place_comes_what_is_nearly_as_busy,
             a_channel_that_is_full_for_longer_than_full_links_work_is_long_for_its_room,
             a_place_is_full_when_it_takes_no_more,
             a_server_with_time_left_waits_for_none_that_has_less_work,
             a_server_with_time_left_waits_for_a_place_that_takes_no_more,
             what_has_little_of_a_servers_time_does_not_account_for_it,
             what_is_full_for_longer_in_front_of_a_server_with_time_left_is_told)
