#include "scenarios/program/study/perfect/words.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/say/table.h"

void perfect_print_settings(const PerfectComponent *component, FILE *out)
{
    for (guint i = 0; i < component->settings->len; i++) {
        const PerfectSetting *setting = &g_array_index(component->settings, PerfectSetting, i);
        g_autofree char *text = perfect_setting_text(setting);
        fprintf(out, "  %s%s%s\n", text, setting->only_if ? "   where " : "",
                setting->only_if ? setting->only_if : "");
    }
}

char *result_value_text(const ResultColumn *column, double value)
{
    if (isnan(value)) return g_strdup("-");
    if (!strcmp(column->unit, "ns")) return text_time(value);
    g_autofree char *number = text_grouped(value, fabs(value) < 100 ? 2 : 1);
    return g_strdup_printf("%s%s%s", number, *column->unit ? " " : "", column->unit);
}

char *bound_group_name(const Manifest *manifest, const BoundGroup *group)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0, k = 0; i < manifest->dimensions->len; i++) {
        const Dimension *dimension = manifest->dimensions->pdata[i];
        if (!strcmp(dimension->name, PERFECT_DIMENSION)) continue;
        g_string_append_printf(text, "%s%s = %s", text->len ? ", " : "", dimension->name,
                               group->values[k++]);
    }
    return g_string_free(text, FALSE);
}

/* The component with the greatest effect; NULL: none has one to speak of. */
static const Bound *bound_strongest(const BoundGroup *group)
{
    const Bound *first = group->bounds->len ? group->bounds->pdata[0] : NULL;
    return first && first->speedup > 1 && !bound_is_negligible(first) ? first : NULL;
}

char *bound_group_verdict(const ResultColumn *on, const BoundGroup *group)
{
    if (isnan(group->baseline.value))
        return g_strdup_printf("The machine as it is has no %s%s%s.", on->name,
                               group->baseline.problem ? ": " : "",
                               group->baseline.problem ? group->baseline.problem : "");
    g_autofree char *now = result_value_text(on, group->baseline.value);
    const Bound *bound = bound_strongest(group);
    if (!bound)
        return g_strdup_printf("No component by itself bounds this run: %s = %s with each of them "
                               "perfect.",
                               on->name, now);
    g_autofree char *then = result_value_text(on, bound->value);
    const PerfectComponent *component = perfect_find(bound->component);
    const char *with = component ? component->summary : bound->component;
    if (!strcmp(on->name, "time_ns"))
        return g_strdup_printf("With %s, this run would take %s instead of %s: %s costs at most "
                               "%.0f %% of the time.",
                               with, then, now, bound->component, 100 * bound->share);
    return g_strdup_printf(
        "With %s, %s would be %s instead of %s: %s bounds it by a factor of %.2f.", with, on->name,
        then, now, bound->component, bound->speedup);
}
