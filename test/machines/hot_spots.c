/* What is hot in a whole machine, as result.json says it. */
#include "rigs/harness.h"
#include "rigs/program.h"
#include "rigs/small_machine.h"

#define SCENARIO                                                                                   \
    "[scenario]\ntitle = Hot spots\nextends = v100\n"                                              \
    "[machine]\nsms = 3\npartitions = 4\nslices_per_partition = 1\npeak_bandwidth_gbps = 0\n"      \
    "[address_map]\nhash = none\n[access_scheduler]\npage_policy = open\n[workload]\n"

typedef struct {
    char *folder;
    JsonNode *result;
} Ran;

static Ran run(const char *workload)
{
    Ran ran = {.folder = temporary_folder()};
    g_autofree char *text = g_strconcat(SCENARIO, workload, NULL);
    g_autofree char *file = temporary_file(ran.folder, "hot.ini", text);
    const Outcome outcome = warpmem(ran.folder, "run hot.ini -q -o out");
    ck_assert_msg(outcome.status == 0, "%s", outcome.errors);
    ran.result = json_file(ran.folder, "out/baseline/result.json");
    return ran;
}

static void finish(Ran *ran)
{
    json_node_unref(ran->result);
    temporary_remove(ran->folder);
}

static JsonObject *member(const Ran *ran, const char *a, const char *b)
{
    JsonObject *object = json_node_get_object(ran->result);
    return json_object_get_object_member(json_object_get_object_member(object, a), b);
}

static JsonObject *total(const Ran *ran, const char *unit)
{
    return json_object_get_object_member(member(ran, "units", unit), "total");
}

static JsonArray *instances(const Ran *ran, const char *unit)
{
    return json_object_get_array_member(member(ran, "units", unit), "instances");
}

static void expect_hot(JsonArray *list, guint i, gint64 count, gint64 error)
{
    JsonObject *row = json_array_get_object_element(list, i);
    ck_assert(g_str_has_prefix(json_object_get_string_member(row, "address"), "0x"));
    ck_assert_int_eq(json_object_get_int_member(row, "count"), count);
    ck_assert_int_eq(json_object_get_int_member(row, "error"), error);
}

/* 6 CTAs of 64 threads: 384 operations on the first counter, 12 x 2 on the second; both are words
 * of one line, which the slice sees 12 + 12 times; the loads of 384 words are 12 lines, once each.
 */
START_TEST(the_total_has_the_hottest_words_and_lines_of_all_instances)
{
    Ran ran =
        run("pattern = program\nctas = 6\nthreads_per_cta = 64\ncode =\n"
            "  global hot[2]\n  global data[384]\n  x = atomic hot[0]\n  int x\n"
            "  if lane < 2 { y = atomic hot[1]; int y; }\n  z = load data[cta * 64 + thread]\n"
            "  int z\n");
    JsonArray *words = json_object_get_array_member(total(&ran, "rop"), "hottest");
    JsonArray *lines = json_object_get_array_member(total(&ran, "l2_slice"), "hottest");
    ck_assert_uint_eq(json_array_get_length(words), 2);
    expect_hot(words, 0, 384, 0);
    expect_hot(words, 1, 24, 0);
    ck_assert_uint_eq(json_array_get_length(lines), 13);
    expect_hot(lines, 0, 24, 0);
    for (guint i = 1; i < 13; i++) expect_hot(lines, i, 1, 0);
    finish(&ran);
}
END_TEST

static void add_banks(JsonArray *of_unit, gint64 *sum)
{
    ck_assert_uint_eq(json_array_get_length(of_unit), 16);
    for (guint i = 0; i < 16; i++) sum[i] += json_array_get_int_element(of_unit, i);
}

static void expect_banks(const Ran *ran, const char *unit, const char *name, gint64 plain)
{
    gint64 sum[16] = {0}, all[16] = {0}, whole = 0;
    JsonArray *units = instances(ran, unit);
    for (guint i = 0; i < json_array_get_length(units); i++)
        add_banks(json_object_get_array_member(json_array_get_object_element(units, i), name), sum);
    add_banks(json_object_get_array_member(total(ran, unit), name), all);
    for (guint i = 0; i < 16; i++) {
        ck_assert_int_eq(sum[i], all[i]);
        whole += sum[i];
    }
    ck_assert_int_gt(plain, 0);
    ck_assert_int_eq(whole, plain);
}

/* Random words of 32 MiB lie in other rows than those before. */
START_TEST(banks_of_instances_add_up_to_the_total)
{
    Ran ran = run("pattern = random\nctas = 12\niterations = 8\nfootprint = 32 MiB\n");
    JsonObject *channel = total(&ran, "dram_channel"), *scheduler = total(&ran, "access_scheduler");
    expect_banks(&ran, "dram_channel", "bank_accesses",
                 json_object_get_int_member(channel, "reads")
                     + json_object_get_int_member(channel, "writes"));
    expect_banks(&ran, "dram_channel", "bank_activates",
                 json_object_get_int_member(channel, "activates"));
    expect_banks(&ran, "access_scheduler", "bank_conflicts",
                 json_object_get_int_member(scheduler, "row_conflicts"));
    finish(&ran);
}
END_TEST

/* Four slices take 256 B in turn. Lines that lie 1024 B apart are all one slice's, the busiest one
 * of four; lines one behind the other are divided evenly. */
START_TEST(imbalance_is_the_busiest_over_the_mean)
{
    static const struct {
        const char *stride;
        double imbalance;
    } cases[] = {{"1 KiB", 4}, {"128 B", 1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *workload = g_strdup_printf(
            "pattern = strided\nctas = 1\nthreads_per_cta = 32\nlayout = given\nlane_stride = %s\n"
            "element_bytes = 4 B\nfootprint = 64 KiB\niterations = 1\n",
            cases[i].stride);
        Ran ran = run(workload);
        ck_assert_double_eq_tol(
            json_object_get_double_member(member(&ran, "summary", "l2"), "imbalance"),
            cases[i].imbalance, 1e-12);
        ck_assert_double_eq_tol(
            json_object_get_double_member(member(&ran, "summary", "dram"), "imbalance"),
            cases[i].imbalance, 1e-12);
        finish(&ran);
    }
}
END_TEST

/* Lines 24 KiB apart are all of one set of the first slice, whose ways are being filled, and more
 * wait; the second one fills more ways, but of many sets. */
START_TEST(of_places_the_busiest_is_the_one_that_is_full)
{
    Ran ran = run("pattern = program\nctas = 2\nthreads_per_cta = 128\ncode =\n"
                  "  global a[4 MiB / 4]\n  for i in 0..16 {\n"
                  "    if cta == 0 { x = load a[(i * 128 + thread) * 6144 % (4 MiB / 4)] }\n"
                  "    if cta == 1 { y = load a[(i * 128 + thread) * 256 % (4 MiB / 4) + 64] }\n"
                  "  }\n");
    JsonObject *fills =
        json_object_get_object_member(member(&ran, "resources", "l2_slice"), "set_fills");
    JsonObject *busiest = json_object_get_object_member(fills, "busiest");
    JsonArray *uses = json_object_get_array_member(fills, "each_use");
    ck_assert_str_eq(json_object_get_string_member(busiest, "path"),
                     "partition[0].slice[0].set_fills");
    ck_assert_double_gt(json_object_get_double_member(busiest, "full"), 0.5);
    ck_assert_double_lt(json_array_get_double_element(uses, 0),
                        json_array_get_double_element(uses, 1));
    finish(&ran);
}
END_TEST

/* --- within the units ------------------------------------------------------------------------- */

static const char *const runs[] = {
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint ="
    "256 KiB; workload.operation = load_store; workload.element_bytes = 2 B; pages.frames ="
    "scattered; mmu.enabled = yes",
    "workload.pattern = random; workload.ctas = 8; workload.iterations = 4; workload.footprint ="
    "8 KiB; workload.operation = atomic; l2_slice.completion = in_order; rop.cache_entries = 2;"
    "rop.ways = 1",
    "workload.pattern = random; workload.ctas = 12; workload.iterations = 6; workload.footprint ="
    "256 KiB; workload.operation = load_store; machine.partitions = 4; machine.l2_halves = 2",
    "workload.pattern = stream; workload.array_bytes = 64 KiB;"
    "dram.interleaved_groups = 2",
};

static uint64_t total_heat(const Unit *unit)
{
    const HeavyHitters *hitters = small_machine_stat(unit->class, unit, "hottest");
    uint64_t all = 0;
    for (uint64_t i = 0; i < hitters->rows; i++) all += hitters->row[i].count;
    return all;
}

static uint64_t total_of_banks(const Unit *unit, const char *name)
{
    const BankCounts *counts = small_machine_stat(unit->class, unit, name);
    uint64_t all = 0;
    for (uint64_t i = 0; i < counts->banks; i++) all += counts->bank[i];
    return all;
}

static uint64_t number(const Unit *unit, const char *name)
{
    return *(const uint64_t *)small_machine_stat(unit->class, unit, name);
}

static void expect_sums(const Unit *unit)
{
    const char *class = unit->class->name;
    if (!strcmp(class, "l2_slice"))
        ck_assert_uint_eq(total_heat(unit),
                          number(unit, "reads") + number(unit, "writes") + number(unit, "atomics"));
    if (!strcmp(class, "rop")) {
        ck_assert_uint_ge(total_heat(unit), number(unit, "requests"));
        ck_assert_uint_le(total_heat(unit), number(unit, "operations"));
    }
    if (!strcmp(class, "access_scheduler"))
        ck_assert_uint_eq(total_of_banks(unit, "bank_conflicts"), number(unit, "row_conflicts"));
    if (strcmp(class, "dram_channel") != 0) return;
    ck_assert_uint_eq(total_of_banks(unit, "bank_accesses"),
                      number(unit, "reads") + number(unit, "writes"));
    ck_assert_uint_eq(total_of_banks(unit, "bank_activates"), number(unit, "activates"));
}

/* Rows of the hottest go on from the count that they find, so that none is lost. */
START_TEST(what_is_counted_by_address_or_bank_adds_up_to_the_plain_counts)
{
    Machine *machine = small_machine_new(NULL, runs[_i]);
    ck_assert_int_eq(small_machine_run(machine).outcome, RUN_FINISHED);
    const Simulation *simulation = machine_simulation(machine);
    for (guint i = 0; i < simulation_unit_count(simulation); i++)
        expect_sums(simulation_unit(simulation, i));
    machine_free(machine);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("hot_spots");
    tcase_add_test(cases, the_total_has_the_hottest_words_and_lines_of_all_instances);
    tcase_add_test(cases, banks_of_instances_add_up_to_the_total);
    tcase_add_test(cases, imbalance_is_the_busiest_over_the_mean);
    tcase_add_test(cases, of_places_the_busiest_is_the_one_that_is_full);
    tcase_add_loop_test(cases, what_is_counted_by_address_or_bank_adds_up_to_the_plain_counts, 0,
                        G_N_ELEMENTS(runs));
    return harness_run_cases("hot_spots", cases);
}
