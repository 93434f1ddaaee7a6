#include "kit/traffic/arrivals.h"

#include "parts/bits.h"

uint64_t share_of_64_bits(double share)
{
    const double value = share * 0x1p64;
    return value < 0x1p64 ? (uint64_t)value : UINT64_MAX;
}

void arrivals_init(Arrivals *arrivals, double rate)
{
    double none = 1;
    for (uint32_t n = 0; n < ARRIVAL_STEPS; n++) {
        none *= 1 - rate;
        arrivals->within[n] = share_of_64_bits(1 - none);
    }
}

uint64_t arrivals_gap(const Arrivals *arrivals, uint64_t most, uint64_t *random)
{
    uint64_t gap = 1, drawn = random_next(random);
    for (; drawn > arrivals->within[ARRIVAL_STEPS - 1]; drawn = random_next(random)) {
        gap += ARRIVAL_STEPS;
        if (gap >= most) return most;
    }
    for (uint32_t n = 0; drawn > arrivals->within[n]; n++) gap++;
    return gap < most ? gap : most;
}
