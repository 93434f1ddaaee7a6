#include "scenarios/program/study/table/sheet.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <stdbool.h>

#include "kit/describe/decimal.h"
#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

/* An array of objects. */
struct Sheet {
    JsonNode *rows;
};

static JsonArray *rows_of(const Sheet *sheet)
{
    return json_node_get_array(sheet->rows);
}

Sheet *sheet_new(void)
{
    Sheet *sheet = g_new0(Sheet, 1);
    sheet->rows = json_node_new(JSON_NODE_ARRAY);
    json_node_take_array(sheet->rows, json_array_new());
    return sheet;
}

void sheet_free(Sheet *sheet)
{
    if (!sheet) return;
    json_node_unref(sheet->rows);
    g_free(sheet);
}

void sheet_row(Sheet *sheet)
{
    json_array_add_object_element(rows_of(sheet), json_object_new());
}

static JsonObject *last_row(const Sheet *sheet)
{
    JsonArray *rows = rows_of(sheet);
    return json_array_get_object_element(rows, json_array_get_length(rows) - 1);
}

void sheet_text(Sheet *sheet, const char *column, const char *text)
{
    json_object_set_string_member(last_row(sheet), column, text);
}

void sheet_count(Sheet *sheet, const char *column, guint64 count)
{
    json_object_set_int_member(last_row(sheet), column, (gint64)count);
}

void sheet_number(Sheet *sheet, const char *column, double number)
{
    json_object_set_double_member(last_row(sheet), column, number);
}

void sheet_bool(Sheet *sheet, const char *column, gboolean value)
{
    json_object_set_boolean_member(last_row(sheet), column, value);
}

static void put_cell(GString *line, JsonNode *cell)
{
    const GType type = json_node_get_value_type(cell);
    const double number = json_node_get_double(cell);
    if (type == G_TYPE_STRING)
        text_append_csv(line, json_node_get_string(cell));
    else if (type == G_TYPE_BOOLEAN)
        g_string_append(line, json_node_get_boolean(cell) ? "yes" : "no");
    else if (type == G_TYPE_INT64)
        decimal_append_count(line, (guint64)json_node_get_int(cell));
    else if (isfinite(number))
        decimal_append(line, number);
}

static void put_row(GString *line, JsonObject *row, bool names)
{
    JsonObjectIter iterator;
    const char *name, *separator = "";
    JsonNode *cell;
    json_object_iter_init_ordered(&iterator, row);
    for (; json_object_iter_next_ordered(&iterator, &name, &cell); separator = ",") {
        g_string_append(line, separator);
        if (names)
            text_append_csv(line, name);
        else
            put_cell(line, cell);
    }
    g_string_append(line, "\r\n");
}

void sheet_print_csv(const Sheet *sheet, FILE *out)
{
    g_autoptr(GString) text = g_string_new(NULL);
    JsonArray *rows = rows_of(sheet);
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        if (!i) put_row(text, row, true);
        put_row(text, row, false);
    }
    fputs(text->len ? text->str : "\r\n", out);
}

void sheet_print_json(const Sheet *sheet, FILE *out)
{
    g_autofree char *text = json_text(sheet->rows);
    fputs(text, out);
}
