#include "parts/address/page_walk_cache.h"

#include "rigs/harness.h"

/* Three levels: last-level entries of 64 KiB, then 1 MiB, then 4 MiB. */
static PageWalkCache make(uint64_t last_entries, uint64_t upper_entries)
{
    const PageWalkShape shape = {.levels = 3,
                                 .last = {last_entries, 0, 65536},
                                 .upper = {upper_entries, 0, 1 << 20},
                                 .fanout_bits = 2};
    PageWalkCache cache;
    ck_assert(page_walk_cache_init(&cache, &shape, NULL));
    return cache;
}

START_TEST(a_walk_begins_below_the_lowest_level_that_is_known)
{
    PageWalkCache cache = make(4, 4);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 0), 3);
    page_walk_cache_fill(&cache, 0);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 65535), 0);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 65536), 1);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 3 << 20), 2);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 4 << 20), 3);
    page_walk_cache_finish(&cache);
}
END_TEST

START_TEST(levels_without_entries_are_always_read)
{
    PageWalkCache cache = make(0, 4);
    page_walk_cache_fill(&cache, 0);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 0), 1);
    page_walk_cache_finish(&cache);
    cache = make(4, 0);
    page_walk_cache_fill(&cache, 0);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 0), 0);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, 65536), 3);
    page_walk_cache_finish(&cache);
}
END_TEST

/* 2^56 bytes an entry and 2^20 entries above: the top entry covers everything. */
START_TEST(a_top_level_beyond_all_addresses_has_one_entry)
{
    const PageWalkShape shape = {.levels = WALK_LEVELS_MAX,
                                 .last = {1, 0, 4096},
                                 .upper = {1, 0, UINT64_C(1) << 56},
                                 .fanout_bits = 20};
    PageWalkCache cache;
    ck_assert(page_walk_cache_init(&cache, &shape, NULL));
    page_walk_cache_fill(&cache, 0);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, UINT64_C(1) << 55), 1);
    ck_assert_uint_eq(page_walk_cache_look_up(&cache, UINT64_C(1) << 57), 2);
    page_walk_cache_finish(&cache);
}
END_TEST

START_TEST(a_shape_that_cannot_be_is_refused)
{
    const PageWalkShape shape = {.levels = 2, .last = {4, 3, 4096}, .upper = {1, 0, 8192}};
    PageWalkCache cache;
    g_autoptr(GError) error = NULL;
    ck_assert(!page_walk_cache_init(&cache, &shape, &error));
    ck_assert_str_eq(error->message, "walk_cache_ways = 3: must divide walk_cache_entries (4)");
    page_walk_cache_finish(&cache);
}
END_TEST

HARNESS_MAIN("page_walk_cache", a_walk_begins_below_the_lowest_level_that_is_known,
             levels_without_entries_are_always_read, a_top_level_beyond_all_addresses_has_one_entry,
             a_shape_that_cannot_be_is_refused)
