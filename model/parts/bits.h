/* Small things about the bits of a number. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline bool is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

/* Bits of the numbers 0 .. count - 1: the logarithm to base 2, rounded up. */
static inline uint32_t bits_for(uint64_t count)
{
    return count > 1 ? 64 - (uint32_t)__builtin_clzll(count - 1) : 0;
}

/* The finalizer of splitmix64: every bit of the input changes about half of the output's. */
static inline uint64_t mix_bits(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
