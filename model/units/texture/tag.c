/* The texture unit's tags: lines are looked up in order, and what misses is taken for present at
 * once. */
#include "units/texture/private.h"

Time texture_stall(Time from, Time free, uint64_t *stalls, Time *stalled)
{
    if (free <= from) return from;
    *stalls += 1;
    *stalled += free - from;
    return free;
}

/* --- fragments -------------------------------------------------------------------------------- */

bool texture_open_fragment(TextureUnit *self)
{
    AddressCursor *cursor = &self->cursor;
    if (self->filling) return true;
    const Time free = timed_fifo_free_at(&self->fragment_places);
    if (free == TIMED_FIFO_UNKNOWN || (!self->run_ahead && self->unread_misses)) return false;
    if (!self->run_ahead)
        cursor->at = texture_stall(cursor->at, self->miss_read, &self->stalls_blocking,
                                   &self->stalled_blocking);
    cursor->at =
        texture_stall(cursor->at, free, &self->stalls_fragment_fifo, &self->stalled_fragment_fifo);
    const uint64_t slot = (self->ring_first + self->ring_used) % self->fragment_fifo;
    self->filling = &self->ring[slot];
    self->filling->access = cursor->kind == FRAGMENT_STORE ? NULL : cursor->access;
    self->filling->kind = cursor->kind;
    self->filling->bytes = 0;
    self->filling->began = cursor->began;
    self->filling->lines = self->filling->misses = 0;
    return true;
}

static void close_fragment(TextureUnit *self, uint32_t filter_turns, bool last)
{
    Fragment *fragment = self->filling;
    fragment->filter_turns = filter_turns;
    fragment->last = last;
    fragment->tagged = self->tagged = self->cursor.at;
    timed_fifo_enter(&self->fragment_places, fragment->tagged);
    self->fragments++;
    self->unread_misses += fragment->misses > 0;
    self->ring_used++;
    self->filling = NULL;
    texture_read_fragments(self);
}

bool texture_uses_place(const TextureUnit *self, uint32_t place)
{
    const Fragment *fragment = self->filling;
    for (uint32_t i = 0; i < fragment->lines; i++)
        if (fragment->line[i].place == place) return true;
    return false;
}

/* --- lines ------------------------------------------------------------------------------------ */

void texture_count_level(TextureUnit *self, uint32_t level, uint16_t lacking)
{
    enum { LEVELS = 4 };
    uint64_t *const lines[LEVELS] = {&self->lines_level_0, &self->lines_level_1,
                                     &self->lines_level_2, &self->lines_level_3};
    uint64_t *const bytes[LEVELS] = {&self->bytes_level_0, &self->bytes_level_1,
                                     &self->bytes_level_2, &self->bytes_level_3};
    const uint32_t counted = MIN(level, LEVELS - 1);
    *lines[counted] += 1;
    *bytes[counted] += texture_sector_bytes(self, lacking);
}

/* What several lanes want is read once. */
static void count_look_up(TextureUnit *self, uint16_t lacking)
{
    const CoalescedLine *line = &self->cursor.line[self->cursor.next];
    self->bytes_array_read += MIN(line->bytes, texture_sector_bytes(self, line->sectors));
    self->lines++;
    self->hits += !lacking;
    self->misses += lacking != 0;
    if (self->cursor.kind == FRAGMENT_TEXELS) {
        texture_count_level(self, self->cursor.walk.level, lacking);
        return;
    }
    self->data_lines_read++;
    self->data_hits += !lacking;
    self->data_misses += lacking != 0;
}

/* A step that is late makes the next ones late. */
void texture_look_up_at(TextureUnit *self, Time from)
{
    self->cursor.at = pace_take(&self->tag_pace, from);
    texture_book(&self->tag_ports, self->tag_pace.interval);
    if (!self->cursor.next) pace_delay(&self->quad_pace, self->cursor.at);
}

FragmentLine *texture_add_line(TextureUnit *self, uint64_t number, uint32_t place)
{
    Fragment *fragment = self->filling;
    const uint16_t sectors = self->cursor.line[self->cursor.next].sectors;
    FragmentLine *line = &fragment->line[fragment->lines++];
    *line = (FragmentLine){number, place, sectors, false};
    tag_array_touch(&self->tags, place);
    return line;
}

void texture_replace(TextureUnit *self, uint32_t place, uint64_t number)
{
    const TagLine *old = &self->tags.lines[place];
    self->brought++;
    self->brought_back += evicted_tags_replace(&self->evicted, number, old->used, old->line);
    tag_array_replace(&self->tags, place, number);
}

static LookUp miss(TextureUnit *self, uint64_t number, uint32_t present, Time now)
{
    Fragment *fragment = self->filling;
    const uint32_t place = present == TAG_NONE ? tag_array_victim(&self->tags, number) : present;
    if (fragment->misses == self->reorder_entries || texture_uses_place(self, place))
        return FRAGMENT_ENDS;
    const Time from = texture_miss_room(self, self->cursor.at);
    if (from == TIME_NEVER) return BLOCKED;
    texture_look_up_at(self, from);
    if (present == TAG_NONE) texture_replace(self, place, number);
    TagLine *tag = &self->tags.lines[place];
    const uint16_t lacking = self->cursor.line[self->cursor.next].sectors & (uint16_t)~tag->valid;
    tag->valid |= lacking;
    self->sector_misses += present != TAG_NONE;
    count_look_up(self, lacking);
    texture_add_line(self, number, place);
    fragment->misses++;
    texture_request(self, &(Miss){number, place, lacking, present == TAG_NONE, TIME_NEVER}, now);
    return LOOKED_UP;
}

/* Past the cache: what it has of the line goes, too. */
static LookUp pass(TextureUnit *self, uint64_t number, uint32_t place, Time now)
{
    const uint16_t sectors = self->cursor.line[self->cursor.next].sectors;
    if (self->filling->misses == self->reorder_entries) return FRAGMENT_ENDS;
    const Time from = texture_miss_room(self, self->cursor.at);
    if (from == TIME_NEVER) return BLOCKED;
    texture_look_up_at(self, from);
    texture_drop_line(self, place);
    self->past_cache++;
    self->filling->misses++;
    texture_request(self, &(Miss){number, TAG_NONE, sectors, false, TIME_NEVER}, now);
    return LOOKED_UP;
}

static bool passes_cache(const AddressCursor *cursor)
{
    return cursor->kind == FRAGMENT_LOAD && cursor->access->instruction.hint == CACHE_L2_ONLY;
}

static LookUp read_line(TextureUnit *self, Time now)
{
    const CoalescedLine *line = &self->cursor.line[self->cursor.next];
    const uint64_t number = texture_line_number(self, self->cursor.access, line->line);
    const uint32_t place = tag_array_find(&self->tags, number);
    if (self->filling->lines == FRAGMENT_LINES) return FRAGMENT_ENDS;
    if (passes_cache(&self->cursor)) return pass(self, number, place, now);
    if (place == TAG_NONE || line->sectors & ~self->tags.lines[place].valid)
        return miss(self, number, place, now);
    texture_look_up_at(self, self->cursor.at);
    count_look_up(self, 0);
    texture_add_line(self, number, place)->hit = true;
    return LOOKED_UP;
}

static LookUp look_up_line(TextureUnit *self, Time now)
{
    switch (self->cursor.kind) {
    case FRAGMENT_STORE: return texture_store_line(self, now);
    case FRAGMENT_ATOMIC: return texture_atomic_line(self, now);
    case FRAGMENT_TEXELS:
    case FRAGMENT_LOAD: break;
    }
    return texture_open_fragment(self) ? read_line(self, now) : BLOCKED;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* All lines of the step have been looked up. False: it has none, and its fragment no place yet. */
static bool end_step(TextureUnit *self, Time now)
{
    AddressCursor *cursor = &self->cursor;
    const bool last = texture_is_last_step(self);
    const bool reads = cursor->kind == FRAGMENT_TEXELS || cursor->kind == FRAGMENT_LOAD;
    if (reads && !texture_open_fragment(self)) return false;
    if (self->filling) {
        self->filling->bytes = cursor->bytes;
        close_fragment(self, cursor->filter_turns, last);
    }
    self->tagged = cursor->at;
    if (last && cursor->kind == FRAGMENT_STORE) texture_release(self, now);
    cursor->open = false;
    return true;
}

/* False: the step cannot go on now. */
static bool look_up_step(TextureUnit *self, Time now)
{
    AddressCursor *cursor = &self->cursor;
    while (cursor->open) {
        if (cursor->next == cursor->lines) return end_step(self, now);
        const LookUp result = look_up_line(self, now);
        if (result == BLOCKED) return false;
        if (result == FRAGMENT_ENDS) {
            close_fragment(self, 0, false);
            self->splits++;
        } else {
            cursor->next++;
        }
    }
    return true;
}

/* Texture instructions and memory instructions take turns where both wait. Where L1 is the cache,
 * memory instructions have gone on to it. */
static Port *next_port(TextureUnit *self)
{
    const bool data = self->from_load_store.count && self->cache == TEXTURE_CACHE_OWN;
    const bool samples = self->from_sm.count;
    return data && (self->data_next || !samples) ? &self->from_load_store
           : samples                             ? &self->from_sm
                                                 : NULL;
}

WarpAccess *texture_take_instruction(TextureUnit *self, Time now)
{
    Port *const port = next_port(self);
    if (!port) return NULL;
    const Time turn = pace_next(&self->quad_pace, self->tagged);
    const Time latency = clock_cycles(self->unit.clock, self->address_latency);
    if (turn > now + latency) {
        unit_wake_at(&self->unit, turn - latency);
        return NULL;
    }
    const bool data = port == &self->from_load_store;
    self->data_next = !data;
    *(data ? &self->data_seen : &self->seen) -= 1;
    WarpAccess *access = (WarpAccess *)port_take(port, now);
    level_leave(&self->queue, now, state_of(access)->arrived);
    return access;
}

static bool begin_instruction(TextureUnit *self, Time now)
{
    WarpAccess *access = texture_take_instruction(self, now);
    if (access) texture_begin(self, access);
    return access != NULL;
}

void texture_look_up(TextureUnit *self, Time now)
{
    AddressCursor *cursor = &self->cursor;
    while (cursor->access || begin_instruction(self, now)) {
        if (!look_up_step(self, now)) return;
        if (!texture_next_step(self)) {
            texture_end(self, now);
            continue;
        }
        cursor->at = pace_take(&self->quad_pace, MAX(cursor->from, self->tagged));
        texture_book(&self->address_stage, self->quad_pace.interval);
        cursor->began = cursor->at - clock_cycles(self->unit.clock, self->address_latency);
    }
}
