#include "workloads/traces/text.h"

#include <string.h>

#include "workloads/traces/line.h"

bool trace_text_next(TraceInput *input, TraceText *line, GError **error)
{
    while (trace_input_line(input, &line->begin, &line->end, error)) {
        while (line->begin < line->end && trace_is_blank(*line->begin)) line->begin++;
        while (line->end > line->begin && trace_is_blank(line->end[-1])) line->end--;
        if (line->begin < line->end) return true;
    }
    return false;
}

bool trace_text_need(TraceInput *input, const char *expected, TraceText *line, GError **error)
{
    g_autoptr(GError) problem = NULL;
    if (trace_text_next(input, line, &problem)) return true;
    if (!problem)
        return trace_input_reject(input, error, "the file ends here, expected %s", expected);
    g_propagate_error(error, g_steal_pointer(&problem));
    return false;
}

bool trace_text_reject(const TraceInput *input, const TraceText *line, const char *expected,
                       GError **error)
{
    g_autofree char *text = g_strndup(line->begin, MIN((size_t)(line->end - line->begin), 80));
    g_autofree char *shown = g_strescape(text, NULL);
    return trace_input_reject(input, error, "'%s', expected %s", shown, expected);
}

bool trace_text_is(const TraceText *line, const char *text)
{
    const size_t length = strlen(text);
    return (size_t)(line->end - line->begin) == length && !memcmp(line->begin, text, length);
}

bool trace_text_has_key(const TraceText *line, const char *key, TraceText *value)
{
    const size_t length = strlen(key);
    if ((size_t)(line->end - line->begin) <= length || memcmp(line->begin, key, length))
        return false;
    const char *p = line->begin + length;
    while (p < line->end && trace_is_blank(*p)) p++;
    if (p == line->end || *p != '=') return false;
    for (p++; p < line->end && trace_is_blank(*p);) p++;
    *value = (TraceText){p, line->end};
    return true;
}

static bool read_number(TraceTokens *t, const TraceRange *range, uint64_t *number)
{
    if (t->end - t->at > 2 && t->at[1] == 'x') return trace_tokens_hex(t, range->what, number);
    int64_t value = 0;
    const bool good = trace_tokens_decimal(t, range->what, (int64_t)range->lowest,
                                           (int64_t)MIN(range->highest, INT64_MAX), &value);
    *number = (uint64_t)value;
    return good;
}

bool trace_text_number(const TraceInput *input, const TraceText *text, const TraceRange *range,
                       uint64_t *number, GError **error)
{
    TraceTokens t = {.at = text->begin, .end = text->end};
    if (!read_number(&t, range, number)) {
        g_autofree char *why = trace_tokens_describe(&t);
        return trace_input_reject(input, error, "%s", why);
    }
    if (t.at != text->end) return trace_text_reject(input, text, "a number and no more", error);
    return (*number >= range->lowest && *number <= range->highest)
           || trace_input_reject(input, error,
                                 "%s 0x%" G_GINT64_MODIFIER "x, expected %" G_GUINT64_FORMAT
                                 " to %" G_GUINT64_FORMAT,
                                 range->what, *number, range->lowest, range->highest);
}

bool trace_text_triple(const TraceInput *input, const TraceText *text, uint64_t lowest,
                       uint64_t triple[3], GError **error)
{
    const char *p = text->begin, *end = text->end;
    if (p < end && *p == '(' && end[-1] == ')') p++, end--;
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t n = 0;
        const char *digits = p;
        for (; p < end && *p >= '0' && *p <= '9' && p - digits < 10; p++)
            n = n * 10 + (uint64_t)(*p - '0');
        if (p == digits || n < lowest || n > INT32_MAX) break;
        triple[i] = n;
        if (i == 2 && p == end) return true;
        if (p == end || *p++ != ',') break;
    }
    g_autofree char *expected = g_strdup_printf(
        "(x,y,z), three whole numbers from %" G_GUINT64_FORMAT " to %d", lowest, INT32_MAX);
    return trace_text_reject(input, text, expected, error);
}
