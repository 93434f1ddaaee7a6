#include "parts/address/frames.h"

#include "parts/bits.h"

/* Rounds of the Feistel network; four make a pseudo-random permutation of it (Luby and Rackoff
 * 1988). */
enum { ROUNDS = 4 };

static bool reject(GError **error, const char *key, uint64_t value, const char *reason)
{
    g_set_error(error, g_quark_from_static_string("warpmem-parameter"), 0,
                "pages.%s = %" G_GUINT64_FORMAT " B: %s", key, value, reason);
    return false;
}

bool frames_setup(Frames *frames, uint64_t dram_bytes, uint64_t seed, GError **error)
{
    if (!is_power_of_two(frames->page_bytes))
        return reject(error, "page_bytes", frames->page_bytes, "must be a power of two");
    const uint64_t memory = frames->memory_bytes ? frames->memory_bytes : dram_bytes;
    frames->page_shift = (uint32_t)__builtin_ctzll(frames->page_bytes);
    if (frames->frames == FRAMES_IDENTITY) return true;
    if (memory % frames->page_bytes || !memory)
        return reject(error, "memory_bytes", memory, "not a whole number of pages (page_bytes)");
    frames->pages = memory >> frames->page_shift;
    frames->half_bits = (bits_for(frames->pages) + 1) / 2;
    frames->key = mix_bits(mix64(seed) ^ frames->seed);
    return true;
}

static uint64_t feistel(const Frames *frames, uint64_t key, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << frames->half_bits) - 1;
    uint64_t left = value >> frames->half_bits, right = value & mask;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint64_t next = left ^ (mix_bits(key + round * GOLDEN_STEP + right) & mask);
        left = right;
        right = next;
    }
    return left << frames->half_bits | right;
}

static uint64_t feistel_back(const Frames *frames, uint64_t key, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << frames->half_bits) - 1;
    uint64_t left = value >> frames->half_bits, right = value & mask;
    for (uint64_t round = ROUNDS; round-- > 0;) {
        const uint64_t before = right ^ (mix_bits(key + round * GOLDEN_STEP + left) & mask);
        right = left;
        left = before;
    }
    return left << frames->half_bits | right;
}

typedef uint64_t (*Permutation)(const Frames *frames, uint64_t key, uint64_t value);

/* The network permutes a power of four; walking along its cycle until a page number comes up is a
 * permutation of the page numbers. */
static uint64_t permute(const Frames *frames, Permutation permutation, uint64_t address)
{
    const uint64_t page = address >> frames->page_shift;
    const uint64_t block = page / frames->pages, key = mix_bits(frames->key ^ block);
    uint64_t number = page - block * frames->pages;
    do number = permutation(frames, key, number);
    while (number >= frames->pages);
    return ((block * frames->pages + number) << frames->page_shift)
           | (address & (frames->page_bytes - 1));
}

uint64_t frames_scatter(const Frames *frames, uint64_t address)
{
    return permute(frames, feistel, address);
}

uint64_t frames_gather(const Frames *frames, uint64_t address)
{
    return permute(frames, feistel_back, address);
}
