/* The ROP: lines it has, fetches and gives back. */
#include <string.h>

#include "parts/bits.h"
#include "units/rop/private.h"

/* A fetch with this bit in its entry is one of metadata, for the entry of the others. */
static const uint32_t METADATA = UINT32_C(1) << 31;

/* A request may send a write-back of its line's victim and a fetch; where there is no cache, a
 * request that is done sends a write-back, its result and the fetch of the next one. */
enum { MESSAGES_AT_ONCE = 3 };

static uint16_t all_sectors(const Rop *self)
{
    return (uint16_t)((1u << (self->line->line_bytes / self->line->sector_bytes)) - 1);
}

static bool refuse(uint64_t *counter)
{
    (*counter)++;
    return false;
}

static bool output_ready(Rop *self, Time now)
{
    if (channel_room(&self->to_l2, now) >= MESSAGES_AT_ONCE) return true;
    channel_await(&self->to_l2, now);
    return refuse(&self->refused_output);
}

static Transaction *new_request(Rop *self, TransactionType type, uint64_t local, uint16_t sectors)
{
    Transaction *request = unit_new(&self->unit, MESSAGE_TRANSACTION);
    const uint32_t line_bytes = self->line->line_bytes;
    request->type = (uint8_t)type;
    request->local = local / line_bytes * line_bytes;
    request->line = address_map_global(self->address_map, self->unit.number, request->local);
    request->virtual_line = request->line;
    request->sectors = sectors;
    request->partial = 0;
    request->source = request->slice = request->home = (uint16_t)self->unit.number;
    request->requested_bytes = 0;
    request->message.entry = 0;
    request->space = SPACE_GLOBAL;
    request->hint = CACHE_L2_ONLY;
    request->served_by = SERVED_L2;
    request->for_rop = true;
    return request;
}

/* --- compression ------------------------------------------------------------------------------ */

/* What a tile is like never changes: a hash of its number decides. */
static TileKind kind_of(const Rop *self, const Transaction *transaction)
{
    const TileMix *mix = &transaction->operands->tiles;
    if (!self->compression || !(mix->constant | mix->quarter | mix->half)) return TILE_RAW;
    const uint32_t percent = (uint32_t)(mix_bits(transaction->line / self->line->line_bytes) % 100);
    if (percent < mix->constant) return TILE_CONSTANT;
    if (percent < (uint32_t)mix->constant + mix->quarter) return TILE_QUARTER;
    if (percent < (uint32_t)mix->constant + mix->quarter + mix->half) return TILE_HALF;
    return TILE_RAW;
}

static bool is_surface(const Rop *self, const Transaction *transaction)
{
    const TileMix *mix = &transaction->operands->tiles;
    return self->compression && (mix->constant | mix->quarter | mix->half);
}

/* The sectors that hold what a compressed tile holds; `sectors` of one that is not. */
static uint16_t stored_sectors(const Rop *self, TileKind kind, uint16_t sectors)
{
    const uint32_t count = self->line->line_bytes / self->line->sector_bytes;
    switch (kind) {
    case TILE_RAW: return sectors;
    case TILE_HALF: return (uint16_t)((1u << ((count + 1) / 2)) - 1);
    case TILE_QUARTER: return (uint16_t)((1u << ((count + 3) / 4)) - 1);
    case TILE_CONSTANT: return 0;
    }
    g_assert_not_reached();
}

static void note_saving(Rop *self, uint64_t *saved, uint16_t plain, uint16_t stored)
{
    const uint32_t before = rop_bytes(self, plain), after = rop_bytes(self, stored);
    if (after <= before)
        *saved += before - after;
    else
        self->bytes_extra += after - before;
}

/* A metadata sector says how `metadata_tiles` neighbouring tiles are stored. */
static bool metadata_hits(Rop *self, uint64_t line)
{
    const uint32_t place = tag_array_find(&self->metadata, line / self->metadata_tiles);
    if (place == TAG_NONE) {
        self->metadata_misses++;
        return false;
    }
    tag_array_touch(&self->metadata, place);
    self->metadata_hits++;
    return true;
}

static void keep_metadata(Rop *self, uint64_t line)
{
    const uint64_t sector = line / self->metadata_tiles;
    if (tag_array_find(&self->metadata, sector) != TAG_NONE) return;
    tag_array_replace(&self->metadata, tag_array_victim(&self->metadata, sector), sector);
}

/* --- messages to the slice -------------------------------------------------------------------- */

static void send(Rop *self, Transaction *request, Time now)
{
    transaction_enter(request, STAGE_ROP, now);
    channel_send(&self->to_l2, &request->message, now);
}

static void fetch(Rop *self, uint64_t line, uint16_t sectors, uint32_t entry, Time now)
{
    Transaction *request =
        new_request(self, TRANSACTION_READ, line * self->line->line_bytes, sectors);
    request->message.entry = entry;
    self->fetches++;
    self->bytes_fetched += rop_bytes(self, sectors);
    send(self, request, now);
}

static void fetch_metadata(Rop *self, uint64_t line, uint32_t entry, Time now)
{
    const uint32_t sector_bytes = self->line->sector_bytes;
    const uint64_t local =
        self->metadata_base + line / self->metadata_tiles * (uint64_t)sector_bytes;
    const uint16_t sector = (uint16_t)(1u << local % self->line->line_bytes / sector_bytes);
    Transaction *request = new_request(self, TRANSACTION_READ, local, sector);
    request->message.entry = entry | METADATA;
    self->bytes_fetched += sector_bytes;
    send(self, request, now);
}

/* To the slice a write without sectors only says that the ROP no longer has the line. */
static void write_back(Rop *self, uint64_t line, uint16_t sectors, Time now)
{
    *(sectors ? &self->write_backs : &self->releases) += 1;
    self->bytes_written_back += rop_bytes(self, sectors);
    send(self, new_request(self, TRANSACTION_WRITE, line * self->line->line_bytes, sectors), now);
}

static void give_back(Rop *self, uint32_t place, Time now)
{
    TagLine *line = &self->tags.lines[place];
    if (!line->used || !line->valid) return;
    const TileKind kind = (TileKind)self->tile[place];
    uint16_t stored = line->dirty;
    if (stored && kind != TILE_RAW) {
        stored = stored_sectors(self, kind, stored);
        note_saving(self, &self->bytes_saved_write_backs, line->dirty, stored);
    }
    write_back(self, line->line, stored, now);
    line->valid = line->dirty = 0;
}

/* --- misses ----------------------------------------------------------------------------------- */

/* A place for the line, its victim given back; TAG_NONE: not now. */
static uint32_t allocate(Rop *self, const Transaction *transaction, Time now)
{
    const uint64_t line = rop_line_number(self, transaction);
    const uint32_t victim = tag_array_victim(&self->tags, line);
    const uint32_t words = self->line->line_bytes / WORD_BYTES;
    if (victim == TAG_NONE) {
        level_refuse(&self->set_room, now);
        self->refused_set++;
        return TAG_NONE;
    }
    give_back(self, victim, now);
    const TagLine *old = &self->tags.lines[victim];
    self->brought++;
    self->brought_back += evicted_tags_replace(&self->evicted, line, old->used, old->line);
    tag_array_replace(&self->tags, victim, line);
    self->tile[victim] = (uint8_t)kind_of(self, transaction);
    memset(&self->word_free_at[(uint64_t)victim * words], 0, words * sizeof *self->word_free_at);
    return victim;
}

static void wait_for(Rop *self, Transaction *transaction, uint32_t entry, Time now)
{
    PendingRequest *pending = &self->table.entries[entry];
    level_enter(&self->pending, now);
    transaction_join(transaction, &pending->first, &pending->last, now);
}

/* The tile's own sectors, once it is known how it is stored. */
static void fetch_tile(Rop *self, uint32_t entry, uint16_t lacking, Time now)
{
    PendingRequest *pending = &self->table.entries[entry];
    const TileKind kind = rop_has_cache(self) ? (TileKind)self->tile[pending->place] : TILE_RAW;
    const uint16_t stored = stored_sectors(self, kind, lacking);
    if (kind != TILE_RAW) {
        self->compressed_fetches++;
        note_saving(self, &self->bytes_saved_fetches, lacking, stored);
    }
    fetch(self, pending->line, stored, entry, now);
}

static bool begin_miss(Rop *self, Transaction *transaction, uint32_t place, uint16_t lacking,
                       Time now)
{
    const uint64_t line = rop_line_number(self, transaction);
    if (self->table.used == self->table.capacity) return refuse(&self->refused_pending);
    if (!output_ready(self, now)) return false;
    if (rop_has_cache(self) && place == TAG_NONE) {
        place = allocate(self, transaction, now);
        if (place == TAG_NONE) return false;
    }
    self->misses++;
    const TileKind kind = place == TAG_NONE ? TILE_RAW : (TileKind)self->tile[place];
    const bool known = !is_surface(self, transaction) || metadata_hits(self, line);
    if (kind == TILE_CONSTANT && known) { /* nothing to fetch */
        self->compressed_fetches++;
        note_saving(self, &self->bytes_saved_fetches, lacking, 0);
        self->tags.lines[place].valid = all_sectors(self);
        rop_operate(self, transaction, place, PRT_NONE, now);
        return true;
    }
    const uint32_t entry = pending_request_table_allocate(
        &self->table, line, kind == TILE_RAW ? lacking : all_sectors(self));
    self->table.entries[entry].place = place;
    self->fetched_since[entry] = now;
    level_enter(&self->fetching, now);
    if (place != TAG_NONE) rop_hold(self, place, now);
    wait_for(self, transaction, entry, now);
    if (known)
        fetch_tile(self, entry, lacking, now);
    else
        fetch_metadata(self, line, entry, now);
    return true;
}

static bool join_miss(Rop *self, Transaction *transaction, uint32_t entry, Time now)
{
    if (self->table.entries[entry].merged >= self->pending_merges) {
        level_refuse(&self->merge_room, now);
        return refuse(&self->refused_merge);
    }
    self->table.entries[entry].merged++;
    self->table.entries[entry].joined += now;
    self->merged++;
    level_enter(&self->merge_room, now);
    wait_for(self, transaction, entry, now);
    return true;
}

static bool take_atomic(Rop *self, Transaction *transaction, Time now)
{
    const uint64_t line = rop_line_number(self, transaction);
    const uint32_t place = rop_has_cache(self) ? tag_array_find(&self->tags, line) : TAG_NONE;
    const uint16_t valid = place == TAG_NONE ? 0 : self->tags.lines[place].valid;
    const uint16_t lacking = transaction->sectors & (uint16_t)~valid;
    if (rop_pipeline_full(self)) return refuse(&self->refused_pipeline);
    if (!lacking) {
        self->hits++;
        tag_array_touch(&self->tags, place);
        transaction->served_by = SERVED_L2;
        rop_operate(self, transaction, place, PRT_NONE, now);
        return true;
    }
    /* without a cache, whoever wants the line waits for all who wanted it before */
    const uint32_t entry =
        pending_request_table_find(&self->table, line, rop_has_cache(self) ? lacking : 0);
    return entry == PRT_NONE ? begin_miss(self, transaction, place, lacking, now)
                             : join_miss(self, transaction, entry, now);
}

/* The slice asks for a line that nobody here uses; it may have been given back already. */
static bool answer_recall(Rop *self, Transaction *recall, Time now)
{
    const uint32_t place =
        rop_has_cache(self) ? tag_array_find(&self->tags, rop_line_number(self, recall)) : TAG_NONE;
    if (!output_ready(self, now)) return false;
    self->recalls++;
    if (place != TAG_NONE && self->tags.lines[place].fetching)
        unit_fail(&self->unit, "asked to give back a line that is in use");
    else if (place != TAG_NONE)
        give_back(self, place, now);
    unit_free_message(&self->unit, &recall->message);
    return true;
}

bool rop_handle(Rop *self, Transaction *transaction, Time now)
{
    const Time came = transaction->entered;
    const bool recall = transaction->for_rop;
    if (recall ? !answer_recall(self, transaction, now) : !take_atomic(self, transaction, now))
        return false;
    self->requests += !recall;
    level_leave(&self->queue, now, came);
    return true;
}

/* --- data from the slice ---------------------------------------------------------------------- */

static void serve(Rop *self, uint32_t entry, const Transaction *data, Time now)
{
    PendingRequest *pending = &self->table.entries[entry];
    Transaction *waiting = pending->first;
    pending->first = waiting->merged;
    waiting->merged = NULL;
    level_leave(&self->pending, now, waiting->entered);
    transaction_inherit(waiting, data, waiting->entered);
    transaction_enter(waiting, STAGE_ROP, now);
    waiting->served_by = data->served_by;
    rop_operate(self, waiting, pending->place, entry, now);
}

static void release(Rop *self, uint32_t entry, Time now)
{
    const PendingRequest *pending = &self->table.entries[entry];
    level_leave(&self->fetching, now, self->fetched_since[entry]);
    level_relent(&self->merge_room, now);
    level_leave_together(&self->merge_room, now, pending->merged, pending->joined);
    pending_request_table_release(&self->table, entry);
}

/* False: the pipeline has no room for all who wait. */
static bool fill(Rop *self, const Transaction *data, uint32_t entry, Time now)
{
    PendingRequest *pending = &self->table.entries[entry];
    const bool cached = rop_has_cache(self);
    if (cached) self->tags.lines[pending->place].valid |= pending->sectors;
    while (pending->first) {
        if (rop_pipeline_full(self)) return refuse(&self->refused_pipeline);
        serve(self, entry, data, now);
        if (!cached) return true;
    }
    rop_let_go(self, pending->place, now);
    release(self, entry, now);
    return true;
}

/* False: not now. */
static bool take_metadata(Rop *self, const Transaction *data, uint32_t entry, Time now)
{
    const PendingRequest *pending = &self->table.entries[entry];
    const Transaction *first = pending->first;
    if (self->tile[pending->place] != TILE_CONSTANT) {
        if (!output_ready(self, now)) return false;
        fetch_tile(self, entry, first->sectors, now);
        return true;
    }
    const uint16_t wanted = first ? first->sectors : 0;
    if (!fill(self, data, entry, now)) return false;
    self->compressed_fetches++;
    note_saving(self, &self->bytes_saved_fetches, wanted, 0);
    return true;
}

void rop_take_data(Rop *self, Time now)
{
    for (Transaction *data; (data = (Transaction *)port_peek(&self->data_from_l2));) {
        const uint32_t entry = data->message.entry & ~METADATA;
        const uint64_t line = self->table.entries[entry].line;
        const bool metadata = data->message.entry & METADATA;
        if (metadata ? !take_metadata(self, data, entry, now) : !fill(self, data, entry, now))
            return;
        if (metadata) keep_metadata(self, line);
        histogram_add(&self->fetch_latency_seen, now - transaction_began(data));
        port_take(&self->data_from_l2, now);
        unit_free_message(&self->unit, &data->message);
    }
}

/* --- results ---------------------------------------------------------------------------------- */

/* Without a cache every operation reads its sectors from the slice and writes them back: that is
 * how long the next one of the line waits for its turn. */
static void end_round_trip(Rop *self, const Operating *done, Time now)
{
    PendingRequest *pending = &self->table.entries[done->entry];
    const Transaction *next = pending->first;
    if (!next) {
        release(self, done->entry, now);
        return;
    }
    rop_book_words(self, self->fetched_since[done->entry], now);
    fetch(self, pending->line, next->sectors, done->entry, now);
}

void rop_complete(Rop *self, Time now)
{
    while (self->pipeline_count && self->pipeline[self->pipeline_first].done <= now) {
        if (!output_ready(self, now)) return;
        const Operating done = self->pipeline[self->pipeline_first];
        Transaction *transaction = done.transaction;
        const bool cached = rop_has_cache(self);
        self->pipeline_first = (self->pipeline_first + 1) % (uint32_t)self->pipeline_entries;
        self->pipeline_count--;
        level_leave(&self->operating, now, done.began);
        if (cached)
            rop_let_go(self, done.place, now);
        else if (transaction->operands->operation != ATOMIC_READ)
            write_back(self, rop_line_number(self, transaction), transaction->sectors, now);
        transaction->kept_by_rop = cached;
        channel_send(&self->to_l2, &transaction->message, now);
        if (!cached) end_round_trip(self, &done, now);
    }
}
