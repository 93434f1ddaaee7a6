/* When kernels end: not before what they have stored and reduced is acknowledged. What is true of
 * every run small_machine_run asserts. */
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

static Machine *run(const char *settings, const char *code)
{
    g_autofree char *workload = g_strconcat(
        "workload.pattern = program; workload.ctas = 24; workload.threads_per_cta = 256;"
        "simulation.timeline = 10000; workload.code = ",
        code, NULL);
    Machine *machine = small_machine_new(settings, workload);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    return machine;
}

static KernelTime time_of(const Machine *machine, guint launch)
{
    ck_assert_uint_lt(launch, machine_kernel_times(machine)->len);
    return g_array_index(machine_kernel_times(machine), KernelTime, launch);
}

/* In the region of interest. */
static uint64_t count_operations(const Machine *machine)
{
    const GPtrArray *rops = machine_instances(machine, "rop");
    uint64_t count = 0;
    for (guint i = 0; i < rops->len; i++) {
        const Unit *rop = rops->pdata[i];
        count +=
            *(const uint64_t *)small_machine_stat(rop->class, unit_measured(rop), "operations");
    }
    return count;
}

/* A line for each of 192 warps: the SMs hear that the kernel ends and their L1s write back, for
 * which it waits longer than the order and its answer take. With a fence the warps have waited for
 * that, and the order finds nothing. */
static const struct {
    const char *code;
    uint64_t least, most; /* ns */
} kept[] = {{"", 350, 1000}, {"\nfence", 100, 250}};

START_TEST(a_kernel_ends_when_L1_has_written_back_what_it_kept)
{
    g_autofree char *code = g_strconcat(
        "global out[ctas * threads]\nstore out[cta * threads + thread]", kept[_i].code, NULL);
    Machine *machine = run("l1.global_write = back; l1.global_allocate = yes", code);
    const Time waited = time_of(machine, 0).end - time_of(machine, 0).issued;
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "cleaned"), 192);
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "global_write_backs"), 192);
    ck_assert_uint_eq(small_machine_sum(machine, "l2_slice", "writes"), 192);
    ck_assert_uint_gt(waited, kept[_i].least * TIME_NS);
    ck_assert_uint_lt(waited, kept[_i].most * TIME_NS);
    machine_free(machine);
}
END_TEST

/* Little is left to do for a warp that reduces, and much for the memory behind it. */
START_TEST(a_kernel_of_reductions_ends_with_the_last_of_them)
{
    Machine *machine = run("rop.interval = 10 cycles", "global sum[1]\nreduce sum[0]");
    const KernelTime time = time_of(machine, 0);
    ck_assert_uint_gt(time.end - time.start, 3 * (time.issued - time.start));
    ck_assert_uint_eq(count_operations(machine), UINT64_C(24) * 256);
    machine_free(machine);
}
END_TEST

/* The warps end when their operands have been read, and L1 serves one lane after the other. */
START_TEST(a_kernel_waits_for_reductions_in_shared_memory)
{
    Machine *machine = run(NULL, "shared sum[1]\nfor i in 0..8 {\nreduce sum[0]\n}");
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "shared_passes"), UINT64_C(24) * 256 * 8);
    machine_free(machine);
}
END_TEST

/* Stores are done when L1 has them; the last victims are on their way to L2 by then. */
START_TEST(a_kernel_waits_for_what_L1_writes_back)
{
    Machine *machine =
        run("l1.capacity = 2 KiB; l1.local_full_line = allocate; channels.cta_drain = 1 cycle",
            "local stack[64]\nfor i in 0..64 {\nx = int\nstore stack[i], x\n}");
    ck_assert_uint_gt(small_machine_sum(machine, "l1", "write_backs"), 100);
    const KernelTime time = time_of(machine, 0);
    ck_assert_uint_gt(time.end, time.issued);
    machine_free(machine);
}
END_TEST

START_TEST(a_chain_of_kernels_starts_after_the_memory_of_the_one_before)
{
    Machine *machine = run("workload.launches = 2; cta_dispatcher.kernel_gap = 64 cycles",
                           "global sum[1]\nreduce sum[0]");
    const KernelTime first = time_of(machine, 0), second = time_of(machine, 1);
    ck_assert_uint_gt(first.end, first.issued);
    ck_assert_uint_gt(second.start, first.end);
    /* the second one finds nothing of the first in its way */
    ck_assert_uint_le(second.end - second.start, first.end - first.start);
    machine_free(machine);
}
END_TEST

/* --- reductions and atomics ------------------------------------------------------------------- */

static void measure(const void *input, void *result)
{
    Machine *machine = run(NULL, input);
    const KernelTime time = time_of(machine, 0);
    *(Time *)result = time.end - time.start;
    machine_free(machine);
}

static Time time_with(const char *statement, const char *word)
{
    g_autofree char *code = g_strdup_printf(
        "global c[16384]\nfor i in 0..16 unroll 16 {\n%s c[%s]\n}", statement, word);
    Time time;
    run_apart(measure, code, &time, sizeof time);
    return time;
}

/* On one word, and on many; with so many warps that none waits for its own. */
START_TEST(reductions_take_about_as_long_as_atomics)
{
    static const char *const words[] = {"0", "lane", "random(512, cta, warp, i) * 32 + lane"};
    const double reductions = (double)time_with("reduce", words[_i]),
                 atomics = (double)time_with("x = atomic", words[_i]);
    ck_assert_double_gt(reductions / atomics, 0.75);
    ck_assert_double_lt(reductions / atomics, 1.2);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("ends");
    tcase_add_test(cases, a_kernel_of_reductions_ends_with_the_last_of_them);
    tcase_add_loop_test(cases, a_kernel_ends_when_L1_has_written_back_what_it_kept, 0,
                        G_N_ELEMENTS(kept));
    tcase_add_test(cases, a_kernel_waits_for_reductions_in_shared_memory);
    tcase_add_test(cases, a_kernel_waits_for_what_L1_writes_back);
    tcase_add_test(cases, a_chain_of_kernels_starts_after_the_memory_of_the_one_before);
    tcase_add_loop_test(cases, reductions_take_about_as_long_as_atomics, 0, 3);
    Suite *suite = suite_create("ends");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
