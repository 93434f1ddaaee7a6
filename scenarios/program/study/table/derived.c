#include "scenarios/program/study/table/derived.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/language/resolve.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/dimensions/formula.h"
#include "scenarios/program/study/records/number.h"
#include "scenarios/program/study/records/own_results.h"

struct DerivedResults {
    const Manifest *manifest;
    GPtrArray *formulas;  /* of Formula */
    GPtrArray *bases;     /* of GHashTable: a parameter's name -> its value */
    GHashTable *columns;  /* a result's name -> its position + 1 */
    guint written;        /* of them, what runs write */
    OutcomeValue *values; /* of the point that is looked at */
    GString **texts;      /* theirs */
    const Point *point;
    const GArray *outcome; /* of OutcomeValue: what its run wrote */
};

/* --- what there is ---------------------------------------------------------------------------- */

static GHashTable *read_base(const Base *base, GError **error)
{
    g_autoptr(GPtrArray) values = resolve_values(base->configuration, error);
    if (!values) return NULL;
    GHashTable *by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < values->len; i++) {
        const ResolvedValue *value = values->pdata[i];
        g_hash_table_insert(by_name, g_strconcat(value->group, ".", value->key, NULL),
                            g_strdup(value->value));
    }
    return by_name;
}

static bool read_bases(DerivedResults *results, GError **error)
{
    for (guint i = 0; i < results->manifest->bases->len; i++) {
        GHashTable *base = read_base(results->manifest->bases->pdata[i], error);
        if (!base) return false;
        g_ptr_array_add(results->bases, base);
    }
    return true;
}

/* NULL-terminated; the names are those of the tables. */
static const char **list_names(const DerivedResults *results)
{
    g_autoptr(GHashTable) all = g_hash_table_new(g_str_hash, g_str_equal);
    GHashTableIter iterator;
    gpointer name;
    for (guint i = 0; i < results->bases->len; i++) {
        g_hash_table_iter_init(&iterator, results->bases->pdata[i]);
        while (g_hash_table_iter_next(&iterator, &name, NULL)) g_hash_table_add(all, name);
    }
    for (guint i = 0; i < results->manifest->dimensions->len; i++)
        g_hash_table_add(all, ((Dimension *)results->manifest->dimensions->pdata[i])->name);
    g_hash_table_iter_init(&iterator, results->columns);
    while (g_hash_table_iter_next(&iterator, &name, NULL)) g_hash_table_add(all, name);
    return (const char **)g_hash_table_get_keys_as_array(all, NULL);
}

static bool is_number(const DerivedResults *results, const char *name)
{
    if (g_hash_table_contains(results->columns, name)) return true;
    if (manifest_find_dimension(results->manifest, name) >= 0) return true;
    for (guint i = 0; i < results->bases->len; i++) {
        const char *value = g_hash_table_lookup(results->bases->pdata[i], name);
        if (value && isfinite(number_or_switch(value))) return true;
    }
    return false;
}

/* A result is made of those above it. */
static bool check_names(const DerivedResults *results, const Formula *formula, GError **error)
{
    const GPtrArray *names = formula_names(formula);
    const guint above = results->written + results->formulas->len;
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        const char *refusal = own_result_refusal(results->manifest, name, is_number(results, name));
        if (GPOINTER_TO_UINT(g_hash_table_lookup(results->columns, name)) > above)
            refusal = "does not stand above it";
        if (!refusal) continue;
        g_set_error(error, STUDY_ERROR, 0, "%s %s", name, refusal);
        return false;
    }
    return true;
}

static bool read_formulas(DerivedResults *results, GError **error)
{
    g_autofree const char **names = list_names(results);
    for (guint i = 0; i < results->manifest->derived->len; i++) {
        const Derived *derived = results->manifest->derived->pdata[i];
        g_autoptr(Formula) formula = formula_new(derived->expression, names, error);
        if (!formula || !check_names(results, formula, error)) {
            g_prefix_error(error, "result.%s = %s: ", derived->name, derived->expression);
            return false;
        }
        g_ptr_array_add(results->formulas, g_steal_pointer(&formula));
    }
    return true;
}

DerivedResults *derived_results_new(const Manifest *manifest, const StudyColumns *columns,
                                    GError **error)
{
    const guint count = manifest->derived->len;
    g_autoptr(DerivedResults) results = g_new0(DerivedResults, 1);
    *results = (DerivedResults){
        .manifest = manifest,
        .formulas = g_ptr_array_new_with_free_func((GDestroyNotify)formula_free),
        .bases = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref),
        .columns = g_hash_table_new(g_str_hash, g_str_equal),
        .written = columns->results->len - count,
        .values = g_new0(OutcomeValue, count + 1),
        .texts = g_new0(GString *, count + 1),
    };
    for (guint i = 0; i < count; i++) results->texts[i] = g_string_new(NULL);
    for (guint i = 0; i < columns->results->len; i++)
        g_hash_table_insert(results->columns,
                            (gpointer)g_array_index(columns->results, ResultColumn, i).name,
                            GUINT_TO_POINTER(i + 1));
    if (!count) return g_steal_pointer(&results);
    return read_bases(results, error) && read_formulas(results, error) ? g_steal_pointer(&results)
                                                                       : NULL;
}

void derived_results_free(DerivedResults *results)
{
    if (!results) return;
    for (guint i = 0; i < results->manifest->derived->len; i++)
        g_string_free(results->texts[i], TRUE);
    g_ptr_array_unref(results->formulas);
    g_ptr_array_unref(results->bases);
    g_hash_table_unref(results->columns);
    g_free(results->values);
    g_free(results->texts);
    g_free(results);
}

/* --- of a point ------------------------------------------------------------------------------- */

static const char *parameter_of(const DerivedResults *results, const char *name)
{
    for (guint i = 0; i < results->manifest->dimensions->len; i++)
        if (!strcmp(((Dimension *)results->manifest->dimensions->pdata[i])->name, name))
            return results->point->values[i];
    return g_hash_table_lookup(results->bases->pdata[results->point->base], name);
}

/* What a run wrote goes before parameters: a statistic is called as one could be. */
static double look_up(void *user, const char *name)
{
    const DerivedResults *results = user;
    const guint column = GPOINTER_TO_UINT(g_hash_table_lookup(results->columns, name));
    if (!column) return number_or_switch(parameter_of(results, name));
    const OutcomeValue *value = column <= results->written
                                    ? &g_array_index(results->outcome, OutcomeValue, column - 1)
                                    : &results->values[column - 1 - results->written];
    return value->kind == OUTCOME_NUMBER ? value->number : NAN;
}

static void put_value(DerivedResults *results, guint index, double number)
{
    GString *text = g_string_truncate(results->texts[index], 0);
    if (isfinite(number)) json_append_real(text, number);
    results->values[index] = isfinite(number) ? (OutcomeValue){OUTCOME_NUMBER, number, text->str}
                                              : (OutcomeValue){OUTCOME_ABSENT, NAN, NULL};
}

const OutcomeValue *derived_results_of(DerivedResults *results, const Point *point,
                                       const GArray *values)
{
    results->point = point;
    results->outcome = values;
    for (guint i = 0; i < results->formulas->len; i++)
        put_value(results, i, formula_value(results->formulas->pdata[i], look_up, results));
    return results->values;
}
