#include "scenarios/program/say/summary_traffic.h"

#include <math.h>

#include "scenarios/program/result/result.h"

bool summary_has_traffic(JsonNode *result)
{
    return isfinite(summary_number(result, "offered_rate"))
           || isfinite(summary_number(result, "traffic_latency.mean"));
}

bool summary_has_dram_traffic(JsonNode *result)
{
    return summary_has_traffic(result)
           && summary_number(result, "dram.read_bytes") + summary_number(result, "dram.write_bytes")
                  > 0;
}

static void add_rates(Table *table, JsonNode *result)
{
    const double gbps = summary_number(result, "offered_gbps");
    g_autofree char *offered = isfinite(gbps)
                                   ? g_strdup_printf("a cycle and source: %.1f GB/s", gbps)
                                   : g_strdup("a cycle and source");
    table_line(table, "offered", g_strdup_printf("%.4g", summary_number(result, "offered_rate")),
               offered);
    table_line(table, "accepted", g_strdup_printf("%.4g", summary_number(result, "accepted_rate")),
               "a cycle and source, in the measured time");
}

static void add_latency(Table *table, JsonNode *result)
{
    g_autofree char *time = text_time(summary_number(result, "traffic_latency.mean_ns"));
    g_autofree char *note = g_strdup_printf("cycles, %s; p50 %.1f, p95 %.1f, p99 %.1f, max %.0f",
                                            time, summary_number(result, "traffic_latency.p50"),
                                            summary_number(result, "traffic_latency.p95"),
                                            summary_number(result, "traffic_latency.p99"),
                                            summary_number(result, "traffic_latency.max"));
    table_line(table, "mean latency",
               text_grouped(summary_number(result, "traffic_latency.mean"), 1), note);
}

void summary_add_traffic(Table *table, JsonNode *result)
{
    if (isfinite(summary_number(result, "offered_rate"))) add_rates(table, result);
    if (isfinite(summary_number(result, "traffic_latency.mean"))) add_latency(table, result);
}

char *summary_dram_words(JsonNode *result)
{
    const double bandwidth = summary_number(result, "dram.bandwidth_gbps"),
                 peak = result_dram_peak(result);
    return isfinite(peak) ? g_strdup_printf("DRAM %.1f GB/s of %.1f", bandwidth, peak)
                          : g_strdup_printf("DRAM %.1f GB/s", bandwidth);
}

char *summary_traffic_words(JsonNode *result)
{
    const double mean = summary_number(result, "traffic_latency.mean");
    g_autofree char *latency = isfinite(mean) ? g_strdup_printf("mean latency %.1f cycles", mean)
                                              : g_strdup("no latency measured");
    if (summary_has_dram_traffic(result)) {
        g_autofree char *dram = summary_dram_words(result);
        return g_strdup_printf("%s, %s", dram, latency);
    }
    const double accepted = summary_number(result, "accepted_rate");
    if (!isfinite(accepted)) return g_steal_pointer(&latency);
    return g_strdup_printf("%.4g packets a cycle and source, %s", accepted, latency);
}
