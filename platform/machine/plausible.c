/* What cannot be meant, and what is plausible and yet unlikely to be meant. */
#include <string.h>

#include "kit/describe/quantity.h"
#include "platform/machine/private.h"

static bool fail(GError **error, const char *key, const char *format, ...) G_GNUC_PRINTF(3, 4);

static bool fail(GError **error, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, PARAM_ERROR, 0, "%s: %s", key, text);
    return false;
}

bool machine_check_plausible(const Machine *machine, GError **error)
{
    const MachineParams *params = &machine->params;
    if (params->partitions % params->l2_halves)
        return fail(error, "machine.partitions",
                    "%" G_GUINT64_FORMAT " partitions cannot be divided into machine.l2_halves = "
                    "%" G_GUINT64_FORMAT " equal parts",
                    params->partitions, params->l2_halves);
    const uint64_t slices = params->slices_per_partition,
                   channels = machine_channels_of_partition(params);
    if (channels % slices && slices % channels)
        return fail(error, "machine.channels_per_partition",
                    "%" G_GUINT64_FORMAT " DRAM channels: must be a multiple or a divisor of "
                    "machine.slices_per_partition = %" G_GUINT64_FORMAT,
                    channels, slices);
    const double stated = (double)params->peak_bandwidth_gbps,
                 built = machine_bandwidth_of(params, &machine->dram) / 1e9;
    if (params->peak_bandwidth_gbps && (built > 1.02 * stated || built < 0.98 * stated))
        return fail(error, "machine.peak_bandwidth_gbps",
                    "%" G_GUINT64_FORMAT " GB/s is stated, but %" G_GUINT64_FORMAT
                    " channels (machine.partitions, machine.channels_per_partition or "
                    "machine.slices_per_partition) x %" G_GUINT64_FORMAT
                    " B (dram.channel_width) x %" G_GUINT64_FORMAT
                    " (dram.data_rate) x %.1f MHz (machine.dram_clock) are %.1f GB/s",
                    params->peak_bandwidth_gbps, machine_channels(params),
                    machine->dram.channel_width, machine->dram.data_rate,
                    (double)params->dram_clock / 1e6, built);
    return true;
}

static const char *kernel_name(const Kernel *kernel)
{
    return kernel->name ? kernel->name : "kernel";
}

static uint64_t dram_bytes(const Machine *machine)
{
    return machine_channels(&machine->params) * dram_timing_capacity(&machine->dram);
}

bool machine_check_footprints(const Machine *machine, GError **error)
{
    const char *name = machine->params.name;
    if (machine->paging.mode != PAGING_NONE) return true;
    for (guint i = 0; i < machine->launches->kernels->len; i++) {
        const Kernel *kernel = machine->launches->kernels->pdata[i];
        if (kernel->footprint <= dram_bytes(machine)) continue;
        g_autofree char *wanted = quantity_format(PARAM_BYTES, kernel->footprint);
        g_autofree char *there = quantity_format(PARAM_BYTES, dram_bytes(machine));
        return kernel_reject(kernel, error, KERNEL_TOO_LARGE,
                             "the arrays of kernel '%s' take %s, but the DRAM of %s holds %s "
                             "(" DRAM_BYTES_KEYS "; paging.mode = demand brings them from the "
                             "host)",
                             kernel_name(kernel), wanted, name && *name ? name : "the machine",
                             there);
    }
    return true;
}

/* The class that an output leads to. */
static const char *class_behind(const UnitClass *unit_class, const char *output)
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++)
        if (!g_strcmp0(row->from, unit_class->name) && g_str_equal(row->output, output))
            return row->to;
    g_error("%s.%s leads to no unit", unit_class->name, output);
}

char *machine_condition(const char *group, const char *condition)
{
    const char *key = condition ? strchr(condition, '.') : NULL;
    const size_t length = key ? (size_t)(key - condition) : 0;
    for (const ChannelRow *row = machine_channel_rows(); key && row->to; row++)
        if (!g_strcmp0(row->from, group) && strlen(row->output) == length
            && !strncmp(row->output, condition, length))
            return g_strconcat(row->to, key, NULL);
    return param_qualify(group, condition);
}

static bool reject_need(const Unit *unit, const NeedRow *need, GError **error)
{
    g_set_error(error, PARAM_ERROR, 0, "%s.%s = %s: needs %s.%s = %s, or %s", unit->class->name,
                need->name, unit_choice(unit, need->name), class_behind(unit->class, need->output),
                need->parameter, need->word, need->free);
    return false;
}

bool machine_check_needs(const Machine *machine, GError **error)
{
    for (guint i = 0; i < machine->instances->len; i++) {
        const GPtrArray *units = machine->instances->pdata[i];
        const Unit *unit = units->len ? units->pdata[0] : NULL;
        for (const NeedRow *need = unit ? unit->class->needs : NULL; need && need->name; need++) {
            const char *behind = class_behind(unit->class, need->output);
            const Unit *other = machine_instances(machine, behind)->pdata[0];
            if (!g_str_equal(unit_choice(unit, need->name), need->free)
                && !g_str_equal(unit_choice(other, need->parameter), need->word))
                return reject_need(unit, need, error);
        }
    }
    return true;
}

static void warn_if_short(GPtrArray *warnings, const char *queue, uint64_t room,
                          uint64_t round_trip, double rate)
{
    if ((double)room >= rate * (double)round_trip) return;
    g_ptr_array_add(
        warnings,
        g_strdup_printf(
            "%s = %" G_GUINT64_FORMAT
            ": too small to keep its path busy; %.2f a cycle over a round trip of %" G_GUINT64_FORMAT
            " cycles need %.0f",
            queue, room, rate, round_trip, rate * (double)round_trip));
}

/* Arrays whose addresses are given may be sparse; nobody can say what is touched of them. */
static void warn_of_wrapping(GPtrArray *warnings, const Machine *machine)
{
    if (machine->paging.mode != PAGING_NONE) return;
    for (guint i = 0; i < machine->launches->kernels->len; i++) {
        const Kernel *kernel = machine->launches->kernels->pdata[i];
        if (kernel->placed + kernel->footprint <= dram_bytes(machine)) continue;
        g_autofree char *wanted = quantity_format(PARAM_BYTES, kernel->placed);
        g_autofree char *there = quantity_format(PARAM_BYTES, dram_bytes(machine));
        g_ptr_array_add(warnings,
                        g_strdup_printf("the arrays of kernel '%s' that are placed with 'at' span "
                                        "%s, DRAM holds %s: its rows are used more than once",
                                        kernel_name(kernel), wanted, there));
    }
}

static bool has_class(const char *class, gconstpointer machine)
{
    return machine_has_units(machine_instances(machine, class));
}

/* Of none, or of such as are off. */
static char *ignored_by_units(const GPtrArray *units, const Setting *setting)
{
    if (!units->len) return g_strdup_printf("in a machine without %s", setting->group);
    if (!strcmp(setting->key, "enabled")) return NULL;
    return g_strdup_printf("unless %s.enabled = yes", setting->group);
}

/* Ways into networks and out of them are what the network says, whoever times it. */
char *machine_ignores(const Machine *machine, const Setting *setting)
{
    const char *group = setting->group;
    const UnitClass *const *class = machine_unit_classes();
    if (!strcmp(group, network_group.name))
        return network_reads(&machine->network, setting->key)
                   ? NULL
                   : g_strdup("with this topology and timing");
    if (machine_concerns(group, setting->key, has_class, machine)) return NULL;
    for (guint i = 0; class[i]; i++)
        if (!strcmp(class[i] -> name, group))
            return ignored_by_units(machine->instances->pdata[i], setting);
    return g_strdup("in a machine without such a path");
}

/* Messages a cycle. */
static double pace_of(const Machine *machine, const ChannelRow *row)
{
    if (!row->lanes[0]) return 1;
    const Unit *sender = machine_instances(machine, row->from)->pdata[0];
    return (double)(unit_number(sender, row->lanes[0], PARAM_COUNT)
                    * unit_number(sender, row->lanes[1], PARAM_COUNT))
           / (double)machine->params.warp_lanes;
}

static void warn_of_channels(GPtrArray *warnings, const Machine *machine)
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++)
        if (row->keeps_up && machine_has_channel(machine, row))
            warn_if_short(warnings, row->capacity.name,
                          machine_channel_number(machine, &row->capacity, PARAM_COUNT),
                          machine_channel_number(machine, &row->delay, PARAM_CYCLES) + 1,
                          pace_of(machine, row));
}

static bool has_parameter(const UnitClass *unit_class, const char *name)
{
    const Param *param = unit_class->params;
    while (param->name && !g_str_equal(param->name, name)) param++;
    return param->name;
}

static void warn_of_batch(GPtrArray *warnings, const Machine *machine, const Unit *unit,
                          const BatchRow *row)
{
    const char *behind = class_behind(unit->class, row->output);
    const Unit *other = machine_instances(machine, behind)->pdata[0];
    if (!has_parameter(other->class, row->batch)) return; /* another one was put before it */
    const uint64_t room = unit_number(unit, row->room, PARAM_COUNT),
                   batch = unit_number(other, row->batch, PARAM_COUNT),
                   idle = unit_number(other, row->idle, PARAM_CYCLES);
    if (!g_str_equal(unit_choice(unit, row->choice), row->word) || room >= batch || !idle) return;
    g_ptr_array_add(
        warnings,
        g_strdup_printf(
            "%s.%s = %" G_GUINT64_FORMAT ": never as many as %s.%s = %" G_GUINT64_FORMAT
            ", so that all wait until it has been idle for %s = %" G_GUINT64_FORMAT " cycles",
            unit->class->name, row->room, room, behind, row->batch, batch, row->idle, idle));
}

static void warn_of_batches(GPtrArray *warnings, const Machine *machine)
{
    for (guint i = 0; i < machine->instances->len; i++) {
        const GPtrArray *units = machine->instances->pdata[i];
        const Unit *unit = units->len ? units->pdata[0] : NULL;
        for (const BatchRow *row = unit ? unit->class->batches : NULL; row && row->choice; row++)
            warn_of_batch(warnings, machine, unit, row);
    }
}

GPtrArray *machine_warnings(const Machine *machine)
{
    GPtrArray *warnings = g_ptr_array_new_with_free_func(g_free);
    warn_of_wrapping(warnings, machine);
    const NetworkParams *network = &machine->network;
    warn_if_short(warnings, "network.input_buffer", network->input_buffer,
                  2 * network->request_source_latency, 1);
    if (machine_has_routers(machine))
        warn_if_short(warnings, "network.link_buffer", network->link_buffer,
                      network_graph_round_trip(machine->graph, machine->clock[CLOCK_NETWORK]), 1);
    warn_if_short(warnings, "network.l2_input_buffer", network->l2_input_buffer,
                  2 * network->request_destination_latency, 1);
    warn_of_channels(warnings, machine);
    warn_of_batches(warnings, machine);
    return warnings;
}
