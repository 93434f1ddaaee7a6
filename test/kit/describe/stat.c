#include <stdlib.h>
#include <string.h>

#include "rigs/harness.h"

enum { SAMPLES = 20000 };

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Latencies over six decades, as a mixture of hits and queues gives them. */
static void draw_samples(uint64_t *sample, Histogram *histogram)
{
    uint64_t state = 88172645463325252u;
    for (unsigned i = 0; i < SAMPLES; i++) {
        const uint64_t random = harness_random(&state);
        sample[i] = 1000 + (random >> 20) % (UINT64_C(1) << (10 + random % 30));
        histogram_add(histogram, sample[i]);
    }
    qsort(sample, SAMPLES, sizeof *sample, compare);
}

START_TEST(percentiles_are_within_one_percent)
{
    g_autofree Histogram *histogram = g_new0(Histogram, 1);
    g_autofree uint64_t *sample = g_new(uint64_t, SAMPLES);
    draw_samples(sample, histogram);
    for (unsigned percent = 1; percent <= 99; percent++) {
        const uint64_t exact = sample[percent * SAMPLES / 100 - 1];
        const double got = (double)histogram_percentile(histogram, percent / 100.0);
        ck_assert_double_le(got, (double)exact * 1.01);
        ck_assert_double_ge(got, (double)exact * 0.99);
    }
    ck_assert_uint_eq(histogram_percentile(histogram, 1), sample[SAMPLES - 1]);
    ck_assert_uint_ge(histogram_percentile(histogram, 0), sample[0]);
}
END_TEST

START_TEST(a_merged_histogram_equals_one_that_saw_everything)
{
    g_autofree Histogram *left = g_new0(Histogram, 1), *right = g_new0(Histogram, 1);
    g_autofree Histogram *all = g_new0(Histogram, 1);
    for (uint64_t i = 1; i <= 1000; i++) {
        histogram_add(i % 3 ? left : right, i * i);
        histogram_add(all, i * i);
    }
    histogram_merge(left, right);
    ck_assert(!memcmp(left, all, sizeof *all));
}
END_TEST

START_TEST(an_empty_histogram_has_percentile_zero_and_merges_to_nothing)
{
    g_autofree Histogram *empty = g_new0(Histogram, 1), *other = g_new0(Histogram, 1);
    ck_assert_uint_eq(histogram_percentile(empty, 0.5), 0);
    histogram_add(other, 7);
    histogram_merge(other, empty);
    ck_assert_uint_eq(other->minimum, 7);
    histogram_merge(empty, other);
    ck_assert_uint_eq(histogram_percentile(empty, 0.5), 7);
}
END_TEST

typedef struct {
    uint64_t requests;
    Level waiting;
    Histogram latency;
    StageSums reads;
    HeavyHitters hottest;
    BankCounts banks;
} Example;

static const Stat stats[] = {
    STAT_NUMBER(Example, requests, STAT_COUNT, NULL, "requests"),
    STAT_OCCUPANCY(Example, waiting, NULL, "waiting"),
    STAT_DISTRIBUTION(Example, latency, NULL, "latency"),
    STAT_BREAKDOWN(Example, reads, "reads"),
    STAT_HOTTEST(Example, hottest, "hottest"),
    STAT_PER_BANK(Example, banks, "banks"),
    STAT_END,
};

/* Two wait from 10 and 20 on, one leaves at 40: (20-10)x1 + (40-20)x2 = 50 level x fs. */
START_TEST(a_level_integrates_and_keeps_its_value_over_a_reset)
{
    g_autofree Example *example = g_new0(Example, 1);
    level_enter(&example->waiting, 10);
    level_enter(&example->waiting, 20);
    level_leave(&example->waiting, 40, 10);
    ck_assert_uint_eq(example->waiting.integral, 50);
    ck_assert_uint_eq(example->waiting.stay, 30);
    ck_assert_uint_eq(example->waiting.arrivals, 2);
    example->requests = 9;
    example->reads.latency = 9;
    histogram_add(&example->latency, 9);
    stats_reset(stats, example, 100);
    ck_assert_uint_eq(example->requests + example->reads.latency + example->latency.count, 0);
    ck_assert_uint_eq(example->waiting.now, 1);
    ck_assert_uint_eq(example->waiting.maximum, 1);
    level_settle(&example->waiting, 107);
    ck_assert_uint_eq(example->waiting.integral, 7);
}
END_TEST

START_TEST(a_reset_forgets_what_was_hot_and_keeps_how_many_banks_there_are)
{
    g_autofree Example *example = g_new0(Example, 1);
    heavy_hitters_add(&example->hottest, 128, 1);
    example->banks = (BankCounts){.banks = 2, .bank = {3, 4}};
    stats_reset(stats, example, 100);
    ck_assert_uint_eq(example->hottest.rows, 0);
    heavy_hitters_add(&example->hottest, 128, 1);
    ck_assert_uint_eq(example->hottest.row[0].count, 1);
    ck_assert_uint_eq(example->banks.banks, 2);
    ck_assert_uint_eq(example->banks.bank[0] + example->banks.bank[1], 0);
}
END_TEST

START_TEST(counts_of_banks_add_up_bank_by_bank)
{
    BankCounts sum = {0}, one = {.banks = 3, .bank = {1, 2, 3}};
    bank_counts_merge(&sum, &one);
    bank_counts_merge(&sum, &one);
    ck_assert_uint_eq(sum.banks, 3);
    for (uint64_t i = 0; i < 3; i++) ck_assert_uint_eq(sum.bank[i], 2 * (i + 1));
}
END_TEST

/* Into an object that holds an earlier copy, whose histogram may be full or not. */
START_TEST(a_copy_has_all_statistics_and_nothing_of_an_earlier_one)
{
    g_autofree Example *from = g_new0(Example, 1), *to = g_new0(Example, 1);
    from->requests = 3;
    from->reads.stage[STAGE_L1_TAG] = 5;
    level_enter(&from->waiting, 10);
    histogram_add(&from->latency, 9);
    heavy_hitters_add(&from->hottest, 128, 1);
    from->banks = (BankCounts){.banks = 2, .bank = {3, 4}};
    stats_copy(stats, to, from);
    ck_assert_mem_eq(to, from, sizeof *from);
    stats_reset(stats, from, 20);
    stats_copy(stats, to, from);
    ck_assert_mem_eq(to, from, sizeof *from);
    ck_assert_uint_eq(to->latency.bucket[9], 0);
}
END_TEST

static void expect_buckets(const Histogram *histogram, uint32_t first, uint32_t second)
{
    ck_assert_uint_eq(histogram->count, first + second);
    ck_assert_uint_eq(histogram->bucket[0], first);
    ck_assert_uint_eq(histogram->bucket[histogram_bucket_of(700)], second);
}

/* As at the end of a phase. */
static void forget_extremes(Histogram *histogram)
{
    histogram->minimum = UINT64_MAX;
    histogram->maximum = 0;
}

START_TEST(a_copy_has_what_came_before_the_extremes_were_forgotten)
{
    g_autofree Example *from = g_new0(Example, 1), *to = g_new0(Example, 1);
    histogram_add(&from->latency, 0);
    histogram_add(&from->latency, 700);
    forget_extremes(&from->latency);
    histogram_add(&from->latency, 9);
    stats_copy(stats, to, from);
    ck_assert_mem_eq(to, from, sizeof *from);
    stats_reset(stats, from, 0);
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) ck_assert_uint_eq(from->latency.bucket[i], 0);
    ck_assert_uint_eq(from->latency.count, 0);
}
END_TEST

/* Of buckets that are not used nothing is touched: there is no memory behind most of them. */
START_TEST(only_used_buckets_are_copied_merged_and_cleared)
{
    enum { UNUSED = 2000, MARK = 77 };
    g_autofree Example *from = g_new0(Example, 1), *to = g_new0(Example, 1);
    to->latency.bucket[UNUSED] = MARK;
    histogram_add(&from->latency, 0);
    histogram_add(&from->latency, 700);
    stats_copy(stats, to, from);
    expect_buckets(&to->latency, 1, 1);
    histogram_merge(&to->latency, &from->latency);
    expect_buckets(&to->latency, 2, 2);
    stats_reset(stats, to, 0);
    expect_buckets(&to->latency, 0, 0);
    ck_assert_uint_eq(to->latency.bucket[UNUSED], MARK);
}
END_TEST

START_TEST(stage_sums_add_up_over_a_merge)
{
    StageSums a = {.count = 1, .latency = 30}, b = {.count = 2, .latency = 12};
    a.stage[STAGE_ISSUE] = 10;
    a.stage[STAGE_L1_TAG] = 20;
    b.stage[STAGE_L1_TAG] = 12;
    stage_sums_merge(&a, &b);
    ck_assert_uint_eq(a.count, 3);
    ck_assert_uint_eq(a.latency, a.stage[STAGE_ISSUE] + a.stage[STAGE_L1_TAG]);
    ck_assert_str_eq(stage_name(STAGE_L1_TAG), "l1_tag");
    ck_assert_ptr_nonnull(strstr(stage_summary(STAGE_DRAM_BUS), "bus"));
}
END_TEST

static void expect_row(const Ranking *ranking, uint64_t i, uint64_t address, uint64_t count)
{
    ck_assert_uint_eq(ranking->row[i].address, address);
    ck_assert_uint_eq(ranking->row[i].count, count);
}

START_TEST(a_ranking_is_by_count_and_then_by_address)
{
    Ranking ranking = {0};
    ranking_raise(&ranking, 30, 1);
    ranking_raise(&ranking, 10, 1);
    ranking_raise(&ranking, 20, 1);
    ranking_raise(&ranking, 30, 2);
    ck_assert_uint_eq(ranking.rows, 3);
    expect_row(&ranking, 0, 30, 2);
    expect_row(&ranking, 1, 10, 1);
    expect_row(&ranking, 2, 20, 1);
}
END_TEST

/* Twice as many addresses as rows, each raised by one in turn: the same as sorting all counts. */
START_TEST(a_ranking_equals_one_that_saw_every_address)
{
    enum { ADDRESSES = 2 * RANKING_ROWS };
    uint64_t count[ADDRESSES] = {0}, state = 1;
    Ranking ranking = {0};
    for (guint i = 0; i < 5000; i++) {
        state = state * UINT64_C(6364136223846793005) + 1;
        const uint64_t address = (state >> 33) * (state >> 60) % ADDRESSES;
        ranking_raise(&ranking, address, ++count[address]);
        if (i % 97) continue;
        for (uint64_t r = 0; r < ranking.rows; r++) {
            uint64_t better = 0;
            const uint64_t own = ranking.row[r].address;
            ck_assert_uint_eq(ranking.row[r].count, count[own]);
            for (uint64_t a = 0; a < ADDRESSES; a++)
                better += count[a] > count[own] || (count[a] == count[own] && a < own);
            ck_assert_uint_eq(better, r);
        }
    }
    ck_assert_uint_eq(ranking.rows, RANKING_ROWS);
}
END_TEST

HARNESS_MAIN("stat", a_ranking_is_by_count_and_then_by_address,
             a_ranking_equals_one_that_saw_every_address, percentiles_are_within_one_percent,
             a_merged_histogram_equals_one_that_saw_everything,
             an_empty_histogram_has_percentile_zero_and_merges_to_nothing,
             a_level_integrates_and_keeps_its_value_over_a_reset,
             a_reset_forgets_what_was_hot_and_keeps_how_many_banks_there_are,
             counts_of_banks_add_up_bank_by_bank,
             a_copy_has_all_statistics_and_nothing_of_an_earlier_one,
             a_copy_has_what_came_before_the_extremes_were_forgotten,
             only_used_buckets_are_copied_merged_and_cleared, stage_sums_add_up_over_a_merge)
