/* Requests for pages that are with the host: a pager in front of the rig's slice tells when they
 * come and go. Pages of 4 KiB, 32 lines each, in blocks of four. A page that comes at t is known at
 * t + 1, so a miss that waited for it is back at t + MISS; fills take the array's port two
 * cycles. */
#include "rig.h"

#include "kit/gpu/translation.h"

enum { BLOCK = VIRTUAL_BASE >> 14 };

typedef struct {
    uint64_t at;
    PageNews news;
    uint64_t pages, marked;
} Notice;

typedef struct {
    const Notice *notices;
    guint count;
    Unit *source, *sink;
    GArray *seen; /* of Notice */
} FarPager;

static Message *make_notice(Unit *source, uint64_t number, Time *at, void *user)
{
    const FarPager *pager = user;
    if (number >= pager->count) return NULL;
    const Notice *wanted = &pager->notices[number];
    PageNotice *notice = unit_new(source, MESSAGE_PAGE_NOTICE);
    *at = wanted->at * source->clock->period;
    notice->news = wanted->news;
    notice->block = BLOCK;
    notice->pages = wanted->pages;
    notice->marked = wanted->marked;
    return &notice->message;
}

static bool see(Unit *sink, Message *message, Time now, void *user)
{
    const FarPager *pager = user;
    const PageNotice *notice = (const PageNotice *)message;
    const Notice seen = {now / sink->clock->period, (PageNews)notice->news, notice->pages,
                         notice->marked};
    ck_assert_uint_eq(notice->block, BLOCK);
    g_array_append_val(pager->seen, seen);
    return false;
}

static void pager_add(Rig *rig, FarPager *pager)
{
    Harness *harness = rig->harness;
    harness->paging = (Paging){.mode = PAGING_DEMAND, .page_bytes = 4096, .block_bytes = 16384};
    ck_assert(paging_setup(&harness->paging, 1 << 20, NULL));
    pager->source = harness_source(harness, "pager");
    pager->sink = harness_sink(harness, "to pager");
    pager->seen = g_array_new(FALSE, FALSE, sizeof(Notice));
    harness_connect(harness, rig->slice, "to_pager", pager->sink, "in", (Path){0});
    harness_connect(harness, pager->source, "out", rig->slice, "from_pager", (Path){0});
    harness_generate(pager->source, make_notice, pager);
    harness_watch(pager->sink, see, pager);
}

static void expect(const FarPager *pager, const Notice *notices, guint count)
{
    ck_assert_uint_eq(pager->seen->len, count);
    for (guint i = 0; i < count; i++) {
        const Notice *seen = &g_array_index(pager->seen, Notice, i);
        ck_assert_int_eq(seen->news, notices[i].news);
        ck_assert_uint_eq(seen->at, notices[i].at);
        ck_assert_uint_eq(seen->pages, notices[i].pages);
        ck_assert_uint_eq(seen->marked, notices[i].marked);
    }
    g_array_unref(pager->seen);
}

#define RUN_WITH(rig, notices_, requests)                                                          \
    FarPager pager = {.notices = notices_, .count = G_N_ELEMENTS(notices_)};                       \
    pager_add(rig, &pager);                                                                        \
    RUN(rig, requests)
#define EXPECT(...)                                                                                \
    expect(&pager, (const Notice[])__VA_ARGS__,                                                    \
           sizeof((const Notice[])__VA_ARGS__) / sizeof(Notice))

/* The second page's is served meanwhile; the pager is told of the first one once. */
START_TEST(requests_for_an_absent_page_wait_aside_in_their_order)
{
    static const Notice notices[] = {{1, PAGES_COME, 2, 0}, {500, PAGES_COME, 1, 0}};
    static const Request requests[] = {{10, READ, 5, 1, 0, 500 + MISS},
                                       {11, READ, 6, 1, 0, 502 + MISS},
                                       {12, READ, 40, 1, 0, 12 + MISS}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN_WITH(rig, notices, requests);
    EXPECT({{12, PAGES_ABSENT, 1, 0}});
    g_autofree char *first = harness_stages(harness_transaction(rig->sink, 1),
                                            (500 + MISS) * TIME_NS, rig->harness->clock);
    ck_assert_ptr_nonnull(strstr(first, "issue 1 page 490 l2_tag 10 "));
    g_autofree char *second = harness_stages(harness_transaction(rig->sink, 2),
                                             (502 + MISS) * TIME_NS, rig->harness->clock);
    ck_assert_ptr_nonnull(strstr(second, "issue 1 page 489 l2_queue 1 l2_tag 10 "));
    ck_assert_uint_eq(unit_count(rig->slice, "page_waits"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "page_faults"), 1);
    assert_little(rig->slice, "absent_pages");
    assert_little(rig->slice, "waiting_for_pages");
}
END_TEST

/* The page was written, goes, and is wanted again; what it had in L2 is still there. */
START_TEST(a_page_that_has_gone_is_absent_and_was_written_or_not)
{
    static const Notice notices[] = {{1, PAGES_COME, 3, 0},
                                     {100, PAGES_LEAVE, 3, 0},
                                     {300, PAGES_COME, 1, 0},
                                     {400, PAGES_LEAVE, 1, 0}};
    static const Request requests[] = {{10, WRITE, 5, 15, 0, 10 + HIT},
                                       {20, READ, 40, 1, 0, 20 + MISS},
                                       {200, READ, 5, 1, 0, 300 + HIT}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN_WITH(rig, notices, requests);
    EXPECT({{102, PAGES_LEFT, 3, 1}, {202, PAGES_ABSENT, 1, 0}, {402, PAGES_LEFT, 1, 0}});
}
END_TEST

/* A request that waited for the page has used it when the page is about to go. */
START_TEST(a_store_that_waited_has_written_the_page)
{
    static const Notice notices[] = {{100, PAGES_COME, 3, 2}, {101, PAGES_LEAVE, 1, 0}};
    static const Request requests[] = {{10, WRITE, 5, 15, 0, 100 + HIT},
                                       {11, READ, 6, 1, 0, 101 + MISS},
                                       {300, READ, 40, 1, 0, 300 + MISS},
                                       {301, READ, 41, 1, 0, 302 + MISS}};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    RUN_WITH(rig, notices, requests);
    EXPECT({{12, PAGES_ABSENT, 1, 0}, {103, PAGES_LEFT, 1, 1}, {302, PAGES_USED, 2, 0}});
}
END_TEST

/* One absent page at a time: line 40's holds up line 70's, whose page is there. */
START_TEST(a_head_that_finds_no_room_aside_holds_up_those_behind_it)
{
    static const Notice notices[] = {
        {1, PAGES_COME, 4, 0}, {200, PAGES_COME, 1, 0}, {500, PAGES_COME, 2, 0}};
    static const Request requests[] = {{10, READ, 5, 1, 0, 200 + MISS},
                                       {11, READ, 40, 1, 0, 500 + MISS},
                                       {12, READ, 70, 1, 0, 202 + MISS}};
    g_autoptr(Rig) rig = rig_new("page_entries = 1", (Surroundings){0});
    RUN_WITH(rig, notices, requests);
    EXPECT({{12, PAGES_ABSENT, 1, 0}, {203, PAGES_ABSENT, 2, 0}});
    ck_assert_uint_gt(unit_count(rig->slice, "refused_page"), 0);
    ck_assert_uint_eq(unit_refused(rig->slice, "absent_pages"),
                      unit_count(rig->slice, "refused_page"));
}
END_TEST

START_TEST(no_more_requests_wait_than_there_is_room_for)
{
    static const Notice notices[] = {{200, PAGES_COME, 1, 0}};
    static const Request requests[] = {{10, READ, 5, 1, 0, 200 + MISS},
                                       {11, READ, 6, 1, 0, 202 + MISS},
                                       {12, READ, 7, 1, 0, 204 + MISS}};
    g_autoptr(Rig) rig = rig_new("page_requests = 2", (Surroundings){0});
    RUN_WITH(rig, notices, requests);
    EXPECT({{12, PAGES_ABSENT, 1, 0}});
    ck_assert_uint_eq(unit_count(rig->slice, "page_waits"), 2);
    ck_assert_uint_eq(unit_full(rig->slice, "waiting_for_pages"), 201 - 12);
}
END_TEST

START_TEST(local_memory_is_never_absent)
{
    static const Notice notices[] = {{1, PAGES_COME, 2, 0}};
    static const Request requests[] = {{10, READ, 5, 1, 0, 10 + MISS}};
    static const uint8_t spaces[] = {SPACE_LOCAL};
    g_autoptr(Rig) rig = rig_new("", (Surroundings){0});
    rig->spaces = spaces;
    RUN_WITH(rig, notices, requests);
    expect(&pager, NULL, 0);
}
END_TEST

HARNESS_MAIN("pages", requests_for_an_absent_page_wait_aside_in_their_order,
             a_page_that_has_gone_is_absent_and_was_written_or_not,
             a_store_that_waited_has_written_the_page,
             a_head_that_finds_no_room_aside_holds_up_those_behind_it,
             no_more_requests_wait_than_there_is_room_for, local_memory_is_never_absent)
