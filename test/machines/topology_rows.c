/* Whole machines whose SMs and L2 slices are joined by a ring or a mesh: what every run must keep,
 * and what becomes of all-to-all traffic. */
#include "kit/gpu/network.h"
#include "platform/machine/deployment.h"
#include "rigs/harness.h"
#include "rigs/shipped.h"
#include "rigs/small_machine.h"

#define TIGHT "network.link_buffer = 2; network.input_buffer = 3; network.l2_input_buffer = 3;"

static const char *const machines[] = {
    "network.topology = ring; network.concentration = 1;" TIGHT,
    "network.topology = ring; network.ring_directions = 1; router.arbitration = round_robin;" TIGHT,
    "network.topology = mesh; network.concentration = 1;" TIGHT,
    "network.topology = mesh; network.slice_placement = edges; machine.network_clock = 900 MHz",
    "network.topology = ring; network.concentration = 32",
};

static const char all_kinds[] =
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6;"
    "workload.footprint = 256 KiB; workload.operation = load_store";

/* Every level of the unit, and every breakdown. */
static void expect_consistent(const Unit *unit)
{
    for (const Stat *stat = unit->class->stats; stat->name; stat++) {
        const void *field = (const char *)unit + stat->offset;
        if (stat->type == STAT_LEVEL) ck_assert_uint_eq(((const Level *)field)->now, 0);
        if (stat->type != STAT_STAGES) continue;
        const StageSums *sums = field;
        Time total = 0;
        for (unsigned i = 0; i < STAGE_COUNT; i++) total += sums->stage[i];
        ck_assert_uint_eq(total, sums->latency);
    }
    if (strcmp(unit->class->name, "router") != 0) return;
    const Level *queued = small_machine_stat(unit->class, unit, "queued");
    ck_assert_uint_eq(queued->stay, queued->integral);
}

START_TEST(requests_and_replies_pass_all_routers_and_none_is_lost)
{
    g_autoptr(Machine) machine = small_machine_new(machines[_i], all_kinds);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const uint64_t requests = small_machine_sum(machine, "l1", "requests");
    ck_assert_uint_gt(requests, 500);
    ck_assert_uint_eq(small_machine_sum(machine, "l1", "replies"), requests);
    ck_assert_uint_eq(small_machine_sum(machine, "l2_slice", "accesses"), requests);
    ck_assert_uint_eq(small_machine_sum(machine, "router", "packets"), 2 * requests);
    ck_assert_uint_eq(small_machine_sum(machine, "router", "delivered"), 2 * requests);
    ck_assert_uint_eq(small_machine_sum(machine, "router", "hops"),
                      small_machine_sum(machine, "router", "link_packets"));
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        expect_consistent(simulation_unit(simulation, i));
}
END_TEST

/* One SM and one slice at neighbouring stops, one load at a time: 42 + (2 router + 5 wire) + 25 to
 * L2, 40 + 7 + 25 back; a cycle for a request and five for a line. */
START_TEST(without_load_a_hop_takes_a_router_and_a_wire)
{
    g_autoptr(Machine) machine = small_machine_new(
        "machine.sms = 1; machine.partitions = 1; network.topology = ring;"
        "network.concentration = 1; network.link_latency = 5 cycles; network.router_delay = 2 cycles;"
        "l1.cached = none; l2_slice.capacity = 96 KiB",
        "workload.pattern = pointer_chase; workload.working_set = 16 KiB; workload.loads = 500");
    small_machine_run(machine);
    const Time cycle = machine_clock(machine, "network")->period;
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *l1 = simulation_unit(simulation, i);
        if (strcmp(l1->class->name, "l1") != 0) continue;
        const StageSums *hits = small_machine_stat(l1->class, l1, "stages_load_l2_hit");
        ck_assert_uint_gt(hits->count, 200);
        const Time unit = hits->count * cycle;
        ck_assert_uint_eq(hits->stage[STAGE_REQUEST_QUEUE], 0);
        ck_assert_uint_eq(hits->stage[STAGE_REQUEST_WIRE], (42 + 7 + 25) * unit);
        ck_assert_uint_eq(hits->stage[STAGE_REQUEST_TRANSFER], unit);
        ck_assert_uint_eq(hits->stage[STAGE_REPLY_QUEUE], 0);
        ck_assert_uint_eq(hits->stage[STAGE_REPLY_WIRE], (40 + 7 + 25) * unit);
    }
}
END_TEST

START_TEST(a_buffer_below_the_round_trip_of_its_link_is_warned_about)
{
    g_autoptr(Configuration) configuration = small_machine_configuration(
        "network.topology = ring; network.link_latency = 9 cycles; network.link_buffer = 18;"
        "network.router_delay = 1 cycles");
    g_autoptr(Machine) machine = machine_new(configuration, NULL, NULL);
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    ck_assert_uint_eq(warnings->len, 1);
    ck_assert_ptr_nonnull(strstr(warnings->pdata[0], "network.link_buffer = 18: too small"));
    small_machine_set(configuration, "network.link_buffer = 19");
    g_autoptr(Machine) enough = machine_new(configuration, NULL, NULL);
    g_autoptr(GPtrArray) none = machine_warnings(enough);
    ck_assert_uint_eq(none->len, 0);
}
END_TEST

static bool stands_with(const Seat *a, const Seat *b)
{
    return a->tile == b->tile && a->section == b->section && a->group == b->group;
}

/* A network is a group: its routers hand on to each other in few cycles. */
START_TEST(routers_of_a_network_run_together_and_with_nobody_else)
{
    g_autoptr(Machine) machine = small_machine_new(machines[0], all_kinds);
    const Simulation *simulation = machine_simulation(machine);
    uint32_t tiles, first[NETWORKS] = {0}, routers = 0;
    g_autofree Seat *seat = deployment_lay_out(simulation, DEPLOY_AUTO, 1, &tiles);
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const char *path = simulation_unit(simulation, i)->path;
        const bool requests = g_str_has_prefix(path, "router[request]");
        if (!g_str_has_prefix(path, "router")) continue;
        if (!first[requests]) first[requests] = i;
        ck_assert(stands_with(&seat[i], &seat[first[requests]]));
        routers++;
    }
    ck_assert_uint_eq(routers, 2 * 6);
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        for (guint network = 0; network < NETWORKS; network++)
            routers -= stands_with(&seat[i], &seat[first[network]]);
    ck_assert_uint_eq(routers, 0);
}
END_TEST

/* 72 stops, all slices asked alike: 72 / 4 links around the ring, (9 - 1/9 + 8 - 1/8) / 3 across
 * 9 x 8 routers. The ring's 144 links of 40 B carry a line in 4 cycles: at best 144 / 18 / 4 = 2
 * lines a cycle, and 40960 lines of the second launch take 20480 cycles. */
START_TEST(a_ring_is_slower_than_a_crossbar_when_all_talk_to_all)
{
    char *folder = temporary_folder();
    run(folder, "ring --variant crossbar --variant ring --variant mesh");
    const double crossbar = summary_of(folder, "crossbar", "core_cycles"),
                 ring = summary_of(folder, "ring", "core_cycles"),
                 mesh = summary_of(folder, "mesh", "core_cycles");
    ck_assert_double_gt(ring, 3 * crossbar);
    ck_assert_double_gt(mesh, 1.2 * crossbar);
    ck_assert_double_gt(ring, 2 * mesh);
    ck_assert_double_gt(ring, 20480);
    ck_assert_double_lt(ring, 1.35 * 20480);
    ck_assert_double_eq_tol(summary_of(folder, "ring", "mean_hops"), 18, 0.03 * 18);
    ck_assert_double_eq_tol(summary_of(folder, "mesh", "mean_hops"), 5.588, 0.03 * 5.588);
    const double lost = result_number(folder, "ring", "stages.load_l2_hit.latency")
                        - result_number(folder, "crossbar", "stages.load_l2_hit.latency"),
                 waited = result_number(folder, "ring", "stages.load_l2_hit.reply_queue")
                          - result_number(folder, "crossbar", "stages.load_l2_hit.reply_queue");
    ck_assert_double_gt(waited, lost / 2);
    temporary_remove(folder);
}
END_TEST

/* SimGrid's name of the link that carries most stands beside its number. */
START_TEST(the_busiest_link_has_the_name_that_simgrid_knows)
{
    char *folder = temporary_folder();
    run(folder, "hierarchy --variant packet");
    g_autofree char *text = result_text(folder, "packet");
    g_autoptr(GRegex) busiest = g_regex_new(
        "\"path\" *: *\"router\\[shared\\]\\[\\d+\\]\\.links\\[\\d+\\] \\((near-far|gpc\\d|tpc\\d)[^)]*\\)\"",
        0, 0, NULL);
    ck_assert(g_regex_match(busiest, text, 0, NULL));
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("topology_rows");
    tcase_add_loop_test(cases, requests_and_replies_pass_all_routers_and_none_is_lost, 0,
                        G_N_ELEMENTS(machines));
    tcase_add_test(cases, without_load_a_hop_takes_a_router_and_a_wire);
    tcase_add_test(cases, a_buffer_below_the_round_trip_of_its_link_is_warned_about);
    tcase_add_test(cases, routers_of_a_network_run_together_and_with_nobody_else);
    tcase_add_test(cases, a_ring_is_slower_than_a_crossbar_when_all_talk_to_all);
    tcase_add_test(cases, the_busiest_link_has_the_name_that_simgrid_knows);
    return harness_run_cases("topology_rows", cases);
}
