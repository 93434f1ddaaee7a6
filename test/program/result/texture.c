/* What a result says of a machine that samples textures. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/texture_kernel.h"
#include "scenarios/program/result/result.h"

static const char *const caches[] = {
    "texture.cache = l1", "texture.cache = own",
    "texture.cache = own; load_store.through_texture = everything"};

/* Lines of texels: those of memory instructions that go the same way are left out. */
static double texels(Machine *machine, const char *unit, const char *stat, const char *data)
{
    return (double)(small_machine_sum(machine, unit, stat)
                    - small_machine_sum(machine, "texture", data));
}

/* The hit rate is that of the cache that the texels are in. */
START_TEST(a_summary_says_what_was_sampled)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(caches[_i]);
    g_autoptr(LaunchList) none = launch_list_new();
    Machine *machine = texture_machine_new(NULL, caches[_i]);
    const RunReport report = small_machine_run(machine);
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    const Run run = {.name = {"textures", NULL},
                     .variant = "baseline",
                     .configuration = configuration,
                     .machine = machine,
                     .report = &report,
                     .launches = none};
    g_autoptr(Aggregate) aggregate = aggregate_new(machine, 0);
    g_autoptr(JsonNode) summary = result_summary(&run, aggregate);
    const char *unit = _i ? "texture" : "l1", *prefix = _i ? "" : "texture_";
    g_autofree char *hits = g_strconcat(prefix, "hits", NULL),
                    *misses = g_strconcat(prefix, "misses", NULL);
    const double lines = texels(machine, "texture", "lines", "data_lines_read");
    ck_assert_int_eq(small_machine_sum(machine, "texture", "data_lines_read") > 0, _i == 2);
    ck_assert_double_eq(result_number(summary, "texture.accesses"), lines);
    ck_assert_double_eq(result_number(summary, "texture.hits"),
                        texels(machine, unit, hits, "data_hits"));
    ck_assert_double_eq(result_number(summary, "texture.misses"),
                        texels(machine, unit, misses, "data_misses"));
    ck_assert_double_eq(result_number(summary, "texture.hits")
                            + result_number(summary, "texture.misses")
                            + result_number(summary, "texture.merged"),
                        lines);
    ck_assert_double_eq_tol(result_number(summary, "texture.hit_rate"),
                            result_number(summary, "texture.hits") / lines, 1e-12);
    ck_assert_double_eq_tol(result_number(summary, "texture.gsamples_per_s"),
                            (double)small_machine_sum(machine, "texture", "samples")
                                / result_number(summary, "time_ns"),
                            1e-9);
    ck_assert_double_gt(result_number(summary, "texture.mean_latency_cycles"), 50);
    const double loads = (double)small_machine_sum(machine, "texture", "data_lines_read"),
                 hits_of_loads = (double)small_machine_sum(machine, "texture", "data_hits");
    const uint64_t other = small_machine_sum(machine, "texture", "past_cache")
                           + small_machine_sum(machine, "texture", "stores")
                           + small_machine_sum(machine, "texture", "atomics");
    ck_assert_double_eq(result_number(summary, "transactions"),
                        (double)(small_machine_sum(machine, "l1", "line_transactions") + other)
                            + loads);
    if (_i == 2) {
        ck_assert_double_eq(result_number(summary, "texture_data.accesses"), loads);
        ck_assert_double_eq_tol(result_number(summary, "texture_data.hit_rate"),
                                hits_of_loads / loads, 1e-12);
    } else {
        ck_assert(!isfinite(result_number(summary, "texture_data.accesses")));
    }
    g_autoptr(JsonNode) stages = result_stages(aggregate, RESULT_WHOLE);
    ck_assert_double_gt(result_number(stages, "texture_dram.count"), 0);
    ck_assert_double_gt(result_number(stages, "texture_dram.filter"), 0);
    machine_free(machine);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_result");
    tcase_add_loop_test(cases, a_summary_says_what_was_sampled, 0, G_N_ELEMENTS(caches));
    return harness_run_cases("texture_result", cases);
}
