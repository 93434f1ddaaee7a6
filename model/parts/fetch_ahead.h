/* The host's cache, told in time. */
#pragma once

/* What is at `place` will be touched soon, and comes into the cache meanwhile. It need not be a
 * place that may be read. */
static inline void fetch_ahead(const void *place)
{
    __builtin_prefetch(place);
    /* else a call of what does nothing else has no effect that the compiler knows */
    __asm__ volatile("");
}
