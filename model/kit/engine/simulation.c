#include "kit/engine/internal.h"

Simulation *simulation_new(uint64_t seed)
{
    Simulation *simulation = g_new0(Simulation, 1);
    simulation->clocks = g_ptr_array_new_with_free_func(g_free);
    simulation->units = g_ptr_array_new();
    simulation->shared = g_hash_table_new(g_str_hash, g_str_equal);
    simulation->boundaries = g_array_new(FALSE, TRUE, sizeof(Boundary));
    simulation->seed = seed;
    simulation->outcome = RUN_FINISHED;
    pools_init(simulation);
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

static uint32_t count_inputs(const Unit *unit)
{
    uint32_t count = 0;
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        if (row->kind == PORT_IN) count++;
        if (row->kind == PORT_IN_ARRAY)
            count += ((const PortArray *)(const void *)((const char *)unit + row->offset))->count;
    }
    return count;
}

Unit *simulation_add_unit(Simulation *simulation, const UnitClass *unit_class, const char *path,
                          uint32_t number, const Clock *clock)
{
    Unit *unit = g_malloc0(unit_class->size);
    unit->class = unit_class;
    unit->simulation = simulation;
    unit->path = g_strdup(path);
    unit->clock = clock;
    unit->index = simulation->units->len;
    unit->number = number;
    unit->heap_slot = CALENDAR_ABSENT;
    unit->wake = unit->next = unit->series_due = TIME_NEVER;
    unit->random = simulation->seed ^ (uint64_t)g_str_hash(path) << 20;
    unit->hash = g_str_hash(path);
    param_set_defaults(unit_class->params, unit);
    g_ptr_array_add(simulation->units, unit);
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

static const PortRow *find_row(const Unit *unit, const char *name)
{
    for (const PortRow *row = unit->class->ports; row->name; row++)
        if (g_str_equal(row->name, name)) return row;
    g_error("%s has no port '%s'", unit->path, name);
}

void unit_size_ports(Unit *unit, const char *array, uint32_t count)
{
    const PortRow *row = find_row(unit, array);
    if (row->kind == PORT_IN_ARRAY) {
        PortArray *ports = (PortArray *)(void *)((char *)unit + row->offset);
        *ports = (PortArray){.at = g_new0(Port, count), .count = count};
    } else {
        g_assert(row->kind == PORT_OUT_ARRAY);
        ChannelArray *channels = (ChannelArray *)(void *)((char *)unit + row->offset);
        *channels = (ChannelArray){g_new0(Channel, count), count};
    }
}

static Channel *find_channel(Unit *unit, const char *name, uint32_t index)
{
    const PortRow *row = find_row(unit, name);
    void *field = (char *)unit + row->offset;
    if (row->kind == PORT_OUT) return field;
    g_assert(row->kind == PORT_OUT_ARRAY && index < ((ChannelArray *)field)->count);
    return &((ChannelArray *)field)->at[index];
}

/* Port order: the table's order, arrays by index. Arrays are sized before anything is connected. */
static void number_ports(Unit *unit)
{
    if (unit->ports) return;
    unit->fresh = g_new0(uint16_t, count_inputs(unit) + 1);
    unit->ports = g_new0(Port *, count_inputs(unit) + 1);
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)unit + row->offset;
        if (row->kind == PORT_IN) unit->ports[unit->port_count++] = field;
        if (row->kind != PORT_IN_ARRAY) continue;
        PortArray *array = field;
        array->first = unit->port_count;
        for (uint32_t i = 0; i < array->count; i++) unit->ports[unit->port_count++] = &array->at[i];
    }
}

static uint32_t find_port(Unit *unit, const char *name, uint32_t index)
{
    const PortRow *row = find_row(unit, name);
    void *field = (char *)unit + row->offset;
    Port *port = row->kind == PORT_IN ? field : &((PortArray *)field)->at[index];
    for (uint32_t i = 0; i < unit->port_count; i++)
        if (unit->ports[i] == port) return i;
    g_error("%s has no input '%s[%u]'", unit->path, name, index);
}

static uint32_t round_up_power(uint32_t value)
{
    uint32_t power = 1;
    while (power < value) power *= 2;
    return power;
}

void simulation_connect(Simulation *simulation, const Wire *wire)
{
    (void)simulation;
    number_ports(wire->from);
    number_ports(wire->to);
    Channel *channel = find_channel(wire->from, wire->output, wire->output_index);
    const uint32_t index = find_port(wire->to, wire->input, wire->input_index);
    Port *port = wire->to->ports[index];
    if (channel->to || port->channel)
        g_error("%s.%s is connected twice", wire->from->path, wire->output);
    const Time delay = MAX(wire->delay, wire->from->clock->period);
    const Time credit_delay = MAX(wire->credit_delay, wire->to->clock->period);
    const uint32_t ring = round_up_power(MAX(wire->capacity, 1));
    *channel = (Channel){.from = wire->from,
                         .to = wire->to,
                         .port = port,
                         .name = wire->output,
                         .delay = delay,
                         .credit_delay = credit_delay,
                         .port_index = index,
                         .capacity = wire->capacity,
                         .credits = wire->capacity,
                         .credit_mask = ring - 1,
                         .credit_at = g_new0(Time, ring),
                         .same_clock = wire->from->clock->period == wire->to->clock->period
                                       && delay % wire->from->clock->period == 0
                                       && credit_delay % wire->from->clock->period == 0};
    port->channel = channel;
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

bool simulation_setup(Simulation *simulation, GError **error)
{
    for (guint i = 0; i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        number_ports(unit);
        share_with(simulation, unit);
        if (unit->class->setup && !unit->class->setup(unit, error)) return false;
    }
    return true;
}

void simulation_set_boundary_delay(Simulation *simulation, Time delay)
{
    simulation->boundary_delay = delay;
}

void simulation_on_progress(Simulation *simulation, SimulationProgress progress, void *user)
{
    simulation->progress = progress;
    simulation->progress_user = user;
}

void simulation_interrupt(Simulation *simulation)
{
    simulation->interrupted = 1;
}

void unit_visit_channels(const Unit *unit, ChannelVisit visit, void *user)
{
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)(uintptr_t)unit + row->offset;
        if (row->kind == PORT_OUT && ((Channel *)field)->to) visit(field, user);
        if (row->kind != PORT_OUT_ARRAY) continue;
        ChannelArray *array = field;
        for (uint32_t i = 0; i < array->count; i++)
            if (array->at[i].to) visit(&array->at[i], user);
    }
}

typedef struct {
    const uint32_t *tile_of;
    Time smallest;
} LookaheadSearch;

static void look_at_channel(Channel *channel, void *user)
{
    LookaheadSearch *search = user;
    if (search->tile_of[channel->from->index] == search->tile_of[channel->to->index]) return;
    search->smallest = MIN(search->smallest, channel->delay);
    if (channel->capacity) search->smallest = MIN(search->smallest, channel->credit_delay);
}

Time simulation_lookahead(const Simulation *simulation, const RunPlan *plan)
{
    LookaheadSearch search = {plan->tile_of, TIME_NEVER};
    if (plan->tiles > 1 && simulation->boundary_delay) search.smallest = simulation->boundary_delay;
    for (guint i = 0; i < simulation->units->len; i++)
        unit_visit_channels(simulation->units->pdata[i], look_at_channel, &search);
    return search.smallest;
}

static void mark_crossing(Channel *channel, void *user)
{
    (void)user;
    channel->crosses = channel->from->tile != channel->to->tile;
}

static void lay_out_tiles(Simulation *simulation, const RunPlan *plan)
{
    simulation->tile_count = plan->tiles;
    simulation->tiles = g_new0(Tile *, plan->tiles);
    for (uint32_t i = 0; i < plan->tiles; i++)
        simulation->tiles[i] = tile_new(simulation, i, plan->tiles);
    for (guint i = 0; i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        unit->tile = simulation->tiles[plan->tile_of[i]];
        g_ptr_array_add(unit->tile->units, unit);
        if (unit->next != TIME_NEVER) calendar_update(&unit->tile->calendar, unit);
    }
    for (guint i = 0; i < simulation->units->len; i++)
        unit_visit_channels(simulation->units->pdata[i], mark_crossing, NULL);
}

bool simulation_idle(const Simulation *simulation)
{
    if (simulation->bundles_in_flight) return false;
    for (uint32_t i = 0; i < simulation->tile_count; i++)
        if (simulation->tiles[i]->calendar.count) return false;
    return true;
}

static void begin_series(Simulation *simulation)
{
    for (guint i = 0; simulation->profile && i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        unit->series = series_new(unit->class->stats);
        if (unit->series) unit->series_due = series_restart(unit->series, 0);
    }
}

/* When the last thing happened, be it a boundary. */
static Time find_end(const Simulation *simulation)
{
    const GArray *boundaries = simulation->boundaries;
    if (simulation->stop || !boundaries->len) return simulation->now;
    return MAX(simulation->now, g_array_index(boundaries, Boundary, boundaries->len - 1).at);
}

static void close_run(Simulation *simulation)
{
    const bool finished = !simulation->stop;
    const Time end = find_end(simulation);
    for (uint32_t i = 0; i < simulation->tile_count; i++)
        tile_cross_boundaries(simulation->tiles[i], finished ? TIME_NEVER - 1 : simulation->now);
    simulation_keep_profiles(simulation);
    for (guint i = 0; i < simulation->units->len; i++) {
        Unit *unit = simulation->units->pdata[i];
        unit_close_intervals(unit, end);
        for (const Stat *stat = unit->class->stats; stat->name; stat++)
            if (stat->type == STAT_LEVEL)
                level_settle((Level *)(void *)((char *)unit + stat->offset), simulation->now);
        if (unit->series && !unit->measured) series_keep(unit->series, unit, end);
    }
}

static void fill_report(const Simulation *simulation, const RunPlan *plan, RunReport *report)
{
    *report = (RunReport){.outcome = simulation->outcome,
                          .end = simulation->now,
                          .bundles = simulation->bundles,
                          .windows = simulation->windows,
                          .quantum = simulation->quantum,
                          .lookahead = simulation_lookahead(simulation, plan),
                          .tiles = plan->tiles};
    for (guint i = 0; i < simulation->units->len; i++) {
        const Unit *unit = simulation->units->pdata[i];
        report->events += unit->events;
        report->hash = (report->hash ^ unit->hash) * UINT64_C(0x100000001b3);
    }
}

/* With a single tile nothing limits a window; this keeps progress and interruption responsive. */
enum { LONGEST_QUANTUM_NS = 1000 };

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

static Time quantum_of(const Simulation *simulation, const RunPlan *plan)
{
    if (plan->quantum || simulation->flow) return plan->quantum;
    return MIN(simulation_lookahead(simulation, plan), LONGEST_QUANTUM_NS * TIME_NS);
}

bool simulation_run(Simulation *simulation, const RunPlan *plan, RunReport *report, GError **error)
{
    g_assert(simulation->engine_started && !simulation->tiles);
    if (!simulation_check_plan(simulation, plan, error)) return false;
    simulation->quantum = quantum_of(simulation, plan);
    lay_out_tiles(simulation, plan);
    begin_series(simulation);
    simulation_plan_profile(simulation);
    if (simulation->flow ? !flow_run(simulation->flow, error) : !transport_run(simulation, error))
        return false;
    close_run(simulation);
    const bool left = simulation_has_work_left(simulation);
    if (simulation->outcome == RUN_FINISHED && left) simulation->outcome = RUN_DEADLOCK;
    fill_report(simulation, plan, report);
    if (!simulation->error) return true;
    g_propagate_error(error, g_steal_pointer(&simulation->error));
    return false;
}

static void free_channel(Channel *channel, void *user)
{
    (void)user;
    g_free(channel->credit_at);
}

static void free_arrays(Unit *unit)
{
    for (const PortRow *row = unit->class->ports; row->name; row++) {
        void *field = (char *)unit + row->offset;
        if (row->kind == PORT_IN_ARRAY) g_free(((PortArray *)field)->at);
        if (row->kind == PORT_OUT_ARRAY) g_free(((ChannelArray *)field)->at);
    }
}

void simulation_set_timeline(Simulation *simulation, const TimelineSelection *selection)
{
    g_clear_pointer(&simulation->timeline, timeline_free);
    if (selection->capacity) simulation->timeline = timeline_new(selection);
}

void simulation_set_profile(Simulation *simulation, bool profile)
{
    simulation->profile = profile;
}

const Timeline *simulation_timeline(const Simulation *simulation)
{
    return simulation->timeline;
}

static void free_unit(Unit *unit)
{
    if (unit->class->teardown) unit->class->teardown(unit);
    param_clear(unit->class->params, unit);
    unit_visit_channels(unit, free_channel, NULL);
    for (uint32_t i = 0; i < unit->port_count; i++) g_free(unit->ports[i]->slot);
    free_arrays(unit);
    g_clear_pointer(&unit->waits_for, g_ptr_array_unref);
    g_free(unit->ports);
    g_free(unit->fresh);
    g_free(unit->arrival);
    g_free(unit->measured);
    series_free(unit->series);
    g_free(unit->path);
    g_free(unit);
}

void simulation_free(Simulation *simulation)
{
    if (!simulation) return;
    for (guint i = 0; i < simulation->units->len; i++) free_unit(simulation->units->pdata[i]);
    for (uint32_t i = 0; i < simulation->tile_count; i++) tile_free(simulation->tiles[i]);
    g_free(simulation->tiles);
    profile_free(simulation->kept_profile);
    profile_plan_free(simulation->profile_plan);
    flow_free(simulation->flow);
    timeline_free(simulation->timeline);
    pools_finish(simulation);
    g_ptr_array_unref(simulation->units);
    g_ptr_array_unref(simulation->clocks);
    g_hash_table_unref(simulation->shared);
    g_array_unref(simulation->boundaries);
    g_clear_error(&simulation->error);
    g_free(simulation);
}
