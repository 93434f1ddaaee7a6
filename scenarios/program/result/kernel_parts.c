#include "scenarios/program/result/kernel_parts.h"

#include "scenarios/program/cost/energy.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/time/stack.h"
#include "scenarios/program/verdict/pressure.h"

void parts_maker_init(PartsMaker *maker, const Run *run)
{
    g_autoptr(Aggregate) units = aggregate_new_empty(run->machine);
    GArray *resources = result_list_resources(units);
    *maker = (PartsMaker){run, resources, pressure_list_of(resources)};
}

void parts_maker_finish(PartsMaker *maker)
{
    g_array_unref(maker->resources);
    g_ptr_array_unref(maker->pressure);
}

/* Without launches no summary: what lies between kernels has no time of theirs. */
static JsonNode *new_members(const PartsMaker *maker, const Aggregate *aggregate,
                             const GArray *fills)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    if (aggregate->launches) json_put_node(json, "summary", result_summary(maker->run, aggregate));
    json_put_node(json, "stages", result_stages(aggregate, RESULT_COLUMNS));
    JsonNode *time = aggregate->launches ? result_time(aggregate) : NULL;
    if (time) json_put_node(json, "time", time);
    json_put_node(json, "consumption", energy_json(aggregate, RESULT_COLUMNS));
    json_put_node(json, "units", result_written_units(aggregate));
    json_put_node(json, "resources", result_written_resources(fills, aggregate));
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

static void put_members(JsonObject *object, JsonBuilder *json)
{
    JsonObjectIter iter;
    const char *name;
    JsonNode *part;
    json_object_iter_init_ordered(&iter, object);
    while (json_object_iter_next_ordered(&iter, &name, &part))
        json_put_node(json, name, json_node_ref(part));
}

static uint64_t find_largest_grid(const LaunchList *list, const bool *launches)
{
    uint64_t ctas = 0;
    for (guint i = 0; i < list->launches->len; i++)
        if (launches[i]) ctas = MAX(ctas, launch_list_at(list, i)->kernel->ctas);
    return ctas;
}

/* Of launches that are not told one by one, the largest: what a verdict asks of it. */
static void put_largest(const PartsMaker *maker, const Aggregate *aggregate, JsonBuilder *json)
{
    json_builder_set_member_name(json, "kernels");
    json_builder_begin_array(json);
    json_builder_begin_object(json);
    json_put_number(json, "ctas", find_largest_grid(maker->run->launches, aggregate->launches));
    json_builder_end_object(json);
    json_builder_end_array(json);
}

static void put_summary(const PartsMaker *maker, JsonObject *members, const Aggregate *aggregate,
                        JsonBuilder *json)
{
    json_builder_set_member_name(json, "summary");
    json_builder_begin_object(json);
    put_members(json_object_get_object_member(members, "summary"), json);
    if (aggregate->many) put_largest(maker, aggregate, json);
    json_builder_end_object(json);
}

/* In place of what the members have as text. */
static Verdict *judge(const PartsMaker *maker, JsonNode *members, const Aggregate *aggregate,
                      const GArray *fills)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    JsonObject *object = json_node_get_object(members);
    json_builder_begin_object(json);
    put_summary(maker, object, aggregate, json);
    json_put_node(json, "stages", json_object_dup_member(object, "stages"));
    json_put_node(json, "units", result_units_for_verdicts(aggregate));
    json_builder_end_object(json);
    g_autoptr(JsonNode) result = json_builder_get_root(json);
    pressure_fill(maker->pressure, fills);
    return verdict_new_with(result, maker->pressure);
}

KernelParts *kernel_parts_new(const PartsMaker *maker, const PhaseSums *sums, const bool *launches,
                              bool many)
{
    g_autoptr(Aggregate) aggregate = aggregate_new_phase(maker->run->machine, sums, launches);
    /* of one that was stopped the dispatcher has no time */
    if (!launches || !aggregate->span) aggregate->span = sums->length;
    aggregate->many = many;
    g_autoptr(GArray) fills = result_fill_resources(maker->resources, aggregate);
    KernelParts *parts = g_new0(KernelParts, 1);
    parts->members = new_members(maker, aggregate, fills);
    if (launches) parts->verdict = judge(maker, parts->members, aggregate, fills);
    return parts;
}

void kernel_parts_free(KernelParts *parts)
{
    json_node_unref(parts->members);
    g_clear_pointer(&parts->verdict, verdict_free);
    g_free(parts);
}

void kernel_parts_put(const KernelParts *parts, JsonBuilder *json)
{
    put_members(json_node_get_object(parts->members), json);
}
