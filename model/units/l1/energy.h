/* What L1's events cost. */
#pragma once

#include "kit/cost/energy.h"

double l1_energy_of_pass(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_way(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_register(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_byte(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_shared_byte(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_look_up(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_entry(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_waiter(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_merge(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_buffered_line(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_buffered_byte(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_write_back(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_replay(const Unit *unit, const EnergyFigures *figures);
double l1_energy_of_translation(const Unit *unit, const EnergyFigures *figures);
