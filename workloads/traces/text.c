#include "workloads/traces/text.h"

#include <string.h>

#include "workloads/traces/line.h"

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ';
}

bool trace_text_next(TraceInput *input, TraceText *line, GError **error)
{
    while (trace_input_line(input, &line->begin, &line->end, error)) {
        while (line->begin < line->end && is_blank(*line->begin)) line->begin++;
        while (line->end > line->begin && is_blank(line->end[-1])) line->end--;
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
    while (p < line->end && is_blank(*p)) p++;
    if (p == line->end || *p != '=') return false;
    for (p++; p < line->end && is_blank(*p);) p++;
    *value = (TraceText){p, line->end};
    return true;
}

bool trace_text_number(const TraceInput *input, const TraceText *text, const char *what,
                       uint64_t highest, uint64_t *number, GError **error)
{
    TraceTokens t = {.at = text->begin, .end = text->end};
    int64_t value = 0;
    bool good;
    if (text->end - text->begin > 2 && text->begin[1] == 'x') {
        good = trace_tokens_hex(&t, what, number);
    } else {
        good =
            trace_tokens_decimal(&t, what, 0, (int64_t)MIN(highest, (uint64_t)INT64_MAX), &value);
        *number = (uint64_t)value;
    }
    if (good && t.at == text->end) return true;
    g_autofree char *why =
        good ? g_strdup_printf("%s has more than a number", what) : trace_tokens_describe(&t);
    return trace_input_reject(input, error, "%s", why);
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
    return trace_text_reject(input, text, "three whole numbers (x,y,z)", error);
}
