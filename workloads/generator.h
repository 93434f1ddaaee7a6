/* What the generators share: random numbers without state, and the instructions that every
 * pattern is made of. */
#pragma once

#include <inttypes.h>

#include "parts/bits.h"
#include "workloads/workload.h"

/* R1 is for arithmetic that nothing needs, R2 and R3 hold addresses, R4.. constants, R8.. what
 * loads bring. */
enum {
    REGISTER_CHAIN = 1,
    REGISTER_ADDRESS = 2,
    REGISTER_CONSTANT = 4,
    REGISTER_DATA = 8,
    REGISTERS_A_LOAD = 4
};

/* 4-byte registers that a lane's value of this width takes. */
static inline uint32_t registers_of(uint64_t bytes)
{
    return bytes > 4 ? (uint32_t)((bytes + 3) / 4) : 1;
}

/* In two pieces, each of which is short enough to be cleared without a loop. */
static inline void instruction_clear(Instruction *instruction, uint64_t pc, uint64_t mask)
{
    const size_t head = offsetof(Instruction, pc);
    memset(instruction, 0, head);
    memset(&instruction->pc, 0, sizeof *instruction - head);
    instruction->pc = pc;
    instruction->mask = mask;
    instruction->destination = REGISTER_NONE;
    instruction->repeat = 1;
}

/* The instruction also reads `count` registers from `first` on; what does not fit is left out. */
static inline void instruction_reads(Instruction *instruction, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count && instruction->source_count < INSTRUCTION_SOURCES; i++)
        instruction->sources[instruction->source_count++] = (uint8_t)(first + i);
}

static inline void instruction_writes(Instruction *instruction, uint32_t first, uint32_t count)
{
    instruction->destination = (uint8_t)first;
    instruction->destination_count = (uint8_t)count;
}

/* `repeat` dependent arithmetic instructions. */
static inline void instruction_compute(Instruction *instruction, ExecutionUnit unit,
                                       uint64_t repeat)
{
    instruction->operation = OPERATION_ALU;
    instruction->unit = (uint8_t)unit;
    instruction->repeat = (uint8_t)repeat;
}

static inline void instruction_exit(Instruction *instruction)
{
    instruction->operation = OPERATION_EXIT;
    instruction->unit = EXECUTE_OTHER;
}

/* The first register of load `number` of those that a warp may have outstanding. */
static inline uint32_t load_register(uint64_t number)
{
    return REGISTER_DATA + REGISTERS_A_LOAD * (uint32_t)number;
}

/* Instruction `index` behind a loop: what its last `live` loads brought is read before the warp
 * ends, as a program that used it would. */
static inline void instruction_tail(Instruction *instruction, uint64_t index, uint64_t live)
{
    const uint64_t first = index * INSTRUCTION_SOURCES;
    if (first >= live) {
        instruction_exit(instruction);
        return;
    }
    instruction_compute(instruction, EXECUTE_FP32, 1);
    for (uint64_t i = first; i < MIN(live, first + INSTRUCTION_SOURCES); i++)
        instruction_reads(instruction, load_register(i), 1);
}

/* A load or store of the global space with an address register pair. */
static inline void instruction_access(Instruction *instruction, Operation operation, uint64_t width)
{
    instruction->operation = (uint8_t)operation;
    instruction->unit = EXECUTE_OTHER;
    instruction->space = SPACE_GLOBAL;
    instruction->hint = CACHE_ALL;
    instruction->width = (uint8_t)width;
    instruction_reads(instruction, REGISTER_ADDRESS, 2);
}

#define WORKLOAD_VALUE_ERROR (g_quark_from_static_string("warpmem-workload-value"))

/* Sets "key: reason", which workload_build turns into "file:line: group.key = value: reason".
 * Returns false. */
bool workload_reject(GError **error, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);
/* Of `file`, which cannot be read several times. Returns false. */
bool workload_reject_file(GError **error, const char *path);

/* A GPU refuses misaligned accesses. */
static inline bool workload_check_multiple(GError **error, const char *key, uint64_t value,
                                           uint64_t element_bytes)
{
    return value % element_bytes == 0
           || workload_reject(error, key, "not a multiple of the element's %" PRIu64 " B",
                              element_bytes);
}

/* A random order of the other nodes after node 0, newly allocated: each of the (n - 1)! cycles
 * through all nodes is equally likely, as with Sattolo's algorithm, and the cycle comes in the
 * order in which a chase visits it. */
uint32_t *cycle_draw(uint64_t nodes, uint64_t salt);

/* Hands the kernel to the list, with one launch. */
static inline void launch_list_add(LaunchList *list, Kernel *kernel)
{
    const Launch launch = {.kernel = kernel};
    launch_list_add_kernel(list, kernel);
    g_array_append_val(list->launches, launch);
}
