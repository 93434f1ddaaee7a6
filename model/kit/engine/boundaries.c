#include "kit/engine/boundaries.h"

void boundaries_init(Boundaries *boundaries)
{
    boundaries->announced = g_array_new(FALSE, TRUE, sizeof(Boundary));
    boundaries->cursors = g_ptr_array_new();
}

void boundaries_finish(Boundaries *boundaries)
{
    g_array_unref(boundaries->announced);
    g_ptr_array_unref(boundaries->cursors);
}

void boundaries_follow(Boundaries *boundaries, BoundaryCursor *cursor)
{
    *cursor = (BoundaryCursor){.at = TIME_NEVER};
    g_ptr_array_add(boundaries->cursors, cursor);
}

static Time time_of(const Boundaries *boundaries, guint number)
{
    return number < boundaries->announced->len
               ? g_array_index(boundaries->announced, Boundary, number).at
               : TIME_NEVER;
}

/* The region of interest begins once: statistics go on from one measured kernel to the next, over
 * what is not measured between them. */
static bool opens_region(Boundaries *boundaries, const Boundary *boundary)
{
    if (boundaries->measured || !boundary->launch->measured) return false;
    boundaries->measured = true;
    return boundary->kind == BOUNDARY_KERNEL_START;
}

static bool closes_region(Boundaries *boundaries, const Boundary *boundary)
{
    if (boundary->kind != BOUNDARY_KERNEL_END || !boundary->launch->measured) return false;
    return !boundaries->measured_left || !--boundaries->measured_left;
}

/* All cursors hear at once, those of tiles that are ahead on the host too: none of them has come to
 * the boundary's time yet. */
void boundaries_announce(Boundaries *boundaries, const Boundary *boundary, Time now)
{
    g_assert(boundary->at >= now + boundaries->delay);
    Boundary announced = *boundary;
    announced.opens_region = opens_region(boundaries, boundary);
    announced.last = boundaries->measured_left == 1;
    announced.closes_region = closes_region(boundaries, boundary);
    announced.edge =
        boundaries->phases ? phases_announce(boundaries->phases, &announced) : PHASE_GOES_ON;
    g_array_append_val(boundaries->announced, announced);
    for (guint i = 0; i < boundaries->cursors->len; i++) {
        BoundaryCursor *cursor = boundaries->cursors->pdata[i];
        cursor->at = time_of(boundaries, cursor->next);
    }
}

bool boundaries_cross(const Boundaries *boundaries, BoundaryCursor *cursor, Time until,
                      Boundary *boundary)
{
    if (cursor->at > until || cursor->next == boundaries->announced->len) return false;
    /* a copy: the array may move when a unit announces the next one */
    *boundary = g_array_index(boundaries->announced, Boundary, cursor->next);
    cursor->at = time_of(boundaries, ++cursor->next);
    return true;
}

Time boundaries_end(const Boundaries *boundaries)
{
    const guint count = boundaries->announced->len;
    return count ? time_of(boundaries, count - 1) : 0;
}
