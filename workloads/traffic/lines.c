#include "workloads/traffic/lines.h"

static bool is_between(char c)
{
    return (unsigned char)c <= ' ' || c == ':';
}

static uint32_t split(const char *at, const char *end, Word *words)
{
    uint32_t count = 0;
    while (count <= LINE_WORDS_MAX) {
        while (at < end && is_between(*at)) at++;
        if (at == end || *at == '#') break;
        const char *begin = at;
        while (at < end && !is_between(*at) && *at != '#') at++;
        words[count++] = (Word){begin, (size_t)(at - begin)};
    }
    return count;
}

bool lines_next(TraceInput *input, Word *words, uint32_t *count, GError **error)
{
    const char *begin, *end;
    while (trace_input_line(input, &begin, &end, error)) {
        *count = split(begin, end, words);
        if (*count) return true;
    }
    return false;
}

bool lines_reject(const TraceInput *input, const Word *word, const char *what, GError **error)
{
    g_autofree char *text = g_strndup(word->begin, MIN(word->length, 80));
    g_autofree char *shown = g_strescape(text, NULL);
    return trace_input_reject(input, error, "'%s' is no %s", shown, what);
}
