/* The rig: L2 slices and L1s as two sources of reports, and the monitor. */
#include "rigs/unit_rig.h"

#include "parts/address/frames.h"
#include "parts/sm/coalescer.h"

#include "kit/gpu/access_report.h"

extern const UnitClass coherence_monitor_class;

enum { W = REPORT_WRITE, A = REPORT_ATOMIC, H = REPORT_HIT, K = REPORT_KEPT };

typedef struct {
    uint64_t at, line; /* cycle; line number */
    uint16_t sm, sectors, partial;
    uint8_t kind;
    uint64_t read_at; /* cycle, of all sectors */
    uint64_t left;    /* ... of a write, its L1 */
    bool in_texture_unit, behind_l1;
} Told;

typedef struct {
    Harness *harness;
    Unit *l2, *l1, *monitor;
    LineShape line;
    Frames pages;
    const Told *told;
    guint count;
    const KernelStart *starts;
    guint start_count;
} Rig;

/* Of one side: L1s' reports, or writes. */
static const Told *nth(const Rig *rig, bool of_l1, uint64_t number)
{
    for (guint i = 0; i < rig->count; i++)
        if ((rig->told[i].kind == H || rig->told[i].kind == K) == of_l1 && !number--)
            return &rig->told[i];
    return NULL;
}

static Message *make_report(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    const Told *told = nth(rig, source == rig->l1, number);
    if (!number && source == rig->l2) announce_kernels(source, rig->starts, rig->start_count);
    if (!told) return NULL;
    AccessReport *report = unit_new(source, MESSAGE_ACCESS_REPORT);
    *at = report->at = told->at * source->clock->period;
    report->line = told->line * 128;
    report->source = told->sm;
    report->sectors = told->sectors;
    report->partial = told->partial;
    report->kind = told->kind;
    report->left = told->left * source->clock->period;
    report->in_texture_unit = told->in_texture_unit;
    report->behind_l1 = told->behind_l1;
    for (guint s = 0; s < SECTORS_MAX; s++)
        report->read_at[s] = told->read_at * source->clock->period;
    return &report->message;
}

static Rig *rig_new(void)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->pages = (Frames){.page_bytes = 4096, .frames = FRAMES_SCATTERED};
    ck_assert(frames_setup(&rig->pages, 1 << 20, 1, NULL));
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "pages", &rig->pages);
    rig->monitor =
        harness_add(rig->harness, &coherence_monitor_class, "coherence_monitor", "enabled = yes");
    unit_size_ports(rig->monitor, "from_l2", 1);
    unit_size_ports(rig->monitor, "from_l1", 1);
    rig->l2 = harness_source(rig->harness, "l2");
    rig->l1 = harness_source(rig->harness, "l1");
    harness_connect(rig->harness, rig->l2, "out", rig->monitor, "from_l2", (Path){.delay = 5});
    harness_connect(rig->harness, rig->l1, "out", rig->monitor, "from_l1", (Path){.delay = 5});
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig, const Told *told, guint count)
{
    rig->told = told;
    rig->count = count;
    harness_generate(rig->l2, make_report, rig);
    harness_generate(rig->l1, make_report, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    const uint64_t reports = unit_count(rig->monitor, "reports");
    ck_assert(reports == count || rig->start_count);
    ck_assert_uint_eq(unit_count(rig->monitor, "hits") + unit_count(rig->monitor, "kept_stores")
                          + unit_count(rig->monitor, "writes"),
                      reports);
}

#define RUN(rig, told) run(rig, told, G_N_ELEMENTS(told))

static void expect_counts(const Rig *rig, uint64_t stale_hits, uint64_t conflicts)
{
    ck_assert_uint_eq(unit_count(rig->monitor, "stale_hits"), stale_hits);
    ck_assert_uint_eq(unit_count(rig->monitor, "conflicting_writes"), conflicts);
}

static const Ranking *ranking(const Rig *rig, const char *name)
{
    return unit_statistic(rig->monitor, name, STAT_RANKING);
}

START_TEST(a_hit_on_what_another_SM_has_written_since_is_stale)
{
    static const Told told[] = {
        {.kind = W, .at = 20, .line = 3, .sm = 1, .sectors = 1},
        {.kind = H, .at = 30, .line = 3, .sm = 0, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 40, .line = 3, .sm = 0, .sectors = 1, .read_at = 10}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 2, 0);
    ck_assert_uint_eq(unit_count(rig->monitor, "stale_lines"), 1);
    ck_assert_uint_eq(unit_histogram(rig->monitor, "stale_age")->sum, (10 + 20) * TIME_NS);
    ck_assert_uint_eq(ranking(rig, "stalest")->rows, 1);
    ck_assert_uint_eq(ranking(rig, "stalest")->row[0].address,
                      frames_virtual(&rig->pages, 3 * 128));
    ck_assert_uint_eq(ranking(rig, "stalest")->row[0].count, 2);
}
END_TEST

/* Its own write, one before the copy was read, another sector, one at the same time or later,
 * another line. */
START_TEST(other_hits_are_not)
{
    static const Told told[] = {
        {.kind = W, .at = 20, .line = 3, .sm = 0, .sectors = 1},
        {.kind = H, .at = 30, .line = 3, .sm = 0, .sectors = 1, .read_at = 10},
        {.kind = W, .at = 20, .line = 4, .sm = 1, .sectors = 1},
        {.kind = H, .at = 30, .line = 4, .sm = 0, .sectors = 1, .read_at = 20},
        {.kind = H, .at = 30, .line = 4, .sm = 0, .sectors = 14, .read_at = 10},
        {.kind = H, .at = 20, .line = 4, .sm = 0, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 19, .line = 4, .sm = 0, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 30, .line = 5, .sm = 0, .sectors = 1, .read_at = 10},
    };
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 0, 0);
    ck_assert_uint_eq(ranking(rig, "stalest")->rows, 0);
}
END_TEST

/* An SM's store updates the copy of the cache that it passes and no other. */
START_TEST(own_stores_past_a_cache_make_its_copy_stale)
{
    static const Told told[] = {
        {.kind = W, .at = 20, .line = 3, .sectors = 1},
        {.kind = H, .at = 30, .line = 3, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 31, .line = 3, .sectors = 1, .read_at = 10, .in_texture_unit = true},
        {.kind = W, .at = 40, .line = 3, .sectors = 1, .in_texture_unit = true},
        {.kind = H, .at = 50, .line = 3, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 51, .line = 3, .sectors = 1, .read_at = 10, .in_texture_unit = true}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 2, 0);
    ck_assert_uint_eq(unit_histogram(rig->monitor, "stale_age")->sum, (11 + 10) * TIME_NS);
}
END_TEST

/* What an SM's own store has left in a request coalescer's cache was read before it. */
START_TEST(own_stores_make_copies_behind_L1_stale)
{
    static const Told told[] = {
        {.kind = W, .at = 20, .line = 3, .sectors = 1},
        {.kind = H, .at = 30, .line = 3, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 31, .line = 3, .sectors = 1, .read_at = 10, .behind_l1 = true},
        {.kind = H, .at = 32, .line = 3, .sectors = 1, .read_at = 25, .behind_l1 = true}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 1, 0);
}
END_TEST

/* SM 1 keeps a sector from 20 to 50: copies that were read before or meanwhile lack it, but for its
 * own in L1. What left at 50 and is at L2 at 60 is in those read after that. */
START_TEST(what_an_L1_keeps_is_in_no_other_copy)
{
    static const Told told[] = {
        {.kind = K, .at = 20, .line = 3, .sm = 1, .sectors = 1},
        {.kind = H, .at = 20, .line = 3, .sm = 0, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 30, .line = 3, .sm = 0, .sectors = 1, .read_at = 10},
        {.kind = H, .at = 31, .line = 3, .sm = 0, .sectors = 1, .read_at = 25},
        {.kind = H, .at = 32, .line = 3, .sm = 0, .sectors = 2, .read_at = 10},
        {.kind = H, .at = 33, .line = 3, .sm = 1, .sectors = 1, .read_at = 10},
        {.kind = H,
         .at = 34,
         .line = 3,
         .sm = 1,
         .sectors = 1,
         .read_at = 10,
         .in_texture_unit = true},
        {.kind = W, .at = 60, .line = 3, .sm = 1, .sectors = 1, .left = 50},
        {.kind = H, .at = 70, .line = 3, .sm = 0, .sectors = 1, .read_at = 55},
        {.kind = H, .at = 71, .line = 3, .sm = 0, .sectors = 1, .read_at = 65}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 4, 0);
    ck_assert_uint_eq(unit_histogram(rig->monitor, "stale_age")->sum,
                      (10 + 11 + 14 + 10) * TIME_NS);
}
END_TEST

/* Written back at 50, kept again at 55: L2 lacks that, whoever else writes there meanwhile. */
START_TEST(what_is_kept_anew_is_not_at_L2)
{
    static const Told told[] = {
        {.kind = K, .at = 20, .line = 3, .sm = 1, .sectors = 1},
        {.kind = K, .at = 55, .line = 3, .sm = 1, .sectors = 1},
        {.kind = W, .at = 60, .line = 3, .sm = 1, .sectors = 1, .left = 50},
        {.kind = W, .at = 65, .line = 3, .sm = 0, .sectors = 1, .left = 62},
        {.kind = H, .at = 70, .line = 3, .sm = 0, .sectors = 1, .read_at = 68},
        {.kind = W, .at = 80, .line = 3, .sm = 1, .sectors = 1, .left = 75},
        {.kind = H, .at = 90, .line = 3, .sm = 0, .sectors = 1, .read_at = 85}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    ck_assert_uint_eq(unit_count(rig->monitor, "stale_hits"), 1);
}
END_TEST

START_TEST(an_atomic_makes_copies_stale_too)
{
    static const Told told[] = {
        {.kind = A, .at = 20, .line = 3, .sm = 1, .sectors = 2},
        {.kind = H, .at = 30, .line = 3, .sm = 0, .sectors = 15, .read_at = 10}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 1, 0);
}
END_TEST

START_TEST(writes_of_two_SMs_to_a_sector_conflict)
{
    static const Told told[] = {{.kind = W, .at = 10, .line = 3, .sm = 0, .sectors = 3},
                                {.kind = W, .at = 20, .line = 3, .sm = 1, .sectors = 6},
                                {.kind = W, .at = 30, .line = 3, .sm = 1, .sectors = 6},
                                {.kind = W, .at = 40, .line = 3, .sm = 0, .sectors = 8},
                                {.kind = W, .at = 50, .line = 3, .sm = 0, .sectors = 4}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 0, 2);
    ck_assert_uint_eq(unit_count(rig->monitor, "conflicting_lines"), 1);
    ck_assert_uint_eq(unit_count(rig->monitor, "partial_conflicts"), 0);
    ck_assert_uint_eq(ranking(rig, "most_conflicting")->row[0].count, 2);
}
END_TEST

/* Each writes a part of the sector: perhaps not the same. A whole sector overlaps any part. */
START_TEST(conflicts_of_parts_of_sectors_are_counted_apart)
{
    static const Told told[] = {
        {.kind = W, .at = 10, .line = 3, .sm = 0, .sectors = 1, .partial = 1},
        {.kind = W, .at = 20, .line = 3, .sm = 1, .sectors = 1, .partial = 1},
        {.kind = W, .at = 30, .line = 3, .sm = 0, .sectors = 1, .partial = 0},
        {.kind = W, .at = 40, .line = 3, .sm = 1, .sectors = 1, .partial = 1}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 0, 3);
    ck_assert_uint_eq(unit_count(rig->monitor, "partial_conflicts"), 1);
}
END_TEST

START_TEST(atomics_conflict_with_stores_and_not_with_each_other)
{
    static const Told told[] = {{.kind = A, .at = 10, .line = 3, .sm = 0, .sectors = 1},
                                {.kind = A, .at = 20, .line = 3, .sm = 1, .sectors = 1},
                                {.kind = W, .at = 30, .line = 3, .sm = 0, .sectors = 1},
                                {.kind = A, .at = 40, .line = 3, .sm = 1, .sectors = 1}};
    g_autoptr(Rig) rig = rig_new();
    RUN(rig, told);
    expect_counts(rig, 0, 2);
}
END_TEST

/* The second kernel starts at 20; what is written at 19 is heard of at 24, and belongs to the
 * first. */
START_TEST(writes_of_two_kernels_do_not_conflict)
{
    static const KernelStart starts[] = {{.at = 20}};
    static const Told told[] = {{.kind = W, .at = 10, .line = 3, .sm = 0, .sectors = 1},
                                {.kind = W, .at = 19, .line = 3, .sm = 1, .sectors = 1},
                                {.kind = W, .at = 21, .line = 3, .sm = 0, .sectors = 1},
                                {.kind = W, .at = 30, .line = 3, .sm = 1, .sectors = 1}};
    g_autoptr(Rig) rig = rig_new();
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, told);
    expect_counts(rig, 0, 2);
}
END_TEST

/* What the second of three kernels writes at 59 is heard of when the third has started. */
START_TEST(a_late_report_belongs_to_the_kernel_before_and_to_no_earlier_one)
{
    static const KernelStart starts[] = {{.at = 20}, {.at = 60}};
    static const Told told[] = {{.kind = W, .at = 10, .line = 3, .sm = 0, .sectors = 1},
                                {.kind = W, .at = 59, .line = 3, .sm = 1, .sectors = 1}};
    g_autoptr(Rig) rig = rig_new();
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, told);
    expect_counts(rig, 0, 0);
}
END_TEST

START_TEST(a_stale_copy_of_an_earlier_kernel_is_still_stale)
{
    static const KernelStart starts[] = {{.at = 25}};
    static const Told told[] = {
        {.kind = W, .at = 20, .line = 3, .sm = 1, .sectors = 1},
        {.kind = H, .at = 30, .line = 3, .sm = 0, .sectors = 1, .read_at = 10}};
    g_autoptr(Rig) rig = rig_new();
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, told);
    expect_counts(rig, 1, 0);
}
END_TEST

/* Only the measured kernel counts, but what was written before it is known. */
START_TEST(lines_are_counted_anew_in_the_region_of_interest)
{
    static const KernelStart starts[] = {{.at = 50, .launch = {.measured = true}}};
    static const Told told[] = {
        {.kind = W, .at = 10, .line = 3, .sm = 0, .sectors = 1},
        {.kind = W, .at = 20, .line = 3, .sm = 1, .sectors = 1},
        {.kind = W, .at = 30, .line = 3, .sm = 0, .sectors = 1},
        {.kind = H, .at = 60, .line = 3, .sm = 1, .sectors = 1, .read_at = 25},
        {.kind = W, .at = 70, .line = 3, .sm = 1, .sectors = 1},
        {.kind = W, .at = 80, .line = 3, .sm = 0, .sectors = 1}};
    g_autoptr(Rig) rig = rig_new();
    rig->starts = starts;
    rig->start_count = G_N_ELEMENTS(starts);
    RUN(rig, told);
    expect_counts(rig, 1, 1);
    ck_assert_uint_eq(unit_count(rig->monitor, "conflicting_lines"), 1);
    ck_assert_uint_eq(ranking(rig, "most_conflicting")->row[0].count, 1);
}
END_TEST

HARNESS_MAIN("coherence_monitor", a_hit_on_what_another_SM_has_written_since_is_stale,
             other_hits_are_not, own_stores_past_a_cache_make_its_copy_stale,
             own_stores_make_copies_behind_L1_stale, what_an_L1_keeps_is_in_no_other_copy,
             what_is_kept_anew_is_not_at_L2, an_atomic_makes_copies_stale_too,
             writes_of_two_SMs_to_a_sector_conflict,
             conflicts_of_parts_of_sectors_are_counted_apart,
             atomics_conflict_with_stores_and_not_with_each_other,
             writes_of_two_kernels_do_not_conflict,
             a_late_report_belongs_to_the_kernel_before_and_to_no_earlier_one,
             a_stale_copy_of_an_earlier_kernel_is_still_stale,
             lines_are_counted_anew_in_the_region_of_interest)
