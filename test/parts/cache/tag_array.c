#include "parts/cache/tag_array.h"

#include <check.h>

#include "rigs/harness.h"

static uint32_t insert(TagArray *tags, uint64_t line)
{
    const uint32_t victim = tag_array_victim(tags, line);
    if (victim != TAG_NONE) tag_array_replace(tags, victim, line);
    return victim;
}

static void expect_present(const TagArray *tags, uint64_t line, bool present)
{
    const uint32_t index = tag_array_find(tags, line);
    ck_assert_int_eq(index != TAG_NONE, present);
    if (present) ck_assert_uint_eq(tags->lines[index].line, line);
}

START_TEST(a_line_is_found_where_it_was_put_and_nowhere_else)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 4, .ways = 2});
    expect_present(&tags, 0, false);
    const uint32_t index = insert(&tags, 6);
    ck_assert_uint_eq(tag_array_find(&tags, 6), index);
    ck_assert_uint_eq(index / 2, 6 % 4);
    expect_present(&tags, 2, false);
    expect_present(&tags, 0, false);
    tag_array_finish(&tags);
}
END_TEST

START_TEST(a_new_line_has_no_valid_and_no_dirty_sectors)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 1, .ways = 1});
    const uint32_t index = insert(&tags, 1);
    tags.lines[index].valid = 15;
    tags.lines[index].dirty = 3;
    ck_assert_uint_eq(insert(&tags, 2), index);
    ck_assert_uint_eq(tags.lines[index].valid, 0);
    ck_assert_uint_eq(tags.lines[index].dirty, 0);
    expect_present(&tags, 1, false);
    expect_present(&tags, 2, true);
    tag_array_finish(&tags);
}
END_TEST

START_TEST(the_least_recently_used_way_goes_next)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 2, .ways = 3});
    for (uint64_t line = 0; line < 6; line++) insert(&tags, line);
    tag_array_touch(&tags, tag_array_find(&tags, 0));
    insert(&tags, 6);
    expect_present(&tags, 2, false);
    expect_present(&tags, 0, true);
    tag_array_touch(&tags, tag_array_find(&tags, 4));
    insert(&tags, 8);
    expect_present(&tags, 0, false);
    expect_present(&tags, 4, true);
    for (uint64_t line = 1; line < 6; line += 2) expect_present(&tags, line, true);
    tag_array_finish(&tags);
}
END_TEST

START_TEST(a_set_is_filled_before_anything_is_evicted)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 4, .ways = 256});
    for (uint64_t i = 0; i < 256; i++) insert(&tags, 4 * i + 1);
    for (uint64_t i = 0; i < 256; i++) expect_present(&tags, 4 * i + 1, true);
    insert(&tags, 4 * 256 + 1);
    expect_present(&tags, 1, false);
    tag_array_finish(&tags);
}
END_TEST

START_TEST(a_line_that_is_being_fetched_is_not_evicted)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 1, .ways = 2});
    const uint32_t first = insert(&tags, 10), second = insert(&tags, 11);
    tags.lines[first].fetching = 1;
    ck_assert_uint_eq(tag_array_victim(&tags, 12), second);
    tags.lines[second].fetching = 2;
    ck_assert_uint_eq(tag_array_victim(&tags, 12), TAG_NONE);
    tags.lines[first].fetching = 0;
    ck_assert_uint_eq(tag_array_victim(&tags, 12), first);
    tag_array_finish(&tags);
}
END_TEST

START_TEST(invalidating_forgets_every_line_and_cleaning_only_the_dirt)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 2, .ways = 2});
    for (uint64_t line = 0; line < 4; line++) {
        const uint32_t index = insert(&tags, line);
        tags.lines[index].valid = tags.lines[index].dirty = 5;
    }
    tag_array_clean(&tags);
    for (uint64_t line = 0; line < 4; line++) {
        ck_assert_uint_eq(tags.lines[tag_array_find(&tags, line)].dirty, 0);
        ck_assert_uint_eq(tags.lines[tag_array_find(&tags, line)].valid, 5);
    }
    tag_array_invalidate(&tags);
    for (uint64_t line = 0; line < 4; line++) expect_present(&tags, line, false);
    for (uint64_t line = 4; line < 8; line++) insert(&tags, line);
    for (uint64_t line = 4; line < 8; line++) expect_present(&tags, line, true);
    tag_array_finish(&tags);
}
END_TEST

/* Lines of the sets that `count` lines, `stride` apart, fall into; by set. */
static void count_lines(const TagArrayShape *shape, uint64_t stride, uint64_t count, uint64_t *of)
{
    TagArray tags;
    tag_array_init(&tags, shape);
    memset(of, 0, shape->sets * sizeof *of);
    for (uint64_t i = 0; i < count; i++) of[insert(&tags, stride * i) / shape->ways]++;
    tag_array_finish(&tags);
}

START_TEST(xored_fields_spread_strides_that_fall_into_one_set_of_a_modulo)
{
    uint64_t of[16];
    TagArrayShape shape = {.sets = 16, .ways = 64};
    count_lines(&shape, 16, 256, of);
    ck_assert_uint_eq(of[0], 256);
    shape.set_index = SET_INDEX_XOR;
    for (uint64_t stride = 1; stride <= 256; stride *= 16) {
        count_lines(&shape, stride, 256, of);
        for (unsigned set = 0; set < 16; set++) ck_assert_uint_eq(of[set], 16);
    }
    TagArray tags;
    tag_array_init(&tags, &shape);
    ck_assert_uint_eq(insert(&tags, 0x21f3) / 64, 2 ^ 1 ^ 15 ^ 3);
    tag_array_finish(&tags);
}
END_TEST

/* As many lines as there are sets, at any power of two. */
START_TEST(a_polynomial_spreads_every_power_of_two_over_all_sets)
{
    for (uint64_t sets = 1; sets <= 4096; sets *= 2) {
        const TagArrayShape shape = {.sets = sets, .ways = 1, .set_index = SET_INDEX_POLYNOMIAL};
        g_autofree uint64_t *of = g_new0(uint64_t, sets);
        for (uint64_t stride = 1; stride <= UINT64_C(1) << 30; stride *= 2) {
            count_lines(&shape, stride, sets, of);
            for (uint64_t set = 0; set < sets; set++) ck_assert_uint_eq(of[set], 1);
        }
    }
}
END_TEST

START_TEST(xored_fields_reach_every_one_of_twelve_sets)
{
    uint64_t of[12];
    const TagArrayShape shape = {.sets = 12, .ways = 64, .set_index = SET_INDEX_XOR};
    count_lines(&shape, 1, 4096, of);
    for (unsigned set = 0; set < 12; set++) ck_assert_uint_ge(of[set], 256);
}
END_TEST

enum { SETS = 3, WAYS = 5, LINES = 40, ROUNDS = 20000 };

/* Whose lines are found among few, by hashes, and by buckets. */
static const TagArrayShape found[] = {
    {.sets = SETS, .ways = WAYS}, {.sets = SETS, .ways = 3 * WAYS}, {.sets = 1, .ways = 3 * WAYS}};

/* A set's lines, most recently used first. */
typedef struct {
    uint64_t line[3 * WAYS];
    unsigned count, ways;
} Recency;

static unsigned position_of(const Recency *set, uint64_t line)
{
    unsigned at = 0;
    while (at < set->count && set->line[at] != line) at++;
    return at;
}

/* True: it was there. */
static bool use(Recency *set, uint64_t line)
{
    unsigned at = position_of(set, line);
    const bool hit = at < set->count;
    if (!hit && set->count < set->ways) set->count++;
    if (at == set->ways) at--;
    for (; at; at--) set->line[at] = set->line[at - 1];
    set->line[0] = line;
    return hit;
}

static void forget(Recency reference[SETS], const TagArrayShape *shape)
{
    for (unsigned i = 0; i < SETS; i++) reference[i] = (Recency){.ways = (unsigned)shape->ways};
}

static void expect_hits_as_in_lists(const TagArrayShape *shape)
{
    TagArray tags;
    Recency reference[SETS];
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    tag_array_init(&tags, shape);
    forget(reference, shape);
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint64_t line = (uint64_t)g_rand_int_range(random, 0, LINES) << (round % 2 ? 0 : 33);
        const uint32_t index = tag_array_find(&tags, line);
        ck_assert_int_eq(index != TAG_NONE, use(&reference[line % shape->sets], line));
        if (index == TAG_NONE)
            insert(&tags, line);
        else
            tag_array_touch(&tags, index);
        if (round % 997 == 0) {
            tag_array_invalidate(&tags);
            forget(reference, shape);
        }
    }
    tag_array_finish(&tags);
}

START_TEST(any_sequence_of_accesses_hits_as_in_lists_by_recency)
{
    for (guint i = 0; i < G_N_ELEMENTS(found); i++) expect_hits_as_in_lists(&found[i]);
}
END_TEST

/* Random accesses, which leave some sets empty, some half full and some full. */
static void use_some(TagArray *tags, GRand *random, unsigned accesses)
{
    for (unsigned i = 0; i < accesses; i++) {
        const uint64_t line = (uint64_t)g_rand_int_range(random, 0, LINES);
        const uint32_t index = tag_array_find(tags, line);
        if (index == TAG_NONE)
            insert(tags, line);
        else
            tag_array_touch(tags, index);
    }
}

static void expect_as_new(const TagArray *tags, const TagArray *new)
{
    for (uint64_t i = 0; i < tags->sets * tags->ways; i++) {
        ck_assert(!tags->lines[i].used && !tags->lines[i].valid && !tags->lines[i].dirty);
        ck_assert_uint_eq(tags->lines[i].fetching, 0);
    }
    for (uint64_t line = 0; line < LINES; line++) expect_present(tags, line, false);
    ck_assert_mem_eq(tags->state, new->state, tags->sets * tags->state_words * sizeof(uint64_t));
}

START_TEST(whatever_was_used_a_forgotten_array_is_as_a_new_one)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(12);
    for (unsigned policy = 0; replacement_names[policy]; policy++) {
        const TagArrayShape shape = {
            .sets = SETS, .ways = WAYS, .replacement = policy, .candidates = 2};
        TagArray tags, new;
        tag_array_init(&tags, &shape);
        tag_array_init(&new, &shape);
        for (unsigned accesses = 0; accesses < 4 * SETS * WAYS; accesses++) {
            use_some(&tags, random, accesses);
            tag_array_invalidate(&tags);
            expect_as_new(&tags, &new);
        }
        tag_array_finish(&tags);
        tag_array_finish(&new);
    }
}
END_TEST

START_TEST(forgetting_tells_how_many_lines_had_written_data)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 2, .ways = 2});
    for (uint64_t line = 0; line < 3; line++) tags.lines[insert(&tags, line)].dirty = line > 0;
    ck_assert_uint_eq(tag_array_invalidate(&tags), 2);
    ck_assert_uint_eq(tag_array_invalidate(&tags), 0);
    tag_array_finish(&tags);
}
END_TEST

/* Its data comes when nobody has the place, and stays no longer than till then. */
START_TEST(what_comes_for_a_forgotten_line_is_forgotten_next_time)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 1, .ways = 2});
    const uint32_t place = insert(&tags, 1);
    tags.lines[place].fetching = 1;
    tag_array_invalidate(&tags);
    tags.lines[place].valid = tags.lines[place].fetching = 15;
    tag_array_invalidate(&tags);
    ck_assert_uint_eq(tags.lines[place].valid, 0);
    ck_assert_uint_eq(tags.lines[place].fetching, 0);
    tag_array_finish(&tags);
}
END_TEST

/* --- more tags than data ---------------------------------------------------------------------- */

enum { ROOM = 20 };

static unsigned count_used(const TagArray *tags)
{
    unsigned used = 0;
    for (uint64_t i = 0; i < tags->sets * tags->ways; i++) used += tags->lines[i].used;
    return used;
}

/* Each line is where it is said to be, in its own set. */
static void insert_with_data(TagArray *tags, uint64_t line)
{
    const TagRoom room = tag_array_room(tags, line);
    ck_assert_uint_ne(room.victim, TAG_NONE);
    ck_assert(!tags->lines[room.victim].fetching);
    tag_array_take(tags, room, line);
    ck_assert_uint_eq(tag_array_find(tags, line), room.place);
    ck_assert_uint_eq(room.place / tags->ways, line % tags->sets);
}

static void expect_no_more_than_have_data(const TagArrayShape *shape)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    TagArray tags;
    tag_array_init(&tags, shape);
    for (unsigned round = 0; round < 50; round++) {
        for (unsigned i = 0; i < 200; i++) {
            const uint64_t line = (uint64_t)g_rand_int_range(random, 0, 64);
            if (tag_array_find(&tags, line) == TAG_NONE) insert_with_data(&tags, line);
            ck_assert_uint_le(count_used(&tags), ROOM);
        }
        ck_assert_uint_eq(count_used(&tags), ROOM);
        tag_array_invalidate(&tags);
        ck_assert_uint_eq(count_used(&tags), 0);
        for (uint64_t line = 0; line < 64; line++) expect_present(&tags, line, false);
    }
    tag_array_finish(&tags);
}

/* Found in each of the ways. */
START_TEST(no_more_lines_are_kept_than_have_data_and_a_forgotten_array_holds_as_many)
{
    for (guint ways = 4; ways <= 12; ways += 8)
        expect_no_more_than_have_data(&(TagArrayShape){.sets = 8, .ways = ways, .most = ROOM});
    expect_no_more_than_have_data(&(TagArrayShape){.sets = 1, .ways = 40, .most = ROOM});
}
END_TEST

/* Lines that are being fetched stay; sets that have another give it up in turn. */
START_TEST(sets_give_up_their_lines_in_turn)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 8, .ways = 4, .most = 8});
    for (uint64_t line = 0; line < 8; line++) insert_with_data(&tags, line);
    tags.lines[tag_array_find(&tags, 5)].fetching = 1;
    for (uint64_t line = 8; line < 15; line++) insert_with_data(&tags, line);
    expect_present(&tags, 5, true);
    unsigned left = 0;
    for (uint64_t line = 0; line < 8; line++) left += tag_array_find(&tags, line) != TAG_NONE;
    ck_assert_uint_eq(left, 1);
    tag_array_finish(&tags);
}
END_TEST

START_TEST(where_all_data_is_being_fetched_nothing_makes_room)
{
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = 2, .ways = 2, .most = 2});
    for (uint64_t line = 0; line < 2; line++) {
        insert_with_data(&tags, line);
        tags.lines[tag_array_find(&tags, line)].fetching = 1;
    }
    ck_assert_uint_eq(tag_array_room(&tags, 2).victim, TAG_NONE);
    tag_array_finish(&tags);
}
END_TEST

HARNESS_MAIN("tag_array", a_line_is_found_where_it_was_put_and_nowhere_else,
             a_new_line_has_no_valid_and_no_dirty_sectors, the_least_recently_used_way_goes_next,
             a_set_is_filled_before_anything_is_evicted,
             a_line_that_is_being_fetched_is_not_evicted,
             invalidating_forgets_every_line_and_cleaning_only_the_dirt,
             xored_fields_spread_strides_that_fall_into_one_set_of_a_modulo,
             xored_fields_reach_every_one_of_twelve_sets,
             a_polynomial_spreads_every_power_of_two_over_all_sets,
             any_sequence_of_accesses_hits_as_in_lists_by_recency,
             whatever_was_used_a_forgotten_array_is_as_a_new_one,
             forgetting_tells_how_many_lines_had_written_data,
             what_comes_for_a_forgotten_line_is_forgotten_next_time,
             no_more_lines_are_kept_than_have_data_and_a_forgotten_array_holds_as_many,
             sets_give_up_their_lines_in_turn, where_all_data_is_being_fetched_nothing_makes_room)
