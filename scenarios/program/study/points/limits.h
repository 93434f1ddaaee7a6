/* What a point may use. */
#pragma once

#include <glib.h>
#include <stdbool.h>

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

/* The value of an option. */
bool limits_check_number(const char *option, gint value, gint least, gint most, GError **error);

/* The CPUs that this process may use: Slurm's, or those of its affinity mask. */
guint limits_processes(void);
