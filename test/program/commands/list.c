/* `list WHAT --json`: all that `explain` knows, so that a program can build an editor on it. */
#include "rigs/harness.h"
#include "rigs/program.h"

/* The list, newly allocated. */
static JsonNode *listed(const char *what)
{
    g_autofree char *arguments = g_strdup_printf("list %s --json", what);
    const Outcome outcome = warpmem(NULL, arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", arguments, outcome.errors);
    JsonNode *list = json_from_string(outcome.out, NULL);
    ck_assert_msg(list && JSON_NODE_HOLDS_ARRAY(list), "%s", outcome.out);
    return list;
}

static const char *text_in(JsonObject *row, const char *name)
{
    return json_object_get_string_member_with_default(row, name, NULL);
}

static JsonObject *row_of(JsonNode *list, const char *name)
{
    JsonArray *rows = json_node_get_array(list);
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        if (!g_strcmp0(text_in(row, "name"), name)) return row;
    }
    ck_abort_msg("no row '%s'", name);
    return NULL;
}

START_TEST(a_quantity_has_its_range_in_one_unit)
{
    g_autoptr(JsonNode) list = listed("parameters");
    JsonArray *rows = json_node_get_array(list);
    guint quantities = 0;
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        const char *name = text_in(row, "name");
        ck_assert_msg(text_in(row, "key") && text_in(row, "type") && text_in(row, "default")
                          && text_in(row, "allowed") && text_in(row, "summary"),
                      "%s", name);
        if (!json_object_has_member(row, "default_number")) continue;
        const double least = json_object_get_double_member(row, "minimum"),
                     most = json_object_get_double_member(row, "maximum"),
                     own = json_object_get_double_member(row, "default_number");
        ck_assert_msg(least <= own && own <= most, "%s: %g, %g, %g", name, least, own, most);
        quantities++;
    }
    ck_assert_uint_gt(quantities, 500);
    JsonObject *clock = row_of(list, "machine.core_clock");
    ck_assert_str_eq(text_in(clock, "type"), "frequency");
    ck_assert_str_eq(text_in(clock, "unit"), "Hz");
    ck_assert_str_eq(text_in(clock, "default"), "1380 MHz");
    ck_assert_int_eq(json_object_get_int_member(clock, "default_number"), 1380000000);
    ck_assert_int_eq(json_object_get_int_member(clock, "minimum"), 1000000);
    ck_assert_str_eq(json_array_get_string_element(json_object_get_array_member(clock, "units"), 2),
                     "MHz");
}
END_TEST

START_TEST(a_choice_has_its_words_and_a_parameter_its_key_and_conditions)
{
    g_autoptr(JsonNode) list = listed("parameters");
    JsonArray *choices = json_object_get_array_member(row_of(list, "l1.replacement"), "choices");
    ck_assert_str_eq(json_array_get_string_element(choices, 0), "lru");
    JsonArray *switched = json_object_get_array_member(row_of(list, "l1.overlap"), "choices");
    ck_assert_uint_eq(json_array_get_length(switched), 2);
    ck_assert_str_eq(text_in(row_of(list, "stream.array_bytes"), "key"), "workload.array_bytes");
    ck_assert_str_eq(text_in(row_of(list, "link.removed"), "key"), "link NAME.removed");
    ck_assert_str_eq(text_in(row_of(list, "array.bytes"), "key"), "array NAME.bytes");
    ck_assert_str_eq(text_in(row_of(list, "l2_slice.store_queue_threshold"), "only_if"),
                     "l2_slice.written_data = store_queue");
    JsonArray *roles = json_object_get_array_member(row_of(list, "l1.prt_entries"), "perfect");
    ck_assert_str_eq(text_in(json_array_get_object_element(roles, 0), "value"), ">= 16384");
}
END_TEST

static const struct {
    const char *list, *row, *member, *text;
} members[] = {
    {"statistics", "l1.stages_load_dram", "kind", "latency by stage"},
    {"resources", "l1.prt", "capacity", "l1.prt_entries"},
    {"resources", "l1.prt", "path", "resources.l1.prt"},
    {"resources", "l1.to_mmu", "capacity", "channels.mmu_input_queue"},
    {"resources", "mmu.tlb_ports", "unit", "look-ups"},
    {"channels", "l1.to_mmu", "to", "mmu.from_l1"},
    {"units", "l1", "path", "sm[..].l1"},
    {"results", "dram_gbps", "unit", "GB/s"},
    {"results", "dram_gbps", "better", "higher"},
    {"results", "dram_gbps", "path", "summary.dram.bandwidth_gbps"},
    {"classes", "load_dram", "counted_by", "l1.stages_load_dram"},
    {"storage", "l1.prt_bits", "path", "storage.units.l1.prt_bits"},
    {"figures", "hottest_lines", "title", "Hottest lines"},
    {"presets", "v100", "summary", "NVIDIA Tesla V100"},
};

START_TEST(a_row_says_what_explain_says)
{
    g_autoptr(JsonNode) list = listed(members[_i].list);
    ck_assert_str_eq(text_in(row_of(list, members[_i].row), members[_i].member), members[_i].text);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("list"), *repeating = tcase_create("members");
    tcase_add_test(cases, a_quantity_has_its_range_in_one_unit);
    tcase_add_test(cases, a_choice_has_its_words_and_a_parameter_its_key_and_conditions);
    tcase_add_loop_test(repeating, a_row_says_what_explain_says, 0, G_N_ELEMENTS(members));
    return harness_run_repeating("list", cases, repeating);
}
