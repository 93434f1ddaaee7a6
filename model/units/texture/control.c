/* Behind the texture unit's fragment FIFO: the controller, which fills and reads the data array,
 * the filter, and the way to the registers. */
#include "kit/gpu/access_report.h"
#include "kit/gpu/line_request.h"
#include "units/texture/private.h"

/* --- data array ------------------------------------------------------------------------------- */

static void write_line(TextureUnit *self, const Miss *miss)
{
    if (miss->place == TAG_NONE) return; /* goes past the cache */
    DataPlace *place = &self->data[miss->place];
    if (miss->replaces) *place = (DataPlace){.line = miss->line};
    place->sectors |= miss->sectors;
    self->bytes_array_written += texture_sector_bytes(self, miss->sectors);
}

/* --- what the coherence monitor hears --------------------------------------------------------- */

/* These sectors of a place are now what L2 had at that time. */
static void note_versions(TextureUnit *self, uint32_t place, uint16_t sectors, Time at)
{
    Time *read_at = &self->read_at[(uint64_t)place * SECTORS_MAX];
    for (unsigned sector = 0; sector < SECTORS_MAX; sector++)
        if (sectors >> sector & 1) read_at[sector] = at;
}

/* Of a line that was not there when it was looked up the SM gets what L2 had. */
static void report_hits(TextureUnit *self, const Fragment *fragment, Time at)
{
    for (uint32_t i = 0; i < fragment->lines; i++) {
        const FragmentLine *line = &fragment->line[i];
        if (!line->hit) continue;
        const AccessPlace there = {
            frames_physical(self->pages, texture_line_address(self, line->line)), at};
        AccessReport *report = access_report_of_hit(
            &self->unit.messages,
            &(AccessedSectors){there, (uint16_t)self->unit.number, line->sectors},
            &self->read_at[(uint64_t)line->place * SECTORS_MAX]);
        report->in_texture_unit = true;
        line_fit_report(self->fit, report);
        channel_send(&self->to_monitor, &report->message, at);
    }
}

/* --- filling ---------------------------------------------------------------------------------- */

/* Of several ports each turn begins with an edge of the clock. */
static Time turn_at(const TextureUnit *self, Time begin, uint64_t ports)
{
    return ports > 1 ? clock_floor(self->unit.clock, begin) : begin;
}

/* Of the replies for a fragment the one that came last is kept, the second of two that came
 * together. */
static void keep_reply(TextureUnit *self, Transaction *reply)
{
    Transaction *kept = self->latest;
    if (kept && reply->entered < kept->entered) {
        unit_free_message(&self->unit, &reply->message);
        return;
    }
    if (kept) unit_free_message(&self->unit, &kept->message);
    self->latest = reply;
}

/* The next miss goes into the array, `head` at the earliest, when the read in front begins; where
 * fills go side by side it may be over by then. */
static void fill(TextureUnit *self, Time head)
{
    const ReorderSlot *slot = reorder_buffer_head(&self->reorder);
    const Miss *miss = &self->miss[self->filled++ % self->reorder_entries];
    const uint64_t bytes = texture_sector_bytes(self, miss->sectors);
    const uint64_t cycles = (bytes + self->fill_bytes - 1) / self->fill_bytes;
    const Time length = clock_cycles(self->unit.clock, cycles);
    const Time ahead = self->fill_ports > 1 ? MIN(length, head) : 0;
    const Time begin = MAX(MAX(head - ahead, slot->ready), self->fill_free);
    self->fill_free = begin + time_share(length, self->fill_ports);
    self->filled_at = MAX(self->filled_at, turn_at(self, begin, self->fill_ports) + length);
    texture_book(&self->fill_port, length);
    write_line(self, miss);
    Transaction *reply = slot->item;
    if (self->read_at && miss->place != TAG_NONE)
        note_versions(self, miss->place, miss->sectors, transaction_read_at(reply));
    if (reply->operands) {
        line_request_take_values(&self->unit.messages, reply->access, reply->operands);
        reply->operands = NULL;
    }
    timed_fifo_leave(&self->reorder_places, self->filled_at);
    keep_reply(self, reply);
    reorder_buffer_pop(&self->reorder);
}

/* What is here for the fragment at the FIFO's head; false: something is not. */
static bool fill_fragment(TextureUnit *self, const Fragment *fragment, Time head)
{
    while (self->head_filled < fragment->misses) {
        if (self->filled == self->answered) return false;
        fill(self, head);
        self->head_filled++;
    }
    return true;
}

/* What the tags foretold must be there. */
static void check_lines(TextureUnit *self, const Fragment *fragment)
{
    for (uint32_t i = 0; i < fragment->lines; i++) {
        const FragmentLine *want = &fragment->line[i];
        const DataPlace *place = &self->data[want->place];
        if (place->line == want->line && !(want->sectors & ~place->sectors)) continue;
        unit_fail(&self->unit,
                  "place %u of the data array holds line %" G_GUINT64_FORMAT
                  ", sectors %x; the fragment wants line %" G_GUINT64_FORMAT ", sectors %x",
                  want->place, place->line, place->sectors, want->line, want->sectors);
    }
}

/* --- accounts --------------------------------------------------------------------------------- */

static StageSums *sums_of(TextureUnit *self, const Fragment *fragment, const Transaction *reply)
{
    const bool texels = fragment->kind == FRAGMENT_TEXELS;
    if (fragment->kind == FRAGMENT_ATOMIC) return &self->stages_data_atomic;
    if (!reply) return texels ? &self->stages_texture_hit : &self->stages_data_hit;
    switch ((ServedBy)reply->served_by) {
    case SERVED_DRAM: return texels ? &self->stages_texture_dram : &self->stages_data_dram;
    case SERVED_MEMORY_CACHE:
        return texels ? &self->stages_texture_memory_cache : &self->stages_data_memory_cache;
    case SERVED_SHARED_L1:
        return texels ? &self->stages_texture_shared_l1 : &self->stages_data_shared_l1;
    case SERVED_L2:
    case SERVED_L1:
    case SERVED_PRT: break;
    }
    return texels ? &self->stages_texture_l2_hit : &self->stages_data_l2_hit;
}

void texture_enter_first_stages(const WarpAccess *access, Transaction *transaction, Time began)
{
    transaction_enter(transaction, STAGE_ISSUE, access->issued);
    if (!instruction_samples(&access->instruction)) {
        transaction_enter(transaction, STAGE_TEXTURE_QUEUE, access->reached);
        transaction_enter(transaction, STAGE_COALESCE, access->began);
    }
    transaction_enter(transaction, STAGE_TEXTURE_QUEUE, state_of(access)->arrived);
    transaction_enter(transaction, STAGE_TEXTURE_TAG, began);
}

/* Of several lines the first; an atomic's are not in the cache. */
static uint64_t line_of(const TextureUnit *self, const Fragment *fragment, const Transaction *reply)
{
    if (fragment->lines) return texture_line_address(self, fragment->line[0].line);
    return reply ? reply->virtual_line : 0;
}

/* `reply`: of a fragment with misses, the last one that came. */
static void account(TextureUnit *self, const Fragment *fragment, const Transaction *reply,
                    Time read, Time end)
{
    const WarpAccess *access = fragment->access;
    Transaction *record = &self->record;
    record->message.id = access->message.id;
    record->access = fragment->access;
    record->source = (uint16_t)self->unit.number;
    record->virtual_line = line_of(self, fragment, reply);
    record->requested_bytes = (uint16_t)fragment->bytes;
    record->type = fragment->kind == FRAGMENT_ATOMIC ? TRANSACTION_ATOMIC : TRANSACTION_READ;
    record->space = access->instruction.space;
    record->served_by = reply ? reply->served_by : SERVED_L1;
    transaction_begin_stages(record);
    texture_enter_first_stages(access, record, fragment->began);
    if (reply)
        transaction_inherit(record, reply, fragment->tagged);
    else
        transaction_enter(record, STAGE_FRAGMENT_FIFO, fragment->tagged);
    transaction_enter(record, STAGE_FILTER, read);
    unit_complete(&self->unit, record, end, sums_of(self, fragment, reply));
    if (fragment->kind == FRAGMENT_TEXELS)
        histogram_add(reply ? &self->miss_latency : &self->hit_latency, end - fragment->tagged);
}

/* --- controller ------------------------------------------------------------------------------- */

Time texture_filter(TextureUnit *self, Time from, uint32_t turns)
{
    self->filter_turns += turns;
    texture_book(&self->filters, turns * self->filter_pace.interval);
    return pace_take_many(&self->filter_pace, from, turns)
           + clock_cycles(self->unit.clock, self->filter_latency);
}

/* The values of a group of lanes, read at `read`, are at the registers' door at the time that is
 * returned. The array is read when that way is free. */
static Time return_group(TextureUnit *self, const Fragment *fragment, Time read)
{
    const Clock *clock = self->unit.clock;
    const Time ready = read + clock_cycles(clock, self->load_latency);
    const Time length = fragment->bytes * clock->period / self->return_bytes;
    self->return_free = MAX(ready, self->return_free) + time_share(length, self->return_ports);
    texture_book(&self->return_port, length);
    const Time end = MAX(ready, clock_ceil(clock, self->return_free - clock->period));
    if (fragment->last) channel_send(&self->to_sm, &fragment->access->message, end);
    return end;
}

static Time return_way_free(const TextureUnit *self)
{
    const Time latency = clock_cycles(self->unit.clock, self->load_latency);
    return self->return_free > latency ? self->return_free - latency : 0;
}

static Time read_lines(TextureUnit *self, const Fragment *fragment, Time from)
{
    texture_book(&self->data_ports, fragment->lines * self->data_pace.interval);
    return pace_take_many(&self->data_pace, from, fragment->lines);
}

/* A store's turn among the reads: the lines that the cache keeps of it. */
static void store_fragment(TextureUnit *self, const Fragment *fragment, Time head)
{
    const Time from = pace_next(&self->data_pace, head);
    timed_fifo_leave(&self->fragment_places, from);
    self->read = read_lines(self, fragment, from);
    for (uint32_t i = 0; i < fragment->lines; i++) {
        const FragmentLine *stored = &fragment->line[i];
        DataPlace *place = &self->data[stored->place];
        if (place->line != stored->line) *place = (DataPlace){.line = stored->line};
        place->sectors |= stored->sectors;
        self->bytes_array_written += texture_sector_bytes(self, stored->sectors);
        if (self->read_at && self->stored_line == STORED_WHOLE)
            note_versions(self, stored->place, stored->sectors, self->read);
    }
}

/* The SM hears how the instruction's last lanes came, if not all of it was here. */
static void give_answer(TextureUnit *self, const Fragment *fragment, Transaction *reply)
{
    if (!fragment->last) {
        unit_free_message(&self->unit, &reply->message);
        return;
    }
    transaction_begin_stages(reply);
    transaction_inherit(reply, &self->record, self->record.began);
    fragment->access->answer = reply;
}

/* Its lines are in the array at `from`. Data array and filter, or the way to the registers, are
 * free for it at the same time: nothing is between them. */
static void read_fragment(TextureUnit *self, const Fragment *fragment, Time from)
{
    const bool texels = fragment->kind == FRAGMENT_TEXELS;
    Transaction *reply = self->latest;
    check_lines(self, fragment);
    if (!texels) from = MAX(from, return_way_free(self));
    if (fragment->filter_turns) from = pace_next(&self->filter_pace, from);
    if (fragment->lines) from = pace_next(&self->data_pace, from);
    timed_fifo_leave(&self->fragment_places, from);
    self->read = read_lines(self, fragment, from);
    if (self->read_at) report_hits(self, fragment, self->read);
    const Time end = texels ? texture_filter(self, self->read, fragment->filter_turns)
                            : return_group(self, fragment, self->read);
    account(self, fragment, reply, from, end);
    if (texels && fragment->last) texture_return(self, fragment->access, end);
    if (!reply) return;
    self->miss_read = self->read;
    self->unread_misses--;
    self->latest = NULL;
    self->head_filled = 0;
    give_answer(self, fragment, reply);
}

void texture_read_fragments(TextureUnit *self)
{
    const Time delay = clock_cycles(self->unit.clock, self->fragment_delay);
    while (self->ring_used) {
        const Fragment *fragment = &self->ring[self->ring_first];
        const Time head = MAX(fragment->tagged + delay, self->read);
        if (!fill_fragment(self, fragment, head)) return;
        self->ring_first = (self->ring_first + 1) % (uint32_t)self->fragment_fifo;
        self->ring_used--;
        if (fragment->kind == FRAGMENT_STORE)
            store_fragment(self, fragment, head);
        else
            read_fragment(self, fragment, fragment->misses ? self->filled_at : head);
    }
}

/* --- return ----------------------------------------------------------------------------------- */

static uint64_t result_bytes(const WarpAccess *access)
{
    uint32_t quads = 0;
    for (uint64_t rest = access->instruction.mask; rest; rest >>= QUAD_LANES)
        quads += (rest & 15) != 0;
    return (uint64_t)quads * QUAD_LANES * access->instruction.destination_count * 4;
}

void texture_return(TextureUnit *self, WarpAccess *access, Time end)
{
    const uint64_t cycles =
        MAX((result_bytes(access) + self->return_bytes - 1) / self->return_bytes, 1);
    const Clock *clock = self->unit.clock;
    const Time begin = MAX(end, self->return_free), length = clock_cycles(clock, cycles);
    self->return_turns += cycles;
    self->return_free = begin + time_share(length, self->return_ports);
    texture_book(&self->return_port, length);
    channel_send(&self->to_sm, &access->message,
                 turn_at(self, begin, self->return_ports) + length - clock->period);
}
