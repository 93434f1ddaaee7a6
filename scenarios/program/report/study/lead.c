/* The lead of a study's report: how far it is, its best and worst points, what matters, what to
 * type next. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/answers/factor_curve.h"
#include "scenarios/program/study/answers/inert.h"
#include "scenarios/program/study/points/summary.h"

enum { SHOWN_KNEES = 3, SHOWN_RUNNERS_UP = 2, MOST_COMPARED_RUNS = 20000, MOST_LEVELS = 256 };

static const double ENOUGH = 0.95;

static G_GNUC_PRINTF(3, 4) void lead(Document *document, const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    document_lead(document, label, text);
}

static void lead_state(Document *document, const StudyData *data)
{
    GString *text = g_string_new(NULL);
    if (data->done == data->points)
        g_string_append_printf(text, "All %u points are done.", data->points);
    else
        g_string_append_printf(text, "%u of %u points are done, %u failed, %u are missing.",
                               data->done, data->points, data->failed, data->missing);
    document_lead(document, "Points", text->str);
    g_string_free(text, TRUE);
}

/* --- best and worst --------------------------------------------------------------------------- */

static const Run *find_extreme(const StudyView *view, int sign)
{
    const Run *best = NULL;
    for (guint i = 0; i < view->data->runs->len; i++) {
        const Run *run = view->data->runs->pdata[i];
        const double value = run->values[view->measure];
        if (!isfinite(value)) continue;
        if (!best || sign * value < sign * best->values[view->measure]) best = run;
    }
    return best;
}

static void lead_point(Document *document, const StudyView *view, const char *label, const Run *run)
{
    const Measure *measure = study_measure(view->data, (guint)view->measure);
    const char *bound = g_array_index(view->points, PointState, run->point).bound;
    g_autofree char *value = measure_text(measure, run->values[view->measure]);
    g_autofree char *values = view_describe_levels(view, run->levels);
    lead(document, label, "%s = %s: point %u%s%s%s%s%s.", measure->name, value, run->point,
         *values ? " (" : "", values, *values ? ")" : "", bound ? "; bound by " : "",
         bound ? bound : "");
}

/* Of perfect components the lead says more than which of them is best, of each variant. */
static void lead_extremes(Document *document, const StudyView *view)
{
    if (view->measure < 0 || view->perfect) return;
    const Run *best = find_extreme(view, 1), *worst = find_extreme(view, -1);
    if (!best) return;
    if (best->values[view->measure] == worst->values[view->measure]) {
        lead_point(document, view, "All points the same", best);
        return;
    }
    lead_point(document, view, "Best", best);
    lead_point(document, view, "Worst", worst);
}

/* --- what matters ----------------------------------------------------------------------------- */

static char *effect_text(const StudyView *view, guint index)
{
    const Factor *factor = view_factor(view, index);
    const Effects *effects = view->effects;
    const Effect *effect = &effects->effects[index];
    const char *name = study_measure(view->data, (guint)view->measure)->name;
    if (effects->method == METHOD_ELEMENTARY_EFFECTS) {
        g_autofree char *size = percent_text(effect->strength, effects->centre);
        return g_strdup_printf("%s: a step of it changes %s by %s of the mean (elementary effects)",
                               factor->name, name, size + (*size == '+'));
    }
    g_autofree char *low = percent_text(effect->low - effects->centre, effects->centre);
    g_autofree char *high = percent_text(effect->high - effects->centre, effects->centre);
    const bool alone = effects->method == METHOD_ONE_AT_A_TIME;
    return g_strdup_printf("%s: %s is %s at %s and %s at %s, against the %s (%s)", factor->name,
                           name, low, factor_level(factor, effect->low_level)->text, high,
                           factor_level(factor, effect->high_level)->text,
                           alone ? "baseline run" : "mean", method_name(effects->method));
}

static bool matters(const StudyView *view, guint index)
{
    const Effect *effect = &view->effects->effects[index];
    return effect->judged && effect->strength > 0 && !effect->noise;
}

static void lead_effects(Document *document, const StudyView *view)
{
    if (!view->effects || view->perfect || !view->ranking->len) return;
    const guint first = g_array_index(view->ranking, guint, 0);
    if (!isfinite(view->effects->centre)) {
        if (view->effects->method == METHOD_ONE_AT_A_TIME)
            document_lead(document, "What matters",
                          "Not known yet: the baseline run, which the others are compared with, is "
                          "not done.");
        return;
    }
    if (!matters(view, first)) return;
    if (effects_caution(view->data)) {
        document_lead(document, "What matters", effects_caution(view->data));
        return;
    }
    g_autofree char *strongest = effect_text(view, first);
    GString *text = g_string_new(strongest);
    for (guint i = 1; i < view->ranking->len && i <= SHOWN_RUNNERS_UP; i++) {
        const guint index = g_array_index(view->ranking, guint, i);
        if (matters(view, index))
            g_string_append_printf(text, "%s%s", i == 1 ? "; then " : ", ",
                                   view_factor(view, index)->name);
    }
    lead(document, "What matters most", "%s.", text->str);
    g_string_free(text, TRUE);
}

static void lead_knees(Document *document, const StudyView *view)
{
    if (!view_has_curves(view) || view->loads) return;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0, shown = 0; i < view->ranking->len && shown < SHOWN_KNEES; i++) {
        const guint index = g_array_index(view->ranking, guint, i);
        if (!view_factor(view, index)->numeric) continue;
        g_auto(FactorCurve) curve = factor_curve(&view->all, index, (guint)view->measure, ENOUGH);
        const guint end = curve.knee.rising ? curve.x->len - 1 : 0;
        if (!knee_has_gain(&curve.knee) || curve.knee.enough == end) continue;
        g_string_append_printf(text, "%s%s = %s has %.0f %% of what %s gains",
                               text->len ? "; " : "", view_factor(view, index)->name,
                               factor_curve_text(&curve, curve.knee.enough), 100 * ENOUGH,
                               factor_curve_text(&curve, end));
        shown++;
    }
    if (text->len) lead(document, "More gains little", "%s.", text->str);
}

/* --- what does not, and what to do ------------------------------------------------------------ */

static void lead_inert(Document *document, const StudyView *view)
{
    const StudyData *data = view->data;
    if (data->runs->len > MOST_COMPARED_RUNS) return;
    for (guint i = 0; i < data->factors->len; i++)
        if (view_factor(view, i)->levels->len > MOST_LEVELS) return;
    g_autoptr(GArray) measures = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < data->measures->len; i++)
        if (study_measure(data, i)->known) g_array_append_val(measures, i);
    g_autoptr(GArray) inertias = inertia_of(data, measures, 0);
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < inertias->len; i++) {
        const Inertia *inertia = &g_array_index(inertias, Inertia, i);
        if (inertia->pairs && inertia->most == 0)
            text_append_name(names, view_factor(view, i)->name);
    }
    if (names->len)
        lead(document, "Changed nothing", "%s: every result is the same whatever its value.",
             names->str);
}

static void lead_next(Document *document, const StudyView *view)
{
    StudyStatus status = {.missing = view->data->missing};
    for (guint i = 0; i < view->points->len; i++)
        for (unsigned k = 0; k < POINT_STATUS_COUNT; k++)
            if (!strcmp(g_array_index(view->points, PointState, i).status,
                        point_status_name((PointStatus)k)))
                status.by_status[k]++;
    const bool again = status.by_status[POINT_TIMEOUT] || status.by_status[POINT_MEMORY]
                       || status.by_status[POINT_KILLED];
    if (!status.missing && !again) return;
    const StudyRunSettings all = {.directory = view->directory, .shard = {0, 1}};
    g_autofree char *command = study_next_command(&all, &status);
    document_lead(document, status.missing ? "To go on" : "To try again what failed", command);
}

void study_show_state(Document *document, const StudyView *view)
{
    if (view->data->done < view->data->points) lead_state(document, view->data);
}

void study_show_lead(Document *document, const StudyView *view)
{
    lead_effects(document, view);
    lead_extremes(document, view);
    lead_knees(document, view);
    lead_inert(document, view);
    if (view->data->done == view->data->points) lead_state(document, view->data);
    lead_next(document, view);
}
