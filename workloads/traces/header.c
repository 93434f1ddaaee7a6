#include "workloads/traces/header.h"

#include "workloads/traces/line.h"
#include "workloads/traces/text.h"

/* Published traces have such a line; what it should have said nobody knows. */
static bool read_registers(const TraceInput *input, const TraceText *value, TraceHeader *header,
                           GError **error)
{
    TraceTokens t = {.at = value->begin, .end = value->end};
    g_autoptr(GError) said = NULL;
    int64_t number = 0;
    const bool good = trace_tokens_decimal(&t, "nregs", 0, TRACE_REGISTERS_MAX, &number);
    g_autofree char *why = good ? NULL : trace_tokens_describe(&t);
    if (!good && t.expected) return trace_input_reject(input, error, "%s", why);
    if (good && t.at != value->end)
        return trace_text_reject(input, value, "a number and no more", error);
    header->registers = (uint64_t)number;
    g_clear_pointer(&header->warning, g_free);
    if (good) return true;
    trace_input_reject(input, &said, "%s", why);
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

static bool read_grid(const TraceInput *input, const TraceText *value, TraceHeader *header,
                      GError **error)
{
    if (!trace_text_triple(input, value, 1, header->grid, error)) return false;
    __extension__ typedef unsigned __int128 Wide;
    const Wide ctas = (Wide)header->grid[0] * header->grid[1] * header->grid[2];
    return ctas <= UINT64_C(1) << 31
           || trace_input_reject(input, error, "the grid has more than 2^31 CTAs");
}

static bool read_block(const TraceInput *input, const TraceText *value, TraceHeader *header,
                       GError **error)
{
    enum { THREADS_MAX = 2048 };
    if (!trace_text_triple(input, value, 1, header->block, error)) return false;
    const uint64_t *const block = header->block;
    if (block[0] <= THREADS_MAX && block[1] * block[2] <= THREADS_MAX
        && block[0] * block[1] * block[2] <= THREADS_MAX)
        return true;
    return trace_text_reject(input, value, "a block of at most 2048 threads", error);
}

static void read_name(const TraceText *value, TraceHeader *header)
{
    g_free(header->name);
    header->name = g_strndup(value->begin, (gsize)(value->end - value->begin));
}

static bool read_header_value(const TraceInput *input, const TraceText *line, TraceHeader *header,
                              GError **error)
{
    uint64_t flag = header->line_info;
    struct {
        TraceRange range;
        uint64_t *number;
    } const numbers[] = {
        {{"shmem", 0, UINT32_MAX}, &header->shared_bytes},
        {{"binary version", 0, UINT32_MAX}, &header->binary_version},
        {{"cuda stream id", 0, UINT64_MAX}, &header->stream},
        {{"accelsim tracer version", 1, TRACE_VERSION_MAX}, &header->tracer_version},
        {{"shmem base_addr", 0, UINT64_MAX}, &header->shared_base},
        {{"local mem base_addr", 0, UINT64_MAX}, &header->local_base},
        {{"enable lineinfo", 0, 1}, &flag},
    };
    const TraceText key = {line->begin + 1, line->end};
    TraceText value;
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (!trace_text_has_key(&key, numbers[i].range.what, &value)) continue;
        const bool good =
            trace_text_number(input, &value, &numbers[i].range, numbers[i].number, error);
        header->line_info = flag;
        return good;
    }
    if (trace_text_has_key(&key, "nregs", &value))
        return read_registers(input, &value, header, error);
    if (trace_text_has_key(&key, "grid dim", &value))
        return read_grid(input, &value, header, error);
    if (trace_text_has_key(&key, "block dim", &value))
        return read_block(input, &value, header, error);
    if (trace_text_has_key(&key, "kernel name", &value)) read_name(&value, header);
    return true;
}

static bool check_header(const TraceInput *input, TraceHeader *header, GError **error)
{
    if (!header->grid[0])
        return trace_input_reject(input, error, "the header has no '-grid dim = (x,y,z)'");
    if (!header->block[0])
        return trace_input_reject(input, error, "the header has no '-block dim = (x,y,z)'");
    limit_registers(header, header->block[0] * header->block[1] * header->block[2]);
    if (!header->name || !*header->name) {
        g_free(header->name);
        header->name = g_strdup("kernel");
    }
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
