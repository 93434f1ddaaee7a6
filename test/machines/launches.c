/* How launches fit and how their CTAs are spread, beside other counters and experiments. */
#include "platform/machine/residency.h"
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

static Machine *run(const char *settings, const char *workload)
{
    Machine *machine = small_machine_new(settings, workload);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    return machine;
}

static const KernelTime *time_of(const Machine *machine)
{
    ck_assert_uint_eq(machine_kernel_times(machine)->len, 1);
    return &g_array_index(machine_kernel_times(machine), KernelTime, 0);
}

static uint64_t time_of_ctas(const Machine *machine)
{
    const GPtrArray *sms = machine_instances(machine, "sm");
    uint64_t time = 0;
    for (guint i = 0; i < sms->len; i++) {
        const Unit *sm = sms->pdata[i];
        time += ((const Level *)small_machine_stat(sm->class, unit_measured(sm), "resident_ctas"))
                    ->stay;
    }
    return time;
}

static uint64_t measured_sum(const Machine *machine, const char *name)
{
    const GPtrArray *sms = machine_instances(machine, "sm");
    uint64_t sum = 0;
    for (guint i = 0; i < sms->len; i++) {
        const Unit *sm = sms->pdata[i];
        sum += *(const uint64_t *)small_machine_stat(sm->class, unit_measured(sm), name);
    }
    return sum;
}

/* --- beside the SMs' own counts --------------------------------------------------------------- */

static const char *const workloads[] = {
    "workload.pattern = stream; workload.array_bytes = 100 KiB",
    "workload.pattern = stream; workload.operation = triad; workload.array_bytes = 97 KiB;"
    "workload.threads_per_cta = 96; workload.registers_per_thread = 40",
    "workload.pattern = random; workload.ctas = 7; workload.threads_per_cta = 1024;"
    "workload.iterations = 4",
    "workload.pattern = program; workload.ctas = 10; workload.threads_per_cta = 256;"
    "workload.code = global sum[1]\nreduce sum[0]",
};

/* Of a V100: four schedulers an SM, of which one has the cycle in which the last warp ends. */
START_TEST(the_tail_is_that_of_the_schedulers_slots)
{
    Machine *machine = run(NULL, workloads[_i]);
    const KernelTime *time = time_of(machine);
    const uint64_t cycle = machine_clock(machine, "core")->period;
    ck_assert_uint_eq(time->spread.sms, 3);
    const uint64_t drain = measured_sum(machine, "slot_drain");
    ck_assert_uint_eq(drain, 4 * 3 * (time->end - time->issued));
    ck_assert_uint_eq(4 * time->spread.after,
                      measured_sum(machine, "slot_tail") + drain + time->spread.sms * cycle);
    ck_assert_uint_eq(time->spread.stayed, time_of_ctas(machine));
    ck_assert_uint_ge(time->spread.most, time->spread.least);
    ck_assert_uint_ge(3 * (time->end - time->start), time->spread.before + time->spread.after);
    machine_free(machine);
}
END_TEST

/* One CTA. */
START_TEST(an_sm_that_has_no_cta_stands_idle_for_all_of_the_kernel)
{
    Machine *machine = run(NULL, "workload.pattern = stream; workload.array_bytes = 2 KiB");
    const KernelTime *time = time_of(machine);
    ck_assert_uint_eq(time->spread.sms, 1);
    ck_assert_uint_eq(time->spread.most, 1);
    ck_assert_uint_eq(time->spread.least, 0);
    ck_assert_uint_eq(time->spread.before + time->spread.longest + time->spread.after,
                      3 * (time->end - time->start));
    machine_free(machine);
}
END_TEST

/* --- full waves ------------------------------------------------------------------------------- */

typedef struct {
    double per_cta, gain;
} Measured;

static void measure(const void *workload, void *answer)
{
    Machine *machine = run("sm.max_threads = 1024; machine.partitions = 1", workload);
    const KernelTime *time = time_of(machine);
    const Residency residency = machine_residency(machine, time->launch);
    *(Measured *)answer =
        (Measured){.per_cta = (double)(time->end - time->start) / (double)residency.grid,
                   .gain = residency_full_wave_gain(&residency)};
    machine_free(machine);
}

/* CTAs of 1024 threads, of which an SM has one. */
static Measured with_ctas(const char *kernel, guint ctas)
{
    Measured measured;
    g_autofree char *workload = g_strdup_printf("workload.pattern = stream;"
                                                "workload.threads_per_cta = 1024; %s;"
                                                "workload.array_bytes = %u B",
                                                kernel, ctas * 1024 * 8);
    run_apart(measure, workload, &measured, sizeof measured);
    return measured;
}

/* 4 or 7 CTAs on three SMs, and 6 or 9. Arithmetic takes no longer when all SMs do it. */
START_TEST(arithmetic_gains_what_full_waves_are_said_to_gain)
{
    static const guint part[] = {4, 7}, full[] = {6, 9};
    static const char kernel[] = "workload.operation = init; workload.index_instructions = 255";
    const Measured before = with_ctas(kernel, part[_i]), after = with_ctas(kernel, full[_i]);
    ck_assert_double_eq_tol(before.gain, 1 - (double)part[_i] / full[_i], 1e-12);
    ck_assert_double_eq_tol(after.gain, 0, 1e-12);
    ck_assert_double_eq_tol(1 - after.per_cta / before.per_cta, before.gain, 0.04);
}
END_TEST

/* One DRAM channel is as busy with four CTAs as with six. */
START_TEST(a_full_bus_gains_less_than_full_waves_are_said_to_gain)
{
    static const char kernel[] = "workload.operation = triad; workload.index_instructions = 0";
    const Measured before = with_ctas(kernel, 4), after = with_ctas(kernel, 6);
    ck_assert_double_eq_tol(before.gain, 1 / 3., 1e-12);
    ck_assert_double_lt(1 - after.per_cta / before.per_cta, before.gain / 2);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("launches");
    tcase_add_loop_test(cases, the_tail_is_that_of_the_schedulers_slots, 0,
                        G_N_ELEMENTS(workloads));
    tcase_add_test(cases, an_sm_that_has_no_cta_stands_idle_for_all_of_the_kernel);
    tcase_add_loop_test(cases, arithmetic_gains_what_full_waves_are_said_to_gain, 0, 2);
    tcase_add_test(cases, a_full_bus_gains_less_than_full_waves_are_said_to_gain);
    return harness_run_cases("launches", cases);
}
