/* Expressions: the operators of C with its precedences, function calls, elements. */
#include "workloads/language/syntax.h"

enum { LEVELS = 10, NESTING = 200 };

/* From loosest to tightest. */
static const char *const levels[LEVELS][5] = {
    {"||"},       {"&&"},     {"|"},           {"^"}, {"&"}, {"==", "!="}, {"<", "<=", ">", ">="},
    {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
};

static Expression *new_expression(Parser *parser, ExpressionKind kind, const char *at)
{
    Expression *expression = g_new0(Expression, 1);
    *expression = (Expression){.kind = kind, .at = at};
    g_ptr_array_add(parser->syntax->owned, expression);
    return expression;
}

GPtrArray *parser_new_array(Parser *parser)
{
    GPtrArray *array = g_ptr_array_new();
    g_ptr_array_add(parser->syntax->lists, array);
    return array;
}

static Expression *new_operation(Parser *parser, const char *at, const char *operator,
                                 Expression * first, Expression *second)
{
    Expression *operation = new_expression(parser, EXPRESSION_OPERATION, at);
    operation->name = operator;
    operation->children = parser_new_array(parser);
    g_ptr_array_add(operation->children, first);
    if (second) g_ptr_array_add(operation->children, second);
    return operation;
}

GPtrArray *parser_list(Parser *parser, const char *end)
{
    GPtrArray *list = parser_new_array(parser);
    parser->brackets++;
    if (parser->token.kind == TOKEN_NEWLINE && !parser_advance(parser)) return NULL;
    if (!token_is(&parser->token, end)) {
        do {
            Expression *expression = parser_expression(parser);
            if (!expression) return NULL;
            g_ptr_array_add(list, expression);
        } while (parser_takes(parser, ","));
    }
    parser->brackets--;
    return parser_expect(parser, end) ? list : NULL;
}

static Expression *parse_named(Parser *parser)
{
    const char *at = parser->token.text;
    const char *name = parser_take_name(parser, "a number or a name");
    if (!name) return NULL;
    Expression *expression = new_expression(parser, EXPRESSION_NAME, at);
    expression->name = name;
    const bool call = token_is(&parser->token, "("), element = token_is(&parser->token, "[");
    if (!call && !element) return expression;
    expression->kind = call ? EXPRESSION_CALL : EXPRESSION_ELEMENT;
    if (!parser_advance(parser)) return NULL;
    expression->children = parser_list(parser, call ? ")" : "]");
    return expression->children ? expression : NULL;
}

Expression *parser_operand(Parser *parser)
{
    Expression *expression = parse_named(parser);
    if (expression && expression->kind == EXPRESSION_CALL) {
        parser_reject(parser, "a variable, not a function");
        return NULL;
    }
    return expression;
}

static Expression *parse_primary(Parser *parser)
{
    const Token token = parser->token;
    if (token.kind == TOKEN_NUMBER) {
        Expression *number = new_expression(parser, EXPRESSION_NUMBER, token.text);
        number->number = token.number;
        return parser_advance(parser) ? number : NULL;
    }
    if (!token_is(&token, "(")) return parse_named(parser);
    parser->brackets++;
    if (!parser_advance(parser)) return NULL;
    Expression *inner = parser_expression(parser);
    parser->brackets--;
    return inner && parser_expect(parser, ")") ? inner : NULL;
}

static Expression *parse_unary(Parser *parser)
{
    static const char *const operators[] = {"-", "!", "~"};
    for (gsize i = 0; i < G_N_ELEMENTS(operators); i++) {
        const char *at = parser->token.text;
        if (!parser_takes(parser, operators[i])) continue;
        if (++parser->depth > NESTING) {
            parser_reject(parser, "an expression that is nested less deeply");
            return NULL;
        }
        Expression *operand = parse_unary(parser);
        parser->depth--;
        return operand ? new_operation(parser, at, operators[i], operand, NULL) : NULL;
    }
    return parse_primary(parser);
}

static Expression *parse_level(Parser *parser, uint32_t level)
{
    if (level == LEVELS) return parse_unary(parser);
    Expression *left = parse_level(parser, level + 1);
    while (left) {
        const char *at = parser->token.text, *const * operator= levels[level];
        while (*operator&& !token_is(&parser->token, *operator)) operator++;
        if (!*operator) break;
        if (!parser_advance(parser)) return NULL;
        Expression *right = parse_level(parser, level + 1);
        left = right ? new_operation(parser, at, *operator, left, right) : NULL;
    }
    return left;
}

Expression *parser_expression(Parser *parser)
{
    if (++parser->depth > NESTING) {
        parser_reject(parser, "an expression that is nested less deeply");
        return NULL;
    }
    const char *at = parser->token.text;
    Expression *condition = parse_level(parser, 0);
    if (condition && parser_takes(parser, "?")) {
        Expression *yes = parser_expression(parser);
        Expression *no = yes && parser_expect(parser, ":") ? parser_expression(parser) : NULL;
        if (!no) return NULL;
        condition = new_operation(parser, at, "?:", condition, yes);
        g_ptr_array_add(condition->children, no);
    }
    parser->depth--;
    return condition;
}
