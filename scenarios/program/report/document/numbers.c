#include "scenarios/program/report/document/numbers.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/study/records/number.h"

double number_total(JsonNode *result, const char *statistic)
{
    const char *point = strchr(statistic, '.');
    g_assert(point);
    g_autofree char *path =
        g_strdup_printf("units.%.*s.total%s", (int)(point - statistic), statistic, point);
    return result_number(result, path);
}

double number_of_class(JsonNode *result, const UnitClass *unit, const char *statistic)
{
    g_autofree char *path = g_strdup_printf("units.%s.total.%s", unit->name, statistic);
    return result_number(result, path);
}

double number_statistic(JsonNode *result, const UnitClass *unit, const Stat *stat)
{
    return number_of_class(result, unit, stat->name);
}

double number_or_zero(double number)
{
    return isfinite(number) ? number : 0;
}

double number_units(JsonNode *result, const char *unit_class)
{
    g_autofree char *path = g_strdup_printf("units.%s.count", unit_class);
    return result_number(result, path);
}

double number_parameter(JsonNode *result, const char *name)
{
    const char *text = result_parameter(result, name);
    double number;
    return text && number_read(text, &number, NULL) ? number : NAN;
}

double number_most(JsonNode *result, const UnitClass *unit, const Stat *stat)
{
    g_auto(GStrv) names = g_strsplit(stat->most, " * ", -1);
    double most = 1;
    for (char **name = names; *name; name++) {
        g_autofree char *parameter = g_strdup_printf("%s.%s", unit->name, *name);
        most *= number_parameter(result, parameter);
    }
    return most;
}

double number_of_part(JsonNode *result, const char *part, const char *statistic)
{
    const char *point = strchr(statistic, '.');
    g_autofree char *path =
        g_strdup_printf("units.%.*s.instances", (int)(point - statistic), statistic);
    JsonArray *instances = result_array(result, path);
    double sum = NAN;
    for (guint i = 0; i < result_length(instances); i++) {
        JsonNode *instance = json_array_get_element(instances, i);
        const char *name = result_text(instance, "path");
        if (!name || !strstr(name, part)) continue;
        sum = (isnan(sum) ? 0 : sum) + result_number(instance, point + 1);
    }
    return sum;
}

char *number_words(double number)
{
    if (!isfinite(number)) return g_strdup("?");
    const double size = fabs(number);
    const int whole = size >= 1 ? (int)floor(log10(size)) + 1 : 0;
    if (whole >= 4) return text_grouped(number, 0);
    return g_strdup_printf("%.4g", number);
}
