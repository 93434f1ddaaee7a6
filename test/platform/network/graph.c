/* Networks from SimGrid platforms: what the routes say of switches, ends and circles; times without
 * load; what becomes of a run when a link changes on SimGrid's side; and what is refused. */
#include "rig.h"

/* --- platforms --- */

#define HOSTS(n) "<host id=\"sm" n "\" speed=\"1f\"/><host id=\"slice" n "\" speed=\"1f\"/>"

/* Two SMs share a trunk to the slices, and another one back. */
#define RIGHT                                                                                      \
    "<cluster id=\"right\" prefix=\"sm\" radical=\"2-3\" suffix=\"\" speed=\"1f\" bw=\"40Bps\" "   \
    "lat=\"9s\" router_id=\"right-router\"/>"
#define HIERARCHY_OF(right, trunk)                                                                 \
    "<zone id=\"gpu\" routing=\"Full\">"                                                           \
    "<cluster id=\"left\" prefix=\"sm\" radical=\"0-1\" suffix=\"\" speed=\"1f\" bw=\"40Bps\" "    \
    "lat=\"20s\" router_id=\"left-router\"/>" right                                                \
    "<cluster id=\"memory\" prefix=\"slice\" radical=\"0-3\" suffix=\"\" speed=\"1f\" "            \
    "bw=\"40Bps\" lat=\"11s\" router_id=\"memory-router\"/>" trunk                                 \
    "<link id=\"left-in\" bandwidth=\"20Bps\" latency=\"13s\"/>"                                   \
    "<link id=\"right-out\" bandwidth=\"40Bps\" latency=\"3s\"/>"                                  \
    "<link id=\"right-in\" bandwidth=\"40Bps\" latency=\"4s\"/>"                                   \
    "<zoneRoute src=\"left\" dst=\"memory\" gw_src=\"left-router\" gw_dst=\"memory-router\" "      \
    "symmetrical=\"NO\"><link_ctn id=\"left-out\"/></zoneRoute>"                                   \
    "<zoneRoute src=\"memory\" dst=\"left\" gw_src=\"memory-router\" gw_dst=\"left-router\" "      \
    "symmetrical=\"NO\"><link_ctn id=\"left-in\"/></zoneRoute>"                                    \
    "<zoneRoute src=\"right\" dst=\"memory\" gw_src=\"right-router\" gw_dst=\"memory-router\" "    \
    "symmetrical=\"NO\"><link_ctn id=\"right-out\"/></zoneRoute>"                                  \
    "<zoneRoute src=\"memory\" dst=\"right\" gw_src=\"memory-router\" gw_dst=\"right-router\" "    \
    "symmetrical=\"NO\"><link_ctn id=\"right-in\"/></zoneRoute></zone>"
#define HIERARCHY(trunk) HIERARCHY_OF(RIGHT, trunk)

#define LEFT_OUT(bandwidth, latency)                                                               \
    "<link id=\"left-out\" bandwidth=\"" bandwidth "Bps\" latency=\"" latency "s\"/>"

static const char star[] =
    "<zone id=\"gpu\" routing=\"Full\">"
    "<cluster id=\"sms\" prefix=\"sm\" radical=\"0-3\" suffix=\"\" speed=\"1f\" bw=\"40Bps\" "
    "lat=\"20s\" router_id=\"middle\"/>"
    "<cluster id=\"slices\" prefix=\"slice\" radical=\"0-3\" suffix=\"\" speed=\"1f\" bw=\"20Bps\" "
    "lat=\"30s\" router_id=\"edge\"/>"
    "<link id=\"joint\" bandwidth=\"1e9Bps\" latency=\"0s\" sharing_policy=\"FATPIPE\"/>"
    "<zoneRoute src=\"sms\" dst=\"slices\" gw_src=\"middle\" gw_dst=\"edge\">"
    "<link_ctn id=\"joint\"/></zoneRoute></zone>";

/* SMs and slices in turn around a ring, without links of their own. */
#define AROUND(routing, links)                                                                     \
    "<zone id=\"gpu\" routing=\"" routing "\">" HOSTS("0") HOSTS("1") HOSTS("2") HOSTS("3") links  \
        "<route src=\"sm0\" dst=\"slice0\"><link_ctn id=\"a\" direction=\"UP\"/></route>"          \
        "<route src=\"slice0\" dst=\"sm1\"><link_ctn id=\"b\" direction=\"UP\"/></route>"          \
        "<route src=\"sm1\" dst=\"slice1\"><link_ctn id=\"c\" direction=\"UP\"/></route>"          \
        "<route src=\"slice1\" dst=\"sm2\"><link_ctn id=\"d\" direction=\"UP\"/></route>"          \
        "<route src=\"sm2\" dst=\"slice2\"><link_ctn id=\"e\" direction=\"UP\"/></route>"          \
        "<route src=\"slice2\" dst=\"sm3\"><link_ctn id=\"f\" direction=\"UP\"/></route>"          \
        "<route src=\"sm3\" dst=\"slice3\"><link_ctn id=\"g\" direction=\"UP\"/></route>"          \
        "<route src=\"slice3\" dst=\"sm0\"><link_ctn id=\"h\" direction=\"UP\"/></route></zone>"

#define DUPLEX(name, bandwidth, latency)                                                           \
    "<link id=\"" name "\" bandwidth=\"" bandwidth "Bps\" latency=\"" latency                      \
    "s\" sharing_policy=\"SPLITDUPLEX\"/>"
#define REST                                                                                       \
    DUPLEX("b", "40", "5")                                                                         \
    DUPLEX("c", "40", "6")                                                                         \
    DUPLEX("d", "20", "7")                                                                         \
    DUPLEX("e", "40", "8") DUPLEX("f", "10", "3") DUPLEX("g", "40", "4") DUPLEX("h", "40", "9")

/* SM i at node i of a cluster, slice j at node 4 + j. */
static char *write_around(const char *cluster)
{
    GString *xml = g_string_new("<zone id=\"gpu\" routing=\"Floyd\">");
    g_string_append(xml, cluster);
    for (uint32_t k = 0; k < 8; k++)
        g_string_append_printf(
            xml, "<zone id=\"z%u\" routing=\"None\"><host id=\"%s%u\" speed=\"1f\"/></zone>", k,
            k < 4 ? "sm" : "slice", k % 4);
    for (uint32_t k = 0; k < 8; k++)
        g_string_append_printf(xml,
                               "<link id=\"out%u\" bandwidth=\"40Bps\" latency=\"%us\"/>"
                               "<link id=\"in%u\" bandwidth=\"20Bps\" latency=\"7s\"/>",
                               k, 5 + k, k);
    for (uint32_t k = 0; k < 8; k++) {
        const char *kind = k < 4 ? "sm" : "slice";
        g_string_append_printf(
            xml,
            "<zoneRoute src=\"z%u\" dst=\"fabric\" gw_src=\"%s%u\" gw_dst=\"node%u\" "
            "symmetrical=\"NO\"><link_ctn id=\"out%u\"/></zoneRoute>"
            "<zoneRoute src=\"fabric\" dst=\"z%u\" gw_src=\"node%u\" gw_dst=\"%s%u\" "
            "symmetrical=\"NO\"><link_ctn id=\"in%u\"/></zoneRoute>",
            k, kind, k % 4, k, k, k, k, kind, k % 4, k);
    }
    g_string_append(xml, "</zone>");
    return g_string_free(xml, FALSE);
}

#define FABRIC(nodes, shape)                                                                       \
    "<cluster id=\"fabric\" prefix=\"node\" suffix=\"\" radical=\"0-" nodes                        \
    "\" speed=\"1f\" bw=\"40Bps\" lat=\"3s\" " shape "/>"

static const struct {
    const char *name, *xml;
    bool cluster, shared;
} platforms[] = {
    {"hierarchy", HIERARCHY(LEFT_OUT("40", "13")), false, false},
    {"star", star, false, false},
    {"Floyd", AROUND("Floyd", DUPLEX("a", "40", "5") REST), false, true},
    {"Dijkstra", AROUND("Dijkstra", DUPLEX("a", "40", "5") REST), false, true},
    {"torus", FABRIC("7", "topology=\"TORUS\" topo_parameters=\"4,2\""), true, false},
    {"fat tree", FABRIC("15", "topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\""), true,
     false},
    {"dragonfly", FABRIC("59", "topology=\"DRAGONFLY\" topo_parameters=\"3,4;4,3;5,1;1\""), true,
     false},
};

static PlatformRig *rig_of(int row)
{
    g_autofree char *xml =
        platforms[row].cluster ? write_around(platforms[row].xml) : g_strdup(platforms[row].xml);
    PlatformRig *rig = platform_rig_new(xml, 4, 16);
    ck_assert_msg(rig->graph->shared == platforms[row].shared, "%s", platforms[row].name);
    return rig;
}

/* --- times --- */

START_TEST(without_load_each_pair_takes_what_simgrid_says_of_its_route)
{
    g_autoptr(PlatformRig) rig = rig_of(_i);
    rig->apart = 200;
    rig->packets = 1;
    rig->exact = true;
    platform_rig_run(rig);
    ck_assert_uint_eq(rig->checked, 2 * 4 * 4);
}
END_TEST

START_TEST(under_load_all_arrive)
{
    g_autoptr(PlatformRig) rig = rig_of(_i);
    rig->packets = 100;
    platform_rig_run(rig);
}
END_TEST

/* Cycles until all requests have arrived. */
static uint64_t time_of(const char *xml)
{
    g_autoptr(PlatformRig) rig = platform_rig_new(xml, 4, 16);
    rig->packets = 1000;
    platform_rig_run(rig);
    return rig->harness->report.end / rig->harness->clock->period;
}

/* Two SMs send 2 x 4000 requests of 8 B over the trunk: 8000 cycles of 8 B each, twice that of 4 B.
 * Replies of 40 B come back over links of 40 B and 20 B: 2 x 4000 of 2 cycles. */
static const struct {
    const char *bandwidth;
    uint64_t cycles;
} trunks[] = {{"2", 8000 * 4}, {"1", 8000 * 8}};

START_TEST(half_the_bandwidth_of_a_link_takes_twice_the_time)
{
    g_autofree char *xml =
        g_strdup_printf(HIERARCHY("<link id=\"left-out\" bandwidth=\"%sBps\" latency=\"13s\"/>"),
                        trunks[_i].bandwidth);
    const uint64_t cycles = time_of(xml);
    ck_assert_uint_ge(cycles, trunks[_i].cycles);
    ck_assert_uint_lt(cycles, trunks[_i].cycles + 100);
}
END_TEST

/* Requests of SM 0 and 1 alone pass the trunk. */
START_TEST(latency_of_a_link_is_added_to_the_routes_that_take_it)
{
    g_autoptr(PlatformRig) rig = platform_rig_new(HIERARCHY(LEFT_OUT("40", "33")), 1, 16);
    ck_assert_uint_eq(rig_unloaded(rig, NETWORK_REQUEST, 0), (20 + 33 + 11 + 1) * TIME_NS);
    ck_assert_uint_eq(rig_unloaded(rig, NETWORK_REQUEST, 2 * 4), (9 + 3 + 11 + 1) * TIME_NS);
    ck_assert_uint_eq(rig_unloaded(rig, NETWORK_REPLY, 0), (11 + 13 + 20 + 2) * TIME_NS);
    rig->apart = 200;
    rig->packets = 1;
    rig->exact = true;
    platform_rig_run(rig);
}
END_TEST

/* Without the route by link a, what went over it goes the other way round: 7 links instead of 1. */
START_TEST(without_a_link_packets_go_the_way_that_simgrid_finds)
{
    static const char whole[] = AROUND("Floyd", DUPLEX("a", "40", "5") REST);
    static const char route[] =
        "<route src=\"sm0\" dst=\"slice0\"><link_ctn id=\"a\" direction=\"UP\"/></route>";
    const char *at = strstr(whole, route);
    g_autofree char *broken =
        g_strdup_printf("%.*s%s", (int)(at - whole), whole, at + strlen(route));
    g_autoptr(PlatformRig) rig = platform_rig_new(broken, 4, 16);
    ck_assert_uint_eq(rig_unloaded(rig, NETWORK_REQUEST, 0),
                      (9 + 4 + 3 + 8 + 7 + 6 + 5 + 1) * TIME_NS);
    rig->apart = 300;
    rig->packets = 1;
    rig->exact = true;
    platform_rig_run(rig);
}
END_TEST

/* --- what the graph is --- */

START_TEST(a_star_is_two_crossbars)
{
    g_autoptr(GError) error = NULL;
    char *folder = temporary_folder();
    g_autofree char *file = rig_write(folder, star);
    const Clock clock = {"network", TIME_NS};
    NetworkGraph *graph = network_graph_new(
        &(GraphPlan){
            .question = {.file = file, .sms = 4, .slices = 4}, .most_channels = 1, .clock = &clock},
        &error);
    ck_assert_msg(graph, "%s", error ? error->message : "");
    ck_assert(graph->star);
    ck_assert_double_eq(graph->link[NETWORK_REQUEST][1][3].latency, 20);
    ck_assert_double_eq(graph->link[NETWORK_REQUEST][0][3].bandwidth, 20);
    network_graph_free(graph);
    temporary_remove(folder);
}
END_TEST

/* The memory's router and those of both sides, for requests and for replies. */
START_TEST(where_links_follow_each_other_there_is_a_router)
{
    g_autoptr(PlatformRig) rig = platform_rig_new(HIERARCHY(LEFT_OUT("40", "13")), 1, 16);
    ck_assert(!rig->graph->star);
    for (NetworkRole n = 0; n < NETWORKS; n++) {
        const RouterNetwork *network = &rig->graph->network[n];
        ck_assert_uint_eq(network->stops, 3);
        ck_assert_uint_eq(network->links, 2);
        ck_assert_uint_eq(network->link[0].channels[n], 1);
        ck_assert_uint_eq(network->link[0].channels[1 - n], 0);
    }
    ck_assert_str_eq(rig->graph->network[NETWORK_REQUEST].link[0].name, "left-out");
}
END_TEST

/* One way round: sm0, slice0, sm1, slice1, ... */
static char *write_one_way(void)
{
    GString *links = g_string_new(NULL), *routes = g_string_new(NULL);
    for (uint32_t k = 0; k < 8; k++) {
        g_string_append_printf(links, "<link id=\"l%u\" bandwidth=\"40Bps\" latency=\"3s\"/>", k);
        g_string_append_printf(routes,
                               "<route src=\"%s%u\" dst=\"%s%u\" symmetrical=\"NO\">"
                               "<link_ctn id=\"l%u\"/></route>",
                               k % 2 ? "slice" : "sm", k / 2, k % 2 ? "sm" : "slice",
                               (k + 1) / 2 % 4, k);
    }
    char *xml = g_strconcat("<zone id=\"gpu\" routing=\"Floyd\">", HOSTS("0"), HOSTS("1"),
                            HOSTS("2"), HOSTS("3"), links->str, routes->str, "</zone>", NULL);
    g_string_free(links, TRUE);
    g_string_free(routes, TRUE);
    return xml;
}

/* With one channel these packets stop, each buffer of the circle full of some for the next. */
START_TEST(a_circle_is_broken_by_a_second_channel)
{
    g_autofree char *xml = write_one_way();
    g_autoptr(PlatformRig) rig = platform_rig_new(xml, 2, 1);
    uint32_t most = 0;
    for (uint32_t k = 0; k < rig->graph->network[0].links; k++)
        for (uint32_t n = 0; n < NETWORKS; n++)
            most = MAX(most, rig->graph->network[0].link[k].channels[n]);
    rig->packets = 300;
    platform_rig_run(rig);
    ck_assert_uint_eq(most, 2);
}
END_TEST

/* --- what is refused --- */

/* Links that carry both what comes and what goes. */
#define ONE_WAY                                                                                    \
    "<zone id=\"gpu\" routing=\"Full\">"                                                           \
    "<cluster id=\"sms\" prefix=\"sm\" radical=\"0-3\" suffix=\"\" speed=\"1f\" bw=\"40Bps\" "     \
    "lat=\"20s\" router_id=\"middle\" sharing_policy=\"SHARED\"/>"                                 \
    "<cluster id=\"slices\" prefix=\"slice\" radical=\"0-3\" suffix=\"\" speed=\"1f\" "            \
    "bw=\"40Bps\" lat=\"20s\" router_id=\"edge\"/>"                                                \
    "<link id=\"between\" bandwidth=\"40Bps\" latency=\"1s\" sharing_policy=\"SPLITDUPLEX\"/>"     \
    "<zoneRoute src=\"sms\" dst=\"slices\" gw_src=\"middle\" gw_dst=\"edge\">"                     \
    "<link_ctn id=\"between\" direction=\"UP\"/></zoneRoute></zone>"

#define WITHOUT_A(link) AROUND("Floyd", link REST)

static const struct {
    const char *xml;
    uint64_t channels;
    const char *error[3]; /* parts of it */
} refused[] = {
    {AROUND("Floyd", DUPLEX("a", "40", "5") REST),
     1,
     {"network.virtual_channels = 1: of ",
      "packets would wait for each other in a circle: over links 'a_DOWN', 'h_DOWN'",
      "'a_DOWN' again; its routes need 2"}},
    {ONE_WAY, 4, {"goes both ways, in the route from 'sm", "SPLITDUPLEX", "'sm"}},
    {WITHOUT_A(DUPLEX("a", "0", "5")), 4, {"link 'a_UP' has no bandwidth", "", ""}},
    {WITHOUT_A("<link id=\"a\" bandwith=\"1Bps\"/>"),
     4,
     {"no SimGrid platform: Parse error at", "platform.xml:4", "Bad attribute `bandwith'"}},
    {HIERARCHY_OF("", LEFT_OUT("40", "13")),
     4,
     {"no SimGrid platform: Parse error at", "platform.xml:4", "zoneRoute src='right'"}},
    {"<zone id=\"gpu\" routing=\"Full\">" HOSTS("0") HOSTS("1")
         HOSTS("2") "<host id=\"sm3\" speed=\"1f\"/></zone>",
     4,
     {"has no host 'slice3'", "(slice0, slice1, ...)", ""}},
    {"<zone id=\"gpu\" routing=\"Full\">" HOSTS("0") HOSTS("1") HOSTS("2") HOSTS("3") "</zone>",
     4,
     {"'sm0' to 'slice0'", "route from ", ""}},
};

START_TEST(a_platform_that_is_none_says_what_is_wrong)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PlatformRig) rig =
        platform_rig_try(refused[_i].xml, 4, 4, refused[_i].channels, 16, &error);
    ck_assert_ptr_null(rig->graph);
    ck_assert_ptr_nonnull(strstr(error->message, "platform.xml"));
    for (uint32_t k = 0; k < 3; k++)
        ck_assert_msg(strstr(error->message, refused[_i].error[k]), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("graph");
    const int count = G_N_ELEMENTS(platforms);
    tcase_add_loop_test(cases, without_load_each_pair_takes_what_simgrid_says_of_its_route, 0,
                        count);
    tcase_add_loop_test(cases, under_load_all_arrive, 0, count);
    tcase_add_loop_test(cases, half_the_bandwidth_of_a_link_takes_twice_the_time, 0,
                        G_N_ELEMENTS(trunks));
    tcase_add_test(cases, latency_of_a_link_is_added_to_the_routes_that_take_it);
    tcase_add_test(cases, without_a_link_packets_go_the_way_that_simgrid_finds);
    tcase_add_test(cases, a_star_is_two_crossbars);
    tcase_add_test(cases, where_links_follow_each_other_there_is_a_router);
    tcase_add_test(cases, a_circle_is_broken_by_a_second_channel);
    tcase_add_loop_test(cases, a_platform_that_is_none_says_what_is_wrong, 0,
                        G_N_ELEMENTS(refused));
    return harness_run_cases("graph", cases);
}
