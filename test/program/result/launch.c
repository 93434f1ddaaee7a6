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
    ck_assert_double_eq_tol(result_number(launch, "mean_sm_share")
                                + result_number(launch, "head_share")
                                + result_number(launch, "tail_share"),
                            1, 1e-9);
    ck_assert_double_lt(result_number(launch, "places_taken_share"), 1);
    ck_assert_ptr_nonnull(strstr(outcome.out, "launches       CTAs an SM  by"));
    ck_assert_ptr_nonnull(strstr(outcome.out, "  registers     5   2.50        5"));
    temporary_remove(folder);
}
END_TEST

START_TEST(of_many_launches_those_that_take_most_time_are_told_of)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "small.ini", small);
    const Outcome outcome = warpmem(folder, "run small.ini -q -o out --set workload.launches=40");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    guint told = 0;
    double least = G_MAXDOUBLE, most = 0;
    for (guint i = 0; i < 40; i++) {
        g_autoptr(JsonNode) kernel = kernel_of(folder, "out/baseline/result.json", i);
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
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("launch", a_kernel_says_what_limits_it_and_how_its_ctas_were_spread,
             of_many_launches_those_that_take_most_time_are_told_of)
