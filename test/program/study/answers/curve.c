/* Loaded-latency curves of a database that is made up here. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/harness.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/study/answers/curve.h"
#include "scenarios/program/study/table/database.h"

/* Latency against load at DRAM's peak of 100 GB/s. A load that is not there has a latency of 0. */
typedef struct {
    double load, achieved, mean;
} Row;

static const Row reads[] = {
    {0.5, 50, 440}, {0, 1, 400}, {1, 90, 1000}, {0.25, 25, 410}, {0.75, 75, 600}};
static const Row mixed[] = {
    {0, 1, 400}, {0.25, 25, 420}, {0.5, 50, 500}, {0.75, 74, 900}, {1, 80, 1500}};

static void execute(sqlite3 *database, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void execute(sqlite3 *database, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *sql = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    char *problem = NULL;
    sqlite3_exec(database, sql, NULL, NULL, &problem);
    ck_assert_msg(!problem, "%s: %s", sql, problem);
}

/* With the dimensions of the list, "workload.load,workload.write_share". */
static sqlite3 *new_database(const char *dimensions)
{
    sqlite3 *database = NULL;
    ck_assert_int_eq(sqlite3_open(":memory:", &database), SQLITE_OK);
    execute(database,
            "CREATE TABLE study(name TEXT PRIMARY KEY, value TEXT);"
            "CREATE TABLE dimensions(position INTEGER PRIMARY KEY, name TEXT, unit TEXT,"
            " baseline TEXT, baseline_number REAL);"
            "CREATE TABLE points(point INTEGER PRIMARY KEY, key TEXT, variant TEXT,"
            " replication INTEGER, seed INTEGER, role TEXT, status TEXT, message TEXT);"
            "CREATE TABLE result_columns(position INTEGER PRIMARY KEY, name TEXT, unit TEXT,"
            " better TEXT, summary TEXT);"
            "INSERT INTO result_columns(name, unit) VALUES ('offered_gbps', ''), ('dram_gbps', ''),"
            " ('dram_peak_gbps', ''), ('probe_latency_mean', ''), ('probe_latency_p95', ''),"
            " ('probe_latency_p99', ''), ('probe_latency_mean_ns', ''), ('energy_pj_a_byte', '');"
            "CREATE TABLE parameters(point INTEGER, name TEXT, value TEXT, number REAL);"
            "CREATE TABLE results(point INTEGER PRIMARY KEY, offered_gbps REAL, dram_gbps REAL,"
            " dram_peak_gbps REAL, probe_latency_mean REAL, probe_latency_p95 REAL,"
            " probe_latency_p99 REAL, probe_latency_mean_ns REAL, energy_pj_a_byte REAL);"
            "INSERT INTO study VALUES ('title', 'A test');");
    g_auto(GStrv) names = g_strsplit(dimensions, ",", -1);
    for (int i = 0; names[i] && *names[i]; i++)
        execute(database, "INSERT INTO dimensions VALUES (%d, '%s', '', '', NULL)", i, names[i]);
    return database;
}

static void put_parameter(sqlite3 *database, guint point, const char *name, const char *value)
{
    execute(database, "INSERT INTO parameters VALUES (%u, '%s', '%s', NULL)", point, name, value);
}

static void put_result(sqlite3 *database, guint point, const Row *row)
{
    execute(database,
            "INSERT INTO points VALUES (%u, 'k', 'baseline', 0, 1, '', 'done', NULL);"
            "INSERT INTO results VALUES (%u, %.17g, %.17g, 100, %.17g, %.17g, %.17g, %.17g, 80)",
            point, point, 100 * row->load, row->achieved, row->mean, 1.5 * row->mean, 2 * row->mean,
            row->mean / 2);
}

static void put_row(sqlite3 *database, guint point, const Row *row, const char *share)
{
    g_autofree char *load = g_strdup_printf("%g %%", 100 * row->load);
    put_result(database, point, row);
    put_parameter(database, point, "workload.load", load);
    put_parameter(database, point, "workload.write_share", share);
}

static sqlite3 *new_study(void)
{
    sqlite3 *database = new_database("workload.write_share,workload.load");
    for (guint i = 0; i < 5; i++) {
        put_row(database, 2 * i, &reads[i], "0 %");
        put_row(database, 2 * i + 1, &mixed[i], "50 %");
    }
    return database;
}

/* Curves have their texts of it: it stays until the case's process ends, found from a static. */
static const StudyData *data_of(sqlite3 *database)
{
    static GSList *kept;
    g_autoptr(GError) error = NULL;
    StudyData *data = study_data_read(database, &error);
    ck_assert_msg(data != NULL, "%s", error ? error->message : "");
    kept = g_slist_prepend(kept, data);
    return data;
}

static CurveSet *curves_of(sqlite3 *database, const char *by)
{
    g_autoptr(GError) error = NULL;
    CurveSet *set = curve_set_new(data_of(database), by, &error);
    ck_assert_msg(set != NULL, "%s", error ? error->message : "");
    return set;
}

static const Curve *curve_at(const CurveSet *set, guint index)
{
    ck_assert_uint_lt(index, set->curves->len);
    return set->curves->pdata[index];
}

static const CurvePoint *point_at(const Curve *curve, guint index)
{
    ck_assert_uint_lt(index, curve->points->len);
    return &g_array_index(curve->points, CurvePoint, index);
}

static void expect_error(sqlite3 *database, const char *by, const char *part)
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(curve_set_new(data_of(database), by, &error));
    ck_assert_msg(strstr(error->message, part), "%s", error->message);
}

/* --- what a curve is -------------------------------------------------------------------------- */

/* dram.ideal = bandwidth: a load is a share of what the buses could carry otherwise. */
START_TEST(where_buses_have_no_limit_the_load_tells_what_shares_are_of)
{
    g_autoptr(sqlite3) database = new_study();
    execute(database, "UPDATE results SET dram_peak_gbps = NULL;"
                      "UPDATE parameters SET number = CAST(value AS REAL) / 100");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    const Curve *curve = curve_at(set, 0);
    ck_assert_double_eq_tol(curve->peak, 100, 1e-9);
    for (guint i = 1; i < curve->points->len; i++)
        ck_assert_double_eq_tol(point_at(curve, i)->peak, 100, 1e-9);
}
END_TEST

START_TEST(each_write_share_has_a_curve_and_each_curve_its_order)
{
    g_autoptr(sqlite3) database = new_study();
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert_uint_eq(set->curves->len, 2);
    for (guint c = 0; c < 2; c++) {
        const Curve *curve = curve_at(set, c);
        ck_assert_uint_eq(curve->points->len, 5);
        for (guint i = 0; i < 5; i++) {
            const CurvePoint *point = point_at(curve, i);
            ck_assert_double_eq(point->offered, 25 * i);
            ck_assert_double_eq(point->p95, 1.5 * point->mean);
            ck_assert_double_eq(point->p99, 2 * point->mean);
            ck_assert_double_eq(point->mean_ns, point->mean / 2);
        }
    }
    ck_assert_double_eq(point_at(curve_at(set, 0), 3)->mean, 600);
    ck_assert_double_eq(point_at(curve_at(set, 0), 3)->pj_a_bit, 10);
    ck_assert_double_eq(point_at(curve_at(set, 1), 3)->mean, 900);
    ck_assert_str_eq(point_at(curve_at(set, 1), 3)->load, "75 %");
    g_autofree char *label = curve_label(set, curve_at(set, 1));
    ck_assert_str_eq(label, "write_share 50 %");
}
END_TEST

/* Twice 400 lies between 600 at 75 GB/s and 1000 at 100: at 87.5; and between 500 at 50 and 900 at
 * 75: at 68.75. */
START_TEST(knee_and_saturation_are_those_of_the_curve)
{
    g_autoptr(sqlite3) database = new_study();
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert_double_eq(curve_at(set, 0)->unloaded, 400);
    ck_assert(curve_at(set, 0)->idle);
    ck_assert_double_eq(curve_at(set, 0)->saturation, 90);
    ck_assert_double_eq(curve_at(set, 0)->peak, 100);
    ck_assert_double_eq(curve_at(set, 0)->doubled, 87.5);
    ck_assert_double_eq(curve_at(set, 1)->saturation, 80);
    ck_assert_double_eq(curve_at(set, 1)->doubled, 68.75);
}
END_TEST

START_TEST(a_curve_may_begin_above_zero_and_never_double)
{
    g_autoptr(sqlite3) database = new_database("workload.load");
    put_row(database, 0, &reads[3], "0 %");
    put_row(database, 1, &reads[0], "0 %");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert_double_eq(curve_at(set, 0)->unloaded, 410);
    ck_assert(!curve_at(set, 0)->idle);
    ck_assert(isnan(curve_at(set, 0)->doubled));
    g_autofree char *label = curve_label(set, curve_at(set, 0));
    ck_assert_str_eq(label, "");
}
END_TEST

START_TEST(replications_are_averaged)
{
    static const Row again = {0.5, 52, 460};
    g_autoptr(sqlite3) database = new_study();
    put_row(database, 10, &again, "0 %");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    const CurvePoint *point = point_at(curve_at(set, 0), 2);
    ck_assert_uint_eq(point->points, 2);
    ck_assert_double_eq(point->mean, 450);
    ck_assert_double_eq(point->achieved, 51);
    ck_assert_double_eq(point->offered, 50);
}
END_TEST

/* The third dimension has two values in the reads' curve and one in the other. */
START_TEST(by_says_which_dimension_makes_the_curves)
{
    static const Row slow = {0.5, 50, 480};
    g_autoptr(sqlite3) database = new_study();
    execute(database, "INSERT INTO dimensions VALUES (2, 'l1.ways', '', '', NULL)");
    execute(database, "INSERT INTO dimensions VALUES (3, 'l1.sets', '', '', NULL)");
    for (guint i = 0; i < 10; i++) put_parameter(database, i, "l1.ways", "4");
    for (guint i = 0; i < 10; i++) put_parameter(database, i, "l1.sets", "4");
    put_row(database, 10, &slow, "0 %");
    put_parameter(database, 10, "l1.ways", "8");
    put_parameter(database, 10, "l1.sets", "4");
    g_autoptr(CurveSet) all = curves_of(database, NULL);
    ck_assert_uint_eq(all->curves->len, 3);
    ck_assert_uint_eq(all->by->len, 2); /* sets has one value */
    g_autofree char *label = curve_label(all, curve_at(all, 2));
    ck_assert_str_eq(label, "write_share 0 %, l1.ways 8");
    g_autoptr(CurveSet) some = curves_of(database, "workload.write_share");
    ck_assert_uint_eq(some->curves->len, 2);
    ck_assert_double_eq(point_at(curve_at(some, 0), 2)->mean, 460);
    expect_error(database, "workload.write_shares", "did you mean 'workload.write_share'?");
    expect_error(database, "seed", "there are workload.write_share, l1.ways");
}
END_TEST

START_TEST(a_load_of_a_named_kernel_is_a_load)
{
    g_autoptr(sqlite3) database = new_database("l1.load,kernel main.load");
    put_result(database, 0, &reads[0]);
    put_parameter(database, 0, "kernel main.load", "50 %");
    put_parameter(database, 0, "l1.load", "1");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert_str_eq(curve_set_load(set), "kernel main.load");
    expect_error(database, "l1.load", "only the load varies");
}
END_TEST

/* --- studies without a curve ------------------------------------------------------------------ */

START_TEST(a_study_without_load_is_told_how_to_have_one)
{
    g_autoptr(sqlite3) database = new_database("workload.write_share");
    put_row(database, 0, &reads[0], "0 %");
    expect_error(database, NULL,
                 "no dimension of the study is a load; a study with a curve has a workload with "
                 "pattern = offered_load, memory_traffic or network_traffic, and in [study] the "
                 "load");
}
END_TEST

START_TEST(points_without_a_rate_make_no_curve)
{
    g_autoptr(sqlite3) database = new_database("workload.load");
    put_row(database, 0, &reads[0], "0 %");
    put_row(database, 1, &reads[1], "0 %");
    execute(database, "UPDATE results SET offered_gbps = NULL WHERE point = 0");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert_uint_eq(set->unpaced, 1);
    ck_assert_uint_eq(curve_at(set, 0)->points->len, 1);
    execute(database, "UPDATE results SET offered_gbps = NULL");
    expect_error(database, NULL, "no point of the study has traffic at a set rate");
}
END_TEST

START_TEST(points_that_are_not_done_are_counted_and_left_out)
{
    g_autoptr(sqlite3) database = new_study();
    execute(database, "UPDATE points SET status = 'failed' WHERE point = 4;"
                      "DELETE FROM results WHERE point = 4");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert_uint_eq(set->data->done, 9);
    ck_assert_uint_eq(curve_at(set, 0)->points->len, 4);
    execute(database, "UPDATE points SET status = 'missing'; DELETE FROM results");
    expect_error(database, NULL, "no point of the study is done");
}
END_TEST

/* --- output ----------------------------------------------------------------------------------- */

static char *printed(const CurveSet *set, void (*print)(const CurveSet *, FILE *))
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    print(set, out);
    fclose(out);
    char *copy = g_strdup(text);
    free(text);
    return copy;
}

#define EXPECT(text, part) ck_assert_msg(strstr(text, part) != NULL, "no '%s' in\n%s", part, text)

/* The picture is 64 columns of 1.5625 GB/s and 16 lines of 100 cycles: 1500 at 80 GB/s is in column
 * 51 of the first line, 1000 at 90 in column 57 of the sixth. */
#define SPACES "                                                   "
START_TEST(the_text_has_a_table_a_picture_and_the_knee)
{
    g_autoptr(sqlite3) database = new_study();
    execute(database, "UPDATE points SET status = 'timeout' WHERE point = 6;");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    g_autofree char *text = printed(set, curve_set_print);
    ck_assert(g_str_has_prefix(text, "A test\n\na: write_share 0 %\n\n"));
    EXPECT(text,
           "  load   offered GB/s  achieved GB/s  of peak  mean, cycles   p95   p99  mean, ns  "
           "x unloaded  pJ a bit  DRAM's\n"
           "  0 %             0.0            1.0    1.0 %           400   600   800       200  "
           "      1.00        10       -\n");
    EXPECT(text, "  unloaded latency 400 cycles; saturation at 80.0 GB/s, 80.0 % of peak\n"
                 "  latency has doubled at 68.8 GB/s offered, 68.8 % of peak\n");
    EXPECT(text, "     1600 +" SPACES "b\n");
    EXPECT(text, "          |                                                .        a\n");
    EXPECT(text, "      400 +\n");
    EXPECT(text, "          0                                                        100 GB/s\n");
    EXPECT(text, "          a  write_share 0 %\n          b  write_share 50 %\n");
    EXPECT(text, "  1 of 10 points are not done and missing here\n");
}
END_TEST

START_TEST(where_all_that_is_offered_is_achieved_there_is_no_saturation)
{
    g_autoptr(sqlite3) database = new_database("workload.load");
    put_row(database, 0, &reads[3], "0 %");
    put_row(database, 1, &reads[0], "0 %");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    ck_assert(isnan(curve_at(set, 0)->saturation));
    g_autofree char *text = printed(set, curve_set_print);
    EXPECT(text, "; no saturation up to 50.0 GB/s offered\n");
    g_autoptr(JsonNode) node = curve_set_json(set);
    JsonArray *curves = json_object_get_array_member(json_node_get_object(node), "curves");
    ck_assert(!json_object_has_member(json_array_get_object_element(curves, 0), "saturation_gbps"));
}
END_TEST

START_TEST(csv_has_a_line_for_each_point)
{
    g_autoptr(sqlite3) database = new_study();
    execute(database, "UPDATE parameters SET value = '50 %%, \"half\"' WHERE value = '50 %%'"
                      " AND name = 'workload.write_share'");
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    g_autofree char *text = printed(set, curve_set_print_csv);
    g_auto(GStrv) lines = g_strsplit(text, "\r\n", -1);
    ck_assert_uint_eq(g_strv_length(lines), 12);
    ck_assert_str_eq(lines[0], "workload.write_share,workload.load,offered_gbps,achieved_gbps,"
                               "peak_gbps,latency_mean,latency_p95,latency_p99,latency_mean_ns,"
                               "times_unloaded,energy_pj_a_bit,dram_pj_a_bit,points");
    ck_assert_str_eq(lines[4], "0 %,75 %,75,75,100,600,900,1200,300,1.5,10,,1");
    ck_assert_str_eq(lines[10],
                     "\"50 %, \"\"half\"\"\",100 %,100,80,100,1500,2250,3000,750,3.75,10,,1");
}
END_TEST

START_TEST(json_has_what_the_text_says)
{
    g_autoptr(sqlite3) database = new_study();
    g_autoptr(CurveSet) set = curves_of(database, NULL);
    g_autoptr(JsonNode) node = curve_set_json(set);
    JsonObject *root = json_node_get_object(node);
    ck_assert_str_eq(json_object_get_string_member(root, "load"), "workload.load");
    ck_assert_int_eq(json_object_get_int_member(root, "points"), 10);
    JsonArray *curves = json_object_get_array_member(root, "curves");
    ck_assert_uint_eq(json_array_get_length(curves), 2);
    JsonObject *curve = json_array_get_object_element(curves, 1);
    JsonObject *by = json_object_get_object_member(curve, "by");
    ck_assert_str_eq(json_object_get_string_member(by, "workload.write_share"), "50 %");
    ck_assert_double_eq(json_object_get_double_member(curve, "doubled_at_gbps"), 68.75);
    ck_assert_double_eq(json_object_get_double_member(curve, "saturation_gbps"), 80);
    JsonArray *points = json_object_get_array_member(curve, "points");
    ck_assert_uint_eq(json_array_get_length(points), 5);
    JsonObject *last = json_array_get_object_element(points, 4);
    ck_assert_str_eq(json_object_get_string_member(last, "workload.load"), "100 %");
    ck_assert_double_eq(json_object_get_double_member(last, "latency_mean"), 1500);
    ck_assert_double_eq(json_object_get_double_member(last, "times_unloaded"), 3.75);
    ck_assert_double_eq(json_object_get_double_member(last, "achieved_gbps"), 80);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("curve");
    tcase_add_test(cases, each_write_share_has_a_curve_and_each_curve_its_order);
    tcase_add_test(cases, where_buses_have_no_limit_the_load_tells_what_shares_are_of);
    tcase_add_test(cases, knee_and_saturation_are_those_of_the_curve);
    tcase_add_test(cases, a_curve_may_begin_above_zero_and_never_double);
    tcase_add_test(cases, replications_are_averaged);
    tcase_add_test(cases, by_says_which_dimension_makes_the_curves);
    tcase_add_test(cases, a_load_of_a_named_kernel_is_a_load);
    tcase_add_test(cases, a_study_without_load_is_told_how_to_have_one);
    tcase_add_test(cases, points_without_a_rate_make_no_curve);
    tcase_add_test(cases, points_that_are_not_done_are_counted_and_left_out);
    tcase_add_test(cases, the_text_has_a_table_a_picture_and_the_knee);
    tcase_add_test(cases, where_all_that_is_offered_is_achieved_there_is_no_saturation);
    tcase_add_test(cases, csv_has_a_line_for_each_point);
    tcase_add_test(cases, json_has_what_the_text_says);
    Suite *suite = suite_create("curve");
    suite_add_tcase(suite, cases);
    return harness_run_suite(suite);
}
