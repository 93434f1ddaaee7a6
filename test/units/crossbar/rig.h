/* Sources and sinks around a crossbar with links of 40 B a cycle, so that a packet of a header, or
 * of a header and one sector, takes a cycle and one of four sectors four. All links have a latency
 * of one cycle unless a test says otherwise:
 *     a short packet  1 up + 1 + 1 down  = 3 */
#pragma once

#include "rigs/unit_rig.h"

#include "kit/gpu/network.h"
#include "parts/sm/coalescer.h"

extern const UnitClass crossbar_class;

enum { ENDS_MAX = 64, SHORT = 3 };

typedef struct {
    Harness *harness;
    Unit *crossbar, *source[ENDS_MAX], *sink[ENDS_MAX];
    NetworkRoutes networks[NETWORKS];
    NetworkLink up[ENDS_MAX], down[ENDS_MAX];
    LineShape line;
    uint32_t sources, sinks;
} Rig;

typedef struct {
    NetworkRole role;
    uint32_t sources, sinks;
    uint32_t input_room, output_room; /* 0: unbounded */
    uint64_t up, down;                /* latencies, 0: one */
    double up_bandwidth, bandwidth;   /* of the links from sources, of all; 0: 40 */
    uint32_t flit_bytes;
    bool ideal;
    const NetworkWires *wires;
    const char *settings; /* of the crossbar, or NULL */
} Shape;

static inline void rig_describe_links(Rig *rig, const Shape *shape)
{
    const double bandwidth = shape->bandwidth > 0 ? shape->bandwidth : 40;
    for (int i = 0; i < ENDS_MAX; i++) {
        rig->up[i].bandwidth = shape->up_bandwidth > 0 ? shape->up_bandwidth : bandwidth;
        rig->down[i].bandwidth = bandwidth;
    }
    rig->networks[shape->role] = (NetworkRoutes){.up = rig->up,
                                                 .down = rig->down,
                                                 .sources = shape->sources,
                                                 .destinations = shape->sinks,
                                                 .flit_bytes = shape->flit_bytes,
                                                 .ideal = shape->ideal};
    if (shape->wires) rig->networks[shape->role].wires = *shape->wires;
}

static inline Rig *rig_new(Shape shape)
{
    Rig *rig = g_new0(Rig, 1);
    rig->harness = harness_new();
    rig->line = (LineShape){.line_bytes = 128, .sector_bytes = 32};
    rig->sources = shape.sources;
    rig->sinks = shape.sinks;
    rig_describe_links(rig, &shape);
    simulation_share(rig->harness->simulation, "networks", rig->networks);
    simulation_share(rig->harness->simulation, "line", &rig->line);
    rig->crossbar = harness_add(rig->harness, &crossbar_class, "crossbar", shape.settings);
    rig->crossbar->number = shape.role;
    unit_size_ports(rig->crossbar, "inputs", shape.sources);
    unit_size_ports(rig->crossbar, "outputs", shape.sinks);
    for (uint32_t i = 0; i < shape.sources; i++) {
        g_autofree char *path = g_strdup_printf("source[%u]", i); /* seeds its random numbers */
        rig->source[i] = harness_source(rig->harness, path);
        harness_connect(rig->harness, rig->source[i], "out", rig->crossbar, "inputs",
                        (Path){.capacity = shape.input_room,
                               .delay = shape.up,
                               .credit_delay = shape.up,
                               .input_index = i});
    }
    for (uint32_t j = 0; j < shape.sinks; j++) {
        rig->sink[j] = harness_sink(rig->harness, "sink");
        harness_connect(rig->harness, rig->crossbar, "outputs", rig->sink[j], "in",
                        (Path){.capacity = shape.output_room,
                               .delay = shape.down,
                               .credit_delay = shape.down,
                               .output_index = j});
    }
    return rig;
}

static inline void rig_free(Rig *rig)
{
    harness_free(rig->harness);
    g_free(rig);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Rig, rig_free)

static inline void rig_run(Rig *rig)
{
    ck_assert_int_eq(harness_run(rig->harness), RUN_FINISHED);
    assert_little(rig->crossbar, "queued");
    if (unit_level(rig->crossbar, "output_queued")->arrivals)
        assert_little(rig->crossbar, "output_queued");
}

/* Which of the rig's sources made it. */
static inline uint32_t rig_source_of(const Rig *rig, const Message *message)
{
    return (uint32_t)(message->id >> 40) - unit_index(rig->source[0]);
}
