/* Two results kernel by kernel. */
#include "scenarios/program/compare/kernel_changes.h"

#include <string.h>

#include "program/report/figure_cells.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/report/comparison/comparison.h"
#include "scenarios/program/result/result.h"

/* --- which belong together -------------------------------------------------------------------- */

#define KERNEL(name, launch, time) "{'name':'" name "','launch':" launch ",'time_ns':" time "}"
#define NAME(name, launches, time) "{'name':'" name "','launches':" launches ",'time_ns':" time "}"

static const struct {
    const char *before, *after;
    const char *pairs; /* name, number and times */
} rows[] = {
    {"{'kernels':[" KERNEL("a", "1", "10") "," KERNEL("b", "2", "20") "," KERNEL("a", "3",
                                                                                 "30") "]}",
     "{'kernels':[" KERNEL("b", "1", "21") "," KERNEL("a", "2", "11") "," KERNEL("a", "4",
                                                                                 "31") "]}",
     "a 1 10 11; b 2 20 21; a 3 30 31; "},
    {"{'kernels':[" KERNEL("a", "1", "10") "," KERNEL("b", "2", "20") "]}",
     "{'kernels':[" KERNEL("c", "1", "5") "," KERNEL("a", "2", "11") "]}",
     "a 1 10 11; b 2 20 -; c 1 - 5; "},
    /* only 3 ran: not the first of that name, but the second */
    {"{'kernels':[" KERNEL("a", "1", "10") "," KERNEL("a", "3", "30") "]}",
     "{'summary':{'chosen':{'kernels':'3','of':3}},'kernels':[" KERNEL("a", "3", "31") "]}",
     "a 1 10 -; a 3 30 31; "},
    /* the first of that name runs beside another one */
    {"{'kernels':[" KERNEL("a", "1", "10") "," KERNEL("b", "2", "20") "," KERNEL("a", "3",
                                                                                 "30") "]}",
     "{'kernels':[" KERNEL("a + b", "1", "25") "," KERNEL("a", "3", "31") "]}",
     "a 1 10 -; b 2 20 -; a 3 30 31; a + b 1 - 25; "},
    /* not every launch is told of, so names are compared */
    {"{'kernels':[" KERNEL("a", "3", "30") "],'kernel_names':[" NAME("a", "40", "90") "]}",
     "{'kernels':[" KERNEL("a", "7", "31") "],'kernel_names':[" NAME("a", "40", "91") "]}",
     "a 0 90 91; "},
    {"{}", "{'kernels':[]}", ""},
};

static void append_time(GString *text, JsonNode *kernel, const char *end)
{
    if (kernel)
        g_string_append_printf(text, "%.0f", result_number(kernel, "time_ns"));
    else
        g_string_append_c(text, '-');
    g_string_append(text, end);
}

START_TEST(kernels_are_matched_by_name_and_number_or_order)
{
    g_autoptr(JsonNode) before = parse(rows[_i].before), after = parse(rows[_i].after);
    g_autoptr(GArray) pairs = kernel_pairs(before, after);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < pairs->len; i++) {
        const KernelPair *pair = &g_array_index(pairs, KernelPair, i);
        g_string_append_printf(text, "%s %u ", pair->name, pair->number);
        append_time(text, pair->before, " ");
        append_time(text, pair->after, "; ");
    }
    ck_assert_str_eq(text->str, rows[_i].pairs);
}
END_TEST

/* Of 10 ns more all are b's. */
START_TEST(a_page_has_a_row_of_each_pair)
{
    g_autoptr(JsonNode)
        before = parse("{'variant':'one','summary':{'time_ns':30},'kernels':[" KERNEL(
            "a", "1", "10") "," KERNEL("b", "2", "20") "]}"),
        after = parse("{'variant':'two','summary':{'time_ns':40},'kernels':[" KERNEL(
            "a", "1", "10") "," KERNEL("b", "2", "30") "]}");
    JsonNode *const results[] = {before, after};
    const Comparison comparison = {results, NULL, 2};
    g_auto(Cells) cells = cells_of(comparison_kernels(&comparison));
    ck_assert_uint_eq(json_array_get_length(cells_rows(&cells)), 2);
    JsonArray *row = cells_row_at(&cells, 1);
    ck_assert_str_eq(json_array_get_string_element(row, 1), "b");
    ck_assert_double_eq_tol(json_array_get_double_element(row, cells_column(&cells, "change")), 50,
                            1e-9);
    ck_assert_double_eq_tol(
        json_array_get_double_element(row, cells_column(&cells, "of the whole change")), 100, 1e-9);
}
END_TEST

/* --- as users see it -------------------------------------------------------------------------- */

/* The second one's time is twice as long with half of the SMs, the first one's is the same. */
static const char two[] =
    "[scenario]\ntitle = Two\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\nsequence = small, large\n"
    "[kernel small]\npattern = random\nctas = 1\n"
    "[kernel large]\npattern = stream\noperation = init\nindex_instructions = 255\n"
    "array_bytes = 128 KiB\n"
    "[variant half]\nmachine.sms = 1\n";

static char *run_two(void)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "two.ini", two);
    ck_assert_int_eq(warpmem(folder, "run two.ini -q -o out").status, 0);
    return folder;
}

START_TEST(a_table_says_which_kernel_the_change_is_of)
{
    char *folder = run_two();
    Outcome outcome = warpmem(folder, "compare out");
    const char *table = strstr(outcome.out, "kernel by kernel  launch");
    ck_assert_msg(table, "%s", outcome.out);
    ck_assert_ptr_nonnull(strstr(table, "      stream init          2"));
    ck_assert(strstr(table, "stream init") < strstr(table, "random"));
    outcome = warpmem(folder, "compare out --kernel *a*m*");
    ck_assert_ptr_nonnull(strstr(outcome.out, "stream init          2"));
    temporary_remove(folder);
}
END_TEST

/* Also without a result in a file: what is printed has come from another process. */
START_TEST(a_run_prints_of_each_kernel_what_its_result_tells)
{
    char *folder = run_two();
    g_autoptr(JsonNode) whole = json_file(folder, "out/baseline/result.json");
    JsonArray *kernels = json_node_get_array(result_member(whole, "kernels"));
    Outcome outcome = warpmem(folder, "run two.ini --variant baseline");
    const char *line = strstr(outcome.out, "kernel by kernel  launch");
    ck_assert_msg(line, "%s", outcome.out);
    for (guint i = 0; i < 2; i++) {
        JsonNode *kernel = json_array_get_element(kernels, i);
        g_autofree char *share =
                            g_strdup_printf("%.1f %%", result_number(kernel, "time_share") * 100),
                        *end = g_strdup_printf("%.3f  %s\n",
                                               result_number(kernel, "instructions_per_cycle"),
                                               result_text(kernel, "bound"));
        line = strstr(line, result_text(kernel, "name"));
        ck_assert_msg(line && strstr(line, share) && strstr(line, end), "%s", outcome.out);
    }
    temporary_remove(folder);
}
END_TEST

/* Members of the kernel are those of the result. */
START_TEST(a_kernel_alone_is_compared_and_reported_as_a_run_is)
{
    char *folder = run_two();
    g_autoptr(JsonNode) whole = json_file(folder, "out/half/result.json");
    JsonArray *kernels = json_node_get_array(result_member(whole, "kernels"));
    const double time = result_number(json_array_get_element(kernels, 1), "summary.time_ns");
    const Outcome outcome = warpmem(folder, "compare out --kernel stream* --json");
    g_autoptr(JsonNode) json = json_from_string(outcome.out, NULL);
    JsonNode *half = json_array_get_element(json_node_get_array(json), 1);
    ck_assert_str_eq(result_text(half, "name"), "half/stream init");
    ck_assert_double_eq(result_number(half, "summary.time_ns"), time);
    const Outcome page = warpmem(folder, "report out/half --kernel stream* --json");
    ck_assert_int_eq(page.status, 0);
    ck_assert_ptr_nonnull(strstr(page.out, "half/stream init"));
    ck_assert_ptr_null(strstr(page.out, "bandwidth_over_time"));
    temporary_remove(folder);
}
END_TEST

START_TEST(shares_of_the_change_are_all_of_it)
{
    char *folder = run_two();
    const Outcome outcome = warpmem(folder, "compare out --json");
    g_autoptr(JsonNode) json = json_from_string(outcome.out, NULL);
    JsonNode *half = json_array_get_element(json_node_get_array(json), 1);
    JsonArray *kernels = json_node_get_array(result_member(half, "kernels"));
    double sum = 0;
    for (guint i = 0; i < json_array_get_length(kernels); i++)
        sum += result_number(json_array_get_element(kernels, i), "share_of_change");
    ck_assert_uint_eq(json_array_get_length(kernels), 2);
    ck_assert_double_eq_tol(sum, 1, 1e-9);
    temporary_remove(folder);
}
END_TEST

/* Of 40 kernels the last, which takes longest, has all that a run has. */
START_TEST(of_a_long_list_names_are_compared)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "two.ini", two);
    static const char *const run = "run two.ini -q -o out --set 'kernel small.launches=39'";
    ck_assert_int_eq(warpmem(folder, run).status, 0);
    Outcome outcome = warpmem(folder, "compare out");
    ck_assert_ptr_nonnull(strstr(outcome.out, "      random                   "));
    outcome = warpmem(folder, "compare out --kernels 40");
    ck_assert_ptr_nonnull(strstr(outcome.out, "half/stream init"));
    outcome = warpmem(folder, "compare out --kernels 41");
    ck_assert_ptr_nonnull(strstr(outcome.errors, "'41' is none of the kernels 1 to 40"));
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *arguments;
    int status;
    const char *errors;
} limits[] = {
    {"compare out --fail-over 20", 1, "half against baseline: time_ns"},
    {"compare out --fail-over 20 --kernel random", 0, ""},
    {"compare out --fail-over 20 --kernel '*'", 1,
     "half, kernel 2, stream init against baseline, kernel 2, stream init: time_ns"},
    {"compare out --fail-over 20 --kernels 2", 1, "half/stream init against baseline/stream init:"},
    {"compare out --kernels 3", 2, "'3' is none of the kernels 1 to 2"},
    {"compare out --kernel ramdom", 2,
     "--kernel ramdom: the result of baseline has no such kernel, did you mean 'random'?"},
    {"compare out --kernels 2 --kernel random", 2,
     "warpmem: --kernels 2 --kernel random: the result of baseline has no such kernel\n"},
};

START_TEST(limits_hold_for_each_kernel_that_is_asked_for)
{
    char *folder = run_two();
    const Outcome outcome = warpmem(folder, limits[_i].arguments);
    ck_assert_msg(outcome.status == limits[_i].status, "%s", outcome.errors);
    ck_assert_msg(strstr(outcome.errors, limits[_i].errors), "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("kernel_changes");
    tcase_add_loop_test(cases, kernels_are_matched_by_name_and_number_or_order, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, a_page_has_a_row_of_each_pair);
    tcase_add_test(cases, a_table_says_which_kernel_the_change_is_of);
    tcase_add_test(cases, a_run_prints_of_each_kernel_what_its_result_tells);
    tcase_add_test(cases, a_kernel_alone_is_compared_and_reported_as_a_run_is);
    tcase_add_test(cases, of_a_long_list_names_are_compared);
    tcase_add_test(cases, shares_of_the_change_are_all_of_it);
    tcase_add_loop_test(cases, limits_hold_for_each_kernel_that_is_asked_for, 0,
                        G_N_ELEMENTS(limits));
    return harness_run_cases("kernel_changes", cases);
}
