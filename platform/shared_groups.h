/* Parameters that several units share: the interleaving of addresses over slices, and the DRAM. */
#pragma once

#include "kit/param.h"
#include "parts/address_map.h"
#include "parts/dram_timing.h"

extern const ParamGroup address_map_group, dram_group; /* over AddressMap and DramTiming */

/* Derives what follows from the parameters; the error names the combination that cannot be. */
bool shared_groups_setup(AddressMap *address_map, DramTiming *dram, uint64_t slices,
                         GError **error);
