/* Which requests a timeline keeps. */
#include "kit/observe/timeline.h"
#include "kit/engine/unit.h"
#include "kit/gpu/warp_access.h"
#include "rigs/harness.h"

typedef struct {
    uint64_t id;
    Time begin, latency;
} Request;

static void record_at(Timeline *timeline, const Request *request, Time at)
{
    static const Kernel kernel = {.name = (char *)"k"};
    static StageSums sums;
    WarpAccess access = {.warp = 3, .kernel = &kernel, .instruction.pc = 16};
    Transaction transaction = {.message.id = request->id,
                               .stage_began = BEFORE_ALL_STAGES,
                               .access = &access,
                               .source = 5};
    transaction_enter(&transaction, STAGE_ISSUE, request->begin);
    const CompletedRequest told = {NULL, &transaction, request->begin + request->latency, &sums};
    timeline_record(timeline, &told, at);
}

static void record(Timeline *timeline, const Request *request)
{
    record_at(timeline, request, request->begin + request->latency);
}

static void record_all(Timeline *timeline, const Request *requests, guint count)
{
    for (guint i = 0; i < count; i++) record(timeline, &requests[i]);
}

static void expect_ids(const Timeline *timeline, const uint64_t *ids, guint count)
{
    g_autoptr(GPtrArray) rows = timeline_rows(timeline);
    ck_assert_uint_eq(rows->len, count);
    for (guint i = 0; i < count; i++)
        ck_assert_uint_eq(((const TimelineRow *)rows->pdata[i])->id, ids[i]);
}

#define EXPECT(timeline, ...)                                                                      \
    expect_ids(timeline, (const uint64_t[]){__VA_ARGS__},                                          \
               sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static TimelineSelection the_first(uint32_t capacity)
{
    return (TimelineSelection){capacity, TIMELINE_FIRST, 1, 0, TIME_NEVER};
}

static TimelineSelection the_slowest(uint32_t capacity)
{
    return (TimelineSelection){capacity, TIMELINE_SLOWEST, 1, 0, TIME_NEVER};
}

START_TEST(a_timeline_keeps_the_requests_that_began_first)
{
    /* of equal times the lower number first */
    static const Request requests[] = {{0, 50, 9}, {1, 20, 9}, {2, 60, 9},
                                       {3, 10, 9}, {4, 20, 9}, {5, 70, 9}};
    Timeline *timeline = timeline_new(&(TimelineSelection){3, TIMELINE_FIRST, 1, 0, TIME_NEVER});
    record_all(timeline, requests, G_N_ELEMENTS(requests));
    EXPECT(timeline, 3, 1, 4);
    ck_assert_uint_eq(timeline_qualified(timeline), 6);
    timeline_free(timeline);
}
END_TEST

START_TEST(a_row_has_what_the_request_had)
{
    const TimelineSelection selection = the_first(1);
    Timeline *timeline = timeline_new(&selection);
    record(timeline, &(Request){7, 50, 9});
    g_autoptr(GPtrArray) rows = timeline_rows(timeline);
    const TimelineRow *row = rows->pdata[0];
    ck_assert_uint_eq(timeline_row_began(row), 50);
    ck_assert_uint_eq(row->end, 59);
    ck_assert_uint_eq(row->warp, 3);
    ck_assert_uint_eq(row->sm, 5);
    ck_assert_uint_eq(row->pc, 16);
    ck_assert_str_eq(row->kernel->name, "k");
    timeline_free(timeline);
}
END_TEST

/* Latencies 5 8 8 2 9 8: the 9, and of the three 8s those that began first, at 20 and at 30. */
START_TEST(the_slowest_are_kept_and_of_equal_ones_the_first)
{
    static const Request requests[] = {{0, 10, 5}, {1, 40, 8}, {2, 20, 8},
                                       {3, 5, 2},  {4, 50, 9}, {5, 30, 8}};
    const TimelineSelection selection = the_slowest(3);
    Timeline *timeline = timeline_new(&selection);
    record_all(timeline, requests, G_N_ELEMENTS(requests));
    EXPECT(timeline, 2, 5, 4);
    ck_assert_uint_eq(timeline_qualified(timeline), 6);
    timeline_free(timeline);
}
END_TEST

START_TEST(a_window_has_its_beginning_and_not_its_end)
{
    static const Request requests[] = {{0, 19, 99}, {1, 20, 1}, {2, 29, 99}, {3, 30, 1}};
    Timeline *timeline = timeline_new(&(TimelineSelection){9, TIMELINE_FIRST, 1, 20, 30});
    record_all(timeline, requests, G_N_ELEMENTS(requests));
    EXPECT(timeline, 1, 2);
    ck_assert_uint_eq(timeline_qualified(timeline), 2);
    timeline_free(timeline);
}
END_TEST

enum { MANY = 4000, KEPT = 100, SPARSE = 10 };

/* A permutation of 0 .. MANY - 1 for each odd step that has no factor in common with MANY. */
static void record_many(Timeline *timeline, uint64_t step)
{
    for (uint64_t i = 0; i < MANY; i++) {
        const uint64_t id = i * step % MANY;
        record(timeline, &(Request){id, 100 + id * 7919 % 50, 1 + id * 104729 % 60});
    }
}

/* Many are equal in time or latency; only the order in which they come differs. */
START_TEST(the_order_in_which_requests_come_does_not_matter)
{
    static const uint64_t steps[] = {1, 3, 1999, 3999};
    for (unsigned keep = TIMELINE_FIRST; keep <= TIMELINE_SLOWEST; keep++) {
        const TimelineSelection selection = {KEPT, (TimelineKeep)keep, 3, 0, TIME_NEVER};
        uint64_t expected[KEPT];
        for (guint s = 0; s < G_N_ELEMENTS(steps); s++) {
            Timeline *timeline = timeline_new(&selection);
            record_many(timeline, steps[s]);
            g_autoptr(GPtrArray) rows = timeline_rows(timeline);
            ck_assert_uint_eq(rows->len, KEPT);
            for (guint i = 0; !s && i < KEPT; i++)
                expected[i] = ((const TimelineRow *)rows->pdata[i])->id;
            expect_ids(timeline, expected, KEPT);
            timeline_free(timeline);
        }
    }
}
END_TEST

/* 4000 / 10 = 400 on average, with a standard deviation of sqrt(400 x 0.9) = 19. */
START_TEST(one_request_in_ten_is_every_tenth_by_a_hash)
{
    Timeline *timeline = timeline_new(&(TimelineSelection){MANY, TIMELINE_FIRST, SPARSE, 0, 200});
    record_many(timeline, 1);
    ck_assert_uint_gt(timeline_qualified(timeline), 400 - 4 * 19);
    ck_assert_uint_lt(timeline_qualified(timeline), 400 + 4 * 19);
    g_autoptr(GPtrArray) rows = timeline_rows(timeline);
    guint remainders = 0;
    for (guint i = 0; i < rows->len; i++)
        remainders |= 1u << ((const TimelineRow *)rows->pdata[i])->id % SPARSE;
    ck_assert_uint_eq(remainders, (1u << SPARSE) - 1);
    timeline_free(timeline);
}
END_TEST

/* --- the region of interest ------------------------------------------------------------------- */

START_TEST(what_completed_in_the_warm_up_is_forgotten)
{
    const TimelineSelection selection = the_first(2);
    Timeline *timeline = timeline_new(&selection);
    record(timeline, &(Request){0, 10, 5});
    record(timeline, &(Request){1, 20, 5});
    timeline_start_measuring(timeline, 100);
    /* a tile that is behind tells of what it did before; one that is ahead has begun */
    record_at(timeline, &(Request){2, 30, 60}, 90);
    record_at(timeline, &(Request){3, 101, 60}, 161);
    timeline_start_measuring(timeline, 100);
    record_at(timeline, &(Request){4, 99, 5}, 104);
    EXPECT(timeline, 4, 3);
    ck_assert_uint_eq(timeline_qualified(timeline), 2);
    timeline_free(timeline);
}
END_TEST

/* The slow ones behind it would take the places of all. */
START_TEST(what_begins_behind_the_last_measured_kernel_takes_no_place)
{
    const TimelineSelection selection = the_slowest(2);
    Timeline *timeline = timeline_new(&selection);
    record(timeline, &(Request){0, 10, 5});
    record(timeline, &(Request){1, 20, 6});
    record(timeline, &(Request){2, 30, 4});
    timeline_keep_measured(timeline, 100);
    record(timeline, &(Request){3, 100, 900});
    record(timeline, &(Request){4, 101, 900});
    record(timeline, &(Request){5, 99, 7}); /* began before */
    timeline_keep_measured(timeline, 100);  /* as another tile says */
    EXPECT(timeline, 1, 5);
    ck_assert_uint_eq(timeline_qualified(timeline), 4);
    timeline_free(timeline);
}
END_TEST

START_TEST(a_second_measured_kernel_adds_its_requests)
{
    const TimelineSelection selection = the_slowest(2);
    Timeline *timeline = timeline_new(&selection);
    record(timeline, &(Request){0, 10, 5});
    record(timeline, &(Request){1, 20, 6});
    timeline_keep_measured(timeline, 100);
    record(timeline, &(Request){2, 150, 8});
    record(timeline, &(Request){3, 160, 2});
    EXPECT(timeline, 0, 1);
    timeline_keep_measured(timeline, 200);
    EXPECT(timeline, 1, 2);
    ck_assert_uint_eq(timeline_qualified(timeline), 4);
    timeline_free(timeline);
}
END_TEST

HARNESS_MAIN("timeline", a_timeline_keeps_the_requests_that_began_first,
             a_row_has_what_the_request_had, the_slowest_are_kept_and_of_equal_ones_the_first,
             a_window_has_its_beginning_and_not_its_end,
             the_order_in_which_requests_come_does_not_matter,
             one_request_in_ten_is_every_tenth_by_a_hash,
             what_completed_in_the_warm_up_is_forgotten,
             what_begins_behind_the_last_measured_kernel_takes_no_place,
             a_second_measured_kernel_adds_its_requests)
