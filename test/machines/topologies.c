/* Named topologies whose sources send whenever they can, against theory: what the busiest links let
 * through. Packets of a cycle, SM i and slice i at one stop. And what one alone takes. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"

static const char scenario[] =
    "[scenario]\ntitle = network\nextends = v100\n[machine]\nsms = 16\npartitions = 16\n"
    "slices_per_partition = 1\npeak_bandwidth_gbps = 0\n"
    "[network]\nsm_places =\nslice_places =\nlink_buffer = 256\ninput_buffer = 512\n"
    "[workload]\npattern = network_traffic\nload = 100 %\nwarm_up = 2000 cycles\nduration = 6000 cycles\n";

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder();
    g_free(temporary_file(folder, "network.ini", scenario));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static void simulate(const char *ends, const char *settings)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_auto(GStrv) list = g_strsplit(settings, ";", -1);
    g_string_printf(line, "%s/network.ini --set machine.sms=%s --set machine.partitions=%s", folder,
                    ends, ends);
    for (char **setting = list; *setting; setting++)
        g_string_append_printf(line, " --set '%s'", g_strstrip(*setting));
    run(folder, line->str);
}

static double number(const char *name)
{
    return summary_of(folder, "baseline", name);
}

/* Two SMs and two slices at a stop, where its links carry more than one source makes. */
#define FOUR_A_STOP "network.concentration = 4"
#define TORUS "network.topology = torus;" FOUR_A_STOP
#define TREE "network.topology = fat_tree; network.tree_children = 4"

static const struct {
    const char *ends, *settings;
    double accepted; /* packets a cycle and source */
} bounds[] = {
    /* 8 / N of a ring of N stops, 2 / (N - 1) one way */
    {"16", "network.topology = ring", 8.0 / 16},
    {"17", "network.topology = ring; network.ring_directions = 1", 2.0 / 16},
    /* 4 / k of a mesh of k x k, of two sources a stop half of it */
    {"32", "network.topology = mesh;" FOUR_A_STOP, 4.0 / 4 / 2},
    /* 8 k / (k^2 - 1) of a torus with an odd k */
    {"50", TORUS, 8.0 * 5 / 24 / 2},
    /* p / c x N / (N - c) of a fat tree: half and a quarter of the bisection; all of it is more
     * than a stop's cable */
    {"16", TREE "; network.tree_parents = 2", 2.0 / 4 * 16 / 12},
    {"16", TREE "; network.tree_parents = 1", 1.0 / 4 * 16 / 12},
    {"16", TREE, 1},
    /* a concentrator's one link for two and for four */
    {"16", "network.topology = hierarchical; network.concentration = 2", 1.0 / 2},
    {"16", "network.topology = hierarchical; network.concentration = 4", 1.0 / 4},
    /* d^2 / N between d dies */
    {"16", "network.topology = dies", 4.0 / 16},
    {"24", "network.topology = dies; network.dies = 3", 9.0 / 24},
};

static void expect_accepted(const char *settings, double expected)
{
    const double accepted = number("accepted_rate");
    if (g_getenv("SHOW")) g_printerr("%s: %.4f of %.4f\n", settings, accepted, expected);
    ck_assert_msg(fabs(accepted / expected - 1) <= 0.03, "%s: %.4f accepted, expected %.4f",
                  settings, accepted, expected);
}

START_TEST(saturated_topologies_carry_what_their_busiest_links_allow)
{
    simulate(bounds[_i].ends, bounds[_i].settings);
    expect_accepted(bounds[_i].settings, bounds[_i].accepted);
}
END_TEST

/* A line of numbers for each source. */
static char *write_matrix(const char *(*share)(unsigned source, unsigned destination))
{
    g_autoptr(GString) matrix = g_string_new(NULL);
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            g_string_append_printf(matrix, "%s%s", share(i, j), j < 15 ? " " : "\n");
    return temporary_file(folder, "matrix.txt", matrix->str);
}

static const char *to_the_next_group(unsigned source, unsigned destination)
{
    return destination / 4 == (source / 4 + 1) % 4 ? "0.25" : "0";
}

/* All of a group's four routers send to the next group, whose only link they share: 1 / (a p). */
START_TEST(a_dragonfly_s_groups_share_one_link_under_adversarial_traffic)
{
    g_autofree char *file = write_matrix(to_the_next_group);
    g_autofree char *settings =
        g_strdup_printf("network.topology = dragonfly; workload.destinations = matrix;"
                        "workload.file = %s",
                        file);
    simulate("16", settings);
    expect_accepted(settings, 1.0 / 4);
}
END_TEST

static const char *const shapes[] = {
    "network.topology = crossbar",
    "network.sm_places = 0 ns, 9 ns; network.slice_places = 1 cycles, 4 cycles, 7 cycles",
    "network.topology = ring",
    "network.topology = mesh; network.router_delay = 3 cycles",
    "network.topology = torus; network.link_latency = 5 cycles",
    TREE,
    "network.topology = dragonfly",
    "network.topology = hierarchical; network.concentration = 4",
    "network.topology = dies; network.link_latency = 20 cycles",
};

static const char *from_the_sixth(unsigned source, unsigned destination)
{
    (void)destination;
    return source == 5 ? "0.0625" : "0";
}

/* One source sends to everybody, a packet a cycle at most: none waits for another. */
START_TEST(alone_packets_take_the_same_in_both_timings)
{
    g_autofree char *file = write_matrix(from_the_sixth);
    g_autofree char *packet =
        g_strdup_printf("%s; workload.destinations = matrix; workload.load = 50 %%;"
                        "workload.file = %s",
                        shapes[_i], file);
    g_autofree char *flow = g_strconcat(packet, "; network.timing = flow", NULL);
    simulate("16", packet);
    const double mean = number("traffic_latency.mean"), most = number("traffic_latency.max");
    simulate("16", flow);
    ck_assert_double_ge(mean, 42 + 25);
    ck_assert_msg(fabs(number("traffic_latency.mean") - mean) < 1e-9, "%s: %.9g and %.9g",
                  shapes[_i], number("traffic_latency.mean"), mean);
    ck_assert_double_eq(number("traffic_latency.max"), most);
}
END_TEST

#define WIDTH(bytes)                                                                               \
    ";network.request_source_bandwidth = " bytes ";network.request_destination_bandwidth = " bytes \
    ";network.reply_source_bandwidth = " bytes ";network.reply_destination_bandwidth = " bytes     \
    ";network.request_link_bandwidth = " bytes ";network.reply_link_bandwidth = " bytes            \
    ";workload.way = round_trip;workload.data_bytes = 128 B;workload.load = 3 %"

static void expect_same_latency(double mean, double most, const char *settings)
{
    ck_assert_msg(number("traffic_latency.mean") == mean, "%s: %g and %g", settings,
                  number("traffic_latency.mean"), mean);
    ck_assert_double_eq(number("traffic_latency.max"), most);
}

/* A group of links that takes them all; the widths that it makes of 40 B are those of keys. */
START_TEST(one_key_is_the_width_of_every_link_of_each_topology)
{
    static const char *const timings[] = {"; network.timing = packet", "; network.timing = flow"};
    const char *shape = shapes[_i / 2], *timing = timings[_i % 2];
    g_autofree char *wide = g_strconcat(shape, WIDTH("40 B/cycle"), timing, NULL),
                    *narrow = g_strconcat(shape, WIDTH("10 B/cycle"), timing, NULL),
                    *scaled = g_strconcat(wide, "; link *.bandwidth_scale = 0.25", NULL);
    simulate("16", wide);
    const double before = number("traffic_latency.mean");
    simulate("16", narrow);
    const double mean = number("traffic_latency.mean"), most = number("traffic_latency.max");
    ck_assert_double_gt(mean, before + 10);
    simulate("16", scaled);
    expect_same_latency(mean, most, scaled);
}
END_TEST

/* SM 5 is at the first place, where half of the slices are; what is added is added to each. */
START_TEST(packets_take_the_wire_from_place_to_place)
{
    g_autofree char *file = write_matrix(from_the_sixth);
    g_autofree char *alike =
        g_strdup_printf("machine.network_clock = 1 GHz; workload.destinations = matrix;"
                        "workload.load = 50 %%; workload.file = %s",
                        file);
    g_autofree char *places = g_strconcat(
        "network.sm_places = 0 ns, 9 ns; network.slice_places = 0 ns, 10 cycles;", alike, NULL);
    g_autofree char *longer =
        g_strconcat("link request-wire-0-to-*.added_latency = 6 ns;", places, NULL);
    simulate("16", alike);
    const double near = number("traffic_latency.mean");
    simulate("16", places);
    ck_assert_double_eq_tol(number("traffic_latency.mean") - near, 10 / 2.0, 0.2);
    simulate("16", longer);
    ck_assert_double_eq_tol(number("traffic_latency.mean") - near, 10 / 2.0 + 6, 0.2);
}
END_TEST

/* "Overall average latency = 6.09083, accepted rate = 0.149475": BookSim 1.0 User's Guide, output
 * of examples/torus88. A packet of H hops takes H + 2 cycles alone there, here its bytes take one
 * more. */
START_TEST(a_torus_makes_packets_wait_as_BookSim_s_does)
{
    run(folder, "booksim --variant torus");
    const double mean = summary_of(folder, "torus", "traffic_latency.mean");
    ck_assert_double_eq_tol(summary_of(folder, "torus", "mean_hops"), 4, 0.02);
    ck_assert_double_eq_tol(summary_of(folder, "torus", "accepted_rate"), 0.149475, 0.001);
    ck_assert_msg(fabs((mean - 1) / 6.09083 - 1) <= 0.05, "%g cycles", mean);
}
END_TEST

/* 2 (k^2 - 1) / (3 k) hops on average, k = 8. */
START_TEST(alone_packets_take_their_hops_and_three_cycles)
{
    run(folder, "booksim --variant mesh --set 'workload.load=0.5 %'");
    const double mean = summary_of(folder, "mesh", "traffic_latency.mean"),
                 hops = summary_of(folder, "mesh", "mean_hops");
    ck_assert_double_eq_tol(hops, 5.25, 0.1);
    ck_assert_double_eq_tol(mean, hops + 3, 0.02);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("topologies");
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_loop_test(cases, saturated_topologies_carry_what_their_busiest_links_allow, 0,
                        G_N_ELEMENTS(bounds));
    tcase_add_test(cases, a_dragonfly_s_groups_share_one_link_under_adversarial_traffic);
    tcase_add_loop_test(cases, alone_packets_take_the_same_in_both_timings, 0,
                        G_N_ELEMENTS(shapes));
    tcase_add_loop_test(cases, one_key_is_the_width_of_every_link_of_each_topology, 0,
                        2 * G_N_ELEMENTS(shapes));
    tcase_add_test(cases, packets_take_the_wire_from_place_to_place);
    tcase_add_test(cases, a_torus_makes_packets_wait_as_BookSim_s_does);
    tcase_add_test(cases, alone_packets_take_their_hops_and_three_cycles);
    return harness_run_cases("topologies", cases);
}
