#include "kit/engine/tile.h"

#include "kit/engine/grouping/delivery.h"
#include "kit/engine/grouping/foresight.h"

Time tile_next(const Tile *tile)
{
    Time next = TIME_NEVER;
    for (uint32_t i = 0; i < tile->sections; i++) next = MIN(next, section_next(&tile->section[i]));
    return next;
}

/* Calendars alone do not tell: a bundle on its way will fill one. */
bool tiles_idle(const Tiles *tiles)
{
    if (tiles->common->bundles.in_flight) return false;
    for (uint32_t i = 0; i < tiles->count; i++)
        if (tile_next(tiles->tile[i]) != TIME_NEVER) return false;
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
    const Time next = tile_next(tile);
    if (next == TIME_NEVER) return false;
    const Time window = next - next % tiles->quantum;
    if (earliest_to_come(tile) < window + tiles->quantum) return false;
    for (uint32_t i = 0; i < tiles->count; i++) {
        const Tile *other = tiles->tile[i];
        if (other == tile) continue;
        if (MIN(tile_next(other), earliest_to_come(other)) < window) return false;
    }
    return true;
}

/* --- boundaries ------------------------------------------------------------------------------- */

static Unit *unit_of(Turn *turn)
{
    return inbox_unit((Inbox *)(void *)turn);
}

/* Before anything of it changes. */
static void come_to(Unit *unit, Time at)
{
    unit->inbox.now = at;
    unit_observe(unit, at);
}

/* The phase ends. Returns whether the unit rests. */
static inline bool cut(Unit *unit, Time at)
{
    unit_observe(unit, at);
    return observation_cut(unit->observation, at, unit->events);
}

/* Returns which of these units of a group do not rest. */
static uint64_t cut_stirred(const Group *group, uint64_t stirred, Time at)
{
    uint64_t left = 0;
    for (uint64_t some = stirred; some; some &= some - 1) {
        bool rest = true;
        const uint32_t first = (uint32_t)__builtin_ctzll(some);
        for (uint32_t place = first; place < group->calendar.count; place += GROUP_BITS)
            rest &= cut(unit_of(group->calendar.turns[place]), at);
        if (!rest) left |= group_bit(first);
    }
    return left;
}

/* Of units that rest nothing is looked at. */
static void cut_all(const Tile *tile, Time at)
{
    for (uint32_t i = 0; i < tile->sections; i++) {
        const Section *section = &tile->section[i];
        for (uint32_t j = 0; j < section->groups; j++)
            if (section->stirred[j])
                section->stirred[j] = cut_stirred(&section->group[j], section->stirred[j], at);
    }
    for (uint32_t i = 0; i < tile->strands; i++) region_share_cut(&tile->strand[i].share);
}

/* One that rests is done with at once, while it is in the host's cache. */
static inline void note_counted(const Tile *tile, Unit *unit, Counted counted)
{
    if (!counted) return;
    const Group *group = unit->inbox.group;
    const uint64_t bit = group_bit(unit->inbox.turn.place);
    AtRestSums *sums = tile->strand[group->strand].share.at_rest;
    Cut *then = &unit->observation->cut;
    cut_note(then, counted);
    *group->stirred |= bit;
    if (!sums || group->calendar.count > GROUP_BITS || !cut_counts_at_rest(then, unit->events))
        return;
    cut_take_at_rest(then, unit, sums);
    *group->stirred &= ~bit;
}

static void open_region(const Tile *tile, Time at)
{
    for (guint i = 0; i < tile->units->len; i++) {
        Unit *unit = tile->units->pdata[i];
        come_to(unit, at);
        unit_open_intervals(unit, observation_open_region(unit->observation, at));
    }
}

static void keep_region(const Tile *tile, const Boundary *boundary)
{
    for (guint i = 0; i < tile->units->len; i++) {
        Unit *unit = tile->units->pdata[i];
        come_to(unit, boundary->at);
        unit_open_intervals(
            unit, observation_keep_region(unit->observation, boundary->at, boundary->last));
    }
}

static void settle(const Tile *tile, const Boundary *boundary)
{
    for (guint i = 0; i < tile->settlers->len; i++) {
        Unit *unit = tile->settlers->pdata[i];
        come_to(unit, boundary->at);
        note_counted(tile, unit, unit->class->settle(unit, boundary));
    }
}

static void handle(const Tile *tile, const Boundary *boundary)
{
    for (guint i = 0; i < tile->crossers->len; i++) {
        Unit *unit = tile->crossers->pdata[i];
        come_to(unit, boundary->at);
        note_counted(tile, unit, unit->class->boundary(unit, boundary));
    }
}

/* What a unit does at a kernel's boundaries is the kernel's. */
static void cross_units(Tile *tile, const Boundary *boundary)
{
    if (boundary->opens_region) {
        open_region(tile, boundary->at);
    } else if (boundary_settles(boundary)) {
        settle(tile, boundary);
        cut_all(tile, boundary->at);
    }
    handle(tile, boundary);
    if (boundary->closes_region) keep_region(tile, boundary);
    if (boundary->edge == PHASE_ENDS) cut_all(tile, boundary->at);
}

/* All units of the tile at once, idle ones too: what a boundary does to a unit must not wait until
 * it is next stepped. */
static void cross(Tile *tile, const Boundary *boundary)
{
    for (uint32_t i = 0; i < tile->strands; i++)
        region_share_cross(&tile->strand[i].share, boundary);
    cross_units(tile, boundary);
    for (uint32_t i = 0; i < tile->strands; i++)
        region_share_crossed(&tile->strand[i].share, tile->strand[i].units);
}

/* The run was stopped at `at`: what has been counted of the phase that it is in is told. */
static void stop(Tile *tile, Time at)
{
    const Boundary stopped = {.at = at, .kind = BOUNDARY_STOP};
    bool within = false;
    for (uint32_t i = 0; i < tile->strands; i++)
        within |= region_share_stop(&tile->strand[i].share, at);
    settle(tile, &stopped);
    if (!within) return;
    cut_all(tile, at);
    for (uint32_t i = 0; i < tile->strands; i++)
        region_share_crossed(&tile->strand[i].share, tile->strand[i].units);
}

void tiles_stop(Tiles *tiles, Time at)
{
    for (uint32_t i = 0; i < tiles->count; i++) stop(tiles->tile[i], at);
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

/* The proof that a group's visit was right: nothing comes to a unit from before its last step. */
static inline void activate(Unit *unit, const Tournament *turns)
{
    if (unit->inbox.turn.next < unit->inbox.now) {
        unit_fail(unit, "a message due at %.3f ns came too late",
                  time_to_ns(unit->inbox.turn.next));
        return;
    }
    const Time now = inbox_open(&unit->inbox);
    unit_observe(unit, now);
    deliver(unit, now);
    unit->class->step(unit, now);
    inbox_close(&unit->inbox, turns);
}

/* No further than to the next boundary: what happens at its time belongs behind it. */
static Time visit_end(const Tile *tile, Time until)
{
    return tile->common->stop ? 0 : MIN(until, tile->crossing.at);
}

/* A step of this very visit may have announced a boundary, or stopped the run: then it ends sooner
 * (unit.c). */
static void visit_open(Tile *tile, Group *group, Time until)
{
    Strand *strand = &tile->strand[group->strand];
    Turn *turn;
    Time now = 0;
    uint32_t steps = 0;
    uint64_t stirred = 0;
    group_open(group, visit_end(tile, until));
    group_foresee(group);
    while (calendar_due(&group->calendar, group->until, &turn)) {
        now = turn->next;
        stirred |= group_bit(turn->place);
        activate(unit_of(turn), &group->calendar.tournament);
        steps++;
    }
    *group->stirred |= stirred;
    strand->visits++;
    strand->steps += steps;
    /* groups are visited one after the other, so the last step is not always the latest */
    strand->now = MAX(strand->now, now);
}

/* What others have sent to groups of this strand. */
static void receive(void *what, uint32_t number)
{
    Tile *tile = what;
    for (uint32_t i = 0; i < tile->strands; i++) {
        Bundle *bundle = tile->strand[i].outbox.bundle[number];
        for (uint32_t k = 0; bundle && k < bundle->count; k++) channel_deliver(&bundle->parcel[k]);
        if (bundle) bundle->count = 0;
    }
}

static void visit(Tile *tile, Group *group, Time until)
{
    visit_open(tile, group, until);
    group_close(group);
    for (uint32_t i = 0; tile->team && i < tile->strands; i++) receive(tile, i);
}

/* --- groups side by side ---------------------------------------------------------------------- */

/* Below so many steps in a stretch threads wait for each other longer than they gain. */
enum { STEPS_WORTH_IT = 64 };

typedef struct {
    Tile *tile;
    const Tier *tier;
    Time until[SECTIONS];
} Stretch;

/* Groups that ask, or are asked, go on one by one afterwards; and those of a section that send to
 * each other. */
static bool goes_side_by_side(const Stretch *stretch, uint32_t section, const Group *group)
{
    return !group_is_close(group) && !stretch->tile->joined[section][section]
           && group->calendar.turn.next < stretch->until[section];
}

static void run_own(void *what, uint32_t number)
{
    Stretch *stretch = what;
    for (uint32_t i = stretch->tier->first; i < stretch->tier->next; i++) {
        Section *section = &stretch->tile->section[i];
        for (uint32_t j = 0; j < section->groups; j++) {
            Group *group = &section->group[j];
            if (group->strand == number && goes_side_by_side(stretch, i, group))
                visit_open(stretch->tile, group, stretch->until[i]);
        }
    }
}

static bool is_worth_it(const Stretch *stretch)
{
    if (stretch->tier->steps < STEPS_WORTH_IT) return false;
    uint32_t groups = 0;
    for (uint32_t i = stretch->tier->first; i < stretch->tier->next; i++)
        for (uint32_t j = 0; j < stretch->tile->section[i].groups; j++)
            groups += goes_side_by_side(stretch, i, &stretch->tile->section[i].group[j]);
    return groups > 1;
}

static void for_all(Tile *tile, void (*open_or_close)(Group *group))
{
    for (uint32_t i = 0; i < tile->sections; i++)
        for (uint32_t j = 0; j < tile->section[i].groups; j++)
            open_or_close(&tile->section[i].group[j]);
}

static void hear_nothing(Group *group)
{
    group_open(group, 0);
}

/* While threads run, no calendar of groups is told anything. */
static void run_side_by_side(Stretch *stretch)
{
    Tile *tile = stretch->tile;
    for_all(tile, hear_nothing);
    team_do(tile->team, run_own, stretch);
    team_do(tile->team, receive, tile);
    for_all(tile, group_close);
    tile->stretches++;
}

/* Visits all that are due. */
static void visit_all(Tile *tile, const Calendar *groups, Time until)
{
    while (calendar_next(groups) < visit_end(tile, until))
        visit(tile, (Group *)(void *)calendar_first(groups), until);
}

/* Groups that are apart come before those that are close: who is asked does not go on until all
 * who may ask have come as far. */
static void run_section(Tile *tile, Section *section, Time until)
{
    do {
        visit_all(tile, &section->apart, until);
        const Time first = calendar_next(&section->close);
        if (first < until) visit_all(tile, &section->close, MIN(until, first + section->nearest));
    } while (section_next(section) < visit_end(tile, until));
}

/* How far a section may go: what anybody does next takes so long to get here. */
static Time horizon(const Tile *tile, uint32_t section, Time end)
{
    for (uint32_t i = 0; i < tile->sections; i++) {
        const Time next = section_next(&tile->section[i]);
        if (next < end) end = MIN(end, next + tile->lookahead[i][section]);
    }
    return end;
}

static uint32_t take_steps(Tile *tile)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < tile->strands; i++) {
        steps += tile->strand[i].steps;
        tile->strand[i].steps = 0;
    }
    return steps;
}

static inline void run_until(Tile *tile, Section *section, Time until)
{
    if (section_next(section) < until) run_section(tile, section, until);
}

static void run_one_by_one(Tile *tile, Time end)
{
    for (uint32_t i = 0; i < tile->sections; i++)
        if (section_next(&tile->section[i]) < end)
            run_until(tile, &tile->section[i], horizon(tile, i, end));
}

static void run_tier(Tile *tile, Tier *tier, Time end)
{
    Stretch stretch = {.tile = tile, .tier = tier};
    for (uint32_t i = tier->first; i < tier->next; i++) stretch.until[i] = horizon(tile, i, end);
    if (is_worth_it(&stretch)) run_side_by_side(&stretch);
    for (uint32_t i = tier->first; i < tier->next; i++)
        run_until(tile, &tile->section[i], stretch.until[i]);
    tier->steps = take_steps(tile);
}

static void run_tiers(Tile *tile, Time end)
{
    for (uint32_t i = 0; i < tile->tiers; i++) run_tier(tile, &tile->tier[i], end);
}

/* What a step adds within the window is run, too, until nothing before its end is left. Boundaries
 * by then come first, before any turn is taken: they reset or keep statistics. */
void tile_run_window(Tile *tile, Time end)
{
    const Common *common = tile->common;
    tile->executed_until = end;
    for (Time next; !common->stop && (next = tile_next(tile)) < end;) {
        if (next >= tile->crossing.at) tile_cross_boundaries(tile, next);
        if (tile->team)
            run_tiers(tile, end);
        else
            run_one_by_one(tile, end);
    }
    for (uint32_t i = 0; i < tile->strands; i++)
        tile->common->now = MAX(tile->common->now, tile->strand[i].now);
}
