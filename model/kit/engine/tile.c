#include "kit/engine/internal.h"
#include "parts/bits.h"

Tile *tile_new(Simulation *simulation, uint32_t number, uint32_t tiles)
{
    Tile *tile = g_new0(Tile, 1);
    tile->simulation = simulation;
    tile->number = number;
    tile->units = g_ptr_array_new();
    tile->boundary_at = TIME_NEVER;
    tile->outbox = g_new0(Bundle *, tiles);
    tile->dirty = g_new0(uint32_t, tiles);
    return tile;
}

void tile_free(Tile *tile)
{
    if (!tile) return;
    calendar_finish(&tile->calendar);
    g_ptr_array_unref(tile->units);
    profile_free(tile->profile);
    g_free(tile->outbox);
    g_free(tile->dirty);
    g_free(tile);
}

static inline bool arrives_before(const Arrival *a, const Arrival *b)
{
    return a->due != b->due ? a->due < b->due : a->key < b->key;
}

static void arrival_push(Unit *unit, Arrival arrival)
{
    if (unit->arrivals == unit->arrival_room) {
        unit->arrival_room = unit->arrival_room ? 2 * unit->arrival_room : 16;
        unit->arrival = g_renew(Arrival, unit->arrival, unit->arrival_room);
    }
    uint32_t i = unit->arrivals++;
    for (; i && arrives_before(&arrival, &unit->arrival[(i - 1) / 2]); i = (i - 1) / 2)
        unit->arrival[i] = unit->arrival[(i - 1) / 2];
    unit->arrival[i] = arrival;
}

static Arrival arrival_pop(Unit *unit)
{
    const Arrival top = unit->arrival[0], last = unit->arrival[--unit->arrivals];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < unit->arrivals; i = child) {
        if (child + 1 < unit->arrivals
            && arrives_before(&unit->arrival[child + 1], &unit->arrival[child]))
            child++;
        if (!arrives_before(&unit->arrival[child], &last)) break;
        unit->arrival[i] = unit->arrival[child];
    }
    unit->arrival[i] = last;
    return top;
}

static inline void schedule(Unit *unit, Time at)
{
    if (at >= unit->next) return;
    unit->next = at;
    if (!unit->tile) return; /* in setup: scheduled when tiles are laid out */
    if (unit->tile->current != unit) calendar_update(&unit->tile->calendar, unit);
}

void unit_receive(Unit *unit, Time due, uint64_t key, Message *message)
{
    arrival_push(unit, (Arrival){due, key, message});
    schedule(unit, due);
}

void unit_receive_wake(Unit *unit, Time at)
{
    if (at < unit->wake) unit->wake = at;
    schedule(unit, at);
}

void unit_receive_credit(Unit *unit, Time at)
{
    unit_receive(unit, at, UINT64_MAX, NULL);
}

static void start_measuring(Unit *unit, Time at)
{
    stats_reset(unit->class->stats, unit, at);
    if (unit->series) unit->series_due = series_restart(unit->series, at);
}

static void keep_measured(Unit *unit, Time at)
{
    for (const Stat *stat = unit->class->stats; stat->name; stat++)
        if (stat->type == STAT_LEVEL)
            level_settle((Level *)(void *)((char *)unit + stat->offset), at);
    if (!unit->measured) unit->measured = g_malloc0(unit->class->size);
    stats_copy(unit->class->stats, unit->measured, unit);
    if (unit->series) series_keep(unit->series, unit, at);
}

static void tell_timeline(Timeline *timeline, const Boundary *boundary, bool first_measured)
{
    if (boundary->kind == BOUNDARY_KERNEL_START && first_measured)
        timeline_start_measuring(timeline, boundary->at);
    if (boundary->kind == BOUNDARY_KERNEL_END && boundary->launch->measured)
        timeline_keep_measured(timeline, boundary->at);
}

static void cross(Tile *tile, const Boundary *boundary, bool first_measured)
{
    if (boundary->kind == BOUNDARY_KERNEL_START && first_measured && tile->profile)
        profile_clear(tile->profile);
    if (boundary->kind == BOUNDARY_KERNEL_END && boundary->launch->measured)
        simulation_keep_profile(tile->simulation, tile);
    if (tile->simulation->timeline)
        tell_timeline(tile->simulation->timeline, boundary, first_measured);
    for (guint i = 0; i < tile->units->len; i++) {
        Unit *unit = tile->units->pdata[i];
        unit->stepping = boundary->at;
        unit_close_intervals(unit, boundary->at);
        if (boundary->kind == BOUNDARY_KERNEL_START && first_measured)
            start_measuring(unit, boundary->at);
        if (unit->class->boundary) unit->class->boundary(unit, boundary);
        if (boundary->kind == BOUNDARY_KERNEL_END && boundary->launch->measured)
            keep_measured(unit, boundary->at);
    }
}

static bool is_first_measured(const GArray *boundaries, guint index)
{
    if (!g_array_index(boundaries, Boundary, index).launch->measured) return false;
    for (guint i = 0; i < index; i++)
        if (g_array_index(boundaries, Boundary, i).launch->measured) return false;
    return true;
}

void tile_cross_boundaries(Tile *tile, Time until)
{
    const GArray *boundaries = tile->simulation->boundaries;
    while (tile->boundary_at <= until && tile->boundary_next < boundaries->len) {
        const Boundary boundary = g_array_index(boundaries, Boundary, tile->boundary_next);
        cross(tile, &boundary, is_first_measured(boundaries, tile->boundary_next));
        tile->boundary_next++;
        tile->boundary_at = tile->boundary_next < boundaries->len
                                ? g_array_index(boundaries, Boundary, tile->boundary_next).at
                                : TIME_NEVER;
    }
}

static inline void mix(Unit *unit, uint64_t value)
{
    unit->hash = (unit->hash ^ value) * GOLDEN_STEP;
    unit->hash ^= unit->hash >> 29;
}

static void deliver_message(Unit *unit, const Arrival *arrival)
{
    const uint16_t port = (uint16_t)(arrival->key >> 48);
    mix(unit, arrival->key ^ arrival->message->id);
    port_push(unit->ports[port], arrival->message);
    if (!unit->fresh_count || unit->fresh[unit->fresh_count - 1] != port)
        unit->fresh[unit->fresh_count++] = port;
    unit->events++;
}

static void deliver(Unit *unit, Time now)
{
    if (unit->wake == now) unit->wake = TIME_NEVER;
    mix(unit, now);
    unit->fresh_count = 0;
    while (unit->arrivals && unit->arrival[0].due == now) {
        const Arrival arrival = arrival_pop(unit);
        if (arrival.message) deliver_message(unit, &arrival);
    }
    if (!unit->fresh_count) unit->events++; /* woken, by itself or by a credit */
}

static void activate(Tile *tile, Unit *unit)
{
    const Time now = unit->next;
    if (now >= tile->boundary_at) tile_cross_boundaries(tile, now);
    tile->current = unit;
    unit->stepping = now;
    unit->next = TIME_NEVER;
    unit_close_intervals(unit, now);
    deliver(unit, now);
    unit->class->step(unit, now);
    tile->current = NULL;
    unit->next = unit->arrivals ? MIN(unit->arrival[0].due, unit->wake) : unit->wake;
    calendar_update(&tile->calendar, unit);
    if (now > tile->simulation->now) tile->simulation->now = now;
}

void tile_run_window(Tile *tile, Time end)
{
    Simulation *simulation = tile->simulation;
    tile->executed_until = end;
    while (!simulation->stop && calendar_next(&tile->calendar) < end)
        activate(tile, tile->calendar.at[0].unit);
}
