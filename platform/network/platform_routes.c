#include "platform/network/platform_routes.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xbt/dynar.h>

#include "kit/describe/param.h"
#include "kit/engine/simgrid/start.h"

/* --- names ------------------------------------------------------------------------------------ */

uint32_t platform_sources(const PlatformQuestion *question, NetworkRole role)
{
    return role == NETWORK_REQUEST ? question->sms : question->slices;
}

uint32_t platform_destinations(const PlatformQuestion *question, NetworkRole role)
{
    return role == NETWORK_REQUEST ? question->slices : question->sms;
}

char *platform_host(const PlatformQuestion *question, NetworkRole role, bool source, uint32_t i)
{
    const bool request = role == NETWORK_REQUEST;
    if (question->file) return g_strdup_printf("%s%u", request == source ? "sm" : "slice", i);
    return g_strdup_printf("%s-%s-%u", request ? "request" : "reply",
                           source ? "source" : "destination", i);
}

const char *platform_name(const PlatformQuestion *question)
{
    return question->file ? question->file : GENERATED_PLATFORM;
}

/* --- in the process that asks ----------------------------------------------------------------- */

/* The exit status says whether the text is ours, and whether it is about a group of links. */
enum { ASKED = 0, REJECTED = 3, REJECTED_LINK = 4 };

/* Seen by both processes: what is being asked, in case SimGrid ends the process. */
typedef struct {
    uint32_t role, source, destination;
    bool asking;
    int line; /* of the platform, where SimGrid has given up; 0: not known */
} Progress;

typedef struct {
    const PlatformQuestion *question;
    Progress *progress;
    FILE *answer;
    GHashTable *numbers; /* of links, and one: 0 is none */
    GPtrArray *links;
} Asker;

static void put(Asker *asker, const void *data, size_t size)
{
    if (fwrite(data, size, 1, asker->answer) != 1 && size) _exit(errno ? errno : 1);
}

static void put_number(Asker *asker, uint32_t number)
{
    put(asker, &number, sizeof number);
}

static void reject(const char *format, ...) G_GNUC_PRINTF(1, 2);
static void reject(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fflush(stderr);
    _exit(REJECTED);
}

static uint32_t number_of(Asker *asker, sg_link_t link)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(asker->numbers, link));
    if (known) return known - 1;
    g_ptr_array_add(asker->links, link);
    g_hash_table_insert(asker->numbers, link, GUINT_TO_POINTER(asker->links->len));
    return asker->links->len - 1;
}

static sg_host_t *find_hosts(const Asker *asker, NetworkRole role, bool source, uint32_t count)
{
    sg_host_t *hosts = g_new0(sg_host_t, count);
    for (uint32_t i = 0; i < count; i++) {
        g_autofree char *name = platform_host(asker->question, role, source, i);
        hosts[i] = sg_host_by_name(name);
        if (hosts[i]) continue;
        if (!asker->question->file) reject(GENERATED_PLATFORM ": has no host '%s'", name);
        reject("%s: has no host '%s'; each SM needs one (sm0, sm1, ...), and each L2 slice "
               "(slice0, slice1, ...)",
               asker->question->file, name);
    }
    return hosts;
}

/* Coordinates of a Vivaldi zone are in no link. */
static void expect_latency_of(const Asker *asker, double links, sg_host_t from, sg_host_t to)
{
    const double route = sg_host_get_route_latency(from, to);
    if (route <= links + 1e-6 * MAX(links, 1)) return;
    reject("%s: the route from '%s' to '%s' takes %g ns, and its links %g ns; warpmem knows only "
           "latencies of links",
           asker->question->file, sg_host_get_name(from), sg_host_get_name(to), route, links);
}

static void ask_route(Asker *asker, sg_host_t from, sg_host_t to)
{
    xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
    sg_host_get_route(from, to, links);
    const unsigned count = (unsigned)xbt_dynar_length(links);
    double latency = 0;
    put_number(asker, count);
    for (unsigned k = 0; k < count; k++) {
        const sg_link_t link = xbt_dynar_get_as(links, k, sg_link_t);
        put_number(asker, number_of(asker, link));
        latency += sg_link_get_latency(link);
    }
    xbt_dynar_free(&links);
    if (asker->question->file) expect_latency_of(asker, latency, from, to);
}

static void ask_network(Asker *asker, NetworkRole role)
{
    const uint32_t sources = platform_sources(asker->question, role),
                   destinations = platform_destinations(asker->question, role);
    g_autofree sg_host_t *from = find_hosts(asker, role, true, sources);
    g_autofree sg_host_t *to = find_hosts(asker, role, false, destinations);
    for (uint32_t i = 0; i < sources; i++) {
        for (uint32_t j = 0; j < destinations; j++) {
            *asker->progress = (Progress){role, i, j, .asking = true};
            ask_route(asker, from[i], to[j]);
        }
    }
    asker->progress->asking = false;
}

static void put_link(Asker *asker, sg_link_t link)
{
    const char *name = sg_link_get_name(link);
    const NetworkLink said = {.bandwidth = sg_link_get_bandwidth(link),
                              .latency = sg_link_get_latency(link),
                              .wide = !sg_link_is_shared(link)};
    put(asker, &said, sizeof said);
    put_number(asker, (uint32_t)strlen(name));
    put(asker, name, strlen(name));
}

static void ask_all(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Asker *asker = sg_actor_get_data(sg_actor_self());
    for (uint32_t n = 0; n < NETWORKS; n++) ask_network(asker, (NetworkRole)n);
    put_number(asker, asker->links->len);
    for (guint k = 0; k < asker->links->len; k++) put_link(asker, asker->links->pdata[k]);
    if (fflush(asker->answer)) _exit(errno);
    _exit(ASKED); /* nothing of SimGrid's has to be tidied up */
}

static void tell_changes(const PlatformQuestion *question)
{
    g_autoptr(GError) error = NULL;
    if (!question->changes || link_changes_tell(question->changes, &error)) return;
    fputs(error->message, stderr);
    fflush(stderr);
    _exit(REJECTED_LINK);
}

/* SimGrid says the line of a mistake in XML, but not of a name that stands for nothing. */
static Progress *noted;

static void note_line(int number)
{
    const int *line = dlsym(RTLD_DEFAULT, "surf_parse_lineno");
    if (line) noted->line = *line;
    signal(number, SIG_DFL);
}

static void run_asker(Asker *asker, const char *file)
{
    g_autoptr(GError) error = NULL;
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    noted = asker->progress;
    signal(SIGABRT, note_line);
    if (!engine_start(file, -1, &error)) reject("%s", error->message);
    tell_changes(asker->question);
    g_autofree sg_host_t *hosts = find_hosts(asker, NETWORK_REQUEST, true, 1);
    asker->numbers = g_hash_table_new(NULL, NULL);
    asker->links = g_ptr_array_new();
    sg_actor_t actor = sg_actor_init("ask", hosts[0]);
    sg_actor_set_data(actor, asker);
    sg_actor_start_(actor, ask_all, 0, NULL);
    simgrid_run();
    _exit(1); /* it has ended the actor */
}

/* --- in the process that wants to know -------------------------------------------------------- */

typedef struct {
    int platform; /* the platform's text; -1: a file has it */
    int answer;
    Progress *progress;
} Shared;

static char *read_all(int file)
{
    GString *text = g_string_new(NULL);
    char block[4096];
    for (;;) {
        const ssize_t count = read(file, block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return g_string_free(text, FALSE);
        g_string_append_len(text, block, count);
    }
}

/* "[0.000000] ./src/xbt/exception.cpp:95: [xbt_exception/ERROR] Parse error at ..." */
static const char *reason_in(char *text)
{
    char *mark = strstr(text, "/ERROR] ");
    if (!mark) mark = strstr(text, "/CRITICAL] ");
    char *reason = mark ? strchr(mark, ' ') + 1 : text;
    reason[strcspn(reason, "\n")] = '\0';
    const char *what =
        g_str_has_prefix(reason, "Uncaught exception ") ? strstr(reason, ": ") : NULL;
    if (what) return what + strlen(": ");
    return *reason ? reason : "SimGrid cannot load it";
}

/* With the line, unless the reason has it. */
static void judge_platform(const PlatformQuestion *question, int line, const char *reason,
                           GError **error)
{
    g_autoptr(GString) name = g_string_new(platform_name(question));
    if (question->file && line && !g_str_has_prefix(reason, "Parse error at "))
        g_string_append_printf(name, ":%d", line);
    g_set_error(error, PARAM_ERROR, 0, "%s: no SimGrid platform: %s", name->str, reason);
}

static void judge(const PlatformQuestion *question, int state, const Progress *progress, char *text,
                  GError **error)
{
    const char *name = platform_name(question);
    if (WIFEXITED(state) && WEXITSTATUS(state) == REJECTED_LINK) {
        g_set_error_literal(error, LINK_ERROR, 0, text);
    } else if (WIFEXITED(state) && WEXITSTATUS(state) == REJECTED) {
        g_set_error(error, PARAM_ERROR, 0, "%s", text);
    } else if (progress->asking) {
        const NetworkRole role = (NetworkRole)progress->role;
        g_autofree char *from = platform_host(question, role, true, progress->source);
        g_autofree char *to = platform_host(question, role, false, progress->destination);
        g_set_error(error, PARAM_ERROR, 0, "%s: SimGrid finds no route from '%s' to '%s': %s", name,
                    from, to, reason_in(text));
    } else {
        judge_platform(question, progress->line, reason_in(text), error);
    }
}

static bool fail_to_ask(GError **error)
{
    g_set_error(error, PARAM_ERROR, 0, "cannot ask SimGrid for routes: %s", g_strerror(errno));
    return false;
}

static bool set_up(const PlatformQuestion *question, Shared *shared, GError **error)
{
    *shared = (Shared){.platform = -1, .answer = memfd_create("routes", MFD_CLOEXEC)};
    shared->progress =
        mmap(NULL, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    bool good = shared->answer >= 0 && shared->progress != MAP_FAILED;
    if (good && question->text) {
        shared->platform = engine_keep_text(question->text);
        good = shared->platform >= 0;
    }
    return good || fail_to_ask(error);
}

static void release(Shared *shared)
{
    if (shared->platform >= 0) close(shared->platform);
    if (shared->answer >= 0) close(shared->answer);
    if (shared->progress != MAP_FAILED) munmap(shared->progress, sizeof(Progress));
}

static void ask_in_child(const PlatformQuestion *question, const Shared *shared, int says)
{
    dup2(says, STDOUT_FILENO);
    dup2(says, STDERR_FILENO);
    g_autofree char *own = g_strdup_printf("/proc/self/fd/%d", shared->platform);
    Asker asker = {.question = question,
                   .progress = shared->progress,
                   .answer = fdopen(dup(shared->answer), "w")};
    if (!asker.answer) _exit(1);
    run_asker(&asker, question->text ? own : question->file);
}

static bool ask(const PlatformQuestion *question, const Shared *shared, GError **error)
{
    int ends[2], state = 0;
    const pid_t child = pipe(ends) ? -1 : fork();
    if (child < 0) return fail_to_ask(error);
    if (!child) ask_in_child(question, shared, ends[1]);
    close(ends[1]);
    g_autofree char *text = read_all(ends[0]);
    close(ends[0]);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(state) && WEXITSTATUS(state) == ASKED) return true;
    judge(question, state, shared->progress, text, error);
    return false;
}

/* --- the answer ------------------------------------------------------------------------------- */

static const char *get(const char *at, void *data, size_t size)
{
    memcpy(data, at, size);
    return at + size;
}

static const char *get_routes(const char *at, PlatformRoutes *routes, NetworkRole role,
                              uint32_t count)
{
    GArray *hops = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    routes->first[role] = g_new0(uint32_t, count + 1);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t length;
        at = get(at, &length, sizeof length);
        const guint first = hops->len;
        g_array_set_size(hops, first + length);
        if (length) at = get(at, &g_array_index(hops, uint32_t, first), length * sizeof(uint32_t));
        routes->first[role][r + 1] = hops->len;
    }
    routes->hop[role] = (uint32_t *)(void *)g_array_free(hops, FALSE);
    return at;
}

static PlatformRoutes *read_answer(const PlatformQuestion *question, int answer, GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", answer);
    g_autofree char *bytes = NULL;
    if (!g_file_get_contents(path, &bytes, NULL, error)) return NULL;
    PlatformRoutes *routes = g_new0(PlatformRoutes, 1);
    const char *at = bytes;
    for (uint32_t n = 0; n < NETWORKS; n++)
        at = get_routes(at, routes, (NetworkRole)n, question->sms * question->slices);
    at = get(at, &routes->links, sizeof routes->links);
    routes->link = g_new0(PlatformLink, routes->links);
    for (uint32_t k = 0; k < routes->links; k++) {
        uint32_t length;
        at = get(at, &routes->link[k].link, sizeof(NetworkLink));
        at = get(at, &length, sizeof length);
        routes->link[k].name = g_strndup(at, length);
        at += length;
    }
    return routes;
}

/* --- once a process --------------------------------------------------------------------------- */

bool platform_read(const char *file, char **text, GError **error)
{
    if (g_file_test(file, G_FILE_TEST_IS_REGULAR))
        return g_file_get_contents(file, text, NULL, error);
    const bool exists = g_file_test(file, G_FILE_TEST_EXISTS);
    g_set_error(error, PARAM_ERROR, 0, "%s: %s", file,
                exists ? "no regular file, and a platform is read more than once"
                       : "there is no such SimGrid platform file");
    return false;
}

/* What the answer depends on; newly allocated. */
static char *key_of(const PlatformQuestion *question, GError **error)
{
    g_autofree char *text = NULL;
    g_autofree char *changes = question->changes ? link_changes_key(question->changes) : NULL;
    if (question->text)
        return g_strdup_printf("%u %u %s\n%s%s", question->sms, question->slices,
                               question->file ? question->file : "", changes ? changes : "",
                               question->text);
    if (!platform_read(question->file, &text, error)) return NULL;
    return g_strdup_printf("%u %u %s\n%s%s", question->sms, question->slices, question->file,
                           changes ? changes : "", text);
}

const PlatformRoutes *platform_routes_ask(const PlatformQuestion *question, GError **error)
{
    /* a study checks many points in one process, and forks those it runs */
    static GHashTable *answers;
    if (!answers) answers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *key = key_of(question, error);
    PlatformRoutes *routes = key ? g_hash_table_lookup(answers, key) : NULL;
    Shared shared;
    if (!key || routes) return routes;
    if (!engine_check_free(error)) return NULL;
    if (set_up(question, &shared, error) && ask(question, &shared, error))
        routes = read_answer(question, shared.answer, error);
    release(&shared);
    if (routes) g_hash_table_insert(answers, g_steal_pointer(&key), routes);
    return routes;
}
