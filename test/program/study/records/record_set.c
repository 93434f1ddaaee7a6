#include <glib/gstdio.h>
#include <stdio.h>

#include "program/study/run_rig.h"
#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/study/records/record_set.h"

static const char KEY[] = "0123456789abcdef0123456789abcdef";

static Manifest *new_study(const char *folder)
{
    Manifest *manifest = run_rig_manifest();
    run_rig_add(manifest, "");
    run_rig_write(manifest, folder);
    return manifest;
}

static void append(SegmentWriter *segment, const char *key, PointStatus status, const char *payload)
{
    Record record = {.status = status, .payload = (char *)payload, .host = {.wall_s = 2}};
    g_strlcpy(record.key, key, sizeof record.key);
    ck_assert(segment_append(segment, &record, NULL));
}

static void update(RecordSet *set)
{
    g_autoptr(GError) error = NULL;
    ck_assert_msg(record_set_update(set, &error), "%s", error ? error->message : "");
}

/* --- the best record -------------------------------------------------------------------------- */

static const struct {
    PointStatus first, second, best;
} rows[] = {
    {POINT_DONE, POINT_FAILED, POINT_DONE},      {POINT_FAILED, POINT_DONE, POINT_DONE},
    {POINT_TIMEOUT, POINT_DONE, POINT_DONE},     {POINT_DONE, POINT_KILLED, POINT_DONE},
    {POINT_TIMEOUT, POINT_FAILED, POINT_FAILED}, {POINT_REJECTED, POINT_MEMORY, POINT_REJECTED},
    {POINT_TIMEOUT, POINT_MEMORY, POINT_MEMORY}, {POINT_FAILED, POINT_TIMEOUT, POINT_FAILED},
};

START_TEST(done_is_better_than_a_final_failure_and_that_than_one_that_may_pass)
{
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    g_autoptr(SegmentWriter) segment = segment_create(folder, manifest, "test", NULL);
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    append(segment, KEY, rows[_i].first, "first");
    append(segment, KEY, rows[_i].second, "second");
    update(set);
    const Recorded *recorded = record_set_find(set, KEY);
    ck_assert_ptr_nonnull(recorded);
    ck_assert_int_eq(recorded->status, rows[_i].best);
    const char *message = rows[_i].best == rows[_i].first ? "first" : "second";
    ck_assert_pstr_eq(recorded->message, rows[_i].best == POINT_DONE ? NULL : message);
    temporary_remove(folder);
}
END_TEST

/* --- reading ---------------------------------------------------------------------------------- */

START_TEST(an_update_reads_what_all_segments_have_got_since)
{
    static const char OTHER[] = "ffffffffffffffffffffffffffffffff";
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    update(set);
    ck_assert_ptr_null(record_set_find(set, KEY));
    g_autoptr(SegmentWriter) first = segment_create(folder, manifest, "test", NULL);
    g_autoptr(SegmentWriter) second = segment_create(folder, manifest, "test", NULL);
    append(first, KEY, POINT_TIMEOUT, "late");
    update(set);
    ck_assert_int_eq(record_set_find(set, KEY)->status, POINT_TIMEOUT);
    append(first, KEY, POINT_DONE, "1 2 3");
    append(second, OTHER, POINT_FAILED, "deadlock");
    update(set);
    update(set);
    ck_assert_int_eq(record_set_find(set, KEY)->status, POINT_DONE);
    ck_assert_str_eq(record_set_find(set, OTHER)->message, "deadlock");
    const RecordTotals totals = record_set_totals(set, g_get_real_time() / G_USEC_PER_SEC);
    ck_assert_uint_eq(totals.segments, 2);
    ck_assert_uint_eq(totals.records, 3);
    ck_assert_double_eq(totals.wall_s, 6);
    temporary_remove(folder);
}
END_TEST

START_TEST(lines_that_are_torn_or_damaged_are_counted_and_left_out)
{
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    g_autoptr(SegmentWriter) segment = segment_create(folder, manifest, "test", NULL);
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    append(segment, KEY, POINT_DONE, "1 2 3");
    FILE *file = fopen(segment_name(segment), "a");
    fprintf(file, "00000000\tffff\tdone\t\t0 0 0 x\nthe beginning of a li");
    fclose(file);
    update(set);
    const RecordTotals totals = record_set_totals(set, 0);
    ck_assert_uint_eq(totals.damaged, 1);
    ck_assert_uint_eq(totals.torn, 1);
    temporary_remove(folder);
}
END_TEST

START_TEST(a_segment_of_another_plan_is_an_error)
{
    char *folder = temporary_folder(), *other = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    g_autoptr(Manifest) different = run_rig_manifest();
    run_rig_write(different, other);
    g_autoptr(SegmentWriter) segment = segment_create(folder, different, "test", NULL);
    append(segment, KEY, POINT_DONE, "1 2 3");
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    g_autoptr(GError) error = NULL;
    ck_assert(!record_set_update(set, &error));
    ck_assert_msg(strstr(error->message, "belongs to another plan"), "%s", error->message);
    temporary_remove(folder);
    temporary_remove(other);
}
END_TEST

/* A host's name may be anything; a result must not be lost for that. */
START_TEST(odd_names_of_hosts_and_labels_do_not_cost_a_record)
{
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    g_autoptr(SegmentWriter) segment = segment_create(folder, manifest, "a/b c\n-1.2", NULL);
    Record record = {.status = POINT_FAILED, .payload = (char *)"caf\xe9", .host = {.wall_s = 2}};
    g_strlcpy(record.key, KEY, sizeof record.key);
    record.host.name = (char *)"a\tb\nc\xff";
    ck_assert(segment_append(segment, &record, NULL));
    g_autofree char *name = g_path_get_basename(segment_name(segment));
    ck_assert_msg(g_str_has_prefix(name, "a_b_c_-1.2-"), "%s", name);
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    update(set);
    ck_assert_uint_eq(record_set_totals(set, 0).damaged, 0);
    ck_assert_ptr_nonnull(record_set_find(set, KEY));
    ck_assert_str_eq(record_set_find(set, KEY)->message, "caf\xef\xbf\xbd");
    temporary_remove(folder);
}
END_TEST

/* Not as if nothing had been run. */
START_TEST(segments_that_cannot_be_listed_or_read_are_an_error)
{
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    g_autofree char *segments = temporary_file(folder, "segments", "");
    g_autoptr(GError) error = NULL;
    ck_assert(!record_set_update(set, &error));
    ck_assert_msg(strstr(error->message, "segments: cannot be read: Not a directory"), "%s",
                  error->message);
    g_clear_error(&error);
    g_autofree char *odd = g_build_filename(segments, "odd.segment", NULL);
    ck_assert_int_eq(g_unlink(segments) || g_mkdir_with_parents(odd, 0777), 0);
    ck_assert(!record_set_update(set, &error));
    ck_assert_msg(strstr(error->message, "odd.segment: cannot be read: it is no regular file"),
                  "%s", error->message);
    temporary_remove(folder);
}
END_TEST

/* --- how fast --------------------------------------------------------------------------------- */

/* The first point of 2 s begins 2 s before its segment; 10 records and a file that is as old as
 * its name make 5 points/s. An hour later nobody writes any more. */
START_TEST(the_rate_is_that_of_segments_somebody_writes_to)
{
    char *folder = temporary_folder();
    g_autoptr(Manifest) manifest = new_study(folder);
    const gint64 began = g_get_real_time() / G_USEC_PER_SEC;
    g_autoptr(SegmentWriter) segment = segment_create(folder, manifest, "test", NULL);
    g_autoptr(RecordSet) set = record_set_new(folder, manifest);
    for (unsigned i = 0; i < 10; i++) append(segment, KEY, POINT_DONE, "1 2 3");
    update(set);
    const gint64 now = g_get_real_time() / G_USEC_PER_SEC;
    const RecordTotals running = record_set_totals(set, now);
    ck_assert_uint_eq(running.active, 1);
    ck_assert_double_gt(running.rate, 10 / ((double)(now - began) + 3.1));
    ck_assert_double_lt(running.rate, 10 / 0.9);
    ck_assert_int_ge(running.last_write, began - 1); /* the clock of files is a coarse one */
    const RecordTotals later = record_set_totals(set, now + 3600);
    ck_assert_uint_eq(later.active, 0);
    ck_assert_double_eq(later.rate, 0);
    temporary_remove(folder);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("record_set");
    tcase_add_loop_test(cases, done_is_better_than_a_final_failure_and_that_than_one_that_may_pass,
                        0, G_N_ELEMENTS(rows));
    tcase_add_test(cases, an_update_reads_what_all_segments_have_got_since);
    tcase_add_test(cases, lines_that_are_torn_or_damaged_are_counted_and_left_out);
    tcase_add_test(cases, a_segment_of_another_plan_is_an_error);
    tcase_add_test(cases, odd_names_of_hosts_and_labels_do_not_cost_a_record);
    tcase_add_test(cases, segments_that_cannot_be_listed_or_read_are_an_error);
    tcase_add_test(cases, the_rate_is_that_of_segments_somebody_writes_to);
    return harness_run_cases("record_set", cases);
}
