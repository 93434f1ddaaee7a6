/* The rig: two slices that send what they want and answer at once, the pager. All paths take a
 * cycle of 1 ns, a fault 1,000, a move 100, and a page of 4 KiB at 4 GB/s 1,024, so that
 *     a page comes     1 to the pager + 1000 + 100 + 1024 + 1 back     = 2126
 *     two together     1 + 1000 + 100 + 2048 + 1                       = 3150 */
#include "rigs/unit_rig.h"

#include "kit/gpu/kernel.h"
#include "kit/gpu/translation.h"
#include "parts/address/paging.h"

extern const UnitClass pager_class;

enum { FAULT = 1000, MOVE = 100, PAGE = 1024, ONE = 1 + FAULT + MOVE + PAGE + 1, SLICES = 2 };

typedef struct {
    uint64_t at;
    PageNews news;
    uint64_t block, pages;
} Request;

typedef struct {
    Harness *harness;
    Unit *pager, *source[SLICES], *sink[SLICES];
    const Request *requests[SLICES];
    guint count[SLICES];
    uint64_t written[8]; /* of a block, the pages that slice 0 says it has written */
    GArray *seen;        /* of SeenPages, by slice 0 */
    Paging paging;
    uint64_t gbps;
    LaunchList *launches;
} Rig;

typedef struct {
    uint64_t cycle, block, pages, marked;
    PageNews news;
} SeenPages;

static Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    const guint side = source == rig->source[1];
    if (number >= rig->count[side]) return NULL;
    const Request *wanted = &rig->requests[side][number];
    PageNotice *notice = unit_new(source, MESSAGE_PAGE_NOTICE);
    *at = wanted->at * source->clock->period;
    notice->news = wanted->news;
    notice->block = wanted->block;
    notice->pages = wanted->pages;
    notice->marked = wanted->news == PAGES_LEFT ? rig->written[wanted->block] : 0;
    return &notice->message;
}

static bool see(Unit *sink, Message *message, Time now, void *user)
{
    const Rig *rig = user;
    const PageNotice *notice = (const PageNotice *)message;
    const SeenPages seen = {now / sink->clock->period, notice->block, notice->pages, notice->marked,
                            (PageNews)notice->news};
    g_array_append_val(rig->seen, seen);
    return false;
}

/* Blocks of four pages; `pages` have room. */
static Rig *rig_new(const char *settings, uint64_t pages)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->gbps = 4;
    rig->launches = launch_list_new();
    rig->seen = g_array_new(FALSE, FALSE, sizeof(SeenPages));
    rig->paging = (Paging){.mode = PAGING_DEMAND, .page_bytes = 4096, .block_bytes = 16384};
    ck_assert(paging_setup(&rig->paging, pages * 4096, NULL));
    simulation_share(rig->harness->simulation, "paging", &rig->paging);
    simulation_share(rig->harness->simulation, "host_link_gbps", &rig->gbps);
    simulation_share(rig->harness->simulation, "launches", rig->launches);
    g_autofree char *all = g_strconcat(
        "fault_latency = 1000 ns; move_latency = 100 ns; prefetch = none; ", settings, NULL);
    rig->pager = harness_add(rig->harness, &pager_class, "pager", all);
    unit_size_ports(rig->pager, "from_l2", SLICES);
    unit_size_ports(rig->pager, "to_l2", SLICES);
    for (uint32_t i = 0; i < SLICES; i++) {
        rig->source[i] = harness_source(rig->harness, "slice");
        rig->sink[i] = harness_sink(rig->harness, "slice back");
        harness_connect(rig->harness, rig->source[i], "out", rig->pager, "from_l2",
                        (Path){.input_index = i});
        harness_connect(rig->harness, rig->pager, "to_l2", rig->sink[i], "in",
                        (Path){.output_index = i});
    }
    harness_watch(rig->sink[0], see, rig);
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    launch_list_free(rig->launches);
    g_array_unref(rig->seen);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig, const Request *first, guint first_count, const Request *second,
                guint second_count)
{
    rig->requests[0] = first;
    rig->requests[1] = second;
    rig->count[0] = first_count;
    rig->count[1] = second_count;
    for (guint i = 0; i < SLICES; i++) harness_generate(rig->source[i], make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink[0]), harness_arrivals(rig->sink[1]));
}

#define RUN(rig, first) run(rig, first, G_N_ELEMENTS(first), NULL, 0)
#define RUN_BOTH(rig, first, second)                                                               \
    run(rig, first, G_N_ELEMENTS(first), second, G_N_ELEMENTS(second))

static void expect(const Rig *rig, guint index, PageNews news, uint64_t cycle, uint64_t block,
                   uint64_t pages)
{
    ck_assert_uint_gt(rig->seen->len, index);
    const SeenPages *seen = &g_array_index(rig->seen, SeenPages, index);
    ck_assert_int_eq(seen->news, news);
    ck_assert_uint_eq(seen->cycle, cycle);
    ck_assert_uint_eq(seen->block, block);
    ck_assert_uint_eq(seen->pages, pages);
}

START_TEST(a_page_costs_the_handler_the_move_and_its_bytes)
{
    static const Request requests[] = {{10, PAGES_ABSENT, 0, 1}};
    g_autoptr(Rig) rig = rig_new("", 64);
    RUN(rig, requests);
    ck_assert_uint_eq(rig->seen->len, 1);
    expect(rig, 0, PAGES_COME, 10 + ONE, 0, 1);
    ck_assert_uint_eq(unit_count(rig->pager, "pages_in"), 1);
    ck_assert_uint_eq(unit_work(rig->pager, "handler"), FAULT);
    ck_assert_uint_eq(unit_work(rig->pager, "link_in"), MOVE + PAGE);
    ck_assert_uint_eq(unit_level(rig->pager, "frames")->now, 1);
    ck_assert_uint_eq(unit_histogram(rig->pager, "latency_seen")->sum, (ONE - 2) * TIME_NS);
    assert_little(rig->pager, "faults_waiting");
}
END_TEST

START_TEST(a_handler_that_takes_no_time_takes_the_next_cycle)
{
    static const Request requests[] = {{10, PAGES_ABSENT, 0, 1}, {11, PAGES_ABSENT, 1, 1}};
    g_autoptr(Rig) rig = rig_new("fault_latency = 0 ns; move_latency = 0 ns", 64);
    RUN(rig, requests);
    expect(rig, 0, PAGES_COME, 10 + 1 + 1 + PAGE + 1, 0, 1);
    expect(rig, 1, PAGES_COME, 10 + 1 + 1 + 2 * PAGE + 1, 1, 1);
}
END_TEST

/* The first is in the handler's hands when the others come; these make a batch, and two of one
 * block a move. */
START_TEST(faults_of_one_page_are_merged_and_those_of_a_batch_come_together)
{
    static const Request first[] = {{10, PAGES_ABSENT, 0, 1},
                                    {20, PAGES_ABSENT, 1, 1},
                                    {30, PAGES_ABSENT, 1, 4},
                                    {40, PAGES_ABSENT, 2, 2}},
                         second[] = {{15, PAGES_ABSENT, 0, 1}, {35, PAGES_ABSENT, 1, 4}};
    g_autoptr(Rig) rig = rig_new("", 64);
    RUN_BOTH(rig, first, second);
    expect(rig, 0, PAGES_COME, 10 + ONE, 0, 1);
    /* the handler is done with them at 2011, the link free at 2135 */
    expect(rig, 1, PAGES_COME, 10 + ONE + MOVE + 2 * PAGE, 1, 5);
    expect(rig, 2, PAGES_COME, 10 + ONE + 2 * MOVE + 3 * PAGE, 2, 2);
    ck_assert_uint_eq(rig->seen->len, 3);
    ck_assert_uint_eq(unit_count(rig->pager, "faults"), 6);
    ck_assert_uint_eq(unit_count(rig->pager, "merged"), 2);
    ck_assert_uint_eq(unit_count(rig->pager, "batches"), 2);
    ck_assert_uint_eq(unit_count(rig->pager, "moves_in"), 3);
}
END_TEST

/* Batches of one: 1000 each, one behind the other. */
START_TEST(a_batch_has_no_more_faults_than_it_may)
{
    static const Request requests[] = {
        {10, PAGES_ABSENT, 0, 1}, {11, PAGES_ABSENT, 1, 1}, {12, PAGES_ABSENT, 2, 1}};
    g_autoptr(Rig) rig = rig_new("batch_faults = 1; fault_latency = 3000 ns", 64);
    RUN(rig, requests);
    for (guint i = 0; i < 3; i++)
        expect(rig, i, PAGES_COME, 10 + 1 + (i + 1) * 3000 + MOVE + PAGE + 1, i, 1);
}
END_TEST

/* Eight pages have room. The block that came first goes when a third is wanted: slices are told
 * at 11012, slice 0 answers at 11050 and slice 1 at 11060 that nothing was written. */
START_TEST(the_block_that_came_first_goes_and_what_is_clean_goes_at_once)
{
    static const Request first[] = {{10, PAGES_ABSENT, 0, 15},
                                    {4000, PAGES_ABSENT, 1, 15},
                                    {10010, PAGES_ABSENT, 2, 1},
                                    {11050, PAGES_LEFT, 0, 15}},
                         second[] = {{11060, PAGES_LEFT, 0, 15}};
    g_autoptr(Rig) rig = rig_new("", 8);
    RUN_BOTH(rig, first, second);
    expect(rig, 2, PAGES_LEAVE, 10010 + 1 + FAULT + 1, 0, 15);
    expect(rig, 3, PAGES_COME, 11060 + 1 + MOVE + PAGE + 1, 2, 1);
    ck_assert_uint_eq(unit_count(rig->pager, "pages_dropped"), 4);
    ck_assert_uint_eq(unit_count(rig->pager, "pages_out"), 0);
    ck_assert_uint_eq(unit_level(rig->pager, "frames")->now, 5);
}
END_TEST

/* Of the same, page 2 was written by slice 0: the other three pages' frames are enough; of four
 * that are wanted the last needs the frame that is free at 11061 + 100 + 1024. */
START_TEST(written_pages_cross_the_link_before_their_frames_are_free)
{
    static const Request first[] = {{10, PAGES_ABSENT, 0, 15},
                                    {4000, PAGES_ABSENT, 1, 15},
                                    {10010, PAGES_ABSENT, 2, 15},
                                    {11050, PAGES_LEFT, 0, 15}},
                         second[] = {{11060, PAGES_LEFT, 0, 15}};
    g_autoptr(Rig) rig = rig_new("", 8);
    rig->written[0] = 4;
    RUN_BOTH(rig, first, second);
    expect(rig, 3, PAGES_COME, 11061 + MOVE + PAGE + MOVE + 4 * PAGE + 1, 2, 15);
    ck_assert_uint_eq(unit_count(rig->pager, "pages_out"), 1);
    ck_assert_uint_eq(unit_count(rig->pager, "pages_dropped"), 3);
    ck_assert_uint_eq(unit_work(rig->pager, "link_out"), MOVE + PAGE);
}
END_TEST

START_TEST(all_pages_cross_where_nobody_asks_which_were_written)
{
    static const Request first[] = {{10, PAGES_ABSENT, 0, 15},
                                    {4000, PAGES_ABSENT, 1, 15},
                                    {10010, PAGES_ABSENT, 2, 1},
                                    {11050, PAGES_LEFT, 0, 15}},
                         second[] = {{11060, PAGES_LEFT, 0, 15}};
    g_autoptr(Rig) rig = rig_new("write_back = all", 8);
    RUN_BOTH(rig, first, second);
    expect(rig, 3, PAGES_COME, 11061 + MOVE + 4 * PAGE + MOVE + PAGE + 1, 2, 1);
    ck_assert_uint_eq(unit_count(rig->pager, "pages_out"), 4);
}
END_TEST

/* Three of four are wanted: the fourth comes with them; of two of them the rest does not. */
START_TEST(the_tree_brings_the_rest_of_a_part_that_is_mostly_there)
{
    static const Request first[] = {{10, PAGES_ABSENT, 0, 7},
                                    {10, PAGES_ABSENT, 1, 3},
                                    {9000, PAGES_USED, 0, 8}},
                         second[] = {{9001, PAGES_USED, 0, 8}};
    g_autoptr(Rig) rig = rig_new("prefetch = tree", 64);
    RUN_BOTH(rig, first, second);
    ck_assert_uint_eq(g_array_index(rig->seen, SeenPages, 0).pages, 15);
    ck_assert_uint_eq(g_array_index(rig->seen, SeenPages, 0).marked, 8);
    ck_assert_uint_eq(g_array_index(rig->seen, SeenPages, 1).pages, 3);
    ck_assert_uint_eq(unit_count(rig->pager, "prefetched"), 1);
    ck_assert_uint_eq(unit_count(rig->pager, "prefetched_used"), 1);
}
END_TEST

/* The array ends in the block's third page. */
START_TEST(a_whole_block_comes_as_far_as_arrays_lie_in_it)
{
    static const Request requests[] = {{10, PAGES_ABSENT, 1, 1}};
    g_autoptr(Rig) rig = rig_new("prefetch = block", 64);
    launch_list_add_array(rig->launches, "a", 0, 16384 + 2 * 4096 + 1);
    RUN(rig, requests);
    expect(rig, 0, PAGES_COME, 10 + 1 + FAULT + MOVE + 3 * PAGE + 1, 1, 7);
}
END_TEST

HARNESS_MAIN("pager", a_page_costs_the_handler_the_move_and_its_bytes,
             a_handler_that_takes_no_time_takes_the_next_cycle,
             faults_of_one_page_are_merged_and_those_of_a_batch_come_together,
             a_batch_has_no_more_faults_than_it_may,
             the_block_that_came_first_goes_and_what_is_clean_goes_at_once,
             written_pages_cross_the_link_before_their_frames_are_free,
             all_pages_cross_where_nobody_asks_which_were_written,
             the_tree_brings_the_rest_of_a_part_that_is_mostly_there,
             a_whole_block_comes_as_far_as_arrays_lie_in_it)
