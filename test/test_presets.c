/* The presets other than the V100 against published load latencies, in cycles; the sources are
 * named in the presets. What is calibrated to them must stay there. */
#include <math.h>

#include "shipped.h"

static const struct {
    const char *preset, *variant;
    double published;
} latencies[] = {
    {"gtx480", "l1", 35},    {"gtx480", "l2", 155}, {"gtx480", "dram", 342}, {"gtx780", "l2", 198},
    {"gtx780", "dram", 339}, {"k80", "l1", 35},     {"k80", "l2", 200},      {"k80", "dram", 331},
    {"gtx980", "l1", 82},    {"gtx980", "l2", 214}, {"gtx980", "dram", 383}, {"p100", "l1", 82},
    {"p100", "l2", 234},     {"p100", "dram", 482}, {"a100", "l1", 36},      {"a100", "l2", 213},
    {"a100", "dram", 574},
};

START_TEST(a_preset_has_the_load_latency_that_was_published)
{
    char *folder = temporary_folder();
    g_autofree char *arguments = g_strdup_printf("scenarios/%s-latency.ini --variant %s",
                                                 latencies[_i].preset, latencies[_i].variant);
    run(folder, arguments);
    const double modelled = summary_of(folder, latencies[_i].variant, "cycles_per_load");
    temporary_remove(folder);
    ck_assert_msg(fabs(modelled / latencies[_i].published - 1) <= 0.05,
                  "%s: %.1f cycles, published %.1f", arguments, modelled, latencies[_i].published);
}
END_TEST

/* Bandwidth of a long read, as a share of the peak that the preset states and `check` compares. */
static const struct {
    const char *preset;
    unsigned mebibytes;
    double peak_gbps;
} peaks[] = {{"gtx480", 24, 177.4}, {"gtx780", 24, 288.4}, {"k80", 24, 240.5},
             {"gtx980", 24, 224.4}, {"p100", 24, 732.2},   {"a100", 96, 1555.2}};

START_TEST(a_preset_streams_at_nearly_its_peak_bandwidth)
{
    char *folder = temporary_folder();
    g_autofree char *arguments = g_strdup_printf(
        "platform/%s.ini --set workload.pattern=stream --set workload.operation=read "
        "--set 'workload.array_bytes=%u MiB' --set 'workload.element_bytes=16 B' "
        "--set workload.threads_per_cta=256",
        peaks[_i].preset, peaks[_i].mebibytes);
    run(folder, arguments);
    const double gbps = summary_of(folder, "baseline", "counted_gbps");
    temporary_remove(folder);
    ck_assert_msg(gbps >= 0.9 * peaks[_i].peak_gbps && gbps <= 1.01 * peaks[_i].peak_gbps,
                  "%s: %.1f GB/s of %.1f", arguments, gbps, peaks[_i].peak_gbps);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("presets");
    TCase *cases = tcase_create("published");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, a_preset_has_the_load_latency_that_was_published, 0,
                        G_N_ELEMENTS(latencies));
    tcase_add_loop_test(cases, a_preset_streams_at_nearly_its_peak_bandwidth, 0,
                        G_N_ELEMENTS(peaks));
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
