/* A study as CSV and JSON, and the verbs merge and export. */
#include <glib/gstdio.h>

#include "program/study/folder.h"
#include "rigs/harness.h"
#include "rigs/program.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/study/table/export.h"

/* --- vocabulary ------------------------------------------------------------------------------- */

/* What "warpmem study VERB" writes, which must succeed. */
static const char *say(const StudyFolder *study, const char *verb)
{
    g_autofree char *arguments = g_strdup_printf("study %s", verb);
    const Outcome outcome = warpmem(study->folder, arguments);
    ck_assert_msg(outcome.status == 0, "%s: %s", verb, outcome.errors);
    ck_assert_str_eq(outcome.errors, "");
    return outcome.out;
}

static void expect_complaint(const StudyFolder *study, const char *verb, const char *complaint)
{
    g_autofree char *arguments = g_strdup_printf("study %s", verb);
    const Outcome outcome = warpmem(study->folder, arguments);
    ck_assert_int_eq(outcome.status, 2);
    ck_assert_msg(strstr(outcome.errors, complaint) != NULL, "%s", outcome.errors);
    ck_assert_str_eq(outcome.out, "");
}

/* The cells of results and statistics as the payload has them, or empty. */
static char *result_cells(const char *time_ns)
{
    GString *text = g_string_new(NULL);
    for (const ResultColumn *column = result_columns(); column->name; column++) {
        const bool time = !strcmp(column->name, "time_ns");
        const bool word = !strcmp(column->unit, "text"), none = !strcmp(column->name, "mean_hops");
        g_string_append_c(text, ',');
        if (time_ns && !none)
            g_string_append(text, time ? time_ns : word ? "\"DRAM's bus, \"\"busy\"\"\"" : "0.5");
    }
    g_string_append(text, time_ns ? ",7\r\n" : ",\r\n");
    return g_string_free(text, FALSE);
}

static char *result_names(void)
{
    GString *text = g_string_new(NULL);
    for (const ResultColumn *column = result_columns(); column->name; column++)
        g_string_append_printf(text, ",%s", column->name);
    g_string_append(text, ",l1.refused_prt\r\n");
    return g_string_free(text, FALSE);
}

/* A done, a rejected, an interrupted and a missing point; point 4 is the same run as point 0. */
static void fill(const StudyFolder *study)
{
    g_autoptr(SegmentWriter) writer = study_segment(study, "a");
    study_done(writer, 1, "1.50");
    study_record(writer, 2, POINT_REJECTED, "l1.ways = 3: \"odd\", not a power of two");
    study_record(writer, 3, POINT_TIMEOUT, "over 60 s, twice");
}

#define KEY "0000000000000000000000000000000"

/* --- CSV -------------------------------------------------------------------------------------- */

START_TEST(csv_has_a_row_a_point_as_written_and_in_base_units)
{
    g_auto(StudyFolder) study = study_folder_new();
    fill(&study);
    g_autofree char *names = result_names(), *cells = result_cells("1.50");
    g_autofree char *none = result_cells(NULL);
    g_autofree char *wanted = g_strconcat(
        "point,key,variant,replication,seed,role,status,message,l2_slice.capacity,"
        "l2_slice.capacity [B],l2_slice.write_policy,l1.prt_entries",
        names, "0," KEY "1,baseline,0,1,baseline,done,,96 KiB,98304,back,16", cells,
        "1," KEY "2,baseline,0,1,,rejected,\"l1.ways = 3: \"\"odd\"\", not a power of two\","
        "96 KiB,98304,through,16",
        none, "2," KEY "3,baseline,0,1,,timeout,\"over 60 s, twice\",1.5 MiB,1572864,back,16", none,
        "3," KEY "4,baseline,0,1,,missing,,1.5 MiB,1572864,through,64", none,
        "4," KEY "1,baseline,0,1,,done,,96 KiB,98304,back,16", cells, NULL);
    const char *got = say(&study, "export .");
    ck_assert_str_eq(got, wanted);
    ck_assert(!exists(study.folder, "study.sqlite")); /* it needs no database */
}
END_TEST

START_TEST(variants_have_one_column_and_shares_are_numbers_without_unit)
{
    g_auto(StudyFolder) study = {temporary_folder(), manifest_new()};
    study.manifest->title = g_strdup("Shares");
    run_rig_dimension(study.manifest, "variant", "baseline");
    run_rig_dimension(study.manifest, "first_level.share", "50 %");
    run_rig_dimension(study.manifest, "machine.dram_clock", "1 GHz");
    manifest_add_base(study.manifest)->variant = g_strdup("chase");
    study_add_point(study.manifest, 1, (const char *const[]){"chase", "12.5 %", "0.7 GHz", NULL});
    study_add_point(study.manifest, 2, (const char *const[]){"chase", "auto", "877 MHz", NULL});
    study_add_point(study.manifest, 3, (const char *const[]){"chase", "1 B", "1 GHz", NULL});
    ck_assert(manifest_write(study.manifest, study.folder, NULL));
    const char *got = say(&study, "export .");
    ck_assert(g_str_has_prefix(
        got, "point,key,variant,replication,seed,role,status,message,first_level.share,"
             "first_level.share [1],machine.dram_clock,machine.dram_clock [Hz],time_ns,"));
    ck_assert_ptr_nonnull(strstr(got, ",missing,,12.5 %,0.125,0.7 GHz,700000000,,"));
    ck_assert_ptr_nonnull(strstr(got, ",missing,,auto,,877 MHz,877000000,,"));
    ck_assert_ptr_nonnull(strstr(got, ",missing,,1 B,,1 GHz,1000000000,,")); /* no share */
}
END_TEST

START_TEST(stages_are_a_table_of_points_and_request_classes)
{
    g_auto(StudyFolder) study = study_folder_new();
    fill(&study);
    const char *got = say(&study, "export . --stages");
    g_auto(GStrv) rows = g_strsplit(got, "\r\n", -1);
    ck_assert_uint_eq(g_strv_length(rows), 4); /* names, two points, nothing */
    ck_assert(g_str_has_prefix(rows[0], "point,key,class,count,latency,issue,l1_queue,"));
    ck_assert(g_str_has_prefix(rows[1], "0," KEY "1,load_dram,2,1001,1000,0,0,"));
    ck_assert(g_str_has_prefix(rows[2], "4," KEY "1,load_dram,2,1001,1000,0,0,"));
    g_auto(GStrv) names = g_strsplit(rows[0], ",", -1), cells = g_strsplit(rows[1], ",", -1);
    ck_assert_uint_eq(g_strv_length(names), 5 + STAGE_COUNT);
    ck_assert_str_eq(names[5 + STAGE_DRAM_BUS], "dram_bus");
    ck_assert_str_eq(cells[5 + STAGE_DRAM_BUS], "1");
}
END_TEST

/* --- JSON ------------------------------------------------------------------------------------- */

static JsonNode *point_of(JsonNode *root, guint number)
{
    JsonArray *points = json_node_get_array(result_member(root, "points"));
    return json_array_get_element(points, number);
}

static JsonObject *member_object(JsonNode *node, const char *name)
{
    return json_object_get_object_member(json_node_get_object(node), name);
}

START_TEST(json_has_the_points_with_results_and_stages_and_says_what_columns_are)
{
    g_auto(StudyFolder) study = study_folder_new();
    fill(&study);
    ck_assert_str_eq(say(&study, "export . -o study.json"), "");
    g_autofree char *text = contents(study.folder, "study.json");
    g_autoptr(JsonNode) root = json_file(study.folder, "study.json");
    ck_assert_ptr_nonnull(strstr(text, "\"time_ns\": 1.50, ")); /* as the run wrote it */
    ck_assert_double_eq(result_number(root, "schema_version"), EXPORT_SCHEMA_VERSION);
    ck_assert_str_eq(result_text(root, "study.title"), "Small study");
    JsonNode *done = point_of(root, 0), *rejected = point_of(root, 1), *missing = point_of(root, 3);
    ck_assert_str_eq(result_text(done, "status"), "done");
    ck_assert_str_eq(result_text(done, "results.bound"), "DRAM's bus, \"busy\"");
    ck_assert(JSON_NODE_HOLDS_NULL(result_member(done, "results.mean_hops")));
    ck_assert_double_eq(result_number(done, "stages.load_dram.dram_bus"), 1);
    ck_assert_double_eq(result_number(done, "stages.load_dram.latency"), 1001);
    JsonObject *values = member_object(done, "parameters"),
               *numbers = member_object(done, "numbers");
    ck_assert_str_eq(json_object_get_string_member(values, "l2_slice.capacity"), "96 KiB");
    ck_assert_double_eq(json_object_get_double_member(numbers, "l2_slice.capacity"), 98304);
    ck_assert(json_object_get_null_member(numbers, "l2_slice.write_policy"));
    JsonObject *results = member_object(done, "results");
    ck_assert_double_eq(json_object_get_double_member(results, "l1.refused_prt"), 7);
    ck_assert_str_eq(result_text(rejected, "message"), "l1.ways = 3: \"odd\", not a power of two");
    ck_assert(JSON_NODE_HOLDS_NULL(result_member(rejected, "results")));
    ck_assert_str_eq(result_text(missing, "status"), "missing");
    ck_assert(JSON_NODE_HOLDS_NULL(result_member(missing, "message")));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"l2_slice.capacity\", \"unit\": \"B\", "
                                       "\"baseline\": \"96 KiB\", \"baseline_number\": 98304}"));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"time_ns\", \"unit\": \"ns\", "
                                       "\"better\": \"lower\", \"summary\": \""));
    ck_assert_ptr_nonnull(strstr(text, "{\"name\": \"dram_bus\", \"unit\": \"fs\", "));
}
END_TEST

/* --- the same however it was run -------------------------------------------------------------- */

START_TEST(exports_are_the_same_to_the_byte_however_the_points_were_run)
{
    static const char *const verbs[] = {"export .", "export . --stages", "export . --format json"};
    g_auto(StudyFolder) study = study_folder_new(), other = study_folder_new();
    fill(&study);
    g_autoptr(SegmentWriter) late = study_segment(&other, "x"), early = study_segment(&other, "b");
    study_record(late, 1, POINT_KILLED, "signal 9");
    study_record(late, 3, POINT_TIMEOUT, "over 60 s, twice");
    study_done(late, 1, "1.50");
    study_record(early, 3, POINT_TIMEOUT, "over 90 s");
    study_record(early, 2, POINT_REJECTED, "l1.ways = 3: \"odd\", not a power of two");
    study_done(early, 1, "1.50");
    for (unsigned i = 0; i < G_N_ELEMENTS(verbs); i++) {
        const char *one = say(&study, verbs[i]), *two = say(&other, verbs[i]);
        ck_assert_str_eq(one, two);
        ck_assert_ptr_null(strstr(one, "node-1"));
    }
}
END_TEST

/* --- files and errors ------------------------------------------------------------------------- */

START_TEST(a_file_is_written_whole_or_stays_as_it_was)
{
    g_auto(StudyFolder) study = study_folder_new();
    fill(&study);
    ck_assert_str_eq(say(&study, "export . -o points.csv"), "");
    g_autofree char *before = contents(study.folder, "points.csv");
    const char *shown = say(&study, "export .");
    ck_assert_str_eq(before, shown);
    g_autoptr(SegmentWriter) writer = study_segment(&study, "b");
    study_record(writer, 4, POINT_DONE, "1 2 3");
    expect_complaint(&study, "export . -o points.csv", ":2: not an outcome of this program");
    g_autofree char *after = contents(study.folder, "points.csv");
    ck_assert_str_eq(before, after);
    g_autoptr(GDir) files = g_dir_open(study.folder, 0, NULL);
    for (const char *name; (name = g_dir_read_name(files));)
        ck_assert_msg(!strchr(name, '.') || !strcmp(name, "points.csv")
                          || !strcmp(name, "manifest.jsonl"),
                      "%s", name);
}
END_TEST

START_TEST(what_cannot_be_exported_is_an_error)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *in_the_way = g_build_filename(study.folder, "folder", NULL);
    expect_complaint(&study, "export nowhere", "nowhere: no study");
    expect_complaint(&study, "export . -o no/where.csv", "-o no/where.csv: cannot be written");
    ck_assert_int_eq(g_mkdir_with_parents(in_the_way, 0777), 0);
    expect_complaint(&study, "export . -o folder", "-o folder: cannot be written");
    expect_complaint(&study, "export . --format xml", "--format xml: there are csv and json");
    expect_complaint(&study, "export . -o e.xml", "-o e.xml: its name does not end with .csv or ");
    expect_complaint(&study, "export . --stages -o e.JSON", "--stages: JSON has the stages");
    expect_complaint(&study, "export . --format json --stages", "--stages: JSON has the stages");
    expect_complaint(&study, "export", "something is missing");
    if (g_access("/dev/full", W_OK) == 0)
        expect_complaint(&study, "export . -o /dev/full", "No space left on device");
}
END_TEST

/* --- merge ------------------------------------------------------------------------------------ */

START_TEST(merge_says_what_there_is_and_what_was_left_out)
{
    g_auto(StudyFolder) study = study_folder_new();
    fill(&study);
    const char *text = say(&study, "merge .");
    ck_assert_str_eq(text, "./study.sqlite: 5 points: 2 done, 2 failed, 1 missing\n");
    g_autofree char *path = study_done_alone(&study, "b", 4, "1");
    g_autofree char *segments = g_path_get_dirname(path);
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *line = contents(segments, name);
    line[strlen(line) - 9]++;
    g_autofree char *broken = g_strconcat(line, "0123", NULL);
    ck_assert(g_file_set_contents(path, broken, -1, NULL));
    const char *more = say(&study, "merge .");
    ck_assert_ptr_nonnull(strstr(more, "1 torn line left out"));
    ck_assert_ptr_nonnull(strstr(more, "1 damaged line left out"));
    const char *json = say(&study, "merge . --json");
    g_autoptr(JsonNode) root = json_from_string(json, NULL);
    ck_assert_str_eq(result_text(root, "database"), "./study.sqlite");
    static const struct {
        const char *name;
        double value;
    } counts[] = {{"points", 5},  {"done", 2},       {"failed", 2},
                  {"missing", 1}, {"torn_lines", 1}, {"damaged_lines", 1}};
    for (unsigned i = 0; i < G_N_ELEMENTS(counts); i++)
        ck_assert_double_eq(result_number(root, counts[i].name), counts[i].value);
    g_autofree char *conflict = study_done_alone(&study, "c", 2, "1");
    expect_complaint(&study, "merge .", "two outcomes of point 1 (");
}
END_TEST

START_TEST(a_study_whose_database_cannot_be_written_is_opened_all_the_same)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *segment = study_done_alone(&study, "a", 2, "5");
    g_autofree char *path = database_path(study.folder);
    ck_assert_int_eq(g_mkdir(path, 0777), 0); /* in the way */
    g_autoptr(GError) error = NULL;
    g_autoptr(sqlite3) database = database_open(study.folder, &error);
    ck_assert_msg(database != NULL, "%s", error ? error->message : "");
    const char *sql = "SELECT * FROM results WHERE time_ns = 5";
    sqlite3_stmt *query = NULL;
    ck_assert_int_eq(sqlite3_prepare_v2(database, sql, -1, &query, NULL), SQLITE_OK);
    ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
    sqlite3_finalize(query);
    ck_assert_int_ne(sqlite3_exec(database, "DELETE FROM points", NULL, NULL, NULL), SQLITE_OK);
}
END_TEST

HARNESS_MAIN("export", csv_has_a_row_a_point_as_written_and_in_base_units,
             variants_have_one_column_and_shares_are_numbers_without_unit,
             stages_are_a_table_of_points_and_request_classes,
             json_has_the_points_with_results_and_stages_and_says_what_columns_are,
             exports_are_the_same_to_the_byte_however_the_points_were_run,
             a_file_is_written_whole_or_stays_as_it_was, what_cannot_be_exported_is_an_error,
             merge_says_what_there_is_and_what_was_left_out,
             a_study_whose_database_cannot_be_written_is_opened_all_the_same)
