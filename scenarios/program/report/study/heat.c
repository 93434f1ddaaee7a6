/* A study's result over two of its dimensions, the strongest ones. */
#include <math.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/answers/analysis.h"

enum { MOST_CELLS = 24, BINS = 6 };

/* The levels of a factor in cells, in their order. */
typedef struct {
    guint factor, cells;
    guint *cell; /* of each level */
} Side;

static void side_finish(Side *side)
{
    g_free(side->cell);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Side, side_finish)

/* Each level has a cell, or, of many levels, as many of them one as another. */
static Side side_of(const StudyView *view, guint factor)
{
    const guint levels = view_factor(view, factor)->levels->len;
    Side side = {factor, levels <= MOST_CELLS ? levels : BINS, g_new(guint, levels)};
    for (guint i = 0; i < levels; i++) side.cell[i] = (guint)((guint64)i * side.cells / levels);
    return side;
}

static char *cell_name(const StudyView *view, const Side *side, guint cell)
{
    const guint levels = view_factor(view, side->factor)->levels->len;
    guint first = 0, last = levels - 1;
    while (side->cell[first] < cell) first++;
    while (side->cell[last] > cell) last--;
    g_autofree char *from = view_level_text(view, side->factor, first);
    if (first == last) return g_steal_pointer(&from);
    g_autofree char *to = view_level_text(view, side->factor, last);
    return g_strdup_printf("%s .. %s", from, to);
}

typedef struct {
    double sum;
    guint count;
} Cell;

static Cell *add_up(const StudyView *view, const Side *rows, const Side *columns)
{
    Cell *cells = g_new0(Cell, rows->cells * columns->cells);
    for (guint i = 0; i < view->data->samples->len; i++) {
        const Sample *sample = view->data->samples->pdata[i];
        const double value = sample->mean[view->measure];
        if (!isfinite(value)) continue;
        Cell *cell = &cells[rows->cell[sample->levels[rows->factor]] * columns->cells
                            + columns->cell[sample->levels[columns->factor]]];
        cell->sum += value;
        cell->count++;
    }
    return cells;
}

static const char *unit_of(const StudyView *view, guint factor)
{
    return view_factor(view, factor)->numeric ? view->factors[factor].unit : "";
}

static void add_columns(const StudyView *view, const Side *rows, const Side *columns,
                        const char *unit, Figure *figure)
{
    figure_column(figure, view_factor(view, rows->factor)->name, unit_of(view, rows->factor));
    for (guint i = 0; i < columns->cells; i++) {
        g_autofree char *name = cell_name(view, columns, i);
        figure_column(figure, name, unit);
    }
}

static void add_rows(const StudyView *view, const Side *rows, const Side *columns, Figure *figure)
{
    g_autofree Cell *cells = add_up(view, rows, columns);
    for (guint i = 0; i < rows->cells; i++) {
        g_autofree char *name = cell_name(view, rows, i);
        figure_row(figure);
        figure_text(figure, name);
        for (guint k = 0; k < columns->cells; k++) {
            const Cell *cell = &cells[i * columns->cells + k];
            figure_number(figure, cell->count ? cell->sum / cell->count : NAN);
        }
    }
}

static void add_heat(Document *document, const StudyView *view, const guint strongest[2])
{
    const Measure *measure = study_measure(view->data, (guint)view->measure);
    g_auto(Side) rows = side_of(view, strongest[0]);
    g_auto(Side) columns = side_of(view, strongest[1]);
    Figure *figure = figure_new("study_heat", measure->name);
    add_columns(view, &rows, &columns, measure->unit, figure);
    figure_axis(figure, FIGURE_X, view_factor(view, columns.factor)->name,
                unit_of(view, columns.factor), FALSE);
    figure_axis(figure, FIGURE_Y, view_factor(view, rows.factor)->name, unit_of(view, rows.factor),
                FALSE);
    figure_axis(figure, FIGURE_VALUE, measure->name, measure->unit, FALSE);
    add_rows(view, &rows, &columns, figure);
    if (view->data->factors->len > 2)
        figure_note(figure, "Each cell is the mean of the points that have its two values.");
    view_note_state(view, figure);
    document_add(document, figure);
}

void study_show_heat(Document *document, const StudyView *view)
{
    const Design design = view->data->design;
    guint strongest[2], count = 0;
    document_section(document, "heat", "Two dimensions at once", NULL);
    if (view->measure < 0 || (design != DESIGN_GRID && design != DESIGN_LATIN_HYPERCUBE)) return;
    for (guint i = 0; i < view->ranking->len && count < 2; i++) {
        const guint index = g_array_index(view->ranking, guint, i);
        if (view_factor_varies(view, index)) strongest[count++] = index;
    }
    if (count == 2) add_heat(document, view, strongest);
}
