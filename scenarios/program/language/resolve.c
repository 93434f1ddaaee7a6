#include "scenarios/program/language/resolve.h"

#include <string.h>

#include "platform/machine/machine.h"
#include "scenarios/program/study/dimensions/design.h"
#include "workloads/array_groups.h"
#include "workloads/workload.h"

static void resolved_value_free(gpointer data)
{
    ResolvedValue *value = data;
    g_free(value->group);
    g_free(value->key);
    g_free(value->value);
    g_free(value);
}

/* The table's own struct is not known here, only how far its fields reach. */
static gsize object_size(const Param *params)
{
    gsize size = 0;
    for (const Param *param = params; param && param->name; param++)
        size = MAX(size, param->offset);
    return size + sizeof(uint64_t);
}

static bool resolve_group(const Configuration *configuration, const char *name, const Param *params,
                          GPtrArray *values, GError **error)
{
    const ParamGroup group = {.name = name, .params = params};
    g_autofree void *object = g_malloc0(object_size(params));
    if (!configuration_apply(configuration, &group, object, error)) return false;
    for (const Param *param = params; param && param->name; param++) {
        ResolvedValue *value = g_new0(ResolvedValue, 1);
        *value = (ResolvedValue){
            .group = g_strdup(name),
            .key = g_strdup(param->name),
            .value = param_format(param, object),
            .setting = configuration_find(configuration, name, param->name),
            .param = param,
        };
        g_ptr_array_add(values, value);
    }
    param_clear(params, object);
    return true;
}

/* As it is written. */
static void add_text(GPtrArray *values, const char *group, const char *key, const char *text,
                     const Setting *setting)
{
    ResolvedValue *value = g_new0(ResolvedValue, 1);
    *value = (ResolvedValue){
        .group = g_strdup(group),
        .key = g_strdup(key),
        .value = g_strdup(text),
        .setting = setting,
    };
    g_ptr_array_add(values, value);
}

static void resolve_own_keys(const Configuration *configuration, const char *group,
                             const WorkloadClass *class, GPtrArray *values)
{
    if (!class || !class->own_keys) return;
    g_autoptr(GPtrArray) keys = class->own_keys(configuration, group);
    for (guint i = 0; i < keys->len; i++) {
        const WorkloadKey *key = keys->pdata[i];
        const Setting *setting = configuration_find(configuration, group, key->name);
        add_text(values, group, key->name, setting ? setting->value : key->default_text, setting);
    }
}

/* `[workload]` is either a kernel itself or names kernels in its `sequence`. */
static GPtrArray *list_kernel_groups(const Configuration *configuration)
{
    GPtrArray *groups = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(groups, g_strdup("workload"));
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const char *group = configuration_at(configuration, i)->group;
        if (g_str_has_prefix(group, "kernel ")
            && !g_ptr_array_find_with_equal_func(groups, group, g_str_equal, NULL))
            g_ptr_array_add(groups, g_strdup(group));
    }
    return groups;
}

static bool resolve_kernels(const Configuration *configuration, GPtrArray *values, GError **error)
{
    g_autoptr(GPtrArray) groups = list_kernel_groups(configuration);
    for (guint i = 0; i < groups->len; i++) {
        const char *group = groups->pdata[i];
        if (!resolve_group(configuration, group, workload_group.params, values, error))
            return false;
        const Setting *pattern = configuration_find(configuration, group, "pattern");
        const WorkloadClass *class = pattern ? workload_find(pattern->value) : NULL;
        if (class && !resolve_group(configuration, group, class->params, values, error))
            return false;
        resolve_own_keys(configuration, group, class, values);
    }
    return true;
}

static void resolve_arrays(const Configuration *configuration, GPtrArray *values)
{
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        if (g_str_has_prefix(setting->group, ARRAY_PREFIX))
            add_text(values, setting->group, setting->key, setting->value, setting);
    }
}

/* Of a named one each that there is. */
static bool resolve_machine_group(const Configuration *configuration, const ParamGroup *group,
                                  GPtrArray *values, GError **error)
{
    if (!group->named)
        return resolve_group(configuration, group->name, group->params, values, error);
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const char *name = configuration_at(configuration, i)->group;
        if (param_group_holds(group, name) && configuration_is_first(configuration, i)
            && !resolve_group(configuration, name, group->params, values, error))
            return false;
    }
    return true;
}

GPtrArray *resolve_machine(const Configuration *configuration, GError **error)
{
    g_autoptr(GPtrArray) values = g_ptr_array_new_with_free_func(resolved_value_free);
    for (const ParamGroup *const *group = machine_groups(); *group; group++)
        if (!resolve_machine_group(configuration, *group, values, error)) return NULL;
    return g_steal_pointer(&values);
}

GPtrArray *resolve_simulation(const Configuration *configuration)
{
    GPtrArray *values = g_ptr_array_new_with_free_func(resolved_value_free);
    resolve_machine_group(configuration, &simulation_group, values, NULL);
    return values;
}

GPtrArray *resolve_values(const Configuration *configuration, GError **error)
{
    g_autoptr(GPtrArray) values = resolve_machine(configuration, error);
    if (!values || !resolve_kernels(configuration, values, error)) return NULL;
    resolve_arrays(configuration, values);
    return g_steal_pointer(&values);
}

const ResolvedValue *resolve_find(const GPtrArray *values, const char *name)
{
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        const gsize group = strlen(value->group);
        if (!strncmp(name, value->group, group) && name[group] == '.'
            && !strcmp(name + group + 1, value->key))
            return value;
    }
    return NULL;
}

bool resolve_is_study_key(const char *key)
{
    for (const Param *param = study_group.params; param->name; param++)
        if (!strcmp(param->name, key)) return true;
    return false;
}

bool resolve_study(const Configuration *study, GPtrArray *values, GError **error)
{
    if (!resolve_group(study, study_group.name, study_group.params, values, error)) return false;
    for (guint i = 0; i < configuration_size(study); i++) {
        const Setting *s = configuration_at(study, i);
        if (!resolve_is_study_key(s->key)) add_text(values, s->group, s->key, s->value, s);
    }
    return true;
}
