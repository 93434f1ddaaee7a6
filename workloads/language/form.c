#include "workloads/language/form.h"

#include <string.h>

struct FormPool {
    uint32_t warp_lanes;
    GPtrArray *blocks, *atoms;
};

FormPool *form_pool_new(uint32_t warp_lanes)
{
    FormPool *pool = g_new0(FormPool, 1);
    pool->warp_lanes = warp_lanes;
    pool->blocks = g_ptr_array_new_with_free_func(g_free);
    pool->atoms = g_ptr_array_new();
    return pool;
}

void form_pool_free(FormPool *pool)
{
    if (!pool) return;
    g_ptr_array_unref(pool->blocks);
    g_ptr_array_unref(pool->atoms);
    g_free(pool);
}

void *form_pool_allocate(FormPool *pool, gsize size)
{
    void *block = g_malloc0(size);
    g_ptr_array_add(pool->blocks, block);
    return block;
}

/* --- atoms ------------------------------------------------------------------------------------ */

bool forms_equal(const Form *a, const Form *b)
{
    if (a == b) return true;
    if (a->constant != b->constant || a->count != b->count) return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->terms[i].coefficient != b->terms[i].coefficient
            || a->terms[i].atom != b->terms[i].atom)
            return false;
    return true;
}

static bool atoms_equal(const Atom *a, const Atom *b)
{
    if (a->kind != b->kind || a->function != b->function || a->slot != b->slot || a->salt != b->salt
        || a->arguments != b->arguments || a->range.low != b->range.low
        || a->range.high != b->range.high || a->range.exact != b->range.exact)
        return false;
    for (uint32_t i = 0; i < a->arguments; i++)
        if (!forms_equal(a->argument[i], b->argument[i])) return false;
    return true;
}

/* Equal atoms are one. */
static const Atom *intern(FormPool *pool, const Atom *wanted)
{
    for (guint i = 0; i < pool->atoms->len; i++)
        if (atoms_equal(pool->atoms->pdata[i], wanted)) return pool->atoms->pdata[i];
    Atom *atom = form_pool_allocate(pool, sizeof *atom);
    *atom = *wanted;
    g_ptr_array_add(pool->atoms, atom);
    return atom;
}

/* --- sums ------------------------------------------------------------------------------------- */

static uint32_t rank_of(const Atom *atom)
{
    if (!atom->lane) return atom->slots ? 1 : 0;
    if (atom->kind == ATOM_LANE) return 2;
    return atom->elsewhere ? 4 : 3;
}

static const Form *make_form(FormPool *pool, int64_t constant, const Term *terms, uint32_t count)
{
    Form *form = form_pool_allocate(pool, sizeof *form);
    Term *sorted = count ? form_pool_allocate(pool, count * sizeof *sorted) : NULL;
    form->constant = constant;
    form->terms = sorted;
    form->lanes = pool->warp_lanes;
    for (uint32_t rank = 0; rank < 5; rank++) {
        for (uint32_t i = 0; i < count; i++) {
            if (rank_of(terms[i].atom) != rank) continue;
            sorted[form->count++] = terms[i];
            if (rank == 2) form->stride = terms[i].coefficient;
        }
        if (rank == 0) form->fixed = form->count;
        if (rank == 1) form->uniform = form->count;
        if (rank == 2) form->functions = form->count;
        if (rank == 3) form->mixed = form->count;
    }
    return form;
}

const Form *form_fixed_sum(FormPool *pool, const Form *form)
{
    const bool calls = form->fixed && form->terms[0].atom->kind == ATOM_FUNCTION;
    return form->fixed > 1 || calls ? make_form(pool, 0, form->terms, form->fixed) : NULL;
}

const Form *form_constant(FormPool *pool, int64_t value)
{
    return make_form(pool, value, NULL, 0);
}

static const Form *form_of_atom(FormPool *pool, const Atom *atom)
{
    const Term term = {.coefficient = 1, .atom = intern(pool, atom)};
    return make_form(pool, 0, &term, 1);
}

const Form *form_variable(FormPool *pool, AtomKind kind, uint32_t slot, Range range)
{
    if (range.low == range.high) return form_constant(pool, range.low);
    return form_of_atom(pool, &(Atom){.kind = kind,
                                      .slot = slot,
                                      .slots = kind == ATOM_SLOT ? 1u << slot : 0,
                                      .kinds = 1u << kind,
                                      .lane = kind == ATOM_LANE,
                                      .elsewhere = kind != ATOM_LANE,
                                      .range = range});
}

const Form *form_add(FormPool *pool, const Form *a, const Form *b, int64_t scale_of_b)
{
    g_autofree Term *terms = g_new(Term, a->count + b->count);
    uint32_t count = a->count;
    if (count) memcpy(terms, a->terms, count * sizeof *terms);
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t at = 0;
        while (at < count && terms[at].atom != b->terms[i].atom) at++;
        if (at == count) terms[count++] = (Term){.atom = b->terms[i].atom};
        terms[at].coefficient = wrapping_add(
            terms[at].coefficient, wrapping_multiply(scale_of_b, b->terms[i].coefficient));
        if (!terms[at].coefficient) terms[at] = terms[--count];
    }
    const int64_t constant = wrapping_add(a->constant, wrapping_multiply(scale_of_b, b->constant));
    return make_form(pool, constant, terms, count);
}

static const Form *scale(FormPool *pool, const Form *form, int64_t factor)
{
    return form_add(pool, form_constant(pool, 0), form, factor);
}

/* --- what is known of a sum ------------------------------------------------------------------- */

static int64_t saturate(__int128 value)
{
    const __int128 limit = (__int128)1 << NUMBER_LIMIT_BITS;
    return value > limit ? (int64_t)limit : value < -limit ? (int64_t)-limit : (int64_t)value;
}

Range form_range(const Form *form)
{
    __int128 low = form->constant, high = form->constant;
    bool exact = true;
    for (uint32_t i = 0; i < form->count; i++) {
        const __int128 c = form->terms[i].coefficient;
        const Range *range = &form->terms[i].atom->range;
        low += c * (c > 0 ? range->low : range->high);
        high += c * (c > 0 ? range->high : range->low);
        exact = exact && range->exact;
    }
    return (Range){saturate(low), saturate(high), exact};
}

uint32_t form_slots(const Form *form)
{
    uint32_t slots = 0;
    for (uint32_t i = 0; i < form->count; i++) slots |= form->terms[i].atom->slots;
    return slots;
}

uint32_t form_depth(const Form *form)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < form->count; i++) depth = MAX(depth, form->terms[i].atom->depth);
    return depth;
}

bool form_depends_on(const Form *form, AtomKind kind)
{
    for (uint32_t i = 0; i < form->count; i++)
        if (form->terms[i].atom->kinds >> kind & 1) return true;
    return false;
}

bool form_is_affine(const Form *form)
{
    for (uint32_t i = 0; i < form->count; i++)
        if (form->terms[i].atom->kind == ATOM_FUNCTION) return false;
    return form_range(form).exact;
}

uint64_t form_divisor(const Form *form)
{
    uint64_t divisor = (uint64_t)ABS(form->constant);
    for (uint32_t i = 0; i < form->count; i++) {
        uint64_t other = (uint64_t)ABS(form->terms[i].coefficient);
        while (other) {
            const uint64_t rest = divisor % other;
            divisor = other;
            other = rest;
        }
    }
    return divisor;
}

/* --- functions -------------------------------------------------------------------------------- */

/* Divides `form` into what `divisor` divides, which is added to *whole as quotient, and a rest
 * whose constant is in 0 .. divisor - 1. */
static const Form *split(FormPool *pool, const Form *form, int64_t divisor, const Form **whole)
{
    g_autofree Term *multiples = g_new(Term, form->count + 1);
    g_autofree Term *others = g_new(Term, form->count + 1);
    uint32_t multiple_count = 0, other_count = 0;
    for (uint32_t i = 0; i < form->count; i++) {
        const Term *term = &form->terms[i];
        if (term->coefficient % divisor)
            others[other_count++] = *term;
        else
            multiples[multiple_count++] = (Term){term->coefficient / divisor, term->atom};
    }
    *whole = make_form(pool, floor_divide(form->constant, divisor), multiples, multiple_count);
    return make_form(pool, floor_modulo(form->constant, divisor), others, other_count);
}

static const Form *call_atom(FormPool *pool, Function function, const Form *const *arguments,
                             uint32_t count, uint64_t salt)
{
    Atom atom = {.kind = ATOM_FUNCTION,
                 .function = function,
                 .kinds = 1u << ATOM_FUNCTION,
                 .arguments = count,
                 .salt = salt};
    for (uint32_t i = 0; i < count; i++) {
        atom.argument[i] = arguments[i];
        atom.slots |= form_slots(arguments[i]);
        atom.depth = MAX(atom.depth, form_depth(arguments[i]) + 1);
        for (uint32_t k = 0; k < arguments[i]->count; k++) {
            const Atom *of = arguments[i]->terms[k].atom;
            atom.kinds |= of->kinds;
            atom.lane = atom.lane || of->lane;
            atom.elsewhere = atom.elsewhere || of->elsewhere;
        }
    }
    atom.range = function_range(function, arguments, count);
    return form_of_atom(pool, &atom);
}

static const Form *divide(FormPool *pool, const Form *form, int64_t divisor, bool modulo)
{
    const Form *whole;
    const Form *rest = split(pool, form, divisor, &whole);
    const Range range = form_range(rest);
    const bool small = range.low >= 0 && range.high < divisor;
    const Form *const arguments[] = {rest, form_constant(pool, divisor)};
    if (modulo) return small ? rest : call_atom(pool, FUNCTION_MODULO, arguments, 2, 0);
    if (small) return whole;
    return form_add(pool, whole, call_atom(pool, FUNCTION_DIVIDE, arguments, 2, 0), 1);
}

/* Comparisons whose outcome the ranges tell. -1: they do not. */
static int compare_ranges(Function function, const Form *a, const Form *b)
{
    const Range ra = form_range(a), rb = form_range(b);
    if (function == FUNCTION_LESS) return ra.high < rb.low ? 1 : ra.low >= rb.high ? 0 : -1;
    return ra.high < rb.low || ra.low > rb.high ? 0 : -1;
}

/* With b constant; NULL: there is nothing simpler than a call. */
static const Form *simplify(FormPool *pool, Function function, const Form *a, int64_t b)
{
    const bool shift = b >= 0 && b < NUMBER_LIMIT_BITS;
    const bool is_mask = b >= 0 && (b & (b + 1)) == 0;
    switch (function) {
    case FUNCTION_MULTIPLY: return scale(pool, a, b);
    case FUNCTION_DIVIDE: return b > 0 ? divide(pool, a, b, false) : NULL;
    case FUNCTION_MODULO: return b > 0 ? divide(pool, a, b, true) : NULL;
    case FUNCTION_AND: return is_mask && b < INT64_MAX ? divide(pool, a, b + 1, true) : NULL;
    case FUNCTION_LEFT: return shift ? scale(pool, a, INT64_C(1) << b) : NULL;
    case FUNCTION_RIGHT: return shift ? divide(pool, a, INT64_C(1) << b, false) : NULL;
    case FUNCTION_OR:
    case FUNCTION_XOR: return b ? NULL : a;
    case FUNCTION_MIN:
    case FUNCTION_MAX:
    case FUNCTION_LESS:
    case FUNCTION_EQUAL:
    case FUNCTION_SELECT:
    case FUNCTION_RANDOM:
    case FUNCTION_PERMUTE:
    case FUNCTION_CYCLE:
    case FUNCTIONS: return NULL;
    }
    return NULL;
}

static bool is_symmetric(Function function)
{
    return function == FUNCTION_MULTIPLY || function == FUNCTION_AND || function == FUNCTION_OR
           || function == FUNCTION_XOR;
}

const Form *form_call(FormPool *pool, Function function, const Form *const *arguments,
                      uint32_t count, uint64_t salt)
{
    int64_t known[FUNCTION_ARGUMENTS];
    uint32_t constants = 0;
    for (uint32_t i = 0; i < count; i++) {
        known[i] = arguments[i]->constant;
        constants += form_is_constant(arguments[i]);
    }
    if (constants == count)
        return form_constant(pool, function_value(function, salt, known, count));
    if (function == FUNCTION_SELECT && form_is_constant(arguments[0]))
        return arguments[known[0] ? 1 : 2];
    if (count == 2 && is_symmetric(function) && form_is_constant(arguments[0]))
        return form_call2(pool, function, arguments[1], arguments[0]);
    if (count == 2 && form_is_constant(arguments[1])) {
        const Form *simple = simplify(pool, function, arguments[0], known[1]);
        if (simple) return simple;
    }
    if (function == FUNCTION_LESS || function == FUNCTION_EQUAL) {
        const int outcome = compare_ranges(function, arguments[0], arguments[1]);
        if (outcome >= 0) return form_constant(pool, outcome);
    }
    return call_atom(pool, function, arguments, count, salt);
}

const Form *form_call2(FormPool *pool, Function function, const Form *a, const Form *b)
{
    const Form *const arguments[] = {a, b};
    return form_call(pool, function, arguments, 2, 0);
}
