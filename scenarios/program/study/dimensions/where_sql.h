/* A condition is SQL but for its names and quantities: both stand in quotes in it, as columns of a
 * table of one row.
 *
 *     l2_slice.capacity >= 96 KiB or l1.sets > 4
 *     SELECT ("l2_slice.capacity" >= "96 KiB" or "l1.sets" > "4")
 *     FROM (SELECT ? AS "l2_slice.capacity", ? AS "96 KiB", ? AS "l1.sets", ? AS "4") */
#pragma once

#include <glib.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <string.h>

/* printf with %w and %Q, for names and texts in SQL. */
void sql_append(GString *sql, const char *format, ...);

/* What is written: a condition, or arithmetic without comparisons and texts. */
typedef enum { FORMULA_CONDITION, FORMULA_NUMBER } FormulaKind;

/* NULL with error, which says what is wrong without the place. `names` (NULL-terminated) are those
 * that may stand in it; `columns` takes what is to be bound (char *), in this order: names and
 * quantities, which begin with a digit or a point. */
sqlite3_stmt *where_prepare(sqlite3 *database, const char *text, FormulaKind kind,
                            const char *const *names, GPtrArray *columns, GError **error);

/* Whether one of the columns is a quantity. */
static inline bool where_is_quantity(const char *column)
{
    return g_ascii_isdigit(*column) || *column == '.';
}

/* A switch, which is 1 or 0 in SQL. */
static inline bool where_is_truth(const char *text)
{
    return !strcmp(text, "yes") || !strcmp(text, "no");
}
