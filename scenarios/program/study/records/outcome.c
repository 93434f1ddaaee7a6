/* The columns of a study's results. */
#include "scenarios/program/study/records/outcome.h"

#include <string.h>

#include "scenarios/program/verdict/headlines.h"

/* clang-format off */
static const ResultColumn fixed[] = {
    {"time_ns", "ns", "summary.time_ns", BETTER_LOWER,
     "simulated time of the measured kernels"},
    {"end_ns", "ns", "summary.end_ns", BETTER_LOWER,
     "simulated time of the last event: with warm-up, and what was written back behind the kernels"},
    {"core_cycles", "cycles", "summary.core_cycles", BETTER_LOWER,
     "time_ns in cycles of the core clock"},
    {"energy_uj", "uJ", "consumption.total_uj", BETTER_LOWER,
     "energy of the measured kernels: of all events that are counted, of active SMs, and idle power over the time"},
    {"events_uj", "uJ", "consumption.events_uj", BETTER_LOWER, "of it what the events took"},
    {"power_w", "W", "consumption.power_w", BETTER_LOWER, "average power over the measured time"},
    {"peak_power_w", "W", "profile.power.peak_w", BETTER_LOWER,
     "power of the interval that had most, of 64 to 128 in the measured time; where the study has peak_power = yes"},
    {"energy_pj_a_byte", "pJ", "consumption.pj_a_byte", BETTER_LOWER,
     "energy for each byte that lanes asked for"},
    {"dram_pj_a_bit", "pJ", "consumption.dram_pj_a_bit", BETTER_LOWER,
     "energy of DRAM for each bit that it moved: rows, columns, pins and refresh, without idle power"},
    {"storage_bits", "bits", "storage.total_bits", BETTER_LOWER,
     "bits of all arrays, tags, tables, queues and register files of the machine"},
    {"area_mm2", "mm2", "storage.area_mm2", BETTER_LOWER,
     "mm2 of SRAM that its storage takes, roughly: macros of published cells"},
    {"bound", "text", NULL, BETTER_NEITHER,
     "what bound the run: the resource that was busiest, a table that was full, or latency"},
    {"transactions", "", "summary.transactions", BETTER_NEITHER,
     "line transactions completed at L1, or in texture units; one that joins a miss is not counted"},
    {"warp_instructions", "", "summary.warp_instructions", BETTER_NEITHER,
     "instructions that warps issued"},
    {"instructions_per_cycle", "", "summary.instructions_per_cycle", BETTER_HIGHER,
     "warp instructions issued by an SM in a core cycle"},
    {"requested_gbps", "GB/s", "summary.requested_gbps", BETTER_HIGHER,
     "bandwidth of what active lanes asked for"},
    {"counted_gbps", "GB/s", "summary.counted_gbps", BETTER_HIGHER,
     "bandwidth as the benchmark counts its bytes"},
    {"sustained_gbps", "GB/s", "summary.sustained_gbps", BETTER_HIGHER,
     "the same of a long run: with the time that the bus needs for what is not written yet"},
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
    {"probe_latency_mean", "cycles", "summary.probe_latency.mean", BETTER_LOWER,
     "latency of the loads of a chain, whatever else loads: mean"},
    {"probe_latency_p50", "cycles", "summary.probe_latency.p50", BETTER_LOWER,
     "half of the chain's loads took no longer"},
    {"probe_latency_p95", "cycles", "summary.probe_latency.p95", BETTER_LOWER,
     "95 % of the chain's loads took no longer"},
    {"probe_latency_p99", "cycles", "summary.probe_latency.p99", BETTER_LOWER,
     "99 % of the chain's loads took no longer"},
    {"probe_latency_mean_ns", "ns", "summary.probe_latency.mean_ns", BETTER_LOWER,
     "latency of the loads of a chain as a time: mean"},
    {"probe_latency_p50_ns", "ns", "summary.probe_latency.p50_ns", BETTER_LOWER,
     "half of the chain's loads took no longer"},
    {"probe_latency_p95_ns", "ns", "summary.probe_latency.p95_ns", BETTER_LOWER,
     "95 % of the chain's loads took no longer"},
    {"probe_latency_p99_ns", "ns", "summary.probe_latency.p99_ns", BETTER_LOWER,
     "99 % of the chain's loads took no longer"},
    {"offered_gbps", "GB/s", "summary.offered_gbps", BETTER_NEITHER,
     "bandwidth that traffic at a set rate asks for (patterns offered_load, memory_traffic)"},
    {"offered_rate", "", "summary.offered_rate", BETTER_NEITHER,
     "traffic without a GPU: packets or requests that a source made in a cycle"},
    {"accepted_rate", "", "summary.accepted_rate", BETTER_HIGHER,
     "... that arrived of each source in a cycle"},
    {"traffic_latency_mean", "cycles", "summary.traffic_latency.mean", BETTER_LOWER,
     "latency of traffic without a GPU, in cycles of its part's clock: mean"},
    {"traffic_latency_p50", "cycles", "summary.traffic_latency.p50", BETTER_LOWER,
     "half of it took no longer"},
    {"traffic_latency_p95", "cycles", "summary.traffic_latency.p95", BETTER_LOWER,
     "95 % of it took no longer"},
    {"traffic_latency_p99", "cycles", "summary.traffic_latency.p99", BETTER_LOWER,
     "99 % of it took no longer"},
    {"traffic_latency_max", "cycles", "summary.traffic_latency.max", BETTER_LOWER,
     "the slowest of it"},
    {"traffic_latency_mean_ns", "ns", "summary.traffic_latency.mean_ns", BETTER_LOWER,
     "latency of traffic without a GPU as a time: mean"},
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
    {"dram_imbalance", "", "summary.dram.imbalance", BETTER_LOWER,
     "bytes of the busiest DRAM channel over the mean of all: 1 when all carry the same"},
    {"l1_hit_rate", "", "summary.l1.hit_rate", BETTER_HIGHER, "share of L1's accesses that hit"},
    {"l2_hit_rate", "", "summary.l2.hit_rate", BETTER_HIGHER, "share of L2's loads that hit"},
    {"memory_cache_hit_rate", "", "summary.memory_cache.hit_rate", BETTER_HIGHER,
     "share of L2's reads that hit a memory-side cache"},
    {"l2_imbalance", "", "summary.l2.imbalance", BETTER_LOWER,
     "look-ups of the busiest L2 slice over the mean of all: 1 when all are as busy"},
    {"texture_hit_rate", "", "summary.texture.hit_rate", BETTER_HIGHER,
     "share of texture look-ups that hit"},
    {"texture_gsamples_per_s", "G/s", "summary.texture.gsamples_per_s", BETTER_HIGHER,
     "texture samples, in thousands of millions a second"},
    {"texture_latency_mean", "cycles", "summary.texture.mean_latency_cycles", BETTER_LOWER,
     "latency of texture instructions, from issue to the last lane's colour: mean"},
    {"texture_bytes_from_l2", "B", "summary.texture.bytes_from_l2", BETTER_LOWER,
     "bytes of textures read from L2"},
    {"texture_bytes_from_dram", "B", "summary.texture.bytes_from_dram", BETTER_LOWER,
     "bytes of textures read from DRAM"},
    {"shared_accesses", "", "summary.shared_accesses", BETTER_NEITHER,
     "instructions that accessed shared memory"},
    {"shared_passes_per_access", "", "summary.shared_passes_per_access", BETTER_LOWER,
     "passes through shared memory's banks for each access: 1 without bank conflicts"},
    {"local_bytes", "B", "summary.local_bytes", BETTER_LOWER,
     "bytes of local memory (spilled registers) that lanes read and wrote"},
    {"local_write_backs", "", "summary.local_write_backs", BETTER_LOWER,
     "lines of local memory that L1 had to write back"},
    {"mean_hops", "", "summary.mean_hops", BETTER_LOWER,
     "links between routers that a request or reply took: mean"},
};
/* clang-format on */

static void add_headline(const char *column, const char *summary, void *user)
{
    GArray *columns = user;
    const ResultColumn row = {g_strdup(column), "", NULL, BETTER_NEITHER, summary};
    g_array_append_val(columns, row);
}

/* Behind the fixed ones how busy each resource with a headline was. */
static GArray *list_columns(void)
{
    GArray *columns = g_array_new(TRUE, FALSE, sizeof(ResultColumn));
    g_array_append_vals(columns, fixed, G_N_ELEMENTS(fixed));
    headlines_visit_columns(add_headline, columns);
    return columns;
}

static const GArray *all_columns(void)
{
    static GArray *columns;
    if (!columns) columns = list_columns();
    return columns;
}

const ResultColumn *result_columns(void)
{
    return (const ResultColumn *)(const void *)all_columns()->data;
}

guint result_column_count(void)
{
    return all_columns()->len;
}

int result_column_find(const char *name)
{
    for (guint i = 0; i < result_column_count(); i++)
        if (!strcmp(result_columns()[i].name, name)) return (int)i;
    return -1;
}

bool result_column_is_peak(const ResultColumn *column)
{
    return !strcmp(column->name, "peak_power_w");
}

const char *better_name(Better better)
{
    switch (better) {
    case BETTER_LOWER: return "lower";
    case BETTER_HIGHER: return "higher";
    case BETTER_NEITHER: return "neither";
    }
    g_assert_not_reached();
}
