#include "scenarios/program/time/stack.h"

#include <string.h>

static TimePart read_part(JsonObject *object)
{
    return (TimePart){json_object_get_string_member_with_default(object, "name", "?"),
                      json_object_get_string_member_with_default(object, "title", "?"),
                      json_object_get_string_member_with_default(object, "kind", "?"),
                      json_object_get_int_member_with_default(object, "fs", 0)};
}

/* Of equal ones by name, so that it is the same on every run. */
static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const TimePart *x = a, *y = b;
    if (x->fs != y->fs) return x->fs < y->fs ? 1 : -1;
    return strcmp(x->name, y->name);
}

GArray *time_stack_new(JsonNode *result)
{
    JsonArray *list = result_array(result, "time.parts");
    if (!list) return NULL;
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(TimePart));
    for (guint i = 0; i < json_array_get_length(list); i++) {
        const TimePart part = read_part(json_array_get_object_element(list, i));
        if (strcmp(part.kind, slots_kind_name(SLOTS_OUTSIDE)) != 0) g_array_append_val(parts, part);
    }
    g_array_sort(parts, compare_parts);
    return parts;
}

gint64 time_stack_sum(const GArray *parts)
{
    gint64 sum = 0;
    for (guint i = 0; i < parts->len; i++) sum += g_array_index(parts, TimePart, i).fs;
    return sum;
}
