/* What each level did of what it could. */
#include <math.h>
#include <string.h>

#include "scenarios/program/report/document/numbers.h"
#include "scenarios/program/report/run/page.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/result/verdict.h"

Figure *run_utilisation(JsonNode *result)
{
    Figure *figure = figure_new("utilisation", NULL);
    figure_column(figure, "resource", NULL);
    figure_column(figure, "used", "%");
    figure_mark(figure, FIGURE_X, 100, "all of it");
    g_autoptr(GArray) resources = verdict_resources(result);
    for (guint i = 0; i < resources->len; i++) {
        const Resource *resource = &g_array_index(resources, Resource, i);
        if (!isfinite(resource->utilisation)) continue;
        figure_row(figure);
        figure_text(figure, resource->name);
        figure_number(figure, resource->utilisation * 100);
    }
    return figure;
}

typedef struct {
    JsonNode *result;
    Figure *figure;
    double time_ns, cycles; /* of the core clock */
} Levels;

static void add_level(const Levels *levels, const char *name, const char *unit, const double of[2])
{
    if (!isfinite(of[0]) || !(of[1] > 0)) return;
    figure_row(levels->figure);
    figure_text(levels->figure, name);
    figure_number(levels->figure, of[0]);
    figure_number(levels->figure, of[1]);
    figure_text(levels->figure, unit);
    figure_number(levels->figure, of[0] / of[1] * 100);
}

/* Bytes a nanosecond are GB/s; cycles of a clock in Hz are so many a nanosecond. */
static double clock_ghz(JsonNode *result, const char *name)
{
    return number_parameter(result, name) * 1e-9;
}

static void add_front(const Levels *levels)
{
    JsonNode *result = levels->result;
    const double sms = number_units(result, "sm"), firsts = number_units(result, "l1");
    const double pass =
        number_parameter(result, "l1.data_banks") * number_parameter(result, "l1.data_bank_bytes");
    const double lookups = number_sum(result, "l1.wavefronts + l1.writes + l1.shared_passes");
    add_level(levels, "CTA launch", "CTAs a cycle",
              (double[]){number_total(result, "cta_dispatcher.ctas") / levels->cycles,
                         1 / number_parameter(result, "cta_dispatcher.launch_interval")});
    add_level(levels, "SM issue", "cycles with an issue, of each cycle",
              (double[]){number_total(result, "sm.issue_cycles") / levels->cycles / sms, 1});
    add_level(levels, "warps", "resident, in each SM",
              (double[]){number_total(result, "sm.resident_warps.mean"),
                         number_parameter(result, "sm.max_warps")});
    add_level(levels, "L1 look-up", "a cycle, in each L1",
              (double[]){lookups / levels->cycles / firsts,
                         number_parameter(result, "l1.lookups_per_interval")
                             / number_parameter(result, "l1.lookup_interval")});
    add_level(levels, "L1 data", "GB/s, of whole passes",
              (double[]){number_total(result, "l1.data_passes") * pass / levels->time_ns,
                         firsts * pass * clock_ghz(result, "machine.core_clock")});
    add_level(levels, "outstanding misses", "entries, in each L1",
              (double[]){number_total(result, "l1.prt.mean"),
                         number_parameter(result, "l1.prt_entries")});
}

/* What comes out of a crossbar, headers included. */
static void add_network(const Levels *levels, const char *part, const char *exits)
{
    JsonNode *result = levels->result;
    g_autofree char *key = g_strdup_printf("network.%s_destination_bandwidth", part);
    g_autofree char *name = g_strdup_printf("%s network", part);
    if (g_strcmp0(result_text(result, "parameters.network.timing"), "packet") != 0) return;
    add_level(levels, name, "GB/s",
              (double[]){number_of_part(result, part, "crossbar.bytes") / levels->time_ns,
                         number_units(result, exits) * number_parameter(result, key)
                             * clock_ghz(result, "machine.network_clock")});
}

static void add_back(const Levels *levels)
{
    JsonNode *result = levels->result;
    const double slices = number_units(result, "l2_slice"),
                 clock = clock_ghz(result, "machine.l2_clock");
    const double port = slices * number_parameter(result, "l2_slice.data_bandwidth") * clock;
    add_level(
        levels, "L2 look-up", "a cycle, in each slice",
        (double[]){number_total(result, "l2_slice.accesses") / (levels->time_ns * clock) / slices,
                   1 / number_parameter(result, "l2_slice.lookup_interval")});
    add_level(levels, "L2 data", "GB/s, of the ports that read",
              (double[]){port * number_total(result, "l2_slice.data_busy")
                             / (levels->time_ns * 1e6 * slices),
                         port});
    add_level(levels, "outstanding fetches", "entries, in each slice",
              (double[]){number_total(result, "l2_slice.pending.mean"),
                         number_parameter(result, "l2_slice.pending_entries")});
    if (g_strcmp0(result_text(result, "parameters.dram.ideal"), "bandwidth") != 0)
        add_level(levels, "DRAM bus", "GB/s",
                  (double[]){result_number(result, "summary.dram.bandwidth_gbps"),
                             result_number(result, "summary.dram.peak_gbps")});
}

Figure *run_levels(JsonNode *result)
{
    Figure *figure = figure_new("achieved_and_peak", NULL);
    figure_column(figure, "level", NULL);
    figure_column(figure, "achieved", NULL);
    figure_column(figure, "peak", NULL);
    figure_column(figure, "measured in", NULL);
    figure_column(figure, "share", "%");
    const Levels levels = {result, figure, result_number(result, "summary.time_ns"),
                           result_number(result, "summary.core_cycles")};
    if (!(levels.time_ns > 0)) return figure;
    add_front(&levels);
    add_network(&levels, "request", "l2_slice");
    add_back(&levels);
    add_network(&levels, "reply", "sm");
    return figure;
}
