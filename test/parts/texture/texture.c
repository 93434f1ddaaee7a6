#include "rigs/harness.h"

#include "parts/texture/texture.h"

enum { AT = 0x40000 };

static Texture make(const TextureShape *shape)
{
    Texture texture;
    GError *error = NULL;
    ck_assert_msg(texture_init(&texture, shape, AT, &error), "%s", error ? error->message : "");
    return texture;
}

START_TEST(formats_have_the_sizes_of_their_elements_and_texels)
{
    static const struct {
        const char *name;
        uint8_t bytes, side, texel_bytes;
    } rows[] = {{"r8", 1, 1, 1},
                {"rg8", 2, 1, 2},
                {"rgba8", 4, 1, 4},
                {"r16f", 2, 1, 2},
                {"rg16f", 4, 1, 4},
                {"rgba16f", 8, 1, 8},
                {"r32f", 4, 1, 4},
                {"rg32f", 8, 1, 8},
                {"rgba32f", 16, 1, 16},
                /* blocks: 2 colours of 16 bits + 16 x 2 bits; with 8 bytes more for alpha; two
                 * channels of 8 bytes */
                {"bc1", 8, 4, 4},
                {"bc2", 16, 4, 4},
                {"bc3", 16, 4, 4},
                {"bc4", 8, 4, 1},
                {"bc5", 16, 4, 2},
                {"bc6h", 16, 4, 8},
                {"bc7", 16, 4, 4}};
    for (uint32_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const TextureFormat *format = texture_format_find(rows[i].name);
        ck_assert_msg(format, "%s", rows[i].name);
        ck_assert_uint_eq(format->bytes, rows[i].bytes);
        ck_assert_uint_eq(format->side, rows[i].side);
        ck_assert_uint_eq(format->texel_bytes, rows[i].texel_bytes);
    }
    ck_assert_ptr_null(texture_format_find("rgb8"));
    ck_assert_ptr_null(texture_formats[G_N_ELEMENTS(rows)].name);
}
END_TEST

/* Offsets in bytes. Rows: of 256 bytes and multiples. Tiles: 64 bytes x 8 rows = 512 unless said
 * otherwise. Z-order: element number from the bits, x first. */
static const struct {
    TextureKind kind;
    TextureLayout layout;
    const char *format;
    uint64_t width, height, depth, tile_bytes, tile_rows;
    uint32_t x, y, z;
    uint64_t offset;
} places[] = {
    /* 5 rows of 148 -> 256 + 3 x 4 */
    {TEXTURE_2D, TEXTURE_ROWS, "rgba8", 37, 16, 1, 0, 0, 3, 5, 0, 1292},
    /* 3 rows of 300 -> 512 + 299 */
    {TEXTURE_2D, TEXTURE_ROWS, "r8", 300, 4, 1, 0, 0, 299, 3, 0, 1835},
    /* 99 x 2 */
    {TEXTURE_1D, TEXTURE_ROWS, "rg8", 100, 1, 1, 0, 0, 99, 0, 0, 198},
    /* 3 slices of 3 x 256, 2 rows, 4 x 4 */
    {TEXTURE_3D, TEXTURE_ROWS, "rgba8", 5, 3, 4, 0, 0, 4, 2, 3, 2832},
    /* 2 layers of 6 x 256, 5 rows, 9 x 8 */
    {TEXTURE_2D_ARRAY, TEXTURE_ROWS, "rgba16f", 10, 6, 3, 0, 0, 9, 5, 2, 4424},
    /* block (9 / 4, 6 / 4) = (2, 1): 256 + 2 x 8 */
    {TEXTURE_2D, TEXTURE_ROWS, "bc1", 10, 10, 1, 0, 0, 9, 6, 0, 272},
    /* 148 -> 3 tiles, a row of them 1536; byte 80 = tile 1 + 16; row 9 = row 1 of tile row 1:
     * 1536 + 512 + 64 + 16 */
    {TEXTURE_2D, TEXTURE_TILES, "rgba8", 37, 16, 1, 0, 0, 20, 9, 0, 2128},
    /* tiles of 128 x 4: 320 -> 3, a row of them 1536; byte 144 = tile 1 + 16; row 6 = tile row 1 +
     * 2: 1536 + 512 + 256 + 16 */
    {TEXTURE_2D, TEXTURE_TILES, "rgba32f", 20, 10, 1, 128, 4, 9, 6, 0, 2320},
    /* 9 x 9 blocks, 144 -> 3 tiles; block (8, 8): byte 128 = tile 2; tile row 1: 1536 + 1024 */
    {TEXTURE_2D, TEXTURE_TILES, "bc7", 33, 33, 1, 0, 0, 32, 32, 0, 2560},
    /* 68 -> 2 tiles, 9 rows -> 2 of them, slice 2048; byte 64 = tile 1; 2 x 2048 + 1024 + 512 */
    {TEXTURE_3D, TEXTURE_TILES, "r32f", 17, 9, 3, 0, 0, 16, 8, 2, 5632},
    /* one row in use of 8: tile 3 + 6 = 1536 + 6 */
    {TEXTURE_1D, TEXTURE_TILES, "rg8", 100, 1, 1, 0, 0, 99, 0, 0, 1542},
    /* 2 layers of 1 x 1 tiles, row 5, 9 x 2 */
    {TEXTURE_2D_ARRAY, TEXTURE_TILES, "r16f", 10, 6, 3, 0, 0, 9, 5, 2, 1362},
    /* byte 84 = GOB 1 (512) + 20: 64 + 4; row 5: 128 + 16 */
    {TEXTURE_2D, TEXTURE_GOB, "rgba8", 64, 16, 1, 0, 0, 21, 5, 0, 724},
    /* a row of GOBs: 4 x 512; byte 60: 256 + 64 + 12; row 9 = GOB row 1 + 1 x 16 */
    {TEXTURE_2D, TEXTURE_GOB, "rgba8", 64, 16, 1, 0, 0, 15, 9, 0, 2396},
    /* block (9, 5): byte 72 = GOB 1 + 8; row 5: 128 + 16 */
    {TEXTURE_2D, TEXTURE_GOB, "bc1", 64, 64, 1, 0, 0, 37, 22, 0, 664},
    /* 2 slices of 2 x 1 GOBs; byte 64 = GOB 1; row 6: 128 + 2 x 16 */
    {TEXTURE_3D, TEXTURE_GOB, "r8", 65, 7, 3, 0, 0, 64, 6, 2, 2720},
    /* a layer of 1 x 1 GOBs; byte 40: 256 + 8; row 3: 3 x 16 */
    {TEXTURE_2D_ARRAY, TEXTURE_GOB, "rg32f", 6, 4, 2, 0, 0, 5, 3, 1, 824},
    {TEXTURE_1D, TEXTURE_GOB, "rgba32f", 7, 1, 1, 0, 0, 6, 0, 0, 768}, /* byte 96: 512 + 256 */
    /* x 101, y 011: y2 x2 y1 x1 y0 x0 = 011011 = 27, x 4 */
    {TEXTURE_2D, TEXTURE_MORTON, "rgba8", 8, 8, 1, 0, 0, 5, 3, 0, 108},
    /* x 11 01, y 10: 11 + 1001 = 57 */
    {TEXTURE_2D, TEXTURE_MORTON, "r8", 16, 4, 1, 0, 0, 13, 2, 0, 57},
    /* x 10, y 11 01: 11 + 0110 = 54 */
    {TEXTURE_2D, TEXTURE_MORTON, "r8", 4, 16, 1, 0, 0, 2, 13, 0, 54},
    /* as 64 x 16: x 10 0100, y 1001: 10 + 10010010 = 658, x 4 */
    {TEXTURE_2D, TEXTURE_MORTON, "rgba8", 37, 16, 1, 0, 0, 36, 9, 0, 2632},
    /* x 11, y 01, z 10: z1 y1 x1 z0 y0 x0 = 101011 */
    {TEXTURE_3D, TEXTURE_MORTON, "r8", 4, 4, 4, 0, 0, 3, 1, 2, 43},
    /* x 10, y 10 1 01, z 1 01: rest of y 10, z2 y2 = 11, z1 y1 x1 z0 y0 x0 = 001110: 718 */
    {TEXTURE_3D, TEXTURE_MORTON, "r8", 4, 32, 8, 0, 0, 2, 21, 5, 718},
    /* x 1 10, y 10, z 11 (4 x 4 x 4 -> x has a bit more): 1 + z1 y1 x1 z0 y0 x0 = 1 111100: 124,
     * x 16 */
    {TEXTURE_3D, TEXTURE_MORTON, "rgba32f", 7, 3, 4, 0, 0, 6, 2, 3, 1984},
    /* 2 layers of 64 elements + 27, x 2 */
    {TEXTURE_2D_ARRAY, TEXTURE_MORTON, "r16f", 8, 8, 3, 0, 0, 5, 3, 2, 310},
    {TEXTURE_1D, TEXTURE_MORTON, "r32f", 100, 1, 1, 0, 0, 77, 0, 0, 308}, /* 77 x 4 */
    /* 3 x 5 blocks as 4 x 8; block (2, 4): x 10, y 1 00: 1 + 0100 = 20, x 16 */
    {TEXTURE_2D, TEXTURE_MORTON, "bc5", 12, 20, 1, 0, 0, 11, 19, 0, 320},
};

START_TEST(a_texel_lies_where_its_layout_places_it)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(places); i++) {
        const Texture texture =
            make(&(TextureShape){.kind = places[i].kind,
                                 .layout = places[i].layout,
                                 .format = texture_format_find(places[i].format),
                                 .width = places[i].width,
                                 .height = places[i].height,
                                 .depth = places[i].depth,
                                 .levels = 1,
                                 .tile_bytes = places[i].tile_bytes,
                                 .tile_rows = places[i].tile_rows});
        const uint64_t address =
            texture_address(&texture, 0, places[i].x, places[i].y, places[i].z);
        ck_assert_msg(address - AT == places[i].offset, "row %u: %u", i, (unsigned)(address - AT));
    }
}
END_TEST

/* Levels are padded to 512 bytes. */
static const struct {
    TextureKind kind;
    TextureLayout layout;
    const char *format;
    uint64_t width, height, depth, levels;
    uint32_t count;
    uint64_t offset[8], bytes;
} chains[] = {
    /* 16, 8, 4, 2 rows of 256, 1 -> 512 */
    {TEXTURE_2D, TEXTURE_ROWS, "rgba8", 16, 16, 1, 0, 5, {0, 4096, 6144, 7168, 7680}, 8192},
    {TEXTURE_2D, TEXTURE_ROWS, "rgba8", 16, 16, 1, 2, 2, {0, 4096}, 6144},
    /* 21 x 5, 10 x 2, 5 x 1, 2 x 1, 1 x 1 */
    {TEXTURE_2D, TEXTURE_ROWS, "r8", 21, 5, 1, 0, 5, {0, 1536, 2048, 2560, 3072}, 3584},
    /* 4 x 8, 2 x 4, 1 x 2 tiles, then 1 */
    {TEXTURE_2D,
     TEXTURE_TILES,
     "rgba8",
     64,
     64,
     1,
     0,
     7,
     {0, 16384, 20480, 21504, 22016, 22528, 23040},
     23552},
    /* 16 x 8 x 16 bytes; 5 x 3 as 8 x 4; 2 x 1; 1 */
    {TEXTURE_2D, TEXTURE_MORTON, "rgba32f", 10, 6, 1, 0, 4, {0, 2048, 2560, 3072}, 3584},
    /* 4, 2, 1 rows of blocks; below 4 x 4 one block a level */
    {TEXTURE_2D, TEXTURE_ROWS, "bc1", 16, 16, 1, 0, 5, {0, 1024, 1536, 2048, 2560}, 3072},
    /* 5 x 3 blocks as 8 x 4, 3 x 2 as 4 x 2, 2 x 1, 1, 1 */
    {TEXTURE_2D, TEXTURE_MORTON, "bc7", 20, 12, 1, 0, 5, {0, 512, 1024, 1536, 2048}, 2560},
    /* 4 x 4, 2 x 2, 1 rows of 256 */
    {TEXTURE_3D, TEXTURE_ROWS, "r8", 4, 4, 4, 0, 3, {0, 4096, 5120}, 5632},
    /* 64 x 64 x 8, 32 x 32 x 2, 16 x 16, 8 x 8 ... */
    {TEXTURE_3D,
     TEXTURE_MORTON,
     "r8",
     64,
     64,
     5,
     0,
     7,
     {0, 32768, 34816, 35328, 35840, 36352, 36864},
     37376},
    /* depth 9 counts in a volume ... */
    {TEXTURE_3D, TEXTURE_MORTON, "r8", 1, 1, 9, 0, 4, {0, 512, 1024, 1536}, 2048},
    /* ... and layers do not: five on each level, of 2 GOBs, then 1 */
    {TEXTURE_2D_ARRAY, TEXTURE_GOB, "rgba8", 16, 16, 5, 0, 5, {0, 5120, 7680, 10240, 12800}, 15360},
    {TEXTURE_2D_ARRAY, TEXTURE_MORTON, "r8", 4, 4, 9, 0, 3, {0, 512, 1024}, 1536},
    {TEXTURE_1D, TEXTURE_ROWS, "r32f", 1000, 1, 1, 3, 3, {0, 4096, 6144}, 7168},
};

START_TEST(levels_of_a_mip_chain_follow_each_other)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(chains); i++) {
        const Texture texture =
            make(&(TextureShape){.kind = chains[i].kind,
                                 .layout = chains[i].layout,
                                 .format = texture_format_find(chains[i].format),
                                 .width = chains[i].width,
                                 .height = chains[i].height,
                                 .depth = chains[i].depth,
                                 .levels = chains[i].levels});
        ck_assert_uint_eq(texture.levels, chains[i].count);
        for (uint32_t level = 0; level < texture.levels; level++) {
            ck_assert_msg(texture.level[level].offset == chains[i].offset[level],
                          "row %u, level %u: %u", i, level, (unsigned)texture.level[level].offset);
            ck_assert_uint_eq(texture_address(&texture, level, 0, 0, 0),
                              AT + chains[i].offset[level]);
        }
        ck_assert_msg(texture.bytes == chains[i].bytes, "row %u: %u", i, (unsigned)texture.bytes);
    }
}
END_TEST

START_TEST(a_level_has_half_the_sides_of_the_one_before_it)
{
    const Texture texture = make(&(TextureShape){.kind = TEXTURE_3D,
                                                 .format = texture_format_find("bc4"),
                                                 .width = 21,
                                                 .height = 6,
                                                 .depth = 3});
    /* columns and rows of blocks: a quarter, rounded up */
    static const uint32_t sides[][5] = {
        {21, 6, 3, 6, 2}, {10, 3, 1, 3, 1}, {5, 1, 1, 2, 1}, {2, 1, 1, 1, 1}, {1, 1, 1, 1, 1}};
    ck_assert_uint_eq(texture.levels, G_N_ELEMENTS(sides));
    for (uint32_t i = 0; i < texture.levels; i++) {
        const TextureLevel *level = &texture.level[i];
        ck_assert_uint_eq(level->width, sides[i][0]);
        ck_assert_uint_eq(level->height, sides[i][1]);
        ck_assert_uint_eq(level->depth, sides[i][2]);
        ck_assert_uint_eq(level->columns, sides[i][3]);
        ck_assert_uint_eq(level->rows, sides[i][4]);
    }
    ck_assert_double_eq(texture.level[1].scale[0], 10 / 21.0);
}
END_TEST

START_TEST(sixteen_texels_of_a_block_have_one_address)
{
    for (TextureLayout layout = TEXTURE_ROWS; layout <= TEXTURE_GOB; layout++) {
        const Texture texture = make(&(TextureShape){.kind = TEXTURE_2D,
                                                     .layout = layout,
                                                     .format = texture_format_find("bc1"),
                                                     .width = 32,
                                                     .height = 32,
                                                     .depth = 1});
        const uint64_t block = texture_address(&texture, 0, 8, 4, 0);
        for (uint32_t y = 0; y < 12; y++)
            for (uint32_t x = 4; x < 16; x++) {
                const bool inside = x / 4 == 2 && y / 4 == 1;
                ck_assert_int_eq(texture_address(&texture, 0, x, y, 0) == block, inside);
            }
    }
}
END_TEST

/* Marks all elements of all levels; each must be within the texture and new. */
static void visit_elements(const Texture *texture)
{
    g_autofree uint8_t *seen = g_malloc0(texture->bytes);
    const uint32_t side = texture->shape.format->side, bytes = texture->shape.format->bytes;
    for (uint32_t l = 0; l < texture->levels; l++) {
        const TextureLevel *level = &texture->level[l];
        const uint64_t end = l + 1 < texture->levels ? level[1].offset : texture->bytes;
        for (uint32_t z = 0; z < level->depth; z++)
            for (uint32_t y = 0; y < level->height; y += side)
                for (uint32_t x = 0; x < level->width; x += side) {
                    const uint64_t at = texture_address(texture, l, x, y, z) - AT;
                    /* one check: there are many, and each costs */
                    if (at % bytes || at < level->offset || at + bytes > end || seen[at])
                        ck_abort_msg("level %u, texel %u %u %u: %u", l, x, y, z, (unsigned)at);
                    seen[at] = 1;
                }
    }
}

START_TEST(no_two_elements_have_one_address_and_all_lie_within_their_level)
{
    static const uint64_t sides[][3] = {{1, 1, 1},  {2, 3, 5},  {17, 9, 3}, {33, 70, 2},
                                        {64, 8, 8}, {5, 64, 7}, {100, 3, 1}};
    for (uint32_t i = 0; i < G_N_ELEMENTS(sides); i++)
        for (TextureKind kind = TEXTURE_1D; kind <= TEXTURE_2D_ARRAY; kind++)
            for (TextureLayout layout = TEXTURE_ROWS; layout <= TEXTURE_GOB; layout++)
                for (const TextureFormat *format = texture_formats; format->name; format++) {
                    if (kind == TEXTURE_1D && format->side > 1) continue;
                    const bool deep = kind == TEXTURE_3D || kind == TEXTURE_2D_ARRAY;
                    const Texture texture =
                        make(&(TextureShape){.kind = kind,
                                             .layout = layout,
                                             .format = format,
                                             .width = sides[i][0],
                                             .height = kind == TEXTURE_1D ? 1 : sides[i][1],
                                             .depth = deep ? sides[i][2] : 1});
                    visit_elements(&texture);
                }
}
END_TEST

START_TEST(the_largest_textures_are_laid_out_without_overflow)
{
    Texture texture = make(&(TextureShape){.kind = TEXTURE_3D,
                                           .layout = TEXTURE_MORTON,
                                           .format = texture_format_find("rgba32f"),
                                           .width = 16384,
                                           .height = 16384,
                                           .depth = 16384,
                                           .levels = 1});
    ck_assert_uint_eq(texture.bytes, UINT64_C(1) << 46); /* 3 x 14 + 4 bits */
    ck_assert_uint_eq(texture_address(&texture, 0, 16383, 16383, 16383), AT + texture.bytes - 16);
    texture = make(&(TextureShape){.kind = TEXTURE_2D,
                                   .layout = TEXTURE_MORTON,
                                   .format = texture_format_find("r8"),
                                   .width = TEXTURE_SIDE_MAX,
                                   .height = TEXTURE_SIDE_MAX,
                                   .depth = 1});
    ck_assert_uint_eq(texture.levels, TEXTURE_LEVELS);
    ck_assert_uint_eq(texture_address(&texture, 0, 32767, 32767, 0), AT + (1 << 30) - 1);
}
END_TEST

/* Each changes one thing of a 2D texture of 16 x 16, in tiles. */
static const struct {
    TextureKind kind;
    TextureLayout layout;
    const char *format;
    uint64_t width, height, depth, levels, tile_bytes, tile_rows, address;
    const char *message;
} mistakes[] = {
    {TEXTURE_2D, TEXTURE_TILES, "r8", 0, 16, 1, 0, 0, 0, 0,
     "width: must be 1 to 32768 for a texture of kind 2d, not 0"},
    {TEXTURE_2D, TEXTURE_TILES, "r8", 16, 32769, 1, 0, 0, 0, 0,
     "height: must be 1 to 32768 for a texture of kind 2d, not 32769"},
    {TEXTURE_2D, TEXTURE_TILES, "r8", 16, 16, 2, 0, 0, 0, 0,
     "depth: must be 1 for a texture of kind 2d, not 2"},
    {TEXTURE_1D, TEXTURE_TILES, "r8", 16, 16, 1, 0, 0, 0, 0,
     "height: must be 1 for a texture of kind 1d, not 16"},
    {TEXTURE_3D, TEXTURE_TILES, "r8", 16, 16, 16385, 0, 0, 0, 0,
     "depth: must be 1 to 16384 for a texture of kind 3d, not 16385"},
    {TEXTURE_2D_ARRAY, TEXTURE_TILES, "r8", 16, 16, 2049, 0, 0, 0, 0,
     "depth: must be 1 to 2048 for a texture of kind 2d_array, not 2049"},
    {TEXTURE_1D, TEXTURE_TILES, "bc3", 16, 1, 1, 0, 0, 0, 0,
     "format: bc3 has blocks of 4 x 4 texels, a texture of kind 1d none"},
    {TEXTURE_2D, TEXTURE_TILES, "r8", 16, 16, 1, 6, 0, 0, 0,
     "levels: must be at most 5, the levels from this size to a single texel, not 6"},
    {TEXTURE_2D, TEXTURE_TILES, "r8", 16, 16, 1, 0, 48, 0, 0,
     "tile_bytes: must be a power of two up to 65536, not 48"},
    {TEXTURE_2D, TEXTURE_TILES, "rgba32f", 16, 16, 1, 0, 8, 0, 0,
     "tile_bytes: must hold an element of rgba32f, 16 bytes, not 8"},
    {TEXTURE_2D, TEXTURE_TILES, "r8", 16, 16, 1, 0, 0, 131072, 0,
     "tile_rows: must be a power of two up to 65536, not 131072"},
    {TEXTURE_2D, TEXTURE_GOB, "r8", 16, 16, 1, 0, 128, 0, 0,
     "layout: a gob has 64 bytes x 8 rows; other tiles are `blocked`"},
    {TEXTURE_2D, TEXTURE_TILES, "r8", 16, 16, 1, 0, 0, 0, 0x180,
     "address: must be a multiple of 512, not 0x180"},
};

START_TEST(what_a_texture_cannot_be_is_said_with_its_key)
{
    for (uint32_t i = 0; i < G_N_ELEMENTS(mistakes); i++) {
        const TextureShape shape = {.kind = mistakes[i].kind,
                                    .layout = mistakes[i].layout,
                                    .format = texture_format_find(mistakes[i].format),
                                    .width = mistakes[i].width,
                                    .height = mistakes[i].height,
                                    .depth = mistakes[i].depth,
                                    .levels = mistakes[i].levels,
                                    .tile_bytes = mistakes[i].tile_bytes,
                                    .tile_rows = mistakes[i].tile_rows};
        Texture texture;
        g_autoptr(GError) error = NULL;
        ck_assert(!texture_init(&texture, &shape, mistakes[i].address, &error));
        ck_assert_str_eq(error->message, mistakes[i].message);
    }
}
END_TEST

HARNESS_MAIN("texture", formats_have_the_sizes_of_their_elements_and_texels,
             a_texel_lies_where_its_layout_places_it, levels_of_a_mip_chain_follow_each_other,
             a_level_has_half_the_sides_of_the_one_before_it,
             sixteen_texels_of_a_block_have_one_address,
             no_two_elements_have_one_address_and_all_lie_within_their_level,
             the_largest_textures_are_laid_out_without_overflow,
             what_a_texture_cannot_be_is_said_with_its_key)
