/* The ROP: rates, values, its cache, and what becomes of a line. The rig's comment has the sums. */
#include "parts/cache/evicted_tags.h"
#include "rig.h"

#define ONE 1u /* a lane */
#define ALL UINT32_MAX

/* --- rates ------------------------------------------------------------------------------------ */

START_TEST(a_miss_fetches_its_sectors_and_a_second_request_hits)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = ONE, .offset = 40, .back = 10 + MISS},
        {.at = 300, .line = 5, .lanes = ONE, .offset = 44, .back = 300 + HIT},
        {.at = 400, .line = 5, .lanes = ONE, .offset = 0, .back = 400 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "hits"), 1);
    ck_assert_uint_eq(unit_count(rig->rop, "fetches"), 2);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 0)->sectors, 2);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 0)->local, 5 * 128);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 1)->sectors, 1);
    ck_assert_uint_eq(unit_bytes(rig->rop, "bytes_fetched"), 64);
    ck_assert_uint_eq(unit_histogram(rig->rop, "fetch_latency_seen")->sum, 2 * 102 * TIME_NS);
    assert_little(rig->rop, "pending");
}
END_TEST

/* Three lanes at word 2; lanes 0 and 1 at words 2 and 3, of which the lower counts; a blend of two
 * lanes; lanes at bytes 10, 12, 14 and 16, two of them in word 3. */
START_TEST(a_request_counts_at_the_virtual_address_of_the_word_that_most_lanes_want)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = 7, .offset = 8, .stride = 0},
        {.at = 300, .line = 5, .lanes = 3, .offset = 8, .stride = 4},
        {.at = 600, .line = 5, .lanes = 3, .offset = 8, .operation = ATOMIC_BLEND},
        {.at = 900, .line = 5, .lanes = 15, .offset = 10, .stride = 2}};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_heat(rig->rop, "hottest", VIRTUAL_BASE + 5 * 128 + 8), 4);
    ck_assert_uint_eq(unit_heat(rig->rop, "hottest", VIRTUAL_BASE + 5 * 128 + 12), 2);
    ck_assert_uint_eq(unit_count(rig->rop, "operations"), 3 + 2 + 2 + 4);
}
END_TEST

enum { MANY = 40 };

/* N on one word: the last result N - 1 intervals after the first, however long the interval. */
START_TEST(operations_on_one_word_follow_each_other_at_the_interval)
{
    static const uint64_t intervals[] = {1, 3, 9};
    const uint64_t interval = intervals[_i];
    Request requests[MANY + 1] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS}};
    for (guint i = 0; i < MANY; i++)
        requests[i + 1] =
            (Request){.at = 300 + i, .line = 5, .lanes = ONE, .back = 300 + HIT + i * interval};
    g_autofree char *settings =
        g_strdup_printf("interval = %" G_GUINT64_FORMAT " cycles", interval);
    g_autoptr(Rig) rig = rig_new(settings, 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "same_address"), MANY);
    ck_assert_uint_eq(unit_count(rig->rop, "same_address_runs"), 1);
    ck_assert_uint_eq(unit_count(rig->rop, "fetches"), 1);
}
END_TEST

/* Read 1 out + 100 + 1 back, operate 10; the next fetch leaves with the result: 112 a round. */
START_TEST(without_a_cache_each_operation_is_a_round_trip)
{
    Request requests[MANY];
    for (guint i = 0; i < MANY; i++)
        requests[i] =
            (Request){.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS + i * (MISS - 2)};
    for (guint i = 0; i < MANY; i++) requests[i].at += i;
    g_autoptr(Rig) rig = rig_new("cache_entries = 0", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "fetches"), MANY);
    ck_assert_uint_eq(unit_count(rig->rop, "write_backs"), MANY);
    ck_assert_uint_eq(rig_result(rig, MANY - 1)->value[0], 0);
    ck_assert(!rig_result(rig, 0)->kept);
}
END_TEST

/* The first line is busy for a round, the others do not wait for it. */
START_TEST(without_a_cache_lines_do_not_wait_for_each_other)
{
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS},
                                       {.at = 11, .line = 6, .lanes = ONE, .back = 11 + MISS},
                                       {.at = 12, .line = 7, .lanes = ONE, .back = 12 + MISS}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 0", 16);
    RUN(rig, requests);
}
END_TEST

/* A round each, although their sectors differ; two sectors are taken one after the other. */
START_TEST(without_a_cache_requests_of_one_line_wait_for_each_other)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = ONE, .back = 10 + MISS},
        {.at = 11, .line = 5, .lanes = 3, .stride = 64, .back = 10 + 2 * MISS - 2 + 1}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 0", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 1)->sectors, 5);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 1)->sectors, 5);
}
END_TEST

static const struct {
    const char *settings;
    uint16_t stride;
    uint64_t lanes;
    uint64_t last;  /* when the last operation begins, after the first */
    uint64_t taken; /* cycles in which the pipeline takes it */
    uint64_t whole; /* ... the first one, of all words of the line */
} shapes[] = {
    {"", 4, ALL, 3, 4, 4},                         /* a sector a cycle */
    {"lanes = 4", 4, ALL, 6, 8, 8},                /* the last sector's first half: all at once */
    {"lanes = 12", 4, ALL, 3, 4, 4},               /* a sector and a half: one */
    {"lanes = 16", 4, ALL, 1, 2, 2},               /* two sectors a cycle */
    {"lanes = 16", 32, 0xf, 1, 2, 2},              /* ... of which a word each is wanted */
    {"lanes = 24", 32, 0xf, 1, 2, 2},              /* three, then the last */
    {"lanes = 256", 4, ALL, 0, 1, 1},              /* the line */
    {"lanes = 16", 0, ALL, 31, 2, 2},              /* one word: 32 lanes of 16 */
    {"", 0, ALL, 31, 4, 4},                        /* one word: 32 turns */
    {"interval = 5 cycles", 0, ALL, 31 * 5, 4, 4}, /* ... of 5 cycles */
    {"turns = pipeline", 0, ALL, 31, 32, 4},       /* ... which others wait for */
    {"turns = pipeline", 4, ALL, 3, 4, 4},         /* no turns: as ever */
    {"turns = pipeline; combine = 2", 0, 0x1f, 2, 3, 4},
    {"combine = 2", 0, ALL, 15, 4, 4}, /* 16 turns */
    {"combine = 32; interval = 5 cycles", 0, ALL, 0, 4, 4},
    {"combine = 4", 0, 0x1f, 1, 1, 4}, /* 5 lanes: 2 turns */
    {"", 32, 0xf, 3, 4, 4},            /* a word of each sector */
    {"", 0, UINT64_MAX, 63, 8, 4},     /* 64 lanes, one word: 64 turns */
    {"partial_interval = 2", 0, 0xf, 3 * 2, 1, 4},
    {"interval = 3 cycles; partial_interval = 1.5; combine = 2", 0, 0xff, 13, 1, 4}, /* 3 x 4.5 */
    {"turns = pipeline; partial_interval = 2", 0, ALL, 31 * 2, 32 * 2, 4},
    {"turns = pipeline; partial_interval = 2", 4, ALL, 3, 4, 4},  /* whole sectors */
    {"turns = pipeline; partial_interval = 2", 4, 0x7f, 0, 2, 4}, /* all words but one */
    {"turns = pipeline; partial_interval = 2", 1, ALL, 3, 4, 4}, /* four lanes on each of 8 words */
    {"turns = pipeline; partial_interval = 2", 1, 0x7fffffff, 3, 3 + 2,
     4}, /* ... on seven of them */
};

START_TEST(a_request_takes_as_long_as_its_words_and_their_lanes)
{
    const uint64_t last = 300 + HIT + shapes[_i].last;
    const Request requests[] = {{.at = 10, .line = 5, .lanes = ALL, .stride = 4},
                                {.at = 300,
                                 .line = 5,
                                 .lanes = shapes[_i].lanes,
                                 .stride = shapes[_i].stride,
                                 .back = last},
                                {.at = 301, .line = 6, .lanes = ONE}};
    g_autoptr(Rig) rig = rig_new(shapes[_i].settings, 16);
    RUN(rig, requests);
    const uint64_t one = strstr(shapes[_i].settings, "pipeline; partial") ? 2 : 1;
    ck_assert_uint_eq(unit_busy(rig->rop, "busy"), shapes[_i].whole + shapes[_i].taken + one);
    ck_assert_uint_eq(unit_count(rig->rop, "operations"),
                      33u + (uint32_t)__builtin_popcountll(shapes[_i].lanes));
    /* the other line's fetch leaves when the pipeline has taken this one */
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_READ, 1)->cycle, 301 + shapes[_i].taken + 1);
}
END_TEST

/* 64 requests of a sector each, all of different words: one a cycle. */
START_TEST(different_words_go_at_one_sector_a_cycle)
{
    Request requests[64 + 1] = {{.at = 10, .line = 5, .lanes = ALL, .stride = 4}};
    for (guint i = 0; i < 64; i++)
        requests[i + 1] = (Request){.at = 300 + i,
                                    .line = 5,
                                    .lanes = 0xff,
                                    .stride = 4,
                                    .offset = (uint16_t)(i % 4 * 32),
                                    .back = 300 + i + HIT};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_busy(rig->rop, "busy"), 64 + 4);
}
END_TEST

/* --- values ----------------------------------------------------------------------------------- */

/* Of one word, one after the other: what was there before. */
static const struct {
    AtomicOperation operation;
    uint32_t operand, compare, before;
} sequence[] = {
    {ATOMIC_ADD, 5, 0, 0},         {ATOMIC_ADD, UINT32_MAX, 0, 5}, {ATOMIC_INC, 5, 0, 4},
    {ATOMIC_INC, 5, 0, 5},         {ATOMIC_MAX, 7, 0, 0},          {ATOMIC_MAX, 3, 0, 7},
    {ATOMIC_MIN, 6, 0, 7},         {ATOMIC_MIN, 9, 0, 6},          {ATOMIC_EXCHANGE, 12, 0, 6},
    {ATOMIC_CAS, 99, 13, 12},      {ATOMIC_CAS, 99, 12, 12},       {ATOMIC_AND, 0x3f, 0, 99},
    {ATOMIC_OR, 0x80, 0, 99 & 63}, {ATOMIC_XOR, 0xff, 0, 0xa3},    {ATOMIC_READ, 1, 0, 0x5c},
    {ATOMIC_BLEND, 1, 0, 0},       {ATOMIC_READ, 1, 0, 0x5c},
};

START_TEST(values_are_what_the_operations_make_of_them)
{
    Request requests[G_N_ELEMENTS(sequence)];
    for (guint i = 0; i < G_N_ELEMENTS(sequence); i++)
        requests[i] = (Request){.at = 10 + i,
                                .line = 5,
                                .lanes = ONE,
                                .operation = sequence[i].operation,
                                .operand = sequence[i].operand,
                                .compare = sequence[i].compare};
    g_autoptr(Rig) rig = rig_new(_i ? "cache_entries = 0" : "", 16);
    RUN(rig, requests);
    for (guint i = 0; i < G_N_ELEMENTS(sequence); i++)
        if (sequence[i].operation != ATOMIC_BLEND)
            ck_assert_msg(rig_result(rig, i)->value[0] == sequence[i].before, "step %u: %u", i,
                          rig_result(rig, i)->value[0]);
    ck_assert_uint_eq(unit_count(rig->rop, "blends"), 1);
}
END_TEST

/* Lanes of a request take their turns from the lowest on; words do not mix. */
START_TEST(every_lane_gets_what_the_lanes_before_left)
{
    static const Request requests[] = {
        {.at = 10, .line = 5, .lanes = ALL, .operand = 2},
        {.at = 11, .line = 5, .lanes = 0xf0, .operand = 1, .stride = 4},
        {.at = 12, .line = 5, .lanes = ALL, .stride = 4, .operation = ATOMIC_READ},
        {.at = 13, .line = 37, .lanes = ONE, .operation = ATOMIC_READ}};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    for (uint32_t lane = 0; lane < 32; lane++) {
        ck_assert_uint_eq(rig_result(rig, 0)->value[lane], 2 * lane);
        ck_assert_uint_eq(rig_result(rig, 2)->value[lane],
                          lane == 0 ? 64u : (uint32_t)(lane >= 4 && lane < 8));
    }
    ck_assert_uint_eq(rig_result(rig, 3)->value[0], 0);
}
END_TEST

/* A launch that starts beside another one leaves the values as they are. */
START_TEST(a_kernel_begins_with_zeros)
{
    static const KernelStart starts[] = {{.at = 500, .launch = {.concurrent = true}},
                                         {.at = 1000, .launch = {0}}};
    static const Request requests[] = {{.at = 10, .line = 5, .lanes = ALL, .operand = 1},
                                       {.at = 600, .line = 5, .lanes = ONE, .operand = 1},
                                       {.at = 1100, .line = 5, .lanes = ONE, .operand = 1}};
    g_autoptr(Rig) rig = rig_new("", 16);
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, requests);
    ck_assert_uint_eq(rig_result(rig, 1)->value[0], 32);
    ck_assert_uint_eq(rig_result(rig, 2)->value[0], 0);
}
END_TEST

/* --- the cache -------------------------------------------------------------------------------- */

START_TEST(a_dirty_victim_is_written_back_and_a_clean_one_given_up)
{
    static const Request requests[] = {
        {.at = 10, .line = 1, .lanes = 0xffff, .stride = 4, .back = 10 + MISS + 1},
        {.at = 300, .line = 2, .lanes = ONE, .operation = ATOMIC_READ, .back = 300 + MISS},
        {.at = 600, .line = 3, .lanes = ONE, .back = 600 + MISS},
        {.at = 900, .line = 4, .lanes = ONE, .back = 900 + MISS}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 2; ways = 2", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(rig_count_own(rig, TRANSACTION_WRITE), 2);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 0)->local, 128);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 0)->sectors, 3);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 1)->local, 2 * 128);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 1)->sectors, 0);
    ck_assert_uint_eq(unit_count(rig->rop, "write_backs"), 1);
    ck_assert_uint_eq(unit_count(rig->rop, "releases"), 1);
    ck_assert_uint_eq(unit_bytes(rig->rop, "bytes_written_back"), 64);
    ck_assert(rig_result(rig, 0)->kept);
}
END_TEST

/* One way for two lines: each is evicted and comes back; line 0 is of the sample. */
START_TEST(a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for)
{
    Request requests[4];
    for (guint i = 0; i < G_N_ELEMENTS(requests); i++)
        requests[i] = (Request){.at = 10 + 300 * i, .line = i % 2, .lanes = ONE};
    g_autoptr(Rig) rig = rig_new("cache_entries = 1; ways = 1", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "brought"), 4);
    ck_assert_uint_eq(unit_count(rig->rop, "brought_back"), EVICTED_SAMPLE);
}
END_TEST

/* The only way is in use until the result of the first has left, at 113 of the ROP's time; the
 * second is looked up then, at once. */
START_TEST(a_line_stays_while_it_is_operated_on)
{
    static const Request requests[] = {
        {.at = 10, .line = 1, .lanes = ONE, .back = 10 + MISS},
        {.at = 11, .line = 2, .lanes = ONE, .back = 10 + MISS + MISS - 2}};
    g_autoptr(Rig) rig = rig_new("cache_entries = 1; ways = 1", 16);
    RUN(rig, requests);
    ck_assert_uint_gt(unit_count(rig->rop, "refused_set"), 0);
}
END_TEST

START_TEST(requests_for_sectors_under_way_wait_for_them)
{
    static const Request requests[] = {
        {.at = 10, .line = 1, .lanes = ONE, .back = 10 + MISS},
        {.at = 11, .line = 1, .lanes = ONE, .offset = 4, .back = 10 + MISS + 1},
        {.at = 12, .line = 1, .lanes = ONE, .offset = 8, .back = 10 + MISS + 2},
        /* beyond the limit: looked up when the fill has come, behind the three */
        {.at = 13, .line = 1, .lanes = ONE, .offset = 12, .back = 10 + MISS + 3}};
    g_autoptr(Rig) rig = rig_new("pending_merges = 2", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "merged"), 2);
    ck_assert_uint_eq(unit_count(rig->rop, "refused_merge"), 1);
    ck_assert_uint_eq(unit_full(rig->rop, "merge_room"), 113 - 14);
    ck_assert_uint_eq(unit_count(rig->rop, "fetches"), 1);
    assert_little(rig->rop, "pending");
}
END_TEST

START_TEST(a_miss_waits_for_a_pending_entry_and_holds_up_what_is_behind)
{
    static const Request requests[] = {
        {.at = 10, .line = 1, .lanes = ONE, .back = 10 + MISS},
        {.at = 300, .line = 2, .lanes = ONE, .back = 300 + MISS},
        /* line 2 comes at 403 and takes the pipeline; looked up at 404 and 405 */
        {.at = 301, .line = 3, .lanes = ONE, .back = 404 + MISS - 1},
        {.at = 302, .line = 1, .lanes = ONE, .back = 405 + HIT - 1}};
    g_autoptr(Rig) rig = rig_new("pending_entries = 1", 16);
    RUN(rig, requests);
    ck_assert_uint_gt(unit_count(rig->rop, "refused_pending"), 0);
}
END_TEST

/* Of four places three must be free: the results of the first two fill two of them. */
START_TEST(results_wait_for_room_in_front_of_the_slice)
{
    Request requests[12] = {{.at = 10, .line = 1, .lanes = ONE}};
    for (guint i = 1; i < 12; i++)
        requests[i] =
            (Request){.at = 300 + i, .line = 1, .lanes = ONE, .offset = (uint16_t)(4 * i)};
    g_autoptr(Rig) rig = rig_new("pipeline_entries = 4", 4);
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "refused_output") > 0, true);
}
END_TEST

START_TEST(the_pipeline_has_room_for_so_many)
{
    static const Request requests[] = {
        {.at = 10, .line = 1, .lanes = ONE, .back = 10 + MISS},
        {.at = 300, .line = 1, .lanes = ONE, .back = 300 + HIT},
        {.at = 301, .line = 1, .lanes = ONE, .offset = 4, .back = 301 + HIT},
        /* in the place of the first, when its result leaves at 311 */
        {.at = 302, .line = 1, .lanes = ONE, .offset = 8, .back = 311 + HIT - 1}};
    g_autoptr(Rig) rig = rig_new("pipeline_entries = 2", 16);
    RUN(rig, requests);
    ck_assert_uint_gt(unit_count(rig->rop, "refused_pipeline"), 0);
}
END_TEST

START_TEST(a_line_that_is_wanted_back_is_written_back)
{
    static const Request requests[] = {{.at = 10, .line = 1, .lanes = ONE, .back = 10 + MISS},
                                       {.at = 300, .line = 1},
                                       {.at = 301, .line = 2},
                                       {.at = 400, .line = 1, .lanes = ONE, .back = 400 + MISS}};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(rig_count_own(rig, TRANSACTION_WRITE), 1);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 0)->cycle, 302);
    ck_assert_uint_eq(rig_own(rig, TRANSACTION_WRITE, 0)->sectors, 1);
    ck_assert_uint_eq(unit_count(rig->rop, "recalls"), 2);
}
END_TEST

START_TEST(stages_say_how_long_the_ROP_had_it)
{
    static const Request requests[] = {{.at = 10, .line = 1, .lanes = ONE, .back = 10 + MISS},
                                       {.at = 300, .line = 1, .lanes = ONE, .back = 300 + HIT}};
    g_autoptr(Rig) rig = rig_new("", 16);
    RUN(rig, requests);
    ck_assert_uint_eq(rig->slice->sums.stage[STAGE_L2_TAG], 100 * TIME_NS);
    ck_assert_uint_eq(rig->slice->sums.stage[STAGE_ROP], (MISS - 100 + HIT) * TIME_NS);
    ck_assert_uint_eq(rig->slice->sums.latency, (MISS + HIT) * TIME_NS);
}
END_TEST

static const struct {
    const char *settings, *text;
} wrong[] = {
    {"cache_entries = 65; ways = 16", "rop.cache_entries = 65: not a whole number of sets of 16"},
    {"cache_entries = 0; compression = yes", "rop.cache_entries = 0: tiles are compressed as"},
};

START_TEST(impossible_shapes_are_refused)
{
    g_autoptr(Rig) rig = rig_new(wrong[_i].settings, 16);
    g_autoptr(GError) error = NULL;
    ck_assert(!simulation_setup(rig->harness->simulation, &error));
    ck_assert_msg(strstr(error->message, wrong[_i].text), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("rop");
    const TTest *const tests[] = {
        a_miss_fetches_its_sectors_and_a_second_request_hits,
        a_request_counts_at_the_virtual_address_of_the_word_that_most_lanes_want,
        without_a_cache_each_operation_is_a_round_trip,
        without_a_cache_lines_do_not_wait_for_each_other,
        without_a_cache_requests_of_one_line_wait_for_each_other,
        different_words_go_at_one_sector_a_cycle,
        every_lane_gets_what_the_lanes_before_left,
        a_kernel_begins_with_zeros,
        a_dirty_victim_is_written_back_and_a_clean_one_given_up,
        a_line_that_was_evicted_and_comes_back_counts_for_the_sixteen_it_stands_for,
        a_line_stays_while_it_is_operated_on,
        requests_for_sectors_under_way_wait_for_them,
        a_miss_waits_for_a_pending_entry_and_holds_up_what_is_behind,
        results_wait_for_room_in_front_of_the_slice,
        the_pipeline_has_room_for_so_many,
        a_line_that_is_wanted_back_is_written_back,
        stages_say_how_long_the_ROP_had_it};
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, operations_on_one_word_follow_each_other_at_the_interval, 0, 3);
    tcase_add_loop_test(cases, a_request_takes_as_long_as_its_words_and_their_lanes, 0,
                        G_N_ELEMENTS(shapes));
    tcase_add_loop_test(cases, values_are_what_the_operations_make_of_them, 0, 2);
    tcase_add_loop_test(cases, impossible_shapes_are_refused, 0, G_N_ELEMENTS(wrong));
    return harness_run_cases("rop", cases);
}
