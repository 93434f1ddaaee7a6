/* Reasons that are a change of the latency of requests. */
#include <math.h>

#include "scenarios/program/compare/attribution.h"
#include "scenarios/program/compare/reason.h"
#include "scenarios/program/result/result.h"

typedef struct {
    const char *name;
    gint64 change; /* fs, of all classes */
} StageMove;

/* The stage that moved most in the direction of the whole. */
static StageMove find_stage(const GArray *changes, gint64 whole)
{
    StageMove most = {NULL, 0};
    for (guint i = 0; i < changes->len; i++) {
        const char *stage = g_array_index(changes, StageChange, i).stage;
        gint64 change = 0;
        for (guint k = 0; k < changes->len; k++) {
            const StageChange *other = &g_array_index(changes, StageChange, k);
            if (!g_strcmp0(other->stage, stage)) change += other->after - other->before;
        }
        if ((change < 0) == (whole < 0) && ABS(change) > ABS(most.change))
            most = (StageMove){stage, change};
    }
    return most;
}

/* What latencies are told in: cycles, if those of both are as long. */
typedef struct {
    double fs;
    const char *name;
} Measure;

static Measure measure_of(JsonNode *before, JsonNode *after)
{
    const double cycle = result_core_cycle_ns(before);
    const bool alike = fabs(result_core_cycle_ns(after) / cycle - 1) < 1e-6;
    return alike ? (Measure){cycle * 1e6, "cycles"} : (Measure){1e6, "ns"};
}

static double a_request(JsonNode *result, gint64 fs, Measure measure)
{
    return (double)fs / (double)attribution_requests(result) / measure.fs;
}

static const char *less_or_more(double before, double after)
{
    return after < before ? "less" : "more";
}

/* Where one stage has half of it that stage; else all. */
static char *describe_latency(JsonNode *before, JsonNode *after)
{
    const gint64 old = attribution_total(before), new = attribution_total(after);
    g_autoptr(GArray) changes = attribution_new(before, after);
    const StageMove most = find_stage(changes, new - old);
    const Measure measure = measure_of(before, after);
    const double old_each = a_request(before, old, measure),
                 new_each = a_request(after, new, measure);
    if (most.name && attribution_requests(before) == attribution_requests(after)
        && 2 * fabs((double)most.change) >= fabs((double)(new - old)))
        return g_strdup_printf("%s time in %s (%+.0f %s a request of %.0f)",
                               less_or_more((double)old, (double)new), most.name,
                               a_request(before, most.change, measure), measure.name, old_each);
    return g_strdup_printf("%s latency (%.0f -> %.0f %s a request)",
                           less_or_more(old_each, new_each), old_each, new_each, measure.name);
}

char *reason_of_latency(JsonNode *before, JsonNode *after, double needed)
{
    const gint64 old = attribution_total(before), new = attribution_total(after);
    if (!reason_accounts(needed, (double)old, (double)new)) return NULL;
    if (attribution_requests(before) == attribution_requests(after))
        return describe_latency(before, after);
    const Measure measure = measure_of(before, after);
    return g_strdup_printf("%s time of all requests (%" G_GINT64_FORMAT
                           " of %.0f %s -> %" G_GINT64_FORMAT " of %.0f)",
                           less_or_more((double)old, (double)new), attribution_requests(before),
                           a_request(before, old, measure), measure.name,
                           attribution_requests(after), a_request(after, new, measure));
}

char *reason_of_mean(JsonNode *before, JsonNode *after, double needed)
{
    const Measure measure = measure_of(before, after);
    const double old = a_request(before, attribution_total(before), measure),
                 new = a_request(after, attribution_total(after), measure);
    return reason_accounts(needed, old, new) ? describe_latency(before, after) : NULL;
}
