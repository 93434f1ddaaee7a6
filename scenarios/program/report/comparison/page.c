#include "scenarios/program/report/comparison/comparison.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/compare/conclusion.h"
#include "scenarios/program/compare/parameter_changes.h"
#include "scenarios/program/compare/reason.h"
#include "scenarios/program/report/pages.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/verdict/verdict.h"

guint comparison_drawn(const Comparison *comparison)
{
    return MIN(comparison->count, COMPARISON_DRAWN);
}

void comparison_note_left_out(Figure *figure, const Comparison *comparison)
{
    if (comparison->count > COMPARISON_DRAWN)
        figure_note(figure, "Of %u results %d are shown, the fastest among them; %u are left out.",
                    comparison->count, COMPARISON_DRAWN, comparison->count - COMPARISON_DRAWN);
}

void waterfall_add_columns(Figure *figure)
{
    static const char *const columns[] = {"role", "change_fs", "before_fs", "after_fs"};
    figure_column(figure, "step", NULL);
    figure_column(figure, "change", "ns");
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) figure_column(figure, columns[i], NULL);
}

static void add_step(Figure *figure, const char *name, const char *role, gint64 femtoseconds)
{
    figure_row(figure);
    figure_text(figure, name);
    figure_number(figure, (double)femtoseconds * 1e-6);
    figure_text(figure, role);
    figure_integer(figure, femtoseconds);
}

void waterfall_add_change(Figure *figure, const char *name, gint64 before, gint64 after)
{
    add_step(figure, name, "change", after - before);
    figure_integer(figure, before);
    figure_integer(figure, after);
}

void waterfall_add_sum(Figure *figure, const char *name, const char *role, gint64 femtoseconds)
{
    add_step(figure, name, role, femtoseconds);
    figure_text(figure, NULL);
    figure_text(figure, NULL);
}

void waterfall_add_all(Document *document, const Comparison *comparison, WaterfallMaker *make)
{
    for (guint i = 1; i < comparison_drawn(comparison); i++) {
        const char *const names[] = {compare_label(comparison, 0), compare_label(comparison, i)};
        Figure *figure = make(comparison->results[0], comparison->results[i], names);
        if (i + 1 == comparison_drawn(comparison)) comparison_note_left_out(figure, comparison);
        document_add(document, figure);
    }
}

static double rank_of(const Comparison *comparison, guint index)
{
    return result_rank(comparison->results[index]).ns;
}

/* The one with the shortest (sign 1) or longest (-1) time; the first of several. */
static guint extreme(const Comparison *comparison, double sign)
{
    guint best = 0;
    for (guint i = 1; i < comparison->count; i++)
        if (sign * rank_of(comparison, i) < sign * rank_of(comparison, best)
            || (isnan(rank_of(comparison, best)) && isfinite(rank_of(comparison, i))))
            best = i;
    return best;
}

/* ", -23.5 % against baseline: fewer bytes ..."; nothing where there is no time to compare with. */
static char *describe_change(const Comparison *comparison, guint index)
{
    const double change = reason_change(comparison->results[0], comparison->results[index]);
    if (!index) return g_strdup(", the one that the others are compared with");
    if (!isfinite(change)) return g_strdup("");
    g_autofree char *reason = reason_new(comparison->results[0], comparison->results[index]);
    return g_strdup_printf(", %+.1f %% against %s%s%s", change * 100, compare_label(comparison, 0),
                           reason ? ": " : "", reason ? reason : "");
}

static void lead_extreme(Document *document, const Comparison *comparison, double sign)
{
    const guint best = extreme(comparison, sign);
    if (!isfinite(rank_of(comparison, best))) return;
    g_autofree char *time = text_time(rank_of(comparison, best));
    g_autoptr(Verdict) verdict = verdict_new(comparison->results[best]);
    g_autofree char *change = describe_change(comparison, best);
    g_autofree char *text = g_strdup_printf(
        "%s: %s%s; bound by %s", compare_label(comparison, best), time, change, verdict->sentence);
    const bool latency = result_rank(comparison->results[best]).latency;
    document_lead(document,
                  latency    ? sign > 0 ? "Least latency" : "Most latency"
                  : sign > 0 ? "Fastest"
                             : "Slowest",
                  text);
}

static char *bound_of(const Comparison *comparison, guint index)
{
    JsonNode *result = comparison->results[index];
    if (!result_is_measured(result)) return g_strdup("nothing was measured");
    g_autoptr(Verdict) verdict = verdict_new(result);
    return g_strdup(verdict->unlike ? verdict->sentence : verdict->bound);
}

static gboolean same_bound(const Comparison *comparison)
{
    g_autofree char *first = bound_of(comparison, 0);
    for (guint i = 1; i < comparison->count; i++) {
        g_autofree char *own = bound_of(comparison, i);
        if (strcmp(first, own) != 0) return FALSE;
    }
    return TRUE;
}

/* "DRAM bus, in all of them", or of each what bound it. */
static void lead_bounds(Document *document, const Comparison *comparison)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const gboolean same = same_bound(comparison);
    for (guint i = 0; i < (same ? 1 : comparison_drawn(comparison)); i++) {
        g_autofree char *bound = bound_of(comparison, i);
        if (!same)
            g_string_append_printf(text, "%s%s: ", i ? "; " : "", compare_label(comparison, i));
        g_string_append(text, bound);
    }
    if (same)
        g_string_append(text, ", in all of them; the differences did not move the bottleneck");
    document_lead(document, "Bound by", text->str);
}

/* Keeps the parameters of the workload. */
static void collect_work(void *user, const char *name, const char *before, const char *after)
{
    (void)before, (void)after;
    GPtrArray *names = user;
    if (g_str_has_prefix(name, "workload.")
        && !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
        g_ptr_array_add(names, g_strdup(name));
}

static void lead_work(Document *document, const Comparison *comparison)
{
    enum { NAMED = 3 };
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 1; i < comparison->count; i++)
        parameter_changes_visit(comparison->results[0], comparison->results[i], collect_work,
                                names);
    if (!names->len) return;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < MIN(names->len, NAMED); i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)names->pdata[i]);
    g_string_append_printf(text, "%s: compare times and sums only where the work is the same",
                           names->len > NAMED ? " and others differ"
                           : names->len > 1   ? " differ"
                                              : " differs");
    document_lead(document, "Workload", text->str);
}

gboolean comparison_any_partial(const Comparison *comparison)
{
    for (guint i = 0; i < comparison->count; i++)
        if (result_is_partial(comparison->results[i])) return TRUE;
    return FALSE;
}

static void lead_partial(Document *document, const Comparison *comparison)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < comparison->count; i++)
        if (result_is_partial(comparison->results[i]))
            text_append_name(names, compare_label(comparison, i));
    if (!names->len) return;
    g_string_append(names, ": interrupted; what is shown is of the part that was simulated");
    document_lead(document, "Partial", names->str);
}

/* The fastest, which the lead names, takes the place of the last that is drawn. */
static void choose_drawn(const Comparison *comparison, JsonNode **results, const char **labels)
{
    const guint best = extreme(comparison, 1), last = comparison_drawn(comparison) - 1;
    for (guint i = 0; i < comparison->count; i++) {
        const guint index = i == last ? MAX(best, last) : i;
        results[i] = comparison->results[index];
        labels[i] = compare_label(comparison, index);
    }
}

static void comparison_lead(Document *document, const Comparison *comparison,
                            const Comparison *drawn)
{
    g_autofree char *doubts = conclusion_doubts(comparison);
    lead_extreme(document, comparison, 1);
    if (extreme(comparison, 1) != extreme(comparison, -1)) lead_extreme(document, comparison, -1);
    lead_bounds(document, drawn);
    if (doubts) document_lead(document, "Not stated", doubts);
    lead_work(document, comparison);
    lead_partial(document, comparison);
}

/* `drawn` is of the same results, those first that figures have room for. */
static void add_figures(Document *document, const Comparison *drawn)
{
    document_section(document, "bounds", "What bounds each result", NULL);
    document_add(document, comparison_pressure(drawn));
    document_section(document, "spent", "Where the time went",
                     "What warp schedulers did, and what of it changed: time is divided exactly.");
    document_add(document, comparison_time(drawn));
    comparison_add_time_changes(document, drawn);
    document_section(document, "change", "Where latency moved",
                     "The change of all requests' latencies, divided exactly by class and stage.");
    comparison_add_changes(document, drawn);
    document_section(document, "stages", "Stages", NULL);
    comparison_add_stages(document, drawn);
    document_section(document, "latency", "Latency", NULL);
    comparison_add_latencies(document, drawn);
    document_section(document, "time", "Over time", NULL);
    document_add(document, comparison_bandwidth(drawn));
    document_section(document, "cost", "What it costs", NULL);
    document_add(document, comparison_energy(drawn));
}

Document *comparison_page(JsonNode *const *results, const char *const *labels, guint count)
{
    const Comparison comparison = {results, labels, count};
    g_autofree JsonNode **drawn_results = g_new(JsonNode *, count);
    g_autofree const char **drawn_labels = g_new(const char *, count);
    choose_drawn(&comparison, drawn_results, drawn_labels);
    const Comparison drawn = {drawn_results, drawn_labels, count};
    g_autofree char *subtitle =
        g_strdup_printf("%u %s against %s", count - 1, count == 2 ? "result" : "results",
                        compare_label(&comparison, 0));
    Document *document = document_new("comparison", result_text(results[0], "scenario"), subtitle);
    comparison_lead(document, &comparison, &drawn);
    document_section(document, "results", "Results", NULL);
    document_add(document, comparison_results(&comparison));
    if (compare_machines_differ(&comparison))
        document_add(document, comparison_machines(&comparison));
    document_add(document, comparison_parameters(&comparison));
    document_add(document, comparison_summary(&drawn));
    document_add(document, comparison_kernels(&comparison));
    add_figures(document, &drawn);
    return document;
}
