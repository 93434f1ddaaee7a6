#include "kit/gpu/occupancy.h"

#include <check.h>

#include "rigs/harness.h"

static const OccupancyLimits v100 = {.ctas = 32,
                                     .threads = 2048,
                                     .warps = 64,
                                     .registers = 65536,
                                     .register_granularity = 256,
                                     .shared_bytes = 98304};

static char kernel_name[] = "triad";

static Kernel kernel_of(uint32_t threads, uint32_t registers, uint64_t shared_bytes)
{
    return (Kernel){.name = kernel_name,
                    .threads_per_cta = threads,
                    .warp_lanes = 32,
                    .registers_per_thread = registers,
                    .shared_bytes_per_cta = shared_bytes};
}

/* Each row has one limit that is tighter than the others. */
START_TEST(the_scarcest_resource_decides)
{
    static const struct {
        uint32_t threads, registers, shared_bytes, ctas;
    } rows[] = {
        {32, 0, 0, 32},     /* CTAs */
        {1024, 0, 0, 2},    /* threads */
        {33, 0, 0, 32},     /* 2 warps each: 64 / 2 */
        {65, 0, 0, 21},     /* 3 warps each: 64 / 3, although 2048 / 65 = 31 */
        {256, 64, 0, 4},    /* 65536 / (8 warps x 2048) */
        {256, 33, 0, 6},    /* 33 x 32 = 1056, as 1280: 65536 / (8 x 1280) = 6.4 */
        {128, 0, 12289, 7}, /* 98304 / 12289 = 7.9 */
        {128, 0, 98304, 1},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        const Kernel kernel = kernel_of(rows[i].threads, rows[i].registers, rows[i].shared_bytes);
        GError *error = NULL;
        ck_assert_uint_eq(occupancy_ctas(&v100, &kernel, NULL, &error), rows[i].ctas);
        ck_assert_ptr_null(error);
    }
}
END_TEST

START_TEST(registers_are_rounded_up_by_the_warp)
{
    OccupancyLimits limits = v100;
    const Kernel kernel = kernel_of(64, 36, 0); /* 1152 a warp */
    limits.register_granularity = 1;
    limits.registers = 2304;
    ck_assert_uint_eq(occupancy_ctas(&limits, &kernel, NULL, NULL), 1);
    limits.register_granularity = 256; /* 1280 */
    ck_assert_uint_eq(occupancy_ctas(&limits, &kernel, NULL, NULL), 0);
    limits.registers = 2560;
    ck_assert_uint_eq(occupancy_ctas(&limits, &kernel, NULL, NULL), 1);
}
END_TEST

/* 40 registers: 1280 a warp, 12 of them in each of four parts of 16384; 51 in one. */
START_TEST(what_a_part_of_the_registers_has_left_over_helps_no_warp)
{
    OccupancyLimits limits = v100;
    const Kernel kernel = kernel_of(96, 40, 0);
    ck_assert_uint_eq(occupancy_ctas(&limits, &kernel, NULL, NULL), 17);
    limits.register_partitions = 4;
    ck_assert_uint_eq(occupancy_ctas(&limits, &kernel, NULL, NULL), 16);
    OccupancyUse use = {0};
    for (unsigned i = 0; i < 16; i++) {
        ck_assert(occupancy_fits(&limits, &use, &kernel));
        occupancy_add(&limits, &use, &kernel);
    }
    ck_assert(!occupancy_fits(&limits, &use, &kernel));
    const Kernel small = kernel_of(96, 32, 0); /* of which 4096 registers are left */
    ck_assert(occupancy_fits(&limits, &use, &small));
}
END_TEST

/* 32 KiB with 1 KiB more: four in 164 KiB. 33,537 B with it are 136 x 256 less 255. */
START_TEST(shared_memory_is_rounded_up_with_what_is_reserved)
{
    OccupancyLimits limits = v100;
    limits.shared_bytes = 164 << 10;
    limits.shared_granularity = 256;
    const Kernel plain = kernel_of(64, 0, 32 << 10), odd = kernel_of(64, 0, 33537);
    ck_assert_uint_eq(occupancy_ctas(&limits, &plain, NULL, NULL), 5);
    limits.shared_reserved = 1024;
    ck_assert_uint_eq(occupancy_ctas(&limits, &plain, NULL, NULL), 4);
    ck_assert_uint_eq(occupancy_shared_bytes(&limits, &odd), 34816);
    OccupancyUse use = {0};
    occupancy_add(&limits, &use, &odd);
    ck_assert_uint_eq(use.shared_bytes, 34816);
}
END_TEST

/* 64 registers x 64 lanes: 4096 a warp, as two warps of 32 lanes have. */
START_TEST(a_warp_of_64_lanes_has_as_many_registers_as_two_of_32)
{
    Kernel kernel = kernel_of(256, 64, 0);
    kernel.warp_lanes = 64;
    ck_assert_uint_eq(kernel_warps(&kernel), 4);
    ck_assert_uint_eq(occupancy_ctas(&v100, &kernel, NULL, NULL), 4);
    kernel.threads_per_cta = 65; /* 2 warps: 65536 / 8192, not 65536 / (3 x 2048) */
    ck_assert_uint_eq(occupancy_ctas(&v100, &kernel, NULL, NULL), 8);
    ck_assert_uint_eq(kernel_lane_mask(&kernel, 0), UINT64_MAX);
    ck_assert_uint_eq(kernel_lane_mask(&kernel, 1), 1);
}
END_TEST

#define SHARED_OF_SM " of shared memory (sm.shared_memory, first_level.carve_outs)"

START_TEST(a_cta_that_does_not_fit_is_described)
{
    const Kernel kernel = kernel_of(512, 40, 98305), large = kernel_of(2080, 255, 0);
    OccupancyLimits reserving = v100;
    reserving.shared_reserved = 1024;
    const char *const has[] = {"98304 B" SHARED_OF_SM, "97280 B" SHARED_OF_SM,
                               "64 warps (sm.max_warps) and 2048 threads (sm.max_threads) and "
                               "65536 registers (sm.registers)"};
    for (guint i = 0; i < G_N_ELEMENTS(has); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert(
            !occupancy_ctas(i == 1 ? &reserving : &v100, i == 2 ? &large : &kernel, NULL, &error));
        g_autofree char *end =
            g_strconcat(" B of shared memory does not fit on an SM, which has ", has[i], NULL);
        ck_assert_msg(g_str_has_prefix(error->message, "kernel triad: one CTA of ")
                          && g_str_has_suffix(error->message, end),
                      "%s", error->message);
    }
}
END_TEST

/* 8 warps of 64 x 32 registers each; 4 warps of 32 x 32. */
START_TEST(what_ctas_of_two_kernels_use_adds_up_until_they_leave)
{
    const Kernel large = kernel_of(256, 64, 0), small = kernel_of(128, 32, 12289);
    const OccupancyUse expected = {.ctas = 4,
                                   .threads = 3 * 256 + 128,
                                   .warps = 3 * 8 + 4,
                                   .registers = 3 * 16384 + 4096,
                                   .shared_bytes = 12289};
    OccupancyUse use = {0};
    occupancy_add(&v100, &use, &small);
    for (unsigned i = 0; i < 3; i++) occupancy_add(&v100, &use, &large);
    ck_assert_mem_eq(&use, &expected, sizeof use);
    ck_assert(!occupancy_fits(&v100, &use, &large)); /* 69,632 registers */
    ck_assert(occupancy_fits(&v100, &use, &small));
    occupancy_remove(&v100, &use, &small);
    ck_assert(occupancy_fits(&v100, &use, &large));
    for (unsigned i = 0; i < 3; i++) occupancy_remove(&v100, &use, &large);
    ck_assert_mem_eq(&use, &(OccupancyUse){0}, sizeof use);
}
END_TEST

HARNESS_MAIN("occupancy", the_scarcest_resource_decides, registers_are_rounded_up_by_the_warp,
             what_a_part_of_the_registers_has_left_over_helps_no_warp,
             shared_memory_is_rounded_up_with_what_is_reserved,
             a_warp_of_64_lanes_has_as_many_registers_as_two_of_32,
             a_cta_that_does_not_fit_is_described,
             what_ctas_of_two_kernels_use_adds_up_until_they_leave)
