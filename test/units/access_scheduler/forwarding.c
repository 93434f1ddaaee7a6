/* Reads of what waits to be written: its data is still in L2, and DRAM has older data. */
#include "rig.h"
#include "rigs/unit_rig.h"

/* The bursts that DRAM read, and what was answered without it. */
typedef struct {
    const char *settings;
    uint64_t dram_reads, forwarded, bytes;
    Step step[4];
} Case;

#define RD TRANSACTION_READ
#define WR TRANSACTION_WRITE

/* A write alone at 200 reaches the scheduler at 201 and is decided at once: ACT 201, column 213. */
static const Case cases[] = {
    /* behind a read that goes first, the write of line 128 waits */
    {NULL, 1, 1, 128, {{100, RD, 0, 1, 0}, {100, WR, 128, 15, 0}, {100, RD, 128, 15, 0}}},
    {NULL, 1, 1, 64, {{100, RD, 0, 1, 0}, {100, WR, 128, 15, 0}, {100, RD, 128, 6, 0}}},
    /* two of four sectors: the others come from DRAM */
    {NULL, 1 + 2, 0, 64, {{100, RD, 0, 1, 0}, {100, WR, 128, 3, 0}, {100, RD, 128, 15, 0}}},
    {NULL, 1 + 2, 0, 0, {{100, RD, 0, 1, 0}, {100, WR, 128, 3, 0}, {100, RD, 128, 12, 0}}},
    /* the same row, another line */
    {NULL, 1 + 4, 0, 0, {{100, RD, 0, 1, 0}, {100, WR, 128, 15, 0}, {100, RD, 256, 15, 0}}},
    /* two waiting writes together */
    {NULL,
     1,
     1,
     128,
     {{100, RD, 0, 1, 0}, {100, WR, 128, 3, 0}, {100, WR, 128, 12, 0}, {100, RD, 128, 15, 0}}},
    /* decided, its column still ahead; then the last cycle; then the column has gone */
    {NULL, 0, 1, 32, {{200, WR, 128, 1, 0}, {204, RD, 128, 1, 0}}},
    {NULL, 0, 1, 32, {{200, WR, 128, 1, 0}, {211, RD, 128, 1, 0}}},
    {NULL, 1, 0, 0, {{200, WR, 128, 1, 0}, {212, RD, 128, 1, 0}}},
    /* of a sector that is written in part DRAM has the rest, until another write has it whole */
    {NULL, 1 + 1, 0, 0, {{100, RD, 0, 1, 0}, {100, WR, 128, 1, 1}, {100, RD, 128, 1, 0}}},
    {NULL, 1 + 1, 0, 32, {{100, RD, 0, 1, 0}, {100, WR, 128, 3, 2}, {100, RD, 128, 3, 0}}},
    {NULL, 1, 0, 0, {{200, WR, 128, 1, 1}, {204, RD, 128, 1, 0}}},
    {NULL,
     1,
     1,
     32,
     {{100, RD, 0, 1, 0}, {100, WR, 128, 1, 0}, {100, WR, 128, 1, 1}, {100, RD, 128, 1, 0}}},
    /* the write has gone first anyway */
    {"policy = in_order",
     2,
     0,
     0,
     {{100, RD, 0, 1, 0}, {100, WR, 128, 1, 0}, {100, RD, 128, 1, 0}}},
    {"policy = fifo", 1, 1, 32, {{100, RD, 0, 1, 0}, {100, WR, 128, 1, 0}, {100, RD, 128, 1, 0}}},
    {"policy = sorter_store",
     1,
     1,
     32,
     {{100, RD, 0, 1, 0}, {100, WR, 128, 1, 0}, {100, RD, 128, 1, 0}}},
};

START_TEST(what_waits_to_be_written_is_not_read_from_DRAM)
{
    const Case *c = &cases[_i];
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), c->settings);
    uint32_t count = 0;
    while (count < 4 && c->step[count].at) count++;
    harness_script(rig->source, c->step, count);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), count);
    ck_assert_uint_eq(unit_count(rig->channel, "reads"), c->dram_reads);
    ck_assert_uint_eq(unit_count(rig->scheduler, "forwarded"), c->forwarded);
    ck_assert_uint_eq(unit_bytes(rig->scheduler, "bytes_forwarded"), c->bytes);
    ck_assert_uint_eq(unit_level(rig->scheduler, "reads_waiting")->arrivals,
                      unit_count(rig->scheduler, "reads"));
}
END_TEST

/* 1 to the scheduler, 1 to the channel, 1 to the sink. */
START_TEST(an_answer_from_a_waiting_write_costs_the_wires_only)
{
    static const Step steps[] = {{200, WR, 128, 15, 0}, {205, RD, 128, 15, 0}};
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), NULL);
    harness_script(rig->source, steps, 2);
    dram_rig_run(rig);
    const Arrived *answer = harness_arrival(rig->sink, 0); /* before the write's own end */
    const Transaction *read = harness_transaction(rig->sink, 0);
    ck_assert_int_eq(read->type, TRANSACTION_READ);
    ck_assert_uint_eq(answer->cycle, 205 + 3);
    g_autofree char *stages = harness_stages(read, answer->at, rig->harness->clock);
    ck_assert_str_eq(stages, "issue 1 memory_wire 2");
}
END_TEST

/* --- order: reads and writes of few sectors at random --- */

enum { REQUESTS = 8000, ROWS = 3, LINES = 4 };

typedef struct {
    const DramRig *rig;
    GRand *random;
} Mix;

/* The sectors of four lines each in three rows of one bank set. */
static Message *few_sectors(Unit *source, uint64_t number, Time *at, void *user)
{
    const Mix *mix = user;
    GRand *random = mix->random;
    *at = number * 3 * TIME_NS;
    if (number >= REQUESTS) return NULL;
    const TransactionType type = g_rand_boolean(random) ? RD : WR;
    const uint32_t row = (uint32_t)g_rand_int_range(random, 0, ROWS);
    const uint64_t address = dram_rig_address(mix->rig, 0, row, 0)
                             + (uint64_t)g_rand_int_range(random, 0, LINES * 4) * 32;
    Message *message = dram_rig_request(source, type, address, 32);
    ((Transaction *)message)->message.entry = (uint32_t)number;
    return message;
}

typedef struct {
    Time column; /* 0: without DRAM */
    uint64_t sector;
    bool write;
} Served;

static bool note_column(Unit *sink, Message *message, Time now, void *user)
{
    (void)sink, (void)now;
    const Transaction *transaction = (const Transaction *)message;
    Served *served = &((Served *)user)[transaction->message.entry];
    served->write = transaction->type == WR;
    served->sector = transaction->line * 16 + transaction->sectors;
    for (StageWalk walk = stage_walk(transaction); stage_walk_next(&walk);)
        if (walk.stage == STAGE_DRAM_COLUMN) served->column = walk.at;
    return false;
}

static const char *const orders[] = {
    "policy = in_order",     "policy = fifo",       NULL, "policy = fr_fcfs; window = 4",
    "policy = sorter_store", "page_policy = closed"};

START_TEST(no_read_or_write_overtakes_an_earlier_write_of_the_same_bytes)
{
    g_autoptr(DramRig) rig = dram_rig_new(without_refresh(), orders[_i]);
    g_autoptr(GRand) random = g_rand_new_with_seed(17);
    Mix mix = {rig, random};
    g_autofree Served *served = g_new0(Served, REQUESTS);
    harness_generate(rig->source, few_sectors, &mix);
    harness_forget(rig->sink);
    harness_watch(rig->sink, note_column, served);
    dram_rig_run(rig);
    ck_assert_uint_eq(harness_arrivals(rig->sink), REQUESTS);
    uint64_t compared = 0;
    for (uint64_t i = 1; i < REQUESTS; i++)
        for (uint64_t k = i > 300 ? i - 300 : 0; k < i; k++) {
            if (!served[k].write || served[k].sector != served[i].sector || !served[i].column)
                continue;
            ck_assert_uint_lt(served[k].column, served[i].column);
            compared++;
        }
    ck_assert_uint_gt(compared, 1000);
    if (_i) ck_assert_uint_gt(unit_count(rig->scheduler, "forwarded"), 500);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("scheduler_forwarding");
    tcase_add_loop_test(all, what_waits_to_be_written_is_not_read_from_DRAM, 0,
                        G_N_ELEMENTS(cases));
    tcase_add_test(all, an_answer_from_a_waiting_write_costs_the_wires_only);
    tcase_add_loop_test(all, no_read_or_write_overtakes_an_earlier_write_of_the_same_bytes, 0,
                        G_N_ELEMENTS(orders));
    return harness_run_cases("scheduler_forwarding", all);
}
