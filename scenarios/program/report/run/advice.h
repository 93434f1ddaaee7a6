/* What to try next when something bounds a run. */
#pragma once

typedef struct {
    const char *bound; /* as verdict_bound says */
    const char *try;   /* what to change, a sentence */
    const char *keys;  /* parameters to vary, with commas; NULL: there are none */
    const char
        *component; /* of study/perfect/perfect.h: its perfect form bounds the gain; NULL: none */
} Advice;

/* Ends with a row without bound. */
const Advice *advice_table(void);
const Advice *advice_find(const char *bound); /* NULL: there is none */
