/* What bound a run, from how full its resources were. */
#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/verdict/headlines.h"
#include "scenarios/program/verdict/pressure.h"
#include "scenarios/program/verdict/verdict.h"

/* Of one instance, or of several with their busiest. */
typedef struct {
    const char *group, *name;
    double capacity, use, full, most; /* most 0: one instance */
} Row;

static void add_row(JsonObject *resources, const Row *row, gboolean server)
{
    if (!json_object_has_member(resources, row->group))
        json_object_set_object_member(resources, row->group, json_object_new());
    JsonObject *node = json_object_new();
    json_object_set_string_member(node, "kind", server ? "server" : "place");
    json_object_set_double_member(node, "capacity", row->capacity);
    json_object_set_double_member(node, "mean", row->use * row->capacity);
    json_object_set_double_member(node, "use", row->use);
    json_object_set_double_member(node, "full", row->full);
    json_object_set_int_member(node, "refused", 7);
    if (row->most > 0) {
        JsonObject *busiest = json_object_new();
        json_object_set_string_member(busiest, "path", "the.busiest");
        json_object_set_double_member(busiest, "use", row->most);
        json_object_set_double_member(busiest, "full", row->most);
        json_object_set_object_member(node, "busiest", busiest);
    }
    json_object_set_object_member(json_object_get_object_member(resources, row->group), row->name,
                                  node);
}

static gboolean is_server(const Row *row)
{
    const size_t length = strcspn(row->group, "[");
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++) {
        if (strncmp((*class)->name, row->group, length) != 0 || (*class)->name[length]) continue;
        for (const ResourceRow *known = (*class)->resources; known && known->name; known++)
            if (!strcmp(known->name, row->name))
                return known->kind == RESOURCE_SERVER || known->kind == RESOURCE_SERVERS;
    }
    return FALSE;
}

/* Ends with a row without group. */
static JsonNode *result_with(const Row *rows)
{
    g_autoptr(GError) error = NULL;
    JsonNode *result = json_from_string(
        "{\"summary\": {\"load_latency_cycles\": {\"mean\": 500.0}}, \"resources\": {}}", &error);
    JsonObject *resources =
        json_object_get_object_member(json_node_get_object(result), "resources");
    for (; rows->group; rows++) add_row(resources, rows, is_server(rows));
    return result;
}

static void expect_bound_of(JsonNode *result, const char *bound, const char *words)
{
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_str_eq(verdict->bound, bound);
    ck_assert_msg(strstr(verdict->sentence, words) != NULL, "'%s' has no '%s'", verdict->sentence,
                  words);
}

static void expect_bound(const Row *rows, const char *bound, const char *words)
{
    g_autoptr(JsonNode) result = result_with(rows);
    expect_bound_of(result, bound, words);
}

START_TEST(a_server_that_is_always_busy_is_the_bound)
{
    expect_bound((const Row[]){{"mmu", "tlb_ports", 4, 0.99, 0.99, 0},
                               {"dram_channel", "data_bus", 1, 0.5, 0.5, 0.55},
                               {NULL}},
                 "ports of the L2 TLB",
                 "ports of the L2 TLB (mmu.tlb_ports): busy 99 % of the time");
}
END_TEST

/* The table is full because memory does not keep up, or because it is small. */
START_TEST(a_full_place_passes_it_on_to_what_it_waits_for)
{
    Row rows[] = {{"l1", "prt", 64, 0.95, 0.9, 0.96},
                  {"l1", "to_request_network", 100, 0.1, 0, 0.1},
                  {"access_scheduler", "reads_waiting", 64, 0.7, 0.4, 0.8},
                  {"dram_channel", "data_bus", 1, 0.9, 0.9, 0.92},
                  {NULL}};
    expect_bound(rows, "DRAM bus", "DRAM bus (dram_channel.data_bus): busy 90 % of the time");
    rows[3].use = rows[3].full = rows[3].most = rows[2].use = rows[2].most = 0.3;
    expect_bound(rows, "outstanding misses",
                 "(l1.prt): full 90 % of the time, 60.8 of 64 misses taken");
}
END_TEST

/* Fetches wait for the bus through a queue that is seldom full. A table that is full for longer
 * than the bus has work is too small. */
START_TEST(a_full_place_waits_for_the_server_behind_it_that_has_work_for_longer)
{
    Row rows[] = {{"l2_slice", "pending", 192, 0.7, 0.67, 0},
                  {"l2_slice", "to_scheduler", 16, 0.38, 0.06, 0},
                  {"dram_channel", "data_bus", 1, 0.64, 0.64, 0},
                  {NULL}};
    expect_bound(rows, "DRAM bus", "(dram_channel.data_bus): busy 64 % of the time");
    for (rows[0].full = 0.8; rows[1].full < 0.4; rows[1].full += 0.31) /* mostly, it has room */
        expect_bound(rows, "pending request table", "(l2_slice.pending): full 80 % of the time");
}
END_TEST

/* Rows that open wait for their commands, not for groups of banks that have time left. */
START_TEST(a_full_server_waits_only_for_what_is_full_too)
{
    Row rows[] = {{"access_scheduler", "reads_waiting", 64, 0.9, 0.9, 0},
                  {"dram_channel", "command_buses", 1, 0.98, 0.98, 0},
                  {"dram_channel", "bank_groups", 1, 0.42, 0.42, 0},
                  {"dram_channel", "data_bus", 1, 0.8, 0.8, 0},
                  {NULL}};
    expect_bound(rows, "command buses", "(dram_channel.command_buses): busy 98 % of the time");
    rows[1].use = rows[1].full = 0.86; /* nearly as full, behind banks that are not */
    expect_bound(rows, "DRAM bus", "(dram_channel.data_bus): busy 80 % of the time");
}
END_TEST

/* Turns in banks are part of the time that passes over the array take. */
START_TEST(what_refuses_a_full_server_has_part_of_its_time)
{
    expect_bound((const Row[]){{"l1", "data_array", 1, 0.9, 0.9, 0},
                               {"l1", "conflicts", 1, 0.6, 0.6, 0},
                               {NULL}},
                 "bank conflicts", "(l1.conflicts): busy 60 % of the time");
}
END_TEST

/* What is in a pipeline's room is on its way through it while the pipeline has time left. */
START_TEST(a_place_in_front_of_a_server_with_time_left_in_its_own_unit_is_the_bound)
{
    Row rows[] = {{"texture", "fragment_room", 128, 0.99, 0.97, 0},
                  {"texture", "filters", 1, 0.4, 0.4, 0},
                  {NULL}};
    expect_bound(rows, "fragment FIFO", "(texture.fragment_room): full 97 % of the time");
    rows[1].use = rows[1].full = 0.98;
    expect_bound(rows, "texture filter", "(texture.filters): busy 98 % of the time");
    rows[1].use = rows[1].full = 0.6; /* most of the time in which it is full: bursts fill it */
    expect_bound(rows, "texture filter", "(texture.filters): busy 60 % of the time");
}
END_TEST

/* It is as full as can be, and has refused nobody: address generation has the work. */
START_TEST(a_place_that_refused_nobody_is_no_way_along_which_anything_waits)
{
    static const Row rows[] = {{"sm", "to_load_store", 5, 0.69, 0.6, 0},
                               {"load_store", "addresses", 1, 0.69, 0.69, 0},
                               {"load_store", "to_l1", 5, 0.69, 0.59, 0},
                               {NULL}};
    g_autoptr(JsonNode) result = result_with(rows);
    JsonNode *room = result_member(result, "resources.load_store.to_l1");
    json_object_set_int_member(json_node_get_object(room), "refused", 0);
    expect_bound_of(result, "address generation", "(load_store.addresses): busy 69 %");
}
END_TEST

/* Warps that each wait for a line have as many accesses there as there is room for. */
START_TEST(a_full_place_that_refused_nobody_holds_up_nobody)
{
    static const Row rows[] = {{"l1", "replay_room", 7, 0.84, 0.69, 0}, {NULL}};
    g_autoptr(JsonNode) result = result_with(rows);
    expect_bound_of(result, "instruction buffer", "5.88 of 7 accesses taken");
    JsonNode *room = result_member(result, "resources.l1.replay_room");
    json_object_set_int_member(json_node_get_object(room), "refused", 0);
    expect_bound_of(result, "latency", "latency: no resource is near its limit");
}
END_TEST

/* L1 looks up in bursts; misses wait for the bus. The room is full for longer than either works. */
START_TEST(a_server_with_time_left_leads_on_to_the_busiest_behind)
{
    Row rows[] = {{"l1", "replay_room", 7, 0.9, 0.8, 0},
                  {"l1", "arbiter", 1, 0.4, 0.4, 0},
                  {"l1", "to_request_network", 100, 0.1, 0, 0},
                  {"dram_channel", "data_bus", 1, 0.7, 0.7, 0},
                  {NULL}};
    expect_bound(rows, "DRAM bus", "(dram_channel.data_bus): busy 70 % of the time");
    rows[0].use = rows[0].full = 0.6;
    rows[1].use = rows[1].full = 0.65;
    expect_bound(rows, "L1 look-up", "(l1.arbiter): busy 65 % of the time");
}
END_TEST

START_TEST(the_way_of_the_pressure_is_told)
{
    static const Row rows[] = {{"sm", "resident_warps", 64, 1, 1, 1},
                               {"sm", "to_load_store", 5, 0.9, 0.8, 0.9},
                               {"load_store", "addresses", 1, 0.6, 0.6, 0.6},
                               {"load_store", "to_l1", 5, 0.99, 0.98, 0},
                               {"l1", "replay_room", 64, 0.9, 0.8, 0},
                               {"l1", "translating", 32, 0.95, 0.9, 0},
                               {"l1", "to_mmu", 8, 0.93, 0.9, 0},
                               {"mmu", "tlb_ports", 4, 1, 1, 0},
                               {NULL}};
    g_autoptr(JsonNode) result = result_with(rows);
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_str_eq(verdict->chain,
                     "sm.to_load_store 90 % > load_store.addresses 60 % > "
                     "load_store.to_l1 98 % > l1.replay_room 80 % > l1.translating 90 % > "
                     "l1.to_mmu 90 % > mmu.tlb_ports 100 %");
    ck_assert_str_eq(verdict->component, "translation");
}
END_TEST

START_TEST(one_that_is_full_among_idle_ones_is_told_apart)
{
    expect_bound((const Row[]){{"dram_channel", "data_bus", 1, 0.06, 0.06, 0.93}, {NULL}},
                 "DRAM bus",
                 "busy 6 % of the time; the.busiest is the busiest of uneven ones: 93 %");
}
END_TEST

START_TEST(two_bounds_that_are_close_are_both_named)
{
    expect_bound((const Row[]){{"sm", "issue_slots", 1, 0.95, 0.95, 0.95},
                               {"mmu", "tlb_ports", 4, 0.94, 0.94, 0},
                               {NULL}},
                 "SM issue", "; and ports of the L2 TLB (mmu.tlb_ports)");
}
END_TEST

/* Either holds up what comes out of the other. Links behind the port are one component. */
START_TEST(what_is_as_busy_in_front_of_the_bound_is_named_with_it)
{
    Row rows[] = {{"l2_slice", "read_ports", 1, 0.9, 0.9, 0},
                  {"l2_slice", "to_reply_network", 100, 0.9, 0.9, 0},
                  {"crossbar[reply]", "source_links", 1, 0.92, 0.92, 0},
                  {"crossbar[reply]", "passing", 1, 0.92, 0.92, 0},
                  {NULL}};
    expect_bound(rows, "reply network's inputs",
                 "(crossbar[reply].passing): busy 92 % of the time; and L2 data "
                 "(l2_slice.read_ports): busy 90 % of the time");
    g_autoptr(JsonNode) both = result_with(rows);
    g_autoptr(Verdict) verdict = verdict_new(both);
    ck_assert_uint_eq(g_strv_length(verdict->ends), 2);
    ck_assert_str_eq(verdict->ends[1], "l2_slice.read_ports");
    rows[0].use = rows[0].full = 0.84; /* nine tenths */
    expect_bound(rows, "reply network's inputs", "; and L2 data (l2_slice.read_ports): busy 84 %");
    rows[0].use = rows[0].full = 0.82;
    g_autoptr(JsonNode) alone = result_with(rows);
    g_autoptr(Verdict) other = verdict_new(alone);
    ck_assert_msg(!strstr(other->sentence, "; and"), "%s", other->sentence);
}
END_TEST

/* None of them is full: what is behind the queue is what they all do most. */
START_TEST(the_busiest_of_servers_that_have_time_left_holds_nobody_up)
{
    expect_bound((const Row[]){{"access_scheduler", "reads_waiting", 64, 0.95, 0.9, 0},
                               {"dram_channel", "command_buses", 1, 0.32, 0.32, 0.47},
                               {"dram_channel", "data_bus", 1, 0.38, 0.38, 0.38},
                               {NULL}},
                 "DRAM bus", "(dram_channel.data_bus): busy 38 %");
}
END_TEST

/* How many fit is the launch's affair, so that they are there bounds nothing. */
START_TEST(what_holds_warps_is_no_bound)
{
    static const Row full[] = {{"sm", "resident_warps", 64, 1, 1, 1}, {NULL}};
    static const Row few[] = {{"sm", "resident_warps", 64, 0.25, 0, 0.25}, {NULL}};
    expect_bound(full, "latency", "no resource is near its limit");
    expect_bound(few, "latency", "16.0 warps an SM of 64 possible are too few to hide 500 cycles");
    g_autoptr(JsonNode) result = result_with(few);
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_str_eq(verdict->component, "occupancy");
    ck_assert_ptr_null(verdict->chain);
}
END_TEST

START_TEST(a_chain_of_loads_is_latency_whatever_waits)
{
    static const Row few[] = {{"sm", "resident_warps", 64, 0.02, 0, 0.02}, {NULL}};
    g_autoptr(JsonNode) result = result_with(few);
    json_object_set_double_member(
        json_object_get_object_member(json_node_get_object(result), "summary"), "cycles_per_load",
        400);
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_ptr_nonnull(strstr(verdict->sentence, "one chain of dependent loads"));
}
END_TEST

/* Its outputs lead to other routers and to slices or SMs. */
START_TEST(a_router_full_of_packets_is_named_by_its_network)
{
    expect_bound((const Row[]){{"router[reply]", "outputs", 16, 0.8, 0.7, 0.9}, {NULL}},
                 "reply network's way out of router",
                 "(router[reply].outputs): full 70 % of the time");
}
END_TEST

/* What cannot enter waits for the links of the one network that there is. */
START_TEST(a_shared_network_is_behind_both_ways_into_it)
{
    static const char *const ways[][2] = {{"l1", "to_request_network"},
                                          {"l2_slice", "to_reply_network"}};
    for (uint32_t i = 0; i < G_N_ELEMENTS(ways); i++)
        expect_bound((const Row[]){{ways[i][0], ways[i][1], 16, 0.95, 0.9, 0.95},
                                   {"router[shared]", "source_links", 1, 0.2, 0.2, 0.2},
                                   {"router[shared]", "links", 1, 0.96, 0.96, 0.97},
                                   {NULL}},
                     "shared network", "(router[shared].links): busy 96 % of the time");
}
END_TEST

/* L1's misses go to a coalescer where there is one, else into the network that there is. */
START_TEST(an_output_leads_to_what_the_machine_has)
{
    static const struct {
        const char *behind, *title, *rests_on;
    } machines[] = {
        {"crossbar[request]", "way from l1 to crossbar", "network.input_buffer"},
        {"router[request]", "way from l1 to router", "network.input_buffer"},
        {"request_coalescer", "way from l1 to request_coalescer", "channels.coalescer_input_queue"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
        const char *resource = i == 2 ? "outputs" : "source_links";
        g_autoptr(JsonNode) result =
            result_with((const Row[]){{"l1", "to_request_network", 8, 0.9, 0.9, 0},
                                      {machines[i].behind, resource, 1, 0.5, 0.5, 0},
                                      {NULL}});
        g_autoptr(GPtrArray) list = pressure_list(result);
        ck_assert_uint_eq(list->len, 2);
        const Pressure *pressure = list->pdata[0];
        g_autoptr(GPtrArray) names = rests_on_names(pressure);
        ck_assert_str_eq(pressure->title, machines[i].title);
        ck_assert_str_eq(names->pdata[0], machines[i].rests_on);
        ck_assert_str_eq(pressure_component(pressure), "request_network");
    }
}
END_TEST

/* A slice's fetches go through the switch of their partition where there is one. */
START_TEST(what_is_shared_stands_in_front)
{
    static const Row rows[] = {{"l2_slice", "to_scheduler", 16, 0.9, 0.9, 0},
                               {"access_scheduler", "reads_waiting", 64, 0.5, 0.5, 0},
                               {NULL}},
                     apart[] = {{"l2_slice", "to_scheduler", 16, 0.9, 0.9, 0},
                                {"memory_switch", "to_schedulers", 16, 0.5, 0.5, 0},
                                {"access_scheduler", "reads_waiting", 64, 0.5, 0.5, 0},
                                {NULL}};
    g_autoptr(JsonNode) result = result_with(rows), other = result_with(apart);
    g_autoptr(GPtrArray) list = pressure_list(result), switched = pressure_list(other);
    ck_assert_str_eq(((const Pressure *)list->pdata[0])->title,
                     "way from l2_slice to access_scheduler");
    ck_assert_str_eq(((const Pressure *)switched->pdata[0])->title,
                     "way from l2_slice to memory_switch");
}
END_TEST

/* Both networks have rows to slices and to SMs. */
START_TEST(replies_go_to_the_sms_and_wait_for_no_slice)
{
    static const Row rows[] = {{"l2_slice", "to_reply_network", 100, 0.9, 0.9, 0},
                               {"crossbar[reply]", "destination_links", 1, 0.55, 0.55, 0},
                               {"l2_slice", "read_ports", 1, 0.6, 0.6, 0},
                               {NULL}};
    expect_bound(rows, "reply network", "(crossbar[reply].destination_links): busy 55 %");
}
END_TEST

/* The source of traffic has a channel from DRAM and one to the schedulers, and nothing waits for
 * it. */
START_TEST(what_takes_traffic_hands_on_no_pressure)
{
    static const Row rows[] = {{"memory_traffic", "to_schedulers", 32, 0.9, 0.9, 0},
                               {"access_scheduler", "reads_waiting", 64, 0.9, 0.9, 0},
                               {"dram_channel", "data_bus", 1, 0.98, 0.98, 0},
                               {NULL}};
    g_autoptr(JsonNode) result = result_with(rows);
    g_autoptr(GPtrArray) list = pressure_list(result);
    ck_assert_uint_eq(list->len, 3);
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        ck_assert_uint_eq(pressure_next(list, pressure)->len,
                          strcmp(pressure->name, "dram_channel.data_bus") != 0);
    }
    expect_bound(rows, "DRAM bus", "(dram_channel.data_bus): busy 98 %");
}
END_TEST

START_TEST(of_links_behind_each_other_the_fullest_is_the_bound)
{
    static const Row rows[] = {{"l2_slice", "to_reply_network", 100, 0.9, 0.9, 0},
                               {"crossbar[reply]", "source_links", 1, 0.87, 0.87, 0},
                               {"crossbar[reply]", "passing", 1, 0.7, 0.7, 0},
                               {"crossbar[reply]", "taking", 1, 0.6, 0.6, 0},
                               {"crossbar[reply]", "destination_links", 1, 0.55, 0.55, 0},
                               {NULL}};
    expect_bound(rows, "reply network's links from sources",
                 "(crossbar[reply].source_links): busy 87 %");
}
END_TEST

/* Without a bound there is nothing to be full of; of another program's resources nothing is
 * known. */
START_TEST(what_has_no_bound_or_no_name_bounds_nothing)
{
    expect_bound((const Row[]){{"dram_channel", "data_bus", 0, 0, 0, 0},
                               {"nobody", "knows", 1, 1, 1, 0},
                               {"l1", "nothing", 1, 1, 1, 0},
                               {NULL}},
                 "latency", "latency");
}
END_TEST

START_TEST(headlines_are_what_a_study_has_columns_of)
{
    g_autoptr(JsonNode) result =
        result_with((const Row[]){{"dram_channel", "data_bus", 1, 0.25, 0.25, 0}, {NULL}});
    g_autoptr(GArray) resources = headlines_read(result);
    ck_assert_uint_eq(resources->len, 1);
    const Headline *bus = &g_array_index(resources, Headline, 0);
    ck_assert_str_eq(bus->name, "DRAM bus");
    ck_assert_str_eq(bus->column, "busy_dram_bus");
    ck_assert_double_eq(bus->utilisation, 0.25);
}
END_TEST

HARNESS_MAIN(
    "verdict", a_server_that_is_always_busy_is_the_bound,
    a_full_place_passes_it_on_to_what_it_waits_for,
    a_full_place_waits_for_the_server_behind_it_that_has_work_for_longer,
    a_full_place_that_refused_nobody_holds_up_nobody, a_full_server_waits_only_for_what_is_full_too,
    what_refuses_a_full_server_has_part_of_its_time,
    a_place_in_front_of_a_server_with_time_left_in_its_own_unit_is_the_bound,
    a_place_that_refused_nobody_is_no_way_along_which_anything_waits,
    a_server_with_time_left_leads_on_to_the_busiest_behind, the_way_of_the_pressure_is_told,
    one_that_is_full_among_idle_ones_is_told_apart, two_bounds_that_are_close_are_both_named,
    what_is_as_busy_in_front_of_the_bound_is_named_with_it,
    the_busiest_of_servers_that_have_time_left_holds_nobody_up, what_holds_warps_is_no_bound,
    an_output_leads_to_what_the_machine_has, what_is_shared_stands_in_front,
    a_chain_of_loads_is_latency_whatever_waits, replies_go_to_the_sms_and_wait_for_no_slice,
    what_takes_traffic_hands_on_no_pressure, of_links_behind_each_other_the_fullest_is_the_bound,
    what_has_no_bound_or_no_name_bounds_nothing, a_router_full_of_packets_is_named_by_its_network,
    a_shared_network_is_behind_both_ways_into_it, headlines_are_what_a_study_has_columns_of)
