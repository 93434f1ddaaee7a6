/* The pager: pages that come. */
#include "units/pager/private.h"

void pager_want(Pager *self, const Fault *fault, uint64_t from)
{
    Block *block = pager_block(self, fault->block);
    if (block->move <= from) {
        self->move[self->end_move++ % self->room] =
            (Move){.block = fault->block, .came = fault->came};
        block->move = self->end_move;
    }
    self->move[(block->move - 1) % self->room].pages |= fault->pages;
    self->waiting_pages += pager_count(fault->pages);
}

/* The block's pages that arrays lie in; all, where nobody knows of arrays. */
static uint64_t find_used_pages(const Pager *self, const Block *block)
{
    const GArray *arrays = self->launches->arrays;
    const uint64_t first = block->number << self->shape->block_shift;
    uint64_t used = arrays->len ? 0 : paging_all(self->shape);
    for (guint i = 0; i < arrays->len; i++) {
        const MemoryArray *array = &g_array_index(arrays, MemoryArray, i);
        const uint64_t end = MIN(array->address + array->bytes, first + self->shape->block_bytes);
        for (uint64_t at = MAX(array->address, first); at < end;
             at = (at & -self->shape->page_bytes) + self->shape->page_bytes)
            used |= paging_page(self->shape, at);
    }
    return used;
}

/* Of what is on its way out nothing is brought back unasked. */
void pager_prefetch(Pager *self, Move *move)
{
    Block *block = pager_block(self, move->block);
    const uint64_t present = block->coming | block->here;
    uint64_t found = 0;
    switch ((Prefetch)self->prefetch) {
    case PREFETCH_NONE: return;
    case PREFETCH_TREE:
        for (uint64_t rest = move->pages; rest; rest &= rest - 1)
            found |= paging_neighbours(self->shape, present, rest & -rest);
        break;
    case PREFETCH_BLOCK: found = paging_all(self->shape); break;
    }
    move->unasked = found & find_used_pages(self, block) & ~present & ~block->leaving;
    move->pages |= move->unasked;
    block->coming |= move->unasked;
    self->prefetched += pager_count(move->unasked);
    self->waiting_pages += pager_count(move->unasked);
}

/* A page that is still being written back comes after that. */
void pager_start_move(Pager *self, Time now)
{
    if (self->in_done != TIME_NEVER || self->first_move == self->end_move) return;
    const Move *move = &self->move[self->first_move % self->room];
    const uint64_t count = pager_count(move->pages);
    Block *block = pager_block(self, move->block);
    if (block->leaving & move->pages || count > self->free_frames) return;
    for (uint64_t rest = move->pages; rest; rest &= rest - 1) {
        block->came[__builtin_ctzll(rest)] = now;
        level_enter(&self->frames, now);
    }
    self->free_frames -= count;
    self->waiting_pages -= count;
    self->moves_in++;
    self->pages_in += count;
    self->bytes_in += count * self->shape->page_bytes;
    self->in_done = pager_cross(self, &self->link_in, count, now);
}

void pager_end_move(Pager *self, Time now)
{
    if (self->in_done > now) return;
    const Move *move = &self->move[self->first_move++ % self->room];
    Block *block = pager_block(self, move->block);
    block->coming &= ~move->pages;
    block->here |= move->pages;
    block->unused |= move->unasked;
    histogram_add(&self->latency_seen, now - move->came);
    pager_note_newest(self, move->block);
    pager_tell(self, PAGES_COME, block, move->pages, move->unasked, now);
    self->in_done = TIME_NEVER;
}
