/* What a machine stores, in bits: the rows of its units' classes (kit/cost/storage.h), with the
 * buffers of the channels between them. */
#pragma once

#include "platform/machine/machine.h"

/* A row of all units of its class. */
typedef struct {
    const UnitClass *class;
    const StorageRow *row;
    StorageSize size; /* of one unit; of an input without the places */
    uint64_t units;
    uint64_t entries, bits; /* of all of them together */
} StorageTotal;

typedef void (*StorageVisit)(const StorageTotal *total, void *user);

/* Class by class, in the order of their lists; what this machine has none of is left out. The
 * machine need not have run. */
void machine_visit_storage(const Machine *machine, StorageVisit visit, void *user);

/* What sizes follow from. */
StorageMachine machine_describe_storage(const Machine *machine);

/* Of the whole machine. */
uint64_t machine_storage_bits(const Machine *machine);
