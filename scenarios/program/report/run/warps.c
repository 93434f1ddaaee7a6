/* Where warps' time went, and what the execution units did. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* A warp that is resident is in one of these at any time. */
static const struct {
    const char *name, *statistic, *means;
    gboolean is_level;
} reasons[] = {
    {"waiting for loads", "waiting_for_loads", "the next instruction needs a load's data", TRUE},
    {"waiting for results", "stalled_results",
     "the next instruction needs a result of arithmetic, or is for a set time", FALSE},
    {"execution unit full", "stalled_unit",
     "ready, but its unit takes nothing more; of load/store units: L1 does not", FALSE},
    {"no dispatch slot", "stalled_slot", "ready, and the scheduler took other warps", FALSE},
    {"at a barrier, fence or end", "stalled_other",
     "at a barrier or a fence, or at its end with accesses under way", FALSE},
    {"not counted", NULL, "since the SM's last step when the measurement ended", FALSE},
};

enum { REASONS = G_N_ELEMENTS(reasons), REST = REASONS - 1 };

/* Of one SM or all, in fs of warps. */
typedef struct {
    double resident, time[REASONS];
} WarpTime;

static WarpTime read_times(JsonNode *result, JsonNode *unit, double units)
{
    const double span = result_number(result, "summary.time_ns") / NS_OF_FS * units;
    WarpTime times = {.resident = result_number(unit, "resident_warps.mean") * span};
    double rest = times.resident;
    for (guint i = 0; i < REST; i++) {
        g_autofree char *path =
            g_strconcat(reasons[i].statistic, reasons[i].is_level ? ".mean" : NULL, NULL);
        times.time[i] = result_number(unit, path) * (reasons[i].is_level ? span : 1);
        rest -= times.time[i];
    }
    /* A mean is a rounded double. */
    times.time[REST] = rest > 1e-6 * times.resident ? rest : 0;
    return times;
}

static double share(const WarpTime *times, guint reason)
{
    return data_percent(times->time[reason], times->resident);
}

/* Of all SMs, and of each: `least` and `most` by the share of time that warps wait for loads. */
typedef struct {
    WarpTime all;
    GArray *each; /* of WarpTime */
    guint least, most;
} Warps;

static void read_each(JsonNode *result, Warps *warps)
{
    JsonArray *units = data_array(result, "units.sm.instances");
    warps->each = g_array_new(FALSE, FALSE, sizeof(WarpTime));
    for (guint i = 0; i < data_length(units); i++) {
        const WarpTime times = read_times(result, data_element(units, i), 1);
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

static void add_bar(Figure *figure, const char *label, const WarpTime *times,
                    const WarpTime *columns)
{
    figure_row(figure);
    figure_text(figure, label);
    for (guint i = 0; i < REASONS; i++)
        if (columns->time[i] > 0) figure_number(figure, share(times, i));
}

static void add_unit_bar(Figure *figure, JsonNode *result, const Warps *warps, gboolean most)
{
    const guint unit = most ? warps->most : warps->least;
    g_autofree char *path = data_unit_path(result, "sm", unit);
    g_autofree char *label = g_strdup_printf("%s: waits %s", path, most ? "most" : "least");
    add_bar(figure, label, warps_of(warps, unit), &warps->all);
}

static void note_residency(Figure *figure, JsonNode *result)
{
    static const struct {
        const char *statistic, *name;
    } limits[] = {
        {"sm.limited_by_registers", "registers"},
        {"sm.limited_by_shared", "shared memory"},
        {"sm.limited_by_warps", "places for warps"},
        {"sm.limited_by_ctas", "places for CTAs"},
    };
    const double mean = result_number(result, "units.sm.total.resident_warps.mean"),
                 most = number_parameter(result, "sm.max_warps");
    if (isfinite(mean) && isfinite(most))
        figure_note(figure, "An SM had %.3g warps on average, of %.0f possible.", mean, most);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(limits); i++)
        if (data_total(result, limits[i].statistic) > 0)
            g_ptr_array_add(names, (char *)limits[i].name);
    if (!names->len) return;
    g_ptr_array_add(names, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **)names->pdata);
    figure_note(figure, "What limits how many fit: %s.", list);
}

static Figure *warp_time(JsonNode *result, Warps *warps)
{
    Figure *figure = figure_new("warp_time", NULL);
    if (!(warps->all.resident > 0)) return figure;
    figure_column(figure, "warps of", NULL);
    for (guint i = 0; i < REASONS; i++)
        if (warps->all.time[i] > 0) figure_column(figure, reasons[i].name, "%");
    figure_axis(figure, FIGURE_X, "share of the time that warps were resident", "%", FALSE);
    add_bar(figure, "all SMs", &warps->all, &warps->all);
    if (find_extremes(warps, 0)) {
        add_unit_bar(figure, result, warps, FALSE);
        add_unit_bar(figure, result, warps, TRUE);
    }
    note_residency(figure, result);
    return figure;
}

static void add_reason(Figure *figure, JsonNode *result, Warps *warps, guint reason)
{
    figure_row(figure);
    figure_text(figure, reasons[reason].name);
    figure_number(figure, share(&warps->all, reason));
    figure_number(figure, warps->all.time[reason] * US_OF_FS);
    const gboolean spread = find_extremes(warps, reason);
    for (guint most = 0; most < 2; most++) {
        const guint unit = most ? warps->most : warps->least;
        g_autofree char *path = data_unit_path(result, "sm", unit);
        figure_number(figure, spread ? share(warps_of(warps, unit), reason) : NAN);
        figure_text(figure, spread ? path : NULL);
    }
    figure_text(figure, reasons[reason].means);
}

/* Of the reasons that took time and are not among the added ones; REASONS: there is none. */
static guint longest_of(const WarpTime *times, const gboolean *added)
{
    guint longest = REASONS;
    for (guint i = 0; i < REASONS; i++) {
        if (added[i] || !(times->time[i] > 0)) continue;
        if (longest == REASONS || times->time[i] > times->time[longest]) longest = i;
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
    gboolean added[REASONS] = {FALSE};
    for (guint next; (next = longest_of(&warps->all, added)) < REASONS; added[next] = TRUE)
        add_reason(figure, result, warps, next);
    return figure;
}

/* --- execution units -------------------------------------------------------------------------- */

static const struct {
    const char *name, *prefix;
} pools[] = {
    {"FP32 cores", "core"},
    {"integer units", "int"},
    {"FP64 units", "fp64"},
    {"special function units", "sfu"},
    {"load/store units", "load_store"},
    {"texture units", "texture"},
    {"moves and branches", "other"},
};

static double pool_number(JsonNode *result, const char *prefix, const char *what)
{
    g_autofree char *statistic = g_strdup_printf("sm.%s_%s", prefix, what);
    return data_total(result, statistic);
}

static Figure *execution_units(JsonNode *result)
{
    Figure *figure = figure_new("execution_units", NULL);
    const double cycles = result_number(result, "summary.core_cycles") * number_units(result, "sm");
    double all = 0;
    for (guint i = 0; i < G_N_ELEMENTS(pools); i++)
        all += pool_number(result, pools[i].prefix, "accepted");
    figure_column(figure, "units", NULL);
    figure_column(figure, "warp instructions", NULL);
    figure_column(figure, "share", "%");
    figure_column(figure, "an SM and 1000 cycles", NULL);
    figure_column(figure, "dispatch slots lost", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(pools); i++) {
        const double taken = pool_number(result, pools[i].prefix, "accepted");
        const double lost = pool_number(result, pools[i].prefix, "lost");
        if (!(taken > 0) && !(lost > 0)) continue;
        figure_row(figure);
        figure_text(figure, pools[i].name);
        figure_integer(figure, (gint64)taken);
        figure_number(figure, data_percent(taken, all));
        figure_number(figure, 1000 * taken / cycles);
        figure_integer(figure, (gint64)lost);
    }
    return figure;
}

void run_warps(Document *document, JsonNode *result)
{
    JsonNode *total = result_member(result, "units.sm.total");
    if (!total) return;
    Warps warps = {.all = read_times(result, total, number_units(result, "sm"))};
    read_each(result, &warps);
    document_section(document, "warps", "Warps: what they waited for", NULL);
    document_add(document, warp_time(result, &warps));
    document_add(document, warp_stalls(result, &warps));
    document_add(document, execution_units(result));
    g_array_unref(warps.each);
}
