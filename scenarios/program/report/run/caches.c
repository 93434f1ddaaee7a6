/* Hit rates, what was refused, and the kernels. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "kit/describe/role.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/launches.h"

/* Of the rows of a class that have the role, with these words. */
static double count_role(JsonNode *result, const UnitClass *unit, size_t role, const char *words)
{
    double sum = 0;
    const Stat *stat = stat_with_role(unit->stats, role, words);
    for (; stat; stat = stat_with_role(stat + 1, role, words))
        sum += number_or_zero(number_statistic(result, unit, stat));
    return sum;
}

/* Those that count hits, merged ones and misses only are looked up as often. */
static double count_accesses(JsonNode *result, const UnitClass *unit, const char *cache)
{
    if (stat_with_role(unit->stats, ROLE(accesses_of), cache))
        return count_role(result, unit, ROLE(accesses_of), cache);
    return count_role(result, unit, ROLE(hits_of), cache)
           + count_role(result, unit, ROLE(merged_of), cache)
           + count_role(result, unit, ROLE(misses_of), cache);
}

/* A part is not shown where it is all. */
static gboolean is_all(JsonNode *result, const UnitClass *unit, const char *cache, double accesses)
{
    const Stat *stat = stat_with_role(unit->stats, ROLE(accesses_of), cache);
    if (!stat || !stat->part_of) return FALSE;
    return accesses == number_or_zero(number_of_class(result, unit, stat->part_of));
}

static void add_cache(Figure *figure, JsonNode *result, const UnitClass *unit, const char *cache)
{
    const double accesses = count_accesses(result, unit, cache),
                 hits = count_role(result, unit, ROLE(hits_of), cache),
                 merged = count_role(result, unit, ROLE(merged_of), cache);
    if (!(accesses > 0) || is_all(result, unit, cache, accesses)) return;
    figure_row(figure);
    figure_text(figure, cache);
    figure_number(figure, data_percent(hits, accesses));
    figure_integer(figure, (gint64)accesses);
    figure_integer(figure, (gint64)hits);
    figure_integer(figure, (gint64)merged);
    figure_integer(figure, (gint64)(accesses - hits - merged));
}

Figure *run_hit_rates(JsonNode *result, const UnitClass *const *classes)
{
    Figure *figure = figure_new("hit_rates", NULL);
    figure_column(figure, "look-ups of", NULL);
    figure_column(figure, "hit rate", "%");
    figure_column(figure, "look-ups", NULL);
    figure_column(figure, "hits", NULL);
    figure_column(figure, "merged", NULL);
    figure_column(figure, "others", NULL);
    for (const UnitClass *const *unit = classes; *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(hits_of), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(hits_of), NULL))
            add_cache(figure, result, *unit, stat->hits_of);
    }
    return figure;
}

/* --- DRAM rows -------------------------------------------------------------------------------- */

static double count_outcomes(JsonNode *result)
{
    double all = 0;
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++)
        all += count_role(result, *unit, ROLE(outcome), NULL);
    return all;
}

static void add_outcomes(Figure *figure, JsonNode *result, const UnitClass *unit, double all)
{
    const Stat *stat = stat_with_role(unit->stats, ROLE(outcome), NULL);
    for (; stat; stat = stat_with_role(stat + 1, ROLE(outcome), NULL)) {
        const double count = number_or_zero(number_statistic(result, unit, stat));
        figure_row(figure);
        figure_text(figure, stat->outcome);
        figure_integer(figure, (gint64)count);
        figure_number(figure, data_percent(count, all));
    }
}

static Figure *row_outcomes(JsonNode *result)
{
    Figure *figure = figure_new("row_outcomes", NULL);
    const double all = count_outcomes(result);
    figure_column(figure, "found", NULL);
    figure_column(figure, "requests", NULL);
    figure_column(figure, "share", "%");
    for (const UnitClass *const *unit = machine_unit_classes(); all > 0 && *unit; unit++)
        add_outcomes(figure, result, *unit, all);
    return figure;
}

/* --- refusals --------------------------------------------------------------------------------- */

/* Of the first thing that the unit looks up in. */
static double count_lookups(JsonNode *result, const UnitClass *unit)
{
    const Stat *stat = stat_with_role(unit->stats, ROLE(accesses_of), NULL);
    return stat ? number_statistic(result, unit, stat) : NAN;
}

static void add_refusal(Figure *figure, JsonNode *result, const UnitClass *unit, const Stat *stat)
{
    const double count = number_statistic(result, unit, stat);
    const double accesses = count_lookups(result, unit);
    if (!(count > 0)) return;
    g_autofree char *statistic = g_strdup_printf("%s.%s", unit->name, stat->name);
    figure_row(figure);
    figure_text(figure, statistic);
    figure_integer(figure, (gint64)count);
    figure_number(figure, accesses > 0 ? count / accesses : NAN);
    figure_text(figure, stat->summary);
}

Figure *run_refusals(JsonNode *result, const UnitClass *const *classes)
{
    Figure *figure = figure_new("refusals", NULL);
    figure_column(figure, "statistic", NULL);
    figure_column(figure, "attempts", NULL);
    figure_column(figure, "for each look-up", NULL);
    figure_column(figure, "why", NULL);
    for (const UnitClass *const *unit = classes; *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(refusal), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(refusal), NULL))
            add_refusal(figure, result, *unit, stat);
    }
    return figure;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void add_kernel(Figure *figure, JsonNode *kernel)
{
    const gboolean measured = result_flag(kernel, "measured", FALSE);
    const gboolean finished = result_flag(kernel, "finished", FALSE);
    figure_row(figure);
    figure_text(figure, result_text(kernel, "name"));
    figure_text(figure, measured                               ? "yes"
                        : result_flag(kernel, "beside", FALSE) ? "no, beside"
                                                               : "no");
    figure_number(figure, result_number(kernel, "time_ns") * 1e-3);
    figure_count(figure, result_number(kernel, "cycles"));
    figure_count(figure, result_number(kernel, "issue_cycles"));
    figure_count(figure, result_number(kernel, "ctas"));
    figure_count(figure, result_number(kernel, "threads_per_cta"));
    figure_number(figure, result_number(kernel, "gbps"));
    figure_number(figure, result_number(kernel, "cycles_per_load"));
    figure_text(figure, finished ? "yes" : "no, interrupted");
}

static Figure *kernels(JsonNode *result)
{
    Figure *figure = figure_new("kernels", NULL);
    JsonArray *rows = result_array(result, "summary.kernels");
    figure_column(figure, "kernel", NULL);
    figure_column(figure, "measured", NULL);
    figure_column(figure, "time", "us");
    figure_column(figure, "time", "core cycles");
    figure_column(figure, "until its last CTA ended", "core cycles");
    figure_column(figure, "CTAs", NULL);
    figure_column(figure, "threads a CTA", NULL);
    figure_column(figure, "counted", "GB/s");
    figure_column(figure, "a dependent load", "core cycles");
    figure_column(figure, "finished", NULL);
    for (guint i = 0; i < result_length(rows); i++) add_kernel(figure, data_element(rows, i));
    const guint all = result_count_launches(result);
    if (result_length(rows) < all)
        figure_note(figure,
                    "Of %u launches %u are shown; the result has a line of each in 'kernel_rows'.",
                    all, result_length(rows));
    return figure;
}

static const struct {
    const char *member, *column;
} launch_shares[] = {{"full_wave_gain", "full waves would save"},
                     {"mean_sm_share", "an SM has CTAs, mean"},
                     {"longest_sm_share", "of the SM with longest"},
                     {"head_share", "none yet"},
                     {"tail_share", "none any more"},
                     {"drain_share", "drain of stores"},
                     {"places_taken_share", "places taken"}};

/* An empty cell: it lets in any number. Rows: 0 or 1. */
static guint add_launch(Figure *figure, JsonNode *kernel)
{
    JsonNode *launch = result_member(kernel, "launch");
    if (!launch) return 0;
    g_autofree char *limits = launches_limits(launch);
    figure_row(figure);
    figure_text(figure, result_text(kernel, "name"));
    figure_count(figure, result_number(launch, "ctas_per_sm"));
    figure_text(figure, limits);
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++) {
        g_autofree char *path = g_strconcat("limits.", residency_limit_names[i].key, NULL);
        figure_count(figure, result_number(launch, path));
    }
    figure_number(figure, result_number(launch, "waves"));
    figure_count(figure, result_number(launch, "least_ctas_of_an_sm"));
    figure_count(figure, result_number(launch, "most_ctas_of_an_sm"));
    for (guint i = 0; i < G_N_ELEMENTS(launch_shares); i++)
        figure_number(figure, 100 * result_number(launch, launch_shares[i].member));
    return 1;
}

static void note_launches(Figure *figure, JsonNode *result, guint shown)
{
    const guint all = result_count_launches(result);
    if (shown < all)
        figure_note(figure, "Of %u launches the %u that took most time are shown.", all, shown);
}

static Figure *launches(JsonNode *result)
{
    Figure *figure = figure_new("launches", NULL);
    JsonArray *rows = result_array(result, "summary.kernels");
    figure_column(figure, "kernel", NULL);
    figure_column(figure, "CTAs an SM", NULL);
    figure_column(figure, "limited by", NULL);
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++) {
        g_autofree char *name = g_strconcat("by ", residency_limit_names[i].words, NULL);
        figure_column(figure, name, NULL);
    }
    figure_column(figure, "waves", NULL);
    figure_column(figure, "fewest CTAs of an SM", NULL);
    figure_column(figure, "most", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(launch_shares); i++)
        figure_column(figure, launch_shares[i].column, "%");
    guint shown = 0;
    for (guint i = 0; i < result_length(rows); i++)
        shown += add_launch(figure, data_element(rows, i));
    note_launches(figure, result, shown);
    return figure;
}

void run_caches(Document *document, JsonNode *result)
{
    document_section(document, "caches", "Caches, rows and refusals", NULL);
    document_add(document, run_hit_rates(result, machine_unit_classes()));
    document_add(document, row_outcomes(result));
    document_add(document, run_refusals(result, machine_unit_classes()));
    document_section(document, "kernels", "Kernels", NULL);
    document_add(document, kernels(result));
    document_add(document, launches(result));
}
