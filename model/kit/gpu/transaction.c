#include "kit/gpu/transaction.h"

#include "kit/gpu/warp_access.h"

#include <string.h>

void transaction_init(Message *message)
{
    Transaction *transaction = (Transaction *)message;
    transaction->access = NULL;
    transaction->operands = NULL;
    transaction->merged = NULL;
    transaction->for_rop = transaction->kept_by_rop = transaction->for_texture = false;
    transaction->no_result = false;
    transaction_begin_stages(transaction);
    memset(transaction->at_l2, 0, sizeof transaction->at_l2);
}

TransactionType transaction_type(const Instruction *instruction)
{
    if (instruction->operation == OPERATION_STORE) return TRANSACTION_WRITE;
    return instruction->operation == OPERATION_ATOMIC ? TRANSACTION_ATOMIC : TRANSACTION_READ;
}

void transaction_inherit(Transaction *transaction, const Transaction *primary, Time merged_at)
{
    unsigned i = 0;
    while (i + 1 < primary->stamp_count && stamp_time(primary->stamps[i + 1]) <= merged_at) i++;
    transaction_enter(transaction, stamp_stage(primary->stamps[i]), merged_at);
    for (i++; i < primary->stamp_count; i++)
        transaction_enter(transaction, stamp_stage(primary->stamps[i]),
                          stamp_time(primary->stamps[i]));
    transaction->stamps_lost |= primary->stamps_lost;
}

/* The data of a request that crossed to the other half was read before it crossed back. */
static unsigned find_last_crossing(const Transaction *reply)
{
    unsigned last = 0;
    for (unsigned i = 1; i < reply->stamp_count; i++)
        if (stamp_stage(reply->stamps[i]) == STAGE_L2_CROSS) last = i;
    return last;
}

void transaction_note_written(Transaction *transaction, uint32_t line_bytes)
{
    const Instruction *instruction = &transaction->access->instruction;
    uint64_t address[LANES_MAX];
    memset(transaction->written, 0, sizeof transaction->written);
    if (instruction->space == SPACE_LOCAL) return;
    warp_access_lane_addresses(transaction->access, address);
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint64_t first = address[__builtin_ctzll(rest)] - transaction->virtual_line;
        for (uint64_t byte = first; byte != first + instruction->width; byte++)
            if (byte < line_bytes) transaction->written[byte / 64] |= UINT64_C(1) << (byte % 64);
    }
}

static bool is_on_the_way_back(Stage stage)
{
    return stage == STAGE_L2_ORDER || stage == STAGE_REPLY_WIRE || stage == STAGE_REPLY_QUEUE
           || stage == STAGE_REPLY_TRANSFER;
}

Time transaction_read_at(const Transaction *reply)
{
    const unsigned crossing = find_last_crossing(reply);
    unsigned i = crossing;
    if (!crossing)
        while (i < reply->stamp_count && !is_on_the_way_back(stamp_stage(reply->stamps[i]))) i++;
    const bool looked_up = i && stamp_stage(reply->stamps[i - 1]) == STAGE_L2_TAG;
    return stamp_time(reply->stamps[looked_up || i == reply->stamp_count ? i - 1 : i]);
}

static inline bool account(const Transaction *transaction, Time end, StageSums *const *sums,
                           unsigned count)
{
    Time from = transaction_began(transaction);
    bool orderly = !transaction->stamps_lost;
    for (unsigned k = 0; k < count; k++) {
        sums[k]->count++;
        sums[k]->latency += end - from;
    }
    for (unsigned i = 0; i < transaction->stamp_count; i++) {
        const Time to =
            i + 1 < transaction->stamp_count ? stamp_time(transaction->stamps[i + 1]) : end;
        if (to < from) orderly = false;
        const Stage stage = stamp_stage(transaction->stamps[i]);
        for (unsigned k = 0; k < count; k++) sums[k]->stage[stage] += to - from;
        from = to;
    }
    return orderly;
}

bool transaction_account(const Transaction *transaction, Time end, StageSums *sums)
{
    return account(transaction, end, &sums, 1);
}

bool transaction_account_thrice(const Transaction *transaction, Time end, StageSums *const sums[3])
{
    return account(transaction, end, sums, 3);
}
