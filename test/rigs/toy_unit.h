/* A unit that does what a test says: arrays of ports and channels, and a function for its step.
 * Times in its records are cycles of its clock. */
#pragma once

#include "harness.h"

typedef struct Toy Toy;

struct Toy {
    Unit unit;
    PortArray in;
    ChannelArray out;
    void (*act)(Toy *toy, Time now);
    void (*cross)(Toy *toy, const Boundary *boundary); /* may be NULL */
    /* may be NULL */
    void (*see)(const Toy *toy, const Message *message, uint32_t port, Foresee round);
    uint64_t first; /* cycle of its first own wake-up; 0: none */
    GArray *steps;  /* of uint64_t: the cycles at which it was stepped */
    uint64_t note;  /* for the test */
    Level level;
};

static inline uint64_t toy_cycle(const Toy *toy, Time now)
{
    return now / toy->unit.clock->period;
}

static bool toy_setup(Unit *unit, GError **error)
{
    (void)error;
    Toy *toy = (Toy *)unit;
    if (toy->first) unit_wake_at(unit, clock_cycles(unit->clock, toy->first));
    return true;
}

static void toy_step(Unit *unit, Time now)
{
    Toy *toy = (Toy *)unit;
    const uint64_t cycle = toy_cycle(toy, now);
    ck_assert_uint_eq(cycle * unit->clock->period, now);
    g_array_append_val(toy->steps, cycle);
    if (toy->act) toy->act(toy, now);
}

static Counted toy_boundary(Unit *unit, const Boundary *boundary)
{
    Toy *toy = (Toy *)unit;
    if (toy->cross) toy->cross(toy, boundary);
    return toy->cross ? COUNTED_ANYTHING : COUNTED_NOTHING;
}

static void toy_foresee(const Unit *unit, const Message *message, uint32_t port, Foresee round)
{
    const Toy *toy = (const Toy *)unit;
    if (toy->see) toy->see(toy, message, port, round);
}

static void toy_teardown(Unit *unit)
{
    g_array_unref(((Toy *)unit)->steps);
}

static const Param toy_params[] = {PARAM_END};
static const Stat toy_stats[] = {
    STAT_NUMBER_OVER_TIME(Toy, note, STAT_COUNT, NULL, "whatever a test counts"),
    STAT_OCCUPANCY_OVER_TIME(Toy, level, NULL, "whatever a test keeps"), STAT_END};
static const PortRow toy_ports[] = {PORT_INPUTS(Toy, in, "inputs"),
                                    PORT_OUTPUTS(Toy, out, "outputs"), PORT_END};
static const UnitClass toy_class = {.name = "toy",
                                    .summary = "does what a test says",
                                    .size = sizeof(Toy),
                                    .params = toy_params,
                                    .stats = toy_stats,
                                    .ports = toy_ports,
                                    .setup = toy_setup,
                                    .step = toy_step,
                                    .foresee = toy_foresee,
                                    .boundary = toy_boundary,
                                    .teardown = toy_teardown};

static inline Toy *toy_new(Harness *harness, const char *path, uint32_t inputs, uint32_t outputs)
{
    Toy *toy = (Toy *)simulation_add_unit(harness->simulation, &toy_class, path, 0, harness->clock);
    toy->steps = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    unit_size_ports(&toy->unit, "in", inputs);
    unit_size_ports(&toy->unit, "out", outputs);
    return toy;
}

static inline void toy_connect(Harness *harness, Toy *from, Toy *to, Path path)
{
    harness_connect(harness, &from->unit, "out", &to->unit, "in", path);
}

static inline void toy_send(Toy *toy, uint32_t output, Time when)
{
    channel_send(&toy->out.at[output], unit_new(&toy->unit, MESSAGE_TRANSACTION), when);
}

/* Takes and frees what waits in a port; returns how much that was. */
static inline uint32_t toy_drain(Toy *toy, uint32_t input, Time now)
{
    uint32_t count = 0;
    for (Message *message; (message = port_take(&toy->in.at[input], now)); count++)
        unit_free_message(&toy->unit, message);
    return count;
}

static inline void toy_drain_at_once(Toy *toy, Time now)
{
    toy->note += toy_drain(toy, 0, now);
}

/* Leaves the message in the port until cycle 20. */
static inline void toy_drain_at_twenty(Toy *toy, Time now)
{
    if (toy_cycle(toy, now) < 20)
        unit_wake_at(&toy->unit, clock_cycles(toy->unit.clock, 20));
    else
        toy->note += toy_drain(toy, 0, now);
}

/* Sends two through a channel with one place, and sleeps meanwhile. */
static inline void toy_send_two_and_await(Toy *toy, Time now)
{
    Channel *out = &toy->out.at[0];
    while (toy->note < 2) {
        if (!channel_ready(out, now)) {
            channel_await(out, now);
            return;
        }
        toy_send(toy, 0, now);
        toy->note++;
    }
}

/* Breaks the rule: the delay that the lookahead was made of was longer. */
static inline void toy_send_too_fast(Toy *toy, Time now)
{
    toy->out.at[0].delay = toy->unit.clock->period;
    toy_send(toy, 0, now);
}

static inline uint32_t toy_below(Toy *toy, uint32_t limit)
{
    return (uint32_t)(unit_random(&toy->unit) >> 33) % limit;
}

static inline void toy_expect_steps(const Toy *toy, const uint64_t *expected, guint count)
{
    for (guint i = 0; i < MIN(count, toy->steps->len); i++)
        ck_assert_uint_eq(g_array_index(toy->steps, uint64_t, i), expected[i]);
    ck_assert_uint_eq(toy->steps->len, count);
}
#define TOY_EXPECT_STEPS(toy, ...)                                                                 \
    toy_expect_steps(toy, (const uint64_t[]){__VA_ARGS__},                                         \
                     G_N_ELEMENTS(((const uint64_t[]){__VA_ARGS__})))

/* Runs to the end on several tiles; NULL, or the run's error. */
static inline GError *toy_run_on_tiles(Harness *harness, const RunPlan *plan)
{
    GError *error = NULL;
    ck_assert_msg(harness_start_engine(harness->simulation, NULL, plan->tiles, &error), "%s",
                  error ? error->message : "");
    ck_assert(simulation_setup(harness->simulation, &error));
    simulation_run(harness->simulation, plan, &harness->report, &error);
    return error;
}
