/* What the scheduler's policies make of the same requests. Every command passes the checker. */
#include "rig.h"
#include "rigs/apart.h"
#include "rigs/unit_rig.h"

/* --- interleaved streams: each walks through rows of its own, all in four bank sets --- */

enum { LINES_OF_A_ROW = 16, ROUNDS = 96 }; /* 2 groups x 1 KiB / 128 B */

typedef struct {
    const DramRig *rig;
    uint32_t streams;
    uint64_t count;
} Streams;

/* Line n of stream s; streams begin rows apart, so that at any time each is in another row. */
static uint64_t line_of_stream(const DramRig *rig, uint32_t stream, uint64_t n)
{
    const uint32_t row = stream * 64 + (uint32_t)(n / LINES_OF_A_ROW);
    const uint64_t base = dram_rig_address(rig, stream % 4, row, 0);
    return base + n % LINES_OF_A_ROW * 128;
}

static Message *interleaved(Unit *source, uint64_t number, Time *at, void *user)
{
    const Streams *streams = user;
    *at = 0;
    if (number >= streams->count) return NULL;
    const uint64_t address = line_of_stream(streams->rig, (uint32_t)(number % streams->streams),
                                            number / streams->streams);
    return dram_rig_request(source, TRANSACTION_READ, address, 128);
}

typedef struct {
    double hit_rate, activates, cycles; /* activates and cycles a read of a line */
    double worst;                       /* wait, cycles */
} Outcome;

static Outcome outcome_of(const DramRig *rig, uint64_t count)
{
    const Time end = harness_arrival(rig->sink, count - 1)->at;
    return (Outcome){
        (double)unit_count(rig->scheduler, "row_hits") / (double)count,
        (double)unit_count(rig->channel, "activates") / (double)count,
        (double)end / (double)TIME_NS / (double)count,
        (double)unit_histogram(rig->scheduler, "wait")->maximum / (double)TIME_NS,
    };
}

typedef struct {
    uint32_t streams;
    const char *settings;
} Case;

static void measure_streams(const void *input, void *result)
{
    const Case *c = input;
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), c->settings);
    Streams streams = {rig, c->streams, (uint64_t)c->streams * ROUNDS};
    harness_generate(rig->source, interleaved, &streams);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), streams.count);
    assert_little(rig->scheduler, "reads_waiting");
    *(Outcome *)result = outcome_of(rig, streams.count);
}

static Outcome run_streams(uint32_t streams, const char *settings)
{
    Outcome outcome;
    run_apart(measure_streams, &(Case){streams, settings}, &outcome, sizeof outcome);
    if (g_getenv("SCHEDULER_PRINT"))
        g_print("%2u streams, %s: hits %.1f %%, activates a line %.3f, %.2f B/cycle, worst wait "
                "%.0f\n",
                streams, settings, 100 * outcome.hit_rate, outcome.activates, 128 / outcome.cycles,
                outcome.worst);
    return outcome;
}

static const char *const sorter_store = "policy = sorter_store; read_entries = 64";

/* A line takes at least 4 bursts x 2 cycles; both groups' rows are opened once a row at best: 2
 * / 16 activates a line. In the order of arrival every line opens both of its rows. */
START_TEST(sorter_and_store_beat_fifo_and_a_small_queue_on_interleaved_streams)
{
    static const uint32_t counts[] = {8, 16, 32};
    const uint32_t streams = counts[_i];
    const Outcome fifo = run_streams(streams, "policy = fifo; read_entries = 64"),
                  small = run_streams(streams, "policy = fr_fcfs; window = 8; read_entries = 64"),
                  sorted = run_streams(streams, sorter_store);
    ck_assert_double_ge(fifo.activates, 1.99);
    ck_assert_double_le(sorted.activates, 0.75 * small.activates);
    ck_assert_double_le(small.activates, fifo.activates);
    ck_assert_double_gt(sorted.hit_rate, small.hit_rate + 0.1);
    ck_assert_double_ge(small.hit_rate, fifo.hit_rate);
    ck_assert_double_lt(sorted.cycles, 0.65 * fifo.cycles);
    /* as many streams as places: the small queue sees two of each, which suffices for the bus */
    ck_assert_double_lt(sorted.cycles, (streams > 8 ? 0.65 : 1) * small.cycles);
}
END_TEST

/* 8 streams and 64 entries: a row's list has 8 requests when its turn comes, and more come while
 * they are served: 2 / 8 activates a line or fewer. */
START_TEST(a_run_of_a_row_is_as_long_as_its_list)
{
    const Outcome sorted = run_streams(8, sorter_store);
    ck_assert_double_ge(sorted.activates, 2.0 / 16);
    ck_assert_double_le(sorted.activates, 2.0 / 8 + 0.02);
}
END_TEST

/* With a cap of two the rows of a bank take turns: at most two lines for two activates. */
START_TEST(row_burst_bounds_the_run_of_a_row_while_another_waits)
{
    const Outcome capped = run_streams(16, "policy = sorter_store; row_burst = 2"),
                  single = run_streams(16, "policy = sorter_store; row_burst = 1"),
                  free = run_streams(16, sorter_store);
    ck_assert_double_eq_tol(capped.activates, 1, 0.05);
    ck_assert_double_eq_tol(single.activates, 2, 0.05);
    ck_assert_double_lt(free.activates, 0.6 * capped.activates);
}
END_TEST

/* The window is what counts, not how many wait behind it. */
START_TEST(a_window_of_one_is_fifo_and_a_large_one_is_all)
{
    const Outcome fifo = run_streams(16, "policy = fifo"),
                  one = run_streams(16, "policy = fr_fcfs; window = 1"),
                  all = run_streams(16, "policy = fr_fcfs"),
                  large = run_streams(16, "policy = fr_fcfs; window = 4096");
    ck_assert_double_eq_tol(one.activates, fifo.activates, 0.001);
    ck_assert_double_eq_tol(one.hit_rate, fifo.hit_rate, 0.001);
    ck_assert_double_eq_tol(large.activates, all.activates, 0.02);
}
END_TEST

START_TEST(a_small_sorter_holds_streams_back_that_a_small_store_does_not)
{
    g_autoptr(DramRig) rig =
        dram_rig_new(without_refresh(), "policy = sorter_store; read_sets = 1; read_ways = 4");
    Streams streams = {rig, 16, 16 * ROUNDS};
    harness_generate(rig->source, interleaved, &streams);
    dram_rig_run(rig);
    ck_assert_uint_gt(unit_count(rig->scheduler, "refused_rows"), 100);
    ck_assert_uint_eq(unit_count(rig->scheduler, "refused_reads"), 0);
    ck_assert_uint_le(unit_level(rig->scheduler, "reads_waiting")->maximum, 5);
}
END_TEST

/* --- starvation: an endless stream of one row, and one read of another row of its banks --- */

enum { HITS = 4000, OTHER_AT = 100 };

typedef struct {
    const DramRig *rig;
    uint32_t bank; /* of the other row */
} Starving;

static Message *hits_and_one_other(Unit *source, uint64_t number, Time *at, void *user)
{
    const Starving *starving = user;
    const DramRig *rig = starving->rig;
    *at = 0;
    if (number > HITS) return NULL;
    const uint64_t address = number == OTHER_AT
                                 ? dram_rig_address(rig, starving->bank, 1, 0)
                                 : dram_rig_address(rig, 0, 0, 0) + number % LINES_OF_A_ROW * 128;
    return dram_rig_request(source, TRANSACTION_READ, address, 128);
}

typedef struct {
    const char *settings;
    uint32_t bank;
} Wait;

static void measure_wait(const void *input, void *result)
{
    const Wait *wait = input;
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), wait->settings);
    Starving starving = {rig, wait->bank};
    harness_generate(rig->source, hits_and_one_other, &starving);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), HITS + 1);
    assert_little(rig->scheduler, "reads_waiting");
    *(uint64_t *)result = unit_histogram(rig->scheduler, "wait")->maximum / TIME_NS;
}

/* In cycles, from arrival at the scheduler to the first command. */
static uint64_t longest_wait_at(const char *settings, uint32_t bank)
{
    uint64_t wait;
    run_apart(measure_wait, &(Wait){settings, bank}, &wait, sizeof wait);
    if (g_getenv("SCHEDULER_PRINT"))
        g_print("%s: worst wait %" G_GUINT64_FORMAT "\n", settings, wait);
    return wait;
}

static uint64_t longest_wait(const char *settings)
{
    return longest_wait_at(settings, 0);
}

/* The source has 64 reads in the port and the store 64: what arrives waits for 128 lines of 8
 * cycles at least. An age of 1500 cycles is reached by the starved one only; it then waits for
 * what is booked (47 cycles) and its own opening. */
START_TEST(an_age_cap_bounds_the_wait_that_row_hits_could_stretch_without_end)
{
    const uint64_t starved = longest_wait("policy = fr_fcfs"),
                   bounded = longest_wait("policy = fr_fcfs_age; patience = 1500 cycles");
    ck_assert_uint_ge(starved, (HITS - OTHER_AT - 128) * 8);
    ck_assert_uint_le(bounded, 1024 + 1500 + 100);
    ck_assert_uint_ge(bounded, 1500);
}
END_TEST

/* Runs of 32 lines: the other row is older than what comes behind, so its turn is the next one. */
START_TEST(capped_runs_of_a_row_cannot_starve_another)
{
    const uint64_t starved = longest_wait("policy = sorter_store"),
                   capped = longest_wait("policy = sorter_store; row_burst = 32"),
                   aged = longest_wait("policy = sorter_store; patience = 1500 cycles");
    ck_assert_uint_ge(starved, (HITS - OTHER_AT - 128) * 8);
    ck_assert_uint_le(capped, 2000);
    ck_assert_uint_le(aged, 1024 + 1500 + 100);
}
END_TEST

/* The run that ended could go on at once, in its open row; but another bank's row is older. */
START_TEST(after_a_run_the_oldest_row_that_is_ready_is_next)
{
    const uint64_t starved = longest_wait_at("policy = fr_fcfs", 1),
                   capped = longest_wait_at("policy = sorter_store; row_burst = 32", 1);
    ck_assert_uint_ge(starved, (HITS - OTHER_AT - 128) * 8);
    ck_assert_uint_le(capped, 2000);
}
END_TEST

enum { HITS_AT_ONCE = 64 };

/* A read of row 0, one of row 1 and more of row 0, all at once: the place at which row 1 has its
 * turn. */
static Message *one_of_another_row(Unit *source, uint64_t number, Time *at, void *user)
{
    const DramRig *rig = user;
    *at = 100 * TIME_NS;
    if (number >= HITS_AT_ONCE) return NULL;
    const uint64_t address = number == 1 ? dram_rig_address(rig, 0, 1, 0)
                                         : dram_rig_address(rig, 0, 0, (uint32_t)number);
    return dram_rig_request(source, TRANSACTION_READ, address, 32);
}

static uint64_t place_of_another_row(uint64_t patience)
{
    g_autofree char *settings =
        g_strdup_printf("policy = fr_fcfs_age; patience = %" G_GUINT64_FORMAT " cycles", patience);
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), settings);
    harness_generate(rig->source, one_of_another_row, rig);
    dram_rig_run(rig);
    const uint64_t line = dram_rig_address(rig, 0, 1, 0) & ~UINT64_C(127);
    uint64_t place = 0;
    while (harness_transaction(rig->sink, place)->line != line) place++;
    return place;
}

/* 18 columns lie within the look-ahead at once; then one is decided on every 2 cycles, a burst. At
 * an age of 14 cycles that is number 18 + 14 / 2 - 1, and 15 cycles have passed at the next. */
START_TEST(a_request_that_is_as_old_as_the_patience_goes_first)
{
    static const uint64_t places[][2] = {{13, 24}, {14, 24}, {15, 25}};
    ck_assert_uint_eq(place_of_another_row(places[_i][0]), places[_i][1]);
}
END_TEST

/* --- settings that a policy does not look at --- */

static const struct {
    const char *settings, *text;
} refused[] = {
    {"policy = fr_fcfs_age", "policy = fr_fcfs_age needs an age"},
    {"policy = fr_fcfs; patience = 30 cycles",
     "access_scheduler.patience = 30: has no effect with policy = fr_fcfs"},
    {"policy = fifo; window = 8", "access_scheduler.window = 8: has no effect with policy = fifo"},
    {"policy = fr_fcfs; row_burst = 4", "access_scheduler.row_burst = 4: has no effect"},
};

START_TEST(a_setting_that_the_policy_ignores_is_refused)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), refused[_i].settings);
    g_autoptr(GError) error = harness_run_for_error(rig->harness);
    ck_assert_ptr_nonnull(error);
    ck_assert_msg(strstr(error->message, refused[_i].text), "%s", error->message);
}
END_TEST

START_TEST(fewer_writes_wait_until_the_bus_has_been_idle)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), "drain_idle = 500 cycles");
    static const Step steps[] = {{100, TRANSACTION_WRITE, 0, 1, 0},
                                 {100, TRANSACTION_WRITE, 128, 1, 0},
                                 {300, TRANSACTION_READ, 256, 1, 0}};
    harness_script(rig->source, steps, G_N_ELEMENTS(steps));
    dram_rig_run(rig);
    ck_assert_int_eq(harness_transaction(rig->sink, 0)->type, TRANSACTION_READ);
    /* the read's column: 1 down, tRCDRD 12; then 500, CWL 2, burst 2, 1 to DRAM, 1 to the sink */
    const uint64_t written = 300 + 1 + 12 + 500 + 2 + 2 + 1 + 1;
    ck_assert_uint_eq(harness_arrival(rig->sink, 1)->cycle, written);
    ck_assert_uint_eq(harness_arrival(rig->sink, 2)->cycle, written + 4); /* tCCD_L */
    ck_assert_uint_eq(unit_count(rig->scheduler, "idle_drains"), 1);
    ck_assert_uint_eq(unit_count(rig->scheduler, "drains"), 0);
}
END_TEST

/* A read and a write by turns, each after the one before has gone. */
enum { SPARSE = 96 };

static uint64_t turnarounds_of_sparse_requests(const char *setting, uint64_t *idle_drains)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), setting);
    Step steps[SPARSE];
    for (uint32_t i = 0; i < SPARSE; i++)
        steps[i] =
            (Step){100 + 60 * i, i % 2 ? TRANSACTION_WRITE : TRANSACTION_READ, i % 16 * 128, 15, 0};
    harness_script(rig->source, steps, SPARSE);
    dram_rig_run(rig);
    *idle_drains = unit_count(rig->scheduler, "idle_drains");
    return unit_count(rig->scheduler, "turnarounds");
}

START_TEST(drain_idle_gathers_the_writes_of_a_bus_that_is_idle_between_requests)
{
    static const struct {
        const char *setting;
        uint64_t turnarounds, idle_drains;
    } cases[] = {
        {"drain_high = 12; drain_low = 0", SPARSE - 1, SPARSE / 2},
        /* 48 writes in four drains, into and out of each, but the last */
        {"drain_high = 12; drain_low = 0; drain_idle = 500 cycles", 7, 0},
    };
    uint64_t idle_drains;
    ck_assert_uint_eq(turnarounds_of_sparse_requests(cases[_i].setting, &idle_drains),
                      cases[_i].turnarounds);
    ck_assert_uint_eq(idle_drains, cases[_i].idle_drains);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("scheduler_policies");
    tcase_add_loop_test(cases, sorter_and_store_beat_fifo_and_a_small_queue_on_interleaved_streams,
                        0, 3);
    tcase_add_test(cases, a_run_of_a_row_is_as_long_as_its_list);
    tcase_add_test(cases, row_burst_bounds_the_run_of_a_row_while_another_waits);
    tcase_add_test(cases, a_window_of_one_is_fifo_and_a_large_one_is_all);
    tcase_add_test(cases, a_small_sorter_holds_streams_back_that_a_small_store_does_not);
    tcase_add_test(cases, an_age_cap_bounds_the_wait_that_row_hits_could_stretch_without_end);
    tcase_add_test(cases, capped_runs_of_a_row_cannot_starve_another);
    tcase_add_loop_test(cases, a_request_that_is_as_old_as_the_patience_goes_first, 0, 3);
    tcase_add_test(cases, after_a_run_the_oldest_row_that_is_ready_is_next);
    tcase_add_test(cases, fewer_writes_wait_until_the_bus_has_been_idle);
    tcase_add_loop_test(cases, drain_idle_gathers_the_writes_of_a_bus_that_is_idle_between_requests,
                        0, 2);
    tcase_add_loop_test(cases, a_setting_that_the_policy_ignores_is_refused, 0,
                        G_N_ELEMENTS(refused));
    return harness_run_cases("scheduler_policies", cases);
}
