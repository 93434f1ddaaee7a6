#include "scenarios/program/verdict/words.h"

#include "scenarios/program/verdict/flow.h"

/* So much of the fullest one is as much. */
static const double NEARLY = 0.9;

/* All of them together are not full, and by far not as much. */
static gboolean bounds_by_one(const Pressure *pressure)
{
    const Pressure all = pressure_of_all(pressure);
    return pressure->busiest && flow_is_strained(pressure) && !flow_is_strained(&all)
           && pressure_strain(&all) < NEARLY * pressure_strain(pressure);
}

static void say_how_full(GString *text, const GPtrArray *list, const Pressure *pressure)
{
    const char *unit = pressure->row && pressure->row->unit ? pressure->row->unit : "places";
    if (flow_issues(list, pressure))
        g_string_append_printf(text, "%.0f %% of the slots used", pressure->use * 100);
    else if (pressure->server)
        g_string_append_printf(text, "busy %.0f %% of the time", pressure->use * 100);
    else
        g_string_append_printf(text, "%s %.0f %% of the time, %.3g of %.0f %s taken",
                               pressure->row && pressure->row->in_parts ? "waited for" : "full",
                               pressure->full * 100, pressure->mean, pressure->capacity, unit);
    if (pressure_is_uneven(pressure))
        g_string_append_printf(text, "; %s is the busiest of uneven ones: %.0f %%",
                               pressure->busiest, pressure_strain(pressure) * 100);
    else if (pressure->link)
        g_string_append_printf(text, "; of its links %s the most: %.0f %%", pressure->link,
                               pressure_strain(pressure) * 100);
    else if (bounds_by_one(pressure))
        g_string_append_printf(text, "; of them %s the most: %.0f %%", pressure->busiest,
                               pressure_strain(pressure) * 100);
}

void words_say_resource(GString *text, const GPtrArray *list, const Pressure *pressure)
{
    g_autofree char *name = pressure_words(pressure);
    g_string_append_printf(text, "%s (%s): ", name, pressure->name);
    say_how_full(text, list, pressure);
}

char *words_of_way(const GPtrArray *way)
{
    if (!way || way->len < 2) return NULL;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < way->len; i++) {
        const Pressure *pressure = way->pdata[i];
        g_string_append_printf(text, "%s%s %.0f %%", i ? " > " : "", pressure->name,
                               pressure_strain(pressure) * 100);
    }
    return g_string_free(text, FALSE);
}
