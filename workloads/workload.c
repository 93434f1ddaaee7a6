#include "workloads/workload.h"

#include <string.h>

#include "kit/describe/nearest.h"
#include "workloads/array_groups.h"
#include "workloads/generator.h"
#include "workloads/reject.h"
#include "workloads/selection.h"
#include "workloads/traffic/alone.h"

#define WORKLOAD_GROUP "workload"
#define KERNEL_PREFIX "kernel "

static const char *const cache_state_names[] = {"dirty", "warm", "cold", NULL};

static const Param common_params[] = {
    PARAM_STRING(WorkloadCommon, pattern, "", "what the kernel does: the name of a pattern"),
    PARAM_STRING(
        WorkloadCommon, sequence, "",
        "kernels in launch order, 'warm_up, main', each with a group [kernel NAME]; empty: "
        "[workload] itself is the kernel"),
    PARAM_STRING(
        WorkloadCommon, kernels, "",
        "of [workload]: launches that run, of those that there are: '3-7, 9', as check "
        "numbers them; empty: all. Caches are cold at the first; with 'in place' behind the "
        "list those before it run, too, unmeasured"),
    PARAM_STRING(WorkloadCommon, kernel_name, "",
                 "of [workload]: of these the ones whose kernel has this name, in which * stands "
                 "for anything"),
    PARAM_NUMBER(WorkloadCommon, launches, PARAM_COUNT, "1", 1, 1e6,
                 "how often the kernel (of a trace: all its kernels) is launched"),
    PARAM_NUMBER(WorkloadCommon, warm_up_launches, PARAM_COUNT, "0", 0, 1e6,
                 "of these, the first that are not measured"),
    PARAM_SWITCH(WorkloadCommon, measure, "yes", "whether statistics include the kernel at all"),
    PARAM_SWITCH(WorkloadCommon, keep_l1, "no", "L1 is not invalidated when the kernel starts"),
    PARAM_SWITCH(WorkloadCommon, concurrent, "no",
                 "starts together with the launch before it and shares the SMs with it, not with "
                 "its own warm-up"),
    PARAM_ONE_OF(WorkloadCommon, caches, cache_state_names, "dirty",
                 "L2 when the kernel starts: dirty, as it was left; warm, kept but written back; "
                 "cold, empty"),
    PARAM_END,
};

const ParamGroup workload_group = {
    .name = WORKLOAD_GROUP,
    .summary = "what runs: a pattern, or a sequence of [kernel NAME] groups with one each",
    .params = common_params,
};

/* A group's launches, once. */
typedef struct {
    WorkloadCommon common;
    LaunchList *once;
} Part;

typedef struct {
    const Configuration *configuration;
    const WorkloadContext *context;
    GHashTable *parts; /* of Part, by group name */
    LaunchList *list;
} Builder;

static void part_free(gpointer data)
{
    Part *part = data;
    param_clear(common_params, &part->common);
    launch_list_free(part->once);
    g_free(part);
}

const WorkloadClass *workload_find(const char *name)
{
    for (const WorkloadClass *const *class = workload_classes(); *class; class ++)
        if (!strcmp((*class)->name, name)) return *class;
    return NULL;
}

/* --- errors ----------------------------------------------------------------------------------- */

static const Param *find_param(const Param *params, const char *key)
{
    for (; params && params->name; params++)
        if (!strcmp(params->name, key)) return params;
    return NULL;
}

/* Gives what a pattern said about a value its place. */
static void locate_error(const Configuration *configuration, const char *group, const Param *params,
                         const void *object, GError **error)
{
    if (!error || !g_error_matches(*error, WORKLOAD_VALUE_ERROR, 0)) return;
    g_autoptr(GError) inner = g_steal_pointer(error);
    char *colon = strstr(inner->message, ": ");
    g_autofree char *key = g_strndup(inner->message, (gsize)(colon - inner->message));
    const Param *param = find_param(params, key);
    g_autofree char *value = param ? param_format(param, object) : g_strdup("");
    reject_key(configuration, group, key, value, colon + 2, error);
}

static void reject_pattern(const Configuration *configuration, const char *group, const char *name,
                           GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const WorkloadClass *const *class = workload_classes(); *class; class ++)
        g_ptr_array_add(names, (gpointer)(*class)->name);
    g_ptr_array_add(names, NULL);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    const char *near = nearest_word(name, (const char *const *)names->pdata);
    g_autofree char *reason =
        !*name ? g_strdup_printf("there are %s", all)
        : near ? g_strdup_printf("no such pattern, did you mean '%s'? There are %s", near, all)
               : g_strdup_printf("no such pattern; there are %s", all);
    reject_key(configuration, group, "pattern", name, reason, error);
}

static GPtrArray *list_own_keys(const Configuration *configuration, const char *group,
                                const WorkloadClass *class)
{
    return class && class->own_keys ? class->own_keys(configuration, group) : g_ptr_array_new();
}

static bool has_own_key(const Configuration *configuration, const Setting *setting,
                        const WorkloadClass *class)
{
    g_autoptr(GPtrArray) own = list_own_keys(configuration, setting->group, class);
    for (guint i = 0; i < own->len; i++)
        if (!strcmp(((const WorkloadKey *)own->pdata[i])->name, setting->key)) return true;
    return false;
}

static void reject_unknown_key(const Configuration *configuration, const Setting *setting,
                               const WorkloadClass *class, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Param *param = common_params; param->name; param++)
        g_ptr_array_add(names, (gpointer)param->name);
    for (const Param *param = class ? class->params : NULL; param && param->name; param++)
        g_ptr_array_add(names, (gpointer)param->name);
    g_autoptr(GPtrArray) own = list_own_keys(configuration, setting->group, class);
    for (guint i = 0; i < own->len; i++)
        g_ptr_array_add(names, ((const WorkloadKey *)own->pdata[i])->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_word(setting->key, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    setting_reject(setting, error, "pattern '%s' has no parameter '%s'; %s%s%s",
                   class ? class->name : "", setting->key, near ? "did you mean '" : "it knows ",
                   near ? near : all, near ? "'?" : "");
}

/* --- the groups ------------------------------------------------------------------------------- */

/* The names of all [kernel NAME] groups, NULL-terminated; the strings are the configuration's. */
static GPtrArray *list_kernel_names(const Configuration *configuration)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const char *group = configuration_at(configuration, i)->group;
        if (!g_str_has_prefix(group, KERNEL_PREFIX)) continue;
        const char *name = group + strlen(KERNEL_PREFIX);
        if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, (gpointer)name);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static bool reject_missing_kernel(const Configuration *configuration, const char *name,
                                  GError **error)
{
    g_autoptr(GPtrArray) names = list_kernel_names(configuration);
    const char *near = nearest_word(name, (const char *const *)names->pdata);
    g_autofree char *reason =
        near ? g_strdup_printf("there is no group [kernel %s], did you mean '%s'?", name, near)
             : g_strdup_printf("there is no group [kernel %s]", name);
    reject_key(configuration, WORKLOAD_GROUP, "sequence", "", reason, error);
    return false;
}

/* The groups of kernels in launch order, NULL-terminated, newly allocated; NULL with error. */
static char **list_groups(const Configuration *configuration, GError **error)
{
    const Setting *sequence = configuration_find(configuration, WORKLOAD_GROUP, "sequence");
    g_autofree char *text = sequence ? g_strstrip(g_strdup(sequence->value)) : NULL;
    if (!text || !*text) {
        const char *const own[] = {WORKLOAD_GROUP, NULL};
        return g_strdupv((char **)own);
    }
    g_auto(GStrv) groups = g_strsplit(text, ",", -1);
    for (char **group = groups; *group; group++) {
        const char *name = g_strstrip(*group);
        g_autofree char *full = g_strconcat(KERNEL_PREFIX, name, NULL);
        if (!reject_find_group(configuration, full)) {
            reject_missing_kernel(configuration, name, error);
            return NULL;
        }
        g_free(*group);
        *group = g_steal_pointer(&full);
    }
    return g_steal_pointer(&groups);
}

/* The pattern of a group; NULL with error. */
static const WorkloadClass *find_class(const Configuration *configuration, const char *group,
                                       GError **error)
{
    const Setting *setting = configuration_find(configuration, group, "pattern");
    g_autofree char *name = g_strstrip(g_strdup(setting ? setting->value : ""));
    const WorkloadClass *class = workload_find(name);
    if (!class) reject_pattern(configuration, group, name, error);
    return class;
}

static bool is_workload_setting(const Setting *setting)
{
    return !strcmp(setting->group, WORKLOAD_GROUP)
           || g_str_has_prefix(setting->group, KERNEL_PREFIX);
}

/* A setting of a group that is not launched, or beside `sequence`. */
static bool reject_idle_setting(const Configuration *configuration, const Setting *setting,
                                GError **error)
{
    g_autofree char *reason = NULL;
    const Setting *sequence = configuration_find(configuration, WORKLOAD_GROUP, "sequence");
    if (!strcmp(setting->group, WORKLOAD_GROUP))
        reason = g_strdup("has no effect beside 'sequence'; it belongs into a [kernel NAME] group");
    else
        reason = g_strdup_printf("has no effect: workload.sequence (%s) does not name [%s]",
                                 sequence ? sequence->value : "not set", setting->group);
    reject_key(configuration, setting->group, setting->key, "", reason, error);
    return false;
}

/* Keys of [workload] alone, beside a sequence or not. */
static bool is_of_list(const char *key)
{
    return !strcmp(key, "sequence") || !strcmp(key, "kernels") || !strcmp(key, "kernel_name");
}

static bool check_setting(const Configuration *configuration, const Setting *setting,
                          const char *const *groups, GError **error)
{
    const bool launched = g_strv_contains(groups, setting->group);
    if (is_of_list(setting->key) && !strcmp(setting->group, WORKLOAD_GROUP)) return true;
    if (!launched) return reject_idle_setting(configuration, setting, error);
    if (is_of_list(setting->key)) {
        reject_key(configuration, setting->group, setting->key, "", "only [workload] may have it",
                   error);
        return false;
    }
    if (find_param(common_params, setting->key)) return true;
    const WorkloadClass *class = find_class(configuration, setting->group, error);
    if (!class) return false;
    if (find_param(class->params, setting->key) || has_own_key(configuration, setting, class))
        return true;
    reject_unknown_key(configuration, setting, class, error);
    return false;
}

bool workload_check(const Configuration *configuration, GError **error)
{
    g_auto(GStrv) groups = list_groups(configuration, error);
    if (!groups) return false;
    for (char **group = groups; *group; group++)
        if (!find_class(configuration, *group, error)) return false;
    for (guint i = 0; i < configuration_size(configuration); i++) {
        const Setting *setting = configuration_at(configuration, i);
        if (!is_workload_setting(setting)) continue;
        if (!check_setting(configuration, setting, (const char *const *)groups, error))
            return false;
    }
    return true;
}

/* --- building --------------------------------------------------------------------------------- */

static bool build_pattern(const Builder *b, const char *group, LaunchList *list, GError **error)
{
    const WorkloadClass *class = find_class(b->configuration, group, error);
    if (!class) return false;
    const ParamGroup table = {.name = group, .params = class->params};
    g_autofree void *object = g_malloc0(class->size);
    if (!configuration_apply_as(b->configuration, group, &table, object, error)) return false;
    g_autoptr(GError) problem = NULL;
    const bool good = class->build_group ? class->build_group(b->configuration, group, object,
                                                              b->context, list, &problem)
                                         : class->build(object, b->context, list, &problem);
    if (!good) {
        locate_error(b->configuration, group, class->params, object, &problem);
        g_propagate_error(error, g_steal_pointer(&problem));
    }
    param_clear(class->params, object);
    return good;
}

static bool check_common(const Builder *b, const char *group, const WorkloadCommon *common,
                         GError **error)
{
    if (common->warm_up_launches < common->launches || !common->measure) return true;
    g_autofree char *reason = g_strdup_printf(
        "of %" PRIu64 " launches, so none would be measured; measure = no says that",
        common->launches);
    reject_key(b->configuration, group, "warm_up_launches", "", reason, error);
    return false;
}

static void take_arrays(LaunchList *to, const LaunchList *from)
{
    for (guint i = 0; i < from->arrays->len; i++) {
        const MemoryArray *array = &g_array_index(from->arrays, MemoryArray, i);
        launch_list_add_array(to, array->name, array->address, array->bytes);
    }
}

static void note_origin(const LaunchList *list, const char *group)
{
    for (guint i = 0; i < list->kernels->len; i++) {
        Kernel *kernel = list->kernels->pdata[i];
        if (!kernel->origin) kernel->origin = g_strdup(group);
    }
}

/* The group's part, built when first named; NULL with error. */
static const Part *find_part(Builder *b, const char *group, GError **error)
{
    Part *part = g_hash_table_lookup(b->parts, group);
    if (part) return part;
    part = g_new0(Part, 1);
    part->once = launch_list_new();
    g_hash_table_insert(b->parts, g_strdup(group), part);
    if (!configuration_apply_as(b->configuration, group, &workload_group, &part->common, error)
        || !check_common(b, group, &part->common, error)
        || !build_pattern(b, group, part->once, error))
        return NULL;
    note_origin(part->once, group);
    launch_list_move_kernels(b->list, part->once);
    take_arrays(b->list, part->once);
    return part;
}

/* Before the launches that follow. */
static void append_commands(LaunchList *list, const Part *part)
{
    const GArray *commands = part->once->commands;
    for (guint i = 0; i < commands->len; i++) {
        HostCommand command = g_array_index(commands, HostCommand, i);
        command.before += list->launches->len;
        g_array_append_val(list->commands, command);
    }
}

static void append_launches(LaunchList *list, const Part *part)
{
    const WorkloadCommon *common = &part->common;
    for (uint64_t n = 0; n < common->launches; n++) {
        append_commands(list, part);
        for (guint i = 0; i < part->once->launches->len; i++) {
            Launch launch = g_array_index(part->once->launches, Launch, i);
            launch.measured = common->measure && n >= common->warm_up_launches && !launch.prepares;
            launch.keep_l1 = common->keep_l1;
            /* beside its own warm-up a time would be measured that is half of what ran */
            const bool first_measured = !i && n && n == common->warm_up_launches;
            launch.concurrent |= common->concurrent && !first_measured;
            launch.caches = (CacheState)common->caches;
            g_array_append_val(list->launches, launch);
        }
        g_array_append_vals(list->copies, part->once->copies->data, part->once->copies->len);
    }
}

/* Copies stand in the order of the launches that have them. */
static void point_at_copies(LaunchList *list)
{
    guint at = 0;
    for (guint i = 0; i < list->launches->len; i++) {
        Launch *launch = &g_array_index(list->launches, Launch, i);
        if (launch->copy_count) launch->copies = &g_array_index(list->copies, MemoryCopy, at);
        at += launch->copy_count;
    }
}

/* Of the groups one whose kernels the command line leaves out, or the first. */
static const char *find_unmeasured(const Configuration *configuration, char *const *groups)
{
    for (char *const *group = groups; *group; group++) {
        const Setting *setting = configuration_find(configuration, *group, "measure");
        if (setting && !setting->file) return *group;
    }
    return *groups;
}

static bool check_something_is_measured(const Builder *b, char *const *groups, GError **error)
{
    for (guint i = 0; i < b->list->launches->len; i++)
        if (launch_list_at(b->list, i)->measured) return true;
    reject_key(b->configuration, find_unmeasured(b->configuration, groups), "measure", "",
               "every kernel has that, so nothing would be measured", error);
    return false;
}

static bool build_all(Builder *b, GError **error)
{
    g_auto(GStrv) groups = list_groups(b->configuration, error);
    if (!groups) return false;
    for (char **group = groups; *group; group++) {
        const Part *part = find_part(b, *group, error);
        if (!part) return false;
        append_launches(b->list, part);
    }
    point_at_copies(b->list);
    return traffic_is_alone(b->configuration, b->list, error)
           && selection_apply(b->configuration, b->list, error)
           && check_something_is_measured(b, groups, error);
}

LaunchList *workload_build(const Configuration *configuration, const WorkloadContext *context,
                           GError **error)
{
    g_autoptr(LaunchList) list = launch_list_new();
    g_autoptr(GHashTable) parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, part_free);
    Builder builder = {configuration, context, parts, list};
    if (!workload_check(configuration, error) || !build_all(&builder, error)
        || !array_groups_add(configuration, list, error))
        return NULL;
    return g_steal_pointer(&list);
}

bool workload_list_files(const Configuration *configuration, const char *group,
                         const WorkloadContext *context, GPtrArray *files, GError **error)
{
    const WorkloadClass *class = find_class(configuration, group, error);
    if (!class || !class->list_files) return class != NULL;
    const ParamGroup table = {.name = group, .params = class->params};
    g_autofree void *object = g_malloc0(class->size);
    if (!configuration_apply_as(configuration, group, &table, object, error)) return false;
    g_autoptr(GError) problem = NULL;
    const bool good = class->list_files(object, context, files, &problem);
    if (!good) {
        locate_error(configuration, group, class->params, object, &problem);
        g_propagate_error(error, g_steal_pointer(&problem));
    }
    param_clear(class->params, object);
    return good;
}
