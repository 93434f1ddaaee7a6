#include "kit/engine/grouping/seating.h"

#include "kit/gpu/network.h"

static void strand_init(Strand *strand, Common *common, uint32_t strands)
{
    outbox_init(&strand->outbox, &strand->bundles, strands);
    region_share_init(&strand->share, &common->region);
    if (strands > 1) pools_init(&strand->pools);
}

static void strand_finish(Strand *strand, uint32_t strands)
{
    outbox_finish(&strand->outbox);
    bundle_store_finish(&strand->bundles);
    region_share_finish(&strand->share);
    if (strands > 1) pools_finish(&strand->pools);
}

static Tile *tile_new(Common *common, uint32_t number, uint32_t tiles, uint32_t threads)
{
    Tile *tile = g_new0(Tile, 1);
    tile->common = common;
    tile->number = number;
    tile->units = g_ptr_array_new();
    tile->settlers = g_ptr_array_new();
    tile->crossers = g_ptr_array_new();
    tile->strands = threads;
    tile->strand = g_aligned_alloc0(threads, sizeof(Strand), HOST_LINE);
    for (uint32_t i = 0; i < threads; i++) strand_init(&tile->strand[i], common, threads);
    if (threads > 1) tile->team = team_new(threads);
    outbox_init(&tile->outbox, &common->bundles, tiles);
    boundaries_follow(&common->boundaries, &tile->crossing);
    return tile;
}

static void tile_free(Tile *tile)
{
    for (uint32_t i = 0; i < tile->sections; i++) section_finish(&tile->section[i]);
    team_free(tile->team);
    for (uint32_t i = 0; i < tile->strands; i++) strand_finish(&tile->strand[i], tile->strands);
    g_aligned_free(tile->strand);
    outbox_finish(&tile->outbox);
    g_ptr_array_unref(tile->units);
    g_ptr_array_unref(tile->settlers);
    g_ptr_array_unref(tile->crossers);
    g_free(tile);
}

void tiles_init(Tiles *tiles, Common *common, uint32_t count, uint32_t threads)
{
    *tiles = (Tiles){.common = common, .tile = g_new0(Tile *, count), .count = count};
    for (uint32_t i = 0; i < count; i++) tiles->tile[i] = tile_new(common, i, count, threads);
}

void tiles_finish(Tiles *tiles)
{
    for (uint32_t i = 0; i < tiles->count; i++) tile_free(tiles->tile[i]);
    g_free(tiles->tile);
}

/* A boundary that a unit announces is for all. */
void tile_lay_out(Tile *tile, const uint32_t groups[SECTIONS])
{
    const Time notice = tile->common->boundaries.delay;
    for (uint32_t i = 0; i < SECTIONS; i++) {
        if (groups[i]) tile->sections = i + 1;
        for (uint32_t j = 0; j < SECTIONS; j++)
            tile->lookahead[i][j] = notice ? notice : LOOKAHEAD_NONE;
    }
    for (uint32_t i = 0; i < tile->sections; i++) {
        section_init(&tile->section[i], groups[i], tile->number);
        for (uint32_t j = 0; j < groups[i]; j++)
            tile->section[i].group[j].strand = (i + j) % tile->strands;
    }
}

void tile_add(Tile *tile, Unit *unit, const Seat *seat)
{
    Group *group = &tile->section[seat->section].group[seat->group];
    Strand *strand = &tile->strand[group->strand];
    g_ptr_array_add(tile->units, unit);
    if (unit->class->settle) g_ptr_array_add(tile->settlers, unit);
    if (unit->class->boundary) g_ptr_array_add(tile->crossers, unit);
    strand->units++;
    if (tile->team) unit->messages.pools = &strand->pools;
    inbox_settle(&unit->inbox, group);
    *group->stirred |= group_bit(unit->inbox.turn.place);
    if (unit->class->foresee || unit->class->foresee_own)
        group->foresees |= group_bit(unit->inbox.turn.place);
    const uint32_t part = unit->class->place == PLACE_NETWORK ? unit->number % NETWORKS : 0;
    const Time due = observation_begin(unit->observation, &strand->share, part);
    unit->series = unit->observation->series;
    unit_open_intervals(unit, due);
}

/* A question and its answer bind only who has asked. */
static bool join_close(Channel *channel, Group *from, Group *to)
{
    if (channel->talk == CHANNEL_TELLS || from->section != to->section) return false;
    channel->asks = channel->talk == CHANNEL_ASKS;
    channel->port->answers = channel->talk == CHANNEL_ANSWERS;
    group_will_answer(channel->asks ? to : from);
    from->section->nearest = MIN(from->section->nearest, channel->delay);
    if (channel->capacity)
        from->section->nearest = MIN(from->section->nearest, channel->credit_delay);
    return true;
}

static void bring_near(Tile *tile, const Group *from, const Group *to, Time delay)
{
    const size_t i = (size_t)(from->section - tile->section),
                 j = (size_t)(to->section - tile->section);
    tile->lookahead[i][j] = MIN(tile->lookahead[i][j], delay);
}

static void cross_threads(Tile *tile, Channel *channel, uint32_t from, uint32_t to)
{
    channel->crosses = true;
    channel->outbox = &tile->strand[from].outbox;
    channel->box = to;
    channel->credit_outbox = &tile->strand[to].outbox;
    channel->credit_box = from;
}

void tile_join(Tile *tile, Channel *channel)
{
    Group *from = channel->from->group, *to = channel->to->group;
    if (from == to) return;
    if (tile->team) cross_threads(tile, channel, from->strand, to->strand);
    if (join_close(channel, from, to)) return;
    bring_near(tile, from, to, channel->delay);
    if (channel->capacity) bring_near(tile, to, from, channel->credit_delay);
}

/* Whoever answers questions never runs beside others. */
void tile_join_sections(Tile *tile, const Channel *channel)
{
    const Group *from = channel->from->group, *to = channel->to->group;
    if (from == to || from->answers || to->answers) return;
    const size_t i = (size_t)(from->section - tile->section),
                 j = (size_t)(to->section - tile->section);
    tile->joined[i][j] = tile->joined[j][i] = true;
}

static bool is_apart(const Tile *tile, uint32_t section, uint32_t first)
{
    for (uint32_t i = first; i < section; i++)
        if (tile->joined[i][section]) return false;
    return true;
}

/* What is done in one comes to another by way of third ones as well. */
static void add_ways_through(Tile *tile, uint32_t between)
{
    const Time *onward = tile->lookahead[between];
    for (uint32_t i = 0; i < tile->sections; i++)
        for (uint32_t j = 0; j < tile->sections; j++)
            tile->lookahead[i][j] =
                MIN(tile->lookahead[i][j], tile->lookahead[i][between] + onward[j]);
}

void tile_sort_sections(Tile *tile)
{
    for (uint32_t i = 0; i < tile->sections; i++) add_ways_through(tile, i);
    for (uint32_t i = 0; i < tile->sections; i++) {
        Tier *last = tile->tiers ? &tile->tier[tile->tiers - 1] : NULL;
        if (last && is_apart(tile, i, last->first))
            last->next = i + 1;
        else
            tile->tier[tile->tiers++] = (Tier){.first = i, .next = i + 1};
    }
}
