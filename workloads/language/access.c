/* Statements that access memory. */
#include <string.h>

#include "workloads/language/syntax.h"

static const struct {
    const char *name;
    Operation operation;
} accesses[] = {{"load", OPERATION_LOAD},
                {"store", OPERATION_STORE},
                {"atomic", OPERATION_ATOMIC},
                {"reduce", OPERATION_ATOMIC},
                {"blend", OPERATION_ATOMIC}};

static const struct {
    const char *name;
    AtomicOperation operation;
} atomics[] = {{"add", ATOMIC_ADD}, {"inc", ATOMIC_INC},       {"min", ATOMIC_MIN},
               {"max", ATOMIC_MAX}, {"exch", ATOMIC_EXCHANGE}, {"cas", ATOMIC_CAS},
               {"and", ATOMIC_AND}, {"or", ATOMIC_OR},         {"xor", ATOMIC_XOR}};

static const struct {
    const char *symbol;
    Until until;
} comparisons[] = {{"==", UNTIL_EQUAL},   {"!=", UNTIL_OTHER},  {"<", UNTIL_LESS},
                   {"<=", UNTIL_AT_MOST}, {">", UNTIL_GREATER}, {">=", UNTIL_AT_LEAST}};

static const struct {
    const char *name;
    CacheHint hint;
} hints[] = {
    {"ca", CACHE_ALL}, {"cg", CACHE_L2_ONLY}, {"nc", CACHE_READ_ONLY}, {"cs", CACHE_STREAMING}};

/* ".cg", ".8" */
static bool parse_suffixes(Parser *parser, Statement *s)
{
    while (token_is(&parser->token, ".")) {
        if (!parser_advance(parser)) return false;
        bool known = false;
        for (gsize i = 0; i < G_N_ELEMENTS(hints); i++) {
            if (!token_is(&parser->token, hints[i].name)) continue;
            s->hint = hints[i].hint;
            known = s->has_hint = true;
        }
        for (gsize i = 0; s->operation == OPERATION_ATOMIC && i < G_N_ELEMENTS(atomics); i++) {
            if (s->atomic == ATOMIC_BLEND || !token_is(&parser->token, atomics[i].name)) continue;
            s->atomic = atomics[i].operation;
            known = true;
        }
        if (parser->token.kind == TOKEN_NUMBER && parser->token.number <= 16
            && __builtin_popcountll((uint64_t)parser->token.number) == 1) {
            s->width = (uint32_t)parser->token.number;
            known = true;
        }
        if (!known)
            return parser_reject(parser, s->operation == OPERATION_ATOMIC
                                             ? "an operation (add, inc, min, max, exch, cas, and, "
                                               "or, xor), a cache hint or a width"
                                             : "a cache hint (ca, cg, nc, cs) or a width in bytes "
                                               "(1, 2, 4, 8, 16)");
        if (!parser_advance(parser)) return false;
    }
    return true;
}

bool parser_at_end(const Parser *parser)
{
    return parser->token.kind == TOKEN_NEWLINE || parser->token.kind == TOKEN_END
           || token_is(&parser->token, "}");
}

bool parser_operands(Parser *parser, Statement *s)
{
    do {
        Expression *operand = parser_operand(parser);
        if (!operand) return false;
        g_ptr_array_add(s->operands, operand);
    } while (parser_takes(parser, ","));
    return true;
}

/* "by E", or of cas "from E to E" */
static bool parse_operation(Parser *parser, Statement *s)
{
    const bool operates = s->operation == OPERATION_ATOMIC && s->atomic != ATOMIC_BLEND;
    if (operates && s->atomic == ATOMIC_CAS) {
        if (!parser_expect(parser, "from") || !(s->limits[0] = parser_expression(parser))
            || !parser_expect(parser, "to"))
            return false;
        s->value = parser_expression(parser);
        return s->value != NULL;
    }
    if (!operates || !parser_takes(parser, "by")) return true;
    s->value = parser_expression(parser);
    return s->value != NULL;
}

bool parser_access(Parser *parser, Statement *s, const char *word)
{
    s->kind = STATEMENT_ACCESS;
    s->operands = parser_new_array(parser);
    const bool brings = !strcmp(word, "load") || !strcmp(word, "atomic");
    if (brings && !s->target)
        return source_reject(parser->source, s->at, parser->error,
                             "a result is missing: 'x = %s ...'%s", word,
                             !strcmp(word, "atomic") ? "; without a result it is 'reduce'" : "");
    if (!brings && s->target)
        return source_reject(parser->source, s->at, parser->error, "'%s' has no result%s", word,
                             !strcmp(word, "reduce") ? "; with a result it is 'atomic'" : "");
    if (!strcmp(word, "blend")) s->atomic = ATOMIC_BLEND;
    if (!parse_suffixes(parser, s)) return false;
    s->name = parser_take_name(parser, "an array");
    if (!s->name || !parser_expect(parser, "[")) return false;
    s->indices = parser_list(parser, "]");
    return s->indices && parse_operation(parser, s)
           && (!parser_takes(parser, ",") || parser_operands(parser, s));
}

bool parser_poll(Parser *parser, Statement *s)
{
    s->kind = STATEMENT_POLL;
    s->operation = OPERATION_ATOMIC;
    s->atomic = ATOMIC_READ;
    s->operands = parser_new_array(parser);
    s->name = parser_take_name(parser, "an array, or the end of the statement");
    if (!s->name || !parser_expect(parser, "[")) return false;
    s->indices = parser_list(parser, "]");
    if (!s->indices) return false;
    for (gsize i = 0; i < G_N_ELEMENTS(comparisons) && !s->until; i++)
        if (parser_takes(parser, comparisons[i].symbol)) s->until = comparisons[i].until;
    if (!s->until) return parser_reject(parser, "a comparison (==, !=, <, <=, >, >=)");
    s->value = parser_expression(parser);
    return s->value != NULL;
}

bool parser_starts_access(const Parser *parser, Statement *s)
{
    for (gsize i = 0; i < G_N_ELEMENTS(accesses); i++) {
        if (!token_is(&parser->token, accesses[i].name)) continue;
        s->operation = accesses[i].operation;
        return true;
    }
    return false;
}
