/* Rings and meshes as the machine lays them out: where SMs and slices stand, and which way packets
 * go, as SimGrid answers of the platform that is written for them. */
#include "platform/network/topology.h"
#include "platform/network/graph.h"
#include "platform/network/shapes.h"
#include "rigs/harness.h"

static const Clock clock_1ghz = {"network", TIME_NS};

typedef struct {
    NetworkParams params;
    uint32_t count[NETWORKS]; /* SMs, slices */
    TopologyPlan stops;
    NetworkGraph *graph;
} Plan;

/* `settings` is "key = value; key = value" of `[network]`. */
static Plan *plan_new(uint32_t sms, uint32_t slices, const char *settings)
{
    Plan *plan = g_new0(Plan, 1);
    g_autoptr(GError) error = NULL;
    param_set_defaults(network_group.params, &plan->params);
    harness_set(network_group.params, settings, &plan->params);
    plan->count[0] = sms;
    plan->count[1] = slices;
    ck_assert(topology_plan_init(&plan->stops, &plan->params, sms, slices, NULL));
    g_autofree char *text = topology_describe(&plan->params, sms, slices, &clock_1ghz, &error);
    ck_assert_msg(text, "%s", error ? error->message : "");
    plan->graph =
        network_graph_new(&(GraphPlan){.question = {.text = text, .sms = sms, .slices = slices},
                                       .ring = plan->params.topology == TOPOLOGY_RING,
                                       .router_delay = plan->params.router_delay,
                                       .most_channels = 1,
                                       .clock = &clock_1ghz},
                          &error);
    ck_assert_msg(plan->graph, "%s", error ? error->message : "");
    return plan;
}

static void plan_free(Plan *plan)
{
    network_graph_free(plan->graph);
    topology_plan_finish(&plan->stops);
    param_clear(network_group.params, &plan->params);
    g_free(plan);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)

static const RouterLink *link_at(const RouterNetwork *network, uint32_t stop, uint32_t output)
{
    for (uint32_t k = 0; k < network->stop[stop].outs; k++)
        if (network->link[network->stop[stop].out[k]].output == output)
            return &network->link[network->stop[stop].out[k]];
    return NULL;
}

/* Links of a route, from router to router; the last one's output leads to the destination. */
static GPtrArray *follow(const Plan *plan, NetworkRole role, uint32_t from, uint32_t to)
{
    const RouterNetwork *network = &plan->graph->network[role];
    const RouterRoute *route = &network->route[role][from * plan->count[1 - role] + to];
    const uint16_t *output = &network->output[route->first];
    GPtrArray *links = g_ptr_array_new();
    uint32_t s = plan->graph->end[role][1][from].stop;
    for (const RouterLink *link; (link = link_at(network, s, *output)); output++) {
        g_ptr_array_add(links, (gpointer)(uintptr_t)link);
        ck_assert_uint_eq(link->from, s);
        s = link->to;
    }
    ck_assert_uint_eq(s, plan->graph->end[role][0][to].stop);
    ck_assert_uint_eq(*output, plan->graph->end[role][0][to].port);
    return links;
}

static uint32_t distance(const Plan *plan, uint32_t a, uint32_t b)
{
    const uint32_t stops = plan->stops.stops, columns = plan->stops.columns;
    const uint32_t east = (b + stops - a) % stops;
    if (plan->params.topology == TOPOLOGY_RING)
        return plan->stops.directions == 2 ? MIN(east, stops - east) : east;
    return (uint32_t)(abs((int)(a % columns) - (int)(b % columns))
                      + abs((int)(a / columns) - (int)(b / columns)));
}

static const struct {
    uint32_t sms, slices;
    const char *settings;
    uint32_t stops;
} shapes[] = {
    {80, 64, "topology = ring", 72},
    {80, 64, "topology = ring; ring_directions = 1", 72},
    {80, 64, "topology = ring; concentration = 5; slice_placement = edges", 29},
    {80, 64, "topology = mesh", 72},
    {80, 64, "topology = mesh; mesh_columns = 12; slice_placement = edges", 72},
    {3, 5, "topology = mesh", 4},
    {1, 2, "topology = ring", 2},
    {2, 3, "topology = ring; concentration = 1", 5},
    {1, 1, "topology = mesh; concentration = 1", 2},
    {67, 14, "topology = ring; concentration = 3", 27},
};

/* In as many links as the stops are apart. */
START_TEST(every_packet_reaches_its_destination_the_shortest_way)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].sms, shapes[_i].slices, shapes[_i].settings);
    ck_assert_uint_eq(plan->stops.stops, shapes[_i].stops);
    for (NetworkRole n = 0; n < NETWORKS; n++) {
        for (uint32_t i = 0; i < plan->count[n]; i++) {
            for (uint32_t j = 0; j < plan->count[1 - n]; j++) {
                g_autoptr(GPtrArray) links = follow(plan, n, i, j);
                const uint32_t a = plan->stops.stop_of[n][i], b = plan->stops.stop_of[1 - n][j];
                ck_assert_uint_eq(links->len, distance(plan, a, b));
            }
        }
    }
}
END_TEST

/* A router is a stop: SMs and slices have the same one where they stand at the same. */
START_TEST(routers_are_the_stops_in_their_order)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].sms, shapes[_i].slices, shapes[_i].settings);
    for (NetworkRole n = 0; n < NETWORKS; n++) {
        ck_assert_uint_eq(plan->graph->network[n].stops, plan->stops.stops);
        for (uint32_t i = 0; i < plan->count[n]; i++)
            ck_assert_uint_eq(plan->graph->end[n][1][i].stop, plan->stops.stop_of[n][i]);
        for (uint32_t j = 0; j < plan->count[1 - n]; j++)
            ck_assert_uint_eq(plan->graph->end[n][0][j].stop, plan->stops.stop_of[1 - n][j]);
    }
}
END_TEST

START_TEST(nobody_shares_a_stop_with_more_than_the_concentration_allows)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].sms, shapes[_i].slices, shapes[_i].settings);
    g_autofree uint32_t *ends = g_new0(uint32_t, plan->stops.stops);
    for (NetworkRole n = 0; n < NETWORKS; n++)
        for (uint32_t i = 0; i < plan->count[n]; i++)
            ck_assert_uint_le(++ends[plan->stops.stop_of[n][i]], plan->params.concentration);
}
END_TEST

/* The row before the column leaves no turn from a column into a row. */
START_TEST(no_way_across_a_mesh_turns_from_a_column_into_a_row)
{
    g_autoptr(Plan) plan = plan_new(80, 64, "topology = mesh");
    for (uint32_t i = 0; i < 80; i++) {
        for (uint32_t j = 0; j < 64; j++) {
            g_autoptr(GPtrArray) links = follow(plan, NETWORK_REQUEST, i, j);
            bool column = false;
            for (guint k = 0; k < links->len; k++) {
                const bool vertical = strstr(((const RouterLink *)links->pdata[k])->name, "-y");
                ck_assert(vertical || !column);
                column = vertical;
            }
        }
    }
}
END_TEST

/* Between any two of 16 stops: of the ways of 8 links half go round, half go back. */
START_TEST(both_directions_of_a_ring_carry_the_same)
{
    g_autoptr(Plan) plan = plan_new(16, 16, "topology = ring");
    uint32_t round = 0, back = 0;
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t j = 0; j < 16; j++) {
            g_autoptr(GPtrArray) links = follow(plan, NETWORK_REQUEST, i, j);
            for (guint k = 0; k < links->len; k++)
                if (g_str_has_suffix(((const RouterLink *)links->pdata[k])->name, "x+"))
                    round++;
                else
                    back++;
        }
    }
    ck_assert_uint_eq(round, back);
    ck_assert_uint_eq(round + back, 16 * 16 * 4);
}
END_TEST

/* 8 SMs and 4 slices in a row: S S m S S S m ... a slice in the middle of each three. */
START_TEST(slices_stand_among_the_sms_or_on_both_sides)
{
    static const uint32_t among[] = {1, 4, 7, 10}, outside[] = {0, 1, 10, 11};
    g_autoptr(Plan) spread = plan_new(8, 4, "topology = ring; concentration = 1");
    g_autoptr(Plan) edges = plan_new(8, 4,
                                     "topology = mesh; mesh_columns = 2; concentration = 1;"
                                     "slice_placement = edges");
    for (uint32_t j = 0; j < 4; j++) {
        ck_assert_uint_eq(spread->stops.stop_of[NETWORK_REPLY][j], among[j]);
        ck_assert_uint_eq(edges->stops.stop_of[NETWORK_REPLY][j], outside[j]);
    }
}
END_TEST

/* A link's latency has its router's pipeline in it; what is left is wire. */
START_TEST(links_are_as_the_parameters_say)
{
    g_autoptr(Plan) plan = plan_new(5, 4,
                                    "topology = ring; link_latency = 5 cycles;"
                                    "router_delay = 3 cycles; reply_link_bandwidth = 24 B/cycle;"
                                    "reply_source_latency = 9 cycles");
    const RouterNetwork *replies = &plan->graph->network[NETWORK_REPLY];
    ck_assert_uint_gt(replies->links, 0);
    for (uint32_t k = 0; k < replies->links; k++) {
        ck_assert_double_eq(replies->link[k].link.bandwidth, 24);
        ck_assert_double_eq(replies->link[k].link.latency, 8);
        ck_assert_uint_eq(network_wire_cycles(&replies->link[k], 3, &clock_1ghz), 5);
    }
    ck_assert_double_eq(plan->graph->link[NETWORK_REPLY][1][2].latency, 9);
}
END_TEST

#define ENDS "SMs and slices (machine.sms, machine.partitions, machine.slices_per_partition)"

static const struct {
    const char *settings, *error;
} refused[] = {
    {"topology = ring; link_buffer = 1",
     "network.link_buffer = 1: a ring needs 2 packets at least, of which one stays free"},
    {"topology = mesh; concentration = 1",
     "network.concentration = 1: 1400 " ENDS " need 1400 stops, at most 1024 are possible"},
    {"topology = mesh; concentration = 4; mesh_columns = 10",
     "network.topology: 1400 " ENDS " at 350 stops (concentration, dies) make 2100 nodes that "
     "SimGrid has to find all ways between, at most 2048 are possible"},
    {"topology = ring; concentration = 4; ring_directions = 2",
     "network.topology: 1400 " ENDS " at 350 stops (concentration, dies) make 2100 nodes that "
     "SimGrid has to find all ways between, at most 2048 are possible"},
    {"topology = ring; concentration = 4; ring_directions = 1",
     "network.concentration = 4: 1400 " ENDS " need 350 stops, at most 255 are possible in a "
     "ring one way round (ring_directions): a packet's way has 256 links at most"},
    {"topology = mesh; concentration = 5; mesh_columns = 300",
     "network.mesh_columns = 300: from corner to corner of 300 x 1 stops (concentration) a packet's "
     "way has 301 links, at most 256 are possible"},
};

START_TEST(what_cannot_be_laid_out_is_refused)
{
    NetworkParams params = {0};
    g_autoptr(GError) error = NULL;
    param_set_defaults(network_group.params, &params);
    harness_set(network_group.params, refused[_i].settings, &params);
    ck_assert_ptr_null(topology_describe(&params, 1000, 400, &clock_1ghz, &error));
    ck_assert_str_eq(error->message, refused[_i].error);
    param_clear(network_group.params, &params);
}
END_TEST

/* --- as flows --- */

static const char *const rings_and_meshes[] = {
    "topology = ring",
    "topology = ring; ring_directions = 1; link_latency = 3 cycles",
    "topology = ring; concentration = 5; slice_placement = edges",
    "topology = ring; concentration = 1",
    "topology = mesh",
    "topology = mesh; mesh_columns = 3; router_delay = 5 cycles",
    "topology = mesh; concentration = 1; slice_placement = edges",
};

/* Links between switches, and cycles. */
static void add_up(const PlatformRoutes *platform, NetworkRole role, uint32_t route,
                   uint32_t *links, double *cycles)
{
    *links = 0;
    *cycles = 0;
    for (uint32_t h = platform->first[role][route]; h < platform->first[role][route + 1]; h++) {
        const NetworkLink *link = &platform->link[platform->hop[role][h]].link;
        *links += !link->wide;
        *cycles += link->latency;
    }
}

/* Routers have joints that are no links (topology.h); SimGrid's solver would count them. */
START_TEST(what_is_timed_as_a_flow_goes_the_ways_of_the_routers)
{
    NetworkParams params = {0};
    NetworkRoutes routes[NETWORKS];
    param_set_defaults(network_group.params, &params);
    harness_set(network_group.params, rings_and_meshes[_i], &params);
    network_routes_init(routes, 13, 11);
    network_routes_plan(routes, &params, &clock_1ghz);
    g_autofree char *flows = shapes_describe(&params, routes, &clock_1ghz, NULL),
                    *routers = topology_describe(&params, 13, 11, &clock_1ghz, NULL);
    const PlatformRoutes *flow =
        platform_routes_ask(&(PlatformQuestion){.text = flows, .sms = 13, .slices = 11}, NULL);
    const PlatformRoutes *router =
        platform_routes_ask(&(PlatformQuestion){.text = routers, .sms = 13, .slices = 11}, NULL);
    ck_assert(flow && router);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        for (uint32_t k = 0; k < 13 * 11; k++) {
            uint32_t links[2];
            double cycles[2];
            add_up(flow, n, k, &links[0], &cycles[0]);
            add_up(router, n, k, &links[1], &cycles[1]);
            ck_assert_uint_eq(links[0], links[1]);
            ck_assert_double_eq_tol(cycles[0], cycles[1], 1e-9);
        }
    }
    network_routes_finish(routes);
    param_clear(network_group.params, &params);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("topology"), *repeating = tcase_create("the same shapes");
    const int count = G_N_ELEMENTS(shapes);
    tcase_add_loop_test(cases, every_packet_reaches_its_destination_the_shortest_way, 0, count);
    tcase_add_loop_test(repeating, routers_are_the_stops_in_their_order, 0, count);
    tcase_add_loop_test(repeating, nobody_shares_a_stop_with_more_than_the_concentration_allows, 0,
                        count);
    tcase_add_test(cases, no_way_across_a_mesh_turns_from_a_column_into_a_row);
    tcase_add_test(cases, both_directions_of_a_ring_carry_the_same);
    tcase_add_test(cases, slices_stand_among_the_sms_or_on_both_sides);
    tcase_add_test(cases, links_are_as_the_parameters_say);
    tcase_add_loop_test(cases, what_cannot_be_laid_out_is_refused, 0, G_N_ELEMENTS(refused));
    tcase_add_loop_test(cases, what_is_timed_as_a_flow_goes_the_ways_of_the_routers, 0,
                        G_N_ELEMENTS(rings_and_meshes));
    return harness_run_repeating("topology", cases, repeating);
}
