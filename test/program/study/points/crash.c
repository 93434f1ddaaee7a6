/* A study that is killed at random moments, and resumed each time, has the same records, and is
 * exported as the same bytes, as one that is left alone. */
#include "program/study/process.h"
#include "rigs/harness.h"
#include "scenarios/program/study/records/segment.h"

enum { TOGETHER = 3 };

/* The study that is left alone, for all tests. */
static struct {
    char *folder;
    guint points, loads, kills;
} calm;

/* --- records ---------------------------------------------------------------------------------- */

typedef struct {
    GHashTable *lines; /* key -> "STATUS PAYLOAD" */
    guint records;
} Records;

static bool take_record(void *user, const Record *record, const SegmentPosition *position)
{
    Records *records = user;
    g_autofree char *line =
        g_strdup_printf("%s %s", point_status_name(record->status), record->payload);
    const char *before = g_hash_table_lookup(records->lines, record->key);
    ck_assert_msg(!before || !strcmp(before, line), "%s: another payload: %s and %s",
                  position->path, before, line);
    g_hash_table_insert(records->lines, g_strdup(record->key), g_steal_pointer(&line));
    records->records++;
    return true;
}

static Manifest *read_manifest(const char *study)
{
    g_autoptr(GError) error = NULL;
    Manifest *manifest = manifest_read(study, &error);
    ck_assert_msg(manifest != NULL, "%s", error ? error->message : "");
    return manifest;
}

static Records read_records(const char *folder)
{
    g_autoptr(GError) error = NULL;
    Records records = {.lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
    g_autofree char *study = g_build_filename(folder, "study", NULL);
    g_autoptr(Manifest) manifest = read_manifest(study);
    g_autoptr(GPtrArray) segments = segment_list(study, NULL, NULL);
    for (guint i = 0; i < segments->len; i++) {
        const bool good = segment_read(segments->pdata[i], manifest, take_record, &records, &error);
        ck_assert_msg(good, "%s", error ? error->message : "");
    }
    return records;
}

/* Every point is there, and what is recorded of it is the same, however often it was run. */
static guint compare_with_calm(const char *folder)
{
    const Records expected = read_records(calm.folder), found = read_records(folder);
    GHashTableIter iterator;
    gpointer key, line;
    ck_assert_uint_eq(expected.records, calm.points);
    ck_assert_uint_eq(g_hash_table_size(found.lines), calm.points);
    g_hash_table_iter_init(&iterator, expected.lines);
    while (g_hash_table_iter_next(&iterator, &key, &line))
        ck_assert_pstr_eq(g_hash_table_lookup(found.lines, key), line);
    g_hash_table_unref(expected.lines);
    g_hash_table_unref(found.lines);
    return found.records;
}

static const char *const exports[] = {"csv", "json"};

static void compare_exports(const char *folder)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(exports); i++) {
        g_autofree char *line = g_strdup_printf("study export study --format %s", exports[i]);
        const Outcome expected = warpmem(calm.folder, line);
        const Outcome found = warpmem(folder, line);
        ck_assert_msg(!expected.status && !found.status, "%s%s", expected.errors, found.errors);
        ck_assert_uint_gt(strlen(expected.out), 100 * calm.points);
        ck_assert_msg(!strcmp(expected.out, found.out), "the %s exports differ", exports[i]);
    }
}

/* --- moments ---------------------------------------------------------------------------------- */

static bool count_record(void *user, const Record *record, const SegmentPosition *position)
{
    (void)record, (void)position;
    ++*(guint *)user;
    return true;
}

/* When to kill: after a number of further records, of which all kills together leave enough, and
 * some milliseconds. */
typedef struct {
    char *study;
    GRand *random;
    Manifest *manifest;
    GPtrArray *segments; /* read so far */
    guint records;
} Moments;

static Moments moments_of(const char *folder, guint32 seed)
{
    Moments moments = {.study = g_build_filename(folder, "study", NULL),
                       .random = g_rand_new_with_seed(seed)};
    moments.manifest = read_manifest(moments.study);
    return moments;
}

static void moments_finish(Moments *moments)
{
    g_free(moments->study);
    g_rand_free(moments->random);
    manifest_free(moments->manifest);
    g_clear_pointer(&moments->segments, g_ptr_array_unref);
}

static void wait_for_moment(Moments *moments)
{
    const gint32 most = (gint32)(calm.points * 3 / 4 / calm.kills);
    const guint wanted = moments->records + (guint)g_rand_int_range(moments->random, 0, most + 1);
    while (moments->records < wanted) {
        g_usleep(2000);
        moments->segments = segment_list(moments->study, moments->segments, NULL);
        for (guint i = 0; i < moments->segments->len; i++)
            ck_assert(segment_read(moments->segments->pdata[i], moments->manifest, count_record,
                                   &moments->records, NULL));
    }
    g_usleep((gulong)g_rand_int_range(moments->random, 0, 20000));
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Ten numbers of loads, each with so many seeds; so many loads that all kills come in time. */
static char *new_study(void)
{
    char *folder = temporary_folder();
    g_autofree char *study =
        g_strdup_printf("workload.loads = %u .. %u step 1\nreplications = %u\n", calm.loads,
                        calm.loads + 9, calm.points / 10);
    study_process_plan(folder, study);
    return folder;
}

START_TEST(a_study_that_is_killed_twenty_times_and_resumed_exports_the_same_bytes)
{
    char *folder = new_study();
    Moments moments = moments_of(folder, 1);
    unsigned killed = 0;
    for (unsigned i = 0; i < calm.kills; i++) {
        const pid_t pid = study_process_start(folder, "-j 2");
        wait_for_moment(&moments);
        killed += study_process_kill(pid);
    }
    ck_assert_uint_ge(killed, calm.kills / 2);
    study_process_finish(study_process_start(folder, "-j 2"));
    ck_assert_uint_lt(compare_with_calm(folder), calm.points + 2 * calm.kills);
    compare_exports(folder);
    moments_finish(&moments);
    temporary_remove(folder);
}
END_TEST

START_TEST(three_processes_on_one_shard_that_are_killed_at_random_export_the_same_bytes)
{
    char *folder = new_study();
    pid_t pids[TOGETHER];
    Moments moments = moments_of(folder, 2);
    unsigned killed = 0;
    for (unsigned i = 0; i < TOGETHER; i++) pids[i] = study_process_start(folder, "-j 1");
    for (unsigned i = 0; i < calm.kills; i++) {
        const gint victim = g_rand_int_range(moments.random, 0, TOGETHER);
        wait_for_moment(&moments);
        killed += study_process_kill(pids[victim]);
        pids[victim] = study_process_start(folder, "-j 1");
    }
    ck_assert_uint_ge(killed, calm.kills / 2);
    for (unsigned i = 0; i < TOGETHER; i++) study_process_finish(pids[i]);
    const guint records = compare_with_calm(folder);
    ck_assert_msg(records < 2 * calm.points,
                  "%u points were run %u times: the processes do not share the work", calm.points,
                  records);
    compare_exports(folder);
    moments_finish(&moments);
    temporary_remove(folder);
}
END_TEST

static void set_up(void)
{
    const bool sanitizers = g_getenv("WARPMEM_SIMGRID_CONTEXTS") != NULL; /* some 20 times slower */
    calm.points = sanitizers ? 100 : 400;
    calm.loads = sanitizers ? 100 : 3000;
    calm.kills = sanitizers ? 5 : 20;
    calm.folder = new_study();
    study_process_finish(study_process_start(calm.folder, "-j 2"));
}

static void tear_down(void)
{
    temporary_remove(calm.folder);
}

int main(void)
{
    TCase *cases = tcase_create("study_crash");
    tcase_set_timeout(cases, 300);
    tcase_add_unchecked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, a_study_that_is_killed_twenty_times_and_resumed_exports_the_same_bytes);
    tcase_add_test(cases,
                   three_processes_on_one_shard_that_are_killed_at_random_export_the_same_bytes);
    return harness_run_cases("study_crash", cases);
}
