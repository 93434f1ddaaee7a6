#include "scenarios/program/compare/kernel_changes.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/kernels.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* --- which belong together -------------------------------------------------------------------- */

static guint number_of(JsonNode *kernel)
{
    const double number = result_number(kernel, "launch");
    return isfinite(number) && number > 0 ? (guint)number : 0;
}

/* Whether each launch has an entry, and not only those that took most time. */
static bool tells_all(JsonNode *result)
{
    JsonArray *names = result_array(result, "kernel_names");
    double launches = 0;
    for (guint i = 0; i < result_length(names); i++)
        launches += result_number(json_array_get_element(names, i), "launches");
    return !names || result_length(result_array(result, "kernels")) >= launches;
}

/* Measured launches of the name before this one. */
static guint place_of(JsonNode *result, JsonNode *kernel)
{
    JsonArray *kernels = result_array(result, "kernels");
    const char *name = result_text(kernel, "name");
    guint place = 0;
    for (guint i = 0; i < result_length(kernels); i++) {
        JsonNode *other = json_array_get_element(kernels, i);
        if (number_of(other) < number_of(kernel) && !g_strcmp0(result_text(other, "name"), name))
            place++;
    }
    return place;
}

/* Where only some of a list ran, or are looked at, order says nothing: numbers do. */
static bool go_by_number(JsonNode *before, JsonNode *after)
{
    return result_member(before, "summary.chosen") || result_member(after, "summary.chosen");
}

typedef struct {
    JsonNode *before, *after;
    const char *member; /* "kernels" or "kernel_names" */
    bool by_number;
} Match;

static bool belong(const Match *match, JsonNode *before, JsonNode *after)
{
    if (g_strcmp0(result_text(before, "name"), result_text(after, "name"))) return false;
    if (match->by_number) return number_of(before) == number_of(after);
    return place_of(match->before, before) == place_of(match->after, after);
}

static JsonNode *find(const Match *match, JsonNode *before)
{
    JsonArray *kernels = result_array(match->after, match->member);
    for (guint i = 0; i < result_length(kernels); i++)
        if (belong(match, before, json_array_get_element(kernels, i)))
            return json_array_get_element(kernels, i);
    return NULL;
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

static void add_pair(GArray *pairs, const Match *match, JsonNode *before, JsonNode *after)
{
    JsonNode *kernel = before ? before : after;
    const char *name = result_text(kernel, "name");
    const KernelPair pair = {name ? name : "kernel", number_of(kernel),
                             in_full(match->before, before), in_full(match->after, after)};
    g_array_append_val(pairs, pair);
}

static bool is_found(const Match *match, JsonNode *after)
{
    const Match back = {match->after, match->before, match->member, match->by_number};
    return find(&back, after) != NULL;
}

static void add_pairs(GArray *pairs, const Match *match)
{
    JsonArray *first = result_array(match->before, match->member),
              *second = result_array(match->after, match->member);
    for (guint i = 0; i < result_length(first); i++) {
        JsonNode *kernel = json_array_get_element(first, i);
        add_pair(pairs, match, kernel, find(match, kernel));
    }
    for (guint i = 0; i < result_length(second); i++)
        if (!is_found(match, json_array_get_element(second, i)))
            add_pair(pairs, match, NULL, json_array_get_element(second, i));
}

GArray *kernel_pairs(JsonNode *before, JsonNode *after)
{
    GArray *pairs = g_array_new(FALSE, FALSE, sizeof(KernelPair));
    const bool all = tells_all(before) && tells_all(after);
    const Match match = {before, after, all ? "kernels" : "kernel_names",
                         all && go_by_number(before, after)};
    add_pairs(pairs, &match);
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
    table_cell(table, isfinite(share) ? "%+.1f %%" : "-", share * 100);
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
    json_put_number(json, "launch", number_of(kernel));
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

bool kernel_changes_fail_over(const GArray *limits, const Comparison *comparison, GPtrArray *lines,
                              GError **error)
{
    for (guint i = 1; i < comparison->count; i++) {
        g_autoptr(GArray) pairs = kernel_pairs(comparison->results[0], comparison->results[i]);
        for (guint k = 0; k < pairs->len && limits->len; k++)
            if (!check_pair(limits, comparison, i, &g_array_index(pairs, KernelPair, k), lines,
                            error))
                return false;
    }
    return true;
}
