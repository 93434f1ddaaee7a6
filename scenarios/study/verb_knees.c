/* `warpmem study knees DIR`: from which value on more of a parameter gains little. */
#include <math.h>
#include <string.h>

#include "scenarios/study/analysis.h"
#include "scenarios/study/knee.h"
#include "scenarios/study/verbs.h"

/* Less than this of a result, relative to its greatest value, is no gain. */
static const double FLAT = 0.01;

static const char *const defaults[] = {"time_ns", NULL};

/* The curve of a measure over a factor, where the study has points. */
typedef struct {
    const StudySlice *slice;
    guint factor, measure;
    GArray *x, *y;    /* of double */
    GArray *position; /* of guint: the factor's levels */
    Knee knee;
} FactorCurve;

static void curve_finish(FactorCurve *curve)
{
    g_array_unref(curve->x);
    g_array_unref(curve->y);
    g_array_unref(curve->position);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FactorCurve, curve_finish)

static double greatest(const GArray *y)
{
    double most = 0;
    for (guint i = 0; i < y->len; i++) most = fmax(most, fabs(g_array_index(y, double, i)));
    return most;
}

static double spread_of(const StudySlice *slice, guint measure)
{
    g_autofree Effects *effects = effects_new(slice, measure);
    return effects->spread;
}

static FactorCurve curve_of(const StudySlice *slice, guint factor, guint measure, double share)
{
    FactorCurve curve = {.slice = slice,
                         .factor = factor,
                         .measure = measure,
                         .x = g_array_new(FALSE, FALSE, sizeof(double)),
                         .y = g_array_new(FALSE, FALSE, sizeof(double)),
                         .position = g_array_new(FALSE, FALSE, sizeof(guint))};
    g_autoptr(GArray) means = slice_levels(slice, factor, measure);
    for (guint i = 0; i < means->len; i++) {
        const double mean = g_array_index(means, double, i);
        if (!isfinite(mean)) continue;
        const double number = factor_level(study_factor(slice->data, factor), i)->number;
        g_array_append_val(curve.x, number);
        g_array_append_val(curve.y, mean);
        g_array_append_val(curve.position, i);
    }
    const Better better = study_measure(slice->data, measure)->better;
    const KneeRule rule = {share, fmax(FLAT * greatest(curve.y), spread_of(slice, measure)),
                           better == BETTER_LOWER    ? -1
                           : better == BETTER_HIGHER ? 1
                                                     : 0};
    curve.knee = knee_find((double *)curve.x->data, (double *)curve.y->data, curve.x->len, &rule);
    return curve;
}

static const char *text_at(const FactorCurve *curve, guint index)
{
    const Factor *factor = study_factor(curve->slice->data, curve->factor);
    return factor_level(factor, g_array_index(curve->position, guint, index))->text;
}

static bool has_gain(const Knee *knee)
{
    return knee->shape == SHAPE_KNEE || knee->shape == SHAPE_LINEAR
           || knee->shape == SHAPE_ACCELERATING;
}

static const char *shape_name(Shape shape)
{
    switch (shape) {
    case SHAPE_KNEE: return "knee";
    case SHAPE_LINEAR: return "linear";
    case SHAPE_FLAT: return "flat";
    case SHAPE_NOT_MONOTONE: return "not monotone";
    case SHAPE_ACCELERATING: return "accelerating";
    case SHAPE_FEW: return "few values";
    }
    return "";
}

static char *remark(const FactorCurve *curve)
{
    const Knee *knee = &curve->knee;
    const char *scale = knee->logarithmic ? "log" : "linear";
    switch (knee->shape) {
    case SHAPE_KNEE:
        return g_strdup_printf("the knee has %.0f %% of the gain; %s axis, %.2f off the straight "
                               "line",
                               100 * knee->at_knee, scale, knee->distance);
    case SHAPE_LINEAR: return g_strdup_printf("no knee: the gain is even (%s axis)", scale);
    case SHAPE_FLAT: return g_strdup("no knee: the result hardly changes");
    case SHAPE_NOT_MONOTONE: return g_strdup("no knee: the result rises and falls");
    case SHAPE_ACCELERATING:
        return g_strdup_printf("no knee: the gain grows towards the end (%s axis)", scale);
    case SHAPE_FEW: return g_strdup("not judged: fewer than four values with points");
    }
    return NULL;
}

static double first_of_gain(const FactorCurve *curve)
{
    return g_array_index(curve->y, double, curve->knee.rising ? 0 : curve->y->len - 1);
}

static void add_row(Table *table, const FactorCurve *curve)
{
    const Knee *knee = &curve->knee;
    g_autofree char *note = remark(curve);
    g_autofree char *gain = has_gain(knee) ? percent_text(knee->gain, first_of_gain(curve)) : NULL;
    const char *name = study_measure(curve->slice->data, curve->measure)->name;
    const guint last = curve->x->len ? curve->x->len - 1 : 0;
    table_row(table);
    table_cell(table, "%s", study_factor(curve->slice->data, curve->factor)->name);
    table_note(table, "%s", name);
    table_cell(table, "%s", last ? text_at(curve, knee->rising ? 0 : last) : "-");
    table_cell(table, "%s", last ? text_at(curve, knee->rising ? last : 0) : "-");
    table_cell(table, "%s", gain ? gain + 1 : "-");
    table_cell(table, "%s", knee->shape == SHAPE_KNEE ? text_at(curve, knee->knee) : "-");
    table_cell(table, "%s", has_gain(knee) ? text_at(curve, knee->enough) : "-");
    table_note(table, "%s", note);
}

static void fill_row(Sheet *sheet, const FactorCurve *curve)
{
    const StudySlice *slice = curve->slice;
    const Knee *knee = &curve->knee;
    const bool bent = knee->shape == SHAPE_KNEE, gains = has_gain(knee);
    sheet_row(sheet);
    if (slice->by >= 0) {
        const Factor *by = study_factor(slice->data, (guint)slice->by);
        sheet_text(sheet, by->name, factor_level(by, slice->level)->text);
    }
    sheet_text(sheet, "dimension", study_factor(slice->data, curve->factor)->name);
    sheet_text(sheet, "result", study_measure(slice->data, curve->measure)->name);
    sheet_text(sheet, "shape", shape_name(knee->shape));
    sheet_number(sheet, "values", knee->count);
    sheet_text(sheet, "axis", knee->logarithmic ? "log" : "linear");
    sheet_text(sheet, "gain_with", knee->rising ? "greater" : "smaller");
    sheet_text(sheet, "knee", bent ? text_at(curve, knee->knee) : "");
    sheet_text(sheet, "enough", gains ? text_at(curve, knee->enough) : "");
    sheet_number(sheet, "gain", gains ? knee->gain : NAN);
    sheet_number(sheet, "gain_at_knee", bent ? knee->at_knee : NAN);
    sheet_number(sheet, "distance", gains ? knee->distance : NAN);
}

static void print_head(const StudyData *data, double share)
{
    printf("Where each dimension's gain ends: the knee is the value furthest above the straight "
           "line between the ends\n(Satopaa et al. 2011); \"%g %%\" is the first value with so "
           "much of the whole gain. %s.\n",
           100 * share,
           effects_method(data) == METHOD_ONE_AT_A_TIME
               ? "The other dimensions are as in the baseline run"
               : "Results are means over the other dimensions");
    analysis_print_state(data);
}

/* Every judged dimension of a slice. */
typedef struct {
    const GArray *measures;
    double share;
    Form form;
    Sheet *sheet;
} Search;

static void search_slice(const StudySlice *slice, const Search *search)
{
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "dimension");
    table_note(table, "result");
    table_cell(table, "from");
    table_cell(table, "to");
    table_cell(table, "gain");
    table_cell(table, "knee");
    table_cell(table, "%g %%", 100 * search->share);
    for (guint i = 0; i < slice->data->factors->len; i++) {
        if ((int)i == slice->by || !study_factor(slice->data, i)->numeric) continue;
        for (guint k = 0; k < search->measures->len; k++) {
            const guint measure = g_array_index(search->measures, guint, k);
            g_auto(FactorCurve) curve = curve_of(slice, i, measure, search->share);
            if (search->form == FORM_TEXT)
                add_row(table, &curve);
            else
                fill_row(search->sheet, &curve);
        }
    }
    if (search->form != FORM_TEXT) return;
    analysis_print_slice(slice);
    printf("\n");
    table_print(table, stdout);
}

static void search_all(const StudyData *data, int by, const Search *search)
{
    if (search->form == FORM_TEXT) print_head(data, search->share);
    for (guint level = 0; level < analysis_slices(data, by); level++) {
        g_auto(StudySlice) slice = study_slice(data, by, level);
        search_slice(&slice, search);
    }
    if (search->form == FORM_CSV) sheet_print_csv(search->sheet, stdout);
    if (search->form == FORM_JSON) sheet_print_json(search->sheet, stdout);
}

static bool has_curves(const StudyData *data)
{
    const Method method = effects_method(data);
    if (method == METHOD_ONE_AT_A_TIME || method == METHOD_MAIN_EFFECTS) return true;
    command_reject("the design %s has no curves, which knees are looked for in; use grid, zip or "
                   "one_at_a_time",
                   data->design);
    return false;
}

Status verb_knees(int argc, char **argv)
{
    g_auto(GStrv) names = NULL;
    g_autofree char *by = NULL, *share_text = NULL;
    gboolean json = FALSE, csv = FALSE;
    const GOptionEntry entries[] = {
        {"on", 0, 0, G_OPTION_ARG_STRING_ARRAY, &names, "a result, may be repeated; else time_ns",
         "RESULT"},
        {"share", 0, 0, G_OPTION_ARG_STRING, &share_text, "how much of the gain is enough; 95%",
         "SHARE"},
        {"by", 0, 0, G_OPTION_ARG_STRING, &by, "a table for each value of a dimension",
         "DIMENSION"},
        {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, "print as CSV", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study knees DIR [--on RESULT]... [--share 95%] [--by DIMENSION] [--json|--csv]",
        .summary = "Finds the value of each dimension from which on a result gains little.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    Search search = {.share = 0.95};
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (!analysis_form(json, csv, &search.form)) return STATUS_BAD_INPUT;
    if (share_text && !analysis_share(share_text, "--share", &search.share))
        return STATUS_BAD_INPUT;
    g_autoptr(StudyData) data = analysis_open(argv[1], &status);
    if (!data) return status;
    const int held = by ? analysis_factor(data, by) : -1;
    if ((by && held < 0) || !has_curves(data)) return STATUS_BAD_INPUT;
    g_autoptr(GArray) measures = analysis_measures(data, names, defaults);
    if (!measures) return STATUS_BAD_INPUT;
    g_autoptr(Sheet) sheet = sheet_new();
    search.measures = measures;
    search.sheet = sheet;
    search_all(data, held, &search);
    return STATUS_DONE;
}
