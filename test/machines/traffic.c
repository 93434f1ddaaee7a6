/* Traffic without a GPU on whole machines, against theory: what a crossbar carries and how long its
 * packets wait, what DRAM carries; and that it is the same in every deployment. */
#include <math.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"
#include "scenarios/program/verdict/verdict.h"

#define NEAR(value, expected, relative)                                                            \
    do {                                                                                           \
        const double value_ = (value), expected_ = (expected);                                     \
        if (g_getenv("SHOW")) g_printerr("%s: %g of %g\n", #value, value_, expected_);             \
        ck_assert_msg(fabs(value_ / expected_ - 1) <= (relative), "%s: %g, expected %g", #value,   \
                      value_, expected_);                                                          \
    } while (0)

/* N x N, requests of a header: a cycle of every link. Links of a cycle each way. */
static const char network[] =
    "[scenario]\ntitle = network\nextends = v100\n[machine]\nsms = 16\npartitions = 16\n"
    "slices_per_partition = 1\npeak_bandwidth_gbps = 0\n[crossbar]\nqueueing = fifo\n"
    "arbitration = round_robin\n[network]\nsm_places =\nslice_places =\ninput_buffer = 256\nl2_input_buffer = 256\n"
    "[workload]\npattern = network_traffic\n";

static const char memory[] =
    "[scenario]\ntitle = memory\nextends = v100\n[machine]\npartitions = 2\n"
    "peak_bandwidth_gbps = 0\n[workload]\npattern = memory_traffic\narray_bytes = 8 MiB\n"
    "warm_up = 1000 cycles\nduration = 10000 cycles\n";

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder();
    g_free(temporary_file(folder, "network.ini", network));
    g_free(temporary_file(folder, "memory.ini", memory));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

/* Runs "NAME.ini --set ...". */
static void simulate(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void simulate(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *rest = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *line = g_strdup_printf("%s/%s", folder, rest);
    run(folder, line);
}

static double number(const char *name)
{
    return summary_of(folder, "baseline", name);
}

static double idle_latency(void)
{
    simulate("network.ini --set 'workload.load=0.5 %%' --set workload.destinations=neighbour");
    return number("traffic_latency.mean");
}

/* --- the network alone ------------------------------------------------------------------------ */

/* Karol, Hluchyj, Morgan, "Input Versus Output Queueing on a Space-Division Packet Switch", 1987,
 * table I; 16 ports as BookSim has them. */
static const struct {
    int ports;
    double throughput;
} limits[] = {{2, 0.75}, {4, 0.6553}, {8, 0.6184}, {16, 0.6013}};

START_TEST(uniform_traffic_saturates_one_queue_an_input_as_the_table_says)
{
    simulate("network.ini --set workload.load=1 --set machine.sms=%d --set machine.partitions=%d "
             "--set 'workload.duration=40000 cycles'",
             limits[_i].ports, limits[_i].ports);
    NEAR(number("offered_rate"), 1, 1e-9);
    NEAR(number("accepted_rate"), limits[_i].throughput, 0.01);
}
END_TEST

/* M/D/1 of slots: W = (N - 1)/N l / (2 (1 - l)). */
static const double loads[] = {0.5, 0.7, 0.8};

START_TEST(output_queues_wait_as_the_formula_says)
{
    const double idle = idle_latency(), load = loads[_i];
    simulate("network.ini --set workload.load=%g --set crossbar.speedup=16 --set "
             "crossbar.output_buffer=65536 --set 'workload.duration=40000 cycles'",
             load);
    NEAR(number("accepted_rate"), load, 0.01);
    NEAR(number("traffic_latency.mean") - idle, 15.0 / 16 * load / (2 * (1 - load)), 0.04);
}
END_TEST

/* Of each source's l packets a share h and a sixteenth of the rest go to one output, which takes
 * one a cycle: l = 1 / (16 h + 1 - h). */
START_TEST(a_hotspot_limits_all)
{
    simulate("network.ini --set workload.load=1 --set workload.destinations=hotspot --set "
             "workload.hotspot=3 --set workload.hotspot_share=0.25");
    NEAR(number("accepted_rate"), 1 / (16 * 0.25 + 0.75), 0.01);
}
END_TEST

static const char *const permutations[] = {"transpose", "bit_complement", "neighbour"};

START_TEST(what_does_not_collide_is_all_accepted)
{
    simulate("network.ini --set workload.load=1 --set workload.destinations=%s", permutations[_i]);
    NEAR(number("accepted_rate"), 1, 0.001);
}
END_TEST

/* 32 B/cycle: a reply of a header and 32 B of data takes two cycles of its links, so that half of a
 * packet a cycle is all there is. */
START_TEST(a_reply_with_data_takes_more_of_a_link)
{
    simulate("network.ini --set workload.load=1 --set workload.destinations=neighbour --set "
             "workload.way=replies --set 'workload.data_bytes=32 B' --set 'network.reply_source_"
             "bandwidth=32 B/cycle' --set 'network.reply_destination_bandwidth=32 B/cycle'");
    NEAR(number("accepted_rate"), 0.5, 0.001);
}
END_TEST

/* Row i of the matrix: SM i sends (i + 1) / 32 packets a cycle to slice 15 - i. */
START_TEST(a_matrix_says_who_sends_how_much_to_whom)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            g_string_append_printf(text, "%g%c", i + j == 15 ? (i + 1) / 32.0 : 0,
                                   j == 15 ? '\n' : ' ');
    g_free(temporary_file(folder, "matrix", text->str));
    g_string_free(text, TRUE);
    simulate("network.ini --set workload.load=1 --set workload.destinations=matrix --set "
             "workload.file=%s/matrix --set 'workload.duration=40000 cycles'",
             folder);
    NEAR(number("accepted_rate"), 136.0 / 32 / 16, 0.01);
    NEAR(result_number(folder, "baseline", "units.network_traffic.total.least_from_source"),
         40000 / 32.0, 0.1);
    NEAR(result_number(folder, "baseline", "units.network_traffic.total.most_from_source"),
         40000 / 2.0, 0.03);
}
END_TEST

/* Replies of a header and a line of 128 B take four cycles: the request network stands still for
 * the reply network, which is at the limit of one queue an input. */
START_TEST(requests_that_wait_for_replies_are_followed_to_the_reply_network)
{
    simulate("network.ini --set workload.load=0.8 --set workload.way=round_trip --set "
             "'workload.data_bytes=128 B' --set 'workload.duration=2000 cycles'");
    g_autofree char *text = result_text(folder, "baseline");
    g_autoptr(JsonNode) result = json_from_string(text, NULL);
    g_autoptr(Verdict) verdict = verdict_new(result);
    ck_assert_str_eq(verdict->component, "reply_network");
    ck_assert_msg(g_str_has_prefix(verdict->chain, "network_traffic.to_request_network "), "%s",
                  verdict->chain);
    ck_assert_ptr_nonnull(strstr(verdict->chain, "> crossbar[reply].passing "));
    ck_assert_str_eq(verdict->ends[0], "crossbar[reply].passing");
}
END_TEST

/* --- memory alone ----------------------------------------------------------------------------- */

START_TEST(memory_carries_what_is_offered)
{
    simulate("memory.ini --set 'workload.load=50 %%' --set 'workload.duration=50000 cycles' "
             "--set access_scheduler.page_policy=open");
    NEAR(number("dram.bandwidth_gbps"), number("offered_gbps"), 0.02);
    NEAR(number("dram.peak_gbps"), 2 * number("offered_gbps"), 1e-6);
    ck_assert_double_gt(number("dram.row_hit_rate"), 0.9);
}
END_TEST

/* What refreshes and opened rows leave of the bus. */
START_TEST(a_stream_fills_the_bus)
{
    simulate("memory.ini --set 'workload.load=150 %%'");
    ck_assert_double_gt(number("dram.bandwidth_gbps"), 0.93 * number("dram.peak_gbps"));
    ck_assert_double_le(number("dram.bandwidth_gbps"), number("dram.peak_gbps"));
}
END_TEST

START_TEST(a_list_in_a_file_is_served_to_its_end)
{
    GString *text = g_string_new("# cycle address operation\n");
    for (int k = 0; k < 2000; k++)
        g_string_append_printf(text, "%d 0x%x %c\n", 2 * k, 128 * k, k % 4 ? 'R' : 'W');
    g_free(temporary_file(folder, "list.txt", text->str));
    g_string_free(text, TRUE);
    g_free(temporary_file(folder, "list.ini",
                          "[scenario]\ntitle = list\nextends = v100\n[machine]\npartitions = 2\n"
                          "peak_bandwidth_gbps = 0\n[workload]\npattern = memory_list\n"
                          "file = list.txt\nrequest_bytes = 128 B\n"));
    simulate("list.ini");
    ck_assert_double_eq(number("traffic_latency.count"), 2000);
    ck_assert_double_eq(number("dram.write_bytes"), 500 * 128);
    ck_assert_double_eq(number("dram.read_bytes"), 1500 * 128);
}
END_TEST

/* --- the rest of the program ------------------------------------------------------------------ */

static const struct {
    const char *scenario;
    const char *settings;
} runs[] = {
    {"network", "--set workload.load=0.7 --set workload.way=round_trip --set "
                "workload.write_share=0.3 --set 'workload.duration=1000 cycles'"},
    {"network", "--set workload.load=0.2 --set network.topology=mesh --set machine.sms=6 --set "
                "machine.partitions=6 --set 'workload.duration=400 cycles'"},
    {"memory", "--set workload.write_share=0.3 --set workload.order=random --set "
               "'workload.duration=3000 cycles'"},
};

START_TEST(each_deployment_has_the_same_bytes)
{
    static const char *const deployments[] = {"auto", "sm", "unit"};
    g_autofree char *first = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(deployments); i++) {
        simulate("%s.ini %s --set simulation.deployment=%s", runs[_i].scenario, runs[_i].settings,
                 deployments[i]);
        g_autofree char *text = result_text(folder, "baseline");
        if (!first) first = g_strdup(text);
        ck_assert_str_eq(text, first);
    }
}
END_TEST

/* The rate and pattern are the traffic's own: another machine is asked for the same packets. */
START_TEST(another_machine_is_offered_the_same)
{
    simulate("network.ini --set workload.load=0.7");
    const double made = number("traffic_latency.count");
    simulate("network.ini --set workload.load=0.7 --set crossbar.queueing=virtual_output");
    ck_assert_double_eq(number("traffic_latency.count"), made);
}
END_TEST

START_TEST(a_study_has_a_curve_in_packets)
{
    g_autofree char *text = g_strconcat(network,
                                        "duration = 3000 cycles\nwarm_up = 500 cycles\n"
                                        "[study]\nworkload.load = 10 %, 50 %, 90 %\n",
                                        NULL);
    g_free(temporary_file(folder, "study.ini", text));
    Outcome done = warpmem(folder, "study run study.ini -o study -q");
    ck_assert_msg(done.status == 0, "%s", done.errors);
    done = warpmem(folder, "study curve study");
    ck_assert_int_eq(done.status, 0);
    ck_assert_ptr_nonnull(strstr(done.out, "achieved packets a cycle"));
    ck_assert_ptr_nonnull(strstr(done.out, "saturation at 0.5"));
    done = warpmem(folder, "study curve study --json");
    ck_assert_ptr_nonnull(strstr(done.out, "\"achieved_rate\""));
    done = warpmem(folder, "report study -o study.html");
    ck_assert_msg(done.status == 0, "%s", done.errors);
}
END_TEST

START_TEST(views_of_a_run_are_made)
{
    static const char *const commands[] = {
        "check network.ini",
        "check memory.ini",
        "report out -o out.html",
        "compare out out",
        "why memory.ini --set 'workload.load=150 %' --set machine.partitions=1 --runs 3",
        "timeline memory.ini --set 'workload.duration=300 cycles' -o t.json"};
    Outcome done = warpmem(folder, "run memory.ini -o out");
    ck_assert_int_eq(done.status, 0);
    ck_assert_ptr_nonnull(strstr(done.out, "mean latency"));
    ck_assert_ptr_null(strstr(done.out, "warp instructions"));
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        done = warpmem(folder, commands[i]);
        ck_assert_msg(done.status == 0, "%s: %s", commands[i], done.errors);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("traffic"), *repeating = tcase_create("long runs");
    tcase_set_timeout(cases, 120);
    tcase_set_timeout(repeating, 120);
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_checked_fixture(repeating, make_folder, remove_folder);
    tcase_add_loop_test(repeating, uniform_traffic_saturates_one_queue_an_input_as_the_table_says,
                        0, (int)G_N_ELEMENTS(limits));
    tcase_add_loop_test(repeating, output_queues_wait_as_the_formula_says, 0,
                        (int)G_N_ELEMENTS(loads));
    tcase_add_test(cases, a_hotspot_limits_all);
    tcase_add_loop_test(cases, what_does_not_collide_is_all_accepted, 0,
                        (int)G_N_ELEMENTS(permutations));
    tcase_add_test(cases, a_reply_with_data_takes_more_of_a_link);
    tcase_add_test(cases, a_matrix_says_who_sends_how_much_to_whom);
    tcase_add_test(cases, requests_that_wait_for_replies_are_followed_to_the_reply_network);
    tcase_add_test(cases, memory_carries_what_is_offered);
    tcase_add_test(cases, a_stream_fills_the_bus);
    tcase_add_test(cases, a_list_in_a_file_is_served_to_its_end);
    tcase_add_loop_test(cases, each_deployment_has_the_same_bytes, 0, (int)G_N_ELEMENTS(runs));
    tcase_add_test(cases, another_machine_is_offered_the_same);
    tcase_add_test(cases, a_study_has_a_curve_in_packets);
    tcase_add_test(cases, views_of_a_run_are_made);
    return harness_run_repeating("traffic", cases, repeating);
}
