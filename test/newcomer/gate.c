/* A unit that no table of the program knows, and a second class of it: what they say about
 * themselves is all that anybody is told.
 *
 *   ──in──> [store: `entries`, `latency` each] ──> [exit: one every `interval`] ──out──>
 *
 * `gate` stands between L2 slice and memory access scheduler, `turnstile` between load/store unit
 * and L1. Not modelled: anything. */
#include "kit/engine/unit.h"

typedef struct {
    Message *message;
    Time came;
} Held;

typedef struct {
    Unit unit;
    Port in;
    Channel out;

    uint64_t queue, entries, latency, interval, wire;

    uint64_t passed, refused;
    Level store;
    Server exit;

    Held *held; /* ring of `entries` */
    uint64_t head;
    Time exit_free;
} Gate;

static const Param params[] = {
    PARAM_NUMBER(Gate, queue, PARAM_COUNT, "128", 1, 65536, "requests that wait in front of it",
                 .perfect = PERFECT(IN("gate", ">= 4096")), .doubling = TWICE),
    PARAM_NUMBER(Gate, entries, PARAM_COUNT, "64", 1, 65536, "requests that it holds",
                 .perfect = PERFECT(IN("gate", ">= 4096")), .doubling = TWICE),
    PARAM_NUMBER(Gate, latency, PARAM_CYCLES, "40 cycles", 1, 100000, "how long it holds each",
                 .perfect = PERFECT(IN("gate", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(Gate, interval, PARAM_CYCLES, "1 cycle", 1, 100000,
                 "from a request that leaves to the next",
                 .perfect = PERFECT(IN("gate", "1 cycle")), .doubling = HALF),
    PARAM_NUMBER(Gate, wire, PARAM_CYCLES, "2 cycles", 1, 100000, "from it to the next unit",
                 .perfect = PERFECT(IN("gate", "1 cycle")), .doubling = HALF),
    PARAM_END};

static const Stat stats[] = {STAT_NUMBER(Gate, passed, STAT_COUNT, NULL, "requests that passed"),
                             STAT_NUMBER(Gate, refused, STAT_COUNT, NULL,
                                         "requests that found the store full",
                                         .refusal = "store of the gate"),
                             STAT_OCCUPANCY(Gate, store, NULL, "requests in the store"), STAT_END};

static const PortRow ports[] = {PORT_INPUT(Gate, in, "requests"),
                                PORT_OUTPUT(Gate, out, "the same, later"), PORT_END};

static const ResourceRow resources[] = {
    RESOURCE_ONE_PLACE(Gate, store, "store of the gate", RESOURCE_CAPACITY(Gate, entries),
                       .unit = "requests", .feeds = "exit", .refuses = "in", .refusals = "refused",
                       .headline = "gate's store"),
    RESOURCE_ONE_SERVER(Gate, exit, "exit of the gate", .unit = "requests", .feeds = "out",
                        .refuses = "store"),
    RESOURCE_END};

static StorageSize size_store(const Unit *unit, const StorageMachine *machine)
{
    return (StorageSize){.entries = ((const Gate *)unit)->entries,
                         .bits = storage_line_bits(&machine->l1)};
}

static StorageSize size_input(const Unit *unit, const StorageMachine *machine)
{
    (void)unit;
    return (StorageSize){.entries = 1, .bits = storage_line_bits(&machine->l1)};
}

static const StorageRow storage[] = {
    STORAGE("store_bits", size_store, "store of the gate", .places = "store"),
    STORAGE("input_bits", size_input, "requests in front of the gate", .input = "in"), STORAGE_END};

static bool setup(Unit *unit, GError **error)
{
    (void)error;
    Gate *self = (Gate *)unit;
    self->held = g_new(Held, self->entries);
    return true;
}

static void teardown(Unit *unit)
{
    g_free(((Gate *)unit)->held);
}

/* When the first that it holds can leave. */
static Time due(const Gate *self)
{
    const Time stayed = self->held[self->head].came + clock_cycles(self->unit.clock, self->latency);
    return MAX(stayed, self->exit_free);
}

static void leave(Gate *self, Time now)
{
    while (self->store.now && due(self) <= now) {
        const Held *first = &self->held[self->head];
        if (!channel_ready(&self->out, now)) {
            channel_await(&self->out, now);
            return;
        }
        self->exit_free = now + clock_cycles(self->unit.clock, self->interval);
        server_book(&self->exit, now, self->exit_free - now);
        channel_send(&self->out, first->message, now);
        level_leave(&self->store, now, first->came);
        self->head = (self->head + 1) % self->entries;
        self->passed++;
    }
}

static void enter(Gate *self, Time now)
{
    while (self->store.now < self->entries && port_peek(&self->in)) {
        self->held[(self->head + self->store.now) % self->entries] =
            (Held){port_take(&self->in, now), now};
        level_enter(&self->store, now);
    }
}

static void step(Unit *unit, Time now)
{
    Gate *self = (Gate *)unit;
    leave(self, now);
    enter(self, now);
    self->refused += unit->fresh_count && port_peek(&self->in);
    if (self->store.now && due(self) > now) unit_wake_at(unit, due(self));
}

static bool unfinished(Unit *unit, GString *what)
{
    const Gate *self = (const Gate *)unit;
    if (!self->store.now) return false;
    g_string_append_printf(what, "%" G_GUINT64_FORMAT " requests in the store", self->store.now);
    return true;
}

#define A_GATE                                                                                     \
    .size = sizeof(Gate), .params = params, .stats = stats, .ports = ports,                        \
    .resources = resources, .storage = storage, .setup = setup, .step = step,                      \
    .teardown = teardown, .unfinished = unfinished

const UnitClass gate_class = {.name = "gate",
                              .summary = "what passes between L2 slice and scheduler",
                              .per = PER_SLICE,
                              .clock = CLOCK_L2,
                              .place = PLACE_MEMORY,
                              .path = "partition[%u].slice[%u].gate",
                              A_GATE};

const UnitClass turnstile_class = {.name = "turnstile",
                                   .summary = "what passes between load/store unit and L1",
                                   .per = PER_SM,
                                   .clock = CLOCK_CORE,
                                   .place = PLACE_CORE,
                                   .path = "sm[%u].turnstile",
                                   A_GATE};
