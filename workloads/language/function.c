/* The functions that a program's numbers are made of: values, by lane, and ranges. */
#include <string.h>

#include "workloads/generator.h"
#include "workloads/language/form.h"

enum { FEISTEL_ROUNDS = 6 };

static const int64_t LIMIT = INT64_C(1) << NUMBER_LIMIT_BITS;

/* --- permutations ----------------------------------------------------------------------------- */

typedef struct {
    uint64_t n, salt;
    uint32_t low_bits;
    uint64_t low_mask, high_mask;
} Permutation;

/* A Feistel network over the smallest power of two that holds n; what falls outside goes round
 * again, so that 0 .. n - 1 is permuted in itself. */
static Permutation permutation_of(uint64_t n, uint64_t salt)
{
    const uint32_t bits = n > 1 ? 64 - (uint32_t)__builtin_clzll(n - 1) : 1;
    const uint32_t low_bits = bits / 2;
    return (Permutation){.n = n,
                         .salt = salt,
                         .low_bits = low_bits,
                         .low_mask = (UINT64_C(1) << low_bits) - 1,
                         .high_mask = (UINT64_C(1) << (bits - low_bits)) - 1};
}

static uint64_t feistel(const Permutation *p, uint64_t x, bool inverse)
{
    uint64_t low = x & p->low_mask, high = x >> p->low_bits;
    for (uint32_t i = 0; i < FEISTEL_ROUNDS; i++) {
        const uint32_t round = inverse ? FEISTEL_ROUNDS - 1 - i : i;
        if (round % 2)
            low ^= mix64(p->salt + round + (high << 8)) & p->low_mask;
        else
            high ^= mix64(p->salt + round + (low << 8)) & p->high_mask;
    }
    return high << p->low_bits | low;
}

static uint64_t permute(const Permutation *p, uint64_t i, bool inverse)
{
    if (p->n < 2) return 0;
    do i = feistel(p, i, inverse);
    while (i >= p->n);
    return i;
}

static int64_t permuted(int64_t i, int64_t n, uint64_t salt)
{
    if (n < 1) return 0;
    const Permutation p = permutation_of((uint64_t)n, salt);
    return (int64_t)permute(&p, (uint64_t)floor_modulo(i, n), false);
}

/* The permutation is the order in which the cycle visits its nodes. */
static int64_t along_cycle(int64_t i, int64_t n, int64_t k, uint64_t salt)
{
    if (n < 1) return 0;
    const Permutation p = permutation_of((uint64_t)n, salt);
    const uint64_t place = permute(&p, (uint64_t)floor_modulo(i, n), true);
    return (int64_t)permute(&p, (place + (uint64_t)floor_modulo(k, n)) % (uint64_t)n, false);
}

/* --- values ----------------------------------------------------------------------------------- */

static int64_t shift(int64_t value, int64_t bits, bool left)
{
    if (bits < 0 || bits >= 64) return 0;
    return left ? (int64_t)((uint64_t)value << bits) : value >> bits;
}

static int64_t random_value(uint64_t salt, const int64_t *arguments, uint32_t count)
{
    uint64_t hash = salt;
    for (uint32_t i = 1; i < count; i++) hash = mix64(hash ^ (uint64_t)arguments[i]);
    return (int64_t)scale64(mix64(hash), (uint64_t)MAX(arguments[0], 1));
}

int64_t function_value(Function function, uint64_t salt, const int64_t *a, uint32_t count)
{
    switch (function) {
    case FUNCTION_MULTIPLY: return wrapping_multiply(a[0], a[1]);
    case FUNCTION_DIVIDE: return floor_divide(a[0], a[1]);
    case FUNCTION_MODULO: return floor_modulo(a[0], a[1]);
    case FUNCTION_AND: return a[0] & a[1];
    case FUNCTION_OR: return a[0] | a[1];
    case FUNCTION_XOR: return a[0] ^ a[1];
    case FUNCTION_LEFT: return shift(a[0], a[1], true);
    case FUNCTION_RIGHT: return shift(a[0], a[1], false);
    case FUNCTION_MIN: return MIN(a[0], a[1]);
    case FUNCTION_MAX: return MAX(a[0], a[1]);
    case FUNCTION_LESS: return a[0] < a[1];
    case FUNCTION_EQUAL: return a[0] == a[1];
    case FUNCTION_SELECT: return a[0] ? a[1] : a[2];
    case FUNCTION_RANDOM: return random_value(salt, a, count);
    case FUNCTION_PERMUTE: return permuted(a[0], a[1], salt);
    case FUNCTION_CYCLE: return along_cycle(a[0], a[1], a[2], salt);
    case FUNCTIONS: break;
    }
    g_assert_not_reached();
}

/* --- values of all lanes ---------------------------------------------------------------------- */

/* A table of loops that a compiler turns into vector code. */
#define LANE_FUNCTION(name, expression)                                                            \
    static void name(const int64_t *restrict a, const int64_t *restrict b, int64_t *restrict out)  \
    {                                                                                              \
        for (uint32_t i = 0; i < LANE_PART; i++) out[i] = (expression);                            \
    }
LANE_FUNCTION(lanes_multiply, wrapping_multiply(a[i], b[i]))
LANE_FUNCTION(lanes_divide, floor_divide(a[i], b[i]))
LANE_FUNCTION(lanes_modulo, floor_modulo(a[i], b[i]))
LANE_FUNCTION(lanes_and, a[i] & b[i])
LANE_FUNCTION(lanes_or, a[i] | b[i])
LANE_FUNCTION(lanes_xor, a[i] ^ b[i])
LANE_FUNCTION(lanes_left, shift(a[i], b[i], true))
LANE_FUNCTION(lanes_right, shift(a[i], b[i], false))
LANE_FUNCTION(lanes_min, MIN(a[i], b[i]))
LANE_FUNCTION(lanes_max, MAX(a[i], b[i]))
LANE_FUNCTION(lanes_less, a[i] < b[i])
LANE_FUNCTION(lanes_equal, a[i] == b[i])

static void (*const lane_functions[FUNCTIONS])(const int64_t *restrict, const int64_t *restrict,
                                               int64_t *restrict) = {
    [FUNCTION_MULTIPLY] = lanes_multiply,
    [FUNCTION_DIVIDE] = lanes_divide,
    [FUNCTION_MODULO] = lanes_modulo,
    [FUNCTION_AND] = lanes_and,
    [FUNCTION_OR] = lanes_or,
    [FUNCTION_XOR] = lanes_xor,
    [FUNCTION_LEFT] = lanes_left,
    [FUNCTION_RIGHT] = lanes_right,
    [FUNCTION_MIN] = lanes_min,
    [FUNCTION_MAX] = lanes_max,
    [FUNCTION_LESS] = lanes_less,
    [FUNCTION_EQUAL] = lanes_equal,
};

/* The keys that all lanes share are hashed once. */
static void random_lanes(const Atom *atom, const WarpCursor *cursor, int64_t values[LANES_MAX])
{
    const uint32_t lanes = atom->argument[0]->lanes;
    uint64_t hash[LANES_MAX], shared = atom->salt;
    uint32_t key = 1;
    for (; key < atom->arguments && form_is_uniform(atom->argument[key]); key++)
        shared = mix64(shared ^ (uint64_t)form_uniform_value(atom->argument[key], cursor));
    for (uint32_t lane = 0; lane < lanes; lane++) hash[lane] = shared;
    for (; key < atom->arguments; key++) {
        form_lane_values(atom->argument[key], cursor, values);
        for (uint32_t lane = 0; lane < lanes; lane++)
            hash[lane] = mix64(hash[lane] ^ (uint64_t)values[lane]);
    }
    form_lane_values(atom->argument[0], cursor, values);
    for (uint32_t lane = 0; lane < lanes; lane++)
        values[lane] = (int64_t)scale64(mix64(hash[lane]), (uint64_t)MAX(values[lane], 1));
}

void function_lane_values(const Atom *atom, const WarpCursor *cursor, int64_t values[LANES_MAX])
{
    if (atom->function == FUNCTION_RANDOM) {
        random_lanes(atom, cursor, values);
        return;
    }
    const uint32_t lanes = atom->argument[0]->lanes;
    int64_t a[LANES_MAX], b[LANES_MAX], c[LANES_MAX];
    form_lane_values(atom->argument[0], cursor, a);
    if (atom->argument[1] == atom->argument[0])
        memcpy(b, a, sizeof b);
    else
        form_lane_values(atom->argument[1], cursor, b);
    if (lane_functions[atom->function]) {
        for (uint32_t part = 0; part < lanes; part += LANE_PART)
            lane_functions[atom->function](a + part, b + part, values + part);
        return;
    }
    if (atom->arguments > 2) form_lane_values(atom->argument[2], cursor, c);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        const int64_t arguments[] = {a[lane], b[lane], atom->arguments > 2 ? c[lane] : 0};
        values[lane] = function_value(atom->function, atom->salt, arguments, atom->arguments);
    }
}

/* --- ranges ----------------------------------------------------------------------------------- */

static const Range anything = {-(INT64_C(1) << NUMBER_LIMIT_BITS), INT64_C(1) << NUMBER_LIMIT_BITS,
                               false};

static int64_t corner(Function function, int64_t a, int64_t b)
{
    const __int128 product = (__int128)a * b;
    if (function == FUNCTION_MULTIPLY)
        return product > LIMIT ? LIMIT : product < -LIMIT ? -LIMIT : (int64_t)product;
    const int64_t arguments[] = {a, b};
    return function_value(function, 0, arguments, 2);
}

/* Of a function that is monotonous in each argument: the extremes lie at corners. */
static Range range_of_corners(Function function, Range a, Range b)
{
    const int64_t at[] = {corner(function, a.low, b.low), corner(function, a.low, b.high),
                          corner(function, a.high, b.low), corner(function, a.high, b.high)};
    Range range = {at[0], at[0], false};
    for (uint32_t i = 1; i < G_N_ELEMENTS(at); i++) {
        range.low = MIN(range.low, at[i]);
        range.high = MAX(range.high, at[i]);
    }
    return range;
}

/* AND, OR, XOR of numbers that are not negative. */
static Range range_of_bits(Function function, Range a, Range b)
{
    if (function == FUNCTION_AND && (a.low >= 0 || b.low >= 0)) {
        const int64_t high_a = a.low >= 0 ? a.high : LIMIT, high_b = b.low >= 0 ? b.high : LIMIT;
        return (Range){0, MIN(high_a, high_b), false};
    }
    if (a.low < 0 || b.low < 0) return anything;
    const uint64_t highest = (uint64_t)MAX(a.high, b.high);
    const uint32_t bits = highest ? 64 - (uint32_t)__builtin_clzll(highest) : 0;
    return (Range){0, (INT64_C(1) << MIN(bits, NUMBER_LIMIT_BITS)) - 1, false};
}

Range function_range(Function function, const Form *const *arguments, uint32_t count)
{
    const Range a = form_range(arguments[0]);
    const Range b = count > 1 ? form_range(arguments[1]) : a;
    const Range c = count > 2 ? form_range(arguments[2]) : a;
    switch (function) {
    case FUNCTION_MULTIPLY: return range_of_corners(function, a, b);
    case FUNCTION_DIVIDE: return b.low > 0 ? range_of_corners(function, a, b) : anything;
    case FUNCTION_MODULO: return b.low > 0 ? (Range){0, b.high - 1, false} : anything;
    case FUNCTION_AND:
    case FUNCTION_OR:
    case FUNCTION_XOR: return range_of_bits(function, a, b);
    case FUNCTION_LEFT:
        if (b.low < 0 || b.high >= NUMBER_LIMIT_BITS) return anything;
        return range_of_corners(FUNCTION_MULTIPLY, a,
                                (Range){INT64_C(1) << b.low, INT64_C(1) << b.high, false});
    case FUNCTION_RIGHT:
        return b.low >= 0 && b.high < 64 ? range_of_corners(function, a, b) : anything;
    case FUNCTION_MIN: return (Range){MIN(a.low, b.low), MIN(a.high, b.high), false};
    case FUNCTION_MAX: return (Range){MAX(a.low, b.low), MAX(a.high, b.high), false};
    case FUNCTION_LESS:
    case FUNCTION_EQUAL: return (Range){0, 1, false};
    case FUNCTION_SELECT: return (Range){MIN(b.low, c.low), MAX(b.high, c.high), false};
    case FUNCTION_RANDOM: return (Range){0, MAX(a.high, 1) - 1, false};
    case FUNCTION_PERMUTE:
    case FUNCTION_CYCLE: return (Range){0, MAX(b.high, 1) - 1, false};
    case FUNCTIONS: break;
    }
    g_assert_not_reached();
}
