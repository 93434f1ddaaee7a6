#include "rigs/harness.h"

#include "parts/texture/sampler.h"

#include <math.h>

/* Distinct lines that pixels touch, one sample each, at one texel a pixel: a texture of 256 x 256
 * texels of 4 bytes. */

enum { SIDE = 256 };

static Texture make(TextureLayout layout)
{
    Texture texture;
    ck_assert(texture_init(&texture,
                           &(TextureShape){.kind = TEXTURE_2D,
                                           .layout = layout,
                                           .format = texture_format_find("rgba8"),
                                           .width = SIDE,
                                           .height = SIDE,
                                           .depth = 1},
                           0, NULL));
    return texture;
}

typedef struct {
    uint32_t columns, rows; /* pixels */
    double degrees;         /* how far the texture is turned */
    TextureFilter filter;
} Walk;

static uint32_t count_lines(TextureLayout layout, const Walk *walk, uint64_t line_bytes)
{
    const Texture texture = make(layout);
    const TextureSampler sampler = {.filter = walk->filter, .anisotropy = 1};
    TextureDetail detail;
    texture_detail_of_level(&texture, &sampler, 0, &detail);
    const double angle = walk->degrees * G_PI / 180, c = cos(angle), s = sin(angle);
    g_autoptr(GHashTable) lines = g_hash_table_new(NULL, NULL);
    for (uint32_t row = 0; row < walk->rows; row++)
        for (uint32_t column = 0; column < walk->columns; column++) {
            const double x = column + 0.5, y = row + 0.5;
            const TexturePoint point = {(float)(128 + c * x - s * y), (float)(128 + s * x + c * y),
                                        0};
            SampleStep step;
            texture_sample_step(&texture, &sampler, &detail, &point, 0, &step);
            for (uint32_t i = 0; i < step.count; i++)
                g_hash_table_add(lines, GSIZE_TO_POINTER(step.address[i] / line_bytes + 1));
        }
    return g_hash_table_size(lines);
}

/* Lines of linear, blocked, Morton, GOB. A line of 128 bytes holds 32 x 1, 16 x 2, 8 x 4 and 8 x 4
 * texels; of 64 bytes 16 x 1, 16 x 1, 4 x 4 and 4 x 4. */
static const struct {
    Walk walk;
    uint32_t of_128[4], of_64[4];
} walks[] = {
    /* 8 x 8 texels: 8 rows; 8 / 2; 2 of 8 x 4, 4 of 4 x 4 twice */
    {{8, 8, 0, FILTER_POINT}, {8, 4, 2, 2}, {8, 8, 4, 4}},
    {{8, 8, 90, FILTER_POINT}, {8, 4, 2, 2}, {8, 8, 4, 4}},
    /* 64 texels of a row: 2 x 32; 4 x 16; 8 x 8, 16 x 4 twice */
    {{64, 1, 0, FILTER_POINT}, {2, 4, 8, 8}, {4, 4, 16, 16}},
    /* 64 texels of a column: 64; 32 x 2, 64; 16 x 4 twice */
    {{1, 64, 0, FILTER_POINT}, {64, 32, 16, 16}, {64, 64, 16, 16}},
    /* counted, not calculated: tiles turned by 15, 30, 45, 75 degrees ... */
    {{8, 8, 15, FILTER_BILINEAR}, {19, 10, 6, 6}, {19, 19, 9, 9}},
    {{8, 8, 30, FILTER_BILINEAR}, {21, 11, 6, 6}, {21, 21, 9, 9}},
    {{8, 8, 45, FILTER_BILINEAR}, {24, 12, 6, 6}, {24, 24, 10, 10}},
    {{8, 8, 75, FILTER_BILINEAR}, {19, 10, 6, 6}, {19, 19, 9, 9}},
    /* ... and columns */
    {{1, 64, 15, FILTER_BILINEAR}, {67, 35, 21, 21}, {69, 69, 25, 25}},
    {{1, 64, 45, FILTER_BILINEAR}, {50, 27, 21, 21}, {53, 53, 29, 29}},
    {{1, 64, 75, FILTER_BILINEAR}, {22, 13, 14, 14}, {26, 26, 25, 25}},
};

START_TEST(pixels_side_by_side_touch_texels_side_by_side)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(walks); i++)
        for (TextureLayout layout = TEXTURE_ROWS; layout <= TEXTURE_GOB; layout++) {
            const uint32_t of_128 = count_lines(layout, &walks[i].walk, 128);
            const uint32_t of_64 = count_lines(layout, &walks[i].walk, 64);
            ck_assert_msg(of_128 == walks[i].of_128[layout] && of_64 == walks[i].of_64[layout],
                          "walk %u, %s: %u, %u", i, texture_layout_names[layout], of_128, of_64);
        }
}
END_TEST

START_TEST(tiles_and_z_order_touch_fewer_lines_than_rows_however_the_texture_is_turned)
{
    uint32_t sum[4] = {0};
    for (int degrees = 0; degrees < 360; degrees += 5) {
        const Walk tile = {8, 8, degrees, FILTER_BILINEAR};
        uint32_t lines[4];
        for (TextureLayout layout = TEXTURE_ROWS; layout <= TEXTURE_GOB; layout++) {
            lines[layout] = count_lines(layout, &tile, 128);
            sum[layout] += lines[layout];
            if (layout) ck_assert_uint_lt(lines[layout], lines[TEXTURE_ROWS]);
        }
    }
    /* counted: on average of 72 rotations 15.2, 8.1, 5.8 and 5.8 lines; at a single one tiles may
     * have fewer than Z-order: of 9 x 9 texels 1 x 5 of 16 x 2, and 2 x 3 of 8 x 4 */
    static const uint32_t counted[4] = {1092, 580, 420, 420};
    ck_assert_mem_eq(sum, counted, sizeof sum);
}
END_TEST

/* 8 x 8 pixels half a texel off: 64 samples of 2 x 2 texels, of which there are 9 x 9 in all. */
START_TEST(neighbouring_samples_share_texels)
{
    const Texture texture = make(TEXTURE_ROWS);
    const TextureSampler sampler = {.filter = FILTER_BILINEAR, .anisotropy = 1};
    TextureDetail detail;
    texture_detail_of_level(&texture, &sampler, 0, &detail);
    g_autoptr(GHashTable) texels = g_hash_table_new(NULL, NULL);
    uint32_t reads = 0;
    for (uint32_t i = 0; i < 64; i++) {
        const TexturePoint point = {(float)(100 + i % 8), (float)(50 + i / 8), 0};
        SampleStep step;
        texture_sample_step(&texture, &sampler, &detail, &point, 0, &step);
        reads += step.count;
        for (uint32_t j = 0; j < step.count; j++)
            g_hash_table_add(texels, GSIZE_TO_POINTER(step.address[j] + 1));
    }
    ck_assert_uint_eq(reads, 256);
    ck_assert_uint_eq(g_hash_table_size(texels), 81);
}
END_TEST

HARNESS_MAIN("texture_locality", pixels_side_by_side_touch_texels_side_by_side,
             tiles_and_z_order_touch_fewer_lines_than_rows_however_the_texture_is_turned,
             neighbouring_samples_share_texels)
