#include "rigs/harness.h"

#include "parts/texture/sampler.h"

#include <math.h>
#include <string.h>

/* Textures of r8 in rows of 256 bytes: from an address the test reads back which texel it is. */
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

/* "x,y,z*weight of 256" of each texel, B for the border. */
static char *texels_of(const Texture *texture, const SampleStep *step)
{
    GString *text = g_string_new(NULL);
    const TextureLevel *level = &texture->level[step->level];
    for (uint32_t i = 0; i < step->count; i++) {
        const uint64_t at = step->address[i] - level->offset;
        const uint64_t row = at / 256 % level->height, slice = at / level->slice_bytes;
        if (i) g_string_append_c(text, ' ');
        if (step->address[i] == TEXEL_BORDER)
            g_string_append_c(text, 'B');
        else
            g_string_append_printf(text, "%u,%u,%u", (unsigned)(at % 256), (unsigned)row,
                                   (unsigned)slice);
        g_string_append_printf(text, "*%g", (double)step->weight[i] * 256);
    }
    return g_string_free(text, FALSE);
}

static TextureSampler sampler_of(TextureFilter filter, TextureWrap wrap)
{
    return (TextureSampler){.wrap = {wrap, wrap, wrap}, .filter = filter, .anisotropy = 1};
}

static char *sample(const Texture *texture, const TextureSampler *sampler, TexturePoint point,
                    float level, uint32_t step)
{
    TextureDetail detail;
    SampleStep out;
    texture_detail_of_level(texture, sampler, level, &detail);
    texture_sample_step(texture, sampler, &detail, &point, step, &out);
    return texels_of(texture, &out);
}

/* Point sampling along a row of five texels: number floor(x); outside:
 * repeat  ... 3 4 | 0 1 2 3 4 | 0 1 2 ...
 * clamp   ... 0 0 | 0 1 2 3 4 | 4 4 4 ...
 * mirror  ... 1 0 | 0 1 2 3 4 | 4 3 2 ...
 * border  ... B B | 0 1 2 3 4 | B B B ... */
START_TEST(coordinates_beyond_the_edges_wrap_clamp_mirror_or_leave)
{
    static const struct {
        float x;
        int texel[4]; /* -1: border */
    } rows[] = {
        {-10.5f, {4, 0, 0, -1}}, /* texel -11 = -3 x 5 + 4; mirrored: the sixth pair's first */
        {-5.5f, {4, 0, 4, -1}},  /* -6 = -2 x 5 + 4; mirrored 0 1 2 3 4 | 4 */
        {-5, {0, 0, 4, -1}},     {-1, {4, 0, 0, -1}},
        {-0.25f, {4, 0, 0, -1}}, {0, {0, 0, 0, 0}},
        {0.99f, {0, 0, 0, 0}},   {1, {1, 1, 1, 1}},
        {4.99f, {4, 4, 4, 4}},   {5, {0, 4, 4, -1}},
        {7.5f, {2, 4, 2, -1}},   {10, {0, 4, 0, -1}},
        {NAN, {0, 0, 0, 0}},     {INFINITY, {1, 4, 3, -1}}, /* as 2^40 = 5 k + 1 = 10 k + 6 */
        {-1e30f, {4, 0, 4, -1}}, /* -2^40 = -5 k - 1 = -10 k - 6: from behind the fifth */
    };
    const Texture texture = make(TEXTURE_1D, 5, 1, 1);
    for (uint32_t i = 0; i < G_N_ELEMENTS(rows); i++)
        for (TextureWrap wrap = WRAP_REPEAT; wrap <= WRAP_BORDER; wrap++) {
            const TextureSampler sampler = sampler_of(FILTER_POINT, wrap);
            g_autofree char *is = sample(&texture, &sampler, (TexturePoint){rows[i].x, 0, 0}, 0, 0);
            const int texel = rows[i].texel[wrap];
            g_autofree char *wanted =
                texel < 0 ? g_strdup("B*256") : g_strdup_printf("%d,0,0*256", texel);
            ck_assert_msg(!strcmp(is, wanted), "%g, %s: %s, not %s", (double)rows[i].x,
                          texture_wrap_names[wrap], is, wanted);
        }
}
END_TEST

#define ALL(wrap)                                                                                  \
    {                                                                                              \
        wrap, wrap, wrap                                                                           \
    }

/* One step of a sample on level 0 of a texture of 8 x 4 (x 3) texels. Bilinear: texel i and the
 * next of i + f = x - 1/2, weights 1 - f and f, of columns times of rows. */
static const struct {
    TextureKind kind;
    TextureFilter filter;
    TextureWrap wrap[3];
    bool normalized;
    TexturePoint point;
    uint32_t step;
    const char *texels;
} samples[] = {
    /* centres, corners, between: 1/4 x 1/4 = 64; .75 = 192 of columns, .25 = 64 of rows */
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {2.5f, 1.5f, 0}, 0, "2,1,0*256"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {3, 1.5f, 0}, 0, "2,1,0*128 3,1,0*128"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {2.5f, 2, 0}, 0, "2,1,0*128 2,2,0*128"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_CLAMP),
     false,
     {3, 2, 0},
     0,
     "2,1,0*64 3,1,0*64 2,2,0*64 3,2,0*64"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_CLAMP),
     false,
     {3.25f, 1.75f, 0},
     0,
     "2,1,0*48 3,1,0*144 2,2,0*16 3,2,0*48"},
    /* 3.499 x 256 = 895.7 -> 896, texel 3's centre; 3.496 x 256 = 895.0 -> 895: 255 / 256
     * from texel 2 to 3 */
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {3.499f, 1.5f, 0}, 0, "3,1,0*256"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_CLAMP),
     false,
     {3.496f, 1.5f, 0},
     0,
     "2,1,0*1 3,1,0*255"},
    {TEXTURE_2D, FILTER_POINT, ALL(WRAP_CLAMP), false, {3.499f, 1.999f, 0}, 0, "3,1,0*256"},
    /* normalised: x 8, x 4 */
    {TEXTURE_2D, FILTER_POINT, ALL(WRAP_REPEAT), true, {0.3f, 0.6f, 0}, 0, "2,2,0*256"},
    {TEXTURE_2D, FILTER_POINT, ALL(WRAP_REPEAT), true, {1.25f, -0.25f, 0}, 0, "2,3,0*256"},
    {TEXTURE_2D, FILTER_POINT, ALL(WRAP_CLAMP), true, {1.25f, -0.25f, 0}, 0, "7,0,0*256"},
    {TEXTURE_2D, FILTER_POINT, ALL(WRAP_MIRROR), true, {1.25f, -0.5f, 0}, 0, "5,1,0*256"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_REPEAT),
     true,
     {0.5f, 0.375f, 0},
     0,
     "3,1,0*128 4,1,0*128"},
    /* neighbours at the left and right edges: .25 - .5 = -1 + .75; 8 - .5 = 7 + .5 */
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_REPEAT),
     false,
     {0.25f, 1.5f, 0},
     0,
     "7,1,0*64 0,1,0*192"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_CLAMP),
     false,
     {0.25f, 1.5f, 0},
     0,
     "0,1,0*64 0,1,0*192"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     ALL(WRAP_MIRROR),
     false,
     {0.25f, 1.5f, 0},
     0,
     "0,1,0*64 0,1,0*192"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_BORDER), false, {0.25f, 1.5f, 0}, 0, "B*64 0,1,0*192"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_REPEAT), false, {8, 1.5f, 0}, 0, "7,1,0*128 0,1,0*128"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {8, 1.5f, 0}, 0, "7,1,0*128 7,1,0*128"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_MIRROR), false, {8, 1.5f, 0}, 0, "7,1,0*128 7,1,0*128"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_MIRROR), false, {9, 1.5f, 0}, 0, "7,1,0*128 6,1,0*128"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_MIRROR), false, {-1, 1.5f, 0}, 0, "1,1,0*128 0,1,0*128"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_BORDER), false, {8, 1.5f, 0}, 0, "7,1,0*128 B*128"},
    /* each axis has its own mode: x from 7 to 0, y from 3 beyond the border */
    {TEXTURE_2D,
     FILTER_BILINEAR,
     {WRAP_REPEAT, WRAP_BORDER},
     false,
     {8, 4, 0},
     0,
     "7,3,0*64 0,3,0*64 B*64 B*64"},
    {TEXTURE_2D,
     FILTER_BILINEAR,
     {WRAP_BORDER, WRAP_CLAMP},
     false,
     {8, 4, 0},
     0,
     "7,3,0*64 B*64 7,3,0*64 B*64"},
    /* y and z do not count in one dimension, z not in two */
    {TEXTURE_1D,
     FILTER_BILINEAR,
     ALL(WRAP_BORDER),
     false,
     {3.25f, 77, 77},
     0,
     "2,0,0*64 3,0,0*192"},
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_BORDER), false, {2.5f, 1.5f, 77}, 0, "2,1,0*256"},
    /* the nearest layer that is there, whatever the mode, never scaled */
    {TEXTURE_2D_ARRAY,
     FILTER_BILINEAR,
     ALL(WRAP_BORDER),
     false,
     {2.5f, 1.5f, 1.4f},
     0,
     "2,1,1*256"},
    {TEXTURE_2D_ARRAY,
     FILTER_BILINEAR,
     ALL(WRAP_REPEAT),
     true,
     {0.5f, 0.375f, 1.5f},
     0,
     "3,1,2*128 4,1,2*128"},
    {TEXTURE_2D_ARRAY, FILTER_POINT, ALL(WRAP_BORDER), false, {2.5f, 1.5f, 9}, 0, "2,1,2*256"},
    {TEXTURE_2D_ARRAY, FILTER_POINT, ALL(WRAP_REPEAT), false, {2.5f, 1.5f, -9}, 0, "2,1,0*256"},
    /* volumes: a step each slice; 1.75 - .5 = 1 + .25 */
    {TEXTURE_3D, FILTER_POINT, ALL(WRAP_CLAMP), false, {2.5f, 1.5f, 1.75f}, 0, "2,1,1*256"},
    {TEXTURE_3D,
     FILTER_BILINEAR,
     ALL(WRAP_CLAMP),
     false,
     {3, 2, 1.75f},
     0,
     "2,1,1*48 3,1,1*48 2,2,1*48 3,2,1*48"},
    {TEXTURE_3D,
     FILTER_BILINEAR,
     ALL(WRAP_CLAMP),
     false,
     {3, 2, 1.75f},
     1,
     "2,1,2*16 3,1,2*16 2,2,2*16 3,2,2*16"},
    {TEXTURE_3D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {3, 1.5f, 1.5f}, 1, ""},
    {TEXTURE_3D, FILTER_BILINEAR, ALL(WRAP_REPEAT), false, {2.5f, 1.5f, 3}, 1, "2,1,0*128"},
    {TEXTURE_3D, FILTER_BILINEAR, ALL(WRAP_MIRROR), false, {2.5f, 1.5f, 3.5f}, 0, "2,1,2*256"},
    {TEXTURE_3D, FILTER_BILINEAR, ALL(WRAP_BORDER), false, {3, 1.5f, 3}, 1, "B*64 B*64"},
    {TEXTURE_3D, FILTER_BILINEAR, ALL(WRAP_CLAMP), true, {0.3125f, 0.375f, 0.5f}, 0, "2,1,1*256"},
    /* there is no second step */
    {TEXTURE_2D, FILTER_BILINEAR, ALL(WRAP_CLAMP), false, {3, 2, 0}, 1, ""},
};

START_TEST(a_step_has_the_texels_around_the_point_with_their_weights)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        const TextureKind kind = samples[i].kind;
        const Texture texture = make(kind, 8, kind == TEXTURE_1D ? 1 : 4,
                                     kind == TEXTURE_1D || kind == TEXTURE_2D ? 1 : 3);
        TextureSampler sampler = {
            .filter = samples[i].filter, .anisotropy = 1, .normalized = samples[i].normalized};
        memcpy(sampler.wrap, samples[i].wrap, sizeof sampler.wrap);
        g_autofree char *is = sample(&texture, &sampler, samples[i].point, 0, samples[i].step);
        ck_assert_msg(!strcmp(is, samples[i].texels), "row %u: '%s'", i, is);
    }
}
END_TEST

/* A texture of 16 x 8 with five levels: 8 x 4, 4 x 2, 2 x 1, 1 x 1. */
START_TEST(levels_are_chosen_or_mixed_by_the_filter)
{
    static const struct {
        TextureFilter filter;
        bool normalized;
        float x, y, lod;
        uint32_t step, steps, level;
        const char *texels;
    } rows[] = {
        /* level 1, x 8 and x 4: 2, 1 */
        {FILTER_POINT, true, 0.25f, 0.25f, 1, 0, 1, 1, "2,1,0*256"},
        {FILTER_BILINEAR, true, 0.25f, 0.25f, 1, 0, 1, 1, "1,0,0*64 2,0,0*64 1,1,0*64 2,1,0*64"},
        /* texels of level 0, halved on level 1: 5 -> 2.5, 3 -> 1.5 */
        {FILTER_BILINEAR, false, 5, 3, 1, 0, 1, 1, "2,1,0*256"},
        /* half way the finer level, above it the coarser one */
        {FILTER_BILINEAR, false, 5, 3, 1.5f, 0, 1, 1, "2,1,0*256"},
        {FILTER_POINT, false, 5, 3, 1.5f + 1 / 256.0f, 0, 1, 2, "1,0,0*256"},
        /* 1.25: 3/4 of level 1, 1/4 of level 2, where 5 / 4 - .5 = .75, 3 / 4 - .5 = .25:
         * 64 x (1/4, 3/4) x (3/4, 1/4) */
        {FILTER_TRILINEAR, false, 5, 3, 1.25f, 0, 2, 1, "2,1,0*192"},
        {FILTER_TRILINEAR, false, 5, 3, 1.25f, 1, 2, 2, "0,0,0*12 1,0,0*36 0,1,0*4 1,1,0*12"},
        {FILTER_TRILINEAR, false, 5, 3, 1, 0, 1, 1, "2,1,0*256"},
        /* rounded to 256ths; clamped to the chain */
        {FILTER_TRILINEAR, false, 5, 3, 1.001f, 0, 1, 1, "2,1,0*256"},
        {FILTER_TRILINEAR, false, 5.5f, 3.5f, -3, 0, 1, 0, "5,3,0*256"},
        {FILTER_TRILINEAR, false, 8, 4, 9, 0, 1, 4, "0,0,0*256"},
        {FILTER_TRILINEAR, false, 5, 3, NAN, 1, 1, 0, ""},
    };
    const Texture texture = make(TEXTURE_2D, 16, 8, 1);
    for (uint32_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        TextureSampler sampler = sampler_of(rows[i].filter, WRAP_CLAMP);
        sampler.normalized = rows[i].normalized;
        TextureDetail detail;
        SampleStep out;
        texture_detail_of_level(&texture, &sampler, rows[i].lod, &detail);
        ck_assert_uint_eq(texture_count_steps(&texture, &sampler, &detail), rows[i].steps);
        const TexturePoint point = {rows[i].x, rows[i].y, 0};
        texture_sample_step(&texture, &sampler, &detail, &point, rows[i].step, &out);
        g_autofree char *is = texels_of(&texture, &out);
        ck_assert_msg(!strcmp(is, rows[i].texels), "row %u: '%s'", i, is);
        if (out.count) ck_assert_uint_eq(out.level, rows[i].level);
    }
}
END_TEST

START_TEST(a_fetch_takes_the_texel_of_this_number)
{
    static const struct {
        TextureKind kind;
        TextureWrap wrap;
        uint32_t level;
        TexturePoint texel;
        const char *texels;
    } rows[] = {
        {TEXTURE_2D, WRAP_CLAMP, 0, {7, 3, 0}, "7,3,0*256"},
        {TEXTURE_2D, WRAP_CLAMP, 1, {3, 1, 0}, "3,1,0*256"}, /* level 1: 4 x 2 */
        {TEXTURE_2D, WRAP_CLAMP, 1, {7, 3, 0}, "3,1,0*256"},
        {TEXTURE_2D, WRAP_REPEAT, 1, {7, -2, 0}, "3,0,0*256"},
        {TEXTURE_2D, WRAP_MIRROR, 0, {8, -2, 0}, "7,1,0*256"},
        {TEXTURE_2D, WRAP_BORDER, 0, {8, 0, 0}, "B*256"},
        {TEXTURE_2D, WRAP_CLAMP, 98, {0, 0, 0}, "0,0,0*256"},
        {TEXTURE_1D, WRAP_BORDER, 0, {6, 9, 9}, "6,0,0*256"},
        {TEXTURE_2D_ARRAY, WRAP_BORDER, 1, {3, 1, 2}, "3,1,2*256"},
        {TEXTURE_2D_ARRAY, WRAP_BORDER, 0, {3, 1, 3}, "3,1,2*256"},
        {TEXTURE_3D, WRAP_REPEAT, 0, {3, 1, 5}, "3,1,2*256"},
        {TEXTURE_3D, WRAP_BORDER, 0, {3, 1, -1}, "B*256"},
        {TEXTURE_3D, WRAP_CLAMP, 1, {3, 1, 2}, "3,1,0*256"}, /* one slice on level 1 */
    };
    for (uint32_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const TextureKind kind = rows[i].kind;
        const Texture texture = make(kind, 8, kind == TEXTURE_1D ? 1 : 4,
                                     kind == TEXTURE_1D || kind == TEXTURE_2D ? 1 : 3);
        /* a fetch knows no filter and no normalised coordinates */
        TextureSampler sampler = sampler_of(FILTER_TRILINEAR, rows[i].wrap);
        sampler.normalized = true;
        SampleStep out;
        texture_fetch_texel(&texture, &sampler, rows[i].level, &rows[i].texel, &out);
        g_autofree char *is = texels_of(&texture, &out);
        ck_assert_msg(!strcmp(is, rows[i].texels), "row %u: '%s'", i, is);
        ck_assert_uint_eq(out.level, MIN(rows[i].level, texture.levels - 1));
    }
}
END_TEST

HARNESS_MAIN("texture_sampler", coordinates_beyond_the_edges_wrap_clamp_mirror_or_leave,
             a_step_has_the_texels_around_the_point_with_their_weights,
             levels_are_chosen_or_mixed_by_the_filter, a_fetch_takes_the_texel_of_this_number)
