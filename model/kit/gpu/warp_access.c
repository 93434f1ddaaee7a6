#include "kit/gpu/warp_access.h"

#include <string.h>

void warp_access_init(Message *message)
{
    ((WarpAccess *)message)->kernel = NULL;
}

void warp_access_begin(WarpAccess *access, const Instruction *instruction, Time issued)
{
    const uint32_t lanes = count_lanes(instruction->mask);
    access->instruction = *instruction;
    access->issued = issued;
    access->samples = NULL;
    access->served_by = 0;
    access->refused = REFUSED_NOT;
    access->answer = NULL;
    if (instruction->addresses)
        memcpy(access->address, instruction->addresses, lanes * sizeof *instruction->addresses);
}

void warp_access_lane_addresses(const WarpAccess *access, uint64_t address[LANES_MAX])
{
    const Instruction *instruction = &access->instruction;
    uint32_t next = 0;
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        address[lane] = instruction->addresses
                            ? access->address[next++]
                            : instruction->base + (uint64_t)((int64_t)lane * instruction->stride);
    }
}
