/* The tiles on SimGrid. A tile is a SimGrid actor on a host of its own; what it has for another
 * tile at the end of a window is one communication through that tile's mailbox. An ingress actor
 * a tile takes bundles in and rings the tile's bell.
 *
 *        tile 0 ── bundle ──> mailbox of tile 1 ──> ingress 1 ── arrivals, bell ──> tile 1
 *
 * Windows are aligned to multiples of the quantum, and a bundle is under way for 0.95 of it, so
 * that it never arrives at the very date a tile wakes. SimGrid's second is one nanosecond. */
#include "kit/engine/internal.h"

#include <errno.h>
#include <signal.h>
#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Simulation *simulation;
    sg_mailbox_t *mailbox; /* by tile */
    sg_sem_t *bell;
    sg_sem_t finished;
} Transport;

typedef struct {
    Transport *transport;
    Tile *tile;
} Post; /* what an actor works on */

static const double transport_share = 0.95;

bool simulation_start_engine(Simulation *simulation, const char *platform_file, GError **error)
{
    if (!g_file_test(platform_file, G_FILE_TEST_EXISTS)) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                    "%s: there is no such SimGrid platform file", platform_file);
        return false;
    }
    const char *contexts = g_getenv("WARPMEM_SIMGRID_CONTEXTS");
    g_autofree char *factory =
        g_strdup_printf("--cfg=contexts/factory:%s", contexts ? contexts : "raw");
    g_autofree char *concurrency =
        g_strdup_printf("--cfg=maxmin/concurrency-limit:%d", flow_concurrency(simulation->flow));
    char *arguments[] = {"warpmem",
                         "--log=root.thresh:error",
                         "--cfg=network/model:CM02",
                         "--cfg=network/crosstraffic:0",
                         "--cfg=network/TCP-gamma:0",
                         "--cfg=network/loopback-lat:0",
                         "--cfg=surf/precision:1e-6",
                         factory,
                         concurrency,
                         NULL};
    int count = G_N_ELEMENTS(arguments) - 1;
    struct sigaction interrupt; /* SimGrid's own would end the process at once */
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &before);
    sigaction(SIGINT, NULL, &interrupt);
    simgrid_init(&count, arguments);
    sigaction(SIGINT, &interrupt, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    simgrid_load_platform(platform_file);
    simulation->engine_started = true;
    return true;
}

static void flush(Transport *transport, Tile *tile)
{
    /* All are counted before the first leaves: sending lets other tiles run, which may find
     * nothing left to do. */
    transport->simulation->bundles += tile->dirty_count;
    transport->simulation->bundles_in_flight += tile->dirty_count;
    for (uint32_t i = 0; i < tile->dirty_count; i++) {
        const uint32_t to = tile->dirty[i];
        sg_comm_t communication = sg_mailbox_put_init(transport->mailbox[to], tile->outbox[to], 1);
        sg_comm_detach(communication, NULL);
        tile->outbox[to] = NULL;
    }
    tile->dirty_count = 0;
}

void simulation_look_outside(Simulation *simulation)
{
    if (simulation->interrupted && !simulation->stop) {
        simulation->stop = true;
        simulation->outcome = RUN_INTERRUPTED;
    }
    if (!simulation->progress || simulation->windows % WINDOWS_BETWEEN_LOOKS) return;
    const gint64 host_time = g_get_monotonic_time();
    if (host_time < simulation->progress_at) return;
    simulation->progress_at = host_time + PROGRESS_PERIOD_US;
    simulation->progress(simulation->progress_user, simulation->now);
}

/* Sleeps until the window of the tile's next event, and returns that window's number. A bundle
 * may come meanwhile. */
static uint64_t sleep_until_due(Transport *transport, Tile *tile)
{
    const Time quantum = transport->simulation->quantum;
    const double window = time_to_date(quantum), slack = 0.01 * window;
    for (;;) {
        const double now = simgrid_get_clock();
        const Time next = calendar_next(&tile->calendar);
        if (next == TIME_NEVER) {
            sg_sem_acquire(transport->bell[tile->number]);
            continue;
        }
        const uint64_t number = next / quantum;
        const double due = (double)number * window;
        if (due <= now + slack) return (uint64_t)((now + slack) / window);
        sg_sem_acquire_timeout(transport->bell[tile->number], due - now);
    }
}

static void run_tile(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Post *post = sg_actor_get_data(sg_actor_self());
    Transport *transport = post->transport;
    Simulation *simulation = transport->simulation;
    /* every ingress has become its mailbox's receiver before the first bundle leaves */
    sg_actor_yield();
    sg_actor_yield();
    while (!simulation->stop) {
        if (simulation_idle(simulation)) break;
        const uint64_t number = sleep_until_due(transport, post->tile);
        tile_run_window(post->tile, (number + 1) * simulation->quantum);
        simulation->windows++;
        flush(transport, post->tile);
        simulation_look_outside(simulation);
    }
    sg_sem_release(transport->finished);
    for (;;) sg_actor_sleep_for(1e300); /* a daemon: ended with the last ordinary actor */
}

static void unpack(Tile *tile, const Bundle *bundle)
{
    for (uint32_t i = 0; i < bundle->count; i++) {
        const Parcel *parcel = &bundle->parcel[i];
        if (parcel->due < tile->executed_until) {
            unit_fail(parcel->to, "a message due at %.3f ns came after its window",
                      time_to_ns(parcel->due));
            return;
        }
        if (parcel->message)
            unit_receive(parcel->to, parcel->due, parcel->key, parcel->message);
        else
            unit_receive_credit(parcel->to, parcel->due);
    }
}

static void run_ingress(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Post *post = sg_actor_get_data(sg_actor_self());
    Transport *transport = post->transport;
    sg_mailbox_set_receiver(sg_mailbox_get_name(transport->mailbox[post->tile->number]));
    for (;;) {
        Bundle *bundle = sg_mailbox_get(transport->mailbox[post->tile->number]);
        unpack(post->tile, bundle);
        bundle_give_back(transport->simulation, bundle);
        transport->simulation->bundles_in_flight--;
        sg_sem_release(transport->bell[post->tile->number]);
        /* every tile may be asleep */
        if (transport->simulation->stop) sg_sem_release(transport->finished);
    }
}

/* The only ordinary actor: when it returns, SimGrid ends the daemons. */
static void wait_for_the_end(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Post *post = sg_actor_get_data(sg_actor_self());
    sg_sem_acquire(post->transport->finished);
}

static void start_actor(const char *kind, sg_host_t host, xbt_main_func_t body, Post *post,
                        bool daemon)
{
    g_autofree char *name = g_strdup_printf("%s-%u", kind, post->tile->number);
    sg_actor_t actor = sg_actor_init(name, host);
    sg_actor_set_data(actor, post);
    if (daemon) sg_actor_daemonize(actor);
    sg_actor_start_(actor, body, 0, NULL);
}

/* Half of a bundle's way is its sender's link, half the receiver's. */
static void set_latency(const Simulation *simulation)
{
    for (uint32_t i = 0; i < simulation->tile_count; i++) {
        g_autofree char *name = g_strdup_printf("transport-%u", i);
        sg_link_set_latency(sg_link_by_name(name),
                            0.5 * transport_share * time_to_date(simulation->quantum));
    }
}

bool transport_run(Simulation *simulation, GError **error)
{
    const uint32_t tiles = simulation->tile_count;
    g_autofree sg_mailbox_t *mailbox = g_new0(sg_mailbox_t, tiles);
    g_autofree sg_sem_t *bell = g_new0(sg_sem_t, tiles);
    g_autofree Post *post = g_new0(Post, tiles);
    Transport transport = {simulation, mailbox, bell, sg_sem_init(0)};
    set_latency(simulation);
    for (uint32_t i = 0; i < tiles; i++) {
        g_autofree char *name = g_strdup_printf("tile%u", i);
        sg_host_t host = sg_host_by_name(name);
        if (!host) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                        "the SimGrid platform has no host '%s'", name);
            return false;
        }
        mailbox[i] = sg_mailbox_by_name(name);
        bell[i] = sg_sem_init(0);
        post[i] = (Post){&transport, simulation->tiles[i]};
        start_actor("ingress", host, run_ingress, &post[i], true);
        start_actor("tile", host, run_tile, &post[i], true);
        if (i == 0) start_actor("end", host, wait_for_the_end, &post[i], false);
    }
    simgrid_run();
    return true;
}
