/* The instructions of pattern offered_load: when each access is due, what it is and where. The
 * machine has 5 SMs at 1 GHz and 128 GB/s of DRAM: a block of 128 B a cycle. */
#include <math.h>
#include <string.h>

#include "rigs/harness.h"
#include "rigs/instructions.h"

enum { SMS = 5, WARPS = 8, TRAFFIC = (SMS - 1) * WARPS };
#define MIB (UINT64_C(1) << 20)

static LaunchList *try_build(const char *settings, GError **error)
{
    g_autofree char *text = g_strconcat("workload.pattern=offered_load\n", settings, NULL);
    g_autoptr(Configuration) configuration = configure(text);
    const WorkloadContext context = {.seed = 1,
                                     .warp_lanes = 32,
                                     .sms = SMS,
                                     .core_clock = 1000000000,
                                     .dram_bandwidth = 128000000000};
    return workload_build(configuration, &context, error);
}

static LaunchList *build(const char *settings)
{
    g_autoptr(GError) error = NULL;
    LaunchList *list = try_build(settings, &error);
    ck_assert_msg(list != NULL, "%s", error ? error->message : "");
    return list;
}

/* An access of the traffic, with the time before which it is not made. */
typedef struct {
    uint64_t due, address;
    uint32_t number; /* of its warp */
    bool stored;
} Access;

static uint32_t number_of(uint64_t cta, uint32_t warp)
{
    return warp * (SMS - 1) + (uint32_t)cta - 1;
}

static void add_accesses(GArray *accesses, const Kernel *kernel, uint64_t cta, uint32_t warp)
{
    g_autoptr(GArray) code = fetch_warp(kernel, cta, warp, NULL);
    ck_assert_int_eq(fetched_at(code, code->len - 1)->in.operation, OPERATION_EXIT);
    ck_assert_uint_eq(code->len % 2, 1);
    for (guint i = 0; i + 1 < code->len; i += 2) {
        const Instruction *pace = &fetched_at(code, i)->in;
        const Fetched *access = fetched_at(code, i + 1);
        ck_assert_int_eq(pace->operation, OPERATION_PACE);
        ck_assert_uint_eq(access->lanes, 32);
        ck_assert_uint_eq(access->address[31] - access->address[0], 31 * 4);
        const Access a = {pace->base, access->address[0], number_of(cta, warp),
                          access->in.operation == OPERATION_STORE};
        ck_assert(a.stored || access->in.operation == OPERATION_LOAD);
        g_array_append_val(accesses, a);
    }
}

static const Access *access_at(const GArray *accesses, guint i)
{
    return &g_array_index(accesses, Access, i);
}

/* Of all warps, warp after warp. */
static GArray *all_accesses(const Kernel *kernel)
{
    GArray *accesses = g_array_new(FALSE, FALSE, sizeof(Access));
    for (uint64_t cta = 1; cta < kernel->ctas; cta++)
        for (uint32_t warp = 0; warp < kernel_warps(kernel); warp++)
            add_accesses(accesses, kernel, cta, warp);
    return accesses;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const Access *x = a, *y = b;
    if (x->due != y->due) return x->due < y->due ? -1 : 1;
    return (int)x->number - (int)y->number;
}

/* --- pace ------------------------------------------------------------------------------------- */

/* At a quarter of the bandwidth of a block a cycle, block k is due at 4k. */
START_TEST(the_rate_is_kept_to_the_cycle)
{
    g_autoptr(LaunchList) list = build("workload.load=25 %\n"
                                       "workload.arrivals=even\nworkload.duration=4000 cycles\n"
                                       "workload.settle=10 cycles\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) accesses = all_accesses(kernel);
    g_array_sort(accesses, by_time);
    ck_assert_uint_eq(accesses->len, 1000);
    for (guint k = 0; k < accesses->len; k++) {
        ck_assert_uint_eq(access_at(accesses, k)->due, 4 * k);
        ck_assert_uint_eq(access_at(accesses, k)->number, k % TRAFFIC);
    }
    ck_assert_double_eq_tol(kernel_fact(kernel, "offered_gbps"), 32, 1e-6);
    ck_assert_double_eq_tol(kernel_fact(kernel, "interval_cycles"), 4.0 * TRAFFIC, 1e-6);
}
END_TEST

/* 32 warps, a block every 2 cycles: a slot is 64 cycles. Places in the slots are uniform: their
 * mean is within 5 standard errors of the middle, 64 / sqrt(12 n). */
START_TEST(random_arrivals_have_a_slot_of_time_each)
{
    g_autoptr(LaunchList) list = build("workload.load=50 %\nworkload.duration=64000 cycles\n");
    g_autoptr(GArray) accesses = all_accesses(kernel_of(list, 0));
    ck_assert_uint_eq(accesses->len, 1000 * TRAFFIC);
    double sum = 0;
    guint begun = 0;
    for (guint k = 0; k < accesses->len; k++) {
        const uint64_t due = access_at(accesses, k)->due;
        ck_assert_uint_eq(due / 64, k % 1000);
        sum += (double)(due % 64);
        begun += due % 64 == 0;
    }
    ck_assert_double_eq_tol(sum / accesses->len, 31.5, 5 * 64 / sqrt(12.0 * accesses->len));
    ck_assert_uint_ge(begun, 400); /* 500 expected */
    ck_assert_uint_le(begun, 600);
}
END_TEST

START_TEST(nothing_is_due_behind_the_end)
{
    g_autoptr(LaunchList) list = build("workload.load=1\nworkload.duration=1000 cycles\n"
                                       "workload.settle=100 cycles\nworkload.ctas=40\n");
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) accesses = all_accesses(kernel);
    for (guint k = 0; k < accesses->len; k++) ck_assert_uint_lt(access_at(accesses, k)->due, 1000);
    ck_assert_uint_ge(accesses->len, 900); /* 1000 expected */
    ck_assert_uint_le(accesses->len, 1100);
    g_autoptr(GArray) code = fetch_warp(kernel, 1, 0, NULL);
    ck_assert_int_eq(fetched_at(code, 0)->in.stride, 1000);
}
END_TEST

START_TEST(without_load_only_the_probe_runs)
{
    g_autoptr(LaunchList) list = build("workload.load=0 %\n");
    g_autoptr(GArray) accesses = all_accesses(kernel_of(list, 0));
    ck_assert_uint_eq(accesses->len, 0);
    ck_assert_double_eq(kernel_fact(kernel_of(list, 0), "offered_gbps"), 0);
}
END_TEST

/* --- mix -------------------------------------------------------------------------------------- */

static const double shares[] = {0, 0.25, 1.0 / 3, 0.5, 0.9, 1};

/* Of the first n of all warps floor(32 n s) are stores, as the sum of floor(n s + w / 32) over the
 * warps w; of each warp, one more or less than its share. */
START_TEST(the_write_share_is_exact_at_every_moment)
{
    const double share = shares[_i];
    g_autofree char *settings = g_strdup_printf(
        "workload.load=1\nworkload.write_share=%.17g\nworkload.duration=3200 cycles\n"
        "workload.settle=100 cycles\n",
        share);
    g_autoptr(LaunchList) list = build(settings);
    g_autoptr(GArray) accesses = all_accesses(kernel_of(list, 0));
    ck_assert_uint_eq(accesses->len, 100 * TRAFFIC);
    guint all[100] = {0};
    for (guint w = 0; w < TRAFFIC; w++) {
        guint own = 0;
        for (guint n = 0; n < 100; n++) {
            own += access_at(accesses, 100 * w + n)->stored;
            all[n] += own;
            ck_assert_double_le(fabs(own - share * (n + 1)), 1 + 1e-6);
        }
    }
    for (guint n = 0; n < 100; n++)
        ck_assert_double_le(fabs(all[n] - TRAFFIC * share * (n + 1)), 1 + 1e-4);
}
END_TEST

/* --- addresses -------------------------------------------------------------------------------- */

static const char *const orders[] = {"sequential", "random"};

/* The arrays of 1 MiB have 8192 blocks; of 16,000 accesses 8,000 are to each. */
START_TEST(loads_and_stores_have_an_array_each)
{
    g_autofree char *settings = g_strdup_printf(
        "workload.load=1\nworkload.write_share=50 %%\nworkload.duration=16000 cycles\n"
        "workload.array_bytes=1 MiB\nworkload.base=4 MiB\nworkload.order=%s\n",
        orders[_i]);
    g_autoptr(LaunchList) list = build(settings);
    const Kernel *kernel = kernel_of(list, 0);
    g_autoptr(GArray) accesses = all_accesses(kernel);
    g_autofree guint *visits = g_new0(guint, 2 * 8192);
    for (guint k = 0; k < accesses->len; k++) {
        const Access *a = access_at(accesses, k);
        const uint64_t first = 4 * MIB + (a->stored ? MIB : 0);
        ck_assert_uint_ge(a->address, first);
        ck_assert_uint_lt(a->address, first + MIB);
        ck_assert_uint_eq(a->address % 128, 0);
        visits[(a->address - 4 * MIB) / 128]++;
    }
    guint missed = 0;
    for (guint i = 0; i < 2 * 8192; i++) {
        missed += !visits[i];
        if (_i == 0) ck_assert_uint_le(visits[i], 1);
    }
    if (_i == 0)
        ck_assert_uint_eq(missed, 2 * 8192 - 16000);
    else /* e^-(8000/8192) of 16384, 6170, within a tenth */
        ck_assert_double_eq_tol(missed, 16384 * exp(-8000.0 / 8192), 617);
    ck_assert_uint_eq(kernel->footprint, 2 * MIB + 64 * MIB);
}
END_TEST

START_TEST(accesses_that_are_due_together_are_neighbours_of_different_SMs)
{
    g_autoptr(LaunchList) list = build("workload.load=1\nworkload.arrivals=even\n");
    g_autoptr(GArray) accesses = all_accesses(kernel_of(list, 0));
    g_array_sort(accesses, by_time);
    for (guint k = 1; k < 1000; k++)
        ck_assert_uint_eq(access_at(accesses, k)->address,
                          access_at(accesses, k - 1)->address + 128);
    g_autoptr(GArray) first = fetch_warp(kernel_of(list, 0), 1, 0, NULL);
    g_autoptr(GArray) other = fetch_warp(kernel_of(list, 0), 2, 0, NULL);
    ck_assert_uint_eq(fetched_at(other, 1)->address[0], fetched_at(first, 1)->address[0] + 128);
}
END_TEST

/* --- the probe -------------------------------------------------------------------------------- */

/* 8 warps on a chain of 1024 nodes begin 128 apart: together they visit each node once. */
START_TEST(the_probes_warps_share_a_chain)
{
    g_autoptr(LaunchList) list = build("workload.probe_bytes=128 KiB\nworkload.load=0\n"
                                       "workload.duration=5000 cycles\n"
                                       "workload.settle=1000 cycles\n");
    const Kernel *kernel = kernel_of(list, 0);
    bool seen[1024] = {false};
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        g_autoptr(GArray) code = fetch_warp(kernel, 0, warp, NULL);
        ck_assert_uint_eq(code->len, 2 * 5000 + 1); /* a load takes a cycle at least */
        for (guint n = 0; n < 128; n++) {
            const Instruction *pace = &fetched_at(code, 2 * n)->in;
            const Instruction *load = &fetched_at(code, 2 * n + 1)->in;
            const uint64_t node = (fetched_at(code, 2 * n + 1)->address[0] - 128 * MIB) / 128;
            ck_assert_uint_eq(pace->base, 1000);
            ck_assert_int_eq(pace->stride, 5000);
            ck_assert_uint_eq(load->destination, load->sources[0]);
            ck_assert_uint_lt(node, 1024);
            ck_assert(!seen[node]);
            seen[node] = true;
        }
    }
    ck_assert_uint_eq(kernel->probe_warps, WARPS);
    ck_assert_uint_eq(kernel->ctas, SMS);
}
END_TEST

START_TEST(warps_beside_the_probe_do_nothing)
{
    g_autoptr(LaunchList) list = build("workload.probe_warps=2\n");
    g_autoptr(GArray) code = fetch_warp(kernel_of(list, 0), 0, 2, NULL);
    ck_assert_uint_eq(code->len, 1);
    ck_assert_uint_eq(kernel_of(list, 0)->probe_warps, 2);
}
END_TEST

/* --- preparation ------------------------------------------------------------------------------ */

/* 1 MiB are 8192 blocks, 256 of each warp and one more. */
START_TEST(a_fill_comes_before_and_the_traffic_goes_on_where_it_ended)
{
    g_autoptr(LaunchList) list = build("workload.fill=1 MiB\nworkload.write_share=25 %\n"
                                       "workload.load=1\n");
    ck_assert_uint_eq(list->launches->len, 2);
    ck_assert(!g_array_index(list->launches, Launch, 0).measured);
    ck_assert(g_array_index(list->launches, Launch, 1).measured);
    g_autoptr(GArray) fill = fetch_warp(kernel_of(list, 0), 2, 3, NULL);
    g_autoptr(GArray) main = fetch_warp(kernel_of(list, 1), 2, 3, NULL);
    g_autoptr(GArray) probe = fetch_warp(kernel_of(list, 0), 0, 0, NULL);
    ck_assert_uint_eq(fill->len, 257 + 1);
    ck_assert_uint_eq(probe->len, 1);
    uint64_t last[2] = {0};
    for (guint i = 0; i < 257; i++) {
        const Fetched *access = fetched_at(fill, i);
        ck_assert(instruction_is_memory(&access->in)); /* no pace */
        last[access->in.operation == OPERATION_STORE] = access->address[0];
    }
    for (guint i = 1; i < 41; i += 2) {
        const Fetched *access = fetched_at(main, i);
        uint64_t *before = &last[access->in.operation == OPERATION_STORE];
        ck_assert_uint_eq(access->address[0], *before + 128 * TRAFFIC);
        *before = access->address[0];
    }
}
END_TEST

/* --- errors and repeatability ----------------------------------------------------------------- */

START_TEST(the_seed_decides_and_nothing_else)
{
    static const char *const random = "workload.order=random\nworkload.duration=4000 cycles\n"
                                      "workload.settle=0 cycles\n";
    g_autofree char *seeded = g_strconcat(random, "workload.seed=7\n", NULL);
    g_autoptr(LaunchList) one = build(random);
    g_autoptr(LaunchList) two = build(random);
    g_autoptr(LaunchList) other = build(seeded);
    g_autoptr(GArray) a = all_accesses(kernel_of(one, 0));
    g_autoptr(GArray) b = all_accesses(kernel_of(two, 0));
    g_autoptr(GArray) c = all_accesses(kernel_of(other, 0));
    ck_assert_uint_eq(a->len, b->len);
    ck_assert_mem_eq(a->data, b->data, a->len * sizeof(Access));
    guint same = 0;
    for (guint i = 0; i < MIN(a->len, c->len); i++)
        same += access_at(a, i)->address == access_at(c, i)->address;
    ck_assert_uint_le(same, 5);
}
END_TEST

static const struct {
    const char *settings, *message;
} rejected[] = {
    {"workload.ctas=1\n", "workload.ctas = 1: the first is the probe, and none would be left"},
    {"workload.settle=50000 cycles\n",
     "workload.settle = 50000 cycles: not before the end at 40000 cycles"},
    {"workload.probe_warps=9\n", "workload.probe_warps = 9: a CTA has only 8 warps"},
    {"workload.probe_bytes=896 B\n",
     "workload.probe_bytes = 896 B: has 7 nodes, fewer than probe_warps"},
    {"workload.probe_pitch=12 B\n", "workload.probe_pitch = 12 B: not a multiple"},
    {"workload.array_bytes=1000000 B\n", "workload.array_bytes = 1000000 B: not a multiple"},
    {"workload.base=64 B\n", "workload.base = 64 B: not a multiple"},
    {"workload.element_bytes=3 B\n", "workload.element_bytes = 3 B: not a power of two"},
    {"workload.write_share=1.5\n", "workload.write_share = 1.5"},
    {"workload.load=-1\n", "workload.load = -1"},
};

START_TEST(what_cannot_be_is_an_error_with_its_place)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(try_build(rejected[_i].settings, &error));
    ck_assert_msg(strstr(error->message, rejected[_i].message), "%s", error->message);
    ck_assert_msg(g_str_has_prefix(error->message, "test.ini:2: "), "%s", error->message);
}
END_TEST

START_TEST(a_rate_needs_a_machine)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Configuration) configuration = configure("workload.pattern=offered_load\n");
    const WorkloadContext context = {.seed = 1, .warp_lanes = 32};
    ck_assert_ptr_null(workload_build(configuration, &context, &error));
    ck_assert_msg(strstr(error->message, "there is no machine here"), "%s", error->message);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("offered_load");
    tcase_add_test(cases, the_rate_is_kept_to_the_cycle);
    tcase_add_test(cases, random_arrivals_have_a_slot_of_time_each);
    tcase_add_test(cases, nothing_is_due_behind_the_end);
    tcase_add_test(cases, without_load_only_the_probe_runs);
    tcase_add_loop_test(cases, the_write_share_is_exact_at_every_moment, 0, G_N_ELEMENTS(shares));
    tcase_add_loop_test(cases, loads_and_stores_have_an_array_each, 0, G_N_ELEMENTS(orders));
    tcase_add_test(cases, accesses_that_are_due_together_are_neighbours_of_different_SMs);
    tcase_add_test(cases, the_probes_warps_share_a_chain);
    tcase_add_test(cases, warps_beside_the_probe_do_nothing);
    tcase_add_test(cases, a_fill_comes_before_and_the_traffic_goes_on_where_it_ended);
    tcase_add_test(cases, the_seed_decides_and_nothing_else);
    tcase_add_loop_test(cases, what_cannot_be_is_an_error_with_its_place, 0,
                        G_N_ELEMENTS(rejected));
    tcase_add_test(cases, a_rate_needs_a_machine);
    Suite *suite = suite_create("offered_load");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
