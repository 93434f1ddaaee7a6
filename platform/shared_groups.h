/* Parameters that several units share: the interleaving of addresses over slices, and the DRAM. */
#pragma once

#include "kit/describe/param.h"
#include "parts/address_map.h"
#include "parts/dram_timing.h"
#include "parts/frames.h"

/* over AddressMap, Frames and DramTiming */
extern const ParamGroup address_map_group, pages_group, dram_group;

/* Derives what follows from the parameters; the error names the combination that cannot be. */
bool shared_groups_setup(AddressMap *address_map, DramTiming *dram, uint64_t slices,
                         GError **error);
