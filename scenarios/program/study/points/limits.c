#include "scenarios/program/study/points/limits.h"

#include <sched.h>
#include <string.h>

#include "kit/describe/decimal.h"
#include "kit/describe/param.h"
#include "scenarios/program/study/plan/manifest.h"

/* --- time ------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double seconds;
} units[] = {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};

static const double SHORTEST_S = 1e-3, LONGEST_S = 1000 * 3600.0;

bool limits_parse_time(const char *option, const char *text, double *seconds, GError **error)
{
    double number = 0;
    const char *end = decimal_read(text, &number);
    g_autofree char *unit = end ? g_strstrip(g_strdup(end)) : NULL;
    for (unsigned i = 0; end && i < G_N_ELEMENTS(units); i++) {
        *seconds = number * units[i].seconds;
        if (!strcmp(unit, units[i].name) && *seconds >= SHORTEST_S && *seconds <= LONGEST_S)
            return true;
    }
    g_set_error(error, STUDY_ERROR, 0,
                "%s %s: not a time from 1 ms to 1000 h with its unit, ms, s, min or h", option,
                text);
    return false;
}

char *limits_format_time(double seconds)
{
    unsigned i = 0;
    while (i + 1 < G_N_ELEMENTS(units) && seconds >= units[i + 1].seconds
           && (units[i].seconds < 1 || seconds >= 2 * units[i + 1].seconds))
        i++;
    return g_strdup_printf("%.10g %s", seconds / units[i].seconds, units[i].name);
}

/* --- memory ----------------------------------------------------------------------------------- */

static const Param memory = {
    .name = "memory",
    .type = PARAM_BYTES,
    .minimum = 1 << 20,
    .maximum = 1.0 * (UINT64_C(1) << 50),
    .summary = "of a point",
};

bool limits_parse_memory(const char *option, const char *text, guint64 *bytes, GError **error)
{
    uint64_t parsed = 0;
    g_autofree char *range = param_describe_range(&memory);
    if (!param_parse(&memory, text, &parsed, NULL)) {
        g_set_error(error, STUDY_ERROR, 0, "%s %s: not an amount of memory: %s", option, text,
                    range);
        return false;
    }
    *bytes = parsed;
    return true;
}

char *limits_format_memory(guint64 bytes)
{
    const uint64_t value = bytes;
    return param_format(&memory, &value);
}

/* --- processes -------------------------------------------------------------------------------- */

static guint slurm_processes(void)
{
    const char *text = g_getenv("SLURM_CPUS_PER_TASK");
    const guint64 count = text ? g_ascii_strtoull(text, NULL, 10) : 0;
    return count <= LIMITS_PROCESSES_MAX ? (guint)count : 0;
}

guint limits_processes(void)
{
    cpu_set_t allowed;
    const guint slurm = slurm_processes();
    if (slurm) return slurm;
    if (sched_getaffinity(0, sizeof allowed, &allowed)) return g_get_num_processors();
    return (guint)CPU_COUNT(&allowed);
}
