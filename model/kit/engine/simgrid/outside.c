#include "kit/engine/simgrid/outside.h"

/* A window may be so short that asking for the host's time would cost more than the window. */
enum { PROGRESS_PERIOD_US = 200000, WINDOWS_BETWEEN_LOOKS = 128 };

/* Behind it stamps of requests and sums over many units would begin anew, unseen. */
static void stop_at_latest(Common *common)
{
    common_stop(common, RUN_FAILED,
                g_error_new(g_quark_from_static_string("warpmem-run"), RUN_FAILED,
                            "simulated time has come to %.0f s, and is counted up to %.0f s: "
                            "fewer or shorter kernels, or faster clocks",
                            time_to_ns(common->now) * 1e-9, time_to_ns(TIME_LATEST) * 1e-9));
}

void outside_look(Outside *outside, Common *common, uint64_t windows)
{
    if (outside->interrupted && !common->stop) common_stop(common, RUN_INTERRUPTED, NULL);
    if (common->now > TIME_LATEST && !common->stop) stop_at_latest(common);
    if (!outside->progress || windows % WINDOWS_BETWEEN_LOOKS) return;
    const gint64 host_time = g_get_monotonic_time();
    if (host_time < outside->progress_at) return;
    outside->progress_at = host_time + PROGRESS_PERIOD_US;
    outside->progress(outside->progress_user, common->now);
}
