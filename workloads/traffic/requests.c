#include "workloads/traffic/requests.h"

#include <string.h>

#include "workloads/traffic/lines.h"

const char *const request_formats[] = {"plain", "dramsim3", "ramulator", "dramsys", NULL};

typedef enum { CYCLE, ADDRESS, OPERATION, KINDS } Kind;

typedef struct {
    const char *shown;
    uint32_t count;
    Kind order[KINDS];
} Order;

static const Order orders[] = {
    [REQUESTS_PLAIN] = {"cycle address R|W", 3, {CYCLE, ADDRESS, OPERATION}},
    [REQUESTS_DRAMSIM3] = {"address READ|WRITE cycle", 3, {ADDRESS, OPERATION, CYCLE}},
    [REQUESTS_RAMULATOR] = {"address R|W", 2, {ADDRESS, OPERATION}},
    [REQUESTS_DRAMSYS] = {"cycle: read|write address", 3, {CYCLE, OPERATION, ADDRESS}}};

#define ADDRESS_END (UINT64_C(1) << 56)
#define CYCLE_END (UINT64_C(1) << 48)

typedef struct {
    TraceInput *input;
    const Order *order;
    uint64_t bytes, line_bytes, last_cycle;
} Reader;

/* Decimal, or hexadecimal behind 0x. */
static bool read_number(const Word *word, uint64_t end, uint64_t *number)
{
    const char *at = word->begin, *const stop = word->begin + word->length;
    const bool hex = word->length > 2 && at[0] == '0' && (at[1] | 32) == 'x';
    const uint64_t base = hex ? 16 : 10;
    uint64_t value = 0;
    for (at += hex ? 2 : 0; at < stop; at++) {
        const int digit = g_ascii_xdigit_value(*at);
        if (digit < 0 || (uint64_t)digit >= base) return false;
        value = value * base + (uint64_t)digit;
        if (value >= end) return false;
    }
    *number = value;
    return true;
}

static bool read_cycle(Reader *reader, const Word *word, TrafficRequest *request, GError **error)
{
    if (!read_number(word, CYCLE_END, &request->cycle))
        return lines_reject(reader->input, word, "cycle, a number below 2^48", error);
    if (request->cycle < reader->last_cycle)
        return trace_input_reject(reader->input, error,
                                  "cycle %" G_GUINT64_FORMAT " comes after cycle %" G_GUINT64_FORMAT
                                  ": a list is in order of time",
                                  request->cycle, reader->last_cycle);
    reader->last_cycle = request->cycle;
    return true;
}

static bool read_address(const Reader *reader, const Word *word, TrafficRequest *request,
                         GError **error)
{
    uint64_t address;
    if (!read_number(word, ADDRESS_END, &address))
        return lines_reject(reader->input, word,
                            "address, decimal or hexadecimal with 0x, below 2^56", error);
    if (address % reader->line_bytes + reader->bytes > reader->line_bytes)
        return trace_input_reject(reader->input, error,
                                  "%" G_GUINT64_FORMAT " B from 0x%" G_GINT64_MODIFIER
                                  "x on are not in one line of %" G_GUINT64_FORMAT
                                  " B (workload.request_bytes, machine.line_bytes)",
                                  reader->bytes, address, reader->line_bytes);
    request->address = address;
    return true;
}

static bool is_word(const Word *word, const char *letter, const char *whole)
{
    return (word->length == 1 && !g_ascii_strncasecmp(word->begin, letter, 1))
           || (word->length == strlen(whole)
               && !g_ascii_strncasecmp(word->begin, whole, word->length));
}

static bool read_operation(const Reader *reader, const Word *word, TrafficRequest *request,
                           GError **error)
{
    request->write = is_word(word, "W", "WRITE");
    return request->write || is_word(word, "R", "READ")
           || lines_reject(reader->input, word, "operation, R, READ, W or WRITE", error);
}

static bool read_request(Reader *reader, const Word *words, TrafficRequest *request, GError **error)
{
    for (uint32_t k = 0; k < reader->order->count; k++) {
        bool good = false;
        switch (reader->order->order[k]) {
        case CYCLE: good = read_cycle(reader, &words[k], request, error); break;
        case ADDRESS: good = read_address(reader, &words[k], request, error); break;
        case OPERATION: good = read_operation(reader, &words[k], request, error); break;
        case KINDS: g_assert_not_reached();
        }
        if (!good) return false;
    }
    return true;
}

static bool read_all(Reader *reader, GArray *requests, GError **error)
{
    g_autofree Word *words = g_new(Word, LINE_WORDS_MAX + 1);
    GError *problem = NULL;
    uint32_t count;
    while (lines_next(reader->input, words, &count, &problem)) {
        TrafficRequest request = {.cycle = 0};
        if (count != reader->order->count)
            return trace_input_reject(reader->input, error, "%u words, expected %s", count,
                                      reader->order->shown);
        if (!read_request(reader, words, &request, error)) return false;
        g_array_append_val(requests, request);
    }
    if (problem) g_propagate_error(error, problem);
    return !problem;
}

GArray *requests_read(const char *path, Format format, uint64_t bytes, uint64_t line_bytes,
                      GError **error)
{
    g_autoptr(TraceInput) input = trace_input_open(path, error);
    g_autoptr(GArray) requests = g_array_new(FALSE, TRUE, sizeof(TrafficRequest));
    Reader reader = {input, &orders[format], bytes, line_bytes, 0};
    if (!input || !read_all(&reader, requests, error)) return NULL;
    if (requests->len) return g_steal_pointer(&requests);
    trace_input_reject(input, error, "the file has no request, expected %s", orders[format].shown);
    return NULL;
}
