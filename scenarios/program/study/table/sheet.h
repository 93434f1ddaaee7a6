/* Rows with named columns, for programs to read: CSV or JSON. */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct Sheet Sheet;

Sheet *sheet_new(void);
void sheet_free(Sheet *sheet);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sheet, sheet_free)

/* Begins a row. Each row has the columns of the first one, in the same order. */
void sheet_row(Sheet *sheet);
void sheet_text(Sheet *sheet, const char *column, const char *text);
void sheet_count(Sheet *sheet, const char *column, guint64 count);
/* NaN: an empty cell, null in JSON. */
void sheet_number(Sheet *sheet, const char *column, double number);
void sheet_bool(Sheet *sheet, const char *column, gboolean value);

void sheet_print_csv(const Sheet *sheet, FILE *out);
/* An array of objects. */
void sheet_print_json(const Sheet *sheet, FILE *out);
