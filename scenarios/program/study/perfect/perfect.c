#include "scenarios/program/study/perfect/perfect.h"

#include <string.h>

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/study/records/number.h"
#include "workloads/workload.h"

/* Of "GROUP.KEY", which there is. */
static const ResolvedValue *find_value(const GPtrArray *values, const char *name)
{
    const ResolvedValue *value = resolve_find(values, name);
    if (!value) g_error("perfect: there is no parameter %s", name);
    return value;
}

bool perfect_holds(const char *condition, PerfectValue value_of, gconstpointer values)
{
    if (!condition) return true;
    g_auto(GStrv) words = g_strsplit(condition, " ", 3);
    return !g_strcmp0(value_of(values, words[0]), words[2]) == !strcmp(words[1], "=");
}

static const char *resolved_value(gconstpointer values, const char *name)
{
    return find_value(values, name)->value;
}

static bool holds(const char *condition, const GPtrArray *values)
{
    return perfect_holds(condition, resolved_value, values);
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
    const char *least = perfect_least(wanted);
    if (least) return number_of(own) >= number_of(least) ? NULL : least;
    double here, there;
    const bool numbers = number_read(own, &here, NULL) && number_read(wanted, &there, NULL);
    const bool same = numbers ? here == there : !strcmp(own, wanted);
    return same ? NULL : wanted;
}

/* Forgets what the configuration says, unless that is the default. */
static bool forget(const ResolvedValue *own, Configuration *perfect)
{
    if (!strcmp(own->value, own->param->default_text)) return false;
    configuration_remove(perfect, own->group, own->key);
    return true;
}

static bool make_perfect(const PerfectSetting *setting, const GPtrArray *values,
                         Configuration *perfect)
{
    const ResolvedValue *own = find_value(values, setting->name);
    if (!holds(setting->only_if, values)) return false;
    if (!setting->value) return forget(own, perfect);
    const char *value = better_than(own->value, setting->value);
    if (value) configuration_set(perfect, own->group, own->key, value, NULL, 0);
    return value != NULL;
}

/* --- what is used ----------------------------------------------------------------------------- */

/* Of Use: what the patterns of the workload may have, and what parameters turn on. */
static unsigned list_uses(const GPtrArray *values)
{
    unsigned uses = 0;
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *own = values->pdata[i];
        const WorkloadClass *pattern =
            strcmp(own->key, "pattern") ? NULL : workload_find(own->value);
        if (pattern) uses |= pattern->uses;
        if (own->param && own->param->turns_on && strcmp(own->value, own->param->default_text) != 0)
            uses |= own->param->turns_on;
    }
    return uses;
}

/* NULL: there is a use for it. */
static const char *no_use_for(const PerfectComponent *component, const GPtrArray *values)
{
    if (!component->serves || component->serves & list_uses(values)) return NULL;
    return component->serves & USE_TEXTURES ? "no textures are used" : "no atomics are used";
}

static bool is_part(const PerfectComponent *component, const char *name, const GPtrArray *values,
                    bool *used)
{
    bool part = false;
    const bool there = !no_use_for(component, values) && holds(component->needs, values);
    for (guint i = 0; i < component->settings->len; i++) {
        const PerfectSetting *setting = &g_array_index(component->settings, PerfectSetting, i);
        if (strcmp(setting->name, name) != 0) continue;
        part = true;
        *used |= there && holds(setting->only_if, values);
    }
    return part;
}

bool perfect_has_use(const char *name, const GPtrArray *values)
{
    bool part = false, used = false;
    for (const PerfectComponent *c = perfect_components(); c->name; c++)
        part |= is_part(c, name, values, &used);
    return used || !part;
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
    for (guint i = 0; i < component->settings->len; i++)
        changed |=
            make_perfect(&g_array_index(component->settings, PerfectSetting, i), values, perfect);
    if (changed) return g_steal_pointer(&perfect);
    *why = g_strdup("it is so already");
    return NULL;
}
