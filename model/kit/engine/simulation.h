/* A simulation: clocks, units, channels and shared facts; and its run on SimGrid, as tiles that
 * are conservative windows. */
#pragma once

#include "kit/engine/unit.h"

typedef enum {
    RUN_FINISHED,
    RUN_DEADLOCK,    /* work left, nothing can move: status 1 */
    RUN_FAILED,      /* a broken invariant: status 1 */
    RUN_BAD_INPUT,   /* a trace broke in mid-run: status 2 */
    RUN_INTERRUPTED, /* SIGINT: stopped at a window, results are partial: status 130 */
} RunOutcome;

typedef struct {
    RunOutcome outcome;
    Time end;         /* time of the last event */
    uint64_t events;  /* calendar events: messages that arrived + wake-ups served */
    uint64_t bundles; /* SimGrid communications */
    uint64_t windows;
    uint64_t hash; /* of (time, unit, message) over all units in build order */
    Time quantum, lookahead;
    uint32_t tiles;
} RunReport;

Simulation *simulation_new(uint64_t seed);
void simulation_free(Simulation *simulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Simulation, simulation_free)

const Clock *simulation_add_clock(Simulation *simulation, const char *name, uint64_t hertz);

/* Allocates a zeroed unit with its parameters at their defaults. Its parameters are then filled
 * by configuration_apply. `number` is its number among its class; `path` is copied. */
Unit *simulation_add_unit(Simulation *simulation, const UnitClass *unit_class, const char *path,
                          uint32_t number, const Clock *clock);
guint simulation_unit_count(const Simulation *simulation);
Unit *simulation_unit(const Simulation *simulation, guint index); /* build order */

/* Makes `thing` visible to units that have a SHARED row of this name. It must outlive the
 * simulation. */
void simulation_share(Simulation *simulation, const char *name, const void *thing);

/* Gives an array of ports or channels its size, before they are connected. */
void unit_size_ports(Unit *unit, const char *array, uint32_t count);

typedef struct {
    Unit *from;
    const char *output;
    uint32_t output_index;
    Unit *to;
    const char *input;
    uint32_t input_index;
    uint32_t capacity; /* 0: room is reserved by the protocol of the two units */
    Time delay, credit_delay;
} Wire;

/* A delay shorter than a period of the sender, or a credit delay shorter than one of the receiver,
 * is that period: nothing is faster than the clock that drives it. A missing port name is our
 * mistake: g_error. */
void simulation_connect(Simulation *simulation, const Wire *wire);

/* Calls every unit's setup, in build order, after shared facts are filled in. */
bool simulation_setup(Simulation *simulation, GError **error);

/* The smallest time between an announcement and its boundary; part of the lookahead. Set before
 * running. */
void simulation_set_boundary_delay(Simulation *simulation, Time delay);

/* Those requests of the region of interest are kept with all their stages. */
void simulation_set_timeline(Simulation *simulation, const TimelineSelection *selection);

/* Whether units collect what only reports draw; not without being told. */
void simulation_set_profile(Simulation *simulation, bool profile);

/* Of the requests of the region of interest, after a run; NULL: it was not asked for. */
const Profile *simulation_profile(const Simulation *simulation);

/* NULL: none was asked for. */
const Timeline *simulation_timeline(const Simulation *simulation);

/* Called at most a few times a second of host time, at window ends, with the simulated time. */
typedef void (*SimulationProgress)(void *user, Time now);
void simulation_on_progress(Simulation *simulation, SimulationProgress progress, void *user);

/* Runs at once to the end. `tile_of[i]` is the tile of unit i; `platform_file` a SimGrid
 * platform with a host "tile<k>" for each tile and the `transport` link. `quantum` 0: as long as
 * the lookahead allows. */
typedef struct {
    const uint32_t *tile_of;
    uint32_t tiles;
    Time quantum;
} RunPlan;

/* False with an error only for bad input or a broken invariant; a deadlock is an outcome,
 * described by simulation_describe_deadlock. */
bool simulation_run(Simulation *simulation, const RunPlan *plan, RunReport *report, GError **error);

/* The lookahead a plan would have: the smallest delay or credit delay of the channels that cross
 * tiles. */
Time simulation_lookahead(const Simulation *simulation, const RunPlan *plan);

/* Fails when the plan's quantum is longer than its lookahead. */
bool simulation_check_plan(const Simulation *simulation, const RunPlan *plan, GError **error);

/* "sm[0].l1 waits for crossbar.request waits for ...": the cycle, or the units with work left;
 * newly allocated. */
char *simulation_describe_deadlock(Simulation *simulation);

/* Safe from a signal handler: stop at the next window. */
void simulation_interrupt(Simulation *simulation);

/* SimGrid: started once a process with a platform file, before routes are read back. */
bool simulation_start_engine(Simulation *simulation, const char *platform_file, GError **error);
