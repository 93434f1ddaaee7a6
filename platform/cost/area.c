#include "platform/cost/area.h"

#include <math.h>

#include "platform/machine/private.h"

static const Param area_params[] = {
    PARAM_REAL(AreaFigures, cell, "0", 0, 1000,
               "um2 of a bit of SRAM, of six transistors; 0 is what energy.node is published with: "
               "0.16 at 28 nm, 0.07 at 16, 0.074 at 12, 0.027 at 7, 0.021 at 5"),
    PARAM_REAL(AreaFigures, efficiency, "0.7", 0.01, 1,
               "share of a macro that is cells: 0.021 um2 are 31.8 Mibit a mm2 (TSMC, IEDM 2022); "
               "of a macro below 16 KiB assumed"),
    PARAM_END};

const ParamGroup area_group = {
    .name = "area", .summary = "what storage takes of the die", .params = area_params};

/* --- cells ------------------------------------------------------------------------------------ */

/* High density cells. 90 and 28 nm: measured on X1950 and HD 7970 (Chipworks, 2012); 16: Chen et
 * al., JSSC 50(1), 2015; 12: 12FFN's is 16FF+'s, 10 and 7: TSMC's (WikiChip); 5 and 3: TSMC, IEDM
 * 2022; 2: TSMC, IEDM 2024. */
typedef struct {
    double node, cell;
} Cell;

static const Cell cells[] = {{90, 0.86}, {28, 0.16}, {16, 0.07}, {12, 0.074}, {10, 0.042},
                             {7, 0.027}, {5, 0.021}, {3, 0.021}, {2, 0.0175}};

/* Between two published processes a power of the node; beyond them its square. */
static double cell_of(double node)
{
    const Cell *last = &cells[G_N_ELEMENTS(cells) - 1];
    if (node >= cells[0].node) return cells[0].cell * pow(node / cells[0].node, 2);
    if (node <= last->node) return last->cell * pow(node / last->node, 2);
    const Cell *cell = cells;
    while (node < cell[1].node) cell++;
    const double power = log(node / cell[1].node) / log(cell[0].node / cell[1].node);
    return cell[1].cell * pow(cell[0].cell / cell[1].cell, power);
}

static bool is_published(double node)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(cells) && cells[i].node != node) i++;
    return i < G_N_ELEMENTS(cells);
}

/* --- rows ------------------------------------------------------------------------------------- */

double area_of_row(const Machine *machine, const StorageTotal *row)
{
    const AreaFigures *figures = &machine->area;
    const double cell = figures->cell > 0 ? figures->cell : cell_of(machine->energy.node);
    const double pitch = energy_pitch(&row->size); /* in both directions */
    return (double)row->bits * cell * pitch * pitch / figures->efficiency * 1e-6;
}

/* The efficiency is that of a macro of 16 KiB (Chen et al.) and more, the areas are of cells with
 * one port, and published the 1.3 times of one to read and one to write. */
static bool is_assumed(const Machine *machine, const StorageSize *size)
{
    enum { LEAST = 16384 };
    const double banks = MAX(size->banks, 1),
                 bank = (double)size->entries * (double)size->bits / 8 / banks;
    const bool cell = machine->area.cell > 0 || is_published(machine->energy.node);
    return !cell || bank < LEAST || size->reads + size->writes + size->either > 2;
}

typedef struct {
    const Machine *machine;
    double all, assumed;
} Sum;

static void add_row(const StorageTotal *row, void *user)
{
    Sum *sum = user;
    const double mm2 = area_of_row(sum->machine, row);
    sum->all += mm2;
    if (is_assumed(sum->machine, &row->size)) sum->assumed += mm2;
}

double machine_area(const Machine *machine, double *assumed)
{
    Sum sum = {.machine = machine};
    machine_visit_storage(machine, add_row, &sum);
    if (assumed) *assumed = sum.assumed;
    return sum.all;
}
