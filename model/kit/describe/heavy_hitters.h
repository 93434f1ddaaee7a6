/* The addresses that are counted most often, in bounded memory: the Space-Saving sketch (Metwally,
 * Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data streams", 2005).
 * An address that has no row takes the row with the lowest count and goes on from there, so that a
 * row's true count is between `count` - `error` and `count`, and every address with more than the
 * HEAVY_ROWS-th part of all counts has a row. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { HEAVY_ROWS = 32 };

typedef struct {
    uint64_t address, count;
    uint64_t error; /* at most so much of `count` belongs to addresses that had the row before */
} HeavyRow;

/* What is read before a row is a line of the host's cache. */
typedef struct {
    uint64_t rows;
    uint64_t last;                /* the row that was counted last */
    uint64_t least;               /* no count was lower, ... */
    uint64_t lowest;              /* ... and these had it, a bit each, and were not counted since */
    uint64_t tag[HEAVY_ROWS / 8]; /* a byte a row, of a hash of its address */
    HeavyRow row[HEAVY_ROWS];
} HeavyHitters;

void heavy_hitters_count(HeavyHitters *hitters, uint64_t address, uint64_t count);

/* Mostly the same address again, or one without a row. */
static inline void heavy_hitters_add(HeavyHitters *hitters, uint64_t address, uint64_t count)
{
    HeavyRow *last = &hitters->row[hitters->last];
    if (last->address == address && last->count)
        last->count += count;
    else
        heavy_hitters_count(hitters, address, count);
}

/* Into `into`, which is not one of them and can only be read afterwards: the rows of all, those of
 * one address added up, by `count` - `error`, then `count`, highest first, then by address;
 * HEAVY_ROWS at most. */
void heavy_hitters_unite(HeavyHitters *into, const HeavyHitters *const *from, uint64_t count);
