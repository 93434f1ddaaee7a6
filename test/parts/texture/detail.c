#include "rigs/harness.h"

#include "parts/texture/sampler.h"

#include <math.h>

static Texture make(TextureKind kind, uint32_t width, uint32_t height, uint32_t depth)
{
    Texture texture;
    ck_assert(texture_init(&texture,
                           &(TextureShape){.kind = kind,
                                           .layout = TEXTURE_ROWS,
                                           .format = texture_format_find("r8"),
                                           .width = width,
                                           .height = height,
                                           .depth = depth},
                           0, NULL));
    return texture;
}

/* A quad at a point, with these differences to the right and down. */
static void make_quad(TexturePoint quad[4], TexturePoint at, TexturePoint right, TexturePoint down)
{
    for (uint32_t i = 0; i < 4; i++) {
        const float a = (float)(i & 1), b = (float)(i >> 1);
        quad[i] = (TexturePoint){at.x + a * right.x + b * down.x, at.y + a * right.y + b * down.y,
                                 at.z + a * right.z + b * down.z};
    }
}

/* Differences in texels of a texture of 256 x 128 with nine levels. Level: log2 of the longer one's
 * length, with N probes of its N-th part, rounded to 256ths. */
static const struct {
    float right_x, right_y, down_x, down_y;
    uint64_t anisotropy;
    double bias;
    TextureFilter filter;
    float level;
    uint32_t probes;
} details[] = {
    {1, 0, 0, 1, 1, 0, FILTER_TRILINEAR, 0, 1},
    {2, 0, 0, 2, 1, 0, FILTER_TRILINEAR, 1, 1},
    {0, 2, -2, 0, 1, 0, FILTER_TRILINEAR, 1, 1},           /* turned by 90 degrees */
    {4, 0, 0, 1, 1, 0, FILTER_TRILINEAR, 2, 1},            /* the longer one, */
    {1, 0, 0, 4, 1, 0, FILTER_TRILINEAR, 2, 1},            /* whichever that is */
    {3, 4, 0, 1, 1, 0, FILTER_TRILINEAR, 594 / 256.0f, 1}, /* length 5: log2 = 2.3219 = 594.4 */
    {0.5f, 0, 0, 0.5f, 1, 0, FILTER_TRILINEAR, 0, 1},      /* magnified: -1, clamped */
    {0, 0, 0, 0, 1, 0, FILTER_TRILINEAR, 0, 1},
    {4096, 0, 0, 1, 1, 0, FILTER_TRILINEAR, 8, 1}, /* 12, clamped to the last level */
    {1e30f, 0, 0, 1, 1, 0, FILTER_TRILINEAR, 8, 1},
    {NAN, 0, 0, 1, 16, 0, FILTER_TRILINEAR, 0, 1},
    /* bias, before the clamp */
    {2, 0, 0, 2, 1, 0.5, FILTER_TRILINEAR, 1.5f, 1},
    {2, 0, 0, 2, 1, -3, FILTER_TRILINEAR, 0, 1},
    {0.25f, 0, 0, 0.25f, 1, 3, FILTER_TRILINEAR, 1, 1}, /* -2 + 3 */
    {2, 0, 0, 2, 1, 16, FILTER_TRILINEAR, 8, 1},
    /* anisotropic: 4 : 1 is four probes on level 0 */
    {4, 0, 0, 1, 16, 0, FILTER_TRILINEAR, 0, 4},
    {1, 0, 0, 4, 16, 0, FILTER_BILINEAR, 0, 4},
    {8, 0, 0, 2, 16, 0, FILTER_TRILINEAR, 1, 4},
    {4, 0, 0, 1, 2, 0, FILTER_TRILINEAR, 1, 2},              /* two at most: of 4 / 2 texels */
    {2.5f, 0, 0, 1, 16, 0, FILTER_TRILINEAR, 0, 3},          /* rounded up: log2(2.5 / 3) < 0 */
    {10, 0, 0, 4, 16, 0, FILTER_TRILINEAR, 445 / 256.0f, 3}, /* log2(10 / 3) = 1.7370 = 444.7 */
    {20, 0, 0, 1, 16, 0, FILTER_TRILINEAR, 82 / 256.0f, 16}, /* log2(20 / 16) = 0.3219 = 82.4 */
    {32, 0, 0, 0, 16, 0, FILTER_TRILINEAR, 1, 16},           /* no width at all */
    {0, 0, 0, 0, 16, 0, FILTER_TRILINEAR, 0, 1},
    {3, 3, -3, 3, 16, 0, FILTER_TRILINEAR, 534 / 256.0f, 1}, /* log2(sqrt 18) = 2.085 = 533.8 */
    {1.001f, 0, 0, 1, 16, 0, FILTER_TRILINEAR, 0, 1},        /* 1.001 x 256 = 256.3 -> 256 */
    {1.01f, 0, 0, 1, 16, 0, FILTER_TRILINEAR, 0, 2},
    {4, 0, 0, 1, 16, 1, FILTER_TRILINEAR, 1, 4},
    /* point sampling has no probes */
    {4, 0, 0, 1, 16, 0, FILTER_POINT, 2, 1},
};

START_TEST(the_level_of_detail_follows_from_the_differences_in_a_quad)
{
    const Texture texture = make(TEXTURE_2D, 256, 128, 1);
    for (uint32_t i = 0; i < G_N_ELEMENTS(details); i++)
        for (int normalized = 0; normalized <= 1; normalized++) {
            const TextureSampler sampler = {.filter = details[i].filter,
                                            .anisotropy = details[i].anisotropy,
                                            .lod_bias = details[i].bias,
                                            .normalized = normalized};
            const float x = normalized ? 256 : 1, y = normalized ? 128 : 1;
            TexturePoint quad[4];
            make_quad(quad, (TexturePoint){0, 0, 0},
                      (TexturePoint){details[i].right_x / x, details[i].right_y / y, 5},
                      (TexturePoint){details[i].down_x / x, details[i].down_y / y, 7});
            TextureDetail detail;
            texture_detail_of_quad(&texture, &sampler, quad, &detail);
            ck_assert_msg(detail.level == details[i].level && detail.probes == details[i].probes,
                          "row %u: level %g, %u probes", i, (double)detail.level, detail.probes);
        }
}
END_TEST

START_TEST(the_bias_counts_for_a_level_that_is_given)
{
    const Texture texture = make(TEXTURE_2D, 256, 128, 1);
    const TextureSampler sampler = {
        .filter = FILTER_TRILINEAR, .anisotropy = 16, .lod_bias = -0.75};
    TextureDetail detail;
    texture_detail_of_level(&texture, &sampler, 3, &detail);
    ck_assert_float_eq(detail.level, 2.25f);
    ck_assert_uint_eq(detail.probes, 1);
    texture_detail_of_level(&texture, &sampler, 0.5f, &detail);
    ck_assert_float_eq(detail.level, 0);
}
END_TEST

/* One; two levels with trilinear sampling; two slices of a volume when there is a filter. */
START_TEST(a_sample_takes_its_steps_in_levels_and_slices)
{
    static const struct {
        TextureKind kind;
        TextureFilter filter;
        uint32_t steps;
    } rows[] = {{TEXTURE_2D, FILTER_POINT, 1},     {TEXTURE_2D, FILTER_BILINEAR, 1},
                {TEXTURE_2D, FILTER_TRILINEAR, 2}, {TEXTURE_2D_ARRAY, FILTER_TRILINEAR, 2},
                {TEXTURE_3D, FILTER_POINT, 1},     {TEXTURE_3D, FILTER_BILINEAR, 2},
                {TEXTURE_3D, FILTER_TRILINEAR, 4}};
    for (uint32_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Texture texture = make(rows[i].kind, 16, 16, rows[i].kind == TEXTURE_2D ? 1 : 16);
        const TextureSampler sampler = {.filter = rows[i].filter, .anisotropy = 1};
        TextureDetail detail;
        texture_detail_of_level(&texture, &sampler, 1.5f, &detail);
        ck_assert_uint_eq(texture_count_steps(&texture, &sampler, &detail), rows[i].steps);
    }
}
END_TEST

START_TEST(each_kind_measures_along_its_own_axes)
{
    static const float levels[] = {0, 1, 2, 1}; /* of lengths 1, 2, 4 along x, y, z */
    for (TextureKind kind = TEXTURE_1D; kind <= TEXTURE_2D_ARRAY; kind++) {
        const bool deep = kind == TEXTURE_3D || kind == TEXTURE_2D_ARRAY;
        const Texture texture = make(kind, 64, kind == TEXTURE_1D ? 1 : 32, deep ? 16 : 1);
        for (int normalized = 0; normalized <= 1; normalized++) {
            const TextureSampler sampler = {
                .filter = FILTER_BILINEAR, .anisotropy = 1, .normalized = normalized};
            /* each difference in one axis only: the longest of those that count decides */
            TexturePoint down = {0, 0, 4};
            TexturePoint right = {0, 2, 0};
            if (kind == TEXTURE_1D) right = (TexturePoint){1, 2, 0};
            if (normalized) {
                right = (TexturePoint){right.x / 64, right.y / 32, 0};
                down.z /= 16;
            }
            TexturePoint quad[4];
            TextureDetail detail;
            make_quad(quad, (TexturePoint){0, 0, 0}, right, down);
            texture_detail_of_quad(&texture, &sampler, quad, &detail);
            ck_assert_float_eq(detail.level, levels[kind]);
        }
    }
}
END_TEST

START_TEST(turning_a_texture_costs_no_probes)
{
    const Texture texture = make(TEXTURE_2D, 256, 256, 1);
    const TextureSampler sampler = {
        .filter = FILTER_TRILINEAR, .anisotropy = 16, .normalized = true};
    for (int degrees = 0; degrees < 360; degrees++) {
        const double angle = degrees * G_PI / 180;
        const float c = (float)(cos(angle) / 256), s = (float)(sin(angle) / 256);
        TexturePoint quad[4];
        TextureDetail detail;
        make_quad(quad, (TexturePoint){0.7f, 0.3f, 0}, (TexturePoint){c, s, 0},
                  (TexturePoint){-s, c, 0});
        texture_detail_of_quad(&texture, &sampler, quad, &detail);
        ck_assert_uint_eq(detail.probes, 1);
        ck_assert_float_eq(detail.level, 0);
    }
}
END_TEST

/* 4 : 1 along x: the probes lie 4 / 5 of a texel apart around 16.5: at 15.3, 16.1, 16.9, 17.7; less
 * 1/2: 14 + 0.8, 15 + 0.6, 16 + 0.4, 17 + 0.2; in 256ths of the second texel 205, 154, 102, 51;
 * each a quarter of the weight. */
static const uint32_t first[] = {14, 15, 16, 17}, second_weight[] = {205, 154, 102, 51};

START_TEST(probes_lie_along_the_longer_axis_around_the_point)
{
    const Texture texture = make(TEXTURE_2D_ARRAY, 32, 32, 3);
    const TextureSampler sampler = {.filter = FILTER_BILINEAR, .anisotropy = 16};
    for (int turned = 0; turned <= 1; turned++) {
        TexturePoint quad[4];
        TextureDetail detail;
        /* the layer changes within the quad, which moves no probe to another one */
        make_quad(quad, (TexturePoint){16.5f, 16.5f, 1},
                  turned ? (TexturePoint){0, 1, 4} : (TexturePoint){4, 0, 4},
                  turned ? (TexturePoint){0, 4, 4} : (TexturePoint){0, 1, 0});
        texture_detail_of_quad(&texture, &sampler, quad, &detail);
        ck_assert_uint_eq(texture_count_steps(&texture, &sampler, &detail), 4);
        for (uint32_t probe = 0; probe < 4; probe++) {
            SampleStep step;
            texture_sample_step(&texture, &sampler, &detail, quad, probe, &step);
            ck_assert_uint_eq(step.count, 2);
            for (uint32_t i = 0; i < 2; i++) {
                const uint32_t at = first[probe] + i;
                ck_assert_uint_eq(step.address[i], turned
                                                       ? texture_address(&texture, 0, 16, at, 1)
                                                       : texture_address(&texture, 0, at, 16, 1));
            }
            ck_assert_float_eq(step.weight[1], (float)second_weight[probe] / 1024);
            ck_assert_float_eq(step.weight[0], (float)(256 - second_weight[probe]) / 1024);
        }
        SampleStep beyond;
        texture_sample_step(&texture, &sampler, &detail, quad, 4, &beyond);
        ck_assert_uint_eq(beyond.count, 0);
    }
}
END_TEST

/* The same along z: a step in each of two slices. */
START_TEST(probes_of_a_volume_may_lie_along_its_depth)
{
    const Texture texture = make(TEXTURE_3D, 32, 32, 32);
    const TextureSampler sampler = {.filter = FILTER_BILINEAR, .anisotropy = 16};
    TexturePoint quad[4];
    TextureDetail detail;
    make_quad(quad, (TexturePoint){16.5f, 16.5f, 16.5f}, (TexturePoint){1, 0, 0},
              (TexturePoint){0, 0, 4});
    texture_detail_of_quad(&texture, &sampler, quad, &detail);
    ck_assert_uint_eq(texture_count_steps(&texture, &sampler, &detail), 8);
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t probe = i / 2, second = second_weight[probe];
        SampleStep step;
        texture_sample_step(&texture, &sampler, &detail, quad, i, &step);
        ck_assert_uint_eq(step.count, 1);
        ck_assert_uint_eq(step.address[0],
                          texture_address(&texture, 0, 16, 16, first[probe] + i % 2));
        ck_assert_float_eq(step.weight[0], (float)(i % 2 ? second : 256 - second) / 1024);
    }
}
END_TEST

/* Probe by probe, in each level by level, in each slice by slice. */
START_TEST(steps_come_in_order)
{
    const Texture texture = make(TEXTURE_3D, 32, 32, 32);
    const TextureSampler sampler = {.filter = FILTER_TRILINEAR, .anisotropy = 3};
    TexturePoint quad[4];
    TextureDetail detail;
    /* 9 : 2, three probes of 3 texels: log2 3 = 1.58 */
    make_quad(quad, (TexturePoint){12, 12, 13.5f}, (TexturePoint){9, 0, 0},
              (TexturePoint){0, 2, 0});
    texture_detail_of_quad(&texture, &sampler, quad, &detail);
    ck_assert_uint_eq(texture_count_steps(&texture, &sampler, &detail), 3 * 2 * 2);
    uint64_t last_slice = 0;
    float probe_weight = 0;
    for (uint32_t i = 0; i < 12; i++) {
        SampleStep step;
        texture_sample_step(&texture, &sampler, &detail, quad, i, &step);
        ck_assert_uint_eq(step.level, i & 2 ? 2 : 1);
        ck_assert_uint_gt(step.count, 0);
        const TextureLevel *level = &texture.level[step.level];
        const uint64_t slice = (step.address[0] - level->offset) / level->slice_bytes;
        if (i & 1) ck_assert_uint_eq(slice, last_slice + 1);
        last_slice = slice;
        for (uint32_t j = 0; j < step.count; j++) probe_weight += step.weight[j];
        if (i % 4 == 3) {
            ck_assert_float_eq_tol(probe_weight, 1 / 3.0f, 0x1p-23f);
            probe_weight = 0;
        }
    }
}
END_TEST

static float between(GRand *random, double low, double high)
{
    return (float)g_rand_double_range(random, low, high);
}

static TexturePoint anywhere(GRand *random, double most)
{
    return (TexturePoint){between(random, -most, most), between(random, -most, most),
                          between(random, -most, most)};
}

/* Weight of a whole sample in float; and its steps' texels, which must lie within the texture. */
static float weigh(const Texture *texture, const TextureSampler *sampler,
                   const TextureDetail *detail, const TexturePoint *point)
{
    const uint32_t steps = texture_count_steps(texture, sampler, detail);
    if (steps > SAMPLE_STEPS) ck_abort_msg("%u steps", steps);
    float sum = 0;
    for (uint32_t i = 0; i < steps; i++) {
        SampleStep step;
        texture_sample_step(texture, sampler, detail, point, i, &step);
        for (uint32_t j = 0; j < step.count; j++) {
            sum += step.weight[j];
            const TextureLevel *level = &texture->level[step.level];
            const uint64_t end =
                step.level + 1 < texture->levels ? level[1].offset : texture->bytes;
            const bool border = step.address[j] == TEXEL_BORDER && sampler->wrap[0] == WRAP_BORDER;
            if (!border && (step.address[j] < level->offset || step.address[j] >= end))
                ck_abort_msg("step %u: 0x%x", i, (unsigned)step.address[j]);
        }
    }
    return sum;
}

START_TEST(the_weights_of_a_sample_sum_to_one)
{
    GRand *random = g_rand_new_with_seed(7);
    for (TextureKind kind = TEXTURE_1D; kind <= TEXTURE_2D_ARRAY; kind++) {
        const bool deep = kind == TEXTURE_3D || kind == TEXTURE_2D_ARRAY;
        const Texture texture = make(kind, 37, kind == TEXTURE_1D ? 1 : 64, deep ? 11 : 1);
        for (TextureFilter filter = FILTER_POINT; filter <= FILTER_TRILINEAR; filter++)
            for (TextureWrap wrap = WRAP_REPEAT; wrap <= WRAP_BORDER; wrap++)
                for (uint64_t anisotropy = 1; anisotropy <= ANISOTROPY_MAX; anisotropy++) {
                    const TextureSampler sampler = {.wrap = {wrap, wrap, wrap},
                                                    .filter = filter,
                                                    .anisotropy = anisotropy,
                                                    .normalized = anisotropy % 2};
                    for (int i = 0; i < 20; i++) {
                        TexturePoint quad[4];
                        TextureDetail detail;
                        make_quad(quad, anywhere(random, i % 2 ? 3 : 100),
                                  anywhere(random, i % 3 ? 0.1 : 8),
                                  anywhere(random, i % 3 ? 0.01 : 2));
                        texture_detail_of_quad(&texture, &sampler, quad, &detail);
                        const float sum = weigh(&texture, &sampler, &detail, &quad[i % 4]);
                        if (sum != 1) ck_abort_msg("%.9g", (double)sum);
                    }
                }
    }
    g_rand_free(random);
}
END_TEST

HARNESS_MAIN("texture_detail", the_level_of_detail_follows_from_the_differences_in_a_quad,
             the_bias_counts_for_a_level_that_is_given,
             a_sample_takes_its_steps_in_levels_and_slices, each_kind_measures_along_its_own_axes,
             turning_a_texture_costs_no_probes, probes_lie_along_the_longer_axis_around_the_point,
             probes_of_a_volume_may_lie_along_its_depth, steps_come_in_order,
             the_weights_of_a_sample_sum_to_one)
