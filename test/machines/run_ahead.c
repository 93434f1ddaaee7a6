/* The scenarios about the texture cache, run as by a user: what tags that run ahead of their data
 * buy, and at which size. */
#include "rigs/harness.h"
#include "rigs/shipped.h"

static double texture(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.texture.total.%s", name);
    return result_number(folder, variant, path);
}

/* GTX 780: 1006 MHz. */
static const double FS_PER_CYCLE = 1e9 / 1006;

/* Mean of a distribution of times, in cycles. */
static double mean_of(const char *folder, const char *variant, const char *name)
{
    g_autofree char *sum = g_strconcat(name, ".sum_fs", NULL);
    g_autofree char *count = g_strconcat(name, ".count", NULL);
    return texture(folder, variant, sum) / texture(folder, variant, count) / FS_PER_CYCLE;
}

/* Steps of quads a cycle. */
static double rate_of(const char *folder, const char *variant)
{
    return texture(folder, variant, "steps") / cycles_of(folder, variant);
}

static double miss_share(const char *folder, const char *variant)
{
    return texture(folder, variant, "misses") / texture(folder, variant, "lines");
}

/* How long a fragment with a miss is in the FIFO: from look-up to the filter's result, less the
 * filter's 70 cycles. */
static double round_trip(const char *folder, const char *variant)
{
    return mean_of(folder, variant, "miss_latency") - 70;
}

static void expect_within(double value, double expected, double share)
{
    ck_assert_double_ge(value, (1 - share) * expected);
    ck_assert_double_le(value, (1 + share) * expected);
}

/* --- depth of the fragment FIFO --------------------------------------------------------------- */

typedef struct {
    unsigned depth;
    double rate;
} Point;

static void read_point(const char *folder, Point *point)
{
    g_autofree char *variant = g_strdup_printf("depth-%u", point->depth);
    point->rate = rate_of(folder, variant);
}

/* Where the line between two points reaches `rate`. */
static double depth_at(const Point *points, unsigned count, double rate)
{
    for (unsigned i = 1; i < count; i++) {
        const Point *a = &points[i - 1], *b = &points[i];
        if (b->rate < rate) continue;
        return a->depth + (b->depth - a->depth) * (rate - a->rate) / (b->rate - a->rate);
    }
    return INFINITY;
}

/* Of the scarce depths a place of the FIFO holds a fragment for a round trip: rate = depth / round
 * trip, 315 cycles. The filter takes a step a cycle: from depth = round trip x rate on, 305, it is
 * the limit. Round trips differ, and the longest of them hold the others up: the knee is 353. */
START_TEST(throughput_grows_with_the_fragment_fifo_up_to_the_round_trip_and_then_stays)
{
    Point points[] = {{16, 0}, {32, 0}, {64, 0}, {128, 0}, {256, 0}, {320, 0}, {384, 0}, {512, 0}};
    const unsigned count = G_N_ELEMENTS(points);
    char *folder = temporary_folder();
    run(folder, "fragment-fifo --variant depth-16 --variant depth-32 --variant depth-64 "
                "--variant depth-128 --variant depth-256 --variant depth-320 --variant depth-384 "
                "--variant depth-512 --variant depth-1024");
    for (unsigned i = 0; i < count; i++) read_point(folder, &points[i]);
    const double trip = round_trip(folder, "depth-64"), flat = points[count - 1].rate;
    expect_within(miss_share(folder, "depth-64"), 0.5, 0.1);
    expect_within(trip, 315, 0.02);
    for (unsigned i = 0; points[i].depth <= 256; i++)
        expect_within(points[i].rate, points[i].depth / trip, 0.1);
    ck_assert_double_ge(flat, 0.95);
    expect_within(rate_of(folder, "depth-1024"), flat, 0.01);
    expect_within(depth_at(points, count, 0.95 * flat), trip * flat, 0.2);
    ck_assert_double_eq(texture(folder, "depth-1024", "stalls_reorder"), 0);
    ck_assert_double_eq(texture(folder, "depth-1024", "stalls_miss_fifo"), 0);
    ck_assert_double_gt(texture(folder, "depth-64", "stalled_fragment_fifo"),
                        0.7 * cycles_of(folder, "depth-64") * FS_PER_CYCLE);
    temporary_remove(folder);
}
END_TEST

/* Places = misses a cycle x how long a miss has one. */
START_TEST(a_reorder_buffer_that_is_too_small_bounds_the_misses_under_way)
{
    char *folder = temporary_folder();
    run(folder, "fragment-fifo --variant reorder-32 --variant reorder-128 --variant depth-512");
    for (unsigned places = 32; places <= 128; places += 96) {
        g_autofree char *variant = g_strdup_printf("reorder-%u", places);
        const double misses = rate_of(folder, variant) * miss_share(folder, variant);
        expect_within(misses * round_trip(folder, variant), places, 0.06);
        ck_assert_double_gt(texture(folder, variant, "stalls_reorder"), 1000);
        ck_assert_double_eq(texture(folder, variant, "stalls_fragment_fifo"), 0);
    }
    ck_assert_double_gt(rate_of(folder, "depth-512"), 4.5 * rate_of(folder, "reorder-32"));
    temporary_remove(folder);
}
END_TEST

/* With a texel of its own a lane has a line of its own, two misses a step, which leave one a cycle:
 * whether they wait behind the tags or in front of them. */
START_TEST(misses_leave_one_a_cycle_however_many_the_miss_fifo_holds)
{
    char *folder = temporary_folder();
    run(folder, "fragment-fifo --variant lanes-miss-fifo-1 --variant lanes-miss-fifo-64");
    const double cycles = cycles_of(folder, "lanes-miss-fifo-64");
    expect_within(texture(folder, "lanes-miss-fifo-64", "requests") / cycles, 1, 0.05);
    expect_within(cycles_of(folder, "lanes-miss-fifo-1"), cycles, 0.02);
    ck_assert_double_gt(texture(folder, "lanes-miss-fifo-1", "stalled_miss_fifo"),
                        1.3 * texture(folder, "lanes-miss-fifo-64", "stalled_miss_fifo"));
    ck_assert_double_gt(texture(folder, "lanes-miss-fifo-64", "miss_room.max"), 60);
    temporary_remove(folder);
}
END_TEST

/* --- latencies of hits and misses ------------------------------------------------------------- */

static double hit_over_miss(const char *folder, const char *variant)
{
    return mean_of(folder, variant, "hit_latency") / mean_of(folder, variant, "miss_latency");
}

/* A hit: 70 cycles of the filter. A miss waits for the reply to its request too, and a cycle for
 * the fill of a sector. */
START_TEST(alone_a_hit_takes_a_fifth_of_a_miss)
{
    char *folder = temporary_folder();
    run(folder, "texture-hit-and-miss --variant elastic-alone");
    expect_within(mean_of(folder, "elastic-alone", "hit_latency"), 70, 0.001);
    expect_within(mean_of(folder, "elastic-alone", "miss_latency"),
                  mean_of(folder, "elastic-alone", "miss_latency_seen") + 1 + 70, 0.001);
    expect_within(hit_over_miss(folder, "elastic-alone"), 0.19, 0.05);
    temporary_remove(folder);
}
END_TEST

START_TEST(behind_a_fixed_delay_of_a_round_trip_hits_take_as_long_as_misses)
{
    char *folder = temporary_folder();
    run(folder, "texture-hit-and-miss --variant fixed-alone");
    expect_within(mean_of(folder, "fixed-alone", "hit_latency"), 300 + 70, 0.001);
    expect_within(hit_over_miss(folder, "fixed-alone"), 1, 0.1);
    temporary_remove(folder);
}
END_TEST

START_TEST(in_a_stream_hits_wait_behind_misses_and_take_as_long)
{
    char *folder = temporary_folder();
    run(folder, "texture-hit-and-miss --variant elastic-stream --variant fixed-stream");
    expect_within(miss_share(folder, "elastic-stream"), 0.5, 0.1);
    expect_within(hit_over_miss(folder, "elastic-stream"), 1, 0.1);
    expect_within(hit_over_miss(folder, "fixed-stream"), 1, 0.1);
    expect_within(cycles_of(folder, "fixed-stream"), cycles_of(folder, "elastic-stream"), 0.01);
    temporary_remove(folder);
}
END_TEST

/* --- replies out of order --------------------------------------------------------------------- */

static double held_share(const char *folder, const char *variant)
{
    return texture(folder, variant, "held_out_of_order") / texture(folder, variant, "replies");
}

/* The unit ends a run in which the data array was not filled in the order of the requests. */
START_TEST(replies_are_held_that_channels_and_schedulers_bring_out_of_order)
{
    char *folder = temporary_folder();
    run(folder, "texture-reordering");
    ck_assert_double_gt(held_share(folder, "channels-12"), 0.5);
    ck_assert_double_gt(held_share(folder, "channels-12-in-order"), 0.5);
    ck_assert_double_gt(held_share(folder, "channel-1"), 0.5);
    ck_assert_double_lt(held_share(folder, "channel-1-in-order"), 0.05);
    ck_assert_double_lt(cycles_of(folder, "channel-1"),
                        0.75 * cycles_of(folder, "channel-1-in-order"));
    /* half of the FIFO's 333 fragments miss */
    expect_within(texture(folder, "channels-12", "reorder_room.mean"),
                  miss_share(folder, "channels-12")
                      * texture(folder, "channels-12", "fragment_room.mean"),
                  0.05);
    temporary_remove(folder);
}
END_TEST

/* --- against other organisations -------------------------------------------------------------- */

static double times_slower(const char *folder, const char *variant)
{
    return cycles_of(folder, variant) / cycles_of(folder, "run-ahead");
}

/* A miss every 1 / 0.53 steps, and 300 cycles each: 160 cycles a step instead of one. */
START_TEST(running_ahead_is_more_than_five_times_as_fast_as_blocking)
{
    char *folder = temporary_folder();
    run(folder, "texture-organisation --variant run-ahead --variant blocking");
    expect_within(miss_share(folder, "run-ahead"), 0.5, 0.1);
    expect_within(miss_share(folder, "blocking"), 0.5, 0.1);
    ck_assert_double_ge(times_slower(folder, "blocking"), 5);
    expect_within(times_slower(folder, "blocking"), 152, 0.05);
    ck_assert_double_eq(texture(folder, "blocking", "miss_room.max"), 1);
    temporary_remove(folder);
}
END_TEST

/* It has as many misses under way as its table has entries, and then as its sets have places, which
 * a miss takes for as long as it lasts: 96 lines, against 200 misses that run ahead. */
START_TEST(a_usual_cache_needs_a_place_for_each_miss_under_way)
{
    char *folder = temporary_folder();
    run(folder, "texture-organisation --variant run-ahead --variant non-blocking-32 "
                "--variant non-blocking-64 --variant non-blocking-256");
    expect_within(times_slower(folder, "non-blocking-32"), 5.0, 0.1);
    expect_within(times_slower(folder, "non-blocking-64"), 2.7, 0.1);
    expect_within(times_slower(folder, "non-blocking-256"), 2.3, 0.1);
    ck_assert_double_gt(texture(folder, "run-ahead", "reorder_room.mean"), 2 * 96);
    ck_assert_double_lt(result_number(folder, "non-blocking-256", "units.l1.total.prt.mean"), 96);
    ck_assert_double_gt(result_number(folder, "non-blocking-256", "units.l1.total.refused_set"),
                        5000);
    temporary_remove(folder);
}
END_TEST

/* --- textures and compute --------------------------------------------------------------------- */

static double l2_share(const char *folder, const char *variant, const char *class)
{
    g_autofree char *hits = g_strdup_printf("units.l2_slice.total.%s_hits", class);
    g_autofree char *of = g_strdup_printf("units.l2_slice.total.%s_accesses", class);
    return result_number(folder, variant, hits) / result_number(folder, variant, of);
}

/* Each alone misses its 256 KiB once: of L2's 384 KiB. */
START_TEST(textures_and_compute_evict_each_other_in_l2)
{
    char *folder = temporary_folder();
    run(folder, "texture-and-compute --variant apart-l2 --variant together-l2");
    ck_assert_double_gt(l2_share(folder, "apart-l2", "texture"), 0.9);
    ck_assert_double_gt(l2_share(folder, "apart-l2", "global"), 0.85);
    ck_assert_double_lt(l2_share(folder, "together-l2", "texture"), 0.65);
    ck_assert_double_lt(l2_share(folder, "together-l2", "global"), 0.4);
    ck_assert_double_gt(
        result_number(folder, "together-l2", "units.l2_slice.total.evicted_by_other_class"),
        10 * result_number(folder, "apart-l2", "units.l2_slice.total.evicted_by_other_class"));
    temporary_remove(folder);
}
END_TEST

static double l1(const char *folder, const char *variant, const char *name)
{
    g_autofree char *path = g_strdup_printf("units.l1.total.%s", name);
    return result_number(folder, variant, path);
}

static double texture_hit_rate(const char *folder, const char *variant)
{
    return l1(folder, variant, "texture_hits") / l1(folder, variant, "texture_accesses");
}

static double load_hit_rate(const char *folder, const char *variant)
{
    return (l1(folder, variant, "hits") - l1(folder, variant, "texture_hits"))
           / (l1(folder, variant, "accesses") - l1(folder, variant, "texture_accesses"));
}

/* 12 KiB each, of 16 KiB. */
START_TEST(textures_and_compute_evict_each_other_in_l1_where_it_is_the_texture_cache)
{
    char *folder = temporary_folder();
    run(folder, "texture-and-compute --variant apart-l1 --variant together-l1");
    ck_assert_double_gt(texture_hit_rate(folder, "apart-l1"), 0.99);
    ck_assert_double_gt(load_hit_rate(folder, "apart-l1"), 0.99);
    ck_assert_double_eq(l1(folder, "apart-l1", "texels_evicted"), 0);
    ck_assert_double_eq(l1(folder, "apart-l1", "evicted_by_texels"), 0);
    ck_assert_double_lt(texture_hit_rate(folder, "together-l1"), 0.85);
    ck_assert_double_lt(load_hit_rate(folder, "together-l1"), 0.65);
    ck_assert_double_gt(l1(folder, "together-l1", "texels_evicted"), 5000);
    ck_assert_double_gt(l1(folder, "together-l1", "evicted_by_texels"), 5000);
    temporary_remove(folder);
}
END_TEST

HARNESS_MAIN("run_ahead",
             throughput_grows_with_the_fragment_fifo_up_to_the_round_trip_and_then_stays,
             a_reorder_buffer_that_is_too_small_bounds_the_misses_under_way,
             misses_leave_one_a_cycle_however_many_the_miss_fifo_holds,
             alone_a_hit_takes_a_fifth_of_a_miss,
             behind_a_fixed_delay_of_a_round_trip_hits_take_as_long_as_misses,
             in_a_stream_hits_wait_behind_misses_and_take_as_long,
             replies_are_held_that_channels_and_schedulers_bring_out_of_order,
             running_ahead_is_more_than_five_times_as_fast_as_blocking,
             a_usual_cache_needs_a_place_for_each_miss_under_way,
             textures_and_compute_evict_each_other_in_l2,
             textures_and_compute_evict_each_other_in_l1_where_it_is_the_texture_cache)
