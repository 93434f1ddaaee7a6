/* The rig: two L2 slices, each at home in one half, with a source of the requests of its near SMs,
 * a DRAM that answers after 100 cycles and a sink. All paths take a cycle, those between the halves
 * CROSS cycles. With latencies 31 (hit), 10 (miss), 10 (fill) and links of 32 B a cycle:
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

enum { CROSS = 5, HIT = 33, FAR_HIT = 68, FAR_MISS = 159, FAR_STORE = 58, STORE_OF_COPIED = 45 };

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
    Unit *source[2], *slice[2], *sink[2];
    FarSide *dram[2];
    LineShape line;
    AddressMap map;
    const Request *requests[2];
    guint count[2];
    KernelStart start;
    Space space;
} Rig;

static inline Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    Rig *rig = user;
    const guint half = source == rig->source[1];
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
    transaction->partial = 0;
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
    rig->source[half] = harness_source(rig->harness, half ? "source[1]" : "source[0]");
    rig->slice[half] =
        harness_add(rig->harness, &l2_slice_class, half ? "slice[1]" : "slice[0]", all);
    rig->slice[half]->number = half;
    for (guint k = 0; k < G_N_ELEMENTS(far); k++) unit_size_ports(rig->slice[half], far[k], 1);
    rig->sink[half] = harness_sink(rig->harness, half ? "sink[1]" : "sink[0]");
    rig->dram[half] = far_side_add(rig->harness, rig->slice[half], "to_scheduler", "from_dram", 0);
    far_side_add(rig->harness, rig->slice[half], "to_rop", "from_rop", 4)->latency = 29;
    harness_connect(rig->harness, rig->source[half], "out", rig->slice[half], "from_network",
                    (Path){.capacity = 16});
    harness_connect(rig->harness, rig->slice[half], "to_reply_network", rig->sink[half], "in",
                    (Path){0});
}

static inline Rig *rig_new(const char *settings, uint32_t cross_queue)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, 2, NULL));
    rig->map.halves = 2;
    rig->map.requesters = 2;
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    for (guint half = 0; half < 2; half++) add_slice(rig, half, settings);
    for (guint half = 0; half < 2; half++) {
        harness_connect(rig->harness, rig->slice[half], "to_far_requests", rig->slice[!half],
                        "from_far_requests", (Path){.capacity = cross_queue, .delay = CROSS});
        harness_connect(rig->harness, rig->slice[half], "to_far_replies", rig->slice[!half],
                        "from_far_replies", (Path){.delay = CROSS});
    }
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline uint64_t both(const Rig *rig, const char *name)
{
    return unit_count(rig->slice[0], name) + unit_count(rig->slice[1], name);
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

static inline void run(Rig *rig, const Request *first, guint first_count, const Request *second,
                       guint second_count)
{
    rig->requests[0] = first;
    rig->count[0] = first_count;
    rig->requests[1] = second;
    rig->count[1] = second_count;
    for (guint half = 0; half < 2; half++) harness_generate(rig->source[half], make_request, rig);
    const RunOutcome outcome = harness_run(rig->harness);
    g_autofree char *stuck =
        outcome == RUN_DEADLOCK ? simulation_describe_deadlock(rig->harness->simulation) : NULL;
    ck_assert_msg(outcome == RUN_FINISHED, "outcome %d: %s", outcome, stuck ? stuck : "");
    for (guint half = 0; half < 2; half++) check_replies(rig, half);
    /* each request is counted once, where it was served */
    ck_assert_uint_eq(both(rig, "accesses"), first_count + second_count);
    ck_assert_uint_eq(both(rig, "hits") + both(rig, "misses") + both(rig, "merged")
                          + both(rig, "atomics"),
                      first_count + second_count);
    ck_assert_uint_eq(both(rig, "replies"), first_count + second_count);
    for (guint half = 0; half < 2; half++)
        if (unit_level(rig->slice[half], "crossing")->arrivals)
            assert_little(rig->slice[half], "crossing");
    for (guint half = 0; half < 2; half++) assert_places_are_empty(rig->slice[half]);
}

#define RUN(rig, first, second) run(rig, first, G_N_ELEMENTS(first), second, G_N_ELEMENTS(second))
