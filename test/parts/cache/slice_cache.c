#include "parts/cache/slice_cache.h"

#include <check.h>

#include "rigs/harness.h"

/* Lines of four sectors of 32 B, fetched two by two; 16 lines in 4 sets; two slices that take turns
 * every 256 bytes, of which this is the second. */
static const LineShape line_shape = {.line_bytes = 128, .sector_bytes = 32};
static AddressMap map;

static SliceCacheShape usual_shape(void)
{
    map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&map, 2, NULL));
    return (SliceCacheShape){.capacity = 2048,
                             .ways = 4,
                             .fill_bytes = 64,
                             .pending_entries = 8,
                             .line = &line_shape,
                             .map = &map,
                             .slice = 1};
}

static SliceCache usual_cache(void)
{
    SliceCache cache = {.group = 0};
    const SliceCacheShape shape = usual_shape();
    ck_assert(slice_cache_init(&cache, &shape, NULL));
    return cache;
}

static uint32_t place_line(SliceCache *cache, uint64_t line, uint16_t valid)
{
    const uint32_t place = tag_array_victim(&cache->tags, line);
    tag_array_replace(&cache->tags, place, line);
    cache->tags.lines[place].valid = valid;
    return place;
}

static uint16_t valid_of(const SliceCache *cache, uint64_t line)
{
    const uint32_t place = tag_array_find(&cache->tags, line);
    return place == TAG_NONE ? 0 : cache->tags.lines[place].valid;
}

static void expect_refused(const SliceCacheShape *shape, const char *message)
{
    SliceCache cache = {.group = 0};
    g_autoptr(GError) error = NULL;
    ck_assert(!slice_cache_init(&cache, shape, &error));
    ck_assert_str_eq(error->message, message);
    slice_cache_finish(&cache);
}

START_TEST(a_shape_without_whole_sets_or_groups_is_refused)
{
    SliceCacheShape shape = usual_shape();
    shape.capacity = 2000;
    expect_refused(&shape, "capacity = 2000 B: not a whole number of sets of 4 ways of "
                           "lines of 128 B"
                           " (machine.l2_line_bytes or machine.line_bytes)");
    shape.capacity = 2048 + 128;
    expect_refused(&shape, "capacity = 2176 B: not a whole number of sets of 4 ways of "
                           "lines of 128 B"
                           " (machine.l2_line_bytes or machine.line_bytes)");
    shape = usual_shape();
    shape.fill_bytes = 48;
    expect_refused(&shape, "fill_bytes = 48 B: must be a multiple of the sector (32 B, "
                           "machine.l2_sector_bytes or machine.sector_bytes) that divides the line "
                           "(128 B, machine.l2_line_bytes or machine.line_bytes)");
    shape.fill_bytes = 96;
    expect_refused(&shape, "fill_bytes = 96 B: must be a multiple of the sector (32 B, "
                           "machine.l2_sector_bytes or machine.sector_bytes) that divides the line "
                           "(128 B, machine.l2_line_bytes or machine.line_bytes)");
}
END_TEST

START_TEST(a_line_lacks_what_is_not_valid)
{
    SliceCache cache = usual_cache();
    const uint32_t place = place_line(&cache, 9, 0x6);
    ck_assert_uint_eq(slice_cache_lacks(&cache, place, 0x6), 0);
    ck_assert_uint_eq(slice_cache_lacks(&cache, place, 0xf), 0x9);
    ck_assert_uint_eq(slice_cache_lacks(&cache, TAG_NONE, 0xf), 0xf);
    ck_assert_uint_eq(slice_cache_bytes(&cache, 0xb), 96);
    slice_cache_finish(&cache);
}
END_TEST

START_TEST(a_fetch_is_of_whole_groups_without_what_is_there)
{
    SliceCache cache = usual_cache();
    static const struct {
        uint16_t valid, wanted, fetched;
    } rows[] = {
        {0x0, 0x1, 0x3}, {0x0, 0x8, 0xc}, {0x0, 0x6, 0xf}, {0x1, 0x2, 0x2}, {0x3, 0x4, 0xc}};
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        const uint32_t place = place_line(&cache, i, rows[i].valid);
        const uint32_t index = slice_cache_begin_fetch(&cache, i, place, rows[i].wanted);
        const PendingRequest *entry = &cache.table.entries[index];
        ck_assert_uint_eq(entry->sectors, rows[i].fetched);
        ck_assert_uint_eq(entry->place, place);
        ck_assert_uint_eq(pending_request_table_find(&cache.table, i, rows[i].wanted), index);
    }
    ck_assert_uint_eq(cache.table.used, G_N_ELEMENTS(rows));
    slice_cache_finish(&cache);
}
END_TEST

START_TEST(a_fill_makes_its_sectors_valid_and_its_line_replaceable)
{
    SliceCache cache = usual_cache();
    uint32_t entry[4];
    for (uint64_t way = 0; way < 4; way++)
        entry[way] = slice_cache_begin_fetch(&cache, 4 * way, place_line(&cache, 4 * way, 0), 0x1);
    ck_assert_uint_eq(tag_array_victim(&cache.tags, 16), TAG_NONE);
    slice_cache_end_fetch(&cache, entry[2]);
    ck_assert_uint_eq(tag_array_victim(&cache.tags, 16), tag_array_find(&cache.tags, 8));
    ck_assert_uint_eq(valid_of(&cache, 8), 0x3);
    ck_assert_uint_eq(valid_of(&cache, 4), 0);
    ck_assert_uint_eq(cache.table.used, 3);
    slice_cache_finish(&cache);
}
END_TEST

/* The fetch ends without a place; nobody can join it, and its line begins anew. */
START_TEST(an_emptied_cache_is_not_filled_by_what_was_under_way)
{
    SliceCache cache = usual_cache();
    const uint32_t place = place_line(&cache, 5, 0);
    const uint32_t old = slice_cache_begin_fetch(&cache, 5, place, 1);
    slice_cache_empty(&cache);
    ck_assert_uint_eq(tag_array_find(&cache.tags, 5), TAG_NONE);
    ck_assert_uint_eq(pending_request_table_find_any(&cache.table, 5, 3), PRT_NONE);
    const uint32_t again = slice_cache_begin_fetch(&cache, 5, place_line(&cache, 5, 0), 1);
    ck_assert_uint_eq(cache.table.entries[again].sectors, 3);
    slice_cache_end_fetch(&cache, old);
    ck_assert_uint_eq(valid_of(&cache, 5), 0);
    slice_cache_end_fetch(&cache, again);
    ck_assert_uint_eq(valid_of(&cache, 5), 3);
    ck_assert_uint_eq(cache.table.used, 0);
    slice_cache_finish(&cache);
}
END_TEST

START_TEST(a_line_in_use_is_kept_and_what_is_written_is_dirty)
{
    SliceCache cache = usual_cache();
    uint32_t place[4];
    for (uint64_t way = 0; way < 4; way++) place[way] = place_line(&cache, 4 * way, 0x1);
    slice_cache_use(&cache, place[0], 0x6);
    slice_cache_use(&cache, place[1], 0);
    ck_assert_uint_eq(tag_array_victim(&cache.tags, 16), place[2]);
    ck_assert_uint_eq(cache.tags.lines[place[0]].valid, 0x7);
    ck_assert_uint_eq(cache.tags.lines[place[0]].dirty, 0x6);
    ck_assert_uint_eq(cache.tags.lines[place[1]].dirty, 0);
    slice_cache_finish(&cache);
}
END_TEST

/* Bytes 100 to 800 touch lines 0 to 6; chunks 1 and 3 are this slice's: lines 2, 3 and 6, of which
 * the slice has numbers 0, 1 and 2. Of the last one the copy has 32 bytes. */
START_TEST(a_copy_leaves_its_sectors_of_the_slices_own_lines_clean)
{
    SliceCache cache = usual_cache();
    const uint32_t dirty = place_line(&cache, 1, 0x2);
    cache.tags.lines[dirty].dirty = 0x2;
    slice_cache_accept_copy(&cache, 100, 700);
    for (uint64_t line = 0; line < 2; line++) ck_assert_uint_eq(valid_of(&cache, line), 0xf);
    ck_assert_uint_eq(valid_of(&cache, 2), 0x1);
    ck_assert_uint_eq(valid_of(&cache, 3), 0);
    slice_cache_accept_copy(&cache, 768 + 95, 2);
    ck_assert_uint_eq(valid_of(&cache, 2), 0xd);
    ck_assert_uint_eq(cache.tags.lines[tag_array_find(&cache.tags, 0)].dirty, 0);
    ck_assert_uint_eq(cache.tags.lines[dirty].dirty, 0x2);
    slice_cache_finish(&cache);
}
END_TEST

/* 1 MiB is 4096 lines of this slice, which holds the last sixteen. */
START_TEST(of_a_long_copy_the_last_part_is_there)
{
    SliceCache cache = usual_cache();
    slice_cache_accept_copy(&cache, 0, 1048576);
    for (uint64_t line = 4080; line < 4096; line++) ck_assert_uint_eq(valid_of(&cache, line), 0xf);
    ck_assert_uint_eq(valid_of(&cache, 4079), 0);
    slice_cache_finish(&cache);
}
END_TEST

START_TEST(a_copy_may_reach_the_end_of_the_address_space)
{
    SliceCache cache = usual_cache();
    slice_cache_accept_copy(&cache, UINT64_MAX - 255, 255);
    const uint64_t last = address_map_place(&map, UINT64_MAX).local / 128;
    ck_assert_uint_eq(valid_of(&cache, last), 0xf);
    ck_assert_uint_eq(valid_of(&cache, last - 1), 0xf);
    slice_cache_finish(&cache);
}
END_TEST

/* All four ways of a set have been written. */
START_TEST(a_copy_says_how_much_written_data_it_replaced)
{
    SliceCache cache = usual_cache();
    for (uint64_t line = 0; line < 4; line++)
        cache.tags.lines[place_line(&cache, 1 + 4 * line, 0x3)].dirty = line ? 0x1 : 0x3;
    ck_assert_uint_eq(slice_cache_accept_copy(&cache, 8 * 512, 8192), 2 * 32 + 3 * 32);
    ck_assert_uint_eq(slice_cache_accept_copy(&cache, 8 * 512, 8192), 0);
    slice_cache_finish(&cache);
}
END_TEST

/* Of four channels a slice each has a quarter of its bytes, so that eight times its own fill it. */
START_TEST(a_channel_keeps_as_much_of_a_copy_as_it_can)
{
    AddressMap apart = {.granularity = 256, .slices_here = 1, .channels_here = 4};
    ck_assert(address_map_setup(&apart, 2, NULL));
    SliceCacheShape shape = usual_shape();
    shape.map = &apart;
    shape.of_channel = true;
    SliceCache cache = {.group = 0};
    ck_assert(slice_cache_init(&cache, &shape, NULL));
    slice_cache_accept_copy(&cache, 0, 1048576);
    const uint64_t lines = 1048576 / 8 / 128, kept = shape.capacity / 128;
    for (uint64_t line = lines - kept; line < lines; line++)
        ck_assert_uint_eq(valid_of(&cache, line), 0xf);
    slice_cache_finish(&cache);
}
END_TEST

HARNESS_MAIN("slice_cache", a_copy_says_how_much_written_data_it_replaced,
             a_copy_may_reach_the_end_of_the_address_space,
             a_channel_keeps_as_much_of_a_copy_as_it_can,
             a_shape_without_whole_sets_or_groups_is_refused, a_line_lacks_what_is_not_valid,
             a_fetch_is_of_whole_groups_without_what_is_there,
             a_fill_makes_its_sectors_valid_and_its_line_replaceable,
             an_emptied_cache_is_not_filled_by_what_was_under_way,
             a_line_in_use_is_kept_and_what_is_written_is_dirty,
             a_copy_leaves_its_sectors_of_the_slices_own_lines_clean,
             of_a_long_copy_the_last_part_is_there)
