/* `warpmem study sensitivity DIR`: a tornado table. */
#include <math.h>

#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/verbs/verbs.h"

enum { BAR_WIDTH = 20 };

static const char *const defaults[] = {"time_ns",           "dram_gbps",        "requested_gbps",
                                       "load_latency_mean", "load_latency_p95", "load_latency_p99",
                                       "energy_uj",         "area_mm2",         NULL};

/* One table: a slice, its measures, and the effects of each. */
typedef struct {
    const StudySlice *slice;
    const GArray *measures; /* of guint */
    GPtrArray *effects;     /* of Effects, one a measure */
} Tornado;

static const Effects *effects_at(const Tornado *tornado, guint index)
{
    return tornado->effects->pdata[index];
}

static const Measure *measure_at(const Tornado *tornado, guint index)
{
    return study_measure(tornado->slice->data, g_array_index(tornado->measures, guint, index));
}

static void print_head(const StudyData *data, const Measure *measure)
{
    g_autofree char *name = measure_name(measure);
    printf("What moves %s.\n%s\n", name, method_sentence(effects_method(data)));
    analysis_print_state(data);
    analysis_print_cautions(data);
}

static void add_heading(Table *table, const Tornado *tornado)
{
    static const char *const words[][6] = {
        [METHOD_ONE_AT_A_TIME] = {"lowest", "highest", "at lowest", "at highest", "swing", NULL},
        [METHOD_MAIN_EFFECTS] = {"lowest", "highest", "at lowest", "at highest", "swing", NULL},
        [METHOD_RANK_REGRESSION] = {"lowest", "highest", "low fifth", "high fifth", "coefficient",
                                    NULL},
        [METHOD_ELEMENTARY_EFFECTS] = {"lowest", "highest", "mu*", "mu", "sigma", NULL},
    };
    table_row(table);
    table_cell(table, "dimension");
    for (const char *const *word = words[effects_at(tornado, 0)->method]; *word; word++)
        table_cell(table, "%s", *word);
    table_note(table, "%s", measure_at(tornado, 0)->name);
}

static void add_percent(Table *table, double change, double whole)
{
    g_autofree char *text = percent_text(change, whole);
    table_cell(table, "%s", text);
}

static void add_range(Table *table, const Factor *factor, const Effect *effect, Method method)
{
    const bool ends = method == METHOD_ELEMENTARY_EFFECTS;
    const guint last = factor->levels->len - 1;
    table_cell(table, "%s", factor_level(factor, ends ? 0 : effect->low_level)->text);
    table_cell(table, "%s", factor_level(factor, ends ? last : effect->high_level)->text);
}

static void add_coefficient(Table *table, const Factor *factor, const Effect *effect)
{
    if (!effect->judged)
        table_cell(table, "-");
    else if (factor->numeric && effect->strength > 0)
        table_cell(table, "%+.2f", effect->swing);
    else
        table_cell(table, "%.2f", effect->strength);
}

static void add_numbers(Table *table, const Factor *factor, const Effects *effects,
                        const Effect *effect)
{
    if (effects->method == METHOD_ELEMENTARY_EFFECTS) {
        add_percent(table, effect->strength, effects->centre);
        add_percent(table, effect->swing, effects->centre);
        add_percent(table, effect->sigma, effects->centre);
        return;
    }
    add_percent(table, effect->low - effects->centre, effects->centre);
    add_percent(table, effect->high - effects->centre, effects->centre);
    if (effects->method == METHOD_RANK_REGRESSION)
        add_coefficient(table, factor, effect);
    else
        add_percent(table, effect->swing, effects->centre);
}

/* What another measure does: the number that a row of its own table would be ranked by, signed. */
static void add_other(Table *table, const Factor *factor, const Effects *effects,
                      const Effect *effect)
{
    if (effects->method == METHOD_RANK_REGRESSION)
        add_coefficient(table, factor, effect);
    else if (effects->method == METHOD_ELEMENTARY_EFFECTS)
        add_percent(table, effect->strength, effects->centre);
    else
        add_percent(table, effect->swing, effects->centre);
}

static void add_row(Table *table, const Tornado *tornado, guint index, double most)
{
    const Effects *first = effects_at(tornado, 0);
    const Effect *effect = &first->effects[index];
    const Factor *factor = study_factor(tornado->slice->data, index);
    g_autofree char *bar = text_bar(most > 0 ? effect->strength / most : 0, BAR_WIDTH);
    const char *word = effect_word(first, effect);
    table_row(table);
    table_cell(table, "%s", factor->name);
    add_range(table, factor, effect, first->method);
    add_numbers(table, factor, first, effect);
    table_note(table, "%s%s%s", bar, *bar && *word ? " " : "", word);
}

static const char *other_heading(Method method)
{
    switch (method) {
    case METHOD_ONE_AT_A_TIME:
    case METHOD_MAIN_EFFECTS: return "The swing of other results";
    case METHOD_RANK_REGRESSION: return "The coefficients for other results";
    case METHOD_ELEMENTARY_EFFECTS: return "mu* of other results";
    }
    return "";
}

/* In the order of the first table. */
static void print_others(const Tornado *tornado, const GArray *ranking)
{
    const Effects *first = effects_at(tornado, 0);
    if (tornado->measures->len < 2) return;
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "dimension");
    for (guint i = 1; i < tornado->measures->len; i++)
        table_cell(table, "%s", measure_at(tornado, i)->name);
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        const Factor *factor = study_factor(tornado->slice->data, index);
        if (!first->effects[index].judged) continue;
        table_row(table);
        table_cell(table, "%s", factor->name);
        for (guint k = 1; k < tornado->measures->len; k++) {
            const Effects *effects = effects_at(tornado, k);
            add_other(table, factor, effects, &effects->effects[index]);
        }
    }
    printf("\n%s:\n\n", other_heading(first->method));
    table_print(table, stdout);
}

static void print_unjudged(const Tornado *tornado, const GArray *ranking)
{
    const Effects *first = effects_at(tornado, 0);
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        if (first->effects[index].judged || (int)index == tornado->slice->by) continue;
        text_append_name(names, study_factor(tornado->slice->data, index)->name);
    }
    if (names->len) printf("Not judged, for want of points that differ there: %s.\n", names->str);
}

static void print_notes(const Tornado *tornado)
{
    const Effects *first = effects_at(tornado, 0);
    const Measure *measure = measure_at(tornado, 0);
    g_autofree char *centre = measure_text(measure, first->centre);
    g_autofree char *spread = measure_text(measure, first->spread);
    const bool baseline = first->method == METHOD_ONE_AT_A_TIME;
    printf("%s %s: %s", baseline ? "Baseline run's" : "Mean", measure->name, centre);
    if (first->spread > 0)
        printf("; replications of a point differ by up to %s: less than that is noise", spread);
    if (isfinite(first->fit))
        printf("; the regression explains %.0f %% of the ranks' variance", 100 * first->fit);
    printf(".\n");
    if (first->fit < 0.7)
        printf("That is little: the result does not simply rise or fall with the dimensions.\n");
}

static void print_tornado(const Tornado *tornado)
{
    const Effects *first = effects_at(tornado, 0);
    g_autoptr(GArray) ranking = effects_ranking(first);
    g_autoptr(Table) table = table_new();
    const double most =
        ranking->len ? first->effects[g_array_index(ranking, guint, 0)].strength : NAN;
    add_heading(table, tornado);
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        if (first->effects[index].judged) add_row(table, tornado, index, most);
    }
    analysis_print_slice(tornado->slice);
    printf("\n");
    table_print(table, stdout);
    printf("\n");
    print_notes(tornado);
    print_unjudged(tornado, ranking);
    print_others(tornado, ranking);
}

static void fill_cells(const Tornado *tornado, guint index, guint rank, Sheet *sheet)
{
    const StudySlice *slice = tornado->slice;
    const Factor *factor = study_factor(slice->data, index);
    for (guint i = 0; i < tornado->measures->len; i++) {
        const Effects *effects = effects_at(tornado, i);
        const Effect *effect = &effects->effects[index];
        const bool ends = effect->judged && effects->method != METHOD_ELEMENTARY_EFFECTS;
        const guint last = factor->levels->len - 1;
        sheet_row(sheet);
        if (slice->by >= 0) {
            const Factor *by = study_factor(slice->data, (guint)slice->by);
            sheet_text(sheet, by->name, factor_level(by, slice->level)->text);
        }
        sheet_count(sheet, "rank", rank);
        sheet_text(sheet, "dimension", factor->name);
        sheet_text(sheet, "result", measure_at(tornado, i)->name);
        sheet_text(sheet, "unit", measure_at(tornado, i)->unit);
        sheet_text(sheet, "method", method_name(effects->method));
        sheet_number(sheet, "centre", effects->centre);
        sheet_text(sheet, "lowest", factor_level(factor, ends ? effect->low_level : 0)->text);
        sheet_text(sheet, "highest", factor_level(factor, ends ? effect->high_level : last)->text);
        sheet_number(sheet, "at_lowest", effect->low);
        sheet_number(sheet, "at_highest", effect->high);
        sheet_number(sheet, "swing", effect->swing);
        sheet_number(sheet, "strength", effect->strength);
        sheet_number(sheet, "sigma", effect->sigma);
        sheet_count(sheet, "compared", effect->count);
        sheet_number(sheet, "spread", effects->spread);
        sheet_bool(sheet, "judged", effect->judged);
        sheet_bool(sheet, "noise", effect->noise);
    }
}

static void fill_sheet(const Tornado *tornado, Sheet *sheet)
{
    g_autoptr(GArray) ranking = effects_ranking(effects_at(tornado, 0));
    guint rank = 0;
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        if ((int)index == tornado->slice->by) continue;
        if (study_factor(tornado->slice->data, index)->levels->len)
            fill_cells(tornado, index, ++rank, sheet);
    }
}

static void rank(const Answer *answer)
{
    const GArray *measures = answer->measures;
    if (answer->form == FORM_TEXT)
        print_head(answer->data, study_measure(answer->data, g_array_index(measures, guint, 0)));
    for (guint level = 0; level < analysis_slices(answer->data, answer->held); level++) {
        g_auto(StudySlice) slice = study_slice(answer->data, answer->held, level);
        Tornado tornado = {&slice, measures, g_ptr_array_new_with_free_func(g_free)};
        for (guint i = 0; i < measures->len; i++)
            g_ptr_array_add(tornado.effects,
                            effects_new(&slice, g_array_index(measures, guint, i)));
        if (answer->form == FORM_TEXT)
            print_tornado(&tornado);
        else
            fill_sheet(&tornado, answer->sheet);
        g_ptr_array_unref(tornado.effects);
    }
}

/* One at a time, effects are those on the baseline run. */
static bool has_baseline(const StudyData *data, int by)
{
    for (guint level = 0; level < analysis_slices(data, by); level++) {
        g_auto(StudySlice) slice = study_slice(data, by, level);
        if (slice_baseline(&slice)) return true;
    }
    return effects_method(data) != METHOD_ONE_AT_A_TIME;
}

Status verb_sensitivity(int argc, char **argv)
{
    g_auto(Answer) answer = {0};
    const GOptionEntry entries[] = {
        ANSWER_ON(answer, "a result, may be repeated; the first one ranks"),
        ANSWER_BY(answer),
        ANSWER_FORM(answer),
    };
    const CommandLine line = {
        .usage = "study sensitivity DIR [--on RESULT]... [--by DIMENSION] [--json|--csv]",
        .summary = "Ranks a study's dimensions by how much they change its results.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!answer_begin(&answer, &line, argc, argv, &status)) return status;
    if (!answer_measures(&answer, defaults)) return STATUS_BAD_INPUT;
    if (!has_baseline(answer.data, answer.held)) {
        command_reject("the baseline run, which the others are compared with, is not done");
        return STATUS_FAILED;
    }
    rank(&answer);
    return answer_end(&answer);
}
