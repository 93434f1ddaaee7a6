/* Kernels that are lists of instructions, one for each warp, and that note when the SM issues. */
#pragma once

#include "kit/engine/unit.h"

enum { SCRIPT_WARPS = 4 };

typedef struct {
    uint64_t cta;
    uint32_t warp, number; /* of the instruction in the warp */
    uint64_t cycle;        /* of issue; a barrier: of its release */
} Issued;

typedef struct {
    Kernel kernel;
    const Instruction *warp[SCRIPT_WARPS];
    const Unit *sm;
    GArray *issued; /* of Issued */
} Script;

/* The SM fetches an instruction as it issues the one before. */
static inline void script_fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const Script *script = (const Script *)kernel;
    const uint64_t position = cursor->position++;
    *instruction = script->warp[cursor->warp][position];
    instruction->mask = lowest_lanes(kernel->warp_lanes);
    if (!position) return;
    const Issued issued = {cursor->cta, cursor->warp, (uint32_t)position - 1,
                           script->sm->inbox.now / script->sm->clock->period};
    g_array_append_val(script->issued, issued);
}

/* Every warp runs `instructions` unless told otherwise. */
static inline void script_init(Script *script, const Unit *sm, uint32_t threads,
                               const Instruction *instructions)
{
    static const KernelClass script_class = {.fetch = script_fetch};
    *script = (Script){.kernel = {.class = &script_class,
                                  .name = (char *)(uintptr_t) "script",
                                  .threads_per_cta = threads,
                                  .warp_lanes = 32},
                       .sm = sm,
                       .issued = g_array_new(FALSE, FALSE, sizeof(Issued))};
    for (guint w = 0; w < SCRIPT_WARPS; w++) script->warp[w] = instructions;
}

#define ALU(pipe, times, to, from)                                                                 \
    {                                                                                              \
        .operation = OPERATION_ALU, .unit = EXECUTE_##pipe, .repeat = times, .destination = to,    \
        .destination_count = 1, .sources = {from}, .source_count = 1                               \
    }
#define LOAD(to)                                                                                   \
    {                                                                                              \
        .operation = OPERATION_LOAD, .destination = to, .destination_count = 1, .width = 4         \
    }
#define STORE                                                                                      \
    {                                                                                              \
        .operation = OPERATION_STORE, .destination = REGISTER_NONE, .width = 4                     \
    }
#define STORE_TO(where)                                                                            \
    {                                                                                              \
        .operation = OPERATION_STORE, .destination = REGISTER_NONE, .width = 4,                    \
        .space = SPACE_##where                                                                     \
    }
#define REDUCTION                                                                                  \
    {                                                                                              \
        .operation = OPERATION_ATOMIC, .destination = REGISTER_NONE, .width = 4                    \
    }
#define REDUCTION_IN(where)                                                                        \
    {                                                                                              \
        .operation = OPERATION_ATOMIC, .destination = REGISTER_NONE, .width = 4,                   \
        .space = SPACE_##where                                                                     \
    }
#define PACE(at, limit)                                                                            \
    {                                                                                              \
        .operation = OPERATION_PACE, .destination = REGISTER_NONE, .base = at, .stride = limit     \
    }
#define DO(what)                                                                                   \
    {                                                                                              \
        .operation = OPERATION_##what, .destination = REGISTER_NONE                                \
    }
