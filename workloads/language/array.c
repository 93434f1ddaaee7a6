/* Arrays: where they are, which element an index means, what is in them. */
#include "workloads/language/builder.h"

/* Arrays of the global space begin here, so that address 0 stays free for other kernels' data. */
static const int64_t GLOBAL_BEGIN = INT64_C(1) << 28;
static const int64_t GLOBAL_ALIGNMENT = 256, OTHER_ALIGNMENT = 16;
static const int64_t SPACE_LIMIT = INT64_C(1) << 47;

static int64_t round_up(int64_t value, int64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static bool find_dimensions(Builder *builder, const Statement *s, Array *array)
{
    array->dimensions = s->indices->len;
    if (array->dimensions < 1 || array->dimensions > DIMENSIONS)
        return builder_reject(builder, s->at, "an array has 1 to %d dimensions, not %u", DIMENSIONS,
                              array->dimensions);
    array->elements = 1;
    for (uint32_t d = 0; d < array->dimensions; d++) {
        const int64_t most = SPACE_LIMIT / array->element / array->elements;
        if (!builder_constant(builder, s->indices->pdata[d], 1, most, &array->extent[d]))
            return false;
        array->elements *= array->extent[d];
    }
    return true;
}

bool builder_next_address(Builder *builder, const Statement *s, int64_t alignment, int64_t *address)
{
    const int64_t end = g_array_index(builder->bytes, int64_t, SPACE_GLOBAL);
    *address = round_up(MAX(end, GLOBAL_BEGIN), alignment);
    return !s->base || builder_constant(builder, s->base, 0, SPACE_LIMIT, address);
}

void builder_take_space(Builder *builder, const Statement *s, int64_t address, int64_t bytes)
{
    int64_t *end = &g_array_index(builder->bytes, int64_t, SPACE_GLOBAL);
    *end = MAX(*end, address + bytes);
    launch_list_add_array(builder->list, s->name, (uint64_t)address, (uint64_t)bytes);
    *(s->base ? &builder->placed_bytes : &builder->global_bytes) += (uint64_t)bytes;
}

static bool place_array(Builder *builder, const Statement *s, Array *array)
{
    int64_t *end = &g_array_index(builder->bytes, int64_t, array->space);
    const bool global = array->space == SPACE_GLOBAL;
    const int64_t bytes = array->element * array->elements;
    int64_t alignment = global ? GLOBAL_ALIGNMENT : OTHER_ALIGNMENT;
    if (s->alignment && !builder_constant(builder, s->alignment, 1, SPACE_LIMIT, &alignment))
        return false;
    if (global) {
        if (!builder_next_address(builder, s, alignment, &array->base)) return false;
        builder_take_space(builder, s, array->base, bytes);
        return true;
    }
    array->base = round_up(*end, alignment);
    if (s->base && !builder_constant(builder, s->base, 0, SPACE_LIMIT, &array->base)) return false;
    *end = MAX(*end, array->base + bytes);
    return true;
}

bool builder_declare_array(Builder *builder, const Statement *s)
{
    Array *array = form_pool_allocate(builder->pool, sizeof *array);
    *array = (Array){.name = s->name,
                     .space = s->space,
                     .element = 4,
                     .read_only = s->read_only,
                     .content_kind = s->content_kind,
                     .content = s->content,
                     .salt = mix64(builder->seed ^ mix64(g_str_hash(s->name)))};
    if (builder->guarded || builder->loop_variables->len)
        return builder_reject(builder, s->at, "arrays stand outside of loops and conditions");
    if (builder_find(builder, s->name))
        return builder_reject(builder, s->at, "'%s' has a meaning already", s->name);
    if (s->element && !builder_constant(builder, s->element, 1, 1 << 20, &array->element))
        return false;
    if (!find_dimensions(builder, s, array) || !place_array(builder, s, array)) return false;
    if (s->surface && !builder_tile_mix(builder, s, &array->tiles)) return false;
    builder_declare(builder, &(Symbol){.kind = SYMBOL_ARRAY, .name = s->name, .array = array});
    return true;
}

/* --- elements --------------------------------------------------------------------------------- */

/* Wrapped around at the extent, unless it cannot be outside. */
static const Form *index_within(Builder *builder, const Array *array, const Expression *index,
                                uint32_t dimension, const Form *form)
{
    const int64_t extent = array->extent[dimension];
    const Range range = form_range(form);
    if (range.low >= 0 && range.high < extent) return form;
    if (!builder->guarded && form_is_affine(form)) {
        builder_reject(
            builder, index->at,
            "goes from %" PRId64 " to %" PRId64 ", but %s has elements 0 to %" PRId64 "%s",
            range.low, range.high, array->name, extent - 1, array->dimensions > 1 ? " here" : "");
        return NULL;
    }
    return form_call2(builder->pool, FUNCTION_MODULO, form, form_constant(builder->pool, extent));
}

Number builder_element(Builder *builder, const Array *array, const Statement *s)
{
    Number element = {.form = form_constant(builder->pool, 0)};
    if (s->indices->len != array->dimensions) {
        builder_reject(builder, s->at, "%s has %u dimension%s, but %u ind%s given", array->name,
                       array->dimensions, array->dimensions > 1 ? "s" : "", s->indices->len,
                       s->indices->len > 1 ? "ices are" : "ex is");
        return (Number){.form = NULL};
    }
    for (uint32_t d = 0; d < array->dimensions; d++) {
        const Expression *index = s->indices->pdata[d];
        const Number number = builder_number(builder, index);
        const Form *within =
            number.form ? index_within(builder, array, index, d, number.form) : NULL;
        if (!within) return (Number){.form = NULL};
        const Form *rows = form_call2(builder->pool, FUNCTION_MULTIPLY, element.form,
                                      form_constant(builder->pool, array->extent[d]));
        element.form = form_add(builder->pool, rows, within, 1);
        for (uint32_t i = 0; i < number.used.count; i++)
            register_set_add(&element.used, number.used.id[i]);
    }
    return element;
}

/* --- contents --------------------------------------------------------------------------------- */

/* Steps after steps are one walk. */
static const Form *cycle_form(Builder *builder, const Array *array, const Form *start,
                              const Form *steps)
{
    const Atom *before = start->count == 1 ? start->terms[0].atom : NULL;
    if (before && !start->constant && start->terms[0].coefficient == 1
        && before->function == FUNCTION_CYCLE && before->kind == ATOM_FUNCTION
        && before->salt == array->salt)
        return cycle_form(builder, array, before->argument[0],
                          form_add(builder->pool, before->argument[2], steps, 1));
    const Form *const arguments[] = {start, form_constant(builder->pool, array->elements), steps};
    return form_call(builder->pool, FUNCTION_CYCLE, arguments, 3, array->salt);
}

static const Form *formula_at(Builder *builder, const Array *array, const Form *index)
{
    const Form *outer = builder->content_index;
    const guint mark = builder->symbols->len;
    builder->content_index = index;
    builder_declare(builder,
                    &(Symbol){.kind = SYMBOL_NUMBER, .name = "index", .number = {.form = index}});
    const Form *form = builder_number(builder, array->content).form;
    g_array_set_size(builder->symbols, mark);
    builder->content_index = outer;
    return form;
}

const Form *array_content(Builder *builder, const Array *array, const Form *element)
{
    switch (array->content_kind) {
    case CONTENT_NONE: return NULL;
    case CONTENT_CYCLE: return cycle_form(builder, array, element, form_constant(builder->pool, 1));
    case CONTENT_FORMULA: return formula_at(builder, array, element);
    }
    return NULL;
}

const Form *array_follow(Builder *builder, const Array *array, const Form *start, const Form *steps)
{
    if (array->content_kind == CONTENT_CYCLE) return cycle_form(builder, array, start, steps);
    if (array->content_kind == CONTENT_NONE) return NULL;
    const Range any = {0, INT64_C(1) << 48, false};
    const Form *probe = form_variable(builder->pool, ATOM_SLOT, 31, any);
    const Form *next = formula_at(builder, array, probe);
    const Form *distance = next ? form_add(builder->pool, next, probe, -1) : NULL;
    if (!distance || !form_is_constant(distance)) return NULL;
    return form_add(builder->pool, start, steps, distance->constant);
}
