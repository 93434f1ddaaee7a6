#include "scenarios/program/study/dimensions/where.h"

#include <math.h>

#include "scenarios/program/study/dimensions/where_sql.h"
#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/records/number.h"

typedef struct {
    char *text;
    int line;           /* how many lines below the key */
    GPtrArray *columns; /* of char *: names and quantities, as they are written */
    sqlite3_stmt *statement;
} Condition;

struct Where {
    char *file;
    int line;
    sqlite3 *database;
    GPtrArray *conditions; /* of Condition */
};

static void condition_free(gpointer data)
{
    Condition *condition = data;
    g_free(condition->text);
    g_ptr_array_unref(condition->columns);
    sqlite3_finalize(condition->statement);
    g_free(condition);
}

void where_free(Where *where)
{
    if (!where) return;
    g_free(where->file);
    g_ptr_array_unref(where->conditions);
    sqlite3_close(where->database);
    g_free(where);
}

static void prefix_place(const Where *where, const Condition *condition, GError **error)
{
    g_autofree char *place =
        where->file ? g_strdup_printf("%s:%d: ", where->file, where->line + condition->line)
                    : g_strdup("--set: ");
    g_prefix_error(error, "%sstudy.where: %s: ", place, condition->text);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool add_condition(Where *where, const char *text, int line, const char *const *names,
                          GError **error)
{
    Condition *condition = g_new0(Condition, 1);
    *condition = (Condition){
        .text = g_strdup(text), .line = line, .columns = g_ptr_array_new_with_free_func(g_free)};
    g_ptr_array_add(where->conditions, condition);
    condition->statement =
        where_prepare(where->database, text, FORMULA_CONDITION, names, condition->columns, error);
    if (!condition->statement) prefix_place(where, condition, error);
    return condition->statement != NULL;
}

/* To the end of the line or the next semicolon that is not in quotes. */
static gsize condition_length(const char *at)
{
    char quote = '\0';
    gsize length = 0;
    for (; at[length] && at[length] != '\n' && (quote || at[length] != ';'); length++) {
        if (quote && at[length] == quote)
            quote = '\0';
        else if (!quote && (at[length] == '"' || at[length] == '\''))
            quote = at[length];
    }
    return length;
}

static bool read_conditions(Where *where, const char *text, const char *const *names,
                            GError **error)
{
    int line = 0;
    for (const char *at = text;; at++) {
        const gsize comment = strspn(at, " \t");
        const gsize length = at[comment] == '#' ? strcspn(at, "\n") : condition_length(at);
        g_autofree char *condition = g_strstrip(g_strndup(at, length));
        if (*condition && *condition != '#' && !add_condition(where, condition, line, names, error))
            return false;
        at += length;
        if (!*at) return true;
        line += *at == '\n';
    }
}

/* mod(): the rest of a division. */
static void rest(sqlite3_context *context, int count, sqlite3_value **arguments)
{
    (void)count;
    for (int i = 0; i < 2; i++)
        if (sqlite3_value_type(arguments[i]) != SQLITE_FLOAT) return;
    sqlite3_result_double(
        context, fmod(sqlite3_value_double(arguments[0]), sqlite3_value_double(arguments[1])));
}

Where *where_new(const Setting *setting, const char *const *names, GError **error)
{
    g_autoptr(Where) where = g_new0(Where, 1);
    *where = (Where){
        .file = g_strdup(setting->file),
        .line = setting->line,
        .conditions = g_ptr_array_new_with_free_func(condition_free),
    };
    if (sqlite3_open(":memory:", &where->database) != SQLITE_OK
        || sqlite3_create_function(where->database, "mod", 2, SQLITE_UTF8, NULL, rest, NULL, NULL)
               != SQLITE_OK) {
        g_set_error_literal(error, STUDY_ERROR, 0, sqlite3_errmsg(where->database));
        return NULL;
    }
    return read_conditions(where, setting->value, names, error) ? g_steal_pointer(&where) : NULL;
}

/* --- testing ---------------------------------------------------------------------------------- */

/* Powers of bytes, cycles and seconds; a frequency is cycles a second, so that
 * cycles / machine.core_clock is a time. */
static const struct {
    const char *name; /* number.h's */
    double scale;
    int powers[3];
} units[] = {
    {"", 1, {0, 0, 0}},      {"B", 1, {1, 0, 0}},      {"Hz", 1, {0, 1, -1}},
    {"ns", 1e-9, {0, 0, 1}}, {"cycles", 1, {0, 1, 0}}, {"B/cycle", 1, {1, -1, 0}},
};

/* A plain evaluation, then others with greater and smaller bytes, cycles and seconds. */
static const struct {
    int unit;
    double growth;
} passes[] = {{0, 1},       {0, 0x1p60}, {0, 0x1p-60}, {1, 0x1p60},
              {1, 0x1p-60}, {2, 0x1p60}, {2, 0x1p-60}};

static const char *const unit_names[] = {"bytes", "cycles", "seconds"};

/* To 12 digits: 57 % and 0.57 differ in the last digit of a double. */
static double rounded(double number)
{
    const double scale = number == 0 ? 1 : pow(10, 11 - floor(log10(fabs(number))));
    return round(number * scale) / scale;
}

static void bind_number(sqlite3_stmt *statement, int column, double number, const char *unit,
                        guint pass)
{
    for (guint i = 0; i < G_N_ELEMENTS(units); i++)
        if (!strcmp(units[i].name, unit))
            sqlite3_bind_double(statement, column,
                                rounded(number * units[i].scale)
                                    * pow(passes[pass].growth, units[i].powers[passes[pass].unit]));
}

static void bind(sqlite3_stmt *statement, int column, const char *text, guint pass)
{
    double number;
    const char *unit;
    if (text && number_read(text, &number, &unit))
        bind_number(statement, column, number, unit, pass);
    else if (text && where_is_truth(text))
        sqlite3_bind_int(statement, column, *text == 'y');
    else
        sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

typedef enum { ANSWER_NO, ANSWER_YES, ANSWER_NONE, ANSWER_NUMBER } Answer;

static Answer evaluate(const Condition *condition, const char *const *values, guint pass)
{
    sqlite3_reset(condition->statement);
    for (guint i = 0; i < condition->columns->len; i++)
        bind(condition->statement, (int)i + 1, values[i], pass);
    if (sqlite3_step(condition->statement) != SQLITE_ROW) return ANSWER_NONE;
    const int type = sqlite3_column_type(condition->statement, 0);
    if (type == SQLITE_NULL) return ANSWER_NONE;
    if (type != SQLITE_INTEGER) return ANSWER_NUMBER;
    return sqlite3_column_int(condition->statement, 0) ? ANSWER_YES : ANSWER_NO;
}

/* Newly allocated; NULL: the answer is one. */
static char *find_problem(const Condition *condition, const char *const *values, Answer answer)
{
    const bool none = answer == ANSWER_NONE;
    for (guint i = 0; none && i < condition->columns->len; i++)
        if (!values[i])
            return g_strdup_printf("a point has no parameter %s",
                                   (char *)condition->columns->pdata[i]);
    if (none) return g_strdup("division by 0");
    if (answer == ANSWER_NUMBER)
        return g_strdup("neither true nor false; a condition compares, as in l2_slice.ways > 2");
    for (guint pass = 1; pass < G_N_ELEMENTS(passes); pass++)
        if (evaluate(condition, values, pass) != answer)
            return g_strdup_printf("depends on what %s are counted in, so unlike quantities are "
                                   "compared; quantities carry units, as in 96 KiB",
                                   unit_names[passes[pass].unit]);
    return NULL;
}

/* False with error, or if the point does not meet the condition. */
static bool test_condition(const Condition *condition, WhereLookup lookup, void *user,
                           GError **error)
{
    g_autofree const char **values = g_new(const char *, condition->columns->len + 1);
    for (guint i = 0; i < condition->columns->len; i++) {
        const char *name = condition->columns->pdata[i];
        values[i] = where_is_quantity(name) ? name : lookup(user, name);
    }
    const Answer answer = evaluate(condition, values, 0);
    g_autofree char *problem = find_problem(condition, values, answer);
    if (problem) g_set_error_literal(error, STUDY_ERROR, 0, problem);
    return !problem && answer == ANSWER_YES;
}

bool where_test(Where *where, WhereLookup lookup, void *user, GError **error)
{
    for (guint i = 0; i < where->conditions->len; i++) {
        GError *problem = NULL;
        const Condition *condition = where->conditions->pdata[i];
        if (test_condition(condition, lookup, user, &problem)) continue;
        if (problem) prefix_place(where, condition, &problem);
        if (problem) g_propagate_error(error, problem);
        return false;
    }
    return true;
}
