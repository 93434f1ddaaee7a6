/* Area, roughly: mm2 of the SRAM that a machine's storage takes, from published cells and a macro's
 * share of them. */
#pragma once

#include "platform/cost/storage.h"

/* `[area]`; the process is that of `[energy]`. */
typedef struct AreaFigures {
    double cell;       /* um2 of a bit; 0: what the process is published with */
    double efficiency; /* share of a macro that is cells */
} AreaFigures;

extern const ParamGroup area_group;

/* mm2 of all units of a row. */
double area_of_row(const Machine *machine, const StorageTotal *row);
/* Of the whole machine; `assumed`, if not NULL: of it what rests on figures that nobody has
 * published. */
double machine_area(const Machine *machine, double *assumed);
