/* From a warp's access to the requests for its lines, and back. */
#pragma once

#include "kit/gpu/atomic.h"
#include "kit/gpu/message.h"
#include "kit/gpu/transaction.h"

/* A line of the access as a request for L2: what it wants or writes, or its atomic's operands. Its
 * stages and its source are the caller's. */
Transaction *line_request_new(MessageSource *messages, WarpAccess *access, const AccessLine *line,
                              uint32_t line_bytes);

/* The lanes get what an atomic found; frees its operands. */
void line_request_take_values(MessageSource *messages, WarpAccess *access,
                              AtomicOperands *operands);
