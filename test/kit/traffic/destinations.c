/* Where packets go, of each pattern. */
#include "kit/traffic/destinations.h"
#include "kit/traffic/arrivals.h"
#include "rigs/harness.h"

enum { DRAWS = 160000 };

static Destinations of(DestinationRule rule, uint32_t sources, uint32_t destinations)
{
    return (Destinations){.rule = rule,
                          .sources = sources,
                          .destinations = destinations,
                          .side = destinations_side(destinations)};
}

static uint32_t fixed(const Destinations *to, uint32_t source)
{
    uint64_t random = source;
    const uint32_t first = destination_of(to, source, &random);
    ck_assert_uint_eq(destination_of(to, source, &random), first);
    return first;
}

static void count(const Destinations *to, uint32_t source, double share[16])
{
    uint64_t random = 7;
    for (int k = 0; k < DRAWS; k++) share[destination_of(to, source, &random)] += 1.0 / DRAWS;
}

/* Of powers of two they are what the bits of a number say. */
START_TEST(permutations_of_a_power_of_two_are_those_of_its_bits)
{
    const Destinations transpose = of(TO_TRANSPOSE, 16, 16),
                       complement = of(TO_BIT_COMPLEMENT, 16, 16),
                       neighbour = of(TO_NEIGHBOUR, 16, 16);
    for (uint32_t i = 0; i < 16; i++) {
        ck_assert_uint_eq(fixed(&transpose, i), (i << 2 | i >> 2) & 15);
        ck_assert_uint_eq(fixed(&complement, i), ~i & 15);
        ck_assert_uint_eq(fixed(&neighbour, i), (i + 1) & 15);
    }
}
END_TEST

START_TEST(more_sources_share_the_place_of_a_destination)
{
    const Destinations complement = of(TO_BIT_COMPLEMENT, 80, 16);
    for (uint32_t i = 0; i < 80; i++) ck_assert_uint_eq(fixed(&complement, i), 15 - i / 5);
    const Destinations few = of(TO_NEIGHBOUR, 4, 16);
    for (uint32_t i = 0; i < 4; i++) ck_assert_uint_eq(fixed(&few, i), 4 * i + 1);
}
END_TEST

START_TEST(a_square_is_transposed_whatever_its_side)
{
    const Destinations nine = of(TO_TRANSPOSE, 9, 9);
    for (uint32_t row = 0; row < 3; row++)
        for (uint32_t column = 0; column < 3; column++)
            ck_assert_uint_eq(fixed(&nine, 3 * row + column), 3 * column + row);
    ck_assert_uint_eq(destinations_side(64), 8);
    ck_assert_uint_eq(destinations_side(32), 0);
}
END_TEST

START_TEST(uniform_is_everywhere_alike)
{
    double share[16] = {0};
    const Destinations to = of(TO_UNIFORM, 16, 16);
    count(&to, 3, share);
    for (int j = 0; j < 16; j++) ck_assert_double_eq_tol(share[j], 1.0 / 16, 0.002);
}
END_TEST

/* A quarter, and a sixteenth of the rest. */
START_TEST(a_hotspot_has_its_share_beside_its_part_of_the_rest)
{
    double share[16] = {0};
    Destinations to = of(TO_HOTSPOT, 16, 16);
    to.hotspot = 5;
    to.hot = share_of_64_bits(0.25);
    count(&to, 3, share);
    for (int j = 0; j < 16; j++)
        ck_assert_double_eq_tol(share[j], 0.75 / 16 + (j == 5 ? 0.25 : 0), 0.003);
}
END_TEST

START_TEST(a_row_of_a_matrix_is_shares)
{
    static const double matrix[2][4] = {{0, 1, 0, 3}, {0.5, 0, 0, 0}};
    double share[16] = {0}, other[16] = {0};
    Destinations to = of(TO_MATRIX, 2, 4);
    destinations_set_matrix(&to, matrix[0]);
    count(&to, 0, share);
    count(&to, 1, other);
    ck_assert_double_eq_tol(share[1], 0.25, 0.005);
    ck_assert_double_eq_tol(share[3], 0.75, 0.005);
    ck_assert_double_eq_tol(other[0], 1, 1e-9);
    destinations_finish(&to);
}
END_TEST

HARNESS_MAIN("destinations", permutations_of_a_power_of_two_are_those_of_its_bits,
             more_sources_share_the_place_of_a_destination,
             a_square_is_transposed_whatever_its_side, uniform_is_everywhere_alike,
             a_hotspot_has_its_share_beside_its_part_of_the_rest, a_row_of_a_matrix_is_shares)
