/* `resources` of result.json: how full everything was that can be full, class by class; and
 * `links`, the network as the graph that it is. */
#include "kit/gpu/network.h"
#include "kit/observe/meter.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/json_text.h"

/* All instances of one resource. Units of a class may have a different number of them: a router at
 * the edge of a mesh has fewer links. */
typedef struct {
    const Aggregate *aggregate;
    const GPtrArray *units;
    const char *name;
} Instances;

/* Shares of 1. */
typedef struct {
    double use, full;
} Share;

typedef void (*MeterVisit)(const Unit *unit, const Meter *meter, const MeterReading *reading,
                           void *user);

/* Units of a class have their resources at the same place, as a rule. */
static uint32_t find_first(const MeterList *list, const char *name, uint32_t guess)
{
    uint32_t first = guess < list->count && list->at[guess].name == name ? guess : 0;
    while (first < list->count && list->at[first].name != name) first++;
    while (first && list->at[first - 1].name == name) first--;
    return first;
}

static void visit(const Instances *instances, MeterVisit function, void *user)
{
    uint32_t first = 0;
    for (guint i = 0; i < instances->units->len; i++) {
        const Unit *unit = instances->units->pdata[i];
        const MeterList *list = unit_meters(unit);
        first = find_first(list, instances->name, first);
        for (uint32_t m = first; m < list->count && list->at[m].name == instances->name; m++) {
            const MeterReading reading = aggregate_reading(instances->aggregate, unit, m);
            function(unit, &list->at[m], &reading, user);
        }
    }
}

static bool is_server(const Meter *meter)
{
    return meter->row && resource_is_server(meter->row);
}

static Share share_of(const Meter *meter, const MeterReading *reading)
{
    const double length = reading->length;
    if (!(length > 0) || !meter->capacity) return (Share){0, 0};
    return (Share){(double)reading->counted.work / (length * (double)meter->capacity),
                   (double)reading->counted.full / length};
}

/* "sm[3].l1.prt", "partition[0].slice[1].dram_channel.bank[3]", "router[shared][2].links[0] (trunk)" */
static char *describe_instance(const Unit *unit, const Meter *meter)
{
    if (meter->label)
        return g_strdup_printf("%s.%s[%u] (%s)", unit->path, meter->name, meter->index,
                               meter->label);
    return meter->many ? g_strdup_printf("%s.%s[%u]", unit->path, meter->name, meter->index)
                       : g_strdup_printf("%s.%s", unit->path, meter->name);
}

typedef struct {
    double held; /* sums */
    Share all;
    uint64_t refused, capacity, came, stayed, inside;
    guint count;
    guint elements;          /* of one unit, at most */
    const Unit *last, *unit; /* that was added; of the busiest */
    const Meter *busiest;
    Share most;
} Sum;

/* Of equally busy ones the first. A statistic of refusals is one for all elements of an array. */
static void add_meter(const Unit *unit, const Meter *meter, const MeterReading *reading, void *user)
{
    Sum *sum = user;
    const ResourceCount *counted = &reading->counted;
    const Share share = share_of(meter, reading);
    if (!meter->refused || unit != sum->last) sum->refused += counted->refused;
    sum->last = unit;
    sum->held += reading->length > 0 ? (double)counted->work / reading->length : 0;
    sum->all.use += share.use;
    sum->all.full += share.full;
    sum->capacity = MAX(sum->capacity, meter->capacity);
    sum->came += counted->came;
    sum->stayed += unit_stayed(meter);
    sum->inside += counted->inside;
    sum->count++;
    sum->elements = MAX(sum->elements, meter->index + 1);
    if (sum->busiest && share.use <= sum->most.use) return;
    sum->unit = unit;
    sum->busiest = meter;
    sum->most = share;
}

static void put_share(JsonBuilder *json, Share share)
{
    json_put_real(json, "use", share.use);
    json_put_real(json, "full", share.full);
}

static void put_busiest(JsonBuilder *json, const Sum *sum)
{
    g_autofree char *path = describe_instance(sum->unit, sum->busiest);
    json_builder_set_member_name(json, "busiest");
    json_builder_begin_object(json);
    json_put_text(json, "path", path);
    put_share(json, sum->most);
    json_builder_end_object(json);
}

/* Most are 0. */
static void add_share(JsonBuilder *json, double share)
{
    const double rounded = result_round_share(share);
    if (rounded > 0)
        json_builder_add_double_value(json, rounded);
    else
        json_builder_add_int_value(json, 0);
}

static void put_use(G_GNUC_UNUSED const Unit *unit, const Meter *meter, const MeterReading *reading,
                    void *json)
{
    add_share(json, share_of(meter, reading).use);
}

static void put_each(JsonBuilder *json, const Instances *instances)
{
    json_builder_set_member_name(json, "each_use");
    json_builder_begin_array(json);
    visit(instances, put_use, json);
    json_builder_end_array(json);
}

/* By which `mean` can be counted a second time. */
static void put_stays(JsonBuilder *json, const Sum *sum)
{
    json_put_number(json, "came", sum->came);
    json_put_number(json, "stayed_fs", sum->stayed);
    json_put_number(json, "inside", sum->inside);
}

static void put_resource(JsonBuilder *json, const Instances *instances, ResultExtent extent)
{
    Sum sum = {.count = 0};
    visit(instances, add_meter, &sum);
    json_builder_set_member_name(json, instances->name);
    json_builder_begin_object(json);
    json_put_text(json, "kind", is_server(sum.busiest) ? "server" : "place");
    json_put_number(json, "instances", sum.count);
    json_put_number(json, "capacity", sum.capacity);
    json_put_real(json, "mean", sum.held / sum.count);
    put_share(json, (Share){sum.all.use / sum.count, sum.all.full / sum.count});
    json_put_number(json, "refused", sum.refused);
    if (extent == RESULT_WHOLE && !is_server(sum.busiest)) put_stays(json, &sum);
    if (sum.count > 1) put_busiest(json, &sum);
    if (sum.count > 1 && sum.elements <= METERS_EACH && sum.all.use > 0 && extent == RESULT_WHOLE)
        put_each(json, instances);
    json_builder_end_object(json);
}

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

typedef struct {
    const Aggregate *aggregate;
    JsonBuilder *json;
    ResultExtent extent;
} Writer;

static void put_group(const char *name, const GPtrArray *units, void *user)
{
    const Writer *writer = user;
    g_autoptr(GPtrArray) names = result_resource_names(units);
    if (!names->len) return;
    json_builder_set_member_name(writer->json, name);
    json_builder_begin_object(writer->json);
    for (guint i = 0; i < names->len; i++)
        put_resource(writer->json, &(Instances){writer->aggregate, units, names->pdata[i]},
                     writer->extent);
    json_builder_end_object(writer->json);
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

JsonNode *result_resources(const Aggregate *aggregate, ResultExtent extent)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_object(json);
    result_visit_resource_groups(aggregate, put_group, &(Writer){aggregate, json, extent});
    json_builder_end_object(json);
    return json_builder_get_root(json);
}

/* --- links ------------------------------------------------------------------------------------ */

typedef struct {
    const Aggregate *aggregate;
    JsonBuilder *json;
    const char *network; /* that is being written; NULL: none yet */
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
    if (writer->network) json_builder_end_array(writer->json);
    json_builder_set_member_name(writer->json, network);
    json_builder_begin_array(writer->json);
    writer->network = network;
}

static void put_link(const MachineLink *link, void *user)
{
    LinkWriter *writer = user;
    JsonBuilder *json = writer->json;
    if (g_strcmp0(writer->network, link->network) != 0) open_network(writer, link->network);
    json_builder_begin_object(json);
    json_put_text(json, "name", link->name);
    json_put_text(json, "from", link->from);
    json_put_text(json, "to", link->to);
    json_put_real(json, "bandwidth_gbps", link->link.bandwidth);
    json_put_real(json, "latency_ns", link->link.latency);
    json_put_real(json, "use", use_of(writer->aggregate, link));
    json_builder_end_object(json);
}

JsonNode *result_links(const Aggregate *aggregate)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    LinkWriter writer = {.aggregate = aggregate, .json = json};
    json_builder_begin_object(json);
    machine_visit_links(aggregate->machine, put_link, &writer);
    if (writer.network) json_builder_end_array(json);
    json_builder_end_object(json);
    return writer.network ? json_builder_get_root(json) : NULL;
}
