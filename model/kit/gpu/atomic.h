/* The operands of an atomic, on their way to where it is done, and its values on their way back. */
#pragma once

#include "kit/gpu/warp_access.h"

/* What the lanes of an atomic want done in one line: goes with the transaction to the ROP, and
 * back with the values that the words had before. */
typedef struct AtomicOperands {
    Message message;
    uint8_t operation, width; /* AtomicOperation; bytes a lane */
    TileMix tiles;
    uint64_t lanes; /* those whose word is in the line */
    uint32_t operand, compare;
    int32_t operand_stride;
    uint16_t offset[LANES_MAX]; /* of a lane's word in the line, bytes */
    uint32_t value[LANES_MAX];
} AtomicOperands;

/* Of those lanes whose address is in the line. */
void atomic_operands_fill(AtomicOperands *operands, const WarpAccess *access, uint64_t line,
                          uint32_t line_bytes);
