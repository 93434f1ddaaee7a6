/* `warpmem study knees DIR`: from which value on more of a parameter gains little. */
#include <math.h>
#include <string.h>

#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/answers/factor_curve.h"
#include "scenarios/program/study/verbs/verbs.h"

static const char *const defaults[] = {"time_ns", NULL};

static double first_of_gain(const FactorCurve *curve)
{
    return g_array_index(curve->y, double, curve->knee.rising ? 0 : curve->y->len - 1);
}

static void add_row(Table *table, const FactorCurve *curve)
{
    const Knee *knee = &curve->knee;
    g_autofree char *note = factor_curve_remark(curve);
    g_autofree char *gain =
        knee_has_gain(knee) ? percent_text(knee->gain, first_of_gain(curve)) : NULL;
    const char *name = study_measure(curve->slice->data, curve->measure)->name;
    const guint last = curve->x->len ? curve->x->len - 1 : 0;
    table_row(table);
    table_cell(table, "%s", study_factor(curve->slice->data, curve->factor)->name);
    table_note(table, "%s", name);
    table_cell(table, "%s", last ? factor_curve_text(curve, knee->rising ? 0 : last) : "-");
    table_cell(table, "%s", last ? factor_curve_text(curve, knee->rising ? last : 0) : "-");
    table_cell(table, "%s", gain ? gain + 1 : "-");
    table_cell(table, "%s", knee->shape == SHAPE_KNEE ? factor_curve_text(curve, knee->knee) : "-");
    table_cell(table, "%s", knee_has_gain(knee) ? factor_curve_text(curve, knee->enough) : "-");
    table_note(table, "%s", note);
}

static void fill_row(Sheet *sheet, const FactorCurve *curve)
{
    const StudySlice *slice = curve->slice;
    const Knee *knee = &curve->knee;
    const bool bent = knee->shape == SHAPE_KNEE, gains = knee_has_gain(knee);
    sheet_row(sheet);
    if (slice->by >= 0) {
        const Factor *by = study_factor(slice->data, (guint)slice->by);
        sheet_text(sheet, by->name, factor_level(by, slice->level)->text);
    }
    sheet_text(sheet, "dimension", study_factor(slice->data, curve->factor)->name);
    sheet_text(sheet, "result", study_measure(slice->data, curve->measure)->name);
    sheet_text(sheet, "shape", knee_shape_name(knee->shape));
    sheet_number(sheet, "values", knee->count);
    sheet_text(sheet, "axis", knee->logarithmic ? "log" : "linear");
    sheet_text(sheet, "gain_with", knee->rising ? "greater" : "smaller");
    sheet_text(sheet, "knee", bent ? factor_curve_text(curve, knee->knee) : "");
    sheet_text(sheet, "enough", gains ? factor_curve_text(curve, knee->enough) : "");
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
            g_auto(FactorCurve) curve = factor_curve(slice, i, measure, search->share);
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
