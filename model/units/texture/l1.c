/* The texture unit where L1 is its cache: the lines of each step go to L1 as a read, which comes
 * back when all of them have been read there.
 *
 *   from_sm ─> addresses ─> [fragment FIFO: reads] ─> filter ─> to_sm
 *                  └─to_l1─> L1 ─from_l1─┘
 *
 * An entry of the FIFO is a step of up to eight quads. Reads come back in any order and are
 * filtered in the order of the FIFO. */
#include <string.h>

#include "units/texture/private.h"

/* --- addresses -------------------------------------------------------------------------------- */

/* Where the elements of a read lie, and in which level. */
typedef struct {
    uint64_t address[READ_ELEMENTS];
    uint8_t level[READ_ELEMENTS];
    uint32_t count, quads;
} Elements;

static void find_quads(ReadCursor *cursor)
{
    cursor->step = cursor->steps = 0;
    for (uint32_t q = 0; q < READ_QUADS; q++) {
        QuadWalk *walk = &cursor->walk[q];
        walk->access = cursor->access;
        walk->quad = cursor->first_quad + q;
        if (walk->quad < QUADS_MAX && texture_open_quad(walk))
            cursor->steps = MAX(cursor->steps, walk->steps);
        else
            walk->steps = 0;
    }
}

static uint32_t quads_left(const ReadCursor *cursor)
{
    uint32_t quads = 0;
    for (uint32_t q = 0; q < READ_QUADS; q++) quads += cursor->walk[q].steps > 0;
    return quads;
}

/* To the next quads with an active lane; false: there are none. */
static bool next_quads(TextureUnit *self)
{
    ReadCursor *cursor = &self->reader;
    while (cursor->first_quad + READ_QUADS < QUADS_MAX) {
        cursor->first_quad += READ_QUADS;
        find_quads(cursor);
        self->quad_count += quads_left(cursor);
        if (cursor->steps) return true;
    }
    return false;
}

static bool has_more_quads(const ReadCursor *cursor)
{
    const uint32_t done = (cursor->first_quad + READ_QUADS) * QUAD_LANES;
    return done < LANES_MAX && (uint64_t)cursor->access->instruction.mask >> done;
}

static void find_elements(TextureUnit *self, Elements *elements)
{
    ReadCursor *cursor = &self->reader;
    elements->count = elements->quads = 0;
    for (uint32_t q = 0; q < READ_QUADS; q++) {
        QuadWalk *walk = &cursor->walk[q];
        if (cursor->step >= walk->steps) continue;
        walk->step = cursor->step;
        const uint32_t found = texture_find_elements(walk, &elements->address[elements->count]);
        memset(&elements->level[elements->count], (int)walk->level, found);
        elements->count += found;
        elements->quads++;
    }
}

static uint32_t level_of(const TextureUnit *self, const Elements *elements, uint64_t line)
{
    uint32_t i = 0;
    while (i + 1 < elements->count && elements->address[i] - line >= self->line->line_bytes) i++;
    return elements->level[i];
}

/* As the shader sees them. */
static uint32_t elements_bytes(const Elements *elements, const TextureFormat *format)
{
    return elements->count * (uint32_t)format->texel_bytes;
}

static void find_lines(TextureUnit *self, const Elements *elements, WarpAccess *read)
{
    CoalescedLine line[COALESCER_LINES];
    const TextureFormat *format = read->instruction.binding->texture.shape.format;
    const uint32_t lines =
        coalesce_addresses(self->line, elements->address, elements->count, format->bytes, line);
    warp_access_take_lines(&self->unit.messages, read, lines);
    for (uint32_t i = 0; i < read->lines; i++) {
        read->line[i] =
            (AccessLine){.line = line[i].line, .bytes = line[i].bytes, .sectors = line[i].sectors};
        texture_count_level(self, level_of(self, elements, line[i].line), 0);
    }
    self->lines += read->lines;
    self->steps += elements->quads;
    self->texels += elements->count;
    self->bytes_texels += elements_bytes(elements, format);
}

static TextureFetch *new_read(TextureUnit *self, uint32_t slot)
{
    const WarpAccess *access = self->reader.access;
    TextureFetch *fetch = unit_new(&self->unit, MESSAGE_TEXTURE_FETCH);
    WarpAccess *read = &fetch->access;
    read->instruction = access->instruction;
    read->kernel = access->kernel;
    read->samples = NULL;
    read->issued = access->issued;
    read->reached = state_of(access)->arrived;
    read->warp = access->warp;
    read->launch = access->launch;
    read->warp_age = access->warp_age;
    read->dependent = false;
    fetch->fragment = slot;
    fetch->record = NULL;
    return fetch;
}

/* The next entry of the FIFO; false: nobody knows when it has a place. */
static bool prepare_read(TextureUnit *self)
{
    ReadCursor *cursor = &self->reader;
    const Time free = timed_fifo_free_at(&self->fragment_places);
    if (free == TIMED_FIFO_UNKNOWN) return false;
    const uint32_t slot = (uint32_t)((self->read_first + self->reads_used) % self->fragment_fifo);
    const TextureFormat *format = cursor->access->instruction.binding->texture.shape.format;
    const uint32_t turns = texture_filter_turns(self, format);
    Elements elements;
    find_elements(self, &elements);
    TextureRead *entry = &self->reads[slot];
    const Time from = texture_stall(MAX(cursor->from, self->tagged), free,
                                    &self->stalls_fragment_fifo, &self->stalled_fragment_fifo);
    *entry = (TextureRead){.access = cursor->access,
                           .message = new_read(self, slot),
                           .back = TIME_NEVER,
                           .at = pace_take_many(&self->quad_pace, from, elements.quads),
                           .filter_turns = turns * elements.quads,
                           .bytes = elements_bytes(&elements, format),
                           .last = cursor->step + 1 == cursor->steps && !has_more_quads(cursor)};
    find_lines(self, &elements, &entry->message->access);
    entry->message->access.began =
        entry->at - clock_cycles(self->unit.clock, self->address_latency);
    entry->message->ready = entry->at;
    texture_book(&self->address_stage, elements.quads * self->quad_pace.interval);
    timed_fifo_enter(&self->fragment_places, entry->at);
    self->tagged = entry->at;
    self->fragments++;
    self->reads_used++;
    self->unsent_reads++;
    return true;
}

/* --- to L1 ------------------------------------------------------------------------------------ */

/* Without a texel in memory there is nothing to read. */
static void skip_read(TextureUnit *self, TextureRead *entry, Time now)
{
    Transaction *record = unit_new(&self->unit, MESSAGE_TRANSACTION);
    record->access = entry->access;
    record->source = (uint16_t)self->unit.number;
    record->virtual_line = 0;
    record->served_by = SERVED_L1;
    record->type = TRANSACTION_READ;
    record->space = SPACE_TEXTURE;
    transaction_enter(record, STAGE_ISSUE, entry->message->access.issued);
    transaction_enter(record, STAGE_TEXTURE_QUEUE, entry->message->access.reached);
    transaction_enter(record, STAGE_TEXTURE_TAG, entry->message->access.began);
    entry->message->record = record;
    entry->back = now;
}

/* Each read as its lines are known; false: L1 has no room for one whose lines are. */
static bool send_reads(TextureUnit *self, Time now)
{
    while (self->unsent_reads) {
        const uint32_t number = self->reads_used - self->unsent_reads;
        TextureRead *entry = &self->reads[(self->read_first + number) % self->fragment_fifo];
        if (entry->at > now) {
            unit_wake_at(&self->unit, entry->at);
            return true;
        }
        if (!entry->message->access.lines) {
            skip_read(self, entry, now);
        } else if (channel_ready(&self->to_l1, now)) {
            self->l1_reads++;
            channel_send(&self->to_l1, &entry->message->access.message, now);
        } else {
            channel_await(&self->to_l1, now);
            return false;
        }
        self->unsent_reads--;
    }
    return true;
}

/* --- back from L1 ----------------------------------------------------------------------------- */

static StageSums *sums_of(TextureUnit *self, const Transaction *record)
{
    switch ((ServedBy)record->served_by) {
    case SERVED_L1: return &self->stages_texture_hit;
    case SERVED_PRT: return &self->stages_texture_merged;
    case SERVED_SHARED_L1: return &self->stages_texture_shared_l1;
    case SERVED_L2: return &self->stages_texture_l2_hit;
    case SERVED_MEMORY_CACHE: return &self->stages_texture_memory_cache;
    case SERVED_DRAM: return &self->stages_texture_dram;
    }
    g_assert_not_reached();
}

static void account(TextureUnit *self, TextureRead *entry, Time filtered, Time end)
{
    Transaction *record = entry->message->record;
    const bool hit = record->served_by == SERVED_L1;
    record->requested_bytes = (uint16_t)entry->bytes;
    transaction_enter(record, STAGE_FRAGMENT_FIFO, entry->back);
    transaction_enter(record, STAGE_FILTER, filtered);
    unit_complete(&self->unit, record, end, sums_of(self, record));
    histogram_add(hit ? &self->hit_latency : &self->miss_latency, end - entry->at);
}

static void filter_read(TextureUnit *self, TextureRead *entry)
{
    const Time least = entry->at + clock_cycles(self->unit.clock, self->fragment_delay);
    const Time from = MAX(MAX(entry->back, least), self->read);
    self->read = pace_next(&self->filter_pace, from);
    timed_fifo_leave(&self->fragment_places, self->read);
    const Time end = texture_filter(self, self->read, entry->filter_turns);
    account(self, entry, self->read, end);
    if (entry->last) {
        entry->access->answer = entry->message->record;
        entry->access->refused = entry->message->access.refused;
        texture_return(self, entry->access, end);
    } else {
        unit_free_message(&self->unit, &entry->message->record->message);
    }
    unit_free_message(&self->unit, &entry->message->access.message);
}

static void take_reads(TextureUnit *self, Time now)
{
    TextureFetch *read;
    while ((read = (TextureFetch *)port_take(&self->from_l1, now))) {
        self->l1_replies++;
        self->reads[read->fragment].back = now;
    }
}

static void filter_reads(TextureUnit *self)
{
    while (self->reads_used && self->reads[self->read_first].back != TIME_NEVER) {
        TextureRead *entry = &self->reads[self->read_first];
        self->read_first = (self->read_first + 1) % (uint32_t)self->fragment_fifo;
        self->reads_used--;
        filter_read(self, entry);
    }
}

/* --- instructions ----------------------------------------------------------------------------- */

static void begin(TextureUnit *self, WarpAccess *access, Time now)
{
    ReadCursor *cursor = &self->reader;
    cursor->access = access;
    cursor->from =
        MAX(state_of(access)->arrived + clock_cycles(self->unit.clock, self->address_latency), now);
    cursor->first_quad = 0;
    find_quads(cursor);
    self->quad_count += quads_left(cursor);
    self->instructions++;
    self->samples += (uint64_t)__builtin_popcountll(access->instruction.mask);
}

static void end(TextureUnit *self)
{
    texture_leave(self, self->reader.access, self->reader.from);
    self->reader.access = NULL;
}

/* False: nothing could be done. */
static bool prepare_reads(TextureUnit *self, Time now)
{
    ReadCursor *cursor = &self->reader;
    const uint64_t before = self->fragments;
    if (!cursor->access) {
        WarpAccess *access = texture_take_instruction(self, now);
        if (!access) return false;
        begin(self, access, now);
    }
    do {
        for (; cursor->step < cursor->steps; cursor->step++)
            if (!prepare_read(self)) return self->fragments != before;
    } while (next_quads(self));
    end(self);
    return true;
}

/* The front end stops when L1 has no room. */
void texture_step_with_l1(TextureUnit *self, Time now)
{
    bool moves = true;
    take_reads(self, now);
    texture_pass_data(self, now);
    while (moves) {
        moves = send_reads(self, now);
        filter_reads(self);
        moves = moves && prepare_reads(self, now);
    }
}
