/* Couriers: actors that each carry one message at a time, by a blocking communication. They are as
 * many as there ever were messages under way; one without a message waits for the next.
 *
 *     tile ── unit_carry ──> lane ── courier: sg_host_sendto ──> arrivals, bell ──> tile
 *
 * Why actors and not a list of communications: in C, waiting for any of several loses a reference
 * when it times out, and each actor keeps its pending ones in a list that is searched. Why so small
 * stacks: tens of thousands of actors with SimGrid's default stack abort.
 *
 * The tile may not handle what is due at a time before every communication that ends by then has
 * been delivered, so it follows SimGrid's clock from event to event. While nothing is under way it
 * needs not: it handles what is due, and SimGrid's clock follows when the next message leaves. */
#include "kit/engine/simgrid/flow.h"

#include "kit/engine/simgrid/start.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

enum { PICOSECOND = 1000, COURIER_STACK_KIB = 256 };

typedef struct Job {
    struct Job *next;
    Carriage carriage;
    uint64_t key;
} Job;

typedef struct {
    Unit *unit;
    uint32_t port, host, limit, under_way;
    uint64_t sequence;
    Job *first, *last; /* that wait for one before them */
} Lane;

typedef struct Courier {
    struct Courier *next; /* idle */
    Flow *flow;
    Lane *lane;
    Job *job;
    sg_sem_t called;
} Courier;

struct Flow {
    Common *common;
    Tiles *tiles;
    Tile *tile; /* the one there is */
    Outside *outside;
    uint32_t concurrency;
    GPtrArray *names; /* of hosts */
    sg_host_t *host;
    GArray *lanes;     /* of Lane */
    GPtrArray *posted; /* of Job, in this step of the tile */
    GPtrArray *couriers;
    Courier *idle;
    Job *free_jobs;
    sg_sem_t bell;
    bool asleep; /* the tile; it wants to hear the bell */
};

Flow *flow_new(Common *common, uint32_t concurrency)
{
    Flow *flow = g_new0(Flow, 1);
    flow->common = common;
    flow->concurrency = concurrency;
    flow->names = g_ptr_array_new_with_free_func(g_free);
    flow->lanes = g_array_new(FALSE, TRUE, sizeof(Lane));
    flow->posted = g_ptr_array_new();
    flow->couriers = g_ptr_array_new_with_free_func(g_free);
    return flow;
}

static void free_jobs(Job *job)
{
    while (job) {
        Job *next = job->next;
        g_free(job);
        job = next;
    }
}

void flow_free(Flow *flow)
{
    if (!flow) return;
    for (guint i = 0; i < flow->lanes->len; i++)
        free_jobs(g_array_index(flow->lanes, Lane, i).first);
    for (guint i = 0; i < flow->posted->len; i++) g_free(flow->posted->pdata[i]);
    for (guint i = 0; i < flow->couriers->len; i++)
        g_free(((Courier *)flow->couriers->pdata[i])->job);
    free_jobs(flow->free_jobs);
    g_ptr_array_unref(flow->couriers);
    g_ptr_array_unref(flow->posted);
    g_array_unref(flow->lanes);
    g_ptr_array_unref(flow->names);
    g_free(flow->host);
    g_free(flow);
}

int flow_concurrency(const Flow *flow)
{
    return flow && flow->concurrency ? (int)flow->concurrency : -1;
}

uint32_t flow_add_host(Flow *flow, const char *name)
{
    g_ptr_array_add(flow->names, g_strdup(name));
    return flow->names->len - 1;
}

uint32_t unit_add_lane(Unit *unit, const Port *arrivals, uint32_t host, uint32_t limit)
{
    Flow *flow = unit->common->flow;
    uint32_t port = 0;
    while (port < unit->port_count && unit->ports[port] != arrivals) port++;
    g_assert(port < unit->port_count);
    g_array_append_val(flow->lanes, ((Lane){unit, port, host, limit, .under_way = 0}));
    return flow->lanes->len - 1;
}

void unit_carry(Unit *unit, const Carriage *carriage)
{
    Flow *flow = unit->common->flow;
    Lane *lane = &g_array_index(flow->lanes, Lane, carriage->lane);
    Job *job = flow->free_jobs;
    if (job)
        flow->free_jobs = job->next;
    else
        job = g_new(Job, 1);
    *job = (Job){NULL, *carriage, (uint64_t)lane->port << 48 | lane->sequence++};
    g_ptr_array_add(flow->posted, job);
    flow->common->bundles.in_flight++;
    flow->common->bundles.sent++;
}

/* --- couriers --------------------------------------------------------------------------------- */

/* SimGrid says when within what a double can hold. An edge less than the half picosecond of
 * rounding earlier is meant, unless the tile is past it. */
static Time due_at(const Flow *flow, const Clock *clock, double date)
{
    const Time arrived = (Time)(date * (TIME_NS / PICOSECOND) + 0.5) * PICOSECOND;
    const Time edge = clock_ceil(clock, arrived > PICOSECOND / 2 ? arrived - PICOSECOND / 2 : 0);
    return MAX(edge, clock_ceil(clock, flow->tile->executed_until));
}

static void deliver(Flow *flow, const Lane *lane, Job *job)
{
    const Time due = due_at(flow, lane->unit->clock, simgrid_get_clock());
    inbox_receive(&lane->unit->inbox, due + job->carriage.further, job->key, job->carriage.message);
    flow->common->bundles.in_flight--;
    job->next = flow->free_jobs;
    flow->free_jobs = job;
}

static Job *follow(Lane *lane)
{
    Job *job = lane->first;
    if (job)
        lane->first = job->next;
    else
        lane->under_way--;
    return job;
}

static void ring(Flow *flow)
{
    if (!flow->asleep) return;
    flow->asleep = false;
    sg_sem_release(flow->bell);
}

static void run_courier(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Courier *courier = sg_actor_get_data(sg_actor_self());
    Flow *flow = courier->flow;
    for (;;) {
        while (courier->job) {
            const Job *job = courier->job;
            sg_host_sendto(flow->host[courier->lane->host], flow->host[job->carriage.to],
                           job->carriage.bytes);
            deliver(flow, courier->lane, courier->job);
            courier->job = follow(courier->lane);
            ring(flow);
        }
        courier->next = flow->idle;
        flow->idle = courier;
        sg_sem_acquire(courier->called);
    }
}

static void call_courier(Flow *flow, Lane *lane, Job *job)
{
    Courier *courier = flow->idle;
    if (courier) {
        flow->idle = courier->next;
        courier->lane = lane;
        courier->job = job;
        sg_sem_release(courier->called);
        return;
    }
    courier = g_new(Courier, 1);
    *courier = (Courier){.flow = flow, .lane = lane, .job = job, .called = sg_sem_init(0)};
    g_ptr_array_add(flow->couriers, courier);
    sg_actor_t actor = sg_actor_init("courier", flow->host[0]);
    sg_actor_set_data(actor, courier);
    sg_actor_set_stacksize(actor, COURIER_STACK_KIB);
    sg_actor_start_(actor, run_courier, 0, NULL);
}

static void start(Flow *flow, Job *job)
{
    Lane *lane = &g_array_index(flow->lanes, Lane, job->carriage.lane);
    if (!lane->limit || lane->under_way < lane->limit) {
        lane->under_way++;
        call_courier(flow, lane, job);
    } else if (lane->first) {
        lane->last = lane->last->next = job;
    } else {
        lane->first = lane->last = job;
    }
}

/* --- the tile --------------------------------------------------------------------------------- */

/* Half a femtosecond: dates that close are the same time. */
static const double same_date = 0.5e-6;

/* What was posted at `now` leaves then, in order. */
static void start_posted(Flow *flow, Time now)
{
    if (!flow->posted->len) return;
    const double date = time_to_date(now);
    if (date > simgrid_get_clock() + same_date) sg_actor_sleep_until(date);
    for (guint i = 0; i < flow->posted->len; i++) start(flow, flow->posted->pdata[i]);
    g_ptr_array_set_size(flow->posted, 0);
}

/* Sleeps until the tile's next event, and returns its time; a message may arrive meanwhile. The
 * couriers of this very date speak before the tile does. */
static Time sleep_until_due(Flow *flow)
{
    for (;;) {
        const Time next = tile_next(flow->tile);
        if (!flow->common->bundles.in_flight) return next;
        const double now = simgrid_get_clock(), date = time_to_date(next);
        if (next != TIME_NEVER && date <= now + same_date) return next;
        flow->asleep = true;
        if (next == TIME_NEVER)
            sg_sem_acquire(flow->bell);
        else
            sg_sem_acquire_timeout(flow->bell, date - now);
        flow->asleep = false;
        sg_actor_yield();
    }
}

static void run_tile(int argc, char *argv[])
{
    (void)argc, (void)argv;
    Flow *flow = sg_actor_get_data(sg_actor_self());
    while (!flow->common->stop && !tiles_idle(flow->tiles)) {
        const Time now = sleep_until_due(flow);
        tile_run_window(flow->tile, now + 1);
        flow->tiles->windows++;
        start_posted(flow, now);
        outside_look(flow->outside, flow->common, flow->tiles->windows);
    }
    sg_actor_kill_all(); /* all but this one */
}

static bool find_hosts(Flow *flow, GError **error)
{
    flow->host = g_new0(sg_host_t, flow->names->len);
    for (guint i = 0; i < flow->names->len; i++) {
        flow->host[i] = sg_host_by_name(flow->names->pdata[i]);
        if (flow->host[i]) continue;
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                    "the SimGrid platform has no host '%s'", (char *)flow->names->pdata[i]);
        return false;
    }
    return true;
}

bool flow_run(Flow *flow, Tiles *tiles, Outside *outside, GError **error)
{
    if (!find_hosts(flow, error)) return false;
    flow->tiles = tiles;
    flow->tile = tiles->tile[0];
    flow->outside = outside;
    flow->bell = sg_sem_init(0);
    sg_actor_t actor = sg_actor_init("tile", flow->host[0]);
    sg_actor_set_data(actor, flow);
    sg_actor_start_(actor, run_tile, 0, NULL);
    simgrid_run();
    return true;
}
