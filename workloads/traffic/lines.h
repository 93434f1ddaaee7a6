/* Words of lines of a file that may be compressed: blanks and colons are between them, and behind a
 * # is what nobody reads. */
#pragma once

#include "workloads/traces/input.h"

enum { LINE_WORDS_MAX = 4096 };

typedef struct {
    const char *begin;
    size_t length;
} Word;

/* The next line that has any; *count is how many, at most LINE_WORDS_MAX + 1, as `words` can hold.
 * False at the end of the file, and with error when it cannot be read. */
bool lines_next(TraceInput *input, Word *words, uint32_t *count, GError **error);

/* "'word' is no WHAT". Returns false. */
bool lines_reject(const TraceInput *input, const Word *word, const char *what, GError **error);
