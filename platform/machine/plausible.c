/* What cannot be meant, and what is plausible and yet unlikely to be meant. */
#include "kit/describe/quantity.h"
#include "platform/machine/private.h"

static const char *kernel_name(const Kernel *kernel)
{
    return kernel->name ? kernel->name : "kernel";
}

static uint64_t dram_bytes(const Machine *machine)
{
    return machine->params.partitions * machine->params.slices_per_partition
           * dram_timing_capacity(&machine->dram);
}

bool machine_check_footprints(const Machine *machine, GError **error)
{
    const char *name = machine->params.name;
    for (guint i = 0; i < machine->launches->kernels->len; i++) {
        const Kernel *kernel = machine->launches->kernels->pdata[i];
        if (kernel->footprint <= dram_bytes(machine)) continue;
        g_autofree char *wanted = quantity_format(PARAM_BYTES, kernel->footprint);
        g_autofree char *there = quantity_format(PARAM_BYTES, dram_bytes(machine));
        g_set_error(error, PARAM_ERROR, 0,
                    "workload: the arrays of kernel '%s' take %s, but the DRAM of %s holds %s",
                    kernel_name(kernel), wanted, name && *name ? name : "the machine", there);
        return false;
    }
    return true;
}

bool machine_check_texture(const Machine *machine, const Configuration *configuration,
                           GError **error)
{
    const char *through = unit_choice(machine->load_store->pdata[0], "through_texture"),
               *cache = unit_choice(machine->texture->pdata[0], "cache");
    if (g_str_equal(through, "nothing") || g_str_equal(cache, "own")) return true;
    const Setting *setting = configuration_find(configuration, "load_store", "through_texture");
    g_autofree char *place = setting ? setting_describe_place(setting) : g_strdup("");
    g_set_error(error, PARAM_ERROR, 0,
                "%sload_store.through_texture = %s: needs texture.cache = own, or nothing", place,
                through);
    return false;
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

/* Instructions come as fast as the SM's texture units take lanes; requests one a cycle. */
static void warn_of_texture_queues(GPtrArray *warnings, const Machine *machine)
{
    const ChannelParams *channels = &machine->channels;
    const Unit *sm = machine->sm->pdata[0];
    const double lanes = (double)(unit_number(sm, "texture_units", PARAM_COUNT)
                                  * unit_number(sm, "texture_lanes", PARAM_COUNT)),
                 warp = (double)machine->params.warp_lanes;
    warn_if_short(warnings, "channels.texture_issue_queue", channels->texture_issue_queue,
                  channels->texture_issue + 1, lanes / warp);
    warn_if_short(warnings, "channels.texture_to_l1_queue", channels->texture_to_l1_queue,
                  channels->texture_to_l1 + 1, 1);
}

GPtrArray *machine_warnings(const Machine *machine)
{
    GPtrArray *warnings = g_ptr_array_new_with_free_func(g_free);
    warn_of_wrapping(warnings, machine);
    const NetworkParams *network = &machine->network;
    const ChannelParams *channels = &machine->channels;
    warn_if_short(warnings, "network.input_buffer", network->input_buffer,
                  2 * network->request_source_latency, 1);
    if (machine->topology.kind != TOPOLOGY_CROSSBAR)
        warn_if_short(warnings, "network.link_buffer", network->link_buffer,
                      2 * network->link_latency + network->router_delay, 1);
    warn_if_short(warnings, "network.l2_input_buffer", network->l2_input_buffer,
                  2 * network->request_destination_latency, 1);
    warn_if_short(warnings, "channels.issue_queue", channels->issue_queue, channels->issue + 1, 1);
    warn_if_short(warnings, "channels.l1_input_queue", channels->l1_input_queue,
                  channels->l1_input + 1, 1);
    warn_of_texture_queues(warnings, machine);
    return warnings;
}
