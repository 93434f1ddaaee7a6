/* Registers for virtual registers, by linear scan: in the order in which they come alive, each
 * gets the first place that is free. When there is none, the one whose next use is farthest goes
 * to local memory, with a store after each definition and a load before each use (Poletto and
 * Sarkar 1999, with the choice of Belady 1966), and the scan begins anew. */
#include "workloads/language/builder.h"

/* Times are those of steps, of which each reads first, at 2 n, and writes then, at 2 n + 1. */
typedef struct {
    uint32_t id, first, last;
    uint32_t place;
} Life;

typedef struct {
    Builder *builder;
    uint32_t limit;                /* places */
    GArray *lives;                 /* of Life, by virtual register; first > last: never used */
    GArray *order;                 /* of uint32_t: virtual registers as they come alive */
    GArray *loops;                 /* pairs of uint32_t: first and last step */
    uint32_t owner[REGISTER_NONE]; /* virtual register + 1 */
} Scan;

static Step *step_at(const Builder *builder, uint32_t i)
{
    return &g_array_index(builder->steps, Step, i);
}

static Life *life_of(const Scan *scan, uint32_t id)
{
    return &g_array_index(scan->lives, Life, id);
}

static const VirtualRegister *register_of(const Scan *scan, uint32_t id)
{
    return &g_array_index(scan->builder->registers, VirtualRegister, id);
}

/* --- when it lives ---------------------------------------------------------------------------- */

static bool reads(const Step *step, uint32_t id)
{
    for (uint32_t i = 0; i < step->sources.count; i++)
        if (step->sources.id[i] == id) return true;
    return false;
}

static void find_loops(Scan *scan)
{
    const Builder *builder = scan->builder;
    g_autofree uint32_t *label = g_new0(uint32_t, builder->labels + 1);
    for (uint32_t i = 0; i < builder->steps->len; i++) {
        const Op *op = &step_at(builder, i)->op;
        if (op->kind == OP_LABEL) label[op->target] = i;
        if (op->kind != OP_NEXT) continue;
        const uint32_t loop[] = {2 * label[op->target], 2 * i + 1};
        g_array_append_vals(scan->loops, loop, 1);
    }
}

static const uint32_t *loop_at(const Scan *scan, uint32_t i)
{
    return (const uint32_t *)(const void *)scan->loops->data + (gsize)2 * i;
}

static void note_access(Scan *scan, uint32_t id, uint32_t step, bool read)
{
    Life *life = life_of(scan, id);
    const uint32_t time = 2 * step + !read;
    /* what is read first had its value when the program began */
    if (life->first > life->last) life->first = read ? 0 : time;
    life->last = time;
}

/* What a loop uses and did not make itself lives until the loop's end. */
static bool extend_over_loops(const Scan *scan, Life *life)
{
    bool changed = false;
    for (uint32_t i = 0; i < scan->loops->len; i++) {
        const uint32_t *loop = loop_at(scan, i);
        if (life->first < loop[0] && life->last >= loop[0] && life->last < loop[1]) {
            life->last = loop[1];
            changed = true;
        }
        if (life->first > loop[0] && life->first <= loop[1] && life->last > loop[1]) {
            life->first = loop[0];
            changed = true;
        }
    }
    return changed;
}

static gint compare_lives(gconstpointer a, gconstpointer b, gpointer data)
{
    const Life *x = life_of(data, *(const uint32_t *)a), *y = life_of(data, *(const uint32_t *)b);
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static void find_lives(Scan *scan)
{
    const Builder *builder = scan->builder;
    for (uint32_t id = 0; id < builder->registers->len; id++) {
        const Life life = {.id = id, .first = 1, .last = 0};
        g_array_append_val(scan->lives, life);
    }
    for (uint32_t i = 0; i < builder->steps->len; i++) {
        const Step *step = step_at(builder, i);
        for (uint32_t k = 0; k < step->sources.count; k++)
            note_access(scan, step->sources.id[k], i, true);
        if (step->result != VIRTUAL_NONE) note_access(scan, step->result, i, false);
    }
    for (uint32_t id = 0; id < scan->lives->len; id++) {
        Life *life = life_of(scan, id);
        if (life->first > life->last) continue;
        while (extend_over_loops(scan, life)) continue;
        g_array_append_val(scan->order, id);
    }
    g_array_sort_with_data(scan->order, compare_lives, scan);
}

/* --- places ----------------------------------------------------------------------------------- */

static bool is_free(const Scan *scan, uint32_t place, uint32_t words, uint32_t time)
{
    for (uint32_t i = place; i < place + words; i++)
        if (scan->owner[i] && life_of(scan, scan->owner[i] - 1)->last >= time) return false;
    return true;
}

static bool place_life(Scan *scan, Life *life)
{
    const uint32_t words = register_of(scan, life->id)->words;
    for (uint32_t place = 0; place + words <= scan->limit; place += words) {
        if (!is_free(scan, place, words, life->first)) continue;
        life->place = place;
        for (uint32_t i = place; i < place + words; i++) scan->owner[i] = life->id + 1;
        return true;
    }
    return false;
}

static bool accesses(const Builder *builder, uint32_t step, uint32_t id)
{
    return reads(step_at(builder, step), id) || step_at(builder, step)->result == id;
}

/* Steps from `step` to the next access, going round the loop if there is none before its end. */
static uint32_t distance_to_use(const Scan *scan, uint32_t id, uint32_t step)
{
    const Builder *builder = scan->builder;
    for (uint32_t i = step; i <= life_of(scan, id)->last / 2; i++)
        if (accesses(builder, i, id)) return i - step;
    for (uint32_t k = 0; k < scan->loops->len; k++) {
        const uint32_t first = loop_at(scan, k)[0] / 2, last = loop_at(scan, k)[1] / 2;
        if (step < first || step > last) continue;
        for (uint32_t i = first; i < step; i++)
            if (accesses(builder, i, id)) return last - step + i - first;
    }
    return UINT32_MAX - 1;
}

/* VIRTUAL_NONE: everything that is alive is needed by one instruction. */
static uint32_t choose_victim(const Scan *scan, const Life *newcomer)
{
    uint32_t victim = VIRTUAL_NONE, farthest = 0;
    for (uint32_t id = 0; id < scan->lives->len; id++) {
        const Life *life = life_of(scan, id);
        const bool alive = life->first <= newcomer->first && life->last >= newcomer->first;
        if ((!alive && life != newcomer) || register_of(scan, id)->reload) continue;
        if (life->first > life->last) continue;
        const uint32_t distance = distance_to_use(scan, id, newcomer->first / 2) + 1;
        if (distance <= farthest) continue;
        farthest = distance;
        victim = id;
    }
    return victim;
}

/* --- spilling --------------------------------------------------------------------------------- */

static void append_spill(GArray *steps, const Step *beside, Operation operation, uint32_t id,
                         const Form *offset, uint32_t words)
{
    Step step = *beside;
    step.op.count = 1;
    step.op.form = offset;
    step.spill = true;
    step.sources = (RegisterSet){0};
    step.result = VIRTUAL_NONE;
    if (operation == OPERATION_LOAD)
        step.result = id;
    else
        register_set_add(&step.sources, id);
    instruction_clear(&step.op.instruction, 0, 0);
    step.op.instruction.operation = (uint8_t)operation;
    step.op.instruction.unit = EXECUTE_OTHER;
    step.op.instruction.space = SPACE_LOCAL;
    step.op.instruction.width = (uint8_t)(words * 4);
    step.op.instruction.source_line = beside->op.instruction.source_line;
    g_array_append_val(steps, step);
}

static const Form *new_spill_place(Builder *builder, uint32_t words)
{
    int64_t *end = &g_array_index(builder->bytes, int64_t, SPACE_LOCAL);
    const int64_t bytes = words * 4, offset = (*end + bytes - 1) / bytes * bytes;
    *end = offset + bytes;
    return form_constant(builder->pool, offset);
}

/* Each access gets a register that lives for the one instruction. */
static void spill(Builder *builder, uint32_t victim)
{
    const uint32_t words = g_array_index(builder->registers, VirtualRegister, victim).words;
    const Form *place = new_spill_place(builder, words);
    GArray *old = builder->steps;
    builder->steps = g_array_sized_new(FALSE, FALSE, sizeof(Step), old->len + 64);
    for (uint32_t i = 0; i < old->len; i++) {
        Step step = g_array_index(old, Step, i);
        const bool uses = reads(&step, victim), defines = step.result == victim;
        const uint32_t stand_in =
            uses || defines ? builder_new_register(builder, words, true) : VIRTUAL_NONE;
        for (uint32_t k = 0; uses && k < step.sources.count; k++)
            if (step.sources.id[k] == victim) step.sources.id[k] = stand_in;
        if (uses) append_spill(builder->steps, &step, OPERATION_LOAD, stand_in, place, words);
        if (defines) step.result = stand_in;
        g_array_append_val(builder->steps, step);
        if (defines) append_spill(builder->steps, &step, OPERATION_STORE, stand_in, place, words);
    }
    g_array_unref(old);
}

/* --- the scan --------------------------------------------------------------------------------- */

static void scan_finish(Scan *scan)
{
    g_array_unref(scan->lives);
    g_array_unref(scan->order);
    g_array_unref(scan->loops);
}

static Scan scan_begin(Builder *builder, uint32_t limit)
{
    Scan scan = {.builder = builder,
                 .limit = limit,
                 .lives = g_array_new(FALSE, TRUE, sizeof(Life)),
                 .order = g_array_new(FALSE, TRUE, sizeof(uint32_t)),
                 .loops = g_array_new(FALSE, TRUE, 2 * sizeof(uint32_t))};
    find_loops(&scan);
    find_lives(&scan);
    return scan;
}

/* Places all, or names what is in the way. */
static bool place_all(Scan *scan, const Life **homeless)
{
    for (uint32_t i = 0; i < scan->order->len; i++) {
        Life *life = life_of(scan, g_array_index(scan->order, uint32_t, i));
        *homeless = life;
        if (!place_life(scan, life)) return false;
    }
    return true;
}

static void write_registers(const Scan *scan, uint32_t first, RegisterPlan *plan)
{
    for (uint32_t i = 0; i < scan->builder->steps->len; i++) {
        Step *step = step_at(scan->builder, i);
        Instruction *in = &step->op.instruction;
        for (uint32_t k = 0; k < step->sources.count; k++)
            instruction_reads(in, first + life_of(scan, step->sources.id[k])->place,
                              register_of(scan, step->sources.id[k])->words);
        if (step->result != VIRTUAL_NONE)
            instruction_writes(in, first + life_of(scan, step->result)->place,
                               register_of(scan, step->result)->words);
        if (!step->spill) continue;
        *(in->operation == OPERATION_LOAD ? &plan->spill_loads : &plan->spill_stores) +=
            step->executions;
    }
    for (uint32_t i = 0; i < scan->limit; i++)
        if (scan->owner[i]) plan->needed = first + i + 1;
}

bool registers_assign(Builder *builder, RegisterPlan *plan)
{
    const uint32_t first = (uint32_t)builder->pressure;
    const uint32_t limit = plan->limit ? MIN(plan->limit, REGISTER_NONE) : REGISTER_NONE;
    plan->needed = first;
    for (;;) {
        Scan scan = scan_begin(builder, limit > first ? limit - first : 0);
        const Life *homeless = NULL;
        const bool placed = place_all(&scan, &homeless);
        if (placed) write_registers(&scan, first, plan);
        const uint32_t victim = placed ? VIRTUAL_NONE : choose_victim(&scan, homeless);
        const char *at = placed ? NULL : step_at(builder, homeless->first / 2)->at;
        scan_finish(&scan);
        if (placed) return true;
        if (victim == VIRTUAL_NONE)
            return builder_reject(builder, at,
                                  "needs more registers than the %u that a thread has%s", limit,
                                  first ? " (pressure counted)" : "");
        spill(builder, victim);
    }
}
