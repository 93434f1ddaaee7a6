/* What a point may use. */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* Of options. */
enum { LIMITS_PROCESSES_MAX = 4096, LIMITS_RETRIES_MAX = 100 };

typedef struct {
    double time_s;        /* wall time; 0: no limit */
    guint64 memory_bytes; /* resident; 0: no limit */
} PointLimits;

/* "60 s", "500 ms", "10 min", "2 h"; the error begins with the option's name. */
bool limits_parse_time(const char *option, const char *text, double *seconds, GError **error);
/* "2 GiB" */
bool limits_parse_memory(const char *option, const char *text, guint64 *bytes, GError **error);

/* "60 s", "2 GiB"; newly allocated. */
char *limits_format_time(double seconds);
char *limits_format_memory(guint64 bytes);

/* The CPUs that this process may use: Slurm's, or those of its affinity mask. */
guint limits_processes(void);
