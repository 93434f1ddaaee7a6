/* The loaded-latency curve of a quarter of a V100: flat, a knee, a wall. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

/* What a point of the curve says. */
typedef struct {
    double offered, achieved; /* GB/s */
    double mean, p95;         /* the probe's latency, cycles */
    double all;               /* that of all loads */
} Sample;

static double number(const char *folder, const char *name)
{
    return summary_of(folder, "baseline", name);
}

static Sample sample(const char *settings)
{
    char *folder = temporary_folder();
    g_autofree char *arguments = g_strconcat("loaded-latency --variant baseline ", settings, NULL);
    run(folder, arguments);
    const Sample s = {number(folder, "offered_gbps"), number(folder, "dram.bandwidth_gbps"),
                      number(folder, "probe_latency.mean"), number(folder, "probe_latency.p95"),
                      number(folder, "load_latency_cycles.mean")};
    temporary_remove(folder);
    return s;
}

static Sample at(double load, double write_share)
{
    g_autofree char *settings =
        g_strdup_printf("--set workload.load=%g --set workload.write_share=%g", load, write_share);
    return sample(settings);
}

#define NEAR(value, expected, relative)                                                            \
    do {                                                                                           \
        const double value_ = (value), expected_ = (expected);                                     \
        ck_assert_msg(fabs(value_ / expected_ - 1) <= (relative), "%s: %g, expected %g", #value,   \
                      value_, expected_);                                                          \
    } while (0)

/* The machine of the scenario with another workload. */
static char *run_other(const char *workload)
{
    static const char machine[] = "[scenario]\nextends = v100\n[machine]\nsms = 20\n"
                                  "partitions = 8\npeak_bandwidth_gbps = 0\n[workload]\n";
    char *folder = temporary_folder();
    g_autofree char *path = g_build_filename(folder, "other.ini", NULL);
    g_autofree char *text = g_strconcat(machine, workload, NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    run(folder, path);
    return folder;
}

/* Without traffic eight chains take as long as one that is alone in the machine. */
START_TEST(unloaded_the_probe_is_a_pointer_chase)
{
    char *folder = run_other("pattern = pointer_chase\nworking_set = 64 MiB\nnode_pitch = 128 B\n"
                             "loads = 1000\nwarps = 1\n");
    const Sample idle = at(0, 0);
    NEAR(idle.mean, number(folder, "probe_latency.mean"), 0.02);
    ck_assert_double_eq(idle.offered, 0);
    temporary_remove(folder);
}
END_TEST

/* Until half of the peak a load takes less than a tenth longer; what is offered arrives but for the
 * ends of the run, 1,200 of 51,200 cycles. */
START_TEST(latency_rises_with_load_first_slowly_and_then_steeply)
{
    static const double loads[] = {0, 0.3, 0.5, 0.7, 0.9, 1.0, 1.1};
    Sample s[G_N_ELEMENTS(loads)];
    for (guint i = 0; i < G_N_ELEMENTS(loads); i++) {
        s[i] = at(loads[i], 0);
        NEAR(s[i].offered + 1, 224.512 * loads[i] + 1, 1e-6);
        if (i) ck_assert_double_ge(s[i].mean, 0.99 * s[i - 1].mean);
        if (i && loads[i] <= 0.9) NEAR(s[i].achieved, s[i].offered, 0.025);
    }
    ck_assert_double_le(s[2].mean, 1.1 * s[0].mean);
    ck_assert_double_le(s[4].mean, 1.35 * s[0].mean);
    ck_assert_double_ge(s[4].p95, 1.2 * s[0].p95);
    ck_assert_double_ge(s[6].mean, 2 * s[0].mean);
    ck_assert_double_le(s[6].achieved, 0.9 * s[6].offered);
}
END_TEST

/* Offered more than it can take, DRAM delivers what it does to a kernel that only reads. */
START_TEST(the_wall_is_the_bandwidth_of_a_stream)
{
    char *folder = run_other("pattern = stream\noperation = read\narray_bytes = 10 MiB\n");
    NEAR(at(1.5, 0).achieved, number(folder, "dram.bandwidth_gbps"), 0.05);
    temporary_remove(folder);
}
END_TEST

/* Offered more than they can ask for, 19 SMs x 8 warps with one load of 128 B each have bandwidth
 * x latency = 152 x 128 B by Little's law. With 16 loads, which wait for each other in order,
 * no more than 16 times that are under way. */
START_TEST(latency_at_the_wall_follows_from_littles_law)
{
    const double cycles_a_ns = 1.38;
    const Sample one = sample("--set workload.load=1.5 --set workload.in_flight=1");
    const Sample many = at(1.5, 0);
    NEAR(one.all * one.achieved / cycles_a_ns, 152 * 128, 0.05);
    ck_assert_double_le(one.achieved, 0.5 * many.achieved);
    ck_assert_double_le(many.all * many.achieved / cycles_a_ns, 16 * 152 * 128);
    ck_assert_double_ge(many.all * many.achieved / cycles_a_ns, 12 * 152 * 128);
}
END_TEST

START_TEST(writes_lower_the_saturation_bandwidth_and_raise_latency)
{
    const Sample reads = at(1.2, 0), quarter = at(1.2, 0.25), half = at(1.2, 0.5);
    ck_assert_double_le(quarter.achieved, 0.97 * reads.achieved);
    ck_assert_double_le(half.achieved, 0.97 * quarter.achieved);
    const Sample before = at(0.9, 0), mixed = at(0.9, 0.5);
    ck_assert_double_ge(mixed.mean, 1.15 * before.mean);
}
END_TEST

/* DRAM's writes are what L2 evicts: in the long run the share that the traffic stores. Without a
 * fill L2 takes the first 1.5 MiB. */
START_TEST(after_a_fill_DRAM_has_the_mix_that_was_asked_for)
{
    static const char *const fills[] = {"2304 KiB", "0 B"};
    double share[2];
    for (guint i = 0; i < 2; i++) {
        char *folder = temporary_folder();
        g_autofree char *arguments = g_strdup_printf(
            "loaded-latency --variant baseline --set workload.write_share=0.5 --set "
            "'workload.load=20 %%' --set 'workload.fill=%s'",
            fills[i]);
        run(folder, arguments);
        const double written = number(folder, "dram.write_bytes");
        share[i] = written / (written + number(folder, "dram.read_bytes"));
        temporary_remove(folder);
    }
    NEAR(share[0], 0.5, 0.03);
    ck_assert_double_le(share[1], 0.4);
}
END_TEST

/* Inside L2 the traffic costs DRAM nothing. */
START_TEST(arrays_in_L2_load_L2_alone)
{
    const Sample s = sample("--set 'workload.load=90 %' --set 'workload.array_bytes=256 KiB' "
                            "--set 'workload.fill=512 KiB'");
    ck_assert_double_le(s.achieved, 0.1 * s.offered);
    ck_assert_double_le(s.all, 300); /* hits: 215 cycles and what they wait for each other */
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("loaded_latency");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, unloaded_the_probe_is_a_pointer_chase);
    tcase_add_test(cases, latency_rises_with_load_first_slowly_and_then_steeply);
    tcase_add_test(cases, the_wall_is_the_bandwidth_of_a_stream);
    tcase_add_test(cases, latency_at_the_wall_follows_from_littles_law);
    tcase_add_test(cases, writes_lower_the_saturation_bandwidth_and_raise_latency);
    tcase_add_test(cases, after_a_fill_DRAM_has_the_mix_that_was_asked_for);
    tcase_add_test(cases, arrays_in_L2_load_L2_alone);
    Suite *suite = suite_create("loaded_latency");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
