/* Pareto fronts of a study: what a better result costs. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/front.h"

enum { MOST_FRONTS = 3 };

/* What better results are paid with: more of a dimension that improves them. */
static bool is_cost(const StudyView *view, guint factor)
{
    const Measure *measure = study_measure(view->data, (guint)view->measure);
    if (!view_factor(view, factor)->numeric || !view_factor_varies(view, factor)) return false;
    g_autoptr(GArray) means = slice_levels(&view->all, factor, (guint)view->measure);
    double first = NAN, last = NAN;
    for (guint i = 0; i < means->len; i++) {
        const double mean = g_array_index(means, double, i);
        if (!isfinite(mean)) continue;
        if (isnan(first)) first = mean;
        last = mean;
    }
    return measure->better == BETTER_LOWER ? last < first : last > first;
}

static void add_row(const StudyView *view, const Front *front, guint sample, bool best,
                    Figure *figure)
{
    const Sample *of = view->data->samples->pdata[sample];
    g_autofree char *label = view_describe_levels(view, of->levels);
    figure_row(figure);
    for (guint i = 0; i < 2; i++) {
        const Objective *objective = &front->objectives[i];
        const double scale = objective->measure ? measure_shown_unit(objective->measure).scale
                                                : view->factors[objective->index].scale;
        figure_number(figure, objective_value(front, objective, sample) * scale);
    }
    figure_text(figure, label);
    figure_text(figure, best ? "front" : "not on the front");
}

static const char *unit_of(const StudyView *view, const Objective *objective)
{
    return objective->measure ? measure_shown_unit(objective->measure).unit
                              : view->factors[objective->index].unit;
}

/* All of the front that there is room for, and as many others, evenly, as there is. */
static void add_rows(const StudyView *view, const Front *front, Figure *figure)
{
    const guint all = front->points->len, best = front->front->len;
    g_autofree bool *is_best = g_new0(bool, all + 1);
    for (guint i = 0; i < best; i++) is_best[g_array_index(front->front, guint, i)] = true;
    const guint most = view_room(view), room = most - MIN(best, most);
    const guint step = room ? (all - best + room - 1) / room : 0;
    guint shown = 0;
    for (guint i = 0, other = 0; i < all; i++) {
        const bool take = is_best[i] ? shown < most : step && other++ % step == 0;
        if (!take) continue;
        add_row(view, front, g_array_index(front->points, ParetoPoint, i).index, is_best[i],
                figure);
        shown++;
    }
    figure_note(figure, "%u of %u combinations are on the front.", best, all);
    if (shown < all) figure_note(figure, "%u of them are shown.", shown);
}

static void add_front(Document *document, const StudyView *view, const char *cost, const char *gain,
                      int gain_sign)
{
    g_auto(Front) front = {.data = view->data};
    if (!objective_find(view->data, cost, &front.objectives[0])
        || !objective_find(view->data, gain, &front.objectives[1]))
        return;
    front.objectives[0].sign = 1;
    front.objectives[1].sign = gain_sign;
    front_find(&front);
    if (front.points->len < 2) return;
    Figure *figure = figure_new("study_pareto", cost);
    for (guint i = 0; i < 2; i++) {
        const Objective *objective = &front.objectives[i];
        figure_column(figure, objective->name, unit_of(view, objective));
        figure_axis(figure, i ? FIGURE_Y : FIGURE_X, objective->name, unit_of(view, objective),
                    objective->logarithmic);
    }
    figure_column(figure, "label", "");
    figure_column(figure, "group", "");
    add_rows(view, &front, figure);
    figure_note(figure, "The front is that of 'study pareto %s --minimize %s --%s %s'.",
                view->directory, cost, gain_sign > 0 ? "minimize" : "maximize", gain);
    view_note_state(view, figure);
    document_add(document, figure);
}

/* A second result that less is better of, where no dimension is a cost. */
static const char *second_measure(const StudyView *view)
{
    static const char *const candidates[] = {"load_latency_p99", "load_latency_mean",
                                             "dram_read_bytes", NULL};
    g_autoptr(GArray) measures = view_measures(view, candidates);
    for (guint i = 0; i < measures->len; i++) {
        const guint index = g_array_index(measures, guint, i);
        const Sample *first = view->data->samples->pdata[0];
        for (guint k = 1; k < view->data->samples->len; k++)
            if (((const Sample *)view->data->samples->pdata[k])->mean[index] != first->mean[index])
                return study_measure(view->data, index)->name;
    }
    return NULL;
}

void study_show_fronts(Document *document, const StudyView *view)
{
    document_section(document, "pareto", "What a better result costs", NULL);
    if (view->measure < 0 || view->perfect || view->loads) return;
    /* one at a time, combinations have not been tried */
    if (effects_method(view->data) == METHOD_ONE_AT_A_TIME) return;
    const Measure *measure = study_measure(view->data, (guint)view->measure);
    const int sign = measure->better == BETTER_HIGHER ? -1 : 1;
    guint shown = 0;
    for (guint i = 0; i < view->ranking->len && shown < MOST_FRONTS; i++) {
        const guint factor = g_array_index(view->ranking, guint, i);
        const Effect *effect = &view->effects->effects[factor];
        if (!effect->judged || effect->noise || !is_cost(view, factor)) continue;
        add_front(document, view, view_factor(view, factor)->name, measure->name, sign);
        shown++;
    }
    const char *second = shown ? NULL : second_measure(view);
    if (second) add_front(document, view, second, measure->name, sign);
}
