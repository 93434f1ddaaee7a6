#include "scenarios/program/compare/complete.h"

#include <math.h>

#include "kit/observe/phase_names.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/verdict/verdict.h"

/* --- the only kernel -------------------------------------------------------------------------- */

typedef struct {
    guint first, end; /* of `summary.kernels` */
} Together;

static JsonNode *launch_at(JsonArray *launches, guint index)
{
    return json_array_get_element(launches, index);
}

static double begin_of(JsonArray *launches, guint index)
{
    return result_number(launch_at(launches, index), "begin_ns");
}

static double end_of(JsonArray *launches, guint index)
{
    const double end = result_number(launch_at(launches, index), "memory_end_ns");
    return isfinite(end) ? end : INFINITY;
}

/* Those that are measured, and what began while one before it ran: none, if none is. */
static Together find_group(JsonArray *launches)
{
    const guint length = result_length(launches);
    Together group = {0, 0};
    while (group.first < length && !result_is_measured(launch_at(launches, group.first)))
        group.first++;
    for (guint i = group.first; i < length; i++)
        if (result_is_measured(launch_at(launches, i))) group.end = i + 1;
    while (group.end && group.first
           && end_of(launches, group.first - 1) > begin_of(launches, group.first))
        group.first--;
    while (group.end && group.end < length
           && begin_of(launches, group.end) < end_of(launches, group.end - 1))
        group.end++;
    return group;
}

static char *name_of(JsonArray *launches, Together group)
{
    const guint count = group.end - group.first;
    g_autofree const char **names = g_new(const char *, count);
    for (guint i = 0; i < count; i++) {
        const char *name = result_text(launch_at(launches, group.first + i), "name");
        names[i] = name ? name : "kernel";
    }
    return phase_name_join(names, count);
}

static void put_parts(JsonBuilder *json, JsonNode *result)
{
    static const char *const parts[] = {"summary",     "stages", "time",
                                        "consumption", "units",  "resources"};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        JsonNode *part = result_member(result, parts[i]);
        if (part) json_put_node(json, parts[i], json_node_copy(part));
    }
}

static JsonNode *entry_of_whole(JsonNode *result, Together group)
{
    JsonArray *launches = result_array(result, "summary.kernels");
    g_autofree char *name = name_of(launches, group);
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_text(json, "name", name);
    json_put_number(json, "launch", result_count(launch_at(launches, group.first), "number"));
    json_put_number(json, "launches", group.end - group.first);
    json_put_real(json, "time_ns", result_number(result, "summary.time_ns"));
    json_put_text(json, "bound", verdict->bound);
    json_put_text(json, "verdict", verdict->sentence);
    put_parts(json, result);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

/* As a launch, and as all launches of its name. */
static void add_whole(JsonNode *result)
{
    static const char *const members[] = {"kernels", "kernel_names"};
    const Together group = find_group(result_array(result, "summary.kernels"));
    if (!group.end) return;
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        JsonArray *list = json_array_new();
        JsonNode *entry = entry_of_whole(result, group);
        if (i) json_object_set_int_member(json_node_get_object(entry), "launches", 1);
        json_array_add_element(list, entry);
        json_object_set_array_member(json_node_get_object(result), members[i], list);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Where a reader of a result looks for it, too. */
static void put_time(JsonObject *entry, double time)
{
    JsonObject *summary = json_object_new();
    json_object_set_double_member(summary, "time_ns", time);
    json_object_set_object_member(entry, "summary", summary);
    json_object_set_double_member(entry, "time_ns", time);
}

static JsonNode *entry_of_row(JsonArray *columns, JsonArray *row)
{
    JsonObject *entry = json_object_new();
    for (guint i = 0; i < MIN(result_length(columns), result_length(row)); i++)
        json_object_set_member(entry, json_array_get_string_element(columns, i),
                               json_array_dup_element(row, i));
    JsonNode *node = json_node_init_object(json_node_alloc(), entry);
    json_object_unref(entry);
    put_time(entry, result_number(node, "end_ns") - result_number(node, "begin_ns"));
    return node;
}

/* Both are in order. */
static void add_rows(JsonNode *result)
{
    JsonArray *told = result_array(result, "kernels"), *all = json_array_new(),
              *columns = result_array(result, "kernel_rows.columns"),
              *rows = result_array(result, "kernel_rows.rows");
    for (guint i = 0, k = 0; i < result_length(rows); i++) {
        g_autoptr(JsonNode) entry = entry_of_row(columns, json_array_get_array_element(rows, i));
        JsonNode *next = k < result_length(told) ? json_array_get_element(told, k) : NULL;
        const bool known = next && result_count(next, "launch") == result_count(entry, "launch");
        k += known;
        if (result_is_measured(entry))
            json_array_add_element(all, json_node_ref(known ? next : entry));
    }
    json_object_set_array_member(json_node_get_object(result), "kernels", all);
}

/* --- all -------------------------------------------------------------------------------------- */

static bool any_has(const GPtrArray *results, const char *path)
{
    for (guint i = 0; i < results->len; i++)
        if (result_member(results->pdata[i], path)) return true;
    return false;
}

void kernels_complete(const GPtrArray *results, bool one_by_one)
{
    const bool several = any_has(results, "kernels");
    one_by_one |= results->len > 1 && any_has(results, "summary.chosen");
    for (guint i = 0; i < results->len; i++) {
        JsonNode *result = results->pdata[i];
        JsonNode *others = result_member(result, "kernel_rest.others");
        if (several && !result_member(result, "kernels")) add_whole(result);
        if (one_by_one && result_member(result, "kernel_rows")) add_rows(result);
        if (others) put_time(json_node_get_object(others), result_number(others, "time_ns"));
    }
}
