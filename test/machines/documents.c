/* The preset `documents` has the mechanisms of the documents on: shipped workloads run on it, with
 * two SMs and two partitions, and each mechanism takes part in one. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

#define SMALL                                                                                      \
    " --set scenario.extends=documents --set machine.sms=2 --set machine.partitions=2"             \
    " --set machine.peak_bandwidth_gbps=0"
#define SHOWS(scenario, variant, ...)                                                              \
    {                                                                                              \
        scenario, variant,                                                                         \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct {
    const char *scenario, *variant;
    const char *counts[6]; /* all above zero */
} rows[] = {
    SHOWS("quickstart --set 'workload.array_bytes=192 KiB'", "baseline", "l1.replays",
          "l1.held_in_order", "sm.bank_conflicts", "sm.write_conflicts"),
    SHOWS("trace", "baseline", "sm.warp_instructions"),
    SHOWS("issue-mix", "kepler", "sm.operand_waits", "sm.fp64_accepted", "sm.sfu_lost"),
    SHOWS("bank-conflicts", "8-way", "l1.shared_passes", "l1.replays"),
    SHOWS("matmul --set workload.n=64", "direct", "sm.bank_conflicts", "l1.hits"),
    SHOWS("spills", "registers-24", "l1.local_writes", "l1.write_backs"),
    SHOWS("coherence", "all", "l1.write_hits"),
    SHOWS("l1-switches", "masked", "l2_slice.masked_writes"),
    SHOWS("atomics", "global-32", "rop.operations", "rop.hits"),
    SHOWS("blending --set workload.layers=2", "compressed", "rop.blends",
          "rop.bytes_saved_write_backs"),
    SHOWS("blit", "turned", "texture.held_out_of_order", "texture.hits", "texture.misses"),
    SHOWS("store-queue", "baseline", "access_scheduler.drains"),
    SHOWS("two-kernels", "uneven", "sm.warp_instructions"),
    SHOWS("local-memory", "same-index", "l1.tlb_misses", "l2_slice.refused_written"),
};

START_TEST(a_workload_runs_on_the_machine_of_the_documents)
{
    char *folder = temporary_folder();
    g_autofree char *line =
        g_strconcat(rows[_i].scenario, " --variant ", rows[_i].variant, SMALL, NULL);
    run(folder, line);
    for (guint k = 0; rows[_i].counts[k]; k++) {
        g_auto(GStrv) names = g_strsplit(rows[_i].counts[k], ".", 2);
        g_autofree char *path = g_strdup_printf("units.%s.total.%s", names[0], names[1]);
        ck_assert_msg(result_number(folder, rows[_i].variant, path) > 0, "%s: %s",
                      rows[_i].scenario, path);
    }
    temporary_remove(folder);
}
END_TEST

static double rate(const char *folder, const char *variant)
{
    return summary_of(folder, variant, "instructions_per_cycle");
}

/* Nine of eight, but for warps that end at different times; from two warps a cycle nearly eight. */
START_TEST(its_units_accept_more_than_its_schedulers_dispatch)
{
    char *folder = temporary_folder();
    run(folder, "issue-mix --variant documents --variant documents-wide "
                "--variant documents-two-warps");
    const double wide = rate(folder, "documents-wide"), own = rate(folder, "documents"),
                 two = rate(folder, "documents-two-warps");
    ck_assert_msg(wide > 9 * 0.94 && wide <= 9, "%g of units", wide);
    ck_assert_msg(two > 8 * 0.94 && two <= 8, "%g from two warps", two);
    ck_assert_msg(own < 0.9 * two, "%g from one", own);
    temporary_remove(folder);
}
END_TEST

static double mean_of(const char *folder, const char *name)
{
    g_autofree char *sum = g_strdup_printf("units.texture.total.%s.sum_fs", name),
                    *count = g_strdup_printf("units.texture.total.%s.count", name);
    return result_number(folder, "elastic-alone", sum)
           / result_number(folder, "elastic-alone", count);
}

/* One quad at a time. */
START_TEST(a_texture_hit_takes_as_long_as_a_miss)
{
    char *folder = temporary_folder();
    run(folder, "texture-hit-and-miss --variant elastic-alone" SMALL);
    const double hit = mean_of(folder, "hit_latency"), miss = mean_of(folder, "miss_latency");
    ck_assert_msg(hit <= miss && hit > 0.95 * miss, "%g and %g fs", hit, miss);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("documents");
    tcase_add_loop_test(cases, a_workload_runs_on_the_machine_of_the_documents, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, its_units_accept_more_than_its_schedulers_dispatch);
    tcase_add_test(cases, a_texture_hit_takes_as_long_as_a_miss);
    return harness_run_cases("documents", cases);
}
