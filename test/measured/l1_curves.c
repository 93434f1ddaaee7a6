/* L1 against published curves of te42kyfo/gpu-benches at commit 1c36d509: what a load that hits
 * takes at each stride (V100, A100), and where loads begin to miss (V100). */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"

/* --- strides ---------------------------------------------------------------------------------- */

static const struct {
    const char *preset, *curve;
    double mean_error;
} curves[] = {{"v100", "l1-spread", 0.02},
              {"a100", "l1-strides float", 0.03},
              {"a100", "l1-strides double", 0.03}};

START_TEST(loads_at_a_stride_take_as_long_as_measured)
{
    char *folder = temporary_folder();
    g_autofree char *words = g_strdup_printf("validate %s --curve '%s' --all --json",
                                             curves[_i].preset, curves[_i].curve);
    const Outcome outcome = warpmem(folder, words);
    temporary_remove(folder);
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    g_autoptr(JsonNode) answer = json_from_string(outcome.out, NULL);
    ck_assert_double_ge(json_object_get_double_member(json_node_get_object(answer), "points"), 64);
    const double error = json_object_get_double_member(json_node_get_object(answer), "mean_error");
    ck_assert_msg(error <= curves[_i].mean_error, "%s: %.1f %%", words, 100 * error);
}
END_TEST

/* --- the edge of L1 --------------------------------------------------------------------------- */

/* gpu-latency of a V100: working sets 10 % apart, cycles a load. */
static const double edge_bytes[] = {109908, 120896, 133952, 148352, 164160, 181568, 200704, 221760};
static const double edge_measured[] = {30.0,  30.3,  89.5,  147.1,
                                       191.0, 204.2, 213.4, 214.4}; /* the ends not compared */
enum { EDGE_POINTS = G_N_ELEMENTS(edge_bytes), EDGE_WARM_UP = 20000 };

/* Cycles a load of the chase at `share` times the working sets of the grid. */
static void model_edge(const char *settings, double share, double bytes[], double cycles[])
{
    char *folder = temporary_folder();
    for (unsigned i = 0; i < EDGE_POINTS; i++) {
        const unsigned nodes = (unsigned)(edge_bytes[i] * share / 64);
        bytes[i] = nodes * 64.0;
        g_autofree char *arguments = g_strdup_printf(
            "v100-latency --variant l1 %s --set 'kernel warm_up.working_set=%u B' --set 'kernel "
            "timed.working_set=%u B' --set 'kernel warm_up.loads=%u' --set 'kernel "
            "timed.start_load=%u' --set 'kernel timed.loads=16384'",
            settings, nodes * 64, nodes * 64, EDGE_WARM_UP, EDGE_WARM_UP % nodes);
        run(folder, arguments);
        cycles[i] = summary_of(folder, "l1", "cycles_per_load");
    }
    temporary_remove(folder);
}

/* The working set at which the model reaches `wanted` cycles, between its points. */
static double edge_position(const double bytes[], const double cycles[], double wanted)
{
    for (unsigned i = 1; i < EDGE_POINTS; i++)
        if (cycles[i] >= wanted)
            return bytes[i - 1]
                   * pow(bytes[i] / bytes[i - 1],
                         (wanted - cycles[i - 1]) / (cycles[i] - cycles[i - 1]));
    ck_abort_msg("the model does not reach %.1f cycles", wanted);
}

START_TEST(loads_begin_to_miss_L1_where_they_were_measured_to)
{
    double bytes[EDGE_POINTS], cycles[EDGE_POINTS];
    model_edge("", 1, bytes, cycles);
    for (unsigned i = 1; i + 1 < EDGE_POINTS; i++) {
        const double steps =
            log(edge_position(bytes, cycles, edge_measured[i]) / edge_bytes[i]) / log(1.1);
        ck_assert_msg(fabs(steps) <= 1, "%.1f cycles are reached %.2f steps from %.0f B",
                      edge_measured[i], steps, edge_bytes[i]);
    }
}
END_TEST

START_TEST(the_edge_of_L1_moves_with_the_carve_out)
{
    const double half = (30 + 215) / 2.0, share = 57 / 121.0; /* KiB left of 128, less 7 reserved */
    double bytes[EDGE_POINTS], cycles[EDGE_POINTS];
    model_edge("--set 'first_level.carve_out=64 KiB'", share, bytes, cycles);
    const double carved = edge_position(bytes, cycles, half),
                 expected = edge_position(edge_bytes, edge_measured, half) * share;
    ck_assert_msg(fabs(carved / expected - 1) <= 0.05,
                  "half of the loads miss at %.0f B instead of %.0f", carved, expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("L1 curves");
    TCase *cases = tcase_create("published");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, loads_at_a_stride_take_as_long_as_measured, 0, G_N_ELEMENTS(curves));
    tcase_add_test(cases, loads_begin_to_miss_L1_where_they_were_measured_to);
    tcase_add_test(cases, the_edge_of_L1_moves_with_the_carve_out);
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
