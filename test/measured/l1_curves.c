/* L1 against published curves of te42kyfo/gpu-benches at commit 1c36d509: what a load that hits
 * takes at each stride (V100, A100), and where loads begin to miss (V100). Kernel launch and end,
 * about 300 cycles, are taken out by subtracting a shorter run. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"

/* --- strides ---------------------------------------------------------------------------------- */

enum { FEW, MANY };

static const struct {
    const char *scenario, *preset, *stride, *settings, *repeats;
    unsigned repeat[2];
    unsigned loads; /* of all warps in one repeat */
    const char *file, *element;
    guint points;
    double mean_error;
} curves[] = {
    {"l1-spread",
     "v100",
     "spread",
     "",
     "pairs",
     {32, 96},
     16,
     "test/measured/v100-l1-spread.csv",
     "double",
     64,
     0.02},
    {"l1-strides",
     "a100",
     "stride",
     "workload.element_bytes = 4\n",
     "iterations",
     {4, 12},
     256,
     "test/measured/a100-l1-strides.csv",
     "float",
     65,
     0.03},
    {"l1-strides",
     "a100",
     "stride",
     "workload.element_bytes = 8\n",
     "iterations",
     {4, 12},
     256,
     "test/measured/a100-l1-strides.csv",
     "double",
     65,
     0.03},
};

typedef struct {
    unsigned stride;
    double cycles;
} StridePoint;

static GArray *read_curve(const char *file, const char *element)
{
    GArray *points = g_array_new(FALSE, FALSE, sizeof(StridePoint));
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(file, &text, NULL, NULL), "no %s", file);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_free(text);
    for (char **line = lines; *line; line++) {
        g_auto(GStrv) fields = g_strsplit(*line, ",", -1);
        if (g_strv_length(fields) != 3 || strcmp(fields[0], element) != 0) continue;
        const StridePoint point = {(unsigned)g_ascii_strtoull(fields[1], NULL, 10),
                                   g_ascii_strtod(fields[2], NULL)};
        g_array_append_val(points, point);
    }
    return points;
}

/* A scenario with two variants a point, and the words that run them. */
static char *scenario_of_curve(const char *folder, int curve, const GArray *points)
{
    g_autoptr(GString) text = g_string_new("[scenario]\n");
    g_autoptr(GString) words = g_string_new(NULL);
    g_string_append_printf(text,
                           "extends = %s.ini\n\n"
                           "[machine]\nsms = 1\npartitions = 2\npeak_bandwidth_gbps = 0\n",
                           curves[curve].scenario);
    for (guint i = 0; i < 2 * points->len; i++) {
        g_string_append_printf(
            text, "\n[variant v%u]\nextends = %s\nworkload.%s = %u\nworkload.%s = %u\n%s", i,
            curves[curve].preset, curves[curve].stride,
            g_array_index(points, StridePoint, i / 2).stride, curves[curve].repeats,
            curves[curve].repeat[i % 2], curves[curve].settings);
        g_string_append_printf(words, " --variant v%u", i);
    }
    g_autofree char *path = temporary_file(folder, "curve.ini", text->str);
    return g_strconcat(path, words->str, NULL);
}

static double curve_cycles(const char *folder, int curve, guint point)
{
    double cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *variant = g_strdup_printf("v%u", 2 * point + i);
        cycles[i] = summary_of(folder, variant, "core_cycles");
    }
    const unsigned more = curves[curve].repeat[MANY] - curves[curve].repeat[FEW];
    return (cycles[MANY] - cycles[FEW]) / (more * curves[curve].loads);
}

START_TEST(loads_at_a_stride_take_as_long_as_measured)
{
    g_autoptr(GArray) points = read_curve(curves[_i].file, curves[_i].element);
    ck_assert_uint_eq(points->len, curves[_i].points);
    char *folder = temporary_folder();
    g_autofree char *words = scenario_of_curve(folder, _i, points);
    run(folder, words);
    double sum = 0, worst = 0;
    unsigned worst_stride = 0;
    for (guint i = 0; i < points->len; i++) {
        const StridePoint *point = &g_array_index(points, StridePoint, i);
        const double error = fabs(curve_cycles(folder, _i, i) / point->cycles - 1);
        sum += error;
        if (error > worst) worst = error, worst_stride = point->stride;
    }
    temporary_remove(folder);
    ck_assert_msg(sum / points->len <= curves[_i].mean_error,
                  "%s, %s: %.1f %% off on average, %.1f %% at %u", curves[_i].scenario,
                  curves[_i].element, 100 * sum / points->len, 100 * worst, worst_stride);
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
