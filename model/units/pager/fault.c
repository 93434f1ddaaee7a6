/* The pager: faults, and the driver that handles them. */
#include "units/pager/private.h"

static uint32_t find_block(Pager *self, uint64_t number)
{
    const uint32_t known = word_table_read(&self->place, number);
    if (known) return known - 1;
    const Block block = {.number = number, .older = NO_BLOCK, .newer = NO_BLOCK};
    g_array_append_val(self->blocks, block);
    word_table_write(&self->place, number, self->blocks->len);
    return self->blocks->len - 1;
}

/* Both rings, twice as large. A move has at least one of the faults that made it. */
static void double_rings(Pager *self)
{
    const uint64_t room = 2 * self->room;
    Fault *fault = g_new(Fault, room);
    Move *move = g_new(Move, room);
    for (uint64_t i = self->first_fault; i < self->first_fault + self->fault_count; i++)
        fault[i % room] = self->fault[i % self->room];
    for (uint64_t i = self->first_move; i < self->end_move; i++)
        move[i % room] = self->move[i % self->room];
    g_free(self->fault);
    g_free(self->move);
    self->fault = fault;
    self->move = move;
    self->room = room;
}

/* What another slice has asked for comes to all. A fault that was sent before the page came can
 * arrive after it has gone again; the page comes once more, as nobody can tell the two apart. */
static void take_fault(Pager *self, uint32_t place, uint64_t wanted, Time now)
{
    Block *block = pager_block(self, place);
    const uint64_t pages = wanted & ~(block->coming | block->here);
    self->faults++;
    self->merged += !pages;
    if (!pages) return;
    block->coming |= pages;
    if (self->fault_count + self->end_move - self->first_move == self->room) double_rings(self);
    self->fault[(self->first_fault + self->fault_count++) % self->room] =
        (Fault){.block = place, .pages = pages, .came = now};
    level_enter(&self->faults_waiting, now);
}

static void take_use(Pager *self, uint32_t place, uint64_t page)
{
    Block *block = pager_block(self, place);
    self->prefetched_used += pager_count(block->unused & page);
    block->unused &= ~page;
}

void pager_take(Pager *self, PageNotice *notice, Time now)
{
    const uint32_t place = find_block(self, notice->block);
    switch ((PageNews)notice->news) {
    case PAGES_ABSENT: take_fault(self, place, notice->pages, now); break;
    case PAGES_USED: take_use(self, place, notice->pages); break;
    case PAGES_LEFT: pager_take_left(self, place, notice->marked, now); break;
    case PAGES_COME:
    case PAGES_LEAVE: break;
    }
    unit_free_message(&self->unit, &notice->message);
}

/* --- the handler ------------------------------------------------------------------------------ */

/* Handled in no time, it is done in the next cycle. */
void pager_start_batch(Pager *self, Time now)
{
    if (self->batch || !self->fault_count) return;
    self->batch = MIN(self->fault_count, self->batch_faults);
    self->batch_done = clock_ceil(self->unit.clock, now + MAX(self->fault_latency, 1));
    self->batches++;
    server_book(&self->handler, now, self->batch_done - now);
}

/* Pages of one block that one batch asks for come together. */
void pager_end_batch(Pager *self, Time now)
{
    if (self->batch_done > now) return;
    const uint64_t from = self->end_move;
    for (; self->batch; self->batch--) {
        const Fault *fault = &self->fault[self->first_fault % self->room];
        level_leave(&self->faults_waiting, now, fault->came);
        pager_want(self, fault, from);
        self->first_fault++;
        self->fault_count--;
    }
    self->batch_done = TIME_NEVER;
    for (uint64_t i = from; i < self->end_move; i++)
        pager_prefetch(self, &self->move[i % self->room]);
}
