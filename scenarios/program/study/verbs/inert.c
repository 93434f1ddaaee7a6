/* `warpmem study inert DIR`: parameters that had no effect. */
#include <math.h>

#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/answers/inert.h"
#include "scenarios/program/study/verbs/verbs.h"

typedef enum { VERDICT_NONE, VERDICT_BELOW, VERDICT_EFFECT, VERDICT_NOT_JUDGED } Verdict;

static const struct {
    const char *name, *heading;
} verdicts[] = {
    [VERDICT_NONE] = {"none", "No effect at all: every result is the same in every pair"},
    [VERDICT_BELOW] = {"below", "Effects below the threshold"},
    [VERDICT_EFFECT] = {"effect", "Effects"},
    [VERDICT_NOT_JUDGED] = {"not judged", "Not judged: no two points differ there only"},
};

static Verdict verdict_of(const Inertia *inertia)
{
    if (!inertia->pairs) return VERDICT_NOT_JUDGED;
    if (inertia->most == 0) return VERDICT_NONE;
    return inertia->differ ? VERDICT_EFFECT : VERDICT_BELOW;
}

/* "12.3 % in time_ns" */
static char *change_text(const StudyData *data, const Inertia *inertia)
{
    const char *name = study_measure(data, inertia->measure)->name;
    if (!isfinite(inertia->most)) return g_strdup_printf("%s only in some of them", name);
    g_autofree char *percent = percent_text(inertia->most, 1);
    return g_strdup_printf("up to %s in %s", percent + 1, name);
}

static void add_row(Table *table, const StudyData *data, guint index, const Inertia *inertia)
{
    const Verdict verdict = verdict_of(inertia);
    const Factor *factor = study_factor(data, index);
    g_autofree char *change = change_text(data, inertia);
    table_row(table);
    table_cell(table, "  %s", factor->name);
    table_cell(table, "%u", factor->levels->len);
    table_note(table, factor->levels->len == 1 ? "value" : "values");
    if (verdict == VERDICT_NOT_JUDGED) return;
    table_cell(table, "%" G_GUINT64_FORMAT, inertia->pairs);
    table_note(table, inertia->pairs == 1 ? "pair" : "pairs");
    if (verdict != VERDICT_NONE) table_note(table, "%s", change);
}

static void print_verdict(const StudyData *data, const GArray *inertias, Verdict verdict)
{
    g_autoptr(Table) table = table_new();
    guint count = 0;
    for (guint i = 0; i < inertias->len; i++) {
        const Inertia *inertia = &g_array_index(inertias, Inertia, i);
        if (verdict_of(inertia) != verdict) continue;
        add_row(table, data, i, inertia);
        count++;
    }
    if (!count) return;
    printf("\n%s:\n", verdicts[verdict].heading);
    table_print(table, stdout);
}

static void print_text(const StudyData *data, const GArray *inertias, const GArray *measures,
                       double threshold)
{
    printf("Dimensions without effect: %u results compared in all pairs of points that differ in "
           "one dimension only;\ndifferences are relative to the greater value.",
           measures->len);
    if (threshold > 0) printf(" The threshold is %g %%.", 100 * threshold);
    printf("\n");
    analysis_print_state(data);
    for (guint verdict = 0; verdict < G_N_ELEMENTS(verdicts); verdict++)
        print_verdict(data, inertias, (Verdict)verdict);
}

static void fill_sheet(const StudyData *data, const GArray *inertias, Sheet *sheet)
{
    for (guint i = 0; i < inertias->len; i++) {
        const Inertia *inertia = &g_array_index(inertias, Inertia, i);
        const bool changed = inertia->most > 0;
        sheet_row(sheet);
        sheet_text(sheet, "dimension", study_factor(data, i)->name);
        sheet_text(sheet, "effect", verdicts[verdict_of(inertia)].name);
        sheet_count(sheet, "values", study_factor(data, i)->levels->len);
        sheet_count(sheet, "pairs", inertia->pairs);
        sheet_count(sheet, "pairs_above", inertia->differ);
        sheet_number(sheet, "greatest", inertia->pairs ? inertia->most : NAN);
        sheet_text(sheet, "result", changed ? study_measure(data, inertia->measure)->name : "");
    }
}

Status verb_inert(int argc, char **argv)
{
    g_auto(Answer) answer = {0};
    g_autofree char *below = NULL;
    const GOptionEntry entries[] = {
        {"below", 0, 0, G_OPTION_ARG_STRING, &below, "smaller differences count as none; 0",
         "SHARE"},
        ANSWER_ON(answer, "a result that is compared, may be repeated; else all"),
        ANSWER_FORM(answer),
    };
    const CommandLine line = {
        .usage = "study inert DIR [--below 0.1%] [--on RESULT]... [--json|--csv]",
        .summary = "Says which of a study's dimensions had no effect.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    double threshold = 0;
    if (!answer_begin(&answer, &line, argc, argv, &status)) return status;
    if (below && !analysis_share(below, "--below", &threshold)) return STATUS_BAD_INPUT;
    if (!answer_measures(&answer, NULL)) return STATUS_BAD_INPUT;
    g_autoptr(GArray) inertias = inertia_of(answer.data, answer.measures, threshold);
    if (answer.form == FORM_TEXT)
        print_text(answer.data, inertias, answer.measures, threshold);
    else
        fill_sheet(answer.data, inertias, answer.sheet);
    return answer_end(&answer);
}
