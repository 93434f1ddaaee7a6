/* The map of links: where things stand, and the busiest first. */
#include <math.h>

#include "program/report/run/rig.h"
#include "rigs/harness.h"
#include "scenarios/program/report/network/layout.h"

static const char ring[] =
    "[{\"name\": \"up\", \"from\": \"SM 0\", \"to\": \"router[request][0]\", \"use\": 0.25,"
    "  \"bandwidth_gbps\": 40, \"latency_ns\": 3},"
    " {\"name\": \"request-0-x+\", \"from\": \"router[request][0]\", \"to\": \"router[request][2]\","
    "  \"use\": 0.5, \"bandwidth_gbps\": 80, \"latency_ns\": 2},"
    " {\"name\": \"request-2-x+\", \"from\": \"router[request][1]\", \"to\": \"router[request][0]\","
    "  \"use\": 0.125, \"bandwidth_gbps\": 80, \"latency_ns\": 2},"
    " {\"name\": \"request-1-x+\", \"from\": \"router[request][2]\", \"to\": \"router[request][1]\","
    "  \"use\": 0, \"bandwidth_gbps\": 80, \"latency_ns\": 2},"
    " {\"name\": \"down\", \"from\": \"router[request][1]\", \"to\": \"L2 slice 0\", \"use\": 0.25,"
    "  \"bandwidth_gbps\": 40, \"latency_ns\": 3}]";

/* As SimGrid's solver has a mesh of two columns: the corner of a torus of three. */
static const char corner[] =
    "[{\"name\": \"request-stops_link_from_0_to_1_UP\", \"from\": \"switch[request][0]\","
    "  \"to\": \"switch[request][1]\", \"use\": 0},"
    " {\"name\": \"request-stops_link_from_1_to_4_UP\", \"from\": \"switch[request][1]\","
    "  \"to\": \"switch[request][2]\", \"use\": 0},"
    " {\"name\": \"request-stops_link_from_3_to_4_DOWN\", \"from\": \"switch[request][2]\","
    "  \"to\": \"switch[request][3]\", \"use\": 0},"
    " {\"name\": \"request-stops_link_from_3_to_4_UP\", \"from\": \"switch[request][3]\","
    "  \"to\": \"switch[request][2]\", \"use\": 0}]";

/* A result with this network alone. */
static JsonNode *result_with(const char *topology, const char *timing, const char *text)
{
    JsonNode *result = fixture();
    JsonObject *object = json_node_get_object(result), *links = json_object_new(),
               *network = json_object_new(), *parameters = json_object_new();
    json_object_set_member(links, "request", json_from_string(text, NULL));
    json_object_set_object_member(object, "links", links);
    json_object_set_string_member(network, "topology", topology);
    json_object_set_string_member(network, "timing", timing);
    json_object_set_string_member(network, "mesh_columns", "2");
    json_object_set_object_member(parameters, "network", network);
    json_object_set_object_member(object, "parameters", parameters);
    return result;
}

static JsonNode *result_of(const char *topology)
{
    return result_with(topology, "packet", ring);
}

static const MapNode *find_node(const LinkMap *map, const char *name)
{
    for (guint i = 0; i < map->nodes->len; i++)
        if (!strcmp(link_map_node(map, i)->name, name)) return link_map_node(map, i);
    ck_abort_msg("no %s", name);
}

static void expect_place(const LinkMap *map, const char *name, double x, double y)
{
    const MapNode *node = find_node(map, name);
    ck_assert_msg(fabs(node->x - x) < 1e-9 && fabs(node->y - y) < 1e-9, "%s: %g, %g", name, node->x,
                  node->y);
}

static const struct {
    const char *topology;
    double first[2], second[2], sm[2]; /* stop 0, stop 1, which is the third router; SM 0 */
} places[] = {
    {"ring", {0, -1}, {0.86602540378443865, 0.5}, {0, -1.3}},
    {"mesh", {0, 0}, {1, 0}, {0.23334523779156069, 0.23334523779156069}},
    /* routers from left to right as they are apart from SMs */
    {"fat_tree", {0, 0.5}, {1, 0.25}, {-1, 0.5}},
};

START_TEST(a_network_is_laid_out_as_it_is_joined)
{
    g_autoptr(JsonNode) result = result_of(places[_i].topology);
    g_autoptr(LinkMap) map = link_map_new(result, result_array(result, "links.request"));
    ck_assert_uint_eq(map->nodes->len, 5);
    ck_assert_uint_eq(map->edges->len, 5);
    expect_place(map, "router[request][0]", places[_i].first[0], places[_i].first[1]);
    expect_place(map, "router[request][2]", places[_i].second[0], places[_i].second[1]);
    expect_place(map, "SM 0", places[_i].sm[0], places[_i].sm[1]);
}
END_TEST

START_TEST(a_mesh_lies_as_it_does_where_its_numbers_are_a_toruss)
{
    static const double expected[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    g_autoptr(JsonNode) result = result_with("mesh", "flow", corner);
    g_autoptr(LinkMap) map = link_map_new(result, result_array(result, "links.request"));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        g_autofree char *name = g_strdup_printf("switch[request][%u]", i);
        expect_place(map, name, expected[i][0], expected[i][1]);
    }
}
END_TEST

START_TEST(the_busiest_link_comes_first)
{
    g_autoptr(JsonNode) result = result_of("ring");
    g_autoptr(JsonNode) report = report_of(result);
    JsonNode *figure = figure_of(report, "link_map-request");
    static const char *const names[] = {"request-0-x+", "up", "down", "request-2-x+",
                                        "request-1-x+"};
    ck_assert_uint_eq(row_count(figure), G_N_ELEMENTS(names));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        ck_assert_str_eq(
            json_array_get_string_element(json_array_get_array_element(rows_of(figure), i), 0),
            names[i]);
    JsonArray *first = json_array_get_array_element(rows_of(figure), 0);
    ck_assert_double_eq(json_array_get_double_element(first, 3), 50);
    ck_assert_double_eq(json_array_get_double_element(first, 5), 40);
    ck_assert_uint_eq(json_array_get_length(result_array(figure, "places")), 5);
}
END_TEST

START_TEST(without_links_there_is_no_map)
{
    g_autoptr(JsonNode) result = fixture();
    g_autoptr(JsonNode) report = report_of(result);
    ck_assert_ptr_null(find_figure(report, "link_map-request"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("links");
    tcase_add_loop_test(cases, a_network_is_laid_out_as_it_is_joined, 0, G_N_ELEMENTS(places));
    tcase_add_test(cases, a_mesh_lies_as_it_does_where_its_numbers_are_a_toruss);
    tcase_add_test(cases, the_busiest_link_comes_first);
    tcase_add_test(cases, without_links_there_is_no_map);
    return harness_run_cases("links", cases);
}
