/* Outcomes of runs as text: columns, statistics, and the way back. */
#include <string.h>

#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/records/outcome.h"
#include "scenarios/program/verdict/pressure.h"

static Manifest *with_statistics(const char *const *names)
{
    Manifest *manifest = manifest_new();
    for (; *names; names++) g_ptr_array_add(manifest->statistics, g_strdup(*names));
    return manifest;
}

static JsonNode *parse(const char *text)
{
    JsonNode *node = json_from_string(text, NULL);
    ck_assert_msg(node != NULL, "%s", text);
    return node;
}

static const OutcomeValue *value_at(const ParsedOutcome *outcome, guint position)
{
    ck_assert_uint_lt(position, outcome->values->len);
    return &g_array_index(outcome->values, OutcomeValue, position);
}

static const OutcomeValue *value_of(const ParsedOutcome *outcome, const char *column)
{
    return value_at(outcome, (guint)result_column_find(column));
}

/* --- columns --- */

/* Shipped scenarios that have each of the results between them: textures, bank conflicts and
 * chases, local memory, a ring, an offered load, traffic, a memory-side cache. One variant of each,
 * and that a short one. */
static const char *const shipped[] = {
    "texture-lookup --variant 16-kib",
    "bank-conflicts --variant 2-way",
    "local-memory --variant same-index",
    "gcn-latency --variant dram --set 'kernel timed.loads=256'",
    "loaded-latency --variant idle --set 'workload.load=50 %' --set 'workload.settle=500 cycles' "
    "--set 'workload.duration=1000 cycles' --set machine.sms=2 --set machine.partitions=1",
    "memory-cache --variant narrow --set 'workload.array_bytes=64 KiB'",
    "network-load --variant opposite-ends --set 'workload.duration=1000 cycles'"};

static void mark_members(const char *folder, const char *scenario, GHashTable *seen)
{
    g_autofree char *arguments = g_strdup_printf("run %s -q -o result", scenario);
    const Outcome run = warpmem(folder, arguments);
    g_autofree char *path = g_build_filename(folder, "result", NULL);
    g_autoptr(GPtrArray) results = result_read_all(path, NULL);
    ck_assert_msg(results != NULL, "%s: %s", scenario, run.errors);
    for (guint i = 0; i < results->len; i++)
        for (const ResultColumn *column = result_columns(); column->name; column++)
            if (column->path && result_member(results->pdata[i], column->path))
                g_hash_table_add(seen, (gpointer)column->name);
    temporary_remove(g_steal_pointer(&path));
}

START_TEST(each_column_is_a_result_of_some_shipped_scenario)
{
    char *folder = temporary_folder();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < G_N_ELEMENTS(shipped); i++) mark_members(folder, shipped[i], seen);
    for (const ResultColumn *column = result_columns(); column->name; column++)
        ck_assert_msg(!column->path || g_hash_table_contains(seen, column->name),
                      "no scenario has %s, %s", column->name, column->path);
    temporary_remove(folder);
}
END_TEST

START_TEST(names_of_columns_are_words_that_a_database_takes)
{
    for (const ResultColumn *column = result_columns(); column->name; column++) {
        ck_assert_msg(strspn(column->name, "abcdefghijklmnopqrstuvwxyz0123456789_")
                          == strlen(column->name),
                      "%s", column->name);
        ck_assert_int_eq(result_column_find(column->name), column - result_columns());
        ck_assert(column->unit && column->summary && *column->summary);
    }
    ck_assert_int_eq(result_column_find("no_such_column"), -1);
    ck_assert_ptr_null(result_columns()[result_column_count()].name);
}
END_TEST

/* --- statistics --- */

START_TEST(a_statistic_has_a_column_with_its_unit)
{
    static const struct {
        const char *name, *unit;
    } good[] = {{"l1.refused_prt", ""},
                {"dram_channel.bytes_read", "B"},
                {"l2_slice.data_busy", "fs"},
                {"l1.prt", ""},
                {"l1.prt.max", ""},
                {"l1.prt.stay_fs", "fs"},
                {"sm.load_latency", "fs"},
                {"sm.load_latency.mean", "fs"},
                {"sm.load_latency.count", ""},
                {"sm.load_latency.p99_fs", "fs"}};
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        ResultColumn column = {NULL, NULL, NULL, BETTER_HIGHER, NULL};
        ck_assert_msg(outcome_check_statistic(good[i].name, &column, &error), "%s",
                      error ? error->message : "");
        ck_assert_str_eq(column.name, good[i].name);
        ck_assert_str_eq(column.unit, good[i].unit);
        ck_assert_int_eq(column.better, BETTER_NEITHER);
        ck_assert_ptr_nonnull(column.summary);
        ck_assert(outcome_check_statistic(good[i].name, NULL, NULL));
    }
}
END_TEST

START_TEST(a_statistic_that_does_not_exist_is_refused_with_the_nearest)
{
    static const char *const bad[][2] = {
        {"l1.refused_prtt",
         "l1.refused_prtt: there is no such statistic; did you mean 'l1.refused_prt'?"},
        {"l2_slise.write_backs", "did you mean 'l2_slice.write_backs'?"},
        {"time", "there is no such statistic; 'warpmem list statistics' names them"},
        {"l1.hits.max", "l1.hits.max: the statistic is a number itself"},
        {"l1.prt.p99", "l1.prt.p99: of this statistic there are .mean, .max, .arrivals, .stay_fs"},
        {"l1.stages_store", "stages need not be named; a study keeps all of them"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert(!outcome_check_statistic(bad[i][0], NULL, &error));
        ck_assert_msg(strstr(error->message, bad[i][1]) != NULL, "%s", error->message);
    }
}
END_TEST

/* --- there and back --- */

/* 2^53 + 1 is not a double. */
static const char example[] =
    "{\"summary\": {\"core_cycles\": 9007199254740993, \"time_ns\": 0.1,"
    " \"dram\": {\"bandwidth_gbps\": 90.0, \"peak_gbps\": 100.0}},"
    " \"stages\": {\"load\": {\"count\": 2, \"latency\": 9007199254740997, \"issue\": 4,"
    " \"dram_bus\": 9007199254740993}, \"store\": {\"count\": 0, \"latency\": 0}},"
    " \"parameters\": {}, \"resources\": {\"dram_channel\": {\"data_bus\":"
    " {\"kind\": \"server\", \"capacity\": 1, \"mean\": 0.9, \"use\": 0.9, \"full\": 0.9,"
    " \"refused\": 0}}}, \"units\": {\"sm\": {\"total\": {\"load_latency\":"
    " {\"count\": 4, \"sum_fs\": 10}}}, \"l1\": {\"total\": {\"hits\": 7}}}}";

START_TEST(what_is_written_is_read_back)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(JsonNode) result = parse(example);
    g_autoptr(Manifest) manifest =
        with_statistics((const char *const[]){"sm.load_latency", "l1.hits", "rop.fetches", NULL});
    g_autoptr(GPtrArray) resources = pressure_list(result);
    g_autofree char *payload = outcome_format(result, resources, manifest);
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    const guint columns = result_column_count();
    ck_assert_msg(outcome_parse(payload, columns + 3, &outcome, &error), "%s: %s", payload,
                  error ? error->message : "");
    ck_assert_uint_eq(outcome.values->len, columns + 3);
    ck_assert_double_eq(value_of(&outcome, "time_ns")->number, 0.1);
    ck_assert_str_eq(value_of(&outcome, "time_ns")->text, "0.1");
    ck_assert_str_eq(value_of(&outcome, "core_cycles")->text, "9007199254740993");
    ck_assert_int_eq(value_of(&outcome, "bound")->kind, OUTCOME_TEXT);
    ck_assert_str_eq(value_of(&outcome, "bound")->text, "DRAM bus");
    ck_assert_double_eq(value_of(&outcome, "busy_dram_bus")->number, 0.9);
    ck_assert_int_eq(value_of(&outcome, "mean_hops")->kind, OUTCOME_ABSENT);
    ck_assert_int_eq(value_of(&outcome, "busy_l1_data")->kind, OUTCOME_ABSENT);
    ck_assert_double_eq(value_at(&outcome, columns)->number, 2.5);
    ck_assert_double_eq(value_at(&outcome, columns + 1)->number, 7);
    ck_assert_int_eq(value_at(&outcome, columns + 2)->kind, OUTCOME_ABSENT);
    ck_assert_uint_eq(outcome.stages->len, 1); /* of stores there were none */
}
END_TEST

START_TEST(values_and_stages_are_taken_apart)
{
    static const double numbers[] = {0.3333333333333333, -2.5, 1e+22, 12345678901234567.0, 5e-324};
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) payload = g_string_new(
        "0.3333333333333333 -2.5 1e+22 12345678901234567 5e-324 - \"a b|c\" \"q\\\"\\u00e9\\n\" 1");
    for (guint i = 0; i < 2; i++) {
        g_string_append_printf(payload, " | class_%u 18446744073709551615", i);
        for (guint k = 0; k < STAGE_COUNT; k++) g_string_append_printf(payload, " %u", 10 * i + k);
    }
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    for (guint again = 0; again < 2; again++) { /* in the memory of the first time */
        ck_assert_msg(outcome_parse(payload->str, 9, &outcome, &error), "%s",
                      error ? error->message : "");
        for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
            ck_assert(value_at(&outcome, i)->number == numbers[i]);
        ck_assert_int_eq(value_at(&outcome, 5)->kind, OUTCOME_ABSENT);
        ck_assert_ptr_null(value_at(&outcome, 5)->text);
        ck_assert_str_eq(value_at(&outcome, 6)->text, "a b|c");
        ck_assert_str_eq(value_at(&outcome, 7)->text, "q\"\u00e9\n");
        ck_assert_str_eq(value_at(&outcome, 8)->text, "1");
        ck_assert_uint_eq(outcome.stages->len, 2);
        const OutcomeStages *second = &g_array_index(outcome.stages, OutcomeStages, 1);
        ck_assert_str_eq(second->request_class, "class_1");
        ck_assert_uint_eq(second->count, UINT64_MAX);
        ck_assert_uint_eq(second->sums[STAGE_COUNT - 1], 10 + STAGE_COUNT - 1);
    }
}
END_TEST

/* Against the standard library, digit by digit and exponent by exponent. */
START_TEST(numbers_are_read_as_exactly_as_the_library_does)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(2);
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    for (guint i = 0; i < 50000; i++) {
        const double number = g_rand_double_range(random, -1, 1)
                              * (double)(G_GUINT64_CONSTANT(1) << g_rand_int_range(random, 0, 62));
        g_autofree char *text = g_strdup_printf("%.*g", g_rand_int_range(random, 1, 18), number);
        ck_assert(outcome_parse(text, 1, &outcome, NULL));
        ck_assert_msg(value_at(&outcome, 0)->number == strtod(text, NULL), "%s", text);
    }
}
END_TEST

/* With two values wanted. */
static const char *const malformed[][2] = {
    {"", "the outcome ends where a value is wanted"},
    {"1", "the outcome ends where a space is wanted"},
    {"1 ", "the outcome ends where a value is wanted"},
    {"1 x", "character 3 of the outcome, 'x': a value is wanted"},
    {"1 nan", "'nan': a value is wanted"},
    {"1 +2", "'+2': a value is wanted"},
    {"1  2", "character 3 of the outcome, ' 2': a value is wanted"},
    {"1 2 3", "character 5 of the outcome, '3': '|' is wanted"},
    {"1 2x", "'x': a space is wanted"},
    {"1 \"a", "'\"a': a JSON string is wanted"},
    {"1 2 |", "the outcome ends where a space is wanted"},
    {"1 2 | ", "the outcome ends where a request class is wanted"},
    {"1 2 | load", "the outcome ends where a space is wanted"},
    {"1 2 | load -1", "'-1': a whole number is wanted"},
    {"1 2 | load 1 2", "the outcome ends where a space is wanted"},
    {"1 2 | load 99999999999999999999 2", "a number below 2^64 is wanted"},
};

START_TEST(malformed_text_is_refused_with_its_place)
{
    g_autoptr(GError) error = NULL;
    g_auto(ParsedOutcome) outcome = {NULL, NULL, NULL, 0};
    ck_assert(!outcome_parse(malformed[_i][0], 2, &outcome, &error));
    ck_assert_msg(strstr(error->message, malformed[_i][1]) != NULL, "%s", error->message);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {each_column_is_a_result_of_some_shipped_scenario,
                                  names_of_columns_are_words_that_a_database_takes,
                                  a_statistic_has_a_column_with_its_unit,
                                  a_statistic_that_does_not_exist_is_refused_with_the_nearest,
                                  what_is_written_is_read_back,
                                  values_and_stages_are_taken_apart,
                                  numbers_are_read_as_exactly_as_the_library_does};
    TCase *cases = tcase_create("outcome");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(cases, malformed_text_is_refused_with_its_place, 0,
                        G_N_ELEMENTS(malformed));
    return harness_run_cases("outcome", cases);
}
