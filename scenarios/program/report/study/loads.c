/* Loaded-latency curves: what a load takes while the rest of the machine makes traffic. */
#include <math.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/curve.h"
#include "scenarios/program/study/records/number.h"

enum { MOST_CURVES = 12 };

static guint shown_curves(const CurveSet *set)
{
    return MIN(set->curves->len, MOST_CURVES);
}

/* A curve alone is called what it shows. */
static char *name_of(const CurveSet *set, guint index, const char *what)
{
    char *label = curve_label(set, curve_set_at(set, index));
    if (*label) return label;
    g_free(label);
    return g_strdup(what);
}

static void note_state(const CurveSet *set, Figure *figure)
{
    const guint points = set->data->points, missing = points - set->data->done;
    if (missing) figure_note(figure, "%u of %u points are not done.", missing, points);
    if (set->curves->len > MOST_CURVES)
        figure_note(figure, "%u of %u curves are shown; 'study curve' has all.", MOST_CURVES,
                    set->curves->len);
}

/* --- latency against offered load ------------------------------------------------------------- */

static double load_of(const CurvePoint *point)
{
    double load;
    return number_read(point->load, &load, NULL) ? decimal_scale(load, 2) : NAN;
}

static gint compare_loads(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All loads of all curves, ascending, each once; of double. */
static GArray *list_loads(const CurveSet *set)
{
    GArray *loads = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint c = 0; c < shown_curves(set); c++)
        for (guint i = 0; i < curve_set_at(set, c)->points->len; i++) {
            const double load = load_of(curve_point(curve_set_at(set, c), i));
            if (isfinite(load)) g_array_append_val(loads, load);
        }
    g_array_sort(loads, compare_loads);
    for (guint i = 1; i < loads->len;)
        if (g_array_index(loads, double, i) == g_array_index(loads, double, i - 1))
            g_array_remove_index(loads, i);
        else
            i++;
    return loads;
}

static double latency_of(const CurvePoint *point)
{
    return point->mean_ns;
}

static double energy_of(const CurvePoint *point)
{
    return point->pj_a_bit;
}

static double dram_energy_of(const CurvePoint *point)
{
    return point->dram_pj_a_bit;
}

/* What stands over the load: a curve for each of the set's. */
typedef struct {
    const char *topic, *axis, *unit;
    double (*value)(const CurvePoint *point);
    gboolean logarithmic;
} Ordinate;

static double value_at(const Curve *curve, double load, const Ordinate *ordinate)
{
    for (guint i = 0; i < curve->points->len; i++)
        if (load_of(curve_point(curve, i)) == load) return ordinate->value(curve_point(curve, i));
    return NAN;
}

/* Of several curves only where latency doubles; the table has the rest. */
static void mark_curves(const CurveSet *set, Figure *figure)
{
    const bool alone = set->curves->len == 1;
    for (guint c = 0; c < shown_curves(set); c++) {
        const Curve *curve = curve_set_at(set, c);
        g_autofree char *name = name_of(set, c, "");
        g_autofree char *twice = g_strdup_printf("doubled, %s", name);
        if (alone)
            figure_mark(figure, FIGURE_X, 100 * curve->saturation / curve->peak, "saturation");
        figure_mark(figure, FIGURE_X, 100 * curve->doubled / curve->peak,
                    alone ? "latency doubled" : twice);
    }
}

static bool knows(const CurveSet *set, double (*value)(const CurvePoint *point))
{
    for (guint c = 0; c < shown_curves(set); c++)
        for (guint i = 0; i < curve_set_at(set, c)->points->len; i++)
            if (isfinite(value(curve_point(curve_set_at(set, c), i)))) return true;
    return false;
}

static Figure *new_figure(const CurveSet *set, const Ordinate *ordinate)
{
    Figure *figure = figure_new(ordinate->topic, NULL);
    g_autoptr(GArray) loads = list_loads(set);
    figure_column(figure, "offered load", "% of peak");
    for (guint c = 0; c < shown_curves(set); c++) {
        g_autofree char *name = name_of(set, c, ordinate->axis);
        figure_column(figure, name, ordinate->unit);
    }
    figure_axis(figure, FIGURE_X, "offered load", "% of peak", FALSE);
    figure_axis(figure, FIGURE_Y, ordinate->axis, ordinate->unit, ordinate->logarithmic);
    for (guint i = 0; i < loads->len; i++) {
        const double load = g_array_index(loads, double, i);
        figure_row(figure);
        figure_number(figure, load);
        for (guint c = 0; c < shown_curves(set); c++)
            figure_number(figure, value_at(curve_set_at(set, c), load, ordinate));
    }
    note_state(set, figure);
    return figure;
}

static bool is_known(const CurveSet *set, const char *measure)
{
    const int index = study_find_measure(set->data, measure);
    return index >= 0 && study_measure(set->data, (guint)index)->known;
}

static void note_whose_latency(const CurveSet *set, Figure *figure)
{
    if (is_known(set, "probe_latency_mean"))
        figure_note(figure,
                    "The latency is of loads that wait for each other, while all other SMs ask.");
    if (is_known(set, "traffic_latency_mean"))
        figure_note(figure, "The latency is of all requests of the traffic, which no SM asks for.");
}

static void add_latency(Document *document, const CurveSet *set)
{
    const Ordinate latency = {"loaded_latency", "mean latency", "ns", latency_of, FALSE};
    Figure *figure = new_figure(set, &latency);
    mark_curves(set, figure);
    note_whose_latency(set, figure);
    document_add(document, figure);
}

/* Nothing of studies whose points do not know it. */
static void add_energy(Document *document, const CurveSet *set)
{
    static const Ordinate ordinates[] = {
        {"loaded_energy", "energy", "pJ/bit", energy_of, TRUE},
        {"loaded_dram_energy", "energy", "pJ/bit", dram_energy_of, FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(ordinates); i++)
        if (knows(set, ordinates[i].value)) document_add(document, new_figure(set, &ordinates[i]));
}

/* --- latency against bandwidth, and what the curves say --------------------------------------- */

static void add_bandwidth(Document *document, const CurveSet *set)
{
    Figure *figure = figure_new("loaded_bandwidth", NULL);
    figure_column(figure, "achieved", set->unit->words);
    figure_column(figure, "mean latency", "ns");
    figure_column(figure, "label", "");
    figure_column(figure, "group", "");
    figure_column(figure, "offered", set->unit->words);
    figure_column(figure, "mean", "cycles");
    figure_column(figure, "p95", "cycles");
    figure_column(figure, "p99", "cycles");
    for (guint c = 0; c < shown_curves(set); c++) {
        g_autofree char *name = name_of(set, c, "mean latency");
        for (guint i = 0; i < curve_set_at(set, c)->points->len; i++) {
            const CurvePoint *point = curve_point(curve_set_at(set, c), i);
            figure_row(figure);
            figure_number(figure, point->achieved);
            figure_number(figure, point->mean_ns);
            figure_text(figure, point->load);
            figure_text(figure, name);
            figure_number(figure, point->offered);
            figure_number(figure, point->mean);
            figure_number(figure, point->p95);
            figure_number(figure, point->p99);
        }
    }
    note_state(set, figure);
    document_add(document, figure);
}

static void add_facts(Document *document, const CurveSet *set)
{
    const char *unit = set->unit->words;
    const struct {
        const char *name, *unit;
    } columns[] = {{"curve", ""},    {"unloaded latency", "cycles"}, {"saturation", unit},
                   {"of peak", "%"}, {"latency doubled at", unit},   {"of peak, offered", "%"}};
    Figure *figure = figure_new("loaded_facts", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        figure_column(figure, columns[i].name, columns[i].unit);
    for (guint c = 0; c < set->curves->len; c++) {
        const Curve *curve = curve_set_at(set, c);
        g_autofree char *name = name_of(set, c, "mean latency");
        figure_row(figure);
        figure_text(figure, name);
        figure_number(figure, curve->unloaded);
        figure_number(figure, curve->saturation);
        figure_number(figure, 100 * curve->saturation / curve->peak);
        figure_number(figure, curve->doubled);
        figure_number(figure, 100 * curve->doubled / curve->peak);
        if (!curve->idle)
            figure_note(figure, "%s: unloaded is at the lowest load, which is not 0.", name);
    }
    document_add(document, figure);
}

static void lead_curve(Document *document, const CurveSet *set)
{
    const Curve *curve = curve_set_at(set, 0);
    const CurveUnit *unit = set->unit;
    g_autofree char *label = curve_label(set, curve);
    g_autofree char *doubled =
        isfinite(curve->doubled)
            ? g_strdup_printf("; it has doubled at %.*f %s offered, %.0f %% of peak",
                              unit->decimals, curve->doubled, unit->words,
                              100 * curve->doubled / curve->peak)
            : g_strdup("; it does not double");
    g_autofree char *saturation =
        isfinite(curve->saturation)
            ? g_strdup_printf("saturation is at %.*f %s, %.0f %% of peak", unit->decimals,
                              curve->saturation, unit->words, 100 * curve->saturation / curve->peak)
            : g_strdup("saturation is not reached");
    g_autofree char *text = g_strdup_printf(
        "%s%sunloaded latency is %.0f cycles%s; %s%s.", label, *label ? ": " : "", curve->unloaded,
        doubled, saturation, set->curves->len > 1 ? " (the first of the curves below)" : "");
    document_lead(document, "Under load", text);
}

void study_show_loads(Document *document, const StudyView *view)
{
    g_autoptr(CurveSet) set = curve_set_new(view->data, NULL, NULL);
    if (!set) return;
    lead_curve(document, set);
    document_section(document, "loads", "Latency under load",
                     "What a request takes while others come at a set rate: of a probe that chases "
                     "pointers, or of traffic without a GPU.");
    add_latency(document, set);
    add_bandwidth(document, set);
    add_energy(document, set);
    add_facts(document, set);
}
