/* `warpmem validate`: published curves, what is run of them, and how far off they are. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/validate/validation.h"

/* --- the tables ------------------------------------------------------------------------------- */

static const char head[] = "[chase]\ntitle = cycles\nsource = nobody\nscenario = v100-latency\n"
                           "result = cycles_per_load\n";

static GPtrArray *read_table(const char *rest, GError **error)
{
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(head, rest, NULL),
                    *file = temporary_file(folder, "v100.txt", text);
    GPtrArray *curves = published_read(file, "v100", error);
    temporary_remove(folder);
    return curves;
}

START_TEST(a_column_is_a_setting_and_curve_divides_the_rows)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) curves =
        read_table("set =\n  l1.ways = 4\npoints =\n  curve, kernel timed.loads, published\n"
                   "  a, 64, 30\n  b, 64, 215.5\n  a, 128, 31\n",
                   &error);
    ck_assert_msg(curves != NULL, "%s", error ? error->message : "");
    ck_assert_uint_eq(curves->len, 2);
    const PublishedCurve *a = curves->pdata[0], *b = curves->pdata[1];
    ck_assert_str_eq(a->name, "chase a");
    ck_assert_str_eq(a->axis, "kernel timed.loads");
    ck_assert_uint_eq(a->points->len, 2);
    ck_assert_uint_eq(b->points->len, 1);
    const PublishedPoint *last = a->points->pdata[1];
    ck_assert_str_eq(last->at, "128");
    ck_assert_str_eq(last->sets[0], "l1.ways=4");
    ck_assert_str_eq(last->sets[1], "kernel timed.loads=128");
    ck_assert_double_eq(((const PublishedPoint *)b->points->pdata[0])->value, 215.5);
}
END_TEST

START_TEST(a_column_of_results_has_parts_of_the_one_that_is_named)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) curves =
        read_table("points =\n  result, l1.ways, published\n  p10, 4, 202\n", &error);
    ck_assert_msg(curves != NULL, "%s", error ? error->message : "");
    const PublishedCurve *curve = curves->pdata[0];
    const PublishedPoint *point = curve->points->pdata[0];
    ck_assert_str_eq(curve->axis, "result");
    ck_assert_str_eq(point->at, "p10");
    ck_assert_str_eq(point->part, "p10");
    ck_assert_str_eq(point->sets[0], "l1.ways=4");
    ck_assert_ptr_null(point->sets[1]);
}
END_TEST

START_TEST(a_column_of_variants_has_variants_of_the_scenario)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) curves =
        read_table("points =\n  variant, l1.ways, published\n  stride-2, 4, 202\n", &error);
    ck_assert_msg(curves != NULL, "%s", error ? error->message : "");
    const PublishedCurve *curve = curves->pdata[0];
    const PublishedPoint *point = curve->points->pdata[0];
    ck_assert_str_eq(curve->axis, "variant");
    ck_assert_str_eq(point->at, "stride-2");
    ck_assert_str_eq(point->variant, "stride-2");
    ck_assert_ptr_null(point->part);
    ck_assert_str_eq(point->sets[0], "l1.ways=4");
    ck_assert_ptr_null(point->sets[1]);
}
END_TEST

static const struct {
    const char *rest, *message;
} damaged[] = {
    {"points =\n  l1.ways, published\n  4, fast\n", "v100.txt:8: 'fast': not a measured value"},
    {"points =\n  l1.ways, published\n  4\n", "v100.txt:8: 1 values of 2 columns"},
    {"points =\n  l1.ways, measured\n", "v100.txt:7: 'l1.ways, measured': columns are settings"},
    {"points =\n  l1.ways, published\n", "v100.txt:1: [chase] has no points"},
    {"", "v100.txt:1: [chase] has no 'points'"},
    {"size = 4\n", "v100.txt:6: 'size': there are title"},
};

START_TEST(what_is_wrong_with_a_table_is_said_with_its_line)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(read_table(damaged[_i].rest, &error));
    ck_assert_msg(strstr(error->message, damaged[_i].message), "%s", error->message);
}
END_TEST

/* Both ends of each curve: that scenarios, settings and presets go together. */
START_TEST(every_published_curve_can_be_run)
{
    g_autoptr(GError) error = NULL;
    g_auto(Validation) validation = {0};
    char *const all[] = {NULL};
    const ValidationChoice choice = {.presets = all, .most = 2};
    ck_assert_msg(validation_prepare(&validation, &choice, &error), "%s",
                  error ? error->message : "");
    ck_assert_uint_ge(validation.curves->len, 20);
    ck_assert_uint_eq(validation.points, 2 * validation.curves->len);
    for (guint i = 0; i < validation.curves->len; i++) {
        const ValidatedCurve *curve = validation.curves->pdata[i];
        const PublishedPoint *last = g_array_index(curve->points, ValidatedPoint, 1).published;
        ck_assert_ptr_eq(last, curve->published->points->pdata[curve->published->points->len - 1]);
        const char *source = curve->published->source;
        ck_assert_msg(strstr(source, " at commit ") || strstr(source, "arXiv:")
                          || strstr(source, "test/silicon/"),
                      "%s, %s: no source", curve->published->preset, curve->published->name);
    }
}
END_TEST

/* --- the command ------------------------------------------------------------------------------ */

static JsonNode *answer_of(const char *folder, const char *words)
{
    const Outcome outcome = warpmem(folder, words);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    JsonNode *answer = json_from_string(outcome.out, NULL);
    ck_assert_ptr_nonnull(answer);
    return answer;
}

#define FEW "validate v100 --curve l1-spread --points 2 --set workload.pairs=32"

START_TEST(errors_are_those_of_the_runs_against_what_was_published)
{
    char *folder = temporary_folder_with_cache();
    g_autoptr(JsonNode) answer = answer_of(folder, FEW " --json");
    JsonNode *curve = json_array_get_element(result_array(answer, "curves"), 0);
    JsonArray *points = result_array(curve, "points");
    ck_assert_uint_eq(json_array_get_length(points), 2);
    const Outcome outcome = warpmem(folder, "run l1-spread --set workload.pairs=32 --set "
                                            "workload.spread=64 --variant baseline -q -o hand");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) result = json_file(folder, "hand/baseline/result.json");
    JsonNode *last = json_array_get_element(points, 1);
    const double published = result_number(last, "published"),
                 model = result_number(result, "summary.cycles_per_load");
    ck_assert_double_eq(published, 31.8366);
    ck_assert_double_eq(result_number(last, "model"), model);
    ck_assert_double_eq_tol(result_number(last, "error"), model / published - 1, 1e-12);
    const double first = result_number(json_array_get_element(points, 0), "error"),
                 second = result_number(last, "error");
    ck_assert_double_eq_tol(result_number(curve, "mean_error"), (fabs(first) + fabs(second)) / 2,
                            1e-12);
    ck_assert_double_eq_tol(result_number(curve, "bias"), (first + second) / 2, 1e-12);
    ck_assert_double_eq_tol(fabs(result_number(curve, "worst_error")),
                            fmax(fabs(first), fabs(second)), 1e-12);
    ck_assert_double_eq(result_number(answer, "mean_error"), result_number(curve, "mean_error"));
    temporary_remove(folder);
}
END_TEST

/* One run, whose loads are in four groups. */
START_TEST(the_groups_of_latencies_are_where_they_were_measured)
{
    char *folder = temporary_folder_with_cache();
    g_autoptr(JsonNode) answer =
        answer_of(folder, "validate h100 --curve latency-groups --all --json");
    JsonNode *curve = json_array_get_element(result_array(answer, "curves"), 0);
    JsonArray *points = result_array(curve, "points");
    ck_assert_uint_eq(json_array_get_length(points), 4);
    for (guint i = 0; i < 4; i++) {
        JsonNode *point = json_array_get_element(points, i);
        ck_assert_double_eq_tol(result_number(point, "model"), result_number(point, "published"),
                                5);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(the_answer_is_the_same_whatever_is_known_and_however_many_run)
{
    char *folder = temporary_folder_with_cache();
    const Outcome first = warpmem(folder, FEW " -j 1"), known = warpmem(folder, FEW " -j 2");
    ck_assert_int_eq(first.status, 0);
    ck_assert_str_eq(first.out, known.out);
    ck_assert_msg(strstr(first.out, "2 of 2 points: mean error "), "%s", first.out);
    ck_assert_msg(strstr(first.out, "  workload.spread="), "%s", first.out);
    ck_assert(exists(folder, "cache/warpmem/validate"));
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *words, *message;
} refused[] = {
    {"validate v10", "v10: nothing published; did you mean v100"},
    {"validate quickstart", "quickstart: nothing published; there are a100, "},
    {"validate v100 --curve foo",
     "--curve foo: no curve's name begins so; there are latency, latency-groups, "},
    {"validate v100 --all --points 3", "--all and --points: one of them"},
    {"validate --points 0", "--points 0: allowed: whole number from 1 to 100000"},
    {"validate v100 -c l1-spread -p 1 --set l1.prt_entris=4", "did you mean 'prt_entries'"},
};

START_TEST(what_cannot_be_run_is_said)
{
    char *folder = temporary_folder_with_cache();
    const Outcome outcome = warpmem(folder, refused[_i].words);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, refused[_i].message), "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("validate");
    TCase *tables = tcase_create("tables"), *command = tcase_create("command");
    tcase_add_test(tables, a_column_is_a_setting_and_curve_divides_the_rows);
    tcase_add_test(tables, a_column_of_results_has_parts_of_the_one_that_is_named);
    tcase_add_test(tables, a_column_of_variants_has_variants_of_the_scenario);
    tcase_add_loop_test(tables, what_is_wrong_with_a_table_is_said_with_its_line, 0,
                        G_N_ELEMENTS(damaged));
    tcase_add_test(tables, every_published_curve_can_be_run);
    tcase_add_test(command, errors_are_those_of_the_runs_against_what_was_published);
    tcase_add_test(command, the_groups_of_latencies_are_where_they_were_measured);
    tcase_add_test(command, the_answer_is_the_same_whatever_is_known_and_however_many_run);
    tcase_add_loop_test(command, what_cannot_be_run_is_said, 0, G_N_ELEMENTS(refused));
    suite_add_tcase(suite, tables);
    suite_add_tcase(suite, command);
    return harness_run_suite(suite);
}
