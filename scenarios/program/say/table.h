/* Aligned columns of text: the first to the left, the others to the right. */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct Table Table;

Table *table_new(void);
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* Appends a cell to the last row; it is printf's. */
void table_cell(Table *table, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A cell at the left edge of its column, however far to the right that is. */
void table_note(Table *table, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A row of a name, a text, which is taken, and a note. */
void table_line(Table *table, const char *name, char *text, const char *note);
/* "+1.5 %"; what rounds to nothing is "+0.0 %". */
void table_change(Table *table, double change, const char *unit);
void table_row(Table *table); /* begins a row; the first needs it too */

/* Two spaces before every column. Lines have no spaces at their end. */
void table_print(const Table *table, FILE *out);

/* "1,234,567" and a number with so many decimals, newly allocated. */
char *text_grouped(double value, int decimals);
/* "48.2 us": simulated time as people read it. */
char *text_time(double nanoseconds);
/* "412 MB" */
char *text_bytes(double bytes);
/* `share` of `width` characters. */
char *text_bar(double share, unsigned width);

/* "dram, l1", name by name. */
void text_append_name(GString *names, const char *name);

/* The word as a shell reads it: quoted if need be. */
char *text_shell_word(const char *word);
/* Appends a field of CSV, RFC 4180: quoted if it has a comma, a quote or a line's end. */
void text_append_csv(GString *line, const char *text);
