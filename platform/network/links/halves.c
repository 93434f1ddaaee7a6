#include "platform/network/links/halves.h"

#include <math.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

#include "platform/network/platform.h"

static const char *const way_names[HALVES_WAYS] = {"request", "reply"};

void halves_init(HalvesLinks *halves, uint32_t slices)
{
    *halves = (HalvesLinks){.slices = slices};
    for (uint32_t way = 0; slices && way < HALVES_WAYS; way++)
        halves->link[way] = g_new0(NetworkLink, slices);
}

void halves_finish(HalvesLinks *halves)
{
    for (uint32_t way = 0; way < HALVES_WAYS; way++) g_clear_pointer(&halves->link[way], g_free);
}

void halves_set(HalvesLinks *halves, HalvesWay way, const NetworkLink *link)
{
    for (uint32_t i = 0; i < halves->slices; i++) halves->link[way][i] = *link;
}

/* --- what is written -------------------------------------------------------------------------- */

static void append_half(const HalvesLinks *halves, GString *xml, HalvesWay way, uint32_t half)
{
    const char *name = way_names[way];
    const uint32_t count = halves->slices / 2;
    g_autofree char *own = network_link_figures(halves->link[way][half * count].bandwidth, 0);
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

static void append_between(const HalvesLinks *halves, GString *xml, HalvesWay way, uint32_t half)
{
    const char *name = way_names[way];
    g_autofree char *all =
        network_link_figures(1e12, halves->link[way][half * (halves->slices / 2)].latency);
    g_string_append_printf(xml, "<link id=\"%s-half-%u-to-%u\" %s sharing_policy=\"FATPIPE\"/>\n",
                           name, half, !half, all);
}

static void append_way(GString *xml, HalvesWay way, uint32_t half)
{
    const char *name = way_names[way];
    g_string_append_printf(xml,
                           "<zoneRoute src=\"%s-half-%u\" dst=\"%s-half-%u\" "
                           "gw_src=\"%s-half-%u-door\" gw_dst=\"%s-half-%u-door\" "
                           "symmetrical=\"NO\"><link_ctn id=\"%s-half-%u-to-%u\"/></zoneRoute>\n",
                           name, half, name, !half, name, half, name, !half, name, half, !half);
}

char *halves_describe(const HalvesLinks *halves, char *text)
{
    if (!halves->slices) return text;
    GString *xml = network_reopen_platform(text);
    g_string_append(xml, "<zone id=\"halves\" routing=\"Full\">\n");
    for (HalvesWay way = 0; way < HALVES_WAYS; way++)
        for (uint32_t half = 0; half < 2; half++) append_half(halves, xml, way, half);
    for (HalvesWay way = 0; way < HALVES_WAYS; way++)
        for (uint32_t half = 0; half < 2; half++) append_between(halves, xml, way, half);
    for (HalvesWay way = 0; way < HALVES_WAYS; way++)
        for (uint32_t half = 0; half < 2; half++) append_way(xml, way, half);
    g_string_append(xml, "</zone>\n");
    return network_close_platform(xml);
}

GPtrArray *halves_link_names(uint32_t slices)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (HalvesWay way = 0; way < HALVES_WAYS; way++) {
        for (uint32_t i = 0; i < slices; i++)
            g_ptr_array_add(names, g_strdup_printf("cross-%s-link-%u", way_names[way], i));
        for (uint32_t half = 0; half < 2; half++)
            g_ptr_array_add(names,
                            g_strdup_printf("%s-half-%u-to-%u", way_names[way], half, !half));
    }
    return names;
}

/* --- what SimGrid says ------------------------------------------------------------------------ */

static sg_host_t find_host(HalvesWay way, uint32_t slice, GError **error)
{
    g_autofree char *name = g_strdup_printf("cross-%s-%u", way_names[way], slice);
    sg_host_t host = sg_host_by_name(name);
    if (!host)
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the SimGrid platform lacks host %s",
                    name);
    return host;
}

/* Latencies add up; the narrowest link has the bandwidth. */
static NetworkLink ask(sg_host_t from, sg_host_t to)
{
    NetworkLink way = {.bandwidth = INFINITY};
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(from, to, links);
    for (unsigned k = 0; k < xbt_dynar_length(links); k++) {
        sg_link_t link = xbt_dynar_get_as(links, k, sg_link_t);
        way.bandwidth = MIN(way.bandwidth, sg_link_get_bandwidth(link));
        way.latency += sg_link_get_latency(link);
    }
    xbt_dynar_free(&links);
    return way;
}

bool halves_read_back(HalvesLinks *halves, GError **error)
{
    const uint32_t count = halves->slices / 2;
    for (HalvesWay way = 0; way < HALVES_WAYS; way++) {
        for (uint32_t i = 0; i < count; i++) {
            sg_host_t first = find_host(way, i, error),
                      second = first ? find_host(way, i + count, error) : NULL;
            if (!second) return false;
            halves->link[way][i] = ask(first, second);
            halves->link[way][i + count] = ask(second, first);
        }
    }
    return true;
}
