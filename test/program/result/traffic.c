/* Kernels that store are not said to be faster than DRAM's buses. A kernel ends when L2 has
 * acknowledged what it stored; some of it lies in queues behind L2 then, and has not crossed a
 * bus. */
#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/shipped.h"

enum { VARIANTS = 16, LAUNCHES = 4 };

/* The first launch is a warm-up: it leaves an L2 of 64 KiB full of written lines. */
static const char machine[] =
    "[scenario]\ntitle = Stores\nextends = v100\nbaseline = no\n[machine]\nsms = 4\n"
    "partitions = 1\npeak_bandwidth_gbps = 0\n[l2_slice]\ncapacity = 32 KiB\n"
    "[workload]\nlaunches = 5\nwarm_up_launches = 1\n";

static void add_stream(GString *text, GRand *dice, const char *operation)
{
    g_string_append_printf(text,
                           "workload.pattern = stream\nworkload.operation = %s\n"
                           "workload.array_bytes = %d KiB\nworkload.element_bytes = 8 B\n",
                           operation, g_rand_int_range(dice, 256, 640));
}

static void add_random(GString *text, GRand *dice)
{
    g_string_append_printf(text,
                           "workload.pattern = random\nworkload.operation = store\n"
                           "workload.grain = warp\nworkload.element_bytes = %d B\n"
                           "workload.ctas = %d\nworkload.iterations = %d\n",
                           4 << g_rand_int_range(dice, 0, 3), g_rand_int_range(dice, 8, 24),
                           g_rand_int_range(dice, 4, 24));
}

static void add_variant(GString *text, GRand *dice, guint number)
{
    g_string_append_printf(text,
                           "[variant %u]\nworkload.threads_per_cta = %d\n"
                           "cta_dispatcher.kernel_gap = %d cycles\n",
                           number, 32 * g_rand_int_range(dice, 1, 17),
                           64 << g_rand_int_range(dice, 0, 6));
    if (number % 3 == 0)
        add_random(text, dice);
    else
        add_stream(text, dice, number % 3 == 1 ? "init" : "copy");
}

static char *write_stores(const char *folder)
{
    char *path = g_build_filename(folder, "stores.ini", NULL);
    GString *text = g_string_new(machine);
    GRand *dice = g_rand_new_with_seed(11);
    for (guint i = 0; i < VARIANTS; i++) add_variant(text, dice, i);
    ck_assert(g_file_set_contents(path, text->str, -1, NULL));
    g_rand_free(dice);
    g_string_free(text, TRUE);
    return path;
}

static JsonNode *read_result(const char *folder, guint variant)
{
    g_autofree char *name = g_strdup_printf("%u", variant);
    g_autofree char *text = result_text(folder, name);
    JsonNode *result = json_from_string(text, NULL);
    ck_assert_ptr_nonnull(result);
    return result;
}

static JsonObject *member(JsonObject *object, const char *name)
{
    return json_object_get_object_member(object, name);
}

static double number(JsonObject *object, const char *name)
{
    ck_assert_msg(json_object_has_member(object, name), "no %s", name);
    return json_object_get_double_member(object, name);
}

/* What L2 keeps beyond what it kept before has not crossed a bus, and need not. */
static void expect_within_bus(guint variant, JsonObject *summary)
{
    static const char *const counted[] = {"counted_gbps", "sustained_gbps"};
    JsonObject *dram = member(summary, "dram");
    const double peak = number(dram, "peak_gbps") * (1 + 1e-9); /* a femtosecond is rounded */
    const double bus = number(dram, "bandwidth_gbps");
    ck_assert_msg(bus <= peak, "%u: the bus carries %f of %f", variant, bus, peak);
    for (guint i = 0; i < G_N_ELEMENTS(counted); i++)
        if (json_object_has_member(summary, counted[i]))
            ck_assert_msg(number(summary, counted[i]) <= peak, "%u: %s %f of %f", variant,
                          counted[i], number(summary, counted[i]), peak);
}

static void expect_kernels_within_bus(guint variant, JsonObject *result)
{
    JsonArray *kernels = json_object_get_array_member(result, "kernels");
    ck_assert_uint_eq(json_array_get_length(kernels), LAUNCHES);
    for (guint i = 0; i < LAUNCHES; i++)
        expect_within_bus(variant, member(json_array_get_object_element(kernels, i), "summary"));
}

/* The same bytes in each; the whole's time is that of its kernels. */
static void expect_mean_of_kernels(JsonObject *summary)
{
    if (!json_object_has_member(summary, "counted_gbps")) return;
    JsonArray *kernels = json_object_get_array_member(summary, "kernels");
    double time = 0;
    for (guint i = 1; i <= LAUNCHES; i++)
        time += 1 / number(json_array_get_object_element(kernels, i), "gbps");
    ck_assert_double_eq_tol(number(summary, "counted_gbps"), LAUNCHES / time, 1e-9);
}

START_TEST(no_kernel_that_stores_is_faster_than_the_bus)
{
    char *folder = temporary_folder();
    g_autofree char *path = write_stores(folder);
    run(folder, path);
    for (guint i = 0; i < VARIANTS; i++) {
        g_autoptr(JsonNode) node = read_result(folder, i);
        JsonObject *result = json_node_get_object(node);
        expect_within_bus(i, member(result, "summary"));
        expect_kernels_within_bus(i, result);
        expect_mean_of_kernels(member(result, "summary"));
    }
    temporary_remove(folder);
}
END_TEST

/* Both start at once, and the whole's time is that of both together. */
START_TEST(bytes_of_kernels_that_run_together_are_counted_over_the_time_of_both)
{
    char *folder = temporary_folder();
    g_autofree char *file =
        temporary_file(folder, "two.ini",
                       "[scenario]\nextends = v100\n[workload]\nsequence = a, b\n"
                       "[kernel a]\npattern = stream\narray_bytes = 64 KiB\n"
                       "[kernel b]\npattern = stream\narray_bytes = 128 KiB\nconcurrent = yes\n");
    ck_assert_int_eq(warpmem(folder, "run two.ini -q -o out").status, 0);
    g_autoptr(JsonNode) node = json_file(folder, "out/baseline/result.json");
    JsonObject *summary = member(json_node_get_object(node), "summary");
    ck_assert_double_eq_tol(number(summary, "counted_gbps") * number(summary, "time_ns"),
                            3 * 64 * 1024, 1e-3);
    temporary_remove(folder);
}
END_TEST

/* What L2 has not written back, and what waits in four queues of 64 lines. Codes, and what a burst
 * has beside a sector, are no part of what has arrived. */
START_TEST(what_is_unwritten_is_what_l2_keeps_and_what_waits_behind_it)
{
    static const char *const variants[] = {"none", "kept", "uncached", "narrow"};
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(
        folder, "codes.ini",
        "[scenario]\nextends = k80\nbaseline = no\n[machine]\nsms = 4\npartitions = 2\n"
        "peak_bandwidth_gbps = 0\n[l2_slice]\ncapacity = 32 KiB\n"
        "[workload]\npattern = program\nctas = 48\nthreads_per_cta = 128\ncode =\n"
        "  param apart = 1 from 1 to 2\n  global a[512 KiB]\n  for i in 0..16 {\n"
        "    store a[(((i * ctas + cta) * 4 + warp) * 8 + lane / 4) * 4 * apart + lane % 4]\n  }\n"
        "[variant none]\n[variant kept]\ndram.ecc = inline\n"
        "[variant uncached]\ndram.ecc = inline\naccess_scheduler.ecc_entries = 0\n"
        "[variant narrow]\nworkload.apart = 2\nmachine.sector_bytes = 16 B\n");
    ck_assert_int_eq(warpmem(folder, "run codes.ini -q -o out").status, 0);
    for (guint i = 0; i < G_N_ELEMENTS(variants); i++) {
        g_autofree char *name = g_strdup_printf("out/%s/result.json", variants[i]);
        g_autoptr(JsonNode) node = json_file(folder, name);
        JsonObject *result = json_node_get_object(node),
                   *l2 = member(member(member(result, "units"), "l2_slice"), "total"),
                   *dram = member(member(result, "summary"), "dram");
        const double kept = number(l2, "bytes_dirtied") - number(l2, "bytes_written_back");
        const double unwritten = number(dram, "unwritten_bytes");
        ck_assert_double_gt(number(l2, "bytes_written_back"), 0);
        ck_assert_msg(unwritten >= kept && unwritten <= kept + 4 * 64 * 128, "%s: %f, L2 keeps %f",
                      variants[i], unwritten, kept);
    }
    temporary_remove(folder);
}
END_TEST

/* What DRAM carried is not said to be more than it can. */
START_TEST(without_limits_the_bus_has_no_peak)
{
    char *folder = temporary_folder();
    g_autofree char *file = temporary_file(
        folder, "ideal.ini",
        "[scenario]\nextends = v100\n[machine]\nsms = 8\npartitions = 1\n"
        "peak_bandwidth_gbps = 0\n[dram]\nideal = bandwidth\n[workload]\npattern = stream\n"
        "array_bytes = 256 KiB\n");
    const Outcome outcome = warpmem(folder, "run ideal.ini -o out");
    ck_assert_int_eq(outcome.status, 0);
    ck_assert_ptr_nonnull(strstr(outcome.out, "GB/s  read "));
    ck_assert_ptr_null(strstr(outcome.out, "nan"));
    g_autoptr(JsonNode) node = json_file(folder, "out/baseline/result.json");
    JsonObject *dram = member(member(json_node_get_object(node), "summary"), "dram");
    ck_assert(!json_object_has_member(dram, "peak_gbps"));
    ck_assert_double_gt(number(dram, "bandwidth_gbps"), 28.1);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("traffic");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, no_kernel_that_stores_is_faster_than_the_bus);
    tcase_add_test(cases, bytes_of_kernels_that_run_together_are_counted_over_the_time_of_both);
    tcase_add_test(cases, what_is_unwritten_is_what_l2_keeps_and_what_waits_behind_it);
    tcase_add_test(cases, without_limits_the_bus_has_no_peak);
    Suite *suite = suite_create("traffic");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
