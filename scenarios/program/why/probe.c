#include "scenarios/program/why/probe.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/points/form.h"
#include "scenarios/program/verdict/flow.h"
#include "scenarios/program/verdict/verdict.h"

/* --- in the run's process --------------------------------------------------------------------- */

/* How soon a part is worth a try. */
typedef enum { NAMED, NEIGHBOUR, OTHER } Nearness;

typedef struct {
    const Pressure *pressure;
    const Pressure *linked; /* whose busiest is a link of SimGrid's; NULL: none */
    const char *component;
    Nearness nearness;
} Strained;

static const Pressure *more_strained(const Pressure *a, const Pressure *b)
{
    return !a || pressure_strain(b) > pressure_strain(a) ? b : a;
}

static gboolean waits_for(const GPtrArray *list, const Pressure *pressure, const char *component)
{
    const GArray *next = pressure_next(list, pressure);
    for (guint i = 0; i < next->len; i++) {
        const Pressure *other = list->pdata[g_array_index(next, guint, i)];
        if (!g_strcmp0(pressure_component(other), component)) return TRUE;
    }
    return FALSE;
}

static Nearness find_nearness(const GPtrArray *list, const char *component, const char *named)
{
    if (!g_strcmp0(component, named)) return NAMED;
    for (guint i = 0; i < list->len; i++) {
        const char *own = pressure_component(list->pdata[i]);
        if (!g_strcmp0(own, component) && waits_for(list, list->pdata[i], named)) return NEIGHBOUR;
        if (!g_strcmp0(own, named) && waits_for(list, list->pdata[i], component)) return NEIGHBOUR;
    }
    return OTHER;
}

static void note(GArray *parts, const GPtrArray *list, const Pressure *pressure, const char *named)
{
    const char *component = pressure_component(pressure);
    for (guint i = 0; i < parts->len; i++) {
        Strained *part = &g_array_index(parts, Strained, i);
        if (strcmp(part->component, component) != 0) continue;
        part->pressure = more_strained(part->pressure, pressure);
        if (pressure->link) part->linked = more_strained(part->linked, pressure);
        return;
    }
    const Strained part = {pressure, pressure->link ? pressure : NULL, component,
                           find_nearness(list, component, named)};
    g_array_append_val(parts, part);
}

static int by_nearness(gconstpointer a, gconstpointer b)
{
    const Strained *x = a, *y = b;
    if (x->nearness != y->nearness) return (int)x->nearness - (int)y->nearness;
    const double left = pressure_strain(x->pressure), right = pressure_strain(y->pressure);
    return left < right ? 1 : left > right ? -1 : strcmp(x->component, y->component);
}

static GArray *find_parts(const GPtrArray *list, const char *named)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Strained));
    for (guint i = 0; i < list->len; i++)
        if (pressure_component(list->pdata[i])) note(parts, list, list->pdata[i], named);
    g_array_sort(parts, by_nearness);
    return parts;
}

static void put_parts(JsonBuilder *json, const GPtrArray *list, const Verdict *verdict)
{
    g_autoptr(GArray) parts = find_parts(list, verdict->component);
    json_builder_set_member_name(json, "parts");
    json_builder_begin_array(json);
    for (guint i = 0; i < parts->len; i++) {
        const Strained *part = &g_array_index(parts, Strained, i);
        json_builder_begin_object(json);
        json_put_text(json, "component", part->component);
        json_put_text(json, "resource", part->pressure->name);
        json_put_text(json, "title", part->pressure->title);
        json_put_bool(json, "server", part->pressure->server);
        json_put_real(json, "strain", pressure_strain(part->pressure));
        if (part->linked) {
            json_put_text(json, "link", part->linked->link);
            json_put_real(json, "link_strain", pressure_strain(part->linked));
        }
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
}

static void put_full(JsonBuilder *json, const Pressure *pressure)
{
    g_autoptr(GPtrArray) names = rests_on_names(pressure);
    json_builder_begin_object(json);
    json_put_text(json, "component", pressure_component(pressure));
    json_put_real(json, "strain", pressure_strain(pressure));
    json_builder_set_member_name(json, "rests_on");
    json_builder_begin_array(json);
    for (guint i = 0; i < names->len; i++) json_builder_add_string_value(json, names->pdata[i]);
    json_builder_end_array(json);
    json_builder_end_object(json);
}

static void put_all_full(JsonBuilder *json, const GPtrArray *list)
{
    json_builder_set_member_name(json, "full");
    json_builder_begin_array(json);
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (pressure_component(pressure) && flow_is_strained(pressure)) put_full(json, pressure);
    }
    json_builder_end_array(json);
}

static void put_classes(JsonBuilder *json, const GPtrArray *list)
{
    const UnitClass *last = NULL;
    json_builder_set_member_name(json, "classes");
    json_builder_begin_array(json);
    for (guint i = 0; i < list->len; i++) {
        const Pressure *pressure = list->pdata[i];
        if (pressure->class != last) json_builder_add_string_value(json, pressure->class->name);
        last = pressure->class;
    }
    json_builder_end_array(json);
}

static void put_known(JsonBuilder *json, JsonNode *result, const char *name, const char *path)
{
    const double number = result_number(result, path);
    if (isfinite(number)) json_put_real(json, name, number);
}

static char *describe(JsonNode *result, const Manifest *manifest)
{
    (void)manifest;
    const ResultRank rank = result_rank(result);
    if (!isfinite(rank.ns)) return trial_problem("no measured kernel took any time", false);
    g_autoptr(GPtrArray) list = pressure_list(result);
    g_autoptr(Verdict) verdict = verdict_new_with(result, list);
    g_autofree char *rests = rests_on_sentence(result, verdict);
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    json_put_real(json, "time_ns", rank.ns);
    put_known(json, result, "area_mm2", "storage.area_mm2");
    put_known(json, result, "power_w", "consumption.power_w");
    if (rank.latency) json_put_bool(json, "latency", true);
    json_put_text(json, "verdict", verdict->sentence);
    if (verdict->chain) json_put_text(json, "chain", verdict->chain);
    if (rests) json_put_text(json, "rests", rests);
    put_classes(json, list);
    put_parts(json, list, verdict);
    put_all_full(json, list);
    json_builder_end_object(json);
    g_autoptr(JsonNode) root = json_builder_get_root(json);
    return json_to_string(root, FALSE);
}

static Status simulate(const PointRequest *request, PointAnswer *answer)
{
    const PointForm form = {RESULT_BRIEF, describe};
    return point_simulate_as(request, &form, answer);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void part_clear(gpointer data)
{
    Part *part = data;
    g_free(part->component);
    g_free(part->resource);
    g_free(part->title);
    g_free(part->link);
}

static void full_clear(gpointer data)
{
    FullResource *full = data;
    g_free(full->component);
    g_strfreev(full->rests_on);
}

static void probe_free(gpointer data)
{
    Probe *probe = data;
    if (!probe) return;
    g_free(probe->problem);
    g_free(probe->verdict);
    g_free(probe->chain);
    g_free(probe->rests);
    g_strfreev(probe->classes);
    g_array_unref(probe->parts);
    g_array_unref(probe->full);
    g_free(probe);
}

static void add_part(JsonArray *array, guint index, JsonNode *node, gpointer parts)
{
    (void)array, (void)index;
    const Part part = {g_strdup(result_text(node, "component")),
                       g_strdup(result_text(node, "resource")),
                       g_strdup(result_text(node, "title")),
                       result_flag(node, "server", false),
                       result_number(node, "strain"),
                       g_strdup(result_text(node, "link")),
                       result_number(node, "link_strain")};
    g_array_append_val((GArray *)parts, part);
}

static char **read_words(JsonNode *node, const char *member)
{
    JsonArray *words = result_array(node, member);
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    for (guint i = 0; i < result_length(words); i++)
        g_strv_builder_add(all, json_array_get_string_element(words, i));
    return g_strv_builder_end(all);
}

static void add_full(JsonArray *array, guint index, JsonNode *node, gpointer all)
{
    (void)array, (void)index;
    const FullResource full = {g_strdup(result_text(node, "component")),
                               result_number(node, "strain"), read_words(node, "rests_on")};
    g_array_append_val((GArray *)all, full);
}

static int by_strain(gconstpointer a, gconstpointer b)
{
    const FullResource *x = a, *y = b;
    if (x->strain != y->strain) return x->strain > y->strain ? -1 : 1;
    return strcmp(x->component, y->component);
}

static void *parse(const char *text)
{
    g_autoptr(JsonNode) root = json_from_string(text, NULL);
    if (!root || !JSON_NODE_HOLDS_OBJECT(root)) return NULL;
    const double time = result_number(root, "time_ns");
    const char *problem = result_text(root, "problem");
    if (!problem && !(time > 0)) return NULL;
    Probe *probe = g_new0(Probe, 1);
    *probe = (Probe){time,
                     result_number(root, "area_mm2"),
                     result_number(root, "power_w"),
                     result_flag(root, "latency", false),
                     result_flag(root, "rejected", false),
                     g_strdup(problem),
                     g_strdup(result_text(root, "verdict")),
                     g_strdup(result_text(root, "chain")),
                     g_strdup(result_text(root, "rests")),
                     read_words(root, "classes"),
                     g_array_new(FALSE, FALSE, sizeof(Part)),
                     g_array_new(FALSE, FALSE, sizeof(FullResource))};
    g_array_set_clear_func(probe->parts, part_clear);
    g_array_set_clear_func(probe->full, full_clear);
    JsonArray *parts = result_array(root, "parts"), *full = result_array(root, "full");
    if (parts) json_array_foreach_element(parts, add_part, probe->parts);
    if (full) json_array_foreach_element(full, add_full, probe->full);
    g_array_sort(probe->full, by_strain);
    return probe;
}

const TrialForm *probe_form(void)
{
    static const TrialForm form = {"why", simulate, parse, probe_free};
    return &form;
}

bool probe_has(const char *class, gconstpointer probe)
{
    const UnitClass *const *known = machine_unit_classes();
    while (*known && strcmp((*known)->name, class)) known++;
    const bool can_be_full = *known && (*known)->resources;
    return !can_be_full
           || g_strv_contains((const char *const *)((const Probe *)probe)->classes, class);
}

const Part *probe_find(const Probe *probe, const char *component)
{
    for (guint i = 0; i < probe->parts->len; i++) {
        const Part *part = &g_array_index(probe->parts, Part, i);
        if (!g_strcmp0(part->component, component)) return part;
    }
    return NULL;
}
