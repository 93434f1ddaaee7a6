#include "kit/engine/internal.h"
#include "kit/gpu/transaction.h"
#include "parts/bits.h"

void unit_wake_at(Unit *unit, Time at)
{
    g_assert(at > unit->stepping);
    unit_receive_wake(unit, at);
}

uint64_t unit_random(Unit *unit)
{
    return random_next(&unit->random);
}

static void stop_with(Simulation *simulation, RunOutcome outcome, GError *error)
{
    simulation->stop = true;
    if (simulation->error) {
        g_clear_error(&error);
        return;
    }
    simulation->outcome = outcome;
    simulation->error = error;
}

void unit_fail(Unit *unit, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    stop_with(unit->simulation, RUN_FAILED,
              g_error_new(g_quark_from_static_string("warpmem-run"), RUN_FAILED,
                          "%s at %.3f ns: %s (this is a defect of the model, not of the scenario)",
                          unit->path, time_to_ns(unit->stepping), text));
}

void unit_reject_input(Unit *unit, GError *error)
{
    stop_with(unit->simulation, RUN_BAD_INPUT, error);
}

void unit_waits_for(Unit *unit, Unit *other)
{
    if (!unit->waits_for) unit->waits_for = g_ptr_array_new();
    if (!g_ptr_array_find(unit->waits_for, other, NULL)) g_ptr_array_add(unit->waits_for, other);
}

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
    g_assert(type <= PARAM_BANDWIDTH);
    return *(const uint64_t *)unit_parameter(unit, name, type);
}

const char *unit_choice(const Unit *unit, const char *name)
{
    const Param *param = find_parameter(unit, name, PARAM_CHOICE);
    return param->choices[*(const uint32_t *)unit_parameter(unit, name, PARAM_CHOICE)];
}

static bool record(Unit *unit, const CompletedRequest *request)
{
    Tile *tile = unit->tile;
    if (!tile->profile) tile->profile = profile_new(unit->simulation->profile_plan);
    const size_t offset = (size_t)((const char *)request->sums - (const char *)unit);
    return profile_record(tile->profile, request_class_at(unit->request_classes, offset), request);
}

static void fail_to_account(Unit *unit, const Transaction *transaction)
{
    if (transaction->stamps_lost)
        unit_fail(unit, "a request was in more than the %d stages that it can note",
                  TRANSACTION_STAMPS);
    else
        unit_fail(unit, "a request's stages go back in time");
}

void unit_account(Unit *unit, const Transaction *transaction, Time end, StageSums *sums)
{
    const CompletedRequest request = {unit, transaction, end, sums};
    if (unit->request_classes ? !record(unit, &request)
                              : !transaction_account(transaction, end, sums))
        fail_to_account(unit, transaction);
}

void unit_complete(Unit *unit, const Transaction *transaction, Time end, StageSums *sums)
{
    unit_account(unit, transaction, end, sums);
    if (!unit->simulation->timeline) return;
    const CompletedRequest request = {unit, transaction, end, sums};
    timeline_record(unit->simulation->timeline, &request, unit->stepping);
}

Time unit_boundary_delay(const Unit *unit)
{
    return unit->simulation->boundary_delay;
}

void unit_announce(Unit *unit, const Boundary *boundary)
{
    Simulation *simulation = unit->simulation;
    g_assert(boundary->at >= unit->stepping + simulation->boundary_delay);
    g_array_append_val(simulation->boundaries, *boundary);
    for (uint32_t i = 0; i < simulation->tile_count; i++) {
        Tile *tile = simulation->tiles[i];
        if (tile->boundary_next + 1 == simulation->boundaries->len)
            tile->boundary_at = boundary->at;
    }
}
