/* What a run's report says of its bounds, and which checks it makes. */
#include "kit/describe/stage.h"
#include "program/report/figure_cells.h"
#include "rigs/harness.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/pages.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/verdict/verdict.h"
#include "workloads/workload.h"

/* A microsecond of 1000 core cycles, 2 SMs, 4 slices. */
static const char run_text[] =
    "{'schema_version': 1, 'scenario': 'Gather', 'file': 'my gather.ini',"
    " 'variant': 'a b',"
    " 'summary': {'time_ns': 1000, 'core_cycles': 1000,"
    "  'dram': {'bandwidth_gbps': 90, 'peak_gbps': 100}},"
    " 'stages': {'load_dram': {'count': 2, 'latency': 14000000, 'issue': 2000000,"
    "   'l2_tag': 2000000, 'l2_queue': 6000000, 'scheduler_wait': 4000000},"
    "  'store': {'count': 0, 'latency': 0}},"
    " 'parameters': {'machine': {'core_clock': '1 GHz', 'l2_clock': '500 MHz',"
    "   'network_clock': '2 GHz', 'dram_clock': '1 GHz', 'sms': '2'}, 'dram': {'data_rate': '2'},"
    "  'l1': {'lookup_interval': '2 cycles', 'lookups_per_interval': '3', 'data_banks': '8',"
    "   'data_bank_bytes': '4 B', 'prt_entries': '40'},"
    "  'l2_slice': {'data_bandwidth': '32 B/cycle', 'lookup_interval': '2 cycles'},"
    "  'sm': {'max_warps': '64'},"
    "  'network': {'timing': 'packet', 'request_destination_bandwidth': '10 B/cycle'},"
    "  'workload': {'pattern': 'random', 'operation': 'load'}},"
    " 'resources': {"
    "  'sm': {'issue_slots': {'kind': 'server', 'instances': 2, 'capacity': 1, 'mean': 0.25,"
    "    'use': 0.25, 'full': 0.25, 'refused': 3,"
    "    'busiest': {'path': 'sm[1].issue_slots[0]', 'use': 0.3, 'full': 0.3}},"
    "   'texture_pipe': {'kind': 'server', 'instances': 2, 'capacity': 4, 'mean': 0, 'use': 0,"
    "    'full': 0, 'refused': 0}},"
    "  'l1': {'arbiter': {'kind': 'server', 'instances': 1, 'capacity': 1, 'mean': 0.4,"
    "    'use': 0.4, 'full': 0.4, 'refused': 0},"
    "   'to_mmu': {'kind': 'place', 'instances': 1, 'capacity': 8, 'mean': 2, 'use': 0.25,"
    "    'full': 0.125, 'refused': 9}},"
    "  'dram_channel': {'data_bus': {'kind': 'server', 'instances': 1, 'capacity': 1, 'mean': 0.9,"
    "    'use': 0.9, 'full': 0.9, 'refused': 0}}},"
    " 'units': {"
    "  'sm': {'count': 2, 'total': {'issue_cycles': 500, 'requested_bytes': 640,"
    "   'resident_warps': {'mean': 16, 'max': 20, 'arrivals': 8, 'stay_fs': 32000000000}}},"
    "  'l1': {'count': 2, 'total': {'requests': 7, 'replies': 7, 'wavefronts': 900, 'writes': 300,"
    "   'shared_passes': 0, 'data_passes': 400, 'bytes_requested': 600, 'atomics': 0,"
    "   'bytes_to_network': 64,"
    "   'prt': {'mean': 10, 'max': 30, 'arrivals': 5, 'stay_fs': 19000000000},"
    "   'registers': {'mean': 10, 'max': 30, 'arrivals': 5, 'stay_fs': 0}}},"
    "  'l2_slice': {'count': 4, 'total': {'accesses': 6, 'atomics': 0, 'rop_requests': 0,"
    "   'replies': 6, 'data_busy': 1000000000,"
    "   'bytes_written': 64, 'crossings': 0}},"
    "  'texture': {'count': 2, 'total': {'bytes_data': 0, 'atomics': 0}},"
    "  'crossbar': {'count': 2, 'total': {'bytes': 900}, 'instances': ["
    "   {'path': 'crossbar[request]', 'bytes': 20000, 'packets': 7},"
    "   {'path': 'crossbar[reply]', 'bytes': 100, 'packets': 9}]}}}";

START_TEST(numbers_are_read_by_name)
{
    g_autoptr(JsonNode) result = parse(run_text);
    expect(number_of_part(result, "reply", "crossbar.packets"), 9);
    expect(number_total(result, "l1.prt.mean"), 10);
    ck_assert(isnan(number_total(result, "l1.nothing")));
    ck_assert(isnan(number_of_part(result, "other", "crossbar.packets")));
    expect(number_parameter(result, "l2_slice.data_bandwidth"), 32);
}
END_TEST

START_TEST(each_resource_has_what_it_did_and_what_it_could)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_resources(result));
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), 4);
    expect(cells_number(&cells, "l1.to_mmu", "at work or taken"), 2);
    expect(cells_number(&cells, "l1.to_mmu", "of"), 8);
    expect(cells_number(&cells, "l1.to_mmu", "used"), 25);
    expect(cells_number(&cells, "l1.to_mmu", "full"), 12.5);
    expect(cells_number(&cells, "l1.to_mmu", "refused"), 9);
    ck_assert_str_eq(cells_text(&cells, "l1.to_mmu", "what it is"), "way from l1 to mmu");
    ck_assert_str_eq(cells_text(&cells, "sm.issue_slots", "busiest"), "sm[1].issue_slots[0]");
    expect(cells_number(&cells, "sm.issue_slots", "it used"), 30);
    ck_assert_ptr_nonnull(strstr(cells_member(&cells, "note"), "1 that nothing was in"));
}
END_TEST

/* Two intervals and a half; what was not used has no row, nor has what is not told of all three. */
START_TEST(resources_over_time_are_rows_of_a_map)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_autoptr(JsonNode) profile =
        parse("{'series': {'start': 0, 'interval': 400000000, 'intervals': 3, 'span': 1000000000,"
              " 'classes': {}, 'resources': {'dram_channel': {'data_bus':"
              " {'mean': [0.5, 1, 0.25], 'most': [0.6, 1, 0.75]}},"
              " 'sm': {'issue_slots': {'mean': [0.5, 1], 'most': [0.6, 1, 0.75, 1]}}}}}");
    json_object_set_member(json_node_get_object(result), "profile", json_node_ref(profile));
    g_auto(Cells) mean = cells_of(run_resource_map(result));
    g_auto(Cells) most = cells_of(run_busiest_map(result));
    ck_assert_uint_eq(json_array_get_length(cells_rows(&mean)), 1);
    ck_assert_uint_eq(json_array_get_length(cells_rows(&most)), 1);
    expect(cells_number(&mean, "dram_channel.data_bus", "0"), 50);
    expect(cells_number(&mean, "dram_channel.data_bus", "0.4"), 100);
    expect(cells_number(&most, "dram_channel.data_bus", "0.8"), 75);
}
END_TEST

START_TEST(the_shares_are_those_of_the_verdict)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_utilisation(result));
    expect(cells_number(&cells, "DRAM bus", "used"), 90);
    expect(cells_number(&cells, "SM issue", "used"), 25);
    ck_assert_ptr_null(cells_row(&cells, "texture filter"));
}
END_TEST

START_TEST(what_binds_is_a_bar_whatever_it_is)
{
    g_auto(GStrv) parts = g_strsplit(run_text, "'dram_channel': {'data_bus'", 2);
    g_autofree char *text = g_strjoinv("'mmu': {'tlb_ports'", parts);
    g_autoptr(JsonNode) result = parse(text);
    g_auto(Cells) cells = cells_of(run_utilisation(result));
    expect(cells_number(&cells, "ports of the L2 TLB", "used"), 90);
    expect(cells_number(&cells, "SM issue", "used"), 25);
}
END_TEST

START_TEST(what_did_nothing_is_no_bar)
{
    g_auto(GStrv) parts = g_strsplit(run_text, "'use': 0.9", 2);
    g_autofree char *text = g_strconcat(parts[0], "'use': 0", parts[1], NULL);
    g_autoptr(JsonNode) result = parse(text);
    g_auto(Cells) cells = cells_of(run_utilisation(result));
    ck_assert_ptr_null(cells_row(&cells, "DRAM bus"));
    expect(cells_number(&cells, "SM issue", "used"), 25);
    ck_assert_ptr_nonnull(strstr(cells_member(&cells, "note"), "1 that did nothing"));
}
END_TEST

START_TEST(time_that_is_no_kernel_s_is_said)
{
    g_autoptr(JsonNode) result =
        parse("{'time': {'schedulers': 320, 'fs': 2000000, 'outside_fs': 15568100000, 'parts': ["
              "  {'name': 'issue', 'title': 'issue', 'kind': 'issue', 'fs': 2000000}]}}");
    g_auto(Cells) cells = cells_of(run_time_spent(result));
    ck_assert_ptr_nonnull(strstr(cells_member(&cells, "note"), "kernels another 15.6 us passed"));
}
END_TEST

/* 2 SMs x 16 = 32 000 ns of stays / 1000 ns; 2 x 10 in the table, and 19 by its stays. */
START_TEST(both_sides_of_littles_law_are_shown)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_littles_law(result));
    expect(cells_number(&cells, "sm.resident_warps", "inside, mean"), 32);
    expect(cells_number(&cells, "sm.resident_warps", "arrivals"), 0.008);
    expect(cells_number(&cells, "sm.resident_warps", "mean stay"), 4000);
    expect(cells_number(&cells, "sm.resident_warps", "arrivals x stay"), 32);
    ck_assert_str_eq(cells_text(&cells, "sm.resident_warps", "check"), "passes");
    expect(cells_number(&cells, "l1.prt", "inside, mean"), 20);
    expect(cells_number(&cells, "l1.prt", "arrivals x stay"), 19);
    expect(cells_number(&cells, "l1.prt", "difference"), -5);
    ck_assert_str_eq(cells_text(&cells, "l1.prt", "check"), "passes but for its ends");
    ck_assert_ptr_null(cells_row(&cells, "l1.registers"));
    ck_assert_ptr_nonnull(strstr(cells_member(&cells, "note"), "not empty"));
}
END_TEST

/* 19 us of stays in 1 us are 19 inside, not 20. Those inside at the ends are one at most, for
 * 0.1 us each. */
START_TEST(what_the_ends_of_a_measurement_cannot_account_for_differs)
{
    g_auto(GStrv) parts = g_strsplit(run_text, "'max': 30, 'arrivals': 5, 'stay_fs': 19", 2);
    g_autofree char *text =
        g_strconcat(parts[0], "'max': 1, 'arrivals': 190, 'stay_fs': 19", parts[1], NULL);
    g_autoptr(JsonNode) result = parse(text);
    g_auto(Cells) cells = cells_of(run_littles_law(result));
    ck_assert_str_eq(cells_text(&cells, "l1.prt", "check"), "differs");
}
END_TEST

START_TEST(what_two_units_count_is_compared)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_conservation(result, machine_unit_classes()));
    ck_assert_str_eq(cells_text(&cells, "L1's requests have replies", "check"), "passes");
    ck_assert_str_eq(cells_text(&cells, "requests arrive in L2", "check"), "differs");
    expect(cells_number(&cells, "requests arrive in L2", "one side"), 7);
    expect(cells_number(&cells, "requests arrive in L2", "other side"), 6);
    expect(cells_number(&cells, "requests arrive in L2", "difference"), 100.0 / 7);
    ck_assert_str_eq(cells_text(&cells, "requests pass the crossbar", "check"), "passes");
    ck_assert_str_eq(cells_text(&cells, "bytes from L1 to L2", "check"), "passes");
    ck_assert_str_eq(cells_text(&cells, "bytes that lanes ask for, SM and L1", "check"), "differs");
    ck_assert_ptr_null(cells_row(&cells, "translations are answered"));
    json_object_set_int_member(json_node_get_object(result_member(result, "resources.l1.to_mmu")),
                               "inside", 1);
    g_auto(Cells) ends = cells_of(run_conservation(result, machine_unit_classes()));
    ck_assert_str_eq(cells_text(&ends, "requests arrive in L2", "check"),
                     "passes but for its ends");
}
END_TEST

START_TEST(a_rule_that_does_not_hold_for_a_machine_is_left_out)
{
    g_autoptr(JsonNode) plain = parse(run_text);
    JsonObject *slice = json_node_get_object(json_object_get_member(
        json_object_get_object_member(
            json_object_get_object_member(json_node_get_object(plain), "units"), "l2_slice"),
        "total"));
    json_object_set_int_member(slice, "crossings", 3);
    g_auto(Cells) cells = cells_of(run_conservation(plain, machine_unit_classes()));
    ck_assert_ptr_null(cells_row(&cells, "requests arrive in L2"));
    ck_assert_ptr_null(cells_row(&cells, "bytes from L1 to L2"));
    ck_assert_ptr_nonnull(cells_row(&cells, "L1's requests have replies"));
}
END_TEST

START_TEST(bytes_of_shared_memory_are_not_expected_in_l1)
{
    g_autoptr(JsonNode) result = parse(run_text);
    JsonObject *l1 = json_node_get_object(result_member(result, "units.l1.total"));
    json_object_set_int_member(l1, "shared_accesses", 1);
    g_auto(Cells) cells = cells_of(run_conservation(result, machine_unit_classes()));
    ck_assert_ptr_null(cells_row(&cells, "bytes that lanes ask for, SM and L1"));
}
END_TEST

START_TEST(numbers_in_sentences_have_groups_and_no_exponent)
{
    static const struct {
        double number;
        const char *words;
    } rows[] = {{10779.6, "10,780"}, {1018, "1,018"}, {304.14, "304.1"}, {0.0123456, "0.01235"}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *words = number_words(rows[i].number);
        ck_assert_str_eq(words, rows[i].words);
    }
}
END_TEST

/* Of 2 requests: 4 ns of way and 10 of waiting. */
START_TEST(latency_is_way_and_waiting)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) cells = cells_of(run_unloaded(result));
    expect(cells_number(&cells, "load_dram", "way"), 2);
    expect(cells_number(&cells, "load_dram", "waiting"), 5);
    ck_assert_ptr_null(cells_row(&cells, "store"));
}
END_TEST

START_TEST(a_stage_that_is_called_queue_or_wait_is_waiting)
{
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (g_str_has_suffix(stage_name(stage), "_queue")
            || g_str_has_suffix(stage_name(stage), "_wait"))
            ck_assert_msg(stage_kind(stage) == STAGE_WAIT, "%s", stage_name(stage));
    ck_assert_int_eq(stage_kind(STAGE_REPLAY), STAGE_WAIT);
    ck_assert_int_eq(stage_kind(STAGE_REQUEST_WIRE), STAGE_WAY);
    ck_assert_int_eq(stage_kind(STAGE_DRAM_BUS), STAGE_WAY);
}
END_TEST

/* What the pattern `random` says of its parameter. */
static const char *random_operation(void)
{
    const WorkloadClass *const *pattern = workload_classes();
    while (strcmp((*pattern)->name, "random") != 0) pattern++;
    const Param *param = (*pattern)->params;
    while (strcmp(param->name, "operation") != 0) param++;
    return param->summary;
}

START_TEST(parameters_have_a_meaning_and_where_they_come_from)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_auto(Cells) without = cells_of(run_parameters(result));
    JsonArray *columns =
        json_object_get_array_member(json_node_get_object(without.json), "columns");
    ck_assert_uint_eq(json_array_get_length(columns), 4);
    g_autoptr(JsonNode) origins = parse("{'l1': {'prt_entries': 'platform/presets/v100.ini:7'}}");
    json_object_set_member(json_node_get_object(result), "origins", json_node_ref(origins));
    g_auto(Cells) with = cells_of(run_parameters(result));
    guint seen = 0;
    for (guint i = 0; i < json_array_get_length(cells_rows(&with)); i++) {
        JsonArray *row = cells_row_at(&with, i);
        const char *key = json_array_get_string_element(row, 1);
        if (!strcmp(key, "prt_entries")) {
            ck_assert_str_eq(json_array_get_string_element(row, 0), "l1");
            ck_assert_str_eq(json_array_get_string_element(row, 2), "40");
            ck_assert_str_eq(json_array_get_string_element(row, 3), "platform/presets/v100.ini:7");
            ck_assert_str_eq(json_array_get_string_element(row, 4), "outstanding misses");
            seen++;
        }
        if (!strcmp(key, "operation")) {
            ck_assert(json_array_get_null_element(row, 3));
            ck_assert_str_eq(json_array_get_string_element(row, 4), random_operation());
            seen++;
        }
    }
    ck_assert_uint_eq(seen, 2);
}
END_TEST

START_TEST(the_verdict_and_what_to_try_stand_first)
{
    g_autoptr(JsonNode) result = parse(run_text);
    g_autoptr(Document) document = run_page(result);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert_str_eq(lead_text(json, "Bound by"),
                     "DRAM bus (dram_channel.data_bus): busy 90 % of the time");
    ck_assert(g_str_has_prefix(lead_text(json, "Next in line"), "L1 look-up 40 %, SM issue 25 %"));
    ck_assert_ptr_nonnull(strstr(lead_text(json, "Try next"), "Vary dram.data_rate, machine."));
    ck_assert_str_eq(lead_text(json, "How much it gains"),
                     "warpmem why 'my gather.ini' --variant 'a b'");
    ck_assert_ptr_null(lead_text(json, "Partial"));
}
END_TEST

START_TEST(a_network_whose_links_are_the_bound_is_not_next_in_line)
{
    static const char links[] =
        "'crossbar[reply]': {'source_links': {'kind': 'server', 'capacity': 1, 'mean': 0.9,"
        " 'use': 0.9, 'full': 0.9}, 'destination_links': {'kind': 'server', 'capacity': 1,"
        " 'mean': 0.7, 'use': 0.7, 'full': 0.7}}, 'dram_channel': {'data_bus': {'kind': 'server',"
        " 'capacity': 1, 'mean': 0.1, 'use': 0.1, 'full': 0.1}}";
    g_autofree char *text = g_strdup_printf("{'scenario': 'few', 'resources': {%s}}", links);
    g_autoptr(JsonNode) result = parse(text);
    g_autoptr(Document) document = run_page(result);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert(g_str_has_prefix(lead_text(json, "Bound by"), "reply network's links from sources"));
    ck_assert_str_eq(lead_text(json, "Next in line"), "DRAM bus 10 %");
}
END_TEST

/* Launches that ran together cannot be asked for by the name that they have here. */
START_TEST(of_unlike_kernels_the_first_is_asked_of)
{
    static const char *const commands[] = {"warpmem why few --kernel turn", "warpmem why few"};
    for (unsigned i = 0; i < G_N_ELEMENTS(commands); i++) {
        g_autoptr(JsonNode) result =
            parse("{'file': 'few', 'variant': 'baseline', 'resources': {}, 'stages': {},"
                  " 'units': {'sm': {'total': {}}, 'l1': {}, 'crossbar': {}},"
                  " 'summary': {'load_latency_cycles': {'mean': 500.0},"
                  "  'kernels': [{'name': 'turn'}, {'name': 'sum'}]}, 'kernel_names': ["
                  "  {'name': 'turn', 'bound': 'bank conflicts', 'time_share': 0.6},"
                  "  {'name': 'sum', 'bound': 'DRAM bus', 'time_share': 0.4}]}");
        JsonArray *kernels = result_array(result, "summary.kernels");
        if (i) json_array_remove_element(kernels, 0);
        g_autoptr(Document) document = run_page(result);
        g_autoptr(JsonNode) json = document_json(document);
        ck_assert_str_eq(lead_text(json, "How much it gains"), commands[i]);
    }
}
END_TEST

START_TEST(what_takes_the_longest_of_a_latency_is_not_called_full)
{
    g_autoptr(JsonNode) result =
        parse("{'scenario': 'few', 'parameters': {'network': {'request_source_latency': '9'}},"
              " 'units': {'sm': {'total': {'slot_at_dram': 100}}, 'l1': {}, 'crossbar': {}},"
              " 'resources': {}, 'summary': {'load_latency_cycles': {'mean': 500.0}},"
              " 'stages': {'load_dram': {'latency': 100, 'request_wire': 90, 'l1_tag': 10}}}");
    g_autoptr(Document) document = run_page(result);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert(g_str_has_prefix(lead_text(json, "Bound by"), "latency: "));
    ck_assert(g_str_has_prefix(lead_text(json, "Try next"), "Nothing is full, "));
    ck_assert_ptr_nonnull(strstr(lead_text(json, "Try next"), "Vary network.request_source"));
}
END_TEST

START_TEST(parts_that_stand_still_are_not_next_in_line)
{
    g_autoptr(JsonNode) result = parse(run_text);
    JsonObject *issue = json_node_get_object(result_member(result, "resources.sm.issue_slots"));
    json_object_set_double_member(issue, "use", 0.0095);
    g_autoptr(Document) document = run_page(result);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert_ptr_nonnull(strstr(lead_text(json, "Next in line"), "L1 look-up 40 %"));
    ck_assert_ptr_null(strstr(lead_text(json, "Next in line"), "SM issue"));
}
END_TEST

/* A result of before has no file: there is no command without one. */
START_TEST(a_result_without_its_file_has_no_command)
{
    g_autoptr(JsonNode) result = parse(run_text);
    json_object_remove_member(json_node_get_object(result), "file");
    json_object_set_boolean_member(json_node_get_object(result), "partial", TRUE);
    g_autoptr(Document) document = run_page(result);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert_ptr_null(lead_text(json, "How much it gains"));
    ck_assert_ptr_nonnull(lead_text(json, "Partial"));
}
END_TEST

START_TEST(what_was_measured_stands_in_the_place_of_advice)
{
    g_autoptr(JsonNode) result = parse(run_text);
    JsonObject *object = json_node_get_object(result);
    json_object_set_member(object, "origins",
                           parse("{'l1': {'data_banks': 'gather.ini:7', 'prt_entries': 'set'}}"));
    json_object_set_member(
        object, "why",
        parse("{'layers': [{'bound': {'perfect': 'translation', 'gain': 0.22},"
              " 'doublings': [{'parameter': 'mmu.lookups_per_cycle', 'from': '4', 'to': '8',"
              "  'gain': 0.2, 'set': ['mmu.lookups_per_cycle=8']}]},"
              " {'bound': {'perfect': 'dram', 'gain': 0.7}}]}"));
    g_autoptr(Document) document = run_page(result);
    g_autoptr(JsonNode) json = document_json(document);
    ck_assert_str_eq(lead_text(json, "Bounds in layers"), "translation 22.0 %, then dram 70.0 %");
    ck_assert_str_eq(lead_text(json, "Try next"),
                     "mmu.lookups_per_cycle 4 -> 8 gains 20.0 %: warpmem run 'my gather.ini' "
                     "--variant 'a b' --set l1.prt_entries=40 --set mmu.lookups_per_cycle=8");
    ck_assert_ptr_null(lead_text(json, "How much it gains"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("report_bounds");
    tcase_add_test(cases, numbers_are_read_by_name);
    tcase_add_test(cases, each_resource_has_what_it_did_and_what_it_could);
    tcase_add_test(cases, resources_over_time_are_rows_of_a_map);
    tcase_add_test(cases, the_shares_are_those_of_the_verdict);
    tcase_add_test(cases, what_binds_is_a_bar_whatever_it_is);
    tcase_add_test(cases, what_did_nothing_is_no_bar);
    tcase_add_test(cases, time_that_is_no_kernel_s_is_said);
    tcase_add_test(cases, both_sides_of_littles_law_are_shown);
    tcase_add_test(cases, what_the_ends_of_a_measurement_cannot_account_for_differs);
    tcase_add_test(cases, what_two_units_count_is_compared);
    tcase_add_test(cases, a_rule_that_does_not_hold_for_a_machine_is_left_out);
    tcase_add_test(cases, bytes_of_shared_memory_are_not_expected_in_l1);
    tcase_add_test(cases, numbers_in_sentences_have_groups_and_no_exponent);
    tcase_add_test(cases, parts_that_stand_still_are_not_next_in_line);
    tcase_add_test(cases, latency_is_way_and_waiting);
    tcase_add_test(cases, a_stage_that_is_called_queue_or_wait_is_waiting);
    tcase_add_test(cases, parameters_have_a_meaning_and_where_they_come_from);
    tcase_add_test(cases, what_takes_the_longest_of_a_latency_is_not_called_full);
    tcase_add_test(cases, the_verdict_and_what_to_try_stand_first);
    tcase_add_test(cases, a_network_whose_links_are_the_bound_is_not_next_in_line);
    tcase_add_test(cases, of_unlike_kernels_the_first_is_asked_of);
    tcase_add_test(cases, a_result_without_its_file_has_no_command);
    tcase_add_test(cases, what_was_measured_stands_in_the_place_of_advice);
    Suite *suite = suite_create("report_bounds");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
