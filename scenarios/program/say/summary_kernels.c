#include "scenarios/program/say/summary_kernels.h"

#include <math.h>
#include <string.h>

#include "kit/describe/role.h"
#include "scenarios/program/result/kernels.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

enum { LAUNCHES_SHOWN = 12, NAMES_SHOWN = 24 };

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

static void add_kernel(Table *table, JsonNode *kernel, const char *number)
{
    g_autofree char *time = text_time(result_number(kernel, "time_ns"));
    table_row(table);
    table_cell(table, "  %s", result_text(kernel, "name"));
    table_cell(table, "%.0f", result_number(kernel, number));
    table_cell(table, "%s", time);
    add_share(table, result_number(kernel, "time_share"));
    table_cell(table, "%.1f", result_number(kernel, "dram_gbps"));
    visit_caches(table, kernel, add_rate_of);
    table_cell(table, "%.2f", result_number(kernel, "instructions_per_cycle"));
    table_note(table, "%s", result_text(kernel, "bound"));
}

void summary_print_kernels(JsonNode *result, FILE *out)
{
    JsonArray *launches = result_array(result, "kernels"),
              *names = result_array(result, "kernel_names");
    if (!launches || !names) return;
    const bool each = json_array_get_length(launches) <= LAUNCHES_SHOWN;
    JsonArray *rows = each ? launches : names;
    const guint shown = MIN(json_array_get_length(rows), NAMES_SHOWN);
    g_autoptr(Table) table = table_new();
    add_head(table, each ? "launch" : "launches");
    for (guint i = 0; i < shown; i++)
        add_kernel(table, json_array_get_element(rows, i), each ? "launch" : "launches");
    table_print(table, out);
    fprintf(out, "\n");
}
