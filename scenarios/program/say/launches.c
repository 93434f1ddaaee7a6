#include "scenarios/program/say/launches.h"

enum { LAUNCH_LINES = 12 };

/* "registers, warps and the grid", of the limits at so many CTAs. */
static char *name_limits(const Residency *residency, uint64_t ctas)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (ResidencyLimit i = 0; i < RESIDENCY_LIMITS; i++)
        if (residency->by[i] == ctas)
            g_ptr_array_add(names, (gpointer)residency_limit_names[i].words);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%s%s",
                               !i                    ? ""
                               : i + 1 == names->len ? " and "
                                                     : ", ",
                               (const char *)names->pdata[i]);
    return g_string_free(text, FALSE);
}

char *launches_residency(const Residency *residency)
{
    g_autofree char *now = name_limits(residency, residency->ctas),
                    *next = name_limits(residency, residency->next);
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%" G_GUINT64_FORMAT " CTA%s an SM, limited by %s", residency->ctas,
                    residency->ctas == 1 ? "" : "s", now);
    if (residency->next != OCCUPANCY_ANY)
        g_string_append_printf(text, " (then %" G_GUINT64_FORMAT ", by %s)", residency->next, next);
    g_string_append_printf(text, "; %.*f waves", residency->waves < 1 ? 2 : 1, residency->waves);
    return g_string_free(text, FALSE);
}

static const Launch *launch_at(const LaunchList *launches, guint index)
{
    return &g_array_index(launches->launches, Launch, index);
}

/* "triad: 2 CTAs an SM, ..." */
static char *describe(const Machine *machine, const Launch *launch)
{
    const Residency residency = machine_residency(machine, launch);
    g_autofree char *text = launches_residency(&residency);
    return g_strdup_printf("%s: %s", launch->kernel->name, text);
}

/* The first launch behind `first` that has other words. */
static guint end_of_like(const Machine *machine, const LaunchList *launches, guint first,
                         const char *words)
{
    for (guint i = first + 1; i < launches->launches->len; i++) {
        g_autofree char *others = describe(machine, launch_at(launches, i));
        if (!g_str_equal(others, words)) return i;
    }
    return launches->launches->len;
}

static char *number_of(guint first, guint end)
{
    return end - first == 1 ? g_strdup_printf("kernel %u", first + 1)
                            : g_strdup_printf("kernels %u-%u", first + 1, end);
}

GPtrArray *launches_describe(const Machine *machine, const LaunchList *launches)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    const guint length = launches->launches->len;
    for (guint first = 0, end; first < length; first = end) {
        if (lines->len == LAUNCH_LINES) {
            g_ptr_array_add(lines, g_strdup_printf("and %u more kernels", length - first));
            break;
        }
        g_autofree char *words = describe(machine, launch_at(launches, first));
        end = end_of_like(machine, launches, first, words);
        g_autofree char *number = number_of(first, end);
        g_ptr_array_add(lines, g_strdup_printf("%s, %s", number, words));
    }
    return lines;
}
