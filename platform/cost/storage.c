#include "platform/cost/storage.h"

#include "platform/machine/private.h"

/* Of what holds CTAs; a part alone has no such unit. */
static uint64_t size_shared_memory(const Machine *machine)
{
    for (guint i = 0; i < simulation_unit_count(machine->simulation); i++) {
        const Unit *unit = simulation_unit(machine->simulation, i);
        if (unit->class->limits) return unit->class->limits(unit).shared_bytes;
    }
    return 0;
}

/* What goes past L2 has no place there. */
static bool keeps_written_data(const Machine *machine)
{
    const GPtrArray *slices = machine_instances(machine, "l2_slice");
    if (!machine_has_units(slices) || machine->params.memory_caches) return false;
    const Unit *slice = slices->pdata[0];
    return !g_str_equal(unit_choice(slice, "written_data"), "scheduler")
           && !g_str_equal(unit_choice(slice, "partial_write"), "bypass");
}

StorageMachine machine_describe_storage(const Machine *machine)
{
    const MachineParams *params = &machine->params;
    const StorageLine l2 = {machine->line.line_bytes, machine->line.sector_bytes};
    return (StorageMachine){
        .array = machine->first_level.array,
        .shared = size_shared_memory(machine),
        .lanes = (uint32_t)params->warp_lanes,
        .l1 = {machine->l1_line.line_bytes, machine->l1_line.sector_bytes},
        .l2 = l2,
        .row_bytes = (uint32_t)machine->dram.row_bytes,
        .banks = (uint32_t)machine->dram.banks,
        .rows = (uint32_t)machine->dram.rows,
        .ecc = machine->dram.ecc != DRAM_ECC_NONE,
        .code_bytes =
            machine->dram.ecc == DRAM_ECC_INLINE ? (uint32_t)machine->dram.burst_bytes : 0,
        .code_share = (uint32_t)machine->dram.ecc_share,
        .written_bits = keeps_written_data(machine) ? 0 : storage_line_bits(&l2),
        .halves = machine->address_map.halves,
        .sms = (uint32_t)params->sms,
        .slices = (uint32_t)(params->partitions * params->slices_per_partition)};
}

/* --- inputs ----------------------------------------------------------------------------------- */

/* Channels between routers of all networks. */
static uint64_t count_neighbours(const Machine *machine)
{
    uint64_t count = 0;
    for (uint32_t n = 0; n < network_graph_networks(machine->graph); n++) {
        const RouterNetwork *network = &machine->graph->network[n];
        for (uint32_t k = 0; k < network->links; k++)
            for (NetworkRole role = 0; role < NETWORKS; role++)
                count += network->link[k].channels[role];
    }
    return count;
}

static uint64_t count_channels(const Machine *machine, const ChannelRow *row)
{
    const NetworkRoutes *routes = &machine->routes[row->role];
    switch (row->mapping) {
    case CHANNEL_SAME_NUMBER:
    case CHANNEL_IN_PARTITION:
    case CHANNEL_IN_SHARE:
        return MAX(machine_instances(machine, row->from)->len,
                   machine_instances(machine, row->to)->len);
    case CHANNEL_INTO_LINK:
    case CHANNEL_OUT_OF_LINK:
        return (machine->params.l2_halves - 1) * machine_instances(machine, "l2_slice")->len;
    case CHANNEL_INTO_NETWORK: return routes->sources;
    case CHANNEL_OUT_OF_NETWORK: return routes->destinations;
    case CHANNEL_NEIGHBOURS: return count_neighbours(machine);
    case CHANNEL_FROM_SIMGRID: return 0;
    }
    g_assert_not_reached();
}

/* Of all channels into the input of all units of the class. */
static uint64_t count_places(const Machine *machine, const UnitClass *class, const char *input)
{
    uint64_t places = 0;
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++)
        if (g_str_equal(row->to, class->name) && g_str_equal(row->input, input)
            && machine_has_channel(machine, row))
            places += count_channels(machine, row)
                      * machine_channel_number(machine, &row->capacity, PARAM_COUNT);
    return places;
}

/* --- rows ------------------------------------------------------------------------------------- */

static StorageTotal sum_row(const Machine *machine, const StorageMachine *description,
                            const GPtrArray *units, const StorageRow *row)
{
    const Unit *first = units->pdata[0];
    StorageTotal total = {.class = first->class,
                          .row = row,
                          .size = row->size(first, description),
                          .units = units->len};
    if (row->input) {
        total.entries = total.size.entries * count_places(machine, first->class, row->input);
        total.bits = total.entries * total.size.bits;
        return total;
    }
    for (guint i = 0; i < units->len; i++) {
        const StorageSize size = row->size(units->pdata[i], description);
        total.entries += size.entries;
        total.bits += size.entries * size.bits;
    }
    return total;
}

void machine_visit_storage(const Machine *machine, StorageVisit visit, void *user)
{
    const StorageMachine description = machine_describe_storage(machine);
    for (guint i = 0; i < machine->instances->len; i++) {
        const GPtrArray *units = machine->instances->pdata[i];
        if (!machine_has_units(units)) continue;
        for (const StorageRow *row = ((const Unit *)units->pdata[0])->class->storage;
             row && row->name; row++) {
            const StorageTotal total = sum_row(machine, &description, units, row);
            if (total.bits) visit(&total, user);
        }
    }
}

static void add_bits(const StorageTotal *total, void *user)
{
    *(uint64_t *)user += total->bits;
}

uint64_t machine_storage_bits(const Machine *machine)
{
    uint64_t bits = 0;
    machine_visit_storage(machine, add_bits, &bits);
    return bits;
}
