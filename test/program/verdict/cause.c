/* Lines that come again to a cache which had evicted them: what is behind it has to bring them. */
#include "program/verdict/slots_result.h"

static void set_lines_of(JsonNode *result, const char *class, int brought, int back)
{
    JsonObject *total = json_object_new(), *units = json_object_new();
    json_object_set_int_member(total, "brought", brought);
    json_object_set_int_member(total, "brought_back", back);
    json_object_set_object_member(units, "total", total);
    json_object_set_object_member(json_node_get_object(result_member(result, "units")), class,
                                  units);
}

/* Of 100 that it gave a place. */
static void set_lines_of_l2(JsonNode *result, int back)
{
    set_lines_of(result, "l2_slice", 100, back);
}

#define LINKS(busy) "\"crossbar[reply]\": {" SERVER("source_links", busy) "}"
#define CHANNEL(bus)                                                                               \
    "\"dram_channel\": {" SERVER("command_buses", "0.8") ", " SERVER("data_bus", bus) "}"
#define BUS_AND_LINKS(bus, links) LINKS(links) ", " CHANNEL(bus)

/* Of a copy no line comes back. What is before L2 does not become less either. */
START_TEST(a_server_whose_work_comes_again_is_relieved_by_a_larger_l2)
{
    static const char busy[] = BUS_AND_LINKS("0.95", "0.8");
    g_autoptr(JsonNode) copy = result_of("\"slot_at_dram\": 100", busy, "");
    set_lines_of_l2(copy, 0);
    expect_bound(copy, "DRAM bus", "dram_bandwidth", "(dram_channel.data_bus): busy 95 %");
    g_autoptr(JsonNode) again = result_of("\"slot_at_dram\": 100", busy, "");
    set_lines_of_l2(again, 40);
    expect_bound(again, "DRAM bus", "l2_capacity",
                 "40 % of the lines that came to L2 it had evicted");
    g_autoptr(JsonNode) before =
        result_of("\"slot_at_dram\": 100", "\"mmu\": {" SERVER("tlb_ports", "0.95") "}", "");
    set_lines_of_l2(before, 40);
    expect_bound(before, "ports of the L2 TLB", "translation", "busy 95 %");
}
END_TEST

/* Of what an SM's caches bring again, all that is behind them is relieved: 40 % of L1's lines;
 * 30 of the texture cache's, to which as many more come, are 15. What is in front of them is
 * not. */
START_TEST(a_server_behind_l1_is_relieved_by_a_larger_one_if_its_lines_come_back)
{
    static const char slots[] = "\"slot_at_reply_network\": 100";
    static const char links[] = "\"crossbar[reply]\": {" SERVER(
        "source_links", "0.9") "}, "
                               "\"l2_slice\": {" SERVER("read_ports", "0.7") "}";
    g_autoptr(JsonNode) l1 = result_of(slots, links, "");
    set_lines_of(l1, "l1", 100, 40);
    expect_bound(l1, "reply network's links from sources", "l1_capacity",
                 "40 % of the lines that came to an L1 it had evicted");
    g_autoptr(JsonNode) both = result_of(slots, links, "");
    set_lines_of(both, "l1", 100, 0);
    set_lines_of(both, "texture", 100, 30);
    expect_bound(both, "reply network's links from sources", "reply_network", "busy 90 %");
    set_lines_of(both, "texture", 900, 600);
    expect_bound(both, "reply network's links from sources", "texture_cache",
                 "60 % of the lines that came to a texture cache it had evicted");
    g_autoptr(JsonNode) front =
        result_of("\"slot_memory_way\": 100", "\"l1\": {" SERVER("data_array", "0.9") "}", "");
    set_lines_of(front, "l1", 100, 60);
    expect_bound(front, "L1 data", "l1_bandwidth", "busy 90 %");
}
END_TEST

/* Of a cache between L1s and networks what is behind it; it is itself behind L1. */
START_TEST(a_shared_l1_is_a_cache_as_others_are)
{
    static const char links[] = "\"crossbar[reply]\": {" SERVER(
        "source_links", "0.9") "}, "
                               "\"l2_slice\": {" SERVER("read_ports", "0.75") "}";
    static const char array[] = "\"request_coalescer\": {" SERVER(
        "data_array", "0.9") "}, "
                             "\"l2_slice\": {" SERVER("read_ports", "0.75") "}";
    g_autoptr(JsonNode) behind = result_of("\"slot_at_reply_network\": 100", links, "");
    set_lines_of(behind, "request_coalescer", 100, 40);
    expect_bound(behind, "reply network's links from sources", "shared_l1_capacity",
                 "40 % of the lines that came to a shared L1 it had evicted");
    g_autoptr(JsonNode) itself = result_of("\"slot_at_l1\": 100", array, "");
    set_lines_of(itself, "request_coalescer", 100, 40);
    expect_bound(itself, "shared L1 data", "shared_l1", "busy 90 %");
    set_lines_of(itself, "l1", 100, 30);
    expect_bound(itself, "shared L1 data", "l1_capacity", "30 % of the lines that came to an L1");
}
END_TEST

/* The one in front takes work away from more: it is the first if that is nearly as much. */
START_TEST(of_two_caches_the_first_is_named_unless_more_comes_again_to_the_other)
{
    g_autoptr(JsonNode) result =
        result_of("\"slot_at_dram\": 100", BUS_AND_LINKS("0.95", "0.3"), "");
    set_lines_of(result, "l1", 100, 60);
    set_lines_of_l2(result, 70);
    expect_bound(result, "DRAM bus", "l1_capacity", "60 % of the lines that came to an L1");
    set_lines_of(result, "l1", 100, 50);
    expect_bound(result, "DRAM bus", "l2_capacity", "70 % of the lines that came to L2");
}
END_TEST

/* A cache between has them: none of them goes on to DRAM. */
START_TEST(what_a_cache_between_keeps_takes_nothing_from_dram)
{
    static const char slots[] = "\"slot_at_dram\": 100";
    g_autoptr(JsonNode) l2 = result_of(slots, BUS_AND_LINKS("0.95", "0.8"), "");
    set_lines_of_l2(l2, 60);
    set_lines_of(l2, "memory_cache", 50, 0);
    expect_bound(l2, "DRAM bus", "dram_bandwidth", "(dram_channel.data_bus): busy 95 %");
    set_lines_of(l2, "memory_cache", 50, 20);
    expect_bound(l2, "DRAM bus", "l2_capacity", "60 % of the lines that came to L2");
    g_autoptr(JsonNode) l1 = result_of(slots, BUS_AND_LINKS("0.95", "0.8"), "");
    set_lines_of(l1, "l1", 100, 60);
    set_lines_of_l2(l1, 4);
    expect_bound(l1, "DRAM bus", "dram_bandwidth", "(dram_channel.data_bus): busy 95 %");
}
END_TEST

/* Of the lines of ROPs and SMs together; loads of SMs do not come through it. */
START_TEST(a_slice_is_relieved_by_a_larger_rop_cache_if_its_lines_come_back)
{
    static const char slice[] =
        "\"l2_slice\": {" SERVER("look_ups", "0.9") "}, \"dram_channel\""
                                                    ": {" SERVER("data_bus", "0.7") "}";
    g_autoptr(JsonNode) result = result_of("\"slot_at_l2\": 100", slice, "");
    set_lines_of(result, "rop", 100, 80);
    expect_bound(result, "look-ups in the tags", "rop_atomics",
                 "80 % of the lines that came to a ROP's cache it had evicted");
    set_lines_of(result, "l1", 400, 0);
    expect_bound(result, "look-ups in the tags", "l2_bandwidth", "busy 90 %");
    g_autoptr(JsonNode) dram = result_of("\"slot_at_dram\": 100", BUS_AND_LINKS("0.95", "0.8"), "");
    set_lines_of(dram, "rop", 100, 80);
    set_lines_of_l2(dram, 0);
    expect_bound(dram, "DRAM bus", "dram_bandwidth", "busy 95 %");
    set_lines_of(dram, "l1", 100, 60);
    set_lines_of(dram, "rop", 100, 0);
    set_lines_of_l2(dram, 50);
    expect_bound(dram, "DRAM bus", "l1_capacity", "60 % of the lines that came to an L1");
}
END_TEST

/* 40 % of the lines come again; links leave 20 % of the time to a faster bus, or 70 %, of which 46
 * are gained. Of 20 % that come again they leave 10 %. */
START_TEST(a_faster_server_gains_most_of_what_the_next_one_leaves)
{
    static const char slots[] = "\"slot_at_dram\": 100";
    g_autoptr(JsonNode) little = result_of(slots, BUS_AND_LINKS("0.95", "0.8"), "");
    set_lines_of_l2(little, 40);
    expect_bound(little, "DRAM bus", "l2_capacity", "it had evicted");
    g_autoptr(JsonNode) much = result_of(slots, BUS_AND_LINKS("0.95", "0.3"), "");
    set_lines_of_l2(much, 40);
    expect_bound(much, "DRAM bus", "dram_bandwidth", "(dram_channel.data_bus): busy 95 %");
    g_autoptr(JsonNode) least = result_of(slots, BUS_AND_LINKS("0.95", "0.9"), "");
    set_lines_of_l2(least, 20);
    expect_bound(least, "DRAM bus", "l2_capacity", "20 % of the lines");
}
END_TEST

static void set_bytes(JsonNode *result, const char *class, const char *name, int bytes)
{
    JsonObject *units = json_node_get_object(result_member(result, "units"));
    if (!json_object_has_member(units, class)) set_lines_of(result, class, 100, 0);
    JsonObject *unit = json_object_get_object_member(units, class);
    json_object_set_int_member(json_object_get_object_member(unit, "total"), name, bytes);
}

/* Of a copy of 100 bytes L2 writes 67 back: 40 % of what the bus carries, of whose time links leave
 * half. What is of atomics a ROP's cache would keep, and L2 behind it have nothing to write. */
START_TEST(what_a_larger_cache_need_not_write_back_it_takes_from_dram)
{
    g_autoptr(JsonNode) result =
        result_of("\"slot_at_dram\": 100", BUS_AND_LINKS("0.95", "0.5"), "");
    set_bytes(result, "dram_channel", "bytes_read", 100);
    set_bytes(result, "dram_channel", "bytes_written", 67);
    expect_bound(result, "DRAM bus", "dram_bandwidth", "busy 95 %");
    set_bytes(result, "l2_slice", "bytes_dirtied", 100);
    expect_bound(result, "DRAM bus", "l2_capacity",
                 "; 40 % of what DRAM carries L2 had to write back");
    set_bytes(result, "rop", "bytes_written_back", 50);
    expect_bound(result, "DRAM bus", "l2_capacity", "L2 had to write back");
    set_bytes(result, "rop", "bytes_written_back", 100);
    expect_bound(result, "DRAM bus", "rop_atomics",
                 "; 40 % of what DRAM carries a ROP's cache had to write back");
}
END_TEST

/* Without timings the bus leaves half of the time, without bus all: that has no timings either. */
START_TEST(what_includes_a_component_is_named_where_it_gains_more)
{
#define ACTIVATES_AND_BUS(bus)                                                                     \
    "\"dram_channel\": {" SERVER("activates_of_4", "0.9") ", " SERVER("data_bus", bus) "}"
    static const char slots[] = "\"slot_at_dram\": 100",
                      title[] = "windows of four activates (tFAW)";
    g_autoptr(JsonNode) busy = result_of(slots, ACTIVATES_AND_BUS("0.5"), "");
    expect_bound(busy, title, "dram_bandwidth",
                 "; behind it DRAM bus (dram_channel.data_bus): busy 50 %");
    g_autoptr(JsonNode) free = result_of(slots, ACTIVATES_AND_BUS("0.15"), "");
    expect_bound(free, title, "dram_timing", "busy 90 %");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("cause");
    tcase_add_test(tests, a_server_whose_work_comes_again_is_relieved_by_a_larger_l2);
    tcase_add_test(tests, a_server_behind_l1_is_relieved_by_a_larger_one_if_its_lines_come_back);
    tcase_add_test(tests, a_shared_l1_is_a_cache_as_others_are);
    tcase_add_test(tests, of_two_caches_the_first_is_named_unless_more_comes_again_to_the_other);
    tcase_add_test(tests, what_a_cache_between_keeps_takes_nothing_from_dram);
    tcase_add_test(tests, a_slice_is_relieved_by_a_larger_rop_cache_if_its_lines_come_back);
    tcase_add_test(tests, a_faster_server_gains_most_of_what_the_next_one_leaves);
    tcase_add_test(tests, what_a_larger_cache_need_not_write_back_it_takes_from_dram);
    tcase_add_test(tests, what_includes_a_component_is_named_where_it_gains_more);
    return harness_run_cases("cause", tests);
}
