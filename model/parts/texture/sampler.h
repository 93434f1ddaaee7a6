/* Sampling: from coordinates to the texels that a filter combines, and their weights.
 *
 * A sample is one or more *steps*, each of which is what a filter unit does at once: up to four
 * texels of one level (bilinear; one with point sampling). Trilinear sampling takes a step in each
 * of two levels, a volume two slices a level, anisotropic sampling N times as many, along the
 * longer axis of the pixel's footprint.
 *
 * Positions, levels and weights have 8 fractional bits (CUDA C++ Programming Guide, texture
 * fetching: 9-bit fixed point, 8 bits of fraction; Direct3D 11 functional specification: at least
 * 8 bits). Arithmetic is in double and rounded to these bits, so results do not depend on the
 * machine that computes them. */
#pragma once

#include "parts/texture/texture.h"

typedef enum { WRAP_REPEAT, WRAP_CLAMP, WRAP_MIRROR, WRAP_BORDER } TextureWrap;
extern const char *const texture_wrap_names[];
typedef enum { FILTER_POINT, FILTER_BILINEAR, FILTER_TRILINEAR } TextureFilter;
extern const char *const texture_filter_names[];

enum { ANISOTROPY_MAX = 16, LOD_BIAS_MAX = 16 };

typedef struct {
    TextureWrap wrap[3];
    TextureFilter filter;
    uint64_t anisotropy; /* most probes of a sample: 1 to 16; one with FILTER_POINT */
    double lod_bias;     /* -16 to 16 */
    bool normalized;     /* coordinates 0 .. 1 over the texture; otherwise texels of level 0 */
} TextureSampler;

/* Coordinates of one lane; `z` of volumes, or the layer of an array. */
typedef struct {
    float x, y, z;
} TexturePoint;

enum { STEP_TEXELS = 4, SAMPLE_STEPS = 64 /* 16 probes x 2 levels x 2 slices */ };

/* A texel that lies outside with WRAP_BORDER has weight and no address. */
#define TEXEL_BORDER UINT64_MAX

/* Texels without weight are left out: 1, 2 or 4, upper left first, or none in the slice of a
 * volume that a point does not need. Two may have one address: at an edge, or in a block. */
typedef struct {
    uint32_t count;
    uint32_t level;
    uint64_t address[STEP_TEXELS];
    float weight[STEP_TEXELS]; /* of the whole sample: all steps together sum to 1, exactly */
} SampleStep;

/* Level of detail of a quad of four lanes (upper left, upper right, lower left, lower right) from
 * the differences of their coordinates; and the probes and their direction, for all four. */
typedef struct {
    float level; /* clamped to the mip chain, bias included, a multiple of 1/256 */
    uint32_t probes;
    TexturePoint along; /* from a probe to the next, coordinates; they lie around the point */
    uint32_t share;     /* weight of each probe but the last, of 2^24 */
} TextureDetail;

void texture_detail_of_quad(const Texture *texture, const TextureSampler *sampler,
                            const TexturePoint quad[4], TextureDetail *detail);

/* The same for a level that is given; the sampler's bias is added. */
void texture_detail_of_level(const Texture *texture, const TextureSampler *sampler, float level,
                             TextureDetail *detail);

/* Steps of each sample with this detail: the same for all lanes of a quad. */
uint32_t texture_count_steps(const Texture *texture, const TextureSampler *sampler,
                             const TextureDetail *detail);

/* Step number `step` of a sample at `point`: probe by probe, in each level by level, in each slice
 * by slice. Beyond the last one a step has no texels. */
void texture_sample_step(const Texture *texture, const TextureSampler *sampler,
                         const TextureDetail *detail, const TexturePoint *point, uint32_t step,
                         SampleStep *out);

/* A fetch without filter: texel (x, y, z) of a level (the last one for those beyond), coordinates
 * in whole texels of that level; wrap applies. */
void texture_fetch_texel(const Texture *texture, const TextureSampler *sampler, uint32_t level,
                         const TexturePoint *texel, SampleStep *out);
