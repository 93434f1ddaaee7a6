/* Storage: the bits that a unit keeps its state in. Rows of a class declare them beside its
 * resources; tables of what a machine stores are made from the rows.
 *
 * An entry has what hardware of the kind needs: addresses as wide as the machine's, valid and dirty
 * bits of sectors, what tells who waits. Where no source says how wide a field is, the widths below
 * are assumed. Redundant bits (ECC, repair) are left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Unit Unit;

enum {
    STORAGE_VIRTUAL = 49,  /* bits of a virtual address: Pascal's, NVIDIA GP100 white paper, 2016 */
    STORAGE_PHYSICAL = 40, /* of a physical one: Fermi's, NVIDIA's white paper, 2009 */
    STORAGE_INSTRUCTION = 64, /* of a decoded memory instruction: assumed, Volta's encode in 128 */
    STORAGE_REGISTER = 8,     /* the number of a register of a thread: 255 of them */
    STORAGE_PC = 32,          /* of a program counter: assumed, code within 4 GiB */
    STORAGE_WAITER =
        24, /* who waits for a line: warp, register, and which of its requests; assumed */
    STORAGE_ASKER = 16 /* an SM and its request, at L2: assumed */
};

typedef struct {
    uint32_t line_bytes, sector_bytes;
} StorageLine;

/* What of the machine sizes follow from besides the unit's own parameters. */
typedef struct {
    /* Bytes of the array that L1 and shared memory divide; 0: they have their own, shared memory
     * one of `shared`. */
    uint64_t array, shared;
    StorageLine l1, l2;                /* lines of caches in SMs; of L2 and behind it */
    uint32_t lanes, row_bytes, halves; /* a row of DRAM */
    uint32_t banks, rows;              /* of a DRAM channel; of a bank */
    bool ecc;                          /* of DRAM, of either kind */
    uint32_t code_bytes; /* a burst of codes among the data of DRAM; 0: there are none */
    uint32_t code_share; /* of so many lines one holds them */
    /* Data and byte mask that a write to DRAM takes along; 0: they stay in L2 until it is done. */
    uint32_t written_bits;
    uint32_t sms, slices;
} StorageMachine;

/* Of one unit. What is searched compares `compared` bits of entries in each look-up. */
typedef struct {
    uint64_t entries;               /* 0: it has none; of an input, of each of its places */
    uint64_t bits;                  /* of an entry */
    uint32_t banks;                 /* that work side by side; 0 is one */
    uint32_t reads, writes, either; /* ports of a bank; none said: one to read and one to write */
    uint64_t compared;
} StorageSize;

typedef struct {
    const char *name; /* "prt_bits", listed as CLASS.NAME */
    /* From parameters alone: no setup has been done. */
    StorageSize (*size)(const Unit *unit, const StorageMachine *machine);
    const char *summary; /* one line; what stands before the first comma or colon is its title */
    /* Places of the class, by resource, whose content it is, separated by spaces. */
    const char *places;
    /* The input whose places it is: there are as many as the channels into it have. NULL: none. */
    const char *input;
} StorageRow;

/* clang-format off */
#define STORAGE(row, how, text, ...) {.name = row, .size = how, .summary = text, __VA_ARGS__}
/* clang-format on */
#define STORAGE_END                                                                                \
    {                                                                                              \
        .name = NULL                                                                               \
    }

static inline uint32_t storage_sectors(const StorageLine *line)
{
    return line->line_bytes / line->sector_bytes;
}

/* Of an address, without what lies inside of a piece of so many bytes. */
static inline uint32_t storage_address_bits(uint32_t bits, uint64_t piece)
{
    for (; piece > 1 && bits; piece >>= 1) bits--;
    return bits;
}

/* Of a cache, its data: a sector an entry. */
static inline StorageSize storage_data(uint64_t capacity, const StorageLine *line)
{
    return (StorageSize){.entries = capacity / line->sector_bytes,
                         .bits = 8 * (uint64_t)line->sector_bytes};
}

/* One that is smaller than a set has one. */
static inline uint64_t storage_sets(uint64_t lines, uint64_t ways)
{
    return lines > ways ? lines / ways : lines > 0;
}

/* Of each line what is left of its address, of so many bits, and `state`. A look-up compares those
 * of a set. */
static inline StorageSize storage_tags(uint64_t lines, uint64_t ways, uint32_t address,
                                       uint64_t state)
{
    const uint64_t tag = storage_address_bits(address, storage_sets(lines, ways));
    return (StorageSize){.entries = lines, .bits = tag + state, .compared = lines ? ways * tag : 0};
}

/* An entry of a TLB: which piece of virtual addresses, where it is, and whether that is so; ways 0:
 * all entries are compared. */
static inline StorageSize storage_tlb(uint64_t entries, uint64_t ways, uint64_t piece)
{
    const uint64_t tag = storage_address_bits(STORAGE_VIRTUAL, piece);
    return (StorageSize){.entries = entries,
                         .bits = 1 + tag + storage_address_bits(STORAGE_PHYSICAL, piece),
                         .compared = (ways ? ways : entries) * tag};
}

/* A request for a line, or an answer, with its data and their byte mask. */
static inline uint32_t storage_line_bits(const StorageLine *line)
{
    return 8 * line->line_bytes + line->line_bytes;
}

/* An instruction with an address for each of its lanes. */
static inline uint32_t storage_access_bits(const StorageMachine *machine)
{
    return STORAGE_INSTRUCTION + machine->lanes * (STORAGE_VIRTUAL + 1);
}
