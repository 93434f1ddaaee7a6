/* What a study computes of names: results of its own, and conditions on its points.
 *
 *     result.cost = l2_slice.capacity * 8 + 12 * l1.prt_entries * machine.sms
 *     result.cost.unit = bits
 *     result.cost.better = lower
 *     result.cost.summary = what is paid for */
#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/study/dimensions/formula.h"
#include "scenarios/program/study/plan/private.h"
#include "scenarios/program/study/records/number.h"
#include "scenarios/program/study/records/outcome.h"
#include "scenarios/program/study/records/own_results.h"

static const char PREFIX[] = "result.";

/* A result that is known before a point runs: it has in it parameters and what machines store. */
typedef struct {
    const Derived *result; /* the manifest's */
    Formula *formula;
    bool told;  /* its value for the row that is judged is */
    char *text; /* NULL: it has none */
} Known;

static void known_forget(Known *known)
{
    known->told = false;
    g_clear_pointer(&known->text, g_free);
}

void plan_derived_free(gpointer data)
{
    Known *known = data;
    formula_free(known->formula);
    g_free(known->text);
    g_free(known);
}

bool plan_is_derived(const char *key)
{
    return g_str_has_prefix(key, PREFIX);
}

static Known *find_known(const Plan *plan, const char *name)
{
    for (guint i = 0; i < plan->derived->len; i++) {
        Known *known = plan->derived->pdata[i];
        if (!strcmp(known->result->name, name)) return known;
    }
    return NULL;
}

/* --- names ------------------------------------------------------------------------------------ */

static void add_name(GPtrArray *names, const char *name)
{
    g_ptr_array_add(names, g_strdup(name));
}

/* Parameters, results, statistics that the study names, and those of its own that stand above. */
static GPtrArray *list_names(const Plan *plan)
{
    GPtrArray *names = plan_list_names(plan, false);
    const Manifest *manifest = plan->manifest;
    g_ptr_array_set_size(names, (int)names->len - 1);
    for (const ResultColumn *column = result_columns(); column->name; column++)
        add_name(names, column->name);
    for (guint i = 0; i < manifest->statistics->len; i++)
        add_name(names, manifest->statistics->pdata[i]);
    for (guint i = 0; i < manifest->derived->len; i++)
        add_name(names, ((const Derived *)manifest->derived->pdata[i])->name);
    g_ptr_array_add(names, NULL);
    return names;
}

static bool is_result(const Plan *plan, const char *name)
{
    const Manifest *manifest = plan->manifest;
    if (result_column_find(name) >= 0) return true;
    for (guint i = 0; i < manifest->derived->len; i++)
        if (!strcmp(((const Derived *)manifest->derived->pdata[i])->name, name)) return true;
    return g_ptr_array_find_with_equal_func(manifest->statistics, name, g_str_equal, NULL);
}

/* Texts are in no sum. */
static bool is_number(const Plan *plan, const char *name)
{
    if (is_result(plan, name)) return true;
    g_auto(GStrv) parts = g_new0(char *, 3);
    if (!setting_name_split(name, &parts[0], &parts[1])) return false;
    const ResolvedValue *value = plan_find_value(plan, parts[0], parts[1]);
    return !value || isfinite(number_or_switch(value->value));
}

/* --- results of its own ----------------------------------------------------------------------- */

static const char *const properties[] = {"unit", "better", "summary", NULL};

/* Of result.NAME.PROPERTY; the one that is given if the study has none. */
static char *read_property(const Plan *plan, const char *name, const char *property,
                           const char *otherwise)
{
    g_autofree char *key = g_strconcat(PREFIX, name, ".", property, NULL);
    const Setting *setting = configuration_find(plan->scenario->study, "study", key);
    return g_strdup(setting && *setting->value ? setting->value : otherwise);
}

static bool check_names(const Plan *plan, const Setting *setting, const Formula *formula,
                        GError **error)
{
    const GPtrArray *names = formula_names(formula);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        const char *refusal = own_result_refusal(plan->manifest, name, is_number(plan, name));
        if (refusal) return setting_reject(setting, error, "%s %s", name, refusal);
    }
    return true;
}

static bool has_results(const Plan *plan, const Formula *formula)
{
    const GPtrArray *names = formula_names(formula);
    for (guint i = 0; i < names->len; i++)
        if (is_result(plan, names->pdata[i]) && !find_known(plan, names->pdata[i])
            && !g_strv_contains(plan_stored_names, names->pdata[i]))
            return true;
    return false;
}

static bool add_result(Plan *plan, const Setting *setting, const char *name, GError **error)
{
    GError *cause = NULL;
    g_autoptr(GPtrArray) names = list_names(plan);
    g_autoptr(Formula) formula =
        formula_new(setting->value, (const char *const *)names->pdata, &cause);
    if (!formula) {
        setting_reject(setting, error, "%s", cause->message);
        g_error_free(cause);
        return false;
    }
    if (!check_names(plan, setting, formula, error)) return false;
    const bool known = !has_results(plan, formula);
    Derived *result = manifest_add_derived(plan->manifest);
    *result = (Derived){
        .name = g_strdup(name),
        .expression = g_strdup(setting->value),
        .unit = read_property(plan, name, "unit", ""),
        .better = read_property(plan, name, "better", "neither"),
        .summary = read_property(plan, name, "summary", setting->value),
    };
    if (!known) return true;
    Known *entry = g_new0(Known, 1);
    *entry = (Known){.result = result, .formula = g_steal_pointer(&formula)};
    g_ptr_array_add(plan->derived, entry);
    return true;
}

/* Behind the dot of result.NAME.PROPERTY. */
static bool check_property(const Plan *plan, const Setting *setting, const char *property,
                           GError **error)
{
    g_autofree char *key = g_strndup(setting->key, (gsize)(property - 1 - setting->key));
    const Setting *result = configuration_find(plan->scenario->study, "study", key);
    const bool better = !strcmp(property, "better");
    if (!g_strv_contains(properties, property)) {
        const char *near = nearest_word(property, properties);
        return setting_reject(setting, error, "a result has unit, better and summary%s%s%s",
                              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    if (!*setting->value) return true;
    if (!result) return setting_reject(setting, error, "there is no %s", key);
    if (!better || g_strv_contains(own_result_betters, setting->value)) return true;
    return setting_reject(setting, error, "neither lower, higher nor neither");
}

/* A key without a value takes back what a scenario that is extended says. */
static bool read_result(Plan *plan, const Setting *setting, GError **error)
{
    const char *name = setting->key + strlen(PREFIX), *property = strchr(name, '.');
    if (property) return check_property(plan, setting, property + 1, error);
    if (!*setting->value) return true;
    g_autoptr(GError) cause = NULL;
    if (!own_result_check_name(plan->manifest, name, &cause))
        return setting_reject(setting, error, "%s", cause->message);
    return add_result(plan, setting, name, error);
}

/* --- for a row of the design ------------------------------------------------------------------ */

typedef struct {
    const Plan *plan;
    const PlanBase *base;
    char *const *values;
    PlanStored stored;
} Candidate;

static const char *look_up(void *user, const char *name);

static double look_up_number(void *user, const char *name)
{
    return number_or_switch(look_up(user, name));
}

/* With its unit, where that is one that a condition knows. */
static char *known_text(const Known *known, double value)
{
    double number;
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(value)) return NULL;
    g_ascii_formatd(digits, sizeof digits, "%.15g", value);
    g_autofree char *quantity = g_strconcat(digits, " ", known->result->unit, NULL);
    return g_strdup(number_read(quantity, &number, NULL) ? quantity : digits);
}

/* Only what is asked for is computed: a machine may have to be built for it. */
static const char *compute(Candidate *candidate, Known *known)
{
    if (known->told) return known->text;
    known->told = true;
    known->text = known_text(known, formula_value(known->formula, look_up_number, candidate));
    return known->text;
}

static const char *look_up(void *user, const char *name)
{
    Candidate *candidate = user;
    Known *known = find_known(candidate->plan, name);
    if (known) return compute(candidate, known);
    if (g_strv_contains(plan_stored_names, name))
        return plan_stored_text(&candidate->stored, candidate->plan, candidate->base,
                                candidate->values, name);
    for (guint i = 0; i < candidate->plan->dimensions->len; i++) {
        const PlanDimension *dimension = candidate->plan->dimensions->pdata[i];
        if (!strcmp(dimension->setting->key, name)) return candidate->values[i];
    }
    if (!strcmp(name, "variant")) return candidate->base->base->variant;
    return g_hash_table_lookup(candidate->base->by_name, name);
}

bool plan_meets_where(const Plan *plan, const PlanBase *base, char *const *values, GError **error)
{
    Candidate candidate = {.plan = plan, .base = base, .values = values};
    GError *problem = NULL;
    if (!plan->where) return true;
    for (guint i = 0; i < plan->derived->len; i++) known_forget(plan->derived->pdata[i]);
    const bool meets = where_test(plan->where, look_up, &candidate, &problem);
    if (candidate.stored.state == STORED_REJECTED) {
        g_clear_error(&problem);
        return true;
    }
    if (problem) g_propagate_error(error, problem);
    return meets;
}

static bool read_where(Plan *plan, GError **error)
{
    const Setting *setting = configuration_find(plan->scenario->study, "study", "where");
    if (!setting || !*setting->value) return true;
    g_autoptr(GPtrArray) names = plan_list_names(plan, false);
    g_ptr_array_set_size(names, (int)names->len - 1);
    for (guint i = 0; i < plan->derived->len; i++)
        add_name(names, ((const Known *)plan->derived->pdata[i])->result->name);
    for (const char *const *name = plan_stored_names; *name; name++) add_name(names, *name);
    g_ptr_array_add(names, NULL);
    plan->where = where_new(setting, (const char *const *)names->pdata, error);
    return plan->where != NULL;
}

bool plan_read_formulas(Plan *plan, GError **error)
{
    const Configuration *study = plan->scenario->study;
    for (guint i = 0; i < configuration_size(study); i++) {
        const Setting *setting = configuration_at(study, i);
        if (plan_is_derived(setting->key) && !read_result(plan, setting, error)) return false;
    }
    return read_where(plan, error);
}
