#include "scenarios/program/language/pattern.h"

#include <string.h>

#include "scenarios/program/language/scenario.h"
#include "workloads/workload.h"

/* Keys of its own are those that `configuration` declares. */
static bool has_key(const WorkloadClass *class, const Configuration *configuration,
                    const Setting *setting)
{
    for (const Param *param = class->params; param->name; param++)
        if (!strcmp(param->name, setting->key)) return true;
    g_autoptr(GPtrArray) own =
        class->own_keys ? class->own_keys(configuration, setting->group) : g_ptr_array_new();
    for (guint i = 0; i < own->len; i++)
        if (!strcmp(((const WorkloadKey *)own->pdata[i])->name, setting->key)) return true;
    return false;
}

static void void_group(Configuration *configuration, const Configuration *changes,
                       const Setting *pattern)
{
    const Setting *present = configuration_find(configuration, pattern->group, "pattern");
    const WorkloadClass *old = present ? workload_find(present->value) : NULL,
                        *new = workload_find(pattern->value);
    if (!old || !new || old == new) return;
    g_autoptr(Configuration) before = configuration_copy(configuration);
    for (guint i = 0; i < configuration_size(before); i++) {
        const Setting *setting = configuration_at(before, i);
        if (!strcmp(setting->group, pattern->group) && has_key(old, before, setting)
            && !has_key(new, changes, setting))
            configuration_remove(configuration, setting->group, setting->key);
    }
}

void pattern_void_by(Configuration *configuration, const Configuration *changes)
{
    for (guint i = 0; i < configuration_size(changes); i++) {
        const Setting *setting = configuration_at(changes, i);
        if (!strcmp(setting->key, "pattern") && !variant_is_machine_group(setting->group))
            void_group(configuration, changes, setting);
    }
}
