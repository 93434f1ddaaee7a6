/* What a run keeps, of the region of interest: from the start of the first measured kernel to the
 * end of the last one. Everything that is only observed has its one place here; units and tiles
 * tell, and the model never asks.
 *
 * When the region begins is known beforehand, so what was counted until then is dropped. At its end
 * a copy is kept of what there is by then, and counting goes on as if nothing had happened. What
 * comes after (other kernels, the write-back of caches) has then been counted, but is not in the
 * copy. Where nobody knows which measured kernel is the last, each one's end keeps a copy, which
 * the next one replaces. A run without measured kernels is all of interest, and of one that is
 * stopped within the region all until then. */
#pragma once

#include "kit/gpu/boundary.h"
#include "kit/observe/cut.h"
#include "kit/observe/meter.h"
#include "kit/observe/phases.h"
#include "kit/observe/profile.h"
#include "kit/observe/series.h"

/* What is kept besides sums: nothing; statistics over time, of which power is made; those and
 * resources over time and the profile, which reports draw. */
typedef enum { COLLECT_SUMS, COLLECT_POWER, COLLECT_ALL } RegionCollects;

/* Of a run. */
typedef struct {
    RegionCollects collects;
    GPtrArray *shares;   /* of RegionShare, borrowed */
    GHashTable *classes; /* table of statistics -> const RequestClasses * */
    ProfilePlan *plan;   /* NULL: no profile */
    Profile *profile;    /* kept; NULL: no measured kernel has ended yet */
    Timeline *timeline;  /* NULL: no single request is kept */
    Phases *phases;      /* NULL: the region is one */
} Region;

void region_init(Region *region);
void region_finish(Region *region);

/* A run begins, of these launches; NULL: none are known. */
void region_begin(Region *region, const LaunchList *launches);

/* ... and has ended: if no measured kernel has, everything is kept. */
void region_end(Region *region);

/* Of a tile: requests since the last measured kernel's end. Tiles come to a boundary one after
 * the other; with one profile for all, those that are behind would still add to what others have
 * kept. */
typedef struct {
    Region *region;
    Profile *profile;    /* NULL: none yet */
    guint phase;         /* number of the one that it is in */
    PhaseSums *sums;     /* ... which ends at the boundary that is being crossed; else NULL */
    AtRestSums *at_rest; /* NULL: the region has not begun, or has one phase */
    bool closed;         /* the region has ended */
} RegionShare;

void region_share_init(RegionShare *share, Region *region);
void region_share_finish(RegionShare *share);

/* The tile has come to a boundary, and none of its units has yet. */
void region_share_cross(RegionShare *share, const Boundary *boundary);

/* All of its units have added to the phase that ends what they have counted in it. */
void region_share_cut(RegionShare *share);

/* ... and all of them have come there. */
void region_share_crossed(RegionShare *share, guint units);

/* The run was stopped. True: within a phase of the region, which ends. */
bool region_share_stop(RegionShare *share, Time at);

/* Of a unit. What closing an interval and the end of a request touch comes first. */
typedef struct UnitObservation {
    Unit *unit;
    RegionShare *share;
    /* of its statistics; NULL: none, or nothing is kept of requests */
    const RequestClasses *request_classes;
    Series *series;    /* NULL: nothing is collected over time */
    bool kept;         /* the region has ended, and may end once more; */
    bool same;         /* ... since then nothing of the unit has changed: it is its own copy */
    Time series_due;   /* ... when the series' next interval ends */
    BankLog *bank_log; /* of a DRAM channel, while single requests are kept; NULL: none yet */
    /* its statistics at the end of the region, laid out as the unit; NULL: there is no copy */
    void *measured;
    const Stat *stats;        /* rows over the unit's struct */
    size_t size;              /* of that struct */
    MeterList meters, inputs; /* of its resources; of its bounded inputs */
    Cut cut;                  /* where its last phase ended */
} UnitObservation;

UnitObservation *observation_new(Unit *unit, const Stat *stats, size_t size);
void observation_free(UnitObservation *observation);

/* A run begins; `part`: of which network a unit of networks is. Here and below: returns when
 * series_close is to be called next. */
Time observation_begin(UnitObservation *observation, RegionShare *share, uint32_t part);

/* The region begins: the unit's statistics start from nothing. Before the unit handles the
 * boundary, so that what it does at the kernel's start counts. */
Time observation_open_region(UnitObservation *observation, Time at);

/* A measured kernel has ended: its statistics are kept; `last`: no other one comes. After the unit
 * has handled the boundary, so that what it does at the kernel's end counts. They are copied when
 * the unit is about to change: most units of a run that ends with its kernel never do. */
Time observation_keep_region(UnitObservation *observation, Time at, bool last);

/* Before anything of the unit changes at `now`, which is not before it has asked to be called. */
Time observation_look(UnitObservation *observation, Time now);

/* Its statistics at the end of the region, or at the run's, laid out as the unit. */
const void *observation_measured(const UnitObservation *observation);

/* The phase ends that its tile is in. Returns whether the unit rests: as long as it has no event,
 * and does not say that it has counted, it has nothing for the phases that come. */
bool observation_cut(UnitObservation *observation, Time at, uint64_t events);

/* The run has ended, `last_step` was the last one. */
void observation_end(UnitObservation *observation, Time last_step, Time end);

/* A request of a warp that ended at `end`: its stages go to `sums`, one of the unit's statistics,
 * and it goes into the profile. False: its times decrease somewhere. */
bool observation_account(UnitObservation *observation, const CompletedRequest *request);

/* A DRAM channel has these commands, in cycles of `period`; the region has a timeline. */
void observation_note_commands(UnitObservation *observation, DramSteps *steps, Time period);

/* It may be among those that are kept one by one; `at`: the time of the step that completed it. */
void observation_record(UnitObservation *observation, const CompletedRequest *request, Time at);
