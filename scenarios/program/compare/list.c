#include "scenarios/program/compare/list.h"

#include <string.h>

GPtrArray *result_list_read(char **paths, int count, GError **error)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    for (int i = 0; i < count; i++) {
        g_autoptr(GPtrArray) some = result_read_all(paths[i], error);
        if (!some) return NULL;
        for (guint k = 0; k < some->len; k++)
            g_ptr_array_add(results, json_node_ref(some->pdata[k]));
    }
    return g_steal_pointer(&results);
}

static const char *name_of(JsonNode *result)
{
    const char *name = result_text(result, "variant");
    return name ? name : "?";
}

static bool is_unique(const GPtrArray *results, guint index)
{
    const char *name = name_of(results->pdata[index]);
    for (guint i = 0; i < results->len; i++)
        if (i != index && !strcmp(name_of(results->pdata[i]), name)) return false;
    return true;
}

GPtrArray *result_list_labels(const GPtrArray *results)
{
    GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < results->len; i++) {
        const char *name = name_of(results->pdata[i]);
        g_ptr_array_add(labels, is_unique(results, i)
                                    ? g_strdup(name)
                                    : g_strdup_printf("%c:%s", (char)('A' + i % 26), name));
    }
    return labels;
}
