/* Each pair of ends of every network, alone: SimGrid itself is asked for the links of the route. A
 * packet takes the sum of their latencies, and once its bytes over the narrowest, to the
 * femtosecond, whoever times it; also if SimGrid answers otherwise than what was written. */
#include <dlfcn.h>
#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <sys/mman.h>
#include <xbt/dynar.h>

#include "kit/engine/simgrid/start.h"
#include "platform/network/described.h"
#include "rigs/apart.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"
#include "rigs/temporary.h"

enum { ENDS = 6, HEADER = 8, DATA = 128, TIMINGS = 2, ANSWERS = 2 };

/* Of generated networks: requests and replies differ, and each link from the next. */
#define RATES                                                                                      \
    "network.request_source_latency = 20 cycles; network.reply_source_latency = 31 cycles;"        \
    "network.request_link_bandwidth = 3 B/cycle; network.reply_link_bandwidth = 17 B/cycle;"       \
    "network.link_latency = 5 cycles; network.router_delay = 3 cycles;"

static const struct {
    const char *settings;
    const char *file;
    uint32_t sms, slices;
} networks[] = {
    {"network.topology = crossbar", NULL, 3, 4},
    {"network.topology = ring; network.concentration = 1", NULL, 4, 3},
    {"network.topology = ring; network.ring_directions = 1; network.concentration = 1", NULL, 3, 3},
    {"network.topology = mesh; network.concentration = 1; network.mesh_columns = 3", NULL, 5, 4},
    {"network.topology = mesh; network.slice_placement = edges", NULL, 4, 4},
    {"network.topology = torus; network.concentration = 1; network.mesh_columns = 4", NULL, 6, 6},
    {"network.topology = torus; network.concentration = 1; network.torus_layers = 2", NULL, 6, 6},
    {"network.topology = fat_tree; network.tree_children = 2; network.concentration = 1", NULL, 5,
     4},
    {"network.topology = dragonfly; network.group_routers = 2; network.concentration = 1;"
     "network.global_link_latency = 40 cycles",
     NULL, 5, 4},
    {"network.topology = hierarchical; network.concentration = 2", NULL, 5, 3},
    {"network.topology = dies; network.dies = 3", NULL, 6, 6},
    {"", "flow-tree.xml", 4, 4},
};

static char *settings_of(int network, bool flow)
{
    const char *root = g_getenv("WARPMEM_ROOT"), *file = networks[network].file;
    g_autofree char *platform = file ? g_strdup_printf("network.platform = %s/scenarios/network/%s;"
                                                       "machine.network_clock = 1 GHz;",
                                                       root ? root : ".", file)
                                     : g_strdup("");
    return g_strdup_printf("machine.sms = %u; machine.partitions = %u; %s%s%s; %s",
                           networks[network].sms, networks[network].slices, RATES, platform,
                           networks[network].settings, flow ? "network.timing = flow" : "");
}

/* By source and destination; both networks. */
typedef struct {
    Time alone[NETWORKS][ENDS][ENDS];
} Routes;

static uint32_t sources(int network, NetworkRole role)
{
    return role == NETWORK_REQUEST ? networks[network].sms : networks[network].slices;
}

/* --- what SimGrid says ------------------------------------------------------------------------ */

/* Its functions, by those of the same names here. Links are as they stand in the platform, or each
 * longer by some whole cycles, and narrower where SimGrid's own solver does not count. What joins
 * two routers into one (no latency, as wide as any) stays so. */
static double longer; /* a cycle, ns */
static bool narrower;

static double said_of(const_sg_link_t link, const char *figure)
{
    double (*said)(const_sg_link_t);
    *(void **)&said = dlsym(RTLD_NEXT, figure);
    ck_assert_ptr_nonnull(said);
    return said(link);
}

double sg_link_get_latency(const_sg_link_t link)
{
    const double latency = said_of(link, "sg_link_get_latency");
    return latency > 0 ? latency + longer * (g_str_hash(sg_link_get_name(link)) % 4) : latency;
}

double sg_link_get_bandwidth(const_sg_link_t link)
{
    const double bandwidth = said_of(link, "sg_link_get_bandwidth");
    const bool joint = !(said_of(link, "sg_link_get_latency") > 0);
    return narrower && !joint ? bandwidth / (1 + g_str_hash(sg_link_get_name(link)) % 3)
                              : bandwidth;
}

typedef struct {
    int network;
    bool flow;
    const Clock *clock;
    Routes *routes;
} Question;

static sg_host_t host_of(const Question *question, NetworkRole role, bool source, uint32_t i)
{
    const bool is_sm = (role == NETWORK_REQUEST) == source;
    g_autofree char *name = networks[question->network].file
                                ? g_strdup_printf("%s%u", is_sm ? "sm" : "slice", i)
                                : g_strdup_printf("%s-%s-%u", role ? "reply" : "request",
                                                  source ? "source" : "destination", i);
    sg_host_t host = sg_host_by_name(name);
    ck_assert_msg(host != NULL, "%s", name);
    return host;
}

/* Where packets need whole cycles of it. */
static Time ask(const Question *question, NetworkRole role, uint32_t i, uint32_t j)
{
    const double bytes = role == NETWORK_REQUEST ? HEADER : HEADER + DATA;
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(host_of(question, role, true, i), host_of(question, role, false, j), links);
    double latency = 0, slowest = 0;
    for (unsigned long k = 0; k < xbt_dynar_length(links); k++) {
        sg_link_t link = xbt_dynar_get_as(links, k, sg_link_t);
        latency += sg_link_get_latency(link);
        slowest = MAX(slowest, bytes / sg_link_get_bandwidth(link));
    }
    xbt_dynar_free(&links);
    const double period = time_to_date(question->clock->period);
    const Time cycles = (Time)ceil(slowest / period - 1e-6);
    return (Time)llround(latency * (double)TIME_NS) + cycles * question->clock->period;
}

static void ask_all(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const Question *question = sg_actor_get_data(sg_actor_self());
    for (NetworkRole n = 0; n < NETWORKS; n++)
        for (uint32_t i = 0; i < sources(question->network, n); i++)
            for (uint32_t j = 0; j < sources(question->network, 1 - n); j++)
                question->routes->alone[n][i][j] = ask(question, n, i, j);
}

/* The platform that a machine with these settings has. */
static char *describe(const Question *question, const char *settings)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    g_autofree char *file = network_platform_file(configuration);
    char *text = NULL;
    if (file) {
        ck_assert(g_file_get_contents(file, &text, NULL, NULL));
        return text;
    }
    NetworkParams params = {0};
    NetworkRoutes routes[NETWORKS];
    ck_assert(configuration_apply(configuration, &network_group, &params, NULL));
    network_routes_init(routes, networks[question->network].sms,
                        networks[question->network].slices);
    network_routes_plan(routes, &params, question->clock);
    text = network_describe(&params, routes, question->clock, NULL);
    network_routes_finish(routes);
    param_clear(network_group.params, &params);
    return text;
}

static void ask_simgrid(const void *input, void *result)
{
    Question question = *(const Question *)input;
    g_autofree char *settings = settings_of(question.network, question.flow);
    g_autofree char *text = describe(&question, settings);
    const int file = memfd_create("platform.xml", MFD_CLOEXEC);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    ck_assert(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    ck_assert(engine_start(path, -1, NULL));
    question.routes = result;
    sg_actor_t actor = sg_actor_init("ask", host_of(&question, NETWORK_REQUEST, true, 0));
    sg_actor_set_data(actor, &question);
    sg_actor_start_(actor, ask_all, 0, NULL);
    simgrid_run();
}

/* --- what a machine's packets take ------------------------------------------------------------ */

typedef struct {
    const char *settings;
    NetworkRole role;
} Run;

typedef struct {
    uint64_t packets;
    Time least, most;
} Took;

static void run_traffic(const void *input, void *result)
{
    const Run *run = input;
    g_autofree char *workload =
        g_strdup_printf("workload.pattern = network_traffic; workload.way = %s;"
                        "workload.destinations = matrix; workload.file = matrix.txt;"
                        "workload.load = 1 %%; workload.data_bytes = %u B;"
                        "workload.warm_up = 0 cycles; workload.duration = 600 cycles",
                        run->role == NETWORK_REQUEST ? "requests" : "replies", DATA);
    g_autoptr(Machine) machine = small_machine_new(run->settings, workload);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const Unit *traffic = machine_instances(machine, "network_traffic")->pdata[0];
    const Histogram *latency = small_machine_stat(traffic->class, traffic, "latency");
    *(Took *)result = (Took){latency->count, latency->minimum, latency->maximum};
}

/* Only this pair, a packet in a hundred cycles on average. */
static void write_matrix(uint32_t sources, uint32_t destinations, uint32_t i, uint32_t j)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t a = 0; a < sources; a++)
        for (uint32_t b = 0; b < destinations; b++)
            g_string_append_printf(text, "%d%c", a == i && b == j,
                                   b + 1 < destinations ? ' ' : '\n');
    ck_assert(g_file_set_contents("matrix.txt", text->str, -1, NULL));
}

static void expect_pair(const Run *run, uint32_t i, uint32_t j, Time said)
{
    Took took;
    run_apart(run_traffic, run, &took, sizeof took);
    ck_assert_uint_ge(took.packets, 1);
    ck_assert_msg(took.least == said,
                  "%s: %s from %u to %u took %" G_GUINT64_FORMAT " fs, not %" G_GUINT64_FORMAT,
                  run->settings, run->role ? "replies" : "requests", i, j, took.least, said);
}

/* In a process of its own: what a platform is asked for is kept. */
static void read_clock(const void *settings, void *clock)
{
    g_autoptr(Machine) machine =
        small_machine_new(settings, "workload.pattern = network_traffic; workload.load = 1 %");
    *(Clock *)clock = *machine_clock(machine, "network");
}

START_TEST(a_packet_takes_what_SimGrid_says_of_its_route)
{
    const int network = _i / TIMINGS / ANSWERS;
    const bool flow = _i % TIMINGS, otherwise = _i / TIMINGS % ANSWERS;
    g_autofree char *settings = settings_of(network, flow);
    Clock clock;
    run_apart(read_clock, settings, &clock, sizeof clock);
    longer = otherwise ? time_to_ns(clock.period) : 0;
    narrower = otherwise && !flow;
    const Question question = {network, flow, &clock, NULL};
    Routes said;
    run_apart(ask_simgrid, &question, &said, sizeof said);
    for (NetworkRole n = 0; n < NETWORKS; n++)
        for (uint32_t i = 0; i < sources(network, n); i++)
            for (uint32_t j = 0; j < sources(network, 1 - n); j++) {
                write_matrix(sources(network, n), sources(network, 1 - n), i, j);
                expect_pair(&(Run){settings, n}, i, j, said.alone[n][i][j]);
            }
}
END_TEST

static char *folder, *before;

static void enter_folder(void)
{
    before = g_get_current_dir();
    folder = temporary_folder();
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
    ck_assert_int_eq(chdir(before), 0);
    temporary_remove(folder);
    g_free(before);
}

int main(void)
{
    TCase *cases = tcase_create("each_pair");
    tcase_add_checked_fixture(cases, enter_folder, leave_folder);
    tcase_add_loop_test(cases, a_packet_takes_what_SimGrid_says_of_its_route, 0,
                        G_N_ELEMENTS(networks) * TIMINGS * ANSWERS);
    return harness_run_cases("each_pair", cases);
}
