/* The kernel language: which instructions a program's text is. */
#include "code.h"
#include "rigs/harness.h"

/* --- instructions ----------------------------------------------------------------------------- */

static const struct {
    const char *code;
    Operation operation;
    ExecutionUnit unit;
    Space space;
    CacheHint hint;
    uint8_t width, words, sources;
} kinds[] = {
    {"global A[64]; x = load A[0]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_GLOBAL, CACHE_ALL, 4, 1,
     0},
    {"global A[64] of 8 B; x = load A[0]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_GLOBAL, CACHE_ALL,
     8, 2, 0},
    {"global A[64]; x = load.cg.16 A[0]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_GLOBAL,
     CACHE_L2_ONLY, 16, 4, 0},
    {"global A[64] readonly; x = load A[0]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_GLOBAL,
     CACHE_READ_ONLY, 4, 1, 0},
    {"global A[64] readonly; x = load.ca A[0]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_GLOBAL,
     CACHE_ALL, 4, 1, 0},
    {"global A[64]; store.cs A[0]", OPERATION_STORE, EXECUTE_OTHER, SPACE_GLOBAL, CACHE_STREAMING,
     4, 0, 0},
    {"shared s[64]; register v; store s[0], v", OPERATION_STORE, EXECUTE_OTHER, SPACE_SHARED,
     CACHE_ALL, 4, 0, 1},
    {"global B[64]; x = load.16 B[0]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_GLOBAL, CACHE_ALL, 16,
     4, 0}, /* a width and an array, not 16 bytes */
    {"for i in 0..1 B { other }", OPERATION_ALU, EXECUTE_OTHER, 0, 0, 0, 0, 0},
    {"local L[4]; x = load L[1]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_LOCAL, CACHE_ALL, 4, 1, 0},
    {"constant C[4]; x = load C[1]", OPERATION_LOAD, EXECUTE_OTHER, SPACE_CONSTANT, CACHE_ALL, 4, 1,
     0},
    {"global A[64]; x = atomic A[0]", OPERATION_ATOMIC, EXECUTE_OTHER, SPACE_GLOBAL, CACHE_ALL, 4,
     1, 0},
    {"shared s[64]; register v; reduce s[0], v", OPERATION_ATOMIC, EXECUTE_OTHER, SPACE_SHARED,
     CACHE_ALL, 4, 0, 1},
    {"x = fp32", OPERATION_ALU, EXECUTE_FP32, 0, 0, 0, 1, 0},
    {"x = fma", OPERATION_ALU, EXECUTE_FP32, 0, 0, 0, 1, 0},
    {"register y of 8 B; x = fp64 y", OPERATION_ALU, EXECUTE_FP64, 0, 0, 0, 2, 2},
    {"sfu", OPERATION_ALU, EXECUTE_SFU, 0, 0, 0, 0, 0},
    {"x = tex", OPERATION_ALU, EXECUTE_TEXTURE, 0, 0, 0, 1, 0},
    {"x = 17", OPERATION_ALU, EXECUTE_INT, 0, 0, 0, 1, 0},
    {"other", OPERATION_ALU, EXECUTE_OTHER, 0, 0, 0, 0, 0},
    {"barrier", OPERATION_BARRIER, EXECUTE_OTHER, 0, 0, 0, 0, 0},
    {"fence", OPERATION_FENCE, EXECUTE_OTHER, 0, 0, 0, 0, 0},
    {"wait", OPERATION_WAIT_STORES, EXECUTE_OTHER, 0, 0, 0, 0, 0},
};

START_TEST(a_statement_is_one_instruction)
{
    g_autoptr(GArray) warp = warp_of_code(kinds[_i].code, 0, 0);
    ck_assert_uint_eq(warp->len, 1);
    const Instruction *in = &fetched_at(warp, 0)->in;
    ck_assert_uint_eq(in->operation, kinds[_i].operation);
    ck_assert_uint_eq(in->unit, kinds[_i].unit);
    ck_assert_uint_eq(in->space, kinds[_i].space);
    ck_assert_uint_eq(in->hint, kinds[_i].hint);
    ck_assert_uint_eq(in->width, kinds[_i].width);
    ck_assert_uint_eq(in->destination_count, kinds[_i].words);
    ck_assert_uint_eq(in->source_count, kinds[_i].sources);
    ck_assert_uint_eq(in->mask, UINT32_MAX);
}
END_TEST

START_TEST(a_chain_depends_on_itself_and_independent_work_does_not)
{
    g_autoptr(GArray) chain = warp_of_code("x = fp32; x = fp32 x times 600; fp64 times 3", 0, 0);
    ck_assert_uint_eq(chain->len, 1 + 3 + 3); /* 600 = 90 + 2 x 255 */
    ck_assert_uint_eq(fetched_at(chain, 1)->in.repeat, 90);
    ck_assert_uint_eq(fetched_at(chain, 3)->in.repeat, 255);
    ck_assert_uint_eq(fetched_at(chain, 3)->in.sources[0], fetched_at(chain, 1)->in.destination);
    ck_assert_uint_eq(fetched_at(chain, 6)->in.repeat, 1);
    ck_assert_uint_eq(fetched_at(chain, 6)->in.destination_count, 0);
    g_autoptr(GArray) first = warp_of_code("x = fp32; y = sfu x times 300", 0, 0);
    ck_assert_uint_eq(fetched_at(first, 2)->in.source_count, 2); /* x, and its own result */
    g_autoptr(GArray) none = warp_of_code("param n = 0; x = fp32 times n; sfu x times n", 0, 0);
    ck_assert_uint_eq(none->len, 0);
}
END_TEST

START_TEST(a_use_reads_the_register_that_a_load_wrote)
{
    g_autoptr(GArray) warp =
        warp_of_code("global A[64]; x = load A[lane]; y = load A[lane]; z = fma x, y; "
                     "store A[lane], z",
                     0, 0);
    const uint8_t x = fetched_at(warp, 0)->in.destination, y = fetched_at(warp, 1)->in.destination;
    ck_assert_uint_ne(x, y);
    ck_assert_uint_eq(fetched_at(warp, 2)->in.sources[0], x);
    ck_assert_uint_eq(fetched_at(warp, 2)->in.sources[1], y);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.sources[0], fetched_at(warp, 2)->in.destination);
}
END_TEST

/* --- addresses -------------------------------------------------------------------------------- */

/* CTA 3, warp 1, lane 5 of `A`, in elements of 4 B. */
static const struct {
    const char *index;
    uint64_t element;
} indices[] = {
    {"lane", 5},
    {"thread", 37},
    {"cta * threads + thread", 229},
    {"2 * lane + 1", 11},
    {"thread % 16", 5},
    {"thread / 16", 2},
    {"(thread / 4) % 8", 1},
    {"(lane & 1) * 64 + (lane >> 1)", 66},
    {"lane ^ 3", 6},
    {"lane | 8", 13},
    {"63 - lane", 58},
    {"min(lane, 3) + max(warp, cta)", 6},
    {"lane < 6 ? 100 : 200", 100},
    {"(lane == 5) + 2 * (lane != 5) + 4 * (lane >= 6) + 8 * (lane <= 5)", 9},
    {"lane > 4 && !(warp == 0) || cta == 9", 1},
    {"1 << warp + 2", 8},
    {"(lane << warp) % 7", 3},
    {"(lane - 7) % 10", 8},
    {"(lane - 8) / 2 + 10", 8},
    {"(cta * lane) & 0xf", 15},
    {"log2(1000) + ~(-4)", 12},
    {"ctas * 16 + warps", 66},
    {"16 B + lane", 21},
};

START_TEST(an_index_is_what_was_computed_by_hand)
{
    g_autofree char *code = g_strdup_printf("global A[1 MiB]; x = load A[%s]", indices[_i].index);
    g_autoptr(GArray) warp = warp_of_code(code, 3, 1);
    ck_assert_uint_eq(address_at(warp, 0, 5), FIRST + 4 * indices[_i].element);
}
END_TEST

START_TEST(arrays_lie_one_behind_the_other)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "global A[100]; global B[10] of 8 B, align 4 KiB; global C[1] at 1 GiB; "
        "shared s[3]; shared t[5] of 8 B; x = load A[99]; y = load B[0]; x = load C[0]; "
        "x = load s[1]; y = load t[0]",
        "workload.shared_bytes_per_cta=40 B\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(address_at(warp, 0, 0), FIRST + 396);
    ck_assert_uint_eq(address_at(warp, 1, 0), FIRST + 4096);
    ck_assert_uint_eq(address_at(warp, 2, 0), 1 << 30);
    ck_assert_uint_eq(address_at(warp, 3, 0), 4);
    ck_assert_uint_eq(address_at(warp, 4, 0), 16); /* 12 B, rounded up */
    ck_assert_uint_eq(kernel_of(list, 0)->shared_bytes_per_cta, 16 + 40);
}
END_TEST

START_TEST(dimensions_are_rows_of_rows)
{
    g_autoptr(GArray) warp =
        warp_of_code("shared t[8, 4, 33]; x = load t[warp + 2, 3, lane + 1]", 0, 1);
    ck_assert_uint_eq(address_at(warp, 0, 7), ((3 * 4 + 3) * 33 + 8) * 4);
}
END_TEST

START_TEST(an_index_that_may_be_outside_wraps_around)
{
    g_autoptr(GArray) warp = warp_of_code("global A[10]; if lane < 12 { x = load A[lane] }; "
                                          "y = load.8 A[random(10)]",
                                          0, 0);
    ck_assert_uint_eq(fetched_at(warp, 0)->lanes, 12);
    ck_assert_uint_eq(address_at(warp, 0, 9), FIRST + 36);
    ck_assert_uint_eq(address_at(warp, 0, 11), FIRST + 4);
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(address_at(warp, 1, lane) % 8, 0); /* as a GPU wants it */
}
END_TEST

/* --- loops ------------------------------------------------------------------------------------ */

/* Elements that lane 0 of warp 1 loads. */
static const struct {
    const char *code;
    int elements[16]; /* -1: the end */
} loops[] = {
    {"for i in 2..5 { x = load A[i] }", {2, 3, 4, -1}},
    {"for i in 0..10 step 4 { x = load A[i] }", {0, 4, 8, -1}},
    {"for i in 3..3 { x = load A[i] }", {-1}},
    {"for i in 0..2 { for j in i..3 { x = load A[i * 8 + j] } }", {0, 1, 2, 9, 10, -1}},
    {"for i in 0..warp + 2 { x = load A[i] }", {0, 1, 2, -1}},
    {"for i in 0..5 unroll 2 { x = load A[i]; y = load A[i + 8] }",
     {0, 1, 8, 9, 2, 3, 10, 11, 4, 12, -1}},
    {"for i in 0..warp * 5 unroll 2 { x = load A[i] }", {0, 1, 2, 3, 4, -1}},
    {"for i in warp..4 step 2 { x = load A[i] }", {1, 3, -1}},
    {"for i in warp * 4..4 { x = load A[i] }", {-1}},
    {"for i in warp..5 unroll 2 { x = load A[i] }", {1, 2, 3, 4, -1}},
    {"for i in 0..3 { for j in i + 1..3 { x = load A[i * 8 + j] } }", {1, 2, 10, -1}},
    {"for i in 1..3 { for j in i..3 unroll 2 { x = load A[i * 8 + j] } }", {9, 10, 18, -1}},
    {"for i in 0..3 unroll all { x = load A[i]; y = load A[i + 8] }", {0, 1, 2, 8, 9, 10, -1}},
    {"for i in 0..4 unroll 2 { x = load A[i]; barrier }", {0, -2, 1, -2, 2, -2, 3, -2, -1}},
    {"let k = warp + 1; for i in 0..k { let m = i * k; x = load A[m] }", {0, 2, -1}},
    {"param n = 3; for i in 0..n { x = load A[n - i] }", {3, 2, 1, -1}},
    {"for i in 0..2 { if i == warp { x = load A[1] } else { x = load A[2] } }", {2, 1, -1}},
    {"for i in 0..4 { if i < 1 { x = load A[1] } else if i < 3 { x = load A[2] } }", {1, 2, 2, -1}},
};

START_TEST(a_loop_visits_what_was_listed_by_hand)
{
    g_autofree char *code = g_strdup_printf("global A[64]; %s", loops[_i].code);
    g_autoptr(GArray) warp = warp_of_code(code, 0, 1);
    guint n = 0;
    for (; loops[_i].elements[n] != -1; n++) {
        const Fetched *f = fetched_at(warp, n);
        if (loops[_i].elements[n] == -2)
            ck_assert_uint_eq(f->in.operation, OPERATION_BARRIER);
        else
            ck_assert_uint_eq(f->address[0], FIRST + 4 * (uint64_t)loops[_i].elements[n]);
    }
    ck_assert_uint_eq(warp->len, n);
}
END_TEST

START_TEST(copies_of_an_unrolled_loop_have_registers_of_their_own)
{
    g_autoptr(GArray) warp = warp_of_code(
        "global A[64]; s = fp32; for i in 0..8 unroll 4 { x = load A[i]; s = fma s, x }", 0, 0);
    ck_assert_uint_eq(warp->len, 1 + 16);
    for (guint i = 1; i <= 4; i++) {
        const Instruction *load = &fetched_at(warp, i)->in, *use = &fetched_at(warp, i + 4)->in;
        ck_assert_uint_eq(load->operation, OPERATION_LOAD);
        ck_assert_uint_eq(use->sources[1], load->destination);
        ck_assert_uint_eq(use->destination, fetched_at(warp, 0)->in.destination);
        if (i > 1) ck_assert_uint_ne(load->destination, fetched_at(warp, i - 1)->in.destination);
    }
}
END_TEST

START_TEST(copies_that_hand_on_a_value_stay_one_after_the_other)
{
    g_autoptr(GArray) warp = warp_of_code(
        "global A[64]; p = fp32; for i in 0..2 unroll 2 { x = fma p; p = fma x }", 0, 0);
    ck_assert_uint_eq(warp->len, 5);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.sources[0], fetched_at(warp, 2)->in.destination);
}
END_TEST

/* --- conditions ------------------------------------------------------------------------------- */

/* Masks of the loads of CTA 1, warp 1, of 64 threads. */
static const struct {
    const char *condition;
    uint32_t then_mask, else_mask;
} conditions[] = {
    {"lane < 4", 0xf, 0xfffffff0},
    {"lane % 2 == 1", 0xaaaaaaaa, 0x55555555},
    {"thread < 40", 0xff, 0xffffff00},
    {"thread < 10", 0, 0xffffffff},
    {"thread >= 10", 0xffffffff, 0},
    {"warp == 1", 0xffffffff, 0},
    {"cta == 0 || warp == 0", 0, 0xffffffff},
    {"lane < 4 && thread > 33", 0xc, 0xfffffff3},
    {"1 == 2", 0, 0xffffffff},
    {"lane", 0xfffffffe, 1},
};

START_TEST(a_condition_selects_lanes)
{
    g_autofree char *code = g_strdup_printf(
        "global A[64]; if %s { x = load A[0] } else { x = load A[1] }", conditions[_i].condition);
    g_autoptr(GArray) warp = warp_of_code(code, 1, 1);
    uint32_t masks[2] = {0, 0};
    for (guint i = 0; i < warp->len; i++) {
        const Fetched *f = fetched_at(warp, i);
        masks[f->address[0] != FIRST] = f->in.mask;
    }
    ck_assert_uint_eq(masks[0], conditions[_i].then_mask);
    ck_assert_uint_eq(masks[1], conditions[_i].else_mask);
}
END_TEST

START_TEST(conditions_inside_conditions_select_among_the_selected)
{
    g_autoptr(GArray) warp = warp_of_code(
        "global A[64]; if thread < 48 { if lane >= 8 { if thread < 44 { x = load A[0] } } else "
        "{ x = load A[1] } }; x = load A[2]; "
        "if thread < 48 { if thread < 40 { x = load A[3] } else { x = load A[4] } }",
        0, 1);
    ck_assert_uint_eq(warp->len, 5);
    ck_assert_uint_eq(fetched_at(warp, 3)->in.mask, 0xff);
    ck_assert_uint_eq(fetched_at(warp, 4)->in.mask, 0xff00);
    ck_assert_uint_eq(fetched_at(warp, 0)->in.mask, 0xf00);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.mask, 0xff);
    ck_assert_uint_eq(fetched_at(warp, 2)->in.mask, UINT32_MAX);
}
END_TEST

START_TEST(a_partial_last_warp_has_only_its_lanes)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "global A[48]; x = load A[thread]; if lane < 20 { x = load A[thread] }; barrier",
        "workload.threads_per_cta=48\n");
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 1, NULL);
    ck_assert_uint_eq(fetched_at(warp, 0)->in.mask, 0xffff);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.mask, 0xffff);
    ck_assert_uint_eq(fetched_at(warp, 2)->in.mask, 0xffff);
}
END_TEST

/* --- the grid --------------------------------------------------------------------------------- */

START_TEST(parameters_are_keys_and_the_grid_follows_them)
{
    static const char code[] = "param n = 256; param tile = 8 from 2 to 32; param row = tile + 1; "
                               "shared s[tile, row]; x = load s[tile - 1, row - 1]";
    static const char keys[] = "workload.ctas=(n / tile) * (n / tile)\n"
                               "workload.threads_per_cta=tile * tile\n"
                               "workload.counted_bytes=4 * n * n\nworkload.dependent_loads=n\n"
                               "workload.tile=16\n";
    g_autoptr(LaunchList) list = launches_of_code(code, keys);
    const Kernel *kernel = kernel_of(list, 0);
    ck_assert_uint_eq(kernel->ctas, 256);
    ck_assert_uint_eq(kernel->threads_per_cta, 256);
    ck_assert_uint_eq(kernel->shared_bytes_per_cta, 16 * 17 * 4);
    ck_assert_uint_eq(kernel->counted_bytes, 4 * 256 * 256);
    ck_assert_uint_eq(kernel->dependent_loads, 256);
}
END_TEST

START_TEST(a_program_in_a_sequence_is_called_as_its_group)
{
    g_autoptr(LaunchList) list =
        launches_of("workload.sequence=one, two\nkernel one.pattern=program\n"
                    "kernel one.code=param n = 1; fp32 times n\nkernel one.n=3\n"
                    "kernel two.pattern=program\nkernel two.code=int\n");
    ck_assert_str_eq(kernel_of(list, 0)->name, "one");
    g_autoptr(GArray) first = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(first->len, 3 + 1);
    ck_assert_str_eq(kernel_of(list, 1)->name, "two");
}
END_TEST

START_TEST(two_cursors_of_a_warp_agree)
{
    g_autoptr(LaunchList) list = launches_of_code(
        "global A[4096] content cycle; global B[4096] content random(4096); p = thread; "
        "for i in 0..5 unroll 2 { p = load A[p]; for j in 0..3 { x = load B[random(4096)]; "
        "if thread < 7 * i { y = load A[x] } } }",
        NULL);
    g_autoptr(GArray) once = fetch_warp(kernel_of(list, 0), 2, 1, NULL);
    g_autoptr(GArray) again = fetch_warp(kernel_of(list, 0), 2, 1, NULL);
    ck_assert_uint_gt(once->len, 20);
    ck_assert_uint_eq(once->len, again->len);
    for (guint i = 0; i < once->len; i++)
        assert_same_instruction(fetched_at(once, i), fetched_at(again, i));
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program");
    tcase_add_loop_test(cases, a_statement_is_one_instruction, 0, G_N_ELEMENTS(kinds));
    tcase_add_test(cases, a_chain_depends_on_itself_and_independent_work_does_not);
    tcase_add_test(cases, a_use_reads_the_register_that_a_load_wrote);
    tcase_add_loop_test(cases, an_index_is_what_was_computed_by_hand, 0, G_N_ELEMENTS(indices));
    tcase_add_test(cases, arrays_lie_one_behind_the_other);
    tcase_add_test(cases, dimensions_are_rows_of_rows);
    tcase_add_test(cases, an_index_that_may_be_outside_wraps_around);
    tcase_add_loop_test(cases, a_loop_visits_what_was_listed_by_hand, 0, G_N_ELEMENTS(loops));
    tcase_add_test(cases, copies_of_an_unrolled_loop_have_registers_of_their_own);
    tcase_add_test(cases, copies_that_hand_on_a_value_stay_one_after_the_other);
    tcase_add_loop_test(cases, a_condition_selects_lanes, 0, G_N_ELEMENTS(conditions));
    tcase_add_test(cases, conditions_inside_conditions_select_among_the_selected);
    tcase_add_test(cases, a_partial_last_warp_has_only_its_lanes);
    tcase_add_test(cases, parameters_are_keys_and_the_grid_follows_them);
    tcase_add_test(cases, a_program_in_a_sequence_is_called_as_its_group);
    tcase_add_test(cases, two_cursors_of_a_warp_agree);
    Suite *suite = suite_create("program");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
