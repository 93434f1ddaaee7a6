/* "Did you mean": which of the names there are somebody may have mistyped. */
#pragma once

/* The candidate nearest in edit distance, or else the first that contains the word, or NULL when
 * there is none; `candidates` is NULL-terminated. */
const char *nearest_word(const char *word, const char *const *candidates);

/* The same, but the first that begins with `word` comes before any other. */
const char *nearest_name(const char *word, const char *const *candidates);
