#include "scenarios/program/cost/stack.h"

#include <math.h>
#include <string.h>

#include "kit/describe/stage.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

static const char NO_STAGE[] = "instructions and arithmetic, refresh: what is on no request's way",
                  ACTIVE[] = "power of SMs with CTAs above that of idle ones, whatever they do",
                  IDLE[] = "power over the measured time, whatever happens in it";

/* NaN: the result does not have it. */
static double part_of(JsonNode *result, const char *path, const char *name)
{
    g_autofree char *whole = g_strdup_printf("consumption.%s%s", path, name);
    return result_number(result, whole);
}

static void add_part(GArray *parts, const char *name, const char *summary, double uj)
{
    if (uj > 0) g_array_append_val(parts, ((EnergyPart){name, summary, 0, uj}));
}

static double size_of(const EnergyPart *part)
{
    return fabs(part->after - part->before);
}

static gint compare_parts(gconstpointer a, gconstpointer b)
{
    const double x = size_of(a), y = size_of(b);
    if (x > y || x < y) return x < y ? 1 : -1;
    return strcmp(((const EnergyPart *)a)->name, ((const EnergyPart *)b)->name);
}

GArray *energy_stack_new(JsonNode *result)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(EnergyPart));
    for (unsigned stage = 0; stage < STAGE_COUNT; stage++)
        add_part(parts, stage_name(stage), stage_summary(stage),
                 part_of(result, "stages.", stage_name(stage)));
    add_part(parts, "no stage", NO_STAGE, part_of(result, "no_stage_uj", ""));
    add_part(parts, "active SMs", ACTIVE, part_of(result, "active_uj", ""));
    add_part(parts, "idle", IDLE, part_of(result, "idle_uj", ""));
    g_array_sort(parts, compare_parts);
    return parts;
}

static EnergyPart *find_part(const GArray *parts, const char *name)
{
    for (guint i = 0; i < parts->len; i++) {
        EnergyPart *part = &g_array_index(parts, EnergyPart, i);
        if (!strcmp(part->name, name)) return part;
    }
    return NULL;
}

GArray *energy_changes_new(JsonNode *before, JsonNode *after)
{
    GArray *changes = energy_stack_new(after);
    g_autoptr(GArray) first = energy_stack_new(before);
    for (guint i = 0; i < first->len; i++) {
        const EnergyPart *part = &g_array_index(first, EnergyPart, i);
        EnergyPart *change = find_part(changes, part->name);
        if (change)
            change->before = part->after;
        else
            g_array_append_val(changes, ((EnergyPart){part->name, part->summary, part->after, 0}));
    }
    g_array_sort(changes, compare_parts);
    return changes;
}

/* --- in a terminal ---------------------------------------------------------------------------- */

enum { BAR_WIDTH = 30, CHANGE_WIDTH = 20 };
/* Parts below this share are told together. */
static const double SMALL = 0.005;

/* Of them together, as one. */
static EnergyPart sum_from(const GArray *parts, guint first, const char *name)
{
    EnergyPart sum = {name, "", 0, 0};
    for (guint i = first; i < parts->len; i++) {
        sum.before += g_array_index(parts, EnergyPart, i).before;
        sum.after += g_array_index(parts, EnergyPart, i).after;
    }
    return sum;
}

static void add_row(Table *table, const EnergyPart *part, double all)
{
    g_autofree char *bar = text_bar(all > 0 ? part->after / all : 0, BAR_WIDTH);
    table_row(table);
    table_cell(table, "    %s", part->name);
    table_cell(table, "%.4g", part->after);
    table_cell(table, "%.1f %%", 100 * part->after / all);
    table_note(table, "%s", bar);
}

void energy_stack_print(JsonNode *result, FILE *out)
{
    g_autoptr(GArray) parts = energy_stack_new(result);
    g_autoptr(Table) table = table_new();
    const EnergyPart sum = sum_from(parts, 0, "sum");
    guint i = 0;
    if (!parts->len) return;
    fprintf(out, "\n  where the energy went, uJ by the stage of requests' way\n");
    for (; i < parts->len && g_array_index(parts, EnergyPart, i).after > SMALL * sum.after; i++)
        add_row(table, &g_array_index(parts, EnergyPart, i), sum.after);
    const EnergyPart rest = sum_from(parts, i, "others");
    if (rest.after > 0) add_row(table, &rest, sum.after);
    add_row(table, &sum, sum.after);
    table_print(table, out);
}

static void add_change(Table *table, const EnergyPart *part, double moved)
{
    const double change = part->after - part->before;
    g_autofree char *bar = text_bar(moved > 0 ? fabs(change) / moved : 0, CHANGE_WIDTH);
    table_row(table);
    table_cell(table, "    %s", part->name);
    table_cell(table, "%.4g", part->before);
    table_cell(table, "%.4g", part->after);
    table_cell(table, "%+.3g", change);
    table_note(table, "%s", bar);
}

static void add_heads(Table *table)
{
    static const char *const heads[] = {"before", "after", "change"};
    table_row(table);
    table_cell(table, "    energy, uJ");
    for (guint i = 0; i < G_N_ELEMENTS(heads); i++) table_cell(table, "%s", heads[i]);
}

void energy_changes_print(JsonNode *before, JsonNode *after, FILE *out)
{
    g_autoptr(GArray) changes = energy_changes_new(before, after);
    g_autoptr(Table) table = table_new();
    const EnergyPart sum = sum_from(changes, 0, "sum");
    double moved = 0;
    guint i = 0;
    if (!changes->len) return;
    for (guint k = 0; k < changes->len; k++)
        moved += size_of(&g_array_index(changes, EnergyPart, k));
    add_heads(table);
    for (; i < changes->len && size_of(&g_array_index(changes, EnergyPart, i)) > SMALL * moved; i++)
        add_change(table, &g_array_index(changes, EnergyPart, i), moved);
    const EnergyPart rest = sum_from(changes, i, "others");
    if (rest.before > 0 || rest.after > 0) add_change(table, &rest, moved);
    add_change(table, &sum, 0);
    table_print(table, out);
}
