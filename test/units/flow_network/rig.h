/* The rig: sources and sinks around a request network, which is a crossbar or SimGrid. Links carry
 * 40 B a cycle of 1 ns, so that a packet of a header, or of a header and one sector, takes a cycle
 * and one of four sectors four; each has a latency of one cycle:
 *     a short packet  1 up + 1 + 1 down  = 3 */
#pragma once

#include "rigs/toy_unit.h"
#include "rigs/unit_rig.h"

#include <sys/wait.h>
#include <unistd.h>

#include "kit/engine/simgrid/flow.h"
#include "parts/sm/coalescer.h"
#include "platform/network/flow/platform.h"

extern const UnitClass crossbar_class, flow_network_class;

enum { ENDS_MAX = 16, LINK_BYTES = 40 };

typedef struct {
    bool flow;
    uint32_t sources, sinks;
    uint32_t input_room, output_room; /* 0: unbounded */
    uint32_t concurrency;
    const char *settings; /* of the flow network */
    double bandwidth;     /* of sources' links; 0: LINK_BYTES */
    uint32_t flit_bytes;
    bool stuck; /* nobody ever takes what arrives */
} Shape;

typedef struct {
    Shape shape;
    Harness *harness;
    Unit *network, *source[ENDS_MAX], *sink[ENDS_MAX];
    NetworkRoutes routes[NETWORKS];
    FlowPlatform flow;
    LineShape line;
} Rig;

static inline void rig_make_routes(Rig *rig)
{
    network_routes_init(rig->routes, rig->shape.sources, rig->shape.sinks);
    const double up = rig->shape.bandwidth > 0 ? rig->shape.bandwidth : LINK_BYTES;
    for (uint32_t n = 0; n < NETWORKS; n++) {
        NetworkRoutes *routes = &rig->routes[n];
        routes->flit_bytes = rig->shape.flit_bytes;
        for (uint32_t i = 0; i < routes->sources; i++)
            routes->up[i] = (NetworkLink){.bandwidth = up, .latency = 1};
        for (uint32_t j = 0; j < routes->destinations; j++)
            routes->down[j] = (NetworkLink){.bandwidth = LINK_BYTES, .latency = 1};
    }
}

static inline void rig_add_network(Rig *rig)
{
    const Shape *shape = &rig->shape;
    simulation_share(rig->harness->simulation, "networks", rig->routes);
    simulation_share(rig->harness->simulation, "flows", rig->flow.routes);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->network = harness_add(rig->harness, shape->flow ? &flow_network_class : &crossbar_class,
                               "network", shape->flow ? shape->settings : NULL);
    unit_size_ports(rig->network, "inputs", shape->sources);
    unit_size_ports(rig->network, "outputs", shape->sinks);
    if (shape->flow) unit_size_ports(rig->network, "arrivals", shape->sources);
}

static inline void rig_add_sink(Rig *rig, uint32_t j)
{
    const Path path = {.capacity = rig->shape.output_room, .output_index = j};
    if (rig->shape.stuck) {
        Unit *toy = &toy_new(rig->harness, "stuck", 1, 0)->unit;
        harness_connect(rig->harness, rig->network, "outputs", toy, "in", path);
        return;
    }
    rig->sink[j] = harness_sink(rig->harness, "sink");
    harness_connect(rig->harness, rig->network, "outputs", rig->sink[j], "in", path);
}

static inline Rig *rig_new(Shape shape)
{
    Rig *rig = g_new0(Rig, 1);
    rig->shape = shape;
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig_make_routes(rig);
    if (shape.flow) {
        g_autoptr(Configuration) none = configuration_new();
        const NetworkParams params = {.concurrency = shape.concurrency, .platform = ""};
        const LinkChanges changes = {.count = 0};
        const NetworkSettings settings = {&params, none, &changes, rig->harness->clock};
        ck_assert(
            flow_platform_init(&rig->flow, rig->harness->simulation, &settings, rig->routes, NULL));
    }
    rig_add_network(rig);
    for (uint32_t i = 0; i < shape.sources; i++) {
        g_autofree char *path = g_strdup_printf("source[%u]", i); /* seeds its random numbers */
        rig->source[i] = harness_source(rig->harness, path);
        harness_connect(rig->harness, rig->source[i], "out", rig->network, "inputs",
                        (Path){.capacity = shape.input_room, .input_index = i});
    }
    for (uint32_t j = 0; j < shape.sinks; j++) rig_add_sink(rig, j);
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    flow_platform_finish(&rig->flow);
    network_routes_finish(rig->routes);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline bool rig_start_engine(Rig *rig, GError **error)
{
    if (!rig->shape.flow)
        return harness_start_engine(rig->harness->simulation, rig->routes, 1, error);
    if (!flow_platform_start(&rig->flow, rig->harness->simulation, error)) return false;
    flow_platform_take_latencies_out();
    return true;
}

static inline RunOutcome rig_run(Rig *rig)
{
    g_autoptr(GError) error = NULL;
    Simulation *simulation = rig->harness->simulation;
    g_autofree Seat *seat = g_new0(Seat, simulation_unit_count(simulation));
    const RunPlan plan = {.seat = seat, .tiles = 1};
    const bool good = rig_start_engine(rig, &error) && simulation_setup(simulation, &error)
                      && simulation_run(simulation, &plan, &rig->harness->report, &error);
    ck_assert_msg(good, "%s", error ? error->message : "");
    return rig->harness->report.outcome;
}

static inline uint32_t rig_number_of(const Rig *rig, const Unit *source)
{
    uint32_t i = 0;
    while (rig->source[i] != source) i++;
    return i;
}

/* Of the first `count` sectors; none: a header alone. */
static inline Message *rig_make_packet(const Rig *rig, Unit *source, uint32_t to, unsigned count,
                                       Time at)
{
    Transaction *packet = unit_new(source, MESSAGE_TRANSACTION);
    packet->type = count ? TRANSACTION_WRITE : TRANSACTION_READ;
    packet->sectors = (uint16_t)((1u << count) - 1);
    packet->source = (uint16_t)rig_number_of(rig, source);
    packet->slice = (uint16_t)to;
    transaction_enter(packet, STAGE_ISSUE, at);
    return &packet->message;
}

/* --- scripts: packets of one source --- */

typedef struct {
    uint64_t at;
    uint32_t to;
    unsigned sectors;
    uint64_t there; /* cycle at which the sink has it */
} Packet;

typedef struct {
    const Rig *rig;
    const Packet *packets; /* ends with one that is nowhere at 0 */
} Script;

static inline Message *rig_make_scripted(Unit *source, uint64_t number, Time *at, void *user)
{
    const Script *script = user;
    const Packet *packet = &script->packets[number];
    if (!packet->there) return NULL;
    *at = packet->at * source->clock->period;
    return rig_make_packet(script->rig, source, packet->to, packet->sectors, *at);
}

/* The number-th packet of a source, as its sink has it. */
static inline const Arrived *rig_arrival(const Rig *rig, uint32_t source, uint64_t number,
                                         uint32_t to)
{
    const uint64_t id = (uint64_t)unit_index(rig->source[source]) << 40 | number;
    for (uint64_t i = 0; i < harness_arrivals(rig->sink[to]); i++)
        if (harness_transaction(rig->sink[to], i)->message.id == id)
            return harness_arrival(rig->sink[to], i);
    ck_abort_msg("packet %" G_GUINT64_FORMAT " of source %u has not arrived", number, source);
}

/* --- traffic: sources that send whenever they can --- */

typedef struct {
    unsigned sectors;
    uint32_t hot;   /* this many packets for sink 0 against one for each other; 0: 1 */
    uint64_t until; /* cycle */
} Traffic;

typedef struct {
    const Rig *rig;
    const Traffic *traffic;
} Generator;

static inline Message *rig_make_random(Unit *source, uint64_t number, Time *at, void *user)
{
    const Generator *generator = user;
    const uint64_t sinks = generator->rig->shape.sinks, hot = MAX(generator->traffic->hot, 1);
    const uint64_t draw = unit_random(source) % (sinks - 1 + hot);
    (void)number;
    *at = source->inbox.now;
    if (*at >= generator->traffic->until * source->clock->period) return NULL;
    return rig_make_packet(generator->rig, source, draw < hot ? 0 : (uint32_t)(draw - hot + 1),
                           generator->traffic->sectors, *at);
}

/* What is carried, as a share of what the links into all sinks can; in a process of its own, for it
 * has an engine of its own. */
static inline double rig_measure(Shape shape, const Traffic *traffic)
{
    int ends[2], state;
    double share = 0;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        g_autoptr(Rig) rig = rig_new(shape);
        Generator generator = {rig, traffic};
        for (uint32_t i = 0; i < shape.sources; i++)
            harness_generate(rig->source[i], rig_make_random, &generator);
        for (uint32_t j = 0; j < shape.sinks; j++) harness_forget(rig->sink[j]);
        const bool finished = rig_run(rig) == RUN_FINISHED;
        share = time_to_cycles(rig->harness->clock,
                               *(const uint64_t *)unit_statistic(rig->network, "busy", STAT_TIME));
        share /= time_to_cycles(rig->harness->clock, rig->harness->report.end) * shape.sinks;
        if (write(ends[1], &share, sizeof share) != sizeof share) _exit(1);
        _exit(!finished);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &share, sizeof share), sizeof share);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(state, 0);
    return share;
}
