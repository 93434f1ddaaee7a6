/* How full everything was that can be full. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/run/data.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/report/run/series.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/time/stack.h"
#include "scenarios/program/verdict/headlines.h"
#include "scenarios/program/verdict/pressure.h"
#include "scenarios/program/verdict/verdict.h"

Figure *run_utilisation(JsonNode *result)
{
    Figure *figure = figure_new("utilisation", NULL);
    figure_column(figure, "resource", NULL);
    figure_column(figure, "used", "%");
    figure_mark(figure, FIGURE_X, 100, "all of it");
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autoptr(GArray) resources = headlines_with(result, (const char *const *)verdict->ends);
    guint idle = 0;
    for (guint i = 0; i < resources->len; i++) {
        const Headline *resource = &g_array_index(resources, Headline, i);
        if (!(resource->utilisation > 0)) {
            idle += resource->utilisation == 0;
            continue;
        }
        figure_row(figure);
        figure_text(figure, resource->name);
        figure_number(figure, resource->utilisation * 100);
    }
    if (idle) figure_note(figure, "%u that did nothing are left out.", idle);
    return figure;
}

/* --- all of them ------------------------------------------------------------------------------ */

static gboolean was_used(const Pressure *pressure)
{
    return pressure->mean > 0 || pressure->refused > 0;
}

static void add_resource(Figure *figure, const Pressure *pressure)
{
    figure_row(figure);
    figure_text(figure, pressure->name);
    figure_text(figure, pressure->row ? pressure->row->summary : pressure->title);
    figure_number(figure, pressure->mean);
    figure_number(figure, pressure->capacity > 0 ? pressure->capacity : NAN);
    figure_text(figure, pressure->row ? pressure->row->unit : "messages");
    figure_number(figure, pressure->use * 100);
    figure_number(figure, pressure->full * 100);
    figure_count(figure, pressure->refused);
    figure_text(figure, pressure->busiest);
    figure_number(figure, pressure->most_use * 100);
}

Figure *run_resources(JsonNode *result)
{
    Figure *figure = figure_new("resources", NULL);
    figure_column(figure, "resource", NULL);
    figure_column(figure, "what it is", NULL);
    figure_column(figure, "at work or taken", NULL);
    figure_column(figure, "of", NULL);
    figure_column(figure, "counted in", NULL);
    figure_column(figure, "used", "%");
    figure_column(figure, "full", "%");
    figure_column(figure, "refused", NULL);
    figure_column(figure, "busiest", NULL);
    figure_column(figure, "it used", "%");
    g_autoptr(GPtrArray) list = pressure_list(result);
    guint idle = 0;
    for (guint i = 0; i < list->len; i++)
        if (was_used(list->pdata[i]))
            add_resource(figure, list->pdata[i]);
        else
            idle++;
    if (idle) figure_note(figure, "%u that nothing was in are left out.", idle);
    return figure;
}

/* --- over time -------------------------------------------------------------------------------- */

/* More rows are more than a screen has room for: those that were used most. */
enum { MAP_ROWS = 40, MAP_COLUMNS = 64 };

/* NULL: not collected, or not of all intervals. */
static JsonArray *use_over_time(const ProfileSeries *series, const Pressure *pressure,
                                const char *which)
{
    g_autofree char *path =
        g_strdup_printf("profile.series.resources.%s.%s", pressure->name, which);
    JsonArray *values = result_array(series->result, path);
    return result_length(values) == series->intervals ? values : NULL;
}

static int compare_most(gconstpointer a, gconstpointer b)
{
    const Pressure *x = *(const Pressure *const *)a, *y = *(const Pressure *const *)b;
    const double left = pressure_strain(x), right = pressure_strain(y);
    return left < right ? 1 : left > right ? -1 : strcmp(x->name, y->name);
}

/* Those with the most strain, in the order of a request's way. */
static GPtrArray *choose_rows(const ProfileSeries *series, const GPtrArray *list, const char *which)
{
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    GPtrArray *rows = g_ptr_array_new();
    for (guint i = 0; i < list->len; i++)
        if (use_over_time(series, list->pdata[i], which)) g_ptr_array_add(sorted, list->pdata[i]);
    g_ptr_array_sort(sorted, compare_most);
    g_ptr_array_set_size(sorted, (gint)MIN(sorted->len, MAP_ROWS));
    for (guint i = 0; i < list->len; i++)
        if (g_ptr_array_find(sorted, list->pdata[i], NULL)) g_ptr_array_add(rows, list->pdata[i]);
    return rows;
}

static void add_row(Figure *figure, const ProfileSeries *series, const Pressure *pressure,
                    const char *which, guint step)
{
    JsonArray *values = use_over_time(series, pressure, which);
    figure_row(figure);
    figure_text(figure, pressure->name);
    for (guint first = 0; first < series->intervals; first += step) {
        double sum = 0, length = 0;
        for (guint i = first; i < MIN(first + step, series->intervals); i++) {
            sum += json_array_get_double_element(values, i) * series_length(series, i);
            length += series_length(series, i);
        }
        figure_number(figure, sum / length * 100);
    }
}

/* `which`: "mean" over instances, or "most", of the busiest unit in each interval. */
static Figure *resource_map(JsonNode *result, const char *topic, const char *which)
{
    Figure *figure = figure_new(topic, NULL);
    ProfileSeries series;
    if (!series_read(result, &series)) return figure;
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(GPtrArray) rows = choose_rows(&series, list, which);
    const guint step = (series.intervals + MAP_COLUMNS - 1) / MAP_COLUMNS;
    if (!rows->len) return figure;
    figure_column(figure, "resource", NULL);
    for (guint i = 0; i < series.intervals; i += step) {
        g_autofree char *at = g_strdup_printf("%.5g", i * series.interval * US_OF_FS);
        figure_column(figure, at, "%");
    }
    figure_axis(figure, FIGURE_X, "time, from", "us", FALSE);
    figure_axis(figure, FIGURE_Y, "resource", NULL, FALSE);
    figure_axis(figure, FIGURE_VALUE, "used", "%", FALSE);
    for (guint i = 0; i < rows->len; i++) add_row(figure, &series, rows->pdata[i], which, step);
    return figure;
}

Figure *run_resource_map(JsonNode *result)
{
    return resource_map(result, "resource_map", "mean");
}

Figure *run_busiest_map(JsonNode *result)
{
    return resource_map(result, "busiest_map", "most");
}

/* --- where the time went ---------------------------------------------------------------------- */

static const TimePart *part_at(const GArray *parts, guint index)
{
    return &g_array_index(parts, TimePart, index);
}

static void note_schedulers(Figure *figure, JsonNode *result)
{
    const double schedulers = result_number(result, "time.schedulers"),
                 outside = result_number(result, "time.outside_fs");
    figure_note(figure, "The mean of %.0f schedulers.", schedulers);
    g_autofree char *time = text_time(outside * 1e-6);
    if (outside > 0)
        figure_note(figure,
                    "Before, between and behind kernels another %s passed, which are none's.",
                    time);
}

Figure *run_time_spent(JsonNode *result)
{
    Figure *figure = figure_new("time_spent", NULL);
    g_autoptr(GArray) parts = time_stack_new(result);
    if (!parts || !time_stack_sum(parts)) return figure;
    figure_column(figure, "time of", NULL);
    for (guint i = 0; i < parts->len; i++) figure_column(figure, part_at(parts, i)->title, "ns");
    figure_axis(figure, FIGURE_X, "time", "ns", FALSE);
    figure_row(figure);
    figure_text(figure, "a scheduler");
    for (guint i = 0; i < parts->len; i++)
        figure_number(figure, (double)part_at(parts, i)->fs * 1e-6);
    note_schedulers(figure, result);
    return figure;
}
