#include "scenarios/study/outcome.h"

#include <string.h>

/* clang-format off */
static const ResultColumn columns[] = {
    {"time_ns", "ns", "summary.time_ns", BETTER_LOWER,
     "simulated time of the measured kernels"},
    {"core_cycles", "cycles", "summary.core_cycles", BETTER_LOWER,
     "the same in cycles of the core clock"},
    {"transactions", "", "summary.transactions", BETTER_NEITHER,
     "line transactions: distinct lines that warp instructions touched"},
    {"warp_instructions", "", "summary.warp_instructions", BETTER_NEITHER,
     "instructions that warps issued"},
    {"instructions_per_cycle", "", "summary.instructions_per_cycle", BETTER_HIGHER,
     "warp instructions issued by an SM in a core cycle"},
    {"requested_gbps", "GB/s", "summary.requested_gbps", BETTER_HIGHER,
     "bandwidth of what active lanes asked for"},
    {"counted_gbps", "GB/s", "summary.counted_gbps", BETTER_HIGHER,
     "bandwidth as the benchmark counts its bytes"},
    {"cycles_per_load", "cycles", "summary.cycles_per_load", BETTER_LOWER,
     "core cycles that each load of a chain of dependent loads took"},
    {"load_latency_mean", "cycles", "summary.load_latency_cycles.mean", BETTER_LOWER,
     "latency of load instructions, from issue to the last lane's data: mean"},
    {"load_latency_p50", "cycles", "summary.load_latency_cycles.p50", BETTER_LOWER,
     "half of the load instructions took no longer"},
    {"load_latency_p95", "cycles", "summary.load_latency_cycles.p95", BETTER_LOWER,
     "95 % of the load instructions took no longer"},
    {"load_latency_p99", "cycles", "summary.load_latency_cycles.p99", BETTER_LOWER,
     "99 % of the load instructions took no longer"},
    {"load_latency_max", "cycles", "summary.load_latency_cycles.max", BETTER_LOWER,
     "the slowest load instruction"},
    {"dram_gbps", "GB/s", "summary.dram.bandwidth_gbps", BETTER_HIGHER,
     "what DRAM delivered and took"},
    {"dram_peak_gbps", "GB/s", "summary.dram.peak_gbps", BETTER_NEITHER,
     "what DRAM's buses could carry at most"},
    {"dram_read_bytes", "B", "summary.dram.read_bytes", BETTER_LOWER, "bytes read from DRAM"},
    {"dram_write_bytes", "B", "summary.dram.write_bytes", BETTER_LOWER, "bytes written to DRAM"},
    {"row_hit_rate", "", "summary.dram.row_hit_rate", BETTER_HIGHER,
     "share of DRAM requests whose row was open"},
    {"activates_per_request", "", "summary.dram.activates_per_request", BETTER_LOWER,
     "DRAM rows opened for each request"},
    {"l1_hit_rate", "", "summary.l1.hit_rate", BETTER_HIGHER, "share of L1's accesses that hit"},
    {"l2_hit_rate", "", "summary.l2.hit_rate", BETTER_HIGHER, "share of L2's loads that hit"},
    {"texture_hit_rate", "", "summary.texture.hit_rate", BETTER_HIGHER,
     "share of texture look-ups that hit"},
    {"texture_gsamples_per_s", "G/s", "summary.texture.gsamples_per_s", BETTER_HIGHER,
     "texture samples, in thousands of millions a second"},
    {NULL, NULL, NULL, BETTER_NEITHER, NULL},
};
/* clang-format on */

const ResultColumn *result_columns(void)
{
    return columns;
}

guint result_column_count(void)
{
    return G_N_ELEMENTS(columns) - 1;
}

int result_column_find(const char *name)
{
    for (guint i = 0; i < result_column_count(); i++)
        if (!strcmp(columns[i].name, name)) return (int)i;
    return -1;
}
