/* Elementary effects: consecutive points of a trajectory differ in one factor. */
#include <math.h>
#include <stdio.h>

#include "scenarios/program/study/answers/effects_private.h"

/* The trajectory and the step that a point's role says; false: none. */
static bool read_role(const char *role, guint *trajectory, guint *step)
{
    return sscanf(role, "trajectory %u step %u", trajectory, step) == 2;
}

/* The only factor in which two samples differ, or -1. */
static int only_difference(const StudyData *data, const Sample *a, const Sample *b)
{
    int found = -1;
    for (guint i = 0; i < data->factors->len; i++) {
        if (a->levels[i] == b->levels[i]) continue;
        if (found >= 0) return -1;
        found = (int)i;
    }
    return found;
}

static guint64 place_of(guint trajectory, guint step)
{
    return (guint64)trajectory << 32 | step;
}

static GHashTable *samples_by_place(const StudySlice *slice)
{
    GHashTable *samples = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        guint trajectory, step;
        if (!read_role(sample->role, &trajectory, &step)) continue;
        const guint64 place = place_of(trajectory, step);
        g_hash_table_insert(samples, g_memdup2(&place, sizeof place), (gpointer)sample);
    }
    return samples;
}

/* The change from one sample to the next one, where both are there and differ in one factor. */
static void add_step(const StudySlice *slice, guint measure, const Sample *pair[2], GArray **steps)
{
    const int factor = only_difference(slice->data, pair[0], pair[1]);
    if (factor < 0) return;
    double change = pair[1]->mean[measure] - pair[0]->mean[measure];
    if (!isfinite(change)) return;
    if (pair[1]->levels[factor] < pair[0]->levels[factor]) change = -change;
    g_array_append_val(steps[factor], change);
}

static void summarise(const GArray *steps, Effect *effect)
{
    double sum = 0, sizes = 0, squares = 0;
    const double *change = (const double *)steps->data;
    effect->count = steps->len;
    effect->judged = steps->len > 0;
    if (!effect->judged) return;
    for (guint i = 0; i < steps->len; i++) {
        sum += change[i];
        sizes += fabs(change[i]);
    }
    effect->swing = sum / steps->len;
    effect->strength = sizes / steps->len;
    for (guint i = 0; i < steps->len; i++)
        squares += (change[i] - effect->swing) * (change[i] - effect->swing);
    effect->sigma = steps->len > 1 ? sqrt(squares / (steps->len - 1)) : NAN;
}

void effects_of_steps(const StudySlice *slice, guint measure, Effects *effects)
{
    g_autoptr(GHashTable) samples = samples_by_place(slice);
    GArray **steps = g_new(GArray *, effects->count + 1);
    for (guint i = 0; i < effects->count; i++) steps[i] = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *pair[2] = {slice->samples->pdata[i], NULL};
        guint trajectory, step;
        if (!read_role(pair[0]->role, &trajectory, &step)) continue;
        const guint64 next = place_of(trajectory, step + 1);
        pair[1] = g_hash_table_lookup(samples, &next);
        if (pair[1]) add_step(slice, measure, pair, steps);
    }
    for (guint i = 0; i < effects->count; i++) {
        summarise(steps[i], &effects->effects[i]);
        /* names have no direction that changes could have signs in */
        if (!study_factor(slice->data, i)->numeric)
            effects->effects[i].swing = effects->effects[i].sigma = NAN;
        g_array_unref(steps[i]);
    }
    g_free(steps);
}
