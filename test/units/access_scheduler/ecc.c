/* Codes that correct errors: the bursts that they take, and what is written in part. V100's HBM2:
 * bursts of 32 B, four a line; 16 lines of 128 B in a row of its two banks, the last one with the
 * codes of the others, 8 B each, so that a burst has those of four. */
#include "rig.h"
#include "rigs/unit_rig.h"

#define RD TRANSACTION_READ
#define WR TRANSACTION_WRITE

enum { STEPS = 4 };

typedef struct {
    DramEcc ecc;
    const char *settings;
    uint64_t reads, writes; /* bursts of DRAM */
    uint64_t row_hits, ecc_hits, merges;
    Step step[STEPS];
} Case;

static const Case cases[] = {
    {DRAM_ECC_NONE, NULL, 8, 0, 1, 0, 0, {{100, RD, 0, 15, 0}, {300, RD, 128, 15, 0}}},
    {DRAM_ECC_SIDEBAND, NULL, 8, 0, 1, 0, 0, {{100, RD, 0, 15, 0}, {300, RD, 128, 15, 0}}},
    /* one burst of codes for both; with each of them; each its own */
    {DRAM_ECC_INLINE, NULL, 9, 0, 1, 1, 0, {{100, RD, 0, 15, 0}, {300, RD, 128, 15, 0}}},
    {DRAM_ECC_INLINE,
     "ecc_entries = 0",
     10,
     0,
     1,
     0,
     0,
     {{100, RD, 0, 15, 0}, {300, RD, 128, 15, 0}}},
    {DRAM_ECC_INLINE, NULL, 10, 0, 1, 0, 0, {{100, RD, 0, 15, 0}, {300, RD, 512, 15, 0}}},
    /* the sixteenth line is the first of another row */
    {DRAM_ECC_NONE, NULL, 8, 0, 1, 0, 0, {{100, RD, 0, 15, 0}, {300, RD, 15 * 128, 15, 0}}},
    {DRAM_ECC_INLINE, NULL, 10, 0, 0, 0, 0, {{100, RD, 0, 15, 0}, {300, RD, 15 * 128, 15, 0}}},
    /* codes that are changed are read, which goes first and opens one of two banks, and stay */
    {DRAM_ECC_INLINE, NULL, 1, 4, 0, 0, 0, {{100, WR, 0, 15, 0}}},
    {DRAM_ECC_INLINE, NULL, 1, 8, 1, 1, 0, {{100, WR, 0, 15, 0}, {300, WR, 128, 15, 0}}},
    {DRAM_ECC_INLINE, "ecc_entries = 0", 0, 5, 0, 0, 0, {{100, WR, 0, 15, 0}}},
    /* ... until another burst takes their place: then they are written; unchanged they are not */
    {DRAM_ECC_INLINE,
     "ecc_entries = 1",
     6,
     5,
     2,
     0,
     0,
     {{100, WR, 0, 15, 0}, {300, RD, 512, 15, 0}}},
    {DRAM_ECC_INLINE,
     "ecc_entries = 1",
     10,
     0,
     1,
     0,
     0,
     {{100, RD, 0, 15, 0}, {300, RD, 512, 15, 0}}},
    /* the second sector is written in part */
    {DRAM_ECC_NONE, NULL, 0, 2, 0, 0, 0, {{100, WR, 0, 3, 2}}},
    {DRAM_ECC_SIDEBAND, NULL, 1, 2, 1, 0, 1, {{100, WR, 0, 3, 2}}},
    {DRAM_ECC_INLINE, NULL, 2, 2, 1, 1, 1, {{100, WR, 0, 3, 2}}},
};

static DramRig *rig_of(const Case *c)
{
    DramTiming timing = without_refresh();
    timing.ecc = c->ecc;
    return dram_rig_new(timing, c->settings);
}

static uint32_t count_steps(const Case *c)
{
    uint32_t count = 0;
    while (count < STEPS && c->step[count].at) count++;
    return count;
}

START_TEST(codes_take_their_bursts)
{
    const Case *c = &cases[_i];
    g_autoptr(DramRig) rig = rig_of(c);
    const uint32_t count = count_steps(c);
    harness_script(rig->source, c->step, count);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), count);
    ck_assert_uint_eq(unit_count(rig->channel, "reads"), c->reads);
    ck_assert_uint_eq(unit_count(rig->channel, "writes"), c->writes);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_hits"), c->row_hits);
    ck_assert_uint_eq(unit_count(rig->scheduler, "ecc_hits"), c->ecc_hits);
    ck_assert_uint_eq(unit_count(rig->scheduler, "merges"), c->merges);
    ck_assert_uint_eq(unit_count(rig->scheduler, "reads") + unit_count(rig->scheduler, "writes"),
                      count);
}
END_TEST

/* 1 to the scheduler; ACT; the read's column 12 later, its data 12 + 2; a write's follows at
 * CL + burst + 2 - CWL = 14 behind the read's, its data 2 + 2, and 1 back. */
START_TEST(a_write_of_a_part_follows_the_read_of_the_rest)
{
    static const Step steps[] = {{100, WR, 0, 1, 1}};
    const Case c = {.ecc = DRAM_ECC_SIDEBAND};
    g_autoptr(DramRig) rig = rig_of(&c);
    harness_script(rig->source, steps, 1);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrival(rig->sink, 0)->cycle, 101 + 12 + 14 + 2 + 2 + 1 + 1);
}
END_TEST

/* Lines anywhere, whole and in part, through few places: all come back, every command checked. */
static Message *make_any(Unit *source, uint64_t number, Time *at, void *user)
{
    (void)user;
    if (number == 3000) return NULL;
    *at = 0;
    const uint64_t random = number * 2654435761u, line = (random >> 7) % 4096;
    const bool write = random >> 3 & 1;
    Message *message = dram_rig_request(source, write ? WR : RD, line * 128, 128);
    if (write) ((Transaction *)message)->partial = (uint16_t)(random >> 5 & 5);
    return message;
}

static const char *const small[] = {
    NULL, "ecc_entries = 1; read_entries = 1; write_entries = 2; drain_high = 2; drain_low = 0",
    "ecc_entries = 0; read_entries = 2; read_sets = 1; read_ways = 1; write_sets = 1; write_ways = 1",
    "ecc_entries = 2; policy = in_order", "ecc_entries = 2; policy = sorter_store"};

START_TEST(every_request_is_answered)
{
    const Case c = {.ecc = DRAM_ECC_INLINE, .settings = small[_i]};
    g_autoptr(DramRig) rig = rig_of(&c);
    harness_generate(rig->source, make_any, NULL);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), 3000);
    ck_assert_uint_gt(unit_count(rig->scheduler, "merges"), 100);
    ck_assert_uint_gt(unit_count(rig->scheduler, "ecc_writes"), 100);
}
END_TEST

START_TEST(codes_take_their_share_of_the_capacity)
{
    DramTiming timing = dram_rig_default_timing();
    ck_assert(dram_timing_setup(&timing, NULL));
    const uint64_t all = dram_timing_capacity(&timing);
    timing.ecc = DRAM_ECC_INLINE;
    ck_assert_uint_eq(dram_timing_capacity(&timing), all / 16 * 15);
    timing.ecc = DRAM_ECC_SIDEBAND;
    ck_assert_uint_eq(dram_timing_capacity(&timing), all);
}
END_TEST

int main(void)
{
    TCase *cases_of_all = tcase_create("ecc");
    tcase_add_loop_test(cases_of_all, codes_take_their_bursts, 0, G_N_ELEMENTS(cases));
    tcase_add_test(cases_of_all, a_write_of_a_part_follows_the_read_of_the_rest);
    tcase_add_loop_test(cases_of_all, every_request_is_answered, 0, G_N_ELEMENTS(small));
    tcase_add_test(cases_of_all, codes_take_their_share_of_the_capacity);
    return harness_run_cases("ecc", cases_of_all);
}
