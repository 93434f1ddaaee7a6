#include "parts/texture/sampler.h"

#include "parts/bits.h"

#include <math.h>

const char *const texture_wrap_names[] = {"repeat", "clamp", "mirror", "border", NULL};
const char *const texture_filter_names[] = {"point", "bilinear", "trilinear", NULL};

/* Fixed point of positions, levels and weights; and weights of a whole sample, which are exact in
 * float, as are all their sums. */
enum { FRACTION_BITS = 8, ONE = 1 << FRACTION_BITS, WHOLE = 1 << 24 };

/* Beyond these coordinates nothing distinguishes texels. */
static const double far_away = 0x1p40;

/* Rounds down. No number is 0, as Direct3D has it. */
static int64_t floor_of(double value)
{
    if (!(fabs(value) < far_away)) value = isnan(value) ? 0 : copysign(far_away, value);
    const int64_t truncated = (int64_t)value;
    return truncated - (value < (double)truncated);
}

/* --- level of detail --- */

/* Clamped and rounded to 8 fractional bits. */
static float level_within(const Texture *texture, double level)
{
    const double last = texture->levels - 1;
    if (!(level > 0)) return 0;
    if (level >= last) return (float)last;
    return (float)((double)floor_of(level * ONE + 0.5) / ONE);
}

void texture_detail_of_level(const Texture *texture, const TextureSampler *sampler, float level,
                             TextureDetail *detail)
{
    *detail = (TextureDetail){
        .level = level_within(texture, level + sampler->lod_bias), .probes = 1, .share = WHOLE};
}

/* Squared length in texels of level 0. */
static double squared_length(const Texture *texture, const TextureSampler *sampler,
                             const TexturePoint *step)
{
    const TextureLevel *base = &texture->level[0];
    const bool normalized = sampler->normalized;
    const double x = normalized ? (double)step->x * base->width : step->x;
    double sum = x * x;
    if (texture->shape.kind != TEXTURE_1D) {
        const double y = normalized ? (double)step->y * base->height : step->y;
        sum += y * y;
    }
    if (texture->shape.kind == TEXTURE_3D) {
        const double z = normalized ? (double)step->z * base->depth : step->z;
        sum += z * z;
    }
    return sum;
}

/* The axes' ratio, rounded up; before that to 8 fractional bits, so that what coordinates lose in
 * float does not cost a probe. */
static uint32_t count_probes(const TextureSampler *sampler, double longer, double shorter)
{
    const double most = (double)sampler->anisotropy;
    if (sampler->filter == FILTER_POINT || !(most > 1) || !(longer > shorter)) return 1;
    const double ratio = sqrt(longer) / sqrt(shorter); /* infinite when the shorter one is 0 */
    if (!(ratio < most)) return (uint32_t)sampler->anisotropy;
    return (uint32_t)((floor_of(ratio * ONE + 0.5) + ONE - 1) >> FRACTION_BITS);
}

static TexturePoint difference(const TexturePoint *to, const TexturePoint *from)
{
    return (TexturePoint){to->x - from->x, to->y - from->y, to->z - from->z};
}

/* OpenGL 4.6, 8.14.1, and EXT_texture_filter_anisotropic: N probes at i / (N + 1) - 1/2 of the
 * longer axis, i = 1 .. N; each on the level of its N-th part. */
void texture_detail_of_quad(const Texture *texture, const TextureSampler *sampler,
                            const TexturePoint quad[4], TextureDetail *detail)
{
    const TexturePoint right = difference(&quad[1], &quad[0]);
    const TexturePoint down = difference(&quad[2], &quad[0]);
    const double width = squared_length(texture, sampler, &right);
    const double height = squared_length(texture, sampler, &down);
    const bool wide = width >= height;
    const double longer = wide ? width : height;
    const uint32_t probes = count_probes(sampler, longer, wide ? height : width);
    detail->probes = probes;
    detail->share = WHOLE / probes;
    detail->along = (TexturePoint){0};
    if (probes > 1) {
        const TexturePoint axis = wide ? right : down;
        const float parts = (float)(probes + 1);
        const bool volume = texture->shape.kind == TEXTURE_3D;
        detail->along = (TexturePoint){axis.x / parts, axis.y / parts, volume ? axis.z / parts : 0};
    }
    const double level = log2(longer / ((double)probes * probes)) / 2; /* -infinity of 0 */
    detail->level = level_within(texture, level + sampler->lod_bias);
}

/* --- steps --- */

/* Which levels a sample takes: from `first` and, with a fraction, from the next one. */
typedef struct {
    uint32_t first, fraction;
} Levels;

static Levels levels_of(const TextureSampler *sampler, const TextureDetail *detail)
{
    const uint32_t fixed = (uint32_t)(detail->level * ONE);
    if (sampler->filter == FILTER_TRILINEAR)
        return (Levels){fixed >> FRACTION_BITS, fixed & (ONE - 1)};
    return (Levels){(fixed + ONE / 2 - 1) >> FRACTION_BITS, 0}; /* half way: the finer one */
}

/* log2: a volume is filtered between two slices. */
static uint32_t slices_shift(const Texture *texture, const TextureSampler *sampler)
{
    return texture->shape.kind == TEXTURE_3D && sampler->filter != FILTER_POINT;
}

uint32_t texture_count_steps(const Texture *texture, const TextureSampler *sampler,
                             const TextureDetail *detail)
{
    const uint32_t levels_shift = levels_of(sampler, detail).fraction != 0;
    return detail->probes << levels_shift << slices_shift(texture, sampler);
}

/* Neighbours along an axis; TAP_OUTSIDE: border. */
typedef struct {
    uint32_t at[2];
    uint32_t fraction; /* weight of the second, of 256 */
} Taps;

#define TAP_OUTSIDE UINT32_MAX

/* 0 .. size - 1, of negative numbers as well. */
static int64_t remainder_of(int64_t at, int64_t size)
{
    if (is_power_of_two((uint64_t)size)) return at & (size - 1);
    at %= size;
    return at < 0 ? at + size : at;
}

/* From a texel's number to one in 0 .. size - 1. OpenGL 4.6, 8.14.2. */
static uint32_t wrap_texel(int64_t at, uint32_t size, TextureWrap wrap)
{
    if (at >= 0 && at < size) return (uint32_t)at;
    switch (wrap) {
    case WRAP_REPEAT: return (uint32_t)remainder_of(at, size);
    case WRAP_CLAMP: return at < 0 ? 0 : size - 1;
    case WRAP_MIRROR:
        at = remainder_of(at, 2 * (int64_t)size);
        return (uint32_t)(at < size ? at : 2 * (int64_t)size - 1 - at);
    case WRAP_BORDER: break;
    }
    return TAP_OUTSIDE;
}

/* `texels`: where, from the texture's edge; texel i has its centre at i + 1/2. */
static Taps nearest_tap(double texels, uint32_t size, TextureWrap wrap)
{
    return (Taps){.at = {wrap_texel(floor_of(texels), size, wrap)}};
}

static Taps find_taps(double texels, uint32_t size, TextureWrap wrap, bool linear)
{
    if (!linear) return nearest_tap(texels, size, wrap);
    const int64_t fixed = floor_of(texels * ONE + 0.5) - ONE / 2;
    const int64_t first = fixed >> FRACTION_BITS;
    Taps taps = {.at = {wrap_texel(first, size, wrap)}, .fraction = fixed & (ONE - 1)};
    if (taps.fraction) taps.at[1] = wrap_texel(first + 1, size, wrap);
    return taps;
}

/* Layers are not filtered: the nearest one that is there. */
static uint32_t layer_of(const Texture *texture, float z)
{
    return wrap_texel(floor_of((double)z + 0.5), texture->level[0].depth, WRAP_CLAMP);
}

/* Part of `weight` that goes to the second of two neighbours, or to the first. */
static uint32_t part_of(uint32_t weight, uint32_t fraction, uint32_t number)
{
    const uint32_t second = (uint32_t)((uint64_t)weight * fraction >> FRACTION_BITS);
    return number ? second : weight - second;
}

static void put_texel(SampleStep *out, uint64_t address, uint32_t weight)
{
    if (!weight) return;
    out->address[out->count] = address;
    out->weight[out->count++] = (float)weight * (1.0f / WHOLE);
}

/* Up to two by two texels of a slice. */
static void put_texels(const Texture *texture, uint32_t slice, const Taps *x, const Taps *y,
                       uint32_t weight, SampleStep *out)
{
    const uint32_t level = out->level, columns = x->fraction ? 2 : 1, rows = y->fraction ? 2 : 1;
    const bool outside = slice == TAP_OUTSIDE;
    const uint64_t start = outside ? 0 : texture_slice_address(texture, level, slice);
    uint64_t column[2] = {0};
    for (uint32_t i = 0; i < columns; i++)
        if (x->at[i] != TAP_OUTSIDE) column[i] = texture_column_offset(texture, level, x->at[i]);
    for (uint32_t j = 0; j < rows; j++) {
        const uint32_t row_weight = part_of(weight, y->fraction, j);
        const bool beyond = outside || y->at[j] == TAP_OUTSIDE;
        const uint64_t row = beyond ? 0 : start + texture_row_offset(texture, level, y->at[j]);
        for (uint32_t i = 0; i < columns; i++)
            put_texel(out, beyond || x->at[i] == TAP_OUTSIDE ? TEXEL_BORDER : row + column[i],
                      part_of(row_weight, x->fraction, i));
    }
}

/* Texels of the level, from the texture's edge. */
static double to_texels(const TextureSampler *sampler, double coordinate, uint32_t size,
                        double scale)
{
    return coordinate * (sampler->normalized ? size : scale);
}

static void sample_level(const Texture *texture, const TextureSampler *sampler, const double at[3],
                         uint32_t slice_step, uint32_t weight, SampleStep *out)
{
    const TextureLevel *level = &texture->level[out->level];
    const bool linear = sampler->filter != FILTER_POINT;
    const Taps x = find_taps(to_texels(sampler, at[0], level->width, level->scale[0]), level->width,
                             sampler->wrap[0], linear);
    Taps y = {.at = {0}}, z = {.at = {0}};
    if (texture->shape.kind != TEXTURE_1D)
        y = find_taps(to_texels(sampler, at[1], level->height, level->scale[1]), level->height,
                      sampler->wrap[1], linear);
    if (texture->shape.kind == TEXTURE_3D)
        z = find_taps(to_texels(sampler, at[2], level->depth, level->scale[2]), level->depth,
                      sampler->wrap[2], linear);
    else if (texture->shape.kind == TEXTURE_2D_ARRAY)
        z.at[0] = layer_of(texture, (float)at[2]);
    put_texels(texture, z.at[slice_step], &x, &y, part_of(weight, z.fraction, slice_step), out);
}

void texture_sample_step(const Texture *texture, const TextureSampler *sampler,
                         const TextureDetail *detail, const TexturePoint *point, uint32_t step,
                         SampleStep *out)
{
    const Levels levels = levels_of(sampler, detail);
    const uint32_t slices = slices_shift(texture, sampler), shift = slices + (levels.fraction != 0);
    const uint32_t probe = step >> shift, last = detail->probes - 1;
    const uint32_t level_step = (step >> slices) & (levels.fraction != 0);
    out->count = 0;
    out->level = levels.first + level_step;
    if (probe > last) return;
    const uint32_t share = probe < last ? detail->share : WHOLE - last * detail->share;
    const double off = probe - last / 2.0;
    const double at[3] = {point->x + detail->along.x * off, point->y + detail->along.y * off,
                          point->z + detail->along.z * off};
    sample_level(texture, sampler, at, step & slices, part_of(share, levels.fraction, level_step),
                 out);
}

void texture_fetch_texel(const Texture *texture, const TextureSampler *sampler, uint32_t level,
                         const TexturePoint *texel, SampleStep *out)
{
    out->count = 0;
    out->level = MIN(level, texture->levels - 1);
    const TextureLevel *at = &texture->level[out->level];
    const Taps x = nearest_tap(texel->x, at->width, sampler->wrap[0]);
    Taps y = {.at = {0}};
    uint32_t slice = 0;
    if (texture->shape.kind != TEXTURE_1D) y = nearest_tap(texel->y, at->height, sampler->wrap[1]);
    if (texture->shape.kind == TEXTURE_3D)
        slice = nearest_tap(texel->z, at->depth, sampler->wrap[2]).at[0];
    else if (texture->shape.kind == TEXTURE_2D_ARRAY)
        slice = layer_of(texture, texel->z);
    put_texels(texture, slice, &x, &y, WHOLE, out);
}
