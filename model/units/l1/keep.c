/* What L1 keeps of global stores: which bytes of its lines were written, and how L2 gets them. */
#include "kit/gpu/access_report.h"
#include "parts/cache/byte_mask.h"
#include "units/l1/private.h"

#include <string.h>

static uint64_t *bytes_of(const L1 *self, uint32_t place)
{
    return &self->bytes[(uint64_t)place * self->words];
}

void l1_forget_bytes(L1 *self, uint32_t place)
{
    memset(bytes_of(self, place), 0, self->words * sizeof *self->bytes);
}

static bool any_bytes(const L1 *self, uint32_t place)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < self->words; i++) any |= bytes_of(self, place)[i];
    return any != 0;
}

/* Written global data that L2 lacks. Of local memory no bytes are noted. */
static bool is_kept(const L1 *self, uint32_t place)
{
    const TagLine *line = &self->tags.lines[place];
    return line->used && line->dirty && any_bytes(self, place);
}

static void tell_of_kept(L1 *self, Time now)
{
    StoreNotice *notice = write_back_notice_new(&self->unit.messages, 0, LINES_KEPT);
    channel_send(&self->to_sm_notices, &notice->message, now);
}

/* What was never read is as old as the store. */
static void note_versions(L1 *self, uint32_t place, uint16_t sectors, Time now)
{
    for (uint32_t left = self->read_at ? sectors : 0; left; left &= left - 1)
        self->read_at[(uint64_t)place * SECTORS_MAX + (uint32_t)__builtin_ctz(left)] = now;
}

static void report_kept(L1 *self, const Transaction *store, Time now)
{
    const AccessPlace there = {frames_physical(self->pages, store->virtual_line), now};
    AccessReport *report = access_report_of_kept(
        &self->unit.messages, &(AccessedSectors){there, store->source, store->sectors});
    line_fit_report(self->fit, report);
    channel_send(&self->to_monitor, &report->message, now);
}

void l1_keep_bytes(L1 *self, const Transaction *store, uint32_t place, Time now)
{
    TagLine *line = &self->tags.lines[place];
    uint64_t *bytes = bytes_of(self, place);
    const uint16_t fresh = store->sectors & (uint16_t)~line->valid;
    note_versions(self, place, fresh, now);
    byte_mask_add_sectors(bytes, store->sectors & ~(uint32_t)store->partial,
                          self->line->sector_bytes);
    for (uint32_t i = 0; store->partial && i < self->words; i++) bytes[i] |= store->written[i];
    line->valid |= byte_mask_whole(bytes, fresh, self->line->sector_bytes);
    if (self->global_write == GLOBAL_THROUGH) return;
    if (self->read_at) report_kept(self, store, now);
    if (!line->dirty && !self->kept++) tell_of_kept(self, now);
    line->dirty |= store->sectors;
}

bool l1_take_bytes(L1 *self, Transaction *write_back, uint32_t place)
{
    if (!any_bytes(self, place)) return false;
    const uint64_t *bytes = bytes_of(self, place);
    const uint16_t sectors = write_back->sectors;
    write_back->space = SPACE_GLOBAL;
    write_back->partial =
        sectors & (uint16_t)~byte_mask_whole(bytes, sectors, self->line->sector_bytes);
    memset(write_back->written, 0, sizeof write_back->written);
    memcpy(write_back->written, bytes, self->words * sizeof *bytes);
    l1_forget_bytes(self, place);
    self->tags.lines[place].dirty = 0;
    self->kept--;
    return true;
}

uint16_t l1_lacks(const L1 *self, const WarpAccess *access, const AccessLine *line, uint32_t place,
                  uint16_t lacking)
{
    const Instruction *instruction = &access->instruction;
    if (place == TAG_NONE || instruction_samples(instruction) || instruction->space != SPACE_GLOBAL)
        return lacking;
    uint64_t missing[LINE_WORDS];
    uint16_t still = 0;
    warp_access_bytes(access, line->line, self->line->line_bytes, missing);
    for (uint32_t i = 0; i < self->words; i++) missing[i] &= ~bytes_of(self, place)[i];
    for (uint32_t left = lacking; left; left &= left - 1) {
        const uint32_t sector = (uint32_t)__builtin_ctz(left), bytes = self->line->sector_bytes;
        if (byte_mask_any(missing, sector * bytes, bytes)) still |= (uint16_t)(1u << sector);
    }
    return still;
}

/* False: nothing of the line is kept. */
static bool flush(L1 *self, uint32_t launch, uint64_t line, Time now)
{
    const uint32_t place = tag_array_find(&self->tags, line_number(self, line));
    if (place == TAG_NONE || !is_kept(self, place)) return false;
    if (l1_write_room(self)) {
        self->flushed++;
        l1_write_back(self, launch, place, now);
    }
    return true;
}

bool l1_flush_first(L1 *self, WarpAccess *access, uint64_t line, Time now)
{
    if (!flush(self, access->launch, line, now)) return false;
    l1_refuse_room(self, access, now);
    return true;
}

bool l1_holds_back(L1 *self, const Transaction *request, Time now)
{
    const uint64_t line = request->virtual_line;
    if (!self->bytes) return false;
    const bool kept = flush(self, request->access->launch, line, now);
    if (kept) self->buffer_refused = true;
    return kept || l1_is_in_write_buffer(self, line);
}

/* --- what the SM orders ----------------------------------------------------------------------- */

static uint32_t places(const L1 *self)
{
    return (uint32_t)(self->tags.sets * self->tags.ways);
}

G_GNUC_NO_INLINE bool l1_cleans(const L1 *self)
{
    if (!(self->left & ORDER_LEFT)) return false;
    if (!self->order) return true;
    return self->clean_from < places(self) ? l1_write_room(self) : !self->going;
}

/* The next written line from `clean_from` on; where there is none, behind the last. */
static uint32_t find_kept(const L1 *self)
{
    const uint32_t end = places(self);
    uint32_t place = self->kept ? self->clean_from : end;
    while (place < end && !is_kept(self, place)) place++;
    return place;
}

static void answer_order(L1 *self, Time now)
{
    channel_send(&self->to_sm_notices, &self->order->message, now);
    self->order = NULL;
    if (!port_peek(&self->from_sm)) self->left &= (uint8_t)~ORDER_LEFT;
}

/* A line a step, when the write data buffer has room. When L2 has them all, and what was evicted
 * before, the order goes back. */
G_GNUC_NO_INLINE void l1_clean(L1 *self, Time now)
{
    if (!self->order) {
        self->order = (StoreNotice *)port_take(&self->from_sm, now);
        self->clean_from = 0;
    }
    const uint32_t place = self->clean_from = find_kept(self);
    if (place == places(self)) {
        if (!self->going) answer_order(self, now);
    } else if (l1_write_room(self)) {
        self->cleaned++;
        l1_write_back(self, self->order->launch, place, now);
    } else {
        self->buffer_refused = true;
    }
}
