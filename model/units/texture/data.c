/* Memory instructions in the texture unit: groups of lanes, and the lines of each. */
#include "units/texture/private.h"

enum { WORD_BYTES = 4 };

static FragmentKind kind_of(const Instruction *instruction)
{
    if (instruction->operation == OPERATION_LOAD) return FRAGMENT_LOAD;
    return instruction->operation == OPERATION_STORE ? FRAGMENT_STORE : FRAGMENT_ATOMIC;
}

void texture_begin_data(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    LaneCursor *lanes = &self->lanes;
    WarpAccess *access = cursor->access;
    cursor->kind = kind_of(&access->instruction);
    cursor->filter_turns = 0;
    lanes->lane = lanes->line = lanes->word = 0;
    state_of(access)->done = 0;
    if (access->instruction.space != SPACE_LOCAL)
        warp_access_lane_addresses(access, lanes->address);
    for (uint32_t i = 0; i < access->lines; i++) lanes->rest[i] = access->line[i].bytes;
    self->data_instructions++;
}

/* --- groups ----------------------------------------------------------------------------------- */

static uint64_t lanes_left(const TextureUnit *self)
{
    const uint64_t mask = self->cursor.access->instruction.mask;
    return self->lanes.lane < 64 ? mask & (UINT64_MAX << self->lanes.lane) : 0;
}

static void take_lanes(TextureUnit *self)
{
    LaneCursor *lanes = &self->lanes;
    const Instruction *instruction = &self->cursor.access->instruction;
    const uint64_t group =
        lane_group(&self->rates, lanes->address, instruction->mask, instruction->width,
                   (uint32_t)__builtin_ctzll(lanes_left(self)));
    lanes->lane = 64 - (uint32_t)__builtin_clzll(group);
    self->cursor.lines =
        lane_group_lines(self->line, lanes->address, group, instruction->width, self->cursor.line);
}

/* Of local memory, whose layout is the load/store unit's, the lines are known and not the lanes:
 * in a cycle as many words as neighbouring lanes could have, in as many lines as others. */
static void take_words(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    LaneCursor *lanes = &self->lanes;
    const WarpAccess *access = cursor->access;
    const uint32_t piece = MIN(access->instruction.width, (uint32_t)WORD_BYTES);
    uint32_t words = 0;
    cursor->lines = 0;
    while (lanes->line < access->lines && words < self->rates.coalesced
           && cursor->lines < self->rates.scattered) {
        const AccessLine *line = &access->line[lanes->line];
        const uint32_t left = line->bytes / piece - lanes->word;
        const uint32_t taken = MIN(left, self->rates.coalesced - words);
        cursor->line[cursor->lines++] =
            (CoalescedLine){.line = line->line, .bytes = taken * piece, .sectors = line->sectors};
        words += taken;
        lanes->word += taken;
        if (taken < left) return;
        lanes->line++;
        lanes->word = 0;
    }
}

static bool any_left(const TextureUnit *self)
{
    const WarpAccess *access = self->cursor.access;
    if (access->instruction.space == SPACE_LOCAL) return self->lanes.line < access->lines;
    return lanes_left(self) != 0;
}

/* --- lines of stores and atomics -------------------------------------------------------------- */

static uint32_t number_of(const WarpAccess *access, uint64_t line)
{
    uint32_t number = 0;
    while (access->line[number].line != line) number++;
    return number;
}

/* Of the group's lines those remain whose last byte it has addressed: a line is sent once. */
static void keep_complete_lines(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cursor->lines; i++) {
        const uint32_t number = number_of(cursor->access, cursor->line[i].line);
        self->lanes.rest[number] -= cursor->line[i].bytes;
        if (self->lanes.rest[number]) continue;
        const AccessLine *line = &cursor->access->line[number];
        cursor->line[kept] = (CoalescedLine){.line = line->line,
                                             .bytes = line->bytes,
                                             .sectors = line->sectors,
                                             .partial = line->partial};
        cursor->number[kept++] = (uint8_t)number;
    }
    cursor->lines = kept;
}

/* --- steps ------------------------------------------------------------------------------------ */

bool texture_next_group(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    if (!any_left(self)) return false;
    if (cursor->access->instruction.space == SPACE_LOCAL)
        take_words(self);
    else
        take_lanes(self);
    if (cursor->kind != FRAGMENT_LOAD) keep_complete_lines(self);
    cursor->bytes = 0;
    for (uint32_t i = 0; i < cursor->lines; i++) cursor->bytes += cursor->line[i].bytes;
    cursor->next = 0;
    cursor->open = true;
    self->data_groups++;
    self->bytes_data += cursor->bytes;
    if (cursor->access->instruction.space == SPACE_LOCAL) self->bytes_local += cursor->bytes;
    if (!instruction_has_no_result(&cursor->access->instruction))
        self->bytes_returned += cursor->bytes;
    return true;
}

bool texture_is_last_group(const TextureUnit *self)
{
    return !any_left(self);
}

/* --- L1 as the cache -------------------------------------------------------------------------- */

void texture_pass_data(TextureUnit *self, Time now)
{
    while (self->from_load_store.count) {
        if (!channel_ready(&self->to_l1, now)) {
            channel_await(&self->to_l1, now);
            return;
        }
        WarpAccess *access = (WarpAccess *)port_take(&self->from_load_store, now);
        level_leave(&self->queue, now, state_of(access)->arrived);
        self->data_seen--;
        self->data_instructions++;
        channel_send(&self->to_l1, &access->message, now);
    }
}
