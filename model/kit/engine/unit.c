#include "kit/engine/unit.h"

#include "kit/engine/common.h"
#include "kit/gpu/transaction.h"
#include "parts/bits.h"

#include <string.h>

uint64_t unit_random(Unit *unit)
{
    return random_next(&unit->random);
}

/* Nothing that is due at `until` or later is done in the visit that the unit is in. */
static void end_visit(Unit *unit, Time until)
{
    Group *group = unit->inbox.group;
    if (group) group->until = MIN(group->until, until);
}

static void stop(Unit *unit, RunOutcome outcome, GError *error)
{
    common_stop(unit->common, outcome, error);
    end_visit(unit, 0);
}

void unit_fail(Unit *unit, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    stop(unit, RUN_FAILED,
         g_error_new(g_quark_from_static_string("warpmem-run"), RUN_FAILED,
                     "%s at %.3f ns: %s (this is a defect of the model, not of the scenario)",
                     unit->path, time_to_ns(unit->inbox.now), text));
}

void unit_reject_input(Unit *unit, GError *error)
{
    stop(unit, RUN_BAD_INPUT, error);
}

void unit_give_up(Unit *unit, GError *error)
{
    stop(unit, RUN_FAILED, error);
}

/* Filled at the end of a run only, where nobody counts the cost: who waits for whom is no state
 * that a running model keeps. */
void unit_waits_for(Unit *unit, Unit *other)
{
    if (!unit->waits_for) unit->waits_for = g_ptr_array_new();
    if (!g_ptr_array_find(unit->waits_for, other, NULL)) g_ptr_array_add(unit->waits_for, other);
}

/* --- what a class says ------------------------------------------------------------------------ */

/* A path is a format, and its numbers and words are those that `per` has. */
static bool path_suits(const UnitClass *unit_class)
{
    static const char *const wanted[] = {
        [PER_MACHINE] = "", [PER_SM] = "u",           [PER_COALESCER] = "u",    [PER_SLICE] = "uu",
        [PER_SWITCH] = "u", [PER_CHANNEL] = "uu",     [PER_CROSSBAR] = "s",     [PER_FLOW] = "s",
        [PER_STOP] = "su",  [PER_HALVES_LINK] = "su", [PER_MEMORY_CACHE] = "uu"};
    const char *next = wanted[unit_class->per];
    for (const char *c = unit_class->path; c && (c = strchr(c, '%')); c++)
        if (!*next || c[1] != *next++) return false;
    return unit_class->path && !*next;
}

const char *unit_class_lacks(const UnitClass *unit_class)
{
    if (unit_class->per < PER_MACHINE || unit_class->per > PER_MEMORY_CACHE)
        return "how many there are";
    if (unit_class->clock < CLOCK_CORE || unit_class->clock >= CLOCKS) return "which clock it has";
    if (unit_class->place < PLACE_DISPATCHER || unit_class->place > PLACE_MEMORY)
        return "where it is placed";
    return path_suits(unit_class) ? NULL : "a path with the numbers of one";
}

/* --- parameters ------------------------------------------------------------------------------- */

static const Param *find_parameter(const Unit *unit, const char *name, ParamType type)
{
    for (const Param *param = unit->class->params; param->name; param++)
        if (g_str_equal(param->name, name) && param->type == type) return param;
    g_error("%s has no parameter '%s' of this type", unit->path, name);
}

const void *unit_parameter(const Unit *unit, const char *name, ParamType type)
{
    return (const char *)unit + find_parameter(unit, name, type)->offset;
}

uint64_t unit_number(const Unit *unit, const char *name, ParamType type)
{
    g_assert(param_is_quantity(type));
    return *(const uint64_t *)unit_parameter(unit, name, type);
}

const char *unit_choice(const Unit *unit, const char *name)
{
    const Param *param = find_parameter(unit, name, PARAM_CHOICE);
    return param->choices[*(const uint32_t *)unit_parameter(unit, name, PARAM_CHOICE)];
}

/* --- requests --------------------------------------------------------------------------------- */

/* Breakdowns are exact, or there are none: both are mistakes of a unit that took part in the way of
 * the request, and seen here for the first time. */
static void fail_to_account(Unit *unit, const Transaction *transaction)
{
    if (transaction->stages_lost)
        unit_fail(unit, "a request was in more stages than it can note");
    else
        unit_fail(unit, "a request's stages go back in time");
}

static inline void account(Unit *unit, const CompletedRequest *request)
{
    if (!observation_account(unit->observation, request))
        fail_to_account(unit, request->transaction);
}

void unit_account(Unit *unit, const Transaction *transaction, Time end, StageSums *sums)
{
    const CompletedRequest request = {unit, transaction, end, sums};
    account(unit, &request);
}

void unit_complete(Unit *unit, const Transaction *transaction, Time end, StageSums *sums)
{
    const CompletedRequest request = {unit, transaction, end, sums};
    account(unit, &request);
    observation_record(unit->observation, &request, unit->inbox.now);
}

void unit_still_rests(Unit *unit)
{
    cut_pass(&unit->observation->cut, unit->events);
}

void unit_note_commands(Unit *unit, DramSteps *steps)
{
    if (unit->common->region.timeline)
        observation_note_commands(unit->observation, steps, unit->clock->period);
}

void unit_close_intervals(Unit *unit, Time now)
{
    unit_open_intervals(unit, observation_look(unit->observation, now));
}

void unit_open_intervals(Unit *unit, Time due)
{
    unit->observe_due = due;
    unit->observe_from = unit->series ? series_since(unit->series) : 0;
}

const void *unit_measured(const Unit *unit)
{
    return observation_measured(unit->observation);
}

const MeterList *unit_meters(const Unit *unit)
{
    return &unit->observation->meters;
}

const PhasePlace *unit_phase_place(const Unit *unit)
{
    return &unit->observation->cut.place;
}

static const Meter *find_input(const Unit *receiver, const Port *port)
{
    const Meter *meter = receiver->observation->inputs.at;
    while (meter->field != port) meter++;
    return meter;
}

Time unit_stayed(const Meter *meter)
{
    if (meter->row) return meter->counted.stayed;
    const Channel *channel = meter->field;
    return meter->counted.stayed
           + find_input(channel_receiver(channel), channel->port)->counted.stayed;
}

const Series *unit_series(const Unit *unit)
{
    return unit->series;
}

void unit_add_before(Unit *unit, uint32_t row, Time from, Time to)
{
    series_add_before(unit->series, row, from, to);
}

const Stat *unit_stages_row(const Unit *unit, const StageSums *sums)
{
    const size_t offset = (size_t)((const char *)sums - (const char *)unit);
    const Stat *stat = unit->class->stats;
    while (stat->offset != offset) stat++;
    return stat;
}

/* --- boundaries ------------------------------------------------------------------------------- */

Time unit_boundary_delay(const Unit *unit)
{
    return unit->common->boundaries.delay;
}

void unit_announce(Unit *unit, const Boundary *boundary)
{
    boundaries_announce(&unit->common->boundaries, boundary, unit->inbox.now);
    end_visit(unit, boundary->at);
}

void unit_foresee(const Channel *channel, const Message *message)
{
    const Unit *to = inbox_unit(channel->to);
    if (to->class->foresee) to->class->foresee(to, message, channel->port_index, FORESEE_FIRST);
}
