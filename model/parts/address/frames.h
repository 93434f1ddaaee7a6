/* Virtual to physical addresses: which frame of memory a page lies in. A pure bijection, so that
 * every unit may compute it and none needs a page table; what a look-up costs is the business of
 * the TLBs and the page walkers. */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { FRAMES_IDENTITY, FRAMES_SCATTERED } FrameOrder;

/* The group `[pages]`. */
typedef struct {
    uint64_t page_bytes;   /* a power of two */
    uint32_t frames;       /* FrameOrder */
    uint64_t memory_bytes; /* 0: what the DRAM channels hold */
    uint64_t seed;

    uint64_t key, pages; /* the rest is derived by frames_setup */
    uint32_t page_shift, half_bits;
} Frames;

/* `dram_bytes` is the capacity of all channels, `seed` the run's. */
bool frames_setup(Frames *frames, uint64_t dram_bytes, uint64_t seed, GError **error);

uint64_t frames_scatter(const Frames *frames, uint64_t address);
uint64_t frames_gather(const Frames *frames, uint64_t address);

/* Addresses beyond the memory's size are permuted within their own multiple of it, as the DRAM's
 * rows begin anew there. */
static inline uint64_t frames_physical(const Frames *frames, uint64_t address)
{
    return frames->frames == FRAMES_IDENTITY ? address : frames_scatter(frames, address);
}

/* The inverse of frames_physical. */
static inline uint64_t frames_virtual(const Frames *frames, uint64_t address)
{
    return frames->frames == FRAMES_IDENTITY ? address : frames_gather(frames, address);
}
