#include "scenarios/program/study/answers/front.h"

#include <math.h>

#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/answers/knee.h"

bool factor_is_logarithmic(const Factor *factor)
{
    g_autofree double *numbers = g_new(double, factor->levels->len + 1);
    for (guint i = 0; i < factor->levels->len; i++) numbers[i] = factor_level(factor, i)->number;
    return spaced_by_factor(numbers, factor->levels->len);
}

bool objective_find(const StudyData *data, const char *name, Objective *objective)
{
    const int measure = study_find_measure(data, name), factor = study_find_factor(data, name);
    *objective = (Objective){.name = name};
    if (measure >= 0 && study_measure(data, (guint)measure)->known) {
        objective->measure = study_measure(data, (guint)measure);
        objective->index = (guint)measure;
        return true;
    }
    if (factor < 0 || !study_factor(data, (guint)factor)->numeric) return false;
    objective->index = (guint)factor;
    objective->logarithmic = factor_is_logarithmic(study_factor(data, (guint)factor));
    return true;
}

double objective_value(const Front *front, const Objective *objective, guint index)
{
    const Sample *sample = front->data->samples->pdata[index];
    if (objective->measure) return sample->mean[objective->index];
    const Factor *factor = study_factor(front->data, objective->index);
    return factor_level(factor, sample->levels[objective->index])->number;
}

char *objective_text(const Front *front, const Objective *objective, guint index)
{
    const Sample *sample = front->data->samples->pdata[index];
    if (objective->measure) return measure_text(objective->measure, sample->mean[objective->index]);
    const Factor *factor = study_factor(front->data, objective->index);
    return g_strdup(factor_level(factor, sample->levels[objective->index])->text);
}

static gint compare_points(gconstpointer left, gconstpointer right)
{
    const ParetoPoint *a = left, *b = right;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    if (a->second != b->second) return a->second < b->second ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* In the order of `first`, a point is on the front when its second number is less than that of all
 * before it, or when it is equal to the last of the front. */
GArray *pareto_front(GArray *points)
{
    GArray *front = g_array_new(FALSE, FALSE, sizeof(guint));
    const ParetoPoint *last = NULL;
    g_array_sort(points, compare_points);
    for (guint i = 0; i < points->len; i++) {
        const ParetoPoint *point = &g_array_index(points, ParetoPoint, i);
        const bool equal = last && point->first == last->first && point->second == last->second;
        if (last && point->second >= last->second && !equal) continue;
        g_array_append_val(front, i);
        last = point;
    }
    return front;
}

void front_find(Front *front)
{
    front->points = g_array_new(FALSE, FALSE, sizeof(ParetoPoint));
    for (guint i = 0; i < front->data->samples->len; i++) {
        const ParetoPoint point = {
            front->objectives[0].sign * objective_value(front, &front->objectives[0], i),
            front->objectives[1].sign * objective_value(front, &front->objectives[1], i), i};
        if (isfinite(point.first) && isfinite(point.second))
            g_array_append_val(front->points, point);
    }
    front->front = pareto_front(front->points);
}

guint front_sample(const Front *front, guint place)
{
    const guint position = g_array_index(front->front, guint, place);
    return g_array_index(front->points, ParetoPoint, position).index;
}

void front_finish(Front *front)
{
    g_clear_pointer(&front->points, g_array_unref);
    g_clear_pointer(&front->front, g_array_unref);
}

bool front_shows(const Front *front, guint index)
{
    const Factor *factor = study_factor(front->data, index);
    for (guint i = 0; i < 2; i++)
        if (!front->objectives[i].measure && front->objectives[i].index == index) return false;
    return factor->levels->len > 1;
}
