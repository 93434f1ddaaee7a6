#include "scenarios/program/verdict/pressure.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/result/result.h"

static void pressure_free(gpointer data)
{
    Pressure *pressure = data;
    g_free(pressure->name);
    g_free(pressure->title);
    g_free(pressure->link);
    if (pressure->next) g_array_unref(pressure->next);
    g_free(pressure);
}

/* --- what there is ---------------------------------------------------------------------------- */

/* "crossbar[request]" is of the class "crossbar". NULL: this program has none of the name. */
static const UnitClass *find_class(const char *group)
{
    const size_t length = strcspn(group, "[");
    for (const UnitClass *const *class = machine_unit_classes(); *class; class ++)
        if (strlen((*class)->name) == length && !strncmp((*class)->name, group, length))
            return *class;
    return NULL;
}

static const ResourceRow *find_row(const UnitClass *class, const char *name)
{
    for (const ResourceRow *row = class->resources; row && row->name; row++)
        if (!strcmp(row->name, name)) return row;
    return NULL;
}

static gboolean leads_from(const ChannelRow *row, const UnitClass *class, const char *output)
{
    return row->from && !strcmp(row->from, class->name) && !strcmp(row->output, output);
}

static bool has_class(const GPtrArray *list, const char *name)
{
    for (guint i = 0; i < list->len; i++)
        if (!strcmp(((const Pressure *)list->pdata[i])->class->name, name)) return true;
    return false;
}

static bool gives_way(const GPtrArray *list, const ChannelRow *row)
{
    for (guint i = 0; row->unless[0] && i < list->len; i++)
        if (channel_gives_way(row, ((const Pressure *)list->pdata[i])->class->name)) return true;
    return false;
}

static bool is_there(const GPtrArray *list, const ChannelRow *row)
{
    return has_class(list, row->to) && !gives_way(list, row);
}

/* Where the output leads in the machine of the list; the first of all where none of it is there. */
static const ChannelRow *find_channel(const GPtrArray *list, const UnitClass *class,
                                      const char *output)
{
    const ChannelRow *found = NULL;
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++)
        if (leads_from(row, class, output)
            && (!found || (is_there(list, row) && !is_there(list, found))))
            found = row;
    return found;
}

/* A network's outputs lead to several classes. */
static char *title_of(const Pressure *pressure)
{
    const ResourceRow *row = pressure->row;
    if (row) return g_strndup(row->summary, strcspn(row->summary, ",:;"));
    return pressure->class->place == PLACE_NETWORK
               ? g_strdup_printf("way out of %s", pressure->class->name)
               : g_strdup_printf("way from %s to %s", pressure->channel->from,
                                 pressure->channel->to);
}

/* All of the list is there. */
static void finish(const GPtrArray *list)
{
    for (guint i = 0; i < list->len; i++) {
        Pressure *pressure = list->pdata[i];
        const ChannelRow *row = pressure->channel;
        if (row) pressure->channel = find_channel(list, pressure->class, row->output);
        pressure->title = title_of(pressure);
    }
}

/* "trunk" of "router[shared][0].links[0] (trunk)". */
static char *link_in(const ResourceRow *row, const char *path)
{
    const char *name = row && row->links && path ? strchr(path, '(') : NULL;
    return name ? g_strndup(name + 1, strcspn(name + 1, ")")) : NULL;
}

/* NULL: it is of another version. */
static Pressure *add_pressure(GPtrArray *list, const char *group, const char *name)
{
    const UnitClass *class = find_class(group);
    const ResourceRow *row = class ? find_row(class, name) : NULL;
    const ChannelRow *channel = class && !row ? find_channel(list, class, name) : NULL;
    if (!row && !channel) return NULL;
    Pressure *pressure = g_new0(Pressure, 1);
    *pressure = (Pressure){.name = g_strconcat(group, ".", name, NULL),
                           .class = class,
                           .row = row,
                           .channel = channel};
    g_ptr_array_add(list, pressure);
    return pressure;
}

static void set_busiest(Pressure *pressure, const char *path, double use, double full)
{
    pressure->busiest = path;
    pressure->most_use = path ? use : pressure->use;
    pressure->most_full = path ? full : pressure->full;
    g_free(pressure->link);
    pressure->link = link_in(pressure->row, path);
}

static void read_pressure(Pressure *pressure, JsonNode *node)
{
    pressure->server = !g_strcmp0(result_text(node, "kind"), "server");
    pressure->capacity = result_number(node, "capacity");
    pressure->mean = result_number(node, "mean");
    pressure->use = result_number(node, "use");
    pressure->full = result_number(node, "full");
    pressure->refused = result_number(node, "refused");
    set_busiest(pressure, result_text(node, "busiest.path"), result_number(node, "busiest.use"),
                result_number(node, "busiest.full"));
}

/* --- what it waits for ------------------------------------------------------------------------ */

/* "crossbar[request]" of "crossbar[request].outputs". */
static gboolean is_of(const Pressure *pressure, const char *group)
{
    const size_t length = strlen(group);
    return !strncmp(pressure->name, group, length) && pressure->name[length] == '.';
}

static gboolean has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; at && *at; at += strspn(at, " ")) {
        const size_t own = strcspn(at, " ");
        if (own == length && !strncmp(at, word, own)) return TRUE;
        at += own;
    }
    return FALSE;
}

gboolean pressure_refuses(const Pressure *other, const Pressure *pressure)
{
    return other->class == pressure->class && other->row && pressure->row
           && has_word(other->row->refuses, pressure->row->name);
}

static void add_next(Pressure *pressure, guint other)
{
    for (guint i = 0; i < pressure->next->len; i++)
        if (g_array_index(pressure->next, guint, i) == other) return;
    g_array_append_val(pressure->next, other);
}

static unsigned runs_of(const UnitClass *class)
{
    return class->runs ? class->runs : IN_WHOLE;
}

/* What is in a network of requests goes to memory, or on in it; replies go to the SMs. A shared
 * network has both. */
static gboolean leads_on(const Pressure *pressure, const ChannelRow *row, const UnitClass *class,
                         const char *output, const char *group)
{
    if (!leads_from(row, class, output)) return FALSE;
    const UnitClass *to = find_class(row->to);
    if (!(runs_of(to) & pressure->runs)) return FALSE;
    if (class->place != PLACE_NETWORK || to->place == PLACE_NETWORK) return TRUE;
    return strstr(group, "[shared]")
           || (row->role == NETWORK_REPLY) == (strstr(group, "[reply]") != NULL);
}

static gboolean has_group(const GPtrArray *list, const char *group)
{
    for (guint i = 0; i < list->len; i++)
        if (is_of(list->pdata[i], group)) return TRUE;
    return FALSE;
}

/* The group that a channel leads to: of networks the one its messages are in. */
static char *group_behind(const GPtrArray *list, const ChannelRow *row, const char *from_group)
{
    const UnitClass *to = find_class(row->to), *from = find_class(row->from);
    if (to->place != PLACE_NETWORK) return g_strdup(row->to);
    if (from->place == PLACE_NETWORK) return g_strdup(from_group);
    g_autofree char *shared = g_strconcat(row->to, "[shared]", NULL);
    if (has_group(list, shared)) return g_steal_pointer(&shared);
    return g_strdup_printf("%s[%s]", row->to, row->role == NETWORK_REPLY ? "reply" : "request");
}

static void follow_output(const GPtrArray *list, Pressure *pressure, const char *group,
                          const UnitClass *class, const char *output, guint depth);

/* Through a unit of whose resources the result has none: to what takes its outputs. */
static void follow_through(const GPtrArray *list, Pressure *pressure, const char *group,
                           guint depth)
{
    const UnitClass *class = find_class(group);
    for (const PortRow *port = class->ports; port->name; port++)
        if (port->kind == PORT_OUT || port->kind == PORT_OUT_ARRAY)
            follow_output(list, pressure, group, class, port->name, depth);
}

/* What comes to an input that no resource of the class refuses is taken at once, unless the class
 * has none. Traffic's ways end where it is taken. */
static gboolean may_hold(const UnitClass *class, const char *input)
{
    const ResourceRow *row = class->resources;
    if (!(runs_of(class) & IN_WHOLE)) return FALSE;
    if (!row || !row->name) return TRUE;
    while (row->name && !has_word(row->refuses, input)) row++;
    return row->name != NULL;
}

static void follow_input(const GPtrArray *list, Pressure *pressure, const char *group,
                         const char *input, guint depth)
{
    gboolean refused = FALSE;
    for (guint i = 0; i < list->len; i++) {
        const Pressure *other = list->pdata[i];
        if (!other->row || !is_of(other, group) || !has_word(other->row->refuses, input)) continue;
        add_next(pressure, i);
        refused = TRUE;
    }
    if (!refused && may_hold(find_class(group), input))
        follow_through(list, pressure, group, depth);
}

enum { DEEPEST = 4 };

/* A bounded channel is a place of its own; one without bound is passed by. */
static void follow_output(const GPtrArray *list, Pressure *pressure, const char *group,
                          const UnitClass *class, const char *output, guint depth)
{
    for (guint i = 0; i < list->len; i++) {
        const Pressure *other = list->pdata[i];
        if (other != pressure && other->channel && is_of(other, group)
            && !strcmp(other->channel->output, output)) {
            add_next(pressure, i);
            return;
        }
    }
    if (depth == DEEPEST) return;
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        if (!leads_on(pressure, row, class, output, group) || gives_way(list, row)) continue;
        g_autofree char *behind = group_behind(list, row, group);
        follow_input(list, pressure, behind, row->input, depth + 1);
    }
}

static void add_followers(const GPtrArray *list, Pressure *pressure)
{
    g_autofree char *group = g_strndup(pressure->name, strcspn(pressure->name, "."));
    if (pressure->channel) {
        for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
            if (!leads_on(pressure, row, pressure->class, pressure->channel->output, group)
                || gives_way(list, row))
                continue;
            g_autofree char *behind = group_behind(list, row, group);
            follow_input(list, pressure, behind, row->input, 0);
        }
        return;
    }
    g_auto(GStrv) words = g_strsplit(pressure->row->feeds ? pressure->row->feeds : "", " ", -1);
    for (char **word = words; *word; word++) {
        gboolean inside = FALSE;
        for (guint i = 0; i < list->len; i++) {
            const Pressure *other = list->pdata[i];
            if (!other->row || !is_of(other, group) || strcmp(other->row->name, *word)) continue;
            add_next(pressure, i);
            inside = TRUE;
        }
        if (!inside) follow_output(list, pressure, group, pressure->class, *word, 0);
    }
}

static void read_group(GPtrArray *list, const char *group, JsonObject *resources)
{
    JsonObjectIter one;
    const char *name;
    JsonNode *node;
    json_object_iter_init_ordered(&one, resources);
    while (json_object_iter_next_ordered(&one, &name, &node)) {
        Pressure *pressure = add_pressure(list, group, name);
        if (pressure) read_pressure(pressure, node);
    }
}

GPtrArray *pressure_list(JsonNode *result)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(pressure_free);
    JsonNode *all = result_member(result, "resources");
    if (!all || !JSON_NODE_HOLDS_OBJECT(all)) return list;
    JsonObjectIter group;
    const char *name;
    JsonNode *members;
    json_object_iter_init_ordered(&group, json_node_get_object(all));
    while (json_object_iter_next_ordered(&group, &name, &members))
        read_group(list, name, json_node_get_object(members));
    finish(list);
    return list;
}

GPtrArray *pressure_list_of(const GArray *table)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(pressure_free);
    for (guint i = 0; i < table->len; i++) {
        const Resource *resource = &g_array_index(table, Resource, i);
        Pressure *pressure = add_pressure(list, resource->group, resource->name);
        if (pressure) pressure->number = i;
    }
    finish(list);
    return list;
}

void pressure_fill(GPtrArray *list, const GArray *fills)
{
    for (guint i = 0; i < list->len; i++) {
        Pressure *pressure = list->pdata[i];
        const ResourceFill *fill = &g_array_index(fills, ResourceFill, pressure->number);
        pressure->server = fill->server;
        pressure->capacity = (double)fill->resource->capacity;
        pressure->mean = fill->mean;
        pressure->use = fill->use;
        pressure->full = fill->full;
        pressure->refused = (double)fill->refused;
        set_busiest(pressure, fill->busiest, fill->most_use, fill->most_full);
    }
}

static void find_runs(const GPtrArray *list)
{
    unsigned runs = ~0u;
    for (guint i = 0; i < list->len; i++) runs &= runs_of(((Pressure *)list->pdata[i])->class);
    for (guint i = 0; i < list->len; i++) ((Pressure *)list->pdata[i])->runs = runs;
}

/* Few are asked for: most of a run's resources are neither full nor of its cores. */
const GArray *pressure_next(const GPtrArray *list, const Pressure *pressure)
{
    Pressure *own = (Pressure *)(uintptr_t)pressure;
    if (own->next) return own->next;
    if (!own->runs) find_runs(list);
    own->next = g_array_new(FALSE, FALSE, sizeof(guint));
    add_followers(list, own);
    return own->next;
}

double pressure_strain(const Pressure *pressure)
{
    if (pressure->server) return fmax(pressure->use, pressure->most_use);
    return fmax(pressure->full, pressure->most_full);
}

Pressure pressure_of_all(const Pressure *pressure)
{
    Pressure all = *pressure;
    all.most_use = all.use;
    all.most_full = all.full;
    return all;
}

bool pressure_is_uneven(const Pressure *pressure)
{
    static const double UNEVEN = 1.5; /* so much more than the mean */
    const Pressure all = pressure_of_all(pressure);
    return pressure->busiest && pressure_strain(pressure) > UNEVEN * pressure_strain(&all);
}

/* "reply network", of "[reply]" and "network". */
static char *of_network(const Pressure *pressure, const char *between, const char *words)
{
    const char *network = strchr(pressure->name, '[') + 1;
    return g_strdup_printf("%.*s%s%s", (int)strcspn(network, "]"), network, between, words);
}

char *pressure_headline(const Pressure *pressure)
{
    const char *headline = pressure->row ? pressure->row->headline : NULL;
    if (!headline) return NULL;
    if (pressure->class->place != PLACE_NETWORK) return g_strdup(headline);
    return of_network(pressure, " ", headline);
}

char *pressure_words(const Pressure *pressure)
{
    char *headline = pressure_headline(pressure);
    if (headline) return headline;
    if (pressure->class->place != PLACE_NETWORK) return g_strdup(pressure->title);
    return of_network(pressure, " network's ", pressure->title);
}

static const char *component_of(const Param *param)
{
    return param->perfect ? param->perfect->component : NULL;
}

/* Of the parameter that is the capacity of a row. */
static const char *row_component(const UnitClass *class, const ResourceRow *row)
{
    const Param *capacity = class_find_capacity(class, row);
    return row->component || !capacity ? row->component : component_of(capacity);
}

/* Of the parameter "GROUP.KEY"; NULL: of none. */
static const char *named_component(const char *name)
{
    for (const ParamGroup *const *group = machine_groups(); name && *group; group++) {
        const size_t length = strlen((*group)->name);
        if (strncmp((*group)->name, name, length) != 0 || name[length] != '.') continue;
        for (const Param *param = (*group)->params; param->name; param++)
            if (!strcmp(param->name, name + length + 1)) return component_of(param);
    }
    return NULL;
}

/* Of a network's own resources, and of the way into it, the network that it is; of others by what
 * they say. */
const char *pressure_component(const Pressure *pressure)
{
    if (strstr(pressure->name, "[shared]")) return "network";
    if (pressure->class->place == PLACE_NETWORK)
        return strstr(pressure->name, "[reply]") ? "reply_network" : "request_network";
    if (pressure->row) return row_component(pressure->class, pressure->row);
    if (pressure->channel->mapping == CHANNEL_INTO_NETWORK)
        return pressure->class->place == PLACE_MEMORY ? "reply_network" : "request_network";
    return named_component(pressure->channel->capacity.name);
}

const char *pressure_of_length(const Pressure *pressure)
{
    return pressure->channel ? named_component(pressure->channel->delay.name) : NULL;
}
