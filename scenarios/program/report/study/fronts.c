/* Pareto fronts of a study: what a better result costs. */
#include <math.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/answers/front.h"

enum { MOST_FRONTS = 3, MOST_OWN = 2 };

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

/* Of more than two objectives the third one by colour: the front has thirds of what lies between
 * its least and most of it. */
static const char *group_of(const Front *front, guint sample, bool best)
{
    static const char *const thirds[] = {"front, lowest third", "front, middle third",
                                         "front, highest third"};
    if (!best || front->count < 3) return best ? "front" : "not on the front";
    const Objective *objective = &front->objectives[2];
    double least = INFINITY, most = -INFINITY;
    for (guint place = 0; place < front->front->len; place++) {
        const double value = objective_value(front, objective, front_sample(front, place));
        least = MIN(least, value);
        most = MAX(most, value);
    }
    const double value = objective_value(front, objective, sample);
    return thirds[most > least ? MIN((guint)(3 * (value - least) / (most - least)), 2) : 0];
}

static void add_row(const StudyView *view, const Front *front, guint sample, bool best,
                    Figure *figure)
{
    const Sample *of = view->data->samples->pdata[sample];
    g_autofree char *label = view_describe_levels(view, of->levels);
    figure_row(figure);
    for (guint i = 0; i < front->count; i++) {
        const Objective *objective = &front->objectives[i];
        const double scale = objective->measure ? measure_shown_unit(objective->measure).scale
                                                : view->factors[objective->index].scale;
        figure_number(figure, objective_value(front, objective, sample) * scale);
    }
    figure_text(figure, label);
    figure_text(figure, group_of(front, sample, best));
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

/* What the command line says for it; newly allocated. */
static char *command_of(const StudyView *view, const Front *front)
{
    g_autofree char *folder = text_shell_word(view->directory);
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "warpmem study pareto %s", folder);
    for (guint i = 0; i < front->count; i++) {
        g_autofree char *name = text_shell_word(front->objectives[i].name);
        g_string_append_printf(text, " --%s %s",
                               front->objectives[i].sign > 0 ? "minimize" : "maximize", name);
    }
    return g_string_free(text, FALSE);
}

/* Of dimensions less is better. */
static int sign_of(const Objective *objective)
{
    return objective->measure && objective->measure->better == BETTER_HIGHER ? -1 : 1;
}

static void add_front(Document *document, const StudyView *view, const char *const *names,
                      guint count)
{
    g_auto(Front) front = {.data = view->data, .count = count};
    for (guint i = 0; i < count; i++) {
        if (!objective_find(view->data, names[i], &front.objectives[i])) return;
        front.objectives[i].sign = sign_of(&front.objectives[i]);
    }
    front_find(&front);
    if (front.points->len < 2) return;
    g_autofree char *name =
        count > 2 ? g_strconcat(names[0], "-", names[1], NULL) : g_strdup(names[0]);
    Figure *figure = figure_new("study_pareto", name);
    for (guint i = 0; i < count; i++) {
        const Objective *objective = &front.objectives[i];
        figure_column(figure, objective->name, unit_of(view, objective));
        if (i < 2)
            figure_axis(figure, i ? FIGURE_Y : FIGURE_X, objective->name, unit_of(view, objective),
                        objective->logarithmic);
    }
    figure_column(figure, "label", "");
    figure_column(figure, "group", "");
    add_rows(view, &front, figure);
    g_autofree char *command = command_of(view, &front);
    if (count > 2) figure_note(figure, "Thirds are of %s.", names[2]);
    figure_note(figure, "The front is that of '%s'.", command);
    view_note_state(view, figure);
    document_add(document, figure);
}

/* Whether the points have several values of the result. */
static bool differs(const StudyView *view, const char *name)
{
    const int index = study_find_measure(view->data, name);
    if (index < 0 || !study_measure(view->data, (guint)index)->known) return false;
    const Sample *first = view->data->samples->pdata[0];
    for (guint k = 1; k < view->data->samples->len; k++)
        if (((const Sample *)view->data->samples->pdata[k])->mean[index] != first->mean[index])
            return true;
    return false;
}

/* A second result that less is better of, where no dimension is a cost. */
static const char *second_measure(const StudyView *view)
{
    static const char *const candidates[] = {"load_latency_p99", "load_latency_mean",
                                             "dram_read_bytes"};
    for (guint i = 0; i < G_N_ELEMENTS(candidates); i++)
        if (differs(view, candidates[i])) return candidates[i];
    return NULL;
}

/* Results of the study's own that say which way is better; true: there is one. */
static bool add_own_fronts(Document *document, const StudyView *view, const char *measure)
{
    guint shown = 0;
    for (guint i = 0; i < view->manifest->derived->len && shown < MOST_OWN; i++) {
        const char *name = ((const Derived *)view->manifest->derived->pdata[i])->name;
        const int index = study_find_measure(view->data, name);
        if (index < 0 || study_measure(view->data, (guint)index)->better == BETTER_NEITHER)
            continue;
        if (!differs(view, name)) continue;
        add_front(document, view, (const char *const[]){name, measure}, 2);
        shown++;
    }
    return shown > 0;
}

void study_show_fronts(Document *document, const StudyView *view)
{
    document_section(document, "pareto", "What a better result costs", NULL);
    if (view->measure < 0 || view->perfect || view->loads) return;
    /* one at a time, combinations have not been tried */
    if (effects_method(view->data) == METHOD_ONE_AT_A_TIME) return;
    const char *measure = study_measure(view->data, (guint)view->measure)->name;
    guint shown = 0;
    for (guint i = 0; i < view->ranking->len && shown < MOST_FRONTS; i++) {
        const guint factor = g_array_index(view->ranking, guint, i);
        const Effect *effect = &view->effects->effects[factor];
        if (!effect->judged || effect->noise || !is_cost(view, factor)) continue;
        add_front(document, view, (const char *const[]){view_factor(view, factor)->name, measure},
                  2);
        shown++;
    }
    const bool own = add_own_fronts(document, view, measure);
    const char *second = shown || own ? NULL : second_measure(view);
    if (second) add_front(document, view, (const char *const[]){second, measure}, 2);
    static const char *const costs[] = {"area_mm2", "energy_uj", NULL};
    if (differs(view, costs[0]) && differs(view, costs[1]))
        add_front(document, view, (const char *const[]){costs[0], measure, costs[1]}, 3);
}
