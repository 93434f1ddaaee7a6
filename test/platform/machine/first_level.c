/* How the array of an SM's first level is divided for a kernel. */
#include "rigs/harness.h"
#include "rigs/small_machine.h"

/* Of a V100's 128 KiB, 7 are reserved. 32 CTAs of 64 threads fit on an SM, or as many as find their
 * shared memory. */
static const struct {
    const char *settings;
    uint64_t shared, l1; /* KiB */
} rows[] = {
    {"workload.shared_bytes_per_cta = 0 B", 0, 121},
    {"workload.shared_bytes_per_cta = 256 B", 8, 113},
    {"workload.shared_bytes_per_cta = 257 B", 16, 105},
    {"workload.shared_bytes_per_cta = 32 KiB", 96, 25},
    {"workload.shared_bytes_per_cta = 256 B; first_level.carve_out = 64 KiB", 64, 57},
};

START_TEST(a_kernel_has_the_smallest_part_that_does_not_limit_it)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    small_machine_read(configuration, "platform/presets/v100.ini");
    small_machine_set(configuration, "workload.pattern = stream; workload.array_bytes = 24 KiB;"
                                     "workload.threads_per_cta = 64");
    small_machine_set(configuration, rows[_i].settings);
    const WorkloadContext context = {.directory = ".", .seed = 1, .warp_lanes = 32, .sms = 80};
    LaunchList *launches = workload_build(configuration, &context, &error);
    ck_assert_msg(launches, "%s", error ? error->message : "");
    g_autoptr(Machine) machine = machine_new(configuration, launches, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    const Launch *launch = &g_array_index(launches->launches, Launch, 0);
    ck_assert_uint_eq(launch->shared_carve_out, rows[_i].shared << 10);
    ck_assert_uint_eq(launch->l1_capacity, rows[_i].l1 << 10);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("first_level");
    tcase_add_loop_test(cases, a_kernel_has_the_smallest_part_that_does_not_limit_it, 0,
                        G_N_ELEMENTS(rows));
    return harness_run_cases("first_level", cases);
}
