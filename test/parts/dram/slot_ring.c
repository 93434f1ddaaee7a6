#include "rigs/harness.h"

#include "parts/dram/slot_ring.h"

enum { MAPS = 3, WORDS = 4 };

static SlotRing full_ring(void)
{
    SlotRing ring;
    slot_ring_init(&ring, (WORDS - 1) * 64, MAPS);
    for (uint32_t map = 0; map < MAPS; map++)
        slot_ring_take(&ring, map, 64 * ring.base, slot_ring_limit(&ring));
    return ring;
}

/* Of each map these cycles are taken, and no others. */
static void check_taken(const SlotRing *ring, uint64_t from, uint64_t to)
{
    for (uint32_t map = 0; map < MAPS; map++)
        for (uint64_t cycle = 64 * ring->base; cycle < slot_ring_limit(ring); cycle++)
            ck_assert_int_eq(!slot_ring_is_free(ring, map, cycle), cycle >= from && cycle < to);
}

START_TEST(what_is_ahead_stays_taken_and_what_comes_into_reach_is_free)
{
    for (uint64_t words = 0; words < WORDS; words++) {
        SlotRing ring = full_ring();
        slot_ring_advance(&ring, 64 * words + 63);
        ck_assert_uint_eq(ring.base, words);
        check_taken(&ring, 0, WORDS * 64);
        slot_ring_finish(&ring);
    }
}
END_TEST

START_TEST(words_that_pass_are_free_on_both_sides_of_the_end)
{
    SlotRing ring = full_ring();
    slot_ring_advance(&ring, 3 * 64);
    for (uint32_t map = 0; map < MAPS; map++) slot_ring_take(&ring, map, 3 * 64, 7 * 64);
    slot_ring_advance(&ring, 6 * 64);
    check_taken(&ring, 0, 7 * 64);
    slot_ring_finish(&ring);
}
END_TEST

START_TEST(after_a_long_rest_all_is_free)
{
    for (uint64_t words = WORDS; words < 3 * WORDS; words++) {
        SlotRing ring = full_ring();
        slot_ring_advance(&ring, 64 * words);
        ck_assert_uint_eq(ring.base, words);
        check_taken(&ring, 0, 0);
        slot_ring_finish(&ring);
    }
}
END_TEST

START_TEST(the_past_changes_nothing)
{
    SlotRing ring = full_ring();
    slot_ring_advance(&ring, 2 * 64);
    slot_ring_advance(&ring, 64);
    ck_assert_uint_eq(ring.base, 2);
    check_taken(&ring, 0, WORDS * 64);
    slot_ring_finish(&ring);
}
END_TEST

HARNESS_MAIN("slot_ring", what_is_ahead_stays_taken_and_what_comes_into_reach_is_free,
             words_that_pass_are_free_on_both_sides_of_the_end, after_a_long_rest_all_is_free,
             the_past_changes_nothing)
