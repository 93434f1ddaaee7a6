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

/* Of a row of `kernel_rows`: name and number come first. */
static guint number_of_row(JsonArray *row)
{
    return (guint)json_array_get_int_element(row, 1);
}

/* Launches of the list that the result is of: it may tell of many by their rows alone. */
static guint count_launches(JsonNode *result)
{
    JsonArray *kernels = result_array(result, "summary.kernels"),
              *rows = result_array(result, "kernel_rows.rows");
    guint length = 0;
    for (guint i = 0; i < result_length(kernels); i++)
        length = MAX(length, number_of(json_array_get_element(kernels, i), "number"));
    for (guint i = 0; i < result_length(rows); i++)
        length = MAX(length, number_of_row(json_array_get_array_element(rows, i)));
    return length;
}

static bool has_name(const Filter *filter, const char *name)
{
    return !filter->choice->name || (name && g_pattern_match_simple(filter->choice->name, name));
}

static bool has_number(const Filter *filter, guint number)
{
    return !filter->numbers || (number && number <= filter->length && filter->numbers[number - 1]);
}

static bool matches(const Filter *filter, JsonNode *kernel, const char *member)
{
    return has_name(filter, result_text(kernel, "name"))
           && (!member || has_number(filter, number_of(kernel, member)));
}

static const char *name_of_row(JsonArray *row)
{
    return json_array_get_string_element(row, 0);
}

static bool row_matches(const Filter *filter, JsonArray *row)
{
    return has_number(filter, number_of_row(row)) && has_name(filter, name_of_row(row));
}

static void keep_rows(JsonArray *rows, const Filter *filter)
{
    for (guint i = result_length(rows); i-- > 0;)
        if (!row_matches(filter, json_array_get_array_element(rows, i)))
            json_array_remove_element(rows, i);
}

/* `member` has its number; NULL: it has none. */
static void keep(JsonArray *kernels, const Filter *filter, const char *member)
{
    for (guint i = result_length(kernels); i-- > 0;)
        if (!matches(filter, json_array_get_element(kernels, i), member))
            json_array_remove_element(kernels, i);
}

/* Names of all kernels that ran, NULL-terminated; the strings are the result's. */
static GPtrArray *list_names(JsonNode *result)
{
    GPtrArray *names = g_ptr_array_new();
    JsonArray *kernels = result_array(result, "summary.kernels"),
              *rows = result_array(result, "kernel_rows.rows");
    for (guint i = 0; i < result_length(kernels); i++) {
        const char *name = result_text(json_array_get_element(kernels, i), "name");
        if (name) g_ptr_array_add(names, (gpointer)name);
    }
    for (guint i = 0; i < result_length(rows); i++)
        g_ptr_array_add(names, (gpointer)name_of_row(json_array_get_array_element(rows, i)));
    g_ptr_array_add(names, NULL);
    return names;
}

static bool has_any(JsonNode *result, const Filter *filter)
{
    JsonArray *kernels = result_array(result, "summary.kernels"),
              *rows = result_array(result, "kernel_rows.rows");
    for (guint i = 0; i < result_length(kernels); i++)
        if (matches(filter, json_array_get_element(kernels, i), "number")) return true;
    for (guint i = 0; i < result_length(rows); i++)
        if (row_matches(filter, json_array_get_array_element(rows, i))) return true;
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

/* Of a long list some launches have a row and no more, some names, too. */
static bool check_told(JsonNode *result, const KernelChoice *choice, GError **error)
{
    JsonArray *kernels = result_array(result, "kernels");
    if (!kernels || result_length(kernels) || result_length(result_array(result, "kernel_names")))
        return true;
    const char *option = choice->name ? "kernel" : "kernels";
    g_set_error(error, RESULT_ERROR, 0,
                "--%s %s: the result of %s tells of them in a line each and no more; 'run --%s' "
                "runs them alone",
                option, choice->name ? choice->name : choice->kernels,
                result_text(result, "variant"), option);
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
    keep(result_array(result, "summary.kernels"), filter, "number");
    keep(result_array(result, "kernels"), filter, "launch");
    keep_rows(result_array(result, "kernel_rows.rows"), filter);
    if (numbers)
        json_object_remove_member(json_node_get_object(result), "kernel_names");
    else
        keep(result_array(result, "kernel_names"), filter, NULL);
    return check_told(result, choice, error);
}

/* --- one of them ------------------------------------------------------------------------------ */

static JsonNode *only(JsonArray *entries)
{
    JsonNode *entry = result_length(entries) == 1 ? json_array_get_element(entries, 0) : NULL;
    return entry && result_member(entry, "summary") ? entry : NULL;
}

/* Rows that a choice by name has left, none of a short list. */
static guint count_measured(JsonArray *rows)
{
    guint count = 0;
    for (guint i = 0; i < result_length(rows); i++)
        count += json_array_get_boolean_element(json_array_get_array_element(rows, i), 2);
    return count;
}

/* One launch; or a name, where its launches are not all told one by one. */
static JsonNode *only_kernel(JsonNode *result)
{
    JsonArray *kernels = result_array(result, "kernels"),
              *names = result_array(result, "kernel_names"),
              *rows = result_array(result, "kernel_rows.rows");
    const guint measured = count_measured(rows);
    if (!names || measured <= result_length(kernels)) return only(kernels);
    JsonNode *name = only(names);
    return name && result_number(name, "launches") == measured ? name : NULL;
}

static bool all_have_one(const GPtrArray *results)
{
    for (guint i = 0; i < results->len; i++)
        if (!only_kernel(results->pdata[i])) return false;
    return true;
}

/* What is of all kernels goes. */
static void forget_whole(JsonObject *result)
{
    static const char *const stay[] = {
        "schema_version", "program",  "scenario", "file",       "variant", "seed", "hash",
        "partial",        "measured", "machine",  "parameters", "origins", NULL};
    g_autoptr(GList) members = json_object_get_members(result);
    for (const GList *member = members; member; member = member->next)
        if (!g_strv_contains(stay, member->data)) json_object_remove_member(result, member->data);
}

/* The kernel's own members take the place of the whole's. */
static void become(JsonNode *result, JsonNode *entry)
{
    g_autoptr(JsonNode) kernel = json_node_copy(entry);
    JsonObject *object = json_node_get_object(result), *own = json_node_get_object(kernel);
    g_autofree char *variant =
        g_strdup_printf("%s/%s", result_text(result, "variant"), result_text(kernel, "name"));
    forget_whole(object);
    g_autoptr(GList) members = json_object_get_members(own);
    for (const GList *member = members; member; member = member->next)
        if (JSON_NODE_HOLDS_OBJECT(json_object_get_member(own, member->data)))
            json_object_set_member(object, member->data, json_object_dup_member(own, member->data));
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
