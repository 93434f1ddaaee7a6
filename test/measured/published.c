/* Points of scenarios/measured/published, run as `warpmem validate` runs them: streams with as many
 * threads as an SM has, the last point of each curve, whole kernels, and single points. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"
#include "scenarios/program/validate/published.h"

static const struct {
    const char *name, *threads; /* of a block: two fill an SM, of an RX 6900 XT a WGP */
    int percent;
} presets[] = {{"v100", "1024", 4},     {"a100", "1024", 4}, {"h100", "1024", 4},
               {"mi100", "1024", 4},    {"a40", "768", 4},   {"l40", "768", 4},
               {"rx6900xt", "1024", 10}};
static const char *const curves[] = {"stream init", "stream read", "stream scale", "stream triad"};

static GPtrArray *read_curves(const char *preset)
{
    g_autofree char *file = published_file(preset);
    g_autoptr(GError) error = NULL;
    GPtrArray *read = published_read(file, preset, &error);
    ck_assert_msg(read != NULL, "%s", error ? error->message : "");
    return read;
}

static const PublishedCurve *find_curve(const GPtrArray *read, const char *name)
{
    for (guint i = 0; i < read->len; i++) {
        const PublishedCurve *curve = read->pdata[i];
        if (g_str_equal(curve->name, name)) return curve;
    }
    ck_abort_msg("no curve %s", name);
}

static double run_point(const PublishedCurve *curve, const PublishedPoint *point)
{
    const char *variant = point->variant ? point->variant : "baseline";
    g_autoptr(GString) arguments = g_string_new(curve->scenario);
    g_string_append_printf(arguments, " --set scenario.extends=%s --variant %s", curve->preset,
                           variant);
    for (char *const *set = point->sets; *set; set++)
        g_string_append_printf(arguments, " --set '%s'", *set);
    char *folder = temporary_folder();
    run(folder, arguments->str);
    const double result = summary_of(folder, variant, curve->result);
    temporary_remove(folder);
    return result;
}

static void check_point(const PublishedCurve *curve, const PublishedPoint *point, int percent)
{
    const double modelled = run_point(curve, point);
    ck_assert_msg(fabs(modelled / point->value - 1) <= percent / 100.0,
                  "%s, %s at %s: %.1f, published %.1f", curve->preset, curve->name, point->at,
                  modelled, point->value);
}

START_TEST(a_full_GPU_streams_as_fast_as_was_published)
{
    const guint preset = (guint)_i / G_N_ELEMENTS(curves);
    g_autoptr(GPtrArray) read = read_curves(presets[preset].name);
    const PublishedCurve *curve = find_curve(read, curves[_i % G_N_ELEMENTS(curves)]);
    const PublishedPoint *point = curve->points->pdata[curve->points->len - 1];
    ck_assert_str_eq(point->at, presets[preset].threads);
    check_point(curve, point, presets[preset].percent);
}
END_TEST

/* Of kernels' times those that are short, and bound by what their name says; of what DRAM reads
 * those that miss sector by sector: L2 fetches two for a load, one for a store that is to go
 * unfinished. An L40's edge of L1, L2 with all SMs, and pieces of 8 KiB from DRAM; loads of 4 B.
 * An RX 6900 XT's plateaus and edges, hits of 16 B a lane in L0 and in L1, L2 and behind it. */
static const struct {
    const char *preset, *curve, *at;
    int percent;
} points[] = {
    {"h100-sxm", "kernels", "structures", 12},
    {"h100-sxm", "kernels", "product-tile", 12},
    {"h100-sxm", "kernels", "gather-near", 12},
    {"h100-sxm", "kernels", "sparse", 12},
    {"h100-sxm", "kernels-read", "gather", 12},
    {"h100-sxm", "kernels-read", "scatter", 12},
    {"h100-sxm", "kernels-read", "transpose", 12},
    {"h100-sxm", "kernels-read", "stencil", 12},
    {"gtx480", "l1-bandwidth", "2", 3},
    {"gtx480", "l1-bandwidth", "16", 8},
    {"l40", "latency", "110272 B", 3},
    {"l40", "l2-bandwidth", "28", 4},
    {"l40", "l2-bandwidth", "259", 4},
    {"a40", "l1-bandwidth", "56", 3},
    {"rx6900xt", "latency", "15936 B", 2},
    {"rx6900xt", "latency", "18496 B", 4},
    {"rx6900xt", "latency", "98176 B", 3},
    {"rx6900xt", "latency", "164160 B", 4},
    {"rx6900xt", "latency", "1876032 B", 3},
    {"rx6900xt", "latency", "4881984 B", 4},
    {"rx6900xt", "latency", "24716160 B", 4},
    {"rx6900xt", "l1-bandwidth hits", "32", 5},
    {"rx6900xt", "l1-bandwidth hits", "104", 5},
    {"rx6900xt", "l2-bandwidth", "6", 5},
    {"rx6900xt", "l2-bandwidth", "66", 4},
};

START_TEST(a_point_is_as_it_was_measured)
{
    g_autoptr(GPtrArray) read = read_curves(points[_i].preset);
    const PublishedCurve *curve = find_curve(read, points[_i].curve);
    for (guint i = 0; i < curve->points->len; i++) {
        const PublishedPoint *point = curve->points->pdata[i];
        if (!g_str_equal(point->at, points[_i].at)) continue;
        check_point(curve, point, points[_i].percent);
        return;
    }
    ck_abort_msg("no point %s", points[_i].at);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("published");
    TCase *cases = tcase_create("published");
    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, a_full_GPU_streams_as_fast_as_was_published, 0,
                        G_N_ELEMENTS(presets) * G_N_ELEMENTS(curves));
    tcase_add_loop_test(cases, a_point_is_as_it_was_measured, 0, G_N_ELEMENTS(points));
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
