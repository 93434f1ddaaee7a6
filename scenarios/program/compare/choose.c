#include "scenarios/program/compare/choose.h"

#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/result/kernels.h"
#include "workloads/selection.h"

typedef struct {
    const KernelChoice *choice;
    bool *numbers; /* by number, from 1 on; NULL: all */
    guint length;  /* of the list */
} Filter;

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
        length = MAX(length, result_count(json_array_get_element(kernels, i), "number"));
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

/* Of launches that ran together any number will do. */
static bool has_number_of(const Filter *filter, JsonNode *kernel, const char *member)
{
    const guint first = result_count(kernel, member), launches = result_count(kernel, "launches");
    for (guint i = 1; i < launches && first + i <= filter->length; i++)
        if (has_number(filter, first + i)) return true;
    return has_number(filter, first);
}

static bool matches(const Filter *filter, JsonNode *kernel, const char *member)
{
    return has_name(filter, result_text(kernel, "name"))
           && (!member || has_number_of(filter, kernel, member));
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
    JsonArray *const kernels[] = {result_array(result, "summary.kernels"),
                                  result_array(result, "kernels")},
                     *rows = result_array(result, "kernel_rows.rows");
    for (guint k = 0; k < G_N_ELEMENTS(kernels); k++)
        for (guint i = 0; i < result_length(kernels[k]); i++) {
            const char *name = result_text(json_array_get_element(kernels[k], i), "name");
            if (name) g_ptr_array_add(names, (gpointer)name);
        }
    for (guint i = 0; i < result_length(rows); i++)
        g_ptr_array_add(names, (gpointer)name_of_row(json_array_get_array_element(rows, i)));
    g_ptr_array_add(names, NULL);
    return names;
}

static bool any_matches(JsonArray *kernels, const Filter *filter, const char *member)
{
    for (guint i = 0; i < result_length(kernels); i++)
        if (matches(filter, json_array_get_element(kernels, i), member)) return true;
    return false;
}

/* Launches that ran together have a name of their own. */
static bool has_any(JsonNode *result, const Filter *filter)
{
    JsonArray *rows = result_array(result, "kernel_rows.rows");
    if (any_matches(result_array(result, "summary.kernels"), filter, "number")) return true;
    if (any_matches(result_array(result, "kernels"), filter, "launch")) return true;
    for (guint i = 0; i < result_length(rows); i++)
        if (row_matches(filter, json_array_get_array_element(rows, i))) return true;
    return false;
}

static bool reject(JsonNode *result, const KernelChoice *choice, GError **error)
{
    g_autoptr(GPtrArray) names = list_names(result);
    const char *name = choice->name,
               *near = name ? nearest_word(name, (const char *const *)names->pdata) : NULL;
    const bool other = near && strcmp(near, name) != 0; /* else its numbers are others */
    g_autofree char *numbers =
        choice->kernels ? g_strdup_printf("--kernels %s", choice->kernels) : g_strdup("");
    g_set_error(error, RESULT_ERROR, 0, "%s%s%s%s: the result of %s has no such kernel%s%s%s",
                numbers, name && *numbers ? " " : "", name ? "--kernel " : "", name ? name : "",
                result_text(result, "variant"), other ? ", did you mean '" : "", other ? near : "",
                other ? "'?" : "");
    return false;
}

/* More than a row. */
static bool is_told(JsonNode *entry)
{
    return result_member(entry, "units") && result_member(entry, "summary");
}

/* Of a long list some launches have a row and no more, some names, too; what was not measured has
 * neither. */
static bool check_told(JsonNode *result, const KernelChoice *choice, GError **error)
{
    JsonArray *kernels = result_array(result, "kernels");
    if (!kernels || result_length(result_array(result, "kernel_names"))) return true;
    for (guint i = 0; i < result_length(kernels); i++)
        if (is_told(json_array_get_element(kernels, i))) return true;
    const char *option = choice->name ? "kernel" : "kernels";
    g_set_error(error, RESULT_ERROR, 0,
                "--%s %s: the result of %s tells of them in a line each and no more; 'run --%s' "
                "runs them alone",
                option, choice->name ? choice->name : choice->kernels,
                result_text(result, "variant"), option);
    return false;
}

/* Nobody knows which of them would be left. */
static void forget_others(JsonNode *result, const KernelChoice *choice)
{
    JsonNode *rest = result_member(result, "kernel_rest");
    const bool all = !choice->kernels && !strcmp(choice->name, "*");
    if (rest && !all) json_object_remove_member(json_node_get_object(rest), "others");
}

/* What bounds the whole is said of all of its kernels (verdict/kernels.h). */
static void remember_whole(JsonNode *result)
{
    JsonArray *names = result_array(result, "kernel_names"), *all = json_array_new();
    const double others = result_number(result, "kernel_rest.others.time_share");
    JsonObject *whole = json_object_new();
    for (guint i = 0; i < result_length(names); i++)
        json_array_add_element(all, json_node_ref(json_array_get_element(names, i)));
    json_object_set_array_member(whole, "kernel_names", all);
    if (isfinite(others)) json_object_set_double_member(whole, "others_share", others);
    json_object_set_object_member(json_node_get_object(result), "whole", whole);
}

static bool choose(JsonNode *result, Filter *filter, GError **error)
{
    const KernelChoice *choice = filter->choice;
    filter->length = count_launches(result);
    if (!filter->length) return reject(result, choice, error);
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
    remember_whole(result);
    keep(result_array(result, "summary.kernels"), filter, "number");
    keep(result_array(result, "kernels"), filter, "launch");
    keep_rows(result_array(result, "kernel_rows.rows"), filter);
    if (numbers)
        json_object_remove_member(json_node_get_object(result), "kernel_names");
    else
        keep(result_array(result, "kernel_names"), filter, NULL);
    forget_others(result, choice);
    return check_told(result, choice, error);
}

/* --- one of them ------------------------------------------------------------------------------ */

static JsonNode *only(JsonArray *entries)
{
    JsonNode *entry = result_length(entries) == 1 ? json_array_get_element(entries, 0) : NULL;
    return entry && is_told(entry) ? entry : NULL;
}

/* Rows that a choice has left, none of a short list. */
static guint count_measured(JsonArray *rows)
{
    guint count = 0;
    for (guint i = 0; i < result_length(rows); i++)
        count += json_array_get_boolean_element(json_array_get_array_element(rows, i), 2);
    return count;
}

/* One launch, or a name with all its launches. */
static JsonNode *only_kernel(JsonNode *result)
{
    JsonArray *kernels = result_array(result, "kernels");
    const guint rows = count_measured(result_array(result, "kernel_rows.rows")),
                launches = MAX(rows, result_length(kernels));
    JsonNode *name = only(result_array(result, "kernel_names"));
    if (name && result_number(name, "launches") == launches) return name;
    return launches == 1 ? only(kernels) : NULL;
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
    static const char *const stay[] = {"schema_version", "program",     "scenario",   "file",
                                       "variant",        "seed",        "hash",       "partial",
                                       "measured",       "machine",     "parameters", "origins",
                                       "run_variant",    "run_kernels", "run_kernel", "read_from",
                                       "run_file",       "path_number", NULL};
    g_autoptr(GList) members = json_object_get_members(result);
    for (const GList *member = members; member; member = member->next)
        if (!g_strv_contains(stay, member->data)) json_object_remove_member(result, member->data);
}

/* How the kernel is asked for again: by its number, or those that run together, or by its name; the
 * name of launches that run together is no kernel's. */
static void note_again(JsonNode *result, JsonNode *entry)
{
    JsonObject *object = json_node_get_object(result);
    const guint first = result_count(entry, "launch"),
                launches = MAX(result_count(entry, "launches"), 1);
    g_autofree char *one = g_strdup_printf("%u", first),
                    *range = g_strdup_printf("%u-%u", first, first + launches - 1);
    json_object_set_string_member(object, "run_variant", result_text(result, "variant"));
    if (first)
        json_object_set_string_member(object, "run_kernels", launches > 1 ? range : one);
    else if (result_has_kernel(result, result_text(entry, "name")))
        json_object_set_string_member(object, "run_kernel", result_text(entry, "name"));
}

/* The kernel's own members take the place of the whole's. Which of a list ran stays, and the
 * launches of a name if they are told `one_by_one`. */
static void become(JsonNode *result, JsonNode *entry, bool one_by_one)
{
    g_autoptr(JsonNode) kernel = json_node_ref(entry);
    JsonObject *object = json_node_get_object(result), *own = json_node_get_object(kernel);
    JsonNode *chosen = result_member(result, "summary.chosen");
    g_autoptr(JsonNode) kernels = json_node_ref(result_member(result, "kernels"));
    g_autofree char *variant =
        g_strdup_printf("%s/%s", result_text(result, "variant"), result_text(kernel, "name"));
    if (chosen)
        json_object_set_member(json_object_get_object_member(own, "summary"), "chosen",
                               json_node_ref(chosen));
    note_again(result, kernel);
    forget_whole(object);
    g_autoptr(GList) members = json_object_get_members(own);
    for (const GList *member = members; member; member = member->next)
        if (JSON_NODE_HOLDS_OBJECT(json_object_get_member(own, member->data)))
            json_object_set_member(object, member->data, json_object_dup_member(own, member->data));
    if (one_by_one) json_object_set_member(object, "kernels", g_steal_pointer(&kernels));
    json_object_set_string_member(object, "variant", variant);
}

JsonNode *kernel_alone(JsonNode *result, JsonNode *entry)
{
    if (!entry || !is_told(entry)) return NULL;
    JsonObject *copy = json_object_new();
    g_autoptr(GList) members = json_object_get_members(json_node_get_object(result));
    for (const GList *member = members; member; member = member->next)
        json_object_set_member(copy, member->data,
                               json_node_ref(result_member(result, member->data)));
    JsonNode *alone = json_node_init_object(json_node_alloc(), copy);
    json_object_unref(copy);
    become(alone, entry, false);
    return alone;
}

/* Every launch that is left has an entry, and somewhere there are several. */
static bool are_told_one_by_one(const GPtrArray *results)
{
    bool several = false;
    for (guint i = 0; i < results->len; i++) {
        const guint launches = result_length(result_array(results->pdata[i], "kernels"));
        if (launches < count_measured(result_array(results->pdata[i], "kernel_rows.rows")))
            return false;
        several |= launches > 1;
    }
    return several;
}

/* Of several kernels only the tables are theirs. */
static void note_shown(JsonNode *result, const KernelChoice *choice)
{
    if (!choice->kernels && !strcmp(choice->name, "*")) return;
    g_autofree char *text =
        g_strconcat(choice->kernels ? "--kernels " : "", choice->kernels ? choice->kernels : "",
                    choice->kernels && choice->name ? " " : "", choice->name ? "--kernel " : "",
                    choice->name, NULL);
    json_object_set_string_member(json_node_get_object(result), "shown", text);
}

bool kernels_choose(const GPtrArray *results, const KernelChoice *choice, GError **error)
{
    Filter filter = {.choice = choice};
    if (!choice->kernels && !choice->name) return true;
    for (guint i = 0; i < results->len; i++)
        if (!choose(results->pdata[i], &filter, error)) return false;
    const bool one = all_have_one(results), one_by_one = are_told_one_by_one(results);
    for (guint i = 0; i < results->len; i++) {
        if (one)
            become(results->pdata[i], only_kernel(results->pdata[i]), one_by_one);
        else
            note_shown(results->pdata[i], choice);
    }
    return true;
}
