/* The L2 slice: reading the data array and replying to SMs. */
#include "kit/gpu/access_report.h"
#include "units/l2_slice/private.h"

bool l2_slice_await_reply(L2Slice *self, Time now)
{
    self->refused_reply++;
    channel_await(&self->to_reply_network, now);
    return false;
}

bool l2_slice_reserve_reply(L2Slice *self, Transaction *transaction, Time now)
{
    if (self->completion != COMPLETION_IN_ORDER)
        return transaction->for_walker || l2_slice_reply_ready(self, now);
    if (reorder_buffer_is_full(&self->order)) {
        self->refused_order++;
        return false;
    }
    state_of(transaction)->reply_slot = reorder_buffer_add(&self->order, transaction, now);
    return true;
}

void l2_slice_retract_reply(L2Slice *self)
{
    if (self->completion == COMPLETION_IN_ORDER) reorder_buffer_retract(&self->order);
}

static void count_bytes(L2Slice *self, const Transaction *transaction)
{
    const uint64_t bytes = slice_cache_bytes(&self->cache, transaction->sectors);
    self->bytes_read += bytes;
    if (l2_slice_class_of(transaction) == CLASS_TEXTURE) self->bytes_texture_read += bytes;
}

static bool crosses(const L2Slice *self, const Transaction *transaction)
{
    if (!self->twins) return false;
    const uint8_t crossing = state_of(transaction)->crossing;
    return crossing != CROSSING_NONE && crossing != CROSSING_FORWARD;
}

/* When the reply's data leaves the array. */
static Time read_array(L2Slice *self, const Transaction *transaction, Time ready, bool forwarded)
{
    if (!crosses(self, transaction) && !transaction->for_rop && !transaction->for_walker)
        count_bytes(self, transaction);
    if (forwarded) return ready;
    return l2_slice_read_port(self, ready, transaction->sectors);
}

void l2_slice_send_reply(L2Slice *self, Transaction *transaction, Time ready)
{
    self->replies++;
    if (transaction->for_walker) {
        channel_send(&self->to_mmu, &transaction->message, ready);
        return;
    }
    transaction_enter(transaction, STAGE_REPLY_WIRE, ready);
    channel_send(&self->to_reply_network, &transaction->message, ready);
}

void l2_slice_release_replies(L2Slice *self, Time now)
{
    for (const ReorderSlot *head; (head = reorder_buffer_head(&self->order));) {
        if (!l2_slice_reply_ready(self, now)) return;
        Transaction *transaction = head->item;
        const Time turn = MAX(self->last_turn, now);
        if (head->ready < turn) transaction_enter(transaction, STAGE_L2_ORDER, head->ready);
        self->last_turn = MAX(head->ready, turn);
        level_leave(&self->reply_queue, now, head->came);
        l2_slice_send_reply(self, transaction, self->last_turn);
        reorder_buffer_pop(&self->order);
    }
}

void l2_slice_reply(L2Slice *self, Transaction *transaction, Time ready, bool forwarded)
{
    if (transaction->type != TRANSACTION_WRITE)
        ready = read_array(self, transaction, ready, forwarded);
    if (transaction->for_rop) {
        l2_slice_answer_rop(self, transaction, ready);
        return;
    }
    l2_slice_complete(self, transaction, ready);
}

static void report_write(L2Slice *self, const Transaction *write)
{
    const AccessPlace place = {slice_cache_address(&self->cache, write->local),
                               self->unit.inbox.now};
    AccessReport *report = access_report_of_write(&self->unit.messages, write, &place);
    channel_send(&self->to_monitor, &report->message, place.at);
}

void l2_slice_complete(L2Slice *self, Transaction *transaction, Time ready)
{
    if (transaction->type != TRANSACTION_READ && channel_connected(&self->to_monitor))
        report_write(self, transaction);
    if (self->completion == COMPLETION_IN_ORDER)
        reorder_buffer_complete(&self->order, state_of(transaction)->reply_slot, ready);
    else if (!l2_slice_reply_crosses(self, transaction, ready))
        l2_slice_send_reply(self, transaction, ready);
}
