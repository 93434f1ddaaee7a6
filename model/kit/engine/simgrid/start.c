#include "kit/engine/simgrid/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <simgrid/engine.h>
#include <simgrid/link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xbt/config.h>

/* SimGrid has one engine a process, and that one platform. */
static struct {
    bool prepared, started;
    char *text; /* of the platform; NULL: it was a file */
} engine;

void engine_prepare(void)
{
    if (engine.prepared) return;
    engine.prepared = true;
    const char *contexts = g_getenv("WARPMEM_SIMGRID_CONTEXTS");
    /* raw contexts switch in a fraction of a microsecond; thread is 16 to 50 times slower, but what
     * sanitizers understand */
    g_autofree char *factory =
        g_strdup_printf("--cfg=contexts/factory:%s", contexts ? contexts : "raw");
    /* Never the user's arguments: SimGrid would answer --help itself and exit. The log's
     * threshold comes first, since each setting prints a line. The default network model (LV08)
     * would multiply latencies by 13; the other settings take out the traffic of
     * acknowledgements, TCP's window, which bounds bandwidth by latency, and the default way of
     * a host to itself. */
    char *arguments[] = {"warpmem",
                         "--log=root.thresh:error",
                         "--cfg=network/model:CM02",
                         "--cfg=network/crosstraffic:0",
                         "--cfg=network/TCP-gamma:0",
                         "--cfg=network/loopback-lat:0",
                         "--cfg=surf/precision:1e-6",
                         factory,
                         NULL};
    int count = G_N_ELEMENTS(arguments) - 1;
    struct sigaction interrupt; /* SimGrid's own would end the process at once, without results */
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &before);
    sigaction(SIGINT, NULL, &interrupt);
    simgrid_init(&count, arguments);
    sigaction(SIGINT, &interrupt, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

bool engine_check_free(GError **error)
{
    if (engine.started)
        g_set_error(error, ENGINE_ERROR, ENGINE_HAS_ANOTHER,
                    "SimGrid has another platform in this process");
    return !engine.started;
}

/* SimGrid's setting is for all links; only its C++ has a limit for each. */
static bool open_wide_links(GError **error)
{
    typedef sg_link_t SetLimit(sg_link_t link, int limit);
    SetLimit *const set_limit =
        (SetLimit *)dlsym(RTLD_DEFAULT, "_ZN7simgrid3s4u4Link21set_concurrency_limitEi");
    sg_link_t *links = sg_link_list();
    bool good = true;
    for (size_t i = 0; good && i < sg_link_count(); i++) {
        if (sg_link_is_shared(links[i])) continue;
        good = set_limit;
        if (good) set_limit(links[i], -1);
    }
    free(links);
    if (!good)
        g_set_error(error, ENGINE_ERROR, ENGINE_LACKS_A_CALL,
                    "this SimGrid has no limit for each link, and a FATPIPE is to have none");
    return good;
}

bool engine_start(const char *platform_file, int concurrency, GError **error)
{
    if (!engine_check_free(error)) return false;
    if (!g_file_test(platform_file, G_FILE_TEST_EXISTS)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                    "%s: there is no such SimGrid platform file", platform_file);
        return false;
    }
    engine_prepare();
    engine.started = true;
    sg_cfg_set_int("maxmin/concurrency-limit", concurrency);
    simgrid_load_platform(platform_file);
    return concurrency < 0 || open_wide_links(error);
}

/* A part that is written says nothing of why there is no room for the rest: that is asked for. */
static bool write_all(int file, const char *text)
{
    ssize_t length = (ssize_t)strlen(text), written = 0;
    while (length && (written = write(file, text, (size_t)length)) > 0) {
        text += written;
        length -= written;
    }
    return !length;
}

int engine_keep_text(const char *text)
{
    const int file = memfd_create("platform.xml", MFD_CLOEXEC);
    if (file < 0 || write_all(file, text)) return file;
    const int code = errno;
    close(file);
    errno = code;
    return -1;
}

static bool load(const char *text, int concurrency, GError **error)
{
    const int file = engine_keep_text(text);
    if (file < 0) {
        g_set_error(error, G_FILE_ERROR, g_file_error_from_errno(errno),
                    "no room for the SimGrid platform: %s", g_strerror(errno));
        return false;
    }
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file);
    const bool started = engine_start(path, concurrency, error);
    close(file);
    return started;
}

bool engine_start_on(const char *text, int concurrency, GError **error)
{
    if (engine.text && !strcmp(engine.text, text)) return true;
    if (!engine_check_free(error) || !load(text, concurrency, error)) return false;
    engine.text = g_strdup(text);
    return true;
}
