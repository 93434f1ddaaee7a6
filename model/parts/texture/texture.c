#include "parts/texture/texture.h"

#include "parts/bits.h"

#include <string.h>

const char *const texture_kind_names[] = {"1d", "2d", "3d", "2d_array", NULL};
const char *const texture_layout_names[] = {"linear", "blocked", "morton", "gob", NULL};

const TextureFormat texture_formats[] = {
    {"r8", 1, 1, 1},        {"rg8", 2, 1, 2},     {"rgba8", 4, 1, 4}, {"r16f", 2, 1, 2},
    {"rg16f", 4, 1, 4},     {"rgba16f", 8, 1, 8}, {"r32f", 4, 1, 4},  {"rg32f", 8, 1, 8},
    {"rgba32f", 16, 1, 16}, {"bc1", 8, 4, 4},     {"bc2", 16, 4, 4},  {"bc3", 16, 4, 4},
    {"bc4", 8, 4, 1},       {"bc5", 16, 4, 2},    {"bc6h", 16, 4, 8}, {"bc7", 16, 4, 4},
    {NULL, 0, 0, 0}};

enum { TILE_BYTES = 64, TILE_ROWS = 8, TILE_MAX = 65536 };

const TextureFormat *texture_format_find(const char *name)
{
    for (const TextureFormat *format = texture_formats; format->name; format++)
        if (!strcmp(format->name, name)) return format;
    return NULL;
}

G_GNUC_PRINTF(3, 4)
static bool reject(GError **error, const char *key, const char *text, ...)
{
    va_list arguments;
    va_start(arguments, text);
    g_autofree char *reason = g_strdup_vprintf(text, arguments);
    va_end(arguments);
    g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0, "%s: %s", key, reason);
    return false;
}

static bool check_side(const TextureShape *shape, const char *key, uint64_t side, uint64_t most,
                       GError **error)
{
    if (side >= 1 && side <= most) return true;
    if (most == 1)
        return reject(error, key, "must be 1 for a texture of kind %s, not %" G_GUINT64_FORMAT,
                      texture_kind_names[shape->kind], side);
    return reject(error, key,
                  "must be 1 to %" G_GUINT64_FORMAT " for a texture of kind %s, not "
                  "%" G_GUINT64_FORMAT,
                  most, texture_kind_names[shape->kind], side);
}

static bool check_sides(const TextureShape *shape, GError **error)
{
    /* CUDA C++ Programming Guide, technical specifications for compute capability 6.0 on */
    static const struct {
        uint64_t width, height, depth;
    } most[] = {[TEXTURE_1D] = {TEXTURE_SIDE_MAX, 1, 1},
                [TEXTURE_2D] = {TEXTURE_SIDE_MAX, TEXTURE_SIDE_MAX, 1},
                [TEXTURE_3D] = {16384, 16384, 16384},
                [TEXTURE_2D_ARRAY] = {TEXTURE_SIDE_MAX, TEXTURE_SIDE_MAX, 2048}};
    return check_side(shape, "width", shape->width, most[shape->kind].width, error)
           && check_side(shape, "height", shape->height, most[shape->kind].height, error)
           && check_side(shape, "depth", shape->depth, most[shape->kind].depth, error);
}

/* Levels down to 1 x 1 x 1; layers of an array are not halved. */
static uint32_t count_levels(const TextureShape *shape)
{
    const uint64_t depth = shape->kind == TEXTURE_3D ? shape->depth : 1;
    return 64 - (uint32_t)__builtin_clzll(shape->width | shape->height | depth);
}

static bool check_tile(const TextureShape *shape, GError **error)
{
    if (!is_power_of_two(shape->tile_bytes) || shape->tile_bytes > TILE_MAX)
        return reject(error, "tile_bytes",
                      "must be a power of two up to %u, not %" G_GUINT64_FORMAT, TILE_MAX,
                      shape->tile_bytes);
    if (shape->tile_bytes < shape->format->bytes)
        return reject(error, "tile_bytes",
                      "must hold an element of %s, %u bytes, not %" G_GUINT64_FORMAT,
                      shape->format->name, shape->format->bytes, shape->tile_bytes);
    if (!is_power_of_two(shape->tile_rows) || shape->tile_rows > TILE_MAX)
        return reject(error, "tile_rows", "must be a power of two up to %u, not %" G_GUINT64_FORMAT,
                      TILE_MAX, shape->tile_rows);
    return true;
}

static bool check_shape(const TextureShape *shape, uint64_t address, GError **error)
{
    if (!check_sides(shape, error)) return false;
    if (shape->kind == TEXTURE_1D && shape->format->side > 1)
        return reject(error, "format", "%s has blocks of 4 x 4 texels, a texture of kind 1d none",
                      shape->format->name);
    if (shape->levels > count_levels(shape))
        return reject(error, "levels",
                      "must be at most %u, the levels from this size to a single texel, not "
                      "%" G_GUINT64_FORMAT,
                      count_levels(shape), shape->levels);
    if (shape->layout == TEXTURE_GOB
        && (shape->tile_bytes != TILE_BYTES || shape->tile_rows != TILE_ROWS))
        return reject(error, "layout", "a gob has %u bytes x %u rows; other tiles are `blocked`",
                      TILE_BYTES, TILE_ROWS);
    if (!check_tile(shape, error)) return false;
    if (address % TEXTURE_ALIGNMENT)
        return reject(error, "address", "must be a multiple of %u, not 0x%" G_GINT64_MODIFIER "x",
                      TEXTURE_ALIGNMENT, address);
    return true;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) & ~(to - 1);
}

/* Bit i of each axis that has one, x first, then bit i + 1: so the lowest bits come every third
 * place while three axes last, then every second, and what only the longest axis has on top. */
static void place_bits(TextureLevel *level, const uint8_t bits[3])
{
    const uint8_t low = MIN(bits[0], bits[1]), high = MAX(bits[0], bits[1]);
    level->third_bits = MIN(low, bits[2]);
    /* the middle one of three */
    level->second_bits = MAX(low, MIN(high, bits[2])) - level->third_bits;
    uint8_t lasting = 0;
    for (uint32_t i = 0; i < 3; i++) {
        level->axis[i] = (MortonAxis){.third_shift = i,
                                      .second_shift = 3 * level->third_bits + lasting,
                                      .rest_shift = 3 * level->third_bits + 2 * level->second_bits};
        lasting += bits[i] > level->third_bits;
    }
}

/* Returns the bytes of a slice. */
static uint64_t lay_out_slice(const Texture *texture, TextureLevel *level)
{
    const TextureShape *shape = &texture->shape;
    const uint64_t row = (uint64_t)level->columns << texture->element_shift;
    switch (shape->layout) {
    case TEXTURE_ROWS:
        level->row_bytes = round_up(row, TEXTURE_ROW_ALIGNMENT);
        return level->row_bytes * level->rows;
    case TEXTURE_TILES:
    case TEXTURE_GOB:
        level->row_bytes = round_up(row, shape->tile_bytes) << texture->tile_rows_shift;
        return level->row_bytes
               * (round_up(level->rows, shape->tile_rows) >> texture->tile_rows_shift);
    case TEXTURE_MORTON: break;
    }
    const bool volume = shape->kind == TEXTURE_3D;
    const uint8_t bits[3] = {bits_for(level->columns), bits_for(level->rows),
                             volume ? bits_for(level->depth) : 0};
    place_bits(level, bits);
    /* slices of a volume are not apart: each counts for its share */
    return UINT64_C(1) << (bits[0] + bits[1] + texture->element_shift);
}

static uint32_t side_of_level(uint64_t side, uint32_t number)
{
    return (uint32_t)MAX(1, side >> number);
}

/* Returns the bytes of the level. */
static uint64_t lay_out_level(Texture *texture, uint32_t number)
{
    const TextureShape *shape = &texture->shape;
    TextureLevel *level = &texture->level[number];
    const bool volume = shape->kind == TEXTURE_3D;
    level->width = side_of_level(shape->width, number);
    level->height = side_of_level(shape->height, number);
    level->depth = volume ? side_of_level(shape->depth, number) : (uint32_t)shape->depth;
    level->scale[0] = level->width / (double)shape->width;
    level->scale[1] = level->height / (double)shape->height;
    level->scale[2] = level->depth / (double)shape->depth;
    level->columns = (level->width + shape->format->side - 1) >> texture->side_shift;
    level->rows = (level->height + shape->format->side - 1) >> texture->side_shift;
    level->slice_bytes = lay_out_slice(texture, level);
    if (volume && shape->layout == TEXTURE_MORTON)
        return level->slice_bytes << bits_for(level->depth);
    return level->slice_bytes * level->depth;
}

bool texture_init(Texture *texture, const TextureShape *shape, uint64_t address, GError **error)
{
    *texture = (Texture){.shape = *shape, .address = address};
    TextureShape *own = &texture->shape;
    if (!own->tile_bytes) own->tile_bytes = TILE_BYTES;
    if (!own->tile_rows) own->tile_rows = TILE_ROWS;
    if (!check_shape(own, address, error)) return false;
    const uint32_t levels = own->levels ? (uint32_t)own->levels : count_levels(own);
    g_assert(levels <= TEXTURE_LEVELS); /* which the compiler cannot know, and warns of */
    texture->levels = levels;
    texture->element_shift = (uint8_t)__builtin_ctz(own->format->bytes);
    texture->side_shift = (uint8_t)__builtin_ctz(own->format->side);
    texture->tile_bytes_shift = (uint8_t)__builtin_ctzll(own->tile_bytes);
    texture->tile_rows_shift = (uint8_t)__builtin_ctzll(own->tile_rows);
    for (uint32_t i = 0; i < levels; i++) {
        texture->level[i].offset = texture->bytes;
        texture->bytes = round_up(texture->bytes + lay_out_level(texture, i), TEXTURE_ALIGNMENT);
    }
    return true;
}

/* Bit i of 16 moves to place 2 i. */
static uint64_t spread_by_two(uint64_t bits)
{
    bits = (bits | bits << 8) & UINT64_C(0x00ff00ff);
    bits = (bits | bits << 4) & UINT64_C(0x0f0f0f0f);
    bits = (bits | bits << 2) & UINT64_C(0x33333333);
    return (bits | bits << 1) & UINT64_C(0x55555555);
}

/* Bit i of 16 moves to place 3 i. */
static uint64_t spread_by_three(uint64_t bits)
{
    bits = (bits | bits << 16) & UINT64_C(0x0000ff0000ff);
    bits = (bits | bits << 8) & UINT64_C(0x00f00f00f00f);
    bits = (bits | bits << 4) & UINT64_C(0x0c30c30c30c3);
    return (bits | bits << 2) & UINT64_C(0x249249249249);
}

static uint64_t low_bits(uint64_t value, uint32_t count)
{
    return value & ((UINT64_C(1) << count) - 1);
}

static uint64_t morton_offset(const Texture *texture, const TextureLevel *level, uint32_t axis,
                              uint64_t at)
{
    const MortonAxis *places = &level->axis[axis];
    const uint64_t above = at >> level->third_bits;
    uint64_t element = spread_by_two(low_bits(above, level->second_bits)) << places->second_shift
                       | above >> level->second_bits << places->rest_shift;
    if (level->third_bits)
        element |= spread_by_three(low_bits(at, level->third_bits)) << places->third_shift;
    return element << texture->element_shift;
}

uint64_t texture_slice_address(const Texture *texture, uint32_t number, uint32_t z)
{
    const TextureLevel *level = &texture->level[number];
    const uint64_t start = texture->address + level->offset;
    if (texture->shape.layout == TEXTURE_MORTON && texture->shape.kind == TEXTURE_3D)
        return start + morton_offset(texture, level, 2, z);
    return start + z * level->slice_bytes;
}

uint64_t texture_column_offset(const Texture *texture, uint32_t number, uint32_t x)
{
    const TextureLevel *level = &texture->level[number];
    const uint64_t column = x >> texture->side_shift;
    const uint64_t byte = column << texture->element_shift;
    switch (texture->shape.layout) {
    case TEXTURE_ROWS: break;
    case TEXTURE_TILES:
        return (byte >> texture->tile_bytes_shift
                            << (texture->tile_bytes_shift + texture->tile_rows_shift))
               + low_bits(byte, texture->tile_bytes_shift);
    case TEXTURE_MORTON: return morton_offset(texture, level, 0, column);
    case TEXTURE_GOB: /* x5 y2 x4 y1 y0 x3 x2 x1 x0, from x in bytes */
        return byte >> 6 << 9 | (byte & 32) << 3 | (byte & 16) << 2 | (byte & 15);
    }
    return byte;
}

uint64_t texture_row_offset(const Texture *texture, uint32_t number, uint32_t y)
{
    const TextureLevel *level = &texture->level[number];
    const uint64_t row = y >> texture->side_shift;
    switch (texture->shape.layout) {
    case TEXTURE_ROWS: break;
    case TEXTURE_TILES:
        return (row >> texture->tile_rows_shift) * level->row_bytes
               + (low_bits(row, texture->tile_rows_shift) << texture->tile_bytes_shift);
    case TEXTURE_MORTON: return morton_offset(texture, level, 1, row);
    case TEXTURE_GOB: return (row >> 3) * level->row_bytes + ((row & 4) << 5 | (row & 3) << 4);
    }
    return row * level->row_bytes;
}

uint64_t texture_address(const Texture *texture, uint32_t level, uint32_t x, uint32_t y, uint32_t z)
{
    return texture_slice_address(texture, level, z) + texture_column_offset(texture, level, x)
           + texture_row_offset(texture, level, y);
}
