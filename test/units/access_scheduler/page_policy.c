/* Rows that nobody waits for: open, closed or by their past. Every command passes the checker. */
#include "rig.h"
#include "rigs/apart.h"
#include "rigs/unit_rig.h"

enum { REQUESTS = 6000 };

/* --- one read at a time --- */

typedef struct {
    const char *settings;
    uint64_t latency[4]; /* from arrival at the scheduler to the end of the data */
    uint64_t closes;
} Single;

/* CL 12 and a burst 2; tRCDRD 12, tRP 12. Row 0, row 0, row 1, row 1, far apart. */
enum { HIT = 14, CLOSED = 12 + HIT, CONFLICT = 12 + CLOSED };
static const Single singles[] = {
    {"page_policy = open", {CLOSED, HIT, CONFLICT, HIT}, 0},
    {"page_policy = closed", {CLOSED, CLOSED, CLOSED, CLOSED}, 4},
    /* the counter begins at 2 (stays open), learns 3 from the hit, 2 from the conflict, 3 again */
    {"page_policy = adaptive", {CLOSED, HIT, CONFLICT, HIT}, 0},
};

START_TEST(an_unloaded_read_finds_its_row_as_the_policy_left_it)
{
    const Single *single = &singles[_i];
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), single->settings);
    const uint64_t row_1 = dram_rig_address(rig, 0, 1, 0);
    const Step steps[] = {{100, TRANSACTION_READ, 0, 1, 0},
                          {300, TRANSACTION_READ, 0, 1, 0},
                          {500, TRANSACTION_READ, row_1, 1, 0},
                          {700, TRANSACTION_READ, row_1, 1, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    for (guint i = 0; i < G_N_ELEMENTS(steps); i++) /* one cycle each on three wires */
        ck_assert_uint_eq(harness_arrival(rig->sink, i)->cycle - steps[i].at - 3,
                          single->latency[i]);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_closes"), single->closes);
}
END_TEST

/* A conflict each time: 2, 1 after the first, and then the row is closed after its last request.
 * When the reads stay in one row again, two of them teach the counter to leave it open. */
START_TEST(the_adaptive_policy_learns_from_what_comes_after_a_row_was_left)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "page_policy = adaptive");
    Step steps[12];
    for (uint32_t i = 0; i < 12; i++)
        steps[i] = (Step){100 + 200 * i, TRANSACTION_READ,
                          dram_rig_address(rig, 0, i < 6 ? i : 6, 0), 1, 0};
    static const uint64_t latency[] = {CLOSED, CONFLICT, CLOSED, CLOSED, CLOSED, CLOSED, /* 0..5 */
                                       CLOSED, CLOSED,   CLOSED, HIT,    HIT,    HIT};   /* row 6 */
    harness_script(rig->source, steps, 12);
    dram_rig_run(rig);
    for (guint i = 0; i < 12; i++)
        ck_assert_msg(harness_arrival(rig->sink, i)->cycle - steps[i].at - 3 == latency[i],
                      "read %u: %" G_GUINT64_FORMAT, i,
                      harness_arrival(rig->sink, i)->cycle - steps[i].at - 3);
}
END_TEST

/* The precharge goes tRAS 28 after the activate, or tRTP 3 after the read; the next activate tRP
 * 12 later. A read of another row that comes in between finds the bank as far as it is: ACT at
 * 101, PRE at 129, ACT at 141, which ends at 141 + 12 + 12 + 2. */
START_TEST(a_close_is_booked_at_its_earliest_cycle)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "page_policy = closed");
    const Step steps[] = {{100, TRANSACTION_READ, 0, 1, 0},
                          {120, TRANSACTION_READ, dram_rig_address(rig, 0, 1, 0), 1, 0}};
    harness_script(rig->source, steps, 2);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrival(rig->sink, 1)->cycle, 141 + 12 + 12 + 2 + 2);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_misses"), 2);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_conflicts"), 0);
    ck_assert_uint_eq(unit_count(rig->channel, "precharges"), 2);
}
END_TEST

/* 64 lines of four rows wait at once: their rows are closed when their lists are empty, not
 * before. */
static Message *four_rows(Unit *source, uint64_t number, Time *at, void *user)
{
    const DramRig *rig = user;
    *at = 100 * TIME_NS;
    if (number >= 64) return NULL;
    const uint64_t row = dram_rig_address(rig, 0, (uint32_t)(number % 4), 0);
    return dram_rig_request(source, TRANSACTION_READ, row + number / 4 * 128, 128);
}

START_TEST(a_row_is_not_closed_while_requests_for_it_wait)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "page_policy = closed");
    harness_generate(rig->source, four_rows, rig);
    dram_rig_run(rig);
    /* the first line arrives alone and is served at once: its row is opened a second time */
    ck_assert_uint_le(unit_count(rig->channel, "activates"), 2 * (4 + 1));
    ck_assert_uint_eq(unit_count(rig->channel, "activates"),
                      unit_count(rig->channel, "precharges"));
}
END_TEST

/* The write waits until the bus is idle; its row stays open for it. */
START_TEST(a_row_is_not_closed_while_a_write_for_it_waits)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "page_policy = closed");
    static const Step steps[] = {{100, TRANSACTION_READ, 0, 1, 0},
                                 {100, TRANSACTION_WRITE, 128, 1, 0}};
    harness_script(rig->source, steps, 2);
    dram_rig_run(rig);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_hits"), 1);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_closes"), 1);
    ck_assert_uint_eq(unit_count(rig->channel, "activates"), 1);
}
END_TEST

/* Two writes of a row, the second long behind the first, which may say so. */
static Message *two_writes(Unit *source, uint64_t number, Time *at, void *user)
{
    const bool *row_goes_on = user;
    *at = (100 + 400 * number) * source->clock->period;
    if (number >= 2) return NULL;
    Message *write = dram_rig_request(source, TRANSACTION_WRITE, 128 * number, 32);
    ((Transaction *)write)->row_goes_on = *row_goes_on && !number;
    return write;
}

START_TEST(a_row_is_not_closed_behind_a_write_that_more_of_it_follows)
{
    bool row_goes_on = _i;
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "page_policy = closed");
    harness_generate(rig->source, two_writes, &row_goes_on);
    dram_rig_run(rig);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_hits"), row_goes_on);
    ck_assert_uint_eq(unit_count(rig->scheduler, "row_closes"), 2 - row_goes_on);
}
END_TEST

/* --- traffic --- */

typedef enum { RANDOM, STREAM, HALVES } Traffic;

typedef struct {
    Traffic traffic;
    const char *settings;
    uint64_t interval; /* cycles from read to read */
} Case;

typedef struct {
    double latency; /* from arrival to the last data, cycles */
    uint64_t closes, conflicts;
} Outcome;

typedef struct {
    const Case *with;
    GRand *random;
} Source;

static Message *make(Unit *source, uint64_t number, Time *at, void *user)
{
    const Source *maker = user;
    const Case *with = maker->with;
    *at = number * with->interval * TIME_NS;
    if (number >= REQUESTS) return NULL;
    const bool random =
        with->traffic == RANDOM || (with->traffic == HALVES && number < REQUESTS / 2);
    const uint64_t line = random ? g_rand_int(maker->random) % (1u << 17) : number;
    return dram_rig_request(source, TRANSACTION_READ, line * 128, 32);
}

static bool add_latency(Unit *sink, Message *message, Time now, void *user)
{
    (void)sink;
    *(Time *)user += now - ((const Transaction *)message)->entered;
    return false;
}

static void measure(const void *input, void *result)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), ((const Case *)input)->settings);
    Source maker = {input, g_rand_new_with_seed(11)};
    Time sum = 0;
    harness_generate(rig->source, make, &maker);
    harness_forget(rig->sink);
    harness_watch(rig->sink, add_latency, &sum);
    dram_rig_run(rig);
    g_rand_free(maker.random);
    ck_assert_uint_eq(harness_arrivals(rig->sink), REQUESTS);
    *(Outcome *)result = (Outcome){(double)sum / (double)TIME_NS / REQUESTS - 2, /* two wires */
                                   unit_count(rig->scheduler, "row_closes"),
                                   unit_count(rig->scheduler, "row_conflicts")};
}

static Outcome outcome_of(Case with)
{
    Outcome outcome;
    run_apart(measure, &with, &outcome, sizeof outcome);
    if (g_getenv("SCHEDULER_PRINT"))
        g_print("traffic %d, %s: latency %.2f, %" G_GUINT64_FORMAT " closes\n", with.traffic,
                with.settings, outcome.latency, outcome.closes);
    return outcome;
}

/* 200 cycles apart: nothing waits. Closed is tRCD + CL + tB whatever comes; open is a conflict
 * for a random read, and a hit in a stream, of which a row's first line is a conflict or a miss. */
START_TEST(random_reads_are_faster_closed_and_streams_open)
{
    const Outcome random_open = outcome_of((Case){RANDOM, "page_policy = open", 200}),
                  random_closed = outcome_of((Case){RANDOM, "page_policy = closed", 200}),
                  stream_open = outcome_of((Case){STREAM, "page_policy = open", 200}),
                  stream_closed = outcome_of((Case){STREAM, "page_policy = closed", 200});
    ck_assert_double_eq_tol(random_closed.latency, CLOSED, 0.01);
    ck_assert_double_eq_tol(random_open.latency, CONFLICT, 0.5);
    ck_assert_double_eq_tol(stream_closed.latency, CLOSED, 0.01);
    /* 16 lines of a row: (38 + 15 x 14) / 16 */
    ck_assert_double_eq_tol(stream_open.latency, (CONFLICT + 15 * HIT) / 16.0, 0.2);
    ck_assert_uint_eq(random_open.closes, 0);
    ck_assert_uint_eq(random_closed.closes, REQUESTS);
    ck_assert_uint_eq(random_closed.conflicts, 0);
}
END_TEST

/* Within 4 % of the better one, when the traffic is of one kind and when it changes; also under
 * load, where a few requests wait. */
START_TEST(the_adaptive_policy_comes_close_to_the_better_one)
{
    static const uint64_t intervals[] = {200, 12};
    static const Traffic traffics[] = {RANDOM, STREAM, HALVES};
    const uint64_t interval = intervals[_i / 3];
    const Traffic traffic = traffics[_i % 3];
    const double open = outcome_of((Case){traffic, "page_policy = open", interval}).latency,
                 closed = outcome_of((Case){traffic, "page_policy = closed", interval}).latency,
                 adaptive = outcome_of((Case){traffic, "page_policy = adaptive", interval}).latency;
    ck_assert_double_le(adaptive, 1.04 * MIN(open, closed));
    if (traffic == HALVES) ck_assert_double_le(adaptive, 0.9 * MIN(open, closed));
}
END_TEST

/* --- all of it legal --- */

static Message *random_mix(Unit *source, uint64_t number, Time *at, void *user)
{
    GRand *random = user;
    *at = number * 8 * TIME_NS;
    if (number >= REQUESTS) return NULL;
    const TransactionType type =
        g_rand_int_range(random, 0, 3) ? TRANSACTION_READ : TRANSACTION_WRITE;
    const uint64_t line = (uint64_t)g_rand_int_range(random, 0, 1 << 12) * 128;
    return dram_rig_request(source, type, line + (uint64_t)g_rand_int_range(random, 0, 2) * 64, 64);
}

static const DramRefresh refreshes[] = {DRAM_REFRESH_OFF, DRAM_REFRESH_PER_BANK,
                                        DRAM_REFRESH_ALL_BANK};
static const char *const mixes[] = {
    "policy = in_order; page_policy = closed",
    "policy = fifo; page_policy = adaptive",
    "policy = fr_fcfs; window = 8; page_policy = closed",
    "policy = fr_fcfs_age; patience = 500 cycles; page_policy = adaptive",
    "policy = sorter_store; row_burst = 4; page_policy = closed",
    "policy = sorter_store; patience = 500 cycles; page_policy = adaptive"};

START_TEST(every_policy_serves_a_random_mix_whole_and_legally)
{
    DramTiming timing = dram_rig_default_timing();
    timing.refresh = refreshes[_i % 3];
    g_autoptr(DramRig) rig = dram_rig_new(timing, mixes[_i / 3]);
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    harness_generate(rig->source, random_mix, random);
    harness_forget(rig->sink);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), REQUESTS);
    ck_assert_uint_eq(unit_count(rig->scheduler, "reads") + unit_count(rig->scheduler, "writes"),
                      REQUESTS);
    ck_assert_uint_gt(unit_count(rig->scheduler, "row_closes"), 100);
    ck_assert_uint_eq(
        unit_count(rig->scheduler, "row_closes") <= unit_count(rig->channel, "precharges"), true);
    assert_little(rig->scheduler, "reads_waiting");
    assert_little(rig->scheduler, "writes_waiting");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("page_policy");
    tcase_add_loop_test(cases, an_unloaded_read_finds_its_row_as_the_policy_left_it, 0,
                        G_N_ELEMENTS(singles));
    tcase_add_test(cases, the_adaptive_policy_learns_from_what_comes_after_a_row_was_left);
    tcase_add_test(cases, a_close_is_booked_at_its_earliest_cycle);
    tcase_add_test(cases, a_row_is_not_closed_while_requests_for_it_wait);
    tcase_add_test(cases, a_row_is_not_closed_while_a_write_for_it_waits);
    tcase_add_loop_test(cases, a_row_is_not_closed_behind_a_write_that_more_of_it_follows, 0, 2);
    tcase_add_test(cases, random_reads_are_faster_closed_and_streams_open);
    tcase_add_loop_test(cases, the_adaptive_policy_comes_close_to_the_better_one, 0, 6);
    tcase_add_loop_test(cases, every_policy_serves_a_random_mix_whole_and_legally, 0,
                        3 * G_N_ELEMENTS(mixes));
    return harness_run_cases("page_policy", cases);
}
