#include "rigs/harness.h"

#include "parts/address/address_map.h"

static AddressMap map_of(uint64_t slices, AddressHash hash)
{
    AddressMap map = {.granularity = 256, .hash = hash};
    ck_assert(address_map_setup(&map, slices, NULL));
    return map;
}

static const AddressHash hashes[] = {ADDRESS_HASH_NONE, ADDRESS_HASH_XOR_FOLD, ADDRESS_HASH_MIX};

START_TEST(every_address_has_one_place_and_comes_back)
{
    for (uint64_t slices = 1; slices <= 97; slices++)
        for (guint h = 0; h < G_N_ELEMENTS(hashes); h++) {
            const AddressMap map = map_of(slices, hashes[h]);
            for (uint64_t i = 0; i < 3000; i++) {
                const uint64_t address = i * i * 977 + i * 32;
                const AddressPlace place = address_map_place(&map, address);
                ck_assert_uint_lt(place.slice, slices);
                ck_assert_uint_eq(address_map_global(&map, place.slice, place.local), address);
            }
        }
}
END_TEST

START_TEST(neighbouring_chunks_go_to_different_slices)
{
    static const uint64_t counts[] = {1, 2, 3, 6, 24, 40, 64, 80};
    for (guint n = 0; n < G_N_ELEMENTS(counts); n++)
        for (guint h = 0; h < G_N_ELEMENTS(hashes); h++) {
            const AddressMap map = map_of(counts[n], hashes[h]);
            for (uint64_t round = 0; round < 500; round++) {
                uint64_t seen[2] = {0};
                for (uint64_t r = 0; r < counts[n]; r++) {
                    const uint32_t slice =
                        address_map_place(&map, (round * counts[n] + r) * 256 + 255).slice;
                    seen[slice / 64] |= UINT64_C(1) << slice % 64;
                }
                ck_assert_int_eq(__builtin_popcountll(seen[0]) + __builtin_popcountll(seen[1]),
                                 counts[n]);
            }
        }
}
END_TEST

START_TEST(a_chunk_stays_together)
{
    const AddressMap map = map_of(24, ADDRESS_HASH_MIX);
    const AddressPlace first = address_map_place(&map, 0x12345600),
                       last = address_map_place(&map, 0x123456ff);
    ck_assert_uint_eq(first.slice, last.slice);
    ck_assert_uint_eq(last.local - first.local, 255);
}
END_TEST

static AddressMap map_of_blocks(uint64_t partitions, uint64_t here, uint64_t bytes,
                                AddressHash hash)
{
    AddressMap map = {
        .granularity = 256, .partition_bytes = bytes, .hash = hash, .slices_here = here};
    ck_assert(address_map_setup(&map, partitions * here, NULL));
    return map;
}

static const uint64_t blocks[][2] = {{1, 256},  {1, 1024}, {2, 512},
                                     {2, 1024}, {4, 1024}, {4, 8192}};

/* Of a block each slice has as many chunks, in turns and side by side in its memory; neighbouring
 * blocks go to different partitions. */
START_TEST(slices_of_a_partition_share_blocks)
{
    const uint64_t here = blocks[_i][0], bytes = blocks[_i][1], chunks = bytes / 256;
    for (guint h = 0; h < G_N_ELEMENTS(hashes); h++) {
        const AddressMap map = map_of_blocks(5, here, bytes, hashes[h]);
        uint32_t of_block[5] = {0};
        for (uint64_t chunk = 0; chunk < 4000 * chunks; chunk++) {
            const uint64_t address = chunk * 256 + 32;
            const AddressPlace place = address_map_place(&map, address);
            ck_assert_uint_eq(address_map_global(&map, place.slice, place.local), address);
            if (chunk % chunks == 0) {
                of_block[chunk / chunks % 5] = place.slice / (uint32_t)here;
                continue;
            }
            ck_assert_uint_eq(place.slice / here, of_block[chunk / chunks % 5]);
            if (chunk % chunks < here) continue;
            const AddressPlace turn = address_map_place(&map, address - here * 256);
            ck_assert_uint_eq(place.slice, turn.slice);
            ck_assert_uint_eq(place.local, turn.local + 256);
        }
        uint32_t seen = 0;
        for (guint i = 0; i < 5; i++) seen |= 1u << of_block[i];
        ck_assert_uint_eq(seen, 0x1f);
    }
}
END_TEST

/* The first chunks of all blocks: with a hash they are not all of one slice of the partition. */
START_TEST(a_hash_says_which_slice_of_the_partition_begins)
{
    const AddressMap map = map_of_blocks(40, 2, 1024, ADDRESS_HASH_MIX);
    guint odd = 0;
    for (uint64_t block = 0; block < 10000; block++)
        odd += address_map_place(&map, block * 1024).slice % 2;
    ck_assert_uint_ge(odd, 4500);
    ck_assert_uint_le(odd, 5500);
}
END_TEST

/* Slices and channels of a partition. */
static const uint64_t apart[][2] = {{1, 2}, {2, 1}, {2, 4}, {4, 2}, {3, 9}, {6, 2}, {2, 2}};

static AddressMap map_apart(guint which, uint64_t partitions, AddressHash hash)
{
    AddressMap map = map_of(partitions * apart[which][0], hash);
    map.slices_here = apart[which][0];
    map.channels_here = apart[which][1];
    return map;
}

static void check_places(const AddressMap *map)
{
    for (uint64_t i = 0; i < 3000; i++) {
        const AddressPlace at_slice = {(uint32_t)(i % map->slices), i * i * 977 + i * 32},
                           channel = address_map_channel(map, at_slice),
                           back = address_map_slice(map, channel);
        ck_assert_uint_eq(channel.slice / map->channels_here, at_slice.slice / map->slices_here);
        ck_assert_uint_eq(back.slice, at_slice.slice);
        ck_assert_uint_eq(back.local, at_slice.local);
    }
}

START_TEST(every_place_of_a_slice_has_one_in_a_channel_and_comes_back)
{
    for (guint n = 0; n < G_N_ELEMENTS(apart); n++)
        for (guint h = 0; h < G_N_ELEMENTS(hashes); h++) {
            const AddressMap map = map_apart(n, 12, hashes[h]);
            check_places(&map);
        }
}
END_TEST

/* Chunks of all slices of a partition, in whole rounds: each channel has as many, without holes. */
static void check_filling(const AddressMap *map)
{
    const uint64_t rounds = 64 * map->channels_here,
                   each = rounds * map->slices_here / map->channels_here;
    g_autofree bool *taken = g_new0(bool, map->channels_here *each);
    for (uint64_t i = 0; i < rounds * map->slices_here; i++) {
        const AddressPlace at_slice = {(uint32_t)(i % map->slices_here),
                                       i / map->slices_here * 256},
                           place = address_map_channel(map, at_slice);
        const uint64_t chunk = place.local / 256;
        ck_assert_uint_lt(chunk, each);
        ck_assert(!taken[place.slice * each + chunk]);
        taken[place.slice * each + chunk] = true;
    }
}

START_TEST(channels_are_filled_alike)
{
    for (guint n = 0; n < G_N_ELEMENTS(apart); n++)
        for (guint h = 0; h < G_N_ELEMENTS(hashes); h++) {
            const AddressMap map = map_apart(n, 1, hashes[h]);
            check_filling(&map);
        }
}
END_TEST

/* Strides of the number of slices: all to one slice without a hash, spread evenly with one. */
START_TEST(a_hash_spreads_a_stride_that_would_camp_on_one_slice)
{
    for (guint h = 0; h < G_N_ELEMENTS(hashes); h++) {
        const AddressMap map = map_of(64, hashes[h]);
        uint32_t hits[64] = {0}, most = 0;
        for (uint64_t i = 0; i < 6400; i++) {
            uint32_t *slice = &hits[address_map_place(&map, i * 64 * 256).slice];
            if (++*slice > most) most = *slice;
        }
        if (hashes[h] == ADDRESS_HASH_NONE)
            ck_assert_uint_eq(most, 6400);
        else
            ck_assert_uint_le(most, 150);
    }
}
END_TEST

START_TEST(the_quotient_is_exact_for_large_addresses)
{
    static const uint64_t counts[] = {3, 5, 7, 24, 40, 48, 63, 96, 4095};
    for (guint n = 0; n < G_N_ELEMENTS(counts); n++) {
        const AddressMap map = map_of(counts[n], ADDRESS_HASH_NONE);
        for (uint64_t i = 1; i < 20000; i++) {
            const uint64_t chunk = (UINT64_C(1) << 48) - i * 7919;
            ck_assert_uint_eq(address_map_quotient(&map, chunk), chunk / counts[n]);
            const uint64_t edge = chunk / counts[n] * counts[n];
            ck_assert_uint_eq(address_map_quotient(&map, edge), edge / counts[n]);
            ck_assert_uint_eq(address_map_quotient(&map, edge - 1), edge / counts[n] - 1);
        }
    }
}
END_TEST

START_TEST(a_granularity_that_is_no_power_of_two_is_refused)
{
    AddressMap map = {.granularity = 192};
    g_autoptr(GError) error = NULL;
    ck_assert(!address_map_setup(&map, 4, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "192 B: must be a power of two"));
    map.granularity = 256;
    g_clear_error(&error);
    ck_assert(!address_map_setup(&map, 0, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "1 to 4096"));
}
END_TEST

static const struct {
    uint64_t bytes, here;
    const char *message;
} wrong_blocks[] = {
    {768, 2, "partition_bytes = 768 B: must be a power of two and at least 512 B"},
    {256, 2, "at least 512 B, address_map.granularity for each slice of a partition"},
    {1024, 3, "machine.slices_per_partition = 3 must be a power of two"},
};

START_TEST(blocks_that_slices_cannot_share_are_refused)
{
    AddressMap map = {.granularity = 256,
                      .partition_bytes = wrong_blocks[_i].bytes,
                      .slices_here = wrong_blocks[_i].here};
    g_autoptr(GError) error = NULL;
    ck_assert(!address_map_setup(&map, 12, &error));
    ck_assert_msg(strstr(error->message, wrong_blocks[_i].message), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("address_map");
    tcase_add_test(cases, every_address_has_one_place_and_comes_back);
    tcase_add_test(cases, neighbouring_chunks_go_to_different_slices);
    tcase_add_test(cases, a_chunk_stays_together);
    tcase_add_loop_test(cases, slices_of_a_partition_share_blocks, 0, G_N_ELEMENTS(blocks));
    tcase_add_test(cases, a_hash_says_which_slice_of_the_partition_begins);
    tcase_add_test(cases, every_place_of_a_slice_has_one_in_a_channel_and_comes_back);
    tcase_add_test(cases, channels_are_filled_alike);
    tcase_add_test(cases, a_hash_spreads_a_stride_that_would_camp_on_one_slice);
    tcase_add_test(cases, the_quotient_is_exact_for_large_addresses);
    tcase_add_test(cases, a_granularity_that_is_no_power_of_two_is_refused);
    tcase_add_loop_test(cases, blocks_that_slices_cannot_share_are_refused, 0,
                        G_N_ELEMENTS(wrong_blocks));
    return harness_run_cases("address_map", cases);
}
