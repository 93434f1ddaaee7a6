#include "workloads/traces/header.h"

#include "workloads/traces/line.h"
#include "workloads/traces/text.h"

static bool read_header_value(const TraceInput *input, const TraceText *line, TraceHeader *header,
                              GError **error)
{
    struct {
        const char *key;
        uint64_t highest, *number;
    } const numbers[] = {
        {"-shmem", UINT32_MAX, &header->shared_bytes},
        {"-nregs", 255, &header->registers},
        {"-binary version", UINT32_MAX, &header->binary_version},
        {"-accelsim tracer version", UINT32_MAX, &header->tracer_version},
        {"-shmem base_addr", UINT64_MAX, &header->shared_base},
        {"-local mem base_addr", UINT64_MAX, &header->local_base},
    };
    TraceText value;
    uint64_t flag;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (trace_text_has_key(line, numbers[i].key, &value))
            return trace_text_number(input, &value, numbers[i].key + 1, numbers[i].highest,
                                     numbers[i].number, error);
    if (trace_text_has_key(line, "-grid dim", &value))
        return trace_text_triple(input, &value, 1, header->grid, error);
    if (trace_text_has_key(line, "-block dim", &value))
        return trace_text_triple(input, &value, 1, header->block, error);
    if (trace_text_has_key(line, "-enable lineinfo", &value)) {
        if (!trace_text_number(input, &value, "enable lineinfo", 1, &flag, error)) return false;
        header->line_info = flag;
    } else if (trace_text_has_key(line, "-kernel name", &value)) {
        g_free(header->name);
        header->name = g_strndup(value.begin, (gsize)(value.end - value.begin));
    }
    return true;
}

static bool check_header(const TraceInput *input, TraceHeader *header, GError **error)
{
    if (!header->grid[0])
        return trace_input_reject(input, error, "the header has no '-grid dim = (x,y,z)'");
    if (!header->block[0])
        return trace_input_reject(input, error, "the header has no '-block dim = (x,y,z)'");
    if (header->tracer_version < 1 || header->tracer_version > TRACE_VERSION_MAX)
        return trace_input_reject(
            input, error, "accelsim tracer version '%" G_GUINT64_FORMAT "', expected 1 to %d",
            header->tracer_version, TRACE_VERSION_MAX);
    __extension__ typedef unsigned __int128 Wide;
    const Wide ctas = (Wide)header->grid[0] * header->grid[1] * header->grid[2];
    const Wide threads = (Wide)header->block[0] * header->block[1] * header->block[2];
    if (ctas > UINT64_C(1) << 31)
        return trace_input_reject(input, error, "the grid has more than 2^31 CTAs");
    if (threads > 2048)
        return trace_input_reject(
            input, error, "the block has %" G_GUINT64_FORMAT " threads, expected at most 2048",
            (uint64_t)threads);
    if (!header->name) header->name = g_strdup("kernel");
    return true;
}

bool trace_header_read(TraceInput *input, TraceHeader *header, GError **error)
{
    header->tracer_version = 1; /* what the oldest tracers do not say */
    TraceText line;
    while (trace_text_need(input, "a line that begins with # and ends the header", &line, error)) {
        if (*line.begin == '#') {
            if (trace_text_is(&line, "#BEGIN_TB")) trace_input_unread(input);
            return check_header(input, header, error);
        }
        if (*line.begin != '-')
            return trace_text_reject(input, &line, "'-key = value' or # at the header's end",
                                     error);
        if (!read_header_value(input, &line, header, error)) return false;
    }
    return false;
}

void trace_header_clear(TraceHeader *header)
{
    g_free(header->path);
    g_free(header->name);
    *header = (TraceHeader){0};
}
