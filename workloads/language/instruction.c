/* Statements that are instructions: accesses, computations, assignments. */
#include <string.h>

#include "workloads/language/builder.h"

enum { REPEAT_MAX = 255, TIMES_MAX = 1 << 24 };

/* --- steps ------------------------------------------------------------------------------------ */

Step *builder_append(Builder *builder, const char *at, OpKind kind)
{
    const Step step = {
        .op = {.kind = kind, .mask_slot = builder->mask_slot, .lanes = builder->lanes, .count = 1},
        .at = at,
        .result = VIRTUAL_NONE,
        .executions = builder->executions};
    g_array_append_val(builder->steps, step);
    Step *added = &g_array_index(builder->steps, Step, builder->steps->len - 1);
    if (kind != OP_EMIT) return added;
    instruction_clear(&added->op.instruction, 0, 0);
    added->op.instruction.source_line = source_line(builder->source, at);
    return added;
}

uint32_t builder_new_register(Builder *builder, uint32_t words, bool reload)
{
    const VirtualRegister new = {.words = words, .reload = reload};
    g_array_append_val(builder->registers, new);
    return builder->registers->len - 1;
}

/* --- results and operands --------------------------------------------------------------------- */

/* Position of an element of a register array. */
static bool element_number(Builder *builder, const Expression *e, const Symbol *symbol,
                           uint32_t *number)
{
    int64_t value;
    if (e->children->len != 1) return builder_reject(builder, e->at, "registers have one index");
    if (!builder_constant(builder, e->children->pdata[0], 0, symbol->count - 1, &value))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* The virtual register of a name or element; false with error. */
static bool find_register(Builder *builder, const Expression *e, const Symbol *symbol, uint32_t *id)
{
    uint32_t number = 0;
    const bool element = e->kind == EXPRESSION_ELEMENT;
    if (element != (symbol->kind == SYMBOL_REGISTERS))
        return builder_reject(builder, e->at, "%s is %s", e->name,
                              element ? "one variable and has no elements"
                                      : "an array of registers; an element is written x[0]");
    if (element && !element_number(builder, e, symbol, &number)) return false;
    *id = symbol->reg + number;
    return true;
}

/* The symbol to be assigned, declared if it is new. */
static Symbol *find_target(Builder *builder, const Expression *target, uint32_t words)
{
    Symbol *symbol = builder_find(builder, target->name);
    if (!symbol && target->kind == EXPRESSION_ELEMENT) {
        builder_reject(builder, target->at,
                       "nothing is called '%s'; an array of registers is "
                       "declared first: register %s[8]",
                       target->name, target->name);
        return NULL;
    }
    if (!symbol)
        return builder_declare(builder,
                               &(Symbol){.kind = SYMBOL_VARIABLE,
                                         .name = target->name,
                                         .unknown = "nothing has been assigned to it",
                                         .reg = builder_new_register(builder, words, false),
                                         .words = words,
                                         .count = 1});
    if (symbol->kind == SYMBOL_VARIABLE || symbol->kind == SYMBOL_REGISTERS) return symbol;
    builder_reject(builder, target->at, "'%s' is %s and cannot be assigned%s", target->name,
                   symbol->kind == SYMBOL_ARRAY     ? "an array"
                   : symbol->kind == SYMBOL_TEXTURE ? "a texture"
                                                    : "a number",
                   symbol->kind == SYMBOL_ARRAY ? "; memory is written by 'store'" : "");
    return NULL;
}

Symbol *builder_write_target(Builder *builder, const Statement *s, uint32_t words, uint32_t *id)
{
    Symbol *symbol = find_target(builder, s->target, words);
    if (!symbol || !find_register(builder, s->target, symbol, id)) return NULL;
    if (words <= symbol->words) return symbol;
    builder_reject(builder, s->target->at, "%s has %u B, but %u B are assigned", s->target->name,
                   symbol->words * 4, words * 4);
    return NULL;
}

static bool check_sources(Builder *builder, const Statement *s, const RegisterSet *sources)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < sources->count; i++)
        words += g_array_index(builder->registers, VirtualRegister, sources->id[i]).words;
    return words <= INSTRUCTION_SOURCES
           || builder_reject(builder, s->at,
                             "reads %u registers of 4 B; an instruction reads up to %d", words,
                             INSTRUCTION_SOURCES);
}

static bool read_operands(Builder *builder, const Statement *s, RegisterSet *sources)
{
    for (guint i = 0; i < s->operands->len; i++) {
        const Expression *operand = s->operands->pdata[i];
        const Symbol *symbol = builder_find(builder, operand->name);
        if (!symbol)
            return builder_reject(builder, operand->at,
                                  "nothing has been assigned to '%s' here; 'register %s' declares "
                                  "a variable with some value",
                                  operand->name, operand->name);
        if (symbol->kind == SYMBOL_ARRAY)
            return builder_reject(builder, operand->at,
                                  "'%s' is an array; its elements are loaded first", operand->name);
        if (symbol->kind == SYMBOL_TEXTURE)
            return builder_reject(builder, operand->at, "'%s' is a texture; it is sampled first",
                                  operand->name);
        uint32_t id = 0;
        if (symbol->kind == SYMBOL_NUMBER) {
            for (uint32_t k = 0; k < symbol->number.used.count; k++)
                register_set_add(sources, symbol->number.used.id[k]);
        } else if (find_register(builder, operand, symbol, &id)) {
            if (sources->count == INSTRUCTION_SOURCES)
                return builder_reject(builder, s->at, "has more than %d operands",
                                      INSTRUCTION_SOURCES);
            register_set_add(sources, id);
        } else {
            return false;
        }
    }
    return check_sources(builder, s, sources);
}

void symbol_forget(Symbol *symbol, const char *why)
{
    symbol->number.form = NULL;
    symbol->unknown = why;
    symbol->chase.array = NULL;
}

static void know(Symbol *symbol, const Form *form)
{
    symbol->number = (Number){.form = form, .used = {.count = 1, .id = {symbol->reg}}};
}

/* --- accesses --------------------------------------------------------------------------------- */

static const Array *find_array(Builder *builder, const Statement *s)
{
    const Symbol *symbol = builder_find(builder, s->name);
    if (symbol && symbol->kind == SYMBOL_ARRAY) return symbol->array;
    if (symbol)
        builder_reject(builder, s->at, "'%s' is not an array%s", s->name,
                       symbol->kind == SYMBOL_TEXTURE
                           ? "; a texture is read by 'x = sample T[...]' and 'x = texel T[...]'"
                           : "");
    else
        builder_reject_name(builder, s->at, s->name);
    return NULL;
}

static bool check_width(Builder *builder, const Statement *s, const Array *array, uint32_t *width)
{
    *width = s->width ? s->width : (uint32_t)array->element;
    if (*width > 16 || !is_power_of_two(*width))
        return builder_reject(builder, s->at,
                              "elements of %s have %" PRId64
                              " B; how many of them are accessed? load.8: 1, 2, 4, 8, 16",
                              array->name, array->element);
    if (array->base % *width || array->element * array->elements < *width)
        return builder_reject(builder, s->at, "%u B do not fit into %s, or not at its address",
                              *width, array->name);
    return true;
}

/* Byte addresses; accesses of several elements are aligned to their width. */
static const Form *address_form(Builder *builder, const Statement *s, const Array *array,
                                const Form *element, uint32_t width)
{
    FormPool *pool = builder->pool;
    const Form *offset =
        form_call2(pool, FUNCTION_MULTIPLY, element, form_constant(pool, array->element));
    if (form_divisor(offset) % width) {
        if (!builder->guarded && form_is_affine(offset)) {
            builder_reject(builder, s->at,
                           "%u B at a time, but the addresses are multiples of %" PRIu64
                           " B only; a GPU refuses misaligned accesses",
                           width, form_divisor(offset));
            return NULL;
        }
        const Form *rest = form_call2(pool, FUNCTION_MODULO, offset, form_constant(pool, width));
        offset = form_add(pool, offset, rest, -1);
    }
    return form_add(pool, offset, form_constant(pool, array->base), 1);
}

static bool check_access(Builder *builder, const Statement *s, const Array *array)
{
    const bool writes = s->operation != OPERATION_LOAD;
    if (writes && (array->read_only || array->space == SPACE_CONSTANT))
        return builder_reject(builder, s->at, "%s is read only", array->name);
    if (s->has_hint && array->space != SPACE_GLOBAL && array->space != SPACE_LOCAL)
        return builder_reject(builder, s->at, "a cache hint is for global and local arrays");
    if (s->operation == OPERATION_ATOMIC && array->space == SPACE_LOCAL)
        return builder_reject(builder, s->at, "there are no atomics on local memory");
    return true;
}

/* Is it p = load a[p], with p on its way? Then p goes on by one. */
static bool continues_chase(const Symbol *symbol, const Statement *s, const Array *array)
{
    if (!symbol || !symbol->chase.array || symbol->chase.array != array) return false;
    const Expression *index = s->indices->pdata[0];
    return s->operation == OPERATION_LOAD && s->indices->len == 1 && index->kind == EXPRESSION_NAME
           && !strcmp(index->name, symbol->name);
}

/* What the target holds from now on. */
static void note_loaded(Builder *builder, const Statement *s, Symbol *symbol, const Array *array,
                        const Form *element)
{
    if (symbol->kind == SYMBOL_REGISTERS) return;
    if (continues_chase(symbol, s, array)) {
        symbol->chase.updates++;
        chase_refresh(builder, symbol);
        return;
    }
    const Form *content =
        s->operation == OPERATION_LOAD ? array_content(builder, array, element) : NULL;
    symbol = builder_find(builder, s->target->name);
    symbol_forget(symbol, "the array that it was loaded from has no content; declare one: 'content "
                          "cycle' or 'content random(n)'");
    if (content) know(symbol, content);
}

static void write_access(const Statement *s, const Array *array, uint32_t width, Step *step)
{
    Instruction *in = &step->op.instruction;
    in->operation = (uint8_t)s->operation;
    in->unit = EXECUTE_OTHER;
    in->space = (uint8_t)array->space;
    in->width = (uint8_t)width;
    const bool reads = s->operation == OPERATION_LOAD;
    in->hint = s->has_hint ? s->hint : array->read_only && reads ? CACHE_READ_ONLY : CACHE_ALL;
}

bool lower_access(Builder *builder, const Statement *s)
{
    uint32_t width, id = VIRTUAL_NONE;
    const Array *array = find_array(builder, s);
    if (!array || !check_width(builder, s, array, &width) || !check_access(builder, s, array))
        return false;
    const Number element = builder_element(builder, array, s);
    const Form *address =
        element.form ? address_form(builder, s, array, element.form, width) : NULL;
    RegisterSet sources = element.used;
    if (!address || !read_operands(builder, s, &sources)) return false;
    if (s->until) id = builder_new_register(builder, 1, false);
    Symbol *symbol = s->target ? builder_write_target(builder, s, registers_of(width), &id) : NULL;
    if (s->target && !symbol) return false;
    Step *step = builder_append(builder, s->at, OP_EMIT);
    write_access(s, array, width, step);
    step->op.form = address;
    step->sources = sources;
    step->result = id;
    if (s->operation == OPERATION_ATOMIC && !lower_atomic(builder, s, array, step)) return false;
    if (symbol) note_loaded(builder, s, symbol, array, element.form);
    return !*builder->error;
}

/* --- computations ----------------------------------------------------------------------------- */

static Step *append_compute(Builder *builder, const Statement *s, const RegisterSet *sources,
                            uint32_t result)
{
    Step *step = builder_append(builder, s->at, OP_EMIT);
    step->op.instruction.operation = OPERATION_ALU;
    step->op.instruction.unit = (uint8_t)s->unit;
    step->sources = *sources;
    step->result = result;
    return step;
}

/* `times` in a row, each taking the result of the one before. */
static void append_chain(Builder *builder, const Statement *s, RegisterSet sources, uint32_t result,
                         uint32_t times)
{
    const uint32_t first = times % REPEAT_MAX ? times % REPEAT_MAX : MIN(times, REPEAT_MAX);
    if (!times) return;
    append_compute(builder, s, &sources, result)->op.instruction.repeat = (uint8_t)first;
    if (times == first) return;
    register_set_add(&sources, result);
    Step *rest = append_compute(builder, s, &sources, result);
    rest->op.instruction.repeat = REPEAT_MAX;
    rest->op.count = (times - first) / REPEAT_MAX;
}

bool lower_compute(Builder *builder, const Statement *s)
{
    int64_t times = 1;
    RegisterSet sources = {0};
    if (!read_operands(builder, s, &sources)
        || (s->value && !builder_constant(builder, s->value, 0, TIMES_MAX, &times)))
        return false;
    if (!s->target) {
        if (times) append_compute(builder, s, &sources, VIRTUAL_NONE)->op.count = (uint32_t)times;
        return true;
    }
    uint32_t id;
    const Symbol *before = builder_find(builder, s->target->name);
    uint32_t words = s->unit == EXECUTE_FP64 ? 2 : 1;
    if (before && before->words > words) words = before->words;
    Symbol *symbol = builder_write_target(builder, s, words, &id);
    if (!symbol) return false;
    append_chain(builder, s, sources, id, (uint32_t)times);
    symbol_forget(symbol,
                  "it was computed, and only integers written as 'x = expression' are followed");
    return true;
}

/* An integer instruction whose result is known. */
bool lower_assign(Builder *builder, const Statement *s)
{
    const Number number = builder_number(builder, s->value);
    uint32_t id;
    if (!number.form) return false;
    Symbol *symbol = builder_write_target(builder, s, 1, &id);
    if (!symbol) return false;
    Step *step = builder_append(builder, s->at, OP_EMIT);
    step->op.instruction.operation = OPERATION_ALU;
    step->op.instruction.unit = EXECUTE_INT;
    step->sources = number.used;
    step->result = id;
    if (symbol->kind == SYMBOL_REGISTERS) return true;
    symbol_forget(symbol, "");
    know(symbol, number.form);
    return true;
}
