/* From the memory access scheduler to a DRAM channel. */
#pragma once

#include "kit/gpu/transaction.h"

typedef enum {
    DRAM_PRECHARGE,
    DRAM_ACTIVATE,
    DRAM_READ,
    DRAM_WRITE,
    DRAM_REFRESH_BANK,
    DRAM_REFRESH_ALL,
    DRAM_AUTO_PRECHARGE
} DramCommandType;

typedef struct {
    uint64_t cycle; /* of the DRAM command clock, absolute */
    uint32_t row;
    uint16_t column;
    uint8_t type, bank; /* bank = group x banks_per_group + bank in the group */
} DramCommand;

enum { DRAM_COMMANDS_MAX = 48 };

/* Memory access scheduler to DRAM channel: the commands that serve one transaction, each at its
 * cycle. */
typedef struct {
    Message message;
    Transaction *transaction;
    uint32_t count;
    DramCommand command[DRAM_COMMANDS_MAX];
} DramCommands;
