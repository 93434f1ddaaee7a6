/* What a SASS opcode means to the memory system: its operation, execution unit, space, width and
 * cache hint, and what its registers are. */
#pragma once

#include <stddef.h>

#include "kit/gpu/kernel.h"

typedef struct {
    uint32_t lanes; /* of a memory operation: whose addresses count, where they are active */
    uint8_t operation, unit, space, hint;
    uint8_t width;        /* bytes a lane; 0: no memory operation */
    uint8_t destinations; /* consecutive registers that its result takes */
    uint8_t result_among; /* not 0: of so many sources and no destination the first is the result */
    bool generic;         /* the address tells the space */
    bool wide_address;    /* the address takes a register pair */
    bool pairs;           /* every source is a register pair */
    bool copies;          /* from global to shared memory: each has a line */
    bool unknown;         /* no row says what it is */
    bool bulk;            /* of the tensor memory accelerator */
    bool groups;          /* a line of version 6 says whether it ends its group */
    bool exits;           /* ends lanes; the last one of a warp is its OPERATION_EXIT */
} TraceOpcode;

/* Dotted name of `length` characters; one that is not known is an ALU operation of
 * EXECUTE_OTHER. */
TraceOpcode trace_opcode_parse(const char *name, size_t length);

enum { TRACE_REGISTERS_LISTED = 16 };

/* As a line lists them; what is none of R0 to R254 is REGISTER_NONE. */
typedef struct {
    int64_t count;
    uint32_t number[TRACE_REGISTERS_LISTED];
} TraceRegisters;

/* Of a zeroed instruction the destination and the sources. */
void trace_opcode_set_registers(const TraceOpcode *opcode, const TraceRegisters *destinations,
                                const TraceRegisters *sources, Instruction *out);
