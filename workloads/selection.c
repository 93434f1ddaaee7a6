#include "workloads/selection.h"

#include <string.h>

#include "kit/describe/nearest.h"

/* --- what is asked for ------------------------------------------------------------------------ */

static bool read_number(const char *text, guint most, guint *number)
{
    guint64 value;
    g_autofree char *word = g_strstrip(g_strdup(text));
    if (!g_ascii_string_to_unsigned(word, 10, 1, most, &value, NULL)) return false;
    *number = (guint)value;
    return true;
}

/* "7" or "3-7" */
static bool read_range(const char *text, guint most, guint *first, guint *last)
{
    g_auto(GStrv) ends = g_strsplit(text, "-", 2);
    if (!ends[0] || !read_number(ends[0], most, first)) return false;
    *last = *first;
    return !ends[1] || (read_number(ends[1], most, last) && *first <= *last);
}

char *selection_mark(const char *text, guint length, bool *chosen)
{
    g_auto(GStrv) ranges = g_strsplit(text, ",", -1);
    for (char **range = ranges; *range; range++) {
        guint first, last;
        if (!read_range(*range, length, &first, &last)) return g_strdup(g_strstrip(*range));
        for (guint i = first - 1; i < last; i++) chosen[i] = true;
    }
    return NULL;
}

/* Takes the words off the end of `text`; whether they stood there by themselves. */
static bool take_in_place(char *text)
{
    char *words = strlen(text) < strlen(SELECTION_IN_PLACE)
                      ? text
                      : text + strlen(text) - strlen(SELECTION_IN_PLACE);
    if (strcmp(words, SELECTION_IN_PLACE) != 0) return false;
    if (words > text && !g_ascii_isspace(words[-1])) return false;
    *words = 0;
    g_strchomp(text);
    return true;
}

/* All where no numbers are given. */
static bool mark_numbers(const Setting *setting, LaunchList *list, bool *chosen, GError **error)
{
    g_autofree char *numbers = g_strstrip(g_strdup(setting ? setting->value : ""));
    const guint length = list->launches->len;
    list->in_place = take_in_place(numbers);
    memset(chosen, !*numbers, length);
    if (!*numbers) return true;
    g_autofree char *wrong = selection_mark(numbers, length, chosen);
    return !wrong || setting_reject(setting, error, SELECTION_NONE, wrong, length);
}

static bool reject_name(const Setting *setting, const LaunchList *list, const bool *chosen,
                        GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < list->launches->len; i++)
        if (chosen[i]) g_ptr_array_add(names, launch_list_at(list, i)->kernel->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_word(setting->value, (const char *const *)names->pdata);
    return setting_reject(setting, error, "no kernel that is chosen has this name%s%s'%s",
                          near ? ", did you mean '" : "; the first one's is '",
                          near ? near : (const char *)names->pdata[0], near ? "?" : "");
}

static bool has_name(const Setting *setting, const LaunchList *list, guint index)
{
    return g_pattern_match_simple(setting->value, launch_list_at(list, index)->kernel->name);
}

/* Of those that are chosen the ones with the name stay. */
static bool keep_named(const Setting *setting, const LaunchList *list, bool *chosen, GError **error)
{
    const guint length = list->launches->len;
    bool any = false;
    for (guint i = 0; i < length && !any; i++) any = chosen[i] && has_name(setting, list, i);
    if (!any) return reject_name(setting, list, chosen, error);
    for (guint i = 0; i < length; i++) chosen[i] = chosen[i] && has_name(setting, list, i);
    return true;
}

/* --- what is left ----------------------------------------------------------------------------- */

static void add_preparations(const LaunchList *list, bool *chosen)
{
    for (guint i = list->launches->len; i-- > 1;)
        if (chosen[i] && launch_list_at(list, i - 1)->prepares) chosen[i - 1] = true;
}

static void part_from_others(const LaunchList *list, const bool *chosen)
{
    for (guint i = 1; i < list->launches->len; i++)
        if (!chosen[i - 1]) launch_list_at(list, i)->concurrent = false;
}

/* What stands before a launch that runs; behind the last, if that runs. `chosen` has an end. */
static void keep_commands(LaunchList *list, const bool *chosen)
{
    guint kept = 0, before = 0, launch = 0;
    for (guint i = 0; i < list->commands->len; i++) {
        HostCommand command = g_array_index(list->commands, HostCommand, i);
        for (; launch < command.before; launch++) before += chosen[launch];
        if (!chosen[command.before]) continue;
        command.before = before;
        g_array_index(list->commands, HostCommand, kept++) = command;
    }
    g_array_set_size(list->commands, kept);
}

static void keep_launches(LaunchList *list, const bool *chosen)
{
    guint kept = 0;
    for (guint i = 0; i < list->launches->len; i++)
        if (chosen[i]) *launch_list_at(list, kept++) = *launch_list_at(list, i);
    g_array_set_size(list->launches, kept);
}

/* Of these, or of all if `chosen` is NULL: if none is measured, all are that prepare nothing. The
 * others are not. */
static void measure(const LaunchList *list, const bool *chosen)
{
    bool any = false;
    for (guint i = 0; i < list->launches->len; i++) {
        Launch *launch = launch_list_at(list, i);
        launch->measured &= !chosen || chosen[i];
        any |= launch->measured;
    }
    for (guint i = 0; !any && i < list->launches->len; i++)
        launch_list_at(list, i)->measured =
            (!chosen || chosen[i]) && !launch_list_at(list, i)->prepares;
}

/* ... of the last one, and what starts together with it. */
static void choose_all_before(const LaunchList *list, bool *chosen)
{
    guint end = list->launches->len;
    while (end > 0 && !chosen[end - 1]) end--;
    if (end) end += launch_list_together(list, end - 1) - 1;
    memset(chosen, true, end);
}

static void number_launches(LaunchList *list)
{
    list->total = list->launches->len;
    for (guint i = 0; i < list->launches->len; i++) launch_list_at(list, i)->number = i + 1;
}

/* NULL: it is not set. */
static const Setting *setting_of(const Configuration *configuration, const char *key)
{
    const Setting *setting = configuration_find(configuration, "workload", key);
    return setting && *setting->value ? setting : NULL;
}

bool selection_apply(const Configuration *configuration, LaunchList *list, GError **error)
{
    const guint length = list->launches->len;
    const Setting *kernels = setting_of(configuration, "kernels"),
                  *name = setting_of(configuration, "kernel_name");
    number_launches(list);
    if (!kernels && !name) return true;
    g_autofree bool *chosen = g_new0(bool, length + 1);
    if (!mark_numbers(kernels, list, chosen, error)
        || (name && !keep_named(name, list, chosen, error)))
        return false;
    if (list->in_place) {
        measure(list, chosen);
        choose_all_before(list, chosen);
    }
    add_preparations(list, chosen);
    part_from_others(list, chosen);
    chosen[length] = length && chosen[length - 1];
    keep_commands(list, chosen);
    keep_launches(list, chosen);
    if (!list->in_place) measure(list, NULL);
    return true;
}
