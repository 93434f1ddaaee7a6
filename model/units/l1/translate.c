/* L1's way to L2: virtual to physical addresses, and into the request network. */
#include "kit/gpu/translation.h"
#include "units/l1/ports.h"
#include "units/l1/way.h"

/* At `when`, to the slice that has the physical address. */
G_ALWAYS_INLINE static inline void send_to_l2(L1 *self, Transaction *transaction, Time when)
{
    transaction->line = frames_physical(self->pages, transaction->virtual_line);
    const AddressPlace place = address_map_place(self->address_map, transaction->line);
    transaction->home = (uint16_t)place.slice;
    transaction->slice =
        (uint16_t)address_map_entrance(self->address_map, place.slice, self->unit.number);
    transaction->local = place.local;
    line_fit_request(self->fit, transaction);
    transaction_enter(transaction, STAGE_REQUEST_WIRE, when);
    channel_send(&self->to_request_network, &transaction->message, when);
}

static bool is_free(Channel *channel, bool *full, Time now)
{
    if (channel_ready(channel, now)) return true;
    channel_await(channel, now);
    *full = true;
    return false;
}

static void note_room_of(L1 *self, Channel *channel, bool *full, Time now)
{
    if (!*full || !channel_ready(channel, now)) return;
    *full = false;
    l1_note_change(self);
}

G_GNUC_NO_INLINE void l1_note_room(L1 *self, Time now)
{
    note_room_of(self, &self->to_request_network, &self->network_full, now);
    note_room_of(self, &self->to_mmu, &self->mmu_full, now);
}

inline uint64_t *l1_blocked_by_network(L1 *self, Time now)
{
    return is_free(&self->to_request_network, &self->network_full, now) ? NULL
                                                                        : &self->refused_network;
}

G_GNUC_NO_INLINE static uint64_t *blocked_by_translation(L1 *self, uint64_t line, Time now)
{
    switch (translation_queue_state(&self->translations, line)) {
    case TRANSLATION_KNOWN: return l1_blocked_by_network(self, now);
    case TRANSLATION_PENDING: return NULL;
    case TRANSLATION_FULL: return &self->refused_tlb;
    case TRANSLATION_UNKNOWN:
        return is_free(&self->to_mmu, &self->mmu_full, now) ? NULL : &self->refused_mmu;
    }
    g_assert_not_reached();
}

uint64_t *l1_blocked_by(L1 *self, uint64_t line, Time now)
{
    const Tlb *tlb = &self->translations.tlb;
    if (!channel_connected(&self->to_mmu) || tlb_is_newest(tlb, tlb_range(tlb, line)))
        return l1_blocked_by_network(self, now);
    return blocked_by_translation(self, line, now);
}

Refusal l1_stays_blocked_by(const L1 *self, uint64_t line)
{
    const Refusal network = self->network_full ? REFUSED_NETWORK : REFUSED_NOT;
    if (!channel_connected(&self->to_mmu)) return network;
    switch (translation_queue_state(&self->translations, line)) {
    case TRANSLATION_KNOWN: return network;
    case TRANSLATION_PENDING: return REFUSED_NOT;
    case TRANSLATION_FULL: return REFUSED_TLB;
    case TRANSLATION_UNKNOWN: return self->mmu_full ? REFUSED_MMU : REFUSED_NOT;
    }
    g_assert_not_reached();
}

bool l1_contends(const L1 *self, uint64_t line, const uint64_t *claim)
{
    if (!claim) return false;
    const bool translated = channel_connected(&self->to_mmu);
    if (translated && translation_queue_state(&self->translations, line) != TRANSLATION_KNOWN)
        return claim != &self->refused_network;
    return claim == &self->refused_network;
}

/* Tag look-up; the texture unit has had its own. */
static Time tag_time(const L1 *self, const Transaction *transaction)
{
    return transaction->for_texture ? 0 : clock_cycles(self->unit.clock, self->miss_latency);
}

static Time tlb_time(const L1 *self)
{
    return clock_cycles(self->unit.clock, self->tlb_hit_latency);
}

/* From the tags to the network, or to the MMU. */
static Time look_ups(const L1 *self, const Transaction *transaction)
{
    return tag_time(self, transaction) + tlb_time(self);
}

static void ask_mmu(L1 *self, uint64_t address, Time when)
{
    Translation *request = unit_new(&self->unit, MESSAGE_TRANSLATION);
    request->address = translation_queue_page(&self->translations, address);
    request->source = self->unit.number;
    request->requested = when;
    channel_send(&self->to_mmu, &request->message, when);
}

/* It leaves no sooner than its own look-ups allow, however soon the translation comes. */
static void await_translation(L1 *self, Transaction *transaction, Time now)
{
    const uint64_t line = transaction->virtual_line;
    const bool asked = translation_queue_state(&self->translations, line) == TRANSLATION_PENDING;
    translation_queue_wait(&self->translations, line, transaction);
    transaction->entered = now + look_ups(self, transaction);
    transaction_enter(transaction, STAGE_TRANSLATE, now + tag_time(self, transaction));
    level_enter(&self->translating, now);
    self->tlb_merged += asked;
    self->tlb_misses += !asked;
    if (!asked) ask_mmu(self, line, transaction->entered);
}

/* The port's next turn, at `ready` at the earliest. */
static Time take_turn(L1 *self, Time ready, Time now)
{
    const Time turn = MAX(ready, l1_miss_turn(self, self->depart_free));
    self->depart_free = MAX(ready, self->depart_free) + l1_miss_share(self);
    l1_book_miss(self, &self->miss_port, now);
    return turn;
}

Time l1_depart(L1 *self, Transaction *transaction, Time now)
{
    self->requests++;
    self->texture_went = transaction->for_texture;
    const bool translated = channel_connected(&self->to_mmu);
    if (translated && !tlb_look_up(&self->translations.tlb, transaction->virtual_line)) {
        await_translation(self, transaction, now);
        return now + look_ups(self, transaction);
    }
    const Time turn = take_turn(self, now + tag_time(self, transaction), now);
    self->tlb_hits += translated;
    if (translated) transaction_enter(transaction, STAGE_TRANSLATE, turn);
    send_to_l2(self, transaction, turn + (translated ? tlb_time(self) : 0));
    return turn;
}

/* In its turn among those that the TLB did not hold up: they have theirs in front of it. */
static void depart_translated(L1 *self, Transaction *transaction, Time now)
{
    const Time ready = MAX(now, transaction->entered), tlb = tlb_time(self),
               leaves = take_turn(self, ready - tlb, now) + tlb;
    if (leaves > ready) transaction_enter(transaction, STAGE_REQUEST_QUEUE, ready);
    send_to_l2(self, transaction, leaves);
}

static void take_from_mmu(L1 *self, Time now)
{
    Message *message;
    while ((message = port_take(&self->from_mmu, now))) {
        if (!translation_queue_arrive(&self->translations, ((Translation *)message)->address))
            unit_fail(&self->unit, "a translation that nobody asked for");
        unit_free_message(&self->unit, message);
        l1_note_change(self);
        self->translated = self->changes;
    }
}

G_GNUC_NO_INLINE void l1_take_translations(L1 *self, bool come, Time now)
{
    if (!come && l1_blocked_by_network(self, now)) return;
    if (come) take_from_mmu(self, now);
    Transaction *ready;
    self->translated_waits = false;
    while ((ready = translation_queue_ready(&self->translations))) {
        if (l1_blocked_by_network(self, now)) {
            transaction_enter(ready, STAGE_REQUEST_QUEUE, MAX(now, ready->entered));
            self->translated_waits = true;
            return;
        }
        translation_queue_leave(&self->translations);
        level_leave(&self->translating, now, ready->entered - look_ups(self, ready));
        depart_translated(self, ready, now);
        l1_note_change(self);
    }
}
