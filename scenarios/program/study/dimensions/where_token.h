/* The words of a condition. */
#pragma once

#include <glib.h>

typedef enum {
    TOKEN_END,
    TOKEN_QUANTITY, /* "96 KiB" */
    TOKEN_TEXT,     /* what stands in quotes */
    TOKEN_WORD,     /* "l2_slice.capacity", "kernel timed.loads", "and" */
    TOKEN_OPERATOR, /* "<=", "(", "," */
} TokenKind;

typedef struct {
    TokenKind kind;
    char *text;
} Token;

/* Of Token, TOKEN_END last. The error says what cannot be read, without the place. */
GPtrArray *where_tokens(const char *condition, GError **error);
