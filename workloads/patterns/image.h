/* Patterns that go over the pixels of an image: which lane has which pixel, where the result goes.
 *
 * A CTA has a tile of cta_width pixels and as many rows as its threads allow, a warp a tile of
 * warp_width pixels of that, in quads: lanes 4k .. 4k + 3 are 2 x 2 pixels. */
#pragma once

#include "workloads/patterns/texture_keys.h"

typedef enum { TARGET_NONE, TARGET_ROWS, TARGET_TILES, TARGET_MORTON, TARGET_GOB } TargetLayout;
extern const char *const target_layout_names[];

/* First member of a pattern's parameters. */
typedef struct {
    TextureKeys texture;
    uint64_t width, height, threads_per_cta, cta_width, warp_width, registers_per_thread;
    uint64_t index_instructions, target_base;
    char *target_format;
    uint32_t target_layout;
} ImageKeys;

#define IMAGE_ROWS                                                                                 \
    PARAM_NUMBER(ImageKeys, width, PARAM_COUNT, "512", 1, TEXTURE_SIDE_MAX,                        \
                 "pixels in a row of the result"),                                                 \
        PARAM_NUMBER(ImageKeys, height, PARAM_COUNT, "512", 1, TEXTURE_SIDE_MAX,                   \
                     "rows of pixels of the result"),                                              \
        PARAM_NUMBER(ImageKeys, threads_per_cta, PARAM_COUNT, "256", 32, 1024,                     \
                     "threads a CTA, one a pixel: a number of whole warps"),                       \
        PARAM_NUMBER(ImageKeys, cta_width, PARAM_COUNT, "16", 2, 512,                              \
                     "pixels in a row of a CTA's tile; its threads say how many rows it has"),     \
        PARAM_NUMBER(ImageKeys, warp_width, PARAM_COUNT, "8", 2, 32,                               \
                     "pixels in a row of a warp's tile, a power of two: 8 x 4 pixels of 32 "       \
                     "lanes, 8 x 8 of 64"),                                                        \
        PARAM_NUMBER(ImageKeys, index_instructions, PARAM_COUNT, "6", 0, 255,                      \
                     "dependent integer instructions before a thread's first access"),             \
        PARAM_ONE_OF(ImageKeys, target_layout, target_layout_names, "linear",                      \
                     "where the result goes: none, it is not stored; linear, row after row; "      \
                     "blocked, in tiles of 64 B x 8 rows; morton, along a Z-shaped curve"),        \
        PARAM_STRING(ImageKeys, target_format, "rgba8", "what a stored pixel is, a format"),       \
        PARAM_NUMBER(ImageKeys, target_base, PARAM_BYTES, "0 B", 0, 0x1p48,                        \
                     "address of the result; 0 B: behind the textures"),                           \
        PARAM_NUMBER(ImageKeys, registers_per_thread, PARAM_COUNT, "32", 1, 255,                   \
                     "registers a thread, which limit resident warps")

typedef struct {
    uint32_t x, y;
} Pixel;

typedef struct {
    uint32_t width, height;
    uint32_t lanes, warp_width, warp_height, warps_across, cta_width, cta_height;
    uint64_t ctas_across, ctas;
    TextureSet textures;
    Texture target;
    bool stores;
} Image;

/* `texture` has the sizes, too; it may be another than the keys' own. The error is one of
 * workload_reject. */
bool image_init(Image *image, const ImageKeys *keys, const TextureKeys *texture, uint32_t lanes,
                GError **error);
void image_finish(Image *image);

/* Grid, footprint, and counted bytes: of each pixel one texel of `textures` textures and the
 * result. */
void image_describe(const Image *image, const ImageKeys *keys, Kernel *kernel);

/* The textures and "target". */
void image_name_arrays(const Image *image, LaunchList *list);

/* Also of lanes whose pixel lies outside of the image. */
Pixel image_pixel(const Image *image, const WarpCursor *cursor, uint32_t lane);

/* Lanes whose pixel lies inside. */
uint64_t image_mask(const Image *image, const WarpCursor *cursor);

/* Of each active lane: where its pixel (moved by dx, dy; to the edge, if that is outside) lies in
 * the texture. */
void image_list(const Image *image, const Texture *texture, Pixel moved, WarpCursor *cursor,
                Instruction *instruction);

/* The first instruction, if there are index_instructions. */
void image_write_index(const ImageKeys *keys, Instruction *instruction);

/* Stores register `data` and those behind it. */
void image_write_store(const Image *image, uint32_t data, WarpCursor *cursor,
                       Instruction *instruction);
