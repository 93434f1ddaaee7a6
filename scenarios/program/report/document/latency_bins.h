/* Bins for a chart out of a histogram's buckets, [bucket, count, ...] in ascending order. A bin has
 * whole buckets, so its count is exact. */
#pragma once

#include <json-glib/json-glib.h>

/* An axis whose end is more than so many times its beginning is logarithmic. */
#define LATENCY_WIDE 8

typedef struct {
    guint64 from; /* fs; it ends where the next one begins */
    gint64 count;
} LatencyBin;

/* Of LatencyBin, empty ones between others too, and a last one of count 0 that is the end. Bins are
 * equally long, or eight an octave if the latencies are far apart. `buckets` may be NULL. */
GArray *latency_bins_new(JsonArray *buckets, gboolean *logarithmic);

/* "p50" and its member of a histogram, "p50_fs". Ends with a row without name. */
typedef struct {
    const char *name, *member;
} LatencyPercentile;

const LatencyPercentile *latency_percentiles(void);

/* Of guint64, fs: where to say how many requests took no longer, 32 an octave, from where there is
 * none yet until where there are all. */
GArray *latency_edges_new(JsonArray *const *buckets, guint count);
gboolean latency_edges_are_wide(const GArray *edges);
/* In %. */
double latency_share_below(JsonArray *buckets, guint64 edge);
