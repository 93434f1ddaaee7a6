#include "platform/machine/facts.h"

#include <math.h>

#include "platform/machine/private.h"

static uint64_t parameter_of(const Unit *unit, const char *name)
{
    const Param *param = unit->class->params;
    while (param->name && !g_str_equal(param->name, name)) param++;
    if (!param->name || !param_is_quantity(param->type))
        g_error("a fact of %s is of '%s', which is no such parameter", unit->class->name, name);
    return unit_number(unit, name, param->type);
}

static double product_of(const Unit *unit, const char *product)
{
    g_auto(GStrv) names = g_strsplit(product, " * ", -1);
    double value = 1;
    for (char **name = names; *name; name++) value *= (double)parameter_of(unit, *name);
    return value;
}

static void visit_row(const FactRow *row, const GPtrArray *units, FactVisit visit, void *user)
{
    const Unit *unit = units->pdata[0];
    const double one = product_of(unit, row->product), all = one * units->len;
    switch (row->kind) {
    case FACT_BYTES_OF_ONE: visit(row->words, one, "B", user); return;
    case FACT_BYTES_OF_ALL: visit(row->words, all, "B", user); return;
    case FACT_FLOPS: {
        const double cycles = 1e15 / (double)unit->clock->period;
        visit(row->words, 2 * all * cycles / 1e12, "TFLOP/s", user);
        return;
    }
    }
}

void machine_visit_facts(const Machine *machine, FactVisit visit, void *user)
{
    const MachineParams *params = &machine->params;
    const double channels = (double)machine_channels(params);
    visit("SMs", (double)params->sms, "", user);
    visit("core clock", (double)params->core_clock / 1e6, "MHz", user);
    for (guint i = 0; i < machine->instances->len; i++) {
        const GPtrArray *units = machine->instances->pdata[i];
        if (!machine_has_units(units)) continue;
        const FactRow *row = ((const Unit *)units->pdata[0])->class->facts;
        for (; row && row->words; row++) visit_row(row, units, visit, user);
    }
    visit("DRAM channels", channels, "", user);
    const double peak = machine_peak_dram_bandwidth(machine);
    if (isfinite(peak)) visit("DRAM peak", peak / 1e9, "GB/s", user);
}

/* --- DRAM as a whole, and the clocks ---------------------------------------------------------- */

uint64_t machine_channels_of_partition(const MachineParams *params)
{
    return params->channels_per_partition ? params->channels_per_partition
                                          : params->slices_per_partition;
}

uint64_t machine_channels(const MachineParams *params)
{
    return params->partitions * machine_channels_of_partition(params);
}

double machine_bandwidth_of(const MachineParams *params, const DramTiming *dram)
{
    const double channels = (double)machine_channels(params);
    return channels * (double)dram->channel_width * (double)dram->data_rate
           * (double)params->dram_clock;
}

double machine_peak_dram_bandwidth(const Machine *machine)
{
    if (machine->dram.ideal == DRAM_IDEAL_BANDWIDTH) return INFINITY;
    return machine_bandwidth_of(&machine->params, &machine->dram);
}

Time machine_dram_time(const Machine *machine, uint64_t bytes)
{
    return (Time)llround((double)bytes / machine_peak_dram_bandwidth(machine) * 1e15);
}

const DramTiming *machine_dram(const Machine *machine)
{
    return &machine->dram;
}

ParamClock machine_stated_clock(const Machine *machine, UnitClock clock)
{
    const MachineParams *params = &machine->params;
    const ParamClock clocks[CLOCKS] = {
        [CLOCK_CORE] = {"machine.core_clock", params->core_clock},
        [CLOCK_NETWORK] = {"machine.network_clock", params->network_clock},
        [CLOCK_L2] = {"machine.l2_clock", params->l2_clock},
        [CLOCK_DRAM] = {"machine.dram_clock", params->dram_clock}};
    return clocks[clock];
}
