/* What a machine's events cost in energy: `[energy]`, and what follows from the machine. */
#pragma once

#include "platform/machine/machine.h"

/* A field of the machine; the rest of it is derived by machine_energy. */
extern const ParamGroup energy_group;

EnergyFigures machine_energy(const Machine *machine);

/* What is left of the figures without one: its field is 0. False, and nothing changed: the row is
 * none of an event's, but of the process, which scales events, or of idle power. */
bool energy_leave_out(EnergyFigures *figures, const Param *param);

/* W that it takes whatever it does. */
double machine_idle_power(const Machine *machine);
