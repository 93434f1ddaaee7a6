#include "kit/gpu/line_request.h"

Transaction *line_request_new(MessageSource *messages, WarpAccess *access, const AccessLine *line,
                              uint32_t line_bytes)
{
    Transaction *transaction = message_new(messages, MESSAGE_TRANSACTION);
    transaction->virtual_line = transaction->line = line->line;
    transaction->sectors = line->sectors;
    transaction->partial = line->partial;
    transaction->requested_bytes = (uint16_t)line->bytes;
    transaction->type = (uint8_t)transaction_type(&access->instruction);
    transaction->served_by = SERVED_L1;
    transaction->space = access->instruction.space;
    transaction->hint = access->instruction.hint;
    transaction->access = access;
    if (transaction->type == TRANSACTION_WRITE && line->partial)
        transaction_note_written(transaction, line_bytes);
    if (transaction->type == TRANSACTION_ATOMIC) {
        transaction->no_result = instruction_has_no_result(&access->instruction);
        transaction->operands = message_new(messages, MESSAGE_ATOMIC_OPERANDS);
        atomic_operands_fill(transaction->operands, access, line->line, line_bytes);
    }
    return transaction;
}

void line_request_take_values(MessageSource *messages, WarpAccess *access, AtomicOperands *operands)
{
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        access->lanes->value[lane] = operands->value[lane];
    }
    message_free(messages, &operands->message);
}
