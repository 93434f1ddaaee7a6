#include "scenarios/program/say/summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kit/describe/role.h"
#include "scenarios/program/cost/assumed.h"
#include "scenarios/program/cost/energy.h"
#include "scenarios/program/cost/power.h"
#include "scenarios/program/cost/stack.h"
#include "scenarios/program/origin/rests_on.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/launches.h"
#include "scenarios/program/say/summary_between.h"
#include "scenarios/program/say/summary_kernels.h"
#include "scenarios/program/say/summary_texture.h"
#include "scenarios/program/say/summary_traffic.h"
#include "scenarios/program/say/table.h"
#include "scenarios/program/time/say.h"
#include "scenarios/program/verdict/headlines.h"
#include "scenarios/program/verdict/verdict.h"

enum { BAR_WIDTH = 30 };

static void print_head(JsonNode *result, FILE *out)
{
    fprintf(out, "%s, %s%s\n", result_text(result, "scenario"), result_text(result, "variant"),
            result_is_partial(result) ? " (partial: interrupted)" : "");
    launches_print_chosen(result_member(result, "summary"), out);
    fprintf(out, "\n");
}

static void add_dram(Table *table, JsonNode *result)
{
    g_autofree char *read = text_bytes(summary_number(result, "dram.read_bytes"));
    g_autofree char *written = text_bytes(summary_number(result, "dram.write_bytes"));
    const double bandwidth = summary_number(result, "dram.bandwidth_gbps");
    const double peak = result_dram_peak(result);
    g_autofree char *of =
        isfinite(peak)
            ? g_strdup_printf("%.0f %% of the peak of %.1f GB/s: ", 100 * bandwidth / peak, peak)
            : g_strdup("");
    const bool any = summary_number(result, "dram.read_bytes") > 0
                     || summary_number(result, "dram.write_bytes") > 0;
    g_autofree char *hits = any ? g_strdup_printf(", row hits %.1f %%",
                                                  100 * summary_number(result, "dram.row_hit_rate"))
                                : g_strdup("");
    g_autofree char *note = g_strdup_printf("%sread %s, written %s%s", of, read, written, hits);
    table_line(table, "DRAM bus", g_strdup_printf("%.1f GB/s", bandwidth), note);
}

/* Time that was measured; or, of a run that came to no measured launch, all that was simulated. */
static void add_time(Table *table, JsonNode *result)
{
    if (!result_is_measured(result)) {
        table_line(table,
                   result_is_partial(result) ? "simulated (interrupted in warm-up)"
                                             : "simulated (no launch is measured)",
                   text_time(summary_number(result, "end_ns")), "");
        return;
    }
    g_autofree char *cycles = text_grouped(summary_number(result, "core_cycles"), 0);
    g_autofree char *core = g_strdup_printf("%s core cycles", cycles);
    table_line(table, "measured time", text_time(summary_number(result, "time_ns")), core);
}

/* It may be more than the bus carries, while L2 takes what is stored. */
static void add_counted(Table *table, JsonNode *result, double counted)
{
    const double unwritten = summary_number(result, "dram.unwritten_bytes"),
                 sustained = summary_number(result, "sustained_gbps");
    g_autofree char *bytes = text_bytes(isfinite(unwritten) ? unwritten : 0);
    g_autofree char *note = g_strdup_printf(
        "as the benchmark counts its bytes; %.1f when DRAM also has the last %s of them", sustained,
        bytes);
    table_line(table, "counted", g_strdup_printf("%.1f GB/s", counted),
               sustained < counted ? note : "as the benchmark counts its bytes");
}

static void add_bandwidths(Table *table, JsonNode *result)
{
    const double counted = summary_number(result, "counted_gbps"),
                 offered = summary_number(result, "offered_gbps");
    if (isfinite(counted)) add_counted(table, result, counted);
    if (isfinite(offered))
        table_line(table, "offered", g_strdup_printf("%.1f GB/s", offered),
                   "what the traffic's rate asks for");
    table_line(table, "requested",
               g_strdup_printf("%.1f GB/s", summary_number(result, "requested_gbps")),
               "bytes asked for by lanes");
    add_dram(table, result);
}

static void add_first_level(Table *table, JsonNode *result)
{
    const double passes = summary_number(result, "shared_passes_per_access");
    const double local = summary_number(result, "local_bytes");
    g_autofree char *note = g_strdup_printf(
        "accesses of %.2f passes: bank conflicts, and values wider than a pass", passes);
    if (isfinite(passes))
        table_line(table, "shared memory",
                   text_grouped(summary_number(result, "shared_accesses"), 0), note);
    if (isfinite(local))
        table_line(table, "local memory", text_bytes(local),
                   "of spills and the stack, as lanes load and store them");
}

/* What warps did, and asked for. */
static void add_work(Table *table, JsonNode *result)
{
    const double chase = summary_number(result, "cycles_per_load");
    table_line(table, "line transactions", text_grouped(summary_number(result, "transactions"), 0),
               "");
    table_line(table, "warp instructions",
               text_grouped(summary_number(result, "warp_instructions"), 0), "");
    add_first_level(table, result);
    if (isfinite(chase))
        table_line(table, "cycles a load", text_grouped(chase, 1),
                   "time of the chases / dependent loads");
    if (result_is_measured(result)) add_bandwidths(table, result);
}

/* Where most of it went. */
static void add_energy(Table *table, JsonNode *result)
{
    JsonNode *energy = result_member(result, "consumption");
    const double total = energy ? result_number(energy, "total_uj") : NAN;
    if (!(total > 0)) return;
    g_autofree char *line = energy_line(energy), *assumed = energy_assumed_sentence(result);
    g_autofree char *power = power_text(result);
    g_autofree char *note = g_strdup_printf("%s: %s%s", power, line, assumed);
    table_line(table, "energy", g_strdup_printf("%.4g uJ", total), note);
}

static void add_suspects(Table *table, JsonNode *result)
{
    g_autoptr(GArray) counters = result_counters(result, machine_unit_classes());
    for (guint i = 0; i < counters->len; i++) {
        const Counter *counter = &g_array_index(counters, Counter, i);
        if (counter->stat->suspect)
            table_line(table, counter->stat->suspect, text_grouped(counter->sum, 0),
                       counter->stat->summary);
    }
}

static void print_times(JsonNode *result, FILE *out)
{
    g_autoptr(Table) table = table_new();
    add_time(table, result);
    if (summary_has_traffic(result))
        summary_add_traffic(table, result);
    else
        add_work(table, result);
    if (summary_has_dram_traffic(result)) add_dram(table, result);
    add_suspects(table, result);
    if (result_is_measured(result)) add_energy(table, result);
    table_print(table, out);
}

static void print_resources(JsonNode *result, FILE *out)
{
    g_autoptr(Table) table = table_new();
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autoptr(GArray) resources = headlines_with(result, (const char *const *)verdict->ends);
    table_row(table);
    table_cell(table, "busy");
    for (guint i = 0; i < resources->len; i++) {
        const Headline *resource = &g_array_index(resources, Headline, i);
        if (!(resource->utilisation > 0)) continue;
        g_autofree char *bar = text_bar(resource->utilisation, BAR_WIDTH);
        table_row(table);
        table_cell(table, "  %s", resource->name);
        table_cell(table, "%.0f %%", resource->utilisation * 100);
        table_note(table, "%-*s", BAR_WIDTH, bar);
        table_note(table, "%s", resource->measure);
    }
    table_print(table, out);
}

/* Of a member of the summary; `columns` has a NULL for what the row does not have. */
static void add_numbers(Table *table, JsonNode *result, const char *member,
                        const char *const columns[4])
{
    for (unsigned i = 0; i < 4; i++) {
        g_autofree char *path = g_strdup_printf("%s.%s", member, columns[i]);
        const double value = columns[i] ? summary_number(result, path) : NAN;
        g_autofree char *number = isfinite(value) ? text_grouped(value, 0) : g_strdup("-");
        table_cell(table, "%s", number);
    }
}

/* `of`: the column with what it is a rate of; of nothing there is none. */
static void add_hit_rate(Table *table, JsonNode *result, const char *member, const char *of)
{
    g_autofree char *path = g_strconcat(member, ".hit_rate", NULL),
                    *accesses = g_strconcat(member, ".", of, NULL);
    const bool any = summary_number(result, accesses) > 0;
    table_cell(table, any ? "%.1f %%" : "-", 100 * summary_number(result, path));
}

static bool is_in_summary(JsonNode *result, const char *member)
{
    g_autofree char *path = g_strconcat(member, ".accesses", NULL);
    return isfinite(summary_number(result, path));
}

static const char *const all[] = {"accesses", "hits", "merged", "misses"};

/* The rate of one that tells loads apart is theirs: "L2, all requests" is "L2" then. */
static void add_cache(Table *table, JsonNode *result, const UnitClass *unit, const Stat *accesses)
{
    static const char *const reads[] = {"reads", "load_hits", NULL, NULL};
    const char *words = accesses->accesses_of;
    const Stat *loads = stat_with_role(unit->stats, ROLE(loads_of), words);
    table_row(table);
    table_cell(table, "  %.*s", (int)(loads ? strcspn(words, ",") : strlen(words)), words);
    add_numbers(table, result, accesses->member, all);
    if (loads) {
        table_cell(table, "-");
        table_row(table);
        table_cell(table, "  %s", loads->accesses_of);
        add_numbers(table, result, accesses->member, reads);
    }
    add_hit_rate(table, result, accesses->member, loads ? *reads : *all);
}

/* What the texture units looked up, in whatever tags. */
static void add_textures(Table *table, JsonNode *result)
{
    static const char *const data[] = {"accesses", "hits", NULL, "misses"};
    static const struct {
        const char *title, *member;
        const char *const *columns;
    } rows[] = {{"texture cache, loads", "texture_data", data}, {"texels", "texture", all}};
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        if (!is_in_summary(result, rows[i].member)) continue;
        table_row(table);
        table_cell(table, "  %s", rows[i].title);
        add_numbers(table, result, rows[i].member, rows[i].columns);
        add_hit_rate(table, result, rows[i].member, *rows[i].columns);
    }
}

static void print_caches(JsonNode *result, FILE *out)
{
    static const char *const heads[] = {"accesses", "hits", "merged", "misses", "hit rate"};
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "caches");
    for (unsigned i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(member), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(member), NULL))
            if (is_in_summary(result, stat->member)) add_cache(table, result, *unit, stat);
        if (stat_that_means((*unit)->stats, MEANS_TEXTURE_LOOKUPS)) add_textures(table, result);
    }
    table_print(table, out);
}

static void print_latency(JsonNode *result, const char *title, const char *name, FILE *out)
{
    static const char *const members[] = {"mean", "p50", "p95", "p99", "max"};
    double cycles[G_N_ELEMENTS(members)];
    for (guint i = 0; i < G_N_ELEMENTS(members); i++) {
        g_autofree char *path = g_strconcat(name, ".", members[i], NULL);
        cycles[i] = summary_number(result, path);
    }
    const double cycle_ns = result_core_cycle_ns(result);
    g_autofree char *mean = text_time(cycles[0] * cycle_ns);
    fprintf(out, "  %s in cycles: mean %.0f (%s), p50 %.0f, p95 %.0f, p99 %.0f, max %.0f\n", title,
            cycles[0], isfinite(cycle_ns) ? mean : "-", cycles[1], cycles[2], cycles[3], cycles[4]);
}

static void print_latencies(JsonNode *result, FILE *out)
{
    if (!isfinite(summary_number(result, "load_latency_cycles.mean"))) return;
    fprintf(out, "\n");
    print_latency(result, "warp load latency", "load_latency_cycles", out);
    if (isfinite(summary_number(result, "offered_gbps"))
        && isfinite(summary_number(result, "probe_latency.mean")))
        print_latency(result, "probe's latency", "probe_latency", out);
}

/* --- stages ----------------------------------------------------------------------------------- */

static void add_stage(Table *table, const char *name, double cycles, double share)
{
    g_autofree char *bar = text_bar(share, BAR_WIDTH);
    table_row(table);
    table_cell(table, "    %s", name);
    table_cell(table, "%.1f", cycles);
    table_cell(table, "%.1f %%", share * 100);
    table_note(table, "%s", bar);
}

static void print_class(const char *name, JsonNode *sums, double fs_per_cycle, FILE *out)
{
    const double count = result_number(sums, "count"), latency = result_number(sums, "latency");
    g_autoptr(Table) table = table_new();
    g_autoptr(GList) members = json_object_get_members(json_node_get_object(sums));
    g_autofree char *requests = text_grouped(count, 0);
    fprintf(out, "\n  %s: %s requests, %.1f cycles each\n", name, requests,
            latency / count / fs_per_cycle);
    double rest = latency;
    for (const GList *member = members; member; member = member->next) {
        const double spent = result_number(sums, member->data);
        if (!strcmp(member->data, "count") || !strcmp(member->data, "latency")
            || spent < 0.005 * latency)
            continue;
        add_stage(table, member->data, spent / count / fs_per_cycle, spent / latency);
        rest -= spent;
    }
    if (rest > 0.5) add_stage(table, "others", rest / count / fs_per_cycle, rest / latency);
    table_print(table, out);
}

/* Of the core clock, or of the part's that traffic goes into. */
static double cycle_ns(JsonNode *result)
{
    if (summary_has_traffic(result))
        return summary_number(result, "traffic_latency.mean_ns")
               / summary_number(result, "traffic_latency.mean");
    return result_core_cycle_ns(result);
}

/* Classes below this share of all latency are left out. */
static const double WORTH_PRINTING = 0.03;

static void print_stages(JsonNode *result, FILE *out)
{
    JsonNode *stages = result_member(result, "stages");
    const double fs_per_cycle = cycle_ns(result) * 1e6;
    if (!stages || !JSON_NODE_HOLDS_OBJECT(stages) || !isfinite(fs_per_cycle)) return;
    g_autoptr(GList) classes = json_object_get_members(json_node_get_object(stages));
    double total = 0;
    for (const GList *name = classes; name; name = name->next)
        total += result_number(json_object_get_member(json_node_get_object(stages), name->data),
                               "latency");
    if (total > 0) fprintf(out, "\n  where requests spent their time, cycles a request\n");
    for (const GList *name = classes; name; name = name->next) {
        JsonNode *sums = json_object_get_member(json_node_get_object(stages), name->data);
        if (result_number(sums, "latency") > WORTH_PRINTING * total)
            print_class(name->data, sums, fs_per_cycle, out);
    }
}

/* --- counters --------------------------------------------------------------------------------- */

static char *counter_text(const Counter *counter)
{
    if (counter->stat->type == STAT_TIME) return text_time(counter->sum * 1e-6);
    return counter->stat->type == STAT_BYTES ? text_bytes(counter->sum)
                                             : text_grouped(counter->sum, 0);
}

static void print_counters(JsonNode *result, FILE *out)
{
    g_autoptr(GArray) counters = result_counters(result, machine_unit_classes());
    g_autoptr(Table) table = table_new();
    if (counters->len) fprintf(out, "\n  what was counted, of all units\n");
    for (guint i = 0; i < counters->len; i++) {
        const Counter *counter = &g_array_index(counters, Counter, i);
        g_autofree char *name =
            g_strdup_printf("  %s.%s", counter->unit->name, counter->stat->name);
        table_line(table, name, counter_text(counter), counter->stat->summary);
    }
    table_print(table, out);
}

void summary_print(JsonNode *result, bool details, FILE *out)
{
    print_head(result, out);
    print_times(result, out);
    print_latencies(result, out);
    fprintf(out, "\n");
    if (!summary_has_traffic(result)) {
        print_caches(result, out);
        fprintf(out, "\n");
    }
    summary_print_texture(result, out);
    if (!summary_has_traffic(result)) summary_print_launches(result, out);
    summary_print_kernels(result, out);
    if (details) launches_print(result, out);
    summary_print_between(result, out);
    if (!result_is_measured(result)) return;
    print_resources(result, out);
    if (!details) {
        time_spent_print_brief(result, out);
        fprintf(out, "  all of it, and where requests spent theirs: --details\n");
        return;
    }
    time_spent_print(result, out);
    print_stages(result, out);
    energy_stack_print(result, out);
    print_counters(result, out);
}

void summary_conclude(JsonNode *result, FILE *out)
{
    if (!result_is_measured(result)) return;
    g_autofree char *time = text_time(summary_number(result, "time_ns"));
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autofree char *rest = rests_on_sentence(result, verdict);
    g_autofree char *words =
        summary_has_traffic(result) ? summary_traffic_words(result) : summary_dram_words(result);
    fprintf(out, "  %s takes %s%s, %s\n", result_text(result, "variant"), time,
            result_is_partial(result) ? " (partial)" : "", words);
    fprintf(out, "  bound by %s\n", verdict->sentence);
    if (rest) fprintf(out, "    which %s\n", rest);
    if (verdict->chain) fprintf(out, "    pressure comes along %s\n", verdict->chain);
}

/* ", 860 stale hits" */
static char *suspects_words(JsonNode *result)
{
    g_autoptr(GArray) counters = result_counters(result, machine_unit_classes());
    GString *words = g_string_new(NULL);
    for (guint i = 0; i < counters->len; i++) {
        const Counter *counter = &g_array_index(counters, Counter, i);
        g_autofree char *count = text_grouped(counter->sum, 0);
        if (counter->stat->suspect)
            g_string_append_printf(words, ", %s %s", count, counter->stat->suspect);
    }
    return g_string_free(words, FALSE);
}

void summary_print_brief(JsonNode *result, FILE *out)
{
    const bool measured = result_is_measured(result);
    g_autofree char *time = text_time(summary_number(result, measured ? "time_ns" : "end_ns"));
    if (!measured) {
        fprintf(out, "%s: %s simulated, nothing measured\n", result_text(result, "variant"), time);
        return;
    }
    g_autoptr(Verdict) verdict = verdict_new(result);
    g_autofree char *words =
        summary_has_traffic(result)
            ? summary_traffic_words(result)
            : g_strdup_printf("DRAM %.1f GB/s", summary_number(result, "dram.bandwidth_gbps"));
    g_autofree char *suspects = suspects_words(result);
    fprintf(out, "%s: %s, %s%s; bound by %s\n", result_text(result, "variant"), time, words,
            suspects, verdict->sentence);
}
