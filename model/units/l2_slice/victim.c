/* The L2 slice: a place for a line, and what becomes of the written data that was there. */
#include "units/l2_slice/private.h"

void l2_slice_count_write_back(L2Slice *self, uint16_t sectors, Time now)
{
    self->write_backs++;
    self->bytes_written_back += slice_cache_bytes(&self->cache, sectors);
    level_enter(&self->write_backs_outstanding, now);
}

/* A victim's data is read with its tags, which takes no port. */
static void read_victim(L2Slice *self, const TagLine *victim)
{
    self->bytes_array_read += slice_cache_bytes(&self->cache, victim->dirty);
}

/* The data of a line that is about to be gone, or to be clean, goes to DRAM. */
static Transaction *write_back(L2Slice *self, TagLine *victim, bool row_goes_on, Time now)
{
    l2_slice_count_write_back(self, victim->dirty, now);
    read_victim(self, victim);
    Transaction *request =
        l2_slice_new_memory_request(self, TRANSACTION_WRITE, victim->line, victim->dirty);
    request->partial = victim->dirty & (uint16_t)~victim->valid;
    request->row_goes_on = row_goes_on;
    l2_slice_send_to_scheduler(self, request, now);
    victim->dirty = 0;
    return request;
}

/* --- written_data = line ---------------------------------------------------------------------- */

static bool is_held(const TagLine *line)
{
    return line->fetching || line->writing || line->dirty;
}

static bool needs_no_write(const TagLine *line)
{
    return line->fetching || line->writing || !line->dirty;
}

static uint64_t set_of(const L2Slice *self, uint64_t line)
{
    return tag_array_set_of(&self->cache.tags, line);
}

/* The set is to write another line. */
static void queue_set(L2Slice *self, uint64_t set)
{
    uint64_t *word = &self->unclean[set / WORD_SETS];
    const uint64_t bit = UINT64_C(1) << set % WORD_SETS;
    self->queued_sets += !(*word & bit);
    *word |= bit;
}

/* In their turn. */
static uint64_t take_set(L2Slice *self)
{
    const uint64_t words = self->cache.tags.sets / WORD_SETS + 1;
    uint64_t word = self->next_set / WORD_SETS;
    uint64_t waiting = self->unclean[word] & UINT64_MAX << self->next_set % WORD_SETS;
    while (!waiting) waiting = self->unclean[word = (word + 1) % words];
    const uint64_t set = word * WORD_SETS + (uint32_t)__builtin_ctzll(waiting);
    self->unclean[word] &= ~(UINT64_C(1) << set % WORD_SETS);
    self->queued_sets--;
    self->next_set = set + 1;
    return set;
}

static void keep_clean(L2Slice *self, uint64_t set)
{
    const TagLine *way = &self->cache.tags.lines[set * self->cache.tags.ways];
    uint64_t clean = 0;
    for (const TagLine *end = way + self->cache.tags.ways; way < end; way++) clean += !way->dirty;
    if (clean < self->clean_ways) queue_set(self, set);
}

void l2_slice_keep_clean(L2Slice *self, uint32_t place)
{
    if (self->written_data != WRITTEN_LINE) return;
    keep_clean(self, set_of(self, self->cache.tags.lines[place].line));
}

/* The set's least recently used written line; it stays until the write is done. */
static void begin_write(L2Slice *self, uint64_t set, Time now)
{
    const uint32_t place = tag_array_oldest(&self->cache.tags, set, needs_no_write);
    if (place == TAG_NONE) return;
    l2_slice_write_begins(self, place, now);
    write_back(self, &self->cache.tags.lines[place], false, now)->message.entry = place;
    keep_clean(self, set);
}

void l2_slice_clean_sets(L2Slice *self, Time now)
{
    while (self->queued_sets && channel_ready(&self->to_scheduler, now))
        begin_write(self, take_set(self), now);
    if (self->queued_sets) channel_await(&self->to_scheduler, now);
}

/* Written data that would have to go next begins to, and the next clean line goes. */
static uint32_t choose_clean_victim(L2Slice *self, uint64_t line, Time now)
{
    const uint32_t next = tag_array_victim(&self->cache.tags, line);
    if (next == TAG_NONE) {
        l2_slice_refuse_part(self, &self->set_fills, &self->refused_set, now);
        return TAG_NONE;
    }
    if (!is_held(&self->cache.tags.lines[next])) return next;
    const uint64_t set = set_of(self, line);
    if (!needs_no_write(&self->cache.tags.lines[next])) queue_set(self, set);
    const uint32_t clean = tag_array_oldest(&self->cache.tags, set, is_held);
    if (clean != TAG_NONE) return clean;
    self->next_set = set;
    l2_slice_refuse_part(self, &self->set_writes, &self->refused_written, now);
    return TAG_NONE;
}

/* --- written_data = store_queue --------------------------------------------------------------- */

static bool move_to_store_queue(L2Slice *self, TagLine *victim, Time now)
{
    const StoreEntry evicted = {.line = victim->line,
                                .came = now,
                                .sectors = victim->dirty,
                                .partial = victim->dirty & (uint16_t)~victim->valid};
    const uint32_t before = self->stores.data_used;
    switch (store_queue_put(&self->stores, &evicted)) {
    case STORE_QUEUED: level_enter(&self->store_queue, now); break;
    case STORE_JOINED: self->store_queue_joined++; break;
    case STORE_LACKS_ENTRY: return l2_slice_refuse(self, &self->refused_store_queue);
    case STORE_LACKS_DATA: return l2_slice_refuse(self, &self->refused_store_data);
    }
    for (uint32_t i = before; i < self->stores.data_used; i++) level_enter(&self->store_data, now);
    read_victim(self, victim);
    victim->dirty = 0;
    return true;
}

/* --- what becomes dirty ----------------------------------------------------------------------- */

/* Of the rows to be cleaned a line may go for each that becomes dirty or was evicted dirty,
 * and no more than a row's at once: else they would keep the reads of one channel waiting. */
static void may_clean(L2Slice *self)
{
    self->clean_due += self->clean_due < self->row_lines;
}

void l2_slice_note_dirty(L2Slice *self, uint32_t place, uint16_t written)
{
    const uint16_t dirty = self->cache.tags.lines[place].dirty, more = written & (uint16_t)~dirty;
    if (!dirty) may_clean(self);
    self->bytes_dirtied += slice_cache_bytes(&self->cache, more);
}

/* --- clean_ahead = row ------------------------------------------------------------------------ */

static uint64_t *queued_row(const L2Slice *self, uint32_t index)
{
    return &self->rows[(self->first_row + index) % self->clean_rows];
}

/* Where the queue is full the line is written when it is evicted. */
static bool queue_row(L2Slice *self, uint64_t line)
{
    const uint64_t row = line - line % self->row_lines;
    for (uint32_t i = 0; i < self->queued_rows; i++)
        if (*queued_row(self, i) == row) return true;
    if (self->queued_rows == self->clean_rows) return false;
    *queued_row(self, self->queued_rows++) = row;
    return true;
}

/* Sectors that are written in part wait for the rest. */
static bool may_be_cleaned(const TagLine *line)
{
    return line->dirty && !line->fetching && !(line->dirty & (uint16_t)~line->valid);
}

/* After a line was given away: the one that would go next is written before it has to. */
static void look_ahead(L2Slice *self, uint64_t line)
{
    const uint32_t next = tag_array_victim(&self->cache.tags, line);
    if (next != TAG_NONE && may_be_cleaned(&self->cache.tags.lines[next]))
        queue_row(self, self->cache.tags.lines[next].line);
}

static uint32_t find_to_clean(const L2Slice *self, uint64_t line)
{
    const uint32_t place = tag_array_find(&self->cache.tags, line);
    const bool found = place != TAG_NONE && may_be_cleaned(&self->cache.tags.lines[place]);
    return found ? place : TAG_NONE;
}

/* The place of the row's first line from `*line` on that can be written, and which it is; TAG_NONE:
 * there is none. */
static uint32_t next_of_row(const L2Slice *self, uint64_t *line)
{
    for (; *line != self->clean_end; ++*line) {
        const uint32_t place = find_to_clean(self, *line);
        if (place != TAG_NONE) return place;
    }
    return TAG_NONE;
}

/* Behind the line that is about to be written. */
static bool row_goes_on(const L2Slice *self)
{
    uint64_t line = self->clean_next + 1;
    return next_of_row(self, &line) != TAG_NONE;
}

static uint32_t next_of_rows(L2Slice *self)
{
    uint32_t place;
    while ((place = next_of_row(self, &self->clean_next)) == TAG_NONE && self->queued_rows) {
        self->clean_next = *queued_row(self, 0);
        self->clean_end = self->clean_next + self->row_lines;
        self->first_row = (self->first_row + 1) % (uint32_t)self->clean_rows;
        self->queued_rows--;
    }
    return place;
}

/* True: another one may follow. */
static bool clean_next(L2Slice *self, Time now)
{
    if (!self->clean_due) return false;
    const uint32_t place = next_of_rows(self);
    if (place == TAG_NONE) return false;
    if (self->free_at > now) {
        unit_wake_at(&self->unit, self->free_at);
    } else if (!channel_ready(&self->to_scheduler, now)) {
        channel_await(&self->to_scheduler, now);
    } else {
        write_back(self, &self->cache.tags.lines[place], row_goes_on(self), now);
        self->cleaned_ahead++;
        self->clean_due--;
        l2_slice_look_up_takes(self, now);
        if (self->free_at <= now) return true;
        unit_wake_at(&self->unit, self->free_at);
    }
    return false;
}

void l2_slice_clean_rows(L2Slice *self, Time now)
{
    while (clean_next(self, now)) continue;
}

/* --- a place ---------------------------------------------------------------------------------- */

/* A cache that does one thing at a time reads when the write-back is done. */
static bool write_back_first(L2Slice *self, TagLine *victim, Time now)
{
    if (!l2_slice_scheduler_ready(self, now)) return false;
    const bool row_goes_on = self->clean_ahead == CLEAN_ROW && queue_row(self, victim->line);
    write_back(self, victim, row_goes_on, now);
    may_clean(self);
    if (self->completion != COMPLETION_BLOCKING) return true;
    self->refused_pending++;
    return l2_slice_refuse_part(self, &self->pending, &self->refused_blocking, now);
}

static uint32_t choose_victim(L2Slice *self, uint64_t line, Time now)
{
    if (self->written_data == WRITTEN_LINE) return choose_clean_victim(self, line, now);
    const uint32_t place = tag_array_victim(&self->cache.tags, line);
    if (place == TAG_NONE) {
        l2_slice_refuse_part(self, &self->set_fills, &self->refused_set, now);
        return TAG_NONE;
    }
    TagLine *victim = &self->cache.tags.lines[place];
    if (!victim->dirty) return place;
    const bool gone = self->written_data == WRITTEN_STORE_QUEUE
                          ? move_to_store_queue(self, victim, now)
                          : write_back_first(self, victim, now);
    return gone ? place : TAG_NONE;
}

/* Nothing but other look-ups changes what the request found: where written data has no place of its
 * own, and all lines are at home here. */
static void wait_for_room(L2Slice *self, const Transaction *transaction)
{
    if (self->written_data != WRITTEN_SCHEDULER || self->load_queue_entries || self->twins) return;
    self->waits_for_room = transaction;
    self->load_waits = transaction->type == TRANSACTION_READ;
}

/* A line comes, and the victim's goes: of a sample, whether it had gone before. */
static void note_brought(L2Slice *self, const TagLine *victim, uint64_t line)
{
    self->brought++;
    self->brought_back += evicted_tags_replace(&self->evicted, line, victim->used, victim->line);
}

uint32_t l2_slice_allocate(L2Slice *self, const Transaction *transaction, bool fetches, Time now)
{
    const uint64_t line = l2_slice_line_number(self, transaction);
    const uint32_t place = choose_victim(self, line, now);
    if (place == TAG_NONE) return TAG_NONE;
    if (fetches && !l2_slice_has_room_for_miss(self, now)) {
        wait_for_room(self, transaction);
        return TAG_NONE;
    }
    self->waits_for_room = NULL;
    level_relent(&self->set_fills, now);
    if (self->written_data == WRITTEN_LINE) level_relent(&self->set_writes, now);
    const RequestClass owner = l2_slice_class_of(transaction);
    TagLine *victim = &self->cache.tags.lines[place];
    if (victim->copied && !l2_slice_recall_copies(self, victim, now)) return TAG_NONE;
    if (victim->used && victim->owner != owner) self->evicted_by_other_class++;
    note_brought(self, victim, line);
    slice_cache_replace(&self->cache, place, line, (uint8_t)owner);
    if (self->clean_ahead == CLEAN_ROW) look_ahead(self, line);
    return place;
}
