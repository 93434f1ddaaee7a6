/* The instructions of one CTA of a trace, packed: about 9 bytes for an arithmetic instruction,
 * 18 for a coalesced access, so that the CTAs in flight fit into memory whatever the trace's
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

void trace_block_append(TraceBlock *block, const Instruction *instruction);

/* The cursor's next instruction, whose stream is a block; `lanes` is the mask of the EXIT of a warp
 * that the trace has no instructions of. */
void trace_block_fetch(WarpCursor *cursor, uint64_t lanes, Instruction *instruction);
