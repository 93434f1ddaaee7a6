/* The map of links: who carries how much, drawn as the graph that the network is. */
#include "scenarios/program/report/network/layout.h"
#include "scenarios/program/report/run/data.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"

static int compare_use(gconstpointer a, gconstpointer b)
{
    const double left = result_number(*(JsonNode *const *)a, "use"),
                 right = result_number(*(JsonNode *const *)b, "use");
    return left < right ? 1 : left > right ? -1 : 0;
}

/* The busiest first, of equally busy ones in their order. */
static GPtrArray *sort_links(JsonArray *links)
{
    GPtrArray *sorted = g_ptr_array_new();
    for (guint i = 0; i < result_length(links); i++)
        g_ptr_array_add(sorted, data_element(links, i));
    g_ptr_array_sort(sorted, compare_use); /* keeps what is equal in its order */
    return sorted;
}

static void add_row(Figure *figure, JsonNode *link)
{
    const double bandwidth = result_number(link, "bandwidth_gbps"),
                 use = result_number(link, "use");
    figure_row(figure);
    figure_text(figure, data_word(link, "name"));
    figure_text(figure, data_word(link, "from"));
    figure_text(figure, data_word(link, "to"));
    figure_number(figure, use * 100);
    figure_number(figure, bandwidth);
    figure_number(figure, use * bandwidth);
    figure_number(figure, result_number(link, "latency_ns"));
}

static Figure *draw_network(JsonNode *result, const char *network, JsonArray *links)
{
    Figure *figure = figure_new("link_map", network);
    figure_column(figure, "link", NULL);
    figure_column(figure, "from", NULL);
    figure_column(figure, "to", NULL);
    figure_column(figure, "busy", "%");
    figure_column(figure, "bandwidth", "GB/s");
    figure_column(figure, "carried at most", "GB/s");
    figure_column(figure, "latency", "ns");
    figure_axis(figure, FIGURE_VALUE, "busy", "%", FALSE);
    g_autoptr(LinkMap) map = link_map_new(result, links);
    for (guint i = 0; i < map->nodes->len; i++) {
        const MapNode *node = link_map_node(map, i);
        figure_place(figure, node->name, node->x, node->y);
    }
    g_autoptr(GPtrArray) sorted = sort_links(links);
    for (guint i = 0; i < sorted->len; i++) add_row(figure, sorted->pdata[i]);
    return figure;
}

void run_links(Document *document, JsonNode *result)
{
    g_autoptr(GList) networks = data_names(result, "links");
    if (!networks) return;
    document_section(document, "links", "The network",
                     "Each link by SimGrid's name, as [link NAME] of a scenario takes it.");
    for (const GList *name = networks; name; name = name->next) {
        g_autofree char *path = g_strdup_printf("links.%s", (const char *)name->data);
        document_add(document, draw_network(result, name->data, result_array(result, path)));
    }
}
