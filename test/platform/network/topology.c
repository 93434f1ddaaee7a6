/* Rings and meshes as the machine lays them out: where SMs and slices stand, which way packets go,
 * and that the links are SimGrid's. */
#include "platform/network/topology.h"
#include "rigs/harness.h"

static const Clock clock_1ghz = {"network", TIME_NS};

typedef struct {
    NetworkParams params;
    NetworkRoutes routes[NETWORKS];
    Topology topology;
} Plan;

/* `settings` is "key = value; key = value" of `[network]`. */
static bool lay_out(Plan *plan, uint32_t sms, uint32_t slices, const char *settings, GError **error)
{
    g_auto(GStrv) list = g_strsplit(settings, ";", -1);
    *plan = (Plan){0};
    param_set_defaults(network_group.params, &plan->params);
    for (char **setting = list; *setting; setting++) {
        g_auto(GStrv) pair = g_strsplit(*setting, "=", 2);
        const Param *row = network_group.params;
        while (row->name && !g_str_equal(row->name, g_strstrip(pair[0]))) row++;
        ck_assert_msg(row->name && pair[1], "%s", *setting);
        ck_assert(param_parse(row, g_strstrip(pair[1]), &plan->params, NULL));
    }
    network_routes_init(plan->routes, sms, slices);
    network_routes_predict(plan->routes, &plan->params, &clock_1ghz);
    return topology_init(&plan->topology, &plan->params, plan->routes, &clock_1ghz, error);
}

static Plan *plan_new(uint32_t sms, uint32_t slices, const char *settings)
{
    Plan *plan = g_new(Plan, 1);
    g_autoptr(GError) error = NULL;
    ck_assert_msg(lay_out(plan, sms, slices, settings, &error), "%s", error ? error->message : "");
    return plan;
}

static void plan_free(Plan *plan)
{
    topology_finish(&plan->topology);
    network_routes_finish(plan->routes);
    param_clear(network_group.params, &plan->params);
    g_free(plan);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)

/* Follows the tables of the stops; the links taken. */
static uint32_t follow(const Plan *plan, NetworkRole role, uint32_t from, uint32_t to)
{
    const RouterNetwork *network = &plan->topology.network[role];
    uint32_t hops = 0, s = topology_stop_of(&plan->topology, role, true, from);
    while (network->stop[s].output[to] < ROUTER_LINKS) {
        s = network->stop[s].neighbour[network->stop[s].output[to]];
        ck_assert_uint_lt(s, network->stops);
        ck_assert_uint_le(++hops, network->stops);
    }
    const uint32_t exit = network->stop[s].output[to] - ROUTER_LINKS;
    ck_assert_uint_eq(network->stop[s].destination[exit], to);
    return hops;
}

static uint32_t distance(const Topology *topology, uint32_t a, uint32_t b)
{
    const uint32_t stops = topology->stops, columns = topology->columns;
    const uint32_t east = (b + stops - a) % stops;
    if (topology->kind == TOPOLOGY_RING)
        return topology->directions == 2 ? MIN(east, stops - east) : east;
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
    {80, 64, "topology = mesh; mesh_columns = 7; concentration = 1", 147},
    {3, 5, "topology = mesh", 4},
    {1, 1, "topology = ring", 1},
    {1, 2, "topology = ring", 2},
    {2, 3, "topology = ring; concentration = 1", 5},
    {1, 1, "topology = mesh; concentration = 1", 2},
    {67, 14, "topology = ring; concentration = 3", 27},
};

/* In as many links as the stops are apart. */
START_TEST(every_packet_reaches_its_destination_the_shortest_way)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].sms, shapes[_i].slices, shapes[_i].settings);
    ck_assert_uint_eq(plan->topology.stops, shapes[_i].stops);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        const uint32_t sources = plan->routes[n].sources,
                       destinations = plan->routes[n].destinations;
        for (uint32_t i = 0; i < sources; i++) {
            for (uint32_t j = 0; j < destinations; j++) {
                const uint32_t a = topology_stop_of(&plan->topology, n, true, i),
                               b = topology_stop_of(&plan->topology, n, false, j);
                ck_assert_uint_eq(follow(plan, n, i, j), distance(&plan->topology, a, b));
            }
        }
    }
}
END_TEST

START_TEST(nobody_shares_a_stop_with_more_than_the_concentration_allows)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].sms, shapes[_i].slices, shapes[_i].settings);
    const RouterNetwork *requests = &plan->topology.network[NETWORK_REQUEST],
                        *replies = &plan->topology.network[NETWORK_REPLY];
    uint32_t sms = 0, slices = 0;
    for (uint32_t s = 0; s < plan->topology.stops; s++) {
        const RouterStop *stop = &requests->stop[s];
        ck_assert_uint_le(stop->sources + stop->destinations, plan->params.concentration);
        ck_assert_uint_eq(stop->sources, replies->stop[s].destinations);
        ck_assert_uint_eq(stop->destinations, replies->stop[s].sources);
        sms += stop->sources;
        slices += stop->destinations;
    }
    ck_assert_uint_eq(sms, shapes[_i].sms);
    ck_assert_uint_eq(slices, shapes[_i].slices);
}
END_TEST

/* The row before the column leaves no turn from a column into a row. */
START_TEST(no_way_across_a_mesh_turns_from_a_column_into_a_row)
{
    g_autoptr(Plan) plan = plan_new(80, 64, "topology = mesh");
    const RouterNetwork *network = &plan->topology.network[NETWORK_REQUEST];
    for (uint32_t s = 0; s < network->stops; s++) {
        for (uint32_t j = 0; j < 64; j++) {
            const uint8_t out = network->stop[s].output[j];
            if (out != LINK_NORTH && out != LINK_SOUTH) continue;
            const uint8_t next = network->stop[network->stop[s].neighbour[out]].output[j];
            ck_assert(next == out || next >= ROUTER_LINKS);
        }
    }
}
END_TEST

/* Between any two of 16 stops: of the ways of 8 links half go round, half go back. */
START_TEST(both_directions_of_a_ring_carry_the_same)
{
    g_autoptr(Plan) plan = plan_new(16, 16, "topology = ring");
    uint32_t links[2] = {0};
    const RouterNetwork *network = &plan->topology.network[NETWORK_REQUEST];
    for (uint32_t i = 0; i < 16; i++) {
        for (uint32_t j = 0; j < 16; j++) {
            const uint8_t out = network->stop[i].output[j];
            if (out < ROUTER_LINKS) links[out] += follow(plan, NETWORK_REQUEST, i, j);
        }
    }
    ck_assert_uint_eq(links[LINK_EAST], links[LINK_WEST]);
    ck_assert_uint_eq(links[LINK_EAST] + links[LINK_WEST], 16 * 16 * 4);
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
        ck_assert_uint_eq(topology_stop_of(&spread->topology, NETWORK_REPLY, true, j), among[j]);
        ck_assert_uint_eq(topology_stop_of(&edges->topology, NETWORK_REQUEST, false, j),
                          outside[j]);
    }
}
END_TEST

static const struct {
    const char *settings, *error;
} refused[] = {
    {"topology = ring; link_buffer = 1",
     "network.link_buffer = 1: a ring needs 2 packets at least, of which one stays free"},
    {"topology = mesh; concentration = 1",
     "network.concentration = 1: 1400 SMs and slices need 1400 stops, at most 1024 are possible"},
};

START_TEST(what_cannot_be_laid_out_is_refused)
{
    Plan plan;
    g_autoptr(GError) error = NULL;
    ck_assert(!lay_out(&plan, 1000, 400, refused[_i].settings, &error));
    ck_assert_str_eq(error->message, refused[_i].error);
    topology_finish(&plan.topology);
    network_routes_finish(plan.routes);
    param_clear(network_group.params, &plan.params);
}
END_TEST

/* --- SimGrid --- */

static double mark(uint32_t s, uint32_t d)
{
    return 10 + s + d / 8.0;
}

/* Every link is written with figures of its own; what counts is what SimGrid says of it. */
START_TEST(links_come_from_the_platform_and_not_from_the_prediction)
{
    static const char *const kinds[] = {"topology = ring", "topology = mesh",
                                        "topology = ring; ring_directions = 1"};
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    g_autoptr(Plan) plan = plan_new(5, 4, kinds[_i]);
    RouterNetwork *network = &plan->topology.network[NETWORK_REPLY];
    for (uint32_t s = 0; s < network->stops; s++)
        for (uint32_t d = 0; d < ROUTER_LINKS; d++)
            network->stop[s].link[d] = (NetworkLink){mark(s, d), 2 * mark(s, d)};
    plan->routes[NETWORK_REPLY].up[3] = (NetworkLink){7.5, 8.5};
    plan->routes[NETWORK_REQUEST].down[2] = (NetworkLink){9.5, 10.5};
    ck_assert(network_start_engine(simulation, plan->routes, 1, &error));
    g_autoptr(Plan) read = plan_new(5, 4, kinds[_i]);
    ck_assert(network_routes_read_back(read->routes, &error));
    for (uint32_t s = 0; s < network->stops; s++) {
        for (uint32_t d = 0; d < ROUTER_LINKS; d++) {
            if (network->stop[s].neighbour[d] == UINT32_MAX) continue;
            const NetworkLink *link = &read->topology.network[NETWORK_REPLY].stop[s].link[d];
            ck_assert_double_eq(link->bandwidth, mark(s, d));
            ck_assert_double_eq(link->latency, 2 * mark(s, d));
        }
    }
    ck_assert_double_eq(read->routes[NETWORK_REPLY].up[3].bandwidth, 7.5);
    ck_assert_double_eq(read->routes[NETWORK_REQUEST].down[2].latency, 10.5);
    ck_assert_double_eq(read->routes[NETWORK_REQUEST].down[1].latency, 24);
}
END_TEST

/* What stands in the platform is a ring; the machine wants a mesh. */
START_TEST(a_platform_of_another_shape_is_refused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    g_autoptr(Plan) ring = plan_new(6, 6, "topology = ring");
    g_autoptr(Plan) mesh = plan_new(8, 8, "topology = mesh");
    ck_assert(network_start_engine(simulation, ring->routes, 1, &error));
    ck_assert(!network_routes_read_back(mesh->routes, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "request-stop-"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("topology");
    tcase_add_loop_test(cases, every_packet_reaches_its_destination_the_shortest_way, 0,
                        G_N_ELEMENTS(shapes));
    tcase_add_loop_test(cases, nobody_shares_a_stop_with_more_than_the_concentration_allows, 0,
                        G_N_ELEMENTS(shapes));
    tcase_add_test(cases, no_way_across_a_mesh_turns_from_a_column_into_a_row);
    tcase_add_test(cases, both_directions_of_a_ring_carry_the_same);
    tcase_add_test(cases, slices_stand_among_the_sms_or_on_both_sides);
    tcase_add_loop_test(cases, what_cannot_be_laid_out_is_refused, 0, G_N_ELEMENTS(refused));
    tcase_add_loop_test(cases, links_come_from_the_platform_and_not_from_the_prediction, 0, 3);
    tcase_add_test(cases, a_platform_of_another_shape_is_refused);
    return harness_run_cases("topology", cases);
}
