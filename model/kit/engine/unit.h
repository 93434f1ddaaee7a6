/* Units: actors with private state that only communicate by messages over channels. See
 * docs/architecture.md.
 *
 * A unit's struct begins with `Unit unit;`, then ports and channels, parameters, statistics,
 * state. Its class names three tables over that struct. step() is called at most once at any
 * time, when everything due then is in the ports. */
#pragma once

#include "kit/cost/energy.h"
#include "kit/describe/param.h"
#include "kit/describe/resource.h"
#include "kit/engine/port.h"
#include "kit/gpu/boundary.h"
#include "kit/gpu/dram_commands.h"
#include "kit/gpu/message.h"
#include "kit/gpu/occupancy.h"

typedef struct Transaction Transaction;
typedef struct Meter Meter;

/* A pointer field that setup finds filled with an immutable thing all units may read: the
 * address map, the DRAM timing ... */
typedef struct {
    const char *name; /* as given to simulation_share */
    size_t offset;    /* of a `const void *` field */
} SharedRow;

/* clang-format off */
#define SHARED(Type, field) {#field, offsetof(Type, field)}
#define SHARED_AS(Type, field, name) {name, offsetof(Type, field)}
#define SHARED_END {.name = NULL}
/* clang-format on */

/* What the machine has to know of a class, which nobody has forgotten to say: 0 is none of them. */

/* One a ... A machine has one kind of network, and none of the two other kinds; coalescers for its
 * SMs, if it has any; a memory-side cache for each DRAM channel, or none; a switch where the slices
 * and the DRAM channels of a partition are not equally many. */
typedef enum {
    PER_MACHINE = 1,
    PER_SM,
    PER_COALESCER,
    PER_SLICE,
    PER_SWITCH,
    PER_CHANNEL,
    PER_CROSSBAR,
    PER_FLOW,
    PER_STOP,
    PER_HALVES_LINK,
    PER_MEMORY_CACHE
} UnitPer;

typedef enum { CLOCK_CORE = 1, CLOCK_NETWORK, CLOCK_L2, CLOCK_DRAM, CLOCKS } UnitClock;

/* Where it stands, which is beside whom it runs. Of networks, even numbers carry requests. */
typedef enum {
    PLACE_DISPATCHER = 1,
    PLACE_CORE,
    PLACE_SHARED, /* near all cores */
    PLACE_NETWORK,
    PLACE_MEMORY
} UnitPlace;

/* What runs. Of a machine into which traffic goes without kernels only one part is there. */
typedef enum { IN_WHOLE = 1, IN_NETWORK_ALONE = 2, IN_MEMORY_ALONE = 4 } UnitRuns;

/* A choice of a parameter that needs one of the unit behind an output. */
typedef struct {
    const char *name, *free;               /* ours; the word that needs nothing */
    const char *output, *parameter, *word; /* what every other word needs */
} NeedRow;

#define NEED_END                                                                                   \
    {                                                                                              \
        .name = NULL                                                                               \
    }

/* What a place holds until the unit behind an output is done with it, where a choice is `word`:
 * that unit gathers `batch` of them, or begins with fewer when it has been idle for so long. */
typedef struct {
    const char *choice, *word, *room;  /* ours */
    const char *output, *batch, *idle; /* its own */
} BatchRow;

#define BATCH_END                                                                                  \
    {                                                                                              \
        .choice = NULL                                                                             \
    }

/* Names of parameters of a cache that lies in an SM's divided array: the capacity that the division
 * leaves it, in whole sets where it has no ways of its own. */
typedef struct {
    const char *capacity, *sets, *ways;
} DividedCache;

/* What a machine is to those who compare it with others. */
typedef enum {
    FACT_BYTES_OF_ONE, /* of each unit */
    FACT_BYTES_OF_ALL,
    FACT_FLOPS /* of all: the product is lanes that do two operations in a cycle of the clock */
} FactKind;

typedef struct {
    const char *words;   /* "L2" */
    const char *product; /* parameters of the unit, "core_units * core_lanes" */
    FactKind kind;
} FactRow;

#define FACT_END                                                                                   \
    {                                                                                              \
        .words = NULL                                                                              \
    }

/* What the host's cache is to have of what a message's handling touches: first what is found from
 * the message alone, then what is found through that, which has come meanwhile. */
typedef enum { FORESEE_FIRST, FORESEE_BEHIND } Foresee;

typedef struct {
    const char *name; /* also the file, the scenario group, the docs page, the test */
    const char *summary;
    UnitPer per;
    UnitClock clock;
    UnitPlace place;
    unsigned runs; /* of UnitRuns, where it is part of; 0: IN_WHOLE */
    bool paged;    /* there only where memory pages from the host */
    /* "sm[%u].l1": the number, "partition[%u].slice[%u]": of the partition and in it, or
     * "router[%s][%u]": of which network, and the number in it. */
    const char *path;
    size_t size;
    const Param *params;
    const Stat *stats;
    const PortRow *ports;
    const ResourceRow *resources; /* NULL: none but its bounded channels */
    const StorageRow *storage;    /* what its state is kept in; NULL: none */
    const SharedRow *shared;
    const NeedRow *needs;        /* may be NULL */
    const BatchRow *batches;     /* may be NULL */
    const FactRow *facts;        /* may be NULL */
    const DividedCache *divided; /* may be NULL */
    /* May be NULL. What its CTAs can have together; its parameters are set, setup comes later. */
    OccupancyLimits (*limits)(const Unit *unit);
    /* Derives state from parameters; the last place that may fail. */
    bool (*setup)(Unit *unit, GError **error);
    void (*step)(Unit *unit, Time now);
    /* May be NULL. The message comes to the port of this order in the visit that begins: what will
     * be touched for it is fetched (fetch_ahead). Nothing changes. */
    void (*foresee)(const Unit *unit, const Message *message, uint32_t port, Foresee round);
    /* May be NULL. A visit begins: the same of what the unit has been keeping. */
    void (*foresee_own)(const Unit *unit);
    void (*teardown)(Unit *unit);
    /* May be NULL. Kernel boundaries: invalidate, write back, accept copies. It may neither
     * send nor ask to be woken. Returns what it has counted. */
    Counted (*boundary)(Unit *unit, const Boundary *boundary);
    /* May be NULL. What passes without an event is counted up to the boundary, which ends what lies
     * between two kernels, or the run; `boundary` comes after it, unless it stops. Returns the
     * same. */
    Counted (*settle)(Unit *unit, const Boundary *boundary);
    /* May be NULL. At the end of a run: is work left? Appends what, and calls unit_waits_for for
     * each unit it waits for. */
    bool (*unfinished)(Unit *unit, GString *what);
} UnitClass;

/* The message is about to be sent, and its receiver lies near. */
void unit_foresee(const Channel *channel, const Message *message);

/* What it does not say of all that a machine has to know of a class; NULL: nothing. */
const char *unit_class_lacks(const UnitClass *unit_class);

/* What every event touches comes first: an event costs the memory that is not in the cache. */
struct Unit {
    Inbox inbox; /* first: from it the engine comes to the unit */
    const UnitClass *class;
    Time observe_due; /* when the observation has to be closed; TIME_NEVER: never */
    uint64_t hash;    /* of (time, port, message id), in order */
    uint64_t events;  /* messages that arrived + wake-ups served */
    Port **ports;     /* by port order */
    uint16_t *fresh;  /* ports that received something at this step, in port order */
    uint32_t port_count, fresh_count;
    const Clock *clock;
    MessageSource messages;
    struct Common *common;               /* common.h's: what all units have in common */
    struct UnitObservation *observation; /* region.h's: what is only observed */
    struct Series *series;               /* ... over time; NULL: nothing is */
    Time observe_from;                   /* since when its open interval lasts; 0: none does */
    uint64_t random;                     /* state of its own stream */
    uint32_t number;                     /* among the units of its class */
    bool begun;                          /* its setup: else there is nothing to take to pieces */
    char *path;                          /* "sm[3].l1" */
    GPtrArray *waits_for;                /* filled by unit_waits_for */
};

static inline Unit *inbox_unit(Inbox *inbox)
{
    G_STATIC_ASSERT(offsetof(Unit, inbox) == 0 && offsetof(Inbox, turn) == 0);
    return (Unit *)(void *)inbox;
}

/* Its number in build order, which is also where it stands in hashes and sums. */
static inline uint32_t unit_index(const Unit *unit)
{
    return unit->inbox.turn.order;
}

/* A parameter of the unit, for who builds the machine: its class has a row of this name and type,
 * or the program is wrong and ends. */
const void *unit_parameter(const Unit *unit, const char *name, ParamType type);

/* The same of one of the types that are a uint64_t. */
uint64_t unit_number(const Unit *unit, const char *name, ParamType type);

/* The word that is chosen, of a parameter that is a choice. */
const char *unit_choice(const Unit *unit, const char *name);

/* The unit that a channel of this unit leads to, or that a port is fed by. */
static inline Unit *channel_receiver(const Channel *channel)
{
    return inbox_unit(channel->to);
}

static inline Unit *port_sender(const Port *port)
{
    return inbox_unit(port->channel->from);
}

/* Something has come to the port at this step. */
static inline bool unit_received(const Unit *unit, const Port *port)
{
    for (uint32_t k = 0; k < unit->fresh_count; k++)
        if (unit->ports[unit->fresh[k]] == port) return true;
    return false;
}

/* Asks for a step at `at`, strictly later than the present one: a unit that was stepped twice at a
 * time would see what came between. A unit has one wake-up, the earliest it asked for since its
 * last one: every step asks anew for what it still wants. */
static inline void unit_wake_at(Unit *unit, Time at)
{
    g_assert(at > unit->inbox.now);
    inbox_wake(&unit->inbox, at);
}

/* In place of all that it has asked for; TIME_NEVER: of that nothing is wanted any more. */
static inline void unit_wake_instead(Unit *unit, Time at)
{
    unit->inbox.wake = at;
}

/* One of the unit's own random numbers, uniform in 64 bits (splitmix64). */
uint64_t unit_random(Unit *unit);

/* A message from the run's pools, as its row in MESSAGES says. Its id is the next one of the unit's
 * own sequence. */
static inline void *unit_new(Unit *unit, MessageKind kind)
{
    return message_new(&unit->messages, kind);
}

static inline void unit_free_message(Unit *unit, Message *message)
{
    message_free(&unit->messages, message);
}

/* A request of a warp is complete: its stages are added to `sums`, which is one of the unit's
 * statistics, and it goes into the profile. */
void unit_account(Unit *unit, const Transaction *transaction, Time end, StageSums *sums);

/* The same, and it may be among those that are reported one by one. */
void unit_complete(Unit *unit, const Transaction *transaction, Time end, StageSums *sums);

/* In this step, which one message has led to, only what rows say is counted `.at_rest` has been: a
 * unit that rests otherwise is not read whole at a kernel's end. */
void unit_still_rests(Unit *unit);

/* Commands that a DRAM channel has got; kept while single requests are. */
void unit_note_commands(Unit *unit, DramSteps *steps);

/* A broken invariant: the run ends with status 1, the unit's path, the time and this text. */
void unit_fail(Unit *unit, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The user's input turned out to be broken in mid-run: the run ends with status 2 and this
 * error, which is taken over. */
void unit_reject_input(Unit *unit, GError *error);

/* The user's program waits for what cannot come: the run ends with status 1 and this error, which
 * is taken over. */
void unit_give_up(Unit *unit, GError *error);

/* From `unfinished`: this unit cannot go on before `other` does something. */
void unit_waits_for(Unit *unit, Unit *other);

/* Announces a boundary to all units; `at` must be at least unit_boundary_delay() after the present
 * step. */
void unit_announce(Unit *unit, const Boundary *boundary);
Time unit_boundary_delay(const Unit *unit);

/* Closes the intervals of its series that end by `now`, and keeps what it was at the region's end,
 * before anything of the unit changes then. They are no events, which would make a run longer:
 * nothing of a unit changes between its steps, so it is early enough now. */
void unit_close_intervals(Unit *unit, Time now);

/* They have to be closed next at `due`. */
void unit_open_intervals(Unit *unit, Time due);

static inline void unit_observe(Unit *unit, Time now)
{
    if (now >= unit->observe_due) unit_close_intervals(unit, now);
}

/* --- after a run ------------------------------------------------------------------------------ */

/* Its statistics as they were at the end of the region of interest, laid out as the unit. */
const void *unit_measured(const Unit *unit);

/* What was counted of its resources in the region of interest. */
const struct MeterList *unit_meters(const Unit *unit);

/* Where its numbers are in sums of phases. */
const struct PhasePlace *unit_phase_place(const Unit *unit);

/* The stays of all that left a place, in fs, by their own times: of a channel what its sender and
 * its receiver counted. A server has none. */
Time unit_stayed(const Meter *meter);

/* NULL: nothing was collected over time. */
const struct Series *unit_series(const Unit *unit);

void unit_add_before(Unit *unit, uint32_t row, Time from, Time to);

/* Of a statistic over time that is known only when it is over (`slot`), in the table's order of
 * those over time: between which times came what is being added to it. */
static inline void unit_add_over_time(Unit *unit, uint32_t row, Time from, Time to)
{
    if (from < unit->observe_from) unit_add_before(unit, row, from, to);
}

/* The statistic that `sums` of the unit is. */
const Stat *unit_stages_row(const Unit *unit, const StageSums *sums);
