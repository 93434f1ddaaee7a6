#include "kit/observe/cut.h"

#include <check.h>

#include "rigs/harness.h"

enum { METERS = 70, BANKS = 3 };

typedef struct {
    uint64_t requests;
    Level waiting;
    Histogram latency;
    BankCounts conflicts;
} Example;

static const Stat rows[] = {
    STAT_NUMBER(Example, requests, STAT_COUNT, NULL, "requests", .at_rest = true),
    STAT_OCCUPANCY(Example, waiting, NULL, "waiting"),
    STAT_DISTRIBUTION(Example, latency, NULL, "latency"),
    STAT_PER_BANK(Example, conflicts, "conflicts"),
    STAT_END,
};

static PhaseLayout layout_new(void)
{
    PhaseLayout layout;
    phase_layout_init(&layout);
    const PhaseGroup group = {.stats = rows, .size = sizeof(Example)};
    phase_layout_add(&layout, &group, METERS);
    return layout;
}

static void count_something(PhaseSums *sums)
{
    Example counted = {.requests = 5, .conflicts = {.banks = BANKS, .bank = {1, 2, 3}}};
    const MeterList none = {.count = 0};
    Cut cut = {.place = {.group = 0}};
    histogram_add(&counted.latency, 100);
    level_enter(&counted.waiting, 2);
    cut_take_any(&cut, &(CutUnit){.unit = &counted, .size = sizeof counted, .meters = &none}, sums,
                 9);
    cut_finish(&cut);
    ck_assert(sums->group[0].integral[0] == 7);
    for (uint32_t i = 0; i < METERS; i += 3)
        phase_sums_add_meter(sums, i, &(MeterSum){i + 1, 2, 3});
    sums->length = 11;
}

static void expect_as_new(const PhaseSums *sums, const PhaseLayout *layout)
{
    PhaseSums *fresh = phase_sums_new(layout);
    ck_assert_mem_eq(sums->group[0].statistics, fresh->group[0].statistics, sizeof(Example));
    ck_assert_mem_eq(sums->group[0].integral, fresh->group[0].integral, sizeof(LevelTime));
    ck_assert_mem_eq(sums->meter, fresh->meter, METERS * sizeof(MeterSum));
    ck_assert_uint_eq(sums->length, 0);
    phase_sums_free(fresh);
}

/* Which phase gets them depends on which are open at once, and that on the deployment. */
START_TEST(sums_that_are_used_again_are_as_new)
{
    PhaseLayout layout = layout_new();
    PhaseSums *sums = phase_sums_new(&layout);
    expect_as_new(sums, &layout);
    for (unsigned time = 0; time < 2; time++) {
        count_something(sums);
        phase_sums_clear(sums);
        expect_as_new(sums, &layout);
    }
    phase_sums_free(sums);
    phase_layout_finish(&layout);
}
END_TEST

/* Meters lie in words of 64. */
START_TEST(sums_are_merged_meter_by_meter)
{
    PhaseLayout layout = layout_new();
    PhaseSums *all = phase_sums_new(&layout), *sums = phase_sums_new(&layout);
    count_something(sums);
    phase_sums_merge(all, sums);
    phase_sums_merge(all, sums);
    for (uint32_t i = 0; i < METERS; i++)
        ck_assert_uint_eq(all->meter[i].work, i % 3 ? 0 : 2 * (i + 1));
    const Example *merged = all->group[0].statistics;
    ck_assert_uint_eq(merged->requests, 10);
    ck_assert_uint_eq(merged->waiting.arrivals, 2);
    ck_assert(all->group[0].integral[0] == 14);
    ck_assert_uint_eq(merged->conflicts.banks, BANKS);
    ck_assert_uint_eq(merged->conflicts.bank[2], 6);
    phase_sums_free(all);
    phase_sums_free(sums);
    phase_layout_finish(&layout);
}
END_TEST

static uint64_t requests(const PhaseSums *sums)
{
    return ((const Example *)sums->group[0].statistics)->requests;
}

static uint64_t latencies(const PhaseSums *sums)
{
    return ((const Example *)sums->group[0].statistics)->latency.count;
}

/* What it has counted besides is left to a time at which it is read whole, and then nothing is
 * counted twice. */
START_TEST(of_a_unit_that_rests_only_what_it_counts_at_rest_is_read)
{
    PhaseLayout layout = layout_new();
    PhaseSums *sums = phase_sums_new(&layout);
    AtRestSums *at_rest = at_rest_sums_new(&layout);
    Example counted = {.requests = 5};
    const MeterList none = {.count = 0};
    CutUnit unit = {&counted, sizeof counted, &none, 1};
    Cut cut = {.place = {.group = 0}};
    cut_take_any(&cut, &unit, sums, 9);
    counted.requests += 2;
    histogram_add(&counted.latency, 100);
    cut_pass(&cut, ++unit.events);
    ck_assert(cut_counts_at_rest(&cut, unit.events));
    cut_take_at_rest(&cut, &counted, at_rest);
    ck_assert_uint_eq(requests(sums), 5);
    phase_sums_add_at_rest(sums, at_rest);
    phase_sums_add_at_rest(sums, at_rest);
    ck_assert_uint_eq(requests(sums), 7);
    ck_assert_uint_eq(latencies(sums), 0);
    unit.events++;
    counted.requests++;
    cut_pass(&cut, ++unit.events);
    ck_assert(!cut_counts_at_rest(&cut, unit.events));
    cut_take_any(&cut, &unit, sums, 11);
    ck_assert_uint_eq(latencies(sums), 1);
    ck_assert_uint_eq(requests(sums), 8);
    cut_finish(&cut);
    g_free(at_rest);
    phase_sums_free(sums);
    phase_layout_finish(&layout);
}
END_TEST

typedef struct {
    Server port;
    Level queue;
} Metered;

static const Stat no_rows[] = {STAT_END};
static const ResourceRow port_row = RESOURCE_ONE_SERVER(Metered, port, "port");
static const ResourceRow queue_row = RESOURCE_ONE_PLACE(Metered, queue, "queue");

static void expect_meter(const PhaseSums *sums, uint32_t number, const MeterSum *expected)
{
    ck_assert_uint_eq(sums->meter[number].work, expected->work);
    ck_assert_uint_eq(sums->meter[number].full, expected->full);
    ck_assert_uint_eq(sums->meter[number].refused, expected->refused);
}

/* The port works from 2 to 8, one is in the queue from 3 to 7: at 5 and at 10 the phase ends. */
START_TEST(of_a_meter_a_phase_has_what_it_did_in_it)
{
    PhaseLayout layout;
    phase_layout_init(&layout);
    phase_layout_add(&layout, &(PhaseGroup){.stats = no_rows, .size = sizeof(Metered)}, 2);
    PhaseSums *sums = phase_sums_new(&layout);
    Metered metered = {.queue = {0}};
    MeterList meters = {.count = 0};
    meter_list_add_resource(&meters, &port_row, NULL, &metered);
    meter_list_add_resource(&meters, &queue_row, NULL, &metered);
    CutUnit unit = {&metered, sizeof metered, &meters, 1};
    Cut cut = {.place = {.group = 0}};
    server_book(&metered.port, 2, 6);
    level_enter(&metered.queue, 3);
    cut_take_any(&cut, &unit, sums, 5);
    expect_meter(sums, 0, &(MeterSum){3, 3, 0});
    expect_meter(sums, 1, &(MeterSum){2, 2, 0});
    ck_assert(!cut.rests);
    level_leave(&metered.queue, 7, 3);
    unit.events++;
    cut_take_any(&cut, &unit, sums, 10);
    expect_meter(sums, 0, &(MeterSum){6, 6, 0});
    expect_meter(sums, 1, &(MeterSum){4, 4, 0});
    ck_assert(cut.rests);
    cut_finish(&cut);
    meter_list_finish(&meters);
    phase_sums_free(sums);
    phase_layout_finish(&layout);
}
END_TEST

HARNESS_MAIN("phase_sums", sums_that_are_used_again_are_as_new, sums_are_merged_meter_by_meter,
             of_a_unit_that_rests_only_what_it_counts_at_rest_is_read,
             of_a_meter_a_phase_has_what_it_did_in_it)
