#include "workloads/traces/summary.h"

#include <string.h>

#include "workloads/traces/reader.h"

enum { SECTOR_BYTES = 32, SECTORS_A_LANE = 2 };

enum {
    OPERATION_COUNT = OPERATION_EXIT + 1,
    UNIT_COUNT = EXECUTE_OTHER + 1,
    SPACE_COUNT = SPACE_TEXTURE + 1
};

/* Instructions are warp instructions; sectors are the different 32-byte blocks of each, outside
 * shared memory. */
typedef struct {
    uint64_t ctas, warps, idle_warps; /* idle: without instructions but the exit */
    uint64_t instructions;
    uint64_t by_operation[OPERATION_COUNT];
    uint64_t by_unit[UNIT_COUNT];   /* arithmetic */
    uint64_t by_space[SPACE_COUNT]; /* accesses */
    uint64_t lane_accesses, bytes, sectors;
} TraceSummary;

static const char *const operation_names[OPERATION_COUNT] = {
    [OPERATION_ALU] = "arithmetic and other",
    [OPERATION_LOAD] = "loads",
    [OPERATION_STORE] = "stores",
    [OPERATION_ATOMIC] = "atomics",
    [OPERATION_BARRIER] = "barriers",
    [OPERATION_FENCE] = "fences",
    [OPERATION_WAIT_STORES] = "waits for stores",
    [OPERATION_PACE] = "sleeps",
    [OPERATION_EXIT] = "exits",
};
static const char *const unit_names[UNIT_COUNT] = {
    [EXECUTE_FP32] = "fp32",   [EXECUTE_FP64] = "fp64",       [EXECUTE_SFU] = "special function",
    [EXECUTE_INT] = "int",     [EXECUTE_TEXTURE] = "texture", [EXECUTE_SHUFFLE] = "shuffle",
    [EXECUTE_OTHER] = "other",
};
static const char *const space_names[SPACE_COUNT] = {
    [SPACE_GLOBAL] = "global",     [SPACE_SHARED] = "shared",   [SPACE_LOCAL] = "local",
    [SPACE_CONSTANT] = "constant", [SPACE_TEXTURE] = "texture",
};

/* Adds a sector to the ascending list unless it is in it. Lanes mostly come in ascending order. */
static uint32_t insert_sector(uint64_t *sectors, uint32_t count, uint64_t sector)
{
    uint32_t at = count;
    while (at && sectors[at - 1] > sector) at--;
    if (at && sectors[at - 1] == sector) return count;
    memmove(sectors + at + 1, sectors + at, (count - at) * sizeof(uint64_t));
    sectors[at] = sector;
    return count + 1;
}

static uint32_t count_sectors(const Instruction *in)
{
    uint64_t sectors[TRACE_LANES * SECTORS_A_LANE];
    const LaneSteps steps = instruction_steps(in);
    uint32_t count = 0, n = 0;
    for (uint32_t lane = 0; lane < TRACE_LANES; lane++) {
        if (!(in->mask >> lane & 1)) continue;
        const uint64_t address = in->addresses ? in->addresses[n++] : lane_address(&steps, lane);
        const uint64_t last = (address + in->width - 1) / SECTOR_BYTES;
        for (uint64_t s = address / SECTOR_BYTES; s <= last; s++)
            count = insert_sector(sectors, count, s);
    }
    return count;
}

static void count_access(TraceSummary *summary, const Instruction *in)
{
    const uint32_t lanes = count_lanes(in->mask);
    summary->by_space[in->space]++;
    summary->lane_accesses += lanes;
    summary->bytes += (uint64_t)lanes * in->width;
    if (in->space != SPACE_SHARED) summary->sectors += count_sectors(in);
}

static void count_warp(TraceSummary *summary, const Kernel *kernel, WarpCursor *cursor)
{
    Instruction in;
    do {
        kernel->class->fetch(kernel, cursor, &in);
        summary->instructions++;
        summary->by_operation[in.operation]++;
        if (in.operation == OPERATION_ALU) summary->by_unit[in.unit]++;
        if (in.width) count_access(summary, &in);
    } while (in.operation != OPERATION_EXIT);
    summary->warps++;
    summary->idle_warps += cursor->position == 1;
}

static bool count_kernel(TraceSummary *summary, Kernel *kernel, GError **error)
{
    g_autoptr(GError) problem = NULL;
    uint64_t cta;
    void *stream;
    while ((stream = kernel->class->open_cta(kernel, &cta, &problem))) {
        for (uint32_t warp = 0; warp < kernel_warps(kernel); warp++) {
            uint64_t addresses[LANES_MAX];
            WarpCursor cursor = {
                .addresses = addresses, .cta = cta, .warp = warp, .stream = stream};
            count_warp(summary, kernel, &cursor);
        }
        summary->ctas++;
        kernel->class->close_cta(kernel, stream);
    }
    if (!problem) return true;
    g_propagate_error(error, g_steal_pointer(&problem));
    return false;
}

/* --- text ------------------------------------------------------------------------------------- */

static void add_row(GString *text, const char *name, uint64_t number)
{
    if (number) g_string_append_printf(text, "  %-28s %16" G_GUINT64_FORMAT "\n", name, number);
}

static void add_rows(GString *text, const char *prefix, const char *const *names,
                     const uint64_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        g_autofree char *name = g_strconcat(prefix, names[i], NULL);
        add_row(text, name, numbers[i]);
    }
}

static void add_counts(GString *text, const TraceSummary *s)
{
    add_row(text, "CTAs", s->ctas);
    add_row(text, "warps", s->warps);
    add_row(text, "warps without instructions", s->idle_warps);
    add_row(text, "warp instructions", s->instructions);
    add_rows(text, "  ", operation_names, s->by_operation, OPERATION_COUNT);
    add_rows(text, "  arithmetic, ", unit_names, s->by_unit, UNIT_COUNT);
    add_rows(text, "  accesses, ", space_names, s->by_space, SPACE_COUNT);
    add_row(text, "lane accesses", s->lane_accesses);
    add_row(text, "bytes asked for", s->bytes);
    add_row(text, "sectors of 32 B", s->sectors);
}

static void add_totals(TraceSummary *total, const TraceSummary *s)
{
    total->ctas += s->ctas;
    total->warps += s->warps;
    total->idle_warps += s->idle_warps;
    total->instructions += s->instructions;
    for (uint32_t i = 0; i < OPERATION_COUNT; i++) total->by_operation[i] += s->by_operation[i];
    for (uint32_t i = 0; i < UNIT_COUNT; i++) total->by_unit[i] += s->by_unit[i];
    for (uint32_t i = 0; i < SPACE_COUNT; i++) total->by_space[i] += s->by_space[i];
    total->lane_accesses += s->lane_accesses;
    total->bytes += s->bytes;
    total->sectors += s->sectors;
}

static void add_notes(GString *text, const Kernel *kernel)
{
    for (guint i = 0; kernel->notes && i < kernel->notes->len; i++) {
        const KernelNote *note = kernel->notes->pdata[i];
        if (note->kind == NOTE_WARNING)
            g_string_append_printf(text, "  warning: %s\n", note->name);
        else
            g_string_append_printf(text, "  unknown opcode %-13s %16" G_GUINT64_FORMAT "\n",
                                   note->name, note->count);
    }
}

static void add_kernel(GString *text, const Kernel *kernel, const TraceSummary *s)
{
    const TraceHeader *header = trace_kernel_header(kernel);
    g_string_append_printf(
        text,
        "%s: %s\n  grid %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
        ", block %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT " x %" G_GUINT64_FORMAT
        ", %" G_GUINT64_FORMAT " registers a thread, %" G_GUINT64_FORMAT
        " B shared memory a CTA, SASS %" G_GUINT64_FORMAT ", tracer version %" G_GUINT64_FORMAT
        "\n",
        header->path, header->name, header->grid[0], header->grid[1], header->grid[2],
        header->block[0], header->block[1], header->block[2], header->registers,
        header->shared_bytes, header->binary_version, header->tracer_version);
    add_counts(text, s);
    add_notes(text, kernel);
}

static bool add_kernels(GString *text, const LaunchList *list, GError **error)
{
    TraceSummary total = {0};
    for (guint i = 0; i < list->launches->len; i++) {
        const Launch *launch = &g_array_index(list->launches, Launch, i);
        TraceSummary summary = {0};
        if (!count_kernel(&summary, launch->kernel, error)) return false;
        add_kernel(text, launch->kernel, &summary);
        add_totals(&total, &summary);
    }
    if (list->launches->len > 1) {
        g_string_append_printf(text, "all %u kernels\n", list->launches->len);
        add_counts(text, &total);
    }
    return true;
}

static const HostCommand *command_at(const LaunchList *list, guint index)
{
    return &g_array_index(list->commands, HostCommand, index);
}

/* Names are interned. */
static guint first_of_name(const LaunchList *list, const char *name)
{
    guint i = 0;
    while (command_at(list, i)->name != name) i++;
    return i;
}

static const char *title_of(const HostCommand *command)
{
    switch (command->kind) {
    case COMMAND_COPY_TO_DEVICE: return "copies from the host";
    case COMMAND_COPY_TO_HOST: return "copies to the host";
    case COMMAND_OTHER: break;
    }
    return command->name;
}

static void add_commands_called(GString *text, const LaunchList *list, const HostCommand *first)
{
    uint64_t count = 0, bytes = 0;
    for (guint i = 0; i < list->commands->len; i++) {
        if (command_at(list, i)->name != first->name) continue;
        count++;
        bytes += command_at(list, i)->bytes;
    }
    add_row(text, title_of(first), count);
    add_row(text, "copied bytes", bytes);
}

/* What the host does, behind the last kernel, too. */
static void add_commands(GString *text, const LaunchList *list)
{
    for (guint i = 0; i < list->commands->len; i++) {
        const HostCommand *command = command_at(list, i);
        if (first_of_name(list, command->name) == i) add_commands_called(text, list, command);
    }
}

bool trace_describe(const char *path, GString *text, GError **error)
{
    g_autoptr(LaunchList) list = launch_list_new();
    if (!trace_list_read(path, 0, list, error) || !add_kernels(text, list, error)) return false;
    add_commands(text, list);
    return true;
}
