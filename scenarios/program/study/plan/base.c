/* Bases: resolved configurations that points start from, one for each combination of values that
 * decide which parameters there are. */
#include <string.h>

#include "scenarios/program/language/dram_part.h"
#include "scenarios/program/language/peak.h"
#include "scenarios/program/study/plan/private.h"

void plan_base_free(gpointer data)
{
    PlanBase *base = data;
    g_clear_pointer(&base->values, g_ptr_array_unref);
    g_clear_pointer(&base->by_name, g_hash_table_unref);
    point_key_free(base->key);
    g_free(base);
}

/* --- loading ---------------------------------------------------------------------------------- */

static const char *value_of(const Plan *plan, char *const *values, const char *name)
{
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        if (!strcmp(dimension->setting->key, name)) return values[i];
    }
    return NULL;
}

/* What goes over the scenario; DRAM parts only if `part`. */
static Configuration *list_upper(const Plan *plan, char *const *values, bool part)
{
    Configuration *upper = configuration_new();
    const bool states_peak = value_of(plan, values, "machine.peak_bandwidth_gbps") != NULL;
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        const Setting *s = dimension->setting;
        if (!dimension->group) continue;
        if (peak_depends_on(s->key) && !states_peak) peak_forget(upper, s->file, s->line);
        if (!dimension->structural || !*values[i]) continue;
        if (part || !dram_part_is_key(dimension->group, dimension->key))
            configuration_set(upper, dimension->group, dimension->key, values[i], s->file, s->line);
    }
    return upper;
}

/* A copy of the variant, free of the scenario; NULL with error. */
static Configuration *load(const Plan *plan, char *const *values, bool part, GError **error)
{
    g_autoptr(Configuration) upper = list_upper(plan, values, part);
    g_autoptr(Scenario) scenario = scenario_load_under(plan->path, plan->sets, upper, error);
    const char *name = value_of(plan, values, "variant");
    const Variant *variant =
        scenario ? scenario_find_variant(scenario, name ? name : "baseline", error) : NULL;
    if (!variant) return NULL;
    Variant own = {.name = variant->name,
                   .configuration = configuration_copy(variant->configuration)};
    variant_make_files_absolute(&own);
    if (variant_check_names(&own, error)) return own.configuration;
    configuration_free(own.configuration);
    return NULL;
}

/* A part that is there already stays with all that was said over it. */
static Configuration *load_configuration(const Plan *plan, char *const *values, GError **error)
{
    const char *part = value_of(plan, values, "dram.part");
    g_autoptr(Configuration) configuration = load(plan, values, false, error);
    if (!configuration || !part || !*part) return g_steal_pointer(&configuration);
    const Setting *present = configuration_find(configuration, "dram", "part");
    if (present && !strcmp(present->value, part)) return g_steal_pointer(&configuration);
    return load(plan, values, true, error);
}

/* --- what is known of it ---------------------------------------------------------------------- */

/* In place of a file's name, what is in it. */
static bool read_files(const Plan *plan, PlanBase *base, GError **error)
{
    for (guint i = 0; i < base->values->len; i++) {
        ResolvedValue *value = base->values->pdata[i];
        if (!variant_reads_file(value->group, value->key) || !value->setting || !*value->value)
            continue;
        char *digest = plan_add_files(plan, base->base, value->setting, error);
        if (!digest) return false;
        g_free(value->value);
        value->value = digest;
    }
    return true;
}

/* The variants and presets that decided which parameters there are. */
static char *describe_values(const Plan *plan, char *const *values)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        if (dimension->structural)
            g_string_append_printf(text, "%s%s = %s", text->len ? ", " : "",
                                   dimension->setting->key, values[i]);
    }
    return g_string_free(text, FALSE);
}

static bool check_names(const Plan *plan, const PlanBase *base, char *const *values, GError **error)
{
    for (guint i = 0; i < plan->dimensions->len; i++) {
        const PlanDimension *dimension = plan->dimensions->pdata[i];
        const Setting *s = dimension->setting;
        if (dimension->structural || g_hash_table_contains(base->by_name, s->key)) continue;
        g_autofree char *where = describe_values(plan, values);
        return setting_reject(
            s, error, "with %s there is no such parameter, so the study cannot vary both", where);
    }
    return true;
}

static GPtrArray *list_dimension_names(const Plan *plan)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < plan->dimensions->len; i++)
        g_ptr_array_add(names, ((const PlanDimension *)plan->dimensions->pdata[i])->setting->key);
    g_ptr_array_add(names, NULL);
    return names;
}

/* Structural values stand in the base: points do not change them, though they have their names. */
static PointKey *make_key(const Plan *plan, const PlanBase *base)
{
    g_autoptr(GPtrArray) names = list_dimension_names(plan);
    for (guint i = 0; i < plan->dimensions->len; i++)
        if (((const PlanDimension *)plan->dimensions->pdata[i])->structural)
            names->pdata[i] = (gpointer) "";
    return point_key_new(plan->manifest->program, base->values, (const char *const *)names->pdata);
}

static bool describe_base(const Plan *plan, PlanBase *base, char *const *values, GError **error)
{
    const Variant variant = {base->base->variant, base->base->configuration};
    base->values = resolve_values(base->base->configuration, error);
    if (!base->values || !read_files(plan, base, error)) return false;
    base->seed = variant_seed(&variant);
    base->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < base->values->len; i++) {
        const ResolvedValue *value = base->values->pdata[i];
        g_hash_table_insert(base->by_name, plan_name(value), value->value);
    }
    base->key = make_key(plan, base);
    return check_names(plan, base, values, error);
}

PlanBase *plan_add_base(Plan *plan, Configuration *configuration, char *const *values,
                        GError **error)
{
    const char *variant = value_of(plan, values, "variant");
    PlanBase *base = g_new0(PlanBase, 1);
    g_ptr_array_add(plan->bases, base);
    base->index = plan->manifest->bases->len;
    base->base = manifest_add_base(plan->manifest);
    base->base->variant = g_strdup(variant ? variant : "baseline");
    configuration_free(base->base->configuration);
    base->base->configuration = configuration;
    return describe_base(plan, base, values, error) ? base : NULL;
}

static char *join_structural(const Plan *plan, char *const *values)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < plan->dimensions->len; i++)
        if (((const PlanDimension *)plan->dimensions->pdata[i])->structural)
            g_string_append_printf(text, "%s\n", values[i]);
    return g_string_free(text, FALSE);
}

PlanBase *plan_find_base(Plan *plan, char *const *values, GError **error)
{
    g_autofree char *text = join_structural(plan, values);
    PlanBase *base = g_hash_table_lookup(plan->base_of, text);
    if (base) return base;
    Configuration *configuration = load_configuration(plan, values, error);
    const char *component = value_of(plan, values, PERFECT_DIMENSION);
    if (configuration && component)
        configuration = plan_make_perfect(configuration, component, error);
    if (!configuration) return NULL;
    base = plan_add_base(plan, configuration, values, error);
    if (base) g_hash_table_insert(plan->base_of, g_steal_pointer(&text), base);
    return base;
}
