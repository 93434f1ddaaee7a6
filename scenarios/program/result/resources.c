/* `resources` of result.json: how full everything was that can be full, class by class; and
 * `links`, the network as the graph that it is. */
#include <math.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/gpu/network.h"
#include "kit/observe/meter.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

/* Shares of 1. */
typedef struct {
    double use, full;
} Share;

typedef struct {
    const Unit *unit;
    const Meter *meter;
    uint32_t number, place; /* of the unit's; of all units', in sums of phases */
    bool refuses;           /* a statistic of refusals is one for all elements of an array */
} Instance;

/* --- which there are -------------------------------------------------------------------------- */

static void resource_clear(gpointer data)
{
    Resource *resource = data;
    g_free(resource->group);
    g_array_unref(resource->instances);
    g_ptr_array_unref(resource->without);
}

/* Units of a class have their resources at the same place, as a rule. */
static uint32_t find_first(const MeterList *list, const char *name, uint32_t guess)
{
    uint32_t first = guess < list->count && list->at[guess].name == name ? guess : 0;
    while (first < list->count && list->at[first].name != name) first++;
    while (first && list->at[first - 1].name == name) first--;
    return first;
}

static void add_instance(Resource *resource, const Unit *unit, uint32_t number)
{
    const Meter *meter = &unit_meters(unit)->at[number];
    const guint count = resource->instances->len;
    const Instance *last = count ? &g_array_index(resource->instances, Instance, count - 1) : NULL;
    const Instance instance = {unit, meter, number, unit_phase_place(unit)->meter + number,
                               !meter->refused || !last || last->unit != unit};
    g_array_append_val(resource->instances, instance);
    resource->capacity = MAX(resource->capacity, meter->capacity);
    resource->elements = MAX(resource->elements, meter->index + 1);
}

/* Units of a class may have a different number of them: a router at the edge of a mesh has fewer
 * links. */
static void add_instances(Resource *resource, const GPtrArray *units)
{
    uint32_t first = 0;
    for (guint i = 0; i < units->len; i++) {
        const MeterList *list = unit_meters(units->pdata[i]);
        first = find_first(list, resource->name, first);
        if (first == list->count) g_ptr_array_add(resource->without, units->pdata[i]);
        for (uint32_t m = first; m < list->count && list->at[m].name == resource->name; m++)
            add_instance(resource, units->pdata[i], m);
    }
}

static void add_group(const char *name, const GPtrArray *units, void *table)
{
    g_autoptr(GPtrArray) names = result_resource_names(units);
    for (guint i = 0; i < names->len; i++) {
        Resource resource = {.group = g_strdup(name),
                             .name = names->pdata[i],
                             .instances = g_array_new(FALSE, FALSE, sizeof(Instance)),
                             .without = g_ptr_array_new()};
        add_instances(&resource, units);
        g_array_append_val((GArray *)table, resource);
    }
}

GArray *result_list_resources(const Aggregate *aggregate)
{
    GArray *table = g_array_new(FALSE, FALSE, sizeof(Resource));
    g_array_set_clear_func(table, resource_clear);
    result_visit_resource_groups(aggregate, add_group, table);
    return table;
}

/* --- how full they were ----------------------------------------------------------------------- */

static bool is_server(const Meter *meter)
{
    return meter->row && resource_is_server(meter->row);
}

static Share share_of(const Meter *meter, const MeterReading *reading)
{
    const double length = reading->length;
    if (!(length > 0)) return (Share){0, 0};
    const double held = meter->capacity ? length * (double)meter->capacity : INFINITY;
    return (Share){(double)reading->counted.work / held, (double)reading->counted.full / length};
}

/* "sm[3].l1.prt", "partition[0].slice[1].dram_channel.bank[3]", "router[shared][2].links[0] (trunk)" */
static char *describe_instance(const Unit *unit, const Meter *meter)
{
    GString *text = g_string_new(unit->path);
    g_string_append_c(text, '.');
    g_string_append(text, meter->name);
    if (meter->many || meter->label) {
        g_string_append_c(text, '[');
        decimal_append_count(text, meter->index);
        g_string_append_c(text, ']');
    }
    if (meter->label) g_string_append_printf(text, " (%s)", meter->label);
    return g_string_free(text, FALSE);
}

static MeterReading read_instance(const Aggregate *aggregate, const Instance *instance)
{
    return aggregate_reading(aggregate, instance->unit, instance->number);
}

static const Instance *instance_at(const Resource *resource, guint index)
{
    return &g_array_index(resource->instances, Instance, index);
}

/* Most have nothing of most phases. */
static bool has_rested(const Aggregate *aggregate, const Instance *instance)
{
    return aggregate->phase && !phase_sums_has(aggregate->phase, instance->place);
}

typedef struct {
    double held;
    Share all;
    uint64_t refused;
    const Instance *busiest;
    Share most; /* of the busiest */
} Sum;

/* A place is busy when it is full, or a part of it is. Of equally busy ones the first. */
static void add_reading(Sum *sum, const Instance *instance, const MeterReading *reading)
{
    const Share share = share_of(instance->meter, reading);
    if (instance->refuses) sum->refused += reading->counted.refused;
    sum->held += reading->length > 0 ? (double)reading->counted.work / reading->length : 0;
    sum->all.use += share.use;
    sum->all.full += share.full;
    const double fuller = is_server(instance->meter) ? 0 : share.full - sum->most.full;
    if (sum->busiest && (fuller != 0 ? fuller : share.use - sum->most.use) <= 0) return;
    sum->busiest = instance;
    sum->most = share;
}

static Sum add_up(const Resource *resource, const Aggregate *aggregate)
{
    Sum sum = {.held = 0};
    for (guint i = 0; i < resource->instances->len; i++) {
        const Instance *instance = instance_at(resource, i);
        if (i && has_rested(aggregate, instance)) continue;
        const MeterReading reading = read_instance(aggregate, instance);
        add_reading(&sum, instance, &reading);
    }
    return sum;
}

/* What readings of a phase lack. */
static uint64_t refused_in_phase(const Resource *resource, const Aggregate *aggregate)
{
    const Instance *first = instance_at(resource, 0);
    if (!aggregate->phase || !first->meter->refused) return 0;
    return aggregate_refusals(aggregate, first->unit, first->meter);
}

/* What a statistic counts of units that have nothing to refuse with: a router without links to
 * neighbours, where packets wait for exits. Sums of a phase have it. */
static uint64_t refused_without(const Resource *resource, const Aggregate *aggregate)
{
    const Instance *first = instance_at(resource, 0);
    if (aggregate->phase || !first->meter->refused) return 0;
    const ptrdiff_t offset = (const char *)first->meter->refused - (const char *)first->unit;
    uint64_t refused = 0;
    for (guint i = 0; i < resource->without->len; i++) {
        const char *measured = unit_measured(resource->without->pdata[i]);
        refused += *(const uint64_t *)(const void *)(measured + offset);
    }
    return refused;
}

/* It has a name also where there is but one. */
static bool is_link(const Meter *meter)
{
    return meter->row && meter->row->links;
}

static ResourceFill fill_of(const Resource *resource, const Aggregate *aggregate)
{
    const Sum sum = add_up(resource, aggregate);
    const guint count = resource->instances->len;
    return (ResourceFill){.resource = resource,
                          .server = is_server(sum.busiest->meter),
                          .refused = sum.refused + refused_in_phase(resource, aggregate)
                                     + refused_without(resource, aggregate),
                          .mean = sum.held / count,
                          .use = sum.all.use / count,
                          .full = sum.all.full / count,
                          .busiest = count > 1 || is_link(sum.busiest->meter)
                                         ? describe_instance(sum.busiest->unit, sum.busiest->meter)
                                         : NULL,
                          .most_use = sum.most.use,
                          .most_full = sum.most.full};
}

static void fill_clear(gpointer data)
{
    g_free(((ResourceFill *)data)->busiest);
}

GArray *result_fill_resources(const GArray *table, const Aggregate *aggregate)
{
    GArray *fills = g_array_sized_new(FALSE, FALSE, sizeof(ResourceFill), table->len);
    g_array_set_clear_func(fills, fill_clear);
    for (guint i = 0; i < table->len; i++) {
        const ResourceFill fill = fill_of(&g_array_index(table, Resource, i), aggregate);
        g_array_append_val(fills, fill);
    }
    return fills;
}

/* --- what is written -------------------------------------------------------------------------- */

static void write_share(JsonWriter *writer, Share share)
{
    json_write_real(writer, "use", share.use);
    json_write_real(writer, "full", share.full);
}

static void write_busiest(JsonWriter *parent, const ResourceFill *fill)
{
    JsonWriter writer = json_open(parent, "busiest", '{');
    json_write_text(&writer, "path", fill->busiest);
    write_share(&writer, (Share){fill->most_use, fill->most_full});
    json_end(&writer, '}');
}

/* Most are 0. */
static void write_rounded(JsonWriter *list, double share)
{
    const double rounded = result_round_share(share);
    if (rounded > 0)
        json_write_real(list, NULL, rounded);
    else
        json_write_integer(list, NULL, 0);
}

static void write_each(JsonWriter *writer, const Resource *resource, const Aggregate *aggregate)
{
    JsonWriter list = json_open_row(writer, "each_use");
    for (guint i = 0; i < resource->instances->len; i++) {
        const Instance *instance = instance_at(resource, i);
        const MeterReading reading = read_instance(aggregate, instance);
        write_rounded(&list, share_of(instance->meter, &reading).use);
    }
    json_end(&list, ']');
}

/* By which `mean` can be counted a second time. */
static void write_stays(JsonWriter *writer, const Resource *resource, const Aggregate *aggregate)
{
    uint64_t came = 0, stayed = 0, inside = 0;
    for (guint i = 0; i < resource->instances->len; i++) {
        const MeterReading reading = read_instance(aggregate, instance_at(resource, i));
        came += reading.counted.came;
        stayed += unit_stayed(instance_at(resource, i)->meter);
        inside += reading.counted.inside;
    }
    json_write_integer(writer, "came", (gint64)came);
    json_write_integer(writer, "stayed_fs", (gint64)stayed);
    json_write_integer(writer, "inside", (gint64)inside);
}

static void write_resource(JsonWriter *parent, const ResourceFill *fill, const Aggregate *aggregate,
                           ResultExtent extent)
{
    const Resource *resource = fill->resource;
    const bool many = resource->instances->len > 1, whole = extent == RESULT_WHOLE;
    JsonWriter writer = json_open(parent, resource->name, '{');
    json_write_text(&writer, "kind", fill->server ? "server" : "place");
    json_write_integer(&writer, "instances", resource->instances->len);
    json_write_integer(&writer, "capacity", (gint64)resource->capacity);
    json_write_real(&writer, "mean", fill->mean);
    write_share(&writer, (Share){fill->use, fill->full});
    json_write_integer(&writer, "refused", (gint64)fill->refused);
    if (whole && !fill->server && !aggregate->phase) write_stays(&writer, resource, aggregate);
    if (fill->busiest) write_busiest(&writer, fill);
    if (many && whole && resource->elements <= METERS_EACH && fill->use > 0)
        write_each(&writer, resource, aggregate);
    json_end(&writer, '}');
}

static bool is_of_group(const GArray *fills, guint index, const char *group)
{
    return index < fills->len
           && !strcmp(g_array_index(fills, ResourceFill, index).resource->group, group);
}

static void write_groups(JsonWriter *writer, const GArray *fills, const Aggregate *aggregate,
                         ResultExtent extent)
{
    for (guint i = 0; i < fills->len;) {
        const char *group = g_array_index(fills, ResourceFill, i).resource->group;
        JsonWriter resources = json_open(writer, group, '{');
        for (; is_of_group(fills, i, group); i++)
            write_resource(&resources, &g_array_index(fills, ResourceFill, i), aggregate, extent);
        json_end(&resources, '}');
    }
    json_end(writer, '}');
}

void result_write_resources(JsonWriter *parent, const Aggregate *aggregate, ResultExtent extent)
{
    g_autoptr(GArray) table = result_list_resources(aggregate);
    g_autoptr(GArray) fills = result_fill_resources(table, aggregate);
    JsonWriter writer = json_open(parent, "resources", '{');
    write_groups(&writer, fills, aggregate, extent);
}

/* How deep `resources` of a kernel lies in a result. */
enum { RESOURCES_DEPTH = 3 };

JsonNode *result_written_resources(const GArray *fills, const Aggregate *aggregate)
{
    GString *text = g_string_new(NULL);
    JsonWriter writer = json_begin(text, '{', RESOURCES_DEPTH);
    write_groups(&writer, fills, aggregate, RESULT_BRIEF);
    return json_written_new(text);
}

/* --- groups ----------------------------------------------------------------------------------- */

GPtrArray *result_resource_names(const GPtrArray *units)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < units->len; i++) {
        const MeterList *list = unit_meters(units->pdata[i]);
        for (uint32_t m = 0; m < list->count; m++)
            if ((!m || list->at[m].name != list->at[m - 1].name)
                && !g_ptr_array_find(names, list->at[m].name, NULL))
                g_ptr_array_add(names, (gpointer)(uintptr_t)list->at[m].name);
    }
    return names;
}

/* "router[request]" of "router[request][3]". */
static char *name_network(const Unit *unit)
{
    return g_strndup(unit->path, strcspn(unit->path, "]") + 1);
}

static void visit_network(const ClassSum *sum, uint32_t network, ResourceGroupVisit function,
                          void *user)
{
    g_autoptr(GPtrArray) units = g_ptr_array_new();
    for (guint i = 0; i < sum->units->len; i++)
        if (((const Unit *)sum->units->pdata[i])->number % NETWORKS == network)
            g_ptr_array_add(units, sum->units->pdata[i]);
    if (!units->len) return;
    g_autofree char *name = name_network(units->pdata[0]);
    function(name, units, user);
}

void result_visit_resource_groups(const Aggregate *aggregate, ResourceGroupVisit function,
                                  void *user)
{
    for (guint i = 0; i < aggregate->classes->len; i++) {
        const ClassSum *sum = aggregate->classes->pdata[i];
        if (sum->class->place != PLACE_NETWORK)
            function(sum->class->name, sum->units, user);
        else
            for (uint32_t n = 0; n < NETWORKS; n++) visit_network(sum, n, function, user);
    }
}

/* --- links ------------------------------------------------------------------------------------ */

typedef struct {
    const Aggregate *aggregate;
    JsonWriter *result;
    const char *network; /* that is being written; NULL: none yet */
    JsonWriter networks, list;
} LinkWriter;

/* The share of the time in which its packets were on it. */
static double use_by(const Aggregate *aggregate, const LinkCounter *counter)
{
    const MeterList *list = unit_meters(counter->unit);
    for (uint32_t m = 0; m < list->count; m++) {
        const Meter *meter = &list->at[m];
        if (!meter->row || meter->row->links != counter->place || meter->index != counter->index)
            continue;
        const MeterReading reading = aggregate_reading(aggregate, counter->unit, m);
        return reading.length > 0 ? (double)reading.counted.work / reading.length : 0;
    }
    return 0;
}

static double use_of(const Aggregate *aggregate, const MachineLink *link)
{
    double use = 0;
    for (uint32_t k = 0; k < NETWORKS; k++)
        if (link->counter[k].unit) use += use_by(aggregate, &link->counter[k]);
    return use;
}

static void open_network(LinkWriter *writer, const char *network)
{
    if (writer->network)
        json_end(&writer->list, ']');
    else
        writer->networks = json_open(writer->result, "links", '{');
    writer->list = json_open(&writer->networks, network, '[');
    writer->network = network;
}

static void write_link(const MachineLink *link, void *user)
{
    LinkWriter *writer = user;
    if (g_strcmp0(writer->network, link->network) != 0) open_network(writer, link->network);
    JsonWriter row = json_open(&writer->list, NULL, '{');
    json_write_any_text(&row, "name", link->name);
    json_write_any_text(&row, "from", link->from);
    json_write_any_text(&row, "to", link->to);
    json_write_real(&row, "bandwidth_gbps", link->link.bandwidth);
    json_write_real(&row, "latency_ns", link->link.latency);
    json_write_real(&row, "use", use_of(writer->aggregate, link));
    json_end(&row, '}');
}

void result_write_links(JsonWriter *result, const Aggregate *aggregate)
{
    LinkWriter writer = {.aggregate = aggregate, .result = result};
    machine_visit_links(aggregate->machine, write_link, &writer);
    if (!writer.network) return;
    json_end(&writer.list, ']');
    json_end(&writer.networks, '}');
}
