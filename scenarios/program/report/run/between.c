/* What happened between kernels, and what stood in their files that the model leaves out. */
#include "scenarios/program/report/run/page.h"

#include <math.h>

#include "scenarios/program/report/run/data.h"
#include "scenarios/program/result/result.h"
#include "scenarios/program/say/table.h"

enum { ROWS_SHOWN = 200 };

static void add_copies(Figure *figure, JsonNode *row, const char *bytes, const char *time)
{
    figure_count(figure, result_number(row, bytes));
    figure_number(figure, result_number(row, time) * 1e-3);
}

static void add_row(Figure *figure, JsonNode *row)
{
    const char *kernel = result_text(row, "kernel");
    figure_row(figure);
    figure_text(figure, kernel ? kernel : "the end");
    figure_number(figure, result_number(row, "list_ns") * 1e-3);
    add_copies(figure, row, "to_device.bytes", "to_device.time_ns");
    add_copies(figure, row, "to_host.bytes", "to_host.time_ns");
    figure_count(figure, result_number(row, "others"));
    figure_number(figure, result_number(row, "gap_ns") * 1e-3);
}

static double member_of_all(JsonNode *result, const char *name)
{
    g_autofree char *path = g_strconcat("summary.between_kernels.", name, NULL);
    return result_number(result, path);
}

static void note_all(Figure *figure, JsonNode *result, guint rows)
{
    const double copies = member_of_all(result, "to_device.time_ns")
                          + member_of_all(result, "to_host.time_ns"),
                 left_out = member_of_all(result, "rows_left_out");
    g_autofree char *all = text_time(member_of_all(result, "list_ns")), *copied = text_time(copies),
                    *gaps = text_time(member_of_all(result, "gaps_ns"));
    figure_note(figure, "The %s takes %s with its kernels, of which copies %s and gaps %s.",
                result_is_partial(result) ? "list as far as it ran" : "whole list", all, copied,
                gaps);
    if (rows > ROWS_SHOWN)
        figure_note(figure, "Of %.0f places of the list the first %d are shown.",
                    rows + (isfinite(left_out) ? left_out : 0), ROWS_SHOWN);
}

static Figure *between_kernels(JsonNode *result)
{
    Figure *figure = figure_new("between_kernels", NULL);
    JsonArray *rows = result_array(result, "summary.between_kernels.rows");
    const guint length = result_length(rows);
    figure_column(figure, "before kernel", NULL);
    figure_column(figure, "begins", "us");
    figure_column(figure, "to device", "B");
    figure_column(figure, "takes", "us");
    figure_column(figure, "to host", "B");
    figure_column(figure, "takes", "us");
    figure_column(figure, "other commands", NULL);
    figure_column(figure, "gap", "us");
    for (guint i = 0; i < MIN(length, ROWS_SHOWN); i++) add_row(figure, data_element(rows, i));
    if (length) note_all(figure, result, length);
    return figure;
}

static void add_counts(Figure *figure, JsonNode *result, const char *path, const char *what)
{
    g_autoptr(GList) names = data_names(result, path);
    for (const GList *name = names; name; name = name->next) {
        JsonNode *counts = result_member(result, path);
        figure_row(figure);
        figure_text(figure, name->data);
        figure_text(figure, what);
        figure_count(figure,
                     (double)json_object_get_int_member(json_node_get_object(counts), name->data));
    }
}

static Figure *left_out(JsonNode *result)
{
    Figure *figure = figure_new("left_out", NULL);
    JsonArray *warnings = result_array(result, "input.warnings");
    figure_column(figure, "name", NULL);
    figure_column(figure, "what it is", NULL);
    figure_column(figure, "how often", NULL);
    add_counts(figure, result, "input.unknown_opcodes", "unknown opcode");
    add_counts(figure, result, "summary.between_kernels.others", "command of the list");
    for (guint i = 0; i < result_length(warnings); i++) {
        figure_row(figure);
        figure_text(figure, json_array_get_string_element(warnings, i));
        figure_text(figure, "warning");
        figure_count(figure, 1);
    }
    return figure;
}

void run_between(Document *document, JsonNode *result)
{
    document_section(document, "between", "Between kernels, and what was left out", NULL);
    document_add(document, between_kernels(result));
    document_add(document, left_out(result));
}
