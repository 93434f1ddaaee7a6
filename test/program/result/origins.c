/* Where result.json says that values come from. */
#include "rigs/harness.h"
#include "rigs/program.h"

/* Lines are counted: sms in 5, ctas in 9, the variant's in 13. */
static const char scenario[] = "[scenario]\n"
                               "title = Origins\n"
                               "extends = v100\n"
                               "[machine]\n"
                               "sms = 2\n"
                               "peak_bandwidth_gbps = 0\n"
                               "[workload]\n"
                               "pattern = random\n"
                               "ctas = 2\n"
                               "iterations = 2\n"
                               "footprint = 64 KiB\n"
                               "[variant fewer]\n"
                               "workload.iterations = 1\n";

static const char *origin(JsonNode *result, const char *group, const char *key)
{
    JsonObject *origins = json_object_get_object_member(json_node_get_object(result), "origins");
    return json_object_get_string_member(json_object_get_object_member(origins, group), key);
}

static void run(const char *folder, const char *arguments)
{
    const Outcome outcome = warpmem(folder, arguments);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
}

START_TEST(each_value_says_which_line_it_came_from)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", scenario);
    run(folder, "run small.ini -q -o out --set l1.prt_entries=8 --set dram.part=hbm2_p100");
    g_autoptr(JsonNode) baseline = json_file(folder, "out/baseline/result.json");
    g_autoptr(JsonNode) fewer = json_file(folder, "out/fewer/result.json");
    ck_assert_str_eq(origin(baseline, "machine", "sms"), "small.ini:5");
    ck_assert_str_eq(origin(baseline, "workload", "ctas"), "small.ini:9");
    ck_assert_str_eq(origin(baseline, "workload", "iterations"), "small.ini:10");
    ck_assert_str_eq(origin(fewer, "workload", "iterations"), "small.ini:13");
    ck_assert_str_eq(origin(baseline, "workload", "operation"), "default");
    ck_assert_str_eq(origin(baseline, "l1", "prt_entries"), "set");
    ck_assert_str_eq(origin(baseline, "dram", "part"), "set");
    ck_assert(
        g_str_has_prefix(origin(baseline, "l2_slice", "capacity"), "platform/presets/v100.ini:"));
    ck_assert(g_str_has_prefix(origin(baseline, "dram", "CL"), "platform/dram/hbm2_p100.ini:"));
    temporary_remove(folder);
}
END_TEST

static guint count_members(JsonNode *result, const char *member)
{
    JsonObject *groups = json_object_get_object_member(json_node_get_object(result), member);
    g_autoptr(GList) names = json_object_get_members(groups);
    guint count = 0;
    for (GList *name = names; name; name = name->next)
        count += json_object_get_size(json_object_get_object_member(groups, name->data));
    return count;
}

START_TEST(every_parameter_has_an_origin)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", scenario);
    run(folder, "run small.ini -q -o out");
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    ck_assert_uint_gt(count_members(result, "parameters"), 200);
    ck_assert_uint_eq(count_members(result, "parameters"), count_members(result, "origins"));
    temporary_remove(folder);
}
END_TEST

START_TEST(the_folder_of_the_scenario_is_in_no_result)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", scenario);
    g_autofree char *below = g_build_filename(folder, "below", NULL);
    ck_assert_int_eq(g_mkdir(below, 0700), 0);
    run(folder, "run small.ini -q -o near");
    run(below, "run ../small.ini -q -o ../far");
    g_autofree char *near = contents(folder, "near/baseline/result.json");
    g_autofree char *far = contents(folder, "far/baseline/result.json");
    ck_assert_str_eq(near, far);
    temporary_remove(folder);
}
END_TEST

/* The one result that a study has kept. */
static char *kept_result(const char *folder)
{
    g_autofree char *results = g_build_filename(folder, "study", "results", NULL);
    g_autoptr(GDir) names = g_dir_open(results, 0, NULL);
    const char *name = names ? g_dir_read_name(names) : NULL;
    ck_assert_ptr_nonnull(name);
    g_autofree char *point = g_build_filename(results, name, NULL);
    return contents(point, "result.json");
}

static const struct {
    const char *dimension, *sets;
} points[] = {
    {"l1.prt_entries = 8", "--set l1.prt_entries=8"},
    {"dram.part = hbm2_p100", "--set dram.part=hbm2_p100"},
    {"workload.pattern = strided", "--set workload.pattern=strided"},
    {"replications = 1", ""},
};

START_TEST(a_point_that_is_kept_is_what_run_with_its_values_set_says)
{
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(scenario, "[study]\n", points[_i].dimension, "\n", NULL);
    g_autofree char *file = temporary_file(folder, "small.ini", text);
    g_autofree char *arguments = g_strconcat("run small.ini -q -o out ", points[_i].sets, NULL);
    run(folder, "study plan small.ini -o study");
    run(folder, "study run study -q --keep-results");
    run(folder, arguments);
    g_autofree char *kept = kept_result(folder);
    g_autofree char *own = contents(folder, "out/baseline/result.json");
    ck_assert_str_eq(kept, own);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("origins");
    tcase_add_test(cases, each_value_says_which_line_it_came_from);
    tcase_add_test(cases, every_parameter_has_an_origin);
    tcase_add_test(cases, the_folder_of_the_scenario_is_in_no_result);
    tcase_add_loop_test(cases, a_point_that_is_kept_is_what_run_with_its_values_set_says, 0,
                        G_N_ELEMENTS(points));
    return harness_run_cases("origins", cases);
}
