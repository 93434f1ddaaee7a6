/* Textures: where they are, and the instructions that sample them. */
#include <string.h>

#include "workloads/language/builder.h"
#include "workloads/patterns/texture_keys.h"

enum { ONE = 256 /* coordinates and levels of a sample are in parts of so many */ };

/* --- declarations ----------------------------------------------------------------------------- */

static bool find_sizes(Builder *builder, const Statement *s, TextureShape *shape)
{
    int64_t size[DIMENSIONS] = {1, 1, 1};
    if (s->indices->len < 1 || s->indices->len > DIMENSIONS)
        return builder_reject(builder, s->at, "a texture has 1 to %d dimensions, not %u",
                              DIMENSIONS, s->indices->len);
    if (s->texture->layers && s->indices->len != DIMENSIONS)
        return builder_reject(builder, s->at, "layers are the third dimension; it has %u",
                              s->indices->len);
    for (uint32_t d = 0; d < s->indices->len; d++)
        if (!builder_constant(builder, s->indices->pdata[d], 1, TEXTURE_SIDE_MAX, &size[d]))
            return false;
    shape->width = (uint64_t)size[0];
    shape->height = (uint64_t)size[1];
    shape->depth = (uint64_t)size[2];
    shape->kind = s->texture->layers     ? TEXTURE_2D_ARRAY
                  : s->indices->len == 1 ? TEXTURE_1D
                  : s->indices->len == 2 ? TEXTURE_2D
                                         : TEXTURE_3D;
    return true;
}

/* A number that may be missing. */
static bool find_number(Builder *builder, const Expression *expression, Range range, int64_t *value)
{
    return !expression || builder_constant(builder, expression, range.low, range.high, value);
}

static bool find_shape(Builder *builder, const Statement *s, TextureShape *shape)
{
    const TextureSyntax *texture = s->texture;
    int64_t levels = texture->all_mips ? 0 : 1, bytes = 0, rows = 0;
    if (!find_sizes(builder, s, shape)
        || !find_number(builder, texture->mips, (Range){1, TEXTURE_LEVELS, true}, &levels)
        || !find_number(builder, texture->tile[0], (Range){1, 1 << 16, true}, &bytes)
        || !find_number(builder, texture->tile[1], (Range){1, 1 << 16, true}, &rows))
        return false;
    shape->format = texture->format ? texture->format : texture_format_find("rgba8");
    shape->layout = texture->layout;
    shape->levels = (uint64_t)levels;
    shape->tile_bytes = (uint64_t)bytes;
    shape->tile_rows = (uint64_t)rows;
    return true;
}

static bool find_sampler(Builder *builder, const Statement *s, TextureSampler *sampler)
{
    int64_t anisotropy = 1, bias = 0;
    const int64_t most = LOD_BIAS_MAX * ONE;
    if (!find_number(builder, s->texture->anisotropy, (Range){1, ANISOTROPY_MAX, true}, &anisotropy)
        || !find_number(builder, s->texture->bias, (Range){-most, most, true}, &bias))
        return false;
    memcpy(sampler->wrap, s->texture->wrap, sizeof sampler->wrap);
    sampler->filter = s->texture->filter;
    sampler->anisotropy = (uint64_t)anisotropy;
    sampler->lod_bias = (double)bias / ONE;
    return true;
}

bool builder_declare_texture(Builder *builder, const Statement *s)
{
    TextureBinding *binding = form_pool_allocate(builder->pool, sizeof *binding);
    TextureShape shape = {0};
    int64_t address;
    g_autoptr(GError) reason = NULL;
    if (builder->guarded || builder->loop_variables->len)
        return builder_reject(builder, s->at, "textures stand outside of loops and conditions");
    if (builder_find(builder, s->name))
        return builder_reject(builder, s->at, "'%s' has a meaning already", s->name);
    if (!find_shape(builder, s, &shape) || !find_sampler(builder, s, &binding->sampler)
        || !builder_next_address(builder, s, TEXTURE_ALIGNMENT, &address))
        return false;
    if (!texture_init(&binding->texture, &shape, (uint64_t)address, &reason))
        return builder_reject(builder, s->at, "%s", reason->message);
    builder_take_space(builder, s, address, (int64_t)binding->texture.bytes);
    builder_declare(builder,
                    &(Symbol){.kind = SYMBOL_TEXTURE, .name = s->name, .texture = binding});
    return true;
}

/* --- samples ---------------------------------------------------------------------------------- */

static const TextureBinding *find_texture(Builder *builder, const Statement *s)
{
    const Symbol *symbol = builder_find(builder, s->name);
    if (symbol && symbol->kind == SYMBOL_TEXTURE) return symbol->texture;
    if (symbol)
        builder_reject(builder, s->at, "'%s' is not a texture", s->name);
    else
        builder_reject_name(builder, s->at, s->name);
    return NULL;
}

/* The form of a coordinate, and the registers from which the warp has it. */
static const Form *find_coordinate(Builder *builder, const Expression *e, RegisterSet *sources)
{
    const Number number = builder_number(builder, e);
    for (uint32_t i = 0; number.form && i < number.used.count; i++)
        register_set_add(sources, number.used.id[i]);
    return number.form;
}

static bool find_coordinates(Builder *builder, const Statement *s, const Texture *texture,
                             ProgramSample *sample, RegisterSet *sources)
{
    const TextureKind kind = texture->shape.kind;
    sample->count = texture_coordinates(kind);
    if (s->indices->len != sample->count)
        return builder_reject(builder, s->at, "%s has %u dimension%s, but %u coordinate%s given",
                              s->name, sample->count, sample->count > 1 ? "s" : "", s->indices->len,
                              s->indices->len > 1 ? "s are" : " is");
    for (uint32_t i = 0; i < sample->count; i++) {
        const bool layer = i == 2 && kind == TEXTURE_2D_ARRAY;
        sample->unit[i] = s->fetch || layer ? 1 : 1.0f / ONE;
        sample->coordinate[i] = find_coordinate(builder, s->indices->pdata[i], sources);
        if (!sample->coordinate[i]) return false;
    }
    sample->level_unit = s->fetch ? 1 : 1.0f / ONE;
    if (s->value) sample->level = find_coordinate(builder, s->value, sources);
    return !s->value || sample->level;
}

static void write_sample(const Statement *s, const TextureBinding *binding, Instruction *in)
{
    const SampleMode mode = s->fetch ? SAMPLE_FETCH : s->value ? SAMPLE_LEVEL : SAMPLE_IMPLICIT;
    instruction_sample(in, binding, mode, 0);
    in->source_count = 0; /* its registers are given to it later */
}

bool lower_sample(Builder *builder, const Statement *s)
{
    const TextureBinding *binding = find_texture(builder, s);
    ProgramSample *sample = form_pool_allocate(builder->pool, sizeof *sample);
    RegisterSet sources = {0};
    if (!binding || !find_coordinates(builder, s, &binding->texture, sample, &sources))
        return false;
    uint32_t id;
    Symbol *symbol = builder_write_target(builder, s, texture_registers(&binding->texture), &id);
    if (!symbol) return false;
    Step *step = builder_append(builder, s->at, OP_EMIT);
    write_sample(s, binding, &step->op.instruction);
    step->op.sample = sample;
    builder->samples = true;
    step->sources = sources;
    step->result = id;
    symbol_forget(symbol, "it was sampled from a texture");
    return true;
}

/* --- the running kernel ----------------------------------------------------------------------- */

void program_sample_prepare(FormPool *pool, const ProgramSample *sample)
{
    for (uint32_t i = 0; i < sample->count; i++) form_prepare(pool, sample->coordinate[i]);
    if (sample->level) form_prepare(pool, sample->level);
}

void program_coordinates(const Kernel *kernel, const WarpCursor *cursor,
                         const Instruction *instruction, SampleCoordinates *at)
{
    const Op *op = &((const ProgramKernel *)kernel)->ops[instruction->pc / PC_STEP - 1];
    const ProgramSample *sample = op->sample;
    int64_t values[DIMENSIONS + 1][LANES_MAX] = {{0}};
    for (uint32_t i = 0; i < sample->count; i++)
        form_lane_values(sample->coordinate[i], cursor, values[i]);
    if (sample->level) form_lane_values(sample->level, cursor, values[DIMENSIONS]);
    for (uint32_t lane = 0; lane < kernel->warp_lanes; lane++) {
        at->point[lane] = (TexturePoint){(float)values[0][lane] * sample->unit[0],
                                         (float)values[1][lane] * sample->unit[1],
                                         (float)values[2][lane] * sample->unit[2]};
        at->level[lane] = (float)values[DIMENSIONS][lane] * sample->level_unit;
    }
}
