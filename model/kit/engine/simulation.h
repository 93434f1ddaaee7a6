/* A simulation: clocks, units, channels and shared facts; and its run on SimGrid, as tiles that
 * are conservative windows. */
#pragma once

#include "kit/engine/grouping/seating.h"
#include "kit/engine/simgrid/outside.h"
#include "kit/engine/wiring.h"

typedef struct Simulation Simulation;

typedef struct {
    RunOutcome outcome;
    Time end;         /* time of the last event */
    uint64_t events;  /* calendar events: messages that arrived + wake-ups served */
    uint64_t bundles; /* SimGrid communications */
    uint64_t windows;
    uint64_t hash;           /* of what came to all units, in build order */
    Time quantum, lookahead; /* 0: nothing limits it */
    uint32_t tiles;
    uint64_t visits;    /* of groups of units; several events each */
    uint64_t stretches; /* of time that threads ran side by side */
} RunReport;

Simulation *simulation_new(uint64_t seed);
void simulation_free(Simulation *simulation);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Simulation, simulation_free)

const Clock *simulation_add_clock(Simulation *simulation, const char *name, uint64_t hertz);

/* Allocates a zeroed unit with its parameters at their defaults. Its parameters are then filled
 * by configuration_apply. `number` is its number among its class; `path` is copied. */
Unit *simulation_add_unit(Simulation *simulation, const UnitClass *unit_class, const char *path,
                          uint32_t number, const Clock *clock);
/* One more like `first`: of its class and clock, with its parameters. */
Unit *simulation_add_alike(Simulation *simulation, const Unit *first, const char *path,
                           uint32_t number);
guint simulation_unit_count(const Simulation *simulation);
Unit *simulation_unit(const Simulation *simulation, guint index); /* build order */

/* Makes `thing` visible to units that have a SHARED row of this name. It must outlive the
 * simulation. */
void simulation_share(Simulation *simulation, const char *name, const void *thing);

/* Calls every unit's setup, in build order, after shared facts are filled in. */
bool simulation_setup(Simulation *simulation, GError **error);

/* Calls the setup of the first unit of each class: what its parameters are worth is known from one.
 * Nothing can run then. */
bool simulation_try_setup(Simulation *simulation, GError **error);

/* The smallest time between an announcement and its boundary; part of the lookahead. Set before
 * running. */
void simulation_set_boundary_delay(Simulation *simulation, Time delay);

/* Those requests of the region of interest are kept with all their stages. */
void simulation_set_timeline(Simulation *simulation, const TimelineSelection *selection);

/* What is kept besides sums; nothing without being told. */
void simulation_set_profile(Simulation *simulation, RegionCollects collects);
RegionCollects simulation_collects(const Simulation *simulation);

/* What each kernel of the region of interest counted, after a run; NULL: there was one. */
const Phases *simulation_phases(const Simulation *simulation);

/* Of the requests of the region of interest, after a run; NULL: it was not asked for. */
const Profile *simulation_profile(const Simulation *simulation);

/* NULL: none was asked for. */
const Timeline *simulation_timeline(const Simulation *simulation);

void simulation_on_progress(Simulation *simulation, SimulationProgress progress, void *user);

/* Runs at once to the end. `seat[i]` is where unit i is; `platform_file` a SimGrid platform with a
 * host "tile<k>" for each tile and the `transport` link. `quantum` 0: as long as the lookahead
 * allows. */
typedef struct {
    const Seat *seat;
    uint32_t tiles;
    Time quantum;
    uint32_t threads; /* of each tile; 0: one. Not while a timeline is kept */
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

/* Network messages are carried by SimGrid itself (flow.h). Before SimGrid is started. */
void simulation_use_flow(Simulation *simulation, uint32_t concurrency);
uint32_t simulation_add_flow_host(Simulation *simulation, const char *name);

/* SimGrid: started once a process with a platform file, before routes are read back. */
bool simulation_start_engine(Simulation *simulation, const char *platform_file, GError **error);
/* The same on the text of a platform, once more if it is the one that SimGrid has (start.h). */
bool simulation_start_engine_on(Simulation *simulation, const char *text, GError **error);
