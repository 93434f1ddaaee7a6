/* The V100 against published measurements of the hardware (te42kyfo/gpu-benches at 1c36d509,
 * gpu-latency and gpu-stream), and the same bytes from every deployment of the whole machine.
 * Each row runs a shipped scenario as a user would. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

typedef struct {
    const char *scenario, *variant, *settings, *quantity;
    double measured, tolerance; /* on the hardware; relative */
} Published;

/* A quarter of the scenario's bytes: arrays are still larger than L2. */
#define SHORT "--set 'workload.array_bytes=16 MiB'"

static const Published published[] = {
    {"v100-latency", "l1", "", "cycles_per_load", 30, 0.05},
    {"v100-latency", "l2", "", "cycles_per_load", 215, 0.05},
    {"v100-latency", "dram", "", "cycles_per_load", 431, 0.05},
    {"v100-stream", "init", "", "counted_gbps", 895, 0.0034}, /* no more than the bus carries */
    {"v100-stream", "read", SHORT, "counted_gbps", 866, 0.05},
    {"v100-stream", "scale", SHORT, "counted_gbps", 802, 0.05},
    {"v100-stream", "triad", SHORT, "counted_gbps", 814, 0.05},
    /* few threads: rows are closed, and reads wait for batches of writes */
    {"v100-stream", "read-256", SHORT, "counted_gbps", 262, 0.05},
    {"v100-stream", "scale", SHORT " --set workload.threads_per_cta=160", "counted_gbps", 486,
     0.05},
    {"v100-stream", "triad", SHORT " --set workload.threads_per_cta=160", "counted_gbps", 603,
     0.07},
};

START_TEST(a_v100_is_as_fast_as_measured)
{
    const Published *row = &published[_i];
    char *folder = temporary_folder();
    g_autofree char *arguments =
        g_strdup_printf("%s --variant %s %s", row->scenario, row->variant, row->settings);
    run(folder, arguments);
    const double modelled = summary_of(folder, row->variant, row->quantity);
    temporary_remove(folder);
    ck_assert_msg(fabs(modelled / row->measured - 1) <= row->tolerance,
                  "%s of %s %s: %.1f, on the hardware %.1f", row->quantity, row->scenario,
                  row->variant, modelled, row->measured);
}
END_TEST

/* Small arrays: every unit of the machine is busy, and one tile an SM takes seconds. */
static const char *const whole_machine[] = {
    "scenarios/measured/v100-stream.ini --variant triad --set 'workload.array_bytes=1 MiB'",
    "scenarios/measured/v100-stream.ini --variant read --set 'workload.array_bytes=2 MiB' --set workload.threads_per_cta=96",
    "scenarios/measured/v100-latency.ini --variant l2 --set 'kernel warm_up.loads=512' --set 'kernel timed.loads=512'",
};

static char *result_of_deployment(const char *arguments, const char *variant,
                                  const char *deployment)
{
    char *folder = temporary_folder();
    g_autofree char *line =
        g_strdup_printf("%s --set simulation.deployment=%s", arguments, deployment);
    run(folder, line);
    char *text = result_text(folder, variant);
    temporary_remove(folder);
    return text;
}

START_TEST(every_deployment_of_a_v100_writes_the_same_bytes)
{
    static const char *const variants[] = {"triad", "read", "l2"};
    g_autofree char *in_two_tiles = result_of_deployment(whole_machine[_i], variants[_i], "auto");
    g_autofree char *by_sm = result_of_deployment(whole_machine[_i], variants[_i], "sm");
    ck_assert_ptr_nonnull(strstr(in_two_tiles, "\"hash\""));
    ck_assert_str_eq(in_two_tiles, by_sm);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("v100");
    TCase *measured = tcase_create("published measurements"), *same = tcase_create("deployments");
    tcase_set_timeout(measured, 300);
    tcase_set_timeout(same, 120);
    tcase_add_loop_test(measured, a_v100_is_as_fast_as_measured, 0, G_N_ELEMENTS(published));
    tcase_add_loop_test(same, every_deployment_of_a_v100_writes_the_same_bytes, 0,
                        G_N_ELEMENTS(whole_machine));
    suite_add_tcase(suite, measured);
    suite_add_tcase(suite, same);
    return harness_run_suite(suite);
}
