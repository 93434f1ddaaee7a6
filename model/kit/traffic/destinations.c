#include "kit/traffic/destinations.h"

#include <glib.h>

#include "kit/traffic/arrivals.h"
#include "parts/bits.h"

uint32_t destinations_side(uint32_t destinations)
{
    uint32_t side = 1;
    while (side * side < destinations) side++;
    return side * side == destinations ? side : 0;
}

static void fill_row(uint64_t *within, const double *row, uint32_t count)
{
    double sum = 0, passed = 0;
    for (uint32_t j = 0; j < count; j++) sum += row[j];
    for (uint32_t j = 0; j < count; j++) {
        passed += row[j];
        within[j] = passed < sum ? share_of_64_bits(passed / sum) : UINT64_MAX;
    }
}

void destinations_set_matrix(Destinations *self, const double *matrix)
{
    const size_t count = self->destinations;
    self->within = g_new(uint64_t, self->sources * count);
    for (uint32_t i = 0; i < self->sources; i++)
        fill_row(&self->within[i * count], &matrix[i * count], self->destinations);
}

void destinations_finish(Destinations *self)
{
    g_free(self->within);
}

static uint32_t any(const Destinations *self, uint64_t *random)
{
    return (uint32_t)scale64(random_next(random), self->destinations);
}

/* The first that the drawn number is below. */
static uint32_t of_matrix(const Destinations *self, uint32_t source, uint64_t drawn)
{
    const uint64_t *within = &self->within[(size_t)source * self->destinations];
    uint32_t first = 0, last = self->destinations - 1;
    while (first < last) {
        const uint32_t middle = (first + last) / 2;
        if (drawn < within[middle])
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}

uint32_t destination_of(const Destinations *self, uint32_t source, uint64_t *random)
{
    const uint32_t count = self->destinations;
    const uint32_t place = (uint32_t)((uint64_t)source * count / self->sources);
    switch (self->rule) {
    case TO_UNIFORM: return any(self, random);
    case TO_HOTSPOT: return random_next(random) < self->hot ? self->hotspot : any(self, random);
    case TO_TRANSPOSE: return place % self->side * self->side + place / self->side;
    case TO_BIT_COMPLEMENT: return count - 1 - place;
    case TO_NEIGHBOUR: return (place + 1) % count;
    case TO_MATRIX: return of_matrix(self, source, random_next(random));
    }
    g_assert_not_reached();
}
