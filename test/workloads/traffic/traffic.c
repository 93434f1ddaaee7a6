/* Traffic patterns of workloads: what they hand to the machine, and what they refuse. */
#include "kit/traffic/traffic.h"
#include "rigs/harness.h"
#include "rigs/instructions.h"
#include "rigs/temporary.h"

static char *folder;

static void make_folder(void)
{
    folder = temporary_folder();
    g_free(temporary_file(folder, "list", "0 0x100 R\n9 0x20180 W\n"));
    g_free(temporary_file(folder, "matrix", "0.5 0.5 0 0\n0 0 1 0.5\n"));
}

static void remove_folder(void)
{
    temporary_remove(folder);
}

static LaunchList *build(const char *text, GError **error)
{
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.directory = folder,
                                     .seed = 1,
                                     .warp_lanes = 32,
                                     .sms = 2,
                                     .slices = 4,
                                     .line_bytes = 128,
                                     .sector_bytes = 32,
                                     .core_clock = 1000000000,
                                     .dram_clock = 1000000000,
                                     .dram_bandwidth = UINT64_C(100000000000)};
    return workload_build(configuration, &context, error);
}

static LaunchList *build_good(const char *text)
{
    g_autoptr(GError) error = NULL;
    LaunchList *list = build(text, &error);
    ck_assert_msg(list, "%s", error ? error->message : "");
    ck_assert_uint_eq(list->launches->len, 1);
    ck_assert(g_array_index(list->launches, Launch, 0).measured);
    return list;
}

START_TEST(traffic_of_a_network_is_what_its_keys_say)
{
    g_autoptr(LaunchList) list = build_good(
        "workload.pattern=network_traffic\nworkload.way=replies\nworkload.destinations=hotspot\n"
        "workload.load=25 %\nworkload.hotspot=1\nworkload.hotspot_share=0.5\n"
        "workload.data_bytes=128 B\nworkload.duration=1000 cycles\n");
    const Traffic *traffic = kernel_of(list, 0)->traffic;
    ck_assert_int_eq(traffic->part, TRAFFIC_INTO_NETWORK);
    ck_assert(traffic->way == WAY_REPLIES && traffic->rule == TO_HOTSPOT && traffic->hotspot == 1);
    ck_assert_double_eq(traffic->load, 0.25);
    ck_assert_uint_eq(traffic->bytes, 128);
    ck_assert_uint_eq(traffic->expected, 1000); /* of four slices */
}
END_TEST

START_TEST(traffic_of_memory_offers_a_share_of_the_peak)
{
    g_autoptr(LaunchList) list =
        build_good("workload.pattern=memory_traffic\nworkload.load=40 %\nworkload.order=random");
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_double_eq(kernel_fact(kernel, "offered_gbps"), 40);
    ck_assert_uint_eq(kernel->footprint, 64 << 20);
    ck_assert_int_eq(kernel->traffic->walk, WALK_RANDOM);
}
END_TEST

START_TEST(a_list_spans_its_addresses)
{
    g_autoptr(LaunchList) list = build_good("workload.pattern=memory_list\nworkload.file=list");
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->traffic->request_count, 2);
    ck_assert_uint_eq(kernel->footprint, 0x20181);
    ck_assert_uint_eq(kernel->traffic->duration, 0);
}
END_TEST

#define NETWORK "workload.pattern=network_traffic\n"
#define MEMORY "workload.pattern=memory_traffic\n"

static const struct {
    const char *text, *says;
} refused[] = {
    {NETWORK "workload.destinations=transpose\nworkload.way=replies",
     "needs a square of destinations, and there are 2 SMs"},
    {NETWORK "workload.destinations=hotspot\nworkload.hotspot=4",
     "test.ini:3: workload.hotspot = 4: there are 4 L2 slices, numbered from 0 on"},
    {NETWORK "workload.load=0", "workload.load = 0: out of range; allowed: ratio from 1e-06 to 1"},
    {MEMORY "workload.load=0", "workload.load = 0: out of range; allowed: ratio from 1e-06 to 16"},
    {NETWORK "workload.data_bytes=48 B", "not whole sectors of 32 B, up to a line of 128 B"},
    {NETWORK "workload.data_bytes=256 B", "not whole sectors of 32 B, up to a line of 128 B"},
    {NETWORK "workload.file=matrix", "only destinations = matrix reads one"},
    {NETWORK "workload.destinations=matrix", "destinations = matrix needs one"},
    {NETWORK "workload.destinations=matrix\nworkload.file=none", "there is no "},
    {NETWORK "workload.destinations=matrix\nworkload.file=matrix",
     "line 2 of its sources adds up to 1.5 packets a cycle, more than 1"},
    {MEMORY "workload.request_bytes=4 B", "not whole sectors of 32 B"},
    {"workload.pattern=memory_list", "a list needs the name of its file"},
    {"workload.pattern=memory_list\nworkload.file=list\nworkload.format=dramsim3", "list:1: "},
    {MEMORY "workload.launches=2",
     "test.ini:2: workload.launches = 2: has no effect: traffic without a GPU is not launched"},
    {NETWORK "workload.keep_l1=yes", "has no effect: traffic without a GPU is not launched"},
    {"workload.sequence=a, b\nkernel a.pattern=stream\nkernel b.pattern=memory_traffic\n",
     "test.ini:1: workload.sequence = a, b: 'memory_traffic' is traffic into a part of the machine "
     "alone, and 'stream read' is a kernel, which needs all of it"},
    {"workload.sequence=a, b\nkernel a.pattern=network_traffic\nkernel b.pattern=memory_traffic\n",
     "'network_traffic' is traffic into a part of the machine alone, and 'memory_traffic' is so, "
     "too; a scenario has one of them"},
};

START_TEST(what_cannot_be_is_refused)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(LaunchList) list = build(refused[_i].text, &error);
    ck_assert_msg(!list, "%s", refused[_i].says);
    ck_assert_msg(strstr(error->message, refused[_i].says), "%s", error->message);
}
END_TEST

START_TEST(without_a_machine_there_is_no_traffic)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configure(NETWORK);
    const WorkloadContext context = {.warp_lanes = 32};
    ck_assert(!workload_build(configuration, &context, &error));
    ck_assert_ptr_nonnull(strstr(error->message, "there is no machine here"));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("traffic");
    tcase_add_checked_fixture(cases, make_folder, remove_folder);
    tcase_add_test(cases, traffic_of_a_network_is_what_its_keys_say);
    tcase_add_test(cases, traffic_of_memory_offers_a_share_of_the_peak);
    tcase_add_test(cases, a_list_spans_its_addresses);
    tcase_add_loop_test(cases, what_cannot_be_is_refused, 0, (int)G_N_ELEMENTS(refused));
    tcase_add_test(cases, without_a_machine_there_is_no_traffic);
    return harness_run_cases("traffic", cases);
}
