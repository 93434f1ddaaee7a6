#include "scenarios/program/compare/attribution.h"

#include <stdbool.h>
#include <string.h>

#include "scenarios/program/result/result.h"

static JsonObject *stages_of(JsonNode *result)
{
    JsonNode *node = result_member(result, "stages");
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static JsonObject *class_of(JsonObject *stages, const char *name)
{
    JsonNode *node = stages ? json_object_get_member(stages, name) : NULL;
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

static gint64 integer_of(JsonObject *object, const char *name)
{
    return object ? json_object_get_int_member_with_default(object, name, 0) : 0;
}

static bool is_stage(const char *member)
{
    return strcmp(member, "count") != 0 && strcmp(member, "latency") != 0;
}

static bool contains(const GArray *changes, const char *request_class, const char *stage)
{
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        if (!strcmp(change->request_class, request_class) && !strcmp(change->stage, stage))
            return true;
    }
    return false;
}

typedef struct {
    JsonObject *before, *after;
    GArray *changes;
} Attribution;

static void add_class(const Attribution *attribution, JsonObject *source, const char *request_class)
{
    g_autoptr(GList) members = json_object_get_members(class_of(source, request_class));
    for (const GList *member = members; member; member = member->next) {
        const char *stage = member->data;
        if (!is_stage(stage) || contains(attribution->changes, request_class, stage)) continue;
        const StageChange change = {
            .request_class = request_class,
            .stage = stage,
            .before = integer_of(class_of(attribution->before, request_class), stage),
            .after = integer_of(class_of(attribution->after, request_class), stage),
        };
        g_array_append_val(attribution->changes, change);
    }
}

static void add_classes(const Attribution *attribution, JsonObject *source)
{
    g_autoptr(GList) classes = source ? json_object_get_members(source) : NULL;
    for (const GList *name = classes; name; name = name->next)
        if (class_of(source, name->data)) add_class(attribution, source, name->data);
}

GArray *attribution_new(JsonNode *before, JsonNode *after)
{
    GArray *changes = g_array_new(FALSE, FALSE, sizeof(StageChange));
    const Attribution attribution = {stages_of(before), stages_of(after), changes};
    add_classes(&attribution, attribution.before);
    add_classes(&attribution, attribution.after);
    return changes;
}

static gint64 sum_of(JsonNode *result, const char *member)
{
    JsonObject *stages = stages_of(result);
    g_autoptr(GList) classes = stages ? json_object_get_members(stages) : NULL;
    gint64 sum = 0;
    for (const GList *name = classes; name; name = name->next)
        sum += integer_of(class_of(stages, name->data), member);
    return sum;
}

gint64 attribution_total(JsonNode *result)
{
    return sum_of(result, "latency");
}

gint64 attribution_requests(JsonNode *result)
{
    return sum_of(result, "count");
}
