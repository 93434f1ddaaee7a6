#include "workloads/language/code.h"

#include <string.h>

static uint64_t active_lanes(const Kernel *kernel, const WarpCursor *cursor, const Op *op)
{
    const uint64_t outer =
        op->mask_slot ? cursor->scratch[op->mask_slot] : kernel_lane_mask(kernel, cursor->warp);
    return outer & op->lanes;
}

G_GNUC_NO_INLINE static void list_addresses(const Form *form, WarpCursor *cursor,
                                            Instruction *instruction)
{
    int64_t values[LANES_MAX];
    uint32_t count = 0;
    form_lane_values(form, cursor, values);
    for (uint64_t rest = instruction->mask; rest; rest &= rest - 1)
        cursor->addresses[count++] = (uint64_t)values[__builtin_ctzll(rest)];
    instruction->addresses = cursor->addresses;
}

/* But for what is the lanes'. */
static uint64_t first_value(const Op *op, const WarpCursor *cursor)
{
    if (!op->kept) return (uint64_t)form_uniform_value(op->form, cursor);
    return cursor->scratch[op->kept] + (uint64_t)form_varying_value(op->form, cursor);
}

/* False: no lane is active. */
static bool emit(const Kernel *kernel, WarpCursor *cursor, const Op *op, Instruction *instruction)
{
    const uint64_t mask = active_lanes(kernel, cursor, op);
    if (!mask) return false;
    *instruction = op->instruction;
    instruction->mask = mask;
    const Form *form = op->form;
    if (!form) return true;
    if (op->operand) {
        instruction->operand = (uint32_t)form_uniform_value(op->operand, cursor);
        instruction->operand_stride = (int32_t)op->operand->stride;
    }
    if (op->listed)
        list_addresses(form, cursor, instruction);
    else
        instruction->base += first_value(op, cursor);
    return true;
}

G_GNUC_NO_INLINE static uint32_t split_lanes(const Kernel *kernel, WarpCursor *cursor, const Op *op,
                                             uint32_t next)
{
    int64_t values[LANES_MAX];
    form_lane_values(op->form, cursor, values);
    const uint64_t holds =
        active_lanes(kernel, cursor, op) & form_lanes_that_hold(values, kernel->warp_lanes);
    cursor->scratch[op->slot] = holds;
    return holds ? next : op->target;
}

/* Where the warp goes on after an operation that gives no instruction. */
static uint32_t advance(const Kernel *kernel, WarpCursor *cursor, const Op *op, uint32_t next)
{
    uint64_t *slot = &cursor->scratch[op->slot];
    switch (op->kind) {
    case OP_SET: *slot = (uint64_t)form_uniform_value(op->form, cursor); return next;
    case OP_ADD: *slot += (uint64_t)op->amount; return next;
    case OP_NEXT:
        *slot += (uint64_t)op->amount;
        return (int64_t)*slot < form_uniform_value(op->form, cursor) ? op->target : next;
    case OP_UNLESS: return form_uniform_value(op->form, cursor) ? next : op->target;
    case OP_SPLIT: return split_lanes(kernel, cursor, op, next);
    case OP_OTHERS:
        *slot = active_lanes(kernel, cursor, op) & ~*slot;
        return *slot ? next : op->target;
    case OP_JUMP: return op->target;
    case OP_EMIT:
    case OP_LABEL: return next;
    }
    g_assert_not_reached();
}

G_GNUC_NO_INLINE static void begin(const ProgramKernel *self, WarpCursor *cursor)
{
    memset(cursor->scratch, 0, sizeof cursor->scratch);
    for (uint32_t i = 0; i < self->kept_count; i++)
        cursor->scratch[self->kept[i].word] =
            (uint64_t)form_uniform_value(self->kept[i].sum, cursor);
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    const Op *ops = ((const ProgramKernel *)kernel)->ops;
    if (!cursor->position++) begin((const ProgramKernel *)kernel, cursor);
    uint32_t at = (uint32_t)cursor->scratch[0];
    uint32_t done = (uint32_t)(cursor->scratch[0] >> 32); /* of the present operation's count */
    for (;;) {
        const Op *op = &ops[at];
        if (op->kind == OP_EMIT && emit(kernel, cursor, op, instruction)) {
            if (op->instruction.operation == OPERATION_EXIT) return;
            const bool more = ++done < op->count;
            cursor->scratch[0] = more ? at | (uint64_t)done << 32 : at + 1;
            return;
        }
        at = advance(kernel, cursor, op, at + 1);
    }
}

static void free_kernel(Kernel *kernel)
{
    ProgramKernel *self = (ProgramKernel *)kernel;
    form_pool_free(self->pool);
    g_free(self->ops);
    g_free(self);
}

const KernelClass program_kernel_class = {.fetch = fetch, .free = free_kernel};

const KernelClass program_sampling_kernel_class = {
    .fetch = fetch, .coordinates = program_coordinates, .free = free_kernel};
