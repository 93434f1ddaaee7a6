/* `launch` of kernels: in result.json, and in the terminal. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"

/* 10 CTAs of 64 threads on two SMs that hold two of them, for want of registers. */
static const char small[] =
    "[scenario]\ntitle = Small\nextends = v100\n"
    "[machine]\nsms = 2\npartitions = 2\npeak_bandwidth_gbps = 0\n"
    "[sm]\nregisters = 16384\n"
    "[workload]\npattern = stream\noperation = init\narray_bytes = 5 KiB\nthreads_per_cta = 64\n"
    "registers_per_thread = 80\n";

static JsonNode *kernel_of(const char *folder, const char *file, guint index)
{
    g_autoptr(JsonNode) result = json_file(folder, file);
    JsonArray *kernels = json_node_get_array(result_member(result, "summary.kernels"));
    ck_assert_uint_lt(index, json_array_get_length(kernels));
    return json_node_copy(json_array_get_element(kernels, index));
}

/* 2560 registers a warp, one in each quarter of 4096: two CTAs of two warps. */
START_TEST(a_kernel_says_what_limits_it_and_how_its_ctas_were_spread)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "run small.ini -d -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) kernel = kernel_of(folder, "out/baseline/result.json", 0);
    JsonNode *launch = result_member(kernel, "launch");
    ck_assert_double_eq(result_number(launch, "ctas_per_sm"), 2);
    JsonArray *limits = json_node_get_array(result_member(launch, "limited_by"));
    ck_assert_uint_eq(json_array_get_length(limits), 1);
    ck_assert_str_eq(json_array_get_string_element(limits, 0), "registers");
    ck_assert_double_eq(result_number(launch, "limits.warps"), 32);
    ck_assert_double_eq(result_number(launch, "limits.grid"), 5);
    ck_assert_ptr_null(result_member(launch, "limits.shared_memory"));
    ck_assert_double_eq(result_number(launch, "next_ctas_per_sm"), 5);
    ck_assert_double_eq(result_number(launch, "waves"), 2.5);
    ck_assert_double_eq_tol(result_number(launch, "full_wave_gain"), 1 - 2.5 / 3, 1e-9);
    ck_assert_double_eq(result_number(launch, "sms_with_ctas"), 2);
    ck_assert_double_eq(result_number(launch, "most_ctas_of_an_sm"), 5);
    ck_assert_double_eq_tol(
        result_number(launch, "mean_sm_share") + result_number(launch, "head_share")
            + result_number(launch, "tail_share") + result_number(launch, "drain_share"),
        1, 1e-9);
    const double drain =
        result_number(kernel, "memory_end_ns") - result_number(kernel, "issue_end_ns");
    ck_assert_double_gt(drain, 0);
    ck_assert_double_eq_tol(result_number(launch, "drain_share"),
                            drain / result_number(kernel, "time_ns"), 1e-9);
    ck_assert_double_gt(result_number(launch, "tail_share"), 0);
    ck_assert_double_lt(result_number(launch, "places_taken_share"), 1);
    ck_assert_ptr_nonnull(strstr(outcome.out, "launches       CTAs an SM  by"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "  registers     5   2.50        5"));
    temporary_remove(folder);
}
END_TEST

/* Two of four places are taken, yet each SM has one CTA: of such waves it is full. */
START_TEST(full_waves_are_of_as_many_ctas_as_sms_have)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome =
        warpmem(folder, "run small.ini -d -o out --set 'workload.array_bytes=1 KiB'");
    g_autoptr(JsonNode) kernel = kernel_of(folder, "out/baseline/result.json", 0);
    ck_assert_double_eq(result_number(kernel, "launch.ctas_per_sm"), 1);
    ck_assert_double_eq(result_number(kernel, "launch.waves"), 0.5);
    ck_assert_double_eq(result_number(kernel, "launch.full_wave_gain"), 0);
    ck_assert_ptr_nonnull(strstr(outcome.out, "if all SMs always had 'CTAs an SM' of them"));
    temporary_remove(folder);
}
END_TEST

START_TEST(of_many_launches_those_that_take_most_time_are_told_of)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "run small.ini -d -o out --set workload.launches=40");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    const char *table = strstr(outcome.out, "launches       CTAs an SM  by");
    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_nonnull(strstr(table, "  and 28 more\n  busy: an SM has CTAs"));
    guint told = 0;
    double least = G_MAXDOUBLE, most = 0;
    g_autoptr(JsonNode) result = json_file(folder, "out/baseline/result.json");
    JsonArray *kernels = json_node_get_array(result_member(result, "summary.kernels"));
    for (guint i = 0; i < 40; i++) {
        JsonNode *kernel = json_array_get_element(kernels, i);
        const double time = result_number(kernel, "time_ns");
        const bool tells = result_member(kernel, "launch") != NULL;
        told += tells;
        if (tells)
            least = MIN(least, time);
        else
            most = MAX(most, time);
    }
    ck_assert_uint_eq(told, 32);
    ck_assert_double_le(most, least);
    const Outcome page = warpmem(folder, "report out --json");
    ck_assert_ptr_nonnull(strstr(page.out, "Of 40 launches the 32 that took most time are shown."));
    temporary_remove(folder);
}
END_TEST

/* Four SMs that hold two CTAs each. */
static const char waves[] =
    "[scenario]\ntitle = Waves\nextends = v100\n[machine]\nsms = 4\n[sm]\nmax_ctas = 2\n"
    "[workload]\npattern = program\nctas = %u\nthreads_per_cta = %u\n"
    "code =\n  x = fp32\n  %s times 3000\n";

/* ns that a CTA takes of the kernel's time; *gain: what full waves would save of it. */
static double time_of_cta(guint ctas, guint threads, const char *code, double *gain)
{
    char *folder = temporary_folder();
    g_autofree char *text = g_strdup_printf(waves, ctas, threads, code);
    g_autofree char *file = temporary_file(folder, "waves.ini", text);
    const Outcome outcome = warpmem(folder, "run waves.ini -q -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) kernel = kernel_of(folder, "out/baseline/result.json", 0);
    *gain = result_number(kernel, "launch.full_wave_gain");
    temporary_remove(folder);
    return result_number(kernel, "time_ns") / ctas;
}

/* Of a second wave three places of eight are taken. Two warps of an SM do not meet, two CTAs of 32
 * wait for each other in every pipe. */
START_TEST(full_waves_save_what_is_said_where_ctas_do_not_share_a_full_pipe)
{
    double said, none;
    const double alone = time_of_cta(11, 32, "x = fp32 x", &said),
                 filled = time_of_cta(16, 32, "x = fp32 x", &none);
    ck_assert_double_eq_tol(said, 1 - 11.0 / 16, 1e-9);
    ck_assert_double_eq(none, 0);
    ck_assert_double_eq_tol(1 - filled / alone, said, 0.01);
    const double crowded = time_of_cta(11, 1024, "fp32 x", &said),
                 full = time_of_cta(16, 1024, "fp32 x", &none);
    ck_assert_double_eq_tol(said, 1 - 11.0 / 16, 1e-9);
    ck_assert_double_lt(1 - full / crowded, 0.1);
}
END_TEST

/* Whichever way they are chosen, the bytes are the same, as in any deployment. */
START_TEST(kernels_that_are_chosen_keep_their_numbers_in_the_result)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    static const char *const runs[] = {
        "run small.ini -q -o a --set workload.launches=6 --kernels 2-3,5",
        "run small.ini -q -o b --set workload.launches=6 --set 'workload.kernels=2-3,5' "
        "--set simulation.deployment=unit"};
    for (guint i = 0; i < G_N_ELEMENTS(runs); i++)
        ck_assert_int_eq(warpmem(folder, runs[i]).status, 0);
    g_autofree char *a = contents(folder, "a/baseline/result.json"),
                    *b = contents(folder, "b/baseline/result.json");
    ck_assert_str_eq(a, b);
    static const double numbers[] = {2, 3, 5};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autoptr(JsonNode) kernel = kernel_of(folder, "a/baseline/result.json", i);
        ck_assert_double_eq(result_number(kernel, "number"), numbers[i]);
    }
    g_autoptr(JsonNode) result = json_file(folder, "a/baseline/result.json");
    ck_assert_str_eq(result_text(result, "summary.chosen.kernels"), "2-3, 5");
    ck_assert_double_eq(result_number(result, "summary.chosen.of"), 6);
    const Outcome outcome =
        warpmem(folder, "run small.ini --set workload.launches=6 --kernel '*init' --kernels 4");
    ck_assert_ptr_nonnull(strstr(outcome.out, "\nkernels 4 of 6: the others did not run"));
    temporary_remove(folder);
}
END_TEST

static const struct {
    const char *arguments, *errors;
} refused[] = {
    {"run small.ini --kernels 2", "'2' is none of the kernels 1 to 1"},
    {"check small.ini --kernels 0", "'0' is none of the kernels 1 to 1"},
    {"why small.ini --kernel streem*", "no kernel that is chosen has this name"},
    {"timeline small.ini --kernels 1-2", "'1-2' is none of the kernels 1 to 1"},
    {"timeline out.json --kernels 1", "--kernels: chooses while a scenario is simulated"},
};

START_TEST(kernels_that_there_are_not_are_refused)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, refused[_i].arguments);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, refused[_i].errors), "%s", outcome.errors);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("launch");
    tcase_add_test(cases, full_waves_are_of_as_many_ctas_as_sms_have);
    tcase_add_test(cases, a_kernel_says_what_limits_it_and_how_its_ctas_were_spread);
    tcase_add_test(cases, of_many_launches_those_that_take_most_time_are_told_of);
    tcase_add_test(cases, full_waves_save_what_is_said_where_ctas_do_not_share_a_full_pipe);
    tcase_add_test(cases, kernels_that_are_chosen_keep_their_numbers_in_the_result);
    tcase_add_loop_test(cases, kernels_that_there_are_not_are_refused, 0, G_N_ELEMENTS(refused));
    return harness_run_cases("launch", cases);
}
