/* Blocks, loops and conditions. */
#include "workloads/language/builder.h"

enum { UNROLL_MAX = 4096 };

/* --- steps ------------------------------------------------------------------------------------ */

static uint32_t new_label(Builder *builder)
{
    return ++builder->labels;
}

static void append_label(Builder *builder, const char *at, uint32_t label)
{
    builder_append(builder, at, OP_LABEL)->op.target = label;
}

static Step *append_branch(Builder *builder, const char *at, OpKind kind, const Form *condition,
                           uint32_t label)
{
    Step *step = builder_append(builder, at, kind);
    step->op.form = condition;
    step->op.target = label;
    return step;
}

static uint32_t new_slot(Builder *builder, const char *at)
{
    if (builder->slots_in_use + 1 + builder->chases < SCRATCH_WORDS - 1)
        return ++builder->slots_in_use;
    builder_reject(builder, at, "loops and conditions are nested too deeply: %d at most",
                   (int)SCRATCH_WORDS - 2);
    return 0;
}

/* --- copies of a loop's body ------------------------------------------------------------------ */

typedef struct {
    const Statement *loop;
    const Form *const *values; /* of the loop's variable, one a copy */
    uint32_t count;
} Copies;

static bool is_simple(const Statement *s)
{
    return s->kind == STATEMENT_LET || s->kind == STATEMENT_ASSIGN || s->kind == STATEMENT_ACCESS
           || s->kind == STATEMENT_COMPUTE || s->kind == STATEMENT_SAMPLE;
}

/* Copies may go side by side, statement by statement, when no value goes from one statement of a
 * copy to another one of the next. */
static bool can_interleave(const Builder *builder, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const Statement *s = body->pdata[i];
        if (!is_simple(s)) return false;
        if (!s->target || !builder_find(builder, s->target->name)) continue;
        for (guint k = 0; k < body->len; k++)
            if (k != i && statement_mentions(body->pdata[k], s->target->name)) return false;
    }
    return true;
}

static bool lower_statement(Builder *builder, const Statement *s);

static bool lower_copy(Builder *builder, const Copies *copies, uint32_t number)
{
    const guint mark = builder->symbols->len;
    const Number value = {.form = copies->values[number]};
    g_ptr_array_add(builder->loop_variables, (gpointer)value.form);
    const bool good = builder_declare_number(builder, copies->loop->at, copies->loop->name, value)
                      && lower_block(builder, copies->loop->body);
    g_ptr_array_set_size(builder->loop_variables, builder->loop_variables->len - 1);
    g_array_set_size(builder->symbols, mark);
    return good;
}

static GArray *take_symbols(Builder *builder, guint from)
{
    GArray *taken = g_array_new(FALSE, FALSE, sizeof(Symbol));
    g_array_append_vals(taken, &g_array_index(builder->symbols, Symbol, from),
                        builder->symbols->len - from);
    g_array_set_size(builder->symbols, from);
    return taken;
}

static void put_symbols(Builder *builder, const GArray *taken)
{
    g_array_append_vals(builder->symbols, taken->data, taken->len);
}

/* One statement of one copy, with what the copy's earlier statements declared. */
static bool lower_part(Builder *builder, const Copies *copies, const Statement *s, guint mark,
                       GArray **own, uint32_t number)
{
    if (*own) {
        put_symbols(builder, *own);
        g_array_unref(*own);
        *own = NULL;
    } else if (!builder_declare_number(builder, copies->loop->at, copies->loop->name,
                                       (Number){.form = copies->values[number]})) {
        return false;
    }
    g_ptr_array_add(builder->loop_variables, (gpointer)copies->values[number]);
    const bool good = lower_statement(builder, s);
    g_ptr_array_set_size(builder->loop_variables, builder->loop_variables->len - 1);
    *own = take_symbols(builder, mark);
    return good;
}

static bool lower_interleaved(Builder *builder, const Copies *copies)
{
    const guint mark = builder->symbols->len;
    g_autofree GArray **own = g_new0(GArray *, copies->count);
    bool good = true;
    for (guint i = 0; good && i < copies->loop->body->len; i++)
        for (uint32_t k = 0; good && k < copies->count; k++)
            good = lower_part(builder, copies, copies->loop->body->pdata[i], mark, &own[k], k);
    for (uint32_t k = 0; k < copies->count; k++)
        if (own[k]) g_array_unref(own[k]);
    return good;
}

static bool lower_copies(Builder *builder, const Copies *copies)
{
    if (copies->count > 1 && can_interleave(builder, copies->loop->body))
        return lower_interleaved(builder, copies);
    for (uint32_t k = 0; k < copies->count; k++)
        if (!lower_copy(builder, copies, k)) return false;
    return true;
}

/* Copies whose variable is first, first + step, ... */
static bool lower_copies_from(Builder *builder, const Statement *loop, const Form *first,
                              int64_t step, uint32_t count)
{
    g_autofree const Form **values = g_new(const Form *, count + 1);
    for (uint32_t k = 0; k < count; k++)
        values[k] =
            form_add(builder->pool, first, form_constant(builder->pool, (int64_t)k * step), 1);
    return lower_copies(builder, &(Copies){.loop = loop, .values = values, .count = count});
}

/* --- loops ------------------------------------------------------------------------------------ */

typedef struct {
    const Statement *statement;
    const Form *begin, *end;
    int64_t step, unroll;
    int64_t trips; /* at most */
    bool known;    /* exactly `trips` */
} Loop;

static bool loop_limit(Builder *builder, const Statement *s, uint32_t which, const Form **form)
{
    *form = builder_number(builder, s->limits[which]).form;
    if (!*form) return false;
    return form_is_uniform(*form)
           || builder_reject(builder, s->limits[which]->at,
                             "depends on the lane, but the lanes of a warp go through a loop "
                             "together; use 'if' inside");
}

static bool read_loop(Builder *builder, const Statement *s, Loop *loop)
{
    *loop = (Loop){.statement = s, .step = 1, .unroll = 1};
    if (!loop_limit(builder, s, 0, &loop->begin) || !loop_limit(builder, s, 1, &loop->end)
        || (s->step && !builder_constant(builder, s->step, 1, INT64_C(1) << 40, &loop->step))
        || (s->value && !builder_constant(builder, s->value, 1, UNROLL_MAX, &loop->unroll)))
        return false;
    const Range range = form_range(form_add(builder->pool, loop->end, loop->begin, -1));
    loop->trips = MAX(0, (range.high + loop->step - 1) / loop->step);
    loop->known = form_is_constant(loop->begin) && form_is_constant(loop->end);
    if (!s->unroll_all) return true;
    loop->unroll = loop->trips;
    return (loop->known && loop->trips <= UNROLL_MAX)
           || builder_reject(builder, s->at,
                             "'unroll all' is for loops of a known number of "
                             "iterations, at most %d",
                             UNROLL_MAX);
}

/* Whether an iteration is left in front of the loop, where its variable may be behind the end. */
static const Form *may_enter(FormPool *pool, const Loop *loop, uint32_t slot, const Form *limit)
{
    const Range open = {form_range(loop->begin).low, INT64_C(1) << NUMBER_LIMIT_BITS, false};
    const Form *variable = form_variable(pool, ATOM_SLOT, slot, open);
    return form_call2(pool, FUNCTION_LESS, form_add(pool, variable, limit, -1),
                      form_constant(pool, 0));
}

/* The loop itself, `unroll` iterations at a time, as long as that many are left. */
static bool lower_rounds(Builder *builder, const Loop *loop, uint32_t slot, uint32_t unroll,
                         const Form *limit)
{
    const Statement *s = loop->statement;
    FormPool *pool = builder->pool;
    const int64_t stride = loop->step * unroll;
    Range range = {form_range(loop->begin).low, form_range(loop->end).high - 1, false};
    if (loop->known)
        range = (Range){range.low, range.low + (loop->trips / unroll - 1) * stride, true};
    const Form *variable = form_variable(pool, ATOM_SLOT, slot, range);
    const uint32_t again = new_label(builder), behind = new_label(builder);
    if (!loop->known)
        append_branch(builder, s->at, OP_UNLESS, may_enter(pool, loop, slot, limit), behind);
    append_label(builder, s->at, again);
    if (!lower_copies_from(builder, s, variable, loop->step, unroll)) return false;
    chases_flush(builder, s->at);
    Step *next = append_branch(builder, s->at, OP_NEXT, limit, again);
    next->op.slot = slot;
    next->op.amount = stride;
    append_label(builder, s->at, behind);
    return true;
}

static bool lower_loop(Builder *builder, const Loop *loop, uint32_t slot)
{
    const Statement *s = loop->statement;
    FormPool *pool = builder->pool;
    const uint32_t unroll = (uint32_t)loop->unroll;
    const double outside = builder->executions;
    append_branch(builder, s->at, OP_SET, loop->begin, 0)->op.slot = slot;
    builder->executions = outside * (double)(loop->trips / unroll);
    const Form *limit =
        form_add(pool, loop->end, form_constant(pool, (unroll - 1) * loop->step), -1);
    if (!lower_rounds(builder, loop, slot, unroll, limit)) return false;
    builder->executions = outside;
    const int64_t rest = loop->trips % unroll;
    if (loop->known) {
        const int64_t from = loop->begin->constant + (loop->trips - rest) * loop->step;
        return lower_copies_from(builder, s, form_constant(pool, from), loop->step, (uint32_t)rest);
    }
    if (unroll == 1) return true;
    builder->executions = outside * (double)MIN(loop->trips, loop->unroll - 1);
    const bool good = lower_rounds(builder, loop, slot, 1, loop->end);
    builder->executions = outside;
    return good;
}

static bool lower_for(Builder *builder, const Statement *s)
{
    Loop loop;
    if (!read_loop(builder, s, &loop)) return false;
    if (!loop.trips) return true;
    if (loop.known && loop.unroll >= loop.trips)
        return lower_copies_from(builder, s, loop.begin, loop.step, (uint32_t)loop.trips);
    if (!chases_enter_loop(builder, s->body)) return false;
    const uint32_t slot = new_slot(builder, s->at);
    const bool per_warp = builder->per_warp;
    builder->per_warp =
        per_warp || form_depends_on(loop.begin, ATOM_WARP) || form_depends_on(loop.end, ATOM_WARP);
    const bool good = slot && lower_loop(builder, &loop, slot);
    builder->per_warp = per_warp;
    chases_leave_condition(builder, s);
    builder->slots_in_use--;
    return good;
}

/* --- conditions ------------------------------------------------------------------------------- */

/* What a block changes in the builder and what is put back behind it. */
typedef struct {
    uint32_t mask_slot;
    uint64_t lanes;
    bool guarded, per_warp;
} Guard;

static Guard guard_of(const Builder *builder)
{
    return (Guard){builder->mask_slot, builder->lanes, builder->guarded, builder->per_warp};
}

static void guard_set(Builder *builder, Guard guard)
{
    builder->mask_slot = guard.mask_slot;
    builder->lanes = guard.lanes;
    builder->guarded = guard.guarded;
    builder->per_warp = guard.per_warp;
}

/* Each branch begins with what was known before. */
static bool lower_branch(Builder *builder, const GPtrArray *block, const GArray *before,
                         Guard guard)
{
    const Guard outer = guard_of(builder);
    if (!block) return true;
    guard_set(builder, guard);
    const bool good = !guard.lanes || lower_block(builder, block);
    if (good) chases_flush(builder, builder->source->text);
    guard_set(builder, outer);
    g_array_set_size(builder->symbols, 0);
    put_symbols(builder, before);
    return good;
}

/* Which lanes it is, is known beforehand. */
static bool lower_fixed_lanes(Builder *builder, const Statement *s, const Form *condition,
                              const GArray *before)
{
    int64_t values[LANES_MAX];
    const WarpCursor nowhere = {0};
    form_prepare(builder->pool, condition);
    form_lane_values(condition, &nowhere, values);
    const uint64_t holds = form_lanes_that_hold(values, builder->warp_lanes);
    Guard guard = guard_of(builder);
    const uint64_t lanes = guard.lanes;
    guard.guarded = true;
    guard.lanes = lanes & holds;
    if (!lower_branch(builder, s->body, before, guard)) return false;
    guard.lanes = lanes & ~holds;
    return lower_branch(builder, s->otherwise, before, guard);
}

static bool lower_lanes(Builder *builder, const Statement *s, const Form *condition,
                        const GArray *before)
{
    const uint32_t otherwise = new_label(builder), behind = new_label(builder);
    const uint32_t slot = new_slot(builder, s->at);
    if (!slot) return false;
    append_branch(builder, s->at, OP_SPLIT, condition, otherwise)->op.slot = slot;
    const Guard guard = {slot, UINT64_MAX, true, true};
    bool good = lower_branch(builder, s->body, before, guard);
    append_label(builder, s->at, otherwise);
    if (good && s->otherwise) {
        append_branch(builder, s->at, OP_OTHERS, NULL, behind)->op.slot = slot;
        good = lower_branch(builder, s->otherwise, before, guard);
    }
    append_label(builder, s->at, behind);
    builder->slots_in_use--;
    return good;
}

static bool lower_uniform(Builder *builder, const Statement *s, const Form *condition,
                          const GArray *before)
{
    const uint32_t otherwise = new_label(builder), behind = new_label(builder);
    append_branch(builder, s->at, OP_UNLESS, condition, otherwise);
    Guard guard = guard_of(builder);
    guard.guarded = true;
    guard.per_warp = guard.per_warp || form_depends_on(condition, ATOM_WARP);
    bool good = lower_branch(builder, s->body, before, guard);
    if (s->otherwise) append_branch(builder, s->at, OP_JUMP, NULL, behind);
    append_label(builder, s->at, otherwise);
    good = good && lower_branch(builder, s->otherwise, before, guard);
    append_label(builder, s->at, behind);
    return good;
}

static bool lower_if(Builder *builder, const Statement *s)
{
    const Form *condition = builder_number(builder, s->value).form;
    if (!condition) return false;
    if (form_is_constant(condition)) {
        const GPtrArray *taken = condition->constant ? s->body : s->otherwise;
        return !taken || lower_block(builder, taken);
    }
    const bool uniform = form_is_uniform(condition);
    const bool fixed = !condition->uniform && condition->mixed == condition->count;
    if (!chases_enter_condition(builder, s, !uniform)) return false;
    GArray *before = take_symbols(builder, 0);
    put_symbols(builder, before);
    const bool good = uniform ? lower_uniform(builder, s, condition, before)
                      : fixed ? lower_fixed_lanes(builder, s, condition, before)
                              : lower_lanes(builder, s, condition, before);
    g_array_unref(before);
    chases_leave_condition(builder, s);
    return good;
}

/* --- other statements ------------------------------------------------------------------------- */

static bool lower_synchronization(Builder *builder, const Statement *s)
{
    const bool partial = builder->mask_slot || builder->lanes != lowest_lanes(builder->warp_lanes);
    if (s->kind == STATEMENT_BARRIER && (partial || builder->per_warp))
        return builder_reject(builder, s->at, "a barrier that some %s of a CTA do not reach",
                              partial ? "lanes" : "warps");
    Instruction *in = &builder_append(builder, s->at, OP_EMIT)->op.instruction;
    in->operation = s->kind == STATEMENT_BARRIER ? OPERATION_BARRIER
                    : s->kind == STATEMENT_FENCE ? OPERATION_FENCE
                                                 : OPERATION_WAIT_STORES;
    in->unit = EXECUTE_OTHER;
    return true;
}

static bool declare_registers(Builder *builder, const Statement *s)
{
    int64_t bytes = 4, count = 1;
    if (builder_find(builder, s->name))
        return builder_reject(builder, s->at, "'%s' has a meaning already", s->name);
    if (s->indices && s->indices->len != 1)
        return builder_reject(builder, s->at, "registers have one index");
    if ((s->element && !builder_constant(builder, s->element, 4, 16, &bytes))
        || (s->indices && !builder_constant(builder, s->indices->pdata[0], 1, 1024, &count)))
        return false;
    if (!is_power_of_two((uint64_t)bytes))
        return builder_reject(builder, s->element->at, "registers are of 4, 8 or 16 B");
    Symbol symbol = {.kind = s->indices ? SYMBOL_REGISTERS : SYMBOL_VARIABLE,
                     .name = s->name,
                     .unknown = "it was only declared",
                     .reg = builder->registers->len,
                     .words = (uint32_t)bytes / 4,
                     .count = (uint32_t)count};
    for (int64_t i = 0; i < count; i++) builder_new_register(builder, symbol.words, false);
    builder_declare(builder, &symbol);
    return true;
}

static bool lower_let(Builder *builder, const Statement *s)
{
    const Number number = builder_number(builder, s->value);
    return number.form && builder_declare_number(builder, s->at, s->name, number);
}

static bool lower_statement(Builder *builder, const Statement *s)
{
    if (builder->steps->len > STEPS_MAX)
        return builder_reject(builder, s->at,
                              "the program has more than %d instructions; unroll less", STEPS_MAX);
    switch (s->kind) {
    case STATEMENT_LET: return lower_let(builder, s);
    case STATEMENT_ARRAY: return builder_declare_array(builder, s);
    case STATEMENT_TEXTURE: return builder_declare_texture(builder, s);
    case STATEMENT_SAMPLE: return lower_sample(builder, s);
    case STATEMENT_REGISTER: return declare_registers(builder, s);
    case STATEMENT_ASSIGN: return lower_assign(builder, s);
    case STATEMENT_ACCESS:
    case STATEMENT_POLL: return lower_access(builder, s);
    case STATEMENT_COMPUTE: return lower_compute(builder, s);
    case STATEMENT_BARRIER:
    case STATEMENT_FENCE:
    case STATEMENT_WAIT: return lower_synchronization(builder, s);
    case STATEMENT_FOR: return lower_for(builder, s);
    case STATEMENT_IF: return lower_if(builder, s);
    case STATEMENT_PRESSURE:
        return builder_constant(builder, s->value, 0, REGISTER_NONE, &builder->pressure);
    case STATEMENT_PARAM: break;
    }
    return builder_reject(builder, s->at, "parameters stand outside of loops and conditions");
}

bool lower_block(Builder *builder, const GPtrArray *statements)
{
    const guint mark = builder->symbols->len;
    bool good = true;
    for (guint i = 0; good && i < statements->len; i++)
        good = lower_statement(builder, statements->pdata[i]);
    g_array_set_size(builder->symbols, mark);
    return good;
}
