/* The kernel language: random numbers, permutations, and addresses that come out of memory. */
#include "code.h"
#include "rigs/harness.h"

static uint64_t element_at(const GArray *warp, guint instruction, uint32_t lane)
{
    return (address_at(warp, instruction, lane) - FIRST) / 4;
}

START_TEST(random_numbers_fill_their_range_and_differ_by_lane_warp_cta_and_iteration)
{
    static const char code[] = "global A[1000]; for i in 0..64 { x = load A[random(500)] }";
    g_autoptr(GArray) warp = warp_of_code(code, 1, 0);
    g_autoptr(GArray) other_warp = warp_of_code(code, 1, 1);
    g_autoptr(GArray) other_cta = warp_of_code(code, 2, 0);
    uint64_t sum = 0;
    uint32_t equal = 0;
    for (guint i = 0; i < 64; i++)
        for (uint32_t lane = 0; lane < 32; lane++) {
            const uint64_t element = element_at(warp, i, lane);
            ck_assert_uint_lt(element, 500);
            sum += element;
            equal += element == element_at(other_warp, i, lane);
            equal += element == element_at(other_cta, i, lane);
            equal += element == element_at(warp, (i + 1) % 64, lane);
            equal += element == element_at(warp, i, (lane + 1) % 32);
        }
    /* 2048 numbers: mean 249.5, deviation 144 / sqrt(2048) = 3.2 */
    ck_assert_uint_gt(sum, 2048 * 237);
    ck_assert_uint_lt(sum, 2048 * 262);
    ck_assert_uint_lt(equal, 45); /* of 4 x 2048, one in 500: 16 */
}
END_TEST

START_TEST(a_random_number_with_keys_depends_on_them_alone)
{
    g_autoptr(GArray) warp = warp_of_code(
        "global A[1000]; for i in 0..3 { let r = random(1000, warp, i / 2); x = load A[r]; "
        "y = load A[r] }",
        1, 1);
    ck_assert_uint_eq(element_at(warp, 0, 0), element_at(warp, 0, 31));
    ck_assert_uint_eq(element_at(warp, 0, 0), element_at(warp, 1, 0)); /* the same let */
    ck_assert_uint_eq(element_at(warp, 0, 0), element_at(warp, 2, 0));
    ck_assert_uint_ne(element_at(warp, 0, 0), element_at(warp, 4, 0));
}
END_TEST

static const uint32_t sizes[] = {1, 2, 3, 5, 31, 32, 33, 100, 1000};

START_TEST(permute_is_a_bijection)
{
    const uint32_t n = sizes[_i];
    g_autofree char *code = g_strdup_printf(
        "global A[%u]; for i in 0..%u { x = load A[permute(i, %u)]; x = load A[permute(i, %u, 7)] }",
        n, n, n, n);
    g_autoptr(GArray) warp = warp_of_code(code, 0, 0);
    g_autofree uint32_t *seen = g_new0(uint32_t, n);
    uint32_t fixed = 0, same = 0;
    for (uint32_t i = 0; i < n; i++) {
        seen[element_at(warp, 2 * i, 0)]++;
        fixed += element_at(warp, 2 * i, 0) == i;
        same += element_at(warp, 2 * i, 0) == element_at(warp, 2 * i + 1, 0);
    }
    for (uint32_t i = 0; i < n; i++) ck_assert_uint_eq(seen[i], 1);
    if (n < 31) return;
    ck_assert_uint_lt(fixed, 8); /* of a random permutation: 1 */
    ck_assert_uint_lt(same, 8);
}
END_TEST

START_TEST(a_chase_goes_once_round_the_whole_cycle)
{
    g_autoptr(GArray) warp = warp_of_code("global A[100] content cycle; p = 0; "
                                          "for i in 0..101 { p = load A[p] }",
                                          0, 0);
    bool seen[100] = {false};
    ck_assert_uint_eq(warp->len, 102);
    for (guint i = 1; i <= 100; i++) {
        const Fetched *load = fetched_at(warp, i);
        const uint64_t element = element_at(warp, i, 0);
        ck_assert(!seen[element]);
        seen[element] = true;
        ck_assert_uint_eq(load->in.stride, 0);
        ck_assert_uint_eq(load->in.sources[0], fetched_at(warp, i - 1)->in.destination);
        ck_assert_uint_eq(load->in.destination, load->in.sources[0]);
    }
    ck_assert_uint_eq(element_at(warp, 1, 0), 0);
    ck_assert_uint_eq(element_at(warp, 101, 0), 0); /* closed */
}
END_TEST

/* The same walk, however it is written. */
static const char *const walks[] = {
    "for i in 0..12 { p = load A[p] }",
    "for i in 0..12 unroll 4 { p = load A[p] }",
    "for i in 0..12 unroll 5 { p = load A[p] }",
    "for i in 0..12 unroll all { p = load A[p] }",
    "for i in 0..3 { for j in 0..4 { p = load A[p] } }",
    "for i in 0..4 { p = load A[p]; p = load A[p]; p = load A[p] }",
    "for i in 0..6 { p = load A[p] }; for i in 0..6 { p = load A[p] }",
    "for i in 0..10 { p = load A[p] }; p = load A[p]; p = load A[p]",
    "for i in 0..8 { if i % 2 == 0 { p = load A[p]; p = load A[p] } else { p = load A[p] } }",
    "if lane < 32 { for i in 0..12 { p = load A[p] } }",
    "if cta < 2 { for i in 0..12 { p = load A[p] } }",
};

START_TEST(a_walk_is_the_same_however_it_is_written)
{
    static const char start[] = "global A[1000] content cycle; p = lane * 3;";
    g_autofree char *plain = g_strconcat(start, walks[0], NULL);
    g_autofree char *other = g_strconcat(start, walks[_i], NULL);
    g_autoptr(GArray) expected = warp_of_code(plain, 0, 0);
    g_autoptr(GArray) warp = warp_of_code(other, 0, 0);
    ck_assert_uint_eq(warp->len, expected->len);
    for (guint i = 1; i < warp->len; i++)
        for (uint32_t lane = 0; lane < 32; lane++)
            ck_assert_uint_eq(address_at(warp, i, lane), address_at(expected, i, lane));
}
END_TEST

START_TEST(pointers_that_are_a_constant_away_are_affine)
{
    g_autoptr(LaunchList) list =
        launches_of_code("global A[1 MiB] content index + 100; p = thread * 1024; "
                         "for k in 0..6 { p = load A[p] }",
                         NULL);
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 0, 1, NULL);
    for (guint k = 0; k < 6; k++) {
        ck_assert_uint_eq(element_at(warp, k + 1, 0), 32 * 1024 + k * 100);
        ck_assert_uint_eq(element_at(warp, k + 1, 9), 41 * 1024 + k * 100);
    }
}
END_TEST

START_TEST(a_loaded_index_is_the_arrays_content_and_its_register_is_waited_for)
{
    g_autoptr(GArray) warp = warp_of_code("global A[64] content (index * 7) % 50; global B[50]; "
                                          "x = load A[lane + 1]; y = load B[x]",
                                          0, 0);
    const uint64_t b = FIRST + 256;
    for (uint32_t lane = 0; lane < 32; lane++)
        ck_assert_uint_eq(address_at(warp, 1, lane), b + 4 * ((lane + 1) * 7 % 50));
    ck_assert_uint_eq(fetched_at(warp, 1)->in.source_count, 1);
    ck_assert_uint_eq(fetched_at(warp, 1)->in.sources[0], fetched_at(warp, 0)->in.destination);
}
END_TEST

START_TEST(random_contents_are_the_same_for_all_who_read_them)
{
    static const char code[] = "global A[64] content random(1000); global B[1000]; "
                               "x = load A[7]; y = load B[x]; z = load A[lane]; w = load B[z]";
    g_autoptr(GArray) warp = warp_of_code(code, 0, 0);
    g_autoptr(GArray) other = warp_of_code(code, 3, 1);
    ck_assert_uint_eq(address_at(warp, 1, 0), address_at(other, 1, 5));
    ck_assert_uint_eq(address_at(warp, 3, 7), address_at(warp, 1, 0));
    ck_assert_uint_ne(address_at(warp, 3, 8), address_at(warp, 3, 7));
}
END_TEST

START_TEST(each_branch_begins_with_what_was_known_before)
{
    g_autoptr(GArray) warp = warp_of_code("global A[64]; y = 3; if cta == 1 { y = 4; x = load A[y] "
                                          "} else { x = load A[y] }",
                                          0, 0);
    ck_assert_uint_eq(element_at(warp, 1, 0), 3);
}
END_TEST

START_TEST(the_seed_draws_other_numbers)
{
    static const char code[] = "global A[1 MiB]; x = load A[random(1 MiB)]";
    g_autoptr(LaunchList) one = launches_of_code(code, NULL);
    g_autoptr(LaunchList) two = launches_of_code(code, "workload.seed=1\n");
    g_autoptr(GArray) a = fetch_warp(kernel_of(one, 0), 0, 0, NULL);
    g_autoptr(GArray) b = fetch_warp(kernel_of(two, 0), 0, 0, NULL);
    uint32_t equal = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        equal += address_at(a, 0, lane) == address_at(b, 0, lane);
    ck_assert_uint_le(equal, 1);
}
END_TEST

/* --- warps of 64 lanes --- */

/* Elements that the lanes of warp 1 of 160 threads load. */
static const struct {
    const char *index;
    uint64_t constant, factor;
} wide[] = {
    {"lane", 0, 1},           {"thread", 64, 1},        {"warp", 1, 0},
    {"warps", 3, 0},          {"lane * 3 + cta", 1, 3}, {"min(lane, 99)", 0, 1},
    {"(lane * 2) / 2", 0, 1}, {"max(lane, i)", 0, 1},   {"lane ^ 0", 0, 1},
};

START_TEST(the_lanes_of_a_wide_warp_are_0_to_63)
{
    g_autofree char *code = g_strdup_printf(
        "global A[1000]; for i in 0..1 { x = load A[%s] }; y = load A[random(1000)]",
        wide[_i].index);
    g_autofree char *text = program_of(code, "workload.threads_per_cta=160\n");
    g_autoptr(LaunchList) list = launches_with(text, 64);
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 1, 1, NULL);
    g_autoptr(GArray) last = fetch_warp(kernel_of(list, 0), 1, 2, NULL);
    ck_assert_uint_eq(kernel_warps(kernel_of(list, 0)), 3);
    ck_assert_uint_eq(fetched_at(warp, 0)->in.mask, UINT64_MAX);
    ck_assert_uint_eq(fetched_at(last, 0)->in.mask, UINT32_MAX);
    uint32_t equal = 0;
    for (uint32_t lane = 0; lane < 64; lane++) {
        ck_assert_uint_eq(element_at(warp, 0, lane), wide[_i].constant + lane * wide[_i].factor);
        ck_assert_uint_lt(element_at(warp, 1, lane), 1000);
        equal += element_at(warp, 1, lane) == element_at(warp, 1, (lane + 32) % 64);
    }
    ck_assert_uint_lt(equal, 4);
}
END_TEST

/* Masks of the loads of warp 1 of 128 threads; a condition of the lane alone is known beforehand,
 * one of i is not. */
static const struct {
    const char *condition;
    uint64_t then_mask, else_mask;
} splits[] = {
    {"lane >= 60", UINT64_C(0xf) << 60, UINT64_MAX >> 4},
    {"lane % 2 == 1", UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0x5555555555555555)},
    {"thread < 104", UINT64_C(0xffffffffff), UINT64_C(0xffffff) << 40},
    {"lane < 40 + i", UINT64_C(0xffffffffff), UINT64_C(0xffffff) << 40},
    {"lane + i < 0", 0, UINT64_MAX},
    {"lane + i >= i * 2", UINT64_MAX, 0},
};

START_TEST(a_condition_selects_among_64_lanes)
{
    g_autofree char *code = g_strdup_printf(
        "global A[64]; for i in 0..1 { if thread < 200 + i { if %s { x = load A[0] } else "
        "{ x = load A[1]; if lane > 50 - i { x = load A[2] } else { x = load A[3] } } } }",
        splits[_i].condition);
    g_autofree char *text = program_of(code, "workload.threads_per_cta=128\n");
    g_autoptr(LaunchList) list = launches_with(text, 64);
    g_autoptr(GArray) warp = fetch_warp(kernel_of(list, 0), 1, 1, NULL);
    uint64_t masks[4] = {0};
    for (guint i = 0; i + 1 < warp->len; i++)
        masks[element_at(warp, i, 0)] = fetched_at(warp, i)->in.mask;
    ck_assert_uint_eq(masks[0], splits[_i].then_mask);
    ck_assert_uint_eq(masks[1], splits[_i].else_mask);
    ck_assert_uint_eq(masks[2], splits[_i].else_mask & UINT64_MAX << 51);
    ck_assert_uint_eq(masks[3], splits[_i].else_mask & ~(UINT64_MAX << 51));
}
END_TEST

START_TEST(a_sum_may_have_any_number_of_terms)
{
    enum { TERMS = 100000 };
    GString *code = g_string_new("global A[100000]; let sum = 0");
    for (guint i = 1; i < TERMS; i++) g_string_append(code, " + 1");
    g_string_append(code, "; x = load A[sum]");
    g_autoptr(GArray) warp = warp_of_code(code->str, 0, 0);
    ck_assert_uint_eq(element_at(warp, 0, 0), TERMS - 1);
    g_string_free(code, TRUE);
}
END_TEST

/* 2^40 mentions of the first value. Of lanes and CTAs together values are computed as they are
 * wanted, both factors at once. */
START_TEST(a_value_that_mentions_itself_twice_again_and_again_takes_no_longer)
{
    static const struct {
        const char *first, *next;
    } chains[] = {{"lane", "x * x + x / 3"}, {"lane + cta", "x * x"}, {"cta + 2", "x * x"}};
    for (guint i = 0; i < G_N_ELEMENTS(chains); i++) {
        g_autofree char *code =
            g_strdup_printf("global A[1021]; global B[64] content index; x = load B[%s];"
                            "for i in 0..40 unroll 40 { x = (%s + 7) %% 1021 } y = load A[x]",
                            chains[i].first, chains[i].next);
        g_autoptr(GArray) warp = warp_of_code(code, 1, 0);
        uint64_t x = i ? 3 : 2; /* lane 2 of CTA 1 */
        for (guint k = 0; k < 40; k++) x = (x * x + (i ? 0 : x / 3) + 7) % 1021;
        ck_assert_uint_eq(element_at(warp, warp->len - 1, 2), x);
    }
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("program_values");
    tcase_add_test(cases,
                   random_numbers_fill_their_range_and_differ_by_lane_warp_cta_and_iteration);
    tcase_add_test(cases, a_random_number_with_keys_depends_on_them_alone);
    tcase_add_loop_test(cases, permute_is_a_bijection, 0, G_N_ELEMENTS(sizes));
    tcase_add_test(cases, a_chase_goes_once_round_the_whole_cycle);
    tcase_add_loop_test(cases, a_walk_is_the_same_however_it_is_written, 1, G_N_ELEMENTS(walks));
    tcase_add_test(cases, pointers_that_are_a_constant_away_are_affine);
    tcase_add_test(cases, a_loaded_index_is_the_arrays_content_and_its_register_is_waited_for);
    tcase_add_test(cases, random_contents_are_the_same_for_all_who_read_them);
    tcase_add_test(cases, each_branch_begins_with_what_was_known_before);
    tcase_add_test(cases, the_seed_draws_other_numbers);
    tcase_add_loop_test(cases, the_lanes_of_a_wide_warp_are_0_to_63, 0, G_N_ELEMENTS(wide));
    tcase_add_loop_test(cases, a_condition_selects_among_64_lanes, 0, G_N_ELEMENTS(splits));
    tcase_add_test(cases, a_sum_may_have_any_number_of_terms);
    tcase_add_test(cases, a_value_that_mentions_itself_twice_again_and_again_takes_no_longer);
    Suite *suite = suite_create("program_values");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
