/* What DRAM timing must give at saturation, as formulas of its parameters; the rows are those that
 * independent simulators were found to agree on. Every command of every run passes the checker.
 *
 * Every part of platform/dram is tried, as the program reads it: a new file is tested at once. */
#include "parts.h"

enum { WARM_UP = 800, REQUESTS = 5000, RANDOM_REQUESTS = 10000 };

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
    const DramTiming *t = &pattern->rig->timing;
    const uint32_t per_row = (uint32_t)(t->row_bytes / t->burst_bytes);
    const uint32_t row = (uint32_t)number / per_row, banks = (uint32_t)t->banks_per_group;
    const uint64_t address =
        dram_rig_address(pattern->rig, row % banks, row / banks, (uint32_t)number % per_row);
    return dram_rig_request(source, pattern->type, address, 32);
}

static uint32_t row_of(const Pattern *pattern, uint64_t number)
{
    return (uint32_t)(number & (pattern->rig->timing.rows - 1));
}

static Message *one_bank(const Pattern *pattern, Unit *source, uint64_t number)
{
    return dram_rig_request(source, pattern->type,
                            dram_rig_address(pattern->rig, 0, row_of(pattern, number), 0), 32);
}

/* Groups change first. */
static Message *rotating_banks(const Pattern *pattern, Unit *source, uint64_t number)
{
    const DramTiming *t = &pattern->rig->timing;
    const uint64_t group = number % t->bank_groups;
    const uint64_t bank = number / t->bank_groups % t->banks_per_group;
    const uint64_t address =
        dram_rig_address(pattern->rig, (uint32_t)(group * t->banks_per_group + bank),
                         row_of(pattern, number / t->banks), 0);
    return dram_rig_request(source, pattern->type, address, 32);
}

static Message *random_bursts(const Pattern *pattern, Unit *source, uint64_t number)
{
    (void)number;
    const DramTiming *t = &pattern->rig->timing;
    const uint64_t bursts = dram_timing_capacity(t) / t->burst_bytes;
    const uint64_t burst = g_rand_int(pattern->random) % bursts;
    return dram_rig_request(source, pattern->type, burst * t->burst_bytes, 32);
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
    if (!pattern.count) pattern.count = REQUESTS;
    pattern.random = g_rand_new_with_seed(7);
    harness_generate(rig->source, generate, &pattern);
    harness_forget(rig->sink);
    harness_watch(rig->sink, note, &span);
    dram_rig_run(rig);
    g_rand_free(pattern.random);
    ck_assert_uint_eq(span.seen, pattern.count);
    return (double)(span.end - span.begin) / (double)TIME_NS / (double)(pattern.count - WARM_UP);
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

/* Cycles a burst. */
static double measure_lines(const DramTiming *timing, const char *settings, Pattern pattern)
{
    return measure(timing, settings, pattern) * (double)bytes_of_burst(timing) / 128;
}

START_TEST(row_1_a_stream_over_groups_takes_a_burst_each_tCCD_S)
{
    const Part p = part_without_refresh(_i);
    expect("1 stream", p.name, measure_lines(&p.timing, NULL, (Pattern){.make = whole_lines}),
           p.gap, exact);
}
END_TEST

START_TEST(row_1_writes_stream_as_fast)
{
    const Part p = part_without_refresh(_i);
    const Pattern writes = {.make = whole_lines, .type = TRANSACTION_WRITE};
    expect("1 stream of writes", p.name, measure_lines(&p.timing, NULL, writes), p.gap, exact);
}
END_TEST

START_TEST(row_2_a_stream_in_one_group_takes_a_burst_each_tCCD_L)
{
    const Part p = part_without_refresh(_i);
    expect("2 one group", p.name, measure(&p.timing, NULL, (Pattern){.make = one_group}),
           MAX(p.burst, (double)p.timing.tCCD_L), exact);
}
END_TEST

static double row_cycle(const DramTiming *t)
{
    return largest((double)t->tRC, (double)(t->tRAS + t->tRP),
                   (double)(t->tRCDRD + t->tRTP + t->tRP));
}

START_TEST(row_3_a_new_row_of_one_bank_each_read_takes_tRC)
{
    const Part p = part_without_refresh(_i);
    expect("3 one bank", p.name, measure(&p.timing, NULL, (Pattern){.make = one_bank}),
           row_cycle(&p.timing), exact);
}
END_TEST

START_TEST(row_3w_a_new_row_of_one_bank_each_write_waits_for_write_recovery)
{
    const Part p = part_without_refresh(_i);
    const DramTiming *t = &p.timing;
    const uint64_t recovery = t->CWL + t->burst_length / t->data_rate + t->tWR;
    const Pattern writes = {.make = one_bank, .type = TRANSACTION_WRITE};
    expect("3w one bank, writes", p.name, measure(t, NULL, writes),
           largest((double)t->tRC, (double)(t->tRAS + t->tRP),
                   (double)(t->tRCDWR + recovery + t->tRP)),
           exact);
}
END_TEST

/* A burst takes an activate, a precharge and a column: on the row bus the first two, on an only bus
 * all three. */
static double bus_limit(const DramTiming *t)
{
    const uint64_t rows = t->activate_cycles + t->precharge_cycles;
    return (double)(t->command_buses == 1 ? rows + 1 : rows * t->row_bus_sharers);
}

/* Activates one every tRRD, and columns tRCD after theirs: where tRCD is a multiple of tRRD, each
 * column meets a later activate on an only bus and moves it by a cycle. */
static double collisions(const DramTiming *t, double limit)
{
    if (t->command_buses == 2 || limit > (double)t->tRRD_S || t->tRCDRD % t->tRRD_S) return 0;
    return (double)t->tRRD_S / (double)t->tRCDRD;
}

static double activate_limit(const Part *p)
{
    const DramTiming *t = &p->timing;
    const double banks = (double)(t->bank_groups * t->banks_per_group);
    const double windows = largest((double)t->tRRD_S, (double)t->tFAW / 4, (double)t->t32AW / 32);
    const double group = (double)t->tRRD_L / (double)t->bank_groups;
    const double bus = MAX(bus_limit(t), MAX(p->burst, (double)t->tCCD_S));
    return largest(MAX(windows, group), row_cycle(t) / banks, bus) + collisions(t, windows);
}

START_TEST(row_4_new_rows_of_rotating_banks_are_limited_by_activates)
{
    const Part p = part_without_refresh(_i);
    expect("4 rotating banks", p.name, measure(&p.timing, NULL, (Pattern){.make = rotating_banks}),
           activate_limit(&p), exact);
}
END_TEST

/* With the row bus for itself, tFAW limits HBM2: 14 / 4. */
START_TEST(row_4_without_a_shared_row_bus_tFAW_decides)
{
    Part p = find_part("hbm2_v100");
    p.timing.row_bus_sharers = 1;
    const double measured = measure(&p.timing, NULL, (Pattern){.make = rotating_banks});
    expect("4 rotating banks, own row bus", p.name, measured, 3.5, exact);
}
END_TEST

/* GDDR5 with activates as close as the bus allows: a precharge, an activate and a read each take a
 * cycle of the only bus; with two buses the row bus needs two, as does the burst. */
START_TEST(row_4_without_activate_limits_the_command_bus_decides)
{
    Part p = find_part("gddr5_6000");
    DramTiming *t = &p.timing;
    t->tRRD_S = t->tRRD_L = 1;
    t->tFAW = t->t32AW = 0;
    t->tRCDRD = t->tRP = 8, t->tRAS = 16, t->tRC = 24;
    t->command_buses = (uint64_t)_i;
    expect(_i == 1 ? "4 one bus" : "4 two buses", p.name,
           measure(t, NULL, (Pattern){.make = rotating_banks}), _i == 1 ? 3 : 2, exact);
}
END_TEST

static const char deep_queue[] = "read_entries = 512; read_ways = 512; horizon = 150 cycles";

/* Where the banks decide, chance leaves one of them idle at times; where the share of the row bus
 * decides, an activate that waits for tRRD may miss its turn. */
static double tolerance_of_random(const Part *p)
{
    const DramTiming *t = &p->timing;
    const double limit = activate_limit(p);
    const bool by_banks = row_cycle(t) / (double)(t->bank_groups * t->banks_per_group) >= limit;
    const bool by_bus = bus_limit(t) >= limit && (double)t->tRRD_S > 0.8 * limit;
    return by_banks || by_bus ? 0.07 : approximate;
}

/* Each bank waits for itself only: the scheduler looks at one request of each set of interleaved
 * banks. */
START_TEST(row_5_random_reads_come_close_to_row_4)
{
    Part p = part_without_refresh(_i);
    p.timing.interleaved_groups = 1;
    const Pattern random = {.make = random_bursts, .count = RANDOM_REQUESTS};
    expect("5 random", p.name, measure(&p.timing, deep_queue, random), activate_limit(&p),
           tolerance_of_random(&p));
}
END_TEST

static uint64_t read_to_write(const DramTiming *t)
{
    return t->tRTW ? t->tRTW : t->CL + t->burst_length / t->data_rate + 2 - t->CWL;
}

static uint64_t write_to_read(const DramTiming *t, uint64_t tWTR)
{
    return t->CWL + t->burst_length / t->data_rate + tWTR;
}

/* Read, write, read in one row: in another group, then in the same one. The data tells when the
 * command went. */
START_TEST(row_6_turnarounds_are_tRTW_and_tWTR_after_the_write)
{
    const Part p = part_without_refresh(_i);
    const DramTiming *t = &p.timing;
    g_autoptr(DramRig) rig = dram_rig_new(*t, "policy = in_order");
    const uint16_t other = (uint16_t)(1u << t->group_interleave / 32); /* first sector there */
    const Step steps[] = {{10, TRANSACTION_READ, 0, 1, 0},  {10, TRANSACTION_READ, 0, other, 0},
                          {500, TRANSACTION_READ, 0, 1, 0}, {500, TRANSACTION_WRITE, 0, other, 0},
                          {500, TRANSACTION_READ, 0, 1, 0}, {500, TRANSACTION_WRITE, 0, 1, 0},
                          {500, TRANSACTION_READ, 0, 1, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    uint64_t column[G_N_ELEMENTS(steps)];
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) {
        const bool write = steps[i].type == TRANSACTION_WRITE;
        column[i] = harness_arrival(rig->sink, i)->cycle - (write ? t->CWL : t->CL);
    }
    ck_assert_uint_eq(column[3] - column[2], read_to_write(t));
    ck_assert_uint_eq(column[4] - column[3], write_to_read(t, t->tWTR_S));
    ck_assert_uint_eq(column[5] - column[4], read_to_write(t));
    ck_assert_uint_eq(column[6] - column[5], write_to_read(t, t->tWTR_L));
}
END_TEST

/* Blocks of 16 lines. */
START_TEST(row_7_blocks_of_reads_and_writes_pay_two_turnarounds)
{
    const Part p = part_without_refresh(_i);
    const DramTiming *t = &p.timing;
    const double both = 2 * 16 * 128 / (double)bytes_of_burst(t);
    const double turn = (double)(read_to_write(t) + write_to_read(t, t->tWTR_S));
    const Pattern blocks = {.make = row_hit_blocks, .block = 16};
    expect("7 blocks", p.name, measure_lines(t, "policy = in_order", blocks),
           (both * p.gap + turn - 2 * p.gap) / both, approximate);
}
END_TEST

START_TEST(row_8_a_random_mix_in_order_pays_half_the_turnarounds)
{
    Part p = part_without_refresh(_i);
    DramTiming *t = &p.timing;
    t->tCCD_L = t->tCCD_S;
    t->tWTR_L = t->tWTR_S;
    const double gap = MAX(p.burst, (double)t->tCCD_S);
    const double formula =
        gap / 2 + (double)read_to_write(t) / 4 + (double)write_to_read(t, t->tWTR_S) / 4;
    const double measured = measure(t, "policy = in_order", (Pattern){.make = row_hit_mix});
    expect("8 random mix", p.name, measured, formula, approximate);
}
END_TEST

START_TEST(row_9_all_bank_refresh_leaves_its_share_of_the_time)
{
    Part p = read_part(_i);
    DramTiming *t = &p.timing;
    if (t->refresh == DRAM_REFRESH_OFF) return; /* the part does not state any */
    t->refresh = DRAM_REFRESH_ALL_BANK;
    const double share = 1 - (double)(t->tRTP + t->tRP + t->tRFC + t->tRCDRD) / (double)t->tREFI;
    expect("9 all-bank refresh", p.name, measure_lines(t, NULL, (Pattern){.make = whole_lines}),
           p.gap / share, 0.04);
}
END_TEST

START_TEST(row_9_per_bank_refresh_hides_behind_the_other_banks)
{
    const Part p = read_part(_i);
    if (p.timing.refresh != DRAM_REFRESH_PER_BANK) return;
    expect("9 per-bank refresh", p.name,
           measure_lines(&p.timing, NULL, (Pattern){.make = whole_lines}), p.gap, 0.04);
}
END_TEST

/* Each read alone: the row closed, the row open, another row open. One cycle each to the scheduler,
 * to the DRAM and to the sink. */
START_TEST(row_10_an_unloaded_read_takes_its_commands_and_nothing_else)
{
    const Part p = part_without_refresh(_i);
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

/* Two reads, so far apart that refreshes lie between them: neither these nor cycles are events. */
static const struct {
    DramRefresh refresh;
    uint64_t apart; /* ns */
} idle[] = {{DRAM_REFRESH_ALL_BANK, 8000},
            {DRAM_REFRESH_ALL_BANK, 1000000000},
            {DRAM_REFRESH_PER_BANK, 8000},
            {DRAM_REFRESH_PER_BANK, 1000000000}};

START_TEST(idle_time_costs_no_events)
{
    Part p = find_part("hbm2_v100");
    p.timing.refresh = idle[_i].refresh;
    g_autoptr(DramRig) rig = dram_rig_new(p.timing, NULL);
    const Step steps[] = {{100, TRANSACTION_READ, 0, 1, 0},
                          {100 + idle[_i].apart, TRANSACTION_READ, 0, 1, 0}};
    harness_script(rig->source, steps, 2);
    dram_rig_run(rig);
    ck_assert_uint_eq(rig->harness->report.events, 11);
}
END_TEST

/* A part says everything but what a board chooses, the bank hash and ECC, and whether DRAM is
 * ideal, which no part is: nothing is left to the defaults, which are V100's. */
START_TEST(a_part_states_every_parameter)
{
    const Part part = read_part(_i);
    g_autoptr(Configuration) configuration = configuration_new();
    ck_assert(dram_part_select(configuration, part.name, NULL, 0, NULL));
    ck_assert_ptr_nonnull(configuration_find(configuration, "machine", "dram_clock"));
    for (const Param *param = dram_group.params; param->name; param++)
        ck_assert_msg(!strcmp(param->name, "bank_hash") || !strcmp(param->name, "ideal")
                          || g_str_has_prefix(param->name, "ecc")
                          || configuration_find(configuration, "dram", param->name),
                      "%s does not say %s", part.name, param->name);
}
END_TEST

int main(void)
{
    const int parts = count_parts();
    TCase *cases = tcase_create("closed_forms");
    tcase_add_loop_test(cases, idle_time_costs_no_events, 0, G_N_ELEMENTS(idle));
    tcase_add_loop_test(cases, a_part_states_every_parameter, 0, parts);
    tcase_add_loop_test(cases, row_1_a_stream_over_groups_takes_a_burst_each_tCCD_S, 0, parts);
    tcase_add_loop_test(cases, row_1_writes_stream_as_fast, 0, parts);
    tcase_add_loop_test(cases, row_2_a_stream_in_one_group_takes_a_burst_each_tCCD_L, 0, parts);
    tcase_add_loop_test(cases, row_3_a_new_row_of_one_bank_each_read_takes_tRC, 0, parts);
    tcase_add_loop_test(cases, row_3w_a_new_row_of_one_bank_each_write_waits_for_write_recovery, 0,
                        parts);
    tcase_add_loop_test(cases, row_4_new_rows_of_rotating_banks_are_limited_by_activates, 0, parts);
    tcase_add_test(cases, row_4_without_a_shared_row_bus_tFAW_decides);
    tcase_add_loop_test(cases, row_4_without_activate_limits_the_command_bus_decides, 1, 3);
    tcase_add_loop_test(cases, row_5_random_reads_come_close_to_row_4, 0, parts);
    tcase_add_loop_test(cases, row_6_turnarounds_are_tRTW_and_tWTR_after_the_write, 0, parts);
    tcase_add_loop_test(cases, row_7_blocks_of_reads_and_writes_pay_two_turnarounds, 0, parts);
    tcase_add_loop_test(cases, row_8_a_random_mix_in_order_pays_half_the_turnarounds, 0, parts);
    tcase_add_loop_test(cases, row_9_all_bank_refresh_leaves_its_share_of_the_time, 0, parts);
    tcase_add_loop_test(cases, row_9_per_bank_refresh_hides_behind_the_other_banks, 0, parts);
    tcase_add_loop_test(cases, row_10_an_unloaded_read_takes_its_commands_and_nothing_else, 0,
                        parts);
    return harness_run_cases("closed_forms", cases);
}
