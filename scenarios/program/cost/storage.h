/* What a machine stores, said: the member `storage` of a result, tables, and what changed. */
#pragma once

#include <json-glib/json-glib.h>
#include <stdio.h>

#include "platform/cost/area.h"

/* { total_bits, area_mm2, assumed_mm2, units: { CLASS: { ROW: { units, entries, entry_bits, banks,
 * ports, compared_bits, bits, mm2 } } } }: all units of a class together; ports are of a bank,
 * compared bits of one unit. */
JsonNode *storage_json(const Machine *machine);
/* Without `units`. */
JsonNode *storage_totals_json(const Machine *machine);

/* A row as readers find it. */
typedef struct {
    const char *unit, *name;
    const char *summary; /* NULL: this program knows no such row */
    const char *ports;   /* "1R1W" */
    double units, entries, entry_bits, banks, compared, bits,
        mm2; /* NaN: the result does not say */
} StorageEntry;

/* Rows of such a member, in their order; of StorageEntry. Empty where it is NULL. */
GArray *storage_entries(JsonNode *storage);

/* What its summary says before the first comma or colon; newly allocated. */
char *storage_title(const StorageEntry *entry);

/* "2.50 MiB", "312 B", "40 bits"; newly allocated. */
char *storage_text(double bits);

/* Row by row, with sums of units and of all. */
void storage_print(JsonNode *storage, FILE *out);
/* "12.3 to 25 mm2 of SRAM": macros, and what whole caches around theirs are found to take at most;
 * with the share of assumed figures where they decide; newly allocated, empty without an area. */
char *storage_area_text(JsonNode *storage);
/* "storage 40.1 MiB, 12.3 to 25 mm2 of SRAM: sm.register_bits 20.0 MiB, ...", so many of the largest; newly allocated. */
char *storage_line(JsonNode *storage, guint named);
