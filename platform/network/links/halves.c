#include "platform/network/links/halves.h"

#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

#include "platform/network/platform.h"

static const char *const way_names[NETWORKS] = {"request", "reply"};

static void name_links(HalvesLinks *halves, NetworkRole way)
{
    for (uint32_t from = 0; from < halves->halves; from++) {
        for (uint32_t to = 0; to < halves->halves; to++) {
            if (from == to) continue;
            HalvesLink *link = &halves->between[way][halves_link(halves, from, to)];
            g_autofree char *name = g_strdup_printf("%s-half-%u-to-%u", way_names[way], from, to);
            *link = (HalvesLink){
                .name = g_string_chunk_insert(halves->names, name), .from = from, .to = to};
        }
    }
}

void halves_init(HalvesLinks *halves, uint32_t slices, uint32_t count)
{
    *halves = (HalvesLinks){.slices = slices, .halves = count};
    if (!slices) return;
    halves->names = g_string_chunk_new(64);
    for (NetworkRole way = 0; way < NETWORKS; way++) {
        halves->own[way] = g_new0(NetworkLink, slices);
        halves->between[way] = g_new0(HalvesLink, count * (count - 1));
        name_links(halves, way);
    }
}

void halves_finish(HalvesLinks *halves)
{
    for (NetworkRole way = 0; way < NETWORKS; way++) {
        g_clear_pointer(&halves->own[way], g_free);
        g_clear_pointer(&halves->between[way], g_free);
    }
    g_clear_pointer(&halves->names, g_string_chunk_free);
}

static uint32_t links_between(const HalvesLinks *halves)
{
    return halves->halves * (halves->halves - 1);
}

void halves_set(HalvesLinks *halves, NetworkRole way, const NetworkLink *own,
                const NetworkLink *between)
{
    for (uint32_t i = 0; i < halves->slices; i++) halves->own[way][i] = *own;
    for (uint32_t k = 0; k < links_between(halves); k++) halves->between[way][k].link = *between;
}

/* --- what is written -------------------------------------------------------------------------- */

static void append_half(const HalvesLinks *halves, GString *xml, NetworkRole way, uint32_t half)
{
    const char *name = way_names[way];
    const uint32_t count = halves->slices / halves->halves;
    const NetworkLink *first = &halves->own[way][half * count];
    g_autofree char *own = network_link_figures(first->bandwidth, first->latency);
    g_string_append_printf(
        xml,
        "<zone id=\"%s-half-%u\" routing=\"Cluster\"><host id=\"%s-half-%u-door\" speed=\"1f\"/>"
        "<link id=\"%s-half-%u-inside\" bandwidth=\"1e12Bps\" latency=\"0s\" "
        "sharing_policy=\"FATPIPE\"/><host_link id=\"%s-half-%u-door\" "
        "up=\"%s-half-%u-inside\" down=\"%s-half-%u-inside\"/>\n",
        name, half, name, half, name, half, name, half, name, half, name, half);
    for (uint32_t i = half * count; i < (half + 1) * count; i++)
        g_string_append_printf(xml,
                               "<host id=\"cross-%s-%u\" speed=\"1f\"/><link "
                               "id=\"cross-%s-link-%u\" %s/><host_link id=\"cross-%s-%u\" "
                               "up=\"cross-%s-link-%u\" down=\"%s-half-%u-inside\"/>\n",
                               name, i, name, i, own, name, i, name, i, name, half);
    g_string_append(xml, "</zone>\n");
}

static void append_link(GString *xml, const HalvesLink *link)
{
    g_autofree char *figures = network_link_figures(link->link.bandwidth, link->link.latency);
    g_string_append_printf(xml, "<link id=\"%s\" %s/>\n", link->name, figures);
}

static void append_way(GString *xml, NetworkRole way, const HalvesLink *link)
{
    const char *name = way_names[way];
    g_string_append_printf(xml,
                           "<zoneRoute src=\"%s-half-%u\" dst=\"%s-half-%u\" "
                           "gw_src=\"%s-half-%u-door\" gw_dst=\"%s-half-%u-door\" "
                           "symmetrical=\"NO\"><link_ctn id=\"%s\"/></zoneRoute>\n",
                           name, link->from, name, link->to, name, link->from, name, link->to,
                           link->name);
}

char *halves_describe(const HalvesLinks *halves, char *text)
{
    if (!halves->slices) return text;
    GString *xml = network_reopen_platform(text);
    g_string_append(xml, "<zone id=\"halves\" routing=\"Full\">\n");
    for (NetworkRole way = 0; way < NETWORKS; way++)
        for (uint32_t half = 0; half < halves->halves; half++) append_half(halves, xml, way, half);
    for (NetworkRole way = 0; way < NETWORKS; way++)
        for (uint32_t k = 0; k < links_between(halves); k++)
            append_link(xml, &halves->between[way][k]);
    for (NetworkRole way = 0; way < NETWORKS; way++)
        for (uint32_t k = 0; k < links_between(halves); k++)
            append_way(xml, way, &halves->between[way][k]);
    g_string_append(xml, "</zone>\n");
    return network_close_platform(xml);
}

GPtrArray *halves_link_names(uint32_t slices, uint32_t count)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    HalvesLinks halves;
    halves_init(&halves, slices, count);
    for (NetworkRole way = 0; way < NETWORKS; way++) {
        for (uint32_t i = 0; i < slices; i++)
            g_ptr_array_add(names, g_strdup_printf("cross-%s-link-%u", way_names[way], i));
        for (uint32_t k = 0; k < links_between(&halves); k++)
            g_ptr_array_add(names, g_strdup(halves.between[way][k].name));
    }
    halves_finish(&halves);
    return names;
}

/* --- what SimGrid says ------------------------------------------------------------------------ */

static sg_host_t find_host(NetworkRole way, uint32_t slice, GError **error)
{
    g_autofree char *name = g_strdup_printf("cross-%s-%u", way_names[way], slice);
    sg_host_t host = sg_host_by_name(name);
    if (!host)
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the SimGrid platform lacks host %s",
                    name);
    return host;
}

/* The first link is the slice's own. The latencies of all others are taken for that of the link
 * from half to half, which is among them. */
static void ask(sg_host_t from, sg_host_t to, NetworkLink *own, HalvesLink *between)
{
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(from, to, links);
    between->link = (NetworkLink){0};
    for (unsigned k = 0; k < xbt_dynar_length(links); k++) {
        sg_link_t link = xbt_dynar_get_as(links, k, sg_link_t);
        const NetworkLink said = {.bandwidth = sg_link_get_bandwidth(link),
                                  .latency = sg_link_get_latency(link)};
        if (!k) *own = said;
        if (g_str_equal(sg_link_get_name(link), between->name))
            between->link.bandwidth = said.bandwidth;
        if (k) between->link.latency += said.latency;
    }
    xbt_dynar_free(&links);
}

static bool read_link(HalvesLinks *halves, NetworkRole way, HalvesLink *link, GError **error)
{
    const uint32_t count = halves->slices / halves->halves;
    for (uint32_t place = 0; place < count; place++) {
        const uint32_t slice = link->from * count + place;
        sg_host_t from = find_host(way, slice, error),
                  to = from ? find_host(way, link->to * count + place, error) : NULL;
        if (!to) return false;
        ask(from, to, &halves->own[way][slice], link);
    }
    return true;
}

bool halves_read_back(HalvesLinks *halves, GError **error)
{
    for (NetworkRole way = 0; halves->slices && way < NETWORKS; way++)
        for (uint32_t k = 0; k < links_between(halves); k++)
            if (!read_link(halves, way, &halves->between[way][k], error)) return false;
    return true;
}
