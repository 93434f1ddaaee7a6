/* Which lines of an access are looked up together, and how many passes of the data array its lanes
 * take. */
#include "units/l1/private.h"

enum { BANKS_MAX = 64 };

typedef struct {
    uint64_t address[LANES_MAX]; /* where neither `gapless` nor `rows` says enough */
    uint64_t mask[ACCESS_LINES]; /* lanes whose value begins in the line */
    LaneSteps steps;
    bool gapless;   /* no two lanes can be in each other's way */
    bool rows;      /* rows of lanes need no search */
    bool scattered; /* and so bound by `scattered_bytes` */
} Lanes;

/* Side by side, whether all of them are active or not, or at one address. */
static bool is_gapless(const Instruction *instruction)
{
    return !instruction->addresses && !instruction->row_lanes
           && (instruction->stride == 0 || instruction->stride == instruction->width);
}

static bool finds_rows(const DataBanks *array, const Instruction *instruction, LaneSteps *steps)
{
    if (!instruction->row_lanes) return false;
    *steps = instruction_steps(instruction);
    return bank_rows_are_plain(array, steps, instruction->width);
}

/* Lines are in the order of their first lanes: most lanes want that of the lane before, or the next
 * one. */
static void assign_lanes(const L1 *self, const WarpAccess *access, Lanes *lanes)
{
    const uint64_t line_mask = ~(uint64_t)(self->line->line_bytes - 1);
    uint32_t i = 0;
    for (uint32_t l = 0; l < access->lines; l++) lanes->mask[l] = 0;
    for (uint64_t rest = access->instruction.mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        while (access->line[i].line != (lanes->address[lane] & line_mask))
            i = i + 1 < access->lines ? i + 1 : 0;
        lanes->mask[i] |= UINT64_C(1) << lane;
    }
}

/* Lanes from this one on, to the end of its row or line. */
static uint32_t lanes_together(const L1 *self, const Lanes *lanes, uint32_t lane, uint64_t address)
{
    const uint64_t line_bytes = self->line->line_bytes, step = (uint64_t)lanes->steps.stride;
    const uint32_t row = lanes->steps.row_lanes, in_row = row - (lane & (row - 1));
    const uint64_t rest = line_bytes - (address & (line_bytes - 1));
    return step * in_row <= rest ? in_row : (uint32_t)((rest + step - 1) >> __builtin_ctzll(step));
}

static void assign_rows(const L1 *self, const WarpAccess *access, Lanes *lanes)
{
    const uint64_t line_mask = ~(uint64_t)(self->line->line_bytes - 1);
    uint32_t i = 0;
    for (uint32_t l = 0; l < access->lines; l++) lanes->mask[l] = 0;
    for (uint64_t rest = access->instruction.mask; rest;) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        const uint64_t address = lane_address(&lanes->steps, lane);
        while (access->line[i].line != (address & line_mask)) i = i + 1 < access->lines ? i + 1 : 0;
        const uint64_t here = lowest_lanes(lanes_together(self, lanes, lane, address)) << lane;
        lanes->mask[i] |= rest & here;
        rest &= ~here;
    }
}

/* Of lanes side by side, those below the address are the lowest ones. */
static uint64_t lanes_below(const Instruction *instruction, uint64_t address)
{
    if (address <= instruction->base) return 0;
    if (!instruction->stride) return UINT64_MAX;
    return lowest_lanes((address - instruction->base + instruction->width - 1)
                        / instruction->width);
}

/* Between two lines begins none. */
static void assign_side_by_side(const L1 *self, const WarpAccess *access, Lanes *lanes)
{
    const Instruction *instruction = &access->instruction;
    const uint32_t last = access->lines - 1u;
    uint64_t rest = instruction->mask;
    for (uint32_t i = 0; i < last; i++) {
        const uint64_t end = access->line[i].line + self->line->line_bytes;
        const uint64_t below = lanes_below(instruction, end);
        lanes->mask[i] = rest & below;
        rest &= ~below;
    }
    lanes->mask[last] = rest;
}

/* A wavefront takes at most one line of each tag bank: the n-th line of a bank is in the n-th. */
static uint32_t assign_wavefronts(const L1 *self, WarpAccess *access)
{
    if (self->ideal_banks) {
        for (uint32_t i = 0; i < access->lines; i++) access->line[i].wavefront = 0;
        return 1;
    }
    uint8_t in_bank[BANKS_MAX] = {0};
    const uint32_t banks = (uint32_t)self->tag_banks;
    uint32_t wavefronts = 0;
    const AccessLine *const end = access->line + access->lines;
    for (AccessLine *line = access->line; line < end; line++) {
        const uint64_t number = line_number(self, line->line);
        const uint32_t bank = self->tag_bank_index == TAG_BANK_MODULO ? number & (banks - 1)
                                                                      : tag_bank(number, banks);
        line->wavefront = in_bank[bank]++;
        wavefronts = MAX(wavefronts, in_bank[bank]);
    }
    return wavefronts;
}

/* Those of one wavefront stay in their order. */
static void sort_by_wavefront(WarpAccess *access, Lanes *lanes, uint32_t wavefronts)
{
    AccessLine line[ACCESS_LINES];
    uint64_t mask[ACCESS_LINES];
    uint16_t next[ACCESS_LINES + 1]; /* by wavefront: where its next line comes */
    for (uint32_t w = 0; w <= wavefronts; w++) next[w] = 0;
    for (uint32_t i = 0; i < access->lines; i++) next[access->line[i].wavefront + 1]++;
    for (uint32_t w = 1; w < wavefronts; w++) next[w] = (uint16_t)(next[w] + next[w - 1]);
    for (uint32_t i = 0; i < access->lines; i++) {
        const uint32_t to = next[access->line[i].wavefront]++;
        line[to] = access->line[i];
        mask[to] = lanes->mask[i];
    }
    for (uint32_t i = 0; i < access->lines; i++) {
        access->line[i] = line[i];
        lanes->mask[i] = mask[i];
    }
}

/* What stages share when they overlap: each wavefront pays its part of the whole. */
static uint32_t share_of(uint32_t passes, uint32_t wavefront, uint32_t wavefronts)
{
    return passes * (wavefront + 1) / wavefronts - passes * wavefront / wavefronts;
}

/* Cycles that an access takes longer than without two lines or words in one bank, where it takes
 * `fewest` passes. */
static uint16_t conflicts_of(const L1 *self, uint64_t passes, uint64_t fewest, uint32_t wavefronts)
{
    const uint64_t interval = self->lookup_interval, at_once = self->lookups_per_interval;
    const uint64_t taken = MAX(wavefronts * interval / at_once, passes),
                   least = MAX(interval / at_once, fewest);
    return (uint16_t)(taken > least ? taken - least : 0);
}

enum { COALESCED_BYTES = 4 };

static bool is_scattered(const L1 *self, const Instruction *instruction, const Lanes *lanes)
{
    if (!self->scattered_bytes) return false;
    if (instruction->width > COALESCED_BYTES) return true;
    return !lanes->gapless
           && !lanes_are_neighbours(lanes->address, instruction->mask, instruction->width);
}

G_GNUC_NO_INLINE static uint32_t scattered_passes(const L1 *self, uint64_t mask, uint32_t width)
{
    const uint64_t at_once = self->scattered_bytes;
    return (uint32_t)((count_lanes(mask) * width + at_once - 1) / at_once);
}

static inline uint32_t array_passes(const L1 *self, const WarpAccess *access, const Lanes *lanes,
                                    uint64_t mask)
{
    const uint32_t width = access->instruction.width;
    if (lanes->gapless || self->ideal_banks)
        return bank_passes_without_conflict(&self->cache_array, mask, width);
    if (!lanes->rows) return bank_passes(&self->cache_array, lanes->address, mask, width);
    LaneSteps steps = lanes->steps;
    steps.mask = mask;
    return bank_passes_of_rows(&self->cache_array, &steps, width);
}

static inline uint32_t passes_of(const L1 *self, const WarpAccess *access, const Lanes *lanes,
                                 uint64_t mask)
{
    const uint32_t passes = array_passes(self, access, lanes, mask);
    if (!lanes->scattered) return passes;
    return MAX(passes, scattered_passes(self, mask, access->instruction.width));
}

/* Those of all lanes are known; without conflicts among them, so are those of fewer. */
static uint32_t passes_of_lanes(const L1 *self, const WarpAccess *access, const Lanes *lanes,
                                uint64_t mask)
{
    const uint32_t all = state_of(access)->passes;
    if (mask == access->instruction.mask) return all;
    return all == 1 ? mask != 0 : passes_of(self, access, lanes, mask);
}

/* Of each of several. */
G_GNUC_NO_INLINE static void count_wavefronts(const L1 *self, WarpAccess *access,
                                              const Lanes *lanes, uint32_t wavefronts)
{
    const uint32_t all = state_of(access)->passes;
    for (uint32_t first = 0, end; first < access->lines; first = end) {
        AccessLine *line = &access->line[first];
        uint64_t mask = 0;
        for (end = first; end < access->lines && access->line[end].wavefront == line->wavefront;
             end++)
            mask |= lanes->mask[end];
        if (self->overlap)
            line->wavefront_passes = (uint16_t)share_of(all, line->wavefront, wavefronts);
        else if (end == first + 1)
            line->wavefront_passes = line->passes;
        else
            line->wavefront_passes = (uint16_t)passes_of_lanes(self, access, lanes, mask);
    }
}

static void count_passes(const L1 *self, WarpAccess *access, const Lanes *lanes,
                         uint32_t wavefronts)
{
    for (uint32_t i = 0; i < access->lines; i++)
        access->line[i].passes = (uint16_t)passes_of_lanes(self, access, lanes, lanes->mask[i]);
    if (wavefronts == 1)
        access->line[0].wavefront_passes = (uint16_t)state_of(access)->passes;
    else
        count_wavefronts(self, access, lanes, wavefronts);
}

static uint32_t passes_of_bytes(const L1 *self, uint64_t bytes)
{
    const uint64_t path = self->data_banks * self->data_bank_bytes;
    return (uint32_t)((bytes + path - 1) / path);
}

/* Local memory is interleaved by words: a line is a row. */
static void arrange_rows(const L1 *self, WarpAccess *access)
{
    uint64_t passes = 0, bytes = 0;
    for (uint32_t i = 0; i < access->lines; i++) {
        AccessLine *line = &access->line[i];
        line->wavefront = (uint8_t)i;
        line->passes = line->wavefront_passes = (uint16_t)passes_of_bytes(self, line->bytes);
        passes += line->passes;
        bytes += line->bytes;
    }
    AccessState *state = state_of(access);
    state->passes = access->lines;
    if (access->lines > 1 && access->instruction.operation == OPERATION_LOAD)
        state->conflicts = conflicts_of(self, passes, passes_of_bytes(self, bytes), access->lines);
}

/* Rows of which all that is wanted goes through the path together. */
static void arrange_ideal_rows(const L1 *self, WarpAccess *access)
{
    const bool texels = instruction_samples(&access->instruction);
    uint64_t all = 0;
    assign_wavefronts(self, access);
    for (uint32_t i = 0; i < access->lines; i++) {
        AccessLine *line = &access->line[i];
        const uint64_t bytes = texels ? sector_bytes_of(self, line->sectors) : line->bytes;
        line->passes = (uint16_t)passes_of_bytes(self, bytes);
        all += bytes;
    }
    state_of(access)->passes = passes_of_bytes(self, all);
    if (access->lines) access->line[0].wavefront_passes = (uint16_t)state_of(access)->passes;
}

/* Texels: each line is a row of the array, of which a pass reads what the path carries. */
static void arrange_texels(const L1 *self, WarpAccess *access)
{
    Lanes lanes = {.gapless = true};
    const uint32_t wavefronts = assign_wavefronts(self, access);
    if (wavefronts > 1) sort_by_wavefront(access, &lanes, wavefronts);
    AccessLine *first = access->line;
    uint64_t bytes = 0;
    state_of(access)->passes = 0;
    for (uint32_t i = 0; i < access->lines; i++) {
        AccessLine *line = &access->line[i];
        if (line->wavefront != first->wavefront) first = line;
        const uint64_t own = sector_bytes_of(self, line->sectors);
        line->passes = (uint16_t)passes_of_bytes(self, own);
        bytes += own;
        if (line == first) line->wavefront_passes = 0;
        first->wavefront_passes = (uint16_t)(first->wavefront_passes + line->passes);
        state_of(access)->passes += line->passes;
    }
    state_of(access)->conflicts =
        conflicts_of(self, state_of(access)->passes, passes_of_bytes(self, bytes), wavefronts);
}

/* Lanes at one word wait for each other, whatever the banks are. */
static uint32_t passes_of_shared_atomic(const L1 *self, const uint64_t *address, uint64_t mask)
{
    return self->ideal_banks ? same_address_passes(address, mask, ARBITER_LANES)
                             : bank_passes_atomic(&self->shared_array, address, mask);
}

static bool loads_pairs(const L1 *self, const Instruction *instruction, const uint64_t *address)
{
    return self->shared_pairs && instruction->operation == OPERATION_LOAD
           && lanes_are_paired(address, instruction->mask);
}

/* The fewest are those of values so wide: one at least. */
static void set_shared_passes(const L1 *self, WarpAccess *access, uint32_t passes, uint32_t width)
{
    AccessState *state = state_of(access);
    const uint64_t mask = access->instruction.mask;
    state->passes = passes;
    if (passes == 1) return;
    state->conflicts = conflicts_of(
        self, passes, bank_passes_without_conflict(&self->shared_array, mask, width), 0);
}

/* What pairs of lanes load counts once. */
static void arrange_shared_access(const L1 *self, WarpAccess *access, const uint64_t *address)
{
    const Instruction *instruction = &access->instruction;
    const uint64_t mask = instruction->mask;
    const uint32_t width = instruction->width;
    const bool pairs = loads_pairs(self, instruction, address);
    const uint32_t counted = pairs ? (width + 1) / 2 : width;
    const uint32_t passes = self->ideal_banks
                                ? bank_passes_without_conflict(&self->shared_array, mask, counted)
                                : (pairs ? bank_passes_of_pairs
                                         : bank_passes)(&self->shared_array, address, mask, width);
    set_shared_passes(self, access, passes, counted);
}

/* Most accesses, without a look at their addresses. */
static bool arrange_plain(const L1 *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    const bool load = instruction->operation == OPERATION_LOAD;
    const bool pairs = self->shared_pairs && load && !instruction->stride;
    if (!is_gapless(instruction) && (self->shared_pairs || !self->ideal_banks)) return false;
    state_of(access)->passes =
        bank_passes_without_conflict(&self->shared_array, instruction->mask,
                                     pairs ? (instruction->width + 1) / 2 : instruction->width);
    return true;
}

enum { MORE_THAN_PAIRS = 8 };

/* Neither are lanes side by side that want different words pairs, if there are some. */
static bool arrange_steps(const L1 *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    if (instruction->addresses || instruction->row_lanes || self->ideal_banks
        || count_lanes(instruction->mask) < MORE_THAN_PAIRS)
        return false;
    const LaneSteps steps = instruction_steps(instruction);
    const uint32_t passes = bank_passes_of_steps(&self->shared_array, &steps, instruction->width);
    if (!passes) return false;
    set_shared_passes(self, access, passes, instruction->width);
    return true;
}

static bool arrange_rows_of_lanes(const L1 *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    LaneSteps steps;
    if (self->ideal_banks || !finds_rows(&self->shared_array, instruction, &steps)) return false;
    const bool pairs =
        self->shared_pairs && instruction->operation == OPERATION_LOAD && rows_are_paired(&steps);
    const uint32_t counted = pairs ? (instruction->width + 1) / 2 : instruction->width;
    set_shared_passes(self, access, bank_passes_of_rows(&self->shared_array, &steps, counted),
                      counted);
    return true;
}

static void arrange_shared(const L1 *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    const bool atomic = instruction->operation == OPERATION_ATOMIC;
    if (!atomic
        && (arrange_plain(self, access) || arrange_steps(self, access)
            || arrange_rows_of_lanes(self, access)))
        return;
    Lanes lanes;
    warp_access_lane_addresses(access, lanes.address);
    if (atomic)
        state_of(access)->passes =
            passes_of_shared_atomic(self, lanes.address, instruction->mask) * access->turn_passes;
    else
        arrange_shared_access(self, access, lanes.address);
}

/* Which lanes each line has, and which lines are looked up together. Returns the wavefronts. */
static uint32_t divide_lanes(const L1 *self, WarpAccess *access, Lanes *lanes)
{
    if (lanes->gapless)
        assign_side_by_side(self, access, lanes);
    else if (lanes->rows)
        assign_rows(self, access, lanes);
    else
        assign_lanes(self, access, lanes);
    const uint32_t wavefronts = assign_wavefronts(self, access);
    if (wavefronts > 1) sort_by_wavefront(access, lanes, wavefronts);
    count_passes(self, access, lanes, wavefronts);
    return wavefronts;
}

/* It has all lanes. */
static uint32_t arrange_only_line(WarpAccess *access)
{
    AccessLine *line = access->line;
    line->wavefront = 0;
    line->passes = line->wavefront_passes = (uint16_t)state_of(access)->passes;
    return 1;
}

static void arrange_lines(const L1 *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    AccessState *state = state_of(access);
    Lanes lanes;
    lanes.gapless = is_gapless(instruction);
    lanes.rows = finds_rows(&self->cache_array, instruction, &lanes.steps);
    if (!lanes.gapless && (!lanes.rows || self->scattered_bytes))
        warp_access_lane_addresses(access, lanes.address);
    lanes.scattered = is_scattered(self, instruction, &lanes);
    state->passes = passes_of(self, access, &lanes, instruction->mask);
    const uint32_t wavefronts =
        access->lines == 1 ? arrange_only_line(access) : divide_lanes(self, access, &lanes);
    if (instruction->operation != OPERATION_LOAD) return;
    if (wavefronts == 1 && (state->passes == 1 || lanes.gapless)) return; /* the fewest */
    const uint64_t mask = instruction->mask;
    const uint32_t width = instruction->width;
    uint32_t fewest = bank_passes_without_conflict(&self->cache_array, mask, width);
    if (lanes.scattered) fewest = MAX(fewest, scattered_passes(self, mask, width));
    state->conflicts = conflicts_of(self, state->passes, fewest, wavefronts);
}

void l1_arrange(const L1 *self, WarpAccess *access)
{
    const Instruction *instruction = &access->instruction;
    const bool samples = instruction_samples(instruction),
               local = instruction->space == SPACE_LOCAL;
    if (self->ideal_banks && (samples || local))
        arrange_ideal_rows(self, access);
    else if (samples)
        arrange_texels(self, access);
    else if (instruction->space == SPACE_SHARED)
        arrange_shared(self, access);
    else if (local)
        arrange_rows(self, access);
    else
        arrange_lines(self, access);
}
