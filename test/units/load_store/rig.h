/* The rig of the load/store unit's tests: a source of warps' memory instructions, the unit, a sink
 * for what L1 gets, one for what the texture unit gets, one for what the SM hears. All paths take
 * a cycle: an instruction that is issued at 10 is taken at 11 and at L1 at 12. */
#pragma once

#include "rigs/unit_rig.h"

#include "parts/sm/coalescer.h"

extern const UnitClass load_store_class;

enum { NO_LANES = 1u << 31, SAME = 1 }; /* a mask, a stride of no bytes */

/* What is 0 stands for the usual: a load of 32 lanes of 4 bytes side by side. */
typedef struct {
    uint64_t at;
    Operation operation; /* OPERATION_ALU: a load */
    Space space;
    uint64_t base;
    int64_t stride;
    const uint64_t *addresses; /* of all active lanes, instead */
    uint64_t mask;
    uint32_t width;
    uint32_t slot;   /* of the warp */
    bool has_result; /* of an atomic */
    bool read_only;
} Access;

typedef struct {
    Harness *harness;
    Unit *source, *unit, *l1, *texture, *sm;
    LineShape line;
    const Access *accesses;
    guint count;
} Rig;

static inline Message *make_access(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (number >= rig->count) return NULL;
    const Access *wanted = &rig->accesses[number];
    *at = wanted->at * source->clock->period;
    WarpAccess *access = unit_new(source, MESSAGE_WARP_ACCESS);
    Instruction in = {.operation = (uint8_t)wanted->operation,
                      .space = (uint8_t)wanted->space,
                      .base = wanted->base,
                      .addresses = wanted->addresses,
                      .mask = wanted->mask ? wanted->mask : UINT32_MAX,
                      .width = (uint8_t)(wanted->width ? wanted->width : 4),
                      .hint = wanted->read_only ? CACHE_READ_ONLY : CACHE_STREAMING};
    if (in.operation == OPERATION_ALU) in.operation = OPERATION_LOAD;
    if (in.mask == NO_LANES) in.mask = 0;
    in.stride = wanted->stride == SAME ? 0 : wanted->stride ? wanted->stride : in.width;
    in.destination_count = in.operation == OPERATION_LOAD || wanted->has_result;
    warp_access_begin(&source->messages, access, &in, *at);
    access->warp = wanted->slot;
    access->warp_age = number;
    return &access->message;
}

typedef struct {
    uint32_t queue, l1, texture; /* places; 0: without bound */
    uint32_t sm;                 /* the unit's number */
} Around;

static inline Rig *rig_new(const char *settings, Around around)
{
    Rig *rig = g_new0(Rig, 1);
    Harness *h = rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    simulation_share(h->simulation, "l1_line", &rig->line);
    rig->source = harness_source(h, "source");
    rig->unit = harness_add(h, &load_store_class, "load_store", settings);
    rig->unit->number = around.sm;
    rig->l1 = harness_sink(h, "l1");
    rig->texture = harness_sink(h, "texture");
    rig->sm = harness_sink(h, "sm");
    harness_connect(h, rig->source, "out", rig->unit, "from_sm", (Path){.capacity = around.queue});
    harness_connect(h, rig->unit, "to_l1", rig->l1, "in", (Path){.capacity = around.l1});
    harness_connect(h, rig->unit, "to_texture", rig->texture, "in",
                    (Path){.capacity = around.texture});
    harness_connect(h, rig->unit, "to_sm", rig->sm, "in", (Path){.capacity = 0});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline void run(Rig *rig, const Access *accesses, guint count)
{
    rig->accesses = accesses;
    rig->count = count;
    harness_generate(rig->source, make_access, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    assert_places_are_empty(rig->unit);
    if (!unit_booked(rig->unit, "same_address"))
        ck_assert_uint_eq(unit_booked(rig->unit, "addresses"),
                          count * unit_number(rig->unit, "interval", PARAM_CYCLES));
    /* an instruction that the queue refused was issued later than it says */
    if (!rig->unit->ports[0]->channel->refused) assert_little(rig->unit, "queue");
}

#define RUN(rig, accesses) run(rig, accesses, G_N_ELEMENTS(accesses))

/* The index-th instruction that L1 gets, which comes at `cycle`. */
static inline const WarpAccess *at_l1(const Rig *rig, uint64_t index, uint64_t cycle)
{
    const Arrived *arrived = harness_arrival(rig->l1, index);
    ck_assert_uint_eq(arrived->cycle, cycle);
    return (const WarpAccess *)arrived->message;
}

/* The index-th notice that the SM gets. */
static inline const StoreNotice *notice_at(const Rig *rig, uint64_t index)
{
    const Message *message = harness_arrival(rig->sm, index)->message;
    ck_assert_uint_eq(message->kind, MESSAGE_STORE_NOTICE);
    return (const StoreNotice *)message;
}

/* Of a copy, whose pointer to its own lines is the original's. */
static inline const AccessLine *lines_of(const WarpAccess *access)
{
    return access->many ? access->many->line : access->few;
}

static inline void assert_line(const WarpAccess *access, uint32_t index, AccessLine expected)
{
    ck_assert_uint_lt(index, access->lines);
    const AccessLine *line = &lines_of(access)[index];
    ck_assert_uint_eq(line->line, expected.line);
    ck_assert_uint_eq(line->bytes, expected.bytes);
    ck_assert_uint_eq(line->sectors, expected.sectors);
    ck_assert_uint_eq(line->partial, expected.partial);
}
