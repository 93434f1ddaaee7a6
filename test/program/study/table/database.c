/* The database of a study: what becomes of records. */
#include <signal.h>
#include <sys/resource.h>

#include "program/study/folder.h"
#include "rigs/harness.h"
#include "rigs/program.h"

/* --- vocabulary ------------------------------------------------------------------------------- */

/* All rows of a query, columns divided by '|', rows by ';', newly allocated. */
static char *ask(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *query = NULL;
    ck_assert_msg(sqlite3_prepare_v2(database, sql, -1, &query, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(database));
    GString *text = g_string_new(NULL);
    for (int row = 0; sqlite3_step(query) == SQLITE_ROW; row++) {
        if (row) g_string_append_c(text, ';');
        for (int i = 0; i < sqlite3_column_count(query); i++) {
            const char *value = (const char *)sqlite3_column_text(query, i);
            g_string_append_printf(text, "%s%s", i ? "|" : "", value ? value : "NULL");
        }
    }
    sqlite3_finalize(query);
    return g_string_free(text, FALSE);
}

static void expect(const StudyFolder *study, const char *sql, const char *rows)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(sqlite3) database = database_open(study->folder, &error);
    ck_assert_msg(database != NULL, "%s", error ? error->message : "");
    g_autofree char *got = ask(database, sql);
    ck_assert_str_eq(got, rows);
}

/* Every table that is the same however the study was run. */
static char *dump(const StudyFolder *study)
{
    static const char *const tables[] = {"study",   "dimensions",     "points", "parameters",
                                         "results", "result_columns", "stages"};
    g_autoptr(sqlite3) database = database_open(study->folder, NULL);
    GString *text = g_string_new(NULL);
    for (unsigned i = 0; i < G_N_ELEMENTS(tables); i++) {
        g_autofree char *sql = g_strdup_printf("SELECT * FROM %s", tables[i]);
        g_autofree char *rows = ask(database, sql);
        g_string_append_printf(text, "%s: %s\n", tables[i], rows);
    }
    return g_string_free(text, FALSE);
}

/* --- what the tables say ---------------------------------------------------------------------- */

START_TEST(points_have_their_values_status_and_results)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autoptr(SegmentWriter) writer = study_segment(&study, "a");
    study_done(writer, 1, "1234.5");
    study_record(writer, 2, POINT_REJECTED, "l1.ways = 3: \"odd\"");
    study_record(writer, 3, POINT_TIMEOUT, "over 60 s");
    const MergeReport report = study_merge(&study);
    ck_assert_uint_eq(report.points, 5);
    ck_assert_uint_eq(report.done, 2); /* point 4 is the same run as point 0 */
    ck_assert_uint_eq(report.failed, 2);
    ck_assert_uint_eq(report.missing, 1);
    ck_assert_uint_eq(report.torn + report.damaged, 0);
    expect(&study, "SELECT point, status, message, variant, role FROM points",
           "0|done|NULL|baseline|baseline;1|rejected|l1.ways = 3: \"odd\"|baseline|;"
           "2|timeout|over 60 s|baseline|;3|missing|NULL|baseline|;4|done|NULL|baseline|");
    expect(&study, "SELECT point, time_ns, \"l1.refused_prt\", mean_hops, bound FROM results",
           "0|1234.5|7.0|NULL|DRAM's bus, \"busy\";4|1234.5|7.0|NULL|DRAM's bus, \"busy\"");
    expect(&study, "SELECT point, class, count, latency, issue, dram_bus, l2_tag FROM stages",
           "0|load_dram|2|1001|1000|1|0;4|load_dram|2|1001|1000|1|0");
    expect(&study, "SELECT key, status, line, host, wall_s, cpu_s, peak_rss_bytes FROM attempts",
           "00000000000000000000000000000001|done|2|node-1|0.25|0.125|1048576;"
           "00000000000000000000000000000002|rejected|3|node-1|0.25|0.125|1048576;"
           "00000000000000000000000000000003|timeout|4|node-1|0.25|0.125|1048576");
}
END_TEST

START_TEST(values_are_numbers_where_they_have_a_unit)
{
    g_auto(StudyFolder) study = study_folder_new();
    expect(&study, "SELECT * FROM dimensions",
           "0|l2_slice.capacity|B|96 KiB|98304.0;1|l2_slice.write_policy|NULL|back|NULL;"
           "2|l1.prt_entries||512|512.0");
    expect(&study, "SELECT name, value, number FROM parameters WHERE point = 3",
           "l1.prt_entries|64|64.0;l2_slice.capacity|1.5 MiB|1572864.0;"
           "l2_slice.write_policy|through|NULL");
    expect(&study,
           "SELECT name, value FROM study WHERE name IN ('title', 'design', 'replications')",
           "design|grid;replications|1;title|Small study");
    expect(&study, "SELECT name, unit, better FROM result_columns WHERE position = 0",
           "time_ns|ns|lower");
    expect(&study, "SELECT name, summary <> '' FROM result_columns ORDER BY position DESC LIMIT 1",
           "l1.refused_prt|1");
}
END_TEST

START_TEST(views_have_a_row_a_point_and_a_row_a_stage)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *path = study_done_alone(&study, "a", 3, "1234.5");
    expect(&study,
           "SELECT point, status, \"l2_slice.capacity\", \"l2_slice.write_policy\", time_ns,"
           " \"l1.refused_prt\" FROM runs WHERE point BETWEEN 1 AND 2",
           "1|missing|98304.0|through|NULL|NULL;2|done|1572864.0|back|1234.5|7.0");
    expect(&study, "SELECT stage, fs FROM stage_sums WHERE point = 2 AND fs ORDER BY fs DESC",
           "issue|1000;dram_bus|3");
    g_autofree char *stages = g_strdup_printf("%d|1003", STAGE_COUNT);
    expect(&study, "SELECT count(*), sum(fs) FROM stage_sums", stages);
}
END_TEST

/* --- which record counts ---------------------------------------------------------------------- */

START_TEST(what_every_run_says_counts_before_what_a_limit_stopped)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autoptr(SegmentWriter) writer = study_segment(&study, "a");
    study_record(writer, 1, POINT_KILLED, "signal 9");
    study_done(writer, 1, "5");
    study_record(writer, 1, POINT_TIMEOUT, "over 60 s");
    study_record(writer, 2, POINT_MEMORY, "over 1 GiB");
    study_record(writer, 2, POINT_FAILED, "deadlock");
    study_record(writer, 3, POINT_KILLED, "signal 9");
    study_record(writer, 3, POINT_TIMEOUT, "over 20 s");
    study_record(writer, 3, POINT_TIMEOUT, "over 10 s");
    study_merge(&study);
    expect(&study, "SELECT point, status, message FROM points WHERE point < 3",
           "0|done|NULL;1|failed|deadlock;2|timeout|over 10 s");
    expect(&study, "SELECT count(*) FROM attempts", "8");
}
END_TEST

START_TEST(merging_again_and_other_segments_of_the_same_records_give_the_same_tables)
{
    g_auto(StudyFolder) study = study_folder_new(), other = study_folder_new();
    g_autoptr(SegmentWriter) all = study_segment(&study, "a");
    study_done(all, 1, "1");
    study_record(all, 2, POINT_TIMEOUT, "b");
    study_record(all, 2, POINT_TIMEOUT, "a");
    study_done(all, 3, "3");
    study_merge(&study);
    g_autofree char *once = dump(&study);
    study_merge(&study);
    g_autofree char *twice = dump(&study);
    ck_assert_str_eq(once, twice);
    g_autoptr(SegmentWriter) late = study_segment(&other, "z"), early = study_segment(&other, "b");
    study_done(late, 3, "3");
    study_record(late, 2, POINT_TIMEOUT, "a");
    study_done(early, 3, "3");
    study_record(early, 2, POINT_TIMEOUT, "b");
    study_record(late, 1, POINT_KILLED, "signal 9");
    study_done(early, 1, "1");
    study_merge(&other);
    g_autofree char *split = dump(&other);
    ck_assert_str_eq(once, split);
}
END_TEST

/* --- what is damaged -------------------------------------------------------------------------- */

/* What reading comes to, without writing a database. */
static MergeReport read_study(const StudyFolder *study)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(MergedStudy) merged = merged_study_read(study->folder, &error);
    ck_assert_msg(merged != NULL, "%s", error ? error->message : "");
    return merged->report;
}

G_GNUC_NO_INLINE static char *read_file(const char *path, gsize *length)
{
    char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, length, NULL));
    return text;
}

/* Without waiting for the disk. */
static void write_file(const char *path, const char *text, gsize length)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    fclose(file);
}

START_TEST(a_torn_last_line_is_as_if_it_had_not_been_written)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *path = study_done_alone(&study, "a", 1, "1");
    gsize length;
    g_autofree char *text = read_file(path, &length);
    const gsize head = (gsize)(strchr(text, '\n') + 1 - text);
    for (gsize cut = head + 1; cut < length; cut += 7) {
        write_file(path, text, cut);
        const MergeReport report = read_study(&study);
        ck_assert_uint_eq(report.done, 0);
        ck_assert_uint_eq(report.missing, 5);
        ck_assert_uint_eq(report.torn, 1);
        ck_assert_uint_eq(report.damaged, 0);
    }
    write_file(path, text, head / 2);
    ck_assert_uint_eq(read_study(&study).torn, 1);
    write_file(path, text, 0);
    ck_assert_uint_eq(read_study(&study).torn, 0);
}
END_TEST

/* Between two good lines, which stay good; a flipped newline takes the line behind it along. */
START_TEST(a_flipped_bit_anywhere_in_a_line_takes_the_line_out)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autoptr(SegmentWriter) writer = study_segment(&study, "a");
    study_done(writer, 1, "1");
    study_record(writer, 2, POINT_FAILED, "deadlock at 12 ns");
    study_done(writer, 3, "3");
    gsize length;
    g_autofree char *text = read_file(segment_name(writer), &length);
    const char *first = strchr(strchr(text, '\n') + 1, '\n') + 1, *last = strchr(first, '\n');
    for (gsize at = (gsize)(first - text); at < (gsize)(last - text); at++)
        for (unsigned bit = 0; bit < 8; bit += 3) {
            text[at] = (char)(text[at] ^ 1 << bit);
            write_file(segment_name(writer), text, length);
            text[at] = (char)(text[at] ^ 1 << bit);
            const MergeReport report = read_study(&study);
            ck_assert_msg(report.damaged >= 1, "byte %u bit %u", (unsigned)at, bit);
            ck_assert_uint_eq(report.done, 3);
            ck_assert_uint_eq(report.missing, 2);
        }
}
END_TEST

START_TEST(a_segment_of_another_plan_is_an_error_that_names_it)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autoptr(Manifest) other = study_manifest("Another study");
    g_autofree char *elsewhere = g_build_filename(study.folder, "other", NULL);
    ck_assert(manifest_write(other, elsewhere, NULL));
    g_autoptr(SegmentWriter) writer = segment_create(study.folder, other, "a", NULL);
    study_done(writer, 1, "1");
    g_autofree char *error = study_merge_error(&study);
    ck_assert(g_str_has_prefix(error, segment_name(writer)));
    ck_assert_ptr_nonnull(strstr(error, "another plan"));
}
END_TEST

START_TEST(a_record_of_no_point_and_an_outcome_of_other_columns_are_errors_with_their_place)
{
    g_auto(StudyFolder) study = study_folder_new(), other = study_folder_new();
    g_autofree char *path = study_done_alone(&study, "a", 77, "1");
    g_autofree char *error = study_merge_error(&study);
    g_autofree char *place = g_strdup_printf("%s:2: ", path);
    ck_assert_msg(g_str_has_prefix(error, place), "%s", error);
    g_autoptr(SegmentWriter) writer = study_segment(&other, "a");
    study_record(writer, 1, POINT_DONE, "1 2 3");
    g_autofree char *short_error = study_merge_error(&other);
    g_autofree char *short_place = g_strdup_printf("%s:2: ", segment_name(writer));
    ck_assert_msg(g_str_has_prefix(short_error, short_place), "%s", short_error);
    ck_assert_ptr_nonnull(strstr(short_error, "build 0123"));
}
END_TEST

/* --- two outcomes of one point ---------------------------------------------------------------- */

/* The records of the key in two segments, and how merging complains behind the places. */
typedef struct {
    PointStatus status[2];
    const char *payload[2];
    const char *complaint;
} Conflict;

static void expect_conflict(const Conflict *conflict)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autoptr(SegmentWriter) first = study_segment(&study, "a"),
                             second = study_segment(&study, "b");
    study_done(second, 1, "1");
    study_record(first, 3, conflict->status[0], conflict->payload[0]);
    study_record(second, 3, conflict->status[1], conflict->payload[1]);
    g_autofree char *error = study_merge_error(&study);
    g_autofree char *wanted = g_strdup_printf(
        "%s:2 and %s:3: two outcomes of point 2 (l2_slice.capacity = 1.5 MiB, "
        "l2_slice.write_policy = back, l1.prt_entries = 16; key %s), which must be the same in "
        "every run: %s",
        segment_name(first), segment_name(second), study_key(3), conflict->complaint);
    ck_assert_str_eq(error, wanted);
    ck_assert(!exists(study.folder, "study.sqlite"));
}

START_TEST(two_outcomes_of_one_key_are_an_error_that_names_both_and_the_first_difference)
{
    g_autofree char *base = study_payload("1.5", 3), *time = study_payload("1.25", 4);
    g_autofree char *stage = study_payload("1.5", 4);
    g_autofree char *values = g_strndup(base, (gsize)(strchr(base, '|') - base - 1));
    const Conflict conflicts[] = {
        {{POINT_DONE, POINT_DONE},
         {base, time},
         "time_ns is 1.5 in the first and 1.25 in the second"},
        {{POINT_DONE, POINT_DONE},
         {base, stage},
         "dram_bus of load_dram is 3 in the first and 4 in the second"},
        {{POINT_DONE, POINT_DONE},
         {base, values},
         "number of classes of requests is 1 in the first and 0 in the second"},
        {{POINT_DONE, POINT_FAILED},
         {base, "deadlock"},
         "it is done in the first and failed (deadlock) in the second"},
        {{POINT_FAILED, POINT_FAILED},
         {"deadlock at 1 ns", "deadlock at 2 ns"},
         "it is failed (deadlock at 1 ns) in the first and failed (deadlock at 2 ns) in the second"},
        {{POINT_REJECTED, POINT_FAILED},
         {"x", "x"},
         "it is rejected (x) in the first and failed (x) in the second"},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(conflicts); i++) expect_conflict(&conflicts[i]);
}
END_TEST

/* --- the file --------------------------------------------------------------------------------- */

START_TEST(opening_merges_what_has_come_since)
{
    g_auto(StudyFolder) study = study_folder_new();
    const char *count = "SELECT count(*) FROM results";
    expect(&study, count, "0");
    g_autoptr(SegmentWriter) writer = study_segment(&study, "b");
    study_done(writer, 2, "1");
    expect(&study, count, "1");
    study_done(writer, 3, "1");
    expect(&study, count, "2");
    g_autofree char *path = study_done_alone(&study, "c", 4, "1");
    expect(&study, count, "3");
    ck_assert_int_eq(g_unlink(path), 0);
    expect(&study, count, "2");
    g_autofree char *moved = g_build_filename(study.folder, "segments", "moved.segment", NULL);
    ck_assert_int_eq(g_rename(segment_name(writer), moved), 0);
    expect(&study, "SELECT DISTINCT segment FROM attempts", "moved.segment");
}
END_TEST

static guint64 inode(const StudyFolder *study)
{
    g_autofree char *path = database_path(study->folder);
    GStatBuf status;
    ck_assert_int_eq(g_stat(path, &status), 0);
    return status.st_ino;
}

START_TEST(opening_leaves_a_database_alone_that_has_everything)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *path = study_done_alone(&study, "a", 1, "1");
    study_merge(&study);
    const guint64 before = inode(&study);
    g_autoptr(sqlite3) held = database_open(study.folder, NULL);
    ck_assert_uint_eq(inode(&study), before);
    ck_assert_int_ne(sqlite3_exec(held, "DELETE FROM points", NULL, NULL, NULL), SQLITE_OK);
    g_autofree char *more = study_done_alone(&study, "b", 2, "1");
    g_autoptr(sqlite3) now = database_open(study.folder, NULL);
    ck_assert_uint_ne(inode(&study), before);
    g_autofree char *old = ask(held, "SELECT count(*) FROM results");
    ck_assert_str_eq(old, "2"); /* who reads goes on reading what there was */
}
END_TEST

START_TEST(a_database_of_another_plan_or_schema_or_none_at_all_is_made_anew)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *path = database_path(study.folder);
    g_autofree char *manifest = g_build_filename(study.folder, "manifest.jsonl", NULL);
    const char *title = "SELECT value FROM study WHERE name = 'title'";
    expect(&study, title, "Small study");
    g_autoptr(Manifest) other = study_manifest("Smell study"); /* of the same size */
    ck_assert_int_eq(g_unlink(manifest), 0);
    ck_assert(manifest_write(other, study.folder, NULL));
    expect(&study, title, "Smell study");
    g_autoptr(sqlite3) database = NULL;
    ck_assert_int_eq(sqlite3_open(path, &database), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(database,
                                  "UPDATE study SET value = 'old' WHERE name = 'title';"
                                  "PRAGMA user_version = 99",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    expect(&study, title, "Smell study");
    write_file(path, "no database", 11);
    expect(&study, title, "Smell study");
}
END_TEST

START_TEST(a_full_disk_leaves_the_old_database)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *path = study_done_alone(&study, "a", 1, "1");
    study_merge(&study);
    const guint64 before = inode(&study);
    const guint files = temporary_count(study.folder);
    const struct rlimit limit = {8 << 10, RLIM_INFINITY};
    struct rlimit old;
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    g_autofree char *error = study_merge_error(&study);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &old), 0);
    ck_assert_msg(strstr(error, "study.sqlite: cannot be written: ") != NULL, "%s", error);
    ck_assert_uint_eq(inode(&study), before);
    ck_assert_uint_eq(temporary_count(study.folder), files);
}
END_TEST

START_TEST(what_cannot_be_written_is_an_error_and_leaves_nothing_behind)
{
    g_auto(StudyFolder) study = study_folder_new();
    g_autofree char *path = database_path(study.folder);
    ck_assert_int_eq(g_mkdir(path, 0777), 0); /* in the way */
    const guint files = temporary_count(study.folder);
    g_autofree char *error = study_merge_error(&study);
    ck_assert(g_str_has_prefix(error, path));
    ck_assert_uint_eq(temporary_count(study.folder), files);
    g_autoptr(GError) missing = NULL;
    MergeReport report;
    ck_assert(!database_merge("nowhere", &report, &missing));
    ck_assert_ptr_nonnull(strstr(missing->message, "nowhere: no study"));
}
END_TEST

HARNESS_MAIN("database", points_have_their_values_status_and_results,
             values_are_numbers_where_they_have_a_unit, views_have_a_row_a_point_and_a_row_a_stage,
             what_every_run_says_counts_before_what_a_limit_stopped,
             merging_again_and_other_segments_of_the_same_records_give_the_same_tables,
             a_torn_last_line_is_as_if_it_had_not_been_written,
             a_flipped_bit_anywhere_in_a_line_takes_the_line_out,
             a_segment_of_another_plan_is_an_error_that_names_it,
             a_record_of_no_point_and_an_outcome_of_other_columns_are_errors_with_their_place,
             two_outcomes_of_one_key_are_an_error_that_names_both_and_the_first_difference,
             opening_merges_what_has_come_since,
             opening_leaves_a_database_alone_that_has_everything,
             a_database_of_another_plan_or_schema_or_none_at_all_is_made_anew,
             a_full_disk_leaves_the_old_database,
             what_cannot_be_written_is_an_error_and_leaves_nothing_behind)
