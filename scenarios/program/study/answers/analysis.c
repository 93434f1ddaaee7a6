#include "scenarios/program/study/answers/analysis.h"

#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/study/records/number.h"
#include "scenarios/program/study/table/database.h"

/* Says which names there are, or which command lists them. */
static void reject_name(const char *what, const char *name, GPtrArray *names)
{
    enum { LISTED = 16 };
    const bool many = names->len > LISTED;
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata),
                    *listed = g_strconcat("there are ", all, NULL);
    if (near)
        command_reject("%s: the study has no such %s; did you mean '%s'?", name, what, near);
    else
        command_reject("%s: the study has no such %s; %s", name, what,
                       many ? "'warpmem list results' names them; texts are not compared" : listed);
}

static bool add_measure(const StudyData *data, const char *name, GArray *measures)
{
    const int index = study_find_measure(data, name);
    if (index >= 0 && study_measure(data, (guint)index)->known) {
        g_array_append_val(measures, index);
        return true;
    }
    if (index >= 0) {
        command_reject("%s: no point of the study has this result", name);
        return false;
    }
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < data->measures->len; i++)
        if (study_measure(data, i)->known) g_ptr_array_add(names, study_measure(data, i)->name);
    reject_name("result", name, names);
    return false;
}

static int find_factor(const StudyData *data, const char *name)
{
    const int index = study_find_factor(data, name);
    if (index >= 0) return index;
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < data->factors->len; i++)
        g_ptr_array_add(names, study_factor(data, i)->name);
    reject_name("dimension", name, names);
    return -1;
}

static Status open_study(Answer *answer, const char *directory)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sqlite3) database = database_open(directory, &error);
    answer->data = database ? study_data_read(database, &error) : NULL;
    if (!answer->data) return command_reject("%s", error->message);
    if (answer->data->done) return STATUS_DONE;
    return command_reject("%s: none of the %u points is done: run it first: warpmem study run %s",
                          directory, answer->data->points, directory);
}

bool answer_parse(Answer *answer, const CommandLine *line, int *argc, char ***argv, Status *status)
{
    if (!command_parse(line, argc, argv, status)) return false;
    answer->form = answer->json ? FORM_JSON : answer->csv ? FORM_CSV : FORM_TEXT;
    if (!answer->json || !answer->csv) return true;
    *status = command_reject("--json and --csv: choose one");
    return false;
}

bool answer_begin(Answer *answer, const CommandLine *line, int argc, char **argv, Status *status)
{
    if (!answer_parse(answer, line, &argc, &argv, status)) return false;
    *status = open_study(answer, argv[1]);
    if (*status != STATUS_DONE) return false;
    answer->sheet = sheet_new();
    answer->held = answer->by ? find_factor(answer->data, answer->by) : -1;
    if (!answer->by || answer->held >= 0) return true;
    *status = STATUS_BAD_INPUT;
    return false;
}

Status answer_end(const Answer *answer)
{
    if (answer->form == FORM_CSV) sheet_print_csv(answer->sheet, stdout);
    if (answer->form == FORM_JSON) sheet_print_json(answer->sheet, stdout);
    return STATUS_DONE;
}

void answer_finish(Answer *answer)
{
    g_strfreev(answer->on);
    g_free(answer->by);
    study_data_free(answer->data);
    g_clear_pointer(&answer->measures, g_array_unref);
    sheet_free(answer->sheet);
}

/* The usual ones, or all, of those that some point has. */
static void add_usual(const StudyData *data, const char *const *names, GArray *measures)
{
    for (guint i = 0; !names && i < data->measures->len; i++)
        if (study_measure(data, i)->known) g_array_append_val(measures, i);
    for (; names && *names; names++) {
        const int index = study_find_measure(data, *names);
        if (index >= 0 && study_measure(data, (guint)index)->known)
            g_array_append_val(measures, index);
    }
}

bool answer_measures(Answer *answer, const char *const *defaults)
{
    answer->measures = g_array_new(FALSE, FALSE, sizeof(guint));
    for (char **name = answer->on; name && *name; name++)
        if (!add_measure(answer->data, *name, answer->measures)) return false;
    if (!answer->on) add_usual(answer->data, defaults, answer->measures);
    if (answer->measures->len || !defaults) return true;
    command_reject("the study has none of the usual results; name one with --on");
    return false;
}

guint analysis_slices(const StudyData *data, int by)
{
    return by < 0 ? 1 : study_factor(data, (guint)by)->levels->len;
}

void analysis_print_state(const StudyData *data)
{
    if (data->done == data->points) return;
    printf("Partial: %u of %u points are done", data->done, data->points);
    if (data->failed) printf(", %u failed", data->failed);
    if (data->missing) printf(", %u are missing", data->missing);
    printf(".\n");
}

void analysis_print_cautions(const StudyData *data)
{
    g_autofree char *holes = effects_holes(data);
    if (effects_caution(data)) printf("%s\n", effects_caution(data));
    if (holes) printf("%s\n", holes);
}

void analysis_print_slice(const StudySlice *slice)
{
    if (slice->by < 0) return;
    const Factor *factor = study_factor(slice->data, (guint)slice->by);
    printf("\n%s = %s\n", factor->name, factor_level(factor, slice->level)->text);
}

char *measure_text(const Measure *measure, double value)
{
    if (!isfinite(value)) return g_strdup("-");
    if (!strcmp(measure->unit, "ns")) return text_time(value);
    if (!strcmp(measure->unit, "B")) return text_bytes(value);
    const double size = fabs(value);
    const int decimals = size >= 1000 || value == floor(value) ? 0 : size >= 10 ? 1 : 3;
    g_autofree char *number = text_grouped(value, decimals);
    return g_strconcat(number, *measure->unit ? " " : "", measure->unit, NULL);
}

char *measure_name(const Measure *measure)
{
    return g_strdup_printf("%s (%s)", measure->name, measure->summary);
}

char *percent_text(double change, double whole)
{
    const double percent = 100 * change / fabs(whole);
    if (!isfinite(percent)) return g_strdup("-");
    if (percent == 0) return g_strdup("0 %");
    const double size = fabs(percent);
    return g_strdup_printf("%+.*f %%", size >= 0.1 ? 1 : size >= 0.01 ? 2 : 3, percent);
}

bool analysis_share(const char *text, const char *option, double *share)
{
    const char *unit;
    if (number_read(text, share, &unit) && !*unit && *share >= 0 && *share <= 1) return true;
    command_reject("%s %s: not a share; allowed are 0%% to 100%%", option, text);
    return false;
}
