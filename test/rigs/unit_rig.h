/* Words for tests of single units: statistics by name, boundaries of kernels, and a far side that
 * answers what a unit sends out. */
#pragma once

#include "harness.h"

#include "kit/gpu/store_notice.h"
#include "kit/gpu/translation.h"
#include "kit/gpu/warp_access.h"
#include "kit/observe/meter.h"

/* Where a rig's lines lie for who asks. */
#define VIRTUAL_BASE UINT64_C(0x70000000)

/* --- statistics --- */

static inline const void *unit_statistic(const Unit *unit, const char *name, StatType type)
{
    const Stat *stat = unit->class->stats;
    while (stat->name && !g_str_equal(stat->name, name)) stat++;
    ck_assert_msg(stat->name && stat->type == type, "%s has no such statistic '%s'", unit->path,
                  name);
    return (const char *)unit + stat->offset;
}

static inline uint64_t unit_count(const Unit *unit, const char *name)
{
    return *(const uint64_t *)unit_statistic(unit, name, STAT_COUNT);
}

static inline uint64_t unit_bytes(const Unit *unit, const char *name)
{
    return *(const uint64_t *)unit_statistic(unit, name, STAT_BYTES);
}

/* In cycles. */
static inline uint64_t unit_busy(const Unit *unit, const char *name)
{
    return *(const uint64_t *)unit_statistic(unit, name, STAT_TIME) / unit->clock->period;
}

static inline const Level *unit_level(const Unit *unit, const char *name)
{
    return unit_statistic(unit, name, STAT_LEVEL);
}

static inline const Histogram *unit_histogram(const Unit *unit, const char *name)
{
    return unit_statistic(unit, name, STAT_HISTOGRAM);
}

static inline const StageSums *unit_stages(const Unit *unit, const char *name)
{
    return unit_statistic(unit, name, STAT_STAGES);
}

/* How often a list of the hottest has counted the address. */
static inline uint64_t unit_heat(const Unit *unit, const char *name, uint64_t address)
{
    const HeavyHitters *hitters = unit_statistic(unit, name, STAT_HEAVY);
    for (uint64_t i = 0; i < hitters->rows; i++)
        if (hitters->row[i].address == address) return hitters->row[i].count;
    return 0;
}

/* In a run that has drained, what the integral of every level says is what the stays add up to
 * (of a level that reports stays). */
static inline void assert_little(const Unit *unit, const char *name)
{
    const Level *level = unit_level(unit, name);
    ck_assert_uint_eq(level->now, 0);
    ck_assert_uint_gt(level->arrivals, 0);
    ck_assert_msg(level->stay == level->integral,
                  "%s.%s: stays of %" G_GUINT64_FORMAT " fs, integral %" G_GUINT64_FORMAT " fs",
                  unit->path, name, level->stay, level->integral);
}

/* --- resources, as they were counted in the whole run --- */

static inline const Meter *unit_meter_at(const Unit *unit, const char *name, uint32_t index)
{
    const MeterList *list = unit_meters(unit);
    for (uint32_t i = 0; i < list->count; i++)
        if (g_str_equal(list->at[i].name, name) && list->at[i].index == index) return &list->at[i];
    ck_abort_msg("%s has no resource '%s[%u]'", unit->path, name, index);
}

/* In cycles: how long a server was busy, or so many x how long they were in a place. */
static inline uint64_t unit_work(const Unit *unit, const char *name)
{
    return unit_meter_at(unit, name, 0)->counted.work / unit->clock->period;
}

/* The same of a server, also what was not done when the run ended. */
static inline uint64_t unit_booked_at(const Unit *unit, const char *name, uint32_t index)
{
    return ((const Server *)unit_meter_at(unit, name, index)->field)->busy / unit->clock->period;
}

/* ... of all servers of an array together. */
static inline uint64_t unit_booked(const Unit *unit, const char *name)
{
    const MeterList *list = unit_meters(unit);
    Time busy = 0;
    for (uint32_t i = 0; i < list->count; i++)
        if (g_str_equal(list->at[i].name, name)) busy += ((const Server *)list->at[i].field)->busy;
    return busy / unit->clock->period;
}

/* In cycles. */
static inline uint64_t unit_full(const Unit *unit, const char *name)
{
    return unit_meter_at(unit, name, 0)->counted.full / unit->clock->period;
}

static inline uint64_t unit_refused(const Unit *unit, const char *name)
{
    return unit_meter_at(unit, name, 0)->counted.refused;
}

/* In a run that has drained nothing is left in any place, and none ever held more than it can. */
static inline void assert_places_are_empty(const Unit *unit)
{
    const MeterList *list = unit_meters(unit);
    for (uint32_t i = 0; i < list->count; i++) {
        const Meter *meter = &list->at[i];
        if (!meter->row || meter->row->kind < RESOURCE_PLACE) continue;
        const Level *level = meter->field;
        ck_assert_msg(!level->now, "%s.%s[%u] is not empty", unit->path, meter->name, meter->index);
        ck_assert_msg(!meter->capacity || level->maximum <= meter->capacity,
                      "%s.%s[%u] held too many", unit->path, meter->name, meter->index);
    }
}

/* What the owner before has kept in an access means nothing to the next one. */
static inline void leave_anything(WarpAccess *access)
{
    memset(access->own, 0xa5, sizeof access->own);
}

/* --- the far side: what a unit sends out comes back --- */

typedef struct {
    uint64_t cycle;
    Message *message; /* a copy; pointers inside may be stale */
} Seen;

typedef struct {
    Time at;
    Message *message;
} Answer;

typedef struct {
    Unit unit;
    Port in;
    Channel out;
    uint64_t latency;                                       /* until the answer leaves */
    uint64_t (*latency_of)(const Transaction *transaction); /* if not NULL, of each its own */
    uint64_t notice; /* before it, a warp's store sends the notice that it has left; 0: no notice */
    bool silent;     /* it never answers */
    /* if not NULL: what the test does to each message that comes, and to `latency` */
    void (*work_on)(Unit *unit, Message *message, Time now);
    /* if not NULL: what a lane's atomic finds, of the so-manieth access that is answered */
    uint32_t (*value_of)(uint64_t number, uint32_t lane);
    GArray *seen;    /* of Seen */
    GArray *answers; /* of Answer, in order of time */
} FarSide;

static inline bool far_side_setup(Unit *unit, GError **error)
{
    (void)error;
    ((FarSide *)unit)->seen = g_array_new(FALSE, FALSE, sizeof(Seen));
    ((FarSide *)unit)->answers = g_array_new(FALSE, FALSE, sizeof(Answer));
    return true;
}

static inline void far_side_see(FarSide *self, const Message *message, Time now)
{
    const Seen seen = {now / self->unit.clock->period, harness_copy(message)};
    g_array_append_val(self->seen, seen);
}

static inline void far_side_answer(FarSide *self, Message *message, Time at)
{
    guint i = self->answers->len;
    while (i && g_array_index(self->answers, Answer, i - 1).at > at) i--;
    const Answer answer = {at, message};
    g_array_insert_val(self->answers, i, answer);
}

static inline void far_side_give_notice(FarSide *self, const WarpAccess *access, Time at)
{
    if (!self->notice || !instruction_has_no_result(&access->instruction)) return;
    StoreNotice *notice = store_notice_new(&self->unit.messages, access, at);
    far_side_answer(self, &notice->message, at);
}

static inline void far_side_take(FarSide *self, Message *message, Time now)
{
    const Clock *clock = self->unit.clock;
    if (self->work_on) self->work_on(&self->unit, message, now);
    uint64_t latency = self->latency;
    far_side_see(self, message, now);
    if (message->kind == MESSAGE_TRANSACTION) {
        Transaction *transaction = (Transaction *)message;
        if (self->latency_of) latency = self->latency_of(transaction);
        transaction->served_by = SERVED_L2;
        transaction->entered = now; /* as every unit on the way does */
    } else if (message->kind == MESSAGE_WARP_ACCESS) {
        WarpAccess *access = (WarpAccess *)message;
        access->released_at = 0;
        for (uint32_t lane = 0; self->value_of && access->lanes && lane < LANES_MAX; lane++)
            access->lanes->value[lane] = self->value_of(self->seen->len - 1, lane);
        far_side_give_notice(self, access, now + clock_cycles(clock, self->notice));
    }
    if (!self->silent) far_side_answer(self, message, now + clock_cycles(clock, latency));
}

static inline void far_side_step(Unit *unit, Time now)
{
    FarSide *self = (FarSide *)unit;
    Message *message;
    while ((message = port_take(&self->in, now))) far_side_take(self, message, now);
    for (; self->answers->len; g_array_remove_index(self->answers, 0)) {
        const Answer *first = &g_array_index(self->answers, Answer, 0);
        if (first->at > now) {
            unit_wake_at(unit, first->at);
            return;
        }
        channel_send(&self->out, first->message, now);
    }
}

static inline void far_side_teardown(Unit *unit)
{
    FarSide *self = (FarSide *)unit;
    if (!self->seen) return;
    for (guint i = 0; i < self->seen->len; i++) g_free(g_array_index(self->seen, Seen, i).message);
    g_array_unref(self->seen);
    g_array_unref(self->answers);
}

/* Between an output of `unit` with `capacity` places and one of its inputs, each the so-manieth of
 * an array. */
static inline FarSide *far_side_add_at(Harness *harness, Unit *unit, const char *output,
                                       const char *input, uint32_t capacity, uint32_t index)
{
    static const Param params[] = {PARAM_END};
    static const Stat stats[] = {STAT_END};
    static const PortRow ports[] = {PORT_INPUT(FarSide, in, "requests"),
                                    PORT_OUTPUT(FarSide, out, "the same, later"), PORT_END};
    static const UnitClass far_side_class = {.name = "far_side",
                                             .summary = "answers",
                                             .size = sizeof(FarSide),
                                             .params = params,
                                             .stats = stats,
                                             .ports = ports,
                                             .setup = far_side_setup,
                                             .step = far_side_step,
                                             .teardown = far_side_teardown};
    FarSide *far = (FarSide *)harness_add(harness, &far_side_class, "far_side", NULL);
    far->latency = 100;
    harness_connect(harness, unit, output, &far->unit, "in",
                    (Path){.capacity = capacity, .output_index = index});
    harness_connect(harness, &far->unit, "out", unit, input,
                    (Path){.delay = 1, .input_index = index});
    return far;
}

static inline FarSide *far_side_add(Harness *harness, Unit *unit, const char *output,
                                    const char *input, uint32_t capacity)
{
    return far_side_add_at(harness, unit, output, input, capacity, 0);
}

static inline const Seen *far_side_seen(const FarSide *far, guint index)
{
    ck_assert_uint_lt(index, far->seen->len);
    return &g_array_index(far->seen, Seen, index);
}

static inline const Transaction *far_side_transaction(const FarSide *far, guint index)
{
    return (const Transaction *)far_side_seen(far, index)->message;
}

/* --- boundaries --- */

typedef struct {
    uint64_t at; /* cycle */
    Launch launch;
    bool ends; /* it is the end of one */
} KernelStart;

/* From the step of any unit; in order of time, before any of them. */
static inline void announce_kernels(Unit *unit, const KernelStart *starts, guint count)
{
    for (guint i = 0; i < count; i++)
        unit_announce(
            unit, &(Boundary){.at = clock_cycles(unit->clock, starts[i].at),
                              .kind = starts[i].ends ? BOUNDARY_KERNEL_END : BOUNDARY_KERNEL_START,
                              .launch = &starts[i].launch});
}
