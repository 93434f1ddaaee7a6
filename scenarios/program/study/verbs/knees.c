/* `warpmem study knees DIR`: from which value on more of a parameter gains little. */
#include <math.h>

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
    sheet_count(sheet, "values", knee->count);
    sheet_text(sheet, "scale", knee->logarithmic ? "log" : "linear");
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
    analysis_print_cautions(data);
}

static void add_heading(Table *table, double share)
{
    table_row(table);
    table_cell(table, "dimension");
    table_note(table, "result");
    table_cell(table, "from");
    table_cell(table, "to");
    table_cell(table, "gain");
    table_cell(table, "knee");
    table_cell(table, "%g %%", 100 * share);
}

/* Every judged dimension of a slice. */
static void search_slice(const Answer *answer, const StudySlice *slice, double share)
{
    g_autoptr(Table) table = table_new();
    add_heading(table, share);
    for (guint i = 0; i < slice->data->factors->len; i++) {
        if ((int)i == slice->by || !study_factor(slice->data, i)->numeric) continue;
        for (guint k = 0; k < answer->measures->len; k++) {
            const guint measure = g_array_index(answer->measures, guint, k);
            g_auto(FactorCurve) curve = factor_curve(slice, i, measure, share);
            if (answer->form == FORM_TEXT)
                add_row(table, &curve);
            else
                fill_row(answer->sheet, &curve);
        }
    }
    if (answer->form != FORM_TEXT) return;
    analysis_print_slice(slice);
    printf("\n");
    table_print(table, stdout);
}

static bool has_curves(const StudyData *data)
{
    const Method method = effects_method(data);
    if (method == METHOD_ONE_AT_A_TIME || method == METHOD_MAIN_EFFECTS) return true;
    command_reject("the design %s has no curves, which knees are looked for in; use grid, zip or "
                   "one_at_a_time",
                   design_names[data->design]);
    return false;
}

Status verb_knees(int argc, char **argv)
{
    g_auto(Answer) answer = {0};
    g_autofree char *share_text = NULL;
    const GOptionEntry entries[] = {
        ANSWER_ON(answer, "a result, may be repeated; else time_ns"),
        {"share", 0, 0, G_OPTION_ARG_STRING, &share_text, "how much of the gain is enough; 95%",
         "SHARE"},
        ANSWER_BY(answer),
        ANSWER_FORM(answer),
    };
    const CommandLine line = {
        .usage = "study knees DIR [--on RESULT]... [--share 95%] [--by DIMENSION] [--json|--csv]",
        .summary = "Finds the value of each dimension from which on a result gains little.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    double share = 0.95;
    if (!answer_begin(&answer, &line, argc, argv, &status)) return status;
    if (share_text && !analysis_share(share_text, "--share", &share)) return STATUS_BAD_INPUT;
    if (!has_curves(answer.data) || !answer_measures(&answer, defaults)) return STATUS_BAD_INPUT;
    if (answer.form == FORM_TEXT) print_head(answer.data, share);
    for (guint level = 0; level < analysis_slices(answer.data, answer.held); level++) {
        g_auto(StudySlice) slice = study_slice(answer.data, answer.held, level);
        search_slice(&answer, &slice, share);
    }
    return answer_end(&answer);
}
