#include "parts/cache/set_index.h"

#include <glib.h>

const char *const set_index_names[] = {"modulo", "xor", "polynomial", NULL};

enum { LINE_BITS = 64, FIELD_BITS = 4, FIELD_VALUES = 1 << FIELD_BITS, DEGREES = 16 };

/* Primitive polynomials over GF(2) by degree, the one with the lowest number of each. */
static const uint32_t primitive[DEGREES + 1] = {0x1,    0x3,    0x7,    0xb,    0x13,   0x25,
                                                0x43,   0x83,   0x11d,  0x211,  0x409,  0x805,
                                                0x1053, 0x201b, 0x402b, 0x8003, 0x1002d};

enum { REMAINDERS = LINE_BITS / FIELD_BITS * FIELD_VALUES };

/* Of each field of a line's number, by its value: their exclusive or is the line's. */
static void fill_remainders(uint16_t *remainders, uint64_t sets)
{
    const uint32_t degree = bits_for(sets);
    g_assert(degree <= DEGREES);
    uint32_t power = degree ? 1 : 0;
    for (unsigned bit = 0; bit < LINE_BITS; bit++) {
        uint16_t *field = &remainders[bit / FIELD_BITS * FIELD_VALUES];
        for (unsigned value = 0; value < FIELD_VALUES; value++)
            if (value >> bit % FIELD_BITS & 1) field[value] ^= (uint16_t)power;
        power <<= 1;
        if (power >> degree & 1) power ^= primitive[degree];
    }
}

SetChoice set_choice_new(SetIndex index, uint64_t sets)
{
    SetChoice choice = {.by_sets = divisor_of(sets),
                        .set_bits = index == SET_INDEX_XOR ? MAX(bits_for(sets), 1) : 0};
    if (index == SET_INDEX_MODULO) return choice;
    const bool polynomial = index == SET_INDEX_POLYNOMIAL;
    choice.folding = g_malloc0(sizeof(Folding) + polynomial * REMAINDERS * sizeof(uint16_t));
    if (polynomial) fill_remainders(choice.folding->remainders, sets);
    return choice;
}

void set_choice_free(SetChoice *choice)
{
    g_clear_pointer(&choice->folding, g_free);
}

static uint64_t fold(const SetChoice *choice, uint64_t line)
{
    uint64_t folded = 0;
    if (choice->set_bits) {
        for (; line; line >>= choice->set_bits) folded ^= line;
        return folded;
    }
    for (const uint16_t *field = choice->folding->remainders; line; line >>= FIELD_BITS)
        folded ^= field[line % FIELD_VALUES], field += FIELD_VALUES;
    return folded;
}

uint64_t set_choice_folded(const SetChoice *choice, uint64_t line)
{
    Folding *folding = choice->folding;
    if (folding->line != line) {
        folding->folded = fold(choice, line);
        folding->line = line;
    }
    return folding->folded;
}
