/* Whole machines with network timing `flow`: beside the crossbar, on a platform of the user's, and
 * what must be true of every drained run. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "rigs/harness.h"
#include "rigs/shipped.h"
#include "rigs/small_machine.h"

#define FLOW "network.timing = flow;"
#define CHASE                                                                                      \
    "workload.pattern = pointer_chase; workload.working_set = 64 KiB; workload.loads = 300;"       \
    "l1.cached = none"

enum { CHASE_LOADS = 300 };

/* --- runs in processes of their own, because each has one engine --- */

typedef struct {
    RunOutcome outcome;
    Time end;
    uint64_t hash, events, bundles;
    double latency; /* of a load of CHASE, in network cycles */
} Figures;

static Figures run_apart(const char *settings, const char *workload)
{
    int ends[2], state;
    Figures figures;
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (!child) {
        g_autoptr(Machine) machine = small_machine_new(settings, workload);
        const RunReport report = small_machine_run(machine);
        figures = (Figures){
            report.outcome,
            report.end,
            report.hash,
            report.events,
            report.bundles,
            time_to_cycles(machine_clock(machine, "network"), machine_measured_span(machine, NULL))
                / CHASE_LOADS};
        _exit(write(ends[1], &figures, sizeof figures) != sizeof figures);
    }
    close(ends[1]);
    ck_assert_int_eq(read(ends[0], &figures, sizeof figures), sizeof figures);
    close(ends[0]);
    ck_assert_int_eq(waitpid(child, &state, 0), child);
    ck_assert_int_eq(state, 0);
    ck_assert_int_eq(figures.outcome, RUN_FINISHED);
    return figures;
}

static char *shipped_file(const char *name)
{
    const char *root = g_getenv("WARPMEM_ROOT");
    return g_build_filename(root ? root : ".", "scenarios", "network", name, NULL);
}

/* --- without load --- */

/* The last: 136 B take 3.4 cycles where they need not be whole. */
static const char *const unloaded[] = {
    "",
    "network.concurrency = 0",
    "flow_network.in_flight = 0",
    "machine.network_clock = 900 MHz; machine.l2_clock = 1200 MHz",
    "network.request_source_latency = 7 cycles; network.reply_destination_latency = 90 cycles",
    "network.request_source_bandwidth = 16 B/cycle; network.reply_source_bandwidth = 24 B/cycle",
    "flow_network.whole_cycles = no",
};

START_TEST(a_chase_takes_as_long_as_through_the_crossbars)
{
    g_autofree char *flow = g_strconcat(FLOW, unloaded[_i], NULL);
    const double packet_latency = run_apart(unloaded[_i], CHASE).latency,
                 flow_latency = run_apart(flow, CHASE).latency;
    ck_assert_double_gt(packet_latency, 200);
    ck_assert_msg(fabs(flow_latency - packet_latency) <= 1, "%s: packet %.3f, flow %.3f cycles",
                  unloaded[_i], packet_latency, flow_latency);
}
END_TEST

/* Each load meets the same links and routers, whoever times them. */
static const char *const topologies[] = {
    "network.topology = ring; network.concentration = 1",
    "network.topology = ring; network.ring_directions = 1",
    "network.topology = mesh; network.concentration = 1",
    "network.topology = torus; network.concentration = 1; network.router_delay = 0 cycles",
    "network.topology = fat_tree; network.tree_children = 2; network.concentration = 1",
    "network.topology = dragonfly; network.group_routers = 2; network.concentration = 1",
    "network.topology = hierarchical; network.concentration = 2; network.link_latency = 9 cycles",
    "network.topology = dies; network.link_latency = 30 cycles",
};

START_TEST(a_chase_takes_as_long_on_every_topology_in_both_timings)
{
    g_autofree char *flow = g_strconcat(FLOW, topologies[_i], NULL);
    const double packet_latency = run_apart(topologies[_i], CHASE).latency,
                 flow_latency = run_apart(flow, CHASE).latency;
    ck_assert_msg(fabs(flow_latency - packet_latency) <= 1, "%s: packet %.3f, flow %.3f cycles",
                  topologies[_i], packet_latency, flow_latency);
}
END_TEST

/* 20 + 13 + 20 ns each way, as 48 + 25 cycles of 1380 MHz. */
START_TEST(a_tree_of_the_same_latency_answers_a_chase_as_fast)
{
    g_autofree char *file = shipped_file("flow-tree.xml");
    g_autofree char *tree = g_strconcat(FLOW "network.platform = ", file, NULL);
    static const char ways[] =
        "network.request_source_latency = 48 cycles; network.reply_source_latency = 47 cycles";
    const double packet_latency = run_apart(ways, CHASE).latency,
                 tree_latency = run_apart(tree, CHASE).latency;
    ck_assert_msg(fabs(tree_latency - packet_latency) <= 1, "packet %.3f, tree %.3f cycles",
                  packet_latency, tree_latency);
}
END_TEST

/* On a platform of the user's with routers between them, whose latencies are whole cycles: an SM of
 * one half reads the slices of both. */
START_TEST(a_chase_takes_as_long_over_routers_as_in_flow)
{
    g_autofree char *file = shipped_file("hierarchy.xml");
    g_autofree char *routers =
        g_strconcat("network.platform = ", file, "; machine.sms = 1; machine.partitions = 8", NULL);
    g_autofree char *flow = g_strconcat(FLOW, routers, NULL);
    const double packet_latency = run_apart(routers, CHASE).latency,
                 flow_latency = run_apart(flow, CHASE).latency;
    ck_assert_double_gt(packet_latency, 2 * (20 + 10 + 15 + 20));
    ck_assert_double_eq_tol(flow_latency, packet_latency, 1);
}
END_TEST

/* A platform whose ways differ: 30 ns to slice0 and longer ones to the others, and back. */
#define HOSTS                                                                                      \
    "<host id=\"sm0\" speed=\"1f\"/><host id=\"sm1\" speed=\"1f\"/>"                               \
    "<host id=\"sm2\" speed=\"1f\"/><host id=\"slice0\" speed=\"1f\"/>"                            \
    "<host id=\"slice1\" speed=\"1f\"/><host id=\"slice2\" speed=\"1f\"/>"
#define HEAD                                                                                       \
    "<?xml version='1.0'?>\n"                                                                      \
    "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">"

static char *write_platform(const char *folder, const char *far)
{
    g_autoptr(GString) xml = g_string_new(HEAD "<zone id=\"all\" routing=\"Full\">" HOSTS);
    g_string_append_printf(xml,
                           "<link id=\"near\" bandwidth=\"55.2Bps\" latency=\"30s\"/>"
                           "<link id=\"far\" bandwidth=\"55.2Bps\" latency=\"%ss\"/>",
                           far);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            g_string_append_printf(xml,
                                   "<route src=\"sm%u\" dst=\"slice%u\"><link_ctn id=\"near\"/>%s"
                                   "</route>",
                                   i, j, j ? "<link_ctn id=\"far\"/>" : "");
    g_string_append(xml, "</zone></platform>");
    return temporary_file(folder, "ways.xml", xml->str);
}

/* Without the far link all ways take 30 ns, 41 cycles, however its links divide them. A chase's
 * lines lie on all three slices, so with it two thirds of the loads take 100 ns longer each way. */
START_TEST(each_route_has_its_own_latency)
{
    char *folder = temporary_folder();
    double latency[2];
    static const char *const far[] = {"0", "100"};
    for (guint k = 0; k < 2; k++) {
        g_autofree char *file = write_platform(folder, far[k]);
        g_autofree char *settings = g_strconcat(FLOW "network.platform = ", file, NULL);
        latency[k] = run_apart(settings, CHASE).latency;
    }
    temporary_remove(folder);
    const double through_crossbars = run_apart("network.request_source_latency = 21 cycles;"
                                               "network.request_destination_latency = 20 cycles;"
                                               "network.reply_source_latency = 21 cycles;"
                                               "network.reply_destination_latency = 20 cycles",
                                               CHASE)
                                         .latency;
    ck_assert_msg(fabs(latency[0] - through_crossbars) <= 1, "%.3f and %.3f cycles", latency[0],
                  through_crossbars);
    const double longer = (latency[1] - latency[0]) / 1.38;
    ck_assert_msg(longer > 0.55 * 200 && longer < 0.78 * 200, "%.1f ns", longer);
}
END_TEST

/* --- what must be true of every drained run --- */

static const char *const runs[] = {
    "workload.pattern = stream; workload.operation = triad; workload.array_bytes = 64 KiB;"
    "workload.threads_per_cta = 256; workload.launches = 2; workload.warm_up_launches = 1",
    "workload.pattern = stream; workload.operation = scale; workload.array_bytes = 64 KiB;"
    "workload.threads_per_cta = 64; flow_network.in_flight = 0; network.concurrency = 0;"
    "network.l2_input_buffer = 3",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "64 KiB; workload.operation = load_store; network.input_buffer = 3; network.concurrency = 2;"
    "flow_network.in_flight = 0",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "8 KiB; workload.operation = atomic; machine.l2_clock = 1200 MHz;"
    "machine.network_clock = 900 MHz; flow_network.whole_cycles = no",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint = "
    "64 KiB; workload.operation = store; machine.sms = 4; machine.partitions = 4;"
    "machine.l2_halves = 2; network.input_buffer = 2; l2_slice.cross_entries = 2",
};

static void expect_little(const Unit *unit, const Stat *stat, const Level *level)
{
    ck_assert_msg(!level->now, "%s.%s: %" G_GUINT64_FORMAT " left", unit->path, stat->name,
                  level->now);
    if (strcmp(unit->class->name, "sm") != 0)
        ck_assert_msg(level->integral == level->stay,
                      "%s.%s: integral %" G_GUINT64_FORMAT ", stays %" G_GUINT64_FORMAT, unit->path,
                      stat->name, level->integral, level->stay);
}

static void expect_stages_add_up(const Unit *unit, const Stat *stat, const StageSums *sums)
{
    Time total = 0;
    for (unsigned i = 0; i < STAGE_COUNT; i++) total += sums->stage[i];
    ck_assert_msg(total == sums->latency, "%s.%s", unit->path, stat->name);
}

static void expect_identities(Machine *machine)
{
    guint levels = 0, classes = 0;
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        ck_assert(!inbox_expects(&unit->inbox));
        for (const Stat *stat = unit->class->stats; stat->name; stat++) {
            const void *field = (const char *)unit + stat->offset;
            if (stat->type == STAT_LEVEL) expect_little(unit, stat, field);
            if (stat->type == STAT_STAGES) expect_stages_add_up(unit, stat, field);
            levels += stat->type == STAT_LEVEL;
            classes += stat->type == STAT_STAGES;
        }
    }
    ck_assert_uint_ge(levels, 30);
    ck_assert_uint_ge(classes, 18);
}

START_TEST(stages_add_up_littles_law_holds_and_every_request_has_its_reply)
{
    g_autoptr(Machine) machine = small_machine_new(FLOW, runs[_i]);
    const RunReport report = small_machine_run(machine);
    ck_assert_int_eq(report.outcome, RUN_FINISHED);
    expect_identities(machine);
    const uint64_t requests = small_machine_sum(machine, "l1", "requests");
    ck_assert_uint_gt(requests, 0);
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "replies"), requests);
    ck_assert_uint_eq(small_machine_sum(machine, "flow_network[request]", "packets"), requests);
    ck_assert_uint_eq(small_machine_sum(machine, "flow_network[reply]", "packets"), requests);
    ck_assert_uint_ge(report.bundles, 2 * requests);
    ck_assert_uint_eq(small_machine_sum(machine, "flow_network[request]", "bytes"),
                      small_machine_sum(machine, "l1", "bytes_to_network") + 8 * requests);
    ck_assert_uint_eq(small_machine_sum(machine, "flow_network[reply]", "bytes"),
                      small_machine_sum(machine, "l2_slice", "bytes_read") + 8 * requests);
}
END_TEST

START_TEST(a_run_repeated_is_the_same_run)
{
    const Figures first = run_apart(FLOW, runs[_i]), second = run_apart(FLOW, runs[_i]);
    ck_assert_uint_eq(first.hash, second.hash);
    ck_assert_uint_eq(first.end, second.end);
    ck_assert_uint_eq(first.events, second.events);
}
END_TEST

/* --- settings and files that do not go --- */

static void expect_rejected(const char *settings, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(settings);
    ck_assert_msg(!machine_check(configuration, &error), "%s was taken", settings);
    ck_assert_msg(strstr(error->message, message), "%s: %s", settings, error->message);
    ck_assert_msg(!strchr(error->message, '\n'), "more than a line: %s", error->message);
}

static const struct {
    const char *settings, *message;
} rejected[] = {
    {FLOW "network.platform = some.xml; network.topology = torus",
     "network.topology = torus: network.platform says how SMs and slices are joined"},
    {FLOW "network.topology = dies; network.dies = 4", "network.dies = 4: each die has an SM"},
    {FLOW "simulation.deployment = sm",
     "simulation.deployment = sm: network.timing = flow runs all units on one tile"},
    {FLOW "simulation.quantum = 3 ns",
     "simulation.quantum = 3 ns: network.timing = flow has no windows"},
    {FLOW "simulation.threads = 2",
     "simulation.threads = 2: network.timing = flow has SimGrid's clock, which is one"},
    {"simulation.threads = 2; simulation.deployment = unit",
     "simulation.threads = 2: threads divide the one tile of simulation.deployment = auto"},
    {FLOW "network.platform = /nowhere/some.xml",
     "/nowhere/some.xml: there is no such SimGrid platform file"},
    {FLOW "network.ideal = both",
     "network.ideal = both: network.timing = flow leaves no network to be ideal"},
    {"network.timing = fluid", "network.timing = fluid"},
};

START_TEST(settings_that_do_not_go_together_are_rejected)
{
    expect_rejected(rejected[_i].settings, rejected[_i].message);
}
END_TEST

START_TEST(what_flow_would_choose_itself_may_be_said)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration =
        small_machine_configuration(FLOW "simulation.deployment = auto; simulation.quantum = 0 ns");
    ck_assert_msg(machine_check(configuration, &error), "%s", error ? error->message : "");
}
END_TEST

#define PEER(name, x)                                                                              \
    "<peer id=\"" name "\" coordinates=\"" #x " 0 0\" speed=\"1f\" bw_in=\"1Bps\" bw_out=\"1Bps\"/>"

static const struct {
    const char *text, *message;
} broken[] = {
    {"", "broken.xml: no SimGrid platform: "},
    {"a network of two levels", "broken.xml: no SimGrid platform: Parse error at "},
    {HEAD "<zone id=\"all\" routing=\"Full\">" HOSTS "</platform>",
     "broken.xml: no SimGrid platform: Parse error at "},
    {HEAD "<zone id=\"all\" routing=\"Full\">" HOSTS "</zone></platform>",
     "broken.xml: the route from 'sm0' to 'slice0' has no link"},
    {HEAD "<zone id=\"all\" routing=\"Full\"><zone id=\"sms\" routing=\"Full\">" HOSTS
          "</zone><link id=\"l\" bandwidth=\"1Bps\" latency=\"1s\"/>"
          "<zoneRoute src=\"sms\" dst=\"gone\" gw_src=\"sm0\" gw_dst=\"slice0\">"
          "<link_ctn id=\"l\"/></zoneRoute></zone></platform>",
     "zoneRoute dst='gone'"},
    {HEAD "<zone id=\"all\" routing=\"Vivaldi\">" PEER("sm0", 3000) PEER("sm1", 0) PEER("sm2", 0)
         PEER("slice0", 0) PEER("slice1", 0) PEER("slice2", 0) "</zone></platform>",
     "broken.xml: the route from 'sm0' to 'slice0' takes 3 ns, and its links 0 ns; warpmem knows "
     "only latencies of links"},
    {HEAD "<zone id=\"all\" routing=\"Full\"><host id=\"sm0\" speed=\"1f\"/></zone></platform>",
     "broken.xml: has no host 'sm1'; each SM needs one (sm0, sm1, ...), and each L2 slice "
     "(slice0, slice1, ...)"},
};

START_TEST(a_broken_platform_is_named_with_what_is_wrong)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(folder, "broken.xml", broken[_i].text);
    g_autofree char *settings = g_strconcat(FLOW "network.platform = ", file, NULL);
    expect_rejected(settings, broken[_i].message);
    temporary_remove(folder);
}
END_TEST

/* --- the shipped scenario --- */

static int run_for_status(const char *arguments, char **errors)
{
    int status = 0;
    g_autofree char *line = g_strdup_printf("%s run %s", g_getenv("WARPMEM_PROGRAM"), arguments);
    ck_assert(g_spawn_command_line_sync(line, NULL, errors, &status, NULL));
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(a_broken_platform_is_bad_input_in_one_line)
{
    char *folder = temporary_folder(), *errors = NULL;
    g_autofree char *file = temporary_file(folder, "broken.xml", "<platform");
    g_autofree char *line =
        g_strdup_printf("flow -q --variant tree --set network.platform=%s", file);
    ck_assert_int_eq(run_for_status(line, &errors), 2);
    ck_assert_msg(strstr(errors, "broken.xml: no SimGrid platform: ") && strchr(errors, '\n')
                      && !strchr(errors, '\n')[1],
                  "%s", errors);
    g_free(errors);
    temporary_remove(folder);
}
END_TEST

START_TEST(the_scenario_runs_and_gives_the_same_bytes_again)
{
    static const char *const variants[] = {"flow", "flow-overtaking", "flow-shared", "tree"};
    char *first = temporary_folder(), *second = temporary_folder();
    run(first, "flow");
    run(second, "flow");
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++) {
        g_autofree char *a = result_text(first, variants[i]), *b = result_text(second, variants[i]);
        ck_assert_str_eq(a, b);
        ck_assert_ptr_nonnull(strstr(a, "\"timing\""));
    }
    const double flow = summary_of(first, "flow", "time_ns");
    /* The links of the tree are those of the others, but for the trunk that two SMs share. */
    ck_assert_double_gt(summary_of(first, "tree", "time_ns"), 1.2 * flow);
    ck_assert_double_lt(summary_of(first, "flow-overtaking", "time_ns"), 0.9 * flow);
    temporary_remove(first);
    temporary_remove(second);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("flow");
    tcase_add_loop_test(cases, a_chase_takes_as_long_as_through_the_crossbars, 0,
                        G_N_ELEMENTS(unloaded));
    tcase_add_loop_test(cases, a_chase_takes_as_long_on_every_topology_in_both_timings, 0,
                        G_N_ELEMENTS(topologies));
    tcase_add_test(cases, a_tree_of_the_same_latency_answers_a_chase_as_fast);
    tcase_add_test(cases, a_chase_takes_as_long_over_routers_as_in_flow);
    tcase_add_test(cases, each_route_has_its_own_latency);
    tcase_add_loop_test(cases, stages_add_up_littles_law_holds_and_every_request_has_its_reply, 0,
                        G_N_ELEMENTS(runs));
    tcase_add_loop_test(cases, a_run_repeated_is_the_same_run, 0, G_N_ELEMENTS(runs));
    tcase_add_loop_test(cases, settings_that_do_not_go_together_are_rejected, 0,
                        G_N_ELEMENTS(rejected));
    tcase_add_test(cases, what_flow_would_choose_itself_may_be_said);
    tcase_add_loop_test(cases, a_broken_platform_is_named_with_what_is_wrong, 0,
                        G_N_ELEMENTS(broken));
    tcase_add_test(cases, a_broken_platform_is_bad_input_in_one_line);
    tcase_add_test(cases, the_scenario_runs_and_gives_the_same_bytes_again);
    return harness_run_cases("flow", cases);
}
