/* The register file of an SM: entries of one 32-bit register for each of a warp's threads.
 *
 * Mapped: a warp gets a contiguous block of entries, rounded up to the granularity, at the lowest
 * place that is large enough; the physical entry is the block's base plus the register's number.
 * Fixed: every warp slot has an equal part of the file for ever, as the hardware threads of a CPU
 * do. Its banks are register_ports.h's. */
#pragma once

#include "parts/fetch_ahead.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum { REGISTER_FILE_WARPS = 64 };

typedef struct {
    uint32_t entries, granularity;
    uint32_t share; /* fixed: entries of a warp slot; 0: mapped */
} RegisterFileShape;

/* What a release touches are two lines of the host's cache, as long as there are few blocks. */
typedef struct {
    _Alignas(64) RegisterFileShape shape;
    uint32_t blocks;
    uint32_t packed;                    /* so many of these, from the first, lie without a gap */
    uint32_t allocated;                 /* entries */
    uint8_t order[REGISTER_FILE_WARPS]; /* slots with a block, by base */
    uint32_t base[REGISTER_FILE_WARPS], size[REGISTER_FILE_WARPS]; /* of each warp slot */
} RegisterFile;

/* These are fetched. */
static inline void register_file_foresee(const RegisterFile *file, uint32_t warp)
{
    fetch_ahead(file);
    fetch_ahead(&file->size[warp]);
}

void register_file_init(RegisterFile *file, const RegisterFileShape *shape);

/* A block for `registers` a thread. False: no place is large enough. */
bool register_file_allocate(RegisterFile *file, uint32_t warp, uint32_t registers);
void register_file_release(RegisterFile *file, uint32_t warp);
