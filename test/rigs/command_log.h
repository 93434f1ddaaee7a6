/* Commands of a DRAM channel in any order, and what the checker says of them. */
#pragma once

#include <glib.h>
#include <stdlib.h>

#include "parts/dram/checker.h"

static inline int by_cycle(const void *a, const void *b)
{
    const DramStep *x = a, *y = b;
    return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

/* Of DramStep. NULL: nothing is wrong; newly allocated. */
static inline char *check_steps(const DramTiming *timing, const GArray *log)
{
    g_autoptr(GArray) sorted = g_array_copy((GArray *)(uintptr_t)log);
    qsort(sorted->data, sorted->len, sizeof(DramStep), by_cycle);
    g_autoptr(DramChecker) checker = dram_checker_new(timing);
    for (guint i = 0; i < sorted->len; i++) {
        const char *wrong = dram_checker_feed(checker, &g_array_index(sorted, DramStep, i));
        if (wrong) return g_strdup(wrong);
    }
    return NULL;
}
