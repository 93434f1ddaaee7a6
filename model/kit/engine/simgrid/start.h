/* SimGrid itself: how it is started, and what its time is. */
#pragma once

#include "kit/describe/time.h"

/* SimGrid merges events that are closer than its precision (1e-9 s by default, and 1e-5 s in some
 * places, whatever it is set to). So its second is one nanosecond here: a femtosecond is 1e-6, and
 * the shortest clock period lies far above all of that. Its clock is a double; exact times are the
 * model's own. */
static inline double time_to_date(Time t)
{
    return (double)t * 1e-6;
}

/* A file with this text that is in no folder, so that whatever ends the process leaves nothing
 * behind: SimGrid reads files only. -1 with errno. */
int engine_keep_text(const char *text);

/* What of a start is the same for all platforms, once for this process and those that it forks. */
void engine_prepare(void);

#define ENGINE_ERROR (g_quark_from_static_string("warpmem-engine"))
enum {
    ENGINE_HAS_ANOTHER, /* platform in this process, or in that which forked it */
    ENGINE_LACKS_A_CALL
};
bool engine_check_free(GError **error);

/* Once a process. `concurrency`: communications that a link carries at once, a FATPIPE any number;
 * -1: no limit. */
bool engine_start(const char *platform_file, int concurrency, GError **error);

/* The same on the text of a platform. SimGrid that has it already is not started again, and is as
 * the last run has left it: that must have been one of a single tile, whose clock has not moved,
 * and nothing else may have been told to SimGrid. */
bool engine_start_on(const char *text, int concurrency, GError **error);
