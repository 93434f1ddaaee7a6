/* Numbers of a program as sums: constant + coefficient x atom + ... An atom is what varies (lane,
 * warp, CTA, a loop's variable) or a function that is not linear in them. What can be folded or
 * simplified is, when the sum is made, so that most addresses become base + lane x stride. Sums
 * are immutable and live as long as their pool. */
#pragma once

#include "kit/gpu/kernel.h"

typedef enum {
    FUNCTION_MULTIPLY,
    FUNCTION_DIVIDE, /* rounds down; 0 when the divisor is 0 */
    FUNCTION_MODULO, /* never negative */
    FUNCTION_AND,
    FUNCTION_OR,
    FUNCTION_XOR,
    FUNCTION_LEFT,
    FUNCTION_RIGHT,
    FUNCTION_MIN,
    FUNCTION_MAX,
    FUNCTION_LESS,
    FUNCTION_EQUAL,
    FUNCTION_SELECT,  /* condition, then, else */
    FUNCTION_RANDOM,  /* bound, keys ...: a hash of the keys in 0 .. bound - 1 */
    FUNCTION_PERMUTE, /* i, n: place of i in a random order of 0 .. n - 1 */
    FUNCTION_CYCLE,   /* i, n, k: the k-th after i in a random cycle through 0 .. n - 1 */
    FUNCTIONS
} Function;

enum { FUNCTION_ARGUMENTS = 10 };

typedef enum { ATOM_LANE, ATOM_WARP, ATOM_CTA, ATOM_SLOT, ATOM_FUNCTION } AtomKind;

/* Inclusive. `exact`: both ends are reached, whatever the other atoms are. */
typedef struct {
    int64_t low, high;
    bool exact;
} Range;

typedef struct Form Form;

typedef struct Atom {
    AtomKind kind;
    Function function;
    uint32_t slot;             /* ATOM_SLOT: word of the cursor's scratch */
    uint32_t slots;            /* a bit each word of the scratch that the value depends on */
    uint32_t kinds;            /* a bit each AtomKind that it is, or depends on */
    bool lane, elsewhere;      /* depends on the lane; on anything but the lane */
    uint32_t arguments, depth; /* depth: of functions, one in another */
    uint64_t salt;
    Range range;
    const Form *argument[FUNCTION_ARGUMENTS];
} Atom;

typedef struct {
    int64_t coefficient;
    const Atom *atom;
} Term;

/* Terms in the order of their atoms: first `uniform` ones, then the lane's, then functions of the
 * lane. Of the uniform ones, those come first that depend on the warp alone. */
struct Form {
    int64_t constant, stride; /* coefficient of the lane */
    uint32_t count, fixed, uniform, functions;
    const Term *terms;
    const int64_t *table; /* of form_prepare: by lane, all functions of the lane alone; or NULL */
    uint32_t mixed;       /* first of the functions that depend on the lane and more */
    uint32_t lanes;       /* of a warp: 32 or 64 */
    bool prepared;
};

typedef struct FormPool FormPool;

enum { LANE_PART = 32 }; /* values of so many lanes are computed in one go */

FormPool *form_pool_new(uint32_t warp_lanes);
void form_pool_free(FormPool *pool);
/* Zeroed memory that is freed with the pool. */
void *form_pool_allocate(FormPool *pool, gsize size);

const Form *form_constant(FormPool *pool, int64_t value);
const Form *form_variable(FormPool *pool, AtomKind kind, uint32_t slot, Range range);
const Form *form_add(FormPool *pool, const Form *a, const Form *b, int64_t scale_of_b);
/* For functions whose meaning is in `salt`, as well: RANDOM, PERMUTE, CYCLE. */
const Form *form_call(FormPool *pool, Function function, const Form *const *arguments,
                      uint32_t count, uint64_t salt);
const Form *form_call2(FormPool *pool, Function function, const Form *a, const Form *b);

bool forms_equal(const Form *a, const Form *b);
/* Of the terms that are the same for all of a warp's instructions; NULL: it is as simple without
 * a sum of them. */
const Form *form_fixed_sum(FormPool *pool, const Form *form);

static inline bool form_is_constant(const Form *form)
{
    return !form->count;
}

static inline bool form_is_uniform(const Form *form)
{
    return form->uniform == form->count;
}

Range form_range(const Form *form);
uint32_t form_slots(const Form *form);
/* Of functions, one in another: as deep does its evaluation recurse. */
uint32_t form_depth(const Form *form);
bool form_depends_on(const Form *form, AtomKind kind);
/* Linear in variables that are reached: its range is no estimate. */
bool form_is_affine(const Form *form);
/* A number that divides every value. 0: only 0 occurs. */
uint64_t form_divisor(const Form *form);

/* Makes evaluation faster; the form is used in a running kernel. */
void form_prepare(FormPool *pool, const Form *form);

/* How the values of a prepared one follow each other: what is to be added to the uniform terms.
 * False: they do not, or not always in the same way. */
bool form_steps(const Form *form, LaneSteps *steps);

/* The value without the terms of the lane. */
int64_t form_uniform_value(const Form *form, const WarpCursor *cursor);
/* ... and without the fixed ones. */
int64_t form_varying_value(const Form *form, const WarpCursor *cursor);
void form_lane_values(const Form *form, const WarpCursor *cursor, int64_t values[LANES_MAX]);

/* Those of a warp whose value is not 0. */
uint64_t form_lanes_that_hold(const int64_t values[LANES_MAX], uint32_t warp_lanes);

/* Values of a function, used when its arguments are known and in a running kernel. */
int64_t function_value(Function function, uint64_t salt, const int64_t *arguments, uint32_t count);
void function_lane_values(const Atom *atom, const WarpCursor *cursor, int64_t values[LANES_MAX]);
Range function_range(Function function, const Form *const *arguments, uint32_t count);

enum { NUMBER_LIMIT_BITS = 62 };

/* Arithmetic that wraps around, as the generated kernels' would. */
static inline int64_t wrapping_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wrapping_multiply(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static inline int64_t floor_divide(int64_t a, int64_t b)
{
    if (!b) return 0;
    const int64_t quotient = a / b;
    return a % b && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

static inline int64_t floor_modulo(int64_t a, int64_t b)
{
    return b ? wrapping_add(a, -wrapping_multiply(floor_divide(a, b), b)) : 0;
}
