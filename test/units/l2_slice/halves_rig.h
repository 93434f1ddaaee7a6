/* The rig: two or three L2 slices, each at home in one half, with a source of the requests of its
 * near SMs, a DRAM that answers after 100 cycles and a sink. All paths take a cycle, those between
 * the halves CROSS cycles. With latencies 31 (hit), 10 (miss), 10 (fill) and links of 32 B a cycle:
 *     a hit, of a line or of a copy                      1 in + 31 + 1 out             = 33
 *     a far hit of a whole line   1 + 10 + 1 link + 5 + 31 + 4 link + 5 + 10 + 1       = 68
 *     a far miss of it            1 + 10 + 1 + 5 + (10 + 1 + 100 + 1 + 10) + 4 + 5 + 10 + 1 = 159
 *     a far store of it           1 + 10 + 4 link + 5 + 31 + 1 link + 5 + 1            = 58
 *     a store whose copy must go  1 + 31 + (1 link + 5) + (1 link + 5) + 1             = 45 */
#pragma once

#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"
#include "parts/sm/coalescer.h"

extern const UnitClass l2_slice_class;

enum {
    HALVES_MOST = 3,
    CROSS = 5,
    HIT = 33,
    FAR_HIT = 68,
    FAR_MISS = 159,
    FAR_STORE = 58,
    STORE_OF_COPIED = 45
};

#define READ TRANSACTION_READ
#define WRITE TRANSACTION_WRITE
#define ATOMIC TRANSACTION_ATOMIC

typedef struct {
    uint64_t at;
    TransactionType type;
    uint16_t home;
    uint64_t line;
    uint16_t sectors;
    uint64_t back; /* 0: not looked at */
} Request;

typedef struct {
    Harness *harness;
    guint halves;
    Unit *source[HALVES_MOST], *slice[HALVES_MOST], *sink[HALVES_MOST];
    FarSide *dram[HALVES_MOST];
    LineShape line;
    AddressMap map;
    const Request *requests[HALVES_MOST];
    guint count[HALVES_MOST];
    KernelStart start;
    Space space;
    bool in_parts; /* stores write none of their sectors whole */
} Rig;

static inline Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    Rig *rig = user;
    guint half = 0;
    while (source != rig->source[half]) half++;
    if (!number && !half && rig->start.at) announce_kernels(source, &rig->start, 1);
    if (number >= rig->count[half]) return NULL;
    const Request *request = &rig->requests[half][number];
    *at = request->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = (uint8_t)request->type;
    transaction->local = request->line * 128;
    transaction->line = address_map_global(&rig->map, request->home, transaction->local);
    transaction->virtual_line = VIRTUAL_BASE + transaction->local;
    transaction->sectors = request->sectors;
    transaction->partial = rig->in_parts ? request->sectors : 0;
    transaction->space = (uint8_t)rig->space;
    transaction->home = request->home;
    transaction->slice = (uint16_t)half;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

static inline void add_slice(Rig *rig, guint half, const char *settings)
{
    static const char *const far[] = {"to_far_requests", "from_far_requests", "to_far_replies",
                                      "from_far_replies"};
    g_autofree char *all =
        g_strconcat("hit_latency = 31 cycles; miss_latency = 10 cycles; fill_latency = 10 cycles;"
                    "cross_bandwidth = 32 B/cycle; ",
                    settings, NULL);
    static const char *const sources[] = {"source[0]", "source[1]", "source[2]"},
                             *const slices[] = {"slice[0]", "slice[1]", "slice[2]"},
                             *const sinks[] = {"sink[0]", "sink[1]", "sink[2]"};
    rig->source[half] = harness_source(rig->harness, sources[half]);
    rig->slice[half] = harness_add(rig->harness, &l2_slice_class, slices[half], all);
    rig->slice[half]->number = half;
    for (guint k = 0; k < G_N_ELEMENTS(far); k++)
        unit_size_ports(rig->slice[half], far[k], rig->halves - 1);
    rig->sink[half] = harness_sink(rig->harness, sinks[half]);
    rig->dram[half] = far_side_add(rig->harness, rig->slice[half], "to_scheduler", "from_dram", 0);
    far_side_add(rig->harness, rig->slice[half], "to_rop", "from_rop", 4)->latency = 29;
    harness_connect(rig->harness, rig->source[half], "out", rig->slice[half], "from_network",
                    (Path){.capacity = 16});
    harness_connect(rig->harness, rig->slice[half], "to_reply_network", rig->sink[half], "in",
                    (Path){0});
}

/* A slice's channel k leads k + 1 halves on, and comes there from as many less than all. */
static inline void join_slices(Rig *rig, guint half, guint other, uint32_t cross_queue)
{
    const uint32_t output = (other + rig->halves - half) % rig->halves - 1,
                   input = rig->halves - 2 - output;
    const Path path = {.delay = CROSS, .output_index = output, .input_index = input};
    Path bounded = path;
    bounded.capacity = cross_queue;
    harness_connect(rig->harness, rig->slice[half], "to_far_requests", rig->slice[other],
                    "from_far_requests", bounded);
    harness_connect(rig->harness, rig->slice[half], "to_far_replies", rig->slice[other],
                    "from_far_replies", path);
}

static inline Rig *rig_of(guint halves, const char *settings, uint32_t cross_queue)
{
    Rig *rig = g_new0(Rig, 1);
    rig->halves = halves;
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, halves, NULL));
    rig->map.halves = halves;
    rig->map.requesters = halves;
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    for (guint half = 0; half < halves; half++) add_slice(rig, half, settings);
    for (guint half = 0; half < halves; half++)
        for (guint other = 0; other < halves; other++)
            if (other != half) join_slices(rig, half, other, cross_queue);
    return rig;
}

static inline Rig *rig_new(const char *settings, uint32_t cross_queue)
{
    return rig_of(2, settings, cross_queue);
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline uint64_t all_of(const Rig *rig, const char *name)
{
    uint64_t sum = 0;
    for (guint half = 0; half < rig->halves; half++) sum += unit_count(rig->slice[half], name);
    return sum;
}

static inline void check_replies(const Rig *rig, guint half)
{
    ck_assert_uint_eq(harness_arrivals(rig->sink[half]), rig->count[half]);
    for (uint64_t i = 0; i < rig->count[half]; i++) {
        const uint64_t number = harness_transaction(rig->sink[half], i)->message.id & UINT32_MAX;
        const Request *request = &rig->requests[half][number];
        const uint64_t cycle = harness_arrival(rig->sink[half], i)->cycle;
        ck_assert_msg(!request->back || request->at + request->back == cycle,
                      "half %u, request %u: after %u cycles, not %u", half, (guint)number,
                      (guint)(cycle - request->at), (guint)request->back);
    }
}

/* Of requests that `rig` has. */
static inline void run_all(Rig *rig)
{
    uint64_t count = 0;
    for (guint half = 0; half < rig->halves; half++) {
        harness_generate(rig->source[half], make_request, rig);
        count += rig->count[half];
    }
    const RunOutcome outcome = harness_run(rig->harness);
    g_autofree char *stuck =
        outcome == RUN_DEADLOCK ? simulation_describe_deadlock(rig->harness->simulation) : NULL;
    ck_assert_msg(outcome == RUN_FINISHED, "outcome %d: %s", outcome, stuck ? stuck : "");
    for (guint half = 0; half < rig->halves; half++) check_replies(rig, half);
    /* each request is counted once, where it was served */
    ck_assert_uint_eq(all_of(rig, "accesses") + all_of(rig, "atomics"), count);
    ck_assert_uint_eq(all_of(rig, "hits") + all_of(rig, "misses") + all_of(rig, "merged")
                          + all_of(rig, "bypassed"),
                      all_of(rig, "accesses"));
    ck_assert_uint_eq(all_of(rig, "replies"), count);
    for (guint half = 0; half < rig->halves; half++)
        if (unit_level(rig->slice[half], "crossing")->arrivals)
            assert_little(rig->slice[half], "crossing");
    for (guint half = 0; half < rig->halves; half++) assert_places_are_empty(rig->slice[half]);
}

static inline void ask(Rig *rig, guint half, const Request *requests, guint count)
{
    rig->requests[half] = requests;
    rig->count[half] = count;
}

#define ASK(rig, half, requests) ask(rig, half, requests, G_N_ELEMENTS(requests))
#define RUN(rig, first, second)                                                                    \
    do {                                                                                           \
        ASK(rig, 0, first);                                                                        \
        ASK(rig, 1, second);                                                                       \
        run_all(rig);                                                                              \
    } while (0)
