/* What a run's report says to try next where nothing was tried. */
#include "scenarios/program/report/run/advice.h"

#include "platform/machine/machine.h"
#include "rigs/harness.h"
#include "scenarios/program/language/vocabulary.h"

static gboolean is_parameter(const GPtrArray *words, const char *name)
{
    for (guint i = 0; i < words->len; i++) {
        const Word *word = words->pdata[i];
        if (word->kind == WORD_PARAMETER && word_is_called(word, name)) return TRUE;
    }
    return FALSE;
}

static const char *component_of(const UnitClass *class, const ResourceRow *row)
{
    const Param *capacity = class_find_capacity(class, row);
    if (row->component) return row->component;
    return capacity && capacity->perfect ? capacity->perfect->component : NULL;
}

START_TEST(advice_names_what_can_be_built_and_once)
{
    g_autofree char *keys = advice_keys("request_network", NULL, NULL);
    ck_assert_str_eq(keys, "network.request_source_latency, "
                           "network.request_destination_latency, channels.l1_to_coalescer, "
                           "channels.coalescer_input_queue, request_coalescer.entries");
}
END_TEST

START_TEST(advice_leaves_out_what_the_machine_has_not)
{
    static const struct {
        const char *coalescers, *more;
    } machines[] = {{"0", ""}, {"8", ", channels.l1_to_coalescer"}};
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
        g_autofree char *text = g_strdup_printf(
            "{'parameters': {'machine': {'request_coalescers': '%s'}, 'network':"
            " {'request_source_latency': '9 cycles'}, 'channels': {'l1_to_coalescer': '4 cycles'},"
            " 'router': {'buffers': '8'}}, 'units': {'l1': {}, 'request_coalescer': {},"
            " 'crossbar': {}}}",
            machines[i].coalescers);
        g_autoptr(JsonNode) result = json_from_string(g_strdelimit(text, "'", '"'), NULL);
        g_autofree char *keys = advice_keys("request_network", NULL, result);
        g_autofree char *wanted =
            g_strconcat("network.request_source_latency", machines[i].more, NULL);
        ck_assert_str_eq(keys, wanted);
    }
}
END_TEST

/* Of slices one has all the work; of SMs, that is no matter of addresses. */
START_TEST(advice_spreads_addresses_where_one_slice_has_the_work)
{
    static const struct {
        const char *unit, *busiest;
        bool camped;
        double most;
    } machines[] = {{"l2_slice", "partition[0].slice[1].read_ports", true, 0.99},
                    {"l2_slice", "partition[0].slice[1].read_ports", false, 0.12},
                    {"l1", "sm[3].l1.data_array", false, 0.99}};
    for (guint i = 0; i < G_N_ELEMENTS(machines); i++) {
        g_autofree char *text = g_strdup_printf(
            "{'parameters': {'address_map': {'hash': 'none', 'granularity': '256 B'}},"
            " 'units': {'%s': {}}, 'resources': {'%s': {'%s': {'server': true, 'capacity': 1,"
            " 'mean': 0.1, 'use': 0.1, 'full': 0.1, 'busiest': {'path': '%s', 'use': %g,"
            " 'full': %g}}}}}",
            machines[i].unit, machines[i].unit, strrchr(machines[i].busiest, '.') + 1,
            machines[i].busiest, machines[i].most, machines[i].most);
        g_autoptr(JsonNode) result = json_from_string(g_strdelimit(text, "'", '"'), NULL);
        g_autoptr(GPtrArray) list = pressure_list(result);
        ck_assert_uint_eq(list->len, 1);
        g_autofree char *keys = advice_keys("l2_bandwidth", list->pdata[0], result);
        ck_assert_int_eq(advice_of(list->pdata[0]) != NULL, machines[i].camped);
        ck_assert_int_eq(g_str_has_prefix(keys, "address_map.granularity, address_map.hash"),
                         machines[i].camped);
    }
}
END_TEST

/* What each resource would have to be to bound nothing is known, and there is more to say of what
 * has a headline. */
START_TEST(there_is_advice_for_each_bound_and_its_words_exist)
{
    g_autoptr(GPtrArray) words = vocabulary_new();
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const ResourceRow *row = (*class)->resources; row && row->name; row++) {
            const char *component = component_of(*class, row);
            if (!row->headline || (*class)->place == PLACE_NETWORK) continue;
            ck_assert_msg(component && advice_find(component), "%s.%s", (*class)->name, row->name);
            g_autofree char *all = advice_keys(component, NULL, NULL);
            g_auto(GStrv) keys = g_strsplit(all, ", ", -1);
            ck_assert_msg(*keys && **keys, "%s", component);
            for (char **key = keys; *key; key++)
                ck_assert_msg(is_parameter(words, *key), "%s", *key);
        }
    ck_assert_ptr_nonnull(advice_find("occupancy"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("report_advice");
    tcase_add_test(cases, advice_names_what_can_be_built_and_once);
    tcase_add_test(cases, advice_leaves_out_what_the_machine_has_not);
    tcase_add_test(cases, advice_spreads_addresses_where_one_slice_has_the_work);
    tcase_add_test(cases, there_is_advice_for_each_bound_and_its_words_exist);
    return harness_run_cases("report_advice", cases);
}
