/* Who may go together: lines that are looked up in one cycle because their tag banks differ, and
 * lanes that one pass over the banks of a data array serves.
 *
 * The rule for L1 hits was found by exhaustive search on measured curves (te42kyfo/gpu-benches,
 * gpu-strides on an A100, and L1 spread on a V100): four tag banks, chosen by the exclusive or of
 * all 2-bit fields of the line number; 32 data banks of 4 B, an 8-byte access in two half-warps. */
#pragma once

#include "parts/bits.h"
#include "parts/sm/lane_steps.h"

#include <glib.h>
#include <stdbool.h>

enum { ARBITER_LANES = 64, ARBITER_BANKS = 64, GROUP_LANES = 32 };

/* Exclusive or of all fields of log2(banks) bits; banks is a power of two. Where bits are one as
 * well, halves are folded until one field is left. */
static inline uint32_t tag_bank(uint64_t line_number, uint32_t banks)
{
    const uint32_t bits = (uint32_t)__builtin_ctz(banks);
    uint64_t bank = 0;
    if (is_power_of_two(bits)) {
        bank = line_number;
        for (uint32_t half = 32; half >= bits; half /= 2) bank ^= bank >> half;
    } else {
        for (; bits && line_number; line_number >>= bits) bank ^= line_number;
    }
    return (uint32_t)bank & (banks - 1);
}

/* An array of `banks` banks, `bank_bytes` wide, a power of two: a pass reads one word of each. */
typedef struct {
    uint32_t banks, bank_bytes;
} DataBanks;

/* How many lanes a pass may serve: as many as there are bytes, but not more than 32 with fewer
 * banks. */
static inline uint32_t bank_group_lanes(const DataBanks *array, uint32_t width)
{
    const uint32_t lanes = array->banks * array->bank_bytes / width;
    const uint32_t most = array->banks > GROUP_LANES ? array->banks : GROUP_LANES;
    return lanes < 1 ? 1 : lanes < most ? lanes : most;
}

/* Passes that the lanes of `mask` need: neighbouring lanes form groups of as many as a pass may
 * serve; within a group, lanes that read the same word are served together and different words of
 * a bank one after the other. address[lane] is meaningful for lanes of the mask; `width` bytes
 * each. */
uint32_t bank_passes(const DataBanks *array, const uint64_t *address, uint64_t mask,
                     uint32_t width);

/* Lanes from the first to the last active one at equal steps, each in one word: passes by formula,
 * the same as of a search. 0: it is not as simple as that. */
uint32_t bank_passes_of_steps(const DataBanks *array, const LaneSteps *steps, uint32_t width);

/* Whether the passes of rows of lanes need no search: each value is in one word, and a row wants
 * one word or neighbours, which are those of all rows or of no other one. */
bool bank_rows_are_plain(const DataBanks *array, const LaneSteps *steps, uint32_t width);

/* Then, the same as of a search: a pass serves as many lanes as of values so wide. */
uint32_t bank_passes_of_rows(const DataBanks *array, const LaneSteps *steps, uint32_t width);

/* Whether lanes want the same in pairs: each as the next one, or each as the one after that. */
bool lanes_are_paired(const uint64_t *address, uint64_t mask);
/* Of rows of four lanes or more. */
bool rows_are_paired(const LaneSteps *steps);

/* Whether each wants what is `width` behind the lane before, active or not, or all the same. */
bool lanes_are_neighbours(const uint64_t *address, uint64_t mask, uint32_t width);

/* The same for such lanes where values that two of them want go to the registers once: a pass
 * serves twice as many lanes, but no more than 32. */
uint32_t bank_passes_of_pairs(const DataBanks *array, const uint64_t *address, uint64_t mask,
                              uint32_t width);

/* The same for lanes next to each other, active or not, or all at one address: no conflicts, so the
 * number of groups, each of as many passes as a lane's value is wider than a pass. */
uint32_t bank_passes_without_conflict(const DataBanks *array, uint64_t mask, uint32_t width);

/* Passes of atomics, which a bank does one by one: most lanes at one word or in one bank. */
uint32_t bank_passes_atomic(const DataBanks *array, const uint64_t *address, uint64_t mask);

/* How often the most wanted address is wanted, when lanes that are congruent modulo `groups` are
 * combined beforehand. */
uint32_t same_address_passes(const uint64_t *address, uint64_t mask, uint32_t groups);
