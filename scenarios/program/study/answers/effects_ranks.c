/* Standardised rank regression: least squares on ranks, solved by Cholesky's decomposition of the
 * factors' rank correlations. */
#include <math.h>

#include "scenarios/program/study/answers/effects_private.h"

typedef struct {
    double value;
    guint index;
} Ranked;

static gint compare_ranked(gconstpointer left, gconstpointer right)
{
    const Ranked *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* The ranks of values, equal ones sharing their mean rank, as numbers of mean 0 and length 1; NULL
 * when all are equal. */
static double *unit_ranks(const double *values, guint count)
{
    g_autofree Ranked *order = g_new(Ranked, count);
    double *ranks = g_new(double, count);
    double squares = 0;
    for (guint i = 0; i < count; i++) order[i] = (Ranked){values[i], i};
    qsort(order, count, sizeof(Ranked), compare_ranked);
    for (guint first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && order[end].value == order[first].value;) end++;
        const double rank = (first + end - 1) / 2.0 - (count - 1) / 2.0;
        for (guint i = first; i < end; i++) ranks[order[i].index] = rank;
        squares += (end - first) * rank * rank;
    }
    for (guint i = 0; i < count; i++) ranks[i] /= sqrt(squares);
    if (squares > 0) return ranks;
    g_free(ranks);
    return NULL;
}

static double product(const double *a, const double *b, guint count)
{
    double sum = 0;
    for (guint i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

/* Solves A x = b for the symmetric A, which it overwrites; b becomes x. False: A is singular, that
 * is, factors changed together. */
static bool solve(double *a, double *b, guint n)
{
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k <= i; k++) {
            double sum = a[i * n + k];
            for (guint j = 0; j < k; j++) sum -= a[i * n + j] * a[k * n + j];
            if (i == k && sum < 1e-9) return false;
            a[i * n + k] = i == k ? sqrt(sum) : sum / a[k * n + k];
        }
    for (guint i = 0; i < n; i++) {
        for (guint k = 0; k < i; k++) b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (guint i = n; i-- > 0;) {
        for (guint k = i + 1; k < n; k++) b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

/* The samples that have the measure, and its ranks. */
typedef struct {
    const StudySlice *slice;
    GPtrArray *samples;
    double *values, *ranks;
} Ranks;

static Ranks ranks_of(const StudySlice *slice, guint measure)
{
    Ranks ranks = {slice, g_ptr_array_new(), g_new(double, slice->samples->len + 1), NULL};
    for (guint i = 0; i < slice->samples->len; i++) {
        Sample *sample = slice->samples->pdata[i];
        if (!isfinite(sample->mean[measure])) continue;
        ranks.values[ranks.samples->len] = sample->mean[measure];
        g_ptr_array_add(ranks.samples, sample);
    }
    if (ranks.samples->len) ranks.ranks = unit_ranks(ranks.values, ranks.samples->len);
    return ranks;
}

static double *factor_ranks(const Ranks *ranks, guint index)
{
    const guint count = ranks->samples->len;
    g_autofree double *levels = g_new(double, count);
    for (guint i = 0; i < count; i++)
        levels[i] = ((const Sample *)ranks->samples->pdata[i])->levels[index];
    return unit_ranks(levels, count);
}

enum { FIFTHS = 5 };

/* The means of the measure over the fifths of the samples with the lowest and the highest values,
 * at most one value each where there are no more than five. */
static void add_ends(const Ranks *ranks, guint index, Effect *effect)
{
    const guint count = ranks->samples->len, end = MAX(count / FIFTHS, 1);
    g_autofree Ranked *order = g_new(Ranked, count);
    double low = 0, high = 0;
    for (guint i = 0; i < count; i++)
        order[i] = (Ranked){((const Sample *)ranks->samples->pdata[i])->levels[index], i};
    qsort(order, count, sizeof(Ranked), compare_ranked);
    for (guint i = 0; i < end; i++) {
        low += ranks->values[order[i].index] / end;
        high += ranks->values[order[count - 1 - i].index] / end;
    }
    effect->low_level = (guint)order[0].value;
    effect->high_level = (guint)order[count - 1].value;
    effect->low = low;
    effect->high = high;
    effect->swing = high - low;
}

/* The share of the ranks' variance that lies between the values of a factor of names. */
static double correlation_ratio(const Ranks *ranks, guint index)
{
    const guint count = study_factor(ranks->slice->data, index)->levels->len;
    g_autofree double *sums = g_new0(double, count);
    g_autofree guint *samples = g_new0(guint, count);
    double between = 0;
    for (guint i = 0; i < ranks->samples->len; i++) {
        const guint level = ((const Sample *)ranks->samples->pdata[i])->levels[index];
        sums[level] += ranks->ranks[i];
        samples[level]++;
    }
    for (guint i = 0; i < count; i++)
        if (samples[i]) between += sums[i] * sums[i] / samples[i];
    return between;
}

static void judge_names(const Ranks *ranks, guint index, guint measure, Effect *effect)
{
    const Factor *factor = study_factor(ranks->slice->data, index);
    g_autoptr(GArray) means = slice_levels(ranks->slice, index, measure);
    effect_of_levels(factor, means, effect);
    if (!effect->judged) return;
    const double share = correlation_ratio(ranks, index);
    /* the expectation for names that have no effect */
    const double chance = (effect->count - 1.0) / (ranks->samples->len - 1);
    effect->strength = sqrt(share);
    effect->noise = share < 2 * chance;
}

/* The factors of numbers that vary, and the coefficients of their regression. */
typedef struct {
    GArray *factors; /* of guint */
    GPtrArray *ranks;
    double *coefficients;
} Regression;

static void regress(const Ranks *ranks, Regression *regression)
{
    const guint n = regression->factors->len, count = ranks->samples->len;
    g_autofree double *correlations = g_new(double, n *n + 1);
    for (guint i = 0; i < n; i++) {
        regression->coefficients[i] = product(regression->ranks->pdata[i], ranks->ranks, count);
        for (guint k = 0; k < n; k++)
            correlations[i * n + k] =
                product(regression->ranks->pdata[i], regression->ranks->pdata[k], count);
    }
    if (n && (count < n + 2 || !solve(correlations, regression->coefficients, n)))
        g_array_set_size(regression->factors, 0);
}

static double fit_of(const Ranks *ranks, const Regression *regression)
{
    double explained = 0;
    for (guint i = 0; i < regression->factors->len; i++)
        explained += regression->coefficients[i]
                     * product(regression->ranks->pdata[i], ranks->ranks, ranks->samples->len);
    return explained;
}

static void judge_numbers(const Ranks *ranks, Effects *effects, const Regression *regression)
{
    const guint n = regression->factors->len, count = ranks->samples->len;
    if (n == 0) return;
    effects->fit = fit_of(ranks, regression);
    const double error = sqrt(fmax(0, 1 - effects->fit) / (count - n - 1));
    for (guint i = 0; i < n; i++) {
        const guint index = g_array_index(regression->factors, guint, i);
        Effect *effect = &effects->effects[index];
        add_ends(ranks, index, effect);
        effect->judged = true;
        effect->count = count;
        effect->strength = fabs(regression->coefficients[i]);
        effect->swing = copysign(effect->strength, regression->coefficients[i]);
        effect->noise = effect->strength < 2 * error;
    }
}

/* A measure that is the same everywhere depends on nothing. */
static void judge_constant(const Ranks *ranks, guint measure, Effects *effects)
{
    for (guint i = 0; i < effects->count; i++) {
        if ((int)i == ranks->slice->by) continue;
        g_autoptr(GArray) means = slice_levels(ranks->slice, i, measure);
        effect_of_levels(study_factor(ranks->slice->data, i), means, &effects->effects[i]);
    }
}

void effects_of_ranks(const StudySlice *slice, guint measure, Effects *effects)
{
    Ranks ranks = ranks_of(slice, measure);
    Regression regression = {g_array_new(FALSE, FALSE, sizeof(guint)),
                             g_ptr_array_new_with_free_func(g_free),
                             g_new0(double, effects->count + 1)};
    for (guint i = 0; i < effects->count && ranks.ranks; i++) {
        if ((int)i == slice->by) continue;
        if (!study_factor(slice->data, i)->numeric) {
            judge_names(&ranks, i, measure, &effects->effects[i]);
            continue;
        }
        double *values = factor_ranks(&ranks, i);
        if (!values) continue;
        g_array_append_val(regression.factors, i);
        g_ptr_array_add(regression.ranks, values);
    }
    if (ranks.ranks) {
        regress(&ranks, &regression);
        judge_numbers(&ranks, effects, &regression);
    } else {
        judge_constant(&ranks, measure, effects);
    }
    g_array_unref(regression.factors);
    g_ptr_array_unref(regression.ranks);
    g_free(regression.coefficients);
    g_ptr_array_unref(ranks.samples);
    g_free(ranks.values);
    g_free(ranks.ranks);
}
