/* Textures in memory: their shapes, formats, mip chains and layouts, and where each element lies.
 * An element is what memory holds at one place: a texel, or a compressed block of 4 x 4 texels. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { TEXTURE_LEVELS = 16, TEXTURE_SIDE_MAX = 32768 };
/* Bytes: of the texture's address and of each level; of each row of TEXTURE_ROWS. */
enum { TEXTURE_ALIGNMENT = 512, TEXTURE_ROW_ALIGNMENT = 256 };

typedef enum { TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_2D_ARRAY } TextureKind;
extern const char *const texture_kind_names[]; /* as scenarios write them; NULL at the end */

typedef enum {
    TEXTURE_ROWS,   /* row after row: `linear` */
    TEXTURE_TILES,  /* tiles of tile_bytes x tile_rows, row after row of tiles: `blocked` */
    TEXTURE_MORTON, /* Z-order: the bits of the coordinates alternate */
    TEXTURE_GOB,    /* tiles of 64 bytes x 8 rows, in each pieces of 16 bytes x 2 rows: NVIDIA's */
} TextureLayout;
extern const char *const texture_layout_names[];

/* What an element is: bytes (a power of two), and texels along a side (1, or 4 when
 * block-compressed). */
typedef struct {
    const char *name; /* "rgba8", "bc1" ... */
    uint8_t bytes, side;
    uint8_t texel_bytes; /* of a texel as a shader sees it, uncompressed */
} TextureFormat;
extern const TextureFormat texture_formats[]; /* name NULL at the end */

/* NULL: there is none of this name. */
const TextureFormat *texture_format_find(const char *name);

typedef struct {
    TextureKind kind;
    TextureLayout layout;
    const TextureFormat *format;
    uint64_t width, height, depth;  /* texels; depth: of 3D, or layers of an array; otherwise 1 */
    uint64_t levels;                /* of the mip chain: 1 none, 0 down to 1 x 1 x 1 */
    uint64_t tile_bytes, tile_rows; /* of TEXTURE_TILES: powers of two; 0: 64 bytes, 8 rows */
} TextureShape;

/* Where the bits of a coordinate go in Z-order: the lowest every third place, those above them
 * every second place, the rest together. */
typedef struct {
    uint8_t third_shift, second_shift, rest_shift;
} MortonAxis;

/* A level of the mip chain, in elements. */
typedef struct {
    uint64_t offset;                 /* bytes from the texture's first */
    uint32_t width, height, depth;   /* texels; depth of an array: its layers, on each level */
    uint32_t columns, rows;          /* elements */
    uint64_t row_bytes, slice_bytes; /* of a row (of tiles), and of a slice or layer */
    double scale[3];                 /* texels of this level for one of level 0 */
    /* of TEXTURE_MORTON */
    uint8_t third_bits, second_bits; /* common to three axes; then to two */
    MortonAxis axis[3];
} TextureLevel;

typedef struct {
    TextureShape shape;
    uint64_t address; /* of its first byte, virtual */
    uint64_t bytes;   /* that it occupies with its levels and all padding */
    uint32_t levels;
    uint8_t element_shift, side_shift;         /* log2 of the format's bytes and side */
    uint8_t tile_bytes_shift, tile_rows_shift; /* of TEXTURE_TILES */
    TextureLevel level[TEXTURE_LEVELS];
} Texture;

/* Lays the texture out at `address`, a multiple of TEXTURE_ALIGNMENT. False with error: a size out
 * of range ("width: reason"). */
bool texture_init(Texture *texture, const TextureShape *shape, uint64_t address, GError **error);

/* Address of the element that holds texel (x, y, z) of a level; all within the level. */
uint64_t texture_address(const Texture *texture, uint32_t level, uint32_t x, uint32_t y,
                         uint32_t z);

/* The same in parts, for those who want several texels: in each layout an address is the sum of
 * texture_slice_address and one offset each of column and row. */
uint64_t texture_slice_address(const Texture *texture, uint32_t level, uint32_t z);
uint64_t texture_column_offset(const Texture *texture, uint32_t level, uint32_t x);
uint64_t texture_row_offset(const Texture *texture, uint32_t level, uint32_t y);
