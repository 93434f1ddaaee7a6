#include "scenarios/program/study/dimensions/where_sql.h"

#include <string.h>

#include "kit/describe/nearest.h"
#include "kit/describe/param.h"
#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/records/number.h"

/* A number, what stands in quotes, a word, an operator. Names have points inside; the name in
 * "kernel warm-up.loads" or "link request-*.removed" may have other characters too. */
static const char TOKEN[] =
    "\\s*(?:((?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?)|('[^']*'|\"[^\"]*\")"
    "|((?:kernel [^.<>=!()+*/,\"']+\\.|link [^.<>=!(),\"']+\\.)?[A-Za-z_]\\w*(?:\\.\\w+)*)|(<=|>=|==|!=|<>|[-<>=+*/(),]))";
static const char UNIT[] = "\\s*(?:(%)|([A-Za-z]\\w*)(/[A-Za-z]\\w*)?)";

enum { LENGTH_MAX = 10000 };
enum { GROUP_NUMBER = 1, GROUP_QUOTE, GROUP_WORD, GROUP_OPERATOR };

/* Within a pair of parentheses: where a comparison begins, and the last of its operands. */
typedef struct {
    gsize start, operand;
    enum { NOT_COMPARED, COMPARED, CHAIN } state;
} Level;

typedef struct {
    const char *at, *const *names;
    FormulaKind kind;
    GPtrArray *columns;
    GString *sql;
    GArray *levels; /* of Level */
    GError **error;
} Translator;

G_GNUC_PRINTF(2, 3)
static bool reject(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, STUDY_ERROR, 0, reason);
    return false;
}

void sql_append(GString *sql, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = sqlite3_vmprintf(format, arguments);
    va_end(arguments);
    g_string_append(sql, text);
    sqlite3_free(text);
}

static bool add_column(Translator *translator, const char *name)
{
    sql_append(translator->sql, "\"%w\" ", name);
    if (!g_ptr_array_find_with_equal_func(translator->columns, name, g_str_equal, NULL))
        g_ptr_array_add(translator->columns, g_strdup(name));
    return true;
}

static Level *level(const Translator *translator)
{
    return &g_array_index(translator->levels, Level, translator->levels->len - 1);
}

/* With `word`, which belongs to none of the comparisons around it. */
static bool end_comparison(Translator *translator, const char *word)
{
    Level *now = level(translator);
    g_string_append_printf(translator->sql, "%s%s ", now->state == CHAIN ? ") " : "", word);
    *now = (Level){.start = translator->sql->len};
    return true;
}

/* a < b < c is (a < b and b < c). */
static bool add_comparison(Translator *translator, const char *symbol)
{
    Level *now = level(translator);
    GString *sql = translator->sql;
    if (now->state != NOT_COMPARED) {
        g_autofree char *operand = g_strdup(sql->str + now->operand);
        g_string_append_printf(sql, "and %s", operand);
    }
    if (now->state == COMPARED) g_string_insert_c(sql, (gssize)now->start, '(');
    g_string_append_printf(sql, "%s ", symbol);
    now->operand = sql->len;
    now->state = now->state == NOT_COMPARED ? COMPARED : CHAIN;
    return true;
}

static bool take_operator(Translator *translator, const char *symbol)
{
    if (translator->kind == FORMULA_NUMBER && strchr("<>=!", *symbol))
        return reject(translator->error, "'%s' compares; a result is a number", symbol);
    if (strchr("<>=!", *symbol)) return add_comparison(translator, symbol);
    if (*symbol == ',') return end_comparison(translator, symbol);
    if (*symbol == ')') {
        if (translator->levels->len == 1) return reject(translator->error, "')' closes nothing");
        end_comparison(translator, symbol);
        g_array_set_size(translator->levels, translator->levels->len - 1);
        return true;
    }
    g_string_append_printf(translator->sql, "%s ", symbol);
    const Level inner = {.start = translator->sql->len};
    if (*symbol == '(') g_array_append_val(translator->levels, inner);
    return true;
}

static bool reject_word(const Translator *translator, const char *word)
{
    const bool number = translator->kind == FORMULA_NUMBER;
    const char *near = nearest_word(word, translator->names);
    if (*translator->at == '(')
        return reject(translator->error, "there is no function %s; there are min, max, abs%s", word,
                      number ? "" : ", mod");
    const char *hint = near     ? "did you mean '"
                       : number ? "parameters are written group.key, and 'warpmem list results' "
                                  "names results"
                                : "parameters are written group.key, and texts in quotes";
    return reject(translator->error, "there is no %s %s; %s%s%s",
                  number ? "parameter or result" : "parameter", word, hint, near ? near : "",
                  near ? "'?" : "");
}

static bool take_word(Translator *translator, const char *word)
{
    static const struct {
        const char *word, *sql;
        bool ends; /* a comparison */
    } words[] = {{"min", "min", false}, {"max", "max", false}, {"abs", "abs", false},
                 {"and", "and", true},  {"or", "or", true},    {"not", "not", true},
                 {"in", "in", false},   {"mod", "mod", false}, {"between", "between", false},
                 {"yes", "1", false},   {"true", "1", false},  {"no", "0", false},
                 {"false", "0", false}};
    enum { OF_NUMBERS = 3 };
    const guint count = translator->kind == FORMULA_NUMBER ? OF_NUMBERS : G_N_ELEMENTS(words);
    if (g_strv_contains(translator->names, word)) return add_column(translator, word);
    for (guint i = 0; i < count; i++) {
        if (g_ascii_strcasecmp(words[i].word, word) != 0) continue;
        if (!strcmp(words[i].word, "in") && translator->at[0] != '(')
            return reject(translator->error, "'(' is missing behind 'in'");
        if (words[i].ends) return end_comparison(translator, words[i].sql);
        g_string_append_printf(translator->sql, "%s ", words[i].sql);
        return true;
    }
    return reject_word(translator, word);
}

static bool take_quote(Translator *translator, const char *quote)
{
    g_autofree char *text = g_strndup(quote + 1, strlen(quote) - 2);
    if (translator->kind == FORMULA_NUMBER)
        return reject(translator->error, "%s is a text; a result is a number", quote);
    if (where_is_truth(text))
        sql_append(translator->sql, "%d ", *text == 'y');
    else
        sql_append(translator->sql, "%Q ", text);
    return true;
}

static bool reject_unit(const Translator *translator, const char *number, const char *unit)
{
    const char *near = number_nearest_unit(unit);
    return reject(translator->error, "%s %s: '%s' is not a unit%s%s%s", number, unit, unit,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* With the unit behind it: "32 B/cycle" before "32 B", and that before "32". */
static bool take_number(Translator *translator, const char *number)
{
    static const char *const words[] = {"and", "or", "in", "not", "between", NULL};
    g_autoptr(GRegex) unit = g_regex_new(UNIT, G_REGEX_DEFAULT, G_REGEX_MATCH_ANCHORED, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(unit, translator->at, 0, &match);
    for (int last = g_match_info_get_match_count(match) - 1; last > 0; last--) {
        double value;
        int end = 0;
        g_match_info_fetch_pos(match, last, NULL, &end);
        g_autofree char *quantity = g_strdup_printf("%s%.*s", number, end, translator->at);
        if (end <= 0 || !number_read(quantity, &value, NULL)) continue;
        translator->at += end;
        return add_column(translator, quantity);
    }
    g_autofree char *word = g_match_info_fetch(match, 2);
    g_autofree char *small = g_ascii_strdown(word ? word : "", -1);
    if (*small && !g_strv_contains(words, small)) return reject_unit(translator, number, word);
    return add_column(translator, number);
}

static bool reject_character(const Translator *translator, const char *at)
{
    if (strchr("'\"", *at)) return reject(translator->error, "%s: a quote is not closed", at);
    if (translator->kind == FORMULA_NUMBER)
        return reject(translator->error, "'%.*s' is no operator; there are + - * / and parentheses",
                      (int)(g_utf8_next_char(at) - at), at);
    return reject(translator->error,
                  "'%.*s' is no operator; there are and, or, not, in, between, = != < <= > >=, "
                  "+ - * / and parentheses",
                  (int)(g_utf8_next_char(at) - at), at);
}

static bool translate(Translator *translator)
{
    static bool (*const take[])(Translator *, const char *) = {
        [GROUP_NUMBER] = take_number,
        [GROUP_QUOTE] = take_quote,
        [GROUP_WORD] = take_word,
        [GROUP_OPERATOR] = take_operator,
    };
    if (strlen(translator->at) > LENGTH_MAX)
        return reject(translator->error, "more than %d characters; write several conditions",
                      LENGTH_MAX);
    g_autoptr(GRegex) token = g_regex_new(TOKEN, G_REGEX_DEFAULT, G_REGEX_MATCH_ANCHORED, NULL);
    while (*translator->at) {
        g_autoptr(GMatchInfo) match = NULL;
        if (!g_regex_match(token, translator->at, 0, &match))
            return reject_character(translator, translator->at);
        const int kind = g_match_info_get_match_count(match) - 1;
        g_autofree char *word = g_match_info_fetch(match, kind);
        int end = 0;
        g_match_info_fetch_pos(match, 0, NULL, &end);
        translator->at += end + (gssize)strspn(translator->at + end, " \t");
        if (!take[kind](translator, word)) return false;
    }
    return end_comparison(translator, "");
}

/* As an expression in parentheses: else a word behind it would be the name of the result. `end` is
 * where what was written ends in the text. */
static GString *translate_all(const char *text, FormulaKind kind, const char *const *names,
                              GPtrArray *columns, gsize *end, GError **error)
{
    g_autoptr(GString) sql = g_string_new("SELECT (");
    g_autoptr(GArray) levels = g_array_new(FALSE, FALSE, sizeof(Level));
    Translator translator = {text, names, kind, columns, sql, levels, error};
    const Level outer = {.start = sql->len};
    g_array_append_val(levels, outer);
    if (!translate(&translator)) return NULL;
    *end = sql->len;
    for (guint i = 0; i < columns->len; i++)
        sql_append(sql, "%s ? AS \"%w\"", i ? "," : ") FROM (SELECT", (char *)columns->pdata[i]);
    g_string_append_c(sql, ')');
    return g_steal_pointer(&sql);
}

sqlite3_stmt *where_prepare(sqlite3 *database, const char *text, FormulaKind kind,
                            const char *const *names, GPtrArray *columns, GError **error)
{
    gsize end;
    sqlite3_stmt *statement = NULL;
    g_autoptr(GString) sql = translate_all(text, kind, names, columns, &end, error);
    if (!sql) return NULL;
    if (sqlite3_prepare_v3(database, sql->str, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL)
        == SQLITE_OK)
        return statement;
    g_auto(GStrv) parts = g_strsplit(sqlite3_errmsg(database), "\"\"", -1);
    g_autofree char *reason = g_strjoinv("\"", parts); /* names stand in quotes already */
    const bool late = sqlite3_error_offset(database) >= (int)end;
    g_set_error_literal(error, STUDY_ERROR, 0, late ? "it ends too early" : reason);
    return NULL;
}
