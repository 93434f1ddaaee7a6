/* A translation look-aside buffer: which ranges of virtual addresses are translated. Set-
 * associative, LRU. Where a page lies is a pure function (frames.h), so an entry holds no
 * frame: only its presence costs or saves time. */
#pragma once

#include "parts/cache/tag_array.h"

typedef struct {
    TagArray tags;
    uint32_t shift; /* of the bytes that an entry covers */
    bool empty;     /* a TLB without entries: nothing ever hits */
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

/* The translation is there; nothing is changed. */
bool tlb_holds(const Tlb *tlb, uint64_t address);

/* The same, and makes the entry the most recently used of its set. */
bool tlb_look_up(Tlb *tlb, uint64_t address);

/* The translation takes the place of its set's least recently used one. */
void tlb_fill(Tlb *tlb, uint64_t address);
