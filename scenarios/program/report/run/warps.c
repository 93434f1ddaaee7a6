/* Where warps' time went, and what the execution units did. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "kit/describe/role.h"
#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

enum { REASONS_MAX = 16 };

/* A warp that is resident is in one of these states at any time; the last is what no statistic
 * tells. */
typedef struct {
    const UnitClass *cores;
    const Stat *stat[REASONS_MAX]; /* levels before times */
    StatWords words[REASONS_MAX + 1];
    guint count; /* with the last */
} Reasons;

static Reasons list_reasons(void)
{
    Reasons reasons = {.cores = data_class(MEANS_RESIDENT_WARPS)};
    guint count = 0;
    for (guint times = 0; times < 2; times++)
        for (const Stat *stat = reasons.cores->stats; stat->name && count < REASONS_MAX; stat++) {
            if (!stat->state.of || (stat->type == STAT_TIME) != times) continue;
            reasons.stat[count] = stat;
            reasons.words[count++] = stat->state;
        }
    reasons.words[count] =
        (StatWords){"not counted", "since the SM's last step when the measurement ended"};
    reasons.count = count + 1;
    return reasons;
}

/* Of one SM or all, in fs of warps. */
typedef struct {
    double resident, time[REASONS_MAX + 1];
} WarpTime;

/* A level's mean is of one unit. */
static double read_time(JsonNode *unit, const Stat *stat, double span)
{
    const bool level = stat->type == STAT_LEVEL;
    g_autofree char *path = g_strconcat(stat->name, level ? ".mean" : NULL, NULL);
    return result_number(unit, path) * (level ? span : 1);
}

static WarpTime read_times(JsonNode *result, const Reasons *reasons, JsonNode *unit, double units)
{
    const double span = result_number(result, "summary.time_ns") / NS_OF_FS * units;
    const Stat *resident = stat_that_means(reasons->cores->stats, MEANS_RESIDENT_WARPS);
    WarpTime times = {.resident = read_time(unit, resident, span)};
    double rest = times.resident;
    const guint last = reasons->count - 1;
    for (guint i = 0; i < last; i++) {
        times.time[i] = read_time(unit, reasons->stat[i], span);
        rest -= times.time[i];
    }
    /* A mean is a rounded double. */
    times.time[last] = rest > 1e-6 * times.resident ? rest : 0;
    return times;
}

static double share(const WarpTime *times, guint reason)
{
    return data_percent(times->time[reason], times->resident);
}

/* Of all SMs, and of each: `least` and `most` by the share of time that warps wait for loads. */
typedef struct {
    Reasons reasons;
    WarpTime all;
    GArray *each; /* of WarpTime */
    guint least, most;
} Warps;

static void read_each(JsonNode *result, Warps *warps)
{
    g_autofree char *path = g_strdup_printf("units.%s.instances", warps->reasons.cores->name);
    JsonArray *units = result_array(result, path);
    warps->each = g_array_new(FALSE, FALSE, sizeof(WarpTime));
    for (guint i = 0; i < result_length(units); i++) {
        const WarpTime times = read_times(result, &warps->reasons, data_element(units, i), 1);
        g_array_append_val(warps->each, times);
    }
}

static const WarpTime *warps_of(const Warps *warps, guint unit)
{
    return &g_array_index(warps->each, WarpTime, unit);
}

/* Idle SMs have no shares. FALSE: fewer than two were busy. */
static gboolean find_extremes(Warps *warps, guint reason)
{
    guint busy = 0;
    for (guint i = 0; i < warps->each->len; i++) {
        if (!(warps_of(warps, i)->resident > 0)) continue;
        if (!busy++) warps->least = warps->most = i;
        const double own = share(warps_of(warps, i), reason);
        if (own < share(warps_of(warps, warps->least), reason)) warps->least = i;
        if (own > share(warps_of(warps, warps->most), reason)) warps->most = i;
    }
    return busy > 1;
}

static void add_bar(Figure *figure, const char *label, const WarpTime *times, const Warps *warps)
{
    figure_row(figure);
    figure_text(figure, label);
    for (guint i = 0; i < warps->reasons.count; i++)
        if (warps->all.time[i] > 0) figure_number(figure, share(times, i));
}

static void add_unit_bar(Figure *figure, JsonNode *result, const Warps *warps, gboolean most)
{
    const guint unit = most ? warps->most : warps->least;
    g_autofree char *path = data_unit_path(result, warps->reasons.cores->name, unit);
    g_autofree char *label = g_strdup_printf("%s: waits %s", path, most ? "most" : "least");
    add_bar(figure, label, warps_of(warps, unit), warps);
}

/* What bounded the warps of some SM; NULL: nothing is known. */
static char *list_limits(JsonNode *result, const UnitClass *cores)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const Stat *stat = stat_with_role(cores->stats, ROLE(limit), NULL);
    for (; stat; stat = stat_with_role(stat + 1, ROLE(limit), NULL))
        if (number_statistic(result, cores, stat) > 0) g_ptr_array_add(names, (char *)stat->limit);
    if (!names->len) return NULL;
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

static void note_residency(Figure *figure, JsonNode *result, const UnitClass *cores)
{
    const Stat *warps = stat_that_means(cores->stats, MEANS_RESIDENT_WARPS);
    g_autofree char *level = g_strconcat(warps->name, ".mean", NULL);
    const double mean = number_of_class(result, cores, level),
                 most = number_most(result, cores, warps);
    if (isfinite(mean) && isfinite(most))
        figure_note(figure, "An SM had %.3g warps on average, of %.0f possible.", mean, most);
    g_autofree char *limits = list_limits(result, cores);
    if (limits) figure_note(figure, "What limits how many fit: %s.", limits);
}

static Figure *warp_time(JsonNode *result, Warps *warps)
{
    Figure *figure = figure_new("warp_time", NULL);
    if (!(warps->all.resident > 0)) return figure;
    figure_column(figure, "warps of", NULL);
    for (guint i = 0; i < warps->reasons.count; i++)
        if (warps->all.time[i] > 0) figure_column(figure, warps->reasons.words[i].of, "%");
    figure_axis(figure, FIGURE_X, "share of the time that warps were resident", "%", FALSE);
    add_bar(figure, "all SMs", &warps->all, warps);
    if (find_extremes(warps, 0)) {
        add_unit_bar(figure, result, warps, FALSE);
        add_unit_bar(figure, result, warps, TRUE);
    }
    note_residency(figure, result, warps->reasons.cores);
    return figure;
}

static void add_reason(Figure *figure, JsonNode *result, Warps *warps, guint reason)
{
    figure_row(figure);
    figure_text(figure, warps->reasons.words[reason].of);
    figure_number(figure, share(&warps->all, reason));
    figure_number(figure, warps->all.time[reason] * US_OF_FS);
    const gboolean spread = find_extremes(warps, reason);
    for (guint most = 0; most < 2; most++) {
        const guint unit = most ? warps->most : warps->least;
        g_autofree char *path = data_unit_path(result, warps->reasons.cores->name, unit);
        figure_number(figure, spread ? share(warps_of(warps, unit), reason) : NAN);
        figure_text(figure, spread ? path : NULL);
    }
    figure_text(figure, warps->reasons.words[reason].what);
}

/* Of the reasons that took time and are not among the added ones; `count`: there is none. */
static guint longest_of(const WarpTime *times, const gboolean *added, guint count)
{
    guint longest = count;
    for (guint i = 0; i < count; i++) {
        if (added[i] || !(times->time[i] > 0)) continue;
        if (longest == count || times->time[i] > times->time[longest]) longest = i;
    }
    return longest;
}

static Figure *warp_stalls(JsonNode *result, Warps *warps)
{
    Figure *figure = figure_new("warp_stalls", NULL);
    figure_column(figure, "a warp is", NULL);
    figure_column(figure, "share", "%");
    figure_column(figure, "time, summed over warps", "us");
    figure_column(figure, "least", "%");
    figure_column(figure, "at", NULL);
    figure_column(figure, "most", "%");
    figure_column(figure, "at ", NULL);
    figure_column(figure, "that is", NULL);
    gboolean added[REASONS_MAX + 1] = {FALSE};
    const guint count = warps->reasons.count;
    for (guint next; (next = longest_of(&warps->all, added, count)) < count; added[next] = TRUE)
        add_reason(figure, result, warps, next);
    return figure;
}

/* --- execution units -------------------------------------------------------------------------- */

static double count_taken(JsonNode *result, const UnitClass *cores)
{
    double all = 0;
    const Stat *stat = stat_with_role(cores->stats, ROLE(taken_of), NULL);
    for (; stat; stat = stat_with_role(stat + 1, ROLE(taken_of), NULL))
        all += number_or_zero(number_statistic(result, cores, stat));
    return all;
}

static void add_pool(Figure *figure, JsonNode *result, const UnitClass *cores, const Stat *stat)
{
    const double cycles =
        result_number(result, "summary.core_cycles") * number_units(result, cores->name);
    const Stat *waste = stat_with_role(cores->stats, ROLE(lost_of), stat->taken_of);
    const double taken = number_or_zero(number_statistic(result, cores, stat)),
                 lost = number_or_zero(number_statistic(result, cores, waste));
    if (!(taken > 0) && !(lost > 0)) return;
    figure_row(figure);
    figure_text(figure, stat->taken_of);
    figure_integer(figure, (gint64)taken);
    figure_number(figure, data_percent(taken, count_taken(result, cores)));
    figure_number(figure, 1000 * taken / cycles);
    figure_integer(figure, (gint64)lost);
}

static Figure *execution_units(JsonNode *result, const UnitClass *cores)
{
    Figure *figure = figure_new("execution_units", NULL);
    figure_column(figure, "units", NULL);
    figure_column(figure, "warp instructions", NULL);
    figure_column(figure, "share", "%");
    figure_column(figure, "an SM and 1000 cycles", NULL);
    figure_column(figure, "dispatch slots lost", NULL);
    const Stat *stat = stat_with_role(cores->stats, ROLE(taken_of), NULL);
    for (; stat; stat = stat_with_role(stat + 1, ROLE(taken_of), NULL))
        add_pool(figure, result, cores, stat);
    return figure;
}

void run_warps(Document *document, JsonNode *result)
{
    Warps warps = {.reasons = list_reasons()};
    const UnitClass *cores = warps.reasons.cores;
    g_autofree char *path = g_strdup_printf("units.%s.total", cores->name);
    JsonNode *total = result_member(result, path);
    if (!total) return;
    warps.all = read_times(result, &warps.reasons, total, number_units(result, cores->name));
    read_each(result, &warps);
    document_section(document, "warps", "Warps: what they waited for", NULL);
    document_add(document, warp_time(result, &warps));
    document_add(document, warp_stalls(result, &warps));
    document_add(document, execution_units(result, cores));
    g_array_unref(warps.each);
}
