/* Energy: what an event costs. A statistic that counts something which takes energy says how much
 * one of it takes, and at which stage of a request's way (Stat.energy); tables of a run's energy
 * are made from the rows.
 *
 * Published figures are of a process and a voltage; they are scaled as Keckler et al. scale theirs
 * (IEEE Micro 31(5), 2011, table 1: 40 nm at 0.9 V to 10 nm at 0.75 V): switched capacitance of
 * logic and arrays with the feature size, that of a millimetre of wire not, both with the square of
 * the voltage. */
#pragma once

#include <math.h>

#include "kit/cost/storage.h"
#include "kit/describe/stat.h"

/* `[energy]`, and what follows from the machine. pJ and W; node in nm. */
typedef struct EnergyFigures {
    double node, voltage;
    double sram_read;                /* 64 bits of an array of 8 KiB, at 45 nm and 0.9 V */
    double search;                   /* a bit that a search by content compares, likewise */
    double instruction;              /* fetch, decode and control of one, likewise */
    double fp32, integer, fp64, sfu; /* of a lane, likewise */
    double wire;                     /* a bit over a millimetre, at 0.9 V */
    double crossbar_mm, hop_mm, l1_mm;
    double dram_activate, dram_column, dram_io; /* a row of 1 KiB; a bit */
    double machine_power, sm_power, active_sm_power, channel_power;
    StorageMachine machine;
    uint64_t buffer;  /* packets of a network's input */
    double dram_rows; /* that a refresh of one bank opens */
} EnergyFigures;

static inline double energy_voltage(const EnergyFigures *figures)
{
    return figures->voltage / 0.9 * (figures->voltage / 0.9);
}

/* Logic that takes so much at 45 nm and 0.9 V. */
static inline double energy_logic(const EnergyFigures *figures, double at_45)
{
    return at_45 * figures->node / 45 * energy_voltage(figures);
}

/* Of bits that are as often 0 as 1, every second one changes. */
static inline double energy_wire(const EnergyFigures *figures, double bits, double millimetres)
{
    return figures->wire / 2 * bits * millimetres * energy_voltage(figures);
}

/* How much longer the wires of a cell are with its ports: 1R1W has the 1.3 times of the area that
 * published cells of eight transistors have over six; assumed to go on like that. */
static inline double energy_pitch(const StorageSize *size)
{
    const uint32_t said = size->reads + size->writes + size->either;
    return 1 + 0.15 * ((said ? said : 2) - 1);
}

/* Of `bits` read or written: with the square root of a bank's size, which is how far its wires
 * reach. Horowitz (ISSCC 2014) has 10, 20 and 100 pJ for 8 KiB, 32 KiB and 1 MiB. Entries 0: an
 * array that is not there, nothing. */
static inline double energy_array(const EnergyFigures *figures, const StorageSize *size,
                                  double bits)
{
    const double banks = size->banks ? size->banks : 1;
    const double bytes = (double)size->entries * (double)size->bits / 8 / banks;
    /* of two ports, as the figure's, the wires are as long as they are */
    const double pitch = energy_pitch(size) / 1.15;
    return energy_logic(figures, figures->sram_read * bits / 64 * sqrt(bytes / 8192) * pitch);
}

/* A look-up by content, or of more ways than are read out and compared. */
static inline double energy_search(const EnergyFigures *figures, double bits)
{
    return energy_logic(figures, figures->search * bits);
}

/* A look-up in the tags of a set, of the `compared` bits that one bank compares: up to 16 ways are
 * read and compared, more are searched. */
static inline double energy_tags(const EnergyFigures *figures, const StorageSize *size,
                                 uint64_t ways)
{
    const double banks = size->banks ? size->banks : 1;
    const double bits = (double)size->compared / banks;
    return ways > 16
               ? energy_search(figures, bits) + energy_array(figures, size, (double)size->bits)
               : energy_array(figures, size, (double)(ways * size->bits));
}

/* pJ of one of what the statistic counts, of all its parts; 0: it takes none. */
static inline double energy_of_stat(const Stat *stat, const Unit *unit,
                                    const EnergyFigures *figures)
{
    double pj = 0;
    for (const StatEnergy *part = stat->energy; part && part->of; part++)
        pj += part->of(unit, figures);
    return pj;
}
