/* The kernel language: addresses at equal steps, and what a warp computes once. */
#include "code.h"
#include "rigs/harness.h"

START_TEST(affine_addresses_are_base_and_stride)
{
    g_autoptr(LaunchList) list =
        launches_of_code("global A[1 MiB] of 8 B; for i in 0..4 { x = load A[((cta * 4 + i) * "
                         "threads + thread) * 2] }",
                         NULL);
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor = {.addresses = addresses, .cta = 2, .warp = 1};
    Instruction in;
    for (uint64_t i = 0; i < 4; i++) {
        kernel_of(list, 0)->class->fetch(kernel_of(list, 0), &cursor, &in);
        ck_assert_ptr_null(in.addresses);
        ck_assert_int_eq(in.stride, 16);
        ck_assert_uint_eq(in.base, FIRST + ((2 * 4 + i) * 64 + 32) * 16);
    }
}
END_TEST

START_TEST(what_division_leaves_linear_stays_affine)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "global A[1 MiB]; x = load A[(cta * 64 + thread) / 32 * 100 + (thread + 64) % 32]; "
        "y = load A[thread / 32 * 32 + (lane << 1)]",
        NULL);
    uint64_t addresses[LANES_MAX];
    WarpCursor cursor = {.addresses = addresses, .cta = 2, .warp = 1};
    Instruction in;
    kernel_of(list, 0)->class->fetch(kernel_of(list, 0), &cursor, &in);
    ck_assert_ptr_null(in.addresses);
    ck_assert_uint_eq(in.base, FIRST + 5 * 400);
    ck_assert_int_eq(in.stride, 4);
    kernel_of(list, 0)->class->fetch(kernel_of(list, 0), &cursor, &in);
    ck_assert_ptr_null(in.addresses);
    ck_assert_int_eq(in.stride, 8);
}
END_TEST

/* More sums than there is room for in a warp's cursor. */
START_TEST(what_a_warp_computes_once_stays)
{
    enum { SUMS = 14, ROUNDS = 3 };
    g_autoptr(GString) code = g_string_new("global A[1 MiB]; for i in 0..3 { ");
    for (guint k = 1; k <= SUMS; k++)
        g_string_append_printf(code, "x = load A[(cta + warp) / %u * 40 + cta %% %u + i + lane]; ",
                               k, k + 1);
    g_string_append(code, "}");
    g_autoptr(GArray) warp = warp_of_code(code->str, 2, 1);
    for (guint i = 0; i < ROUNDS; i++)
        for (guint k = 1; k <= SUMS; k++)
            ck_assert_uint_eq(address_at(warp, i * SUMS + k - 1, 2),
                              FIRST + 4 * (3 / k * 40 + 2 % (k + 1) + i + 2));
}
END_TEST

START_TEST(threads_in_two_dimensions_are_rows)
{
    static const struct {
        const char *index;
        int64_t stride, row_stride;
        uint32_t row_lanes; /* 0: a list */
    } rows[] = {{"thread / 16 * 100 + thread % 16", 4, 400, 16},
                {"lane / 8 + 3 * cta", 0, 4, 8},
                {"lane % 4 * 50", 200, 0, 4},
                {"lane / 16 * 1000 + lane", 4, 4000 + 64, 16},
                {"lane / 16 * 16 + lane % 16", 4, 64, 16},
                {"7 - lane % 8", -4, 0, 8},
                {"lane % 2", 0, 0, 0},
                {"(lane + warp) % 16", 0, 0, 0},
                {"lane * lane", 0, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *code = g_strdup_printf("global A[1 MiB]; x = load A[%s]", rows[i].index);
        g_autoptr(LaunchList) list = launches_of_code(code, NULL);
        uint64_t addresses[LANES_MAX];
        WarpCursor cursor = {.addresses = addresses, .cta = 2, .warp = 1};
        Instruction in;
        kernel_of(list, 0)->class->fetch(kernel_of(list, 0), &cursor, &in);
        ck_assert_uint_eq(in.row_lanes, rows[i].row_lanes);
        ck_assert_int_eq(in.addresses != NULL, !rows[i].row_lanes);
        if (!rows[i].row_lanes) continue;
        ck_assert_int_eq(in.stride, rows[i].stride);
        ck_assert_int_eq(in.row_stride, rows[i].row_stride);
    }
}
END_TEST

START_TEST(rows_of_atomics_or_too_far_apart_are_lists)
{
    static const char *const codes[] = {
        "global A[1 MiB]; reduce.add A[lane / 16 * 100 + lane % 16]",
        "global A[4 GiB] of 4 B; x = load A[lane / 16 * 536870912]"};
    for (guint i = 0; i < G_N_ELEMENTS(codes); i++) {
        g_autoptr(LaunchList) list = launches_of_code(codes[i], NULL);
        uint64_t addresses[LANES_MAX];
        WarpCursor cursor = {.addresses = addresses, .cta = 2, .warp = 1};
        Instruction in;
        kernel_of(list, 0)->class->fetch(kernel_of(list, 0), &cursor, &in);
        ck_assert_ptr_nonnull(in.addresses);
        ck_assert_uint_eq(in.row_lanes, 0);
    }
}
END_TEST

HARNESS_MAIN("program_steps", affine_addresses_are_base_and_stride,
             what_division_leaves_linear_stays_affine, what_a_warp_computes_once_stays,
             threads_in_two_dimensions_are_rows, rows_of_atomics_or_too_far_apart_are_lists)
