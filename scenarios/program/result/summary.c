/* `summary` of result.json: the numbers that are asked for first. */
#include <math.h>

#include "kit/describe/role.h"
#include "kit/observe/phase_names.h"
#include "scenarios/program/result/between.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/result/texture.h"
#include "scenarios/program/say/json_text.h"

typedef struct {
    const Run *run;
    const Aggregate *aggregate;
    JsonBuilder *json;
    Time span;
} Summary;

static double gigabytes_per_second(uint64_t bytes, Time span)
{
    return aggregate_ratio((double)bytes * 1e6, (double)span); /* bytes / fs = 1e6 GB/s */
}

static uint64_t number(const Summary *summary, StatMeaning meaning)
{
    return aggregate_number(summary->aggregate, meaning);
}

static void begin(const Summary *summary, const char *name)
{
    json_builder_set_member_name(summary->json, name);
    json_builder_begin_object(summary->json);
}

static double core_cycles(const Summary *summary, Time time)
{
    return time_to_cycles(machine_clock(summary->run->machine, "core"), time);
}

/* For times that lie on edges of the core clock: whole cycles up to rounding. */
static void put_cycles(const Summary *summary, const char *name, Time time)
{
    json_put_integer(summary->json, name, llround(core_cycles(summary, time)));
}

/* What the busiest unit of a class did over what one did on average; nothing where all were
 * idle. */
static void put_imbalance(const Summary *summary, const ClassSum *sum, PhaseLoad load)
{
    uint64_t most = 0, all = 0;
    for (guint i = 0; i < sum->units->len; i++) {
        const uint64_t own = aggregate_load(summary->aggregate, sum->units->pdata[i], &load);
        most = MAX(most, own);
        all += own;
    }
    if (all)
        json_put_real(summary->json, "imbalance", (double)most * sum->units->len / (double)all);
}

/* Of the rows of a class that have the role, with these words. */
static uint64_t count_role(const ClassSum *sum, size_t role, const char *words)
{
    return stats_count_role(sum->class->stats, role, words, sum->sum);
}

/* Whatever they found. */
static uint64_t count_row_requests(const Summary *summary)
{
    uint64_t count = 0;
    for (guint i = 0; i < summary->aggregate->classes->len; i++)
        count += count_role(summary->aggregate->classes->pdata[i], ROLE(outcome), NULL);
    return count;
}

static void put_dram_imbalance(const Summary *summary)
{
    const ClassSum *sum = aggregate_that_means(summary->aggregate, NULL, MEANS_BYTES_FROM_DRAM);
    if (!sum) return;
    put_imbalance(summary, sum,
                  (PhaseLoad){stat_that_means(sum->class->stats, MEANS_BYTES_FROM_DRAM),
                              stat_that_means(sum->class->stats, MEANS_BYTES_TO_DRAM)});
}

static void put_dram(const Summary *summary)
{
    const uint64_t read = number(summary, MEANS_BYTES_FROM_DRAM);
    const uint64_t written = number(summary, MEANS_BYTES_TO_DRAM);
    const uint64_t moved = result_dram_bytes(summary->run, summary->aggregate);
    const double requests = (double)count_row_requests(summary);
    begin(summary, "dram");
    json_put_number(summary->json, "read_bytes", read);
    json_put_number(summary->json, "write_bytes", written);
    json_put_number(summary->json, "unwritten_bytes", result_unwritten_bytes(summary->aggregate));
    json_put_real(
        summary->json, "bandwidth_gbps",
        gigabytes_per_second(moved, result_dram_span(summary->run, moved, summary->span)));
    const double peak = machine_peak_dram_bandwidth(summary->run->machine);
    if (isfinite(peak)) json_put_real(summary->json, "peak_gbps", peak / 1e9);
    json_put_real(summary->json, "row_hit_rate",
                  aggregate_ratio((double)number(summary, MEANS_ROW_HITS), requests));
    json_put_real(summary->json, "activates_per_request",
                  aggregate_ratio((double)number(summary, MEANS_ACTIVATES), requests));
    put_dram_imbalance(summary);
    json_builder_end_object(summary->json);
}

/* A store of a full sector needs no fetch, so that counting it as a hit would flatter the cache:
 * where a cache tells loads apart, the rate is theirs. */
static void put_hit_rate(const Summary *summary, const ClassSum *sum, const char *cache)
{
    const Stat *loads = stat_with_role(sum->class->stats, ROLE(loads_of), cache);
    const char *words = loads ? loads->accesses_of : cache;
    const uint64_t hits = count_role(sum, ROLE(hits_of), words),
                   of = count_role(sum, ROLE(accesses_of), words);
    json_put_real(summary->json, "hit_rate", aggregate_ratio((double)hits, (double)of));
    if (!loads) return;
    json_put_number(summary->json, "reads", of);
    json_put_number(summary->json, "load_hits", hits);
}

/* `accesses` is the row that says that the summary tells of the cache. */
static void put_cache(const Summary *summary, const ClassSum *sum, const Stat *accesses)
{
    const char *cache = accesses->accesses_of;
    begin(summary, accesses->member);
    put_hit_rate(summary, sum, cache);
    json_put_number(summary->json, "accesses", count_role(sum, ROLE(accesses_of), cache));
    json_put_number(summary->json, "hits", count_role(sum, ROLE(hits_of), cache));
    json_put_number(summary->json, "misses", count_role(sum, ROLE(misses_of), cache));
    json_put_number(summary->json, "merged", count_role(sum, ROLE(merged_of), cache));
    put_imbalance(summary, sum, (PhaseLoad){accesses, NULL});
    json_builder_end_object(summary->json);
}

static void put_caches(const Summary *summary)
{
    for (guint i = 0; i < summary->aggregate->classes->len; i++) {
        const ClassSum *sum = summary->aggregate->classes->pdata[i];
        const Stat *stat = stat_with_role(sum->class->stats, ROLE(member), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(member), NULL))
            if (!stat->if_any || stat_number(stat, sum->sum)) put_cache(summary, sum, stat);
    }
}

static const struct {
    const char *name;
    double share;
} percentiles[] = {{"p10", 0.10}, {"p40", 0.40}, {"p50", 0.50}, {"p60", 0.60},
                   {"p90", 0.90}, {"p95", 0.95}, {"p99", 0.99}};

/* Durations of all units that have the statistic, in cycles of theirs. */
static void put_latency(const Summary *summary, StatMeaning meaning)
{
    const Histogram *latency = aggregate_times(summary->aggregate, meaning);
    const ClassSum *sum = aggregate_that_means(summary->aggregate, NULL, meaning);
    const Clock *clock = ((const Unit *)sum->units->pdata[0])->clock;
    json_put_number(summary->json, "count", latency->count);
    json_put_real(summary->json, "mean",
                  time_to_cycles(clock, latency->sum) / (double)latency->count);
    for (unsigned i = 0; i < G_N_ELEMENTS(percentiles); i++) {
        const Time time = histogram_percentile(latency, percentiles[i].share);
        json_put_real(summary->json, percentiles[i].name, time_to_cycles(clock, time));
    }
    json_put_integer(summary->json, "max", llround(time_to_cycles(clock, latency->maximum)));
}

static void put_latency_ns(const Summary *summary, const Histogram *latency)
{
    json_put_real(summary->json, "mean_ns", time_to_ns(latency->sum) / (double)latency->count);
    for (unsigned i = 0; i < G_N_ELEMENTS(percentiles); i++) {
        g_autofree char *name = g_strconcat(percentiles[i].name, "_ns", NULL);
        json_put_real(summary->json, name,
                      time_to_ns(histogram_percentile(latency, percentiles[i].share)));
    }
}

static void put_latency_and_ns(const Summary *summary, const char *name, StatMeaning meaning)
{
    const Histogram *latency = aggregate_times(summary->aggregate, meaning);
    if (!latency || !latency->count) return;
    begin(summary, name);
    put_latency(summary, meaning);
    put_latency_ns(summary, latency);
    json_builder_end_object(summary->json);
}

/* Of all loads of warps, and of those of a chain. */
static void put_latencies(const Summary *summary)
{
    const Histogram *all = aggregate_times(summary->aggregate, MEANS_LOAD_LATENCY);
    if (all && all->count) {
        begin(summary, "load_latency_cycles");
        put_latency(summary, MEANS_LOAD_LATENCY);
        json_builder_end_object(summary->json);
    }
    put_latency_and_ns(summary, "probe_latency", MEANS_DEPENDENT_LOAD_LATENCY);
}

/* Of the launches, in order; what ran of one that was interrupted counts from the end of the one
 * before. */
typedef struct {
    const Launch *launch;
    Time begin, span;
    bool finished;
    Time issue;             /* of `span`, until its last CTA had ended */
    Time counted;           /* in which it did what it counts, result_counted_span */
    const KernelTime *told; /* of which `launch` is told; NULL: it is not */
} KernelSpan;

static KernelSpan finished_span(const KernelTime *time)
{
    return (KernelSpan){.launch = time->launch,
                        .begin = time->start,
                        .span = time->end - time->start,
                        .finished = true,
                        .issue = time->issued - time->start};
}

/* The launch that an interrupt found running; its `launch` is NULL when there is none. */
static KernelSpan unfinished_span(const Run *run)
{
    const GArray *times = machine_kernel_times(run->machine);
    const GArray *launches = run->launches->launches;
    const Time last = times->len ? g_array_index(times, KernelTime, times->len - 1).end : 0;
    if (run->report->outcome != RUN_INTERRUPTED || times->len >= launches->len
        || run->report->end <= last)
        return (KernelSpan){.launch = NULL};
    return (KernelSpan){.launch = &g_array_index(launches, Launch, times->len),
                        .begin = last,
                        .span = run->report->end - last};
}

/* Its warps have ended; what they stored and reduced is acknowledged: its time is the latter. */
static void put_ends(const Summary *summary, const KernelSpan *time)
{
    put_cycles(summary, "issue_cycles", time->issue);
    json_put_real(summary->json, "issue_end_ns", time_to_ns(time->begin + time->issue));
    json_put_real(summary->json, "memory_end_ns", time_to_ns(time->begin + time->span));
}

static bool is_beside(const LaunchList *list, const Launch *launch)
{
    return !launch->measured
           && phase_launch_is_beside(list, (guint)(launch - launch_list_at(list, 0)));
}

static void put_kernel(const Summary *summary, const KernelSpan *time)
{
    const Kernel *kernel = time->launch->kernel;
    json_builder_begin_object(summary->json);
    json_put_text(summary->json, "name", kernel->name ? kernel->name : "kernel");
    json_put_number(summary->json, "number", time->launch->number);
    json_put_bool(summary->json, "measured", time->launch->measured);
    if (is_beside(summary->run->launches, time->launch))
        json_put_bool(summary->json, "beside", true);
    json_put_bool(summary->json, "finished", time->finished);
    json_put_number(summary->json, "ctas", kernel->ctas);
    json_put_number(summary->json, "threads_per_cta", kernel->threads_per_cta);
    if (kernel->spill_loads || kernel->spill_stores) {
        json_put_number(summary->json, "spill_loads_per_thread", kernel->spill_loads);
        json_put_number(summary->json, "spill_stores_per_thread", kernel->spill_stores);
    }
    for (uint32_t i = 0; i < kernel->fact_count; i++)
        json_put_real(summary->json, kernel->facts[i].name, kernel->facts[i].value);
    json_put_real(summary->json, "begin_ns", time_to_ns(time->begin));
    put_cycles(summary, "cycles", time->span);
    json_put_real(summary->json, "time_ns", time_to_ns(time->span));
    if (time->finished) put_ends(summary, time);
    if (kernel->counted_bytes && time->finished)
        json_put_real(summary->json, "gbps",
                      gigabytes_per_second(kernel->counted_bytes, time->counted));
    if (kernel->dependent_loads && time->finished)
        json_put_real(summary->json, "cycles_per_load",
                      core_cycles(summary, time->span) / (double)kernel->dependent_loads);
    if (time->told)
        json_put_node(summary->json, "launch",
                      result_launch(summary->run->machine, time->launch, time->told));
    json_builder_end_object(summary->json);
}

/* Of a longer list `kernel_rows` of the result has a line for each. */
enum { KERNELS_TOLD = 1000 };

static void put_kernels(const Summary *summary)
{
    const GArray *times = machine_kernel_times(summary->run->machine);
    const KernelSpan unfinished = unfinished_span(summary->run);
    g_autofree bool *told =
        aggregate_is_whole(summary->aggregate) ? result_launches_told(times) : NULL;
    json_builder_set_member_name(summary->json, "kernels");
    json_builder_begin_array(summary->json);
    guint left_out = 0;
    for (guint i = 0, count = 0; i < times->len; i++) {
        KernelSpan span = finished_span(&g_array_index(times, KernelTime, i));
        if (!aggregate_has_launch(summary->aggregate, i)) continue;
        const bool in_full = told ? told[i] : count < LAUNCHES_TOLD;
        if (count++ >= KERNELS_TOLD && !in_full) {
            left_out++;
            continue;
        }
        if (in_full && machine_is_whole(summary->run->machine))
            span.told = &g_array_index(times, KernelTime, i);
        span.counted = result_counted_span(summary->run, summary->aggregate, i);
        put_kernel(summary, &span);
    }
    if (unfinished.launch && aggregate_has_launch(summary->aggregate, times->len))
        put_kernel(summary, &unfinished);
    json_builder_end_array(summary->json);
    if (left_out) json_put_number(summary->json, "kernels_left_out", left_out);
}

/* L2 takes some of what a short run stores, and a published one is long: it counts what it does
 * when the bus has carried that too. */
static void put_counted(const Summary *summary, uint64_t bytes, Time span)
{
    const uint64_t kept = result_kept_bytes(summary->aggregate);
    json_put_real(summary->json, "counted_gbps", gigabytes_per_second(bytes, span));
    json_put_real(
        summary->json, "sustained_gbps",
        gigabytes_per_second(bytes, span + machine_dram_time(summary->run->machine, kept)));
}

/* Bandwidth as the benchmark counts it, over the time in which any of the measured kernels runs
 * that say what it counts, and cycles a load of a chase, over the times of those that are one. */
static void put_benchmark(const Summary *summary)
{
    const GArray *times = machine_kernel_times(summary->run->machine);
    bool counted = false;
    uint64_t bytes = 0, loads = 0;
    double offered = NAN;
    Time bytes_span = 0, loads_span = 0, until = 0;
    for (guint i = 0; times && i < times->len; i++) {
        const KernelTime *time = &g_array_index(times, KernelTime, i);
        const Kernel *kernel = time->launch->kernel;
        if (!time->launch->measured || time->end <= time->start
            || !aggregate_has_launch(summary->aggregate, i))
            continue;
        bytes += kernel->counted_bytes;
        loads += kernel->dependent_loads;
        counted |= kernel->counted_bytes && !kernel->counts_requested;
        if (kernel->counted_bytes) {
            const Time beside = MIN(MAX(until, time->start), time->end) - time->start;
            bytes_span += result_counted_span(summary->run, summary->aggregate, i) - beside;
            until = MAX(until, time->end);
        }
        if (kernel->dependent_loads) loads_span += time->end - time->start;
        offered = fmax(offered, kernel_fact(kernel, "offered_gbps"));
    }
    if (isfinite(offered)) json_put_real(summary->json, "offered_gbps", offered);
    if (counted) put_counted(summary, bytes, bytes_span);
    if (loads)
        json_put_real(summary->json, "cycles_per_load",
                      core_cycles(summary, loads_span) / (double)loads);
}

/* What the first level of memory did besides caching: shared memory, and local memory, which holds
 * spilled registers. */
static void put_first_level(const Summary *summary)
{
    const uint64_t shared = number(summary, MEANS_SHARED_ACCESSES);
    const uint64_t local = number(summary, MEANS_LOCAL_BYTES);
    if (shared) {
        json_put_number(summary->json, "shared_accesses", shared);
        json_put_real(summary->json, "shared_passes_per_access",
                      (double)number(summary, MEANS_SHARED_PASSES) / (double)shared);
    }
    if (!local) return;
    json_put_number(summary->json, "local_bytes", local);
    json_put_number(summary->json, "local_write_backs", number(summary, MEANS_LOCAL_WRITE_BACKS));
}

/* Of traffic into a part of the machine: what a source makes in a cycle, and what of it arrives. */
static void put_traffic(const Summary *summary)
{
    const double cycles = (double)number(summary, MEANS_TRAFFIC_CYCLES);
    put_latency_and_ns(summary, "traffic_latency", MEANS_TRAFFIC_LATENCY);
    if (!(cycles > 0)) return;
    json_put_real(summary->json, "offered_rate",
                  (double)number(summary, MEANS_TRAFFIC_MADE) / cycles);
    json_put_real(summary->json, "accepted_rate",
                  (double)number(summary, MEANS_TRAFFIC_ACCEPTED) / cycles);
}

/* Links between stops that a request or a reply took. */
static void put_hops(const Summary *summary)
{
    const uint64_t delivered = number(summary, MEANS_PACKETS_DELIVERED);
    if (!delivered) return;
    json_put_real(summary->json, "mean_hops",
                  (double)number(summary, MEANS_HOPS) / (double)delivered);
}

static void put_all(const Summary *summary)
{
    put_cycles(summary, "core_cycles", summary->span);
    json_put_real(summary->json, "time_ns", time_to_ns(summary->span));
    json_put_real(summary->json, "end_ns", time_to_ns(summary->run->report->end));
    json_put_number(summary->json, "transactions",
                    number(summary, MEANS_LINE_TRANSACTIONS)
                        + result_texture_data_lines(summary->aggregate));
    json_put_number(summary->json, "warp_instructions", number(summary, MEANS_WARP_INSTRUCTIONS));
    if (summary->span)
        json_put_real(summary->json, "instructions_per_cycle",
                      (double)number(summary, MEANS_WARP_INSTRUCTIONS)
                          / core_cycles(summary, summary->span)
                          / (double)machine_params(summary->run->machine)->sms);
    json_put_real(summary->json, "requested_gbps",
                  gigabytes_per_second(number(summary, MEANS_REQUESTED_BYTES), summary->span));
    put_benchmark(summary);
    put_dram(summary);
    put_caches(summary);
    put_first_level(summary);
    result_put_texture_data(summary->json, summary->aggregate);
    result_put_texture(summary->run->machine, summary->json, summary->aggregate, summary->span);
    put_hops(summary);
    put_traffic(summary);
    put_latencies(summary);
    const bool whole = aggregate_is_whole(summary->aggregate);
    if (whole) result_put_chosen(summary->json, summary->run->launches);
    if (!summary->aggregate->many) put_kernels(summary);
    if (whole) result_put_between(summary->json, summary->run);
}

bool run_reached_measurement(const Run *run)
{
    const GArray *times = machine_kernel_times(run->machine);
    const KernelSpan unfinished = unfinished_span(run);
    for (guint i = 0; i < times->len; i++)
        if (g_array_index(times, KernelTime, i).launch->measured) return true;
    return unfinished.launch && unfinished.launch->measured;
}

Time run_unfinished_span(const Run *run)
{
    const KernelSpan unfinished = unfinished_span(run);
    return unfinished.launch && unfinished.launch->measured ? unfinished.span : 0;
}

JsonNode *result_summary(const Run *run, const Aggregate *aggregate)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    const Summary summary = {run, aggregate, json, aggregate->span};
    json_builder_begin_object(json);
    put_all(&summary);
    json_builder_end_object(json);
    return json_builder_get_root(json);
}
