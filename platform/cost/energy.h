/* What a machine's events cost in energy: `[energy]`, and what follows from the machine. */
#pragma once

#include "platform/machine/machine.h"

/* A field of the machine; the rest of it is derived by machine_energy. */
extern const ParamGroup energy_group;

EnergyFigures machine_energy(const Machine *machine);

/* W that it takes whatever it does. */
double machine_idle_power(const Machine *machine);
