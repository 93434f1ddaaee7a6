/* Instructions as lines of a .traceg file. */
#include <errno.h>
#include <glib/gstdio.h>

#include "workloads/traces/generate.h"
#include "workloads/traces/header.h"

/* Windows of generic addresses, which nothing here uses. */
static const char windows[] = "-shmem base_addr = 0x00007f3000000000\n"
                              "-local mem base_addr = 0x00007f3800000000\n";

typedef struct {
    TraceOutput *out;
    const TraceEncoding *encoding;
    const Kernel *kernel;
    const WarpCursor *cursor;
} Writer;

/* --- opcodes ---------------------------------------------------------------------------------- */

static const char *alu_name(const Instruction *in)
{
    switch ((ExecutionUnit)in->unit) {
    case EXECUTE_FP32: return "FFMA";
    case EXECUTE_FP64: return "DFMA";
    case EXECUTE_SFU: return "MUFU";
    case EXECUTE_INT: return in->destination_count > 1 ? "IMAD.WIDE" : "IADD3";
    case EXECUTE_TEXTURE: return "TEX";
    case EXECUTE_SHUFFLE: return "SHFL.IDX";
    case EXECUTE_OTHER: break;
    }
    return "NOP";
}

static const char *memory_name(const Instruction *in)
{
    static const char *const names[][3] = {
        [SPACE_GLOBAL] = {"LDG.E", "STG.E", "ATOMG.E.ADD"},
        [SPACE_SHARED] = {"LDS", "STS", "ATOMS.ADD"},
        [SPACE_LOCAL] = {"LDL", "STL", "STL"},
        [SPACE_CONSTANT] = {"LDC", "LDC", "LDC"},
        [SPACE_TEXTURE] = {"TEX", "SUST", "SUATOM.ADD"},
    };
    if (in->operation == OPERATION_ATOMIC && in->destination == REGISTER_NONE) return "RED.E.ADD";
    const uint32_t column = in->operation == OPERATION_ATOMIC  ? 2
                            : in->operation == OPERATION_STORE ? 1
                                                               : 0;
    return names[in->space][column];
}

static const char *width_suffix(uint8_t width)
{
    switch (width) {
    case 1: return ".U8";
    case 2: return ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
    }
}

static const char *hint_suffix(uint8_t hint)
{
    switch ((CacheHint)hint) {
    case CACHE_L2_ONLY: return ".CG";
    case CACHE_READ_ONLY: return ".CONSTANT";
    case CACHE_STREAMING: return ".CS";
    case CACHE_ALL: break;
    }
    return "";
}

static void write_opcode(const Writer *w, const Instruction *in)
{
    switch ((Operation)in->operation) {
    case OPERATION_ALU: trace_output_text(w->out, alu_name(in)); break;
    case OPERATION_BARRIER: trace_output_text(w->out, "BAR.SYNC"); break;
    case OPERATION_FENCE: trace_output_text(w->out, "MEMBAR.SC.GPU"); break;
    case OPERATION_WAIT_STORES: trace_output_text(w->out, "DEPBAR.LE"); break;
    case OPERATION_PACE: g_assert_not_reached(); /* patterns that are paced need a machine */
    case OPERATION_EXIT: trace_output_text(w->out, "EXIT"); break;
    case OPERATION_LOAD:
    case OPERATION_STORE:
    case OPERATION_ATOMIC:
        trace_output_text(w->out, memory_name(in));
        trace_output_text(w->out, width_suffix(in->width));
        trace_output_text(w->out, hint_suffix(in->hint));
    }
}

/* --- registers -------------------------------------------------------------------------------- */

static void write_register(const Writer *w, uint8_t number)
{
    trace_output_text(w->out, "R");
    trace_output_decimal(w->out, number);
    trace_output_text(w->out, " ");
}

/* Only the first register of a pair or quad is named; the opcode tells how many follow. */
static void write_sources(const Writer *w, const Instruction *in)
{
    uint8_t named[INSTRUCTION_SOURCES];
    uint32_t count = 0;
    const bool address_pair = in->width && in->space == SPACE_GLOBAL;
    const bool pairs = !in->width && in->unit == EXECUTE_FP64;
    for (uint32_t i = 0; i < in->source_count;) {
        uint32_t step = pairs ? 2 : 1;
        if (in->width) step = i ? MAX(1u, in->width / 4u) : 1u + address_pair;
        named[count++] = in->sources[i];
        i += step;
    }
    trace_output_decimal(w->out, count);
    trace_output_text(w->out, " ");
    for (uint32_t i = 0; i < count; i++) write_register(w, named[i]);
}

static void write_destination(const Writer *w, const Instruction *in)
{
    const bool writes = in->destination != REGISTER_NONE;
    trace_output_text(w->out, writes ? "1 " : "0 ");
    if (writes) write_register(w, in->destination);
}

/* --- addresses -------------------------------------------------------------------------------- */

static uint32_t list_addresses(const Instruction *in, uint64_t *addresses)
{
    const LaneSteps steps = instruction_steps(in);
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < TRACE_LANES; lane++)
        if (in->mask >> lane & 1) {
            addresses[n] = in->addresses ? in->addresses[n] : lane_address(&steps, lane);
            n++;
        }
    return n;
}

/* Base and stride say all when the lanes are one run; a single lane has no stride, so tracers
 * list it as mode 2. */
static bool fits_stride(const Instruction *in, uint32_t count)
{
    const uint64_t run = in->mask >> __builtin_ctzll(in->mask);
    return !in->addresses && !in->row_lanes && !(run & (run + 1)) && count > 1;
}

static TraceAddressMode choose_mode(const Writer *w, const Instruction *in, uint32_t count)
{
    const TraceAddressMode wanted = (TraceAddressMode)w->encoding->address_mode;
    if (wanted == ADDRESSES_LISTED || wanted == ADDRESSES_DELTAS) return wanted;
    return fits_stride(in, count) ? ADDRESSES_STRIDED : ADDRESSES_DELTAS;
}

static void write_addresses(const Writer *w, const Instruction *in)
{
    uint64_t address[TRACE_LANES];
    const uint32_t count = list_addresses(in, address);
    const TraceAddressMode mode = choose_mode(w, in, count);
    trace_output_decimal(w->out, in->width);
    trace_output_text(w->out, mode == ADDRESSES_LISTED    ? " 0 0x"
                              : mode == ADDRESSES_STRIDED ? " 1 0x"
                                                          : " 2 0x");
    trace_output_hex(w->out, address[0], 1);
    trace_output_text(w->out, " ");
    for (uint32_t i = 1; i < (mode == ADDRESSES_STRIDED ? 2 : count); i++) {
        if (mode == ADDRESSES_LISTED) {
            trace_output_text(w->out, "0x");
            trace_output_hex(w->out, address[i], 1);
        } else {
            trace_output_decimal(w->out, (int64_t)(address[i] - address[i - 1]));
        }
        trace_output_text(w->out, " ");
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

static void write_prefix(const Writer *w, const Instruction *in)
{
    if (w->encoding->tracer_version < 3) {
        trace_output_decimal(w->out, (int64_t)w->cursor->cta);
        trace_output_text(w->out, " 0 0 ");
        trace_output_decimal(w->out, w->cursor->warp);
        trace_output_text(w->out, " ");
    }
    if (!w->encoding->line_info) return;
    trace_output_decimal(w->out, in->source_line ? in->source_line : (int64_t)(in->pc / 16));
    trace_output_text(w->out, " ");
}

static void write_line(const Writer *w, const Instruction *in)
{
    write_prefix(w, in);
    trace_output_hex(w->out, in->pc, 4);
    trace_output_text(w->out, " ");
    trace_output_hex(w->out, in->mask, 8);
    trace_output_text(w->out, " ");
    write_destination(w, in);
    write_opcode(w, in);
    trace_output_text(w->out, " ");
    write_sources(w, in);
    if (in->width && in->mask)
        write_addresses(w, in);
    else
        trace_output_text(w->out, "0 ");
    trace_output_text(w->out, w->encoding->tracer_version >= 6   ? "0 0 NoVal\n"
                              : w->encoding->tracer_version == 5 ? "0\n"
                                                                 : "\n");
}

/* A run of dependent arithmetic instructions is written one by one; that each reads what it
 * writes makes them dependent. */
static void write_instruction(const Writer *w, const Instruction *in)
{
    const uint32_t times = in->operation == OPERATION_ALU ? MAX(in->repeat, 1) : 1;
    for (uint32_t i = 0; i < times; i++) write_line(w, in);
}

static uint64_t count_lines(const Kernel *kernel, WarpCursor cursor)
{
    Instruction in;
    uint64_t lines = 0;
    do {
        kernel->class->fetch(kernel, &cursor, &in);
        lines += in.operation == OPERATION_ALU ? MAX(in.repeat, 1) : 1;
    } while (in.operation != OPERATION_EXIT);
    return lines;
}

static void write_warp(Writer *w, uint64_t cta, uint32_t warp, const void *stream)
{
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor = {.addresses = addresses, .cta = cta, .warp = warp, .stream = stream};
    w->cursor = &cursor;
    trace_output_text(w->out, "\nwarp = ");
    trace_output_decimal(w->out, warp);
    trace_output_text(w->out, "\ninsts = ");
    trace_output_decimal(w->out, (int64_t)count_lines(w->kernel, cursor));
    trace_output_text(w->out, "\n");
    Instruction in;
    do {
        w->kernel->class->fetch(w->kernel, &cursor, &in);
        write_instruction(w, &in);
    } while (in.operation != OPERATION_EXIT);
}

/* Without clusters a tracer writes those of one CTA. */
static void write_cluster(const Writer *w, uint64_t cta)
{
    trace_output_text(w->out, "cluster id = ");
    trace_output_decimal(w->out, (int64_t)cta);
    trace_output_text(w->out, ",0,0\ncluster cta = 0,0,0\ncluster rank = 0\n");
}

static void write_cta(Writer *w, uint64_t cta, const void *stream)
{
    trace_output_text(w->out, "#BEGIN_TB\n\nthread block = ");
    trace_output_decimal(w->out, (int64_t)cta);
    trace_output_text(w->out, ",0,0\n");
    if (w->encoding->tracer_version >= 6) write_cluster(w, cta);
    for (uint32_t warp = 0; warp < kernel_warps(w->kernel); warp++)
        write_warp(w, cta, warp, stream);
    trace_output_text(w->out, "\n#END_TB\n\n");
}

static void write_ctas(Writer *w, Kernel *kernel, GError **error)
{
    uint64_t cta;
    void *stream;
    if (!kernel->class->open_cta) {
        for (cta = 0; cta < kernel->ctas; cta++) write_cta(w, cta, NULL);
        return;
    }
    while ((stream = kernel->class->open_cta(kernel, &cta, error))) {
        write_cta(w, cta, stream);
        kernel->class->close_cta(kernel, stream);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static void write_header(const Writer *w, guint number)
{
    const Kernel *k = w->kernel;
    g_autofree char *text = g_strdup_printf(
        "-kernel name = %s\n-kernel id = %u\n-grid dim = (%" G_GUINT64_FORMAT ",1,1)\n"
        "-block dim = (%u,1,1)\n-shmem = %" G_GUINT64_FORMAT "\n-nregs = %u\n"
        "-binary version = 70\n-cuda stream id = 0\n%s-nvbit version = 1.7\n"
        "-accelsim tracer version = %" G_GUINT64_FORMAT "\n-enable lineinfo = %d\n\n",
        k->name, number, k->ctas, k->threads_per_cta, k->shared_bytes_per_cta,
        k->registers_per_thread, windows, w->encoding->tracer_version, w->encoding->line_info);
    trace_output_text(w->out, text);
    trace_output_text(w->out, "#traces format = PC mask dest_num [reg_dests] opcode src_num "
                              "[reg_srcs] mem_width [address mode] [addresses] [immediate]\n\n");
}

/* NULL with error. */
static OutputFile *write_kernel(Kernel *kernel, guint number, const char *path,
                                const TraceEncoding *encoding, GError **error)
{
    g_autoptr(GError) problem = NULL;
    TraceOutput *out = trace_output_open(path, (Compression)encoding->compression, error);
    if (!out) return NULL;
    Writer w = {.out = out, .encoding = encoding, .kernel = kernel};
    write_header(&w, number);
    write_ctas(&w, kernel, &problem);
    g_autoptr(OutputFile) file = trace_output_close(out, problem ? NULL : &problem);
    if (!problem) return g_steal_pointer(&file);
    g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}

static void write_copies(TraceOutput *out, const LaunchList *list, const Launch *launch)
{
    for (uint32_t i = 0; launch->copies && i < launch->copy_count; i++) {
        trace_output_text(out, "MemcpyHtoD,0x");
        trace_output_hex(out, launch->copies[i].address, 16);
        trace_output_text(out, ",");
        trace_output_decimal(out, (int64_t)launch->copies[i].bytes);
        trace_output_text(out, "\n");
    }
    guint number = 0;
    g_ptr_array_find(list->kernels, launch->kernel, &number);
    trace_output_text(out, "kernel-");
    trace_output_decimal(out, number + 1);
    trace_output_text(out, ".traceg\n");
}

/* NULL with error. */
static OutputFile *write_list(const LaunchList *list, const char *directory, GError **error)
{
    g_autofree char *path = g_build_filename(directory, "kernelslist.g", NULL);
    TraceOutput *out = trace_output_open(path, COMPRESSION_NONE, error);
    if (!out) return NULL;
    for (guint i = 0; i < list->launches->len; i++)
        write_copies(out, list, &g_array_index(list->launches, Launch, i));
    return trace_output_close(out, error);
}

/* An old trace stays whole until all of the new one is on the disk; the list, which names the
 * others, comes last. */
static bool publish(const GPtrArray *files, const char *directory, GError **error)
{
    for (guint i = 0; i < files->len; i++) {
        const int code = output_file_publish(files->pdata[i]);
        if (!code) continue;
        g_set_error(error, TRACE_ERROR, 0, "%s: %s", directory, g_strerror(code));
        return false;
    }
    return true;
}

static char *kernel_path(const char *directory, guint number, Compression compression)
{
    static const char *const suffixes[] = {"", ".gz", ".xz"};
    g_autofree char *name = g_strdup_printf("kernel-%u.traceg%s", number, suffixes[compression]);
    return g_build_filename(directory, name, NULL);
}

/* A plain file would be read before a compressed one of the new trace. */
static void remove_others(const LaunchList *list, const char *directory, Compression written)
{
    for (guint number = 1; number <= list->kernels->len; number++) {
        for (Compression other = COMPRESSION_NONE; other <= COMPRESSION_XZ; other++) {
            g_autofree char *path = kernel_path(directory, number, other);
            if (other != written) g_unlink(path);
        }
    }
}

/* A trace has addresses, and a texture unit would make others of its coordinates. */
static bool check_samples(const LaunchList *list, GError **error)
{
    for (guint i = 0; i < list->kernels->len; i++) {
        const Kernel *kernel = list->kernels->pdata[i];
        if (!kernel->class->coordinates) continue;
        g_set_error(error, TRACE_ERROR, 0,
                    "kernel %s: samples textures at coordinates, a trace can have only addresses",
                    kernel->name);
        return false;
    }
    return true;
}

static bool check_lanes(const LaunchList *list, GError **error)
{
    for (guint i = 0; i < list->kernels->len; i++) {
        const Kernel *kernel = list->kernels->pdata[i];
        if (kernel->warp_lanes == TRACE_LANES) continue;
        g_set_error(error, TRACE_ERROR, 0,
                    "kernel %s: has warps of %u lanes, a trace can have only warps of %d",
                    kernel->name, kernel->warp_lanes, TRACE_LANES);
        return false;
    }
    return true;
}

bool trace_write(const LaunchList *list, const TraceEncoding *encoding, const char *directory,
                 GError **error)
{
    if (!check_lanes(list, error) || !check_samples(list, error)) return false;
    if (g_mkdir_with_parents(directory, 0777)) {
        g_set_error(error, TRACE_ERROR, 0, "%s: cannot be written: %s", directory,
                    g_strerror(errno));
        return false;
    }
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func((GDestroyNotify)output_file_free);
    for (guint i = 0; i < list->kernels->len; i++) {
        g_autofree char *path = kernel_path(directory, i + 1, (Compression)encoding->compression);
        OutputFile *file = write_kernel(list->kernels->pdata[i], i + 1, path, encoding, error);
        if (!file) return false;
        g_ptr_array_add(files, file);
    }
    OutputFile *file = write_list(list, directory, error);
    if (!file) return false;
    g_ptr_array_add(files, file);
    if (!publish(files, directory, error)) return false;
    remove_others(list, directory, (Compression)encoding->compression);
    return true;
}
