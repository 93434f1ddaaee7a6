/* `summary.between_kernels`, and `input` at the end.
 *
 * The list has a clock of its own. Copies take time over the host's link, one after the other and
 * while nothing runs: no unit of the machine sees it pass, so it is none of the simulated time and
 * of no kernel, and the list takes the sum of both. */
#include "scenarios/program/result/between.h"

#include "scenarios/program/say/json_text.h"

/* What is listed one by one; the sums have all. */
enum { ROWS_MAX = 1000 };

typedef struct {
    uint64_t count, bytes;
    Time time;
} Copies;

/* Between a launch and the one before. */
typedef struct {
    Copies to_device, to_host;
    uint64_t others;
    Time gap; /* of the simulated time */
} Between;

typedef struct {
    const Run *run;
    const GArray *times; /* of launches that ended */
    guint ended;         /* of launches: what stands before the next one has been done too */
    guint command;       /* the next */
} Walk;

static const HostCommand *next_command(const Walk *walk)
{
    const GArray *commands = walk->run->launches->commands;
    return walk->command < commands->len ? &g_array_index(commands, HostCommand, walk->command)
                                         : NULL;
}

static void add_copy(const Walk *walk, Copies *copies, uint64_t bytes)
{
    copies->count++;
    copies->bytes += bytes;
    copies->time += machine_copy_time(walk->run->machine, bytes);
}

static void add_command(const Walk *walk, Between *between, const HostCommand *command)
{
    switch (command->kind) {
    case COMMAND_COPY_TO_DEVICE: add_copy(walk, &between->to_device, command->bytes); break;
    case COMMAND_COPY_TO_HOST: add_copy(walk, &between->to_host, command->bytes); break;
    case COMMAND_OTHER: between->others++; break;
    }
}

/* Launches that run side by side have no gap. */
static Time gap_before(const Walk *walk, guint launch)
{
    if (!launch || launch >= walk->times->len) return 0;
    const Time start = g_array_index(walk->times, KernelTime, launch).start;
    Time before = 0;
    for (guint i = launch; i-- > 0;) {
        before = MAX(before, g_array_index(walk->times, KernelTime, i).end);
        if (!g_array_index(walk->times, KernelTime, i).launch->concurrent) break;
    }
    return start > before ? start - before : 0;
}

/* The commands before the launch, which are taken. */
static Between take_before(Walk *walk, guint launch)
{
    Between between = {.gap = gap_before(walk, launch)};
    for (const HostCommand *command; (command = next_command(walk)) && command->before <= launch;
         walk->command++)
        add_command(walk, &between, command);
    return between;
}

static void add_copies(Copies *sum, const Copies *copies)
{
    sum->count += copies->count;
    sum->bytes += copies->bytes;
    sum->time += copies->time;
}

static void put_copies(JsonBuilder *json, const char *name, const Copies *copies)
{
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
    json_put_number(json, "count", copies->count);
    json_put_number(json, "bytes", copies->bytes);
    json_put_real(json, "time_ns", time_to_ns(copies->time));
    json_builder_end_object(json);
}

/* In the list as it was written; behind the last one: the next. */
static guint number_of(const GArray *launches, guint launch)
{
    return launch < launches->len ? g_array_index(launches, Launch, launch).number
           : launch               ? g_array_index(launches, Launch, launch - 1).number + 1
                                  : 1;
}

static void put_row(JsonBuilder *json, const Walk *walk, guint launch, const Between *between,
                    Time list)
{
    const GArray *launches = walk->run->launches->launches;
    json_builder_begin_object(json);
    json_put_number(json, "launch", number_of(launches, launch));
    if (launch < launches->len)
        json_put_text(json, "kernel", g_array_index(launches, Launch, launch).kernel->name);
    json_put_real(json, "list_ns", time_to_ns(list));
    put_copies(json, "to_device", &between->to_device);
    put_copies(json, "to_host", &between->to_host);
    json_put_number(json, "others", between->others);
    json_put_real(json, "gap_ns", time_to_ns(between->gap));
    json_builder_end_object(json);
}

static bool is_empty(const Between *between)
{
    return !between->to_device.count && !between->to_host.count && !between->others;
}

/* In simulated time: of the last kernel, or of what ran of an interrupted one. */
static Time end_of_kernels(const Walk *walk)
{
    Time end = 0;
    for (guint i = 0; i < walk->times->len; i++)
        end = MAX(end, g_array_index(walk->times, KernelTime, i).end);
    const bool all = walk->ended == walk->run->launches->launches->len;
    return all ? end : MAX(end, walk->run->report->end);
}

/* Only where a command stands: gaps alone are told by the kernels' times. */
static void put_rows(JsonBuilder *json, Walk *walk, Between *sum)
{
    guint rows = 0;
    Time simulated = 0;
    json_builder_set_member_name(json, "rows");
    json_builder_begin_array(json);
    for (guint launch = 0; launch <= walk->ended; launch++) {
        const Between between = take_before(walk, launch);
        const Time copied = sum->to_device.time + sum->to_host.time;
        if (!is_empty(&between) && rows++ < ROWS_MAX)
            put_row(json, walk, launch, &between, simulated + copied);
        if (launch < walk->times->len)
            simulated = MAX(simulated, g_array_index(walk->times, KernelTime, launch).end);
        add_copies(&sum->to_device, &between.to_device);
        add_copies(&sum->to_host, &between.to_host);
        sum->others += between.others;
        sum->gap += between.gap;
    }
    json_builder_end_array(json);
    if (rows > ROWS_MAX) json_put_number(json, "rows_left_out", rows - ROWS_MAX);
}

/* Of commands that were done: how often each stands there, in the order of the first. */
static void put_others(JsonBuilder *json, const Walk *walk)
{
    g_autoptr(GHashTable) counts = g_hash_table_new(g_direct_hash, g_direct_equal);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < walk->command; i++) {
        const HostCommand *command = &g_array_index(walk->run->launches->commands, HostCommand, i);
        if (command->kind != COMMAND_OTHER) continue;
        gpointer name = (gpointer)command->name;
        const guint count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, name));
        if (!count) g_ptr_array_add(names, name);
        g_hash_table_insert(counts, name, GUINT_TO_POINTER(count + 1));
    }
    json_builder_set_member_name(json, "others");
    json_builder_begin_object(json);
    for (guint i = 0; i < names->len; i++)
        json_put_number(json, names->pdata[i],
                        GPOINTER_TO_UINT(g_hash_table_lookup(counts, names->pdata[i])));
    json_builder_end_object(json);
}

static guint count_streams(const LaunchList *list)
{
    g_autoptr(GHashTable) streams = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < list->launches->len; i++)
        g_hash_table_add(streams, &g_array_index(list->launches, Launch, i).stream);
    return g_hash_table_size(streams);
}

void result_put_between(JsonBuilder *json, const Run *run)
{
    Walk walk = {.run = run, .times = machine_kernel_times(run->machine)};
    Between sum = {0};
    if (run->launches->launches->len < 2 && !run->launches->commands->len) return;
    walk.ended = walk.times->len;
    json_builder_set_member_name(json, "between_kernels");
    json_builder_begin_object(json);
    put_rows(json, &walk, &sum);
    put_copies(json, "to_device", &sum.to_device);
    put_copies(json, "to_host", &sum.to_host);
    put_others(json, &walk);
    json_put_number(json, "streams", count_streams(run->launches));
    json_put_real(json, "gaps_ns", time_to_ns(sum.gap));
    json_put_real(json, "list_ns",
                  time_to_ns(end_of_kernels(&walk) + sum.to_device.time + sum.to_host.time));
    json_builder_end_object(json);
}

/* --- what was left out ------------------------------------------------------------------------ */

/* Notes of one kind, of all kernels that are launched, by name: those of several are added up. */
static GPtrArray *collect(const LaunchList *list, NoteKind kind, GHashTable *counts)
{
    GPtrArray *names = g_ptr_array_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (guint k = 0; k < list->launches->len; k++) {
        const Kernel *kernel = launch_list_at(list, k)->kernel;
        const GPtrArray *notes = g_hash_table_add(seen, (gpointer)kernel) ? kernel->notes : NULL;
        for (guint i = 0; notes && i < notes->len; i++) {
            const KernelNote *note = notes->pdata[i];
            if (note->kind != kind) continue;
            uint64_t *count = g_hash_table_lookup(counts, note->name);
            if (!count) {
                g_ptr_array_add(names, note->name);
                g_hash_table_insert(counts, note->name, count = g_new0(uint64_t, 1));
            }
            *count += note->count;
        }
    }
    return names;
}

static void put_warnings(JsonBuilder *json, const GPtrArray *texts)
{
    json_builder_set_member_name(json, "warnings");
    json_builder_begin_array(json);
    for (guint i = 0; i < texts->len; i++) {
        /* without the folder, so that a result is the same bytes wherever the file lies */
        const char *text = texts->pdata[i], *slash = NULL;
        for (const char *p = text; *p && *p != ':'; p++)
            if (*p == '/') slash = p;
        json_builder_add_string_value(json, slash ? slash + 1 : text);
    }
    json_builder_end_array(json);
}

static void put_opcodes(JsonBuilder *json, const GPtrArray *names, GHashTable *counts)
{
    json_builder_set_member_name(json, "unknown_opcodes");
    json_builder_begin_object(json);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *valid = g_utf8_make_valid(names->pdata[i], -1);
        json_put_number(json, valid,
                        *(const uint64_t *)g_hash_table_lookup(counts, names->pdata[i]));
    }
    json_builder_end_object(json);
}

void result_put_input(JsonBuilder *json, const Run *run)
{
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    g_autoptr(GPtrArray) warnings = collect(run->launches, NOTE_WARNING, counts);
    g_autoptr(GPtrArray) opcodes = collect(run->launches, NOTE_OPCODE, counts);
    if (!warnings->len && !opcodes->len) return;
    json_builder_set_member_name(json, "input");
    json_builder_begin_object(json);
    if (warnings->len) put_warnings(json, warnings);
    if (opcodes->len) put_opcodes(json, opcodes, counts);
    json_builder_end_object(json);
}
