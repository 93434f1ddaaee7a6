#include "scenarios/program/study/dimensions/formula.h"

#include <math.h>

#include "scenarios/program/study/dimensions/where_sql.h"
#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/records/number.h"

struct Formula {
    sqlite3 *database; /* nothing is in it */
    sqlite3_stmt *statement;
    GPtrArray *columns; /* of char *: names and quantities, as they are written */
    GPtrArray *names;   /* of the columns */
};

Formula *formula_new(const char *text, const char *const *names, GError **error)
{
    g_autoptr(Formula) formula = g_new0(Formula, 1);
    formula->columns = g_ptr_array_new_with_free_func(g_free);
    formula->names = g_ptr_array_new();
    if (sqlite3_open(":memory:", &formula->database) != SQLITE_OK) {
        g_set_error_literal(error, STUDY_ERROR, 0, sqlite3_errmsg(formula->database));
        return NULL;
    }
    formula->statement =
        where_prepare(formula->database, text, FORMULA_NUMBER, names, formula->columns, error);
    if (!formula->statement) return NULL;
    for (guint i = 0; i < formula->columns->len; i++)
        if (!where_is_quantity(formula->columns->pdata[i]))
            g_ptr_array_add(formula->names, formula->columns->pdata[i]);
    return g_steal_pointer(&formula);
}

void formula_free(Formula *formula)
{
    if (!formula) return;
    sqlite3_finalize(formula->statement);
    sqlite3_close(formula->database);
    g_ptr_array_unref(formula->names);
    g_ptr_array_unref(formula->columns);
    g_free(formula);
}

const GPtrArray *formula_names(const Formula *formula)
{
    return formula->names;
}

/* NaN becomes NULL in SQLite, and what is made of it as well. */
double formula_value(Formula *formula, FormulaLookup lookup, void *user)
{
    sqlite3_reset(formula->statement);
    for (guint i = 0; i < formula->columns->len; i++) {
        const char *column = formula->columns->pdata[i];
        double number = NAN;
        if (!where_is_quantity(column))
            number = lookup(user, column);
        else
            number_read(column, &number, NULL);
        sqlite3_bind_double(formula->statement, (int)i + 1, number);
    }
    if (sqlite3_step(formula->statement) != SQLITE_ROW) return NAN;
    if (sqlite3_column_type(formula->statement, 0) == SQLITE_NULL) return NAN;
    const double value = sqlite3_column_double(formula->statement, 0);
    return isfinite(value) ? value : NAN;
}
