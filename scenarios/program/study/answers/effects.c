#include "scenarios/program/study/answers/effects.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/study/answers/effects_private.h"

StudySlice study_slice(const StudyData *data, int by, guint level)
{
    StudySlice slice = {data, g_ptr_array_new(), by, level};
    for (guint i = 0; i < data->samples->len; i++) {
        Sample *sample = data->samples->pdata[i];
        if (by < 0 || sample->levels[by] == level) g_ptr_array_add(slice.samples, sample);
    }
    return slice;
}

void study_slice_finish(StudySlice *slice)
{
    g_clear_pointer(&slice->samples, g_ptr_array_unref);
}

static bool has_own_values(const StudySlice *slice, const Sample *sample)
{
    for (guint i = 0; i < slice->data->factors->len; i++) {
        const Factor *factor = study_factor(slice->data, i);
        if ((int)i == slice->by) continue;
        const guint level = sample->levels[i];
        if (level >= factor->levels->len) return false;
        if (strcmp(factor_level(factor, level)->text, factor->baseline) != 0) return false;
    }
    return true;
}

const Sample *slice_baseline(const StudySlice *slice)
{
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        if (!strcmp(sample->role, "baseline")) return sample;
    }
    for (guint i = 0; i < slice->samples->len; i++)
        if (has_own_values(slice, slice->samples->pdata[i])) return slice->samples->pdata[i];
    return NULL;
}

Method effects_method(const StudyData *data)
{
    switch (data->design) {
    case DESIGN_ONE_AT_A_TIME: return METHOD_ONE_AT_A_TIME;
    case DESIGN_LATIN_HYPERCUBE: return METHOD_RANK_REGRESSION;
    case DESIGN_MORRIS: return METHOD_ELEMENTARY_EFFECTS;
    case DESIGN_GRID:
    case DESIGN_ZIP:
    case DESIGN_PERFECT: break;
    }
    return METHOD_MAIN_EFFECTS;
}

/* Whether two samples have the same value of each factor but this one. */
static bool differ_only_in(const StudyData *data, const Sample *a, const Sample *b, guint factor)
{
    for (guint i = 0; i < data->factors->len; i++)
        if (i != factor && a->levels[i] != b->levels[i]) return false;
    return true;
}

/* Whether a sample of one at a time tells of this factor: the baseline, and what is called by its
 * name, in which another preset or variant may have other values of its own as well. */
static bool is_alone(const StudyData *data, const Sample *sample, const Sample *baseline,
                     guint factor)
{
    if (!baseline) return false;
    return !strcmp(sample->role, study_factor(data, factor)->name)
           || differ_only_in(data, sample, baseline, factor);
}

GArray *slice_levels(const StudySlice *slice, guint factor, guint measure)
{
    if (slice_has_holes(slice, measure)) return matched_levels(slice, factor, measure);
    const guint count = study_factor(slice->data, factor)->levels->len;
    const bool near = effects_method(slice->data) == METHOD_ONE_AT_A_TIME;
    const Sample *baseline = near ? slice_baseline(slice) : NULL;
    g_autofree guint *samples = g_new0(guint, count + 1);
    GArray *means = g_array_sized_new(FALSE, TRUE, sizeof(double), count);
    g_array_set_size(means, count);
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        const guint level = sample->levels[factor];
        if (level >= count || !isfinite(sample->mean[measure])) continue;
        if (near && !is_alone(slice->data, sample, baseline, factor)) continue;
        g_array_index(means, double, level) += sample->mean[measure];
        samples[level]++;
    }
    for (guint i = 0; i < count; i++)
        g_array_index(means, double, i) =
            samples[i] ? g_array_index(means, double, i) / samples[i] : NAN;
    return means;
}

void effect_of_levels(const Factor *factor, const GArray *means, Effect *effect)
{
    guint first = G_MAXUINT, last = 0, least = 0, most = 0;
    for (guint i = 0; i < means->len; i++) {
        const double *mean = (const double *)means->data;
        if (!isfinite(mean[i])) continue;
        effect->count++;
        if (first == G_MAXUINT) first = least = most = i;
        last = i;
        if (mean[i] < mean[least]) least = i;
        if (mean[i] > mean[most]) most = i;
    }
    effect->judged = effect->count > 1;
    if (!effect->judged) return;
    effect->low_level = factor->numeric ? first : least;
    effect->high_level = factor->numeric ? last : most;
    effect->low = g_array_index(means, double, effect->low_level);
    effect->high = g_array_index(means, double, effect->high_level);
    effect->swing = effect->high - effect->low;
    effect->strength = g_array_index(means, double, most) - g_array_index(means, double, least);
}

static void effects_of_means(const StudySlice *slice, guint measure, Effects *effects)
{
    for (guint i = 0; i < effects->count; i++) {
        if ((int)i == slice->by) continue;
        g_autoptr(GArray) means = slice_levels(slice, i, measure);
        effect_of_levels(study_factor(slice->data, i), means, &effects->effects[i]);
    }
}

static double mean_of(const StudySlice *slice, guint measure)
{
    double sum = 0;
    guint count = 0;
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        if (!isfinite(sample->mean[measure])) continue;
        sum += sample->mean[measure];
        count++;
    }
    return count ? sum / count : NAN;
}

static double centre_of(const StudySlice *slice, guint measure)
{
    if (effects_method(slice->data) != METHOD_ONE_AT_A_TIME) return mean_of(slice, measure);
    const Sample *baseline = slice_baseline(slice);
    return baseline ? baseline->mean[measure] : NAN;
}

static double spread_of(const StudySlice *slice, guint measure)
{
    double spread = 0;
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        spread = fmax(spread, sample->high[measure] - sample->low[measure]);
    }
    return spread;
}

Effects *effects_new(const StudySlice *slice, guint measure)
{
    const guint count = slice->data->factors->len;
    Effects *effects = g_malloc0(sizeof(Effects) + count * sizeof(Effect));
    effects->method = effects_method(slice->data);
    effects->centre = centre_of(slice, measure);
    effects->spread = spread_of(slice, measure);
    effects->fit = NAN;
    effects->count = count;
    for (guint i = 0; i < count; i++)
        effects->effects[i] =
            (Effect){.low = NAN, .high = NAN, .strength = NAN, .swing = NAN, .sigma = NAN};
    switch (effects->method) {
    case METHOD_ONE_AT_A_TIME:
    case METHOD_MAIN_EFFECTS: effects_of_means(slice, measure, effects); break;
    case METHOD_RANK_REGRESSION: effects_of_ranks(slice, measure, effects); break;
    case METHOD_ELEMENTARY_EFFECTS: effects_of_steps(slice, measure, effects); break;
    }
    for (guint i = 0; i < count && effects->method != METHOD_RANK_REGRESSION; i++) {
        Effect *effect = &effects->effects[i];
        effect->noise = effect->judged && effects->spread > 0 && effect->strength < effects->spread;
    }
    return effects;
}

static gint compare_effects(gconstpointer left, gconstpointer right, gpointer data)
{
    const guint i = *(const guint *)left, k = *(const guint *)right;
    const Effects *effects = data;
    const Effect *a = &effects->effects[i], *b = &effects->effects[k];
    if (a->judged != b->judged) return a->judged ? -1 : 1;
    if (a->judged && a->strength != b->strength) return a->strength > b->strength ? -1 : 1;
    return i < k ? -1 : i > k;
}

GArray *effects_ranking(const Effects *effects)
{
    GArray *ranking = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < effects->count; i++) g_array_append_val(ranking, i);
    g_array_sort_with_data(ranking, compare_effects, (gpointer)effects);
    return ranking;
}
