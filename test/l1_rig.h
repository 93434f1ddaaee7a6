/* The rig: a source of line transactions, L1, an L2 that answers after 100 cycles, and a sink for
 * the registers. All paths take a cycle, so that, with hit_latency 16 and miss_latency 4:
 *     a hit    1 in + 16 + 1 back                              = 18
 *     a miss   1 in + 4 + 1 out + 100 + 1 back + 16 + 1 back   = 124; the fill is here after 107
 *     a store  1 in + 4 + 1 out + 100 + 1 back + 1 to the SM   = 108
 * With store_latency 20, the SM hears that a store has left after 1 in + 20 + 1 back = 22. */
#pragma once

#include "unit_rig.h"

#include <string.h>

#include "parts/address_map.h"
#include "parts/coalescer.h"
#include "parts/frames.h"

extern const UnitClass l1_class;

enum { HIT = 18, MISS = 124, FILL = 107, STORE = 108, LEFT = 22, TLB_HIT = 2, TLB_MISS = 24 };

typedef struct {
    uint64_t at, line;
    uint16_t sectors; /* 0: the whole line */
    uint8_t type, hint;
    uint64_t back; /* cycle at which the SM knows */
    uint32_t more; /* lines of the same instruction that follow */
} Lookup;

typedef struct {
    Harness *harness;
    Unit *source, *l1, *sink;
    FarSide *l2, *mmu;
    LineShape line;
    AddressMap map;
    Frames pages;
    const Lookup *lookups;
    guint count;
    const KernelStart *starts;
    guint start_count;
    WarpAccess *access; /* of the lookups that are made */
    uint32_t more;
} Rig;

static inline Message *make_lookup(Unit *source, uint64_t number, Time *at, void *user)
{
    Rig *rig = user;
    if (!number) announce_kernels(source, rig->starts, rig->start_count);
    if (number >= rig->count) return NULL;
    const Lookup *lookup = &rig->lookups[number];
    *at = lookup->at * source->clock->period;
    if (rig->more) {
        rig->more--;
    } else {
        rig->more = lookup->more;
        rig->access = unit_new_access(source);
        rig->access->warp = (uint32_t)number;
        rig->access->lines = 1 + lookup->more;
        rig->access->lines_sent = rig->access->lines_done = 0;
        rig->access->released = false;
    }
    Transaction *transaction = unit_new_transaction(source);
    transaction->line = transaction->local = lookup->line * 128;
    transaction->sectors = lookup->sectors ? lookup->sectors : 15;
    transaction->partial = 0;
    transaction->requested_bytes = 32;
    transaction->type = lookup->type;
    transaction->hint = lookup->hint;
    transaction->access = rig->access;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

/* `network_room` 0: without bound. */
static inline Rig *rig_new(const char *settings, uint32_t network_room)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, 2, NULL));
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    rig->pages = (Frames){.page_bytes = 4096, .memory_bytes = 1 << 20};
    ck_assert(frames_setup(&rig->pages, 0, 0, NULL));
    simulation_share(rig->harness->simulation, "pages", &rig->pages);
    g_autofree char *all =
        g_strconcat("hit_latency = 16 cycles; miss_latency = 4 cycles; store_latency = 20 cycles; ",
                    settings, NULL);
    rig->source = harness_source(rig->harness, "source");
    rig->l1 = harness_add(rig->harness, &l1_class, "l1", all);
    rig->sink = harness_sink(rig->harness, "sink");
    rig->l2 = far_side_add(rig->harness, rig->l1, "to_request_network", "from_reply_network",
                           network_room);
    harness_connect(rig->harness, rig->source, "out", rig->l1, "from_load_store",
                    (Path){.capacity = 16});
    harness_connect(rig->harness, rig->l1, "to_sm", rig->sink, "in", (Path){.capacity = 0});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline uint64_t heard_of(const Rig *rig, guint number, bool released)
{
    for (uint64_t i = 0; i < harness_arrivals(rig->sink); i++) {
        const WarpAccess *access = (const WarpAccess *)harness_arrival(rig->sink, i)->message;
        if (access->warp != number || access->released != released) continue;
        if (released) return access->released_at / rig->harness->clock->period;
        return harness_arrival(rig->sink, i)->cycle;
    }
    ck_abort_msg("access %u did not come back", number);
}

static inline uint64_t came_back(const Rig *rig, guint number)
{
    return heard_of(rig, number, false);
}

static inline Time latencies(const Rig *rig)
{
    static const char *const classes[] = {"stages_load_l1_hit", "stages_load_merged",
                                          "stages_load_l2_hit", "stages_load_dram",
                                          "stages_store",       "stages_atomic"};
    Time all = 0;
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        const StageSums *sums = unit_stages(rig->l1, classes[i]);
        Time sum = 0;
        for (guint s = 0; s < STAGE_COUNT; s++) sum += sums->stage[s];
        ck_assert_msg(sum == sums->latency, "%s do not add up", classes[i]);
        all += sums->latency;
    }
    return all / rig->harness->clock->period;
}

/* Every access is back at its cycle, and its stages add up to the time that the SM saw. */
static inline void run(Rig *rig, const Lookup *lookups, guint count)
{
    rig->lookups = lookups;
    rig->count = count;
    harness_generate(rig->source, make_lookup, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    uint64_t seen = 0;
    bool several = false;
    for (guint i = 0; i < count; i += 1 + lookups[i].more) {
        ck_assert_msg(came_back(rig, i) == lookups[i].back,
                      "lookup %u at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                      came_back(rig, i), lookups[i].back);
        seen += lookups[i].back - lookups[i].at - (lookups[i].type == TRANSACTION_WRITE);
        several |= lookups[i].more > 0;
    }
    const Time staged = latencies(rig); /* of a store without the word to the SM */
    if (!several) ck_assert_uint_eq(staged, seen);
}

#define RUN(rig, lookups) run(rig, lookups, G_N_ELEMENTS(lookups))
