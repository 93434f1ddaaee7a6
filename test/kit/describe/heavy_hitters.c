#include "rigs/harness.h"

#include "kit/describe/heavy_hitters.h"

static const HeavyRow *find_row(const HeavyHitters *hitters, uint64_t address)
{
    for (uint64_t i = 0; i < hitters->rows; i++)
        if (hitters->row[i].address == address) return &hitters->row[i];
    return NULL;
}

static uint64_t sum_of_counts(const HeavyHitters *hitters)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < hitters->rows; i++) sum += hitters->row[i].count;
    return sum;
}

static void expect_row(const HeavyHitters *hitters, uint64_t i, HeavyRow row)
{
    ck_assert_uint_eq(hitters->row[i].address, row.address);
    ck_assert_uint_eq(hitters->row[i].count, row.count);
    ck_assert_uint_eq(hitters->row[i].error, row.error);
}

/* As many addresses as rows, address 0 among them, in turn and then again: found, not added. */
START_TEST(addresses_that_all_have_a_row_are_counted_exactly)
{
    HeavyHitters hitters = {0};
    for (uint64_t round = 0; round < 3; round++)
        for (uint64_t a = 0; a < HEAVY_ROWS; a++) heavy_hitters_add(&hitters, a * 128, a + 1);
    ck_assert_uint_eq(hitters.rows, HEAVY_ROWS);
    for (uint64_t a = 0; a < HEAVY_ROWS; a++)
        expect_row(&hitters, a, (HeavyRow){a * 128, 3 * (a + 1), 0});
}
END_TEST

/* Counts of 2, 3, ... 33: the first newcomer makes 3 of 2, the second 8 of that 3, the third 4 of
 * the next 3. */
START_TEST(a_newcomer_takes_the_lowest_row_and_goes_on_from_its_count)
{
    HeavyHitters hitters = {0};
    for (uint64_t a = 0; a < HEAVY_ROWS; a++) heavy_hitters_add(&hitters, a, a + 2);
    heavy_hitters_add(&hitters, 100, 1);
    expect_row(&hitters, 0, (HeavyRow){100, 3, 2});
    heavy_hitters_add(&hitters, 200, 5);
    expect_row(&hitters, 0, (HeavyRow){200, 8, 3});
    heavy_hitters_add(&hitters, 300, 1);
    expect_row(&hitters, 1, (HeavyRow){300, 4, 3});
    ck_assert_uint_eq(hitters.rows, HEAVY_ROWS);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

enum { ADDRESSES = 1000, EVENTS = 20000, FREQUENT = 10 };

/* `percent` of the events are those of ten addresses, the others of all at random: 20000 x 40 %
 * / 10 = 800 each are more than 20000 / 32 = 625, 20000 x 20 % / 10 = 400 are not. */
static void count_mix(HeavyHitters *hitters, uint64_t percent, uint64_t *truth)
{
    uint64_t state = percent + 1;
    for (guint i = 0; i < EVENTS; i++) {
        const bool frequent = next_random(&state) % 100 < percent;
        const uint64_t a =
            frequent ? next_random(&state) % FREQUENT * 97 : next_random(&state) % ADDRESSES;
        truth[a]++;
        heavy_hitters_add(hitters, a * 128, 1);
    }
}

START_TEST(true_counts_lie_within_the_error_and_frequent_addresses_have_a_row)
{
    for (uint64_t percent = 0; percent <= 100; percent += 20) {
        uint64_t truth[ADDRESSES] = {0}, frequent = 0;
        HeavyHitters hitters = {0};
        count_mix(&hitters, percent, truth);
        ck_assert_uint_eq(sum_of_counts(&hitters), EVENTS);
        for (uint64_t a = 0; a < ADDRESSES; a++) {
            const HeavyRow *row = find_row(&hitters, a * 128);
            frequent += truth[a] > EVENTS / HEAVY_ROWS;
            ck_assert(row || truth[a] <= EVENTS / HEAVY_ROWS);
            if (!row) continue;
            ck_assert_uint_le(row->count - row->error, truth[a]);
            ck_assert_uint_ge(row->count, truth[a]);
            ck_assert_uint_le(row->error, EVENTS / HEAVY_ROWS);
        }
        ck_assert_uint_eq(frequent, percent >= 40 ? FREQUENT : 0);
    }
}
END_TEST

START_TEST(a_union_adds_up_equal_addresses_and_puts_certain_counts_first)
{
    HeavyHitters a = {.rows = 3, .row = {{10, 5, 0}, {30, 9, 8}, {20, 5, 0}}};
    HeavyHitters b = {.rows = 3, .row = {{30, 4, 1}, {40, 6, 1}, {50, 4, 0}}};
    const HeavyHitters *both[] = {&a, &b};
    HeavyHitters united;
    heavy_hitters_unite(&united, both, 2);
    ck_assert_uint_eq(united.rows, 5);
    expect_row(&united, 0, (HeavyRow){40, 6, 1});
    expect_row(&united, 1, (HeavyRow){10, 5, 0});
    expect_row(&united, 2, (HeavyRow){20, 5, 0});
    expect_row(&united, 3, (HeavyRow){30, 13, 9});
    expect_row(&united, 4, (HeavyRow){50, 4, 0});
}
END_TEST

/* An address that each of three has in its lowest row is the first of all. */
START_TEST(a_union_is_cut_when_all_are_added_up)
{
    HeavyHitters each[3] = {0}, united;
    const HeavyHitters *all[3];
    for (uint64_t i = 0; i < 3; i++) {
        for (uint64_t a = 1; a < HEAVY_ROWS; a++)
            heavy_hitters_add(&each[i], 1000 * (i + 1) + a, 20);
        heavy_hitters_add(&each[i], 7, 10);
        all[i] = &each[i];
    }
    heavy_hitters_unite(&united, all, 3);
    ck_assert_uint_eq(united.rows, HEAVY_ROWS);
    expect_row(&united, 0, (HeavyRow){7, 30, 0});
    expect_row(&united, 1, (HeavyRow){1001, 20, 0});
    expect_row(&united, HEAVY_ROWS - 1, (HeavyRow){1000 + HEAVY_ROWS - 1, 20, 0});
}
END_TEST

HARNESS_MAIN("heavy_hitters", addresses_that_all_have_a_row_are_counted_exactly,
             a_newcomer_takes_the_lowest_row_and_goes_on_from_its_count,
             true_counts_lie_within_the_error_and_frequent_addresses_have_a_row,
             a_union_adds_up_equal_addresses_and_puts_certain_counts_first,
             a_union_is_cut_when_all_are_added_up)
