/* Named topologies, seen from SimGrid's side: what stands on the way from each source to each
 * destination. Where SMs and slices are equally many and two to a stop, SM i and slice i are the
 * two of stop i. */
#include "platform/network/shapes.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xbt/dynar.h>

#include "kit/engine/simgrid/start.h"
#include "rigs/harness.h"

enum { ENDS_MAX = 64, WAY_MAX = 64 };

static const Clock clock_2ghz = {"network", TIME_NS / 2};

/* What SimGrid says; cycles are half a nanosecond. */
typedef struct {
    const char *name[WAY_MAX];
    double bandwidth[WAY_MAX];
    uint32_t links, cycles;
} Way;

typedef struct {
    NetworkParams params;
    NetworkRoutes routes[NETWORKS];
    Way way[NETWORKS][ENDS_MAX][ENDS_MAX]; /* source, destination */
} Plan;

static void read_way(Way *way, const char *network, uint32_t i, uint32_t j)
{
    g_autofree char *from = g_strdup_printf("%s-source-%u", network, i),
                    *to = g_strdup_printf("%s-destination-%u", network, j);
    sg_host_t source = sg_host_by_name(from), destination = sg_host_by_name(to);
    ck_assert_msg(source && destination, "%s or %s", from, to);
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(source, destination, links);
    ck_assert_uint_le(xbt_dynar_length(links), WAY_MAX);
    double ns = 0;
    for (; way->links < xbt_dynar_length(links); way->links++) {
        sg_link_t link = xbt_dynar_get_as(links, way->links, sg_link_t);
        way->name[way->links] = sg_link_get_name(link);
        way->bandwidth[way->links] = sg_link_get_bandwidth(link);
        ns += sg_link_get_latency(link);
    }
    xbt_dynar_free(&links);
    way->cycles = (uint32_t)(ns * 2 + 0.5);
    ck_assert_double_eq_tol(ns * 2, way->cycles, 1e-9);
}

static const char *const names[NETWORKS] = {"request", "reply"};

static void read_ways(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Plan *plan = sg_actor_get_data(sg_actor_self());
    for (uint32_t n = 0; n < NETWORKS; n++)
        for (uint32_t i = 0; i < plan->routes[n].sources; i++)
            for (uint32_t j = 0; j < plan->routes[n].destinations; j++)
                read_way(&plan->way[n][i][j], names[n], i, j);
}

static void load(const char *text)
{
    const int file = memfd_create("platform.xml", MFD_CLOEXEC);
    ck_assert(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    ck_assert(engine_start(path, -1, NULL));
    close(file);
}

static Plan *plan_new(uint32_t sms, uint32_t slices, const char *settings)
{
    Plan *plan = g_new0(Plan, 1);
    g_autoptr(GError) error = NULL;
    ck_assert(sms <= ENDS_MAX && slices <= ENDS_MAX);
    param_set_defaults(network_group.params, &plan->params);
    harness_set(network_group.params, settings, &plan->params);
    network_routes_init(plan->routes, sms, slices);
    network_routes_plan(plan->routes, &plan->params, &clock_2ghz);
    g_autofree char *text = shapes_describe(&plan->params, plan->routes, &clock_2ghz, &error);
    ck_assert_msg(text != NULL, "%s", error ? error->message : "");
    load(text);
    sg_actor_t actor = sg_actor_init("read", sg_host_by_name("request-source-0"));
    sg_actor_set_data(actor, plan);
    sg_actor_start_(actor, read_ways, 0, NULL);
    simgrid_run();
    return plan;
}

static void plan_free(Plan *plan)
{
    network_routes_finish(plan->routes);
    param_clear(network_group.params, &plan->params);
    g_free(plan);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Plan, plan_free)

/* --- how far ---------------------------------------------------------------------------------- */

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a < b ? b - a : a - b;
}

static uint32_t round_a_ring(uint32_t a, uint32_t b, uint32_t size)
{
    return MIN(apart(a, b), size - apart(a, b));
}

static uint32_t on_ring_16(uint32_t a, uint32_t b)
{
    return round_a_ring(a, b, 16);
}

static uint32_t one_way_16(uint32_t a, uint32_t b)
{
    return (b + 16 - a) % 16;
}

static uint32_t on_mesh_4(uint32_t a, uint32_t b)
{
    return apart(a % 4, b % 4) + apart(a / 4, b / 4);
}

static uint32_t on_mesh_2(uint32_t a, uint32_t b)
{
    return apart(a % 2, b % 2) + apart(a / 2, b / 2);
}

static uint32_t in_a_row(uint32_t a, uint32_t b)
{
    return apart(a, b);
}

static uint32_t on_torus_4(uint32_t a, uint32_t b)
{
    return round_a_ring(a % 4, b % 4, 4) + round_a_ring(a / 4, b / 4, 4);
}

static uint32_t on_torus_3(uint32_t a, uint32_t b)
{
    return round_a_ring(a % 3, b % 3, 3) + round_a_ring(a / 3 % 3, b / 3 % 3, 3)
           + round_a_ring(a / 9, b / 9, 3);
}

static uint32_t on_torus_2(uint32_t a, uint32_t b)
{
    return round_a_ring(a % 5, b % 5, 5) + round_a_ring(a / 5, b / 5, 2);
}

/* Up to the first switch that both are under, and down again. */
static uint32_t under_tree(uint32_t a, uint32_t b, uint32_t children)
{
    uint32_t links = 0;
    for (; a != b; a /= children, b /= children) links += 2;
    return links;
}

static uint32_t under_tree_4(uint32_t a, uint32_t b)
{
    return under_tree(a, b, 4);
}

static uint32_t under_tree_2(uint32_t a, uint32_t b)
{
    return under_tree(a, b, 2);
}

static uint32_t under_one_switch(uint32_t a, uint32_t b)
{
    return under_tree(a, b, 64);
}

/* Of five groups of three routers: the first of a group leads to the next two ... */
static uint32_t router_towards(uint32_t group, uint32_t other)
{
    return group * 3 + (other + 5 - group - 1) % 5 % 3;
}

static uint32_t in_dragonfly(uint32_t a, uint32_t b)
{
    const uint32_t from = a / 3, to = b / 3;
    if (from == to) return a != b;
    return (a != router_towards(from, to)) + 1 + (router_towards(to, from) != b);
}

static uint32_t always_one(uint32_t a, uint32_t b)
{
    (void)a, (void)b;
    return 1;
}

static uint32_t of_three_dies(uint32_t a, uint32_t b)
{
    return a * 3 / 12 != b * 3 / 12;
}

static uint32_t never(uint32_t a, uint32_t b)
{
    (void)a, (void)b;
    return 0;
}

static const struct {
    uint32_t ends; /* SMs, and slices */
    const char *settings;
    uint32_t (*distance)(uint32_t from, uint32_t to);
} shapes[] = {
    {16, "topology = ring", on_ring_16},
    {16, "topology = ring; ring_directions = 1", one_way_16},
    {16, "topology = mesh", on_mesh_4},
    {6, "topology = mesh; mesh_columns = 2", on_mesh_2},
    {5, "topology = mesh; mesh_columns = 1", in_a_row},
    {16, "topology = torus", on_torus_4},
    {10, "topology = torus; mesh_columns = 5", on_torus_2},
    {27, "topology = torus; torus_layers = 3", on_torus_3},
    {16, "topology = fat_tree; tree_children = 4", under_tree_4},
    {14, "topology = fat_tree; tree_children = 4; tree_parents = 2", under_tree_4},
    {7, "topology = fat_tree; tree_children = 2; tree_parents = 1", under_tree_2},
    {9, "topology = fat_tree; tree_children = 16", under_one_switch},
    {15, "topology = dragonfly; group_routers = 3", in_dragonfly},
    {14, "topology = hierarchical; concentration = 4", always_one},
    {12, "topology = dies; dies = 3", of_three_dies},
    {6, "topology = dies; dies = 1", never},
    {1, "topology = torus", never},
    {1, "topology = fat_tree", never},
};

static bool is_of(const char *name, const char *network, const char *role, uint32_t number)
{
    g_autofree char *own = g_strdup_printf("%s-%s-%u-link", network, role, number);
    return g_str_equal(name, own);
}

/* An end's own link, as many links between as the two are apart, the other end's own. */
START_TEST(SimGrid_goes_as_many_links_as_stops_are_apart)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].ends, shapes[_i].ends, shapes[_i].settings);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        for (uint32_t i = 0; i < shapes[_i].ends; i++) {
            for (uint32_t j = 0; j < shapes[_i].ends; j++) {
                const Way *way = &plan->way[n][i][j];
                ck_assert_msg(way->links == shapes[_i].distance(i, j) + 2,
                              "%s: %u links from %u to %u", shapes[_i].settings, way->links, i, j);
                ck_assert(is_of(way->name[0], names[n], "source", i));
                ck_assert(is_of(way->name[way->links - 1], names[n], "destination", j));
            }
        }
    }
}
END_TEST

static uint32_t count_global(const Way *way)
{
    uint32_t links = 0;
    for (uint32_t k = 0; k < way->links; k++) links += strstr(way->name[k], "-to-group-") != NULL;
    return links;
}

#define RATES                                                                                      \
    "; request_source_bandwidth = 11 B/cycle; request_destination_bandwidth = 12 B/cycle;"         \
    "request_link_bandwidth = 13 B/cycle; reply_source_bandwidth = 21 B/cycle;"                    \
    "reply_destination_bandwidth = 22 B/cycle; reply_link_bandwidth = 23 B/cycle;"                 \
    "request_source_latency = 101 cycles; request_destination_latency = 47 cycles;"                \
    "reply_source_latency = 211 cycles; reply_destination_latency = 83 cycles;"                    \
    "link_latency = 2 cycles; global_link_latency = 28 cycles; router_delay = 1 cycles"

/* B/cycle of 2 GHz are twice as many B/ns. */
static void check_rates(const Way *way, NetworkRole role)
{
    const uint32_t base = role == NETWORK_REQUEST ? 10 : 20, last = way->links - 1,
                   ends = role == NETWORK_REQUEST ? 101 + 47 : 211 + 83, global = count_global(way);
    ck_assert_double_eq(way->bandwidth[0], 2 * (base + 1));
    for (uint32_t k = 1; k < last; k++) ck_assert_double_eq(way->bandwidth[k], 2 * (base + 3));
    ck_assert_double_eq(way->bandwidth[last], 2 * (base + 2));
    ck_assert_uint_eq(way->cycles, ends + 3 * (last - 1 - global) + 29 * global);
}

START_TEST(links_have_the_rates_that_the_keys_say)
{
    g_autofree char *settings = g_strconcat(shapes[_i].settings, RATES, NULL);
    g_autoptr(Plan) plan = plan_new(shapes[_i].ends, shapes[_i].ends, settings);
    for (uint32_t n = 0; n < NETWORKS; n++)
        for (uint32_t i = 0; i < shapes[_i].ends; i++)
            for (uint32_t j = 0; j < shapes[_i].ends; j++) check_rates(&plan->way[n][i][j], n);
}
END_TEST

/* How many ways of a network lead over each link. */
static GHashTable *count_ways(const Plan *plan, NetworkRole role)
{
    GHashTable *count = g_hash_table_new(g_str_hash, g_str_equal);
    for (uint32_t i = 0; i < plan->routes[role].sources; i++) {
        for (uint32_t j = 0; j < plan->routes[role].destinations; j++) {
            const Way *way = &plan->way[role][i][j];
            for (uint32_t k = 0; k < way->links; k++) {
                const guint ways = GPOINTER_TO_UINT(g_hash_table_lookup(count, way->name[k]));
                g_hash_table_insert(count, (char *)way->name[k], GUINT_TO_POINTER(ways + 1));
            }
        }
    }
    return count;
}

START_TEST(requests_and_replies_share_no_link)
{
    g_autoptr(Plan) plan = plan_new(shapes[_i].ends, shapes[_i].ends, shapes[_i].settings);
    g_autoptr(GHashTable) requests = count_ways(plan, NETWORK_REQUEST),
                          replies = count_ways(plan, NETWORK_REPLY);
    GHashTableIter iter;
    gpointer name;
    g_hash_table_iter_init(&iter, requests);
    while (g_hash_table_iter_next(&iter, &name, NULL))
        ck_assert(!g_hash_table_contains(replies, name));
}
END_TEST

/* What the most used link between switches carries bounds what even traffic can reach. */
static const struct {
    uint32_t ends;
    const char *settings;
    uint32_t busiest; /* ways of ends x ends */
} loads[] = {
    /* half of 16 x 16 / 4 cross the middle, in each direction over one link ... */
    {16, "topology = ring", 32},
    /* ... 4 x 2 x 2 x 4 of a mesh of 4 x 4 over four */
    {16, "topology = mesh", 16},
    /* (1 + 2) x 5 of a ring of five, in each of five rows */
    {25, "topology = torus", 15},
    /* four stops send to 12 others over four cables, or two */
    {16, "topology = fat_tree; tree_children = 4", 15},
    {16, "topology = fat_tree; tree_children = 4; tree_parents = 2", 24},
    /* between two groups of three 9 ways; but the first router of a group leads to two others, and
     * what comes from these for a second one meets what the first sends over it to a third: 6 + 3,
     * and its own */
    {15, "topology = dragonfly; group_routers = 3", 10},
    /* with as many routers as other groups each leads to one: 25 ways between two groups */
    {30, "topology = dragonfly; group_routers = 5", 25},
    /* three dies of four each */
    {12, "topology = dies; dies = 3", 16},
};

START_TEST(the_busiest_link_carries_what_the_theory_says)
{
    g_autoptr(Plan) plan = plan_new(loads[_i].ends, loads[_i].ends, loads[_i].settings);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        g_autoptr(GHashTable) ways = count_ways(plan, n);
        GHashTableIter iter;
        gpointer name, count;
        guint most = 0;
        g_hash_table_iter_init(&iter, ways);
        while (g_hash_table_iter_next(&iter, &name, &count))
            if (!strstr(name, "-source-") && !strstr(name, "-destination-"))
                most = MAX(most, GPOINTER_TO_UINT(count));
        ck_assert_msg(most == loads[_i].busiest, "%s: %u", loads[_i].settings, most);
    }
}
END_TEST

/* Slices stand at the crossbar in the middle, SMs behind concentrators: one link for four. */
START_TEST(SMs_of_a_concentrator_share_its_link)
{
    g_autoptr(Plan) plan = plan_new(10, 7, "topology = hierarchical; concentration = 4");
    g_autoptr(GHashTable) requests = count_ways(plan, NETWORK_REQUEST),
                          replies = count_ways(plan, NETWORK_REPLY);
    for (uint32_t c = 0; c < 3; c++) {
        g_autofree char *out = g_strdup_printf("request-stop-%u-to-3", c),
                        *in = g_strdup_printf("reply-stop-3-to-%u", c);
        const guint ways = 7 * (c < 2 ? 4 : 2);
        ck_assert_uint_eq(GPOINTER_TO_UINT(g_hash_table_lookup(requests, out)), ways);
        ck_assert_uint_eq(GPOINTER_TO_UINT(g_hash_table_lookup(replies, in)), ways);
    }
}
END_TEST

/* --- what cannot be --------------------------------------------------------------------------- */

static const struct {
    uint32_t sms, slices;
    const char *settings, *wanted;
} refused[] = {
    {2000, 100, "topology = torus; concentration = 2", "network.concentration = 2: 2100 SMs"},
    {6, 3, "topology = dies; dies = 4", "network.dies = 4: each die has an SM"},
    {512, 512, "topology = fat_tree; tree_children = 2; tree_parents = 64; concentration = 1",
     "network.tree_parents = 64"},
    {1500, 600, "topology = torus; concentration = 4",
     "at 529 stops (concentration, dies) make 2101 nodes"},
    {1500, 600, "topology = hierarchical; concentration = 4",
     "at 376 stops (concentration, dies) make 2476 nodes"},
    {512, 512, "topology = torus; concentration = 1; mesh_columns = 1024",
     "network.mesh_columns = 1024: half way round 1024 x 1 stops (concentration, torus_layers) "
     "a packet's way has 514 links"},
};

START_TEST(what_cannot_be_joined_is_refused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Plan) plan = g_new0(Plan, 1);
    param_set_defaults(network_group.params, &plan->params);
    harness_set(network_group.params, refused[_i].settings, &plan->params);
    network_routes_init(plan->routes, refused[_i].sms, refused[_i].slices);
    network_routes_plan(plan->routes, &plan->params, &clock_2ghz);
    ck_assert(!shapes_describe(&plan->params, plan->routes, &clock_2ghz, &error));
    ck_assert_msg(strstr(error->message, refused[_i].wanted) != NULL, "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("shapes");
    const int all = G_N_ELEMENTS(shapes);
    tcase_add_loop_test(cases, SimGrid_goes_as_many_links_as_stops_are_apart, 0, all);
    tcase_add_loop_test(cases, links_have_the_rates_that_the_keys_say, 0, all);
    tcase_add_loop_test(cases, requests_and_replies_share_no_link, 0, all);
    tcase_add_loop_test(cases, the_busiest_link_carries_what_the_theory_says, 0,
                        G_N_ELEMENTS(loads));
    tcase_add_test(cases, SMs_of_a_concentrator_share_its_link);
    tcase_add_loop_test(cases, what_cannot_be_joined_is_refused, 0, G_N_ELEMENTS(refused));
    return harness_run_cases("shapes", cases);
}
