#include "scenarios/program/verdict/flow.h"

#include <math.h>

/* From here on a server's queue is long, and a place holds somebody up as often as not. */
static const double BUSY = 0.75, OFTEN_FULL = 0.5;
/* What is full waits for the most strained of what it feeds, if that is strained at all. */
static const double STRAINED = 0.35;
/* A server that works for so much of the time in which a place is full fills it, and what has so
 * much of another's time accounts for it. */
static const double MOST_OF_IT = 0.5;
/* Of two servers the one behind bounds if it is so nearly as busy. */
static const double NEARLY = 0.9;
/* A place that is full for so little of the time holds up hardly anybody. */
static const double HARDLY = 0.02;

gboolean flow_holds_ctas(const Pressure *pressure)
{
    return pressure->class->limits && pressure->row && !pressure->server;
}

gboolean flow_executes(const Pressure *pressure)
{
    return pressure->server && pressure->class->limits && pressure->row && !pressure->row->feeds;
}

gboolean flow_issues(const GPtrArray *list, const Pressure *pressure)
{
    if (!pressure->server || !pressure->class->limits) return FALSE;
    const GArray *next = pressure_next(list, pressure);
    for (guint i = 0; i < next->len; i++) {
        const Pressure *fed = list->pdata[g_array_index(next, guint, i)];
        if (fed->class != pressure->class || !fed->server) return FALSE;
    }
    return next->len > 0;
}

/* A place of which all is taken holds up those that come then, if any do. */
static gboolean holds_up(const Pressure *place)
{
    const gboolean counts = place->channel || place->row->refusals;
    return !flow_holds_ctas(place) && (place->refused > 0 || !counts);
}

gboolean flow_is_strained(const Pressure *pressure)
{
    return pressure_strain(pressure) >= (pressure->server ? BUSY : OFTEN_FULL);
}

static gboolean may_hold_up(const Pressure *pressure)
{
    return pressure->server ? TRUE : holds_up(pressure);
}

static gboolean is_full(const Pressure *pressure)
{
    return flow_is_strained(pressure) && may_hold_up(pressure);
}

/* One of several servers that none is full of is no way along which anything is held up. */
static double pull_of(const Pressure *pressure)
{
    return pressure->server && !is_full(pressure) ? pressure->use : pressure_strain(pressure);
}

static const Pressure *more_strained(const Pressure *a, const Pressure *b)
{
    return !a || pull_of(b) > pull_of(a) ? b : a;
}

/* It takes no more from `pressure` itself. NULL: none does. */
static const Pressure *refused_by(const GPtrArray *list, const Pressure *pressure, GPtrArray *way)
{
    const Pressure *most = NULL;
    const GArray *next = pressure_next(list, pressure);
    for (guint i = 0; i < next->len; i++) {
        const Pressure *other = list->pdata[g_array_index(next, guint, i)];
        if (pressure_strain(other) >= STRAINED && may_hold_up(other)
            && !g_ptr_array_find(way, other, NULL))
            most = more_strained(most, other);
    }
    return most;
}

/* What is behind it, however far: of guint, places in the list. */
static GArray *list_behind(const GPtrArray *list, const Pressure *pressure)
{
    g_autofree gboolean *seen = g_new0(gboolean, list->len);
    GArray *open = g_array_new(FALSE, FALSE, sizeof(guint)),
           *behind = g_array_new(FALSE, FALSE, sizeof(guint));
    const GArray *next = pressure_next(list, pressure);
    g_array_append_vals(open, next->data, next->len);
    for (guint i = 0; i < open->len; i++) {
        const guint index = g_array_index(open, guint, i);
        if (seen[index] || flow_holds_ctas(list->pdata[index])) continue;
        seen[index] = TRUE;
        g_array_append_val(behind, index);
        next = pressure_next(list, list->pdata[index]);
        g_array_append_vals(open, next->data, next->len);
    }
    g_array_unref(open);
    return behind;
}

/* The server has work for about as long as the place is full, or longer. */
static gboolean works_as_long(const Pressure *server, const Pressure *place)
{
    return server->server && pressure_strain(server) >= STRAINED
           && pressure_strain(server) >= NEARLY * pressure_strain(place);
}

/* It holds the place up in bursts only: the place is full for longer than it has work. */
static gboolean has_time_left(const GPtrArray *list, const Pressure *server, const Pressure *place,
                              GPtrArray *way)
{
    return server->server && !is_full(server) && !works_as_long(server, place)
           && !refused_by(list, server, way);
}

/* `server`, unless another one that the place's accesses come to has more work. */
static const Pressure *busiest_behind(const GPtrArray *list, const Pressure *place,
                                      const Pressure *server, GPtrArray *way)
{
    g_autoptr(GArray) behind = list_behind(list, place);
    for (guint i = 0; i < behind->len; i++) {
        const Pressure *other = list->pdata[g_array_index(behind, guint, i)];
        if (other->server && !g_ptr_array_find(way, other, NULL)
            && pull_of(other) > pull_of(server))
            server = other;
    }
    return server;
}

/* Of all that is behind it, however far, the most strained that is full; NULL: nothing is. */
static const Pressure *full_behind(const GPtrArray *list, const Pressure *pressure, GPtrArray *way)
{
    g_autoptr(GArray) behind = list_behind(list, pressure);
    const Pressure *full = NULL;
    for (guint i = 0; i < behind->len; i++) {
        const Pressure *other = list->pdata[g_array_index(behind, guint, i)];
        if (is_full(other) && !g_ptr_array_find(way, other, NULL))
            full = more_strained(full, other);
    }
    return full;
}

/* A place also fills because what is in it is long under way: it may wait for something full
 * behind others that are not, or else for the server there with most work. */
static const Pressure *waits_behind(const GPtrArray *list, const Pressure *place, GPtrArray *way)
{
    const Pressure *full = full_behind(list, place, way), *busy = NULL;
    g_autoptr(GArray) behind = list_behind(list, place);
    for (guint i = 0; !full && i < behind->len; i++) {
        const Pressure *other = list->pdata[g_array_index(behind, guint, i)];
        if (works_as_long(other, place) && !g_ptr_array_find(way, other, NULL))
            busy = more_strained(busy, other);
    }
    return full ? full : busy;
}

/* The next has by far not as much. Of what has a part in its time less is enough, and a place may
 * be what leaves time to a server that is not full. */
static gboolean has_its_own_work(const Pressure *server, const Pressure *next)
{
    if (!next || !(is_full(server) || next->server)) return FALSE;
    const double enough = pressure_refuses(next, server) ? MOST_OF_IT : NEARLY;
    return pressure_strain(next) < enough * pressure_strain(server);
}

/* What is full behind it, and nearly for as long; NULL: nothing is. */
static const Pressure *as_full_behind(const GPtrArray *list, const Pressure *pressure,
                                      GPtrArray *way)
{
    const Pressure *full = full_behind(list, pressure, way);
    return full && pressure_strain(full) >= NEARLY * pressure_strain(pressure) ? full : NULL;
}

/* A full server that something always waited for would have work for as long as the channel to it
 * is full: what keeps the channel's places the rest of the time is their way there and back. */
static gboolean is_long_for_its_room(const GPtrArray *list, const Pressure *pressure,
                                     const Pressure *next, GPtrArray *way)
{
    return pressure->channel && next->server && is_full(next) && !works_as_long(next, pressure)
           && !as_full_behind(list, pressure, way);
}

/* What is in a channel is gone when it is taken. Where all that take it are places that are hardly
 * ever full, it waits for nobody behind these: the channel is too long for its room. */
static gboolean is_taken_at_once(const GPtrArray *list, const Pressure *pressure)
{
    const GArray *next = pressure_next(list, pressure);
    if (!pressure->channel) return FALSE;
    for (guint i = 0; i < next->len; i++) {
        const Pressure *other = list->pdata[g_array_index(next, guint, i)];
        if (other->server || pressure_strain(other) > HARDLY) return FALSE;
    }
    return next->len > 0;
}

/* What is in a unit's room is on its way through the unit's server while that has time left. Where
 * it works for most of the time in which the room is full, it fills it in bursts. */
static gboolean is_on_its_way(const Pressure *place, const Pressure *server)
{
    return server->class == place->class
           && pressure_strain(server) < MOST_OF_IT * pressure_strain(place);
}

/* A place that mostly has room, and is full for less than half as long as the one in front. */
static gboolean holds_less(const Pressure *next, const Pressure *place)
{
    return !next->server && pressure_strain(next) < OFTEN_FULL
           && pressure_strain(next) < pressure_strain(place) / 2;
}

/* NULL: it waits for nobody. */
static const Pressure *next_on(const GPtrArray *list, const Pressure *pressure, GPtrArray *way)
{
    const Pressure *next = refused_by(list, pressure, way);
    if (pressure->server)
        return has_its_own_work(pressure, next) ? as_full_behind(list, pressure, way) : next;
    if (next && holds_less(next, pressure) && !waits_behind(list, pressure, way)) return NULL;
    if (!next) return is_taken_at_once(list, pressure) ? NULL : waits_behind(list, pressure, way);
    if (is_long_for_its_room(list, pressure, next, way)) return NULL;
    if (!has_time_left(list, next, pressure, way)) return next;
    const Pressure *busiest = busiest_behind(list, pressure, next, way);
    return busiest == next && is_on_its_way(pressure, next) ? NULL : busiest;
}

static const Pressure *at(const GPtrArray *way, guint index)
{
    return way->pdata[index];
}

static gboolean is_link(const Pressure *pressure)
{
    return pressure->server && pressure->class->place == PLACE_NETWORK;
}

/* Links behind each other carry the same packets: of the last ones the fullest bounds. */
static void end_at_the_fullest(GPtrArray *way)
{
    guint most = way->len - 1;
    for (guint i = most; is_link(at(way, i)); i--) {
        if (pressure_strain(at(way, i)) > pressure_strain(at(way, most))) most = i;
        if (!i) break;
    }
    g_ptr_array_set_size(way, (gint)most + 1);
}

/* Nothing behind the server is full for as long as it works, and the end, which has no part in its
 * time, is by far not as busy: little of the time is left in which that could hold it up. */
static gboolean leads_to_less(const GPtrArray *way, guint server)
{
    const Pressure *full = at(way, server), *end = at(way, way->len - 1);
    for (guint i = server; i + 1 < way->len; i++) {
        if (pressure_refuses(end, at(way, i))) return FALSE;
        if (pressure_strain(at(way, i + 1)) >= pressure_strain(full)) return FALSE;
    }
    return pressure_strain(end) < NEARLY * pressure_strain(full);
}

/* Of const Pressure *, from `first` to the one that waits for nobody. */
static GPtrArray *follow(const GPtrArray *list, const Pressure *first)
{
    GPtrArray *way = g_ptr_array_new();
    guint to_server = 0; /* length of the way to the last busy server */
    for (const Pressure *next = first; next; next = next_on(list, next, way)) {
        g_ptr_array_add(way, (gpointer)(uintptr_t)next);
        if (next->server && pressure_strain(next) >= BUSY) to_server = way->len;
    }
    const Pressure *end = at(way, way->len - 1);
    /* a place at the end only tells that what is in it takes long: the server bounds */
    if (to_server && !end->server && works_as_long(at(way, to_server - 1), end))
        g_ptr_array_set_size(way, (gint)to_server);
    if (to_server && leads_to_less(way, to_server - 1)) g_ptr_array_set_size(way, (gint)to_server);
    end_at_the_fullest(way);
    return way;
}

static void bound_clear(gpointer bound)
{
    g_ptr_array_unref(((Bound *)bound)->way);
}

static void add_way(GArray *bounds, GPtrArray *way)
{
    const Pressure *end = way->pdata[way->len - 1];
    for (guint i = 0; i < bounds->len; i++) {
        Bound *bound = &g_array_index(bounds, Bound, i);
        if (bound->end != end) continue;
        if (way->len > bound->way->len) {
            GPtrArray *shorter = bound->way;
            bound->way = way;
            way = shorter;
        }
        g_ptr_array_unref(way);
        return;
    }
    const Bound bound = {end, way};
    g_array_append_val(bounds, bound);
}

double flow_strain_of_end(const Pressure *end)
{
    const double strain = pressure_strain(end);
    return end->channel ? fmax(strain, fmax(end->use, end->most_use)) : strain;
}

static int compare_strain(gconstpointer a, gconstpointer b)
{
    const double x = flow_strain_of_end(((const Bound *)a)->end),
                 y = flow_strain_of_end(((const Bound *)b)->end);
    return x < y ? 1 : x > y ? -1 : 0;
}

GArray *flow_bounds(GPtrArray *list)
{
    GArray *bounds = g_array_new(FALSE, FALSE, sizeof(Bound));
    g_array_set_clear_func(bounds, bound_clear);
    for (guint i = 0; i < list->len; i++)
        if (is_full(list->pdata[i])) add_way(bounds, follow(list, list->pdata[i]));
    g_array_sort(bounds, compare_strain);
    return bounds;
}

/* What goes through both needs either for as long. Parts of one component are made faster
 * together, and of one unit the one's time may be part of the other's. */
static gboolean holds_up_as_much(const Pressure *other, const Pressure *end)
{
    return other->server
           && other->class != end->class && pressure_strain(other) >= NEARLY * pressure_strain(end)
           && g_strcmp0(pressure_component(other), pressure_component(end)) != 0;
}

const Pressure *flow_find_as_busy(const Pressure *end, const GPtrArray *way)
{
    const Pressure *most = NULL;
    if (!end->server || pressure_strain(end) < BUSY) return NULL;
    for (guint i = 0; way && i < way->len; i++) {
        const Pressure *other = way->pdata[i];
        if (!holds_up_as_much(other, end)) continue;
        if (!most || pressure_strain(other) > pressure_strain(most)) most = other;
    }
    return most;
}

const Pressure *flow_find_fuller(const Pressure *end, const GPtrArray *way)
{
    for (guint i = way && end->server ? way->len : 0; i-- > 0;) {
        const Pressure *other = at(way, i);
        if (!other->server) return works_as_long(end, other) ? NULL : other;
        if (is_full(other)) return NULL;
    }
    return NULL;
}
