#include "kit/describe/nearest.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

/* What people mix up without noticing. */
static char fold(char c)
{
    return c == '-' || c == ' ' ? '_' : g_ascii_tolower(c);
}

/* Edits that turn one word into the other: insert, delete, replace, swap neighbours. */
static unsigned edit_distance(const char *a, const char *b)
{
    const gsize m = strlen(a), n = strlen(b), width = n + 1;
    g_autofree unsigned *cost = g_new(unsigned, (m + 1) * width);
    for (gsize i = 0; i <= m; i++) cost[i * width] = (unsigned)i;
    for (gsize j = 0; j <= n; j++) cost[j] = (unsigned)j;
    for (gsize i = 1; i <= m; i++) {
        for (gsize j = 1; j <= n; j++) {
            const bool swapped = i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2])
                                 && fold(a[i - 2]) == fold(b[j - 1]);
            unsigned best = cost[(i - 1) * width + j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));
            best = MIN(best, cost[(i - 1) * width + j] + 1);
            best = MIN(best, cost[i * width + j - 1] + 1);
            cost[i * width + j] = swapped ? MIN(best, cost[(i - 2) * width + j - 2] + 1) : best;
        }
    }
    return cost[m * width + n];
}

static bool begins_with(const char *name, const char *word)
{
    while (*word && fold(*word) == fold(*name)) word++, name++;
    return !*word;
}

/* Whether folded `part` stands in `name`. */
static bool contains(const char *name, const char *part)
{
    for (; *name; name++)
        if (begins_with(name, part)) return true;
    return false;
}

/* A part of a longer name, such as "link_bandwidth"; shorter ones are parts of anything. */
enum { LEAST_PART = 5 };

const char *nearest_word(const char *word, const char *const *candidates)
{
    const char *const *all = candidates;
    const unsigned length = (unsigned)strlen(word);
    unsigned limit =
        MIN(1 + length / 3, length ? length - 1 : 0); /* farther away is no typing mistake */
    const char *nearest = NULL;
    for (; *candidates; candidates++) {
        const unsigned distance = edit_distance(word, *candidates);
        if (nearest ? distance >= limit : distance > limit) continue;
        limit = distance;
        nearest = *candidates;
    }
    for (; length >= LEAST_PART && !nearest && *all; all++)
        if (contains(*all, word)) nearest = *all;
    return nearest;
}

const char *nearest_name(const char *word, const char *const *candidates)
{
    for (const char *const *name = candidates; strlen(word) > 1 && *name; name++)
        if (begins_with(*name, word)) return *name;
    return nearest_word(word, candidates);
}
