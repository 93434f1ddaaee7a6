/* A text file, plain or compressed, written through a buffer. What goes wrong is kept until the
 * file is closed. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "kit/describe/output_file.h"

typedef enum { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_XZ } Compression;

typedef struct TraceOutput TraceOutput;

TraceOutput *trace_output_open(const char *path, Compression compression, GError **error);

/* Frees the object. The file is finished and has not got its name yet; NULL with error when
 * anything could not be written. */
OutputFile *trace_output_close(TraceOutput *output, GError **error);

void trace_output_text(TraceOutput *output, const char *text);
void trace_output_decimal(TraceOutput *output, int64_t number);
void trace_output_hex(TraceOutput *output, uint64_t number, uint32_t digits); /* at least so many */
