/* How far the way along the pressure goes on. */
#include "program/verdict/slots_result.h"

#define REPLIES(way, links)                                                                        \
    "\"l2_slice\": {" SERVER(                                                                      \
        "read_ports", "0.94") ", \"to_reply_network\": {\"kind\": \"place\""                       \
                              ", \"capacity\": 8, \"mean\": 7, \"use\": 0.88, \"full\": " way      \
                              ", \"refused\": 7}}, "                                               \
                              "\"crossbar[reply]\": {" SERVER("source_links", links) "}"

/* Ports leave 6 % of the time in which links could hold them up; what is full for longer than they
 * work does. */
START_TEST(behind_a_full_server_and_a_place_comes_what_is_nearly_as_busy)
{
    static const char slots[] = "\"slot_at_reply_network\": 100";
    g_autoptr(JsonNode) idle = result_of(slots, REPLIES("0.88", "0.58"), "");
    expect_bound(idle, "L2 data", "l2_bandwidth", "(l2_slice.read_ports): busy 94 %");
    g_autoptr(JsonNode) busy = result_of(slots, REPLIES("0.88", "0.86"), "");
    expect_bound(busy, "reply network's links from sources", "reply_network", "busy 86 %");
    g_autoptr(JsonNode) blocked = result_of(slots, REPLIES("0.96", "0.58"), "");
    expect_bound(blocked, "reply network's links from sources", "reply_network", "busy 58 %");
}
END_TEST

HARNESS_MAIN("flow", behind_a_full_server_and_a_place_comes_what_is_nearly_as_busy)
