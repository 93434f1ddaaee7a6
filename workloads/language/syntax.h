/* A program as it is written: statements and expressions, before anything has a meaning. */
#pragma once

#include "kit/gpu/kernel.h"
#include "workloads/language/token.h"

typedef enum {
    EXPRESSION_NUMBER,
    EXPRESSION_NAME,
    EXPRESSION_ELEMENT,  /* name[child 0] */
    EXPRESSION_CALL,     /* name(children ...) */
    EXPRESSION_OPERATION /* operator `name` on its children: 1, 2, or 3 for ?: */
} ExpressionKind;

typedef struct Expression {
    ExpressionKind kind;
    const char *at;   /* in the source, for errors */
    const char *name; /* of the program's own strings */
    int64_t number;
    GPtrArray *children; /* of Expression, or NULL */
} Expression;

typedef enum {
    STATEMENT_PARAM,    /* name, value; limits[0..1] */
    STATEMENT_LET,      /* name, value */
    STATEMENT_ARRAY,    /* space, name, indices (its dimensions), element, ... */
    STATEMENT_REGISTER, /* name, indices (how many, or none), element */
    STATEMENT_PRESSURE, /* value */
    STATEMENT_ASSIGN,   /* target = value */
    STATEMENT_ACCESS,   /* target =, operation, name[indices], operands (data) */
    STATEMENT_POLL,     /* wait name[indices] until value */
    STATEMENT_TEXTURE,  /* name, indices (its sizes), texture, base */
    STATEMENT_SAMPLE,   /* target =, name[indices], value (level); fetch: whole texels */
    STATEMENT_COMPUTE,  /* target =, unit, operands, value (how often) */
    STATEMENT_BARRIER,
    STATEMENT_FENCE,
    STATEMENT_WAIT,
    STATEMENT_FOR, /* name, limits[0..1], step, value (unroll), body */
    STATEMENT_IF   /* value, body, otherwise */
} StatementKind;

typedef enum { CONTENT_NONE, CONTENT_FORMULA, CONTENT_CYCLE } ContentKind;

/* Attributes of a texture; NULL: not given. */
typedef struct {
    const TextureFormat *format;
    TextureLayout layout;
    TextureFilter filter;
    TextureWrap wrap[3];
    bool layers, all_mips;
    Expression *mips, *anisotropy, *bias, *tile[2];
} TextureSyntax;

typedef struct {
    StatementKind kind;
    const char *at;
    const char *name;
    Expression *target; /* name or element; NULL: no result */
    Expression *value, *limits[2], *step;
    GPtrArray *indices, *operands; /* of Expression */
    GPtrArray *body, *otherwise;   /* of Statement */
    bool unroll_all;
    /* accesses */
    Operation operation;
    ExecutionUnit unit;
    uint32_t width; /* bytes; 0: the element */
    bool has_hint;
    CacheHint hint;
    AtomicOperation atomic; /* value: its operand; limits[0]: of cas, what it compares with */
    Until until;
    /* arrays and registers */
    Space space;
    Expression *element, *base, *alignment, *content;
    ContentKind content_kind;
    bool read_only, surface;
    Expression *tiles[3]; /* percent: constant, quarter, half */
    TextureSyntax *texture;
    bool fetch;
} Statement;

typedef struct {
    GPtrArray *statements;
    GPtrArray *owned, *lists; /* statements and expressions; their arrays */
    GStringChunk *strings;    /* names */
} Syntax;

/* NULL with error. */
Syntax *syntax_parse(const ProgramSource *source, GError **error);
void syntax_free(Syntax *syntax);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Syntax, syntax_free)

/* A text that is one expression, as values of keys are; appended to what `syntax` owns. */
Expression *syntax_parse_expression(Syntax *syntax, const ProgramSource *source, GError **error);

/* The parser's inside, shared by its files. Functions return false or NULL after an error. */
typedef struct {
    const ProgramSource *source;
    Syntax *syntax;
    const char *at;                    /* behind `token` */
    Token token;                       /* the next one */
    uint32_t brackets, depth, chained; /* chained: 'else if', one behind another */
    GError **error;
} Parser;

bool parser_advance(Parser *parser);
bool parser_reject(Parser *parser, const char *expected);
bool parser_expect(Parser *parser, const char *symbol);
/* Takes the word if it is the next one; errors show at the next call. */
bool parser_takes(Parser *parser, const char *word);
const char *parser_take_name(Parser *parser, const char *what);
Expression *parser_expression(Parser *parser);
/* name, or name[index] */
Expression *parser_operand(Parser *parser);
/* Expressions and commas, up to the symbol, which is taken. */
GPtrArray *parser_list(Parser *parser, const char *end);
GPtrArray *parser_new_array(Parser *parser);
bool parser_at_end(const Parser *parser);
bool parser_operands(Parser *parser, Statement *s);
/* The next word begins an access; its operation. */
bool parser_starts_access(const Parser *parser, Statement *s);
/* Behind this word. */
bool parser_access(Parser *parser, Statement *s, const char *word);
/* Behind `texture`. */
bool parser_texture(Parser *parser, Statement *s);
/* The next word begins a sample. */
bool parser_starts_sample(const Parser *parser, Statement *s);
bool parser_sample(Parser *parser, Statement *s, const char *word);
/* Behind `wait`. */
bool parser_poll(Parser *parser, Statement *s);
