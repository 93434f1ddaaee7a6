/* Statistics over time: the intervals of one unit, by themselves. */

#include "rigs/toy_unit.h"

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

static const SeriesKept *keep(Rig *rig, Time end)
{
    step(rig, end, 0, rig->unit.level.now);
    series_keep(rig->series, &rig->unit, end, false);
    return &rig->series->kept;
}

static uint64_t sum_of(const SeriesKept *kept, uint32_t row)
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

static double one_pj(const struct Unit *unit, const struct EnergyFigures *figures)
{
    (void)unit, (void)figures;
    return 1;
}

static const StatEnergy energy[] = {IN_NO_STAGE(one_pj), {.of = NULL}};

/* Behind what is told of over time; what comes by the clock is not looked at. */
START_TEST(what_takes_energy_is_collected_too)
{
    static const Stat stats[] = {
        STAT_NUMBER(Example, plain, STAT_COUNT, NULL, "takes energy", .energy = energy),
        STAT_NUMBER_OVER_TIME(Example, counted, STAT_COUNT, NULL, "counted", .energy = energy),
        STAT_NUMBER(Example, plain, STAT_COUNT, NULL, "steady", .energy = energy, .steady = true),
        STAT_OCCUPANCY_OVER_TIME(Example, level, NULL, "occupied"), STAT_END};
    Example unit = {.plain = 0};
    Series *series = series_new(stats, &no_meters);
    ck_assert_uint_eq(series->open.rows, 3);
    ck_assert_uint_eq(series_row(stats, &stats[1]), 0);
    ck_assert_uint_eq(series_row(stats, &stats[3]), 1);
    ck_assert_uint_eq(series_row(stats, &stats[0]), 2);
    series_restart(series, 0);
    unit.plain = 5;
    series_keep(series, &unit, PART, true);
    ck_assert_uint_eq(series_value(&series->kept, 2, 0), 5);
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
    const SeriesKept *kept = keep(&rig, 76 * PART);
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
    const SeriesKept *kept = keep(&rig, 40 * PART);
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
    const SeriesKept *kept = keep(&rig, 20 * PART);
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
    const SeriesKept *kept = keep(&rig, full);
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
static void assert_intervals(const SeriesKept *kept, Time span)
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
    const SeriesKept *kept = keep(&rig, 12345 + span);
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
    const SeriesKept *kept = keep(&rig, 2 * SERIES_FIRST_INTERVAL);
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
    const SeriesKept *kept = keep(&rig, 4 * PART);
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

START_TEST(the_last_time_what_is_kept_takes_no_memory_of_its_own)
{
    Rig rig = rig_new(3 * PART);
    step(&rig, 4 * PART, 2, 1);
    step(&rig, 300 * SERIES_FIRST_INTERVAL, 5, 0);
    series_keep(rig.series, &rig.unit, 300 * SERIES_FIRST_INTERVAL, false);
    const SeriesKept copy = rig.series->kept;
    uint64_t counted[SERIES_INTERVALS], level[SERIES_INTERVALS];
    for (uint32_t i = 0; i < copy.count; i++) {
        counted[i] = series_value(&copy, COUNTED, i);
        level[i] = series_value(&copy, LEVEL, i);
    }
    const SeriesLine *lines = rig.series->open.lines;
    series_keep(rig.series, &rig.unit, 300 * SERIES_FIRST_INTERVAL, true);
    const SeriesKept *kept = &rig.series->kept;
    ck_assert_ptr_eq(kept->value, lines);
    ck_assert_ptr_null(rig.series->open.lines);
    ck_assert_uint_eq(kept->count, copy.count);
    ck_assert_uint_eq(kept->interval, 4 * SERIES_FIRST_INTERVAL);
    for (uint32_t i = 0; i < kept->count; i++) {
        ck_assert_uint_eq(series_value(kept, COUNTED, i), counted[i]);
        ck_assert_uint_eq(series_value(kept, LEVEL, i), level[i]);
    }
    ck_assert_uint_eq(series_since(rig.series), 0);
    series_free(rig.series);
}
END_TEST

/* Intervals of 8 parts. At part 29 it is known that 15 counts came from part 12 to 27, at part 30
 * that 4 came from 25 on: 4, 8 and 3, then 4 in the open one. */
START_TEST(what_is_known_only_when_it_is_over_is_in_the_intervals_that_it_came_in)
{
    static const uint64_t expected[] = {1, 4, 8, 7, 2};
    Rig rig = rig_new(0);
    step(&rig, 1 * PART, 1, 0);
    step(&rig, 29 * PART, 0, 0);
    ck_assert_uint_eq(series_since(rig.series), 24 * PART);
    rig.unit.counted += 15 * PART;
    series_add_before(rig.series, COUNTED, 12 * PART, 27 * PART);
    rig.unit.counted += 4 * PART; /* which needs not be told: all came in the open interval */
    step(&rig, 33 * PART, 2, 0);
    const SeriesKept *kept = keep(&rig, 36 * PART);
    ck_assert_uint_eq(kept->count, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const uint64_t unit = i == 0 || i == 4 ? 1 : PART;
        ck_assert_uint_eq(series_value(kept, COUNTED, i), expected[i] * unit);
    }
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
    const SeriesKept *kept = keep(&rig, start + 2 * SERIES_FIRST_INTERVAL);
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
    const SeriesKept *kept = keep(&rig, 100000 * TIME_NS);
    ck_assert_ptr_null(kept->value);
    ck_assert_ptr_null(rig.series->open.lines);
    assert_intervals(kept, 100000 * TIME_NS);
    ck_assert_uint_eq(series_value(kept, COUNTED, 0), 0);
    series_free(rig.series);
}
END_TEST

/* A place of a channel: it is taken from 0 on, and its credit comes later. As a channel it knows
 * the credit from when it is asked about that time. */
typedef struct {
    Time credit;
    bool known;
} ToyChannel;

static ResourceCount read_toy_channel(void *field, Time at)
{
    ToyChannel *channel = field;
    channel->known |= at >= channel->credit;
    return (ResourceCount){.work = channel->known ? channel->credit : at,
                           .inside = !channel->known};
}

/* Resources are read at each fourth end: the credit comes in the middle of the seventh interval. */
START_TEST(a_channels_credit_is_known_in_no_interval_before_its_own)
{
    ToyChannel channel = {.credit = 52 * PART};
    Meter meter = {.name = "channel", .capacity = 1, .read = read_toy_channel, .field = &channel};
    const MeterList meters = {.at = &meter, .count = 1};
    Example unit = {.plain = 0};
    Series *series = series_new(example_stats, &meters);
    series_restart(series, 0);
    series_close(series, &unit, 96 * PART);
    series_keep(series, &unit, 96 * PART, true);
    ck_assert_uint_eq(series->kept.count, 12);
    for (uint32_t i = 0; i < 12; i++)
        ck_assert_uint_eq(series_value(&series->kept, SERIES_SIDE, i), i < 4   ? 8 * PART
                                                                       : i < 8 ? 5 * PART
                                                                               : 0);
    series_free(series);
}
END_TEST

HARNESS_MAIN("series", only_marked_rows_are_collected, what_takes_energy_is_collected_too,
             a_count_belongs_to_the_interval_of_its_step,
             a_level_is_integrated_to_the_exact_end_of_each_interval,
             a_level_that_does_not_change_fills_every_interval,
             when_intervals_are_full_neighbours_are_merged,
             the_intervals_follow_from_the_length_and_sum_to_the_statistics,
             what_happened_at_the_end_itself_is_in_the_last_interval,
             what_is_kept_does_not_change_and_collecting_goes_on,
             the_last_time_what_is_kept_takes_no_memory_of_its_own,
             what_is_known_only_when_it_is_over_is_in_the_intervals_that_it_came_in,
             a_restart_forgets_what_was_before, a_unit_in_which_nothing_moves_takes_no_memory,
             a_channels_credit_is_known_in_no_interval_before_its_own)
