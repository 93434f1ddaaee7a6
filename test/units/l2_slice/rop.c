/* The L2 slice together with its ROP: who sees what of a line that the ROP has. All paths take a
 * cycle; latencies 31 (hit), 10 (miss), 10 (fill), 10 (ROP), DRAM answers after 100. Seen at the
 * reply network:
 *     a hit               1 in + 31 + 1 out                                         = 33
 *     a miss              1 in + 10 + 1 + 100 + 1 + 10 + 1 out                      = 124
 *     an atomic, ROP hit  1 in + 1 to ROP + 10 + 1 back + 1 out                     = 14
 *     ... which L2 has    1 in + 1 to ROP + 1 back + 31 + 1 to ROP + 10 + 1 + 1 out = 47
 *     ... which DRAM has  the same with 10 + 1 + 100 + 1 + 10 for 31                = 138 */
#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"
#include "parts/sm/coalescer.h"

#include "kit/gpu/atomic.h"

extern const UnitClass l2_slice_class, rop_class;

enum { HIT = 33, MISS = 124, ROP_HIT = 14, ROP_L2 = 47, ROP_DRAM = 138 };

#define READ TRANSACTION_READ
#define WRITE TRANSACTION_WRITE
#define ATOMIC TRANSACTION_ATOMIC

typedef struct {
    uint64_t at;
    TransactionType type;
    uint64_t line;
    uint16_t sectors;
    uint64_t back;
} Request;

typedef struct {
    Harness *harness;
    Unit *source, *slice, *rop, *sink;
    FarSide *dram;
    LineShape line;
    AddressMap map;
    const Request *requests;
    guint count;
} Rig;

static Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (number >= rig->count) return NULL;
    const Request *request = &rig->requests[number];
    *at = request->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = (uint8_t)request->type;
    transaction->local = transaction->line = request->line * 128;
    transaction->sectors = request->sectors;
    transaction->partial = 0;
    transaction->virtual_line = number; /* for the test alone: here it is only counted */
    transaction_enter(transaction, STAGE_ISSUE, *at);
    if (request->type != ATOMIC) return &transaction->message;
    AtomicOperands *operands = transaction->operands = unit_new(source, MESSAGE_ATOMIC_OPERANDS);
    operands->operation = ATOMIC_ADD;
    operands->width = 4;
    operands->tiles = (TileMix){0};
    operands->lanes = 1;
    operands->operand = 1;
    operands->operand_stride = 0;
    operands->offset[0] = (uint16_t)(__builtin_ctz(request->sectors) * 32);
    return &transaction->message;
}

static Rig *rig_new(const char *slice, const char *rop)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, 1, NULL));
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    g_autofree char *all = g_strconcat("hit_latency = 31 cycles; miss_latency = 10 cycles; "
                                       "fill_latency = 10 cycles; fill_bytes = 32 B; ",
                                       slice, NULL);
    g_autofree char *its = g_strconcat("latency = 10 cycles; ", rop, NULL);
    rig->source = harness_source(rig->harness, "source");
    rig->slice = harness_add(rig->harness, &l2_slice_class, "slice", all);
    rig->rop = harness_add(rig->harness, &rop_class, "rop", its);
    rig->sink = harness_sink(rig->harness, "sink");
    rig->dram = far_side_add(rig->harness, rig->slice, "to_scheduler", "from_dram", 0);
    harness_connect(rig->harness, rig->source, "out", rig->slice, "from_network",
                    (Path){.capacity = 16});
    harness_connect(rig->harness, rig->slice, "to_reply_network", rig->sink, "in", (Path){0});
    harness_connect(rig->harness, rig->slice, "to_rop", rig->rop, "from_l2", (Path){.capacity = 2});
    harness_connect(rig->harness, rig->slice, "to_rop_data", rig->rop, "data_from_l2", (Path){0});
    harness_connect(rig->harness, rig->rop, "to_l2", rig->slice, "from_rop", (Path){.capacity = 4});
    return rig;
}

static void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static void run(Rig *rig, const Request *requests, guint count)
{
    rig->requests = requests;
    rig->count = count;
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink), count);
    for (guint i = 0; i < count; i++) {
        const Request *request = &requests[harness_transaction(rig->sink, i)->virtual_line];
        const uint64_t cycle = harness_arrival(rig->sink, i)->cycle;
        ck_assert_msg(cycle == request->back,
                      "reply to what came at %" G_GUINT64_FORMAT " at %" G_GUINT64_FORMAT
                      ", not %" G_GUINT64_FORMAT,
                      request->at, cycle, request->back);
    }
    ck_assert_uint_eq(unit_count(rig->slice, "replies"), count);
    /* what is looked up: all but atomics, and what the ROP asks for */
    ck_assert_uint_eq(unit_count(rig->slice, "accesses"),
                      count - unit_count(rig->slice, "atomics")
                          + unit_count(rig->slice, "rop_requests"));
    ck_assert_uint_eq(unit_count(rig->slice, "hits") + unit_count(rig->slice, "misses")
                          + unit_count(rig->slice, "merged"),
                      unit_count(rig->slice, "accesses"));
    ck_assert_uint_le(unit_count(rig->slice, "load_hits"), unit_count(rig->slice, "reads"));
    assert_little(rig->slice, "queue");
}

#define RUN(rig, requests) run(rig, requests, G_N_ELEMENTS(requests))

START_TEST(atomics_are_done_at_the_ROP)
{
    static const Request requests[] = {{10, READ, 5, 3, 10 + MISS},
                                       {200, ATOMIC, 5, 1, 200 + ROP_L2},
                                       {300, ATOMIC, 5, 1, 300 + ROP_HIT},
                                       {400, ATOMIC, 6, 1, 400 + ROP_DRAM}};
    g_autoptr(Rig) rig = rig_new("", "");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "atomics"), 3);
    ck_assert_uint_eq(unit_count(rig->slice, "rop_requests"), 2);
    ck_assert_uint_eq(unit_count(rig->slice, "reads"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "load_hits"), 0);
    ck_assert_uint_eq(unit_count(rig->slice, "atomic_hits"), 1);
    ck_assert_uint_eq(unit_bytes(rig->slice, "bytes_read"), (2 + 3) * 32);
    ck_assert_uint_eq(rig->dram->seen->len, 2);
}
END_TEST

/* Wanted back 1 after the request came: 1 to the ROP, 1 back, and then looked up. What comes behind
 * waits as well: requests are handled in order. Other lines are not asked for. */
START_TEST(a_load_of_a_line_that_the_ROP_has_waits_until_it_is_back)
{
    static const Request requests[] = {{10, ATOMIC, 5, 1, 10 + ROP_DRAM},
                                       {300, READ, 5, 1, 300 + 2 + 1 + HIT},
                                       {300, WRITE, 7, 1, 300 + 2 + 2 + HIT},
                                       {400, READ, 5, 1, 400 + HIT},
                                       {500, ATOMIC, 5, 1, 500 + ROP_L2}};
    g_autoptr(Rig) rig = rig_new("", "");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "recalls"), 1);
    ck_assert_uint_eq(unit_count(rig->slice, "refused_line"), 1);
    ck_assert_uint_eq(unit_count(rig->rop, "write_backs"), 1);
}
END_TEST

/* The atomic's result is at the slice at 147, the line is wanted back then, is here at 149. */
START_TEST(a_store_waits_for_the_atomics_before_it)
{
    static const Request requests[] = {{10, ATOMIC, 5, 1, 10 + ROP_DRAM},
                                       {11, WRITE, 5, 15, 149 + 1 + HIT - 1},
                                       {12, ATOMIC, 5, 1, 149 + 2 + ROP_L2 - 1}};
    g_autoptr(Rig) rig = rig_new("", "");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "recalls"), 1);
}
END_TEST

/* Nothing has to be written of a line that was only read; without a cache nothing is kept. */
START_TEST(without_a_cache_nothing_is_wanted_back)
{
    static const Request requests[] = {{10, ATOMIC, 5, 1, 10 + ROP_DRAM},
                                       {300, READ, 5, 1, 300 + HIT},
                                       {400, ATOMIC, 5, 1, 400 + ROP_L2}};
    g_autoptr(Rig) rig = rig_new("", "cache_entries = 0");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->slice, "recalls"), 0);
    ck_assert_uint_eq(unit_count(rig->rop, "write_backs"), 2);
}
END_TEST

/* Each round: 1 to the slice + 31 + 1 back + 10. The slice looks the write-back up first, so the
 * fetch is looked up a cycle later: 44. */
START_TEST(without_a_cache_N_atomics_on_one_word_take_N_round_trips)
{
    enum { N = 12 };
    Request requests[N + 1] = {{10, READ, 5, 1, 10 + MISS}};
    for (guint i = 0; i < N; i++)
        requests[i + 1] = (Request){200 + i, ATOMIC, 5, 1, 200 + ROP_L2 + 44 * i};
    g_autoptr(Rig) rig = rig_new("", "cache_entries = 0");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "fetches"), N);
}
END_TEST

START_TEST(with_a_cache_N_atomics_on_one_word_take_N_intervals)
{
    enum { N = 40 };
    Request requests[N + 2] = {{10, READ, 5, 1, 10 + MISS}, {150, ATOMIC, 5, 1, 150 + ROP_L2}};
    for (guint i = 0; i < N; i++)
        requests[i + 2] = (Request){300 + i, ATOMIC, 5, 1, 300 + ROP_HIT + 3 * i};
    g_autoptr(Rig) rig = rig_new("", "interval = 3 cycles");
    RUN(rig, requests);
    ck_assert_uint_eq(unit_count(rig->rop, "fetches"), 1);
}
END_TEST

/* Two places in front of the ROP, whose head waits for the only pending entry; a load of another
 * line that came later waits behind the atomics. */
START_TEST(atomics_wait_for_room_in_front_of_the_ROP)
{
    static const Request requests[] = {{10, ATOMIC, 1, 1, 10 + ROP_DRAM},
                                       {11, ATOMIC, 2, 1, 269},
                                       {12, ATOMIC, 3, 1, 393},
                                       {13, ATOMIC, 4, 1, 517},
                                       {14, READ, 9, 1, 137 + 1 + MISS - 1}};
    g_autoptr(Rig) rig = rig_new("", "pending_entries = 1");
    rig->requests = requests;
    rig->count = G_N_ELEMENTS(requests);
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink), rig->count);
    ck_assert_uint_gt(unit_count(rig->slice, "refused_rop"), 0);
    /* the load is behind the fourth atomic, which got its place only when the second was taken */
    uint64_t first = 0, load = 0;
    for (guint i = 0; i < rig->count; i++) {
        const uint64_t number = harness_transaction(rig->sink, i)->virtual_line;
        if (number == 0) first = harness_arrival(rig->sink, i)->cycle;
        if (number == 4) load = harness_arrival(rig->sink, i)->cycle;
    }
    ck_assert_uint_eq(first, 10 + ROP_DRAM);
    ck_assert_uint_gt(load, first);
}
END_TEST

/* The result is here at 10 + ROP_DRAM - 1 = 147; then the read is looked up. */
START_TEST(a_blocking_cache_waits_for_the_ROP)
{
    static const Request requests[] = {{10, ATOMIC, 5, 1, 10 + ROP_DRAM},
                                       {12, READ, 6, 15, 146 + MISS},
                                       {400, ATOMIC, 5, 1, 400 + ROP_HIT},
                                       {401, READ, 6, 15, 412 + HIT}};
    g_autoptr(Rig) rig = rig_new("completion = blocking", "");
    RUN(rig, requests);
}
END_TEST

HARNESS_MAIN("l2_slice_rop", a_blocking_cache_waits_for_the_ROP, atomics_are_done_at_the_ROP,
             a_load_of_a_line_that_the_ROP_has_waits_until_it_is_back,
             a_store_waits_for_the_atomics_before_it, without_a_cache_nothing_is_wanted_back,
             without_a_cache_N_atomics_on_one_word_take_N_round_trips,
             with_a_cache_N_atomics_on_one_word_take_N_intervals,
             atomics_wait_for_room_in_front_of_the_ROP)
