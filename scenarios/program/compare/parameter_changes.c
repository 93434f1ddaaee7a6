#include "scenarios/program/compare/parameter_changes.h"

#include <stdbool.h>
#include <string.h>

#include "platform/machine/machine.h"
#include "scenarios/program/result/result.h"

static const char *text_member(JsonObject *object, const char *name)
{
    return object ? json_object_get_string_member_with_default(object, name, NULL) : NULL;
}

static JsonObject *parameters_of(JsonNode *result, const char *group)
{
    JsonNode *node = result_member(result, "parameters");
    JsonObject *object = node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
    if (!group || !object) return object;
    node = json_object_get_member(object, group);
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/* Of a named group that one result does not have, newly allocated; NULL: there is none. */
static char *default_of(const char *group, const char *key)
{
    union {
        uint64_t quantity;
        double ratio;
        bool flag;
    } field = {0};
    for (const ParamGroup *const *g = machine_groups(); *g; g++) {
        if (!(*g)->named || !param_group_holds(*g, group)) continue;
        for (const Param *param = (*g)->params; param->name; param++) {
            Param row = *param;
            row.offset = 0;
            if (!strcmp(row.name, key) && param_parse(&row, row.default_text, &field, NULL))
                return param_format(&row, &field);
        }
    }
    return NULL;
}

/* Visits what the groups of `source` name; `reverse` only what the other result lacks. */
static void visit_groups(JsonNode *const pair[2], bool reverse, ParameterVisitor visit, void *user)
{
    JsonObject *source = parameters_of(pair[reverse], NULL);
    g_autoptr(GList) groups = source ? json_object_get_members(source) : NULL;
    for (const GList *group = groups; group; group = group->next) {
        JsonObject *before = parameters_of(pair[0], group->data),
                   *after = parameters_of(pair[1], group->data);
        JsonObject *present = reverse ? after : before;
        g_autoptr(GList) keys = present ? json_object_get_members(present) : NULL;
        for (const GList *key = keys; key; key = key->next) {
            g_autofree char *unsaid = before && after ? NULL : default_of(group->data, key->data);
            const char *old = before ? text_member(before, key->data) : unsaid,
                       *new = after ? text_member(after, key->data) : unsaid;
            if ((reverse && text_member(before, key->data)) || !g_strcmp0(old, new)) continue;
            g_autofree char *name =
                g_strdup_printf("%s.%s", (char *)group->data, (char *)key->data);
            visit(user, name, old, new);
        }
    }
}

void parameter_changes_visit(JsonNode *before, JsonNode *after, ParameterVisitor visit, void *user)
{
    JsonNode *const pair[2] = {before, after};
    visit_groups(pair, false, visit, user);
    visit_groups(pair, true, visit, user);
}
