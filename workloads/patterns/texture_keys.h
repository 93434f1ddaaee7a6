/* Textures as the patterns' keys describe them: one image or several of the same kind behind each
 * other in memory, and the sampler that reads them. */
#pragma once

#include "workloads/generator.h"

/* First member of a pattern's parameters, so that TEXTURE_ROWS can stand in its table. */
typedef struct {
    uint64_t textures, texture_base, texture_width, texture_height, texture_depth;
    uint64_t texture_tile_bytes, texture_tile_rows, anisotropy;
    double lod_bias;
    char *texture_format, *mipmaps, *wrap;
    uint32_t texture_kind, texture_layout, filter;
} TextureKeys;

/* The sizes, of a pattern that does not derive them from something else. */
#define TEXTURE_SIZE_ROWS(default_width, default_height)                                           \
    PARAM_NUMBER(TextureKeys, texture_width, PARAM_COUNT, default_width, 1, TEXTURE_SIDE_MAX,      \
                 "texels in a row of the texture"),                                                \
        PARAM_NUMBER(TextureKeys, texture_height, PARAM_COUNT, default_height, 0,                  \
                     TEXTURE_SIDE_MAX,                                                             \
                     "rows of texels; 0: as many as texels in a row, or one of a 1D texture"),     \
        PARAM_NUMBER(TextureKeys, texture_depth, PARAM_COUNT, "0", 0, TEXTURE_SIDE_MAX,            \
                     "slices of a volume (3d), or layers of an array; 0: one, of a volume as "     \
                     "many as texels in a row")

/* A lookup or an image as it is. */
#define TEXTURE_ROWS(default_kind, default_filter)                                                 \
    TEXTURE_SURFACE_ROWS(default_kind, default_filter, "no", "clamp")

/* The same for what lies repeated on surfaces that are seen from near and far. */
#define TEXTURE_SURFACE_ROWS(default_kind, default_filter, default_mipmaps, default_wrap)          \
    PARAM_ONE_OF(TextureKeys, texture_kind, texture_kind_names, default_kind,                      \
                 "shape: a row of texels (1d), an image (2d), a volume (3d), or images of one "    \
                 "size as layers (2d_array)"),                                                     \
        PARAM_STRING(TextureKeys, texture_format, "rgba8",                                         \
                     "what a texel is: its channels and their bits, or bc1 ... for blocks of "     \
                     "4 x 4 texels compressed together"),                                          \
        PARAM_ONE_OF(                                                                              \
            TextureKeys, texture_layout, texture_layout_names, "blocked",                          \
            "order of texels in memory: linear, row after row; blocked, in small tiles so that "   \
            "neighbours above and below are near; morton, along a Z-shaped curve; gob, NVIDIA's "  \
            "tiles of 64 B x 8 rows"),                                                             \
        PARAM_NUMBER(TextureKeys, texture_tile_bytes, PARAM_BYTES, "64 B", 1, 65536,               \
                     "bytes of a tile's row, layout blocked; a power of two"),                     \
        PARAM_NUMBER(TextureKeys, texture_tile_rows, PARAM_COUNT, "8", 1, 1024,                    \
                     "rows of texels in a tile, layout blocked; a power of two"),                  \
        PARAM_STRING(TextureKeys, mipmaps, default_mipmaps,                                        \
                     "smaller copies of the texture for distant views: no, yes (each half as "     \
                     "large as the one before, down to one texel), or how many levels in all"),    \
        PARAM_STRING(TextureKeys, wrap, default_wrap,                                              \
                     "coordinates outside of the texture: repeat, clamp (to the edge), mirror or " \
                     "border (a constant, no memory); or one for each axis, 'repeat, clamp'"),     \
        PARAM_ONE_OF(TextureKeys, filter, texture_filter_names, default_filter,                    \
                     "texels mixed into a sample: point 1, bilinear 2 x 2, trilinear 2 x 2 of "    \
                     "each of two mip levels"),                                                    \
        PARAM_NUMBER(TextureKeys, anisotropy, PARAM_COUNT, "1", 1, ANISOTROPY_MAX,                 \
                     "most places sampled along the longer axis of a pixel that is seen at a "     \
                     "grazing angle; 1: none"),                                                    \
        PARAM_REAL(TextureKeys, lod_bias, "0", -LOD_BIAS_MAX, LOD_BIAS_MAX,                        \
                   "added to the mip level that is sampled; positive: smaller, blurred copies"),   \
        PARAM_NUMBER(TextureKeys, textures, PARAM_COUNT, "1", 1, 256,                              \
                     "textures of this kind, behind each other in memory"),                        \
        PARAM_NUMBER(TextureKeys, texture_base, PARAM_BYTES, "0 B", 0, 0x1p48,                     \
                     "address of the first texture")

typedef struct {
    TextureBinding *bindings; /* owned; instructions point at them */
    uint32_t count;
    uint64_t end;       /* address behind the last one, a multiple of TEXTURE_ALIGNMENT */
    uint64_t footprint; /* bytes of all, with their mip levels and padding */
} TextureSet;

/* The format of this name, which is the value of `key`; NULL with error. */
const TextureFormat *texture_format_read(const char *key, const char *name, GError **error);

/* Textures whose size follows from the bytes that a pattern goes through: texels in rows of
 * texture_width. */
typedef struct {
    TextureSet textures;
    uint64_t texels, width; /* texel n is in column n % width, row n / width */
    double texel_bytes;     /* below 1 in a compressed block */
} TextureArea;

/* A row of 256 bytes of the usual formats: footprints of whole tiles are contiguous. */
#define TEXTURE_AREA_ROWS                                                                          \
    PARAM_NUMBER(TextureKeys, texture_width, PARAM_COUNT, "64", 1, TEXTURE_SIDE_MAX,               \
                 "texels in a row of the texture, which has as many rows as its footprint asks "   \
                 "for; not of 1d")

bool texture_area_build(const TextureKeys *keys, uint64_t footprint, TextureArea *area,
                        GError **error);

/* All of it, from the keys and TEXTURE_SIZE_ROWS. */
bool texture_keys_build(const TextureKeys *keys, TextureSet *set, GError **error);
/* "texture", or "texture[0]" and so on. */
void texture_set_name(const TextureSet *set, LaunchList *list);
void texture_set_finish(TextureSet *set);

/* Of a texel, or of its coordinates. */
uint32_t texture_registers(const Texture *texture);
uint32_t texture_coordinates(TextureKind kind);

/* The third coordinate of patterns that have two: the middle of a volume, or the first layer. */
float texture_middle(const Texture *texture);

/* A sample or fetch that reads its coordinates, and its level if the mode has one, from
 * REGISTER_ADDRESS on and writes registers from `first` on. */
void instruction_sample(Instruction *instruction, const TextureBinding *binding, SampleMode mode,
                        uint32_t first);
