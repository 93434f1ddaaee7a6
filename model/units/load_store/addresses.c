/* The load/store unit's lines, and lanes of atomics that want one address. */
#include <math.h>

#include "parts/sm/bank_arbiter.h"
#include "units/load_store/private.h"

/* --- addresses -------------------------------------------------------------------------------- */

/* Of a piece of one 4-byte word of a thread's local memory; `lane` of the warp in this slot of this
 * SM. */
static uint64_t local_place(const LoadStore *self, uint32_t slot, uint32_t lane, uint64_t offset)
{
    const uint64_t warp = self->unit.number * self->local_warps + slot % self->local_warps;
    const uint64_t lanes = *self->warp_lanes;
    offset %= self->local_bytes;
    if (self->local_layout == LOCAL_LINEAR)
        return self->local_base + (warp * lanes + lane) * self->local_bytes + offset;
    const uint64_t word = offset / 4;
    return self->local_base + warp * lanes * self->local_bytes + (word * lanes + lane) * 4
           + offset % 4;
}

/* A lane's value may lie in several words, which are not neighbours when interleaved. No piece may
 * reach into the next word: there are lines for as many as there are pieces. */
G_GNUC_NO_INLINE static uint32_t coalesce_local(LoadStore *self, const WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    uint64_t address[LANES_MAX], place[COALESCER_LINES];
    const uint32_t piece = MIN(instruction->width, 4u);
    uint32_t count = 0;
    warp_access_lane_addresses(access, address);
    for (uint32_t at = 0; at < instruction->width; at += piece)
        for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
            const uint64_t offset = (address[lane] & -(uint64_t)piece) + at;
            place[count++] = local_place(self, access->warp, lane, offset);
        }
    return coalesce_addresses(self->line, place, count, piece, self->lines);
}

static uint32_t coalesce(LoadStore *self, const WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    if (instruction->space == SPACE_LOCAL) return coalesce_local(self, access);
    const LaneSteps steps = instruction_steps(instruction);
    if (!instruction->addresses)
        return coalesce_steps(self->line, &steps, instruction->width, self->lines);
    return coalesce_addresses(self->line, access->lanes->address, count_lanes(instruction->mask),
                              instruction->width, self->lines);
}

void load_store_find_lines(LoadStore *self, WarpAccess *access)
{
    warp_access_take_lines(&self->unit.messages, access, coalesce(self, access));
    uint32_t bytes = 0, covered = 0;
    for (uint32_t i = 0; i < access->lines; i++) {
        const CoalescedLine *line = &self->lines[i];
        bytes += line->bytes;
        covered += line->covered;
        access->line[i] = (AccessLine){.line = line->line,
                                       .bytes = line->bytes,
                                       .sectors = line->sectors,
                                       .partial = line->partial};
    }
    self->transactions += access->lines;
    if (access->lines > (bytes + self->line->line_bytes - 1) / self->line->line_bytes + 1)
        self->uncoalesced++;
    if (access->instruction.operation == OPERATION_STORE && covered < bytes)
        self->conflicting_stores++;
    self->local_instructions += access->instruction.space == SPACE_LOCAL;
}

/* --- atomics ---------------------------------------------------------------------------------- */

static Time cycles_of(const LoadStore *self, double cycles)
{
    return (Time)llround(cycles * (double)self->unit.clock->period);
}

/* From the first to the last, the second `replay` behind the first where it is not 0. */
static Time turns_of(const LoadStore *self, uint32_t lanes, Time replay, double interval)
{
    if (lanes < 2 || !replay) return cycles_of(self, (lanes - 1) * interval);
    return replay + cycles_of(self, (lanes - 2) * interval);
}

G_GNUC_NO_INLINE Time load_store_serialize_atomic(LoadStore *self, WarpAccess *access)
{
    uint64_t address[LANES_MAX];
    warp_access_lane_addresses(access, address);
    const Instruction *instruction = &access->instruction;
    const bool in_shared = instruction->space == SPACE_SHARED;
    const uint32_t groups = in_shared ? LANES_MAX : (uint32_t)self->atomic_groups;
    access->same_address = same_address_passes(address, instruction->mask, groups);
    self->atomic_passes += access->same_address;
    const double interval = in_shared ? self->shared_atomic_interval : self->atomic_interval;
    const Time replay = in_shared ? 0 : clock_cycles(self->unit.clock, self->atomic_replay_latency);
    const Time more = turns_of(self, access->same_address, replay, interval);
    const Time first = clock_cycles(self->unit.clock,
                                    in_shared ? self->shared_atomic_latency : self->atomic_latency);
    if (instruction_has_no_result(instruction)) self->release_after = first + more;
    access->turn_passes = 1;
    access->pass_interval = in_shared ? cycles_of(self, interval) : 0;
    if (in_shared && self->shared_lock_loop) {
        access->turn_passes = 2; /* a load and a store */
        access->pass_interval /= 2;
    }
    if (in_shared || !replay) return in_shared ? 0 : more;
    return clock_cycles(self->unit.clock, (access->same_address - 1) * self->interval);
}
