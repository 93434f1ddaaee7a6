#include "scenarios/program/study/dimensions/where_parse.h"

#include <string.h>

#include "kit/describe/param.h"
#include "scenarios/program/study/dimensions/where_token.h"
#include "scenarios/program/study/plan/manifest.h"

/* or: and {or and} · and: not {and not} · not: {not} comparison
 * comparison: sum {< sum} | sum [not] between sum and sum | sum [not] in (sum, ...)
 * sum: product {+ product} · product: factor {* factor} · factor: {-} operand
 * operand: quantity | text | name | function(or, ...) | (or) */
typedef struct {
    const GPtrArray *tokens; /* of Token */
    guint position, depth;
    Condition *condition;
    const char *const *names;
    GError **error;
} Parser;

enum { DEPTH_MAX = 100, TOKENS_MAX = 1000 };

static const Node *parse_or(Parser *parser);
static const Node *parse_sum(Parser *parser);

/* --- tokens and nodes ------------------------------------------------------------------------- */

static const Token *peek(const Parser *parser)
{
    return parser->tokens->pdata[parser->position];
}

static bool is_word(const Token *token, const char *word)
{
    return token->kind == TOKEN_WORD && !g_ascii_strcasecmp(token->text, word);
}

static bool is_operator(const Token *token, const char *symbol)
{
    return token->kind == TOKEN_OPERATOR && !strcmp(token->text, symbol);
}

static bool accept(Parser *parser, const char *text)
{
    if (!is_word(peek(parser), text) && !is_operator(peek(parser), text)) return false;
    parser->position++;
    return true;
}

static void node_free(gpointer data)
{
    Node *node = data;
    g_free(node->text);
    g_ptr_array_unref(node->operands);
    g_free(node);
}

static Node *add_node(Parser *parser, NodeKind kind, const char *text)
{
    Node *node = g_new0(Node, 1);
    *node = (Node){.kind = kind, .text = g_strdup(text), .operands = g_ptr_array_new()};
    g_ptr_array_add(parser->condition->nodes, node);
    return node;
}

/* NULL when an operand is NULL, which has said why. */
static const Node *join(Parser *parser, const Node *proto, const Node *a, const Node *b)
{
    if (!a || !b) return NULL;
    Node *node = add_node(parser, proto->kind, proto->text);
    g_ptr_array_add(node->operands, (gpointer)a);
    g_ptr_array_add(node->operands, (gpointer)b);
    return node;
}

static const Node *compare(Parser *parser, const char *symbol, const Node *a, const Node *b)
{
    return join(parser, &(Node){.kind = NODE_COMPARE, .text = (char *)symbol}, a, b);
}

static const Node *negate(Parser *parser, const Node *operand)
{
    if (!operand) return NULL;
    Node *node = add_node(parser, NODE_NOT, NULL);
    g_ptr_array_add(node->operands, (gpointer)operand);
    return node;
}

static const Node *reject(Parser *parser, const char *wanted)
{
    const Token *token = peek(parser);
    if (token->kind == TOKEN_END)
        g_set_error(parser->error, STUDY_ERROR, 0, "%s is missing at the end", wanted);
    else
        g_set_error(parser->error, STUDY_ERROR, 0, "%s is missing before '%s'", wanted,
                    token->text);
    return NULL;
}

/* --- operands --------------------------------------------------------------------------------- */

static const Node *parse_name(Parser *parser)
{
    const char *name = peek(parser)->text;
    if (g_strv_contains(parser->names, name)) {
        parser->position++;
        return add_node(parser, NODE_NAME, name);
    }
    const char *near = param_nearest(name, parser->names);
    if (near)
        g_set_error(parser->error, STUDY_ERROR, 0, "there is no parameter %s; did you mean '%s'?",
                    name, near);
    else
        g_set_error(parser->error, STUDY_ERROR, 0,
                    "there is no parameter %s; parameters are written group.key, and texts in "
                    "quotes",
                    name);
    return NULL;
}

/* Behind the opening parenthesis, to the closing one. */
static bool parse_arguments(Parser *parser, GPtrArray *arguments)
{
    do {
        const Node *argument = parse_or(parser);
        if (!argument) return false;
        g_ptr_array_add(arguments, (gpointer)argument);
    } while (accept(parser, ","));
    return accept(parser, ")") || reject(parser, "')'");
}

static const Node *parse_call(Parser *parser)
{
    Node *node = add_node(parser, NODE_CALL, peek(parser)->text);
    const bool known = g_strv_contains(value_functions, node->text);
    if (!known) {
        g_autofree char *all = g_strjoinv(", ", (char **)value_functions);
        g_set_error(parser->error, STUDY_ERROR, 0, "there is no function %s; there are %s",
                    node->text, all);
        return NULL;
    }
    parser->position += 2;
    return parse_arguments(parser, node->operands) ? node : NULL;
}

static const Node *parse_word(Parser *parser)
{
    static const char *const keywords[] = {"and", "or", "not", "in", "between", NULL};
    const Token *token = peek(parser), *next = parser->tokens->pdata[parser->position + 1];
    g_autofree char *small = g_ascii_strdown(token->text, -1);
    if (g_strv_contains(keywords, small)) return reject(parser, "a value");
    if (is_operator(next, "(")) return parse_call(parser);
    const bool yes = !strcmp(small, "yes") || !strcmp(small, "true");
    if (!yes && strcmp(small, "no") != 0 && strcmp(small, "false") != 0) return parse_name(parser);
    parser->position++;
    Node *node = add_node(parser, NODE_VALUE, NULL);
    node->value = value_truth(yes);
    return node;
}

static const Node *parse_constant(Parser *parser)
{
    const Token *token = peek(parser);
    Node *node = add_node(parser, NODE_VALUE, token->text);
    node->value = token->kind == TOKEN_TEXT ? (Value){.kind = VALUE_TEXT, .text = node->text}
                                            : value_read(node->text);
    parser->position++;
    return node;
}

static const Node *parse_operand(Parser *parser)
{
    if (accept(parser, "(")) {
        const Node *inner = parse_or(parser);
        return !inner || accept(parser, ")") ? inner : reject(parser, "')'");
    }
    switch (peek(parser)->kind) {
    case TOKEN_END:
    case TOKEN_OPERATOR: return reject(parser, "a value");
    case TOKEN_QUANTITY:
    case TOKEN_TEXT: return parse_constant(parser);
    case TOKEN_WORD: return parse_word(parser);
    }
    g_assert_not_reached();
}

static const Node *parse_factor(Parser *parser)
{
    bool negative = false;
    while (accept(parser, "-")) negative = !negative;
    const Node *node = parse_operand(parser);
    if (!negative) return node;
    const Node *zero = add_node(parser, NODE_VALUE, NULL); /* of any unit */
    return join(parser, &(Node){.kind = NODE_COMPUTE, .text = (char *)"-"}, zero, node);
}

/* --- operators -------------------------------------------------------------------------------- */

static const Node *parse_product(Parser *parser)
{
    const Node *node = parse_factor(parser);
    while (node && (is_operator(peek(parser), "*") || is_operator(peek(parser), "/"))) {
        const Node proto = {.kind = NODE_COMPUTE, .text = peek(parser)->text};
        parser->position++;
        node = join(parser, &proto, node, parse_factor(parser));
    }
    return node;
}

static const Node *parse_sum(Parser *parser)
{
    const Node *node = parse_product(parser);
    while (node && (is_operator(peek(parser), "+") || is_operator(peek(parser), "-"))) {
        const Node proto = {.kind = NODE_COMPUTE, .text = peek(parser)->text};
        parser->position++;
        node = join(parser, &proto, node, parse_product(parser));
    }
    return node;
}

static const Node *parse_between(Parser *parser, const Node *middle)
{
    const Node *low = parse_sum(parser);
    if (low && !accept(parser, "and")) return reject(parser, "'and' of 'between'");
    const Node *high = low ? parse_sum(parser) : NULL;
    return join(parser, &(Node){.kind = NODE_AND}, compare(parser, ">=", middle, low),
                compare(parser, "<=", middle, high));
}

static const Node *parse_in(Parser *parser, const Node *wanted)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new();
    if (!accept(parser, "(")) return reject(parser, "'(' of 'in'");
    if (!parse_arguments(parser, items)) return NULL;
    Node *node = add_node(parser, NODE_OR, NULL);
    for (guint i = 0; i < items->len; i++)
        g_ptr_array_add(node->operands, (gpointer)compare(parser, "=", wanted, items->pdata[i]));
    return node;
}

/* a < b < c is a < b and b < c. */
static const Node *parse_chain(Parser *parser, const Node *first)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "=", "==", "!=", "<>", NULL};
    const Node *whole = NULL;
    while (first && peek(parser)->kind == TOKEN_OPERATOR
           && g_strv_contains(operators, peek(parser)->text)) {
        const char *symbol = peek(parser)->text;
        parser->position++;
        const Node *second = parse_sum(parser);
        const Node *link = compare(parser, symbol, first, second);
        whole = whole ? join(parser, &(Node){.kind = NODE_AND}, whole, link) : link;
        if (!whole) return NULL;
        first = second;
    }
    return whole ? whole : first;
}

static const Node *parse_comparison(Parser *parser)
{
    const Node *first = parse_sum(parser);
    if (!first) return NULL;
    const bool negated = accept(parser, "not");
    const Node *node = NULL;
    if (accept(parser, "between"))
        node = parse_between(parser, first);
    else if (accept(parser, "in"))
        node = parse_in(parser, first);
    else
        return negated ? reject(parser, "'in' or 'between'") : parse_chain(parser, first);
    return negated ? negate(parser, node) : node;
}

static const Node *parse_not(Parser *parser)
{
    bool negated = false;
    while (accept(parser, "not")) negated = !negated;
    const Node *node = parse_comparison(parser);
    return negated ? negate(parser, node) : node;
}

static const Node *parse_and(Parser *parser)
{
    const Node *node = parse_not(parser);
    while (node && accept(parser, "and"))
        node = join(parser, &(Node){.kind = NODE_AND}, node, parse_not(parser));
    return node;
}

static const Node *parse_or(Parser *parser)
{
    if (++parser->depth > DEPTH_MAX) {
        g_set_error(parser->error, STUDY_ERROR, 0, "more than %d parentheses inside each other",
                    DEPTH_MAX);
        return NULL;
    }
    const Node *node = parse_and(parser);
    while (node && accept(parser, "or"))
        node = join(parser, &(Node){.kind = NODE_OR}, node, parse_and(parser));
    parser->depth--;
    return node;
}

/* --- conditions ------------------------------------------------------------------------------- */

void condition_free(gpointer data)
{
    Condition *condition = data;
    g_ptr_array_unref(condition->nodes);
    g_free(condition->text);
    g_free(condition);
}

Condition *condition_parse(const char *text, const char *const *names, GError **error)
{
    g_autoptr(GPtrArray) tokens = where_tokens(text, error);
    if (!tokens) return NULL;
    if (tokens->len > TOKENS_MAX) {
        g_set_error(error, STUDY_ERROR, 0, "more than %d words; write several conditions",
                    TOKENS_MAX);
        return NULL;
    }
    Condition *condition = g_new0(Condition, 1);
    condition->text = g_strdup(text);
    condition->nodes = g_ptr_array_new_with_free_func(node_free);
    Parser parser = {.tokens = tokens, .condition = condition, .names = names, .error = error};
    condition->root = parse_or(&parser);
    if (condition->root && peek(&parser)->kind != TOKEN_END) {
        condition->root = NULL;
        reject(&parser, "an operator");
    }
    if (condition->root) return condition;
    condition_free(condition);
    return NULL;
}
