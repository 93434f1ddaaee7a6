/* The MMU's page walkers: levels of the page table, one after the other. */
#include "units/mmu/private.h"

static uint64_t address_of(const Mmu *self, const Walker *walker)
{
    return self->table.entries[walker->miss].line << self->tlb.shift;
}

static void end_walk(Mmu *self, Walker *walker, Time now)
{
    MessageList *requests = &self->walked_for[walker->miss];
    const uint64_t address = address_of(self, walker);
    tlb_fill(&self->tlb, address);
    page_walk_cache_fill(&self->walk_cache, address);
    while (requests->first) {
        Translation *request = (Translation *)message_list_take(requests);
        mmu_answer(self, request, MAX(now, request->entered));
    }
    pending_request_table_release(&self->table, walker->miss);
    level_leave(&self->miss_room, now, walker->missed);
    walker->miss = PRT_NONE;
    level_leave(&self->walkers_busy, now, walker->began);
    self->refused = false;
}

static bool switches_window(Mmu *self, uint64_t address)
{
    if (!self->active_window) return false;
    const uint64_t window = address / self->active_window;
    const bool switches = self->window != window && self->window != UINT64_MAX;
    self->window = window;
    return switches;
}

/* Until the walk is done or, where levels are read from L2, the first read leaves. */
static uint64_t walk_cycles(Mmu *self, Walker *walker)
{
    const uint64_t address = address_of(self, walker);
    const uint32_t levels = page_walk_cache_look_up(&self->walk_cache, address);
    walker->unread = self->walks_read_l2 ? levels : 0;
    if (!levels) {
        self->walk_cache_hits++;
        return self->walk_hit_latency;
    }
    self->levels_read += levels;
    const bool switches = switches_window(self, address);
    self->window_switches += switches;
    return (walker->unread ? 1 : levels) * self->walk_level_latency
           + (switches ? self->window_switch_latency : 0);
}

/* When the L2 TLB knew that it is a miss. */
static Time miss_known(const Mmu *self, uint32_t index)
{
    return ((const Translation *)self->walked_for[index].first)->entered;
}

static void start_walk(Mmu *self, Walker *walker, Time now)
{
    walker->miss = self->waiting[self->waiting_head];
    self->waiting_head = (self->waiting_head + 1) % self->table.capacity;
    self->waiting_count--;
    walker->missed =
        miss_known(self, walker->miss) - clock_cycles(self->unit.clock, self->hit_latency);
    walker->began = now;
    walker->done = now + clock_cycles(self->unit.clock, walk_cycles(self, walker));
    self->walks++;
    level_leave(&self->walks_waiting, now, walker->missed);
    level_enter(&self->walkers_busy, now);
}

/* --- levels that are read from L2 ------------------------------------------------------------- */

/* The highest that has not been read. */
static void read_level(Mmu *self, Walker *walker, Time now)
{
    const PageTablePlace level =
        page_table_place(&self->page_table, walker->unread - 1, address_of(self, walker));
    const AddressPlace place = address_map_place(self->address_map, level.line);
    Transaction *read = unit_new(&self->unit, MESSAGE_TRANSACTION);
    read->type = TRANSACTION_READ;
    read->served_by = SERVED_L2;
    read->space = SPACE_GLOBAL;
    read->for_walker = true;
    read->line = read->virtual_line = level.line;
    read->sectors = level.sectors;
    read->partial = read->source = 0;
    read->slice = read->home = (uint16_t)place.slice;
    read->local = place.local;
    walker->slice = place.slice;
    read->message.entry = (uint32_t)(walker - self->walker);
    read->left = now;
    transaction_enter(read, STAGE_TRANSLATE, now);
    walker->done = TIME_NEVER;
    self->table_reads++;
    channel_send(&self->to_l2.at[place.slice], &read->message, now);
}

static void take_level(Mmu *self, Transaction *reply, Time now)
{
    Walker *walker = &self->walker[reply->message.entry];
    self->table_replies++;
    histogram_add(&self->read_latency_seen, now - reply->left);
    unit_free_message(&self->unit, &reply->message);
    const uint64_t cycles = --walker->unread ? self->walk_level_latency : 0;
    walker->done = now + clock_cycles(self->unit.clock, cycles);
}

void mmu_take_levels(Mmu *self, Port *port, Time now)
{
    Message *reply;
    while ((reply = port_take(port, now))) take_level(self, (Transaction *)reply, now);
}

/* --- walkers ---------------------------------------------------------------------------------- */

void mmu_end_walks(Mmu *self, Time now)
{
    for (uint64_t i = 0; i < self->walkers; i++) {
        Walker *walker = &self->walker[i];
        if (walker->miss == PRT_NONE || walker->done > now) continue;
        if (walker->unread)
            read_level(self, walker, now);
        else
            end_walk(self, walker, now);
    }
}

void mmu_start_walks(Mmu *self, Time now)
{
    Time next = TIME_NEVER;
    for (uint64_t i = 0; i < self->walkers; i++) {
        Walker *walker = &self->walker[i];
        if (walker->miss == PRT_NONE && self->waiting_count) {
            const Time known = miss_known(self, self->waiting[self->waiting_head]);
            if (known <= now)
                start_walk(self, walker, now);
            else
                next = MIN(next, known);
        }
        if (walker->miss != PRT_NONE) next = MIN(next, walker->done);
    }
    if (next != TIME_NEVER) unit_wake_at(&self->unit, next);
}
