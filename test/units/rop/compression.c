/* The ROP: surfaces stored compressed. A miss looks its tile's metadata up, fetches that if need
 * be, and then what is stored of the tile: nothing, 1, 2 or (uncompressed) the wanted sectors of 4.
 * With known metadata a constant tile is here at once: 12 cycles, as a hit; with a fetch of
 * metadata 114, and others 102 more for the tile. */
#include "rig.h"

enum { TILE = 102 };

static const char *const on = "compression = yes; metadata_base = 64 KiB; metadata_tiles = 64";

static const struct {
    TileMix mix;
    uint16_t stored;
    uint32_t metadata; /* fetches of it */
    uint64_t saved, extra;
} kinds[] = {
    {{0, 0, 0}, 3, 0, 0, 0},    /* no surface */
    {{100, 0, 0}, 0, 1, 64, 0}, /* of two wanted sectors none is stored */
    {{0, 100, 0}, 1, 1, 32, 0},
    {{0, 0, 100}, 3, 1, 0, 0},
};

/* Two sectors of line 5 are blended, then line 5 is evicted by line 6 of the same metadata. */
START_TEST(a_tile_moves_what_is_stored_of_it)
{
    const TileMix mix = kinds[_i].mix;
    const bool stored = kinds[_i].stored != 0;
    const uint64_t metadata = kinds[_i].metadata ? TILE : 0, tile = stored ? TILE : 0;
    const Request requests[] = {{.at = 10,
                                 .line = 5,
                                 .lanes = 0xffff,
                                 .stride = 4,
                                 .operation = ATOMIC_BLEND,
                                 .tiles = mix,
                                 .back = 10 + HIT + 1 + metadata + tile},
                                {.at = 500,
                                 .line = 6,
                                 .lanes = 1,
                                 .operation = ATOMIC_BLEND,
                                 .tiles = mix,
                                 .back = 500 + HIT + tile}};
    g_autofree char *settings = g_strconcat("cache_entries = 1; ways = 1; ", on, NULL);
    g_autoptr(Rig) rig = rig_new(settings, 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "metadata_misses"), kinds[_i].metadata);
    ck_assert_uint_eq(unit_count(rig->rop, "metadata_hits"), kinds[_i].metadata);
    ck_assert_uint_eq(rig_count_own(rig, TRANSACTION_READ), kinds[_i].metadata + 2u * stored);
    if (metadata) {
        ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 0)->local, 64 << 10);
        ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 0)->sectors, 1);
    }
    if (stored)
        ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, kinds[_i].metadata)->sectors,
                          kinds[_i].stored);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 0)->sectors, kinds[_i].stored);
    ck_assert_uint_eq(unit_bytes(rig->rop, "bytes_saved_write_backs"), kinds[_i].saved);
    /* of line 6 a single sector is wanted */
    const uint64_t second = _i == 1 ? 32 : 0, extra = _i == 3 ? 32 : 0;
    ck_assert_uint_eq(unit_bytes(rig->rop, "bytes_saved_fetches"), kinds[_i].saved + second);
    ck_assert_uint_eq(unit_bytes(rig->rop, "bytes_extra"), extra);
    ck_assert_uint_eq(unit_count(rig->rop, "compressed_fetches"), _i ? 2 : 0);
}
END_TEST

/* A tile that came compressed is here whole: its other sectors hit. */
START_TEST(a_compressed_tile_comes_whole)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 1, .tiles = {0, 100, 0}, .back = 10 + MISS + TILE},
        {.at = 400, .line = 5, .lanes = 1, .offset = 96, .tiles = {0, 100, 0}, .back = 400 + HIT}};
    g_autoptr(Rig) rig = rig_new(on, 16);
    RUN(rig, requests);
}
END_TEST

/* Others that want the tile meanwhile wait for it, also while its metadata is under way. */
START_TEST(who_wants_a_tile_under_way_waits_for_it)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 1, .tiles = {0, 0, 100}, .back = 10 + MISS + TILE},
        {.at = 20,
         .line = 5,
         .lanes = 1,
         .offset = 96,
         .tiles = {0, 0, 100},
         .back = 10 + MISS + TILE + 1},
        {.at = 150,
         .line = 5,
         .lanes = 1,
         .offset = 64,
         .tiles = {0, 0, 100},
         .back = 10 + MISS + TILE + 2}};
    g_autoptr(Rig) rig = rig_new(on, 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "merged"), 2);
    ck_assert_uint_eq(rig_count_own(rig, TRANSACTION_READ), 2);
}
END_TEST

/* Lines 0 and 64 have different metadata sectors; one entry holds one of them. */
START_TEST(the_metadata_cache_holds_so_many_sectors)
{
    static const struct {
        const char *settings;
        uint64_t misses;
    } sizes[] = {{"metadata_entries = 1; ", 4}, {"metadata_entries = 2; ", 2}};
    static const TileMix mix = {0, 100, 0};
    const Request requests[] = {{.at = 10, .line = 0, .lanes = 1, .tiles = mix},
                                {.at = 400, .line = 64, .lanes = 1, .tiles = mix},
                                {.at = 800, .line = 1, .lanes = 1, .tiles = mix},
                                {.at = 1200, .line = 65, .lanes = 1, .tiles = mix}};
    g_autofree char *settings = g_strconcat(sizes[_i].settings, on, NULL);
    g_autoptr(Rig) rig = rig_new(settings, 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "metadata_misses"), sizes[_i].misses);
    ck_assert_uint_eq(unit_count(rig->rop, "metadata_hits"), 4 - sizes[_i].misses);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 2)->local, 64 << 10);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 2)->sectors, 2);
}
END_TEST

enum { TILES = 400 };

/* Which tile is of which kind is drawn; of 400 about so many as said. */
START_TEST(parts_of_a_surface_are_of_each_kind)
{
    static Request requests[TILES];
    for (guint i = 0; i < TILES; i++)
        requests[i] = (Request){.at = 10 + 300 * i,
                                .line = i,
                                .lanes = UINT32_MAX,
                                .stride = 4,
                                .operation = ATOMIC_BLEND,
                                .tiles = {25, 25, 25}};
    g_autoptr(Rig) rig = rig_new(on, 16);
    RUN(rig, requests);
    guint count[16] = {0};
    for (guint i = 0; i < rig->slice->noted->len; i++) {
        const Noted *noted = rig_noted(rig, i);
        const bool fetch = noted->for_rop && noted->type == TRANSACTION_READ;
        if (fetch && noted->local < 64 << 10) count[noted->sectors]++;
    }
    ck_assert_uint_eq(count[1] + count[3] + count[15], unit_count(rig->rop, "fetches"));
    ck_assert(count[1] > 70 && count[1] < 130);
    ck_assert(count[3] > 70 && count[3] < 130);
    ck_assert(count[15] > 70 && count[15] < 130);
    ck_assert_uint_eq(unit_bytes(rig->rop, "bytes_saved_fetches"),
                      96 * count[1] + 64 * count[3]
                          + 128 * (TILES - count[1] - count[3] - count[15]));
}
END_TEST

START_TEST(without_compression_a_surface_is_stored_as_it_is)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 1, .tiles = {100, 0, 0}, .back = 10 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "metadata_misses"), 0);
    ck_assert_uint_eq(unit_count(rig->rop, "compressed_fetches"), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("rop_compression");
    tcase_add_loop_test(cases, a_tile_moves_what_is_stored_of_it, 0, G_N_ELEMENTS(kinds));
    tcase_add_test(cases, a_compressed_tile_comes_whole);
    tcase_add_test(cases, who_wants_a_tile_under_way_waits_for_it);
    tcase_add_loop_test(cases, the_metadata_cache_holds_so_many_sectors, 0, 2);
    tcase_add_test(cases, parts_of_a_surface_are_of_each_kind);
    tcase_add_test(cases, without_compression_a_surface_is_stored_as_it_is);
    return harness_run_cases("rop_compression", cases);
}
