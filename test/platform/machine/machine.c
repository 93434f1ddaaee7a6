#include <string.h>

#include "platform/network/platform.h"
#include "rigs/harness.h"
#include "rigs/small_machine.h"

static const char tiny_stream[] = "workload.pattern = stream; workload.array_bytes = 24 KiB;"
                                  "workload.threads_per_cta = 64";

/* --- what is refused --- */

static const struct {
    const char *settings, *message; /* the message contains this; NULL: there is none */
} rows[] = {
    {NULL, NULL},
    {"machine.peak_bandwidth_gbps = 42", NULL}, /* 3 x 8 B x 2 x 877 MHz = 42.096 GB/s */
    {"machine.peak_bandwidth_gbps = 43",
     "machine.peak_bandwidth_gbps: 43 GB/s is stated, but 3 channels (machine.partitions, "
     "machine.channels_per_partition or machine.slices_per_partition) x 8 B (dram.channel_width) x "
     "2 (dram.data_rate) x 877.0 MHz (machine.dram_clock) are 42.1 GB/s"},
    {"machine.sector_bytes = 256 B",
     "machine.sector_bytes: 256 B does not divide a line of 128 B (machine.line_bytes) into at most 16 sectors"},
    {"machine.line_bytes = 512 B; machine.sector_bytes = 16 B",
     "machine.sector_bytes: 16 B does not divide a line of 512 B (machine.line_bytes) into at most 16 "
     "sectors"},
    {"machine.sector_bytes = 48 B", "machine.sector_bytes: 48 B is not a power of two"},
    {"machine.line_bytes = 96 B", "machine.line_bytes: 96 B is not a power of two"},
    {"machine.l2_line_bytes = 512 B; address_map.granularity = 512 B", NULL},
    {"machine.l2_line_bytes = 64 B; machine.l2_sector_bytes = 16 B",
     "machine.l2_line_bytes: 64 B is shorter than a line of L1, machine.line_bytes = 128 B"},
    {"machine.l2_sector_bytes = 64 B",
     "machine.l2_sector_bytes: 64 B is larger than a sector of L1, machine.sector_bytes = 32 B; "
     "what L2 fetches at once is l2_slice.fill_bytes"},
    {"machine.l2_line_bytes = 512 B; machine.l2_sector_bytes = 16 B",
     "machine.l2_sector_bytes: 16 B does not divide a line of 512 B (machine.l2_line_bytes) into at "
     "most 16 sectors"},
    {"machine.l2_line_bytes = 384 B", "machine.l2_line_bytes: 384 B is not a power of two"},
    {"machine.l2_line_bytes = 512 B; address_map.granularity = 256 B",
     "address_map.granularity: 256 B is smaller than a line of 512 B"},
    {"address_map.granularity = 64 B",
     "address_map.granularity: 64 B is smaller than a line of 128 B"},
    {"address_map.granularity = 384 B", "address_map.granularity = 384 B: must be a power of two"},
    {"l2_slice.capacity = 17 KiB",
     "--set: l2_slice.capacity = 17408 B: not a whole number of sets of 16 ways of lines of 128 B"},
    {"l2_slice.ways = 3", "l2_slice.capacity = 16384 B: not a whole number of sets of 3 ways"},
    {"l2_slice.fill_bytes = 48 B", "l2_slice.fill_bytes = 48 B: must be a multiple of the sector"},
    {"l2_slice.fill_bytes = 256 B", "that divides the line (128 B, "},
    {"l1.ways = 0; l1.sets = 128",
     "l1.capacity = 8192 B: not a whole number of 128 sets of lines of 128 B"},
    {"l1.sets = 128; l1.ways = 1", NULL},
    {"l1.sets = 5; l1.ways = 3", NULL},
    {"l1.tag_banks = 3", "l1.tag_banks = 3: not a power of two"},
    {"l1.data_bank_bytes = 3 B", "l1.data_bank_bytes = 3: not a power of two"},
    {"load_store.local_bytes = 998 B",
     "load_store.local_bytes = 998 B: not a whole number of 4-byte words"},
    {"load_store.local_base = 2 B", "load_store.local_base = 2 B: not a whole number"},
    {"dram.row_bytes = 64 B; dram.interleaved_groups = 1",
     "fit into a row of the interleaved_groups"},
    {"access_scheduler.drain_low = 40", "drain_high = 32: must be greater than drain_low (40)"},
    {"machine.sms = 0", "machine.sms = 0"},
    {"machine.partitions = 1024; machine.slices_per_partition = 16",
     "machine.partitions: with slices_per_partition 16384 slices; addresses can be interleaved over "
     "1 to 4096"},
    {"machine.warp_lanes = 64", NULL},
    {"machine.warp_lanes = 48", "machine.warp_lanes = 48: a warp has 32 or 64 lanes"},
    {"texture.cache = own; texture.sets = 5",
     "texture.capacity = 12288 B: not a whole number of lines of 128 B (machine.line_bytes) for each of 5 "
     "sets (sets x caches)"},
    {"texture.cache = own; texture.capacity = 1000 B", "--set: texture.capacity = 1000 B: not"},
    {"texture.sets = 5", NULL}, /* L1 is its cache */
    {"load_store.through_texture = everything",
     "load_store.through_texture = everything: needs texture.cache = own"},
    {"load_store.through_texture = all; texture.cache = l1",
     "load_store.through_texture = all: not known; allowed: one of nothing, read_only, everything"},
    {"machine.warp_lanes = 16", "--set: machine.warp_lanes = 16"},
    {"dram.row_bus_sharers = 3", "--set: dram.row_bus_sharers = 3: must be a power of two"},
    {"sm.fp32_latency = 4", "a unit is missing"},
    {"machine.slices_per_partition = 2; machine.channels_per_partition = 3",
     "--set: machine.channels_per_partition: 3 DRAM channels: must be a multiple or a divisor of "
     "machine.slices_per_partition = 2"},
    {"machine.slices_per_partition = 4; machine.channels_per_partition = 2", NULL},
    {"dram.tRP = 2 us",
     "--set: dram.tRP = 2 us: 1754 cycles of 877 MHz (machine.dram_clock), out of range; allowed: "
     "cycles or a time from 1 to 1000 cycles"},
    {"channels.dram_to_l2 = 1 ms", "--set: channels.dram_to_l2 = 1 ms: 877000 cycles of 877 MHz"},
    {"dram.ecc = inline", NULL},
    {"dram.ecc = inline; dram.ecc_share = 32",
     "dram.ecc_share = 32: with ecc = inline so many lines of 128 B"},
};

START_TEST(a_machine_that_cannot_be_is_refused_with_the_reason)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = small_machine_configuration(rows[_i].settings);
    const bool good = machine_check(configuration, &error);
    const char *text = error ? error->message : "";
    ck_assert_int_eq(good, error == NULL);
    ck_assert_msg(good == !rows[_i].message, "%s: %s", rows[_i].settings, text);
    if (!good) ck_assert_msg(strstr(text, rows[_i].message), "%s: %s", rows[_i].settings, text);
}
END_TEST

/* A V100 divides 128 KiB, of which 7 KiB are reserved, and has up to 96 KiB of shared memory. */
static const struct {
    const char *settings, *message; /* NULL: there is none */
} divisions[] = {
    {"l1.ways = 0; l1.sets = 5", NULL},
    {"l1.ways = 0; l1.sets = 200", NULL},
    {"l1.ways = 0; l1.sets = 201", "98304 B of shared memory leave L1 25600 B of array without "
                                   "reserved, less than a line of 128 B (machine.line_bytes) for "
                                   "each of 201 sets"},
    {"l1.ways = 0; l1.sets = 201; first_level.carve_out = 64 KiB", NULL},
    {"l1.sets = 241; l1.ways = 4", NULL},
    {"first_level.array = 103 KiB", "a size leaves L1 nothing of the array"},
    {"first_level.carve_outs =", "first_level.carve_outs = : there is no size"},
};

START_TEST(every_division_of_the_array_leaves_L1_a_line_a_set)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    small_machine_read(configuration, "platform/presets/v100.ini");
    small_machine_set(configuration, divisions[_i].settings);
    const char *message = divisions[_i].message;
    ck_assert_int_eq(machine_check(configuration, &error), !message);
    if (message) ck_assert_msg(strstr(error->message, message), "%s", error->message);
}
END_TEST

START_TEST(the_v100_is_a_machine_that_can_be)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    small_machine_read(configuration, "platform/presets/v100.ini");
    ck_assert_msg(machine_check(configuration, &error), "%s", error ? error->message : "");
    ck_assert(configuration_check(configuration, NULL, machine_groups(), &error));
    g_autoptr(Machine) machine = machine_new(configuration, NULL, &error);
    ck_assert_uint_eq(machine_params(machine)->sms, 80);
    ck_assert_str_eq(machine_params(machine)->name, "NVIDIA Tesla V100");
    ck_assert_double_eq_tol(machine_peak_dram_bandwidth(machine), 898.048e9, 1);
    ck_assert_uint_eq(machine_clock(machine, "core")->period, 724638);
    ck_assert_uint_eq(machine_clock(machine, "dram")->period, 1140251);
    g_autoptr(GPtrArray) warnings = machine_warnings(machine);
    ck_assert_uint_eq(warnings->len, 0);
}
END_TEST

START_TEST(every_unit_has_a_table_of_its_name)
{
    const UnitClass *const *classes = machine_unit_classes();
    const ParamGroup *const *groups = machine_groups();
    guint count = 0, found = 0;
    for (; classes[count]; count++)
        for (guint i = 0; groups[i]; i++) found += groups[i]->params == classes[count]->params;
    ck_assert_uint_ge(count, 10);
    ck_assert_uint_eq(found, count);
}
END_TEST

/* --- SimGrid's links --- */

static void expect_links(const NetworkLink *links, uint32_t count, uint64_t bandwidth,
                         uint64_t latency)
{
    const double cycle = 0.724638; /* ns */
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_double_eq_tol(links[i].bandwidth, (double)bandwidth / cycle, 1e-9);
        ck_assert_double_eq_tol(links[i].latency, (double)latency * cycle, 1e-9);
    }
}

static const char links[] = "network.request_source_bandwidth = 40 B/cycle;"
                            "network.request_source_latency = 50 cycles;"
                            "network.request_destination_bandwidth = 41 B/cycle;"
                            "network.request_destination_latency = 51 cycles;"
                            "network.reply_source_bandwidth = 42 B/cycle;"
                            "network.reply_source_latency = 52 cycles;"
                            "network.reply_destination_bandwidth = 43 B/cycle;"
                            "network.reply_destination_latency = 53 cycles";

static const NetworkRoutes *routes_of(const Unit *unit)
{
    for (const SharedRow *row = unit->class->shared; row->name; row++)
        if (!strcmp(row->name, "networks"))
            return *(const NetworkRoutes *const *)(const void *)((const char *)unit + row->offset);
    ck_abort_msg("%s does not know the networks", unit->path);
}

static Unit *find_unit(Machine *machine, const char *path)
{
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        if (!strcmp(simulation_unit(simulation, i)->path, path))
            return simulation_unit(simulation, i);
    ck_abort_msg("there is no %s", path);
}

START_TEST(the_links_read_back_from_simgrid_are_those_of_the_parameters)
{
    g_autoptr(Machine) machine = small_machine_new(links, tiny_stream);
    const Unit *crossbar = find_unit(machine, "crossbar[request]");
    small_machine_run(machine);
    const NetworkRoutes *request = &routes_of(crossbar)[NETWORK_REQUEST];
    const NetworkRoutes *reply = &routes_of(crossbar)[NETWORK_REPLY];
    expect_links(request->up, request->sources, 40, 50);
    expect_links(request->down, request->destinations, 41, 51);
    expect_links(reply->up, reply->sources, 42, 52);
    expect_links(reply->down, reply->destinations, 43, 53);
    const Time cycle = machine_clock(machine, "network")->period;
    const Port *input = find_unit(machine, "partition[1].slice[0]")->ports[2];
    ck_assert_uint_eq(input->channel->delay, 51 * cycle);
    ck_assert_uint_eq(input->channel->credit_delay, 51 * cycle);
}
END_TEST

/* What counts is the platform. */
START_TEST(links_are_what_the_platform_says_and_not_what_was_planned)
{
    NetworkRoutes routes[NETWORKS];
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    network_routes_init(routes, 2, 3);
    for (uint32_t i = 0; i < 3; i++) {
        routes[NETWORK_REPLY].up[i] = (NetworkLink){.bandwidth = 1.5 + i, .latency = 10 + i / 8.0};
        routes[NETWORK_REQUEST].down[i] =
            (NetworkLink){.bandwidth = 2.5 + i, .latency = 20 + i / 8.0};
    }
    for (uint32_t i = 0; i < 2; i++) {
        routes[NETWORK_REPLY].down[i] =
            (NetworkLink){.bandwidth = 3.5 + i, .latency = 30 + i / 8.0};
        routes[NETWORK_REQUEST].up[i] =
            (NetworkLink){.bandwidth = 4.5 + i, .latency = 40 + i / 8.0};
    }
    ck_assert(harness_start_engine(simulation, routes, 1, &error));
    network_routes_finish(routes);
    network_routes_init(routes, 2, 3);
    ck_assert(network_routes_read_back(routes, &error));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_double_eq(routes[NETWORK_REPLY].up[i].bandwidth, 1.5 + i);
        ck_assert_double_eq(routes[NETWORK_REPLY].up[i].latency, 10 + i / 8.0);
        ck_assert_double_eq(routes[NETWORK_REQUEST].down[i].bandwidth, 2.5 + i);
        ck_assert_double_eq(routes[NETWORK_REQUEST].down[i].latency, 20 + i / 8.0);
    }
    ck_assert_double_eq(routes[NETWORK_REPLY].down[1].bandwidth, 4.5);
    ck_assert_double_eq(routes[NETWORK_REQUEST].up[1].latency, 40.125);
    network_routes_finish(routes);
}
END_TEST

START_TEST(a_platform_without_the_networks_hosts_is_refused)
{
    NetworkRoutes routes[NETWORKS];
    g_autoptr(GError) error = NULL;
    g_autoptr(Simulation) simulation = simulation_new(1);
    network_routes_init(routes, 0, 0);
    ck_assert(harness_start_engine(simulation, routes, 1, &error));
    network_routes_finish(routes);
    network_routes_init(routes, 1, 1);
    ck_assert(!network_routes_read_back(routes, &error));
    ck_assert_str_eq(error->message, "the SimGrid platform lacks host request-source-0");
    network_routes_finish(routes);
}
END_TEST

/* --- running --- */

static const struct {
    const char *settings;
    uint64_t sms, slices, kib;
} sizes[] = {
    {"machine.sms = 1; machine.partitions = 1", 1, 1, 256},
    {"machine.sms = 2; machine.partitions = 3", 2, 3, 256},
    {"machine.sms = 5; machine.partitions = 5; machine.slices_per_partition = 3", 5, 15, 256},
    {"machine.sms = 67; machine.partitions = 7; machine.slices_per_partition = 2", 67, 14, 256},
    {"machine.sms = 2; machine.partitions = 3; machine.channels_per_partition = 3", 2, 3, 256},
    {"machine.sms = 2; machine.partitions = 2; machine.slices_per_partition = 4;"
     "machine.channels_per_partition = 2; simulation.deployment = unit",
     2, 8, 64}, /* an actor a unit takes longer */
};

START_TEST(any_number_of_sms_partitions_and_slices_serves_all_requests)
{
    g_autofree char *workload =
        g_strdup_printf("workload.pattern = stream; workload.threads_per_cta = 128;"
                        "workload.array_bytes = %" G_GUINT64_FORMAT " KiB",
                        sizes[_i].kib);
    const uint64_t lines = sizes[_i].kib * 8;
    g_autoptr(Machine) machine = small_machine_new(sizes[_i].settings, workload);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    ck_assert_uint_eq(small_machine_sum(machine, "l2_slice", "accesses"), lines);
    ck_assert_uint_eq(small_machine_sum(machine, "dram_channel", "bytes_read"), lines * 128);
    for (uint32_t i = 0; i < sizes[_i].slices; i++) {
        const uint32_t per = (uint32_t)machine_params(machine)->slices_per_partition;
        g_autofree char *path = g_strdup_printf("partition[%u].slice[%u]", i / per, i % per);
        ck_assert_uint_gt(small_machine_sum(machine, path, "accesses"),
                          lines / 2 / sizes[_i].slices);
    }
    for (uint32_t i = 0; i < sizes[_i].sms; i++) {
        g_autofree char *path = g_strdup_printf("sm[%u].l1", i);
        ck_assert_uint_gt(small_machine_sum(machine, path, "requests"), 0);
    }
}
END_TEST

START_TEST(kernel_times_follow_each_other_with_the_gap_between)
{
    g_autoptr(Machine) machine = small_machine_new(
        "cta_dispatcher.kernel_gap = 500 cycles", "workload.pattern = stream; workload.array_bytes "
                                                  "= 24 KiB; workload.threads_per_cta = 64;"
                                                  "workload.launches = 3; "
                                                  "workload.warm_up_launches = 1");
    ck_assert_uint_eq(machine_measured_span(machine, NULL), 0);
    const RunReport report = small_machine_run(machine);
    const GArray *times = machine_kernel_times(machine);
    const Time gap = clock_cycles(machine_clock(machine, "core"), 500);
    ck_assert_uint_eq(times->len, 3);
    Time span = 0, last = 0;
    for (guint i = 0; i < times->len; i++) {
        const KernelTime *time = &g_array_index(times, KernelTime, i);
        ck_assert_int_eq(time->launch->measured, i > 0);
        ck_assert_uint_lt(time->start, time->end);
        if (i) ck_assert_uint_ge(time->start, last + gap);
        if (i) span += time->end - time->start;
        last = time->end;
    }
    ck_assert_uint_le(last, report.end);
    ck_assert_uint_eq(machine_measured_span(machine, NULL), span);
}
END_TEST

static const char concurrent_kernels[] =
    "workload.sequence = one, other; kernel one.pattern = stream; kernel one.array_bytes = 48 KiB;"
    "kernel one.threads_per_cta = 64; kernel other.pattern = random; kernel other.ctas = 12;"
    "kernel other.threads_per_cta = 96; kernel other.footprint = 64 KiB;"
    "kernel other.iterations = 120; kernel other.concurrent = yes";

START_TEST(concurrent_kernels_overlap_and_count_once)
{
    g_autoptr(Machine) machine = small_machine_new(NULL, concurrent_kernels);
    small_machine_run(machine);
    const GArray *times = machine_kernel_times(machine);
    ck_assert_uint_eq(times->len, 2);
    const KernelTime *one = &g_array_index(times, KernelTime, 0);
    const KernelTime *other = &g_array_index(times, KernelTime, 1);
    ck_assert_uint_lt(other->start, one->end);
    ck_assert_uint_lt(one->end, other->end);
    ck_assert_uint_eq(machine_measured_span(machine, NULL), other->end - one->start);
    ck_assert_uint_eq(small_machine_sum(machine, "cta_dispatcher", "kernels"), 2);
}
END_TEST

/* "sm[0].l1.sets = 4", of all units. */
static char *list_parameters(Machine *machine)
{
    const Simulation *simulation = machine_simulation(machine);
    GString *list = g_string_new("");
    for (guint i = 0; i < simulation_unit_count(simulation); i++) {
        const Unit *unit = simulation_unit(simulation, i);
        for (const Param *param = unit->class->params; param->name; param++) {
            g_autofree char *value = param_format(param, unit);
            g_string_append_printf(list, "%s.%s = %s\n", unit->path, param->name, value);
        }
    }
    return g_string_free(list, FALSE);
}

static const char *const derived[] = {
    NULL, "l1.access_order = serial; l1.way_select = encoded; sm.register_granularity = 100",
    "network.topology = ring; l2_slice.completion = in_order; l2_slice.written_data = store_queue",
    "network.topology = mesh; load_store.through_texture = everything; texture.cache = own;"
    "mmu.enabled = yes; coherence_monitor.enabled = yes",
    "network.timing = flow; rop.compression = yes"};

/* What a unit derives from its parameters is state. */
START_TEST(a_units_parameters_stay_what_the_user_set)
{
    g_autoptr(Machine) machine = small_machine_new(derived[_i], tiny_stream);
    g_autofree char *before = list_parameters(machine);
    small_machine_run(machine);
    g_autofree char *after = list_parameters(machine);
    ck_assert_str_eq(before, after);
}
END_TEST

START_TEST(a_cta_that_fits_on_no_sm_is_bad_input)
{
    g_autoptr(GError) error = NULL;
    RunReport report;
    g_autoptr(Machine) machine =
        small_machine_new("sm.shared_memory = 1 KiB",
                          "workload.pattern = random; workload.shared_bytes_per_cta = 2 KiB");
    ck_assert(!machine_run(machine, &report, &error));
    ck_assert_int_eq(report.outcome, RUN_BAD_INPUT);
    ck_assert_str_eq(
        error->message,
        "workload: kernel random: one CTA of 256 threads, 32 registers a thread and 2048 B of "
        "shared memory does not fit on an SM, which has 1024 B of shared memory (sm.shared_memory, "
        "first_level.carve_outs)");
}
END_TEST

/* What the dispatcher tells an SM takes 25 x 0.724638 ns. */
START_TEST(a_quantum_longer_than_the_lookahead_is_the_users_mistake)
{
    g_autoptr(GError) error = NULL;
    RunReport report;
    g_autoptr(Machine) machine =
        small_machine_new("simulation.deployment = sm; simulation.quantum = 1 us", tiny_stream);
    ck_assert(!machine_run(machine, &report, &error));
    ck_assert_str_eq(error->message, "simulation.quantum = 1000.000 ns: longer than the lookahead "
                                     "of this deployment, 18.116 ns");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("machine");
    tcase_add_loop_test(cases, every_division_of_the_array_leaves_L1_a_line_a_set, 0,
                        G_N_ELEMENTS(divisions));
    tcase_add_loop_test(cases, a_machine_that_cannot_be_is_refused_with_the_reason, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, the_v100_is_a_machine_that_can_be);
    tcase_add_test(cases, every_unit_has_a_table_of_its_name);
    tcase_add_test(cases, the_links_read_back_from_simgrid_are_those_of_the_parameters);
    tcase_add_test(cases, links_are_what_the_platform_says_and_not_what_was_planned);
    tcase_add_test(cases, a_platform_without_the_networks_hosts_is_refused);
    tcase_add_loop_test(cases, any_number_of_sms_partitions_and_slices_serves_all_requests, 0,
                        G_N_ELEMENTS(sizes));
    tcase_add_test(cases, kernel_times_follow_each_other_with_the_gap_between);
    tcase_add_test(cases, concurrent_kernels_overlap_and_count_once);
    tcase_add_loop_test(cases, a_units_parameters_stay_what_the_user_set, 0, G_N_ELEMENTS(derived));
    tcase_add_test(cases, a_cta_that_fits_on_no_sm_is_bad_input);
    tcase_add_test(cases, a_quantum_longer_than_the_lookahead_is_the_users_mistake);
    Suite *suite = suite_create("machine");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
