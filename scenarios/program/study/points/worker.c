/* The process writes its answer into a file in memory and its diagnostics into another; both are
 * made once and used for one point after the other. Of a line it has the only other end, so that
 * the parent sees a process end however it ends. On it the process says that it could go on, and
 * hears which point is next: the manifest is in its memory, too.
 *
 * A process takes further points because to fork and to start SimGrid is more than two thirds of a
 * small one. If it breaks off in one of them, or SimGrid would need another platform, the point
 * begins anew in a process of its own: what is told of it is its own doing. */
#include "scenarios/program/study/points/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts/sparse.h"
#include "scenarios/program/study/points/complaint.h"

struct Worker {
    pid_t process; /* 0: none */
    bool busy;     /* it has a point */
    bool used;     /* not its first */
    int answer, errors, line;
    gint64 began;
    double cpu_s; /* of the process's points before */
    PointFunction simulate;
    PointRequest request;
    PointStatus verdict; /* with `message`: why it was killed */
    char *message;
};

/* A process that has simulated for so long is left: to fork is nothing beside, and what has grown
 * with its points goes. */
static const double long_s = 1;

/* What a process says of its point when it could take another. */
typedef struct {
    double cpu_s; /* of all its points */
    guint64 peak_rss_bytes;
} Rest;

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
    *worker = (Worker){.line = -1};
    worker->answer = memfd_create("answer", MFD_CLOEXEC);
    worker->errors = memfd_create("errors", MFD_CLOEXEC);
    if (worker->answer >= 0 && worker->errors >= 0) return worker;
    reject("a file in memory", error);
    worker_free(worker);
    return NULL;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static RecordHost cost_of(const struct rusage *usage)
{
    return (RecordHost){.cpu_s = seconds(usage->ru_utime) + seconds(usage->ru_stime),
                        .peak_rss_bytes = (guint64)usage->ru_maxrss * 1024};
}

/* Waits for a process that ends, and returns its state. */
static int reap(Worker *worker, RecordHost *cost)
{
    struct rusage usage = {0};
    int state = 0;
    while (wait4(worker->process, &state, 0, &usage) < 0 && errno == EINTR) continue;
    if (cost) *cost = cost_of(&usage);
    close(worker->line);
    worker->line = -1;
    worker->process = 0;
    return state;
}

void worker_dismiss(Worker *worker)
{
    if (!worker->process) return;
    kill(worker->process, SIGKILL);
    reap(worker, NULL);
}

void worker_free(Worker *worker)
{
    if (!worker) return;
    worker_dismiss(worker);
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

/* Whether there is an answer; `goes_on`: and another point can follow. */
static bool run_point(const Worker *worker, const PointRequest *request, bool *goes_on)
{
    PointAnswer answer = {.payload = NULL};
    const Status status = worker->simulate(request, &answer);
    fflush(NULL);
    const bool good = !answer.refused && write_answer(worker->answer, status, &answer);
    *goes_on = good && answer.goes_on;
    if (*goes_on) point_answer_clear(&answer);
    return good;
}

/* The next point's peak is not that of those before it, where /proc lets a process say so. */
static void forget_peak(void)
{
    const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t written = write(file, "5", 1);
    (void)written;
    close(file);
}

/* Hears of the next point; false: there is none, or this process has been busy for long. */
static bool rest(int line, PointRequest *request)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const RecordHost cost = cost_of(&usage);
    const Rest rest = {cost.cpu_s, cost.peak_rss_bytes};
    if (rest.cpu_s > long_s || send(line, &rest, sizeof rest, MSG_NOSIGNAL) != sizeof rest)
        return false;
    forget_peak();
    return recv(line, &request->point, sizeof request->point, 0) == sizeof request->point;
}

static int run_points(const Worker *worker, int line)
{
    PointRequest request = worker->request;
    bool goes_on;
    do {
        if (!run_point(worker, &request, &goes_on)) return 1;
    } while (goes_on && rest(line, &request));
    return 0;
}

/* --- in the parent ---------------------------------------------------------------------------- */

static bool empty_file(int file)
{
    return ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0;
}

/* `ends`: the line's. */
static bool fork_process(Worker *worker, const int ends[2], GError **error)
{
    const pid_t parent = getpid();
    fflush(NULL);
    worker->began = g_get_monotonic_time();
    const pid_t process = fork();
    if (!process) {
        close(ends[0]);
        prepare_process(worker, parent);
        _exit(run_points(worker, ends[1])); /* the parent's exit handlers are not its */
    }
    const int code = errno;
    close(ends[1]);
    if (process < 0) close(ends[0]);
    errno = code;
    if (process < 0) return reject("fork", error);
    worker->process = process;
    worker->line = ends[0];
    return true;
}

static bool start_process(Worker *worker, GError **error)
{
    int ends[2];
    if (!empty_file(worker->answer) || !empty_file(worker->errors))
        return reject("a file in memory", error);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) return reject("a line", error);
    worker->used = false;
    worker->cpu_s = 0;
    worker->busy = fork_process(worker, ends, error);
    return worker->busy;
}

/* False: the process has ended meanwhile. */
static bool go_on(Worker *worker)
{
    worker->began = g_get_monotonic_time();
    worker->used = true;
    const Point *point = worker->request.point;
    worker->busy = empty_file(worker->answer) && empty_file(worker->errors)
                   && send(worker->line, &point, sizeof point, MSG_NOSIGNAL) == sizeof point;
    if (!worker->busy) worker_dismiss(worker);
    return worker->busy;
}

bool worker_start(Worker *worker, PointFunction simulate, const PointRequest *request,
                  GError **error)
{
    worker->simulate = simulate;
    worker->request = *request;
    return (worker->process && go_on(worker)) || start_process(worker, error);
}

bool worker_runs(const Worker *worker)
{
    return worker->busy;
}

int worker_descriptor(const Worker *worker)
{
    return worker->busy ? worker->line : -1;
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
    if (!worker->busy || worker->message) return;
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

/* What it said when it could go on; false: it has ended, or is about to. */
static bool take_rest(Worker *worker, WorkerEnd *end)
{
    Rest rest;
    if (recv(worker->line, &rest, sizeof rest, 0) != sizeof rest) return false;
    end->cost.cpu_s = rest.cpu_s - worker->cpu_s;
    end->cost.peak_rss_bytes = rest.peak_rss_bytes;
    worker->cpu_s = rest.cpu_s;
    if (!read_answer(worker, end)) {
        kill(worker->process, SIGKILL);
        return false;
    }
    if (worker->message) worker_dismiss(worker);
    return true;
}

static bool begin_anew(Worker *worker, WorkerEnd *end)
{
    g_autoptr(GError) error = NULL;
    g_clear_pointer(&worker->message, g_free);
    if (start_process(worker, &error)) return true;
    end->payload = g_strdup(error->message);
    return false;
}

/* False: it has begun anew. */
static bool take_end(Worker *worker, WorkerEnd *end)
{
    const int state = reap(worker, &end->cost);
    const bool exited = WIFEXITED(state) && WEXITSTATUS(state) == 0;
    end->cost.cpu_s -= worker->cpu_s;
    if (exited && read_answer(worker, end)) return true;
    const bool late = worker->message && worker->verdict == POINT_TIMEOUT;
    if (worker->used && !late) return !begin_anew(worker, end);
    if (!exited && worker->message) {
        end->status = worker->verdict;
        end->payload = g_strdup(worker->message);
    } else {
        end->payload = describe_end(worker, state);
    }
    return true;
}

bool worker_finish(Worker *worker, WorkerEnd *end)
{
    *end = (WorkerEnd){.status = POINT_KILLED};
    worker->busy = false;
    if (!take_rest(worker, end) && !take_end(worker, end)) return false;
    end->cost.wall_s = (double)(g_get_monotonic_time() - worker->began) * 1e-6;
    g_clear_pointer(&worker->message, g_free);
    return true;
}
