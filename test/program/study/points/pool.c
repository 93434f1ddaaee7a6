/* Points that end in every way, without a simulation. What a point does is its value. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program/study/run_rig.h"
#include "program/study/signs.h"
#include "rigs/harness.h"
#include "scenarios/program/study/points/pool.h"
#include "scenarios/program/study/points/run.h"
#include "scenarios/program/study/points/worker.h"

enum { MEBIBYTE = 1 << 20 };

static Status fill_memory(PointAnswer *answer)
{
    char *memory = g_malloc(256 * MEBIBYTE);
    for (size_t i = 0; i < 256 * MEBIBYTE; i += 1024) memory[i] = (char)i;
    g_usleep(20 * G_USEC_PER_SEC);
    answer->payload = g_strdup_printf("%d", memory[1024]);
    g_free(memory);
    return STATUS_DONE;
}

static Status complain(void)
{
    fprintf(stderr, "==%d==ERROR: out of bounds at %p\n==========\nsecond line\nthird line\n",
            (int)getpid(), (void *)&errno);
    abort();
}

/* A sanitizer's handler would write a report and exit. */
static Status crash(void)
{
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
    return STATUS_FAILED;
}

/* Says how many points its process has had. */
static Status stay(const char *what, PointAnswer *answer)
{
    static unsigned points;
    points++;
    answer->goes_on = true;
    answer->payload = g_strdup_printf("%s as point %u", what, points);
    if (points == 1 || !strcmp(what, "stay")) return STATUS_DONE;
    if (!strcmp(what, "stumble")) return crash();
    answer->refused = true;
    return STATUS_FAILED;
}

static Status act(const PointRequest *request, PointAnswer *answer)
{
    const char *what = request->point->values[0];
    if (g_strv_contains((const char *const[]){"stay", "stumble", "refuse", NULL}, what))
        return stay(what, answer);
    if (!strcmp(what, "sleep")) g_usleep(20 * G_USEC_PER_SEC);
    if (!strcmp(what, "hold")) hold();
    if (!strcmp(what, "meet")) meet();
    if (!strcmp(what, "grow")) return fill_memory(answer);
    if (!strcmp(what, "complain")) return complain();
    if (!strcmp(what, "crash")) return crash();
    if (!strcmp(what, "vanish")) kill(getpid(), SIGKILL);
    if (!strcmp(what, "exit")) _exit(3);
    if (!strcmp(what, "quit")) _exit(0);
    if (!strcmp(what, "print")) printf("this is not for the parent's output\n");
    answer->payload = g_strdup_printf("what was said: %s", what);
    if (request->keep_result) answer->result = g_strdup("a result");
    if (request->keep_result) answer->host = g_strdup("a host");
    if (!strcmp(what, "fail")) return STATUS_FAILED;
    return !strcmp(what, "reject") ? STATUS_BAD_INPUT : STATUS_DONE;
}

static Manifest *manifest_with(const char *dimension, const char *const *values, guint count)
{
    Manifest *manifest = run_rig_manifest();
    run_rig_dimension(manifest, dimension, "");
    for (guint i = 0; i < count; i++) run_rig_add(manifest, values[i]);
    return manifest;
}

static Manifest *manifest_of(const char *const *values, guint count)
{
    return manifest_with("workload.what", values, count);
}

static PoolSettings settings_of(const Manifest *manifest)
{
    return (PoolSettings){.manifest = manifest,
                          .simulate = act,
                          .processes = 2,
                          .limits = {.time_s = 1.5, .memory_bytes = 192 * MEBIBYTE},
                          .keep_results = true};
}

static WorkerEnd run_one(const char *what)
{
    g_autoptr(Manifest) manifest = manifest_of(&what, 1);
    PoolSettings settings = settings_of(manifest);
    if (strcmp(what, "sleep")) settings.limits.time_s = 60; /* a busy machine fills memory slowly */
    g_autoptr(Pool) pool = pool_new(&settings, NULL);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    ck_assert(pool_start(pool, 0, NULL));
    pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
    ck_assert_uint_eq(ends->len, 1);
    ck_assert_uint_eq(pool_running(pool), 0);
    return g_array_index(ends, PoolEnd, 0).end;
}

static const struct {
    const char *what;
    PointStatus status;
    const char *payload;
} rows[] = {
    {"do", POINT_DONE, "what was said: do"},
    {"print", POINT_DONE, "what was said: print"},
    {"fail", POINT_FAILED, "what was said: fail"},
    {"reject", POINT_REJECTED, "what was said: reject"},
    {"sleep", POINT_TIMEOUT, "over the time limit of 1.5 s"},
    {"grow", POINT_MEMORY, "over the memory limit of 192 MiB"},
    {"crash", POINT_KILLED, "ended by signal 11 (Segmentation fault)"},
    {"vanish", POINT_KILLED, "ended by signal 9 (Killed): perhaps the machine had no memory left"},
    {"complain", POINT_KILLED,
     "ended by signal 6 (Aborted): ERROR: out of bounds at 0x...; second line"},
    {"exit", POINT_KILLED, "ended with status 3 and no answer"},
    {"quit", POINT_KILLED, "ended with status 0 and no answer"},
};

START_TEST(a_point_ends_with_its_status_and_its_answer_or_the_reason)
{
    const gint64 began = g_get_monotonic_time();
    WorkerEnd end = run_one(rows[_i].what);
    const double seconds = (double)(g_get_monotonic_time() - began) * 1e-6;
    ck_assert_str_eq(end.payload, rows[_i].payload);
    ck_assert_int_eq(end.status, rows[_i].status);
    ck_assert_double_gt(end.cost.wall_s, 0);
    ck_assert_double_le(end.cost.wall_s, seconds);
    ck_assert_uint_gt(end.cost.peak_rss_bytes, 0);
    worker_end_clear(&end);
}
END_TEST

START_TEST(many_processes_need_no_higher_limit_of_open_files)
{
    static const char *const what = "do";
    const struct rlimit few = {64, 1024};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    g_autoptr(Manifest) manifest = manifest_of(&what, 1);
    PoolSettings settings = settings_of(manifest);
    settings.processes = 100;
    g_autoptr(GError) error = NULL;
    g_autoptr(Pool) pool = pool_new(&settings, &error);
    ck_assert_msg(pool != NULL, "%s", error ? error->message : "");
}
END_TEST

/* Of three seconds, in a process group that is stopped for longer. */
static void run_in_group(void)
{
    static const char *const what = "hold";
    g_autoptr(Manifest) manifest = manifest_of(&what, 1);
    PoolSettings settings = settings_of(manifest);
    settings.limits = (PointLimits){.time_s = 3};
    setpgid(0, 0);
    Pool *pool = pool_new(&settings, NULL);
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    if (!pool_start(pool, 0, NULL)) _exit(99);
    while (!ends->len) pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
    const WorkerEnd *end = &g_array_index(ends, PoolEnd, 0).end;
    _exit(end->cost.wall_s < 3 ? (int)end->status : 98);
}

START_TEST(time_in_which_all_processes_were_stopped_is_not_a_points_time)
{
    int state;
    signs_new();
    const pid_t parent = fork();
    if (!parent) run_in_group();
    wait_until_it_holds();
    wait_until_it_sleeps(parent);
    ck_assert_int_eq(kill(-parent, SIGSTOP), 0);
    g_usleep(4 * G_USEC_PER_SEC);
    ck_assert_int_eq(kill(-parent, SIGCONT), 0);
    let_go();
    ck_assert_int_eq(waitpid(parent, &state, 0), parent);
    ck_assert_msg(WIFEXITED(state) && WEXITSTATUS(state) == POINT_DONE, "ended with %x",
                  (unsigned)state);
}
END_TEST

START_TEST(an_answer_brings_its_result_when_it_is_to_be_kept)
{
    WorkerEnd end = run_one("do");
    ck_assert_str_eq(end.result, "a result");
    ck_assert_str_eq(end.host, "a host");
    worker_end_clear(&end);
}
END_TEST

/* Two processes, six points that end in twos. The descriptors of one answer serve the next. */
START_TEST(as_many_points_run_at_a_time_as_there_are_processes)
{
    static const char *const what[] = {"meet", "meet", "meet", "meet", "meet", "meet"};
    g_autoptr(Manifest) manifest = manifest_of(what, 6);
    PoolSettings settings = settings_of(manifest);
    settings.limits = (PointLimits){0};
    signs_new();
    g_autoptr(Pool) pool = pool_new(&settings, NULL);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    for (guint next = 0; ends->len < 6;) {
        while (next < 6 && !pool_is_full(pool)) ck_assert(pool_start(pool, next++, NULL));
        ck_assert_uint_le(pool_running(pool), 2);
        pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
    }
    ck_assert_uint_eq(*signs.most, 2);
    for (guint i = 0; i < 6; i++) {
        WorkerEnd *end = &g_array_index(ends, PoolEnd, i).end;
        ck_assert_str_eq(end->payload, "what was said: meet");
        worker_end_clear(end);
    }
}
END_TEST

/* All in one slot, one after the other. */
static void assert_said(const Manifest *manifest, const char *const *said)
{
    const guint count = manifest->points->len;
    PoolSettings settings = settings_of(manifest);
    settings.processes = 1;
    g_autoptr(Pool) pool = pool_new(&settings, NULL);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    for (guint i = 0; i < count; i++) {
        ck_assert(pool_start(pool, i, NULL));
        while (ends->len <= i) pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
        WorkerEnd *end = &g_array_index(ends, PoolEnd, i).end;
        ck_assert_str_eq(end->payload, said[i]);
        ck_assert_double_ge(end->cost.cpu_s, 0);
        ck_assert_uint_gt(end->cost.peak_rss_bytes, 0);
        worker_end_clear(end);
    }
}

/* The same files are for answers and diagnostics of all. */
START_TEST(a_point_that_says_nothing_is_not_taken_for_the_one_before)
{
    static const char *const what[] = {"do", "quit", "complain", "exit", "stay", "quit"};
    static const char *const said[] = {
        "what was said: do",
        "ended with status 0 and no answer",
        "ended by signal 6 (Aborted): ERROR: out of bounds at 0x...; second line",
        "ended with status 3 and no answer",
        "stay as point 1",
        "ended with status 0 and no answer"};
    g_autoptr(Manifest) manifest = manifest_of(what, G_N_ELEMENTS(what));
    assert_said(manifest, said);
}
END_TEST

START_TEST(points_that_let_another_one_follow_share_a_process)
{
    static const char *const what[] = {"stay", "stay", "do", "stay"};
    static const char *const said[] = {"stay as point 1", "stay as point 2", "what was said: do",
                                       "stay as point 1"};
    g_autoptr(Manifest) manifest = manifest_of(what, G_N_ELEMENTS(what));
    assert_said(manifest, said);
}
END_TEST

START_TEST(a_point_that_breaks_off_behind_another_is_run_in_a_process_of_its_own)
{
    static const char *const what[] = {"stay", "stumble", "stay", "stay", "crash"};
    static const char *const said[] = {"stay as point 1", "stumble as point 1", "stay as point 2",
                                       "stay as point 3",
                                       "ended by signal 11 (Segmentation fault)"};
    g_autoptr(Manifest) manifest = manifest_of(what, G_N_ELEMENTS(what));
    assert_said(manifest, said);
}
END_TEST

START_TEST(a_point_that_refuses_the_process_of_another_gets_one_of_its_own)
{
    static const char *const what[] = {"stay", "refuse", "stay"};
    static const char *const said[] = {"stay as point 1", "refuse as point 1", "stay as point 2"};
    g_autoptr(Manifest) manifest = manifest_of(what, G_N_ELEMENTS(what));
    assert_said(manifest, said);
}
END_TEST

START_TEST(points_of_another_platform_get_another_process)
{
    static const char *const what[] = {"stay", "stay", "stumble", "stay"};
    static const char *const said[] = {"stay as point 1", "stay as point 2", "stumble as point 1",
                                       "stay as point 1"};
    g_autoptr(Manifest) manifest = manifest_with("network.what", what, G_N_ELEMENTS(what));
    assert_said(manifest, said);
}
END_TEST

START_TEST(waiting_ends_at_the_given_time)
{
    static const char *const what = "sleep";
    g_autoptr(Manifest) manifest = manifest_of(&what, 1);
    PoolSettings settings = settings_of(manifest);
    settings.limits = (PointLimits){0};
    g_autoptr(Pool) pool = pool_new(&settings, NULL);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    ck_assert(pool_start(pool, 0, NULL));
    const gint64 began = g_get_monotonic_time();
    pool_wait(pool, began + 200 * 1000, interrupts_mask(), ends);
    ck_assert_uint_eq(ends->len, 0);
    ck_assert_int_ge(g_get_monotonic_time() - began, 200 * 1000);
}
END_TEST

/* In a process that is killed while its point sleeps. */
static void run_for_ever(int ready)
{
    static const char *const what = "sleep";
    g_autoptr(Manifest) manifest = manifest_of(&what, 1);
    PoolSettings settings = settings_of(manifest);
    settings.limits = (PointLimits){0};
    Pool *pool = pool_new(&settings, NULL);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    if (!pool_start(pool, 0, NULL) || write(ready, "x", 1) != 1) _exit(1);
    pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
    _exit(1);
}

START_TEST(a_point_does_not_outlive_a_parent_that_is_killed)
{
    int ends[2], state;
    char byte;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t parent = fork();
    if (!parent) run_for_ever(ends[1]);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    g_usleep(200 * 1000); /* until the point sleeps */
    kill(parent, SIGKILL);
    ck_assert_int_eq(waitpid(parent, &state, 0), parent);
    ck_assert_int_gt(wait(&state), 0); /* the point's process, which has come to us */
    ck_assert(WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL);
}
END_TEST

START_TEST(signals_for_the_parent_leave_points_alone)
{
    static const char *const what = "hold";
    g_autoptr(Manifest) manifest = manifest_of(&what, 1);
    PoolSettings settings = settings_of(manifest);
    settings.limits = (PointLimits){0};
    signs_new();
    g_autoptr(Pool) pool = pool_new(&settings, NULL);
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(PoolEnd));
    setpgid(0, 0);
    interrupts_watch();
    ck_assert(pool_start(pool, 0, NULL));
    wait_until_it_holds();
    kill(0, SIGINT); /* as a terminal does, to all of the group */
    pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
    ck_assert(interrupts_came());
    ck_assert_uint_eq(ends->len, 0);
    let_go();
    pool_wait(pool, G_MAXINT64, interrupts_mask(), ends);
    ck_assert_uint_eq(ends->len, 1);
    WorkerEnd *end = &g_array_index(ends, PoolEnd, 0).end;
    ck_assert_int_eq(end->status, POINT_DONE);
    worker_end_clear(end);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("pool");
    tcase_add_loop_test(cases, a_point_ends_with_its_status_and_its_answer_or_the_reason, 0,
                        G_N_ELEMENTS(rows));
    tcase_add_test(cases, many_processes_need_no_higher_limit_of_open_files);
    tcase_set_timeout(cases, 20);
    tcase_add_test(cases, time_in_which_all_processes_were_stopped_is_not_a_points_time);
    tcase_add_test(cases, an_answer_brings_its_result_when_it_is_to_be_kept);
    tcase_add_test(cases, as_many_points_run_at_a_time_as_there_are_processes);
    tcase_add_test(cases, a_point_that_says_nothing_is_not_taken_for_the_one_before);
    tcase_add_test(cases, points_that_let_another_one_follow_share_a_process);
    tcase_add_test(cases, a_point_that_breaks_off_behind_another_is_run_in_a_process_of_its_own);
    tcase_add_test(cases, a_point_that_refuses_the_process_of_another_gets_one_of_its_own);
    tcase_add_test(cases, points_of_another_platform_get_another_process);
    tcase_add_test(cases, waiting_ends_at_the_given_time);
    tcase_add_test(cases, a_point_does_not_outlive_a_parent_that_is_killed);
    tcase_add_test(cases, signals_for_the_parent_leave_points_alone);
    return harness_run_cases("pool", cases);
}
