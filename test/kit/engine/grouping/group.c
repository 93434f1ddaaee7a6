/* Groups that ask another group, which answers a few cycles later: whoever has not asked is visited
 * for long, and nothing is different from one calendar for all. */
#include <string.h>

#include "rigs/apart.h"
#include "rigs/toy_unit.h"

enum { ASKERS = 6, QUESTIONS = 30, FAR = 40, NEAR = 2, ROOM = 2 };
enum { TO_NEIGHBOUR, TO_SERVER };
enum { FROM_NEIGHBOUR, FROM_SERVER };

typedef struct {
    Harness *harness;
    Toy *asker[ASKERS], *server;
} Office;

/* Its own work at every cycle; a question now and then, and rarely many after another, so that the
 * server's places are full. What came from the neighbour is only remembered. */
static void work(Toy *toy, Time now)
{
    toy->note = toy->note * 31 + toy_drain(toy, FROM_NEIGHBOUR, now);
    toy->note = toy->note * 31 + toy_drain(toy, FROM_SERVER, now);
    const bool busy = toy_cycle(toy, now) / 16 % 32 == 3;
    if (toy->first && (busy || !toy_below(toy, 200))) {
        if (channel_ready(&toy->out.at[TO_SERVER], now)) {
            toy_send(toy, TO_SERVER, now);
            toy->first--;
        } else {
            channel_await(&toy->out.at[TO_SERVER], now);
        }
    }
    if (!toy_below(toy, 8)) toy_send(toy, TO_NEIGHBOUR, now);
    if (toy->first) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

/* One question a cycle, whoever came first by port; answers take between one and five cycles. */
static void serve(Toy *toy, Time now)
{
    bool left = false, served = false;
    for (uint32_t i = 0; i < ASKERS; i++) {
        Message *question = served ? NULL : port_take(&toy->in.at[i], now);
        if (question)
            channel_send(&toy->out.at[i], question,
                         now + toy_below(toy, 5) * toy->unit.clock->period);
        served |= question != NULL;
        left |= toy->in.at[i].count > 0;
    }
    if (left) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

static void connect(Office *office, Toy *from, uint32_t output, Toy *to, uint32_t input, Wire wire)
{
    wire.from = &from->unit;
    wire.to = &to->unit;
    wire.output = "out";
    wire.input = "in";
    wire.output_index = output;
    wire.input_index = input;
    wire.delay *= office->harness->clock->period;
    wire.credit_delay *= office->harness->clock->period;
    wire_connect(&wire);
}

typedef struct {
    uint32_t groups;
    bool told; /* that they are questions and answers */
    uint32_t threads;
} Way;

static Office open_office(bool told)
{
    Office office = {.harness = harness_new()};
    for (uint32_t i = 0; i < ASKERS; i++) {
        g_autofree char *path = g_strdup_printf("asker[%u]", i);
        office.asker[i] = toy_new(office.harness, path, 2, 2);
        office.asker[i]->act = work;
        office.asker[i]->first = QUESTIONS;
    }
    office.server = toy_new(office.harness, "server", ASKERS, ASKERS);
    office.server->act = serve;
    for (uint32_t i = 0; i < ASKERS; i++) {
        Toy *asker = office.asker[i], *neighbour = office.asker[(i + 1) % ASKERS];
        connect(&office, asker, TO_NEIGHBOUR, neighbour, FROM_NEIGHBOUR, (Wire){.delay = FAR});
        connect(&office, asker, TO_SERVER, office.server, i,
                (Wire){.capacity = ROOM,
                       .delay = NEAR,
                       .credit_delay = 1,
                       .talk = told ? CHANNEL_ASKS : CHANNEL_TELLS});
        connect(&office, office.server, i, asker, FROM_SERVER,
                (Wire){.delay = NEAR, .talk = told ? CHANNEL_ANSWERS : CHANNEL_TELLS});
    }
    return office;
}

typedef struct {
    uint64_t hash, events, visits, notes[ASKERS];
} Answer;

/* The server's is the last group. */
static void run(const void *input, void *result)
{
    const Way *way = input;
    Answer *answer = result;
    Office office = open_office(way->told);
    Seat seat[ASKERS + 1];
    for (uint32_t i = 0; i <= ASKERS; i++) seat[i] = (Seat){.group = MIN(i, way->groups - 1)};
    const RunPlan plan = {.seat = seat, .tiles = 1, .threads = way->threads};
    g_autoptr(GError) error = toy_run_on_tiles(office.harness, &plan);
    if (error) g_error("%s", error->message);
    const RunReport *report = &office.harness->report;
    *answer = (Answer){.hash = report->hash, .events = report->events, .visits = report->visits};
    for (uint32_t i = 0; i < ASKERS; i++) answer->notes[i] = office.asker[i]->note;
    harness_free(office.harness);
}

static Answer run_way(Way way)
{
    Answer answer = {.hash = 0};
    run_apart(run, &way, &answer, sizeof answer);
    return answer;
}

static Answer run_in_groups(uint32_t groups, bool told)
{
    return run_way((Way){groups, told, 1});
}

/* Neighbours send to each other, so they go on one by one, and what they send waits between. */
START_TEST(questions_and_answers_are_the_same_with_threads)
{
    const Answer one = run_in_groups(1, true), each = run_way((Way){ASKERS + 1, true, 3});
    ck_assert_uint_eq(each.hash, one.hash);
    ck_assert_uint_eq(each.events, one.events);
    ck_assert_mem_eq(each.notes, one.notes, sizeof one.notes);
}
END_TEST

START_TEST(questions_and_answers_are_the_same_in_groups)
{
    const Answer one = run_in_groups(1, true), some = run_in_groups(3, true),
                 each = run_in_groups(ASKERS + 1, true);
    ck_assert_uint_gt(one.events, 2000);
    ck_assert_uint_eq(some.events, one.events);
    ck_assert_uint_eq(each.events, one.events);
    ck_assert_uint_eq(some.hash, one.hash);
    ck_assert_uint_eq(each.hash, one.hash);
    ck_assert_mem_eq(some.notes, one.notes, sizeof one.notes);
    ck_assert_mem_eq(each.notes, one.notes, sizeof one.notes);
}
END_TEST

/* Else all are visited for no longer than a question takes. */
START_TEST(who_has_not_asked_is_visited_for_long)
{
    const Answer told = run_in_groups(ASKERS + 1, true), untold = run_in_groups(ASKERS + 1, false);
    ck_assert_uint_eq(told.hash, untold.hash);
    ck_assert_uint_lt(told.visits * 3, untold.visits);
}
END_TEST

static void step_until_20(Toy *toy, Time now)
{
    toy_drain(toy, 0, now);
    if (toy_cycle(toy, now) < 20) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

/* Sent at 2 and due at 3, but the receiver has been visited until 10. */
START_TEST(a_message_into_a_past_visit_fails_the_run)
{
    static const Seat seat[] = {{.group = 0}, {.group = 1}};
    const RunPlan plan = {.seat = seat, .tiles = 1};
    Harness *harness = harness_new();
    Toy *receiver = toy_new(harness, "receiver", 1, 0), *sender = toy_new(harness, "sender", 0, 1);
    toy_connect(harness, sender, receiver, (Path){.delay = 10});
    receiver->first = 1;
    receiver->act = step_until_20;
    sender->first = 2;
    sender->act = toy_send_too_fast;
    g_autoptr(GError) error = toy_run_on_tiles(harness, &plan);
    ck_assert_ptr_nonnull(error);
    ck_assert_ptr_nonnull(strstr(error->message, "a message due at 3.000 ns came too late"));
    ck_assert_int_eq(harness->report.outcome, RUN_FAILED);
    harness_free(harness);
}
END_TEST

/* What is foreseen at each cycle of a receiver that is stepped at every cycle. */
typedef struct {
    guint steps;
    guint first[2], behind[2]; /* by port */
    guint steps_then[2];       /* when the port's first message was seen */
} Seen;
static Seen seen;

static void note_seen(const Toy *toy, const Message *message, uint32_t port, Foresee round)
{
    (void)toy;
    ck_assert_ptr_nonnull(message);
    ck_assert_uint_lt(port, 2);
    if (round == FORESEE_BEHIND) {
        ck_assert_uint_eq(++seen.behind[port], seen.first[port]);
        return;
    }
    if (!seen.first[port]++) seen.steps_then[port] = seen.steps;
}

static void step_on(Toy *toy, Time now)
{
    for (uint32_t i = 0; i < toy->in.count; i++) toy->note += toy_drain(toy, i, now);
    seen.steps++;
    if (toy_cycle(toy, now) < 40) unit_wake_at(&toy->unit, now + toy->unit.clock->period);
}

static void send_one_on_each(Toy *toy, Time now)
{
    for (uint32_t i = 0; i < toy->out.count; i++) toy_send(toy, i, now);
}

/* Sent at 2: to the first port in time for the second visit, from 11 on, and to the second for the
 * third, from 21 on. */
START_TEST(what_waits_for_a_visit_is_foreseen_twice_before_its_first_step)
{
    seen = (Seen){.steps = 0};
    static const Seat seat[] = {{.group = 0}, {.group = 1}};
    const RunPlan plan = {.seat = seat, .tiles = 1};
    Harness *harness = harness_new();
    static const uint32_t inputs[] = {2, 3 * INBOX_FEW};
    Toy *receiver = toy_new(harness, "receiver", inputs[_i], 0);
    Toy *sender = toy_new(harness, "sender", 0, 2);
    toy_connect(harness, sender, receiver, (Path){.delay = 10});
    toy_connect(harness, sender, receiver,
                (Path){.delay = 25, .output_index = 1, .input_index = 1});
    receiver->first = 1;
    receiver->act = step_on;
    receiver->see = note_seen;
    sender->first = 2;
    sender->act = send_one_on_each;
    g_autoptr(GError) error = toy_run_on_tiles(harness, &plan);
    ck_assert(!error);
    ck_assert_uint_eq(receiver->note, 2);
    for (uint32_t i = 0; i < 2; i++) ck_assert_uint_eq(seen.first[i], 1);
    for (uint32_t i = 0; i < 2; i++) ck_assert_uint_eq(seen.behind[i], 1);
    ck_assert_uint_lt(seen.steps_then[0], 12);
    ck_assert_uint_ge(seen.steps_then[1], 12);
    ck_assert_uint_lt(seen.steps_then[1], 27);
    harness_free(harness);
}
END_TEST

static void foresee_and_send(Toy *toy, Time now)
{
    Message *message = unit_new(&toy->unit, MESSAGE_TRANSACTION);
    unit_foresee(&toy->out.at[0], message);
    channel_send(&toy->out.at[0], message, now);
}

START_TEST(who_lies_near_is_told_at_once)
{
    seen = (Seen){.steps = 0};
    Harness *harness = harness_new();
    Toy *receiver = toy_new(harness, "receiver", 1, 0), *sender = toy_new(harness, "sender", 0, 1);
    toy_connect(harness, sender, receiver, (Path){.delay = 10});
    receiver->first = 1;
    receiver->act = step_on;
    receiver->see = note_seen;
    sender->first = 2;
    sender->act = foresee_and_send;
    ck_assert_int_eq(harness_run(harness), RUN_FINISHED);
    ck_assert_uint_ge(seen.first[0], 1);
    ck_assert_uint_eq(seen.steps_then[0], 2);
    harness_free(harness);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("group");
    tcase_add_test(cases, questions_and_answers_are_the_same_in_groups);
    tcase_add_test(cases, questions_and_answers_are_the_same_with_threads);
    tcase_add_test(cases, a_message_into_a_past_visit_fails_the_run);
    tcase_add_test(cases, who_has_not_asked_is_visited_for_long);
    tcase_add_loop_test(cases, what_waits_for_a_visit_is_foreseen_twice_before_its_first_step, 0,
                        2);
    tcase_add_test(cases, who_lies_near_is_told_at_once);
    Suite *suite = suite_create("group");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
