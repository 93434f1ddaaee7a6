/* Main effects where combinations are missing: a mean over all points with one value would be of
 * other points than that with another. So points are compared that differ in one factor alone, each
 * level with the nearest one before it that there are such pairs with. Where none is missing, the
 * mean of the differences is the difference of the means. */
#include <math.h>

#include "scenarios/program/study/answers/effects_private.h"

guint64 slice_combinations(const StudySlice *slice)
{
    guint64 combinations = 1;
    for (guint i = 0; i < slice->data->factors->len; i++)
        if ((int)i != slice->by) combinations *= study_factor(slice->data, i)->levels->len;
    return combinations;
}

bool slice_has_holes(const StudySlice *slice, guint measure)
{
    const StudyData *data = slice->data;
    if (effects_method(data) != METHOD_MAIN_EFFECTS || data->design == DESIGN_ZIP) return false;
    guint64 there = 0;
    for (guint i = 0; i < slice->samples->len; i++)
        there += isfinite(((const Sample *)slice->samples->pdata[i])->mean[measure]) != 0;
    return there < slice_combinations(slice);
}

/* Of the levels of the other factors: its place in a grid, whose points are fewer than 2^64. */
static guint64 others_of(const StudyData *data, const Sample *sample, guint factor)
{
    guint64 place = 0;
    for (guint i = 0; i < data->factors->len; i++)
        if (i != factor) place = place * study_factor(data, i)->levels->len + sample->levels[i];
    return place;
}

/* The measure at each level, NaN where there is none, of the samples that are alike otherwise. */
static GHashTable *match_samples(const StudySlice *slice, guint factor, guint measure)
{
    const guint levels = study_factor(slice->data, factor)->levels->len;
    GHashTable *rows = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        const guint64 others = others_of(slice->data, sample, factor);
        double *row = g_hash_table_lookup(rows, &others);
        if (!row) {
            row = g_new(double, levels);
            for (guint k = 0; k < levels; k++) row[k] = NAN;
            g_hash_table_insert(rows, g_memdup2(&others, sizeof others), row);
        }
        row[sample->levels[factor]] = sample->mean[measure];
    }
    return rows;
}

/* A level, by its distance from the first one of those that it can be compared with. */
typedef struct {
    guint first;
    double above;
} Place;

static double mean_step(GHashTable *rows, guint from, guint to)
{
    GHashTableIter iter;
    gpointer value;
    double sum = 0;
    guint pairs = 0;
    g_hash_table_iter_init(&iter, rows);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const double step = ((double *)value)[to] - ((double *)value)[from];
        if (!isfinite(step)) continue;
        sum += step;
        pairs++;
    }
    return sum / pairs; /* NaN: there is no pair */
}

static void find_places(GHashTable *rows, guint levels, Place *places)
{
    for (guint i = 0; i < levels; i++) {
        places[i] = (Place){i, 0};
        for (guint k = i; k-- > 0 && places[i].first == i;) {
            const double step = mean_step(rows, k, i);
            if (isfinite(step)) places[i] = (Place){places[k].first, places[k].above + step};
        }
    }
}

/* Samples of the levels that can be compared with one another. */
typedef struct {
    guint samples;
    double sum, above;
} Comparable;

GArray *matched_levels(const StudySlice *slice, guint factor, guint measure)
{
    const guint levels = study_factor(slice->data, factor)->levels->len;
    g_autoptr(GHashTable) rows = match_samples(slice, factor, measure);
    g_autofree Place *places = g_new(Place, levels);
    g_autofree Comparable *sets = g_new0(Comparable, levels);
    find_places(rows, levels, places);
    guint most = 0;
    for (guint i = 0; i < slice->samples->len; i++) {
        const Sample *sample = slice->samples->pdata[i];
        if (!isfinite(sample->mean[measure])) continue;
        const Place *place = &places[sample->levels[factor]];
        Comparable *set = &sets[place->first];
        set->samples++;
        set->sum += sample->mean[measure];
        set->above += place->above;
        if (set->samples > sets[most].samples) most = place->first;
    }
    GArray *means = g_array_sized_new(FALSE, FALSE, sizeof(double), levels);
    for (guint i = 0; i < levels; i++) {
        const Comparable *set = &sets[most];
        const double mean = places[i].first == most
                                ? places[i].above + (set->sum - set->above) / set->samples
                                : NAN;
        g_array_append_val(means, mean);
    }
    return means;
}
