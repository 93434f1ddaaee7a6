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
    for (guint i = 0; i < MOST_OBJECTIVES; i++)
        if (a->values[i] != b->values[i]) return a->values[i] < b->values[i] ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static const ParetoPoint *point_at(const GArray *points, const GArray *front, guint place)
{
    return &g_array_index(points, ParetoPoint, g_array_index(front, guint, place));
}

/* Behind it in order: no worse in any number, and not equal. */
static bool beats(const ParetoPoint *a, const ParetoPoint *b)
{
    bool equal = true;
    for (guint i = 0; i < MOST_OBJECTIVES; i++) {
        if (a->values[i] > b->values[i]) return false;
        equal &= a->values[i] == b->values[i];
    }
    return !equal;
}

/* In order only a point that stands before another one can beat it. Of two numbers the last of the
 * front has the least second one: it is asked first. */
GArray *pareto_front(GArray *points)
{
    GArray *front = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_sort(points, compare_points);
    for (guint i = 0; i < points->len; i++) {
        guint place = front->len;
        while (
            place
            && !beats(point_at(points, front, place - 1), &g_array_index(points, ParetoPoint, i)))
            place--;
        if (!place) g_array_append_val(front, i);
    }
    return front;
}

void front_find(Front *front)
{
    front->points = g_array_new(FALSE, FALSE, sizeof(ParetoPoint));
    for (guint i = 0; i < front->data->samples->len; i++) {
        ParetoPoint point = {.index = i};
        bool known = true;
        for (guint k = 0; k < front->count; k++) {
            const Objective *objective = &front->objectives[k];
            point.values[k] = objective->sign * objective_value(front, objective, i);
            known &= isfinite(point.values[k]) != 0;
        }
        if (known) g_array_append_val(front->points, point);
    }
    front->front = pareto_front(front->points);
}

guint front_nearest(const Front *front)
{
    double least[MOST_OBJECTIVES], most[MOST_OBJECTIVES], shortest = INFINITY;
    guint nearest = 0;
    for (guint place = 0; place < front->front->len; place++)
        for (guint k = 0; k < front->count; k++) {
            const double value = point_at(front->points, front->front, place)->values[k];
            least[k] = place ? MIN(least[k], value) : value;
            most[k] = place ? MAX(most[k], value) : value;
        }
    for (guint place = 0; place < front->front->len; place++) {
        const ParetoPoint *point = point_at(front->points, front->front, place);
        double distance = 0;
        for (guint k = 0; k < front->count; k++)
            if (most[k] > least[k])
                distance += pow((point->values[k] - least[k]) / (most[k] - least[k]), 2);
        if (distance < shortest) nearest = place;
        shortest = MIN(shortest, distance);
    }
    return nearest;
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
    for (guint i = 0; i < front->count; i++)
        if (!front->objectives[i].measure && front->objectives[i].index == index) return false;
    return factor->levels->len > 1;
}
