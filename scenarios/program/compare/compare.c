#include "scenarios/program/compare/compare.h"

#include <math.h>
#include <stdbool.h>

#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/compare/parameter_changes.h"
#include "scenarios/program/cost/stack.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/facts.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/time/change.h"

const char *compare_label(const Comparison *comparison, guint index)
{
    const char *variant = result_text(comparison->results[index], "variant");
    if (comparison->labels) return comparison->labels[index];
    return variant ? variant : "?";
}

/* --- side by side ----------------------------------------------------------------------------- */

/* clang-format off */
#define CORE "summary.time_ns", "summary.core_cycles"
#define LATENCY_PART(name, of, path, part, decimals, ...)                                          \
    {name, "summary." path "." part, 1, decimals, true, of, __VA_ARGS__}
#define LATENCY(of, path, decimals, ...)                                                           \
    LATENCY_PART(of " latency mean", NULL, path, "mean", decimals, __VA_ARGS__),                   \
    LATENCY_PART("  p50", of, path, "p50", decimals, __VA_ARGS__),                                 \
    LATENCY_PART("  p95", of, path, "p95", decimals, __VA_ARGS__),                                 \
    LATENCY_PART("  p99", of, path, "p99", decimals, __VA_ARGS__)
#define ROW(name, path, scale, decimals, relative)                                                 \
    {name, path, scale, decimals, relative, NULL, NULL, NULL}
/* clang-format on */

static const CompareRow rows[] = {
    ROW("time, us", "summary.time_ns", 1e-3, 2, true),
    ROW("core cycles", "summary.core_cycles", 1, 0, true),
    ROW("counted, GB/s", "summary.counted_gbps", 1, 1, true),
    ROW("cycles a load", "summary.cycles_per_load", 1, 1, true),
    ROW("issued a cycle", "summary.instructions_per_cycle", 1, 3, true),
    ROW("requested, GB/s", "summary.requested_gbps", 1, 1, true),
    ROW("DRAM, GB/s", "summary.dram.bandwidth_gbps", 1, 1, true),
    ROW("DRAM read, MB", "summary.dram.read_bytes", 1e-6, 2, true),
    ROW("DRAM written, MB", "summary.dram.write_bytes", 1e-6, 2, true),
    ROW("row hits, %", "summary.dram.row_hit_rate", 100, 1, false),
    ROW("activates a request", "summary.dram.activates_per_request", 1, 2, true),
    ROW("L1 hits, %", "summary.l1.hit_rate", 100, 1, false),
    ROW("L2 load hits, %", "summary.l2.hit_rate", 100, 1, false),
    ROW("memory cache hits, %", "summary.memory_cache.hit_rate", 100, 1, false),
    ROW("texture load hits, %", "summary.texture_data.hit_rate", 100, 1, false),
    ROW("texture, G samples/s", "summary.texture.gsamples_per_s", 1, 2, true),
    ROW("texture hits, %", "summary.texture.hit_rate", 100, 1, false),
    ROW("texture from L2, MB", "summary.texture.bytes_from_l2", 1e-6, 2, true),
    ROW("texture, DRAM, MB", "summary.texture.bytes_from_dram", 1e-6, 2, true),
    ROW("passes/shared access", "summary.shared_passes_per_access", 1, 2, true),
    ROW("local memory, MB", "summary.local_bytes", 1e-6, 2, true),
    ROW("network hops", "summary.mean_hops", 1, 2, true),
    ROW("energy, uJ", "consumption.total_uj", 1, 2, true),
    ROW("of events, uJ", "consumption.events_uj", 1, 2, true),
    ROW("power, W", "consumption.power_w", 1, 1, true),
    ROW("at most, W", "profile.power.peak_w", 1, 1, true),
    ROW("DRAM, pJ a bit", "consumption.dram_pj_a_bit", 1, 2, true),
    ROW("storage, MiB", "storage.total_bits", 1 / 8.0 / 1024 / 1024, 3, true),
    ROW("SRAM, mm2", "storage.area_mm2", 1, 2, true),
    LATENCY("load", "load_latency_cycles", 0, CORE),
    LATENCY("probe", "probe_latency", 0, CORE),
    ROW("accepted a cycle", "summary.accepted_rate", 1, 3, true),
    LATENCY("traffic", "traffic_latency", 1, "summary.traffic_latency.mean_ns",
            "summary.traffic_latency.mean"),
    {.name = NULL},
};

const CompareRow *compare_rows(void)
{
    return rows;
}

/* ns */
static double cycle_of(JsonNode *result, const CompareRow *row)
{
    return result_number(result, row->ns) / result_number(result, row->cycles);
}

bool compare_is_in_ns(const Comparison *comparison, const CompareRow *row)
{
    double known = NAN;
    for (guint i = 0; row->cycles && i < comparison->count; i++) {
        const double cycle = cycle_of(comparison->results[i], row);
        if (fabs(cycle / known - 1) > 1e-6) return true;
        if (isfinite(cycle)) known = cycle;
    }
    return false;
}

double compare_number(JsonNode *result, const CompareRow *row, bool in_ns)
{
    const double number = result_number(result, row->path) * row->scale;
    return in_ns ? number * cycle_of(result, row) : number;
}

char *compare_row_name(const CompareRow *row, bool in_ns)
{
    if (!row->cycles) return g_strdup(row->name);
    return g_strconcat(row->name, in_ns ? ", ns" : ", cycles", NULL);
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
        table_change(table, after - before, "");
    else if (before > 0)
        table_change(table, (after / before - 1) * 100, " %");
    else
        table_cell(table, " ");
}

/* Of those in cycles one says so: where latencies are in ns, all do. */
static char *short_name(const CompareRow *row, bool in_ns)
{
    const bool says = in_ns || g_str_has_suffix(row->name, "p50");
    return says ? compare_row_name(row, in_ns) : g_strdup(row->name);
}

static void add_row(Table *table, const Comparison *comparison, const CompareRow *row)
{
    const bool in_ns = compare_is_in_ns(comparison, row);
    const double first = compare_number(comparison->results[0], row, in_ns);
    g_autofree char *name = short_name(row, in_ns);
    table_row(table);
    table_cell(table, "%s", name);
    for (guint i = 0; i < comparison->count; i++) {
        const double value = compare_number(comparison->results[i], row, in_ns);
        g_autofree char *text =
            isfinite(value) ? text_grouped(value, row->decimals) : g_strdup("-");
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

/* --- what differs ----------------------------------------------------------------------------- */

gboolean compare_machines_differ(const Comparison *comparison)
{
    const char *first = result_text(comparison->results[0], "parameters.machine.name");
    for (guint i = 1; i < comparison->count; i++)
        if (g_strcmp0(first, result_text(comparison->results[i], "parameters.machine.name")) != 0)
            return TRUE;
    return FALSE;
}

static void add_fact(Table *table, const Comparison *comparison, const char *name)
{
    table_row(table);
    table_cell(table, "%s", name);
    for (guint i = 0; i < comparison->count; i++) {
        g_autofree char *value = facts_find(comparison->results[i], name);
        table_cell(table, "%s", value ? value : "-");
    }
}

/* Of other machines: what they are, before anything that differs in them. */
static void print_facts(const Comparison *comparison, FILE *out)
{
    if (!compare_machines_differ(comparison)) return;
    g_autoptr(Table) table = table_new();
    g_auto(GStrv) names = facts_names(comparison->results[0]);
    if (!*names) return;
    table_row(table);
    table_cell(table, " ");
    for (guint i = 0; i < comparison->count; i++)
        table_cell(table, "%s", compare_label(comparison, i));
    for (char **name = names; *name; name++) add_fact(table, comparison, *name);
    table_print(table, out);
    fprintf(out, "\n");
}

/* A line a parameter, or all in one line, the rest counted. */
typedef struct {
    FILE *out;
    bool details;
    guint count;
} Differences;

/* Where so many differ, three of them say nothing. */
enum { DIFFERENCES_SHOWN = 3, DIFFERENCES_MANY = 12 };

static void count_difference(void *user, G_GNUC_UNUSED const char *name,
                             G_GNUC_UNUSED const char *before, G_GNUC_UNUSED const char *after)
{
    (*(guint *)user)++;
}

static void print_difference(void *user, const char *name, const char *before, const char *after)
{
    Differences *differences = user;
    const bool shown = differences->details || differences->count < DIFFERENCES_SHOWN;
    const char *between = differences->details ? "\n    " : differences->count ? ", " : " ";
    differences->count++;
    if (shown)
        fprintf(differences->out, "%s%s: %s -> %s", between, name, before ? before : "(none)",
                after ? after : "(none)");
}

/* "prt-64: l1.prt_entries: 512 -> 64" */
static void print_differences(const Comparison *comparison, guint index, bool details, FILE *out)
{
    Differences differences = {out, details, 0};
    guint count = 0;
    parameter_changes_visit(comparison->results[0], comparison->results[index], count_difference,
                            &count);
    fprintf(out, "  %s:", compare_label(comparison, index));
    if (!details && count >= DIFFERENCES_MANY) {
        fprintf(out, " %u parameters differ\n", count);
        return;
    }
    parameter_changes_visit(comparison->results[0], comparison->results[index], print_difference,
                            &differences);
    if (!count) fprintf(out, " no parameter differs");
    if (!details && count > DIFFERENCES_SHOWN)
        fprintf(out, " and %u more", count - DIFFERENCES_SHOWN);
    fprintf(out, "\n");
}

/* --- attribution ------------------------------------------------------------------------------ */

static int compare_changes(gconstpointer a, gconstpointer b)
{
    const StageChange *x = a, *y = b;
    const gint64 left = ABS(x->after - x->before), right = ABS(y->after - y->before);
    return left < right ? 1 : left > right ? -1 : 0;
}

enum { ATTRIBUTION_LINES = 8 };

/* What requests take together, and in cycles each. */
typedef struct {
    double total; /* fs, of all requests of the first result */
    double cycle; /* fs */
    double requests;
    double moved; /* fs, of all changes, whatever their sign */
} Scale;

static void add_change_row(Table *table, const char *request_class, const char *stage,
                           gint64 femtoseconds, const Scale *scale)
{
    const double change = (double)femtoseconds;
    g_autofree char *time = text_grouped(change * 1e-9, 1);
    g_autofree char *bar =
        text_bar(scale->moved > 0 && *stage ? fabs(change) / scale->moved : 0, 20);
    table_row(table);
    table_cell(table, "    %s", request_class);
    table_note(table, "%s", stage);
    table_change(table, change / scale->requests / scale->cycle, "");
    table_cell(table, "%s%s", change > 0 ? "+" : "", time);
    table_change(table, change / scale->total * 100, " %");
    table_note(table, "%s", bar);
}

static void add_heads(Table *table)
{
    static const char *const heads[] = {"cycles a request", "us, summed", "of all"};
    table_row(table);
    table_cell(table, "    class");
    table_note(table, "stage");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
}

static void print_changes(GArray *changes, const Scale *scale, FILE *out)
{
    g_autoptr(Table) table = table_new();
    gint64 rest = 0, sum = 0;
    add_heads(table);
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        const gint64 delta = change->after - change->before;
        sum += delta;
        if (i < ATTRIBUTION_LINES && fabs((double)delta) > 0.005 * scale->moved)
            add_change_row(table, change->request_class, change->stage, delta, scale);
        else
            rest += delta;
    }
    add_change_row(table, "all others", "", rest, scale);
    add_change_row(table, "sum", "", sum, scale);
    table_print(table, out);
}

static Scale scale_of(JsonNode *before, const GArray *changes)
{
    Scale scale = {.total = (double)attribution_total(before),
                   .cycle = result_core_cycle_ns(before) * 1e6,
                   .requests = (double)attribution_requests(before)};
    for (guint i = 0; i < changes->len; i++) {
        const StageChange *change = &g_array_index(changes, StageChange, i);
        scale.moved += fabs((double)(change->after - change->before));
    }
    return scale;
}

static void print_attribution(const Comparison *comparison, guint index, FILE *out)
{
    JsonNode *before = comparison->results[0], *after = comparison->results[index];
    g_autoptr(GArray) changes = attribution_new(before, after);
    const gint64 old = attribution_total(before), new = attribution_total(after);
    if (!changes->len) return;
    g_array_sort(changes, compare_changes);
    const Scale scale = scale_of(before, changes);
    fprintf(out,
            "    latency of all requests, summed: %+.1f %% (%" G_GINT64_FORMAT
            " -> %" G_GINT64_FORMAT " requests); change by class and stage\n",
            old ? ((double)new / (double)old - 1) * 100 : 0.0, attribution_requests(before),
            attribution_requests(after));
    print_changes(changes, &scale, out);
}

/* Where there are many, their lines say less than the table. */
enum { TIME_CHANGES = 4 };

/* It and the first one. */
static bool are_ranked(const Comparison *comparison, guint index)
{
    return isfinite(result_rank(comparison->results[0]).ns)
           && isfinite(result_rank(comparison->results[index]).ns);
}

static void print_time_changes(const Comparison *comparison, FILE *out)
{
    if (comparison->count > TIME_CHANGES + 1) return;
    fprintf(out, "\n");
    for (guint i = 1; i < comparison->count; i++)
        if (are_ranked(comparison, i)) time_changes_print_brief(comparison, i, out);
}

void compare_print(const Comparison *comparison, bool details, FILE *out)
{
    print_facts(comparison, out);
    for (guint i = 1; i < comparison->count && !details; i++)
        print_differences(comparison, i, false, out);
    if (!details) fprintf(out, "\n");
    print_side_by_side(comparison, out);
    if (!details) print_time_changes(comparison, out);
    for (guint i = 1; i < comparison->count && details; i++) {
        fprintf(out, "\n");
        print_differences(comparison, i, true, out);
        if (are_ranked(comparison, i)) time_changes_print(comparison, i, out);
        print_attribution(comparison, i, out);
        energy_changes_print(comparison->results[0], comparison->results[i], out);
    }
    fprintf(out, "\n");
}
