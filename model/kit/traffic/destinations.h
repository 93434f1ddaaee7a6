/* Where packets go: the patterns of the field (Dally and Towles, "Principles and Practices of
 * Interconnection Networks", 2004, 3.2), between sources and destinations that are two different
 * sets, as SMs and slices are. Source i of S stands where destination i x D / S does. */
#pragma once

#include <stdint.h>

typedef enum {
    TO_UNIFORM,
    TO_HOTSPOT,
    TO_TRANSPOSE,
    TO_BIT_COMPLEMENT,
    TO_NEIGHBOUR,
    TO_MATRIX
} DestinationRule;

typedef struct {
    DestinationRule rule;
    uint32_t sources, destinations;
    uint32_t side;    /* transpose: destinations are a square of so many rows */
    uint32_t hotspot; /* hotspot: the destination ... */
    uint64_t hot;     /* ... of so much of 2^64, beside its share of the rest */
    uint64_t *within; /* matrix: by source, of 2^64, what goes there or to one before */
} Destinations;

/* The side of a square; 0: it is none. */
uint32_t destinations_side(uint32_t destinations);

/* `matrix` is only read; of rows that are all 0 nothing is asked. */
void destinations_set_matrix(Destinations *destinations, const double *matrix);
void destinations_finish(Destinations *destinations);

uint32_t destination_of(const Destinations *destinations, uint32_t source, uint64_t *random);
