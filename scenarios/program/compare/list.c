#include "scenarios/program/compare/list.h"

#include <string.h>

/* Which of the paths a result is from, from 0 on. */
static const char member[] = "path_number";

GPtrArray *result_list_read(char **paths, int count, GError **error)
{
    g_autoptr(GPtrArray) results = g_ptr_array_new_with_free_func((GDestroyNotify)json_node_unref);
    for (int i = 0; i < count; i++) {
        g_autoptr(GPtrArray) some = result_read_all(paths[i], error);
        if (!some) return NULL;
        for (guint k = 0; k < some->len; k++) {
            json_object_set_int_member(json_node_get_object(some->pdata[k]), member, i);
            g_ptr_array_add(results, json_node_ref(some->pdata[k]));
        }
    }
    return g_steal_pointer(&results);
}

static const char *name_of(const GPtrArray *results, guint index)
{
    const char *name = result_text(results->pdata[index], "variant");
    return name ? name : "?";
}

static guint path_of(const GPtrArray *results, guint index)
{
    return (guint)result_number(results->pdata[index], member);
}

/* As spreadsheets have them: A to Z, AA, AB; newly allocated. */
static char *letters_of(guint path)
{
    char letters[8] = "", *first = letters + sizeof letters - 1;
    for (guint rest = path + 1; rest; rest = (rest - 1) / 26)
        *--first = (char)('A' + (rest - 1) % 26);
    return g_strdup(first);
}

/* Of others of its name, those of all paths or of its own. */
static bool is_alone(const GPtrArray *results, guint index, bool in_path)
{
    for (guint i = 0; i < results->len; i++)
        if (i != index && !strcmp(name_of(results, i), name_of(results, index))
            && !(in_path && path_of(results, i) != path_of(results, index)))
            return false;
    return true;
}

/* A copy in the same folder is known by its own folder's name. */
static char *label_of(const GPtrArray *results, guint index)
{
    const char *name = name_of(results, index);
    if (is_alone(results, index, false)) return g_strdup(name);
    g_autofree char *letter = letters_of(path_of(results, index)),
                    *folder = g_path_get_basename(result_read_from(results->pdata[index]));
    return g_strconcat(letter, ":", is_alone(results, index, true) ? name : folder, NULL);
}

GPtrArray *result_list_labels(const GPtrArray *results)
{
    GPtrArray *labels = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < results->len; i++) g_ptr_array_add(labels, label_of(results, i));
    return labels;
}

char *result_list_legend(const GPtrArray *results, char **paths)
{
    GString *text = g_string_new(NULL);
    bool any = false;
    for (guint i = 0; i < results->len; i++) {
        const guint path = path_of(results, i);
        any |= !is_alone(results, i, false);
        if (i && path == path_of(results, i - 1)) continue;
        g_autofree char *letter = letters_of(path);
        g_string_append_printf(text, "  %s: %s\n", letter, paths[path]);
    }
    return g_string_free(text, !any);
}

/* --- which belong together -------------------------------------------------------------------- */

static guint count_of(const GPtrArray *results, guint path)
{
    guint count = 0;
    for (guint i = 0; i < results->len; i++) count += path_of(results, i) == path;
    return count;
}

static bool go_by_name(const GPtrArray *results)
{
    const guint first = count_of(results, 0);
    return first > 1 && first < results->len;
}

static GArray *group_of(const GPtrArray *results, guint index)
{
    GArray *group = g_array_new(FALSE, FALSE, sizeof(guint));
    const bool by_name = go_by_name(results);
    g_array_append_val(group, index);
    for (guint i = index + 1; i < results->len; i++)
        if (!by_name
            || (path_of(results, i) && !strcmp(name_of(results, i), name_of(results, index))))
            g_array_append_val(group, i);
    return group;
}

GPtrArray *result_list_groups(const GPtrArray *results)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    const guint count = go_by_name(results) ? count_of(results, 0) : 1;
    for (guint i = 0; i < count; i++) g_ptr_array_add(groups, group_of(results, i));
    return groups;
}

static bool has_name(const GPtrArray *results, guint path, const char *name)
{
    for (guint i = 0; i < results->len; i++)
        if (path_of(results, i) == path && !strcmp(name_of(results, i), name)) return true;
    return false;
}

/* A result that was named by itself lacks none. */
static bool lacks(const GPtrArray *results, guint path, guint index)
{
    return (!path || count_of(results, path) > 1)
           && !has_name(results, path, name_of(results, index));
}

void result_list_find_lacking(const GPtrArray *results, char **paths, GPtrArray *lines)
{
    const guint count = path_of(results, results->len - 1) + 1;
    for (guint i = 0; i < results->len && go_by_name(results); i++)
        for (guint path = 0; path < (path_of(results, i) ? 1 : count); path++)
            if (lacks(results, path, i))
                g_ptr_array_add(lines, g_strdup_printf("%s: has no variant '%s', which %s has",
                                                       paths[path], name_of(results, i),
                                                       paths[path_of(results, i)]));
}
