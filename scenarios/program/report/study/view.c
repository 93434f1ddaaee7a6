/* What the sections of a study's report look at. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/study/page.h"
#include "scenarios/program/study/perfect/perfect.h"
#include "scenarios/program/study/records/number.h"
#include "scenarios/program/study/table/database.h"

/* --- points ----------------------------------------------------------------------------------- */

static const char *keep_text(StudyView *view, Query *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? g_string_chunk_insert_const(view->texts, text) : NULL;
}

static bool read_points(StudyView *view, GError **error)
{
    const char *sql = "SELECT p.status, p.message, r.bound FROM points p"
                      " LEFT JOIN results r ON r.point = p.point ORDER BY p.point";
    g_autoptr(Query) query = database_query(view->database, sql, error);
    if (!query) return false;
    while (sqlite3_step(query) == SQLITE_ROW) {
        const char *message = keep_text(view, query, 1);
        const PointState point = {keep_text(view, query, 0), message ? message : "",
                                  keep_text(view, query, 2), NULL};
        g_array_append_val(view->points, point);
    }
    if (!query_is_done(query, error)) return false;
    if (view->points->len == view->manifest->points->len) return true;
    g_set_error(error, STUDY_ERROR, 0,
                "%s/study.sqlite: has points that are not of the study's plan, or not all; it can "
                "be deleted",
                view->directory);
    return false;
}

static void add_runs(StudyView *view)
{
    for (guint i = 0; i < view->data->runs->len; i++) {
        const Run *run = view->data->runs->pdata[i];
        g_array_index(view->points, PointState, run->point).run = run;
    }
}

/* --- units ------------------------------------------------------------------------------------ */

static double least_size(const Factor *factor)
{
    double least = INFINITY;
    for (guint i = 0; i < factor->levels->len; i++) {
        const double number = fabs(factor_level(factor, i)->number);
        if (number > 0) least = fmin(least, number);
    }
    return least;
}

/* The greatest unit that no value but 0 is less than. */
static ShownUnit factor_unit(const Factor *factor)
{
    static const struct {
        const char *base;
        ShownUnit shown;
    } units[] = {
        {"B", {"GiB", 1.0 / (1 << 30)}}, {"B", {"MiB", 1.0 / (1 << 20)}},
        {"B", {"KiB", 1.0 / 1024}},      {"Hz", {"GHz", 1e-9}},
        {"Hz", {"MHz", 1e-6}},           {"Hz", {"kHz", 1e-3}},
    };
    const double least = least_size(factor);
    for (guint i = 0; i < G_N_ELEMENTS(units); i++)
        if (!strcmp(units[i].base, factor->unit) && least * units[i].shown.scale >= 1 - 1e-12
            && isfinite(least))
            return units[i].shown;
    return (ShownUnit){factor->unit, 1};
}

ShownUnit measure_shown_unit(const Measure *measure)
{
    const bool share =
        g_str_has_suffix(measure->name, "_hit_rate") || g_str_has_prefix(measure->name, "busy_");
    return share && !*measure->unit ? (ShownUnit){"%", 100} : (ShownUnit){measure->unit, 1};
}

double view_level_number(const StudyView *view, guint factor, guint level)
{
    return factor_level(view_factor(view, factor), level)->number * view->factors[factor].scale;
}

void figure_value(Figure *figure, double number)
{
    if (number == floor(number) && fabs(number) < 1e15)
        figure_integer(figure, (gint64)number);
    else
        figure_number(figure, number);
}

char *view_level_text(const StudyView *view, guint factor, guint level)
{
    const Factor *of = view_factor(view, factor);
    if (!of->numeric) return g_strdup(factor_level(of, level)->text);
    return g_strdup_printf("%.10g", view_level_number(view, factor, level));
}

/* --- what the study is about ------------------------------------------------------------------ */

static int known_measure(const StudyData *data, const char *name)
{
    const int index = study_find_measure(data, name);
    return index >= 0 && study_measure(data, (guint)index)->known ? index : -1;
}

/* Latency of the probe for traffic at a set rate, whose time is set as well; else time. */
static void choose_measure(StudyView *view)
{
    const int probe = known_measure(view->data, "probe_latency_mean_ns"),
              traffic = known_measure(view->data, "traffic_latency_mean_ns");
    view->loads = (probe >= 0 && known_measure(view->data, "offered_gbps") >= 0) || traffic >= 0;
    view->measure = view->loads ? MAX(probe, traffic) : known_measure(view->data, "time_ns");
    view->perfect = study_find_factor(view->data, PERFECT_DIMENSION) >= 0;
}

static void rank_factors(StudyView *view)
{
    view->ranking = g_array_new(FALSE, FALSE, sizeof(guint));
    if (view->measure < 0) return;
    view->effects = effects_new(&view->all, (guint)view->measure);
    g_autoptr(GArray) ranking = effects_ranking(view->effects);
    for (guint i = 0; i < ranking->len; i++) {
        const guint index = g_array_index(ranking, guint, i);
        if (strcmp(view_factor(view, index)->name, PERFECT_DIMENSION) != 0)
            g_array_append_val(view->ranking, index);
    }
}

bool study_view_open(StudyView *view, const char *directory, GError **error)
{
    view->directory = directory;
    view->measure = -1;
    view->database = database_open(directory, error);
    if (!view->database) return false;
    view->manifest = manifest_read(directory, error);
    view->data = view->manifest ? study_data_read(view->database, error) : NULL;
    if (!view->data) return false;
    view->texts = g_string_chunk_new(4096);
    view->points = g_array_new(FALSE, FALSE, sizeof(PointState));
    if (!read_points(view, error)) return false;
    add_runs(view);
    view->factors = g_new(ShownUnit, view->data->factors->len + 1);
    for (guint i = 0; i < view->data->factors->len; i++)
        view->factors[i] = factor_unit(view_factor(view, i));
    view->all = study_slice(view->data, -1, 0);
    choose_measure(view);
    rank_factors(view);
    return true;
}

void study_view_close(StudyView *view)
{
    g_clear_pointer(&view->ranking, g_array_unref);
    g_clear_pointer(&view->effects, g_free);
    study_slice_finish(&view->all);
    g_clear_pointer(&view->factors, g_free);
    g_clear_pointer(&view->points, g_array_unref);
    g_clear_pointer(&view->texts, g_string_chunk_free);
    g_clear_pointer(&view->data, study_data_free);
    g_clear_pointer(&view->manifest, manifest_free);
    g_clear_pointer(&view->database, sqlite3_close);
}

/* --- for the sections ------------------------------------------------------------------------- */

const Factor *view_factor(const StudyView *view, guint index)
{
    return study_factor(view->data, index);
}

GArray *view_measures(const StudyView *view, const char *const *names)
{
    GArray *measures = g_array_new(FALSE, FALSE, sizeof(guint));
    for (; *names; names++) {
        const int index = known_measure(view->data, *names);
        if (index >= 0) g_array_append_val(measures, index);
    }
    return measures;
}

GPtrArray *view_own_results(const StudyView *view)
{
    const Manifest *manifest = view->manifest;
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < manifest->statistics->len; i++)
        g_ptr_array_add(names, manifest->statistics->pdata[i]);
    for (guint i = 0; i < manifest->derived->len; i++)
        g_ptr_array_add(names, ((const Derived *)manifest->derived->pdata[i])->name);
    return names;
}

bool view_factor_varies(const StudyView *view, guint factor)
{
    const GPtrArray *samples = view->data->samples;
    for (guint i = 1; i < samples->len; i++)
        if (((const Sample *)samples->pdata[i])->levels[factor]
            != ((const Sample *)samples->pdata[0])->levels[factor])
            return true;
    return false;
}

bool view_has_curves(const StudyView *view)
{
    const Method method = effects_method(view->data);
    return view->measure >= 0 && !view->perfect
           && (method == METHOD_ONE_AT_A_TIME || method == METHOD_MAIN_EFFECTS);
}

char *view_describe_levels(const StudyView *view, const guint *levels)
{
    GString *text = g_string_new(NULL);
    const bool alone = effects_method(view->data) == METHOD_ONE_AT_A_TIME;
    for (guint i = 0; i < view->data->factors->len; i++) {
        const Factor *factor = view_factor(view, i);
        if (factor->levels->len < 2) continue;
        if (alone && !strcmp(factor_level(factor, levels[i])->text, factor->baseline)) continue;
        g_string_append_printf(text, "%s%s = %s", text->len ? ", " : "", factor->name,
                               factor_level(factor, levels[i])->text);
    }
    if (!text->len && alone) g_string_append(text, "the baseline");
    return g_string_free(text, FALSE);
}

guint view_room(const StudyView *view)
{
    enum { CHARACTERS = 60000, NUMBERS = 60, LEAST = 100, MOST = 1000 };
    if (!view->data->samples->len) return MOST;
    const Sample *sample = view->data->samples->pdata[0];
    g_autofree char *label = view_describe_levels(view, sample->levels);
    return CLAMP(CHARACTERS / (NUMBERS + (guint)strlen(label)), LEAST, MOST);
}

void view_note_holes(const StudyView *view, Figure *figure)
{
    g_autofree char *holes = effects_holes(view->data);
    if (holes) figure_note(figure, "%s", g_strdelimit(holes, "\n", ' '));
}

void view_note_state(const StudyView *view, Figure *figure)
{
    const StudyData *data = view->data;
    if (data->done < data->points)
        figure_note(figure, "Of the %u of %u points that are done.", data->done, data->points);
}
