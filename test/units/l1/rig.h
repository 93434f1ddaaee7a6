/* The rig of L1's tests: a source of warps' accesses, L1, an L2 that answers after 100 cycles, and
 * sinks: values of global and local memory, values of shared memory, notices of stores.
 * All paths take a cycle, so that, with hit_latency 16, miss_latency 4, shared_latency 9:
 *     a hit    1 in + 16 + 1 back                              = 18
 *     a miss   1 in + 4 + 1 out + 100 + 1 back + 16 + 1 back   = 124; the fill is here after 107
 *     a store  1 in + 4 + 1 out + 100 + 1 back + 1 to the SM   = 108
 *     shared   1 in + 9 + 1 back                               = 11
 * With store_latency 20, the SM hears that a store has left after 1 in + 20 + 1 back = 22. Every
 * further pass over the data array takes a cycle. */
#pragma once

#include "rigs/unit_rig.h"

#include "parts/address/address_map.h"
#include "parts/address/frames.h"
#include "parts/sm/coalescer.h"

#include <math.h>

extern const UnitClass l1_class;

enum { HIT = 18, MISS = 124, FILL = 107, STORE = 108, SHARED_HIT = 11, LEFT = 22 };
enum { LOAD, STORES, ATOMIC, REDUCTION };
enum { GLOBAL, IN_SHARED, LOCAL }; /* as Space, without the rest */
enum { SAME = 1 };                 /* a stride of no bytes */
#define ANY UINT64_MAX             /* a cycle that is not the test's matter */

/* One access of a warp, by the bytes its lanes want. What is 0 stands for the usual: a global load
 * of 32 lanes of 4 bytes side by side, the whole of one line. */
typedef struct {
    uint64_t at, line; /* base address = line x 128 + offset */
    uint32_t offset;
    int64_t stride; /* bytes; SAME: all lanes at one address */
    uint32_t mask;
    uint8_t operation, space, hint, width;
    uint8_t row_lanes;
    int32_t row_stride;
    const uint64_t *addresses; /* of all lanes, instead */
    uint64_t back;             /* cycle at which the SM knows; 0: it does not hear */
    uint32_t interval;         /* shared atomics: cycles from pass to pass */
    bool half;                 /* ... and half of one */
    uint32_t turns;            /* ... passes of one turn; 0: one */
} Lookup;

typedef struct {
    Harness *harness;
    Unit *source, *l1, *sink, *shared_sink, *notices;
    FarSide *l2;
    LineShape line;
    AddressMap map;
    Frames pages;
    const Lookup *lookups;
    guint count;
    const KernelStart *starts;
    guint start_count;
    guint orders; /* of the SM, which come back */
} Rig;

static const uint8_t lookup_operations[] = {OPERATION_LOAD, OPERATION_STORE, OPERATION_ATOMIC,
                                            OPERATION_ATOMIC};

/* As the load/store unit would. */
static inline void find_lines(const Rig *rig, Unit *source, WarpAccess *access)
{
    const Instruction *in = &access->instruction;
    const LaneSteps steps = instruction_steps(in);
    CoalescedLine lines[COALESCER_LINES];
    if (in->space == SPACE_SHARED) return;
    const uint32_t count =
        in->addresses ? coalesce_addresses(&rig->line, access->lanes->address,
                                           (uint32_t)__builtin_popcount(in->mask), in->width, lines)
                      : coalesce_steps(&rig->line, &steps, in->width, lines);
    warp_access_take_lines(&source->messages, access, count);
    for (uint32_t i = 0; i < count; i++)
        access->line[i] = (AccessLine){.line = lines[i].line,
                                       .bytes = lines[i].bytes,
                                       .sectors = lines[i].sectors,
                                       .partial = lines[i].partial};
}

static inline Message *make_lookup(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (!number) announce_kernels(source, rig->starts, rig->start_count);
    if (number >= rig->count) return NULL;
    const Lookup *lookup = &rig->lookups[number];
    *at = lookup->at * source->clock->period;
    WarpAccess *access = unit_new(source, MESSAGE_WARP_ACCESS);
    Instruction in = {.operation = lookup_operations[lookup->operation],
                      .space = lookup->space,
                      .hint = lookup->hint,
                      .base = lookup->line * 128 + lookup->offset,
                      .width = lookup->width ? lookup->width : 4,
                      .mask = lookup->mask ? lookup->mask : UINT32_MAX,
                      .row_lanes = lookup->row_lanes,
                      .row_stride = lookup->row_stride,
                      .addresses = lookup->addresses};
    in.stride = lookup->stride == SAME ? 0 : lookup->stride ? lookup->stride : in.width;
    in.destination_count = lookup->operation == LOAD || lookup->operation == ATOMIC;
    warp_access_begin(&source->messages, access, &in, *at);
    leave_anything(access);
    access->reached = access->began = *at;
    access->warp = (uint32_t)number;
    access->warp_age = 0;
    access->dependent = false;
    access->same_address = 1;
    access->turn_passes = lookup->turns ? lookup->turns : 1;
    access->pass_interval = (2 * lookup->interval + lookup->half) * source->clock->period / 2;
    find_lines(rig, source, access);
    return &access->message;
}

/* `network_room` 0: without bound. */
static inline Rig *rig_new(const char *settings, uint32_t network_room)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, 2, NULL));
    simulation_share(h->simulation, "l1_line", &rig->line);
    simulation_share(h->simulation, "address_map", &rig->map);
    rig->pages = (Frames){.page_bytes = 2 << 20};
    ck_assert(frames_setup(&rig->pages, UINT64_C(1) << 32, 1, NULL));
    simulation_share(rig->harness->simulation, "pages", &rig->pages);
    g_autofree char *all =
        g_strconcat("hit_latency = 16 cycles; miss_latency = 4 cycles; store_latency = 20 cycles; ",
                    "shared_latency = 9 cycles; ", settings, NULL);
    rig->source = harness_source(h, "source");
    rig->l1 = harness_add(h, &l1_class, "l1", all);
    rig->sink = harness_sink(h, "sink");
    rig->shared_sink = harness_sink(h, "shared_sink");
    rig->notices = harness_sink(h, "notices");
    rig->l2 = far_side_add(h, rig->l1, "to_request_network", "from_reply_network", network_room);
    harness_connect(h, rig->source, "out", rig->l1, "from_load_store", (Path){.capacity = 16});
    harness_connect(h, rig->l1, "to_sm", rig->sink, "in", (Path){.capacity = 0});
    harness_connect(h, rig->l1, "to_sm_shared", rig->shared_sink, "in", (Path){.capacity = 0});
    harness_connect(h, rig->l1, "to_sm_notices", rig->notices, "in", (Path){.capacity = 0});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline uint64_t count_notices(const Rig *rig, StoreStep step)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < harness_arrivals(rig->notices); i++) {
        const Message *message = harness_arrival(rig->notices, i)->message;
        count +=
            message->kind == MESSAGE_STORE_NOTICE && ((const StoreNotice *)message)->step == step;
    }
    return count;
}

/* The SM hears of them when they begin, and when they end. */
static inline void assert_write_backs(const Rig *rig)
{
    const uint64_t all =
        unit_count(rig->l1, "write_backs") + unit_count(rig->l1, "global_write_backs");
    ck_assert_uint_eq(count_notices(rig, WRITE_BACK_BEGINS), all);
    ck_assert_uint_eq(count_notices(rig, WRITE_BACK_ENDS), all + rig->orders);
}

/* A notice, or a store to shared memory on its way back; else the access is done. */
static inline bool tells_of_operands(const Message *message, uint32_t *warp, uint64_t *released_at)
{
    if (message->kind == MESSAGE_STORE_NOTICE) {
        const StoreNotice *notice = (const StoreNotice *)message;
        *warp = notice->step == STORE_RELEASED ? notice->warp : UINT32_MAX;
        *released_at = notice->released_at;
        return true;
    }
    const WarpAccess *access = (const WarpAccess *)message;
    *warp = access->warp;
    *released_at = access->released_at;
    return access->instruction.space == SPACE_SHARED
           && access->instruction.operation == OPERATION_STORE;
}

/* The cycle at which the SM hears of an access: of its end, or of its operands having been read.
 * 0: never. */
static inline uint64_t heard_of(const Rig *rig, guint number, bool released)
{
    const Unit *const sinks[] = {rig->sink, rig->shared_sink, rig->notices};
    for (guint s = 0; s < G_N_ELEMENTS(sinks); s++)
        for (uint64_t i = 0; i < harness_arrivals(sinks[s]); i++) {
            const Arrived *arrived = harness_arrival(sinks[s], i);
            uint32_t warp;
            uint64_t released_at;
            if (tells_of_operands(arrived->message, &warp, &released_at) != released) continue;
            if (warp == number)
                return released ? released_at / rig->harness->clock->period : arrived->cycle;
        }
    return 0;
}

static inline uint64_t came_back(const Rig *rig, guint number)
{
    const Lookup *lookup = &rig->lookups[number];
    return heard_of(rig, number, lookup->space == IN_SHARED && lookup->operation == STORES);
}

/* Of all classes, in cycles; in each the stages add up. */
static inline uint64_t staged(const Rig *rig)
{
    static const char *const classes[] = {
        "stages_load_l1_hit", "stages_load_merged", "stages_load_shared_l1", "stages_load_l2_hit",
        "stages_load_dram",   "stages_store",       "stages_atomic",         "stages_shared"};
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

static inline uint64_t stage_cycles(const Rig *rig, const char *class, Stage stage)
{
    return unit_stages(rig->l1, class)->stage[stage] / rig->harness->clock->period;
}

static inline void assert_stays(const Rig *rig, const char *level)
{
    const Level *l = unit_level(rig->l1, level);
    if (l->arrivals) assert_little(rig->l1, level);
}

/* What the SM saw of an access whose latency the stages tell: of a store without the word to the
 * SM; of a shared store, which the SM hears of early, nothing. */
static inline uint64_t seen(const Lookup *lookup)
{
    return lookup->back - lookup->at
           - (lookup->operation == STORES || lookup->operation == REDUCTION);
}

/* One latency for one line, and the SM hears of the end. */
static inline bool tells_its_latency(const Lookup *lookup)
{
    const int64_t stride = lookup->stride ? lookup->stride : lookup->width ? lookup->width : 4;
    if (lookup->space == IN_SHARED) return lookup->operation == LOAD || lookup->operation == ATOMIC;
    return !lookup->addresses && !lookup->row_lanes
           && (stride == SAME || lookup->offset + 32 * stride <= 128);
}

/* What servers did, by what was counted otherwise. */
static inline void assert_servers(const Rig *rig)
{
    const Unit *l1 = rig->l1;
    const uint64_t turns = unit_count(l1, "wavefronts") + unit_count(l1, "replayed_lines")
                           + unit_count(l1, "writes") + unit_count(l1, "atomics"),
                   leave = unit_number(l1, "miss_interval", PARAM_CYCLES);
    ck_assert_uint_eq(unit_booked(l1, "data_array"), unit_count(l1, "data_passes"));
    ck_assert_uint_eq(unit_booked(l1, "miss_port"), unit_count(l1, "requests") * leave);
    ck_assert_uint_eq(unit_booked(l1, "texture_port"), unit_count(l1, "texture_requests") * leave);
    const double expected = (double)(turns * unit_number(l1, "lookup_interval", PARAM_CYCLES))
                                / (double)unit_number(l1, "lookups_per_interval", PARAM_COUNT)
                            + (double)unit_count(l1, "shared_passes")
                                  / (double)unit_number(l1, "data_ports", PARAM_COUNT);
    ck_assert_double_eq_tol((double)unit_booked(l1, "arbiter"), floor(expected), 1);
}

/* Every access is back at its cycle, its stages add up to the time that the SM saw, and what was
 * anywhere has left by Little's law. */
static inline void run(Rig *rig, const Lookup *lookups, guint count)
{
    rig->lookups = lookups;
    rig->count = count;
    harness_generate(rig->source, make_lookup, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    uint64_t sum = 0;
    bool all = true;
    for (guint i = 0; i < count; i++) {
        ck_assert_msg(lookups[i].back == ANY || came_back(rig, i) == lookups[i].back,
                      "lookup %u at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                      came_back(rig, i), lookups[i].back);
        sum += seen(&lookups[i]);
        all &= lookups[i].back != ANY && tells_its_latency(&lookups[i]);
    }
    const uint64_t stages = staged(rig);
    if (all) ck_assert_uint_eq(stages, sum);
    static const char *const levels[] = {"queue", "replay_room", "prt", "write_buffer",
                                         "stores_outstanding"};
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++) assert_stays(rig, levels[i]);
    assert_places_are_empty(rig->l1);
    assert_servers(rig);
    assert_write_backs(rig);
}

#define RUN(rig, lookups) run(rig, lookups, G_N_ELEMENTS(lookups))
