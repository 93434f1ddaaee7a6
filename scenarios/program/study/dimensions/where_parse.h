/* A condition as a tree. */
#pragma once

#include "scenarios/program/study/dimensions/where_value.h"

typedef enum {
    NODE_VALUE,
    NODE_NAME,    /* of a parameter: `text` */
    NODE_COMPUTE, /* `text` is the operator; of two operands */
    NODE_COMPARE,
    NODE_CALL, /* of the function `text` */
    NODE_AND,
    NODE_OR,
    NODE_NOT,
} NodeKind;

typedef struct {
    NodeKind kind;
    char *text;
    Value value;
    GPtrArray *operands; /* of Node, which `Condition.nodes` owns */
} Node;

typedef struct {
    char *text;
    int line; /* how many lines below the key */
    const Node *root;
    GPtrArray *nodes; /* all of them */
} Condition;

/* `names` (NULL-terminated) are those of parameters. The error says what is wrong, without the
 * place. */
Condition *condition_parse(const char *text, const char *const *names, GError **error);
void condition_free(gpointer condition);
