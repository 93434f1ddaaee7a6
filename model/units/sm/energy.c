/* What an SM's events cost. */
#include "units/sm/private.h"

double sm_energy_of_issue(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return energy_logic(figures, figures->instruction);
}

/* Of a lane: two operands and a result; how many an instruction has is not known. */
double sm_energy_of_registers(const Unit *unit, const EnergyFigures *figures)
{
    const StorageSize size = sm_register_size(unit, &figures->machine);
    return energy_array(figures, &size, 3 * 32);
}

static double of_lanes(const EnergyFigures *figures, double lane)
{
    return energy_logic(figures, lane * figures->machine.lanes);
}

double sm_energy_of_core(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return of_lanes(figures, figures->fp32);
}

double sm_energy_of_int(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return of_lanes(figures, figures->integer);
}

double sm_energy_of_fp64(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return of_lanes(figures, figures->fp64);
}

double sm_energy_of_sfu(const Unit *unit, const EnergyFigures *figures)
{
    (void)unit;
    return of_lanes(figures, figures->sfu);
}
