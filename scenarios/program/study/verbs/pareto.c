/* `warpmem study pareto DIR`: the best compromises between results or parameters. */
#include <math.h>
#include <string.h>

#include "kit/describe/nearest.h"
#include "scenarios/program/study/answers/analysis.h"
#include "scenarios/program/study/answers/front.h"
#include "scenarios/program/study/verbs/verbs.h"

enum { PICTURE_WIDTH = 64, PICTURE_HEIGHT = 16 };

/* The values of an objective over points. */
typedef struct {
    double low, high;
    guint lowest, highest; /* samples */
} Extent;

static bool reject_objective(const StudyData *data, const char *name)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < data->measures->len; i++)
        if (study_measure(data, i)->known) g_ptr_array_add(names, study_measure(data, i)->name);
    for (guint i = 0; i < data->factors->len; i++)
        if (study_factor(data, i)->numeric) g_ptr_array_add(names, study_factor(data, i)->name);
    g_ptr_array_add(names, NULL);
    const char *near = nearest_name(name, (const char *const *)names->pdata);
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    command_reject("%s: neither a result of the study's points nor a dimension of numbers; %s %s",
                   name, near ? "did you mean" : "there are", near ? near : all);
    return false;
}

static const char *way(const Objective *objective)
{
    return objective->sign > 0 ? "least" : "most";
}

static void add_row(Table *table, const Front *front, guint place)
{
    const guint index = front_sample(front, place);
    const Sample *sample = front->data->samples->pdata[index];
    table_row(table);
    for (guint i = 0; i < front->count; i++) {
        g_autofree char *text = objective_text(front, &front->objectives[i], index);
        table_cell(table, "%s", text);
    }
    for (guint i = 0; i < front->data->factors->len; i++)
        if (front_shows(front, i))
            table_cell(table, "%s",
                       factor_level(study_factor(front->data, i), sample->levels[i])->text);
}

/* How many places of the front, from one on, have the same values. */
static guint equal_from(const Front *front, guint place)
{
    const guint *places = (const guint *)front->front->data;
    const ParetoPoint *first = &g_array_index(front->points, ParetoPoint, places[place]);
    guint end = place + 1;
    for (; end < front->front->len; end++) {
        const ParetoPoint *point = &g_array_index(front->points, ParetoPoint, places[end]);
        if (memcmp(point->values, first->values, sizeof(point->values)) != 0) break;
    }
    return end - place;
}

/* Points with equal values have one row. */
static void print_table(const Front *front)
{
    g_autoptr(Table) table = table_new();
    table_row(table);
    const guint nearest = front->count > 2 ? front_nearest(front) : front->front->len;
    for (guint i = 0; i < front->count; i++) table_cell(table, "%s", front->objectives[i].name);
    for (guint i = 0; i < front->data->factors->len; i++)
        if (front_shows(front, i)) table_cell(table, "%s", study_factor(front->data, i)->name);
    for (guint i = 0, equal; i < front->front->len; i += equal) {
        equal = equal_from(front, i);
        add_row(table, front, i);
        if (equal > 1) table_note(table, "and %u equal to it", equal - 1);
        if (nearest >= i && nearest < i + equal) table_note(table, "nearest to the best of each");
    }
    table_print(table, stdout);
}

/* Of all points, the third objective of those of the front. */
static Extent extent_of(const Front *front, guint which)
{
    const Objective *objective = &front->objectives[which];
    Extent extent = {INFINITY, -INFINITY, 0, 0};
    for (guint i = 0; i < (which < 2 ? front->points->len : front->front->len); i++) {
        const guint index =
            which < 2 ? g_array_index(front->points, ParetoPoint, i).index : front_sample(front, i);
        const double value = objective_value(front, objective, index);
        if (value < extent.low) extent.low = value, extent.lowest = index;
        if (value > extent.high) extent.high = value, extent.highest = index;
    }
    return extent;
}

/* The first objective to the right, the second one upwards, of the front the third one a digit. */
typedef struct {
    const Front *front;
    Extent extents[3];
    char cells[PICTURE_HEIGHT][PICTURE_WIDTH + 1];
} Picture;

/* Where a sample lies on an objective's axis of so many cells. */
static guint cell_of(const Picture *picture, guint which, guint index, guint cells)
{
    const Objective *objective = &picture->front->objectives[which];
    const Extent *extent = &picture->extents[which];
    const double value = objective_value(picture->front, objective, index);
    if (!(extent->high > extent->low)) return 0;
    const double share = objective->logarithmic
                             ? log(value / extent->low) / log(extent->high / extent->low)
                             : (value - extent->low) / (extent->high - extent->low);
    return (guint)lround(share * (cells - 1));
}

static void mark(Picture *picture, guint index, char sign)
{
    const guint x = cell_of(picture, 0, index, PICTURE_WIDTH);
    const guint y = cell_of(picture, 1, index, PICTURE_HEIGHT);
    picture->cells[PICTURE_HEIGHT - 1 - y][x] = sign;
}

static char sign_of(const Picture *picture, guint index)
{
    return picture->front->count > 2 ? (char)('0' + cell_of(picture, 2, index, 10)) : 'o';
}

/* What the signs of the front mean. */
static char *legend_of(const Picture *picture)
{
    const Front *front = picture->front;
    const Extent *extent = &picture->extents[2];
    if (front->count == 2) return g_strdup("o is on the front");
    g_autofree char *low = objective_text(front, &front->objectives[2], extent->lowest);
    g_autofree char *high = objective_text(front, &front->objectives[2], extent->highest);
    return g_strdup_printf("digits are on the front, %s from 0, %s, to 9, %s",
                           front->objectives[2].name, low, high);
}

/* Points of the front over others. */
static void print_picture(const Front *front)
{
    Picture picture = {.front = front};
    const Extent *extents = picture.extents;
    for (guint i = 0; i < MIN(front->count, G_N_ELEMENTS(picture.extents)); i++)
        picture.extents[i] = extent_of(front, i);
    for (guint i = 0; i < PICTURE_HEIGHT; i++) memset(picture.cells[i], ' ', PICTURE_WIDTH);
    for (guint i = 0; i < front->points->len; i++)
        mark(&picture, g_array_index(front->points, ParetoPoint, i).index, '.');
    for (guint i = 0; i < front->front->len; i++)
        mark(&picture, front_sample(front, i), sign_of(&picture, front_sample(front, i)));
    g_autofree char *left = objective_text(front, &front->objectives[0], extents[0].lowest);
    g_autofree char *right = objective_text(front, &front->objectives[0], extents[0].highest);
    g_autofree char *below = objective_text(front, &front->objectives[1], extents[1].lowest);
    g_autofree char *above = objective_text(front, &front->objectives[1], extents[1].highest);
    printf("\n  %s%s, %s at the top, %s at the bottom\n", front->objectives[1].name,
           front->objectives[1].logarithmic ? " (log)" : "", above, below);
    for (guint i = 0; i < PICTURE_HEIGHT; i++) printf("  |%s\n", g_strchomp(picture.cells[i]));
    g_autofree char *axis = g_strnfill(PICTURE_WIDTH, '-');
    g_autofree char *legend = legend_of(&picture);
    printf("  +%s\n  %s%s, %s at the left, %s at the right; %s\n", axis, front->objectives[0].name,
           front->objectives[0].logarithmic ? " (log)" : "", left, right, legend);
}

static void print_text(const Front *front)
{
    const guint last = front->count - 1;
    printf("Pareto front of ");
    for (guint i = 0; i <= last; i++)
        printf("%s%s %s",
               !i         ? ""
               : i < last ? ", "
                          : " and ",
               way(&front->objectives[i]), front->objectives[i].name);
    printf(": no other point is better in one of them and no worse in the other%s.\n",
           last > 1 ? "s" : "");
    analysis_print_state(front->data);
    printf("%u of %u combinations are on the front, %u are dominated.\n\n", front->front->len,
           front->points->len, front->points->len - front->front->len);
    print_table(front);
    if (front->points->len > 1) print_picture(front);
}

static void fill_sheet(const Front *front, Sheet *sheet)
{
    for (guint place = 0; place < front->front->len; place++) {
        const guint index = front_sample(front, place);
        const Sample *sample = front->data->samples->pdata[index];
        sheet_row(sheet);
        for (guint i = 0; i < front->count; i++)
            sheet_number(sheet, front->objectives[i].name,
                         objective_value(front, &front->objectives[i], index));
        for (guint i = 0; i < front->data->factors->len; i++)
            if (front_shows(front, i))
                sheet_text(sheet, study_factor(front->data, i)->name,
                           factor_level(study_factor(front->data, i), sample->levels[i])->text);
    }
}

/* What the command line names. */
typedef struct {
    char **minimize, **maximize, **better;
} Wishes;

static bool add_objectives(Front *front, char **names, int sign)
{
    for (char **name = names; name && *name; name++, front->count++) {
        if (front->count >= MOST_OBJECTIVES) continue;
        Objective *objective = &front->objectives[front->count];
        if (!objective_find(front->data, *name, objective))
            return reject_objective(front->data, *name);
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

/* NULL: all differ. */
static const char *name_twice(const Front *front)
{
    for (guint i = 0; i < front->count; i++)
        for (guint k = 0; k < i; k++)
            if (!strcmp(front->objectives[i].name, front->objectives[k].name))
                return front->objectives[i].name;
    return NULL;
}

static Status find_objectives(Front *front, const Wishes *wishes)
{
    if (!add_objectives(front, wishes->minimize, 1) || !add_objectives(front, wishes->maximize, -1)
        || !add_objectives(front, wishes->better, 0))
        return STATUS_BAD_INPUT;
    if (front->count < 2 || front->count > MOST_OBJECTIVES)
        return command_reject("a front has 2 to %u objectives, here are %u: name them with "
                              "--minimize, --maximize or --on",
                              MOST_OBJECTIVES, front->count);
    for (guint i = 0; i < front->count; i++) {
        Objective *objective = &front->objectives[i];
        if (!objective->sign) objective->sign = better_sign(objective);
        if (!objective->sign)
            return command_reject("--on %s: neither way is better by itself; say --minimize or "
                                  "--maximize",
                                  objective->name);
    }
    const char *twice = name_twice(front);
    return twice ? command_reject("%s: two objectives are the same", twice) : STATUS_DONE;
}

Status verb_pareto(int argc, char **argv)
{
    g_auto(Answer) answer = {0};
    g_auto(GStrv) minimize = NULL, maximize = NULL;
    const GOptionEntry entries[] = {
        {"minimize", 0, 0, G_OPTION_ARG_STRING_ARRAY, &minimize,
         "a result, or a dimension of numbers, of which less is better", "NAME"},
        {"maximize", 0, 0, G_OPTION_ARG_STRING_ARRAY, &maximize, "one of which more is better",
         "NAME"},
        ANSWER_ON(answer, "a result, the way that is better for it"),
        ANSWER_FORM(answer),
    };
    const CommandLine line = {
        .usage = "study pareto DIR --minimize|--maximize|--on NAME (two or more) [--json|--csv]",
        .summary = "Shows the points that are not beaten in several results or parameters at once.",
        .entries = entries,
        .least = 1,
        .most = 1,
    };
    Status status;
    if (!answer_begin(&answer, &line, argc, argv, &status)) return status;
    g_auto(Front) front = {.data = answer.data};
    const Wishes wishes = {minimize, maximize, answer.on};
    status = find_objectives(&front, &wishes);
    if (status != STATUS_DONE) return status;
    front_find(&front);
    if (answer.form == FORM_TEXT)
        print_text(&front);
    else
        fill_sheet(&front, answer.sheet);
    return answer_end(&answer);
}
