/* How a study's result is spread over its points, and over each dimension of a random design. */
#include <math.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/front.h"

enum { BINS = 20, LEAST_RUNS = 16, MOST_SCATTERS = 6 };

typedef struct {
    double low, high;
    guint count;
} Range;

static Range range_of(const StudyView *view)
{
    Range range = {INFINITY, -INFINITY, 0};
    for (guint i = 0; i < view->data->runs->len; i++) {
        const double value = ((const Run *)view->data->runs->pdata[i])->values[view->measure];
        if (!isfinite(value)) continue;
        range.low = fmin(range.low, value);
        range.high = fmax(range.high, value);
        range.count++;
    }
    return range;
}

static void add_histogram(Document *document, const StudyView *view)
{
    const Measure *measure = study_measure(view->data, (guint)view->measure);
    const Range range = range_of(view);
    if (range.count < LEAST_RUNS || !(range.high > range.low)) return;
    guint counts[BINS + 1] = {0};
    for (guint i = 0; i < view->data->runs->len; i++) {
        const double value = ((const Run *)view->data->runs->pdata[i])->values[view->measure];
        if (!isfinite(value)) continue;
        const guint bin = (guint)((value - range.low) / (range.high - range.low) * BINS);
        counts[MIN(bin, BINS - 1)]++;
    }
    Figure *figure = figure_new("study_distribution", measure->name);
    figure_column(figure, measure->name, measure->unit);
    figure_column(figure, "points", "");
    for (guint i = 0; i <= BINS; i++) {
        figure_row(figure);
        figure_number(figure, range.low + (range.high - range.low) * i / BINS);
        figure_integer(figure, counts[i]);
    }
    view_note_state(view, figure);
    document_add(document, figure);
}

static void add_scatter(Document *document, const StudyView *view, guint factor)
{
    const Measure *measure = study_measure(view->data, (guint)view->measure);
    const Factor *of = view_factor(view, factor);
    const GPtrArray *samples = view->data->samples;
    const guint room = view_room(view), step = (samples->len + room - 1) / room;
    Figure *figure = figure_new("study_scatter", of->name);
    figure_column(figure, of->name, view->factors[factor].unit);
    figure_column(figure, measure->name, measure->unit);
    figure_column(figure, "label", "");
    figure_column(figure, "group", "");
    figure_axis(figure, FIGURE_X, of->name, view->factors[factor].unit, factor_is_logarithmic(of));
    for (guint i = 0; i < samples->len; i += step) {
        const Sample *sample = samples->pdata[i];
        g_autofree char *label = view_describe_levels(view, sample->levels);
        figure_row(figure);
        figure_value(figure, view_level_number(view, factor, sample->levels[factor]));
        figure_number(figure, sample->mean[view->measure]);
        figure_text(figure, label);
        figure_text(figure, "combination");
    }
    if (step > 1) figure_note(figure, "One of %u combinations is shown.", step);
    view_note_state(view, figure);
    document_add(document, figure);
}

void study_show_spread(Document *document, const StudyView *view)
{
    document_section(document, "spread", "How results are spread", NULL);
    if (view->measure < 0 || view->perfect) return;
    if (effects_method(view->data) == METHOD_ONE_AT_A_TIME) return;
    add_histogram(document, view);
    if (view->data->design != DESIGN_LATIN_HYPERCUBE) return;
    for (guint i = 0, shown = 0; i < view->ranking->len && shown < MOST_SCATTERS; i++) {
        const guint factor = g_array_index(view->ranking, guint, i);
        if (!view_factor(view, factor)->numeric || !view_factor_varies(view, factor)) continue;
        add_scatter(document, view, factor);
        shown++;
    }
}
