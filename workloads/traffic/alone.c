#include "workloads/traffic/alone.h"

#include <string.h>

static const Kernel *find_traffic(const LaunchList *list)
{
    for (guint i = 0; i < list->kernels->len; i++)
        if (((const Kernel *)list->kernels->pdata[i])->traffic) return list->kernels->pdata[i];
    return NULL;
}

static const Kernel *find_other(const LaunchList *list, const Kernel *traffic)
{
    for (guint i = 0; i < list->kernels->len; i++)
        if (list->kernels->pdata[i] != traffic) return list->kernels->pdata[i];
    return NULL;
}

static bool reject_other(const Configuration *configuration, const Kernel *traffic,
                         const Kernel *other, GError **error)
{
    return setting_reject(configuration_find(configuration, "workload", "sequence"), error,
                          "'%s' is traffic into a part of the machine alone, and '%s' is %s; a "
                          "scenario has one of them",
                          traffic->name, other->name,
                          other->traffic ? "so, too" : "a kernel, which needs all of it");
}

/* Of these `pattern`, and those of the list, say something of traffic. */
static bool is_of_launches(const Setting *setting)
{
    static const char *const others[] = {"pattern", "sequence", "kernels", "kernel_name", NULL};
    if (g_strv_contains(others, setting->key)) return false;
    for (const Param *param = workload_group.params; param->name; param++)
        if (!strcmp(param->name, setting->key)) return true;
    return false;
}

static bool check_keys(const Configuration *configuration, GError **error)
{
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        const bool of_workload = !strcmp(setting->group, workload_group.name)
                                 || g_str_has_prefix(setting->group, "kernel ");
        if (of_workload && is_of_launches(setting))
            return setting_reject(setting, error,
                                  "has no effect: traffic without a GPU is not launched");
    }
    return true;
}

bool traffic_is_alone(const Configuration *configuration, const LaunchList *list, GError **error)
{
    const Kernel *traffic = find_traffic(list), *other = traffic ? find_other(list, traffic) : NULL;
    if (!traffic) return true;
    return other ? reject_other(configuration, traffic, other, error)
                 : check_keys(configuration, error);
}
