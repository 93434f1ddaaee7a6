#include "scenarios/program/compare/json.h"

#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/compare/kernel_changes.h"
#include "scenarios/program/compare/parameter_changes.h"
#include "scenarios/program/compare/reason.h"
#include "scenarios/program/cost/stack.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/time/change.h"

static void put_difference(void *user, const char *name, const char *before, const char *after)
{
    JsonBuilder *json = user;
    json_builder_begin_object(json);
    json_put_text(json, "name", name);
    json_put_text(json, "before", before);
    json_put_text(json, "after", after);
    json_builder_end_object(json);
}

static void put_change(JsonBuilder *json, const StageChange *change)
{
    json_builder_begin_object(json);
    json_put_text(json, "class", change->request_class);
    json_put_text(json, "stage", change->stage);
    json_put_integer(json, "before_fs", change->before);
    json_put_integer(json, "after_fs", change->after);
    json_put_integer(json, "change_fs", change->after - change->before);
    json_builder_end_object(json);
}

static void put_attribution(JsonBuilder *json, JsonNode *before, JsonNode *after)
{
    g_autoptr(GArray) changes = attribution_new(before, after);
    json_put_integer(json, "latency_change_fs",
                     attribution_total(after) - attribution_total(before));
    json_builder_set_member_name(json, "attribution");
    json_builder_begin_array(json);
    for (guint i = 0; i < changes->len; i++)
        put_change(json, &g_array_index(changes, StageChange, i));
    json_builder_end_array(json);
}

static void put_step(JsonBuilder *json, const TimeChange *step)
{
    json_builder_begin_object(json);
    json_put_text(json, "name", step->name);
    json_put_text(json, "title", step->title);
    json_put_integer(json, "before_fs", step->before);
    json_put_integer(json, "after_fs", step->after);
    json_put_integer(json, "change_fs", time_change(step));
    json_builder_end_object(json);
}

static void put_time_changes(JsonBuilder *json, JsonNode *before, JsonNode *after)
{
    g_autoptr(GArray) steps = time_changes_new(before, after);
    if (!steps) return;
    const TimeChange sum = time_changes_sum(steps);
    json_put_integer(json, "time_change_fs", time_change(&sum));
    json_builder_set_member_name(json, "time_steps");
    json_builder_begin_array(json);
    for (guint i = 0; i < steps->len; i++) put_step(json, &g_array_index(steps, TimeChange, i));
    json_builder_end_array(json);
}

static void put_part(JsonBuilder *json, const EnergyPart *part)
{
    json_builder_begin_object(json);
    json_put_text(json, "name", part->name);
    json_put_real(json, "before_uj", part->before);
    json_put_real(json, "after_uj", part->after);
    json_put_real(json, "change_uj", part->after - part->before);
    json_builder_end_object(json);
}

static void put_energy_changes(JsonBuilder *json, JsonNode *before, JsonNode *after)
{
    g_autoptr(GArray) parts = energy_changes_new(before, after);
    json_builder_set_member_name(json, "energy_steps");
    json_builder_begin_array(json);
    for (guint i = 0; i < parts->len; i++) put_part(json, &g_array_index(parts, EnergyPart, i));
    json_builder_end_array(json);
}

JsonNode *compare_json(const Comparison *comparison)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    for (guint i = 0; i < comparison->count; i++) {
        json_builder_begin_object(json);
        json_put_text(json, "name", compare_label(comparison, i));
        json_put_text(json, "path", result_read_from(comparison->results[i]));
        json_put_bool(json, "partial", result_is_partial(comparison->results[i]));
        json_put_node(json, "summary",
                      json_node_copy(result_member(comparison->results[i], "summary")));
        json_builder_set_member_name(json, "parameters");
        json_builder_begin_array(json);
        parameter_changes_visit(comparison->results[0], comparison->results[i], put_difference,
                                json);
        json_builder_end_array(json);
        g_autofree char *reason = reason_new(comparison->results[0], comparison->results[i]);
        json_put_text(json, "reason", reason);
        put_time_changes(json, comparison->results[0], comparison->results[i]);
        put_attribution(json, comparison->results[0], comparison->results[i]);
        put_energy_changes(json, comparison->results[0], comparison->results[i]);
        kernel_changes_put(json, comparison->results[0], comparison->results[i]);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    return json_builder_get_root(json);
}
