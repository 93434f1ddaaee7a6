#include "kit/engine/tile.h"

#include "kit/gpu/network.h"
#include "parts/bits.h"

static Tile *tile_new(Common *common, uint32_t number, uint32_t tiles)
{
    Tile *tile = g_new0(Tile, 1);
    tile->common = common;
    tile->number = number;
    tile->units = g_ptr_array_new();
    outbox_init(&tile->outbox, &common->bundles, tiles);
    boundaries_follow(&common->boundaries, &tile->crossing);
    region_share_init(&tile->share, &common->region);
    return tile;
}

static void tile_free(Tile *tile)
{
    calendar_finish(&tile->calendar);
    outbox_finish(&tile->outbox);
    region_share_finish(&tile->share);
    g_ptr_array_unref(tile->units);
    g_free(tile);
}

void tiles_init(Tiles *tiles, Common *common, uint32_t count, Time quantum)
{
    *tiles = (Tiles){
        .common = common, .tile = g_new0(Tile *, count), .count = count, .quantum = quantum};
    for (uint32_t i = 0; i < count; i++) tiles->tile[i] = tile_new(common, i, count);
}

void tiles_finish(Tiles *tiles)
{
    for (uint32_t i = 0; i < tiles->count; i++) tile_free(tiles->tile[i]);
    g_free(tiles->tile);
}

void tile_add(Tile *tile, Unit *unit)
{
    g_ptr_array_add(tile->units, unit);
    inbox_settle(&unit->inbox, &tile->calendar, tile->number);
    const uint32_t part = unit->class->place == PLACE_NETWORK ? unit->number % NETWORKS : 0;
    const Time due = observation_begin(unit->observation, &tile->share, part);
    unit->series = unit->observation->series;
    unit_open_intervals(unit, due);
}

/* Calendars alone do not tell: a bundle on its way will fill one. */
bool tiles_idle(const Tiles *tiles)
{
    if (tiles->common->bundles.in_flight) return false;
    for (uint32_t i = 0; i < tiles->count; i++)
        if (calendar_next(&tiles->tile[i]->calendar) != TIME_NEVER) return false;
    return true;
}

void tile_expect(Tile *tile, Time due)
{
    tile->coming_due = tile->coming++ ? MIN(tile->coming_due, due) : due;
    tile->common->bundles.in_flight++;
}

void tile_received(Tile *tile)
{
    tile->coming--;
    tile->common->bundles.in_flight--;
}

static Time earliest_to_come(const Tile *tile)
{
    return tile->coming ? tile->coming_due : TIME_NEVER;
}

bool tiles_alone(const Tiles *tiles, const Tile *tile)
{
    const Time next = calendar_next(&tile->calendar);
    if (next == TIME_NEVER) return false;
    const Time window = next - next % tiles->quantum;
    if (earliest_to_come(tile) < window + tiles->quantum) return false;
    for (uint32_t i = 0; i < tiles->count; i++) {
        const Tile *other = tiles->tile[i];
        if (other == tile) continue;
        if (MIN(calendar_next(&other->calendar), earliest_to_come(other)) < window) return false;
    }
    return true;
}

/* --- boundaries ------------------------------------------------------------------------------- */

static void cut(Unit *unit, Time at)
{
    observation_cut(unit->observation, at, unit->events, unit->class->boundary != NULL);
}

static void end_between(Unit *unit, const Boundary *boundary)
{
    if (unit->class->settle) unit->class->settle(unit, boundary);
    cut(unit, boundary->at);
}

/* What a unit does at a kernel's boundaries is the kernel's. */
static void cross_unit(Unit *unit, const Boundary *boundary)
{
    unit->inbox.now = boundary->at;
    unit_observe(unit, boundary->at);
    if (boundary->opens_region)
        unit_open_intervals(unit, observation_open_region(unit->observation, boundary->at));
    else if (boundary->edge == PHASE_BEGINS)
        end_between(unit, boundary);
    if (unit->class->boundary) unit->class->boundary(unit, boundary);
    if (boundary->closes_region)
        unit_open_intervals(
            unit, observation_keep_region(unit->observation, boundary->at, boundary->last));
    if (boundary->edge == PHASE_ENDS) cut(unit, boundary->at);
}

/* All units of the tile at once, in build order, idle ones too: what a boundary does to a unit must
 * not wait until it is next stepped. */
static void cross(Tile *tile, const Boundary *boundary)
{
    region_share_cross(&tile->share, boundary);
    for (guint i = 0; i < tile->units->len; i++) cross_unit(tile->units->pdata[i], boundary);
    region_share_crossed(&tile->share, boundary, tile->units->len);
}

/* The run was stopped at `at`, within a phase: what has been counted of it is told. */
static void stop_phase(Tile *tile, Time at)
{
    if (!region_share_stop(&tile->share, at)) return;
    for (guint i = 0; i < tile->units->len; i++) cut(tile->units->pdata[i], at);
    phases_add_units(tile->common->region.phases, tile->share.phase, tile->units->len);
}

void tiles_stop_phases(Tiles *tiles, Time at)
{
    for (uint32_t i = 0; i < tiles->count; i++) stop_phase(tiles->tile[i], at);
}

/* What is due before the window has been done by all tiles, whichever has come to it first. */
void tiles_complete_phases(Tiles *tiles, Time window)
{
    const Phases *phases = tiles->common->region.phases;
    if (!phases || phases_end_of_open(phases) > window) return;
    for (uint32_t i = 0; i < tiles->count; i++) tile_cross_boundaries(tiles->tile[i], window);
}

void tile_cross_boundaries(Tile *tile, Time until)
{
    Boundary boundary;
    while (boundaries_cross(&tile->common->boundaries, &tile->crossing, until, &boundary))
        cross(tile, &boundary);
}

/* --- windows ---------------------------------------------------------------------------------- */

static inline void mix(Unit *unit, uint64_t value)
{
    unit->hash = (unit->hash ^ value) * GOLDEN_STEP;
    unit->hash ^= unit->hash >> 29;
}

/* Of the order in which things came to a unit, not of what it then did: two runs that differ
 * anywhere differ in what some unit receives. */
static void deliver_message(Unit *unit, const Arrival *arrival)
{
    const uint16_t port = (uint16_t)(arrival->key >> 48);
    mix(unit, arrival->key ^ arrival->message->id);
    port_push(unit->ports[port], arrival->message, arrival->due);
    if (!unit->fresh_count || unit->fresh[unit->fresh_count - 1] != port)
        unit->fresh[unit->fresh_count++] = port;
    unit->events++;
}

/* Everything due is in the ports before the unit is stepped, so that an arbiter sees all who
 * compete. */
static void deliver(Unit *unit, Time now)
{
    mix(unit, now);
    unit->fresh_count = 0;
    while (inbox_has_due(&unit->inbox, now)) {
        const Arrival arrival = inbox_take(&unit->inbox);
        if (arrival.message) deliver_message(unit, &arrival);
    }
    if (!unit->fresh_count) unit->events++; /* woken, by itself or by a credit */
}

/* Boundaries by now come first, before the unit's turn is taken: they reset or keep statistics, and
 * what happens at their very time belongs behind them. */
static void activate(Tile *tile, Unit *unit)
{
    const Time next = unit->inbox.turn.next;
    if (next >= tile->crossing.at) tile_cross_boundaries(tile, next);
    const Time now = inbox_open(&unit->inbox);
    unit_observe(unit, now);
    deliver(unit, now);
    unit->class->step(unit, now);
    inbox_close(&unit->inbox);
    /* tiles run the same window one after the other, so the last step is not always the latest */
    if (now > tile->common->now) tile->common->now = now;
}

/* What a step adds within the window is run, too, until nothing before its end is left. */
void tile_run_window(Tile *tile, Time end)
{
    const Common *common = tile->common;
    tile->executed_until = end;
    while (!common->stop && calendar_next(&tile->calendar) < end)
        activate(tile, inbox_unit((Inbox *)(void *)calendar_first(&tile->calendar)));
}
