#include "scenarios/program/cost/energy.h"

#include "platform/cost/energy.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/time/stack.h"

/* --- to JSON ---------------------------------------------------------------------------------- */

/* Where there is nothing to divide by there is no such figure: zero would be the best of all. */
static void put_ratio(JsonBuilder *json, const char *name, double a, double b)
{
    if (b > 0) json_put_real(json, name, a / b);
}

static double energy_of(const ClassSum *sum, const Stat *stat, const EnergyFigures *figures)
{
    return energy_of_stat(stat, sum->units->pdata[0], figures);
}

/* pJ of all units of the class. */
static double sum_class(const ClassSum *sum, const EnergyFigures *figures)
{
    double pj = 0;
    for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
        if (stat->energy) pj += energy_of(sum, stat, figures) * (double)stat_number(stat, sum->sum);
    return pj;
}

static void put_event(JsonBuilder *json, const ClassSum *sum, const Stat *stat,
                      const EnergyFigures *figures)
{
    const uint64_t count = stat_number(stat, sum->sum);
    const double pj = energy_of(sum, stat, figures);
    json_builder_set_member_name(json, stat->name);
    json_builder_begin_object(json);
    json_put_number(json, "count", count);
    json_put_real(json, "pj", pj);
    json_put_real(json, "uj", pj * (double)count * 1e-6);
    json_builder_end_object(json);
}

static void put_events(JsonBuilder *json, const ClassSum *sum, const EnergyFigures *figures)
{
    json_builder_set_member_name(json, "events");
    json_builder_begin_object(json);
    for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
        if (stat->energy) put_event(json, sum, stat, figures);
    json_builder_end_object(json);
}

static void put_class(JsonBuilder *json, const ClassSum *sum, const EnergyFigures *figures,
                      bool events)
{
    json_builder_set_member_name(json, sum->class->name);
    json_builder_begin_object(json);
    json_put_real(json, "uj", sum_class(sum, figures) * 1e-6);
    if (events) put_events(json, sum, figures);
    json_builder_end_object(json);
}

static bool has_energy(const UnitClass *class)
{
    const Stat *stat = class->stats;
    while (stat && stat->name && !stat->energy) stat++;
    return stat && stat->name;
}

static double sum_all(const Aggregate *aggregate, const EnergyFigures *figures)
{
    double pj = 0;
    for (guint i = 0; i < aggregate->classes->len; i++)
        pj += sum_class(aggregate->classes->pdata[i], figures);
    return pj;
}

/* --- stages ----------------------------------------------------------------------------------- */

/* pJ at each stage; the last at none. */
typedef struct {
    double pj[STAGE_COUNT + 1];
} StageEnergies;

static void add_statistic(StageEnergies *stages, const Aggregate *aggregate, const ClassSum *sum,
                          const Stat *stat, const EnergyFigures *figures)
{
    const uint64_t all = stat_number(stat, sum->sum);
    for (const StatEnergy *part = stat->energy; all && part && part->of; part++) {
        const double pj = part->of(sum->units->pdata[0], figures);
        const uint64_t replies = part->reply != part->stage
                                     ? aggregate_number_in(aggregate, sum, stat, NETWORK_REPLY)
                                     : 0;
        stages->pj[part->stage] += pj * (double)(all - replies);
        stages->pj[part->reply] += pj * (double)replies;
    }
}

static void put_stages(JsonBuilder *json, const Aggregate *aggregate, const EnergyFigures *figures)
{
    StageEnergies stages = {{0}};
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        for (const Stat *stat = sum->class->stats; stat && stat->name; stat++)
            add_statistic(&stages, aggregate, sum, stat, figures);
    }
    json_builder_set_member_name(json, "stages");
    json_builder_begin_object(json);
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        if (stages.pj[stage] > 0) json_put_real(json, stage_name(stage), stages.pj[stage] * 1e-6);
    json_builder_end_object(json);
    json_put_real(json, "no_stage_uj", stages.pj[STAGE_COUNT] * 1e-6);
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Of each figure, what its events would take less without it. */
static void put_figures(JsonBuilder *json, const Aggregate *aggregate, double events_pj)
{
    const EnergyFigures all = machine_energy(aggregate->machine);
    json_builder_set_member_name(json, "figures");
    json_builder_begin_object(json);
    for (const Param *param = energy_group.params; param->name; param++) {
        EnergyFigures figures = all;
        if (energy_leave_out(&figures, param))
            json_put_real(json, param->name, (events_pj - sum_all(aggregate, &figures)) * 1e-6);
    }
    json_builder_end_object(json);
}

/* Of the units that move data from DRAM, for each bit that they moved. */
static void put_dram(JsonBuilder *json, const Aggregate *aggregate, const EnergyFigures *figures)
{
    double pj = 0;
    const ClassSum *sum = aggregate_that_means(aggregate, NULL, MEANS_BYTES_FROM_DRAM);
    for (; sum; sum = aggregate_that_means(aggregate, sum, MEANS_BYTES_FROM_DRAM))
        pj += sum_class(sum, figures);
    const uint64_t bytes = aggregate_number(aggregate, MEANS_BYTES_FROM_DRAM)
                           + aggregate_number(aggregate, MEANS_BYTES_TO_DRAM);
    put_ratio(json, "dram_pj_a_bit", pj, 8 * (double)bytes);
}

JsonNode *energy_json(const Aggregate *aggregate, ResultExtent extent)
{
    const EnergyFigures figures = machine_energy(aggregate->machine);
    const double seconds = (double)aggregate->span * 1e-15,
                 idle = machine_idle_power(aggregate->machine) * seconds * 1e12,
                 active = figures.active_sm_power * time_of_cores(aggregate) * 1e-3,
                 events_pj = sum_all(aggregate, &figures), total = idle + active + events_pj;
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_real(json, "total_uj", total * 1e-6);
    json_put_real(json, "events_uj", events_pj * 1e-6);
    json_put_real(json, "active_uj", active * 1e-6);
    json_put_real(json, "idle_uj", idle * 1e-6);
    put_ratio(json, "power_w", total * 1e-12, seconds);
    put_ratio(json, "pj_a_byte", total, (double)aggregate_number(aggregate, MEANS_REQUESTED_BYTES));
    put_dram(json, aggregate, &figures);
    put_stages(json, aggregate, &figures);
    if (extent < RESULT_COLUMNS) put_figures(json, aggregate, events_pj);
    json_builder_set_member_name(json, "units");
    json_builder_begin_object(json);
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        if (has_energy(sum->class)) put_class(json, sum, &figures, extent == RESULT_WHOLE);
    }
    json_builder_end_object(json);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

/* --- from JSON -------------------------------------------------------------------------------- */

static JsonObject *object_of(JsonNode *node, const char *member)
{
    JsonNode *found = node ? result_member(node, member) : NULL;
    return found && JSON_NODE_HOLDS_OBJECT(found) ? json_node_get_object(found) : NULL;
}

static void add_entry(GArray *entries, const char *unit, const char *event, JsonNode *node)
{
    const EnergyEntry entry = {unit, event, result_number(node, "count"), result_number(node, "pj"),
                               result_number(node, "uj")};
    g_array_append_val(entries, entry);
}

static void add_events(GArray *entries, const char *unit, JsonNode *node)
{
    JsonObject *events = object_of(node, "events");
    JsonObjectIter iter;
    const char *name;
    JsonNode *event;
    if (!events) return;
    json_object_iter_init_ordered(&iter, events);
    while (json_object_iter_next_ordered(&iter, &name, &event))
        add_entry(entries, unit, name, event);
}

static GArray *read_entries(JsonNode *energy, bool of_events)
{
    GArray *entries = g_array_new(FALSE, FALSE, sizeof(EnergyEntry));
    JsonObject *units = object_of(energy, "units");
    JsonObjectIter iter;
    const char *name;
    JsonNode *unit;
    if (!units) return entries;
    json_object_iter_init_ordered(&iter, units);
    while (json_object_iter_next_ordered(&iter, &name, &unit))
        if (of_events)
            add_events(entries, name, unit);
        else
            add_entry(entries, name, "", unit);
    return entries;
}

GArray *energy_units(JsonNode *energy)
{
    return read_entries(energy, false);
}

GArray *energy_events(JsonNode *energy)
{
    return read_entries(energy, true);
}

static int compare_energies(gconstpointer a, gconstpointer b)
{
    const double x = ((const EnergyEntry *)a)->uj, y = ((const EnergyEntry *)b)->uj;
    return x < y ? 1 : x > y ? -1 : 0;
}

void energy_sort(GArray *entries)
{
    g_array_sort(entries, compare_energies);
}

char *energy_line(JsonNode *energy)
{
    enum { NAMED = 4 };
    const double total = result_number(energy, "total_uj");
    g_autoptr(GArray) entries = energy_units(energy);
    GString *line = g_string_new(NULL);
    const EnergyEntry idle = {"idle", "", 0, 0, result_number(energy, "idle_uj")},
                      active = {"active SMs", "", 0, 0, result_number(energy, "active_uj")};
    g_array_append_val(entries, idle);
    g_array_append_val(entries, active);
    energy_sort(entries);
    for (guint i = 0; i < MIN(entries->len, NAMED); i++) {
        const EnergyEntry *entry = &g_array_index(entries, EnergyEntry, i);
        if (entry->uj > 0)
            g_string_append_printf(line, "%s%s %.0f %%", line->len ? ", " : "", entry->unit,
                                   100 * entry->uj / total);
    }
    return g_string_free(line, FALSE);
}
