#include "scenarios/program/study/perfect/doubling.h"

#include <string.h>

#include "kit/engine/wiring.h"
#include "platform/machine/machine.h"
#include "scenarios/program/language/peak.h"

bool perfect_has_part(const PerfectComponent *component, const Param *param)
{
    for (const PerfectRole *role = param->perfect; role && role->component; role++)
        if (!strcmp(role->component, component->name)) return true;
    return false;
}

static bool is_listed(const char *words, const char *component)
{
    g_auto(GStrv) names = g_strsplit(words, " ", -1);
    return g_strv_contains((const char *const *)names, component);
}

/* The component of the resource whose capacity it is; NULL: of none. */
static const char *capacity_component(const char *group, const Param *param)
{
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const ResourceRow *row = (*class)->resources; row && row->name; row++)
            if (!strcmp((*class)->name, group) && class_find_capacity(*class, row) == param
                && row->component)
                return row->component;
    return NULL;
}

static bool has_setting_in(const PerfectComponent *component, const char *group)
{
    const size_t length = strlen(group);
    for (guint i = 0; i < component->settings->len; i++) {
        const char *name = g_array_index(component->settings, PerfectSetting, i).name;
        if (!strncmp(name, group, length) && name[length] == '.') return true;
    }
    return false;
}

bool perfect_is_relieved(const PerfectComponent *component, const char *group, const Param *param)
{
    const char *of = capacity_component(group, param);
    if (perfect_has_part(component, param) || !g_strcmp0(of, component->name)) return true;
    if (param->relieves) return is_listed(param->relieves, component->name);
    return !param->perfect && !of && has_setting_in(component, group);
}

static bool has_setting(const PerfectComponent *component, const char *name)
{
    for (guint i = 0; i < component->settings->len; i++)
        if (!strcmp(g_array_index(component->settings, PerfectSetting, i).name, name)) return true;
    return false;
}

bool perfect_includes(const PerfectComponent *whole, const PerfectComponent *part)
{
    for (guint i = 0; i < part->settings->len; i++)
        if (!has_setting(whole, g_array_index(part->settings, PerfectSetting, i).name))
            return false;
    return part->settings->len < whole->settings->len;
}

bool perfect_has_design(const PerfectComponent *component, const Param *param)
{
    const bool chooses = param->type == PARAM_CHOICE || param->type == PARAM_BOOL;
    return chooses && param->relieves && is_listed(param->relieves, component->name);
}

void perfect_set_step(Configuration *configuration, const ResolvedValue *value, const char *other)
{
    g_autofree char *name = g_strconcat(value->group, ".", value->key, NULL);
    if (peak_depends_on(name)) peak_forget(configuration, NULL, 0);
    configuration_set(configuration, value->group, value->key, other, NULL, 0);
}
