/* Routers alone on a SimGrid platform that the test writes: a source and a sink for each SM and
 * each slice in both networks, at 1 GHz, so that a cycle is SimGrid's second. */
#pragma once

#include "rigs/temporary.h"
#include "rigs/unit_rig.h"

#include "parts/sm/coalescer.h"
#include "platform/network/graph.h"
#include "platform/network/platform.h"

extern const UnitClass router_class;

enum { ENDS_MAX = 16, HEADER = 8, SECTOR = 32 };

typedef struct PlatformRig PlatformRig;

typedef struct {
    PlatformRig *rig;
    NetworkRole role;
    uint32_t number;
    uint64_t cycle; /* of the last packet */
} RigEnd;

struct PlatformRig {
    Harness *harness;
    char *folder, *file;
    GraphPlan plan;
    NetworkGraph *graph;
    NetworkRoutes routes[NETWORKS];
    LineShape line;
    GPtrArray *routers;
    Unit *source[NETWORKS][ENDS_MAX], *sink[NETWORKS][ENDS_MAX];
    RigEnd from[NETWORKS][ENDS_MAX], to[NETWORKS][ENDS_MAX];
    uint64_t apart; /* cycles from a packet of a source to its next; 0: as fast as they are taken */
    uint64_t packets; /* of each source to each destination */
    uint64_t arrived[NETWORKS], hash, checked;
    bool exact; /* each packet arrives when its route without load says */
};

static inline char *rig_write(const char *folder, const char *xml)
{
    char *file = g_build_filename(folder, "platform.xml", NULL);
    g_autofree char *text =
        g_strdup_printf("<?xml version='1.0'?>\n"
                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                        "<platform version=\"4.1\">\n%s\n</platform>\n",
                        xml);
    ck_assert(g_file_set_contents(file, text, -1, NULL));
    return file;
}

static inline void rig_add_ends(PlatformRig *rig, NetworkRole role, uint64_t destination_room)
{
    const PlatformQuestion *question = &rig->plan.question;
    const uint32_t network = rig->graph->shared ? 0 : role;
    for (uint32_t source = 0; source < 2; source++) {
        const uint32_t count =
            source ? platform_sources(question, role) : platform_destinations(question, role);
        for (uint32_t i = 0; i < count; i++) {
            const NetworkEnd end = rig->graph->end[role][source][i];
            const uint64_t delay = network_latency_cycles(rig->graph->link[role][source][i].latency,
                                                          rig->harness->clock);
            Unit *router = network_graph_router(rig->routers, end.stop * NETWORKS + network);
            g_autofree char *name = platform_host(question, role, source, i);
            if (source) {
                rig->source[role][i] = harness_source(rig->harness, name);
                harness_connect(rig->harness, rig->source[role][i], "out", router, "inputs",
                                (Path){.input_index = end.port, .capacity = 8, .delay = delay});
            } else {
                rig->sink[role][i] = harness_sink(rig->harness, name);
                harness_connect(rig->harness, router, "outputs", rig->sink[role][i], "in",
                                (Path){.output_index = end.port,
                                       .capacity = (uint32_t)destination_room,
                                       .delay = delay});
            }
        }
    }
}

/* NULL with an error: the platform is refused. */
static inline PlatformRig *platform_rig_try(const char *xml, uint32_t sms, uint32_t slices,
                                            uint64_t channels, uint32_t buffer, GError **error)
{
    PlatformRig *rig = g_new0(PlatformRig, 1);
    rig->harness = harness_new();
    rig->folder = temporary_folder();
    rig->file = rig_write(rig->folder, xml);
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = SECTOR};
    rig->plan = (GraphPlan){.question = {.file = rig->file, .sms = sms, .slices = slices},
                            .most_channels = channels,
                            .clock = rig->harness->clock};
    rig->routers = g_ptr_array_new();
    rig->graph = network_graph_new(&rig->plan, error);
    if (!rig->graph) return rig;
    network_routes_init(rig->routes, sms, slices);
    rig->graph->star = false;
    network_graph_write_ends(rig->graph, rig->routes);
    simulation_share(rig->harness->simulation, "networks", rig->routes);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    for (uint32_t k = 0; k < network_graph_numbers(rig->graph); k++) {
        if (!network_graph_has_stop(rig->graph, k)) continue;
        g_autofree char *path = g_strdup_printf("router[%u]", k);
        Unit *router = harness_add(rig->harness, &router_class, path, NULL);
        router->number = k;
        g_ptr_array_add(rig->routers, router);
    }
    for (uint32_t n = 0; n < network_graph_networks(rig->graph); n++)
        network_graph_connect(rig->graph, n, rig->routers, buffer);
    for (NetworkRole n = 0; n < NETWORKS; n++) rig_add_ends(rig, n, 4);
    return rig;
}

/* Of four SMs and four slices. */
static inline PlatformRig *platform_rig_new(const char *xml, uint64_t channels, uint32_t buffer)
{
    g_autoptr(GError) error = NULL;
    PlatformRig *rig = platform_rig_try(xml, 4, 4, channels, buffer, &error);
    ck_assert_msg(rig->graph, "%s", error ? error->message : "");
    return rig;
}

static inline void platform_rig_free(PlatformRig *rig)
{
    harness_free(rig->harness);
    network_graph_free(rig->graph);
    network_routes_finish(rig->routes);
    g_ptr_array_unref(rig->routers);
    temporary_remove(rig->folder);
    g_free(rig->file);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlatformRig, platform_rig_free)

/* --- packets --- */

static inline uint32_t rig_destinations(const PlatformRig *rig, NetworkRole role)
{
    return platform_destinations(&rig->plan.question, role);
}

/* A read: 8 B there, 40 B back. To all destinations in turn, each source from another one on. */
static inline Message *rig_make(Unit *source, uint64_t number, Time *at, void *user)
{
    RigEnd *end = user;
    const PlatformRig *rig = end->rig;
    const uint32_t destinations = rig_destinations(rig, end->role);
    if (number >= rig->packets * destinations) return NULL;
    const uint32_t to = (uint32_t)((number + end->number) % destinations);
    const bool request = end->role == NETWORK_REQUEST;
    if (rig->apart)
        *at = (1 + number * ENDS_MAX * NETWORKS + end->number * NETWORKS + end->role) * rig->apart
              * source->clock->period;
    else
        *at = source->inbox.now;
    Transaction *transaction = unit_new(source, MESSAGE_TRANSACTION);
    transaction->type = TRANSACTION_READ;
    transaction->sectors = 1;
    transaction->source = (uint16_t)(request ? end->number : to);
    transaction->slice = (uint16_t)(request ? to : end->number);
    transaction->left = *at;
    transaction_enter(transaction, STAGE_ISSUE, *at);
    return &transaction->message;
}

/* What SimGrid says of the links of a route: the sum of their latencies, and what the packet takes
 * on the slowest. */
static inline Time rig_unloaded(const PlatformRig *rig, NetworkRole role, uint32_t route)
{
    const PlatformRoutes *routes = platform_routes_ask(&rig->plan.question, NULL);
    const uint32_t bytes = role == NETWORK_REQUEST ? HEADER : HEADER + SECTOR;
    uint64_t latency = 0, slowest = 0;
    for (uint32_t k = routes->first[role][route]; k < routes->first[role][route + 1]; k++) {
        const NetworkLink *link = &routes->link[routes->hop[role][k]].link;
        const uint64_t cycles = network_link_cycles(bytes, link->bandwidth);
        latency += (uint64_t)(link->latency + 0.5);
        if (link->bandwidth < 1e11) slowest = MAX(slowest, cycles);
    }
    return (latency + slowest) * rig->harness->clock->period;
}

static inline bool rig_note(Unit *sink, Message *message, Time now, void *user)
{
    const RigEnd *end = user;
    PlatformRig *rig = end->rig;
    const Transaction *packet = (const Transaction *)message;
    const bool request = end->role == NETWORK_REQUEST;
    const uint32_t from = request ? packet->source : packet->slice,
                   to = request ? packet->slice : packet->source;
    ck_assert_ptr_eq(sink, rig->sink[end->role][to]);
    rig->arrived[end->role]++;
    rig->hash = (rig->hash ^ now ^ message->id) * UINT64_C(1099511628211);
    if (!rig->exact) return false;
    const Time wanted = rig_unloaded(rig, end->role, from * rig_destinations(rig, end->role) + to);
    ck_assert_msg(now - packet->left == wanted,
                  "%s %u to %u: %" G_GUINT64_FORMAT " fs, not %" G_GUINT64_FORMAT,
                  request ? "request" : "reply", from, to, now - packet->left, wanted);
    rig->checked++;
    return false;
}

/* Runs until all is delivered. */
static inline void platform_rig_run(PlatformRig *rig)
{
    for (NetworkRole n = 0; n < NETWORKS; n++) {
        for (uint32_t i = 0; i < rig->routes[n].sources; i++) {
            rig->from[n][i] = (RigEnd){rig, n, i, 0};
            harness_generate(rig->source[n][i], rig_make, &rig->from[n][i]);
        }
        for (uint32_t j = 0; j < rig->routes[n].destinations; j++) {
            rig->to[n][j] = (RigEnd){rig, n, j, 0};
            harness_watch(rig->sink[n][j], rig_note, &rig->to[n][j]);
            harness_forget(rig->sink[n][j]);
        }
    }
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    for (NetworkRole n = 0; n < NETWORKS; n++)
        ck_assert_uint_eq(rig->arrived[n],
                          rig->packets * rig->routes[n].sources * rig->routes[n].destinations);
}
