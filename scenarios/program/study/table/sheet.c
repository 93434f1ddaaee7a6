#include "scenarios/program/study/table/sheet.h"

#include <math.h>
#include <string.h>

#include "scenarios/program/say/json_text.h"
#include "scenarios/program/say/table.h"

typedef enum { CELL_TEXT, CELL_NUMBER, CELL_BOOL } CellKind;

typedef struct {
    CellKind kind;
    char *text;
    double number;
} SheetCell;

struct Sheet {
    GPtrArray *columns; /* of char * */
    GPtrArray *rows;    /* of GArray of SheetCell */
};

static void cell_finish(gpointer cell)
{
    g_free(((SheetCell *)cell)->text);
}

Sheet *sheet_new(void)
{
    Sheet *sheet = g_new0(Sheet, 1);
    sheet->columns = g_ptr_array_new_with_free_func(g_free);
    sheet->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    return sheet;
}

void sheet_free(Sheet *sheet)
{
    if (!sheet) return;
    g_ptr_array_unref(sheet->columns);
    g_ptr_array_unref(sheet->rows);
    g_free(sheet);
}

void sheet_row(Sheet *sheet)
{
    GArray *row = g_array_new(FALSE, FALSE, sizeof(SheetCell));
    g_array_set_clear_func(row, cell_finish);
    g_ptr_array_add(sheet->rows, row);
}

static void add(Sheet *sheet, const char *column, SheetCell cell)
{
    GArray *row = sheet->rows->pdata[sheet->rows->len - 1];
    if (sheet->rows->len == 1) g_ptr_array_add(sheet->columns, g_strdup(column));
    g_assert(row->len < sheet->columns->len && !strcmp(sheet->columns->pdata[row->len], column));
    g_array_append_val(row, cell);
}

void sheet_text(Sheet *sheet, const char *column, const char *text)
{
    add(sheet, column, (SheetCell){CELL_TEXT, g_strdup(text), 0});
}

void sheet_number(Sheet *sheet, const char *column, double number)
{
    add(sheet, column, (SheetCell){CELL_NUMBER, NULL, number});
}

void sheet_bool(Sheet *sheet, const char *column, gboolean value)
{
    add(sheet, column, (SheetCell){CELL_BOOL, NULL, value});
}

static void put_cell(GString *line, const SheetCell *cell)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    switch (cell->kind) {
    case CELL_TEXT: text_append_csv(line, cell->text); break;
    case CELL_NUMBER:
        if (isfinite(cell->number))
            g_string_append(line, g_ascii_formatd(digits, sizeof digits, "%.12g", cell->number));
        break;
    case CELL_BOOL: g_string_append(line, cell->number != 0 ? "yes" : "no"); break;
    }
}

void sheet_print_csv(const Sheet *sheet, FILE *out)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (guint i = 0; i < sheet->columns->len; i++) {
        if (i) g_string_append_c(line, ',');
        text_append_csv(line, sheet->columns->pdata[i]);
    }
    for (guint i = 0; i < sheet->rows->len; i++) {
        const GArray *row = sheet->rows->pdata[i];
        g_string_append_c(line, '\n');
        for (guint k = 0; k < row->len; k++) {
            if (k) g_string_append_c(line, ',');
            put_cell(line, &g_array_index(row, SheetCell, k));
        }
    }
    fprintf(out, "%s\n", line->str);
}

static void put_member(JsonBuilder *json, const char *name, const SheetCell *cell)
{
    switch (cell->kind) {
    case CELL_TEXT: json_put_text(json, name, cell->text); break;
    case CELL_NUMBER: json_put_real(json, name, cell->number); break;
    case CELL_BOOL: json_put_bool(json, name, cell->number != 0); break;
    }
}

void sheet_print_json(const Sheet *sheet, FILE *out)
{
    g_autoptr(JsonBuilder) json = json_builder_new();
    json_builder_begin_array(json);
    for (guint i = 0; i < sheet->rows->len; i++) {
        const GArray *row = sheet->rows->pdata[i];
        json_builder_begin_object(json);
        for (guint k = 0; k < row->len; k++)
            put_member(json, sheet->columns->pdata[k], &g_array_index(row, SheetCell, k));
        json_builder_end_object(json);
    }
    json_builder_end_array(json);
    json_print(json, out);
}
