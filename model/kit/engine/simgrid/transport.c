/* Tiles on SimGrid: each is an actor that runs window after window, and bundles between them are
 * communications.
 *
 *     tile ── put, detached ──> mailbox ── ingress: get, unpack ──> inboxes, bell ──> tile
 *
 * Why a second actor a tile, the ingress: a tile sleeps until its next event or until something
 * arrives, whichever is first, and SimGrid has no such wait for communications (in C, waiting for
 * any of several with a time-out loses a reference, and waiting for one consumes it). A semaphore
 * can be waited for with a time-out; so the ingress receives, and rings it.
 *
 * Windows are aligned to multiples of the quantum, the same for all tiles. A bundle that leaves at
 * the beginning of a window on SimGrid's clock (a window takes no time on it) has to be there when
 * the next one begins, so it is under way for a part of the quantum: for 0.95 of it, so that it
 * never arrives at the very date a tile wakes, when either might be served first. Nothing of this
 * is seen by the model, whose messages have times of their own; a bundle that came too late would
 * end the run.
 *
 * A chain of dependent loads has one event at a time, and SimGrid's dates would cost more than
 * they: so a bundle takes one date, and a tile that nobody can write to meanwhile runs on without
 * any. A tile that is the only one is the only actor. */
#include "kit/engine/simgrid/transport.h"

#include "kit/engine/simgrid/start.h"

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>

typedef struct {
    Tiles *tiles;
    Outside *outside;
    sg_mailbox_t *mailbox; /* by tile */
    sg_sem_t *bell;        /* by tile: something has arrived */
    sg_sem_t finished;     /* nothing is left, or the run has to stop */
} Transport;

typedef struct {
    Transport *transport;
    Tile *tile;
} Post; /* what an actor works on */

static const double transport_share = 0.95;

static void flush(Transport *transport, Tile *tile)
{
    /* All are counted before the first leaves: sending lets other tiles run, which may find
     * nothing left to do. */
    Outbox *outbox = &tile->outbox;
    outbox->store->sent += outbox->dirty_count;
    for (uint32_t i = 0; i < outbox->dirty_count; i++)
        tile_expect(transport->tiles->tile[outbox->dirty[i]],
                    outbox->bundle[outbox->dirty[i]]->due);
    for (uint32_t i = 0; i < outbox->dirty_count; i++) {
        const uint32_t to = outbox->dirty[i];
        sg_comm_t communication =
            sg_mailbox_put_init(transport->mailbox[to], outbox->bundle[to], 1);
        sg_comm_detach(communication, NULL);
        outbox->bundle[to] = NULL;
    }
    outbox->dirty_count = 0;
}

/* Sleeps until the window of the tile's next event, and returns that window's number. A bundle
 * may come meanwhile. A tile without events sleeps for good, and SimGrid's clock jumps over time in
 * which all do. A tile with nobody to wait for does not ask the clock: that stays behind, and what
 * leaves comes early, which harms nobody. */
static uint64_t sleep_until_due(Transport *transport, Tile *tile)
{
    const Time quantum = transport->tiles->quantum;
    /* SimGrid's clock is a double: a date a little before the window's is the window's */
    const double window = time_to_date(quantum), slack = 0.01 * window;
    for (;;) {
        const double now = simgrid_get_clock();
        const Time next = tile_next(tile);
        if (next == TIME_NEVER) {
            sg_sem_acquire(transport->bell[tile->number]);
            continue;
        }
        const uint64_t number = next / quantum;
        if (tiles_alone(transport->tiles, tile)) return number;
        const double due = (double)number * window;
        if (due <= now + slack) return (uint64_t)((now + slack) / window);
        sg_sem_acquire_timeout(transport->bell[tile->number], due - now);
    }
}

static bool is_alone(const Tiles *tiles)
{
    return tiles->count == 1;
}

static void run_tile(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Post *post = sg_actor_get_data(sg_actor_self());
    Transport *transport = post->transport;
    Tiles *tiles = transport->tiles;
    Tile *tile = post->tile;
    /* Every ingress has become its mailbox's receiver before the first bundle leaves. A bundle that
     * is sent to a mailbox without one waits until somebody asks for it, and only then starts on
     * its way: it would come too late. */
    sg_actor_yield();
    sg_actor_yield();
    while (!tiles->common->stop) {
        if (tiles_idle(tiles)) break;
        const uint64_t number = sleep_until_due(transport, tile);
        tiles_complete_phases(tiles, number * tiles->quantum);
        tile_run_window(tile, (number + 1) * tiles->quantum);
        tiles->windows++;
        flush(transport, tile);
        outside_look(transport->outside, tiles->common, tiles->windows);
    }
    if (is_alone(tiles)) return;
    sg_sem_release(transport->finished);
    for (;;) sg_sem_acquire(transport->bell[tile->number]); /* a daemon: ended with the others */
}

/* The proof that running ahead was right: nothing comes for a window that has been run. */
static void unpack(Tile *tile, const Bundle *bundle)
{
    for (uint32_t i = 0; i < bundle->count; i++) {
        const Parcel *parcel = &bundle->parcel[i];
        if (parcel->due < tile->executed_until) {
            unit_fail(channel_receiver(parcel->channel),
                      "a message due at %.3f ns came after its window", time_to_ns(parcel->due));
            return;
        }
        channel_deliver(parcel);
    }
}

static void run_ingress(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Post *post = sg_actor_get_data(sg_actor_self());
    Transport *transport = post->transport;
    BundleStore *store = post->tile->outbox.store;
    /* for good: what is sent from now on starts on its way at once */
    sg_mailbox_set_receiver(sg_mailbox_get_name(transport->mailbox[post->tile->number]));
    for (;;) {
        Bundle *bundle = sg_mailbox_get(transport->mailbox[post->tile->number]);
        unpack(post->tile, bundle);
        bundle_give_back(store, bundle);
        tile_received(post->tile);
        sg_sem_release(transport->bell[post->tile->number]);
        /* every tile may be asleep */
        if (transport->tiles->common->stop) sg_sem_release(transport->finished);
    }
}

/* Of several tiles the only ordinary actor: when it returns, SimGrid ends the daemons. So no tile
 * has to be told that the others have finished, which those that sleep could not be without a
 * message. */
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

/* A bundle is one byte to SimGrid, under way for as long as links take for it: each bundle has all
 * of a link, so that large ones take as long as small ones and none waits for another. Latency
 * would cost SimGrid a date of its own. Known only now: the platform was loaded before anybody knew
 * the quantum. */
static void set_pace(const Tiles *tiles)
{
    for (uint32_t i = 0; i < tiles->count; i++) {
        g_autofree char *name = g_strdup_printf("transport-%u", i);
        sg_link_set_bandwidth(sg_link_by_name(name),
                              1 / (transport_share * time_to_date(tiles->quantum)));
    }
}

bool transport_run(Tiles *tiles, Outside *outside, GError **error)
{
    g_autofree sg_mailbox_t *mailbox = g_new0(sg_mailbox_t, tiles->count);
    g_autofree sg_sem_t *bell = g_new0(sg_sem_t, tiles->count);
    g_autofree Post *post = g_new0(Post, tiles->count);
    Transport transport = {tiles, outside, mailbox, bell, sg_sem_init(0)};
    set_pace(tiles);
    for (uint32_t i = 0; i < tiles->count; i++) {
        g_autofree char *name = g_strdup_printf("tile%u", i);
        sg_host_t host = sg_host_by_name(name);
        if (!host) {
            g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                        "the SimGrid platform has no host '%s'", name);
            return false;
        }
        mailbox[i] = sg_mailbox_by_name(name);
        bell[i] = sg_sem_init(0);
        post[i] = (Post){&transport, tiles->tile[i]};
        if (!is_alone(tiles)) start_actor("ingress", host, run_ingress, &post[i], true);
        start_actor("tile", host, run_tile, &post[i], !is_alone(tiles));
        if (!is_alone(tiles) && i == 0) start_actor("end", host, wait_for_the_end, &post[i], false);
    }
    simgrid_run();
    return true;
}
