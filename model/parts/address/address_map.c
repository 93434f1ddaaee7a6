#include "parts/address/address_map.h"

#include "parts/bits.h"

/* As slices are rotated, or a stride that keeps to one slice would keep to one of its channels. */
static uint64_t rotation_of_ways(uint64_t q, uint64_t ways)
{
    q = (q ^ (q >> 15)) * MIX_FIRST;
    return (((q ^ (q >> 29)) & UINT32_MAX) * ways) >> 32;
}

static bool reject(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);

static bool reject(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, g_quark_from_static_string("warpmem-parameter"), 0, text);
    return false;
}

/* A block is a whole number of turns of the partition's slices. */
static bool set_block(AddressMap *map, GError **error)
{
    map->block_shift = map->granularity_shift = bits_for(map->granularity);
    map->peer_bits = map->chunk_bits = 0;
    if (!map->partition_bytes) return true;
    const uint64_t least = map->granularity * map->slices_here;
    if (!is_power_of_two(map->partition_bytes) || map->partition_bytes < least)
        return reject(error,
                      "address_map.partition_bytes = %" G_GUINT64_FORMAT
                      " B: must be a power of two and at least %" G_GUINT64_FORMAT
                      " B, address_map.granularity for each slice of a partition",
                      map->partition_bytes, least);
    if (!is_power_of_two(map->slices_here))
        return reject(error,
                      "address_map.partition_bytes: machine.slices_per_partition = "
                      "%" G_GUINT64_FORMAT " must be a power of two",
                      map->slices_here);
    map->block_shift = bits_for(map->partition_bytes);
    map->peer_bits = bits_for(map->slices_here);
    map->chunk_bits = map->block_shift - map->granularity_shift - map->peer_bits;
    return true;
}

bool address_map_setup(AddressMap *map, uint64_t slices, GError **error)
{
    if (!is_power_of_two(map->granularity))
        return reject(error,
                      "address_map.granularity = %" G_GUINT64_FORMAT " B: must be a power of two",
                      map->granularity);
    if (!slices || slices > ADDRESS_SLICES_MAX)
        return reject(error,
                      "machine.partitions: with slices_per_partition %" G_GUINT64_FORMAT
                      " slices; addresses can be interleaved over 1 to %d",
                      slices, ADDRESS_SLICES_MAX);
    if (!set_block(map, error)) return false;
    map->slices = slices;
    map->ways = slices >> map->peer_bits;
    map->way_shift = map->fold_bits = bits_for(map->ways);
    map->reciprocal = is_power_of_two(map->ways) ? 0 : UINT64_MAX / map->ways + 1;
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
    const uint64_t at = local >> map->granularity_shift, q = at >> map->chunk_bits;
    const uint64_t rotation = address_map_rotation(map, q), way = slice >> map->peer_bits;
    const uint64_t r = way >= rotation ? way - rotation : way + map->ways - rotation;
    const uint64_t peer =
        (slice ^ address_map_first_peer(map, q)) & ((UINT64_C(1) << map->peer_bits) - 1);
    const uint64_t chunk = (at - (q << map->chunk_bits)) << map->peer_bits | peer;
    const uint64_t block = q * map->ways + r;
    return ((block << (map->block_shift - map->granularity_shift) | chunk)
            << map->granularity_shift)
           | (local & (map->granularity - 1));
}
