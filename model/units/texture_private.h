/* What the files of the texture unit share; nobody else includes this. */
#pragma once

#include "kit/unit.h"
#include "parts/coalescer.h"
#include "parts/reorder_buffer.h"
#include "parts/tag_array.h"

/* Where texels are kept: in the unit's own arrays, or in the SM's L1. */
typedef enum { TEXTURE_CACHE_OWN, TEXTURE_CACHE_L1 } TextureCache;

/* Lines that one fragment reads: a quad of four bilinear samples. */
enum { FRAGMENT_LINES = 16 };

/* An entry of the fragment FIFO: what is read together from the data array. */
typedef struct {
    /* its stages, from the issue of the instruction to the end of the filter */
    Transaction *record;
    WarpAccess *access;
    uint32_t lines;
    uint32_t place[FRAGMENT_LINES]; /* in the data array, as in the tag array */
    uint64_t line[FRAGMENT_LINES];  /* that the place must hold by then */
    uint32_t misses;                /* of these, lines that the reorder buffer brings, in order */
    Time tagged;                    /* entered the FIFO */
} Fragment;

typedef struct {
    Unit unit;
    Port from_sm, from_load_store, from_l1, from_l1_fills;
    Channel to_sm, to_sm_stores, to_l1, to_l1_misses;
    const LineShape *line;

    uint64_t capacity;
    uint32_t cache;
} TextureUnit;
