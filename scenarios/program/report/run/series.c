#include "scenarios/program/report/run/series.h"

#include <math.h>

#include "kit/describe/role.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"

/* More boundaries than this are a hatching, not marks. */
enum { KERNEL_MARKS = 16 };

gboolean series_read(JsonNode *result, ProfileSeries *series)
{
    series->result = result;
    series->classes = result_member(result, "profile.series.classes");
    series->interval = result_number(result, "profile.series.interval");
    series->span = result_number(result, "profile.series.span");
    const double intervals = result_number(result, "profile.series.intervals");
    if (!series->classes || !(intervals > 0 && intervals < G_MAXUINT) || !(series->interval > 0)
        || !(series->span > 0))
        return FALSE;
    series->intervals = (guint)intervals;
    return TRUE;
}

double series_length(const ProfileSeries *series, guint interval)
{
    return fmin(series->interval, series->span - interval * series->interval);
}

double series_middle(const ProfileSeries *series, guint interval)
{
    return interval * series->interval + series_length(series, interval) / 2;
}

JsonArray *series_total(const ProfileSeries *series, const char *statistic)
{
    g_autofree char *path = g_strdup_printf("%s.total", statistic);
    JsonArray *values = result_array(series->classes, path);
    return result_length(values) == series->intervals ? values : NULL;
}

JsonArray *series_meaning(const ProfileSeries *series, StatMeaning meaning)
{
    const UnitClass *unit = data_class(meaning);
    g_autofree char *name =
        g_strdup_printf("%s.%s", unit->name, stat_that_means(unit->stats, meaning)->name);
    return series_total(series, name);
}

static JsonArray *instances_of(const ProfileSeries *series, const char *statistic)
{
    g_autofree char *path = g_strdup_printf("%s.instances", statistic);
    return result_array(series->classes, path);
}

guint series_units(const ProfileSeries *series, const char *statistic)
{
    return result_length(instances_of(series, statistic));
}

JsonArray *series_unit(const ProfileSeries *series, const char *statistic, guint index)
{
    JsonArray *units = instances_of(series, statistic);
    if (index >= result_length(units)) return NULL;
    JsonArray *values = json_array_get_array_element(units, index);
    return result_length(values) == series->intervals ? values : NULL;
}

gboolean series_moved(JsonArray *values)
{
    for (guint i = 0; i < result_length(values); i++)
        if (json_array_get_double_element(values, i) > 0) return TRUE;
    return FALSE;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static gboolean is_measured(JsonNode *kernel)
{
    return result_flag(kernel, "measured", FALSE);
}

/* The measured launches and what lies between them: [first, end). */
static void find_measured(JsonArray *kernels, guint *first, guint *end)
{
    *first = *end = 0;
    for (guint i = result_length(kernels); i--;) {
        if (!is_measured(data_element(kernels, i))) continue;
        *first = i;
        if (!*end) *end = i + 1;
    }
}

/* From the beginning of the region of interest, in fs. */
static double begin_of(const ProfileSeries *series, JsonNode *kernel)
{
    return result_number(kernel, "begin_ns") / NS_OF_FS
           - result_number(series->result, "profile.series.start");
}

void series_mark_kernels(const ProfileSeries *series, Figure *figure)
{
    JsonArray *kernels = result_array(series->result, "summary.kernels");
    g_autoptr(GString) names = g_string_new(NULL);
    guint first, end;
    find_measured(kernels, &first, &end);
    if (end - first < 2 || end - first > KERNEL_MARKS) return;
    for (guint i = first; i < end; i++) {
        const double begin = begin_of(series, data_element(kernels, i));
        const char *separator = names->len ? ", " : "";
        g_string_append_printf(names, "%s%s", separator,
                               result_text(data_element(kernels, i), "name"));
        if (i + 1 < end && begin_of(series, data_element(kernels, i + 1)) == begin) continue;
        if (isfinite(begin)) figure_mark(figure, FIGURE_X, begin * US_OF_FS, names->str);
        g_string_truncate(names, 0);
    }
}
