#include "workloads/patterns/access_loop.h"

const char *const loop_operation_names[] = {"load",   "store",  "load_store",
                                            "atomic", "reduce", NULL};

bool access_loop_check(const AccessLoop *loop, GError **error)
{
    if (!is_power_of_two(loop->element_bytes))
        return workload_reject(error, "element_bytes", "not a power of two");
    return workload_check_multiple(error, "footprint", loop->footprint, loop->element_bytes)
           && workload_check_multiple(error, "base", loop->base, loop->element_bytes);
}

void access_loop_describe(const AccessLoop *loop, uint32_t warp_lanes, Kernel *kernel,
                          const char *name)
{
    const uint64_t accesses = loop->operation == LOOP_LOAD_STORE ? 2 : 1;
    kernel->name = g_strdup(name);
    kernel->ctas = loop->ctas;
    kernel->warp_lanes = warp_lanes;
    kernel->threads_per_cta = (uint32_t)loop->threads_per_cta;
    kernel->registers_per_thread = (uint32_t)loop->registers_per_thread;
    kernel->shared_bytes_per_cta = loop->shared_bytes_per_cta;
    kernel->footprint = loop->footprint;
    kernel->counted_bytes =
        loop->ctas * loop->threads_per_cta * loop->iterations * loop->element_bytes * accesses;
    kernel->counts_requested = true;
}

/* The register that iteration `iteration` loads into. Iterations that share one wait for each
 * other. */
static void write_load(const AccessLoop *loop, Operation operation, uint64_t iteration,
                       Instruction *instruction)
{
    const uint32_t first = load_register(iteration % loop->in_flight);
    instruction_access(instruction, operation, loop->element_bytes);
    instruction_reads(instruction, first, registers_of(loop->element_bytes));
    instruction_writes(instruction, first, registers_of(loop->element_bytes));
}

static void write_store(const AccessLoop *loop, Operation operation, uint32_t data,
                        Instruction *instruction)
{
    instruction_access(instruction, operation, loop->element_bytes);
    instruction_reads(instruction, data, registers_of(loop->element_bytes));
}

static void write_access(const AccessLoop *loop, uint64_t iteration, bool second,
                         Instruction *instruction)
{
    switch ((LoopOperation)loop->operation) {
    case LOOP_LOAD: write_load(loop, OPERATION_LOAD, iteration, instruction); break;
    case LOOP_ATOMIC: write_load(loop, OPERATION_ATOMIC, iteration, instruction); break;
    case LOOP_STORE: write_store(loop, OPERATION_STORE, REGISTER_CONSTANT, instruction); break;
    case LOOP_REDUCE: write_store(loop, OPERATION_ATOMIC, REGISTER_CONSTANT, instruction); break;
    case LOOP_LOAD_STORE:
        if (second)
            write_store(loop, OPERATION_STORE, load_register(iteration % loop->in_flight),
                        instruction);
        else
            write_load(loop, OPERATION_LOAD, iteration, instruction);
        break;
    }
}

/* Whose values nothing has read when the loop ends. */
static uint64_t live_loads(const AccessLoop *loop)
{
    const bool loads = loop->operation == LOOP_LOAD || loop->operation == LOOP_ATOMIC;
    return loads ? MIN(loop->in_flight, loop->iterations) : 0;
}

bool access_loop_fetch(const AccessLoop *loop, const Kernel *kernel, WarpCursor *cursor,
                       Instruction *instruction, uint64_t *iteration)
{
    const uint32_t compute = loop->compute_instructions > 0;
    const uint32_t steps = compute + (loop->operation == LOOP_LOAD_STORE ? 2 : 1);
    const uint64_t position = cursor->position++;
    const uint64_t mask = kernel_lane_mask(kernel, cursor->warp);
    *iteration = position / steps;
    if (*iteration >= loop->iterations) {
        const uint64_t tail = position - loop->iterations * steps;
        instruction_clear(instruction, 0x10 * (1 + steps + tail), mask);
        instruction_tail(instruction, tail, live_loads(loop));
        return false;
    }
    const uint32_t step = (uint32_t)(position % steps);
    instruction_clear(instruction, 0x10 * (1 + step), mask);
    if (compute && !step) {
        instruction_compute(instruction, EXECUTE_FP32, loop->compute_instructions);
        instruction_reads(instruction, REGISTER_CHAIN, 1);
        instruction_writes(instruction, REGISTER_CHAIN, 1);
        return false;
    }
    write_access(loop, *iteration, step > compute, instruction);
    return true;
}
