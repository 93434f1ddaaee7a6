#include "scenarios/program/timeline/timeline.h"

#include <math.h>

#include "kit/describe/stage.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

enum { BAR_WIDTH = 64, ROWS_SHOWN = 1000 };

/* Letters of the bar, by stage, and what they stand for. */
static const struct {
    char letter;
    const char *meaning, *stages;
} groups[] = {
    {'c', "core", "issue l1_queue coalesce replay writeback"},
    {'l', "L1", "l1_tag prt_wait fill"},
    {'x', "texture unit", "texture_queue texture_tag fragment_fifo reorder filter"},
    {'t', "translation", "translate"},
    {'n', "network",
     "request_queue request_transfer request_wire reply_queue reply_transfer reply_wire"},
    {'w', "waits at L2", "l2_queue l2_miss_queue l2_order"},
    {'h', "L2", "l2_tag l2_cross"},
    {'r', "ROP", "rop"},
    {'m', "to, in and from the scheduler", "memory_wire scheduler_wait"},
    {'s', "memory-side cache", "memory_cache"},
    {'d', "DRAM", "dram_precharge dram_activate dram_column dram_bus"},
    {'p', "page from the host", "page"},
};

static char letter_of(const char *stage)
{
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++) {
        g_auto(GStrv) names = g_strsplit(groups[i].stages, " ", -1);
        if (g_strv_contains((const char *const *)names, stage)) return groups[i].letter;
    }
    return '?';
}

/* Of the whole table: begin of the first request, and how much time a letter stands for. */
typedef struct {
    gint64 origin, letter;
    double fs_per_cycle;
} Scale;

static gint64 member(JsonObject *row, const char *name)
{
    return json_object_get_int_member(row, name);
}

static gint64 rounded_up(gint64 a, gint64 b)
{
    return (a + b - 1) / b;
}

/* A letter stands for the stage in the middle of its time. */
static char *draw_bar(JsonObject *row, const Scale *scale)
{
    JsonArray *stages = json_object_get_array_member(row, "stages");
    GString *bar = g_string_new(NULL);
    gint64 end = member(row, "begin") - scale->origin;
    gint64 at = scale->letter / 2;
    for (; at < end; at += scale->letter) g_string_append_c(bar, ' ');
    for (guint i = 0; i < json_array_get_length(stages); i++) {
        JsonObject *stage = json_array_get_object_element(stages, i);
        const char letter = letter_of(json_object_get_string_member(stage, "stage"));
        end += member(stage, "fs");
        for (; at < end; at += scale->letter) g_string_append_c(bar, letter);
    }
    return g_string_free(bar, FALSE);
}

static void add_row(Table *table, JsonObject *row, const Scale *scale)
{
    g_autofree char *bar = draw_bar(row, scale);
    table_row(table);
    table_cell(table, "%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT, member(row, "sm"),
               member(row, "warp"));
    table_note(table, "%s", json_object_get_string_member(row, "type"));
    table_cell(table, "0x%" G_GINT64_MODIFIER "x", member(row, "address"));
    table_note(table, "%s", json_object_get_string_member(row, "served_by"));
    const gint64 times[] = {member(row, "begin"), member(row, "end")};
    for (guint i = 0; i < G_N_ELEMENTS(times); i++)
        table_cell(table, "%.0f", (double)(times[i] - scale->origin) / scale->fs_per_cycle);
    table_note(table, "%s", bar);
}

static void add_heads(Table *table)
{
    static const char *const notes[] = {"type", "served by", ""};
    table_row(table);
    table_cell(table, "SM.warp");
    table_note(table, "%s", notes[0]);
    table_cell(table, "address");
    table_note(table, "%s", notes[1]);
    table_cell(table, "begin");
    table_cell(table, "end");
    table_note(table, "%s", notes[2]);
}

static void print_legend(const Scale *scale, FILE *out)
{
    fprintf(out, "\n  a letter is %.3g cycles:", (double)scale->letter / scale->fs_per_cycle);
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
        fprintf(out, "%s %c %s", i ? "," : "", groups[i].letter, groups[i].meaning);
    fprintf(out, "\n");
}

/* Whole cycles a letter, so that equal machines have equal scales. */
static Scale choose_scale(JsonNode *result, JsonArray *rows, guint count)
{
    const double cycle_ns = result_core_cycle_ns(result);
    Scale scale = {member(json_array_get_object_element(rows, 0), "begin"), 1,
                   isfinite(cycle_ns) ? cycle_ns * 1e6 : 1e6};
    gint64 end = scale.origin + 1;
    for (guint i = 0; i < count; i++)
        end = MAX(end, member(json_array_get_object_element(rows, i), "end"));
    const gint64 cycle = (gint64)(scale.fs_per_cycle + 0.5);
    scale.letter = cycle * rounded_up(end - scale.origin, cycle * BAR_WIDTH);
    return scale;
}

static void print_title(JsonNode *result, guint kept, FILE *out)
{
    const char *keep = result_text(result, "timeline_selection.keep");
    const double qualified = result_number(result, "timeline_selection.qualified");
    fprintf(out, "\n  the %s %u requests, in cycles from the first one's issue\n",
            keep ? keep : "first", kept);
    if (qualified > kept)
        fprintf(out, "  %.0f requests qualify; the others were left out\n", qualified);
}

void timeline_print(JsonNode *result, FILE *out)
{
    JsonNode *node = result_member(result, "timeline");
    if (!node || !json_array_get_length(json_node_get_array(node))) return;
    JsonArray *rows = json_node_get_array(node);
    const guint kept = json_array_get_length(rows), shown = MIN(kept, ROWS_SHOWN);
    const Scale scale = choose_scale(result, rows, shown);
    g_autoptr(Table) table = table_new();
    add_heads(table);
    for (guint i = 0; i < shown; i++)
        add_row(table, json_array_get_object_element(rows, i), &scale);
    print_title(result, kept, out);
    table_print(table, out);
    if (shown < kept) fprintf(out, "  and %u more\n", kept - shown);
    print_legend(&scale, out);
}
