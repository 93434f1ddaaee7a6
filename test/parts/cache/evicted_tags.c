/* Lines that a cache evicted: whether one that comes had been there. */
#include "parts/cache/evicted_tags.h"

#include "rigs/harness.h"

START_TEST(one_line_in_sixteen_is_of_the_sample)
{
    enum { LINES = 1 << 16 };
    uint64_t sampled = 0;
    for (uint64_t line = 0; line < LINES; line++) sampled += evicted_tags_samples(line);
    ck_assert_uint_ge(sampled, LINES / EVICTED_SAMPLE * 99 / 100);
    ck_assert_uint_le(sampled, LINES / EVICTED_SAMPLE * 101 / 100);
}
END_TEST

/* Of twice as many lines of the sample as there is room for those that came last are known. */
START_TEST(the_lines_that_went_last_are_known_until_others_take_their_place)
{
    enum { ROOM = 1024 };
    uint64_t known = 0;
    EvictedTags evicted;
    evicted_tags_init(&evicted, ROOM);
    for (uint64_t line = 0; line < 2 * ROOM; line++) {
        ck_assert(!evicted_tags_has(&evicted, line));
        evicted_tags_add(&evicted, line);
        ck_assert(evicted_tags_has(&evicted, line));
    }
    for (uint64_t line = 0; line < 2 * ROOM; line++) known += evicted_tags_has(&evicted, line);
    /* of ROOM places 1 / e^2 have had no line */
    ck_assert_uint_ge(known, ROOM * 4 / 5);
    ck_assert_uint_le(known, ROOM);
    evicted_tags_finish(&evicted);
}
END_TEST

START_TEST(what_is_forgotten_has_not_been_there)
{
    EvictedTags evicted;
    evicted_tags_init(&evicted, 8);
    evicted_tags_add(&evicted, 0);
    evicted_tags_forget(&evicted);
    ck_assert(!evicted_tags_has(&evicted, 0));
    evicted_tags_finish(&evicted);
}
END_TEST

/* Line 0 is of the sample, line 1 is not; who had no line there is no victim. */
START_TEST(a_line_that_takes_the_place_of_another_comes_back_or_not)
{
    EvictedTags evicted;
    evicted_tags_init(&evicted, 64);
    ck_assert(evicted_tags_samples(0) && !evicted_tags_samples(1));
    ck_assert_uint_eq(evicted_tags_replace(&evicted, 1, false, 0), 0);
    ck_assert(!evicted_tags_has(&evicted, 0));
    ck_assert_uint_eq(evicted_tags_replace(&evicted, 1, true, 0), 0);
    ck_assert_uint_eq(evicted_tags_replace(&evicted, 0, true, 1), EVICTED_SAMPLE);
    ck_assert_uint_eq(evicted_tags_replace(&evicted, 1, true, 0), 0);
    evicted_tags_finish(&evicted);
}
END_TEST

HARNESS_MAIN("evicted_tags", a_line_that_takes_the_place_of_another_comes_back_or_not,
             one_line_in_sixteen_is_of_the_sample,
             the_lines_that_went_last_are_known_until_others_take_their_place,
             what_is_forgotten_has_not_been_there)
