#include "scenarios/program/verdict/headlines.h"

#include <string.h>

#include "scenarios/program/verdict/pressure.h"

/* "busy_dram_bus" */
static char *column_of(const char *headline)
{
    g_autofree char *lower = g_ascii_strdown(headline, -1);
    return g_strdup_printf("busy_%s", g_strdelimit(lower, " -", '_'));
}

static void headline_clear(gpointer data)
{
    Headline *own = data;
    g_free(own->name);
    g_free(own->column);
    g_free(own->measure);
}

/* Of several of one name, as of the links between switches and behind them, the busiest is told.
 * Takes over `own`. */
static void add_headline(GArray *headlines, Headline own)
{
    for (guint i = 0; i < headlines->len; i++) {
        Headline *other = &g_array_index(headlines, Headline, i);
        if (strcmp(other->name, own.name) != 0) continue;
        if (own.utilisation > other->utilisation) {
            const Headline less = *other;
            *other = own;
            own = less;
        }
        headline_clear(&own);
        return;
    }
    g_array_append_val(headlines, own);
}

/* NULL: it is not shown. */
static char *name_of(const Pressure *pressure, const char *const *bounds)
{
    if (!(pressure->capacity > 0)) return NULL;
    const bool binds = bounds && g_strv_contains(bounds, pressure->name);
    return binds ? pressure_words(pressure) : pressure_headline(pressure);
}

static GArray *select_headlines(const GPtrArray *list, const char *const *bounds)
{
    GArray *headlines = g_array_new(FALSE, FALSE, sizeof(Headline));
    g_array_set_clear_func(headlines, headline_clear);
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        char *name = name_of(pressure, bounds);
        if (!name) continue;
        const Headline own = {name, column_of(name), pressure->use, g_strdup(pressure->title)};
        add_headline(headlines, own);
    }
    return headlines;
}

GArray *headlines_of(const GPtrArray *list)
{
    return select_headlines(list, NULL);
}

GArray *headlines_read(JsonNode *result)
{
    return headlines_with(result, NULL);
}

GArray *headlines_with(JsonNode *result, const char *const *bounds)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    return select_headlines(list, bounds);
}

/* There are several kinds of network, of which a machine has one. */
static void visit_once(GHashTable *seen, const char *headline, const ResourceRow *row,
                       void (*visit)(const char *column, const char *measure, void *user),
                       void *user)
{
    char *column = column_of(headline);
    if (!g_hash_table_contains(seen, column)) visit(column, row->summary, user);
    g_hash_table_add(seen, column);
}

void headlines_visit_columns(void (*visit)(const char *column, const char *measure, void *user),
                             void *user)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        for (const ResourceRow *row = (*class)->resources; row && row->name; row++) {
            if (!row->headline) continue;
            if ((*class)->place != PLACE_NETWORK) {
                visit_once(seen, row->headline, row, visit, user);
                continue;
            }
            g_autofree char *request = g_strconcat("request ", row->headline, NULL),
                            *reply = g_strconcat("reply ", row->headline, NULL);
            visit_once(seen, request, row, visit, user);
            visit_once(seen, reply, row, visit, user);
        }
}
