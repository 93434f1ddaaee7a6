/* What of the latency a shorter one would gain most by, where nothing is full. */
#include "program/verdict/slots_result.h"

/* Precharge and activate are of one component. */
START_TEST(the_longest_stage_of_a_component_is_told_without_its_others)
{
    g_autoptr(JsonNode) result = result_of("\"slot_at_dram\": 100", "", "");
    set_stages(result, "{\"load_dram\": {\"latency\": 100, \"dram_precharge\": 20, "
                       "\"dram_activate\": 25, \"memory_wire\": 40}}");
    expect_bound(result, "latency", "dram_timing", "25 % of that is activation of DRAM rows");
}
END_TEST

/* A class of requests that waits behind others says nothing of its own. */
START_TEST(the_longest_part_of_the_latency_has_its_component)
{
    g_autoptr(JsonNode) result = result_of("\"slot_at_dram\": 100", "", "");
    set_stages(result, "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 50, \"l1_tag\": 20},"
                       " \"store\": {\"latency\": 900, \"l1_tag\": 900},"
                       " \"load_merged\": {\"latency\": 900, \"l1_queue\": 600, \"fill\": 300}}");
    expect_bound(result, "latency", "dram_latency", "50 % of that is way between L2 and DRAM");
}
END_TEST

/* DRAM's queue is 20 % of the latency, the wire 40 %: without it more waits in the queue. Of what
 * waits there two fifths wait elsewhere when the bus is free: of 12 % and what the bus leaves of 40
 * more is gained where it has work for 72 % of the time. */
START_TEST(what_is_shorter_elsewhere_waits_for_the_busiest_server)
{
    static const char stages[] =
        "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 40, \"scheduler_wait\": 20}}";
    static const struct {
        const char *channel, *component, *words;
    } servers[] = {
        {SERVER("data_bus", "0.72") ", " SERVER("row_cycles", "0.4"), "dram_bandwidth", "20 %"},
        {SERVER("data_bus", "0.4") ", " SERVER("row_cycles", "0.72"), "dram_timing", "20 %"},
        {SERVER("data_bus", "0.4") ", " SERVER("row_cycles", "0.68"), "dram_latency", "40 %"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(servers); i++) {
        g_autofree char *channel = g_strdup_printf("\"dram_channel\": {%s}", servers[i].channel);
        g_autoptr(JsonNode) result = result_of("\"slot_at_dram\": 100", channel, "");
        set_stages(result, stages);
        expect_bound(result, "latency", servers[i].component, servers[i].words);
    }
}
END_TEST

/* A line waits 20 of 100 ns in DRAM's queue, and the last of a load's 32 lines 80 of 160: of the
 * load that is more than the wire. */
START_TEST(a_load_is_done_when_the_last_of_its_lines_is)
{
    static const char stages[] =
        "{\"load_dram\": {\"count\": 32, \"latency\": 3200e6, \"memory_wire\": 1280e6, "
        "\"scheduler_wait\": 640e6}}";
    static const struct {
        double load; /* cycles of 1 ns */
        const char *component, *words;
    } loads[] = {{100, "dram_latency", "40 % of that is way between L2 and DRAM"},
                 {160, "dram_timing", "50 % of that is wait in the memory access scheduler"}};
    for (guint i = 0; i < G_N_ELEMENTS(loads); i++) {
        g_autoptr(JsonNode) result = result_of(
            "\"slot_at_dram\": 100", "\"dram_channel\": {" SERVER("row_cycles", "0.3") "}",
            ", \"time_ns\": 1000, \"core_cycles\": 1000");
        JsonNode *latency = result_member(result, "summary.load_latency_cycles");
        json_object_set_double_member(json_node_get_object(latency), "mean", loads[i].load);
        set_stages(result, stages);
        expect_bound(result, "latency", loads[i].component, loads[i].words);
    }
}
END_TEST

/* Of what is replayed because it was refused nobody knows for what; the classes behind have it. */
START_TEST(replays_without_bank_conflicts_are_waits_behind_others)
{
    static const char stages[] = "{\"load_l1_hit\": {\"latency\": 900, \"replay\": 900},"
                                 " \"load_dram\": {\"latency\": 100, \"memory_wire\": 50}}";
    g_autoptr(JsonNode) refused =
        result_of("\"slot_at_dram\": 100", "\"l1\": {" SERVER("conflicts", "0") "}", "");
    json_object_set_member(json_node_get_object(refused), "stages", json_from_string(stages, NULL));
    expect_bound(refused, "latency", "dram_latency", "50 % of that is way between L2 and DRAM");
    g_autoptr(JsonNode) conflicts =
        result_of("\"slot_at_dram\": 100", "\"l1\": {" SERVER("conflicts", "0.4") "}", "");
    json_object_set_member(json_node_get_object(conflicts), "stages",
                           json_from_string(stages, NULL));
    expect_bound(conflicts, "latency", "bank_conflicts", "90 % of that is replays");
}
END_TEST

/* Nobody waits for stores, but the kernel's end. */
START_TEST(a_kernel_that_only_stores_waits_for_what_its_stores_do)
{
    g_autoptr(JsonNode) result = result_of("\"slot_drain\": 100", "", "");
    set_stages(result, "{\"store\": {\"latency\": 100, \"translate\": 60, \"l2_tag\": 20},"
                       " \"load_dram\": {\"latency\": 0, \"memory_wire\": 0}}");
    expect_bound(result, "latency", "translation", "60 % of that is address translation");
}
END_TEST

START_TEST(what_waits_for_the_request_network_waits_for_l2_if_that_has_most_to_do)
{
    static const char stages[] = "{\"load_l2_hit\": {\"latency\": 100, \"request_queue\": 40,"
                                 " \"l2_queue\": 10, \"request_wire\": 20}}";
    static const struct {
        const char *ports, *component, *words;
    } slices[] = {{SERVER("read_ports", "0.6"), "l2_bandwidth", "50 % of that is wait for L2"},
                  {SERVER("read_ports", "0.2"), "request_network",
                   "40 % of that is wait in the request network"},
                  {SERVER("read_ports", "0.4"), "request_network",
                   "40 % of that is wait in the request network"}};
    for (guint i = 0; i < G_N_ELEMENTS(slices); i++) {
        g_autofree char *resources = g_strdup_printf(
            "\"l2_slice\": {%s}, \"crossbar[request]\": {%s}, "
            "\"crossbar[reply]\": {%s}",
            slices[i].ports, SERVER("destination_links", "0.3"), SERVER("source_links", "0.5"));
        g_autoptr(JsonNode) result = result_of("\"slot_at_l2\": 100", resources, "");
        set_stages(result, stages);
        expect_bound(result, "latency", slices[i].component, slices[i].words);
    }
}
END_TEST

static gboolean is_component(const char *name)
{
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        for (const Param *param = (*group)->params; param->name; param++)
            for (const PerfectRole *role = param->perfect; role && role->component; role++)
                if (!strcmp(role->component, name)) return TRUE;
    return FALSE;
}

START_TEST(components_of_stages_exist)
{
    for (guint s = 0; s < STAGE_COUNT; s++)
        if (stage_component(s))
            ck_assert_msg(is_component(stage_component(s)), "%s: %s", stage_name(s),
                          stage_component(s));
}
END_TEST

/* The wire is 20 % of the latency: of 90 % of the time 18 are gained, of 45 % half of 9, since the
 * other half is issued in, and takes the place of the waits. */
START_TEST(a_part_of_the_latency_is_gained_where_nothing_else_is_waited_for)
{
    static const char wire[] = "{\"load_dram\": {\"latency\": 100, \"memory_wire\": 20}}";
    g_autoptr(JsonNode) waits = result_of("\"slot_tail\": 10, \"slot_at_dram\": 90", "", "");
    set_stages(waits, wire);
    expect_bound(waits, "latency", "dram_latency", "20 % of that is way between L2 and DRAM");
    g_autoptr(JsonNode) issues =
        result_of("\"slot_tail\": 10, \"slot_at_dram\": 45, \"slot_core\": 45", "", "");
    set_stages(issues, wire);
    expect_bound(issues, "tail of CTAs", "dram_latency", "in 10 %");
}
END_TEST

/* What no component shortens is behind other lines, which are as much sooner done: of the rest the
 * wire is half. */
START_TEST(what_is_behind_others_is_as_much_shorter)
{
    g_autoptr(JsonNode) result = result_of("\"slot_tail\": 30, \"slot_at_dram\": 70", "", "");
    set_stages(result, "{\"load_dram\": {\"latency\": 100, \"coalesce\": 60, "
                       "\"memory_wire\": 20, \"l2_tag\": 10, \"fill\": 10}}");
    expect_bound(result, "latency", "dram_latency", "20 % of that is way between L2 and DRAM");
}
END_TEST

HARNESS_MAIN("latency", the_longest_stage_of_a_component_is_told_without_its_others,
             the_longest_part_of_the_latency_has_its_component,
             what_is_shorter_elsewhere_waits_for_the_busiest_server,
             what_is_behind_others_is_as_much_shorter,
             a_part_of_the_latency_is_gained_where_nothing_else_is_waited_for,
             a_load_is_done_when_the_last_of_its_lines_is,
             replays_without_bank_conflicts_are_waits_behind_others, components_of_stages_exist,
             a_kernel_that_only_stores_waits_for_what_its_stores_do,
             what_waits_for_the_request_network_waits_for_l2_if_that_has_most_to_do)
