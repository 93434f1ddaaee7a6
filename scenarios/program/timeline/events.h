/* Events of the Trace Event Format: what requests and counters have in common. */
#pragma once

#include <glib.h>

enum {
    EVENT_MACHINE = 1, /* process of the counters */
    EVENT_SM = 2       /* process of SM 0; the others follow */
};

/* Time in fs as the format has it, microseconds: all digits, no double. */
void event_append_time(GString *out, gint64 fs);
/* The same as a member, in nanoseconds. */
void event_append_nanoseconds(GString *out, const char *name, gint64 fs);

/* A metadata event that names a process, or one that says where it stands. */
void event_name_process(GString *out, gint64 process, const char *name, gint64 place);
