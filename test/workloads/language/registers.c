/* The kernel language: registers, and what is spilled when there are too few. */
#include "code.h"
#include "rigs/harness.h"

/* Sixteen accumulators, all alive through the loop. */
#define ACCUMULATE                                                                                 \
    "global A[1 MiB]; register acc[16]; for i in 0..10 { x = load A[i * 64 + thread]; "            \
    "for j in 0..16 unroll all { acc[j] = fma x, acc[j] } }; "                                     \
    "for j in 0..16 unroll all { store A[thread], acc[j] }"

typedef struct {
    uint32_t loads, stores; /* of local memory */
    uint32_t highest;       /* register */
} Count;

static Count count_spills(const GArray *warp)
{
    Count count = {0};
    for (guint i = 0; i < warp->len; i++) {
        const Instruction *in = &fetched_at(warp, i)->in;
        const bool local = in->width && in->space == SPACE_LOCAL;
        count.loads += local && in->operation == OPERATION_LOAD;
        count.stores += local && in->operation == OPERATION_STORE;
        for (uint32_t k = 0; k < in->source_count; k++)
            count.highest = MAX(count.highest, in->sources[k]);
        if (in->destination_count)
            count.highest = MAX(count.highest, in->destination + in->destination_count - 1u);
    }
    return count;
}

START_TEST(a_thread_gets_the_registers_it_needs)
{
    g_autoptr(LaunchList) list = launches_of_code(ACCUMULATE, NULL);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 0, 0, NULL);
    const Count count = count_spills(warp);
    ck_assert_uint_eq(kernel->registers_per_thread, 17); /* and x */
    ck_assert_uint_eq(count.highest, 16);
    ck_assert_uint_eq(count.loads + count.stores, 0);
    ck_assert_uint_eq(kernel->spill_loads + kernel->spill_stores, 0);
}
END_TEST

/* Of the accumulators, S spilled ones leave 16 - S, x and one that the spilled take turns with. */
static const struct {
    const char *registers;
    uint32_t spilled;
} limits[] = {{"17", 0}, {"16", 2}, {"12", 6}, {"8", 10}, {"4", 14}, {"3", 15}};

START_TEST(what_does_not_fit_is_stored_after_each_definition_and_loaded_before_each_use)
{
    g_autofree char *key =
        g_strdup_printf("workload.registers_per_thread=%s\n", limits[_i].registers);
    g_autoptr(LaunchList) list = launches_of_code(ACCUMULATE, key);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) warp = fetch_warp(kernel, 0, 0, NULL);
    const Count count = count_spills(warp);
    ck_assert_uint_lt(count.highest, kernel->registers_per_thread);
    ck_assert_uint_eq(count.stores, limits[_i].spilled * 10);
    ck_assert_uint_eq(count.loads, limits[_i].spilled * 11);
    ck_assert_uint_eq(kernel->spill_stores, count.stores);
    ck_assert_uint_eq(kernel->spill_loads, count.loads);
}
END_TEST

START_TEST(a_spilled_value_comes_back_from_where_it_went)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "local L[5]; a = fp64; b = fp64; c = fp64; c = fp64 c; store L[0]; b = fp64 b, c; "
        "a = fp64 a, b",
        "workload.registers_per_thread=4\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    uint64_t stored[2] = {0, 0}, loaded[2] = {0, 0};
    for (guint i = 0; i < warp->len; i++) {
        const Instruction *in = &fetched_at(warp, i)->in;
        if (in->width != 8) continue;
        ck_assert_uint_eq(in->space, SPACE_LOCAL);
        ck_assert_int_eq(in->stride, 0); /* an offset in the thread's own memory */
        ck_assert_uint_ge(in->base, 24); /* behind 5 x 4 B, rounded up */
        ck_assert_uint_eq(in->base % 8, 0);
        (in->operation == OPERATION_LOAD ? loaded : stored)[in->base > 24]++;
    }
    ck_assert_uint_ge(stored[0], 1);
    ck_assert_uint_ge(loaded[0], 1);
    ck_assert_uint_eq(stored[1] > 0, loaded[1] > 0);
}
END_TEST

START_TEST(the_value_that_is_needed_last_is_the_one_that_goes)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "c = int; a = int; b = int; for i in 0..5 { a = fp32 a; b = fp32 b }; c = fp32 c",
        "workload.registers_per_thread=2\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    const Count count = count_spills(warp);
    ck_assert_uint_eq(count.stores, 2); /* c as it is made, and when it is changed */
    ck_assert_uint_eq(count.loads, 1);
}
END_TEST

/* All three have their values when the program begins, in the order in which they are declared. */
START_TEST(of_values_that_begin_together_the_one_that_is_needed_last_goes)
{
    g_autoptr(LaunchList) list =
        launches_of_code("register a; register b; register c; int b; int c; int b; int c; int a",
                         "workload.registers_per_thread=2\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(count_spills(warp).loads, 1);
}
END_TEST

START_TEST(pressure_leaves_fewer_registers)
{
    g_autoptr(LaunchList) free_list = launches_of_code("pressure 20; " ACCUMULATE, NULL);
    g_autoptr(LaunchList) list =
        launches_of_code("pressure 20; " ACCUMULATE, "workload.registers_per_thread=28\n");
    ck_assert_uint_eq(kernel_of(free_list, 0)->registers_per_thread, 37);
    ck_assert_uint_eq(kernel_of(list, 0)->spill_stores, 100); /* as with 8 of 28 */
}
END_TEST

START_TEST(wide_values_lie_in_aligned_neighbours)
{
    g_autoptr(GArray) warp = warp_of_code(
        "global A[64] of 16 B; a = int; x = load A[lane]; y = load.8 A[lane]; store A[lane], x; "
        "store.8 A[lane], y; int a",
        0, 0);
    const Instruction *wide = &fetched_at(warp, 1)->in;
    ck_assert_uint_eq(wide->destination % 4, 0);
    ck_assert_uint_eq(wide->destination_count, 4);
    ck_assert_uint_eq(fetched_at(warp, 2)->in.destination % 2, 0);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.source_count, 4);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.sources[3], wide->destination + 3);
}
END_TEST

START_TEST(a_register_is_used_again_when_its_value_is_dead)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "global A[64]; for i in 0..9 unroll all { x = load A[i]; int x; wait }", NULL);
    ck_assert_uint_eq(kernel_of(list, 0)->registers_per_thread, 1);
}
END_TEST

START_TEST(what_a_loop_uses_again_keeps_its_register)
{
    g_autoptr(GArray) loop =
        warp_of_code("a = int; for i in 0..2 { fp32 a; b = int; int b }", 0, 0);
    ck_assert_uint_ne(fetched_at(loop, 0)->in.destination, fetched_at(loop, 2)->in.destination);
    g_autoptr(GArray) declared = warp_of_code("register a; b = int; int b; int a", 0, 0);
    ck_assert_uint_ne(fetched_at(declared, 0)->in.destination,
                      fetched_at(declared, 2)->in.sources[0]);
}
END_TEST

/* 16 B and 8 B. */
START_TEST(an_instruction_reads_six_registers)
{
    g_autoptr(GArray) warp =
        warp_of_code("register a of 16 B; register b of 8 B; b = fp64 a, b", 0, 0);
    ck_assert_uint_eq(fetched_at(warp, 0)->in.source_count, 6);
}
END_TEST

START_TEST(one_instruction_that_needs_more_than_there_are_is_an_error)
{
    g_autofree char *message = error_of_code("register a of 8 B; register b of 8 B; a = fp64 a, b",
                                             "workload.registers_per_thread=3\n");
    ck_assert_str_eq(message, "test.ini:4: workload.code: a = fp64 a, b: needs more registers than "
                              "the 3 that a thread has");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program_registers");
    tcase_add_test(cases, a_thread_gets_the_registers_it_needs);
    tcase_add_loop_test(
        cases, what_does_not_fit_is_stored_after_each_definition_and_loaded_before_each_use, 0,
        G_N_ELEMENTS(limits));
    tcase_add_test(cases, a_spilled_value_comes_back_from_where_it_went);
    tcase_add_test(cases, the_value_that_is_needed_last_is_the_one_that_goes);
    tcase_add_test(cases, of_values_that_begin_together_the_one_that_is_needed_last_goes);
    tcase_add_test(cases, pressure_leaves_fewer_registers);
    tcase_add_test(cases, wide_values_lie_in_aligned_neighbours);
    tcase_add_test(cases, a_register_is_used_again_when_its_value_is_dead);
    tcase_add_test(cases, what_a_loop_uses_again_keeps_its_register);
    tcase_add_test(cases, an_instruction_reads_six_registers);
    tcase_add_test(cases, one_instruction_that_needs_more_than_there_are_is_an_error);
    Suite *suite = suite_create("program_registers");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
