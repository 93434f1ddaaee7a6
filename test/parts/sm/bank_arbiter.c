#include "parts/sm/bank_arbiter.h"

#include "rigs/harness.h"

static const DataBanks fermi = {32, 4}, kepler = {32, 8}, pascal = {8, 4}, maxwell = {4, 4},
                       wide = {64, 4};

/* --- tags --- */

START_TEST(a_tag_bank_is_the_exclusive_or_of_all_fields_of_the_line_number)
{
    static const struct {
        uint64_t line;
        uint32_t banks, bank;
    } rows[] = {
        {0, 4, 0},
        {1, 4, 1},
        {2, 4, 2},
        {3, 4, 3},
        {4, 4, 1},                 /* 01 00 */
        {5, 4, 0},                 /* 01 01 */
        {6, 4, 3},                 /* 01 10 */
        {0xb, 4, 1},               /* 10 11 */
        {0x1b, 4, 0},              /* 01 10 11 */
        {0xff, 4, 0},              /* 11 four times */
        {UINT64_C(1) << 40, 4, 1}, /* high fields count */
        {UINT64_C(3) << 62, 4, 3}, /* the highest too */
        {0x35, 2, 0},              /* parity of four ones */
        {0x34, 2, 1},              /* ... of three */
        {0x123, 16, 1 ^ 2 ^ 3},    /* fields of four bits */
        {0x1041, 64, 1},           /* 000001 000001 000001 */
        {7, 1, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        ck_assert_uint_eq(tag_bank(rows[i].line, rows[i].banks), rows[i].bank);
}
END_TEST

/* --- data --- */

/* The straightforward way: for each group, a set of words for each bank. */
static uint32_t passes_by_force(const DataBanks *array, const uint64_t *address, uint64_t mask,
                                uint32_t width)
{
    uint32_t lanes = array->banks * array->bank_bytes / width, passes = 0;
    lanes = CLAMP(lanes, 1, MAX(array->banks, 32));
    for (uint32_t first = 0; first < 64; first += lanes) {
        uint32_t most = 0;
        for (uint32_t bank = 0; bank < array->banks; bank++) {
            g_autoptr(GHashTable) words = g_hash_table_new(NULL, NULL);
            for (uint32_t lane = first; lane < MIN(first + lanes, 64); lane++)
                for (uint64_t byte = 0; mask >> lane & 1 && byte < width; byte++) {
                    const uint64_t word = (address[lane] + byte) / array->bank_bytes;
                    if (word % array->banks == bank)
                        g_hash_table_add(words, GSIZE_TO_POINTER(word + 1));
                }
            most = MAX(most, g_hash_table_size(words));
        }
        passes += most;
    }
    return passes;
}

static uint32_t passes_of_stride(const DataBanks *array, uint64_t stride, uint64_t mask,
                                 uint32_t width)
{
    uint64_t address[64];
    for (uint64_t i = 0; i < 64; i++) address[i] = 4096 + i * stride;
    const uint32_t passes = bank_passes(array, address, mask, width);
    ck_assert_uint_eq(passes, passes_by_force(array, address, mask, width));
    return passes;
}

/* Words of a bank are banks x bank_bytes apart: gcd(stride in words, banks) lanes share a bank. */
static const struct {
    const DataBanks *array;
    uint64_t stride;
    uint64_t mask;
    uint32_t width, passes;
} strides[] = {
    {&fermi, 4, UINT32_MAX, 4, 1},
    {&fermi, 4, UINT64_MAX, 4, 2}, /* 64 lanes: two groups */
    {&fermi, 0, UINT64_MAX, 4, 2},
    {&fermi, 1, UINT64_MAX, 1, 2}, /* of 32 lanes, however narrow */
    {&fermi, 8, UINT64_MAX, 4, 4},
    {&fermi, 128, UINT64_MAX, 4, 64},
    {&fermi, 8, UINT64_MAX, 8, 4},
    {&fermi, 4, UINT64_MAX << 32, 4, 1},
    {&fermi, 4, UINT64_MAX << 60, 4, 1},
    {&kepler, 4, UINT64_MAX, 4, 2},
    {&pascal, 4, UINT64_MAX, 4, 8},
    {&wide, 4, UINT64_MAX, 4, 1}, /* as many as there are banks */
    {&fermi, 8, UINT32_MAX, 4, 2},
    {&fermi, 12, UINT32_MAX, 4, 1},
    {&fermi, 16, UINT32_MAX, 4, 4},
    {&fermi, 24, UINT32_MAX, 4, 2},
    {&fermi, 64, UINT32_MAX, 4, 16},
    {&fermi, 128, UINT32_MAX, 4, 32},
    {&fermi, 132, UINT32_MAX, 4, 1},
    {&fermi, 0, UINT32_MAX, 4, 1}, /* broadcast */
    {&fermi, 1, UINT32_MAX, 1, 1}, /* four lanes a word */
    {&fermi, 2, UINT32_MAX, 2, 1}, /* two lanes a word */
    {&fermi, 128, 0x1, 4, 1},      /* one lane */
    {&fermi, 128, 0x80000011, 4, 3},
    {&fermi, 4, 0, 4, 0},           /* none */
    {&fermi, 8, UINT32_MAX, 8, 2},  /* two half-warps */
    {&fermi, 8, 0xffff, 8, 1},      /* one */
    {&fermi, 8, 0xff00ff, 8, 2},    /* half of each */
    {&fermi, 16, UINT32_MAX, 8, 4}, /* every second double: two in each half-warp */
    {&fermi, 0, UINT32_MAX, 8, 2},  /* a broadcast takes the two as well */
    {&fermi, 16, UINT32_MAX, 16, 4},
    {&fermi, 0, UINT32_MAX, 16, 4},
    {&fermi, 32, UINT32_MAX, 16, 8},
    {&kepler, 4, UINT32_MAX, 4, 1},
    {&kepler, 8, UINT32_MAX, 4, 1}, /* stride of two words: without conflict */
    {&kepler, 16, UINT32_MAX, 4, 2},
    {&kepler, 128, UINT32_MAX, 4, 16},
    {&kepler, 256, UINT32_MAX, 4, 32},
    {&kepler, 8, UINT32_MAX, 8, 1}, /* a warp of doubles at once */
    {&kepler, 16, UINT32_MAX, 16, 2},
    {&pascal, 4, UINT32_MAX, 4, 4}, /* 32 B a cycle: 8 lanes a pass */
    {&pascal, 4, 0x1, 4, 1},
    {&pascal, 8, UINT32_MAX, 4, 8},
    {&pascal, 8, UINT32_MAX, 8, 8},
    {&pascal, 16, UINT32_MAX, 16, 16},
    {&pascal, 32, UINT32_MAX, 4, 32},
    {&maxwell, 4, UINT32_MAX, 4, 8}, /* 16 B a cycle: 4 lanes a pass */
    {&maxwell, 8, UINT32_MAX, 8, 16},
    {&maxwell, 16, UINT32_MAX, 16, 32},
    {&maxwell, 0, UINT32_MAX, 4, 8},
};

START_TEST(passes_are_the_most_words_of_one_bank)
{
    for (guint i = 0; i < G_N_ELEMENTS(strides); i++) {
        const uint32_t passes = passes_of_stride(strides[i].array, strides[i].stride,
                                                 strides[i].mask, strides[i].width);
        ck_assert_msg(passes == strides[i].passes, "row %u: %u passes, not %u", i, passes,
                      strides[i].passes);
    }
}
END_TEST

static const uint32_t widths[] = {1, 2, 4, 8, 16};
static const DataBanks arrays[] = {{32, 4}, {32, 8}, {8, 4},   {4, 4},  {16, 4}, {64, 4},
                                   {1, 4},  {32, 2}, {32, 16}, {12, 4}, {1, 1},  {64, 16}};

START_TEST(passes_are_those_of_the_straightforward_way)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (guint round = 0; round < 3000; round++) {
        const DataBanks *array = &arrays[round % G_N_ELEMENTS(arrays)];
        const uint32_t width = widths[g_rand_int_range(random, 0, 5)];
        const uint64_t low = round % 3 ? g_rand_int(random) : UINT32_MAX;
        const uint64_t some = round % 2 ? low : low << 32 | g_rand_int(random);
        const uint64_t mask = round % 7 ? some : UINT64_C(1) << round % 64; /* or one lane */
        const int32_t span = round % 2 ? 64 : 4096;
        uint64_t address[64];
        for (guint i = 0; i < 64; i++)
            address[i] = (uint64_t)g_rand_int_range(random, 0, span) * width
                         + (round % 5 ? 0 : width / 2); /* some across words */
        ck_assert_uint_eq(bank_passes(array, address, mask, width),
                          passes_by_force(array, address, mask, width));
    }
}
END_TEST

/* The document's arbiter: of the lanes that are left it accepts those that meet nobody it has
 * accepted in this pass at another word of a bank, and sends the rest back to be split again. */
static uint64_t split(const DataBanks *array, const uint64_t *address, uint64_t mask,
                      uint32_t width)
{
    uint64_t word_of[ARBITER_BANKS], accepted = 0;
    bool taken[ARBITER_BANKS] = {false};
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        const uint64_t first = address[lane] / array->bank_bytes,
                       last = (address[lane] + width - 1) / array->bank_bytes;
        bool meets = false;
        for (uint64_t word = first; word <= last; word++)
            meets |= taken[word % array->banks] && word_of[word % array->banks] != word;
        if (meets) continue;
        for (uint64_t word = first; word <= last; word++) {
            taken[word % array->banks] = true;
            word_of[word % array->banks] = word;
        }
        accepted |= UINT64_C(1) << lane;
    }
    return mask & ~accepted;
}

static uint32_t passes_by_splitting(const DataBanks *array, const uint64_t *address, uint64_t mask,
                                    uint32_t width)
{
    const uint32_t lanes = bank_group_lanes(array, width);
    uint32_t passes = 0;
    for (uint32_t first = 0; first < ARBITER_LANES; first += lanes) {
        const uint64_t all = lanes < ARBITER_LANES ? (UINT64_C(1) << lanes) - 1 : UINT64_MAX;
        for (uint64_t rest = mask & all << first; rest; passes++)
            rest = split(array, address, rest, width);
    }
    return passes;
}

/* So passes may be counted when an access comes. Values are at multiples of their width, as
 * instructions want them: two lanes meet in all banks of their values or in none. */
START_TEST(lanes_that_are_left_are_split_as_often_as_passes_are_counted)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(13);
    for (guint round = 0; round < 20000; round++) {
        const DataBanks *array = &arrays[round % G_N_ELEMENTS(arrays)];
        const uint32_t width = widths[g_rand_int_range(random, 0, 5)];
        if (width > array->banks * array->bank_bytes) continue; /* nothing is split */
        const uint64_t mask = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
        const gint32 span = round % 2 ? 64 : 4096;
        uint64_t address[ARBITER_LANES];
        for (guint i = 0; i < ARBITER_LANES; i++)
            address[i] = (uint64_t)g_rand_int_range(random, 0, span) * width;
        ck_assert_uint_eq(bank_passes(array, address, mask, width),
                          passes_by_splitting(array, address, mask, width));
    }
}
END_TEST

START_TEST(passes_of_equal_steps_are_those_of_the_search)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    guint found = 0;
    for (guint round = 0; round < 6000; round++) {
        const DataBanks *array = &arrays[round % G_N_ELEMENTS(arrays)];
        const uint32_t width = widths[g_rand_int_range(random, 0, 5)];
        const guint first = (guint)g_rand_int_range(random, 0, 64),
                    end = (guint)g_rand_int_range(random, (gint)first, 64);
        const uint64_t holes = round % 7 ? 0 : UINT64_C(1) << g_rand_int_range(random, 0, 64);
        const LaneSteps steps = {
            .base = 65536 + (uint64_t)g_rand_int_range(random, 0, 64) * (round % 3 ? width : 1),
            .mask = (UINT64_MAX >> (63 - end) & UINT64_MAX << first) & ~holes,
            .stride =
                g_rand_int_range(random, -70, 70) * (round % 5 ? (gint)array->bank_bytes : 1)};
        const uint32_t passes = bank_passes_of_steps(array, &steps, width);
        if (!passes) continue;
        uint64_t address[64];
        for (gint i = 0; i < 64; i++) address[i] = steps.base + (uint64_t)(i * steps.stride);
        ck_assert_uint_eq(passes, bank_passes(array, address, steps.mask, width));
        found++;
    }
    ck_assert_uint_gt(found, 1000);
}
END_TEST

/* Of a 4-byte bank mostly, as steps of any other width are not plain. */
static LaneSteps random_rows(GRand *random, const DataBanks *array)
{
    const int64_t bytes = array->bank_bytes, pitch = g_rand_int_range(random, -130, 130);
    const uint64_t any = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
    return (LaneSteps){.base = 65536 + (uint64_t)g_rand_int_range(random, 0, 256),
                       .mask = g_rand_boolean(random) ? any : UINT32_MAX,
                       .stride = g_rand_int_range(random, 0, 3) * bytes,
                       .row_lanes = 4u << g_rand_int_range(random, 0, 4),
                       .row_stride = g_rand_boolean(random) ? pitch * bytes : pitch % 3 * 128};
}

START_TEST(passes_of_rows_are_those_of_the_search)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(17);
    guint found = 0;
    for (guint round = 0; round < 20000; round++) {
        const DataBanks *array = &arrays[round % G_N_ELEMENTS(arrays)];
        const uint32_t width = widths[g_rand_int_range(random, 0, 4)];
        const LaneSteps rows = random_rows(random, array);
        uint64_t address[64];
        for (uint32_t i = 0; i < 64; i++) address[i] = lane_address(&rows, i);
        ck_assert_int_eq(rows_are_paired(&rows), lanes_are_paired(address, rows.mask));
        if (!bank_rows_are_plain(array, &rows, width)) continue;
        ck_assert_uint_eq(bank_passes_of_rows(array, &rows, width),
                          bank_passes(array, address, rows.mask, width));
        ck_assert_uint_eq(bank_passes_of_rows(array, &rows, (width + 1) / 2),
                          bank_passes_of_pairs(array, address, rows.mask, width));
        found++;
    }
    ck_assert_uint_gt(found, 2000);
}
END_TEST

START_TEST(neighbours_are_side_by_side_or_at_one_address)
{
    const uint64_t side[4] = {8, 12, 16, 20}, same[4] = {8, 8, 8, 8}, apart[4] = {8, 12, 16, 24};
    ck_assert(lanes_are_neighbours(side, 0xf, 4));
    ck_assert(lanes_are_neighbours(side, 0xa, 4)); /* those between are not active */
    ck_assert(!lanes_are_neighbours(side, 0xf, 8));
    ck_assert(lanes_are_neighbours(same, 0xf, 4));
    ck_assert(!lanes_are_neighbours(apart, 0xf, 4));
    ck_assert(lanes_are_neighbours(apart, 0x7, 4));
    ck_assert(lanes_are_neighbours(apart, 0x8, 4));
}
END_TEST

/* Lanes side by side from an aligned address on, active or not, and broadcasts: what the short cut
 * says is what the arbiter finds. */
START_TEST(lanes_side_by_side_have_no_conflicts)
{
    for (guint a = 0; a < G_N_ELEMENTS(arrays); a++)
        for (guint w = 0; w < G_N_ELEMENTS(widths); w++)
            for (uint32_t first = 0; first < 64; first++)
                for (uint32_t lanes = 1; lanes <= 64 - first; lanes++) {
                    const uint64_t run = UINT64_MAX >> (64 - lanes) << first,
                                   mask = lanes % 2 ? run : run & 0x9d3b57e19d3b57e1;
                    uint64_t side[64], same[64];
                    for (uint64_t i = 0; i < 64; i++) {
                        side[i] = 16 * first + i * widths[w];
                        same[i] = 48;
                    }
                    const uint32_t passes =
                        bank_passes_without_conflict(&arrays[a], mask, widths[w]);
                    ck_assert_uint_eq(passes, bank_passes(&arrays[a], same, mask, widths[w]));
                    if (arrays[a].banks != 12) /* whose groups are no powers of two */
                        ck_assert_uint_eq(passes, bank_passes(&arrays[a], side, mask, widths[w]));
                }
}
END_TEST

/* --- atomics --- */

START_TEST(atomics_of_a_bank_go_one_after_the_other)
{
    uint64_t side[64], same[64], stride[64], pairs[64];
    for (uint64_t i = 0; i < 64; i++) {
        side[i] = 4 * i;
        same[i] = 64;
        stride[i] = 8 * i;
        pairs[i] = 4 * (i / 2);
    }
    ck_assert_uint_eq(bank_passes_atomic(&fermi, side, UINT32_MAX), 1);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, same, UINT32_MAX), 32);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, same, 0x1010), 2);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, stride, UINT32_MAX), 2);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, pairs, UINT32_MAX), 2);
    ck_assert_uint_eq(bank_passes_atomic(&kepler, side, UINT32_MAX), 2); /* two words a bank */
    ck_assert_uint_eq(bank_passes_atomic(&kepler, stride, UINT32_MAX), 1);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, side, 0), 0);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, side, UINT64_MAX), 2);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, same, UINT64_MAX), 64);
    ck_assert_uint_eq(bank_passes_atomic(&fermi, side, UINT64_C(1) << 32 | 1), 2);
}
END_TEST

START_TEST(lanes_of_one_group_that_want_one_address_count_once)
{
    uint64_t same[64], quarters[64], mixed[64];
    for (uint64_t i = 0; i < 64; i++) {
        same[i] = 64;
        quarters[i] = i % 8;
        mixed[i] = i < 5 ? 0 : i;
    }
    static const struct {
        uint32_t groups, same, quarters, mixed;
    } rows[] = {{32, 32, 4, 5}, {16, 16, 2, 5}, {8, 8, 1, 5}, {4, 4, 1, 4}, {1, 1, 1, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        const uint32_t groups = rows[i].groups;
        ck_assert_uint_eq(same_address_passes(same, UINT32_MAX, groups), rows[i].same);
        ck_assert_uint_eq(same_address_passes(quarters, UINT32_MAX, groups), rows[i].quarters);
        ck_assert_uint_eq(same_address_passes(mixed, UINT32_MAX, groups), rows[i].mixed);
    }
    ck_assert_uint_eq(same_address_passes(same, 0x8001, 32), 2);
    ck_assert_uint_eq(same_address_passes(same, 0, 32), 0);
    ck_assert_uint_eq(same_address_passes(same, UINT64_MAX, 64), 64);
    ck_assert_uint_eq(same_address_passes(same, UINT64_MAX, 32), 32);
    ck_assert_uint_eq(same_address_passes(quarters, UINT64_MAX, 64), 8);
    ck_assert_uint_eq(same_address_passes(same, UINT64_C(1) << 40 | 1, 64), 2);
}
END_TEST

HARNESS_MAIN("bank_arbiter", a_tag_bank_is_the_exclusive_or_of_all_fields_of_the_line_number,
             passes_are_the_most_words_of_one_bank, passes_are_those_of_the_straightforward_way,
             neighbours_are_side_by_side_or_at_one_address, lanes_side_by_side_have_no_conflicts,
             atomics_of_a_bank_go_one_after_the_other,
             lanes_of_one_group_that_want_one_address_count_once,
             passes_of_equal_steps_are_those_of_the_search, passes_of_rows_are_those_of_the_search,
             lanes_that_are_left_are_split_as_often_as_passes_are_counted)
