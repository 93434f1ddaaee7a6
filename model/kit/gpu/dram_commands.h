/* From the memory access scheduler to a DRAM channel. */
#pragma once

#include "kit/gpu/transaction.h"
#include "parts/dram/state.h"

/* The commands that serve one transaction, each at its cycle: the scheduler books them in here.
 * None where no access is needed. */
typedef struct {
    Message message;
    Transaction *transaction; /* NULL: nobody waits for them */
    uint32_t data_bytes;      /* of what they write: sectors, without codes and rests of bursts */
    DramSteps steps;
} DramCommands;
