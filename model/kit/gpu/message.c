#include "kit/engine/internal.h"

#include <string.h>

Transaction *unit_new_transaction(Unit *unit)
{
    Transaction *transaction =
        (Transaction *)pool_take(unit->simulation, unit, MESSAGE_TRANSACTION);
    transaction->access = NULL;
    transaction->operands = NULL;
    transaction->merged = NULL;
    transaction->for_rop = transaction->kept_by_rop = transaction->for_texture = false;
    transaction_begin_stages(transaction);
    transaction->crossing = CROSSING_NONE;
    return transaction;
}

WarpAccess *unit_new_access(Unit *unit)
{
    WarpAccess *access = (WarpAccess *)pool_take(unit->simulation, unit, MESSAGE_WARP_ACCESS);
    access->kernel = NULL;
    return access;
}

CtaMessage *unit_new_cta(Unit *unit)
{
    return (CtaMessage *)pool_take(unit->simulation, unit, MESSAGE_CTA);
}

DramCommands *unit_new_commands(Unit *unit)
{
    return (DramCommands *)pool_take(unit->simulation, unit, MESSAGE_DRAM_COMMANDS);
}

Translation *unit_new_translation(Unit *unit)
{
    return (Translation *)pool_take(unit->simulation, unit, MESSAGE_TRANSLATION);
}

AccessReport *unit_new_report(Unit *unit)
{
    return (AccessReport *)pool_take(unit->simulation, unit, MESSAGE_ACCESS_REPORT);
}

AtomicOperands *unit_new_operands(Unit *unit)
{
    return (AtomicOperands *)pool_take(unit->simulation, unit, MESSAGE_ATOMIC_OPERANDS);
}

Samples *unit_new_samples(Unit *unit)
{
    return (Samples *)pool_take(unit->simulation, unit, MESSAGE_SAMPLES);
}

TransactionType transaction_type(const Instruction *instruction)
{
    if (instruction->operation == OPERATION_STORE) return TRANSACTION_WRITE;
    return instruction->operation == OPERATION_ATOMIC ? TRANSACTION_ATOMIC : TRANSACTION_READ;
}

Transaction *unit_new_line_transaction(Unit *unit, WarpAccess *access, const AccessLine *line,
                                       uint32_t line_bytes)
{
    Transaction *transaction = unit_new_transaction(unit);
    transaction->virtual_line = transaction->line = line->line;
    transaction->sectors = line->sectors;
    transaction->partial = line->partial;
    transaction->requested_bytes = line->bytes;
    transaction->type = (uint8_t)transaction_type(&access->instruction);
    transaction->served_by = SERVED_L1;
    transaction->space = access->instruction.space;
    transaction->hint = access->instruction.hint;
    transaction->access = access;
    transaction->source = (uint16_t)unit->number;
    if (transaction->type == TRANSACTION_WRITE && line->partial)
        transaction_note_written(transaction, line_bytes);
    if (transaction->type == TRANSACTION_ATOMIC) {
        transaction->operands = unit_new_operands(unit);
        atomic_operands_fill(transaction->operands, access, line->line, line_bytes);
    }
    return transaction;
}

WarpAccess *unit_new_notice(Unit *unit, const WarpAccess *access, Time at)
{
    WarpAccess *notice = unit_new_access(unit);
    warp_access_notice(notice, access, at);
    return notice;
}

void unit_take_values(Unit *unit, WarpAccess *access, AtomicOperands *operands)
{
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        access->value[lane] = operands->value[lane];
    }
    unit_free_message(unit, &operands->message);
}

void warp_access_begin(WarpAccess *access, const Instruction *instruction, Time issued)
{
    const uint32_t lanes = count_lanes(instruction->mask);
    access->instruction = *instruction;
    access->issued = issued;
    access->released = false;
    access->samples = NULL;
    if (instruction->addresses)
        memcpy(access->address, instruction->addresses, lanes * sizeof *instruction->addresses);
}

void warp_access_lane_addresses(const WarpAccess *access, uint64_t address[LANES_MAX])
{
    const Instruction *instruction = &access->instruction;
    uint32_t next = 0;
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        address[lane] = instruction->addresses
                            ? access->address[next++]
                            : instruction->base + (uint64_t)((int64_t)lane * instruction->stride);
    }
}

void atomic_operands_fill(AtomicOperands *operands, const WarpAccess *access, uint64_t line,
                          uint32_t line_bytes)
{
    const Instruction *instruction = &access->instruction;
    uint64_t address[LANES_MAX];
    warp_access_lane_addresses(access, address);
    operands->operation = instruction->atomic;
    operands->width = instruction->width;
    operands->tiles = instruction->tiles;
    operands->operand = instruction->operand;
    operands->operand_stride = instruction->operand_stride;
    operands->compare = instruction->compare;
    operands->lanes = 0;
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (address[lane] - line >= line_bytes) continue;
        operands->lanes |= UINT64_C(1) << lane;
        operands->offset[lane] = (uint16_t)(address[lane] - line);
    }
}

void warp_access_notice(WarpAccess *notice, const WarpAccess *access, Time at)
{
    notice->instruction = access->instruction;
    notice->samples = NULL;
    notice->warp = access->warp;
    notice->warp_age = access->warp_age;
    notice->issued = access->issued;
    notice->dependent = false;
    notice->released = true;
    notice->released_at = at;
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
