/* What becomes of known values when a block may run any number of times. A pointer that walks
 * through an array of known content, 'p = load next[p]', can be followed: the cursor counts how
 * often, and the value is computed from where it began. */
#include <string.h>

#include "workloads/language/builder.h"

/* --- what a block does to a name -------------------------------------------------------------- */

static bool statement_assigns(const Statement *s, const char *name);

static bool block_assigns(const GPtrArray *block, const char *name)
{
    for (guint i = 0; block && i < block->len; i++)
        if (statement_assigns(block->pdata[i], name)) return true;
    return false;
}

static bool statement_assigns(const Statement *s, const char *name)
{
    return (s->target && !strcmp(s->target->name, name)) || block_assigns(s->body, name)
           || block_assigns(s->otherwise, name);
}

/* Deep is only the first child (builder_number). */
static bool expression_mentions(const Expression *e, const char *name)
{
    for (; e; e = e->children && e->children->len ? e->children->pdata[0] : NULL) {
        if (e->name && e->kind != EXPRESSION_OPERATION && !strcmp(e->name, name)) return true;
        for (guint i = 1; e->children && i < e->children->len; i++)
            if (expression_mentions(e->children->pdata[i], name)) return true;
    }
    return false;
}

static bool list_mentions(const GPtrArray *list, const char *name)
{
    for (guint i = 0; list && i < list->len; i++)
        if (expression_mentions(list->pdata[i], name)) return true;
    return false;
}

bool statement_mentions(const Statement *s, const char *name)
{
    return expression_mentions(s->target, name) || expression_mentions(s->value, name)
           || list_mentions(s->indices, name) || list_mentions(s->operands, name);
}

/* --- pointers --------------------------------------------------------------------------------- */

/* The array through which a block's only assignments to `name`, 'name = load array[name]', lead. */
static const Array *array_walked(const Builder *builder, const GPtrArray *block, const char *name)
{
    const Array *array = NULL;
    for (guint i = 0; block && i < block->len; i++) {
        const Statement *s = block->pdata[i];
        const Array *found = NULL;
        if (s->body) {
            if (!statement_assigns(s, name)) continue;
            const bool both = block_assigns(s->body, name) && block_assigns(s->otherwise, name);
            found =
                array_walked(builder, block_assigns(s->body, name) ? s->body : s->otherwise, name);
            if (both && array_walked(builder, s->otherwise, name) != found) return NULL;
        } else if (!s->target || strcmp(s->target->name, name) != 0) {
            continue;
        } else if (s->kind == STATEMENT_ACCESS && s->operation == OPERATION_LOAD
                   && s->indices->len == 1) {
            const Expression *index = s->indices->pdata[0];
            const Symbol *symbol = builder_find(builder, s->name);
            const bool walks = index->kind == EXPRESSION_NAME && !strcmp(index->name, name);
            found = walks && symbol ? symbol->array : NULL;
        }
        if (!found || (array && found != array)) return NULL;
        array = found;
    }
    return array;
}

void chase_refresh(Builder *builder, Symbol *symbol)
{
    const Chase *chase = &symbol->chase;
    const Range any = {0, INT64_C(1) << 40, false};
    const Form *count = form_variable(builder->pool, ATOM_SLOT, chase->slot, any);
    const Form *steps =
        form_add(builder->pool, count, form_constant(builder->pool, chase->updates), 1);
    const char *name = symbol->name;
    const Form *form = array_follow(builder, chase->array, chase->start, steps);
    symbol = builder_find(builder, name);
    symbol->number = (Number){.form = form, .used = {.count = 1, .id = {symbol->reg}}};
}

/* Words for pointers are taken from the upper end, and for good: where a pointer is matters after
 * the loop, too. */
static bool begin_chase(Builder *builder, Symbol *symbol, const Array *array)
{
    const uint32_t slot = SCRATCH_WORDS - 1 - builder->chases;
    const Form *zero = form_constant(builder->pool, 0);
    const char *name = symbol->name;
    const Form *start = symbol->number.form;
    const bool can_follow = array_follow(builder, array, start, zero) != NULL;
    symbol = builder_find(builder, name);
    if (!can_follow || slot <= builder->slots_in_use) return false;
    builder->chases++;
    symbol->chase = (Chase){.array = array, .start = start, .slot = slot};
    Step *step = builder_append(builder, builder->source->text, OP_SET);
    step->op.slot = slot;
    step->op.form = zero;
    chase_refresh(builder, symbol);
    return true;
}

/* What was made from a pointer's place is another number when the pointer has moved. */
static void forget_dependents(Builder *builder, const Symbol *pointer)
{
    for (guint k = 0; k < builder->symbols->len; k++) {
        Symbol *other = &g_array_index(builder->symbols, Symbol, k);
        if (other == pointer || !other->number.form) continue;
        if (!(form_slots(other->number.form) >> pointer->chase.slot & 1)) continue;
        other->number.form = NULL;
        other->unknown = "it depends on a pointer that moves on";
    }
}

bool chases_enter_loop(Builder *builder, const GPtrArray *body)
{
    chases_flush(builder, builder->source->text);
    for (guint i = 0; i < builder->symbols->len; i++) {
        Symbol *symbol = &g_array_index(builder->symbols, Symbol, i);
        if (symbol->kind != SYMBOL_VARIABLE || !block_assigns(body, symbol->name)) continue;
        const Array *array = symbol->number.form ? array_walked(builder, body, symbol->name) : NULL;
        const bool follows =
            array && (symbol->chase.array == array || begin_chase(builder, symbol, array));
        symbol = &g_array_index(builder->symbols, Symbol, i);
        if (follows)
            forget_dependents(builder, symbol);
        else
            symbol_forget(symbol, "it changes from iteration to iteration; only 'p = load a[p]' "
                                  "through an array with 'content cycle' or 'content index + "
                                  "constant' is followed");
    }
    return !*builder->error;
}

bool chases_enter_condition(Builder *builder, const Statement *s, bool lanes)
{
    chases_flush(builder, s->at);
    for (guint i = 0; i < builder->symbols->len; i++) {
        const Symbol *symbol = &g_array_index(builder->symbols, Symbol, i);
        if (!symbol->chase.array || !statement_assigns(s, symbol->name)) continue;
        if (lanes)
            return builder_reject(builder, s->at,
                                  "'%s' walks through '%s' and may not do so for some lanes only; "
                                  "put the whole walk under the condition",
                                  symbol->name, symbol->chase.array->name);
        forget_dependents(builder, symbol);
    }
    return true;
}

void chases_leave_condition(Builder *builder, const Statement *s)
{
    for (guint i = 0; i < builder->symbols->len; i++) {
        Symbol *symbol = &g_array_index(builder->symbols, Symbol, i);
        const bool assigned = symbol->kind == SYMBOL_VARIABLE && statement_assigns(s, symbol->name);
        if (assigned && !symbol->chase.array)
            symbol_forget(symbol, "it is assigned under a condition");
    }
}

void chases_flush(Builder *builder, const char *at)
{
    for (guint i = 0; i < builder->symbols->len; i++) {
        Symbol *symbol = &g_array_index(builder->symbols, Symbol, i);
        if (!symbol->chase.array || !symbol->chase.updates) continue;
        Step *step = builder_append(builder, at, OP_ADD);
        step->op.slot = symbol->chase.slot;
        step->op.amount = symbol->chase.updates;
        symbol->chase.updates = 0;
        forget_dependents(builder, symbol);
        chase_refresh(builder, symbol);
    }
}
