/* A rig for tests of the L2 slice: a source of requests, the slice, a DRAM that answers after 100
 * cycles, and a sink for the replies. All paths take a cycle, so that, with latencies
 * 31 (hit), 10 (miss), 10 (fill):
 *     a hit   1 in + 31 + 1 out                               = 33
 *     a miss  1 in + 10 + 1 out + 100 + 1 back + 10 + 1 out   = 124; the fill is here after 113
 * A reply leaves as its first sector is read. */
#pragma once

#include "rigs/unit_rig.h"

#include <string.h>

/* Four sets, and a miss fetches the sectors that it lacks. */
#define SMALL "capacity = 1 KiB; ways = 2; fill_bytes = 32 B; "

#include "parts/address/address_map.h"
#include "parts/sm/coalescer.h"

extern const UnitClass l2_slice_class;

enum { HIT = 33, MISS = 124, FILL = 113 };

#define READ TRANSACTION_READ
#define WRITE TRANSACTION_WRITE
#define ATOMIC TRANSACTION_ATOMIC

typedef struct {
    uint64_t at;
    TransactionType type;
    uint64_t line;
    uint16_t sectors, partial;
    uint64_t back; /* cycle at which the reply network has the reply */
} Request;

typedef struct {
    Harness *harness;
    Unit *source, *slice, *sink;
    FarSide *dram;
    LineShape line;
    AddressMap map;
    const Request *requests;
    guint count;
    /* of each request, if not NULL: its space; which of its line's first 64 bytes it writes */
    const uint8_t *spaces;
    const uint64_t *written;
    const KernelStart *starts;
    guint start_count;
} Rig;

static inline Message *make_request(Unit *source, uint64_t number, Time *at, void *user)
{
    Rig *rig = user;
    if (!number) announce_kernels(source, rig->starts, rig->start_count);
    if (number >= rig->count) return NULL;
    const Request *request = &rig->requests[number];
    *at = request->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = (uint8_t)request->type;
    transaction->local = request->line * rig->line.line_bytes;
    transaction->line = address_map_global(&rig->map, 0, transaction->local);
    transaction->virtual_line = VIRTUAL_BASE + transaction->line;
    transaction->sectors = request->sectors;
    transaction->partial = request->partial;
    transaction->space = rig->spaces ? rig->spaces[number] : SPACE_GLOBAL;
    memset(transaction->written, 0, sizeof transaction->written);
    if (rig->written) transaction->written[0] = rig->written[number];
    transaction->left = *at;
    transaction->message.entry = 70 + (uint32_t)number;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

typedef struct {
    uint32_t scheduler, reply, slices; /* places, 0: without bound; ours is the first slice */
    uint32_t line_bytes;               /* 0: 128 */
    uint32_t input;                    /* 0: 16 */
} Surroundings;

static inline Rig *rig_new(const char *settings, Surroundings around)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line =
        (LineShape){.line_bytes = around.line_bytes ? around.line_bytes : 128, .sector_bytes = 32};
    rig->map =
        (AddressMap){.granularity = MAX(256, rig->line.line_bytes), .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, MAX(around.slices, 1), NULL));
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    g_autofree char *all = g_strconcat("hit_latency = 31 cycles; miss_latency = 10 cycles; "
                                       "fill_latency = 10 cycles; ",
                                       settings, NULL);
    rig->source = harness_source(rig->harness, "source");
    rig->slice = harness_add(rig->harness, &l2_slice_class, "slice", all);
    rig->sink = harness_sink(rig->harness, "sink");
    rig->dram =
        far_side_add(rig->harness, rig->slice, "to_scheduler", "from_dram", around.scheduler);
    harness_connect(rig->harness, rig->source, "out", rig->slice, "from_network",
                    (Path){.capacity = around.input ? around.input : 16});
    harness_connect(rig->harness, rig->slice, "to_reply_network", rig->sink, "in",
                    (Path){.capacity = around.reply});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static const Arrived *reply_to(const Rig *rig, guint number)
{
    for (uint64_t i = 0; i < harness_arrivals(rig->sink); i++)
        if ((harness_transaction(rig->sink, i)->message.id & UINT32_MAX) == number)
            return harness_arrival(rig->sink, i);
    ck_abort_msg("request %u got no reply", number);
}

static inline void run(Rig *rig, const Request *requests, guint count)
{
    rig->requests = requests;
    rig->count = count;
    harness_generate(rig->source, make_request, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    ck_assert_uint_eq(harness_arrivals(rig->sink), count);
    for (guint i = 0; i < count; i++)
        ck_assert_msg(reply_to(rig, i)->cycle == requests[i].back,
                      "reply %u at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                      reply_to(rig, i)->cycle, requests[i].back);
    assert_little(rig->slice, "queue");
    assert_places_are_empty(rig->slice);
    ck_assert_uint_eq(unit_count(rig->slice, "accesses"), count);
}

#define RUN(rig, requests) run(rig, requests, G_N_ELEMENTS(requests))

static inline void assert_fetches(const Rig *rig, const uint16_t *sectors, guint count)
{
    ck_assert_uint_eq(rig->dram->seen->len, count);
    for (guint i = 0; i < count; i++)
        ck_assert_uint_eq(far_side_transaction(rig->dram, i)->sectors, sectors[i]);
}

static inline void assert_sent(const Rig *rig, guint index, TransactionType type, uint64_t line,
                               uint64_t cycle)
{
    const Transaction *sent = far_side_transaction(rig->dram, index);
    ck_assert_int_eq(sent->type, type);
    ck_assert_uint_eq(sent->local / 128, line);
    ck_assert_uint_eq(far_side_seen(rig->dram, index)->cycle, cycle);
}

static inline void expect_refusal(const char *settings, const char *text)
{
    g_autoptr(Rig) rig = rig_new(settings, (Surroundings){0});
    g_autoptr(GError) error = NULL;
    ck_assert(!simulation_setup(rig->harness->simulation, &error));
    ck_assert_msg(strstr(error->message, text), "%s", error->message);
}
