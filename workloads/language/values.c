/* Values of sums in a running kernel. */
#include "workloads/language/form.h"

/* Lanes in the parts that a compiler turns into vector code. */
static void add_products(int64_t *restrict sums, int64_t coefficient,
                         const int64_t *restrict values, uint32_t lanes)
{
    for (uint32_t part = 0; part < lanes; part += LANE_PART)
        for (uint32_t lane = part; lane < part + LANE_PART; lane++)
            sums[lane] = wrapping_add(sums[lane], wrapping_multiply(coefficient, values[lane]));
}

/* Once each: what mentions a value twice may itself be mentioned twice, and so on. */
void form_prepare(FormPool *pool, const Form *form)
{
    if (form->prepared) return;
    ((Form *)form)->prepared = true; /* the pool's own, and the value stays the same */
    for (uint32_t i = 0; i < form->count; i++)
        for (uint32_t k = 0; k < form->terms[i].atom->arguments; k++)
            form_prepare(pool, form->terms[i].atom->argument[k]);
    if (form->mixed == form->functions) return;
    int64_t *table = form_pool_allocate(pool, LANES_MAX * sizeof *table);
    int64_t values[LANES_MAX];
    const WarpCursor nowhere = {0};
    for (uint32_t i = form->functions; i < form->mixed; i++) {
        function_lane_values(form->terms[i].atom, &nowhere, values);
        add_products(table, form->terms[i].coefficient, values, form->lanes);
    }
    ((Form *)form)->table = table;
}

enum { ROW_LANES_LEAST = 4 };

/* Without the uniform terms. */
static uint64_t value_of_lane(const Form *form, uint32_t lane)
{
    return (uint64_t)form->table[lane] + lane * (uint64_t)form->stride;
}

static bool are_rows(const Form *form, const LaneSteps *rows)
{
    for (uint32_t lane = 0; lane < form->lanes; lane++)
        if (value_of_lane(form, lane) != lane_address(rows, lane)) return false;
    return true;
}

bool form_steps(const Form *form, LaneSteps *steps)
{
    *steps = (LaneSteps){.stride = form->stride};
    if (form->functions == form->count) return true;
    if (!form->table || form->mixed < form->count) return false;
    steps->base = value_of_lane(form, 0);
    steps->stride = (int64_t)(value_of_lane(form, 1) - steps->base);
    for (uint32_t lanes = form->lanes / 2; lanes >= ROW_LANES_LEAST; lanes /= 2) {
        steps->row_lanes = lanes;
        steps->row_stride = (int64_t)(value_of_lane(form, lanes) - steps->base);
        if (are_rows(form, steps)) return true;
    }
    return false;
}

G_GNUC_NO_INLINE static int64_t uniform_function_value(const Atom *atom, const WarpCursor *cursor)
{
    int64_t values[FUNCTION_ARGUMENTS];
    for (uint32_t i = 0; i < atom->arguments; i++)
        values[i] = i && atom->argument[i] == atom->argument[i - 1]
                        ? values[i - 1]
                        : form_uniform_value(atom->argument[i], cursor);
    return function_value(atom->function, atom->salt, values, atom->arguments);
}

static inline int64_t uniform_atom_value(const Atom *atom, const WarpCursor *cursor)
{
    switch (atom->kind) {
    case ATOM_SLOT: return (int64_t)cursor->scratch[atom->slot];
    case ATOM_CTA: return (int64_t)cursor->cta;
    case ATOM_WARP: return cursor->warp;
    case ATOM_LANE: return 0;
    case ATOM_FUNCTION: return uniform_function_value(atom, cursor);
    }
    g_assert_not_reached();
}

/* With the uniform terms from `first` on. */
static int64_t value_from(const Form *form, uint32_t first, const WarpCursor *cursor)
{
    int64_t value = form->constant;
    for (uint32_t i = first; i < form->uniform; i++)
        value =
            wrapping_add(value, wrapping_multiply(form->terms[i].coefficient,
                                                  uniform_atom_value(form->terms[i].atom, cursor)));
    return value;
}

int64_t form_uniform_value(const Form *form, const WarpCursor *cursor)
{
    return value_from(form, 0, cursor);
}

int64_t form_varying_value(const Form *form, const WarpCursor *cursor)
{
    return value_from(form, form->fixed, cursor);
}

void form_lane_values(const Form *form, const WarpCursor *cursor, int64_t values[LANES_MAX])
{
    const int64_t base = form_uniform_value(form, cursor);
    for (uint32_t part = 0; part < form->lanes; part += LANE_PART)
        for (uint32_t lane = part; lane < part + LANE_PART; lane++)
            values[lane] = wrapping_add(base, wrapping_multiply(lane, form->stride));
    if (form->table) add_products(values, 1, form->table, form->lanes);
    for (uint32_t i = form->table ? form->mixed : form->functions; i < form->count; i++) {
        int64_t function[LANES_MAX];
        function_lane_values(form->terms[i].atom, cursor, function);
        add_products(values, form->terms[i].coefficient, function, form->lanes);
    }
}

uint64_t form_lanes_that_hold(const int64_t values[LANES_MAX], uint32_t warp_lanes)
{
    const uint32_t lanes = MIN(warp_lanes, LANES_MAX); /* it is, but the compiler warns */
    uint64_t holds = 0;
    for (uint32_t lane = 0; lane < lanes; lane++) holds |= (uint64_t) !!values[lane] << lane;
    return holds;
}
