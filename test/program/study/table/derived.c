/* Results that a study makes of others and of parameters. */
#include <math.h>

#include "program/study/plan_rig.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/study/dimensions/formula.h"
#include "scenarios/program/study/table/derived.h"

/* --- formulas --------------------------------------------------------------------------------- */

static const char *const names[] = {"l2_slice.capacity", "time_ns", "link up-*+.width", "none",
                                    NULL};

static double value_of(void *user, const char *name)
{
    (void)user;
    return !strcmp(name, "l2_slice.capacity") ? 98304
           : !strcmp(name, "time_ns")         ? 250
           : !strcmp(name, "none")            ? NAN
                                              : 32;
}

static const struct {
    const char *text;
    double value; /* NaN: there is none */
} formulas[] = {
    {"2 + 3 * 4", 14},
    {"(2 + 3) * 4 / -8", -2.5},
    {"1 / 4", 0.25},
    {"max(time_ns, 300, 2) - min(1, 2)", 299},
    {"abs(-time_ns)", 250},
    {"l2_slice.capacity / 96 KiB + 75 %", 1.75},
    {"1 us - time_ns", 750},
    {"link up-*+.width * 2", 64},
    {"time_ns / (3 - 3)", NAN},
    {"none + 1", NAN},
    {"min(none, 1)", NAN},
    {"1e308 * 10", NAN},
};

START_TEST(arithmetic_over_names_and_quantities_gives_a_number)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Formula) formula = formula_new(formulas[_i].text, names, &error);
    ck_assert_msg(formula != NULL, "%s", error ? error->message : "");
    const double value = formula_value(formula, value_of, NULL);
    if (isnan(formulas[_i].value))
        ck_assert_msg(isnan(value), "%s is %g", formulas[_i].text, value);
    else
        ck_assert_double_eq(value, formulas[_i].value);
}
END_TEST

/* --- plans ------------------------------------------------------------------------------------ */

static const struct {
    const char *study, *complaint;
} wrong[] = {
    {"l1.prt_entries = 8\nresult.a = time_n * 2",
     "x.ini:18: study.result.a = time_n * 2: there is no parameter or result time_n; did you mean "
     "'time_ns'?"},
    {"result.a = l1.prt_entrie", "did you mean 'l1.prt_entries'?"},
    {"result.a = b + 1\nresult.b = 1", "there is no parameter or result b"},
    {"result.a = time_ns < 3", "'<' compares; a result is a number"},
    {"result.a = 'x'", "'x' is a text; a result is a number"},
    {"result.a = bound", "bound is a text; a result is a number"},
    {"result.a = 2 * l1.replacement", "l1.replacement is a text; a result is a number"},
    {"result.a = time_ns +", "it ends too early"},
    {"result.a = 2 ^ 3", "'^' is no operator; there are + - * / and parentheses"},
    {"result.a = mod(3, 2)", "there is no function mod; there are min, max, abs"},
    {"result.a = 3 KB", "'KB' is not a unit"},
    {"result.time_ns = 1", "the table has a column time_ns already"},
    {"result.Variant = 1", "the table has a column Variant already"},
    {"result.a = 1\nresult.A = 2", "the table has a column A already"},
    {"result.a-b = 1", "a result's name has letters, digits and '_'"},
    {"result.a = 1\nresult.a.unt = ns", "did you mean 'unit'?"},
    {"result.a = 1\nresult.a.better = more", "neither lower, higher nor neither"},
    {"result.a.unit = ns", "there is no result.a"},
    {"result.a = peak_power_w * time_ns", "peak_power_w is only there with peak_power = yes"},
    {"result.a = time_ns\nwhere = a < 3", "there is no parameter a"},
};

START_TEST(a_mistake_is_named_with_its_place)
{
    g_auto(Planned) planned = plan_text(study_scenario, wrong[_i].study, NULL);
    ck_assert_ptr_null(planned.manifest);
    ck_assert_msg(strstr(planned.error->message, wrong[_i].complaint) != NULL, "%s",
                  planned.error->message);
    ck_assert_msg(strstr(planned.error->message, "x.ini:") != NULL, "%s", planned.error->message);
}
END_TEST

/* 2 SMs: 2 x 8, 2 x 16 and 2 x 32 entries; in bytes a condition compares it with bytes. */
START_TEST(a_result_of_parameters_alone_may_stand_in_a_condition)
{
    g_auto(Planned) planned =
        plan_study("l1.prt_entries = 8, 16, 32\nresult.entries = machine.sms * l1.prt_entries\n"
                   "result.bytes = entries * 4 B\nresult.bytes.unit = B\n"
                   "where = entries > 20; bytes < 200 B\n");
    ck_assert_uint_eq(planned.manifest->points->len, 1);
    ck_assert_str_eq(point_of(planned.manifest, 0)->values[0], "16");
}
END_TEST

START_TEST(an_empty_value_takes_a_result_back)
{
    g_auto(Planned) planned =
        plan_text(study_scenario, "l1.prt_entries = 8\nresult.a = 1\nresult.a.unit = ns\n",
                  "study.result.a=");
    ck_assert_msg(planned.manifest != NULL, "%s", planned.error ? planned.error->message : "");
    ck_assert_uint_eq(planned.manifest->derived->len, 0);
}
END_TEST

/* --- runs ------------------------------------------------------------------------------------- */

static const char study[] =
    "variant = baseline, half\nl1.prt_entries = 8, 16\nstatistics = l1.refused_prt\n"
    "result.bits = 8 * l2_slice.capacity + l1.prt_entries * machine.sms\n"
    "result.bits.unit = bits\nresult.bits.better = lower\nresult.bits.summary = what is paid for\n"
    "result.product = bits * time_ns + l1.refused_prt\n"
    "result.array = workload.array_bytes / 1 KiB\n"
    "result.none = texture_hit_rate + 1\n"
    "peak_power = yes\nresult.above = peak_power_w - power_w\n";

static const char *say(const char *folder, const char *arguments)
{
    const Outcome outcome = warpmem(folder, arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", arguments, outcome.errors);
    return outcome.out;
}

static JsonObject *member(JsonObject *object, const char *name)
{
    ck_assert_msg(json_object_has_member(object, name), "no %s", name);
    return json_object_get_object_member(object, name);
}

static void check_point(JsonObject *point, guint index)
{
    JsonObject *results = member(point, "results");
    const double entries = index % 2 ? 16 : 8, bits = 8 * 96 * 1024 + 2 * entries;
    const double time_ns = json_object_get_double_member(results, "time_ns");
    const double refused = json_object_get_double_member(results, "l1.refused_prt");
    ck_assert_double_eq(json_object_get_double_member(results, "bits"), bits);
    ck_assert_double_eq(json_object_get_double_member(results, "product"),
                        bits * time_ns + refused);
    ck_assert_double_eq(json_object_get_double_member(results, "array"), index < 2 ? 32 : 16);
    ck_assert(json_object_get_null_member(results, "none"));
    ck_assert_double_gt(json_object_get_double_member(results, "above"), 0);
}

START_TEST(results_of_its_own_stand_wherever_a_result_does)
{
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(study_scenario, "[study]\n", study, NULL);
    g_free(temporary_file(folder, "x.ini", text));
    say(folder, "study run x.ini -o s -j2");
    say(folder, "study export s -o s.json");
    g_autofree char *path = g_build_filename(folder, "s.json", NULL);
    g_autoptr(JsonParser) parser = json_parser_new();
    ck_assert(json_parser_load_from_file(parser, path, NULL));
    JsonArray *points =
        json_object_get_array_member(json_node_get_object(json_parser_get_root(parser)), "points");
    ck_assert_uint_eq(json_array_get_length(points), 4);
    for (guint i = 0; i < 4; i++) check_point(json_array_get_object_element(points, i), i);
    ck_assert(strstr(say(folder, "study sensitivity s --on bits"), "what is paid for"));
    ck_assert(strstr(say(folder, "study pareto s --on time_ns --on bits"), "786,448 bits"));
    ck_assert(strstr(say(folder, "study inert s --on product"), "l1.prt_entries"));
    ck_assert(strstr(say(folder, "show x.ini"), "result.product"));
    say(folder, "report s");
    g_autofree char *page = contents(folder, "s/report.html");
    ck_assert(strstr(page, "bits = 8 * l2_slice.capacity + l1.prt_entries * machine.sms, in bits"));
    const Outcome near = warpmem(folder, "study knees s --on produc");
    ck_assert_int_eq(near.status, 2);
    ck_assert(strstr(near.errors, "did you mean 'product'?"));
    temporary_remove(folder);
}
END_TEST

/* --- what machines store ---------------------------------------------------------------------- */

static guint count_points(const char *folder, const char *condition)
{
    g_autofree char *where = g_strconcat("study.where=", condition, NULL);
    g_autofree char *file = g_build_filename(folder, "x.ini", NULL);
    const char *const sets[] = {where, NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(Manifest) manifest = plan_new(file, sets, NULL, &error);
    ck_assert_msg(manifest != NULL, "%s: %s", condition, error ? error->message : "");
    return manifest->points->len;
}

/* Ways of 5 are rejected, whatever they would store. */
START_TEST(a_condition_may_ask_for_storage_and_area_before_anything_runs)
{
    char *folder = temporary_folder();
    g_autofree char *text =
        g_strconcat(study_scenario,
                    "[study]\nl1.prt_entries = 8, 16, 32\nl2_slice.ways = 16, 5\n"
                    "result.size = area_mm2 * 2 + machine.sms\n",
                    NULL);
    g_free(temporary_file(folder, "x.ini", text));
    say(folder, "study run x.ini -o s -j2 --set 'study.l2_slice.ways='");
    const char *all = say(folder, "study export s --format json");
    g_autoptr(JsonNode) root = json_from_string(all, NULL);
    JsonArray *points = json_object_get_array_member(json_node_get_object(root), "points");
    JsonObject *results = member(json_array_get_object_element(points, 1), "results");
    const double area = json_object_get_double_member(results, "area_mm2");
    const double bits = json_object_get_double_member(results, "storage_bits");
    g_autofree char *least = g_strdup_printf("area_mm2 <= %.15g", area),
                    *most = g_strdup_printf("size >= %.15g", 2 * area + 2),
                    *one = g_strdup_printf("storage_bits = %.0f", bits);
    ck_assert_uint_eq(count_points(folder, least), 2 + 3);
    ck_assert_uint_eq(count_points(folder, most), 2 + 3);
    ck_assert_uint_eq(count_points(folder, one), 1 + 3);
    ck_assert_uint_eq(count_points(folder, "l1.prt_entries > 8; storage_bits > 1000"), 2 + 2);
    temporary_remove(folder);
}
END_TEST

/* --- after the plan --------------------------------------------------------------------------- */

static const struct {
    const char *arguments, *complaint;
} refused[] = {
    {"define s a 'time_n * 2'", "result.a = time_n * 2: there is no parameter or result time_n"},
    {"define s a 'a + 1'", "result.a = a + 1: a does not stand above it"},
    {"define s ratio 'slow / 2'", "result.ratio = slow / 2: slow does not stand above it"},
    {"define s a bound", "bound is a text; a result is a number"},
    {"define s a l1.replacement", "l1.replacement is a text; a result is a number"},
    {"define s a peak_power_w", "peak_power_w is only there with peak_power = yes"},
    {"define s bits 1", "the table has a column bits already"},
    {"define s time_ns 1", "the table has a column time_ns already"},
    {"define s a-b 1", "a result's name has letters, digits and '_'"},
    {"define s a 1 --better more", "--better more: neither lower, higher nor neither"},
    {"define s a", "a: what is it?"},
    {"define s --remove", "--remove: of one NAME"},
    {"define s bits --remove", "bits: no result that was defined after the plan"},
    {"define s ratio --remove", "result.slow = ratio * 2: there is no parameter or result ratio"},
};

static void expect_refusals(const char *folder)
{
    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *arguments = g_strconcat("study ", refused[i].arguments, NULL);
        const Outcome outcome = warpmem(folder, arguments);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_msg(strstr(outcome.errors, refused[i].complaint) != NULL, "%s: %s", arguments,
                      outcome.errors);
    }
}

/* Points are not run again, and those that are run later have it as well. */
START_TEST(a_result_can_be_defined_when_points_have_been_run)
{
    char *folder = temporary_folder();
    g_autofree char *text =
        g_strconcat(study_scenario, "[study]\nl1.prt_entries = 8, 16\nresult.bits = 1\n", NULL);
    g_free(temporary_file(folder, "x.ini", text));
    say(folder, "study run x.ini -o s --shard 0/2");
    say(folder, "study pareto s --on time_ns --minimize bits");
    ck_assert(g_str_has_prefix(
        say(folder, "study define s ratio 'l1.prt_entries / 16' --unit ns --better lower "
                    "--summary 'a part'"),
        "ratio = l1.prt_entries / 16, in ns, lower is better (a part)\n"
        "1 of 1 points have it, from 0.5 to 0.5\n"));
    ck_assert(strstr(say(folder, "study define s slow 'ratio * 2'"), "from 1 to 1\n"));
    expect_refusals(folder);
    say(folder, "study run x.ini -o s");
    ck_assert(strstr(say(folder, "study define s ratio l1.prt_entries"),
                     "2 of 2 points have it, from 8 to 16\n"));
    ck_assert_str_eq(say(folder, "study define s"),
                     "bits = 1\nratio = l1.prt_entries\nslow = ratio * 2\n");
    const char *all = say(folder, "study export s --format json");
    ck_assert(strstr(all, "\"slow\": 16") && strstr(all, "\"slow\": 32"));
    ck_assert(strstr(say(folder, "study sensitivity s --on slow"), "ratio * 2"));
    say(folder, "study define s slow --remove");
    ck_assert(strstr(warpmem(folder, "study inert s --on slow").errors, "no such result"));
    temporary_remove(folder);
}
END_TEST

#define OWN(name, better)                                                                          \
    "{\"derived\": [{\"name\": " name ", \"expression\": \"1\", \"unit\": \"\", "                  \
    "\"better\": " better ", \"summary\": \"\"}]}"

static const char *const edited[] = {
    "[]",
    "{\"derived\": 5}",
    "{\"derived\": [5]}",
    "{\"derived\": [{\"name\": \"a\"}]}",
    OWN("5", "\"lower\""),
    OWN("\"a\"", "null"),
    OWN("\"a\"", "\"sideways\""),
    OWN("\"time_ns\"", "\"lower\""),
    OWN("\"a b\"", "\"lower\""),
};

START_TEST(own_results_that_nobody_defined_so_are_refused)
{
    static const char *const commands[] = {"study export s", "study pareto s", "report s"};
    char *folder = temporary_folder();
    g_autofree char *text = g_strconcat(study_scenario, "[study]\nl1.prt_entries = 8\n", NULL);
    g_free(temporary_file(folder, "x.ini", text));
    say(folder, "study run x.ini -o s");
    g_free(temporary_file(folder, "s/own-results.json", edited[_i]));
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        const Outcome outcome = warpmem(folder, commands[i]);
        ck_assert_int_eq(outcome.status, 2);
        ck_assert_str_eq(outcome.errors, "warpmem: s/own-results.json: not as 'study define' wrote "
                                         "it; it can be deleted\n");
    }
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("derived results");
    TCase *plans = tcase_create("plans"), *runs = tcase_create("runs");
    tcase_add_loop_test(plans, arithmetic_over_names_and_quantities_gives_a_number, 0,
                        G_N_ELEMENTS(formulas));
    tcase_add_loop_test(plans, a_mistake_is_named_with_its_place, 0, G_N_ELEMENTS(wrong));
    tcase_add_test(plans, a_result_of_parameters_alone_may_stand_in_a_condition);
    tcase_add_test(plans, an_empty_value_takes_a_result_back);
    tcase_add_test(runs, results_of_its_own_stand_wherever_a_result_does);
    tcase_add_test(runs, a_condition_may_ask_for_storage_and_area_before_anything_runs);
    tcase_add_test(runs, a_result_can_be_defined_when_points_have_been_run);
    tcase_add_loop_test(runs, own_results_that_nobody_defined_so_are_refused, 0,
                        G_N_ELEMENTS(edited));
    suite_add_tcase(suite, plans);
    suite_add_tcase(suite, runs);
    return harness_run_suite(suite);
}
