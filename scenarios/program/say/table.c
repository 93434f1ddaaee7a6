#include "scenarios/program/say/table.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    char *text;
    bool left;
} Cell;

struct Table {
    GPtrArray *rows; /* of GArray of Cell */
    GArray *widths;  /* of glong, a column each */
};

static void cell_finish(gpointer cell)
{
    g_free(((Cell *)cell)->text);
}

Table *table_new(void)
{
    Table *table = g_new0(Table, 1);
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    table->widths = g_array_new(FALSE, TRUE, sizeof(glong));
    return table;
}

void table_free(Table *table)
{
    if (!table) return;
    g_ptr_array_unref(table->rows);
    g_array_unref(table->widths);
    g_free(table);
}

void table_row(Table *table)
{
    GArray *row = g_array_new(FALSE, FALSE, sizeof(Cell));
    g_array_set_clear_func(row, cell_finish);
    g_ptr_array_add(table->rows, row);
}

static void add_cell(Table *table, char *text, bool left)
{
    GArray *row = table->rows->pdata[table->rows->len - 1];
    const Cell cell = {text, left || !row->len};
    g_array_append_val(row, cell);
    if (table->widths->len < row->len) g_array_set_size(table->widths, row->len);
    glong *const width = &g_array_index(table->widths, glong, row->len - 1);
    *width = MAX(*width, g_utf8_strlen(text, -1));
}

void table_cell(Table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, g_strdup_vprintf(format, arguments), false);
    va_end(arguments);
}

void table_note(Table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table, g_strdup_vprintf(format, arguments), true);
    va_end(arguments);
}

void table_line(Table *table, const char *name, char *text, const char *note)
{
    table_row(table);
    table_cell(table, "%s", name);
    add_cell(table, text, false);
    table_note(table, "%s", note);
}

void table_change(Table *table, double change, const char *unit)
{
    table_cell(table, "%+.1f%s", fabs(change) < 0.05 ? 0 : change, unit);
}

static void append_cell(GString *line, const Cell *cell, glong width)
{
    const int pad = (int)(width - g_utf8_strlen(cell->text, -1));
    g_string_append(line, "  ");
    if (!cell->left) g_string_append_printf(line, "%*s", pad, "");
    g_string_append(line, cell->text);
    if (cell->left) g_string_append_printf(line, "%*s", pad, "");
}

void table_print(const Table *table, FILE *out)
{
    g_autoptr(GString) line = g_string_new(NULL);
    for (guint i = 0; i < table->rows->len; i++) {
        const GArray *row = table->rows->pdata[i];
        g_string_truncate(line, 0);
        for (guint column = 0; column < row->len; column++)
            append_cell(line, &g_array_index(row, Cell, column),
                        g_array_index(table->widths, glong, column));
        fprintf(out, "%s\n", g_strchomp(line->str));
    }
}

void text_append_name(GString *names, const char *name)
{
    g_string_append_printf(names, "%s%s", names->len ? ", " : "", name);
}

char *text_grouped(double value, int decimals)
{
    g_autofree char *digits = g_strdup_printf("%.*f", decimals, fabs(value));
    const char *point = strchr(digits, '.');
    const gsize whole = point ? (gsize)(point - digits) : strlen(digits);
    GString *text = g_string_new(value < 0 && strspn(digits, "0.") < strlen(digits) ? "-" : NULL);
    for (gsize i = 0; i < whole; i++) {
        if (i && (whole - i) % 3 == 0) g_string_append_c(text, ',');
        g_string_append_c(text, digits[i]);
    }
    if (point) g_string_append(text, point);
    return g_string_free(text, FALSE);
}

static char *scaled(double value, const char *const *units)
{
    while (units[1] && fabs(value) >= 1000) {
        value /= 1000;
        units++;
    }
    const double size = fabs(value);
    return g_strdup_printf("%.*f %s", size >= 100 ? 0 : size >= 10 ? 1 : 2, value, *units);
}

char *text_time(double nanoseconds)
{
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    return scaled(nanoseconds, units);
}

char *text_bytes(double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", NULL};
    if (bytes < 1000) return g_strdup_printf("%.0f B", bytes);
    return scaled(bytes, units);
}

char *text_bar(double share, unsigned width)
{
    const long marks = lround(CLAMP(share, 0, 1) * width);
    return g_strnfill((gsize)marks, '#');
}

char *text_shell_word(const char *word)
{
    const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=,@%:";
    return *word && !word[strspn(word, plain)] ? g_strdup(word) : g_shell_quote(word);
}

void text_append_csv(GString *line, const char *text)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        g_string_append(line, text);
        return;
    }
    g_string_append_c(line, '"');
    for (; *text; text++) {
        if (*text == '"') g_string_append_c(line, '"');
        g_string_append_c(line, *text);
    }
    g_string_append_c(line, '"');
}
