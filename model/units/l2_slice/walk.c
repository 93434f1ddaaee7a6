/* The L2 slice: reads of the page table, which walkers of the MMU wait for. They are looked up
 * before requests of the network, as the ROP's are, and their data goes straight back. */
#include "units/l2_slice/private.h"

/* What is refused here must not hold up requests of the network, nor the other way round. */
static bool handle_apart(L2Slice *self, Transaction *read, Time now)
{
    const bool refused = self->refused;
    self->refused = false;
    const bool taken = l2_slice_handle_here(self, read, now);
    self->walk_refused = self->refused;
    self->refused = refused;
    return taken;
}

static bool serve(L2Slice *self, Transaction *read, Time now)
{
    if (self->walk_refused) return false;
    if (self->free_at > now) {
        unit_wake_at(&self->unit, self->free_at);
        return false;
    }
    transaction_enter(read, STAGE_L2_QUEUE, now);
    /* one may give its place to this read; nobody would wake it for that later */
    if (self->order.used) l2_slice_release_replies(self, now);
    if (!handle_apart(self, read, now)) return false;
    l2_slice_look_up_takes(self, now);
    return true;
}

void l2_slice_take_from_mmu(L2Slice *self, Time now)
{
    for (Transaction *head; (head = (Transaction *)port_peek(&self->from_mmu));) {
        if (!serve(self, head, now)) return;
        port_take(&self->from_mmu, now);
    }
}
