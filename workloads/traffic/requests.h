/* Lists of memory requests, a line each, in the orders of words that simulators of DRAM read. */
#pragma once

#include "kit/traffic/traffic.h"
#include "workloads/workload.h"

typedef enum { REQUESTS_PLAIN, REQUESTS_DRAMSIM3, REQUESTS_RAMULATOR, REQUESTS_DRAMSYS } Format;

extern const char *const request_formats[];

/* Of TrafficRequest, newly allocated; NULL with error. Each has `bytes` of a line. */
GArray *requests_read(const char *path, Format format, uint64_t bytes, uint64_t line_bytes,
                      GError **error);
