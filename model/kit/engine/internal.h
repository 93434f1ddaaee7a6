/* What the kit's own files share: the inside of a simulation. */
#pragma once

#include "kit/engine/simulation.h"
#include "kit/engine/tile.h"

#include <signal.h>

typedef struct Flow Flow;

typedef struct {
    Message *free;
    GPtrArray *chunks;
    size_t size;
} Pool;

struct Simulation {
    GPtrArray *clocks;  /* of Clock, owned */
    GPtrArray *units;   /* of Unit, owned, in build order */
    GHashTable *shared; /* name -> thing, borrowed */
    GArray *boundaries; /* of Boundary, in order of time */
    Tile **tiles;
    uint32_t tile_count;
    Pool pool[MESSAGE_KINDS];
    Bundle *free_bundles;
    uint64_t seed;
    Time boundary_delay;
    Timeline *timeline; /* NULL: no single request is kept */
    bool profile;
    ProfilePlan *profile_plan; /* NULL: no profile */
    Profile *kept_profile;     /* of the region of interest; NULL: none has ended yet */
    Time now;                  /* time of the last step; the units' common past */
    uint64_t bundles, windows, bundles_in_flight;
    bool engine_started, stop, measuring;
    volatile sig_atomic_t interrupted;
    RunOutcome outcome;
    GError *error;
    SimulationProgress progress;
    void *progress_user;
    gint64 progress_at; /* host time of the last progress call, us */
    Time quantum;
    Flow *flow; /* NULL: nothing is carried by SimGrid itself */
};

enum { PROGRESS_PERIOD_US = 200000, WINDOWS_BETWEEN_LOOKS = 128 };

typedef void (*ChannelVisit)(Channel *channel, void *user);

/* Those of the unit's outputs that are connected, in the order of its port table. */
void unit_visit_channels(const Unit *unit, ChannelVisit visit, void *user);

/* Before anything of the unit changes at `now`. */
static inline void unit_close_intervals(Unit *unit, Time now)
{
    if (now >= unit->series_due) unit->series_due = series_close(unit->series, unit, now);
}
/* profile_keep.c: units learn which request classes they have; what a tile has of requests goes
 * into what is kept; at the end of a run that reached no end of a measured kernel, everything. */
void simulation_plan_profile(Simulation *simulation);
void simulation_keep_profile(Simulation *simulation, Tile *tile);
void simulation_keep_profiles(Simulation *simulation);

bool simulation_idle(const Simulation *simulation);
void pools_init(Simulation *simulation);
void pools_finish(Simulation *simulation);
Bundle *bundle_take(Simulation *simulation);
void bundle_give_back(Simulation *simulation, Bundle *bundle);

/* deadlock.c: a unit says so, or a message has not been taken. */
bool simulation_has_work_left(Simulation *simulation);

/* transport.c: runs the tiles' windows on SimGrid until nothing is left. */
bool transport_run(Simulation *simulation, GError **error);

/* flow.c: runs the one tile along SimGrid's clock. */
bool flow_run(Flow *flow, GError **error);
void flow_free(Flow *flow);
int flow_concurrency(const Flow *flow); /* -1: no limit; also without flow */

/* SimGrid's second is one nanosecond. */
static inline double time_to_date(Time t)
{
    return (double)t * 1e-6;
}

/* Interruption and progress, between windows. */
void simulation_look_outside(Simulation *simulation);

void port_push(Port *port, Message *message);
void channel_return_credit(Channel *channel, Time now);
