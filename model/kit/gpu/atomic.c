#include "kit/gpu/atomic.h"

void atomic_operands_fill(AtomicOperands *operands, const WarpAccess *access, uint64_t line,
                          uint32_t line_bytes)
{
    const Instruction *instruction = &access->instruction;
    uint64_t address[LANES_MAX];
    warp_access_lane_addresses(access, address);
    operands->operation = instruction->atomic;
    operands->width = instruction->width;
    operands->tiles = instruction->tiles;
    operands->operand = instruction->operand;
    operands->operand_stride = instruction->operand_stride;
    operands->compare = instruction->compare;
    operands->lanes = 0;
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (address[lane] - line >= line_bytes) continue;
        operands->lanes |= UINT64_C(1) << lane;
        operands->offset[lane] = (uint16_t)(address[lane] - line);
    }
}
