#include "scenarios/program/study/perfect/perfect.h"

#include <string.h>

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/records/number.h"

/* "GROUP.KEY" in two; free the group. */
static char *split_name(const char *name, const char **key)
{
    const char *stop = strchr(name, '.');
    *key = stop + 1;
    return g_strndup(name, (gsize)(stop - name));
}

static const char *find_value(const GPtrArray *values, const char *name)
{
    const char *key;
    g_autofree char *group = split_name(name, &key);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        if (!strcmp(value->group, group) && !strcmp(value->key, key)) return value->value;
    }
    g_error("perfect: there is no parameter %s", name);
}

/* "GROUP.KEY = VALUE", "GROUP.KEY != VALUE" */
static bool holds(const char *condition, const GPtrArray *values)
{
    if (!condition) return true;
    g_auto(GStrv) words = g_strsplit(condition, " ", 3);
    return !strcmp(find_value(values, words[0]), words[2]) == !strcmp(words[1], "=");
}

static double number_of(const char *text)
{
    double number;
    if (!number_read(text, &number, NULL)) g_error("perfect: '%s' is no number", text);
    return number;
}

/* The value that the setting asks for where there is `own`; NULL: it is as good already. */
static const char *better_than(const char *own, const char *wanted)
{
    if (g_str_has_prefix(wanted, ">= "))
        return number_of(own) >= number_of(wanted + 3) ? NULL : wanted + 3;
    double here, there;
    const bool numbers = number_read(own, &here, NULL) && number_read(wanted, &there, NULL);
    const bool same = numbers ? here == there : !strcmp(own, wanted);
    return same ? NULL : wanted;
}

static bool make_perfect(const PerfectSetting *setting, const GPtrArray *values,
                         Configuration *perfect)
{
    const bool forget = *setting->name == '-';
    const char *name = setting->name + forget, *key;
    const char *value = better_than(find_value(values, name), setting->value);
    if (!value || !holds(setting->only_if, values)) return false;
    g_autofree char *group = split_name(name, &key);
    if (forget)
        configuration_remove(perfect, group, key);
    else
        configuration_set(perfect, group, key, value, NULL, 0);
    return true;
}

/* --- what the workload has no use for --------------------------------------------------------- */

static bool any_kernel(const GPtrArray *values, bool (*uses)(const char *pattern))
{
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        if (!strcmp(value->key, "pattern") && uses(value->value)) return true;
    }
    return false;
}

static bool may_sample(const char *pattern)
{
    static const char *const without[] = {"", "pointer_chase", "stream", "strided", "random", NULL};
    return !g_strv_contains(without, pattern);
}

static bool may_have_atomics(const char *pattern)
{
    static const char *const with[] = {"strided", "random", "raster", "program", "trace", NULL};
    return g_strv_contains(with, pattern);
}

/* NULL: it may have. */
static const char *no_use_for(const PerfectComponent *component, const GPtrArray *values)
{
    const bool textures =
        g_str_has_prefix(component->name, "texture_") || !strcmp(component->name, "fragment_fifo");
    const bool through = strcmp(find_value(values, "load_store.through_texture"), "nothing") != 0;
    if (textures && !through && !any_kernel(values, may_sample)) return "no textures are used";
    if (g_str_has_suffix(component->name, "_atomics") && !any_kernel(values, may_have_atomics))
        return "no atomics are used";
    return NULL;
}

/* --- */

Configuration *perfect_apply(const PerfectComponent *component, const Configuration *configuration,
                             char **why, GError **error)
{
    *why = NULL;
    g_autoptr(GPtrArray) values = resolve_values(configuration, error);
    if (!values) return NULL;
    const char *no_use = no_use_for(component, values);
    if (no_use || !holds(component->needs, values)) {
        *why = no_use ? g_strdup(no_use) : g_strdup_printf("it needs %s", component->needs);
        return NULL;
    }
    g_autoptr(Configuration) perfect = configuration_copy(configuration);
    bool changed = false;
    for (guint i = 0; i < PERFECT_SETTINGS_MAX && component->settings[i].name; i++)
        changed |= make_perfect(&component->settings[i], values, perfect);
    if (changed) return g_steal_pointer(&perfect);
    *why = g_strdup("it is so already");
    return NULL;
}
