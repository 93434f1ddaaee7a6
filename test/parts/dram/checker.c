#include "rigs/harness.h"

#include "parts/dram/checker.h"

/* V100's HBM2 figures, in cycles. */
static const DramTiming hbm2 = {.channel_width = 8,
                                .burst_length = 4,
                                .data_rate = 2,
                                .bank_groups = 4,
                                .banks_per_group = 4,
                                .CL = 12,
                                .CWL = 2,
                                .tRCDRD = 12,
                                .tRCDWR = 10,
                                .tRP = 12,
                                .tRAS = 28,
                                .tRC = 42,
                                .tRRD_S = 4,
                                .tRRD_L = 6,
                                .tFAW = 20,
                                .t32AW = 200,
                                .tCCD_S = 2,
                                .tCCD_L = 4,
                                .tWTR_S = 6,
                                .tWTR_L = 8,
                                .tRTP = 5,
                                .tWR = 15,
                                .refresh = DRAM_REFRESH_OFF,
                                .tRFC = 307,
                                .tRFCpb = 141,
                                .tREFI = 3420,
                                .tREFIpb = 213,
                                .activate_cycles = 2,
                                .precharge_cycles = 1,
                                .row_bus_sharers = 1};

#define P(at, number)                                                                              \
    {                                                                                              \
        .cycle = at, .kind = DRAM_STEP_PRECHARGE, .bank = number                                   \
    }
#define A(at, number, of)                                                                          \
    {                                                                                              \
        .cycle = at, .kind = DRAM_STEP_ACTIVATE, .bank = number, .row = of                         \
    }
#define R(at, number, of)                                                                          \
    {                                                                                              \
        .cycle = at, .kind = DRAM_STEP_READ, .bank = number, .row = of                             \
    }
#define W(at, number, of)                                                                          \
    {                                                                                              \
        .cycle = at, .kind = DRAM_STEP_WRITE, .bank = number, .row = of                            \
    }
#define REF(at, number)                                                                            \
    {                                                                                              \
        .cycle = at, .kind = DRAM_STEP_REFRESH_BANK, .bank = number, .row = 1                      \
    }
#define REFALL(at)                                                                                 \
    {                                                                                              \
        .cycle = at, .kind = DRAM_STEP_REFRESH_ALL, .bank = DRAM_ALL_BANKS, .row = 1               \
    }
#define END                                                                                        \
    {                                                                                              \
        .bank = 254                                                                                \
    }

enum { STEPS = 8 };

typedef struct {
    const char *violation; /* part of the text on the last step; NULL: all is fine */
    DramStep step[STEPS];
} Log;

static const Log logs[] = {
    {NULL, {A(0, 0, 7), R(12, 0, 7), R(16, 0, 7), P(28, 0), A(42, 0, 8), R(54, 0, 8), END}},
    {"no row is open", {R(12, 0, 7), END}},
    {"no row is open", {A(0, 0, 7), R(12, 1, 7), END}},
    {"row 7 is open", {A(0, 0, 7), R(12, 0, 8), END}},
    {"row 7 is still open", {A(0, 0, 7), A(42, 0, 8), END}},
    {"no row is open", {P(28, 0), END}},
    {"order", {A(5, 0, 7), A(4, 4, 7), END}},
    {"no such bank", {A(0, 16, 7), END}},
    {"tRCDRD: 11", {A(0, 0, 7), R(11, 0, 7), END}},
    {"tRCDWR: 9", {A(0, 0, 7), W(9, 0, 7), END}},
    {NULL, {A(0, 0, 7), W(10, 0, 7), END}},
    {"tRAS: 27", {A(0, 0, 7), P(27, 0), END}},
    {"tRP: 11", {A(0, 0, 7), P(35, 0), A(46, 0, 8), END}},
    {"tRC: 41", {A(0, 0, 7), P(28, 0), A(41, 0, 8), END}},
    {"tRRD_S: 3", {A(0, 0, 7), A(3, 4, 7), END}},
    {NULL, {A(0, 0, 7), A(4, 4, 7), END}},
    {"tRRD_L: 5", {A(0, 0, 7), A(5, 1, 7), END}},
    {NULL, {A(0, 0, 7), A(6, 1, 7), END}},
    {"tFAW", {A(0, 0, 7), A(4, 4, 7), A(8, 8, 7), A(12, 12, 7), A(19, 1, 7), END}},
    {NULL, {A(0, 0, 7), A(4, 4, 7), A(8, 8, 7), A(12, 12, 7), A(20, 1, 7), END}},
    {"tCCD_L: 3", {A(0, 0, 7), R(12, 0, 7), R(15, 0, 7), END}},
    {"tCCD_S: 1", {A(0, 0, 7), A(4, 4, 7), R(16, 0, 7), R(17, 4, 7), END}},
    {NULL, {A(0, 0, 7), A(4, 4, 7), R(16, 0, 7), R(18, 4, 7), END}},
    {"tRTW: 13", {A(0, 0, 7), R(12, 0, 7), W(25, 0, 7), END}}, /* 12 + 2 + 2 - 2 = 14 */
    {NULL, {A(0, 0, 7), R(12, 0, 7), W(26, 0, 7), END}},
    {"tWTR_L: 11", {A(0, 0, 7), W(12, 0, 7), R(23, 0, 7), END}}, /* 2 + 2 + 8 = 12 */
    {"tWTR_S: 9", {A(0, 0, 7), A(4, 4, 7), W(16, 0, 7), R(25, 4, 7), END}},
    {NULL, {A(0, 0, 7), A(4, 4, 7), W(16, 0, 7), R(26, 4, 7), END}},
    {"tRTP: 4", {A(0, 0, 7), R(30, 0, 7), P(34, 0), END}},
    {"tWR: 18", {A(0, 0, 7), W(12, 0, 7), P(30, 0), END}}, /* 2 + 2 + 15 = 19 */
    {NULL, {A(0, 0, 7), W(12, 0, 7), P(31, 0), END}},
    {"row bus: 1", {A(0, 0, 7), A(30, 4, 7), P(31, 0), END}},
    {NULL, {A(0, 0, 7), A(30, 4, 7), P(32, 0), END}},
    {"tRFC: 152", {REF(0, 0), A(152, 0, 7), END}}, /* 12 + 141 */
    {NULL, {REF(0, 0), A(10, 1, 7), A(153, 0, 7), END}},
    {"no row is open", {A(0, 0, 7), REF(28, 0), R(40, 0, 7), END}},
    {"tRAS before refresh", {A(0, 0, 7), REF(27, 0), END}},
    {"tRTP before refresh", {A(0, 0, 7), R(30, 0, 7), REF(34, 0), END}},
    {"tWR before refresh", {A(0, 0, 7), W(30, 0, 7), REF(48, 0), END}},
    {"tRFC: 318", {REFALL(0), A(318, 9, 7), END}}, /* 12 + 307 */
    {NULL, {REFALL(0), A(319, 9, 7), END}},
    {"tRAS before refresh", {A(0, 9, 7), REFALL(20), END}},
};

static const char *feed_all(DramChecker *checker, const DramStep *steps, guint *fed)
{
    for (*fed = 0; *fed < STEPS && steps[*fed].bank != 254;) {
        const char *wrong = dram_checker_feed(checker, &steps[(*fed)++]);
        if (wrong) return wrong;
    }
    return NULL;
}

START_TEST(each_violation_is_found_at_its_command_and_nothing_else_is)
{
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autoptr(DramChecker) checker = dram_checker_new(&hbm2);
        guint fed;
        const char *wrong = feed_all(checker, logs[i].step, &fed);
        if (!logs[i].violation) {
            ck_assert_msg(!wrong, "log %u: %s", i, wrong);
            continue;
        }
        ck_assert_msg(wrong && strstr(wrong, logs[i].violation), "log %u: '%s', not '%s'", i,
                      wrong ? wrong : "nothing", logs[i].violation);
        ck_assert(fed == STEPS || logs[i].step[fed].bank == 254);
    }
}
END_TEST

/* An activate every 6 cycles, each of another of 64 banks: the 33rd comes at cycle 192. */
START_TEST(the_thirty_third_activate_within_t32AW_is_found)
{
    for (uint64_t window = 192; window <= 193; window++) {
        DramTiming timing = hbm2;
        timing.bank_groups = 16;
        timing.t32AW = window;
        g_autoptr(DramChecker) checker = dram_checker_new(&timing);
        const char *wrong = NULL;
        for (uint64_t i = 0; i <= 32; i++) {
            ck_assert_ptr_null(wrong);
            const DramStep open = A(i * 6, (uint8_t)(i % 16 * 4 + i / 16), 7);
            wrong = dram_checker_feed(checker, &open);
        }
        ck_assert_int_eq(wrong && strstr(wrong, "t32AW"), window == 193);
    }
}
END_TEST

START_TEST(a_second_burst_on_the_data_bus_is_found)
{
    DramTiming timing = hbm2;
    timing.burst_length = 16; /* 8 cycles, longer than tCCD_S */
    g_autoptr(DramChecker) checker = dram_checker_new(&timing);
    const DramStep steps[STEPS] = {A(0, 0, 7), A(4, 4, 7), R(16, 0, 7), R(23, 4, 7), END};
    guint fed;
    const char *wrong = feed_all(checker, steps, &fed);
    ck_assert_ptr_nonnull(wrong);
    ck_assert_ptr_nonnull(strstr(wrong, "data bus: overlaps data at cycle 28"));
}
END_TEST

START_TEST(a_bank_that_is_never_refreshed_is_found)
{
    DramTiming timing = hbm2;
    timing.refresh = DRAM_REFRESH_PER_BANK;
    g_autoptr(DramChecker) checker = dram_checker_new(&timing);
    const DramStep steps[STEPS] = {A(0, 0, 7), R(213, 0, 7), R(213 + 16 * 213 - 4, 0, 7),
                                   R(213 + 16 * 213, 0, 7), END};
    guint fed;
    const char *wrong = feed_all(checker, steps, &fed);
    ck_assert_ptr_nonnull(wrong);
    ck_assert_ptr_nonnull(strstr(wrong, "tREFI: 2 refreshes are due, 0 done"));
    ck_assert_uint_eq(fed, 4);
}
END_TEST

HARNESS_MAIN("dram_checker", each_violation_is_found_at_its_command_and_nothing_else_is,
             the_thirty_third_activate_within_t32AW_is_found,
             a_second_burst_on_the_data_bus_is_found, a_bank_that_is_never_refreshed_is_found)
