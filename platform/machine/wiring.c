/* The channels between a machine's units, as the table of channels says. */
#include <string.h>

#include "platform/machine/private.h"

/* An announcement of the CTA dispatcher reaches every unit this many core cycles later at the
 * earliest; it bounds the lookahead, so it is about as long as the network links. */
enum { BOUNDARY_CYCLES = 64 };

/* A row with what it means in this machine. */
typedef struct {
    Machine *machine;
    const ChannelRow *row;
    const GPtrArray *from, *to;
    uint32_t capacity;
    Time delay, credit_delay;
} Path;

/* --- what a row says in this machine ---------------------------------------------------------- */

uint64_t machine_channel_number(const Machine *machine, const ChannelParam *param, ParamType type)
{
    if (!param->name) return 0;
    if (param->offset)
        return *(const uint64_t *)(const void *)((const char *)machine + param->offset);
    g_auto(GStrv) words = g_strsplit(param->name, ".", 2);
    return unit_number(machine_instances(machine, words[0])->pdata[0], words[1], type);
}

bool machine_has_units(const GPtrArray *units)
{
    const Unit *unit = units->len ? units->pdata[0] : NULL;
    const Param *first = unit ? unit->class->params : NULL;
    const bool can_be_off = first && first->name && !strcmp(first->name, "enabled");
    return unit && (!can_be_off || *(const bool *)unit_parameter(unit, "enabled", PARAM_BOOL));
}

static bool gives_way(const Machine *machine, const ChannelRow *row)
{
    for (guint i = 0; i < G_N_ELEMENTS(row->unless) && row->unless[i]; i++)
        if (machine_has_units(machine_instances(machine, row->unless[i]))) return true;
    return false;
}

bool machine_has_channel(const Machine *machine, const ChannelRow *row)
{
    return !gives_way(machine, row)
           && (!row->from || machine_has_units(machine_instances(machine, row->from)))
           && machine_has_units(machine_instances(machine, row->to));
}

static Path path_of(Machine *machine, const ChannelRow *row)
{
    const GPtrArray *to = machine_instances(machine, row->to);
    const GPtrArray *from = row->from ? machine_instances(machine, row->from) : to;
    const Unit *first = from->pdata[0], *last = to->pdata[0];
    const Clock *clock = row->clock ? machine->clock[row->clock] : first->clock;
    return (Path){
        .machine = machine,
        .row = row,
        .from = from,
        .to = to,
        .capacity = (uint32_t)machine_channel_number(machine, &row->capacity, PARAM_COUNT),
        .delay = clock_cycles(clock, machine_channel_number(machine, &row->delay, PARAM_CYCLES)),
        .credit_delay =
            clock_cycles(last->clock, machine_channel_number(machine, &row->credit, PARAM_CYCLES))};
}

/* --- arrays of ports -------------------------------------------------------------------------- */

static bool is_array(const GPtrArray *units, const char *name)
{
    const PortRow *port = class_find_port(((const Unit *)units->pdata[0])->class, name);
    return port && (port->kind == PORT_IN_ARRAY || port->kind == PORT_OUT_ARRAY);
}

static void size_array(const GPtrArray *units, guint index, const char *port, guint count)
{
    if (is_array(units, port)) unit_size_ports(units->pdata[index], port, count);
}

/* Units share what stands in a row, in order and as equally as they can: the first of a share, and
 * whose share one is in. */
static uint32_t first_of_share(uint32_t share, uint32_t count, uint32_t shares)
{
    return (uint32_t)(((uint64_t)share * count + shares - 1) / shares);
}

static uint32_t share_of(uint32_t number, uint32_t count, uint32_t shares)
{
    return (uint32_t)((uint64_t)number * shares / count);
}

/* Of those that have arrays, for the ends in their shares. */
static void size_shares(const GPtrArray *units, const char *port, uint32_t count)
{
    for (guint i = 0; i < units->len; i++)
        size_array(units, i, port,
                   first_of_share(i + 1, count, units->len) - first_of_share(i, count, units->len));
}

/* What stands at one side of a network. */
static void size_ends(const Path *path, const GPtrArray *ends, const char *port, bool into)
{
    const NetworkRoutes *routes = &path->machine->routes[path->row->role];
    size_shares(ends, port, into ? routes->sources : routes->destinations);
}

/* Where there are no halves a slice has a port for another one all the same: its other ports have
 * one number in all machines. */
static void size_ends_of_no_link(const Machine *machine, const ChannelRow *row)
{
    const bool into = row->mapping == CHANNEL_INTO_LINK;
    if (!into && row->mapping != CHANNEL_OUT_OF_LINK) return;
    const GPtrArray *slices = machine_instances(machine, into ? row->from : row->to);
    for (guint i = 0; i < slices->len; i++)
        size_array(slices, i, into ? row->output : row->input, 1);
}

/* Of the slices, and of the links of the row's way. */
static void size_link_ends(const Path *path, const GPtrArray *slices, const char *port,
                           const GPtrArray *links, const char *end)
{
    const uint32_t halves = path->machine->halves.halves;
    for (guint i = 0; i < slices->len; i++) size_array(slices, i, port, halves - 1);
    for (guint k = path->row->role; k < links->len; k += NETWORKS)
        size_array(links, k, end, slices->len / halves);
}

static bool leads_into(const Path *path, UnitPer per)
{
    return ((const Unit *)path->to->pdata[0])->class->per == per;
}

static void size_switches(const Path *path)
{
    const bool into = leads_into(path, PER_SWITCH);
    const GPtrArray *switches = into ? path->to : path->from,
                    *others = into ? path->from : path->to;
    for (guint i = 0; i < switches->len; i++)
        size_array(switches, i, into ? path->row->input : path->row->output,
                   others->len / switches->len);
}

static void size_arrays(const Path *path)
{
    const ChannelRow *row = path->row;
    const NetworkRoutes *routes = &path->machine->routes[row->role];
    const bool star = !machine_has_routers(path->machine);
    switch (row->mapping) {
    case CHANNEL_SAME_NUMBER:
        size_array(path->from, 0, row->output, path->to->len);
        size_array(path->to, 0, row->input, path->from->len);
        return;
    case CHANNEL_INTO_LINK:
        size_link_ends(path, path->from, row->output, path->to, row->input);
        return;
    case CHANNEL_OUT_OF_LINK:
        size_link_ends(path, path->to, row->input, path->from, row->output);
        return;
    case CHANNEL_IN_PARTITION: size_switches(path); return;
    case CHANNEL_IN_SHARE:
        size_shares(path->to, row->input, path->from->len);
        size_shares(path->from, row->output, path->to->len);
        return;
    case CHANNEL_INTO_NETWORK:
        if (star) size_array(path->to, row->role, row->input, routes->sources);
        size_ends(path, path->from, row->output, true);
        return;
    case CHANNEL_OUT_OF_NETWORK:
        if (star) size_array(path->from, row->role, row->output, routes->destinations);
        size_ends(path, path->to, row->input, false);
        return;
    case CHANNEL_NEIGHBOURS:
        for (uint32_t n = 0; n < network_graph_networks(path->machine->graph); n++)
            network_graph_connect(path->machine->graph, n, path->to, path->capacity);
        return;
    case CHANNEL_FROM_SIMGRID:
        for (uint32_t n = 0; n < NETWORKS; n++)
            size_array(path->to, n, row->input, path->machine->routes[n].sources);
        return;
    }
    g_assert_not_reached();
}

/* --- channels --------------------------------------------------------------------------------- */

static void connect(const Path *path, Unit *from, uint32_t output, Unit *to, uint32_t input)
{
    wire_connect(&(Wire){from, path->row->output, output, to, path->row->input, input,
                         path->capacity, path->delay, path->credit_delay, path->row->talk});
}

static void connect_same_number(const Path *path)
{
    const GPtrArray *from = path->from, *to = path->to;
    const bool spreads = is_array(from, path->row->output),
               gathers = is_array(to, path->row->input);
    const uint32_t count = MAX(from->len, to->len);
    if ((from->len != count && !spreads) || (to->len != count && !gathers))
        g_error("%s and %s are not equally many", path->row->from, path->row->to);
    for (uint32_t i = 0; i < count; i++)
        connect(path, from->pdata[spreads ? 0 : i], spreads ? i : 0, to->pdata[gathers ? 0 : i],
                gathers ? i : 0);
}

static void connect_switches(const Path *path)
{
    const bool into = leads_into(path, PER_SWITCH);
    const GPtrArray *switches = into ? path->to : path->from,
                    *others = into ? path->from : path->to;
    const guint each = others->len / switches->len;
    for (guint i = 0; i < others->len; i++) {
        Unit *other = others->pdata[i], *switch_unit = switches->pdata[i / each];
        if (into)
            connect(path, other, 0, switch_unit, i % each);
        else
            connect(path, switch_unit, i % each, other, 0);
    }
}

static void connect_shares(const Path *path)
{
    const bool into = leads_into(path, PER_COALESCER);
    const GPtrArray *sms = into ? path->from : path->to, *shares = into ? path->to : path->from;
    for (guint i = 0; i < sms->len; i++) {
        const uint32_t share = share_of(i, sms->len, shares->len),
                       place = i - first_of_share(share, sms->len, shares->len);
        if (into)
            connect(path, sms->pdata[i], 0, shares->pdata[share], place);
        else
            connect(path, shares->pdata[share], place, sms->pdata[i], 0);
    }
}

/* The whole way in cycles, half of it in front of the link; a credit, where there are some, takes
 * as long as a packet. */
static Time link_delay(const Path *path, const HalvesLink *link, uint32_t slice, const Clock *clock)
{
    const NetworkLink *own = &path->machine->halves.own[path->row->role][slice];
    const uint64_t cycles =
        MAX(network_latency_cycles(own->latency + link->link.latency, clock), 2);
    return clock_cycles(clock,
                        path->row->mapping == CHANNEL_INTO_LINK ? cycles / 2 : cycles - cycles / 2);
}

/* By how many halves on the other one is, less one, as slices number them. */
static uint32_t steps_on(const HalvesLinks *halves, uint32_t from, uint32_t to)
{
    return (to + halves->halves - from) % halves->halves - 1;
}

static void connect_link(const Path *path, uint32_t k)
{
    const HalvesLinks *halves = &path->machine->halves;
    const HalvesLink *link = &halves->between[path->row->role][k];
    const uint32_t count = halves->slices / halves->halves;
    const guint number = k * NETWORKS + path->row->role;
    Path way = *path;
    for (uint32_t place = 0; place < count; place++) {
        const uint32_t from = link->from * count + place, to = link->to * count + place;
        Unit *end = path->row->mapping == CHANNEL_INTO_LINK ? path->to->pdata[number]
                                                            : path->from->pdata[number];
        way.delay = link_delay(path, link, from, end->clock);
        if (path->credit_delay) way.credit_delay = way.delay;
        if (path->row->mapping == CHANNEL_INTO_LINK)
            connect(&way, path->from->pdata[from], steps_on(halves, link->from, link->to), end,
                    place);
        else
            connect(&way, end, place, path->to->pdata[to], steps_on(halves, link->to, link->from));
    }
}

static void connect_links(const Path *path)
{
    const HalvesLinks *halves = &path->machine->halves;
    for (uint32_t k = 0; k < halves->halves * (halves->halves - 1); k++) connect_link(path, k);
}

static NetworkLink link_of(const Machine *machine, const ChannelRow *row, bool latency)
{
    const double ns = time_to_ns(machine->clock[CLOCK_L2]->period);
    return (NetworkLink){
        .bandwidth = (double)machine_channel_number(machine, &row->bandwidth, PARAM_BANDWIDTH) / ns,
        .latency =
            latency ? (double)machine_channel_number(machine, &row->delay, PARAM_CYCLES) * ns : 0};
}

/* Rows of a way follow each other: into the link, and out of it. */
void machine_join_halves(Machine *machine)
{
    const ChannelRow *row = machine_channel_rows();
    for (; row->to; row++) {
        if (row->mapping != CHANNEL_INTO_LINK || !machine_has_channel(machine, row)) continue;
        if (!machine->halves.slices)
            halves_init(&machine->halves, machine_instances(machine, row->from)->len,
                        (uint32_t)machine->params.l2_halves);
        const NetworkLink own = link_of(machine, row, false),
                          between = link_of(machine, row + 1, true);
        halves_set(&machine->halves, row->role, &own, &between);
    }
}

/* A crossbar's inputs and outputs are numbered as its sources and destinations are. */
static Unit *network_unit(const Path *path, const GPtrArray *units, uint32_t end, bool source,
                          uint32_t *port)
{
    const NetworkGraph *graph = path->machine->graph;
    *port = end;
    if (!machine_has_routers(path->machine)) return units->pdata[path->row->role];
    const NetworkEnd place = graph->end[path->row->role][source][end];
    *port = place.port;
    return network_graph_router(units, place.stop * NETWORKS
                                           + (graph->shared ? NETWORK_REQUEST : path->row->role));
}

/* A credit takes as long as a packet. */
static void connect_network(const Path *path, bool into)
{
    const Machine *machine = path->machine;
    const NetworkRole role = path->row->role;
    const NetworkRoutes *routes = &machine->routes[role];
    const GPtrArray *ends = into ? path->from : path->to, *stops = into ? path->to : path->from;
    const uint32_t count = into ? routes->sources : routes->destinations;
    Path link = *path;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t share = share_of(i, count, ends->len),
                       place = i - first_of_share(share, count, ends->len);
        uint32_t port;
        Unit *stop = network_unit(path, stops, i, into, &port), *unit = ends->pdata[share];
        const double latency = into ? routes->up[i].latency : routes->down[i].latency;
        link.delay = link.credit_delay =
            clock_cycles(stop->clock, MAX(network_latency_cycles(latency, stop->clock), 1));
        if (into)
            connect(&link, unit, place, stop, port);
        else
            connect(&link, stop, port, unit, place);
    }
}

static void connect_units(const Path *path)
{
    switch (path->row->mapping) {
    case CHANNEL_SAME_NUMBER: connect_same_number(path); return;
    case CHANNEL_IN_PARTITION: connect_switches(path); return;
    case CHANNEL_IN_SHARE: connect_shares(path); return;
    case CHANNEL_INTO_LINK:
    case CHANNEL_OUT_OF_LINK: connect_links(path); return;
    case CHANNEL_INTO_NETWORK: connect_network(path, true); return;
    case CHANNEL_OUT_OF_NETWORK: connect_network(path, false); return;
    case CHANNEL_NEIGHBOURS:
    case CHANNEL_FROM_SIMGRID: return;
    }
    g_assert_not_reached();
}

static void visit_rows(Machine *machine, void (*visit)(const Path *path))
{
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++) {
        if (!machine_has_channel(machine, row)) continue;
        const Path path = path_of(machine, row);
        visit(&path);
    }
}

/* A unit's ports are numbered when the first of them is connected: all arrays come before. */
void machine_wire(Machine *machine)
{
    visit_rows(machine, size_arrays);
    for (const ChannelRow *row = machine_channel_rows(); row->to; row++)
        if (!machine_has_channel(machine, row)) size_ends_of_no_link(machine, row);
    visit_rows(machine, connect_units);
    simulation_set_boundary_delay(machine->simulation,
                                  clock_cycles(machine->clock[CLOCK_CORE], BOUNDARY_CYCLES));
}
