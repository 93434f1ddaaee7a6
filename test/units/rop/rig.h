/* The rig of the ROP's tests: a source of atomics, a ROP, and an L2 slice that is always there: it
 * answers fetches after 100 cycles and notes everything. All paths take a cycle; with a latency of
 * 10, a result of what was sent at t is seen at
 *     hit    t + 1 in + 10 + 1 out                               = t + 12
 *     miss   t + 1 in + 1 out + 100 + 1 back + 10 + 1 out        = t + 114 */
#pragma once

#include "rigs/unit_rig.h"

#include "kit/gpu/atomic.h"
#include "parts/address/address_map.h"
#include "parts/sm/coalescer.h"

extern const UnitClass rop_class;

enum { HIT = 12, MISS = 114 };

/* Lane i wants the word at offset + i x stride of the line; recalls have no lanes. */
typedef struct {
    uint64_t at, line;
    uint64_t lanes;
    AtomicOperation operation;
    uint32_t operand, compare;
    uint16_t offset, stride;
    TileMix tiles;
    uint64_t back; /* cycle of the result */
} Request;

/* What the slice saw. */
typedef struct {
    uint64_t cycle, id, local;
    TransactionType type;
    uint16_t sectors;
    bool for_rop, kept;
    uint32_t value[LANES_MAX];
} Noted;

typedef struct {
    Unit unit;
    Port in;
    Channel out;
    GArray *noted;
    uint64_t withheld; /* takes nothing before this cycle */
    StageSums sums;
} Slice;

static inline bool slice_setup(Unit *unit, GError **error)
{
    (void)error;
    ((Slice *)unit)->noted = g_array_new(FALSE, TRUE, sizeof(Noted));
    return true;
}

static inline void slice_teardown(Unit *unit)
{
    if (((Slice *)unit)->noted) g_array_unref(((Slice *)unit)->noted);
}

static inline void slice_note(Slice *self, const Transaction *transaction, Time now)
{
    Noted noted = {.cycle = now / self->unit.clock->period,
                   .id = transaction->message.id & UINT32_MAX,
                   .local = transaction->local,
                   .type = (TransactionType)transaction->type,
                   .sectors = transaction->sectors,
                   .for_rop = transaction->for_rop,
                   .kept = transaction->kept_by_rop};
    if (transaction->operands)
        memcpy(noted.value, transaction->operands->value, sizeof noted.value);
    g_array_append_val(self->noted, noted);
}

static inline void slice_step(Unit *unit, Time now)
{
    Slice *self = (Slice *)unit;
    const Time from = self->withheld * unit->clock->period;
    if (now < from) {
        unit_wake_at(unit, from);
        return;
    }
    for (Transaction *t; (t = (Transaction *)port_take(&self->in, now));) {
        slice_note(self, t, now);
        if (t->for_rop && t->type == TRANSACTION_READ) {
            transaction_enter(t, STAGE_L2_TAG, now);
            const Time at = now + clock_cycles(unit->clock, 100);
            transaction_enter(t, STAGE_ROP, at);
            t->served_by = SERVED_DRAM;
            channel_send(&self->out, &t->message, at);
            continue;
        }
        if (!t->for_rop) ck_assert(transaction_account(t, now, &self->sums));
        if (t->operands) unit_free_message(unit, &t->operands->message);
        unit_free_message(unit, &t->message);
    }
}

typedef struct {
    Harness *harness;
    Unit *source, *rop;
    Slice *slice;
    LineShape line;
    AddressMap map;
    const Request *requests;
    guint count;
    const KernelStart *starts;
    guint start_count;
} Rig;

static inline void rig_fill_operands(AtomicOperands *operands, const Request *request,
                                     uint16_t *sectors)
{
    operands->operation = (uint8_t)request->operation;
    operands->width = 4;
    operands->tiles = request->tiles;
    operands->lanes = request->lanes;
    operands->operand = request->operand;
    operands->operand_stride = 0;
    operands->compare = request->compare;
    *sectors = 0;
    for (uint32_t lane = 0; lane < LANES_MAX; lane++) {
        if (!(request->lanes >> lane & 1)) continue;
        operands->offset[lane] = (uint16_t)(request->offset + lane * request->stride);
        *sectors |= (uint16_t)(1u << operands->offset[lane] / 32);
    }
}

static inline Message *rig_make(Unit *source, uint64_t number, Time *at, void *user)
{
    const Rig *rig = user;
    if (!number) announce_kernels(source, rig->starts, rig->start_count);
    if (number >= rig->count) return NULL;
    const Request *request = &rig->requests[number];
    *at = request->at * source->clock->period;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = request->lanes ? TRANSACTION_ATOMIC : TRANSACTION_READ;
    transaction->for_rop = !request->lanes;
    transaction->line = transaction->local = request->line * 128;
    transaction->virtual_line = VIRTUAL_BASE + transaction->line;
    transaction->partial = transaction->sectors = 0;
    transaction_enter(transaction, STAGE_ROP, *at);
    if (request->lanes) {
        transaction->operands = unit_new(source, MESSAGE_ATOMIC_OPERANDS);
        rig_fill_operands(transaction->operands, request, &transaction->sectors);
    }
    return &transaction->message;
}

static inline Rig *rig_new(const char *settings, uint32_t room)
{
    static const Param params_none[] = {PARAM_END};
    static const Stat stats_none[] = {STAT_END};
    static const PortRow slice_ports[] = {PORT_INPUT(Slice, in, "from the ROP"),
                                          PORT_OUTPUT(Slice, out, "sectors"), PORT_END};
    static const UnitClass slice_class = {.name = "slice",
                                          .summary = "answers fetches",
                                          .size = sizeof(Slice),
                                          .params = params_none,
                                          .stats = stats_none,
                                          .ports = slice_ports,
                                          .setup = slice_setup,
                                          .step = slice_step,
                                          .teardown = slice_teardown};
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->map = (AddressMap){.granularity = 256, .hash = ADDRESS_HASH_NONE};
    ck_assert(address_map_setup(&rig->map, 1, NULL));
    simulation_share(rig->harness->simulation, "line", &rig->line);
    simulation_share(rig->harness->simulation, "address_map", &rig->map);
    g_autofree char *all = g_strconcat("latency = 10 cycles; ", settings, NULL);
    rig->source = harness_source(rig->harness, "source");
    rig->rop = harness_add(rig->harness, &rop_class, "rop", all);
    rig->slice = (Slice *)harness_add(rig->harness, &slice_class, "slice", NULL);
    harness_connect(rig->harness, rig->source, "out", rig->rop, "from_l2", (Path){.capacity = 64});
    harness_connect(rig->harness, rig->rop, "to_l2", &rig->slice->unit, "in",
                    (Path){.capacity = room});
    harness_connect(rig->harness, &rig->slice->unit, "out", rig->rop, "data_from_l2", (Path){0});
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline const Noted *rig_noted(const Rig *rig, guint index)
{
    g_assert(index < rig->slice->noted->len);
    return &g_array_index(rig->slice->noted, Noted, index);
}

/* The index-th of the ROP's own requests of this type. */
static inline const Noted *rig_own(const Rig *rig, TransactionType type, guint index)
{
    for (guint i = 0; i < rig->slice->noted->len; i++) {
        const Noted *noted = rig_noted(rig, i);
        if (noted->for_rop && noted->type == type && !index--) return noted;
    }
    ck_abort_msg("no such request of the ROP");
}

static inline guint rig_count_own(const Rig *rig, TransactionType type)
{
    guint count = 0;
    for (guint i = 0; i < rig->slice->noted->len; i++)
        count += rig_noted(rig, i)->for_rop && rig_noted(rig, i)->type == type;
    return count;
}

/* Of an atomic, by its number among the requests. */
static inline const Noted *rig_result(const Rig *rig, guint number)
{
    uint64_t id = 0; /* each atomic takes two: the transaction and its operands */
    for (guint i = 0; i < number; i++) id += rig->requests[i].lanes ? 2 : 1;
    for (guint i = 0; i < rig->slice->noted->len; i++)
        if (!rig_noted(rig, i)->for_rop && rig_noted(rig, i)->id == id) return rig_noted(rig, i);
    ck_abort_msg("request %u got no result", number);
}

static inline void rig_run(Rig *rig, const Request *requests, guint count)
{
    guint atomics = 0;
    rig->requests = requests;
    rig->count = count;
    harness_generate(rig->source, rig_make, rig);
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    for (guint i = 0; i < count; i++) {
        if (!requests[i].lanes) continue;
        atomics++;
        if (requests[i].back)
            ck_assert_msg(rig_result(rig, i)->cycle == requests[i].back,
                          "result %u at %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, i,
                          rig_result(rig, i)->cycle, requests[i].back);
    }
    ck_assert_uint_eq(unit_count(rig->rop, "requests"), atomics);
    ck_assert_uint_eq(rig->slice->sums.count, atomics);
    ck_assert_uint_eq(unit_count(rig->rop, "hits") + unit_count(rig->rop, "misses")
                          + unit_count(rig->rop, "merged"),
                      atomics);
    assert_little(rig->rop, "queue");
    if (atomics) assert_little(rig->rop, "operating");
}

#define RUN(rig, requests) rig_run(rig, requests, G_N_ELEMENTS(requests))
