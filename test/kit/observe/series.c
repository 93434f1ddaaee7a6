/* Statistics over time: the intervals of one unit, and what a simulation makes of them. */
#include <string.h>

#include "rigs/toy_unit.h"

/* --- a series by itself --- */

typedef struct {
    uint64_t plain, counted;
    Level level;
} Example;

static const Stat example_stats[] = {
    STAT_NUMBER(Example, plain, STAT_COUNT, NULL, "is not collected over time"),
    STAT_NUMBER_OVER_TIME(Example, counted, STAT_COUNT, NULL, "counted"),
    STAT_OCCUPANCY_OVER_TIME(Example, level, NULL, "occupied"), STAT_END};

static const MeterList no_meters;

enum { COUNTED, LEVEL, ROWS };

/* Times in these tests are parts of the first interval. */
enum { PARTS = 8 };
#define PART (SERIES_FIRST_INTERVAL / PARTS)

typedef struct {
    Example unit;
    Series *series;
    Time due;
} Rig;

static Rig rig_new(Time start)
{
    Rig rig = {.series = series_new(example_stats, &no_meters)};
    stats_reset(example_stats, &rig.unit, start);
    rig.due = series_restart(rig.series, start);
    return rig;
}

/* A step, as a tile does it. */
static void step(Rig *rig, Time now, uint64_t count, uint64_t level)
{
    if (now >= rig->due) rig->due = series_close(rig->series, &rig->unit, now);
    rig->unit.counted += count;
    level_set(&rig->unit.level, now, level);
}

static const SeriesIntervals *keep(Rig *rig, Time end)
{
    step(rig, end, 0, rig->unit.level.now);
    series_keep(rig->series, &rig->unit, end);
    return &rig->series->kept;
}

static uint64_t sum_of(const SeriesIntervals *kept, uint32_t row)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < kept->count; i++) sum += series_value(kept, row, i);
    return sum;
}

START_TEST(only_marked_rows_are_collected)
{
    static const Stat plain[] = {STAT_NUMBER(Example, plain, STAT_COUNT, NULL, "plain"), STAT_END};
    Series *series = series_new(example_stats, &no_meters);
    ck_assert_uint_eq(series->open.rows, ROWS);
    ck_assert_ptr_null(series_new(plain, &no_meters));
    series_free(series);
}
END_TEST

/* An interval is 8 parts. Steps: 3 at part 7, 5 at part 8 (the next interval), none in the third,
 * 7 at part 25, 2 at part 33; the end is at part 36, half an interval later. */
START_TEST(a_count_belongs_to_the_interval_of_its_step)
{
    static const uint64_t expected[] = {3, 5, 0, 7, 2};
    Rig rig = rig_new(40 * PART);
    step(&rig, 47 * PART, 3, 0);
    step(&rig, 48 * PART, 5, 0);
    step(&rig, 65 * PART, 7, 0);
    step(&rig, 73 * PART, 2, 0);
    const SeriesIntervals *kept = keep(&rig, 76 * PART);
    ck_assert_uint_eq(kept->start, 40 * PART);
    ck_assert_uint_eq(rig.series->kept_until, 76 * PART);
    ck_assert_uint_eq(kept->interval, 8 * PART);
    ck_assert_uint_eq(kept->count, 5);
    for (uint32_t i = 0; i < 5; i++) ck_assert_uint_eq(series_value(kept, COUNTED, i), expected[i]);
    series_free(rig.series);
}
END_TEST

/* Level 1 from part 2 on, 3 from part 12, 0 from part 38, and no step between 12 and 38:
 *     0 ... 8    6 x 1
 *     8 ... 16   4 x 1 + 4 x 3
 *    16 ... 24   8 x 3
 *    24 ... 32   8 x 3
 *    32 ... 40   6 x 3, 2 x 0 */
START_TEST(a_level_is_integrated_to_the_exact_end_of_each_interval)
{
    static const uint64_t expected[] = {6, 16, 24, 24, 18};
    Rig rig = rig_new(0);
    step(&rig, 2 * PART, 0, 1);
    step(&rig, 12 * PART, 0, 3);
    step(&rig, 38 * PART, 0, 0);
    const SeriesIntervals *kept = keep(&rig, 40 * PART);
    ck_assert_uint_eq(kept->count, 5);
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(series_value(kept, LEVEL, i), expected[i] * PART);
    series_free(rig.series);
}
END_TEST

/* A level that the region of interest begins with, in a unit that is never stepped. */
START_TEST(a_level_that_does_not_change_fills_every_interval)
{
    Rig rig = rig_new(0);
    step(&rig, 0, 0, 2);
    const SeriesIntervals *kept = keep(&rig, 20 * PART);
    ck_assert_uint_eq(kept->count, 3);
    ck_assert_uint_eq(series_value(kept, LEVEL, 0), 16 * PART);
    ck_assert_uint_eq(series_value(kept, LEVEL, 1), 16 * PART);
    ck_assert_uint_eq(series_value(kept, LEVEL, 2), 8 * PART);
    series_free(rig.series);
}
END_TEST

/* One step an interval, that counts 1, 2, 3 ...: neighbours 2k + 1 and 2k + 2 make 4k + 3. */
START_TEST(when_intervals_are_full_neighbours_are_merged)
{
    Rig rig = rig_new(0);
    for (uint64_t i = 0; i < SERIES_INTERVALS; i++)
        step(&rig, i * SERIES_FIRST_INTERVAL + PART, i + 1, 0);
    const Time full = SERIES_INTERVALS * SERIES_FIRST_INTERVAL;
    const SeriesIntervals *kept = keep(&rig, full);
    ck_assert_uint_eq(kept->interval, SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(kept->count, SERIES_INTERVALS);
    kept = keep(&rig, full + 1); /* one femtosecond more does not fit */
    ck_assert_uint_eq(kept->interval, 2 * SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(kept->count, SERIES_INTERVALS / 2 + 1);
    for (uint32_t k = 0; k < SERIES_INTERVALS / 2; k++)
        ck_assert_uint_eq(series_value(kept, COUNTED, k), 4 * k + 3);
    ck_assert_uint_eq(series_value(kept, COUNTED, SERIES_INTERVALS / 2), 0);
    series_free(rig.series);
}
END_TEST

/* As many intervals as the region needs, the shortest that are at most 128. */
static void assert_intervals(const SeriesIntervals *kept, Time span)
{
    Time interval = SERIES_FIRST_INTERVAL;
    while (interval * SERIES_INTERVALS < span) interval *= 2;
    ck_assert_uint_eq(kept->interval, interval);
    ck_assert_uint_eq(kept->count, (span + interval - 1) / interval);
}

/* Steps at random times, of a busy and of an idle unit. */
static void run_random(uint64_t seed, Time pause, Time span)
{
    Rig rig = rig_new(12345);
    uint64_t state = seed;
    for (Time now = 12345; now <= 12345 + span; now += 1 + (state >> 20) % pause) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        step(&rig, now, state >> 60, (state >> 50) % 8);
    }
    const SeriesIntervals *kept = keep(&rig, 12345 + span);
    assert_intervals(kept, span);
    ck_assert_uint_eq(sum_of(kept, COUNTED), rig.unit.counted);
    ck_assert_uint_eq(sum_of(kept, LEVEL), rig.unit.level.integral);
    series_free(rig.series);
}

/* 128 first intervals are 2.048 us. */
START_TEST(the_intervals_follow_from_the_length_and_sum_to_the_statistics)
{
    static const Time spans[] = {1,
                                 SERIES_FIRST_INTERVAL,
                                 SERIES_FIRST_INTERVAL + 1,
                                 1000 * TIME_NS,
                                 2048 * TIME_NS - 1,
                                 2048 * TIME_NS,
                                 2048 * TIME_NS + 1,
                                 2063 * TIME_NS,
                                 2064 * TIME_NS,
                                 4096 * TIME_NS + 7,
                                 1000000 * TIME_NS};
    for (guint i = 0; i < G_N_ELEMENTS(spans); i++)
        for (Time pause = 400 * TIME_NS; pause <= 40000000 * TIME_NS; pause *= 100)
            for (uint64_t seed = 1; seed <= 5; seed++) run_random(seed, pause, spans[i]);
}
END_TEST

/* At the very end of a run steps may have been made at its last time. */
START_TEST(what_happened_at_the_end_itself_is_in_the_last_interval)
{
    Rig rig = rig_new(0);
    step(&rig, PART, 1, 0);
    step(&rig, 2 * SERIES_FIRST_INTERVAL, 4, 0);
    const SeriesIntervals *kept = keep(&rig, 2 * SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(kept->count, 2);
    ck_assert_uint_eq(series_value(kept, COUNTED, 0), 1);
    ck_assert_uint_eq(series_value(kept, COUNTED, 1), 4);
    series_free(rig.series);
}
END_TEST

START_TEST(what_is_kept_does_not_change_and_collecting_goes_on)
{
    Rig rig = rig_new(0);
    step(&rig, PART, 1, 0);
    const SeriesIntervals *kept = keep(&rig, 4 * PART);
    step(&rig, 5 * PART, 2, 0);
    step(&rig, 1000 * SERIES_FIRST_INTERVAL, 8, 0);
    ck_assert_uint_eq(kept->count, 1);
    ck_assert_uint_eq(kept->interval, SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(series_value(kept, COUNTED, 0), 1);
    kept = keep(&rig, 1001 * SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(kept->interval, 8 * SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(kept->count, 126);                    /* 1001 / 8 */
    ck_assert_uint_eq(series_value(kept, COUNTED, 0), 3);   /* 1 + 2 */
    ck_assert_uint_eq(series_value(kept, COUNTED, 125), 8); /* 1000 / 8 */
    series_free(rig.series);
}
END_TEST

START_TEST(a_restart_forgets_what_was_before)
{
    Rig rig = rig_new(0);
    step(&rig, PART, 100, 5);
    step(&rig, 300 * SERIES_FIRST_INTERVAL, 100, 2);
    const Time start = 300 * SERIES_FIRST_INTERVAL + 3;
    stats_reset(example_stats, &rig.unit, start);
    rig.due = series_restart(rig.series, start);
    ck_assert_uint_eq(rig.due, start + SERIES_FIRST_INTERVAL);
    step(&rig, start + PART, 1, 0);
    const SeriesIntervals *kept = keep(&rig, start + 2 * SERIES_FIRST_INTERVAL);
    ck_assert_uint_eq(kept->count, 2);
    ck_assert_uint_eq(series_value(kept, COUNTED, 0), 1);
    ck_assert_uint_eq(series_value(kept, LEVEL, 0), 2 * PART); /* the level was kept */
    ck_assert_uint_eq(series_value(kept, COUNTED, 1) + series_value(kept, LEVEL, 1), 0);
    series_free(rig.series);
}
END_TEST

START_TEST(a_unit_in_which_nothing_moves_takes_no_memory)
{
    Rig rig = rig_new(0);
    for (Time now = 0; now < 100000 * TIME_NS; now += 700 * TIME_NS) step(&rig, now, 0, 0);
    const SeriesIntervals *kept = keep(&rig, 100000 * TIME_NS);
    ck_assert_ptr_null(kept->value);
    ck_assert_ptr_null(rig.series->open.value);
    assert_intervals(kept, 100000 * TIME_NS);
    ck_assert_uint_eq(series_value(kept, COUNTED, 0), 0);
    series_free(rig.series);
}
END_TEST

/* --- in a simulation --- */

static const Launch measured = {.measured = true}, warm_up = {.measured = false};

enum { DELAY = 10, WARM_UP = 20, BEGIN = 100, END = 160, LAST = 200 };

static void announce(Toy *toy, Time now)
{
    const Time cycle = toy->unit.clock->period;
    const Boundary boundaries[] = {
        {.at = WARM_UP * cycle, .kind = BOUNDARY_KERNEL_START, .launch = &warm_up},
        {.at = BEGIN * cycle, .kind = BOUNDARY_KERNEL_END, .launch = &warm_up},
        {.at = BEGIN * cycle, .kind = BOUNDARY_KERNEL_START, .launch = &measured},
        {.at = END * cycle, .kind = BOUNDARY_KERNEL_END, .launch = &measured}};
    ck_assert_uint_le(toy_cycle(toy, now) + DELAY, WARM_UP);
    for (guint i = 0; i < G_N_ELEMENTS(boundaries); i++) unit_announce(&toy->unit, &boundaries[i]);
}

static void count_each_cycle(Toy *toy, Time now)
{
    toy->note++;
    level_set(&toy->level, now, toy_cycle(toy, now) % 2);
    if (toy_cycle(toy, now) < LAST) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

static void enter_once(Toy *toy, Time now)
{
    level_set(&toy->level, now, 3);
}

/* Counts at boundaries, between which it sleeps. */
static void count_crossing(Toy *toy, const Boundary *boundary)
{
    toy->note += 10;
    level_set(&toy->level, boundary->at, toy->level.now + 1);
}

typedef struct {
    Harness *harness;
    Toy *announcer, *busy, *sleeper;
} Kernels;

static Kernels run_kernels(uint32_t tiles, bool profile)
{
    Kernels run = {.harness = harness_new()};
    run.announcer = toy_new(run.harness, "announcer", 0, 0);
    run.busy = toy_new(run.harness, "busy", 0, 0);
    run.sleeper = toy_new(run.harness, "sleeper", 0, 0);
    run.announcer->first = 1;
    run.announcer->act = announce;
    run.busy->first = 1;
    run.busy->act = count_each_cycle;
    run.sleeper->first = 5;
    run.sleeper->act = enter_once;
    run.sleeper->cross = count_crossing;
    simulation_set_boundary_delay(run.harness->simulation, DELAY * TIME_NS);
    simulation_set_profile(run.harness->simulation, profile);
    const uint32_t tile_of[] = {0, 1 % tiles, 2 % tiles};
    const RunPlan plan = {.tile_of = tile_of, .tiles = tiles};
    g_autoptr(GError) error = toy_run_on_tiles(run.harness, &plan);
    ck_assert_ptr_null(error);
    return run;
}

/* 60 ns from 100 ns on are three intervals of 16 ns and one of 12; one count a nanosecond. */
START_TEST(a_series_covers_the_region_of_interest_and_no_warm_up)
{
    static const uint64_t counted[] = {16, 16, 16, 12}, level[] = {8, 8, 8, 6};
    Kernels run = run_kernels((uint32_t)_i, true);
    const Series *series = unit_series(&run.busy->unit);
    ck_assert_uint_eq(series->kept.start, BEGIN * TIME_NS);
    ck_assert_uint_eq(series->kept_until, END * TIME_NS);
    ck_assert_uint_eq(series->kept.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(series_value(&series->kept, COUNTED, i), counted[i]);
        ck_assert_uint_eq(series_value(&series->kept, LEVEL, i), level[i] * TIME_NS);
    }
    harness_free(run.harness);
}
END_TEST

/* Its level is 3 from 5 ns on and rises by one at 20, 100, 100 and 160 ns; what the boundary at 100
 * ns does counts from there: 10 at the first measured start, and a level of 6. */
START_TEST(a_sleeping_unit_has_the_same_intervals)
{
    Kernels run = run_kernels((uint32_t)_i, true);
    const Series *series = unit_series(&run.sleeper->unit);
    static const uint64_t length[] = {16, 16, 16, 12};
    ck_assert_uint_eq(run.sleeper->steps->len, 1); /* nothing was woken for it */
    ck_assert_uint_eq(series->kept.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t at_boundaries = i == 0 || i == 3 ? 10 : 0;
        ck_assert_uint_eq(series_value(&series->kept, COUNTED, i), at_boundaries);
        ck_assert_uint_eq(series_value(&series->kept, LEVEL, i), 6 * length[i] * TIME_NS);
    }
    harness_free(run.harness);
}
END_TEST

START_TEST(without_profile_nothing_is_collected)
{
    Kernels run = run_kernels(1, false);
    ck_assert_ptr_null(unit_series(&run.busy->unit));
    harness_free(run.harness);
}
END_TEST

/* --- without a measured launch --- */

static Simulation *interrupted;

static void count_and_interrupt(Toy *toy, Time now)
{
    count_each_cycle(toy, now);
    if (toy_cycle(toy, now) == 50) simulation_interrupt(interrupted);
}

/* Windows of 20 ns: the run stops at 60 ns, before the step of that time; the last was at 59. Its
 * series is of all that was simulated: 15, 16, 16 and 12 counts from 1 ns on. The level of a unit
 * that sleeps is 3 from 5 ns on, for 11, 16, 16 and 11 ns. */
START_TEST(an_interrupted_run_has_the_series_of_what_was_simulated)
{
    static const uint64_t counted[] = {15, 16, 16, 12}, level[] = {33, 48, 48, 33};
    Harness *harness = harness_new();
    Toy *toy = toy_new(harness, "toy", 0, 0), *sleeper = toy_new(harness, "sleeper", 0, 0);
    sleeper->first = 5;
    sleeper->act = enter_once;
    toy->first = 1;
    toy->act = count_and_interrupt;
    interrupted = harness->simulation;
    simulation_set_profile(harness->simulation, true);
    const RunPlan plan = {.tile_of = (const uint32_t[]){0, 0}, .tiles = 1, .quantum = 20 * TIME_NS};
    g_autoptr(GError) error = toy_run_on_tiles(harness, &plan);
    const Series *series = unit_series(&toy->unit);
    ck_assert_int_eq(harness->report.outcome, RUN_INTERRUPTED);
    ck_assert_uint_eq(series->kept.start, 0);
    ck_assert_uint_eq(series->kept_until, 59 * TIME_NS);
    ck_assert_uint_eq(series->kept.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(series_value(&series->kept, COUNTED, i), counted[i]);
        ck_assert_uint_eq(series_value(&unit_series(&sleeper->unit)->kept, LEVEL, i),
                          level[i] * TIME_NS);
    }
    ck_assert_uint_eq(sum_of(&series->kept, LEVEL), toy->level.integral);
    harness_free(harness);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {only_marked_rows_are_collected,
                                  a_count_belongs_to_the_interval_of_its_step,
                                  a_level_is_integrated_to_the_exact_end_of_each_interval,
                                  a_level_that_does_not_change_fills_every_interval,
                                  when_intervals_are_full_neighbours_are_merged,
                                  the_intervals_follow_from_the_length_and_sum_to_the_statistics,
                                  what_happened_at_the_end_itself_is_in_the_last_interval,
                                  what_is_kept_does_not_change_and_collecting_goes_on,
                                  a_restart_forgets_what_was_before,
                                  a_unit_in_which_nothing_moves_takes_no_memory,
                                  without_profile_nothing_is_collected,
                                  an_interrupted_run_has_the_series_of_what_was_simulated};
    TCase *cases = tcase_create("series");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, a_series_covers_the_region_of_interest_and_no_warm_up, 1, 4);
    tcase_add_loop_test(cases, a_sleeping_unit_has_the_same_intervals, 1, 4);
    return harness_run_cases("series", cases);
}
