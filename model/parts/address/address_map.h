/* Which L2 slice an address belongs to, and where it lies in that slice's DRAM channel.
 *
 *     address = chunk x granularity + offset        chunk = q x slices + r
 *     slice   = (r + hash(q)) mod slices            local = q x granularity + offset
 *
 * Any number of slices: `slices` consecutive chunks always go to different slices, so each hash is
 * a bijection. Addresses up to 2^56; the division is a multiplication by the reciprocal.
 *
 * With `partition_bytes`, blocks of so many bytes go to partitions as chunks to slices above, and
 * the chunks of a block to the partition's slices in turns, of which a bit of the hash is first. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parts/bits.h"

typedef enum { ADDRESS_HASH_NONE, ADDRESS_HASH_XOR_FOLD, ADDRESS_HASH_MIX } AddressHash;

enum { ADDRESS_SLICES_MAX = 4096 };

typedef struct {
    uint64_t granularity;     /* bytes, a power of two */
    uint64_t partition_bytes; /* a power of two; 0: slices take turns alone */
    uint32_t hash;            /* AddressHash */

    uint64_t slices;     /* the rest is derived by address_map_setup */
    uint64_t ways;       /* slices, or partitions */
    uint64_t reciprocal; /* 2^64 / ways rounded up; 0: a power of two */
    uint32_t granularity_shift, block_shift, way_shift;
    uint32_t peer_bits, chunk_bits; /* of a block: which slice, which of its chunks */
    uint32_t fold_bits;

    /* Of a partition; 0: each slice has a DRAM channel of its own. Else the larger is a multiple of
     * the smaller. */
    uint64_t slices_here, channels_here;

    /* 2: the first half of the slices is near the first half of the requesters, and the second half
     * of the slices near the second; more: likewise; else every slice is near everybody */
    uint64_t halves, requesters;
} AddressMap;

typedef struct {
    uint32_t slice; /* or DRAM channel */
    uint64_t local;
} AddressPlace;

/* Derives the rest from granularity, partition_bytes with slices_here, and hash. */
bool address_map_setup(AddressMap *map, uint64_t slices, GError **error);

/* The address of a place: the inverse of address_map_place. */
uint64_t address_map_global(const AddressMap *map, uint32_t slice, uint64_t local);

static inline bool address_map_channels_apart(const AddressMap *map)
{
    return map->channels_here != map->slices_here;
}

/* The DRAM channel of a slice's address, and the address there. A slice's chunks go to its channels
 * in turns, which a hash rotates; those of slices that share a channel lie in it in turns. */
AddressPlace address_map_channel(const AddressMap *map, AddressPlace at_slice);
/* The inverse. */
AddressPlace address_map_slice(const AddressMap *map, AddressPlace at_channel);

__extension__ typedef unsigned __int128 AddressProduct;

static inline uint64_t address_map_quotient(const AddressMap *map, uint64_t block)
{
    if (!map->reciprocal) return block >> map->way_shift;
    return (uint64_t)(((AddressProduct)block * map->reciprocal) >> 64);
}

static inline uint64_t address_map_fold(const AddressMap *map, uint64_t q)
{
    uint64_t folded = 0;
    for (; q; q >>= map->fold_bits) folded ^= q & ((UINT64_C(1) << map->fold_bits) - 1);
    return folded < map->ways ? folded : folded - map->ways;
}

/* The multiplier of splitmix64. */
static inline uint64_t address_map_mix(uint64_t q)
{
    q = (q ^ (q >> 15)) * MIX_FIRST;
    return q ^ (q >> 29);
}

/* How far the blocks of round q are rotated over the ways: of the mix 32 bits, scaled. */
static inline uint64_t address_map_rotation(const AddressMap *map, uint64_t q)
{
    if (map->hash == ADDRESS_HASH_NONE || map->ways == 1) return 0;
    return map->hash == ADDRESS_HASH_MIX ? ((address_map_mix(q) & UINT32_MAX) * map->ways) >> 32
                                         : address_map_fold(map, q);
}

/* Of a block's first chunk. */
static inline uint64_t address_map_first_peer(const AddressMap *map, uint64_t q)
{
    return map->peer_bits && map->hash == ADDRESS_HASH_MIX ? address_map_mix(q) >> 32 : 0;
}

static inline AddressPlace address_map_place(const AddressMap *map, uint64_t address)
{
    const uint64_t block = address >> map->block_shift;
    const uint64_t q = address_map_quotient(map, block);
    uint64_t way = block - q * map->ways + address_map_rotation(map, q);
    if (way >= map->ways) way -= map->ways;
    const uint64_t chunk = (address >> map->granularity_shift)
                           - (block << (map->block_shift - map->granularity_shift));
    const uint64_t peer =
        (chunk ^ address_map_first_peer(map, q)) & ((UINT64_C(1) << map->peer_bits) - 1);
    const uint64_t local = q << map->chunk_bits | chunk >> map->peer_bits;
    const uint64_t offset = address & (map->granularity - 1);
    return (AddressPlace){(uint32_t)(way << map->peer_bits | peer),
                          (local << map->granularity_shift) | offset};
}

/* The slice at the same place of a half. */
static inline uint32_t address_map_twin(const AddressMap *map, uint32_t slice, uint32_t half)
{
    const uint32_t count = (uint32_t)(map->slices / map->halves);
    return slice % count + half * count;
}

/* The slice that a requester asks for what belongs to `home`: that one, or its near twin. */
static inline uint32_t address_map_entrance(const AddressMap *map, uint32_t home,
                                            uint32_t requester)
{
    if (map->halves < 2) return home;
    const uint64_t half = map->halves * requester / map->requesters;
    return address_map_twin(map, home, (uint32_t)half);
}
