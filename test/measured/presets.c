/* The presets other than the V100 against published load latencies, in cycles; the sources are
 * named in the presets. What is calibrated to them must stay there. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

#define A40 "a100-latency --set scenario.extends=a40"
#define L40 "a100-latency --set scenario.extends=l40"
/* 226 ns, chipsandcheese.com, Measuring GPU memory latency, 2021: far beyond what TLBs cover */
#define RX6900XT                                                                                   \
    "a100-latency --set scenario.extends=rx6900xt --set 'kernel warm_up.working_set=1 GiB'"        \
    " --set 'kernel timed.working_set=1 GiB' --set 'kernel timed.loads=8192'"

static const struct {
    const char *scenario, *variant;
    double published;
} latencies[] = {
    {"gtx480-latency", "l1", 35},
    {"gtx480-latency", "l2", 155},
    {"gtx480-latency", "dram", 342},
    {"gtx780-latency", "l2", 198},
    {"gtx780-latency", "dram", 339},
    {"k80-latency", "l1", 35},
    {"k80-latency", "l2", 200},
    {"k80-latency", "dram", 331},
    {"gtx980-latency", "l1", 82},
    {"gtx980-latency", "l2", 214},
    {"gtx980-latency", "dram", 383},
    {"p100-latency", "l1", 82},
    {"p100-latency", "l2", 234},
    {"p100-latency", "dram", 482},
    {"a100-latency", "l1", 36},
    {"a100-latency", "l2", 213},
    {"a100-latency", "dram", 574},
    {"h100-latency", "l1", 34.2},
    {"h100-latency", "l2", 265.5},
    {"h100-latency", "dram", 650},
    {A40, "l1", 33},
    {A40, "l2", 220},
    {A40, "dram", 529},
    {L40, "l1", 36.1},
    {L40, "l2", 276.5},
    {L40, "dram", 631.6},
    {RX6900XT, "dram", 581},
};

START_TEST(a_preset_has_the_load_latency_that_was_published)
{
    char *folder = temporary_folder();
    g_autofree char *arguments =
        g_strdup_printf("%s --variant %s", latencies[_i].scenario, latencies[_i].variant);
    run(folder, arguments);
    const double modelled = summary_of(folder, latencies[_i].variant, "cycles_per_load");
    temporary_remove(folder);
    ck_assert_msg(fabs(modelled / latencies[_i].published - 1) <= 0.05,
                  "%s: %.1f cycles, published %.1f", arguments, modelled, latencies[_i].published);
}
END_TEST

/* GB/s of a copy, L2 left dirty by the launch before. Calibrated is the K80's; where another card
 * of the same chip was measured, its share of the peak is taken. */
static const struct {
    const char *variant;
    double published, tolerance;
} copies[] = {
    /* BabelStream, double precision: GTX 580 176 of 192.4, GTX 780 Ti 282 of 336.5, K80 without ECC
     * 205, GTX 980 171 */
    {"gtx480", 162.3, 0.03},
    {"gtx780", 241.7, 0.03},
    {"k80", 205, 0.03},
    {"gtx980", 171, 0.03},
    /* V100 white paper: V100 delivers 1.5 times as much as P100, up to 95 % of 900 */
    {"p100", 570, 0.05},
    /* Jia et al. 2018, table 3.1; V100 750 there, where others measure 802: it is a lower figure */
    {"m60", 127, 0.15},
};

START_TEST(a_preset_copies_at_the_published_bandwidth)
{
    char *folder = temporary_folder();
    g_autofree char *arguments =
        g_strdup_printf("scenarios/measured/preset-bandwidth.ini --variant %s", copies[_i].variant);
    run(folder, arguments);
    const double gbps = summary_of(folder, copies[_i].variant, "counted_gbps");
    temporary_remove(folder);
    ck_assert_msg(fabs(gbps / copies[_i].published - 1) <= copies[_i].tolerance,
                  "%s: %.1f GB/s, published %.1f", arguments, gbps, copies[_i].published);
}
END_TEST

/* Long reads. GTX 980: clpeak, four floats a load; A100: gpu-benches, gpu-stream. */
static const struct {
    const char *preset;
    unsigned mebibytes;
    double published, tolerance;
} reads[] = {{"gtx980", 24, 174.8, 0.08}, {"a100", 96, 1490, 0.05}};

START_TEST(a_preset_reads_at_the_published_bandwidth)
{
    char *folder = temporary_folder();
    g_autofree char *arguments = g_strdup_printf(
        "platform/presets/%s.ini --set workload.pattern=stream --set workload.operation=read "
        "--set 'workload.array_bytes=%u MiB' --set 'workload.element_bytes=16 B' "
        "--set workload.threads_per_cta=256",
        reads[_i].preset, reads[_i].mebibytes);
    run(folder, arguments);
    const double gbps = summary_of(folder, "baseline", "counted_gbps");
    temporary_remove(folder);
    ck_assert_msg(fabs(gbps / reads[_i].published - 1) <= reads[_i].tolerance,
                  "%s: %.1f GB/s, published %.1f", arguments, gbps, reads[_i].published);
}
END_TEST

/* Random reads of 8 bytes in 444 MiB, 1e9 a second: look-ups of hash tables times their probes, of
 * owensgroup/BGHT. Each look-up does something besides. */
static const struct {
    const char *preset;
    double published, least, most;
} random_reads[] = {{"v100", 5.47, 1, 1.2}, {"a100", 13.6, 0.95, 1.1}};

START_TEST(a_preset_reads_at_random_as_often_as_was_published)
{
    char *folder = temporary_folder();
    g_autofree char *arguments = g_strdup_printf(
        "platform/presets/%s.ini --set workload.pattern=random --set workload.ctas=640 "
        "--set 'workload.footprint=444 MiB' --set 'workload.element_bytes=8 B' "
        "--set workload.iterations=2",
        random_reads[_i].preset);
    run(folder, arguments);
    const double reads = summary_of(folder, "baseline", "requested_gbps") / 8;
    temporary_remove(folder);
    const double ratio = reads / random_reads[_i].published;
    ck_assert_msg(ratio >= random_reads[_i].least && ratio <= random_reads[_i].most,
                  "%s: %.2fe9 reads a second, published %.2fe9", random_reads[_i].preset, reads,
                  random_reads[_i].published);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("presets");
    TCase *cases = tcase_create("published");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, a_preset_has_the_load_latency_that_was_published, 0,
                        G_N_ELEMENTS(latencies));
    tcase_add_loop_test(cases, a_preset_copies_at_the_published_bandwidth, 0, G_N_ELEMENTS(copies));
    tcase_add_loop_test(cases, a_preset_reads_at_the_published_bandwidth, 0, G_N_ELEMENTS(reads));
    tcase_add_loop_test(cases, a_preset_reads_at_random_as_often_as_was_published, 0,
                        G_N_ELEMENTS(random_reads));
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
