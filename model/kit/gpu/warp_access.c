#include "kit/gpu/warp_access.h"

#include <string.h>

void warp_access_init(Message *message)
{
    WarpAccess *access = (WarpAccess *)message;
    access->kernel = NULL;
    access->parts = false;
    access->refused = REFUSED_NOT;
    access->lanes = NULL;
    access->many = NULL;
    access->line = access->few;
    access->lines = 0;
}

void warp_access_finish(MessageSource *messages, Message *message)
{
    const WarpAccess *access = (const WarpAccess *)message;
    if (!access->parts) return;
    if (access->lanes) message_free(messages, &access->lanes->message);
    if (access->many) message_free(messages, &access->many->message);
}

void warp_access_begin(MessageSource *messages, WarpAccess *access, const Instruction *instruction,
                       Time issued)
{
    access->instruction = *instruction;
    access->issued = issued;
    access->samples = NULL;
    access->served_by = 0;
    access->answer = NULL;
    if (instruction->addresses || instruction->operation == OPERATION_ATOMIC) {
        access->lanes = message_new_part(messages, MESSAGE_ACCESS_LANES);
        access->parts = true;
    }
    if (instruction->addresses)
        memcpy(access->lanes->address, instruction->addresses,
               count_lanes(instruction->mask) * sizeof *instruction->addresses);
}

void warp_access_take_lines(MessageSource *messages, WarpAccess *access, uint32_t lines)
{
    access->lines = (uint16_t)lines;
    if (lines <= ACCESS_FEW) return;
    access->many = message_new_part(messages, MESSAGE_ACCESS_LINES);
    access->parts = true;
    access->line = access->many->line;
}

void warp_access_lane_addresses(const WarpAccess *access, uint64_t address[LANES_MAX])
{
    const Instruction *instruction = &access->instruction;
    const LaneSteps steps = instruction_steps(instruction);
    uint32_t next = 0;
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        address[lane] =
            instruction->addresses ? access->lanes->address[next++] : lane_address(&steps, lane);
    }
}

void warp_access_bytes(const WarpAccess *access, uint64_t line, uint32_t line_bytes,
                       uint64_t *bytes)
{
    const Instruction *instruction = &access->instruction;
    uint64_t address[LANES_MAX];
    memset(bytes, 0, (line_bytes + 63) / 64 * sizeof *bytes);
    warp_access_lane_addresses(access, address);
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint64_t first = address[__builtin_ctzll(rest)] - line;
        for (uint64_t byte = first; byte != first + instruction->width; byte++)
            if (byte < line_bytes) bytes[byte / 64] |= UINT64_C(1) << (byte % 64);
    }
}
