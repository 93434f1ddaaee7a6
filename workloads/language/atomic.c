/* What atomics do: their operation, its operand, and what a warp waits for. */
#include "workloads/language/builder.h"

static bool is_linear(const Form *form)
{
    return form->functions == form->count;
}

/* An operand that is the same for all lanes, or linear in the lane. */
static bool find_operand(Builder *builder, const Statement *s, Step *step)
{
    const Number number = builder_number(builder, s->value);
    if (!number.form) return false;
    if (!is_linear(number.form))
        return builder_reject(builder, s->value->at,
                              "the operand of an atomic is linear in the lane: base + lane * "
                              "stride");
    for (uint32_t i = 0; i < number.used.count; i++) {
        if (step->sources.count == INSTRUCTION_SOURCES)
            return builder_reject(builder, s->at, "has more than %d operands", INSTRUCTION_SOURCES);
        register_set_add(&step->sources, number.used.id[i]);
    }
    step->op.operand = number.form;
    return true;
}

bool lower_atomic(Builder *builder, const Statement *s, const Array *array, Step *step)
{
    Instruction *in = &step->op.instruction;
    int64_t compare = 0;
    in->atomic = (uint8_t)s->atomic;
    in->until = (uint8_t)s->until;
    in->tiles = array->tiles;
    in->operand = 1;
    const bool blends = s->atomic == ATOMIC_BLEND;
    if ((blends || s->until) && array->space != SPACE_GLOBAL)
        return builder_reject(builder, s->at, "%s is not in global memory", array->name);
    if (s->until && !is_linear(step->op.form))
        return builder_reject(builder, s->at,
                              "the words that a warp waits for are linear in the lane");
    if (!blends && in->width != 4 && (s->until || s->value))
        return builder_reject(builder, s->at, "atomics with values are of 4 B, not %u B",
                              in->width);
    if (s->limits[0] && !builder_constant(builder, s->limits[0], INT32_MIN, UINT32_MAX, &compare))
        return false;
    in->compare = (uint32_t)compare;
    return !s->value || find_operand(builder, s, step);
}

bool builder_tile_mix(Builder *builder, const Statement *s, TileMix *mix)
{
    uint8_t *const parts[] = {&mix->constant, &mix->quarter, &mix->half};
    int64_t rest = 100;
    if (s->space != SPACE_GLOBAL)
        return builder_reject(builder, s->at, "a surface is in global memory");
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        int64_t percent = 0;
        if (s->tiles[i] && !builder_constant(builder, s->tiles[i], 0, rest, &percent)) return false;
        *parts[i] = (uint8_t)percent;
        rest -= percent;
    }
    return true;
}
