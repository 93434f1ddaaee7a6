/* The lines of a trace between its instructions: keys, numbers, markers. */
#pragma once

#include "workloads/traces/input.h"

typedef struct {
    const char *begin, *end;
} TraceText;

/* The next line that is not blank, without blanks around it. False at the end of the file, and
 * with error when it is broken. */
bool trace_text_next(TraceInput *input, TraceText *line, GError **error);

/* As trace_text_next, where the file may not end. */
bool trace_text_need(TraceInput *input, const char *expected, TraceText *line, GError **error);

/* Sets "file:line: 'text', expected ...". Returns false. */
bool trace_text_reject(const TraceInput *input, const TraceText *line, const char *expected,
                       GError **error);

bool trace_text_is(const TraceText *line, const char *text);

/* Is the line `key = value`? Then *value is the rest. */
bool trace_text_has_key(const TraceText *line, const char *key, TraceText *value);

typedef struct {
    const char *what;
    uint64_t lowest, highest;
} TraceRange;

/* Decimal, up to INT64_MAX, or hexadecimal behind 0x. */
bool trace_text_number(const TraceInput *input, const TraceText *text, const TraceRange *range,
                       uint64_t *number, GError **error);

/* "(x,y,z)" or "x,y,z". */
bool trace_text_triple(const TraceInput *input, const TraceText *text, uint64_t lowest,
                       uint64_t triple[3], GError **error);
