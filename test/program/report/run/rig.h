/* Figures of a run's report as the page gets them. */
#pragma once

#include <check.h>
#include <string.h>

#include "scenarios/program/report/pages.h"
#include "scenarios/program/result/result.h"

/* test/report/run.json: written by hand, small enough to add up. Two units of each class, three
 * intervals of 2, 2 and 1 us, 1 GHz; 100 loads that hit L2 and 200 from DRAM. */
static inline JsonNode *fixture(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("WARPMEM_ROOT"), "test", "report", "run.json", NULL);
    g_autoptr(GError) error = NULL;
    JsonNode *result = result_read(path, &error);
    ck_assert_msg(result != NULL, "%s", error ? error->message : "");
    return result;
}

static inline JsonNode *report_of(JsonNode *result)
{
    g_autoptr(Document) document = run_page(result);
    return document_json(document);
}

/* NULL: the report has none of this name. */
static inline JsonNode *find_figure(JsonNode *report, const char *id)
{
    JsonArray *sections = json_node_get_array(result_member(report, "sections"));
    for (guint i = 0; i < json_array_get_length(sections); i++) {
        JsonNode *section = json_array_get_element(sections, i);
        JsonArray *figures = json_node_get_array(result_member(section, "figures"));
        for (guint k = 0; k < json_array_get_length(figures); k++)
            if (!strcmp(result_text(json_array_get_element(figures, k), "id"), id))
                return json_array_get_element(figures, k);
    }
    return NULL;
}

static inline JsonNode *figure_of(JsonNode *report, const char *id)
{
    JsonNode *figure = find_figure(report, id);
    ck_assert_msg(figure != NULL, "no figure %s", id);
    return figure;
}

static inline JsonArray *rows_of(JsonNode *figure)
{
    return json_node_get_array(result_member(figure, "rows"));
}

static inline guint row_count(JsonNode *figure)
{
    return json_array_get_length(rows_of(figure));
}

static inline guint column_count(JsonNode *figure)
{
    return json_array_get_length(json_node_get_array(result_member(figure, "columns")));
}

static inline guint column_of(JsonNode *figure, const char *name)
{
    JsonArray *columns = json_node_get_array(result_member(figure, "columns"));
    for (guint i = 0; i < json_array_get_length(columns); i++)
        if (!strcmp(result_text(json_array_get_element(columns, i), "name"), name)) return i;
    ck_abort_msg("%s has no column %s", result_text(figure, "id"), name);
}

static inline JsonNode *cell_at(JsonNode *figure, guint row, guint column)
{
    return json_array_get_element(json_array_get_array_element(rows_of(figure), row), column);
}

static inline double number_at(JsonNode *figure, guint row, guint column)
{
    return json_node_get_double(cell_at(figure, row, column));
}

static inline double number_in(JsonNode *figure, guint row, const char *column)
{
    return number_at(figure, row, column_of(figure, column));
}

static inline const char *text_in(JsonNode *figure, guint row, const char *column)
{
    return json_node_get_string(cell_at(figure, row, column_of(figure, column)));
}

/* The row whose first cell is `label`. */
static inline guint row_of(JsonNode *figure, const char *label)
{
    for (guint row = 0; row < row_count(figure); row++)
        if (!strcmp(json_node_get_string(cell_at(figure, row, 0)), label)) return row;
    ck_abort_msg("%s has no row %s", result_text(figure, "id"), label);
}

/* Of all columns behind the first. */
static inline double sum_of_row(JsonNode *figure, guint row)
{
    double sum = 0;
    for (guint column = 1; column < column_count(figure); column++)
        sum += number_at(figure, row, column);
    return sum;
}

static inline double sum_of_column(JsonNode *figure, const char *name)
{
    double sum = 0;
    for (guint row = 0; row < row_count(figure); row++) sum += number_in(figure, row, name);
    return sum;
}

/* NaN: there is no such mark. */
static inline double mark_at(JsonNode *figure, const char *label)
{
    JsonArray *marks = json_node_get_array(result_member(figure, "marks"));
    for (guint i = 0; i < json_array_get_length(marks); i++)
        if (!strcmp(result_text(json_array_get_element(marks, i), "label"), label))
            return result_number(json_array_get_element(marks, i), "at");
    return 0.0 / 0.0;
}
