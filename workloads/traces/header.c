#include "workloads/traces/header.h"

#include "workloads/traces/line.h"
#include "workloads/traces/text.h"

/* Published traces have such a line; what it should have said nobody knows. */
static bool check_registers(const TraceInput *input, TraceHeader *header)
{
    g_autoptr(GError) said = NULL;
    if (header->registers <= TRACE_REGISTERS_MAX || header->warning) return true;
    trace_input_reject(input, &said, "nregs %" G_GUINT64_FORMAT ", expected 0 to %d",
                       header->registers, TRACE_REGISTERS_MAX);
    header->warning = g_strdup(said->message);
    return true;
}

/* As many as an instruction can name and as a block of this size can have had: 64 Ki of all its
 * threads, in every compute capability from 3.0 on. */
static void limit_registers(TraceHeader *header, uint64_t threads)
{
    enum { REGISTERS_OF_A_BLOCK = 65536, REGISTERS_GRANULARITY = 8 };
    const uint64_t warps = (threads + TRACE_LANES - 1) / TRACE_LANES;
    const uint64_t most = REGISTERS_OF_A_BLOCK / (warps * TRACE_LANES);
    if (!header->warning) return;
    header->registers =
        MIN(TRACE_REGISTERS_MAX, most / REGISTERS_GRANULARITY * REGISTERS_GRANULARITY);
    g_autofree char *text =
        g_strdup_printf("%s; taken as %" G_GUINT64_FORMAT, header->warning, header->registers);
    g_free(header->warning);
    header->warning = g_steal_pointer(&text);
}

static bool read_header_value(const TraceInput *input, const TraceText *line, TraceHeader *header,
                              GError **error)
{
    struct {
        const char *key;
        uint64_t highest, *number;
    } const numbers[] = {
        {"-shmem", UINT32_MAX, &header->shared_bytes},
        {"-nregs", UINT32_MAX, &header->registers},
        {"-binary version", UINT32_MAX, &header->binary_version},
        {"-cuda stream id", INT64_MAX, &header->stream},
        {"-accelsim tracer version", UINT32_MAX, &header->tracer_version},
        {"-shmem base_addr", UINT64_MAX, &header->shared_base},
        {"-local mem base_addr", UINT64_MAX, &header->local_base},
    };
    TraceText value;
    uint64_t flag;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        if (trace_text_has_key(line, numbers[i].key, &value))
            return trace_text_number(input, &value, numbers[i].key + 1, numbers[i].highest,
                                     numbers[i].number, error)
                   && check_registers(input, header);
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
    limit_registers(header, (uint64_t)threads);
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
    g_free(header->warning);
    *header = (TraceHeader){0};
}
