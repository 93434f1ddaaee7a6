/* Which set of a cache a line belongs to. */
#pragma once

#include "parts/bits.h"

typedef enum {
    SET_INDEX_MODULO, /* line modulo sets */
    SET_INDEX_XOR,    /* the line's fields of log2(sets) bits, XORed, modulo sets */
    /* The line's remainder of a primitive polynomial of degree log2(sets) over GF(2), modulo sets:
     * lines at any distance that is a power of two reach every set of as many (Rau,
     * "Pseudo-randomly interleaved memory", ISCA 1991). */
    SET_INDEX_POLYNOMIAL,
} SetIndex;

/* By SetIndex, as scenarios write them; NULL at the end. */
extern const char *const set_index_names[];

/* A line that misses is folded again at once, when it is given room. */
typedef struct {
    uint64_t line, folded; /* the one that was folded last */
    uint16_t remainders[]; /* of a polynomial: by field of a line and its value */
} Folding;

typedef struct {
    Divisor by_sets;
    Folding *folding;  /* NULL: none is */
    uint32_t set_bits; /* XORed fields, 0: none */
} SetChoice;

SetChoice set_choice_new(SetIndex index, uint64_t sets);
void set_choice_free(SetChoice *choice);

uint64_t set_choice_folded(const SetChoice *choice, uint64_t line);

static inline uint64_t set_choice_modulo(const SetChoice *choice, uint64_t line)
{
    return line - divide(&choice->by_sets, line) * choice->by_sets.by;
}

static inline uint64_t set_choice_of(const SetChoice *choice, uint64_t line)
{
    if (choice->folding) line = set_choice_folded(choice, line);
    return set_choice_modulo(choice, line);
}
