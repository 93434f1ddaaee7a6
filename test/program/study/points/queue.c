#include "scenarios/program/study/points/queue.h"
#include "program/study/run_rig.h"
#include "rigs/harness.h"

static const Shard all = {0, 1};

static Manifest *manifest_of(guint points)
{
    Manifest *manifest = run_rig_manifest();
    for (guint i = 0; i < points; i++) run_rig_add(manifest, "");
    return manifest;
}

/* --- shards ----------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    guint index, count;
    const char *message; /* NULL: there is none */
} shards[] = {
    {"0/1", 0, 1, NULL},
    {"0/4", 0, 4, NULL},
    {"3/4", 3, 4, NULL},
    {"4/4", 0, 0, "--shard 4/4: there is no such shard; the shards are 0/4 to 3/4"},
    {"7/1", 0, 0, "the shards are 0/1 to 0/1"},
    {"0/0", 0, 0, "--shard 0/0: not k/T"},
    {"-1/4", 0, 0, "--shard -1/4: not k/T"},
    {"1", 0, 0, "--shard 1: not k/T, the number of a shard and how many there are, as in 0/4"},
    {"1/", 0, 0, "not k/T"},
    {"/4", 0, 0, "not k/T"},
    {"1/4x", 0, 0, "not k/T"},
    {"1/4/2", 0, 0, "not k/T"},
    {"0/9999999999", 0, 0, "not k/T"},
};

START_TEST(a_shard_is_a_number_below_the_count_of_shards)
{
    g_autoptr(GError) error = NULL;
    Shard shard = {0};
    const bool good = shard_parse(shards[_i].text, &shard, &error);
    ck_assert_int_eq(good, !shards[_i].message);
    if (!good) ck_assert_msg(strstr(error->message, shards[_i].message), "%s", error->message);
    if (good) ck_assert_uint_eq(shard.index, shards[_i].index);
    if (good) ck_assert_uint_eq(shard.count, shards[_i].count);
}
END_TEST

/* 10 points in 3 shards: 0 3 6 9, 1 4 7, 2 5 8. */
START_TEST(every_point_is_of_exactly_one_shard)
{
    g_autoptr(Manifest) manifest = manifest_of(10);
    unsigned seen[10] = {0};
    for (guint k = 0; k < 3; k++) {
        const Shard shard = {k, 3};
        g_autoptr(PointQueue) queue = point_queue_new(manifest, shard, 1);
        ck_assert_uint_eq(point_queue_size(queue), k ? 3 : 4);
        for (guint point; point_queue_take(queue, &point); seen[point]++)
            ck_assert_uint_eq(point % 3, k);
    }
    for (guint i = 0; i < 10; i++) ck_assert_uint_eq(seen[i], 1);
}
END_TEST

START_TEST(a_shard_without_points_is_empty)
{
    g_autoptr(Manifest) manifest = manifest_of(3);
    const Shard last = {4, 5};
    g_autoptr(PointQueue) queue = point_queue_new(manifest, last, 1);
    guint point;
    ck_assert(!point_queue_take(queue, &point));
}
END_TEST

/* --- order ------------------------------------------------------------------------------------ */

START_TEST(processes_begin_at_different_places_and_go_on_from_there)
{
    g_autoptr(Manifest) manifest = manifest_of(1000);
    g_autoptr(GHashTable) starts = g_hash_table_new(NULL, NULL);
    for (guint32 seed = 0; seed < 20; seed++) {
        g_autoptr(PointQueue) queue = point_queue_new(manifest, all, seed);
        guint first, next;
        ck_assert(point_queue_take(queue, &first));
        ck_assert(point_queue_take(queue, &next));
        ck_assert_uint_eq(next, (first + 1) % 1000);
        g_hash_table_add(starts, GUINT_TO_POINTER(first));
    }
    ck_assert_uint_gt(g_hash_table_size(starts), 15);
}
END_TEST

/* From wherever the queue begins: each of the three is left and come to once. */
START_TEST(points_of_one_platform_follow_each_other)
{
    g_autoptr(Manifest) manifest = run_rig_manifest();
    run_rig_dimension(manifest, "network.flit_bytes", "");
    for (guint i = 0; i < 30; i++) run_rig_add(manifest, (const char *[]){"8", "16", "32"}[i % 3]);
    for (guint32 seed = 0; seed < 10; seed++) {
        g_autoptr(PointQueue) queue = point_queue_new(manifest, all, seed);
        guint last, point, changes = 0;
        ck_assert(point_queue_take(queue, &last));
        for (; point_queue_take(queue, &point); last = point) changes += point % 3 != last % 3;
        ck_assert_uint_le(changes, 3);
    }
}
END_TEST

static void record(RecordSet *records, const Manifest *manifest, guint point, PointStatus status)
{
    Record record = {.status = status, .payload = (char *)"x"};
    const Point *recorded = manifest->points->pdata[point];
    g_strlcpy(record.key, recorded->key, sizeof record.key);
    record_set_add(records, &record);
}

/* Another process is one point ahead; who followed it would run each of its points again. */
START_TEST(who_meets_the_points_of_another_process_goes_on_elsewhere)
{
    g_autoptr(Manifest) manifest = manifest_of(1000);
    g_autoptr(PointQueue) queue = point_queue_new(manifest, all, 1);
    g_autoptr(RecordSet) records = record_set_new(".", manifest);
    guint first, next;
    ck_assert(point_queue_take(queue, &first));
    record(records, manifest, (first + 1) % 1000, POINT_DONE);
    point_queue_drop(queue, records, false);
    ck_assert(point_queue_take(queue, &next));
    ck_assert_uint_ne(next, (first + 2) % 1000);
}
END_TEST

/* --- which ------------------------------------------------------------------------------------ */

START_TEST(points_with_one_key_are_run_once)
{
    g_autoptr(Manifest) manifest = manifest_of(4);
    const Point *first = manifest->points->pdata[0];
    Point *last = manifest->points->pdata[3];
    g_strlcpy(last->key, first->key, sizeof last->key);
    g_autoptr(PointQueue) queue = point_queue_new(manifest, all, 1);
    ck_assert_uint_eq(point_queue_size(queue), 3);
}
END_TEST

START_TEST(what_is_recorded_is_not_run_and_what_failed_only_if_it_is_asked_for)
{
    g_autoptr(Manifest) manifest = manifest_of(4);
    g_autoptr(RecordSet) records = record_set_new(".", manifest);
    record(records, manifest, 0, POINT_DONE);
    record(records, manifest, 1, POINT_FAILED);
    record(records, manifest, 2, POINT_TIMEOUT);
    g_autoptr(PointQueue) missing = point_queue_new(manifest, all, 1);
    point_queue_drop(missing, records, false);
    guint point;
    ck_assert_uint_eq(point_queue_size(missing), 1);
    ck_assert(point_queue_take(missing, &point));
    ck_assert_uint_eq(point, 3);
    ck_assert(!point_queue_take(missing, &point));
    g_autoptr(PointQueue) failed = point_queue_new(manifest, all, 1);
    point_queue_drop(failed, records, true);
    ck_assert_uint_eq(point_queue_size(failed), 3);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("point_queue");
    tcase_add_loop_test(cases, a_shard_is_a_number_below_the_count_of_shards, 0,
                        G_N_ELEMENTS(shards));
    tcase_add_test(cases, every_point_is_of_exactly_one_shard);
    tcase_add_test(cases, a_shard_without_points_is_empty);
    tcase_add_test(cases, processes_begin_at_different_places_and_go_on_from_there);
    tcase_add_test(cases, points_of_one_platform_follow_each_other);
    tcase_add_test(cases, who_meets_the_points_of_another_process_goes_on_elsewhere);
    tcase_add_test(cases, points_with_one_key_are_run_once);
    tcase_add_test(cases, what_is_recorded_is_not_run_and_what_failed_only_if_it_is_asked_for);
    return harness_run_cases("point_queue", cases);
}
