/* Accel-Sim traces (.traceg text, plain, gzip or xz): a kernel's header is read when it is
 * opened, its CTAs one by one while it runs. Errors are TRACE_ERROR, "file:line: what, value,
 * what was expected". */
#pragma once

#include "kit/gpu/kernel.h"
#include "workloads/traces/header.h"

/* A kernel that streams its CTAs from the file, in the file's order. NULL with error. */
Kernel *trace_kernel_new(const char *path, GError **error);
const TraceHeader *trace_kernel_header(const Kernel *kernel);

/* Appends a launch for each kernel of a list (kernelslist.g, the folder it is in, or one .traceg
 * file), with the copies that stand before it. `kernels_max` 0: all of them. */
bool trace_list_read(const char *path, uint64_t kernels_max, LaunchList *list, GError **error);

/* Appends to `files`, of char *, all that trace_list_read reads, in its order. */
bool trace_list_files(const char *path, uint64_t kernels_max, GPtrArray *files, GError **error);
