/* Statistics over time: what a simulation makes of the intervals of its units. */
#include "rigs/toy_unit.h"

/* Of a toy unit, as the table has them. */
enum { COUNTED, LEVEL };

static uint64_t sum_of(const SeriesKept *kept, uint32_t row)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < kept->count; i++) sum += series_value(kept, row, i);
    return sum;
}

/* --- with a measured launch --- */

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
    simulation_set_profile(run.harness->simulation, profile ? COLLECT_ALL : COLLECT_SUMS);
    const Seat seat[] = {{.tile = 0}, {.tile = 1 % tiles}, {.tile = 2 % tiles}};
    const RunPlan plan = {.seat = seat, .tiles = tiles};
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

/* The sleeper is what it was at the region's end, also when the others go on. */
START_TEST(only_what_goes_on_behind_the_region_is_copied)
{
    Kernels run = run_kernels((uint32_t)_i, true);
    const Toy *busy = unit_measured(&run.busy->unit), *sleeper = unit_measured(&run.sleeper->unit);
    ck_assert_ptr_ne(busy, run.busy);
    ck_assert_uint_eq(busy->note, END - BEGIN);
    ck_assert_uint_gt(run.busy->note, busy->note);
    ck_assert_ptr_eq(sleeper, run.sleeper);
    ck_assert_uint_eq(sleeper->note, 2 * 10);
    ck_assert_uint_eq(sleeper->level.integral, 6 * (END - BEGIN) * TIME_NS);
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
    simulation_set_profile(harness->simulation, COLLECT_ALL);
    const RunPlan plan = {
        .seat = (const Seat[]){{.tile = 0}, {.tile = 0}}, .tiles = 1, .quantum = 20 * TIME_NS};
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
    TCase *cases = tcase_create("series in runs");
    tcase_add_test(cases, without_profile_nothing_is_collected);
    tcase_add_test(cases, an_interrupted_run_has_the_series_of_what_was_simulated);
    tcase_add_loop_test(cases, a_series_covers_the_region_of_interest_and_no_warm_up, 1, 4);
    tcase_add_loop_test(cases, a_sleeping_unit_has_the_same_intervals, 1, 4);
    tcase_add_loop_test(cases, only_what_goes_on_behind_the_region_is_copied, 1, 4);
    return harness_run_cases("series in runs", cases);
}
