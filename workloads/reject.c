#include "workloads/reject.h"

#include <string.h>

const Setting *reject_find_group(const Configuration *configuration, const char *group)
{
    for (guint i = 0; i < configuration_size(configuration); i++)
        if (!strcmp(configuration_at(configuration, i)->group, group))
            return configuration_at(configuration, i);
    return NULL;
}

void reject_key(const Configuration *configuration, const char *group, const char *key,
                const char *value, const char *reason, GError **error)
{
    const Setting *setting = configuration_find(configuration, group, key);
    if (setting) {
        setting_reject(setting, error, "%s", reason);
        return;
    }
    const Setting *near = configuration_find(configuration, group, "pattern");
    if (!near) near = reject_find_group(configuration, group);
    const char *file = configuration_file(configuration);
    g_autofree char *place = near   ? setting_describe_place(near)
                             : file ? g_strconcat(file, ": ", NULL)
                                    : g_strdup("");
    g_autofree char *shown =
        *value ? g_strdup_printf("= %s (the default)", value) : g_strdup("is not set");
    g_set_error(error, PARAM_ERROR, 0, "%s%s.%s %s: %s", place, group, key, shown, reason);
}

/* --- what a machine has no room for ----------------------------------------------------------- */

/* What asks for it, in patterns that ask for it. */
static const char *const asking[][5] = {
    [KERNEL_TOO_LARGE] = {"array_bytes", "footprint", "working_set", "code"},
    [KERNEL_TOO_MANY_THREADS] = {"threads_per_cta", "warps"},
    [KERNEL_TOO_MANY_REGISTERS] = {"registers_per_thread", "threads_per_cta", "in_flight"},
    [KERNEL_TOO_MUCH_SHARED_MEMORY] = {"shared_bytes_per_cta", "code"},
};

/* Of those that are set the one that the command line sets, or the first; else the pattern. */
static const char *find_asking(const Configuration *configuration, const char *group, int code)
{
    const char *first = NULL;
    for (const char *const *key = asking[code]; *key; key++) {
        const Setting *setting = configuration_find(configuration, group, *key);
        if (setting && !setting->file) return *key;
        if (setting && !first) first = *key;
    }
    return first ? first : "pattern";
}

bool workload_locate_error(const Configuration *configuration, GError **error)
{
    if (!error || !*error || (*error)->domain != KERNEL_ERROR) return false;
    const char *reason = strstr((*error)->message, ": ");
    g_autofree char *group =
        g_strndup((*error)->message, (gsize)(reason ? reason - (*error)->message : 0));
    if (!reject_find_group(configuration, group)) return false;
    g_autoptr(GError) inner = g_steal_pointer(error);
    reject_key(configuration, group, find_asking(configuration, group, inner->code), "", reason + 2,
               error);
    return false;
}
