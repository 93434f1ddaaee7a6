/* Small things about the bits of a number: arithmetic and no hardware, so that every layer may use
 * them. */
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

/* 2^64 by the golden ratio. Its multiples lie far apart, so that the upper bits of a product are a
 * hash (Knuth, The Art of Computer Programming, 6.4), and it is the step of splitmix64. */
#define GOLDEN_STEP UINT64_C(0x9e3779b97f4a7c15)
#define MIX_FIRST UINT64_C(0xbf58476d1ce4e5b9)
#define MIX_SECOND UINT64_C(0x94d049bb133111eb)

/* A hash of 64 - `shift` bits, four at least. Sixteen numbers that differ only in the four bits
 * from `low` on are neighbours: what is looked up side by side lies in one line of the host's
 * cache. */
static inline uint64_t hash_near(uint64_t number, uint32_t low, uint32_t shift)
{
    const uint64_t near = number >> low & 15;
    return ((number ^ near << low) * GOLDEN_STEP) >> shift ^ near;
}

/* The finalizer of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014): every bit of the input changes about half of the output's. */
static inline uint64_t mix_bits(uint64_t z)
{
    z = (z ^ (z >> 30)) * MIX_FIRST;
    z = (z ^ (z >> 27)) * MIX_SECOND;
    return z ^ (z >> 31);
}

/* What splitmix64 draws in this state: neighbouring inputs give unrelated outputs. */
static inline uint64_t mix64(uint64_t state)
{
    return mix_bits(state + GOLDEN_STEP);
}

/* The next number, uniform in 64 bits and on every machine the same. */
static inline uint64_t random_next(uint64_t *state)
{
    return mix_bits(*state += GOLDEN_STEP);
}

#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* Bytes of a word are counted from the lowest. */
static inline void set_byte(uint64_t *word, uint32_t index, uint8_t byte)
{
    const uint32_t shift = 8 * index;
    *word = (*word & ~(UINT64_C(0xff) << shift)) | (uint64_t)byte << shift;
}

/* Of each byte of the word that is equal to this one the top bit; above such a byte also of some
 * that differ in the lowest bit. */
static inline uint64_t bytes_like(uint64_t word, uint8_t byte)
{
    const uint64_t different = word ^ byte * EVERY_BYTE;
    return (different - EVERY_BYTE) & ~different & EVERY_BYTE << 7;
}

/* A number that is divided by again and again. */
typedef struct {
    uint64_t by, reciprocal; /* 2^64 / by, rounded up; 0: of 1 */
} Divisor;

static inline Divisor divisor_of(uint64_t by)
{
    return (Divisor){by, UINT64_MAX / by + 1};
}

/* Of a number below 2^32 a multiplication is exact, whatever it is divided by. */
static inline uint64_t divide(const Divisor *divisor, uint64_t value)
{
    __extension__ typedef unsigned __int128 Wide;
    if (value >> 32) return value / divisor->by;
    if (!divisor->reciprocal) return value;
    return (uint64_t)(((Wide)value * divisor->reciprocal) >> 64);
}

/* `random` scaled to 0 .. bound - 1; the bias is below bound / 2^64. */
static inline uint64_t scale64(uint64_t random, uint64_t bound)
{
    __extension__ typedef unsigned __int128 Wide;
    return (uint64_t)(((Wide)random * bound) >> 64);
}
