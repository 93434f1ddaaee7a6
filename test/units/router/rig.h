/* The rig of the router tests: a request network of routers alone, a source and a sink at every
 * stop. Clock 1 GHz, links of 40 B a cycle, so that a read takes a cycle on each; ends are a cycle
 * away. */
#pragma once

#include "rigs/unit_rig.h"

#include "parts/sm/coalescer.h"
#include "platform/network/graph.h"
#include "platform/network/topology.h"

extern const UnitClass router_class;

enum { STOPS_MAX = 64 };

typedef struct RouterRig RouterRig;

/* Where the next packet of a source goes. */
typedef uint32_t (*Pattern)(const RouterRig *rig, uint32_t from, uint64_t random);

typedef struct {
    RouterRig *rig;
    uint32_t stop;
    uint64_t cycle; /* of the last packet */
} RigSource;

struct RouterRig {
    Harness *harness;
    NetworkParams params;
    NetworkRoutes routes[NETWORKS];
    NetworkGraph *graph;
    LineShape line;
    uint32_t stops;
    GPtrArray *routers;
    Unit *source[STOPS_MAX], *sink[STOPS_MAX];
    RigSource generator[STOPS_MAX];

    /* the load: each source a packet a cycle with this probability; 1: as fast as they are taken */
    Pattern pattern;
    double rate;
    uint64_t warm_up, end; /* cycles in which arrivals count; sources stop at the end */
    uint64_t packets;      /* of each source; 0: until the end */

    uint64_t arrived, hops, from[STOPS_MAX], newest[STOPS_MAX][STOPS_MAX];
    bool disorder;
};

static inline NetworkGraph *router_rig_graph(const RouterRig *rig)
{
    g_autoptr(GError) error = NULL;
    const NetworkParams *params = &rig->params;
    const Clock *clock = rig->harness->clock;
    g_autofree char *text = topology_describe(params, rig->stops, rig->stops, clock, &error);
    ck_assert_msg(text, "%s", error ? error->message : "");
    NetworkGraph *graph = network_graph_new(
        &(GraphPlan){.question = {.text = text, .sms = rig->stops, .slices = rig->stops},
                     .ring = params->topology == TOPOLOGY_RING,
                     .router_delay = params->router_delay,
                     .most_channels = 1,
                     .clock = clock},
        &error);
    ck_assert_msg(graph, "%s", error ? error->message : "");
    return graph;
}

/* `settings`: of the routers. Fields of the parameters that are 0 keep their defaults. */
static inline RouterRig *router_rig_new(NetworkParams wanted, uint32_t stops, const char *settings)
{
    RouterRig *rig = g_new0(RouterRig, 1);
    NetworkParams *params = &rig->params;
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->stops = stops;
    param_set_defaults(network_group.params, params);
    params->topology = wanted.topology;
    if (wanted.ring_directions) params->ring_directions = wanted.ring_directions;
    if (wanted.mesh_columns) params->mesh_columns = wanted.mesh_columns;
    if (wanted.request_link_bandwidth)
        params->request_link_bandwidth = wanted.request_link_bandwidth;
    if (wanted.link_latency) params->link_latency = wanted.link_latency;
    if (wanted.link_buffer) params->link_buffer = wanted.link_buffer;
    if (wanted.input_buffer) params->input_buffer = wanted.input_buffer;
    params->router_delay = wanted.router_delay;
    params->flit_bytes = wanted.flit_bytes;
    params->ideal = wanted.ideal;
    network_routes_init(rig->routes, stops, stops);
    network_routes_plan(rig->routes, params, rig->harness->clock);
    rig->graph = router_rig_graph(rig);
    ck_assert_uint_eq(rig->graph->network[NETWORK_REQUEST].stops, stops);
    network_graph_write_ends(rig->graph, rig->routes);
    simulation_share(rig->harness->simulation, "networks", rig->routes);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->routers = g_ptr_array_new();
    for (uint32_t s = 0; s < stops; s++) {
        g_autofree char *path = g_strdup_printf("router[%u]", s);
        Unit *router = harness_add(rig->harness, &router_class, path, settings);
        router->number = s * NETWORKS + NETWORK_REQUEST;
        g_ptr_array_add(rig->routers, router);
    }
    network_graph_connect(rig->graph, NETWORK_REQUEST, rig->routers, (uint32_t)params->link_buffer);
    for (uint32_t s = 0; s < stops; s++) {
        g_autofree char *path = g_strdup_printf("source[%u]", s); /* seeds its random numbers */
        const Path end = {.input_index = rig->graph->end[NETWORK_REQUEST][1][s].port,
                          .capacity = (uint32_t)params->input_buffer};
        rig->source[s] = harness_source(rig->harness, path);
        rig->sink[s] = harness_sink(rig->harness, "sink");
        harness_connect(rig->harness, rig->source[s], "out", rig->routers->pdata[s], "inputs", end);
        harness_connect(
            rig->harness, rig->routers->pdata[s], "outputs", rig->sink[s], "in",
            (Path){.output_index = rig->graph->end[NETWORK_REQUEST][0][s].port, .capacity = 8});
    }
    return rig;
}

static inline void router_rig_free(RouterRig *rig)
{
    harness_free(rig->harness);
    network_graph_free(rig->graph);
    network_routes_finish(rig->routes);
    param_clear(network_group.params, &rig->params);
    g_ptr_array_unref(rig->routers);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RouterRig, router_rig_free)

static inline double rig_fraction(uint64_t random)
{
    return (double)(random >> 11) / 9007199254740992.0;
}

static inline Message *rig_make(Unit *source, uint64_t number, Time *at, void *user)
{
    RigSource *generator = user;
    const RouterRig *rig = generator->rig;
    const uint64_t now = source->inbox.now / source->clock->period;
    if (rig->packets && number >= rig->packets) return NULL;
    generator->cycle = rig->rate < 1 ? generator->cycle + 1 : now;
    while (rig->rate < 1 && rig_fraction(unit_random(source)) >= rig->rate) generator->cycle++;
    if (!rig->packets && generator->cycle >= rig->end) return NULL;
    const uint32_t to = rig->pattern(rig, generator->stop, unit_random(source));
    if (to == UINT32_MAX) return NULL;
    *at = clock_cycles(source->clock, generator->cycle);
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = TRANSACTION_READ;
    transaction->sectors = 1;
    transaction->source = (uint16_t)generator->stop;
    transaction->slice = (uint16_t)to;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

static inline bool rig_count(Unit *sink, Message *message, Time now, void *user)
{
    RouterRig *rig = user;
    const Transaction *packet = (const Transaction *)message;
    const uint64_t cycle = now / sink->clock->period;
    uint64_t *newest = &rig->newest[packet->source][packet->slice];
    if (message->id < *newest) rig->disorder = true;
    *newest = message->id;
    ck_assert_ptr_eq(sink, rig->sink[packet->slice]);
    if (rig->end && (cycle < rig->warm_up || cycle >= rig->end)) return false;
    rig->arrived++;
    rig->hops += packet->trip.hops;
    rig->from[packet->source]++;
    return false;
}

/* A statistic over all routers; times in cycles. */
static inline uint64_t rig_sum(const RouterRig *rig, const char *name, StatType type)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < rig->stops; s++)
        sum += *(const uint64_t *)unit_statistic(rig->routers->pdata[s], name, type);
    return type == STAT_TIME ? sum / rig->harness->clock->period : sum;
}

/* For how many cycles the links were busy that lead this way. */
static inline uint64_t rig_busy(const RouterRig *rig, const char *way)
{
    const RouterNetwork *network = &rig->graph->network[NETWORK_REQUEST];
    uint64_t sum = 0;
    for (uint32_t s = 0; s < rig->stops; s++)
        for (uint32_t k = 0; k < network->stop[s].outs; k++)
            if (g_str_has_suffix(network->link[network->stop[s].out[k]].name, way))
                sum += unit_booked_at(rig->routers->pdata[s], "links", k);
    return sum;
}

/* Runs until all is delivered, and holds that it is: none lost, none overtaken, what the routers
 * count is what came. */
static inline void rig_run(RouterRig *rig)
{
    uint64_t arrived = 0;
    for (uint32_t s = 0; s < rig->stops; s++) {
        rig->generator[s] = (RigSource){.rig = rig, .stop = s};
        if (rig->pattern) harness_generate(rig->source[s], rig_make, &rig->generator[s]);
        if (rig->pattern) harness_watch(rig->sink[s], rig_count, rig);
        if (rig->pattern) harness_forget(rig->sink[s]);
    }
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    for (uint32_t s = 0; s < rig->stops; s++) {
        const Level *queued = unit_level(rig->routers->pdata[s], "queued");
        ck_assert_uint_eq(queued->now, 0);
        ck_assert_uint_eq(queued->stay, queued->integral);
        arrived += harness_arrivals(rig->sink[s]);
    }
    ck_assert(!rig->disorder);
    ck_assert_uint_gt(arrived, 0);
    ck_assert_uint_eq(rig_sum(rig, "packets", STAT_COUNT), arrived);
    ck_assert_uint_eq(rig_sum(rig, "delivered", STAT_COUNT), arrived);
    ck_assert_uint_eq(rig_sum(rig, "hops", STAT_COUNT), rig_sum(rig, "link_packets", STAT_COUNT));
}

/* Packets a source and cycle. */
static inline double rig_accepted(const RouterRig *rig)
{
    return (double)rig->arrived / (double)(rig->end - rig->warm_up) / rig->stops;
}

static inline double rig_mean_hops(const RouterRig *rig)
{
    return (double)rig->hops / (double)rig->arrived;
}

/* --- patterns --- */

static inline uint32_t to_anybody(const RouterRig *rig, uint32_t from, uint64_t random)
{
    (void)from;
    return (uint32_t)((random >> 32) % rig->stops);
}
