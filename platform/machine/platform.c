/* The machine's networks as a SimGrid platform: asked for, and started on. */
#include <string.h>

#include "platform/machine/private.h"

/* Of a platform that is not the crossbars' stars, and of any that SimGrid times. */
static bool ask_platform(Machine *machine, const NetworkSettings *settings, GError **error)
{
    if (machine_has_flow(machine))
        return flow_platform_init(&machine->flow, machine->simulation, settings, machine->routes,
                                  error);
    if (!network_has_graph(settings->params)) return true;
    machine->graph = network_graph_of(settings, machine->routes, error);
    return machine->graph;
}

/* What SimGrid does not like of a platform, or the routers; a group of links says it itself. */
static bool locate_platform_error(const Machine *machine, const Configuration *configuration,
                                  GError **error)
{
    const LinkChange *removal = link_changes_removal(&machine->links, NULL);
    if (!error || (*error)->domain == LINK_ERROR) return false;
    if (removal)
        g_prefix_error(error, "%s: ", removal->said);
    else if (*machine->network.platform)
        setting_prefix_error(configuration_find(configuration, "network", "platform"), error);
    return false;
}

/* In a platform of the user's that SimGrid times there are none. */
static GPtrArray *halves_names(const Machine *machine)
{
    const bool halves = machine->params.l2_halves > 1 && machine_is_whole(machine)
                        && !(machine_has_flow(machine) && *machine->network.platform);
    return halves ? halves_link_names(machine->routes[NETWORK_REPLY].sources,
                                      (uint32_t)machine->params.l2_halves)
                  : g_ptr_array_new_with_free_func(g_free);
}

static bool expect_halves(Machine *machine, GError **error)
{
    if (!machine->links.count) return true;
    g_autoptr(GPtrArray) names = halves_names(machine);
    for (guint i = 0; i < names->len; i++)
        if (!link_changes_expect(&machine->links, names->pdata[i], error)) return false;
    return true;
}

static void tell_halves(const Machine *machine)
{
    if (!machine->links.count) return;
    g_autoptr(GPtrArray) names = halves_names(machine);
    for (guint i = 0; i < names->len; i++) link_changes_tell_link(&machine->links, names->pdata[i]);
}

bool machine_read_platform(Machine *machine, const Configuration *configuration, GError **error)
{
    const NetworkParams *params = &machine->network;
    const NetworkSettings settings = {params, configuration, &machine->links,
                                      machine->clock[CLOCK_NETWORK]};
    network_routes_plan(machine->routes, params, settings.clock);
    const bool star = !network_has_graph(params);
    if (!places_init(machine->routes, params, machine->params.l2_halves, configuration,
                     settings.clock, error))
        return false;
    return link_changes_init(&machine->links, configuration, error) && expect_halves(machine, error)
           && (!star || link_changes_tell_star(&machine->links, machine->routes, error))
           && (ask_platform(machine, &settings, error)
               || locate_platform_error(machine, configuration, error));
}

/* What one removes no packet takes. */
GPtrArray *machine_link_notes(const Machine *machine)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t i = 0; i < machine->links.count; i++)
        if (!machine->links.change[i].figures.removed)
            g_ptr_array_add(notes, link_change_describe(&machine->links.change[i]));
    return notes;
}

/* Halves stand in a generated platform; what crosses them is no flow of SimGrid's. */
static bool start_flow(Machine *machine, GError **error)
{
    FlowPlatform *flow = &machine->flow;
    const bool generated = !flow->platform.file;
    if (generated) flow->platform.text = halves_describe(&machine->halves, flow->platform.text);
    if (!flow_platform_start(flow, machine->simulation, error)) return false;
    /* all links have been told, but those beside stars */
    if (generated && !flow->changes) tell_halves(machine);
    if (generated && !halves_read_back(&machine->halves, error)) return false;
    flow_platform_take_latencies_out();
    return true;
}

bool machine_start_engine(Machine *machine, uint32_t tiles, GError **error)
{
    if (machine_has_flow(machine)) return start_flow(machine, error);
    NetworkRoutes *stars = machine->graph ? NULL : machine->routes;
    char *own = places_describe(stars, network_describe_stars(stars, tiles));
    g_autofree char *text = halves_describe(&machine->halves, own);
    if (!simulation_start_engine_on(machine->simulation, text, error)
        || (stars && !network_routes_read_back(stars, error))
        || (stars && !places_read_back(stars, error)))
        return false;
    tell_halves(machine);
    return halves_read_back(&machine->halves, error);
}

bool machine_tells_engine(const Machine *machine)
{
    return machine_has_flow(machine) || machine->links.count;
}

bool machine_platform_reads(const char *group)
{
    return !strcmp(group, "machine") || !strcmp(group, "network")
           || g_str_has_prefix(group, "link ");
}

/* --- links ------------------------------------------------------------------------------------ */

static const char *const names[NETWORKS] = {"request", "reply"};

static char *describe_end(NetworkRole role, bool source, uint32_t number)
{
    const bool is_sm = (role == NETWORK_REQUEST) == source;
    return g_strdup_printf("%s %u", is_sm ? "SM" : "L2 slice", number);
}

/* Units of a network of so many each. */
static const GPtrArray *network_units(const Machine *machine, UnitPer per)
{
    const UnitClass *const *classes = machine_unit_classes();
    guint i = 0;
    while (classes[i]->per != per) i++;
    return machine->instances->pdata[i];
}

typedef struct {
    MachineLinkVisit visit;
    void *user;
} Visitor;

/* Of an SM or slice to a unit of the network. */
static void visit_end(const Visitor *visitor, NetworkRole role, bool source, uint32_t number,
                      MachineLink link)
{
    g_autofree char *end = describe_end(role, source, number);
    const char *unit = link.counter[0].unit->path;
    link.from = source ? end : unit;
    link.to = source ? unit : end;
    link.counter[0].place = source ? LINKS_INTO : LINKS_OUT;
    visitor->visit(&link, visitor->user);
}

static void visit_star(const Machine *machine, NetworkRole role, const Visitor *visitor)
{
    const NetworkRoutes *routes = &machine->routes[role];
    const Unit *unit = network_units(machine, PER_CROSSBAR)->pdata[role];
    for (uint32_t source = 2; source-- > 0;) {
        for (uint32_t i = 0; i < (source ? routes->sources : routes->destinations); i++) {
            visit_end(visitor, role, source, i,
                      (MachineLink){.network = names[role],
                                    .name = (source ? routes->up_name : routes->down_name)[i],
                                    .link = source ? routes->up[i] : routes->down[i],
                                    .counter = {{.unit = unit, .index = i}}});
        }
    }
}

static void visit_router_ends(const RouterStop *stop, bool source, const Unit *unit,
                              const char *network, const Visitor *visitor)
{
    const RouterEnd *end = source ? stop->source : stop->destination;
    uint32_t index = 0;
    for (uint32_t i = 0; i < (source ? stop->sources : stop->destinations); i++)
        if (!end[i].link.wide)
            visit_end(visitor, end[i].role, source, end[i].number,
                      (MachineLink){.network = network,
                                    .name = end[i].name,
                                    .link = end[i].link,
                                    .counter = {{.unit = unit, .index = index++}}});
}

static void visit_between(const RouterNetwork *routers, const GPtrArray *units, uint32_t network,
                          uint32_t s, const char *name, const Visitor *visitor)
{
    const Unit *from = network_graph_router(units, s * NETWORKS + network);
    uint32_t index = 0;
    for (uint32_t k = 0; k < routers->stop[s].outs; k++) {
        const RouterLink *link = &routers->link[routers->stop[s].out[k]];
        if (link->link.wide) continue;
        const Unit *to = network_graph_router(units, link->to * NETWORKS + network);
        const MachineLink said = {.network = name,
                                  .name = link->name,
                                  .from = from->path,
                                  .to = to->path,
                                  .link = link->link,
                                  .counter = {{from, LINKS_BETWEEN, index++}}};
        visitor->visit(&said, visitor->user);
    }
}

static void visit_routers(const Machine *machine, uint32_t network, const Visitor *visitor)
{
    const GPtrArray *units = network_units(machine, PER_STOP);
    const RouterNetwork *routers = &machine->graph->network[network];
    const char *name = machine->graph->shared ? "shared" : names[network];
    for (uint32_t source = 2; source-- > 0;)
        for (uint32_t s = 0; s < routers->stops; s++)
            visit_router_ends(&routers->stop[s], source,
                              network_graph_router(units, s * NETWORKS + network), name, visitor);
    for (uint32_t s = 0; s < routers->stops; s++)
        visit_between(routers, units, network, s, name, visitor);
}

/* --- where SimGrid's solver times packets ----------------------------------------------------- */

static int compare_link(const void *name, const void *link)
{
    return strverscmp(name, ((const FlowLink *)link)->name);
}

static LinkCounter flow_counter(const Machine *machine, NetworkRole role, const char *name)
{
    const FlowRoutes *flow = &machine->flow.routes[role];
    const FlowLink *link = bsearch(name, flow->link, flow->links, sizeof *flow->link, compare_link);
    if (!link) return (LinkCounter){.unit = NULL};
    return (LinkCounter){network_units(machine, PER_FLOW)->pdata[role], link->place, link->index};
}

static char *describe_node(NetworkRole role, uint32_t number)
{
    return g_strdup_printf("switch[%s][%u]", names[role], number);
}

static void visit_flow_link(const Machine *machine, NetworkRole role, const FlowLink *link,
                            const Visitor *visitor)
{
    g_autofree char *from = link->place == LINKS_INTO ? describe_end(role, true, link->from)
                                                      : describe_node(role, link->from),
                    *to = link->place == LINKS_OUT ? describe_end(role, false, link->to)
                                                   : describe_node(role, link->to);
    const MachineLink said = {.network = names[role],
                              .name = link->name,
                              .from = from,
                              .to = to,
                              .link = link->link,
                              .counter = {flow_counter(machine, role, link->name),
                                          flow_counter(machine, !role, link->name)}};
    visitor->visit(&said, visitor->user);
}

static void visit_flow(const Machine *machine, NetworkRole role, const Visitor *visitor)
{
    const FlowRoutes *flow = &machine->flow.routes[role];
    for (LinkPlace place = LINKS_INTO; place <= LINKS_OUT; place++)
        for (uint32_t k = 0; k < flow->links; k++)
            if (flow->link[k].place == place)
                visit_flow_link(machine, role, &flow->link[k], visitor);
}

/* --- between the halves of L2 ----------------------------------------------------------------- */

static void visit_halves(const Machine *machine, NetworkRole way, const Visitor *visitor)
{
    static const char *const between[NETWORKS] = {"l2_request", "l2_reply"};
    const GPtrArray *units = network_units(machine, PER_HALVES_LINK);
    for (uint32_t k = 0; k < units->len / NETWORKS; k++) {
        const HalvesLink *link = &machine->halves.between[way][k];
        g_autofree char *from = g_strdup_printf("l2_half[%u]", link->from),
                        *to = g_strdup_printf("l2_half[%u]", link->to);
        const MachineLink said = {
            .network = between[way],
            .name = link->name,
            .from = from,
            .to = to,
            .link = link->link,
            .counter = {{.unit = units->pdata[k * NETWORKS + way], .place = LINKS_BETWEEN}}};
        visitor->visit(&said, visitor->user);
    }
}

/* ---------------------------------------------------------------------------------------------- */

void machine_visit_links(const Machine *machine, MachineLinkVisit visit, void *user)
{
    const Visitor visitor = {visit, user};
    const bool routers = machine_has_routers(machine);
    const uint32_t networks = routers ? network_graph_networks(machine->graph) : NETWORKS;
    for (NetworkRole n = 0; n < networks; n++)
        if (machine_has_flow(machine) && network_units(machine, PER_FLOW)->len)
            visit_flow(machine, n, &visitor);
        else if (routers && network_units(machine, PER_STOP)->len)
            visit_routers(machine, n, &visitor);
        else if (!routers && n < network_units(machine, PER_CROSSBAR)->len)
            visit_star(machine, n, &visitor);
    for (NetworkRole way = 0; way < NETWORKS; way++) visit_halves(machine, way, &visitor);
}
