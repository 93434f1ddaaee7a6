/* From a warp's access to the requests for its lines, and back. */
#pragma once

#include "kit/gpu/access_report.h"
#include "kit/gpu/atomic.h"
#include "kit/gpu/message.h"
#include "kit/gpu/transaction.h"

/* Of a store which bytes it writes, of an atomic its operands. */
void line_request_add_data(MessageSource *messages, Transaction *transaction, uint32_t line_bytes);

/* A line of the access as a request for L2: what it wants or writes, or its atomic's operands. Its
 * stages and its source are the caller's. */
static inline Transaction *line_request_new(MessageSource *messages, WarpAccess *access,
                                            const AccessLine *line, uint32_t line_bytes)
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
    if (transaction->type != TRANSACTION_READ)
        line_request_add_data(messages, transaction, line_bytes);
    return transaction;
}

/* The lanes get what an atomic found; frees its operands. */
void line_request_take_values(MessageSource *messages, WarpAccess *access,
                              AtomicOperands *operands);

/* Where L2's lines or sectors are not those of an SM's caches: a line of L1 or of the texture unit
 * as the part of L2's that it is. */
typedef struct {
    uint32_t line_bytes, sector_bytes; /* of L2; a line is as long as L1's or longer */
    uint32_t sectors;                  /* of L2 in one of L1 */
    bool same;                         /* both are the same */
} LineFit;

/* Sectors of the line at this address as those of L2's. */
static inline uint16_t line_fit_sectors(const LineFit *fit, uint64_t line, uint16_t sectors)
{
    uint16_t fitted = 0;
    for (uint32_t s = 0; sectors >> s; s++)
        if (sectors >> s & 1)
            fitted |= (uint16_t)(((1u << fit->sectors) - 1) << (s * fit->sectors));
    const uint32_t offset = (uint32_t)(line & (fit->line_bytes - 1));
    return (uint16_t)(fitted << (offset / fit->sector_bytes));
}

/* From now on the request, whose addresses are known, is one for a part of L2's line. What is not
 * written whole of a sector of L1 is so of all its sectors of L2. */
void line_fit_request(const LineFit *fit, Transaction *transaction);

/* The same for what is reported of a line. */
void line_fit_report(const LineFit *fit, AccessReport *report);
