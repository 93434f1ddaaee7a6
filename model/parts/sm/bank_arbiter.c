#include "parts/sm/bank_arbiter.h"

#include "parts/bits.h"

#include <string.h>

/* The lower lanes of pairs. */
static const uint64_t EVERY_SECOND = UINT64_C(0x5555555555555555),
                      TWO_OF_FOUR = UINT64_C(0x3333333333333333);

/* The lowest `count` lanes from `first` on. */
static uint64_t lanes_from(uint32_t first, uint32_t count)
{
    const uint64_t low = count >= ARBITER_LANES ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    return low << first;
}

/* Words of one group of lanes, and how many different ones each bank has. */
typedef struct {
    uint64_t word[ARBITER_LANES * 4];
    uint64_t highest[ARBITER_BANKS]; /* of a bank that has any */
    uint8_t in_bank[ARBITER_BANKS];
    uint32_t count, most;
} Words;

/* Most banks have one word, or ever higher ones: then nothing is searched. */
static bool is_wanted(const Words *words, uint64_t word, uint32_t bank)
{
    if (!words->in_bank[bank] || word > words->highest[bank]) return false;
    if (word == words->highest[bank]) return true;
    for (uint32_t i = words->count; i-- > 0;)
        if (words->word[i] == word) return true;
    return false;
}

static void want_word(Words *words, uint64_t word, uint32_t bank)
{
    if (is_wanted(words, word, bank)) return;
    words->word[words->count++] = word;
    const uint32_t here = ++words->in_bank[bank];
    if (here == 1 || word > words->highest[bank]) words->highest[bank] = word;
    words->most = MAX(words->most, here);
}

/* Its words are neighbours. */
static uint32_t passes_of_lane(const DataBanks *array, uint64_t address, uint32_t width)
{
    const uint32_t bits = (uint32_t)__builtin_ctz(array->bank_bytes);
    const uint32_t more = (uint32_t)(((address + width - 1) >> bits) - (address >> bits));
    return more < array->banks ? 1 : more / array->banks + 1;
}

/* Neighbours often want the same. */
static uint32_t passes_of_group(const DataBanks *array, const uint64_t *address, uint64_t mask,
                                uint32_t width)
{
    Words words;
    words.count = words.most = 0;
    memset(words.in_bank, 0, array->banks);
    const uint32_t bits = (uint32_t)__builtin_ctz(array->bank_bytes), banks = array->banks;
    const bool power = !(banks & (banks - 1)); /* then nothing is divided */
    uint64_t before = UINT64_MAX;
    for (; mask; mask &= mask - 1) {
        const uint64_t at = address[__builtin_ctzll(mask)];
        if (at == before) continue;
        before = at;
        const uint64_t last = (at + width - 1) >> bits;
        for (uint64_t word = at >> bits; word <= last; word++)
            want_word(&words, word, (uint32_t)(power ? word & (banks - 1) : word % banks));
    }
    return words.most;
}

static uint32_t passes_of_groups(const DataBanks *array, const uint64_t *address, uint64_t mask,
                                 uint32_t width, uint32_t lanes)
{
    uint32_t passes = 0;
    for (uint32_t first = 0; first < ARBITER_LANES && mask >> first; first += lanes)
        passes += passes_of_group(array, address, mask & lanes_from(first, lanes), width);
    return passes;
}

uint32_t bank_passes(const DataBanks *array, const uint64_t *address, uint64_t mask, uint32_t width)
{
    if (is_power_of_two(mask)) return passes_of_lane(array, address[__builtin_ctzll(mask)], width);
    return passes_of_groups(array, address, mask, width, bank_group_lanes(array, width));
}

/* Lanes that are congruent modulo `period` meet in a bank. */
uint32_t bank_passes_of_steps(const DataBanks *array, const LaneSteps *steps, uint32_t width)
{
    const uint32_t bytes = array->bank_bytes, banks = array->banks;
    const uint64_t mask = steps->mask, apart = (uint64_t)steps->stride;
    if (!mask || !apart || banks & (banks - 1)) return 0;
    if (apart % bytes || steps->base % bytes + width > bytes) return 0;
    const uint32_t lowest = (uint32_t)__builtin_ctzll(mask),
                   end = 64 - (uint32_t)__builtin_clzll(mask);
    if (mask != lanes_from(lowest, end - lowest)) return 0;
    const uint64_t words = apart >> __builtin_ctz(bytes);
    const uint32_t period = banks >> __builtin_ctzll(words | banks);
    const uint32_t lanes = bank_group_lanes(array, width);
    uint32_t passes = 0;
    for (uint32_t first = lowest; first < end;) {
        const uint32_t next = MIN(end, (first / lanes + 1) * lanes);
        passes += (next - first + period - 1) / period;
        first = next;
    }
    return passes;
}

/* Of so many neighbouring lanes each, with an active one. */
static uint32_t count_groups(uint64_t mask, uint32_t lanes)
{
    if (!mask) return 0;
    const uint32_t lowest = (uint32_t)__builtin_ctzll(mask),
                   highest = 63 - (uint32_t)__builtin_clzll(mask);
    if (highest - lowest + 1 == (uint32_t)__builtin_popcountll(mask))
        return highest / lanes - lowest / lanes + 1;
    uint32_t groups = 0;
    for (uint32_t first = 0; first <= highest; first += lanes)
        groups += (mask & lanes_from(first, lanes)) != 0;
    return groups;
}

bool bank_rows_are_plain(const DataBanks *array, const LaneSteps *steps, uint32_t width)
{
    const uint32_t bytes = array->bank_bytes, banks = array->banks;
    if (!is_power_of_two(banks) || steps->row_lanes > banks) return false;
    if (steps->row_stride & (bytes - 1) || (steps->base & (bytes - 1)) + width > bytes)
        return false;
    if (steps->stride && steps->stride != (int64_t)bytes) return false;
    const uint64_t span = steps->stride ? (uint64_t)steps->row_lanes * bytes : bytes;
    const uint64_t apart =
        (uint64_t)(steps->row_stride < 0 ? -steps->row_stride : steps->row_stride);
    return (!apart || apart >= span) && !(bank_group_lanes(array, width) & (steps->row_lanes - 1));
}

/* Banks from `first` on, a bit each, and round. */
static uint64_t turn_banks(const DataBanks *array, uint64_t banks, uint32_t first)
{
    const uint64_t all = lanes_from(0, array->banks);
    return first ? (banks << first | banks >> (array->banks - first)) & all : banks;
}

/* A further word of these banks: `wanted` has the banks with one word, with two, ... */
static uint32_t add_words(uint64_t *wanted, uint32_t most, uint64_t banks)
{
    for (uint32_t i = 0; banks; i++) {
        if (i == most) wanted[most++] = 0;
        const uint64_t taken = wanted[i] & banks;
        wanted[i] |= banks;
        banks = taken;
    }
    return most;
}

/* Of the rows of a group of lanes, each with words of its own. */
static uint32_t passes_of_rows(const DataBanks *array, const LaneSteps *steps, uint32_t lane,
                               uint32_t end)
{
    uint64_t wanted[ARBITER_LANES];
    uint32_t most = 0;
    for (; lane < end; lane += steps->row_lanes) {
        const uint64_t lanes = steps->mask >> lane & row_mask(steps);
        if (!lanes) continue;
        const uint64_t word = lane_address(steps, lane) >> __builtin_ctz(array->bank_bytes);
        const uint32_t first = (uint32_t)word & (array->banks - 1);
        most = add_words(wanted, most, turn_banks(array, steps->stride ? lanes : 1, first));
    }
    return most;
}

/* All lanes from the first on, in whole rows that lie apart by so many of them: those that are
 * congruent modulo a power of two want the same banks. 0: it is not as simple as that. */
static uint32_t passes_of_whole_rows(const DataBanks *array, const LaneSteps *steps, uint32_t lanes)
{
    const uint32_t row = steps->row_lanes, end = 64 - (uint32_t)__builtin_clzll(steps->mask | 1);
    const uint64_t words = (uint64_t)steps->row_stride >> __builtin_ctz(array->bank_bytes);
    if (steps->mask != lanes_from(0, end) || end & (row - 1)) return 0;
    if (steps->stride && words & (row - 1)) return 0;
    const uint32_t period = array->banks >> __builtin_ctzll(words | array->banks);
    uint32_t passes = 0;
    for (uint32_t first = 0; first < end; first += lanes) {
        const uint32_t rows = MIN(lanes, end - first) >> __builtin_ctz(row);
        passes += (rows + period - 1) >> __builtin_ctz(period);
    }
    return passes;
}

static bool is_one_row(const LaneSteps *steps)
{
    const uint32_t lowest = (uint32_t)__builtin_ctzll(steps->mask | UINT64_C(1) << 63);
    const uint32_t first = lowest & -steps->row_lanes;
    return steps->mask && !(steps->mask >> first & ~row_mask(steps));
}

uint32_t bank_passes_of_rows(const DataBanks *array, const LaneSteps *steps, uint32_t width)
{
    if (is_one_row(steps)) return 1;
    const uint32_t lanes = bank_group_lanes(array, width);
    if (!steps->row_stride) return count_groups(steps->mask, lanes);
    uint32_t passes = passes_of_whole_rows(array, steps, lanes);
    if (passes) return passes;
    for (uint32_t first = 0; first < ARBITER_LANES && steps->mask >> first; first += lanes)
        passes += passes_of_rows(array, steps, first, first + lanes);
    return passes;
}

uint32_t bank_passes_of_pairs(const DataBanks *array, const uint64_t *address, uint64_t mask,
                              uint32_t width)
{
    return passes_of_groups(array, address, mask, width, bank_group_lanes(array, (width + 1) / 2));
}

/* Is each active lane at the address of the lane `apart` beside it, where that is active? */
static bool are_pairs(const uint64_t *address, uint64_t mask, uint32_t apart)
{
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest), other = lane ^ apart;
        if (mask >> other & 1 && address[other] != address[lane]) return false;
    }
    return true;
}

bool lanes_are_paired(const uint64_t *address, uint64_t mask)
{
    return are_pairs(address, mask, 1) || are_pairs(address, mask, 2);
}

bool rows_are_paired(const LaneSteps *steps)
{
    const uint64_t mask = steps->mask;
    return !steps->stride || !(mask & mask >> 1 & EVERY_SECOND)
           || !(mask & mask >> 2 & TWO_OF_FOUR);
}

bool lanes_are_neighbours(const uint64_t *address, uint64_t mask, uint32_t width)
{
    if (!mask) return true;
    const uint32_t first = (uint32_t)__builtin_ctzll(mask);
    bool same = true, next = true;
    for (uint64_t rest = mask; rest && (same || next); rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        same &= address[lane] == address[first];
        next &= address[lane] == address[first] + (uint64_t)width * (lane - first);
    }
    return same || next;
}

uint32_t bank_passes_without_conflict(const DataBanks *array, uint64_t mask, uint32_t width)
{
    const uint32_t lanes = bank_group_lanes(array, width), path = array->banks * array->bank_bytes;
    const uint32_t groups = count_groups(mask, lanes);
    return width > path ? groups * ((width + path - 1) / path) : groups;
}

uint32_t bank_passes_atomic(const DataBanks *array, const uint64_t *address, uint64_t mask)
{
    uint8_t in_bank[ARBITER_BANKS] = {0};
    uint32_t most = 0;
    for (; mask; mask &= mask - 1) {
        const uint64_t word = address[__builtin_ctzll(mask)] / array->bank_bytes;
        const uint32_t here = ++in_bank[word % array->banks];
        most = MAX(most, here);
    }
    return most;
}

uint32_t same_address_passes(const uint64_t *address, uint64_t mask, uint32_t groups)
{
    uint32_t most = 0;
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t seen = 0; /* groups that want this address */
        for (uint64_t other = mask; other; other &= other - 1) {
            const uint32_t o = (uint32_t)__builtin_ctzll(other);
            if (address[o] == address[lane]) seen |= UINT64_C(1) << (o % groups);
        }
        most = MAX(most, (uint32_t)__builtin_popcountll(seen));
    }
    return most;
}
