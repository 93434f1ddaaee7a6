#include "scenarios/program/compare/kernel_changes.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/kernels.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* --- which belong together -------------------------------------------------------------------- */

/* Whether each launch has an entry, and not only those that took most time. */
static bool tells_all(JsonNode *result)
{
    JsonArray *names = result_array(result, "kernel_names");
    double launches = 0;
    for (guint i = 0; i < result_length(names); i++)
        launches += result_number(json_array_get_element(names, i), "launches");
    return !names || result_length(result_array(result, "kernels")) >= launches;
}

/* Where only some of a list ran, or are looked at, order says nothing: numbers do. */
static bool has_some(JsonNode *before, JsonNode *after)
{
    return result_member(before, "summary.chosen") || result_member(after, "summary.chosen");
}

/* Those of a result, and each by its name and its number, or how many of the name came before. */
typedef struct {
    GPtrArray *kernels; /* of JsonNode, borrowed */
    GPtrArray *keys;
    GHashTable *by_key;
} Side;

static void side_finish(Side *side)
{
    g_ptr_array_unref(side->kernels);
    g_hash_table_unref(side->by_key);
    g_ptr_array_unref(side->keys);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_finish)

static void add_kernel(Side *side, JsonNode *kernel, guint place)
{
    const char *name = result_text(kernel, "name");
    char *key = g_strdup_printf("%u %s", place, name ? name : "");
    g_ptr_array_add(side->kernels, kernel);
    g_ptr_array_add(side->keys, key);
    g_hash_table_insert(side->by_key, key, kernel);
}

/* Counts the name. */
static guint place_of(GHashTable *counts, JsonNode *kernel)
{
    const char *name = result_text(kernel, "name");
    char *key = g_strdup(name ? name : "");
    const guint place = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key));
    g_hash_table_insert(counts, key, GUINT_TO_POINTER(place + 1));
    return place;
}

/* `list` is in order. */
static Side side_of(JsonArray *list, bool by_number)
{
    Side side = {g_ptr_array_new(), g_ptr_array_new_with_free_func(g_free),
                 g_hash_table_new(g_str_hash, g_str_equal)};
    g_autoptr(GHashTable) counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < result_length(list); i++) {
        JsonNode *kernel = json_array_get_element(list, i);
        add_kernel(&side, kernel,
                   by_number ? result_count(kernel, "launch") : place_of(counts, kernel));
    }
    return side;
}

/* A name of one launch: that has all there is of it. */
static JsonNode *in_full(JsonNode *result, JsonNode *kernel)
{
    JsonArray *kernels = result_array(result, "kernels");
    if (!kernel || result_number(kernel, "launches") != 1) return kernel;
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *launch = json_array_get_element(kernels, i);
        if (!g_strcmp0(result_text(launch, "name"), result_text(kernel, "name"))) return launch;
    }
    return kernel;
}

static void add_pair(GArray *pairs, const char *name, JsonNode *before, JsonNode *after)
{
    const KernelPair pair = {name ? name : "kernel",
                             result_count(before ? before : after, "launch"), before, after};
    g_array_append_val(pairs, pair);
}

static void add_pairs(GArray *pairs, JsonNode *const results[2], const Side sides[2])
{
    for (guint i = 0; i < sides[0].kernels->len; i++) {
        JsonNode *kernel = sides[0].kernels->pdata[i],
                 *other = g_hash_table_lookup(sides[1].by_key, sides[0].keys->pdata[i]);
        add_pair(pairs, result_text(kernel, "name"), in_full(results[0], kernel),
                 in_full(results[1], other));
    }
    for (guint i = 0; i < sides[1].kernels->len; i++) {
        JsonNode *kernel = sides[1].kernels->pdata[i];
        if (!g_hash_table_contains(sides[0].by_key, sides[1].keys->pdata[i]))
            add_pair(pairs, result_text(kernel, "name"), NULL, in_full(results[1], kernel));
    }
}

static void add_others(GArray *pairs, JsonNode *before, JsonNode *after)
{
    static const char path[] = "kernel_rest.others";
    JsonNode *first = result_member(before, path), *second = result_member(after, path);
    if (first || second) add_pair(pairs, "all other names", first, second);
}

static guint count_pairs(JsonNode *const results[2], bool by_number)
{
    guint count = 0;
    g_auto(Side) first = side_of(result_array(results[0], "kernels"), by_number);
    g_auto(Side) second = side_of(result_array(results[1], "kernels"), by_number);
    for (guint i = 0; i < first.keys->len; i++)
        count += g_hash_table_contains(second.by_key, first.keys->pdata[i]);
    return count;
}

/* Numbers, too, of one list of which some run together in one of the results: the first of a name
 * may be among them. Of another list they pair fewer than order does. */
static bool go_by_number(JsonNode *const results[2])
{
    return has_some(results[0], results[1])
           || count_pairs(results, true) >= count_pairs(results, false);
}

GArray *kernel_pairs(JsonNode *before, JsonNode *after)
{
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(KernelPair));
    JsonNode *const results[] = {before, after};
    const bool all = tells_all(before) && tells_all(after),
               by_number = all && go_by_number(results);
    const char *member = all ? "kernels" : "kernel_names";
    g_auto(Side) first = side_of(result_array(before, member), by_number);
    g_auto(Side) second = side_of(result_array(after, member), by_number);
    add_pairs(pairs, results, (Side[]){first, second});
    if (!all) add_others(pairs, before, after);
    return pairs;
}

/* --- what changed ----------------------------------------------------------------------------- */

static double time_of(JsonNode *kernel)
{
    return kernel ? result_number(kernel, "time_ns") : NAN;
}

double kernel_pair_share(const KernelPair *pair, JsonNode *before, JsonNode *after)
{
    const double whole =
        result_number(after, "summary.time_ns") - result_number(before, "summary.time_ns");
    return (time_of(pair->after) - time_of(pair->before)) / whole;
}

static void add_time(Table *table, JsonNode *kernel)
{
    g_autofree char *time = kernel ? text_time(time_of(kernel)) : g_strdup("-");
    table_cell(table, "%s", time);
}

static void add_percent(Table *table, double share)
{
    if (isfinite(share))
        table_change(table, share * 100, " %");
    else
        table_cell(table, "-");
}

/* "DRAM bus -> latency", or what bounds both. */
static void add_bounds(Table *table, const KernelPair *pair)
{
    const char *before = pair->before ? result_text(pair->before, "bound") : NULL,
               *after = pair->after ? result_text(pair->after, "bound") : NULL;
    if (before && after && strcmp(before, after) != 0)
        table_note(table, "%s -> %s", before, after);
    else
        table_note(table, "%s", before ? before : after ? after : "");
}

static void add_row(Table *table, const KernelPair *pair, double share)
{
    table_row(table);
    table_cell(table, "    %s", pair->name);
    if (pair->number)
        table_cell(table, "%u", pair->number);
    else
        table_cell(table, "%s", "");
    add_time(table, pair->before);
    add_time(table, pair->after);
    add_percent(table, time_of(pair->after) / time_of(pair->before) - 1);
    add_percent(table, share);
    add_bounds(table, pair);
}

static gint compare_changes(gconstpointer a, gconstpointer b)
{
    const KernelPair *x = a, *y = b;
    const double left = fabs(time_of(x->after) - time_of(x->before)),
                 right = fabs(time_of(y->after) - time_of(y->before));
    if (isfinite(left) != isfinite(right)) return isfinite(left) ? -1 : 1;
    return left > right ? -1 : left < right ? 1 : 0;
}

enum { PAIRS_SHOWN = 12 };

static void print_pairs(GArray *pairs, const Comparison *comparison, guint index, FILE *out)
{
    g_autoptr(Table) table = table_new();
    g_array_sort(pairs, compare_changes);
    table_row(table);
    table_cell(table, "  kernel by kernel");
    table_cell(table, "launch");
    table_cell(table, "%s", compare_label(comparison, 0));
    table_cell(table, "%s", compare_label(comparison, index));
    table_cell(table, "change");
    table_cell(table, "of all");
    table_note(table, "bound by");
    for (guint i = 0; i < MIN(pairs->len, PAIRS_SHOWN); i++) {
        const KernelPair *pair = &g_array_index(pairs, KernelPair, i);
        add_row(table, pair,
                kernel_pair_share(pair, comparison->results[0], comparison->results[index]));
    }
    table_print(table, out);
    if (pairs->len > PAIRS_SHOWN) fprintf(out, "    and %u more\n", pairs->len - PAIRS_SHOWN);
    fprintf(out, "\n");
}

void kernel_changes_print(const Comparison *comparison, FILE *out)
{
    for (guint i = 1; i < comparison->count; i++) {
        g_autoptr(GArray) pairs = kernel_pairs(comparison->results[0], comparison->results[i]);
        if (pairs->len) print_pairs(pairs, comparison, i, out);
    }
}

static void put_side(JsonBuilder *json, const char *name, JsonNode *kernel)
{
    if (!kernel) return;
    json_builder_set_member_name(json, name);
    json_builder_begin_object(json);
    json_put_number(json, "launch", result_count(kernel, "launch"));
    json_put_real(json, "time_ns", time_of(kernel));
    json_put_text(json, "bound", result_text(kernel, "bound"));
    json_builder_end_object(json);
}

void kernel_changes_put(JsonBuilder *json, JsonNode *before, JsonNode *after)
{
    g_autoptr(GArray) pairs = kernel_pairs(before, after);
    json_builder_set_member_name(json, "kernels");
    json_builder_begin_array(json);
    for (guint i = 0; i < pairs->len; i++) {
        const KernelPair *pair = &g_array_index(pairs, KernelPair, i);
        json_builder_begin_object(json);
        json_put_text(json, "name", pair->name);
        put_side(json, "before", pair->before);
        put_side(json, "after", pair->after);
        const double share = kernel_pair_share(pair, before, after);
        if (isfinite(share)) json_put_real(json, "share_of_change", share);
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

/* --- how far they may move -------------------------------------------------------------------- */

static char *label(const Comparison *comparison, guint index, const KernelPair *pair)
{
    return pair->number ? g_strdup_printf("%s, kernel %u, %s", compare_label(comparison, index),
                                          pair->number, pair->name)
                        : g_strdup_printf("%s, %s", compare_label(comparison, index), pair->name);
}

/* A kernel that only one has has moved. */
static void note_missing(const Comparison *comparison, guint index, const KernelPair *pair,
                         GPtrArray *lines)
{
    const guint has = pair->before ? 0 : index, lacks = pair->before ? index : 0;
    g_autofree char *name = label(comparison, has, pair);
    g_ptr_array_add(lines, g_strdup_printf("%s: %s has no such kernel", name,
                                           compare_label(comparison, lacks)));
}

static bool check_pair(const GArray *limits, const Comparison *comparison, guint index,
                       const KernelPair *pair, GPtrArray *lines, GError **error)
{
    if (!pair->before || !pair->after) {
        note_missing(comparison, index, pair, lines);
        return true;
    }
    JsonNode *const results[] = {pair->before, pair->after};
    g_autofree char *first = label(comparison, 0, pair), *second = label(comparison, index, pair);
    const char *const labels[] = {first, second};
    return fail_over_find(limits, &(Comparison){results, labels, 2}, lines, error);
}

/* Launches with a row, and further names, have fewer numbers than others. */
bool kernel_changes_fail_over(const GArray *limits, const Comparison *comparison, GPtrArray *lines,
                              GError **error)
{
    g_autoptr(GError) missing = NULL;
    bool any = false;
    for (guint i = 1; i < comparison->count; i++) {
        g_autoptr(GArray) pairs = kernel_pairs(comparison->results[0], comparison->results[i]);
        for (guint k = 0; k < pairs->len && limits->len; k++) {
            g_clear_error(&missing);
            any |= check_pair(limits, comparison, i, &g_array_index(pairs, KernelPair, k), lines,
                              &missing);
        }
    }
    if (any || !missing) return true;
    g_propagate_error(error, g_steal_pointer(&missing));
    return false;
}
