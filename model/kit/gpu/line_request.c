#include "kit/gpu/line_request.h"

Transaction *unit_new_line_transaction(Unit *unit, WarpAccess *access, const AccessLine *line,
                                       uint32_t line_bytes)
{
    Transaction *transaction = unit_new(unit, MESSAGE_TRANSACTION);
    transaction->virtual_line = transaction->line = line->line;
    transaction->sectors = line->sectors;
    transaction->partial = line->partial;
    transaction->requested_bytes = (uint16_t)line->bytes;
    transaction->type = (uint8_t)transaction_type(&access->instruction);
    transaction->served_by = SERVED_L1;
    transaction->space = access->instruction.space;
    transaction->hint = access->instruction.hint;
    transaction->access = access;
    transaction->source = (uint16_t)unit->number;
    if (transaction->type == TRANSACTION_WRITE && line->partial)
        transaction_note_written(transaction, line_bytes);
    if (transaction->type == TRANSACTION_ATOMIC) {
        transaction->operands = unit_new(unit, MESSAGE_ATOMIC_OPERANDS);
        atomic_operands_fill(transaction->operands, access, line->line, line_bytes);
    }
    return transaction;
}

void unit_take_values(Unit *unit, WarpAccess *access, AtomicOperands *operands)
{
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        access->value[lane] = operands->value[lane];
    }
    unit_free_message(unit, &operands->message);
}
