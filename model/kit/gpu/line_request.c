#include "kit/gpu/line_request.h"

#include <string.h>

void line_request_add_data(MessageSource *messages, Transaction *transaction, uint32_t line_bytes)
{
    const WarpAccess *access = transaction->access;
    if (transaction->type == TRANSACTION_WRITE && transaction->partial)
        transaction_note_written(transaction, line_bytes);
    if (transaction->type == TRANSACTION_ATOMIC) {
        transaction->no_result = instruction_has_no_result(&access->instruction);
        transaction->operands = message_new(messages, MESSAGE_ATOMIC_OPERANDS);
        atomic_operands_fill(transaction->operands, access, transaction->virtual_line, line_bytes);
    }
}

void line_request_take_values(MessageSource *messages, WarpAccess *access, AtomicOperands *operands)
{
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        access->lanes->value[lane] = operands->value[lane];
    }
    message_free(messages, &operands->message);
}

/* --- in lines of L2 --------------------------------------------------------------------------- */

static void move_written(uint64_t *written, uint32_t bytes)
{
    const uint32_t words = bytes / 64, bits = bytes % 64;
    for (uint32_t w = LINE_WORDS; w-- > 0;) {
        const uint64_t low = w >= words ? written[w - words] << bits : 0;
        written[w] = bits && w > words ? low | written[w - words - 1] >> (64 - bits) : low;
    }
}

static void move_operands(AtomicOperands *operands, uint32_t bytes)
{
    for (uint64_t rest = operands->lanes; rest; rest &= rest - 1) {
        uint16_t *offset = &operands->offset[__builtin_ctzll(rest)];
        *offset = (uint16_t)(*offset + bytes);
    }
}

void line_fit_request(const LineFit *fit, Transaction *transaction)
{
    if (fit->same) return;
    const uint32_t offset = (uint32_t)(transaction->line & (fit->line_bytes - 1));
    const bool masked = transaction->type == TRANSACTION_WRITE && transaction->partial;
    transaction->sectors = line_fit_sectors(fit, transaction->line, transaction->sectors);
    transaction->partial = line_fit_sectors(fit, transaction->line, transaction->partial);
    transaction->line -= offset;
    transaction->local -= offset;
    if (masked) move_written(transaction->written, offset);
    if (transaction->operands) move_operands(transaction->operands, offset);
}

void line_fit_report(const LineFit *fit, AccessReport *report)
{
    if (fit->same) return;
    Time read_at[SECTORS_MAX];
    memcpy(read_at, report->read_at, sizeof read_at);
    const uint32_t first = (uint32_t)(report->line & (fit->line_bytes - 1)) / fit->sector_bytes;
    report->sectors = line_fit_sectors(fit, report->line, report->sectors);
    report->partial = line_fit_sectors(fit, report->line, report->partial);
    for (uint32_t s = 0; s < SECTORS_MAX; s++)
        report->read_at[s] = report->sectors >> s & 1 ? read_at[(s - first) / fit->sectors] : 0;
    report->line &= ~(uint64_t)(fit->line_bytes - 1);
}
