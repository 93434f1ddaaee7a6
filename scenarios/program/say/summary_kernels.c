#include "scenarios/program/say/summary_kernels.h"

#include <math.h>
#include <string.h>

#include "kit/describe/role.h"
#include "scenarios/program/result/kernels.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

enum { LAUNCHES_SHOWN = 12 };

/* --- each launch ------------------------------------------------------------------------------ */

static const char *kernel_role(JsonNode *kernel)
{
    JsonNode *finished = result_member(kernel, "finished");
    if (finished && !json_node_get_boolean(finished)) return "interrupted";
    return result_is_measured(kernel)             ? "measured"
           : result_flag(kernel, "beside", false) ? "beside"
                                                  : "warm-up";
}

static bool any_beside(JsonArray *kernels)
{
    for (guint i = 0; i < result_length(kernels); i++)
        if (result_flag(json_array_get_element(kernels, i), "beside", false)) return true;
    return false;
}

static void add_launch(Table *table, JsonNode *kernel, guint more)
{
    const double gbps = result_number(kernel, "gbps"),
                 load = result_number(kernel, "cycles_per_load"),
                 issue = result_number(kernel, "issue_cycles");
    g_autofree char *issued = isfinite(issue) ? text_grouped(issue, 0) : g_strdup("-");
    g_autofree char *cycles = text_grouped(result_number(kernel, "cycles"), 0);
    g_autofree char *time = text_time(result_number(kernel, "time_ns"));
    table_row(table);
    table_cell(table, "  %s", result_text(kernel, "name"));
    table_note(table, "%s", kernel_role(kernel));
    table_cell(table, "%.0f x %.0f", result_number(kernel, "ctas"),
               result_number(kernel, "threads_per_cta"));
    table_cell(table, "%s", time);
    table_cell(table, "%s", cycles);
    table_cell(table, "%s", issued);
    table_cell(table, isfinite(gbps) ? "%.1f" : "-", gbps);
    table_cell(table, isfinite(load) ? "%.1f" : "-", load);
    if (more) table_note(table, "and %u more", more);
}

void summary_print_launches(JsonNode *result, FILE *out)
{
    static const char *const heads[] = {"CTAs x threads",        "time",         "cycles",
                                        "to the last CTA's end", "GB/s counted", "cycles a load"};
    JsonArray *kernels = result_array(result, "summary.kernels");
    const guint length = result_length(kernels);
    if (!length) return;
    g_autoptr(Table) table = table_new();
    table_row(table);
    table_cell(table, "kernels");
    table_cell(table, " ");
    for (unsigned i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
    const guint shown = MIN(length, LAUNCHES_SHOWN), more = result_count_launches(result) - shown;
    for (guint i = 0; i < shown; i++)
        add_launch(table, json_array_get_element(kernels, i), i + 1 == shown ? more : 0);
    table_print(table, out);
    if (any_beside(kernels))
        fprintf(out, "  beside: not measured itself, and counted with the measured one that it "
                     "started together with\n");
    fprintf(out, "\n");
}

/* --- kernel by kernel ------------------------------------------------------------------------- */

/* Visits the caches that summaries tell of: "L1" and the member "l1_hit_rate". */
static void visit_caches(Table *table, JsonNode *kernel,
                         void (*visit)(Table *table, JsonNode *kernel, const Stat *stat))
{
    for (const UnitClass *const *unit = machine_unit_classes(); *unit; unit++) {
        const Stat *stat = stat_with_role((*unit)->stats, ROLE(member), NULL);
        for (; stat; stat = stat_with_role(stat + 1, ROLE(member), NULL))
            visit(table, kernel, stat);
    }
}

static void add_head_of(Table *table, G_GNUC_UNUSED JsonNode *kernel, const Stat *stat)
{
    const char *words = stat->accesses_of;
    table_cell(table, "%.*s hits", (int)strcspn(words, ","), words);
}

static void add_share(Table *table, double share)
{
    table_cell(table, isfinite(share) ? "%.1f %%" : "-", share * 100);
}

static void add_rate_of(Table *table, JsonNode *kernel, const Stat *stat)
{
    g_autofree char *member = g_strconcat(stat->member, "_hit_rate", NULL);
    add_share(table, result_number(kernel, member));
}

static void add_head(Table *table, const char *first)
{
    static const char *const heads[] = {"time", "share", "DRAM GB/s"};
    table_row(table);
    table_cell(table, "kernel by kernel");
    table_cell(table, "%s", first);
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
    visit_caches(table, NULL, add_head_of);
    table_cell(table, "IPC");
    table_note(table, "bound by");
}

static void add_kernel(Table *table, JsonNode *kernel, const char *name, const char *number)
{
    g_autofree char *time = text_time(result_number(kernel, "time_ns"));
    table_row(table);
    table_cell(table, "  %s", name);
    table_cell(table, "%.0f", result_number(kernel, number));
    table_cell(table, "%s", time);
    add_share(table, result_number(kernel, "time_share"));
    table_cell(table, "%.1f", result_number(kernel, "dram_gbps"));
    visit_caches(table, kernel, add_rate_of);
    table_cell(table, "%.3f", result_number(kernel, "instructions_per_cycle"));
    const char *bound = result_text(kernel, "bound");
    if (bound) table_note(table, "%s", bound);
}

void summary_print_kernels(JsonNode *result, FILE *out)
{
    JsonArray *launches = result_array(result, "kernels"),
              *names = result_array(result, "kernel_names");
    if (!launches || !names) return;
    const bool each = json_array_get_length(launches) <= LAUNCHES_SHOWN;
    JsonArray *rows = each ? launches : names;
    JsonNode *others = each ? NULL : result_member(result, "kernel_rest.others");
    const char *number = each ? "launch" : "launches";
    g_autoptr(Table) table = table_new();
    add_head(table, number);
    for (guint i = 0; i < result_length(rows); i++) {
        JsonNode *kernel = json_array_get_element(rows, i);
        add_kernel(table, kernel, result_text(kernel, "name"), number);
    }
    if (others) add_kernel(table, others, "all other names", number);
    table_print(table, out);
    fprintf(out, "\n");
}
