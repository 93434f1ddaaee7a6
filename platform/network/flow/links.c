#include "platform/network/flow/links.h"

#include "platform/network/nodes.h"

typedef struct {
    FlowRoutes *flow;
    const PlatformQuestion *question;
    const PlatformRoutes *platform;
    NetworkRole role;
    const Nodes *nodes;
    uint32_t *number; /* of each link of the platform; NO_NODE: it is none here */
    uint32_t *at;     /* by node: the switch's number, or the host's that stands there */
    uint32_t switches, counts[LINKS_OUT + 1];
} Reader;

/* --- which links ------------------------------------------------------------------------------ */

static void find_used(const Reader *reader)
{
    const PlatformRoutes *platform = reader->platform;
    const uint32_t routes = reader->flow->sources * reader->flow->destinations;
    for (uint32_t k = 0; k < platform->links; k++) reader->number[k] = NO_NODE;
    for (uint32_t h = 0; h < platform->first[reader->role][routes]; h++) {
        const uint32_t link = platform->hop[reader->role][h];
        if (!platform->link[link].link.wide) reader->number[link] = 0;
    }
}

static int compare_names(const void *a, const void *b, void *user)
{
    const PlatformLink *link = user;
    return strverscmp(link[*(const uint32_t *)a].name, link[*(const uint32_t *)b].name);
}

/* The platform's numbers of them, in the order of their names. */
static uint32_t *number_links(const Reader *reader)
{
    uint32_t *order = g_new(uint32_t, reader->platform->links), count = 0;
    for (uint32_t k = 0; k < reader->platform->links; k++)
        if (reader->number[k] != NO_NODE) order[count++] = k;
    g_qsort_with_data(order, (gint)count, sizeof *order, compare_names, reader->platform->link);
    for (uint32_t n = 0; n < count; n++) reader->number[order[n]] = n;
    reader->flow->link = g_new0(FlowLink, count);
    reader->flow->links = count;
    return order;
}

static void write_hops(const Reader *reader)
{
    FlowRoutes *flow = reader->flow;
    const uint32_t routes = flow->sources * flow->destinations,
                   *first = reader->platform->first[reader->role],
                   *hop = reader->platform->hop[reader->role];
    uint32_t count = 0;
    flow->hop = g_new(uint32_t, first[routes]);
    for (uint32_t r = 0; r < routes; r++) {
        flow->route[r].first = count;
        for (uint32_t h = first[r]; h < first[r + 1]; h++)
            if (reader->number[hop[h]] != NO_NODE) flow->hop[count++] = reader->number[hop[h]];
        flow->route[r].end = count;
    }
}

/* --- what they join --------------------------------------------------------------------------- */

static void number_hosts(const Reader *reader, bool source, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        reader->at[node_of_host(reader->nodes, reader->role, source, i)] = i;
}

static void number_switch(Reader *reader, uint32_t node)
{
    if (reader->nodes->is_switch[node] && reader->at[node] == NO_NODE)
        reader->at[node] = reader->switches++;
}

/* A switch by the first link that begins there, then those where links only end. */
static void number_nodes(Reader *reader, const uint32_t *order)
{
    number_hosts(reader, true, reader->flow->sources);
    number_hosts(reader, false, reader->flow->destinations);
    for (uint32_t node = 0; node < reader->nodes->count; node++)
        if (reader->nodes->is_switch[node]) reader->at[node] = NO_NODE;
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t n = 0; n < reader->flow->links; n++)
            number_switch(reader, node_of_link(reader->nodes, order[n], end));
}

static LinkPlace place_of(const Nodes *nodes, uint32_t from, uint32_t to)
{
    if (!nodes->is_switch[from]) return LINKS_INTO;
    return nodes->is_switch[to] ? LINKS_BETWEEN : LINKS_OUT;
}

static void describe_links(Reader *reader, const uint32_t *order)
{
    for (uint32_t n = 0; n < reader->flow->links; n++) {
        const PlatformLink *said = &reader->platform->link[order[n]];
        const uint32_t from = node_of_link(reader->nodes, order[n], false),
                       to = node_of_link(reader->nodes, order[n], true);
        const LinkPlace place = place_of(reader->nodes, from, to);
        reader->flow->link[n] = (FlowLink){.name = said->name,
                                           .link = said->link,
                                           .place = place,
                                           .index = reader->counts[place]++,
                                           .from = reader->at[from],
                                           .to = reader->at[to]};
    }
}

/* ---------------------------------------------------------------------------------------------- */

void flow_links_read(FlowRoutes *flow, const PlatformQuestion *question,
                     const PlatformRoutes *platform, NetworkRole role)
{
    Nodes nodes;
    nodes_init_one(&nodes, question, platform, role);
    g_autofree uint32_t *number = g_new(uint32_t, platform->links),
                        *at = g_new(uint32_t, nodes.count);
    Reader reader = {.flow = flow,
                     .question = question,
                     .platform = platform,
                     .role = role,
                     .nodes = &nodes,
                     .number = number,
                     .at = at};
    for (uint32_t node = 0; node < nodes.count; node++) at[node] = NO_NODE;
    find_used(&reader);
    g_autofree uint32_t *order = number_links(&reader);
    write_hops(&reader);
    number_nodes(&reader, order);
    describe_links(&reader, order);
    nodes_finish(&nodes);
}

void flow_links_finish(FlowRoutes *flow)
{
    g_free(flow->link);
    g_free(flow->hop);
}
