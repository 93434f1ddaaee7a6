#include "rigs/harness.h"
#include "rigs/samples.h"

/* --- random ----------------------------------------------------------------------------------- */

static const struct {
    const char *hit;
    double least, most;
} shares[] = {{"0", 0, 0}, {"0.5", 0.48, 0.52}, {"0.9", 0.88, 0.92}, {"1", 1, 1}};

/* The hot 4 KiB are the first 16 rows of 64 texels; 64 x 32 lanes x 16 samples = 32768. */
START_TEST(the_wanted_share_of_samples_is_hot)
{
    g_autofree char *text = g_strdup_printf(
        "workload.pattern=texture_random\nworkload.footprint=64 KiB\nworkload.texture_width=64\n"
        "workload.hot_footprint=4 KiB\nworkload.hit=%s\n",
        shares[_i].hit);
    g_autoptr(LaunchList) list = launches_of(text);
    const Kernel *kernel = kernel_of(list, 0);
    uint32_t hot = 0, all = 0;
    double highest = 0;
    for (uint32_t n = 0; n < 64; n++) {
        g_autoptr(GArray) warp = sample_warp(kernel, n / 8, n % 8);
        for (guint i = 0; i < 16; i++, all += 32)
            for (uint32_t lane = 0; lane < 32; lane++) {
                const TexturePoint *point = &sampled_at(warp, i)->at.point[lane];
                ck_assert(point->x > 0 && point->x < 64 && point->y > 0 && point->y < 256);
                hot += point->y < 16;
                highest = MAX(highest, (double)point->y);
            }
    }
    ck_assert_double_ge((double)hot / all, shares[_i].least);
    ck_assert_double_le((double)hot / all, shares[_i].most);
    if (shares[_i].most < 1) ck_assert_double_eq(highest, 255.5);
    ck_assert_uint_eq(kernel->footprint, 65536);
    ck_assert_uint_eq(kernel->counted_bytes, UINT64_C(160) * 256 * 16 * 4);
}
END_TEST

START_TEST(quads_and_warps_draw_together)
{
    g_autoptr(LaunchList) quads =
        launches_with("workload.pattern=texture_random\nworkload.grain=quad\n", 64);
    g_autoptr(LaunchList) warps =
        launches_with("workload.pattern=texture_random\nworkload.grain=warp\n", 64);
    g_autoptr(GArray) a = sample_warp(kernel_of(quads, 0), 5, 1);
    g_autoptr(GArray) b = sample_warp(kernel_of(warps, 0), 5, 1);
    uint32_t apart = 0;
    for (uint32_t lane = 0; lane < 64; lane++) {
        const Sampled *quad = sampled_at(a, 3);
        const TexturePoint first = quad->at.point[lane & ~3u];
        ck_assert_uint_eq((uint32_t)first.x % 2, 0);
        assert_point(quad, lane, first.x + (lane & 1), first.y + (lane >> 1 & 1));
        apart += first.y != quad->at.point[0].y;
        assert_point(sampled_at(b, 3), lane, sampled_at(b, 3)->at.point[0].x,
                     sampled_at(b, 3)->at.point[0].y);
    }
    ck_assert_uint_gt(apart, 16);
    ck_assert_float_ne(sampled_at(b, 3)->at.point[0].y, sampled_at(b, 4)->at.point[0].y);
}
END_TEST

START_TEST(samples_of_one_register_follow_each_other)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=texture_random\nworkload.in_flight=2\nworkload.iterations=3\n"
                    "workload.textures=2\nworkload.compute_instructions=7\n");
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 0);
    ck_assert_uint_eq(warp->len, 3 * 2 + 2); /* the last ones are read, EXIT */
    ck_assert_uint_eq(sampled_at(warp, 0)->in.repeat, 7);
    const Instruction *first = &sampled_at(warp, 1)->in, *second = &sampled_at(warp, 3)->in,
                      *third = &sampled_at(warp, 5)->in, *end = &sampled_at(warp, 6)->in;
    ck_assert_uint_ne(first->destination, second->destination);
    ck_assert_uint_eq(first->destination, third->destination);
    ck_assert_uint_eq(third->sources[third->source_count - 1], first->destination);
    ck_assert_ptr_ne(first->binding, second->binding); /* in turns */
    ck_assert_ptr_eq(first->binding, third->binding);
    ck_assert_uint_eq(end->source_count, 2);
}
END_TEST

/* --- look-up ---------------------------------------------------------------------------------- */

static const struct {
    const char *keys;
    uint32_t axis;
    double size;
} tables[] = {
    {"texture_width=1000", 0, 1000},
    {"texture_kind=2d\nworkload.texture_width=64\nworkload.texture_height=500", 1, 500},
    {"texture_kind=3d\nworkload.texture_width=16\nworkload.texture_depth=32", 2, 32},
};

/* 0.6 of the lookups go to a tenth of the table, the others anywhere: 0.64 in that tenth. */
START_TEST(lookups_are_uniform_but_for_the_hot_part)
{
    g_autofree char *text =
        g_strdup_printf("workload.pattern=texture_lookup\nworkload.hot_lookups=0.6\n"
                        "workload.%s\n",
                        tables[_i].keys);
    g_autoptr(LaunchList) list = launches_of(text);
    const Kernel *kernel = kernel_of(list, 0);
    uint32_t hot = 0, fractions = 0;
    double highest = 0;
    for (uint32_t n = 0; n < 32; n++) {
        g_autoptr(GArray) warp = sample_warp(kernel, n, 2);
        for (guint i = 0; i < 16 * 32; i++) {
            const Sampled *s = sampled_at(warp, i / 32);
            const TexturePoint point = s->at.point[i % 32];
            const double place = tables[_i].axis == 0   ? point.x
                                 : tables[_i].axis == 1 ? point.y
                                                        : point.z;
            ck_assert(place >= 0 && place < tables[_i].size);
            hot += place < tables[_i].size / 10;
            fractions += place != (double)(uint64_t)place;
            highest = MAX(highest, place);
        }
    }
    ck_assert_double_eq_tol((double)hot / (32 * 16 * 32), 0.64, 0.02);
    ck_assert_double_gt(highest, 0.99 * tables[_i].size);
    ck_assert_uint_gt(fractions, 16000); /* places between texels, to interpolate */
    ck_assert_uint_eq(kernel->counted_bytes, UINT64_C(160) * 256 * 16 * 4);
}
END_TEST

/* --- convolution ------------------------------------------------------------------------------ */

START_TEST(each_tap_is_read_around_the_pixel)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=convolution\nworkload.size=3\nworkload.unroll=4\n");
    g_autoptr(GArray) warp = sample_warp(kernel_of(list, 0), 0, 3); /* pixel (8, 4) on */
    /* 4 reads, 4 sums, 4 and 4, 1 and 1 */
    static const int8_t taps[] = {0, 1, 2, 3, -1, -1, -1, -1, 4, 5, 6, 7, -1, -1, -1, -1, 8, -1};
    ck_assert_uint_eq(warp->len, 1 + 18 + 2);
    for (guint i = 0; i < G_N_ELEMENTS(taps); i++) {
        const Sampled *s = sampled_at(warp, 1 + i);
        ck_assert_int_eq(s->in.binding != NULL, taps[i] >= 0);
        if (taps[i] < 0) continue;
        assert_point(s, 0, 8.5 + taps[i] % 3 - 1, 4.5 + taps[i] / 3 - 1);
        assert_point(s, 31, 15.5 + taps[i] % 3 - 1, 7.5 + taps[i] / 3 - 1);
        ck_assert_int_eq(s->in.sample_mode, SAMPLE_LEVEL);
    }
    ck_assert_uint_eq(sampled_at(warp, 5)->in.sources[0], sampled_at(warp, 1)->in.destination);
    ck_assert_uint_eq(sampled_at(warp, 18)->in.sources[0], sampled_at(warp, 17)->in.destination);
    ck_assert_uint_eq(sampled_at(warp, 19)->in.operation, OPERATION_STORE);
    ck_assert_uint_eq(sampled_at(warp, 19)->in.sources[2], sampled_at(warp, 18)->in.destination);
}
END_TEST

static bool step_reads(const SampleStep *step, uint64_t address)
{
    for (uint32_t i = 0; i < step->count; i++)
        if (step->address[i] == address) return true;
    return false;
}

/* The addresses of the sample's texels are those of as many loads from `first` on. */
static void assert_same_texels(const Sampled *s, const GArray *loads, guint first, uint32_t texels)
{
    const TextureBinding *binding = s->in.binding;
    TextureDetail detail;
    SampleStep step;
    texture_detail_of_level(&binding->texture, &binding->sampler, 0, &detail);
    for (uint32_t lane = 0; lane < 32; lane++) {
        texture_sample_step(&binding->texture, &binding->sampler, &detail, &s->at.point[lane], 0,
                            &step);
        for (uint32_t i = 0; i < texels; i++)
            ck_assert(step_reads(&step, fetched_at(loads, first + i)->address[lane]));
    }
}

static void compare_paths(const Kernel *texture, const Kernel *global, uint64_t cta, uint32_t warp)
{
    g_autoptr(GArray) samples = sample_warp(texture, cta, warp);
    g_autoptr(GArray) loads = fetch_warp(global, cta, warp, NULL);
    guint at = 0, compared = 0;
    for (guint i = 0; i < samples->len; i++) {
        const Sampled *s = sampled_at(samples, i);
        if (!s->in.binding) continue;
        const uint32_t texels = s->in.binding->sampler.filter == FILTER_POINT ? 1 : 4;
        while (fetched_at(loads, at)->in.operation != OPERATION_LOAD) at++;
        assert_same_texels(s, loads, at, texels);
        at += texels;
        compared++;
    }
    ck_assert_uint_eq(compared, 16);
}

static const char *const filters[] = {"point", "bilinear"};

START_TEST(both_paths_read_the_same_texels)
{
    const char *keys = "workload.pattern=convolution\nworkload.size=4\nworkload.unroll=3\n"
                       "workload.width=32\nworkload.height=16\nworkload.path=%s\n"
                       "workload.filter=%s\n";
    g_autofree char *a = g_strdup_printf(keys, "texture", filters[_i]);
    g_autofree char *b = g_strdup_printf(keys, "global", filters[_i]);
    g_autoptr(LaunchList) texture = launches_of(a);
    g_autoptr(LaunchList) global = launches_of(b);
    compare_paths(kernel_of(texture, 0), kernel_of(global, 0), 0, 0); /* upper left corner */
    compare_paths(kernel_of(texture, 0), kernel_of(global, 0), 1, 7); /* lower right */
    ck_assert_uint_eq(kernel_of(texture, 0)->counted_bytes, 32 * 16 * 8);
    ck_assert_uint_eq(kernel_of(global, 0)->counted_bytes, 32 * 16 * 8);
    ck_assert_uint_eq(kernel_of(global, 0)->footprint, kernel_of(texture, 0)->footprint);
}
END_TEST

START_TEST(plain_loads_interpolate_themselves)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.pattern=convolution\nworkload.size=1\nworkload.path=global\n"
                    "workload.filter=bilinear\nworkload.tap_instructions=9\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(warp->len, 1 + 1 + 4 + 1 + 2); /* index, address, loads, sum, store, EXIT */
    ck_assert_uint_eq(fetched_at(warp, 1)->in.repeat, 9);
    for (guint i = 2; i < 6; i++) ck_assert_uint_eq(fetched_at(warp, i)->in.space, SPACE_GLOBAL);
    ck_assert_uint_eq(fetched_at(warp, 6)->in.repeat, 7); /* 3 x a + w (b - a), and the tap */
    ck_assert_uint_eq(fetched_at(warp, 6)->in.source_count, 5);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("texture_loops");
    tcase_add_loop_test(cases, the_wanted_share_of_samples_is_hot, 0, G_N_ELEMENTS(shares));
    tcase_add_test(cases, quads_and_warps_draw_together);
    tcase_add_test(cases, samples_of_one_register_follow_each_other);
    tcase_add_loop_test(cases, lookups_are_uniform_but_for_the_hot_part, 0, G_N_ELEMENTS(tables));
    tcase_add_test(cases, each_tap_is_read_around_the_pixel);
    tcase_add_loop_test(cases, both_paths_read_the_same_texels, 0, G_N_ELEMENTS(filters));
    tcase_add_test(cases, plain_loads_interpolate_themselves);
    Suite *suite = suite_create("texture_loops");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
