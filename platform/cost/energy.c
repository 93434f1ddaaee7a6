#include "platform/cost/energy.h"

#include "platform/cost/storage.h"
#include "platform/machine/private.h"

#define FIGURE(field, value, most, text) PARAM_REAL(EnergyFigures, field, value, 0, most, text)

static const Param energy_params[] = {
    PARAM_REAL(EnergyFigures, node, "12", 1, 1000,
               "nm of the process, as its maker calls it: logic and arrays scale with it"),
    PARAM_REAL(EnergyFigures, voltage, "0.8", 0.1, 5,
               "V of the core, assumed: everything on the chip scales with its square"),
    FIGURE(sram_read, "10", 1e6,
           "pJ of 64 bits of an array of 8 KiB, at 45 nm and 0.9 V (Horowitz, ISSCC 2014)"),
    FIGURE(
        search, "0.002", 1e6,
        "pJ of a bit that a search by content compares, likewise: assumed; 2.89 fJ at 0.18 um and "
        "1.8 V are published (Pagiamtzis and Sheikholeslami, JSSC 2004), 0.18 fJ here"),
    FIGURE(
        instruction, "64", 1e6,
        "pJ to fetch, decode and control one of a warp, likewise: 70 of an instruction without 6 "
        "of its registers (Horowitz, ISSCC 2014)"),
    FIGURE(fp32, "4.6", 1e6, "pJ of a lane's FP32 multiply and add, likewise (Horowitz)"),
    FIGURE(integer, "0.1", 1e6, "pJ of a lane's sum of 32 bits, likewise (Horowitz)"),
    FIGURE(fp64, "56", 1e6,
           "pJ of a lane's FP64 multiply and add, likewise: 50 at 40 nm (Keckler et al. 2011; not "
           "checked)"),
    FIGURE(sfu, "18.4", 1e6, "pJ of a lane's special function, assumed: four of FP32"),
    FIGURE(wire, "0.24", 1e6,
           "pJ of a bit over a millimetre, at 0.9 V, if it changes (Keckler et al. 2011)"),
    FIGURE(crossbar_mm, "14", 1000,
           "mm from an SM to an L2 slice, and between halves of L2, assumed: half of the side of "
           "815 mm2"),
    FIGURE(hop_mm, "3.5", 1000, "mm of a link between routers, assumed"),
    FIGURE(l1_mm, "1", 1000, "mm between L1's array and the lanes, assumed"),
    FIGURE(dram_activate, "909", 1e6,
           "pJ to open and close 1 KiB of a row: HBM2 (O'Connor et al., MICRO 2017)"),
    FIGURE(dram_column, "2.68", 1e6,
           "pJ of a bit between sense amplifiers and pins: HBM2, 1.51 + 1.17 (O'Connor et al.)"),
    FIGURE(dram_io, "0.8", 1e6, "pJ of a bit on the wire: HBM2 (O'Connor et al.)"),
    FIGURE(machine_power, "0", 1e4,
           "W whatever the machine does, besides SMs and channels: the board's constant power; 0 "
           "where none is published"),
    FIGURE(sm_power, "0.28", 1e4,
           "W of each SM, idle: of a V100 (AccelWattch, MICRO 2021), assumed of others"),
    FIGURE(
        active_sm_power, "0.2", 1e4,
        "W of each SM more while it has CTAs, whatever they do: of a V100, 0.48 with integer and "
        "FP32 units at work (AccelWattch) less 0.28; 0.22 to 0.52 with others; assumed of others"),
    FIGURE(channel_power, "0", 1e4,
           "W of each DRAM channel, idle, as far as it is not in machine_power; none is published"),
    PARAM_END};

const ParamGroup energy_group = {
    .name = "energy", .summary = "what events cost in energy, and power", .params = energy_params};

EnergyFigures machine_energy(const Machine *machine)
{
    EnergyFigures figures = machine->energy;
    const DramTiming *dram = &machine->dram;
    const double rows = MAX((double)dram->rows / (double)dram->refresh_commands, 1);
    figures.machine = machine_describe_storage(machine);
    figures.buffer = machine->network.input_buffer;
    figures.dram_rows = rows * (double)(dram->refresh == DRAM_REFRESH_ALL_BANK ? dram->banks : 1);
    return figures;
}

bool energy_leave_out(EnergyFigures *figures, const Param *param)
{
    if (param->offset < offsetof(EnergyFigures, sram_read)
        || param->offset > offsetof(EnergyFigures, dram_io))
        return false;
    *(double *)((char *)figures + param->offset) = 0;
    return true;
}

double machine_idle_power(const Machine *machine)
{
    const MachineParams *params = &machine->params;
    const EnergyFigures *figures = &machine->energy;
    return figures->machine_power + figures->sm_power * (double)params->sms
           + figures->channel_power * (double)machine_channels(params);
}
