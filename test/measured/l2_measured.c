/* L2 against published measurements: bandwidth of V100, P100, M60 and K80 (Jia et al. 2018, table
 * 3.4), and the two halves of A100 and H100 PCIe (te42kyfo/gpu-benches at 1c36d509: gpu-latency,
 * gpu-l2-cache).
 *
 * Tolerances: latencies, V100's and M60's bandwidth 7 %, P100's and K80's 15 and 17 %. Bandwidth
 * against size 10 % where it is flat. In its fall a size 10 % larger loses up to a quarter: 12 % on
 * the A100, 25 % on the H100. Hits are to 12 % as counters of an H100 SXM said,
 * docs/inside/validation.md. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

static const struct {
    const char *scenario, *variant, *quantity;
    double measured, below, above; /* on the hardware; relative tolerances */
} published[] = {
    {"l2-bandwidth", "virtual-output-queues", "requested_gbps", 2155, 0.07, 0.07},
    {"l2-bandwidth", "p100", "requested_gbps", 1624, 0.15, 0.15},
    {"l2-bandwidth", "m60", "requested_gbps", 446, 0.07, 0.07},
    {"l2-bandwidth", "k80", "requested_gbps", 339, 0.17, 0.17},
    {"a100-latency", "l2", "cycles_per_load", 213, 0.07, 0.07},
    {"a100-latency", "far", "cycles_per_load", 424, 0.07, 0.07},
    {"a100-latency", "dram", "cycles_per_load", 573, 0.07, 0.07},
    {"a100-l2-bandwidth", "8-MiB", "requested_gbps", 5437, 0.10, 0.10},
    {"a100-l2-bandwidth", "36-MiB", "requested_gbps", 3004, 0.12, 0.12},
    {"a100-l2-bandwidth", "56-MiB", "requested_gbps", 1915, 0.10, 0.10},
    {"h100-l2-bandwidth", "8-MiB", "requested_gbps", 7034, 0.10, 0.10},
    {"h100-l2-bandwidth", "43-MiB", "requested_gbps", 4253, 0.25, 0.25},
    {"h100-l2-bandwidth", "62-MiB", "requested_gbps", 2077, 0.10, 0.10},
    {"h100-l2-bandwidth", "sxm-39-MiB", "l2.hit_rate", 0.647, 0.12, 0.12},
};

START_TEST(L2_is_as_fast_as_measured)
{
    char *folder = temporary_folder();
    g_autofree char *arguments =
        g_strdup_printf("%s --variant %s", published[_i].scenario, published[_i].variant);
    run(folder, arguments);
    const double modelled = summary_of(folder, published[_i].variant, published[_i].quantity);
    temporary_remove(folder);
    const double error = modelled / published[_i].measured - 1;
    ck_assert_msg(error >= -published[_i].below && error <= published[_i].above,
                  "%s of %s: %.1f, on the hardware %.1f", published[_i].quantity, arguments,
                  modelled, published[_i].measured);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("l2_measured");
    TCase *cases = tcase_create("published");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, L2_is_as_fast_as_measured, 0, G_N_ELEMENTS(published));
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
