/* `warpmem study pareto DIR`: the best compromises between two results or parameters. */
#include <math.h>
#include <string.h>

#include "scenarios/study/analysis.h"
#include "scenarios/study/knee.h"
#include "scenarios/study/pareto.h"
#include "scenarios/study/verbs.h"

enum { PICTURE_WIDTH = 64, PICTURE_HEIGHT = 16 };

/* What is to be small or great: a measure, or a factor of numbers. */
typedef struct {
    const char *name;
    const Measure *measure; /* NULL: a factor */
    guint index;
    int sign;         /* 1: less is better */
    bool logarithmic; /* a factor whose values are spaced so: its axis in the picture */
} Objective;

/* The values of an objective over all points. */
typedef struct {
    double low, high;
    guint lowest, highest; /* samples */
} Extent;

typedef struct {
    const StudyData *data;
    Objective objectives[2];
    Extent extents[2];
    GArray *points; /* of ParetoPoint, sorted; index is the sample's */
    GArray *front;  /* of guint */
} Front;

static bool reject_objective(const StudyData *data, const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < data->measures->len; i++)
        if (study_measure(data, i)->known) g_ptr_array_add(names, study_measure(data, i)->name);
    for (guint i = 0; i < data->factors->len; i++)
        if (study_factor(data, i)->numeric) g_ptr_array_add(names, study_factor(data, i)->name);
    g_ptr_array_add(names, NULL);
    const char *near = command_suggest(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    command_reject("%s: neither a result of the study's points nor a dimension of numbers; %s %s",
                   name, near ? "did you mean" : "there are", near ? near : all);
    return false;
}

static bool has_factors(const Factor *factor)
{
    g_autofree double *numbers = g_new(double, factor->levels->len + 1);
    for (guint i = 0; i < factor->levels->len; i++) numbers[i] = factor_level(factor, i)->number;
    return spaced_by_factor(numbers, factor->levels->len);
}

static bool find_objective(const StudyData *data, const char *name, Objective *objective)
{
    const int measure = study_find_measure(data, name), factor = study_find_factor(data, name);
    objective->name = name;
    if (measure >= 0 && study_measure(data, (guint)measure)->known) {
        objective->measure = study_measure(data, (guint)measure);
        objective->index = (guint)measure;
        return true;
    }
    if (factor < 0 || !study_factor(data, (guint)factor)->numeric)
        return reject_objective(data, name);
    objective->index = (guint)factor;
    objective->logarithmic = has_factors(study_factor(data, (guint)factor));
    return true;
}

static double value_of(const Front *front, const Objective *objective, guint index)
{
    const Sample *sample = front->data->samples->pdata[index];
    if (objective->measure) return sample->mean[objective->index];
    const Factor *factor = study_factor(front->data, objective->index);
    return factor_level(factor, sample->levels[objective->index])->number;
}

static char *value_text(const Front *front, const Objective *objective, guint index)
{
    const Sample *sample = front->data->samples->pdata[index];
    if (objective->measure) return measure_text(objective->measure, sample->mean[objective->index]);
    const Factor *factor = study_factor(front->data, objective->index);
    return g_strdup(factor_level(factor, sample->levels[objective->index])->text);
}

static void find_front(Front *front)
{
    front->points = g_array_new(FALSE, FALSE, sizeof(ParetoPoint));
    for (guint i = 0; i < front->data->samples->len; i++) {
        const ParetoPoint point = {
            front->objectives[0].sign * value_of(front, &front->objectives[0], i),
            front->objectives[1].sign * value_of(front, &front->objectives[1], i), i};
        if (isfinite(point.first) && isfinite(point.second))
            g_array_append_val(front->points, point);
    }
    front->front = pareto_front(front->points);
}

static guint sample_of(const Front *front, guint place)
{
    const guint position = g_array_index(front->front, guint, place);
    return g_array_index(front->points, ParetoPoint, position).index;
}

static const char *way(const Objective *objective)
{
    return objective->sign > 0 ? "least" : "most";
}

/* Factors with one value tell nothing; the objectives have their own columns. */
static bool is_shown(const Front *front, guint index)
{
    const Factor *factor = study_factor(front->data, index);
    for (guint i = 0; i < 2; i++)
        if (!front->objectives[i].measure && front->objectives[i].index == index) return false;
    return factor->levels->len > 1;
}

static void add_row(Table *table, const Front *front, guint place)
{
    const guint index = sample_of(front, place);
    const Sample *sample = front->data->samples->pdata[index];
    table_row(table);
    for (guint i = 0; i < 2; i++) {
        g_autofree char *text = value_text(front, &front->objectives[i], index);
        table_cell(table, "%s", text);
    }
    for (guint i = 0; i < front->data->factors->len; i++)
        if (is_shown(front, i))
            table_cell(table, "%s",
                       factor_level(study_factor(front->data, i), sample->levels[i])->text);
}

/* How many places of the front, from one on, have the same two values. */
static guint equal_from(const Front *front, guint place)
{
    const guint *places = (const guint *)front->front->data;
    const ParetoPoint *first = &g_array_index(front->points, ParetoPoint, places[place]);
    guint end = place + 1;
    for (; end < front->front->len; end++) {
        const ParetoPoint *point = &g_array_index(front->points, ParetoPoint, places[end]);
        if (point->first != first->first || point->second != first->second) break;
    }
    return end - place;
}

/* Points with equal values have one row. */
static void print_table(const Front *front)
{
    g_autoptr(Table) table = table_new();
    table_row(table);
    for (guint i = 0; i < 2; i++) table_cell(table, "%s", front->objectives[i].name);
    for (guint i = 0; i < front->data->factors->len; i++)
        if (is_shown(front, i)) table_cell(table, "%s", study_factor(front->data, i)->name);
    for (guint i = 0, equal; i < front->front->len; i += equal) {
        equal = equal_from(front, i);
        add_row(table, front, i);
        if (equal > 1) table_note(table, "and %u equal to it", equal - 1);
    }
    table_print(table, stdout);
}

static Extent extent_of(const Front *front, const Objective *objective)
{
    Extent extent = {INFINITY, -INFINITY, 0, 0};
    for (guint i = 0; i < front->points->len; i++) {
        const guint index = g_array_index(front->points, ParetoPoint, i).index;
        const double value = value_of(front, objective, index);
        if (value < extent.low) extent.low = value, extent.lowest = index;
        if (value > extent.high) extent.high = value, extent.highest = index;
    }
    return extent;
}

/* Where a sample lies on an objective's axis of so many cells. */
static guint cell_of(const Front *front, guint which, guint index, guint cells)
{
    const Objective *objective = &front->objectives[which];
    const Extent *extent = &front->extents[which];
    const double value = value_of(front, objective, index);
    if (!(extent->high > extent->low)) return 0;
    const double share = objective->logarithmic
                             ? log(value / extent->low) / log(extent->high / extent->low)
                             : (value - extent->low) / (extent->high - extent->low);
    return (guint)lround(share * (cells - 1));
}

static void mark(const Front *front, guint index, char picture[PICTURE_HEIGHT][PICTURE_WIDTH + 1],
                 char sign)
{
    const guint x = cell_of(front, 0, index, PICTURE_WIDTH);
    const guint y = cell_of(front, 1, index, PICTURE_HEIGHT);
    picture[PICTURE_HEIGHT - 1 - y][x] = sign;
}

/* The first objective to the right, the second one upwards; points of the front over others. */
static void print_picture(Front *front)
{
    char picture[PICTURE_HEIGHT][PICTURE_WIDTH + 1];
    Extent *extents = front->extents;
    for (guint i = 0; i < 2; i++) extents[i] = extent_of(front, &front->objectives[i]);
    for (guint i = 0; i < PICTURE_HEIGHT; i++) {
        memset(picture[i], ' ', PICTURE_WIDTH);
        picture[i][PICTURE_WIDTH] = '\0';
    }
    for (guint i = 0; i < front->points->len; i++)
        mark(front, g_array_index(front->points, ParetoPoint, i).index, picture, '.');
    for (guint i = 0; i < front->front->len; i++) mark(front, sample_of(front, i), picture, 'o');
    g_autofree char *left = value_text(front, &front->objectives[0], extents[0].lowest);
    g_autofree char *right = value_text(front, &front->objectives[0], extents[0].highest);
    g_autofree char *below = value_text(front, &front->objectives[1], extents[1].lowest);
    g_autofree char *above = value_text(front, &front->objectives[1], extents[1].highest);
    printf("\n  %s%s, %s at the top, %s at the bottom\n", front->objectives[1].name,
           front->objectives[1].logarithmic ? " (log)" : "", above, below);
    for (guint i = 0; i < PICTURE_HEIGHT; i++) printf("  |%s\n", g_strchomp(picture[i]));
    g_autofree char *axis = g_strnfill(PICTURE_WIDTH, '-');
    printf("  +%s\n  %s%s, %s at the left, %s at the right; o is on the front\n", axis,
           front->objectives[0].name, front->objectives[0].logarithmic ? " (log)" : "", left,
           right);
}

static void print_text(Front *front)
{
    const Objective *objectives = front->objectives;
    printf("Pareto front of %s %s and %s %s: no other point is better in one of them and no worse "
           "in the other.\n",
           way(&objectives[0]), objectives[0].name, way(&objectives[1]), objectives[1].name);
    analysis_print_state(front->data);
    printf("%u of %u combinations are on the front, %u are dominated.\n\n", front->front->len,
           front->points->len, front->points->len - front->front->len);
    print_table(front);
    if (front->points->len > 1) print_picture(front);
}

static void fill_sheet(const Front *front, Sheet *sheet)
{
    for (guint place = 0; place < front->front->len; place++) {
        const guint index = sample_of(front, place);
        const Sample *sample = front->data->samples->pdata[index];
        sheet_row(sheet);
        for (guint i = 0; i < 2; i++)
            sheet_number(sheet, front->objectives[i].name,
                         value_of(front, &front->objectives[i], index));
        for (guint i = 0; i < front->data->factors->len; i++)
            if (is_shown(front, i))
                sheet_text(sheet, study_factor(front->data, i)->name,
                           factor_level(study_factor(front->data, i), sample->levels[i])->text);
    }
}

static void print_front(Front *front, Form form)
{
    g_autoptr(Sheet) sheet = sheet_new();
    find_front(front);
    if (form == FORM_TEXT) print_text(front);
    if (form != FORM_TEXT) fill_sheet(front, sheet);
    if (form == FORM_CSV) sheet_print_csv(sheet, stdout);
    if (form == FORM_JSON) sheet_print_json(sheet, stdout);
    g_array_unref(front->points);
    g_array_unref(front->front);
}

/* What the command line names. */
typedef struct {
    char **minimize, **maximize, **better;
} Wishes;

static bool add_objectives(Front *front, char **names, int sign, guint *count)
{
    for (char **name = names; name && *name; name++, (*count)++) {
        if (*count >= G_N_ELEMENTS(front->objectives)) continue;
        Objective *objective = &front->objectives[*count];
        if (!find_objective(front->data, *name, objective)) return false;
        objective->sign = sign;
    }
    return true;
}

static int better_sign(const Objective *objective)
{
    if (!objective->measure) return 0;
    return objective->measure->better == BETTER_LOWER    ? 1
           : objective->measure->better == BETTER_HIGHER ? -1
                                                         : 0;
}

static Status find_objectives(Front *front, const Wishes *wishes)
{
    guint count = 0;
    if (!add_objectives(front, wishes->minimize, 1, &count)
        || !add_objectives(front, wishes->maximize, -1, &count)
        || !add_objectives(front, wishes->better, 0, &count))
        return STATUS_BAD_INPUT;
    if (count != 2)
        return command_reject("a front has two objectives, here are %u: name them with --minimize, "
                              "--maximize or --on",
                              count);
    for (guint i = 0; i < 2; i++) {
        Objective *objective = &front->objectives[i];
        if (!objective->sign) objective->sign = better_sign(objective);
        if (!objective->sign)
            return command_reject("--on %s: neither way is better by itself; say --minimize or "
                                  "--maximize",
                                  objective->name);
    }
    if (strcmp(front->objectives[0].name, front->objectives[1].name) != 0) return STATUS_DONE;
    return command_reject("%s: both objectives are the same", front->objectives[0].name);
}

static Status show(const char *directory, const Wishes *wishes, Form form)
{
    Status status;
    g_autoptr(StudyData) data = analysis_open(directory, &status);
    if (!data) return status;
    Front front = {.data = data};
    status = find_objectives(&front, wishes);
    if (status == STATUS_DONE) print_front(&front, form);
    return status;
}

Status verb_pareto(int argc, char **argv)
{
    g_auto(GStrv) minimize = NULL, maximize = NULL, better = NULL;
    gboolean json = FALSE, csv = FALSE;
    const GOptionEntry entries[] = {
        {"minimize", 0, 0, G_OPTION_ARG_STRING_ARRAY, &minimize,
         "a result, or a dimension of numbers, of which less is better", "NAME"},
        {"maximize", 0, 0, G_OPTION_ARG_STRING_ARRAY, &maximize, "one of which more is better",
         "NAME"},
        {"on", 0, 0, G_OPTION_ARG_STRING_ARRAY, &better, "a result, the way that is better for it",
         "RESULT"},
        {"csv", 0, 0, G_OPTION_ARG_NONE, &csv, "print as CSV", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "print as JSON", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL},
    };
    const CommandLine line = {
        .usage = "study pareto DIR --minimize|--maximize|--on NAME (two of them) [--json|--csv]",
        .summary = "Shows the points that are not beaten in two results or parameters at once.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    Form form;
    if (!command_parse(&line, &argc, &argv, &status)) return status;
    if (!analysis_form(json, csv, &form)) return STATUS_BAD_INPUT;
    const Wishes wishes = {minimize, maximize, better};
    return show(argv[1], &wishes, form);
}
