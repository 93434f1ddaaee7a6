/* Parameters that several units share: the interleaving of addresses over slices, pages, and the
 * DRAM. */
#pragma once

#include "kit/describe/param.h"
#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/address/paging.h"
#include "parts/dram/timing.h"

/* over AddressMap, Frames, Paging and DramTiming */
extern const ParamGroup address_map_group, pages_group, paging_group, dram_group;

/* Makes cycles of the command clock of what is given as a time; the error is of a range. */
bool shared_groups_settle(DramTiming *dram, uint64_t hertz, GError **error);

/* Derives what follows from the parameters; the error names the combination that cannot be. */
bool shared_groups_setup(AddressMap *address_map, DramTiming *dram, uint64_t slices,
                         GError **error);
