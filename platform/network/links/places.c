#include "platform/network/links/places.h"

#include <math.h>
#include <simgrid/host.h>
#include <simgrid/link.h>

#include "platform/network/described.h"

enum { PLACES_MAX = 32 };

/* Of one key. */
typedef struct {
    double at[PLACES_MAX]; /* ns */
    uint32_t count;
} Places;

/* --- what the parameters say ------------------------------------------------------------------ */

static bool read_place(const char *text, const Clock *clock, double *ns)
{
    static const Param cycles = {.type = PARAM_CYCLES, .default_text = "0 cycles", .maximum = 1000},
                       time = {.type = PARAM_TIME, .default_text = "0 ns", .maximum = 1000000000};
    const bool in_cycles = duration_type(text) == PARAM_CYCLES;
    uint64_t value;
    if (!param_parse(in_cycles ? &cycles : &time, text, &value, NULL)) return false;
    *ns = in_cycles ? (double)value * time_to_ns(clock->period) : time_to_ns(value);
    return true;
}

static bool read_places(Places *places, const Setting *setting, const Clock *clock, GError **error)
{
    g_auto(GStrv) words = g_strsplit(setting ? setting->value : "", ",", -1);
    for (char **word = words; *word; word++) {
        if (places->count == PLACES_MAX)
            return setting_reject(setting, error, "more than %d places", PLACES_MAX);
        if (!read_place(g_strstrip(*word), clock, &places->at[places->count++]))
            return setting_reject(setting, error,
                                  "'%s': a place is 0 to 1000 cycles, or 0 to 1000 ns, and they "
                                  "are a list like '0 cycles, 3 cycles'",
                                  *word);
    }
    return true;
}

/* Which place each of so many ends has: in order, of each half as many at each place. */
static uint32_t *divide(uint32_t ends, uint64_t halves, uint32_t places)
{
    uint32_t *place = g_new(uint32_t, ends);
    for (uint64_t i = 0; i < ends; i++) {
        const uint64_t half = i * halves / ends, first = (half * ends + halves - 1) / halves,
                       next = ((half + 1) * ends + halves - 1) / halves;
        place[i] = (uint32_t)((i - first) * places / (next - first));
    }
    return place;
}

static void init_network(NetworkRoutes *network, const Places *from, const Places *to,
                         uint64_t halves)
{
    NetworkWires *wires = &network->wires;
    *wires = (NetworkWires){.source_place = divide(network->sources, halves, from->count),
                            .destination_place = divide(network->destinations, halves, to->count),
                            .source_places = from->count,
                            .destination_places = to->count,
                            .wire = g_new0(NetworkLink, from->count * to->count)};
    for (uint32_t a = 0; a < from->count; a++)
        for (uint32_t b = 0; b < to->count; b++)
            wires->wire[a * to->count + b] =
                (NetworkLink){.bandwidth = 1e9, .latency = fabs(from->at[a] - to->at[b]), true};
}

bool places_init(NetworkRoutes routes[NETWORKS], const NetworkParams *params, uint64_t halves,
                 const Configuration *configuration, const Clock *clock, GError **error)
{
    const bool sms = *params->sm_places, slices = *params->slice_places;
    if (network_has_graph(params) || !(sms || slices)) return true;
    const Setting *of_sms = configuration_find(configuration, "network", "sm_places"),
                  *of_slices = configuration_find(configuration, "network", "slice_places");
    if (sms != slices)
        return setting_reject(sms ? of_sms : of_slices, error, "and network.%s says nothing",
                              sms ? "slice_places" : "sm_places");
    Places sm = {.count = 0}, slice = {.count = 0};
    if (!read_places(&sm, of_sms, clock, error) || !read_places(&slice, of_slices, clock, error))
        return false;
    init_network(&routes[NETWORK_REQUEST], &sm, &slice, halves);
    init_network(&routes[NETWORK_REPLY], &slice, &sm, halves);
    return true;
}

void places_finish(NetworkWires *wires)
{
    g_clear_pointer(&wires->source_place, g_free);
    g_clear_pointer(&wires->destination_place, g_free);
    g_clear_pointer(&wires->wire, g_free);
}

/* --- what is written -------------------------------------------------------------------------- */

static const char *const way_names[NETWORKS] = {"request", "reply"};

static char *host_name(NetworkRole role, bool source, uint32_t place)
{
    return g_strdup_printf("%s-%s-place-%u", way_names[role], source ? "from" : "to", place);
}

char *places_wire_name(const NetworkWires *wires, NetworkRole role, uint32_t wire)
{
    return g_strdup_printf("%s-wire-%u-to-%u", way_names[role], wire / wires->destination_places,
                           wire % wires->destination_places);
}

static void append_hosts(GString *xml, NetworkRole role, bool source, uint32_t places)
{
    for (uint32_t place = 0; place < places; place++) {
        g_autofree char *name = host_name(role, source, place);
        g_string_append_printf(xml, "<host id=\"%s\" speed=\"1f\"/>\n", name);
    }
}

static void append_wires(const NetworkWires *wires, GString *xml, NetworkRole role)
{
    for (uint32_t k = 0; k < wires->source_places * wires->destination_places; k++) {
        g_autofree char *name = places_wire_name(wires, role, k);
        g_autofree char *figures =
            network_link_figures(wires->wire[k].bandwidth, wires->wire[k].latency);
        g_string_append_printf(xml, "<link id=\"%s\" %s sharing_policy=\"FATPIPE\"/>\n", name,
                               figures);
    }
}

static void append_ways(const NetworkWires *wires, GString *xml, NetworkRole role)
{
    for (uint32_t k = 0; k < wires->source_places * wires->destination_places; k++) {
        g_autofree char *name = places_wire_name(wires, role, k);
        g_autofree char *from = host_name(role, true, k / wires->destination_places);
        g_autofree char *to = host_name(role, false, k % wires->destination_places);
        g_string_append_printf(xml,
                               "<route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">"
                               "<link_ctn id=\"%s\"/></route>\n",
                               from, to, name);
    }
}

char *places_describe(const NetworkRoutes routes[NETWORKS], char *text)
{
    if (!routes || !routes[NETWORK_REQUEST].wires.wire) return text;
    GString *xml = network_reopen_platform(text);
    for (NetworkRole role = 0; role < NETWORKS; role++) {
        const NetworkWires *wires = &routes[role].wires;
        g_string_append_printf(xml, "<zone id=\"%s-places\" routing=\"Full\">\n", way_names[role]);
        append_hosts(xml, role, true, wires->source_places);
        append_hosts(xml, role, false, wires->destination_places);
        append_wires(wires, xml, role);
        append_ways(wires, xml, role);
        g_string_append(xml, "</zone>\n");
    }
    return network_close_platform(xml);
}

/* --- what SimGrid says ------------------------------------------------------------------------ */

static sg_host_t find_host(NetworkRole role, bool source, uint32_t place, GError **error)
{
    g_autofree char *name = host_name(role, source, place);
    sg_host_t host = sg_host_by_name(name);
    if (!host)
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the SimGrid platform lacks host %s",
                    name);
    return host;
}

static bool read_wire(NetworkWires *wires, NetworkRole role, uint32_t wire, GError **error)
{
    sg_host_t from = find_host(role, true, wire / wires->destination_places, error),
              to = from ? find_host(role, false, wire % wires->destination_places, error) : NULL;
    if (to) wires->wire[wire].latency = sg_host_get_route_latency(from, to);
    return to;
}

bool places_read_back(NetworkRoutes routes[NETWORKS], GError **error)
{
    for (NetworkRole role = 0; role < NETWORKS; role++) {
        NetworkWires *wires = &routes[role].wires;
        for (uint32_t k = 0; wires->wire && k < wires->source_places * wires->destination_places;
             k++)
            if (!read_wire(wires, role, k, error)) return false;
    }
    return true;
}
