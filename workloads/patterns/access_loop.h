/* The loop that `strided` and `random` have in common: each iteration computes, then accesses
 * one element a lane. Only where the elements are differs. */
#pragma once

#include "workloads/generator.h"

typedef enum { LOOP_LOAD, LOOP_STORE, LOOP_LOAD_STORE, LOOP_ATOMIC, LOOP_REDUCE } LoopOperation;

/* First member of a pattern's parameters, so that ACCESS_LOOP_ROWS can stand in its table. */
typedef struct {
    uint64_t ctas, threads_per_cta, iterations, element_bytes, in_flight, compute_instructions;
    uint64_t base, footprint, registers_per_thread, shared_bytes_per_cta;
    uint32_t operation;
} AccessLoop;

extern const char *const loop_operation_names[];

#define ACCESS_LOOP_ROWS(default_footprint, lowest_footprint, footprint_text)                      \
    PARAM_NUMBER(AccessLoop, ctas, PARAM_COUNT, "160", 1, 1e9, "CTAs in the grid"),                \
        PARAM_NUMBER(AccessLoop, threads_per_cta, PARAM_COUNT, "256", 1, 1024, "threads a CTA"),   \
        PARAM_NUMBER(AccessLoop, iterations, PARAM_COUNT, "16", 1, 1e12,                           \
                     "accesses of each thread"),                                                   \
        PARAM_ONE_OF(                                                                              \
            AccessLoop, operation, loop_operation_names, "load",                                   \
            "load, store, load then store the same element, atomic with result, or reduce "        \
            "(an atomic without result)"),                                                         \
        PARAM_NUMBER(AccessLoop, element_bytes, PARAM_BYTES, "4 B", 1, 16,                         \
                     "bytes of each access, a power of two"),                                      \
        PARAM_NUMBER(AccessLoop, in_flight, PARAM_COUNT, "8", 1, 32,                               \
                     "loads that a warp may have outstanding; 1: each waits for the one before"),  \
        PARAM_NUMBER(AccessLoop, compute_instructions, PARAM_COUNT, "0", 0, 255,                   \
                     "dependent arithmetic instructions before each access"),                      \
        PARAM_NUMBER(AccessLoop, base, PARAM_BYTES, "0 B", 0, 0x1p48, "address of the data"),      \
        PARAM_NUMBER(AccessLoop, footprint, PARAM_BYTES, default_footprint, lowest_footprint,      \
                     0x1p47, footprint_text),                                                      \
        PARAM_NUMBER(AccessLoop, registers_per_thread, PARAM_COUNT, "32", 1, 255,                  \
                     "registers a thread, which limit resident warps"),                            \
        PARAM_NUMBER(AccessLoop, shared_bytes_per_cta, PARAM_BYTES, "0 B", 0, 1 << 20,             \
                     "shared memory a CTA, which limits resident CTAs")

/* Fails on sizes that do not fit together. */
bool access_loop_check(const AccessLoop *loop, GError **error);

/* Fills what every kernel has. */
void access_loop_describe(const AccessLoop *loop, uint32_t warp_lanes, Kernel *kernel,
                          const char *name);

/* Writes the next instruction of the warp. True: it accesses memory in iteration *iteration and
 * still lacks its addresses. */
bool access_loop_fetch(const AccessLoop *loop, const Kernel *kernel, WarpCursor *cursor,
                       Instruction *instruction, uint64_t *iteration);
