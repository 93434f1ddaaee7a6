/* The bound of a run is found along its back-pressure: from whatever is full to what that waits
 * for, until something is full that does not drain because of itself. */
#include "scenarios/program/result/verdict.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/pressure.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

/* From here on a server's queue is long, and a place holds somebody up as often as not. */
static const double BUSY = 0.75, OFTEN_FULL = 0.5;
/* What is full waits for the most strained of what it feeds, if that is strained at all. */
static const double STRAINED = 0.5;
/* Two bounds as close as that are both named. */
static const double CLOSE = 0.95;
/* So much more than the mean, and the busiest instance is the bound, not all of them. */
static const double UNEVEN = 1.5;

/* --- headlines -------------------------------------------------------------------------------- */

/* "busy_dram_bus" */
static char *column_of(const char *headline)
{
    g_autofree char *lower = g_ascii_strdown(headline, -1);
    return g_strdup_printf("busy_%s", g_strdelimit(lower, " -", '_'));
}

static void headline_clear(gpointer data)
{
    Resource *resource = data;
    g_free(resource->name);
    g_free(resource->column);
    g_free(resource->measure);
}

GArray *verdict_resources(JsonNode *result)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    GArray *resources = g_array_new(FALSE, FALSE, sizeof(Resource));
    g_array_set_clear_func(resources, headline_clear);
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        char *headline = pressure->capacity > 0 ? pressure_headline(pressure) : NULL;
        if (!headline) continue;
        const Resource resource = {headline, column_of(headline), pressure->use,
                                   g_strdup(pressure->title)};
        g_array_append_val(resources, resource);
    }
    return resources;
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

void verdict_visit_columns(void (*visit)(const char *column, const char *measure, void *user),
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

/* --- along the pressure ----------------------------------------------------------------------- */

/* What holds CTAs: warps are resident by the launch, so that it is full is no bound. */
static gboolean holds_ctas(const Pressure *pressure)
{
    return pressure->class->limits && pressure->row && !pressure->server;
}

static gboolean is_full(const Pressure *pressure)
{
    if (pressure->server) return pressure_strain(pressure) >= BUSY;
    return !holds_ctas(pressure) && pressure_strain(pressure) >= OFTEN_FULL;
}

static const Pressure *more_strained(const Pressure *a, const Pressure *b)
{
    return !a || pressure_strain(b) > pressure_strain(a) ? b : a;
}

/* It takes no more from `pressure` itself. NULL: none does. */
static const Pressure *refused_by(const GPtrArray *list, const Pressure *pressure, GPtrArray *way)
{
    const Pressure *most = NULL;
    for (guint i = 0; i < pressure->next->len; i++) {
        const Pressure *other = list->pdata[g_array_index(pressure->next, guint, i)];
        if (pressure_strain(other) >= STRAINED && !holds_ctas(other)
            && !g_ptr_array_find(way, other, NULL))
            most = more_strained(most, other);
    }
    return most;
}

/* A place also fills because what is in it is long under way: it may wait for something full
 * behind others that are not. */
static const Pressure *full_behind(const GPtrArray *list, const Pressure *pressure, GPtrArray *way)
{
    g_autofree gboolean *seen = g_new0(gboolean, list->len);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    const Pressure *most = NULL;
    g_array_append_vals(open, pressure->next->data, pressure->next->len);
    for (guint i = 0; i < open->len; i++) {
        const guint index = g_array_index(open, guint, i);
        const Pressure *other = list->pdata[index];
        if (seen[index] || holds_ctas(other)) continue;
        seen[index] = TRUE;
        if (is_full(other) && !g_ptr_array_find(way, (gpointer)(uintptr_t)other, NULL))
            most = more_strained(most, other);
        g_array_append_vals(open, other->next->data, other->next->len);
    }
    return most;
}

/* NULL: it waits for nobody. */
static const Pressure *next_on(const GPtrArray *list, const Pressure *pressure, GPtrArray *way)
{
    const Pressure *next = refused_by(list, pressure, way);
    return next || pressure->server ? next : full_behind(list, pressure, way);
}

/* Of const Pressure *, from `first` to the one that waits for nobody. */
static GPtrArray *follow(const GPtrArray *list, const Pressure *first)
{
    GPtrArray *way = g_ptr_array_new();
    for (const Pressure *at = first; at; at = next_on(list, at, way))
        g_ptr_array_add(way, (gpointer)(uintptr_t)at);
    return way;
}

/* The end of a way, and the longest way there. */
typedef struct {
    const Pressure *end;
    GPtrArray *way;
} Bound;

static void bound_clear(gpointer bound)
{
    g_ptr_array_unref(((Bound *)bound)->way);
}

static void add_way(GArray *bounds, GPtrArray *way)
{
    const Pressure *end = way->pdata[way->len - 1];
    for (guint i = 0; i < bounds->len; i++) {
        Bound *bound = &g_array_index(bounds, Bound, i);
        if (bound->end != end) continue;
        if (way->len > bound->way->len) {
            GPtrArray *shorter = bound->way;
            bound->way = way;
            way = shorter;
        }
        g_ptr_array_unref(way);
        return;
    }
    const Bound bound = {end, way};
    g_array_append_val(bounds, bound);
}

static int compare_strain(gconstpointer a, gconstpointer b)
{
    const double x = pressure_strain(((const Bound *)a)->end),
                 y = pressure_strain(((const Bound *)b)->end);
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Of Bound, the most strained first. */
static GArray *find_bounds(GPtrArray *list)
{
    GArray *bounds = g_array_new(FALSE, FALSE, sizeof(Bound));
    g_array_set_clear_func(bounds, bound_clear);
    pressure_connect(list);
    for (guint i = 0; i < list->len; i++)
        if (is_full(list->pdata[i])) add_way(bounds, follow(list, list->pdata[i]));
    g_array_sort(bounds, compare_strain);
    return bounds;
}

/* --- in words --------------------------------------------------------------------------------- */

static char *name_of(const Pressure *pressure)
{
    char *headline = pressure_headline(pressure);
    return headline ? headline : g_strdup(pressure->title);
}

static void say_how_full(GString *text, const Pressure *pressure)
{
    const char *unit = pressure->row && pressure->row->unit ? pressure->row->unit : "places";
    if (pressure->server)
        g_string_append_printf(text, "busy %.0f %% of the time", pressure->use * 100);
    else
        g_string_append_printf(text, "full %.0f %% of the time, %.3g of %.0f %s taken",
                               pressure->full * 100, pressure->mean, pressure->capacity, unit);
    if (pressure->busiest && pressure->most_use > UNEVEN * pressure->use)
        g_string_append_printf(text, "; %s is the busiest of uneven ones: %.0f %%",
                               pressure->busiest, pressure->most_use * 100);
}

static void say_bound(GString *text, const Pressure *pressure)
{
    g_autofree char *name = name_of(pressure);
    g_string_append_printf(text, "%s (%s): ", name, pressure->name);
    say_how_full(text, pressure);
}

/* Two at most. */
static guint count_named(const GArray *bounds)
{
    if (bounds->len < 2) return bounds->len;
    const Bound *first = &g_array_index(bounds, Bound, 0),
                *second = &g_array_index(bounds, Bound, 1);
    return pressure_strain(second->end) >= CLOSE * pressure_strain(first->end) ? 2 : 1;
}

static char *describe_bounds(const GArray *bounds)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < count_named(bounds); i++) {
        if (i) g_string_append(text, "; and ");
        say_bound(text, g_array_index(bounds, Bound, i).end);
    }
    return g_string_free(text, FALSE);
}

/* Resident warps of an SM, and their places. */
static const Pressure *find_warps(const GPtrArray *list)
{
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (holds_ctas(pressure) && !g_strcmp0(pressure->row->unit, "warps")) return pressure;
    }
    return NULL;
}

static char *describe_latency(JsonNode *result, const GPtrArray *list)
{
    const double latency = result_number(result, "summary.load_latency_cycles.mean");
    const Pressure *warps = find_warps(list);
    if (isfinite(result_number(result, "summary.cycles_per_load")))
        return g_strdup("latency: one chain of dependent loads, nothing overlaps");
    if (isfinite(latency) && warps && warps->use < BUSY)
        return g_strdup_printf(
            "latency: %.1f warps an SM of %.0f possible are too few to hide %.0f cycles a load",
            warps->mean, warps->capacity, latency);
    return g_strdup("latency: no resource is near its limit and no table is full");
}

char *verdict_bound(JsonNode *result, char **sentence)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(GArray) bounds = find_bounds(list);
    if (!bounds->len) {
        if (sentence) *sentence = describe_latency(result, list);
        return g_strdup("latency");
    }
    if (sentence) *sentence = describe_bounds(bounds);
    return name_of(g_array_index(bounds, Bound, 0).end);
}

char *verdict_sentence(JsonNode *result)
{
    char *sentence = NULL;
    g_free(verdict_bound(result, &sentence));
    return sentence;
}

GStrv verdict_ends(JsonNode *result)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(GArray) bounds = find_bounds(list);
    const guint count = count_named(bounds);
    GStrv names = g_new0(char *, count + 1);
    for (guint i = 0; i < count; i++)
        names[i] = g_strdup(g_array_index(bounds, Bound, i).end->name);
    return names;
}

const char *verdict_component(JsonNode *result)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(GArray) bounds = find_bounds(list);
    if (bounds->len) return pressure_component(g_array_index(bounds, Bound, 0).end);
    const Pressure *warps = find_warps(list);
    return warps ? pressure_component(warps) : NULL;
}

/* "sm.to_load_store > load_store.to_l1 > l1.replay_room > ..." */
char *verdict_chain(JsonNode *result)
{
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(GArray) bounds = find_bounds(list);
    if (!bounds->len) return NULL;
    const GPtrArray *way = g_array_index(bounds, Bound, 0).way;
    if (way->len < 2) return NULL;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < way->len; i++) {
        const Pressure *pressure = way->pdata[i];
        g_string_append_printf(text, "%s%s %.0f %%", i ? " > " : "", pressure->name,
                               pressure_strain(pressure) * 100);
    }
    return g_string_free(text, FALSE);
}
