/* The pager: pages that go. The block whose pages came longest ago goes first: the driver knows of
 * no use of a page that is there. */
#include "units/pager/private.h"

static void take_out(Pager *self, const Block *block)
{
    if (block->older != NO_BLOCK)
        pager_block(self, block->older)->newer = block->newer;
    else
        self->oldest = block->newer;
    if (block->newer != NO_BLOCK)
        pager_block(self, block->newer)->older = block->older;
    else
        self->newest = block->older;
}

void pager_note_newest(Pager *self, uint32_t place)
{
    Block *block = pager_block(self, place);
    const bool listed =
        block->older != NO_BLOCK || block->newer != NO_BLOCK || self->oldest == place;
    if (listed) take_out(self, block);
    block->older = self->newest;
    block->newer = NO_BLOCK;
    if (self->newest != NO_BLOCK)
        pager_block(self, self->newest)->newer = place;
    else
        self->oldest = place;
    self->newest = place;
}

static void evict(Pager *self, Block *block, Time now)
{
    take_out(self, block);
    block->older = block->newer = NO_BLOCK;
    block->leaving = block->here;
    block->here = block->written = 0;
    block->unused &= ~block->leaving;
    block->answers = self->to_l2.count;
    self->leaving_pages += pager_count(block->leaving);
    self->evictions++;
    pager_tell(self, PAGES_LEAVE, block, block->leaving, 0, now);
}

/* Pages that cross the link next need more frames than there will be. */
static bool next_lacks_frames(const Pager *self)
{
    if (self->first_move == self->end_move || self->in_done != TIME_NEVER) return false;
    const Move *next = &self->move[self->first_move % self->room];
    return self->free_frames + self->leaving_pages < pager_count(next->pages);
}

/* One whose pages neither come nor go; if that is not enough for the next move, any other block. */
static Block *find_victim(Pager *self)
{
    for (uint32_t at = self->oldest; at != NO_BLOCK; at = pager_block(self, at)->newer) {
        Block *block = pager_block(self, at);
        if (!block->coming && !block->leaving) return block;
    }
    if (!next_lacks_frames(self)) return NULL;
    const uint32_t next = self->move[self->first_move % self->room].block;
    for (uint32_t at = self->oldest; at != NO_BLOCK; at = pager_block(self, at)->newer) {
        Block *block = pager_block(self, at);
        if (at != next && !block->leaving) return block;
    }
    return NULL;
}

void pager_make_room(Pager *self, Time now)
{
    while (self->free_frames + self->leaving_pages < self->waiting_pages) {
        Block *victim = find_victim(self);
        if (!victim) return;
        evict(self, victim, now);
    }
}

static void give_frames(Pager *self, Block *block, uint64_t pages, Time now)
{
    const uint64_t count = pager_count(pages);
    Time came = 0;
    for (uint64_t rest = pages; rest; rest &= rest - 1) came += block->came[__builtin_ctzll(rest)];
    block->leaving &= ~pages;
    self->leaving_pages -= count;
    self->free_frames += count;
    level_leave_together(&self->frames, now, count, came);
}

/* What was not written needs no way back. */
void pager_take_left(Pager *self, uint32_t place, uint64_t written, Time now)
{
    Block *block = pager_block(self, place);
    block->written |= written;
    if (--block->answers) return;
    const uint64_t kept =
        self->write_back == WRITE_BACK_ALL ? block->leaving : block->leaving & block->written;
    self->pages_dropped += pager_count(block->leaving & ~kept);
    give_frames(self, block, block->leaving & ~kept, now);
    if (!kept) return;
    block->next_out = NO_BLOCK;
    if (self->first_out == NO_BLOCK)
        self->first_out = place;
    else
        pager_block(self, self->last_out)->next_out = place;
    self->last_out = place;
}

void pager_start_write(Pager *self, Time now)
{
    if (self->out_done != TIME_NEVER || self->first_out == NO_BLOCK) return;
    const uint64_t count = pager_count(pager_block(self, self->first_out)->leaving);
    self->moves_out++;
    self->pages_out += count;
    self->bytes_out += count * self->shape->page_bytes;
    self->out_done = pager_cross(self, &self->link_out, count, now);
}

void pager_end_write(Pager *self, Time now)
{
    if (self->out_done > now) return;
    Block *block = pager_block(self, self->first_out);
    self->first_out = block->next_out;
    give_frames(self, block, block->leaving, now);
    self->out_done = TIME_NEVER;
}
