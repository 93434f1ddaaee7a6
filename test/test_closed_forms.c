/* What DRAM timing must give at saturation, as formulas of its parameters; the rows are those that
 * independent simulators were found to agree on. Every command of every run passes the checker. */
#include "dram_rig.h"

typedef struct {
    const char *name;
    DramTiming timing;
} Preset;

enum { PRESETS = 4, WARM_UP = 1000, REQUESTS = 9000 };

/* HBM2 2 Gb/s and GDDR6 14 Gb/s of Ramulator 2.1, GDDR5 1 Gb x32 of DRAMsim3, in their cycles. */
static DramTiming hbm2_ramulator(DramTiming t)
{
    t.CL = 14, t.CWL = 5, t.tRCDRD = 14, t.tRCDWR = 12, t.tRP = 14, t.tRAS = 34, t.tRC = 48;
    t.tRRD_S = t.tRRD_L = 4, t.tFAW = 15, t.tCCD_S = 2, t.tCCD_L = 4, t.tWTR_S = 6, t.tWTR_L = 8;
    t.tWR = 16, t.tRTP = 5, t.tRFC = 350, t.tRFCpb = 160, t.tREFI = 3900, t.tREFIpb = 244;
    return t;
}

static DramTiming gddr5(DramTiming t)
{
    t.channel_width = 4, t.burst_length = 8, t.data_rate = 4, t.row_bytes = 2048, t.rows = 16384;
    t.CL = 24, t.CWL = 7, t.tRCDRD = 18, t.tRCDWR = 15, t.tRP = 18, t.tRAS = 42, t.tRC = 60;
    t.tRRD_S = t.tRRD_L = 9, t.tFAW = 35, t.t32AW = 280, t.tCCD_S = 2, t.tCCD_L = 3,
    t.tWTR_S = t.tWTR_L = 8;
    t.tWR = 18, t.tRTP = 3, t.tRFC = 98, t.tREFI = 11699, t.activate_cycles = 1,
    t.row_bus_sharers = 1;
    return t;
}

static DramTiming gddr6(DramTiming t)
{
    t.channel_width = 2, t.burst_length = 16, t.data_rate = 8, t.row_bytes = 2048;
    t.CL = 24, t.CWL = 6, t.tRCDRD = 27, t.tRCDWR = 16, t.tRP = 27, t.tRAS = 53, t.tRC = 79;
    t.tRRD_S = t.tRRD_L = 8, t.tFAW = 29, t.tCCD_S = 2, t.tCCD_L = 4, t.tWTR_S = 9, t.tWTR_L = 11;
    t.tWR = 27, t.tRTP = 4, t.tRFC = 211, t.tREFI = 3333, t.activate_cycles = 1,
    t.row_bus_sharers = 1;
    return t;
}

static Preset preset(int number)
{
    DramTiming timing = dram_rig_default_timing();
    timing.refresh = DRAM_REFRESH_OFF;
    const Preset presets[PRESETS] = {{"HBM2 of V100", timing},
                                     {"HBM2 of Ramulator", hbm2_ramulator(timing)},
                                     {"GDDR5 of DRAMsim3", gddr5(timing)},
                                     {"GDDR6 of Ramulator", gddr6(timing)}};
    return presets[number];
}

/* --- patterns: the number-th request --- */

typedef struct Pattern {
    const DramRig *rig;
    uint64_t count;
    TransactionType type;
    Message *(*make)(const struct Pattern *pattern, Unit *source, uint64_t number);
    uint64_t block; /* requests before the direction changes */
    GRand *random;
} Pattern;

static Message *generate(Unit *source, uint64_t number, Time *at, void *user)
{
    const Pattern *pattern = user;
    *at = 0;
    return number < pattern->count ? pattern->make(pattern, source, number) : NULL;
}

static Message *whole_lines(const Pattern *pattern, Unit *source, uint64_t number)
{
    return dram_rig_request(source, pattern->type, number * 128, 128);
}

static Message *one_group(const Pattern *pattern, Unit *source, uint64_t number)
{
    const uint32_t per_row = (uint32_t)(pattern->rig->timing.row_bytes / 32);
    const uint32_t row = (uint32_t)number / per_row;
    const uint64_t address =
        dram_rig_address(pattern->rig, row % 4, row / 4, (uint32_t)number % per_row);
    return dram_rig_request(source, pattern->type, address, 32);
}

static Message *one_bank(const Pattern *pattern, Unit *source, uint64_t number)
{
    return dram_rig_request(source, pattern->type,
                            dram_rig_address(pattern->rig, 0, (uint32_t)number, 0), 32);
}

/* Groups change first. */
static Message *rotating_banks(const Pattern *pattern, Unit *source, uint64_t number)
{
    const uint32_t bank = (uint32_t)(number % 4 * 4 + number / 4 % 4);
    const uint64_t address = dram_rig_address(pattern->rig, bank, (uint32_t)number / 16, 0);
    return dram_rig_request(source, pattern->type, address, 32);
}

static Message *random_bursts(const Pattern *pattern, Unit *source, uint64_t number)
{
    (void)number;
    const uint64_t burst = g_rand_int(pattern->random) % (1u << 22);
    return dram_rig_request(source, pattern->type, burst * 32, 32);
}

/* All in one row of two groups, blocks of reads and of writes in turn. */
static Message *row_hit_blocks(const Pattern *pattern, Unit *source, uint64_t number)
{
    const TransactionType type = number / pattern->block % 2 ? TRANSACTION_WRITE : TRANSACTION_READ;
    return dram_rig_request(source, type, number % 16 * 128, 128);
}

static Message *row_hit_mix(const Pattern *pattern, Unit *source, uint64_t number)
{
    const TransactionType type =
        g_rand_boolean(pattern->random) ? TRANSACTION_WRITE : TRANSACTION_READ;
    return dram_rig_request(source, type, number % 2 * 64, 32);
}

/* --- measuring --- */

typedef struct {
    uint64_t seen;
    Time begin, end;
} Span;

static bool note(Unit *sink, Message *message, Time now, void *user)
{
    (void)sink, (void)message;
    Span *span = user;
    if (++span->seen == WARM_UP) span->begin = now;
    span->end = now;
    return false;
}

/* Cycles a request takes once the flow is steady. */
static double measure(const DramTiming *timing, const char *settings, Pattern pattern)
{
    g_autoptr(DramRig) rig = dram_rig_new(*timing, settings);
    Span span = {0};
    pattern.rig = rig;
    pattern.count = REQUESTS;
    pattern.random = g_rand_new_with_seed(7);
    harness_generate(rig->source, generate, &pattern);
    harness_forget(rig->sink);
    harness_watch(rig->sink, note, &span);
    dram_rig_run(rig);
    g_rand_free(pattern.random);
    ck_assert_uint_eq(span.seen, REQUESTS);
    return (double)(span.end - span.begin) / (double)TIME_NS / (REQUESTS - WARM_UP);
}

static double largest(double a, double b, double c)
{
    return MAX(MAX(a, b), c);
}

static void expect(const char *what, const char *name, double measured, double formula,
                   double tolerance)
{
    if (g_getenv("CLOSED_FORMS_PRINT"))
        g_print("%s, %s: measured %.4f, formula %.4f (%+.2f %%)\n", what, name, measured, formula,
                100 * (measured / formula - 1));
    ck_assert_msg(measured >= formula * (1 - tolerance) && measured <= formula * (1 + tolerance),
                  "%s, %s: %.4f cycles, not %.4f", what, name, measured, formula);
}

static const double exact = 0.005, approximate = 0.03;

START_TEST(row_1_a_stream_over_groups_takes_a_burst_each_tCCD_S)
{
    const Preset p = preset(_i);
    const DramTiming *t = &p.timing;
    const double burst = (double)t->burst_length / (double)t->data_rate;
    const double measured = measure(t, NULL, (Pattern){.make = whole_lines}) / 4;
    /* two groups take turns: also one burst each tCCD_L / 2 */
    expect("1 stream", p.name, measured, largest(burst, (double)t->tCCD_S, (double)t->tCCD_L / 2),
           exact);
}
END_TEST

START_TEST(row_1_writes_stream_as_fast)
{
    const Preset p = preset(_i);
    const DramTiming *t = &p.timing;
    const double burst = (double)t->burst_length / (double)t->data_rate;
    const double measured =
        measure(t, NULL, (Pattern){.make = whole_lines, .type = TRANSACTION_WRITE}) / 4;
    expect("1 stream of writes", p.name, measured,
           largest(burst, (double)t->tCCD_S, (double)t->tCCD_L / 2), exact);
}
END_TEST

START_TEST(row_2_a_stream_in_one_group_takes_a_burst_each_tCCD_L)
{
    const Preset p = preset(_i);
    const double burst = (double)p.timing.burst_length / (double)p.timing.data_rate;
    const double measured = measure(&p.timing, NULL, (Pattern){.make = one_group});
    expect("2 one group", p.name, measured, MAX(burst, (double)p.timing.tCCD_L), exact);
}
END_TEST

START_TEST(row_3_a_new_row_of_one_bank_each_read_takes_tRC)
{
    const Preset p = preset(_i);
    const DramTiming *t = &p.timing;
    const double measured = measure(t, NULL, (Pattern){.make = one_bank});
    expect(
        "3 one bank", p.name, measured,
        largest((double)t->tRC, (double)(t->tRAS + t->tRP), (double)(t->tRCDRD + t->tRTP + t->tRP)),
        exact);
}
END_TEST

START_TEST(row_3w_a_new_row_of_one_bank_each_write_waits_for_write_recovery)
{
    const Preset p = preset(_i);
    const DramTiming *t = &p.timing;
    const uint64_t recovery = t->CWL + t->burst_length / t->data_rate + t->tWR;
    const double measured =
        measure(t, NULL, (Pattern){.make = one_bank, .type = TRANSACTION_WRITE});
    expect("3w one bank, writes", p.name, measured,
           largest((double)t->tRC, (double)(t->tRAS + t->tRP),
                   (double)(t->tRCDWR + recovery + t->tRP)),
           exact);
}
END_TEST

static double activate_limit(const DramTiming *t)
{
    const double bus = (double)((t->activate_cycles + t->precharge_cycles) * t->row_bus_sharers);
    return largest(largest((double)t->tRRD_S, (double)t->tFAW / 4, (double)t->t32AW / 32),
                   (double)MAX(t->tRC, t->tRAS + t->tRP) / 16, bus);
}

START_TEST(row_4_new_rows_of_rotating_banks_are_limited_by_activates)
{
    const Preset p = preset(_i);
    const double measured = measure(&p.timing, NULL, (Pattern){.make = rotating_banks});
    expect("4 rotating banks", p.name, measured, activate_limit(&p.timing), exact);
}
END_TEST

/* With the row bus for itself, tFAW limits HBM2: 14 / 4. */
START_TEST(row_4_without_a_shared_row_bus_tFAW_decides)
{
    Preset p = preset(0);
    p.timing.row_bus_sharers = 1;
    const double measured = measure(&p.timing, NULL, (Pattern){.make = rotating_banks});
    expect("4 rotating banks, own row bus", p.name, measured, 3.5, exact);
}
END_TEST

START_TEST(row_5_random_reads_come_close_to_row_4)
{
    const Preset p = preset(_i);
    const double measured = measure(&p.timing, NULL, (Pattern){.make = random_bursts});
    expect("5 random", p.name, measured, activate_limit(&p.timing), approximate);
}
END_TEST

static uint64_t read_to_write(const DramTiming *t)
{
    return t->CL + t->burst_length / t->data_rate + 2 - t->CWL;
}

static uint64_t write_to_read(const DramTiming *t, uint64_t tWTR)
{
    return t->CWL + t->burst_length / t->data_rate + tWTR;
}

/* Read, write, read in one row: in another group, then in the same one. The data tells when the
 * command went. */
START_TEST(row_6_turnarounds_are_tRTW_and_tWTR_after_the_write)
{
    const Preset p = preset(_i);
    g_autoptr(DramRig) rig = dram_rig_new(p.timing, "policy = in_order");
    const Step steps[] = {{10, TRANSACTION_READ, 0, 1, 0},  {10, TRANSACTION_READ, 0, 4, 0},
                          {500, TRANSACTION_READ, 0, 1, 0}, {500, TRANSACTION_WRITE, 0, 4, 0},
                          {500, TRANSACTION_READ, 0, 1, 0}, {500, TRANSACTION_WRITE, 0, 1, 0},
                          {500, TRANSACTION_READ, 0, 1, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    uint64_t column[G_N_ELEMENTS(steps)];
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        const bool write = steps[i].type == TRANSACTION_WRITE;
        column[i] = harness_arrival(rig->sink, i)->cycle - (write ? p.timing.CWL : p.timing.CL);
    }
    ck_assert_uint_eq(column[3] - column[2], read_to_write(&p.timing));
    ck_assert_uint_eq(column[4] - column[3], write_to_read(&p.timing, p.timing.tWTR_S));
    ck_assert_uint_eq(column[5] - column[4], read_to_write(&p.timing));
    ck_assert_uint_eq(column[6] - column[5], write_to_read(&p.timing, p.timing.tWTR_L));
}
END_TEST

/* Blocks of 16 lines, 64 bursts. */
START_TEST(row_7_blocks_of_reads_and_writes_pay_two_turnarounds)
{
    const Preset p = preset(_i);
    const DramTiming *t = &p.timing;
    const double gap =
        largest((double)(t->burst_length / t->data_rate), (double)t->tCCD_S, (double)t->tCCD_L / 2);
    const double turn = (double)(read_to_write(t) + write_to_read(t, t->tWTR_S));
    const double measured =
        measure(t, "policy = in_order", (Pattern){.make = row_hit_blocks, .block = 16});
    expect("7 blocks", p.name, measured / 4, (128 * gap + turn - 2 * gap) / 128, approximate);
}
END_TEST

START_TEST(row_8_a_random_mix_in_order_pays_half_the_turnarounds)
{
    Preset p = preset(_i);
    DramTiming *t = &p.timing;
    t->tCCD_L = t->tCCD_S;
    t->tWTR_L = t->tWTR_S;
    const double gap = (double)MAX(t->burst_length / t->data_rate, t->tCCD_S);
    const double formula =
        gap / 2 + (double)read_to_write(t) / 4 + (double)write_to_read(t, t->tWTR_S) / 4;
    const double measured = measure(t, "policy = in_order", (Pattern){.make = row_hit_mix});
    expect("8 random mix", p.name, measured, formula, approximate);
}
END_TEST

START_TEST(row_9_all_bank_refresh_leaves_its_share_of_the_time)
{
    Preset p = preset(_i);
    DramTiming *t = &p.timing;
    t->refresh = DRAM_REFRESH_ALL_BANK;
    const double gap =
        largest((double)(t->burst_length / t->data_rate), (double)t->tCCD_S, (double)t->tCCD_L / 2);
    const double share = 1 - (double)(t->tRTP + t->tRP + t->tRFC + t->tRCDRD) / (double)t->tREFI;
    const double measured = measure(t, NULL, (Pattern){.make = whole_lines}) / 4;
    expect("9 all-bank refresh", p.name, measured, gap / share, 0.04);
}
END_TEST

START_TEST(row_9_per_bank_refresh_hides_behind_the_other_banks)
{
    Preset p = preset(_i); /* HBM2 only */
    p.timing.refresh = DRAM_REFRESH_PER_BANK;
    const double measured = measure(&p.timing, NULL, (Pattern){.make = whole_lines}) / 4;
    expect("9 per-bank refresh", p.name, measured, 2, 0.04);
}
END_TEST

/* Each read alone: the row closed, the row open, another row open. One cycle each to the scheduler,
 * to the DRAM and to the sink. */
START_TEST(row_10_an_unloaded_read_takes_its_commands_and_nothing_else)
{
    const Preset p = preset(_i);
    const DramTiming *t = &p.timing;
    g_autoptr(DramRig) rig = dram_rig_new(*t, NULL);
    const Step steps[] = {{100, TRANSACTION_READ, 0, 1, 0},
                          {1000, TRANSACTION_READ, 0, 1, 0},
                          {2000, TRANSACTION_READ, dram_rig_address(rig, 0, 1, 0), 1, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    const uint64_t hit = t->CL + t->burst_length / t->data_rate;
    const uint64_t expected[] = {t->tRCDRD + hit, hit, t->tRP + t->tRCDRD + hit};
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(harness_arrival(rig->sink, i)->cycle - steps[i].at, 3 + expected[i]);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("closed_forms");
    tcase_add_loop_test(cases, row_1_a_stream_over_groups_takes_a_burst_each_tCCD_S, 0, PRESETS);
    tcase_add_loop_test(cases, row_1_writes_stream_as_fast, 0, PRESETS);
    tcase_add_loop_test(cases, row_2_a_stream_in_one_group_takes_a_burst_each_tCCD_L, 0, PRESETS);
    tcase_add_loop_test(cases, row_3_a_new_row_of_one_bank_each_read_takes_tRC, 0, PRESETS);
    tcase_add_loop_test(cases, row_3w_a_new_row_of_one_bank_each_write_waits_for_write_recovery, 0,
                        PRESETS);
    tcase_add_loop_test(cases, row_4_new_rows_of_rotating_banks_are_limited_by_activates, 0,
                        PRESETS);
    tcase_add_test(cases, row_4_without_a_shared_row_bus_tFAW_decides);
    tcase_add_loop_test(cases, row_5_random_reads_come_close_to_row_4, 0, PRESETS);
    tcase_add_loop_test(cases, row_6_turnarounds_are_tRTW_and_tWTR_after_the_write, 0, PRESETS);
    tcase_add_loop_test(cases, row_7_blocks_of_reads_and_writes_pay_two_turnarounds, 0, PRESETS);
    tcase_add_loop_test(cases, row_8_a_random_mix_in_order_pays_half_the_turnarounds, 0, PRESETS);
    tcase_add_loop_test(cases, row_9_all_bank_refresh_leaves_its_share_of_the_time, 0, PRESETS);
    tcase_add_loop_test(cases, row_9_per_bank_refresh_hides_behind_the_other_banks, 0, 2);
    tcase_add_loop_test(cases, row_10_an_unloaded_read_takes_its_commands_and_nothing_else, 0,
                        PRESETS);
    return harness_run_cases("closed_forms", cases);
}
