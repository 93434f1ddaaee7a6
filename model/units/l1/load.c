/* L1's loads: tag look-up, misses and the pending request table. */
#include "kit/gpu/access_report.h"
#include "units/l1/ports.h"
#include "units/l1/way.h"

bool l1_caches(const L1 *self, const Instruction *instruction)
{
    if (instruction_samples(instruction)) return true;
    const bool local = instruction->space == SPACE_LOCAL;
    const bool read_only = instruction->hint == CACHE_READ_ONLY;
    switch ((CachedMode)self->cached) {
    case CACHED_ALL: return instruction->hint != CACHE_L2_ONLY;
    case CACHED_LOCAL: return local;
    case CACHED_LOCAL_AND_READ_ONLY: return local || read_only;
    case CACHED_READ_ONLY: return read_only;
    case CACHED_NONE: return false;
    }
    g_assert_not_reached();
}

/* --- misses ----------------------------------------------------------------------------------- */

/* Stores come here as well, but these are part of a load's miss: it is what L1 does most. */
inline uint32_t l1_allocate(L1 *self, WarpAccess *access, uint64_t line, uint32_t present, Time now)
{
    if (present != TAG_NONE) return present;
    const TagRoom room = tag_array_room(&self->tags, line);
    if (room.victim == TAG_NONE) {
        l1_refuse(self, access, &self->refused_set, now);
        return TAG_NONE;
    }
    const TagLine *old = &self->tags.lines[room.victim];
    if (old->used && old->dirty) {
        if (!l1_write_room(self)) {
            l1_refuse_room(self, access, now);
            return TAG_NONE;
        }
        l1_write_back(self, access->launch, room.victim, now);
    }
    const bool samples = instruction_samples(&access->instruction);
    if (old->used) {
        self->texels_evicted += old->owner == OWNER_TEXTURE && !samples;
        self->evicted_by_texels += old->owner == OWNER_LOAD_STORE && samples;
    }
    self->brought++;
    self->brought_back += evicted_tags_replace(&self->evicted, line, old->used, old->line);
    tag_array_take(&self->tags, room, line);
    if (self->bytes) l1_forget_bytes(self, room.place);
    self->tags.lines[room.place].owner = samples ? OWNER_TEXTURE : OWNER_LOAD_STORE;
    return room.place;
}

inline uint32_t l1_fetch(L1 *self, Transaction *transaction, uint32_t place, uint16_t sectors,
                         Time now)
{
    const uint32_t index =
        pending_request_table_allocate(&self->table, transaction->virtual_line, sectors);
    l1_note_fetched(self, transaction->virtual_line);
    PendingRequest *entry = &self->table.entries[index];
    entry->place = place;
    entry->younger = PRT_NONE;
    entry->reply = NULL;
    if (self->return_order == RETURN_IN_ORDER) {
        *(self->oldest_miss == PRT_NONE ? &self->oldest_miss
                                        : &self->table.entries[self->youngest_miss].younger) =
            index;
        self->youngest_miss = index;
    }
    transaction->message.entry = index;
    transaction->sectors = sectors;
    if (place != TAG_NONE) self->tags.lines[place].fetching++;
    transaction->left = now;
    self->load_went = self->queued_writes.first != NULL;
    level_enter(&self->prt, now);
    l1_depart(self, transaction, now);
    return index;
}

/* --- look-up ---------------------------------------------------------------------------------- */

/* The hits of one wavefront, whose data is read together. */
typedef struct {
    Transaction *hit[ACCESS_LINES];
    uint32_t hits, misses, passes;
    uint64_t bytes;          /* of the array, of the lines that hit */
    uint32_t present;        /* where the line is that is looked up, or TAG_NONE */
    const AccessLine *first; /* NULL: each line that is not there is read by itself when it is */
    uint16_t coming;         /* sectors that it lacks and others have asked for */
    bool cached;             /* its lines may be in L1 */
    bool waits;              /* one is not there, and brings the passes of all */
} Wavefront;

G_GNUC_NO_INLINE static void report_hit(L1 *self, const Transaction *hit, uint32_t place, Time now)
{
    const AccessPlace there = {frames_physical(self->pages, hit->virtual_line), now};
    AccessReport *report = access_report_of_hit(
        &self->unit.messages, &(AccessedSectors){there, hit->source, hit->sectors},
        &self->read_at[(uint64_t)place * SECTORS_MAX]);
    line_fit_report(self->fit, report);
    channel_send(&self->to_monitor, &report->message, now);
}

static void note_hit(L1 *self, WarpAccess *access, const AccessLine *line, uint32_t place,
                     Wavefront *wavefront, Time now)
{
    tag_array_touch(&self->tags, place);
    self->hits++;
    self->texture_hits += instruction_samples(&access->instruction);
    Transaction *transaction = l1_new_transaction(self, access, line, now);
    if (self->read_at) report_hit(self, transaction, place, now);
    wavefront->hit[wavefront->hits++] = transaction;
    wavefront->passes += MAX(line->passes, 1);
    wavefront->bytes += l1_wanted_bytes(self, line);
}

/* All lines of a wavefront take fewer passes than each by itself. */
static bool share_passes(const WarpAccess *access, const AccessLine *first)
{
    const AccessLine *const end = access->line + access->lines;
    uint32_t each = 0;
    for (const AccessLine *line = first; line < end && line->wavefront == first->wavefront; line++)
        each += MAX(line->passes, 1);
    return each > first->wavefront_passes;
}

/* A line that is not there: the first one of a wavefront whose lines share passes brings those of
 * all. */
static Transaction *new_waiting(L1 *self, WarpAccess *access, const AccessLine *line,
                                Wavefront *wavefront, Time now)
{
    Transaction *transaction = l1_new_transaction(self, access, line, now);
    if (!wavefront->first) return transaction;
    if (!wavefront->waits && !share_passes(access, wavefront->first)) {
        wavefront->first = NULL;
        return transaction;
    }
    transaction->passes = wavefront->waits ? 0 : wavefront->first->wavefront_passes;
    wavefront->waits = true;
    return transaction;
}

/* The access keeps its room in the instruction buffer until its line has come. */
static void await_line(L1 *self, WarpAccess *access)
{
    if (self->miss_replay) state_of(access)->missing++;
}

G_GNUC_NO_INLINE static bool join(L1 *self, WarpAccess *access, const AccessLine *line,
                                  uint32_t index, Wavefront *wavefront, Time now)
{
    PendingRequest *entry = &self->table.entries[index];
    if (entry->merged >= self->prt_merges) {
        l1_refuse(self, access, &self->refused_merge, now);
        return false;
    }
    l1_join(self, entry, now);
    if (entry->place != TAG_NONE) tag_array_touch(&self->tags, entry->place);
    self->merged++;
    self->texture_merged += instruction_samples(&access->instruction);
    Transaction *transaction = new_waiting(self, access, line, wavefront, now);
    transaction_join(transaction, &entry->first, &entry->last, now);
    await_line(self, access);
    return true;
}

/* Of a line that is there, what has been asked for. */
G_GNUC_NO_INLINE static uint16_t coming_to(const L1 *self, uint64_t line, uint32_t place)
{
    const PendingRequestTable *table = &self->table;
    uint16_t sectors = 0;
    for (uint32_t i = PRT_NONE; (i = pending_request_table_next(table, line, i)) != PRT_NONE;)
        if (table->entries[i].place == place) sectors |= table->entries[i].sectors;
    return sectors;
}

/* All that it lacks has been asked for, by several: it waits with the last of them. */
G_GNUC_NO_INLINE static bool join_several(L1 *self, WarpAccess *access, const AccessLine *line,
                                          Wavefront *wavefront, Time now)
{
    const PendingRequestTable *table = &self->table;
    uint32_t i = pending_request_table_next(table, line->line, PRT_NONE);
    while (table->entries[i].place != wavefront->present
           || !(table->entries[i].sectors & wavefront->coming))
        i = pending_request_table_next(table, line->line, i);
    if (!join(self, access, line, i, wavefront, now)) return false;
    table->entries[i].awaited |= wavefront->coming & (uint16_t)~table->entries[i].sectors;
    return true;
}

bool l1_is_in_write_buffer(const L1 *self, uint64_t line)
{
    for (const Message *waiting = self->queued_writes.first; waiting; waiting = waiting->next)
        if (((const Transaction *)waiting)->virtual_line == line) return true;
    return false;
}

inline bool l1_may_fetch(L1 *self, WarpAccess *access, uint64_t line, Time now)
{
    if (self->table.used == self->table.capacity) {
        l1_refuse(self, access, &self->refused_prt, now);
        return false;
    }
    if (self->queued_writes.first && l1_is_in_write_buffer(self, line)) {
        l1_refuse(self, access, &self->refused_write_buffer, now);
        return false;
    }
    uint64_t *const blocked = l1_blocked_by(self, line, now);
    if (blocked) {
        l1_refuse_way(self, access, blocked, now);
        return false;
    }
    return true;
}

G_GNUC_NO_INLINE static bool miss(L1 *self, WarpAccess *access, const AccessLine *line,
                                  Wavefront *wavefront, Time now)
{
    if (!l1_may_fetch(self, access, line->line, now)) {
        if (wavefront->present == TAG_NONE) l1_note_absent(self, access);
        return false;
    }
    uint32_t place = TAG_NONE;
    uint16_t sectors = line->sectors;
    if (wavefront->cached) {
        place = l1_allocate(self, access, line_number(self, line->line), wavefront->present, now);
        if (place == TAG_NONE) return false;
        if (place == wavefront->present) tag_array_touch(&self->tags, place);
        if (self->fetch == FETCH_LINE) sectors = all_sectors(self);
        sectors &= (uint16_t) ~(self->tags.lines[place].valid | wavefront->coming);
    }
    const uint32_t index =
        l1_fetch(self, new_waiting(self, access, line, wavefront, now), place, sectors, now);
    self->table.entries[index].awaited = wavefront->coming;
    await_line(self, access);
    return true;
}

/* What a miss would need, whether it is one or not: an entry of the table, and a way of the set. */
G_GNUC_NO_INLINE static bool may_miss(L1 *self, WarpAccess *access, const AccessLine *line,
                                      bool cached, Time now)
{
    uint64_t *lacks = NULL;
    if (self->table.used == self->table.capacity)
        lacks = &self->refused_prt;
    else if (cached
             && tag_array_room(&self->tags, line_number(self, line->line)).victim == TAG_NONE)
        lacks = &self->refused_set;
    if (lacks) l1_refuse(self, access, lacks, now);
    return !lacks;
}

/* False: refused. */
static bool look_up(L1 *self, WarpAccess *access, const AccessLine *line, Wavefront *wavefront,
                    Time now)
{
    const bool cached = wavefront->cached;
    if (self->resource_check == CHECK_FIRST && !may_miss(self, access, line, cached, now))
        return false;
    const uint32_t present =
        cached ? tag_array_find(&self->tags, line_number(self, line->line)) : TAG_NONE;
    wavefront->present = present;
    const uint16_t valid = present == TAG_NONE ? 0 : self->tags.lines[present].valid;
    uint16_t lacking = line->sectors & (uint16_t)~valid;
    if (lacking && self->bytes) {
        if (!cached && l1_flush_first(self, access, line->line, now)) return false;
        lacking = l1_lacks(self, access, line, present, lacking);
    }
    if (!lacking) {
        note_hit(self, access, line, present, wavefront, now);
        return true;
    }
    const uint32_t pending = pending_request_table_find(&self->table, line->line, lacking);
    if (pending != PRT_NONE) return join(self, access, line, pending, wavefront, now);
    wavefront->coming = 0;
    if (present != TAG_NONE && self->tags.lines[present].fetching) {
        wavefront->coming = lacking & coming_to(self, line->line, present);
        if (wavefront->coming == lacking) return join_several(self, access, line, wavefront, now);
    }
    if (!miss(self, access, line, wavefront, now)) return false;
    self->misses++;
    self->texture_misses += instruction_samples(&access->instruction);
    wavefront->misses++;
    return true;
}

/* Rows of the array that look-ups read: with parallel access those of all ways of the set, used or
 * not; with serial access that of the way that hit. */
static void count_rows(L1 *self, const AccessLine *line, uint32_t lines, const Wavefront *wavefront)
{
    if (self->access_order == ACCESS_SERIAL) {
        self->array_reads += wavefront->hits;
        self->bytes_array_read += wavefront->bytes;
        return;
    }
    self->array_reads += lines * self->tags.ways;
    for (const AccessLine *end = line + lines; line < end; line++)
        self->bytes_array_read += l1_wanted_bytes(self, line) * self->tags.ways;
}

/* The same of a line that has come, and is there. */
static void count_rows_again(L1 *self, const Transaction *line)
{
    const uint64_t ways = self->access_order == ACCESS_SERIAL ? 1 : self->tags.ways;
    self->array_reads += ways;
    self->bytes_array_read += ways * MIN(line->requested_bytes, self->line->line_bytes);
}

/* Of a part of a wavefront: its lines one after the other; with ideal banks, where all lines are
 * one wavefront, no more than the whole takes. */
static uint32_t passes_of_some(const L1 *self, const Wavefront *wavefront, const WarpAccess *access)
{
    return self->ideal_banks ? MIN(wavefront->passes, MAX(access->line->wavefront_passes, 1u))
                             : wavefront->passes;
}

/* What came of an access whose last lines may be under way. */
static Served served_so_far(AccessState *state, const WarpAccess *access)
{
    if (state->next < access->lines) return SERVED_PARTLY;
    if (!state->missing) return SERVED_WHOLLY;
    state->waits = true;
    state->replay_at = TIME_NEVER;
    return SERVED_PARTLY;
}

/* What a wavefront's lines from `line` on write if all of them hit. */
static uint32_t passes_if_all_hit(const L1 *self, const WarpAccess *access, const AccessLine *line,
                                  bool begins)
{
    if (begins) return line->wavefront_passes;
    Wavefront rest;
    rest.passes = 0;
    for (const AccessLine *other = line; other < access->line + access->lines; other++)
        if (other->wavefront == line->wavefront) rest.passes += MAX(other->passes, 1);
    return passes_of_some(self, &rest, access);
}

Values l1_values_of(const L1 *self, const WarpAccess *access, uint32_t passes, Time now)
{
    const Time read = l1_array_begins(self, now);
    return (Values){&self->to_sm, read + clock_cycles(self->unit.clock, self->hit_cycles),
                    instruction_samples(&access->instruction) ? 0 : passes};
}

/* The hits come as `come` says. They were booked as `booked` says, which is sooner where a dirty
 * line had to be read for a miss of the wavefront. Returns when the last pass comes. */
static Time correct_booking(L1 *self, const Values *booked, const Values *come, Time now)
{
    const uint32_t kept = booked->ready == come->ready ? MIN(booked->passes, come->passes) : 0;
    l1_cancel_registers(self, booked, kept);
    return l1_find_registers(self, come, kept, now);
}

/* In so many passes; the registers' port has been booked for `values`. */
static void read_hits(L1 *self, const Wavefront *wavefront, uint32_t passes, const Values *values,
                      Time now)
{
    const WarpAccess *access = wavefront->hit[0]->access;
    Values come = {.passes = 0};
    if (self->register_ports) come = l1_values_of(self, access, passes, now);
    Time ready = l1_book_data(self, passes, now) + clock_cycles(self->unit.clock, self->hit_cycles);
    if (come.passes) ready = correct_booking(self, values, &come, now);
    for (uint32_t i = 0; i < wavefront->hits; i++) l1_complete(self, wavefront->hit[i], ready);
}

Served l1_load(L1 *self, WarpAccess *access, Time now)
{
    AccessState *state = state_of(access);
    if (state->absent && l1_is_still_refused(self, access, now)) return SERVED_NOTHING;
    state->absent = false;
    const uint32_t first = state->next;
    const AccessLine *line = &access->line[first];
    if (first + 1 < access->lines) l1_foresee_look_up(self, line[1].line);
    const bool begins = !first || line[-1].wavefront != line->wavefront;
    Values values = {.passes = 0};
    if (self->register_ports)
        values = l1_values_of(self, access, passes_if_all_hit(self, access, line, begins), now);
    if (values.passes && !l1_book_registers(self, access, &values, now)) return SERVED_NOTHING;
    Wavefront wavefront; /* its list of hits, 2 KB, is written as it grows */
    wavefront.hits = wavefront.misses = wavefront.passes = 0;
    wavefront.bytes = 0;
    const bool alone = !begins || access->lines == 1 || self->miss_replay
                       || instruction_samples(&access->instruction);
    wavefront.first = alone ? NULL : line;
    wavefront.waits = false;
    wavefront.cached = l1_caches(self, &access->instruction);
    uint32_t end = first;
    while (end < access->lines && access->line[end].wavefront == line->wavefront
           && look_up(self, access, &access->line[end], &wavefront, now))
        end++;
    if (values.passes && (!wavefront.hits || wavefront.waits))
        l1_cancel_registers(self, &values, 0);
    if (end == first) return SERVED_NOTHING;
    state->next = end;
    if (state->served_at == TIME_NEVER) state->served_at = now;
    self->accesses += end - first;
    if (instruction_samples(&access->instruction)) self->texture_accesses += end - first;
    self->wavefronts++;
    if (wavefront.cached) count_rows(self, line, end - first, &wavefront);
    const bool wholly = end == access->lines;
    const Served served = served_so_far(state, access); /* it may be gone afterwards */
    if (wavefront.misses > 1)                           /* they leave one after the other */
        self->tag_free =
            MAX(self->tag_free,
                now + clock_cycles(self->unit.clock, l1_miss_cycles(self, wavefront.misses)));
    const bool together = begins && wavefront.hits == end - first
                          && (wholly || access->line[end].wavefront != line->wavefront);
    if (wavefront.hits)
        read_hits(self, &wavefront,
                  wavefront.waits ? 0
                  : together      ? line->wavefront_passes
                                  : passes_of_some(self, &wavefront, access),
                  &values, now);
    return served;
}

G_GNUC_NO_INLINE Served l1_read_back(L1 *self, WarpAccess *access, Time now)
{
    AccessState *state = state_of(access);
    Transaction *line = state->first_back;
    const uint32_t place = line->message.entry;
    const Values values = l1_values_of(self, access, MAX(line->passes, 1), now);
    if (!l1_book_registers(self, access, &values, now)) return SERVED_NOTHING;
    state->first_back = line->merged;
    state->missing--;
    const Served served = served_so_far(state, access);
    transaction_enter(line, STAGE_FILL, now);
    if (place != TAG_NONE) {
        self->tags.lines[place].fetching--;
        l1_note_change(self); /* who was refused a place in this set may have one now */
    }
    self->replayed_lines++;
    if (l1_caches(self, &access->instruction)) count_rows_again(self, line);
    const Time read = l1_book_arrived(self, place, MAX(line->passes, 1), now);
    l1_complete(self, line, read + clock_cycles(self->unit.clock, self->hit_cycles));
    return served;
}
