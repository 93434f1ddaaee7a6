/* A translation look-aside buffer: which ranges of virtual addresses are translated. Set-
 * associative, LRU. Where a page lies is a pure function (frames.h), so an entry holds no
 * frame: only its presence costs or saves time. */
#pragma once

#include "parts/cache/tag_array.h"

typedef struct {
    TagArray tags;
    uint32_t shift; /* of the bytes that an entry covers */
    uint32_t
        newest; /* the entry that was used last, + 1: neighbours often want it again; 0: none */
    bool empty; /* a TLB without entries: nothing ever hits */
} Tlb;

typedef struct {
    uint64_t entries;     /* 0: nothing ever hits */
    uint64_t ways;        /* divides the entries; 0: fully associative */
    uint64_t entry_bytes; /* of virtual addresses, a power of two */
} TlbShape;

/* The error names `what`, how the names of the three parameters begin ("tlb"). */
bool tlb_init(Tlb *tlb, const char *what, TlbShape shape, GError **error);
void tlb_finish(Tlb *tlb);

/* The number of the entry-sized range that the address lies in. */
static inline uint64_t tlb_range(const Tlb *tlb, uint64_t address)
{
    return address >> tlb->shift;
}

static inline bool tlb_is_newest(const Tlb *tlb, uint64_t range)
{
    return tlb->newest && tlb->tags.lines[tlb->newest - 1].line == range;
}

/* Which entry has the range; TAG_NONE: none has. */
uint32_t tlb_find(const Tlb *tlb, uint64_t range);

/* The translation is there; nothing is changed. */
static inline bool tlb_holds(const Tlb *tlb, uint64_t address)
{
    const uint64_t range = tlb_range(tlb, address);
    return tlb_is_newest(tlb, range) || tlb_find(tlb, range) != TAG_NONE;
}

/* The entry becomes the most recently used of its set. */
void tlb_use(Tlb *tlb, uint32_t entry);

/* The same, and makes the entry the most recently used of its set. */
static inline bool tlb_look_up(Tlb *tlb, uint64_t address)
{
    const uint64_t range = tlb_range(tlb, address);
    if (tlb_is_newest(tlb, range)) return true;
    const uint32_t entry = tlb_find(tlb, range);
    if (entry != TAG_NONE) tlb_use(tlb, entry);
    return entry != TAG_NONE;
}

/* The translation takes the place of its set's least recently used one. */
void tlb_fill(Tlb *tlb, uint64_t address);
