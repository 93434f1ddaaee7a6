/* How many cycles of L1 a warp's hit takes, by its stride. See rig.h. */
#include "rig.h"

#include <math.h>

/* --- one access ------------------------------------------------------------------------------- */

enum { PROBE = 200 }; /* a line that nobody else wants */

/* All lines are there. The wavefronts of the access; from its first look-up, when its last pass is
 * made, and when the access behind it is looked up. */
typedef struct {
    const char *settings;
    Lookup lookup;
    uint64_t wavefronts, last, next;
} Cost;

static uint64_t across[32] = {124, 0}, listed[32] = {8, 12, 16, 24};

static const Cost costs[] = {
    {"", {.stride = 4}, 1, 0, 1},
    {"", {.stride = SAME}, 1, 0, 1},
    {"", {.stride = 12}, 1, 0, 1},               /* lines 0, 1, 2: banks 0, 1, 2 */
    {"", {.width = 8}, 1, 1, 2},                 /* lines 0, 1; two half-warps */
    {"", {.width = 8, .stride = SAME}, 1, 1, 2}, /* the same */
    {"", {.width = 8, .mask = 0xffff}, 1, 0, 1}, /* one of them */
    {"", {.width = 16}, 1, 3, 4},                /* lines 0 to 3: banks 0 to 3 */
    {"", {.width = 16, .line = 1}, 2, 3, 4},     /* lines 1 to 4: bank 1 twice */
    {"", {.stride = 8}, 1, 1, 2},                /* two lanes a data bank */
    {"", {.stride = 64}, 4, 15, 16},             /* 4 lines a wavefront, 4 lanes a data bank */
    {"", {.stride = 132}, 8, 7, 8},              /* 32 lines, no conflict: a pass a wavefront */
    {"", {.stride = 128}, 8, 31, 32},            /* 4 lanes a wavefront, all of one data bank */
    {"tag_banks = 1", {.stride = 12}, 3, 2, 3},  /* k lines are k passes */
    {"tag_banks = 1", {.stride = 64}, 16, 15, 16},
    {"tag_banks = 1", {.stride = 132}, 32, 31, 32},
    {"tag_banks = 2", {.stride = 12}, 2, 1, 2}, /* 0; 1 and 2 are of odd parity */
    {"tag_banks = 64", {.stride = 132}, 1, 0, 1},
    {"", {.stride = 512}, 8, 31, 32}, /* each fourth line: fields of its number even it out */
    {"tag_bank_index = modulo", {.stride = 512}, 32, 31, 32},
    {"tag_bank_index = modulo", {.stride = 132}, 8, 7, 8},
    {"lookup_interval = 3 cycles", {.stride = 4}, 1, 0, 3},
    {"lookup_interval = 3 cycles", {.stride = 132}, 8, 21, 24},
    {"data_banks = 8", {.stride = 4}, 1, 3, 4}, /* 32 bytes a cycle */
    {"data_banks = 4", {.stride = 4}, 1, 7, 8}, /* 16 bytes a cycle */
    {"data_banks = 4", {.width = 8}, 1, 15, 16},
    {"data_bank_bytes = 8 B", {.width = 8}, 1, 0, 1},
    {"scattered_bytes = 64 B/cycle", {.stride = 4}, 1, 0, 1}, /* words side by side */
    {"scattered_bytes = 64 B/cycle", {.stride = SAME}, 1, 0, 1},
    {"scattered_bytes = 64 B/cycle", {.stride = 12}, 1, 1, 2},
    {"scattered_bytes = 64 B/cycle", {.stride = 12, .mask = 0xffff}, 1, 0, 1},
    {"scattered_bytes = 64 B/cycle", {.width = 8}, 1, 3, 4},
    {"scattered_bytes = 64 B/cycle", {.width = 16}, 1, 7, 8},
    {"scattered_bytes = 64 B/cycle", {.stride = 64}, 4, 15, 16}, /* conflicts take more */
    /* rows that join, and rows apart */
    {"scattered_bytes = 64 B/cycle", {.stride = 4, .row_lanes = 16, .row_stride = 64}, 1, 0, 1},
    {"scattered_bytes = 64 B/cycle", {.stride = 4, .row_lanes = 16, .row_stride = 192}, 1, 1, 2},
    {"scattered_bytes = 64 B/cycle", {.addresses = listed, .mask = 0x7}, 1, 0, 1},
    {"scattered_bytes = 4 B/cycle", {.addresses = listed, .mask = 0x7}, 1, 0, 1}, /* neighbours */
    {"scattered_bytes = 4 B/cycle", {.addresses = listed, .mask = 0xf}, 1, 3, 4},
    /* tags and array overlap: the larger of the two */
    {"overlap = yes", {.stride = 4}, 1, 0, 1},
    {"overlap = yes", {.stride = 12}, 1, 0, 1},
    {"overlap = yes", {.width = 8}, 1, 1, 2},
    {"overlap = yes", {.stride = 64}, 4, 15, 16},
    {"overlap = yes", {.stride = 132}, 8, 7, 8},
    {"overlap = yes", {.stride = 128}, 8, 31, 32},
    {"overlap = yes; tag_banks = 1", {.stride = 64}, 16, 15, 16},
    {"overlap = yes; lookup_interval = 3 cycles", {.stride = 132}, 8, 21, 24},
    /* local memory: a line is a row, looked up alone */
    {"", {.space = LOCAL, .width = 8}, 2, 1, 2},
    {"data_banks = 8", {.space = LOCAL}, 1, 3, 4},
    /* without conflicts: of tags, of words, of rows; the path's 128 bytes a cycle stay */
    {"ideal_banks = yes", {.stride = 128}, 1, 0, 1},
    {"ideal_banks = yes", {.stride = 132}, 1, 0, 1},
    {"ideal_banks = yes", {.width = 8, .stride = 64}, 1, 1, 2},
    {"ideal_banks = yes", {.width = 16, .line = 1}, 1, 3, 4},
    {"ideal_banks = yes; overlap = yes", {.stride = 128}, 1, 0, 1},
    {"ideal_banks = yes; data_banks = 8", {.stride = 128}, 1, 3, 4},
    {"ideal_banks = yes", {.space = LOCAL, .width = 8}, 1, 1, 2},
    /* lane 0 reaches over into line 1: words 31 and 32, the second in the bank of lane 1's 0 */
    {"", {.addresses = across, .width = 8, .mask = 3}, 1, 1, 2},
    /* the narrowest array there may be: 512 passes of a byte */
    {"data_banks = 1; data_bank_bytes = 1 B", {.width = 16}, 1, 511, 512},
};

START_TEST(a_hit_takes_its_wavefronts_and_passes)
{
    const Cost *cost = &costs[_i];
    Lookup lookups[] = {cost->lookup,
                        {.at = 20, .line = PROBE, .mask = 1, .width = 1, .back = ANY},
                        cost->lookup,
                        {.at = 3000, .line = PROBE, .mask = 1, .width = 1}};
    lookups[0].at = 10;
    lookups[0].back = ANY;
    lookups[2].at = 3000;
    lookups[2].back = 3000 + cost->last + HIT;
    lookups[3].back = 3000 + cost->next + HIT;
    g_autofree char *settings = g_strconcat("data_backlog = 0 cycles; ", cost->settings, NULL);
    g_autoptr(Rig) rig = rig_new(settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 2 * (cost->wavefronts + 1));
    ck_assert_uint_eq(unit_count(rig->l1, "hits"), unit_count(rig->l1, "misses"));
}
END_TEST

static Lookup random_rows(GRand *random)
{
    return (Lookup){.at = 10,
                    .space = g_rand_boolean(random) ? GLOBAL : IN_SHARED,
                    .offset = 4 * (uint32_t)g_rand_int_range(random, 0, 64),
                    .stride = g_rand_boolean(random) ? SAME : 4 * g_rand_int_range(random, 1, 3),
                    .mask = g_rand_boolean(random) ? UINT32_MAX : g_rand_int(random) | 1,
                    .row_lanes = (uint8_t)(4 << g_rand_int_range(random, 0, 3)),
                    .row_stride = 4 * g_rand_int_range(random, 0, 200),
                    .back = ANY};
}

enum { ROWS_SHOWN = 10 };

static void list_addresses(const Lookup *rows, uint64_t address[32])
{
    const LaneSteps steps = {.base = rows->offset,
                             .stride = rows->stride == SAME ? 0 : rows->stride,
                             .row_lanes = rows->row_lanes,
                             .row_stride = rows->row_stride};
    for (uint32_t mask = rows->mask; mask; mask &= mask - 1)
        *address++ = lane_address(&steps, (uint32_t)__builtin_ctz(mask));
}

/* When its lines are there. */
START_TEST(rows_take_what_a_list_of_the_same_addresses_takes)
{
    static const char *const settings[] = {"", "overlap = yes", "shared_pairs = yes",
                                           "ideal_banks = yes", "data_banks = 64; tag_banks = 2"};
    g_autoptr(GRand) random = g_rand_new_with_seed(5 + (uint32_t)_i);
    static Lookup lookups[3 * ROWS_SHOWN];
    static uint64_t address[ROWS_SHOWN][32];
    for (guint i = 0; i < ROWS_SHOWN; i++) {
        Lookup *lookup = &lookups[3 * i];
        lookup[0] = lookup[1] = lookup[2] = random_rows(random);
        for (guint k = 0; k < 3; k++) lookup[k].at = (3 * i + k + 1) * 3000;
        list_addresses(lookup, address[i]);
        lookup[2].row_lanes = 0;
        lookup[2].addresses = address[i];
    }
    g_autoptr(Rig) rig = rig_new(settings[_i % (int)G_N_ELEMENTS(settings)], 0);
    RUN(rig, lookups);
    for (guint i = 0; i < 3 * ROWS_SHOWN; i += 3)
        ck_assert_uint_eq(came_back(rig, i + 1) + 3000, came_back(rig, i + 2));
    ck_assert_uint_eq(unit_count(rig->l1, "shared_passes") % 3, 0);
}
END_TEST

/* What it takes longer than with ideal banks: `next` of `costs`, less that without conflict. */
static const struct {
    const char *settings;
    Lookup lookup;
    uint64_t cycles;
} conflicts[] = {
    {"", {.stride = 4}, 0},
    {"", {.width = 16, .line = 1}, 0}, /* two wavefronts, but four passes in any case */
    {"", {.stride = 8}, 1},
    {"", {.stride = 132}, 8 - 1},
    {"", {.stride = 128}, 32 - 1},
    {"tag_banks = 1", {.stride = 132}, 32 - 1},
    {"lookup_interval = 3 cycles", {.stride = 132}, 24 - 3},
    {"", {.space = LOCAL, .width = 8}, 0}, /* two rows, whose bytes are two passes */
    {"data_banks = 64", {.space = LOCAL, .width = 8}, 1},
    {"ideal_banks = yes", {.stride = 128}, 0},
    {"scattered_bytes = 64 B/cycle", {.stride = 12}, 0}, /* two passes in any case */
    {"scattered_bytes = 64 B/cycle", {.stride = 64}, 16 - 2},
};

START_TEST(conflicts_are_the_cycles_beyond_those_without)
{
    Lookup lookup = conflicts[_i].lookup;
    lookup.at = 10;
    lookup.back = ANY;
    g_autoptr(Rig) rig = rig_new(conflicts[_i].settings, 0);
    run(rig, &lookup, 1);
    ck_assert_uint_eq(unit_count(rig->l1, "conflict_cycles"), conflicts[_i].cycles);
}
END_TEST

/* Eight wavefronts of four passes. The tags are ahead of the array by the backlog at most: a miss
 * behind, which needs no pass, is looked up 32 cycles after the first wavefront less the backlog,
 * and at the earliest after eight. */
static const struct {
    const char *settings;
    uint64_t cycles;
} backlogs[] = {{"overlap = yes; data_backlog = 0 cycles", 32},
                {"overlap = yes; data_backlog = 4 cycles", 28},
                {"overlap = yes; data_backlog = 16 cycles", 16},
                {"overlap = yes; data_backlog = 1000 cycles", 8},
                {"overlap = no; data_backlog = 1000 cycles", 32}};

START_TEST(the_array_is_behind_the_tags_by_its_backlog_at_most)
{
    const Lookup lookups[] = {
        {.at = 10, .stride = 128, .back = ANY},
        {.at = 2000, .stride = 128, .back = 2000 + 31 + HIT},
        {.at = 2000, .line = PROBE, .back = 2000 + backlogs[_i].cycles + MISS}};
    g_autoptr(Rig) rig = rig_new(backlogs[_i].settings, 0);
    RUN(rig, lookups);
}
END_TEST

/* Of a wavefront's lines 0 and 2 are there and line 1 is not. All three are read in one pass when
 * it is; who replays misses reads them line by line, the hits at once. */
static const struct {
    const char *settings;
    uint64_t behind, passes;
} parts[] = {{"", 200 + HIT + 1, 1},
             {"ideal_banks = yes", 200 + HIT + 1, 1},
             {"register_ports = 1", 200 + HIT + 1, 1},
             {"miss_replay = yes", 200 + HIT + 2, 2 + 1},
             {"miss_replay = yes; ideal_banks = yes", 200 + HIT + 1, 1 + 1}};

START_TEST(a_wavefront_is_read_when_the_line_that_misses_is_here)
{
    const Lookup lookups[] = {{.at = 10, .line = 0, .back = 10 + MISS},
                              {.at = 20, .line = 2, .back = 20 + MISS},
                              {.at = 200, .stride = 12, .back = 200 + MISS},
                              {.at = 200, .line = 0, .back = parts[_i].behind}};
    g_autoptr(Rig) rig = rig_new(parts[_i].settings, 0);
    RUN(rig, lookups);
    ck_assert_uint_eq(unit_count(rig->l1, "data_passes"), 2 + parts[_i].passes + 1);
    ck_assert_uint_eq(unit_count(rig->l1, "wavefronts"), 4);
}
END_TEST

/* --- long sequences --------------------------------------------------------------------------- */

enum { STRIDES = 65, REPEATS = 32, SLOT = 4096 };

static uint32_t bank_of(uint64_t line)
{
    uint32_t bank = 0;
    for (; line; line >>= 2) bank ^= line & 3;
    return bank;
}

/* Most different words of a bank, of the lanes whose line is in the wavefront; -1: in any. */
static uint32_t conflicts_of(const uint64_t *address, const int *wavefront, int wanted,
                             uint32_t first, uint32_t lanes, uint32_t width)
{
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < 128 / width; bank++) {
        uint32_t words = 0;
        for (uint32_t i = first; i < first + lanes; i++) {
            bool seen = wanted >= 0 && wavefront[i] != wanted;
            seen |= address[i] / width % (128 / width) != bank;
            for (uint32_t j = first; j < i; j++)
                seen |= address[j] == address[i] && (wanted < 0 || wavefront[j] == wanted);
            words += !seen;
        }
        most = MAX(most, words);
    }
    return most;
}

typedef struct {
    uint32_t tags, passes, sum; /* wavefronts; passes of all lanes; passes wavefront by wavefront */
} Rule;

/* The rule found on the measured curves: four tag banks, chosen by the exclusive or of all 2-bit
 * fields of the line number, take a line a cycle each; 32 banks of 4 bytes, or for 8-byte lanes 16
 * of 8 bytes and a half-warp at a time. V100 makes the passes of one wavefront before it looks up
 * the next, A100 overlaps both. */
static Rule rule_of(const uint64_t *address, uint32_t width)
{
    int wavefront[32], in_bank[4] = {0};
    Rule rule = {0};
    for (uint32_t i = 0; i < 32; i++) {
        wavefront[i] = -1;
        for (uint32_t j = 0; j < i; j++)
            if (address[j] / 128 == address[i] / 128) wavefront[i] = wavefront[j];
        if (wavefront[i] < 0) wavefront[i] = in_bank[bank_of(address[i] / 128)]++;
        rule.tags = MAX(rule.tags, (uint32_t)wavefront[i] + 1);
    }
    const uint32_t lanes = width == 8 ? 16 : 32;
    for (uint32_t first = 0; first < 32; first += lanes) {
        rule.passes += conflicts_of(address, wavefront, -1, first, lanes, width);
        for (int w = 0; w < (int)rule.tags; w++)
            rule.sum += conflicts_of(address, wavefront, w, first, lanes, width);
    }
    return rule;
}

/* Loads of lanes `stride` elements apart, each stride in its time slot: one that misses, and when
 * its lines are there the others. */
typedef struct {
    Lookup lookups[STRIDES * REPEATS];
    Rig *rig;
} Sequence;

static Sequence *run_strides(const char *settings, uint32_t width)
{
    Sequence *sequence = g_new0(Sequence, 1);
    Lookup *next = sequence->lookups;
    for (uint32_t stride = 0; stride < STRIDES; stride++)
        for (uint32_t i = 0; i < REPEATS; i++)
            *next++ = (Lookup){.at = SLOT * stride + (i ? SLOT / 2 : 10),
                               .stride = stride ? stride * width : SAME,
                               .width = (uint8_t)width,
                               .back = ANY};
    sequence->rig = rig_new(settings, 0);
    run(sequence->rig, sequence->lookups, STRIDES * REPEATS);
    return sequence;
}

/* Cycles a load takes, of the last half of the sequence. */
static double cycles_of(const Sequence *sequence, uint32_t stride)
{
    const guint last = (stride + 1) * REPEATS - 1, middle = last - REPEATS / 2;
    return (double)(came_back(sequence->rig, last) - came_back(sequence->rig, middle))
           / (REPEATS / 2);
}

static void sequence_free(Sequence *sequence)
{
    rig_free(sequence->rig);
    g_free(sequence);
}

static const struct {
    const char *settings;
    uint32_t width;
    bool overlaps;
} machines[] = {{"overlap = no", 4, false},
                {"overlap = no", 8, false},
                {"overlap = yes", 4, true},
                {"overlap = yes", 8, true}};

START_TEST(a_long_sequence_takes_what_the_rule_says)
{
    const uint32_t width = machines[_i].width;
    Sequence *sequence = run_strides(machines[_i].settings, width);
    for (uint32_t stride = 0; stride < STRIDES; stride++) {
        uint64_t address[32];
        for (uint32_t i = 0; i < 32; i++) address[i] = (uint64_t)i * stride * width;
        const Rule rule = rule_of(address, width);
        const uint32_t expected = machines[_i].overlaps ? MAX(rule.tags, rule.passes) : rule.sum;
        ck_assert_msg(cycles_of(sequence, stride) == expected, "stride %u: %g cycles, not %u",
                      stride, cycles_of(sequence, stride), expected);
    }
    sequence_free(sequence);
}
END_TEST

/* te42kyfo/gpu-benches, cuda-cache-patterns, V100 at 1380 MHz: cycles for a warp's load of doubles
 * that are in L1, at strides of 1 to 64 elements. */
static const double v100[] = {
    2.0,  4.0,  3.0,  8.0,  4.0,  6.0,  5.0,  15.9, 6.0,  6.0,  7.0,  11.9, 8.0,  8.0,  9.0,  31.8,
    9.0,  10.9, 11.9, 13.9, 11.9, 11.0, 13.9, 20.9, 14.9, 13.9, 10.9, 16.9, 10.9, 9.0,  11.0, 31.8,
    8.0,  9.0,  13.9, 14.9, 10.9, 17.9, 12.9, 22.9, 14.9, 16.9, 10.9, 19.9, 17.9, 16.9, 16.9, 31.8,
    15.9, 18.9, 11.9, 17.9, 20.9, 14.9, 18.9, 21.9, 10.9, 12.9, 11.9, 10.9, 15.9, 11.0, 10.9, 31.8};

START_TEST(strides_of_doubles_take_what_was_measured_on_a_V100)
{
    double sum = 0, worst = 0;
    Sequence *sequence = run_strides("overlap = no", 8);
    for (uint32_t stride = 1; stride < STRIDES; stride++) {
        const double error = fabs(cycles_of(sequence, stride) / v100[stride - 1] - 1);
        sum += error;
        worst = MAX(worst, error);
    }
    ck_assert_double_lt(sum / (STRIDES - 1), 0.01);
    ck_assert_double_lt(worst, 0.02);
    sequence_free(sequence);
}
END_TEST

/* te42kyfo/gpu-benches, gpu-strides, A100 at 1410 MHz: cycles for 32 lanes, at strides of 0 to 64
 * elements. Two warps side by side, each with eight loads at these offsets. */
static const struct {
    uint32_t width;
    double cycles[STRIDES];
} a100[] = {
    {4, {1,   1,    2,    1.6,  4,    2.2, 2.4, 2.7, 8,   3,   3.3, 3.6, 4,   4,    4,   4.5,  16,
         5.1, 5.1,  5.6,  5.3,  6,    6.1, 6.2, 8,   7,   7.1, 7.3, 7.3, 8,   8,    8.5, 32,   8.8,
         8.9, 9,    8.9,  9.2,  9.4,  9.4, 9.8, 9.3, 9.3, 9,   9.3, 9.8, 9.9, 10.1, 16,  10.3, 10.2,
         9.5, 10.2, 11.1, 10.5, 10.5, 9.6, 9.2, 9.5, 9.5, 10,  9.8, 9.2, 8.8, 32}},
    {8, {2,    2,    4,    2.4,  8,   3.3,  4,    4,    16,   5.1,  5.4,  6.1,  8,
         7.1,  7.6,  8,    32,   8.9, 9.2,  9.4,  9.8,  9.3,  9.3,  10,   16,   10.3,
         10.2, 10.5, 9.5,  9.4,  10,  9.2,  32,   9,    10.3, 9.6,  9.6,  9.7,  10.6,
         11.9, 16,   10.5, 10.2, 9.7, 10.2, 11.6, 12.1, 11.7, 32,   11.6, 11.2, 9.8,
         10.7, 12.8, 11.6, 11.5, 16,  9.6,  9.7,  9.8,  10.9, 10.6, 9.3,  9.1,  32}}};
static const uint32_t offsets[] = {0, 4, 8, 12, 20, 16, 24, 28};

enum { LOADS = 2 * G_N_ELEMENTS(offsets), ROUNDS = 4 };

static void make_a100_loads(Lookup *next, uint32_t width)
{
    for (uint32_t stride = 0; stride < STRIDES; stride++)
        for (uint32_t i = 0; i < LOADS * ROUNDS; i++) {
            const uint32_t warp = i % 2, offset = offsets[i / 2 % 8];
            *next++ = (Lookup){.at = SLOT * stride + (i < LOADS ? 10 : SLOT / 4),
                               .offset = (32 * warp * stride + offset) * width,
                               .stride = stride ? stride * width : SAME,
                               .width = (uint8_t)width,
                               .back = ANY};
        }
}

/* The mean error of the rule itself is 1.6 %: an access of 3 or 4 lines takes a little more. */
START_TEST(strides_take_what_was_measured_on_an_A100)
{
    static Lookup lookups[STRIDES * LOADS * ROUNDS];
    make_a100_loads(lookups, a100[_i].width);
    g_autoptr(Rig) rig = rig_new("capacity = 192 KiB; overlap = yes; prt_merges = 64", 0);
    RUN(rig, lookups);
    double sum = 0;
    for (uint32_t stride = 0; stride < STRIDES; stride++) {
        const guint end = (stride + 1) * LOADS * ROUNDS - 1, begin = end - LOADS * (ROUNDS - 2);
        const double cycles =
            (double)(came_back(rig, end) - came_back(rig, begin)) / (LOADS * (ROUNDS - 2));
        sum += fabs(cycles / a100[_i].cycles[stride] - 1);
    }
    ck_assert_double_lt(sum / STRIDES, 0.03);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("l1_throughput");
    tcase_add_loop_test(cases, a_hit_takes_its_wavefronts_and_passes, 0, G_N_ELEMENTS(costs));
    tcase_add_loop_test(cases, rows_take_what_a_list_of_the_same_addresses_takes, 0, 25);
    tcase_add_loop_test(cases, conflicts_are_the_cycles_beyond_those_without, 0,
                        G_N_ELEMENTS(conflicts));
    tcase_add_loop_test(cases, the_array_is_behind_the_tags_by_its_backlog_at_most, 0,
                        G_N_ELEMENTS(backlogs));
    tcase_add_loop_test(cases, a_wavefront_is_read_when_the_line_that_misses_is_here, 0,
                        G_N_ELEMENTS(parts));
    tcase_add_loop_test(cases, a_long_sequence_takes_what_the_rule_says, 0, G_N_ELEMENTS(machines));
    tcase_add_test(cases, strides_of_doubles_take_what_was_measured_on_a_V100);
    tcase_add_loop_test(cases, strides_take_what_was_measured_on_an_A100, 0, 2);
    return harness_run_cases("l1_throughput", cases);
}
