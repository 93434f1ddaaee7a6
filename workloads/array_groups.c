#include "workloads/array_groups.h"
#include "kit/describe/nearest.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
    uint64_t address, bytes;
} ArrayGroup;

static const Param params[] = {
    PARAM_NUMBER(ArrayGroup, address, PARAM_BYTES, "0 B", 0, 0x1p48,
                 "where the array begins, virtual; hexadecimal as in traces (0x7f3000000000), or a "
                 "number of bytes"),
    PARAM_NUMBER(ArrayGroup, bytes, PARAM_BYTES, "1 B", 1, 0x1p48,
                 "how long it is; both keys have to be given"),
    PARAM_END,
};

const ParamGroup array_group = {
    .name = "array",
    .summary = "[array NAME]: a region of memory that results call by this name, where the "
               "workload has no name for it, as a trace",
    .params = params,
    .named = true,
};

/* --- one group -------------------------------------------------------------------------------- */

static bool check_key(const Setting *setting, GError **error)
{
    const char *names[G_N_ELEMENTS(params)] = {NULL};
    for (guint i = 0; params[i].name; i++) {
        if (!strcmp(params[i].name, setting->key)) return true;
        names[i] = params[i].name;
    }
    const char *near = nearest_word(setting->key, names);
    return setting_reject(setting, error, "an array has no '%s'; %s%s%s", setting->key,
                          near ? "did you mean '" : "it has address and bytes", near ? near : "",
                          near ? "'?" : "");
}

/* `setting` is one of the group. */
static bool check_complete(const Configuration *configuration, const Setting *setting,
                           GError **error)
{
    for (const Param *param = params; param->name; param++)
        if (!configuration_find(configuration, setting->group, param->name))
            return setting_reject(setting, error,
                                  "[%s] has no '%s'; an array has address and bytes",
                                  setting->group, param->name);
    return true;
}

static bool read_array(const Configuration *configuration, const Setting *setting, LaunchList *list,
                       GError **error)
{
    ArrayGroup group = {0};
    if (!check_complete(configuration, setting, error)
        || !configuration_apply_as(configuration, setting->group, &array_group, &group, error))
        return false;
    for (guint i = 0; i < list->arrays->len; i++) {
        const MemoryArray *other = &g_array_index(list->arrays, MemoryArray, i);
        if (group.address + group.bytes <= other->address
            || other->address + other->bytes <= group.address)
            continue;
        return setting_reject(configuration_find(configuration, setting->group, "address"), error,
                              "overlaps the array '%s', %" PRIu64 " B from 0x%" PRIx64 " on",
                              other->name, other->bytes, other->address);
    }
    launch_list_add_array(list, setting->group + strlen(ARRAY_PREFIX), group.address, group.bytes);
    return true;
}

/* --- all groups ------------------------------------------------------------------------------- */

bool array_groups_add(const Configuration *configuration, LaunchList *list, GError **error)
{
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        if (!g_str_has_prefix(setting->group, ARRAY_PREFIX)) continue;
        if (!check_key(setting, error)) return false;
        if (configuration_is_first(configuration, i)
            && !read_array(configuration, setting, list, error))
            return false;
    }
    return true;
}
