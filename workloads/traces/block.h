/* The instructions of one CTA of a trace, packed: about 8 bytes for an arithmetic instruction,
 * 14 for a coalesced access, so that the CTAs in flight fit into memory whatever the trace's
 * length. */
#pragma once

#include "kit/gpu/kernel.h"

typedef struct {
    uint64_t cta;
    uint32_t warps;
    size_t used, room;
    uint8_t *bytes;
    uint64_t begin[]; /* of each warp in `bytes`; TRACE_NO_WARP: it only exits */
} TraceBlock;

#define TRACE_NO_WARP UINT64_MAX

TraceBlock *trace_block_new(uint64_t cta, uint32_t warps);
void trace_block_free(TraceBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceBlock, trace_block_free)

/* What the next instruction of a warp is told apart from. Zeroed at a warp's beginning. */
typedef struct {
    uint64_t pc, base;
    uint64_t mask;
    uint32_t source_line;
} TraceBefore;

void trace_block_append(TraceBlock *block, TraceBefore *before, const Instruction *instruction);

/* The cursor's next instruction; `lanes` is the mask of the EXIT of a warp that the trace has no
 * instructions of. */
void trace_block_fetch(const TraceBlock *block, WarpCursor *cursor, uint64_t lanes,
                       Instruction *instruction);
