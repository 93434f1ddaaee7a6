/* The header of a kernel's trace. */
#pragma once

#include "workloads/traces/input.h"

enum { TRACE_VERSION_MAX = 6, TRACE_LANES = 32, TRACE_REGISTERS_MAX = 255 };

typedef struct {
    char *path; /* the file that was found */
    char *name;
    uint64_t grid[3], block[3];
    uint64_t shared_bytes, registers, binary_version, tracer_version;
    uint64_t stream;
    uint64_t shared_base, local_base; /* of the generic address windows; 0: none */
    bool line_info;
    char *warning; /* "file:line: ..."; NULL: none */
} TraceHeader;

/* Reads up to the line with # that ends the header; a CTA's first line is left for the body.
 * `header` is zeroed before, and to be cleared after, whatever the result. */
bool trace_header_read(TraceInput *input, TraceHeader *header, GError **error);
void trace_header_clear(TraceHeader *header);
