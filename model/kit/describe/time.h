/* Simulated time and clock domains. Time is an integer count of femtoseconds (SystemC's SC_FS);
 * a clock's period is rounded to whole femtoseconds once, and its edge n is n x period. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t Time; /* fs */

#define TIME_NEVER UINT64_MAX
#define TIME_NS ((Time)1000000)
/* 100 s: as far as a run is counted. From 2^57 fs on, 144 s, a request's stamps have no room. */
#define TIME_LATEST ((Time)100000000000000000)

typedef struct {
    const char *name;
    Time period; /* fs */
} Clock;

static inline Time clock_period(uint64_t hertz)
{
    return (Time)((UINT64_C(1000000000000000) + hertz / 2) / hertz);
}

/* The first edge at or after `t`. */
static inline Time clock_ceil(const Clock *clock, Time t)
{
    const Time rest = t % clock->period;
    return rest ? t + (clock->period - rest) : t;
}

/* The last edge at or before `t`. */
static inline Time clock_floor(const Clock *clock, Time t)
{
    return t - t % clock->period;
}

/* The share that each of so many at once has of it; all together have no more than it takes. */
static inline Time time_share(Time length, uint64_t at_once)
{
    return at_once == 1 ? length : (length + at_once - 1) / at_once;
}

static inline Time clock_cycles(const Clock *clock, uint64_t cycles)
{
    return cycles * clock->period;
}

static inline double time_to_cycles(const Clock *clock, Time t)
{
    return (double)t / (double)clock->period;
}

static inline double time_to_ns(Time t)
{
    return (double)t / (double)TIME_NS;
}
