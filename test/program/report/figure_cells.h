/* Cells of a figure by the text in its first column. */
#pragma once

#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "scenarios/program/report/document/document.h"

/* JSON with single quotes. */
static inline JsonNode *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    JsonNode *node = json_from_string(json, &error);
    ck_assert_msg(node != NULL, "%s", error ? error->message : "");
    return node;
}

static inline void expect(double value, double expected)
{
    ck_assert_msg(fabs(value - expected) <= 1e-9 * fabs(expected), "%g, not %g", value, expected);
}

/* Owns the figure. */
typedef struct {
    JsonNode *json;
} Cells;

static inline void cells_finish(Cells *cells)
{
    json_node_unref(cells->json);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cells, cells_finish)

static inline Cells cells_of(Figure *figure)
{
    const Cells cells = {figure_json(figure)};
    figure_free(figure);
    return cells;
}

static inline JsonArray *cells_rows(const Cells *cells)
{
    return json_object_get_array_member(json_node_get_object(cells->json), "rows");
}

static inline JsonArray *cells_row_at(const Cells *cells, guint row)
{
    return json_array_get_array_element(cells_rows(cells), row);
}

/* NULL: there is none. */
static inline JsonArray *cells_row(const Cells *cells, const char *first)
{
    for (guint i = 0; i < json_array_get_length(cells_rows(cells)); i++) {
        JsonArray *row = cells_row_at(cells, i);
        if (!g_strcmp0(json_array_get_string_element(row, 0), first)) return row;
    }
    return NULL;
}

/* The column of that name; it must exist. */
static inline guint cells_column(const Cells *cells, const char *name)
{
    JsonArray *columns = json_object_get_array_member(json_node_get_object(cells->json), "columns");
    for (guint i = 0; i < json_array_get_length(columns); i++) {
        JsonObject *column = json_array_get_object_element(columns, i);
        if (!strcmp(json_object_get_string_member(column, "name"), name)) return i;
    }
    ck_abort_msg("no column %s", name);
}

static inline JsonNode *cells_at(const Cells *cells, const char *first, const char *column)
{
    JsonArray *row = cells_row(cells, first);
    ck_assert_msg(row != NULL, "no row %s", first);
    return json_array_get_element(row, cells_column(cells, column));
}

/* NaN: an empty cell. */
static inline double cells_number(const Cells *cells, const char *first, const char *column)
{
    JsonNode *node = cells_at(cells, first, column);
    return JSON_NODE_HOLDS_NULL(node) ? NAN : json_node_get_double(node);
}

/* NULL: an empty cell. */
static inline const char *cells_text(const Cells *cells, const char *first, const char *column)
{
    JsonNode *node = cells_at(cells, first, column);
    return JSON_NODE_HOLDS_NULL(node) ? NULL : json_node_get_string(node);
}

static inline const char *cells_member(const Cells *cells, const char *name)
{
    return json_object_get_string_member(json_node_get_object(cells->json), name);
}

/* The text of a lead of the document's JSON, or NULL. */
static inline const char *lead_text(JsonNode *document, const char *label)
{
    JsonArray *leads = json_object_get_array_member(json_node_get_object(document), "lead");
    for (guint i = 0; i < json_array_get_length(leads); i++) {
        JsonObject *lead = json_array_get_object_element(leads, i);
        if (!strcmp(json_object_get_string_member(lead, "label"), label))
            return json_object_get_string_member(lead, "text");
    }
    return NULL;
}
