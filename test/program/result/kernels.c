/* What a result tells of single kernels. */
#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"

#include <string.h>

static JsonNode *read_result(const char *folder)
{
    g_autofree char *text = result_text(folder, "baseline");
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_data(parser, text, -1, NULL));
    return json_parser_steal_root(parser);
}

static JsonArray *list_of(JsonNode *result, const char *member)
{
    JsonObject *object = json_node_get_object(result);
    ck_assert_msg(json_object_has_member(object, member), "no %s", member);
    return json_object_get_array_member(object, member);
}

START_TEST(five_unlike_kernels_have_five_different_bounds)
{
    static const char *const bounds[] = {"DRAM bus", "reply network's links from sources",
                                         "bank conflicts", "turns on words", "address generation"};
    char *folder = ran("five-kernels");
    g_autoptr(JsonNode) result = read_result(folder);
    JsonArray *kernels = list_of(result, "kernels");
    ck_assert_uint_eq(json_array_get_length(kernels), G_N_ELEMENTS(bounds));
    for (guint i = 0; i < G_N_ELEMENTS(bounds); i++) {
        JsonObject *kernel = json_array_get_object_element(kernels, i);
        ck_assert_str_eq(json_object_get_string_member(kernel, "bound"), bounds[i]);
        ck_assert(json_object_has_member(kernel, "units"));
    }
    /* the data array behind them is as busy: a faster unit gains more than an L1 */
    const char *product = json_object_get_string_member(
        json_array_get_object_element(kernels, G_N_ELEMENTS(bounds) - 1), "verdict");
    ck_assert_msg(strstr(product, "; and L1 data (l1.data_array)") != NULL, "%s", product);
    ck_assert(!json_object_has_member(json_node_get_object(result), "kernel_rows"));
    temporary_remove(folder);
}
END_TEST

START_TEST(kernels_are_the_same_bytes_in_every_deployment)
{
    static const char *const deployments[] = {"sm", "unit"};
    char *folder = ran("five-kernels");
    g_autofree char *expected = result_text(folder, "baseline");
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
        g_autofree char *arguments =
            g_strconcat("five-kernels --set simulation.deployment=", deployments[i], NULL);
        char *other = ran(arguments);
        g_autofree char *text = result_text(other, "baseline");
        ck_assert_msg(!strcmp(text, expected), "%s differs", deployments[i]);
        temporary_remove(other);
    }
    temporary_remove(folder);
}
END_TEST

/* --- long lists ------------------------------------------------------------------------------- */

static char *write_list(const char *folder, guint launches)
{
    char *path = g_build_filename(folder, "list.ini", NULL);
    g_autofree char *text = g_strdup_printf(
        "[scenario]\ntitle = Many\nextends = v100\n[machine]\nsms = 1\npartitions = 1\n"
        "peak_bandwidth_gbps = 0\n[workload]\npattern = stream\noperation = copy\n"
        "array_bytes = 512 B\nthreads_per_cta = 32\nlaunches = %u\n",
        launches);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static JsonNode *run_list(guint launches, gsize *bytes)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_list(folder, launches);
    run(folder, path);
    g_autofree char *text = result_text(folder, "baseline");
    *bytes = strlen(text);
    JsonNode *result = read_result(folder);
    temporary_remove(folder);
    return result;
}

enum { MANY = 10000, KEPT = 24, BYTES_OF_A_ROW = 250, BYTES_OF_THE_REST = 4000000 };

START_TEST(of_very_many_launches_each_has_a_row_and_the_longest_have_all)
{
    gsize bytes;
    g_autoptr(JsonNode) result = run_list(MANY, &bytes);
    JsonObject *rows = json_object_get_object_member(json_node_get_object(result), "kernel_rows");
    const guint columns = json_array_get_length(json_object_get_array_member(rows, "columns"));
    JsonArray *lines = json_object_get_array_member(rows, "rows");
    ck_assert_uint_eq(json_array_get_length(lines), MANY);
    for (guint i = 0; i < MANY; i++) {
        JsonArray *line = json_array_get_array_element(lines, i);
        ck_assert_uint_eq(json_array_get_length(line), columns);
        ck_assert_int_eq(json_array_get_int_element(line, 1), i + 1);
        ck_assert_str_ne(json_array_get_string_element(line, 6), "");
    }
    ck_assert_uint_eq(json_array_get_length(list_of(result, "kernels")), KEPT);
    ck_assert_uint_eq(json_array_get_length(list_of(result, "kernel_names")), 1);
    ck_assert_uint_lt(bytes, MANY * BYTES_OF_A_ROW + BYTES_OF_THE_REST);
}
END_TEST

START_TEST(one_kernel_is_not_told_twice)
{
    gsize bytes;
    g_autoptr(JsonNode) result = run_list(1, &bytes);
    ck_assert(!json_object_has_member(json_node_get_object(result), "kernels"));
    ck_assert(!json_object_has_member(json_node_get_object(result), "kernel_names"));
}
END_TEST

/* --- what is not measured --------------------------------------------------------------------- */

#define KERNEL(name, more, loads)                                                                  \
    "[kernel " name "]\npattern = program\nctas = 2\nthreads_per_cta = 64\n" more                  \
    "code =\n  global a[65536]\n" loads

static const char with_one_between[] =
    "[scenario]\ntitle = Between\nextends = v100\n[machine]\nsms = 2\npartitions = 1\n"
    "peak_bandwidth_gbps = 0\n[workload]\nsequence = few, many, few\n" KERNEL(
        "few", "", "  x = load a[thread]\n")
        KERNEL("many", "measure = no\n",
               "  for i in 0..50 { x = load a[(i * 8 + cta) * 64 + thread] }\n");

START_TEST(a_launch_that_is_not_measured_is_in_no_sum)
{
    enum { WARPS = 2 * 2, LAUNCHES = 2, INSTRUCTIONS = 2 /* a load and the end */, LOADS = 50 };
    static const char counted[] = "units.sm.total.warp_instructions";
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "between.ini", with_one_between),
                    *apart = g_strconcat("kernel_rest.unmeasured.", counted, NULL);
    run(folder, file);
    ck_assert_double_eq(summary_of(folder, "baseline", "warp_instructions"),
                        LAUNCHES * WARPS * INSTRUCTIONS);
    ck_assert_double_eq(result_number(folder, "baseline", counted),
                        LAUNCHES * WARPS * INSTRUCTIONS);
    ck_assert_double_eq(result_number(folder, "baseline", apart), WARPS * (LOADS + 1));
    ck_assert_double_eq_tol(result_number(folder, "baseline", "time.fs") * 1e-6,
                            summary_of(folder, "baseline", "time_ns"), 1e-5);
    temporary_remove(folder);
}
END_TEST

static const char with_one_beside[] =
    "[scenario]\ntitle = Beside\nextends = v100\n[machine]\nsms = 2\npartitions = 1\n"
    "peak_bandwidth_gbps = 0\n[workload]\nsequence = few, many\nkernels = 1 in place\n" KERNEL(
        "few", "", "  x = load a[thread]\n")
        KERNEL("many", "concurrent = yes\n",
               "  for i in 0..50 { x = load a[(i * 8 + cta) * 64 + thread] }\n");

START_TEST(a_launch_that_ran_beside_a_measured_one_is_said_to_be_counted)
{
    char *folder = temporary_folder();
    g_free(temporary_file(folder, "beside.ini", with_one_beside));
    const Outcome whole = warpmem(folder, "run beside.ini -o results");
    ck_assert_msg(strstr(whole.out, "ran beside and is counted with them"), "%s", whole.out);
    ck_assert_msg(strstr(whole.out, "many   beside"), "%s", whole.out);
    ck_assert_msg(strstr(whole.out, "beside: not measured itself"), "%s", whole.out);
    g_autofree char *results = g_build_filename(folder, "results", NULL);
    ck_assert_double_gt(summary_of(results, "baseline", "warp_instructions"), 2 * 2 * 2);
    ck_assert_double_eq_tol(result_number(results, "baseline", "time.fs") * 1e-6,
                            summary_of(results, "baseline", "time_ns"), 50);
    temporary_remove(folder);
}
END_TEST

/* Of 30 dependent loads, on its SM for nearly all of the time: that others are idle is no news of
 * the name either, whose launches are not told one by one. */
START_TEST(launches_of_one_cta_have_the_verdict_of_their_name)
{
    static const char often[] =
        "[scenario]\ntitle = Often\nextends = v100\n[machine]\nsms = 2\npartitions = 1\n"
        "peak_bandwidth_gbps = 0\n[workload]\npattern = program\nctas = 1\n"
        "threads_per_cta = 32\nlaunches = 2\ncode =\n  global a[65536]\n  x = int\n"
        "  for i in 0..30 { x = load a[(i * 999 + lane) % 65536], x }\n";
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "often.ini", often);
    run(folder, file);
    g_autoptr(JsonNode) result = read_result(folder);
    static const char *const members[] = {"kernels", "kernel_names"};
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        JsonObject *entry = json_array_get_object_element(list_of(result, members[i]), 0);
        ck_assert_str_eq(json_object_get_string_member(entry, "bound"), "latency");
    }
    temporary_remove(folder);
}
END_TEST

/* One router is all slices': it sends to no neighbour, and packets wait for its exits. */
START_TEST(what_routers_refuse_is_the_sum_of_kernels_where_one_has_no_links)
{
    static const char twice[] =
        "[scenario]\nextends = gcn\n[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
        "[workload]\npattern = random\nctas = 6\nthreads_per_cta = 64\niterations = 3\n"
        "footprint = 8 KiB\noperation = atomic\nlaunches = 2\n";
    static const char links[] = "resources.router[request].links.refused";
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "twice.ini", twice),
                    *first = g_strconcat("kernels.0.", links, NULL),
                    *second = g_strconcat("kernels.1.", links, NULL);
    run(folder, file);
    /* router[request][1], behind the replies' [0] */
    ck_assert_double_gt(result_number(folder, "baseline", "units.router.instances.2.waited"), 0);
    ck_assert_double_eq(result_number(folder, "baseline", links),
                        result_number(folder, "baseline", first)
                            + result_number(folder, "baseline", second));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("kernels");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, five_unlike_kernels_have_five_different_bounds);
    tcase_add_test(cases, kernels_are_the_same_bytes_in_every_deployment);
    tcase_add_test(cases, of_very_many_launches_each_has_a_row_and_the_longest_have_all);
    tcase_add_test(cases, one_kernel_is_not_told_twice);
    tcase_add_test(cases, a_launch_that_is_not_measured_is_in_no_sum);
    tcase_add_test(cases, a_launch_that_ran_beside_a_measured_one_is_said_to_be_counted);
    tcase_add_test(cases, launches_of_one_cta_have_the_verdict_of_their_name);
    tcase_add_test(cases, what_routers_refuse_is_the_sum_of_kernels_where_one_has_no_links);
    Suite *suite = suite_create("kernels");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
