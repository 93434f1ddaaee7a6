/* The texture unit's write side: stores are written through, atomics are done at L2. Both take
 * their turn in the miss request FIFO and so reach L2 in order with the loads before and behind. */
#include "kit/gpu/line_request.h"
#include "kit/gpu/store_notice.h"
#include "units/texture/private.h"

void texture_drop_line(TextureUnit *self, uint32_t place)
{
    if (place == TAG_NONE || !self->tags.lines[place].valid) return;
    self->tags.lines[place].valid = 0;
    self->lines_dropped++;
}

static const AccessLine *line_of(const TextureUnit *self)
{
    const AddressCursor *cursor = &self->cursor;
    return &cursor->access->line[cursor->number[cursor->next]];
}

static uint64_t number_of_line(const TextureUnit *self)
{
    return texture_line_number(self, self->cursor.access, line_of(self)->line);
}

/* What the line's own part of the cache does not know of must not stay in the others. */
static void drop_in_other_parts(TextureUnit *self, uint64_t number)
{
    const uint64_t first = number - number % self->caches;
    for (uint64_t other = first; other < first + self->caches; other++)
        if (other != number) texture_drop_line(self, tag_array_find(&self->tags, other));
}

static Transaction *new_request(TextureUnit *self)
{
    const AddressCursor *cursor = &self->cursor;
    Transaction *request = line_request_new(&self->unit.messages, cursor->access, line_of(self),
                                            self->line->line_bytes);
    request->source = (uint16_t)self->unit.number;
    request->served_by = SERVED_L2;
    return request;
}

/* Without a place in the reorder buffer: its reply is an acknowledgement. */
static void send_through(TextureUnit *self, Time now)
{
    Transaction *request = new_request(self);
    texture_enter_first_stages(request->access, request, self->cursor.began);
    level_enter(&self->stores_outstanding, now);
    request->left = now;
    texture_request_only(self, request, now);
}

/* --- stores ----------------------------------------------------------------------------------- */

static bool keeps(const TextureUnit *self, const AccessLine *line, uint32_t place)
{
    if (self->cursor.access->instruction.hint == CACHE_L2_ONLY) return false;
    const uint32_t sectors = self->line->line_bytes / self->line->sector_bytes;
    switch ((StoredLine)self->stored_line) {
    case STORED_WHOLE: return line->sectors == (1u << sectors) - 1 && !line->partial;
    case STORED_PRESENT: return place != TAG_NONE && self->tags.lines[place].valid & line->sectors;
    case STORED_NONE: return false;
    }
    g_assert_not_reached();
}

/* The sectors of the line that the cache has afterwards. */
static uint16_t kept_sectors(const TextureUnit *self, const AccessLine *line, uint32_t place)
{
    return self->stored_line == STORED_PRESENT
               ? (uint16_t)(self->tags.lines[place].valid & line->sectors)
               : line->sectors;
}

/* A store that keeps nothing leaves nothing behind that it has overwritten; what the cache has of
 * other sectors may stay. */
static void keep_nothing(TextureUnit *self, uint32_t place)
{
    const bool past = self->cursor.access->instruction.hint == CACHE_L2_ONLY;
    if (past || self->stored_line != STORED_PRESENT) texture_drop_line(self, place);
}

static void keep(TextureUnit *self, const AccessLine *line, uint64_t number, uint32_t place)
{
    const uint16_t sectors = kept_sectors(self, line, place);
    self->tags.lines[place].valid |= sectors;
    texture_add_line(self, number, place)->sectors = sectors;
    self->stores_kept++;
}

/* The line has a place in the open fragment. */
static LookUp find_place(TextureUnit *self, uint64_t number, uint32_t *place)
{
    if (!texture_open_fragment(self)) return BLOCKED;
    if (*place == TAG_NONE) *place = tag_array_victim(&self->tags, number);
    return self->filling->lines == FRAGMENT_LINES || texture_uses_place(self, *place)
               ? FRAGMENT_ENDS
               : LOOKED_UP;
}

LookUp texture_store_line(TextureUnit *self, Time now)
{
    const AccessLine *line = line_of(self);
    const uint64_t number = number_of_line(self);
    const uint32_t present = tag_array_find(&self->tags, number);
    uint32_t place = present;
    const bool kept = keeps(self, line, present);
    const LookUp result = kept ? find_place(self, number, &place) : LOOKED_UP;
    if (result != LOOKED_UP) return result;
    const Time from = texture_request_room(self, self->cursor.at);
    if (from == TIME_NEVER) return BLOCKED;
    texture_look_up_at(self, from);
    if (kept) {
        if (present == TAG_NONE) texture_replace(self, place, number);
        keep(self, line, number, place);
    } else {
        keep_nothing(self, place);
    }
    drop_in_other_parts(self, number);
    self->stores++;
    self->bytes_to_network += texture_sector_bytes(self, line->sectors);
    send_through(self, now);
    return LOOKED_UP;
}

void texture_release(TextureUnit *self, Time now)
{
    const Time at = MAX(now, self->cursor.at);
    StoreNotice *notice =
        store_notice_new(&self->unit.messages, self->cursor.access, at + self->to_sm_stores.delay);
    channel_send(&self->to_sm_stores, &notice->message, at);
}

/* --- atomics ---------------------------------------------------------------------------------- */

/* Its values come back through the reorder buffer, in order with loads. */
static LookUp ask_for_values(TextureUnit *self, Time now)
{
    const AccessLine *line = line_of(self);
    if (!texture_open_fragment(self)) return BLOCKED;
    if (self->filling->misses == self->reorder_entries) return FRAGMENT_ENDS;
    const Time from = texture_miss_room(self, self->cursor.at);
    if (from == TIME_NEVER) return BLOCKED;
    texture_look_up_at(self, from);
    self->filling->misses++;
    const Miss miss = {number_of_line(self), TAG_NONE, line->sectors, false, TIME_NEVER};
    texture_request_with(self, new_request(self), &miss, now);
    return LOOKED_UP;
}

static LookUp reduce(TextureUnit *self, Time now)
{
    const Time from = texture_request_room(self, self->cursor.at);
    if (from == TIME_NEVER) return BLOCKED;
    texture_look_up_at(self, from);
    send_through(self, now);
    return LOOKED_UP;
}

LookUp texture_atomic_line(TextureUnit *self, Time now)
{
    const uint64_t number = number_of_line(self);
    const bool reduction = instruction_has_no_result(&self->cursor.access->instruction);
    const LookUp result = reduction ? reduce(self, now) : ask_for_values(self, now);
    if (result != LOOKED_UP) return result;
    texture_drop_line(self, tag_array_find(&self->tags, number));
    drop_in_other_parts(self, number);
    self->atomics++;
    return LOOKED_UP;
}

/* --- replies ---------------------------------------------------------------------------------- */

void texture_acknowledge(TextureUnit *self, Transaction *reply, Time now)
{
    WarpAccess *access = reply->access;
    const bool store = reply->type == TRANSACTION_WRITE;
    unit_complete(&self->unit, reply, now,
                  store ? &self->stages_data_store : &self->stages_data_atomic);
    level_leave(&self->stores_outstanding, now, reply->left);
    if (reply->operands) line_request_take_values(&self->unit.messages, access, reply->operands);
    unit_free_message(&self->unit, &reply->message);
    if (++state_of(access)->done == access->lines)
        channel_send(&self->to_sm, &access->message, now);
}
