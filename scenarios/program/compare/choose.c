#include "scenarios/program/compare/choose.h"

#include <math.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/result/kernels.h"
#include "workloads/selection.h"

typedef struct {
    const KernelChoice *choice;
    bool *numbers; /* by number, from 1 on; NULL: all */
    guint length;  /* of the list */
} Filter;

static guint number_of(JsonNode *kernel, const char *member)
{
    const double number = result_number(kernel, member);
    return isfinite(number) && number > 0 ? (guint)number : 0;
}

/* Launches of the list that the result is of. */
static guint count_launches(JsonNode *result)
{
    JsonArray *kernels = result_kernels(result, "summary.kernels");
    guint length = 0;
    for (guint i = 0; kernels && i < json_array_get_length(kernels); i++)
        length = MAX(length, number_of(json_array_get_element(kernels, i), "number"));
    return length;
}

static bool matches(const Filter *filter, JsonNode *kernel, const char *member)
{
    const char *name = result_text(kernel, "name");
    const guint number = member ? number_of(kernel, member) : 0;
    if (filter->choice->name && !(name && g_pattern_match_simple(filter->choice->name, name)))
        return false;
    if (!filter->numbers || !member) return true;
    return number && number <= filter->length && filter->numbers[number - 1];
}

/* `member` has its number; NULL: it has none. */
static void keep(JsonArray *kernels, const Filter *filter, const char *member)
{
    for (guint i = kernels ? json_array_get_length(kernels) : 0; i-- > 0;)
        if (!matches(filter, json_array_get_element(kernels, i), member))
            json_array_remove_element(kernels, i);
}

/* Names of all kernels that ran, NULL-terminated; the strings are the result's. */
static GPtrArray *list_names(JsonNode *result)
{
    GPtrArray *names = g_ptr_array_new();
    JsonArray *kernels = result_kernels(result, "summary.kernels");
    for (guint i = 0; kernels && i < json_array_get_length(kernels); i++) {
        const char *name = result_text(json_array_get_element(kernels, i), "name");
        if (name) g_ptr_array_add(names, (gpointer)name);
    }
    g_ptr_array_add(names, NULL);
    return names;
}

static bool has_any(JsonNode *result, const Filter *filter)
{
    JsonArray *kernels = result_kernels(result, "summary.kernels");
    for (guint i = 0; kernels && i < json_array_get_length(kernels); i++)
        if (matches(filter, json_array_get_element(kernels, i), "number")) return true;
    return false;
}

static bool reject(JsonNode *result, const KernelChoice *choice, GError **error)
{
    g_autoptr(GPtrArray) names = list_names(result);
    const char *near =
        choice->name ? nearest_word(choice->name, (const char *const *)names->pdata) : NULL;
    g_set_error(error, RESULT_ERROR, 0, "--%s %s: the result of %s has no such kernel%s%s%s",
                choice->name ? "kernel" : "kernels", choice->name ? choice->name : choice->kernels,
                result_text(result, "variant"), near ? ", did you mean '" : "", near ? near : "",
                near ? "'?" : "");
    return false;
}

static bool choose(JsonNode *result, Filter *filter, GError **error)
{
    const KernelChoice *choice = filter->choice;
    filter->length = count_launches(result);
    g_autofree bool *numbers = choice->kernels ? g_new0(bool, filter->length + 1) : NULL;
    g_autofree char *wrong =
        numbers ? selection_mark(choice->kernels, filter->length, numbers) : NULL;
    filter->numbers = numbers;
    if (wrong) {
        g_set_error(error, RESULT_ERROR, 0, "--kernels %s: " SELECTION_NONE, choice->kernels, wrong,
                    filter->length);
        return false;
    }
    if (!has_any(result, filter)) return reject(result, choice, error);
    keep(result_kernels(result, "summary.kernels"), filter, "number");
    keep(result_kernels(result, "kernels"), filter, "launch");
    if (numbers)
        json_object_remove_member(json_node_get_object(result), "kernel_names");
    else
        keep(result_kernels(result, "kernel_names"), filter, NULL);
    return true;
}

/* --- one of them ------------------------------------------------------------------------------ */

static JsonNode *only_kernel(JsonNode *result)
{
    JsonArray *kernels = result_kernels(result, "kernels");
    JsonNode *kernel =
        kernels && json_array_get_length(kernels) == 1 ? json_array_get_element(kernels, 0) : NULL;
    return kernel && result_member(kernel, "summary") ? kernel : NULL;
}

static bool all_have_one(const GPtrArray *results)
{
    for (guint i = 0; i < results->len; i++)
        if (!only_kernel(results->pdata[i])) return false;
    return true;
}

/* What is of all kernels goes, and the kernel's own members take its place. */
static void become(JsonNode *result, JsonNode *kernel)
{
    static const char *const own[] = {"summary", "stages", "units", "resources"};
    static const char *const gone[] = {"profile", "timeline",     "timeline_selection", "why",
                                       "kernels", "kernel_names", "kernel_rest"};
    JsonObject *object = json_node_get_object(result);
    g_autofree char *variant =
        g_strdup_printf("%s/%s", result_text(result, "variant"), result_text(kernel, "name"));
    for (guint i = 0; i < G_N_ELEMENTS(own); i++)
        json_object_set_member(object, own[i],
                               json_object_dup_member(json_node_get_object(kernel), own[i]));
    for (guint i = 0; i < G_N_ELEMENTS(gone); i++) json_object_remove_member(object, gone[i]);
    json_object_set_string_member(object, "variant", variant);
}

bool kernels_choose(const GPtrArray *results, const KernelChoice *choice, GError **error)
{
    Filter filter = {.choice = choice};
    if (!choice->kernels && !choice->name) return true;
    for (guint i = 0; i < results->len; i++)
        if (!choose(results->pdata[i], &filter, error)) return false;
    const bool one = all_have_one(results);
    for (guint i = 0; i < results->len && one; i++)
        become(results->pdata[i], only_kernel(results->pdata[i]));
    return true;
}
