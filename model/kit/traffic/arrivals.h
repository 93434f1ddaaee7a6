/* When a source makes its packets: in each cycle with the same probability, whatever was before
 * (Bernoulli). The cycles from one to the next are drawn at once, from the geometric distribution:
 * nobody is asked in every cycle. */
#pragma once

#include <stdint.h>

enum { ARRIVAL_STEPS = 64 };

typedef struct {
    /* so much of 2^64 comes within n + 1 cycles; beyond the last one begins anew, for the
     * distribution has no memory */
    uint64_t within[ARRIVAL_STEPS];
} Arrivals;

/* `rate` in 0..1 a cycle. Only sums and products: the same on every machine. */
void arrivals_init(Arrivals *arrivals, double rate);

/* Cycles to the next one, at least 1; `most` if it would be more. */
uint64_t arrivals_gap(const Arrivals *arrivals, uint64_t most, uint64_t *random);

/* So much of 2^64, for a comparison with a number that is uniform in 64 bits. */
uint64_t share_of_64_bits(double share);
