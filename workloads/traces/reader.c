#include "workloads/traces/reader.h"

#include "workloads/traces/block.h"
#include "workloads/traces/line.h"
#include "workloads/traces/text.h"

/* An open file, from its header's end on. */
typedef struct {
    TraceInput *input;
    TraceLineParser *parser;
    uint64_t ctas_read;
    uint8_t *seen; /* a bit a CTA */
} TraceReader;

typedef struct {
    Kernel kernel;
    TraceHeader header;
    TraceReader *reader; /* NULL: not begun, or at its end */
} TraceKernel;

/* --- one CTA ---------------------------------------------------------------------------------- */

static void append_exit(TraceBlock *block, uint64_t pc, uint64_t lanes)
{
    const Instruction exit = {.operation = OPERATION_EXIT,
                              .unit = EXECUTE_OTHER,
                              .repeat = 1,
                              .pc = pc,
                              .mask = lanes,
                              .destination = REGISTER_NONE};
    trace_block_append(block, &exit);
}

static bool read_instructions(TraceReader *reader, Kernel *kernel, uint32_t warp, uint64_t count,
                              TraceBlock *block, GError **error)
{
    Instruction instruction;
    const uint64_t lanes = kernel_lane_mask(kernel, warp);
    bool exits = false;
    for (uint64_t i = 0; i < count; i++) {
        TraceText line;
        if (!trace_text_need(reader->input, "an instruction", &line, error)) return false;
        if (*line.begin == '#' || *line.begin == 'w')
            return trace_input_reject(reader->input, error,
                                      "the warp ends after %" G_GUINT64_FORMAT
                                      " instructions, expected %" G_GUINT64_FORMAT,
                                      i, count);
        if (!trace_line_parse(reader->parser, line.begin, line.end, &instruction, &exits)) {
            g_autofree char *why = trace_tokens_describe(&reader->parser->tokens);
            return trace_input_reject(reader->input, error, "%s", why);
        }
        if (reader->parser->unknown) kernel_note(kernel, NOTE_OPCODE, reader->parser->unknown);
        if (exits && i + 1 == count) {
            instruction.operation = OPERATION_EXIT;
            instruction.mask = instruction.mask ? instruction.mask : lanes;
        }
        trace_block_append(block, &instruction);
    }
    if (!exits) append_exit(block, instruction.pc + 16, lanes);
    return true;
}

static bool read_warp(TraceReader *reader, Kernel *kernel, const TraceText *number,
                      TraceBlock *block, GError **error)
{
    uint64_t warp, count;
    TraceText line, value;
    const TraceRange warps = {"warp", 0, block->warps - 1}, counts = {"insts", 0, INT64_MAX};
    if (!trace_text_number(reader->input, number, &warps, &warp, error)) return false;
    if (block->begin[warp] != TRACE_NO_WARP)
        return trace_input_reject(reader->input, error,
                                  "warp %" G_GUINT64_FORMAT " stands twice in this CTA", warp);
    if (!trace_text_need(reader->input, "'insts = COUNT'", &line, error)) return false;
    if (!trace_text_has_key(&line, "insts", &value))
        return trace_text_reject(reader->input, &line, "'insts = COUNT'", error);
    if (!trace_text_number(reader->input, &value, &counts, &count, error)) return false;
    if (!count) return true;
    block->begin[warp] = block->used;
    return read_instructions(reader, kernel, (uint32_t)warp, count, block, error);
}

/* "cluster id = x,y,z", "cluster cta = x,y,z" and "cluster rank = N" stand before the warps. */
static bool is_of_cluster(const TraceText *line)
{
    TraceText value;
    return trace_text_has_key(line, "cluster id", &value)
           || trace_text_has_key(line, "cluster cta", &value)
           || trace_text_has_key(line, "cluster rank", &value);
}

static bool read_warps(TraceReader *reader, Kernel *kernel, TraceBlock *block, GError **error)
{
    TraceText line, value;
    while (trace_text_need(reader->input, "'warp = N' or '#END_TB'", &line, error)) {
        if (trace_text_is(&line, "#END_TB")) return true;
        if (is_of_cluster(&line)) continue;
        if (!trace_text_has_key(&line, "warp", &value))
            return trace_text_reject(reader->input, &line, "'warp = N' or '#END_TB'", error);
        if (!read_warp(reader, kernel, &value, block, error)) return false;
    }
    return false;
}

/* "thread block = x,y,z": the CTA's place in the grid, which must be inside and new. */
static bool read_place(TraceReader *reader, const TraceHeader *header, uint64_t *cta,
                       GError **error)
{
    TraceText line, value;
    uint64_t at[3];
    const uint64_t *grid = header->grid;
    if (!trace_text_need(reader->input, "'thread block = x,y,z'", &line, error)) return false;
    if (!trace_text_has_key(&line, "thread block", &value))
        return trace_text_reject(reader->input, &line, "'thread block = x,y,z'", error);
    if (!trace_text_triple(reader->input, &value, 0, at, error)) return false;
    if (at[0] >= grid[0] || at[1] >= grid[1] || at[2] >= grid[2])
        return trace_text_reject(reader->input, &line, "a CTA inside the grid", error);
    *cta = (at[2] * grid[1] + at[1]) * grid[0] + at[0];
    uint8_t *byte = &reader->seen[*cta / 8];
    const uint8_t bit = (uint8_t)(1u << *cta % 8);
    if (*byte & bit) return trace_text_reject(reader->input, &line, "each CTA once", error);
    *byte |= bit;
    return true;
}

/* "...; the file ends here, in CTA x,y,z of kernel NAME, behind N of its M CTAs". */
static void add_place(GError **error, const TraceReader *reader, const TraceKernel *trace,
                      uint64_t cta)
{
    const uint64_t *grid = trace->header.grid;
    const bool cut = trace_input_cut(reader->input);
    if (!error || !*error || !(cut || trace_input_ended(reader->input))) return;
    char *message = g_strdup_printf("%s%s, in CTA %" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                                    ",%" G_GUINT64_FORMAT " of kernel %s, behind %" G_GUINT64_FORMAT
                                    " of its %" G_GUINT64_FORMAT " CTAs",
                                    (*error)->message, cut ? "; the file ends here" : "",
                                    cta % grid[0], cta / grid[0] % grid[1], cta / grid[0] / grid[1],
                                    trace->kernel.name, reader->ctas_read, trace->kernel.ctas);
    g_free((*error)->message);
    (*error)->message = message;
}

/* Up to the line that begins a CTA. False at the end of the file, and with error. */
static bool find_cta(TraceReader *reader, const TraceKernel *trace, GError **error)
{
    TraceText line;
    g_autoptr(GError) problem = NULL;
    do {
        if (trace_text_next(reader->input, &line, &problem)) continue;
        if (!problem && reader->ctas_read < trace->kernel.ctas)
            trace_input_reject(reader->input, &problem,
                               "the file ends behind %" G_GUINT64_FORMAT
                               " of the %" G_GUINT64_FORMAT " CTAs of kernel %s",
                               reader->ctas_read, trace->kernel.ctas, trace->kernel.name);
        if (problem) g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    } while (*line.begin == '#' && !trace_text_is(&line, "#BEGIN_TB"));
    return *line.begin == '#'
           || trace_text_reject(reader->input, &line,
                                "'#BEGIN_TB', which Accel-Sim's post-traces-processing writes",
                                error);
}

/* The next CTA; NULL without error behind the last one. */
static TraceBlock *read_cta(TraceReader *reader, TraceKernel *trace, GError **error)
{
    uint64_t cta = 0;
    if (!find_cta(reader, trace, error) || !read_place(reader, &trace->header, &cta, error))
        return NULL;
    g_autoptr(TraceBlock) block = trace_block_new(cta, kernel_warps(&trace->kernel));
    if (!read_warps(reader, &trace->kernel, block, error)) {
        add_place(error, reader, trace, cta);
        return NULL;
    }
    reader->ctas_read++;
    block->bytes = g_realloc(block->bytes, block->used);
    return g_steal_pointer(&block);
}

/* --- the kernel ------------------------------------------------------------------------------- */

static void reader_close(TraceReader *reader)
{
    if (!reader) return;
    trace_input_close(reader->input);
    g_free(reader->parser);
    g_free(reader->seen);
    g_free(reader);
}

static TraceReader *reader_open(const TraceKernel *trace, GError **error)
{
    const TraceHeader *known = &trace->header;
    g_autoptr(TraceInput) input = trace_input_open(known->path, error);
    TraceHeader header = {0};
    if (!input || !trace_header_read(input, &header, error)) {
        trace_header_clear(&header);
        return NULL;
    }
    trace_header_clear(&header);
    TraceReader *reader = g_new0(TraceReader, 1);
    reader->input = g_steal_pointer(&input);
    reader->seen = g_malloc0(trace->kernel.ctas / 8 + 1);
    reader->parser = trace_line_parser_new();
    reader->parser->version = known->tracer_version;
    reader->parser->line_info = known->line_info;
    reader->parser->shared_base = known->shared_base;
    reader->parser->local_base = known->local_base;
    return reader;
}

static void *open_cta(Kernel *kernel, uint64_t *cta, GError **error)
{
    TraceKernel *trace = (TraceKernel *)kernel;
    if (!trace->reader) trace->reader = reader_open(trace, error);
    if (!trace->reader) return NULL;
    TraceBlock *block = read_cta(trace->reader, trace, error);
    if (block)
        *cta = block->cta;
    else
        g_clear_pointer(&trace->reader, reader_close); /* another launch begins anew */
    return block;
}

static void close_cta(G_GNUC_UNUSED Kernel *kernel, void *stream)
{
    trace_block_free(stream);
}

static void fetch(const Kernel *kernel, WarpCursor *cursor, Instruction *instruction)
{
    trace_block_fetch(cursor, kernel_lane_mask(kernel, cursor->warp), instruction);
}

static void free_kernel(Kernel *kernel)
{
    TraceKernel *trace = (TraceKernel *)kernel;
    reader_close(trace->reader);
    trace_header_clear(&trace->header);
    g_free(trace);
}

static const KernelClass kernel_class = {
    .fetch = fetch, .open_cta = open_cta, .close_cta = close_cta, .free = free_kernel};

Kernel *trace_kernel_new(const char *path, GError **error)
{
    g_autoptr(TraceInput) input = trace_input_open(path, error);
    TraceHeader header = {0};
    if (!input || !trace_header_read(input, &header, error)) {
        trace_header_clear(&header);
        return NULL;
    }
    header.path = g_strdup(path);
    TraceKernel *trace = g_new0(TraceKernel, 1);
    trace->header = header;
    trace->kernel = (Kernel){
        .class = &kernel_class,
        .name = g_strdup(header.name),
        .origin = g_strdup(path),
        .ctas = header.grid[0] * header.grid[1] * header.grid[2],
        .threads_per_cta = (uint32_t)(header.block[0] * header.block[1] * header.block[2]),
        .warp_lanes = TRACE_LANES,
        .registers_per_thread = (uint32_t)header.registers,
        .shared_bytes_per_cta = header.shared_bytes,
    };
    if (header.warning) kernel_note(&trace->kernel, NOTE_WARNING, header.warning);
    return &trace->kernel;
}

const TraceHeader *trace_kernel_header(const Kernel *kernel)
{
    return &((const TraceKernel *)kernel)->header;
}
