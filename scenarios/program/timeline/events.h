/* Events of the Trace Event Format: what requests and counters have in common. */
#pragma once

#include <glib.h>

enum {
    EVENT_MACHINE = 1,       /* process of the counters */
    EVENT_SM = 2,            /* process of SM 0; the others follow */
    EVENT_CHANNEL = 1000000, /* process of DRAM channel 0; the others follow */
    /* threads of an SM: warps, and requests to DRAM side by side; of a channel: its banks' states,
     * and commands */
    EVENT_WARP = 10000000,
    EVENT_REQUEST = 20000000
};

/* Time in fs as the format has it, microseconds: all digits, no double. */
void event_append_time(GString *out, gint64 fs);
/* The same as a member, in nanoseconds. */
void event_append_nanoseconds(GString *out, const char *name, gint64 fs);

/* A slice of a thread, up to its name, without the brace that closes it. */
void event_open_slice(GString *out, const char *name, gint64 process, gint64 thread, gint64 at,
                      gint64 length);
/* Its thread's name. */
void event_name_thread(GString *out, gint64 process, gint64 thread, const char *name);

/* A metadata event that names a process, or one that says where it stands. */
void event_name_process(GString *out, gint64 process, const char *name, gint64 place);
