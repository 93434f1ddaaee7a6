/* What a SASS opcode means to the memory system: its operation, execution unit, space, width and
 * cache hint. */
#pragma once

#include <stddef.h>

#include "kit/gpu/kernel.h"

typedef struct {
    uint32_t lanes; /* of a memory operation: whose addresses count, where they are active */
    uint8_t operation, unit, space, hint;
    uint8_t width;        /* bytes a lane; 0: no memory operation */
    uint8_t destinations; /* consecutive registers that its result takes */
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
