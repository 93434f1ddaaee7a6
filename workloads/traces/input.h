/* Lines of a text file that may be compressed with gzip or xz, which its first bytes tell;
 * memory does not grow with the file. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Messages are "file:line: what", with the line of the uncompressed text. */
#define TRACE_ERROR (g_quark_from_static_string("warpmem-trace"))

typedef struct TraceInput TraceInput;

TraceInput *trace_input_open(const char *path, GError **error);
void trace_input_close(TraceInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TraceInput, trace_input_close)

/* The next line, valid until the next call; *end is where its newline stands. False at the end
 * of the file, and with error when it cannot be read. */
bool trace_input_line(TraceInput *input, const char **begin, const char **end, GError **error);

/* A line was asked for, and the file had ended or could not be read on. */
bool trace_input_ended(const TraceInput *input);

/* The line last returned is the file's last, and has no newline. */
bool trace_input_cut(const TraceInput *input);

/* The line last returned is returned once more. */
void trace_input_unread(TraceInput *input);

/* Sets "file:line: ..." for the line last returned, "file: ..." if there was none. Returns false. */
bool trace_input_reject(const TraceInput *input, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* The file that `path` names: itself, or the same with .xz or .gz behind it or not. NULL when
 * there is none; newly allocated. */
char *trace_input_find(const char *path);
