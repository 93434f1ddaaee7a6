/* A run in its order: units and channels are made and wired, setup derives their state, a plan says
 * which unit is on which tile, tiles run until nothing is left, and what is still open is closed.
 * The plan comes last: nothing before it knows of tiles, so that no model can depend on them. */
#include "kit/engine/simulation.h"

#include "kit/engine/deadlock.h"
#include "kit/engine/simgrid/flow.h"
#include "kit/engine/simgrid/start.h"
#include "kit/engine/simgrid/transport.h"
#include "parts/sparse.h"

struct Simulation {
    GPtrArray *clocks;  /* of Clock, owned */
    GPtrArray *units;   /* of Unit, owned, in build order */
    GHashTable *shared; /* name -> thing, borrowed */
    uint64_t seed;
    bool engine_started;
    Common common;
    Tiles tiles;
    Outside outside;
};

/* --- what there is ---------------------------------------------------------------------------- */

Simulation *simulation_new(uint64_t seed)
{
    Simulation *simulation = g_new0(Simulation, 1);
    simulation->clocks = g_ptr_array_new_with_free_func(g_free);
    simulation->units = g_ptr_array_new();
    simulation->shared = g_hash_table_new(g_str_hash, g_str_equal);
    simulation->seed = seed;
    common_init(&simulation->common);
    return simulation;
}

const Clock *simulation_add_clock(Simulation *simulation, const char *name, uint64_t hertz)
{
    Clock *clock = g_new0(Clock, 1);
    clock->name = name;
    clock->period = clock_period(hertz);
    g_ptr_array_add(simulation->clocks, clock);
    return clock;
}

/* Random numbers and the hash begin with the path, not with a place in memory or a number that
 * another unit in the machine would shift. */
static Unit *add_unit(Simulation *simulation, const UnitClass *unit_class, const char *path,
                      uint32_t number, const Clock *clock)
{
    Unit *unit = sparse_new(unit_class->size);
    const uint32_t index = simulation->units->len;
    inbox_init(&unit->inbox, index);
    unit->class = unit_class;
    unit->common = &simulation->common;
    unit->messages = message_source(&simulation->common.pools, index);
    unit->observation = observation_new(unit, unit_class->stats, unit_class->size);
    unit->observe_due = TIME_NEVER;
    unit->path = g_strdup(path);
    unit->clock = clock;
    unit->number = number;
    unit->random = simulation->seed ^ (uint64_t)g_str_hash(path) << 20;
    unit->hash = g_str_hash(path);
    g_ptr_array_add(simulation->units, unit);
    return unit;
}

Unit *simulation_add_unit(Simulation *simulation, const UnitClass *unit_class, const char *path,
                          uint32_t number, const Clock *clock)
{
    Unit *unit = add_unit(simulation, unit_class, path, number, clock);
    param_set_defaults(unit_class->params, unit);
    return unit;
}

Unit *simulation_add_alike(Simulation *simulation, const Unit *first, const char *path,
                           uint32_t number)
{
    Unit *unit = add_unit(simulation, first->class, path, number, first->clock);
    param_copy(first->class->params, unit, first);
    return unit;
}

guint simulation_unit_count(const Simulation *simulation)
{
    return simulation->units->len;
}

Unit *simulation_unit(const Simulation *simulation, guint index)
{
    return simulation->units->pdata[index];
}

void simulation_share(Simulation *simulation, const char *name, const void *thing)
{
    g_hash_table_replace(simulation->shared, (void *)(uintptr_t)name, (void *)(uintptr_t)thing);
}

static void share_with(Simulation *simulation, Unit *unit)
{
    if (!unit->class->shared) return;
    for (const SharedRow *row = unit->class->shared; row->name; row++) {
        const void *thing = g_hash_table_lookup(simulation->shared, row->name);
        if (!thing) g_error("%s wants '%s', which nobody shares", unit->path, row->name);
        *(const void **)(void *)((char *)unit + row->offset) = thing;
    }
}

static bool set_up(Simulation *simulation, Unit *unit, GError **error)
{
    unit_number_ports(unit);
    share_with(simulation, unit);
    unit->begun = true;
    if (unit->class->setup && !unit->class->setup(unit, error)) return false;
    unit_meter(unit);
    return true;
}

bool simulation_setup(Simulation *simulation, GError **error)
{
    for (guint i = 0; i < simulation->units->len; i++)
        if (!set_up(simulation, simulation->units->pdata[i], error)) return false;
    return true;
}

bool simulation_try_setup(Simulation *simulation, GError **error)
{
    g_autoptr(GHashTable) tried = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        if (g_hash_table_add(tried, (void *)(uintptr_t)unit->class)
            && !set_up(simulation, unit, error))
            return false;
    }
    return true;
}

void simulation_set_boundary_delay(Simulation *simulation, Time delay)
{
    simulation->common.boundaries.delay = delay;
}

void simulation_on_progress(Simulation *simulation, SimulationProgress progress, void *user)
{
    simulation->outside.progress = progress;
    simulation->outside.progress_user = user;
}

void simulation_interrupt(Simulation *simulation)
{
    simulation->outside.interrupted = 1;
}

void simulation_set_timeline(Simulation *simulation, const TimelineSelection *selection)
{
    Region *region = &simulation->common.region;
    g_clear_pointer(&region->timeline, timeline_free);
    if (selection->capacity) region->timeline = timeline_new(selection);
}

void simulation_set_profile(Simulation *simulation, RegionCollects collects)
{
    simulation->common.region.collects = collects;
}

RegionCollects simulation_collects(const Simulation *simulation)
{
    return simulation->common.region.collects;
}

const Timeline *simulation_timeline(const Simulation *simulation)
{
    return simulation->common.region.timeline;
}

const Phases *simulation_phases(const Simulation *simulation)
{
    return simulation->common.region.phases;
}

const Profile *simulation_profile(const Simulation *simulation)
{
    return simulation->common.region.profile;
}

void simulation_use_flow(Simulation *simulation, uint32_t concurrency)
{
    simulation->common.flow = flow_new(&simulation->common, concurrency);
}

uint32_t simulation_add_flow_host(Simulation *simulation, const char *name)
{
    return flow_add_host(simulation->common.flow, name);
}

bool simulation_start_engine(Simulation *simulation, const char *platform_file, GError **error)
{
    const int concurrency = flow_concurrency(simulation->common.flow);
    simulation->engine_started = engine_start(platform_file, concurrency, error);
    return simulation->engine_started;
}

bool simulation_start_engine_on(Simulation *simulation, const char *text, GError **error)
{
    const int concurrency = flow_concurrency(simulation->common.flow);
    simulation->engine_started = engine_start_on(text, concurrency, error);
    return simulation->engine_started;
}

/* --- the plan of a run ------------------------------------------------------------------------ */

typedef struct {
    const Seat *seat;
    Time smallest;
} LookaheadSearch;

/* Credits count only where there are any. What is within a tile binds its groups, not windows. */
static void look_at_channel(Channel *channel, void *user)
{
    LookaheadSearch *search = user;
    const Unit *from = inbox_unit(channel->from), *to = inbox_unit(channel->to);
    if (search->seat[unit_index(from)].tile == search->seat[unit_index(to)].tile) return;
    search->smallest = MIN(search->smallest, channel->delay);
    if (channel->capacity) search->smallest = MIN(search->smallest, channel->credit_delay);
}

/* Of delays as they were given, not of what is under way: it holds for the whole run, and whoever
 * plans it can be told beforehand. Rounding to clocks only adds to delays. */
Time simulation_lookahead(const Simulation *simulation, const RunPlan *plan)
{
    const Time boundary_delay = simulation->common.boundaries.delay;
    LookaheadSearch search = {plan->seat, TIME_NEVER};
    if (plan->tiles > 1 && boundary_delay) search.smallest = boundary_delay;
    for (guint i = 0; i < simulation->units->len; i++)
        unit_visit_channels(simulation->units->pdata[i], look_at_channel, &search);
    return search.smallest;
}

bool simulation_check_plan(const Simulation *simulation, const RunPlan *plan, GError **error)
{
    const Time lookahead = simulation_lookahead(simulation, plan);
    if (plan->quantum <= lookahead) return true;
    g_set_error(error, PARAM_ERROR, 0,
                "simulation.quantum = %.3f ns: longer than the lookahead of this deployment, "
                "%.3f ns",
                time_to_ns(plan->quantum), time_to_ns(lookahead));
    return false;
}

/* With a single tile nothing limits a window; this keeps progress and interruption responsive. */
enum { LONGEST_QUANTUM_NS = 1000 };

static Time quantum_of(const Simulation *simulation, const RunPlan *plan)
{
    if (plan->quantum || simulation->common.flow) return plan->quantum;
    return MIN(simulation_lookahead(simulation, plan), LONGEST_QUANTUM_NS * TIME_NS);
}

static void let_cross(Channel *channel, void *user)
{
    const Tiles *tiles = user;
    Tile *from = tiles->tile[channel->from->group->tile],
         *to = tiles->tile[channel->to->group->tile];
    channel->crosses = from != to;
    channel->outbox = &from->outbox;
    channel->box = to->number;
    channel->credit_outbox = &to->outbox;
    channel->credit_box = from->number;
    if (from == to) tile_join(from, channel);
}

static void lay_out_groups(Tiles *tiles, const RunPlan *plan, guint units)
{
    g_autofree uint32_t *groups = g_new0(uint32_t, (size_t)plan->tiles * SECTIONS);
    for (guint i = 0; i < units; i++) {
        const Seat *seat = &plan->seat[i];
        uint32_t *count = &groups[seat->tile * SECTIONS + seat->section];
        *count = MAX(*count, seat->group + 1);
    }
    for (uint32_t i = 0; i < plan->tiles; i++) tile_lay_out(tiles->tile[i], &groups[i * SECTIONS]);
}

static void join_sections(Channel *channel, void *user)
{
    const Tiles *tiles = user;
    const uint32_t tile = channel->from->group->tile;
    if (tile == channel->to->group->tile) tile_join_sections(tiles->tile[tile], channel);
}

static void visit_all_channels(const Simulation *simulation, ChannelVisit visit, void *user)
{
    for (guint i = 0; i < simulation->units->len; i++)
        unit_visit_channels(simulation->units->pdata[i], visit, user);
}

/* Channels after all units: whether one crosses depends on where both of its ends are. */
static void lay_out_tiles(Simulation *simulation, const RunPlan *plan)
{
    const guint units = simulation->units->len;
    Tiles *tiles = &simulation->tiles;
    tiles_init(tiles, &simulation->common, plan->tiles, MAX(plan->threads, 1));
    tiles->quantum = quantum_of(simulation, plan);
    lay_out_groups(tiles, plan, units);
    for (guint i = 0; i < units; i++) {
        const Seat *seat = &plan->seat[i];
        tile_add(tiles->tile[seat->tile], simulation->units->pdata[i], seat);
    }
    visit_all_channels(simulation, let_cross, tiles);
    if (plan->threads > 1) visit_all_channels(simulation, join_sections, tiles);
    for (uint32_t i = 0; i < plan->tiles; i++) tile_sort_sections(tiles->tile[i]);
}

/* --- a run ------------------------------------------------------------------------------------ */

/* When the last thing happened, be it a boundary. */
static Time find_end(const Common *common)
{
    return common->stop ? common->now : MAX(common->now, boundaries_end(&common->boundaries));
}

/* The end of the last kernel lies behind the last event, since it is announced ahead: what it does
 * to units is still done. Of a run that was stopped it is not, for nobody has come so far. */
static void close_run(Simulation *simulation)
{
    Common *common = &simulation->common;
    const Time end = find_end(common);
    for (uint32_t i = 0; i < simulation->tiles.count; i++)
        tile_cross_boundaries(simulation->tiles.tile[i],
                              common->stop ? common->now : TIME_NEVER - 1);
    if (common->stop) tiles_stop(&simulation->tiles, common->now);
    region_end(&common->region);
    for (guint i = 0; i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        observation_end(unit->observation, common->now, end);
    }
}

static void add_visits(const Tile *tile, RunReport *report)
{
    report->stretches += tile->stretches;
    for (uint32_t i = 0; i < tile->strands; i++) report->visits += tile->strand[i].visits;
}

static void fill_report(const Simulation *simulation, const RunPlan *plan, RunReport *report)
{
    const Common *common = &simulation->common;
    const Time lookahead = simulation_lookahead(simulation, plan);
    *report = (RunReport){.outcome = common->outcome,
                          .end = common->now,
                          .bundles = common->bundles.sent,
                          .windows = simulation->tiles.windows,
                          .quantum = simulation->tiles.quantum,
                          .lookahead = lookahead == TIME_NEVER ? 0 : lookahead,
                          .tiles = plan->tiles};
    for (uint32_t i = 0; i < plan->tiles; i++) add_visits(simulation->tiles.tile[i], report);
    /* in build order, whatever the deployment: equal hashes are what tests take for equal runs */
    for (guint i = 0; i < simulation->units->len; i++) {
        const Unit *unit = simulation->units->pdata[i];
        report->events += unit->events;
        report->hash = (report->hash ^ unit->hash) * UINT64_C(0x100000001b3);
    }
}

static bool run_tiles(Simulation *simulation, GError **error)
{
    Flow *flow = simulation->common.flow;
    return flow ? flow_run(flow, &simulation->tiles, &simulation->outside, error)
                : transport_run(&simulation->tiles, &simulation->outside, error);
}

bool simulation_run(Simulation *simulation, const RunPlan *plan, RunReport *report, GError **error)
{
    Common *common = &simulation->common;
    g_assert(simulation->engine_started && !simulation->tiles.tile);
    if (!simulation_check_plan(simulation, plan, error)) return false;
    const LaunchList *launches = g_hash_table_lookup(simulation->shared, "launches");
    region_begin(&common->region, launches);
    common->boundaries.phases = common->region.phases;
    if (common->region.phases && plan->tiles == 1) phases_come_at_once(common->region.phases);
    common->boundaries.measured_left = launches ? launch_list_measured(launches) : 0;
    lay_out_tiles(simulation, plan);
    if (!run_tiles(simulation, error)) return false;
    close_run(simulation);
    const bool left = deadlock_has_work_left(simulation->units);
    if (common->outcome == RUN_FINISHED && left) common->outcome = RUN_DEADLOCK;
    fill_report(simulation, plan, report);
    if (!common->error) return true;
    g_propagate_error(error, g_steal_pointer(&common->error));
    return false;
}

char *simulation_describe_deadlock(Simulation *simulation)
{
    return deadlock_describe(simulation->units, simulation->common.now);
}

/* --- its end ---------------------------------------------------------------------------------- */

static void free_unit(Unit *unit)
{
    if (unit->begun && unit->class->teardown) unit->class->teardown(unit);
    param_clear(unit->class->params, unit);
    unit_free_ports(unit);
    g_clear_pointer(&unit->waits_for, g_ptr_array_unref);
    inbox_finish(&unit->inbox);
    observation_free(unit->observation);
    g_free(unit->path);
    sparse_free(unit);
}

void simulation_free(Simulation *simulation)
{
    if (!simulation) return;
    for (guint i = 0; i < simulation->units->len; i++) free_unit(simulation->units->pdata[i]);
    tiles_finish(&simulation->tiles);
    flow_free(simulation->common.flow);
    common_finish(&simulation->common);
    g_ptr_array_unref(simulation->units);
    g_ptr_array_unref(simulation->clocks);
    g_hash_table_unref(simulation->shared);
    g_free(simulation);
}
