#include "platform/network/flow_platform.h"

#include <errno.h>
#include <math.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xbt/dynar.h>

#include "kit/describe/decimal.h"
#include "kit/engine/simgrid/flow.h"
#include "platform/network/described.h"

/* --- settings --------------------------------------------------------------------------------- */

bool flow_check_settings(const NetworkParams *params, const Configuration *configuration,
                         GError **error)
{
    const Setting *deployment = configuration_find(configuration, "simulation", "deployment"),
                  *quantum = configuration_find(configuration, "simulation", "quantum"),
                  *ideal = configuration_find(configuration, "network", "ideal"),
                  *topology = configuration_find(configuration, "network", "topology");
    if (params->timing == TIMING_PACKET)
        return !*params->platform || params->topology == TOPOLOGY_CROSSBAR
               || setting_reject(topology, error,
                                 "network.platform says how SMs and slices are joined");
    if (deployment && !g_str_equal(deployment->value, "auto"))
        return setting_reject(deployment, error,
                              "network.timing = flow runs all units on one tile; leave it auto");
    double length;
    if (quantum && decimal_read(quantum->value, &length) && length > 0)
        return setting_reject(quantum, error,
                              "network.timing = flow has no windows; leave it 0 ns");
    if (params->topology != TOPOLOGY_CROSSBAR)
        return setting_reject(
            topology, error,
            "network.timing = flow takes another topology as a file (network.platform)");
    if (params->ideal != IDEAL_NONE)
        return setting_reject(ideal, error,
                              "network.timing = flow leaves no network to be ideal; packet does");
    return true;
}

/* --- hosts and routes ------------------------------------------------------------------------- */

static uint32_t add_host(FlowPlatform *flow, Simulation *simulation, char *name)
{
    g_ptr_array_add(flow->names, name);
    return simulation_add_flow_host(simulation, name);
}

/* One host an SM and one a slice; in the generated platform one for each network. */
static char *name_host(const FlowPlatform *flow, NetworkRole role, bool source, uint32_t i)
{
    const bool request = role == NETWORK_REQUEST;
    if (flow->file) return g_strdup_printf("%s%u", request == source ? "sm" : "slice", i);
    return g_strdup_printf("%s-%s-%u", request ? "request" : "reply",
                           source ? "source" : "destination", i);
}

static void init_network(FlowPlatform *flow, Simulation *simulation, NetworkRole role,
                         const NetworkRoutes *network)
{
    FlowRoutes *routes = &flow->routes[role];
    *routes = (FlowRoutes){g_new0(uint32_t, network->sources),
                           g_new0(uint32_t, network->destinations),
                           g_new0(FlowRoute, (gsize)network->sources * network->destinations),
                           network->sources,
                           network->destinations,
                           network->flit_bytes};
    for (uint32_t i = 0; i < routes->sources; i++)
        routes->source[i] = add_host(flow, simulation, name_host(flow, role, true, i));
    for (uint32_t j = 0; j < routes->destinations; j++)
        routes->destination[j] = add_host(flow, simulation, name_host(flow, role, false, j));
    for (uint32_t i = 0; i < routes->sources; i++)
        for (uint32_t j = 0; j < routes->destinations; j++)
            routes->route[i * routes->destinations + j].bandwidth =
                MIN(network->up[i].bandwidth, network->down[j].bandwidth);
}

void flow_platform_init(FlowPlatform *flow, Simulation *simulation, const NetworkParams *params,
                        const NetworkRoutes routes[NETWORKS], const Configuration *configuration)
{
    flow->names = g_ptr_array_new_with_free_func(g_free);
    flow->file = network_platform_file(configuration);
    simulation_use_flow(simulation, (uint32_t)params->concurrency);
    for (uint32_t n = 0; n < NETWORKS; n++) init_network(flow, simulation, n, &routes[n]);
}

void flow_platform_finish(FlowPlatform *flow)
{
    for (uint32_t n = 0; n < NETWORKS; n++) {
        g_free(flow->routes[n].source);
        g_free(flow->routes[n].destination);
        g_free(flow->routes[n].route);
    }
    g_clear_pointer(&flow->names, g_ptr_array_unref);
    g_clear_pointer(&flow->file, g_free);
}

static sg_host_t find_host(const FlowPlatform *flow, uint32_t number)
{
    return sg_host_by_name(flow->names->pdata[number]);
}

static bool check_hosts(const FlowPlatform *flow, GError **error)
{
    for (guint i = 0; i < flow->names->len; i++) {
        if (find_host(flow, i)) continue;
        g_set_error(error, PARAM_ERROR, 0,
                    "%s: has no host '%s'; each SM needs one (sm0, sm1, ...), and each L2 slice "
                    "(slice0, slice1, ...)",
                    flow->file ? flow->file : "the generated platform",
                    (char *)flow->names->pdata[i]);
        return false;
    }
    return true;
}

static double first_latency(sg_host_t from, sg_host_t to)
{
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(from, to, links);
    const double latency =
        xbt_dynar_is_empty(links) ? 0 : sg_link_get_latency(xbt_dynar_get_as(links, 0, sg_link_t));
    xbt_dynar_free(&links);
    return latency;
}

static uint64_t to_cycles(double ns, const Clock *clock)
{
    return (uint64_t)(ns / time_to_ns(clock->period) + 0.5);
}

/* The way into the network is the first link's; the way out what the nearest source needs besides.
 */
static void divide_latency(FlowRoutes *flow, const double *latency, NetworkRoutes *network,
                           const Clock *clock)
{
    for (uint32_t j = 0; j < flow->destinations; j++) {
        double least = INFINITY;
        for (uint32_t i = 0; i < flow->sources; i++)
            least = MIN(least, latency[i * flow->destinations + j] - network->up[i].latency);
        network->down[j].latency = MAX(least, 0);
        for (uint32_t i = 0; i < flow->sources; i++) {
            const uint32_t k = i * flow->destinations + j;
            const uint64_t in = MAX(to_cycles(network->up[i].latency, clock), 1),
                           out = MAX(to_cycles(network->down[j].latency, clock), 1),
                           all = to_cycles(latency[k], clock);
            flow->route[k].wire = clock_cycles(clock, all > in + out ? all - in - out : 0);
        }
    }
}

static bool read_network(const FlowPlatform *platform, FlowRoutes *flow, NetworkRoutes *network,
                         const Clock *clock, GError **error)
{
    g_autofree double *latency = g_new(double, (gsize)flow->sources * flow->destinations);
    for (uint32_t i = 0; i < flow->sources; i++) {
        sg_host_t from = find_host(platform, flow->source[i]);
        network->up[i].latency = first_latency(from, find_host(platform, flow->destination[0]));
        for (uint32_t j = 0; j < flow->destinations; j++) {
            sg_host_t to = find_host(platform, flow->destination[j]);
            const uint32_t k = i * flow->destinations + j;
            latency[k] = sg_host_get_route_latency(from, to);
            flow->route[k].bandwidth = sg_host_get_route_bandwidth(from, to);
            if (flow->route[k].bandwidth > 0 && flow->route[k].bandwidth < 1e15) continue;
            g_set_error(error, PARAM_ERROR, 0, "%s: the route from '%s' to '%s' has no bandwidth",
                        platform->file ? platform->file : "the generated platform",
                        sg_host_get_name(from), sg_host_get_name(to));
            return false;
        }
    }
    divide_latency(flow, latency, network, clock);
    return true;
}

static void take_latencies_out(void)
{
    sg_link_t *links = sg_link_list();
    for (size_t i = 0; i < sg_link_count(); i++) sg_link_set_latency(links[i], 0);
    free(links);
}

bool flow_platform_read(FlowPlatform *flow, NetworkRoutes routes[NETWORKS], const Clock *clock,
                        GError **error)
{
    if (!check_hosts(flow, error)) return false;
    for (uint32_t n = 0; n < NETWORKS; n++)
        if (!read_network(flow, &flow->routes[n], &routes[n], clock, error)) return false;
    take_latencies_out();
    return true;
}

/* --- asking SimGrid in a process of its own --------------------------------------------------- */

/* The exit status says whether the text is ours. */
enum { PROBE_GOOD, PROBE_REJECTED };

static void probe(const FlowPlatform *flow, Simulation *simulation)
{
    g_autoptr(GError) error = NULL;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    if (!simulation_start_engine(simulation, flow->file, &error) || !check_hosts(flow, &error)) {
        fprintf(stderr, "%s", error->message);
        fflush(stderr);
        _exit(PROBE_REJECTED);
    }
    for (uint32_t n = 0; n < NETWORKS; n++) /* SimGrid ends the process where there is no route */
        for (uint32_t i = 0; i < flow->routes[n].sources; i++)
            for (uint32_t j = 0; j < flow->routes[n].destinations; j++)
                sg_host_get_route_latency(find_host(flow, flow->routes[n].source[i]),
                                          find_host(flow, flow->routes[n].destination[j]));
    _exit(PROBE_GOOD);
}

static char *read_all(int file)
{
    GString *text = g_string_new(NULL);
    char block[4096];
    for (;;) {
        const ssize_t count = read(file, block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return g_string_free(text, FALSE);
        g_string_append_len(text, block, count);
    }
}

/* "[0.000000] ./src/xbt/exception.cpp:95: [xbt_exception/ERROR] Parse error at ..." */
static const char *reason_in(char *text)
{
    char *mark = strstr(text, "/ERROR] ");
    if (!mark) mark = strstr(text, "/CRITICAL] ");
    char *reason = mark ? strchr(mark, ' ') + 1 : text;
    reason[strcspn(reason, "\n")] = '\0';
    return *reason ? reason : "SimGrid cannot load it";
}

static bool judge(const FlowPlatform *flow, int state, char *text, GError **error)
{
    if (WIFEXITED(state) && WEXITSTATUS(state) == PROBE_GOOD) return true;
    if (WIFEXITED(state) && WEXITSTATUS(state) == PROBE_REJECTED)
        g_set_error(error, PARAM_ERROR, 0, "%s", text);
    else
        g_set_error(error, PARAM_ERROR, 0, "%s: no SimGrid platform: %s", flow->file,
                    reason_in(text));
    return false;
}

bool flow_platform_check(const FlowPlatform *flow, Simulation *simulation, GError **error)
{
    int ends[2], state = 0;
    if (!flow->file) return true;
    const pid_t child = pipe(ends) ? -1 : fork();
    if (child < 0) {
        g_set_error(error, PARAM_ERROR, 0, "cannot start a process: %s", g_strerror(errno));
        return false;
    }
    if (!child) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        probe(flow, simulation);
    }
    close(ends[1]);
    g_autofree char *text = read_all(ends[0]);
    close(ends[0]);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    return judge(flow, state, text, error);
}
