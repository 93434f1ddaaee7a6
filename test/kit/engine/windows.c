/* Tiles, windows and bundles: partitioning changes speed, never a bit of the result. */
#include <glib/gstdio.h>
#include <simgrid/engine.h>
#include <string.h>

#include "rigs/apart.h"
#include "rigs/toy_unit.h"

/* --- random units on any number of tiles --- */

enum { UNITS = 14, OUTPUTS = 3, HOPS = 12, MESSAGES = 40, PATIENCE = 3, SEEDS = 4 };

/* `first` counts the messages that are still to be made. */
static void make_one(Toy *toy, Time now)
{
    const uint32_t output = toy_below(toy, OUTPUTS);
    if (!toy->first || !channel_ready(&toy->out.at[output], now)) return;
    toy->first--;
    Transaction *transaction = unit_new(&toy->unit, MESSAGE_TRANSACTION);
    transaction->local = 1 + toy_below(toy, HOPS);
    transaction->requested_bytes = 0;
    channel_send(&toy->out.at[output], &transaction->message,
                 now + toy_below(toy, 3) * toy->unit.clock->period);
}

/* Sends the head on, or ends its way after its hops or when it has been refused too often. */
static bool pass_on(Toy *toy, Port *port, Time now)
{
    Transaction *head = (Transaction *)port_peek(port);
    Channel *out = &toy->out.at[toy_below(toy, OUTPUTS)];
    const bool ends = head->local == 0 || head->requested_bytes > PATIENCE;
    if (!ends && !channel_ready(out, now)) {
        head->requested_bytes++;
        channel_await(out, now);
        return false;
    }
    port_take(port, now);
    toy->note = toy->note * 31 + head->local;
    head->local--;
    head->requested_bytes = 0;
    if (ends)
        unit_free_message(&toy->unit, &head->message);
    else
        channel_send(out, &head->message, now);
    return true;
}

/* Some of what waits is served; what is left behind waits for a message, a credit or a wake-up. */
static void work(Toy *toy, Time now)
{
    bool left = toy->first > 0;
    for (uint32_t i = 0; i < toy->in.count; i++) {
        Port *port = &toy->in.at[i];
        for (uint32_t k = toy_below(toy, 4); k && port->count && pass_on(toy, port, now);) k--;
        left |= port->count > 0;
    }
    if (toy_below(toy, 2)) make_one(toy, now);
    if (left) unit_wake_at(&toy->unit, now + (1 + toy_below(toy, 6)) * toy->unit.clock->period);
}

static void connect_at_random(Harness *harness, GRand *random, Toy *toys[UNITS])
{
    uint32_t to[UNITS * OUTPUTS], inputs[UNITS] = {0};
    for (uint32_t i = 0; i < UNITS * OUTPUTS; i++) {
        to[i] = (uint32_t)g_rand_int_range(random, 0, UNITS);
        inputs[to[i]]++;
    }
    for (uint32_t i = 0; i < UNITS; i++) {
        unit_size_ports(&toys[i]->unit, "in", inputs[i]);
        inputs[i] = 0;
    }
    for (uint32_t i = 0; i < UNITS * OUTPUTS; i++)
        toy_connect(harness, toys[i / OUTPUTS], toys[to[i]],
                    (Path){.capacity = (uint32_t)g_rand_int_range(random, 0, 4),
                           .delay = (uint64_t)g_rand_int_range(random, 3, 9),
                           .credit_delay = (uint64_t)g_rand_int_range(random, 3, 9),
                           .output_index = i % OUTPUTS,
                           .input_index = inputs[to[i]]++});
}

static Harness *build_at_random(uint32_t seed, Toy *toys[UNITS])
{
    static const uint64_t megahertz[] = {1000, 700, 877};
    Harness *harness = harness_new();
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    for (uint32_t i = 0; i < UNITS; i++) {
        g_autofree char *path = g_strdup_printf("toy[%u]", i);
        if (i < 3) harness_clock(harness, "clock", megahertz[i] * 1000000);
        toys[i] = toy_new(harness, path, 0, OUTPUTS);
        toys[i]->act = work;
        toys[i]->first = MESSAGES;
    }
    connect_at_random(harness, random, toys);
    return harness;
}

typedef struct {
    uint32_t tiles;
    uint32_t (*place)(uint32_t unit, uint32_t tiles);
    Time quantum;
    uint32_t sections, groups; /* of a tile; of a section */
} Grouping;

static uint32_t in_turn(uint32_t unit, uint32_t tiles)
{
    return unit % tiles;
}

static uint32_t in_blocks(uint32_t unit, uint32_t tiles)
{
    return unit * tiles / UNITS;
}

static uint32_t scattered(uint32_t unit, uint32_t tiles)
{
    return (unit * 2654435761u >> 16) % tiles;
}

/* Every second tile has nothing to do. */
static uint32_t on_odd_tiles(uint32_t unit, uint32_t tiles)
{
    return 2 * (unit % (tiles / 2)) + 1;
}

static Seat take_seat(uint32_t unit, const Grouping *grouping)
{
    return (Seat){.tile = grouping->place(unit, grouping->tiles),
                  .section = scattered(unit + 1, grouping->sections),
                  .group = scattered(unit + 2, grouping->groups)};
}

typedef struct {
    RunOutcome outcome;
    uint64_t hash, events, end, bundles, visits, notes[UNITS];
} Answer;

static Answer run_here(uint32_t seed, const Grouping *grouping)
{
    Toy *toys[UNITS];
    Seat seat[UNITS];
    Harness *harness = build_at_random(seed, toys);
    for (uint32_t i = 0; i < UNITS; i++) seat[i] = take_seat(i, grouping);
    const RunPlan plan = {seat, grouping->tiles, grouping->quantum, 1};
    g_autoptr(GError) error = toy_run_on_tiles(harness, &plan);
    if (error) g_error("%s", error->message);
    const RunReport *report = &harness->report;
    Answer answer = {.outcome = report->outcome,
                     .hash = report->hash,
                     .events = report->events,
                     .end = report->end,
                     .bundles = report->bundles,
                     .visits = report->visits};
    for (uint32_t i = 0; i < UNITS; i++) answer.notes[i] = toys[i]->note;
    harness_free(harness);
    return answer;
}

typedef struct {
    uint32_t seed;
    const Grouping *grouping;
} Random;

static void run_seed(const void *input, void *answer)
{
    const Random *random = input;
    *(Answer *)answer = run_here(random->seed, random->grouping);
}

static Answer run_in(uint32_t seed, const Grouping *grouping)
{
    Answer answer = {.hash = 0};
    run_apart(run_seed, &(Random){seed, grouping}, &answer, sizeof answer);
    return answer;
}

static const Grouping groupings[] = {
    {1, in_turn, 777000, 1, 1},    {2, in_turn, 0, 1, 1},         {2, in_blocks, 0, 1, 1},
    {2, scattered, 1300001, 1, 1}, {3, in_turn, 0, 1, 1},         {3, scattered, 0, 1, 1},
    {3, in_blocks, 1000000, 1, 1}, {7, in_turn, 0, 1, 1},         {7, in_blocks, 500000, 1, 1},
    {7, scattered, 2999999, 1, 1}, {14, in_turn, 0, 1, 1},        {14, in_turn, 100000, 1, 1},
    {6, on_odd_tiles, 0, 1, 1},    {7, in_blocks, 2500000, 1, 1}, {1, in_turn, 0, 1, 2},
    {1, in_turn, 0, 1, 14},        {1, in_turn, 0, 3, 1},         {1, in_turn, 0, 3, 5},
    {2, in_turn, 0, 2, 4},         {3, scattered, 1300001, 3, 3},
};

START_TEST(any_grouping_and_quantum_give_the_events_of_a_single_tile)
{
    const uint32_t seed = 1 + (uint32_t)_i;
    const Grouping single = {1, in_turn, 0, 1, 1};
    const Answer expected = run_in(seed, &single);
    ck_assert_int_eq(expected.outcome, RUN_FINISHED);
    ck_assert_uint_gt(expected.events, 3000);
    ck_assert_uint_eq(expected.bundles, 0);
    for (guint i = 0; i < G_N_ELEMENTS(groupings); i++) {
        const Answer answer = run_in(seed, &groupings[i]);
        ck_assert_int_eq(answer.outcome, expected.outcome);
        ck_assert_uint_eq(answer.hash, expected.hash);
        ck_assert_uint_eq(answer.events, expected.events);
        ck_assert_uint_eq(answer.end, expected.end);
        ck_assert_int_eq(answer.bundles > 0, groupings[i].tiles > 1);
        ck_assert_mem_eq(answer.notes, expected.notes, sizeof expected.notes);
    }
}
END_TEST

START_TEST(another_network_has_another_hash)
{
    const Grouping single = {1, in_turn, 0, 1, 1};
    const Answer first = run_in(1, &single), second = run_in(2, &single);
    ck_assert_uint_ne(first.hash, second.hash);
}
END_TEST

START_TEST(a_visit_of_a_group_is_several_events)
{
    const Grouping single = {1, in_turn, 0, 1, 1}, groups = {1, in_turn, 0, 1, 4};
    const Answer all = run_in(1, &single), some = run_in(1, &groups);
    ck_assert_uint_lt(some.visits * 2, some.events);
    ck_assert_uint_lt(all.visits, some.visits);
}
END_TEST

/* --- two units on two tiles --- */

typedef struct {
    Harness *harness;
    Toy *sender, *receiver;
} Pair;

static Pair pair_new(Path path)
{
    Pair pair = {.harness = harness_new()};
    pair.sender = toy_new(pair.harness, "sender", 1, 1);
    pair.receiver = toy_new(pair.harness, "receiver", 1, 1);
    toy_connect(pair.harness, pair.sender, pair.receiver, path);
    toy_connect(pair.harness, pair.receiver, pair.sender, (Path){.delay = 50});
    return pair;
}

static GError *run_pair(Pair *pair, Time quantum)
{
    static const Seat seat[] = {{.tile = 0}, {.tile = 1}};
    const RunPlan plan = {seat, 2, quantum, 1};
    return toy_run_on_tiles(pair->harness, &plan);
}

static void send_once(Toy *toy, Time now)
{
    toy_send(toy, 0, now);
}

static void only_drain(Toy *toy, Time now)
{
    toy_drain(toy, 0, now);
}

static void look_once_more(Toy *toy, Time now)
{
    if (toy_drain(toy, 0, now)) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

/* With a step of the receiver's own, or without. */
static void run_looking(const void *looks, void *report)
{
    Pair pair = pair_new((Path){.delay = 10});
    pair.sender->first = 1;
    pair.sender->act = send_once;
    pair.receiver->act = *(const bool *)looks ? look_once_more : only_drain;
    g_autoptr(GError) error = run_pair(&pair, 0);
    if (error) g_error("%s", error->message);
    *(RunReport *)report = pair.harness->report;
    harness_free(pair.harness);
}

START_TEST(a_unit_that_looks_again_by_itself_leaves_the_hash)
{
    const bool no = false, yes = true;
    RunReport once, again;
    run_apart(run_looking, &no, &once, sizeof once);
    run_apart(run_looking, &yes, &again, sizeof again);
    ck_assert_uint_eq(again.events, once.events + 1);
    ck_assert_uint_eq(again.hash, once.hash);
}
END_TEST

START_TEST(the_lookahead_is_the_smallest_delay_or_credit_delay_between_tiles)
{
    static const Seat apart[] = {{.tile = 0}, {.tile = 1}}, together[] = {{.tile = 0}, {.tile = 0}};
    static const struct {
        Path path;
        Time lookahead;
    } rows[] = {{{.delay = 10}, 10 * TIME_NS},
                {{.delay = 60}, 50 * TIME_NS},
                {{.capacity = 2, .delay = 60, .credit_delay = 7}, 7 * TIME_NS},
                {{.delay = 60, .credit_delay = 7}, 50 * TIME_NS}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Pair pair = pair_new(rows[i].path);
        const Simulation *simulation = pair.harness->simulation;
        ck_assert_uint_eq(simulation_lookahead(simulation, &(RunPlan){apart, 2, 0, 1}),
                          rows[i].lookahead);
        ck_assert_uint_eq(simulation_lookahead(simulation, &(RunPlan){together, 1, 0, 1}),
                          TIME_NEVER);
        simulation_set_boundary_delay(pair.harness->simulation, 3 * TIME_NS);
        ck_assert_uint_eq(simulation_lookahead(simulation, &(RunPlan){apart, 2, 0, 1}),
                          3 * TIME_NS);
        harness_free(pair.harness);
    }
}
END_TEST

START_TEST(a_quantum_longer_than_the_lookahead_is_refused)
{
    Pair pair = pair_new((Path){.delay = 10});
    g_autoptr(GError) error = run_pair(&pair, 10 * TIME_NS + 1000);
    ck_assert_ptr_nonnull(error);
    ck_assert_str_eq(error->message, "simulation.quantum = 10.001 ns: longer than the lookahead of "
                                     "this deployment, 10.000 ns");
    harness_free(pair.harness);
}
END_TEST

static void send_back(Toy *toy, Time now)
{
    toy->note += toy_drain(toy, 0, now);
    if (toy->first || toy->note < 3) toy_send(toy, 0, now);
    toy->first = 0;
}

/* A round trip of 1,000,000 + 50 cycles, 3 times there and 2 times back: the receiver's third is
 * its last. */
START_TEST(empty_time_costs_no_windows)
{
    Pair pair = pair_new((Path){.delay = 1000000});
    pair.sender->first = 1;
    pair.sender->act = pair.receiver->act = send_back;
    g_autoptr(GError) error = run_pair(&pair, 0);
    ck_assert_ptr_null(error);
    const RunReport *report = &pair.harness->report;
    ck_assert_int_eq(report->outcome, RUN_FINISHED);
    ck_assert_uint_eq(report->lookahead, 50 * TIME_NS);
    TOY_EXPECT_STEPS(pair.sender, 1, 1000051, 2000101);
    TOY_EXPECT_STEPS(pair.receiver, 1000001, 2000051, 3000101);
    ck_assert_uint_eq(report->bundles, 5);
    ck_assert_uint_le(report->windows, 16);
    ck_assert_uint_eq(report->end, 3000101 * TIME_NS);
    /* nobody waits for a date between two messages: its clock has moved by five of 0.95 quanta */
    ck_assert_double_eq_tol(simgrid_get_clock(), 5 * 0.95 * 50, 1e-3);
    harness_free(pair.harness);
}
END_TEST

static void send_ten_at_a_time(Toy *toy, Time now)
{
    for (unsigned i = 0; i < 10; i++) toy_send(toy, 0, now);
    if (toy_cycle(toy, now) < 9) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

static void count_inputs(Toy *toy, Time now)
{
    toy->note += toy_drain(toy, 0, now);
}

/* Cycles 1 ... 9 lie in the first window. */
START_TEST(what_goes_to_a_tile_in_a_window_is_one_bundle)
{
    Pair pair = pair_new((Path){.delay = 10});
    pair.sender->first = 1;
    pair.sender->act = send_ten_at_a_time;
    pair.receiver->act = count_inputs;
    g_autoptr(GError) error = run_pair(&pair, 0);
    ck_assert_ptr_null(error);
    ck_assert_uint_eq(pair.receiver->note, 90);
    ck_assert_uint_eq(pair.harness->report.bundles, 1);
    harness_free(pair.harness);
}
END_TEST

static void step_until_note(Toy *toy, Time now)
{
    toy_drain(toy, 0, now);
    if (toy_cycle(toy, now) < toy->note) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

/* Sent at 2 and due at 3, but the receiver has run until 10. It rests, or it has more to do.
 * SimGrid has nothing to say about it. */
START_TEST(a_late_message_fails_the_run_loudly)
{
    g_autofree char *name = NULL;
    const int words = g_file_open_tmp("words-XXXXXX", &name, NULL), before = dup(STDERR_FILENO);
    Pair pair = pair_new((Path){.delay = 10});
    pair.sender->first = 2;
    pair.sender->act = toy_send_too_fast;
    pair.receiver->first = 1;
    pair.receiver->act = step_until_note;
    pair.receiver->note = _i ? 1000 : 5;
    dup2(words, STDERR_FILENO);
    g_autoptr(GError) error = run_pair(&pair, 0);
    dup2(before, STDERR_FILENO);
    g_unlink(name);
    ck_assert_int_eq(lseek(words, 0, SEEK_END), 0);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(
        strstr(error->message, "a message due at 3.000 ns came after its window"));
    ck_assert_ptr_nonnull(strstr(error->message, "receiver at "));
    ck_assert_int_eq(pair.harness->report.outcome, RUN_FAILED);
    harness_free(pair.harness);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("windows"), *repeating = tcase_create("other seeds");
    tcase_add_loop_test(cases, any_grouping_and_quantum_give_the_events_of_a_single_tile, 0, 1);
    tcase_add_loop_test(repeating, any_grouping_and_quantum_give_the_events_of_a_single_tile, 1,
                        SEEDS);
    tcase_add_test(cases, another_network_has_another_hash);
    tcase_add_test(cases, a_unit_that_looks_again_by_itself_leaves_the_hash);
    tcase_add_test(cases, a_visit_of_a_group_is_several_events);
    tcase_add_test(cases, the_lookahead_is_the_smallest_delay_or_credit_delay_between_tiles);
    tcase_add_test(cases, a_quantum_longer_than_the_lookahead_is_refused);
    tcase_add_test(cases, empty_time_costs_no_windows);
    tcase_add_test(cases, what_goes_to_a_tile_in_a_window_is_one_bundle);
    tcase_add_loop_test(cases, a_late_message_fails_the_run_loudly, 0, 2);
    return harness_run_repeating("windows", cases, repeating);
}
