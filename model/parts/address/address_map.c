#include "parts/address/address_map.h"

#include "parts/bits.h"

bool address_map_setup(AddressMap *map, uint64_t slices, GError **error)
{
    if (!is_power_of_two(map->granularity)) {
        g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0,
                    "address_map.granularity = %" G_GUINT64_FORMAT " B: must be a power of two",
                    map->granularity);
        return false;
    }
    if (!slices || slices > ADDRESS_SLICES_MAX) {
        g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0,
                    "%" G_GUINT64_FORMAT " slices: addresses can be interleaved over 1 to %d",
                    slices, ADDRESS_SLICES_MAX);
        return false;
    }
    map->slices = slices;
    map->granularity_shift = bits_for(map->granularity);
    map->slice_shift = map->fold_bits = bits_for(slices);
    map->reciprocal = is_power_of_two(slices) ? 0 : UINT64_MAX / slices + 1;
    return true;
}

uint64_t address_map_global(const AddressMap *map, uint32_t slice, uint64_t local)
{
    const uint64_t q = local >> map->granularity_shift;
    const uint64_t rotation = address_map_rotation(map, q);
    const uint64_t r = slice >= rotation ? slice - rotation : slice + map->slices - rotation;
    const uint64_t offset = local & (map->granularity - 1);
    return ((q * map->slices + r) << map->granularity_shift) | offset;
}
