#include "workloads/language/token.h"

/* Longest first. */
static const char *const symbols[] = {
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "..", "+", "-", "*", "/", "%", "&", "|",
    "^",  "~",  "!",  "<",  ">",  "=",  "(",  ")",  "[",  "]", "{", "}", ",", ".", "?", ":"};

static const struct {
    const char *name;
    int64_t bytes;
} units[] = {{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}};

static bool is_name_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

uint32_t source_line(const ProgramSource *source, const char *at)
{
    uint32_t line = source->setting && source->setting->file ? (uint32_t)source->setting->line : 1;
    for (const char *c = source->text; c < at; c++) line += *c == '\n';
    return line;
}

bool source_reject(const ProgramSource *source, const char *at, GError **error, const char *format,
                   ...)
{
    if (error && *error) return false; /* the first one counts */
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *reason = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    const char *begin = at, *end = at + strcspn(at, "\n;#");
    while (begin > source->text && !strchr("\n;", begin[-1])) begin--;
    g_autofree char *line = g_strstrip(g_strndup(begin, (gsize)(end - begin)));
    const char *file = source->setting ? source->setting->file : NULL;
    g_autofree char *place =
        file ? g_strdup_printf("%s:%u: ", file, source_line(source, at)) : g_strdup("--set: ");
    g_set_error(error, PARAM_ERROR, 0, "%s%s.%s: %s: %s", source->setting ? place : "",
                source->group, source->key, line, reason);
    return false;
}

/* The width in "load.16 B[i]": B is an array here, not the unit. */
static bool is_width(const ProgramSource *source, const char *at)
{
    return at > source->text && at[-1] == '.' && (at - 1 == source->text || at[-2] != '.');
}

/* "64", "0x40", "64 KiB" */
static bool read_number(const ProgramSource *source, const char **at, Token *token, GError **error)
{
    const char *begin = *at;
    const bool hexadecimal = begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
    char *end;
    const guint64 number = g_ascii_strtoull(begin, &end, hexadecimal ? 16 : 10);
    const char *unit = end + strspn(end, " \t");
    uint32_t length = 0;
    int64_t bytes = 1;
    if (!is_width(source, begin))
        while (is_name_letter(unit[length])) length++;
    for (gsize i = 0; i < G_N_ELEMENTS(units); i++) {
        if (strlen(units[i].name) != length || strncmp(unit, units[i].name, length)) continue;
        bytes = units[i].bytes;
        end = (char *)unit + length;
        break;
    }
    if (is_name_letter(*end))
        return source_reject(source, begin, error,
                             "'%.*s' is not a number; numbers are 64, 0x40, 64 KiB (B, MiB, GiB)",
                             (int)(end - begin + 1), begin);
    if (number > (uint64_t)(INT64_C(1) << 53) / (uint64_t)bytes)
        return source_reject(source, begin, error, "%.*s is too large", (int)(end - begin), begin);
    token->kind = TOKEN_NUMBER;
    token->number = (int64_t)number * bytes;
    token->length = (uint32_t)(end - begin);
    return true;
}

static bool read_symbol(const ProgramSource *source, Token *token, GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(symbols); i++) {
        if (!g_str_has_prefix(token->text, symbols[i])) continue;
        token->kind = TOKEN_SYMBOL;
        token->length = (uint32_t)strlen(symbols[i]);
        return true;
    }
    return source_reject(source, token->text, error, "'%.*s' means nothing here",
                         (int)(g_utf8_next_char(token->text) - token->text), token->text);
}

bool token_read(const ProgramSource *source, const char **at, Token *token, GError **error)
{
    const char *c = *at + strspn(*at, " \t\r");
    if (*c == '#') c += strcspn(c, "\n");
    *token = (Token){.text = c};
    bool good = true;
    if (!*c) {
        token->kind = TOKEN_END;
    } else if (*c == '\n' || *c == ';') {
        token->kind = TOKEN_NEWLINE;
        token->length = 1;
    } else if (g_ascii_isdigit(*c)) {
        good = read_number(source, &c, token, error);
    } else if (is_name_letter(*c)) {
        token->kind = TOKEN_NAME;
        while (is_name_letter(c[token->length])) token->length++;
    } else {
        good = read_symbol(source, token, error);
    }
    *at = token->text + token->length;
    return good;
}
