/* Three levels, each of which only adds to the one below: a unit counts in its own struct, a
 * tile collects requests, a run keeps what its tiles had. All of it commutes, so that what is
 * kept does not depend on which tile comes first. */
#include "kit/observe/region.h"

#include "kit/gpu/transaction.h"
#include "parts/sparse.h"

/* --- a run ------------------------------------------------------------------------------------ */

void region_init(Region *region)
{
    region->shares = g_ptr_array_new();
}

void region_begin(Region *region, const LaunchList *launches)
{
    region->phases = phases_new(launches);
    if (region->collects != COLLECT_ALL) return;
    region->plan = profile_plan_new(launches);
    region->classes = g_hash_table_new(NULL, NULL);
}

void region_finish(Region *region)
{
    profile_free(region->profile);
    profile_plan_free(region->plan);
    timeline_free(region->timeline);
    phases_free(region->phases);
    g_clear_pointer(&region->classes, g_hash_table_unref);
    g_ptr_array_unref(region->shares);
}

/* Units of one class share what the plan has of their table. */
static const RequestClasses *classes_of(Region *region, const Stat *stats)
{
    gpointer classes;
    if (!region->plan) return NULL;
    if (!g_hash_table_lookup_extended(region->classes, stats, NULL, &classes)) {
        classes = (gpointer)(uintptr_t)profile_plan_add(region->plan, stats);
        g_hash_table_insert(region->classes, (gpointer)(uintptr_t)stats, classes);
    }
    return classes;
}

/* --- a tile ----------------------------------------------------------------------------------- */

void region_share_init(RegionShare *share, Region *region)
{
    *share = (RegionShare){.region = region};
    g_ptr_array_add(region->shares, share);
}

void region_share_finish(RegionShare *share)
{
    g_free(share->at_rest);
    profile_free(share->profile);
}

static void keep_profile(RegionShare *share)
{
    Region *region = share->region;
    if (!region->plan) return;
    if (!region->profile) region->profile = profile_new(region->plan);
    if (!share->profile) return;
    profile_merge(region->profile, share->profile);
    profile_clear(share->profile);
}

void region_end(Region *region)
{
    if (region->phases) phases_end(region->phases);
    if (region->profile) return;
    for (guint i = 0; i < region->shares->len; i++) keep_profile(region->shares->pdata[i]);
}

/* The timeline is one for all tiles, and is told by each: it knows by times what belongs to the
 * region, since single requests can be asked when they began. */
void region_share_cross(RegionShare *share, const Boundary *boundary)
{
    Timeline *timeline = share->region->timeline;
    Phases *phases = share->region->phases;
    if (boundary->opens_region) {
        if (share->profile) profile_clear(share->profile);
        if (phases) share->at_rest = at_rest_sums_new(phases_layout(phases));
        if (timeline) timeline_start_measuring(timeline, boundary->at);
    }
    if (boundary->closes_region) {
        share->closed = true;
        keep_profile(share);
        if (timeline) timeline_keep_measured(timeline, boundary->at);
    }
    /* the first phase begins with the region */
    if (boundary->edge != PHASE_GOES_ON && !boundary->opens_region)
        share->sums = phases_sums(phases, share->phase);
}

void region_share_cut(RegionShare *share)
{
    phase_sums_add_at_rest(share->sums, share->at_rest);
}

static void end_phase(RegionShare *share, guint units)
{
    phases_add_units(share->region->phases, share->phase++, units);
    share->sums = NULL;
}

void region_share_crossed(RegionShare *share, guint units)
{
    if (share->sums) end_phase(share, units);
}

bool region_share_stop(RegionShare *share, Time at)
{
    Phases *phases = share->region->phases;
    if (!phases || share->closed || !phases_stop(phases, share->phase, at)) return false;
    share->sums = phases_sums(phases, share->phase);
    return true;
}

/* --- a unit ----------------------------------------------------------------------------------- */

UnitObservation *observation_new(Unit *unit, const Stat *stats, size_t size)
{
    UnitObservation *observation = g_aligned_alloc0(1, sizeof(UnitObservation), HOST_LINE);
    *observation = (UnitObservation){.unit = unit, .stats = stats, .size = size};
    return observation;
}

void observation_free(UnitObservation *observation)
{
    sparse_free(observation->measured);
    cut_finish(&observation->cut);
    series_free(observation->series);
    meter_list_finish(&observation->meters);
    meter_list_finish(&observation->inputs);
    g_aligned_free(observation);
}

static void find_place(UnitObservation *observation, Phases *phases, uint32_t part)
{
    const PhaseGroup group = {.stats = observation->stats, .part = part, .size = observation->size};
    const PhasePlace place = phases_add_unit(phases, &group, observation->meters.count);
    cut_begin(&observation->cut, phases_layout(phases), place);
}

Time observation_begin(UnitObservation *observation, RegionShare *share, uint32_t part)
{
    static const MeterList none = {.count = 0};
    Region *region = share->region;
    if (region->phases) find_place(observation, region->phases, part);
    observation->share = share;
    observation->request_classes = classes_of(region, observation->stats);
    if (region->collects != COLLECT_SUMS)
        observation->series = series_new(
            observation->stats, region->collects == COLLECT_ALL ? &observation->meters : &none);
    return observation->series ? series_restart(observation->series, 0) : TIME_NEVER;
}

/* Levels stay what they are: what is in a queue when the region begins is in it. */
Time observation_open_region(UnitObservation *observation, Time at)
{
    stats_reset(observation->stats, observation->unit, at);
    if (observation->bank_log) bank_log_restart(observation->bank_log, at);
    meter_list_open(&observation->meters, at);
    meter_list_open(&observation->inputs, at);
    return observation->series ? series_restart(observation->series, at) : TIME_NEVER;
}

static void settle_levels(UnitObservation *observation, Time at)
{
    for (const Stat *stat = observation->stats; stat->name; stat++)
        if (stat->type == STAT_LEVEL)
            level_settle((Level *)(void *)((char *)observation->unit + stat->offset), at);
}

static void keep_meters(UnitObservation *observation, Time at)
{
    meter_list_keep(&observation->meters, at);
    meter_list_keep(&observation->inputs, at);
}

/* A copy of the whole struct's size, so that the table's offsets are good for it as well. */
static void copy_unit(UnitObservation *observation)
{
    if (!observation->measured) observation->measured = sparse_new(observation->size);
    stats_copy(observation->stats, observation->measured, observation->unit);
    cut_widen(&observation->cut, observation->stats, observation->measured);
    observation->same = false;
}

Time observation_keep_region(UnitObservation *observation, Time at, bool last)
{
    settle_levels(observation, at);
    keep_meters(observation, at);
    observation->kept = observation->same = true;
    observation->series_due = TIME_NEVER;
    if (!observation->series) return at;
    if (!last) observation->series_due = series_next_end(observation->series);
    series_keep(observation->series, observation->unit, at, last);
    return at;
}

Time observation_look(UnitObservation *observation, Time now)
{
    const bool copies = observation->same;
    if (copies) copy_unit(observation);
    if (copies && now < observation->series_due) return observation->series_due;
    return series_close(observation->series, observation->unit, now);
}

const void *observation_measured(const UnitObservation *observation)
{
    const bool copied = observation->kept && !observation->same;
    return copied ? observation->measured : observation->unit;
}

G_GNUC_NO_INLINE static void cut_any(UnitObservation *observation, Time at, uint64_t events)
{
    const CutUnit unit = {.unit = observation->unit,
                          .size = observation->size,
                          .meters = &observation->meters,
                          .events = events};
    cut_take_any(&observation->cut, &unit, observation->share->sums, at);
}

/* In kernels of few CTAs most units rest and count nevertheless. */
bool observation_cut(UnitObservation *observation, Time at, uint64_t events)
{
    Cut *cut = &observation->cut;
    if (cut_is_idle(cut, events)) return true;
    if (cut_counts_at_rest(cut, events))
        cut_take_at_rest(cut, observation->unit, observation->share->at_rest);
    else
        cut_any(observation, at, events);
    return cut->rests;
}

/* No measured kernel has ended. */
static void end_region(UnitObservation *observation, Time last_step, Time end)
{
    Series *series = observation->series;
    if (series && series_next_end(series) <= end) series_close(series, observation->unit, end);
    settle_levels(observation, last_step);
    keep_meters(observation, end);
    if (series) series_keep(series, observation->unit, end, true);
}

void observation_end(UnitObservation *observation, Time last_step, Time end)
{
    if (!observation->kept) end_region(observation, last_step, end);
    if (!observation->kept || observation->same)
        cut_widen(&observation->cut, observation->stats, observation->unit);
    cut_finish(&observation->cut);
}

/* Without profile nothing is looked up: the sums in the unit's own struct are all that is kept. */
bool observation_account(UnitObservation *observation, const CompletedRequest *request)
{
    if (!observation->request_classes)
        return transaction_account(request->transaction, request->end, request->sums);
    RegionShare *share = observation->share;
    if (!share->profile) share->profile = profile_new(share->region->plan);
    const size_t offset = (size_t)((const char *)request->sums - (const char *)observation->unit);
    return profile_record(share->profile, request_class_at(observation->request_classes, offset),
                          request);
}

void observation_note_commands(UnitObservation *observation, DramSteps *steps, Time period)
{
    if (!observation->bank_log)
        observation->bank_log =
            timeline_add_bank_log(observation->share->region->timeline, observation->unit);
    bank_log_note(observation->bank_log, steps, period);
}

void observation_record(UnitObservation *observation, const CompletedRequest *request, Time at)
{
    Timeline *timeline = observation->share->region->timeline;
    if (timeline) timeline_record(timeline, request, at);
}
