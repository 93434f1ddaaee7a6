/* Statements. */
#include "kit/describe/nearest.h"
#include "workloads/language/syntax.h"

static const char *const statement_words[] = {
    "param",    "let",   "global", "shared", "local",  "constant", "texture", "register",
    "pressure", "load",  "store",  "atomic", "reduce", "blend",    "sample",  "texel",
    "fp32",     "fp64",  "sfu",    "int",    "tex",    "other",    "fma",     "dfma",
    "barrier",  "fence", "wait",   "for",    "if",     NULL};

/* What may stand behind "x =". */
static const char *const instruction_words[] = {"load",  "atomic", "sample", "texel", "fp32",
                                                "fp64",  "sfu",    "int",    "tex",   "shuffle",
                                                "other", "fma",    "dfma",   NULL};

static const struct {
    const char *name;
    ExecutionUnit unit;
} computations[] = {
    {"fp32", EXECUTE_FP32},   {"fp64", EXECUTE_FP64},   {"sfu", EXECUTE_SFU},
    {"int", EXECUTE_INT},     {"tex", EXECUTE_TEXTURE}, {"shuffle", EXECUTE_SHUFFLE},
    {"other", EXECUTE_OTHER}, {"fma", EXECUTE_FP32},    {"dfma", EXECUTE_FP64},
};

static const struct {
    const char *name;
    Space space;
} spaces[] = {{"global", SPACE_GLOBAL},
              {"shared", SPACE_SHARED},
              {"local", SPACE_LOCAL},
              {"constant", SPACE_CONSTANT}};

/* --- words ------------------------------------------------------------------------------------ */

bool parser_advance(Parser *parser)
{
    do {
        if (!token_read(parser->source, &parser->at, &parser->token, parser->error)) return false;
    } while (parser->brackets && parser->token.kind == TOKEN_NEWLINE);
    return true;
}

bool parser_reject(Parser *parser, const char *expected)
{
    const Token *token = &parser->token;
    if (parser->error && *parser->error) return false;
    const bool at_end = token->kind == TOKEN_END || token->kind == TOKEN_NEWLINE;
    const char *at = at_end && token->text > parser->source->text ? token->text - 1 : token->text;
    g_autofree char *found =
        at_end ? g_strdup_printf("the end of the %s",
                                 token->kind == TOKEN_END ? "program" : "statement")
               : g_strdup_printf("'%.*s'", (int)token->length, token->text);
    return source_reject(parser->source, at, parser->error, "expected %s, not %s", expected, found);
}

bool parser_expect(Parser *parser, const char *symbol)
{
    g_autofree char *expected = g_strdup_printf("'%s'", symbol);
    return token_is(&parser->token, symbol) ? parser_advance(parser)
                                            : parser_reject(parser, expected);
}

bool parser_takes(Parser *parser, const char *word)
{
    return token_is(&parser->token, word) && parser_advance(parser);
}

const char *parser_take_name(Parser *parser, const char *what)
{
    const Token token = parser->token;
    if (token.kind != TOKEN_NAME) {
        parser_reject(parser, what);
        return NULL;
    }
    const char *name = g_string_chunk_insert_len(parser->syntax->strings, token.text, token.length);
    return parser_advance(parser) ? name : NULL;
}

static bool skip_newlines(Parser *parser)
{
    while (parser->token.kind == TOKEN_NEWLINE)
        if (!parser_advance(parser)) return false;
    return true;
}

static bool parse_into(Parser *parser, Expression **expression)
{
    *expression = parser_expression(parser);
    return *expression != NULL;
}

/* --- declarations ----------------------------------------------------------------------------- */

static bool parse_param(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_PARAM;
    s->name = parser_take_name(parser, "the parameter's name");
    if (!s->name || !parser_expect(parser, "=") || !parse_into(parser, &s->value)) return false;
    if (!parser_takes(parser, "from")) return true;
    return parse_into(parser, &s->limits[0]) && parser_expect(parser, "to")
           && parse_into(parser, &s->limits[1]);
}

static bool parse_let(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_LET;
    s->name = parser_take_name(parser, "a name");
    return s->name && parser_expect(parser, "=") && parse_into(parser, &s->value);
}

static bool parse_content(Parser *parser, Statement *s)
{
    s->content_kind = token_is(&parser->token, "cycle") ? CONTENT_CYCLE : CONTENT_FORMULA;
    return s->content_kind == CONTENT_CYCLE ? parser_advance(parser)
                                            : parse_into(parser, &s->content);
}

/* surface [constant E] [quarter E] [half E] */
static bool parse_surface(Parser *parser, Statement *s)
{
    static const char *const words[] = {"constant", "quarter", "half"};
    s->surface = true;
    for (gsize i = 0; i < G_N_ELEMENTS(words);) {
        if (!parser_takes(parser, words[i])) {
            i++;
        } else if (s->tiles[i] || !parse_into(parser, &s->tiles[i])) {
            return false;
        }
    }
    return true;
}

static bool parse_attributes(Parser *parser, Statement *s)
{
    for (;;) {
        bool good = true;
        if (parser_takes(parser, "of"))
            good = parse_into(parser, &s->element);
        else if (parser_takes(parser, "at"))
            good = parse_into(parser, &s->base);
        else if (parser_takes(parser, "align"))
            good = parse_into(parser, &s->alignment);
        else if (parser_takes(parser, "content"))
            good = parse_content(parser, s);
        else if (parser_takes(parser, "readonly"))
            s->read_only = true;
        else if (parser_takes(parser, "surface"))
            good = parse_surface(parser, s);
        else
            return true;
        if (!good) return false;
        parser_takes(parser, ",");
    }
}

static bool parse_array(Parser *parser, Statement *s, Space space)
{
    s->kind = STATEMENT_ARRAY;
    s->space = space;
    s->name = parser_take_name(parser, "the array's name");
    if (!s->name || !parser_expect(parser, "[")) return false;
    s->indices = parser_list(parser, "]");
    return s->indices && parse_attributes(parser, s);
}

static bool parse_register(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_REGISTER;
    s->name = parser_take_name(parser, "a name");
    if (!s->name) return false;
    if (parser_takes(parser, "[") && !(s->indices = parser_list(parser, "]"))) return false;
    return !parser_takes(parser, "of") || parse_into(parser, &s->element);
}

/* --- instructions ----------------------------------------------------------------------------- */

static bool parse_compute(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_COMPUTE;
    s->operands = parser_new_array(parser);
    if (!parser_at_end(parser) && !token_is(&parser->token, "times") && !parser_operands(parser, s))
        return false;
    return !parser_takes(parser, "times") || parse_into(parser, &s->value);
}

static bool starts_compute(const Parser *parser, ExecutionUnit *unit)
{
    for (gsize i = 0; i < G_N_ELEMENTS(computations); i++) {
        if (!token_is(&parser->token, computations[i].name)) continue;
        *unit = computations[i].unit;
        return true;
    }
    return false;
}

/* What may stand behind "x =". *known: it is an instruction. */
static bool parse_instruction(Parser *parser, Statement *s, bool *known)
{
    g_autofree char *word = g_strndup(parser->token.text, parser->token.length);
    const bool access = parser_starts_access(parser, s);
    const bool sample = parser_starts_sample(parser, s);
    *known = access || sample || starts_compute(parser, &s->unit);
    if (!*known) return true;
    if (!parser_advance(parser)) return false;
    if (sample) return parser_sample(parser, s, word);
    return access ? parser_access(parser, s, word) : parse_compute(parser, s);
}

static bool reject_word(Parser *parser, const char *word)
{
    const char *near = nearest_word(word, statement_words);
    g_autofree char *all = g_strjoinv(", ", (char **)statement_words);
    return source_reject(
        parser->source, parser->token.text, parser->error, "'%s' begins no statement; %s%s%s", word,
        near ? "did you mean '" : "there are 'x = ...', ", near ? near : all, near ? "'?" : "");
}

static bool parse_assignment(Parser *parser, Statement *s)
{
    const Token first = parser->token;
    g_autofree char *word = g_strndup(first.text, first.length);
    s->target = parser_operand(parser);
    if (!s->target) return false;
    if (!token_is(&parser->token, "=")) {
        parser->token = first;
        return reject_word(parser, word);
    }
    bool known;
    if (!parser_advance(parser) || !parse_instruction(parser, s, &known)) return false;
    if (known) return true;
    s->kind = STATEMENT_ASSIGN;
    g_autofree char *wrong = g_strndup(parser->token.text, parser->token.length);
    const bool is_name = parser->token.kind == TOKEN_NAME;
    const Token token = parser->token;
    if (!parse_into(parser, &s->value)) return false;
    if (parser_at_end(parser) || !is_name) return true;
    const char *near = nearest_word(wrong, instruction_words);
    g_autofree char *all = g_strjoinv(", ", (char **)instruction_words);
    return source_reject(
        parser->source, token.text, parser->error, "'%s' is no instruction; %s%s%s", wrong,
        near ? "did you mean '" : "there are ", near ? near : all, near ? "'?" : "");
}

/* --- blocks ----------------------------------------------------------------------------------- */

static Statement *parse_statement(Parser *parser);

static GPtrArray *parse_statements(Parser *parser, bool braced)
{
    GPtrArray *statements = parser_new_array(parser);
    while (skip_newlines(parser)) {
        if (braced && token_is(&parser->token, "}"))
            return parser_advance(parser) ? statements : NULL;
        if (!braced && parser->token.kind == TOKEN_END) return statements;
        Statement *statement = parse_statement(parser);
        if (!statement) return NULL;
        g_ptr_array_add(statements, statement);
    }
    return NULL;
}

static bool parse_block(Parser *parser, GPtrArray **block)
{
    if (++parser->depth > 100) return parser_reject(parser, "blocks that are nested less deeply");
    *block = parser_expect(parser, "{") ? parse_statements(parser, true) : NULL;
    parser->depth--;
    return *block != NULL;
}

static bool parse_for(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_FOR;
    s->name = parser_take_name(parser, "the loop's variable");
    if (!s->name || !parser_expect(parser, "in") || !parse_into(parser, &s->limits[0])
        || !parser_expect(parser, "..") || !parse_into(parser, &s->limits[1]))
        return false;
    if (parser_takes(parser, "step") && !parse_into(parser, &s->step)) return false;
    if (parser_takes(parser, "unroll")) {
        s->unroll_all = parser_takes(parser, "all");
        if (!s->unroll_all && !parse_into(parser, &s->value)) return false;
    }
    return parse_block(parser, &s->body);
}

static bool parse_if(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_IF;
    if (!parse_into(parser, &s->value) || !parse_block(parser, &s->body)) return false;
    if (!parser_takes(parser, "else")) return true;
    if (!token_is(&parser->token, "if")) return parse_block(parser, &s->otherwise);
    s->otherwise = parser_new_array(parser);
    if (++parser->chained > 2000) return parser_reject(parser, "fewer 'else if'");
    Statement *chained = parse_statement(parser);
    parser->chained--;
    if (chained) g_ptr_array_add(s->otherwise, chained);
    return chained != NULL;
}

static bool parse_keyword(Parser *parser, Statement *s)
{
    for (gsize i = 0; i < G_N_ELEMENTS(spaces); i++)
        if (parser_takes(parser, spaces[i].name)) return parse_array(parser, s, spaces[i].space);
    if (parser_takes(parser, "texture")) return parser_texture(parser, s);
    if (parser_takes(parser, "param")) return parse_param(parser, s);
    if (parser_takes(parser, "let")) return parse_let(parser, s);
    if (parser_takes(parser, "register")) return parse_register(parser, s);
    if (parser_takes(parser, "for")) return parse_for(parser, s);
    if (parser_takes(parser, "if")) return parse_if(parser, s);
    if (parser_takes(parser, "pressure")) {
        s->kind = STATEMENT_PRESSURE;
        return parse_into(parser, &s->value);
    }
    const bool waits = token_is(&parser->token, "wait");
    const bool plain =
        token_is(&parser->token, "barrier") || token_is(&parser->token, "fence") || waits;
    if (!plain) return parse_assignment(parser, s);
    s->kind = token_is(&parser->token, "barrier") ? STATEMENT_BARRIER
              : token_is(&parser->token, "fence") ? STATEMENT_FENCE
                                                  : STATEMENT_WAIT;
    if (!parser_advance(parser)) return false;
    return !waits || parser_at_end(parser) || parser_poll(parser, s);
}

static Statement *parse_statement(Parser *parser)
{
    Statement *s = g_new0(Statement, 1);
    g_ptr_array_add(parser->syntax->owned, s);
    s->at = parser->token.text;
    bool known = false;
    if (parser->token.kind != TOKEN_NAME) {
        parser_reject(parser, "a statement");
        return NULL;
    }
    if (!parse_instruction(parser, s, &known) || (!known && !parse_keyword(parser, s))
        || (parser->error && *parser->error))
        return NULL;
    if (parser_at_end(parser) || s->kind == STATEMENT_FOR || s->kind == STATEMENT_IF) return s;
    parser_reject(parser, "the end of the statement");
    return NULL;
}

void syntax_free(Syntax *syntax)
{
    if (!syntax) return;
    g_ptr_array_unref(syntax->owned);
    g_ptr_array_unref(syntax->lists);
    g_string_chunk_free(syntax->strings);
    g_free(syntax);
}

/* A local error, so that the parser can tell that one has been set. */
static bool begin(Parser *parser, Syntax *syntax, const ProgramSource *source, GError **error)
{
    *parser = (Parser){.source = source, .syntax = syntax, .at = source->text, .error = error};
    return parser_advance(parser);
}

Syntax *syntax_parse(const ProgramSource *source, GError **error)
{
    g_autoptr(Syntax) syntax = g_new0(Syntax, 1);
    syntax->owned = g_ptr_array_new_with_free_func(g_free);
    syntax->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    syntax->strings = g_string_chunk_new(1024);
    GError *problem = NULL;
    Parser parser;
    if (begin(&parser, syntax, source, &problem))
        syntax->statements = parse_statements(&parser, false);
    if (!problem) return g_steal_pointer(&syntax);
    g_propagate_error(error, problem);
    return NULL;
}

Expression *syntax_parse_expression(Syntax *syntax, const ProgramSource *source, GError **error)
{
    GError *problem = NULL;
    Parser parser;
    Expression *expression = NULL;
    if (begin(&parser, syntax, source, &problem)) expression = parser_expression(&parser);
    if (expression && parser.token.kind != TOKEN_END) parser_reject(&parser, "one expression");
    if (!problem) return expression;
    g_propagate_error(error, problem);
    return NULL;
}
