/* Units: actors with private state that only communicate by messages over channels. See
 * docs/inside/architecture.md.
 *
 * A unit's struct begins with `Unit unit;`, then ports and channels, parameters, statistics,
 * state. Its class names three tables over that struct. step() is called at most once at any
 * time, when everything due then is in the ports. */
#pragma once

#include "kit/describe/param.h"
#include "kit/describe/stat.h"
#include "kit/gpu/message.h"
#include "kit/observe/profile.h"
#include "kit/observe/series.h"
#include "kit/observe/timeline.h"

typedef struct Transaction Transaction;
typedef struct Unit Unit;
typedef struct Tile Tile;
typedef struct Simulation Simulation;
typedef struct Channel Channel;

/* An input: a bounded queue of messages that have arrived. */
typedef struct {
    Message **slot; /* ring, a power of two */
    uint32_t mask, head, count;
    Channel *channel; /* who sends into it */
    uint32_t highest; /* most that ever waited: the bound that tests hold */
} Port;

/* An output: the path to one port of another unit. Credits are times in the sender's own queue. */
struct Channel {
    Unit *from, *to;
    Port *port;
    const char *name;
    Time delay, credit_delay;
    uint32_t port_index; /* of `port` in the receiver's port order */
    uint32_t capacity;   /* 0: the receiver has reserved room by its own protocol */
    uint32_t credits;    /* free places known to be free */
    uint32_t credit_head, credit_count, credit_mask;
    Time *credit_at; /* ring: when further places become free */
    bool same_clock, crosses, blocked;
    uint64_t sequence; /* messages sent */
    uint64_t refused;  /* times the sender found it full */
    Time last_due;
    Time awaited; /* the sender has asked to be woken when this credit comes */
};

/* Several ports or channels of one kind (a crossbar's inputs), sized by the machine before setup.
 */
typedef struct {
    Port *at;
    uint32_t count;
    uint32_t first; /* the port order of at[0] */
} PortArray;

typedef struct {
    Channel *at;
    uint32_t count;
} ChannelArray;

typedef enum { PORT_IN, PORT_OUT, PORT_IN_ARRAY, PORT_OUT_ARRAY } PortKind;

typedef struct {
    const char *name;
    PortKind kind;
    size_t offset;
    const char *summary;
} PortRow;

/* clang-format off */
#define PORT_INPUT(Type, field, text) {#field, PORT_IN, STAT_FIELD(Type, field, Port), text}
#define PORT_OUTPUT(Type, field, text) {#field, PORT_OUT, STAT_FIELD(Type, field, Channel), text}
#define PORT_INPUTS(Type, field, text)                                                             \
    {#field, PORT_IN_ARRAY, STAT_FIELD(Type, field, PortArray), text}
#define PORT_OUTPUTS(Type, field, text)                                                            \
    {#field, PORT_OUT_ARRAY, STAT_FIELD(Type, field, ChannelArray), text}
#define PORT_END {.name = NULL}
/* clang-format on */

/* A pointer field that setup finds filled with an immutable thing all units may read: the
 * address map, the DRAM timing ... */
typedef struct {
    const char *name; /* as given to simulation_share */
    size_t offset;    /* of a `const void *` field */
} SharedRow;

/* clang-format off */
#define SHARED(Type, field) {#field, offsetof(Type, field)}
#define SHARED_END {.name = NULL}
/* clang-format on */

typedef enum { BOUNDARY_KERNEL_START, BOUNDARY_KERNEL_END } BoundaryKind;

/* Announced by the CTA dispatcher, handled by every unit at exactly `at`, before any event of
 * that time. */
typedef struct {
    Time at;
    BoundaryKind kind;
    const Launch *launch;
} Boundary;

typedef struct {
    const char *name; /* also the file, the scenario group, the docs page, the test */
    const char *summary;
    size_t size;
    const Param *params;
    const Stat *stats;
    const PortRow *ports;
    const SharedRow *shared;
    /* Derives state from parameters; the last place that may fail. */
    bool (*setup)(Unit *unit, GError **error);
    void (*step)(Unit *unit, Time now);
    void (*teardown)(Unit *unit);
    /* May be NULL. Kernel boundaries: invalidate, write back, accept copies. It may neither
     * send nor ask to be woken. */
    void (*boundary)(Unit *unit, const Boundary *boundary);
    /* May be NULL. At the end of a run: is work left? Appends what, and calls unit_waits_for for
     * each unit it waits for. */
    bool (*unfinished)(Unit *unit, GString *what);
} UnitClass;

typedef struct {
    Time due;
    uint64_t key;     /* port order << 48 | channel sequence */
    Message *message; /* NULL: a credit that the unit sleeps on */
} Arrival;

struct Unit {
    const UnitClass *class;
    Simulation *simulation;
    Tile *tile;
    char *path; /* "sm[3].l1" */
    const Clock *clock;
    uint32_t index;     /* build order */
    uint32_t number;    /* among the units of its class */
    uint32_t heap_slot; /* in the tile's calendar; UINT32_MAX: not in it */
    uint32_t arrivals, arrival_room;
    Arrival *arrival; /* heap: messages on their way */
    Time wake;        /* TIME_NEVER: no wake-up asked for */
    Time next;        /* earlier of wake and first arrival */
    Time series_due;  /* when an interval of the series is to be closed; TIME_NEVER: none is */
    Port **ports;     /* by port order */
    uint32_t port_count;
    uint16_t *fresh; /* ports that received something at this step, in port order */
    uint32_t fresh_count;
    uint32_t tile_number;
    uint64_t messages;    /* made, for ids */
    uint64_t hash;        /* of (time, port, message id), in order */
    uint64_t events;      /* messages that arrived + wake-ups served */
    uint64_t random;      /* state of its own stream */
    Time stepping;        /* time of the step in progress */
    GPtrArray *waits_for; /* filled by unit_waits_for */
    Stat const *stats;
    /* its statistics at the end of the region of interest, laid out as the unit; or NULL */
    void *measured;
    Series *series; /* NULL: nothing is collected over time */
    /* of its statistics; NULL: none, or nothing is kept of requests */
    const RequestClasses *request_classes;
};

/* Asks for a step at `at`, strictly later than the present one. A unit has one wake-up, the
 * earliest it asked for since its last one: every step asks anew for what it still wants. */
void unit_wake_at(Unit *unit, Time at);

/* One of the unit's own random numbers, uniform in 64 bits (splitmix64). */
uint64_t unit_random(Unit *unit);

/* A request of a warp is complete: its stages are added to `sums`, which is one of the unit's
 * statistics, and it goes into the profile. */
void unit_account(Unit *unit, const Transaction *transaction, Time end, StageSums *sums);

/* The same, and it may be among those that are reported one by one. */
void unit_complete(Unit *unit, const Transaction *transaction, Time end, StageSums *sums);

/* A broken invariant: the run ends with status 1, the unit's path, the time and this text. */
void unit_fail(Unit *unit, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* The user's input turned out to be broken in mid-run: the run ends with status 2 and this
 * error, which is taken over. */
void unit_reject_input(Unit *unit, GError *error);

/* From `unfinished`: this unit cannot go on before `other` does something. */
void unit_waits_for(Unit *unit, Unit *other);

/* The machine may leave a channel out: what it leads to is switched off. */
static inline bool channel_connected(const Channel *channel)
{
    return channel->to != NULL;
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
    return channel->to;
}

static inline Unit *port_sender(const Port *port)
{
    return port->channel->from;
}

/* A message from the simulation's pools, as its row in MESSAGES says. Its id is the next one of the
 * unit's own sequence. */
void *unit_new(Unit *unit, MessageKind kind);
void unit_free_message(Unit *unit, Message *message);

/* Announces a boundary to all units; `at` must be at least simulation_boundary_delay() after the
 * present step. */
void unit_announce(Unit *unit, const Boundary *boundary);
Time unit_boundary_delay(const Unit *unit);

/* --- ports ------------------------------------------------------------------------------------ */

static inline Message *port_peek(const Port *port)
{
    return port->count ? port->slot[port->head & port->mask] : NULL;
}

static inline Message *port_peek_at(const Port *port, uint32_t index)
{
    return port->slot[(port->head + index) & port->mask];
}

/* Which of the array the port of this order is (as in Unit.fresh); `count` or more: none of it. */
static inline uint32_t port_array_index(const PortArray *array, uint32_t order)
{
    return order - array->first;
}

/* Takes the first message, or NULL, and returns its place to the sender after the channel's
 * credit delay. */
Message *port_take(Port *port, Time now);

/* The same in two steps, for units that sort what waits: the first message leaves the port and
 * still holds its place, which port_vacate returns. */
Message *port_withdraw(Port *port);
void port_vacate(Port *port, Time now);

/* A place is free at `now`. */
bool channel_ready(Channel *channel, Time now);

/* Places free at `now`; UINT32_MAX for a channel without bound. */
uint32_t channel_room(Channel *channel, Time now);

/* Sends at `when` >= now; the caller has seen channel_ready. Due at ceil(when + delay) on the
 * receiver's clock, never before an earlier message of the channel. */
void channel_send(Channel *channel, Message *message, Time when);

/* The sender found too few places: it is stepped again when a further one becomes free. */
void channel_await(Channel *channel, Time now);
