/* All points of a study, and those that failed. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/table/columns.h"
#include "scenarios/program/study/table/merged.h"

/* The table of points is most of the page, which is to stay below 4 MB. */
enum { MOST_POINTS = 10000, MOST_CHARACTERS = 1800000, MOST_FAILURES = 500 };
/* What the cells of a row take, about: a result, a dimension's number, a role, and the others. */
enum { RESULT_WIDTH = 20, NUMBER_WIDTH = 10, ROLE_WIDTH = 26, OTHERS_WIDTH = 60 };

typedef struct {
    const StudyView *view;
    GArray *measures; /* of guint: those with a column */
    bool replicated, roles;
    bool *chosen; /* of each point */
    guint rows;
} PointTable;

static const PointState *state_at(const StudyView *view, guint point)
{
    return &g_array_index(view->points, PointState, point);
}

static const Point *point_at(const StudyView *view, guint point)
{
    return view->manifest->points->pdata[point];
}

/* --- columns ---------------------------------------------------------------------------------- */

static bool measure_varies(const StudyView *view, guint measure)
{
    const GPtrArray *runs = view->data->runs;
    for (guint i = 1; i < runs->len; i++) {
        const double first = ((const Run *)runs->pdata[0])->values[measure];
        const double value = ((const Run *)runs->pdata[i])->values[measure];
        if (value != first && !(isnan(value) && isnan(first))) return true;
    }
    return false;
}

/* The usual results that differ, and the study's own statistics. */
static GArray *choose_measures(const StudyView *view)
{
    static const char *const usual[] = {"time_ns",
                                        "requested_gbps",
                                        "counted_gbps",
                                        "offered_gbps",
                                        "offered_rate",
                                        "accepted_rate",
                                        "dram_gbps",
                                        "l1_hit_rate",
                                        "l2_hit_rate",
                                        "memory_cache_hit_rate",
                                        "texture_hit_rate",
                                        "row_hit_rate",
                                        "load_latency_mean",
                                        "load_latency_p95",
                                        "load_latency_p99",
                                        "probe_latency_mean",
                                        "probe_latency_p99",
                                        "traffic_latency_mean",
                                        "traffic_latency_p99",
                                        "cycles_per_load",
                                        "instructions_per_cycle",
                                        "energy_uj",
                                        "events_uj",
                                        "power_w",
                                        "peak_power_w",
                                        "storage_bits",
                                        "area_mm2",
                                        NULL};
    g_autoptr(GArray) known = view_measures(view, usual);
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < known->len; i++) {
        const guint index = g_array_index(known, guint, i);
        const bool time = !strcmp(study_measure(view->data, index)->name, "time_ns");
        if (time || measure_varies(view, index)) g_array_append_val(chosen, index);
    }
    g_autoptr(GPtrArray) own = view_own_results(view);
    for (guint i = 0; i < own->len; i++) {
        const int index = study_find_measure(view->data, own->pdata[i]);
        if (index >= 0 && study_measure(view->data, (guint)index)->known)
            g_array_append_val(chosen, index);
    }
    return chosen;
}

static bool has_roles(const StudyView *view)
{
    for (guint i = 0; i < view->manifest->points->len; i++)
        if (point_at(view, i)->role && *point_at(view, i)->role) return true;
    return false;
}

static void add_columns(const PointTable *table, Figure *figure)
{
    const StudyView *view = table->view;
    figure_column(figure, "point", "");
    for (guint i = 0; i < view->data->factors->len; i++) {
        const Factor *factor = view_factor(view, i);
        figure_column(figure, factor->name, factor->numeric ? view->factors[i].unit : "");
    }
    if (table->replicated) figure_column(figure, "replication", "");
    if (table->roles) figure_column(figure, "role", "");
    figure_column(figure, "status", "");
    figure_column(figure, "bound by", "");
    for (guint i = 0; i < table->measures->len; i++) {
        const Measure *measure =
            study_measure(view->data, g_array_index(table->measures, guint, i));
        figure_column(figure, measure->name, measure_shown_unit(measure).unit);
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

static void add_values(const StudyView *view, const Point *point, Figure *figure)
{
    for (guint i = 0; i < view->data->factors->len; i++) {
        const Factor *factor = view_factor(view, i);
        double number = NAN;
        if (!factor->numeric)
            figure_text(figure, point->values[i]);
        else if (dimension_number(point->values[i], factor->unit, &number))
            figure_value(figure, number * view->factors[i].scale);
        else
            figure_text(figure, point->values[i]);
    }
}

static void add_row(const PointTable *table, guint number, Figure *figure)
{
    const StudyView *view = table->view;
    const Point *point = point_at(view, number);
    const PointState *state = state_at(view, number);
    figure_row(figure);
    figure_integer(figure, number);
    add_values(view, point, figure);
    if (table->replicated) figure_integer(figure, point->replication);
    if (table->roles) figure_text(figure, point->role ? point->role : "");
    figure_text(figure, state->status);
    figure_text(figure, state->bound);
    for (guint i = 0; i < table->measures->len; i++) {
        const guint measure = g_array_index(table->measures, guint, i);
        const double scale = measure_shown_unit(study_measure(view->data, measure)).scale;
        figure_number(figure, state->run ? state->run->values[measure] * scale : NAN);
    }
}

static guint row_characters(const PointTable *table)
{
    const StudyView *view = table->view;
    guint characters = OTHERS_WIDTH + RESULT_WIDTH * table->measures->len;
    if (table->roles) characters += ROLE_WIDTH;
    for (guint i = 0; i < view->data->factors->len; i++) {
        const Factor *factor = view_factor(view, i);
        guint longest = NUMBER_WIDTH;
        for (guint k = 0; k < factor->levels->len && !factor->numeric; k++)
            longest = MAX(longest, (guint)strlen(factor_level(factor, k)->text) + 4);
        characters += longest;
    }
    return characters;
}

typedef struct {
    double value; /* the less, the better; infinite: not done */
    guint point;
} Ranked;

static gint compare_ranked(gconstpointer left, gconstpointer right)
{
    const Ranked *a = left, *b = right;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Of more points than there is room for, the best. */
static void choose_points(PointTable *table)
{
    const StudyView *view = table->view;
    const guint points = view->points->len;
    const guint room = MIN(MOST_POINTS, MOST_CHARACTERS / row_characters(table));
    g_autoptr(GArray) order = g_array_new(FALSE, FALSE, sizeof(Ranked));
    const bool most = view->measure >= 0
                      && study_measure(view->data, (guint)view->measure)->better == BETTER_HIGHER;
    for (guint i = 0; i < points; i++) {
        const Run *run = state_at(view, i)->run;
        const double value = run && view->measure >= 0 ? run->values[view->measure] : NAN;
        const Ranked ranked = {isfinite(value) ? (most ? -value : value) : INFINITY, i};
        g_array_append_val(order, ranked);
    }
    if (points > room) g_array_sort(order, compare_ranked);
    table->rows = MIN(points, room);
    table->chosen = g_new0(bool, points + 1);
    for (guint i = 0; i < table->rows; i++)
        table->chosen[g_array_index(order, Ranked, i).point] = true;
}

static void note_rest(const PointTable *table, Figure *figure)
{
    const StudyView *view = table->view;
    g_autofree char *folder = text_shell_word(view->directory);
    if (table->rows < view->points->len)
        figure_note(figure, "The best %u of %u points are shown, in the order of the plan.",
                    table->rows, view->points->len);
    figure_note(figure,
                "Usual results that are the same in all points have no column. 'warpmem study "
                "export %s -o points.csv' writes all points with all %u results.",
                folder, merged_study_columns(view->manifest) + view->manifest->derived->len);
}

void study_show_points(Document *document, const StudyView *view)
{
    document_section(document, "points", "All points", NULL);
    PointTable table = {.view = view,
                        .measures = choose_measures(view),
                        .replicated = view->manifest->replications > 1,
                        .roles = has_roles(view)};
    Figure *figure = figure_new("study_points", NULL);
    add_columns(&table, figure);
    choose_points(&table);
    for (guint i = 0; i < view->points->len; i++)
        if (table.chosen[i]) add_row(&table, i, figure);
    note_rest(&table, figure);
    document_add(document, figure);
    g_array_unref(table.measures);
    g_free(table.chosen);
}

/* --- failures --------------------------------------------------------------------------------- */

static bool has_failed(const PointState *state)
{
    return strcmp(state->status, "done") != 0 && strcmp(state->status, "missing") != 0;
}

void study_show_failures(Document *document, const StudyView *view)
{
    document_section(document, "failures", "Points that failed", NULL);
    Figure *figure = figure_new("study_failures", NULL);
    figure_column(figure, "point", "");
    figure_column(figure, "status", "");
    figure_column(figure, "message", "");
    figure_column(figure, "values", "");
    guint shown = 0, failed = 0;
    for (guint i = 0; i < view->points->len; i++) {
        const PointState *state = state_at(view, i);
        if (!has_failed(state) || failed++ >= MOST_FAILURES) continue;
        g_autofree char *values = manifest_describe_values(view->manifest, point_at(view, i));
        figure_row(figure);
        figure_integer(figure, i);
        figure_text(figure, state->status);
        figure_text(figure, state->message);
        figure_text(figure, values);
        shown++;
    }
    if (shown < failed)
        figure_note(figure, "The first %u of %u; 'study export' has all.", shown, failed);
    document_add(document, figure);
}
