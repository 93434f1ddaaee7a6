/* Along the pressure: from whatever is full to what that waits for, until something is full that
 * does not drain because of itself. */
#pragma once

#include "scenarios/program/verdict/pressure.h"

/* The end of a way, and the longest way there: of const Pressure *, the end last. */
typedef struct {
    const Pressure *end;
    GPtrArray *way;
} Bound;

/* Of Bound, the most strained first. Connects `list`, which must outlive it. */
GArray *flow_bounds(GPtrArray *list);

/* How full what waits for nobody is: of a channel also how much of its room is under way, there or
 * back, since that is all that keeps it. */
double flow_strain_of_end(const Pressure *end);

/* A server in front of a full one, on the way there, that is nearly as busy, and another part;
 * NULL: there is none. */
const Pressure *flow_find_as_busy(const Pressure *end, const GPtrArray *way);

/* The place in front of servers with time left, of which the last is the end, that takes no more
 * for longer than that works; NULL: there is none. */
const Pressure *flow_find_fuller(const Pressure *end, const GPtrArray *way);

/* What holds CTAs: warps are resident by the launch, so that it is full is no bound. */
gboolean flow_holds_ctas(const Pressure *pressure);

/* A server of a core, and nothing but cores is behind it. */
gboolean flow_executes(const Pressure *pressure);

/* ... that feeds units of the same core only. */
gboolean flow_issues(const GPtrArray *list, const Pressure *pressure);

/* A server with a long queue, or a place that is full as often as not, whether it has refused
 * anybody or not. */
gboolean flow_is_strained(const Pressure *pressure);
