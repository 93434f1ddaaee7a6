/* How kernels fit on an SM: figures of NVIDIA's occupancy calculator. */
#include "platform/machine/residency.h"

#include "rigs/harness.h"
#include "rigs/small_machine.h"

static const Launch *only_launch; /* of the machine made last */

static Machine *machine_of(const char *const files[], const char *workload)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configuration_new();
    for (; *files; files++) {
        g_autofree char *path = g_strdup_printf("platform/presets/%s.ini", *files);
        small_machine_read(configuration, path);
    }
    small_machine_set(configuration, "machine.peak_bandwidth_gbps = 0"); /* of a DRAM part */
    small_machine_set(configuration, workload);
    const WorkloadContext context = {.directory = ".", .seed = 1, .warp_lanes = 32, .sms = 80};
    LaunchList *launches = workload_build(configuration, &context, &error);
    ck_assert_msg(launches, "%s", error ? error->message : "");
    Machine *machine = machine_new(configuration, launches, &error);
    ck_assert_msg(machine, "%s", error ? error->message : "");
    only_launch = &g_array_index(launches->launches, Launch, 0);
    return machine;
}

/* Compute capability, by that of which the table below is in order. */
static const char *const presets[][4] = {{"k80"},                      /* 3.7 */
                                         {"gtx980"},                   /* 5.2 */
                                         {"v100"},                     /* 7.0 */
                                         {"a100"},                     /* 8.0 */
                                         {"a100", "a40"},              /* 8.6 */
                                         {"a100", "a40", "l40"},       /* 8.9 */
                                         {"a100", "a100-80", "h100"}}; /* 9.0 */
enum { PRESETS = G_N_ELEMENTS(presets) };

/* As cuda_occupancy.h has it: a warp's registers are rounded up to 256, of which a sub-partition of
 * an SM has a quarter of all; a block's shared memory to 256 B, from 8.0 on with 1 KiB more to
 * 128 B. */
static const struct {
    uint32_t threads, registers, shared;
    uint32_t ctas[PRESETS];
} rows[] = {
    {256, 32, 0, {8, 8, 8, 8, 6, 6, 8}},       /* 64 / 8 warps; 48 / 8 */
    {64, 16, 0, {16, 32, 32, 32, 16, 24, 32}}, /* blocks: 16 on Kepler and 8.6 */
    {1024, 32, 0, {2, 2, 2, 2, 1, 1, 2}},      /* 2048 threads; 1536 */
    {256, 40, 0, {8, 6, 6, 6, 6, 6, 6}}, /* 1280 a warp: 12 in a quarter of 16384, 25 in Kepler's */
    {96, 40, 0, {16, 16, 16, 16, 16, 16, 16}}, /* 48 warps by registers; 51 if they were one file */
    {128, 72, 0, {14, 7, 7, 7, 7, 7, 7}},      /* 2304 a warp: 7 of a quarter, of 4 warps a block */
    {512, 128, 0, {2, 1, 1, 1, 1, 1, 1}},      /* 4096 a warp */
    {192, 48, 6000, {10, 6, 6, 6, 6, 6, 6}},   /* 1536 a warp: 10 of a quarter, 40 / 6 */
    {256, 33, 16384, {7, 6, 6, 6, 5, 5, 6}},   /* shared memory on Kepler */
    {128,
     168,
     32768,
     {3, 3, 3, 3, 3, 3, 3}}, /* 5376 a warp: 3 of a quarter; 112, 96, 164, 100 and 228 KiB */
    {256, 64, 33000, {3, 2, 2, 4, 3, 3, 4}}, /* 33,024 B, from 8.0 on 34,048 */
    {64, 32, 32768, {3, 3, 3, 4, 3, 3, 6}},  /* 164 KiB / 33 KiB: not the 5 that ask for 32 */
};

START_TEST(known_kernels_have_the_ctas_that_the_calculator_says)
{
    g_autofree char *workload =
        g_strdup_printf("workload.pattern = stream; workload.array_bytes = 24 MiB;"
                        "workload.threads_per_cta = %u; workload.registers_per_thread = %u;"
                        "workload.shared_bytes_per_cta = %u B",
                        rows[_i].threads, rows[_i].registers, rows[_i].shared);
    for (guint k = 0; k < PRESETS; k++) {
        g_autoptr(Machine) machine = machine_of(presets[k], workload);
        const Residency residency = machine_residency(machine, only_launch);
        ck_assert_msg(residency.ctas == rows[_i].ctas[k], "%s: %u", presets[k][0],
                      (unsigned)residency.ctas);
    }
}
END_TEST

/* 2,560 CTAs of 8 warps on 80 SMs of 64 warps; registers for 48 warps. */
START_TEST(a_launch_has_its_limits_waves_and_what_full_ones_would_gain)
{
    g_autoptr(Machine) machine =
        machine_of(presets[2], "workload.pattern = stream; workload.operation = init;"
                               "workload.array_bytes = 5 MiB; workload.threads_per_cta = 256;"
                               "workload.registers_per_thread = 40");
    Residency residency = machine_residency(machine, only_launch);
    ck_assert_uint_eq(residency.by[LIMIT_WARPS], 8);
    ck_assert_uint_eq(residency.by[LIMIT_REGISTERS], 6);
    ck_assert_uint_eq(residency.by[LIMIT_CTAS], 32);
    ck_assert_uint_eq(residency.by[LIMIT_SHARED_MEMORY], OCCUPANCY_ANY);
    ck_assert_uint_eq(residency.by[LIMIT_GRID], 32);
    ck_assert(residency_limited_by(&residency, LIMIT_REGISTERS));
    ck_assert(!residency_limited_by(&residency, LIMIT_WARPS));
    ck_assert_uint_eq(residency.next, 8);
    ck_assert_uint_eq(residency.places, 480);
    ck_assert_double_eq_tol(residency.waves, 2560. / 480, 1e-12);
    ck_assert_double_eq_tol(residency_full_wave_gain(&residency), 1 - 2560. / 480 / 6, 1e-12);
}
END_TEST

/* 2 KiB each of 8 KiB, the smallest carve-out that holds the four that registers let in: more would
 * have more. Of a carve-out of the user's there is no more. */
START_TEST(shared_memory_limits_where_no_carve_out_has_more)
{
    static const char workload[] = "workload.pattern = stream; workload.array_bytes = 24 MiB;"
                                   "workload.threads_per_cta = 256;"
                                   "workload.registers_per_thread = 64;"
                                   "workload.shared_bytes_per_cta = 2 KiB";
    g_autoptr(Machine) automatic = machine_of(presets[2], workload);
    Residency residency = machine_residency(automatic, only_launch);
    ck_assert_uint_eq(only_launch->shared_carve_out, 8 << 10);
    ck_assert_uint_eq(residency.ctas, 4);
    ck_assert_uint_eq(residency.by[LIMIT_SHARED_MEMORY], 48); /* 96 KiB */
    ck_assert_uint_eq(residency.next, 8);
    g_autofree char *fixed = g_strconcat(workload, "; first_level.carve_out = 8 KiB", NULL);
    g_autoptr(Machine) chosen = machine_of(presets[2], fixed);
    residency = machine_residency(chosen, only_launch);
    ck_assert_uint_eq(residency.ctas, 4);
    ck_assert(residency_limited_by(&residency, LIMIT_SHARED_MEMORY));
}
END_TEST

START_TEST(a_small_grid_is_a_limit)
{
    g_autoptr(Machine) machine =
        machine_of(presets[2], "workload.pattern = stream; workload.operation = init;"
                               "workload.array_bytes = 240 KiB; workload.threads_per_cta = 256");
    const Residency residency = machine_residency(machine, only_launch);
    ck_assert_uint_eq(residency.ctas, 2); /* 120 on 80 SMs */
    ck_assert(residency_limited_by(&residency, LIMIT_GRID));
    ck_assert_uint_eq(residency.next, 8);
    ck_assert_double_eq_tol(residency.waves, 120. / 640, 1e-12);
    ck_assert_double_eq_tol(residency_full_wave_gain(&residency), 1 - 120. / 160, 1e-12);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("residency");
    tcase_add_loop_test(cases, known_kernels_have_the_ctas_that_the_calculator_says, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, a_launch_has_its_limits_waves_and_what_full_ones_would_gain);
    tcase_add_test(cases, shared_memory_limits_where_no_carve_out_has_more);
    tcase_add_test(cases, a_small_grid_is_a_limit);
    return harness_run_cases("residency", cases);
}
