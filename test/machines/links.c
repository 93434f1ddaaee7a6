/* One link of SimGrid's half as wide, longer or gone, on whole networks in both timings: what comes
 * of it is what the arithmetic says. Packets of a cycle, SM i and slice i at one stop. */
#include <math.h>

#include "kit/gpu/network.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"

enum { ENDS = 16 };

static const char scenario[] =
    "[scenario]\ntitle = links\nextends = v100\n[machine]\nsms = 16\npartitions = 16\n"
    "slices_per_partition = 1\npeak_bandwidth_gbps = 0\nnetwork_clock = 1 GHz\n"
    "[network]\nlink_buffer = 256\ninput_buffer = 512\n"
    "[workload]\npattern = network_traffic\ndestinations = matrix\nfile = matrix.txt\n"
    "load = 50 %\nwarm_up = 500 cycles\nduration = 2000 cycles\n";

static const char *const timings[] = {"packet", "flow"};

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder();
    g_free(temporary_file(folder, "links.ini", scenario));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

/* A line of numbers for each source. */
static void write_matrix(double (*share)(unsigned source, unsigned destination))
{
    g_autoptr(GString) matrix = g_string_new(NULL);
    for (unsigned i = 0; i < ENDS; i++)
        for (unsigned j = 0; j < ENDS; j++)
            g_string_append_printf(matrix, "%g%s", share(i, j), j < ENDS - 1 ? " " : "\n");
    g_free(temporary_file(folder, "matrix.txt", matrix->str));
}

/* The figure of a run with settings "GROUP.KEY=VALUE;...". */
static double simulate(int timing, const char *settings, const char *figure)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_auto(GStrv) list = g_strsplit(settings, ";", -1);
    g_string_printf(line, "%s/links.ini --set network.timing=%s", folder, timings[timing]);
    for (char **setting = list; *setting; setting++)
        g_string_append_printf(line, " --set '%s'", g_strstrip(*setting));
    run(folder, line->str);
    return summary_of(folder, "baseline", figure);
}

/* --- bandwidth -------------------------------------------------------------------------------- */

static double to_the_other_die(unsigned source, unsigned destination)
{
    return source < ENDS / 2 && destination >= ENDS / 2 ? 2.0 / ENDS : 0;
}

static const struct {
    const char *link;
    double factor;
} widths[] = {{"link request-stop-0-to-1.bandwidth_scale=0.5", 0.5},
              {"link *-0-to-1.bandwidth_scale=0.25", 0.25},
              /* the way that no packet takes */
              {"link request-stop-1-to-0.bandwidth_scale=0.5", 1}};

/* All of eight SMs that send to the other die share one link, of a packet of 8 B a cycle. */
START_TEST(half_a_link_carries_half_of_what_takes_it)
{
    const int timing = _i % 2;
    write_matrix(to_the_other_die);
    static const char dies[] = "network.topology=dies;network.request_link_bandwidth=8 B/cycle";
    g_autofree char *changed = g_strjoin(";", dies, widths[_i / 2].link, NULL);
    const double whole = simulate(timing, dies, "accepted_rate"),
                 part = simulate(timing, changed, "accepted_rate");
    ck_assert_msg(fabs(whole * ENDS - 1) < 0.03, "%s: %g", timings[timing], whole * ENDS);
    ck_assert_msg(fabs(part / whole / widths[_i / 2].factor - 1) < 0.03, "%s: %s: %g of %g",
                  timings[timing], widths[_i / 2].link, part, whole);
}
END_TEST

/* Of the last run. */
static JsonArray *links_of(JsonNode *result, const char *network)
{
    return json_object_get_array_member(
        json_object_get_object_member(json_node_get_object(result), "links"), network);
}

/* NULL: there is none of this name. */
static JsonObject *find_link(JsonArray *links, const char *name)
{
    for (guint i = 0; i < json_array_get_length(links); i++) {
        JsonObject *link = json_array_get_object_element(links, i);
        if (!strcmp(json_object_get_string_member(link, "name"), name)) return link;
    }
    return NULL;
}

static double use_in(const char *network, const char *name)
{
    g_autoptr(JsonNode) result = json_file(folder, "baseline/result.json");
    JsonObject *link = find_link(links_of(result, network), name);
    ck_assert_msg(link, "no link %s", name);
    return json_object_get_double_member(link, "use");
}

static double use_of(const char *name)
{
    return use_in("request", name);
}

/* A source's link of 4 B a cycle carries a packet of 8 B in two. */
START_TEST(results_say_how_busy_each_link_was)
{
    write_matrix(to_the_other_die);
    static const char dies[] = "network.topology=dies;network.request_link_bandwidth=8 B/cycle;"
                               "link request-source-3-link.bandwidth_scale=0.1";
    simulate(_i, dies, "accepted_rate");
    ck_assert_double_gt(use_of("request-stop-0-to-1"), 0.97);
    ck_assert_double_eq(use_of("request-stop-1-to-0"), 0);
    ck_assert_double_gt(use_of("request-source-3-link"), 1.5 * use_of("request-source-2-link"));
    ck_assert_double_gt(use_of("request-destination-9-link"), 0);
    ck_assert_double_eq(use_of("request-destination-1-link"), 0);
}
END_TEST

/* Packets and links of 8 B, so that each link is held for a cycle in both timings. */
static const char *const alike[] = {"crossbar", "torus", "fat_tree", "dragonfly", "hierarchical"};

static double anywhere(unsigned source, unsigned destination)
{
    return (1.0 + source % 3) / (4 * ENDS) * (destination % 2 ? 1.5 : 0.5);
}

static void expect_same_link(JsonObject *link, JsonObject *other)
{
    static const char *const ends[] = {"from", "to"};
    ck_assert_ptr_nonnull(other);
    ck_assert_double_eq_tol(json_object_get_double_member(other, "use"),
                            json_object_get_double_member(link, "use"), 0.005);
    for (guint k = 0; k < G_N_ELEMENTS(ends); k++) {
        const char *end = json_object_get_string_member(link, ends[k]);
        if (!strchr(end, '[')) ck_assert_str_eq(json_object_get_string_member(other, ends[k]), end);
    }
}

START_TEST(each_link_carries_the_same_in_both_timings)
{
    write_matrix(anywhere);
    g_autofree char *settings = g_strdup_printf(
        "network.topology=%s;network.request_source_bandwidth=8 B/cycle;"
        "network.request_destination_bandwidth=8 B/cycle;network.request_link_bandwidth=8 B/cycle;"
        "network.group_routers=2;workload.load=30 %%",
        alike[_i]);
    simulate(0, settings, "accepted_rate");
    g_autoptr(JsonNode) packet = json_file(folder, "baseline/result.json");
    simulate(1, settings, "accepted_rate");
    g_autoptr(JsonNode) flow = json_file(folder, "baseline/result.json");
    JsonArray *links = links_of(packet, "request"), *others = links_of(flow, "request");
    ck_assert_uint_eq(json_array_get_length(links), json_array_get_length(others));
    for (guint i = 0; i < json_array_get_length(links); i++) {
        JsonObject *link = json_array_get_object_element(links, i);
        expect_same_link(link, find_link(others, json_object_get_string_member(link, "name")));
    }
}
END_TEST

static double all_from_the_sixth(unsigned source, unsigned destination)
{
    return source == 5 && destination == 9 ? 1 : 0;
}

static void expect_busiest(const char *unit, const char *resource, const char *expected)
{
    g_autoptr(JsonNode) result = json_file(folder, "baseline/result.json");
    JsonObject *at = json_node_get_object(result);
    const char *const path[] = {"resources", unit, resource, "busiest"};
    for (guint i = 0; i < G_N_ELEMENTS(path); i++) at = json_object_get_object_member(at, path[i]);
    g_autofree char *whole = g_strconcat(unit, ".", expected, NULL);
    ck_assert_str_eq(json_object_get_string_member(at, "path"), whole);
}

/* Hosts at one switch, with links "sm5-up", "slice9-down"; or one link both ways, "sm5-both". */
static char *star_file(const char *up, const char *down)
{
    static const char *const hosts[] = {"sm", "slice"};
    g_autoptr(GString) xml =
        g_string_new("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/"
                     "simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"gpu\" "
                     "routing=\"Cluster\">\n");
    for (unsigned i = 0; i < 2 * ENDS; i++) {
        g_autofree char *host = g_strdup_printf("%s%u", hosts[i / ENDS], i % ENDS);
        g_string_append_printf(xml,
                               "<host id=\"%s\" speed=\"1f\"/>"
                               "<link id=\"%s-%s\" bandwidth=\"40Bps\" latency=\"20s\"/>",
                               host, host, up);
        if (strcmp(up, down) != 0)
            g_string_append_printf(xml, "<link id=\"%s-%s\" bandwidth=\"40Bps\" latency=\"20s\"/>",
                                   host, down);
        g_string_append_printf(xml, "<host_link id=\"%s\" up=\"%s-%s\" down=\"%s-%s\"/>\n", host,
                               host, up, host, down);
    }
    g_string_append(xml, "</zone></platform>\n");
    return temporary_file(folder, "star.xml", xml->str);
}

START_TEST(the_links_of_a_star_have_simgrids_names)
{
    const char *unit = _i ? "flow_network[request]" : "crossbar[request]";
    write_matrix(all_from_the_sixth);
    simulate(_i, "network.topology=crossbar", "accepted_rate");
    expect_busiest(unit, "source_links", "source_links[5] (request-source-link-5)");
    expect_busiest(unit, "destination_links", "destination_links[9] (request-destination-link-9)");
    g_autofree char *file = star_file("up", "down");
    g_autofree char *setting = g_strconcat("network.platform=", file, NULL);
    simulate(_i, setting, "accepted_rate");
    expect_busiest(unit, "source_links", "source_links[5] (sm5-up)");
    ck_assert_double_gt(use_of("slice9-down"), 0.4);
    ck_assert_double_eq(use_of("slice8-down"), 0);
}
END_TEST

/* One way each, then both over one. */
START_TEST(what_both_networks_carry_over_one_link_adds_up)
{
    static const char *const names[][2] = {{"up", "down"}, {"both", "both"}};
    double use[2][NETWORKS];
    write_matrix(all_from_the_sixth);
    for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
        g_autofree char *file = star_file(names[k][0], names[k][1]);
        g_autofree char *settings = g_strdup_printf(
            "network.platform=%s;workload.way=round_trip;workload.load=20 %%", file);
        simulate(1, settings, "accepted_rate");
        for (uint32_t n = 0; n < NETWORKS; n++) {
            g_autofree char *link = g_strconcat("sm5-", names[k][n], NULL);
            use[k][n] = use_in(n ? "reply" : "request", link);
        }
    }
    ck_assert_double_gt(use[0][0], 0.15);
    ck_assert_double_eq_tol(use[1][0], use[0][0] + use[0][1], 0.01);
    ck_assert_double_eq(use[1][1], use[1][0]);
}
END_TEST

/* --- latency ---------------------------------------------------------------------------------- */

static double from_the_sixth(unsigned source, unsigned destination)
{
    (void)destination;
    return source == 5 ? 1.0 / ENDS : 0;
}

static const struct {
    const char *settings; /* of both */
    const char *link;
    double longer; /* ns, of the mean */
} lengths[] = {
    {"network.topology=crossbar", "link request-source-link-5.added_latency=12 ns", 12},
    {"network.topology=crossbar", "link request-source-link-6.added_latency=12 ns", 0},
    {"network.topology=crossbar", "link request-destination-link-*.added_latency=12 ns", 12},
    {"network.topology=hierarchical;network.concentration=4",
     "link request-stop-1-to-4.added_latency=8 ns", 8},
    {"network.topology=torus", "link request-source-5-link.added_latency=3 ns", 3},
};

START_TEST(a_longer_link_makes_all_that_take_it_so_much_later)
{
    const int timing = _i % 2;
    write_matrix(from_the_sixth);
    g_autofree char *changed = g_strjoin(";", lengths[_i / 2].settings, lengths[_i / 2].link, NULL);
    static const char figure[] = "traffic_latency.mean";
    const double longer =
        simulate(timing, changed, figure) - simulate(timing, lengths[_i / 2].settings, figure);
    ck_assert_msg(fabs(longer - lengths[_i / 2].longer) < 1e-9, "%s: %s: %g ns", timings[timing],
                  changed, longer);
}
END_TEST

/* --- a link less ------------------------------------------------------------------------------ */

static double to_the_next_stop(unsigned source, unsigned destination)
{
    return source == 4 && destination == 5 ? 0.5 : 0;
}

/* Rings' links have other names where routers time them. */
static const struct {
    const char *settings, *link[2];
    double longer; /* ns */
} detours[] = {
    /* 15 stops the other way round in place of one, a cycle of wire and of router each */
    {"network.topology=ring;network.concentration=2",
     {"link request-4-x+.removed=yes", "link request-stop-4-to-5.removed=yes"},
     14 * 2},
    /* four dies, of which the second sends to the third: by way of another */
    {"network.topology=dies;network.dies=16;network.link_latency=9 cycles",
     {"link request-stop-4-to-5.removed=yes", "link request-stop-4-to-5.removed=yes"},
     10},
};

START_TEST(without_a_link_packets_take_the_way_that_is_left)
{
    const int timing = _i % 2;
    write_matrix(to_the_next_stop);
    g_autofree char *changed =
        g_strjoin(";", detours[_i / 2].settings, detours[_i / 2].link[timing], NULL);
    static const char figure[] = "traffic_latency.mean";
    const double longer =
        simulate(timing, changed, figure) - simulate(timing, detours[_i / 2].settings, figure);
    ck_assert_msg(fabs(longer - detours[_i / 2].longer) < 1e-9, "%s: %s: %g ns", timings[timing],
                  changed, longer);
}
END_TEST

/* --- what cannot be --------------------------------------------------------------------------- */

static const struct {
    const char *settings, *message;
} refused[] = {
    {"--set 'link request-source-link-3.removed=yes'",
     "--set: link request-source-link-3.removed = yes: link 'request-source-link-3' is the only "
     "way of SM 3"},
    {"--set 'link reply-source-lnk-3.bandwidth_scale=2'", "did you mean 'reply-source-link-3'?"},
    {"--set network.topology=dies --set 'link request-stop-0-to-1.removed=yes'",
     "--set: link request-stop-0-to-1.removed = yes: the generated platform: SimGrid finds no "
     "route from 'request-source-0' to 'request-destination-8'"},
    {"--set network.topology=torus --set 'link *_3_to_0_UP.removed=yes'",
     "cannot be removed: it belongs to a <cluster>"},
    {"--set network.topology=torus --set 'link request.removed=yes'", "has no link of that name"},
    {"--set 'link a.bandwidth_scale=0'", "link a.bandwidth_scale = 0"},
    {"--set 'link a.bandwidth=2'",
     "'link a' has no parameter 'bandwidth'; did you mean 'bandwidth_scale'?"},
    {"--set link.bandwidth_scale=2", "is written [link NAME]"},
};

START_TEST(a_link_that_is_none_or_the_only_way_is_an_error_in_both_timings)
{
    const int timing = _i % 2;
    write_matrix(to_the_next_stop);
    g_autofree char *line = g_strdup_printf("run links.ini -q --set network.timing=%s %s",
                                            timings[timing], refused[_i / 2].settings);
    const Outcome outcome = warpmem(folder, line);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, refused[_i / 2].message), "%s", outcome.errors);
}
END_TEST

/* --- what commands say of groups -------------------------------------------------------------- */

static const struct {
    const char *arguments, *expected;
} answers[] = {
    {"check links.ini --set 'link reply-source-link-1?.added_latency=3 ns'",
     "takes 6 links: reply-source-link-10, reply-source-link-11, "},
    {"show links.ini --set 'link request-*.bandwidth_scale=2'", "[link request-*]"},
    {"explain link.bandwidth_scale", "allowed: ratio from 0.001 to 1000"},
    {"explain 'link request-*.removed'", "link.removed (parameter)"},
    {"list parameters", "link.added_latency"},
    {"reference", "### `[link]`"},
};

START_TEST(commands_know_links)
{
    write_matrix(to_the_next_stop);
    const Outcome outcome = warpmem(folder, answers[_i].arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", answers[_i].arguments, outcome.errors);
    ck_assert_msg(strstr(outcome.out, answers[_i].expected), "%s", outcome.out);
}
END_TEST

/* --- between the halves of L2 ----------------------------------------------------------------- */

static const char halves[] =
    "[scenario]\ntitle = halves\nextends = v100\n[machine]\nsms = 6\npartitions = 4\nl2_halves = 2\n"
    "peak_bandwidth_gbps = 0\nl2_clock = 1 GHz\n[workload]\npattern = stream\noperation = triad\n"
    "array_bytes = 48 KiB\nthreads_per_cta = 128\n";

static double cycles_of_halves(const char *network, const char *setting)
{
    g_autofree char *line =
        g_strdup_printf("%s/halves.ini --set %s --set '%s'", folder, network, setting);
    g_free(temporary_file(folder, "halves.ini", halves));
    run(folder, line);
    return summary_of(folder, "baseline", "core_cycles");
}

static const struct {
    const char *link, *parameter;
} crossings[] = {
    {"link cross-*.bandwidth_scale=0.25", "l2_slice.cross_bandwidth=8 B/cycle"},
    {"link *-half-?-to-?.added_latency=40 ns", "channels.l2_cross=90 cycles"},
    {"link *-half-?-to-?.bandwidth_scale=0.0078125", "half_link.bandwidth=8 B/cycle"},
};
static const char *const crossed[] = {"network.topology=crossbar", "network.topology=torus",
                                      "network.timing=flow"};

/* A link of each slice, and one from half to half. */
START_TEST(a_link_between_halves_is_what_its_group_makes_of_it)
{
    const guint change = (guint)_i % G_N_ELEMENTS(crossings);
    const char *link = crossings[change].link, *parameter = crossings[change].parameter;
    const char *network = crossed[(guint)_i / G_N_ELEMENTS(crossings)];
    const double expected = cycles_of_halves(network, parameter);
    ck_assert_double_eq(cycles_of_halves(network, link), expected);
    ck_assert_double_lt(cycles_of_halves(network, "simulation.seed=1"), expected);
}
END_TEST

START_TEST(the_only_way_to_the_other_half_stays)
{
    g_free(temporary_file(folder, "halves.ini", halves));
    const Outcome outcome =
        warpmem(folder, "run halves.ini -q --set 'link cross-reply-link-1.removed=yes'");
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, "'cross-reply-link-1' is the only way to another half"),
                  "%s", outcome.errors);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("links");
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_loop_test(cases, half_a_link_carries_half_of_what_takes_it, 0,
                        2 * G_N_ELEMENTS(widths));
    tcase_add_loop_test(cases, results_say_how_busy_each_link_was, 0, G_N_ELEMENTS(timings));
    tcase_add_loop_test(cases, each_link_carries_the_same_in_both_timings, 0, G_N_ELEMENTS(alike));
    tcase_add_loop_test(cases, the_links_of_a_star_have_simgrids_names, 0, G_N_ELEMENTS(timings));
    tcase_add_test(cases, what_both_networks_carry_over_one_link_adds_up);
    tcase_add_loop_test(cases, a_longer_link_makes_all_that_take_it_so_much_later, 0,
                        2 * G_N_ELEMENTS(lengths));
    tcase_add_loop_test(cases, without_a_link_packets_take_the_way_that_is_left, 0,
                        2 * G_N_ELEMENTS(detours));
    tcase_add_loop_test(cases, a_link_that_is_none_or_the_only_way_is_an_error_in_both_timings, 0,
                        2 * G_N_ELEMENTS(refused));
    tcase_add_loop_test(cases, a_link_between_halves_is_what_its_group_makes_of_it, 0,
                        (int)(G_N_ELEMENTS(crossings) * G_N_ELEMENTS(crossed)));
    tcase_add_test(cases, the_only_way_to_the_other_half_stays);
    tcase_add_loop_test(cases, commands_know_links, 0, G_N_ELEMENTS(answers));
    return harness_run_cases("links", cases);
}
