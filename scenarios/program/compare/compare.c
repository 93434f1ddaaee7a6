#include "scenarios/program/compare/compare.h"

#include <math.h>
#include <stdbool.h>

#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/compare/parameter_changes.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

const char *compare_label(const Comparison *comparison, guint index)
{
    const char *variant = result_text(comparison->results[index], "variant");
    if (comparison->labels) return comparison->labels[index];
    return variant ? variant : "?";
}

/* --- side by side ----------------------------------------------------------------------------- */

static const CompareRow rows[] = {
    {"time, us", "summary.time_ns", 1e-3, 2, true},
    {"core cycles", "summary.core_cycles", 1, 0, true},
    {"counted, GB/s", "summary.counted_gbps", 1, 1, true},
    {"cycles a load", "summary.cycles_per_load", 1, 1, true},
    {"issued a cycle", "summary.instructions_per_cycle", 1, 2, true},
    {"requested, GB/s", "summary.requested_gbps", 1, 1, true},
    {"DRAM, GB/s", "summary.dram.bandwidth_gbps", 1, 1, true},
    {"DRAM read, MB", "summary.dram.read_bytes", 1e-6, 2, true},
    {"DRAM written, MB", "summary.dram.write_bytes", 1e-6, 2, true},
    {"row hits, %", "summary.dram.row_hit_rate", 100, 1, false},
    {"activates a request", "summary.dram.activates_per_request", 1, 2, true},
    {"L1 hits, %", "summary.l1.hit_rate", 100, 1, false},
    {"L2 load hits, %", "summary.l2.hit_rate", 100, 1, false},
    {"texture, G samples/s", "summary.texture.gsamples_per_s", 1, 2, true},
    {"texture hits, %", "summary.texture.hit_rate", 100, 1, false},
    {"texture from L2, MB", "summary.texture.bytes_from_l2", 1e-6, 2, true},
    {"texture, DRAM, MB", "summary.texture.bytes_from_dram", 1e-6, 2, true},
    {"passes/shared access", "summary.shared_passes_per_access", 1, 2, true},
    {"local memory, MB", "summary.local_bytes", 1e-6, 2, true},
    {"network hops", "summary.mean_hops", 1, 2, true},
    {"load latency mean", "summary.load_latency_cycles.mean", 1, 0, true},
    {"  p50, cycles", "summary.load_latency_cycles.p50", 1, 0, true},
    {"  p95", "summary.load_latency_cycles.p95", 1, 0, true},
    {"  p99", "summary.load_latency_cycles.p99", 1, 0, true},
    {NULL, NULL, 0, 0, FALSE},
};

const CompareRow *compare_rows(void)
{
    return rows;
}

static bool any_has(const Comparison *comparison, const CompareRow *row)
{
    for (guint i = 0; i < comparison->count; i++)
        if (isfinite(result_number(comparison->results[i], row->path))) return true;
    return false;
}

static void add_change(Table *table, const CompareRow *row, double before, double after)
{
    if (!row->relative)
        table_cell(table, "%+.1f", (after - before) * row->scale);
    else if (before > 0)
        table_cell(table, "%+.1f %%", (after / before - 1) * 100);
    else
        table_cell(table, " ");
}

static void add_row(Table *table, const Comparison *comparison, const CompareRow *row)
{
    const double first = result_number(comparison->results[0], row->path);
    table_row(table);
    table_cell(table, "%s", row->name);
    for (guint i = 0; i < comparison->count; i++) {
        const double value = result_number(comparison->results[i], row->path);
        g_autofree char *text =
            isfinite(value) ? text_grouped(value * row->scale, row->decimals) : g_strdup("-");
        table_cell(table, "%s", text);
        if (!i) continue;
        if (isfinite(value) && isfinite(first))
            add_change(table, row, first, value);
        else
            table_cell(table, " ");
    }
}

static void print_side_by_side(const Comparison *comparison, FILE *out)
{
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, " ");
    for (guint i = 0; i < comparison->count; i++) {
        table_cell(table, "%s%s", compare_label(comparison, i),
                   result_is_partial(comparison->results[i]) ? " (partial)" : "");
        if (i) table_cell(table, "change");
    }
    for (const CompareRow *row = rows; row->name; row++)
        if (any_has(comparison, row)) add_row(table, comparison, row);
    table_print(table, out);
}

static void print_difference(void *user, const char *name, const char *before, const char *after)
{
    fprintf(user, "    %s: %s -> %s\n", name, before ? before : "(none)", after ? after : "(none)");
}

/* --- attribution ------------------------------------------------------------------------------ */

static int compare_changes(gconstpointer a, gconstpointer b)
{
    const StageChange *x = a, *y = b;
    const gint64 left = ABS(x->after - x->before), right = ABS(y->after - y->before);
    return left < right ? 1 : left > right ? -1 : 0;
}

enum { ATTRIBUTION_LINES = 8 };

static void add_change_row(Table *table, const char *request_class, const char *stage,
                           gint64 femtoseconds, double total)
{
    g_autofree char *nanoseconds = text_grouped((double)femtoseconds * 1e-6, 0);
    const double share = total > 0 ? fabs((double)femtoseconds) / total : 0;
    g_autofree char *bar = text_bar(share, 20);
    table_row(table);
    table_cell(table, "  %s", request_class);
    table_note(table, "%s", stage);
    table_cell(table, "%s%s", femtoseconds > 0 ? "+" : "", nanoseconds);
    table_note(table, "%s", bar);
}

static void print_changes(GArray *changes, FILE *out)
{
    g_autoptr(Table) table = table_new();
    double moved = 0;
    gint64 rest = 0, sum = 0;
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        moved += fabs((double)(change->after - change->before));
        sum += change->after - change->before;
    }
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        const gint64 delta = change->after - change->before;
        if (i < ATTRIBUTION_LINES && fabs((double)delta) > 0.005 * moved)
            add_change_row(table, change->request_class, change->stage, delta, moved);
        else
            rest += delta;
    }
    add_change_row(table, "all others", "", rest, moved);
    add_change_row(table, "sum", "", sum, 0);
    table_print(table, out);
}

static void print_attribution(const Comparison *comparison, guint index, FILE *out)
{
    JsonNode *before = comparison->results[0], *after = comparison->results[index];
    g_autoptr(GArray) changes = attribution_new(before, after);
    const gint64 old = attribution_total(before), new = attribution_total(after);
    if (!changes->len) return;
    g_array_sort(changes, compare_changes);
    fprintf(out,
            "    latency of all requests, summed: %+.1f %% (%" G_GINT64_FORMAT
            " -> %" G_GINT64_FORMAT " requests); change in ns by class and stage\n",
            old ? ((double)new / (double)old - 1) * 100 : 0.0, attribution_requests(before),
            attribution_requests(after));
    print_changes(changes, out);
}

void compare_print(const Comparison *comparison, FILE *out)
{
    print_side_by_side(comparison, out);
    for (guint i = 1; i < comparison->count; i++) {
        fprintf(out, "\n  %s against %s\n", compare_label(comparison, i),
                compare_label(comparison, 0));
        parameter_changes_visit(comparison->results[0], comparison->results[i], print_difference,
                                out);
        print_attribution(comparison, i, out);
    }
}
