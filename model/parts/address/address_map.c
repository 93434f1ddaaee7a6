#include "parts/address/address_map.h"

#include "parts/bits.h"

/* As slices are rotated, or a stride that keeps to one slice would keep to one of its channels. */
static uint64_t rotation_of_ways(uint64_t q, uint64_t ways)
{
    q = (q ^ (q >> 15)) * MIX_FIRST;
    return (((q ^ (q >> 29)) & UINT32_MAX) * ways) >> 32;
}

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

/* --- channels --------------------------------------------------------------------------------- */

/* Over `ways`, in turns: which of them, and where in it. */
static AddressPlace deal_out(const AddressMap *map, uint64_t ways, bool rotates, uint64_t address)
{
    const uint64_t chunk = address >> map->granularity_shift, q = chunk / ways;
    const uint64_t offset = address & (map->granularity - 1);
    const uint64_t rotation = rotates ? rotation_of_ways(q, ways) : 0;
    return (AddressPlace){(uint32_t)((chunk + rotation) % ways),
                          (q << map->granularity_shift) | offset};
}

static uint64_t gather(const AddressMap *map, uint64_t ways, bool rotates, AddressPlace place)
{
    const uint64_t q = place.local >> map->granularity_shift;
    const uint64_t offset = place.local & (map->granularity - 1);
    const uint64_t rotation = rotates ? rotation_of_ways(q, ways) % ways : 0;
    const uint64_t r = (place.slice + ways - rotation) % ways;
    return ((q * ways + r) << map->granularity_shift) | offset;
}

static uint32_t numbered(uint64_t partition, uint64_t each, uint64_t here)
{
    return (uint32_t)(partition * each + here);
}

AddressPlace address_map_channel(const AddressMap *map, AddressPlace at_slice)
{
    if (!address_map_channels_apart(map)) return at_slice;
    const uint64_t slices = map->slices_here, channels = map->channels_here;
    const uint64_t partition = at_slice.slice / slices, here = at_slice.slice % slices;
    if (channels > slices) {
        const uint64_t ways = channels / slices;
        const AddressPlace place =
            deal_out(map, ways, map->hash != ADDRESS_HASH_NONE, at_slice.local);
        return (AddressPlace){numbered(partition, channels, here * ways + place.slice),
                              place.local};
    }
    const uint64_t ways = slices / channels;
    const AddressPlace turn = {(uint32_t)(here % ways), at_slice.local};
    return (AddressPlace){numbered(partition, channels, here / ways),
                          gather(map, ways, false, turn)};
}

AddressPlace address_map_slice(const AddressMap *map, AddressPlace at_channel)
{
    if (!address_map_channels_apart(map)) return at_channel;
    const uint64_t slices = map->slices_here, channels = map->channels_here;
    const uint64_t partition = at_channel.slice / channels, here = at_channel.slice % channels;
    if (channels > slices) {
        const uint64_t ways = channels / slices;
        const AddressPlace turn = {(uint32_t)(here % ways), at_channel.local};
        return (AddressPlace){numbered(partition, slices, here / ways),
                              gather(map, ways, map->hash != ADDRESS_HASH_NONE, turn)};
    }
    const uint64_t ways = slices / channels;
    const AddressPlace place = deal_out(map, ways, false, at_channel.local);
    return (AddressPlace){numbered(partition, slices, here * ways + place.slice), place.local};
}

uint64_t address_map_global(const AddressMap *map, uint32_t slice, uint64_t local)
{
    const uint64_t q = local >> map->granularity_shift;
    const uint64_t rotation = address_map_rotation(map, q);
    const uint64_t r = slice >= rotation ? slice - rotation : slice + map->slices - rotation;
    const uint64_t offset = local & (map->granularity - 1);
    return ((q * map->slices + r) << map->granularity_shift) | offset;
}
