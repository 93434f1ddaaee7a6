/* What a trace asks for, counted without simulating it: for `warpmem trace info`. */
#pragma once

#include "kit/gpu/kernel.h"

enum {
    OPERATION_COUNT = OPERATION_EXIT + 1,
    UNIT_COUNT = EXECUTE_OTHER + 1,
    SPACE_COUNT = SPACE_TEXTURE + 1
};

/* One kernel. Instructions are warp instructions; sectors are the different 32-byte blocks of
 * each, outside shared memory. */
typedef struct {
    char *name, *file;
    uint64_t grid[3], block[3];
    uint64_t shared_bytes, registers, binary_version, tracer_version;
    uint64_t copies, copied_bytes;    /* from the host before the kernel */
    uint64_t ctas, warps, idle_warps; /* idle: without instructions but the exit */
    uint64_t instructions;
    uint64_t by_operation[OPERATION_COUNT];
    uint64_t by_unit[UNIT_COUNT];   /* arithmetic */
    uint64_t by_space[SPACE_COUNT]; /* accesses */
    uint64_t lane_accesses, bytes, sectors;
    char *notes; /* lines: what the model does not know of it, and warnings */
} TraceSummary;

/* One for each kernel of the list, of which only a CTA at a time is in memory; NULL with error. */
GArray *trace_summarise(const char *path, GError **error);

/* The summary as text, a block a kernel and the total. */
bool trace_describe(const char *path, GString *text, GError **error);
