#include "scenarios/program/study/dimensions/where_token.h"

#include <stdbool.h>
#include <string.h>

#include "scenarios/program/study/plan/manifest.h"
#include "scenarios/program/study/records/number.h"

static const char DIGITS[] = "0123456789", WORD[] = G_CSET_a_2_z G_CSET_A_2_Z "0123456789_";

static void token_free(gpointer data)
{
    Token *token = data;
    g_free(token->text);
    g_free(token);
}

/* Takes over `text`. */
static void add(GPtrArray *tokens, TokenKind kind, char *text)
{
    Token *token = g_new(Token, 1);
    *token = (Token){kind, text};
    g_ptr_array_add(tokens, token);
}

static const char *add_part(GPtrArray *tokens, TokenKind kind, const char *at, gsize length)
{
    add(tokens, kind, g_strndup(at, length));
    return at + length;
}

G_GNUC_PRINTF(2, 3)
static const char *reject(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, STUDY_ERROR, 0, reason);
    return NULL;
}

static bool is_quantity(const char *at, gsize length)
{
    double number;
    g_autofree char *text = g_strndup(at, length);
    return number_read(text, &number, NULL);
}

static bool may_follow_a_number(const char *word)
{
    static const char *const words[] = {"and", "or", "in", "not", "between", NULL};
    g_autofree char *small = g_ascii_strdown(word, -1);
    return !*word || g_strv_contains(words, small);
}

static const char *reject_unit(const char *at, gsize number, const char *word, GError **error)
{
    const char *near = number_nearest_unit(word);
    return reject(error, "%.*s %s: '%s' is not a unit%s%s%s", (int)number, at, word, word,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static gsize number_length(const char *at)
{
    gsize length = strspn(at, DIGITS);
    if (at[length] == '.') length += 1 + strspn(at + length + 1, DIGITS);
    const gsize sign = length + (at[length] == 'e' || at[length] == 'E');
    if (sign == length) return length;
    const gsize exponent = sign + (at[sign] == '-' || at[sign] == '+');
    const gsize digits = strspn(at + exponent, DIGITS);
    return digits ? exponent + digits : length;
}

/* A number with the unit behind it: "32 B/cycle" before "32 B", and that before "32". */
static const char *read_quantity(GPtrArray *tokens, const char *at, GError **error)
{
    const gsize number = number_length(at), unit = number + strspn(at + number, " \t");
    const gsize word = strspn(at + unit, WORD);
    const gsize rate = at[unit + word] == '/' ? word + 1 + strspn(at + unit + word + 1, WORD) : 0;
    if (rate && is_quantity(at, unit + rate))
        return add_part(tokens, TOKEN_QUANTITY, at, unit + rate);
    if (at[unit] == '%') return add_part(tokens, TOKEN_QUANTITY, at, unit + 1);
    if (word && is_quantity(at, unit + word))
        return add_part(tokens, TOKEN_QUANTITY, at, unit + word);
    g_autofree char *rest = g_strndup(at + unit, word);
    if (!may_follow_a_number(rest)) return reject_unit(at, number, rest, error);
    return add_part(tokens, TOKEN_QUANTITY, at, number);
}

static const char *read_quoted(GPtrArray *tokens, const char *at, GError **error)
{
    const char *end = strchr(at + 1, *at);
    if (!end) return reject(error, "%s: a quote is not closed", at);
    add_part(tokens, TOKEN_TEXT, at + 1, (gsize)(end - at - 1));
    return end + 1;
}

/* Names have points inside; the kernel's name in "kernel warm-up.loads" may have others too. */
static const char *read_word(GPtrArray *tokens, const char *at)
{
    gsize length = strspn(at, WORD);
    if (length == strlen("kernel") && !strncmp(at, "kernel", length) && at[length] == ' ')
        length += strcspn(at + length, ".<>=!()+*/,\"'");
    while (at[length] == '.' && strchr(WORD, at[length + 1]) && at[length + 1])
        length += 1 + strspn(at + length + 1, WORD);
    return add_part(tokens, TOKEN_WORD, at, length);
}

static const char *read_operator(GPtrArray *tokens, const char *at, GError **error)
{
    static const char *const operators[] = {"<=", ">=", "==", "!=", "<>", "<", ">", "=",
                                            "+",  "-",  "*",  "/",  "(",  ")", ",", NULL};
    for (const char *const *symbol = operators; *symbol; symbol++)
        if (g_str_has_prefix(at, *symbol))
            return add_part(tokens, TOKEN_OPERATOR, at, strlen(*symbol));
    return reject(error,
                  "'%.*s' is no operator; there are and, or, not, in, between, = != < <= > >=, "
                  "+ - * / and parentheses",
                  (int)(g_utf8_next_char(at) - at), at);
}

static const char *read_token(GPtrArray *tokens, const char *at, GError **error)
{
    if (g_ascii_isdigit(*at) || (*at == '.' && g_ascii_isdigit(at[1])))
        return read_quantity(tokens, at, error);
    if (*at == '"' || *at == '\'') return read_quoted(tokens, at, error);
    if (strchr(WORD, *at)) return read_word(tokens, at);
    return read_operator(tokens, at, error);
}

GPtrArray *where_tokens(const char *condition, GError **error)
{
    g_autoptr(GPtrArray) tokens = g_ptr_array_new_with_free_func(token_free);
    const char *at = condition;
    for (;;) {
        while (g_ascii_isspace(*at)) at++;
        if (!*at) break;
        at = read_token(tokens, at, error);
        if (!at) return NULL;
    }
    add(tokens, TOKEN_END, g_strdup(""));
    return g_steal_pointer(&tokens);
}
