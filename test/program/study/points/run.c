/* What is run, what is recorded, and when a run ends. Points are functions, not simulations. */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "program/study/run_rig.h"
#include "rigs/harness.h"
#include "rigs/temporary.h"
#include "scenarios/program/study/points/progress.h"
#include "scenarios/program/study/points/run.h"
#include "scenarios/program/study/points/status.h"

/* A study with what each of its points does. */
typedef struct {
    char *folder;
    Manifest *manifest;
    RecordSet *records;
    StudyRunSettings settings;
    StudyRunReport report;
} Study;

static const char *marks; /* a folder with a file a point, a letter in it for each time it ran */

static guint leave_mark(const Point *point)
{
    struct stat status;
    g_autofree char *path = g_build_filename(marks, point->key, NULL);
    FILE *file = fopen(path, "a");
    fputc('x', file);
    fclose(file);
    return g_stat(path, &status) == 0 ? (guint)status.st_size : 0;
}

/* All points, as a second process would; of the points that are run the first one does. */
static void record_others(const Manifest *manifest)
{
    g_autofree char *once = g_build_filename(marks, "once", NULL);
    if (g_mkdir(once, 0700)) return;
    g_autoptr(SegmentWriter) segment = segment_create(marks, manifest, "other", NULL);
    for (guint i = 0; i < manifest->points->len; i++) {
        Record record = {.payload = (char *)"1 2 3"};
        g_strlcpy(record.key, ((const Point *)manifest->points->pdata[i])->key, sizeof record.key);
        if (!segment_append(segment, &record, NULL)) abort();
    }
}

/* Once a point is recorded; what is written from then on has no name. */
static void remove_segments(void)
{
    g_autofree char *once = g_build_filename(marks, "once", NULL);
    if (g_mkdir(once, 0700)) temporary_remove(g_build_filename(marks, "segments", NULL));
}

static Status act(const PointRequest *request, PointAnswer *answer)
{
    const char *what = request->point->values[0];
    const guint times = leave_mark(request->point);
    if (!strcmp(what, "crash")) abort();
    if (!strcmp(what, "crash twice") && times <= 2) abort();
    if (!strcmp(what, "others")) record_others(request->manifest);
    if (!strcmp(what, "others")) g_usleep(100 * 1000);
    if (!strcmp(what, "remove")) remove_segments();
    if (!strcmp(what, "interrupt")) kill(getppid(), SIGTERM);
    if (!strcmp(what, "interrupt")) g_usleep(20 * G_USEC_PER_SEC);
    if (!strcmp(what, "sleep")) g_usleep(20 * G_USEC_PER_SEC);
    answer->payload = g_strdup("1 2 3");
    if (request->keep_result) answer->result = g_strdup("{\"a\":1}\n");
    if (request->keep_result) answer->host = g_strdup("{}\n");
    return strcmp(what, "fail") ? STATUS_DONE : STATUS_FAILED;
}

/* `what` is "done, fail, crash". */
static Study study_of(const char *what)
{
    Study study = {.folder = temporary_folder()};
    g_auto(GStrv) values = g_strsplit(what, ", ", -1);
    study.manifest = run_rig_manifest();
    run_rig_dimension(study.manifest, "workload.what", "");
    for (char **value = values; *value; value++) run_rig_add(study.manifest, *value);
    run_rig_write(study.manifest, study.folder);
    study.records = record_set_new(study.folder, study.manifest);
    study.settings = (StudyRunSettings){
        .directory = study.folder,
        .shard = {0, 1},
        .pool = {.manifest = study.manifest, .simulate = act, .processes = 1},
    };
    marks = study.folder;
    return study;
}

static void study_finish(Study *study)
{
    study_run_report_clear(&study->report);
    record_set_free(study->records);
    manifest_free(study->manifest);
    temporary_remove(study->folder);
}

static void run(Study *study)
{
    g_autoptr(GError) error = NULL;
    study_run_report_clear(&study->report);
    const bool good = study_run(&study->settings, study->records, &study->report, &error);
    ck_assert_msg(good, "%s", error ? error->message : "");
}

static const char *key_of(const Study *study, guint point)
{
    return ((const Point *)study->manifest->points->pdata[point])->key;
}

static guint times_run(const Study *study, guint point)
{
    GStatBuf status;
    g_autofree char *path = g_build_filename(study->folder, key_of(study, point), NULL);
    return g_stat(path, &status) == 0 ? (guint)status.st_size : 0;
}

static guint count_recorded(const Study *study)
{
    guint count = 0;
    for (guint i = 0; i < study->manifest->points->len; i++)
        count += record_set_find(study->records, key_of(study, i)) != NULL;
    return count;
}

static PointStatus status_of(const Study *study, guint point)
{
    const Recorded *recorded = record_set_find(study->records, key_of(study, point));
    ck_assert_msg(recorded != NULL, "nothing is recorded of point %u", point);
    return recorded->status;
}

/* --- which points ----------------------------------------------------------------------------- */

START_TEST(every_point_is_run_and_recorded_once_also_when_others_fail)
{
    Study study = study_of("done, fail, crash, done");
    run(&study);
    ck_assert_uint_eq(study.report.simulated, 4);
    for (guint i = 0; i < 4; i++) ck_assert_uint_eq(times_run(&study, i), 1);
    ck_assert_int_eq(status_of(&study, 0), POINT_DONE);
    ck_assert_int_eq(status_of(&study, 1), POINT_FAILED);
    ck_assert_int_eq(status_of(&study, 2), POINT_KILLED);
    ck_assert_int_eq(status_of(&study, 3), POINT_DONE);
    ck_assert(!study.report.interrupted && !study.report.stopped);
    study_finish(&study);
}
END_TEST

START_TEST(no_more_processes_are_made_than_there_are_points)
{
    Study study = study_of("done, done, done");
    study.settings.pool.processes = 1000000; /* they would need three descriptors each */
    run(&study);
    ck_assert_uint_eq(study.report.processes, 3);
    run(&study);
    ck_assert_uint_eq(study.report.simulated, 0);
    study_finish(&study);
}
END_TEST

START_TEST(what_is_recorded_is_not_run_again)
{
    Study study = study_of("done, fail, crash");
    run(&study);
    run(&study);
    ck_assert_uint_eq(study.report.simulated, 0);
    ck_assert_pstr_eq(study.report.segment, NULL);
    for (guint i = 0; i < 3; i++) ck_assert_uint_eq(times_run(&study, i), 1);
    study_finish(&study);
}
END_TEST

START_TEST(what_failed_is_run_again_if_it_is_asked_for)
{
    Study study = study_of("done, fail, crash, crash twice");
    run(&study);
    study.settings.retry_failed = true;
    run(&study);
    ck_assert_uint_eq(study.report.simulated, 3);
    ck_assert_uint_eq(times_run(&study, 0), 1);
    ck_assert_uint_eq(times_run(&study, 1), 2);
    run(&study);
    ck_assert_int_eq(status_of(&study, 3), POINT_DONE);
    study_finish(&study);
}
END_TEST

START_TEST(a_shard_runs_its_own_points_only)
{
    Study study = study_of("done, done, done, done, done");
    study.settings.shard = (Shard){1, 2};
    run(&study);
    ck_assert_uint_eq(study.report.simulated, 2);
    for (guint i = 0; i < 5; i++) ck_assert_uint_eq(times_run(&study, i), i % 2);
    ck_assert(strstr(study.report.segment, "shard-1-of-2") != NULL);
    study_finish(&study);
}
END_TEST

/* The first point takes 100 ms at least: before the next one it looks at what others did. */
START_TEST(what_another_process_records_meanwhile_is_not_run)
{
    Study study = study_of("others, others, others, others, others, others, others, others, "
                           "others, others, others, others, others, others, others, others");
    run(&study);
    ck_assert_uint_eq(study.report.simulated, 1);
    ck_assert_uint_eq(count_recorded(&study), 16);
    study_finish(&study);
}
END_TEST

/* --- attempts --------------------------------------------------------------------------------- */

START_TEST(a_point_that_may_end_otherwise_is_tried_again_at_once)
{
    Study study = study_of("crash twice, crash, fail");
    study.settings.retries = 2;
    run(&study);
    ck_assert_int_eq(status_of(&study, 0), POINT_DONE);
    ck_assert_uint_eq(times_run(&study, 0), 3);
    ck_assert_int_eq(status_of(&study, 1), POINT_KILLED);
    ck_assert_uint_eq(times_run(&study, 1), 3);
    ck_assert_str_eq(record_set_find(study.records, key_of(&study, 1))->message,
                     "ended by signal 6 (Aborted), the last of 3 attempts");
    ck_assert_uint_eq(times_run(&study, 2), 1); /* every run of it ends so */
    ck_assert_uint_eq(study.report.simulated, 3);
    study_finish(&study);
}
END_TEST

START_TEST(the_first_failure_ends_a_run_that_is_to_fail_fast)
{
    Study study = study_of("fail, fail, fail, fail");
    study.settings.fail_fast = true;
    run(&study);
    ck_assert(study.report.stopped);
    ck_assert_uint_eq(study.report.simulated, 1);
    study_finish(&study);
}
END_TEST

START_TEST(failing_fast_does_not_wait_for_the_points_that_run)
{
    Study study = study_of("sleep, fail");
    study.settings.fail_fast = true;
    study.settings.pool.processes = 2;
    run(&study);
    ck_assert_ptr_null(record_set_find(study.records, key_of(&study, 0)));
    study_finish(&study);
}
END_TEST

START_TEST(an_interrupt_leaves_what_is_not_finished_unrecorded)
{
    Study study = study_of("interrupt, interrupt, interrupt");
    run(&study);
    ck_assert(study.report.interrupted);
    ck_assert_uint_eq(study.report.simulated, 0);
    ck_assert_uint_eq(count_recorded(&study), 0);
    study_finish(&study);
}
END_TEST

/* --- files ------------------------------------------------------------------------------------ */

START_TEST(results_are_kept_by_key_if_that_is_asked_for)
{
    Study study = study_of("done");
    study.settings.pool.keep_results = true;
    run(&study);
    g_autofree char *path =
        g_build_filename(study.folder, "results", key_of(&study, 0), "result.json", NULL);
    g_autofree char *text = NULL;
    ck_assert(g_file_get_contents(path, &text, NULL, NULL));
    ck_assert_str_eq(text, "{\"a\":1}\n");
    study_finish(&study);
}
END_TEST

static void expect_error(Study *study, const char *message)
{
    g_autoptr(GError) error = NULL;
    ck_assert(!study_run(&study->settings, study->records, &study->report, &error));
    ck_assert_msg(strstr(error->message, message), "%s", error->message);
}

START_TEST(a_folder_that_cannot_be_written_is_an_error_before_anything_is_run)
{
    Study study = study_of("done");
    g_free(temporary_file(study.folder, "segments", "a file"));
    expect_error(&study, "segments: cannot be made: ");
    ck_assert_uint_eq(times_run(&study, 0), 0);
    study_finish(&study);
}
END_TEST

/* Nobody can make a file in /proc. */
START_TEST(a_folder_for_segments_that_takes_no_file_is_an_error_before_anything_is_run)
{
    Study study = study_of("done");
    g_autofree char *path = g_build_filename(study.folder, "segments", NULL);
    ck_assert_int_eq(symlink("/proc", path), 0);
    expect_error(&study, "segments: records cannot be written there: ");
    ck_assert_uint_eq(times_run(&study, 0), 0);
    study_finish(&study);
}
END_TEST

START_TEST(a_folder_that_goes_while_its_points_run_is_an_error)
{
    Study study = study_of("remove, remove");
    expect_error(&study, ".segment: has gone while the study ran; its records are lost");
    ck_assert_uint_eq(study.report.simulated, 2);
    study_finish(&study);
}
END_TEST

/* As a disk that is full. */
START_TEST(a_record_that_cannot_be_written_ends_the_run_and_those_before_stay)
{
    Study study = study_of("done, done, done, done, done, done, done, done");
    const struct rlimit limit = {500, RLIM_INFINITY};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    expect_error(&study, "cannot be written: File too large");
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    const guint written = count_recorded(&study);
    ck_assert_uint_ge(written, 1);
    run(&study);
    ck_assert_uint_ge(study.report.simulated, 8 - written);
    ck_assert_uint_eq(count_recorded(&study), 8);
    ck_assert_uint_eq(record_set_totals(study.records, 0).torn, 1);
    study_finish(&study);
}
END_TEST

/* --- what is said ----------------------------------------------------------------------------- */

START_TEST(failures_with_one_message_are_one_group)
{
    Study study = study_of("fail, done, fail, crash");
    run(&study);
    g_auto(StudyStatus) status = study_status(study.manifest, study.records, (Shard){0, 1});
    ck_assert_uint_eq(status.points, 4);
    ck_assert_uint_eq(status.by_status[POINT_DONE], 1);
    ck_assert_uint_eq(status.by_status[POINT_FAILED], 2);
    ck_assert_uint_eq(status.failed, 3);
    ck_assert_uint_eq(status.missing, 0);
    ck_assert_uint_eq(status.failures->len, 2);
    const FailureGroup *first = status.failures->pdata[0], *second = status.failures->pdata[1];
    ck_assert_str_eq(first->message, "1 2 3");
    ck_assert_uint_eq(first->count, 2);
    ck_assert_uint_eq(first->point, 0);
    ck_assert_str_eq(second->message, "ended by signal 6 (Aborted)");
    ck_assert_uint_eq(second->point, 3);
    g_autofree char *text = study_describe_point(study.manifest, 3);
    ck_assert_str_eq(text, "point 3 (workload.what = crash)");
    study_finish(&study);
}
END_TEST

/* One of five is recorded before, two more within 2 s: 1 point/s. */
START_TEST(progress_counts_what_is_recorded_since_it_began)
{
    Study study = study_of("done, fail, done, done, done");
    study.settings.shard = (Shard){0, 5};
    run(&study);
    RunProgress *progress = run_progress_new(study.manifest, study.records, (Shard){0, 1});
    g_autofree char *begin = run_progress_describe(progress, 2);
    ck_assert_str_eq(begin, "1 of 5 points");
    study.settings.shard = (Shard){1, 5};
    run(&study);
    study.settings.shard = (Shard){2, 5};
    run(&study);
    g_autofree char *text = run_progress_describe(progress, 2);
    ck_assert_str_eq(text, "3 of 5 points, 1 failed, 1.0 points/s, 2.0 s left");
    run_progress_free(progress);
    study_finish(&study);
}
END_TEST

static const struct {
    double seconds;
    const char *text;
} times[] = {
    {0, "0.0 s"},       {9.94, "9.9 s"},     {10, "10 s"},        {59.4, "59 s"},
    {60, "1 min 0 s"},  {280, "4 min 40 s"}, {3600, "1 h 0 min"}, {86399, "23 h 59 min"},
    {86400, "1 d 0 h"}, {200000, "2 d 7 h"}, {-1, "0.0 s"},
};

START_TEST(times_are_as_people_say_them)
{
    g_autofree char *text = study_describe_time(times[_i].seconds);
    ck_assert_str_eq(text, times[_i].text);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("study_run");
    tcase_add_test(cases, every_point_is_run_and_recorded_once_also_when_others_fail);
    tcase_add_test(cases, no_more_processes_are_made_than_there_are_points);
    tcase_add_test(cases, what_is_recorded_is_not_run_again);
    tcase_add_test(cases, what_failed_is_run_again_if_it_is_asked_for);
    tcase_add_test(cases, a_shard_runs_its_own_points_only);
    tcase_add_test(cases, what_another_process_records_meanwhile_is_not_run);
    tcase_add_test(cases, a_point_that_may_end_otherwise_is_tried_again_at_once);
    tcase_add_test(cases, the_first_failure_ends_a_run_that_is_to_fail_fast);
    tcase_add_test(cases, failing_fast_does_not_wait_for_the_points_that_run);
    tcase_add_test(cases, an_interrupt_leaves_what_is_not_finished_unrecorded);
    tcase_add_test(cases, results_are_kept_by_key_if_that_is_asked_for);
    tcase_add_test(cases, a_folder_that_cannot_be_written_is_an_error_before_anything_is_run);
    tcase_add_test(cases,
                   a_folder_for_segments_that_takes_no_file_is_an_error_before_anything_is_run);
    tcase_add_test(cases, a_folder_that_goes_while_its_points_run_is_an_error);
    tcase_add_test(cases, a_record_that_cannot_be_written_ends_the_run_and_those_before_stay);
    tcase_add_test(cases, failures_with_one_message_are_one_group);
    tcase_add_test(cases, progress_counts_what_is_recorded_since_it_began);
    tcase_add_loop_test(cases, times_are_as_people_say_them, 0, G_N_ELEMENTS(times));
    return harness_run_cases("study_run", cases);
}
