/* The text of a program in words, and errors that show where in it they are. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kit/describe/configuration.h"

/* Where the text came from. */
typedef struct {
    const char *text, *group, *key;
    const Setting *setting; /* NULL: a default */
} ProgramSource;

typedef enum { TOKEN_NUMBER, TOKEN_NAME, TOKEN_SYMBOL, TOKEN_NEWLINE, TOKEN_END } TokenKind;

typedef struct {
    TokenKind kind;
    const char *text; /* in the source */
    uint32_t length;
    int64_t number;
} Token;

/* Reads the token at *at, which moves behind it. Comments and white space are passed over; a
 * semicolon is a newline. False: an error is set. */
bool token_read(const ProgramSource *source, const char **at, Token *token, GError **error);

static inline bool token_is(const Token *token, const char *text)
{
    return (token->kind == TOKEN_NAME || token->kind == TOKEN_SYMBOL)
           && strlen(text) == token->length && !strncmp(token->text, text, token->length);
}

/* The line of the scenario file in which `at` stands; of a text without a file, in the text. */
uint32_t source_line(const ProgramSource *source, const char *at);

/* Sets "file:line: group.key: the line's text: reason". Returns false. */
bool source_reject(const ProgramSource *source, const char *at, GError **error, const char *format,
                   ...) G_GNUC_PRINTF(4, 5);
