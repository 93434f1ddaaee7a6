#include "kit/engine/simgrid/outside.h"

/* A window may be so short that asking for the host's time would cost more than the window. */
enum { PROGRESS_PERIOD_US = 200000, WINDOWS_BETWEEN_LOOKS = 128 };

void outside_look(Outside *outside, Common *common, uint64_t windows)
{
    if (outside->interrupted && !common->stop) common_stop(common, RUN_INTERRUPTED, NULL);
    if (!outside->progress || windows % WINDOWS_BETWEEN_LOOKS) return;
    const gint64 host_time = g_get_monotonic_time();
    if (host_time < outside->progress_at) return;
    outside->progress_at = host_time + PROGRESS_PERIOD_US;
    outside->progress(outside->progress_user, common->now);
}
