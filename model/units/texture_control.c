/* Behind the texture unit's fragment FIFO: the controller, which fills and reads the data array,
 * the filter, and the way to the registers. */
#include "units/texture_private.h"

/* --- data array ------------------------------------------------------------------------------- */

static void write_line(TextureUnit *self, const Miss *miss)
{
    DataPlace *place = &self->data[miss->place];
    if (miss->replaces) *place = (DataPlace){.line = miss->line};
    place->sectors |= miss->sectors;
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

/* The next miss goes into the array, `head` at the earliest. */
static void fill(TextureUnit *self, Time head)
{
    const ReorderSlot *slot = reorder_buffer_head(&self->reorder);
    const Miss *miss = &self->miss[self->filled++ % self->reorder_entries];
    const uint64_t bytes = (uint64_t)__builtin_popcount(miss->sectors) * self->line->sector_bytes;
    const uint64_t cycles = (bytes + self->fill_bytes - 1) / self->fill_bytes;
    self->fill_free =
        MAX(MAX(head, slot->ready), self->fill_free) + clock_cycles(self->unit.clock, cycles);
    write_line(self, miss);
    timed_fifo_leave(&self->reorder_places, self->fill_free);
    keep_reply(self, slot->item);
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

static StageSums *sums_of(TextureUnit *self, const Transaction *reply)
{
    if (!reply) return &self->stages_texture_hit;
    return reply->served_by == SERVED_DRAM ? &self->stages_texture_dram
                                           : &self->stages_texture_l2_hit;
}

/* `reply`: of a fragment with misses, the last one that came. */
static void account(TextureUnit *self, const Fragment *fragment, const Transaction *reply,
                    Time read, Time end)
{
    const WarpAccess *access = fragment->access;
    Transaction *record = &self->record;
    record->access = fragment->access;
    record->message.id = access->message.id;
    record->virtual_line = fragment->lines ? fragment->line[0].line * self->line->line_bytes : 0;
    record->source = (uint16_t)self->unit.number;
    record->type = TRANSACTION_READ;
    record->space = SPACE_TEXTURE;
    record->served_by = reply ? reply->served_by : SERVED_L1;
    record->stamp_count = 0;
    transaction_enter(record, STAGE_ISSUE, access->issued);
    transaction_enter(record, STAGE_TEXTURE_QUEUE, access->arrived);
    transaction_enter(record, STAGE_TEXTURE_TAG, fragment->began);
    if (reply)
        transaction_inherit(record, reply, fragment->tagged);
    else
        transaction_enter(record, STAGE_FRAGMENT_FIFO, fragment->tagged);
    transaction_enter(record, STAGE_FILTER, read);
    if (!transaction_account(record, end, sums_of(self, reply)))
        unit_fail(&self->unit, "a fragment's stages go back in time");
    unit_record(&self->unit, record, end);
    histogram_add(reply ? &self->miss_latency : &self->hit_latency, end - fragment->tagged);
}

/* --- controller ------------------------------------------------------------------------------- */

Time texture_filter(TextureUnit *self, Time from, uint32_t turns)
{
    self->turns += turns;
    return pace_take_many(&self->filter_pace, from, turns)
           + clock_cycles(self->unit.clock, self->filter_latency);
}

/* Its lines are in the array at `from`. Data array and filter are free for it at the same time:
 * nothing is between them. */
static void read_fragment(TextureUnit *self, const Fragment *fragment, Time from)
{
    Transaction *reply = self->latest;
    check_lines(self, fragment);
    if (fragment->filter_turns) from = pace_next(&self->filter_pace, from);
    if (fragment->lines) from = pace_next(&self->data_pace, from);
    timed_fifo_leave(&self->fragment_places, from);
    self->read = pace_take_many(&self->data_pace, from, fragment->lines);
    const Time end = texture_filter(self, self->read, fragment->filter_turns);
    account(self, fragment, reply, from, end);
    if (fragment->last) texture_return(self, fragment->access, end);
    if (!reply) return;
    self->miss_read = self->read;
    self->unread_misses--;
    self->latest = NULL;
    self->head_filled = 0;
    unit_free_message(&self->unit, &reply->message);
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
        read_fragment(self, fragment, fragment->misses ? self->fill_free : head);
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
    const uint64_t cycles = (result_bytes(access) + self->return_bytes - 1) / self->return_bytes;
    const Time begin = MAX(end, self->return_free);
    self->return_free = begin + clock_cycles(self->unit.clock, MAX(cycles, 1));
    channel_send(&self->to_sm, &access->message, self->return_free - self->unit.clock->period);
}
