/* Published measurements, a file for each GPU: scenarios/measured/published/PRESET.txt. A group is
 * a benchmark and says which shipped scenario does the same, and which of its results was measured:
 *
 *     [stream]
 *     title = ...
 *     source = ...
 *     scenario = v100-stream
 *     result = counted_gbps
 *     set =
 *       workload.shared_bytes_per_cta = 48 KiB
 *     points =
 *       curve, workload.threads_per_cta, workload.operation, published
 *       read, 32, read, 72
 *
 * A column is a setting of the scenario; the first is the curve's axis. `curve` may be absent.
 * Where that first is `result`, the points are parts of the one that `result =` names: p10, p40 of
 * probe_latency. Where it is `variant`, they are variants of the scenario. */
#pragma once

#include <glib.h>
#include <stdbool.h>

#define PUBLISHED_ERROR (g_quark_from_static_string("warpmem-published"))

typedef struct {
    char *at;      /* value of the axis */
    char **sets;   /* "workload.threads_per_cta=32" ...; the benchmark's first */
    char *part;    /* of the curve's result; NULL: it is all of it */
    char *variant; /* of the scenario; NULL: what the others start from */
    double value;
} PublishedPoint;

typedef struct {
    char *preset, *name; /* "v100", "stream read" */
    char *title, *source, *scenario, *result, *axis;
    GPtrArray *points; /* of PublishedPoint, never empty */
} PublishedCurve;

/* The names of presets that have published measurements, sorted. */
GStrv published_presets(void);

/* The preset's file, newly allocated. */
char *published_file(const char *preset);

/* All its curves, of PublishedCurve, in the order of the file; NULL with an error that says
 * file:line. */
GPtrArray *published_read(const char *file, const char *preset, GError **error);
