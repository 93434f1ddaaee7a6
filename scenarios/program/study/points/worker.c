/* The process writes its answer into a file in memory and its diagnostics into another; both are
 * made once and used for one process after the other. Of a pipe it has the only writing end, so
 * that the parent sees a process end however it ends. */
#include "scenarios/program/study/points/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts/sparse.h"

struct Worker {
    pid_t process; /* 0: none */
    int answer, errors, alive;
    gint64 began;
    PointStatus verdict; /* with `message`: why it was killed */
    char *message;
};

enum { PARTS = 3 }; /* payload, result, host */

/* In front of the parts' texts. The magic number is written last. */
typedef struct {
    uint64_t magic;
    uint32_t status;
    uint64_t lengths[PARTS]; /* 0: there is none; else with the final NUL */
} AnswerHead;

static const uint64_t MAGIC = UINT64_C(0x776172706d656d31);

void worker_end_clear(WorkerEnd *end)
{
    g_clear_pointer(&end->payload, g_free);
    g_clear_pointer(&end->result, g_free);
    g_clear_pointer(&end->host, g_free);
    g_clear_pointer(&end->cost.name, g_free);
}

static bool reject(const char *what, GError **error)
{
    g_set_error(error, STUDY_ERROR, 0, "cannot start a process: %s: %s", what, g_strerror(errno));
    return false;
}

Worker *worker_new(GError **error)
{
    Worker *worker = g_new0(Worker, 1);
    *worker = (Worker){.alive = -1};
    worker->answer = memfd_create("answer", MFD_CLOEXEC);
    worker->errors = memfd_create("errors", MFD_CLOEXEC);
    if (worker->answer >= 0 && worker->errors >= 0) return worker;
    reject("a file in memory", error);
    worker_free(worker);
    return NULL;
}

void worker_free(Worker *worker)
{
    if (!worker) return;
    if (worker->process) {
        worker_kill(worker, POINT_KILLED, "");
        WorkerEnd end = worker_finish(worker);
        worker_end_clear(&end);
    }
    if (worker->answer >= 0) close(worker->answer);
    if (worker->errors >= 0) close(worker->errors);
    g_free(worker->message);
    g_free(worker);
}

/* --- in the process --------------------------------------------------------------------------- */

static bool write_all(int file, const void *data, size_t length)
{
    for (const char *at = data; length;) {
        const ssize_t written = write(file, at, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        at += written;
        length -= (size_t)written;
    }
    return true;
}

static bool write_answer(int file, Status status, const PointAnswer *answer)
{
    const char *const parts[PARTS] = {answer->payload, answer->result, answer->host};
    AnswerHead head = {.status = (uint32_t)status};
    bool good = lseek(file, sizeof head, SEEK_SET) >= 0;
    for (unsigned i = 0; i < PARTS; i++) {
        head.lengths[i] = parts[i] ? strlen(parts[i]) + 1 : 0;
        good = good && write_all(file, parts[i], head.lengths[i]);
    }
    head.magic = MAGIC;
    return good && pwrite(file, &head, sizeof head, 0) == sizeof head;
}

/* No process outlives its parent, or leaves a core for each of a thousand points. Signals for the
 * parent stay blocked, as they were when it forked (run.h). */
static void prepare_process(const Worker *worker, pid_t parent)
{
    const struct rlimit none = {0, 0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    setrlimit(RLIMIT_CORE, &none);
    sparse_prefer_large_pages();
    dup2(worker->errors, STDOUT_FILENO);
    dup2(worker->errors, STDERR_FILENO);
}

static int run_point(const Worker *worker, PointFunction simulate, const PointRequest *request)
{
    PointAnswer answer = {.payload = NULL};
    const Status status = simulate(request, &answer);
    fflush(NULL);
    return write_answer(worker->answer, status, &answer) ? 0 : 1;
}

/* --- in the parent ---------------------------------------------------------------------------- */

static bool empty_file(int file)
{
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
}

bool worker_start(Worker *worker, PointFunction simulate, const PointRequest *request,
                  GError **error)
{
    int ends[2];
    const pid_t parent = getpid();
    if (!empty_file(worker->answer) || !empty_file(worker->errors))
        return reject("a file in memory", error);
    if (pipe2(ends, O_CLOEXEC)) return reject("a pipe", error);
    fflush(NULL);
    worker->began = g_get_monotonic_time();
    const pid_t process = fork();
    if (!process) {
        prepare_process(worker, parent);
        _exit(run_point(worker, simulate, request)); /* the parent's exit handlers are not its */
    }
    const int code = errno;
    close(ends[1]);
    if (process < 0) close(ends[0]);
    errno = code;
    if (process < 0) return reject("fork", error);
    worker->process = process;
    worker->alive = ends[0];
    return true;
}

bool worker_runs(const Worker *worker)
{
    return worker->process != 0;
}

int worker_descriptor(const Worker *worker)
{
    return worker->alive;
}

gint64 worker_began(const Worker *worker)
{
    return worker->began;
}

void worker_forgive(Worker *worker, gint64 time)
{
    worker->began += time;
}

guint64 worker_memory(const Worker *worker)
{
    unsigned long long size = 0, resident = 0;
    g_autofree char *path = g_strdup_printf("/proc/%d/statm", (int)worker->process);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    const bool good = fscanf(file, "%llu %llu", &size, &resident) == 2;
    fclose(file);
    return good ? resident * (guint64)sysconf(_SC_PAGESIZE) : 0;
}

void worker_kill(Worker *worker, PointStatus status, const char *message)
{
    if (!worker->process || worker->message) return;
    worker->verdict = status;
    worker->message = g_strdup(message);
    kill(worker->process, SIGKILL);
}

bool worker_is_killed(const Worker *worker)
{
    return worker->message != NULL;
}

/* --- its end ---------------------------------------------------------------------------------- */

/* The file's content from `offset`, at most `limit` bytes, NUL-terminated. */
static char *read_file(int file, size_t offset, size_t limit)
{
    char *text = g_malloc0(limit + 1);
    size_t length = 0;
    while (length < limit) {
        const ssize_t got = pread(file, text + length, limit - length, (off_t)(offset + length));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        length += (size_t)got;
    }
    return text;
}

static bool read_answer(const Worker *worker, WorkerEnd *end)
{
    char **const parts[PARTS] = {&end->payload, &end->result, &end->host};
    AnswerHead head = {0};
    size_t offset = sizeof head;
    if (pread(worker->answer, &head, sizeof head, 0) != sizeof head || head.magic != MAGIC)
        return false;
    for (unsigned i = 0; i < PARTS; i++) {
        *parts[i] = head.lengths[i] ? read_file(worker->answer, offset, head.lengths[i]) : NULL;
        offset += head.lengths[i];
    }
    end->status = head.status == STATUS_DONE     ? POINT_DONE
                  : head.status == STATUS_FAILED ? POINT_FAILED
                                                 : POINT_REJECTED;
    if (!end->payload) end->payload = g_strdup("it did not say why");
    return true;
}

enum { LINES = 2, COMPLAINT_MAX = 300 };

static const struct {
    const char *pattern, *replacement;
} rules[] = {
    {"==[0-9]+==", ""},          /* a sanitizer's process */
    {"0x[0-9a-fA-F]+", "0x..."}, /* an address */
    {"\\b(pid|process|thread) [0-9]+", "\\1 ..."},
    {"[[:cntrl:]]+", " "},
};

static char *apply_rules(const char *line)
{
    char *text = g_utf8_make_valid(line, -1);
    for (unsigned i = 0; i < G_N_ELEMENTS(rules); i++) {
        g_autoptr(GRegex) regex = g_regex_new(rules[i].pattern, 0, 0, NULL);
        char *changed = g_regex_replace(regex, text, -1, 0, rules[i].replacement, 0, NULL);
        g_free(text);
        text = changed;
    }
    return g_strstrip(text);
}

/* Sanitizers draw lines of '='. */
static bool says_something(const char *line)
{
    return strspn(line, "= -") < strlen(line);
}

char *complaint_clean(const char *text)
{
    GString *whole = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    unsigned taken = 0;
    for (char **line = lines; *line && taken < LINES; line++) {
        g_autofree char *clean = apply_rules(*line);
        if (!says_something(clean)) continue;
        g_string_append_printf(whole, "%s%s", taken++ ? "; " : "", clean);
    }
    if (whole->len > COMPLAINT_MAX) {
        g_string_truncate(
            whole,
            (gsize)(g_utf8_find_prev_char(whole->str, whole->str + COMPLAINT_MAX) - whole->str));
        g_string_append(whole, "...");
    }
    return g_string_free(whole, FALSE);
}

/* "ended by signal 11 (Segmentation fault): what it said" */
static char *describe_end(const Worker *worker, int state)
{
    enum { LONGEST = 64 << 10 };
    g_autofree char *errors = read_file(worker->errors, 0, LONGEST);
    g_autofree char *complaint = complaint_clean(errors);
    g_autofree char *cause =
        WIFSIGNALED(state)
            ? g_strdup_printf("ended by signal %d (%s)", WTERMSIG(state),
                              strsignal(WTERMSIG(state)))
            : g_strdup_printf("ended with status %d and no answer", WEXITSTATUS(state));
    const char *hint = WIFSIGNALED(state) && WTERMSIG(state) == SIGKILL && !*complaint
                           ? "perhaps the machine had no memory left"
                           : complaint;
    return *hint ? g_strdup_printf("%s: %s", cause, hint) : g_steal_pointer(&cause);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

WorkerEnd worker_finish(Worker *worker)
{
    WorkerEnd end = {.status = POINT_KILLED};
    struct rusage usage = {0};
    int state = 0;
    while (wait4(worker->process, &state, 0, &usage) < 0 && errno == EINTR) continue;
    end.cost.wall_s = (double)(g_get_monotonic_time() - worker->began) * 1e-6;
    end.cost.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    end.cost.peak_rss_bytes = (guint64)usage.ru_maxrss * 1024;
    const bool exited = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    if (!exited && worker->message) {
        end.status = worker->verdict;
        end.payload = g_strdup(worker->message);
    } else if (!exited || !read_answer(worker, &end)) {
        end.payload = describe_end(worker, state);
    }
    g_clear_pointer(&worker->message, g_free);
    close(worker->alive);
    worker->alive = -1;
    worker->process = 0;
    return end;
}
