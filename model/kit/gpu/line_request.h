/* From a warp's access to the requests for its lines, and back. */
#pragma once

#include "kit/engine/unit.h"
#include "kit/gpu/atomic.h"
#include "kit/gpu/transaction.h"

/* A line of the access as a request for L2: what it wants or writes, or its atomic's operands. Its
 * stages are the caller's. */
Transaction *unit_new_line_transaction(Unit *unit, WarpAccess *access, const AccessLine *line,
                                       uint32_t line_bytes);

/* The lanes get what an atomic found; frees its operands. */
void unit_take_values(Unit *unit, WarpAccess *access, AtomicOperands *operands);
