/* The L2 slice and its ROP: atomics go there and come back as results; its fetches and write-backs
 * are looked up before requests of the network. The slice keeps the order of a line's accesses: it
 * knows which lines the ROP works on or has, and an ordinary access to one waits until the ROP has
 * given it back. */
#include "units/l2_slice/private.h"

/* Of a line: atomics at the ROP x AT_ROP + what is known of it. */
enum { HELD = 1, RECALLED = 2, AT_ROP = 4 };

bool l2_slice_hand_to_rop(L2Slice *self, Transaction *atomic, Time now)
{
    const uint64_t line = l2_slice_line_number(self, atomic);
    if (!channel_ready(&self->to_rop, now)) {
        self->refused_rop++;
        channel_await(&self->to_rop, now);
        return false;
    }
    word_table_write(&self->at_rop, line, word_table_read(&self->at_rop, line) + AT_ROP);
    self->atomics_at_rop++;
    transaction_enter(atomic, STAGE_ROP, now);
    channel_send(&self->to_rop, &atomic->message, now);
    return true;
}

static void recall(L2Slice *self, uint64_t line, Time now)
{
    Transaction *request = l2_slice_new_memory_request(self, TRANSACTION_READ, line, 0);
    request->for_rop = true;
    self->recalls++;
    word_table_write(&self->at_rop, line, HELD | RECALLED);
    channel_send(&self->to_rop, &request->message, now);
}

bool l2_slice_has_line(L2Slice *self, const Transaction *transaction, Time now)
{
    if (!self->at_rop.used) return true;
    const uint64_t line = l2_slice_line_number(self, transaction);
    const uint32_t known = word_table_read(&self->at_rop, line);
    if (!known) return true;
    self->refused_line += self->waits_for_line != transaction->message.id;
    self->waits_for_line = transaction->message.id;
    if (known != HELD) return false; /* something of this line is on its way from the ROP */
    if (channel_ready(&self->to_rop, now))
        recall(self, line, now);
    else
        channel_await(&self->to_rop, now);
    return false;
}

void l2_slice_answer_rop(L2Slice *self, Transaction *request, Time ready)
{
    if (request->type == TRANSACTION_WRITE) {
        unit_free_message(&self->unit, &request->message);
        return;
    }
    transaction_enter(request, STAGE_ROP, ready);
    channel_send(&self->to_rop_data, &request->message, ready);
}

static bool take_result(L2Slice *self, Transaction *atomic, Time now)
{
    const uint64_t line = l2_slice_line_number(self, atomic);
    if (!l2_slice_may_end_store(self, atomic)) return false;
    if (self->completion != COMPLETION_IN_ORDER && !l2_slice_reply_ready(self, now)) return false;
    const uint32_t others = (word_table_read(&self->at_rop, line) - AT_ROP) & ~(uint32_t)HELD;
    word_table_write(&self->at_rop, line, others | (atomic->kept_by_rop ? HELD : 0));
    self->atomics_at_rop--;
    l2_slice_resume(self);
    if (transaction_reply_has_data(atomic))
        self->bytes_read += slice_cache_bytes(&self->cache, atomic->sectors);
    l2_slice_complete(self, atomic, now);
    return true;
}

/* What is refused here must not hold up requests of the network, nor the other way round: they may
 * wait for atomics that wait for this. */
static bool look_up_apart(L2Slice *self, Transaction *request, Time now)
{
    const bool refused = self->refused;
    self->refused = false;
    const bool taken = l2_slice_look_up(self, request, now);
    self->rop_refused = self->refused;
    self->refused = refused;
    return taken;
}

static bool serve_rop(L2Slice *self, Transaction *request, Time now)
{
    if (self->rop_refused) return false;
    if (self->free_at > now) {
        unit_wake_at(&self->unit, self->free_at);
        return false;
    }
    transaction_enter(request, STAGE_L2_QUEUE, now);
    if (!l2_slice_has_write_port(self, request, now)) return false;
    if (!look_up_apart(self, request, now)) return false;
    l2_slice_look_up_takes(self, now);
    self->accesses++;
    self->rop_requests++;
    return true;
}

/* A fetch or a write-back; the latter also says that the ROP no longer has the line. */
static bool take_request(L2Slice *self, Transaction *request, Time now)
{
    const uint64_t line = l2_slice_line_number(self, request);
    const bool writes = request->type == TRANSACTION_WRITE;
    if (request->sectors) {
        if (!serve_rop(self, request, now)) return false;
    } else {
        unit_free_message(&self->unit, &request->message);
    }
    if (writes)
        word_table_write(&self->at_rop, line,
                         word_table_read(&self->at_rop, line) & ~(uint32_t)(HELD | RECALLED));
    return true;
}

void l2_slice_take_from_rop(L2Slice *self, Time now)
{
    for (Transaction *head; (head = (Transaction *)port_peek(&self->from_rop));) {
        const bool taken =
            head->for_rop ? take_request(self, head, now) : take_result(self, head, now);
        if (!taken) return;
        port_take(&self->from_rop, now);
    }
}
