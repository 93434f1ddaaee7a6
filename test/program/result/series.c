/* `profile.series` of result.json, of whole machines. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

/* Two SMs, and two launches before the measured one. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[workload]\npattern = stream\noperation = triad\narray_bytes = 64 KiB\n"
    "launches = 3\nwarm_up_launches = 2\n";

static JsonNode *run(const char *folder, const char *settings)
{
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    g_autofree char *arguments = g_strdup_printf("run small.ini -q -o out %s", settings);
    const Outcome outcome = warpmem(folder, arguments);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    return json_file(folder, "out/baseline/result.json");
}

static JsonArray *array_of(JsonNode *node, const char *path)
{
    JsonNode *member = result_member(node, path);
    ck_assert_msg(member && JSON_NODE_HOLDS_ARRAY(member), "no list %s", path);
    return json_node_get_array(member);
}

static uint64_t number_of(JsonNode *node, const char *path)
{
    const double number = result_number(node, path);
    ck_assert_msg(isfinite(number), "no number %s", path);
    return (uint64_t)number;
}

static double number_at(JsonArray *array, guint index)
{
    return json_node_get_double(json_array_get_element(array, index));
}

/* --- sums --- */

typedef struct {
    JsonNode *result, *series;
    const char *class_name;
    uint64_t interval, intervals, span;
    guint levels, counts; /* lists that were looked at */
} Look;

static Look look_at(JsonNode *result)
{
    JsonNode *series = result_member(result, "profile.series");
    ck_assert_ptr_nonnull(series);
    return (Look){.result = result,
                  .series = series,
                  .interval = number_of(series, "interval"),
                  .intervals = number_of(series, "intervals"),
                  .span = number_of(series, "span")};
}

static double length_of(const Look *look, guint index)
{
    return (double)(index + 1 < look->intervals ? look->interval
                                                : look->span - index * look->interval);
}

/* A count's list sums to the statistic; a level's means, times the lengths, to its integral: that
 * is the stay of those that left, where all did. Five digits are kept of each. */
static void assert_sum(Look *look, JsonArray *list, JsonNode *stat, double units)
{
    const guint length = json_array_get_length(list);
    double sum = 0;
    ck_assert(length == 0 || length == look->intervals);
    for (guint i = 0; i < length; i++)
        sum += number_at(list, i) * (JSON_NODE_HOLDS_OBJECT(stat) ? length_of(look, i) : 1);
    if (JSON_NODE_HOLDS_OBJECT(stat)) {
        const double stay = result_number(stat, "stay_fs");
        if (stay > 0) ck_assert_double_eq_tol(sum * units / stay, 1, 2e-5);
        look->levels += stay > 0;
    } else {
        ck_assert_double_eq(sum, json_node_get_double(stat));
        look->counts++;
    }
}

static void assert_instances(Look *look, JsonNode *row, const char *name)
{
    if (!result_member(row, "instances")) return;
    JsonArray *lists = array_of(row, "instances");
    g_autofree char *path = g_strdup_printf("units.%s.instances", look->class_name);
    JsonArray *units = array_of(look->result, path);
    ck_assert_uint_gt(json_array_get_length(units), 1);
    ck_assert_uint_eq(json_array_get_length(lists), json_array_get_length(units));
    for (guint i = 0; i < json_array_get_length(lists); i++)
        assert_sum(look, json_array_get_array_element(lists, i),
                   result_member(json_array_get_element(units, i), name), 1);
}

static void look_at_row(JsonObject *rows, const char *name, JsonNode *row, gpointer user)
{
    (void)rows;
    Look *look = user;
    g_autofree char *total = g_strdup_printf("units.%s.total.%s", look->class_name, name);
    g_autofree char *count = g_strdup_printf("units.%s.count", look->class_name);
    JsonArray *list = array_of(row, "total");
    ck_assert_uint_eq(json_array_get_length(list), look->intervals);
    assert_sum(look, list, result_member(look->result, total), result_number(look->result, count));
    assert_instances(look, row, name);
    const bool alone = number_of(look->result, count) == 1;
    const bool slots = g_str_has_prefix(name, "slot_");
    const bool kept = result_member(look->result, "timeline") != NULL;
    ck_assert_int_eq(result_member(row, "instances") == NULL, alone || (slots && !kept));
}

static void look_at_class(JsonObject *classes, const char *name, JsonNode *rows, gpointer user)
{
    (void)classes;
    ((Look *)user)->class_name = name;
    json_object_foreach_member(json_node_get_object(rows), look_at_row, user);
}

static Look assert_sums(JsonNode *result)
{
    Look look = look_at(result);
    JsonNode *classes = result_member(look.series, "classes");
    ck_assert_uint_eq(look.intervals, (look.span + look.interval - 1) / look.interval);
    ck_assert_uint_le(look.intervals, SERIES_INTERVALS);
    json_object_foreach_member(json_node_get_object(classes), look_at_class, &look);
    return look;
}

/* More than 64 intervals: the launch takes longer than 1.024 us. */
START_TEST(series_sum_to_the_statistics_of_the_region_of_interest)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run(folder, "");
    const Look look = assert_sums(result);
    ck_assert_uint_gt(look.intervals, SERIES_INTERVALS / 2);
    ck_assert_uint_ge(look.counts, 25); /* eight rows of 2 or 4 units, and their totals */
    ck_assert_uint_ge(look.levels, 10);
    temporary_remove(folder);
}
END_TEST

/* Both SMs have requests that are kept. */
START_TEST(of_sms_in_the_timeline_the_slots_are_told_one_by_one)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) whole = run(folder, "--set simulation.timeline=2000");
    ck_assert_uint_gt(assert_sums(whole).counts, 100);
    g_autoptr(JsonNode) cut = run(folder, "--set simulation.timeline=1");
    const Look look = look_at(cut);
    JsonArray *lists = array_of(look.series, "classes.sm.slot_launch.instances");
    guint told = 0;
    for (guint i = 0; i < json_array_get_length(lists); i++)
        told += json_array_get_length(json_array_get_array_element(lists, i)) > 0;
    ck_assert_uint_eq(told, 1);
    temporary_remove(folder);
}
END_TEST

/* The last CTA ends 64 cycles before the region does, so that it takes longer intervals, of 128 ns,
 * for something to be left in the last one. */
START_TEST(the_mean_of_a_shorter_last_interval_is_over_its_own_length)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run(folder, "--set workload.array_bytes=416KiB"
                                             " --set workload.operation=read"
                                             " --set workload.launches=1"
                                             " --set workload.warm_up_launches=0");
    const Look look = assert_sums(result);
    JsonArray *list = array_of(look.series, "classes.cta_dispatcher.running.total");
    ck_assert_uint_ne(look.span % look.interval, 0);
    ck_assert_double_gt(number_at(list, json_array_get_length(list) - 1), 0);
    temporary_remove(folder);
}
END_TEST

/* --- the region --- */

/* Its boundaries lie around the measured time: the first CTA leaves 284 core cycles after the one
 * and the other is 64 after the end of the last. */
START_TEST(a_series_begins_with_the_measured_launch)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run(folder, "");
    const Look look = look_at(result);
    JsonArray *kernels = array_of(result, "summary.kernels");
    double before = 0;
    ck_assert_uint_eq(json_array_get_length(kernels), 3);
    for (guint i = 0; i < 2; i++)
        before += result_number(json_array_get_element(kernels, i), "time_ns") * 1e6;
    ck_assert_double_gt(before, 0);
    ck_assert_double_ge((double)number_of(look.series, "start"), before);
    ck_assert_double_eq_tol(result_number(json_array_get_element(kernels, 2), "begin_ns") * 1e6,
                            (double)number_of(look.series, "start") + 284 * 724638, 1e3);
    ck_assert_double_eq_tol((double)look.span / 724638,
                            result_number(result, "summary.core_cycles") + 284 + 64, 1e-9);
    temporary_remove(folder);
}
END_TEST

/* In the first launch, a warm-up. */
START_TEST(the_series_of_an_interrupted_run_are_of_what_was_simulated)
{
    Started started = start(small, "small.ini --set workload.array_bytes=256MiB");
    interrupt_run(&started);
    g_autoptr(JsonNode) result = json_file(started.folder, "out/baseline/result.json");
    const Look look = look_at(result);
    JsonArray *list = array_of(look.series, "classes.sm.warp_instructions.total");
    double sum = 0;
    for (guint i = 0; i < json_array_get_length(list); i++) sum += number_at(list, i);
    ck_assert(!result_is_measured(result));
    ck_assert_uint_eq(number_of(look.series, "start"), 0);
    ck_assert_double_eq_tol((double)look.span, result_number(result, "summary.end_ns") * 1e6, 1);
    ck_assert_double_eq(sum, result_number(result, "units.sm.total.warp_instructions"));
    temporary_remove(started.folder);
}
END_TEST

/* --- what is written --- */

START_TEST(every_deployment_writes_the_same_series)
{
    char *folder = temporary_folder();
    g_autofree char *first = NULL;
    static const char *const deployments[] = {"auto", "sm", "unit"};
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
        g_autofree char *settings =
            g_strdup_printf("--set simulation.deployment=%s", deployments[i]);
        g_autoptr(JsonNode) result = run(folder, settings);
        g_autofree char *text = contents(folder, "out/baseline/result.json");
        ck_assert_ptr_nonnull(result_member(result, "profile.series.classes.sm"));
        if (first) ck_assert_str_eq(text, first);
        if (!first) first = g_steal_pointer(&text);
    }
    temporary_remove(folder);
}
END_TEST

START_TEST(nothing_is_written_of_what_did_not_move)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run(folder, "--set workload.array_bytes=1KiB");
    JsonArray *sms = array_of(result, "profile.series.classes.sm.warp_instructions.instances");
    ck_assert_uint_eq(json_array_get_length(sms), 2);
    ck_assert_uint_gt(json_array_get_length(json_array_get_array_element(sms, 0)), 0);
    ck_assert_uint_eq(json_array_get_length(json_array_get_array_element(sms, 1)), 0);
    ck_assert_ptr_null(result_member(result, "profile.series.classes.texture"));
    ck_assert_ptr_null(result_member(result, "profile.series.classes.rop"));
    ck_assert_ptr_null(result_member(result, "profile.series.classes.load_store"));
    temporary_remove(folder);
}
END_TEST

/* As printed, 0 to 5 digits: "0.012346" has five. */
static guint count_digits(double number)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.15g", number);
    const char *digit = text + strspn(text, "0.");
    guint digits = 0;
    for (; *digit && *digit != 'e'; digit++) digits += g_ascii_isdigit(*digit);
    return digits;
}

/* A memory switch has nothing but its outputs, of which up to 32 are kept over time. */
START_TEST(of_a_unit_with_nothing_but_a_long_array_there_is_no_series)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) few =
        run(folder, "--set workload.launches=1 --set workload.warm_up_launches=0 "
                    "--set machine.channels_per_partition=32"),
                        many = run(folder, "--set machine.channels_per_partition=64");
    ck_assert_ptr_nonnull(result_member(few, "profile.series.resources.memory_switch.outputs"));
    ck_assert_ptr_nonnull(result_member(many, "profile.series.resources.l2_slice"));
    ck_assert_ptr_null(result_member(many, "profile.series.resources.memory_switch.outputs"));
    ck_assert_ptr_nonnull(result_member(many, "resources.memory_switch.outputs"));
    temporary_remove(folder);
}
END_TEST

START_TEST(levels_are_written_with_five_digits)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) result = run(folder, "");
    JsonArray *list = array_of(result, "profile.series.classes.sm.resident_warps.total");
    guint longest = 0;
    for (guint i = 0; i < json_array_get_length(list); i++)
        longest = MAX(longest, count_digits(number_at(list, i)));
    ck_assert_uint_eq(longest, 5);
    temporary_remove(folder);
}
END_TEST

START_TEST(without_profile_the_rest_of_the_result_is_the_same)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) with = run(folder, ""),
                        without = run(folder, "--set simulation.profile=no");
    ck_assert_ptr_nonnull(result_member(with, "profile"));
    ck_assert_ptr_null(result_member(without, "profile"));
    json_object_remove_member(json_node_get_object(with), "profile");
    ck_assert(json_node_equal(with, without));
    temporary_remove(folder);
}
END_TEST

/* Also without a folder the summary has the peak. */
START_TEST(power_over_time_is_the_same_without_the_rest_of_the_profile)
{
    char *folder = temporary_folder();
    g_autoptr(JsonNode) whole = run(folder, ""),
                        part = run(folder, "--set simulation.profile=power");
    ck_assert_double_gt(result_number(whole, "profile.power.peak_w"), 0);
    ck_assert_uint_eq(json_object_get_size(json_node_get_object(result_member(part, "profile"))),
                      1);
    ck_assert(json_node_equal(result_member(whole, "profile.power"),
                              result_member(part, "profile.power")));
    json_object_remove_member(json_node_get_object(whole), "profile");
    json_object_remove_member(json_node_get_object(part), "profile");
    ck_assert(json_node_equal(whole, part));
    const Outcome brief = warpmem(folder, "run small.ini --set simulation.profile=power");
    ck_assert_msg(strstr(brief.out, " ns at most: ") != NULL, "%s", brief.out);
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("series_result", series_sum_to_the_statistics_of_the_region_of_interest,
             of_sms_in_the_timeline_the_slots_are_told_one_by_one,
             the_mean_of_a_shorter_last_interval_is_over_its_own_length,
             a_series_begins_with_the_measured_launch,
             the_series_of_an_interrupted_run_are_of_what_was_simulated,
             every_deployment_writes_the_same_series, nothing_is_written_of_what_did_not_move,
             of_a_unit_with_nothing_but_a_long_array_there_is_no_series,
             levels_are_written_with_five_digits,
             without_profile_the_rest_of_the_result_is_the_same,
             power_over_time_is_the_same_without_the_rest_of_the_profile)
