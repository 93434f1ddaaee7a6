#include "workloads/traces/generate.h"

#include <string.h>

#include "kit/describe/nearest.h"
#include "workloads/traces/header.h"

/* As simulation.seed, so that a trace of a pattern gives the results of the pattern itself. */
enum { DEFAULT_SEED = 1 };

static const char *const mode_names[] = {"densest", "listed", "strided", "deltas", NULL};
static const char *const compression_names[] = {"none", "gz", "xz", NULL};

static const Param encoding_params[] = {
    PARAM_NUMBER(TraceEncoding, tracer_version, PARAM_COUNT, "5", 1, TRACE_VERSION_MAX,
                 "version of Accel-Sim's tracer whose text is written"),
    PARAM_ONE_OF(
        TraceEncoding, address_mode, mode_names, "densest",
        "densest: what is shortest; listed: every lane; strided: base and stride where they "
        "say all; deltas: base and differences"),
    PARAM_ONE_OF(TraceEncoding, compression, compression_names, "none", "of the kernel files"),
    PARAM_SWITCH(TraceEncoding, line_info, "no", "every instruction names a source line"),
    PARAM_END,
};

const ParamGroup trace_encoding_group = {
    .name = "trace",
    .summary = "how a trace is written",
    .params = encoding_params,
};

static const TraceRecipe recipes[] = {
    {"stream", "every element of an array is read once", "stream", {"operation=read", NULL}},
    {"copy", "one array is copied to another", "stream", {"operation=copy", NULL}},
    {"triad", "A = B * c + C", "stream", {"operation=triad", NULL}},
    {"strided", "each lane of a load in a line of its own", "strided", {"lane_stride=128B", NULL}},
    {"random", "each lane loads a random element", "random", {NULL}},
    {"chase", "dependent loads through a working set", "pointer_chase", {NULL}},
    {"atomics",
     "all lanes add to one word",
     "strided",
     {"operation=reduce", "layout=given", "lane_stride=0B", NULL}},
    {.name = NULL},
};

const TraceRecipe *trace_recipes(void)
{
    return recipes;
}

static const TraceRecipe *trace_recipe_find(const char *name)
{
    for (const TraceRecipe *recipe = recipes; recipe->name; recipe++)
        if (!strcmp(recipe->name, name)) return recipe;
    return NULL;
}

static bool reject_recipe(const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const TraceRecipe *recipe = recipes; recipe->name; recipe++)
        g_ptr_array_add(names, (gpointer)recipe->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_word(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, PARAM_ERROR, 0, "no trace is called '%s'%s%s%s; there are %s", name,
                near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "", all);
    return false;
}

static bool is_encoding_key(const char *key)
{
    for (const Param *param = encoding_params; param->name; param++)
        if (!strcmp(param->name, key)) return true;
    return false;
}

/* Of a list's keys only `launches` shows in a trace. */
static bool check_key(const TraceRecipe *recipe, const char *key, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (const Param *param = workload_find(recipe->pattern)->params; param->name; param++)
        g_ptr_array_add(names, (gpointer)param->name);
    for (const Param *param = encoding_params; param->name; param++)
        g_ptr_array_add(names, (gpointer)param->name);
    g_ptr_array_add(names, (gpointer) "launches");
    g_ptr_array_add(names, NULL);
    if (g_strv_contains((const char *const *)names->pdata, key)) return true;
    const char *near = nearest_word(key, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, PARAM_ERROR, 0, "'%s' is no key of the trace '%s'%s%s%s", key, recipe->name,
                near ? ", did you mean '" : "; there are ", near ? near : all, near ? "'?" : "");
    return false;
}

/* "key=value" becomes a setting of the encoding or of the workload. */
static bool add_settings(Configuration *configuration, const TraceRecipe *recipe,
                         const char *const *settings, GError **error)
{
    for (; settings && *settings; settings++) {
        const char *equals = strchr(*settings, '=');
        if (!equals) {
            g_set_error(error, PARAM_ERROR, 0, "'%s' is not key=value", *settings);
            return false;
        }
        g_autofree char *key = g_strstrip(g_strndup(*settings, (gsize)(equals - *settings)));
        if (!check_key(recipe, key, error)) return false;
        const char *group = is_encoding_key(key) ? trace_encoding_group.name : workload_group.name;
        configuration_set(configuration, group, key, equals + 1, NULL, 0);
    }
    return true;
}

bool trace_generate(const char *name, const char *const *settings, const char *directory,
                    GError **error)
{
    const TraceRecipe *recipe = trace_recipe_find(name);
    if (!recipe) return reject_recipe(name, error);
    g_autoptr(Configuration) configuration = configuration_new();
    configuration_set(configuration, workload_group.name, "pattern", recipe->pattern, NULL, 0);
    TraceEncoding encoding = {0};
    if (!add_settings(configuration, recipe, recipe->settings, error)
        || !add_settings(configuration, recipe, settings, error)
        || !configuration_apply(configuration, &trace_encoding_group, &encoding, error))
        return false;
    const WorkloadContext context = {.seed = DEFAULT_SEED, .warp_lanes = TRACE_LANES};
    g_autoptr(LaunchList) list = workload_build(configuration, &context, error);
    return list && trace_write(list, &encoding, directory, error);
}
