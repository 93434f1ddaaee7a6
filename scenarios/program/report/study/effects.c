/* What moves a study's results: tornado tables, Morris's screening, and where more gains little. */
#include <math.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/answers/factor_curve.h"

static const double ENOUGH = 0.95;

static double percent_of(double change, double whole)
{
    return 100 * change / fabs(whole);
}

/* How effects are told, which the first figure says for those below it. */
static void note_method(const StudyView *view, const Effects *effects, Figure *figure)
{
    g_autofree char *sentence = g_strdelimit(g_strdup(method_sentence(effects->method)), "\n", ' ');
    const char *caution = effects_caution(view->data);
    figure_note(figure, "%s", sentence);
    if (caution) figure_note(figure, "%s", caution);
    view_note_holes(view, figure);
}

static void note_measure(const StudyView *view, const Effects *effects, guint measure,
                         Figure *figure)
{
    const Measure *of = study_measure(view->data, measure);
    g_autofree char *centre = measure_text(of, effects->centre);
    g_autofree char *spread = measure_text(of, effects->spread);
    figure_note(figure, "%s %s: %s.",
                effects->method == METHOD_ONE_AT_A_TIME ? "Baseline run's" : "Mean", of->name,
                centre);
    if (effects->spread > 0)
        figure_note(figure, "Replications of a point differ by up to %s: less than that is noise.",
                    spread);
    if (isfinite(effects->fit))
        figure_note(figure, "The regression explains %.0f %% of the ranks' variance.",
                    100 * effects->fit);
    view_note_state(view, figure);
}

static void note_unjudged(const StudyView *view, const Effects *effects, Figure *figure)
{
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < view->ranking->len; i++) {
        const guint index = g_array_index(view->ranking, guint, i);
        if (!effects->effects[index].judged)
            text_append_name(names, view_factor(view, index)->name);
    }
    if (names->len)
        figure_note(figure, "Not judged, for want of points that differ there: %s.", names->str);
}

/* --- tornado ---------------------------------------------------------------------------------- */

static void add_bar(const StudyView *view, const Effects *effects, guint index, Figure *figure)
{
    const Factor *factor = view_factor(view, index);
    const Effect *effect = &effects->effects[index];
    const bool ranks = effects->method == METHOD_RANK_REGRESSION;
    figure_row(figure);
    figure_text(figure, factor->name);
    figure_number(figure, percent_of(effect->low - effects->centre, effects->centre));
    figure_number(figure, percent_of(effect->high - effects->centre, effects->centre));
    figure_text(figure, factor_level(factor, effect->low_level)->text);
    figure_text(figure, factor_level(factor, effect->high_level)->text);
    figure_number(figure, ranks ? effect->strength : percent_of(effect->strength, effects->centre));
    figure_text(figure, effect_word(effects, effect));
}

static Figure *tornado(const StudyView *view, const Effects *effects, guint measure)
{
    const bool ranks = effects->method == METHOD_RANK_REGRESSION;
    Figure *figure = figure_new("study_tornado", study_measure(view->data, measure)->name);
    figure_column(figure, "dimension", "");
    figure_column(figure, "low", "%");
    figure_column(figure, "high", "%");
    figure_column(figure, ranks ? "lowest value" : "low at", "");
    figure_column(figure, ranks ? "highest value" : "high at", "");
    figure_column(figure, ranks ? "coefficient" : "strength", ranks ? "" : "%");
    figure_column(figure, "remark", "");
    g_autoptr(GArray) ranking = effects_ranking(effects);
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        if (effects->effects[index].judged) add_bar(view, effects, index, figure);
    }
    return figure;
}

/* --- Morris ----------------------------------------------------------------------------------- */

static Figure *screening(const StudyView *view, const Effects *effects, guint measure)
{
    Figure *figure = figure_new("study_screening", study_measure(view->data, measure)->name);
    figure_column(figure, "mu*", "%");
    figure_column(figure, "sigma", "%");
    figure_column(figure, "label", "");
    figure_column(figure, "group", "");
    figure_column(figure, "mu", "%");
    figure_axis(figure, FIGURE_X, "mean size of the change, mu*", "%", FALSE);
    figure_axis(figure, FIGURE_Y, "deviation of the change, sigma", "%", FALSE);
    g_autoptr(GArray) ranking = effects_ranking(effects);
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        const Effect *effect = &effects->effects[index];
        const char *word = effect_word(effects, effect);
        if (!effect->judged) continue;
        figure_row(figure);
        figure_number(figure, percent_of(effect->strength, effects->centre));
        figure_number(figure, percent_of(effect->sigma, effects->centre));
        figure_text(figure, view_factor(view, index)->name);
        figure_text(figure, *word ? word : "of names");
        figure_number(figure, percent_of(effect->swing, effects->centre));
    }
    return figure;
}

/* --- the section ------------------------------------------------------------------------------ */

static bool has_effect(const StudyView *view, const Effects *effects)
{
    for (guint i = 0; i < view->ranking->len; i++) {
        const Effect *effect = &effects->effects[g_array_index(view->ranking, guint, i)];
        if (effect->judged && effect->strength > 0) return true;
    }
    return false;
}

/* Whether there is a figure. */
static bool add_effects(Document *document, const StudyView *view, guint measure, bool first)
{
    g_autofree Effects *effects = effects_new(&view->all, measure);
    if (!isfinite(effects->centre) || effects->centre == 0 || !has_effect(view, effects))
        return false;
    Figure *figure = effects->method == METHOD_ELEMENTARY_EFFECTS
                         ? screening(view, effects, measure)
                         : tornado(view, effects, measure);
    if (first) note_method(view, effects, figure);
    note_measure(view, effects, measure, figure);
    note_unjudged(view, effects, figure);
    document_add(document, figure);
    return true;
}

void study_show_effects(Document *document, const StudyView *view)
{
    static const char *const others[] = {"dram_gbps", "load_latency_mean", "load_latency_p99",
                                         "energy_uj", "area_mm2",          NULL};
    document_section(document, "effects", "What moves the results",
                     "Dimensions by how much they change a result; the first figure is of the "
                     "result that points are ranked by.");
    if (view->measure < 0 || view->perfect) return;
    bool some = add_effects(document, view, (guint)view->measure, true);
    g_autoptr(GArray) measures = view_measures(view, others);
    for (guint i = 0; i < measures->len; i++)
        some |= add_effects(document, view, g_array_index(measures, guint, i), !some);
}

static void add_knee(const StudyView *view, const FactorCurve *curve, Figure *figure)
{
    const Knee *knee = &curve->knee;
    const bool gains = knee_has_gain(knee);
    const guint last = curve->x->len - 1;
    const double first = g_array_index(curve->y, double, knee->rising ? 0 : last);
    g_autofree char *remark = factor_curve_remark(curve);
    figure_row(figure);
    figure_text(figure, view_factor(view, curve->factor)->name);
    figure_text(figure, study_measure(view->data, curve->measure)->name);
    figure_text(figure, factor_curve_text(curve, knee->rising ? 0 : last));
    figure_text(figure, factor_curve_text(curve, knee->rising ? last : 0));
    figure_number(figure, gains ? percent_of(knee->gain, first) : NAN);
    figure_text(figure, knee->shape == SHAPE_KNEE ? factor_curve_text(curve, knee->knee) : NULL);
    figure_text(figure, gains ? factor_curve_text(curve, knee->enough) : NULL);
    figure_text(figure, remark);
}

void study_show_knees(Document *document, const StudyView *view)
{
    static const char *const columns[] = {"dimension", "result", "from", "to"};
    document_section(document, "knees", "Where more gains little", NULL);
    if (!view_has_curves(view) || view->loads) return;
    Figure *figure = figure_new("study_knees", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) figure_column(figure, columns[i], "");
    figure_column(figure, "gain", "%");
    figure_column(figure, "knee", "");
    figure_column(figure, "95 % of the gain", "");
    figure_column(figure, "remark", "");
    for (guint i = 0; i < view->ranking->len; i++) {
        const guint index = g_array_index(view->ranking, guint, i);
        if (!view_factor(view, index)->numeric) continue;
        g_auto(FactorCurve) curve = factor_curve(&view->all, index, (guint)view->measure, ENOUGH);
        if (curve.knee.shape != SHAPE_FEW) add_knee(view, &curve, figure);
    }
    view_note_holes(view, figure);
    view_note_state(view, figure);
    document_add(document, figure);
}
