/* Kernels that are written in the scenario itself: see docs/learn/kernel-language.md.
 *
 * Text -> syntax -> steps with virtual registers -> registers and spills -> operations.
 *
 * Not modelled: what the numbers in memory are, but for arrays with a declared content; the
 * instructions of loops and of address arithmetic, unless the program writes them down. */
#include <math.h>
#include <string.h>

#include "workloads/language/builder.h"

typedef struct {
    char *code, *ctas, *threads_per_cta, *registers_per_thread, *shared_bytes_per_cta;
    char *counted_bytes, *dependent_loads;
    uint64_t seed;
} Program;

static const Param params[] = {
    PARAM_STRING(Program, code, "", "the kernel, in the language of docs/learn/kernel-language.md"),
    PARAM_STRING(Program, ctas, "1", "CTAs in the grid, an expression over the program's params"),
    PARAM_STRING(Program, threads_per_cta, "32", "threads a CTA, 1 to 1024, an expression"),
    PARAM_STRING(Program, registers_per_thread, "auto",
                 "registers a thread, 1 to 255: what does not fit is spilled; auto: as many as are "
                 "needed"),
    PARAM_STRING(Program, shared_bytes_per_cta, "0 B",
                 "shared memory a CTA, at least that of the program's arrays, an expression"),
    PARAM_STRING(Program, counted_bytes, "0 B",
                 "bytes that counted bandwidth means, an expression; 0 B: not defined"),
    PARAM_STRING(Program, dependent_loads, "0",
                 "loads of one chain, for cycles a load, an expression; 0: not a chain"),
    PARAM_NUMBER(Program, seed, PARAM_COUNT, "0", 0, 0x1p53, "mixed with the run's seed"),
    PARAM_END,
};

typedef struct {
    const Configuration *configuration;
    const char *group;
    Syntax *syntax;
    Builder builder;
    ProgramSource code;
    RegisterPlan plan;
} Build;

/* --- numbers outside of the code -------------------------------------------------------------- */

/* The value of a key that is an expression; the default stands in `text`. */
static bool read_key(Build *build, const char *key, const char *text, Range range, int64_t *value)
{
    const Setting *setting = configuration_find(build->configuration, build->group, key);
    const ProgramSource source = {text, build->group, key, setting};
    Builder *builder = &build->builder;
    const Expression *expression = syntax_parse_expression(build->syntax, &source, builder->error);
    builder->source = &source;
    const bool good =
        expression && builder_constant(builder, expression, range.low, range.high, value);
    builder->source = &build->code;
    return good;
}

static bool is_table_key(const char *name)
{
    for (const Param *param = params; param->name; param++)
        if (!strcmp(param->name, name)) return true;
    for (const Param *param = workload_group.params; param->name; param++)
        if (!strcmp(param->name, name)) return true;
    return false;
}

static bool declare_param(Build *build, const Statement *s)
{
    Builder *builder = &build->builder;
    const Range any = {-(INT64_C(1) << 53), INT64_C(1) << 53, true};
    int64_t value, low = any.low, high = any.high;
    if (is_table_key(s->name))
        return builder_reject(builder, s->at, "'%s' is a key of every kernel", s->name);
    if ((s->limits[0] && !builder_constant(builder, s->limits[0], any.low, any.high, &low))
        || (s->limits[1] && !builder_constant(builder, s->limits[1], low, any.high, &high)))
        return false;
    const Setting *setting = configuration_find(build->configuration, build->group, s->name);
    const bool good =
        setting ? read_key(build, s->name, setting->value, (Range){low, high, true}, &value)
                : builder_constant(builder, s->value, low, high, &value);
    return good
           && builder_declare_number(builder, s->at, s->name,
                                     (Number){.form = form_constant(builder->pool, value)});
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* What of its addresses is always the same is found once. */
static void find_steps(Op *op)
{
    Instruction *instruction = &op->instruction;
    const bool rows_too = instruction->operation != OPERATION_ATOMIC;
    LaneSteps steps;
    const bool found = form_steps(op->form, &steps);
    const bool small = steps.row_stride == (int32_t)steps.row_stride;
    op->listed = !found || (steps.row_lanes && !(rows_too && small));
    if (op->listed) return;
    instruction->base = steps.base;
    instruction->stride = steps.stride;
    if (!steps.row_lanes) return;
    instruction->row_lanes = (uint8_t)steps.row_lanes;
    instruction->row_stride = (int32_t)steps.row_stride;
}

static uint32_t words_in_use(const Op *ops, uint32_t count)
{
    uint32_t words = 1;
    for (const Op *op = ops; op < ops + count; op++)
        words |= 1u << op->slot | 1u << op->mask_slot | (op->form ? form_slots(op->form) : 0);
    return words;
}

/* The word that has the sum, or a free one that will; 0: there is none. */
static uint32_t word_of_sum(ProgramKernel *kernel, const Form *sum, uint32_t *words)
{
    for (uint32_t i = 0; i < kernel->kept_count; i++)
        if (forms_equal(kernel->kept[i].sum, sum)) return kernel->kept[i].word;
    const uint32_t word = (uint32_t)__builtin_ctz(~*words);
    if (word >= SCRATCH_WORDS || kernel->kept_count == KEPT_MOST) return 0;
    *words |= 1u << word;
    kernel->kept[kernel->kept_count++] = (KeptSum){sum, word};
    return word;
}

/* What nothing in the program changes is computed once a warp, as far as there is room. */
static void keep_sums(ProgramKernel *kernel, FormPool *pool, uint32_t count)
{
    uint32_t words = words_in_use(kernel->ops, count);
    for (Op *op = kernel->ops; op < kernel->ops + count; op++) {
        if (op->kind != OP_EMIT || !op->form || op->listed) continue;
        const Form *sum = form_fixed_sum(pool, op->form);
        if (sum) op->kept = (uint8_t)word_of_sum(kernel, sum, &words);
    }
}

static void resolve_labels(const Builder *builder, ProgramKernel *kernel)
{
    g_autofree uint32_t *label = g_new0(uint32_t, builder->labels + 1);
    uint32_t count = 0;
    for (guint i = 0; i < builder->steps->len; i++) {
        const Op *op = &g_array_index(builder->steps, Step, i).op;
        if (op->kind == OP_LABEL)
            label[op->target] = count;
        else
            count++;
    }
    kernel->ops = g_new(Op, count);
    count = 0;
    for (guint i = 0; i < builder->steps->len; i++) {
        const Op *from = &g_array_index(builder->steps, Step, i).op;
        if (from->kind == OP_LABEL) continue;
        Op *op = &kernel->ops[count++];
        *op = *from;
        op->target = label[from->target];
        op->instruction.pc = PC_STEP * (uint64_t)count;
        if (op->form) form_prepare(builder->pool, op->form);
        if (op->form && op->kind == OP_EMIT) find_steps(op);
        if (op->operand) form_prepare(builder->pool, op->operand);
        if (op->sample) program_sample_prepare(builder->pool, op->sample);
    }
    keep_sums(kernel, builder->pool, count);
}

typedef struct {
    int64_t ctas, threads, registers, shared, counted, chain;
} Grid;

static bool read_grid(Build *build, const Program *p, Grid *grid)
{
    const bool automatic = !strcmp(p->registers_per_thread, "auto");
    const Range large = {0, INT64_C(1) << 53, true};
    *grid = (Grid){0};
    if (!read_key(build, "ctas", p->ctas, (Range){1, 1000000000, true}, &grid->ctas)
        || !read_key(build, "threads_per_cta", p->threads_per_cta, (Range){1, 1024, true},
                     &grid->threads))
        return false;
    build->builder.ctas = grid->ctas;
    build->builder.threads = grid->threads;
    builder_declare_builtins(&build->builder);
    return (automatic
            || read_key(build, "registers_per_thread", p->registers_per_thread,
                        (Range){1, REGISTER_NONE, true}, &grid->registers))
           && read_key(build, "shared_bytes_per_cta", p->shared_bytes_per_cta,
                       (Range){0, 1 << 20, true}, &grid->shared)
           && read_key(build, "counted_bytes", p->counted_bytes, large, &grid->counted)
           && read_key(build, "dependent_loads", p->dependent_loads, large, &grid->chain);
}

/* Parameters first: the grid may depend on them, and all else on the grid. */
static bool lower_all(Build *build, const Program *p, Grid *grid)
{
    Builder *builder = &build->builder;
    g_autoptr(GPtrArray) others = g_ptr_array_new();
    for (guint i = 0; i < build->syntax->statements->len; i++) {
        Statement *s = build->syntax->statements->pdata[i];
        if (s->kind != STATEMENT_PARAM)
            g_ptr_array_add(others, s);
        else if (!declare_param(build, s))
            return false;
    }
    if (!read_grid(build, p, grid) || !lower_block(builder, others)) return false;
    builder->mask_slot = 0;
    builder->lanes = lowest_lanes(builder->warp_lanes);
    Step *end = builder_append(builder, build->code.text + strlen(build->code.text), OP_EMIT);
    instruction_exit(&end->op.instruction);
    build->plan.limit = (uint32_t)grid->registers;
    return registers_assign(builder, &build->plan);
}

static Kernel *make_kernel(Build *build, const Grid *grid)
{
    const int64_t shared = g_array_index(build->builder.bytes, int64_t, SPACE_SHARED);
    ProgramKernel *self = g_new0(ProgramKernel, 1);
    const bool named = g_str_has_prefix(build->group, "kernel ");
    const uint32_t registers = MAX(build->plan.needed, 1);
    self->kernel = (Kernel){
        .class = build->builder.samples ? &program_sampling_kernel_class : &program_kernel_class,
        .name = g_strdup(named ? build->group + strlen("kernel ") : "program"),
        .ctas = (uint64_t)grid->ctas,
        .threads_per_cta = (uint32_t)grid->threads,
        .warp_lanes = build->builder.warp_lanes,
        .registers_per_thread = grid->registers ? (uint32_t)grid->registers : registers,
        .shared_bytes_per_cta = (uint64_t)MAX(grid->shared, shared),
        .counted_bytes = (uint64_t)grid->counted,
        .footprint = build->builder.global_bytes,
        .placed = build->builder.placed_bytes,
        .dependent_loads = (uint64_t)grid->chain,
        .spill_loads = (uint64_t)llround(build->plan.spill_loads),
        .spill_stores = (uint64_t)llround(build->plan.spill_stores),
    };
    resolve_labels(&build->builder, self);
    self->pool = g_steal_pointer(&build->builder.pool);
    return &self->kernel;
}

static void begin(Build *build, const Program *p, const WorkloadContext *context, LaunchList *list,
                  GError **error)
{
    build->builder = (Builder){
        .list = list,
        .source = &build->code,
        .pool = form_pool_new(context->warp_lanes),
        .seed = mix64(mix64(context->seed) ^ p->seed),
        .symbols = g_array_new(FALSE, TRUE, sizeof(Symbol)),
        .steps = g_array_new(FALSE, TRUE, sizeof(Step)),
        .registers = g_array_new(FALSE, TRUE, sizeof(VirtualRegister)),
        .loop_variables = g_ptr_array_new(),
        .bytes = g_array_new(FALSE, TRUE, sizeof(int64_t)),
        .warp_lanes = context->warp_lanes,
        .lanes = lowest_lanes(context->warp_lanes),
        .executions = 1,
        .error = error,
    };
    g_array_set_size(build->builder.bytes, SPACE_TEXTURE + 1);
}

static void finish(Build *build)
{
    Builder *builder = &build->builder;
    form_pool_free(builder->pool);
    g_array_unref(builder->symbols);
    g_array_unref(builder->steps);
    g_array_unref(builder->registers);
    g_ptr_array_unref(builder->loop_variables);
    g_array_unref(builder->bytes);
    syntax_free(build->syntax);
}

static bool build_group(const Configuration *configuration, const char *group, const void *object,
                        const WorkloadContext *context, LaunchList *list, GError **error)
{
    const Program *p = object;
    Build build = {.configuration = configuration, .group = group};
    GError *problem = NULL;
    Grid grid;
    build.code = (ProgramSource){.text = p->code, .group = group, .key = "code"};
    build.code.setting = configuration_find(configuration, group, "code");
    if (!*p->code) return workload_reject(error, "code", "the program is empty");
    build.code.text = build.code.setting->value; /* with the empty lines before its first */
    begin(&build, p, context, list, &problem);
    build.syntax = syntax_parse(&build.code, &problem);
    if (build.syntax && lower_all(&build, p, &grid))
        launch_list_add(list, make_kernel(&build, &grid));
    finish(&build);
    if (problem) g_propagate_error(error, problem);
    return !problem;
}

static void key_free(gpointer data)
{
    WorkloadKey *key = data;
    g_free(key->name);
    g_free(key->default_text);
    g_free(key);
}

/* "name = default", up to its range or the end of the statement. NULL: it is none. */
static WorkloadKey *read_key_declaration(const ProgramSource *source, const char **at)
{
    Token name, token;
    if (!token_read(source, at, &name, NULL) || name.kind != TOKEN_NAME
        || !token_read(source, at, &token, NULL) || !token_is(&token, "="))
        return NULL;
    const char *begin = *at, *end = *at;
    const char *next = *at;
    while (token_read(source, &next, &token, NULL) && token.kind != TOKEN_NEWLINE
           && token.kind != TOKEN_END && !token_is(&token, "from"))
        end = next;
    WorkloadKey *key = g_new0(WorkloadKey, 1);
    key->name = g_strndup(name.text, name.length);
    key->default_text = g_strstrip(g_strndup(begin, (gsize)(end - begin)));
    return key;
}

/* The program's own parameters, even if it has errors further on. */
static GPtrArray *own_keys(const Configuration *configuration, const char *group)
{
    GPtrArray *keys = g_ptr_array_new_with_free_func(key_free);
    const Setting *setting = configuration_find(configuration, group, "code");
    const ProgramSource source = {setting ? setting->value : "", group, "code", setting};
    const char *at = source.text;
    bool begins = true;
    for (Token token; token_read(&source, &at, &token, NULL) && token.kind != TOKEN_END;) {
        const bool declares = begins && token_is(&token, "param");
        begins = token.kind == TOKEN_NEWLINE;
        WorkloadKey *key = declares ? read_key_declaration(&source, &at) : NULL;
        if (key) g_ptr_array_add(keys, key);
    }
    return keys;
}

const WorkloadClass program_workload = {
    .name = "program",
    .summary = "a kernel written in the scenario, in a small language",
    .size = sizeof(Program),
    .params = params,
    .uses = USE_TEXTURES | USE_ATOMICS,
    .build_group = build_group,
    .own_keys = own_keys,
};
