/* What a ROP counts of what can be full. The rig's comment has the sums. */
#include "rig.h"

#include <string.h>

#define ONE 1u /* a lane */

/* The first is here at 11, its sectors are at 113, its result leaves at 123; the second joins it at
 * 21 and is operated on a turn later. The only line stays until both are done. */
START_TEST(a_miss_holds_an_entry_a_way_and_then_a_place_in_the_pipeline)
{
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS},
                                       {.at = 20, .line = 5, .lanes = ONE, .back = 10 + MISS + 1}};
    g_autoptr(Rig) rig = rig_new(
        "cache_entries = 1; ways = 1; pending_entries = 1; pending_merges = 1; pipeline_entries = 2",
        16);
    RUN(rig, requests);
    static const struct {
        const char *name;
        uint64_t work, full;
    } places[] = {{"fetching", 102, 102},
                  {"merge_room", 92, 92},
                  {"operating", 10 + 11, 10},
                  {"set_room", 113, 113}};
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        ck_assert_uint_eq(unit_work(rig->rop, places[i].name), places[i].work);
        ck_assert_uint_eq(unit_full(rig->rop, places[i].name), places[i].full);
    }
    ck_assert_uint_eq(unit_booked(rig->rop, "look_ups"), 2);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), 2);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 0);
    assert_places_are_empty(rig->rop);
}
END_TEST

/* 16 words of two sectors, each for one lane: whatever the interval is, nothing waits for it. */
START_TEST(words_that_one_lane_each_wants_have_no_turns)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 0xffff, .stride = 4, .back = 10 + MISS + 1}};
    g_autoptr(Rig) rig = rig_new("interval = 3 cycles", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), 2);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 0);
}
END_TEST

/* Eight lanes on one word: with one lane a cycle they have theirs while the pipeline takes them,
 * with eight a cycle long after it. */
START_TEST(turns_are_counted_that_begin_behind_the_pipeline)
{
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = 0xff, .back = 10 + MISS + 7}};
    static const char *const settings[] = {"lanes = 1", "lanes = 8"};
    g_autoptr(Rig) rig = rig_new(settings[_i], 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), _i ? 1 : 8);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), _i ? 8 : 0);
}
END_TEST

enum { MANY = 40 };

/* At 302 the second of those that come together is taken, and its turn begins at 310: from then on
 * the word's turns are longer than the pipeline's. */
START_TEST(one_word_that_all_want_has_its_turns_without_a_gap)
{
    Request requests[MANY + 1] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS}};
    for (guint i = 0; i < MANY; i++)
        requests[i + 1] =
            (Request){.at = 300 + i, .line = 5, .lanes = ONE, .back = 300 + HIT + i * 9};
    g_autoptr(Rig) rig = rig_new("interval = 9 cycles", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 9 * MANY - 1);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), MANY + 1);
    assert_places_are_empty(rig->rop);
}
END_TEST

/* Of a sector or a line each, all of other words: each takes its share of the pipelines' time. */
static const struct {
    const char *settings;
    uint64_t lanes, after[4];
} side_by_side[] = {{"pipelines = 2", 0xff, {0, 0, 1, 1}},
                    {"pipelines = 4", 0xff, {0}},
                    {"pipelines = 2", UINT32_MAX, {3, 5, 7, 9}},
                    {"pipelines = 64; lanes = 32", UINT32_MAX, {0}}};

START_TEST(several_pipelines_take_requests_side_by_side)
{
    enum { EACH = G_N_ELEMENTS(side_by_side[0].after) };
    Request requests[2 * EACH];
    for (guint i = 0; i < EACH; i++) {
        requests[i] = (Request){.at = 10 + 200 * i, .line = i, .lanes = UINT32_MAX, .stride = 4};
        requests[EACH + i] = (Request){.at = 1000,
                                       .line = i,
                                       .lanes = side_by_side[_i].lanes,
                                       .stride = 4,
                                       .back = 1000 + HIT + side_by_side[_i].after[i]};
    }
    g_autoptr(Rig) rig = rig_new(side_by_side[_i].settings, 64);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "look_ups"), 2 * EACH);
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), unit_busy(rig->rop, "busy"));
}
END_TEST

/* --- a second count, cycle by cycle ----------------------------------------------------------- */

enum { REQUESTS = 120, LINES = 3, WORDS = 32, WORDS_OF_SECTOR = 8, CYCLES = 20000, FETCHED = 400 };

typedef struct {
    const char *settings;
    uint64_t lanes, combine, interval;
} Pace;

static const Pace paces[] = {
    {"lanes = 8; combine = 1; interval = 1 cycles; pipeline_entries = 256", 8, 1, 1},
    {"lanes = 2; combine = 1; interval = 1 cycles; pipeline_entries = 256", 2, 1, 1},
    {"lanes = 8; combine = 2; interval = 7 cycles; pipeline_entries = 256", 8, 2, 7},
    {"lanes = 1; combine = 4; interval = 3 cycles; pipeline_entries = 256", 1, 4, 3},
    {"lanes = 16; combine = 1; interval = 2 cycles; pipeline_entries = 256", 16, 1, 2},
    {"lanes = 256; combine = 2; interval = 5 cycles; pipeline_entries = 256", 256, 2, 5},
};

typedef struct {
    const Pace *pace;
    uint64_t pipe;                    /* when it is free */
    uint64_t word_free[LINES][WORDS]; /* when the word's turns have ended */
    bool turns[CYCLES], taken[CYCLES];
} Diary;

static void mark(bool *cycles, uint64_t from, uint64_t length)
{
    ck_assert_uint_lt(from + length, CYCLES);
    memset(cycles + from, true, length);
}

/* Those of the words up to `end` have been taken together, in so many cycles: turns that begin when
 * all have been are marked. */
static void take(Diary *diary, const uint64_t *begins, guint words, uint64_t cycles)
{
    const uint64_t start = diary->pipe;
    uint64_t last = 0;
    for (guint w = 0; w < words; w++) last = MAX(last, begins[w]);
    if (last > start + cycles) mark(diary->turns, start, last + diary->pace->interval - start);
    mark(diary->taken, start, cycles);
    diary->pipe += cycles;
}

/* As many sectors together as have the pipeline's lanes; lanes on one word take turns. */
static void operate(Diary *diary, const Request *request)
{
    const Pace *pace = diary->pace;
    const guint together = (guint)CLAMP(pace->lanes, WORDS_OF_SECTOR, WORDS);
    guint wanted[WORDS] = {0};
    for (guint lane = 0; lane < 32; lane++)
        if (request->lanes >> lane & 1) wanted[lane * request->stride / 4]++;
    diary->pipe = MAX(diary->pipe, request->at + 1);
    for (guint first = 0; first < WORDS; first += together) {
        uint64_t begins[WORDS] = {0}, lanes = 0;
        for (guint w = 0; w < together; w++) {
            uint64_t *free_at = &diary->word_free[request->line][first + w];
            const guint at_word = wanted[first + w];
            if (!at_word) continue;
            *free_at = MAX(*free_at, diary->pipe)
                       + (at_word + pace->combine - 1) / pace->combine * pace->interval;
            begins[w] = *free_at - pace->interval;
            lanes += at_word;
        }
        take(diary, begins, together, (lanes + pace->lanes - 1) / pace->lanes);
    }
}

/* The first ones fetch the lines; then requests come close together and far apart. */
static void make_requests(Request *requests, GRand *dice)
{
    uint64_t at = FETCHED;
    for (guint i = 0; i < LINES; i++)
        requests[i] = (Request){.at = 10 + 100 * i, .line = i, .lanes = UINT32_MAX, .stride = 4};
    for (guint i = LINES; i < REQUESTS; i++) {
        at += (uint64_t)(g_rand_boolean(dice) ? 1 : g_rand_int_range(dice, 1, 120));
        requests[i] = (Request){.at = at,
                                .line = (uint64_t)g_rand_int_range(dice, 0, LINES),
                                .lanes = g_rand_int(dice) | ONE,
                                .stride = (uint16_t)(g_rand_int_range(dice, 0, 3) * 2)};
        if (g_rand_boolean(dice)) requests[i].lanes &= 0xff;
    }
}

static uint64_t count_cycles(const bool *cycles)
{
    uint64_t count = 0;
    for (guint i = 0; i < CYCLES; i++) count += cycles[i];
    return count;
}

START_TEST(turns_behind_the_pipeline_are_cycles_in_which_some_word_has_one)
{
    Request requests[REQUESTS];
    Diary *diary = g_new0(Diary, 1);
    GRand *dice = g_rand_new_with_seed((guint32)_i);
    diary->pace = &paces[_i];
    make_requests(requests, dice);
    g_rand_free(dice);
    for (guint i = 0; i < REQUESTS; i++) {
        Request request = requests[i];
        if (i < LINES) request.at += MISS - HIT;
        operate(diary, &request);
    }
    g_autoptr(Rig) rig = rig_new(paces[_i].settings, 64);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), count_cycles(diary->turns));
    ck_assert_uint_eq(unit_booked(rig->rop, "pipe"), count_cycles(diary->taken));
    g_free(diary);
}
END_TEST

/* An entry is held from the first fetch until the last result: 113 - 11, and 10 in the pipeline. */
START_TEST(without_a_cache_an_entry_is_held_for_the_whole_round_trip)
{
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 0", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_work(rig->rop, "fetching"), 112);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 0);
    assert_places_are_empty(rig->rop);
}
END_TEST

/* Others wait for the line while the first two have it, and nobody while the last has it. */
START_TEST(without_a_cache_a_turn_that_others_wait_for_is_a_round_trip)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS},
        {.at = 11, .line = 5, .lanes = ONE, .back = 10 + MISS + 112},
        {.at = 12, .line = 5, .lanes = ONE, .back = 10 + MISS + 2 * 112},
        {.at = 13, .line = 6, .lanes = ONE, .back = 13 + MISS}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 0", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_booked(rig->rop, "word_turns"), 2 * 112);
    assert_places_are_empty(rig->rop);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("rop_resources");
    tcase_add_test(cases, a_miss_holds_an_entry_a_way_and_then_a_place_in_the_pipeline);
    tcase_add_test(cases, words_that_one_lane_each_wants_have_no_turns);
    tcase_add_loop_test(cases, turns_are_counted_that_begin_behind_the_pipeline, 0, 2);
    tcase_add_test(cases, one_word_that_all_want_has_its_turns_without_a_gap);
    tcase_add_loop_test(cases, several_pipelines_take_requests_side_by_side, 0,
                        G_N_ELEMENTS(side_by_side));
    tcase_add_loop_test(cases, turns_behind_the_pipeline_are_cycles_in_which_some_word_has_one, 0,
                        G_N_ELEMENTS(paces));
    tcase_add_test(cases, without_a_cache_an_entry_is_held_for_the_whole_round_trip);
    tcase_add_test(cases, without_a_cache_a_turn_that_others_wait_for_is_a_round_trip);
    Suite *suite = suite_create("rop_resources");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
