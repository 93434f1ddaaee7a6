/* Tags and replacement of NVIDIA's L1 against what was measured: one line a set too many and a
 * thread that loads, a chase that outgrows L1, and sweeps. */
#include "parts/cache/tag_array.h"

#include <check.h>

#include "rigs/harness.h"

/* Half of a load's sectors are valid only when it comes the second time. */
static bool load(TagArray *tags, uint64_t line, uint16_t sector)
{
    uint32_t place = tag_array_find(tags, line);
    if (place == TAG_NONE) {
        const TagRoom room = tag_array_room(tags, line);
        tag_array_take(tags, room, line);
        place = room.place;
    } else {
        tag_array_touch(tags, place);
    }
    const bool missed = !(tags->lines[place].valid & sector);
    tags->lines[place].valid |= sector;
    return missed;
}

/* --- one set ---------------------------------------------------------------------------------- */

/* Random loads of five, six and eight lines of one set of an H200 (test/silicon/tags.cu): a letter
 * a line, upper case where it missed. */
static const char *const recorded[] = {
    "ABCDEecceAdBAbaCdbdEaebabdCbdbabEedbbaabbbbCcbEbbbDcAcdbbcaccEeaecacccDcBddbacac"
    "daEdcdeadaBebabdCEcecdAeccadaBcEecBcceacccbabcDbaaEeDabeCcDdbAadcbbEbdAbdCbadcbd"
    "EbeddcdccddbAdEbdCbAdcEeecAceaccecdcccBeADecccdceccccdcBdccebebbcdcAdbEeedceecAB",
    "ABCDEFBbCbcbebfDfbbfeeeddefbbbebfeCeebceDebAFbefCDdAfCEcdcfAafafBbbDCbbbbcbddAcb"
    "aFbffcfEDBdfbfEeeADCBdFAaBeFfeBfbfDbdddbbdfeCAfccffceDeAaeecccFaaBEcDcBaadbbEbCA"
    "aaaFaccDcaadEecaeeFaaccffBDcEccAeBcbFDbEbedccddeedcFcecceeBFcbDbdFACcEedcFdefede",
    "ABCDEFGHDfhBdAdhGFfBGCgchBAGDFAfBcAhEDhBhFEGeADeeeBeehdAGEBdhbebCAaHeCDedcHAdhFc"
    "hAcBcFGchfEDChBAfECfehAhGgeeFhChcAahhehhBFeebGgADbHbgAEgDdeHdgFgAHdFEACcggFBHfAh"
    "faEefhCDfAfdfdBhEhhAGdEAeBbbCecdFeAcGHAcFacDaEeddHBGCFgfgEBCbEADbCcFADGHAFDGbdcF"};

START_TEST(a_set_of_four_hits_and_misses_as_on_an_h200)
{
    TagArray tags;
    tag_array_init(&tags,
                   &(TagArrayShape){.sets = 1, .ways = 4, .replacement = REPLACEMENT_HIT_AGE});
    for (const char *next = recorded[_i]; *next; next++)
        ck_assert_int_eq(load(&tags, (uint64_t)g_ascii_tolower(*next), 1),
                         g_ascii_isupper(*next) != 0);
    tag_array_finish(&tags);
}
END_TEST

/* --- sweeps ----------------------------------------------------------------------------------- */

/* An H200's L1: 256 KiB of tags, of which 217 hold data. */
static void init_h200(TagArray *tags)
{
    tag_array_init(tags, &(TagArrayShape){.sets = 512,
                                          .ways = 4,
                                          .most = 1736,
                                          .set_index = SET_INDEX_POLYNOMIAL,
                                          .replacement = REPLACEMENT_HIT_AGE});
}

static unsigned sweep(TagArray *tags, uint64_t lines)
{
    unsigned misses = 0;
    for (uint64_t line = 0; line < lines; line++) misses += load(tags, line, 1);
    return misses;
}

/* Loads of one thread, a word of each line in order (test/silicon/tags.cu): how many miss in the
 * second and third sweep, and in the fortieth. */
static const struct {
    unsigned lines, second, third, settled; /* 0: another number in each run, not compared */
} sweeps[] = {{1736, 0, 0, 0},       {1744, 71, 60, 56},      {1760, 160, 164, 156},
              {1800, 432, 407, 419}, {1850, 797, 512, 512},   {1900, 1168, 964, 0},
              {2000, 1817, 1539, 0}, {2100, 2009, 1868, 0},   {2200, 2145, 2072, 0},
              {2300, 2296, 2294, 0}, {2400, 2400, 2400, 2400}};

static void expect_near(unsigned misses, unsigned measured)
{
    ck_assert_double_eq_tol(misses, measured, 16 + 0.08 * measured);
}

START_TEST(sweeps_miss_as_often_as_on_an_h200)
{
    TagArray tags;
    init_h200(&tags);
    sweep(&tags, sweeps[_i].lines);
    expect_near(sweep(&tags, sweeps[_i].lines), sweeps[_i].second);
    expect_near(sweep(&tags, sweeps[_i].lines), sweeps[_i].third);
    unsigned misses = 0;
    for (unsigned i = 3; i < 40; i++) misses = sweep(&tags, sweeps[_i].lines);
    if (sweeps[_i].settled) expect_near(misses, sweeps[_i].settled);
    tag_array_finish(&tags);
}
END_TEST

/* --- the edge of L1 --------------------------------------------------------------------------- */

/* gpu-benches gpu-latency: share of loads that miss, (cycles - L1's) / (L2's - L1's). Tags of the
 * whole array, data of what the driver leaves. */
static const struct {
    const char *gpu;
    unsigned sets, ways, most, bytes;
    double misses;
} edges[] = {
    {"V100", 256, 4, 968, 120896, 0.00},  {"V100", 256, 4, 968, 133952, 0.32},
    {"V100", 256, 4, 968, 148352, 0.63},  {"V100", 256, 4, 968, 164160, 0.87},
    {"V100", 256, 4, 968, 181568, 0.94},  {"V100", 256, 4, 968, 200704, 0.99},
    {"A100", 256, 6, 1224, 164160, 0.24}, {"A100", 256, 6, 1224, 181568, 0.66},
    {"A100", 256, 6, 1224, 200704, 0.88}, {"A100", 256, 6, 1224, 221760, 0.97},
    {"A100", 256, 6, 1224, 244928, 0.99}, {"H100", 512, 4, 1736, 244928, 0.43},
    {"H100", 512, 4, 1736, 270400, 0.74}, {"H100", 512, 4, 1736, 298432, 0.88},
    {"H100", 512, 4, 1736, 329280, 0.97}, {"H100", 512, 4, 1736, 363200, 0.99},
};

enum { LAPS = 12 };

static void shuffle(uint32_t *order, unsigned count, GRand *random)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t other = (uint32_t)g_rand_int_range(random, 0, (gint32)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
}

/* A random cycle through nodes of 64 B; of the two warps that walk it the second finds each line
 * asked for. */
static double chase(TagArray *tags, unsigned nodes, GRand *random)
{
    g_autofree uint32_t *order = g_new(uint32_t, nodes);
    shuffle(order, nodes, random);
    unsigned misses = 0;
    for (unsigned lap = 0; lap < LAPS; lap++)
        for (unsigned i = 0; i < nodes; i++) {
            const uint16_t sector = (uint16_t)(order[i] % 2 ? 4 : 1);
            misses += load(tags, order[i] / 2, sector) && lap >= LAPS / 2;
            load(tags, order[i] / 2, sector);
        }
    return (double)misses / (LAPS - LAPS / 2) / nodes;
}

START_TEST(l1_loses_its_hits_as_gradually_as_the_hardware)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    TagArray tags;
    tag_array_init(&tags, &(TagArrayShape){.sets = edges[_i].sets,
                                           .ways = edges[_i].ways,
                                           .most = edges[_i].most,
                                           .set_index = SET_INDEX_POLYNOMIAL,
                                           .replacement = REPLACEMENT_HIT_AGE});
    const double misses = chase(&tags, edges[_i].bytes / 64, random);
    ck_assert_msg(ABS(misses - edges[_i].misses) < 0.05, "%s, %u B: %.3f of %.3f miss",
                  edges[_i].gpu, edges[_i].bytes, misses, edges[_i].misses);
    tag_array_finish(&tags);
}
END_TEST

/* --- all -------------------------------------------------------------------------------------- */

int main(void)
{
    TCase *cases = tcase_create("measured_l1");
    tcase_add_loop_test(cases, a_set_of_four_hits_and_misses_as_on_an_h200, 0,
                        G_N_ELEMENTS(recorded));
    tcase_add_loop_test(cases, sweeps_miss_as_often_as_on_an_h200, 0, G_N_ELEMENTS(sweeps));
    tcase_add_loop_test(cases, l1_loses_its_hits_as_gradually_as_the_hardware, 0,
                        G_N_ELEMENTS(edges));
    return harness_run_cases("measured_l1", cases);
}
